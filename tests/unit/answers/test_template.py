"""Tables from texts with ranges."""

from __future__ import annotations

from fractions import Fraction

import pytest
from click.testing import CliRunner

from oddsmith.answers.template import holes, spelled, table_of
from oddsmith.cli.main import cli
from oddsmith.errors import NotationError, RuleError

F = Fraction


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1..3", ["1", "2", "3"]), ("-1..1", ["-1", "0", "1"]), ("5..25..10", ["5", "15", "25"]),
        ("7", ["7"]), ("d4, d6", ["d4", "d6"]),
    ],
)  # fmt: skip
def test_ranges(text: str, values: list[str]) -> None:
    assert spelled(text) == values


@pytest.mark.parametrize("text", ["3..1", "1..9..0", "1,,2", "", "1..99999999"])
def test_wrong_ranges(text: str) -> None:
    with pytest.raises(RuleError):
        spelled(text)


def test_two_ranges_make_a_grid() -> None:
    """d20 + m >= t: (21 - t + m) / 20, between 0 and 1."""
    ranges = {"m": spelled("0..10..5"), "t": spelled("5..35..5")}
    table = table_of("d20+{m} >= {t}", ranges)
    for m in (0, 5, 10):
        for t in range(5, 36, 5):
            expected = min(F(1), max(F(0), F(21 - t + m, 20)))
            assert table.cell(str(m), str(t)) == expected


def test_one_range_of_distributions() -> None:
    table = table_of("{n}d6", {"n": ["1", "2"]})
    assert table.rows[1] == ("2", (F(7), F(35, 6), F(2), F(7), F(12)))
    assert table.unit == "number"


def test_one_range_of_contests() -> None:
    table = table_of("d6+{n} vs d6", {"n": ["0"]})
    assert (table.columns, table.rows[0][1]) == (
        ("win", "tie", "lose"), (F(5, 12), F(1, 6), F(5, 12)),
    )  # fmt: skip


def test_a_grid_of_means_says_so() -> None:
    table = table_of("{n}d{s}", {"n": ["1", "2"], "s": ["4", "6"]})
    assert table.cell("2", "6") == 7
    assert table.notes == ("Cells are means.",)


def test_an_endless_die_has_no_highest_outcome() -> None:
    assert table_of("d{s}!", {"s": ["6"]}).cell("6", "highest") is None


@pytest.mark.parametrize(
    ("template", "ranges"),
    [
        ("d6", {}), ("d6", {"n": ["1"]}), ("{a}d{b} >= {c}", {k: ["1"] for k in "abc"}),
        ("{n}d6; d6", {"n": ["1"]}),
    ],
)  # fmt: skip
def test_what_makes_no_table(template: str, ranges: dict[str, list[str]]) -> None:
    with pytest.raises(RuleError):
        table_of(template, ranges)


def test_a_hole_without_values() -> None:
    with pytest.raises(RuleError, match="b=1"):
        holes("{a}d{b}", {"a": ["1"]})


def test_a_text_that_makes_no_sense() -> None:
    with pytest.raises(NotationError):
        table_of("{n}q6", {"n": ["1"]})


@pytest.mark.parametrize(
    ("typed", "code", "shown"),
    [
        (["d20+{mod} >= {dc}", "mod=0..10", "dc=5..25"], 0, "mod"),
        (["d20+{mod} >= {dc}", "mod=0,5", "dc=15", "--exact"], 0, "11/20"),
        (["foo"], 2, ""), (["d6 >= {x}", "y=1..3"], 2, ""), (["d6 >= {x}", "x"], 2, ""),
    ],
)  # fmt: skip
def test_at_the_command_line(typed: list[str], code: int, shown: str) -> None:
    from oddsmith.errors import OddsmithError

    done = CliRunner().invoke(cli, ["table", *typed])
    if code:
        assert isinstance(done.exception, (OddsmithError, SystemExit))
    else:
        assert (done.exit_code, shown in done.output) == (0, True)
