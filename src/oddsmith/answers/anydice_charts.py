"""The outputs of an AnyDice program as charts, drawn the way its site draws them.

Lines with dots in its order of colours, with mean and deviation behind the names; a single value
is said, not drawn. :mod:`oddsmith.answers.charts` has the data, ``render/figure`` the picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oddsmith.answers.anydice import Running, caption, grid, known, line, spans, summary
from oddsmith.answers.charts import MOST_POINTS, Chart, Series, heat
from oddsmith.enclosed import Enclosed
from oddsmith.errors import RuleError
from oddsmith.exact.text import whole_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from oddsmith.anydice.program import Output, Run

MOST_SERIES = 24
"""Eight colours with three kinds of dots."""

TITLES = {
    "normal": ("Which result, how often?", "chance"),
    "at-least": ("How likely is this result or more?", "chance of this or more"),
    "at-most": ("How likely is this result or less?", "chance of this or less"),
}
ENCLOSED = "Only a part is known; what is missing is not drawn."


def chart(run: Run, data: str = "normal", most: int = MOST_POINTS, narrow: bool = False) -> Chart:
    """A view of the outputs as a chart.

    Args:
        run: What the program showed.
        data: ``normal``, ``at-least``, ``at-most``, ``transposed`` or ``summary``.
        most: So many outcomes of one output are drawn one by one; beyond that they are joined.
        narrow: For a terminal: means and deviations stand in a note instead of the names, and many
            outcomes by many outputs are a shaded table.

    Raises:
        RuleError: Where nothing is left to draw.

    >>> from oddsmith.anydice import run
    >>> found = chart(run("output 2d6 named \\"pair\\" output d12"))
    >>> [one.name for one in found.series]
    ['pair (7.00 / 2.42)', 'output 2 (6.50 / 3.45)']
    """
    if data == "transposed":
        wide = narrow and len({x for output in run.outputs for x in Running(output).outcomes}) > 5
        found = heat(grid(run.outputs, data, most)) if wide else _transposed(run)
    elif data == "summary":
        found = _summary(run)
    else:
        found = _outputs(run, data, most, narrow)
    cut = any(isinstance(output.dist, Enclosed) for output in run.outputs)
    return found.but(notes=(*found.notes, ENCLOSED)) if cut else found


def _outputs(run: Run, data: str, most: int, narrow: bool) -> Chart:
    """A line for each output that has more than one outcome."""
    notes = []
    drawn: list[Output] = []
    for output in run.outputs:
        dist = known(output)
        if dist is None:
            notes.append(f"{line(output.label)} is empty and not drawn.")
        elif dist.low == dist.high:
            value = whole_text(dist.low)
            notes.append(f"{line(output.label)} is always {value}, which is not drawn.")
        else:
            drawn.append(output)
    if not drawn:
        raise RuleError(
            "there is nothing to draw: " + " ".join(notes).rstrip("."),
            "draw several single values side by side with --data transposed or summary",
        )
    if len(drawn) > MOST_SERIES:
        notes.append(f"The first {MOST_SERIES} of {len(drawn)} outputs are drawn.")
    title, up = TITLES[data]
    if len(drawn) == 1:
        title = f"{line(drawn[0].label)} {caption(drawn[0])}"
    series, names = [], []
    for output in drawn[:MOST_SERIES]:
        one = Running(output)
        many = len(one.outcomes) > most
        joined = spans(one.middle() if many else one.outcomes, most)
        width = joined[0][1] - joined[0][0] + 1
        if width > 1 and data == "normal":
            what = f"the mean chance of {width:,} outcomes from there on"
            notes.append(f"{line(output.label)}: each point is {what}.")
        names.append(f"{line(output.label)} {caption(output)}")
        name = line(output.label) if narrow else names[-1]
        series.append(_series(name, one, data, joined))
    if narrow and len(drawn) > 1:
        notes.insert(0, f"Means and deviations: {', '.join(names)}.")
    return _lines(title, "result", up, series, notes)


def _series(name: str, one: Running, data: str, joined: Sequence[tuple[int, int]]) -> Series:
    """A point for each outcome; for each range of them the mean chance, or the running total."""
    xs = tuple(high if data == "at-most" else low for low, high in joined)
    ys = tuple(
        one.chance(data, low, high) / (high - low + 1 if data == "normal" else 1)
        for low, high in joined
    )
    before, after = joined[0][0] - 1, joined[-1][1] + 1
    below = one.chance("at-most", before, before)
    return Series(name, xs, ys, below, one.chance("at-least", after, after))


def _transposed(run: Run) -> Chart:
    """A line for each outcome over the outputs; of many outcomes the likeliest."""
    table = grid(run.outputs, "normal")
    if not table.rows:
        raise RuleError("there is nothing to draw: no output has an outcome", "show other values")
    names = [line(output.label) for output in run.outputs]
    rows, notes = list(table.rows), []
    if len(rows) > MOST_SERIES:
        notes.append(f"The likeliest {MOST_SERIES} of {len(rows)} outcomes are drawn.")
        tops = [max(cell for cell in cells if cell is not None) for _, cells in rows]
        kept = sorted(range(len(rows)), key=lambda place: -tops[place])[:MOST_SERIES]
        rows = [rows[place] for place in sorted(kept)]
    series = [_named(outcome, names, cells) for outcome, cells in rows]
    return _lines("Which result for which output?", "output", "chance", series, notes)


def _summary(run: Run) -> Chart:
    """Mean, deviation, highest and lowest outcome over the outputs."""
    table = summary(run)
    if all(output.dist is None for output in run.outputs):
        raise RuleError("there is nothing to draw: no output has an outcome", "show other values")
    names = [line(output.label) for output in run.outputs]
    wanted = {"mean": "mean", "deviation": "deviation", "highest": "maximum", "lowest": "minimum"}
    series = [
        _named(shown, names, [cells[table.columns.index(column)] for _, cells in table.rows])
        for column, shown in wanted.items()
    ]
    found = _lines("Every output in short", "output", "value", series, [])
    return found.but(percent=False)


def _named(name: str, names: Sequence[str], cells: Sequence[Fraction | None]) -> Series:
    """A line over the outputs; one that is empty is left out."""
    points = [(x, cell) for x, cell in zip(names, cells, strict=True) if cell is not None]
    return Series(name, tuple(x for x, _ in points), tuple(y for _, y in points))


def _lines(title: str, x: str, y: str, series: Sequence[Series], notes: Sequence[str]) -> Chart:
    return Chart("lines", title, x, y, tuple(series), notes=tuple(notes), look="anydice")
