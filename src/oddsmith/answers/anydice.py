"""The outputs of an AnyDice program as answers, in the views that its site has."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction
from itertools import accumulate
from math import isqrt
from typing import TYPE_CHECKING, Any

from oddsmith.answers.ask import Answer
from oddsmith.dist import float_sqrt
from oddsmith.enclosed import Enclosed
from oddsmith.errors import OutcomeError
from oddsmith.exact.text import whole_text
from oddsmith.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oddsmith.anydice.program import Output, Run

READING = "an output of an AnyDice program"
FEW = 60
"""So many outcomes of a table are read in a terminal; beyond that neighbours are joined."""

TAIL = 1_000
"""Where there are more, one in so many is left out on either side."""

MOST_DIGITS = 4_000
"""Digits of an outcome that is still shown."""

TOO_LONG = 10**MOST_DIGITS
BEYOND_FLOATS = 10**300
HUGE = 10**15
"""Means from here on are written as powers of ten in a caption."""


def views(run: Run, data: str = "normal", most: int | None = None) -> tuple[Answer, ...]:
    """The outputs of a run as answers.

    Args:
        run: What the program showed.
        data: ``normal`` distributions, the running totals ``at-least`` and ``at-most``,
            ``transposed`` (outputs by outcome), or a ``summary`` of mean, deviation and ends.
        most: So many outcomes of a table at most (default: all); neighbours are joined then.

    >>> from oddsmith.anydice import run
    >>> found = views(run("output d6 named \\"die\\""))[0]
    >>> found.text, found.reading
    ('die', '(3.50 / 1.71), an output of an AnyDice program')
    """
    notes = run.warnings
    if data == "normal":
        found = [_answer(output, most) for output in run.outputs]
    elif data == "summary":
        found = [_table(data, summary(run))]
    else:
        found = [_table(data, grid(run.outputs, data, most))]
    return tuple(one.but(notes=notes) if not place else one for place, one in enumerate(found))


def _answer(output: Output, most: int | None) -> Answer:
    label, dist = line(output.label), known(output)
    if dist is None:
        empty = Table("no outcome", "result", "outputs", (), ())
        return Answer(label, f"{READING}, which is empty", "table", table=empty)
    reading = f"{caption(output)}, {READING}"
    if max(abs(dist.low), abs(dist.high)) >= BEYOND_FLOATS:
        return Answer(label, reading, "table", table=grid([output], "normal", most))
    return Answer(label, reading, "distribution", dist=output.dist)


def _table(data: str, table: Table) -> Answer:
    return Answer(data, "the outputs of an AnyDice program", "table", table=table)


def line(label: str) -> str:
    """A name on one line."""
    return " ".join(label.split())


def known(output: Output) -> Any:
    """The distribution of an output, or the part of it that is known; None for an empty one.

    Raises:
        OutcomeError: Where its outcomes are too long to be shown.
    """
    dist = output.dist.part if isinstance(output.dist, Enclosed) else output.dist
    if dist is not None and max(abs(dist.low), abs(dist.high)) >= TOO_LONG:
        raise OutcomeError(
            f"the outcomes of {line(output.label)} have more than {MOST_DIGITS:,} digits",
            "show their length: output #X, or divide them",
        )
    return dist


def marked(output: Output) -> str:
    """The name of an output, which says so where its chances are only enclosed."""
    label = line(output.label)
    return f"{label} (enclosed)" if isinstance(output.dist, Enclosed) else label


def caption(output: Output) -> str:
    """Mean and standard deviation in brackets; of an enclosed output those of what is known.

    >>> from oddsmith.anydice import run
    >>> [caption(output) for output in run("output 3d6 output 7 output d{}").outputs]
    ['(10.50 / 2.96)', '(7.00 / 0.00)', '(- / -)']
    """
    dist = known(output)
    if dist is None:
        return "(- / -)"
    pair = f"{hundredths(dist.mean)} / {hundredths(root(dist.variance, 2))}"
    return f"({pair}, enclosed)" if isinstance(output.dist, Enclosed) else f"({pair})"


def hundredths(value: Fraction) -> str:
    """Two decimals, rounded half to even; huge numbers as a power of ten.

    >>> hundredths(Fraction(-1, 8)), hundredths(Fraction(10**20))
    ('-0.12', 'about 10^20')
    """
    scaled = round(100 * value)
    size = abs(scaled)
    if size >= 100 * HUGE:
        return f"about {'-' * (value < 0)}10^{len(whole_text(size)) - 3}"
    return f"{'-' * (scaled < 0)}{size // 100}.{size % 100:02}"


class Running:
    """The chances of an output up to any outcome; lower ends where they are enclosed.

    Args:
        output: The output.

    >>> from oddsmith.anydice import run
    >>> one = Running(run("output d{1, 3, 3}").outputs[0])
    >>> one.chance("at-least", 2, 2), one.chance("normal", 1, 3)
    (Fraction(2, 3), Fraction(1, 1))
    """

    def __init__(self, output: Output) -> None:
        dist = known(output)
        weights: dict[int, int] = dist.weights() if dist is not None else {}
        self.outcomes = list(weights)
        self.sums = [0, *accumulate(weights.values())]
        mass = output.dist.mass if isinstance(output.dist, Enclosed) else Fraction(1)
        self.share = mass / self.sums[-1] if weights else Fraction(0)

    def chance(self, data: str, low: int, high: int) -> Fraction:
        """The chance of a result from ``low`` to ``high``, of ``low`` or more, of ``high`` or less.

        Args:
            data: ``at-least``, ``at-most``, or anything else for both ends.
            low: The lower end.
            high: The upper end.
        """
        first = 0 if data == "at-most" else bisect_left(self.outcomes, low)
        last = -1 if data == "at-least" else bisect_right(self.outcomes, high)
        return (self.sums[last] - self.sums[first]) * self.share

    def middle(self) -> list[int]:
        """The outcomes without the tails on either side."""
        rest = self.sums[-1] // TAIL
        return self.outcomes[
            bisect_right(self.sums, rest) - 1 : bisect_left(self.sums, self.sums[-1] - rest)
        ]


def spans(outcomes: Sequence[int], most: int | None) -> list[tuple[int, int]]:
    """Outcomes one by one, or in ranges of 1, 2 or 5 times a power of ten.

    >>> spans(range(1, 13), 20)[:2], spans(range(1, 13), 5)
    ([(1, 1), (2, 2)], [(0, 4), (5, 9), (10, 14)])
    """
    if most is None or len(outcomes) <= most:
        return [(outcome, outcome) for outcome in outcomes]
    width, factors, place = 1, (2, 5, 10), 0
    while outcomes[-1] // width - outcomes[0] // width + 1 > max(most, 2):
        width = factors[place % 3] * 10 ** (place // 3)
        place += 1
    starts = dict.fromkeys(outcome // width * width for outcome in outcomes)
    return [(start, start + width - 1) for start in starts]


TITLES = {
    "at-least": "Chance of each outcome or more",
    "at-most": "Chance of each outcome or less",
}


def grid(outputs: Sequence[Output], data: str, most: int | None = None) -> Table:
    """Outputs by outcome: exactly, at least or at most.

    Args:
        outputs: What the program showed.
        data: ``normal``, ``at-least``, ``at-most``, or ``transposed`` with a row for each output.
        most: So many outcomes at most; neighbours are joined then.

    >>> from oddsmith.anydice import run
    >>> grid(run("output d2").outputs, "at-least").rows[1]
    ('2', (Fraction(1, 2),))
    """
    shown = [Running(output) for output in outputs]
    outcomes = sorted({outcome for one in shown for outcome in one.outcomes})
    notes: tuple[str, ...] = ()
    if most is not None and len(outcomes) > most:
        middles = [one.middle() for one in shown if one.outcomes]
        low, high = min(part[0] for part in middles), max(part[-1] for part in middles)
        outcomes = outcomes[bisect_left(outcomes, low) : bisect_right(outcomes, high)]
        notes = ("Outcomes are left out or joined here: --as csv has every one.",)
    rows = [
        (
            _span(data, low, high),
            tuple(one.chance(data, low, high) if one.outcomes else None for one in shown),
        )
        for low, high in spans(outcomes, most)
    ]
    title = TITLES.get(data, "Chance of each outcome")
    columns = tuple(map(marked, outputs))
    found = Table(title, "outcome", "outputs", columns, tuple(rows), notes=notes)
    if data != "transposed":
        return found
    return turned(found).but(corner="output", across="outcomes")


def _span(data: str, low: int, high: int) -> str:
    if data in TITLES:
        return whole_text(low if data == "at-least" else high)
    return whole_text(low) if low == high else f"{whole_text(low)} to {whole_text(high)}"


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
        dist = known(output)
        cells: tuple[Fraction | None, ...] = (None,) * 5
        if dist is not None:
            variance = dist.variance
            ends = Fraction(dist.low), Fraction(dist.high)
            cells = (dist.mean, root(variance), variance, *ends)
        rows.append((marked(output), cells))
    columns = ("mean", "deviation", "variance", "lowest", "highest")
    return Table("Every output in short", "output", "readings", columns, tuple(rows), "number")


def root(value: Fraction, places: int = 9) -> Fraction:
    """The square root, rounded to so many decimals.

    >>> root(Fraction(2)), root(Fraction(2), 2)
    (Fraction(707106781, 500000000), Fraction(141, 100))
    """
    scaled = 4 * 10 ** (2 * places) * value
    return Fraction((isqrt(scaled.numerator // scaled.denominator) + 1) // 2, 10**places)


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
    return "\n\n".join(_exported(output, data) for output in run.outputs)


def _exported(output: Output, data: str) -> str:
    dist, one = known(output), Running(output)
    if dist is None:
        return f'"{marked(output)}",,,,\n#,%'
    low, high = map(whole_text, (dist.low, dist.high))
    lines = [f'"{marked(output)}",{_short(dist.mean)},{_deviation(dist.variance)},{low},{high}']
    if data != "summary":
        lines.append("#,%")
        lines += [f"{whole_text(x)},{_short(100 * one.chance(data, x, x))}" for x in one.outcomes]
    return "\n".join(lines)


def _export_turned(run: Run) -> str:
    table = grid(run.outputs, "normal")
    blocks = []
    for outcome, cells in table.rows:
        lines = [
            f'"{label}",{_short(100 * (cell or Fraction(0)))}'
            for label, cell in zip(table.columns, cells, strict=True)
        ]
        blocks.append("\n".join([f'"{outcome}"', '"output",%', *lines]))
    return "\n\n".join(blocks)


def _short(number: Fraction) -> str:
    """Twelve digits; all of them before the point where there are too many for a float."""
    try:
        return f"{float(number):.12g}"
    except OverflowError:
        return whole_text(round(number))


def _deviation(variance: Fraction) -> str:
    try:
        return f"{float_sqrt(variance):.12g}"
    except OverflowError:
        return _short(root(variance))
