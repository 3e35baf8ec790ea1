"""Charts as pictures: the data of what is drawn, and places of text, never pixels."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle, StepPatch
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Bbox

from oddsmith import Dist, d6, odds
from oddsmith.answers import charts
from oddsmith.answers.charts import Chart, Series
from oddsmith.errors import OddsmithError, RuleError
from oddsmith.render import figure_page, figure_tables
from oddsmith.render.figure import ENDINGS, draw, draw_chart, save, save_chart
from oddsmith.table import Table, tabulate

F = Fraction
LONG = "the paladin of the silver flame strikes the ancient wyrm with a two-handed sword"
assert len(LONG) == 80


def several(*texts: str, view: Any = "pmf") -> Chart:
    """Distributions side by side, under their texts."""
    return charts.distributions([(text, odds(text)[0].dist) for text in texts], view)


def share(rows: int, columns: int) -> Table:
    """Rows of equal shares."""
    return tabulate(
        "shares", ("row", range(rows)), ("column", range(columns)), lambda *_: F(1, columns)
    )


def gaps() -> Table:
    """A triangle, the first column of which starts late, and an empty row."""
    return tabulate(
        "gaps", ("a", range(4)), ("b", range(5)),
        lambda a, b: None if a == 1 or b < 3 - a else F(b, 5),
    )  # fmt: skip


def points(many: int) -> Chart:
    """Points on a few spots."""
    return charts.scatter(
        [(f"weapon number {k}", F(k % 4), F(k * k % 7, 2)) for k in range(many)],
        "Worth it?", "cost", "wounds",
    )  # fmt: skip


def bands(low: int, high: int) -> Chart:
    """1/n miss, the rest in two halves."""
    return charts.stack(
        tabulate(
            "bands", ("n", range(low, high)), ("band", ["miss", "weak", "strong"]),
            lambda n, band: F(1, n) if band == "miss" else (1 - F(1, n)) / 2,
        )
    )  # fmt: skip


CHARTS: dict[str, Any] = {
    "bars": lambda: charts.chart(odds("2d6")),
    "bars of 1": lambda: charts.chart(odds("5")),
    "bars of 2": lambda: charts.chart(odds("d2")),
    "bars of 400": lambda: charts.chart(odds("d400")),
    "bars with tails": lambda: charts.chart(odds("100d6")),
    "bars without end": lambda: charts.chart(odds("d6!")),
    "bars below 0": lambda: charts.chart(odds("-d6!")),
    "bars of names": lambda: charts.chart(odds("artillery")),
    "bars of long names": lambda: several(f'd{{"{LONG}", "{LONG[::-1]}", "short"}}'),
    "bars of 60 names": lambda: charts.distributions([("c", Dist([f"no {k}" for k in range(60)]))]),
    "bars of halves": lambda: charts.chart(odds("d6 / 2")),
    "bars of huge numbers": lambda: charts.distributions(
        [("huge", Dist([10**20 + k for k in range(6)]))]
    ),
    "bars far apart": lambda: charts.chart(odds("d{1, 2, 1000000}")),
    "lines": lambda: several("4d6kh3", "3d6"),
    "8 lines": lambda: several("2d6", "2d8", "2d10", "2d12", "3d6", "3d8", "3d10", "d20"),
    "12 lines": lambda: several(*(f"{n}d6" for n in range(1, 13))),
    "lines with long names": lambda: charts.distributions([(LONG, 2 @ d6), (LONG[::-1], 3 @ d6)]),
    "lines with tails": lambda: several("d6!", "d8!"),
    "lines of names": lambda: several("artillery", "scatter"),
    "steps": lambda: several("d6", "2d6", "3d6", view="at-least"),
    "steps of 1": lambda: several("5", view="at-least"),
    "chances": lambda: charts.chances(odds("d6 >= 3; 10d6 = 60; d6 > 6; d6 >= 1")),
    "contests": lambda: charts.chances(odds("d6 vs d8; d6 vs d100")),
    "chances with long names": lambda: charts.chances(odds(f'"{LONG}": d6 >= 3; d6 >= 2')),
    "heat": lambda: charts.heat(share(20, 21)),
    "heat of 1": lambda: charts.heat(share(1, 1)),
    "heat of 1 row": lambda: charts.heat(share(1, 21)),
    "heat with gaps": lambda: charts.heat(gaps()),
    "heat with long names": lambda: charts.heat(
        tabulate(LONG, (LONG, [LONG, "x"]), (LONG, [LONG, "y"]), lambda *_: F(1, 2))
    ),
    "stack": lambda: bands(2, 8),
    "stack of 40": lambda: bands(2, 42),
    "stack with thin bands": lambda: bands(200, 206),
    "ridge": lambda: charts.ridge([(str(n), n @ d6) for n in range(1, 7)], "{n}d6", "n"),
    "ridge of 1": lambda: charts.ridge([(LONG, 2 @ d6)], LONG, LONG),
    "ridge of names": lambda: charts.ridge([("x", Dist(["b", "a"])), ("y", 2 @ d6)], "?", "what"),
    "scatter": lambda: points(15),
    "scatter of 1": lambda: points(1),
}


@cache
def drawn(name: str, dark: bool = False) -> Figure:
    """A chart of the list, drawn and laid out."""
    figure = draw_chart(CHARTS[name](), dark)
    figure.draw_without_rendering()
    return figure


def bars(figure: Figure) -> list[Rectangle]:
    return [patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle)]


def box(figure: Figure, artist: Any) -> Bbox:
    canvas: Any = figure.canvas
    found: Bbox = artist.get_window_extent(canvas.get_renderer())
    return found


def overlapping(boxes: list[Bbox]) -> int:
    """How many pairs of boxes have more than half a pixel in common."""
    if not boxes:
        return 0
    x0, y0, x1, y1 = np.array([one.extents for one in boxes]).T
    across = np.minimum.outer(x1, x1) - np.maximum.outer(x0, x0)
    up = np.minimum.outer(y1, y1) - np.maximum.outer(y0, y0)
    return int((((across > 0.5) & (up > 0.5)).sum() - len(boxes)) // 2)


def written(figure: Figure) -> list[str]:
    """The texts in the panel."""
    return [text.get_text() for text in figure.axes[0].texts]


def ticks(figure: Figure, axis: str = "x") -> list[str]:
    axes = figure.axes[0]
    return [label.get_text() for label in getattr(axes, f"get_{axis}ticklabels")()]


def legend(figure: Figure) -> list[str]:
    return [text.get_text() for one in figure.legends for text in one.get_texts()]


# --- what every picture keeps to


@pytest.mark.parametrize("name", CHARTS)
def test_tick_labels_never_overlap(name: str) -> None:
    figure = drawn(name)
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            labels = [
                tick.label1 if axes is figure.axes[0] else tick.label2
                for tick in axis.get_major_ticks()
                if low <= tick.get_loc() <= high and tick.label1.get_text()
            ]
            boxes = [box(figure, label) for label in labels if label.get_visible()]
            assert not overlapping(boxes)


@pytest.mark.parametrize("name", CHARTS)
def test_no_text_is_cut_off_by_the_edge(name: str) -> None:
    figure = drawn(name)
    page, hidden = figure.bbox.padded(2), _hidden(figure)
    for text in figure.findobj(Text):
        if isinstance(text, Text) and text.get_text() and text.get_visible() and text not in hidden:
            found = box(figure, text)
            assert page.x0 <= found.x0 <= found.x1 <= page.x1, text
            assert page.y0 <= found.y0 <= found.y1 <= page.y1, text


def _hidden(figure: Figure) -> set[Text]:
    """Ticks outside the limits are not drawn."""
    found: set[Text] = set()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in axis.get_major_ticks():
                if not low <= tick.get_loc() <= high:
                    found |= {tick.label1, tick.label2}
    return found


@pytest.mark.parametrize("name", CHARTS)
def test_texts_in_the_panel_do_not_overlap(name: str) -> None:
    figure = drawn(name)
    assert not overlapping([box(figure, text) for text in figure.axes[0].texts])


@pytest.mark.parametrize("name", CHARTS)
def test_a_legend_stands_outside_the_panel(name: str) -> None:
    figure = drawn(name)
    panel = box(figure, figure.axes[0].patch)
    for one in figure.legends:
        assert not box(figure, one).overlaps(panel)


@pytest.mark.parametrize("name", CHARTS)
def test_the_panel_is_not_squeezed(name: str) -> None:
    panel = box(drawn(name), drawn(name).axes[0].patch)
    assert panel.width > 150
    assert panel.height > 60


@pytest.mark.parametrize("name", ["bars", "heat with gaps", "stack"])
def test_dark_is_light_on_dark(name: str) -> None:
    figure = drawn(name, dark=True)
    assert figure_page.luminance(figure.get_facecolor()) < 0.02
    title = figure.texts[0]
    assert figure_page.contrast(title.get_color(), figure.get_facecolor()) > 10
    assert figure_page.luminance(drawn(name).get_facecolor()) == pytest.approx(1)


@pytest.mark.parametrize("name", ["bars", "heat with gaps", "stack"])
def test_light_and_dark_draw_the_same_data(name: str) -> None:
    light, dark = drawn(name), drawn(name, dark=True)
    assert [bar.get_height() for bar in bars(light)] == [bar.get_height() for bar in bars(dark)]
    assert ticks(light) == ticks(dark)


def test_the_title_asks_and_wraps() -> None:
    assert drawn("bars").get_suptitle() == "2d6"
    assert drawn("lines").get_suptitle() == "Which result, how often?"
    chart = charts.chart(odds("2d6")).but(title=f"{LONG} {LONG}")
    shown = draw_chart(chart).get_suptitle()
    assert "\n" in shown
    assert " ".join(shown.split()) == f"{LONG} {LONG}"


def test_a_title_without_end_is_cut() -> None:
    shown = draw_chart(charts.chart(odds("2d6")).but(title="word " * 400)).get_suptitle()
    assert shown.endswith("…")
    assert shown.count("\n") == 3


def test_dollars_are_no_formulas() -> None:
    assert draw_chart(charts.chart(odds('"$x_1$": 2d6'))).get_suptitle() == "$x_1$"


def test_notes_stand_below_the_title() -> None:
    chart = charts.chart(odds("2d6")).but(notes=("Mind the gap.",))
    assert draw_chart(chart).axes[0].get_title() == "Mind the gap."


# --- bars


def test_bars_have_the_chances_of_the_outcomes() -> None:
    """2d6: 6 - |7 - k| ways of 36."""
    found = bars(drawn("bars"))
    assert len(found) == 11
    for bar, total in zip(found, range(2, 13), strict=True):
        assert bar.get_x() + bar.get_width() / 2 == pytest.approx(total)
        assert bar.get_height() == pytest.approx(100 * (6 - abs(7 - total)) / 36)


def test_axes_of_bars_have_names_and_units() -> None:
    axes = drawn("bars").axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("result", "chance in %")
    assert ticks(drawn("bars")) == [str(k) for k in range(2, 13)]


def test_values_stand_above_bars_where_there_is_room() -> None:
    """2/36 is 5.6 %."""
    assert written(drawn("bars"))[1] == "5.6"
    assert not written(drawn("bars of 400"))


@pytest.mark.parametrize("name", ["bars", "bars of 400", "bars with tails", "bars without end"])
def test_ticks_are_whole_where_outcomes_are(name: str) -> None:
    found = ticks(drawn(name))
    assert len(found) >= 5
    assert all(label.lstrip("-").isdigit() for label in found)


def test_halves_are_ticks_of_their_own() -> None:
    assert ticks(drawn("bars of halves")) == ["1/2", "1", "3/2", "2", "5/2", "3"]


def test_huge_outcomes_are_told_apart() -> None:
    found = bars(drawn("bars of huge numbers"))
    centres = [bar.get_x() + bar.get_width() / 2 for bar in found]
    assert centres == pytest.approx([0, 1, 2, 3, 4, 5])
    assert ticks(drawn("bars of huge numbers"))[-1] == "100000..000005"


def test_one_outcome_does_not_fill_the_panel() -> None:
    """One bar is at most a sixth as wide as the panel."""
    (bar,) = bars(drawn("bars of 1"))
    low, high = drawn("bars of 1").axes[0].get_xlim()
    assert bar.get_width() < (high - low) / 6
    assert bar.get_height() == 100
    assert ticks(drawn("bars of 1")) == ["5"]


def test_many_outcomes_are_drawn_one_by_one() -> None:
    """400 outcomes of 1/400 each: the bars are alike and nearly touch; the last 0.1 % is told."""
    found = bars(drawn("bars of 400"))
    assert len(found) in (399, 400)
    assert {round(bar.get_height(), 9) for bar in found} == {0.25}
    assert all(bar.get_width() == pytest.approx(0.85) for bar in found)
    ends = [bar.get_x() + bar.get_width() for bar in found[:-1]]
    assert all(end <= bar.get_x() for end, bar in zip(ends, found[1:], strict=True))


def test_far_outcomes_can_be_seen() -> None:
    """Three outcomes: the bars are wide enough for a pixel or two."""
    figure = drawn("bars far apart")
    assert len(bars(figure)) == 3
    assert all(box(figure, bar).width > 1 for bar in bars(figure))


def test_names_are_ticks() -> None:
    assert ticks(drawn("bars of names")) == ["2", "4", "6", "8", "10", "Misfire"]


def test_long_names_lie_at_the_left() -> None:
    figure = drawn("bars of long names")
    names = [" ".join(name.split()) for name in ticks(figure, "y")]
    assert names == sorted([LONG, LONG[::-1], "short"])
    assert [bar.get_width() for bar in bars(figure)] == pytest.approx([100 / 3] * 3)


def test_a_long_tail_is_cut_with_the_exact_rest() -> None:
    """d6!: more than 23 are three sixes and a fourth: 1/6^4 = 0.077 %."""
    (note,) = [text for text in written(drawn("bars without end")) if "above" in text]
    assert note == "above 23: 0.08 % more ▸"
    (note,) = [text for text in written(drawn("bars below 0")) if "below" in text]
    assert note == "◂ below -23: 0.08 % more"


def test_both_tails() -> None:
    notes = [text for text in written(drawn("bars with tails")) if "more" in text]
    assert [note.split()[0] for note in notes] == ["◂", "above"]


def test_names_that_are_left_out_are_told() -> None:
    """Of 200 cards the 120 likeliest are shown: 80 of 200 are not."""
    chart = charts.distributions([("cards", Dist([f"card {k}" for k in range(200)]))])
    figure = draw_chart(chart)
    assert len(bars(figure)) == 120
    assert "others, not drawn: 40.00 %" in figure.axes[0].get_xlabel()


def test_several_series_as_bars_stand_side_by_side() -> None:
    chart = Chart(
        "bars", "?", "x", "chance",
        (Series("a", (1, 2), (F(1, 4), F(3, 4))), Series("b", (1, 2), (F(1, 2), F(1, 2)))),
    )  # fmt: skip
    figure = draw_chart(chart)
    assert [bar.get_height() for bar in bars(figure)] == [25, 75, 50, 50]
    assert legend(figure) == ["a", "b"]
    assert not overlapping([box(figure, bar) for bar in bars(figure)])


def test_values_that_are_no_chances() -> None:
    chart = Chart("bars", "?", "x", "wounds", (Series("a", (1, 2), (F(-1), F(5, 2))),), False)
    figure = draw_chart(chart)
    assert [bar.get_height() for bar in bars(figure)] == [-1, 2.5]
    assert figure.axes[0].get_ylabel() == "wounds"
    low, high = figure.axes[0].get_ylim()
    assert low < -1 < 2.5 < high


# --- lines and steps


def test_lines_have_the_chances_of_the_outcomes() -> None:
    """3d6 = 3 is 1/216; 4d6kh3 = 3 is 1/1296."""
    best, plain = drawn("lines").axes[0].lines
    assert list(best.get_xdata()) == list(plain.get_xdata()) == list(range(3, 19))
    assert best.get_ydata()[0] == pytest.approx(100 / 1296)
    assert plain.get_ydata()[0] == pytest.approx(100 / 216)
    assert best.get_marker() != plain.get_marker()


def test_names_stand_beside_lines_instead_of_a_legend() -> None:
    figure = drawn("lines")
    assert written(figure) == ["4d6kh3", "3d6"]
    assert not figure.legends


def test_names_beside_lines_touch_no_line() -> None:
    figure = drawn("steps")
    assert written(figure) == ["d6", "2d6", "3d6"]
    for text in figure.axes[0].texts:
        found = box(figure, text)
        for line in figure.axes[0].lines:
            data = np.column_stack([line.get_xdata(), line.get_ydata()]).astype(float)
            path = line.get_transform().transform(data)
            for (x0, y0), (x1, y1) in pairwise(path):
                for part in np.linspace(0, 1, 50):
                    assert not found.contains(x0 + part * (x1 - x0), y0 + part * (y1 - y0))


@pytest.mark.parametrize("name", ["12 lines", "lines with long names"])
def test_a_legend_where_names_find_no_place(name: str) -> None:
    figure = drawn(name)
    names = [" ".join(text.split()) for text in legend(figure)]
    assert names == [one.name for one in CHARTS[name]().series]
    assert not written(figure)


def test_8_lines_are_told_apart() -> None:
    lines = drawn("8 lines").axes[0].lines
    assert len({line.get_color() for line in lines}) == 8
    assert len({line.get_marker() for line in lines}) == 8


def test_equal_lines_can_both_be_seen() -> None:
    chart = charts.distributions([("first", 2 @ d6), ("second", 2 @ d6)])
    first, second = draw_chart(chart).axes[0].lines
    assert first.get_linestyle() == "-"
    assert second.get_linestyle() == "--"


def test_tails_of_several_lines_are_told_below() -> None:
    """d8!: more than 24 are three eights: 1/512 = 0.195 %; more than 28 half of it: 0.098 %."""
    label = drawn("lines with tails").axes[0].get_xlabel()
    told = " ".join(label.split())
    assert told == "result not drawn: d6!: above 23 0.08 %; d8!: above 28 0.10 %"


def test_lines_over_names_share_their_places() -> None:
    found = ticks(drawn("lines of names"))
    assert found[:6] == ["2", "4", "6", "8", "10", "Misfire"]
    assert len(found) == len(set(found))


def test_steps_have_the_running_totals_at_the_outcomes() -> None:
    """d6: 1 or more 100 %, 6 or more 1/6; nothing is left beyond."""
    line: Line2D = drawn("steps").axes[0].lines[0]
    marks: Any = line.get_markevery()
    xs, ys = np.array(line.get_xdata())[marks], np.array(line.get_ydata())[marks]
    assert list(xs) == [1, 2, 3, 4, 5, 6]
    assert list(ys) == pytest.approx([100 * k / 6 for k in (6, 5, 4, 3, 2, 1)])
    assert (line.get_xdata()[-1], line.get_ydata()[-1]) == (6.5, 0)


def test_a_gap_belongs_to_the_next_outcome_of_at_least() -> None:
    """d6!: 6 never shows, so 6 or more is 7 or more, 1/6: the step down comes at 5.5."""
    line = draw_chart(several("d6!", view="at-least")).axes[0].lines[0]
    falls = [x for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True) if 20 < y < 40]
    assert max(falls) == 5.5


def test_at_most_rises_from_nothing_to_everything() -> None:
    line = draw_chart(several("d2", view="at-most")).axes[0].lines[0]
    corners = list(zip(line.get_xdata(), line.get_ydata(), strict=True))
    assert corners[0] == (0.5, 0)
    assert corners[-1] == (2.5, 100)
    assert drawn("steps").axes[0].get_ylabel() == "chance of this or more in %"


# --- chances


def test_chances_lie_from_0_to_100() -> None:
    """2/3, 1/6^10, never, always; the first at the top."""
    figure = drawn("chances")
    assert [bar.get_width() for bar in bars(figure)] == pytest.approx(
        [200 / 3, 1e2 / 6**10, 0, 100]
    )
    assert figure.axes[0].get_xlim() == (0, 100)
    assert ticks(figure, "y") == ["d6 >= 3", "10d6 = 60", "d6 > 6", "d6 >= 1"]
    assert figure.axes[0].yaxis_inverted()
    assert set(written(figure)) == {"66.7 %", "<0.1 %", "0 %", "100 %"}
    assert figure.axes[0].get_xlabel() == "chance in %"


def test_contests_are_stacked() -> None:
    """d6 against d8: 15, 6 and 27 of 48; against d100: 15, 6 and 579 of 600."""
    figure = drawn("contests")
    widths = [bar.get_width() for bar in bars(figure)]
    assert widths == pytest.approx([31.25, 2.5, 12.5, 1, 56.25, 96.5])
    starts = [bar.get_x() for bar in bars(figure)]
    assert starts == pytest.approx([0, 0, 31.25, 2.5, 43.75, 3.5])
    assert "win 2.5 %, tie 1.0 %" in written(figure)
    assert "lose 96.5 %" in written(figure)


def test_a_side_that_never_comes_is_not_written() -> None:
    figure = draw_chart(charts.chances(odds("d6 vs 0")))
    assert written(figure) == ["win 100 %"]


# --- tables


def mesh(figure: Figure) -> Any:
    (found,) = [
        one for one in figure.axes[0].collections if type(one).__name__ == "QuadMesh"
    ]  # fmt: skip
    return found


def test_a_table_has_its_first_row_at_the_top() -> None:
    """From a = 0: only b = 3 and 4; a = 2: from 1; a = 3: all."""
    figure = drawn("heat with gaps")
    grid = mesh(figure).get_array()
    assert figure.axes[0].get_ylim() == (4, 0)
    assert grid.mask.tolist() == [
        [True, True, True, False, False],
        [True] * 5,
        [True, False, False, False, False],
        [False] * 5,
    ]
    assert grid[3].tolist() == [0, 20, 40, 60, 80]
    assert ticks(figure) == ["0", "1", "2", "3", "4"]
    assert ticks(figure, "y") == ["0", "1", "2", "3"]


def test_cells_bear_their_value_and_empty_ones_a_hatch() -> None:
    figure = drawn("heat with gaps")
    assert written(figure)[-5:] == ["0", "20.0", "40.0", "60.0", "80.0"]
    assert len(written(figure)) == 11
    (hatch,) = [one for one in figure.axes[0].collections if type(one).__name__ == "LineCollection"]
    assert len(hatch.get_segments()) == 7 * 9


@pytest.mark.parametrize("dark", [False, True])
def test_text_in_cells_can_be_read(dark: bool) -> None:
    chart = charts.heat(
        tabulate("t", ("a", [1]), ("b", range(11)), lambda _, b: F(b, 10))
    )  # fmt: skip
    figure = draw_chart(chart, dark)
    figure.draw_without_rendering()
    colours = mesh(figure).get_facecolors()
    for text, colour in zip(figure.axes[0].texts, colours, strict=True):
        assert figure_page.contrast(text.get_color(), colour) >= 4.5


def test_the_scale_of_a_table_has_a_unit() -> None:
    assert drawn("heat").axes[1].get_ylabel() == "chance in %"
    numbers = share(2, 2).but(unit="number")
    assert draw_chart(charts.heat(numbers)).axes[1].get_ylabel() == "value"
    means = charts.heat(numbers.but(value="mean"))
    assert draw_chart(means).axes[1].get_ylabel() == "mean"


@pytest.mark.parametrize(("value", "top"), [(F(1, 5), 20), (F(3, 5), 100)])
def test_colours_go_to_100_where_chances_are_large(value: Fraction, top: float) -> None:
    table = tabulate("t", ("a", [1]), ("b", [1, 2]), lambda _, b: value / b)
    assert mesh(draw_chart(charts.heat(table))).norm.vmax == pytest.approx(top)


def test_tiny_chances_show_digits() -> None:
    """1/50000 is 0.002 %."""
    table = tabulate("t", ("a", [1]), ("b", [1, 2]), lambda _, b: F(b, 50000))
    assert written(draw_chart(charts.heat(table))) == ["0.0020", "0.0040"]


def test_a_large_table_has_no_text_in_its_cells() -> None:
    table = tabulate("t", ("a", range(26)), ("b", range(97)), lambda a, b: F(a + b, 128))
    figure = draw_chart(charts.heat(table))
    assert not written(figure)
    assert mesh(figure).get_array().shape == (26, 97)
    assert len(ticks(figure)) < 97


def test_columns_of_one_name_stay_apart() -> None:
    table = tabulate("t", ("a", [1]), ("b", [7, 7]), lambda *_: F(1, 2))
    assert mesh(draw_chart(charts.heat(table))).get_array().shape == (1, 2)


# --- bands


def test_bands_add_up() -> None:
    """n = 2: 1/2, 1/4, 1/4."""
    figure = drawn("stack")
    heights = [bar.get_height() for bar in bars(figure)]
    assert len(heights) == 18
    assert heights[::6] == pytest.approx([50, 25, 25])
    for place in range(6):
        tops = [bar.get_y() + bar.get_height() for bar in bars(figure)[place::6]]
        assert tops[-1] == pytest.approx(100)
    assert figure.axes[0].get_ylabel() == "chance in %, by band"
    assert figure.axes[0].get_xlabel() == "n"


@pytest.mark.parametrize("name", ["stack", "stack of 40"])
def test_names_stand_in_their_bands(name: str) -> None:
    figure = drawn(name)
    rows = len(bars(figure)) // 3
    assert not figure.legends
    for place, word in enumerate(["miss", "weak", "strong"]):
        (text,) = [one for one in figure.axes[0].texts if one.get_text() == word]
        found, band = box(figure, text), bars(figure)[rows * place : rows * (place + 1)]
        around = [box(figure, bar) for bar in band if box(figure, bar).overlaps(found)]
        assert around
        assert all(bar.y0 <= found.y0 and found.y1 <= bar.y1 for bar in around)


def test_thin_bands_have_a_legend_in_their_order() -> None:
    assert legend(drawn("stack with thin bands")) == ["strong", "weak", "miss"]


def test_more_bands_than_colours() -> None:
    figure = draw_chart(charts.stack(share(2, 12)))
    assert len({bar.get_facecolor() for bar in bars(figure)}) == 12


# --- ridges


def steps(figure: Figure) -> list[StepPatch]:
    return [patch for patch in figure.axes[0].patches if isinstance(patch, StepPatch)]


def test_ridges_have_one_scale() -> None:
    """d6: 1/6 everywhere; 2d6 has the same peak; 3d6 at most 27/216, three quarters of it."""
    figure = drawn("ridge")
    found = [row - np.array(one.get_data().values) for row, one in enumerate(steps(figure))]
    assert len(found) == 6
    assert found[0] == pytest.approx([0.85] * 6)
    assert found[1].max() == pytest.approx(0.85)
    assert found[2].max() == pytest.approx(0.85 * 0.75)
    assert steps(figure)[0].get_data().edges == pytest.approx([0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5])
    assert "16.7 %" in written(figure)


def test_ridges_bear_the_parameter_at_the_left_the_first_at_the_top() -> None:
    figure = drawn("ridge")
    assert ticks(figure, "y") == ["1", "2", "3", "4", "5", "6"]
    assert figure.axes[0].yaxis_inverted()
    assert figure.axes[0].get_ylabel() == "n"


def test_very_unlike_peaks_have_a_scale_each() -> None:
    """5 always; 20 values alike: 5 %."""
    chart = charts.ridge([("a", Dist([5])), ("b", Dist(range(20)))], "?", "what")
    figure = draw_chart(chart)
    assert written(figure) == ["100 %", "5.0 %"]
    assert [row - min(one.get_data().values) for row, one in enumerate(steps(figure))] == (
        pytest.approx([0.85, 0.85])
    )


# --- points


def test_points_stand_where_they_are() -> None:
    figure = draw_chart(charts.scatter([("axe", F(5), F(5, 2))], "?", "cost", "wounds"))
    (cloud,) = figure.axes[0].collections
    assert np.array(cloud.get_offsets()).tolist() == [[5, 2.5]]
    assert written(figure) == ["axe"]
    axes = figure.axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("cost", "wounds")


@pytest.mark.parametrize(
    "place", [lambda k: (0, 0), lambda k: (k, 0), lambda k: (k % 3, k // 3), lambda k: (0, k)]
)
def test_15_names_keep_off_one_another_and_off_points(place: Any) -> None:
    chart = charts.scatter(
        [(f"weapon {k}", F(place(k)[0]), F(place(k)[1])) for k in range(15)], "?", "x", "y"
    )
    figure = draw_chart(chart)
    figure.draw_without_rendering()
    texts = [text for text in figure.axes[0].texts if isinstance(text, Annotation)]
    assert len(texts) == 15
    boxes = [box(figure, text) for text in texts]
    assert not overlapping(boxes)
    panel = box(figure, figure.axes[0].patch)
    assert all(panel.x0 < one.x0 < one.x1 < panel.x1 for one in boxes)
    assert all(panel.y0 < one.y0 < one.y1 < panel.y1 for one in boxes)
    dots = figure.axes[0].transData.transform(np.array(figure.axes[0].collections[0].get_offsets()))
    assert not any(found.contains(*dot) for found in boxes for dot in dots)


def test_names_too_long_for_points_are_listed() -> None:
    chart = charts.scatter([(f"{LONG} {k}", F(k), F(k)) for k in range(3)], "?", "x", "y")
    figure = draw_chart(chart)
    assert sorted(written(figure)) == ["1", "2", "3"]
    assert [" ".join(text.split()) for text in legend(figure)] == [
        f"{k + 1}: {LONG} {k}" for k in range(3)
    ]


# --- files


@pytest.mark.parametrize(
    ("name", "ending"), [*(("lines", ending) for ending in ENDINGS), ("heat with gaps", "svg")]
)
def test_the_same_chart_gives_the_same_bytes(tmp_path: Path, name: str, ending: str) -> None:
    found = []
    for copy in ("a", "b"):
        path = tmp_path / f"{copy}.{ending}"
        save_chart(CHARTS[name](), str(path))
        found.append(path.read_bytes())
    assert found[0] == found[1]
    starts = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
    assert found[0].startswith(starts[ending])


def test_the_same_bytes_for_a_table_of_pixels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Large tables are one image."""
    monkeypatch.setattr(figure_tables, "MOST_CELLS_AS_SHAPES", 3)
    for copy in ("a", "b"):
        save_chart(charts.heat(share(2, 2)), str(tmp_path / f"{copy}.svg"), dark=True)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert b"data:image/png" in (tmp_path / "a.svg").read_bytes()


