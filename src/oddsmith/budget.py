"""Work is estimated before it starts, and refused past a budget.

The unit is one 64-bit word touched. The default lets through what takes a few seconds and stays
under 2 GB; every function that can be expensive takes another limit as an argument.
"""

from __future__ import annotations

from oddsmith.errors import TooLarge

DEFAULT_BUDGET = 60_000_000
"""Words of work a call may cost before it is refused."""


def afford(estimate: int, limit: int, hint: str) -> None:
    """Raise ``TooLarge`` when the estimate is past the limit.

    >>> afford(10, 100, "roll fewer dice")
    """
    if estimate > limit:
        raise TooLarge(estimate, limit, hint)


def words(cells: int, bits: int) -> int:
    """The words that many numbers of that many bits take.

    >>> words(10, 65)
    20
    """
    return cells * (bits // 64 + 1)
