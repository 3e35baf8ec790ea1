"""Answers as Markdown tables, headed by how they were read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oddsmith.render.cells import PLAIN, Look, laid_out
from oddsmith.render.records import grid_of, told, written

if TYPE_CHECKING:
    from oddsmith.answers.ask import Answer
    from oddsmith.table import Table


def answers(found: tuple[Answer, ...], look: Look = PLAIN) -> str:
    """One table for each answer.

    >>> from oddsmith import odds
    >>> print(answers(odds("d2 = 1")))
    **d2 = 1**: a 2-sided die, the roll is exactly 1
    <BLANKLINE>
    | result | chance | exact |
    |---|---:|---:|
    | d2 = 1 | 50.00 % | 1/2 |
    """
    blocks = []
    for one in found:
        grid = grid_of(one)
        if grid is not None:
            blocks.append(table(grid, look))
            continue
        shown = written(one, look)
        lines = [
            f"**{_escaped(one.label or one.text)}**: {_escaped(one.reading)}", "",
            f"| {' | '.join(shown.heads)} |", "|---|" + "---:|" * (len(shown.heads) - 1),
        ]  # fmt: skip
        sign = " %" if shown.percent else ""
        for name, *chances, exact in shown.rows:
            cells = [_escaped(name), *(f"{text}{sign}" for text in chances), exact]
            lines.append(f"| {' | '.join(cells)} |")
        blocks.append(_with_notes(lines, [*told(one), shown.note]))
    return "\n\n".join(blocks)


def table(grid: Table, look: Look = PLAIN) -> str:
    """A grid as a pipe table with its title above and its notes below.

    >>> from fractions import Fraction
    >>> from oddsmith.table import Table
    >>> print(table(Table("Coin", "side", "tosses", ("1",), (("heads", (Fraction(1, 8),)),))))
    **Coin** (chances in %; columns: tosses)
    <BLANKLINE>
    | side | 1 |
    |---|---:|
    | heads | 12.50 |
    """
    laid = laid_out(grid, look)
    lines = [
        f"**{_escaped(grid.title)}** ({laid.heading}; columns: {_escaped(grid.across)})", "",
        f"| {' | '.join(map(_escaped, (grid.corner, *grid.columns)))} |",
        "|---|" + "---:|" * len(grid.columns),
    ]  # fmt: skip
    for (name, _), texts in zip(grid.rows, laid.rows, strict=True):
        lines.append(f"| {' | '.join([_escaped(name), *map(_escaped, texts)])} |")
    return _with_notes(lines, [*grid.notes, laid.note])


def _with_notes(lines: list[str], notes: list[str]) -> str:
    """Lines with a paragraph for each note below them."""
    return "\n\n".join(["\n".join(lines), *map(_escaped, filter(None, notes))])


def _escaped(text: str) -> str:
    return "".join("\\" + char if char in "\\|*_`<>[]" else char for char in text)
