"""``Chart``: what a picture shows, as exact plain data; ``render/figure`` draws it.

A chart says which question it answers (its title), what its axes are, and which exact values stand
where. Nothing here knows about colours or pixels, so tests look at the data.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from oddsmith.answers.rows import Row, shown_rows
from oddsmith.dist import Dist
from oddsmith.errors import RuleError
from oddsmith.record import Record
from oddsmith.shown import Shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from oddsmith.answers.ask import Answer
    from oddsmith.table import Table

Kind = Literal["bars", "lines", "steps", "chances", "heat", "stack", "ridge", "scatter"]
View = Literal["pmf", "at-least", "at-most"]
SIDES = ("win", "tie", "lose", "not known")
WORDS = {"pmf": "chance", "at-least": "chance of this or more", "at-most": "chance of this or less"}
MOST_NAMES = 120
"""So many outcomes are drawn with their tails; of names only so many, the likeliest."""

MOST_POINTS = 2_000
"""So many outcomes of one distribution are drawn one by one; beyond that ranges are joined."""


class Series(Record):
    """One line, one set of bars, one ridge or one cloud of points.

    Attributes:
        name: Its label.
        xs: Where: numbers, or names of outcomes.
        ys: How much: exact.
        below: The chance left of the first x.
        beyond: The chance right of the last x.
        highs: The upper ends of values that are only enclosed (``ys`` are the lower ones then);
            empty where everything is exact.
        places: Which of the chart's columns the values stand in, where not every column has one.
    """

    name: str
    xs: tuple[Any, ...]
    ys: tuple[Fraction, ...]
    below: Fraction = Fraction(0)
    beyond: Fraction = Fraction(0)
    highs: tuple[Fraction, ...] = ()
    places: tuple[int, ...] = ()


class Chart(Record, Shown):
    """A picture as data.

    Attributes:
        kind: ``bars`` of one distribution, ``lines`` of several, ``steps`` of running totals,
            ``chances`` of questions, ``heat`` of a two-way table, ``stack`` of bands that add up to
            1, ``ridge`` of distributions over a parameter, ``scatter`` of points.
        title: The question.
        x: What the horizontal axis is.
        y: What the vertical axis is.
        series: What is drawn.
        percent: Whether the values are chances, shown in percent.
        notes: What a reader has to know.
        columns: All columns of a heat map, also those without a value.
        colours: What the colours stand for: the value of a heat map, the bands of a stack.
        look: Whose colours and lines are used: ``anydice``, or the usual ones.
    """

    kind: Kind
    title: str
    x: str
    y: str
    series: tuple[Series, ...]
    percent: bool = True
    notes: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    colours: str = ""
    look: Literal["", "anydice"] = ""


def chart(answers: Sequence[Answer], view: View = "pmf", most: int = MOST_POINTS) -> Chart:
    """The picture that suits some answers.

    A table becomes a heat map, distributions bars or lines, questions and contests bars of chances.

    Raises:
        RuleError: Where there is nothing to draw.

    >>> from oddsmith import odds
    >>> chart(odds("d6")).kind, chart(odds("d6; 2d6")).kind, chart(odds("d6 >= 3")).kind
    ('bars', 'lines', 'chances')
    """
    tables = [answer.table for answer in answers if answer.table is not None]
    if tables:
        return heat(tables[0])
    spread = [answer for answer in answers if answer.kind in ("distribution", "ranks")]
    if spread:
        named = [(_name(answer), answer.dist) for answer in spread]
        return distributions(named, view, most=most)
    asked = [answer for answer in answers if answer.low is not None or answer.contest]
    if asked:
        return chances(asked)
    numbers = [answer for answer in answers if answer.kind == "number"]
    if not numbers:
        raise RuleError("there is nothing to draw", "plot a distribution, a question or a table")
    return amounts(numbers)


def amounts(answers: Sequence[Answer]) -> Chart:
    """Numbers that are no chances, one bar for each.

    >>> from oddsmith.answers.play import answer
    >>> from oddsmith.games.catalogue import Amount
    >>> amounts([answer("mean", "the mean", Amount(Fraction(7, 2), "pips"))]).series[0].ys
    (Fraction(7, 2),)
    """
    names = tuple(_name(answer) for answer in answers)
    values = tuple(answer.exact or Fraction(0) for answer in answers)
    units = {answer.unit for answer in answers if answer.unit}
    unit = units.pop() if len(units) == 1 else "value"
    title = answers[0].reading.split("(")[0].strip() or "How much?"
    return Chart("bars", title, "result", unit, (Series("value", names, values),), percent=False)


def distributions(
    named: Sequence[tuple[str, Any]], view: View = "pmf", title: str = "", most: int = MOST_POINTS
) -> Chart:
    """One distribution as bars, several as lines; running totals as steps.

    Args:
        named: Names and distributions of any kind.
        view: Exactly, at least or at most.
        title: The question; a name or a common one when left out.
        most: So many outcomes at most; neighbours are joined beyond that.

    >>> from oddsmith import Dist
    >>> distributions([("coin", Dist([0, 1]))]).series[0].ys
    (Fraction(1, 2), Fraction(1, 2))
    """
    kind: Kind = "steps" if view != "pmf" else "bars" if len(named) == 1 else "lines"
    series = tuple(series_of(name, dist, view, most) for name, dist in named)
    asked = title or (named[0][0] if len(named) == 1 else "Which result, how often?")
    return Chart(kind, asked, "result", WORDS[view], series)


def series_of(name: str, dist: Any, view: View = "pmf", most: int = MOST_POINTS) -> Series:
    """A distribution as a series; long tails are left to ``below`` and ``beyond``.

    >>> from oddsmith import Dist
    >>> series_of("coin", Dist([0, 1]), "at-least").ys
    (Fraction(1, 1), Fraction(1, 2))
    """
    named = isinstance(dist, Dist) and not dist.is_numeric
    rows = shown_rows(dist, min(most, MOST_NAMES) if named else most, MOST_NAMES)
    ordered = rows.rows[0].at_least is not None
    if view != "pmf" and not ordered:
        raise RuleError(f"the outcomes of {name} have no order", "draw their chances: --view pmf")
    values: list[Fraction | None] = [row.p for row in rows.rows]
    if ordered and view != "pmf":
        values = [row.at_least if view == "at-least" else row.at_most for row in rows.rows]
    xs = tuple(_place(row, view) if ordered else str(row.low) for row in rows.rows)
    ys = tuple(Fraction(value) for value in values if value is not None)
    gaps = [row.gap if view == "pmf" else row.tail_gap for row in rows.rows]
    highs = tuple(y + gap for y, gap in zip(ys, gaps, strict=True)) if any(gaps) else ()
    return Series(name, xs, ys, rows.below, rows.beyond, highs)


def _place(row: Row, view: View) -> Fraction:
    """Where a row stands: joined outcomes begin at the low end, or end at the high one."""
    if view == "pmf":
        return Fraction(row.low + row.high) / 2
    return Fraction(row.low if view == "at-least" else row.high)


def chances(answers: Sequence[Answer]) -> Chart:
    """One bar for each question; win, tie and lose side by side for a contest.

    >>> from oddsmith import odds
    >>> [series.name for series in chances(odds("d6 vs d6")).series]
    ['win', 'tie', 'lose']
    """
    names = tuple(_name(answer) for answer in answers)
    contests = [answer for answer in answers if answer.contest]
    if contests and len(contests) == len(answers):
        rows = [sides(answer) for answer in answers]
        drawn = [k for k in range(4) if k < 3 or any(row[k] for row in rows)]
        series = tuple(Series(SIDES[k], names, tuple(row[k] for row in rows)) for k in drawn)
        return Chart("chances", "Who wins?", "chance", "", series)
    return Chart("chances", "How likely?", "chance", "", (questions("chance", names, answers),))


def questions(name: str, xs: tuple[Any, ...], answers: Sequence[Answer]) -> Series:
    """The chances of questions, of contests that to win; both ends where they are only enclosed.

    Raises:
        RuleError: Where an answer has no chance.

    >>> from oddsmith import odds
    >>> questions("chance", ("a", "b"), odds("d6 >= 3; d6 vs d6")).ys
    (Fraction(2, 3), Fraction(5, 12))
    """
    ends = [_ends(answer) for answer in answers]
    lows, highs = tuple(low for low, _ in ends), tuple(high for _, high in ends)
    return Series(name, xs, lows, highs=highs if highs != lows else ())


def _ends(answer: Answer) -> tuple[Fraction, Fraction]:
    if answer.low is not None and answer.high is not None:
        return answer.low, answer.high
    if answer.contest is None:
        raise RuleError(f"{answer.text} has no chance to draw", "plot it without the others")
    return answer.contest[0].low, answer.contest[0].high


def sides(answer: Answer) -> tuple[Fraction, ...]:
    """Win, tie and lose of a contest, and what is not known; they add up to 1.

    >>> from oddsmith import odds
    >>> sides(odds("d6 vs d6")[0])
    (Fraction(5, 12), Fraction(1, 6), Fraction(5, 12), Fraction(0, 1))
    """
    known = tuple(side.low for side in answer.contest or ())
    return *known, 1 - sum(known, Fraction(0))


def heat(table: Table) -> Chart:
    """A two-way table as a heat map: one series for each row; empty columns keep their place.

    >>> from oddsmith.table import tabulate
    >>> grid = tabulate("t", ("a", [1]), ("b", [2]), lambda a, b: Fraction(a, b))
    >>> heat(grid).series[0].ys
    (Fraction(1, 2),)
    """
    series = []
    for name, cells in table.rows:
        places = tuple(place for place, cell in enumerate(cells) if cell is not None)
        xs = tuple(table.columns[place] for place in places)
        ys = tuple(cell for cell in cells if cell is not None)
        series.append(Series(name, xs, ys, places=places))
    chance = table.unit == "chance"
    return Chart(
        "heat", table.title, table.across, table.corner, tuple(series), chance, table.notes,
        table.columns, table.value or ("chance" if chance else "value"),
    )  # fmt: skip


def stack(table: Table, title: str = "") -> Chart:
    """Bands that add up to 1 over the rows of a table: one series for each column.

    Raises:
        RuleError: Where a row does not add up to 1.

    >>> from oddsmith.table import tabulate
    >>> half = tabulate("coin", ("n", [1]), ("side", ["h", "t"]), lambda *_: Fraction(1, 2))
    >>> [series.name for series in stack(half).series]
    ['h', 't']
    """
    for name, cells in table.rows:
        if sum((cell or Fraction(0) for cell in cells), Fraction(0)) != 1:
            raise RuleError(f"the bands of {name} do not add up to 1", "give every outcome a band")
    names = tuple(name for name, _ in table.rows)
    series = tuple(
        Series(column, names, tuple(cells[k] or Fraction(0) for _, cells in table.rows))
        for k, column in enumerate(table.columns)
    )
    return Chart(
        "stack", title or table.title, table.corner, "chance", series, notes=table.notes,
        colours=table.across,
    )  # fmt: skip


def ridge(named: Sequence[tuple[str, Any]], title: str, over: str) -> Chart:
    """Distributions one above the other, over a parameter.

    Args:
        named: The values of the parameter with their distributions.
        title: The question.
        over: What the parameter is.

    >>> from oddsmith import Dist
    >>> ridge([("1", Dist([0, 1]))], "Coins", "number").y
    'number'
    """
    series = tuple(series_of(name, dist, "pmf") for name, dist in named)
    return Chart("ridge", title, "result", over, series)


def scatter(points: Iterable[tuple[str, Fraction, Fraction]], title: str, x: str, y: str) -> Chart:
    """Named points, such as cost and benefit.

    >>> scatter([("axe", Fraction(5), Fraction(2))], "Worth it?", "cost", "wounds").series[0].name
    'axe'
    """
    series = tuple(Series(name, (across,), (up,)) for name, across, up in points)
    return Chart("scatter", title, x, y, series, percent=False)


def _name(answer: Answer) -> str:
    return answer.label or answer.text
