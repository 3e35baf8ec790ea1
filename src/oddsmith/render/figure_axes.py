"""The axes of a picture: where outcomes stand, ticks that never overlap, what lies outside."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from matplotlib.ticker import FuncFormatter, MaxNLocator

from oddsmith.render.figure_page import SIZE, SMALL
from oddsmith.render.numbers import percent
from oddsmith.render.outcomes import NUMBER, label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oddsmith.answers.charts import Chart, Series
    from oddsmith.render.figure_page import Page
    from oddsmith.render.outcomes import Outcomes

AIR = 7
"""So many points are left between neighbouring tick labels."""


def tick_outcomes(page: Page, outcomes: Outcomes) -> None:
    """Ticks along the bottom: every outcome where there is room, else fewer, never overlapping."""
    page.settle()
    if not outcomes.numeric:
        tick_names(page, range(len(outcomes.names)), outcomes.names)
        return
    low, high = page.axes.get_xlim()
    scale = page.room()[0] / (high - low)
    for ticks in _choices(outcomes.values):
        places, names = outcomes.at(ticks), [label(tick) for tick in ticks]
        if names and _clear(page, [place * scale for place in places], names):
            page.axes.set_xticks(places, names)
            return


def _choices(values: list[Fraction]) -> list[list[Fraction]]:
    """The outcomes themselves, then rounder and rounder whole numbers among them."""
    choices = [values] if len(values) <= 60 else []
    first, last = ceil(values[0]), floor(values[-1])
    step, factors, place = 1, (2, 5, 10), 0
    while step <= max(1, last - first):
        if (last - first) // step <= 60:
            start = -(-first // step) * step
            choices.append([Fraction(tick) for tick in range(start, last + 1, step)])
        step = factors[place % 3] * 10 ** (place // 3)
        place += 1
    return [*choices, values[:1]]


def _clear(page: Page, places: Sequence[float], names: Sequence[str]) -> bool:
    wide = [page.wide(name) for name in names]
    return all(
        b - a >= (first + second) / 2 + AIR
        for (a, b), (first, second) in zip(pairwise(places), pairwise(wide), strict=True)
    )


def tick_names(page: Page, places: Sequence[float], names: Sequence[str]) -> None:
    """Names along the bottom: flat and wrapped where they fit, else upright, or fewer of them."""
    page.settle()
    low, high = page.axes.get_xlim()
    pitch = page.room()[0] / abs(high - low)
    for size in (SIZE, 8):
        folded = [page.fold(name, pitch - AIR, size, 5) for name in names]
        words = {word for name in names for word in name.split()}
        if not any("…" in name for name in folded) and all(
            page.wide(word, size) <= pitch - AIR for word in words
        ):
            page.axes.set_xticks(places, folded, fontsize=size, rotation=0)
            page.reserve("names", 1.25 * size * max(name.count("\\n") for name in folded))
            return
    widest = max(page.wide(name) for name in names)
    if all(NUMBER.fullmatch(name) for name in names) and widest <= 40:
        every = ceil((widest + AIR) / pitch)
        page.axes.set_xticks(list(places)[::every], list(names)[::every], rotation=0)
        return
    every = ceil(12 / pitch)
    upright = [page.fold(name, 130, 8, 1) for name in names][::every]
    page.axes.set_xticks(list(places)[::every], upright, fontsize=8, rotation=90)
    page.reserve("names", max(page.wide(name, 8) for name in upright) - 10)


def tick_rows(page: Page, places: Sequence[float], names: Sequence[str], room: float) -> None:
    """Names at the left, wrapped to so many points; thinned out where rows are very low."""
    page.settle()
    low, high = page.axes.get_ylim()
    pitch = page.room()[1] / abs(high - low)
    size = max(6.0, min(SIZE, pitch / 1.25))
    most = max(1, min(4, int(pitch / (1.25 * size))))
    folded = [page.fold(name, room, size, most) for name in names]
    every = max(1, ceil(1.2 * size / pitch))
    page.axes.set_yticks(list(places)[::every], folded[::every], fontsize=size)


# --- values


def floats(chart: Chart, values: Sequence[Fraction]) -> list[float]:
    """Values as they are drawn: chances in percent."""
    scale = 100 if chart.percent else 1
    return [float(value * scale) for value in values]


def unit(chart: Chart, name: str) -> str:
    """The name of an axis of values, with its unit."""
    return f"{name or 'chance'} in %" if chart.percent else name


def tick_values(axis: Any, whole: bool = False) -> None:
    """Ticks at round numbers, without powers written apart."""
    axis.set_major_locator(MaxNLocator(8, integer=whole, steps=[1, 2, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.6g}"))


def limit_outcomes(page: Page, outcomes: Outcomes, margin: float) -> None:
    """The limits of the axis of outcomes: never so narrow that one bar fills it."""
    low, high = outcomes.ends
    gap = max(outcomes.gap, (high - low) / 60)
    spare = max(margin * gap, (6 * gap - (high - low)) / 2)
    page.axes.set_xlim(low - spare, high + spare)


def limit_values(page: Page, chart: Chart, air: float = 1.1, running: bool = False) -> None:
    """The limits of the axis of values, from 0; running totals go to 100 %."""
    if running:
        page.axes.set_ylim(0, 105)
        page.axes.set_yticks(range(0, 101, 20))
        return
    every = [0.0, *(y for one in chart.series for y in floats(chart, (*one.ys, *one.highs)))]
    low, high = min(every), max(every)
    page.axes.set_ylim(low * air, high * air if high > low else low + 1)
    tick_values(page.axes.yaxis)


def name_axes(page: Page, chart: Chart, outcomes: Outcomes, up: str) -> None:
    """What the axes are, and at their edges what lies outside: the exact rest of long tails."""
    more = "" if chart.kind == "steps" else " more"
    name = chart.x
    if not outcomes.numeric:
        name += others(chart)
    elif len(chart.series) == 1:
        (one,) = chart.series
        if one.below:
            words = f"◂ below {label(one.xs[0])}: {percent(one.below)} %{more}"
            _at_edge(page, 0, words, "left")
        if one.beyond:
            words = f"above {label(one.xs[-1])}: {percent(one.beyond)} %{more} ▸"
            _at_edge(page, 1, words, "right")
    else:
        told = [words for one in chart.series if (words := _outside(chart, one))]
        name += f"\nnot drawn: {'; '.join(told)}" if told else ""
    page.name_axes(name, up)
    page.grow(1.25 * SIZE * page.axes.get_xlabel().count("\n"))


def _at_edge(page: Page, place: int, words: str, side: Any) -> None:
    page.axes.annotate(
        words, (place, 0), (0, -24), xycoords="axes fraction", textcoords="offset points",
        ha=side, va="top", fontsize=SMALL,
    )  # fmt: skip


def _outside(chart: Chart, one: Series) -> str:
    number = chart.kind == "ridge" and NUMBER.fullmatch(one.name)
    name, parts = f"{chart.y} {one.name}" if number else one.name, []
    if one.below:
        parts.append(f"below {label(one.xs[0])} {percent(one.below)} %")
    if one.beyond:
        parts.append(f"above {label(one.xs[-1])} {percent(one.beyond)} %")
    return f"{name}: {', '.join(parts)}" if parts else ""


def others(chart: Chart) -> str:
    """The chance of names that are not drawn, as a second line."""
    many = len(chart.series) > 1
    told = [
        f"{one.name + ': ' if many else ''}{percent(one.beyond)} %"
        for one in chart.series
        if one.beyond
    ]
    return f"\nothers, not drawn: {'; '.join(told)}" if told else ""
