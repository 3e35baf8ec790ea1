"""Whole fights: overwatch, a charge that may fail, fighting back, and several rounds.

A15  A charging unit attacks only when 2D6 reach the distance. Fire in overwatch comes before the
     roll, and who falls to it does not attack. After a failed charge nobody fights.
A16  In each round the first side attacks, then what is left of the second fights back; it is over
     when a side is gone, or after so many rounds.
A17  Who is lost does not attack. Where a unit has no more weapons than models, each model has one:
     models without any fall first, then bearers of what is listed first. Where it has more, its
     models have several, and of each weapon as many are left as there are bearers or models,
     whichever are fewer; where there are several of one weapon for each model, so many for each
     model that is left.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import TYPE_CHECKING

from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.dist import Dist, as_dist, mix
from oddsmith.errors import RuleError
from oddsmith.games.attack_profiles import Target, Weapon
from oddsmith.games.attack_rolls import attacks_law, edition_called
from oddsmith.games.attack_volley import Volley
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oddsmith.games.attack_profiles import Edition

MOST_ROUNDS = 100
FIRST, SECOND = 0, 1
Weights = dict[tuple[int, int, int], int]
"""Points lost by both sides and the round in which it was over, with whole weights."""


class Side(Record):
    """A unit that attacks and is attacked.

    Attributes:
        weapons: What it attacks with, all its models together.
        stats: What it is when it is attacked.
    """

    weapons: tuple[Weapon, ...]
    stats: Target = Target()

    def armed(self, removed: int) -> tuple[Weapon, ...]:
        """The weapons of those that are left once so many points were lost.

        Raises:
            RuleError: For more weapons than models, but not so many for each.

        >>> side = Side((Weapon(name="gun", count=4), Weapon(name="axe")), Target(models=5))
        >>> [[(one.name, one.count) for one in side.armed(lost)] for lost in (0, 3, 4)]
        [[('gun', 4), ('axe', 1)], [('gun', 1), ('axe', 1)], [('axe', 1)]]
        """
        models = self.stats.unit.models
        left = models - self.stats.unit.lost(removed)
        several = sum(weapon.count for weapon in self.weapons) > models
        fallen = models - left - max(0, models - sum(weapon.count for weapon in self.weapons))
        found = []
        for weapon in self.weapons:
            if several and weapon.count > models:
                each, over = divmod(weapon.count, models)
                if over:
                    raise RuleError(
                        f"{weapon.name}: {weapon.count} for {models} models are not so many for "
                        "each",
                        "say with attacks how often each of them attacks",
                    )
                count = each * left
            elif several:
                count = min(weapon.count, left)
            else:
                count = weapon.count - max(0, min(fallen, weapon.count))
                fallen -= weapon.count - count
            if count:
                found.append(weapon.but(count=count))
        return tuple(found)


class Fight(Record):
    """How a fight ends.

    Attributes:
        first: The side that attacks first.
        second: The other.
        states: The points that the first and the second have lost, and in which round it was over:
            0 before the first round, -1 where both are left in the end.
        charged: The chance that the first side comes to attack; None where it did not charge.
    """

    first: Side
    second: Side
    states: Dist[tuple[int, int, int]]
    charged: Fraction | None = None

    def lost(self, place: int) -> Dist[int]:
        """How many models a side loses: 0 for the first, 1 for the second.

        >>> one = Side((Weapon(skill=None, wound=4),), Target(save=None))
        >>> fight(one, one, rounds=1).lost(0)
        Dist({0: 3, 1: 1})
        """
        stats = (self.first, self.second)[place].stats
        before = stats.unit.lost(stats.hurt)
        return self.states.map(lambda state: stats.unit.lost(state[place]) - before)

    @cached_property
    def left(self) -> Dist[str]:
        """Who is left in the end: the first, the second, both or nobody."""
        totals = self.first.stats.unit.total, self.second.stats.unit.total

        def who(state: tuple[int, int, int]) -> str:
            gone = state[0] == totals[0], state[1] == totals[1]
            return ("both", "the first", "the second", "nobody")[gone[1] + 2 * gone[0]]

        return self.states.map(who)

    @property
    def over(self) -> dict[int, Fraction]:
        """The chance that it is over after so many rounds, in which a side is gone."""
        rounds = self.states.margin(2)
        last = max(0, *rounds)
        return {
            number: sum((rounds.p(k) for k in range(number + 1)), Fraction(0))
            for number in range(1, last + 1)
        }


def fight(
    first: Side,
    second: Side,
    edition: str | Edition = "40k-10",
    rounds: int | None = None,
    charge: Fraction | None = None,
    overwatch: Sequence[Weapon] = (),
    budget: int = DEFAULT_BUDGET,
) -> Fight:
    """A fight of two units, step by step.

    Cost: for each number of models that a side may have left, and each number of points that the
    other may have lost, one attack sequence.

    Args:
        first: The side that charges and attacks first.
        second: The side that is attacked.
        edition: The rules.
        rounds: How often both attack, the second side only with what is left; left out, the first
            attacks once and nobody fights back.
        charge: The chance that the charge succeeds; left out, it is certain.
        overwatch: What the second side fires before the charge; only natural 6s hit.
        budget: The work it may cost.

    Raises:
        RuleError: For an impossible value, and a number of rounds that is too small or large.
        TooLarge: Past the budget.

    Both kill with 1/2: the first falls where it missed and the second did not.

    >>> one = Side((Weapon(skill=None, wound=4),), Target(save=None))
    >>> fight(one, one, rounds=1).left
    Dist({'both': 1, 'the first': 2, 'the second': 1})
    >>> fight(one, one, charge=Fraction(1, 3)).lost(1)
    Dist({0: 5, 1: 1})
    """
    rules = edition_called(edition) if isinstance(edition, str) else edition
    if rounds is not None and not 1 <= rounds <= MOST_ROUNDS:
        raise RuleError(f"a fight cannot have {rounds} rounds", f"write 1 to {MOST_ROUNDS}")
    ahead = _Blows(first, second, rules, budget)
    back = _Blows(second, first, rules, budget)
    fire = _Blows(second.but(weapons=_in_overwatch(overwatch)), first, rules, budget)
    used = [ahead] + [back] * (rounds is not None) + [fire] * bool(overwatch)
    walked = (rounds or 1) * _round_cost(used, rounds or 1)
    work = sum(blows.cost() for blows in used) + walked
    afford(work, budget, "use fewer models, attacks, wounds or rounds")
    start = first.stats.hurt, second.stats.hurt, -1
    states: Weights = {start: 1}
    if overwatch:
        states = _closed(fire.struck(states, FIRST), first, second, 0)
    still = Dist(states)
    for number in range(1, (rounds or 1) + 1):
        states = ahead.struck(states, SECOND)
        if rounds is not None:
            states = back.struck(states, FIRST)
        states = _closed(states, first, second, number)
    fought = Dist(states)
    if charge is None:
        return Fight(first, second, fought)
    parts = [(part, chance) for part, chance in ((fought, charge), (still, 1 - charge)) if chance]
    attacks = charge * still.p(lambda state: state[2] < 0)
    return Fight(first, second, mix(parts), attacks)


def _round_cost(used: Sequence[_Blows], rounds: int) -> int:
    """About what a round costs on average, from all states to all others."""
    sizes = [blows.foe.stats.unit.total + 1 for blows in used]
    bits = sum(8 * blows.most_attacks for blows in used) * rounds // 2
    return 4 * sizes[0] * sizes[-1] * max(sizes) * (1 + bits // 64)


def _in_overwatch(weapons: Sequence[Weapon]) -> tuple[Weapon, ...]:
    return tuple(weapon.but(overwatch=True) for weapon in weapons)


def _closed(states: Weights, first: Side, second: Side, number: int) -> Weights:
    """The states, with the round in which a side was gone."""
    ends = first.stats.unit.total, second.stats.unit.total
    found: Weights = {}
    for (one, other, over), weight in states.items():
        gone = over < 0 and (one == ends[0] or other == ends[1])
        state = one, other, number if gone else over
        found[state] = found.get(state, 0) + weight
    return found


class _Blows:
    """What one side does to the other, whatever both have lost before."""

    def __init__(self, side: Side, foe: Side, edition: Edition, budget: int) -> None:
        self.side, self.foe, self.edition, self.budget = side, foe, edition, budget
        self.blast = any(weapon.blast for weapon in side.weapons)
        self.volleys: dict[tuple[int, int], Volley] = {}
        self.known: dict[tuple[int, int], Dist[int]] = {}

    def cost(self) -> int:
        """About what all the attack sequences cost."""
        unit = self.foe.stats.checked().unit
        most = max(group.wounds for group in unit.groups)
        models = self.side.stats.checked().unit.models
        return 10 * models * (unit.total + 1) ** 2 * self.most_attacks * min(most, 20)

    @cached_property
    def most_attacks(self) -> int:
        """How many attacks and hits there are at most."""
        found = 0
        for weapon in self.side.weapons:
            number = attacks_law(weapon.checked(), self.foe.stats, self.edition)
            found += number.high * (1 + as_dist(weapon.sustained).high)
        return found

    def struck(self, states: Weights, place: int) -> Weights:
        """The states after an attack, where the fight is not over.

        Args:
            states: Points lost by both, and the round in which it was over, with weights.
            place: Who is attacked: 0 for the first, 1 for the second.
        """
        laws = {
            state: self._after(state[1 - place], state[place]) for state in states if state[2] < 0
        }
        common = lcm(*(law.total for law in laws.values()))
        found: Weights = {}
        for state, weight in states.items():
            if state not in laws:
                found[state] = found.get(state, 0) + weight * common
                continue
            scale = weight * (common // laws[state].total)
            for lost, ways in laws[state].weights().items():
                after = (lost, state[1], -1) if place == FIRST else (state[0], lost, -1)
                found[after] = found.get(after, 0) + scale * ways
        whole = gcd(*found.values())
        return {state: weight // whole for state, weight in found.items()}

    def _after(self, own: int, removed: int) -> Dist[int]:
        """The points that the foe has lost after an attack.

        Args:
            own: The points that the attackers have lost.
            removed: The points that the foe had lost.
        """
        fallen = self.side.stats.unit.lost(own)
        key = fallen, removed
        if key not in self.known:
            same = fallen, removed if self.blast else -1
            if same not in self.volleys:
                aim = self.foe.stats.but(hurt=removed) if self.blast else self.foe.stats
                self.volleys[same] = Volley(self.side.armed(own), aim, self.edition, self.budget)
            self.known[key] = self.volleys[same].after(Dist([removed]))
        return self.known[key]
