"""Loops over known numbers, written out: what a turn looks at is then known, too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oddsmith.anydice import nodes as n
from oddsmith.anydice.purity import replaced, statements, walk

if TYPE_CHECKING:
    from oddsmith.anydice.runtime import Machine
    from oddsmith.anydice.values import Value

    Env = dict[str, Value]

MOST = 40
"""So many turns of all the loops of a function are written out."""


class Unroll:
    """Functions with their loops written out.

    Args:
        machine: The machine of the program.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._known: dict[Any, n.Function] = {}

    def function(self, node: n.Function, rolls: set[str], env: Env, sure: set[str]) -> n.Function:
        """A function with its loops written out; itself where there is nothing to write out.

        Args:
            node: The function.
            rolls: Its parameters that are rolls: of them the length is known.
            env: The variables.
            sure: Those that are certain.
        """
        job = _Job(self.machine, rolls, env, sure)
        body = job.block(node.body)
        if not job.rows:
            return node
        key = id(node), self.machine.version, tuple(job.rows)
        if key not in self._known:
            self._known[key] = node.but(body=body)
        return self._known[key]


class _Job:
    """One function, with certain arguments."""

    def __init__(self, machine: Machine, rolls: set[str], env: Env, sure: set[str]) -> None:
        self.machine, self.rolls, self.env, self.sure = machine, rolls, env, sure
        self.rows: list[tuple[int, tuple[int, ...]]] = []
        self.turns = 0

    def block(self, nodes: tuple[Any, ...]) -> tuple[Any, ...]:
        found: list[Any] = []
        for node in nodes:
            if isinstance(node, n.Loop):
                found += self._loop(node)
            elif isinstance(node, n.If):
                found.append(node.but(yes=self.block(node.yes), no=self.block(node.no)))
            else:
                found.append(node)
        return tuple(found)

    def _loop(self, loop: n.Loop) -> list[Any]:
        row = self._row(loop)
        if row is None or self.turns + len(row) > MOST:
            return [loop]
        self.rows.append((id(loop), row))
        self.turns += len(row)
        found: list[Any] = []
        for element in row:
            number = n.Number(element, loop.over.span)
            table = {
                id(part): number
                for node in loop.body
                for part in walk(node)
                if isinstance(part, n.Variable) and part.name == loop.name
            }
            found.append(n.Assign(loop.name, number, loop.over.span))
            found += self.block(replaced(loop.body, table))
        return found

    def _row(self, loop: n.Loop) -> tuple[int, ...] | None:
        """What a loop goes over, where it looks at a roll and that is known."""
        if any(part.name == loop.name for part in statements(loop.body)):
            return None
        names = {
            part.name for node in loop.body for part in walk(node) if isinstance(part, n.Variable)
        }
        if not names & self.rolls or not self._is_certain(loop.over):
            return None
        row = self.machine.compiler.expr(loop.over)(self.env)
        return row if isinstance(row, tuple) else None

    def _is_certain(self, node: Any) -> bool:
        if isinstance(node, n.Variable):
            return node.name in self.sure
        if isinstance(node, n.Unary) and node.op == "#" and isinstance(node.body, n.Variable):
            return node.body.name in self.rolls | self.sure
        if isinstance(node, n.Call):
            return False
        if isinstance(node, n.Sequence):
            parts = [value for part in node.parts for value in (part.low, part.high, part.times)]
            return all(self._is_certain(part) for part in parts if part is not None)
        if isinstance(node, n.Binary):
            return self._is_certain(node.left) and self._is_certain(node.right)
        if isinstance(node, n.Unary):
            return self._is_certain(node.body)
        return True
