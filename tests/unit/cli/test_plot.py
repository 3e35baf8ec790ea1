"""The command ``odds plot``."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from oddsmith.answers.charts import Chart
from oddsmith.cli.main import main
from oddsmith.cli.plot import charted
from oddsmith.errors import NotationError, RuleError

F = Fraction
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command in this process, 80 columns wide."""
    monkeypatch.setenv("COLUMNS", "80")

    def call(*args: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            main(["plot", *args])
        shown = capsys.readouterr()
        code = caught.value.code
        return code if isinstance(code, int) else 0, shown.out, shown.err

    return call


def names(chart: Chart) -> list[str]:
    return [one.name for one in chart.series]


# --- which chart


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["2d6"], "bars"),
        (["2d6", "3d6"], "lines"),
        (["2d6; 3d6"], "lines"),
        (["d6 >= 3"], "chances"),
        (["d6 = 3"], "chances"),
        (["d6 vs d8"], "chances"),
        (["d20+{mod} >= {dc}", "mod=0..2", "dc=10..12"], "heat"),
        (["{n}d6", "n=1..3"], "ridge"),
        (["{n}d6!", "n=1,3"], "ridge"),
        (["n=1..3", "{n}d6"], "ridge"),
        (["{n}d6 vs d8", "n=1..3"], "stack"),
        (["{n}d6 >= 10", "n=1..3"], "bars"),
    ],
)
def test_the_kind_that_suits(texts: list[str], kind: str) -> None:
    assert charted(texts).kind == kind


def test_two_ranges_are_a_heat_map() -> None:
    """d20 + 1 >= 12 is d20 >= 11: 1/2."""
    chart = charted(["d20+{mod} >= {dc}", "mod=0..1", "dc=12,22"])
    assert (chart.title, chart.x, chart.y) == ("d20+{mod} >= {dc}", "dc", "mod")
    assert names(chart) == ["0", "1"]
    assert chart.series[1].xs == ("12", "22")
    assert chart.series[1].ys == (F(1, 2), F(0))


def test_one_range_of_distributions_is_a_ridge() -> None:
    chart = charted(["{n}d2", "n=1..2"])
    assert (chart.title, chart.y) == ("{n}d2", "n")
    assert names(chart) == ["1", "2"]
    assert chart.series[1].ys == (F(1, 4), F(1, 2), F(1, 4))


def test_one_range_of_distributions_at_least() -> None:
    """2d2: 2 or more always, 3 or more 3/4, 4 or more 1/4."""
    chart = charted(["{n}d2", "n=1..2"], "at-least")
    assert (chart.kind, chart.title, names(chart)) == ("steps", "{n}d2", ["n = 1", "n = 2"])
    assert chart.series[1].ys == (1, F(3, 4), F(1, 4))


def test_one_range_of_contests_is_stacked() -> None:
    """d4 against d2: 5/8, 2/8, 1/8."""
    chart = charted(["d{die} vs d2", "die=2,4"])
    assert names(chart) == ["win", "tie", "lose"]
    assert [one.ys[1] for one in chart.series] == [F(5, 8), F(1, 4), F(1, 8)]
    assert chart.x == "die"


def test_one_range_of_chances_is_bars_in_order() -> None:
    chart = charted(["d6 >= {k}", "k=4,3,6"])
    assert (chart.x, chart.y) == ("k", "chance")
    assert chart.series[0].xs == (3, 4, 6)
    assert chart.series[0].ys == (F(2, 3), F(1, 2), F(1, 6))


def test_bands_of_a_table_whose_rows_add_up() -> None:
    chart = charted(["{n}d2 = {k}", "n=1", "k=1,2"], kind="stack")
    assert (chart.kind, names(chart)) == ("stack", ["1", "2"])
    assert [one.ys for one in chart.series] == [(F(1, 2),), (F(1, 2),)]


def test_bands_of_distributions() -> None:
    """2d2: 1/4, 1/2, 1/4; d2 has no 3 and no 4."""
    chart = charted(["{n}d2", "n=1..2"], kind="stack")
    assert names(chart) == ["1", "2", "3", "4"]
    assert [one.ys for one in chart.series] == [
        (F(1, 2), 0), (F(1, 2), F(1, 4)), (0, F(1, 2)), (0, F(1, 4)),
    ]  # fmt: skip


def test_a_heat_map_of_distributions() -> None:
    chart = charted(["d{s}", "s=2,3"], kind="heat")
    assert (chart.kind, chart.x, chart.y) == ("heat", "result", "s")
    assert chart.series[0].ys == (F(1, 2), F(1, 2), 0)


def test_what_a_heat_map_leaves_out_is_said() -> None:
    assert charted(["{n}d6!", "n=1..2"], kind="heat").notes
    assert not charted(["{n}d6", "n=1..2"], kind="heat").notes


