"""Outcome bands for every target: critical bands of one face each on a d20 and on a d6."""

from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from oddsmith.games.combat_pools import bands_table

STYLE: Any = {"svg.hashsalt": "oddsmith", "svg.fonttype": "path", "font.family": "DejaVu Sans"}
METADATA: dict[str, Any] = {"svg": {"Date": None}, "png": {"Software": None}}
COLOURS = ("#D55E00", "#E69F00", "#000000", "#CC79A7", "#56B4E9", "#0072B2")
"""From the unfavourable failure to the favourable success."""
DICE = (20, 6)


def draw() -> Figure:
    """Two panels side by side; the names stand in or beside the areas they name."""
    figure = Figure(figsize=(10, 4.6), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True, width_ratios=(5, 4))
    for axes, die in zip(panels, DICE, strict=True):
        _stacks(axes, die)
    panels[0].set_ylabel("chance in %")
    big, small = panels
    for axes, x, y, name in (
        (big, 15, 40, "plain failure"),
        (big, 6.5, 75, "plain success"),
        (small, 5, 33, "plain failure"),
        (small, 2, 60, "plain success"),
    ):
        axes.text(x, y, name, ha="center", va="center")
    small.text(6.6, 8.3, "unfavourable\nfailure", va="center")
    small.text(6.6, 91.7, "favourable\nsuccess", va="center")
    small.text(0.4, 8.3, "unfavourable\nsuccess", ha="right", va="center")
    small.set_xlim(-1.6, 8.4)
    small.tick_params(left=False)
    small.spines["left"].set_visible(False)
    small.spines["bottom"].set_bounds(0.5, 6.5)
    figure.suptitle("What a check comes to, with critical bands of one face at each end")
    return figure


def _stacks(axes: Axes, die: int) -> None:
    """One bar for each target, from the worst outcome at the bottom to the best at the top."""
    table = bands_table(die)
    targets = [name for name, _ in table.rows]
    bottom = [0.0] * die
    for outcome, colour in zip(table.columns, COLOURS, strict=True):
        heights = [float(100 * (table.cell(target, outcome) or 0)) for target in targets]
        axes.bar(range(1, die + 1), heights, 1, bottom, color=colour, edgecolor="white", lw=0.6)
        bottom = [low + height for low, height in zip(bottom, heights, strict=True)]
    places = [1, 5, 10, 15, 20] if die == 20 else list(range(1, die + 1))
    axes.set_xticks(places, [f"{place}+" for place in places])
    axes.set_xlabel(f"target on d{die}")
    axes.set_ylim(0, 100)
    axes.margins(x=0.01)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def main(folder: Path = Path(__file__).parent) -> None:
    with mpl.rc_context(STYLE):
        figure = draw()
        for ending in ("svg", "png"):
            figure.savefig(folder / f"bands.{ending}", metadata=METADATA[ending], dpi=150)


if __name__ == "__main__":
    main()
