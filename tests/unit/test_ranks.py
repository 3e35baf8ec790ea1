"""Keeping and dropping by rank: which dice are left, for plain and for open-ended dice."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith import Dist, Pool, chain, d4, d6, d8, d20
from oddsmith.errors import RuleError
from oddsmith.open_pool import OpenPool
from oddsmith.ranks import Ranks

from .every import CLOSE, WHOLE, Table, chances, fair, law, packs, quick, rolls, several

F = Fraction
SIX = chain(d6, {6})
VERBS = ("keep_highest", "keep_lowest", "drop_highest", "drop_lowest", "middle")
STEPS = several(lambda chance: (chance.choice(VERBS), chance.randint(0, 2)), 4)


def pool_of(dice: list[Table]) -> Pool:
    return Pool([Dist(table) for table in dice])


def left(roll: tuple[Any, ...], verb: str, count: int) -> tuple[Any, ...]:
    """The same with the faces of one sorted roll."""
    spare = len(roll) - count
    return {
        "keep_highest": roll[spare:],
        "keep_lowest": roll[:count],
        "drop_highest": roll[:spare],
        "drop_lowest": roll[count:],
        "middle": roll[spare // 2 : spare // 2 + count],
    }[verb]


def allowed(size: int, verb: str, count: int) -> bool:
    return count <= size and (verb != "middle" or (size - count) % 2 == 0)


# --- one verb


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("count", range(5))
@pytest.mark.parametrize("dice", [[fair(3)] * 4, [fair(2), fair(3), fair(3), {1: 2, 4: 1}]])
def test_one_verb(verb: str, count: int, dice: list[Table]) -> None:
    """Four dice, like ones and unlike ones, any number of them."""
    if not allowed(4, verb, count):
        with pytest.raises(RuleError, match="is not balanced"):
            getattr(pool_of(dice), verb)(count)
        return
    pool = getattr(pool_of(dice), verb)(count)
    assert chances(pool.expand()) == law(lambda roll: left(roll, verb, count), rolls(dice))
    assert pool.rolled == 4
    assert pool.size == (count if verb in ("keep_highest", "keep_lowest", "middle") else 4 - count)
    assert pool.is_whole == (pool.size == 4)


def test_a_verb_without_a_number_means_one() -> None:
    pool = Pool([d4, d6, d8])
    for verb in VERBS:
        assert getattr(pool, verb)().expand() == getattr(pool, verb)(1).expand()


@pytest.mark.parametrize("verb", VERBS)
def test_the_pool_itself_stays(verb: str) -> None:
    pool = d6.pool(3)
    getattr(pool, verb)(1)
    assert (pool.size, pool.first, pool.last, pool.is_whole) == (3, 0, 3, True)


# --- verb after verb


def walk(dice: list[Table], steps: Any) -> None:
    """One verb after the other, those that are not allowed refused and left out."""
    pool, done = pool_of(dice), []
    for verb, count in steps:
        if not allowed(pool.size, verb, count):
            with pytest.raises(RuleError):
                getattr(pool, verb)(count)
            continue
        pool = getattr(pool, verb)(count)
        done.append((verb, count))

    def model(roll: tuple[Any, ...]) -> tuple[Any, ...]:
        for verb, count in done:
            roll = left(roll, verb, count)
        return roll

    assert chances(pool.expand()) == law(model, rolls(dice))
    assert chances(pool.sum()) == law(lambda roll: sum(model(roll)), rolls(dice))


@pytest.mark.parametrize("first", VERBS)
@pytest.mark.parametrize("second", VERBS)
@pytest.mark.parametrize("dice", [[fair(2)] * 4, [fair(2), {1: 1, 3: 2}, {1: 1, 3: 2}, {2: 1}]])
def test_verbs_look_at_what_is_left(first: str, second: str, dice: list[Table]) -> None:
    """Every verb after every verb."""
    for count in (1, 2, 3):
        for then in (1, 2, 3):
            walk(dice, [(first, count), (second, then)])


@given(dice=packs(WHOLE), steps=STEPS)
@quick(60)
def test_many_verbs(dice: list[Table], steps: list[tuple[str, int]]) -> None:
    walk(dice, steps)


@given(dice=packs(CLOSE))
@quick(20)
def test_windows_are_slices(dice: list[Table]) -> None:
    shown, size = rolls(dice), len(dice)
    for first in range(size + 1):
        for last in range(first, size + 1):
            pool = pool_of(dice).window(first, last)
            assert (pool.first, pool.last) == (first, last)
            assert (pool.size, pool.rolled) == (last - first, size)
            model = law(lambda roll: roll[first:last], shown)  # noqa: B023
            assert chances(pool.expand()) == model


def test_dropping_both_ends_is_keeping_the_middle() -> None:
    pool = Pool([d4, d6, d6, d8])
    assert pool.drop_highest().drop_lowest().expand() == pool.middle(2).expand()
    assert pool.keep_highest(3).keep_lowest(2).expand() == pool.middle(2).expand()


# --- known values


def test_ability_scores() -> None:
    """4d6 drop the lowest: 15869/1296 on average, 18 in 21 of 1296 (the well-known table)."""
    for pool in (d6.pool(4).keep_highest(3), d6.pool(4).drop_lowest()):
        assert pool.sum().mean == F(15869, 1296)
        assert pool.sum().p(18) == F(21, 1296)


def test_the_better_and_the_worse_of_two_d20() -> None:
    """553/40 and 287/40."""
    assert d20.pool(2).keep_highest().sum().mean == F(553, 40)
    assert d20.pool(2).drop_highest().sum().mean == F(287, 40)


def test_the_middle_of_three_d20() -> None:
    """k lies in the middle in 6 * (k - 1) * (20 - k) + 3 * 19 + 1 of 8000 rolls."""
    found = d20.pool(3).middle().sum()
    for k in range(1, 21):
        assert found.p(k) == F(6 * (k - 1) * (20 - k) + 3 * 19 + 1, 8000)


# --- open-ended dice


def test_open_ended_dice_have_ranks_too() -> None:
    pool = OpenPool([(SIX, 2), (d8, 1)])
    assert isinstance(pool, Ranks)
    assert isinstance(d6.pool(1), Ranks)
    kept = pool.drop_highest()
    assert (pool.size, pool.rolled, pool.is_whole) == (3, 3, True)
    assert (kept.size, kept.rolled, kept.is_whole) == (2, 3, False)


@pytest.mark.parametrize(
    ("verb", "count", "below_seven"),
    [
        ("keep_highest", 1, F(5, 6) ** 3),
        ("keep_lowest", 1, 1 - F(1, 6) ** 3),
        ("middle", 1, F(5, 6) ** 3 + 3 * F(1, 6) * F(5, 6) ** 2),
    ],
)
def test_one_of_three_exploding_dice(verb: str, count: int, below_seven: Fraction) -> None:
    """A d6 that goes on shows 7 or more with 1/6: all, one at least, two at least stay below."""
    assert getattr(SIX.pool(3), verb)(count).sum().at_most(6) == below_seven


def test_two_exploding_dice_kept_apart_add_up() -> None:
    """Each goes on j times, then shows r of 1 to 5: worth 6j + r.

    The more often of two is j or less with (1 - 1/6^(j+1))^2: mean 2/5 - 1/35 = 13/35. The better
    die is that often on; its face is r of 1 to 5, mean 3, or the better of two, mean 19/5, where
    both went on equally often, in 5/7: 78/35 + 3 * 2/7 + 19/5 * 5/7 = 29/5.
    """
    pool = SIX.pool(2)
    better = F(78, 35) + 3 * F(2, 7) + F(19, 5) * F(5, 7)
    assert better == F(29, 5)
    assert pool.keep_highest().sum().mean == better
    assert pool.drop_highest().sum().mean == 2 * F(21, 5) - better
    assert pool.sum().mean == F(42, 5)


@given(steps=STEPS, count=st.sampled_from([4, 3, 2, 1, 0]))
@quick(40)
def test_both_kinds_of_pools_keep_the_same_ranks(steps: list[tuple[str, int]], count: int) -> None:
    plain, endless = Pool.of(d6, count), OpenPool([(SIX, count)])
    for verb, many in steps:
        if not allowed(plain.size, verb, many):
            for pool in (plain, endless):
                with pytest.raises(RuleError):
                    getattr(pool, verb)(many)
            continue
        plain, endless = getattr(plain, verb)(many), getattr(endless, verb)(many)
        assert (plain.first, plain.last) == (endless.first, endless.last)


# --- refusals

POOLS = [d6.pool(5).drop_lowest(2), Pool([d4, d6, d8]), OpenPool([(SIX, 4)]).drop_highest(1)]
"""Three dice each."""


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("verb", VERBS)
def test_more_dice_than_are_left(pool: Any, verb: str) -> None:
    word = "drop" if verb.startswith("drop") else "keep"
    with pytest.raises(RuleError, match=f"cannot {word} 4 dice of 3: {word} 3 at most"):
        getattr(pool, verb)(4)


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("count", [-1, 1.0, F(1, 2), "1", None])
def test_a_number_of_dice(pool: Any, verb: str, count: Any) -> None:
    word = "drop" if verb.startswith("drop") else "keep"
    with pytest.raises(RuleError, match=f"cannot {word} {count} dice"):
        getattr(pool, verb)(count)


@pytest.mark.parametrize(("first", "last"), [(-1, 2), (0, 5), (3, 2), (5, 5)])
def test_ranks_that_are_not_there(first: int, last: int) -> None:
    with pytest.raises(RuleError, match=f"there are no ranks {first} to {last} among 4 dice"):
        d6.pool(4).window(first, last)


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("count", [0, 2])
def test_a_middle_is_balanced(pool: Any, count: int) -> None:
    wanted = f"the middle {count} of 3 dice is not balanced: keep {count + 1} instead"
    with pytest.raises(RuleError, match=wanted):
        pool.middle(count)


def test_what_was_kept_is_thrown_with_nothing() -> None:
    for one, other in [(d6.pool(2).keep_highest(), d6.pool(1)), (d6.pool(1), d6.pool(2).middle(0))]:
        with pytest.raises(RuleError, match="dice were already removed from one of the pools"):
            _ = one + other
    with pytest.raises(RuleError, match="dice were already removed from one of the pools"):
        _ = SIX.pool(2).keep_highest() + SIX.pool(1)
