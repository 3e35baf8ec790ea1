"""``Match``: which faces a modifier means, such as 5+, 1, 2..4 or even."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from oddsmith.dist import Dist, mix
from oddsmith.exact import ratio
from oddsmith.exact.lattice import gcd_of, ratio_of, tidy
from oddsmith.outcomes import is_number
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oddsmith.exact.lattice import Number
    from oddsmith.open_dist import OpenDist


class Match(Record):
    """A set of faces: everything from ``low`` to ``high`` that fits, plus single faces.

    Attributes:
        low: Lower end, or None.
        high: Upper end, or None.
        faces: Single faces, text in lower case; used instead of the ends when not None.
        parity: 0 for even, 1 for odd, else None.
        inverted: Everything else instead.
        more: Further sets; a face fits when any fits.
        also: A set the face must be in, too.

    >>> Match(low=5)(6), Match(faces=frozenset({1, 2}))(3), Match(parity=0)(4)
    (True, False, True)
    """

    low: Number | None = None
    high: Number | None = None
    faces: frozenset[Any] | None = None
    parity: int | None = None
    inverted: bool = False
    more: tuple[Match, ...] = ()
    also: Match | None = None

    def __call__(self, face: Any) -> bool:
        own = self._own(face) != self.inverted or any(other(face) for other in self.more)
        return own and (self.also is None or self.also(face))

    def _own(self, face: Any) -> bool:
        if self.faces is not None:
            return (face.lower() if isinstance(face, str) else face) in self.faces
        if not is_number(face):
            return False
        if self.parity is not None:
            return isinstance(face, int) and face % 2 == self.parity
        return (self.low is None or face >= self.low) and (self.high is None or face <= self.high)

    def __or__(self, other: Match) -> Match:
        """Faces that fit either.

        >>> (Match(high=1) | Match(low=6))(6)
        True
        """
        return Match(faces=frozenset(), more=(self, other))

    def __and__(self, other: Match) -> Match:
        """Faces that fit both.

        >>> (Match(low=2) & Match(high=4))(5)
        False
        """
        return self.but(also=other if self.also is None else self.also & other)

    def _others(self) -> tuple[Match, ...]:
        return (*self.more, self.also) if self.also is not None else self.more

    def bounds(self) -> list[Number]:
        """Every number at which membership may change.

        >>> Match(low=5).bounds()
        [5]
        """
        own: Iterable[Any] = self.faces if self.faces is not None else (self.low, self.high)
        found = [bound for bound in own if is_number(bound)]
        for other in self._others():
            found += other.bounds()
        return found

    def period(self) -> int:
        """2 when evenness matters, else 1.

        >>> Match(parity=1).period()
        2
        """
        return max([2 if self.parity is not None else 1, *(m.period() for m in self._others())])


def weigh(die: OpenDist, matches: list[tuple[Match, int]]) -> Dist[int]:
    """What one open-ended die counts for: the weights of the matches it fits, added up.

    Between the numbers at which a match changes, outcomes are looked up one by one; beyond the
    last of them only evenness can matter.

    Args:
        die: The die.
        matches: Each with its weight.

    >>> from oddsmith.open_dist import chain
    >>> weigh(chain(Dist(range(1, 7)), {6}), [(Match(low=10), 1)]).p(1)
    Fraction(1, 12)
    """
    edges = [bound for match, _ in matches for bound in match.bounds()]
    ends = [end for end in (die.low, die.high) if end is not None]
    low, high = min([*edges, *ends, 0]) - 1, max([*edges, *ends, 0]) + 1
    table: dict[int, Fraction] = {}

    def put(outcome: Any, chance: Fraction) -> None:
        worth = sum(weight for match, weight in matches if match(outcome))
        table[worth] = table.get(worth, Fraction(0)) + chance

    for outcome, chance in die.rows(low, high):
        put(outcome, chance)
    if max(match.period() for match, _ in matches) == 1:
        tails = [(high + 1, die.more_than(high)), (low - 1, die.less_than(low))]
    else:
        tails = _by_parity(die, low, high)
    for outcome, chance in tails:
        put(outcome, chance)
    result: Dist[int] = mix(table)
    return result


def _by_parity(die: OpenDist, low: Any, high: Any) -> list[tuple[Any, Fraction]]:
    """The tails above high and below low, even and odd apart, with a sample outcome of each."""
    result = []
    grid = gcd_of(gcd_of(die.step, die.offset), 2)
    series, period = die.on_grid(0, grid), ratio_of(2, grid)
    for residue in range(period):
        whole = ratio.section(series, period, residue)
        if whole.num.degree() < 0:
            continue
        parts, start = ratio.Reader(whole), residue * grid
        first = int((high - start) // 2) + 1
        last = -int(-(low - start) // 2) - 1
        up = parts.tail_from(first)
        down = ratio.at_one(whole) - parts.tail_from(last + 1)
        result += [(tidy(start + 2 * first), up), (tidy(start + 2 * last), down)]
    return result
