"""The outputs of an AnyDice program as answers, in the views that its site has."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING

from oddsmith.answers.ask import Answer
from oddsmith.dist import float_sqrt
from oddsmith.enclosed import Enclosed
from oddsmith.table import Table, tabulate

if TYPE_CHECKING:
    from oddsmith.anydice.program import Output, Run

READING = "an output of an AnyDice program"


def views(run: Run, data: str = "normal") -> tuple[Answer, ...]:
    """The outputs of a run as answers.

    Args:
        run: What the program showed.
        data: ``normal`` distributions, the running totals ``at-least`` and ``at-most``,
            ``transposed`` (outputs by outcome), or a ``summary`` of mean, deviation and ends.

    >>> from oddsmith.anydice import run
    >>> views(run("output d6 named \\"die\\""))[0].text
    'die'
    """
    notes = run.warnings
    if data == "normal":
        found = [_answer(output) for output in run.outputs]
    elif data == "summary":
        found = [_table("summary", summary(run))]
    else:
        found = [_table(data, grid(run, data))]
    return tuple(one.but(notes=notes) if not place else one for place, one in enumerate(found))


def _answer(output: Output) -> Answer:
    if output.dist is None:
        empty = Table("no outcome", "result", "outputs", (), ())
        return Answer(output.label, f"{READING}, which is empty", "table", table=empty)
    return Answer(output.label, READING, "distribution", dist=output.dist)


def _table(name: str, table: Table) -> Answer:
    return Answer(name, "the outputs of an AnyDice program", "table", table=table)


def grid(run: Run, data: str) -> Table:
    """Outputs by outcome: exactly, at least or at most.

    >>> from oddsmith.anydice import run
    >>> grid(run("output d2"), "at-least").rows[1]
    ('2', (Fraction(1, 2),))
    """
    tables = [dict(output.rows) for output in run.outputs]
    outcomes = sorted({outcome for table in tables for outcome in table})
    labels = [output.label for output in run.outputs]
    places = {str(place): table for place, table in enumerate(tables)}

    def cell(outcome: int, place: str) -> Fraction | None:
        table = places[place]
        if not table:
            return None
        if data == "at-least":
            return sum((p for o, p in table.items() if o >= outcome), Fraction(0))
        if data == "at-most":
            return sum((p for o, p in table.items() if o <= outcome), Fraction(0))
        return table.get(outcome, Fraction(0))

    found = tabulate("Chance of each outcome", ("outcome", outcomes), ("outputs", places), cell)
    found = found.but(columns=tuple(labels))
    if data != "transposed":
        return found
    return turned(found).but(corner="output", across="outcomes")


def turned(table: Table) -> Table:
    """Rows as columns.

    >>> turned(Table("t", "a", "b", ("x",), (("y", (None,)),))).columns
    ('y',)
    """
    rows = tuple(
        (column, tuple(cells[k] for _, cells in table.rows))
        for k, column in enumerate(table.columns)
    )
    return table.but(
        corner=table.across, across=table.corner, rows=rows,
        columns=tuple(name for name, _ in table.rows),
    )  # fmt: skip


def summary(run: Run) -> Table:
    """Mean, deviation, variance, lowest and highest outcome of every output.

    The deviation is the root of the variance to nine decimals.

    >>> from oddsmith.anydice import run
    >>> summary(run("output d{2, 6}")).rows[0][1]
    (Fraction(4, 1), Fraction(2, 1), Fraction(4, 1), Fraction(2, 1), Fraction(6, 1))
    """
    rows = []
    for output in run.outputs:
        dist = output.dist.part if isinstance(output.dist, Enclosed) else output.dist
        cells: tuple[Fraction | None, ...] = (None,) * 5
        if dist is not None:
            variance = dist.variance
            ends = Fraction(dist.low), Fraction(dist.high)
            cells = (dist.mean, root(variance), variance, *ends)
        rows.append((output.label, cells))
    columns = ("mean", "deviation", "variance", "lowest", "highest")
    return Table("Every output in short", "output", "readings", columns, tuple(rows), "number")


def root(value: Fraction) -> Fraction:
    """The square root, rounded to nine decimals.

    >>> root(Fraction(2))
    Fraction(707106781, 500000000)
    """
    scaled = 4 * 10**18 * value
    return Fraction((isqrt(scaled.numerator // scaled.denominator) + 1) // 2, 10**9)


def export(run: Run, data: str = "normal") -> str:
    """The export text of the site: a head line for each output, then its rows.

    >>> from oddsmith.anydice import run
    >>> print(export(run("output d2")))
    "output 1",1.5,0.5,1,2
    #,%
    1,50
    2,50
    """
    if data == "transposed":
        return _export_turned(run)
    blocks = []
    for output in run.outputs:
        rows = output.rows
        dist = output.dist.part if isinstance(output.dist, Enclosed) else output.dist
        if dist is None:
            blocks.append(f'"{output.label}",,,,\n#,%')
            continue
        spread = float_sqrt(dist.variance)
        head = (
            f'"{output.label}",{_short(float(dist.mean))},{_short(spread)},{dist.low},{dist.high}'
        )
        running = {
            "at-least": lambda outcome, rows=rows: sum(p for o, p in rows if o >= outcome),
            "at-most": lambda outcome, rows=rows: sum(p for o, p in rows if o <= outcome),
        }.get(data)
        lines = [
            f"{outcome},{_short(100 * float(running(outcome) if running else p))}"
            for outcome, p in rows
        ]
        blocks.append("\n".join([head, "#,%", *lines]))
    return "\n\n".join(blocks)


def _export_turned(run: Run) -> str:
    table = grid(run, "normal")
    blocks = []
    for outcome, cells in table.rows:
        lines = [
            f'"{label}",{_short(100 * float(cell or 0))}'
            for label, cell in zip(table.columns, cells, strict=True)
        ]
        blocks.append("\n".join([f'"{outcome}"', '"output",%', *lines]))
    return "\n\n".join(blocks)


def _short(number: float) -> str:
    return f"{number:.12g}"
