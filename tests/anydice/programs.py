"""Short ways to run a program and to look at what it shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product

import pytest

from oddsmith.anydice import calls, cases, flow, run
from oddsmith.anydice.runtime import Machine
from oddsmith.errors import NotationError

F = Fraction
Law = dict[int, Fraction]


def laws(program: str) -> list[Law]:
    """The chances of every output."""
    return [dict(output.rows) for output in run(program).outputs]


def law(program: str) -> Law:
    """The chances of the only output."""
    (found,) = laws(program)
    return found


def of(value: str, before: str = "") -> Law:
    """The chances of a value, after some statements."""
    return law(f"{before}\noutput {value}")


def number(value: str, before: str = "") -> int:
    """A value that is certain."""
    ((outcome, chance),) = of(value, before).items()
    assert chance == 1
    return outcome


def row(value: str, before: str = "") -> tuple[int, ...]:
    """The elements of a sequence in order, read one by one."""
    size = number(f"#({value})", before)
    return tuple(number(f"{place}@({value})", before) for place in range(1, size + 1))


def refused(program: str) -> NotationError:
    """The error of a program that makes no sense."""
    with pytest.raises(NotationError) as caught:
        run(program)
    return caught.value


def uniform(faces: Iterable[int]) -> Law:
    """A die with these faces, repeats counted."""
    every = list(faces)
    found: Law = defaultdict(Fraction)
    for face in every:
        found[face] += F(1, len(every))
    return dict(found)


def rolled(function: Callable[..., int], *dice: Iterable[int]) -> Law:
    """A function of independent dice, by walking every roll."""
    return uniform(function(*faces) for faces in product(*map(list, dice)))


def d(sides: int) -> range:
    """The faces of a die."""
    return range(1, sides + 1)


def together(program: str, force: bool = False) -> list[Law]:
    """The chances of every output, where no pool is tried roll by roll: that would fail.

    Args:
        program: The program.
        force: Whether all rolls are gone through at once even where that takes longer.
    """
    plain = calls.Calls._cases

    def checked(self: calls.Calls, call: object, types: tuple[str, ...], *rest: object) -> object:
        args: list[object] = rest[0]  # type: ignore[assignment]
        defined = isinstance(call, calls.Call) and call.shape in self.machine.functions
        tried = [kind for kind, arg in zip(types, args, strict=True) if cases.is_long(arg)]
        assert not (defined and "s" in tried), f"{call.shape} is tried"  # type: ignore[attr-defined]
        return plain(self, call, types, *rest)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cases, "WORTH_IT", 0)
        patch.setattr(calls.Calls, "_cases", checked)
        if force:
            patch.setattr(flow, "SLOWER", 1e-6)
            patch.setattr(flow.Flow, "_is_whole", lambda _, __: False)
        machine = Machine(program)
        machine.run()
    assert machine.outputs
    return [{} if shown.law is None else dict(shown.law.items()) for shown in machine.outputs]
