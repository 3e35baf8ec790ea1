"""Outputs as answers, tables and export text."""

from __future__ import annotations

from fractions import Fraction

import pytest

from oddsmith import Dist
from oddsmith.answers.anydice import export, grid, root, summary, turned, views
from oddsmith.anydice import run
from oddsmith.table import Table

F = Fraction
TWO = 'output d2 named "coin" output d{1, 3, 3} named "odd die"'
WITH_EMPTY = TWO + " output d{}"


def test_normal_has_an_answer_for_each_output() -> None:
    found = views(run(TWO))
    assert [(one.text, one.kind, one.dist) for one in found] == [
        ("coin", "distribution", Dist([1, 2])),
        ("odd die", "distribution", Dist([1, 3, 3])),
    ]


def test_warnings_stand_with_the_first_answer() -> None:
    program = "function: f N:n { if N = 1 { result: 1 } } output d6 output [f d6]"
    first, second = views(run(program))
    assert "[f ?] comes to no result in 83.33 % (5/6)" in first.notes[0]
    assert second.notes == ()
    (table,) = views(run(program), "at-least")
    assert table.notes == first.notes


def test_an_empty_output_is_an_empty_table() -> None:
    answer = views(run(WITH_EMPTY))[2]
    assert answer.kind == "table"
    assert answer.table is not None
    assert answer.table.rows == ()
    assert "empty" in answer.reading


def test_at_least_and_at_most() -> None:
    least, most = (grid(run(WITH_EMPTY), view) for view in ("at-least", "at-most"))
    assert least.columns == most.columns == ("coin", "odd die", "output 3")
    assert least.rows == (
        ("1", (F(1), F(1), None)),
        ("2", (F(1, 2), F(2, 3), None)),
        ("3", (F(0), F(2, 3), None)),
    )
    assert most.rows == (
        ("1", (F(1, 2), F(1, 3), None)),
        ("2", (F(1), F(1, 3), None)),
        ("3", (F(1), F(1), None)),
    )


def test_transposed_has_a_row_for_each_output() -> None:
    found = grid(run(TWO), "transposed")
    assert (found.corner, found.across, found.columns) == ("output", "outcomes", ("1", "2", "3"))
    assert found.rows == (
        ("coin", (F(1, 2), F(1, 2), F(0))),
        ("odd die", (F(1, 3), F(0), F(2, 3))),
    )


def test_two_outputs_of_one_name_stay_apart() -> None:
    found = grid(run('output d2 named "x" output d4 named "x"'), "transposed")
    assert [cells[3] for _, cells in found.rows] == [F(0), F(1, 4)]


def test_turning_twice_changes_nothing() -> None:
    table = Table("t", "a", "b", ("x", "y"), (("p", (F(1), None)), ("q", (F(2), F(3)))))
    assert turned(turned(table)) == table
    assert turned(table).rows == (("x", (F(1), F(2))), ("y", (None, F(3))))


def test_summary() -> None:
    """The odd die: mean 7/3; squares 1, 9, 9 have the mean 19/3, so the variance is 8/9."""
    found = summary(run(WITH_EMPTY))
    assert found.columns == ("mean", "deviation", "variance", "lowest", "highest")
    assert found.rows == (
        ("coin", (F(3, 2), F(1, 2), F(1, 4), F(1), F(2))),
        ("odd die", (F(7, 3), F(942809042, 10**9), F(8, 9), F(1), F(3))),
        ("output 3", (None,) * 5),
    )


@pytest.mark.parametrize("value", [F(0), F(1), F(2), F(1, 3), F(35, 12), F(10**30, 7)])
def test_roots_are_rounded_to_nine_decimals(value: Fraction) -> None:
    found = root(value)
    step = F(1, 2 * 10**9)
    assert (10**9) % found.denominator == 0
    assert max(found - step, F(0)) ** 2 <= value <= (found + step) ** 2


def test_an_enclosed_output_in_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddsmith.anydice.values.MOST_BITS", 6)
    monkeypatch.setattr("oddsmith.anydice.values.KEPT_BITS", 8)
    done = run("output 4d3")
    row = dict(grid(done, "at-least").rows)["12"]
    assert row[0] is not None
    assert row[0] <= F(1, 81)
    assert summary(done).rows[0][1][3:] == (F(4), F(12))
    assert export(done).startswith('"output 1",')
    assert any("rounded down" in note for note in views(done)[0].notes)


# --- the export text of the site


def test_export() -> None:
    assert export(run(TWO)) == "\n".join([
        '"coin",1.5,0.5,1,2', "#,%", "1,50", "2,50", "",
        '"odd die",2.33333333333,0.942809041582,1,3', "#,%", "1,33.3333333333", "3,66.6666666667",
    ])  # fmt: skip


@pytest.mark.parametrize(
    ("view", "rows"),
    [("at-least", ["1,100", "2,50"]), ("at-most", ["1,50", "2,100"])],
)
def test_export_of_running_totals(view: str, rows: list[str]) -> None:
    assert export(run("output d2"), view).splitlines()[2:] == rows


def test_export_transposed() -> None:
    assert export(run("output d2 output d4"), "transposed").split("\n\n")[2] == "\n".join(
        ['"3"', '"output",%', '"output 1",0', '"output 2",25']
    )


def test_export_of_an_empty_output() -> None:
    assert export(run("output d{}")) == '"output 1",,,,\n#,%'


def test_export_of_a_number() -> None:
    assert export(run("output 7")) == '"output 1",7,0,7,7\n#,%\n7,100'
