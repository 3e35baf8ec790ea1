"""Re-rolls as decisions: the best one, exactly, and the policy that makes it."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property, reduce
from itertools import combinations
from math import comb
from operator import add
from typing import TYPE_CHECKING, Any

from oddsmith.arguments import as_function, as_test, listed, whole
from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.dist import FACE, Dist, mix
from oddsmith.errors import OutcomeError, RuleError
from oddsmith.outcomes import clean, is_number, sort_key
from oddsmith.pool import Pool
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Face = Any
Roll = tuple[Any, ...]

ORDERS = ("lowest", "highest", "random")
"""Which dice are re-rolled first, where not all of them may be."""


def reroll_lowest(pool: Pool, count: int, total: bool = True) -> Any:
    """The sum after the lowest dice were rolled again, whatever they show.

    Args:
        pool: Like dice, none of them removed.
        count: How many of the lowest are rolled again.
        total: Whether to add up; else the sorted roll, at the price of every roll.

    Raises:
        RuleError: For more dice than there are, for unlike dice, and for a pool some of whose
            dice were removed.

    >>> from oddsmith import d6
    >>> reroll_lowest(d6.pool(2), 1).mean
    Fraction(287, 36)
    """
    die = _alike(pool)
    if not 0 <= whole(count) <= pool.size:
        raise RuleError(f"cannot re-roll {count} dice of {pool.size}")
    if total:
        kept = pool.drop_lowest(count)
        return kept.sum() + die.times(count) if kept.size else die.times(count)
    return pool.map(
        lambda roll: die.pool(count).map(lambda fresh: _in_order((*roll[count:], *fresh)))
    )


def reroll_some(
    pool: Pool, event: object, most: int, order: str = "lowest", total: bool = True
) -> Any:
    """The sum after some of the dice that fit were rolled again, each of them once.

    How many dice fit is a binomial number. Given it, those that fit and those that do not are
    dice of two new kinds, so nothing is listed.

    Args:
        pool: Like dice, none of them removed.
        event: Which dice may be rolled again: a face, a set of faces, or a function of the face.
        most: How many of them at most.
        order: Which of them where there are more: the ``lowest``, the ``highest``, or ``random``
            ones.
        total: Whether to add up; else the sorted roll, at the price of every roll.

    Raises:
        RuleError: For unlike dice, or a pool some of whose dice were removed.

    >>> from oddsmith import d6
    >>> reroll_some(d6.pool(2), 1, most=1).mean
    Fraction(559, 72)
    """
    die = _alike(pool)
    if not isinstance(most, int) or most < 0:
        raise RuleError(f"dice are re-rolled 0 or more at a time, not {most}")
    if order not in ORDERS:
        raise RuleError(f"the dice cannot be {order!r}", f"write one of {', '.join(ORDERS)}")
    fits = as_test(event)
    afford(FACE * pool.size**2 * min(die.slots(), 20), DEFAULT_BUDGET, "use fewer dice")
    chance = die.p(fits)
    bad = die.given(fits) if chance else die
    good = die.given(lambda face: not fits(face)) if chance < 1 else die
    cases = []
    for count in range(pool.size + 1):
        ways = comb(pool.size, count) * chance**count * (1 - chance) ** (pool.size - count)
        again = min(most, count)
        if not ways:
            continue
        if order == "random":
            left = bad.pool(count - again)
        elif order == "lowest":
            left = bad.pool(count).drop_lowest(again)
        else:
            left = bad.pool(count).drop_highest(again)
        parts = (good.pool(pool.size - count), left, die.pool(again))
        cases.append((_together(parts, total), ways))
    return mix(cases)


def _together(parts: tuple[Pool, ...], total: bool) -> Any:
    """Independent dice on the table, added up or in order."""
    if total:
        return reduce(add, (part.sum() for part in parts))
    return reduce(
        lambda a, b: a.combine(b, lambda left, right: _in_order((*left, *right))),
        (part.expand() for part in parts),
    )


class Policy(Record):
    """The best way to re-roll.

    Attributes:
        value: The mean score that it reaches, which for a chance is the chance.
        dice: The number of dice.
        die: What they are.
        score: What a final roll is worth.
        most: How many dice may be rolled again at a time.
        rounds: How many times.

    >>> from oddsmith import d6
    >>> best_reroll(d6.pool(1), sum).value
    Fraction(17, 4)
    """

    value: Fraction
    dice: int
    die: Dist[Any]
    score: Callable[[Roll], Any]
    most: int
    rounds: int
    solver: _Solver

    def keep(self, roll: Roll, left: int = 1) -> Roll:
        """The dice to keep of a roll with so many re-rolls left; the rest is rolled again.

        Args:
            roll: What the dice show, in any order.
            left: How many re-rolls are left, this one included.

        Raises:
            RuleError: For a roll these dice cannot show, or more re-rolls than there are.

        >>> from oddsmith import d6
        >>> best_reroll(d6.pool(2), sum).keep((2, 5))
        (5,)
        """
        if not 0 <= whole(left, "a number of re-rolls") <= self.rounds:
            raise RuleError(f"there are 0 to {self.rounds} re-rolls left, not {left}")
        faces = set(self.die)
        roll = tuple(map(clean, listed(roll, "dice one by one", "write for example (2, 5)")))
        if len(roll) != self.dice or not set(roll) <= faces:
            raise RuleError(f"{roll} is no roll of {self.dice} such dice")
        return self.solver.best(_in_order(roll), left)[1]

    @property
    def scores(self) -> Dist[Any]:
        """The distribution of the score under this policy.

        >>> from oddsmith import d6
        >>> best_reroll(d6.pool(1), sum).scores.mean
        Fraction(17, 4)
        """
        found: Dist[Any] = self.solver.outcome((), self.rounds + 1)
        return found


def best_reroll(
    pool: Pool,
    score: Callable[[Roll], Any],
    most: int | None = None,
    rounds: int = 1,
    budget: int = DEFAULT_BUDGET,
) -> Policy:
    """Re-roll any dice you choose, so that the mean of a score is as high as it can be.

    For the chance of a target let the score be 1 where it is met and 0 where not. Among equally
    good choices the one that rolls fewer dice is taken.

    Cost: for each round the number of sorted rolls times the ways to keep some dice of a roll.

    Args:
        pool: Like dice, none of them removed.
        score: From the sorted final roll to a whole number or a fraction.
        most: How many dice may be rolled again each time; all when None.
        rounds: How many times.
        budget: The work it may cost.

    Raises:
        RuleError: For unlike dice, or a pool some of whose dice were removed.
        TooLarge: Past the budget.

    >>> from oddsmith import d6
    >>> five_alike = best_reroll(d6.pool(5), lambda roll: int(len(set(roll)) == 1), rounds=2)
    >>> five_alike.value
    Fraction(347897, 7558272)
    """
    die = _alike(pool)
    as_function(score, "score", "lambda roll: int(len(set(roll)) == 1)", 1)
    dice = pool.size
    for name, number in (("most", dice if most is None else most), ("rounds", rounds)):
        if not isinstance(number, int) or number < 0:
            raise RuleError(f"{name} is {number}, but it is a whole number of 0 or more")
    most = dice if most is None else min(most, dice)
    rolls = comb(dice + len(die) - 1, dice)
    afford(60 * rolls * (most + 1) * rounds, budget, "use fewer dice or fewer rounds")
    choices = sum(comb(dice, removed) for removed in range(most + 1))
    afford(60 * rolls * choices * rounds, budget, "use fewer dice or fewer rounds")
    solver = _Solver(die, dice, score, most)
    value = solver.worth((), rounds + 1)
    return Policy(value, dice, die, score, most, rounds, solver)


class _Solver:
    """Backward induction over sorted rolls.

    ``worth(kept, n)`` is the mean when the dice kept are filled up and n - 1 re-rolls are left;
    it is reached by adding one die at a time, so that all rolls share their parts.
    """

    def __init__(self, die: Dist[Any], dice: int, score: Callable[[Roll], Any], most: int) -> None:
        self.faces = [(face, p) for face, p in die.items()]
        self.dice, self.score, self.most = dice, score, most
        self._worth: dict[tuple[Roll, int], Fraction] = {}
        self._best: dict[tuple[Roll, int], tuple[Fraction, Roll]] = {}
        self._outcome: dict[tuple[Roll, int], Any] = {}

    @cached_property
    def _places(self) -> dict[Face, int]:
        return {face: place for place, (face, _) in enumerate(self.faces)}

    def _with(self, kept: Roll, face: Face) -> Roll:
        return tuple(sorted((*kept, face), key=self._places.__getitem__))

    def worth(self, kept: Roll, rolls: int) -> Fraction:
        key = kept, rolls
        if key not in self._worth:
            if len(kept) == self.dice:
                found = self.best(kept, rolls - 1)[0]
            else:
                found = sum(
                    (p * self.worth(self._with(kept, face), rolls) for face, p in self.faces),
                    Fraction(0),
                )
            self._worth[key] = found
        return self._worth[key]

    def best(self, roll: Roll, left: int) -> tuple[Fraction, Roll]:
        """The best mean from a full roll with so many re-rolls left, and what to keep for it."""
        key = roll, left
        if key not in self._best:
            best = (_scored(self.score(roll)), roll) if not left else None
            for kept in self._choices(roll) if left else ():
                value = self.worth(kept, left)
                if kept == roll:
                    value = max(value, self.best(roll, 0)[0])
                if best is None or value > best[0]:
                    best = value, kept
            assert best is not None
            self._best[key] = best
        return self._best[key]

    def _choices(self, roll: Roll) -> Iterator[Roll]:
        """What may be kept, most dice first."""
        for removed in range(self.most + 1):
            yield from sorted(
                set(combinations(roll, self.dice - removed)),
                key=lambda kept: [self._places[face] for face in kept],
            )

    def outcome(self, kept: Roll, rolls: int) -> Any:
        """The distribution of the score, as :meth:`worth` has its mean."""
        key = kept, rolls
        if key not in self._outcome:
            if len(kept) == self.dice:
                choice = self.best(kept, rolls - 1)[1]
                last = rolls == 1
                found = Dist([self.score(kept)]) if last else self.outcome(choice, rolls - 1)
            else:
                found = mix(
                    (self.outcome(self._with(kept, face), rolls), p) for face, p in self.faces
                )
            self._outcome[key] = found
        return self._outcome[key]


def _scored(score: Any) -> Fraction:
    value = clean(score)
    if not is_number(value):
        raise OutcomeError(f"the score {score!r} is not a number")
    return Fraction(value)


def _alike(pool: Pool) -> Dist[Any]:
    if not (isinstance(pool, Pool) and pool.is_alike and pool.is_whole and pool.size):
        raise RuleError("re-rolls are decided for like dice, none of them removed")
    return pool.groups[0][0]


def _in_order(roll: Roll) -> Roll:
    return tuple(sorted(roll, key=sort_key))
