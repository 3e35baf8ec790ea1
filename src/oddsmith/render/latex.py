"""Answers as LaTeX tables for the booktabs package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oddsmith.render.cells import PLAIN, Look, laid_out
from oddsmith.render.records import grid_of, told, written

if TYPE_CHECKING:
    from oddsmith.answers.ask import Answer
    from oddsmith.table import Table

SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "%": r"\%", "&": r"\&", "#": r"\#",
    "$": r"\$", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip


def answers(found: tuple[Answer, ...], look: Look = PLAIN) -> str:
    """One table environment for each answer.

    >>> from oddsmith import odds
    >>> print(answers(odds("d2 = 1")).splitlines()[0])
    \\begin{table}
    """
    return "\n\n".join(
        _table(one, look) if (grid := grid_of(one)) is None else table(grid, look) for one in found
    )


def table(grid: Table, look: Look = PLAIN) -> str:
    r"""A grid as a table environment.

    >>> from fractions import Fraction
    >>> from oddsmith.table import Table
    >>> grid = Table("Coin", "side", "tosses", ("1",), (("heads", (Fraction(1, 2),)),))
    >>> table(grid).splitlines()[-4]
    'heads & 50.00 \\\\'
    """
    names = " & ".join(escaped(name) for name in (grid.corner, *grid.columns))
    laid = laid_out(grid, look)
    notes = _sentences([*grid.notes, laid.note])
    lines = [
        r"\begin{table}", r"\centering",
        rf"\caption{{{escaped(grid.title)} ({escaped(laid.heading)}; "
        rf"columns: {escaped(grid.across)}).{notes}}}",
        rf"\begin{{tabular}}{{l{'r' * len(grid.columns)}}}", r"\toprule", rf"{names} \\",
        r"\midrule",
    ]  # fmt: skip
    for (name, _), texts in zip(grid.rows, laid.rows, strict=True):
        lines.append(rf"{' & '.join(map(escaped, (name, *texts)))} \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}"])


def _table(one: Answer, look: Look) -> str:
    shown = written(one, look)
    note = _sentences([*told(one), shown.note])
    lines = [
        r"\begin{table}", r"\centering",
        rf"\caption{{{escaped(one.label or one.text)}: {escaped(one.reading)}.{note}}}",
        rf"\begin{{tabular}}{{l{'r' * (len(shown.heads) - 1)}}}", r"\toprule",
        rf"{' & '.join(shown.heads)} \\", r"\midrule",
    ]  # fmt: skip
    sign = r"\,\%" if shown.percent else ""
    for name, *chances, exact in shown.rows:
        cells = [escaped(name), *(f"{escaped(text)}{sign}" for text in chances), f"${exact}$"]
        lines.append(rf"{' & '.join(cells)} \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}"])


def _sentences(notes: list[str]) -> str:
    """Notes one after the other, each closed by a full stop."""
    return "".join(f" {escaped(words.removesuffix('.'))}." for words in notes if words)


def escaped(text: str) -> str:
    r"""Text with the characters that LaTeX would take as commands written out.

    >>> escaped("d%")
    'd\\%'
    """
    return "".join(SPECIAL.get(char, char) for char in text)
