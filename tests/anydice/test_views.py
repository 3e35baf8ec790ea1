"""Outputs as answers, tables and export text."""

from __future__ import annotations

from fractions import Fraction

import pytest

from oddsmith import Dist
from oddsmith.answers.anydice import (
    caption,
    export,
    grid,
    hundredths,
    root,
    spans,
    summary,
    turned,
    views,
)  # fmt: skip
from oddsmith.anydice import run
from oddsmith.errors import OutcomeError
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


def test_captions_are_mean_and_deviation_with_two_decimals() -> None:
    """3d6: 10.5 and the root of 3 * 35/12 = 8.75; the odd die: 7/3 and the root of 8/9."""
    done = run(TWO + " output 3d6 output -7 output d{}")
    assert [caption(output) for output in done.outputs] == [
        "(1.50 / 0.50)", "(2.33 / 0.94)", "(10.50 / 2.96)", "(-7.00 / 0.00)", "(- / -)",
    ]  # fmt: skip
    assert views(done)[2].reading == "(10.50 / 2.96), an output of an AnyDice program"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (F(0), "0.00"), (F(-1, 3), "-0.33"), (F(1, 200), "0.00"), (F(3, 200), "0.02"),
        (F(-1, 1000), "0.00"), (F(10**15) - F(1, 100), "999999999999999.99"),
        (F(10**15), "about 10^15"), (F(-(10**30)), "about -10^30"),
    ],
)  # fmt: skip
def test_two_decimals(value: Fraction, text: str) -> None:
    assert hundredths(value) == text


def test_outcomes_far_beyond_floats_are_a_table() -> None:
    """9^999 has 954 digits: 999 * log10 9 = 953.28."""
    answer = views(run("output 9^999 * d2"))[0]
    assert answer.table is not None
    assert [len(name) for name, _ in answer.table.rows] == [954, 954]
    assert "about 10^953" in answer.reading
    assert export(run("output 9^999")).splitlines()[2].endswith(",100")


def test_outcomes_that_nobody_reads_are_refused() -> None:
    done = run("output 9^9999 output 3")
    for data in ("normal", "at-least", "transposed", "summary"):
        with pytest.raises(OutcomeError, match="more than 4,000 digits"):
            views(done, data)
    with pytest.raises(OutcomeError, match="more than 4,000 digits"):
        export(done)


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
    least, most = (grid(run(WITH_EMPTY).outputs, view) for view in ("at-least", "at-most"))
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
    found = grid(run(TWO).outputs, "transposed")
    assert (found.corner, found.across, found.columns) == ("output", "outcomes", ("1", "2", "3"))
    assert found.rows == (
        ("coin", (F(1, 2), F(1, 2), F(0))),
        ("odd die", (F(1, 3), F(0), F(2, 3))),
    )


def test_many_outcomes_are_joined_and_rare_ones_left_out() -> None:
    """d1000: one in a thousand is left out at either end, and what is left is joined by twenties.

    From 2 to 999 there are 998 outcomes, so 20 is the smallest width of 1, 2, 5, 10, 20 .. that
    makes 60 at most.
    """
    done = run("output d1000").outputs
    row = grid(done, "transposed", 60)
    assert row.columns[:2] == ("0 to 19", "20 to 39")
    assert row.columns[-1] == "980 to 999"
    assert row.rows[0][1][1] == F(20, 1000)
    assert dict(grid(done, "at-least", 60).rows)["500"] == (F(501, 1000),)
    assert dict(grid(done, "at-most", 60).rows)["499"] == (F(499, 1000),)
    assert row.notes
    assert grid(done, "transposed").notes == ()
    assert len(grid(done, "transposed").columns) == 1000


@pytest.mark.parametrize(("count", "most"), [(10, 10), (11, 10), (1000, 7), (50, 1)])
def test_ranges_hold_every_outcome_once(count: int, most: int) -> None:
    outcomes = [3 * k - 50 for k in range(count)]
    found = spans(outcomes, most)
    assert len(found) <= max(most, 2)
    assert [sum(low <= x <= high for low, high in found) for x in outcomes] == [1] * count


def test_two_outputs_of_one_name_stay_apart() -> None:
    found = grid(run('output d2 named "x" output d4 named "x"').outputs, "transposed")
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
    row = dict(grid(done.outputs, "at-least").rows)["12"]
    assert row[0] is not None
    assert row[0] <= F(1, 81)
    assert summary(done).rows[0][1][3:] == (F(4), F(12))
    assert export(done).startswith('"output 1 (enclosed)",')
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
