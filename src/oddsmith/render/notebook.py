"""What notebooks show: a table, and a chart as SVG; and distributions for other libraries.

A notebook is read, so a long distribution is shown as ranges there; ``to_pandas`` has all outcomes.
"""

from __future__ import annotations

from base64 import b64encode
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Any

from oddsmith.answers.charts import Chart, chart, distributions
from oddsmith.answers.rows import every_row, shown_rows
from oddsmith.dist import Dist
from oddsmith.enclosed import Enclosed
from oddsmith.errors import OddsmithError, OutcomeError, RuleError
from oddsmith.exact.text import fraction_text
from oddsmith.render import html as markup
from oddsmith.render.records import chance_text
from oddsmith.table import Table

if TYPE_CHECKING:
    from fractions import Fraction

    from oddsmith.answers.ask import Answer
    from oddsmith.answers.rows import Row

MOST_ROWS = 60
"""Outcomes of a distribution that are listed one by one."""

KINDS = {
    "bars": "bars", "lines": "lines", "steps": "steps", "chances": "bars", "heat": "heat map",
    "stack": "stacked bands", "ridge": "ridges", "scatter": "points",
}  # fmt: skip
"""What a chart is drawn as, in words."""

MOST_SERIES = 6
"""Names of series that a description of a chart spells out."""


def html(value: Any) -> str:
    """A distribution, answer, table or chart as HTML with its chart.

    >>> from oddsmith import d6
    >>> html(d6).count("<tr>")
    7
    """
    from oddsmith.answers.play import answer

    if isinstance(value, Chart):
        return picture(value)
    if isinstance(value, Table):
        return markup.table(value)
    if hasattr(value, "reading"):
        return _with_chart(value)
    title = escape(repr(value)) if not isinstance(value, Dist) else f"{len(value)} outcomes"
    shown = answer(_summary(value), title, value)
    return _table(shown) + picture(distributions([("", value)], title="How often?"))


def _summary(dist: Any) -> str:
    return f"mean {dist.mean}" if dist.is_numeric else "distribution"


def _with_chart(found: Answer) -> str:
    try:
        return _table(found) + picture(chart((found,)))
    except RuleError:
        return _table(found)


def _table(found: Answer) -> str:
    """An answer as a table, with ranges where it has many outcomes."""
    if found.kind != "distribution" or _size(found.dist) <= MOST_ROWS:
        return markup.answers((found,))
    shown = shown_rows(found.dist, MOST_ROWS)
    numbers = shown.rows[0].ordered
    rows = [_row(row) for row in shown.rows]
    if shown.below:
        rows.insert(0, (f"below {_name(shown.rows[0].low)}", [_percent(shown.below), ""]))
    if shown.beyond:
        name = f"above {_name(shown.rows[-1].high)}" if numbers else "all others"
        rows.append((name, [_percent(shown.beyond), ""]))
    if shown.missing:
        rows.append(("not known", [_percent(shown.missing), ""]))
    heads = ("result", "chance", "or more")[: 3 if numbers else 2]
    if not numbers:
        rows = [(name, texts[:1]) for name, texts in rows]
    note = "Not every outcome has a row of its own; to_pandas() gives each with its exact chance."
    return markup.marked_up(markup.caption_of(found), heads, rows, [note])


def _size(dist: Any) -> int:
    """How many outcomes would be listed."""
    if isinstance(dist, Enclosed):
        return _size(dist.part)
    return dist.slots() if isinstance(dist, Dist) else len(every_row(dist).rows)


def _row(row: Row) -> tuple[str, list[str]]:
    low, high = _name(row.low), _name(row.high)
    more = row.at_least
    return low if low == high else f"{low} to {high}", [
        _percent(row.p, row.gap),
        "" if more is None else _percent(more, row.tail_gap),
    ]


def _percent(low: Fraction, gap: Fraction | int = 0) -> str:
    return f"{chance_text(low, low + gap)} %"


