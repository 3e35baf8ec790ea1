"""Whole numbers and fractions as text, of any length."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import fmpz

if TYPE_CHECKING:
    from fractions import Fraction


def whole_text(number: int) -> str:
    """All decimal digits; unlike ``str`` it has no limit.

    >>> len(whole_text(10**5000))
    5001
    """
    return str(fmpz(number))


def fraction_text(value: Fraction | int) -> str:
    """``p/q`` in lowest terms, or ``p`` when whole.

    >>> from fractions import Fraction
    >>> fraction_text(Fraction(3, 6)), fraction_text(Fraction(4, 2))
    ('1/2', '2')
    """
    if isinstance(value, int):
        return whole_text(value)
    top = whole_text(value.numerator)
    return top if value.denominator == 1 else f"{top}/{whole_text(value.denominator)}"
