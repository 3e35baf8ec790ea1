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
    assert F(found["points lost for each point spent"]["exact"]) == 2 * F(5, 6) * 10 / 5


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


DUEL = """\
save = "none"
models = {models}

[[weapon]]
name = "{name}"
count = {models}
skill = "auto"
wound = "4+"
"""


@pytest.fixture
def duel(run: Run) -> Run:
    """Two units whose models all kill with 1/2: one knight, two guards, and their rifles."""
    Path("knight.toml").write_text(DUEL.format(models=1, name="lance"))
    Path("guard.toml").write_text(DUEL.format(models=2, name="spear"))
    Path("rifle.toml").write_text('[[weapon]]\nname = "rifle"\nskill = "2+"\nwound = "4+"\n')
    return run


def test_a_charge(duel: Run) -> None:
    found = answers(duel, "knight.toml", "--into", "guard.toml", "--charge", "7")
    assert chance(found["the charge takes place"]) == F(7, 12)
    found = answers(
        duel, "knight.toml", "--into", "guard.toml", "--charge", "9", "--charge-reroll",
        "--at-least", "1",
    )  # fmt: skip
    assert chance(found["the charge takes place"]) == F(155, 324)
    assert chance(found["1 or more lost by guard"]) == F(155, 648)
    assert "models lost by knight" not in found


def test_a_charge_needs_no_files(run: Run) -> None:
    found = answers(run, "--skill", "auto", "--wound", "4+", "--save", "none", "--charge", "8")
    assert chance(found["nobody of second is left"]) == F(5, 24)


def test_overwatch_comes_first(duel: Run) -> None:
    """A natural 6 and a wound of 1/2: the knight falls with 1/12 and does not charge then."""
    found = answers(
        duel, "knight.toml", "--into", "guard.toml", "--charge", "7", "--overwatch-with",
        "rifle.toml", "--at-least", "1",
    )  # fmt: skip
    assert chance(found["the charge takes place"]) == F(11, 12) * F(7, 12)
    assert chance(found["1 or more lost by guard"]) == F(11, 12) * F(7, 24)
    assert "models lost by knight" in found


def test_rounds(duel: Run) -> None:
    """Two rounds of a knight against two guards.

    Round 1: one guard falls (1/2), and the other kills with 1/2; or none does, and one of two
    kills with 3/4. So the knight is alone with one guard at 1/4, and with two at 1/8. Round 2 from
    there: the last guard falls with 1/2.
    """
    found = answers(duel, "knight.toml", "--into", "guard.toml", "--rounds", "2")
    ends = found["who is left"]
    text = json.dumps(ends)
    assert "only knight" in text
    assert "only guard" in text
    alone, both = F(1, 4), F(1, 8)
    knight = alone * F(1, 2)
    guard = F(1, 4) + F(3, 8) + alone * F(1, 2) * F(1, 2) + both * (F(1, 4) + F(3, 8))
    for share in (knight, guard, 1 - knight - guard):
        assert f"{share.numerator}/{share.denominator}" in text
    assert "1 round" not in found["who is left"]["reading"]
    assert "2 rounds" in found["who is left"]["reading"]


def test_damage_rerolls(run: Run) -> None:
    """One D6 into four wounds: 1/2, or 3/4 with a re-roll."""
    base = ("--skill", "auto", "--wound", "4+", "--save", "none", "--damage", "d6", "--wounds", "4")
    found = answers(run, *base, "--damage-rerolls", "all")
    assert F(found["the best choices"]["exact"]) == F(3, 8)
    assert F(found["every roll below its mean"]["exact"]) == F(3, 8)
    assert F(found["no re-roll"]["exact"]) == F(1, 4)
    found = answers(run, *base, "--damage-rerolls", "0", "--at-least", "1")
    assert F(found["the best choices"]["exact"]) == F(1, 4)
    assert "damage to roll again" not in found


