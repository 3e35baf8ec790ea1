"""``Dist``: an exact probability distribution over finitely many outcomes.

Outcomes are whole numbers, fractions, text, or tuples of these; weights are whole numbers in
lowest terms. Numbers on an even grid are held as a polynomial (see :mod:`oddsmith.exact.lattice`),
anything else as a table; the difference never shows.
"""

from __future__ import annotations

import operator
from collections import Counter, defaultdict
from fractions import Fraction
from importlib import import_module
from math import gcd, isqrt, lcm
from numbers import Integral, Rational
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, overload

from oddsmith.arguments import (
    as_function,
    as_test,
    chance_of,
    hashable,
    is_mapping,
    listed,
    number,
    pairs_of,
    place_of,
    whole,
)
from oddsmith.budget import DEFAULT_BUDGET, afford, power_cost, words
from oddsmith.errors import ImpossibleEvent, NeverEnds, OutcomeError, RuleError
from oddsmith.exact import lattice
from oddsmith.outcomes import Outcome, are_plain, clean, is_number, sort_key
from oddsmith.shown import Spread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numpy.random import Generator

    from oddsmith.exact.lattice import Lattice, Number
    from oddsmith.pool import Pool

T = TypeVar("T")
Table = dict[Outcome, int]


FACE = 200
"""What it costs to look at one outcome by itself, in the units of the budget."""


def as_dist(value: object) -> Dist[Any]:
    """The value itself if it is a distribution, else the certain outcome.

    >>> as_dist(3)
    Dist({3: 1})
    """
    return value if isinstance(value, Dist) else Dist.of_table({clean(value): 1})


MADE_OF = "write for example Dist({1: 2, 2: 1}) or Dist([1, 1, 2])"


