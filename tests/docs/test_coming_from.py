"""Every row of the tables in docs/coming-from-icepool-and-dyce.md is run, on both sides.

Under ``oddsmith`` there is code and under ``result`` what it comes to. Code under ``icepool`` and
``dyce`` is run too where these are installed, and must come to the same; where the table has a
column ``they say``, it must come to that instead, and to something else than the result.
"""

from __future__ import annotations

import ast
import doctest
import math
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from oddsmith import Dist

PAGE = Path(__file__).parents[2] / "docs" / "coming-from-icepool-and-dyce.md"
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
RULE = re.compile(r"\|(?: ?:?-+:? ?\|)+")
PIPE = re.compile(r"(?<!\\)\|")
CODE = re.compile(r"`([^`]+)`")
COLUMNS = {"what", "icepool", "dyce", "Troll", "SnakeEyes", "Lea", "elsewhere", "they say"}
OURS = ["oddsmith", "result"]
PEERS = ("icepool", "dyce")


@dataclass(frozen=True, eq=False)
class Row:
    """One line of a table.

    Attributes:
        name: The line and what it is about.
        line: Its number on the page, from 1.
        cells: By the titles of the columns.
    """

    name: str
    line: int
    cells: dict[str, str]

    def code(self, title: str) -> str | None:
        """What stands in a cell as code; None for a cell that holds words."""
        found = CODE.fullmatch(self.cells.get(title, ""))
        return found and found.group(1)


def split(line: str) -> list[str]:
    """The cells of a line of a table."""
    if not (line.startswith("|") and line.endswith("|") and not line.endswith("\\|")):
        raise ValueError(f"this is no line of a table: {line}")
    return [cell.strip().replace("\\|", "|") for cell in PIPE.split(line)[1:-1]]


def rows(text: str) -> list[Row]:
    """All lines of all tables of a page.

    Raises:
        ValueError: For a line that does not fit: an unknown column, a cell too many or too few,
            no code or no result.
    """
    text = FENCE.sub(lambda block: "\n" * block.group().count("\n"), text)
    found, titles = [], list[str]()
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if not line.startswith("|"):
            titles = []
        elif not titles:
            titles = split(line)
            if titles[-2:] != OURS or not set(titles[:-2]) <= COLUMNS:
                raise ValueError(f"line {number}: a table with the columns {titles}")
            if number == len(lines) or not RULE.fullmatch(lines[number]):
                raise ValueError(f"line {number}: no line of dashes follows")
        elif not RULE.fullmatch(line):
            cells = split(line)
            if len(cells) != len(titles):
                raise ValueError(f"line {number}: {len(cells)} cells in {len(titles)} columns")
            row = Row(f"{number} {cells[0]}", number, dict(zip(titles, cells, strict=True)))
            if row.code("oddsmith") is None or not row.cells["result"] or not cells[0]:
                raise ValueError(f"line {number}: the code, the result or its name is missing")
            if any("`" in cell and CODE.fullmatch(cell) is None for cell in peers_of(row)):
                raise ValueError(f"line {number}: a cell is either code or words")
            found.append(row)
    return found


def peers_of(row: Row) -> list[str]:
    return [row.cells[peer] for peer in PEERS if peer in row.cells]


TEXT = PAGE.read_text(encoding="utf-8")
ROWS = rows(TEXT)
ASKED = [(row, peer) for row in ROWS for peer in PEERS if row.code(peer)]


@cache
def blocks() -> list[doctest.Example]:
    """The Python examples of the page, with the number of their line."""
    return doctest.DocTestParser().get_examples(TEXT)


def run(code: str, names: dict[str, Any]) -> Any:
    """The value of the last expression after all statements before it."""
    *before, last = ast.parse(code).body
    if not isinstance(last, ast.Expr):
        raise ValueError(f"the code does not end in an expression: {code}")
    exec(compile(ast.Module(before, []), "<row>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<row>", "eval"), names)


@cache
def ours(row: Row) -> Any:
    """What the code under ``oddsmith`` comes to, with the names of the blocks above it."""
    names: dict[str, Any] = {}
    for example in blocks():
        if example.lineno < row.line and not example.exc_msg:
            exec(compile(example.source, "<page>", "exec"), names)
    return run(row.code("oddsmith") or "", names)


