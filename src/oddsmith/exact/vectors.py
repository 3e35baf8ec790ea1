"""Sums of vectors: several whole numbers added side by side, as one number of mixed radix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import fmpz_poly

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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
        self._places = list(zip(self.lows, self.factors, self.factors[1:], strict=False))
        self._base = self.pack(self.lows)

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return self.factors[-1]

    def pack(self, vector: Iterable[int]) -> int:
        """The number of a vector."""
        return sum(n * f for n, f in zip(vector, self.factors, strict=False))

    def unpack(self, number: int) -> Vector:
        """The vector of a number."""
        rest = number - self._base
        return tuple([rest % above // here + low for low, here, above in self._places])


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


def added(dice: Iterable[tuple[Mapping[Vector, int], int]], packing: Packing) -> dict[Vector, int]:
    """The weights of the sums of so many dice of each kind.

    >>> pack = Packing(ends_of_sum([({(0, 1): 1, (1, 0): 1}, 2)]))
    >>> added([({(0, 1): 1, (1, 0): 1}, 2)], pack) == {(0, 2): 1, (1, 1): 2, (2, 0): 1}
    True
    """
    total, low = fmpz_poly([1]), 0
    for weights, count in dice:
        packed = {packing.pack(vector): weight for vector, weight in weights.items()}
        least = min(packed)
        coefficients = [0] * (max(packed) - least + 1)
        for number, weight in packed.items():
            coefficients[number - least] = weight
        total *= fmpz_poly(coefficients) ** count
        low += least * count
    return {
        packing.unpack(low + place): int(weight)
        for place, weight in enumerate(total.coeffs())
        if weight
    }
