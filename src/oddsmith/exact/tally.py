"""Adding up whole numbers over layers of choices, with the weights in one long integer.

The weights of the totals 0, 1, 2, .. of a state are the digits of a whole number in a base above
the total weight, so that "add s" is a shift and "in w ways" a multiplication.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flint import fmpz, fmpz_poly

from oddsmith.exact.lattice import Lattice, canonical

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

Layer = tuple[dict[Any, list[tuple[Any, Any, int]]], dict[Any, int]]
"""From each state: the next states, what happens and in how many ways; what each event adds."""


def tally(start: Hashable, layers: Iterable[Layer], total: int, low: int) -> Lattice:
    """The weights of the totals, whatever state is reached in the end.

    Args:
        start: The first state.
        layers: One after the other; whatever is added is at least 0.
        total: All ways together.
        low: What to add to every total.

    >>> tally(0, [({0: [(0, "no", 1), (0, "yes", 1)]}, {"no": 0, "yes": 1})] * 2, 4, low=5)
    Lattice(low=5, step=1, poly=x^2 + 2*x + 1)
    """
    size = (total.bit_length() // 8 + 1) * 8
    states: dict[Hashable, fmpz] = {start: fmpz(1)}
    for layer, adds in layers:
        after: dict[Hashable, fmpz] = {}
        for state, weights in states.items():
            for target, event, ways in layer[state]:
                term = weights * ways if ways != 1 else weights
                if adds[event]:
                    term = term << (size * adds[event])
                after[target] = after[target] + term if target in after else term
        states = after
    digits = int(sum(states.values(), fmpz(0)))
    width = size // 8
    raw = digits.to_bytes(digits.bit_length() // 8 + width, "little")
    weights = [int.from_bytes(raw[k : k + width], "little") for k in range(0, len(raw), width)]
    return canonical(low, 1, fmpz_poly(weights))
