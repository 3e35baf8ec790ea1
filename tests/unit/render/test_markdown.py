"""Answers as Markdown tables."""

from __future__ import annotations

import pytest

from oddsmith import odds
from oddsmith.render.cells import Look
from oddsmith.render.markdown import answers


def lines(text: str, places: int = 2) -> list[str]:
    """The lines of the table of a text."""
    return answers(odds(text), Look(places=places)).splitlines()


def cells(line: str) -> list[str]:
    """The cells of a row; an escaped bar does not end one."""
    kept = line.replace("\\|", "\0").strip("|").split("|")
    return [cell.strip().replace("\0", "|") for cell in kept]


def test_a_table_with_the_rule_in_the_header() -> None:
    found = lines("d2")
    assert found[0].startswith("**d2**: a 2-sided die")
    assert found[2] == "| result | chance | exact |"
    assert found[3].count("|") == 4
    assert found[4:6] == ["| 1 | 50.00 % | 1/2 |", "| 2 | 50.00 % | 1/2 |"]


def test_the_rounding_rule_is_stated() -> None:
    assert "half to even" in lines("d6")[-1]


def test_it_is_told_whether_the_rows_add_up_to_100() -> None:
    """Six times 16.67 is 100.02: a reader who adds up must be told."""
    assert "100" in answers(odds("d6"))


def test_places() -> None:
    assert "| 1 | 17 % | 1/6 |" in lines("d6", places=0)
    assert "| 1 | 16.6667 % | 1/6 |" in lines("d6", places=4)


def test_nothing_possible_is_0_and_nothing_uncertain_100() -> None:
    """10d6: all sixes 6^-10, more than 10 all the rest. The signs are escaped or plain."""
    (low,) = [line for line in lines("10d6 = 60") if "1/60466176" in line]
    assert "0.00" not in low
    assert "<0.01 %" in low.replace("\\", "")
    (high,) = [line for line in lines("10d6 > 10") if "60466175/60466176" in line]
    assert ">99.99 %" in high.replace("\\", "")


def test_several_tables() -> None:
    """Each stands alone, so each says how it was rounded; 1/2 is not."""
    found = answers(odds("d2, d3, d6"))
    assert found.count("| result | chance | exact |") == 3
    assert found.count("half to even") == 2


@pytest.mark.parametrize(
    "face", ["a|b", "*bold*", "_it_", "`code`", "<b>", "[link](x)", "back\\slash"]
)
def test_faces_cannot_break_the_table(face: str) -> None:
    found = lines(f'd{{"{face}", 1}}')
    rows = [line for line in found if line.startswith("| ")][1:]
    assert all(len(cells(row)) == 3 for row in rows)
    shown = cells(rows[-1])[0]
    assert "".join(char for char in shown if char != "\\") == face.replace("\\", "")
    assert not any(shown.startswith(mark) for mark in ("*", "_", "`", "<", "["))


def test_what_lies_beyond_is_a_row() -> None:
    found = lines("d6!")
    assert any(line.startswith("| above ") for line in found)


def test_an_enclosed_chance_shows_certain_digits_and_both_ends() -> None:
    (row,) = [line for line in lines("d6!! * d6!! >= 30") if line.startswith("| d6")]
    assert ".." in cells(row)[2]
