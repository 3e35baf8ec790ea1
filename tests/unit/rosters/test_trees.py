"""Rosters as XML and as JSON: the same units, weapons and counts, and what is doubtful in them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from oddsmith.errors import OddsmithError
from oddsmith.rosters.files import read_bytes
from oddsmith.rosters.lists import Arm, Roster, edition_of

from .made import TENTH, Card, Pick, as_json, as_xml, gun, squad_of, zipped

Write = Callable[..., bytes]
FORMS = {
    "xml": as_xml,
    "json": as_json,
    "zip": lambda *picks, **more: zipped(as_xml(*picks, **more)),
}


@pytest.fixture(params=FORMS, ids=list(FORMS))
def write(request: pytest.FixtureRequest) -> Write:
    found: Write = FORMS[request.param]
    return found


def only(roster: Roster) -> Arm:
    assert len(roster.arms) == 1
    return roster.arms[0]


def test_a_weapon_of_the_tenth_edition(write: Write) -> None:
    card = gun("Long rifle", "Heavy, Rapid Fire 1, Odd Word", A="D6+1", S="10", D="D3")
    data = write(squad_of(Pick("Long rifle", number=4, cards=(card,))), name="Patrol")
    roster = read_bytes(data)
    assert (roster.name, roster.system, roster.edition) == ("Patrol", TENTH, "40k-10")
    assert [(troop.name, troop.models) for troop in roster.troops] == [("Line Squad", 5)]
    found = only(roster)
    assert (found.name, found.count, found.kind) == ("Long rifle", 4, "ranged")
    assert dict(found.fields) == {
        "attacks": "D6+1", "skill": "3+", "strength": 10, "ap": 1, "damage": "D3",
    }  # fmt: skip
    assert [one.text for one in found.meanings] == ["Heavy", "Rapid Fire 1"]
    assert found.unknown == ("Odd Word",)
    assert (found.problems, found.notes) == ((), ())


def test_a_count_is_taken_literally_and_never_multiplied(write: Write) -> None:
    rifle = Pick("Rifle", number=4, cards=(gun(),))
    men = Pick("Trooper", "model", 4, parts=(rifle,))
    found = only(read_bytes(write(Pick("Squad", "unit", 1, parts=(men,)))))
    assert found.count == 4
    assert found.notes == ()


def test_a_count_below_that_of_the_bearers_is_kept_and_doubted(write: Write) -> None:
    men = Pick("Trooper", "model", 4, parts=(Pick("Rifle", cards=(gun(),)),))
    found = only(read_bytes(write(Pick("Squad", "unit", 1, parts=(men,)))))
    assert found.count == 1
    assert found.notes == ("listed 1 times for 4 models (Trooper): look whether each has one",)


def test_an_upgrade_of_a_unit_that_all_models_carry(write: Write) -> None:
    unit = squad_of(Pick("Plasma", cards=(gun("Plasma"),), costs={"pts": "75.0", "PL": "3"}))
    found = only(read_bytes(write(unit)))
    assert found.count == 1
    assert found.notes == (
        "listed once for a unit of 5 models, and its cost of 75 is 5 times 15: "
        "perhaps each has one",
    )


def test_an_upgrade_that_costs_several_times_its_unit(write: Write) -> None:
    unit = squad_of(Pick("Plasma", cards=(gun("Plasma"),), costs={"pts": 75}), cost="15.0")
    found = only(read_bytes(write(unit)))
    assert found.count == 1
    assert found.notes == (
        "listed once, but its cost of 75 is 5 times the unit's: perhaps each model has one",
    )


def test_an_upgrade_that_costs_no_whole_multiple_of_its_unit(write: Write) -> None:
    unit = squad_of(Pick("Gun", cards=(gun(),), costs={"pts": 17}), cost=90)
    assert only(read_bytes(write(unit))).notes == (
        "listed once for a unit of 5 models: perhaps each has one",
    )


def test_a_single_model_is_not_doubted(write: Write) -> None:
    unit = Pick("Walker", "model", 1, parts=(Pick("Cannon", number=2, cards=(gun("Cannon"),)),))
    found = only(read_bytes(write(unit)))
    assert (found.count, found.notes) == (2, ())


def test_the_same_weapon_of_two_kinds_of_models_is_counted_together(write: Write) -> None:
    men = Pick("Trooper", "model", 4, parts=(Pick("Rifle", number=4, cards=(gun(),)),))
    head = Pick("Sergeant", "model", 1, parts=(Pick("Rifle", number=1, cards=(gun(),)),))
    other = Pick("Veteran", "model", 1, parts=(Pick("Rifle", number=1, cards=(gun(S="5"),)),))
    roster = read_bytes(write(Pick("Squad", "unit", 1, parts=(men, head, other))))
    assert [(arm.count, dict(arm.fields)["strength"]) for arm in roster.arms] == [(5, 4), (1, 5)]


def test_more_alike_than_a_squad_can_hold(write: Write) -> None:
    men = Pick("Trooper", "model", 1000, parts=(Pick("Rifle", number=1000, cards=(gun(),)),))
    found = only(read_bytes(write(Pick("Squad", "unit", 1, parts=(men, men)))))
    assert found.count == 2000
    assert found.problems == ("there are more than 1,000 of them",)


@pytest.mark.parametrize(
    ("first", "second"),
    [("➤ Arc gun - low", "➤ Arc gun - high"), ("Arc gun, Low", "Arc gun, High")],
)
def test_two_profiles_of_one_weapon_are_not_both_used(
    write: Write, first: str, second: str
) -> None:
    unit = Pick(
        "Walker", "model", 1, (), (Pick("Arc gun", cards=(gun(first), gun(second, S="8"))),)
    )
    low, high = read_bytes(write(unit)).arms
    assert low.ready
    assert not high.ready
    assert high.instead_of == low.name == first.lstrip("➤ ")


def test_two_profiles_of_one_choice_with_other_names_are_doubted(write: Write) -> None:
    pick = Pick("Launcher", cards=(gun("Frag shell"), gun("Krak shell", S="9")))
    arms = read_bytes(write(Pick("Walker", "model", 1, parts=(pick,)))).arms
    assert [arm.ready for arm in arms] == [True, True]
    note = "Launcher has several profiles: where only one is used, drop the rest"
    assert [arm.notes for arm in arms] == [(note,), (note,)]


def test_a_gun_with_a_blade_is_two_weapons(write: Write) -> None:
    cards = (gun("Spear", kind="Ranged Weapons"), gun("Spear", kind="Melee Weapons"))
    arms = read_bytes(write(Pick("Guard", "model", 1, parts=(Pick("Spear", cards=cards),)))).arms
    assert [(arm.kind, arm.ready, arm.notes) for arm in arms] == [
        ("ranged", True, ()), ("melee", True, ()),
    ]  # fmt: skip


def test_more_melee_weapons_than_models_and_pistols_are_noted(write: Write) -> None:
    parts = (
        Pick("Fists", number=5, cards=(gun("Fists", kind="Melee Weapons"),)),
        Pick("Blade", number=1, cards=(gun("Blade", kind="Melee Weapons"),)),
        Pick("Tail", number=5, cards=(gun("Tail", "Extra Attacks", kind="Melee Weapons"),)),
        Pick("Rifle", number=5, cards=(gun(),)),
        Pick("Sidearm", number=5, cards=(gun("Sidearm", "Pistol"),)),
    )
    (troop,) = read_bytes(write(squad_of(*parts))).troops
    assert troop.notes == (
        "6 melee weapons for 5 models: each model fights with one, so drop the rest",
        "pistols are not fired along with other ranged weapons: drop one or the other",
    )


def test_units_inside_units_and_hidden_profiles(write: Write) -> None:
    inner = Pick("Bodyguard", "unit", 1, parts=(Pick("Rifle", number=1, cards=(gun(),)),))
    outer = Pick("Hero", "model", 1, (gun("Blade", kind="Melee Weapons"),), (inner,))
    roster = read_bytes(write(outer))
    assert [(t.name, [a.name for a in t.arms]) for t in roster.troops] == [
        ("Hero", ["Blade"]), ("Bodyguard", ["Rifle"]),
    ]  # fmt: skip
    hidden = as_xml(Pick("Hero", "model", 1, (gun(), gun("Ghost")))).replace(
        b'name="Ghost" hidden="false"', b'name="Ghost" hidden="true"'
    )
    assert [arm.name for arm in read_bytes(hidden).arms] == ["Rifle"]


# --- what is not understood


@pytest.mark.parametrize(
    ("cells", "column"),
    [
        ({"A": "D7"}, "attacks"), ({"D": "D6+D3"}, "damage"), ({"BS": "*"}, "skill"),
        ({"S": "User"}, "strength"), ({"AP": "2"}, "ap"), ({"A": ""}, "attacks"),
        ({"BS": "N/A"}, "skill"),
    ],
)  # fmt: skip
def test_a_weapon_with_a_strange_cell_is_not_used(
    write: Write, cells: dict[str, str], column: str
) -> None:
    found = only(read_bytes(write(squad_of(Pick("Rifle", number=5, cards=(gun(**cells),))))))
    assert not found.ready
    assert len(found.problems) == 1
    assert found.problems[0].startswith(f"{column}: ")


def test_torrent_needs_no_skill(write: Write) -> None:
    card = gun("Hose", "Torrent, Ignores Cover", BS="N/A", A="D6")
    found = only(read_bytes(write(squad_of(Pick("Hose", number=5, cards=(card,))))))
    assert found.ready
    assert found.active(())["skill"] == "none"


def test_a_weapon_past_the_limits_is_not_used(write: Write) -> None:
    found = only(read_bytes(write(squad_of(Pick("Rifle", number=5, cards=(gun(AP="-11"),))))))
    assert found.problems == ("it: ap is 11, but lies between 0 and 10",)


def test_a_second_keyword_of_a_kind_is_not_understood(write: Write) -> None:
    words = "Sustained Hits 1, Sustained Hits 2, Sustained Hits D7"
    found = only(read_bytes(write(squad_of(Pick("Rifle", number=5, cards=(gun("R", words),))))))
    assert [one.text for one in found.meanings] == ["Sustained Hits 1"]
    assert found.unknown == (
        "Sustained Hits 2 (a second one of its kind)",
        "Sustained Hits D7 ('D7' has a die with 7 faces)",
    )


def test_situations(write: Write) -> None:
    words = "Anti-fly 4+, Anti-vehicle 2+, Heavy, Rapid Fire 2"
    found = only(read_bytes(write(squad_of(Pick("Rifle", number=5, cards=(gun("R", words),))))))
    base = {"attacks": 2, "skill": "3+", "strength": 4, "ap": 1, "damage": 1, "rapid_fire": 2}
    assert found.active(()) == base
    assert found.active({"against fly"}) == base | {"critical_wound": 4}
    assert found.active({"against fly", "against vehicle"}) == base | {"critical_wound": 2}
    assert found.active({"half-range", "stationary"}) == base | {
        "half_range": True, "hit_modifier": 1,
    }  # fmt: skip


# --- other games


def old_model(name: str, **cells: str) -> Card:
    usual = {
        "M": '6"',
        "WS": "3+",
        "BS": "4+",
        "S": "4",
        "T": "4",
        "W": "2",
        "A": "3",
        "Save": "3+",
    }
    return Card(name, "Unit", {**usual, **cells})


def old_gun(name: str, kind: str, **cells: str) -> Card:
    usual = {"Range": '24"', "Type": kind, "S": "4", "AP": "0", "D": "1", "Abilities": "-"}
    return Card(name, "Weapon", {**usual, **cells})


def test_older_editions_take_skill_and_attacks_from_the_bearer(write: Write) -> None:
    arms = (
        old_gun("Carbine", "Rapid Fire 1"),
        old_gun("Mortar", "Heavy D6", S="5", AP="-1", D="D3", Abilities="Blast"),
        old_gun("Fist", "Melee", Range="Melee", S="x2", AP="-3", D="D3"),
        old_gun("Axe", "Melee", Range="Melee", S="+1"),
        old_gun("Hands", "Melee", Range="Melee", S="User"),
        old_gun("Hex", "Assault 2", Abilities="Each 6 does something that only prose says"),
    )
    man = Pick("Veteran", "model", 1, (old_model("Veteran"),), (Pick("Arms", cards=arms),))
    roster = read_bytes(write(man, system="Warhammer 40,000 9th Edition"))
    assert roster.edition == "40k-9"
    by_name = {arm.name: arm for arm in roster.arms}
    cells = {
        name: tuple(dict(arm.fields)[field] for field in ("attacks", "skill", "strength"))
        for name, arm in by_name.items()
    }
    assert cells == {
        "Carbine": (1, "4+", 4), "Mortar": ("D6", "4+", 5), "Fist": (3, "3+", 8),
        "Axe": (3, "3+", 5), "Hands": (3, "3+", 4), "Hex": (2, "4+", 4),
    }  # fmt: skip
    assert by_name["Carbine"].active({"half-range"})["rapid_fire"] == 1
    assert by_name["Mortar"].active(())["blast"] == 1
    assert by_name["Hex"].unknown == ("Each 6 does something that only prose says",)
    assert {arm.kind for arm in (by_name["Fist"], by_name["Axe"])} == {"melee"}


def test_a_bearer_that_is_not_certain_is_not_guessed(write: Write) -> None:
    fist = Pick("Fist", cards=(old_gun("Fist", "Melee", Range="Melee", S="x2"),))
    heads = (old_model("Boss", S="5"), old_model("Lad"))
    unit = Pick("Mob", "unit", 1, heads, (Pick("Lad", "model", 9), fist))
    found = only(read_bytes(write(unit)))
    assert [problem.split(":")[0] for problem in found.problems] == ["strength"]
    bearer = Pick("Lad", "model", 9, parts=(Pick("Fist", number=9, cards=fist.cards),))
    named = only(read_bytes(write(Pick("Mob", "unit", 1, heads, (bearer,)))))
    assert dict(named.fields)["strength"] == 8
    assert named.count == 9


def test_age_of_sigmar(write: Write) -> None:
    card = Card(
        "Old spear", "Melee Weapon",
        {"Atk": "2", "Hit": "3+", "Wnd": "4+", "Rnd": "1", "Dmg": "D3",
         "Ability": "Crit (Mortal), Anti-Infantry (+1 Rend)"},
    )  # fmt: skip
    found_in = read_bytes(
        write(squad_of(Pick("Spear", number=5, cards=(card,))), system="Age of Sigmar 4.0")
    )
    found = only(found_in)
    assert found_in.edition == "aos-4"
    assert found.active(()) == {
        "attacks": 2, "skill": "3+", "wound": "4+", "ap": 1, "damage": "D3", "mortal_hits": True,
    }  # fmt: skip
    assert found.unknown == ("Anti-Infantry (+1 Rend)",)


def test_version_201_writes_values_as_attributes() -> None:
    data = (
        as_xml(squad_of(Pick("Rifle", number=5, cards=(gun(),))))
        .replace(b"typeName=", b"profileTypeName=")
        .replace(b'name="A">2</characteristic>', b'name="A" value="2"/>')
        .replace(b'name="BS">3+</characteristic>', b'name="BS" value="3+"/>')
    )
    assert b'value="3+"' in data
    found = only(read_bytes(data))
    assert dict(found.fields)["skill"] == "3+"
    assert found.ready


@pytest.mark.parametrize(
    ("system", "edition"),
    [
        (TENTH, "40k-10"), ("Warhammer 40,000 8th Edition", "40k-8"),
        ("(HH V2) Horus Heresy", None),
        ("Warhammer 40,000 11th Edition", "40k-11"), ("Warhammer 40k 9th Edition", "40k-9"),
        ("Age of Sigmar 3.0", "aos-3"), ("Warhammer Age of Sigmar 4.0", "aos-4"), ("", None),
        ("Warhammer 40,000", None), ("Warhammer 40,000 5th Edition", None), ("Kill Team", None),
    ],
)  # fmt: skip
def test_editions(system: str, edition: str | None) -> None:
    assert edition_of(system) == edition


# --- what is no roster


@pytest.mark.parametrize("number", ["-1", "1.5", "x", "1001", "1e9", "", "99999999999999999999"])
def test_a_strange_number_is_refused(write: Write, number: str) -> None:
    with pytest.raises(OddsmithError, match="the number of Rifle is"):
        read_bytes(write(squad_of(Pick("Rifle", number=number, cards=(gun(),)))))


@pytest.mark.parametrize("number", [True, 2.5, [], {}, float("nan"), float("inf")])
def test_a_number_of_another_kind_is_refused(number: object) -> None:
    with pytest.raises(OddsmithError, match="the number of Rifle is"):
        read_bytes(as_json(squad_of(Pick("Rifle", number=number, cards=(gun(),)))))


def test_a_list_without_weapons_is_refused(write: Write) -> None:
    with pytest.raises(OddsmithError, match="lists no weapons"):
        read_bytes(write(squad_of()))


def test_selections_too_deep_are_refused(write: Write) -> None:
    pick = Pick("Rifle", cards=(gun(),))
    for _ in range(40):
        pick = Pick("Box", parts=(pick,))
    with pytest.raises(OddsmithError, match="too many"):
        read_bytes(write(pick))