def test_new_fields_are_read(run: Run) -> None:
    """Of one attack: a 4 or 5 is not saved with 1/18, a 6 with 1/6; the latter does 2 more.

    The first failed save is 0 and what is added: two plain ones are 0 + 1, a plain one and a 6
    0 + 3, two 6s 2 + 3, a single 6 is 2.
    """
    found = answers(
        run, "--skill", "auto", "--wound", "4+", "--critical-damage", "2", "--critical-ap", "9",
        "--save", "2+", "--wounds", "9", "--first-free", "--attacks", "2", "--damage", "d6",
        "--ward-mortal", "5+", "--wound-fails", "3", "--damage-set", "1",
        "--reroll-damage", "low,1",
    )  # fmt: skip
    rows = {row["value"]: F(row["exact"]) for row in found["damage"]["rows"]}
    plain, sharp = F(1, 18), F(1, 6)
    assert rows == {
        0: (1 - plain - sharp) ** 2 + 2 * plain * (1 - plain - sharp), 1: plain**2,
        2: 2 * sharp * (1 - plain - sharp), 3: 2 * plain * sharp, 5: sharp**2,
    }  # fmt: skip
    _, out, _ = run("--critical-ap", "2", "--ward-mortal", "5+", "--audit")
    assert "save of target at AP 2 of a critical wound" in out
    assert "target: 5+ for each mortal point" in out


@pytest.mark.parametrize(
    ("args", "words", "hint"),
    [
        (("--rounds", "2"), "--rounds needs the weapons that fight back", "--into foe.toml"),
        (("guns.toml", "--into", "foe.toml", "--rounds", "2"), "foe.toml lists no weapons", "[["),
        (
            ("guns.toml", "--into", "knight.toml", "--rounds", "2"),
            "guns.toml gives no stat line of those who attack", "models at the top",
        ),
        (("--overwatch-with", "guns.toml"), "the attacker gives no stat line", "its file"),
        (("--charge-reroll",), "--charge-reroll needs a charge", "--charge 7"),
        (("--charge", "7", "--orders"), "--orders and --charge are two questions", "one"),
        (("--charge", "7", "--audit"), "--audit and --charge are two questions", "one"),
        (("--damage-rerolls", "some"), "--damage-rerolls is 'some'", "a number, or all"),
        (("guns.toml", "--damage-rerolls", "1"), "--damage-rerolls looks at one weapon", "one"),
        (("--mortal", "1", "--damage-rerolls", "1"), "choices do not cover mortal", "leave it"),
        (("--reroll-damage", "failed"), "reroll_damage is 'failed'", "low, all"),
    ],
)  # fmt: skip
def test_errors_of_fights_and_choices(
    duel: Run, args: tuple[str, ...], words: str, hint: str
) -> None:
    code, out, err = duel(*args)
    assert (code, out) == (2, "")
    assert words in err
    assert hint in err


def test_a_fight_that_is_too_large(duel: Run) -> None:
    for name in ("knight", "guard"):
        Path(f"{name}.toml").write_text(DUEL.format(models=200, name=name) + "attacks = 20\n")
    code, _, err = duel("knight.toml", "--into", "guard.toml", "--rounds", "3")
    assert code == 3
    assert "use fewer models, attacks, wounds or rounds" in err


@pytest.mark.parametrize(
    ("args", "words", "hint"),
    [
        (("--skill", "three"), "skill is 'three'", "write for example 3+"),
        (("--strength", "x"), "strength is 'x'", "write a whole number"),
        (("--damage", "d6)"), "damage is 'd6)'", "write for example D6+1"),
        (("--models", "0"), "target: models is 0, but lies between 1 and 1000", ""),
        (("missing.toml",), "missing.toml cannot be read", ""),
        (("guns.toml", "--into", "missing.toml"), "missing.toml cannot be read", ""),
        (("foe.toml",), "foe.toml lists no weapons", "[[weapon]]"),
        (("--into", "guns.toml"), "guns.toml gives no stat line", "models at its top"),
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
