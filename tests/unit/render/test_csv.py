"""Answers as CSV."""

from __future__ import annotations

import csv
import io
from fractions import Fraction

from oddsmith import odds
from oddsmith.render.csv import answers


def table(text: str) -> list[list[str]]:
    """The cells."""
    return list(csv.reader(io.StringIO(answers(odds(text)))))


def test_one_distribution() -> None:
    assert answers(odds("d2")) == "value,exact,decimal\n1,1/2,0.5\n2,1/2,0.5"


def test_one_probability() -> None:
    assert table("d6 >= 3") == [["value", "exact", "decimal"], ["d6 >= 3", "2/3", str(2 / 3)]]


def test_several_have_a_text_column_first() -> None:
    rows = table('d2, "even": d4 = 2')
    assert rows == [
        ["text", "value", "exact", "decimal"],
        ["d2", "1", "1/2", "0.5"],
        ["d2", "2", "1/2", "0.5"],
        ["even", "d4 = 2", "1/4", "0.25"],
    ]


def test_contests() -> None:
    assert [row[:2] for row in table("d6 vs d8")[1:]] == [
        ["win", "5/16"], ["tie", "1/8"], ["lose", "9/16"],
    ]  # fmt: skip


def test_what_lies_beyond_is_a_line() -> None:
    rows = table("d6!")[1:]
    assert rows[-1][0].startswith("above ")
    assert sum(Fraction(row[1]) for row in rows) == 1


def test_every_line_has_as_many_cells_as_the_header() -> None:
    """Faces with commas, quotes and new lines inside quotes are quoted."""
    rows = table("""d{'a,b', 'say "x"', 1}""")
    assert {len(row) for row in rows} == {3}
    assert [row[0] for row in rows[1:]] == ["1", "a,b", 'say "x"']


def test_tiny_chances_keep_their_exact_value() -> None:
    (row,) = table("100d6 = 600")[1:]
    assert Fraction(row[1]) == Fraction(1, 6**100)
    assert float(row[2]) == 1 / 6**100


def test_ranks_are_numbered() -> None:
    assert [row[0] for row in table("2x(d2)")[1:]] == [
        "rank 1: 1", "rank 1: 2", "rank 2: 1", "rank 2: 2",
    ]  # fmt: skip
