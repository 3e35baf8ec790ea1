"""Outputs as charts: the data, the look of the site, and what is said instead of drawn."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from oddsmith.answers.anydice_charts import MOST_SERIES, chart
from oddsmith.anydice import run
from oddsmith.errors import RuleError
from oddsmith.render import plain_chart
from oddsmith.render.figure import draw_chart, save_chart

F = Fraction
ORDER = [
    "#000000", "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7",
]  # fmt: skip
TWO = 'output d2 named "coin" output d{1, 3, 3} named "odd die"'
VIEWS = ["normal", "at-least", "at-most", "transposed", "summary"]


def test_a_line_for_each_output_with_mean_and_deviation() -> None:
    """The odd die: mean 7/3, variance 8/9."""
    found = chart(run(TWO))
    assert (found.kind, found.look, found.percent) == ("lines", "anydice", True)
    assert [(one.name, one.xs, one.ys) for one in found.series] == [
        ("coin (1.50 / 0.50)", (1, 2), (F(1, 2), F(1, 2))),
        ("odd die (2.33 / 0.94)", (1, 3), (F(1, 3), F(2, 3))),
    ]


@pytest.mark.parametrize(
    ("data", "ys"), [("at-least", (F(1), F(2, 3))), ("at-most", (F(1, 3), F(1)))]
)
def test_running_totals(data: str, ys: tuple[Fraction, ...]) -> None:
    assert chart(run(TWO), data).series[1].ys == ys


def test_transposed_has_a_line_for_each_outcome() -> None:
    found = chart(run(TWO), "transposed")
    assert [(one.name, one.xs, one.ys) for one in found.series] == [
        ("1", ("coin", "odd die"), (F(1, 2), F(1, 3))),
        ("2", ("coin", "odd die"), (F(1, 2), F(0))),
        ("3", ("coin", "odd die"), (F(0), F(2, 3))),
    ]


def test_a_summary_has_four_lines() -> None:
    found = chart(run(TWO), "summary")
    assert not found.percent
    assert [one.name for one in found.series] == ["mean", "deviation", "maximum", "minimum"]
    assert [one.ys[1] for one in found.series] == [F(7, 3), F(942809042, 10**9), F(3), F(1)]


def test_a_single_value_is_said_and_not_drawn() -> None:
    done = run('output d6 output 7 named "lucky" output d{}')
    found = chart(done)
    assert [one.name for one in found.series] == ["output 1 (3.50 / 1.71)"]
    assert found.title == "output 1 (3.50 / 1.71)"
    assert found.notes == (
        "lucky is always 7, which is not drawn.", "output 3 is empty and not drawn.",
    )  # fmt: skip
    assert chart(done, "transposed").series[-1].xs == ("output 1", "lucky")


@pytest.mark.parametrize("program", ["output 7", "output d{}", "output 7 output 8"])
def test_nothing_but_single_values(program: str) -> None:
    with pytest.raises(RuleError, match="nothing to draw"):
        chart(run(program))


@pytest.mark.parametrize("data", ["transposed", "summary"])
def test_nothing_at_all(data: str) -> None:
    with pytest.raises(RuleError, match="nothing to draw"):
        chart(run("output d{}"), data)


def test_more_lines_than_can_be_told_apart() -> None:
    done = run("loop N over {1..30} { output d2 + N }")
    found = chart(done)
    assert len(found.series) == MOST_SERIES
    assert found.notes == ("The first 24 of 30 outputs are drawn.",)
    turned = chart(run("output d{1..30, 28}"), "transposed")
    assert "28" in {one.name for one in turned.series}
    assert [int(one.name) for one in turned.series] == sorted(int(s.name) for s in turned.series)
    assert turned.notes == ("The likeliest 24 of 30 outcomes are drawn.",)


def test_many_outcomes_are_joined_to_their_mean_chance() -> None:
    """d1000 to 60 points: 20 outcomes each, of 1/1000; a thousandth lies below and above."""
    (one,) = chart(run("output d1000"), most=60).series
    assert one.xs[1] == 20
    assert one.ys[1] == F(1, 1000)
    assert (one.below, one.beyond) == (F(0), F(1, 1000))


def test_narrow_names_for_a_terminal() -> None:
    found = chart(run(TWO), narrow=True)
    assert [one.name for one in found.series] == ["coin", "odd die"]
    told = "Means and deviations: coin (1.50 / 0.50), odd die (2.33 / 0.94)."
    assert found.notes == (told,)
    assert chart(run("output 2d6 output 3d6"), "transposed", narrow=True).kind == "heat"
    assert chart(run(TWO), "transposed", narrow=True).kind == "lines"


@pytest.mark.parametrize("data", VIEWS)
def test_enclosed_outputs_say_so(data: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddsmith.anydice.values.MOST_BITS", 6)
    monkeypatch.setattr("oddsmith.anydice.values.KEPT_BITS", 8)
    found = chart(run("output 4d3 output 5d3"), data)
    assert any("Only a part is known" in note for note in found.notes)


# --- the look


def lines(program: str, data: str = "normal", dark: bool = False) -> list[tuple[str, str]]:
    """Colours and markers, in order."""
    figure = draw_chart(chart(run(program), data), dark)
    found = [line for line in figure.axes[0].lines if line.get_marker() != "None"]
    return [(str(line.get_color()), str(line.get_marker())) for line in found]


def test_the_order_of_colours_and_dots() -> None:
    """Circles, after eight series squares, after eight more diamonds."""
    found = lines("loop N over {1..17} { output Nd2 }")
    assert [colour for colour, _ in found] == [*ORDER, *ORDER, ORDER[0]]
    assert [marker for _, marker in found] == ["o"] * 8 + ["s"] * 8 + ["D"]


def test_on_dark_paper_the_first_is_light() -> None:
    found = lines(TWO, dark=True)
    assert found[0][0] not in ORDER
    assert int(found[0][0][1:3], 16) > 200
    assert found[1][0] == ORDER[1]


def test_lines_break_at_gaps() -> None:
    """1, 2 and 10: the line ends at 2."""
    figure = draw_chart(chart(run("output d{1, 2, 10} output d12")))
    across = list(figure.axes[0].lines[0].get_xdata())  # type: ignore[arg-type]
    assert across[:2] == [1.0, 2.0]
    assert across[2] != across[2]
    assert across[3] == 10.0


def test_the_legend_has_means_and_deviations() -> None:
    figure = draw_chart(chart(run(TWO)))
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "coin (1.50 / 0.50)", "odd die (2.33 / 0.94)",
    ]  # fmt: skip


@pytest.mark.parametrize("data", VIEWS)
@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_every_view_in_every_format(data: str, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"shown.{ending}"
    save_chart(chart(run(TWO), data), str(path))
    begin = path.read_bytes()[:5]
    assert begin.startswith({"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF-"}[ending])


@pytest.mark.parametrize("data", VIEWS)
def test_every_view_in_a_terminal(data: str) -> None:
    shown = plain_chart.chart(chart(run(TWO), data, narrow=True), 80, ascii=True)
    assert "odd die" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert "#" in shown
