"""Answers for people, in a terminal: plain without colour, as wide as it is.

Tables are drawn by rich, which is imported only where there is one.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby
from shutil import get_terminal_size
from textwrap import fill
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from oddsmith.answers.rows import Rows, shown_rows
from oddsmith.dist import Dist
from oddsmith.enclosed import Enclosed
from oddsmith.render.apportion import percentages
from oddsmith.render.cells import PLAIN, Look, added_up, against, is_off, laid_out
from oddsmith.render.numbers import below, decimal, deviation, fraction, one_in, percent
from oddsmith.render.records import UNKNOWN, chance_text, is_known

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.table import Table

    from oddsmith.answers.ask import Answer
    from oddsmith.notation.chance import Chance
    from oddsmith.table import Table as Grid

EIGHTHS = " ▏▎▍▌▋▊▉█"
NONE: Mapping[int, str] = MappingProxyType({})
CODES = {"bold": 1, "dim": 2, "green": 32, "yellow": 33, "cyan": 36}


def answer(
    found: Answer,
    view: str = "pmf",
    look: Look = PLAIN,
    chart: bool = True,
    width: int | None = None,
    colour: bool = False,
) -> str:
    """One answer: title, reading, result, notes.

    Args:
        found: The answer.
        view: ``pmf``, ``at-least`` or ``at-most``: which chance the bars show.
        look: How chances are written; the chosen form stands in front.
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
    return "\n".join([*parts, *_body(found, ink, view, look, chart)])


def answers(
    found: Sequence[Answer],
    view: str = "pmf",
    look: Look = PLAIN,
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
            blocks += [answer(one, view, look, chart, width, colour) for one in members]
            continue
        parts = [ink.mark(text, "bold"), ink.mark(fill(members[0].reading, width), "dim")]
        wide = max(len(one.label or "") for one in members) + 2
        before = ""
        for one in members:
            body = _body(one, ink, view, look, chart)
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


def _body(found: Answer, ink: _Ink, view: str, look: Look, chart: bool) -> list[str]:
    """Everything below the title."""
    parts: list[str] = []
    if found.kind == "probability" and found.low is not None and found.high is not None:
        parts.append(_chance(ink, found.low, found.high, look))
    elif found.kind == "contest":
        parts += _contest(ink, found, look)
    elif found.kind == "ranks":
        parts += [ink.table(_ranks(found, look.places)), "", "  at least one result of"]
        best = _table(shown_rows(found.ranks[0], 12), "at-least", look, chart)
        parts.append(ink.table(best))
    elif found.kind == "number" and found.exact is not None:
        parts.append(_number(ink, found.exact, found.unit, look))
    elif found.table is not None:
        parts += _grid(ink, found.table, look)
    if found.kind == "distribution":
        parts += _distribution(ink, found.dist, view, look, chart)
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

    def faint(self, line: str) -> str:
        """An indented line below a table."""
        return self.mark(fill(f"  {line}", self.width, subsequent_indent="  "), "dim")

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


def _forms(chance: Fraction, look: Look) -> dict[str, str]:
    """A chance in percent, as a fraction and in words; the chosen form first.

    >>> list(_forms(Fraction(1, 2), Look("odds")).values())
    ['1 : 1', '50.00 %', '1/2']
    """
    forms = {
        "percent": f"{percent(chance, look.places)} %", "fraction": fraction(chance),
        "one-in": one_in(chance),
    }  # fmt: skip
    if look.style == "odds":
        forms["odds"] = against(chance)
        del forms["one-in"]
    return {look.style: forms[look.style]} | forms


def _chance(ink: _Ink, low: Fraction, high: Fraction, look: Look) -> str:
    if low != high:
        shown = ink.mark(_said(low, high, look), "bold", "green")
        return f"  {shown}   enclosed: the ends differ by less than {below(high - low)}"
    first, *others = _forms(low, look).items()
    parts = [ink.mark(first[1], "bold", "green")]
    parts += [ink.mark(text, "cyan") if form == "one-in" else text for form, text in others]
    return "  " + "   ".join(parts)


def _said(low: Fraction, high: Fraction, look: Look) -> str:
    """A chance between two ends, with its sign."""
    text = chance_text(low, high, look)
    return f"{text} %" if look.style in ("percent", "fraction") else text


def _number(ink: _Ink, value: Fraction, unit: str, look: Look) -> str:
    forms = [decimal(value, max(look.places, 3)), fraction(value)]
    if look.style == "fraction":
        forms.reverse()
    shown = "  " + ink.mark(f"{forms[0]} {unit}".rstrip(), "bold", "green")
    return shown if forms[0] == forms[1] else f"{shown}   {forms[1]}"


def _grid(ink: _Ink, grid: Grid, look: Look) -> list[str]:
    """A table; where it is too wide, in blocks of as many columns as fit."""
    from rich.table import Table
    from rich.text import Text

    laid = laid_out(grid, look)
    cells = laid.rows
    names = [f"  {grid.corner}", *(f"  {name}" for name, _ in grid.rows)]
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
    head = f"  {grid.title}: {laid.heading}, columns are {grid.across}"
    lines = [fill(head, ink.width, subsequent_indent="  ")]
    for block in blocks:
        table = Table(box=None, pad_edge=False, header_style="dim")
        table.add_column(Text(names[0]), justify="right", width=first, overflow="fold")
        for k in block:
            table.add_column(Text(grid.columns[k]), justify="right", width=wide[k], overflow="fold")
        for name, row in zip(names[1:], cells, strict=True):
            table.add_row(Text(name), *(row[k] for k in block))
        lines += ["", ink.table(table)]
    return lines + [ink.faint(note) for note in filter(None, [*grid.notes, laid.note])]


def _contest(ink: _Ink, found: Answer, look: Look) -> list[str]:
    assert found.contest is not None
    from rich.table import Table

    shown, told = [_cells(side, look) for side in found.contest], ""
    if look.add_up:
        told = UNKNOWN
        if is_known(found):
            exact = [side.low for side in found.contest]
            texts = percentages(exact, look.places)
            shown = [(f"{text} %", *rest) for text, (_, *rest) in zip(texts, shown, strict=True)]
            told = added_up("they add up", texts) if any(_is_off(p, look) for p in exact) else ""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column()
    for place, form in enumerate(_forms(Fraction(1), look)):
        style = "bold green" if not place else "cyan" if form == "one-in" else ""
        table.add_column(justify="right" if form == "percent" else "left", style=style)
    for name, cells in zip(("win", "tie", "lose"), shown, strict=True):
        table.add_row(f"  {name}", *cells)
    return [ink.table(table), *([ink.faint(told)] if told else [])]


def _is_off(chance: Fraction, look: Look) -> bool:
    return is_off(chance, "chance", look)


def _cells(side: Chance, look: Look) -> tuple[str, ...]:
    if side.exact is None:
        return _said(side.low, side.high, look), "enclosed", ""
    return tuple(_forms(side.exact, look).values())


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
            name, decimal(part.mean, places), deviation(part.standard_deviation, places), *ends
        )
    return table


