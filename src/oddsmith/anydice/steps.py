"""The steps of a function that is written out, and what is still needed before each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oddsmith.anydice import nodes as n
from oddsmith.anydice.purity import has_result, statements, walk
from oddsmith.anydice.values import EMPTY, Value
from oddsmith.anydice.writing import Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from oddsmith.anydice.runtime import Machine

    Env = dict[str, Value]
    Run = Callable[[Env], Value | None]


class Step:
    """One step: a test with two ways on, or a statement with one.

    Args:
        run: What it does.
        ways: Where it goes on: after it, and after a result; or the two ways of a test. None is
            the end.
        level: How many calls deep it stands.
        name: The variable that a result is put into; None for the result of it all.
        is_test: Whether its value says which way it goes on.

    Attributes:
        number: Larger than that of every step that may come after it.
        reads: The variables that it reads.
        writes: Those that it sets.
        live: Those that it or a later step reads.
        uses: The features that it looks at.
        looks: Those that it or a later step looks at.
    """

    __slots__ = ("is_test", "level", "live", "looks", "name", "number", "reads", "run", "uses",
                 "ways", "writes")  # fmt: skip

    def __init__(
        self, run: Run, ways: tuple[Step | None, Step | None], level: int,
        name: str | None = None, is_test: bool = False,
    ) -> None:  # fmt: skip
        self.run, self.ways, self.level, self.name, self.is_test = run, ways, level, name, is_test
        self.number = 0
        self.reads: tuple[str, ...] = ()
        self.writes: tuple[str, ...] = ()
        self.live: tuple[str, ...] = ()
        self.uses: tuple[str, ...] = ()
        self.looks: tuple[str, ...] = ()


class Chain:
    """The steps of some statements.

    Args:
        machine: The machine of the program.
        nodes: The statements.
        params: The variables that are set before them.
        features: The variables of what is seen of rolls.

    Attributes:
        steps: All of them, the last ones first.
        first: Where it begins; None where there is nothing to do.
    """

    def __init__(
        self, machine: Machine, nodes: tuple[Any, ...], params: tuple[str, ...],
        features: tuple[str, ...],
    ) -> None:  # fmt: skip
        self.machine, self.features = machine, set(features)
        self.own = {*params, *_set(nodes)}
        self.steps: list[Step] = []
        self.first = self._begin(nodes)

    def _begin(self, nodes: tuple[Any, ...]) -> Step | None:
        """The first step of all: variables that only keep what is seen are set together with it.

        As nothing is lost when they are set later, the rolls are shown at once, as far as needed.
        """
        lead: list[Any] = []
        for node in nodes:
            names = [part.name for part in walk(node) if isinstance(part, n.Variable)]
            if not isinstance(node, n.Assign) or len(names) != 1 or names[0] not in self.features:
                break
            lead.append(node)
        row = nodes[len(lead) : len(lead) + 1]
        if not lead or not row or isinstance(row[0], Scope):
            return self._chain(nodes, None, (None, None), 0)
        after = self._chain(nodes[len(lead) + 1 :], None, (None, None), 0)
        if self._is_one(row[0]):
            return self._plain([*lead, *row], after, (None, None), 0)
        return self._test(row[0], after, (None, None), 0, lead)

    def _chain(
        self, nodes: tuple[Any, ...], after: Step | None, leave: tuple[str | None, Step | None],
        level: int,
    ) -> Step | None:  # fmt: skip
        """The first of the steps of some statements.

        Args:
            nodes: The statements.
            after: What comes after them.
            leave: The variable of a result, and what comes after that.
            level: How many calls deep they stand.
        """
        row: list[Any] = []
        for node in reversed(nodes):
            if row and (not self._is_one(node) or not self._go_together(node, row)):
                after, row = self._plain(row, after, leave, level), []
            if self._is_one(node):
                row.insert(0, node)
            elif isinstance(node, Scope):
                end = self._no_result(node.name, after, level)
                after = self._chain(node.body, end, (node.name, after), level + 1)
            else:
                after = self._test(node, after, leave, level)
        return self._plain(row, after, leave, level) if row else after

    def _test(
        self, node: n.If, after: Step | None, leave: tuple[str | None, Step | None], level: int,
        lead: Sequence[Any] = (),
    ) -> Step:  # fmt: skip
        """A test, with what is set before it at once."""
        yes, no = (self._chain(block, after, leave, level) for block in (node.yes, node.no))
        test = self.machine.compiler.test(node.test)
        before = self.machine.compiler.block(tuple(lead))

        def run(env: Env) -> Value:
            before(env)
            return test(env)

        step = Step(run if lead else test, (yes, no), level, is_test=True)
        return self._added(step, (*lead, n.If(node.test, (), (), node.span)))

    def _plain(
        self, nodes: list[Any], after: Step | None, leave: tuple[str | None, Step | None],
        level: int,
    ) -> Step:  # fmt: skip
        row = tuple(nodes)
        follows = None if isinstance(row[-1], n.Result) else after
        way = leave[1] if has_result(row) else None
        block = self.machine.compiler.block(row)
        return self._added(Step(block, (follows, way), level, leave[0]), row)

    def _go_together(self, node: Any, row: list[Any]) -> bool:
        """Whether a statement may be done at once with those after it.

        Either it needs as much of the rolls, or it is one that needs nothing and leaves nothing.
        """
        needs, more = self._seen((node,)), self._seen(tuple(row))
        return more <= needs or (not needs and isinstance(node, n.Assign))

    def _seen(self, nodes: tuple[Any, ...]) -> set[str]:
        """The features in statements."""
        parts = (part for node in nodes for part in walk(node))
        return {part.name for part in parts if isinstance(part, n.Variable)} & self.features

    def _no_result(self, name: str, after: Step | None, level: int) -> Step:
        """A function that comes to no result gives the empty die."""

        def run(env: Env) -> None:
            env[name] = EMPTY

        step = Step(run, (after, None), level)
        step.writes = (name,)
        return self._placed(step, set(), set(), {name})

    def _is_one(self, node: Any) -> bool:
        """Whether a statement may be done at once: the blocks of a test look at nothing more."""
        if not isinstance(node, n.If):
            return not isinstance(node, Scope)
        blocks = (*node.yes, *node.no)
        has_call = any(isinstance(part, Scope) for block in blocks for part in walk(block))
        return not has_call and self._seen(blocks) <= self._seen((node.test,))

    def _added(self, step: Step, nodes: tuple[Any, ...]) -> Step:
        """A step with what it reads; what it may leave as it was, it reads as well."""
        _, early = self.machine.purity.reads(nodes, set())
        sure = {node.name for node in nodes if isinstance(node, n.Assign)}
        step.writes = tuple(sorted(set(_set(nodes))))
        reads = early & self.own
        unsure = set(step.writes) - sure
        for way, left in zip(
            step.ways, (unsure, unsure if step.is_test else set(step.writes)), strict=True
        ):
            reads |= left & set(way.live) if way is not None else set()
        return self._placed(step, reads, early & self.features, sure)

    def _placed(self, step: Step, reads: set[str], uses: set[str], sure: set[str]) -> Step:
        live, looks = set(reads), set(uses)
        result = {step.name} if step.name else set()
        for way, fresh in zip(step.ways, (sure, sure if step.is_test else result), strict=True):
            if way is not None:
                live |= set(way.live) - fresh
                looks |= set(way.looks)
        step.reads, step.uses = tuple(sorted(reads)), tuple(sorted(uses))
        step.live, step.looks = tuple(sorted(live)), tuple(sorted(looks))
        step.number = len(self.steps)
        self.steps.append(step)
        return step


def _set(nodes: tuple[Any, ...]) -> list[str]:
    """The variables that statements set."""
    names = [part.name for part in statements(nodes)]
    for node in nodes:
        if isinstance(node, Scope):
            names += [node.name, *_set(node.body)]
        if isinstance(node, n.If):
            names += [name for block in (node.yes, node.no) for name in _scopes(block)]
    return names


def _scopes(nodes: tuple[Any, ...]) -> list[str]:
    """Those of the calls inside the blocks of a condition."""
    return [name for node in nodes if not isinstance(node, n.Assign) for name in _set((node,))]
