"""Exports of UnitCrunch, written here with the same fields and packed with ``msgpack``."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest

from oddsmith.rosters.files import read_bytes
from oddsmith.rosters.lists import Arm

HIT = {"type": "crit", "data": {"crit": {"title": "Critical hit", "key": "hitRoll"}}}
WOUND = {"type": "crit", "data": {"crit": {"title": "Critical wound", "key": "woundRoll"}}}
HALF = {"type": "range", "data": {"range": {"title": "Within", "key": "withinHalfRange"}}}
FLY = {"type": "keyword", "data": {"keyword": "FLY"}}
CHARGED: dict[str, Any] = {"type": "unitCharged", "data": {}}
STATIONARY: dict[str, Any] = {"type": "unitStationary", "data": {}}
EXTRA = {"type": "generateExtras", "data": {"option": {"key": "extraHits"}, "extrasValue": "D3"}}
DEVASTATING = {
    "type": "mortalWounds",
    "data": {"attackSequenceEnds": True, "cap": None, "matchWeaponDamage": True,
             "mortalWoundsValue": None, "noSpillOver": True},
}  # fmt: skip


def ability(name: str, effect: Any, *conditions: Any, kind: str = "custom") -> dict[str, Any]:
    return {
        "aliases": [{"name": name, "type": kind}],
        "description": "in words",
        "conditions": list(conditions),
        "effect": effect,
    }


def weapon(*abilities: Any, **fields: Any) -> dict[str, Any]:
    usual = {
        "id": "w1", "name": "Rifle", "countPerUnit": 5, "type": "Ranged", "attacks": 2, "bs": 3,
        "ws": None, "strength": 4, "ap": -1, "damage": "D6+1", "abilities": list(abilities),
    }  # fmt: skip
    return usual | fields


def exported(*weapons: dict[str, Any], selected: list[str] | None = None, **unit: Any) -> bytes:
    models = [{"name": "Trooper", "modelCount": 5, "weapons": list(weapons)}]
    profile: dict[str, Any] = {
        "name": "Line Squad",
        "units": [{"name": "Line Squad", "model_types": models, "abilities": [], **unit}],
    }
    if selected is not None:
        profile |= {"weapons_selected_ranged": selected, "weapons_selected_melee": []}
    packed: bytes = msgpack.packb(
        {"appVersion": "0.73.17", "exported": 1_700_000_000_000, "profiles": [profile]}
    )
    return packed


def only(data: bytes) -> Arm:
    (found,) = read_bytes(data).arms
    return found


def test_a_profile() -> None:
    roster = read_bytes(exported(weapon()))
    assert (roster.system, roster.edition) == ("UnitCrunch 0.73.17", None)
    (troop,) = roster.troops
    assert (troop.name, troop.models) == ("Line Squad", 5)
    (found,) = troop.arms
    assert (found.name, found.count, found.kind, found.ready) == ("Rifle", 5, "ranged", True)
    assert found.active(()) == {
        "attacks": 2, "skill": "3+", "strength": 4, "ap": 1, "damage": "D6+1",
    }  # fmt: skip


def test_abilities_that_the_site_names_are_read_by_name() -> None:
    special = {"type": "special", "data": {}}
    found = only(
        exported(
            weapon(
                ability("Lethal hits", special, kind="reserved"),
                ability("Blast", special, kind="reserved"),
                ability("Anti-FLY 4+", special, kind="reserved"),
                ability("Linked fire", special, kind="reserved"),
            )
        )
    )
    assert found.active(())["lethal"] is True
    assert found.active(())["blast"] == 1
    assert found.active({"against fly"})["critical_wound"] == 4
    assert found.unknown == ("Linked fire",)


@pytest.mark.parametrize(
    ("effect", "conditions", "situation", "fields"),
    [
        ({"type": "automaticallyWound", "data": {}}, [HIT], (), {"lethal": True}),
        (EXTRA, [HIT], (), {"sustained": "D3"}),
        (DEVASTATING, [WOUND], (), {"devastating": True}),
        (
            {"type": "reRoll", "data": {"application": {"key": "woundRoll"},
                                        "limit": {"key": "none"},
                                        "resultToReRoll": {"key": "allPossibleFailures"}}},
            [], (), {"reroll_wounds": ["not-succeeding"]},
        ),
        (
            {"type": "reRoll", "data": {"application": {"key": "hitRoll"}, "limit": {"key": "none"},
                                        "resultToReRoll": {"key": "single"}, "valueSingle": 1}},
            [], (), {"reroll_hits": [1]},
        ),
        (
            {"type": "increaseWeaponAttacks", "data": {"increaseWeaponAttacksValue": "2"}},
            [HALF], ("half-range",), {"rapid_fire": 2, "half_range": True},
        ),
        (
            {"type": "modifyRelative", "data": {"application": {"key": "woundRoll"},
                                                "operator": {"key": "add"}, "relativeValue": 1}},
            [CHARGED], ("charging",), {"wound_modifier": 1},
        ),
        (
            {"type": "modifyRelative", "data": {"application": {"key": "hitRoll"},
                                                "operator": {"key": "subtract"},
                                                "relativeValue": 1}},
            [STATIONARY], ("stationary",), {"hit_modifier": -1},
        ),
        (
            {"type": "modifyRelative", "data": {"application": {"key": "damage"},
                                                "operator": {"key": "add"}, "relativeValue": 2}},
            [HALF], ("half-range",), {"melta": 2, "half_range": True},
        ),
        (
            {"type": "modifyAbsolute", "data": {"application": {"key": "critWound"},
                                                "absoluteValue": 4}},
            [FLY], ("against fly",), {"critical_wound": 4},
        ),
        (
            {"type": "modifyAbsolute", "data": {"application": {"key": "critHitThreshold"},
                                                "absoluteValue": 5}},
            [], (), {"critical_hit": 5},
        ),
    ],
)  # fmt: skip
def test_effects_that_are_those_of_a_keyword(
    effect: Any, conditions: list[Any], situation: tuple[str, ...], fields: dict[str, Any]
) -> None:
    found = only(exported(weapon(ability("Mine", effect, *conditions))))
    plain = only(exported(weapon())).active(())
    assert found.unknown == ()
    assert found.active(situation) == plain | fields


@pytest.mark.parametrize(
    ("effect", "conditions"),
    [
        ({"type": "automaticallyWound", "data": {}}, []),
        ({"type": "automaticallyHit", "data": {}}, [HIT]),
        (EXTRA, []),
        (EXTRA, [WOUND]),
        (EXTRA, [HIT, {"type": "battleRound", "data": {}}]),
        (EXTRA, [HIT, WOUND]),
        ({"type": "generateExtras", "data": {"option": {"key": "extraAttacks"}}}, [HIT]),
        (DEVASTATING | {"data": {**DEVASTATING["data"], "noSpillOver": False}}, [WOUND]),
        (DEVASTATING | {"data": {**DEVASTATING["data"], "cap": 3}}, [WOUND]),
        ({"type": "increaseWeaponAttacks", "data": {"increaseWeaponAttacksValue": "2"}}, []),
        ({"type": "increaseWeaponAttacks", "data": {"increaseWeaponAttacksValue": "2"}}, [FLY]),
        ({"type": "modifyRelative", "data": {"application": {"key": "damage"},
                                             "operator": {"key": "add"}, "relativeValue": 1}}, []),
        ({"type": "modifyRelative", "data": {"application": {"key": "hitRoll"},
                                             "operator": {"key": "add"},
                                             "relativeValue": True}}, []),
        ({"type": "reRoll", "data": {"application": {"key": "hitRoll"}, "limit": {"key": "once"},
                                     "resultToReRoll": {"key": "allPossibleFailures"}}}, []),
        ({"type": "modifyAbsolute", "data": {"application": {"key": "damage"},
                                             "absoluteValue": 4}}, []),
        ({"type": "newThing", "data": {}}, []),
        ("text", []), (None, []), ({"type": "special", "data": 3}, []),
    ],
)  # fmt: skip
def test_other_effects_are_not_understood(effect: Any, conditions: list[Any]) -> None:
    found = only(exported(weapon(ability("Mine", effect, *conditions))))
    assert found.unknown == ("Mine",)
    assert found.active(()) == only(exported(weapon())).active(())


def test_an_effect_with_dice_that_there_are_not() -> None:
    extra = {"type": "generateExtras", "data": {**EXTRA["data"], "extrasValue": "D7"}}  # type: ignore[dict-item]
    found = only(exported(weapon(ability("Mine", extra, HIT))))
    assert found.unknown == ("Mine ('D7' has a die with 7 faces)",)


def test_torrent_without_a_skill() -> None:
    torrent = ability("Torrent", {"type": "automaticallyHit", "data": {}}, kind="reserved")
    assert only(exported(weapon(torrent, bs=None))).active(())["skill"] == "none"
    without = only(exported(weapon(bs=None)))
    assert without.problems == ("skill: the list does not say",)


def test_melee_and_ap_without_a_minus() -> None:
    found = only(exported(weapon(type="Melee", bs=None, ws=4, ap=2)))
    assert found.kind == "melee"
    assert found.active(())["skill"] == "4+"
    assert found.active(())["ap"] == 2


def test_weapons_that_are_not_chosen_are_not_used() -> None:
    data = exported(weapon(), weapon(id="w2", name="Pistol"), selected=["w1"])
    rifle, pistol = read_bytes(data).arms
    assert rifle.ready
    assert pistol.problems == ("not chosen in UnitCrunch",)


def test_abilities_of_the_unit_are_listed() -> None:
    unit = ability("Feel No Pain 5+", {"type": "fnp", "data": {"fnpValue": 5}})
    (troop,) = read_bytes(exported(weapon(), abilities=[unit])).troops
    assert troop.notes == ("abilities of the unit are not read: Feel No Pain 5+",)


@pytest.mark.parametrize("missing", ["attacks", "strength", "ap", "damage"])
def test_a_weapon_that_lacks_something_is_not_used(missing: str) -> None:
    cut = {key: value for key, value in weapon().items() if key != missing}
    assert only(exported(cut)).problems == (f"{missing}: the list does not say",)
