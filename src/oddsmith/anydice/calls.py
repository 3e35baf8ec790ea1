"""Calls of functions: which cases there are, which ways are gone, and what they come to."""

from __future__ import annotations

from difflib import get_close_matches
from fractions import Fraction
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any

from oddsmith.anydice import builtins, notes
from oddsmith.anydice.cases import (
    EXPANDS,
    LISTED,
    Mixture,
    certain,
    choices,
    combinations,
    is_expanded,
    is_long,
)
from oddsmith.anydice.flow import Flow
from oddsmith.anydice.mistakes import CALLED, KEEP, kept
from oddsmith.anydice.rolls import NotSeen
from oddsmith.anydice.values import EMPTY, Dice, Value
from oddsmith.errors import OddsmithError, OutcomeError
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from oddsmith.anydice import nodes as n
    from oddsmith.anydice.runtime import Defined, Machine
    from oddsmith.errors import NotationError

    Env = dict[str, Value]

DEPTH = "maximum function depth"
EXPLODE = "explode depth"
CASE = 60
"""What one case of a function costs, in the units of the budget."""

SAMPLE = 4_096
"""After so many cases it is estimated what the rest will cost."""

REMEMBERED = 20_000
"""So many results of operators and calls are kept."""

BUILT_IN_TYPES = {"count ? in ?": ("s", "s")}


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
    """A call that goes through all of its cases itself.

    Attributes:
        shape: The function.
        results: What it comes to, with weights.
    """

    shape: str
    results: Callable[[], Iterator[tuple[Value, int]]]


