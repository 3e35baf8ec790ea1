"""A loop over the dice of a roll, or over faces, as a fold instead of a try of every roll.

Where a function looks at a sequence parameter in one loop only, and there at the die whose turn it
is and at its neighbours, or at how many dice show the face whose turn it is, it is enough to know
after each turn what the variables are: rolls that have led to the same are gone on with together.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

from oddsmith.anydice import nodes as n
from oddsmith.anydice.purity import is_variable, replaced, statements, walk
from oddsmith.anydice.values import EMPTY, Dice, Value
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from oddsmith.anydice.runtime import Machine

    Env = dict[str, Value]
    Block = Callable[[Env], Value | None]

STEP, TURN = 20, 60
"""What a state and a turn cost, in the units of the budget."""

FAR = 20
"""A turn looks at places nearer than this."""

COUNTS = CONTAINS, COUNT = "? contains ?", "count ? in ?"
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
        places: Which dice or faces a turn looks at, counted from its own, and the variable of each.
        kept: The variables that are read in a later turn, or after the loop.
        by_face: Whether a turn looks at the number of dice that show a face.
    """

    name: str
    before: Block
    loop: Block
    after: Block
    over: Callable[[Env], Value] | None
    turn: str
    places: tuple[tuple[int, str], ...]
    kept: tuple[str, ...]
    by_face: bool


class NotInTurns(Exception):
    """The roll is looked at in another way."""


