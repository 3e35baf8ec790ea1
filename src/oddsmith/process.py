"""``Process``: something repeated until it is over (an absorbing Markov chain), solved exactly.

Death saves, usage dice, roll-offs, a battle to the end, a gambler's ruin, a board of snakes and
ladders: each is a state, a step that leads from it to others, and states that end it. The chance
of each ending, the mean and the whole distribution of the number of steps come out exact, also
where nothing bounds the number of steps.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Any

from oddsmith.arguments import as_function, as_test
from oddsmith.budget import DEFAULT_BUDGET, Work, afford
from oddsmith.dist import Dist, as_dist, mix
from oddsmith.errors import ImpossibleEvent, NeverEnds, OutcomeError
from oddsmith.exact import markov
from oddsmith.open_dist import OpenDist
from oddsmith.outcomes import clean, is_number
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable

State = Any
EXAMPLE = "Process(3, lambda n: n - 1, end=lambda n: n == 0)"

HINT = "give the process fewer states: forget what no longer matters"

LOOK = 3_000
"""What it costs to look at one state, in the units of the budget."""

STEP = 20
"""What it costs to go from one state to another, in the units of the budget."""


ONE = Fraction(1)


class Chain(Record):
    """The states of a process that go on.

    Attributes:
        places: Each state with its number.
        rows: For each of them the chances of the states that go on.
        leave: For each of them the chances of the endings.
        first: The chances of the first state.
    """

    places: dict[State, int]
    rows: list[dict[int, Fraction]]
    leave: list[dict[State, Fraction]]
    first: dict[int, Fraction]


class Process:
    """Repeat a step until it is over.

    Cost: one call of ``step`` for each state that can be reached. States that lead back to one
    another are then solved together: cheap where few states lead to each of them, at worst the
    cube of their number.

    Args:
        start: The first state (a number, text or a tuple of these), or a ``Dist`` of them.
        step: From a state to the next one, or to a ``Dist`` of next ones.
        end: Whether a state ends the process. Left out, it ends where a step changes nothing.
        budget: The work it may cost.

    All but the first states are looked at when something is asked, which raises ``TooLarge``
    where too many can be reached. A process that may never end, or that has endless many states,
    can only be asked for its states :meth:`after` some steps; all other questions raise
    ``NeverEnds`` or ``TooLarge``.

    >>> from oddsmith import Process, d6
    >>> roll_off = Process("tie", lambda state: mix({"mine": 15, "theirs": 15, "tie": 6}),
    ...     end=lambda state: state != "tie")
    >>> roll_off.endings(), roll_off.mean_steps()
    (Dist({'mine': 1, 'theirs': 1}), Fraction(6, 5))
    """

    def __init__(
        self,
        start: State,
        step: Callable[[State], Any],
        end: Callable[[State], bool] | None = None,
        budget: int = DEFAULT_BUDGET,
    ) -> None:
        for role, function in (("step", step), ("end", end)):
            if function is not None or role == "step":
                as_function(function, role, EXAMPLE, 1)
        self.start: Dist[Any] = as_dist(start)
        self.budget = budget
        self._step, self._end = step, end
        self._seen: dict[State, list[tuple[State, Fraction]] | None] = {}
        work = Work(budget, HINT)
        for state in self.start:
            self._next(state, work)

    def __repr__(self) -> str:
        return f"<Process from {self.start!r}>"

    # --- the states

    def _next(self, state: State, work: Work) -> list[tuple[State, Fraction]] | None:
        """Where the state leads, or None where it ends the process; worked out once."""
        if state not in self._seen:
            work.add(LOOK)
            try:
                dist = self._led(state)
            except RecursionError:
                raise NeverEnds(
                    "the step calls itself, or its states nest, without end",
                    "return the next state, or a distribution of next states",
                ) from None
            self._seen[state] = None if dist is None else dist.items()
        return self._seen[state]

    def _led(self, state: State) -> Dist[Any] | None:
        if self._end is not None and self._end(state):
            return None
        after = self._step(state)
        if isinstance(after, OpenDist):
            raise OutcomeError(
                f"from the state {state!r} endless many states are reached", "clamp the outcome"
            )
        dist = as_dist(after)
        if self._end is None and len(dist) == 1 and dist.p(state) == 1:
            return None
        return dist

    @cached_property
    def _chain(self) -> Chain:
        """All states that can be reached and go on."""
        work, waiting = Work(self.budget, HINT), list(self.start)
        reached: dict[State, list[tuple[State, Fraction]] | None] = {}
        while waiting:
            state = waiting.pop()
            if state not in reached:
                reached[state] = self._next(state, work)
                waiting += [after for after, _ in reached[state] or () if after not in reached]
        going = {state: pairs for state, pairs in reached.items() if pairs is not None}
        places = {state: place for place, state in enumerate(going)}
        chain = Chain(
            places,
            [{places[t]: p for t, p in pairs if t in places} for pairs in going.values()],
            [{t: p for t, p in pairs if t not in places} for pairs in going.values()],
            {places[state]: p for state, p in self.start.items() if state in places},
        )
        afford(markov.cost(chain.rows), self.budget, HINT)
        return chain

    def _require_end(self) -> None:
        """Every group of states that lead back to one another must have a way out."""
        chain = self._chain
        states = list(chain.places)
        for group in markov.components(chain.rows):
            inside = set(group)
            if all(not chain.leave[k] and inside.issuperset(chain.rows[k]) for k in group):
                raise NeverEnds(
                    f"from the state {states[group[0]]!r} no ending can be reached",
                    "say with end= which states end the process",
                )

    @cached_property
    def _visits(self) -> list[Fraction]:
        self._require_end()
        return markov.visits(self._chain.rows, self._chain.first)

    # --- answers

    def endings(self) -> Dist[Any]:
        """How it ends: the distribution of the last state.

        Raises:
            NeverEnds: When there is a chance that it never ends. So do all methods below, except
                :meth:`after`.

        >>> from oddsmith import Process, d
        >>> ruin = Process(3, lambda money: mix({money - 1: 1, money + 1: 1}),
        ...     end=lambda money: money in (0, 10))
        >>> ruin.endings().p(10)
        Fraction(3, 10)
        """
        visits, chain = self._visits, self._chain
        table = {state: p for state, p in self.start.items() if state not in chain.places}
        for count, leave in zip(visits, chain.leave, strict=True):
            for state, p in leave.items():
                table[state] = table.get(state, Fraction(0)) + count * p
        endings: Dist[Any] = mix(table)
        return endings

    def mean_steps(self) -> Fraction:
        """The mean number of steps.

        >>> from oddsmith import Process, d
        >>> Process(5, lambda money: mix({money - 1: 1, money + 1: 1}),
        ...     end=lambda money: money in (0, 10)).mean_steps()
        Fraction(25, 1)
        """
        return sum(self._visits, Fraction(0))

    def visits(self, state: State) -> Fraction:
        """How often a state is stepped from, on average.

        >>> from oddsmith import Process
        >>> Process(0, lambda n: mix({n: 1, n + 1: 1}), end=lambda n: n == 2).visits(1)
        Fraction(2, 1)
        """
        counts, place = self._visits, self._chain.places.get(clean(state))
        return Fraction(0) if place is None else counts[place]

    def mean_total(self, reward: Callable[[State], Any]) -> Fraction:
        """The mean of the sum of what the visited states are worth; the last state counts nothing.

        Raises:
            OutcomeError: For a worth that is not a number.

        >>> from oddsmith import Process
        >>> Process(3, lambda n: n - 1, end=lambda n: n == 0).mean_total(lambda n: n)
        Fraction(6, 1)
        """
        as_function(reward, "reward", "lambda n: n", 1)
        total = Fraction(0)
        for state, count in zip(self._chain.places, self._visits, strict=True):
            worth = clean(reward(state))
            if not is_number(worth):
                raise OutcomeError(f"the state {state!r} is worth {worth!r}, which is not a number")
            total += count * worth
        return total

    def steps(self, ending: Any = None) -> Any:
        """The number of steps: a ``Dist``, or an ``OpenDist`` where nothing bounds it.

        Args:
            ending: Only for the runs that end in such a state (one, several of them or a
                function): the distribution given that ending.

        Raises:
            ImpossibleEvent: When it cannot end in such a state.

        >>> from oddsmith import Process
        >>> first_six = Process("-", lambda _: mix({"six": 1, "-": 5}), lambda s: s == "six")
        >>> first_six.steps().p(3), first_six.steps().mean
        (Fraction(25, 216), Fraction(6, 1))
        """
        self._require_end()
        chain = self._chain
        wanted: Callable[[State], bool] = as_test(ending) if ending is not None else lambda _: True
        leave = [
            sum((p for state, p in row.items() if wanted(state)), Fraction(0))
            for row in chain.leave
        ]
        at_once = sum(
            (p for s, p in self.start.items() if s not in chain.places and wanted(s)), Fraction(0)
        )
        chance = Fraction(1) if ending is None else self.endings().p(wanted)
        if not chance:
            raise ImpossibleEvent("the process never ends like this")
        if at_once == chance:
            return Dist([0])
        afford(markov.loops_cost(chain.rows), DEFAULT_BUDGET, HINT)
        series = markov.steps(chain.rows, leave, chain.first, Work(DEFAULT_BUDGET, HINT).add)
        later = chance - at_once
        on = OpenDist.of_series(series, 1 / later).settled()
        return mix([(on, later), (0, at_once)]) if at_once else on

    def after(self, count: int) -> Dist[Any]:
        """The state after so many steps; what has ended stays as it is.

        The process need not end, and there may be endless many states: only those are looked at
        that can be reached in so many steps.

        Raises:
            TooLarge: When there are too many steps.

        >>> from oddsmith import Process
        >>> Process(0, lambda n: mix({n: 1, n + 1: 1}), end=lambda n: n == 2).after(2)
        Dist({0: 1, 1: 2, 2: 1})
        >>> Process(0, lambda at: mix({at - 1: 1, at + 1: 1}), end=lambda at: False).after(3)
        Dist({-3: 1, -1: 3, 1: 3, 3: 1})
        """
        if not isinstance(count, int) or count < 0:
            raise OutcomeError(f"a number of steps is a whole number of 0 or more, not {count}")
        now: dict[State, int] = self.start.weights()
        work, bits = Work(self.budget, "ask for fewer steps"), self.start.bits()
        for _ in range(count):
            nexts = {state: self._next(state, work) for state in now}
            if all(pairs is None for pairs in nexts.values()):
                break
            scale = lcm(*(p.denominator for pairs in nexts.values() for _, p in pairs or ()))
            bits += scale.bit_length()
            after: dict[State, int] = {}
            for state, weight in now.items():
                pairs = nexts[state] or [(state, ONE)]
                work.add(len(pairs) * (STEP + bits // 256))
                for target, p in pairs:
                    many = weight * p.numerator * (scale // p.denominator)
                    after[target] = after.get(target, 0) + many
            now = after
        return Dist(now)
