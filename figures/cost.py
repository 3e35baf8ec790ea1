"""How the work grows with the pool, as the budget counts it: the same numbers on every machine."""

from collections.abc import Callable
from dataclasses import dataclass
from math import log10
from pathlib import Path
from typing import Any
from unittest.mock import patch

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from oddsmith import Deck, Pool, d6, d10, folds
from oddsmith.budget import DEFAULT_BUDGET, Work, question
from oddsmith.exact import lattice
from oddsmith.mechanics.successes import successes

BLUE, GREEN, PURPLE, RED, GREY = "#0072B2", "#009E73", "#CC79A7", "#D55E00", "#767676"
STYLE: Any = {"svg.hashsalt": "oddsmith", "svg.fonttype": "path", "font.family": "DejaVu Sans"}
METADATA: dict[str, Any] = {"svg": {"Date": None}, "png": {"Software": None}}
SIZES = (5, 10, 20, 50, 100, 200)
FEWER = SIZES[:4]
CARDS = Deck(dict.fromkeys(range(1, 11), 40))
NO_LIMIT = 10**15
LOW, HIGH = 20, 2e8
GAP = 0.27
"""The least distance of two labels, in powers of ten."""


# --- counting


def counted(read: Callable[[int], Any]) -> Callable[[int], int]:
    """From a number of dice to the units that the budget counts.

    The choices are made and counted, the long numbers that belong to them are not added up.
    """

    def work(size: int) -> int:
        units: list[int] = []
        with (
            patch.object(Work, "add", lambda _, estimate: units.append(estimate)),
            patch.object(folds, "tally", lambda *_: lattice.uniform(1)),
            question(NO_LIMIT),
        ):
            read(size)
        return sum(units)

    return work


def half(size: int) -> Pool:
    return d6.pool(size).keep_highest((size + 1) // 2)


def matched(size: int) -> Any:
    return folds.matched(d6.pool(size), d6.pool(size))


# --- what is drawn


@dataclass(frozen=True)
class Line:
    """What is read off a pool of so many dice.

    Attributes:
        name: The label at its end.
        work: From the number of dice to the units of work.
        colour: One for each method.
        marker: Tells lines of one colour apart.
        sizes: The numbers of dice.
        label: Where its name begins, in multiples of the last point; right of all lines if None.
    """

    name: str
    work: Callable[[int], int]
    colour: str
    marker: str
    sizes: tuple[int, ...] = SIZES
    label: tuple[float, float] | None = None


LINES = (
    Line("longest run", counted(lambda n: d6.pool(n).longest_run()), GREEN, "o"),
    Line("pairs", counted(lambda n: d6.pool(n).pairs()), GREEN, "s"),
    Line("sum of a hand of cards", counted(lambda n: CARDS.deal(n).sum()), GREEN, "^"),
    Line("largest set", counted(lambda n: d6.pool(n).largest_set()), RED, "o"),
    Line("sum of the highest half", counted(lambda n: half(n).sum()), RED, "s"),
    Line("sum", counted(lambda n: d6.pool(n).sum()), BLUE, "o"),
    Line("successes less botches", counted(lambda n: successes(d10.pool(n), 8, 1)), BLUE, "s"),
    Line("count of 5 or more", counted(lambda n: d6.pool(n).count(lambda f: f >= 5)), BLUE, "^"),
    Line("highest against highest", counted(matched), PURPLE, "o", FEWER, (0.38, 1.5)),
    Line("all set sizes", counted(lambda n: d6.pool(n).set_sizes()), RED, "^", FEWER, (1.04, 0.55)),
)
METHODS = (
    ("two pools, face by face", PURPLE),
    ("face by face", GREEN),
    ("closed form", RED),
    ("power of a polynomial", BLUE),
)
GUIDES = (("n", 1), ("n²", 2), ("n³", 3))


def draw() -> Figure:
    """All lines on axes in powers of ten, each named at its end."""
    figure = Figure(figsize=(8, 5.5), layout="constrained")
    axes = figure.add_subplot()
    axes.set(xscale="log", yscale="log", xlim=(4.5, 800), ylim=(LOW, HIGH))
    axes.set_xticks(SIZES, [str(size) for size in SIZES])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_minor_locator(NullLocator())
    axes.set_xlabel("dice in the pool (or cards in the hand)")
    axes.set_ylabel("units of work")
    axes.set_title("How much more work is a larger pool?")
    _guides(axes)
    ends = []
    for line in LINES:
        units = [line.work(size) for size in line.sizes]
        axes.plot(line.sizes, units, color=line.colour, marker=line.marker, markersize=4)
        ends.append(units[-1])
    _labels(axes, ends)
    for row, (method, colour) in enumerate(METHODS):
        axes.text(0.02, 0.82 - 0.045 * row, method, color=colour, transform=axes.transAxes)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return figure


def _guides(axes: Axes) -> None:
    """Thin lines that grow like n, n² and n³, and the work at which a question is refused."""
    first, last = 70, 200
    for name, power in GUIDES:
        end = 1.5 * LOW * (last / first) ** power
        axes.plot([first, last], [1.5 * LOW, end], color=GREY, linewidth=0.7, linestyle="--")
        axes.text(1.05 * last, end, name, color=GREY, fontsize=9, va="center")
    axes.axhline(DEFAULT_BUDGET, color=GREY, linewidth=0.7)
    axes.text(4.8, 1.15 * DEFAULT_BUDGET, "budget: refused above", color=GREY, fontsize=9)


def _labels(axes: Axes, ends: list[int]) -> None:
    """Names at the ends of the lines, moved up where two would overlap."""
    place = 0.0
    for end, line in sorted(zip(ends, LINES, strict=True), key=lambda pair: pair[0]):
        if line.label is None:
            place = max(place + GAP, log10(end))
            x, y = 1.1 * SIZES[-1], 10**place
        else:
            x, y = line.label[0] * line.sizes[-1], line.label[1] * end
        axes.text(x, y, line.name, color=line.colour, va="center")


def main(folder: Path = Path(__file__).parent) -> None:
    with mpl.rc_context(STYLE):
        figure = draw()
        for ending in ("svg", "png"):
            figure.savefig(folder / f"cost.{ending}", metadata=METADATA[ending], dpi=150)


if __name__ == "__main__":
    main()
