"""What a chart does not know: values between two ends, and the words for the gap."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from oddsmith.render.cells import cell
from oddsmith.render.numbers import below, certain_percent, decimal

if TYPE_CHECKING:
    from oddsmith.answers.charts import Chart, Series

SEEN = Fraction(1, 1000)
"""A smaller part of the highest value is not seen in a picture."""


def gap(one: Series) -> Fraction:
    """The largest distance of two ends of a series.

    >>> from oddsmith.answers.charts import Series
    >>> gap(Series("a", (1,), (Fraction(1, 4),), highs=(Fraction(1, 2),)))
    Fraction(1, 4)
    """
    ends = zip(one.highs, one.ys, strict=True) if one.highs else ()
    return max((high - low for high, low in ends), default=Fraction(0))


def is_seen(chart: Chart) -> bool:
    """Whether a gap is large enough to be drawn.

    >>> from oddsmith.answers.charts import Chart, Series
    >>> is_seen(Chart("bars", "?", "x", "y", (Series("a", (1,), (Fraction(1, 4),)),)))
    False
    """
    top = max((high for one in chart.series for high in (one.highs or one.ys)), default=Fraction(0))
    return any(gap(one) > SEEN * top for one in chart.series)


def notes(chart: Chart) -> list[str]:
    """The notes of a chart, and what it does not know.

    >>> from oddsmith.answers.charts import Chart, Series
    >>> half, rest = Fraction(1, 2), Fraction(1, 2**40)
    >>> notes(Chart("bars", "?", "x", "y", (Series("a", (1,), (half,), highs=(half + rest,)),)))
    ['Chances are lower ends: less than 10^-12 is not known.']
    """
    largest = max(map(gap, chart.series), default=Fraction(0))
    if not largest:
        return list(chart.notes)
    words = f"Chances are lower ends: less than {below(largest)} is not known."
    if is_seen(chart):
        words = "Chances are known only between two ends; what is not known is pale."
    return [*chart.notes, words]


def between(chart: Chart, low: Fraction, high: Fraction, places: int = 1) -> str:
    """A value between two ends, without its unit: only digits on which both agree.

    >>> from oddsmith.answers.charts import Chart
    >>> between(Chart("bars", "?", "x", "y", ()), Fraction(1, 4), Fraction(1, 2))
    '25.0 to 50.0'
    """
    if low == high:
        return written(chart, low, places)
    if chart.percent:
        return certain_percent(low, high, places)
    return f"{decimal(low, places)} to {decimal(high, places)}"


def written(chart: Chart, value: Fraction, places: int = 1) -> str:
    """A value as text, without its unit; 0 and 100 % have decimals only where they are rounded.

    >>> from oddsmith.answers.charts import Chart
    >>> written(Chart("bars", "?", "x", "y", ()), Fraction(1)), written(
    ...     Chart("bars", "?", "x", "y", ()), Fraction(1, 8)
    ... )
    ('100', '12.5')
    """
    if chart.percent and value in (0, 1):
        return "100" if value else "0"
    return cell(value, "chance" if chart.percent else "number", "percent", places)
