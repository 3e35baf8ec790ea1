"""``Enclosed``: a distribution known up to an exact missing mass.

Where a mechanic has no closed form, a part of it is computed exactly and the chance of everything
else is known exactly. Each probability then has a lower and an upper end; they meet when the
missing outcomes cannot matter to the question.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from oddsmith.arguments import as_function, chance_of, number, whole
from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.dist import as_dist, mix
from oddsmith.open_dist import OpenDist
from oddsmith.outcomes import is_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from oddsmith.exact.lattice import Number

Bounds = tuple[Fraction, Fraction]

DEPTH = 20_000
"""What each further halving of the missing mass may cost, in the units of the budget."""


class Enclosed:
    """A part of a distribution and the chance that the roll falls into it.

    Args:
        part: The distribution given that the outcome is a known one.
        mass: The chance of that.
        beyond: A number that every missing outcome reaches, or None when nothing is known.

    >>> from oddsmith import Dist
    >>> Enclosed(Dist([1, 2]), Fraction(1, 2), beyond=3).at_least(2)
    (Fraction(3, 4), Fraction(3, 4))
    >>> Enclosed(Dist([1, 2]), Fraction(1, 2)).at_least(2)
    (Fraction(1, 4), Fraction(3, 4))
    """

    __slots__ = ("beyond", "mass", "part")

    def __init__(
        self, part: Any, mass: Fraction = Fraction(1), beyond: Number | None = None
    ) -> None:
        self.part, self.mass = part, chance_of(mass)
        self.beyond = beyond if beyond is None else number(beyond)

    def __repr__(self) -> str:
        return f"<Enclosed {self.part.low} to {self.part.high}, missing {float(self.missing):.3g}>"

    @property
    def missing(self) -> Fraction:
        """The chance of the outcomes that are not known.

        >>> from oddsmith import Dist
        >>> Enclosed(Dist([1]), Fraction(3, 4)).missing
        Fraction(1, 4)
        """
        return 1 - self.mass

    def _bounds(self, known: Fraction, surely: bool, never: bool = False) -> Bounds:
        low = known * self.mass + (self.missing if surely else 0)
        return low, known * self.mass + (0 if never else self.missing)

    def p(self, event: object) -> Bounds:
        """The lowest and the highest chance an outcome (or set) can have.

        >>> from oddsmith import Dist
        >>> Enclosed(Dist([1, 2]), Fraction(1, 2), beyond=3).p(2)
        (Fraction(1, 4), Fraction(1, 4))
        """
        known = self.part.p(event)
        out = self.beyond is not None and not callable(event) and _all_below(event, self.beyond)
        return self._bounds(known, surely=False, never=out)

    def at_least(self, bound: Number) -> Bounds:
        """The lowest and the highest chance of the bound or more.

        >>> from oddsmith import Dist
        >>> Enclosed(Dist([1, 2]), Fraction(1, 2)).at_least(0)
        (Fraction(1, 2), Fraction(1, 1))
        """
        bound = number(bound)
        return self._bounds(
            self.part.at_least(bound), surely=self.beyond is not None and bound <= self.beyond
        )

    def more_than(self, bound: Number) -> Bounds:
        """The lowest and the highest chance of more than the bound.

        >>> from oddsmith import Dist
        >>> Enclosed(Dist([1, 2]), Fraction(1, 2), beyond=3).more_than(1)
        (Fraction(3, 4), Fraction(3, 4))
        """
        bound = number(bound)
        return self._bounds(
            self.part.more_than(bound), surely=self.beyond is not None and bound < self.beyond
        )

    @property
    def low(self) -> Number | None:
        """The lowest outcome where it is known.

        >>> from oddsmith import Dist
        >>> Enclosed(Dist([1, 2]), Fraction(1, 2), beyond=3).low
        1
        """
        if self.beyond is None:
            return None
        low: Number = min(self.part.low, self.beyond)
        return low

    def combine(
        self, other: Any, function: Callable[[Any, Any], Any], adds: bool = False
    ) -> Enclosed:
        """A function of two independent rolls, of which one or both are enclosed.

        Args:
            other: A number, a distribution or another enclosure.
            function: What is done with the known parts.
            adds: Whether the function is their sum (then the place of the missing mass is kept).

        >>> from oddsmith import Dist
        >>> half = Enclosed(Dist([1]), Fraction(1, 2), beyond=2)
        >>> half.combine(Dist([1]), lambda a, b: a + b, adds=True).beyond
        3
        """
        as_function(function, "what is made of two", "lambda a, b: a + b", 2)
        theirs = other if isinstance(other, Enclosed) else Enclosed(other)
        beyond = None
        if adds:
            lows = [_low(self), _low(theirs)]
            ends = [
                self.beyond if self.missing else None,
                theirs.beyond if theirs.missing else None,
            ]
            if None not in lows and not (
                (self.missing and ends[0] is None) or (theirs.missing and ends[1] is None)
            ):
                reach = [
                    end + low
                    for end, low in zip(ends, reversed(lows), strict=True)
                    if end is not None
                ]
                beyond = min(reach) if reach else None
        return Enclosed(function(self.part, theirs.part), self.mass * theirs.mass, beyond)


def _low(value: Enclosed) -> Any:
    return value.low if value.missing else getattr(value.part, "low", value.part)


def _all_below(event: object, bound: Any) -> bool:
    outcomes = event if isinstance(event, (set, frozenset, list, range)) else [event]
    return all(not is_number(outcome) or outcome < bound for outcome in outcomes)


def enclose(die: Any, depth: int) -> Enclosed:
    """An open-ended die cut where less than 2**-depth is left; of any other die all is known.

    >>> from oddsmith import Dist
    >>> from oddsmith.open_dist import chain
    >>> enclose(chain(Dist(range(1, 7)), {6}), 10).missing
    Fraction(1, 1296)
    """
    afford(DEPTH * whole(depth, "a depth", least=0), DEFAULT_BUDGET, "leave a little more out")
    if not isinstance(die, OpenDist):
        return Enclosed(as_dist(die))
    rest = Fraction(1, 2**depth)
    high = die.high if die.high is not None else die.quantile(1 - rest)
    low = die.low if die.low is not None else die.quantile(rest)
    part, mass = die.cut(low, high)
    return Enclosed(part, mass, high + die.step if die.low is not None else None)


def repeated(count: OpenDist, die: Any, depth: int = 44) -> Enclosed:
    """An open-ended number of dice, added: numbers of dice up to where less than 2**-depth is left.

    >>> from oddsmith import Dist, OpenDist
    >>> repeated(OpenDist.of(Dist([1, 2])), Dist([-1, 1])).part
    Dist({-2: 1, -1: 2, 0: 2, 1: 2, 2: 1})
    """
    cut = enclose(count, depth)
    die = as_any(die)
    sums = [(die.times(many), p) for many, p in cut.part.items()]
    return Enclosed(mix(sums), cut.mass)


def mix_enclosed(parts: list[tuple[Any, Fraction]]) -> Enclosed:
    """A mixture in which some part is enclosed; the weights add up to 1.

    >>> from oddsmith import Dist
    >>> half = Fraction(1, 2)
    >>> mix_enclosed([(Enclosed(Dist([1]), half), half), (Dist([2]), half)]).mass
    Fraction(3, 4)
    """
    wrapped = [(v if isinstance(v, Enclosed) else Enclosed(as_any(v)), w) for v, w in parts]
    mass = sum((w * v.mass for v, w in wrapped), Fraction(0))
    ends = [v.beyond for v, _ in wrapped if v.missing]
    known = [end for end in ends if end is not None]
    beyond = min(known, default=None) if len(known) == len(ends) else None
    return Enclosed(mix([(v.part, w * v.mass) for v, w in wrapped]), mass, beyond)


def as_any(value: Any) -> Any:
    """A distribution of either kind; plain outcomes become certain."""
    return value if isinstance(value, OpenDist) else as_dist(value)