class Turns:
    """Functions that go through a roll die by die, or face by face.

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
            self._plans[key] = self._made(node, name, False) or self._made(node, name, True)
        return self._plans[key]

    def _made(self, node: n.Function, name: str, by_face: bool) -> Plan | None:
        try:
            return self._read(node, name, by_face)
        except NotInTurns:
            return None

    def _read(self, node: n.Function, name: str, by_face: bool) -> Plan:
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
            offset = (_face if by_face else _die)(part, name, loop.name)
            if offset is not None and not direct:
                offsets.add(offset)
                table[id(part)] = _shown(part, offset)
        if by_face and any(shape in self.machine.functions for shape in COUNTS):
            raise NotInTurns
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
            by_face,
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
        way = (_ByFace if plan.by_face else _ByDie)(self.machine, plan, dice, start, row)
        return list(way.results())


class _Way:
    """One way through a roll.

    A state has what was shown last, as far as later turns look at it, and the variables; with one
    part only it has its result.
    """

    def __init__(
        self, machine: Machine, plan: Plan, dice: Dice, env: Env, row: tuple[int, ...]
    ) -> None:
        self.machine, self.plan, self.dice, self.env, self.row = machine, plan, dice, env, row
        self.first, self.last = plan.places[0][0], plan.places[-1][0]
        self.turns = set(row)
        self.known: dict[Any, Any] = {}
        if not row or len(self.turns) < len(row):
            raise NotInTurns

    def start(self) -> dict[tuple[int, Any], int]:
        """All dice are left."""
        kept = tuple(self.env.get(name, GONE) for name in self.plan.kept)
        return {(self.dice.count, ((0,) * (self.last - self.first), kept)): 1}

    def turn(self, turn: int, value: int, shown: dict[int, int], state: Any) -> Any:
        """The variables after a turn; a result in their place where there is one.

        Args:
            turn: Which, in the order of the loop.
            value: The variable of the loop.
            shown: What is shown, by offset.
            state: The variables before.
        """
        if turn not in self.turns:
            return state
        self.machine.work.add(TURN)
        env = self.variables(state)
        for offset, name in self.plan.places:
            env[name] = shown[offset]
        env[self.plan.turn] = value
        done = self.plan.loop(env)
        if self.machine.calls.cut:
            raise NotInTurns
        if done is not None:
            return Done(done)
        return tuple(env.get(name, GONE) for name in self.plan.kept)

    def result(self, state: Any) -> Value:
        """What comes after the loop."""
        if len(state) == 1:
            return state[0]
        done = self.plan.after(self.variables(state[1]))
        if self.machine.calls.cut:
            raise NotInTurns
        return EMPTY if done is None else done

    def variables(self, kept: tuple[Any, ...]) -> Env:
        """All variables in a state."""
        env = dict(self.env)
        for name, value in zip(self.plan.kept, kept, strict=True):
            if value is GONE:
                env.pop(name, None)
            else:
                env[name] = value
        return env


class Done(Record):
    """A result that was reached inside the loop."""

    value: Value


class _ByDie(_Way):
    """The dice in order, the first in the list first."""

    def results(self) -> Iterator[tuple[Value, int]]:
        """What the function comes to, with weights."""
        row, count = self.row, self.dice.count
        if row != tuple(range(row[0], row[0] + len(row))) or row[0] < 1:
            raise NotInTurns
        assert self.dice.law is not None
        weights = self.dice.law.weights()
        faces = list(weights) if self.machine.lowest_first else list(reversed(weights))
        states = self.start()
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
        if key not in self.known:
            window = (*state[0], face)
            shown = dict(enumerate(window, self.first))
            turn = rank - self.last
            value = face if self.plan.over is None else turn
            after = self.turn(turn, value, shown, state[1])
            ended = isinstance(after, Done)
            self.known[key] = (after.value,) if ended else (window[1:], after)
        return self.known[key]

    def _end(self, state: Any) -> Value:
        """The turns that are left when all dice have been seen, and what comes after the loop."""
        rank = self.dice.count
        while len(state) > 1 and rank - self.last < self.row[-1]:
            rank += 1
            state = self._shown(rank, 0, state)
        return self.result(state)


class _ByFace(_Way):
    """The faces in the order of the loop, with the number of dice that show each."""

    def results(self) -> Iterator[tuple[Value, int]]:
        """What the function comes to, with weights."""
        assert self.dice.law is not None
        weights = self.dice.law.weights()
        rest = self.dice.law.total
        states = self.start()
        units, step = self._units()
        for unit in units:
            face = weights.get(unit, 0)
            rest -= face
            self.machine.work.add(STEP * len(states) * (self.dice.count if face else 1))
            after: dict[tuple[int, Any], int] = {}
            for (left, state), weight in states.items():
                for many in range(left + 1 if face else 1):
                    key = left - many, self._shown(unit, step, many, state)
                    ways = weight * comb(left, many) * face**many
                    after[key] = after.get(key, 0) + ways
            states = after
        for (left, state), weight in states.items():
            if rest or not left:
                yield self.result(state), weight * rest**left

    def _units(self) -> tuple[tuple[int, ...], int]:
        """The faces to be shown, one after the other, and whether they rise or fall."""
        if self.first == self.last:
            return self.row, 1
        for step in (1, -1):
            if self.row == tuple(range(self.row[0], self.row[0] + step * len(self.row), step)):
                low, high = self.row[0], self.row[-1]
                if step > 0:
                    return tuple(range(low + self.first, high + self.last + 1)), step
                return tuple(range(low + self.last, high + self.first - 1, -1)), step
        raise NotInTurns

    def _shown(self, unit: int, step: int, many: int, state: Any) -> Any:
        """The state once so many dice have shown a face."""
        if len(state) == 1:
            return state
        key = unit, many, state
        if key not in self.known:
            window = (*state[0], many)
            shown = dict(enumerate(window if step > 0 else window[::-1], self.first))
            turn = unit - (self.last if step > 0 else self.first)
            after = self.turn(turn, turn, shown, state[1])
            ended = isinstance(after, Done)
            self.known[key] = (after.value,) if ended else (window[1:], after)
        return self.known[key]


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
    return f"shown {offset:+d}"


def _shown(node: Any, offset: int) -> Any:
    """What stands in the place of a look."""
    shown = n.Variable(_place(offset), node.span)
    if isinstance(node, n.Call) and node.shape == CONTAINS:
        return n.Binary(">", shown, n.Number(0, node.span), node.span)
    return shown


def _die(node: Any, name: str, turn: str) -> int | None:
    """Which die ``V@A``, ``(V + 1)@A`` or ``(V - 1)@A`` is, counted from the one at turn."""
    if isinstance(node, n.Binary) and node.op == "@" and is_variable(node.right, name):
        return _offset(node.left, turn)
    return None


def _face(node: Any, name: str, turn: str) -> int | None:
    """Whose dice ``A = V``, ``[count V in A]`` or ``[A contains V]`` counts, in the same way."""
    if isinstance(node, n.Binary) and node.op == "=":
        if is_variable(node.left, name):
            return _offset(node.right, turn)
        return _offset(node.left, turn) if is_variable(node.right, name) else None
    if isinstance(node, n.Call) and node.shape in COUNTS:
        roll, value = node.args[:: 1 if node.shape == CONTAINS else -1]
        return _offset(value, turn) if is_variable(roll, name) else None
    return None


def _offset(place: Any, turn: str) -> int | None:
    """How far ``V``, ``V + 1`` or ``V - 1`` is from the turn."""
    if isinstance(place, n.Variable):
        return 0 if place.name == turn else None
    if not (isinstance(place, n.Binary) and place.op in "+-"):
        return None
    a, b = place.left, place.right
    if place.op == "+" and isinstance(a, n.Number):
        a, b = b, a
    if is_variable(a, turn) and isinstance(b, n.Number) and b.value < FAR:
        return b.value if place.op == "+" else -b.value
    return None
