"""Answers as LaTeX tables for the booktabs package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oddsmith.render.numbers import certain_percent
from oddsmith.render.records import records, rounding_note

if TYPE_CHECKING:
    from oddsmith.answers.ask import Answer

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
    return "\n\n".join(_table(one, places) for one in found)


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
