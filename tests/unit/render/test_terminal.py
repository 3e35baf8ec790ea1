"""Answers in a terminal: plain, at a fixed width."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from oddsmith import Dist, odds
from oddsmith.answers.ask import Answer
from oddsmith.enclosed import Enclosed
from oddsmith.render.cells import Look
from oddsmith.render.terminal import answer, bar
from oddsmith.table import Table

F = Fraction


def shown(text: str, **options: Any) -> str:
    """The one answer of a text, 80 columns wide."""
    (found,) = odds(text)
    return answer(found, width=80, **options)


def row(text: str, name: str, **options: Any) -> str:
    """The row of an outcome."""
    (found,) = [line for line in shown(text, **options).splitlines() if line.split()[:1] == [name]]
    return found


# --- probabilities


def test_a_probability_in_all_three_forms() -> None:
    assert shown("3d6 >= 11").splitlines() == [
        "3d6 >= 11",
        "3 six-sided dice, the total is 11 or more",
        "",
        "  50.00 %   1/2   1 in 2",
    ]


def test_fractions_first_when_asked() -> None:
    assert shown("d6 >= 3", look=Look("fraction")).splitlines()[-1] == "  2/3   66.67 %   2 in 3"


def test_places() -> None:
    assert "66.6667 %" in shown("d6 >= 3", look=Look(places=4))
    assert "67 %" in shown("d6 >= 3", look=Look(places=0))


def test_certain_and_impossible() -> None:
    assert "100.00 %   1   always" in shown("d6 >= 1")
    assert "0.00 %   0   never" in shown("d6 > 6")


def test_tiny_and_nearly_certain() -> None:
    assert "<0.01 %" in shown("10d6 = 60")
    assert ">99.99 %" in shown("10d6 > 10")


def test_an_enclosed_chance_says_so() -> None:
    found = shown("d6!! * d6!! >= 30")
    assert "enclosed" in found
    assert "10^-" in found


# --- distributions


def test_a_distribution_has_a_summary_and_a_row_for_each_outcome() -> None:
    """2d6: mean 7, spread sqrt(35/6) = 2.415; the middle half from 5 to 9: 10/36, 30/36."""
    found = shown("2d6")
    assert "mean 7   spread 2.415   likeliest 7   middle half 5 to 9" in found
    names = [line.split()[0] for line in found.splitlines()[6:] if line.strip()]
    assert names == [str(k) for k in range(2, 13)]


def test_a_mean_that_is_no_short_decimal_shows_its_fraction() -> None:
    assert "(15869/1296)" in shown("4d6kh3")


def test_chance_and_tail_stand_side_by_side() -> None:
    """9 on 2d6: 4/36, 9 or more 10/36."""
    assert [word for word in row("2d6", "9").split() if word[0].isdigit()] == [
        "9",
        "11.11",
        "27.78",
    ]


@pytest.mark.parametrize(
    ("view", "heading", "chance"),
    [("at-least", "or more", "27.78"), ("at-most", "or less", "83.33")],
)
def test_views(view: str, heading: str, chance: str) -> None:
    assert heading in shown("2d6", view=view)
    assert chance in row("2d6", "9", view=view)


def test_exact_fractions_in_a_column() -> None:
    assert "1/9" in row("2d6", "9", look=Look("fraction"))


def test_bars_are_in_proportion_and_can_be_left_out() -> None:
    """7 has 6 ways, 4 has 3."""
    full, half = (row("2d6", name).count("█") for name in ("7", "4"))
    assert full == 2 * half == 30
    assert "█" not in shown("2d6", chart=False)


def test_a_constant_is_always_the_same() -> None:
    assert shown("2 + 3").splitlines()[-1] == "  always 5"


def test_text_faces_have_no_mean() -> None:
    found = shown("artillery")
    assert "Misfire" in found
    assert "mean" not in found
    assert "or more" not in found


def test_long_tails_are_told() -> None:
    found = shown("100d6")
    assert "below " in found
    assert "above " in found
    assert "together" in found


def test_an_open_ended_distribution() -> None:
    found = shown("d6!")
    assert "mean 4.2" in found
    assert "above " in found


@pytest.mark.parametrize("face", ["[red]", "[/]", "[bold]x[/bold]", "a[b"])
def test_faces_that_look_like_markup_are_only_text(face: str) -> None:
    rows = [line.split()[0] for line in shown(f'd{{"{face}", 1}}').splitlines()[3:] if line.strip()]
    assert face in rows


def test_labels_that_look_like_markup_are_only_text() -> None:
    assert "[red]" in shown('"[red] dice": d6')


@pytest.mark.parametrize(
    ("view", "first", "second"),
    [
        ("pmf", "37.50 to 62.50 %", "37.50 to 62.50 %"),
        ("at-least", "75.00 to 100.00 %", "37.50 to 62.50 %"),
        ("at-most", "37.50 to 62.50 %", "75.00 to 100.00 %"),
    ],
)
def test_an_enclosed_distribution_shows_both_ends(view: str, first: str, second: str) -> None:
    """1 and 2 with 3/8 each; a quarter is not known and may be anything."""
    dist = Enclosed(Dist([1, 2]), F(3, 4))
    found = answer(Answer("x", "something", "distribution", dist=dist), view, width=100)
    rows = [line for line in found.splitlines() if line.split()[:1] in (["1"], ["2"])]
    assert first in rows[0]
    assert second in rows[1]


# --- contests and ranks


def test_a_contest() -> None:
    """d6 against d8: 5/16, 1/8, 9/16."""
    found = shown("d6 vs d8").splitlines()
    assert [line.split() for line in found[3:6]] == [
        ["win", "31.25", "%", "5/16", "about", "1", "in", "3.2"],
        ["tie", "12.50", "%", "1/8", "1", "in", "8"],
        ["lose", "56.25", "%", "9/16", "9", "in", "16"],
    ]


def test_ranks() -> None:
    """Two d2: better 7/4, worse 5/4, sum 3."""
    found = [line.split() for line in shown("2x(d2)").splitlines()]
    assert ["1", "1.75", "0.43", "1", "2"] in found
    assert ["2", "1.25", "0.43", "1", "2"] in found
    assert ["sum", "3", "0.71", "2", "4"] in found


# --- form


def test_notes_stand_at_the_end() -> None:
    assert shown("2d6r1 >= 8").splitlines()[-1].startswith(("  note: ", "    "))


def test_labels_stand_first() -> None:
    assert shown('"to hit": d20 >= 11').splitlines()[0] == "to hit  d20 >= 11"


@pytest.mark.parametrize("text", ["2d6", "d6!", "d6 vs d8", "6x(4d6kh3)", "1000d6", "artillery"])
@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider_than_the_terminal(text: str, width: int) -> None:
    (found,) = odds(text)
    lines = answer(found, width=width).splitlines()
    assert max(map(len, lines)) <= width


def test_without_colour_there_are_no_codes() -> None:
    assert "\x1b" not in shown("2d6")
    assert "\x1b" not in shown("d6 vs d8")
    assert "\x1b[" in shown("d6 vs d8", colour=True)


# --- tables that are wider than the terminal


def table(columns: list[str], rows: dict[str, list[Fraction | None]]) -> Answer:
    """A table as an answer."""
    found = Table("Chances", "row", "columns", tuple(columns),
                  tuple((name, tuple(cells)) for name, cells in rows.items()))  # fmt: skip
    return Answer("table", "a table", "table", table=found)


def test_a_table_that_fits_stands_in_one_block() -> None:
    lines = answer(table(["1", "22"], {"a": [F(1, 2), F(1)], "bb": [F(0), None]}), width=40)
    assert lines.splitlines()[3:] == [
        "  Chances: chances in %, columns are",
        "  columns",
        "",
        "  row      1      22",
        "    a  50.00  100.00",
        "   bb   0.00",
    ]


def test_a_table_that_is_too_wide_stands_in_blocks() -> None:
    """Of 30 columns each five wide, the first takes 5, and two blanks stand between two."""
    names = [str(k) for k in range(30)]
    shown = answer(table(names, {"a": [F(k, 100) for k in range(30)]}), width=60)
    blocks = shown.split("\n\n")[2:]
    heads = [block.splitlines()[0].split() for block in blocks]
    assert [head[0] for head in heads] == ["row"] * len(blocks)
    assert [name for head in heads for name in head[1:]] == names
    cells = [cell for block in blocks for cell in block.splitlines()[1].split()[1:]]
    assert cells == [f"{k}.00" for k in range(30)]
    assert all(len(head) - 1 in (7, 8, 9) for head in heads[:-1])
    assert max(map(len, shown.splitlines())) <= 60


@pytest.mark.parametrize("width", [30, 40, 60, 80, 120])
def test_long_headings_are_broken_and_cells_are_not(width: int) -> None:
    names = [f"the best of {k} twenty-sided dice is above fourteen" for k in range(1, 8)]
    rows = {f"outcome {k}": [F(j + k, 20) for j in range(7)] for k in range(3)}
    shown = answer(table(names, rows), width=width)
    assert max(map(len, shown.splitlines())) <= width
    assert "…" not in shown
    words = shown.split()
    for row in rows.values():
        for chance in row:
            assert f"{float(100 * (chance or 0)):.2f}" in words


def test_names_wider_than_the_terminal_are_broken() -> None:
    shown = answer(table(["x" * 90, "y"], {"z" * 90: [F(1, 4), F(1, 5)]}), width=40)
    assert max(map(len, shown.splitlines())) <= 40
    assert shown.count("x") == 90
    assert shown.count("z") in (90, 180)
    assert "25.00" in shown
    assert "20.00" in shown


def test_names_that_look_like_markup_are_only_text() -> None:
    shown = answer(table(["[red]", "[/]"], {"[bold]a[/bold]": [F(1), F(0)]}), width=60)
    assert "[red]" in shown
    assert "[/]" in shown
    assert "[bold]a[/bold]" in shown


def test_a_table_without_rows_or_columns() -> None:
    assert "Chances" in answer(table([], {}), width=40)
    assert "a" in answer(table([], {"a": []}), width=40)
    assert "x" in answer(table(["x"], {}), width=40)


@pytest.mark.parametrize(
    ("share", "width", "drawn"),
    [(F(1), 4, "████"), (F(1, 2), 4, "██"), (F(0), 4, ""), (F(1, 32), 4, "▏"), (F(5, 8), 1, "▋")],
)
def test_bars_in_eighths(share: Fraction, width: int, drawn: str) -> None:
    assert bar(share, width) == drawn
