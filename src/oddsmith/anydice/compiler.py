"""From the syntax tree to Python closures: each node becomes one function of the variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oddsmith.anydice import nodes as n
from oddsmith.anydice import operators
from oddsmith.anydice.cases import certain, is_expanded
from oddsmith.anydice.mistakes import Mistakes
from oddsmith.anydice.rolls import NotSeen
from oddsmith.anydice.values import Dice, Value, named
from oddsmith.errors import NotationError, OddsmithError, TooLarge

if TYPE_CHECKING:
    from collections.abc import Callable

    from oddsmith.anydice.runtime import Machine

    Env = dict[str, Value]
    Expr = Callable[[Env], Value]
    Statement = Callable[[Env], Value | None]
    """What ``result:`` hands back through blocks and loops; None before that."""

LONGEST = 5_000_000
"""Elements of a sequence that is written down."""


class Compiler:
    """Turns nodes into closures over one machine."""

    def __init__(self, source: str, machine: Machine) -> None:
        self.source, self.machine = source, machine

    def fail(self, node: Any, message: str, hint: str) -> NotationError:
        """An error at a node."""
        return NotationError(message, self.source, node.span, hint)

    def guarded(self, node: Any, work: Expr) -> Expr:
        """Errors of the library get the place of the node."""

        def run(env: Env) -> Value:
            try:
                return work(env)
            except OddsmithError as error:
                raise self.placed(node, error) from error

        return run

    def placed(self, node: Any, error: OddsmithError) -> OddsmithError:
        """An error of the library with its place, unless it has one or is about size."""
        if isinstance(error, (NotationError, TooLarge)):
            return error
        return self.fail(node, error.message, error.hint)

    # values

    def expr(self, node: n.Node) -> Expr:
        """The closure of a value."""
        kinds: dict[type, Callable[[Any], Expr]] = {
            n.Number: self.number, n.Variable: self.variable, n.Sequence: self.sequence,
            n.Unary: self.unary, n.Binary: self.binary, n.Call: self.call, n.Given: self.given,
        }  # fmt: skip
        return kinds[type(node)](node)

    def number(self, node: n.Number) -> Expr:
        value = node.value
        return lambda _: value

    def variable(self, node: n.Variable) -> Expr:
        name = node.name

        def read(env: Env) -> Value:
            try:
                return env[name]
            except KeyError:
                message, hint = Mistakes(self.source, ()).variable_hint(*node.span, name, env)
                raise self.fail(node, message, hint) from None

        return read

    def given(self, node: n.Given) -> Expr:
        value, kind = self.expr(node.value), node.kind

        def passed(env: Env) -> Value:
            found = value(env)
            if is_expanded(kind, found):
                raise NotSeen
            return certain(kind, found)

        return passed

    def sequence(self, node: n.Sequence) -> Expr:
        parts = [self.part(part) for part in node.parts]

        def build(env: Env) -> Value:
            found: list[int] = []
            for part in parts:
                try:
                    found += part(env)
                except OddsmithError as error:
                    raise self.placed(node, error) from error
                if len(found) > LONGEST:
                    raise self.fail(node, "the sequence is too long", f"{LONGEST:,} at most")
            return tuple(found)

        return build

    def part(self, node: n.Part) -> Callable[[Env], tuple[int, ...] | list[int]]:
        low = self.expr(node.low)
        high = self.expr(node.high) if node.high is not None else None
        times = self.expr(node.times) if node.times is not None else None

        def elements(env: Env) -> list[int]:
            first = low(env)
            block = _flat(first) if high is None else self._range(node, first, high(env))
            if times is None:
                return block
            many = self._whole(node.times, times(env), "how many times")
            if len(block) * max(0, many) > LONGEST:
                raise self.fail(node.low, "the sequence is too long", f"{LONGEST:,} at most")
            return block * max(0, many)

        return elements

    def _range(self, node: n.Part, low: Value, high: Value) -> list[int]:
        first = self._whole(node.low, low, "the begin of a range")
        last = self._whole(node.high, high, "the end of a range")
        if last - first >= LONGEST:
            raise self.fail(node.low, "the range is too long", f"{LONGEST:,} numbers at most")
        return list(range(first, last + 1))

    def _whole(self, node: n.Node | None, value: Value, what: str) -> int:
        if isinstance(value, Dice):
            raise self.fail(
                node, f'{what} is a number, not "{named(value)}"',
                "dice have no single value here; write a function with a parameter N:n",
            )  # fmt: skip
        return value if isinstance(value, int) else sum(value)

    def unary(self, node: n.Unary) -> Expr:
        body, op = self.expr(node.body), node.op
        if op == "d":
            return self.guarded(node, lambda env: operators.faces(body(env)))
        return self.guarded(node, lambda env: operators.unary(op, body(env)))

    def binary(self, node: n.Binary) -> Expr:
        left, right, op = self.expr(node.left), self.expr(node.right), node.op
        if op == "d":
            return self.guarded(node, lambda env: self._dice(left(env), right(env)))
        if op == "@":
            return self.places(node, left, right)
        if op not in QUICK:
            slow = self._slowly(node)
            return lambda env: slow(left(env), right(env))
        work = self._quickly(node, left, right)
        return self.guarded(node, work) if op == "*" else work

    def _quickly(self, node: n.Binary, left: Expr, right: Expr) -> Expr:
        """An operator that is worked out at once where both sides are plain numbers."""
        quick, slow = QUICK[node.op], self._slowly(node)
        if isinstance(node.right, n.Number):
            known = node.right.value

            def with_number(env: Env) -> Value:
                a = left(env)
                return quick(a, known) if type(a) is int else slow(a, known)

            return with_number
        if isinstance(node.left, n.Number):
            first = node.left.value

            def after_number(env: Env) -> Value:
                b = right(env)
                return quick(first, b) if type(b) is int else slow(first, b)

            return after_number

        def compute(env: Env) -> Value:
            a, b = left(env), right(env)
            if type(a) is int and type(b) is int:
                return quick(a, b)
            return slow(a, b)

        return compute

    def _dice(self, left: Value, right: Value) -> Value:
        if isinstance(left, Dice) or isinstance(right, Dice):
            key = "d", left, right
            return self.machine.remembered(key, lambda: operators.dice(left, right))
        return operators.dice(left, right)

    def _slowly(self, node: n.Binary) -> Callable[[Value, Value], Value]:
        """An operator where a side is a sequence or dice."""
        op, machine, plain = node.op, self.machine, operators.PLAIN[node.op]

        def compute(a: Value, b: Value) -> Value:
            try:
                if type(a) is not Dice and type(b) is not Dice:
                    return plain(a, b)
                machine.note_defect(op, a, b)
                return machine.binary(op, a, b)
            except OddsmithError as error:
                raise self.placed(node, error) from error

        return compute

    def places(self, node: n.Binary, left: Expr, right: Expr) -> Expr:
        """``P @ X``; the usual case, a number and a sequence, at once."""
        machine = self.machine

        def pick(env: Env) -> Value:
            a, b = left(env), right(env)
            if type(a) is int:
                if type(b) is tuple:
                    return b[a - 1] if 1 <= a <= len(b) else 0
                if type(b) is int:
                    return operators.digit(a, b, machine.lowest_first)
            if isinstance(b, Dice) and not isinstance(a, Dice):
                order = machine.lowest_first
                key = "@", a, b, order
                return machine.remembered(key, lambda: operators.picked(a, b, order))
            return operators.picked(a, b, machine.lowest_first)

        return self.guarded(node, pick)

    def call(self, node: n.Call) -> Expr:
        args = [self.expr(arg) for arg in node.args]
        machine, shape = self.machine, node.shape

        def run(env: Env) -> Value:
            return machine.calls.call(node, shape, [arg(env) for arg in args], env)

        return self.guarded(node, run)

    # statements

    def block(self, nodes: tuple[n.Node, ...]) -> Statement:
        """Statements one after the other, until one is done."""
        steps = [self.statement(node) for node in nodes]
        if len(steps) == 1:
            return steps[0]

        def run(env: Env) -> Any:
            for step in steps:
                done = step(env)
                if done is not None:
                    return done
            return None

        return run

    def statement(self, node: n.Node) -> Statement:
        """The closure of a statement."""
        kinds: dict[type, Callable[[Any], Statement]] = {
            n.Assign: self.assign, n.If: self.condition, n.Loop: self.loop,
            n.Function: self.function, n.Result: self.result, n.Output: self.output,
            n.Set: self.setting,
        }  # fmt: skip
        return kinds[type(node)](node)

    def assign(self, node: n.Assign) -> Statement:
        value, name = self.expr(node.value), node.name

        def run(env: Env) -> None:
            env[name] = value(env)

        return run

    def condition(self, node: n.If) -> Statement:
        """A chain of conditions: the first that holds."""
        chain = []
        while True:
            chain.append((self.test(node.test), self.block(node.yes)))
            if len(node.no) != 1 or not isinstance(node.no[0], n.If):
                break
            node = node.no[0]
        otherwise = self.block(node.no)
        if len(chain) == 1:
            ((test, yes),) = chain
            return lambda env: yes(env) if test(env) else otherwise(env)

        def run(env: Env) -> Value | None:
            for test, yes in chain:
                if test(env):
                    return yes(env)
            return otherwise(env)

        return run

    def test(self, node: n.Node) -> Expr:
        """A condition, which has to be a number."""
        value = self.expr(node)

        def run(env: Env) -> int:
            found = value(env)
            if type(found) is not int:
                raise self.fail(
                    node, f'a condition is a number, not "{named(found)}"',
                    "put the if into a function with a parameter ROLL:n and give it the dice"
                    if isinstance(found, Dice)
                    else "compare its sum or its length: if X + 0 > 3, if #X > 3",
                )  # fmt: skip
            return found

        return run

    def loop(self, node: n.Loop) -> Statement:
        over, body, name = self.over(node), self.block(node.body), node.name

        def run(env: Env) -> Value | None:
            row = over(env)
            self.machine.tick(len(row))
            for element in row:
                env[name] = element
                done = body(env)
                if done is not None:
                    return done
            return None

        return run

    def over(self, node: n.Loop) -> Callable[[Env], tuple[int, ...]]:
        """The sequence of a loop."""
        value = self.expr(node.over)

        def row(env: Env) -> tuple[int, ...]:
            found = value(env)
            if not isinstance(found, tuple):
                raise self.fail(
                    node.over, f'a loop goes over a sequence, not "{named(found)}"',
                    "write {1..6}, or {d6} for the faces of a die",
                )  # fmt: skip
            return found

        return row

    def function(self, node: n.Function) -> Statement:
        body = self.block(node.body)

        def define(_: Env) -> None:
            self.machine.define(node, body)

        return define

    def result(self, node: n.Result) -> Statement:
        return self.expr(node.value)

    def output(self, node: n.Output) -> Statement:
        value = self.expr(node.value)

        def show(env: Env) -> None:
            self.machine.output(node, value(env), env)

        return show

    def setting(self, node: n.Set) -> Statement:
        value = self.expr(node.value) if not isinstance(node.value, str) else None

        def run(env: Env) -> None:
            given = value(env) if value is not None else node.value
            self.machine.setting(node, given)

        return run


QUICK: dict[str, Callable[[int, int], int]] = {
    **{op: work for op, work in operators.ARITHMETIC.items() if op != "^"},
    **operators.NUMBERS,
}
"""Operators on two plain numbers that cannot fail, but that a product may be too long."""


def _flat(value: Value) -> list[int]:
    if isinstance(value, int):
        return [value]
    if isinstance(value, tuple):
        return list(value)
    total = value.total()
    total.require_all()
    return [] if total.law is None else total.law.outcomes()
