"""Answers as HTML tables: a caption, scoped headings, no script; text is escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from oddsmith.render.numbers import certain_percent
from oddsmith.render.records import records, rounding_note

if TYPE_CHECKING:
    from oddsmith.answers.ask import Answer

HEADINGS = [f'<th scope="col">{name}</th>' for name in ("result", "chance", "exact")]


def answers(found: tuple[Answer, ...], places: int = 2) -> str:
    """One table for each answer.

    >>> from oddsmith import odds
    >>> answers(odds("d2 > 1")).count("&gt;")
    2
    """
    return "\n".join(_table(one, places) for one in found)


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
