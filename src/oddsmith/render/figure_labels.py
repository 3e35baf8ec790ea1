"""Labels that find a free place: beside lines, inside bands, near points."""

from __future__ import annotations

from itertools import pairwise
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.transforms import Bbox

from oddsmith.render.figure_page import SMALL, text_on
from oddsmith.render.unknown import written

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.text import Annotation
    from numpy.typing import NDArray

    from oddsmith.answers.charts import Chart
    from oddsmith.render.figure_page import Page

    Shifts = Sequence[tuple[float, float]]

MOST_BESIDE = 8
MOST_NAMED = 40
EDGE = 3
"""Pixels between a label and the edge of the panel, or another label."""


class Crowd:
    """What labels have to keep clear of: points of curves, markers, other labels; in pixels."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.panel = page.axes.get_window_extent().padded(-EDGE)
        self.paths: list[NDArray[Any]] = []
        self.boxes: list[Bbox] = []

    def follow(self, path: NDArray[Any]) -> None:
        """Keep clear of a path."""
        pieces = [path[:1]]
        for start, end in pairwise(path):
            count = max(1, int(np.hypot(*(end - start)) / 3))
            pieces.append(start + (end - start) * np.linspace(0, 1, count + 1)[1:, None])
        self.paths.append(np.concatenate(pieces))

    def free(self, box: Bbox, air: float, own: int) -> bool:
        """Whether a box lies in the panel, off all paths by ``air`` and off its own by 2."""
        panel = self.panel
        if box.x0 < panel.x0 or box.x1 > panel.x1 or box.y0 < panel.y0 or box.y1 > panel.y1:
            return False
        if any(box.padded(EDGE).overlaps(other) for other in self.boxes):
            return False
        for place, points in enumerate(self.paths):
            near = box.padded(2 if place == own else air)
            if ((points > near.min) & (points < near.max)).all(axis=1).any():
                return False
        return True

    def settle(self, text: Annotation, shifts: Shifts, air: float = 0, own: int = -1) -> bool:
        """Move a label to the first free place around its anchor.

        Args:
            text: An annotation with its text offset in points.
            shifts: Ways in pixels from the anchor to the nearest point of the label.
            air: Pixels to leave to other paths.
            own: The path it belongs to.
        """
        text.set_position((0, 0))
        start, scale = self.page.box(text), 72 / self.page.figure.dpi
        for across, up in shifts:
            dx = across - (start.width if across < 0 else start.width / 2 if across == 0 else 0)
            dy = up - (start.height if up < 0 else start.height / 2 if up == 0 else 0)
            box = start.translated(dx, dy)
            if self.free(box, air, own):
                text.set_position((dx * scale, dy * scale))
                text.set_in_layout(False)
                self.boxes.append(box)
                return True
        return False


# --- beside lines


def beside_lines(page: Page, lines: Sequence[Any], names: Sequence[str]) -> bool:
    """Write each name beside its line; False (and nothing written) where one finds no place."""
    folded = [page.fold(name, 130, SMALL) for name in names]
    if len(names) > MOST_BESIDE or any("…" in name for name in folded):
        return False
    page.settle()
    crowd = Crowd(page)
    corners = [
        np.column_stack([line.get_xdata(), line.get_ydata()]).astype(float) for line in lines
    ]
    corners = [path[~np.isnan(path).any(axis=1)] for path in corners]
    paths = [page.axes.transData.transform(data) for data in corners]
    for path in paths:
        crowd.follow(path)
    texts: list[Annotation] = []
    for place, line in enumerate(lines):
        text = page.axes.annotate(
            folded[place], (0, 0), (0, 0), textcoords="offset points", fontsize=SMALL,
            color=page.theme.legible(line.get_color()),
        )  # fmt: skip
        texts.append(text)
        for air, anchor, shifts in _anchors(paths[place]):
            text.xy = (float(corners[place][anchor, 0]), float(corners[place][anchor, 1]))
            if crowd.settle(text, shifts, air, place):
                break
        else:
            for one in texts:
                one.remove()
            return False
    return True


def _anchors(path: NDArray[Any]) -> Iterator[tuple[float, int, Shifts]]:
    """Points of a line where its name could stand, best first, with the ways to shift it."""
    ups, last = path[:, 1], len(path) - 1
    top, low = int(ups.argmax()), float(ups.min())
    span = max(float(ups.max()) - low, 1.0)
    peaked = low + 0.5 * span > max(ups[0], ups[-1])
    heights = [low + span * part for part in (0.5, 0.7, 0.3, 0.6, 0.4)]
    slopes = [int(np.abs(ups - height).argmin()) for height in heights]
    slopes += [int(top + np.abs(ups[top:] - height).argmin()) for height in heights]
    over = [(0, 7), (9, 5), (-9, 5), (12, 0), (-12, 0)]
    slant = [(7, 4), (-7, 4), (7, 0), (-7, 0), (7, -4), (-7, -4)]
    airs = (12, 7, 4)
    if peaked or span == 1.0:
        yield from ((air, top, over) for air in airs)
    for air in airs:
        yield air, last, [(8, 0), (0, 8), (-1, 8), (-4, 10)]
        for slope in slopes:
            yield air, slope, slant
        yield air, top, over
        yield air, 0, [(0, 8), (1, 8), (8, 8)]


# --- inside bands


def inside_bands(page: Page, chart: Chart, bands: Sequence[Any], apart: bool) -> bool:
    """Write each name where its band is thickest; False (nothing written) where one does not fit.

    Args:
        page: The page, laid out.
        chart: Whose series the bands are.
        bands: The bars of each series.
        apart: Whether bars stand apart, so that a name has to fit into one.
    """
    scale, middle, wanted = 72 / page.figure.dpi, page.axes.bbox.x0 + page.axes.bbox.width / 2, []
    for bars, one in zip(bands, chart.series, strict=True):
        if not any(one.ys):
            continue
        boxes = [bar.get_window_extent() for bar in bars]
        wide, pitch = (page.wide(one.name, SMALL) + 6) / scale, boxes[0].width
        span = max(1, -int(-wide // pitch))
        if span > (1 if apart else len(boxes)):
            return False
        best = (0.0, 0.0, 0.0, 0.0)
        for start in range(len(boxes) - span + 1):
            window = boxes[start : start + span]
            bottom, top = max(box.y0 for box in window), min(box.y1 for box in window)
            x = (window[0].x0 + window[-1].x1) / 2
            best = max(best, (round(top - bottom, 3), -abs(x - middle), x, (bottom + top) / 2))
        if best[0] * scale < 1.4 * SMALL:
            return False
        wanted.append((best[2], best[3], one.name, text_on(bars[0].get_facecolor())))
    for across, up, name, colour in wanted:
        x, y = page.axes.transData.inverted().transform((across, up))
        page.axes.text(
            x, y, name, ha="center", va="center", fontsize=SMALL, color=colour, weight="bold"
        )
    return True


def values_in_bands(page: Page, chart: Chart, bands: Sequence[Any]) -> None:
    """The value in each part of a band that is large enough, below its name where it bears one."""
    scale, names = 72 / page.figure.dpi, list(page.axes.texts)
    for bars, one in zip(bands, chart.series, strict=True):
        for bar, y in zip(bars, one.ys, strict=True):
            box, text = bar.get_window_extent(), written(chart, y)
            height = box.height * scale
            if height < 12 or page.wide(text, 8) + 4 > box.width * scale:
                continue
            place = page.axes.transData.transform
            name = next((n for n in names if box.contains(*place(n.get_position()))), None)
            if name is not None and height < 30:
                continue
            middle, shift = bar.get_y() + bar.get_height() / 2, 0.0
            if name is not None:
                shift = 6 * bar.get_height() / height
                name.set_y(middle + shift)
            page.axes.text(
                bar.get_x() + bar.get_width() / 2, middle - shift, text, ha="center", va="center",
                fontsize=8, color=text_on(bar.get_facecolor()),
            )  # fmt: skip


# --- near points


def near_points(
    page: Page, names: Sequence[str], xs: Sequence[float], ys: Sequence[float], force: bool = False
) -> bool:
    """Write each name near its point, those with close neighbours first.

    A thin line leads to a name that stands apart.

    Returns:
        False where one finds no place; nothing is written then, unless by force.
    """
    folded = [page.fold(name, 130, SMALL, 3) for name in names]
    if not force and (len(names) > MOST_NAMED or any("…" in name for name in folded)):
        return False
    crowd = Crowd(page)
    places = page.axes.transData.transform(np.column_stack([xs, ys]))
    crowd.boxes = [Bbox.from_bounds(float(x) - 4, float(y) - 4, 8, 8) for x, y in places]
    near = [float(np.sort(np.hypot(*(places - place).T))[1:4].sum()) for place in places]
    artists: list[Any] = []
    for which in sorted(range(len(names)), key=lambda n: (near[n], n)):
        text = page.axes.annotate(
            folded[which], (xs[which], ys[which]), (0, 0), textcoords="offset points",
            fontsize=SMALL, zorder=4,
        )  # fmt: skip
        artists.append(text)
        for radius in (8, 16, 26, 38, 52, 68, 86, 106, 130, 160, 200):
            if crowd.settle(text, _ring(radius)):
                if radius > 16:
                    artists.append(_lead(page, text, places[which]))
                break
        else:
            if not force:
                for one in artists:
                    one.remove()
                return False
    return True


def _ring(radius: float) -> Shifts:
    """Ways from the middle of a ring to points on it, the right-hand ones first."""
    turns = [2 * pi * k / 16 for k in (0, 1, 15, 2, 14, 8, 7, 9, 6, 10, 3, 13, 5, 11, 4, 12)]
    ways = [(radius * cos(turn), radius * sin(turn)) for turn in turns]
    return [(0.0 if abs(x) < 1 else x, 0.0 if abs(y) < 1 else y) for x, y in ways]


def _lead(page: Page, text: Annotation, place: NDArray[Any]) -> Any:
    """A thin line from a point to its name."""
    box = page.box(text)
    ends = np.array([place, np.clip(place, box.min, box.max)])
    data = page.axes.transData.inverted().transform(ends)
    return page.axes.plot(
        data[:, 0], data[:, 1], color=page.theme.ink, linewidth=0.6, alpha=0.6, zorder=2,
        scalex=False, scaley=False,
    )[0]  # fmt: skip
