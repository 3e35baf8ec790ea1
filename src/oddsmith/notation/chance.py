"""``Chance``: the probability of an event, exact or enclosed between two ends."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Chance(Record):
    """A probability between two exact ends; the ends are equal where it is exact.

    >>> Chance.sure(Fraction(1, 2)) & Chance.sure(Fraction(1, 3))
    Chance(low=Fraction(1, 6), high=Fraction(1, 6))
    """

    low: Fraction
    high: Fraction

    @staticmethod
    def sure(value: Fraction | tuple[Fraction, Fraction]) -> Chance:
        """From an exact value or from two ends."""
        return Chance(*value) if isinstance(value, tuple) else Chance(value, value)

    @property
    def exact(self) -> Fraction | None:
        """The value where the ends meet, else None."""
        return self.low if self.low == self.high else None

    def __and__(self, other: Chance) -> Chance:
        """Both of two independent events."""
        return Chance(self.low * other.low, self.high * other.high)

    def __invert__(self) -> Chance:
        """The event does not happen."""
        return Chance(1 - self.high, 1 - self.low)

    def __or__(self, other: Chance) -> Chance:
        """At least one of two independent events."""
        return ~(~self & ~other)

    @staticmethod
    def average(
        parts: Iterable[tuple[Chance, Fraction]], missing: Fraction = Fraction(0)
    ) -> Chance:
        """A mixture; missing mass may or may not be a success."""
        pairs = list(parts)
        low = sum((p.low * w for p, w in pairs), Fraction(0))
        return Chance(low, sum((p.high * w for p, w in pairs), Fraction(0)) + missing)


def linked(op: str, state: dict[Any, int], right: dict[Any, int]) -> dict[Any, int]:
    """One more comparison of a chain: for each outcome on the right, the weight that led to it.

    Cost: one search among the outcomes on the left for each on the right.

    >>> linked("<", {1: 1, 2: 1}, {2: 1, 3: 1})
    {2: 1, 3: 2}
    """
    outcomes = list(state) if op in ("=", "<>") else sorted(state)
    running = [0, *accumulate(state[outcome] for outcome in outcomes)]
    everything = running[-1]
    below: dict[str, Callable[[Any], int]] = {
        "=": lambda face: state.get(face, 0),
        "<>": lambda face: everything - state.get(face, 0),
        "<": lambda face: running[bisect_left(outcomes, face)],
        "<=": lambda face: running[bisect_right(outcomes, face)],
        ">": lambda face: everything - running[bisect_right(outcomes, face)],
        ">=": lambda face: everything - running[bisect_left(outcomes, face)],
    }
    found = {face: weight * below[op](face) for face, weight in right.items()}
    return {face: weight for face, weight in found.items() if weight}
