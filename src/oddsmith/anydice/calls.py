"""Calls of functions: which cases there are, which ways are gone, and what they come to."""

from __future__ import annotations

from difflib import get_close_matches
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any

from oddsmith.anydice import builtins, notes
from oddsmith.anydice.cases import (
    EXPANDS,
    Mixture,
    certain,
    choices,
    combinations,
    is_expanded,
    is_long,
)
from oddsmith.anydice.classes import Looks, Ways
from oddsmith.anydice.mistakes import CALLED, KEEP, kept
from oddsmith.anydice.purity import statements
from oddsmith.anydice.turns import NotInTurns
from oddsmith.anydice.values import EMPTY, Dice, Value
from oddsmith.errors import OutcomeError
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

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
    """A call that goes through some of its rolls itself.

    Attributes:
        shape: The function.
        results: What it comes to with certain values of the others, with weights.
    """

    shape: str
    results: Callable[[tuple[Value, ...]], Iterable[tuple[Value, int]]]


class Calls:
    """The calls of one program.

    Args:
        machine: The machine that it runs on.

    Attributes:
        dropped: By function, the smallest and the largest share of cases without a result.
        cut: The share of the cases of the call under way that met the depth limit.
        cuts: By function, the largest such share.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.dropped: dict[str, tuple[notes.Ratio, notes.Ratio]] = {}
        self.cut: Fraction | int = 0
        self.cuts: dict[str, Fraction] = {}
        self._depth = 0
        self._memo: dict[Any, tuple[Value, Fraction | int]] = {}

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
        if self._depth >= self.machine.settings[DEPTH]:
            self.machine.warn("The maximum function depth was exceeded, results are truncated.")
            self.cut = 1
            return EMPTY
        free = self.machine.purity.free(function.node)
        key = None
        if free is not None:
            key = shape, tuple(args), self._depth, self.machine.version, tuple(map(env.get, free))
            known = self._memo.get(key)
            if known is not None:
                if self._depth:
                    self._join(known[1])
                return known[0]
        before, self.cut = self.cut, 0
        self._depth += 1
        try:
            found = self._run(function, args, env, pure=free is not None)
        finally:
            self._depth -= 1
        if key is not None:
            if len(self._memo) > REMEMBERED:
                self._memo.clear()
            self._memo[key] = found, self.cut
        share, self.cut = self.cut, before
        if not self._depth and share:
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
        body = self.machine.classes.body(node, list(looks.values())) if looks else function.body
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
        plan = self.machine.turns.plan(function.node, name)
        if plan is None:
            return None
        give = _giving(function, env, {place})

        def inside(case: tuple[Value, ...]) -> list[tuple[Value, int]]:
            give(case)
            return self.machine.turns.results(plan, args[place], env)

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
            place: self.machine.classes.looks(node, name, args[place], known, open_names)
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
        written = self.machine.unroll.function(node, set(rolls), {**known, **rolls}, sure)
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
                    self.machine.added(arg)
            many = many or is_expanded(kind, arg)
            if place not in left:
                found.append(choices(kind, arg, self.machine.lowest_first))
        self.machine.work.add(CASE * prod(map(len, found)))
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

    def _inside(self, call: Inner, found: list[Any]) -> Iterator[tuple[Value, int]]:
        for case, weight in combinations(found, any_order=True):
            for value, more in call.results(case):
                self.machine.work.add(CASE)
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
                share if notes.less(share, ends[0]) else ends[0],
                share if notes.less(ends[1], share) else ends[1],
            )
        return self.machine.measured(mixture.value)


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
