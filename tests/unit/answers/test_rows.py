"""A distribution as rows."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from oddsmith import Dist, chain, d6
from oddsmith.answers.rows import Rows, every_row, shown_rows
from oddsmith.enclosed import Enclosed
from oddsmith.errors import TooLarge

F = Fraction
SIX = chain(d6, {6})


def whole(rows: Rows) -> Fraction:
    """Everything that is accounted for."""
    return sum((row.p for row in rows.rows), F(0)) + rows.below + rows.beyond + rows.missing


def ends(rows: Rows) -> list[tuple[Any, Any]]:
    """The outcomes of each row."""
    return [(row.low, row.high) for row in rows.rows]


# --- every row


def test_every_outcome_has_a_row() -> None:
    """2d6: 2 to 12; for 4: 3/36, 33/36 or more, 6/36 or less."""
    rows = every_row(2 @ d6)
    assert ends(rows) == [(k, k) for k in range(2, 13)]
    four = rows.rows[2]
    assert (four.p, four.at_least, four.at_most) == (F(3, 36), F(33, 36), F(6, 36))
    assert (rows.below, rows.beyond, rows.missing) == (0, 0, 0)


def test_text_has_no_order() -> None:
    rows = every_row(Dist([2, "Misfire"]))
    assert ends(rows) == [(2, 2), ("Misfire", "Misfire")]
    assert [(row.at_least, row.at_most) for row in rows.rows] == [(None, None)] * 2


def test_sparse_outcomes_have_no_empty_rows() -> None:
    assert ends(every_row(Dist([1, 10**6]))) == [(1, 1), (10**6, 10**6)]


def test_an_open_ended_die_goes_on_until_little_is_left() -> None:
    rows = every_row(SIX)
    assert rows.below == 0
    assert 0 < rows.beyond < F(1, 10_000)
    assert rows.beyond == SIX.more_than(rows.rows[-1].high)
    assert 6 not in [row.low for row in rows.rows]
    assert whole(rows) == 1
    seven = next(row for row in rows.rows if row.low == 7)
    assert (seven.p, seven.at_least, seven.at_most) == (F(1, 36), F(1, 6), F(31, 36))


def test_a_die_open_downwards_starts_where_little_is_left() -> None:
    rows = every_row(-SIX)
    assert 0 < rows.below < F(1, 10_000)
    assert rows.beyond == 0
    assert rows.rows[-1].low == -1
    assert rows.rows[0].at_most == rows.below + rows.rows[0].p
    assert whole(rows) == 1


def test_a_die_open_on_both_sides() -> None:
    rows = every_row(SIX - SIX)
    assert rows.below > 0
    assert rows.beyond > 0
    assert whole(rows) == 1


def test_rows_of_an_enclosure_are_chances_of_the_whole() -> None:
    """1 and 2 evenly with 3/4; 1/4 is not known: chances are lower ends."""
    rows = every_row(Enclosed(Dist([1, 2]), F(3, 4)))
    assert rows.missing == F(1, 4)
    assert [row.p for row in rows.rows] == [F(3, 8), F(3, 8)]
    assert [row.at_least for row in rows.rows] == [F(3, 4), F(3, 8)]
    assert whole(rows) == 1


def test_too_many_digits_are_refused() -> None:
    with pytest.raises(TooLarge):
        every_row(20_000 @ d6)


# --- rows to show


def test_a_few_outcomes_are_all_shown() -> None:
    assert shown_rows(2 @ d6) == every_row(2 @ d6)


@pytest.mark.parametrize(
    ("dist", "most"),
    [(1000 @ d6, 40), (Dist(range(1, 101)), 40), (SIX - SIX, 12), (10 @ SIX, 20), (-SIX, 7),
     (Dist(range(1, 101)) / 3, 30), (Dist([0, 1, 10**6]), 2), (50 @ d6 - 175, 9)],
)  # fmt: skip
def test_never_more_rows_than_asked_for_and_nothing_lost(dist: Any, most: int) -> None:
    rows = shown_rows(dist, most)
    assert 0 < len(rows.rows) <= most
    assert whole(rows) == 1
    assert all(one.high < two.low for one, two in zip(rows.rows, rows.rows[1:], strict=False))


def test_ranges_are_of_one_round_width() -> None:
    """d100 in at most 20 rows: by fives there would be 21 (1 to 4, .., 95 to 99, 100), so tens."""
    rows = shown_rows(Dist(range(1, 101)), 20)
    assert ends(rows) == [(1, 9), *((k, k + 9) for k in range(10, 100, 10)), (100, 100)]
    assert rows.rows[1].p == F(10, 100)
    assert rows.rows[1].at_least == F(91, 100)
    assert rows.rows[1].at_most == F(19, 100)


def test_ranges_below_0_keep_their_width() -> None:
    rows = shown_rows(Dist(range(-50, 51)), 30)
    assert {row.low // 5 for row in rows.rows} == set(range(-10, 11))
    assert all(row.low // 5 == row.high // 5 for row in rows.rows)


def test_long_tails_are_left_out_and_told() -> None:
    rows = shown_rows(100 @ d6)
    assert 0 < rows.below <= F(1, 1000)
    assert 0 < rows.beyond <= F(1, 1000)
    assert rows.below == (100 @ d6).less_than(rows.rows[0].low)


def test_the_likeliest_of_many_words() -> None:
    """60 words of weight 1 and one of weight 5: it is shown, and the others are counted."""
    dist = Dist({**{f"w{k:02}": 1 for k in range(60)}, "zz": 5})
    rows = shown_rows(dist, 10)
    assert len(rows.rows) == 10
    assert rows.rows[-1].low == "zz"
    assert rows.beyond == F(51, 65)


def test_a_grouped_enclosure_keeps_its_missing_mass() -> None:
    rows = shown_rows(Enclosed(Dist(range(1, 101)), F(1, 2)), 10)
    assert len(rows.rows) <= 10
    assert rows.missing == F(1, 2)
    assert whole(rows) == 1
