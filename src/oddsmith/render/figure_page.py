"""The page of a picture: its colours, a ruler for text, title, notes and legend."""

from __future__ import annotations

from math import ceil
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties

from oddsmith.record import Record
from oddsmith.render.unknown import notes as told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.transforms import Bbox

    from oddsmith.answers.charts import Chart

SIZE = 10
SMALL = 9
TITLE = 13
"""Sizes of text in points."""


class Theme(Record):
    """The colours of a picture: Okabe and Ito's, which the colour-blind tell apart.

    Attributes:
        paper: The background.
        ink: Text and axes.
        faint: Grids and hatches.
        colours: For the series, in order.
        sides: For win, tie and lose.
    """

    paper: str
    ink: str
    faint: str
    colours: tuple[str, ...]
    sides: tuple[str, ...]

    def colour(self, place: int) -> str:
        """The colour of a series; they start again where there are not enough."""
        return self.colours[place % len(self.colours)]

    def legible(self, colour: str) -> str:
        """The colour, nearer to the ink where text in it would be too faint.

        >>> LIGHT.legible("#0072B2"), LIGHT.legible("#F0E442") != "#F0E442"
        ('#0072b2', True)
        """
        start, end = np.array(to_rgb(colour)), np.array(to_rgb(self.ink))
        for part in range(11):
            mixed = to_hex(start + (end - start) * part / 10)
            if contrast(mixed, self.paper) >= 4.5:
                return mixed
        return self.ink


LIGHT = Theme(
    "#FFFFFF", "#1A1A1A", "#D4D4D4",
    ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#000000", "#8A8A8A"),
    ("#0072B2", "#B8B8B8", "#D55E00"),
)  # fmt: skip
DARK = Theme(
    "#14171C", "#E6E6E6", "#3A4048",
    ("#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#F0E442", "#FFFFFF", "#0072B2"),
    ("#56B4E9", "#8A8A8A", "#D55E00"),
)  # fmt: skip
ANYDICE = (
    "#000000", "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7",
)  # fmt: skip
"""The order in which AnyDice takes the same colours; on dark paper the first is the ink."""


def luminance(colour: Any) -> float:
    """How bright a colour is, from 0 to 1.

    >>> luminance("black"), round(luminance("white"), 9)
    (0.0, 1.0)
    """
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return float(0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2])


def contrast(first: Any, second: Any) -> float:
    """The contrast of two colours, from 1 to 21.

    >>> round(contrast("black", "white"), 9)
    21.0
    """
    dim, bright = sorted((luminance(first), luminance(second)))
    return (bright + 0.05) / (dim + 0.05)


def text_on(colour: Any) -> str:
    """Black or white, whichever can be read on a colour.

    >>> text_on("#0072B2"), text_on("#E69F00")
    ('white', 'black')
    """
    return max(("white", "black"), key=lambda ink: contrast(ink, colour))


