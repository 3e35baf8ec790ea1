"""The machine that a program runs on: functions, settings, outputs and warnings."""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager
from difflib import get_close_matches
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any

from oddsmith.anydice import builtins, operators
from oddsmith.anydice.cases import (
    EXPANDS,
    Mixture,
    certain,
    choices,
    combinations,
    is_expanded,
    is_long,
)
from oddsmith.anydice.classes import Classes, Looks, Ways
from oddsmith.anydice.compiler import Compiler
from oddsmith.anydice.mistakes import KEEP, kept
from oddsmith.anydice.parser import parse
from oddsmith.anydice.purity import Purity, statements
from oddsmith.anydice.turns import NotInTurns, Turns
from oddsmith.anydice.unroll import Unroll
from oddsmith.anydice.values import EMPTY, Dice, Value, law_of, named
from oddsmith.budget import DEFAULT_BUDGET, Work, question
from oddsmith.dist import Dist
from oddsmith.errors import OutcomeError, TooLarge
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from oddsmith.anydice import nodes as n
    from oddsmith.errors import NotationError

    Env = dict[str, Value]
    Ratio = tuple[int, int]
    """A share as it was counted: making fractions of long ones takes time."""

NAME = re.compile(r"\[([A-Z_]+)\]")
DEPTH = "maximum function depth"
EXPLODE = "explode depth"
ORDER = "position order"
CASE = 60
"""What one case of a function costs, in the units of the budget."""

BUDGET = 2_000_000_000
"""The work a program may cost: about a minute."""

SAMPLE = 4_096
"""After so many cases it is estimated what the rest will cost."""

REMEMBERED = 20_000
"""So many results of operators and calls are kept."""

FRAMES = 50_000
"""So deep may calls of Python go within one program."""

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


class Call(Record):
    """A call whose arguments may make cases.

    Attributes:
        shape: The function.
        once: It, with certain values.
        is_pure: Whether no case hands anything on to the next.
    """

    shape: str
    once: Callable[[tuple[Value, ...]], Value]
    is_pure: bool


