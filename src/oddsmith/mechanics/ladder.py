"""Step dice: a better roll means a larger die."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oddsmith.arguments import listed, whole
from oddsmith.dice import d, d6
from oddsmith.dist import as_dist
from oddsmith.errors import RuleError
from oddsmith.open_dist import chain
from oddsmith.open_pool import kept_sum

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oddsmith.dist import Dist

DICE = (4, 6, 8, 10, 12)
"""The steps of most games with step dice."""

LONG = (3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 30)
"""The chain with the odd dice of Dungeon Crawl Classics."""


def step(sides: int, by: int, ladder: Sequence[int] = DICE, stop: bool = False) -> Dist[Any]:
    """The die so many steps up or down from one with these sides.

    Args:
        sides: Where to start; a step of the ladder.
        by: How many steps up, or down when negative.
        ladder: The sides of all steps.
        stop: Whether to stay at the ends; else leaving the ladder is an error.

    Raises:
        RuleError: For a die that is not on the ladder, and past its ends.

    >>> step(6, 2).high, step(12, 3, stop=True).high, step(16, -1, LONG).high
    (10, 12, 14)
    """
    ladder = list(listed(ladder, "sides one by one", "write for example (4, 6, 8)"))
    whole(by, "a number of steps")
    if sides not in ladder:
        raise RuleError(f"d{sides} is no step of {', '.join(f'd{s}' for s in ladder)}")
    place = ladder.index(sides) + by
    if not stop and not 0 <= place < len(ladder):
        raise RuleError(
            f"{abs(by)} steps from d{sides} leave the ladder d{ladder[0]} to d{ladder[-1]}",
            "stop=True stays at its end",
        )
    return d(ladder[min(max(place, 0), len(ladder) - 1)])


def wild(trait: Dist[Any], extra: Dist[Any] = d6, explodes: bool = True) -> Any:
    """The better of a trait die and a wild die; each rolls again and adds on its highest face.

    Args:
        trait: The trait die.
        extra: The wild die.
        explodes: Whether they roll again at all.

    Returns:
        An ``OpenDist``, or a ``Dist`` where they do not.

    >>> from oddsmith import d6
    >>> wild(d6).at_least(8)
    Fraction(335, 1296)
    """
    trait, extra = as_dist(trait), as_dist(extra)
    sides = [chain(die, {die.high}) if explodes else die for die in (trait, extra)]
    return kept_sum([(side, 1) for side in sides], 1, 2)
