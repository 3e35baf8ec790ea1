"""One function for each kind of chart: from the exact data to a matplotlib figure."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from oddsmith.errors import RuleError
from oddsmith.render.figure_axes import (
    floats,
    limit_outcomes,
    limit_values,
    name_axes,
    others,
    tick_outcomes,
    tick_rows,
    tick_values,
    unit,
    written,
)
from oddsmith.render.figure_labels import beside_lines, near_points
from oddsmith.render.figure_page import SMALL, Page, text_on
from oddsmith.render.figure_tables import SIDES, heat, stack
from oddsmith.render.outcomes import Outcomes, label, merged, repeated, widths

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.figure import Figure

    from oddsmith.answers.charts import Chart
    from oddsmith.render.figure_page import Theme

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
MOST_MARKERS = 60
MOST_ROWS = 400


def bars(chart: Chart, theme: Theme) -> Figure:
    """One distribution as bars; long names of outcomes stand at the left of lying bars."""
    outcomes, many = Outcomes(chart.series), len(chart.series)
    longest = max(map(len, outcomes.names), default=0)
    if many == 1 and (len(outcomes.names) > 40 or len(outcomes.names) * longest > 80):
        return _lying(chart, theme, full=False)
    page = Page(theme)
    page.head(chart)
    drawn = []
    for place, one in enumerate(chart.series):
        thick = widths(outcomes, one)
        shift = (place - (many - 1) / 2) / many
        xs = [x + shift * wide for x, wide in zip(outcomes.at(one.xs), thick, strict=True)]
        drawn.append(
            page.axes.bar(
                xs, floats(chart, one.ys), [wide / many for wide in thick],
                color=theme.colour(place),
            )
        )  # fmt: skip
    limit_outcomes(page, outcomes, 0.6)
    limit_values(page, chart)
    name_axes(page, chart, outcomes, unit(chart, chart.y))
    if many > 1:
        page.legend(drawn, [one.name for one in chart.series])
    tick_outcomes(page, outcomes)
    if many == 1:
        _over_bars(page, chart, drawn[0])
    return page.figure


def _over_bars(page: Page, chart: Chart, drawn: Any) -> None:
    """The value above each bar, where there is room for all."""
    (low, high), (series,) = page.axes.get_xlim(), chart.series
    texts = [written(chart, y) for y in series.ys]
    pitch = page.room()[0] * min(bar.get_width() for bar in drawn) / 0.85 / (high - low)
    if max(page.wide(text, 8) for text in texts) + 4 > pitch:
        return
    for bar, text in zip(drawn, texts, strict=True):
        top, up = bar.get_height(), bar.get_height() >= 0
        page.axes.annotate(
            text, (bar.get_x() + bar.get_width() / 2, top), (0, 2 if up else -2), fontsize=8,
            textcoords="offset points", ha="center", va="bottom" if up else "top",
        )  # fmt: skip


def lines(chart: Chart, theme: Theme) -> Figure:
    """Several distributions as lines with markers, running totals as steps.

    Names stand beside the lines where all find a free place, else in a legend outside.
    """
    page = Page(theme)
    page.head(chart)
    outcomes, steps = Outcomes(chart.series), chart.kind == "steps"
    marked = max(len(one.xs) for one in chart.series) <= MOST_MARKERS
    drawn: list[Any] = []
    seen: set[Any] = set()
    for place, one in enumerate(chart.series):
        if not one.xs:
            continue
        xs, ys = outcomes.at(one.xs), floats(chart, one.ys)
        marks = list(range(len(xs)))
        if steps and outcomes.numeric:
            xs, ys, marks = _stairs(xs, ys, bool(one.below), bool(one.beyond))
        again = (one.xs, one.ys) in seen
        seen.add((one.xs, one.ys))
        drawn += page.axes.plot(
            xs, ys, color=theme.colour(place), linewidth=1.6, label=one.name,
            linestyle=(0, (3, 3)) if again else "-" if place < len(theme.colours) else "--",
            marker=MARKERS[place % len(MARKERS)] if marked or len(one.xs) == 1 else "",
            markersize=2 if again else 4, markevery=marks,
        )  # fmt: skip
    limit_outcomes(page, outcomes, 0.7)
    limit_values(page, chart, 1.15, steps and chart.percent)
    page.axes.grid(axis="y")
    name_axes(page, chart, outcomes, unit(chart, chart.y))
    tick_outcomes(page, outcomes)
    names = [one.name for one in chart.series if one.xs]
    if len(names) > 1 and not beside_lines(page, drawn, names):
        page.legend(drawn, names)
        tick_outcomes(page, outcomes)
    return page.figure


def _stairs(
    xs: list[float], ys: list[float], below: bool, beyond: bool
) -> tuple[list[float], list[float], list[int]]:
    """The corners of running totals, and which of them are the points themselves.

    A total changes half a step from the outcome that changes it, and ends at 0 where nothing is
    left.

    >>> _stairs([1, 2], [100.0, 50.0], False, False)[0]
    [0.5, 1, 1.5, 1.5, 2, 2.5, 2.5]
    """
    half = min((b - a for a, b in pairwise(xs)), default=1.0) / 2
    falls = ys[0] >= ys[-1]
    corners: list[tuple[float, float]] = []
    for place, (x, y) in enumerate(zip(xs, ys, strict=True)):
        start = xs[place - 1] + half if falls and place else x - half
        end = xs[place + 1] - half if not falls and place + 1 < len(xs) else x + half
        corners += [(start, y), (x, y), (end, y)]
    marks = list(range(1, len(corners), 3))
    if falls and not beyond:
        corners.append((corners[-1][0], 0.0))
    elif not falls and not below:
        corners.insert(0, (corners[0][0], 0.0))
        marks = [mark + 1 for mark in marks]
    return [x for x, _ in corners], [y for _, y in corners], marks


def chances(chart: Chart, theme: Theme) -> Figure:
    """Lying bars from 0 to 100 %; win, tie and lose one behind the other."""
    return _lying(chart, theme, full=chart.percent)


def _lying(chart: Chart, theme: Theme, full: bool) -> Figure:
    """Lying bars, the first at the top, with their values in or behind them.

    Args:
        chart: The data.
        theme: The colours.
        full: Whether the axis goes to 100 %.
    """
    keys = merged([[label(x) for x in one.xs] for one in chart.series])
    rows = {key: place for place, key in enumerate(keys)}
    if len(keys) > MOST_ROWS:
        raise RuleError(f"{len(keys)} bars are too many to draw", f"{MOST_ROWS} at most")
    page = Page(theme, 8, max(2.2, 1.3 + (0.5 if len(keys) <= 12 else 0.3) * len(keys)))
    page.head(chart)
    axes, left, drawn = page.axes, [Fraction(0)] * len(keys), []
    names = tuple(one.name for one in chart.series)
    for place, one in enumerate(chart.series):
        at = [rows[key] for key in repeated([label(x) for x in one.xs])]
        colour = theme.sides[place] if names == SIDES else theme.colour(place)
        start = floats(chart, [left[row] for row in at])
        drawn.append(axes.barh(at, floats(chart, one.ys), 0.66, start, color=colour))
        for row, y in zip(at, one.ys, strict=True):
            left[row] += y
    axes.set_ylim(len(keys) - 0.4, -0.6)
    if full:
        axes.set_xlim(0, 100)
        axes.set_xticks(range(0, 101, 20))
    else:
        ends = floats(chart, [*left, Fraction(0)])
        axes.set_xlim(min(ends) * 1.02, (max(ends) or 1) * 1.02)
        tick_values(axes.xaxis)
    axes.grid(axis="x")
    page.name_axes(unit(chart, chart.x if full else chart.y) + others(chart), "")
    tick_rows(page, range(len(keys)), [name for name, _ in keys], 215)
    _in_bars(page, chart, drawn, rows)
    return page.figure


def _in_bars(page: Page, chart: Chart, drawn: Sequence[Any], rows: dict[Any, int]) -> None:
    """The value in each bar that is long enough, else behind the last one of its row."""
    page.settle()
    (low, high), (width, height) = page.axes.get_xlim(), page.room()
    many, size = len(chart.series) > 1, min(SMALL, 0.55 * height / len(rows))
    left_out: dict[int, list[str]] = {}
    ends: dict[int, float] = {}
    for one, patches in zip(chart.series, drawn, strict=True):
        for patch, y in zip(patches, one.ys, strict=True):
            text = f"{written(chart, y)}{' %' if chart.percent else ''}"
            text = f"{one.name} {text}" if many else text
            row = round(patch.get_y() + patch.get_height() / 2)
            start, end = patch.get_x(), patch.get_x() + patch.get_width()
            ends[row] = max(end, ends.get(row, 0.0))
            if page.wide(text, size) + 8 <= width * (end - start) / (high - low):
                page.axes.text(
                    (start + end) / 2, row, text, ha="center", va="center", fontsize=size,
                    color=text_on(patch.get_facecolor()),
                )  # fmt: skip
            elif y or not many:
                left_out.setdefault(row, []).append(text)
    for row, texts in left_out.items():
        page.axes.annotate(
            ", ".join(texts), (ends[row], row), (5, 0), textcoords="offset points", va="center",
            fontsize=size, annotation_clip=False,
        )  # fmt: skip


def ridge(chart: Chart, theme: Theme) -> Figure:
    """Distributions one above the other, the first at the top, all to one scale.

    Where the peaks differ more than tenfold each has its own, and its peak is written beside it.
    """
    rows = len(chart.series)
    if rows > MOST_ROWS:
        raise RuleError(f"{rows} ridges are too many to draw", f"{MOST_ROWS} at most")
    outcomes = Outcomes(chart.series)
    page = Page(theme, 8, max(2.6, 1.4 + (0.55 if rows <= 20 else 0.3) * rows))
    page.head(chart)
    axes, half = page.axes, outcomes.gap * (0.5 if outcomes.numeric else 0.42)
    peaks = [max(one.ys, default=Fraction(0)) or Fraction(1) for one in chart.series]
    own = max(peaks) > 10 * min(peaks)
    for row, (one, peak) in enumerate(zip(chart.series, peaks, strict=True)):
        unit_ = peak if own else max(peaks)
        tops = [row - float(y / unit_ * Fraction(17, 20)) for y in one.ys]
        axes.axhline(row, color=theme.faint, linewidth=0.8, zorder=0)
        if tops:
            edges, values = _outline(outcomes.at(one.xs), tops, half, row)
            axes.stairs(
                values, edges, baseline=row, fill=True, label=one.name, color=theme.colour(0)
            )
    limit_outcomes(page, outcomes, 0.5)
    axes.set_ylim(rows - 1 + 0.12, -1)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    name_axes(page, chart, outcomes, chart.y)
    tick_rows(page, [row - 0.25 for row in range(rows)], [one.name for one in chart.series], 150)
    for row, peak in enumerate(peaks if own else [max(peaks)]):
        _yardstick(page, row, f"{written(chart, peak)}{' %' if chart.percent else ''}")
    tick_outcomes(page, outcomes)
    return page.figure


def _outline(
    xs: list[float], tops: list[float], half: float, base: float
) -> tuple[list[float], list[float]]:
    """Edges and heights of bars as wide as the smallest gap, with nothing between them.

    >>> _outline([1, 2, 4], [0.5, 0.5, 0.5], 0.5, 1)
    ([0.5, 1.5, 2.5, 3.5, 4.5], [0.5, 0.5, 1, 0.5])
    """
    edges, values = [xs[0] - half], []
    for x, top in zip(xs, tops, strict=True):
        if x - half > edges[-1] + half / 1000:
            values.append(base)
            edges.append(x - half)
        values.append(top)
        edges.append(x + half)
    return edges, values


def _yardstick(page: Page, row: int, words: str) -> None:
    """How high a ridge may be, at its right."""
    across = page.axes.get_yaxis_transform()
    page.axes.annotate(
        words, (1, row - 0.425), (12, 0), fontsize=8, va="center", xycoords=across,
        textcoords="offset points", annotation_clip=False,
    )  # fmt: skip
    page.axes.plot(
        [1.01, 1.01], [row, row - 0.85], transform=across, color=page.theme.ink, linewidth=1.2,
        clip_on=False, marker="_", markersize=5,
    )  # fmt: skip


def scatter(chart: Chart, theme: Theme) -> Figure:
    """Named points; where names find no place, numbers stand for them and a list outside."""
    points = [(one.name, x, y) for one in chart.series for x, y in zip(one.xs, one.ys, strict=True)]
    page = Page(theme, 8, 5.5)
    page.head(chart)
    axes = page.axes
    xs, ys = [float(x) for _, x, _ in points], floats(chart, [y for _, _, y in points])
    axes.scatter(xs, ys, s=34, color=theme.colour(0), edgecolors=theme.paper, zorder=3)
    axes.grid()
    for values, limit in ((xs, axes.set_xlim), (ys, axes.set_ylim)):
        spare = 0.12 * (max(values) - min(values)) or max(1.0, abs(values[0]) / 4)
        limit(min(values) - spare, max(values) + spare)
    tick_values(axes.xaxis, all(Fraction(x).denominator == 1 for _, x, _ in points))
    tick_values(axes.yaxis, all(Fraction(y).denominator == 1 for _, _, y in points))
    page.name_axes(chart.x, unit(chart, chart.y))
    page.settle()
    if not near_points(page, [name for name, _, _ in points], xs, ys):
        numbers = [str(place + 1) for place in range(len(points))]
        listed = [f"{number}: {name}" for number, (name, _, _) in zip(numbers, points, strict=True)]
        page.legend([axes.plot([], [], linestyle="")[0] for _ in listed], listed)
        page.settle()
        near_points(page, numbers, xs, ys, force=True)
    return page.figure


KINDS: dict[str, Callable[[Chart, Theme], Figure]] = {
    "bars": bars,
    "lines": lines,
    "steps": lines,
    "chances": chances,
    "heat": heat,
    "stack": stack,
    "ridge": ridge,
    "scatter": scatter,
}
