"""Counts of rolls by how often one face shows."""

from __future__ import annotations

from collections import Counter
from math import comb, factorial
from typing import TYPE_CHECKING, Any

from flint import fmpq, fmpq_poly

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


def largest_set(count: int, weights: Sequence[int]) -> dict[int, int]:
    """For like dice: the size of the largest set, with the weight of the rolls that have it.

    Rolls in which no face shows more than m times have the exponential generating function
    product over faces of (sum over j <= m of (w * x)**j / j!). More than half of the dice can show
    one face only, which is a binomial term. Cost: for each m up to half of the dice, a power.

    >>> largest_set(2, [1, 1, 1])
    {1: 6, 2: 3}
    """
    total, half = sum(weights), count // 2
    kinds = Counter(weights)
    whole = factorial(count)
    found: dict[int, int] = {}
    before = 0
    for most in range(-(-count // len(weights)), half + 1):
        product = fmpq_poly([1])
        for weight, faces in kinds.items():
            one = fmpq_poly([fmpq(weight**j, factorial(j)) for j in range(most + 1)])
            product = product.mul_low(_low_power(one, faces, count + 1), count + 1)
        rolls = int((product[count] * whole).p)
        if rolls > before:
            found[most] = rolls - before
        before = rolls
    for most in range(half + 1, count + 1):
        ways = sum(
            faces * weight**most * (total - weight) ** (count - most)
            for weight, faces in kinds.items()
        )
        if ways:
            found[most] = comb(count, most) * ways
    return found


def _low_power(poly: fmpq_poly, times: int, size: int) -> fmpq_poly:
    """The first coefficients of a power, by squaring."""
    result = fmpq_poly([1])
    while times:
        if times & 1:
            result = result.mul_low(poly, size)
        times >>= 1
        if times:
            poly = poly.mul_low(poly, size)
    return result


def set_sizes(count: int, faces: int) -> dict[tuple[int, ...], int]:
    """For fair like dice: the sizes of all matching sets, largest first, with their weights.

    A partition of the dice into sets of sizes a, b, .. is rolled in n! / (a! * b! * ..) ways for
    each assignment of different faces, of which there are f! / (r! * m1! * m2! * ..), r the faces
    not shown and m the numbers of sets of one size.

    >>> set_sizes(3, 2)
    {(3,): 2, (2, 1): 6}
    """
    found = {}
    for sizes in _partitions(count, faces, count):
        ways = factorial(count) * factorial(faces) // factorial(faces - len(sizes))
        for size in sizes:
            ways //= factorial(size)
        for size in set(sizes):
            ways //= factorial(sizes.count(size))
        found[sizes] = ways
    return found


def _partitions(total: int, parts: int, most: int) -> Iterator[tuple[int, ...]]:
    """Ways to write a total as at most so many falling parts."""
    if not total:
        yield ()
        return
    for first in range(min(total, most), 0, -1):
        if first * parts < total:
            return
        for rest in _partitions(total - first, parts - 1, first):
            yield (first, *rest)


def rolls(count: int, weights: Mapping[Any, int]) -> list[tuple[tuple[Any, ...], int]]:
    """For like dice: every sorted roll with its ways, built face by face.

    >>> rolls(2, {1: 1, 2: 1})
    [((2, 2), 1), ((1, 2), 2), ((1, 1), 1)]
    """
    *faces, last = weights
    partial: list[tuple[tuple[Any, ...], int, int]] = [((), count, 1)]
    for face in faces:
        choices = [
            [
                ((face,) * shown, left - shown, comb(left, shown) * weights[face] ** shown)
                for shown in range(left + 1)
            ]
            for left in range(count + 1)
        ]
        partial = [
            (roll + same, rest, ways * many)
            for roll, left, ways in partial
            for same, rest, many in choices[left]
        ]
    ends = [((last,) * left, weights[last] ** left) for left in range(count + 1)]
    return [(roll + ends[left][0], ways * ends[left][1]) for roll, left, ways in partial]
