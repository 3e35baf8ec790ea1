"""``Chance``: the probability of an event, exact or enclosed between two ends."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterable


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