def test_expressions_as_ridges() -> None:
    chart = charted(['"good": 4d6kh3', "3d6", "3d6"], kind="ridge")
    assert chart.kind == "ridge"
    assert names(chart)[:2] == ["good", "3d6"]
    assert len(set(names(chart))) == 3


def test_contests_as_bands() -> None:
    """d6 against d6: 15, 6 and 15 of 36."""
    chart = charted(["d6 vs d6", "d2 vs 3"], kind="stack")
    assert names(chart) == ["win", "tie", "lose"]
    assert [one.ys for one in chart.series] == [(F(5, 12), 0), (F(1, 6), 0), (F(5, 12), 1)]


@pytest.mark.parametrize(
    ("texts", "view", "kind"),
    [
        (["{n}d6", "{n}d8", "n=1..3"], "pmf", "auto"),
        (["n=1..3"], "pmf", "auto"),
        (["2d6", "n=1..3"], "pmf", "auto"),
        (["{n}d6", "m=1..3"], "pmf", "auto"),
        (["{n}d6", "n=3..1"], "pmf", "auto"),
        (["{n}d6", "n=1..99999"], "pmf", "auto"),
        (["{a}d{b}+{c}", "a=1..2", "b=2..3", "c=0..1"], "pmf", "auto"),
        (["{n}d6; d8", "n=1..3"], "pmf", "auto"),
        (["{n}d{s}", "n=1..3", "s=4,6"], "pmf", "ridge"),
        (["{n}d6 >= 9", "n=1..3"], "pmf", "ridge"),
        (["{n}d6 >= 9", "n=1..3"], "pmf", "stack"),
        (["{n}d6 >= {k}", "n=1..3", "k=1..4"], "pmf", "stack"),
        (["d6 + {n}", "n=1..90"], "pmf", "heat"),
        (["d6 >= 3"], "pmf", "ridge"),
        (["2d6"], "at-least", "ridge"),
        (["artillery"], "at-least", "auto"),
        (["d6 + {n}", "n=1,artillery"], "pmf", "auto"),
    ],
)
def test_what_makes_no_chart(texts: list[str], view: str, kind: str) -> None:
    with pytest.raises((RuleError, NotationError)):
        charted(texts, view, kind)  # type: ignore[arg-type]


# --- the command


@pytest.mark.parametrize(
    ("name", "start"), [("a.svg", b"<?xml"), ("a.png", b"\x89PNG"), ("a.pdf", b"%PDF")]
)
def test_a_file(run: Run, tmp_path: Path, name: str, start: bytes) -> None:
    assert run("2d6", "-o", str(tmp_path / name)) == (0, "", "")
    assert (tmp_path / name).read_bytes().startswith(start)


def test_options_change_the_picture(run: Run, tmp_path: Path) -> None:
    options = [[], ["--dark"], ["--view", "at-least"], ["--title", "What?"], ["--kind", "ridge"]]
    found = set()
    for place, more in enumerate(options):
        path = tmp_path / f"{place}.svg"
        assert run("2d6", *more, "-o", str(path))[0] == 0
        found.add(path.read_bytes())
    assert len(found) == len(options)


def test_without_a_file_it_is_drawn_in_the_terminal(run: Run) -> None:
    code, out, err = run("2d6", "--title", "Two dice")
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "Two dice"
    assert out.count("█") > 50
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) == 80


def test_a_table_in_the_terminal(run: Run) -> None:
    code, out, _ = run("d20+{mod} >= {dc}", "mod=0..1", "dc=11,16")
    assert code == 0
    assert "▒ 50.0 ░ 25.0" in out


def test_an_expression_that_starts_with_minus(run: Run) -> None:
    code, out, _ = run("-d2")
    assert code == 0
    assert "  -2  50.00 %" in out


def test_a_program_from_standard_input() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "oddsmith", "plot", "-"],
        input="d2\n", capture_output=True, text=True, timeout=30, check=False,
        env={"PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "  1  50.00 %  ####" in done.stdout


@pytest.mark.parametrize(
    "args",
    [
        [], ["2d6", "-o", "dice.xyz"], ["2d6", "-o", "missing/dice.svg"], ["3d6 hihgest"],
        ["2d6", "--kind", "pie"], ["2d6", "--view", "most"], ["2d6", "m=1..3"], ["d20+{mod}"],
    ],
)  # fmt: skip
def test_wrong_calls(run: Run, args: list[str]) -> None:
    code, out, err = run(*args)
    assert (code, out) == (2, "")
    assert err
    assert "Traceback" not in err


def test_help(run: Run) -> None:
    code, out, _ = run("--help")
    assert code == 0
    for option in ("-o", "--view", "--kind", "--dark", "--title", "NAME=RANGE"):
        assert option in out


def test_it_is_among_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "plot" in capsys.readouterr().out
