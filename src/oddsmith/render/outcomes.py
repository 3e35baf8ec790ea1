"""Where the outcomes of a chart stand: numbers at their value, names side by side in one order."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from fractions import Fraction
from heapq import heapify, heappop, heappush
from itertools import pairwise
from math import floor
from typing import TYPE_CHECKING, Any

from oddsmith.answers.charts import WORDS
from oddsmith.exact.text import fraction_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oddsmith.answers.charts import Chart, Series

FAR = 10**9
"""Numbers beyond this are drawn from the smallest one on, so that floats can tell them apart."""
NUMBER = re.compile(r"-?\d+(?:/\d+)?")


def merged(rows: Sequence[Sequence[str]]) -> list[tuple[str, int]]:
    """Names from several rows in one order that keeps to all of them, each with its repetition.

    >>> [name for name, _ in merged([("1", "3"), ("1", "2", "3"), ("4",)])]
    ['1', '2', '3', '4']
    """
    keyed = [repeated(row) for row in rows]
    every = list(dict.fromkeys(key for row in keyed for key in row))
    if all(NUMBER.fullmatch(name) for name, _ in every):
        rank: dict[Any, Any] = {key: (Fraction(key[0]), key[1]) for key in every}
    else:
        rank = {key: place for place, key in enumerate(every)}
    before: dict[Any, set[Any]] = {key: set() for key in every}
    after: dict[Any, set[Any]] = {key: set() for key in every}
    for row in keyed:
        for first, second in pairwise(row):
            before[second].add(first)
            after[first].add(second)
    ready = [(rank[key], key) for key in every if not before[key]]
    heapify(ready)
    order: dict[Any, None] = {}
    while len(order) < len(every):
        if not ready:
            ready = [min((rank[key], key) for key in every if key not in order)]
        _, key = heappop(ready)
        order[key] = None
        for later in after[key]:
            before[later].discard(key)
            if not before[later] and later not in order:
                heappush(ready, (rank[later], later))
    return list(order)


def laid_out(chart: Chart) -> tuple[list[tuple[str, int]], dict[tuple[int, int], Fraction]]:
    """The columns of a heat map, and its values by row and column.

    >>> from oddsmith.answers.charts import Chart, Series
    >>> one = Series("x", ("b",), (Fraction(1),), places=(1,))
    >>> laid_out(Chart("heat", "?", "x", "y", (one,), columns=("a", "b")))
    ([('a', 0), ('b', 0)], {(0, 1): Fraction(1, 1)})
    """
    rows = [[label(x) for x in one.xs] for one in chart.series]
    keys = repeated(chart.columns) if chart.columns else merged(rows)
    places = {key: place for place, key in enumerate(keys)}
    return keys, {
        (row, place): y
        for row, one in enumerate(chart.series)
        for place, y in zip(
            one.places or [places[key] for key in repeated(rows[row])], one.ys, strict=True
        )
    }


def repeated(names: Sequence[Any]) -> list[tuple[str, int]]:
    """Each name with how often it came before.

    >>> repeated(["a", "b", "a"])
    [('a', 0), ('b', 0), ('a', 1)]
    """
    seen: dict[str, int] = {}
    keys = []
    for name in map(str, names):
        keys.append((name, seen.get(name, 0)))
        seen[name] = seen.get(name, 0) + 1
    return keys


def filled(chart: Chart) -> Chart:
    """Running totals at the outcomes of all series, also at those that a series never shows.

    They stay out where the chance left of the first or right of the last outcome has a part in it.

    >>> from oddsmith.answers.charts import distributions
    >>> from oddsmith import Dist
    >>> chart = distributions([("a", Dist([2, 4])), ("b", Dist([3]))], "at-least")
    >>> filled(chart).series[0].ys == (1, Fraction(1, 2), Fraction(1, 2))
    True
    """
    every = [x for one in chart.series for x in one.xs]
    if not all(isinstance(x, (int, Fraction)) for x in every):
        return chart
    grid, rises = sorted(set(every)), chart.y == WORDS["at-most"]
    return chart.but(series=tuple(_on_grid(one, grid, rises) for one in chart.series if one.xs))


def _on_grid(one: Series, grid: Sequence[Any], rises: bool) -> Series:
    """The running totals of a series at the outcomes of a grid."""
    xs, ys, highs = [], [], []
    ends = list(zip(one.ys, one.highs or one.ys, strict=True))
    for x in grid:
        place = bisect_right(one.xs, x) - 1 if rises else bisect_left(one.xs, x)
        if 0 <= place < len(ends):
            if (x < one.xs[0] and one.below) or (x > one.xs[-1] and one.beyond):
                continue
            low, high = ends[place]
        elif one.below if rises else one.beyond:
            continue
        else:
            low = high = Fraction(0)
        xs.append(x)
        ys.append(low)
        highs.append(high)
    return one.but(xs=tuple(xs), ys=tuple(ys), highs=tuple(highs) if one.highs else ())


class Outcomes:
    """Where the outcomes of several series stand on one axis.

    Numbers stand at their value, less ``origin`` where they are huge; names side by side.
    """

    def __init__(self, series: Sequence[Series]) -> None:
        every = [x for one in series for x in one.xs]
        self.numeric = all(isinstance(x, (int, Fraction)) for x in every)
        self.origin = 0
        self.values: list[Fraction] = []
        self.names: list[str] = []
        self._places: dict[tuple[str, int], int] = {}
        if self.numeric:
            self.values = sorted({Fraction(x) for x in every})
            if max(map(abs, (self.values[0], self.values[-1]))) > FAR:
                self.origin = floor(self.values[0])
        else:
            keys = merged([[label(x) for x in one.xs] for one in series])
            self.names = [name for name, _ in keys]
            self._places = {key: place for place, key in enumerate(keys)}

    def at(self, xs: Sequence[Any]) -> list[float]:
        """The places of a series."""
        if self.numeric:
            return [float(Fraction(x) - self.origin) for x in xs]
        return [float(self._places[key]) for key in repeated([label(x) for x in xs])]

    @property
    def ends(self) -> tuple[float, float]:
        """The first and the last place."""
        if self.numeric:
            first, last = self.at([self.values[0], self.values[-1]])
            return first, last
        return 0.0, len(self.names) - 1.0

    @property
    def gap(self) -> float:
        """The smallest distance of two outcomes."""
        if not self.numeric:
            return 1.0
        return float(min((b - a for a, b in pairwise(self.values)), default=Fraction(1)))


def widths(outcomes: Outcomes, one: Series) -> list[float]:
    """How wide the bars of a series are: as the smallest gap, but never too thin to see.

    Where outcomes were joined into ranges the first and the last may be narrower than the others;
    they show by being nearer to their neighbours.
    """
    low, high = outcomes.ends
    thin = max(0.85 * outcomes.gap, (high - low) / 300)
    wide = [thin] * len(one.xs)
    if not outcomes.numeric or len(one.xs) < 5:
        return wide
    gaps = [float(b - a) for a, b in pairwise(map(Fraction, one.xs))]
    usual = Counter(gaps).most_common(1)[0][0]
    ends = [2 * gaps[0] - usual, 2 * gaps[-1] - usual]
    if min(gaps[1:-1]) < usual or min(ends) <= 0 or max(gaps[0], gaps[-1]) > usual:
        return wide
    return [0.85 * ends[0], *([0.85 * usual] * (len(one.xs) - 2)), 0.85 * ends[1]]


def label(x: Any) -> str:
    """An outcome as a tick: exact, but huge ones with their middle left out.

    >>> label(Fraction(1, 2)), label(10**40 + 7)
    ('1/2', '100000..000007')
    """
    if not isinstance(x, (int, Fraction)):
        return str(x)
    text = fraction_text(Fraction(x))
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    return text if len(digits) <= 16 else f"{sign}{digits[:6]}..{digits[-6:]}"