def theirs(row: Row, peer: str) -> Any:
    """What the code of a peer comes to, in the plain words of this project."""
    module: Any = import_module(peer)
    names = {"Fraction": Fraction, peer: module}
    names |= {name: getattr(module, name) for name in module.__all__}
    if peer == "dyce":
        names |= vars(import_module("dyce.d"))
    else:
        names |= {f"d{n}": module.d(n) for n in range(1, 101)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return plain(run(row.code(peer) or "", names))


def plain(value: Any) -> Any:
    """A result of any of the libraries as a ``Dist``, number, text or tuple."""
    kind = type(value)
    if isinstance(value, Dist) or value is None:
        return value
    if kind.__module__.startswith("icepool") and kind.__name__ == "Symbols":
        return str(value)
    if kind.__module__.startswith(PEERS) and isinstance(value, Mapping):
        return Dist({plain(outcome): weight for outcome, weight in value.items()})
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(map(plain, value))
    if isinstance(value, dict):
        return {plain(key): plain(each) for key, each in value.items()}
    return int(value) if isinstance(value, bool) else value


def agree(mine: Any, other: Any) -> bool:
    """The same, or as near as two floats are after some steps."""
    if isinstance(mine, tuple) and isinstance(other, tuple):
        return len(mine) == len(other) and all(map(agree, mine, other))
    if isinstance(mine, float) or isinstance(other, float):
        return math.isclose(mine, other, rel_tol=1e-9, abs_tol=1e-12)
    return bool(mine == other)


def test_there_are_rows() -> None:
    assert len(ROWS) > 150
    assert len(ASKED) > 100


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_result(row: Row) -> None:
    assert str(ours(row)) == row.cells["result"]


@pytest.mark.parametrize(("row", "peer"), ASKED, ids=lambda part: getattr(part, "name", part))
def test_peer(row: Row, peer: str) -> None:
    if find_spec(peer) is None:
        pytest.skip(f"{peer} is not installed")
    if "they say" not in row.cells:
        assert agree(plain(ours(row)), theirs(row, peer))
        return
    try:
        said = str(theirs(row, peer))
    except Exception as error:
        said = type(error).__name__
    assert said == row.cells["they say"]
    assert said != row.cells["result"]


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        ("| what | oddsmith | result |\n|---|---|---|\n| one | `1` |", "2 cells in 3"),
        ("| what | oddsmith | result |\n|---|---|---|\n| one | 1 | 1 |", "is missing"),
        ("| what | oddsmith | result |\n|---|---|---|\n| one | `1` | |", "is missing"),
        ("| what | oddsmith | result |\n| one | `1` | 1 |", "no line of dashes"),
        ("| what | oddsmith |\n|---|---|\n| one | `1` |", "with the columns"),
        ("| what | iceberg | oddsmith | result |\n|---|---|---|---|", "with the columns"),
        ("| what | oddsmith | result |\n|---|---|---|\n| one | `1` | 1", "no line of a table"),
        (
            "| what | dyce | oddsmith | result |\n|---|---|---|---|\n| a | see `b` | `1` | 1 |",
            "either code or words",
        ),
    ],
)
def test_what_cannot_be_read_is_refused(table: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        rows(table)


def test_a_pipe_inside_a_cell() -> None:
    (row,) = rows("| what | oddsmith | result |\n|---|---|---|\n| or | `4 \\| 1` | 5 |")
    assert run(row.code("oddsmith") or "", {}) == 5


def test_a_wrong_result_is_noticed() -> None:
    (row,) = rows("| what | oddsmith | result |\n|---|---|---|\n| sum | `x = 2; x + 2` | 5 |")
    assert str(run(row.code("oddsmith") or "", {})) != row.cells["result"]
    with pytest.raises(ValueError, match="does not end in an expression"):
        run("x = 1", {})


def test_agreement() -> None:
    assert agree((1, 0.1 + 0.2), (1, 0.3))
    assert not agree((1, 0.31), (1, 0.3))
    assert not agree((1,), (1, 2))
    assert not agree(Dist([1, 2]), Dist([1, 1, 2]))