class Page:
    """A figure with one panel, a theme, and a ruler for text; lengths are points."""

    def __init__(self, theme: Theme, width: float = 8, height: float = 4.5) -> None:
        self.theme = theme
        self.figure = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(self.figure)
        self.axes = self.figure.add_subplot()
        self.ruler: Any = RendererAgg(8, 8, 72)  # type: ignore[no-untyped-call]
        self._reserved: dict[str, float] = {}
        self._measured: dict[tuple[str, float], float] = {}
        for side in ("top", "right"):
            self.axes.spines[side].set_visible(False)

    @property
    def width(self) -> float:
        """Of the whole figure."""
        return 72 * float(self.figure.get_figwidth())

    def grow(self, points: float) -> None:
        """Make the figure taller."""
        self.figure.set_figheight(float(self.figure.get_figheight()) + points / 72)

    def reserve(self, what: str, points: float) -> None:
        """Make the figure taller for something, once however often it is written anew."""
        if points > self._reserved.get(what, 0.0):
            self.grow(points - self._reserved.get(what, 0.0))
            self._reserved[what] = points

    def wide(self, text: str, size: float = SIZE) -> float:
        """The width of the widest line of a text."""
        return max(self._line(line, size) for line in text.split("\n"))

    def _line(self, line: str, size: float) -> float:
        if (line, size) not in self._measured:
            font = FontProperties(family="DejaVu Sans", size=size)
            measured = self.ruler.get_text_width_height_descent(line, font, False)
            self._measured[line, size] = float(measured[0])
        return self._measured[line, size]

    def fold(self, text: str, room: float, size: float = SIZE, most: int = 2) -> str:
        """A text in lines no wider than ``room``; an ellipsis where there are too many lines."""
        text = " ".join(text.split())
        if self.wide(text, size) <= room:
            return text
        characters = max(3, int(len(text) * room / self.wide(text, size)) + 4)
        lines = wrap(text, characters)
        while characters > 3 and any(self.wide(line, size) > room for line in lines):
            characters -= 1
            lines = wrap(text, characters)
        if len(lines) > most:
            last = lines[most - 1]
            while len(last) > 1 and self.wide(last + "…", size) > room:
                last = last[:-1]
            lines = [*lines[: most - 1], last.rstrip() + "…"]
        return "\n".join(lines)

    def settle(self) -> None:
        """Lay the page out, so that places can be measured."""
        engine = self.figure.get_layout_engine()
        if engine is not None:
            engine.execute(self.figure)

    def room(self) -> tuple[float, float]:
        """Width and height of the panel, once it is laid out."""
        box, scale = self.axes.get_window_extent(), 72 / self.figure.dpi
        return float(box.width) * scale, float(box.height) * scale

    def box(self, artist: Artist) -> Bbox:
        """Where something stands, in pixels."""
        canvas: Any = self.figure.canvas
        return artist.get_window_extent(canvas.get_renderer())

    def head(self, chart: Chart) -> None:
        """The title, and the notes below it."""
        title = self.fold(chart.title, self.width - 30, TITLE, 4)
        notes = self.fold(" ".join(told(chart)), self.width - 120, SMALL, 4)
        self.figure.suptitle(title, fontsize=TITLE)
        self.grow(1.25 * TITLE * title.count("\n"))
        if notes:
            self.axes.set_title(notes, fontsize=SMALL, style="italic")
            self.grow(1.25 * SMALL * (notes.count("\n") + 1))

    def name_axes(self, across: str, up: str) -> None:
        """What the axes are, wrapped to their lengths."""
        self.axes.set_xlabel(
            "\n".join(self.fold(line, self.width - 150, most=4) for line in across.split("\n"))
        )
        self.axes.set_ylabel(self.fold(up, self.upright, most=3))

    @property
    def upright(self) -> float:
        """How long an upright line may be."""
        return max(70, 72 * float(self.figure.get_figheight()) - 110)

    def legend(self, handles: Sequence[Any], names: Sequence[str], title: str = "") -> None:
        """A legend outside the panel: at the right, or below it where names are long."""
        about: Any = {"fontsize": SMALL, "title_fontsize": SMALL, "title": None}
        if title:
            about["title"] = self.fold(title, 150, SMALL)
        longest = max(self.wide(" ".join(name.split()), SMALL) for name in names)
        if longest <= 150:
            lines = [self.fold(name, 150, SMALL) for name in names]
            wanted = 72 + 15.2 * (len(lines) + bool(title))
            self.grow(max(0.0, wanted - 72 * float(self.figure.get_figheight())))
            self.figure.legend(handles, lines, loc="outside right upper", **about)
            return
        columns = max(1, min(len(names), int(self.width // (longest + 70))))
        lines = [self.fold(name, self.width / columns - 70, SMALL, 3) for name in names]
        rows = ceil(len(lines) / columns)
        tall = max(line.count("\n") + 1 for line in lines)
        self.grow(15 + 15 * rows * tall + 15 * bool(title))
        self.figure.legend(handles, lines, loc="outside lower center", ncols=columns, **about)
