"""The single rolls of an attack sequence: to hit, to wound, saves, damage, and how many attacks.

Each is a function of a weapon, a target and the rules of an edition; the sequence that they make
up is :mod:`oddsmith.games.attack_sequence`.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Any

from oddsmith.dice import d6
from oddsmith.dist import Dist, as_dist
from oddsmith.errors import RuleError
from oddsmith.games.attack_profiles import EDITIONS, Edition, Target, Weapon
from oddsmith.mechanics.allocation import saved, shrugged
from oddsmith.mechanics.checks import CRITICAL, FAIL, Check, Modifiers, Reroll, chance, resolve

ONE, SIX = frozenset({1}), frozenset({6})
Law = dict[str, Fraction]
"""The chances of fail, success and critical of one die."""


def edition_called(name: str) -> Edition:
    """The edition of this name.

    Raises:
        RuleError: Where there is none.

    >>> edition_called("40k-10").hit_cap
    1
    """
    if name not in EDITIONS:
        raise RuleError(f"no edition is called {name}", f"choose from {', '.join(EDITIONS)}")
    return EDITIONS[name]


def _capped(value: int, cap: int | None) -> int:
    return value if cap is None else max(-cap, min(cap, value))


def _law(die: Dist[int], check: Check, sources: tuple[Any, ...]) -> Law:
    """Fail, success and critical of one roll."""
    found = resolve(die, check, Reroll(sources)).margin(1)
    return {word: found.p(word) for word in (FAIL, "success", CRITICAL)}


def _hidden(weapon: Weapon, target: Target) -> bool:
    """Whether the target has cover from the weapon."""
    return (target.cover or weapon.indirect) and not weapon.ignores_cover


def hit_check(weapon: Weapon, target: Target, edition: Edition) -> tuple[Dist[int], Check] | None:
    """What is rolled to hit and what it is held against; None where nothing is rolled.

    >>> die, check = hit_check(Weapon(skill=3), Target(), EDITIONS["40k-10"])
    >>> die.p(check.passes)
    Fraction(2, 3)
    """
    skill = weapon.skill
    if skill is None:
        return None
    hidden = _hidden(weapon, target)
    if hidden and edition.cover == "skill":
        skill = max(2, min(6, skill + 1))
    change = weapon.hit_modifier + target.to_hit - weapon.indirect
    change = _capped(change - (hidden and edition.cover == "hit"), edition.hit_cap)
    if edition.far_shots and skill - change > 6:
        return _far_shot(skill - change)
    misses = {1, 2, 3} if weapon.indirect else {1}
    if weapon.overwatch:
        misses = {1, 2, 3, 4, 5}
    six = edition.six_hits
    hits = SIX if six else frozenset[int]()
    add = Modifiers(add=change)
    return d6, Check(skill, add, None, frozenset(misses), hits, weapon.critical_hit, six)


def _far_shot(need: int) -> tuple[Dist[int], Check]:
    """A need of 7+, 8+ or 9+: a 6, then 4+, 5+ or 6, as a die whose 7 hits."""
    after = {7: 3, 8: 2, 9: 1}.get(need, 0)
    return Dist({**dict.fromkeys(range(1, 6), 6), 6: 6 - after, 7: after}), Check(7)


def hit_law(weapon: Weapon, target: Target, edition: Edition) -> Law:
    """One hit roll.

    >>> hit_law(Weapon(skill=3), Target(), EDITIONS["40k-10"])["critical"]
    Fraction(1, 6)
    """
    rolled = hit_check(weapon, target, edition)
    if rolled is None:
        return {FAIL: Fraction(0), "success": Fraction(1), CRITICAL: Fraction(0)}
    return _law(*rolled, weapon.reroll_hits)


def wound_need(strength: int, toughness: int, edition: Edition) -> int:
    """What a wound roll needs.

    >>> [wound_need(s, 4, EDITIONS["40k-10"]) for s in (8, 5, 4, 3, 2)]
    [2, 3, 4, 5, 6]
    """
    if edition.wound_chart == "weapon":
        raise RuleError(
            f"in {edition.name} weapons say what they wound on", "give it: wound, such as 3+"
        )
    if edition.wound_chart == "steps":
        return max(2, min(6, 4 + toughness - strength))
    if strength >= 2 * toughness:
        return 2
    if 2 * strength <= toughness:
        return 6
    return 4 + (toughness > strength) - (strength > toughness)


def wound_law(weapon: Weapon, target: Target, edition: Edition) -> Law:
    """One wound roll.

    >>> wound_law(Weapon(strength=4), Target(toughness=4), EDITIONS["40k-10"])["fail"]
    Fraction(1, 2)
    """
    need = weapon.wound or wound_need(weapon.strength, target.toughness, edition)
    change = _capped(weapon.wound_modifier + target.to_wound, edition.wound_cap)
    check = Check(
        need, Modifiers(add=change), always_fail=ONE,
        always_succeed=SIX if edition.six_wounds else frozenset(), critical=weapon.critical_wound,
    )  # fmt: skip
    return _law(d6, check, weapon.reroll_wounds)


def piercing(weapon: Weapon, edition: Edition) -> int:
    """By how much the weapon worsens an armour save.

    >>> piercing(Weapon(strength=5), EDITIONS["whfb-8"])
    2
    """
    free = edition.pierces
    return weapon.ap if free is None else weapon.ap + max(0, weapon.strength - free)


def unsaved(weapon: Weapon, target: Target, edition: Edition) -> Fraction:
    """The chance that a save fails.

    >>> unsaved(Weapon(ap=1), Target(save=3), EDITIONS["40k-10"])
    Fraction(1, 2)
    """
    checks, ap = [], piercing(weapon, edition)
    if target.save is not None:
        better = target.save_modifier
        limit = edition.cover_limit
        if edition.cover == "save" and _hidden(weapon, target):
            better += limit is None or target.save > limit or ap > 0
        if edition.save_cap is not None:
            better = min(better, edition.save_cap)
        checks.append(Check(target.save, Modifiers(add=better - ap), always_fail=ONE))
    if target.invulnerable is not None:
        checks.append(Check(target.invulnerable, always_fail=ONE))
    reroll = Reroll(target.reroll_saves)
    return 1 - max((chance(d6, check, reroll) for check in checks), default=Fraction(0))


def damage_law(weapon: Weapon, target: Target) -> Dist[int]:
    """The damage of one unsaved wound: halved rounding up, then melta, then less, at least 1.

    >>> damage_law(Weapon(damage=d6), Target(damage_less=1)).mean
    Fraction(8, 3)
    """

    def changed(points: int, more: int) -> int:
        base = ceil(Fraction(points, 2)) if target.halved else points
        return max(1, base + more - target.damage_less) if points + more else 0

    melta = as_dist(weapon.melta) if weapon.half_range else Dist([0])
    return as_dist(weapon.damage).combine(melta, changed)


def attacks_law(weapon: Weapon, target: Target, edition: Edition) -> Dist[int]:
    """The number of attacks of all bearers.

    >>> attacks_law(Weapon(count=2, attacks=2, blast=1), Target(models=11), EDITIONS["40k-10"])
    Dist({8: 1})
    """
    each = as_dist(weapon.attacks)
    models = target.unit.models - target.unit.lost(target.hurt)
    if edition.blast == "per-five":
        each = each + weapon.blast * (models // 5)
    elif edition.blast == "minimum" and weapon.blast and models >= 6:
        least = each.high if models >= 11 else 3
        each = each.map(lambda rolled: max(rolled, least))
    if weapon.half_range:
        each = each + as_dist(weapon.rapid_fire)
    return each.times(weapon.count)


def keeps(kind: Target) -> Fraction:
    """The chance that a point of damage is not shrugged off."""
    return Fraction(1) if kind.ward is None else Fraction(kind.ward - 1, 6)


def points_law(weapon: Weapon, kind: Target, edition: Edition) -> Dist[int]:
    """The points of one unsaved wound that are not shrugged off.

    >>> points_law(Weapon(damage=2), Target(ward=5), EDITIONS["40k-10"])
    Dist({0: 1, 1: 4, 2: 4})
    >>> points_law(Weapon(damage=2), Target(ward=5), EDITIONS["whfb-8"])
    Dist({0: 1, 2: 2})
    """
    damage = damage_law(weapon, kind)
    return (saved if edition.ward_wounds else shrugged)(damage, keeps(kind))
