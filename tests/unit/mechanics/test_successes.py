"""Counting successes, and pushing a roll."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.some import quick
from oddsmith import Dist, Pool, d4, d6, d8, d10
from oddsmith.errors import RuleError
from oddsmith.mechanics.successes import push, push_if, successes

if TYPE_CHECKING:
    from collections.abc import Iterator

F = Fraction
Die = dict[int, int]
DICE = st.lists(
    st.dictionaries(st.integers(0, 6), st.integers(1, 3), min_size=1, max_size=4),
    min_size=0,
    max_size=3,
)
LOCKED = st.sets(st.integers(0, 6), max_size=4)


def rolls_of(dice: list[Die]) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every roll in the order of the dice."""
    for faces in product(*(die.items() for die in dice)):
        p = F(1)
        for die, (_, weight) in zip(dice, faces, strict=True):
            p *= F(weight, sum(die.values()))
        yield tuple(face for face, _ in faces), p


def read(rolls: Any, reading: Any) -> dict[Any, Fraction]:
    """A reading of every roll."""
    found: dict[Any, Fraction] = {}
    for roll, p in rolls:
        outcome = reading(roll)
        found[outcome] = found.get(outcome, F(0)) + p
    return found


def pushed(dice: list[Die], locked: set[int], when: Any, times: int = 1) -> Any:
    """Every roll, and every roll of the dice that are not locked."""
    rolls = list(rolls_of(dice))
    for _ in range(times):
        after = []
        for roll, p in rolls:
            go = [when(roll) and face not in locked for face in roll]
            for fresh, q in rolls_of([die for die, goes in zip(dice, go, strict=True) if goes]):
                new = iter(fresh)
                end = tuple(next(new) if g else f for f, g in zip(roll, go, strict=True))
                after.append((end, p * q))
        rolls = after
    return rolls


# --- successes


@quick(80)
@given(DICE, st.integers(1, 6), st.none() | st.integers(0, 6), st.none() | st.integers(0, 7))
def test_successes_less_botches(dice: list[Die], target: int, botch: Any, double: Any) -> None:
    botch = None if botch is not None and botch >= target else botch
    double = None if double is not None and double < target else double

    def count(roll: tuple[int, ...]) -> int:
        good = sum(face >= target for face in roll)
        twice = sum(face >= double for face in roll) if double is not None else 0
        return good + twice - (sum(face <= botch for face in roll) if botch is not None else 0)

    found = successes(Pool([Dist(die) for die in dice]), target, botch, double)
    assert dict(found.items()) == read(rolls_of(dice), count)


@quick(40)
@given(DICE, st.integers(0, 3))
def test_successes_of_the_dice_that_are_kept(dice: list[Die], keep: int) -> None:
    keep = min(keep, len(dice))
    pool = Pool([Dist(die) for die in dice]).keep_highest(keep)

    def count(roll: tuple[int, ...]) -> int:
        best = sorted(roll)[len(roll) - keep :]
        return sum((face >= 4) + (face >= 6) - (face <= 1) for face in best)

    assert dict(successes(pool, 4, 1, 6).items()) == read(rolls_of(dice), count)


def test_an_old_world_of_darkness_roll() -> None:
    """3d10, 8 and more less the ones: 27/50 for one or more (in the notation too)."""
    found = successes(d10.pool(3), 8, botch=1)
    assert found.at_least(1) == F(27, 50)
    assert found.less_than(0) == F(17, 125)


def test_a_double_success_of_many_dice() -> None:
    """The mean of one die that succeeds with 3/10, again with 1/10 and fails with 1/10: 3/10."""
    found = successes(d10.pool(50), 8, botch=1, double=10)
    assert found.mean == 15
    assert (found.low, found.high) == (-50, 100)


@pytest.mark.parametrize(("target", "botch", "double"), [(4, 4, None), (4, 5, None), (4, None, 3)])
def test_what_cannot_be_both(target: int, botch: Any, double: Any) -> None:
    with pytest.raises(RuleError):
        successes(d6.pool(2), target, botch, double)


# --- pushing


@quick(60)
@given(DICE, LOCKED, st.integers(0, 2))
def test_a_pushed_pool(dice: list[Die], locked: set[int], times: int) -> None:
    pool = push(Pool([Dist(die) for die in dice]), lambda face: face in locked, times)
    rolls = pushed(dice, locked, lambda roll: True, times)
    assert pool.rolled == len(dice)
    assert dict(pool.expand().items()) == read(rolls, lambda roll: tuple(sorted(roll)))
    assert dict(pool.sum().items()) == read(rolls, sum)


def test_a_year_zero_push() -> None:
    """A 6 at once 1/6, or after the second throw of 2..5: 1/6 + 4/6 * 1/6 = 5/18."""
    pool = push(d6.pool(5), lambda face: face in (1, 6))
    none = (1 - F(5, 18)) ** 5
    assert pool.count(lambda face: face == 6).p(0) == none


def test_a_push_twice() -> None:
    """1/6 at once, 4/6 * 1/6 after one push, (4/6)**2 * 1/6 after two: 19/54."""
    twice = push(d6.pool(1), lambda face: face in (1, 6), times=2)
    assert twice.sum().p(6) == F(19, 54)


def test_pushed_dice_of_several_kinds() -> None:
    """A d4, d6 and d8 that lock their 1s: P(1) = 1/s + (1 - 1/s) / s each."""
    pool = push(Pool([d4, d6, d8]), lambda face: face == 1)
    chance = F(1)
    for s in (4, 6, 8):
        chance *= 1 - (F(1, s) + (1 - F(1, s)) / s)
    assert pool.count(lambda face: face == 1).p(0) == chance


def test_only_whole_pools_are_pushed() -> None:
    with pytest.raises(RuleError):
        push(d6.pool(3).keep_highest(2), lambda face: face == 6)


# --- pushing after a look


WHEN: dict[str, Any] = {
    "low": lambda roll: sum(roll) < 7,
    "always": lambda roll: True,
    "never": lambda roll: False,
    "unlike": lambda roll: len(set(roll)) == len(roll),
}


@quick(60)
@given(
    st.dictionaries(st.integers(0, 6), st.integers(1, 3), min_size=1, max_size=4),
    st.integers(1, 3),
    LOCKED,
    st.sampled_from(list(WHEN)),
)
def test_a_push_after_a_look(die: Die, count: int, locked: set[int], when: str) -> None:
    pool = Dist(die).pool(count)
    rolls = pushed([die] * count, locked, WHEN[when])
    readings: list[tuple[Any, Any]] = [
        (lambda dice: dice.sum(), sum),
        (lambda dice: dice.count(lambda face: face >= 4), lambda roll: sum(f >= 4 for f in roll)),
        (lambda dice: dice.highest(), max),
    ]
    for reading, plain in readings:
        found = push_if(pool, WHEN[when], lambda face: face in locked, reading)
        assert dict(found.items()) == read(rolls, plain)


def test_the_look_sees_a_sorted_roll() -> None:
    seen: set[tuple[int, ...]] = set()

    def when(roll: tuple[int, ...]) -> bool:
        seen.add(roll)
        return False

    push_if(d4.pool(2), when, bool, lambda dice: dice.sum())
    assert seen == {(a, b) for a in range(1, 5) for b in range(a, 5)}


def test_only_like_whole_pools_are_looked_at() -> None:
    for pool in (Pool([d6, d8]), d6.pool(3).keep_lowest(1), Pool([])):
        with pytest.raises(RuleError):
            push_if(pool, lambda roll: True, bool, lambda dice: dice.sum())