def _name(outcome: Any) -> str:
    return str(outcome) if isinstance(outcome, (str, tuple)) else fraction_text(outcome)


def picture(shown: Chart) -> str:
    """A chart as an image that holds its data, which hosts of notebooks keep.

    >>> from oddsmith import d6
    >>> picture(distributions([("d6", d6)])).startswith("<img")
    True
    """
    data = b64encode(svg(shown).encode()).decode()
    return f'<img alt="{escape(described(shown))}" src="data:image/svg+xml;base64,{data}">'


def described(shown: Chart) -> str:
    """A chart in words, for those who cannot see it: its question, kind and series.

    >>> from oddsmith import d6, d8
    >>> described(distributions([("d6", d6), ("d8", d8)]))
    'Which result, how often? (lines of chance in % by result: d6, d8)'
    """
    names = [one.name for one in shown.series if one.name not in ("", shown.title)]
    if shown.kind == "chances" and len(shown.series) == 1:
        names = [str(x) for x in shown.series[0].xs]
    if shown.kind == "heat":
        names = []
    more = len(names) - MOST_SERIES
    told = ", ".join(names[:MOST_SERIES]) + (f" and {more} more" if more > 0 else "")
    kind = f"{KINDS[shown.kind]} of {_measured(shown)}"
    return f"{shown.title} ({kind}{': ' if told else ''}{told})"


def _measured(shown: Chart) -> str:
    """What a chart's bars, lines or colours stand for, and against what."""
    sign = " in %" if shown.percent else ""
    if shown.kind == "heat":
        return f"{shown.colours or 'chance'}{sign} by {shown.x} and {shown.y}"
    if shown.kind == "chances":
        return f"chance{sign}"
    return f"{shown.y}{sign} by {shown.x}"


def svg(picture: Chart) -> str:
    """A chart as an SVG element.

    >>> from oddsmith import d6
    >>> svg(distributions([("d6", d6)])).startswith("<svg")
    True
    """
    import matplotlib as mpl

    from oddsmith.render.figure import METADATA, STYLE, draw_chart

    out = StringIO()
    with mpl.rc_context(STYLE):
        draw_chart(picture).savefig(out, format="svg", metadata=METADATA["svg"])
    text = out.getvalue()
    return text[text.index("<svg") :]


def _pairs(dist: Any, rest: Fraction) -> list[tuple[Any, Fraction]]:
    if isinstance(dist, Dist):
        return dist.items()
    low = dist.low if dist.low is not None else dist.quantile(rest)
    high = dist.high if dist.high is not None else dist.quantile(1 - rest)
    pairs: list[tuple[Any, Fraction]] = dist.rows(low, high)
    return pairs


def arrays(dist: Any, rest: Fraction) -> Any:
    """Outcomes and chances as numpy arrays.

    Raises:
        OutcomeError: For outcomes that are not numbers.
    """
    import numpy as np

    if not dist.is_numeric:
        raise OutcomeError("outcomes that are not numbers make no array", "use to_pandas")
    pairs = _pairs(dist, rest)
    return (
        np.array([float(outcome) for outcome, _ in pairs]),
        np.array([float(chance) for _, chance in pairs]),
    )


def discrete(dist: Any, rest: Fraction) -> Any:
    """A scipy distribution; what was cut is spread over the rest, far below a float's precision."""
    from scipy.stats import rv_discrete

    outcomes, chances = arrays(dist, rest)
    return rv_discrete(values=(outcomes, chances / chances.sum()))


def frame(dist: Any, rest: Fraction) -> Any:
    """A pandas table."""
    try:
        import pandas as pd
    except ImportError:
        raise OddsmithError("pandas is not installed", "pip install pandas") from None
    pairs = _pairs(dist, rest)
    return pd.DataFrame(
        {"exact": [p for _, p in pairs], "chance": [float(p) for _, p in pairs]},
        index=pd.Index([outcome for outcome, _ in pairs], name="outcome"),
    )
