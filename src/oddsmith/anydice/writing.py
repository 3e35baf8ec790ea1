"""A function with its rolls, written out for one call: no loops and no helpers any more.

Loops over known numbers and over the dice of a roll become their turns, calls that hand a roll on
become the body of the function that is called, and all that is seen of a roll becomes a variable
of its own: ``2@S`` or ``S >= 5`` is a :class:`~oddsmith.anydice.reveal.Feature`. What a roll is
held against need not be known before: the faces are then gone through one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oddsmith.anydice import nodes as n
from oddsmith.anydice.operators import ARITHMETIC, COMPARE
from oddsmith.anydice.purity import statements, walk
from oddsmith.anydice.rolls import NotSeen, Roll, Rolls
from oddsmith.anydice.values import Dice, Value
from oddsmith.errors import OddsmithError
from oddsmith.record import Record

if TYPE_CHECKING:
    from oddsmith.anydice.runtime import Defined, Machine

    Env = dict[str, Value]

LONGEST = 4_000
"""So many statements are written out."""

COUNT, CONTAINS = "count ? in ?", "? contains ?"
AS_SUM = {"maximum of ?", "absolute ?", "explode ?"}


def is_own(name: str) -> bool:
    """Whether a variable is one of those that are made here, which no program can name.

    A call inside a function that is written out is given the variables around it, and these.

    >>> is_own("seen 0"), is_own("SEEN")
    (True, False)
    """
    return " " in name


class Scope(Record):
    """The body of a function where it was called.

    Attributes:
        name: The variable of its result.
        body: Its statements.
    """

    name: str
    body: tuple[Any, ...]


class Writer:
    """Writes out one function.

    Args:
        machine: The machine of the program.
        dice: The parameters that are rolls.
        known: The variables around the function and the parameters that are certain.

    Attributes:
        rolls: What is seen of the rolls.
        statements: How many there are, but for those that go through faces or places.
    """

    def __init__(self, machine: Machine, dice: dict[str, Dice], known: Env) -> None:
        self.machine, self.known = machine, known
        self.rolls = Rolls(dice, machine.functions)
        self._out: list[Any] = []
        self.statements = self._count = self._number = self._level = 0
        self._in_loop = False

    # statements

    def block(self, nodes: tuple[Any, ...]) -> tuple[tuple[Any, ...], bool]:
        """Statements written out, and whether they surely come to a result."""
        outer, self._out = self._out, []
        ended = self._all(nodes)
        found, self._out = tuple(self._out), outer
        return found, ended

    def _all(self, nodes: tuple[Any, ...]) -> bool:
        return any(self._statement(node) for node in nodes)

    def _statement(self, node: Any) -> bool:
        """Write a statement; whether it surely comes to a result."""
        self.statements += 1
        if isinstance(node, n.If):
            return self._condition(node)
        if isinstance(node, n.Loop):
            return self._loop(node)
        roll = self.rolls.of(node.value)
        if isinstance(node, n.Result):
            if roll is not None and self._level:
                raise NotSeen(roll.dice[0])
            value = self.rolls.sum(roll, node) if roll else self._value(node.value)
            self._write(node.but(value=value))
            return True
        name = self.rolls.name(node.name)
        if roll is None:
            self._assign(name, self._value(node.value), node)
        elif self._in_loop:
            raise NotSeen(roll.dice[0])
        else:
            self.known.pop(name, None)
            self.rolls.named[name] = roll
        return False

    def _fresh(self, name: str) -> str:
        self._number += 1
        return f"{name} {self._number}"

    def _write(self, node: Any) -> None:
        self._count += 1
        if self._count > LONGEST:
            raise NotSeen
        self._out.append(node)

    def _assign(self, name: str, value: Any, at: Any) -> None:
        self.rolls.named.pop(name, None)
        self._write(n.Assign(name, value, at.span))
        known = None if self._in_loop else self._certain(value)
        if known is None:
            self.known.pop(name, None)
        else:
            self.known[name] = known

    def _condition(self, node: n.If) -> bool:
        test = self._value(node.test)
        known = self._certain(test)
        if isinstance(known, int):
            return self._all(node.yes if known else node.no)
        ways = []
        before = self.known, self.rolls.named
        for block in (node.yes, node.no):
            self.known, self.rolls.named = dict(before[0]), dict(before[1])
            ways.append((*self.block(block), self.known, self.rolls.named))
        (yes, yes_ends, *left), (no, no_ends, *right) = ways
        if no_ends:
            self.known, self.rolls.named = left
        elif not yes_ends:
            self.known = {k: v for k, v in left[0].items() if k in right[0] and right[0][k] is v}
            names = {*left[1], *right[1]}
            same = {k: left[1].get(k) == right[1].get(k) for k in names}
            self.rolls.named = {k: left[1].get(k) if same[k] else None for k in names}
        self._write(node.but(test=test, yes=yes, no=no))
        return yes_ends and no_ends

    def _loop(self, node: n.Loop) -> bool:
        roll = self.rolls.of(node.over)
        if roll is not None:
            places = range(1, self.rolls.size(roll) + 1)
            row: Any = [self.rolls.at(roll, (place,), node) for place in places]
        else:
            over = self._value(node.over)
            known = self._certain(over)
            if not isinstance(known, tuple):
                return self._opaque(node.but(over=over))
            row = [n.Number(value, node.over.span) for value in known]
        for value in row:
            self._assign(self.rolls.name(node.name), value, node)
            if self._all(node.body):
                return True
        return False

    def _opaque(self, node: n.Loop) -> bool:
        """A loop of which the turns are not known: nothing in it changes what is seen."""
        node = node.but(name=self.rolls.name(node.name))
        for name in {node.name, *(self.rolls.name(part.name) for part in statements(node.body))}:
            self.known.pop(name, None)
            self.rolls.named.pop(name, None)
        outer, self._in_loop = self._in_loop, True
        body, _ = self.block(node.body)
        self._in_loop = outer
        self._write(node.but(body=body))
        return False

    # what is certain

    def _certain(self, node: Any) -> Value | None:
        """A value where it is known now."""
        for part in walk(node):
            if isinstance(part, n.Variable) and part.name not in self.known:
                return None
            if isinstance(part, n.Call) and part.shape in self.machine.functions:
                return None
        try:
            return self.machine.compiler.expr(node)(self.known)
        except OddsmithError:
            raise NotSeen from None

    # values

    def _value(self, node: Any) -> Any:
        """A value with what is seen of the rolls in it."""
        roll = self.rolls.of(node)
        if roll is not None:
            raise NotSeen(roll.dice[0])
        if isinstance(node, n.Variable):
            return node.but(name=self.rolls.name(node.name))
        if isinstance(node, n.Unary):
            return self._unary(node)
        if isinstance(node, n.Binary):
            return self._binary(node)
        if isinstance(node, n.Call):
            return self._call(node)
        if isinstance(node, n.Sequence):
            parts = [
                part.but(**{
                    name: self._value(getattr(part, name))
                    for name in ("low", "high", "times") if getattr(part, name) is not None
                })
                for part in node.parts
            ]  # fmt: skip
            return node.but(parts=tuple(parts))
        return node

    def _unary(self, node: n.Unary) -> Any:
        roll = self.rolls.of(node.body)
        if roll is None:
            return node.but(body=self._value(node.body))
        if node.op == "#":
            return n.Number(self.rolls.size(roll), node.span)
        if node.op not in "-!":
            raise NotSeen(roll.dice[0])
        return node.but(body=self.rolls.sum(roll, node))

    def _binary(self, node: n.Binary) -> Any:
        left, right = self.rolls.of(node.left), self.rolls.of(node.right)
        roll = left or right
        if roll is None:
            return self._both_sides(node)
        if node.op in ARITHMETIC or (node.op == "d" and right is None):
            return node.but(
                left=self.rolls.sum(left, node) if left else self._value(node.left),
                right=self.rolls.sum(right, node) if right else self._value(node.right),
            )
        if node.op == "@" and left is None:
            return self._places(roll, self._value(node.left), node)
        if node.op not in COMPARE:
            raise NotSeen(roll.dice[0])
        if left and right:
            return self._row_by_row(node, left, right)
        side = "left" if left else "right"
        other = self._value(node.right if left else node.left)
        known = self._certain(other)
        if isinstance(known, int) and node.op == "=":
            return self.rolls.seen("many", roll, (known,), node)
        if isinstance(known, int):
            return self.rolls.seen(f"{node.op} {side}", roll, known, node)
        if isinstance(known, Dice):
            return node.but(**{
                side: self.rolls.sum_row(roll, node), "right" if left else "left": other,
            })  # fmt: skip
        return self._face_by_face(roll, node.but(left=other), node.op, side)

    def _both_sides(self, node: n.Binary) -> Any:
        """Two sides without a roll; what the left one sees is kept where the right one goes on."""
        left, before = self._value(node.left), len(self._out)
        right = self._value(node.right)
        if len(self._out) > before and any(isinstance(part, n.Variable) for part in walk(left)):
            name = self._fresh("left")
            self._out.insert(before, n.Assign(name, left, node.span))
            left = n.Variable(name, node.span)
        return node.but(left=left, right=right)

    def _places(self, roll: Roll, places: Any, node: n.Binary) -> Any:
        known = self._certain(places)
        if isinstance(known, (int, tuple)):
            return self.rolls.at(roll, (known,) if isinstance(known, int) else known, node)
        wanted = self._own(n.Given("n", places, node.span), node)
        total = self._own(n.Number(0, node.span), node)
        for place in range(1, self.rolls.size(roll) + 1):
            test = n.Binary("=", n.Number(place, node.span), wanted, node.span)
            self._more(total, self.rolls.at(roll, (place,), node), test)
        return total

    def _face_by_face(self, roll: Roll, node: n.Binary, op: str, side: str) -> Any:
        """How many dice compare with a number that is not known yet: the left side of a node."""
        wanted = self._own(n.Given("n", node.left, node.span), node)
        total = self._own(n.Number(0, node.span), node)
        for face in self.rolls.faces(roll):
            number = n.Number(face, node.span)
            test = n.Binary(op, number, wanted, node.span)
            if side == "right":
                test = n.Binary(op, wanted, number, node.span)
            self._more(total, self.rolls.seen("many", roll, (face,), node), test)
        return total

    def _own(self, value: Any, at: Any) -> Any:
        """A variable of our own."""
        name = self._fresh("own")
        self._assign(name, value, at)
        return n.Variable(name, at.span)

    def _more(self, total: Any, value: Any, test: Any) -> None:
        more = n.Binary("*", value, test, total.span)
        self._assign(total.name, n.Binary("+", total, more, total.span), total)

    def _row_by_row(self, node: n.Binary, left: Roll, right: Roll) -> Any:
        """Which of two sequences is higher: the first place that differs, else the longer one."""
        if self._in_loop:
            raise NotSeen(left.dice[0])
        span, sizes = node.span, (self.rolls.size(left), self.rolls.size(right))
        body: list[Any] = []
        for place in range(1, min(sizes) + 1):
            sides = self.rolls.at(left, (place,), node), self.rolls.at(right, (place,), node)
            for op, way in ((">", 1), ("<", -1)):
                result = n.Result(n.Number(way, span), span)
                body.append(n.If(n.Binary(op, *sides, span), (result,), (), span))
        longer = (sizes[0] > sizes[1]) - (sizes[0] < sizes[1])
        body.append(n.Result(n.Number(longer, span), span))
        higher = n.Variable(self._fresh("higher"), span)
        self._write(Scope(higher.name, tuple(body)))
        return n.Binary(node.op, higher, n.Number(0, span), span)

    # calls

    def _call(self, node: n.Call) -> Any:
        rolls = [self.rolls.of(arg) for arg in node.args]
        function = self.machine.functions.get(node.shape)
        if function is not None:
            return self._defined(node, function, rolls)
        roll = next((one for one in rolls if one is not None), None)
        if roll is None:
            return node.but(args=tuple(map(self._value, node.args)))
        if node.shape == COUNT and rolls[0] is None:
            wanted = self._value(node.args[0])
            known = self._certain(wanted)
            if isinstance(known, (int, tuple)):
                faces = (known,) if isinstance(known, int) else known
                return self.rolls.seen("many", roll, faces, node)
            return self._face_by_face(roll, n.Binary("=", wanted, wanted, node.span), "=", "left")
        if node.shape == CONTAINS and rolls[1] is None:
            wanted = self._value(node.args[1])
            known = self._certain(wanted)
            if isinstance(known, (int, tuple)):
                number = known if isinstance(known, int) else sum(known)
                return self.rolls.seen("has", roll, number, node)
            many = self._face_by_face(roll, n.Binary("=", wanted, wanted, node.span), "=", "left")
            return n.Binary(">", many, n.Number(0, node.span), node.span)
        if node.shape not in AS_SUM and " of " not in node.shape:
            raise NotSeen(roll.dice[0])
        return node.but(args=tuple(
            self.rolls.sum(one, node) if one else self._value(arg)
            for one, arg in zip(rolls, node.args, strict=True)
        ))  # fmt: skip

    def _defined(self, node: n.Call, function: Defined, rolls: list[Roll | None]) -> Any:
        """A call of a function of the program: left as it is where it is given no roll."""
        free = self.machine.purity.free(function.node)
        if free is None:
            raise NotSeen
        whole = any(
            roll is not None and kind not in ("n", "d")
            for roll, kind in zip(rolls, function.types, strict=True)
        )
        if whole or any(name in self.rolls.named or name in self.rolls.names for name in free):
            return self._inlined(node, function, rolls)
        return node.but(args=tuple(
            self.rolls.sum_row(roll, node) if roll else self._value(arg)
            for roll, arg in zip(rolls, node.args, strict=True)
        ))  # fmt: skip

    def _inlined(self, node: n.Call, function: Defined, rolls: list[Roll | None]) -> Any:
        """The body of a function in the place of its call."""
        calls = self.machine.calls
        too_deep = calls.depth + self._level >= calls.deepest
        if too_deep or self._in_loop or len(function.slots) < len(rolls):
            raise NotSeen
        inner = {}
        for (place, name), roll in zip(function.slots, rolls, strict=True):
            kind, inner[name] = function.types[place], self._fresh(name)
            if roll is not None and kind not in ("n", "d"):
                self.rolls.named[inner[name]] = roll
                continue
            value = self.rolls.sum_row(roll, node) if roll else self._value(node.args[place])
            self._assign(inner[name], n.Given(kind, value, node.span), node)
        for part in statements(function.node.body):
            inner.setdefault(part.name, self._fresh(part.name))
        names, self.rolls.names = self.rolls.names, {**self.rolls.names, **inner}
        self._level += 1
        body, _ = self.block(function.node.body)
        self._level -= 1
        self.rolls.names = names
        result = n.Variable(self._fresh("result"), node.span)
        self._write(Scope(result.name, body))
        return result
