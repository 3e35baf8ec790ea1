"""Rolls that a function cannot tell apart are tried once.

A body that looks at a sequence parameter only through its sum, its length, comparisons with known
numbers, ``count``, ``contains`` or known places sees few different rolls, however many there are.
A fold over the faces finds them, each with its weight and with one roll that stands for all.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

from oddsmith.anydice import nodes as n
from oddsmith.anydice.operators import ARITHMETIC, COMPARE
from oddsmith.anydice.purity import statements, walk
from oddsmith.anydice.values import Dice, Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from oddsmith.anydice.runtime import Defined, Machine

    Env = dict[str, Value]

WORTH_IT = 60
"""Pools with no more rolls than this are enumerated."""

AS_SUM = {"maximum of ?", "absolute ?", "explode ?"}
Feature = tuple[Any, ...]
Use = tuple[str, Any]
"""How one occurrence looks at the roll, and the node of what it is held against."""


class NotSeen(Exception):
    """The body may look at the whole roll."""


class Classes:
    """What the functions of a program see of their rolls.

    Args:
        machine: The machine of the program.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._uses: dict[tuple[int, int, str], list[Use] | None] = {}

    def choices(
        self, function: Defined, name: str, dice: Dice, env: Env, open_names: set[str]
    ) -> list[tuple[Value, int]] | None:
        """One roll for each class with its weight; None where all rolls may differ.

        Args:
            function: The function.
            name: Its sequence parameter.
            dice: The pool that is given to it.
            env: The variables around it, with the parameters that are certain.
            open_names: Variables that are not certain before the call.
        """
        if dice.law is None or comb(dice.count + len(dice.law) - 1, dice.count) <= WORTH_IT:
            return None
        uses = self.uses(function, name)
        if uses is None:
            return None
        try:
            features = list(dict.fromkeys(self._feature(use, env, open_names) for use in uses))
        except NotSeen:
            return None
        return folded(dice, features, self.machine.lowest_first)

    def uses(self, function: Defined, name: str) -> list[Use] | None:
        """Every look at the parameter; None where one may see the whole roll."""
        key = id(function.node), self.machine.version, name
        if key not in self._uses:
            try:
                self._uses[key] = self._looked(function.node, name)
            except NotSeen:
                self._uses[key] = None
        return self._uses[key]

    def _looked(self, node: n.Function, name: str) -> list[Use]:
        if any(part.name == name for part in statements(node.body)):
            raise NotSeen
        found: list[Use] = []
        self._block(node.body, name, found)
        return found

    def _block(self, nodes: tuple[Any, ...], name: str, found: list[Use]) -> None:
        for node in nodes:
            if isinstance(node, n.If):
                self._value(node.test, name, found)
                self._block(node.yes, name, found)
                self._block(node.no, name, found)
            elif isinstance(node, n.Loop):
                self._value(node.over, name, found)
                self._block(node.body, name, found)
            elif isinstance(node, n.Result) and _is(node.value, name):
                found.append(("sum", None))
            elif isinstance(node, (n.Assign, n.Result)):
                self._value(node.value, name, found)

    def _value(self, node: Any, name: str, found: list[Use]) -> None:
        """Collect the looks inside a value; the name standing alone is the whole roll."""
        if _is(node, name):
            raise NotSeen
        if isinstance(node, n.Unary) and _is(node.body, name):
            if node.op not in ("#", "-", "!"):
                raise NotSeen
            found.append(("size" if node.op == "#" else "sum", None))
        elif isinstance(node, n.Unary):
            self._value(node.body, name, found)
        elif isinstance(node, n.Binary):
            self._binary(node, name, found)
        elif isinstance(node, n.Call):
            self._call(node, name, found)
        elif isinstance(node, n.Sequence):
            for part in node.parts:
                for value in (part.low, part.high, part.times):
                    if value is not None:
                        self._value(value, name, found)

    def _binary(self, node: n.Binary, name: str, found: list[Use]) -> None:
        left, right = _is(node.left, name), _is(node.right, name)
        if node.op in ARITHMETIC:
            found += [("sum", None)] * (left or right)
        elif node.op in COMPARE and (left != right):
            found.append((f"{node.op} left" if left else f"{node.op} right",
                          node.right if left else node.left))  # fmt: skip
        elif node.op == "@" and right and not left:
            found.append(("at", node.left))
        elif node.op == "d" and left and not right:
            found.append(("sum", None))
        elif left or right:
            raise NotSeen
        for side, is_roll in ((node.left, left), (node.right, right)):
            if not is_roll:
                self._value(side, name, found)

    def _call(self, node: n.Call, name: str, found: list[Use]) -> None:
        function = self.machine.functions.get(node.shape)
        if function is not None:
            free = self.machine.purity.free(function.node)
            if free is None or name in free:
                raise NotSeen
        for place, arg in enumerate(node.args):
            if not _is(arg, name):
                self._value(arg, name, found)
            elif function is not None:
                if function.types[place] not in ("n", "d"):
                    raise NotSeen
                found.append(("sum", None))
            elif node.shape == "count ? in ?" and place == 1:
                found.append(("many", node.args[0]))
            elif node.shape == "? contains ?" and place == 0:
                found.append(("has", node.args[1]))
            elif node.shape in AS_SUM or " of " in node.shape:
                found.append(("sum", None))
            else:
                raise NotSeen

    def _feature(self, use: Use, env: Env, open_names: set[str]) -> Feature:
        kind, node = use
        if node is None:
            return (kind,)
        for part in walk(node):
            if isinstance(part, n.Variable) and (part.name in open_names or part.name not in env):
                raise NotSeen
            if isinstance(part, n.Call) and part.shape in self.machine.functions:
                raise NotSeen
        value = self.machine.compiler.expr(node)(env)
        if isinstance(value, Dice):
            if kind in ("at", "many", "has"):
                raise NotSeen
            return ("sum",)
        if kind == "at":
            return kind, (value,) if isinstance(value, int) else value
        if kind == "many":
            return kind, (value,) if isinstance(value, int) else value
        if kind == "has":
            return kind, value if isinstance(value, int) else sum(value)
        if not isinstance(value, int):
            raise NotSeen
        return kind, value


