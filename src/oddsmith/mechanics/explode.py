"""Dice that roll again: as dice of their own, or added into the die that caused them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oddsmith.arguments import as_function, number, whole
from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.dist import FACE, Dist
from oddsmith.errors import NeverEnds, RuleError
from oddsmith.mechanics.match import Match
from oddsmith.mechanics.parts import Change, Explode, Worth, extras, natural_of, value_of
from oddsmith.mechanics.throw import as_throw
from oddsmith.open_dist import OpenDist
from oddsmith.outcomes import is_number

if TYPE_CHECKING:
    from oddsmith.mechanics.parts import Face, Group
    from oddsmith.mechanics.throw import Throw


def explode(
    throw: Throw, match: Match | None = None, limit: int | None = None, less: int = 0
) -> Throw:
    """Dice whose natural face fits add further dice of their own.

    Args:
        throw: The dice.
        match: The faces; the highest face of each die when None.
        limit: At most so many extra dice for each die.
        less: What each extra die counts less than it shows (penetrating dice: 1).

    Raises:
        NeverEnds: When every face rolls again and there is no limit.

    >>> from oddsmith import Dist
    >>> from oddsmith.mechanics.throw import Throw
    >>> explode(Throw.of([(Dist(range(1, 7)), 3)])).total().mean
    Fraction(63, 5)
    """

    _require_steps(match, limit, less)

    def make(group: Group) -> tuple[Change | Explode, ...]:
        kind = kind_of(group)
        again = match or highest_face(group.bare)
        extra = kind
        pair: tuple[Change, ...] = ()
        if less:
            kind.map(value_of).require_numbers("count less on")
            extra = kind.map(lambda face: (value_of(face) - less, natural_of(face)))
            pair = (Change(lambda face: (value_of(face), natural_of(face)), lambda die: die),)
        must_end(kind, again, limit)
        return (*pair, Explode(again, extra, limit))

    return as_throw(throw).wait(make, changes_kind=False)


def compound(
    throw: Throw, match: Match | None = None, limit: int | None = None, less: int = 0
) -> Throw:
    """Like :func:`explode`, but extra dice are added into the die that caused them.

    Args:
        throw: The dice.
        match: The faces; the highest face of each die when None.
        limit: At most so many extra dice for each die.
        less: What each extra die counts less than it shows (penetrating dice: 1).

    Raises:
        NeverEnds: When every face rolls again and there is no limit.

    >>> from oddsmith import Dist
    >>> from oddsmith.mechanics.throw import Throw
    >>> compound(Throw.of([(Dist(range(1, 7)), 2)])).keep("kh", 1).total().mean
    Fraction(29, 5)
    """

    _require_steps(match, limit, less)

    def make(group: Group) -> tuple[Change, ...]:
        kind = kind_of(group)
        again = match or highest_face(group.bare)
        kind.map(value_of).require_numbers("add up")
        extra = kind.map(lambda face: (value_of(face) - less, natural_of(face))) if less else kind
        must_end(kind, again, limit)
        step = Explode(again, extra, limit)
        more = extras(step, (), Worth()) if kind.p(step.goes) else Dist({0: 1})
        if isinstance(more, Dist):
            afford(4 * FACE * more.slots(), DEFAULT_BUDGET, "allow fewer extra dice")

        def change(face: Face) -> Any:
            endless = isinstance(more, OpenDist)
            if not step.goes(face):
                return value_of(face) if endless else face
            total = more + value_of(face)
            if endless:
                return total
            return total.map(lambda value: (value, natural_of(face)))

        return (Change(change, _no_compound),)

    return as_throw(throw).wait(make, changes_kind=True)


def _require_steps(match: Any, limit: Any, less: Any) -> None:
    if match is not None:
        as_function(match, "a match", "Match(low=5)", 1)
    if limit is not None:
        whole(limit, "a number of extra dice", least=0)
    number(less, "what an extra die counts less")


def _no_compound(_: OpenDist) -> Any:
    raise RuleError("an open-ended total cannot roll on again")


def highest_face(bare: Dist[Any] | None) -> Match:
    """The highest face of a plain die, whatever was done to it since.

    >>> from oddsmith import Dist
    >>> from oddsmith.mechanics.throw import Throw
    >>> highest_face(Dist([1, 2, 3]))(3)
    True
    """
    if bare is None:
        raise RuleError("it is not known which of the unlike dice this is", "name the faces")
    highest = max(bare, key=lambda face: (is_number(face), face))
    return Match(faces=frozenset({highest.lower() if isinstance(highest, str) else highest}))


def kind_of(group: Group) -> Dist[Any]:
    """What an extra die is like; unknown after keeping from unlike dice."""
    if group.kind is None:
        raise RuleError(
            "it is not known what an extra die would be like",
            "explode before keeping from unlike dice, and name all faces in one: `!{5,6}`",
        )
    return group.kind


def must_end(kind: Dist[Any], again: Match, limit: int | None) -> None:
    """Refuse a die that would roll on whatever it shows."""
    if limit is None and kind.p(lambda face: again(natural_of(face))) == 1:
        raise NeverEnds(
            "every face is rolled again, so this would never end",
            "name fewer faces, or limit the extra dice: !max3",
        )
