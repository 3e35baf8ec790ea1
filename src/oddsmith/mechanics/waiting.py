"""Wounds that are counted now and allocated later.

What waits is counted by sort, side by side with the state of the unit, so that it stays together
with what happened in the same rolls. The states are the points that a unit has lost, or any other
numbers from 0 on that a step leads from one to the next.
"""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING, Any

from oddsmith.arguments import whole
from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.dist import Dist, as_dist
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Weights = list[int]
"""The weight of each state, from state 0 on."""

HINT = "use fewer attacks, or smaller units"


class Waiting(Record):
    """States of a unit side by side with counts of what still waits.

    Attributes:
        counts: For each tuple of counts the weight of each state; all over one denominator.

    >>> start = Waiting.of(Dist([0]), 2)
    >>> one_now_or_one_later = Dist([(1, 0), (0, 1)])
    >>> steps = [{1: 1}, {1: 1}]
    >>> held = start.struck(one_now_or_one_later, steps)
    >>> held.counts
    {(1,): [1, 0], (0,): [0, 1]}
    >>> held.settled(0, steps).states
    Dist({1: 1})
    """

    counts: dict[tuple[int, ...], Weights]

    @staticmethod
    def of(start: Dist[int], size: int) -> Waiting:
        """States with nothing that waits.

        Args:
            start: States from 0 on.
            size: How many states there are.
        """
        weights = as_dist(start).weights()
        afford(10 * whole(size, "a number of states", least=1), DEFAULT_BUDGET, HINT)
        return Waiting({(): [weights.get(state, 0) for state in range(size)]})

    @property
    def states(self) -> Dist[int]:
        """The states alone.

        >>> Waiting({(0,): [0, 1, 0], (1,): [0, 1, 2]}).states
        Dist({1: 1, 2: 1})
        """
        return Dist(dict(enumerate(map(sum, zip(*self.counts.values(), strict=True)))))

    def struck(
        self,
        joint: Dist[Any],
        steps: Sequence[Mapping[int, int]],
        budget: int = DEFAULT_BUDGET,
    ) -> Waiting:
        """So many steps at once, while what else came waits.

        Cost: the tuples of counts, times states and next states.

        Args:
            joint: Tuples: how many steps are taken, and how many more wait, sort by sort.
            steps: For each state the weights of the next one.
            budget: The work it may cost.
        """
        ways = joint.weights()
        most = max(now for now, *_ in ways)
        rows, common = _scaled(steps)
        bits = most * common.bit_length() + joint.bits()
        size = most * sum(map(len, rows)) + len(ways) * len(rows)
        afford(10 * len(self.counts) * size * (1 + bits // 640), budget, HINT)
        later: dict[int, list[tuple[tuple[int, ...], int]]] = {}
        for (now, *rest), weight in ways.items():
            later.setdefault(now, []).append((tuple(rest), weight))
        found: dict[tuple[int, ...], Weights] = {}
        for held, states in self.counts.items():
            here = states
            for now in range(most + 1):
                if now:
                    here = _stepped(here, rows)
                scale = common ** (most - now)
                for rest, weight in later.get(now, ()):
                    _add(found, (*held, *rest), here, weight * scale)
        return Waiting(found)

    def settled(
        self, place: int, steps: Sequence[Mapping[int, int]], budget: int = DEFAULT_BUDGET
    ) -> Waiting:
        """What waits at one place is allocated, and its count is gone.

        Cost: as :meth:`struck`.

        Args:
            place: Which of the counts.
            steps: For each state the weights of the next one.
            budget: The work it may cost.
        """
        rows, common = _scaled(steps)
        most = max(held[place] for held in self.counts)
        groups: dict[tuple[int, ...], dict[int, Weights]] = {}
        for held, states in self.counts.items():
            rest = held[:place] + held[place + 1 :]
            groups.setdefault(rest, {})[held[place]] = states
        bits = max(map(max, self.counts.values())).bit_length()
        bits += most * common.bit_length()
        size = len(groups) * most * sum(map(len, rows))
        afford(10 * size * (1 + bits // 640), budget, HINT)
        found: dict[tuple[int, ...], Weights] = {}
        for rest, by_count in groups.items():
            here = [0] * len(rows)
            for left in range(most, -1, -1):
                here = _stepped(here, rows)
                if left in by_count:
                    scale = common ** (most - left)
                    here = [a + b * scale for a, b in zip(here, by_count[left], strict=True)]
            found[rest] = here
        return Waiting(found)

    def merged(self, into: int, place: int) -> Waiting:
        """The count at one place added to that at another, before it.

        >>> Waiting({(1, 2): [1], (2, 1): [1]}).merged(0, 1).counts
        {(3,): [2]}
        """
        found: dict[tuple[int, ...], Weights] = {}
        for held, states in self.counts.items():
            both = list(held)
            both[into] += both.pop(place)
            _add(found, tuple(both), states, 1)
        return Waiting(found)


def _scaled(steps: Sequence[Mapping[int, int]]) -> tuple[list[list[tuple[int, int]]], int]:
    """All steps over one denominator, and the denominator."""
    totals = [sum(step.values()) for step in steps]
    common = lcm(*totals)
    rows = [
        [(target, weight * (common // total)) for target, weight in step.items()]
        for step, total in zip(steps, totals, strict=True)
    ]
    return rows, common


def _stepped(states: Weights, rows: Sequence[Sequence[tuple[int, int]]]) -> Weights:
    after = [0] * len(rows)
    for weight, row in zip(states, rows, strict=True):
        if weight:
            for target, ways in row:
                after[target] += weight * ways
    return after


def _add(
    found: dict[tuple[int, ...], Weights], key: tuple[int, ...], states: Weights, factor: int
) -> None:
    """So many times these states to those of a tuple of counts."""
    if key in found:
        found[key] = [a + b * factor for a, b in zip(found[key], states, strict=True)]
    else:
        found[key] = [weight * factor for weight in states]
