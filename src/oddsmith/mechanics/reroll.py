"""Re-rolls: once, or until the die no longer matches."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from oddsmith.arguments import as_function
from oddsmith.dist import Dist, mix
from oddsmith.errors import NeverEnds, RuleError
from oddsmith.mechanics.parts import Change, value_of
from oddsmith.mechanics.throw import as_throw

if TYPE_CHECKING:
    from oddsmith.exact.lattice import Number
    from oddsmith.mechanics.match import Match
    from oddsmith.mechanics.parts import Face, Group
    from oddsmith.mechanics.throw import Throw
    from oddsmith.open_dist import OpenDist


def reroll(throw: Throw, match: Match, until: bool = False) -> Throw:
    """Dice that fit are rolled again: once, or until they no longer fit.

    Raises:
        NeverEnds: When every face fits and it goes on until none does.
        RuleError: When a die might be re-rolled twice, or it is not known which die it is.

    >>> from oddsmith import Dist
    >>> from oddsmith.mechanics.match import Match
    >>> from oddsmith.mechanics.throw import Throw
    >>> reroll(Throw.of([(Dist(range(1, 7)), 1)]), Match(high=1)).total().mean
    Fraction(47, 12)
    """

    as_function(match, "a match", "Match(low=5)", 1)

    def make(group: Group) -> tuple[Change, ...]:
        bare = group.bare
        if bare is None:
            raise RuleError(
                "it is not known which of the unlike dice this is", "re-roll before keeping"
            )
        if group.rerolled and not until:
            raise RuleError(
                "a die is never re-rolled twice", "name all faces in one re-roll, such as r{1,2}"
            )
        fresh: Dist[Any] = bare
        if until:
            if bare.p(match) == 1:
                raise NeverEnds(
                    "every face is re-rolled, so this would never end",
                    "name fewer faces, or re-roll once: r instead of rr",
                )
            fresh = bare.given(lambda face: not match(face))

        def change(face: Face) -> Any:
            return fresh if match(value_of(face)) else face

        return (Change(change, lambda die: _reroll_open(die, match, fresh)),)

    after = as_throw(throw).wait(make, changes_kind=True)
    if until:
        return after
    mark = lambda part: [  # noqa: E731
        (Fraction(1), part.but(groups=tuple(g.but(rerolled=True) for g in part.groups)))
    ]
    return after._each_part(mark, alike=True)


def _reroll_open(die: OpenDist, match: Match, fresh: Dist[Any]) -> Any:
    """An open-ended total, some values of which are replaced by a fresh die.

    Beyond the numbers at which the match changes, all totals fit or none does.
    """
    if match.period() > 1:
        raise RuleError("re-rolling every other total without end has no closed form here")
    ends = [end for end in (die.low, die.high) if end is not None]
    low, high = min([*match.bounds(), *ends, 0]) - 1, max([*match.bounds(), *ends, 0]) + 1
    inside = die.rows(low, high)
    again = {outcome: p for outcome, p in inside if match(outcome)}
    endless = {match(end) for end, is_open in _ends(die, low, high) if is_open}
    if endless == {True, False}:
        raise RuleError("re-rolling one of two endless tails has no closed form here")
    if endless == {True}:
        kept = {outcome: p for outcome, p in inside if outcome not in again}
        return mix([*kept.items(), (fresh, 1 - sum(kept.values(), Fraction(0)))])
    chance = sum(again.values(), Fraction(0))
    return mix([(die.without(again), 1 - chance), (fresh, chance)]) if chance else die


def _ends(die: OpenDist, low: Number, high: Number) -> list[tuple[Number, bool]]:
    """A number in each tail, and whether there is one."""
    return [(low, die.low is None), (high, die.high is None)]
