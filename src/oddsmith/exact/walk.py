"""Walks on a line of states: the same random step, a random number of times."""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def walk(
    start: Mapping[int, int], steps: Sequence[Mapping[int, int]], times: Mapping[int, int]
) -> dict[int, int]:
    """The weights of the last state.

    All weights stay whole numbers over one common denominator: with T the total of a step, the
    states after k of K steps count T**(K - k) times.

    Args:
        start: Weights of the first state.
        steps: For each state the weights of the next one.
        times: Weights of the number of steps.

    >>> walk({0: 1}, [{0: 1, 1: 1}, {1: 1}], {2: 1})
    {0: 1, 1: 3}
    """
    totals = [sum(step.values()) for step in steps]
    common = lcm(*totals)
    rows = [
        [(target, weight * (common // total)) for target, weight in step.items()]
        for step, total in zip(steps, totals, strict=True)
    ]
    now: dict[int, int] = dict(start)
    found: dict[int, int] = {}
    for count in range(max(times) + 1):
        if count:
            after: dict[int, int] = {}
            for state, weight in now.items():
                for target, ways in rows[state]:
                    after[target] = after.get(target, 0) + weight * ways
            now = after
            found = {state: weight * common for state, weight in found.items()}
        chosen = times.get(count, 0)
        if chosen:
            for state, weight in now.items():
                found[state] = found.get(state, 0) + weight * chosen
    return {state: found[state] for state in sorted(found)}
