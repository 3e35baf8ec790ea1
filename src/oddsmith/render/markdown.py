"""Answers as Markdown tables, headed by how they were read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oddsmith.render.numbers import certain_percent
from oddsmith.render.records import records, rounding_note

if TYPE_CHECKING:
    from oddsmith.answers.ask import Answer


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
        title = f"**{_escaped(one.label or one.text)}**: {_escaped(one.reading)}"
        lines = [title, "", "| result | chance | exact |", "|---|---:|---:|"]
        lines += [
            f"| {_escaped(r.value)} | {certain_percent(r.low, r.high, places)} % | {r.exact} |"
            for r in records(one)
        ]
        blocks.append("\n".join([*lines, "", rounding_note(records(one), places)]))
    return "\n\n".join(blocks)


def _escaped(text: str) -> str:
    return "".join("\\" + char if char in "\\|*_`<>[]" else char for char in text)
