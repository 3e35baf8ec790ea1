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

from typing import TYPE_CHECKING, Any

from oddsmith.budget import DEFAULT_BUDGET
from oddsmith.dist import Dist, as_dist, event, mix
from oddsmith.errors import RuleError
from oddsmith.games.attack_profiles import Edition, Target, Weapon
from oddsmith.games.attack_rolls import (
    Law,
    attacks_law,
    edition_called,
    hit_law,
    keeps,
    points_law,
    unsaved,
    wound_law,
)
from oddsmith.mechanics.allocation import allocate, saved, shrugged, spill
from oddsmith.mechanics.checks import CRITICAL, FAIL
from oddsmith.mechanics.symbols import vector_sum
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction


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
    >>> attack(weapon, Target(save=4), edition_called("40k-10")).unsaved.mean
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


def fire(
    weapon: Weapon,
    target: Target,
    edition: Edition,
    start: Dist[int],
    budget: int = DEFAULT_BUDGET,
) -> Dist[int]:
    """The points that the target has lost after one weapon, from those it had lost before.

    >>> fire(Weapon(skill=None, wound=4), Target(save=None), edition_called("40k-10"), Dist([0]))
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
    saves = [unsaved(weapon, kind, edition) for kind in kinds]
    with_save = [saved(law, chance) for law, chance in zip(points, saves, strict=True)]
    return _phases(target, number.then(lambda count: _many(one.parts, count)), start, points,
                   with_save, budget)  # fmt: skip


def _spilled(weapon: Weapon, target: Target, edition: Edition, one: Attack) -> Dist[int]:
    """The points of damage of one attack when nothing of it is lost."""
    points = points_law(weapon, target, edition)
    through = event(unsaved(weapon, target, edition))
    single = shrugged(1, keeps(target))

    def total(part: tuple[int, int, int, int]) -> Any:
        normal, hard, mortal_hits, mortal = part
        return (normal @ through + hard + mortal_hits) @ points + mortal @ single

    found: Dist[int] = one.parts.then(total)
    return found


def _phases(
    target: Target,
    joint: Dist[Any],
    start: Dist[int],
    points: Sequence[Dist[int]],
    with_save: Sequence[Dist[int]],
    budget: int,
) -> Dist[int]:
    """Wounds with saves of the front model first, then those without, then mortal wounds."""
    shrug = [shrugged(1, keeps(kind)) for kind in target.kinds]
    table: list[tuple[Any, Fraction]] = []
    for (normal, hard, mortal_hits, mortal), p in joint.items():
        after = allocate(target.unit, start, Dist([normal]), with_save.__getitem__, budget)
        direct = Dist([hard + mortal_hits])
        after = allocate(target.unit, after, direct, points.__getitem__, budget)
        after = allocate(target.unit, after, Dist([mortal]), shrug.__getitem__, budget)
        table.append((after, p))
    found: Dist[int] = mix(table)
    return found


def _many(parts: Dist[Any], count: int) -> Any:
    return vector_sum([(parts, count)]) if count else Dist([(0, 0, 0, 0)])
