"""``Pool``: dice rolled together and not yet added up."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import Any

import pytest

from oddsmith import Dist, OpenDist, Pool, chain, d, d4, d6, d8, d10, d20
from oddsmith.errors import OutcomeError, RuleError, TooLarge

F = Fraction


# --- the pool itself


def test_sizes() -> None:
    pool = Pool([d6, d8, d6])
    assert (pool.rolled, pool.size) == (3, 3)
    assert pool.is_whole
    assert not pool.is_alike
    kept = pool.keep_highest(2)
    assert (kept.rolled, kept.size) == (3, 2)
    assert not kept.is_whole


def test_like_dice_are_found_in_any_order() -> None:
    assert Pool([d6, d8, d6]).sum() == Pool([d8, d6, d6]).sum()
    assert Pool.of(d6, 3).is_alike
    assert Pool([d6, Dist(range(1, 7))]).is_alike


def test_faces_of_all_dice_in_order() -> None:
    assert Pool([Dist([3, "Hit"]), Dist([F(1, 2), 3])]).faces() == [F(1, 2), 3, "Hit"]


def test_no_dice_add_up_to_0() -> None:
    assert Pool([]).sum() == Dist([0])
    assert Pool.of(d6, 0).sum() == Dist([0])
    assert Pool.of(d6, 3).keep_highest(0).sum() == Dist([0])
    assert Pool([]).expand() == Dist([()])
    assert Pool([]).count(bool) == Dist([0])


@pytest.mark.parametrize("count", [-1, 1.5, "2"])
def test_a_pool_has_a_whole_number_of_dice(count: Any) -> None:
    with pytest.raises(RuleError):
        Pool.of(d6, count)


def test_plain_numbers_are_certain_dice() -> None:
    assert Pool([d6, 10]).keep_highest(1).sum() == Dist([10])


def test_pools_add_while_whole() -> None:
    both = Pool.of(d6, 2) + Pool([d6, d8])
    assert both.rolled == 4
    assert both.sum() == 3 @ d6 + d8
    with pytest.raises(RuleError):
        _ = Pool.of(d6, 2).keep_highest(1) + Pool.of(d6, 1)


def test_repr_names_dice_and_ranks() -> None:
    assert "2 x " in repr(Pool.of(d6, 2))
    assert "no dice" in repr(Pool([]))


# --- keeping and dropping


DROP_LOWEST = [1, 4, 10, 21, 38, 62, 91, 122, 148, 167, 172, 160, 131, 94, 54, 21]
"""4d6 without the lowest, 3 to 18, of 1296 rolls (mygurps.com)."""


def test_4d6_drop_lowest() -> None:
    weights = dict(zip(range(3, 19), DROP_LOWEST, strict=True))
    pool = Pool.of(d6, 4)
    assert pool.keep_highest(3).sum().weights() == weights
    assert pool.drop_lowest(1).sum().weights() == weights
    assert pool.keep_highest(3).sum().mean == F(15869, 1296)


def test_keeping_the_lowest_mirrors_keeping_the_highest() -> None:
    assert Pool.of(d6, 4).keep_lowest(3).sum() == 21 - Pool.of(d6, 4).keep_highest(3).sum()


def test_advantage() -> None:
    assert Pool.of(d20, 2).keep_highest(1).sum().mean == F(553, 40)
    assert Pool.of(d20, 2).keep_lowest(1).sum().mean == F(287, 40)
    assert Pool.of(d20, 3).keep_highest(1).sum().at_least(11) == F(7, 8)


def test_unlike_dice() -> None:
    """2d6 and 3d4, the highest two: 1601/192."""
    assert Pool([d6, d6, d4, d4, d4]).keep_highest(2).sum().mean == F(1601, 192)
    assert (Pool.of(d6, 4) + Pool.of(d8, 3)).keep_highest(4).sum().mean == F(6930401, 331776)


def test_the_middle() -> None:
    """3d20: symmetric about 21/2. d6, d8, d10: 173/40."""
    assert Pool.of(d20, 3).middle().sum().mean == F(21, 2)
    assert Pool([d6, d8, d10]).middle(1).sum().mean == F(173, 40)
    assert Pool.of(d6, 4).drop_highest(1).drop_lowest(1).sum().mean == 7
    assert Pool.of(d6, 4).middle(2).sum() == Pool.of(d6, 4).drop_highest().drop_lowest().sum()
    with pytest.raises(RuleError, match="balanced"):
        Pool.of(d6, 4).middle(1)


def test_windows_of_windows_look_at_what_is_left() -> None:
    """The lowest of the top three of four is the second lowest; of the top three drop the top."""
    top = Pool.of(d6, 4).keep_highest(3)
    second = top.keep_lowest(1).sum()
    wanted: dict[int, int] = {}
    for faces in product(range(1, 7), repeat=4):
        face = sorted(faces)[1]
        wanted[face] = wanted.get(face, 0) + 1
    assert second == Dist(wanted)
    assert top.drop_highest(1).size == 2


@pytest.mark.parametrize(
    "verb", ["keep_highest", "keep_lowest", "drop_highest", "drop_lowest", "middle"]
)
@pytest.mark.parametrize("count", [-1, 4, 1.0])
def test_more_dice_than_are_left_are_refused(verb: str, count: Any) -> None:
    pool = Pool.of(d6, 5).drop_lowest(2)
    with pytest.raises(RuleError):
        getattr(pool, verb)(count)


def test_six_ability_scores() -> None:
    """Is at least one of six 4d6-drop-lowest scores 18? (fob.po8.org)"""
    score = Pool.of(d6, 4).keep_highest(3).sum()
    best = Pool.of(score, 6).keep_highest(1).sum()
    assert best.p(18) == F(606876045137999, 6499837226778624)


def test_keeping_weighted_and_negative_faces() -> None:
    die = Dist({-5: 1, 0: 2, 7: 3})
    wanted: dict[int, Fraction] = {}
    for faces in product(die.items(), repeat=3):
        p = faces[0][1] * faces[1][1] * faces[2][1]
        total = sum(sorted(face for face, _ in faces)[1:])
        wanted[total] = wanted.get(total, F(0)) + p
    assert dict(Pool.of(die, 3).keep_highest(2).sum().items()) == wanted


def test_keeping_from_sparse_faces() -> None:
    """Two of {1, 1000000}: the higher is the million in 3 of 4 rolls."""
    assert Pool.of(Dist([1, 10**6]), 2).keep_highest(1).sum() == Dist({1: 1, 10**6: 3})


# --- counting and values


@pytest.mark.parametrize("dice", [1, 3, 6])
@pytest.mark.parametrize("target", [2, 4, 6])
def test_successes_are_binomial(dice: int, target: int) -> None:
    p = F(7 - target, 6)
    hits = Pool.of(d6, dice).count(lambda face: face >= target)
    for k in range(dice + 1):
        assert hits.p(k) == comb(dice, k) * p**k * (1 - p) ** (dice - k)


def test_successes_of_kept_dice() -> None:
    """The highest two of three show 5+ both when at least two dice do: 7/27."""
    hits = Pool.of(d6, 3).keep_highest(2).count(lambda face: face >= 5)
    assert hits == Dist({0: 8, 1: 12, 2: 7})


def test_text_faces_are_counted() -> None:
    scatter = Dist({"Hit": 2, "north": 1, "south": 1})
    assert Pool.of(scatter, 2).count(lambda face: face == "Hit") == Dist([0, 1, 1, 2])


def test_text_faces_are_not_added() -> None:
    for refused in (Pool.of(Dist("ab"), 2), Pool.of(Dist([1, "a"]), 2).keep_highest(1)):
        with pytest.raises(OutcomeError):
            refused.sum()


def test_text_faces_are_not_multiplied() -> None:
    with pytest.raises(OutcomeError):
        Pool.of(Dist([1, "a"]), 2).product()


def test_values_may_be_fractions() -> None:
    assert Pool.of(Dist([1, 2]), 2).total(lambda face: F(face, 3)) == Dist(
        {F(2, 3): 1, 1: 2, F(4, 3): 1}
    )


def test_a_value_may_be_another_roll() -> None:
    """A kept 2 is worth another coin: of {1, 2} x 2, keep one: 2 in 3 of 4 rolls."""
    found = (
        Pool.of(Dist([1, 2]), 2)
        .keep_highest(1)
        .total(lambda face: Dist([0, 10]) if face == 2 else face)
    )
    assert found == Dist({1: 2, 0: 3, 10: 3})


def test_a_value_may_be_open_ended() -> None:
    """The highest two of four exploding after they were kept: 2d6kh1 then !: 259/45."""
    found = (
        Pool.of(d6, 2).keep_highest(1).total(lambda face: 6 + chain(d6, {6}) if face == 6 else face)
    )
    assert isinstance(found, OpenDist)
    assert found.mean == F(259, 45)


def test_each_die_changes_before_anything_is_removed() -> None:
    assert Pool.of(d4, 2).each(lambda face: face * 10).sum() == (2 @ d4) * 10
    assert Pool.of(Dist([0, 1]), 2).each(lambda face: d4 if face else 0).sum().mean == F(5, 2)
    with pytest.raises(RuleError):
        Pool.of(d4, 2).keep_highest(1).each(lambda face: face)


# --- single dice


def test_highest_lowest_median() -> None:
    """The highest of 3d6 is 4 in 4^3 - 3^3 of 216 rolls."""
    assert Pool.of(d6, 3).highest().p(4) == F(37, 216)
    assert Pool.of(d6, 2).lowest().p(6) == F(1, 36)
    assert Pool.of(d6, 3).drop_highest(1).highest() == Pool.of(d6, 3).median()
    assert Pool.of(Dist([1, 2]), 2).median() == Dist({1: 1, F(3, 2): 2, 2: 1})


def test_no_dice_have_no_highest() -> None:
    for refused in (Pool([]).highest, Pool([]).lowest, Pool([]).median):
        with pytest.raises(RuleError):
            refused()


BLADES = {
    1: ("1/2", "1/3", "1/6", "0"),
    2: ("1/4", "4/9", "5/18", "1/36"),
    4: ("1/16", "34/81", "125/324", "19/144"),
}
"""Bad, mixed, full, critical with so many d6 (the AnyDice article on Blades in the Dark)."""


@pytest.mark.parametrize(("dice", "chances"), BLADES.items())
def test_blades_in_the_dark(dice: int, chances: tuple[str, ...]) -> None:
    highest = Pool.of(d6, dice).highest()
    critical = Pool.of(d6, dice).count(lambda face: face == 6).at_least(2)
    found = (highest.at_most(3), highest.between(4, 5), highest.p(6) - critical, critical)
    assert found == tuple(map(F, chances))


# --- multisets


def test_hands_of_five_dice() -> None:
    """6, 150, 300, 1200, 1800, 3600, 720 of 7776 (the classic table)."""

    def hand(state: tuple[int, ...], _: int, count: int) -> tuple[int, ...]:
        return tuple(sorted([*state, count], reverse=True)) if count else state

    found = Pool.of(d6, 5).fold(hand, ())
    assert {shape: p * 7776 for shape, p in found.items()} == {
        (5,): 6, (4, 1): 150, (3, 2): 300, (3, 1, 1): 1200, (2, 2, 1): 1800, (2, 1, 1, 1): 3600,
        (1, 1, 1, 1, 1): 720,
    }  # fmt: skip


@pytest.mark.parametrize(("dice", "chance"), [(2, F(1, 6)), (3, F(4, 9)), (4, F(13, 18))])
def test_a_pair_or_better(dice: int, chance: Fraction) -> None:
    """1 - 6 * 5 * .. / 6^n."""
    assert Pool.of(d6, dice).sets().at_least(1) == chance


def test_all_different() -> None:
    """6d6: 6! / 6^6 = 5/324; 10d10 no match: 10! / 10^10."""
    assert Pool.of(d6, 6).unique().p(6) == F(5, 324)
    assert Pool.of(d10, 10).unique().p(10) == F(3628800, 10**10)


def test_sets_pairs_and_largest() -> None:
    """Four {1, 2}: (1,3) or (3,1) in 8 ways, (2,2) in 6, all alike in 2."""
    pool = Pool.of(Dist([1, 2]), 4)
    assert pool.sets() == Dist({1: 10, 2: 6})
    assert pool.sets(least=3) == Dist({0: 6, 1: 10})
    assert pool.pairs() == Dist({1: 8, 2: 8})
    assert pool.largest_set() == Dist({2: 6, 3: 8, 4: 2})


def test_runs() -> None:
    """3d6: 1-2-3 to 4-5-6 in 4 * 6 ways; no two neighbours and no run of 2: counted below."""
    found = Pool.of(d6, 3).longest_run()
    assert found.p(3) == F(24, 216)
    alone = sum(
        not any(face + 1 in faces for face in faces) for faces in product(range(1, 7), repeat=3)
    )
    assert found.p(1) == F(alone, 216)


def test_a_gap_between_the_faces_ends_a_run() -> None:
    assert Pool([1, 2, 4]).longest_run() == Dist([2])
    assert Pool([1, 3, 5]).longest_run() == Dist([1])
    assert Pool([]).longest_run() == Dist([0])


def test_a_fraction_between_them_does_not_break_a_run() -> None:
    assert Pool([1, F(3, 2), 2]).longest_run() == Dist([2])


def test_text_has_no_place_in_a_run() -> None:
    with pytest.raises(OutcomeError):
        Pool.of(Dist([1, "a"]), 2).longest_run()


def test_products() -> None:
    assert Pool.of(Dist([1, 2]), 2).product() == Dist([1, 2, 2, 4])
    assert Pool.of(Dist([-1, 0, 2]), 2).product() == Dist({-2: 2, 0: 5, 1: 1, 4: 1})
    assert Pool([]).product() == Dist([1])


def test_every_multiset() -> None:
    """4d6 showing exactly 1, 2, 2, 5: 12 of 1296."""
    assert Pool.of(d6, 4).expand().p((1, 2, 2, 5)) == F(12, 1296)
    assert Pool.of(d6, 4).keep_highest(2).expand().p((6, 6)) == F(171, 1296)


def test_a_fold_runs_down_when_asked() -> None:
    seen = Pool([1, 2, 2]).fold(lambda state, face, n: (*state, face, n), (), descending=True)
    assert seen == Dist([(2, 2, 1, 1)])


def test_a_fold_counts_kept_dice_only_and_meets_every_face() -> None:
    seen = Pool([1, 2, 2]).keep_lowest(2).fold(lambda state, face, n: (*state, face, n), ())
    assert seen == Dist([(1, 1, 2, 1)])


def test_a_fold_may_finish_its_state() -> None:
    found = Pool.of(d6, 2).fold(lambda s, f, n: s + n * f, 0, final=lambda s: s % 2)
    assert found == Dist([0, 1])


def test_risk() -> None:
    """Three attackers against two: 2275, 2611, 2890 of 7776 (Osborne 2003)."""
    attack = Pool.of(d6, 3).keep_highest(2).expand()
    defence = Pool.of(d6, 2).expand()
    wins: dict[int, Fraction] = {}
    for (low, high), p in attack.items():
        for (least, most), q in defence.items():
            won = (high > most) + (low > least)
            wins[won] = wins.get(won, F(0)) + p * q
    assert [wins[k] * 7776 for k in range(3)] == [2275, 2611, 2890]


# --- one rank of like dice


RANKED: list[Any] = [
    d6,
    Dist([0, 1]),
    Dist({1: 3, 2: 1, 7: 2}),
    Dist({-2: 1, 0: 4, F(1, 2): 1}),
    Dist({5: 1}),
    Dist({0: 1, 1_000_000: 2, 5: 1}),
]


@pytest.mark.parametrize("die", RANKED)
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_every_rank_of_like_dice(die: Dist[Any], count: int) -> None:
    """Sorted, for every way the dice can fall."""
    weights = die.weights()
    for rank in range(count):
        found: dict[Any, int] = {}
        for roll in product(weights, repeat=count):
            ways = 1
            for face in roll:
                ways *= weights[face]
            found[sorted(roll)[rank]] = found.get(sorted(roll)[rank], 0) + ways
        assert Pool.of(die, count).window(rank, rank + 1).sum() == Dist(found)


@pytest.mark.parametrize(("sides", "count", "rank"), [(20, 30, 4), (6, 101, 50), (100, 60, 59)])
def test_a_rank_is_a_binomial_tail(sides: int, count: int, rank: int) -> None:
    """The rank is at most a face when more than so many dice are."""
    found = Pool.of(d(sides), count).window(rank, rank + 1).sum()
    for face in (1, sides // 3, sides // 2, sides - 1, sides):
        q = F(face, sides)
        tail = sum(
            comb(count, k) * q**k * (1 - q) ** (count - k) for k in range(rank + 1, count + 1)
        )
        assert found.at_most(face) == tail


def test_ranks_from_both_ends_mirror_each_other() -> None:
    for rank in range(40):
        low = Pool.of(d20, 40).window(rank, rank + 1).sum()
        high = Pool.of(d20, 40).window(39 - rank, 40 - rank).sum()
        assert high == 21 - low


def test_the_ranks_of_like_dice_add_up_to_the_sum() -> None:
    for die in RANKED:
        means = [Pool.of(die, 9).window(k, k + 1).sum().mean for k in range(9)]
        assert sum(means) == 9 * die.mean
        assert means == sorted(means)


def test_a_rank_may_be_worth_something_else() -> None:
    """The lower of two d6 is a 1 with 11/36, and worth 10 then."""
    pool = Pool.of(d6, 2).keep_lowest(1)
    assert pool.total(lambda face: 10 if face == 1 else 0) == Dist({10: 11, 0: 25})
    assert pool.total(lambda face: d4 if face == 1 else 0).p(4) == F(11, 144)
    assert pool.count(lambda face: face == 1).p(1) == F(11, 36)


def test_a_rank_of_words_is_no_number() -> None:
    with pytest.raises(OutcomeError):
        Pool.of(Dist(["a", "b"]), 3).window(1, 2).sum()
    assert Pool.of(Dist(["a", "b"]), 3).window(1, 2).count(lambda face: face == "b") == Dist([0, 1])


def test_a_rank_of_many_dice() -> None:
    """The 300th of 1000d100 and the 701st mirror each other; each lies near its share."""
    low, high = (Pool.of(d(100), 1000).window(k, k + 1).sum() for k in (299, 700))
    assert high == 101 - low
    assert 25 < low.mean < 35
    with pytest.raises(TooLarge):
        Pool.of(d(1000), 20_000).window(9_999, 10_000).sum()


# --- the end of like dice and how many show it


@pytest.mark.parametrize(
    "table", [{1: 1, 2: 1, 3: 1}, {-1: 3, 0: 1, F(1, 2): 2}, {"": 2, "hit": 1}]
)
@pytest.mark.parametrize("count", [1, 2, 4])
def test_either_end_of_like_dice(table: dict[Any, int], count: int) -> None:
    """Every roll, every window of ranks."""
    order, die = list(table), Dist(table)
    for first in range(count):
        for last in range(first + 1, count + 1):
            high: Counter[Any] = Counter()
            low: Counter[Any] = Counter()
            for roll in product(table, repeat=count):
                kept = sorted(roll, key=order.index)[first:last]
                ways = prod(table[face] for face in roll)
                high[kept[-1], kept.count(kept[-1])] += ways
                low[kept[0], kept.count(kept[0])] += ways
            pool = die.pool(count).window(first, last)
            assert pool.highest_and_count() == Dist(high)
            assert pool.lowest_and_count() == Dist(low)


def test_the_end_of_many_dice() -> None:
    """Of 25 dice with 100 sides k show h and all others less: C(25, k) * (h - 1)**(25 - k)."""
    found = d(100).pool(25).highest_and_count()
    for face in (1, 2, 57, 100):
        for shown in (1, 2, 13, 25):
            ways = comb(25, shown) * (face - 1) ** (25 - shown)
            assert found.p((face, shown)) == F(ways, 100**25)
    mirrored = d(100).pool(25).lowest_and_count().map(lambda end: (101 - end[0], end[1]))
    assert mirrored == found
    with pytest.raises(TooLarge):
        d(1000).pool(5000).highest_and_count()


# --- past the budget


def test_too_many_multisets_are_refused() -> None:
    with pytest.raises(TooLarge):
        Pool.of(d20, 200).expand()


def test_too_long_a_fold_is_refused() -> None:
    with pytest.raises(TooLarge):
        Pool.of(d20, 40).fold(lambda state, face, n: (*state, n), (), budget=100_000)


def test_too_large_a_window_is_refused() -> None:
    with pytest.raises(TooLarge):
        Pool.of(d20, 5000).keep_highest(2500).sum()


def test_many_dice_are_answered() -> None:
    """20 dice of 10, keep 10: symmetric under 11 - face with keeping the lowest."""
    high = Pool.of(d10, 20).keep_highest(10).sum()
    assert high.mean + Pool.of(d10, 20).keep_lowest(10).sum().mean == 110
    assert high == 110 - Pool.of(d10, 20).keep_lowest(10).sum()