def _distribution(ink: _Ink, dist: Any, view: str, look: Look, chart: bool) -> list[str]:
    rows = shown_rows(dist)
    if len(rows.rows) == 1 and not rows.beyond and not rows.missing:
        return ["  " + ink.mark(f"always {rows.rows[0].low}", "bold", "green")]
    summary = _summary(dist)
    parts = [fill(f"  {summary}", ink.width, subsequent_indent="  "), ""] if summary else []
    shares, told = _shares(rows, look) if look.add_up else ({}, "")
    parts.append(ink.table(_table(rows, view, look, chart, shares)))
    parts += [ink.faint(line) for line in _outside(rows, look, shares)]
    return [*parts, *([ink.faint(told)] if told else [])]


def _shares(rows: Rows, look: Look) -> tuple[dict[int, str], str]:
    """Percentages that add up to 100, by place of the row (-1: below them), and what is to be said.

    Empty where not everything is known, or nothing is rounded.
    """
    if rows.missing:
        return {}, UNKNOWN
    chances = [rows.below, *(row.p for row in rows.rows), rows.beyond]
    if not any(_is_off(p, look) for p in chances):
        return {}, ""
    texts = percentages(chances, look.places)
    return dict(enumerate(texts, -1)), added_up("they add up", texts)


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
        f"mean {decimal(part.mean, 3)}{about}   spread {deviation(part.standard_deviation)}   "
        f"likeliest {shown}   middle half {low} to {high}"
    )


def _table(
    rows: Rows, view: str, look: Look, chart: bool, shares: Mapping[int, str] = NONE
) -> Table:
    from rich.table import Table
    from rich.text import Text

    numeric = bool(rows.rows) and rows.rows[0].at_least is not None
    wanted = view if numeric else "pmf"
    chances = [_viewed(row, wanted) for row in rows.rows]
    top = max(chances)
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("  roll", justify="right")
    exactly = "odds against" if look.style == "odds" else "chance"
    table.add_column(
        {"pmf": exactly, "at-least": "or more", "at-most": "or less"}[wanted], justify="right"
    )
    if look.style == "fraction":
        table.add_column("exact", justify="right")
    if chart:
        table.add_column("")
    if numeric and wanted == "pmf":
        table.add_column("or more", justify="right", style="dim")
    for place, (row, p) in enumerate(zip(rows.rows, chances, strict=True)):
        name = str(row.low) if row.low == row.high else f"{row.low} to {row.high}"
        gap = row.gap if wanted == "pmf" else row.tail_gap
        share = f"{shares[place]} %" if place in shares else _said(p, p + gap, look)
        cells: list[Any] = [Text(f"  {name}"), share]
        if look.style == "fraction":
            cells.append(fraction(p, 30))
        if chart:
            cells.append(Text(bar(p / top, 30), style="green"))
        if numeric and wanted == "pmf" and row.at_least is not None:
            least = row.at_least
            cells.append(_said(least, least + row.tail_gap, look))
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


def _outside(rows: Rows, look: Look, shares: Mapping[int, str] = NONE) -> list[str]:
    lines = []

    def together(place: int, p: Fraction) -> str:
        return f"{shares[place]} %" if place in shares else _said(p, p, look)

    if rows.below:
        lines.append(f"below {rows.rows[0].low}: together {together(-1, rows.below)}")
    if rows.beyond:
        above = "others" if rows.rows[0].at_least is None else f"above {rows.rows[-1].high}"
        lines.append(f"{above}: together {together(len(rows.rows), rows.beyond)}")
    if rows.missing:
        lines.append(
            f"not known: less than {below(rows.missing)} of all rolls, so digits shown are certain"
        )
    return lines
