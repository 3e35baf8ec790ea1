"""Every line of the list "What to call for what" in the reference is run.

Under ``write`` there is code, under ``from`` the module its names come from, and under ``result``
what it comes to.
"""

from __future__ import annotations

import re
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import oddsmith

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "index.md"
LINE = re.compile(r"\| ([^|`]+) \| `([^`]+)` \| (?:`([\w.]+)` )?\| (.+) \|")
SECTION = "## What to call for what"


def lines(text: str) -> list[tuple[str, ...]]:
    """What is wanted, the code, the module (or nothing) and the result."""
    return [match.groups(default="") for match in LINE.finditer(text.partition(SECTION)[2])]


LISTED = lines(PAGE.read_text(encoding="utf-8"))


def test_no_line_is_passed_over() -> None:
    after = PAGE.read_text(encoding="utf-8").partition(SECTION)[2]
    rows = [line for line in after.splitlines() if line.startswith("|") and "`" in line]
    assert len(rows) == len(LISTED) > 50


def test_every_mechanic_is_in_its_list() -> None:
    named = set(re.findall(r"`(\w+)`", (PAGE.parent / "mechanics.md").read_text(encoding="utf-8")))
    folder = ROOT / "src" / "oddsmith" / "mechanics"
    assert named >= {path.stem for path in folder.glob("[a-z]*.py")}


def test_no_two_lines_are_wanted_alike() -> None:
    wanted = [line[0] for line in LISTED]
    assert len(wanted) == len(set(wanted))


@pytest.mark.parametrize("line", LISTED, ids=lambda line: line[0])
def test_result(line: tuple[str, ...]) -> None:
    _, code, module, result = line
    names: dict[str, Any] = {name: getattr(oddsmith, name) for name in oddsmith.__all__}
    names |= {"Fraction": Fraction, "folds": import_module("oddsmith.folds")}
    names["Throw"] = import_module("oddsmith.mechanics.throw").Throw
    if module:
        home = import_module(f"oddsmith.{module}")
        own = {name for name, value in vars(home).items() if _is_of(value, home.__name__)}
        assert own & set(re.findall(r"\w+", code)), f"nothing here comes from {module}"
        names |= {name: vars(home)[name] for name in own}
    assert str(eval(code, names)) == result


def _is_of(value: Any, module: str) -> bool:
    return getattr(value, "__module__", None) == module
