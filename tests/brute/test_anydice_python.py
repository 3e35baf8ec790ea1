"""Random AnyDice programs written in Python: what the Python gives, against the interpreter."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from fractions import Fraction
from typing import Any

from hypothesis import given, note

from oddsmith.anydice import run
from oddsmith.anydice.python import script
from oddsmith.anydice.translate import Untold
from oddsmith.errors import OddsmithError

from . import anydice_naive as naive
from .test_anydice_fuzz import TRIES, looking, programs, walking

Node = naive.Node
Named = list[tuple[str, dict[int, Fraction]]]


def executed(python: str) -> Named:
    """The outputs of a program in Python."""
    names: dict[str, Any] = {}
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(python, "<program>", "exec"), names)
    found = [(name, dict(dist.items())) for name, dist in names["outputs"]]
    assert printed.getvalue().count("\n") >= len(found)
    return found


def check(program: tuple[Node, ...]) -> None:
    source = naive.written(program)
    note(source)
    try:
        wanted = [(output.label, dict(output.rows)) for output in run(source).outputs]
        python = script(source)
    except (OddsmithError, Untold, OverflowError):
        return
    note(python)
    assert executed(python) == wanted


@TRIES
@given(program=programs())
def test_programs_with_functions(program: tuple[Node, ...]) -> None:
    check(program)


@TRIES
@given(program=programs(functions=False))
def test_programs_without_functions(program: tuple[Node, ...]) -> None:
    check(program)


@TRIES
@given(program=looking())
def test_looking_at_rolls(program: tuple[Node, ...]) -> None:
    check(program)


@TRIES
@given(program=walking())
def test_walking_through_rolls(program: tuple[Node, ...]) -> None:
    check(program)
