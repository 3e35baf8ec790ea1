"""``--cells``, ``--exact``, ``--digits`` and ``--add-up``: the same for every command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from oddsmith.cli.main import main

Run = Callable[..., tuple[int, str, str]]

COMMANDS: dict[str, list[str]] = {
    "ask": ["d6 vs d8"],
    "table": ["table", "thresholds", "--sides", "6,7"],
    "table of a text": ["table", "d6 >= {k}", "k=1..6"],
    "game": ["game", "combat-pools", "thresholds", "--dice", "6,7"],
    "attack": ["attack", "--attacks", "1", "--skill", "3+", "--audit"],
    "anydice": ["anydice", "program.txt", "--data", "transposed"],
}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """The command in this process, 80 columns wide, beside an AnyDice program."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.txt").write_text("output d6\noutput d7\n")

    def call(*args: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            main(list(args))
        shown = capsys.readouterr()
        code = caught.value.code
        return code if isinstance(code, int) else 0, shown.out, shown.err

    return call


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("form", ["text", "md", "latex", "html"])
@pytest.mark.parametrize(
    ("style", "part"), [("fraction", "/"), ("one-in", " in "), ("odds", " : ")]
)
def test_every_command_writes_cells_in_every_style(
    run: Run, name: str, form: str, style: str, part: str
) -> None:
    code, out, err = run(*COMMANDS[name], "--cells", style, "--as", form)
    assert (code, err) == (0, "")
    assert part in out
    assert out != run(*COMMANDS[name], "--as", form)[1]


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("form", ["csv", "json"])
def test_exact_media_are_the_same_in_every_style(run: Run, name: str, form: str) -> None:
    plain = run(*COMMANDS[name], "--as", form)
    assert plain[0] == 0
    for options in (["--cells", "odds"], ["--exact"], ["--digits", "5"], ["--add-up"]):
        assert run(*COMMANDS[name], "--as", form, *options) == plain


@pytest.mark.parametrize("name", COMMANDS)
def test_exact_is_the_short_form_of_fractions(run: Run, name: str) -> None:
    short = run(*COMMANDS[name], "--exact")
    assert short[0] == 0
    assert short == run(*COMMANDS[name], "--cells", "fraction")
    assert short == run(*COMMANDS[name], "--exact", "--cells", "fraction")


def test_digits_are_the_places_of_percentages(run: Run) -> None:
    """1 of 6 is 16.6666.. %."""
    asked = ["table", "d6 >= {k}", "k=6"]
    for digits, text in (("0", " 17"), ("1", " 16.7"), ("4", " 16.6667")):
        assert run(*asked, "--digits", digits)[1].split("\n\n")[2].splitlines()[1].endswith(text)
    assert run(*asked, "--digits", "4", "--cells", "percent") == run(*asked, "--digits", "4")


def test_a_rule_for_rounding_is_told_under_a_table(run: Run) -> None:
    """1/6 is no round percentage, 1/2 is one."""
    assert "half to even" in run("table", "d6 >= {k}", "k=6")[1]
    assert "half to even" not in run("table", "d6 >= {k}", "k=4")[1]


def test_bands_add_up(run: Run) -> None:
    """3d6: 20 of 216 are 6 or less, 61 are 7 to 9, 135 are 10 or more: 9.26, 28.24, 62.5."""
    asked = ["table", "bands", "--dice", "3d6", "--digits", "0"]
    assert run(*asked)[1].splitlines()[-2].split() == ["0", "9", "28", "62"]
    out = run(*asked, "--add-up")[1]
    assert "adds up to 100" in out
    (row,) = [line.split() for line in out.splitlines() if line.split()[:1] == ["0"]]
    assert row == ["0", "9", "28", "63"]
    assert sum(map(int, row[1:])) == 100


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--exact", "--cells", "odds"], "--exact and --cells odds"),
        (["--exact", "--cells", "percent"], "--exact and --cells percent"),
        (["--add-up", "--cells", "one-in"], "--add-up is for percentages, not for --cells one-in"),
        (["--add-up", "--exact"], "--add-up is for percentages, not for --exact"),
        (["--add-up", "--view", "at-least"], "--add-up does not go with --view at-least"),
    ],
)
@pytest.mark.parametrize("name", ["ask", "table", "attack"])
def test_contradictions_are_one_error(run: Run, name: str, options: list[str], words: str) -> None:
    code, out, err = run(*COMMANDS[name], *options)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {words}")
    assert err.splitlines()[1:] == ["leave one of them out"]


@pytest.mark.parametrize("style", ["decimal", "", "PERCENT"])
def test_unknown_styles(run: Run, style: str) -> None:
    code, out, err = run("d6", "--cells", style)
    assert (code, out) == (2, "")
    assert "percent" in err
    assert "one-in" in err
