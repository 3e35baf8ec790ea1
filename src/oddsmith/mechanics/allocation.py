"""Damage allocated to models, one after the other: an exact walk on the points removed so far.

The state is the number of damage points a unit has lost, counted model by model. A wound takes at
most what its model has left; what is over is lost, unless damage spills. A model already hurt is
always the front one.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from oddsmith.arguments import as_function, chance_of, whole
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

    >>> Models(5, wounds=2)
    Models(count=5, wounds=2)
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
        """All wounds of all models.

        >>> Unit((Models(2, 3),)).total
        6
        """
        return sum(group.count * group.wounds for group in self.groups)

    @property
    def models(self) -> int:
        """How many models there are.

        >>> Unit((Models(2, 3), Models(1, 5))).models
        3
        """
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
        keep: The chance that a point counts (1 where nothing shrugs it off).

    >>> from fractions import Fraction
    >>> shrugged(2, Fraction(1, 2))
    Dist({0: 1, 1: 2, 2: 1})
    """
    keep = chance_of(keep)
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
    start, wounds = as_dist(start), as_dist(wounds)
    as_function(points, "points", "lambda group: d3", 1)
    total = whole(as_unit(unit).total, "the wounds of a unit", least=0)
    start.require_numbers("count")
    for count in wounds:
        whole(count, "a number of wounds", least=0)
    if not isinstance(start.high, int) or start.high > total or start.low < 0:
        raise RuleError(f"a unit of {unit.total} wounds cannot have lost {start.high}")
    most = max(group.wounds for group in unit.groups)
    bits = wounds.high * 8
    afford(40 * wounds.high * (unit.total + 1) * min(most, 20) * (1 + bits // 640), budget, HINT)
    loss = cache(points)
    steps = [_step(unit, removed, loss) for removed in range(unit.total + 1)]
    return Dist(walk(start.weights(), steps, wounds.weights()))


HINT = "use fewer attacks, or smaller units"


def as_unit(given: Any) -> Unit:
    """The unit itself; anything else is refused.

    >>> as_unit(Unit((Models(1, 2),))).models
    1
    """
    if isinstance(given, Unit):
        return given
    raise RuleError(f"{given!r} is not a unit", "write for example Unit((Models(5, wounds=2),))")


def _step(unit: Unit, removed: int, loss: Callable[[int], Dist[int]]) -> dict[int, int]:
    group, left = unit.front(removed)
    if not left:
        return {removed: 1}
    step: dict[int, int] = {}
    for points, weight in as_dist(loss(group)).weights().items():
        target = removed + min(points, left)
        step[target] = step.get(target, 0) + weight
    return step


def spill(unit: Unit, start: Dist[int], points: Dist[int]) -> Dist[int]:
    """The points removed when damage that is left over goes on to the next model.

    Args:
        unit: The models.
        start: The points removed before.
        points: The damage.

    >>> spill(Unit((Models(2, 2),)), Dist([0]), Dist([3, 9]))
    Dist({3: 1, 4: 1})
    """
    most = as_unit(unit).total
    total: Dist[int] = as_dist(start) + as_dist(points)
    return total.map(lambda removed: min(removed, most))


def saved(points: Dist[int], unsaved: Fraction) -> Dist[int]:
    """The points of a wound that a save may stop.

    Args:
        points: The damage when it is not saved.
        unsaved: The chance that it is not.

    >>> from fractions import Fraction
    >>> saved(Dist([2]), Fraction(1, 2))
    Dist({0: 1, 2: 1})
    """
    unsaved = chance_of(unsaved)
    found: Dist[int] = mix([(points, unsaved), (0, 1 - unsaved)])
    return found