class Inner(Record):
    """A call that goes through some of its rolls itself.

    Attributes:
        shape: The function.
        results: What it comes to with certain values of the others, with weights.
    """

    shape: str
    results: Callable[[tuple[Value, ...]], Iterable[tuple[Value, int]]]


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
        self.dropped: dict[str, tuple[Ratio, Ratio]] = {}
        self.cut: Fraction | int = 0
        self.cuts: dict[str, Fraction] = {}
        self.depth = 0
        self.version = 0
        self.work = Work(budget, "write the program with fewer cases")
        self.step = max(min(DEFAULT_BUDGET, budget), budget // 4)
        self.memo: dict[Any, tuple[Value, Fraction | int]] = {}
        self.pairs: dict[Any, Value] = {}
        self.compiler = Compiler(source, self)
        self.purity = Purity(self)
        self.classes = Classes(self)
        self.turns = Turns(self)
        self.unroll = Unroll(self)

    def run(self) -> None:
        """Run everything.

        Raises:
            NotationError: With the place, for anything that makes no sense.
            TooLarge: Past the budget.
        """
        self.held(lambda: self.compiler.block(parse(self.source))({}))
        if not self.outputs:
            self.warn("no output was reached, so nothing is shown")
        self.warnings += [_dropped(shape, ends) for shape, ends in self.dropped.items()]
        self.warnings += [_cut(shape, share) for shape, share in self.cuts.items()]

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
        if not self.purity.has_result(node):
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

    # calls

    def call(self, node: n.Call, shape: str, args: list[Value], env: Env) -> Value:
        """A function of the program, or a built-in one."""
        function = self.functions.get(shape)
        if function is not None:
            return self._defined(function, args, env)
        if shape == "explode ?":
            depth = self.settings[EXPLODE]
            return self.remembered(
                (shape, args[0], depth), lambda: builtins.explode(args[0], depth)
            )
        if shape == "sort ?":
            return builtins.sort(args[0], self.lowest_first)
        if shape not in builtins.SIMPLE:
            raise self._unknown(node, shape)
        built_in = builtins.SIMPLE[shape]
        if not any(isinstance(arg, Dice) for arg in args):
            return built_in(*args)
        if shape in BUILT_IN_TYPES and isinstance(args[0], Dice):
            call = Call(shape, lambda case: built_in(*case), is_pure=True)
            return self._cases(call, BUILT_IN_TYPES[shape], args)
        return self.remembered((shape, *args), lambda: built_in(*args))

    def _unknown(self, node: n.Call, shape: str) -> NotationError:
        known = [*self.functions, *builtins.SHAPES]
        near = get_close_matches(shape, known, 1, 0.6)
        dice = KEEP.search(self.source[slice(*node.span)])
        if dice:
            hint = kept(dice)
        elif not shape.replace("?", "").strip():
            hint = "values are written without brackets: 4d6, or (4d6)"
        else:
            hint = f"did you mean [{near[0]}]?" if near else "define it before it is called"
        return self.compiler.fail(node, f"there is no function [{shape}]", hint)

    def _defined(self, function: Defined, args: list[Value], env: Env) -> Value:
        shape = function.node.shape
        if self.depth >= self.settings[DEPTH]:
            self.warn("The maximum function depth was exceeded, results are truncated.")
            self.cut = 1
            return EMPTY
        free = self.purity.free(function.node)
        key = None
        if free is not None:
            key = shape, tuple(args), self.depth, self.version, tuple(map(env.get, free))
            known = self.memo.get(key)
            if known is not None:
                if self.depth:
                    self._join(known[1])
                return known[0]
        before, self.cut = self.cut, 0
        self.depth += 1
        try:
            found = self._run(function, args, env, pure=free is not None)
        finally:
            self.depth -= 1
        if key is not None:
            if len(self.memo) > REMEMBERED:
                self.memo.clear()
            self.memo[key] = found, self.cut
        share, self.cut = self.cut, before
        if not self.depth and share:
            self.cuts[shape] = max(Fraction(share), self.cuts.get(shape, Fraction(0)))
        else:
            self._join(share)
        return found

    def _join(self, share: Fraction | int) -> None:
        """A call within this case met the depth limit in this share of its rolls."""
        if share:
            self.cut = 1 - (1 - self.cut) * (1 - Fraction(share))

    def _run(self, function: Defined, args: list[Value], env: Env, pure: bool) -> Value:
        own = dict(env)
        node = function.node
        looks: dict[int, Looks] = {}
        if pure:
            long = {
                place: name for place, name in function.slots
                if function.types[place] == "s" and is_long(args[place])
            }  # fmt: skip
            if long:
                looks = self._looks(node, args, own, long)
            if len(long) == 1 and not looks:
                found = self._in_turns(function, args, own, *next(iter(long.items())))
                if found is not None:
                    return found
            if len(looks) < len(long):
                node, looks = self._written_out(node, args, own, long, looks)
        body = self.classes.body(node, list(looks.values())) if looks else function.body
        give = _giving(function, own, looks)

        def once(case: tuple[Value, ...]) -> Value:
            give(case)
            found = body(own)
            return EMPTY if found is None else found

        if not looks:
            return self._cases(Call(function.node.shape, once, pure), function.types, args)
        ways = Ways(list(looks.values()))
        for one, seen in zip(looks.values(), ways.seen, strict=True):
            own[one.name] = seen
        call = Inner(function.node.shape, lambda case: ways.results(lambda: once(case)))
        return self._cases(call, function.types, args, tuple(looks))

    def _in_turns(
        self, function: Defined, args: list[Value], env: Env, place: int, name: str
    ) -> Value | None:
        """A call that goes through its one long roll die by die; None where it does not."""
        plan = self.turns.plan(function.node, name)
        if plan is None:
            return None
        give = _giving(function, env, {place})

        def inside(case: tuple[Value, ...]) -> list[tuple[Value, int]]:
            give(case)
            return self.turns.results(plan, args[place], env)

        try:
            call = Inner(function.node.shape, inside)
            return self._cases(call, function.types, args, (place,))
        except NotInTurns:
            self.cut = 0
            return None

    def _looks(
        self, node: n.Function, args: list[Value], env: Env, long: dict[int, str]
    ) -> dict[int, Looks]:
        """How a function looks at its long rolls, by their places, where it tells few apart."""
        known, open_names = _known(node, args, env)
        every = {
            place: self.classes.looks(node, name, args[place], known, open_names)
            for place, name in long.items()
        }
        return {place: looks for place, looks in every.items() if looks is not None}

    def _written_out(
        self, node: n.Function, args: list[Value], env: Env, long: dict[int, str],
        plain: dict[int, Looks],
    ) -> tuple[n.Function, dict[int, Looks]]:  # fmt: skip
        """The function with its loops written out, and its looks, where there are more then."""
        known, open_names = _known(node, args, env)
        rolls = {name: args[place] for place, name in long.items()}
        sure = known.keys() - open_names
        written = self.unroll.function(node, set(rolls), {**known, **rolls}, sure)
        more = self._looks(written, args, env, long) if written is not node else {}
        return (written, more) if len(more) > len(plain) else (node, plain)

    def _cases(
        self,
        call: Call | Inner,
        types: tuple[str, ...],
        args: list[Value],
        left: tuple[int, ...] = (),
    ) -> Value:
        """Call once for every combination of what the arguments may be; mix the results.

        Args:
            call: What is called with certain values.
            types: The types of its parameters.
            args: What is given to them.
            left: The places of rolls that are left to the call itself.
        """
        found: list[Any] = []
        many, known = False, Fraction(1)
        for place, (kind, arg) in enumerate(zip(types, args, strict=True)):
            if kind in EXPANDS and isinstance(arg, Dice):
                if arg.law is None:
                    return EMPTY
                if arg.missing:
                    known *= 1 - arg.any_missing
                if kind == "n":
                    self.added(arg)
            many = many or is_expanded(kind, arg)
            if place not in left:
                found.append(choices(kind, arg, self.lowest_first))
        self.work.add(CASE * prod(map(len, found)))
        if isinstance(call, Inner):
            return self._mixed(call.shape, self._inside(call, found), Mixture(known))
        if not many:
            return call.once(tuple(one[0][0] for one in found))
        if known != 1 and not call.is_pure:
            raise OutcomeError(
                f"the cases of [{call.shape}] hand something on, so all rolls are needed, but "
                f"some are not known: the fractions had grown too long",
                "let the variables of a case not depend on the case before",
            )
        once = call.once
        results = ((once(case), weight) for case, weight in combinations(found, call.is_pure))
        paced = self._paced(results, prod(map(len, found)))
        return self._mixed(call.shape, paced, Mixture(known))

    def _paced(
        self, results: Iterator[tuple[Value, int]], cases: int
    ) -> Iterator[tuple[Value, int]]:
        """The results; refused as soon as the first of them show that all cost too much."""
        begun = self.work.spent
        for done, result in enumerate(results, 1):
            yield result
            if not done % SAMPLE:
                self.work.foresee((self.work.spent - begun) * (cases - done) // done)

    def _inside(self, call: Inner, found: list[Any]) -> Iterator[tuple[Value, int]]:
        for case, weight in combinations(found, any_order=True):
            for value, more in call.results(case):
                self.work.add(CASE)
                yield value, weight * more

    def _mixed(self, shape: str, results: Iterator[tuple[Value, int]], mixture: Mixture) -> Value:
        numbers, whole, outer = mixture.numbers, 0, self.cut
        cut: Fraction | int = 0
        self.cut = 0
        for result, weight in results:
            if self.cut:
                cut += weight * self.cut
                self.cut = 0
            if type(result) is int:
                numbers[result] = numbers.get(result, 0) + weight
                whole += weight
            else:
                mixture.add(result, weight)
        mixture.whole += whole
        self.cut = outer
        self._join(Fraction(cut) / mixture.whole)
        if 0 < mixture.dropped < mixture.whole:
            share = mixture.dropped, mixture.whole
            ends = self.dropped.get(shape, (share, share))
            self.dropped[shape] = (
                share if _less(share, ends[0]) else ends[0],
                share if _less(ends[1], share) else ends[1],
            )
        return self.measured(mixture.value)


def _known(node: n.Function, args: list[Value], env: Env) -> tuple[Env, set[str]]:
    """The variables before a call with what is certain of the arguments, and the uncertain ones."""
    known, open_names = dict(env), {part.name for part in statements(node.body)}
    for (name, kind), arg in zip(node.params, args, strict=True):
        if kind in EXPANDS and isinstance(arg, Dice):
            open_names.add(name)
        else:
            known[name] = arg if isinstance(arg, Dice) else certain(kind, arg)
    return known, open_names


def _giving(
    function: Defined, env: Env, left: Container[int]
) -> Callable[[tuple[Value, ...]], None]:
    """Sets the parameters of a function, but for those in the places that are left."""
    rest = [place for place in range(len(function.types)) if place not in left]
    slots = [(rest.index(place), name) for place, name in function.slots if place in rest]

    def give(case: tuple[Value, ...]) -> None:
        for place, name in slots:
            env[name] = case[place]

    return give


def _less(a: Ratio, b: Ratio) -> bool:
    return a[0] * b[1] < b[0] * a[1]


def _dropped(shape: str, ends: tuple[Ratio, Ratio]) -> str:
    least, most = (Fraction(*end) for end in ends)
    share = f"in {_share(most)} of its cases"
    if least != most:
        share = f"in {_share(least)} to {_share(most)} of its cases (it depends on the call)"
    return (
        f"[{shape}] comes to no result {share}: these were left out and the rest scaled up to "
        f"100 %, so what is shown is given that there is a result"
    )


def _share(share: Fraction) -> str:
    """A share in percent, and exactly where that is short."""
    about = float(100 * share)
    shown = f"{about:.2f} %"
    if not 0.01 <= about <= 99.99:
        shown = "less than 0.01 %" if about < 1 else "more than 99.99 %"
    if share.denominator.bit_length() > 40:
        return shown
    return f"{shown} ({share.numerator}/{share.denominator})"


def _cut(shape: str, share: Fraction) -> str:
    about = "always" if share == 1 else f"in {_share(share)} of all rolls"
    return (
        f"[{shape}] called itself past the maximum function depth {about}: what is there counts "
        f'as d{{}}; write set "{DEPTH}" to a larger number for less'
    )


@contextmanager
def _deep_calls() -> Iterator[None]:
    """Functions that call themselves hundreds of times take more frames than Python allows."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
