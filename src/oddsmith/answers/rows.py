"""A distribution as rows, for any medium: outcomes or ranges with their exact chances."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from oddsmith.dist import Dist, is_number
from oddsmith.enclosed import Enclosed
from oddsmith.record import Record

if TYPE_CHECKING:
    from oddsmith.open_dist import OpenDist

TAIL = Fraction(1, 1000)
FAR = Fraction(1, 20_000)


class Row(Record):
    """Outcomes from ``low`` to ``high`` (the same for a single one).

    Attributes:
        low: First outcome.
        high: Last outcome.
        p: The chance of any of them.
        at_least: The chance of ``low`` or more; None where outcomes are not numbers.
        at_most: The chance of ``high`` or less; None likewise.
    """

    low: Any
    high: Any
    p: Fraction
    at_least: Fraction | None
    at_most: Fraction | None


class Rows(Record):
    """Rows, and what lies outside them.

    Attributes:
        rows: In rising order.
        below: The chance of less than the first row.
        beyond: The chance of more than the last row.
        missing: Mass that is not known (enclosed distributions only).
    """

    rows: tuple[Row, ...]
    below: Fraction = Fraction(0)
    beyond: Fraction = Fraction(0)
    missing: Fraction = Fraction(0)


def every_row(dist: Any) -> Rows:
    """All outcomes one by one; of an open-ended distribution until little is left.

    >>> [row.p for row in every_row(Dist([1, 2])).rows]
    [Fraction(1, 2), Fraction(1, 2)]
    """
    if isinstance(dist, Enclosed):
        return _within(every_row(dist.part), dist)
    if isinstance(dist, Dist):
        return _rows(dist.items(), dist.is_numeric)
    low, high = _ends(dist, FAR)
    return _rows(dist.rows(low, high), True, dist.less_than(low), dist.more_than(high))


def shown_rows(dist: Any, most: int = 40) -> Rows:
    """At most so many rows: long tails are left to ``below`` and ``beyond``, ranges are grouped.

    >>> len(shown_rows(1000 @ Dist(range(1, 7))).rows) <= 40
    True
    """
    if isinstance(dist, Dist) and dist.slots() <= most:
        return every_row(dist)
    if isinstance(dist, Enclosed):
        return _within(shown_rows(dist.part, most), dist)
    if isinstance(dist, Dist) and not dist.is_numeric:
        return _likeliest(dist, most)
    low, high = _ends(dist, TAIL)
    if isinstance(dist, Dist):
        kept = [(o, p) for o, p in dist.items() if low <= o <= high]
        rows = _rows(kept, True, dist.less_than(low), dist.more_than(high))
    else:
        rows = _rows(dist.rows(low, high), True, dist.less_than(low), dist.more_than(high))
    return _grouped(rows, most) if len(rows.rows) > most else rows


def _within(rows: Rows, dist: Enclosed) -> Rows:
    """The rows of the known part, as chances of the whole."""
    mass = dist.mass

    def scaled(value: Fraction | None) -> Fraction | None:
        return None if value is None else value * mass

    known = tuple(
        Row(r.low, r.high, r.p * mass, scaled(r.at_least), scaled(r.at_most)) for r in rows.rows
    )
    return Rows(known, rows.below * mass, rows.beyond * mass, dist.missing)


def _ends(dist: Dist[Any] | OpenDist, tail: Fraction) -> tuple[Any, Any]:
    low = dist.low if dist.low is not None and not isinstance(dist, Dist) else dist.quantile(tail)
    high = (
        dist.high
        if dist.high is not None and not isinstance(dist, Dist)
        else dist.quantile(1 - tail)
    )
    return low, high


def _rows(
    items: list[tuple[Any, Fraction]],
    numeric: bool,
    below: Fraction = Fraction(0),
    beyond: Fraction = Fraction(0),
) -> Rows:
    if not numeric:
        return Rows(tuple(Row(o, o, p, None, None) for o, p in items))
    rows = []
    running = below
    for outcome, p in items:
        rows.append(Row(outcome, outcome, p, 1 - running, running + p))
        running += p
    return Rows(tuple(rows), below, beyond)


def _grouped(rows: Rows, most: int) -> Rows:
    """Neighbours joined into ranges of one width: 1, 2 or 5 times a power of 10."""
    first, last = rows.rows[0].low, rows.rows[-1].high
    if not is_number(first):
        return rows
    width, factors, place = 1, (2, 5, 10), 0
    while (last - first) // width + 1 > most:
        width = factors[place % 3] * 10 ** (place // 3)
        place += 1
    groups: dict[int, list[Row]] = {}
    for row in rows.rows:
        groups.setdefault(int(row.low // width), []).append(row)
    joined = tuple(
        Row(g[0].low, g[-1].high, sum((r.p for r in g), Fraction(0)), g[0].at_least, g[-1].at_most)
        for g in groups.values()
    )
    return Rows(joined, rows.below, rows.beyond, rows.missing)


def _likeliest(dist: Dist[Any], most: int) -> Rows:
    ranked = sorted(dist.items(), key=lambda item: -item[1])[:most]
    shown = [item for item in dist.items() if item in ranked]
    rest = 1 - sum((p for _, p in shown), Fraction(0))
    return Rows(tuple(Row(o, o, p, None, None) for o, p in shown), beyond=rest)
