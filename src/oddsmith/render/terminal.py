"""Answers for people, in a terminal: plain without colour, as wide as it is."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from oddsmith.answers.rows import Rows, shown_rows
from oddsmith.dist import Dist
from oddsmith.enclosed import Enclosed
from oddsmith.render.numbers import certain_percent, decimal, fraction, one_in, percent

if TYPE_CHECKING:
    from rich.console import RenderableType

    from oddsmith.answers.ask import Answer
    from oddsmith.notation.chance import Chance

EIGHTHS = " ▏▎▍▌▋▊▉█"


def console(width: int | None = None) -> Console:
    """A console that keeps to plain text where it is not a terminal.

    >>> console(60).width
    60
    """
    return Console(width=width, highlight=False, soft_wrap=False)


def answer(
    found: Answer, view: str = "pmf", places: int = 2, exact: bool = False, chart: bool = True
) -> RenderableType:
    """One answer: title, reading, result, notes.

    Args:
        found: The answer.
        view: ``pmf``, ``at-least`` or ``at-most``: which chance the bars show.
        places: Decimal places of percentages.
        exact: Fractions in front.
        chart: Whether bars are drawn.
    """
    parts: list[RenderableType] = []
    title = Text(found.label or found.text, style="bold")
    if found.label:
        title.append(f"  {found.text}", style="dim")
    parts += [title, Text(found.reading, style="dim italic"), Text()]
    if found.kind == "probability" and found.low is not None and found.high is not None:
        parts.append(_chance(found.low, found.high, places, exact))
    elif found.kind == "contest":
        parts.append(_contest(found, places, exact))
    elif found.kind == "ranks":
        parts.append(_ranks(found, places))
    if found.kind == "distribution":
        parts += _distribution(found.dist, view, places, exact, chart)
    parts += [Text(f"  note: {note}", style="yellow") for note in found.notes]
    return Group(*parts)


def _chance(low: Fraction, high: Fraction, places: int, exact: bool) -> Text:
    if low == high:
        first, second = f"{percent(low, places)} %", fraction(low)
        if exact:
            first, second = second, first
        return Text.assemble(
            "  ", (first, "bold green"), "   ", second, "   ", (one_in(low), "cyan")
        )
    line = Text.assemble("  ", (f"{certain_percent(low, high, places)} %", "bold green"))
    line.append(f"   enclosed: the ends differ by less than {_gap(high - low)}")
    return line


def _gap(size: Fraction) -> str:
    power = 0
    while size < 1 and power < 400:
        size, power = size * 10, power + 1
    return f"10^-{power - 1}"


def _contest(found: Answer, places: int, exact: bool) -> Table:
    assert found.contest is not None
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, side in zip(("  win", "  tie", "  lose"), found.contest, strict=True):
        table.add_row(name, *_cells(side, places, exact))
    return table


def _cells(side: Chance, places: int, exact: bool) -> tuple[Text, ...]:
    shown = Text(
        f"{certain_percent(side.low, side.high, places)} %", style="bold green", justify="right"
    )
    if side.exact is None:
        return shown, Text("enclosed"), Text("")
    cells = (shown, Text(fraction(side.exact)), Text(one_in(side.exact), style="cyan"))
    return (cells[1], cells[0], cells[2]) if exact else cells


def _ranks(found: Answer, places: int) -> Table:
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
    dist: Any, view: str, places: int, exact: bool, chart: bool
) -> list[RenderableType]:
    rows = shown_rows(dist)
    parts: list[RenderableType] = []
    if len(rows.rows) == 1 and not rows.beyond and not rows.missing:
        return [Text.assemble("  ", (f"always {rows.rows[0].low}", "bold green"))]
    summary = _summary(dist)
    if summary:
        parts += [Text("  " + summary), Text()]
    parts.append(_table(rows, view, places, exact, chart))
    parts += [Text(f"  {line}", style="dim") for line in _outside(rows, places)]
    return parts


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
        cells: list[Any] = [f"  {name}", f"{certain_percent(p, p + rows.missing, places)} %"]
        if exact:
            cells.append(fraction(p, 30))
        if chart:
            cells.append(Text(bar(p / top, 30), style="green"))
        if numeric and wanted == "pmf" and row.at_least is not None:
            least = row.at_least
            cells.append(f"{certain_percent(least, least + rows.missing, places)} %")
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
