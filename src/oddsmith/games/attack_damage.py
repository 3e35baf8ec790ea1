"""Which damage rolls to roll again, given the wounds that are left and the wounds still to come.

A14  All rolls to hit, to wound and to save come first; then damage is rolled wound by wound. Each
     damage roll may be rolled again once, as long as re-rolls are left. Whether it is, is the
     exact optimum of one aim: the mean number of models lost, or the chance that at least so many
     are lost.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.dist import as_dist
from oddsmith.games.attack_rolls import attacks_law, edition_called, like_wounds, points_law
from oddsmith.games.attack_sequence import attack
from oddsmith.record import Record

if TYPE_CHECKING:
    from oddsmith.dist import Dist
    from oddsmith.games.attack_profiles import Edition, Target, Weapon

BEST, LOW, NEVER = "best", "low", "never"


class DamageRerolls(Record):
    """The best re-rolls of damage dice.

    Attributes:
        value: What they reach: a mean, or a chance.
        low: The same when every roll below its mean is rolled again, while re-rolls are left.
        never: The same without re-rolls.
        most: How many wounds there may be.
        solver: The values of all states.
    """

    value: Fraction
    low: Fraction
    never: Fraction
    most: int
    solver: _Solver

    def again(self, removed: int, to_come: int, rerolls: int | None = None) -> int:
        """The highest damage that is rolled again; 0 where every roll is kept.

        Where both are equally good the roll is kept.

        Args:
            removed: The points that the unit has lost before this roll.
            to_come: How many wounds follow after this one.
            rerolls: How many re-rolls are left; left out, all that there were.

        >>> from oddsmith import d6
        >>> from oddsmith.games.attack_profiles import Target, Weapon
        >>> gun = Weapon(count=2, skill=None, wound=2, damage=d6)
        >>> best = damage_rerolls(gun, Target(save=None, wounds=6))
        >>> [best.again(removed, 0) for removed in (0, 3, 5)], best.again(0, 1)
        ([5, 2, 0], 2)
        """
        return self.solver.highest(removed, to_come, rerolls)


def damage_rerolls(
    weapon: Weapon,
    target: Target,
    edition: str | Edition = "40k-10",
    rerolls: int | None = None,
    at_least: int | None = None,
    budget: int = DEFAULT_BUDGET,
) -> DamageRerolls:
    """The best damage rolls to roll again.

    Cost: the number of wounds times the points of the unit, faces of the dice and re-rolls.

    Args:
        weapon: What is fired; its ``reroll_damage`` does not count.
        target: Models of one kind.
        edition: The rules.
        rerolls: How many rolls may be rolled again; left out, each of them.
        at_least: Aim for the chance that so many models are lost; left out, for their mean.
        budget: The work it may cost.

    Raises:
        RuleError: Where wounds of the weapon are not all alike.
        TooLarge: Past the budget.

    One D6 into a model of four wounds, a sure wound: 1/2, and once more where it was 3 or less.

    >>> from oddsmith import d6
    >>> from oddsmith.games.attack_profiles import Target, Weapon
    >>> gun = Weapon(skill=None, wound=2, reroll_wounds=(1,), damage=d6)
    >>> best = damage_rerolls(gun, Target(save=None, wounds=4))
    >>> best.never * Fraction(36, 35), best.value * Fraction(36, 35)
    (Fraction(1, 2), Fraction(3, 4))
    """
    rules = edition_called(edition) if isinstance(edition, str) else edition
    like_wounds(weapon.checked(), target.checked())
    wounds = attacks_law(weapon, target, rules) @ attack(weapon, target, rules).unsaved
    left = rerolls if rerolls is None else max(0, min(rerolls, wounds.high))
    faces = len(as_dist(weapon.damage))
    levels = 1 if left is None else left + 1
    bits = wounds.high * 16
    size = wounds.high * (target.unit.total + 1) * faces * levels * (1 + bits // 640)
    afford(60 * size, budget, "use fewer attacks, smaller units or fewer re-rolls")
    solver = _Solver(weapon.but(reroll_damage=()), target, rules, left, at_least, wounds.high)
    values = {how: solver.mean(wounds, how) for how in (BEST, LOW, NEVER)}
    return DamageRerolls(values[BEST], values[LOW], values[NEVER], wounds.high, solver)


class _Solver:
    """Backward induction on the number of wounds to come.

    A value is a whole number; after ``k`` wounds it counts ``unit * step**k`` times. With limited
    re-rolls there is a level for each number that is left.
    """

    def __init__(
        self,
        weapon: Weapon,
        target: Target,
        edition: Edition,
        rerolls: int | None,
        at_least: int | None,
        most: int,
    ) -> None:
        self.rerolls, self.target, self.edition = rerolls, target, edition
        dice: Dist[int] = as_dist(weapon.damage)
        self.mean_roll = dice.mean
        self.ways = dice.weights()
        self.total = dice.total
        laws = {face: points_law(weapon.but(damage=face), target, edition) for face in dice}
        self.whole = lcm(*(law.total for law in laws.values()))
        self.points = {
            face: [(lost, way * (self.whole // law.total)) for lost, way in law.weights().items()]
            for face, law in laws.items()
        }
        unit, before = target.unit, target.unit.lost(target.hurt)
        lost = [unit.lost(removed) - before for removed in range(unit.total + 1)]
        self.ends = lost if at_least is None else [int(count >= at_least) for count in lost]
        self.step = self.whole * self.total**2
        self.most = most
        self.tables = {how: self._all(how) for how in (BEST, LOW, NEVER)}

    def _all(self, how: str) -> list[list[list[int]]]:
        """For each number of wounds to come and each number of re-rolls left all values."""
        levels = 1 if self.rerolls is None else self.rerolls + 1
        tables = [[list(self.ends) for _ in range(levels)]]
        for _ in range(self.most):
            before = tables[-1]
            tables.append([self._level(before, level, how) for level in range(levels)])
        return tables

    def _level(self, before: list[list[int]], level: int, how: str) -> list[int]:
        found = []
        for removed in range(len(self.ends)):
            kept, fresh = self._values(before, removed, level)
            total = 0
            for face, way in self.ways.items():
                keep = kept[face] * self.total
                again = keep if fresh is None or how == NEVER else fresh
                if how == LOW:
                    again = again if face < self.mean_roll else keep
                total += way * (max(keep, again) if how == BEST else again)
            found.append(total)
        return found

    def _values(
        self, before: list[list[int]], removed: int, level: int
    ) -> tuple[dict[int, int], int | None]:
        """What each roll is worth when it is kept, and what a fresh one is, ``total`` times."""
        kept = self._kept(before[level], removed)
        if self.rerolls is None:
            fresh = kept
        elif level:
            fresh = self._kept(before[level - 1], removed)
        else:
            return kept, None
        return kept, sum(way * fresh[face] for face, way in self.ways.items())

    def _kept(self, values: list[int], removed: int) -> dict[int, int]:
        unit = self.target.unit
        _, left = unit.front(removed)
        most = unit.total - removed if self.edition.spills else left
        return {
            face: sum(way * values[removed + min(lost, most)] for lost, way in law)
            for face, law in self.points.items()
        }

    def mean(self, wounds: Dist[int], how: str) -> Fraction:
        """The mean over the number of wounds, from the first state."""
        tables = self.tables[how]
        return sum(
            (
                p * Fraction(tables[count][-1][self.target.hurt], self.step**count)
                for count, p in wounds.items()
            ),
            Fraction(0),
        )

    def highest(self, removed: int, to_come: int, rerolls: int | None) -> int:
        """The highest roll that is rolled again."""
        before = self.tables[BEST][to_come]
        level = len(before) - 1 if rerolls is None else rerolls
        kept, fresh = self._values(before, removed, level)
        worse = [
            face for face, value in kept.items() if fresh is not None and value * self.total < fresh
        ]
        return max(worse, default=0)
