"""Answers as pictures, the same bytes each time: bars for distributions and for chances."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oddsmith.answers.rows import shown_rows
from oddsmith.errors import OddsmithError
from oddsmith.render.numbers import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from oddsmith.answers.ask import Answer

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#000000")
ENDINGS = ("svg", "png", "pdf")
STYLE: Any = {"svg.hashsalt": "oddsmith", "svg.fonttype": "path", "font.family": "DejaVu Sans"}
METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Producer": None},
}


def save(answers: tuple[Answer, ...], path: str) -> None:
    """Draw answers into a file; the ending says which format.

    Raises:
        OddsmithError: For another ending, or where the file cannot be written.
    """
    ending = Path(path).suffix.lstrip(".").lower()
    if ending not in ENDINGS:
        raise OddsmithError(f"{path} has no known ending", "write FILE.svg, FILE.png or FILE.pdf")
    import matplotlib as mpl

    with mpl.rc_context(STYLE):
        figure = draw(answers)
        try:
            figure.savefig(path, metadata=METADATA[ending], dpi=150)
        except OSError as error:
            raise OddsmithError(f"{path} cannot be written: {error.strerror}") from error


def draw(answers: tuple[Answer, ...]) -> Figure:
    """One panel with all distributions, or with all chances."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    shown = [a for a in answers if a.kind in ("distribution", "ranks")]
    if shown:
        _distributions(axes, shown)
    else:
        _chances(axes, answers)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return figure


def _distributions(axes: Axes, answers: list[Answer]) -> None:
    """Bars for one distribution; lines with markers for several."""
    from matplotlib.ticker import MaxNLocator

    axes.set_ylabel("chance in %")
    axes.set_xlabel("roll")
    for place, answer in enumerate(answers):
        rows = shown_rows(answer.dist, most=120)
        colour = COLOURS[place % len(COLOURS)]
        numeric = rows.rows[0].at_least is not None
        xs = [float(r.low) if numeric else place for place, r in enumerate(rows.rows)]
        ys = [100 * float(r.p) for r in rows.rows]
        if len(answers) == 1:
            gap = min((b - a for a, b in pairwise(xs)), default=1)
            axes.bar(xs, ys, width=0.85 * gap, color=colour)
        else:
            axes.plot(xs, ys, color=colour, marker="o", markersize=4, label=_name(answer))
        if not numeric:
            axes.set_xticks(xs, [str(r.low) for r in rows.rows])
        if rows.beyond and len(answers) == 1:
            note = f"above {rows.rows[-1].high}: {percent(rows.beyond)} % more"
            axes.annotate(
                note, (1, 0.97), xycoords="axes fraction", ha="right", va="top", fontsize=9
            )
        if numeric:
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylim(bottom=0)
    if len(answers) > 1:
        axes.legend(frameon=False)
        axes.set_title("Which result, how often?")
    else:
        axes.set_title(_name(answers[0]))


def _chances(axes: Axes, answers: tuple[Answer, ...]) -> None:
    """One bar for each question, from 0 to 100 %."""
    names = [_name(answer) for answer in reversed(answers)]
    for row, answer in enumerate(reversed(answers)):
        sides = [side.low for side in answer.contest] if answer.contest else [answer.low]
        exact = [side for side in sides if side is not None]
        chances = [float(side) for side in exact]
        left = 0.0
        for place, chance in enumerate(chances):
            axes.barh(row, 100 * chance, left=100 * left, color=COLOURS[place], height=0.6)
            word = ("win\n", "tie\n", "lose\n")[place] if len(chances) == 3 else ""
            middle, inside = 100 * (left + chance / 2), chance > 0.07
            axes.text(
                middle if inside else 100 * (left + chance) + 1,
                row,
                f"{word}{percent(exact[place], 1)} %",
                ha="center" if inside else "left",
                va="center",
                color="white" if inside and place != 1 else "black",
            )
            left += chance
    axes.set_yticks(range(len(names)), names)
    axes.set_xlim(0, 100)
    axes.set_xlabel("chance in %")
    axes.set_title("How likely?")


def _name(answer: Answer) -> str:
    name = answer.label or answer.text
    return name if len(name) <= 60 else name[:57] + "..."
