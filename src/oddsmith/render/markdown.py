"""Answers as Markdown tables, headed by how they were read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oddsmith.render.cells import cell, heading, note
from oddsmith.render.numbers import certain_percent
from oddsmith.render.records import grid_of, records, rounding_note

if TYPE_CHECKING:
    from oddsmith.answers.ask import Answer
    from oddsmith.table import Table


def answers(found: tuple[Answer, ...], places: int = 2) -> str:
    """One table for each answer.

    >>> from oddsmith import odds
    >>> print(answers(odds("d2 = 1")))
    **d2 = 1**: a 2-sided die, the roll is exactly 1
    <BLANKLINE>
    | result | chance | exact |
    |---|---:|---:|
    | d2 = 1 | 50.00 % | 1/2 |
    <BLANKLINE>
    Percentages are rounded half to even.
    """
    blocks = []
    for one in found:
        grid = grid_of(one)
        if grid is not None:
            blocks.append(table(grid, places=places))
            continue
        title = f"**{_escaped(one.label or one.text)}**: {_escaped(one.reading)}"
        lines = [title, "", "| result | chance | exact |", "|---|---:|---:|"]
        lines += [
            f"| {_escaped(r.value)} | {certain_percent(r.low, r.high, places)} % | {r.exact} |"
            for r in records(one)
        ]
        blocks.append("\n".join([*lines, "", rounding_note(records(one), places)]))
    return "\n\n".join(blocks)


def table(grid: Table, style: str = "percent", places: int = 2) -> str:
    """A grid as a pipe table with its title above and its notes below.

    >>> from fractions import Fraction
    >>> from oddsmith.table import Table
    >>> print(table(Table("Coin", "side", "tosses", ("1",), (("heads", (Fraction(1, 2),)),))))
    **Coin** (chances in %; columns: tosses)
    <BLANKLINE>
    | side | 1 |
    |---|---:|
    | heads | 50.00 |
    <BLANKLINE>
    Percentages are rounded half to even.
    """
    lines = [
        f"**{_escaped(grid.title)}** ({heading(grid.unit, style)}; columns: {grid.across})", "",
        f"| {_escaped(grid.corner)} | {' | '.join(map(_escaped, grid.columns))} |",
        "|---|" + "---:|" * len(grid.columns),
    ]  # fmt: skip
    for name, values in grid.rows:
        shown = " | ".join(cell(value, grid.unit, style, places) for value in values)
        lines.append(f"| {_escaped(name)} | {shown} |")
    return "\n".join([*lines, "", *filter(None, [*grid.notes, note(grid.unit, style)])])


def _escaped(text: str) -> str:
    return "".join("\\" + char if char in "\\|*_`<>[]" else char for char in text)
