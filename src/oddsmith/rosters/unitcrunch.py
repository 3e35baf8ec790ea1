"""Exports of UnitCrunch: MessagePack with profiles, their units, models and weapons.

An ability that the site itself names, such as ``Lethal hits``, is read by its name; one that the
user made, by its effect and its conditions, where these say the same as a keyword.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oddsmith.errors import OddsmithError, RuleError
from oddsmith.rosters.keywords import Meaning, dice, meaning, plain
from oddsmith.rosters.lists import Arm, Roster, Troop, arm, merged
from oddsmith.rosters.selections import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST = 4_000_000
"""Bytes of an export that are read."""

AGAIN = "export the profiles again from UnitCrunch"


def roster(data: bytes) -> Roster:
    """The profiles of an export, each as a unit.

    Raises:
        OddsmithError: For what is no export.
    """
    loaded = _unpacked(data)
    if not isinstance(loaded, dict) or not isinstance(loaded.get("profiles"), list):
        raise OddsmithError("its MessagePack has no profiles", AGAIN)
    troops = tuple(
        troop for one in _records(loaded, "profiles") for troop in _troops(one) if troop.arms
    )
    if not troops:
        raise OddsmithError("it lists no weapons", AGAIN)
    version = plain(loaded.get("appVersion") or "of no version", 20)
    return Roster("profiles", f"UnitCrunch {version}", None, troops)


def _unpacked(data: bytes) -> Any:
    import msgpack

    if len(data) > LARGEST:
        raise OddsmithError(f"it is larger than {LARGEST:,} bytes", AGAIN)
    try:
        return msgpack.unpackb(
            data, max_array_len=5_000, max_map_len=500, max_str_len=100_000, max_bin_len=1_000,
            max_ext_len=100,
        )  # fmt: skip
    except (ValueError, TypeError, RecursionError, MemoryError, msgpack.UnpackException) as error:
        why = plain(error) or type(error).__name__
        raise OddsmithError(f"its MessagePack is broken: {why}", AGAIN) from None


def _records(owner: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The records in a list.

    Raises:
        OddsmithError: Where something else stands there.
    """
    found = owner.get(name) or []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise OddsmithError(f"its {name} are no list of records", AGAIN)
    return found


def _troops(profile: dict[str, Any]) -> Iterator[Troop]:
    """The units of a profile."""
    chosen = _chosen(profile)
    units = _records(profile, "units")
    for unit in units:
        kinds = _records(unit, "model_types")
        models = sum(counted(one.get("modelCount"), "models") for one in kinds)
        arms = merged(_arm(weapon, chosen) for one in kinds for weapon in _records(one, "weapons"))
        own = plain(unit.get("name") or "")
        name = plain(profile.get("name") or own)
        several = len(units) > 1 and own != name
        yield Troop(f"{name}: {own}" if several else name, models, arms, _unread(unit))


def _unread(unit: dict[str, Any]) -> tuple[str, ...]:
    """Abilities of a unit, which are not read."""
    names = [_name(one) for one in _records(unit, "abilities")]
    if not names:
        return ()
    return (f"abilities of the unit are not read: {plain(', '.join(names), 200)}",)


def _chosen(profile: dict[str, Any]) -> set[str] | None:
    """The weapons that the profile uses; None where it does not say."""
    lists = [profile.get(f"weapons_selected_{kind}") for kind in ("ranged", "melee")]
    if not all(isinstance(one, list) for one in lists):
        return None
    return {str(mark) for one in lists for mark in one or ()}


def _arm(weapon: dict[str, Any], chosen: set[str] | None) -> Arm:
    """A weapon, as the export writes it."""
    name = plain(weapon.get("name") or "weapon")
    kind = plain(weapon.get("type") or "").lower()
    kind = kind if kind in ("ranged", "melee") else ""
    abilities: list[str | Meaning] = [_ability(one) for one in _records(weapon, "abilities")]
    skill = weapon.get("ws") if kind == "melee" else weapon.get("bs")
    needs_none = any(
        isinstance(one, Meaning) and ("skill", "none") in one.fields for one in abilities
    )
    cells = {
        "attacks": weapon.get("attacks"), "skill": "N/A" if skill is None and needs_none else skill,
        "strength": weapon.get("strength"), "ap": _minus(weapon.get("ap")),
        "damage": weapon.get("damage"),
    }  # fmt: skip
    unused = chosen is not None and str(weapon.get("id")) not in chosen
    count = counted(weapon.get("countPerUnit"), name)
    found = arm(name, count, kind, cells, abilities)
    return found.but(problems=("not chosen in UnitCrunch", *found.problems)) if unused else found


