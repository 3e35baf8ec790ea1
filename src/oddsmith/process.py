"""``Process``: something repeated until it is over, solved exactly.

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

from oddsmith.budget import DEFAULT_BUDGET, Work, afford
from oddsmith.dist import Dist, as_dist, clean, is_number, mix
from oddsmith.errors import ImpossibleEvent, NeverEnds, OutcomeError, RuleError
from oddsmith.exact import markov
from oddsmith.open_dist import OpenDist

if TYPE_CHECKING:
    from collections.abc import Callable

State = Any
HINT = "give the process fewer states: forget what no longer matters"

LOOK = 3_000
"""What it costs to look at one state, in the units of the budget."""

STEP = 20
"""What it costs to go from one state to another, in the units of the budget."""


class Process:
    """Repeat a step until it is over.

    Cost: one call of ``step`` for each state that can be reached; then, for states that lead back
    to one another, the cube of the number of those that can't be taken out one by one because many
    states lead to them and on from them.

    Args:
        start: The first state (a number, text or a tuple of these), or a ``Dist`` of them.
        step: From a state to the next one, or to a ``Dist`` of next ones.
        end: Whether a state ends the process. Left out, it ends where a step changes nothing.
        budget: The work it may cost.

    Raises:
        TooLarge: When too many states can be reached.

    A process that may never end can only be asked for its states :meth:`after` some steps; all
    other questions raise ``NeverEnds``.

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
            if not callable(function) and not (role == "end" and function is None):
                raise RuleError(
                    f"{role} is {function!r}, which is not a function of a state",
                    "write for example Process(3, lambda n: n - 1, end=lambda n: n == 0)",
                )
        self.start: Dist[Any] = as_dist(start)
        self._step, self._end = step, end
        self._places: dict[State, int] = {}
        self._rows: list[dict[int, Fraction]] = []
        self._leave: list[dict[State, Fraction]] = []
        self._explore(Work(budget, HINT))
        afford(markov.cost(self._rows), budget, HINT)

    def __repr__(self) -> str:
        return f"<Process from {self.start!r}, {len(self._rows)} states go on>"

    # --- the states

    def _next(self, state: State) -> Dist[Any] | None:
        """Where the state leads, or None where it ends the process."""
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

    def _explore(self, work: Work) -> None:
        nexts: dict[State, list[tuple[State, Fraction]] | None] = {}
        waiting = list(self.start)
        while waiting:
            state = waiting.pop()
            if state in nexts:
                continue
            work.add(LOOK)
            dist = self._next(state)
            nexts[state] = None if dist is None else dist.items()
            waiting += [after for after, _ in nexts[state] or () if after not in nexts]
        going = [state for state, after in nexts.items() if after is not None]
        self._places = {state: place for place, state in enumerate(going)}
        for state in going:
            pairs = nexts[state] or []
            stay = {self._places[after]: p for after, p in pairs if after in self._places}
            self._rows.append(stay)
            self._leave.append({after: p for after, p in pairs if after not in self._places})

    def _require_end(self) -> None:
        """Every group of states that lead back to one another must have a way out."""
        states = list(self._places)
        for group in markov.components(self._rows):
            inside = set(group)
            if all(not self._leave[k] and inside.issuperset(self._rows[k]) for k in group):
                raise NeverEnds(
                    f"from the state {states[group[0]]!r} no ending can be reached",
                    "say with end= which states end the process",
                )

    @cached_property
    def _first(self) -> dict[int, Fraction]:
        return {self._places[state]: p for state, p in self.start.items() if state in self._places}

    @cached_property
    def _visits(self) -> list[Fraction]:
        self._require_end()
        return markov.visits(self._rows, self._first)

    # --- answers

    def endings(self) -> Dist[Any]:
        """How it ends: the distribution of the last state.

        Raises:
            NeverEnds: When there is a chance that it never does; so with all that follows, but
                for :meth:`after`.

        >>> from oddsmith import Process, d
        >>> ruin = Process(3, lambda money: mix({money - 1: 1, money + 1: 1}),
        ...     end=lambda money: money in (0, 10))
        >>> ruin.endings().p(10)
        Fraction(3, 10)
        """
        table = {state: p for state, p in self.start.items() if state not in self._places}
        for count, leave in zip(self._visits, self._leave, strict=True):
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
        counts, place = self._visits, self._places.get(clean(state))
        return Fraction(0) if place is None else counts[place]

    def mean_total(self, reward: Callable[[State], Any]) -> Fraction:
        """The mean sum of what every visited state that goes on is worth.

        >>> from oddsmith import Process
        >>> Process(3, lambda n: n - 1, end=lambda n: n == 0).mean_total(lambda n: n)
        Fraction(6, 1)
        """
        total = Fraction(0)
        for state, count in zip(self._places, self._visits, strict=True):
            worth = clean(reward(state))
            if not is_number(worth):
                raise OutcomeError(f"the state {state!r} is worth {worth!r}, which is not a number")
            total += count * worth
        return total

    def steps(self, ending: Callable[[State], bool] | None = None) -> Any:
        """The number of steps: a ``Dist``, or an ``OpenDist`` where nothing bounds it.

        Args:
            ending: Only of those that end in such a state.

        Raises:
            ImpossibleEvent: When it cannot end so.

        >>> from oddsmith import Process
        >>> first_six = Process("-", lambda _: mix({"six": 1, "-": 5}), lambda s: s == "six")
        >>> first_six.steps().p(3), first_six.steps().mean
        (Fraction(25, 216), Fraction(6, 1))
        """
        self._require_end()
        wanted = ending or (lambda _: True)
        leave = [
            sum((p for state, p in row.items() if wanted(state)), Fraction(0))
            for row in self._leave
        ]
        at_once = sum(
            (p for s, p in self.start.items() if s not in self._places and wanted(s)), Fraction(0)
        )
        chance = self.endings().p(wanted) if ending else Fraction(1)
        if not chance:
            raise ImpossibleEvent("the process never ends like this")
        if at_once == chance:
            return Dist([0])
        afford(markov.loops_cost(self._rows), DEFAULT_BUDGET, HINT)
        series = markov.steps(self._rows, leave, self._first, Work(DEFAULT_BUDGET, HINT).add)
        later = chance - at_once
        on = OpenDist.of_series(series, 1 / later).settled()
        return mix([(on, later), (0, at_once)]) if at_once else on

    def after(self, count: int) -> Dist[Any]:
        """The state after so many steps; what has ended stays as it is.

        The process need not end.

        Raises:
            TooLarge: When there are too many steps.

        >>> from oddsmith import Process
        >>> Process(0, lambda n: mix({n: 1, n + 1: 1}), end=lambda n: n == 2).after(2)
        Dist({0: 1, 1: 2, 2: 1})
        >>> Process(0, lambda side: 1 - side, end=lambda side: False).after(2)
        Dist({0: 1})
        """
        if not isinstance(count, int) or count < 0:
            raise OutcomeError(f"a number of steps is a whole number of 0 or more, not {count}")
        states = list(self._places)
        chances = {
            state: [*((states[place], p) for place, p in row.items()), *leave.items()]
            for state, row, leave in zip(states, self._rows, self._leave, strict=True)
        }
        scale = lcm(*(p.denominator for pairs in chances.values() for _, p in pairs))
        ways = {
            state: [(target, int(p * scale)) for target, p in pairs]
            for state, pairs in chances.items()
        }
        now: dict[State, int] = self.start.weights()
        work, bits = Work(DEFAULT_BUDGET, "ask for fewer steps"), self.start.bits()
        for _ in range(count):
            if not any(state in ways for state in now):
                break
            bits += scale.bit_length()
            after: dict[State, int] = {}
            for state, weight in now.items():
                pairs = ways.get(state) or [(state, scale)]
                work.add(len(pairs) * (STEP + bits // 256))
                for target, many in pairs:
                    after[target] = after.get(target, 0) + weight * many
            now = after
        return Dist(now)
