"""``Multiset``: what dice in a pool and cards in a hand have in common.

Everything here reads how many show which face, in order, by a state machine of few states; where
a kind of source has a shorter way, it overrides the reading.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from oddsmith import folds
from oddsmith.arguments import as_function, as_test, whole
from oddsmith.budget import DEFAULT_BUDGET
from oddsmith.dist import Dist, mix
from oddsmith.errors import OutcomeError, RuleError
from oddsmith.outcomes import clean, is_number

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from oddsmith.exact.lattice import Number
    from oddsmith.folds import Walk

Face = Any


class Multiset(ABC):
    """Several faces at once, in no order: the base of ``Pool`` and ``Hand``."""

    __slots__ = ()

    @property
    @abstractmethod
    def size(self) -> int:
        """How many dice or cards are read."""

    @abstractmethod
    def faces(self) -> list[Face]:
        """Every face that can show, sorted."""

    @abstractmethod
    def ways(self) -> int:
        """The total weight of all that can show."""

    @abstractmethod
    def walk(self, faces: Sequence[Face], descending: bool = False) -> Walk:
        """How they can fall, face by face; see :mod:`oddsmith.folds`."""

    # --- state machines

    def fold(
        self,
        step: Callable[[Any, Face, int], Hashable],
        start: Hashable,
        final: Callable[[Any], Any] | None = None,
        descending: bool = False,
        budget: int = DEFAULT_BUDGET,
    ) -> Dist[Any]:
        """Feed a state machine every face in order, with how many show it.

        Cost: at most faces * (different states) * (dice left) * (dice that show the face) calls of
        ``step``. Equal states are merged, so a rule with few states stays fast for many dice. For
        several pools at once see :func:`oddsmith.folds.fold`.

        Args:
            step: From (state, face, number showing it) to the next state. It is called for faces
                that nothing shows, too, with 0.
            start: The state before the first face.
            final: From the last state to the outcome.
            descending: From the highest face down.
            budget: The work it may cost; it is counted as the states appear.

        >>> from oddsmith import d6
        >>> d6.pool(5).fold(lambda state, face, count: max(state, count), 0).p(5)
        Fraction(1, 1296)
        """
        return folds.fold(self, step, start, final, descending, budget)

    def expand(self, budget: int = DEFAULT_BUDGET) -> Dist[tuple[Any, ...]]:
        """Every multiset that can show, as a sorted tuple.

        Raises:
            TooLarge: Where there are too many: C(dice + faces - 1, dice) for like dice.

        >>> from oddsmith import d
        >>> d(2).pool(2).expand()
        Dist({(1, 1): 1, (1, 2): 2, (2, 2): 1})
        """
        table: dict[Any, int] = defaultdict(int)
        for roll, ways in self.rolls(budget):
            table[roll] += ways
        return Dist.of_table(table)

    def map(self, rule: Callable[[tuple[Any, ...]], Any], budget: int = DEFAULT_BUDGET) -> Any:
        """What a function makes of the sorted roll: any rule at all, at the price of every roll.

        Cost: one call for each sorted roll: C(dice + faces - 1, dice) for like dice.

        Args:
            rule: From a sorted tuple of faces, the lowest first, to an outcome or a distribution.
            budget: The work it may cost.

        Raises:
            TooLarge: Past the budget.

        >>> from oddsmith import d6
        >>> d6.pool(2).map(lambda roll: roll[0] * roll[1]).p(36)
        Fraction(1, 36)
        """
        as_function(rule, "a rule", "lambda roll: roll[-1] - roll[0]", 1)
        table: dict[Any, int] = defaultdict(int)
        for roll, ways in self.rolls(budget):
            found = rule(roll)
            try:
                table[found] += ways
            except TypeError:  # a list, say
                table[clean(found)] += ways
        if any(hasattr(kind, "times") for kind in set(map(type, table))):
            return mix(table)
        return Dist(table)

    def rolls(self, budget: int = DEFAULT_BUDGET) -> Iterable[tuple[tuple[Any, ...], int]]:
        """Every sorted roll with its ways, in no order; a roll may come more than once.

        >>> from oddsmith import d
        >>> sorted(d(2).pool(2).rolls())
        [((1, 1), 1), ((1, 2), 2), ((2, 2), 1)]
        """
        return (
            self.fold(lambda state, face, count: state + (face,) * count, (), budget=budget)
            .weights()
            .items()
        )

    def counts(self, *events: object) -> Dist[tuple[int, ...]]:
        """How many show a face of each kind, side by side; a face may be of several kinds.

        >>> from oddsmith import d6
        >>> d6.pool(3).counts(lambda face: face >= 5, lambda face: face == 1).p((2, 1))
        Fraction(1, 18)
        """
        tests = [as_test(event) for event in events]

        def step(state: tuple[int, ...], face: Face, count: int) -> tuple[int, ...]:
            return tuple(n + count * bool(fits(face)) for n, fits in zip(state, tests, strict=True))

        return self.fold(step, (0,) * len(tests))

    def weighted(self, weights: Sequence[Number], budget: int = DEFAULT_BUDGET) -> Dist[Any]:
        """The sorted dice or cards, each times the weight of its rank, added up.

        Args:
            weights: One for each die or card that is read, from the lowest; -1, 0, 1 is the
                highest of three less the lowest.
            budget: The work it may cost.

        Raises:
            RuleError: Where there are not as many weights as dice.
            OutcomeError: For a face or a weight that is not a number.

        >>> from oddsmith import d6
        >>> d6.pool(3).weighted([-1, 0, 1])
        Dist({0: 1, 1: 5, 2: 8, 3: 9, 4: 8, 5: 5})
        """
        return folds.weighted(self, weights, budget)

    # --- single faces

    def highest_and_count(self) -> Dist[tuple[Any, int]]:
        """The highest face that shows, with how many show it.

        >>> from oddsmith import d6
        >>> d6.pool(2).highest_and_count().p((6, 2))
        Fraction(1, 36)
        """
        return self._end(descending=True)

    def lowest_and_count(self) -> Dist[tuple[Any, int]]:
        """The lowest face that shows, with how many show it.

        >>> from oddsmith import d6
        >>> d6.pool(2).lowest_and_count().p((6, 2))
        Fraction(1, 36)
        """
        return self._end(descending=False)

    def _end(self, descending: bool) -> Dist[tuple[Any, int]]:
        if not self.size:
            raise RuleError("nothing is rolled, so nothing shows")

        def step(state: Any, face: Face, count: int) -> Any:
            return state or ((face, count) if count else None)

        return self.fold(step, None, descending=descending)

    def contains_all(self, *faces: Face) -> Dist[int]:
        """Whether these faces all show, each as often as it is named.

        >>> from oddsmith import d6
        >>> d6.pool(3).contains_all(6, 6).p()
        Fraction(2, 27)
        """
        need = Counter(map(clean, faces))
        if not set(need) <= set(self.faces()):
            return Dist([0])
        return self.fold(lambda good, face, count: good and int(count >= need.get(face, 0)), 1)

    def contains_any(self, *faces: Face) -> Dist[int]:
        """Whether at least one of these faces shows.

        >>> from oddsmith import d6
        >>> d6.pool(2).contains_any(1, 6).p()
        Fraction(5, 9)
        """
        wanted = set(map(clean, faces))
        return self.fold(lambda good, face, count: int(good or (count > 0 and face in wanted)), 0)

    # --- matching sets

    def sets(self, least: int = 2) -> Dist[int]:
        """How many different faces show at least twice (or ``least`` times).

        >>> from oddsmith import d6
        >>> d6.pool(4).sets().at_least(1)
        Fraction(13, 18)
        """
        whole(least, "a least number of dice")
        return self.fold(lambda state, face, count: state + (count >= least), 0)

    def pairs(self) -> Dist[int]:
        """How many pairs can be taken, each die used once.

        >>> from oddsmith import d
        >>> d(2).pool(4).pairs()
        Dist({1: 1, 2: 1})
        """
        return self.fold(lambda state, face, count: state + count // 2, 0)

    def largest_set(self, budget: int = DEFAULT_BUDGET) -> Dist[int]:
        """How many show the commonest face.

        >>> from oddsmith import Deck
        >>> Deck(["A", "A", "B"]).deal(2).largest_set()
        Dist({1: 2, 2: 1})
        """
        return self.fold(lambda state, face, count: max(state, count), 0, budget=budget)

    def best_set(self) -> Dist[tuple[int, Any]]:
        """The largest set as (how many, face); of equally large ones the highest face.

        Raises:
            RuleError: When nothing is rolled.

        >>> from oddsmith import d10
        >>> d10.pool(2).best_set().p((2, 10))
        Fraction(1, 100)
        """
        if not self.size:
            raise RuleError("nothing is rolled, so there is no set")

        def step(state: tuple[int, Any], face: Face, count: int) -> tuple[int, Any]:
            return (count, face) if count >= max(1, state[0]) else state

        return self.fold(step, (0, 0))

    def set_sizes(self) -> Dist[tuple[int, ...]]:
        """How often each face that shows is there, the largest number first.

        >>> from oddsmith import Deck
        >>> Deck(["A", "A", "B"]).deal(2).set_sizes()
        Dist({(1, 1): 2, (2,): 1})
        """

        def step(state: tuple[int, ...], _: Face, count: int) -> tuple[int, ...]:
            return tuple(sorted((*state, count), reverse=True)) if count else state

        return self.fold(step, ())

    def matches(self, least: int = 2) -> Dist[tuple[tuple[int, Any], ...]]:
        """All matching sets as (width, height), the highest face first.

        Width is how many dice show the face, height the face.

        >>> from oddsmith import d10
        >>> d10.pool(3).matches().p(((3, 7),))
        Fraction(1, 1000)
        """

        whole(least, "a least number of dice")

        def step(state: tuple[Any, ...], face: Face, count: int) -> tuple[Any, ...]:
            return (*state, (count, face)) if count >= least else state

        return self.fold(step, (), descending=True)

    def set_sum(self, least: int = 2) -> Dist[int]:
        """The sum of the dice that are in a matching set.

        >>> from oddsmith import d6
        >>> d6.pool(2).set_sum().p(0)
        Fraction(5, 6)
        """
        self._whole_faces("added up")
        whole(least, "a least number of dice")
        return folds.total(self, lambda face, count: face * count if count >= least else 0)

    def unique(self) -> Dist[int]:
        """How many different faces show.

        >>> from oddsmith import d10
        >>> d10.pool(7).unique().p(7)
        Fraction(189, 3125)
        """
        return self.fold(lambda state, face, count: state + (count > 0), 0)

    # --- runs

    def longest_run(self) -> Dist[int]:
        """How many consecutive whole faces show at best.

        >>> from oddsmith import d6
        >>> d6.pool(3).longest_run().p(3)
        Fraction(1, 9)
        """
        return self.best_run().map(lambda run: run[0])

    def best_run(self) -> Dist[tuple[int, int]]:
        """The longest run as (length, its highest face); of equally long ones the highest.

        Raises:
            OutcomeError: For a face that is not a number.

        >>> from oddsmith import d6
        >>> d6.pool(2).best_run().p((2, 6))
        Fraction(1, 18)
        """

        def step(state: tuple[Any, ...], face: Face, count: int) -> tuple[Any, ...]:
            length, top, run, previous = state
            if not isinstance(face, int):
                return state
            if not count:
                return length, top, 0, None
            run = run + 1 if previous is not None and face == previous + 1 else 1
            return (run, face, run, face) if run >= length else (length, top, run, face)

        for face in self.faces():
            if not is_number(face):
                raise OutcomeError(f"the face {face!r} has no place in a run")
        return self.fold(step, (0, 0, 0, None), final=lambda state: state[:2])

    def _whole_faces(self, verb: str) -> None:
        for face in self.faces():
            if not isinstance(face, int):
                raise OutcomeError(f"the face {face!r} cannot be {verb}", "use whole numbers")
