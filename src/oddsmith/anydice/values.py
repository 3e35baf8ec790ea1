"""Values of the language: whole numbers, sequences (tuples) and pools of like dice.

A law may miss a little mass where its fractions had grown past any use: weights are then rounded
down, so that every chance lies between what is known and that plus what is missing.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from oddsmith.dist import Dist
from oddsmith.errors import OutcomeError
from oddsmith.exact.text import whole_text
from oddsmith.pool import Pool

Value = Any
"""int, tuple[int, ...] or Dice."""

MOST_BITS = 40_000
"""Denominators longer than this are rounded down."""

KEPT_BITS = 2_048


class Dice:
    """So many independent dice of one law; no law is the empty die ``d{}``.

    Args:
        law: The faces of each, or None.
        count: How many.
        missing: What of each law is not known.
        sides: The number behind the ``d`` that made them, for their name; None where there is none.
    """

    __slots__ = ("_hash", "_total", "count", "law", "missing", "sides")

    def __init__(
        self,
        law: Dist[Any] | None,
        count: int = 1,
        missing: Fraction = Fraction(0),
        sides: int | None = None,
    ) -> None:
        if law is not None and law.bits() > MOST_BITS:
            law, missing = rounded(law, missing)
        self.law, self.count, self.missing, self.sides = law, count, missing, sides
        self._total: Dice | None = None
        self._hash: int | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dice) and (self.count, self.sides, self.law, self.missing) == (
            other.count, other.sides, other.law, other.missing,
        )  # fmt: skip

    def __hash__(self) -> int:
        if self._hash is None:
            law = self.law
            lowest = law.weights(law.low, law.low).get(law.low) if law is not None else None
            self._hash = hash((law, self.count, self.sides, lowest, self.missing.numerator))
        return self._hash

    @property
    def is_empty(self) -> bool:
        """Whether there is no face at all."""
        return self.law is None

    def require_all(self) -> None:
        """Refuse to name the outcomes where some may have been lost by rounding."""
        if self.missing:
            raise OutcomeError(
                "the outcomes of these dice are not all known: their fractions had grown too long "
                "and were rounded",
                "use fewer turns",
            )

    @property
    def pool(self) -> Pool:
        """The dice, kept apart."""
        return Pool.of(self.law, self.count) if self.law is not None else Pool([])

    @property
    def any_missing(self) -> Fraction:
        """The chance that one of the dice at least is not known."""
        if not self.missing:
            return self.missing
        return coarse(1 - (1 - self.missing) ** self.count)

    def total(self) -> Dice:
        """The dice added up, as a single die."""
        if self.count == 1 or self.law is None:
            return self
        if self._total is None:
            self._total = Dice(self.law.times(self.count), 1, self.any_missing)
        return self._total


EMPTY = Dice(None, 0)


def coarse(missing: Fraction) -> Fraction:
    """A missing mass with a short denominator, rounded up."""
    return short(missing.numerator, missing.denominator)


def short(top: int, bottom: int) -> Fraction:
    """A fraction; where it is long, the next one above with few digits."""
    if bottom.bit_length() < 4 * KEPT_BITS:
        return Fraction(top, bottom)
    scale = 1 << (2 * KEPT_BITS)
    return Fraction(-(-top * scale // bottom), scale)


def rounded(law: Dist[Any], missing: Fraction) -> tuple[Dist[Any], Fraction]:
    """The law with weights of few bits, rounded down, and what is missing then.

    >>> rounded(Dist({0: 1, 1: 2}), Fraction(0))[0].p(1) <= Fraction(2, 3)
    True
    """
    scale = 1 << KEPT_BITS
    weights = {o: (w << KEPT_BITS) // law.total for o, w in law.weights().items()}
    kept = {o: w for o, w in weights.items() if w}
    mass = (1 - missing) * Fraction(sum(kept.values()), scale)
    return Dist(kept), coarse(1 - mass)


def law_of(value: Value) -> Dice:
    """Any value as a single die: sequences and pools are added up."""
    if isinstance(value, Dice):
        return value.total()
    return Dice(Dist([value if isinstance(value, int) else sum(value)]))


def number_of(value: Value) -> int | None:
    """A number or the sum of a sequence; None for dice."""
    if isinstance(value, int):
        return value
    return sum(value) if isinstance(value, tuple) else None


def named(value: Value) -> str:
    """How a value is written inside a name; dice that no ``dN`` made have none.

    >>> six = Dist(range(1, 7))
    >>> named(5), named((1, 2)), named(Dice(six, 3, sides=6)), named(Dice(six, 3))
    ('5', '{?}', '3d6', '3d{?}')
    """
    if isinstance(value, int):
        return whole_text(value)
    if isinstance(value, tuple):
        return "{?}"
    if value.law is None:
        return "d{}"
    many = str(value.count) if value.count > 1 else ""
    if value.sides is None:
        return f"{many}d{{?}}"
    if not value.sides:
        return f"{many}d{{0..0}}"
    sign = "-" if value.sides < 0 else ""
    return f"{sign}{many}d{abs(value.sides)}"
