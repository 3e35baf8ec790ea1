"""Outcomes: whole numbers, fractions, text, or tuples of these, each in one stored form."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain
from numbers import Integral, Rational
from typing import TYPE_CHECKING, Any

from oddsmith.errors import OutcomeError
from oddsmith.exact.lattice import tidy

if TYPE_CHECKING:
    from collections.abc import Collection

Outcome = Any


def clean(outcome: object) -> Outcome:
    """The outcome in its one stored form: int, Fraction, text, or a tuple of these.

    Raises:
        OutcomeError: For a float (write text or a Fraction) and for anything else.

    >>> clean(Fraction(4, 2)), clean((True, "a"))
    (2, (1, 'a'))
    """
    if isinstance(outcome, int):
        return int(outcome)
    if isinstance(outcome, str):
        return outcome
    if isinstance(outcome, tuple):
        return tuple([clean(part) for part in outcome])
    if isinstance(outcome, Integral):
        return int(outcome)
    if isinstance(outcome, Rational):
        return tidy(Fraction(int(outcome.numerator), int(outcome.denominator)))
    if isinstance(outcome, float):
        raise OutcomeError(f"{outcome!r} is a float, which is not exact", "write a Fraction")
    raise OutcomeError(
        f"{outcome!r} cannot be an outcome",
        "outcomes are whole numbers, fractions, text or tuples",
    )


def are_plain(outcomes: Collection[Any]) -> bool:
    """Whether all are whole numbers, or all tuples of such: clean, and sorted without a key.

    >>> are_plain([(1, 2), (3,)]), are_plain([(1, True)]), are_plain([(1, 2), 3])
    (True, False, False)
    """
    kinds = set(map(type, outcomes))
    return kinds <= {int} or (kinds == {tuple} and are_plain(list(chain.from_iterable(outcomes))))


def sort_key(outcome: Outcome) -> tuple[int, Any]:
    """Numbers first, then text, then tuples.

    >>> sorted([(1, 2), "a", 3], key=sort_key)
    [3, 'a', (1, 2)]
    """
    if isinstance(outcome, str):
        return 1, outcome
    if isinstance(outcome, tuple):
        return 2, tuple(sort_key(part) for part in outcome)
    return 0, outcome


def is_number(outcome: object) -> bool:
    """Whether the outcome is a whole number or a fraction.

    >>> is_number(Fraction(1, 2)), is_number("6")
    (True, False)
    """
    return isinstance(outcome, (int, Fraction))
