"""Contests: two sides or more, matched dice, cancelling dice.

Totals (``Dist`` or ``OpenDist``) are compared by value, pools die by die. The margin of a contest
is ``mine - theirs``, both results side by side are ``joint(mine, theirs)``.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

from oddsmith import folds
from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.dist import FACE, Dist, as_dist, mix
from oddsmith.errors import NeverEnds, OutcomeError, RuleError
from oddsmith.open_dist import OpenDist

if TYPE_CHECKING:
    from oddsmith.folds import Source

TIES = ("tie", "reroll", "win", "lose")
"""What may become of a tie."""

matched = folds.matched


def contest(mine: Any, theirs: Any, ties: str = "tie") -> Dist[str]:
    """Whether one total wins, ties or loses against an independent one.

    Args:
        mine: A number, ``Dist`` or ``OpenDist``.
        theirs: The same.
        ties: ``tie`` leaves them, ``reroll`` rolls both again until somebody wins, ``win`` and
            ``lose`` give them to one side.

    Returns:
        The chances of "win", "tie" and "lose", seen from ``mine``; those that are not 0.

    Raises:
        NeverEnds: Where ties are rolled again and every roll ties.
        RuleError: For another word for ties.

    >>> from oddsmith import d6, d8
    >>> contest(d6, d8), contest(d6, d6, ties="reroll").p("win")
    (Dist({'lose': 9, 'tie': 2, 'win': 5}), Fraction(1, 2))
    """
    if ties not in TIES:
        raise RuleError(f"ties cannot become {ties!r}", f"write one of {', '.join(TIES)}")
    left = mine if isinstance(mine, OpenDist) else as_dist(mine)
    right = theirs if isinstance(theirs, OpenDist) else as_dist(theirs)
    chances = {"win": (left > right).p(), "lose": (left < right).p()}
    tie = 1 - sum(chances.values(), Fraction(0))
    if ties == "reroll" and tie == 1:
        raise NeverEnds("both sides always tie, so rolling again never ends")
    if ties != "reroll":
        chances[ties] = chances.get(ties, Fraction(0)) + tie
    found: Dist[str] = mix(chances)
    return found


def best_of(*sides: Any) -> Dist[tuple[int, ...]]:
    """Who has the highest total: the places (from 0) of all that share it.

    Cost: outcomes * sides * 2**sides.

    Args:
        *sides: Numbers or ``Dist``, two or more.

    Raises:
        OutcomeError: For an open-ended side; clamp it first.
        RuleError: For a single side.

    >>> from oddsmith import d6
    >>> best_of(d6, d6, d6).p((0,))
    Fraction(55, 216)
    """
    if any(isinstance(side, OpenDist) for side in sides):
        raise OutcomeError(
            "an open-ended side has no last outcome to look at", "clamp it: die.clamp(high=40)"
        )
    dists: list[Dist[Any]] = [as_dist(side) for side in sides]
    if len(dists) < 2:
        raise RuleError("a contest needs two sides or more")
    for dist in dists:
        dist.require_numbers("compare")
    values = sum(dist.slots() for dist in dists)
    afford(FACE * values * 2 ** len(dists), DEFAULT_BUDGET, "use fewer sides")
    table: dict[tuple[int, ...], Fraction] = {}
    for value in sorted({outcome for dist in dists for outcome in dist}):
        here = [dist.p(value) for dist in dists]
        below = [dist.less_than(value) for dist in dists]
        for size in range(1, len(dists) + 1):
            for best in combinations(range(len(dists)), size):
                chance = Fraction(1)
                for place in range(len(dists)):
                    chance *= here[place] if place in best else below[place]
                if chance:
                    table[best] = table.get(best, Fraction(0)) + chance
    found: Dist[tuple[int, ...]] = mix(table)
    return found


def paired(mine: Source, theirs: Source) -> Dist[tuple[int, int, int]]:
    """Highest against highest, next against next: pairs (won, tied, lost), all three together.

    Dice without a partner do not count. Cost: as :func:`oddsmith.folds.fold` of both sides;
    :func:`oddsmith.folds.matched` finds the wins alone, and is quicker.

    Args:
        mine: A pool or a hand.
        theirs: Another.

    >>> from oddsmith import d6
    >>> paired(d6.pool(1), d6.pool(1)).p((0, 1, 0))
    Fraction(1, 6)
    """
    _sides(mine, theirs)
    pairs = min(mine.size, theirs.size)

    def step(state: tuple[int, int, int, int], _: Any, own: int, other: int) -> Any:
        won, lost, i, j = state
        now_won = max(0, min(i + own, pairs) - max(i, j + other))
        now_lost = max(0, min(j + other, pairs) - max(j, i + own))
        return won + now_won, lost + now_lost, i + own, j + other

    return folds.fold(
        [mine, theirs],
        step,
        (0, 0, 0, 0),
        final=lambda state: (state[0], pairs - state[0] - state[1], state[1]),
        descending=True,
    )


def above_all(mine: Source, theirs: Source) -> Dist[int]:
    """How many dice of the first side are higher than every die of the other.

    Cost: as :func:`oddsmith.folds.fold` of both sides.

    Args:
        mine: A pool or a hand.
        theirs: Another.

    >>> from oddsmith import d6
    >>> above_all(d6.pool(2), d6.pool(1)).p(0)
    Fraction(91, 216)
    """

    def step(state: tuple[int, int], _: Any, own: int, other: int) -> tuple[int, int]:
        count, over = state
        return (count, 1) if over or other else (count + own, 0)

    return folds.fold([mine, theirs], step, (0, 0), lambda state: state[0], descending=True)


def cancelled(mine: Source, theirs: Source) -> Dist[tuple[int, int]]:
    """Dice that show the same face cancel, one for one: how many are left on each side.

    To add up what is left instead, give :func:`oddsmith.folds.total` the worth
    ``face * max(0, mine - theirs)``.

    Args:
        mine: A pool or a hand.
        theirs: Another.

    >>> from oddsmith import d6
    >>> cancelled(d6.pool(1), d6.pool(1)).p((0, 0))
    Fraction(1, 6)
    """
    _sides(mine, theirs)
    together = mine.size - theirs.size
    left = folds.total([mine, theirs], lambda _, own, other: max(0, own - other))
    return left.map(lambda count: (count, count - together))


def _sides(*sides: Any) -> None:
    """Whether the sides are dice or cards that are not yet added up."""
    for side in sides:
        if not hasattr(side, "walk"):
            raise RuleError(f"{side!r} is not a pool", "write for example d6.pool(3)")