class Dist(Spread, Generic[T]):
    """An exact distribution: outcomes with positive whole weights in lowest terms.

    ``+ - *`` and comparisons combine **independent** rolls; every mention of a die is a new roll.
    ``==`` compares two distributions; the event that two rolls agree is ``a.eq(b)``.

    Args:
        weights: A mapping from outcomes to whole weights (0 leaves an outcome out), or outcomes
            one by one, each of weight 1.

    Raises:
        OutcomeError: For floats, negative or fractional weights, and for no outcome at all.

    >>> Dist({1: 2, 2: 4})
    Dist({1: 1, 2: 2})
    >>> sum(Dist([1, 2, 3]).p(face) for face in (1, 3))
    Fraction(2, 3)
    """

    __slots__ = ("_grid", "_table", "_total")

    def __init__(self, weights: Mapping[T, int] | Iterable[T]) -> None:
        if is_mapping(weights):
            given = dict(cast("Mapping[T, int]", weights).items())
        else:
            what = "a mapping from outcomes to weights or outcomes one by one"
            given = Counter(map(clean, listed(weights, what, MADE_OF)))
        plain = are_plain(given)
        if plain and set(map(type, given.values())) == {int} and min(given.values()) > 0:
            self._settle(given, plain)
            return
        table: Table = defaultdict(int)
        for outcome, weight in given.items():
            if not isinstance(weight, (int, Integral)):
                raise OutcomeError(f"the weight {weight!r} is not a whole number")
            if weight < 0:
                raise OutcomeError(f"the weight {weight} of {outcome!r} is negative")
            if weight:
                table[clean(outcome)] += int(weight)
        self._settle(table, plain)

    def _settle(self, table: Table, plain: bool = False) -> None:
        if not table:
            raise OutcomeError("a distribution needs at least one outcome of positive weight")
        self._grid: Lattice | None = None
        self._table: Table | None = None
        common = gcd(min(table.values()), *table.values())  # long numbers soon meet a short one
        if common != 1:
            table = {outcome: weight // common for outcome, weight in table.items()}
        if all(map(is_number, table)):
            self._grid = lattice.from_weights(table)
        if self._grid is None:
            ordered = sorted(table, key=None if plain or are_plain(table) else sort_key)
            in_order = ordered == list(table)
            self._table = dict(table) if in_order else {key: table[key] for key in ordered}
        self._total = sum(table.values())

    @classmethod
    def of_table(cls, table: Table) -> Dist[Any]:
        """From clean outcomes with positive weights."""
        self = object.__new__(cls)
        self._settle(table)
        return self

    @classmethod
    def of_ordered(cls, table: Table) -> Dist[Any]:
        """From clean tuples in rising order, with positive weights."""
        self = object.__new__(cls)
        common = gcd(*table.values())
        if common != 1:
            table = {outcome: weight // common for outcome, weight in table.items()}
        self._grid, self._table, self._total = None, table, sum(table.values())
        return self

    @classmethod
    def of_grid(cls, grid: Lattice, total: int = 0) -> Dist[Any]:
        """From a grid in normal form, and its total where that is known."""
        self = object.__new__(cls)
        self._grid, self._table, self._total = grid, None, total or lattice.total(grid)
        return self

    # --- looking in

    @property
    def total(self) -> int:
        """The sum of the weights: the common denominator.

        >>> Dist([1, 2, 2]).total
        3
        """
        return self._total

    def weights(self, low: Number | None = None, high: Number | None = None) -> dict[T, int]:
        """Outcomes, sorted, with their whole weights.

        Args:
            low: Only outcomes from here on (numbers only).
            high: Only outcomes up to here.

        >>> Dist("aab").weights(), Dist(range(9)).weights(2, 3)
        ({'a': 2, 'b': 1}, {2: 1, 3: 1})
        """
        if low is None and high is None:
            afford(FACE * self.slots(), DEFAULT_BUDGET, "use dice with fewer faces")
        else:
            low, high = (end if end is None else number(end) for end in (low, high))
            self.require_numbers("compare")
        if self._grid is not None:
            return cast("dict[T, int]", dict(lattice.items(self._grid, low, high)))
        return {
            outcome: weight
            for outcome, weight in cast("dict[Any, int]", self._table or {}).items()
            if (low is None or outcome >= low) and (high is None or outcome <= high)
        }

    def items(self) -> list[tuple[T, Fraction]]:
        """Outcomes, sorted, with their probabilities.

        >>> Dist([1, 2, 2]).items()
        [(1, Fraction(1, 3)), (2, Fraction(2, 3))]
        """
        size = self._total
        return [(outcome, Fraction(weight, size)) for outcome, weight in self.weights().items()]

    def outcomes(self) -> list[T]:
        """The outcomes, sorted.

        >>> Dist([3, 1, "Misfire"]).outcomes()
        [1, 3, 'Misfire']
        """
        return list(self.weights())

    def __iter__(self) -> Iterator[T]:
        return iter(self.weights())

    def __len__(self) -> int:
        return len(self.weights())

    def __contains__(self, outcome: object) -> bool:
        return self._weight(clean(outcome)) > 0

    def __repr__(self) -> str:
        if FACE * self.slots() > DEFAULT_BUDGET:
            return f"<Dist of {self.slots():,} outcomes>"
        return f"Dist({self.weights()!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dist):
            return NotImplemented
        if self._grid is not None and other._grid is not None:
            return bool(self._grid == other._grid)
        if self._table is not None and other._table is not None:
            return self._table == other._table
        return self._total == other._total and self.weights() == other.weights()

    def __hash__(self) -> int:
        return hash((self.low, self.high, self._total))

    def __bool__(self) -> bool:
        raise TypeError(
            "a distribution is neither true nor false; write dist.p(event) for a probability, "
            "or dist.if_else(a, b) to branch on it"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Dist, (self.weights(),)

    @property
    def low(self) -> T:
        """The first outcome.

        >>> (2 @ Dist([1, 6])).low
        2
        """
        return cast("T", self._grid.low if self._grid else next(iter(self._table or {})))

    @property
    def high(self) -> T:
        """The last outcome.

        >>> (2 @ Dist([1, 6])).high
        12
        """
        return cast("T", lattice.high(self._grid) if self._grid else next(reversed(self.weights())))

    @property
    def is_numeric(self) -> bool:
        """Whether every outcome is a number.

        >>> Dist([2, "Misfire"]).is_numeric
        False
        """
        return self._grid is not None or all(map(is_number, self._table or ()))

    def slots(self) -> int:
        """How many places the stored form has: what a calculation with it costs.

        >>> Dist([1, 2, 6]).slots()
        6
        """
        return lattice.slots(self._grid) if self._grid else len(self._table or ())

    def bits(self) -> int:
        """Bits of the common denominator.

        >>> Dist(range(8)).bits()
        4
        """
        return self._total.bit_length()

    # --- probabilities

    def _weight(self, outcome: Outcome) -> int:
        if self._grid is not None:
            return lattice.weight_at(self._grid, outcome) if is_number(outcome) else 0
        return (self._table or {}).get(outcome, 0)

    def p(self, event: object = True) -> Fraction:
        """The chance of an outcome, of any of several, or of a condition on the outcome.

        Args:
            event: An outcome, a set (or list) of outcomes, or a function from an outcome to a
                truth value. Left out, it is the chance of 1, the truth of a comparison.

        >>> Dist([1, 2, 3, 4]).p(4), Dist([1, 2, 3, 4]).p({1, 2}), (Dist([1, 2, 3]) >= 2).p()
        (Fraction(1, 4), Fraction(1, 2), Fraction(2, 3))
        """
        if callable(event) or isinstance(event, range):
            hit = self._hits(as_test(event))
        elif isinstance(event, (set, frozenset, list)):
            hit = sum(self._weight(outcome) for outcome in {self._one(part) for part in event})
        else:
            hit = self._weight(self._one(event))
        return Fraction(hit, self._total)

    def _one(self, event: object) -> Outcome:
        """A single outcome; a tuple among numbers is meant as several, and a number among tuples
        as a part of one."""
        if isinstance(event, tuple):
            if self.is_numeric:
                raise OutcomeError(
                    f"{event!r} is one outcome of several parts, and these are numbers",
                    f"for several outcomes write a list: p({list(event)!r})",
                )
        elif self._table and isinstance(next(iter(self._table)), tuple):
            raise OutcomeError(
                f"{event!r} is no tuple, and all of these outcomes are",
                f"write for example p({next(iter(self._table))!r})",
            )
        return clean(event)

    def _hits(self, event: Callable[[Any], object]) -> int:
        """The weight of the outcomes of some kind."""
        weights = self.weights()
        return sum([weights[outcome] for outcome in filter(event, weights)])

    def indicator(self, event: object) -> Dist[int]:
        """1 for outcomes of some kind (as for :meth:`p`), else 0.

        >>> Dist(range(1, 7)).indicator(lambda face: face >= 5)
        Dist({0: 2, 1: 1})
        """
        return _truth(self._hits(as_test(event)), self._total)

    def at_least(self, bound: Number) -> Fraction:
        """The chance of the bound or more.

        >>> (3 @ Dist(range(1, 7))).at_least(11)
        Fraction(1, 2)
        """
        self.require_numbers("compare")
        bound = number(bound)
        if self._grid is not None:
            return Fraction(lattice.weight_from(self._grid, bound), self._total)
        return self.p(lambda outcome: outcome >= bound)

    def at_most(self, bound: Number) -> Fraction:
        """The chance of the bound or less.

        >>> Dist(range(1, 7)).at_most(2)
        Fraction(1, 3)
        """
        return 1 - self.more_than(bound)

    def more_than(self, bound: Number) -> Fraction:
        """The chance of more than the bound.

        >>> Dist(range(1, 7)).more_than(2)
        Fraction(2, 3)
        """
        if self._grid is not None:
            bound = number(bound)
            weight = lattice.weight_from(self._grid, bound) - lattice.weight_at(self._grid, bound)
            return Fraction(weight, self._total)
        return self.at_least(bound) - self.p(bound)

    def less_than(self, bound: Number) -> Fraction:
        """The chance of less than the bound.

        >>> Dist(range(1, 7)).less_than(2)
        Fraction(1, 6)
        """
        return 1 - self.at_least(bound)

    def between(self, low: Number, high: Number) -> Fraction:
        """The chance of an outcome from low to high, both included.

        >>> (2 @ Dist(range(1, 7))).between(6, 8)
        Fraction(4, 9)
        """
        return max(self.at_least(low) - self.more_than(high), Fraction(0))

    # --- summaries

    def require_numbers(self, verb: str) -> None:
        if not self.is_numeric:
            odd = next(outcome for outcome in self if not is_number(outcome))
            raise OutcomeError(
                f"cannot {verb} the outcome {odd!r}, which is not a number",
                "ask for its chance, or condition it away with given()",
            )

    @property
    def mean(self) -> Fraction:
        """The mean.

        Raises:
            OutcomeError: Where an outcome is not a number.

        >>> Dist(range(1, 7)).mean
        Fraction(7, 2)
        """
        self.require_numbers("average")
        return Fraction(lattice.mean(self._grid)) if self._grid else self.moment(1)

    @property
    def variance(self) -> Fraction:
        """The variance: the mean squared distance from the mean.

        >>> Dist(range(1, 7)).variance
        Fraction(35, 12)
        """
        self.require_numbers("average")
        if self._grid:
            return Fraction(lattice.variance(self._grid))
        return self.moment(2, about=self.mean)

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance, as the nearest float.

        >>> Dist([0, 2]).standard_deviation
        1.0
        """
        return float_sqrt(self.variance)

    def moment(self, order: int, about: Number = 0) -> Fraction:
        """The mean of ``(outcome - about) ** order``.

        Args:
            order: A whole number of 0 or more.
            about: What the outcome is measured from: 0 for raw moments, the mean for central ones.

        Raises:
            OutcomeError: For any other order, and where an outcome is not a number.

        >>> Dist([1, 3]).moment(2, about=2)
        Fraction(1, 1)
        """
        self.require_numbers("average")
        if not isinstance(order, int) or order < 0:
            raise OutcomeError(f"a moment has an order of 0 or more, not {order}")
        weights, about = cast("dict[Number, int]", self.weights()), number(about)
        ends = [Fraction(cast("Number", end) - about) for end in (self.low, self.high)]
        bits = max(end.numerator.bit_length() + end.denominator.bit_length() for end in ends)
        afford(len(weights) * power_cost(order * bits), DEFAULT_BUDGET, "ask for a lower order")
        top = sum(weight * (outcome - about) ** order for outcome, weight in weights.items())
        return Fraction(top) / self._total

    def modes(self) -> list[T]:
        """The likeliest outcomes, sorted.

        >>> (2 @ Dist(range(1, 7))).modes()
        [7]
        """
        if self._grid is not None:
            return cast("list[T]", lattice.modes(self._grid))
        weights = self.weights()
        best = max(weights.values())
        return [outcome for outcome, weight in weights.items() if weight == best]

    def quantile(self, share: Fraction | int) -> T:
        """The lowest outcome with at least this share of all rolls at or below it.

        Args:
            share: A chance from 0 to 1, exact (a Fraction or an int).

        Raises:
            OutcomeError: For any other share.

        >>> Dist(range(1, 101)).quantile(Fraction(1, 4))
        25
        """
        want = Fraction(number(share, "a share")) * self._total
        if not 0 <= want <= self._total:
            raise OutcomeError(f"a quantile needs a share from 0 to 1, not {share}")
        if self._grid is not None:
            return cast("T", lattice.quantile(self._grid, want))
        running = 0
        for outcome, weight in self.weights().items():
            running += weight
            if running >= want:
                return outcome
        raise AssertionError("the weights add up to the total")

    @property
    def median(self) -> T:
        """The lowest outcome with at least half of all rolls at or below it.

        >>> (3 @ Dist(range(1, 7))).median
        10
        """
        return self.quantile(Fraction(1, 2))

    # --- new distributions

    def map(self, function: Callable[[T], object]) -> Dist[Any]:
        """The distribution of a function of the outcome.

        >>> Dist(range(1, 7)).map(lambda face: (face + 1) // 2)
        Dist({1: 1, 2: 1, 3: 1})
        """
        as_function(function, "what is done", "lambda face: face + 1", 1)
        table: Table = defaultdict(int)
        for outcome, weight in self.weights().items():
            table[clean(function(outcome))] += weight
        return Dist.of_table(table)

    def then(self, function: Callable[[T], Any]) -> Any:
        """Roll, then roll what the function makes of the outcome: a compound distribution (bind).

        Cost: one call for each outcome; the results are mixed.

        Args:
            function: From an outcome to a distribution (finite or open-ended) or a plain outcome.

        >>> Dist([1, 2]).then(lambda dice: dice @ Dist([0, 1]))
        Dist({0: 3, 1: 4, 2: 1})
        """
        as_function(function, "what is rolled", "lambda face: face @ d6", 1)
        afford(5 * FACE * self.slots(), DEFAULT_BUDGET, "use dice with fewer faces")
        return mix((function(outcome), weight) for outcome, weight in self.weights().items())

    def given(self, event: object) -> Dist[T]:
        """The distribution once the event is known to have happened: the conditional one.

        Args:
            event: As for :meth:`p`.

        Raises:
            ImpossibleEvent: When no outcome fits.

        >>> Dist(range(1, 7)).given(lambda face: face > 4)
        Dist({5: 1, 6: 1})
        """
        fits = as_test(event)
        kept = {outcome: weight for outcome, weight in self.weights().items() if fits(outcome)}
        if not kept:
            raise ImpossibleEvent("no outcome fits the condition")
        return Dist.of_table(kept)

    def truncate(self, low: Number | None = None, high: Number | None = None) -> Dist[T]:
        """The distribution once the outcome is known to lie from low to high.

        Outcomes outside are left out; :meth:`clamp` moves them to the ends instead.

        Args:
            low: The lowest outcome left, or None for no bound.
            high: The highest outcome left, or None.

        Raises:
            ImpossibleEvent: When no outcome is left.

        >>> Dist(range(1, 7)).truncate(high=2)
        Dist({1: 1, 2: 1})
        """
        self.require_numbers("compare")
        kept = self.weights(low, high)
        if not kept:
            raise ImpossibleEvent(f"no outcome lies between {low} and {high}")
        return Dist.of_table(kept)

    def clamp(self, low: Number | None = None, high: Number | None = None) -> Dist[Any]:
        """Raise outcomes below ``low`` to it, lower those above ``high`` to it.

        Args:
            low: The lower bound, or None.
            high: The upper bound, or None.

        Raises:
            OutcomeError: Where an outcome is not a number, and for a low above the high.

        >>> Dist(range(1, 7)).clamp(2, 4)
        Dist({2: 2, 3: 1, 4: 3})
        """
        self.require_numbers("compare")
        low, high = (end if end is None else number(end) for end in (low, high))
        if low is not None and high is not None and low > high:
            raise OutcomeError(f"there is nothing from {low} to {high}")

        def inside(outcome: Any) -> Any:
            if low is not None and outcome < low:
                return low
            return high if high is not None and outcome > high else outcome

        return self.map(inside)

    def reroll(self, event: object, times: int | None = 1) -> Dist[T]:
        """Roll again what fits, so many times at most.

        Args:
            event: What is rolled again: as for :meth:`p`.
            times: How often, while it still fits; None for as long as it does.

        Raises:
            NeverEnds: When every outcome fits and ``times`` is None.

        >>> Dist([1, 2]).reroll(1), Dist([1, 2, 3]).reroll(1, times=None)
        (Dist({1: 1, 2: 3}), Dist({2: 1, 3: 1}))
        """
        weights, fits = self.weights(), as_test(event)
        again = {outcome for outcome in weights if fits(outcome)}
        if times is None:
            if len(again) == len(weights):
                raise NeverEnds("every face is rolled again, so this would never end")
            return self.given(lambda outcome: outcome not in again)
        if not isinstance(times, int) or times < 0:
            raise RuleError(f"a die is rolled again 0 times or more, not {times}")
        chance = Fraction(sum(weights[outcome] for outcome in again), self._total)
        hit, size = chance.numerator, chance.denominator
        afford(
            12 * words(len(weights), times * size.bit_length()),
            DEFAULT_BUDGET,
            "re-roll less often",
        )
        afford(words(1, times * size.bit_length()) ** 2 // 8, DEFAULT_BUDGET, "re-roll less often")
        turns = (size ** (times + 1) - hit ** (times + 1)) // (size - hit) if hit < size else 0
        return Dist(
            {
                outcome: weight * (hit**times if outcome in again else turns)
                for outcome, weight in weights.items()
            }
        )

    def sample(self, rng: Generator, times: int = 1) -> list[T]:
        """Outcomes by chance, each with its exact probability.

        Args:
            rng: Where the random bytes come from, such as ``numpy.random.default_rng(7)``.
            times: How many.

        >>> from numpy.random import default_rng
        >>> len(Dist([1, 2]).sample(default_rng(7), 3))
        3
        """
        drawn: list[T] = import_module("oddsmith.measures").sample(self, rng, times)
        return drawn

    def margin(self, *places: int) -> Dist[Any]:
        """One or several places of tuple outcomes: the marginal distribution.

        Args:
            *places: Counted from 0. One place gives its plain outcomes, several give tuples.

        >>> joint(Dist([1, 2]), Dist([5])).margin(0)
        Dist({1: 1, 2: 1})
        """
        if len(places) == 1:
            return self.map(lambda outcome: place_of(outcome, places[0]))
        return self.map(lambda outcome: tuple(place_of(outcome, place) for place in places))

    def if_else(self, yes: Any, no: Any) -> Any:
        """One thing where the outcome is not 0, another where it is.

        Args:
            yes: A distribution or an outcome for every outcome but 0.
            no: The same for 0.

        >>> (Dist([1, 2, 3]) >= 2).if_else(10, 0)
        Dist({0: 1, 10: 2})
        """
        chance = self.p(0)
        return mix([(yes, 1 - chance), (no, chance)])

    def times(self, count: int, budget: int = DEFAULT_BUDGET) -> Dist[Any]:
        """The sum of that many independent rolls; ``count @ dist`` says the same.

        Cost: one power of the generating function.

        Args:
            count: A whole number; below 0 the sum is negated.
            budget: The work it may cost.

        Raises:
            OutcomeError: For a number of rolls that is not whole.
            TooLarge: When the result is past the budget.

        >>> Dist([0, 1]).times(2)
        Dist({0: 1, 1: 2, 2: 1})
        """
        whole(count)
        if self._grid is not None and count > 0:
            cells = count * (lattice.slots(self._grid) - 1) + 1
            bits = count * (self._total - 1).bit_length()
            afford(2 * words(cells, bits), budget, "roll fewer dice, or dice with fewer faces")
            return Dist.of_grid(lattice.power(self._grid, count), self._total**count)
        if count < 0:
            return -self.times(-count, budget)
        self.require_numbers("add")
        if count == 0:
            return Dist({0: 1})
        half = self.times(count // 2, budget)
        return half + half + self if count % 2 else half + half

    def pool(self, count: int) -> Pool:
        """That many of these dice, kept apart.

        >>> Dist(range(1, 7)).pool(4).keep_highest(3).sum().p(18)
        Fraction(7, 432)
        """
        from oddsmith.pool import Pool

        return Pool.of(self, count)

    def __rmatmul__(self, count: object) -> Dist[Any]:
        if isinstance(count, (int, Integral)):
            return self.times(int(count))
        return NotImplemented

    def __matmul__(self, other: Any) -> Any:
        """A random number of other dice, added: one generating function in the other."""
        if not hasattr(other, "times"):
            return NotImplemented
        counts = {whole(count): weight for count, weight in self.weights().items()}
        if isinstance(other, Dist) and other._grid and min(counts) >= 0 and max(counts) > 1:
            cells = max(counts) * (max(abs(other.low), abs(other.high)) / other._grid.step + 1)
            bits = max(counts) * other._total.bit_length() + self.bits()
            afford(2 * words(int(cells), bits), DEFAULT_BUDGET, "roll fewer dice")
            grid = lattice.counted_sum(counts, other._grid)
            if grid is not None:
                return Dist.of_grid(grid)
        return self.then(lambda count: other.times(whole(count)))

    # --- arithmetic on independent rolls

    def combine(self, other: Dist[Any], function: Callable[[Any, Any], Any]) -> Dist[Any]:
        """Any function of two independent outcomes.

        Cost: one call for each pair of outcomes.

        Args:
            other: Another distribution.
            function: From an outcome of each to a new outcome.

        Raises:
            TooLarge: When there are too many pairs.

        >>> Dist([1, 2]).combine(Dist([1, 2]), max)
        Dist({1: 1, 2: 3})
        """
        as_function(function, "what is made of two", "lambda a, b: a - b", 2)
        other = as_dist(other)
        mine, theirs = self.weights(), other.weights()
        afford(
            12 * len(mine) * words(len(theirs), self.bits() + other.bits()),
            DEFAULT_BUDGET,
            "use fewer outcomes",
        )
        table: Table = defaultdict(int)
        found: Any = 0
        try:
            for a, x in mine.items():
                for b, y in theirs.items():
                    found = function(a, b)
                    table[found] += x * y
        except TypeError:
            hashable(found, "an outcome")
            raise
        return Dist.of_table({clean(outcome): weight for outcome, weight in table.items()})

    def _numbers(self, other: Dist[Any], verb: str) -> None:
        self.require_numbers(verb)
        other.require_numbers(verb)

    def _sum(self, other: Dist[Any]) -> Dist[Any]:
        self._numbers(other, "add")
        if self._grid and other._grid:
            cells = lattice.width(self._grid, other._grid)
            if lattice.dense_enough(cells, self.slots() * other.slots()):
                size = 2 * words(cells, self.bits() + other.bits())
                afford(size, DEFAULT_BUDGET, "use fewer dice")
                return Dist.of_grid(lattice.add(self._grid, other._grid))
        return self.combine(other, operator.add)

    def _scaled(self, factor: Number) -> Dist[Any]:
        if factor == 0:
            return Dist({0: 1})
        if self._grid:
            return Dist.of_grid(lattice.scale(self._grid, factor))
        return self.map(lambda outcome: cast("Number", outcome) * factor)

    def _product(self, other: Dist[Any]) -> Dist[Any]:
        self._numbers(other, "multiply")
        for a, b in ((self, other), (other, self)):
            if a.slots() == 1:
                return b._scaled(cast("Number", a.low))
        return self.combine(other, operator.mul)

    def _quotient(self, other: Dist[Any], function: Callable[[Any, Any], Any]) -> Dist[Any]:
        self._numbers(other, "divide")
        if other.p(0):
            raise OutcomeError(f"the divisor is 0 with chance {other.p(0)}")
        return self.combine(other, function)

    def __add__(self, other: object) -> Dist[Any]:
        return self._sum(as_dist(other)) if _joins(other) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: object) -> Dist[Any]:
        return self._sum(-as_dist(other)) if _joins(other) else NotImplemented

    def __rsub__(self, other: object) -> Dist[Any]:
        return as_dist(other)._sum(-self) if _joins(other) else NotImplemented

    def __mul__(self, other: object) -> Dist[Any]:
        return self._product(as_dist(other)) if _joins(other) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Dist[Any]:
        if not _joins(other):
            return NotImplemented
        return self._quotient(as_dist(other), lambda a, b: Fraction(a) / b)

    def __rtruediv__(self, other: object) -> Dist[Any]:
        return as_dist(other) / self if _joins(other) else NotImplemented

    def __floordiv__(self, other: object) -> Dist[Any]:
        return (
            self._quotient(as_dist(other), operator.floordiv) if _joins(other) else NotImplemented
        )

    def __rfloordiv__(self, other: object) -> Dist[Any]:
        return as_dist(other) // self if _joins(other) else NotImplemented

    def __mod__(self, other: object) -> Dist[Any]:
        return self._quotient(as_dist(other), operator.mod) if _joins(other) else NotImplemented

    def __neg__(self) -> Dist[Any]:
        self.require_numbers("negate")
        return self._scaled(-1)

    def __pos__(self) -> Dist[T]:
        return self

    def __abs__(self) -> Dist[Any]:
        self.require_numbers("take the absolute value of")
        return self.map(cast("Any", abs))

    # --- comparisons of independent rolls: distributions over 1 (true) and 0

    def _above(self, other: object, strict: bool) -> Fraction:
        """The chance of more than (or, not strictly, at least) an independent roll."""
        theirs = as_dist(other)
        if self._grid is None or theirs._grid is None:
            self._numbers(theirs, "compare")
        else:
            mirrored = lattice.scale(theirs._grid, -1)
            cells = lattice.width(self._grid, mirrored)
            if lattice.dense_enough(cells, self.slots() * theirs.slots()):
                size = 2 * words(cells, self.bits() + theirs.bits())
                afford(size, DEFAULT_BUDGET, "use fewer dice")
                grid = lattice.add(self._grid, mirrored)
                weight = lattice.weight_from(grid, 0)
                if strict:
                    weight -= lattice.weight_at(grid, 0)
                return Fraction(weight, self._total * theirs._total)
        difference = self._sum(-theirs)
        return difference.more_than(0) if strict else difference.at_least(0)

    def __ge__(self, other: object) -> Dist[int]:
        return event(self._above(other, strict=False)) if _joins(other) else NotImplemented

    def __gt__(self, other: object) -> Dist[int]:
        return event(self._above(other, strict=True)) if _joins(other) else NotImplemented

    def __le__(self, other: object) -> Dist[int]:
        return event(1 - self._above(other, strict=True)) if _joins(other) else NotImplemented

    def __lt__(self, other: object) -> Dist[int]:
        return event(1 - self._above(other, strict=False)) if _joins(other) else NotImplemented

    def eq(self, other: object) -> Dist[int]:
        """The event that two independent rolls agree.

        >>> Dist(range(1, 7)).eq(Dist(range(1, 7))).p()
        Fraction(1, 6)
        """
        if hasattr(other, "mix_with"):
            same: Dist[int] = cast("Any", other).eq(self)
            return same
        theirs = as_dist(other)
        return event(sum((p * self.p(outcome) for outcome, p in theirs.items()), Fraction(0)))

    def ne(self, other: object) -> Dist[int]:
        """The event that two independent rolls differ.

        >>> Dist([1, 2]).ne(1).p()
        Fraction(1, 2)
        """
        return event(1 - self.eq(other).p())


def _joins(other: object) -> bool:
    """Whether arithmetic of a Dist takes this operand (open-ended dice bring their own)."""
    return isinstance(other, (Dist, Integral, Rational, str, float, tuple))


def event(chance: Fraction) -> Dist[int]:
    """1 with this chance, else 0.

    >>> event(Fraction(1, 3))
    Dist({0: 2, 1: 1})
    """
    chance = chance_of(chance)
    return _truth(chance.numerator, chance.denominator)


def _truth(yes: int, size: int) -> Dist[int]:
    """1 in so many of all ways, else 0."""
    if 0 < yes < size:
        common = gcd(yes, size)
        yes, size = yes // common, size // common
        return Dist.of_grid(lattice.binary(size - yes, yes), size)
    return Dist({1: yes, 0: size - yes})


def float_sqrt(value: Fraction) -> float:
    """The square root, rounded once: the integer root carries 128 bits before it is a float.

    >>> float_sqrt(Fraction(9, 4))
    1.5
    """
    shift = max(0, 256 - (value.numerator.bit_length() - value.denominator.bit_length()))
    shift += shift % 2
    root = isqrt((value.numerator << shift) // value.denominator)
    return float(Fraction(root, 1 << (shift // 2)))


def joint(*parts: Any) -> Dist[tuple[Any, ...]]:
    """Independent rolls side by side, as tuples: their joint distribution.

    Cost: the product of the numbers of outcomes.

    Args:
        *parts: Distributions or outcomes.

    >>> joint(Dist("ab"), Dist([1])).outcomes()
    [('a', 1), ('b', 1)]
    """
    result: Dist[Any] = Dist({(): 1})
    for part in parts:
        result = result.combine(as_dist(part), lambda left, right: (*left, right))
    return result


PAIRS = "pairs of (distribution or outcome, weight)"
MIXED_OF = "write for example mix([(d6, 1), (0, 1)]) for equal weights"


@overload
def mix(parts: Mapping[Any, int | Fraction]) -> Any: ...
@overload
def mix(parts: Iterable[tuple[Any, int | Fraction]]) -> Any: ...
def mix(parts: Any) -> Any:
    """One of several distributions, chosen with these weights.

    Args:
        parts: Pairs of (distribution or outcome, weight); weights are whole numbers or fractions
            and need not add up to 1. Open-ended parts give an open-ended mixture.

    Raises:
        OutcomeError: For parts without weights, and for weights that are negative or not exact.
        ImpossibleEvent: When no part has a weight above 0.

    >>> mix([(Dist([1, 2]), 1), (Dist([2]), 1)])
    Dist({1: 1, 2: 3})
    """
    pairs = []
    for part, weight in pairs_of(parts, "a mixture", PAIRS, MIXED_OF):
        if not isinstance(weight, (int, Fraction, Rational)) or weight < 0:
            raise OutcomeError(f"the weight {weight!r} is not a whole number or fraction above 0")
        if weight:
            pairs.append((part, weight))
    for part, _ in pairs:
        if hasattr(part, "mix_with"):
            return part.mix_with(pairs)
    dists = [(as_dist(part), Fraction(weight)) for part, weight in pairs]
    if not dists:
        raise ImpossibleEvent("a mixture needs a part of positive weight")
    if len(dists) == 1:
        return dists[0][0]
    common = lcm(*(weight.denominator * dist.total for dist, weight in dists))
    scaled = [
        (dist, common // (dist.total * weight.denominator) * weight.numerator)
        for dist, weight in dists
    ]
    cells = sum(dist.slots() for dist, _ in scaled)
    afford(2 * words(cells, common.bit_length()), DEFAULT_BUDGET, "use fewer dice")
    if all(dist._grid for dist, _ in scaled):
        grid = lattice.mix([(cast("Lattice", dist._grid), factor) for dist, factor in scaled])
        if grid is not None:
            return Dist.of_grid(grid)
    table: Table = defaultdict(int)
    for dist, factor in scaled:
        for outcome, weight in dist.weights().items():
            table[outcome] += weight * factor
    return Dist.of_table(table)
