"""Named tables against reference values that were worked out without this library."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from oddsmith import d6, dF
from oddsmith.answers import tables
from oddsmith.cli.main import cli
from oddsmith.games.catalogue import listed

GOLDEN: dict[str, dict[str, dict[str, Any]]] = json.loads(
    (Path(__file__).parents[2] / "cases" / "golden_tables.json").read_text()
)


def fractions(name: str) -> dict[tuple[str, str], Fraction]:
    """Every cell of a reference table by its row and column."""
    return {
        (row, column): Fraction(value)
        for row, columns in GOLDEN[name].items()
        for column, value in (columns.items() if isinstance(columns, dict) else [("", columns)])
    }


@pytest.mark.parametrize(
    ("name", "dice"), [("2d6_total", 2 @ d6), ("3d6_total", 3 @ d6), ("4dF", 4 @ dF)]
)
def test_totals(name: str, dice: Any) -> None:
    table = tables.totals(dice)
    words = {"exact": "exactly", "at_least": "at least", "at_most": "at most"}
    for (row, column), value in fractions(name).items():
        assert table.cell(row, words[column]) == value, (row, column)


def test_bands() -> None:
    table = tables.bands(2 @ d6, (7, 10, 12), tuple(range(-3, 6)))
    for (row, column), value in fractions("2d6_plus_mod_bands").items():
        found = table.cell(row, "10-11" if column == "10+" else column)
        more = table.cell(row, "12+") if column == "10+" else 0
        assert found is not None
        assert more is not None
        assert found + more == value, (row, column)


def test_advantage() -> None:
    table = tables.advantage()
    for (row, column), value in fractions("d20_target").items():
        assert table.cell(row, column.replace("_", " ")) == value, (row, column)


def test_keep() -> None:
    table = tables.keep()
    words = {
        "exact": "exactly",
        "at_least": "at least",
        "at_least_once_in_six": "at least once in 6",
    }
    for (row, column), value in fractions("4d6_drop_lowest").items():
        assert table.cell(row, words[column]) == value, (row, column)


def test_pool() -> None:
    cells = fractions("d6_pool_at_least")
    table = tables.pool(6, (4, 5, 6), dice=max(int(row.split("d")[0]) for row, _ in cells))
    for (row, column), value in cells.items():
        assert column == "0" or table.cell(row, column) == value, (row, column)


@pytest.mark.parametrize("target", range(3, 11))
def test_cancelling(target: int) -> None:
    table = tables.cancelling(12, target)
    words = {
        "net>=1": "1", "net>=2": "2", "net>=3": "3", "botch_more_1s": "botch: more 1s",
        "botch_no_success_and_a_1": "botch: no success, a 1",
    }  # fmt: skip
    seen = 0
    for (row, column), value in fractions("storyteller_d10").items():
        dice, _, _, difficulty = row.split()
        if int(difficulty) == target:
            assert table.cell(dice, words[column]) == value, (row, column)
            seen += 1
    assert seen > 0


def test_highest() -> None:
    cells = fractions("blades")
    table = tables.highest(max(int(row[:-1]) for row, _ in cells))
    for (row, column), value in cells.items():
        assert table.cell(row[:-1], column) == value, (row, column)


def test_pushed() -> None:
    once, twice = tables.pushed(20, 1), tables.pushed(20, 2)
    words = {
        "base": (once, "once"), "push_all_failures": (once, "all failures"),
        "push_2_to_5": (once, "2 to 5 only"), "two_sixes_base": (twice, "once"),
        "two_sixes_pushed_all": (twice, "all failures"),
    }  # fmt: skip
    for (row, column), value in fractions("year_zero").items():
        table, name = words[column]
        assert table.cell(row, name) == value, (row, column)


def test_open_ended() -> None:
    alone, beside = tables.open_ended(), tables.open_ended(wild_die=6)
    for (row, column), value in fractions("savage_worlds").items():
        die, _, target = row.split()
        table = alone if column == "trait_only" else beside
        assert table.cell(target, die) == value, (row, column)


def test_ranks() -> None:
    table = tables.ranks()
    for (row, column), value in fractions("risk").items():
        assert table.cell(row.replace("v", " against "), column) == value, (row, column)


def test_contest() -> None:
    cells = fractions("dice_sum_attack_ties_lose")
    table = tables.contest(6, 8)
    for (row, _), value in cells.items():
        mine, theirs = (side.split("d")[0] for side in row.split(" vs "))
        assert table.cell(mine, theirs) == value, row


def test_contest_shares_ties() -> None:
    """2 against 2 alike: win 575/1296, tie 146/1296; half of the ties makes 1/2."""
    assert tables.contest(6, 2, "half").cell("2", "2") == Fraction(1, 2)
    assert tables.contest(6, 2, "win").cell("2", "2") == Fraction(721, 1296)


def test_challenge() -> None:
    table = tables.challenge()
    for (row, column), value in fractions("ironsworn").items():
        assert table.cell(row[1:], column) == value, (row, column)


def test_percentile() -> None:
    table = tables.percentile()
    for (row, column), value in fractions("coc7_skill").items():
        assert table.cell(row.split()[1], column) == value, (row, column)


def test_glitches() -> None:
    table = tables.glitches(20)
    words = {
        "glitch_at_least_half": "1s: half or more", "glitch_more_than_half": "1s: more than half",
        "critical_glitch_at_least_half": "half or more, no hit", "hits>=1": "1 hit or more",
        "hits>=3": "3 hits or more",
    }  # fmt: skip
    for (row, column), value in fractions("shadowrun").items():
        assert table.cell(row, words[column]) == value, (row, column)


def test_thresholds() -> None:
    """(N - X + 1) / N, and nothing past the die."""
    table = tables.thresholds()
    for sides in (4, 6, 8, 10, 12, 20):
        for target in range(1, 21):
            cell = table.cell(f"{target}+", f"d{sides}")
            assert cell == (Fraction(sides - target + 1, sides) if target <= sides else None)


@pytest.mark.parametrize("call", listed("table", tables).calls, ids=lambda call: call.name)
@pytest.mark.parametrize("form", ["text", "md", "csv", "json", "latex", "html"])
def test_every_table_at_the_command_line(call: Any, form: str) -> None:
    args = ["table", call.name, *call.example.split(), "--as", form]
    done = CliRunner().invoke(cli, args)
    assert done.exit_code == 0, done.output
    assert len(done.output.splitlines()) > 3
