"""Work is estimated before it starts, and refused past a budget.

The unit is one 64-bit word touched. The default lets through what takes a few seconds and stays
under 2 GB; every function that can be expensive takes another limit as an argument. Inside
:func:`question` all the estimates of one question are added up too, so that many steps, each of
them affordable, do not make one that never ends.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from math import isqrt
from typing import TYPE_CHECKING

from oddsmith.errors import RuleError, TooLarge

if TYPE_CHECKING:
    from collections.abc import Iterator

DEFAULT_BUDGET = 60_000_000
"""Words of work a call may cost before it is refused."""

STEPS = 6
"""All the steps of one question may together cost this many times what one may."""


class _Meter:
    """What the steps of one question have cost so far."""

    def __init__(self, limit: int) -> None:
        self.limit, self.spent = limit, 0


_meter: ContextVar[_Meter | None] = ContextVar("meter", default=None)


@contextmanager
def question(limit: int = DEFAULT_BUDGET) -> Iterator[None]:
    """Within it, each step may cost ``limit`` where it would have had the default budget.

    All of them together may cost ``STEPS`` times that.

    >>> with question(100):
    ...     afford(90, DEFAULT_BUDGET, "roll fewer dice")
    """
    token = _meter.set(_Meter(limit))
    try:
        yield
    finally:
        _meter.reset(token)


def afford(estimate: int, limit: int, hint: str) -> None:
    """Refuse work that is too large.

    Args:
        estimate: The size of the work, in words.
        limit: The most it may be.
        hint: What would make it smaller, for the message.

    Raises:
        TooLarge: When the estimate is past the limit.

    >>> afford(10, 100, "roll fewer dice")
    """
    meter = _meter.get()
    if meter is None and isinstance(limit, int) and estimate <= limit:
        return
    Work(limit, hint).add(estimate)


class Work:
    """Work that is counted step by step, because its size shows only on the way.

    >>> work = Work(100, "roll fewer dice")
    >>> work.add(60)
    >>> work.add(60)
    Traceback (most recent call last):
    oddsmith.errors.TooLarge: this needs about 120 units of work, the budget is 100: roll fewer dice
    """

    def __init__(self, limit: int, hint: str) -> None:
        if not isinstance(limit, int):
            raise RuleError(f"the budget is {limit!r}", "write a whole number, such as 60_000_000")
        self.meter = _meter.get()
        if self.meter is not None and limit == DEFAULT_BUDGET:
            limit = self.meter.limit
        self.limit, self.hint, self.spent = limit, hint, 0

    def add(self, estimate: int) -> None:
        """Count a step before it is done.

        Raises:
            TooLarge: When this step is one too many.
        """
        self.spent += estimate
        if self.spent > self.limit:
            raise TooLarge(self.spent, self.limit, self.hint)
        if self.meter is not None:
            self.meter.spent += estimate
            if self.meter.spent > STEPS * self.meter.limit:
                raise TooLarge(self.meter.spent, STEPS * self.meter.limit, self.hint)

    def foresee(self, estimate: int) -> None:
        """Refuse work that is still to be done, without counting it.

        >>> Work(100, "roll fewer dice").foresee(90)
        """
        if self.spent + estimate > self.limit:
            raise TooLarge(self.spent + estimate, self.limit, self.hint)


def words(cells: int, bits: int) -> int:
    """The words that many numbers of that many bits take.

    >>> words(10, 65)
    20
    """
    return cells * (bits // 64 + 1)


def power_cost(bits: int) -> int:
    """What it costs to work out a power of so many bits, in the units of the budget.

    >>> power_cost(6400)
    1000
    """
    size = bits // 64
    return size * isqrt(size)