def _minus(value: Any) -> Any:
    """An AP with its minus; here it may lack it, as there is only one scale."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(-abs(value))
    return value


def _name(ability: dict[str, Any]) -> str:
    """What an ability is called, or else what it is said to do."""
    aliases = _records(ability, "aliases")
    named = aliases[0].get("name") if aliases else None
    return plain(named or ability.get("description") or "ability")


def _ability(ability: dict[str, Any]) -> str | Meaning:
    """What an ability means, or its name where it is not understood."""
    name = _name(ability)
    aliases = _records(ability, "aliases")
    try:
        if aliases and aliases[0].get("type") == "reserved":
            return meaning(name) or name
        return _effect(ability, name) or name
    except RuleError as error:
        return f"{name} ({error.message})"


def _effect(ability: dict[str, Any], name: str) -> Meaning | None:
    """What an effect does under its conditions; None for all that is not exactly a keyword."""
    effect = ability.get("effect")
    if not isinstance(effect, dict) or not isinstance(effect.get("data", {}), dict):
        return None
    data = effect.get("data", {})
    conditions = [_condition(one) for one in _records(ability, "conditions")]
    kind = effect.get("type")
    crits = {one for one in conditions if one and one in ("hit", "wound")}
    needs = [one for one in conditions if one not in ("hit", "wound")]
    if None in conditions or len(needs) > 1 or len(crits) > 1:
        return None
    fields = _fields(kind, data, crits, needs == ["half-range"])
    if fields is None or (crits and not fields[1]):
        return None
    return Meaning(name, fields[0], needs[0] or "" if needs else "")


def _condition(condition: dict[str, Any]) -> str | None:
    """A condition as a critical roll or a situation; None for one that is not known."""
    kind, data = condition.get("type"), condition.get("data")
    data = data if isinstance(data, dict) else {}
    if kind == "crit":
        return {"hitRoll": "hit", "woundRoll": "wound"}.get(_key(data.get("crit")))
    if kind == "range" and _key(data.get("range")) == "withinHalfRange":
        return "half-range"
    if kind == "keyword" and data.get("keyword"):
        return f"against {plain(data['keyword']).lower()}"
    return {"unitCharged": "charging", "unitStationary": "stationary"}.get(str(kind))


def _key(value: Any) -> str:
    """The key of a choice, which stands in a record or by itself."""
    return str(value.get("key") if isinstance(value, dict) else value)


Fields = tuple[tuple[str, Any], ...]


def _fields(
    kind: Any, data: dict[str, Any], crits: set[str], near: bool
) -> tuple[Fields, bool] | None:
    """Fields of ``Weapon`` for an effect, and whether it is one of critical rolls.

    Args:
        kind: What the effect is called.
        data: Its parts.
        crits: ``hit`` or ``wound`` where it waits for a critical one.
        near: Whether it waits for half range, and for nothing else.
    """
    if kind == "automaticallyWound" and crits == {"hit"}:
        return (("lethal", True),), True
    if kind == "automaticallyHit" and not crits:
        return (("skill", "none"),), False
    if kind == "generateExtras" and crits == {"hit"} and _key(data.get("option")) == "extraHits":
        return (("sustained", dice(data.get("extrasValue"))),), True
    if kind == "mortalWounds" and crits == {"wound"}:
        parts = ("matchWeaponDamage", "attackSequenceEnds", "noSpillOver")
        whole = all(data.get(part) is True for part in parts) and data.get("cap") is None
        return ((("devastating", True),), True) if whole else None
    if kind == "increaseWeaponAttacks" and not crits and near:
        return (("rapid_fire", dice(data.get("increaseWeaponAttacksValue"))),), False
    if crits:
        return None
    roll = {"hitRoll": "hit", "woundRoll": "wound"}.get(_key(data.get("application")))
    if kind == "reRoll" and roll:
        return _rerolled(data, roll)
    if kind == "modifyRelative":
        return _modified(data, roll, near)
    threshold = {
        "critHitThreshold": "critical_hit", "critHit": "critical_hit",
        "critWoundThreshold": "critical_wound", "critWound": "critical_wound",
    }.get(_key(data.get("application")))  # fmt: skip
    value = data.get("absoluteValue")
    if kind == "modifyAbsolute" and threshold and value in (2, 3, 4, 5, 6):
        return ((threshold, value),), False
    return None


def _rerolled(data: dict[str, Any], roll: str) -> tuple[Fields, bool] | None:
    if _key(data.get("limit")) != "none":
        return None
    which, value = _key(data.get("resultToReRoll")), data.get("valueSingle")
    if which == "allPossibleFailures":
        return ((f"reroll_{roll}s", ["not-succeeding"]),), False
    if which == "single" and value in (1, 2, 3, 4, 5, 6):
        return ((f"reroll_{roll}s", [value]),), False
    return None


def _modified(data: dict[str, Any], roll: str | None, near: bool) -> tuple[Fields, bool] | None:
    sign = {"add": 1, "subtract": -1}.get(_key(data.get("operator")))
    value = data.get("relativeValue")
    if sign is None or isinstance(value, bool) or not isinstance(value, int) or not 0 < value < 10:
        return None
    if roll:
        return ((f"{roll}_modifier", sign * value),), False
    if near and sign > 0 and _key(data.get("application")) == "damage":
        return (("melta", value),), False
    return None
