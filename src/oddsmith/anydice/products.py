"""Products and quotients of two large laws: all pairs at once, in whole numbers of 64 bits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.dist import Dist

if TYPE_CHECKING:
    from collections.abc import Callable

FEW = 20_000
"""Fewer pairs than this are not worth it."""

PAIR = 6
"""What a pair costs, in the units of the budget."""

LIMIT = 2**62


def crossed(op: str, a: Dist[Any], b: Dist[Any]) -> Dist[Any] | None:
    """``a * b`` or ``a / b`` of independent rolls; None where it is few or has large numbers.

    >>> crossed("*", Dist(range(1, 201)), Dist(range(1, 201))).p(4)
    Fraction(3, 40000)
    """
    sizes = [max(abs(law.low), abs(law.high)) for law in (a, b)]
    slots = [law.slots() for law in (a, b)]
    if slots[0] * slots[1] < FEW or max(sizes[0] * sizes[1], a.total * b.total) >= LIMIT:
        return None
    left, right = a.weights(), b.weights()
    pairs = len(left) * len(right)
    if pairs < FEW:
        return None
    afford(PAIR * pairs, DEFAULT_BUDGET, "use fewer outcomes")
    import numpy as np

    def row(values: Any) -> Any:
        return np.fromiter(values, dtype=np.int64)

    function: Callable[[Any, Any], Any] = np.multiply if op == "*" else _divided
    found = function(row(left)[:, None], row(right)[None, :]).ravel()
    ways = np.multiply.outer(row(left.values()), row(right.values())).ravel()
    order = np.argsort(found)
    found, ways = found[order], ways[order]
    starts = np.flatnonzero(np.concatenate([[True], found[1:] != found[:-1]]))
    sums = np.add.reduceat(ways, starts)
    return Dist.of_table(dict(zip(found[starts].tolist(), sums.tolist(), strict=True)))


def _divided(a: Any, b: Any) -> Any:
    """Toward zero; by 0 it is 0."""
    import numpy as np

    sizes = np.abs(a) // np.where(b == 0, 1, np.abs(b))
    return np.where(b == 0, 0, np.where((a < 0) == (b < 0), sizes, -sizes))
