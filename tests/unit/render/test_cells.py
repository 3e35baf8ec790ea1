"""Cells of a table in every style and medium, and how their rounding is told."""

from __future__ import annotations

import csv as csv_reader
import io
import json as json_reader
from fractions import Fraction
from itertools import pairwise

import pytest

from oddsmith import Dist, odds
from oddsmith.answers.ask import Answer
from oddsmith.answers.play import answer
from oddsmith.cli.main import CELLS
from oddsmith.enclosed import Enclosed
from oddsmith.notation.chance import Chance
from oddsmith.render import csv, html, json, latex, markdown, terminal
from oddsmith.render.cells import STYLES, Look, laid_out
from oddsmith.render.records import written
from oddsmith.table import Table

F = Fraction


def table(*rows: list[Fraction | None], unit: str = "chance") -> Table:
    columns = tuple("abcdefgh"[: len(rows[0])])
    named = tuple((str(place), tuple(cells)) for place, cells in enumerate(rows, 1))
    return Table("What", "row", "columns", columns, named, unit)


THIRDS = table([F(1, 3), F(1, 3), F(1, 3)], [F(2, 3), F(1, 6), F(1, 6)])


# --- styles


def test_the_command_offers_every_style() -> None:
    assert CELLS == STYLES


@pytest.mark.parametrize(
    ("style", "cells", "heading"),
    [
        ("percent", ["16.67", "62.50", "0.00", "100.00"], "chances in %"),
        ("fraction", ["1/6", "5/8", "0", "1"], "exact fractions"),
        ("one-in", ["1 in 6", "5 in 8", "never", "always"], "chances"),
        ("odds", ["5 : 1", "3 : 5", "never", "always"], "odds against"),
    ],
)
def test_styles_of_chances(style: str, cells: list[str], heading: str) -> None:
    laid = laid_out(table([F(1, 6), F(5, 8), F(0), F(1)]), Look(style))
    assert laid.rows == [cells]
    assert laid.heading == heading
    assert bool(laid.note) == (style == "percent")


@pytest.mark.parametrize(
    ("style", "cells", "heading"),
    [
        ("percent", ["1.67", "2"], "rounded numbers"),
        ("fraction", ["5/3", "2"], "exact fractions"),
        ("one-in", ["1.67", "2"], "rounded numbers"),
        ("odds", ["1.67", "2"], "rounded numbers"),
    ],
)
def test_numbers_are_no_chances(style: str, cells: list[str], heading: str) -> None:
    laid = laid_out(table([F(5, 3), F(2)], unit="number"), Look(style))
    assert (laid.rows, laid.heading) == ([cells], heading)


def test_the_rule_is_told_only_where_something_was_rounded() -> None:
    """1/8 is 12.5 %: exact with one place, rounded with none; 5/4 is exact with two."""
    eighths = table([F(1, 8), F(7, 8)])
    assert laid_out(eighths, Look(places=1)).note == ""
    assert laid_out(eighths, Look(places=0)).note == "Percentages are rounded half to even."
    numbers = table([F(5, 4), F(2)], unit="number")
    assert (laid_out(numbers).heading, laid_out(numbers).note) == ("numbers", "")
    assert laid_out(numbers, Look(places=1)).note == "Numbers are rounded half to even."


MEDIA = {
    "text": lambda found, look: terminal.answers(found, look=look, width=80),
    "md": markdown.answers,
    "latex": latex.answers,
    "html": html.answers,
}


@pytest.mark.parametrize("medium", MEDIA)
@pytest.mark.parametrize(
    ("style", "cells", "foreign"),
    [
        ("percent", ["66.67", "16.67"], ["2/3", "1 : 2", "2 in 3"]),
        ("fraction", ["2/3", "1/6"], ["66.67", "1 : 2", "2 in 3"]),
        ("one-in", ["2 in 3", "1 in 6"], ["66.67", "1 : 2", "2/3"]),
        ("odds", ["1 : 2", "5 : 1"], ["66.67", "2/3", "2 in 3"]),
    ],
)
def test_tables_in_every_medium(
    medium: str, style: str, cells: list[str], foreign: list[str]
) -> None:
    found = (Answer("t", "a table", "table", table=THIRDS),)
    shown = MEDIA[medium](found, Look(style))
    assert all(text in shown for text in cells)
    assert not any(text in shown for text in foreign)


@pytest.mark.parametrize("medium", ["md", "latex", "html"])
@pytest.mark.parametrize(
    ("style", "cell"), [("percent", "33.33"), ("one-in", "1 in 3"), ("odds", "2 : 1")]
)
def test_distributions_in_every_medium(medium: str, style: str, cell: str) -> None:
    """The exact fraction stands beside."""
    shown = MEDIA[medium](odds("d3"), Look(style))
    assert shown.count(cell) == 3
    assert shown.count("1/3") == 3
    assert ("half to even" in shown) == (style == "percent")


