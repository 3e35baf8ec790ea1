"""Which functions may be remembered: those whose cases do not hand anything to one another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oddsmith.anydice import nodes as n

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oddsmith.anydice.runtime import Machine


class Purity:
    """Looks at bodies without running them.

    Args:
        machine: Where the functions of the program are defined.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._known: dict[tuple[int, int], tuple[str, ...] | None] = {}

    def free(self, node: n.Function) -> tuple[str, ...] | None:
        """The variables of its surroundings that a function reads; None where cases are not alone.

        A variable that is assigned, and may be read before that, carries over from case to case.
        """
        key = id(node), self.machine.version
        if key not in self._known:
            self._known[key] = self._free(node)
        return self._known[key]

    def _free(self, node: n.Function) -> tuple[str, ...] | None:
        params = {name for name, _ in node.params}
        reads: set[str] = set()
        assigned: set[str] = set()
        early: set[str] = set()
        self._walk(node.body, params, set(), reads, assigned, early, {node.shape})
        if early & assigned:
            return None
        return tuple(sorted(reads - params))

    def _walk(
        self, nodes: tuple[Any, ...], params: set[str], sure: set[str], reads: set[str],
        assigned: set[str], early: set[str], seen: set[str],
    ) -> None:  # fmt: skip
        """Collect reads; ``early`` are those of variables that are not surely assigned before."""
        for node in nodes:
            if isinstance(node, n.Assign):
                self._reads(node.value, params | sure, reads, early, seen)
                assigned.add(node.name)
                sure.add(node.name)
            elif isinstance(node, n.If):
                self._reads(node.test, params | sure, reads, early, seen)
                after = []
                for block in (node.yes, node.no):
                    inner = set(sure)
                    self._walk(block, params, inner, reads, assigned, early, seen)
                    if not _ends(block):
                        after.append(inner)
                if after:
                    sure |= set.intersection(*after)
            elif isinstance(node, n.Loop):
                self._reads(node.over, params | sure, reads, early, seen)
                assigned.add(node.name)
                self._walk(node.body, params, sure | {node.name}, reads, assigned, early, seen)
            elif isinstance(node, n.Result):
                self._reads(node.value, params | sure, reads, early, seen)

    def _reads(
        self, node: Any, sure: set[str], reads: set[str], early: set[str], seen: set[str]
    ) -> None:
        for part in walk(node):
            if isinstance(part, n.Variable):
                reads.add(part.name)
                if part.name not in sure:
                    early.add(part.name)
            if isinstance(part, n.Call) and part.shape in self.machine.functions:
                if part.shape in seen:
                    continue
                called = self.machine.functions[part.shape].node
                inner_reads: set[str] = set()
                inner_early: set[str] = set()
                own = {name for name, _ in called.params}
                self._walk(
                    called.body, own, set(), inner_reads, set(), inner_early, {*seen, part.shape}
                )
                reads |= inner_reads - own
                early |= inner_early - sure

    def reads(self, nodes: tuple[Any, ...], sure: set[str]) -> tuple[set[str], set[str]]:
        """The variables that statements read, and those that they may read before assigning them.

        Args:
            nodes: The statements.
            sure: Variables that are set before them.
        """
        reads: set[str] = set()
        early: set[str] = set()
        self._walk(nodes, set(sure), set(), reads, set(), early, set())
        return reads, early

    def assigned_params(self, node: n.Function) -> list[str]:
        """Parameters that the body assigns."""
        names = {name for name, _ in node.params}
        return sorted(names & {part.name for part in statements(node.body)})


def walk(node: Any) -> Iterator[Any]:
    """A value and everything in it."""
    yield node
    for name in getattr(node, "_fields", ()):
        value = getattr(node, name)
        for part in value if isinstance(value, tuple) else (value,):
            if hasattr(part, "_fields"):
                yield from walk(part)


def _ends(nodes: tuple[Any, ...]) -> bool:
    """Whether a block surely comes to a result."""
    if not nodes:
        return False
    last = nodes[-1]
    return isinstance(last, n.Result) or (
        isinstance(last, n.If) and _ends(last.yes) and _ends(last.no)
    )


def has_result(nodes: tuple[Any, ...]) -> bool:
    """Whether statements may come to a result."""
    for node in nodes:
        if isinstance(node, n.Result):
            return True
        if isinstance(node, n.Loop) and has_result(node.body):
            return True
        if isinstance(node, n.If) and (has_result(node.yes) or has_result(node.no)):
            return True
    return False


def statements(nodes: tuple[Any, ...]) -> Iterator[Any]:
    """Assignments and loops of a body, however deep."""
    for node in nodes:
        if isinstance(node, (n.Assign, n.Loop)):
            yield node
        if isinstance(node, n.Loop):
            yield from statements(node.body)
        if isinstance(node, n.If):
            yield from statements((*node.yes, *node.no))


def replaced(value: Any, table: dict[int, Any]) -> Any:
    """A tree with some nodes replaced."""
    if id(value) in table:
        return table[id(value)]
    if isinstance(value, tuple):
        return tuple(replaced(part, table) for part in value)
    if not hasattr(value, "_fields"):
        return value
    return type(value)(*(replaced(getattr(value, name), table) for name in value._fields))


def is_variable(node: Any, name: str) -> bool:
    """Whether a node is the variable of that name."""
    return isinstance(node, n.Variable) and node.name == name
