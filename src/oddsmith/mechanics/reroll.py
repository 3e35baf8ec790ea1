"""Re-rolls: once, or until the die no longer matches."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from oddsmith.dist import Dist, mix
from oddsmith.errors import NeverEnds, RuleError
from oddsmith.mechanics.parts import Change, value_of

if TYPE_CHECKING:
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

    after = throw.wait(make, changes_kind=True)
    if until:
        return after
    mark = lambda part: [  # noqa: E731
        (Fraction(1), part.but(groups=tuple(g.but(rerolled=True) for g in part.groups)))
    ]
    return after._each_part(mark)


def _reroll_open(die: OpenDist, match: Match, fresh: Dist[Any]) -> Any:
    """An open-ended total, some values of which are replaced by a fresh die."""
    if match.low is not None or match.period() > 1 or match.inverted:
        raise RuleError("re-rolling an endless set of totals has no closed form here")
    top = max(match.bounds(), default=0)
    low = die.low if die.low is not None else top
    hit = [(outcome, p) for outcome, p in die.rows(low, top) if match(outcome)]
    chance = sum((p for _, p in hit), Fraction(0))
    if not chance:
        return die
    return mix([(die.without(dict(hit)), 1 - chance), (fresh, chance)])
