"""Attack sequences: from attacks to models lost, exactly.

A1   Attacks -> hit -> wound -> save -> damage -> shrug-off -> models. Each die is re-rolled at most
     once, before modifiers; then modifiers, capped by the edition; then natural 1 and 6.
A2   A critical hit may score more hits (sustained), wound by itself (lethal), or become mortal
     damage; a critical wound may allow no save (devastating). All of one die stays together.
A3   The wound roll by the chart of the edition; modified, capped, a natural 1 fails, 6 wounds.
A4   Armour worsened by AP or the invulnerable save, whichever is better; a natural 1 fails.
A5   Damage is set, divided, added to, then reduced, at least 1; a point may be shrugged off.
A6   Damage beyond a model's wounds is lost, unless the edition lets it spill.
A7   Weapons fire one after the other into what is left.

Method: an attack becomes the distribution of the wounds it leads to, once; a number of attacks,
which may be random, composes it; models are removed by an exact walk.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

from oddsmith.budget import DEFAULT_BUDGET
from oddsmith.dice import d6
from oddsmith.dist import Dist, as_dist, event, mix
from oddsmith.errors import RuleError
from oddsmith.games.attack_profiles import EDITIONS, Edition, Target, Weapon
from oddsmith.mechanics.allocation import allocate, saved, shrugged, spill
from oddsmith.mechanics.checks import CRITICAL, FAIL, Check, Modifiers, Reroll, chance, resolve
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    if not edition.six_hits:
        misses |= {face for face in d6 if face + change < skill}
    hits = SIX if edition.six_hits else frozenset[int]()
    add = Modifiers(add=change)
    return d6, Check(skill, add, None, frozenset(misses), hits, weapon.critical_hit)


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


class Attack(Record):
    """One attack: how likely it leads to what.

    Attributes:
        hit: Fail, success and critical of its hit roll.
        wound: The same of a wound roll.
        hits: How many hits it scores.
        wounds: How many wounds.
        unsaved: How many wounds that are not saved, against the first kind of models.
        parts: (wounds that may be saved, wounds that may not, mortal damage of hits, mortal wounds
            added) side by side.
    """

    hit: Law
    wound: Law
    hits: Dist[int]
    wounds: Dist[int]
    unsaved: Dist[int]
    parts: Dist[tuple[int, int, int, int]]


def attack(weapon: Weapon, target: Target, edition: Edition) -> Attack:
    """What one attack leads to; everything that hangs on one die stays together.

    >>> weapon = Weapon(skill=3, lethal=True, sustained=1)
    >>> attack(weapon, Target(save=4), EDITIONS["40k-10"]).unsaved.mean
    Fraction(1, 4)
    """
    hit, wound = hit_law(weapon, target, edition), wound_law(weapon, target, edition)
    rolled, parts = _after_hit(weapon, hit), _of_hit(weapon, wound)
    through = event(unsaved(weapon, target, edition))

    def outcome(state: tuple[int, int, int]) -> Any:
        rolls, lethal, mortal = state
        total = Dist([(lethal, 0, mortal, 0)])
        for _ in range(rolls):
            total = total.combine(parts, _together)
        return total

    joint: Dist[Any] = rolled.then(outcome)
    hits = rolled.map(sum)
    wounds = joint.map(lambda part: part[0] + part[1] + part[2])
    lost = joint.then(lambda part: part[0] @ through + part[1] + part[2])
    return Attack(hit, wound, hits, wounds, lost, joint)


def _together(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(left, right, strict=True))


def _after_hit(weapon: Weapon, hit: Law) -> Dist[tuple[int, int, int]]:
    """Hits that roll to wound, hits that wound by themselves, hits that are mortal damage."""
    more = as_dist(weapon.sustained)
    own = (0, 0, 1) if weapon.mortal_hits else (0, 1, 0) if weapon.lethal else (1, 0, 0)
    critical = more.map(lambda extra: (own[0] + extra, own[1], own[2]))
    found: Dist[Any] = mix(
        [((0, 0, 0), hit[FAIL]), ((1, 0, 0), hit["success"]), (critical, hit[CRITICAL])]
    )
    return found


def _of_hit(weapon: Weapon, wound: Law) -> Dist[tuple[int, int, int, int]]:
    """What one wound roll leads to."""
    plain, special = (1, 0, 0, 0), (1, 0, 0, weapon.mortal)
    if weapon.devastating:
        special = (0, 1, 0, weapon.mortal)
    found: Dist[Any] = mix(
        [((0, 0, 0, 0), wound[FAIL]), (plain, wound["success"]), (special, wound[CRITICAL])]
    )
    return found


class Result(Record):
    """What a sequence of weapons does to a target.

    Attributes:
        target: The target as it was.
        removed: The points of damage that its models lost, before and now.
        steps: Of each weapon: the distributions of attacks, hits, wounds and unsaved wounds.
    """

    target: Target
    removed: Dist[int]
    steps: tuple[tuple[str, dict[str, Dist[int]]], ...] = ()

    @property
    def models(self) -> Dist[int]:
        """How many models are lost in this sequence."""
        unit = self.target.unit
        return self.removed.map(unit.lost) - unit.lost(self.target.hurt)

    @property
    def damage(self) -> Dist[int]:
        """The points lost in this sequence."""
        return self.removed - self.target.hurt

    @property
    def wiped_out(self) -> Fraction:
        """The chance that nobody is left."""
        return self.removed.p(self.target.unit.total)


def shoot(
    weapons: Weapon | Sequence[Weapon],
    target: Target,
    edition: str | Edition = "40k-10",
    budget: int = DEFAULT_BUDGET,
) -> Result:
    """Weapons one after the other into a target.

    Args:
        weapons: In the order in which they are fired.
        target: The unit.
        edition: The rules, by name or as data.
        budget: The work it may cost.

    Raises:
        RuleError: For an impossible value, with the weapon and the field.
        TooLarge: Past the budget.

    >>> result = shoot(Weapon(attacks=2, skill=3, lethal=True, sustained=1), Target(models=5))
    >>> result.models.mean
    Fraction(1, 2)
    """
    rules = edition_called(edition) if isinstance(edition, str) else edition
    target.checked()
    listed = [weapons] if isinstance(weapons, Weapon) else list(weapons)
    removed: Dist[int] = Dist([target.hurt])
    steps = []
    for weapon in listed:
        one = attack(weapon.checked(), target, rules)
        number = attacks_law(weapon, target, rules)
        removed = fire(weapon, target, rules, removed, budget)
        found = {
            "attacks": number, "hits": number @ one.hits, "wounds": number @ one.wounds,
            "unsaved wounds": number @ one.unsaved,
        }  # fmt: skip
        steps.append((weapon.name, found))
    return Result(target, removed, tuple(steps))


def _keeps(kind: Target) -> Fraction:
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
    return (saved if edition.ward_wounds else shrugged)(damage, _keeps(kind))


def fire(
    weapon: Weapon,
    target: Target,
    edition: Edition,
    start: Dist[int],
    budget: int = DEFAULT_BUDGET,
) -> Dist[int]:
    """The points that the target has lost after one weapon, from those it had lost before.

    >>> fire(Weapon(skill=None, wound=4), Target(save=None), EDITIONS["40k-10"], Dist([0]))
    Dist({0: 1, 1: 1})
    """
    kinds = target.kinds
    one, number = attack(weapon, target, edition), attacks_law(weapon, target, edition)
    points = [points_law(weapon, kind, edition) for kind in kinds]
    if edition.spills:
        if len(kinds) > 1:
            raise RuleError("damage that spills needs models of one kind")
        return spill(target.unit, start, number @ _spilled(weapon, target, edition, one))
    if len(kinds) == 1 and not weapon.mortal:
        return allocate(target.unit, start, number @ one.unsaved, lambda _: points[0], budget)
    return _phases(weapon, target, edition, one, number @ one.parts, start, points, budget)


def _phases(
    weapon: Weapon,
    target: Target,
    edition: Edition,
    one: Attack,
    number: Dist[int],
    start: Dist[int],
    budget: int,
) -> Dist[int]:
    """Wounds with saves of the front model first, then those without, then mortal wounds."""
    kinds = target.kinds
    points = [shrugged(damage_law(weapon, kind), _keeps(kind)) for kind in kinds]
    with_save = [
        saved(law, unsaved(weapon, kind, edition)) for law, kind in zip(points, kinds, strict=True)
    ]
    joint: Dist[Any] = number.then(lambda count: _many(one.parts, count))
    table: list[tuple[Any, Fraction]] = []
    for (normal, hard, mortal_hits, mortal), p in joint.items():
        after = allocate(target.unit, start, Dist([normal]), with_save.__getitem__, budget)
        direct = Dist([hard + mortal_hits])
        after = allocate(target.unit, after, direct, points.__getitem__, budget)
        shrug = [shrugged(1, _keeps(kind)) for kind in kinds]
        after = allocate(target.unit, after, Dist([mortal]), shrug.__getitem__, budget)
        table.append((after, p))
    found: Dist[int] = mix(table)
    return found


def _many(parts: Dist[Any], count: int) -> Any:
    from oddsmith.mechanics.symbols import vector_sum

    return vector_sum([(parts, count)]) if count else Dist([(0, 0, 0, 0)])
