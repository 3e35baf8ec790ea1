"""What notebooks show: a table, and a chart as SVG; and distributions for other libraries."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Any

from oddsmith.answers.charts import Chart, chart, distributions
from oddsmith.dist import Dist
from oddsmith.errors import OddsmithError, OutcomeError, RuleError
from oddsmith.render import html as markup
from oddsmith.table import Table

if TYPE_CHECKING:
    from fractions import Fraction

    from oddsmith.answers.ask import Answer


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
    return markup.answers((shown,)) + picture(distributions([("", value)], title="How often?"))


def _summary(dist: Any) -> str:
    return f"mean {dist.mean}" if dist.is_numeric else "distribution"


def _with_chart(found: Answer) -> str:
    table = markup.answers((found,))
    try:
        return table + picture(chart((found,)))
    except RuleError:
        return table


def picture(shown: Chart) -> str:
    """A chart as an image that holds its data, which hosts of notebooks keep.

    >>> from oddsmith import d6
    >>> picture(distributions([("d6", d6)])).startswith("<img")
    True
    """
    data = b64encode(svg(shown).encode()).decode()
    return f'<img alt="{escape(shown.title)}" src="data:image/svg+xml;base64,{data}">'


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
