"""What a chart has no value for, or only two ends: columns, totals between outcomes, enclosures."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from oddsmith import Dist, d6, odds
from oddsmith.answers import charts
from oddsmith.answers.ask import Answer
from oddsmith.answers.charts import Chart, Series
from oddsmith.cli.plot import charted
from oddsmith.enclosed import Enclosed
from oddsmith.notation.chance import Chance
from oddsmith.render import plain_chart, unknown
from oddsmith.render.figure import draw_chart
from oddsmith.render.outcomes import filled
from oddsmith.table import Table, tabulate

F = Fraction
EVEN = Dist([2, 4, 6])
HALF_KNOWN = Enclosed(Dist([1, 2, 3]), F(3, 4))
"""1, 2 and 3 with a quarter each; a quarter is not known and may be anything."""


def drawn(chart: Chart) -> Figure:
    figure = draw_chart(chart)
    figure.draw_without_rendering()
    return figure


def bars(figure: Figure) -> list[Rectangle]:
    return [patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle)]


def note(figure: Figure) -> str:
    return " ".join(figure.axes[0].get_title().split())


def lines(chart: Chart, **options: Any) -> list[str]:
    return plain_chart.chart(chart, 80, **options).splitlines()


def question(low: Fraction, high: Fraction) -> Answer:
    return Answer("x", "something", "probability", low=low, high=high)


# --- tables


def gappy(*rows: list[Fraction | None], columns: str = "abcd") -> Table:
    named = tuple((str(place), tuple(cells)) for place, cells in enumerate(rows))
    return Table("t", "row", "column", tuple(columns[: len(rows[0])]), named)


def grid(figure: Figure) -> Any:
    (mesh,) = [one for one in figure.axes[0].collections if type(one).__name__ == "QuadMesh"]
    return mesh.get_array()


def test_a_column_that_is_empty_everywhere_keeps_its_place() -> None:
    chart = charts.heat(gappy([None, F(1, 4), None, F(1, 2)], [None, F(3, 4), None, None]))
    assert chart.columns == ("a", "b", "c", "d")
    figure = drawn(chart)
    shown = [label.get_text() for label in figure.axes[0].get_xticklabels()]
    assert shown == ["a", "b", "c", "d"]
    assert grid(figure).mask.tolist() == [[True, False, True, False], [True, False, True, True]]
    head, first, second = lines(chart)[-3:]
    assert head.split() == ["a", "b", "c", "d"]
    assert first.index("25.0") == second.index("75.0")
    assert head.index("b") < head.index("c") < first.index("50.0")


def test_columns_of_one_name_keep_their_cells_apart() -> None:
    """Two columns are called x; the first has nothing in the second row."""
    chart = charts.heat(gappy([F(1, 4), F(1, 2)], [None, F(3, 4)], columns="xx"))
    found = grid(drawn(chart))
    assert found.mask.tolist() == [[False, False], [True, False]]
    assert found[1, 1] == 75
    rows = lines(chart)[-2:]
    assert rows[1].index("75.0") == rows[0].index("50.0")


def test_shades_keep_empty_columns() -> None:
    """101 columns are only shaded; the second is empty, the others are full."""
    table = tabulate("t", ("a", [1]), ("b", range(101)), lambda _, b: None if b == 1 else F(1))
    rows = [line[4:] for line in lines(charts.heat(table), ascii=True) if line[:4] == "  1 "]
    assert rows[0][:3] == "# #"
    assert "".join(rows).count("#") == 100
    assert "".join(rows).count(" ") == 1


def test_the_scale_says_what_the_value_is() -> None:
    """Means of dice, chances to win: from a text with two ranges."""
    means, won = charted(["{n}d{s}", "n=1..2", "s=4,6"]), charted(["d{a} vs d{b}", "a=4", "b=4,6"])
    assert (means.colours, won.colours) == ("mean", "chance to win")
    assert drawn(means).axes[1].get_ylabel() == "mean"
    assert drawn(won).axes[1].get_ylabel() == "chance to win in %"
    assert lines(means)[2] == "  rows: n, columns: s, mean"
    assert lines(won)[2] == "  rows: a, columns: b, chance to win in %"


def test_bands_say_what_they_are() -> None:
    """In the name of the axis where they bear their names, else above the legend."""
    table = tabulate("t", ("die", [1, 2]), ("side", ["h", "t"]), lambda *_: F(1, 2))
    assert charts.stack(table).colours == "side"
    assert drawn(charts.stack(table)).axes[0].get_ylabel() == "chance in %, by side"
    assert lines(charts.stack(table))[2] == "  chance in %, by side"
    thin = [F(998, 1000), F(1, 1000), F(1, 1000)]
    figure = drawn(charts.stack(gappy(thin, thin)))
    assert figure.legends[0].get_title().get_text() == "column"
    assert figure.axes[0].get_ylabel() == "chance in %"


# --- running totals of several distributions


def at(figure: Figure, line: int, x: float) -> float:
    """How high a line is right at x."""
    one = figure.axes[0].lines[line]
    xs, ys = np.array(one.get_xdata(), float), np.array(one.get_ydata(), float)
    return float(np.interp(x, xs, ys))


@pytest.mark.parametrize("first", [EVEN, d6])
def test_totals_at_least_hold_at_the_outcomes_of_others(first: Dist[int]) -> None:
    """2, 4 or 6: 3 or more is 4 or more, 2/3; 1 or more is everything."""
    second = d6 if first is EVEN else EVEN
    figure = drawn(charts.distributions([("a", first), ("b", second)], "at-least"))
    line = 0 if first is EVEN else 1
    right = [F(1), F(1), F(2, 3), F(2, 3), F(1, 3), F(1, 3)]
    for outcome, chance in enumerate(right, 1):
        for near in (-0.3, 0, 0.3):
            assert at(figure, line, outcome + near) == pytest.approx(float(100 * chance))


def test_totals_at_most_hold_at_the_outcomes_of_others() -> None:
    """2, 4 or 6: 3 or less is 2, 1/3; 7 or less is everything; 1 or less is not drawn."""
    figure = drawn(charts.distributions([("a", EVEN), ("b", Dist(range(1, 9)))], "at-most"))
    for outcome, chance in ((2, F(1, 3)), (3, F(1, 3)), (4, F(2, 3)), (5, F(2, 3)), (6, 1), (8, 1)):
        assert at(figure, 0, outcome) == pytest.approx(float(100 * chance))
    assert min(figure.axes[0].lines[0].get_xdata()) == 1.5
    assert max(figure.axes[0].lines[0].get_xdata()) == 8.5


def test_one_outcome_at_most_rises() -> None:
    """5 or less is certain, and so is 6 or less."""
    line = drawn(charts.distributions([("five", Dist([5]))], "at-most")).axes[0].lines[0]
    assert (line.get_xdata()[0], line.get_ydata()[0]) == (4.5, 0)
    assert (line.get_xdata()[-1], line.get_ydata()[-1]) == (5.5, 100)


def test_totals_are_filled_in_a_terminal() -> None:
    """2, 4 or 6 beside a d6, in both directions."""
    least = filled(charts.distributions([("a", EVEN), ("b", d6)], "at-least")).series[0]
    assert least.xs == (1, 2, 3, 4, 5, 6)
    assert least.ys == (1, 1, F(2, 3), F(2, 3), F(1, 3), F(1, 3))
    most = filled(charts.distributions([("a", EVEN), ("b", d6)], "at-most")).series[0]
    assert most.ys == (0, F(1, 3), F(1, 3), F(2, 3), F(2, 3), 1)
    rows = lines(charts.distributions([("a", EVEN), ("b", d6)], "at-least"))[5:]
    assert [re.sub("[^ -~]", "", row).split() for row in rows][2] == ["3", "66.67", "66.67"]


def test_long_tails_are_not_filled() -> None:
    """d6! has outcomes above the last row: there its totals are not known to the chart."""
    chart = charts.distributions([("open", odds("d6!")[0].dist), ("far", Dist([40]))], "at-least")
    assert 40 not in filled(chart).series[0].xs
    assert filled(chart).series[1].ys[0] == 1


def test_names_are_not_filled() -> None:
    chart = charts.distributions([("a", Dist(["x", "y"])), ("b", Dist(["z"]))])
    assert filled(chart) == chart


# --- lines


def test_a_line_is_dotted_over_outcomes_of_others() -> None:
    """2, 4 and 6 are no neighbours beside a d6: markers, and a dotted line."""
    figure = drawn(charts.distributions([("a", EVEN), ("b", d6)]))
    dotted, whole, other = figure.axes[0].lines
    assert (dotted.get_linestyle(), whole.get_linestyle(), other.get_linestyle()) == (":", "-", "-")
    assert list(dotted.get_xdata()) == [2, 4, 6]
    assert np.isnan(np.array(whole.get_xdata(), float)).sum() == 2
    marks: Any = whole.get_markevery()
    assert list(np.array(whole.get_xdata())[marks]) == [2, 4, 6]
    assert {text.get_text() for text in figure.axes[0].texts} == {"a", "b"}


def test_bars_of_several_series_do_not_overlap() -> None:
    """Five outcomes two apart beside five that are one apart."""
    series = tuple(
        Series(name, tuple(range(0, 5 * step, step)), (F(1, 5),) * 5)
        for name, step in (("a", 2), ("b", 1))
    )
    found = sorted(
        (bar.get_x(), bar.get_x() + bar.get_width())
        for bar in bars(drawn(Chart("bars", "?", "x", "chance", series)))
    )
    assert all(end <= start + 1e-9 for (_, end), (start, _) in pairwise(found))


# --- enclosures


def test_bars_show_both_ends() -> None:
    """25 % are certain, up to 50 % possible."""
    figure = drawn(charts.distributions([("x", HALF_KNOWN)]))
    heights = [(bar.get_y(), bar.get_height()) for bar in bars(figure)]
    assert heights == [(0, 25)] * 3 + [(25, 25)] * 3
    assert {bar.get_alpha() for bar in bars(figure)[3:]} == {0.35}
    assert [text.get_text() for text in figure.axes[0].texts] == ["25.0 to 50.0"] * 3
    assert figure.axes[0].get_ylim()[1] > 50
    assert note(figure) == "Chances are known only between two ends; what is not known is pale."


@pytest.mark.parametrize(
    ("view", "lows", "highs"),
    [
        ("at-least", [75, 50, 25], [100, 75, 50]),
        ("at-most", [25, 50, 75], [50, 75, 100]),
    ],
)
def test_running_totals_show_both_ends(view: Any, lows: list[int], highs: list[int]) -> None:
    chart = charts.distributions([("x", HALF_KNOWN)], view)
    (series,) = chart.series
    assert [100 * y for y in series.ys] == lows
    assert [100 * y for y in series.highs] == highs
    (band,) = [one for one in drawn(chart).axes[0].collections if one.get_paths()]
    corners = band.get_paths()[0].vertices
    for x, low, high in zip((1, 2, 3), lows, highs, strict=True):
        assert {low, high} <= {round(float(y)) for at, y in corners if at == x}


def test_chances_show_both_ends() -> None:
    figure = drawn(charts.chances([question(F(1, 4), F(1, 2)), question(F(2, 3), F(2, 3))]))
    widths = [bar.get_width() for bar in bars(figure)]
    assert widths == pytest.approx([25, 200 / 3, 25, 0])
    assert [text.get_text() for text in figure.axes[0].texts] == ["25.0 to 50.0 %", "66.7 %"]


def test_contests_show_what_is_not_known() -> None:
    """Win at least 1/4, tie 1/8, lose at least 3/8: a quarter is open."""
    sides = (Chance(F(1, 4), F(1, 2)), Chance(F(1, 8), F(1, 8)), Chance(F(3, 8), F(5, 8)))
    chart = charts.chances([Answer("x", "a contest", "contest", contest=sides)])
    assert [one.name for one in chart.series] == ["win", "tie", "lose", "not known"]
    assert [one.ys for one in chart.series] == [(F(1, 4),), (F(1, 8),), (F(3, 8),), (F(1, 4),)]
    ends = [bar.get_x() + bar.get_width() for bar in bars(drawn(chart))]
    assert ends == pytest.approx([25, 37.5, 75, 100])


def test_ridges_show_both_ends() -> None:
    figure = drawn(charts.ridge([("1", HALF_KNOWN), ("2", d6)], "?", "n"))
    assert len(figure.axes[0].patches) == 3
    assert figure.axes[0].patches[1].get_alpha() == 0.35
    assert "50.0 %" in [text.get_text() for text in figure.axes[0].texts]


def test_a_gap_too_small_to_see_is_told() -> None:
    """Less than 10^-6, and nothing pale."""
    chart = charts.chances([question(F(1, 2), F(1, 2) + F(1, 2 * 10**6))])
    figure = drawn(chart)
    assert len(bars(figure)) == 1
    assert note(figure) == "Chances are lower ends: less than 10^-6 is not known."
    assert lines(chart)[-1] == "  Chances are lower ends: less than 10^-6 is not known."


def test_an_enclosed_product_says_so() -> None:
    """Two open-ended dice multiplied have no closed form."""
    chart = charted(["d6!! * d6!!"])
    assert 0 < unknown.gap(chart.series[0]) < F(1, 10**6)
    assert "lower ends" in note(drawn(chart))


def test_both_ends_in_a_terminal() -> None:
    """A quarter certain, half possible; three times as long a bar for 75 %."""
    found = lines(charts.distributions([("x", HALF_KNOWN)]), ascii=True)
    rows = [line for line in found if "to" in line and "#" in line]
    assert [line.split()[:5] for line in rows] == [[n, "25.00", "to", "50.00", "%"] for n in "123"]
    assert all(abs(line.count("#") - line.count(".", 20)) <= 1 for line in rows)
    assert found[-1].startswith("  Chances are known only between two ends")


def test_exact_charts_say_nothing() -> None:
    for texts in (["d6"], ["d6!"], ["d6 vs d8"], ["d6 >= 3", "d6 vs d8"]):
        chart = charted(texts)
        assert unknown.notes(chart) == list(chart.notes) == []
        assert not any(one.highs for one in chart.series)


def test_bands_of_what_goes_on_for_ever() -> None:
    """d6! as bands: what is beyond its rows has a band of its own."""
    chart = charted(["{n}d6!", "n=1..2"], kind="stack")
    assert chart.series[-1].name == "others"
    assert all(sum(one.ys[row] for one in chart.series) == 1 for row in range(2))
