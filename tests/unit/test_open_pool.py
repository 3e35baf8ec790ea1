"""Keeping from open-ended dice."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from oddsmith import Dist, OpenDist, Pool, chain, d4, d6, d8, d10
from oddsmith.enclosed import Enclosed
from oddsmith.errors import OddsmithError, RuleError
from oddsmith.open_pool import LEVELS_LIMIT, OpenPool, _Levels, geometric, kept_sum, loop

F = Fraction
SIX = chain(d6, {6})
FOUR = chain(d4, {4})


def pinned(found: Any) -> Fraction:
    """A chance that must be exact."""
    if not isinstance(found, tuple):
        return F(found)
    low, high = found
    assert low == high
    return F(low)


# --- like dice


def test_the_better_of_two_exploding_d6() -> None:
    """Each is 6j + r, j geometric and r uniform on 1..5: mean 29/5 = 5.8."""
    found = kept_sum([(SIX, 2)], 1, 2)
    assert isinstance(found, OpenDist)
    assert found.mean == F(29, 5)
    assert found.at_least(7) == 1 - F(25, 36)
    assert found.p(5) == F(25, 36) - F(16, 36)


def test_the_worse_of_two_makes_up_the_sum() -> None:
    assert kept_sum([(SIX, 2)], 0, 1).mean == 2 * F(21, 5) - F(29, 5)


def test_all_dice_are_the_sum() -> None:
    assert kept_sum([(SIX, 2), (d6, 1)], 0, 3) == 2 @ SIX + d6
    assert kept_sum([(d6, 2)], 0, 2) == 2 @ d6


def test_keeping_none_is_0() -> None:
    assert kept_sum([(SIX, 2)], 1, 1) == Dist([0])


def test_keeping_none_of_unlike_dice_is_0() -> None:
    assert kept_sum([(SIX, 1), (FOUR, 1)], 1, 1) == Dist([0])


def test_the_middle_of_three() -> None:
    """For k up to 5 a die is k or less with k/6; two of three: 3q^2 - 2q^3."""
    found = kept_sum([(SIX, 3)], 1, 2)
    for k in range(1, 6):
        q = F(k, 6)
        assert found.at_most(k) == 3 * q**2 - 2 * q**3


def test_6_keep_3_of_exploding_d10_at_least_30() -> None:
    """30.937624 % (a published shortcut, exact at 30)."""
    ten = chain(Dist(range(1, 11)), {10})
    chance = kept_sum([(ten, 6)], 3, 6).at_least(30)
    assert round(chance * 10**8) == 30937624


# --- unlike dice


WILD = {4: "5/8", 5: "1/2", 6: "31/96", 7: "13/48", 8: "37/192", 9: "1/6", 12: "11/256"}
"""The better of an exploding d4 and d6 (Savage Worlds with the wild die), all by products."""


@pytest.mark.parametrize(("target", "chance"), WILD.items())
def test_a_trait_die_with_a_wild_die(target: int, chance: str) -> None:
    found = kept_sum([(FOUR, 1), (SIX, 1)], 1, 2)
    assert pinned(found.at_least(target)) == F(chance)
    by_hand = 1 - FOUR.less_than(target) * SIX.less_than(target)
    assert by_hand == F(chance)


def test_d6_with_a_wild_d6() -> None:
    """4 or more: 3/4; one die reaches 8 with 5/36, and 12 with 1/36, for 12 is never shown."""
    found = kept_sum([(SIX, 2)], 1, 2)
    assert found.at_least(4) == F(3, 4)
    assert found.at_least(12) == 1 - (1 - F(1, 36)) ** 2
    assert found.at_least(8) == 1 - (1 - F(5, 36)) ** 2


def test_the_higher_of_unlike_dice_is_exact() -> None:
    """Distribution functions multiply, so there is no need to leave anything out."""
    found = kept_sum([(chain(d8, {8}), 1), (SIX, 1)], 1, 2)
    assert isinstance(found, OpenDist)
    assert found.at_least(4) == F(13, 16)
    assert found.at_least(8) == F(71, 288)


def test_the_higher_of_an_open_and_a_finite_die_is_exact() -> None:
    """Up to 6 by hand; above it only the open die counts."""
    found = kept_sum([(SIX, 1), (d6, 1)], 1, 2)
    assert isinstance(found, OpenDist)
    assert found.at_most(5) == F(25, 36)
    assert found.p(6) == F(5, 36)
    assert found.at_least(13) == F(1, 36)


def test_the_lower_of_unlike_dice_is_exact() -> None:
    found = kept_sum([(FOUR, 1), (SIX, 1)], 0, 1)
    assert isinstance(found, OpenDist)
    assert found.at_least(5) == F(1, 4) * F(1, 3)


def test_two_of_three_unlike_dice_are_enclosed_or_exact() -> None:
    """A best pair that makes 6 has no die above 5, so these chances are all that matter."""
    four = {1: F(1, 4), 2: F(1, 4), 3: F(1, 4), 5: F(1, 16)}
    six = dict.fromkeys(range(1, 6), F(1, 6))
    eight = dict.fromkeys(range(1, 6), F(1, 8))
    chance = sum(
        four[a] * six[b] * eight[c]
        for a, b, c in product(four, six, eight)
        if a + b + c - min(a, b, c) == 6
    )
    found = kept_sum([(FOUR, 1), (SIX, 1), (d8, 1)], 1, 3, depth=30)
    low, high = found.p(6) if isinstance(found, Enclosed) else (found.p(6),) * 2
    assert low <= chance <= high
    assert high - low <= F(1, 2**28)


# --- finite dice by the same door


def test_finite_dice_need_no_enclosure() -> None:
    assert kept_sum([(d6, 3)], 1, 2) == Dist({1: 16, 2: 40, 3: 52, 4: 52, 5: 40, 6: 16})
    assert kept_sum([(d6, 1), (d4, 1)], 1, 2).mean == F(47, 12)


# --- parts


def test_a_die_that_goes_on_in_one_way_is_taken_apart() -> None:
    assert loop(SIX) == (Dist(range(1, 6)), F(1, 6), 6)
    assert loop(SIX + 10) == (Dist(range(11, 16)), F(1, 6), 6)


def test_other_dice_are_not() -> None:
    assert loop(chain(d6, {5, 6})) is None
    assert loop(-SIX) is None
    assert loop(SIX - SIX) is None


def test_a_die_that_may_stop_above_where_it_goes_on_is_not() -> None:
    """2 rolls on, 6 stops: a die that went on can end lower than one that did not."""
    assert loop(chain(Dist([1, 2, 6]), {2})) is None


def test_successes_before_the_first_failure() -> None:
    found = geometric(F(1, 2), 3)
    assert [found.p(3 * k) for k in range(3)] == [F(1, 2), F(1, 4), F(1, 8)]
    assert found.mean == 3
    assert geometric(F(0), 3) == Dist([0])
    assert geometric(F(1, 2), 0) == Dist([0])
    assert geometric(F(1, 2), -1).p(-2) == F(1, 8)


# --- pools of open-ended dice


def up_to(die: int, most: int) -> dict[int, Fraction]:
    """The chances of an exploding die up to a bound, and of everything above it as one lump."""
    chances: dict[int, Fraction] = {}
    for total in range(1, most + 1):
        aces, rest = divmod(total, die)
        if rest:
            chances[total] = F(1, die ** (aces + 1))
    chances[most + 1] = 1 - sum(chances.values())
    return chances


def kept_by_hand(dice: list[dict[int, Fraction]], first: int, last: int) -> dict[int, Fraction]:
    """The kept ranks added up, for every way the dice can fall."""
    found: dict[int, Fraction] = {}
    for roll in product(*(die.items() for die in dice)):
        p = F(1)
        for _, chance in roll:
            p *= chance
        total = sum(sorted(face for face, _ in roll)[first:last])
        found[total] = found.get(total, F(0)) + p
    return found


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("keep", [1, 2, 3])
@pytest.mark.parametrize("verb", ["keep_highest", "keep_lowest", "drop_highest", "drop_lowest"])
def test_a_pool_of_like_open_ended_dice(count: int, keep: int, verb: str) -> None:
    """Sums up to 9 have no kept die above 9."""
    pool = SIX.pool(count)
    if keep > count:
        with pytest.raises(RuleError):
            getattr(pool, verb)(keep)
        return
    kept = getattr(pool, verb)(keep)
    size = keep if verb.startswith("keep") else count - keep
    first = count - size if verb in ("keep_highest", "drop_lowest") else 0
    assert (kept.rolled, kept.size) == (count, size)
    found = kept.sum()
    model = kept_by_hand([up_to(6, 9)] * count, first, first + size)
    for total in range(10):
        assert found.p(total) == model.get(total, 0)


def test_a_pool_of_unlike_open_ended_dice() -> None:
    """An exploding d4, an exploding d6 and a plain d8: the highest two, exact or enclosed."""
    pool = OpenPool([(FOUR, 1), (SIX, 1), (d8, 1)]).keep_highest(2)
    model = kept_by_hand([up_to(4, 9), up_to(6, 9), dict.fromkeys(range(1, 9), F(1, 8))], 1, 3)
    found = pool.sum(depth=30)
    for total in range(10):
        low, high = found.p(total) if isinstance(found, Enclosed) else (found.p(total),) * 2
        assert low <= model.get(total, 0) <= high
        assert high - low <= F(1, 2**27)


def test_the_middle_of_a_pool() -> None:
    found = SIX.pool(3).middle().sum()
    model = kept_by_hand([up_to(6, 12)] * 3, 1, 2)
    assert [found.p(k) for k in range(13)] == [model.get(k, 0) for k in range(13)]


def test_what_is_kept_and_what_is_dropped_add_up() -> None:
    for keep in range(5):
        kept, rest = SIX.pool(4).keep_highest(keep).sum(), SIX.pool(4).drop_highest(keep).sum()
        assert kept.mean + rest.mean == 4 * F(21, 5)


def test_a_whole_pool_is_the_sum() -> None:
    assert SIX.pool(3).sum() == 3 @ SIX
    assert OpenPool([(SIX, 2), (d6, 2)]).sum() == 2 @ SIX + 2 @ d6


def test_roll_and_keep() -> None:
    """6 exploding d10, keep 3, 30 or more: 30.937624 % (a published shortcut, exact at 30)."""
    ten = chain(d10, {10})
    chance = ten.pool(6).keep_highest(3).sum().at_least(30)
    assert round(chance * 10**8) == 30937624


def test_open_and_plain_pools_are_thrown_together() -> None:
    both = SIX.pool(1) + Pool([d6, d6]) + FOUR.pool(1)
    assert both.rolled == both.size == 4
    assert both.sum() == SIX + 2 @ d6 + FOUR


@pytest.mark.parametrize(
    ("left", "right"),
    [(SIX.pool(2).keep_highest(1), SIX.pool(1)), (SIX.pool(1), d6.pool(2).keep_lowest(1))],
)
def test_pools_with_dice_removed_stay_apart(left: Any, right: Any) -> None:
    with pytest.raises(RuleError):
        _ = left + right


def test_a_pool_of_no_dice() -> None:
    assert OpenPool([]).sum() == Dist([0])
    assert OpenPool([(SIX, 0)]).rolled == 0
    assert SIX.pool(3).keep_highest(0).sum() == Dist([0])


@pytest.mark.parametrize("count", [-1, 4, 1.5])
def test_a_pool_keeps_no_more_than_it_has(count: Any) -> None:
    for verb in ("keep_highest", "keep_lowest", "drop_highest", "drop_lowest"):
        with pytest.raises(RuleError):
            getattr(SIX.pool(3), verb)(count)


@pytest.mark.parametrize("count", [-1, 1.5])
def test_an_open_pool_has_a_whole_number_of_dice(count: Any) -> None:
    with pytest.raises(OddsmithError):
        SIX.pool(count)


def test_the_middle_must_be_balanced() -> None:
    with pytest.raises(RuleError):
        SIX.pool(4).middle()


def test_windows_of_windows_of_open_ended_dice() -> None:
    """The second highest of four is the lowest of the best two."""
    second = SIX.pool(4).keep_highest(2).keep_lowest(1)
    assert (second.first, second.last) == (2, 3)
    model = kept_by_hand([up_to(6, 8)] * 4, 2, 3)
    assert [second.sum().p(k) for k in range(9)] == [model.get(k, 0) for k in range(9)]


def test_single_open_ended_dice() -> None:
    """A die that goes on is 5 or less with 5/6; of two dice both with 25/36, one with 35/36."""
    pool = SIX.pool(2)
    assert pool.highest().at_most(5) == F(25, 36)
    assert pool.lowest().at_most(5) == F(35, 36)
    assert pool.median().mean == SIX.mean
    assert SIX.pool(3).median().at_most(5) == F(5, 6) ** 3 + 3 * F(5, 6) ** 2 * F(1, 6)
    with pytest.raises(RuleError, match="a pool of no dice has no highest and no lowest one"):
        SIX.pool(0).highest()


def test_the_median_of_four_open_ended_dice() -> None:
    """The middle two have no closed form, and half of what encloses them encloses their mean.

    Both are 1 where three dice or four are: each d6 with 1/6, the d4 with 1/4.
    """
    middle = OpenPool([(SIX, 3), (chain(d4, {4}), 1)]).median()
    low, high = middle.p(1)
    ones = F(1, 6) ** 3 + 3 * F(1, 6) ** 2 * F(5, 6) * F(1, 4)
    assert low <= ones <= high < low + F(1, 2**30)


def test_the_highest_of_many_is_enclosed_where_levels_cost_too_much() -> None:
    """A die is 20 or more after three 6s, if what follows is no 1."""
    dice = 150
    found = SIX.pool(dice).keep_highest().sum()
    assert isinstance(found, Enclosed)
    low, high = found.at_least(20)
    wanted = 1 - (1 - F(1, 6**3) * F(5, 6)) ** dice
    assert low <= wanted <= high
    assert high - low < F(dice, 2**44)


@pytest.mark.parametrize(("dice", "keep"), [(90, 1), (60, 5), (40, 20)])
def test_the_cost_of_levels_grows_with_their_number(dice: int, keep: int) -> None:
    parts = loop(SIX)
    assert parts is not None
    levels = _Levels(*parts)
    assert levels.cost(dice - keep + 1, keep) > LEVELS_LIMIT
    assert levels.cost(6, keep) < LEVELS_LIMIT


@pytest.mark.parametrize("turned", [False, True])
def test_a_plain_and_an_open_pool_in_either_order(turned: bool) -> None:
    """Both are below 6 with (5/6)**2; beyond 6 there is only the open one."""
    plain, loose = d6.pool(1), SIX.pool(1)
    both = loose + plain if turned else plain + loose
    assert both.rolled == 2
    assert both.highest().at_least(6) == 1 - F(5, 6) * F(5, 6)
    assert both.highest().at_least(7) == F(1, 6)
    assert "OpenPool of" in repr(both)


@pytest.mark.parametrize("other", [3, "a", d6])
def test_only_pools_are_thrown_together(other: Any) -> None:
    with pytest.raises(RuleError, match="is not a pool"):
        SIX.pool(1) + other
    with pytest.raises(RuleError, match="is not a pool"):
        d6.pool(1) + other
