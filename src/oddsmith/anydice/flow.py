"""A function of rolls, gone through once for all rolls together.

The function is written out first (:mod:`~oddsmith.anydice.writing`); what is left are single
steps (:mod:`~oddsmith.anydice.steps`). Before a step the rolls are shown as far as it looks at
them (:mod:`~oddsmith.anydice.reveal`). What is known then are the variables that are still read,
and of each roll the features that are still looked at. Rolls that agree in all of that are gone
on with together, with their weights added up. So a loop over the dice of a roll, or over the
places of two rolls, costs about as many turns as it has, times the values that its variables have.
"""

from __future__ import annotations

from itertools import product
from math import prod
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from oddsmith.anydice.reveal import State, groups
from oddsmith.anydice.rolls import NotSeen
from oddsmith.anydice.steps import Chain, Step
from oddsmith.anydice.values import EMPTY, Dice, Value
from oddsmith.anydice.writing import Writer, is_own

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from fractions import Fraction

    from oddsmith.anydice import nodes as n
    from oddsmith.anydice.runtime import Machine

    Env = dict[str, Value]
    Seen = tuple[State | None, ...]
    States = dict[tuple[tuple[Any, ...], Seen], int]
    Counts = dict[State, int]

VISIT, STATEMENT = 120, 200
"""What a state at a step costs, and a statement that is written out, in units of the budget."""

SLOWER, AT_LEAST = 30, 60_000
"""A state takes so many times longer than a statement of a roll that is tried; so many are tried
all the same, as some statements take long."""

MOST = 1_000_000
"""So many states are kept before a step."""

GONE = object()
"""The value of a variable that is not set."""


class Flow:
    """A function for one call.

    Args:
        machine: The machine of the program.
        node: The function.
        dice: The parameters that are rolls.
        known: The variables around it, and the parameters that are certain.
        params: The other parameters.

    Raises:
        NotSeen: Where it cannot be written out.
    """

    def __init__(
        self, machine: Machine, node: n.Function, dice: dict[str, Dice], known: Env,
        params: tuple[str, ...],
    ) -> None:  # fmt: skip
        self.machine, self.params = machine, params
        self.known = {name: value for name, value in known.items() if not is_own(name)}
        hidden = {*dice, *params}
        writer = Writer(machine, dice, {k: v for k, v in self.known.items() if k not in hidden})
        body, _ = writer.block(node.body)
        features = tuple(writer.rolls.features.values())
        self.chain = Chain(machine, body, params, features)
        machine.work.add(STATEMENT * len(self.chain.steps))
        self.groups, places = groups(dice, list(writer.rolls.features), machine.lowest_first)
        self.places = dict(zip(features, places, strict=True))
        if len(self.groups) == 1 and any(map(self._is_whole, self.chain.steps)):
            raise NotSeen
        self.statements, self.visits = writer.statements, 0
        self.waiting: dict[Step | None, States] = {}

    def _is_whole(self, step: Step) -> bool:
        """Whether every roll of the only group is told from every other at a step."""
        (group,), (looks,) = self.groups, self.looks(step)
        uses = [self.places[name][1] for name in step.uses]
        return any(group.needs_all(number) for number in uses) and group.tells_all(looks)

    def results(
        self, cases: Iterable[tuple[tuple[Value, ...], int]], rolls: int
    ) -> list[tuple[Value, Fraction | int, int]]:
        """What it comes to, the share in which calls went too deep, and the weight.

        Args:
            cases: What the other parameters may be, with weights.
            rolls: How many cases there are with all rolls tried.

        Raises:
            NotSeen: Where it would take longer than to try them.
        """
        plain = rolls * self.statements
        self.visits = plain // SLOWER + min(plain, AT_LEAST)
        self._start(cases)
        for step in reversed(self.chain.steps):
            states = self.waiting.pop(step, None)
            if states is not None:
                _Stop(self, step).go(states)
        return [(*found, weight) for (found, _), weight in self.waiting.pop(None, {}).items()]

    def _start(self, cases: Iterable[tuple[tuple[Value, ...], int]]) -> None:
        first = self.chain.first
        ways = 1
        seen: list[State | None] = []
        for group, own in zip(self.groups, self.looks(first), strict=True):
            state = group.start(own)
            seen.append(state if own else None)
            ways *= 1 if own else group.rest(state)
        states = self.states(first)
        for values, weight in cases:
            env = {**self.known, **dict(zip(self.params, values, strict=True))}
            row = (0, *(env.get(name, GONE) for name in first.live)) if first else (EMPTY, 0)
            key = row, tuple(seen)
            states[key] = states.get(key, 0) + weight * ways

    def states(self, step: Step | None) -> States:
        """What waits for a step; for None the results, each with its share of calls too deep."""
        return self.waiting.setdefault(step, {})

    def spend(self, visits: int) -> None:
        """So many states were gone through."""
        self.machine.work.add(VISIT * visits)
        self.visits -= visits
        if self.visits < 0:
            raise NotSeen

    def looks(self, step: Step | None) -> list[list[int]]:
        """What a step or a later one looks at in each group."""
        found: list[list[int]] = [[] for _ in self.groups]
        for name in step.looks if step is not None else ():
            group, place = self.places[name]
            found[group].append(place)
        return found


