"""Charts as pictures, the same bytes each time: SVG, PNG or PDF, light or dark.

Exact values become floats only here and in ``figure_kinds``, where matplotlib takes them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from oddsmith.answers import charts
from oddsmith.errors import OddsmithError, RuleError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from oddsmith.answers.ask import Answer
    from oddsmith.answers.charts import Chart, View
    from oddsmith.render.figure_page import Theme

ENDINGS = ("svg", "png", "pdf")
STYLE: Any = {
    "svg.hashsalt": "oddsmith",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "text.parse_math": False,
    "text.usetex": False,
    "axes.unicode_minus": True,
}
METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Producer": None},
}


def save(answers: Sequence[Answer], path: str, view: View = "pmf", dark: bool = False) -> None:
    """Draw answers into a file; the ending says which format.

    Args:
        answers: What to draw.
        path: The file: ``.svg``, ``.png`` or ``.pdf``.
        view: Exactly, at least or at most.
        dark: Light on dark.

    Raises:
        OddsmithError: For another ending, or where the file cannot be written.
        RuleError: Where there is nothing to draw.
    """
    _ending(path)
    save_chart(charts.chart(answers, view), path, dark)


def draw(answers: Sequence[Answer], view: View = "pmf", dark: bool = False) -> Figure:
    """The picture that suits some answers, as a matplotlib figure."""
    return draw_chart(charts.chart(answers, view), dark)


def save_chart(chart: Chart, path: str, dark: bool = False) -> None:
    """Draw a chart into a file; the ending says which format.

    Args:
        chart: What to draw.
        path: The file: ``.svg``, ``.png`` or ``.pdf``.
        dark: Light on dark.

    Raises:
        OddsmithError: For another ending, or where the file cannot be written.
        RuleError: Where there is nothing to draw.
    """
    ending = _ending(path)
    import warnings

    import matplotlib as mpl

    figure = draw_chart(chart, dark)
    with mpl.rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")
        try:
            figure.savefig(path, metadata=METADATA[ending], dpi=150)
        except OSError as error:
            raise OddsmithError(f"{path} cannot be written: {error.strerror}") from error


def draw_chart(chart: Chart, dark: bool = False) -> Figure:
    """A chart as a matplotlib figure.

    Args:
        chart: What to draw.
        dark: Light on dark.

    Raises:
        RuleError: Where there is nothing to draw, or too much.

    >>> from oddsmith import odds
    >>> [len(axes.patches) for axes in draw_chart(charts.chart(odds("d6"))).axes]
    [6]
    """
    if not any(one.xs for one in chart.series):
        raise RuleError("there is nothing to draw", "plot a distribution, a question or a table")
    import warnings

    import matplotlib as mpl

    from oddsmith.render.figure_kinds import KINDS
    from oddsmith.render.figure_page import ANYDICE, DARK, LIGHT

    if chart.kind not in KINDS:
        raise RuleError(f"{chart.kind} is no kind of chart", f"one of {', '.join(KINDS)}")
    theme = DARK if dark else LIGHT
    if chart.look == "anydice":
        theme = theme.but(colours=(theme.ink if dark else ANYDICE[0], *ANYDICE[1:]))
    style: Any = {**STYLE, **_colours(theme)}
    with mpl.rc_context(style), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")
        try:
            return KINDS[chart.kind](chart, theme)
        except OverflowError as error:
            raise RuleError("these numbers are too large to draw", "ask for a table") from error


def _ending(path: str) -> str:
    ending = Path(path).suffix.lstrip(".").lower()
    if ending not in ENDINGS:
        raise OddsmithError(f"{path} has no known ending", "write FILE.svg, FILE.png or FILE.pdf")
    return ending


def _colours(theme: Theme) -> dict[str, Any]:
    inks = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")
    papers = ("figure.facecolor", "axes.facecolor", "savefig.facecolor")
    return {
        **dict.fromkeys(inks, theme.ink),
        **dict.fromkeys(papers, theme.paper),
        "grid.color": theme.faint,
        "grid.linewidth": 0.6,
        "axes.axisbelow": True,
        "legend.frameon": False,
    }
