"""One function for each kind of chart: from the exact data to a matplotlib figure."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import nan
from typing import TYPE_CHECKING, Any

from oddsmith.answers.charts import WORDS
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
)
from oddsmith.render.figure_labels import beside_lines, near_points
from oddsmith.render.figure_page import SMALL, Page, text_on
from oddsmith.render.figure_tables import band_colours, heat, stack
from oddsmith.render.outcomes import Outcomes, label, merged, repeated, widths
from oddsmith.render.unknown import between, is_seen, written

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.figure import Figure

    from oddsmith.answers.charts import Chart, Series
    from oddsmith.render.figure_page import Theme

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DOTS = ("o", "s", "D")
"""Markers in the look of AnyDice: the next one once the colours are used up."""

PALE = 0.35
"""How strong the colour of what is not known is."""

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
        thick = widths(outcomes, one) if many == 1 else [0.85 * outcomes.gap] * len(one.xs)
        shift = (place - (many - 1) / 2) / many
        xs = [x + shift * wide for x, wide in zip(outcomes.at(one.xs), thick, strict=True)]
        drawn.append(
            page.axes.bar(
                xs, floats(chart, one.ys), [wide / many for wide in thick],
                color=theme.colour(place),
            )
        )  # fmt: skip
        if one.highs and is_seen(chart):
            page.axes.bar(
                xs, _gaps(chart, one), [wide / many for wide in thick], floats(chart, one.ys),
                color=theme.colour(place), alpha=PALE,
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
    ends = list(zip(series.ys, series.highs or series.ys, strict=True))
    texts = [between(chart, *pair) for pair in ends]
    pitch = page.room()[0] * min(bar.get_width() for bar in drawn) / 0.85 / (high - low)
    if max(page.wide(text, 8) for text in texts) + 4 > pitch:
        return
    for bar, text, top in zip(drawn, texts, floats(chart, [b for _, b in ends]), strict=True):
        up = top >= 0
        page.axes.annotate(
            text, (bar.get_x() + bar.get_width() / 2, top), (0, 2 if up else -2), fontsize=8,
            textcoords="offset points", ha="center", va="bottom" if up else "top",
        )  # fmt: skip


def _gaps(chart: Chart, one: Series) -> list[float]:
    """How far the upper ends are above the lower ones."""
    return floats(chart, [high - y for high, y in zip(one.highs, one.ys, strict=True)])


def lines(chart: Chart, theme: Theme) -> Figure:
    """Several distributions as lines with markers, running totals as steps.

    A line is dotted over outcomes that are possible for others but not for its own. Names stand
    beside the lines where all find a free place, else in a legend outside.
    """
    page = Page(theme)
    page.head(chart)
    outcomes, steps = Outcomes(chart.series), chart.kind == "steps"
    crowded = max(len(one.xs) for one in chart.series) > MOST_MARKERS
    dotted = chart.look == "anydice"
    drawn: list[Any] = []
    seen: set[Any] = set()
    for place, one in enumerate(chart.series):
        if not one.xs:
            continue
        xs, ys = outcomes.at(one.xs), floats(chart, one.ys)
        marks, highs = list(range(len(xs))), floats(chart, one.highs or one.ys)
        if steps and outcomes.numeric:
            about = _path(chart, outcomes, one)
            _, highs, _ = _stairs(xs, highs, **about)
            xs, ys, marks = _stairs(xs, ys, **about)
        if one.highs and is_seen(chart):
            page.axes.fill_between(xs, ys, highs, color=theme.colour(place), alpha=0.2, lw=0)
        if not steps and outcomes.numeric and (dotted or len(chart.series) > 1):
            whole, step = (xs, ys), None if dotted else outcomes.gap
            xs, ys, marks = _broken(xs, ys, step)
            if not dotted and len(xs) > len(whole[0]):
                page.axes.plot(*whole, color=theme.colour(place), linewidth=0.8, linestyle=":")
        again = (one.xs, one.ys) in seen
        seen.add((one.xs, one.ys))
        turn = place // len(theme.colours)
        marker = DOTS[turn % len(DOTS)] if dotted else MARKERS[place % len(MARKERS)]
        drawn += page.axes.plot(
            xs, ys, color=theme.colour(place), linewidth=1.6, label=one.name,
            linestyle=(0, (3, 3)) if again else "-" if dotted or not turn else "--",
            marker=marker if dotted or not crowded or len(one.xs) == 1 else "",
            markersize=2 if again or (dotted and crowded) else 4, markevery=marks,
        )  # fmt: skip
    limit_outcomes(page, outcomes, 0.7)
    limit_values(page, chart, 1.15, chart.percent and (steps or _tops_out(chart)))
    page.axes.grid(axis="y")
    name_axes(page, chart, outcomes, unit(chart, chart.y))
    tick_outcomes(page, outcomes)
    names = [one.name for one in chart.series if one.xs]
    if len(names) > 1 and (dotted or not beside_lines(page, drawn, names)):
        page.legend(drawn, names)
        tick_outcomes(page, outcomes)
    return page.figure


def _tops_out(chart: Chart) -> bool:
    """Whether a line of the look of AnyDice reaches 100 %."""
    return chart.look == "anydice" and any(y == 1 for one in chart.series for y in one.ys)


def _broken(
    xs: list[float], ys: list[float], step: float | None = None
) -> tuple[list[float], list[float], list[int]]:
    """A line that is broken where outcomes are further apart than others, and its points.

    Args:
        xs: Where the points stand.
        ys: How high.
        step: How far neighbours are apart; the smallest distance of two when None.

    >>> _broken([1, 2, 4], [50.0, 30.0, 20.0])
    ([1, 2, nan, 4], [50.0, 30.0, nan, 20.0], [0, 1, 3])
    """
    step = step or min((b - a for a, b in pairwise(xs)), default=1.0)
    across, up, marks = list[float](), list[float](), list[int]()
    for x, y in zip(xs, ys, strict=True):
        if across and x - across[-1] > 1.5 * step:
            across.append(nan)
            up.append(nan)
        marks.append(len(across))
        across.append(x)
        up.append(y)
    return across, up, marks


def _path(chart: Chart, outcomes: Outcomes, one: Series) -> dict[str, Any]:
    """How the running totals of a series are drawn among those of others."""
    low, high = outcomes.ends
    return {
        "half": outcomes.gap / 2, "rises": chart.y == WORDS["at-most"],
        "start": None if one.below else low, "end": None if one.beyond else high,
    }  # fmt: skip


def _stairs(
    xs: list[float], ys: list[float], half: float = 0.5, rises: bool = False,
    start: float | None = None, end: float | None = None,
) -> tuple[list[float], list[float], list[int]]:  # fmt: skip
    """The corners of running totals, and which of them are the points themselves.

    A total changes half a step from the outcome that changes it, goes on at 100 % as far as others
    do, and ends at 0 where nothing is left.

    Args:
        xs: The outcomes.
        ys: The totals.
        half: Half the smallest distance of any two outcomes of the chart.
        rises: Whether they are totals of so much or less.
        start: The first outcome of the chart; None where the series has lower ones.
        end: The last outcome of the chart; None where the series has higher ones.

    >>> _stairs([1, 2], [100.0, 50.0], start=1, end=3)[0]
    [0.5, 1, 1.5, 1.5, 2, 2.5, 2.5]
    >>> _stairs([2, 4], [50.0, 100.0], rises=True, start=1, end=5)[0]
    [1.5, 1.5, 2, 3.5, 3.5, 4, 5.5]
    """
    corners: list[tuple[float, float]] = []
    for place, (x, y) in enumerate(zip(xs, ys, strict=True)):
        before = xs[place - 1] + half if place and not rises else x - half
        after = xs[place + 1] - half if place + 1 < len(xs) and rises else x + half
        corners += [(before, y), (x, y), (after, y)]
    marks = list(range(1, len(corners), 3))
    if rises:
        if end is not None:
            corners[-1] = (end + half, corners[-1][1])
        if start is not None:
            corners.insert(0, (corners[0][0], 0.0))
            marks = [mark + 1 for mark in marks]
    else:
        if start is not None:
            corners[0] = (start - half, corners[0][1])
        if end is not None:
            corners.append((corners[-1][0], 0.0))
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
    for one, colour in zip(chart.series, band_colours(chart, theme), strict=True):
        at = [rows[key] for key in repeated([label(x) for x in one.xs])]
        start = floats(chart, [left[row] for row in at])
        drawn.append(axes.barh(at, floats(chart, one.ys), 0.66, start, color=colour))
        if one.highs and is_seen(chart):
            lows = floats(chart, one.ys)
            axes.barh(at, _gaps(chart, one), 0.66, lows, color=colour, alpha=PALE)
        for row, y in zip(at, one.highs or one.ys, strict=True):
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
        for patch, y, most in zip(patches, one.ys, one.highs or one.ys, strict=True):
            text = f"{between(chart, y, most)}{' %' if chart.percent else ''}"
            text = f"{one.name} {text}" if many else text
            row = round(patch.get_y() + patch.get_height() / 2)
            start, end = patch.get_x(), patch.get_x() + patch.get_width()
            ends[row] = max(end + floats(chart, [most - y])[0], ends.get(row, 0.0))
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
    tops_of = [one.highs if is_seen(chart) and one.highs else one.ys for one in chart.series]
    peaks = [max(ys, default=Fraction(0)) or Fraction(1) for ys in tops_of]
    own = max(peaks) > 10 * min(peaks)
    for row, (one, highs, peak) in enumerate(zip(chart.series, tops_of, peaks, strict=True)):
        axes.axhline(row, color=theme.faint, linewidth=0.8, zorder=0)
        if not one.xs:
            continue
        scale = Fraction(17, 20) / (peak if own else max(peaks))
        places = outcomes.at(one.xs)
        tops, ends = ([row - float(y * scale) for y in ys] for ys in (one.ys, highs))
        edges, values = _outline(places, tops, half, row)
        axes.stairs(values, edges, baseline=row, fill=True, label=one.name, color=theme.colour(0))
        if highs != one.ys:
            _, above = _outline(places, ends, half, row)
            axes.stairs(above, edges, baseline=values, fill=True, color=theme.colour(0), alpha=PALE)
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
