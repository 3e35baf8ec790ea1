"""Answers as plain records, the common ground of CSV, Markdown, LaTeX and HTML."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from oddsmith.answers.rows import every_row
from oddsmith.enclosed import Enclosed
from oddsmith.exact.text import fraction_text
from oddsmith.record import Record
from oddsmith.render.apportion import percentages
from oddsmith.render.cells import HALF_EVEN, PLAIN, Look, added_up, cell, is_off
from oddsmith.render.numbers import certain_percent, rounded
from oddsmith.table import Table

if TYPE_CHECKING:
    from oddsmith.answers.ask import Answer


UNKNOWN = f"{HALF_EVEN}: not every outcome is known."


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
    """The grid of a table, or of a number that is no chance; None for anything else.

    What has to be said of the answer stands with the notes of the grid.
    """
    grid = found.table
    if found.kind == "number":
        rows = ((found.label or "value", (found.exact,)),)
        grid = Table(found.reading, "result", "values", (found.unit or "value",), rows, "number")
    return grid and grid.but(notes=(*grid.notes, *told(found)))


def told(found: Answer) -> tuple[str, ...]:
    """What has to be said of an answer."""
    return tuple(f"Note: {words}" for words in found.notes)


class Written(Record):
    """The lines of an answer as text.

    Attributes:
        heads: What stands in the columns.
        rows: Name, chance and exact fraction; without the chance where fractions are asked for.
        percent: Whether the chances are percentages, for their sign.
        note: How they were rounded; empty where nothing was.
    """

    heads: tuple[str, ...]
    rows: list[tuple[str, ...]]
    percent: bool
    note: str = ""


def written(found: Answer, look: Look = PLAIN) -> Written:
    """The lines of one answer in the style a reader chose.

    >>> from oddsmith import odds
    >>> written(odds("d2")[0]).rows
    [('1', '50.00', '1/2'), ('2', '50.00', '1/2')]
    >>> [written(odds("d3")[0], Look(style)).rows[0] for style in ("odds", "fraction")]
    [('1', '2 : 1', '1/3'), ('1', '1/3')]
    """
    lines = records(found)
    if found.kind == "probability" and found.label:
        lines = [lines[0].but(value=found.label)]
    if look.style == "fraction":
        return Written(("result", "exact"), [(one.value, one.exact) for one in lines], False)
    chances = [chance_text(one.low, one.high, look) for one in lines]
    note = _rounding_note(found, lines, look)
    if look.add_up and note and found.kind != "probability":
        note = UNKNOWN
        if is_known(found):
            for group in _shares(found, lines):
                shown = percentages([lines[k].low for k in group], look.places)
                for place, text in zip(group, shown, strict=True):
                    chances[place] = text
            note = added_up("each rank adds up" if found.ranks else "they add up", chances)
    rows = [(one.value, text, one.exact) for one, text in zip(lines, chances, strict=True)]
    name = "odds against" if look.style == "odds" else "chance"
    return Written(("result", name, "exact"), list(rows), look.style == "percent", note)


def chance_text(low: Fraction, high: Fraction, look: Look = PLAIN) -> str:
    """A chance between two ends without a sign; fractions are percentages here.

    >>> half = Fraction(1, 2)
    >>> chance_text(half, half), chance_text(half, 1 - half / 2, Look("one-in"))
    ('50.00', '1 in 2 to 3 in 4')
    """
    if look.style in ("percent", "fraction"):
        return certain_percent(low, high, look.places)
    ends = [cell(end, "chance", look.style) for end in (low, high)]
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)


def is_known(found: Answer) -> bool:
    """Whether every outcome is known; what is only enclosed is not made to add up."""
    if found.contest is not None:
        return all(side.exact is not None for side in found.contest)
    return not any(isinstance(dist, Enclosed) for dist in (found.dist, *found.ranks))


def _shares(found: Answer, lines: list[Line]) -> list[list[int]]:
    """The places of lines that together hold every outcome: all of them, or those of each rank."""
    counts = [len(_of(rank)) for rank in found.ranks] or [len(lines)]
    ends = list(accumulate(counts, initial=0))
    return [list(range(start, end)) for start, end in pairwise(ends)]


def _rounding_note(found: Answer, lines: list[Line], look: Look) -> str:
    """How percentages were rounded, and what the rounded rows add up to."""
    if not any(is_off(end, "chance", look) for one in lines for end in (one.low, one.high)):
        return ""
    if len(lines) < 2 or found.kind == "ranks" or any(one.low != one.high for one in lines):
        return f"{HALF_EVEN}."
    shown = [rounded(100 * one.low, look.places) for one in lines]
    added = sum((Fraction(text) for text in shown), Fraction(0))
    return f"{HALF_EVEN}; the rounded rows add up to {rounded(added, look.places)}."


def _of(dist: Any) -> list[Line]:
    rows = every_row(dist)
    lines = [Line(_name(row.low), row.p, row.p + row.gap) for row in rows.rows]
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
