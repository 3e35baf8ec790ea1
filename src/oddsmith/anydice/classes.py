"""Rolls that a function cannot tell apart are tried once.

A body that looks at a sequence parameter only through its sum, its length, comparisons with known
numbers, ``count``, ``contains`` or known places sees few different rolls, however many there are.
A fold over the faces finds what can be seen, with weights. The body then runs on that alone: where
it looks at something that is not decided yet, the rolls part into those that show one thing and
those that show another, and each part goes its own way. So two rolls of which mostly the sums
matter are not tried in all pairs.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

from oddsmith.anydice import nodes as n
from oddsmith.anydice.cases import is_long
from oddsmith.anydice.operators import ARITHMETIC, COMPARE
from oddsmith.anydice.purity import is_variable, replaced, statements, walk
from oddsmith.anydice.values import Dice, Value
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from oddsmith.anydice.runtime import Machine

    Env = dict[str, Value]

STATE = 20
"""What a step of the fold costs, in the units of the budget."""

AS_SUM = {"maximum of ?", "absolute ?", "explode ?"}
Feature = tuple[Any, ...]
"""What can be seen of a roll: its kind, and what the roll is held against."""


class Use(Record):
    """One look of a body at a roll.

    Attributes:
        kind: What is looked at.
        against: The node of what the roll is held against, or None.
        roll: The name of the roll where it stands.
        whole: The node that is the look as a whole.
    """

    kind: str
    against: Any
    roll: n.Variable
    whole: Any


class NotSeen(Exception):
    """The body may look at the whole roll."""


class Group:
    """Rolls that have shown the same so far.

    Args:
        rows: What is seen of each, and its weight.
    """

    __slots__ = ("_parts", "rows", "weight")

    def __init__(self, rows: list[tuple[tuple[int, ...], int]]) -> None:
        self.rows = rows
        self.weight = sum(weight for _, weight in rows)
        self._parts: dict[int, list[tuple[int, Group]]] = {}

    def parts(self, feature: int) -> list[tuple[int, Group]]:
        """The group parted by what one feature shows."""
        known = self._parts.get(feature)
        if known is None:
            found: dict[int, list[tuple[tuple[int, ...], int]]] = {}
            for row in self.rows:
                found.setdefault(row[0][feature], []).append(row)
            if len(found) == 1:
                known = [(value, self) for value in found]
            else:
                known = [(value, Group(rows)) for value, rows in found.items()]
            self._parts[feature] = known
        return known


class Seen:
    """What a body has looked at of one parameter: it stands in the place of the roll.

    Args:
        looks: The feature of each look, by their numbers.
        group: All rolls.
        ways: What keeps the ways that are not gone yet.
    """

    __slots__ = ("_looks", "_ways", "group", "shown")

    def __init__(self, looks: list[int], group: Group, ways: Ways) -> None:
        self._looks, self._ways, self.group = looks, ways, group
        self.shown: list[int | None] = [None] * len(looks)

    def decide(self, number: int) -> int:
        """What a look shows; where it may show several things, the others are left for later."""
        feature = self._looks[number]
        (value, group), *rest = self.group.parts(feature)
        for other, left in rest:
            self._ways.keep(self, left, self._with(feature, other))
        self.group, self.shown = group, self._with(feature, value)
        return value

    def _with(self, feature: int, value: int) -> list[int | None]:
        return [
            value if look == feature else known
            for look, known in zip(self._looks, self.shown, strict=True)
        ]


class Ways:
    """All that a body may look at, one way after the other.

    Args:
        found: How it looks at its rolls.
    """

    def __init__(self, found: list[Looks]) -> None:
        self.seen = [looks.seen(self) for looks in found]
        self._start = [(one.group, one.shown) for one in self.seen]
        self._left: list[list[tuple[Group, list[int | None]]]] = []

    def keep(self, parted: Seen, group: Group, shown: list[int | None]) -> None:
        """A way that is gone later: as things are, but for one roll."""
        self._left.append(
            [(group, shown) if one is parted else (one.group, one.shown) for one in self.seen]
        )

    def results(self, run: Callable[[], Value]) -> Iterator[tuple[Value, int]]:
        """What the body comes to, with weights."""
        self._left.append(self._start)
        while self._left:
            for one, (group, shown) in zip(self.seen, self._left.pop(), strict=True):
                one.group, one.shown = group, shown
            value = run()
            weight = 1
            for one in self.seen:
                weight *= one.group.weight
            yield value, weight


class Looks(Record):
    """How a call looks at one of its rolls.

    Attributes:
        name: The parameter.
        uses: Every look.
        features: The feature of each.
        folded: What can be seen, with weights.
    """

    name: str
    uses: tuple[Use, ...]
    features: tuple[Feature, ...]
    folded: Group

    @property
    def kinds(self) -> tuple[str, ...]:
        """What tells one compiled body from another."""
        return self.name, *(feature[0] for feature in self.features)

    def seen(self, ways: Ways) -> Seen:
        """The state before anything is looked at."""
        order = {feature: place for place, feature in enumerate(dict.fromkeys(self.features))}
        return Seen([order[feature] for feature in self.features], self.folded, ways)


class Classes:
    """What the functions of a program see of their rolls.

    Args:
        machine: The machine of the program.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._uses: dict[tuple[int, int, str], tuple[Use, ...] | None] = {}
        self._bodies: dict[Any, Callable[[Env], Value | None]] = {}
        self._groups: dict[Any, Group] = {}

    def looks(
        self, node: n.Function, name: str, dice: Dice, env: Env, open_names: set[str]
    ) -> Looks | None:
        """How a body looks at a roll; None where all rolls may differ.

        Args:
            node: The function.
            name: Its sequence parameter.
            dice: The pool that is given to it.
            env: The variables around it, with the parameters that are certain.
            open_names: Variables that are not certain before the call.
        """
        if not is_long(dice):
            return None
        uses = self.uses(node, name)
        if uses is None:
            return None
        try:
            features = tuple(self._feature(use, env, open_names) for use in uses)
            group = self._folded(dice, tuple(dict.fromkeys(features)))
        except NotSeen:
            return None
        return Looks(name, uses, features, group)

    def _folded(self, dice: Dice, features: tuple[Feature, ...]) -> Group:
        order = self.machine.lowest_first
        key = dice, features, order
        if key not in self._groups:
            if len(self._groups) > 200:
                self._groups.clear()
            self._groups[key] = Group(folded(dice, features, order, self.machine.work.add))
        return self._groups[key]

    def body(self, node: n.Function, found: list[Looks]) -> Callable[[Env], Value | None]:
        """The body with looks in the place of rolls."""
        key = id(node), self.machine.version, *(looks.kinds for looks in found)
        if key not in self._bodies:
            table: dict[int, Any] = {}
            for looks in found:
                for number, (use, feature) in enumerate(
                    zip(looks.uses, looks.features, strict=True)
                ):
                    look = n.Look(looks.name, number, use.roll.span)
                    if feature[0] != "sum":
                        table[id(use.whole)] = look
                    elif use.kind == "argument":
                        part = n.Part(look, None, None, look.span)
                        table[id(use.roll)] = n.Sequence((part,), look.span)
                    else:
                        table[id(use.roll)] = look
            self._bodies[key] = self.machine.compiler.block(replaced(node.body, table))
        return self._bodies[key]

    def uses(self, node: n.Function, name: str) -> tuple[Use, ...] | None:
        """Every look at the parameter; None where one may see the whole roll."""
        key = id(node), self.machine.version, name
        if key not in self._uses:
            try:
                self._uses[key] = self._looked(node, name)
            except NotSeen:
                self._uses[key] = None
        return self._uses[key]

    def _looked(self, node: n.Function, name: str) -> tuple[Use, ...]:
        if any(part.name == name for part in statements(node.body)):
            raise NotSeen
        found: list[Use] = []
        self._block(node.body, name, found)
        return tuple(found)

    def _block(self, nodes: tuple[Any, ...], name: str, found: list[Use]) -> None:
        for node in nodes:
            if isinstance(node, n.If):
                self._value(node.test, name, found)
                self._block(node.yes, name, found)
                self._block(node.no, name, found)
            elif isinstance(node, n.Loop):
                self._value(node.over, name, found)
                self._block(node.body, name, found)
            elif isinstance(node, n.Result) and is_variable(node.value, name):
                found.append(_sum(node.value))
            elif isinstance(node, (n.Assign, n.Result)):
                self._value(node.value, name, found)

    def _value(self, node: Any, name: str, found: list[Use]) -> None:
        """Collect the looks inside a value; the name standing alone is the whole roll."""
        if is_variable(node, name):
            raise NotSeen
        if isinstance(node, n.Unary) and is_variable(node.body, name):
            if node.op not in ("#", "-", "!"):
                raise NotSeen
            roll: Any = node.body
            found.append(Use("size", None, roll, node) if node.op == "#" else _sum(roll))
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
        left, right = is_variable(node.left, name), is_variable(node.right, name)
        roll: Any = node.left if left else node.right
        if node.op in ARITHMETIC:
            found += [
                _sum(side) for side, is_roll in ((node.left, left), (node.right, right)) if is_roll
            ]
        elif node.op in COMPARE and (left != right):
            kind = f"{node.op} left" if left else f"{node.op} right"
            found.append(Use(kind, node.right if left else node.left, roll, node))
        elif node.op == "@" and right and not left:
            found.append(Use("at", node.left, roll, node))
        elif node.op == "d" and left and not right:
            found.append(_sum(roll))
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
            roll: Any = arg
            if not is_variable(arg, name):
                self._value(arg, name, found)
            elif function is not None:
                if function.types[place] not in ("n", "d"):
                    raise NotSeen
                found.append(Use("argument", None, roll, roll))
            elif node.shape == "count ? in ?" and place == 1:
                found.append(Use("many", node.args[0], roll, node))
            elif node.shape == "? contains ?" and place == 0:
                found.append(Use("has", node.args[1], roll, node))
            elif node.shape in AS_SUM or " of " in node.shape:
                found.append(_sum(roll))
            else:
                raise NotSeen

    def _feature(self, use: Use, env: Env, open_names: set[str]) -> Feature:
        if use.against is None:
            return ("sum",) if use.kind == "argument" else (use.kind,)
        for part in walk(use.against):
            if isinstance(part, n.Variable) and (part.name in open_names or part.name not in env):
                raise NotSeen
            if isinstance(part, n.Call) and part.shape in self.machine.functions:
                raise NotSeen
        value = self.machine.compiler.expr(use.against)(env)
        if isinstance(value, Dice):
            if use.kind in ("at", "many", "has"):
                raise NotSeen
            return ("sum",)
        if use.kind in ("at", "many"):
            return use.kind, (value,) if isinstance(value, int) else value
        if use.kind == "has":
            return use.kind, value if isinstance(value, int) else sum(value)
        if not isinstance(value, int):
            raise NotSeen
        return use.kind, value


