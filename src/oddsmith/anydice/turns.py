"""A loop over the dice of a roll, die by die: a fold instead of a try of every roll.

Where a function looks at a sequence parameter in one loop only, and there at the die whose turn it
is and at its neighbours, it is enough to know after each turn what the variables are: rolls that
have led to the same are gone on with together.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

from oddsmith.anydice import nodes as n
from oddsmith.anydice.purity import replaced, statements, walk
from oddsmith.anydice.values import EMPTY, Dice, Value
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from oddsmith.anydice.runtime import Machine

    Env = dict[str, Value]
    Block = Callable[[Env], Value | None]

STEP, TURN = 20, 60
"""What a state and a turn cost, in the units of the budget."""

GONE = object()
"""The value of a variable that is not set."""


class Plan(Record):
    """How a function goes through a roll.

    Attributes:
        name: The parameter.
        before: What is done before the loop.
        loop: One turn of it.
        after: What is done after it.
        over: The positions; None where the loop goes over the dice themselves.
        turn: The variable of the loop.
        places: Which dice a turn looks at, counted from its own, and the variable of each.
        kept: The variables that are read in a later turn, or after the loop.
    """

    name: str
    before: Block
    loop: Block
    after: Block
    over: Callable[[Env], Value] | None
    turn: str
    places: tuple[tuple[int, str], ...]
    kept: tuple[str, ...]


class NotInTurns(Exception):
    """The roll is looked at in another way."""


class Turns:
    """Functions that go through a roll die by die.

    Args:
        machine: The machine of the program.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._plans: dict[tuple[int, int, str], Plan | None] = {}

    def plan(self, node: n.Function, name: str) -> Plan | None:
        """How a function goes through its parameter of this name; None where it does not."""
        key = id(node), self.machine.version, name
        if key not in self._plans:
            try:
                self._plans[key] = self._made(node, name)
            except NotInTurns:
                self._plans[key] = None
        return self._plans[key]

    def _made(self, node: n.Function, name: str) -> Plan:
        if any(part.name == name for part in statements(node.body)):
            raise NotInTurns
        looking = [place for place, part in enumerate(node.body) if _looks(part, name)]
        if len(looking) != 1 or not isinstance(node.body[looking[0]], n.Loop):
            raise NotInTurns
        loop: Any = node.body[looking[0]]
        before, after = node.body[: looking[0]], node.body[looking[0] + 1 :]
        if any(part.name == loop.name for part in statements(loop.body)):
            raise NotInTurns
        self._check_calls(node, name)
        direct = isinstance(loop.over, n.Variable) and loop.over.name == name
        table: dict[int, Any] = {}
        offsets = {0}
        for part in (found for inner in loop.body for found in walk(inner)):
            offset = _offset(part, name, loop.name)
            if offset is not None and not direct:
                offsets.add(offset)
                table[id(part)] = n.Variable(_place(offset), part.span)
        body = replaced(loop.body, table)
        if any(_looks(part, name) for part in body) or (not direct and _looks(loop.over, name)):
            raise NotInTurns
        _, early = self.machine.purity.reads(loop.body, {name, loop.name})
        later, _ = self.machine.purity.reads(after, {name})
        own = {part.name for part in statements(node.body)}
        return Plan(
            name,
            self.machine.compiler.block(before),
            self.machine.compiler.block(body),
            self.machine.compiler.block(after),
            None if direct else self.machine.compiler.over(loop),
            loop.name,
            tuple((offset, _place(offset)) for offset in sorted(offsets)),
            tuple(sorted((early | later) & own)),
        )

    def _check_calls(self, node: n.Function, name: str) -> None:
        """A function that is called may look at the roll as well."""
        for part in (found for inner in node.body for found in walk(inner)):
            if isinstance(part, n.Call) and part.shape in self.machine.functions:
                free = self.machine.purity.free(self.machine.functions[part.shape].node)
                if free is None or name in free:
                    raise NotInTurns

    def results(self, plan: Plan, dice: Dice, env: Env) -> list[tuple[Value, int]]:
        """What the function comes to, with weights.

        Args:
            plan: How it goes through the roll.
            dice: The roll.
            env: The variables, with the other parameters.

        Raises:
            NotInTurns: Where the loop goes over other positions.
        """
        assert dice.law is not None
        start = dict(env)
        start[plan.name] = dice
        found = plan.before(start)
        if found is not None:
            return [(found, dice.law.total**dice.count)]
        if plan.over is None:
            row: Any = tuple(range(1, dice.count + 1))
        else:
            row = plan.over(start)
        if not row or row != tuple(range(row[0], row[0] + len(row))) or row[0] < 1:
            raise NotInTurns
        return list(_Way(self.machine, plan, dice, start, row).results())