def test_answers_go_through_charts(tmp_path: Path) -> None:
    """At least: 2d6 is 2 or more in 100 %, as a line."""
    (line,) = draw(odds("2d6"), "at-least").axes[0].lines
    assert max(line.get_ydata()) == 100
    assert len(bars(draw(odds("2d6")))) == 11
    for name, view in (("a.SVG", "pmf"), ("b.svg", "at-most")):
        save(odds("2d6"), str(tmp_path / name), view, dark=True)  # type: ignore[arg-type]
    assert (tmp_path / "a.SVG").read_bytes() != (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize("name", ["dice.xyz", "dice", "missing/dice.svg"])
def test_a_file_that_cannot_be_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(OddsmithError) as caught:
        save(odds("2d6"), str(tmp_path / name))
    assert name in str(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "chart",
    [
        Chart("bars", "?", "x", "y", ()),
        Chart("heat", "?", "x", "y", (Series("row", (), ()),)),
        Chart("pie", "?", "x", "y", (Series("a", (1,), (F(1),)),)),  # type: ignore[arg-type]
        Chart("bars", "?", "x", "y", (Series("a", (1, 10**400), (F(1, 2), F(1, 2))),)),
        Chart("ridge", "?", "x", "y", (Series("a", (1,), (F(1),)),) * 401),
    ],
    ids=["no series", "no values", "no such kind", "too large", "too many"],
)
def test_what_cannot_be_drawn(chart: Chart) -> None:
    with pytest.raises(RuleError):
        draw_chart(chart)


def test_nothing_to_draw() -> None:
    with pytest.raises(RuleError):
        draw(())


def test_letters_that_the_font_lacks_are_no_error(tmp_path: Path) -> None:
    save(odds('"龍": 2d6'), str(tmp_path / "a.png"))
    assert (tmp_path / "a.png").stat().st_size > 1000


@pytest.mark.parametrize(
    "typed",
    [
        ["fantasy-battle", "roll-off", "--modifier", "1"], ["six-again", "means", "--dice", "4"],
        ["combat-pools", "bands-table"], ["warhammer-40k", "check", "--skill", "3+"],
    ],
)  # fmt: skip
def test_every_kind_of_answer_of_a_game_is_drawn(typed: list[str], tmp_path: Path) -> None:
    """Chances, numbers and tables; numbers beside chances are left to the text."""
    from click.testing import CliRunner

    from oddsmith.cli.main import cli

    path = tmp_path / "game.png"
    done = CliRunner().invoke(cli, ["game", *typed, "--plot", str(path)])
    assert done.exit_code == 0, done.output
    assert path.stat().st_size > 1000
