"""Short ways to run a program and to look at what it shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product

import pytest

from oddsmith.anydice import run
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