def _sum(roll: Any) -> Use:
    return Use("sum", None, roll, roll)


def folded(
    dice: Dice,
    features: tuple[Feature, ...],
    lowest_first: bool = False,
    spend: Callable[[int], None] = lambda _: None,
) -> list[tuple[tuple[int, ...], int]]:
    """What can be seen of the rolls, with weights.

    Raises:
        NotSeen: When as much can be seen as there are rolls.

    >>> from oddsmith.dist import Dist
    >>> folded(Dice(Dist(range(1, 7)), 5), ((">= left", 5),))[:2]
    [((0,), 1024), ((1,), 2560)]
    """
    assert dice.law is not None
    weights = dice.law.weights()
    faces = list(weights) if lowest_first else list(reversed(weights))
    steps = [_step(feature) for feature in features]
    start = tuple(dice.count if feature == ("size",) else 0 for feature in features)
    states: dict[tuple[int, tuple[int, ...]], int] = {(dice.count, start): 1}
    most = comb(dice.count + len(weights) - 1, dice.count)
    for face in faces:
        last = face == faces[-1]
        spend(STATE * len(states) * (1 if last else dice.count))
        after: dict[tuple[int, tuple[int, ...]], int] = {}
        for (left, state), weight in states.items():
            rank = dice.count - left
            for count in (left,) if last else range(left + 1):
                seen = tuple(
                    step(value, face, count, rank) for step, value in zip(steps, state, strict=True)
                )
                key = left - count, seen
                more = weight * comb(left, count) * weights[face] ** count
                after[key] = after.get(key, 0) + more
        states = after
        if len(states) > most:
            raise NotSeen
    return [(seen, weight) for (_, seen), weight in states.items()]


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
