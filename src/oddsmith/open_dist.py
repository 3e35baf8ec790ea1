"""``OpenDist``: exact distributions without an upper (or lower) end, with no cut-off.

The probability generating function of a die that rolls on is a ratio of two polynomials; sums,
multiples, mixtures, powers and differences of such dice stay one. So every probability, the mean
and the variance are exact rational numbers. P(A > B) is the upper tail of the difference, read off
after a partial fraction decomposition.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from importlib import import_module
from itertools import accumulate
from math import comb, factorial
from numbers import Integral, Rational
from typing import TYPE_CHECKING, Any

from oddsmith.arguments import chance_of, is_mapping, listed, number, whole
from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.dist import FACE, Dist, as_dist, event, float_sqrt, mix
from oddsmith.errors import ImpossibleEvent, NeverEnds, NoClosedForm, OutcomeError
from oddsmith.exact import lattice, ratio
from oddsmith.exact.lattice import Number, tidy
from oddsmith.outcomes import clean, is_number
from oddsmith.shown import Spread

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from oddsmith.exact.ratio import Ratio
    from oddsmith.open_pool import OpenPool

DEGREE_LIMIT = 30_000
"""The largest degree of a denominator that is worked with."""


MULTIPLES_LIMIT = 2_000
"""The largest sum of degrees of the multiples that a product with a finite die is mixed from."""


class OpenDist(Spread):
    """Outcomes ``step * k`` plus an offset, k running over whole numbers without an end.

    Made by :func:`chain`, :func:`mix` and arithmetic, not by hand. ``+ - *`` and comparisons
    combine **independent** rolls, as for ``Dist``.

    >>> d6 = Dist(range(1, 7))
    >>> die = chain(d6, {6})
    >>> die.mean, die.variance, die.at_least(13)
    (Fraction(21, 5), Fraction(266, 25), Fraction(1, 36))
    >>> (die > die).p()
    Fraction(3, 7)
    """

    def __init__(self, offset: Number, step: Number, series: Ratio) -> None:
        thin, wider = ratio.deflated(series)
        found = {"offset": tidy(offset + step * series.shift), "step": tidy(step * wider)}
        self.__dict__.update(found, series=thin)

    offset: Number
    step: Number
    series: Ratio

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an OpenDist is frozen: {name} cannot be set")

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.offset, self.step, ratio.plain(self.series))

    @staticmethod
    def of(value: object) -> OpenDist:
        """Any number or numeric distribution in this form.

        Raises:
            OutcomeError: Where an outcome is not a number.

        >>> OpenDist.of(Dist([1, 2])).mean
        Fraction(3, 2)
        """
        if isinstance(value, OpenDist):
            return value
        dist = as_dist(value)
        dist.require_numbers("add")
        weights: dict[Any, int] = dist.weights()
        step = lattice.spacing(list(weights))
        low = dist.low
        cells = lattice.ratio_of(dist.high - low, step) + 1
        afford(100 * cells, DEFAULT_BUDGET, "use outcomes closer together")
        coefficients = [0] * cells
        for outcome, weight in weights.items():
            coefficients[lattice.ratio_of(outcome - low, step)] = weight
        return OpenDist(low, step, ratio.from_weights(coefficients, dist.total))

    @staticmethod
    def of_series(series: Ratio, factor: Fraction) -> OpenDist:
        """Whole outcomes with these coefficients times a factor.

        >>> OpenDist.of_series(ratio.from_weights([0, 1, 1], 1), Fraction(1, 2)).mean
        Fraction(3, 2)
        """
        return OpenDist(0, 1, ratio.scaled(series, factor))

    def settled(self) -> Dist[Any] | OpenDist:
        """A finite ``Dist`` where no tail is left, else itself.

        >>> OpenDist.of(Dist([1, 2])).settled()
        Dist({1: 1, 2: 1})
        """
        if self.series.up.degree() > 0 or self.series.down.degree() > 0:
            return self
        low = self._outcome(self.series.shift)
        num = self.series.num
        poly = num.numer()
        return Dist({low + self.step * k: int(weight) for k, weight in enumerate(poly.coeffs())})

    def __repr__(self) -> str:
        return (
            f"<OpenDist {'..' if self.low is None else self.low} to "
            f"{'..' if self.high is None else self.high}, mean {self.mean}>"
        )

    def _key(self) -> tuple[Any, ...]:
        s = self.series
        return self._outcome(s.shift), self.step, *(tuple(map(str, p.coeffs())) for p in s[1:])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (OpenDist, Dist)):
            return NotImplemented
        if isinstance(other, Dist):
            settled = self.settled()
            return isinstance(settled, Dist) and settled == other
        return self._key() == other._key()

    def __hash__(self) -> int:
        settled = self.settled()
        return hash(settled if isinstance(settled, Dist) else self._key())

    def __bool__(self) -> bool:
        raise TypeError("a distribution is neither true nor false; write dist.p(event)")

    def _outcome(self, index: int) -> Number:
        return tidy(self.offset + self.step * index)

    def _index_from(self, bound: Number) -> int:
        """The first index at or above a bound."""
        return int(-((self.offset - number(bound)) // self.step))

    @cached_property
    def _reader(self) -> ratio.Reader:
        afford(ratio.split_cost(self.series), DEFAULT_BUDGET, "roll fewer open-ended dice")
        return ratio.Reader(self.series)

    # --- looking in

    @property
    def low(self) -> Number | None:
        """The lowest outcome, or None where there is no lower end.

        >>> chain(Dist(range(1, 7)), {6}).low
        1
        """
        return None if self.series.down.degree() > 0 else self._outcome(self.series.shift)

    @property
    def high(self) -> Number | None:
        """The highest outcome, or None where there is no upper end.

        >>> chain(Dist(range(1, 7)), {6}).high is None
        True
        """
        if self.series.up.degree() > 0:
            return None
        s = self.series
        return self._outcome(s.shift + s.num.degree() - s.down.degree())

    is_numeric = True

    def rows(self, low: Number, high: Number) -> list[tuple[Number, Fraction]]:
        """The outcomes from low to high, both included, with their probabilities.

        Raises:
            TooLarge: For too many outcomes, or outcomes too far out.

        >>> chain(Dist([1, 2]), {2}).rows(1, 5)[0]
        (1, Fraction(1, 2))
        """
        first, last = self._between(low, high)
        chances = self._reader.coefficients(first, last)
        return [(self._outcome(first + k), p) for k, p in enumerate(chances) if p]

    def _between(self, low: Number, high: Number) -> tuple[int, int]:
        """The first and last index of outcomes from low to high."""
        first, last = self._index_from(low), self._index_from(high)
        last -= self._outcome(last) > high
        afford(last - first, 100_000, "ask for fewer outcomes")
        self._reach(first)
        self._reach(last)
        return first, last

    def cut(self, low: Number, high: Number) -> tuple[Dist[Any], Fraction]:
        """The distribution given an outcome from low to high, and the chance of one.

        >>> chain(Dist([1, 2]), {2}).cut(1, 3)
        (Dist({1: 2, 3: 1}), Fraction(3, 4))
        """
        first, last = self._between(low, high)
        weights, size = self._reader.weights(first, last)
        table = {self._outcome(first + k): w for k, w in enumerate(weights) if w}
        return Dist.of_table(table), Fraction(sum(weights), size)

    def p(self, event: object = True) -> Fraction:
        """The chance of an outcome, or of any of several.

        Raises:
            OutcomeError: For a condition as a function: there is no last outcome to try.

        >>> chain(Dist(range(1, 7)), {6}).p(7)
        Fraction(1, 36)
        """
        if callable(event):
            raise OutcomeError(
                "an open-ended distribution takes no condition as a function",
                "use at_least, at_most or a set of outcomes",
            )
        if isinstance(event, (set, frozenset, list, range)):
            parts = set(map(clean, listed(event, "outcomes", "write for example {6, 12}")))
            afford(5 * FACE * len(parts), DEFAULT_BUDGET, "use at_least and at_most")
            return sum((self.p(part) for part in parts), Fraction(0))
        outcome = clean(event)
        if not is_number(outcome):
            return Fraction(0)
        index = Fraction(outcome - self.offset) / self.step
        if index.denominator != 1:
            return Fraction(0)
        self._reach(index.numerator)
        return self._reader.coefficients(index.numerator, index.numerator)[0]

    def _reach(self, index: int) -> None:
        far = abs(index - self.series.shift)
        afford(
            ratio.series_cost(self.series, far), DEFAULT_BUDGET, "ask for an outcome less far out"
        )

    def at_least(self, bound: Number) -> Fraction:
        """The chance of the bound or more.

        >>> (2 @ chain(Dist(range(1, 7)), {6})).at_least(20)
        Fraction(13, 432)
        """
        index = self._index_from(bound)
        self._reach(index)
        return self._reader.tail_from(index)

    def at_most(self, bound: Number) -> Fraction:
        """The chance of the bound or less.

        >>> chain(Dist(range(1, 7)), {6}).at_most(5)
        Fraction(5, 6)
        """
        return 1 - self.more_than(bound)

    def more_than(self, bound: Number) -> Fraction:
        """The chance of more than the bound.

        >>> chain(Dist(range(1, 7)), {6}).more_than(12)
        Fraction(1, 36)
        """
        index = int((number(bound) - self.offset) // self.step) + 1
        self._reach(index)
        return self._reader.tail_from(index)

    def less_than(self, bound: Number) -> Fraction:
        """The chance of less than the bound.

        >>> chain(Dist(range(1, 7)), {6}).less_than(7)
        Fraction(5, 6)
        """
        return 1 - self.at_least(bound)

    def between(self, low: Number, high: Number) -> Fraction:
        """The chance of an outcome from low to high, both included.

        >>> chain(Dist(range(1, 7)), {6}).between(7, 12)
        Fraction(5, 36)
        """
        return max(self.at_least(low) - self.more_than(high), Fraction(0))

    # --- summaries

    def moment(self, order: int, about: Number = 0) -> Fraction:
        """The mean of ``(outcome - about) ** order``.

        Args:
            order: A whole number of 0 or more.
            about: What the outcome is measured from: 0 for raw moments, the mean for central ones.

        Raises:
            OutcomeError: For any other order.

        >>> chain(Dist(range(1, 7)), {6}).moment(1)
        Fraction(21, 5)
        """
        if not isinstance(order, int) or order < 0:
            raise OutcomeError(f"a moment has an order of 0 or more, not {order}")
        about = number(about)
        afford(order**4 // 10, DEFAULT_BUDGET, "ask for a lower order")
        factorial = ratio.factorial_moments(self.series, order + 1)
        raw = [
            sum((_stirling(n, k) * factorial[k] for k in range(n + 1)), Fraction(0))
            for n in range(order + 1)
        ]
        base = Fraction(self._outcome(self.series.shift)) - about
        return sum(
            (
                comb(order, n) * base ** (order - n) * self.step**n * raw[n]
                for n in range(order + 1)
            ),
            Fraction(0),
        )

    @cached_property
    def mean(self) -> Fraction:
        """The mean.

        >>> chain(Dist(range(1, 7)), {6}).mean
        Fraction(21, 5)
        """
        return self.moment(1)

    @cached_property
    def variance(self) -> Fraction:
        """The variance.

        >>> chain(Dist(range(1, 7)), {6}).variance
        Fraction(266, 25)
        """
        return self.moment(2, about=self.mean)

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance, as the nearest float.

        >>> round(chain(Dist(range(1, 7)), {6}).standard_deviation, 4)
        3.2619
        """
        return float_sqrt(self.variance)

    def modes(self) -> list[Number]:
        """The likeliest outcomes, sorted: searched until the rest is less likely than the best.

        >>> chain(Dist(range(1, 7)), {6}).modes()
        [1, 2, 3, 4, 5]
        """
        low, high = self.quantile(Fraction(1, 100)), self.quantile(Fraction(99, 100))
        while True:
            rows = self.rows(low, high)
            best = max(p for _, p in rows)
            if max(self.more_than(high), self.less_than(low)) < best:
                return [outcome for outcome, p in rows if p == best]
            low, high = tidy(low - (high - low) - self.step), tidy(high + (high - low) + self.step)

    def quantile(self, share: Fraction | int) -> Number:
        """The lowest outcome with at least this share of all rolls at or below it.

        Raises:
            OutcomeError: For a share that does not lie between 0 and 1.

        >>> chain(Dist(range(1, 7)), {6}).quantile(Fraction(9, 10))
        9
        """
        share = Fraction(number(share, "a share"))
        if not 0 < share < 1:
            raise OutcomeError(
                f"a quantile of an open-ended die needs a share between 0 and 1, not {share}"
            )
        reach = int(4 * self.standard_deviation / float(self.step)) + 2
        middle = self._index_from(self.mean)
        while True:
            first, last = middle - reach, middle + reach
            running = self.less_than(self._outcome(first))
            if running < share:
                self._reach(first)
                self._reach(last)
                weights, size = self._reader.weights(first, last)
                wanted = (share - running) * size
                for index, weight in enumerate(accumulate(weights), first):
                    if weight >= wanted:
                        return self._outcome(index)
            reach *= 4

    @property
    def median(self) -> Number:
        """The lowest outcome with at least half of all rolls at or below it.

        >>> chain(Dist(range(1, 7)), {6}).median
        3
        """
        return self.quantile(Fraction(1, 2))

    # --- arithmetic on independent rolls

    def on_grid(self, offset: Number, step: Number) -> Ratio:
        """The series on a finer grid, from another offset.

        Raises:
            TooLarge: When the finer grid has too many places.
        """
        finer = lattice.ratio_of(self.step, step)
        places = ratio.places(self.series) * finer + abs(
            lattice.ratio_of(self.offset - offset, step)
        )
        afford(100 * places, DEFAULT_BUDGET, "use numbers closer together, or smaller fractions")
        stretched = ratio.inflate(self.series, finer)
        shift = stretched.shift + lattice.ratio_of(self.offset - offset, step)
        return stretched._replace(shift=shift)

    def _sum(self, other: OpenDist) -> OpenDist | Dist[Any]:
        afford(self.series.up.degree() + other.series.up.degree(), DEGREE_LIMIT, "roll fewer dice")
        step = lattice.gcd_of(self.step, other.step)
        product = ratio.product(self.on_grid(self.offset, step), other.on_grid(other.offset, step))
        return OpenDist(self.offset + other.offset, step, product).settled()

    def _scaled(self, factor: Number) -> OpenDist | Dist[Any]:
        if factor == 0:
            return Dist({0: 1})
        series = self.series if factor > 0 else ratio.mirror(self.series)
        return OpenDist(self.offset * factor, _size(self.step * factor), series)

    def times(self, count: int, budget: int = DEFAULT_BUDGET) -> Any:
        """The sum of that many independent rolls; ``count @ dist`` says the same.

        >>> (3 @ chain(Dist(range(1, 7)), {6})).mean
        Fraction(63, 5)
        """
        whole(count)
        if count < 0:
            return -self.times(-count, budget)
        if count == 0:
            return Dist({0: 1})
        s = self.series
        afford(
            count * (s.up.degree() + s.down.degree()), DEGREE_LIMIT, "roll fewer open-ended dice"
        )
        return OpenDist(self.offset * count, self.step, ratio.power(s, count))

    def pool(self, count: int) -> OpenPool:
        """That many of these dice, kept apart: for keeping and dropping by rank.

        To count those that reach a number, add up comparisons: ``4 @ (die >= 8)``.

        >>> chain(Dist(range(1, 7)), {6}).pool(3).keep_highest(2).rolled
        3
        """
        from oddsmith.open_pool import OpenPool

        return OpenPool([(self, count)])

    def __rmatmul__(self, count: object) -> Any:
        if isinstance(count, Integral):
            return self.times(int(count))
        return NotImplemented

    def __matmul__(self, other: Any) -> Any:
        """A random number of other dice, added: one generating function in the other.

        Where a die has faces below 0 there is no closed form; the total is then ``Enclosed``.
        """
        if not hasattr(other, "times"):
            return NotImplemented
        if any(not isinstance(number, int) for number in (self.offset, self.step)):
            raise OutcomeError("a number of dice must be whole", "round it: die.floordiv(1)")
        if self.low is None or self.low < 0:
            raise OutcomeError("a number of dice must be 0 or more", "clamp it: die.clamp(low=0)")
        die = OpenDist.of(other)
        if die.low is None or die.low < 0:
            enclosed = import_module("oddsmith.enclosed")
            return enclosed.repeated(self, other)
        step = lattice.gcd_of(die.step, die.offset) or 1
        counts, faces = self.on_grid(0, 1), die.on_grid(0, step)
        degree = (ratio.places(counts) + counts.shift) * (ratio.places(faces) + faces.shift)
        afford(degree, DEGREE_LIMIT, "roll fewer open-ended dice")
        return OpenDist(0, step, ratio.composed(counts, faces)).settled()

    def __add__(self, other: object) -> Any:
        if isinstance(other, (int, Fraction)):
            return OpenDist(self.offset + other, self.step, self.series)
        return self._sum(OpenDist.of(other)) if _joins(other) else NotImplemented

    __radd__ = __add__

    def __neg__(self) -> Any:
        return self._scaled(-1)

    def __pos__(self) -> OpenDist:
        return self

    def __sub__(self, other: object) -> Any:
        return self._sum(OpenDist.of(-OpenDist.of(other))) if _joins(other) else NotImplemented

    def __rsub__(self, other: object) -> Any:
        return OpenDist.of(-self)._sum(OpenDist.of(other)) if _joins(other) else NotImplemented

    def __mul__(self, other: object) -> Any:
        """Times a number, or times a finite die: a mixture of multiples."""
        if isinstance(other, OpenDist):
            raise OutcomeError(
                "the product of two open-ended dice has no closed form",
                "limit one of them, for example `!max5`",
            )
        if not _joins(other):
            return NotImplemented
        factors = as_dist(other)
        factors.require_numbers("multiply")
        return self._multiples(factors.weights())

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Any:
        if not _joins(other) or isinstance(other, OpenDist):
            return NotImplemented
        divisors = as_dist(other)
        divisors.require_numbers("divide by")
        if divisors.p(0):
            raise OutcomeError(f"the divisor is 0 with chance {divisors.p(0)}")
        return self._multiples(
            {Fraction(1) / divisor: weight for divisor, weight in divisors.weights().items()}
        )

    def _multiples(self, factors: Mapping[Any, int]) -> Any:
        """One of several multiples, as long as the common grid keeps the degrees small."""
        degree = max(self.series.up.degree(), self.series.down.degree())
        step: Number = 0
        for factor in factors:
            step = lattice.gcd_of(step, factor)
        widths = sum(abs(lattice.ratio_of(factor, step)) for factor in factors) if step else 0
        if len(factors) > 1 and degree * widths > MULTIPLES_LIMIT:
            raise OutcomeError("so many multiples of an open-ended die have no closed form here")
        return mix((self._scaled(factor), weight) for factor, weight in factors.items())

    def __floordiv__(self, divisor: object) -> Any:
        return self.floordiv(divisor) if isinstance(divisor, int) else NotImplemented

    # --- comparisons of independent rolls

    def _difference(self, other: object) -> OpenDist | Dist[Any]:
        difference: OpenDist | Dist[Any] = self - OpenDist.of(other)
        return difference

    def __ge__(self, other: object) -> Dist[int]:
        return event(self._difference(other).at_least(0)) if _joins(other) else NotImplemented

    def __gt__(self, other: object) -> Dist[int]:
        return event(self._difference(other).more_than(0)) if _joins(other) else NotImplemented

    def __le__(self, other: object) -> Dist[int]:
        return event(self._difference(other).at_most(0)) if _joins(other) else NotImplemented

    def __lt__(self, other: object) -> Dist[int]:
        return event(self._difference(other).less_than(0)) if _joins(other) else NotImplemented

    def eq(self, other: object) -> Dist[int]:
        """The event that two independent rolls agree.

        >>> die = chain(Dist(range(1, 7)), {6})
        >>> die.eq(die).p()
        Fraction(1, 7)
        """
        return event(self._difference(other).p(0))

    def ne(self, other: object) -> Dist[int]:
        """The event that two independent rolls differ.

        >>> chain(Dist(range(1, 7)), {6}).ne(3).p()
        Fraction(5, 6)
        """
        return event(1 - self._difference(other).p(0))

    # --- order and grouping

    def clamp(self, low: Number | None = None, high: Number | None = None) -> Any:
        """Raise outcomes below ``low`` to it, lower those above ``high`` to it.

        >>> chain(Dist(range(1, 7)), {6}).clamp(high=10).at_least(10)
        Fraction(1, 12)
        """
        result: Any = self
        low, high = (end if end is None else number(end) for end in (low, high))
        if high is not None:
            result = -(OpenDist.of(-result)._floor(tidy(-high)))
        if low is not None:
            result = OpenDist.of(result)._floor(low)
        return result

    def _floor(self, low: Number) -> Any:
        """max(outcome, low): the part above the bound stays, the rest moves to it."""
        below = self.less_than(low)
        if not below:
            return self
        if below == 1:
            return Dist({low: 1})
        parts = self._reader.split
        first = self._index_from(low)
        cut = ratio.upward_from(parts, first)
        rest = OpenDist(self.offset, self.step, ratio.scaled(cut, 1 / (1 - below)))
        return mix([(Dist({low: 1}), below), (rest.settled(), 1 - below)])

    def without(self, chances: dict[Any, Fraction]) -> Any:
        """The distribution once it is known that none of some outcomes was rolled.

        Args:
            chances: These outcomes, each with the chance it has.

        >>> chain(Dist(range(1, 7)), {6}).without({1: Fraction(1, 6)}).p(2)
        Fraction(1, 5)
        """
        if not is_mapping(chances):
            raise OutcomeError(
                f"{chances!r} is not a mapping from outcomes to their chances",
                "write for example die.without({1: die.p(1)})",
            )
        terms = {
            lattice.ratio_of(number(outcome) - self.offset, self.step): -chance_of(p)
            for outcome, p in chances.items()
        }
        rest = ratio.plus(self.series, ratio.laurent(terms))
        chance = ratio.at_one(rest)
        if chance <= 0:
            raise ImpossibleEvent("no outcome is left")
        left = ratio.scaled(rest, 1 / chance)
        return OpenDist(self.offset, self.step, left).settled()

    def floordiv(self, divisor: int) -> Any:
        """The outcome divided by a positive whole number, rounded down.

        Cost: as many terms of the series as the divisor times the degree, each longer than the
        one before.

        >>> chain(Dist(range(1, 7)), {6}).floordiv(2).p(3)
        Fraction(1, 36)
        """
        if not isinstance(divisor, int) or divisor < 1:
            raise OutcomeError(
                "an open-ended die can be divided, rounding down, by a whole number above 0"
            )
        fine = OpenDist.of(self)
        step = lattice.gcd_of(fine.step, divisor)
        series = fine.on_grid(fine.offset % step, step)
        period = lattice.ratio_of(divisor, step)
        afford(ratio.section_cost(series, period), DEFAULT_BUDGET, "divide by a smaller number")
        window = ratio.product(series, ratio.run(1 - period, period))
        return OpenDist(0, 1, ratio.section(window, period, 0)).settled()

    def mix_with(self, parts: Iterable[tuple[Any, int | Fraction]]) -> Any:
        """The mixture of open-ended and other parts; see :func:`oddsmith.dist.mix`.

        >>> mix([(chain(Dist(range(1, 7)), {6}), 1), (0, 1)]).mean
        Fraction(21, 10)
        """
        weighed = [(part, Fraction(weight)) for part, weight in parts if weight]
        size = sum((weight for _, weight in weighed), Fraction(0))
        finite = [(part, weight) for part, weight in weighed if not isinstance(part, OpenDist)]
        pairs = [(part, weight) for part, weight in weighed if isinstance(part, OpenDist)]
        if finite:
            mass = sum((weight for _, weight in finite), Fraction(0))
            pairs.append((OpenDist.of(mix(finite)), mass))
        offset = pairs[0][0].offset
        step: Number = 0
        for part, _ in pairs:
            step = lattice.gcd_of(lattice.gcd_of(step, part.step), part.offset - offset)
        degrees = [part.series.up.degree() + part.series.down.degree() for part, _ in pairs]
        afford(sum(degrees) * max(degrees) // 4, DEFAULT_BUDGET, "mix fewer open-ended dice")
        scaled = [ratio.scaled(part.on_grid(offset, step), weight / size) for part, weight in pairs]
        return OpenDist(offset, step, ratio.total(scaled)).settled()


def _size(number: Number) -> Number:
    return number if number >= 0 else -number


def _stirling(n: int, k: int) -> int:
    """Stirling numbers of the second kind: powers from falling factorials."""
    return int(sum((-1) ** (k - j) * comb(k, j) * j**n for j in range(k + 1)) // factorial(k))


def _rebuilt(offset: Number, step: Number, parts: tuple[Any, ...]) -> OpenDist:
    """From what pickling keeps."""
    return OpenDist(offset, step, ratio.from_plain(*parts))


def _joins(other: object) -> bool:
    return isinstance(other, (Dist, OpenDist, Integral, Rational, float, str))


def repeated(go: Any, chance: Fraction) -> Any:
    """The sum of rolls of ``go``, one more with this chance each time, without end.

    The number of rolls is geometric, so the generating function is (1 - p) / (1 - p * G(x)).

    Args:
        go: What is added each time: a number or a ``Dist``.
        chance: The chance p of each further roll, from 0 to below 1.

    Raises:
        NeverEnds: When the chance is 1.
        NoClosedForm: When outcomes lie on both sides of 0, or are open-ended themselves.

    >>> repeated(Dist([1]), Fraction(1, 6)).mean
    Fraction(1, 5)
    """
    chance = chance_of(chance)
    if chance == 1:
        raise NeverEnds("every face is rolled again, so this would never end")
    go = as_dist(go) if not isinstance(go, OpenDist) else go.settled()
    if isinstance(go, OpenDist):
        raise NoClosedForm("an open-ended die inside another one has no closed form")
    go.require_numbers("add")
    if not chance or (go.low == 0 and go.high == 0):
        return Dist({0: 1})
    step: Number = 0
    for outcome in go:
        step = lattice.gcd_of(step, outcome)
    terms = {lattice.ratio_of(outcome, step): p * chance for outcome, p in go.items()}
    afford(max(map(abs, terms)), DEFAULT_BUDGET // 100, "use numbers closer together")
    try:
        series = ratio.geometric(ratio.laurent(terms))
    except ValueError:
        raise NoClosedForm(
            "a die that is rolled again on faces below and above 0 has no closed form",
            "write ! instead of !!, or limit the extra dice, for example with `!max5`",
        ) from None
    return OpenDist(0, step, ratio.scaled(series, 1 - chance))


def chain(die: Dist[Any], again: Iterable[Any]) -> Any:
    """A die that is rolled again and added on some faces, without end (an exploding die).

    Returns:
        An ``OpenDist``; the die itself where it has none of these faces.

    Args:
        die: The die.
        again: The faces on which it is rolled again.

    Raises:
        NeverEnds: When every face of the die rolls on.

    >>> chain(Dist(range(1, 7)), {5, 6}).mean
    Fraction(21, 4)
    """
    going = {clean(face) for face in listed(again, "faces one by one", "write for example {6}")}
    die = as_dist(die)
    chance = die.p(lambda face: face in going)
    if chance == 0:
        return die
    if chance == 1:
        raise NeverEnds("every face is rolled again, so this would never end")
    stop = die.given(lambda face: face not in going)
    return stop + repeated(die.given(lambda face: face in going), chance)
