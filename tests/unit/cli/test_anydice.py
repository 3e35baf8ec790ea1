"""`odds anydice`: programs from files and from standard input, views, formats, limits."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

import pytest

from oddsmith.cli.main import main

Run = Callable[..., tuple[int, str, str]]
BEST = 'output [highest 3 of 4d6] named "ability"'
LONG = """function: turn A:n over B:n { X: A * B loop I over {1..40} { X: X + I } result: X }
loop N over {1..400} { output [turn d100 + N over d100] }"""
"""Sixty-four million turns."""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """The command on a program, in this process, 80 columns wide."""
    monkeypatch.setenv("COLUMNS", "80")

    def call(program: str, *args: str) -> tuple[int, str, str]:
        path = tmp_path / "program.txt"
        path.write_text(program, encoding="utf-8")
        with pytest.raises(SystemExit) as caught:
            main(["anydice", str(path), *args])
        shown = capsys.readouterr()
        code = caught.value.code
        return code if isinstance(code, int) else 0, shown.out, shown.err

    return call


def command(path: Path | str) -> list[str]:
    """The command in a process of its own."""
    return [sys.executable, "-m", "oddsmith", "anydice", str(path)]


# --- what is shown


def test_a_file(run: Run) -> None:
    """18 with 7/432."""
    code, out, err = run(BEST)
    assert (code, err) == (0, "")
    assert out.startswith("ability\n")
    assert any(line.split()[:3] == ["18", "1.62", "%"] for line in out.splitlines())


def test_standard_input() -> None:
    done = subprocess.run(
        command("-"), input=BEST, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0
    assert done.stdout.startswith("ability\n")


@pytest.mark.parametrize(
    ("view", "line"),
    [
        ("at-least", ["2", "66.67", "50.00"]),
        ("at-most", ["2", "66.67", "100.00"]),
        ("transposed", ["output", "2", "50.00", "50.00", "0.00"]),
        ("summary", ["output", "2", "1.5", "0.50", "0.25", "1", "2"]),
    ],
)
def test_views(run: Run, view: str, line: list[str]) -> None:
    code, out, _ = run("output d3 output d2", "--data", view)
    assert code == 0
    assert line in [row.split() for row in out.splitlines()]


def test_fractions_first(run: Run) -> None:
    assert "1/3" in run("output d3", "--exact")[1]
    assert "2/3" in run("output d3", "--data", "at-least", "--exact")[1]


def test_the_export_text_of_the_site(run: Run) -> None:
    assert run("output d2", "--as", "anydice") == (
        0, '"output 1",1.5,0.5,1,2\n#,%\n1,50\n2,50\n', "",
    )  # fmt: skip


def test_warnings_of_an_export_go_to_standard_error(run: Run) -> None:
    program = "function: f N:n { if N = 1 { result: 1 } } output [f d2]"
    code, out, err = run(program, "--as", "anydice")
    assert code == 0
    assert out.splitlines()[2:] == ["1,100"]
    assert err.startswith("note: [f ?] comes to no result in 50.00 % (1/2) of its cases")


def test_json(run: Run) -> None:
    found = json.loads(run("output d2", "--as", "json")[1])
    assert [row["exact"] for row in found[0]["rows"]] == ["1/2", "1/2"]


@pytest.mark.parametrize("form", ["csv", "md", "latex", "html"])
@pytest.mark.parametrize("view", ["normal", "transposed"])
def test_other_formats(run: Run, form: str, view: str) -> None:
    code, out, err = run(BEST + " output d6", "--as", form, "--data", view)
    assert (code, err) == (0, "")
    assert "ability" in out


def test_a_picture(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "shown.svg"
    assert run(BEST, "--plot", str(picture))[0] == 0
    assert "<svg" in picture.read_text(encoding="utf-8")


def test_translation(run: Run) -> None:
    code, out, err = run(BEST + " output d6", "--translate")
    assert (code, err) == (0, "")
    assert out.splitlines() == ['"ability": 4d6kh3', "d6"]


def test_translation_into_python(run: Run) -> None:
    for args in (["--translate"], ["--python"], ["--translate", "--python"]):
        code, out, err = run("output d6^2", *args)
        assert (code, err) == (0, "")
        assert out.splitlines() == [
            "from oddsmith import d6", "", "outputs = []",
            'outputs.append(("output 1", d6.map(lambda face: face ** 2)))', "",
            "for name, dist in outputs:", "    print(name, dist)",
        ]  # fmt: skip


def test_the_python_runs_by_itself(run: Run, tmp_path: Path) -> None:
    """2d2: 2, 3, 3, 4."""
    path = tmp_path / "program.py"
    path.write_text(run('loop N over {1, 2} { output Nd2 named "[N]" }', "--python")[1], "utf-8")
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.splitlines() == ["1 Dist({1: 1, 2: 1})", "2 Dist({2: 1, 3: 2, 4: 1})"]


def test_what_has_no_translation(run: Run) -> None:
    code, out, err = run("output d6 output d6^d4", "--translate")
    assert (code, err) == (0, "")
    assert out.splitlines()[:2] == ["d6", "# output 2: there are no powers of dice"]
    assert out.splitlines()[2].startswith("# nor is it written in Python: ")
    code, out, err = run("output d6^d4", "--python")
    assert (code, out) == (2, "")
    assert err.startswith("error: this program is not written in Python: ")


@pytest.mark.parametrize("view", ["normal", "at-least", "at-most", "transposed", "summary"])
def test_pictures_of_every_view(run: Run, view: str, tmp_path: Path) -> None:
    picture = tmp_path / "shown.png"
    code, out, _ = run("output d6 output 2d6 output 7", "--data", view, "--plot", str(picture))
    assert code == 0
    assert out
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_dark_picture(run: Run, tmp_path: Path) -> None:
    light, dark = tmp_path / "light.svg", tmp_path / "dark.svg"
    assert run("output d6 output 2d6", "--plot", str(light))[0] == 0
    assert run("output d6 output 2d6", "--plot", str(dark), "--dark")[0] == 0
    first, second = light.read_text(encoding="utf-8"), dark.read_text(encoding="utf-8")
    assert "#ffffff" in first.lower()
    assert "#14171c" in second.lower()


def test_a_picture_of_a_single_value_is_refused(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "shown.svg"
    code, out, err = run("output 7", "--plot", str(picture))
    assert (code, out) == (2, "")
    assert "nothing to draw: output 1 is always 7" in err
    assert not picture.exists()


@pytest.mark.parametrize("ending", ["gif", "txt"])
def test_a_picture_of_no_known_kind(run: Run, ending: str, tmp_path: Path) -> None:
    code, out, err = run("output d6", "--plot", str(tmp_path / f"shown.{ending}"))
    assert (code, out) == (2, "")
    assert "FILE.png" in err


@pytest.mark.parametrize("view", ["normal", "at-least", "at-most", "transposed", "summary"])
def test_charts_in_the_terminal(run: Run, view: str) -> None:
    code, out, err = run(BEST + " output 2d6 output 7", "--graph", "--data", view)
    assert (code, err) == (0, "")
    assert "ability" in out
    assert all(len(row) <= 80 for row in out.splitlines())
    if view in ("normal", "at-least", "at-most"):
        assert "output 3 is always 7, which is not drawn." in out


def test_a_chart_says_what_was_left_out(run: Run) -> None:
    program = "function: f N:n { if N > 1 { result: N } } output [f d6]"
    code, _, err = run(program, "--graph")
    assert code == 0
    assert err.startswith("note: [f ?] comes to no result in 16.67 % (1/6) of its cases")


@pytest.mark.parametrize("form", ["csv", "md", "latex", "html"])
def test_notes_stand_with_the_answer_or_on_standard_error(run: Run, form: str) -> None:
    program = "function: f N:n { if N > 1 { result: N } } output [f d6]"
    code, out, err = run(program, "--as", form)
    assert code == 0
    assert ("comes to no result" in out) == (form != "csv")
    assert ("comes to no result" in err) == (form == "csv")


ENCLOSED = {
    "text": "enclosed", "md": "enclosed", "html": "enclosed", "latex": "enclosed",
    "csv": "not known", "json": "missing", "anydice": "(enclosed)",
}  # fmt: skip


@pytest.mark.parametrize("form", ENCLOSED)
@pytest.mark.parametrize("view", ["normal", "at-least", "at-most", "transposed", "summary"])
def test_an_enclosed_output_says_so_in_every_view_and_format(
    run: Run, form: str, view: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oddsmith.anydice.values.MOST_BITS", 6)
    monkeypatch.setattr("oddsmith.anydice.values.KEPT_BITS", 10)
    code, out, err = run("output 4d3", "--as", form, "--data", view)
    assert code == 0
    assert (ENCLOSED[form] if view == "normal" else "output 1 (enclosed)") in out
    assert "were rounded down" in " ".join((out + err).split())


def test_many_outcomes_stay_readable(run: Run) -> None:
    """100d100 has 9,901 outcomes; a terminal gets 60 columns at most, each 80 wide at most."""
    code, out, _ = run("output 100d100 output 3d6", "--data", "transposed")
    assert code == 0
    assert len(out.splitlines()) < 120
    assert all(len(row) <= 80 for row in out.splitlines())
    code, out, _ = run("output 100d100", "--data", "at-least", "--as", "csv")
    assert len(out.splitlines()) == 9_902


def test_long_names_are_folded(run: Run) -> None:
    program = f'output 2d6 named "{"a long name " * 12}" output d20'
    for view in ("transposed", "at-least", "summary"):
        code, out, _ = run(program, "--data", view)
        assert code == 0
        assert all(len(row) <= 80 for row in out.splitlines())


def test_an_enclosed_output_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """4d3 = 8 with 19/81; with so few bits the ends are apart."""
    monkeypatch.setattr("oddsmith.anydice.values.MOST_BITS", 6)
    monkeypatch.setattr("oddsmith.anydice.values.KEPT_BITS", 10)
    code, out, _ = run("output 4d3")
    assert code == 0
    assert "not known: less than" in out
    (row,) = [line.split() for line in out.splitlines() if line.split()[:1] == ["8"]]
    assert float(row[1]) <= 100 * 19 / 81 <= float(row[3])
    assert "were rounded down" in " ".join(out.split())


# --- what goes wrong


def test_a_mistake_is_shown_with_its_place(run: Run) -> None:
    code, out, err = run("A: 3\noutput 4dF")
    assert (code, out) == (2, "")
    assert err.splitlines() == [
        "error: dF is not understood",
        "  output 4dF",
        "           ^",
        "Fate dice are d{-1..1}",
    ]


@pytest.mark.parametrize("args", [["--translate"], ["--as", "anydice"], ["--data", "summary"]])
def test_mistakes_in_every_mode(run: Run, args: list[str]) -> None:
    code, out, err = run("output highest 3 of 4d6", *args)
    assert (code, out) == (2, "")
    assert "[highest 3 of 4d6]" in err


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["anydice", str(tmp_path / "none.txt")])
    assert caught.value.code == 2
    assert "cannot be read" in capsys.readouterr().err


def test_a_file_that_is_no_text(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(SystemExit) as caught:
        main(["anydice", str(path)])
    assert caught.value.code == 2
    assert "no text file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("", "is empty", "output 3d6"),
        (" \n\n", "is empty", "output 3d6"),
        ("output 3d6\x00", "is no text file", "UTF-8"),
        ("\x1b[31moutput 3d6", "is no text file", "UTF-8"),
        ("4d6kh3 >= 15", "this is the dice notation", 'odds "4d6kh3 >= 15"'),
        ("3d6", "this is the dice notation", "output 3d6"),
        ("2d6+1 vs d12\n", "this is the dice notation", "leave anydice out"),
        ("let x = d6; x + 1", "this is the dice notation", "leave anydice out"),
        ("X: 3d6", "nothing is shown", "write output"),
        ("[highest 3 of 4d6]", "a value stands by itself", "write output"),
        ("https://anydice.com/program/1", "this is a link", "copy the program"),
        ("anydice.com/program/1/graph", "this is a link", "copy the program"),
        ("output (((((3", "this ( is never closed", "close it with )"),
        ("output " + "(" * 10_000 + "3" + ")" * 10_000, "nested too deeply", "give a part"),
        ("output " + "-" * 10_000 + "3", "nested too deeply", "give a part"),
        ("if 1 {" * 10_000 + "output 1" + "}" * 10_000, "nested too deeply", "give a part"),
        ("output 3d6 " * 20_000, "the program is too long", "100,000 at most"),
        ("loop X over {1..10000000} { Y: X } output Y", "the range is too long", "5,000,000"),
        ("X: {1, 2} loop I over {1..40} { X: {X, X} } output #X", "is too long", "5,000,000"),
        ("X: 9 loop I over {1..40} { X: X * X } output #X", "too large", "smaller numbers"),
        ("output 9^9999", "more than 4,000 digits", "#X"),
        ("output 1 " * 1_001, "1,001 outputs", "--data summary"),
    ],
    ids=lambda text: text[:20],
)
def test_what_cannot_be_run(run: Run, text: str, message: str, hint: str) -> None:
    code, out, err = run(text)
    assert (code, out) == (2, "")
    assert message in err
    assert hint in err
    assert "Traceback" not in err


def test_a_very_long_file_is_not_read(run: Run) -> None:
    code, out, err = run("output 3d6\n" * 500_000)
    assert (code, out) == (2, "")
    assert "is too long for a program" in err


def test_a_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["anydice", str(tmp_path)])
    assert caught.value.code == 2
    assert "cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("begin", [b"\xef\xbb\xbf", b""])
@pytest.mark.parametrize("end", [b"\r\n", b"\r", b"\n"])
def test_marks_and_ends_of_lines_of_other_systems(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, begin: bytes, end: bytes
) -> None:
    path = tmp_path / "program.txt"
    path.write_bytes(begin + b"X: 3" + end + b"output 3dF")
    with pytest.raises(SystemExit) as caught:
        main(["anydice", str(path)])
    assert caught.value.code == 2
    assert capsys.readouterr().err.splitlines()[1:3] == ["  output 3dF", "           ^"]


@pytest.mark.parametrize(
    "program",
    [
        'set "maximum function depth" to 1000000 function: f N:n { result: [f N + 1] } '
        "output [f 1]",
        'set "maximum function depth" to 1000000 function: f D:d { result: D + [f D] } '
        "output [f d6]",
    ],
    ids=["numbers", "dice"],
)
def test_a_function_that_calls_itself_without_end(run: Run, program: str) -> None:
    code, out, err = run(program)
    assert (code, out) == (3, "")
    assert "maximum function depth" in err


# --- limits


@pytest.mark.parametrize("args", [[], ["--as", "anydice"], ["--translate"]])
def test_the_budget(run: Run, args: list[str]) -> None:
    program = "function: f A:n B:n { result: A * B } output [f (d100) (d100)]"
    assert run(program, *args)[0] == 0
    code, out, err = run(program, "--budget", "50000", *args)
    assert (code, out) == (3, "")
    assert "the budget is 50,000" in err


def test_loops_are_held_to_the_budget(run: Run) -> None:
    code, _, err = run("loop I over {1..10000} { X: I } output X", "--budget", "100000")
    assert code == 3
    assert "the budget is 100,000" in err


def test_the_engine_is_held_to_the_budget(run: Run) -> None:
    assert run("output 400d400", "--budget", "1000000")[0] == 3
    assert run("output 400d400 > 60000")[0] == 0


SLOW = {
    "four factors": "output 1d100*1d100*1d100*1d100",
    "twenty d12 by places": """function: f S:s { R: 0
        loop I over {1..#S} { if I@S > R { R: R + I@S } } result: R } output [f 20d12]""",
    "twenty d12 sorted": "function: f S:s { result: 1@[sort {S, 1}] } output [f 20d12]",
    "twenty d12 counted": "function: f S:s { result: (S >= 9) - (S = 1) } output [f 20d12]",
    "ten million dice": "output 10000000d6",
    "a large die": "output d123456789106",
    "a long sequence": "output {1:3600000}",
    "squares": "X: d2 loop I over {1..25} { X: X * X - X } output X > 3",
}


if os.environ.get("ODDSMITH_HEAVY"):
    SLOW["turns"] = "loop A over {1..90000} { loop B over {1..90000} { X: A } } output X"
    SLOW["cases"] = "function: f S:s { result: 1@{S, 1} } output [f 9d16]"


@pytest.mark.parametrize("name", SLOW)
def test_a_minute_is_enough_to_answer_or_to_refuse(name: str, run: Run) -> None:
    start = monotonic()
    code, out, err = run(SLOW[name], "--data", "summary")
    assert monotonic() - start < 60
    assert (code == 0 and out) or (code == 3 and "budget" in err)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_an_interrupt_ends_it_cleanly(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text(LONG, encoding="utf-8")
    started = subprocess.Popen(
        command(path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    sleep(2.5)
    assert started.poll() is None
    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=20)
    assert (started.returncode, out) == (130, "")
    assert err.split() == ["stopped"]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_long_work_shows_that_it_works(tmp_path: Path) -> None:
    """On a terminal, after a second."""
    import pty

    path = tmp_path / "long.txt"
    path.write_text(LONG, encoding="utf-8")
    ours, theirs = pty.openpty()
    started = subprocess.Popen(command(path), stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    shown, start = b"", monotonic()
    try:
        while b"working it out exactly" not in shown and monotonic() - start < 20:
            shown += os.read(ours, 1000)
    finally:
        started.send_signal(signal.SIGINT)
        started.communicate(timeout=20)
        os.close(ours)
    assert b"working it out exactly" in shown
    assert started.returncode == 130