class _Stop:
    """All states at one step.

    Args:
        flow: What the step is part of.
        step: It.
    """

    def __init__(self, flow: Flow, step: Step) -> None:
        self.flow, self.step = flow, step
        self.looks, self.after = flow.looks(step), [flow.looks(way) for way in step.ways]
        self.reads = picker([0, *(1 + step.live.index(name) for name in step.reads)])
        self.rows = [self._row(way) for way in (0, 1)]
        uses = [flow.places[name] for name in step.uses]
        self.groups = sorted({group for group, _ in uses})
        self.uses = {g: [place for group, place in uses if group == g] for g in self.groups}
        self.order = [(self.groups.index(g), self.uses[g].index(place)) for g, place in uses]
        self.shown: dict[tuple[int, State | None], Counts] = {}
        self.parted: dict[tuple[int, State | None], dict[tuple[int, ...], Counts]] = {}
        self.moved: dict[Any, list[tuple[State | None, int]]] = {}
        self.done: dict[Any, tuple[int, tuple[Any, ...]]] = {}

    def _row(self, way: int) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
        """The next row: of the row as it was, and of what the step has written behind it."""
        step, after = self.step, self.step.ways[way]
        size = 1 + len(step.live)
        written = {name: size + 1 + k for k, name in enumerate(step.writes)}
        result = size + 1 + len(step.writes)
        if way and not step.is_test:
            written[step.name or ""] = result
        if after is None:
            return picker([result, size])
        return picker([size, *(
            written[name] if name in written else 1 + step.live.index(name) for name in after.live
        )])  # fmt: skip

    def go(self, states: States) -> None:
        """Do the step in every state."""
        if len({seen for _, seen in states}) > 1:
            for number in self.groups[:-1]:
                states = self._show(states, number)
        targets = [self.flow.states(way) for way in self.step.ways]
        parts: dict[Seen, Any] = {}
        for (row, seen), weight in states.items():
            if seen not in parts:
                parts[seen] = self._parts(seen)
            values = self.reads(row)
            visits = 0
            for looks, part, moves in parts[seen]:
                key = values, looks
                if key not in self.done:
                    self.done[key] = self._run(values, looks)
                way, written = self.done[key]
                if way not in moves:
                    moves[way] = self._moves(way, seen, part)
                found, target = targets[way], self.rows[way](row + written)
                for after, ways in moves[way]:
                    place = target, after
                    found[place] = found.get(place, 0) + weight * ways
                visits += len(moves[way])
            if len(targets[0]) > MOST or len(targets[1]) > MOST:
                raise NotSeen
            self.flow.spend(visits)

    def _show(self, states: States, number: int) -> States:
        """The states with what is needed of one group."""
        found: States = {}
        for (row, seen), weight in states.items():
            known = self._known(number, seen[number])
            for state, ways in known.items():
                key = row, (*seen[:number], state, *seen[number + 1 :])
                found[key] = found.get(key, 0) + weight * ways
            self.flow.spend(len(known))
        return found

    def _known(self, number: int, state: State | None) -> Counts:
        """What may be shown of a group once all that is needed is known, with weights."""
        if (number, state) in self.shown:
            return self.shown[number, state]
        group = self.flow.groups[number]
        found: Counts = {}
        assert state is not None
        states: Counts = {state: 1}
        while states:
            more: Counts = {}
            for one, weight in states.items():
                if all(group.is_known(place, one) for place in self.uses[number]):
                    found[one] = found.get(one, 0) + weight
                    continue
                rows = group.after(one, self.looks[number])
                for after, ways in rows:
                    more[after] = more.get(after, 0) + weight * ways
                self.flow.spend(len(rows))
            states = more
        self.shown[number, state] = found
        return found

    def _parts(self, seen: Seen) -> list[tuple[tuple[int, ...], dict[int, Any], dict[int, Any]]]:
        """What the step may see: of all features and of each group; what comes then is not known.

        The last part is for the moves on each way, once one goes there.
        """
        rows = [self._parted(number, seen[number]) for number in self.groups]
        return [
            (tuple([part[k][place] for k, place in self.order]),
             dict(zip(self.groups, part, strict=True)), {})
            for part in product(*rows)
        ]  # fmt: skip

    def _parted(self, number: int, state: State | None) -> dict[tuple[int, ...], Counts]:
        """What may be shown of a group, parted by what the step sees of it."""
        if (number, state) not in self.parted:
            picks = [self.looks[number].index(place) for place in self.uses[number]]
            found: dict[tuple[int, ...], Counts] = {}
            for one, weight in self._known(number, state).items():
                found.setdefault(tuple([one[2][k] for k in picks]), {})[one] = weight
            self.parted[number, state] = found
        return self.parted[number, state]

    def _moves(self, way: int, seen: Seen, part: dict[int, Any]) -> list[tuple[Seen, int]]:
        """What is still looked at on a way, with the weight of all that nobody looks at then."""
        rows = [self._moved(way, number, state, part.get(number))
                for number, state in enumerate(seen)]  # fmt: skip
        return [
            (tuple([state for state, _ in move]), prod([ways for _, ways in move]))
            for move in product(*rows)
        ]

    def _moved(
        self, way: int, number: int, state: State | None, part: tuple[int, ...] | None
    ) -> list[tuple[State | None, int]]:
        """The same for one group, of which the step saw this part; None where it did not look."""
        key = way, number, state, part
        if key not in self.moved:
            before: dict[Any, int] = {state: 1}
            if part is not None:
                before = self.parted[number, state][part]
            group, own = self.flow.groups[number], self.after[way][number]
            picks = [self.looks[number].index(place) for place in own]
            found: dict[State | None, int] = {}
            for one, weight in before.items():
                if one is None or not own:
                    ways = weight if one is None else weight * group.rest(one)
                    found[None] = found.get(None, 0) + ways
                else:
                    after = *one[:2], tuple([one[2][k] for k in picks])
                    found[after] = found.get(after, 0) + weight
            self.moved[key] = list(found.items())
        return self.moved[key]

    def _run(self, values: tuple[Any, ...], looks: tuple[int, ...]) -> tuple[int, tuple[Any, ...]]:
        """Which way it goes on, and what is behind the row then.

        That is the share of calls too deep, what the step has written, and a result.
        """
        step, calls = self.step, self.flow.machine.calls
        env = dict(self.flow.known)
        for name, value in zip(step.reads, values[1:], strict=True):
            if value is GONE:
                env.pop(name, None)
            else:
                env[name] = value
        env.update(zip(step.uses, looks, strict=True))
        calls.cut, outer = values[0], calls.cut
        calls.depth += step.level
        try:
            result = step.run(env)
        finally:
            calls.depth -= step.level
            calls.cut, cut = outer, calls.cut
        written = [env.get(name, GONE) for name in step.writes]
        if step.is_test:
            return (0 if result else 1), (cut, *written, EMPTY)
        if result is None:
            return 0, (cut, *written, EMPTY)
        return 1, (cut, *written, result)


def picker(places: list[int]) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    """Takes some elements of a tuple.

    >>> picker([2, 0])("abc"), picker([1])("abc")
    (('c', 'a'), ('b',))
    """
    if len(places) == 1:
        place = places[0]
        return lambda row: (row[place],)
    return itemgetter(*places)
