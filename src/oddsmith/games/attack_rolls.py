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
from oddsmith.mechanics.checks import (
    CRITICAL,
    FAIL,
    KINDS,
    SUCCESS,
    Check,
    Modifiers,
    Reroll,
    chance,
    resolve,
)

ONE, SIX = frozenset({1}), frozenset({6})
Law = dict[str, Fraction]
"""The chances of fail, success and critical of one die."""

Ends = Dist[tuple[int, str]]
"""The final natural face of a die side by side with fail, success or critical."""

WORDS = (*KINDS, "succeeding", "not-critical")
"""What a re-roll of hits, wounds and saves may name, besides faces."""

DAMAGE_WORDS = ("none", "ones", "low", "all")
"""What a re-roll of damage may name, besides numbers."""


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


def again(die: Dist[int], check: Check, sources: tuple[Any, ...]) -> Reroll:
    """The faces that are rolled again, by words and faces.

    ``ones``; ``failed``, what would fail without modifiers; ``not-succeeding``, what fails with
    them; ``all``; and ``succeeding``, where the opponent has successes rolled again;
    ``not-critical``, everything but critical rolls.

    >>> check = Check(3, critical=6)
    >>> again(d6, check, ("not-critical",)).sources, again(d6, check, ("succeeding",)).sources
    ((1, 2, 3, 4, 5), (3, 4, 5, 6))
    """
    named: list[Any] = []
    for source in sources:
        if source == "succeeding":
            named += [face for face in die if check.passes(face)]
        elif source == "not-critical":
            named += [face for face in die if check.outcome(face) != CRITICAL]
        else:
            named.append(source)
    return Reroll(tuple(named))


def _law(ends: Ends) -> Law:
    """Fail, success and critical of one roll."""
    found = ends.margin(1)
    return {word: found.p(word) for word in (FAIL, SUCCESS, CRITICAL)}


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


def hit_ends(weapon: Weapon, target: Target, edition: Edition) -> Ends:
    """One hit roll, with its natural face; face 0 where nothing is rolled.

    >>> hit_ends(Weapon(skill=None), Target(), EDITIONS["40k-10"])
    Dist({(0, 'success'): 1})
    """
    rolled = hit_check(weapon, target, edition)
    if rolled is None:
        return Dist([(0, SUCCESS)])
    die, check = rolled
    return resolve(die, check, again(die, check, weapon.reroll_hits))


def hit_law(weapon: Weapon, target: Target, edition: Edition) -> Law:
    """One hit roll.

    >>> hit_law(Weapon(skill=3), Target(), EDITIONS["40k-10"])["critical"]
    Fraction(1, 6)
    """
    return _law(hit_ends(weapon, target, edition))


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


def wound_ends(weapon: Weapon, target: Target, edition: Edition) -> Ends:
    """One wound roll, with its natural face; face 0 where nothing is rolled.

    >>> wound_ends(Weapon(strength=4), Target(toughness=4), EDITIONS["40k-10"]).p((6, "critical"))
    Fraction(1, 6)
    """
    if weapon.wound == 0:
        return Dist([(0, SUCCESS)])
    need = weapon.wound
    if need is None:
        need = wound_need(weapon.strength, target.toughness, edition)
    change = _capped(weapon.wound_modifier + target.to_wound, edition.wound_cap)
    check = Check(
        need, Modifiers(add=change), always_fail=ONE | set(range(1, target.wound_fails + 1)),
        always_succeed=SIX if edition.six_wounds else frozenset(), critical=weapon.critical_wound,
    )  # fmt: skip
    return resolve(d6, check, again(d6, check, weapon.reroll_wounds))


def wound_law(weapon: Weapon, target: Target, edition: Edition) -> Law:
    """One wound roll.

    >>> wound_law(Weapon(strength=4), Target(toughness=4), EDITIONS["40k-10"])["fail"]
    Fraction(1, 2)
    """
    return _law(wound_ends(weapon, target, edition))


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
    chances = (chance(d6, check, again(d6, check, target.reroll_saves)) for check in checks)
    return 1 - max(chances, default=Fraction(0))


def damage_roll(weapon: Weapon) -> Dist[int]:
    """The damage dice once some rolls of them were rolled again.

    >>> damage_roll(Weapon(damage=d6, reroll_damage=("low",))).mean
    Fraction(17, 4)
    """
    dice: Dist[int] = as_dist(weapon.damage)
    named: set[int] = set()
    for source in weapon.reroll_damage:
        if isinstance(source, int):
            named.add(source)
        elif source not in DAMAGE_WORDS:
            known = ", ".join(DAMAGE_WORDS)
            raise RuleError(f"no re-roll of damage is called {source}", f"choose from {known}")
        else:
            named |= {
                shown for shown in dice
                if source == "all" or (source == "ones" and shown == dice.low)
                or (source == "low" and shown < dice.mean)
            }  # fmt: skip
    found: Dist[int] = dice.then(lambda shown: dice if shown in named else shown)
    return found


