"""The cells of a table as text, in the style a reader chose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oddsmith.exact.text import fraction_text, whole_text
from oddsmith.render.numbers import decimal, one_in, percent

if TYPE_CHECKING:
    from fractions import Fraction

STYLES = ("percent", "fraction", "one-in", "odds")


def cell(value: Fraction | None, unit: str, style: str = "percent", places: int = 2) -> str:
    """One cell; empty where there is nothing to say.

    Args:
        value: The exact value.
        unit: ``chance`` or ``number``; numbers are decimals unless fractions are asked for.
        style: ``percent``, ``fraction``, ``one-in`` or ``odds`` (against).
        places: Decimal places.

    >>> from fractions import Fraction
    >>> [cell(Fraction(1, 6), "chance", style) for style in STYLES]
    ['16.67', '1/6', '1 in 6', '5 : 1']
    """
    if value is None:
        return ""
    if style == "fraction":
        return fraction_text(value)
    if unit != "chance":
        return number(value, places)
    if style == "one-in":
        return one_in(value)
    if style == "odds":
        return against(value)
    return percent(value, places)


def number(value: Fraction, places: int) -> str:
    """A decimal; what is not 0 is never shown as 0.

    >>> from fractions import Fraction
    >>> number(Fraction(7, 2160), 2), number(Fraction(5, 2), 2), number(Fraction(-1, 5000), 2)
    ('0.003', '2.5', '-0.0002')
    """
    text = decimal(value, places)
    while value and not text.strip("-0.") and places < 400:
        places += 1
        text = decimal(value, places)
    return text


def note(unit: str, style: str = "percent") -> str:
    """How cells were rounded, where they were.

    >>> note("chance"), note("number", "fraction")
    ('Percentages are rounded half to even.', '')
    """
    if style == "fraction":
        return ""
    if unit != "chance":
        return "Decimals are rounded half to even."
    return "Percentages are rounded half to even." if style == "percent" else ""


def against(chance: Fraction) -> str:
    """The odds against: losing ways to winning ways.

    >>> from fractions import Fraction
    >>> against(Fraction(2, 5)), against(Fraction(0))
    ('3 : 2', 'never')
    """
    if chance in (0, 1):
        return one_in(chance)
    lost = chance.denominator - chance.numerator
    return f"{whole_text(lost)} : {whole_text(chance.numerator)}"


def heading(unit: str, style: str = "percent") -> str:
    """What the cells are, for a caption.

    >>> heading("chance"), heading("number")
    ('chances in %', 'exact values as decimals')
    """
    if style == "fraction":
        return "exact fractions"
    if unit != "chance":
        return "exact values as decimals"
    return {"percent": "chances in %", "one-in": "chances", "odds": "odds against"}[style]
