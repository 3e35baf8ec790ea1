"""The command ``odds``."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from oddsmith import __version__
from oddsmith.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., tuple[int, str, str]]
"""From arguments to exit code, standard output and standard error."""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command in this process, 80 columns wide."""
    monkeypatch.setenv("COLUMNS", "80")

    def call(*args: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            main(list(args))
        shown = capsys.readouterr()
        code = caught.value.code
        return code if isinstance(code, int) else 0, shown.out, shown.err

    return call


def process(*args: str, given: str = "", seconds: float = 20) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "oddsmith", *args],
        input=given, capture_output=True, text=True, timeout=seconds, check=False, encoding="utf-8",
    )  # fmt: skip


# --- answers


def test_an_answer(run: Run) -> None:
    code, out, err = run("3d6 >= 11")
    assert code == 0
    assert out.splitlines()[0] == "3d6 >= 11"
    assert "50.00 %" in out
    assert err == ""


def test_several_side_by_side(run: Run) -> None:
    code, out, _ = run("d20 adv >= 15", "d20+4 >= 15")
    assert code == 0
    assert "51.00 %" in out
    assert "50.00 %" in out


def test_the_word_ask_may_be_written(run: Run) -> None:
    assert run("ask", "3d6 >= 11") == run("3d6 >= 11")


def test_an_expression_may_start_with_minus(run: Run) -> None:
    code, out, _ = run("-3d6")
    assert code == 0
    assert "mean -10.5" in out


@pytest.mark.parametrize("text", ["-4d6kh3", "-4d6dh1", "-d6 vs d8", "-n", "-(d6)", "--3d6"])
def test_an_expression_that_starts_with_minus_is_not_an_option(run: Run, text: str) -> None:
    """-h inside it does not ask for help: it is answered, or refused as an expression."""
    code, out, err = run(text)
    assert "Usage" not in out + err
    assert (code, err) == (0, "") or (code, out) == (2, "")


def test_options_may_stand_anywhere(run: Run) -> None:
    assert run("--digits", "4", "d6 >= 3") == run("d6 >= 3", "--digits", "4")
    assert "66.6667 %" in run("d6 >= 3", "--digits", "4")[1]


def test_views_bars_and_fractions(run: Run) -> None:
    assert "or more" in run("2d6", "--view", "at-least")[1]
    assert "█" not in run("2d6", "--no-chart")[1]
    assert "  2/3   66.67 %" in run("d6 >= 3", "--exact")[1]


def test_no_colour_where_there_is_no_terminal(run: Run) -> None:
    assert "\x1b" not in run("2d6")[1]


def test_dialects(run: Run) -> None:
    """What > means in 10d10>8: Roll20 reads 8 or more on each die, mean 3."""
    code, out, _ = run("10d10>8", "--dialect", "roll20")
    assert code == 0
    assert "mean 3 " in out


# --- formats


def test_json(run: Run) -> None:
    code, out, err = run("3d6 >= 11", "d6!", "--as", "json")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert [one["text"] for one in found] == ["3d6 >= 11", "d6!"]
    assert found[0]["exact"] == "1/2"
    assert found[1]["mean"] == "21/5"


def test_csv(run: Run) -> None:
    rows = list(csv.reader(io.StringIO(run("d2", "--as", "csv")[1])))
    assert rows == [["value", "exact", "decimal"], ["1", "1/2", "0.5"], ["2", "1/2", "0.5"]]


@pytest.mark.parametrize(
    ("form", "part"),
    [("md", "| 1 | 50.000 % | 1/2 |"), ("latex", r"50.000\,\%"), ("html", "<td>50.000 %</td>")],
)
def test_tables(run: Run, form: str, part: str) -> None:
    code, out, _ = run("d2", "--as", form, "--digits", "3")
    assert code == 0
    assert part in out


# --- standard input


def test_a_program_from_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "let x = 3d6\nx given x >= 8, 'again': x # both\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    code, out, err = run("-", "--as", "json")
    assert (code, err) == (0, "")
    assert [one.get("label") for one in json.loads(out)] == [None, "again"]


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n"])
def test_nothing_on_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    code, out, err = run("-")
    assert (code, out) == (2, "")
    assert "nothing to roll" in err


def test_a_pipe() -> None:
    done = process("-", given="8d6c5+ >= 3\n")
    assert done.returncode == 0
    assert "8d6c5+ >= 3" in done.stdout
    assert done.stderr == ""


# --- wrong input: 2, and nothing on standard output


def test_an_error_names_place_and_mend(run: Run) -> None:
    code, out, err = run("3d6 hihgest")
    assert (code, out) == (2, "")
    lines = err.splitlines()
    assert lines[0].startswith("error: hihgest")
    assert lines[1] == "  3d6 hihgest"
    assert lines[2] == "      ^^^^^^^"
    assert "highest" in lines[3]
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "text",
    ["", "3d", "d6 d8", "4d6k", "4d6kh9", "(3d6", "3d6 >", "d6!>=1", "d6rr<=6", "d1!", "1/0", "☺",
     "“hi”", "٣d6", "output 3d6", "d0", "(-1)d6", "((((", '"', "[", "artillery + 1"],
)  # fmt: skip
def test_wrong_texts(run: Run, text: str) -> None:
    code, out, err = run(text)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")


def test_one_wrong_text_of_several_stops_all(run: Run) -> None:
    code, out, err = run("3d6", "d6 >=")
    assert (code, out) == (2, "")
    assert "d6 >=" in err


