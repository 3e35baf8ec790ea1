"""A distribution as rows, for any medium: outcomes or ranges with their exact chances."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any

from oddsmith.budget import afford
from oddsmith.dist import Dist
from oddsmith.enclosed import Enclosed
from oddsmith.exact.lattice import tidy
from oddsmith.record import Record

if TYPE_CHECKING:
    from oddsmith.open_dist import OpenDist

TAIL = Fraction(1, 1000)
FAR = Fraction(1, 20_000)
MOST_CHARACTERS = 50_000_000


class Row(Record):
    """Outcomes from ``low`` to ``high`` (the same for a single one).

    Chances are kept as weights of one total and become fractions when asked for.

    Attributes:
        low: First outcome.
        high: Last outcome.
        weight: The weight of any of them.
        before: The weight of all lower outcomes.
        total: The weight of everything.
        ordered: Whether outcomes are numbers, so that "at least" makes sense.
        gap: How much more than ``p`` the chance may be, where mass is missing.
        tail_gap: The same for ``at_least`` and ``at_most``, which are lower ends.
    """

    low: Any
    high: Any
    weight: int | Fraction
    before: int | Fraction
    total: int | Fraction
    ordered: bool = True
    gap: Fraction = Fraction(0)
    tail_gap: Fraction = Fraction(0)

    @property
    def p(self) -> Fraction:
        """The chance of any of the outcomes."""
        return Fraction(self.weight) / self.total

    @property
    def at_least(self) -> Fraction | None:
        """The chance of ``low`` or more; None where outcomes are not numbers."""
        if not self.ordered:
            return None
        return 1 - Fraction(self.before) / self.total - self.tail_gap

    @property
    def at_most(self) -> Fraction | None:
        """The chance of ``high`` or less; None likewise."""
        return Fraction(self.before + self.weight) / self.total if self.ordered else None


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

    Raises:
        TooLarge: Where writing them down would take too many characters.

    >>> [row.p for row in every_row(Dist([1, 2])).rows]
    [Fraction(1, 2), Fraction(1, 2)]
    """
    if isinstance(dist, Enclosed):
        return _within(every_row(dist.part), dist)
    if isinstance(dist, Dist):
        size = dist.slots() * dist.bits() * 6 // 10
        afford(size, MOST_CHARACTERS, "ask for a single chance, or for fewer dice")
        return _finite(dist, dist.weights())
    return _open(dist, FAR)


def shown_rows(dist: Any, most: int = 40, whole: int | None = None) -> Rows:
    """At most so many rows: long tails are left to ``below`` and ``beyond``, ranges are grouped.

    Args:
        dist: Any distribution.
        most: So many rows at most.
        whole: Up to so many outcomes no tail is left out (``most`` when None).

    >>> len(shown_rows(1000 @ Dist(range(1, 7))).rows) <= 40
    True
    """
    if isinstance(dist, Enclosed):
        return _within(shown_rows(dist.part, most, whole), dist)
    if isinstance(dist, Dist) and not dist.is_numeric:
        return _likeliest(dist, most)
    if isinstance(dist, Dist) and dist.slots() <= (most if whole is None else min(whole, most)):
        return _finite(dist, dist.weights())
    if isinstance(dist, Dist):
        low, high = dist.quantile(TAIL), dist.quantile(1 - TAIL)
        return _finite(dist, dist.weights(low, high), most)
    return _open(dist, TAIL, most)


def _finite(dist: Dist[Any], weights: dict[Any, int], most: int | None = None) -> Rows:
    """Rows of some neighbouring outcomes of a finite distribution."""
    numeric, total = dist.is_numeric, dist.total
    first, last = next(iter(weights)), next(reversed(weights))
    below = dist.less_than(first) if numeric else Fraction(0)
    rows = _rows(list(weights.items()), tidy(below * total), total, numeric, most)
    return Rows(rows, below, dist.more_than(last) if numeric else Fraction(0))


def _open(dist: OpenDist, tail: Fraction, most: int | None = None) -> Rows:
    """Rows of an open-ended distribution, without tails below this chance."""
    low = dist.low if dist.low is not None else dist.quantile(tail)
    high = dist.high if dist.high is not None else dist.quantile(1 - tail)
    below = dist.less_than(low)
    rows = _rows(list(dist.rows(low, high)), below, 1, True, most)
    return Rows(rows, below, dist.more_than(high))


def _rows(
    weights: list[tuple[Any, Any]], before: Any, total: int, ordered: bool, most: int | None
) -> tuple[Row, ...]:
    """One row for each outcome, or one for each range where there are more than ``most``."""
    width = _width(weights[0][0], weights[-1][0], most) if most and len(weights) > most else None
    rows = []
    for _, group in groupby(weights, lambda pair: pair[0] // width if width else pair[0]):
        members = list(group)
        weight = sum(weight for _, weight in members)
        rows.append(Row(members[0][0], members[-1][0], weight, before, total, ordered))
        before += weight
    return tuple(rows)


def _width(first: Any, last: Any, most: int) -> int:
    """The width of at most so many ranges: 1, 2 or 5 times a power of 10.

    >>> _width(1, 100, 40), _width(1, 100, 20)
    (5, 10)
    """
    width, factors, place = 1, (2, 5, 10), 0
    while last // width - first // width + 1 > most:
        width = factors[place % 3] * 10 ** (place // 3)
        place += 1
    return width


def _within(rows: Rows, dist: Enclosed) -> Rows:
    """The rows of the known part, as chances of the whole.

    Missing outcomes that all lie beyond a row change neither its chance nor its tail.
    """
    mass, missing, beyond = dist.mass, dist.missing, dist.beyond
    known = []
    for row in rows.rows:
        clear = beyond is not None and row.ordered and row.high < beyond
        known.append(
            row.but(
                total=row.total / mass,
                gap=Fraction(0) if clear else missing,
                tail_gap=Fraction(0) if clear else missing,
            )
        )
    return Rows(tuple(known), rows.below * mass, rows.beyond * mass, missing)


def _likeliest(dist: Dist[Any], most: int) -> Rows:
    """The likeliest outcomes of a distribution over text."""
    weights = dist.weights()
    ranked = set(sorted(weights, key=lambda outcome: -weights[outcome])[:most])
    rows = _finite(dist, {o: w for o, w in weights.items() if o in ranked})
    return rows.but(beyond=1 - sum((row.p for row in rows.rows), Fraction(0)))