@pytest.mark.parametrize("medium", ["md", "latex", "html"])
def test_distributions_as_fractions_have_no_percentages(medium: str) -> None:
    shown = MEDIA[medium](odds("d3"), Look("fraction"))
    assert shown.count("1/3") == 3
    assert "33" not in shown
    assert "half to even" not in shown


@pytest.mark.parametrize(
    ("style", "line"),
    [
        ("percent", "  2.78 %   1/36   1 in 36"),
        ("fraction", "  1/36   2.78 %   1 in 36"),
        ("one-in", "  1 in 36   2.78 %   1/36"),
        ("odds", "  35 : 1   2.78 %   1/36"),
    ],
)
def test_the_chosen_form_stands_in_front(style: str, line: str) -> None:
    """2d6 >= 12: 1 of 36."""
    (found,) = odds("2d6 >= 12")
    assert terminal.answer(found, look=Look(style), width=80).splitlines()[-1] == line


@pytest.mark.parametrize(
    ("style", "cells"),
    [("one-in", ["12", "1 in 36", "1 in 36"]), ("odds", ["12", "35 : 1", "35 : 1"])],
)
def test_rows_of_a_distribution_in_the_terminal(style: str, cells: list[str]) -> None:
    (found,) = odds("2d6")
    lines = terminal.answer(found, look=Look(style), chart=False, width=80).splitlines()
    assert [part.strip() for part in lines[-1].split("  ") if part.strip()] == cells


def test_a_contest_in_the_terminal() -> None:
    """d6 against d8: 15, 6 and 27 of 48."""
    (found,) = odds("d6 vs d8")
    lines = terminal.answer(found, look=Look("odds"), width=80).splitlines()[3:]
    assert [line.split() for line in lines] == [
        ["win", "11", ":", "5", "31.25", "%", "5/16"],
        ["tie", "7", ":", "1", "12.50", "%", "1/8"],
        ["lose", "7", ":", "9", "56.25", "%", "9/16"],
    ]


def test_what_lies_outside_keeps_to_the_style() -> None:
    """d6!: more than 23 are four sixes in a row, less the 6 that never shows: 1/6^4 = 1/1296."""
    (found,) = odds("d6!")
    assert "above 23: together 1 in 1,296" in terminal.answer(found, look=Look("one-in"))
    assert "above 23: together 1295 : 1" in terminal.answer(found, look=Look("odds"))


def test_both_ends_of_what_is_enclosed() -> None:
    found = Answer("x", "something", "probability", low=F(1, 4), high=F(1, 2))
    assert written(found, Look("one-in")).rows == [("x", "1 in 4 to 1 in 2", "1/4..1/2")]
    assert written(found, Look("odds")).rows[0][1] == "3 : 1 to 1 : 1"
    assert written(found, Look("fraction")).rows == [("x", "1/4..1/2")]


def test_a_number_as_a_fraction() -> None:
    from oddsmith.games.catalogue import Amount

    found = answer("mean", "the mean", Amount(F(7, 3), "wounds"))
    assert terminal.answer(found, width=80).splitlines()[-1] == "  2.333 wounds   7/3"
    shown = terminal.answer(found, look=Look("fraction"), width=80)
    assert shown.splitlines()[-1] == "  7/3 wounds   2.333"


def test_csv_and_json_stay_exact() -> None:
    found = (Answer("t", "a table", "table", table=THIRDS),)
    rows = list(csv_reader.reader(io.StringIO(csv.answers(found))))
    assert rows[1:] == [["1", "1/3", "1/3", "1/3"], ["2", "2/3", "1/6", "1/6"]]
    (data,) = json_reader.loads(json.answers(found))
    assert data["cells"] == [["1/3", "1/3", "1/3"], ["2/3", "1/6", "1/6"]]


# --- adding up


def test_rows_that_are_distributions_add_up() -> None:
    """2/3, 1/6, 1/6 without places: 66, 16, 16 and two units for .67 and the first .67."""
    laid = laid_out(THIRDS, Look(places=0, add_up=True))
    assert laid.rows == [["34", "33", "33"], ["67", "17", "16"]]
    assert "each row adds up to 100" in laid.note
    assert "half to even" not in laid.note
    assert laid_out(THIRDS, Look(places=0)).rows == [["33", "33", "33"], ["67", "17", "17"]]


def test_columns_that_are_distributions_add_up() -> None:
    """The first column adds up to 1, the running totals do not and are rounded half to even."""
    grid = table([F(1, 3), F(1)], [F(1, 3), F(2, 3)], [F(1, 3), F(1, 3)])
    laid = laid_out(grid, Look(places=0, add_up=True))
    assert [row[0] for row in laid.rows] == ["34", "33", "33"]
    assert [row[1] for row in laid.rows] == ["100", "67", "33"]
    assert 'column "a" adds up to 100' in laid.note


def test_gaps_are_left_out_of_the_sum() -> None:
    grid = table([F(1, 3), None, F(2, 3)], [F(1, 2), F(1, 4), F(1, 4)])
    laid = laid_out(grid, Look(places=0, add_up=True))
    assert laid.rows == [["33", "", "67"], ["50", "25", "25"]]


