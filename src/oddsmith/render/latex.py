"""Answers as LaTeX tables for the booktabs package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oddsmith.render.cells import cell, heading, note
from oddsmith.render.numbers import certain_percent
from oddsmith.render.records import grid_of, records, rounding_note

if TYPE_CHECKING:
    from oddsmith.answers.ask import Answer
    from oddsmith.table import Table

SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "%": r"\%", "&": r"\&", "#": r"\#",
    "$": r"\$", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip


def answers(found: tuple[Answer, ...], places: int = 2) -> str:
    """One table environment for each answer.

    >>> from oddsmith import odds
    >>> print(answers(odds("d2 = 1")).splitlines()[0])
    \\begin{table}
    """
    return "\n\n".join(
        _table(one, places) if (grid := grid_of(one)) is None else table(grid, places=places)
        for one in found
    )


def table(grid: Table, style: str = "percent", places: int = 2) -> str:
    r"""A grid as a table environment.

    >>> from fractions import Fraction
    >>> from oddsmith.table import Table
    >>> grid = Table("Coin", "side", "tosses", ("1",), (("heads", (Fraction(1, 2),)),))
    >>> table(grid).splitlines()[-4]
    'heads & 50.00 \\\\'
    """
    names = " & ".join(escaped(name) for name in (grid.corner, *grid.columns))
    notes = "".join(
        f" {escaped(words)}" for words in filter(None, [*grid.notes, note(grid.unit, style)])
    )
    lines = [
        r"\begin{table}", r"\centering",
        rf"\caption{{{escaped(grid.title)} ({escaped(heading(grid.unit, style))}; "
        rf"columns: {escaped(grid.across)}).{notes}}}",
        rf"\begin{{tabular}}{{l{'r' * len(grid.columns)}}}", r"\toprule", rf"{names} \\",
        r"\midrule",
    ]  # fmt: skip
    for name, values in grid.rows:
        shown = " & ".join(escaped(cell(v, grid.unit, style, places)) for v in values)
        lines.append(rf"{escaped(name)} & {shown} \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}"])


def _table(one: Answer, places: int) -> str:
    note = rounding_note(records(one), places)
    lines = [
        r"\begin{table}", r"\centering",
        rf"\caption{{{escaped(one.label or one.text)}: {escaped(one.reading)}. {note}}}",
        r"\begin{tabular}{lrr}", r"\toprule", r"result & chance & exact \\", r"\midrule",
    ]  # fmt: skip
    for r in records(one):
        chance = escaped(certain_percent(r.low, r.high, places))
        lines.append(rf"{escaped(r.value)} & {chance}\,\% & ${r.exact}$ \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}"])


def escaped(text: str) -> str:
    r"""Text with the characters that LaTeX would take as commands written out.

    >>> escaped("d%")
    'd\\%'
    """
    return "".join(SPECIAL.get(char, char) for char in text)
