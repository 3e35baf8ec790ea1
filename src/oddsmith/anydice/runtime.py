"""The machine that a program runs on: functions, settings, outputs and warnings."""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from oddsmith.anydice import operators
from oddsmith.anydice.calls import CASE, DEPTH, EXPLODE, REMEMBERED, Calls
from oddsmith.anydice.compiler import Compiler
from oddsmith.anydice.parser import parse
from oddsmith.anydice.purity import Purity, has_result, statements
from oddsmith.anydice.values import EMPTY, Dice, Value, law_of, named
from oddsmith.budget import DEFAULT_BUDGET, Work, question
from oddsmith.dist import Dist
from oddsmith.errors import TooLarge
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

    from oddsmith.anydice import nodes as n

    Env = dict[str, Value]

NAME = re.compile(r"\[([A-Z_]+)\]")
ORDER = "position order"
BUDGET = 2_000_000_000
"""The work a program may cost: about a minute."""

FRAMES = 50_000
"""So deep may calls of Python go within one program."""


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
    """A function of the program.

    Attributes:
        node: Its definition.
        body: What it does with variables; None where it comes to no result.
        types: The types of its parameters.
        names: Their names.
        slots: The place and the name of each; of two with one name, the first.
    """

    node: n.Function
    body: Callable[[Env], Value | None]
    types: tuple[str, ...]
    names: tuple[str, ...]
    slots: tuple[tuple[int, str], ...]


class Machine:
    """Runs one program.

    Args:
        source: The program.
        budget: The work it may cost.
    """

    def __init__(self, source: str, budget: int = BUDGET) -> None:
        self.source = source
        self.settings: dict[str, int] = {EXPLODE: 2, DEPTH: 10}
        self.lowest_first = False
        self.functions: dict[str, Defined] = {}
        self.outputs: list[Shown] = []
        self.warnings: list[str] = []
        self.version = 0
        self.work = Work(budget, "write the program with fewer cases")
        self.step = max(min(DEFAULT_BUDGET, budget), budget // 4)
        self.pairs: dict[Any, Value] = {}
        self.compiler = Compiler(source, self)
        self.purity = Purity(self)
        self.calls = Calls(self)

    def run(self) -> None:
        """Run everything.

        Raises:
            NotationError: With the place, for anything that makes no sense.
            TooLarge: Past the budget.
        """
        self.held(lambda: self.compiler.block(parse(self.source))({}))
        if not self.outputs:
            self.warn("no output was reached, so nothing is shown")
        self.warnings += self.calls.warnings()

    def held(self, work: Callable[[], Any]) -> None:
        """Do something that may go deep."""
        with _deep_calls():
            try:
                work()
            except RecursionError:
                raise TooLarge(FRAMES, FRAMES, f'set "{DEPTH}" to a smaller number') from None

    def tick(self, turns: int) -> None:
        """So many turns of a loop."""
        self.work.add(CASE * turns)

    def warn(self, text: str) -> None:
        """Say something once."""
        if text not in self.warnings:
            self.warnings.append(text)

    # values

    def measured(self, work: Callable[[], Any]) -> Any:
        """A step of the engine, held to the budget; what it costs counts for the program."""
        with question(self.step):
            gauge = Work(self.step, "").meter
            found = work()
        if gauge is not None:
            self.work.add(gauge.spent)
        return found

    def added(self, value: Value) -> Dice:
        """A value as a single die."""
        if isinstance(value, Dice) and value.count > 1:
            total: Dice = self.measured(value.total)
            return total
        return law_of(value)

    def remembered(self, key: Any, work: Callable[[], Value]) -> Value:
        """A step of the engine that is done once."""
        found = self.pairs.get(key)
        if found is None:
            if len(self.pairs) > REMEMBERED:
                self.pairs.clear()
            found = self.pairs[key] = self.measured(work)
        return found

    def binary(self, op: str, left: Value, right: Value) -> Value:
        """An operator, remembered where a die takes part."""
        if not (isinstance(left, Dice) or isinstance(right, Dice)):
            return operators.binary(op, left, right)
        return self.remembered((op, left, right), lambda: operators.binary(op, left, right))

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

    def define(self, node: n.Function, body: Callable[[Env], Value | None]) -> None:
        """A function, from here on."""
        slots: dict[str, int] = {}
        for place, (name, _) in enumerate(node.params):
            slots.setdefault(name, place)
        self.functions[node.shape] = Defined(
            node, body,
            tuple(kind for _, kind in node.params), tuple(name for name, _ in node.params),
            tuple((place, name) for name, place in slots.items()),
        )  # fmt: skip
        self.version += 1
        if not has_result(node.body):
            wrong = any(part.name == "RESULT" for part in statements(node.body))
            also = (
                "; RESULT: sets a variable, what is handed back is written small" if wrong else ""
            )
            self.warn(f"[{node.shape}] has no result:, so it gives the empty die{also}")
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
            known = [*self.settings, ORDER]
            near = get_close_matches(node.setting.lower(), known, 1, 0.6)
            hint = f'did you mean "{near[0]}"?' if near else f"settings are {', '.join(known)}"
            raise fail(node, f'there is no setting "{node.setting}"', hint)
        self.version += 1

    def output(self, node: n.Output, value: Value, env: Env) -> None:
        """Show a value."""
        if isinstance(value, tuple):
            shown = Dice(Dist(value)) if value else EMPTY
        else:
            shown = self.added(value)
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


@contextmanager
def _deep_calls() -> Iterator[None]:
    """Functions that call themselves hundreds of times take more frames than Python allows."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
