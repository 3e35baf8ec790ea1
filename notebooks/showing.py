"""How the notebooks show things, so that any code host displays them.

Values of oddsmith show themselves in a notebook with an SVG chart. Code hosts clean such output and
lose the chart, so the stored notebooks hold pictures as PNG and answers as the text of the command.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from fractions import Fraction
from io import BytesIO
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from IPython.display import Image

from oddsmith.answers.charts import Chart, Series, chart, distributions
from oddsmith.render.figure import METADATA, STYLE, draw_chart
from oddsmith.render.notebook import described

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oddsmith.answers.charts import View
    from oddsmith.table import Table

WIDTH = "88"
"""Columns of text."""


def ask(*words: str) -> None:
    """Print what the command ``odds`` prints for these words, also an error of theirs.

    Raises:
        RuntimeError: Where the command itself fails.
    """
    told = {**os.environ, "COLUMNS": WIDTH, "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "oddsmith", *words]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=told)
    if done.returncode not in (0, 2):
        raise RuntimeError(done.stderr)
    print(done.stdout + done.stderr)


def shell(line: str) -> None:
    """Print what a whole line prints that begins with ``odds``."""
    ask(*shlex.split(line.removeprefix("odds ")))


def picture(what: Any, view: View = "pmf", title: str = "") -> Image:
    """A chart, some answers or named distributions as a picture, described for who cannot see it.

    Args:
        what: A ``Chart``, answers of ``odds``, or a dictionary of named distributions.
        view: Exactly, at least or at most.
        title: The question that named distributions answer.
    """
    drawn = _chart(what, view, title)
    out = BytesIO()
    with mpl.rc_context(STYLE):
        draw_chart(drawn).savefig(out, format="png", metadata=METADATA["png"], dpi=96)
    return Image(out.getvalue(), alt=described(drawn))


def lines(table: Table, up: str, columns: Sequence[str] = (), title: str = "") -> Image:
    """The columns of a table as lines over its rows, which are numbers.

    Args:
        table: What is drawn.
        up: What the vertical axis is.
        columns: Only these; all where left out.
        title: The question; that of the table where left out.
    """
    rows = tuple(int(name.rstrip("+")) for name, _ in table.rows)
    series = tuple(
        Series(
            column, rows, tuple(table.cell(name, column) or Fraction(0) for name, _ in table.rows)
        )
        for column in columns or table.columns
    )
    percent = table.unit == "chance"
    return picture(Chart("lines", title or table.title, table.corner, up, series, percent))


def _chart(what: Any, view: View, title: str) -> Chart:
    if isinstance(what, Chart):
        return what
    if isinstance(what, dict):
        named: Sequence[tuple[str, Any]] = list(what.items())
        return distributions(named, view, title)
    return chart(what, view)
