"""Fishing for critical hits: which hit dice to roll again, and which lethal hits to decline.

A8   Where hit rolls may be re-rolled, all dice are rolled, then those chosen are rolled again
     together; a plain hit may be given up for the chance of a critical hit (fishing).
A9   A critical hit that would wound by itself may roll to wound instead (declined).

The choice is the exact optimum of one aim: the mean number of models lost, or the chance that at
least so many are lost.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import factorial, lcm, prod
from typing import TYPE_CHECKING

from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.dist import Dist, as_dist, event, mix
from oddsmith.errors import RuleError
from oddsmith.games.attack_rolls import (
    again,
    attacks_law,
    edition_called,
    hit_check,
    like_wounds,
    points_law,
    unsaved,
    wound_law,
)
from oddsmith.mechanics.allocation import allocate, spill
from oddsmith.mechanics.checks import CRITICAL, FAIL, SUCCESS
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from oddsmith.games.attack_profiles import Edition, Target, Weapon


class _Die:
    """One attack with choices: how its hit roll ends, and the unsaved wounds that follow."""

    def __init__(self, weapon: Weapon, target: Target, edition: Edition) -> None:
        like_wounds(weapon, target)
        for field in ("lethal_on", "sustained_on", "devastating_on"):
            if getattr(weapon, field) is not None:
                raise RuleError(
                    f"{weapon.name}: choices do not cover {field}",
                    "use one threshold for all critical hits",
                )
        law = wound_law(weapon, target, edition)
        through = event(unsaved(weapon, target, edition))
        critical = Dist([1]) if weapon.devastating else through
        roll = mix([(0, law[FAIL]), (through, law[SUCCESS]), (critical, law[CRITICAL])])
        more = as_dist(weapon.sustained) @ roll
        own = Dist([1]) if weapon.mortal_hits else through if weapon.lethal else roll
        self.plain: Dist[int] = roll
        self.taken: Dist[int] = own + more
        self.declined: Dist[int] = roll + more if weapon.lethal else self.taken
        rolled = hit_check(weapon, target, edition)
        self.ends: dict[tuple[str, bool], Fraction] = {}
        if rolled is None:
            self.ends[SUCCESS, False] = Fraction(1)
        else:
            die, check = rolled
            faces = again(die, check, weapon.reroll_hits).faces(die, check)
            for face, p in die.items():
                word = check.outcome(face)
                end = word, face in faces and word != CRITICAL
                self.ends[end] = self.ends.get(end, Fraction(0)) + p

    def chance(self, word: str) -> Fraction:
        """The chance of fail, success or critical of one roll."""
        return sum((p for (end, _), p in self.ends.items() if end == word), Fraction(0))


def worth_keeping(
    weapon: Weapon, target: Target, edition: str | Edition = "40k-10", wounds: bool = True
) -> Fraction:
    """The mean unsaved wounds of a plain hit that is kept, less those of one rolled again.

    Below 0 it pays to fish for critical hits. A critical hit takes the better of wounding by
    itself and rolling.

    Args:
        weapon: What is fired; whatever its re-rolls, this is about one more of them.
        target: The unit.
        edition: The rules.
        wounds: Whether to count unsaved wounds; else points of damage that are not shrugged off.

    >>> from oddsmith.games.attack_profiles import Target, Weapon
    >>> weapon = Weapon(skill=3, wound=6, lethal=True)
    >>> worth_keeping(weapon, Target(save=None))
    Fraction(-1, 12)
    """
    rules = edition_called(edition) if isinstance(edition, str) else edition
    die = _Die(weapon.checked(), target.checked(), rules)
    best = max(die.taken.mean, die.declined.mean)
    fresh = die.chance(SUCCESS) * die.plain.mean + die.chance(CRITICAL) * best
    each = Fraction(1) if wounds else points_law(weapon, target, rules).mean
    return (die.plain.mean - fresh) * each


class Fishing(Record):
    """The best re-rolls of hit dice and the best use of lethal hits.

    Attributes:
        value: What the best choices reach: a mean, or a chance.
        kept: The same when no hit is given up; only lethal hits are still a choice.
        always: The same when every plain hit is given up.
        taken: The same when no hit is given up and every lethal hit is taken.
        attacks: How many attacks there may be.
    """

    value: Fraction
    kept: Fraction
    always: Fraction
    taken: Fraction
    attacks: tuple[int, ...]
    solver: _Solver

    def again(self, fails: int, hits: int, criticals: int) -> int:
        """How many plain hits to roll again, with all fails; a critical hit is always kept.

        Where several choices are equally good, fewer dice are rolled.

        Args:
            fails: Dice that failed and may be rolled again.
            hits: Plain hits that may be rolled again.
            criticals: Critical hits.

        >>> from oddsmith.games.attack_profiles import Target, Weapon
        >>> weapon = Weapon(attacks=3, skill=3, wound=6, lethal=True, reroll_hits=("all",))
        >>> fishing(weapon, Target(save=None, models=3)).again(1, 1, 1)
        1
        """
        return self.solver.choice(fails, (hits, 0), criticals)[1]

    def decline(self, hits: int, criticals: int) -> int:
        """How many critical hits to let roll to wound, after all re-rolls.

        >>> from oddsmith.games.attack_profiles import Target, Weapon
        >>> weapon = Weapon(skill=3, wound=2, lethal=True, devastating=True, critical_wound=2)
        >>> fishing(weapon, Target(save=2)).decline(0, 1)
        1
        """
        return self.solver.final(hits, criticals)[1]


def fishing(
    weapon: Weapon,
    target: Target,
    edition: str | Edition = "40k-10",
    at_least: int | None = None,
    budget: int = DEFAULT_BUDGET,
) -> Fishing:
    """The best choices of one weapon's attacks.

    All dice are rolled before any is rolled again. Dice that ``reroll_hits`` names may be rolled
    again once; those that failed always are.

    Cost: the cube of the number of attacks.

    Args:
        weapon: What is fired, ``reroll_hits`` saying what may be rolled again.
        target: Models of one kind.
        edition: The rules.
        at_least: Aim for the chance that so many models are lost; left out, for their mean.
        budget: The work it may cost.

    Raises:
        RuleError: For several kinds of models, and weapons that add mortal wounds.
        TooLarge: Past the budget.

    >>> from oddsmith.games.attack_profiles import Target, Weapon
    >>> weapon = Weapon(skill=3, wound=6, lethal=True, reroll_hits=("all",))
    >>> best = fishing(weapon, Target(save=None))
    >>> best.value, best.kept, best.always
    (Fraction(3, 8), Fraction(1, 3), Fraction(3, 8))
    """
    rules = edition_called(edition) if isinstance(edition, str) else edition
    die = _Die(weapon.checked(), target.checked(), rules)
    number = attacks_law(weapon, target, rules)
    most = number.high
    largest = max(die.plain.high, die.taken.high, die.declined.high, 1)
    afford(300 * most**3 * (1 + most * largest // 40), budget, "use fewer attacks")
    worth = _worths(weapon, target, rules, at_least, most * largest, budget)
    solver = _Solver(die, worth)
    thumb = _Solver(die, worth, decline=False) if solver.declines else solver
    return Fishing(
        solver.mean(number, "best"), solver.mean(number, "keep"), solver.mean(number, "all"),
        thumb.mean(number, "keep"), tuple(number), solver,
    )  # fmt: skip


def _worths(
    weapon: Weapon,
    target: Target,
    edition: Edition,
    at_least: int | None,
    most: int,
    budget: int,
) -> list[Fraction]:
    """What each number of unsaved wounds is worth, from none to the most."""
    unit, points = target.unit, points_law(weapon, target, edition)
    before = unit.lost(target.hurt)

    def aim(removed: int) -> int:
        lost = unit.lost(removed) - before
        return lost if at_least is None else int(lost >= at_least)

    state, found = Dist([target.hurt]), []
    for count in range(most + 1):
        if count and edition.spills:
            state = spill(unit, state, points)
        elif count:
            state = allocate(unit, state, Dist([1]), lambda _: points, budget)
        found.append(state.map(aim).mean)
    return found


class _Solver:
    """Backward induction: from the final dice to the first roll.

    A state after the re-rolls is (plain hits, critical hits); ``after`` adds the dice rolled again
    one by one; ``choice`` looks at the dice of the first roll. All values are whole numbers: a
    final state of k dice counts ``unit * size**k`` times, each die rolled again ``sides`` times
    more.
    """

    def __init__(self, die: _Die, worth: list[Fraction], decline: bool = True) -> None:
        self.die = die
        self.unit = lcm(*(value.denominator for value in worth))
        self.worth = [int(value * self.unit) for value in worth]
        self.size = lcm(die.plain.total, die.taken.total, die.declined.total)
        self.sides = lcm(*(p.denominator for p in die.ends.values()))
        self.ways = tuple(int(die.chance(word) * self.sides) for word in (FAIL, SUCCESS, CRITICAL))
        self.declines = decline and die.declined != die.taken
        self.powers: Callable[[str, int], Dist[int]] = cache(
            lambda kind, count: getattr(die, kind).times(count)
        )
        self.final = cache(self._final)
        self.after = cache(self._after)

    def _final(self, hits: int, criticals: int) -> tuple[int, int]:
        """The best value of the final dice, and how many criticals are declined for it."""
        best = None
        whole = self.size ** (hits + criticals)
        for declined in range(criticals + 1 if self.declines else 1):
            total = self.powers("plain", hits) + self.powers("taken", criticals - declined)
            total = total + self.powers("declined", declined)
            value = sum(way * self.worth[count] for count, way in total.weights().items())
            value *= whole // total.total
            if best is None or value > best[0]:
                best = value, declined
        assert best is not None
        return best

    def _after(self, rolls: int, hits: int, criticals: int) -> int:
        """The value when so many dice are rolled again."""
        if not rolls:
            return self.final(hits, criticals)[0]
        fail, success, critical = self.ways
        return (
            fail * self.size * self.after(rolls - 1, hits, criticals)
            + success * self.after(rolls - 1, hits + 1, criticals)
            + critical * self.after(rolls - 1, hits, criticals + 1)
        )

    def choice(
        self, fails: int, hits: tuple[int, int], criticals: int, how: str = "best"
    ) -> tuple[Fraction, int]:
        """The best value, and how many plain hits are rolled again for it.

        A critical hit may always be used like a plain one, so it is never worse and never given up.

        Args:
            fails: Those that are rolled again.
            hits: Those that may be rolled again, and those that may not.
            criticals: The critical hits.
            how: ``best``, ``keep`` all, or give up ``all``.
        """
        low = hits[0] if how == "all" else 0
        most = 0 if how == "keep" else hits[0]
        best = None
        for given in range(low, most + 1):
            value = self.after(fails + given, sum(hits) - given, criticals)
            value *= self.sides ** (most - given)
            if best is None or value > best[0]:
                best = value, given
        assert best is not None
        dice = fails + sum(hits) + criticals
        whole = self.unit * self.size**dice * self.sides ** (fails + most)
        return Fraction(best[0], whole), best[1]

    def mean(self, number: Dist[int], how: str) -> Fraction:
        """The mean over the first roll."""
        total = Fraction(0)
        for count, p in number.items():
            for dice, chance in _first_rolls(self.die.ends, count):
                fails = dice.get((FAIL, True), 0)
                hits = dice.get((SUCCESS, True), 0), dice.get((SUCCESS, False), 0)
                sixes = dice.get((CRITICAL, False), 0)
                total += p * chance * self.choice(fails, hits, sixes, how)[0]
        return total


def _first_rolls(
    ends: dict[tuple[str, bool], Fraction], count: int
) -> Iterator[tuple[dict[tuple[str, bool], int], Fraction]]:
    """How many dice end how, with its chance."""
    names = list(ends)
    for shown in _shares(count, len(names)):
        ways = factorial(count) // prod(map(factorial, shown))
        parts = (ends[name] ** k for name, k in zip(names, shown, strict=True))
        yield dict(zip(names, shown, strict=True)), ways * prod(parts, start=Fraction(1))


def _shares(count: int, kinds: int) -> Iterator[tuple[int, ...]]:
    """Every way to share a number among so many kinds."""
    if kinds == 1:
        yield (count,)
        return
    for first in range(count + 1):
        for rest in _shares(count - first, kinds - 1):
            yield (first, *rest)