def test_what_is_no_distribution_is_rounded_half_to_even_and_says_so() -> None:
    grid = table([F(1, 3), F(1, 3)], [F(1, 2), F(1, 7)])
    laid = laid_out(grid, Look(places=0, add_up=True))
    assert laid.rows == [["33", "33"], ["50", "14"]]
    assert laid.note == (
        "Percentages are rounded half to even: neither rows nor columns add up to 100."
    )


def test_nothing_to_round_nothing_to_say() -> None:
    assert laid_out(table([F(1, 2), F(1, 2)]), Look(add_up=True)).note == ""


def test_what_shows_as_less_than_a_unit_counts_as_nothing() -> None:
    """3/1000 and 997/1000 in whole percent: 0.3 and 99.7; the unit goes to the second."""
    laid = laid_out(table([F(3, 1000), F(997, 1000)]), Look(places=0, add_up=True))
    assert laid.rows == [["<1", ">99"]]
    assert laid.note.endswith("; >99 counts as 100, <1 as 0.")


@pytest.mark.parametrize("medium", MEDIA)
def test_a_distribution_adds_up_in_every_medium(medium: str) -> None:
    """d6 without places: 16 each, four units left, to the first four."""
    shown = MEDIA[medium](odds("d6"), Look(places=0, add_up=True))
    words = shown.replace(r"\,\%", " %").replace("<td>", " ").split()
    percents = [int(a) for a, b in pairwise(words) if b[:1] == "%"]
    chances = [p for p in percents if p in (16, 17)]
    assert sorted(chances)[:2] == [16, 16]
    assert sum(sorted(chances, reverse=True)[:4]) + sum(sorted(chances)[:2]) == 100
    assert "largest remainders" in " ".join(shown.split())


def test_rows_of_a_distribution_and_its_tails_add_up_in_the_terminal() -> None:
    (found,) = odds("d6!")
    shown = terminal.answer(found, look=Look(places=1, add_up=True), chart=False, width=90)
    chances = [
        F(line.split()[1])
        for line in shown.splitlines()
        if line.split()[:1] and line.split()[0].isdigit()
    ]
    (outside,) = [line for line in shown.splitlines() if "together" in line]
    rest = outside.split()[-2]
    assert sum(chances) + (0 if rest[0] == "<" else F(rest)) == 100


def test_ranks_add_up_one_by_one() -> None:
    """Two d3: the best is 1 in 1/9, 2 in 3/9, 3 in 5/9; the worst the other way round."""
    (found,) = odds("2x(d3)")
    shown = written(found, Look(places=0, add_up=True))
    assert [row[1] for row in shown.rows] == ["11", "33", "56", "56", "33", "11"]
    assert "each rank adds up to 100" in shown.note


def test_a_contest_adds_up() -> None:
    """d6 against d7: 15, 6 and 21 of 42: 35.7, 14.3 and 50 %: 35, 14, 50, one left, to 35.7."""
    (found,) = odds("d6 vs d7")
    assert [row[1] for row in written(found, Look(places=0, add_up=True)).rows] == [
        "36",
        "14",
        "50",
    ]
    lines = terminal.answer(found, look=Look(places=0, add_up=True), width=90).splitlines()
    assert [line.split()[1] for line in lines[3:6]] == ["36", "14", "50"]


def test_what_is_only_enclosed_is_not_made_to_add_up() -> None:
    dist = Enclosed(Dist([1, 2, 3]), F(1, 2))
    found = Answer("x", "something", "distribution", dist=dist)
    look = Look(add_up=True)
    assert "not every outcome is known" in written(found, look).note
    assert written(found, look).rows[0] == ("1", "16.67 to 66.67", "1/6..2/3")
    assert "not every outcome is known" in terminal.answer(found, look=look, width=90)
    sides = (Chance(F(1, 3), F(1, 2)), Chance(F(1, 6), F(1, 6)), Chance(F(1, 3), F(1, 2)))
    contest = Answer("x", "a contest", "contest", contest=sides)
    assert written(contest, look).rows[0][1] == "33.33 to 50.00"
    assert "not every outcome is known" in written(contest, look).note
    assert "not every outcome is known" in terminal.answer(contest, look=look, width=90)


def test_the_sum_of_rounded_rows_is_told() -> None:
    """Six times 16.67 is 100.02."""
    assert written(odds("d6")[0]).note.endswith("the rounded rows add up to 100.02.")


def test_numbers_of_a_column_stand_under_one_another() -> None:
    """As many places as the longest needs, in each column for itself."""
    values = ((F(10), F(3)), (F(20, 3), F(4)), (F(3, 2), None), (F(1, 3000), F(-5)))
    grid = Table(
        "t", "a", "b", ("x", "y"), tuple((str(k), v) for k, v in enumerate(values)), "number"
    )
    assert laid_out(grid).rows == [
        ["10.0000", "3"], ["6.6667", "4"], ["1.5000", ""], ["0.0003", "-5"],
    ]  # fmt: skip
