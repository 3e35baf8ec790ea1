"""Counts of rolls by how often one face shows."""

from __future__ import annotations

from math import factorial
from typing import TYPE_CHECKING

from flint import fmpq, fmpq_poly

if TYPE_CHECKING:
    from collections.abc import Sequence


def largest_set(count: int, weights: Sequence[int]) -> dict[int, int]:
    """For like dice: the size of the largest set, with the weight of the rolls that have it.

    Rolls in which no face shows more than m times have the exponential generating function
    product over faces of (sum over j <= m of (w * x)**j / j!). Cost: a product of as many
    polynomials as there are faces, for each m.

    >>> largest_set(2, [1, 1, 1])
    {1: 6, 2: 3}
    """
    found: dict[int, int] = {}
    before = 0
    for most in range(1, count + 1):
        product = fmpq_poly([1])
        for weight in set(weights):
            terms = [fmpq(weight**j, factorial(j)) for j in range(most + 1)]
            one = fmpq_poly(terms)
            for _ in range(list(weights).count(weight)):
                product = product.mul_low(one, count + 1)
        rolls = int((product[count] * factorial(count)).p)
        if rolls > before:
            found[most] = rolls - before
        before = rolls
    return found
