"""The machine that a program runs on: functions, settings, outputs and warnings."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, Any

from oddsmith.anydice import builtins, operators
from oddsmith.anydice.classes import Classes
from oddsmith.anydice.compiler import Compiler, Done
from oddsmith.anydice.parser import parse
from oddsmith.anydice.purity import Purity, statements
from oddsmith.anydice.values import EMPTY, Dice, Value, coarse, law_of, named
from oddsmith.budget import DEFAULT_BUDGET, Work
from oddsmith.dist import Dist, mix
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from oddsmith.anydice import nodes as n
    from oddsmith.errors import NotationError

    Env = dict[str, Value]

NAME = re.compile(r"\[([A-Z_]+)\]")
DEPTH = "maximum function depth"
EXPLODE = "explode depth"
ORDER = "position order"
CASE = 40
"""What one case of a function costs, in the units of the budget."""

EXPANDS = {"n", "s"}
BUILT_IN_TYPES = {"count ? in ?": ("s", "s")}


class Shown(Record):
    """An output as it was written.

    Attributes:
        label: Its name.
        law: Its distribution; None for the empty die.
        missing: What of it is not known.
    """

    label: str
    law: Dist[Any] | None
    missing: Fraction


class Defined(Record):
    """A function of the program."""

    node: n.Function
    body: Callable[[Env], Any]
    types: tuple[str, ...]
    names: tuple[str, ...]


class Machine:
    """Runs one program.

    Args:
        source: The program.
        budget: The work it may cost.
    """

    def __init__(self, source: str, budget: int = DEFAULT_BUDGET) -> None:
        self.source = source
        self.settings: dict[str, int] = {EXPLODE: 2, DEPTH: 10}
        self.lowest_first = False
        self.functions: dict[str, Defined] = {}
        self.outputs: list[Shown] = []
        self.warnings: list[str] = []
        self.depth = 0
        self.version = 0
        self.work = Work(budget, "write the program with fewer cases")
        self.memo: dict[Any, Value] = {}
        self.pairs: dict[Any, Value] = {}
        self.compiler = Compiler(source, self)
        self.purity = Purity(self)
        self.classes = Classes(self)

    def run(self) -> None:
        """Run everything.

        Raises:
            NotationError: With the place, for anything that makes no sense.
            TooLarge: Past the budget.
        """
        nodes = parse(self.source)
        self.compiler.block(nodes)({})

    def tick(self) -> None:
        """One turn of a loop."""
        self.work.add(CASE)

    def warn(self, text: str) -> None:
        """Say something once."""
        if text not in self.warnings:
            self.warnings.append(text)

    # values

    def binary(self, op: str, left: Value, right: Value) -> Value:
        """An operator, remembered for large laws."""
        if not (isinstance(left, Dice) or isinstance(right, Dice)):
            return operators.binary(op, left, right)
        key = op, left, right
        if key not in self.pairs:
            if len(self.pairs) > 5_000:
                self.pairs.clear()
            self.pairs[key] = operators.binary(op, left, right)
        return self.pairs[key]

    def note_defect(self, op: str, left: Value, right: Value) -> None:
        """Where AnyDice answers differently, say so."""
        empty = [isinstance(x, Dice) and x.law is None for x in (left, right)]
        if op == "<=" and isinstance(left, Dice) and isinstance(right, tuple) and not empty[0]:
            self.warn("a die <= a sequence is compared with its sum; AnyDice answers as for >")
        if op == "^" and any(isinstance(x, Dice) for x in (left, right)) and not any(empty):
            a, b = law_of(left).law, law_of(right).law
            if a is not None and b is not None and a.p(0) and b.low < 0:
                self.warn(f"0 to a negative power is no number; it is shown as {operators.LEAST}")
        mixed = any(empty) and any(isinstance(x, tuple) for x in (left, right))
        if op in "+|" and mixed:
            self.warn("the empty die counts as 0 beside a sequence; AnyDice shows its elements")

    # statements

    def define(self, node: n.Function, body: Callable[[Env], Any]) -> None:
        """A function, from here on."""
        names, types = [], []
        for name, kind in node.params:
            names.append(name)
            types.append(kind)
        self.functions[node.shape] = Defined(node, body, tuple(types), tuple(names))
        self.version += 1
        for name in self.purity.assigned_params(node):
            self.warn(
                f"the parameter {name} is assigned in [{node.shape}]: here it is set anew for "
                f"every case, AnyDice lets the change leak into the next"
            )

    def setting(self, node: n.Set, value: Value | str) -> None:
        """A setting, from here on."""
        fail = self.compiler.fail
        if node.setting == ORDER:
            if value not in ("lowest first", "highest first"):
                raise fail(node, f'"{ORDER}" is "highest first" or "lowest first"',
                           f'write set "{ORDER}" to "lowest first"')  # fmt: skip
            self.lowest_first = value == "lowest first"
        elif node.setting in self.settings:
            if not isinstance(value, int) or value < 1:
                raise fail(node, f'"{node.setting}" is a whole number above 0',
                           f'write set "{node.setting}" to 3')  # fmt: skip
            self.settings[node.setting] = value
        else:
            known = ", ".join([*self.settings, ORDER])
            raise fail(node, f'there is no setting "{node.setting}"', f"settings are {known}")
        self.version += 1

    def output(self, node: n.Output, value: Value, env: Env) -> None:
        """Show a value."""
        if isinstance(value, tuple):
            shown = Dice(Dist(value)) if value else EMPTY
        else:
            shown = law_of(value)
        label = f"output {len(self.outputs) + 1}"
        if node.name is not None:
            label = NAME.sub(lambda match: self._in_name(node, match[1], env), node.name)
        self.outputs.append(Shown(label, shown.law, shown.missing))

    def _in_name(self, node: n.Output, name: str, env: Env) -> str:
        if name not in env:
            raise self.compiler.fail(
                node, f"there is no variable {name} for the name", f"set it before: {name}: 3"
            )
        return named(env[name])

    # calls

    def call(self, node: n.Call, shape: str, args: list[Value], env: Env) -> Value:
        """A function of the program, or a built-in one."""
        function = self.functions.get(shape)
        if function is not None:
            return self._defined(function, args, env)
        if shape == "explode ?":
            return builtins.explode(args[0], self.settings[EXPLODE])
        if shape == "sort ?":
            return builtins.sort(args[0], self.lowest_first)
        if shape not in builtins.SIMPLE:
            raise self._unknown(node, shape)
        key = shape, tuple(args)
        if key not in self.pairs:
            found = builtins.SIMPLE[shape](*args)
            if found is NotImplemented:
                kinds = BUILT_IN_TYPES[shape]
                found = self._cases(kinds, args, lambda case: builtins.SIMPLE[shape](*case))
            self.pairs[key] = found
        return self.pairs[key]

    def _unknown(self, node: n.Call, shape: str) -> NotationError:
        from difflib import get_close_matches

        known = [*self.functions, *builtins.SHAPES]
        near = get_close_matches(shape, known, 1, 0.6)
        if "d ?" in shape or (shape.startswith("? ") and shape.replace("?", "").strip() == ""):
            hint = "dice are written without brackets: 4d6"
        else:
            hint = f"did you mean [{near[0]}]?" if near else "define it before it is called"
        return self.compiler.fail(node, f"there is no function [{shape}]", hint)

    def _defined(self, function: Defined, args: list[Value], env: Env) -> Value:
        if self.depth >= self.settings[DEPTH]:
            self.warn("The maximum function depth was exceeded, results are truncated.")
            return EMPTY
        key = None
        free = self.purity.free(function.node)
        if free is not None:
            key = (
                function.node.shape, tuple(args), self.depth, self.version,
                tuple(env.get(name) for name in free),
            )  # fmt: skip
            if key in self.memo:
                return self.memo[key]
        self.depth += 1
        try:
            found = self._run(function, args, env, shared=free is None)
        finally:
            self.depth -= 1
        if key is not None:
            if len(self.memo) > 100_000:
                self.memo.clear()
            self.memo[key] = found
        return found

    def _run(self, function: Defined, args: list[Value], env: Env, shared: bool) -> Value:
        own = dict(env)
        names, body = function.names, function.body
        types = function.types

        def once(case: tuple[Value, ...]) -> Value:
            target = own if shared else dict(own)
            for name, value in zip(reversed(names), reversed(case), strict=True):
                target[name] = value
            done = body(target)
            return done.value if isinstance(done, Done) else EMPTY

        alike = None if shared else lambda place: self._alike(function, args, own, place)
        return self._cases(types, args, once, alike)

    def _alike(
        self, function: Defined, args: list[Value], env: Env, place: int
    ) -> list[tuple[Value, int]] | None:
        """One roll of each class that the function can tell apart, where there are few."""
        known, open_names = dict(env), {part.name for part in statements(function.node.body)}
        for name, kind, arg in zip(function.names, function.types, args, strict=True):
            if kind in EXPANDS and isinstance(arg, Dice):
                open_names.add(name)
            else:
                known[name] = self._choices(kind, arg)[0][0][0]
        dice = args[place]
        assert isinstance(dice, Dice)
        return self.classes.choices(function, function.names[place], dice, known, open_names)

    def _cases(
        self,
        types: tuple[str, ...],
        args: list[Value],
        once: Callable[[tuple[Value, ...]], Value],
        alike: Callable[[int], list[tuple[Value, int]] | None] | None = None,
    ) -> Value:
        """Call once for every combination of what the arguments may be; mix the results."""
        choices: list[list[tuple[Value, int]]] = []
        expands, missing = False, []
        for place, (kind, arg) in enumerate(zip(types, args, strict=True)):
            if kind in EXPANDS and isinstance(arg, Dice) and arg.law is None:
                return EMPTY
            few = None
            if kind == "s" and alike is not None and isinstance(arg, Dice) and arg.count > 1:
                few = alike(place)
            one, many = (few, True) if few is not None else self._choices(kind, arg)
            expands = expands or many
            choices.append(one)
            if many and isinstance(arg, Dice) and arg.missing:
                missing.append(1 - (1 - arg.missing) ** arg.count)
        if not expands:
            self.work.add(CASE)
            return once(tuple(choice[0][0] for choice in choices))
        return self._mixed(choices, once, missing)

    def _mixed(
        self,
        choices: list[list[tuple[Value, int]]],
        once: Callable[[tuple[Value, ...]], Value],
        missing: list[Fraction],
    ) -> Value:
        table: dict[int, int] = {}
        parts: list[tuple[Dice, int]] = []
        dropped = whole = 0
        for reverse in product(*reversed(choices)):
            self.work.add(CASE)
            weight = 1
            for _, ways in reverse:
                weight *= ways
            whole += weight
            result = once(tuple(value for value, _ in reversed(reverse)))
            if isinstance(result, Dice):
                if result.law is None:
                    dropped += weight
                else:
                    parts.append((result.total(), weight))
            else:
                number = result if isinstance(result, int) else sum(result)
                table[number] = table.get(number, 0) + weight
        return self._collected(table, parts, dropped, whole, missing)

    def _collected(
        self, table: dict[int, int], parts: list[tuple[Dice, int]], dropped: int, whole: int,
        missing: list[Fraction],
    ) -> Value:  # fmt: skip
        from fractions import Fraction

        if dropped:
            share = Fraction(dropped, whole)
            if share == 1:
                return EMPTY
            self.warn(
                "cases without a result were left out and the rest scaled up to 100 %: what is "
                "shown is given that there is one"
            )
        known = Fraction(1)
        for part in missing:
            known *= 1 - part
        if not parts:
            return Dice(Dist(table), 1, coarse(1 - known) if known != 1 else Fraction(0))
        grouped: dict[Dice, int] = {}
        for dice, weight in parts:
            grouped[dice] = grouped.get(dice, 0) + weight
        weights = sum(grouped.values()) + sum(table.values())
        lost = sum(
            (Fraction(w, weights) * dice.missing for dice, w in grouped.items()), Fraction(0)
        )
        mixed: list[tuple[Any, int]] = [(dice.law, w) for dice, w in grouped.items()]
        if table:
            mixed.append((Dist(table), sum(table.values())))
        left = 1 - known * (1 - lost)
        return Dice(mix(mixed), 1, coarse(left) if left else Fraction(0))

    def _choices(self, kind: str, arg: Value) -> tuple[list[tuple[Value, int]], bool]:
        """What a parameter may be, with weights, and whether that is an expansion."""
        if kind == "n":
            if isinstance(arg, Dice):
                total = arg.total()
                assert total.law is not None
                return list(total.law.weights().items()), True
            if isinstance(arg, tuple):
                return [(sum(arg), 1)], True
        elif kind == "s":
            if isinstance(arg, int):
                return [((arg,), 1)], False
            if isinstance(arg, Dice):
                return self._rolls(arg), True
        elif kind == "d" and not isinstance(arg, Dice):
            return [(law_of(arg), 1)], False
        return [(arg, 1)], False

    def _rolls(self, dice: Dice) -> list[tuple[Value, int]]:
        assert dice.law is not None
        if dice.count == 1:
            return [((face,), weight) for face, weight in dice.law.weights().items()]
        rolls = list(dice.pool.rolls())
        if self.lowest_first:
            return sorted(rolls)
        return sorted(((roll[::-1], ways) for roll, ways in rolls), reverse=True)