class Calls:
    """The calls of one program.

    Args:
        machine: The machine that it runs on.

    Attributes:
        dropped: By function, the smallest and the largest share of cases without a result.
        cut: The share of the cases of the call under way that met the depth limit.
        cuts: By function, the largest such share.
        depth: How many calls are under way.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.dropped: dict[str, tuple[notes.Ratio, notes.Ratio]] = {}
        self.cut: Fraction | int = 0
        self.cuts: dict[str, Fraction] = {}
        self.depth = 0
        self._apart: set[Any] = set()
        self._memo: dict[Any, tuple[Value, Fraction | int]] = {}

    @property
    def deepest(self) -> int:
        """How deep calls may go."""
        return self.machine.settings[DEPTH]

    def warnings(self) -> list[str]:
        """What is to be said at the end."""
        return [
            *(notes.dropped(shape, ends) for shape, ends in self.dropped.items()),
            *(notes.cut(shape, share) for shape, share in self.cuts.items()),
        ]

    def call(self, node: n.Call, shape: str, args: list[Value], env: Env) -> Value:
        """A function of the program, or a built-in one."""
        function = self.machine.functions.get(shape)
        if function is not None:
            return self._defined(function, args, env)
        if shape == "explode ?":
            depth = self.machine.settings[EXPLODE]
            return self.machine.remembered(
                (shape, args[0], depth), lambda: builtins.explode(args[0], depth)
            )
        if shape == "sort ?":
            return builtins.sort(args[0], self.machine.lowest_first)
        if shape not in builtins.SIMPLE:
            raise self._unknown(node, shape)
        built_in = builtins.SIMPLE[shape]
        if not any(isinstance(arg, Dice) for arg in args):
            return built_in(*args)
        if shape in BUILT_IN_TYPES and isinstance(args[0], Dice):
            call = Call(shape, lambda case: built_in(*case), is_pure=True)
            return self._cases(call, BUILT_IN_TYPES[shape], args)
        return self.machine.remembered((shape, *args), lambda: built_in(*args))

    def _unknown(self, node: n.Call, shape: str) -> NotationError:
        known = [*self.machine.functions, *builtins.SHAPES]
        near = get_close_matches(shape, known, 1, 0.6)
        dice = KEEP.search(self.machine.source[slice(*node.span)])
        if dice:
            hint = kept(dice)
        elif shape.split(" ")[0] in CALLED:
            hint = CALLED[shape.split(" ")[0]]
        elif not shape.replace("?", "").strip():
            hint = "values are written without brackets: 4d6, or (4d6)"
        else:
            hint = f"did you mean [{near[0]}]?" if near else "define it before it is called"
        return self.machine.compiler.fail(node, f"there is no function [{shape}]", hint)

    def _defined(self, function: Defined, args: list[Value], env: Env) -> Value:
        shape = function.node.shape
        if self.depth >= self.deepest:
            self.machine.warn("The maximum function depth was exceeded, results are truncated.")
            self.cut = 1
            return EMPTY
        free = self.machine.purity.free(function.node)
        key = None
        if free is not None:
            key = shape, tuple(args), self.depth, self.machine.version, tuple(map(env.get, free))
            known = self._memo.get(key)
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
            if len(self._memo) > REMEMBERED:
                self._memo.clear()
            self._memo[key] = found, self.cut
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
        if pure:
            found = self._together(function, args, env)
            if found is not None:
                return found
        own, body = dict(env), function.body

        def once(case: tuple[Value, ...]) -> Value:
            for place, name in function.slots:
                own[name] = case[place]
            found = body(own)
            return EMPTY if found is None else found

        return self._cases(Call(function.node.shape, once, pure), function.types, args)

    def _together(self, function: Defined, args: list[Value], env: Env) -> Value | None:
        """A call that goes through all of its rolls at once; None where it does not.

        A roll that may be looked at as a whole is tried roll by roll, as other parameters are.
        """
        if not any(map(is_long, args)):
            return None
        known, others = dict(env), {}
        rolls: dict[str, Dice] = {}
        for place, name in function.slots:
            kind, arg = function.types[place], args[place]
            if not (kind in EXPANDS and isinstance(arg, Dice)):
                known[name] = certain(kind, arg)
            elif arg.law is not None and arg.count > 1 and kind == "s":
                rolls[name] = arg
            elif arg.law is not None:
                if kind == "n":
                    self.machine.added(arg)
                others[name] = choices(kind, arg, self.machine.lowest_first)
        key = function.node.shape, self.machine.version, tuple(rolls.values())
        if key in self._apart:
            return None
        while any(map(is_long, rolls.values())) and prod(map(len, others.values())) <= LISTED:
            roll = None
            for one_by_one in (False, True) if others else (False,):
                call = Inner(function.node.shape, partial(
                    self._flowing, function.node, rolls, known, others, one_by_one
                ))  # fmt: skip
                begun = self.machine.work.spent
                try:
                    return self._cases(call, function.types, args)
                except (NotSeen, OddsmithError) as error:
                    self.cut, self.machine.work.spent = 0, begun
                    roll = error.roll if isinstance(error, NotSeen) else None
                if roll in rolls:
                    break
            if roll not in rolls:
                self._apart.add(key)
                return None
            others[roll] = choices("s", rolls.pop(roll), self.machine.lowest_first)
        return None

    def _flowing(
        self, node: n.Function, rolls: dict[str, Dice], known: Env, others: dict[str, Any],
        one_by_one: bool,
    ) -> Iterator[tuple[Value, int]]:  # fmt: skip
        """The results of a call, with the other parameters as variables or one by one."""
        names = tuple(others)
        tried = prod(len(choices("s", pool, False)) for pool in rolls.values())
        cases = combinations(list(others.values()))
        if not one_by_one:
            flow = Flow(self.machine, node, rolls, known, names)
            tried *= prod(map(len, others.values()))
            for value, self.cut, weight in flow.results(cases, tried):
                yield value, weight
            return
        for values, weight in cases:
            given = dict(zip(names, values, strict=True))
            flow = Flow(self.machine, node, rolls, {**known, **given}, ())
            for value, self.cut, more in flow.results([((), 1)], tried):
                yield value, weight * more

    def _cases(self, call: Call | Inner, types: tuple[str, ...], args: list[Value]) -> Value:
        """Call once for every combination of what the arguments may be; mix the results.

        Args:
            call: What is called with certain values.
            types: The types of its parameters.
            args: What is given to them.
        """
        found: list[Any] = []
        many, known = False, Fraction(1)
        for kind, arg in zip(types, args, strict=True):
            if kind in EXPANDS and isinstance(arg, Dice):
                if arg.law is None:
                    return EMPTY
                if arg.missing:
                    known *= 1 - arg.any_missing
                if kind == "n":
                    self.machine.added(arg)
            many = many or is_expanded(kind, arg)
            if isinstance(call, Call):
                found.append(choices(kind, arg, self.machine.lowest_first))
        if isinstance(call, Inner):
            return self._mixed(call.shape, call.results(), Mixture(known))
        self.machine.work.add(CASE * prod(map(len, found)))
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
        """The results; refused as soon as some of them show that all cost too much.

        The first ones may have cost more than others will: what they did is remembered.
        """
        work = self.machine.work
        begun = work.spent
        for done, result in enumerate(results, 1):
            yield result
            if not done % SAMPLE:
                if done > SAMPLE:
                    work.foresee((work.spent - begun) * (cases - done) // SAMPLE)
                begun = work.spent

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
                share if notes.less(share, ends[0]) else ends[0],
                share if notes.less(ends[1], share) else ends[1],
            )
        return self.machine.measured(mixture.value)
