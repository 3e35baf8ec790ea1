"""Every row of the tables in docs/coming-from-anydice.md is run, on both sides.

Programs under ``AnyDice`` and what stands beside them (the dice notation, or Python) have to give
exactly the same. In the table of defects the column ``here`` has what the program comes to.
"""

from __future__ import annotations

import doctest
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from oddsmith import Dist, odds
from oddsmith.anydice import run
from oddsmith.errors import OddsmithError

PAGE = Path(__file__).parents[2] / "docs" / "coming-from-anydice.md"
TEXT = PAGE.read_text(encoding="utf-8")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
PIPE = re.compile(r"(?<!\\)\|")
Law = dict[int, Fraction]


@dataclass(frozen=True)
class Row:
    """A line of a table.

    Attributes:
        line: Its number on the page, from 1.
        titles: The titles of the columns.
        cells: What stands in them, code without its marks.
    """

    line: int
    titles: tuple[str, ...]
    cells: tuple[str, ...]


def rows() -> list[Row]:
    """All lines of all tables."""
    text = FENCE.sub(lambda block: "\n" * block.group().count("\n"), TEXT)
    found, titles = [], tuple[str, ...]()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            titles = ()
            continue
        cells = tuple(cell.strip().replace("\\|", "|") for cell in PIPE.split(line)[1:-1])
        if not titles:
            titles = cells
        elif set(line) - set("|-: "):
            assert len(cells) == len(titles), f"line {number}"
            found.append(Row(number, titles, cells))
    return found


ROWS = rows()
NOTATION = [row for row in ROWS if row.titles == ("AnyDice", "odds")]
PYTHON = [row for row in ROWS if row.titles == ("what", "AnyDice", "Python")]
DEFECTS = [row for row in ROWS if row.titles == ("program", "AnyDice", "here", "why")]


def code(cell: str) -> str:
    """What stands between the marks."""
    match = re.fullmatch(r"`([^`]+)`", cell)
    assert match is not None, cell
    return match[1]


def theirs(program: str) -> list[tuple[str, Law]]:
    return [(output.label, dict(output.rows)) for output in run(program).outputs]


def ours(text: str) -> list[Law]:
    """What the notation comes to; questions as 1 and 0."""
    found = []
    for answer in odds(text):
        chance = answer.exact
        if chance is None:
            found.append(dict(answer.dist.items()))
        else:
            found.append({x: p for x, p in ((0, 1 - chance), (1, chance)) if p})
    return found


@cache
def names() -> dict[str, Any]:
    """What the Python blocks of the page import."""
    found: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(TEXT):
        exec(compile(example.source, "<page>", "exec"), found)
    return found


@pytest.mark.parametrize("row", NOTATION, ids=lambda row: str(row.line))
def test_the_notation_gives_the_same(row: Row) -> None:
    program, text = map(code, row.cells)
    wanted = theirs(program)
    assert ours(text) == [law for _, law in wanted]
    if "named" in program:
        assert [answer.label for answer in odds(text)] == [label for label, _ in wanted]


@pytest.mark.parametrize("row", PYTHON, ids=lambda row: str(row.line))
def test_python_gives_the_same(row: Row) -> None:
    _, program, text = row.cells
    ((_, wanted),) = theirs(code(program))
    found = eval(code(text), names())
    assert isinstance(found, Dist)
    assert dict(found.items()) == wanted


@pytest.mark.parametrize("row", DEFECTS, ids=lambda row: str(row.line))
def test_what_is_shown_here(row: Row) -> None:
    program, _, here, _ = row.cells
    pairs = re.findall(r"(-?\d+): (\d+(?:/\d+)?)", code(here))
    assert theirs(code(program))[0][1] == {int(x): Fraction(p) for x, p in pairs}


WARNED = ("<=", "d{}", "^-1", "N: N + 1", "N > 1", "[f d2] }")


@pytest.mark.parametrize("row", DEFECTS, ids=lambda row: str(row.line))
def test_defects_come_with_a_note(row: Row) -> None:
    program = code(row.cells[0])
    notes = run(program).warnings
    assert bool(notes) == any(part in program for part in WARNED)
    for share in re.findall(r"\d+/\d+", row.cells[3]):
        assert any(share in note for note in notes)


def test_no_row_is_passed_over() -> None:
    assert len(NOTATION) >= 40
    assert len(PYTHON) >= 15
    assert len(DEFECTS) >= 9
    known = {row.titles for row in (*NOTATION, *PYTHON, *DEFECTS)}
    others = {row.titles for row in ROWS} - known
    assert others == {("on the site", "here"), ("setting", "values", "at first")}


def test_the_settings_are_those_of_the_language() -> None:
    for row in ROWS:
        if row.titles[0] == "setting":
            setting = code(row.cells[0])
            assert run(f"{setting} output 1").outputs
            with pytest.raises(OddsmithError):
                run(re.sub(r"to \d+", "to 0", setting.replace('to "', 'to "x')) + " output 1")


@pytest.mark.parametrize(
    ("program", "same"),
    [
        ("output [highest 1 of 2d20 + 5]", "output 2d20 + 5"),
        ("output 6d6 > 4", "output 1"),
        ("function: f N:n { result: N } output [f d6 d8]",
         "function: f N:n { result: N } output [f d6d8]"),
    ],
)  # fmt: skip
def test_what_is_often_misread(program: str, same: str) -> None:
    assert theirs(program)[0][1] == theirs(same)[0][1]


def test_every_option_of_the_page_exists() -> None:
    from test_console import run as shown

    helped = shown("odds anydice --help")
    for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", TEXT)):
        assert option in helped, option
