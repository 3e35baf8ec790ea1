"""Counts of rolls by how often one face shows."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
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


def rolls(count: int, weights: Mapping[Any, int]) -> Iterator[tuple[tuple[Any, ...], int]]:
    """For like dice: every sorted roll with its ways, in rising order.

    The rolls come one by one: kept together they would be most of the cost of looking at each.

    >>> list(rolls(2, {1: 1, 2: 1}))
    [((1, 1), 1), ((1, 2), 2), ((2, 2), 1)]
    """
    ways = _ways_in_order(count, list(weights.values()))
    return zip(combinations_with_replacement(weights, count), ways, strict=True)


def _ways_in_order(count: int, weights: Sequence[int]) -> list[int]:
    """The ways of all sorted rolls, built from the last face to the first for all smaller pools."""
    tables = [[weights[-1] ** k] for k in range(count + 1)]
    for weight in weights[-2::-1]:
        longer = []
        for k in range(count + 1):
            row: list[int] = []
            for shown in range(k, -1, -1):
                ways = comb(k, shown) * weight**shown
                row += tables[k - shown] if ways == 1 else [ways * x for x in tables[k - shown]]
            longer.append(row)
        tables = longer
    return tables[count]


def matches(count: int, faces: Sequence[Any], least: int) -> dict[tuple[tuple[int, Any], ...], int]:
    """For fair like dice: all sets of at least so many as (size, face), highest face first.

    Only the sets are listed; the ways of all other dice depend on how many dice and faces are left.

    >>> matches(2, [1, 2], 2) == {((2, 2),): 1, (): 2, ((2, 1),): 1}
    True
    """
    small = [[int(not left) for left in range(count + 1)]]
    for _ in faces:
        before = small[-1]
        small.append(
            [
                sum(comb(left, k) * before[left - k] for k in range(min(left, least - 1) + 1))
                for left in range(count + 1)
            ]
        )
    found: dict[tuple[tuple[int, Any], ...], int] = {}

    def go(place: int, sets: tuple[tuple[int, Any], ...], left: int, ways: int) -> None:
        rest = small[len(faces) - len(sets)][left]
        if rest:
            found[sets] = ways * rest
        for lower in range(place - 1, -1, -1):
            for size in range(least, left + 1):
                more = (*sets, (size, faces[lower]))
                go(lower, more, left - size, ways * comb(left, size))

    go(len(faces), (), count, 1)
    return found


def number_of_partitions(total: int, parts: int) -> int:
    """In how many ways a total is written as at most so many parts.

    >>> number_of_partitions(5, 3)
    5
    """
    ways = [1] + [0] * total
    for part in range(1, min(parts, total) + 1):
        for size in range(part, total + 1):
            ways[size] += ways[size - part]
    return ways[total]
