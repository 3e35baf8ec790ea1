"""Readings by rank: weights for the places, and pairs of two sides, against every roll."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith import Deck, Dist, Pool, d, d6, d8, d10
from oddsmith.errors import OutcomeError, RuleError, TooLarge
from oddsmith.folds import leading, matched, most_pairs, weighted

from .every import (
    CARDS,
    CLOSE,
    PARTS,
    TEXT,
    WHOLE,
    Kept,
    apart,
    chances,
    drawn,
    fair,
    hands,
    kept,
    law,
    quick,
    rank,
    rolls,
)

F = Fraction
Roll = tuple[Any, ...]


def pool_of(dice: Kept) -> Pool:
    tables, first, last = dice
    return Pool([Dist(table) for table in tables]).window(first, last)


# --- weights for the places

WEIGHTS = drawn(lambda chance: [chance.choice([-2, -1, 0, 1, 3]) for _ in range(6)])
UNEVEN = drawn(lambda chance: [F(chance.randint(-4, 4), chance.choice([1, 2, 3])) for _ in "1234"])


def added(weights: Any) -> Any:
    """Each face of a sorted roll times the weight of its place."""
    return lambda roll: sum(w * face for w, face in zip(weights, roll, strict=True))


@given(dice=kept(WHOLE), weights=WEIGHTS)
@quick(100)
def test_weights_of_dice(dice: Kept, weights: list[int]) -> None:
    pool = pool_of(dice)
    own = weights[: pool.size]
    assert chances(pool.weighted(own)) == law(added(own), rolls(*dice))


@given(dice=kept(PARTS), weights=UNEVEN)
@quick(60)
def test_weights_and_faces_that_are_fractions(dice: Kept, weights: list[Fraction]) -> None:
    pool = pool_of(dice)
    own = weights[: pool.size]
    assert chances(pool.weighted(own)) == law(added(own), rolls(*dice))


@given(cards=CARDS, count=st.integers(0, 6), weights=WEIGHTS)
@quick(40)
def test_weights_of_cards(cards: list[int], count: int, weights: list[int]) -> None:
    count = min(count, len(cards))
    own = weights[:count]
    assert chances(Deck(cards).deal(count).weighted(own)) == law(added(own), hands(cards, count))


def test_weights_of_1_and_0_keep_dice() -> None:
    """The best three of 4d6: 15869/1296, as everybody knows."""
    pool = d6.pool(4)
    assert pool.weighted([0, 1, 1, 1]).mean == F(15869, 1296)
    assert pool.weighted((1, 1, 1, 1)) == pool.sum()
    assert pool.weighted([0, 0, 0, 0]) == Dist([0])


def test_highest_less_lowest_of_many_dice() -> None:
    """The chance of at most k is that of 10 dice within k + 1 faces, by inclusion, exclusion."""
    found = d6.pool(10).weighted([-1, *[0] * 8, 1])
    for k in range(5):
        ways = (6 - k) * (k + 1) ** 10 - (5 - k) * k**10
        assert found.at_most(k) == F(ways, 6**10)


def test_a_weight_for_every_die() -> None:
    with pytest.raises(RuleError, match="2 weights do not fit 3 dice"):
        d6.pool(3).weighted([1, 1])
    with pytest.raises(RuleError, match="3 weights do not fit 2 dice"):
        d6.pool(3).keep_highest(2).weighted([1, 1, 1])
    assert d6.pool(0).weighted([]) == Dist([0])


def test_faces_and_weights_are_numbers() -> None:
    with pytest.raises(OutcomeError, match="'Hit'"):
        weighted(Pool([1, "Hit"]), [0, 1])
    with pytest.raises(OutcomeError, match="'two'"):
        weighted(d6.pool(1), ["two"])  # type: ignore[list-item]
    with pytest.raises(OutcomeError, match="float"):
        weighted(d6.pool(1), [0.5])  # type: ignore[list-item]


def test_faces_far_apart_are_answered_or_refused() -> None:
    """Two faces are a grid of their own, however far apart; three may be too much."""
    assert Dist([0, 10**12]).pool(2).weighted([-1, 1]) == Dist([0, 10**12])
    text = "Dist([0, 1, 10**9]).pool(2).weighted([-1, 1]).p(10**9 - 1)"
    assert apart(text) in ("2/9", "too large")
    with pytest.raises(TooLarge):
        d10.pool(5).weighted([1, 2, 3, 4, 5], budget=1000)


# --- pairs by rank


def sorted_pairs(mine: Roll, theirs: Roll) -> list[tuple[Any, Any]]:
    """Who meets whom, the highest first."""
    ways: Any = {"key": rank, "reverse": True}
    return list(zip(sorted(mine, **ways), sorted(theirs, **ways), strict=False))


def is_won(own: Any, other: Any, ties: bool) -> bool:
    return rank(own) >= rank(other) if ties else rank(own) > rank(other)


def won(ties: bool) -> Any:
    """All pairs that are won."""
    return lambda a, b: sum(is_won(*pair, ties) for pair in sorted_pairs(a, b))


def won_first(ties: bool) -> Any:
    """The pairs before the first that is not won."""

    def count(a: Roll, b: Roll) -> int:
        results = [is_won(*pair, ties) for pair in sorted_pairs(a, b)]
        return [*results, False].index(False)

    return count


def won_at_best(ties: bool) -> Any:
    """The best of all ways to pair the shorter side with some of the longer."""

    def count(a: Roll, b: Roll) -> int:
        if len(a) <= len(b):
            ways = (zip(a, order, strict=False) for order in permutations(b))
        else:
            ways = (zip(order, b, strict=False) for order in permutations(a))
        return max(sum(is_won(*pair, ties) for pair in way) for way in ways)

    return count


READINGS = {matched: won, leading: won_first, most_pairs: won_at_best}


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.__name__)
@pytest.mark.parametrize("ties", [False, True])
@given(mine=kept(CLOSE), theirs=kept(CLOSE))
@quick(60)
def test_two_pools(reading: Any, ties: bool, mine: Kept, theirs: Kept) -> None:
    found = reading(pool_of(mine), pool_of(theirs), ties=ties)
    assert chances(found) == law(READINGS[reading](ties), rolls(*mine), rolls(*theirs))


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.__name__)
@given(mine=kept(TEXT, 3), theirs=kept(TEXT, 3))
@quick(30)
def test_pools_with_words(reading: Any, mine: Kept, theirs: Kept) -> None:
    found = reading(pool_of(mine), pool_of(theirs))
    assert chances(found) == law(READINGS[reading](False), rolls(*mine), rolls(*theirs))


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.__name__)
@pytest.mark.parametrize("ties", [False, True])
@given(dice=kept(CLOSE, 3), cards=CARDS, count=st.integers(0, 4))
@quick(30)
def test_dice_and_cards(reading: Any, ties: bool, dice: Kept, cards: list[int], count: int) -> None:
    count = min(count, len(cards))
    hand, shown, model = Deck(cards).deal(count), hands(cards, count), READINGS[reading](ties)
    assert chances(reading(hand, pool_of(dice), ties=ties)) == law(model, shown, rolls(*dice))
    assert chances(reading(pool_of(dice), hand, ties=ties)) == law(model, rolls(*dice), shown)


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.__name__)
@pytest.mark.parametrize("mine", range(4))
@pytest.mark.parametrize("theirs", range(4))
def test_every_number_of_dice(reading: Any, mine: int, theirs: int) -> None:
    found = reading(d(4).pool(mine), d(5).pool(theirs))
    assert chances(found) == law(
        READINGS[reading](False), rolls([fair(4)] * mine), rolls([fair(5)] * theirs)
    )


def test_three_readings_of_one_roll() -> None:
    """Against 6, 3, 2 the first pair is lost, the others are won, and nothing beats the 6.
    Against 4, 4, 1 the first and the last are won; only the 5 beats a 4."""
    roll = Pool([5, 4, 3])
    for theirs, expected in {(6, 3, 2): (2, 0, 2), (4, 4, 1): (2, 1, 2)}.items():
        found = [reading(roll, Pool(theirs)) for reading in (matched, leading, most_pairs)]
        assert found == [Dist([n]) for n in expected]
    for reading in READINGS:
        assert reading(Pool([3, 3]), Pool([3, 3])) == Dist([0])
        assert reading(Pool([3, 3]), Pool([3, 3]), ties=True) == Dist([2])


def test_free_pairs_may_be_more_than_pairs_by_rank() -> None:
    """4, 3 against 5, 3, 1: by rank 5 beats 4 and 3 ties; 4 beats 3 and 3 beats 1."""
    assert matched(Pool([4, 3]), Pool([5, 3, 1])) == Dist([0])
    assert most_pairs(Pool([4, 3]), Pool([5, 3, 1])) == Dist([2])


def test_a_rank_that_is_lost_ends_the_lead() -> None:
    """One die each: a lead of 1 is a win; 15/36 for d6, with ties 21/36."""
    assert leading(d6.pool(1), d6.pool(1)).p(1) == F(15, 36)
    assert leading(d6.pool(1), d6.pool(1), ties=True).p(1) == F(21, 36)
    assert leading(d6.pool(1), d6.pool(2)).p(1) == F(55, 216)


@pytest.mark.parametrize("reading", [leading, most_pairs])
def test_work_is_counted(reading: Any) -> None:
    with pytest.raises(TooLarge, match="fewer dice"):
        reading(d8.pool(8), d8.pool(8), budget=1000)
