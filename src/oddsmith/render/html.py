"""Answers as HTML tables: a caption, scoped headings, no script; text is escaped.

``answers`` and ``table`` are parts for a page of one's own; ``page`` is a whole file.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from oddsmith.render.cells import PLAIN, Look, laid_out
from oddsmith.render.records import grid_of, told, written

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oddsmith.answers.ask import Answer
    from oddsmith.table import Table

_STYLE = """\
body { font: 1rem/1.4 sans-serif; margin: 1rem; color: #1b1b1b; background: #fff; }
section { overflow-x: auto; margin-bottom: 2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { min-width: min(32rem, 90vw); max-width: calc(100vw - 2rem); padding-bottom: .5rem;
  text-align: left; font-weight: bold; }
th, td { padding: .15rem .6rem; border-bottom: 1px solid #ccc; }
td, thead th { text-align: right; white-space: nowrap; }
tbody th, thead th:first-child { text-align: left; }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #1b1b1b; } }"""
"""Of a whole page: numbers under one another, and what is too wide scrolls by itself."""


def page(found: tuple[Answer, ...], look: Look = PLAIN) -> str:
    """A file that any browser opens: it names its language and letters, and fetches nothing.

    >>> from oddsmith import odds
    >>> page(odds("d2 > 1")).splitlines()[4]
    '<title>d2 &gt; 1</title>'
    """
    title = ", ".join(dict.fromkeys(one.label or one.text for one in found))
    parts = [f'<section tabindex="0">\n{answers((one,), look)}\n</section>' for one in found]
    head = [
        "<!DOCTYPE html>", '<html lang="en">', '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>", f"<style>\n{_STYLE}\n</style>", "<body>",
    ]  # fmt: skip
    return "\n".join([*head, *parts, "</body>", "</html>"])


def answers(found: tuple[Answer, ...], look: Look = PLAIN) -> str:
    """One table for each answer.

    >>> from oddsmith import odds
    >>> answers(odds("d2 > 1")).count("&gt;")
    2
    """
    return "\n".join(
        _table(one, look) if (grid := grid_of(one)) is None else table(grid, look) for one in found
    )


def table(grid: Table, look: Look = PLAIN) -> str:
    """A grid with a caption and scoped headings.

    >>> from oddsmith.table import Table
    >>> table(Table("t", "a", "b", ("1",), (("x", (None,)),))).count('scope="row"')
    1
    """
    laid = laid_out(grid, look)
    what = f"{laid.heading}; columns: {grid.across}"
    rows = [(name, texts) for (name, _), texts in zip(grid.rows, laid.rows, strict=True)]
    caption = f"{grid.title} ({what})"
    return marked_up(caption, (grid.corner, *grid.columns), rows, [*grid.notes, laid.note])


def _table(one: Answer, look: Look) -> str:
    shown = written(one, look)
    sign = " %" if shown.percent else ""
    rows = [
        (name, [*(f"{text}{sign}" for text in chances), exact])
        for name, *chances, exact in shown.rows
    ]
    return marked_up(caption_of(one), shown.heads, rows, [*told(one), shown.note])


def caption_of(one: Answer) -> str:
    """What was asked, and how it was read."""
    return f"{one.label or one.text}: {one.reading}"


def marked_up(
    caption: str, heads: Iterable[str], rows: Iterable[tuple[str, list[str]]], notes: list[str]
) -> str:
    """A table of names and texts, with notes below it.

    >>> marked_up("c", ["a", "b"], [("x", ["1 < 2"])], []).splitlines()[4]
    '<tr><th scope="row">x</th><td>1 &lt; 2</td></tr>'
    """
    columns = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    lines = [
        "<table>", f"<caption>{escape(caption)}</caption>",
        f"<thead><tr>{columns}</tr></thead>", "<tbody>",
    ]  # fmt: skip
    for name, texts in rows:
        cells = "".join(f"<td>{escape(text)}</td>" for text in texts)
        lines.append(f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>')
    below = [f"<p>{escape(words)}</p>" for words in notes if words]
    return "\n".join([*lines, "</tbody>", "</table>", *below])
