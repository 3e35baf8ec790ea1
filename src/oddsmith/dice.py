"""The dice people own, by name."""

from __future__ import annotations

from functools import cache
from typing import Any

from oddsmith.arguments import whole
from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.dist import Dist
from oddsmith.errors import OutcomeError, TooLarge
from oddsmith.exact import lattice

MAX_SIDES = 2_000_000


def d(sides: int) -> Dist[int]:
    """A fair die with faces 1 to ``sides``.

    Raises:
        OutcomeError: For less than one side.
        TooLarge: For more than two million sides.

    >>> d(6).mean
    Fraction(7, 2)
    """
    if not isinstance(sides, int) or isinstance(sides, bool):
        raise OutcomeError(f"a die has a whole number of sides, not {sides!r}", "round it first")
    if sides < 1:
        raise OutcomeError(f"a die needs at least 1 side, not {sides}", "write for example d6")
    if sides > MAX_SIDES:
        raise TooLarge(sides, MAX_SIDES, f"a die has at most {MAX_SIDES:,} sides")
    return _fair(sides)


@cache
def _fair(sides: int) -> Dist[int]:
    return Dist.of_grid(lattice.uniform(sides))


d3, d4, d6, d8, d10, d12, d20, d100 = (d(n) for n in (3, 4, 6, 8, 10, 12, 20, 100))
dF = Dist([-1, 0, 1])
coin = Dist([0, 1])
artillery: Dist[Any] = Dist([2, 4, 6, 8, 10, "Misfire"])
scatter = Dist({"Hit": 2, "north": 1, "east": 1, "south": 1, "west": 1})


def digits(places: int) -> Dist[int]:
    """Six-siders read as decimal places: d66 for two of them.

    >>> digits(2).mean
    Fraction(77, 2)
    """
    whole(places, "a number of digits", least=0)
    afford(10 ** min(places, 20), DEFAULT_BUDGET, "use fewer digits")
    total: Dist[Any] = Dist({0: 1})
    for place in range(places):
        total = total + d(6) * 10**place
    return total


CATALOGUE: dict[str, Dist[Any]] = {"coin": coin, "artillery": artillery, "scatter": scatter}