def damage_law(
    weapon: Weapon, target: Target, critical: bool = False, free: bool = False
) -> Dist[int]:
    """The damage of one unsaved wound: set, halved rounding up, added to, reduced, at least 1.

    Args:
        weapon: What did it.
        target: The model.
        critical: Whether the wound is critical.
        free: Whether its damage becomes 0, to which melta and the like are still added.

    >>> damage_law(Weapon(damage=d6), Target(damage_less=1)).mean
    Fraction(8, 3)
    """

    def changed(points: int, more: int) -> int:
        base = ceil(Fraction(points, 2)) if target.halved else points
        return max(1, base + more - target.damage_less) if points + more else 0

    more = as_dist(weapon.melta) if weapon.half_range else Dist([0])
    if critical:
        more = more + as_dist(weapon.critical_damage)
    base = 0 if free else target.damage_set
    return (damage_roll(weapon) if base is None else Dist([base])).combine(more, changed)


def bearer_attacks(weapon: Weapon, target: Target, edition: Edition) -> Dist[int]:
    """The number of attacks of one bearer.

    >>> bearer_attacks(Weapon(count=2, attacks=2, blast=1), Target(models=11), EDITIONS["40k-10"])
    Dist({4: 1})
    """
    each: Dist[int] = as_dist(weapon.attacks)
    models = target.unit.models - target.unit.lost(target.hurt)
    if edition.blast == "per-five":
        each = each + weapon.blast * (models // 5)
    elif edition.blast == "minimum" and weapon.blast and models >= 6:
        least = each.high if models >= 11 else 3
        each = each.map(lambda rolled: max(rolled, least))
    if weapon.half_range:
        each = each + as_dist(weapon.rapid_fire)
    return each


def attacks_law(weapon: Weapon, target: Target, edition: Edition) -> Dist[int]:
    """The number of attacks of all bearers.

    >>> attacks_law(Weapon(count=2, attacks=2, blast=1), Target(models=11), EDITIONS["40k-10"])
    Dist({8: 1})
    """
    return bearer_attacks(weapon, target, edition).times(weapon.count)


def keeps(kind: Target, mortal: bool = False) -> Fraction:
    """The chance that a point of damage is not shrugged off.

    >>> keeps(Target(ward=6, ward_mortal=5)), keeps(Target(ward=6, ward_mortal=5), mortal=True)
    (Fraction(5, 6), Fraction(2, 3))
    """
    needs = [kind.ward, kind.ward_mortal if mortal else None]
    return Fraction(min([7, *(need for need in needs if need is not None)]) - 1, 6)


def points_law(
    weapon: Weapon,
    kind: Target,
    edition: Edition,
    critical: bool = False,
    mortal: bool = False,
    free: bool = False,
) -> Dist[int]:
    """The points of one unsaved wound that are not shrugged off.

    Args:
        weapon: What did it.
        kind: The model.
        edition: The rules.
        critical: Whether the wound is critical.
        mortal: Whether what stops only mortal wounds stops it.
        free: Whether its damage becomes 0.

    >>> points_law(Weapon(damage=2), Target(ward=5), EDITIONS["40k-10"])
    Dist({0: 1, 1: 4, 2: 4})
    >>> points_law(Weapon(damage=2), Target(ward=5), EDITIONS["whfb-8"])
    Dist({0: 1, 2: 2})
    """
    damage = damage_law(weapon, kind, critical, free)
    return (saved if edition.ward_wounds else shrugged)(damage, keeps(kind, mortal))


def like_wounds(weapon: Weapon, target: Target) -> None:
    """Make sure that every unsaved wound does the same, as choices take it.

    Raises:
        RuleError: With what makes wounds differ.

    >>> like_wounds(Weapon(mortal=1), Target())
    Traceback (most recent call last):
    oddsmith.errors.RuleError: weapon: choices do not cover mortal: leave it out
    """
    differ = ["mortal", "critical_ap"]
    if as_dist(weapon.critical_damage).high:
        differ.append("critical_damage")
    for field in differ:
        if field == "critical_damage" or getattr(weapon, field):
            raise RuleError(f"{weapon.name}: choices do not cover {field}", "leave it out")
    if target.others:
        raise RuleError(f"{target.name}: choices cover models of one kind", "leave out the others")
    if target.first_free:
        raise RuleError(f"{target.name}: choices do not cover first_free", "leave it out")
    if target.ward_mortal is not None and (weapon.devastating or weapon.mortal_hits):
        raise RuleError(
            f"{target.name}: choices do not cover ward_mortal beside devastating or mortal hits",
            "leave it out",
        )
