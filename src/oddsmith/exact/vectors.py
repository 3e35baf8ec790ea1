"""Sums of vectors: several whole numbers added side by side, as one number of mixed radix."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Vector = tuple[int, ...]


class Packing:
    """A one-to-one map from vectors to numbers that turns sums into sums.

    Args:
        ends: For each place the lowest and the highest sum that can be reached.

    >>> pack = Packing([(-2, 2), (0, 3)])
    >>> pack.unpack(pack.pack((-2, 3)))
    (-2, 3)
    """

    def __init__(self, ends: Sequence[tuple[int, int]]) -> None:
        self.lows = [low for low, _ in ends]
        self.factors = [1]
        for low, high in ends:
            self.factors.append(self.factors[-1] * (high - low + 1))

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return self.factors[-1]

    def pack(self, vector: Iterable[int]) -> int:
        """The number of a vector."""
        return sum(n * f for n, f in zip(vector, self.factors, strict=False))

    def unpack(self, number: int) -> Vector:
        """The vector of a number."""
        rest = number - self.pack(self.lows)
        found = []
        for low, here, above in zip(self.lows, self.factors, self.factors[1:], strict=False):
            found.append(rest % above // here + low)
        return tuple(found)


def ends_of_sum(dice: Iterable[tuple[Iterable[Vector], int]]) -> list[tuple[int, int]]:
    """For each place the lowest and highest sum of so many dice of each kind.

    >>> ends_of_sum([([(0, 1), (2, -1)], 3)])
    [(0, 6), (-3, 3)]
    """
    ends: list[tuple[int, int]] = []
    for vectors, count in dice:
        own = [(min(place) * count, max(place) * count) for place in zip(*vectors, strict=True)]
        ends = [(a + c, b + d) for (a, b), (c, d) in zip(ends, own, strict=True)] if ends else own
    return ends
