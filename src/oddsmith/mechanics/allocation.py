"""Damage allocated to models, one after the other: an exact walk on the points removed so far.

The state is the number of damage points a unit has lost, counted model by model. A wound takes at
most what its model has left; what is over is lost, unless damage spills. A model already hurt is
always the front one.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.dist import Dist, as_dist, event, mix
from oddsmith.errors import RuleError
from oddsmith.exact.walk import walk
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction


class Models(Record):
    """Like models of a unit.

    Attributes:
        count: How many.
        wounds: The wounds of each.
    """

    count: int = 1
    wounds: int = 1


class Unit(Record):
    """Models in the order in which damage reaches them.

    Attributes:
        groups: Like models side by side.

    >>> Unit((Models(2, 3), Models(1, 5))).total
    11
    """

    groups: tuple[Models, ...]

    @property
    def total(self) -> int:
        """All wounds of all models."""
        return sum(group.count * group.wounds for group in self.groups)

    @property
    def models(self) -> int:
        """How many models there are."""
        return sum(group.count for group in self.groups)

    def front(self, removed: int) -> tuple[int, int]:
        """The group of the front model and its wounds left, after so many points were removed.

        >>> Unit((Models(2, 3), Models(1, 5))).front(4), Unit((Models(1, 1),)).front(1)
        ((0, 2), (1, 0))
        """
        for place, group in enumerate(self.groups):
            size = group.count * group.wounds
            if removed < size:
                return place, group.wounds - removed % group.wounds
            removed -= size
        return len(self.groups), 0

    def lost(self, removed: int) -> int:
        """How many models are gone after so many points were removed.

        >>> Unit((Models(2, 3), Models(1, 5))).lost(7)
        2
        """
        gone = 0
        for group in self.groups:
            size = group.count * group.wounds
            if removed < size:
                return gone + removed // group.wounds
            gone, removed = gone + group.count, removed - size
        return gone


def shrugged(damage: Any, keep: Fraction) -> Dist[int]:
    """The points that are left of some damage when each is kept with a chance.

    Args:
        damage: A number or a ``Dist``.
        keep: The chance of each point to count (1 where nothing shrugs it off).

    >>> from fractions import Fraction
    >>> shrugged(2, Fraction(1, 2))
    Dist({0: 1, 1: 2, 2: 1})
    """
    found: Dist[int] = as_dist(damage) if keep == 1 else as_dist(damage) @ event(keep)
    return found


def allocate(
    unit: Unit,
    start: Dist[int],
    wounds: Dist[int],
    points: Callable[[int], Dist[int]],
    budget: int = DEFAULT_BUDGET,
) -> Dist[int]:
    """The points removed after a random number of wounds, each capped by its model.

    Cost: wounds * points of the unit * wounds of a model.

    Args:
        unit: The models.
        start: The points removed before.
        wounds: How many wounds come.
        points: For the group of a front model the points that one wound does to it.
        budget: The work it may cost.

    Raises:
        RuleError: When more was removed than there is.

    >>> d3 = Dist([1, 2, 3])
    >>> unit = Unit((Models(5, 2),))
    >>> allocate(unit, Dist([0]), Dist([3]), lambda _: d3).map(unit.lost)
    Dist({1: 3, 2: 16, 3: 8})
    """
    if not isinstance(start.high, int) or start.high > unit.total or start.low < 0:
        raise RuleError(f"a unit of {unit.total} wounds cannot have lost {start.high}")
    most = max(group.wounds for group in unit.groups)
    bits = wounds.high * 8
    afford(40 * wounds.high * (unit.total + 1) * min(most, 20) * (1 + bits // 640), budget, HINT)
    loss = cache(points)
    steps = [_step(unit, removed, loss) for removed in range(unit.total + 1)]
    return Dist(walk(start.weights(), steps, wounds.weights()))


HINT = "use fewer attacks, or smaller units"


def _step(unit: Unit, removed: int, loss: Callable[[int], Dist[int]]) -> dict[int, int]:
    group, left = unit.front(removed)
    if not left:
        return {removed: 1}
    step: dict[int, int] = {}
    for points, weight in loss(group).weights().items():
        target = removed + min(points, left)
        step[target] = step.get(target, 0) + weight
    return step


def spill(unit: Unit, start: Dist[int], points: Dist[int]) -> Dist[int]:
    """The points removed when damage goes from model to model.

    >>> spill(Unit((Models(2, 2),)), Dist([0]), Dist([3, 9]))
    Dist({3: 1, 4: 1})
    """
    total: Dist[int] = start + points
    return total.map(lambda removed: min(removed, unit.total))


def saved(points: Dist[int], unsaved: Fraction) -> Dist[int]:
    """The points of a wound that a save may stop.

    >>> from fractions import Fraction
    >>> saved(Dist([2]), Fraction(1, 2))
    Dist({0: 1, 2: 1})
    """
    found: Dist[int] = mix([(points, unsaved), (0, 1 - unsaved)])
    return found