class _Way:
    """One way through a roll."""

    def __init__(
        self, machine: Machine, plan: Plan, dice: Dice, env: Env, row: tuple[int, ...]
    ) -> None:
        self.machine, self.plan, self.dice, self.env, self.row = machine, plan, dice, env, row
        self.first, self.last = plan.places[0][0], plan.places[-1][0]
        self.known: dict[Any, Any] = {}

    def results(self) -> Iterator[tuple[Value, int]]:
        assert self.dice.law is not None
        weights = self.dice.law.weights()
        faces = list(weights) if self.machine.lowest_first else list(reversed(weights))
        count = self.dice.count
        kept = tuple(self.env.get(name, GONE) for name in self.plan.kept)
        states: dict[tuple[int, Any], int] = {(count, ((0,) * (self.last - self.first), kept)): 1}
        for face in faces:
            last = face == faces[-1]
            self.machine.work.add(STEP * len(states) * (1 if last else count))
            after: dict[tuple[int, Any], int] = {}
            for (left, state), weight in states.items():
                for many in range(left + 1):
                    if many:
                        state = self._shown(count - left + many, face, state)
                    if not last or many == left:
                        key = left - many, state
                        ways = weight * comb(left, many) * weights[face] ** many
                        after[key] = after.get(key, 0) + ways
            states = after
        for (_, state), weight in states.items():
            yield self._end(state), weight

    def _shown(self, rank: int, face: int, state: Any) -> Any:
        """The state once the die of this rank has shown a face."""
        if len(state) == 1:
            return state
        key = rank, face, state
        found = self.known.get(key)
        if found is None:
            window = (*state[0], face)
            found = self.known[key] = self._turn(rank - self.last, window, state[1])
        return found

    def _turn(self, place: int, window: tuple[int, ...], kept: tuple[Any, ...]) -> Any:
        """One turn, if there is one in this place; a state with one part has its result."""
        if not self.row[0] <= place <= self.row[-1]:
            return window[1:], kept
        self.machine.work.add(TURN)
        env = self._env(kept)
        for offset, name in self.plan.places:
            env[name] = window[offset - self.first]
        env[self.plan.turn] = window[-self.last - 1] if self.plan.over is None else place
        done = self.plan.loop(env)
        if self.machine.cut:
            raise NotInTurns
        if done is not None:
            return (done,)
        return window[1:], tuple(env.get(name, GONE) for name in self.plan.kept)

    def _end(self, state: Any) -> Value:
        """The turns that are left when all dice have been seen, and what comes after the loop."""
        rank = self.dice.count
        while len(state) > 1 and rank - self.last < self.row[-1]:
            rank += 1
            state = self._shown(rank, 0, state)
        if len(state) == 1:
            return state[0]
        done = self.plan.after(self._env(state[1]))
        if self.machine.cut:
            raise NotInTurns
        return EMPTY if done is None else done

    def _env(self, kept: tuple[Any, ...]) -> Env:
        env = dict(self.env)
        for name, value in zip(self.plan.kept, kept, strict=True):
            if value is GONE:
                env.pop(name, None)
            else:
                env[name] = value
        return env


def _looks(node: Any, name: str) -> bool:
    """Whether anything but the length of a roll is looked at."""
    if isinstance(node, n.Variable):
        return node.name == name
    if isinstance(node, n.Unary) and node.op == "#" and isinstance(node.body, n.Variable):
        return False
    return any(
        _looks(part, name)
        for field in getattr(node, "_fields", ())
        for value in (getattr(node, field),)
        for part in (value if isinstance(value, tuple) else (value,))
        if hasattr(part, "_fields")
    )


def _place(offset: int) -> str:
    return f"die {offset:+d}"


def _offset(node: Any, name: str, turn: str) -> int | None:
    """Which die ``V@A``, ``(V + 1)@A`` or ``(V - 1)@A`` is, counted from the one at turn."""
    if not (isinstance(node, n.Binary) and node.op == "@"):
        return None
    if not (isinstance(node.right, n.Variable) and node.right.name == name):
        return None
    place = node.left
    if isinstance(place, n.Variable):
        return 0 if place.name == turn else None
    if not (isinstance(place, n.Binary) and place.op in "+-"):
        return None
    a, b = place.left, place.right
    if place.op == "+" and isinstance(a, n.Number):
        a, b = b, a
    if isinstance(a, n.Variable) and a.name == turn and isinstance(b, n.Number) and b.value < 20:
        return b.value if place.op == "+" else -b.value
    return None
