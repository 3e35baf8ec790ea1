"""Answers as HTML tables: a caption, scoped headings, no script; text is escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from oddsmith.render.cells import cell, heading, note
from oddsmith.render.numbers import certain_percent
from oddsmith.render.records import grid_of, records, rounding_note

if TYPE_CHECKING:
    from oddsmith.answers.ask import Answer
    from oddsmith.table import Table

HEADINGS = [f'<th scope="col">{name}</th>' for name in ("result", "chance", "exact")]


def answers(found: tuple[Answer, ...], places: int = 2) -> str:
    """One table for each answer.

    >>> from oddsmith import odds
    >>> answers(odds("d2 > 1")).count("&gt;")
    2
    """
    return "\n".join(
        _table(one, places) if (grid := grid_of(one)) is None else table(grid, places=places)
        for one in found
    )


def table(grid: Table, style: str = "percent", places: int = 2) -> str:
    """A grid with a caption and scoped headings.

    >>> from oddsmith.table import Table
    >>> table(Table("t", "a", "b", ("1",), (("x", (None,)),))).count('scope="row"')
    1
    """
    columns = "".join(f'<th scope="col">{escape(name)}</th>' for name in grid.columns)
    what = f"{heading(grid.unit, style)}; columns: {grid.across}"
    lines = [
        "<table>", f"<caption>{escape(grid.title)} ({escape(what)})</caption>",
        f'<thead><tr><th scope="col">{escape(grid.corner)}</th>{columns}</tr></thead>', "<tbody>",
    ]  # fmt: skip
    for name, values in grid.rows:
        cells = "".join(f"<td>{escape(cell(v, grid.unit, style, places))}</td>" for v in values)
        lines.append(f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>')
    notes = "".join(
        f"<p>{escape(words)}</p>" for words in filter(None, [*grid.notes, note(grid.unit, style)])
    )
    return "\n".join([*lines, "</tbody>", "</table>", notes])


def _table(one: Answer, places: int) -> str:
    lines = [
        "<table>",
        f"<caption>{escape(one.label or one.text)}: {escape(one.reading)}</caption>",
        f"<thead><tr>{''.join(HEADINGS)}</tr></thead>",
        "<tbody>",
    ]
    for r in records(one):
        chance = escape(certain_percent(r.low, r.high, places))
        lines.append(
            f'<tr><th scope="row">{escape(r.value)}</th><td>{chance} %</td><td>{r.exact}</td></tr>'
        )
    note = f"<p>{rounding_note(records(one), places)}</p>"
    return "\n".join([*lines, "</tbody>", "</table>", note])
