"""What is written is what ``squad`` reads: weapons equal to those written by hand here."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.answers.attack_files import squad
from oddsmith.dice import d
from oddsmith.games.attack_profiles import Weapon
from oddsmith.rosters.files import read, read_bytes
from oddsmith.rosters.toml import written

from .made import Pick, as_json, as_xml, gun, squad_of

ROOT = Path(__file__).parents[3]
PATROL = ROOT / "docs" / "examples" / "patrol.ros"


def weapons(tmp_path: Path, text: str) -> tuple[Weapon, ...]:
    path = tmp_path / "squad.toml"
    path.write_text(text, encoding="utf-8")
    return squad(path)[0]


def test_round_trip(tmp_path: Path) -> None:
    words = "Sustained Hits D3, Lethal Hits, Devastating Wounds, Twin-linked, Blast, Hazardous, "
    words += (
        "Ignores Cover, Rapid Fire 1, Melta 2, Anti-fly 4+, Heavy, Lance, Indirect Fire, Pistol"
    )
    card = gun("Long rifle", words, A="2D6", BS="4+", S="10", AP="-3", D="D6+1")
    roster = read_bytes(as_xml(squad_of(Pick("Long rifle", number=4, cards=(card,)))))
    base = Weapon(
        name="Long rifle", count=4, attacks=d(6) + d(6), skill=4, strength=10, ap=3,
        damage=d(6) + 1, sustained=d(3), lethal=True, devastating=True,
        reroll_wounds=("not-succeeding",), blast=1, hazardous=True, ignores_cover=True,
        rapid_fire=1, melta=2,
    )  # fmt: skip
    assert weapons(tmp_path, written(roster, "patrol.ros")) == (base,)
    situation = {"half-range", "stationary", "charging", "unseen", "against fly"}
    there = base.but(
        half_range=True, hit_modifier=1, wound_modifier=1, indirect=True, critical_wound=4
    )
    assert weapons(tmp_path, written(roster, "patrol.ros", situation)) == (there,)


def test_the_edition_is_written(tmp_path: Path) -> None:
    pick = squad_of(Pick("Rifle", number=5, cards=(gun(),)))
    path = tmp_path / "squad.toml"
    for system, edition in (("Warhammer 40,000 11th Edition", "40k-11"), ("Other game", None)):
        path.write_text(written(read_bytes(as_json(pick, system=system)), "x"), encoding="utf-8")
        assert squad(path)[1] == edition


def test_weapons_that_cannot_be_used_stand_as_comments(tmp_path: Path) -> None:
    parts = (
        Pick("Rifle", number=5, cards=(gun(),)),
        Pick("Odd", number=5, cards=(gun("Odd", D="D7"),)),
        Pick("Arc", number=5, cards=(gun("Arc - low"), gun("Arc - high", S="8"))),
    )
    text = written(read_bytes(as_xml(squad_of(*parts))), "patrol.ros")
    assert [one.name for one in weapons(tmp_path, text)] == ["Rifle", "Arc - low"]
    assert "# not used: damage: 'D7' has a die with 7 faces\n# [[weapon]]\n" in text
    assert '# damage =  # the list says "D7"\n' in text
    assert "# another way to fire Arc - low: use one of them\n# [[weapon]]\n" in text


def test_comments_for_what_is_not_understood_or_not_switched_on() -> None:
    words = "Heavy, Rapid Fire 2, Anti-fly 4+, Song of Doom"
    text = written(read_bytes(as_xml(squad_of(Pick("R", cards=(gun("R", words),))))), "x")
    assert text.splitlines()[-5:] == [
        "rapid_fire = 2",
        "# hit_modifier = 1  # Heavy: where the unit did not move",
        "# half_range = true  # Rapid Fire 2: where the target is within half range",
        "# critical_wound = 4  # Anti-fly 4+: against fly",
        "# not understood: Song of Doom",
    ]
    assert "# note: listed once for a unit of 5 models: perhaps each has one\n[[weapon]]" in text


def test_no_two_weapons_have_one_name(tmp_path: Path) -> None:
    strong = Pick("R", number=2, cards=(gun(S="5"),))
    one = squad_of(Pick("R", number=5, cards=(gun(),)), strong)
    two = squad_of(Pick("R", number=5, cards=(gun(),)), name="Other Squad")
    found = weapons(tmp_path, written(read_bytes(as_xml(one, two, two)), "x"))
    assert [weapon.name for weapon in found] == [
        "Rifle (Line Squad)",
        "Rifle (Line Squad) 2",
        "Rifle (Other Squad)",
        "Rifle (Other Squad) 2",
    ]


NASTY = '"\n[[weapon]]\nname = "x"\n# \\ \x7f \x00 \u2028 \u202e """ \''


def test_names_cannot_write_toml_of_their_own(tmp_path: Path) -> None:
    pick = squad_of(Pick(NASTY, number=5, cards=(gun(NASTY, NASTY),)), name=NASTY)
    roster = read_bytes(as_json(pick, name=NASTY, system=NASTY))
    text = written(roster, NASTY)
    assert len(weapons(tmp_path, text)) == 1
    assert "\x7f" not in text
    assert "\x00" not in text


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=10))
def test_any_text_gives_a_file_that_can_be_read(name: str, words: str, cell: str) -> None:
    card = gun(name, words, D=cell)
    other = gun("Rifle")
    parts = (Pick(name, number=5, cards=(card,)), Pick("Rifle", number=5, cards=(other,)))
    roster = read_bytes(as_json(squad_of(*parts, name=name), name=name, system=words))
    loaded = tomllib.loads(written(roster, name))
    assert 1 <= len(loaded["weapon"]) <= 2
    written(roster, name).encode("utf-8")


def test_the_example_of_the_documentation_is_up_to_date() -> None:
    text = written(read(PATROL).only(["Line Squad"]), PATROL.name)
    assert (PATROL.parent / "line-squad.toml").read_text(encoding="utf-8") == text
    assert len(squad(PATROL.parent / "line-squad.toml")[0]) == 2


@pytest.mark.parametrize("kind", ["ranged", "melee"])
def test_only_one_kind(kind: str, tmp_path: Path) -> None:
    parts = (
        Pick("Rifle", number=5, cards=(gun(),)),
        Pick("Blade", number=5, cards=(gun("Blade", kind="Melee Weapons"),)),
    )
    roster = read_bytes(as_xml(squad_of(*parts))).only(kind=kind)
    names = {"ranged": "Rifle", "melee": "Blade"}
    assert [one.name for one in weapons(tmp_path, written(roster, "x"))] == [names[kind]]
