"""The command ``odds attack``."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from inspect import get_annotations
from pathlib import Path
from typing import Any

import pytest

from oddsmith.cli.main import main
from oddsmith.games.attack_profiles import EDITIONS, Target, Weapon

F = Fraction
Run = Callable[..., tuple[int, str, str]]

GUNS = """\
edition = "40k-10"

[[weapon]]
name = "rifles"
count = 4
skill = "3+"

[[weapon]]
name = "cannon"
skill = "auto"
strength = 8
ap = 4
damage = 2
"""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """The command in a folder with two squads and a target, 80 columns wide."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    Path("guns.toml").write_text(GUNS)
    Path("other.toml").write_text('[[weapon]]\nname = "other"\nattacks = 3\n')
    Path("foe.toml").write_text('save = "4+"\nmodels = 5\nwounds = 2\n')

    def call(*args: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            main(["attack", *args])
        shown = capsys.readouterr()
        code = caught.value.code
        return code if isinstance(code, int) else 0, shown.out, shown.err

    return call


def answers(run: Run, *args: str) -> dict[str, Any]:
    """The answers by their labels, from JSON."""
    code, out, err = run(*args, "--as", "json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    return {one.get("label"): one for one in (found if isinstance(found, list) else [found])}


def chance(answer: dict[str, Any]) -> Fraction:
    return F(answer["exact"])


def test_options(run: Run) -> None:
    """Two attacks at 3+, 4+ and save 4+: both kill with 1/36."""
    code, out, err = run("--attacks", "2", "--skill", "3+", "--save", "4+", "--models", "2")
    assert (code, err) == (0, "")
    assert out.startswith("attack --attacks 2 --skill 3+ --save 4+ --models 2\n")
    assert "nobody is left  2.78 %   1/36" in out


def test_every_field_is_an_option(run: Run) -> None:
    _, out, _ = run("--help")
    fields = {*get_annotations(Weapon), *get_annotations(Target)} - {"name", "others"}
    for field in fields:
        assert f"--{field.replace('_', '-')}" in out
    assert "--feel-no-pain" in out
    assert all(name in out for name in EDITIONS)
    assert "\\b" not in out


def test_flags_dice_and_the_other_name_of_a_ward(run: Run) -> None:
    """A torrent that wounds on 2+ without saves: 5/6, and of two points each is kept with 2/3."""
    found = answers(
        run, "--skill", "auto", "--wound", "2+", "--save", "none", "--damage", "d3",
        "--feel-no-pain", "5+", "--wounds", "3", "--devastating", "--at-least", "1",
    )  # fmt: skip
    assert chance(found["1 or more lost"]) == F(5, 6) * F(1, 3) * F(8, 27)


def test_files(run: Run) -> None:
    code, out, err = run("guns.toml", "--into", "foe.toml")
    assert (code, err) == (0, "")
    assert "4 x rifles, cannon into 5 models of T4, save 4+, 2 wounds" in out
    assert "(Warhammer 40,000, 10th edition)" in " ".join(out.split())
    assert "cannon: unsaved wounds" in out


def test_options_change_what_the_files_say(run: Run) -> None:
    _, out, _ = run("guns.toml", "--into", "foe.toml", "--models", "1", "--edition", "40k-9")
    assert "into 1 model of T4" in out
    assert "9th edition" in " ".join(out.split())


def test_the_edition_of_the_file(run: Run) -> None:
    Path("old.toml").write_text('edition = "40k-8"\n[[weapon]]\nskill = 6\n')
    _, out, _ = run("old.toml", "--hit-modifier", "-1", "--as", "json")
    assert "8th edition" in out
    found = answers(run, "old.toml", "--hit-modifier", "-1")
    assert chance(found["nobody is left"]) == 0


def test_points(run: Run) -> None:
    """Two sure kills of 10 points each, by 5 points."""
    found = answers(
        run, "--attacks", "2", "--skill", "auto", "--wound", "2+", "--reroll-wounds", "all",
        "--save", "none", "--models", "9", "--points", "5", "--target-points", "10",
    )  # fmt: skip
    assert F(found["points killed for each point"]["exact"]) == 2 * F(5, 6) * 10 / 5


def test_the_audit(run: Run) -> None:
    _, out, _ = run("guns.toml", "--into", "foe.toml", "--audit")
    assert "rifles: hit 3+" in out
    assert "cannon: save of target at AP 4" in out


def test_a_table(run: Run) -> None:
    """One sure wound: the save that fails kills."""
    base = ("--skill", "auto", "--wound", "2+", "--reroll-wounds", "none")
    found = answers(run, *base, "--versus", "save=2..4", "--versus", "ap=0..1", "--at-least", "1")
    (table,) = found.values()
    cells = json.dumps(table)
    for exact in (F(5, 36), F(5, 18), F(5, 12), F(5, 9)):
        assert f"{exact.numerator}/{exact.denominator}" in cells
    _, out, _ = run("guns.toml", "--versus", "weapon", "--versus", "save=3+..5+")
    assert ["weapon", "3+", "4+", "5+"] in [line.split() for line in out.splitlines()]
    assert "cannon" in out


def test_orders(run: Run) -> None:
    _, out, _ = run("guns.toml", "--into", "foe.toml", "--orders")
    assert "rifles, cannon" in out
    assert "As good as rifles, cannon: cannon, rifles" in out


def test_another_squad(run: Run) -> None:
    _, out, _ = run("guns.toml", "--into", "foe.toml", "--instead", "other.toml")
    assert "mean of guns" in out
    assert "mean of other" in out
    assert "win: guns kills more" in out
    _, out, _ = run("--instead", "other.toml")
    assert "mean of first" in out


def test_a_changed_field_changes_both_squads(run: Run) -> None:
    found = answers(run, "--instead", "other.toml", "--attacks", "1", "--skill", "4+")
    assert F(found["mean of first"]["exact"]) == F(found["mean of other"]["exact"]) == F(1, 8)


def test_fishing(run: Run) -> None:
    found = answers(run, "--skill", "3+", "--wound", "6+", "--lethal", "--save", "none", "--fish")
    assert F(found["the best choices"]["exact"]) == F(3, 8)


@pytest.mark.parametrize(
    ("args", "words", "hint"),
    [
        (("--skill", "three"), "skill is 'three'", "write for example 3+"),
        (("--strength", "x"), "strength is 'x'", "write a whole number"),
        (("--damage", "d6)"), "damage is 'd6)'", "write for example D6+1"),
        (("--models", "0"), "target: models is 0, but lies between 1 and 1000", ""),
        (("missing.toml",), "missing.toml cannot be read", ""),
        (("guns.toml", "--into", "missing.toml"), "missing.toml cannot be read", ""),
        (("foe.toml",), "foe.toml, line 1: save is not known", "fields are edition, weapon"),
        (("--into", "guns.toml"), "guns.toml, line 1: edition is not known", ""),
        (("--edition", "aos-4"), "weapons say what they wound on", "wound, such as 3+"),
        (("--versus", "save"), "--versus save has no values", "save=3..8"),
        (("--versus", "size=1..3"), "size is no field", "toughness=3..8"),
        (("--versus", "save=6..2"), "the range 6..2 is empty", "2..6"),
        (("--versus", "ap=1", "--versus", "ap=2"), "the same field twice", "another"),
        (("--versus", "ap=1", "--orders"), "--versus and --orders are two questions", "one"),
        (("guns.toml", "--fish"), "--fish looks at one weapon", "one weapon"),
        (("--points", "cheap"), "points is 'cheap'", "7.5"),
    ],
)
def test_errors(run: Run, args: tuple[str, ...], words: str, hint: str) -> None:
    code, out, err = run(*args)
    assert (code, out) == (2, "")
    assert words in err
    assert hint in err
    assert "Traceback" not in err


def test_too_much_work(run: Run) -> None:
    code, _, err = run("--attacks", "10000", "--count", "1000", "--models", "1000")
    assert code == 3
    assert "budget" in err


@pytest.mark.parametrize("form", ["json", "csv", "md", "latex", "html"])
def test_every_format(run: Run, form: str) -> None:
    code, out, err = run("--attacks", "2", "--audit", "--as", form)
    assert (code, err) == (0, "")
    assert "unsaved wounds" in out
    assert "weapon: hit 4+" in out
