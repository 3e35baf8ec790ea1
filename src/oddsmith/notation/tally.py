"""What the dice on a tray come to, other than their sum."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING

from oddsmith.errors import RuleError
from oddsmith.notation.tray import Tray, number

if TYPE_CHECKING:
    from collections.abc import Callable

    from oddsmith.notation.tray import Outcome


def _sizes(tray: Tray) -> list[int]:
    """How many dice show each face that is there."""
    values = tray.values()
    return [values.count(face) for face in set(values)]


def _extreme(tray: Tray, verb: str) -> Outcome:
    tray.keep(verb, 1)
    return tray.sum()


def _median(tray: Tray) -> Outcome:
    values = sorted(map(number, tray.values()))
    if not values:
        raise RuleError("a pool of no dice has no median")
    half = len(values) // 2
    return values[half] if len(values) % 2 else tidy(Fraction(values[half - 1] + values[half], 2))


def _longest_run(tray: Tray) -> int:
    faces = sorted({number(value) for value in tray.values()})
    best = run = int(bool(faces))
    for before, after in pairwise(faces):
        run = run + 1 if after == before + 1 else 1
        best = max(best, run)
    return best


def tidy(value: int | Fraction) -> int | Fraction:
    """A whole number as an int.

    >>> tidy(Fraction(4, 2))
    2
    """
    return value.numerator if value.denominator == 1 else value


READINGS: dict[str, Callable[[Tray], Outcome]] = {
    "sum": Tray.sum,
    "count": lambda tray: len(tray.live()),
    "highest": lambda tray: _extreme(tray, "kh"),
    "lowest": lambda tray: _extreme(tray, "kl"),
    "median": _median,
    "product": lambda tray: prod(map(number, tray.values())),
    "sets": lambda tray: sum(size >= 2 for size in _sizes(tray)),
    "pairs": lambda tray: sum(size // 2 for size in _sizes(tray)),
    "highest set": lambda tray: max(_sizes(tray), default=0),
    "longest run": _longest_run,
    "unique": lambda tray: len(_sizes(tray)),
}
