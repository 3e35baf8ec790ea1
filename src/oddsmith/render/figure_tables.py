"""Tables as pictures: heat maps and stacked bands."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log10
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import colormaps
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize
from matplotlib.ticker import FuncFormatter, MaxNLocator

from oddsmith.render.figure_axes import floats, tick_names, tick_rows, unit
from oddsmith.render.figure_labels import inside_bands, values_in_bands
from oddsmith.render.figure_page import Page, text_on
from oddsmith.render.outcomes import label, laid_out, merged, repeated
from oddsmith.render.unknown import written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from oddsmith.answers.charts import Chart
    from oddsmith.render.figure_page import Theme

MOST_CELLS_AS_SHAPES = 2500
MOST_APART = 12
SHADES = "cividis"
SIDES = ("win", "tie", "lose")


def heat(chart: Chart, theme: Theme) -> Figure:
    """A two-way table: the first row at the top, the value in each cell that is large enough.

    Cells without a value are hatched.
    """
    keys, exact = laid_out(chart)
    rows, columns = len(chart.series), len(keys)
    grid = np.full((rows, columns), np.nan)
    for at, y in exact.items():
        (grid[at],) = floats(chart, [y])
    longest = max(len(name) for name, _ in keys)
    pitch = 0.42 if columns > MOST_APART else max(0.42, min(1.3, longest / 36))
    page = Page(theme, min(14, max(5, 2.6 + pitch * columns)), min(14, max(2.8, 1.5 + 0.3 * rows)))
    page.head(chart)
    axes = page.axes
    shapes = grid.size <= MOST_CELLS_AS_SHAPES
    mesh = axes.pcolormesh(
        np.ma.masked_invalid(grid), cmap=SHADES, norm=Normalize(*_ends(chart, grid)),
        edgecolors=theme.paper if shapes else "none", linewidth=0.8 if shapes else 0,
        rasterized=not shapes,
    )  # fmt: skip
    strokes = LineCollection(
        [stroke for row, column in np.argwhere(np.isnan(grid)) for stroke in _hatch(row, column)],
        colors=theme.faint, linewidths=0.6, rasterized=not shapes,
    )  # fmt: skip
    axes.add_collection(strokes)
    axes.set(xlim=(0, columns), ylim=(rows, 0))
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    page.name_axes(chart.x, chart.y)
    value = page.fold(unit(chart, chart.colours or "value"), page.upright, most=3)
    scale = page.figure.colorbar(mesh, ax=axes, label=value)
    scale.outline.set_visible(False)
    scale.locator = MaxNLocator(5, steps=[1, 2, 5, 10])
    scale.formatter = FuncFormatter(lambda value, _: f"{value:.6g}")
    scale.update_ticks()
    tick_rows(page, [row + 0.5 for row in range(rows)], [one.name for one in chart.series], 150)
    tick_names(page, [place + 0.5 for place in range(columns)], [name for name, _ in keys])
    page.settle()
    _cells(page, chart, exact, grid, mesh)
    return page.figure


def _hatch(row: float, column: float) -> list[list[tuple[float, float]]]:
    """Slanting strokes through a cell; they show in every viewer, unlike patterns.

    >>> _hatch(0, 0)[3]
    [(0.0, 1.0), (1.0, 0.0)]
    """
    strokes = []
    for place in range(1, 8):
        low, high = max(0.0, place / 4 - 1), min(1.0, place / 4)
        strokes.append([(column + low, row + high), (column + high, row + low)])
    return strokes


def _ends(chart: Chart, grid: NDArray[Any]) -> tuple[float, float]:
    """The ends of the colours: 0 and 100 % where chances are large, else what there is."""
    low, high = float(np.nanmin(grid)), float(np.nanmax(grid))
    if chart.percent:
        low, high = 0.0, 100.0 if high > 50 else high
    return low, high if high > low else low + 1


def _cells(
    page: Page, chart: Chart, exact: dict[tuple[int, int], Fraction], grid: NDArray[Any], mesh: Any
) -> None:
    """The value of each cell, as large as fits into all of them; none where that is too small."""
    (width, height), (rows, columns) = page.room(), grid.shape
    width, height = width / columns - 5, height / rows
    if width < 5 or height < 7:
        return
    high = float(np.nanmax(grid))
    fine = 1 + (min(6, ceil(-log10(high))) if chart.percent and 0 < high < 1 else 0)
    for size, places in ((9, fine), (8, fine), (7, fine), (8, 0), (7, 0), (6, 0)):
        texts = {at: written(chart, y, places) for at, y in exact.items()}
        widest = max(page.wide(text, size) for text in set(texts.values()))
        if widest <= width and 1.2 * size <= height:
            break
    else:
        return
    colours = colormaps[SHADES](mesh.norm(np.nan_to_num(grid)))
    for (row, column), text in texts.items():
        page.axes.text(
            column + 0.5, row + 0.5, text, ha="center", va="center", fontsize=size,
            color=text_on(colours[row, column]),
        )  # fmt: skip


def stack(chart: Chart, theme: Theme) -> Figure:
    """Bands that add up to 100 %, named inside where all names fit, else in a legend outside."""
    keys = merged([[label(x) for x in one.xs] for one in chart.series])
    places = {key: place for place, key in enumerate(keys)}
    apart = len(keys) <= MOST_APART
    page = Page(theme, min(14, max(8, 2 + 0.16 * len(keys))))
    page.head(chart)
    axes, floor, drawn = page.axes, [Fraction(0)] * len(keys), []
    for one, colour in zip(chart.series, band_colours(chart, theme), strict=True):
        at = [places[key] for key in repeated([label(x) for x in one.xs])]
        start = floats(chart, [floor[place] for place in at])
        drawn.append(
            axes.bar(
                at, floats(chart, one.ys), 0.86 if apart else 1, start, color=colour,
                edgecolor=theme.paper, linewidth=0.8 if apart else 0,
            )
        )  # fmt: skip
        for place, y in zip(at, one.ys, strict=True):
            floor[place] += y
    spare = max(0.5, (5 - len(keys)) / 2)
    axes.set_xlim(-spare, len(keys) - 1 + spare)
    axes.set_ylim(0, max(floats(chart, floor)) or 1)
    up = unit(chart, chart.y)
    page.name_axes(chart.x, f"{up}, by {chart.colours}" if chart.colours else up)
    tick_names(page, range(len(keys)), [name for name, _ in keys])
    page.settle()
    if not inside_bands(page, chart, drawn, apart):
        page.name_axes(chart.x, up)
        page.legend(drawn[::-1], [one.name for one in chart.series[::-1]], chart.colours)
        tick_names(page, range(len(keys)), [name for name, _ in keys])
        page.settle()
    if apart:
        values_in_bands(page, chart, drawn)
    return page.figure


def band_colours(chart: Chart, theme: Theme) -> Sequence[Any]:
    """A colour for each band; from dark to bright where there are more bands than colours."""
    names = tuple(one.name for one in chart.series)
    if names[:3] == SIDES and len(names) <= 4:
        return (*theme.sides, theme.faint)[: len(names)]
    if len(names) <= len(theme.colours):
        return theme.colours[: len(names)]
    return [colormaps[SHADES](place / (len(names) - 1)) for place in range(len(names))]
