"""Charts made of characters."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

from oddsmith import Dist, d6, odds
from oddsmith.answers import charts
from oddsmith.answers.charts import Chart, Series
from oddsmith.errors import RuleError
from oddsmith.render.plain_chart import chart
from oddsmith.table import tabulate

F = Fraction
LONG = "the paladin of the silver flame strikes the ancient wyrm with a two-handed sword"
CODES = re.compile(r"\x1b\[[\d;]*m")


def equal(rows: int, columns: int) -> Chart:
    return charts.heat(
        tabulate("t", ("row", range(rows)), ("col", range(columns)), lambda *_: F(1, 2))
    )


CHARTS: dict[str, Any] = {
    "bars": lambda: charts.chart(odds("2d6")),
    "one": lambda: charts.chart(odds("5")),
    "tails": lambda: charts.chart(odds("100d6")),
    "names": lambda: charts.chart(odds(f'd{{"{LONG}", "é龍", 3}}')),
    "lines": lambda: charts.distributions([(LONG, 2 @ d6), ("3d6", 3 @ d6)]),
    "open lines": lambda: charts.chart(odds("d6!; d8!")),
    "8 lines": lambda: charts.distributions([(f"{n}d6", n @ d6) for n in range(1, 9)]),
    "steps": lambda: charts.distributions([("2d6", 2 @ d6)], "at-least"),
    "chances": lambda: charts.chances(odds("d6 >= 3; d6 > 6; 10d6 = 60")),
    "contests": lambda: charts.chances(odds("d6 vs d8; d6 vs d100")),
    "heat": lambda: equal(4, 5),
    "wide heat": lambda: equal(3, 140),
    "long heat": lambda: charts.heat(
        tabulate(LONG, (LONG, [LONG, "x"]), (LONG, [LONG, "龍"]), lambda *_: F(1, 3))
    ),
    "stack": lambda: charts.stack(
        tabulate("t", ("row", range(3)), ("col", "abc"), lambda *_: F(1, 3))
    ),
    "tall stack": lambda: charts.stack(
        tabulate("t", (LONG, [LONG]), ("col", range(60)), lambda *_: F(1, 60))
    ),
    "ridge": lambda: charts.ridge([(str(n), n @ d6) for n in (1, 2)], "{n}d6", "n"),
    "scatter": lambda: charts.scatter([(LONG, F(5), F(5, 2))], "Worth it?", LONG, LONG),
}


def lines(shown: Chart, width: int = 60, **options: bool) -> list[str]:
    return chart(shown, width, **options).splitlines()


def columns(line: str) -> int:
    """As a terminal counts them: wide characters take two."""
    return len(CODES.sub("", line).replace("龍", "xx"))


# --- what every chart keeps to


@pytest.mark.parametrize("name", CHARTS)
@pytest.mark.parametrize("width", [32, 50, 80, 160])
@pytest.mark.parametrize("options", [{}, {"colour": True}, {"ascii": True}])
def test_no_line_is_wider_than_asked(name: str, width: int, options: dict[str, bool]) -> None:
    found = lines(CHARTS[name](), width, **options)
    assert len(found) >= 3
    assert max(map(columns, found)) <= width
    assert all(line == line.rstrip() for line in found)


@pytest.mark.parametrize("name", CHARTS)
def test_ascii_is_nothing_but_ascii(name: str) -> None:
    assert chart(CHARTS[name](), 80, ascii=True).isascii()


@pytest.mark.parametrize("name", [name for name in CHARTS if name != "scatter"])
def test_colour_only_when_asked(name: str) -> None:
    assert "\x1b" not in chart(CHARTS[name](), 80)
    coloured = chart(CHARTS[name](), 80, colour=True)
    assert "\x1b[" in coloured.split("\n", 1)[1]
    assert coloured.count("\x1b[") == 2 * coloured.count("\x1b[0m")


def test_the_title_stands_first_and_wraps() -> None:
    found = lines(charts.chart(odds("2d6")).but(title=LONG), 40)
    assert " ".join(found[:3]).strip() == LONG
    assert lines(charts.chart(odds("2d6")))[:2] == ["2d6", ""]


def test_notes_stand_last() -> None:
    found = lines(charts.chart(odds("d2")).but(notes=("Mind the gap.",)))
    assert found[-2:] == ["", "  Mind the gap."]


def test_the_width_of_the_terminal_when_none_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "47")
    assert max(map(len, chart(charts.chart(odds("d2"))).splitlines())) == 47


@pytest.mark.parametrize(
    "shown", [Chart("bars", "?", "", "", ()), Chart("heat", "?", "", "", (Series("a", (), ()),))]
)
def test_nothing_to_draw(shown: Chart) -> None:
    with pytest.raises(RuleError):
        chart(shown)


# --- bars


def test_bars_are_in_proportion() -> None:
    """7 has 6 ways of 36, 4 has 3: 16.67 and 8.33 %."""
    found = {line.split()[0]: line for line in lines(charts.chart(odds("2d6")))[2:]}
    assert list(found) == [str(k) for k in range(2, 13)]
    assert "16.67 %" in found["7"]
    assert found["7"].count("█") == 2 * found["4"].count("█") + found["4"].count("▌")
    assert columns(found["7"]) == 60


def test_bars_in_ascii() -> None:
    """All as long as the line: "  1  16.67 %  " takes 14 of 40 columns."""
    found = lines(charts.chart(odds("d6")), 40, ascii=True)
    assert found[2] == "  1  16.67 %  " + "#" * 26


def test_tails_are_told() -> None:
    """d6!: above 23 are three sixes and another: 1/1296 = 0.08 %."""
    assert lines(charts.chart(odds("d6!")))[-1] == "  above 23: together 0.08 %"
    assert lines(charts.chart(odds("-d6!")))[-1] == "  below -23: together 0.08 %"


def test_names_that_are_left_out_are_told() -> None:
    """80 of 200 names."""
    shown = charts.distributions([("cards", Dist([f"card {k}" for k in range(200)]))])
    assert lines(shown)[-1] == "  others: together 40.00 %"


def test_several_distributions_stand_side_by_side() -> None:
    """d4: 25 %, d6: 16.67 %; 5 only on the second."""
    found = lines(charts.chart(odds("d4; d6")), 60)
    assert found[2] == "  chance in %"
    assert found[4].split() == ["d4", "d6"]
    rows = [re.sub("[^ -~]", " ", line).split() for line in found[5:]]
    assert rows[0] == ["1", "25.00", "16.67"]
    assert rows[4] == ["5", "16.67"]
    assert found[5].count("█") > found[9].count("█")
    assert {line.index("16.67") for line in found[5:]} == {found[4].index("d6")}


def test_many_distributions_stand_one_below_the_other() -> None:
    found = lines(CHARTS["8 lines"](), 60)
    assert [line for line in found if re.fullmatch(r"\dd6", line)] == [
        f"{n}d6" for n in range(1, 9)
    ]
    (seven,) = [line for line in found[found.index("2d6") : found.index("3d6")] if "  7  " in line]
    assert "16.67 %" in seven
    assert columns(seven) == 60


def test_steps_are_measured_against_100_percent() -> None:
    """2d6: 2 or more always, 12 or more 1/36."""
    found = lines(CHARTS["steps"](), 60)
    assert found[2] == "  chance of this or more in %"
    assert found[4].startswith("   2  100.00 %  █")
    assert columns(found[4]) == 60
    assert "2.78 %" in found[-1]


def test_names_keep_their_order_in_ridges() -> None:
    found = lines(CHARTS["ridge"]())
    assert found[2] == "  chance by n in %"
    assert [line.split()[0] for line in found[5:]] == [str(k) for k in range(1, 13)]


# --- bands


def test_chances() -> None:
    """2/3, never, 1/6^10."""
    found = lines(CHARTS["chances"](), 60)[2:]
    assert [re.sub("[^ -~]", "", line).strip() for line in found] == [
        "d6 >= 3  66.67 %", "d6 > 6   0.00 %", "10d6 = 60  <0.01 %",
    ]  # fmt: skip
    room = 60 - 2 - 9 - 2 - 7 - 2
    assert found[0].count("█") == room * 2 // 3


def test_contests_are_stacked() -> None:
    """d6 against d8: 31.25, 12.5, 56.25 %; the fills add up to the whole bar."""
    found = lines(CHARTS["contests"](), 80)
    assert found[2:6] == ["  chance in %", "", "  █ win  ▓ tie  ▒ lose", ""]
    fills = [found[6].count(sign) for sign in "█▓▒"]
    room = sum(fills)
    assert [round(100 * fill / room) for fill in fills] == pytest.approx([31, 12, 56], abs=2)
    assert found[6].split()[-3:] == ["31.2", "12.5", "56.2"]
    assert sum(found[7].count(sign) for sign in "█▓▒") == room


def test_bands_add_up_to_the_whole_bar() -> None:
    found = lines(CHARTS["stack"](), 60, ascii=True)
    assert "  # a  = b  - c" in found
    for row in found[-3:]:
        sizes = [row.count(sign) for sign in "#=-"]
        assert max(sizes) - min(sizes) <= 1
        assert row.split()[-3:] == ["33.3"] * 3
    assert len({row.index("33.3") for row in found[-3:]}) == 1


def test_more_bands_than_fills_are_letters() -> None:
    table = tabulate("t", ("row", [1]), ("col", range(6)), lambda *_: F(1, 6))
    found = lines(charts.stack(table), 80)
    assert "  A 0  B 1  C 2  D 3  E 4  F 5" in found
    assert set(found[-1].split()[1]) == set("ABCDEF")


def test_coloured_bands_are_full_blocks() -> None:
    found = lines(CHARTS["stack"](), 60, colour=True)
    assert set(CODES.sub("", found[-1]).split()[1]) == {"█"}
    assert len(set(CODES.findall(found[-1]))) == 4


# --- tables


def test_cells_have_shade_and_number() -> None:
    """0, 25, 50, 75 and 100 %; the last row has gaps."""
    table = tabulate(
        "t", ("a", [1, 2]), ("b", range(5)), lambda a, b: F(b, 4) if a == 1 or b > 2 else None
    )
    found = lines(charts.heat(table), 60)
    assert found[2] == "  rows: a, columns: b, chance in %"
    assert found[4].split() == ["0", "1", "2", "3", "4"]
    assert found[5].split() == ["1", "0.0", "░", "25.0", "▒", "50.0", "▓", "75.0", "█", "100.0"]
    assert found[6].split() == ["2", "▓", "75.0", "█", "100.0"]
    assert found[6].index("75.0") == found[5].index("75.0")
    assert lines(charts.heat(table), 60, ascii=True)[6].split() == ["2", "*", "75.0", "#", "100.0"]


def test_coloured_cells_have_a_ground() -> None:
    table = tabulate("t", ("a", [1]), ("b", [0, 1]), lambda _, b: F(b))
    found = lines(charts.heat(table), 60, colour=True)
    assert [code for code in CODES.findall(found[-1]) if "48" in code] == [
        "\x1b[97;48;5;17m", "\x1b[30;48;5;153m",
    ]  # fmt: skip


def test_a_table_too_wide_is_only_shaded() -> None:
    table = tabulate("t", ("a", [1]), ("b", range(101)), lambda _, b: F(b, 100))
    found = lines(charts.heat(table), 120, ascii=True)
    assert '  " " 0.0 %, "." 25.0 %, ":" 50.0 %, "*" 75.0 %, "#" 100.0 %' in found
    assert found[-2] == "  columns 0 to 100"
    row = found[-1][4:].ljust(101)
    assert [row.count(sign) for sign in ".:*#"] == pytest.approx([25, 25, 25, 13], abs=1)
    assert list(row) == sorted(row, key=" .:*#".index)


def test_a_table_wider_than_that_goes_on_below() -> None:
    found = lines(CHARTS["wide heat"](), 60)
    heads = [line for line in found if line.startswith("  columns")]
    assert heads[0].startswith("  columns 0 to ")
    assert heads[-1].endswith(" to 139")
    assert len(heads) == 3
    assert sum(line.count("█") for line in found if line[2:3] == "1") == 140


# --- points


def test_points_are_a_table() -> None:
    shown = charts.scatter([("axe", F(5), F(5, 2)), ("bow", F(12), F(1, 3))], "?", "cost", "wounds")
    assert [line.split() for line in lines(shown)[2:]] == [
        ["cost", "wounds"], ["axe", "5", "2.5"], ["bow", "12", "0.33"],
    ]  # fmt: skip
