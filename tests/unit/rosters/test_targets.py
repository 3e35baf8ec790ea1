"""Units of army lists as targets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from oddsmith.answers.attack_files import side, target
from oddsmith.cli.main import main
from oddsmith.errors import OddsmithError
from oddsmith.games.attack_profiles import Target
from oddsmith.rosters.targets import target_of

from .made import Card, Pick, as_json, as_xml, gun, zipped

Run = Callable[..., tuple[int, str, str]]
PATROL = str(Path(__file__).parents[3] / "docs" / "examples" / "patrol.ros")


def stats(name: str = "Trooper", kind: str = "Unit", **cells: str) -> Card:
    """A stat line of the tenth edition: T 4, SV 3+, W 2 unless said otherwise."""
    return Card(name, kind, {"M": "6", "T": "4", "SV": "3+", "W": "2", **cells})


def unit(*parts: Pick, cards: tuple[Card, ...] = (), name: str = "Guard", pts: object = 0) -> Pick:
    return Pick(name, "unit", 1, cards, parts, {"pts": pts})


def models(name: str, number: int, *cards: Card) -> Pick:
    rifle = Pick("Rifle", number=number, cards=(gun(),))
    return Pick(name, "model", number, cards, (rifle,))


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Target]:
    """Write a list and read one unit of it as a target."""

    def call(*picks: Pick, unit: str | None = None, form: Any = as_xml) -> Target:
        path = tmp_path / "list.ros"
        path.write_bytes(form(*picks))
        return target_of(path, unit)

    return call


@pytest.mark.parametrize("form", [as_xml, as_json, lambda *picks: zipped(as_xml(*picks))])
def test_models_with_one_stat_line(read: Any, form: Any) -> None:
    found = read(unit(models("Trooper", 5, stats()), pts=100), form=form)
    assert found == Target(name="Guard", toughness=4, save=3, wounds=2, models=5, points=20)


def test_the_stat_line_of_the_unit_is_that_of_its_models(read: Any) -> None:
    found = read(unit(models("Sergeant", 1), models("Trooper", 9), cards=(stats("Guard"),)))
    assert (found.models, found.wounds, found.others) == (10, 2, ())


def test_models_of_two_kinds_the_most_first(read: Any) -> None:
    """A captain listed first, with two more wounds and a save of his own."""
    captain = models("Captain", 1, stats("Captain", SV="2+", W="5", InSv="4+"))
    found = read(unit(captain, models("Trooper", 4, stats()), pts=50))
    assert (found.name, found.models, found.save) == ("Trooper", 4, 3)
    assert found.others == (
        Target(name="Captain", toughness=4, save=2, invulnerable=4, wounds=5, points=10),
    )


def test_a_single_model_is_a_unit_of_its_own(read: Any) -> None:
    found = read(models("Walker", 1, stats("Walker", T="9", W="10")))
    assert (found.name, found.toughness, found.wounds, found.models) == ("Walker", 9, 10, 1)


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("Invulnerable Save (4+)", "invulnerable", 4), ("invulnerable save: 5+", "invulnerable", 5),
        ("Feel No Pain 6+", "ward", 6), ("Ward (5+)", "ward", 5), ("Ward Save 6+", "ward", 6),
    ],
)  # fmt: skip
def test_abilities_whose_name_says_all(read: Any, name: str, field: str, value: int) -> None:
    told = Card(name, "Abilities", {"Description": "whatever"})
    assert getattr(read(unit(models("Trooper", 5, stats(), told))), field) == value


def test_abilities_in_prose_are_not_read_but_named(read: Any, tmp_path: Path, run: Run) -> None:
    told = Card("Invulnerable Save*", "Abilities", {"Description": "4+ in melee"})
    assert read(unit(models("Trooper", 5, stats(), told))).invulnerable is None
    _, out, _ = run(str(tmp_path / "list.ros"))
    assert "look: not read, where the unit is a target: Invulnerable Save*" in out


def test_health_save_and_ward_of_age_of_sigmar(read: Any) -> None:
    cells = {"Move": "5", "Health": "2", "Save": "4+", "Ward": "6+", "Control": "1"}
    found = read(unit(models("Fighter", 10, Card("Fighter", "Unit", cells))))
    assert (found.wounds, found.save, found.ward, found.models) == (2, 4, 6, 10)


def test_no_save_is_none(read: Any) -> None:
    assert read(unit(models("Swarm", 3, stats(SV="-")))).save is None


@pytest.mark.parametrize(
    ("picks", "name", "words"),
    [
        ((unit(models("Trooper", 5)),), None, "the list gives no stat line of Guard"),
        ((unit(models("Trooper", 5, stats(T="*"))),), None, "toughness: '*' is no whole number"),
        ((unit(models("Trooper", 5, stats(SV="*"))),), None, "save: '*' is no save"),
        ((unit(models("Trooper", 5, stats(W="0"))),), None, "wounds is 0"),
        (
            (unit(models("A", 5), cards=(stats("one"), stats("two", W="3"))),), None,
            "which stat line is theirs is not clear",
        ),
        ((unit(models("A", 5, stats())),), "Nobody", "no unit is called 'nobody'"),
        ((unit(models("A", 5, stats())), unit(models("B", 5, stats()))), None, "there are 2 units"),
        (
            (unit(models("A", 5, stats())), unit(models("B", 5, stats()))), "Guard",
            "there are 2 units called 'Guard'",
        ),
    ],
)  # fmt: skip
def test_errors(read: Any, picks: Any, name: Any, words: str) -> None:
    with pytest.raises(OddsmithError, match=r"list\.ros: ") as caught:
        read(*picks, unit=name)
    assert words in caught.value.message
    assert caught.value.hint


def test_a_unit_without_weapons_can_be_a_target(read: Any) -> None:
    bare = Pick("Wall", "model", 2, (stats("Wall", T="12"),))
    assert read(unit(bare)).toughness == 12


# --- at the command line


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """``odds import`` in an empty folder; ``attack`` first for the other command."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)

    def call(*args: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            main([*([] if args[0] == "attack" else ["import"]), *args])
        shown = capsys.readouterr()
        code = caught.value.code
        return code if isinstance(code, int) else 0, shown.out, shown.err

    return call


def test_the_stat_line_is_shown(run: Run) -> None:
    _, out, _ = run(PATROL)
    assert "  T4, save 4+, 2 wounds\n" in out
    assert "  T9, save 3+, invulnerable 5+, 10 wounds\n" in out


def test_a_target_is_written(run: Run) -> None:
    code, out, _ = run(PATROL, "--unit", "siege walker", "--write", "target", "-o", "w.toml")
    assert code == 0
    assert out.endswith("w.toml: a target\n")
    assert target("w.toml") == Target(
        name="Siege Walker", toughness=9, save=3, invulnerable=5, wounds=10, points=130
    )


def test_a_unit_is_written_with_weapons_and_stat_line(run: Run) -> None:
    code, out, _ = run(PATROL, "--unit", "Line Squad", "--write", "unit", "-o", "u.toml")
    assert code == 0
    assert out.endswith("u.toml: a stat line and 2 weapons, and 1 more as comments\n")
    found = side("u.toml")
    assert found.stats == Target(name="Line Squad", save=4, wounds=2, models=5, points=17)
    assert [(one.name, one.count) for one in found.weapons] == [
        ("Arc gun - low", 1), ("Long rifle", 4),
    ]  # fmt: skip
    assert found.edition == "40k-10"


def test_two_kinds_are_written_in_the_order_in_which_they_are_hit(run: Run) -> None:
    captain = models("Captain", 1, stats("Captain", SV="2+", W="5"))
    list_ = as_xml(unit(captain, models("Trooper", 4, stats())))
    Path("list.ros").write_bytes(list_)
    code, out, _ = run("list.ros", "--write", "unit", "-o", "-")
    assert code == 0
    Path("u.toml").write_text(out, encoding="utf-8")
    assert target("u.toml") == target_of("list.ros")
    assert "# Models are hit in this order." in out


def test_a_list_is_attacked(run: Run) -> None:
    """A sure hit and wound of 10 points into the walker's 5+: 2/3 of 35/36."""
    code, out, err = run(
        "attack", "--skill", "auto", "--wound", "2+", "--reroll-wounds", "not-succeeding",
        "--ap", "3", "--damage", "10", "--into", PATROL, "--unit", "Siege Walker",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert "of T9, save 3+, invulnerable 5+, 10 wounds" in " ".join(out.split())
    assert "nobody is left  64.81 %   35/54" in out


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((PATROL, "--write", "target", "-o", "-"), "a stat line is that of one unit, not of 2"),
        ((PATROL, "--write", "everything"), "everything"),
        (("attack", "--into", PATROL), "name one with --unit: Line Squad, Siege Walker"),
        (("attack", "--unit", "Line Squad"), "--unit names a unit of an army list"),
        (("attack", "--into", "none.ros", "--unit", "A"), "none.ros: it cannot be read"),
        (("attack", "--into", PATROL, "--unit", "A"), "no unit is called 'a'"),
    ],
)
def test_errors_of_the_command(run: Run, args: tuple[str, ...], words: str) -> None:
    code, _, err = run(*args)
    assert code == 2
    assert words in err
    assert "Traceback" not in err
