"""Answers for people, in a terminal: plain without colour, as wide as it is.

Tables are drawn by rich, which is imported only where there is one.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING, Any

from oddsmith.answers.rows import Rows, shown_rows
from oddsmith.dist import Dist
from oddsmith.enclosed import Enclosed
from oddsmith.render.cells import cell, heading
from oddsmith.render.numbers import certain_percent, decimal, fraction, one_in, percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from oddsmith.answers.ask import Answer
    from oddsmith.notation.chance import Chance
    from oddsmith.table import Table as Grid

EIGHTHS = " ▏▎▍▌▋▊▉█"
CODES = {"bold": 1, "dim": 2, "green": 32, "yellow": 33, "cyan": 36}


def answer(
    found: Answer,
    view: str = "pmf",
    places: int = 2,
    exact: bool = False,
    chart: bool = True,
    width: int | None = None,
    colour: bool = False,
) -> str:
    """One answer: title, reading, result, notes.

    Args:
        found: The answer.
        view: ``pmf``, ``at-least`` or ``at-most``: which chance the bars show.
        places: Decimal places of percentages.
        exact: Fractions in front.
        chart: Whether bars are drawn.
        width: Columns to keep to (default: the width of the terminal).
        colour: Whether to write colours.

    >>> from oddsmith import odds
    >>> print(answer(odds("3d6 >= 11")[0]))
    3d6 >= 11
    3 six-sided dice, the total is 11 or more
    <BLANKLINE>
      50.00 %   1/2   1 in 2
    """
    width = width or get_terminal_size().columns
    ink = _Ink(colour, width)
    title = ink.mark(found.label or found.text, "bold")
    if found.label:
        title += "  " + ink.mark(found.text, "dim")
    parts = [title, ink.mark(fill(found.reading, width), "dim"), ""]
    return "\n".join([*parts, *_body(found, ink, view, places, exact, chart)])


def answers(
    found: Sequence[Answer],
    view: str = "pmf",
    places: int = 2,
    exact: bool = False,
    chart: bool = True,
    width: int | None = None,
    colour: bool = False,
) -> str:
    """Several answers; the results of one call stand together under one title.

    The arguments are those of :func:`answer`.

    >>> from oddsmith import odds
    >>> answers(odds("d6 >= 5; d6 >= 6")).count("six-sided")
    2
    """
    width = width or get_terminal_size().columns
    ink = _Ink(colour, width)
    blocks = []
    for (text, _, is_one_of_several), group in groupby(found, _title):
        members = list(group)
        if not is_one_of_several or len(members) == 1:
            blocks += [answer(one, view, places, exact, chart, width, colour) for one in members]
            continue
        parts = [ink.mark(text, "bold"), ink.mark(fill(members[0].reading, width), "dim")]
        wide = max(len(one.label or "") for one in members) + 2
        before = ""
        for one in members:
            body = _body(one, ink, view, places, exact, chart)
            short = one.kind in ("probability", "number")
            if not (short and before == "short"):
                parts.append("")
            before = "short" if short else "long"
            if short:
                parts.append(f"  {(one.label or '').ljust(wide)}{body[0].lstrip()}")
            else:
                parts += [ink.mark(f"  {one.label}", "bold"), "", *body]
        blocks.append("\n".join(parts))
    return "\n\n".join(blocks)


def _title(found: Answer) -> tuple[str, str, bool]:
    return found.text, found.reading, found.label is not None


def _body(found: Answer, ink: _Ink, view: str, places: int, exact: bool, chart: bool) -> list[str]:
    """Everything below the title."""
    parts: list[str] = []
    if found.kind == "probability" and found.low is not None and found.high is not None:
        parts.append(_chance(ink, found.low, found.high, places, exact))
    elif found.kind == "contest":
        parts.append(ink.table(_contest(found, places, exact)))
    elif found.kind == "ranks":
        parts += [ink.table(_ranks(found, places)), "", "  at least one result of"]
        best = _table(shown_rows(found.ranks[0], 12), "at-least", places, exact, chart)
        parts.append(ink.table(best))
    elif found.kind == "number" and found.exact is not None:
        parts.append(_number(ink, found.exact, found.unit, places))
    elif found.table is not None:
        parts += _grid(ink, found.table, places, exact)
    if found.kind == "distribution":
        parts += _distribution(ink, found.dist, view, places, exact, chart)
    notes = (
        fill(note, ink.width, initial_indent="  note: ", subsequent_indent="    ")
        for note in found.notes
    )
    return [*parts, *(ink.mark(note, "yellow") for note in notes)]


class _Ink:
    """Text with or without colour, at a width."""

    def __init__(self, colour: bool, width: int) -> None:
        self.colour, self.width = colour, width

    def mark(self, text: str, *styles: str) -> str:
        if not self.colour:
            return text
        codes = ";".join(str(CODES[style]) for style in styles)
        return f"\x1b[{codes}m{text}\x1b[0m"

    def table(self, table: Table) -> str:
        from io import StringIO

        from rich.console import Console

        out = StringIO()
        console = Console(
            file=out, width=self.width, highlight=False, force_terminal=self.colour,
            force_jupyter=False,
            color_system="standard" if self.colour else None, legacy_windows=False,
        )  # fmt: skip
        console.print(table)
        return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def _chance(ink: _Ink, low: Fraction, high: Fraction, places: int, exact: bool) -> str:
    if low != high:
        shown = ink.mark(f"{certain_percent(low, high, places)} %", "bold", "green")
        return f"  {shown}   enclosed: the ends differ by less than {_gap(high - low)}"
    first, second = f"{percent(low, places)} %", fraction(low)
    if exact:
        first, second = second, first
    return f"  {ink.mark(first, 'bold', 'green')}   {second}   {ink.mark(one_in(low), 'cyan')}"


def _number(ink: _Ink, value: Fraction, unit: str, places: int) -> str:
    number = decimal(value, max(places, 3))
    shown = ink.mark(f"{number} {unit}".rstrip(), "bold", "green")
    return f"  {shown}" if number == fraction(value) else f"  {shown}   {fraction(value)}"


def _grid(ink: _Ink, grid: Grid, places: int, exact: bool) -> list[str]:
    """A table; where it is too wide, in blocks of as many columns as fit."""
    from rich.table import Table
    from rich.text import Text

    style = "fraction" if exact else "percent"
    names = [f"  {grid.corner}", *(f"  {name}" for name, _ in grid.rows)]
    cells = [[cell(value, grid.unit, style, places) for value in row] for _, row in grid.rows]
    inner = [max((len(row[k]) for row in cells), default=0) for k in range(len(grid.columns))]
    wide = [max(len(name), width) for name, width in zip(grid.columns, inner, strict=True)]
    first = max(map(len, names))
    if first + sum(width + 2 for width in wide) > ink.width:
        first = min(first, max(ink.width // 2, 12))
        most = max(ink.width - first - 2, 1)
        wide = [
            min(max(width, *(len(word) for word in name.split()), min(len(name), 16)), most)
            for name, width in zip(grid.columns, inner, strict=True)
        ]
    blocks: list[list[int]] = [[]]
    for place, width in enumerate(wide):
        taken = first + sum(wide[k] + 2 for k in blocks[-1])
        if blocks[-1] and taken + width + 2 > ink.width:
            blocks.append([])
        blocks[-1].append(place)
    head = f"  {grid.title}: {heading(grid.unit, style)}, columns are {grid.across}"
    lines = [fill(head, ink.width, subsequent_indent="  ")]
    for block in blocks:
        table = Table(box=None, pad_edge=False, header_style="dim")
        table.add_column(Text(names[0]), justify="right", width=first, overflow="fold")
        for k in block:
            table.add_column(Text(grid.columns[k]), justify="right", width=wide[k], overflow="fold")
        for name, row in zip(names[1:], cells, strict=True):
            table.add_row(Text(name), *(row[k] for k in block))
        lines += ["", ink.table(table)]
    return lines + [ink.mark(fill(f"  {note}", ink.width), "dim") for note in grid.notes]


def _gap(size: Fraction) -> str:
    power = 0
    while size < 1 and power < 400:
        size, power = size * 10, power + 1
    return f"10^-{power - 1}"


def _contest(found: Answer, places: int, exact: bool) -> Table:
    assert found.contest is not None
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column()
    for place in range(3):
        table.add_column(justify="right" if place == int(exact) else "left")
    for name, side in zip(("  win", "  tie", "  lose"), found.contest, strict=True):
        table.add_row(name, *_cells(side, places, exact))
    return table


def _cells(side: Chance, places: int, exact: bool) -> tuple[str, ...]:
    shown = f"[bold green]{certain_percent(side.low, side.high, places)} %[/]"
    if side.exact is None:
        return shown, "enclosed", ""
    cells = (shown, fraction(side.exact), f"[cyan]{one_in(side.exact)}[/]")
    return (cells[1], cells[0], cells[2]) if exact else cells


def _ranks(found: Answer, places: int) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("  rank", "mean", "spread", "lowest", "highest"):
        table.add_column(name, justify="right")
    names = [f"  {n}" for n in range(1, len(found.ranks) + 1)]
    for name, dist in [*zip(names, found.ranks, strict=True), ("  sum", found.dist)]:
        part = dist.part if isinstance(dist, Enclosed) else dist
        ends = (
            "-" if part.low is None else str(part.low),
            "-" if part.high is None else str(part.high),
        )
        table.add_row(
            name, decimal(part.mean, places), f"{part.standard_deviation:.{places}f}", *ends
        )
    return table


def _distribution(
    ink: _Ink, dist: Any, view: str, places: int, exact: bool, chart: bool
) -> list[str]:
    rows = shown_rows(dist)
    if len(rows.rows) == 1 and not rows.beyond and not rows.missing:
        return ["  " + ink.mark(f"always {rows.rows[0].low}", "bold", "green")]
    summary = _summary(dist)
    parts = [fill(f"  {summary}", ink.width, subsequent_indent="  "), ""] if summary else []
    parts.append(ink.table(_table(rows, view, places, exact, chart)))
    outside = (fill(f"  {line}", ink.width) for line in _outside(rows, places))
    return parts + [ink.mark(line, "dim") for line in outside]


def _summary(dist: Any) -> str:
    """Mean, spread, mode and the middle half."""
    part = dist.part if isinstance(dist, Enclosed) else dist
    if isinstance(part, Dist) and not part.is_numeric:
        return ""
    if isinstance(dist, Enclosed):
        return f"median {part.median}   (no closed form: what is not known is stated below)"
    modes = part.modes()
    shown = (
        str(modes[0])
        if len(modes) == 1
        else f"{modes[0]} to {modes[-1]}"
        if len(modes) > 3
        else ", ".join(map(str, modes))
    )
    low, high = part.quantile(Fraction(1, 4)), part.quantile(Fraction(3, 4))
    mean = fraction(part.mean, 20)
    about = "" if mean == decimal(part.mean, 3) or len(mean) > 30 else f" ({mean})"
    return (
        f"mean {decimal(part.mean, 3)}{about}   spread {part.standard_deviation:.3f}   "
        f"likeliest {shown}   middle half {low} to {high}"
    )


def _table(rows: Rows, view: str, places: int, exact: bool, chart: bool) -> Table:
    from rich.table import Table
    from rich.text import Text

    numeric = bool(rows.rows) and rows.rows[0].at_least is not None
    wanted = view if numeric else "pmf"
    chances = [_viewed(row, wanted) for row in rows.rows]
    top = max(chances)
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("  roll", justify="right")
    table.add_column(
        {"pmf": "chance", "at-least": "or more", "at-most": "or less"}[wanted], justify="right"
    )
    if exact:
        table.add_column("exact", justify="right")
    if chart:
        table.add_column("")
    if numeric and wanted == "pmf":
        table.add_column("or more", justify="right", style="dim")
    for row, p in zip(rows.rows, chances, strict=True):
        name = str(row.low) if row.low == row.high else f"{row.low} to {row.high}"
        gap = row.gap if wanted == "pmf" else row.tail_gap
        cells: list[Any] = [Text(f"  {name}"), f"{certain_percent(p, p + gap, places)} %"]
        if exact:
            cells.append(fraction(p, 30))
        if chart:
            cells.append(Text(bar(p / top, 30), style="green"))
        if numeric and wanted == "pmf" and row.at_least is not None:
            least = row.at_least
            cells.append(f"{certain_percent(least, least + row.tail_gap, places)} %")
        table.add_row(*cells)
    return table


def _viewed(row: Any, view: str) -> Any:
    return {"pmf": row.p, "at-least": row.at_least, "at-most": row.at_most}[view]


def bar(share: Fraction, width: int) -> str:
    """A bar for a share of the width, in eighths of a character.

    >>> from fractions import Fraction
    >>> bar(Fraction(1, 2), 4)
    '██'
    """
    eighths = round(share * width * 8)
    return "█" * (eighths // 8) + (EIGHTHS[eighths % 8] if eighths % 8 else "")


def _outside(rows: Rows, places: int) -> list[str]:
    lines = []
    if rows.below:
        lines.append(f"below {rows.rows[0].low}: together {percent(rows.below, places)} %")
    if rows.beyond:
        above = "others" if rows.rows[0].at_least is None else f"above {rows.rows[-1].high}"
        lines.append(f"{above}: together {percent(rows.beyond, places)} %")
    if rows.missing:
        lines.append(
            f"not known: less than {_gap(rows.missing)} of all rolls, so digits shown are certain"
        )
    return lines