def _is(node: Any, name: str) -> bool:
    return isinstance(node, n.Variable) and node.name == name


def folded(dice: Dice, features: list[Feature], lowest_first: bool) -> list[tuple[Value, int]]:
    """The classes of rolls with the same features: a roll of each, and its weight.

    >>> from oddsmith.dist import Dist
    >>> sorted(w for _, w in folded(Dice(Dist(range(1, 7)), 5), [(">= left", 5)], False))
    [32, 320, 1024, 1280, 2560, 2560]
    """
    assert dice.law is not None
    weights = dice.law.weights()
    faces = list(weights) if lowest_first else list(reversed(weights))
    steps = [_step(feature) for feature in features]
    start = tuple(0 for _ in features)
    states: dict[tuple[int, tuple[int, ...]], tuple[int, tuple[int, ...]]] = {
        (dice.count, start): (1, ())
    }
    for face in faces:
        last = face == faces[-1]
        after: dict[tuple[int, tuple[int, ...]], tuple[int, tuple[int, ...]]] = {}
        for (left, state), (weight, roll) in states.items():
            rank = dice.count - left
            for count in (left,) if last else range(left + 1):
                ways = weight * comb(left, count) * weights[face] ** count
                seen = tuple(
                    step(value, face, count, rank) for step, value in zip(steps, state, strict=True)
                )
                key = left - count, seen
                known = after.get(key)
                if known is None:
                    after[key] = ways, roll + (face,) * count
                else:
                    after[key] = known[0] + ways, known[1]
        states = after
    return [(roll, weight) for weight, roll in states.values()]


def _step(feature: Feature) -> Callable[[int, int, int, int], int]:
    """How a face that shows so often, after so many dice, changes a feature."""
    kind = feature[0]
    if kind == "sum":
        return lambda value, face, count, _: value + face * count
    if kind == "size":
        return lambda value, _, __, ___: value
    known = feature[1]
    if kind == "many":
        return lambda value, face, count, _: value + count * known.count(face)
    if kind == "has":
        return lambda value, face, count, _: int(value or (count > 0 and face == known))
    if kind == "at":
        return lambda value, face, count, rank: (
            value + face * sum(rank < place <= rank + count for place in known)
        )
    op, side = kind.split()
    test = COMPARE[op]
    if side == "left":
        return lambda value, face, count, _: value + count * test(face, known)
    return lambda value, face, count, _: value + count * test(known, face)
