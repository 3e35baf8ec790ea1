"""Weapons and targets from text and from TOML files; every error says where it is."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from oddsmith import Dist, d3, d6
from oddsmith.answers.attack_files import (
    DICE,
    FLAGS,
    REROLLS,
    TARGETS,
    Side,
    side,
    squad,
    target,
    value_of,
)
from oddsmith.errors import OddsmithError, RuleError
from oddsmith.games.attack_profiles import Target, Weapon

F = Fraction

SQUAD = """\
edition = "40k-9"

[[weapon]]
name = "bolt rifle"
count = 10
attacks = 2
skill = "3+"
strength = 4
ap = -1

[[weapon]]   # the sergeant
name = "flamer"
attacks = "D6"
skill = "auto"
damage = "d3+1"
reroll_wounds = ["ones", 2]
lethal = true
"""

TARGET = """\
name = "guard"
toughness = 5
save = "3+"
wounds = 2
models = 3
hurt = 8

[[others]]
name = "captain"
save = "2+"
wounds = 5
invulnerable = 4
"""


def written(path: Path, text: str) -> Path:
    file = path / "unit.toml"
    file.write_text(text, encoding="utf-8")
    return file


# --- single values


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("skill", "3+", 3), ("skill", 3, 3), ("skill", "auto", None), ("save", "none", None),
        ("save", "-", None), ("ward", " 5+ ", 5), ("critical_hit", "5", 5), ("ap", 2, 2),
        ("ap", "-2", 2), ("hit_modifier", "-1", -1), ("hit_modifier", "+1", 1),
        ("attacks", 4, 4), ("attacks", "d6", d6), ("damage", "D3", d3),
        ("attacks", "2d6", 2 @ d6), ("sustained", "d3", d3), ("lethal", True, True),
        ("name", 5, "5"), ("points", "7.5", F(15, 2)), ("points", 20, F(20)),
        ("reroll_hits", "1", (1,)), ("reroll_hits", "ones, 2", ("ones", 2)),
        ("reroll_saves", ["failed"], ("failed",)), ("reroll_hits", "none", ()),
    ],
)  # fmt: skip
def test_values(field: str, text: Any, value: Any) -> None:
    assert value_of(field, text) == value


@pytest.mark.parametrize(
    ("field", "text", "hint"),
    [
        ("skill", "3-", "write for example 3+"), ("skill", True, "write a whole number"),
        ("save", "three", "write for example 3+"), ("strength", "d6", "write a whole number"),
        ("strength", "4.5", "write a whole number"), ("strength", 123456, "write a whole number"),
        ("attacks", "many", "write for example D6+1"), ("attacks", True, "write for example D6+1"),
        ("attacks", "d6 >= 4", "write for example D6+1"),
        ("attacks", 2.5, "write for example D6+1"),
        ("damage", "d6; d6", "write for example D6+1"), ("damage", "d6!", "write for example D6+1"),
        ("lethal", "yes", "write true or false"), ("lethal", 1, "write true or false"),
        ("points", "cheap", "write a number such as 15 or 7.5"),
        ("points", "1/0", "write a number such as 15 or 7.5"),
        ("points", -5, "write a number of 0 or more"),
        ("reroll_hits", "sixes", "write a face or one of none, ones, failed"),
        ("reroll_hits", [7], "write a face or one of none, ones, failed"),
    ],
)  # fmt: skip
def test_senseless_values(field: str, text: Any, hint: str) -> None:
    with pytest.raises(RuleError, match=field) as caught:
        value_of(field, text)
    assert caught.value.hint is not None
    assert caught.value.hint.startswith(hint)


def test_every_field_is_read_by_its_kind() -> None:
    fields = {*Weapon._fields, *Target._fields}
    assert fields >= DICE | FLAGS | REROLLS | TARGETS
    assert {"lethal", "cover", "overwatch"} <= FLAGS


# --- files


def test_a_squad(tmp_path: Path) -> None:
    (bolt, flamer), edition = squad(written(tmp_path, SQUAD))
    assert edition == "40k-9"
    assert bolt == Weapon(name="bolt rifle", count=10, attacks=2, skill=3, strength=4, ap=1)
    expected = Weapon(
        name="flamer", attacks=d6, skill=None, damage=d3 + 1, reroll_wounds=("ones", 2), lethal=True
    )
    assert flamer == expected


def test_a_target_of_two_kinds(tmp_path: Path) -> None:
    """Eight points are more than the first kind has, and less than the unit."""
    found = target(written(tmp_path, TARGET))
    assert found.but(others=()) == Target(
        name="guard", toughness=5, save=3, wounds=2, models=3, hurt=8
    )
    assert found.others == (Target(name="captain", save=2, wounds=5, invulnerable=4),)
    assert found.unit.total == 11


SQUADS = {
    "unknown field": (SQUAD.replace("count", "cuont"), "line 5: cuont is not known", "count"),
    "value": (SQUAD.replace('"3+"', '"three"'), "line 7: skill is 'three'", "for example 3+"),
    "second table": (SQUAD.replace('"D6"', '"D6 or so"'), "line 13: attacks is", "D6+1"),
    "the field of the other table": (
        SQUAD.replace('damage = "d3+1"', "strength = 1000"),
        "line 15: flamer: strength is 1000, but lies between 1 and 100", "",
    ),
    "limit": (SQUAD.replace("count = 10", "count = -1"), "line 5: bolt rifle: count is -1", ""),
    "dice below 0": (SQUAD.replace('"d3+1"', '"d3-2"'), "line 15: flamer: damage can be -1", ""),
    "flag": (SQUAD.replace("lethal = true", "lethal = 1"), "line 17: lethal is 1", "true or false"),
    "re-roll": (SQUAD.replace('"ones"', '"sixes"'), "line 16: reroll_wounds is 'sixes'", "a face"),
    "points": (SQUAD + 'points = "a lot"\n', "line 18: points is 'a lot'", "a number"),
    "edition": (SQUAD.replace("40k-9", "40k9"), "line 1: edition is '40k9'", "40k-9"),
    "edition of no name": ("edition = 9\n" + SQUAD[18:], "line 1: edition is 9", "choose from"),
    "top of the file": ("editon = 9\n" + SQUAD, "line 1: editon is not known", "edition"),
    "others alone": (SQUAD + "[[others]]\nwounds = 2\n", "line 18: others stand without", "top"),
    "stat line": ('save = "4+"\nwounds = 0\n' + SQUAD, "line 2: target: wounds is 0", ""),
    "no list": ('edition = "40k-9"\nweapon = 3\n', "line 2: weapon is no list", "[[weapon]]"),
    "single table": ("\n[weapon]\nskill = 3\n", "line 2: weapon is no list", "[[weapon]]"),
    "list of numbers": ("weapon = [1]\n", "line 1: weapon is no list", "[[weapon]]"),
    "quoted name": (SQUAD.replace("ap =", '"pa" ='), "line 9: pa is not known", "ap"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "words", "hint"), SQUADS.values(), ids=SQUADS)
def test_errors_of_squads_name_line_and_field(
    tmp_path: Path, text: str, words: str, hint: str
) -> None:
    with pytest.raises(OddsmithError) as caught:
        squad(written(tmp_path, text))
    assert caught.value.message.startswith(f"unit.toml, {words}")
    assert hint in (caught.value.hint or "")


TARGETS_WRONG = {
    "unknown field": (TARGET.replace("models", "model"), "line 5: model is not known", "models"),
    "top, though another table has it": (
        TARGET.replace("wounds = 2", 'wounds = "two"'), "line 4: wounds is 'two'", "whole number",
    ),
    "below": (TARGET.replace("wounds = 5", "wounds = 0"), "line 11: captain: wounds is 0", ""),
    "below, though the top has it": (
        TARGET.replace('"2+"', '"two"'), "line 10: save is 'two'", "3+",
    ),
    "too much hurt": (TARGET.replace("hurt = 8", "hurt = 12"), "line 6: guard: hurt is 12", ""),
    "edition": ('edition = "40k-7"\n' + TARGET, "line 1: edition is '40k-7'", "40k-"),
    "weapon of a unit": (TARGET + '[[weapon]]\nskill = "x"\n', "line 14: skill is 'x'", "3+"),
    "others in others": (TARGET + "others = 3\n", "line 13: others is not known", ""),
    "others as a number": ("others = 3\n", "line 1: others is no list", "[[others]]"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "words", "hint"), TARGETS_WRONG.values(), ids=TARGETS_WRONG)
def test_errors_of_targets_name_line_and_field(
    tmp_path: Path, text: str, words: str, hint: str
) -> None:
    with pytest.raises(OddsmithError) as caught:
        target(written(tmp_path, text))
    assert caught.value.message.startswith(f"unit.toml, {words}")
    assert hint in (caught.value.hint or "")


def test_a_unit_with_weapons_and_a_stat_line(tmp_path: Path) -> None:
    path = written(tmp_path, 'edition = "40k-9"\nsave = "3+"\nmodels = 5\n\n[[weapon]]\nap = 1\n')
    found = side(path)
    assert found == Side((Weapon(ap=1),), Target(save=3, models=5), "40k-9")
    assert squad(path) == (found.weapons, "40k-9")
    assert target(path) == found.stats


def test_a_squad_is_no_target_without_a_stat_line(tmp_path: Path) -> None:
    with pytest.raises(OddsmithError, match="gives no stat line: write toughness"):
        target(written(tmp_path, SQUAD))
    assert side(written(tmp_path, SQUAD)).stats is None
    assert target(written(tmp_path, "")) == Target()


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    def message(path: Path) -> str:
        with pytest.raises(OddsmithError) as caught:
            squad(path)
        return caught.value.message

    assert "cannot be read" in message(tmp_path / "missing.toml")
    assert "cannot be read" in message(tmp_path)
    assert "line 1" in message(written(tmp_path, "skill = = 3\n"))
    assert "lists no weapons" in message(written(tmp_path, ""))
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    assert "no text file" in message(binary)
    large = tmp_path / "large.toml"
    large.write_text("#" * 1_000_001)
    assert "larger than" in message(large)


def test_dice_are_distributions(tmp_path: Path) -> None:
    (one,), _ = squad(written(tmp_path, '[[weapon]]\ndamage = "D6+1"\n'))
    assert one.damage == Dist(range(2, 8))
