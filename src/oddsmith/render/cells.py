"""The cells of a table as text, in the style a reader chose."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from oddsmith.exact.text import fraction_text, whole_text
from oddsmith.record import Record
from oddsmith.render.apportion import percentages
from oddsmith.render.numbers import decimal, one_in, percent, rounded

if TYPE_CHECKING:
    from oddsmith.table import Table

STYLES = ("percent", "fraction", "one-in", "odds")
HALF_EVEN = "Percentages are rounded half to even"
ADDED_UP = "Percentages are rounded so that {} to 100 (largest remainders; of equal ones the first)"


class Look(Record):
    """How values are written.

    Attributes:
        style: ``percent``, ``fraction``, ``one-in`` or ``odds`` (against).
        places: Decimal places of percentages and numbers.
        add_up: Whether the percentages of a distribution add up to exactly 100.
    """

    style: str = "percent"
    places: int = 2
    add_up: bool = False


PLAIN = Look()
"""Percentages with two places."""


class Laid(Record):
    """A table as text.

    Attributes:
        heading: What the cells are.
        rows: The cells, row by row.
        note: How they were rounded; empty where nothing was.
    """

    heading: str
    rows: list[list[str]]
    note: str = ""


def laid_out(grid: Table, look: Look = PLAIN) -> Laid:
    """The cells of a table as text, with what has to be said of them.

    >>> from oddsmith.table import Table
    >>> third = Fraction(1, 3)
    >>> grid = Table("t", "a", "b", ("1", "2", "3"), (("x", (third, third, third)),))
    >>> laid_out(grid, Look(places=0)).rows, laid_out(grid, Look(places=0, add_up=True)).rows
    ([['33', '33', '33']], [['34', '33', '33']])
    """
    texts = [
        [cell(v, grid.unit, look.style, look.places) for v in values] for _, values in grid.rows
    ]
    if grid.unit != "chance" and look.style != "fraction":
        _align(grid, texts)
    off = any(is_off(v, grid.unit, look) for _, values in grid.rows for v in values)
    told = heading(grid.unit, look.style, off)
    if not off:
        return Laid(told, texts)
    if grid.unit != "chance":
        return Laid(told, texts, "Numbers are rounded half to even.")
    if not look.add_up:
        return Laid(told, texts, f"{HALF_EVEN}.")
    return _adding_up(grid, look, told, texts)


def _align(grid: Table, texts: list[list[str]]) -> None:
    """Numbers of one column have the same number of places."""
    for k in range(len(grid.columns)):
        most = max((len(row[k].partition(".")[2]) for row in texts), default=0)
        for row, (_, values) in zip(texts, grid.rows, strict=True):
            value = values[k]
            if most and value is not None:
                row[k] = rounded(value, most)


def _adding_up(grid: Table, look: Look, told: str, texts: list[list[str]]) -> Laid:
    """The same where rows or columns that are distributions add up to 100."""
    rows, columns = grid.distributions()
    places = [[(row, k) for k in range(len(grid.columns))] for row in rows]
    places += [[(k, column) for k in range(len(grid.rows))] for column in columns]
    for line in places:
        known = [(row, k) for row, k in line if grid.rows[row][1][k] is not None]
        shares = [grid.rows[row][1][k] or Fraction(0) for row, k in known]
        for (row, k), text in zip(known, percentages(shares, look.places), strict=True):
            texts[row][k] = text
    if not places:
        return Laid(told, texts, f"{HALF_EVEN}: neither rows nor columns add up to 100.")
    which = "each row adds up" if len(rows) == len(grid.rows) else "rows of all outcomes add up"
    if columns:
        names = ", ".join(f'"{grid.columns[column]}"' for column in columns)
        which = f"column {names} adds up" if len(columns) == 1 else f"columns {names} add up"
    if len(columns) == len(grid.columns):
        which = "each column adds up"
    shown = [texts[row][k] for line in places for row, k in line]
    return Laid(told, texts, added_up(which, shown))


def added_up(which: str, shown: list[str]) -> str:
    """How percentages were rounded that add up to 100, and what counts as nothing.

    >>> added_up("they add up", ["99.99", "0.01"]).split("(")[0]
    'Percentages are rounded so that they add up to 100 '
    >>> added_up("they add up", [">99.99", "<0.01"]).split("; ")[-1]
    '>99.99 counts as 100, <0.01 as 0.'
    """
    signs = sorted({text for text in shown if text[:1] in ("<", ">")}, reverse=True)
    counts = {text: "100" if text[0] == ">" else "0" for text in signs}
    told = ", ".join(
        f"{text} {'counts ' if not place else ''}as {counts[text]}"
        for place, text in enumerate(signs)
    )
    return f"{ADDED_UP.format(which)}{'; ' if told else ''}{told}."


def is_off(value: Fraction | None, unit: str, look: Look = PLAIN) -> bool:
    """Whether a cell is rounded; what is about so and so many in so many says that itself.

    >>> [is_off(Fraction(1, 8), "chance", Look(places=places)) for places in (0, 1, 2)]
    [True, False, False]
    """
    if value is None or look.style == "fraction":
        return False
    if unit != "chance":
        return Fraction(number(value, look.places)) != value
    return look.style == "percent" and (value * 100 * 10**look.places).denominator != 1


def cell(value: Fraction | None, unit: str, style: str = "percent", places: int = 2) -> str:
    """One cell; empty where there is nothing to say.

    Args:
        value: The exact value.
        unit: ``chance`` or ``number``; numbers are decimals unless fractions are asked for.
        style: ``percent``, ``fraction``, ``one-in`` or ``odds`` (against).
        places: Decimal places.

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

    >>> number(Fraction(7, 2160), 2), number(Fraction(5, 2), 2), number(Fraction(-1, 5000), 2)
    ('0.003', '2.5', '-0.0002')
    """
    text = decimal(value, places)
    while value and not text.strip("-0.") and places < 400:
        places += 1
        text = decimal(value, places)
    return text


def against(chance: Fraction) -> str:
    """The odds against: losing ways to winning ways.

    >>> against(Fraction(2, 5)), against(Fraction(0))
    ('3 : 2', 'never')
    """
    if chance in (0, 1):
        return one_in(chance)
    lost = chance.denominator - chance.numerator
    return f"{whole_text(lost)} : {whole_text(chance.numerator)}"


def heading(unit: str, style: str = "percent", off: bool = True) -> str:
    """What the cells are, for a caption.

    Args:
        unit: ``chance`` or ``number``.
        style: How they are written.
        off: Whether any of them was rounded.

    >>> heading("chance"), heading("number"), heading("number", off=False)
    ('chances in %', 'rounded numbers', 'numbers')
    """
    if style == "fraction":
        return "exact fractions"
    if unit != "chance":
        return "rounded numbers" if off else "numbers"
    return {"percent": "chances in %", "one-in": "chances", "odds": "odds against"}[style]