@pytest.mark.parametrize(
    "args",
    [
        ["d6", "--as", "xml"], ["d6", "--digits", "51"], ["d6", "--digits", "x"],
        ["d6", "--view", "all"], ["d6", "--budget", "0"], ["d6", "--dialect", "klingon"],
        ["--digits"], ["--exact"],
    ],
)  # fmt: skip
def test_wrong_options(run: Run, args: list[str]) -> None:
    code, out, err = run(*args)
    assert (code, out) == (2, "")
    assert err


def test_a_message_is_never_endless(run: Run) -> None:
    code, _, err = run("x" * 1900)
    assert code == 2
    assert max(map(len, err.splitlines())) < 400


# --- past the budget: 3


@pytest.mark.parametrize(
    "args", [["100000000d6"], ["1000d6", "--budget", "10"], ["d6", "999999999d999999"]]
)
def test_past_the_budget(run: Run, args: list[str]) -> None:
    code, out, err = run(*args)
    assert (code, out) == (3, "")
    assert "budget" in err


def test_more_budget_is_granted(run: Run) -> None:
    assert run("200d6 >= 700", "--budget", "1")[0] == 3
    assert run("200d6 >= 700", "--budget", "100000000")[0] == 0


@pytest.mark.parametrize(
    "text",
    [
        "82d6!!kh4", "3d6!1 * 9d20", "d6" + "max" * 40 + "z", "d6!max99999", "d6!!max99999999",
        "(d2000)d6", "d2000000!", "d{1..2000000}!", "d2000000 in {1..2000000}", "d6! / d12",
        "d6!! // 999", "8d6dh2dl!pdh2", "d%!! odd sets", "1 <= d2000 <= d2000 <= d2000",
        "72x(2d6)", "500d20!max4 largest set", "6d%!!max1000 / 12", "((d%))d66!p",
    ],
)  # fmt: skip
def test_it_answers_or_refuses_within_seconds(text: str) -> None:
    assert process(text, seconds=50).returncode in (0, 2, 3)


@pytest.mark.skipif(sys.platform == "win32", reason="limits of memory are set another way there")
@pytest.mark.parametrize(
    "text",
    [
        "d6! / d20",
        "4d6!c6 / d66",
        "d6!! // 99999989",
        "ceil(d6!!/99999989)",
        "d6!! * 99999999 + d6!!",
        "d6!! / 99999999 + d6!! >= 3",
    ],
)
def test_grids_that_do_not_fit_are_refused_before_memory_runs_out(text: str) -> None:
    """An open-ended die on a grid a hundred million times finer is past any budget."""
    limited = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({3 * 10**9}, {3 * 10**9}))
from oddsmith.cli.main import main
main([{text!r}])
"""
    done = subprocess.run(
        [sys.executable, "-c", limited], capture_output=True, text=True, timeout=15, check=False
    )
    assert done.returncode in (0, 3), done.stderr[-200:]


# --- help and version


def test_version(run: Run) -> None:
    code, out, _ = run("--version")
    assert code == 0
    assert __version__ in out
    assert out.startswith("odds")


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_has_examples(run: Run, flag: str) -> None:
    code, out, err = run(flag)
    assert (code, err) == (0, "")
    assert "4d6kh3 >= 15" in out
    assert "roll" in out


def test_help_of_a_command(run: Run) -> None:
    code, out, _ = run("ask", "--help")
    assert code == 0
    for option in ("--view", "--digits", "--exact", "--no-chart", "--as", "--plot", "--budget"):
        assert option in out


def test_nothing_at_all_shows_the_usage(run: Run) -> None:
    code, out, err = run()
    assert code in (0, 2)
    assert "Usage" in out + err


# --- rolling


def test_the_same_seed_gives_the_same_rolls(run: Run) -> None:
    first, second = (run("roll", "4d6kh3", "-n", "5", "--seed", "7") for _ in range(2))
    assert first == second
    assert first[0] == 0
    assert len(first[1].splitlines()) == 5


def test_rolls_are_possible_outcomes(run: Run) -> None:
    code, out, _ = run("roll", "d{7}", "-n", "3", "--seed", "1")
    assert code == 0
    assert all("7" in line for line in out.splitlines())


def test_rolls_held_against_the_exact_odds(run: Run) -> None:
    code, out, _ = run("roll", "2d6", "--check", "2000", "--seed", "3")
    assert code == 0
    assert "chi-squared" in out


@pytest.mark.parametrize("args", [["d6", "-n", "0"], ["d6 +"], ["d6", "--check", "1"], []])
def test_wrong_rolls(run: Run, args: list[str]) -> None:
    code, out, err = run("roll", *args)
    assert (code, out) == (2, "")
    assert err


# --- pictures


def test_a_picture_beside_the_answer(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "dice.svg"
    code, out, _ = run("2d6", "--plot", str(target))
    assert code == 0
    assert "2d6" in out
    assert "<svg" in target.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["dice.xyz", "dice", "missing/dice.svg"])
def test_a_picture_that_cannot_be_written(run: Run, tmp_path: Path, name: str) -> None:
    code, out, err = run("2d6", "--plot", str(tmp_path / name))
    assert (code, out) == (2, "")
    assert err
    assert "Traceback" not in err


# --- as a program


def test_as_a_module() -> None:
    done = process("3d6 >= 11", "--as", "csv")
    assert done.returncode == 0
    assert done.stdout.splitlines() == ["value,exact,decimal", "3d6 >= 11,1/2,0.5"]
    wrong = process("3d6 >")
    assert (wrong.returncode, wrong.stdout) == (2, "")


def test_output_is_utf_8_wherever_it_goes() -> None:
    done = process('d{"é", 1}', "--as", "json")
    assert json.loads(done.stdout)[0]["rows"][-1]["value"] == "é"
