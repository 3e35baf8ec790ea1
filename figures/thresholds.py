"""The threshold table as a picture: the chance of X+ on every die."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from oddsmith.games.combat_pools import EVERY_DIE, thresholds

STYLE: Any = {"svg.hashsalt": "oddsmith", "svg.fonttype": "path", "font.family": "DejaVu Sans"}
METADATA: dict[str, Any] = {"svg": {"Date": None}, "png": {"Software": None}}
SHADES = LinearSegmentedColormap.from_list("blue", ["#FFFFFF", "#0072B2"])
LAST = 20


def shown(chance: Fraction) -> str:
    """A percentage of three digits: 100, 66.7, 5."""
    return f"{float(100 * chance):.3g}"


def draw() -> Figure:
    """One row for each die, one column for each target; a cell is as dark as it is likely."""
    figure = Figure(figsize=(10, 3.9), layout="constrained")
    axes = figure.add_subplot()
    table = thresholds(EVERY_DIE)
    for row, die in enumerate(EVERY_DIE):
        for target in range(1, min(die, LAST) + 1):
            chance = table.cell(f"{target}+", f"d{die}") or Fraction(0)
            colour = SHADES(float(chance))
            axes.add_patch(Rectangle((target - 0.5, row - 0.5), 1, 1, facecolor=colour, ec="white"))
            ink = "white" if chance > Fraction(2, 3) else "black"
            axes.text(target, row, shown(chance), ha="center", va="center", color=ink, fontsize=8)
        if die < LAST:
            note = f"from {die + 1}+ on: impossible"
            axes.text(die + 0.7, row, note, va="center", color="#666666", fontsize=8)
    axes.set(xlim=(0.45, LAST + 1.25), ylim=(len(EVERY_DIE) - 0.45, -0.55))
    axes.text(LAST + 0.6, len(EVERY_DIE) - 1, "...", va="center", color="#666666")
    axes.set_xticks(range(1, LAST + 1), [f"{target}+" for target in range(1, LAST + 1)])
    axes.set_yticks(range(len(EVERY_DIE)), [f"d{die}" for die in EVERY_DIE])
    axes.tick_params(length=0)
    axes.set_title("Chance of X+ in %: (N − X + 1) / N on a die of N sides")
    for side in axes.spines.values():
        side.set_visible(False)
    return figure


def main(folder: Path = Path(__file__).parent) -> None:
    with mpl.rc_context(STYLE):
        figure = draw()
        for ending in ("svg", "png"):
            figure.savefig(folder / f"thresholds.{ending}", metadata=METADATA[ending], dpi=150)


if __name__ == "__main__":
    main()
