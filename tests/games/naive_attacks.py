"""Attack sequences as a person plays them: one die after the other, one model after the other.

Nothing here is shared with the engine. A part of the game is written as if its dice were rolled;
``explore`` plays it for every face of every die. Models are a tuple of the wounds they have left,
the one that is hit first in front.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

F = Fraction
Roll = Callable[[int], int]
Law = dict[Any, Fraction]


class NeedDieError(Exception):
    """A die is rolled that the script has no face for."""


def explore(play: Callable[[Roll], Hashable]) -> Law:
    """What a part of the game leads to, over all faces of all its dice."""
    found: Law = defaultdict(Fraction)
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), F(1))]
    while waiting:
        faces, p = waiting.pop()
        script = list(faces)

        def roll(sides: int, script: list[int] = script) -> int:
            if not script:
                raise NeedDieError(sides)
            return script.pop(0)

        try:
            found[play(roll)] += p
        except NeedDieError as need:
            (sides,) = need.args
            waiting += [((*faces, face), p / sides) for face in range(1, sides + 1)]
    return dict(found)


@dataclass(frozen=True)
class Rules:
    """What editions do differently, as the rules say it."""

    cap: int | None = 1
    six_hits: bool = True
    save_bonus: int | None = 1
    no_cover_at_3: bool = False
    cover: str = "save"
    far: bool = False
    strength_pierces: bool = False
    spills: bool = False
    ward_per_wound: bool = False
    chart: str = "ratio"
    later: bool = False


RULES = {
    "40k-8": Rules(cap=None, six_hits=False, save_bonus=None),
    "40k-9": Rules(save_bonus=None),
    "40k-10": Rules(no_cover_at_3=True, later=True),
    "40k-11": Rules(save_bonus=None, cover="skill", later=True),
    "aos-3": Rules(spills=True),
    "aos-4": Rules(spills=True, cover="hit"),
    "whfb-8": Rules(
        cap=None, save_bonus=None, cover="hit", far=True, strength_pierces=True,
        ward_per_wound=True, chart="steps",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Gun:
    """A weapon; dice are (how many, sides, added)."""

    attacks: tuple[int, int, int] = (0, 6, 1)
    skill: int | None = 4
    strength: int = 4
    wound: int | None = None
    ap: int = 0
    damage: tuple[int, int, int] = (0, 6, 1)
    hit_modifier: int = 0
    wound_modifier: int = 0
    reroll_hits: tuple[Any, ...] = ()
    reroll_wounds: tuple[Any, ...] = ()
    reroll_damage: tuple[Any, ...] = ()
    critical_hit: int = 6
    critical_wound: int = 6
    sustained: tuple[int, int, int] = (0, 6, 0)
    lethal: bool = False
    devastating: bool = False
    mortal_hits: bool = False
    mortal: int = 0
    critical_damage: tuple[int, int, int] = (0, 6, 0)
    critical_ap: int = 0
    sustained_on: int | None = None
    lethal_on: int | None = None
    devastating_on: int | None = None
    mortal_on: int | None = None
    melta: int = 0
    half_range: bool = False
    indirect: bool = False
    overwatch: bool = False
    ignores_cover: bool = False


@dataclass(frozen=True)
class Foe:
    """A kind of models."""

    toughness: int = 4
    save: int | None = 4
    invulnerable: int | None = None
    ward: int | None = None
    ward_mortal: int | None = None
    wounds: int = 1
    models: int = 1
    cover: bool = False
    damage_set: int | None = None
    damage_less: int = 0
    halved: bool = False
    to_hit: int = 0
    to_wound: int = 0
    wound_fails: int = 1
    save_modifier: int = 0
    reroll_saves: tuple[Any, ...] = ()
    first_free: bool = False
    hurt: int = 0


def rolled(roll: Roll, dice: tuple[int, int, int]) -> int:
    """Dice added up; a D3 is a D6 halved, rounding up."""
    count, sides, added = dice
    return added + sum((roll(6) + 1) // 2 if sides == 3 else roll(sides) for _ in range(count))


def once_more(
    roll: Roll, rerolls: Sequence[Any], ends: Callable[[int], str], plain: Callable[[int], str]
) -> tuple[int, str]:
    """Roll a die, again where a rule says so; the face that counts and how it ends.

    ``ends`` says it with modifiers, ``plain`` without.
    """
    face = roll(6)
    again = False
    for rule in rerolls:
        again |= rule == "all" or rule == face or (rule == "ones" and face == 1)
        again |= rule == "failed" and plain(face) == "fail"
        again |= rule == "not-succeeding" and ends(face) == "fail"
        again |= rule == "succeeding" and ends(face) != "fail"
        again |= rule == "not-critical" and ends(face) != "critical"
    if again:
        face = roll(6)
    return face, ends(face)


def capped(change: int, cap: int | None) -> int:
    """Modifiers together."""
    if cap is None:
        return change
    return -cap if change < -cap else cap if change > cap else change


def covered(gun: Gun, foe: Foe) -> bool:
    """Whether there is cover from this weapon."""
    return not gun.ignores_cover and (foe.cover or gun.indirect)


def to_hit(roll: Roll, gun: Gun, foe: Foe, rules: Rules) -> tuple[int, str]:
    """The face, and ``fail``, ``hit`` or ``critical``."""
    if gun.skill is None:
        return 0, "hit"
    need = gun.skill
    change = gun.hit_modifier + foe.to_hit
    if gun.indirect:
        change -= 1
    if covered(gun, foe):
        if rules.cover == "hit":
            change -= 1
        if rules.cover == "skill":
            need = min(6, max(2, need + 1))
    change = capped(change, rules.cap)
    if rules.far and need - change >= 7:
        return 0, far(roll, need - change, gun.reroll_hits)

    def with_change(change: int) -> Callable[[int], str]:
        def ends(face: int) -> str:
            reaches = face + change >= need
            if face == 1 or (gun.indirect and face <= 3) or (gun.overwatch and face <= 5):
                return "fail"
            if not rules.six_hits and not reaches:
                return "fail"
            if face >= gun.critical_hit:
                return "critical"
            return "hit" if reaches or (face == 6 and rules.six_hits) else "fail"

        return ends

    return once_more(roll, gun.reroll_hits, with_change(change), with_change(0))


def far(roll: Roll, need: int, rerolls: Sequence[Any]) -> str:
    """A 6, then 4+, 5+ or 6; the whole is rolled again where a rule says so."""

    def shot() -> tuple[int, str]:
        first = roll(6)
        if first < 6 or need > 9:
            return first, "fail"
        return first, "hit" if roll(6) >= need - 3 else "fail"

    first, end = shot()
    again = False
    for rule in rerolls:
        again |= rule == "all" or (rule == "ones" and first == 1)
        again |= rule in ("failed", "not-succeeding") and end == "fail"
        again |= rule == "not-critical" or (rule == "succeeding" and end == "hit")
        again |= rule == first and (first < 6 or end == "fail")
    return shot()[1] if again else end


def wound_need(gun: Gun, foe: Foe, rules: Rules) -> int:
    """What wounds."""
    s, t = gun.strength, foe.toughness
    if gun.wound is not None:
        return gun.wound
    if rules.chart == "steps":
        return {-2: 2, -1: 3, 0: 4, 1: 5, 2: 6}[min(2, max(-2, t - s))]
    if s >= 2 * t:
        return 2
    if s > t:
        return 3
    if s == t:
        return 4
    return 6 if 2 * s <= t else 5


def to_wound(roll: Roll, gun: Gun, foe: Foe, rules: Rules) -> tuple[int, str]:
    """The face, and ``fail``, ``hit`` or ``critical``."""
    need = wound_need(gun, foe, rules)

    def with_change(change: int) -> Callable[[int], str]:
        def ends(face: int) -> str:
            if face == 1 or face <= foe.wound_fails:
                return "fail"
            if face >= gun.critical_wound:
                return "critical"
            return "hit" if face == 6 or face + change >= need else "fail"

        return ends

    change = capped(gun.wound_modifier + foe.to_wound, rules.cap)
    return once_more(roll, gun.reroll_wounds, with_change(change), with_change(0))


def saves(gun: Gun, foe: Foe, rules: Rules) -> list[Callable[[Roll], str]]:
    """The saves that a model may roll."""
    ap = gun.ap
    if rules.strength_pierces and gun.strength > 3:
        ap += gun.strength - 3

    def save(need: int, change: int) -> Callable[[Roll], str]:
        def with_change(change: int) -> Callable[[int], str]:
            return lambda face: "hit" if face > 1 and face + change >= need else "fail"

        ends, plain = with_change(change), with_change(0)
        return lambda roll: once_more(roll, foe.reroll_saves, ends, plain)[1]

    found = []
    if foe.save is not None:
        bonus = foe.save_modifier
        if (
            covered(gun, foe)
            and rules.cover == "save"
            and not (rules.no_cover_at_3 and foe.save <= 3 and ap == 0)
        ):
            bonus += 1
        if rules.save_bonus is not None and bonus > rules.save_bonus:
            bonus = rules.save_bonus
        found.append(save(foe.save, bonus - ap))
    if foe.invulnerable is not None:
        found.append(save(foe.invulnerable, 0))
    return found


@cache
def best_save(gun: Gun, foe: Foe, rules: Rules) -> Callable[[Roll], str] | None:
    """The save that is likelier to succeed."""
    options = saves(gun, foe, rules)
    return max(options, key=lambda save: explore(save).get("hit", F(0))) if options else None


def damage(roll: Roll, gun: Gun, foe: Foe, word: str, free: bool) -> int:
    """Of one wound that was not saved."""
    points = rolled(roll, gun.damage)
    least = gun.damage[0] + gun.damage[2]
    mean = gun.damage[2] + gun.damage[0] * F(2 if gun.damage[1] == 3 else gun.damage[1] + 1, 1) / (
        1 if gun.damage[1] == 3 else 2
    )
    again = False
    for rule in gun.reroll_damage:
        again |= rule == "all" or rule == points
        again |= (rule == "ones" and points == least) or (rule == "low" and points < mean)
    if again:
        points = rolled(roll, gun.damage)
    if foe.damage_set is not None:
        points = foe.damage_set
    if free:
        points = 0
    if foe.halved:
        points = (points + 1) // 2
    if gun.half_range:
        points += gun.melta
    if word in ("sharp", "hard"):
        points += rolled(roll, gun.critical_damage)
    if points == 0:
        return 0
    return max(1, points - foe.damage_less)


def one_hit(roll: Roll, gun: Gun, foe: Foe, rules: Rules) -> tuple[str, ...]:
    """The wounds of a hit that rolls to wound.

    ``save`` may be saved, as ``sharp`` of a critical wound; ``hard`` may not; ``mortal`` are single
    points.
    """
    face, end = to_wound(roll, gun, foe, rules)
    if end == "fail":
        return ()
    if end == "critical":
        more = ["mortal"] * gun.mortal
        if gun.mortal_on is not None and face < gun.mortal_on:
            more = []
        hard = gun.devastating and (gun.devastating_on is None or face >= gun.devastating_on)
        sharp = gun.critical_ap or gun.critical_damage[0] or gun.critical_damage[2]
        return ("hard" if hard else "sharp" if sharp else "save", *more)
    return ("save",)


def add(left: Law, right: Law) -> Law:
    """Two independent lists of wounds together."""
    found: Law = defaultdict(Fraction)
    for (a, p), (b, q) in product(left.items(), right.items()):
        found[tuple(sorted((*a, *b)))] += p * q
    return found


def one_attack(gun: Gun, foe: Foe, rules: Rules) -> Law:
    """The wounds of one attack, as a sorted tuple of words."""
    hit = explore(lambda roll: one_hit(roll, gun, foe, rules))
    more = explore(lambda roll: rolled(roll, gun.sustained))
    found: Law = defaultdict(Fraction)
    for (face, end), p in explore(lambda roll: to_hit(roll, gun, foe, rules)).items():
        lists: list[tuple[Law, Fraction]] = [({(): F(1)}, p)]
        if end == "hit":
            lists = [(hit, p)]
        if end == "critical":
            own: Law = hit
            if gun.lethal and (gun.lethal_on is None or face >= gun.lethal_on):
                own = {("save",): F(1)}
            if gun.mortal_hits:
                own = {("blow",): F(1)}
            lists = []
            sustained = gun.sustained_on is None or face >= gun.sustained_on
            for extra, q in (more if sustained else {0: F(1)}).items():
                law = own
                for _ in range(extra):
                    law = add(law, hit)
                lists.append((law, p * q))
        for law, q in lists:
            for wounds, r in law.items():
                found[wounds] += q * r
    return found


def taken(
    roll: Roll, unit: Any, kinds: Sequence[int], foes: Sequence[Foe], word: str,
    gun: Gun, rules: Rules,
) -> Any:  # fmt: skip
    """The unit after one wound: the wounds its models have left, and whether a save has failed."""
    left, failed = unit
    place = next((k for k, wounds in enumerate(left) if wounds), None)
    if place is None:
        return unit
    foe = foes[kinds[place]]
    free = False
    if word in ("save", "sharp"):
        ap = gun.ap + (gun.critical_ap if word == "sharp" else 0)
        save = best_save(replace(gun, ap=ap), foe, rules)
        if save is not None and save(roll) != "fail":
            return unit
        if foe.first_free and not failed:
            free = failed = True
    points = 1 if word == "mortal" else damage(roll, gun, foe, word, free)
    wards = [foe.ward] if foe.ward else []
    if foe.ward_mortal and word in ("hard", "blow", "mortal"):
        wards.append(foe.ward_mortal)
    if wards and word != "mortal" and rules.ward_per_wound:
        points = 0 if roll(6) >= min(wards) else points
    elif wards:
        points = sum(roll(6) < min(wards) for _ in range(points))
    after = list(left)
    while points and place < len(after):
        hurt = min(points, after[place])
        after[place] -= hurt
        points -= hurt
        if not rules.spills:
            break
        place += 1
    return tuple(after), failed


ORDER = ["save", "sharp", "hard", "blow", "mortal"]


def battle(
    guns: Sequence[Gun], foes: Sequence[Foe], edition: str
) -> dict[tuple[int, int], Fraction]:
    """The joint chances of (models lost, points lost)."""
    rules = RULES[edition]
    kinds = [kind for kind, foe in enumerate(foes) for _ in range(foe.models)]
    start = [foes[kind].wounds for kind in kinds]
    hurt = foes[0].hurt
    for place, wounds in enumerate(start):
        start[place] = wounds - min(wounds, hurt)
        hurt -= min(wounds, hurt)

    @cache
    def hit(unit: Any, number: int, word: str) -> Law:
        return explore(lambda roll: taken(roll, unit, kinds, foes, word, guns[number], rules))

    def after(states: Law, number: int, word: str) -> Law:
        found: Law = defaultdict(Fraction)
        for unit, p in states.items():
            for new, q in hit(unit, number, word).items():
                found[new] += p * q
        return found

    waiting: dict[tuple[tuple[int, str], ...], Law] = {(): {(tuple(start), False): F(1)}}
    for number, gun in enumerate(guns):
        law = one_attack(gun, foes[0], rules)
        fired: dict[Any, Law] = {}
        for attacks, p in explore(lambda roll, gun=gun: rolled(roll, gun.attacks)).items():
            wounds: Law = {(): F(1)}
            for _ in range(attacks):
                wounds = add(wounds, law)
            for words, q in wounds.items():
                now = [word for word in words if word in ("save", "sharp") or not rules.later]
                later = [(number, word) for word in words if word not in now]
                for before, law_of_unit in waiting.items():
                    states = law_of_unit
                    for word in sorted(now, key=ORDER.index):
                        states = after(states, number, word)
                    total = fired.setdefault((*before, *later), defaultdict(Fraction))
                    for unit, r in states.items():
                        total[unit] += p * q * r
        waiting = fired
    found: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    alive = sum(wounds > 0 for wounds in start)
    for words, states in waiting.items():
        last = sorted(words, key=lambda pair: (pair[1] == "mortal", pair[0], ORDER.index(pair[1])))
        for number, word in last:
            states = after(states, number, word)
        for (left, _), p in states.items():
            found[alive - sum(wounds > 0 for wounds in left), sum(start) - sum(left)] += p
    return dict(found)


def lost(joint: dict[tuple[int, int], Fraction], place: int = 0) -> dict[int, Fraction]:
    """Models (0) or points (1) lost."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for pair, p in joint.items():
        found[pair[place]] += p
    return dict(found)


__all__ = ["RULES", "Foe", "Gun", "battle", "explore", "lost", "replace", "rolled"]
