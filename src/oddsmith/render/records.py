"""Answers as plain records, the common ground of CSV, Markdown, LaTeX and HTML."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from oddsmith.answers.rows import every_row
from oddsmith.exact.text import fraction_text
from oddsmith.record import Record
from oddsmith.render.numbers import rounded
from oddsmith.table import Table

if TYPE_CHECKING:
    from oddsmith.answers.ask import Answer


ROUNDING = "Percentages are rounded half to even"


class Line(Record):
    """One line: a name and a chance, which may only be enclosed.

    Attributes:
        value: What the line is about.
        low: The chance, or its lower end.
        high: Its upper end.
    """

    value: str
    low: Fraction
    high: Fraction

    @property
    def exact(self) -> str:
        """The exact fraction, or both ends."""
        if self.low == self.high:
            return fraction_text(self.low)
        return f"{fraction_text(self.low)}..{fraction_text(self.high)}"


def records(found: Answer) -> list[Line]:
    """The lines of one answer; what lies outside the rows has a line of its own.

    >>> from oddsmith import odds
    >>> [record.value for record in records(odds("d6 vs d8")[0])]
    ['win', 'tie', 'lose']
    """
    if found.kind == "number" and found.exact is not None:
        return [Line(found.label or "value", found.exact, found.exact)]
    if found.low is not None and found.high is not None:
        return [Line(found.text, found.low, found.high)]
    if found.contest is not None:
        names = ("win", "tie", "lose")
        return [Line(n, c.low, c.high) for n, c in zip(names, found.contest, strict=True)]
    if found.kind == "ranks":
        return [
            Line(f"rank {place}: {record.value}", record.low, record.high)
            for place, rank in enumerate(found.ranks, 1)
            for record in _of(rank)
        ]
    return _of(found.dist)


def grid_of(found: Answer) -> Table | None:
    """The grid of a table, or of a number that is no chance; None for anything else."""
    if found.kind == "number":
        rows = ((found.label or "value", (found.exact,)),)
        return Table(found.reading, "result", "values", (found.unit or "value",), rows, "number")
    return found.table


def rounding_note(lines: list[Line], places: int) -> str:
    """How percentages were rounded, and what the rounded rows add up to.

    >>> third = Fraction(1, 3)
    >>> rounding_note([Line(str(n), third, third) for n in (1, 2, 3)], 2)
    'Percentages are rounded half to even; the rounded rows add up to 99.99.'
    """
    shown = [rounded(100 * line.low, places) for line in lines]
    if len(lines) < 2 or any(line.low != line.high for line in lines):
        return f"{ROUNDING}."
    added = sum((Fraction(text) for text in shown), Fraction(0))
    return f"{ROUNDING}; the rounded rows add up to {rounded(added, places)}."


def _of(dist: Any) -> list[Line]:
    rows = every_row(dist)
    lines = [Line(_name(row.low), row.p, row.p) for row in rows.rows]
    if rows.below:
        lines.insert(0, Line(f"below {_name(rows.rows[0].low)}", rows.below, rows.below))
    if rows.beyond:
        lines.append(Line(f"above {_name(rows.rows[-1].high)}", rows.beyond, rows.beyond))
    if rows.missing:
        lines.append(Line("not known", rows.missing, rows.missing))
    return lines


def _name(outcome: Any) -> str:
    if isinstance(outcome, (int, Fraction)):
        return fraction_text(outcome)
    return str(outcome)
