"""``Dist``: exact finite distributions."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from oddsmith import Dist, OpenDist, chain, d, d6, d8, d10, d20, joint, mix
from oddsmith.dist import event, float_sqrt
from oddsmith.errors import ImpossibleEvent, NeverEnds, OutcomeError, RuleError, TooLarge
from oddsmith.outcomes import clean

F = Fraction


# --- making


def test_weights_are_in_lowest_terms() -> None:
    assert Dist({1: 2, 2: 4}) == Dist({1: 1, 2: 2})
    assert Dist({1: 2, 2: 4}).total == 3


def test_outcomes_one_by_one_count_once_each() -> None:
    assert Dist("banana").weights() == {"a": 3, "b": 1, "n": 2}


def test_weight_0_leaves_an_outcome_out() -> None:
    assert Dist({1: 1, 2: 0}).outcomes() == [1]


def test_numbers_come_before_text_before_tuples() -> None:
    dist = Dist([(1, "a"), "b", 2, "a", F(1, 2), (0, "z")])
    assert dist.outcomes() == [F(1, 2), 2, "a", "b", (0, "z"), (1, "a")]


def test_whole_fractions_and_truth_values_become_ints() -> None:
    dist = Dist([F(4, 2), True])
    assert dist.outcomes() == [1, 2]
    assert all(type(outcome) is int for outcome in dist)
    assert type(clean((F(2, 1),))[0]) is int


def test_tuples_of_whole_numbers_take_no_detour_past_the_checks() -> None:
    """Rolls are taken as they are; whatever else stands in a tuple is still looked at."""
    assert Dist({(2, 1): 2, (1, 3): 4}).items() == [((1, 3), F(2, 3)), ((2, 1), F(1, 3))]
    assert Dist({((2,), ()): 1, ((1,), (2, 3)): 1}).outcomes() == [((1,), (2, 3)), ((2,), ())]
    assert Dist([(1, (2,)), (1, 3)]).outcomes() == [(1, 3), (1, (2,))]
    truth = Dist({(True, F(4, 2)): 1}).outcomes()[0]
    assert [type(part) for part in truth] == [int, int]
    assert type(next(iter(Dist({(1, 2): True}).weights().values()))) is int
    for wrong in ({(1, 2): -1}, {(1, 2): 0}, {(1, 2): 0.5}, {(1, 0.5): 1}, {(1, None): 1}):
        with pytest.raises(OutcomeError):
            Dist(wrong)


def test_a_table_that_is_changed_afterwards_changes_nothing() -> None:
    table = {(1, 2): 1, (2, 3): 1}
    dist = Dist(table)
    table[(0, 0)] = 5
    assert dist.outcomes() == [(1, 2), (2, 3)]


@pytest.mark.parametrize("outcome", [0.5, 1.0, float("nan"), None, [1], {1}, object()])
def test_floats_and_odd_objects_are_no_outcomes(outcome: Any) -> None:
    with pytest.raises(OutcomeError):
        Dist({1: 1}).map(lambda _: outcome)


def test_a_float_is_refused_with_the_mend() -> None:
    with pytest.raises(OutcomeError, match=r"0\.5.*write a Fraction"):
        Dist([0.5])


@pytest.mark.parametrize("weights", [{1: -1}, {1: 0.5}, {1: F(1, 2)}, {1: "1"}, {}, {1: 0}, []])
def test_weights_are_whole_and_some_are_above_0(weights: Any) -> None:
    with pytest.raises(OutcomeError):
        Dist(weights)


def test_repr_can_be_pasted() -> None:
    assert repr(Dist({F(1, 2): 1, "a": 2})) == "Dist({Fraction(1, 2): 1, 'a': 2})"


# --- equality


def test_a_grid_and_a_table_of_the_same_law_are_equal_and_hash_alike() -> None:
    """{1, 1000000} is too sparse for a grid; 999,999 x {0, 1} + 1 has two slots only."""
    dense, listed = Dist([0, 1]) * 999_999 + 1, Dist([1, 1_000_000])
    assert dense == listed
    assert hash(dense) == hash(listed)
    assert len({dense, listed}) == 1


def test_a_distribution_is_not_its_outcome() -> None:
    assert Dist([1]) != 1
    assert Dist([1]) != Dist([2])
    assert Dist([1]) != Dist(["1"])


def test_a_distribution_has_no_truth_value() -> None:
    with pytest.raises(TypeError, match="if_else"):
        bool(d6 > 3)


def test_pickle_keeps_mixed_outcomes() -> None:
    dist = Dist({1: 1, "Misfire": 2, (1, F(1, 2)): 3})
    assert pickle.loads(pickle.dumps(dist)) == dist


def test_a_copy_is_equal() -> None:
    assert copy.deepcopy(d6) == d6
    assert copy.copy(Dist("ab")) == Dist("ab")


def test_weights_between_bounds() -> None:
    assert (2 @ d6).weights(11, 12) == {11: 2, 12: 1}
    assert Dist([1, 10**6]).weights(2) == {10**6: 1}
    assert d6.weights(7) == d6.weights(None, 0) == d6.weights(4, 3) == {}


# --- probabilities


def test_p_takes_an_outcome_several_or_a_condition() -> None:
    assert d6.p(6) == F(1, 6)
    assert d6.p({1, 6}) == d6.p([6, 1, 6]) == F(1, 3)
    assert d6.p(range(2, 5)) == F(1, 2)
    assert d6.p(lambda face: face % 2) == F(1, 2)
    assert d6.p(7) == d6.p("six") == d6.p(F(1, 2)) == 0


def test_p_without_argument_is_the_chance_of_1() -> None:
    assert (d6 >= 5).p() == F(1, 3)


def test_membership_means_a_chance_above_0() -> None:
    assert 6 in d6
    assert 7 not in d6
    assert F(3, 2) not in d6


THREE_D6 = {
    3: "1/216", 4: "1/54", 5: "5/108", 6: "5/54", 7: "35/216", 8: "7/27", 9: "3/8", 10: "1/2",
    11: "5/8", 12: "20/27", 13: "181/216", 14: "49/54", 15: "103/108", 16: "53/54", 17: "215/216",
    18: "1",
}  # fmt: skip
"""3d6 at most, as printed for roll-under games (GURPS)."""


@pytest.mark.parametrize(("total", "chance"), THREE_D6.items())
def test_3d6_at_most(total: int, chance: str) -> None:
    dist = 3 @ d6
    assert dist.at_most(total) == F(chance)
    assert dist.more_than(total) == 1 - F(chance)
    assert dist.at_least(21 - total) == F(chance)


def test_bounds_between_and_beyond_the_outcomes() -> None:
    dist = Dist([2, 4, 6])
    assert dist.at_least(3) == F(2, 3)
    assert dist.at_most(F(11, 2)) == F(2, 3)
    assert dist.more_than(6) == dist.at_least(100) == 0
    assert dist.at_least(-100) == 1


def test_between_takes_both_ends() -> None:
    """2d6 in 6..8: 5 + 6 + 5 of 36."""
    assert (2 @ d6).between(6, 8) == F(16, 36)


def test_between_ends_in_the_wrong_order_is_impossible() -> None:
    assert d6.between(5, 2) == 0


@pytest.mark.parametrize("dist", [d6, Dist([1, 1_000_000])])
def test_a_float_bound_is_refused_on_grids_and_tables_alike(dist: Dist[int]) -> None:
    with pytest.raises(OutcomeError):
        dist.at_least(2.5)  # type: ignore[arg-type]


def test_text_has_no_order() -> None:
    with pytest.raises(OutcomeError, match="Misfire"):
        Dist([2, "Misfire"]).at_least(1)


def test_tails_too_small_for_a_float() -> None:
    """All 30 dice show 6; all 100 dice show 6."""
    assert (30 @ d6).at_least(180) == F(1, 6**30)
    assert (100 @ d6).p(600) == F(1, 6**100)


# --- summaries


def test_mean_and_variance_of_a_die() -> None:
    """(1 + 36 - 1) .. : the variance of 1..n is (n^2 - 1) / 12."""
    assert d6.mean == F(7, 2)
    assert d6.variance == F(35, 12)
    assert d20.variance == F(399, 12)


def test_variance_does_not_suffer_far_from_0() -> None:
    assert (d6 + 10**9).variance == F(35, 12)


def test_variance_of_a_table() -> None:
    """{0, 10^6} evenly: the spread is half the distance."""
    assert Dist([0, 10**6]).variance == F(10**12, 4)
    assert Dist([0, 10**6]).standard_deviation == 500_000.0


@pytest.mark.parametrize(
    ("value", "root"),
    [(F(0), 0.0), (F(4), 2.0), (F(1, 4), 0.5), (F(2), 2**0.5), (F(10**60), 1e30)],
)
def test_the_root_is_the_nearest_float(value: Fraction, root: float) -> None:
    assert float_sqrt(value) == root


def test_modes_and_median() -> None:
    assert d6.modes() == [1, 2, 3, 4, 5, 6]
    assert (2 @ d6).modes() == [7]
    assert d6.median == 3
    assert Dist("aab").median == "a"


def test_quantiles_at_the_edges() -> None:
    """Half of all d6 rolls are 3 or less: 3 reaches 1/2 exactly, and just above it is 4."""
    assert d6.quantile(0) == 1
    assert d6.quantile(F(1, 2)) == 3
    assert d6.quantile(F(1, 2) + F(1, 10**9)) == 4
    assert d6.quantile(1) == 6


@pytest.mark.parametrize("share", [F(-1, 100), F(101, 100), 2])
def test_a_share_lies_between_0_and_1(share: Any) -> None:
    with pytest.raises(OutcomeError):
        d6.quantile(share)


def test_moments() -> None:
    """1 and 3: the mean of the squares is 5, about 2 it is 1, the third about 2 is 0."""
    assert Dist([1, 3]).moment(2) == 5
    assert Dist([1, 3]).moment(2, about=2) == 1
    assert Dist([1, 3]).moment(3, about=2) == 0


def test_moments_are_exact_or_refused() -> None:
    """The mean of 1/x on a d6 is (60 + 30 + 20 + 15 + 12 + 10) / 360 = 49/120, not a float."""
    try:
        found = d6.moment(-1)
    except OutcomeError:
        return
    assert found == F(49, 120)


def test_text_has_no_mean() -> None:
    with pytest.raises(OutcomeError, match="given"):
        _ = Dist([2, "Misfire"]).mean
    assert Dist([2, 4, "Misfire"]).given(lambda face: face != "Misfire").mean == 3


# --- arithmetic


def test_sums_of_two_dice() -> None:
    assert (2 @ d6).weights() == dict(
        zip(range(2, 13), [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1], strict=True)
    )


def test_sicherman_dice_sum_like_two_d6() -> None:
    """The classic relabelling."""
    assert Dist([1, 2, 2, 3, 3, 4]) + Dist([1, 3, 4, 5, 6, 8]) == 2 @ d6


def test_every_mention_is_a_new_roll() -> None:
    assert (d6 - d6).p(0) == F(1, 6)
    assert (d6 * 2) != (d6 + d6)


def test_products_and_multiples() -> None:
    assert (d6 * 5).outcomes() == [5, 10, 15, 20, 25, 30]
    assert (Dist([0, 1]) * d6).p(0) == F(1, 2)
    assert (d6 * 0) == Dist([0])
    assert (Dist([-1, 2]) * Dist([3, -4])).outcomes() == [-8, -3, 4, 6]


def test_division_is_exact_and_floor_division_goes_down() -> None:
    assert (Dist([1, 2, 3]) / 2).outcomes() == [F(1, 2), 1, F(3, 2)]
    assert (Dist([-3, 3]) // 2).outcomes() == [-2, 1]
    assert (7 // Dist([2, -2])).outcomes() == [-4, 3]
    assert (Dist([-3, 3]) % 2) == Dist([1])


def test_a_divisor_that_can_be_0_is_named_with_its_chance() -> None:
    with pytest.raises(OutcomeError, match="1/6"):
        1 / (d6 - 1)
    with pytest.raises(OutcomeError):
        _ = d6 // 0


def test_halving_and_rounding_up() -> None:
    """A D3 is a D6 halved rounding up; 2D6 halved likewise: 1, 5, 9, 11, 7, 3 of 36."""
    assert d6.map(lambda face: -(-face // 2)) == Dist([1, 2, 3])
    assert (2 @ d6).map(lambda x: -(-x // 2)) == Dist({1: 1, 2: 5, 3: 9, 4: 11, 5: 7, 6: 3})


def test_negative_and_no_dice() -> None:
    assert -2 @ d6 == -(2 @ d6)
    assert 0 @ d6 == Dist([0])
    assert 0 @ d6 + 5 == Dist([5])


def test_a_fractional_number_of_dice_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        _ = 2.5 @ d6
    for count in (2.0, 2.5, F(5, 2)):
        with pytest.raises((OutcomeError, TypeError)):
            d6.times(count)  # type: ignore[arg-type]


def test_a_die_makes_a_pool() -> None:
    assert d6.pool(4).keep_highest(3).sum().p(18) == F(21, 1296)


def test_a_random_number_of_dice() -> None:
    """(d4)d6: mean 5/2 * 7/2; 6 in 1 + 5 + 10 + 10 ways: 1/6, 5/36, 10/216, 10/1296, a quarter of
    each: (216 + 180 + 60 + 10) / 5184."""
    dist = Dist(range(1, 5)) @ d6
    assert dist.mean == F(35, 4)
    assert dist.p(6) == F(466, 5184)
    assert (Dist([0, 1]) @ d6).p(0) == F(1, 2)


COUNTS = [Dist([0]), Dist([0, 1]), Dist({1: 2, 3: 1}), Dist([-2, 0, 1]), Dist({0: 1, 2: 3, 4: 1})]
ROLLS: list[Dist[Any]] = [
    Dist([1, 2, 3]),
    Dist({0: 2, 1: 1}),
    Dist([-1, 0, 1]),
    Dist([-4, -2]),
    Dist({3: 1, 6: 2}),
    Dist([F(1, 2), F(2, 3)]),
    Dist({0: 1, 1_000_000: 1, 7: 1}),
    Dist([5]),
    Dist([0]),
]


@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("die", ROLLS)
def test_a_random_number_of_any_dice(counts: Dist[int], die: Dist[Any]) -> None:
    """Every number, every roll; of a number below 0 minus the total."""
    model: dict[Any, Fraction] = {}
    for count, p in counts.items():
        for roll in product(die.items(), repeat=abs(count)):
            chance, total = p, F(0)
            for face, q in roll:
                chance, total = chance * q, total + face
            total = total if count > 0 else -total
            model[total] = model.get(total, F(0)) + chance
    assert dict((counts @ die).items()) == model


def test_a_random_number_of_many_dice() -> None:
    """E N * E X, and E N * Var X + Var N * (E X)**2 (Wald)."""
    found = (30 @ d6) @ d10
    assert found.mean == 105 * F(11, 2)
    assert found.variance == 105 * F(33, 4) + 30 * F(35, 12) * F(121, 4)
    assert (found.low, found.high) == (30, 1800)
    assert found.p(30) == F(1, 6**30) * F(1, 10**30)


def test_a_random_number_of_a_random_number_of_dice() -> None:
    """Dice for a rolled number of d4, or a rolled number of times d4 dice: the same dice."""
    four = Dist(range(1, 5))
    assert (four @ four) @ d6 == four @ (four @ d6)


def test_a_random_number_of_open_ended_dice() -> None:
    found = Dist([0, 1, 2]) @ chain(d6, {6})
    assert found.mean == F(21, 5)
    assert found.p(0) == F(1, 3)
    assert found.p(2) == F(1, 3) * F(1, 6) + F(1, 3) * F(1, 36)


def test_a_random_number_of_too_many_dice() -> None:
    with pytest.raises(TooLarge):
        _ = Dist(range(1, 20_001)) @ d(1_000)


def test_a_random_number_of_dice_is_whole() -> None:
    with pytest.raises(OutcomeError):
        _ = (d6 / 2) @ d6


def test_text_is_not_added() -> None:
    for refused in (lambda: Dist("ab") + 1, lambda: 2 @ Dist("ab"), lambda: d6 + "1"):
        with pytest.raises(OutcomeError):
            refused()


def test_floats_are_not_added() -> None:
    for refused in (lambda: d6 + 0.5, lambda: 0.5 * d6, lambda: d6 >= 2.5):
        with pytest.raises(OutcomeError):
            refused()


def test_arithmetic_with_other_things_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        _ = d6 + {1}  # type: ignore[operator]


def test_many_dice_are_refused_past_the_budget_before_any_work() -> None:
    with pytest.raises(TooLarge) as caught:
        d6.times(10**9)
    assert caught.value.estimate > caught.value.limit
    with pytest.raises(TooLarge):
        d6.times(100, budget=10)


# --- comparisons


@pytest.mark.parametrize(
    ("attacker", "defender", "chance"),
    [
        (1, 1, "5/12"), (1, 2, "5/54"), (2, 1, "181/216"), (2, 2, "575/1296"), (2, 3, "197/1296"),
        (3, 2, "1009/1296"), (3, 3, "3527/7776"), (4, 4, "85759/186624"), (1, 6, "0"), (7, 1, "1"),
        (5, 6, "7329985/30233088"),
    ],
)  # fmt: skip
def test_dice_sums_against_dice_sums(attacker: int, defender: int, chance: str) -> None:
    """The attacker must be higher; a table by Stokely, recomputed from all rolls."""
    assert (attacker @ d6 > defender @ d6).p() == F(chance)


def test_efron_dice_each_beat_the_next() -> None:
    """The classic four: each wins two thirds of the time, in a ring."""
    ring = [[4, 4, 4, 4, 0, 0], [3] * 6, [6, 6, 2, 2, 2, 2], [5, 5, 5, 1, 1, 1]]
    for i in range(4):
        assert (Dist(ring[i]) > Dist(ring[(i + 1) % 4])).p() == F(2, 3)


def test_comparisons_add_up() -> None:
    assert (d8 > d6).p() + (d8 < d6).p() + d8.eq(d6).p() == 1
    assert (d8 >= d6).p() == (d8 > d6).p() + F(1, 8)
    assert d8.ne(d6).p() == F(7, 8)


def test_agreement_of_text() -> None:
    assert Dist("ab").eq(Dist("bc")).p() == F(1, 4)
    assert Dist("ab").eq("a").p() == F(1, 2)
    assert d6.eq("a").p() == 0


def test_agreement_with_an_open_ended_die() -> None:
    """A d6 that rolls on shows 1 to 5 with 1/6 each, and never 6."""
    rolls_on = chain(d6, {6})
    assert rolls_on.eq(d6).p() == F(5, 36)
    assert d6.eq(rolls_on).p() == F(5, 36)


def test_an_event_may_be_certain_or_impossible() -> None:
    assert event(F(1)) == Dist([1])
    assert event(F(0)) == Dist([0])
    assert (d6 >= 1).p() == 1
    assert (d6 > 6).p() == 0


def test_best_of_two_from_a_comparison() -> None:
    """2d20 keep the higher: the chance of t or more is 1 - ((t - 1)/20)^2."""
    best = joint(d20, d20).map(max)
    assert best.at_least(11) == F(3, 4)
    assert best.mean == F(553, 40)


# --- new distributions


def test_a_re_roll_takes_the_second_result() -> None:
    """2D6 >= 9 is 10/36; with a re-roll when failed 10/36 + 26/36 * 10/36 = 155/324."""
    again = (2 @ d6).then(lambda total: total if total >= 9 else 2 @ d6)
    assert again.at_least(9) == F(155, 324)


def test_then_may_open_the_end() -> None:
    found = d6.then(lambda face: 6 + chain(d6, {6}) if face == 6 else face)
    assert isinstance(found, OpenDist)
    assert found == chain(d6, {6})


def test_given_something_impossible() -> None:
    with pytest.raises(ImpossibleEvent):
        d6.given(lambda face: face > 6)


def test_given_keeps_the_ratio() -> None:
    assert Dist({1: 1, 2: 3, 3: 5}).given(lambda x: x > 1) == Dist({2: 3, 3: 5})


def test_joint_keeps_rolls_apart_and_margins_take_them_out() -> None:
    pair = joint(Dist("ab"), d6, 7)
    assert pair.p(("a", 6, 7)) == F(1, 12)
    assert pair.margin(1) == d6
    assert pair.margin(2, 0) == joint(7, Dist("ab"))
    assert joint() == Dist([()])


def test_if_else_branches_on_not_0() -> None:
    """A hit on 3+ of a d4 and d6 damage, else nothing."""
    damage = (Dist(range(1, 5)) >= 3).if_else(d6, 0)
    assert damage.mean == F(7, 4)
    assert damage.p(0) == F(1, 2)


def test_mixtures_take_weights_in_any_ratio() -> None:
    assert mix([(d6, 1), (d6, 5)]) == d6
    assert mix([(1, F(1, 3)), (2, F(2, 3))]) == Dist({1: 1, 2: 2})
    assert mix({1: 2, "a": 1}) == Dist({1: 2, "a": 1})
    assert mix([(d6, 0), (d8, 1)]) == d8


def test_a_mixture_of_nothing() -> None:
    with pytest.raises(ImpossibleEvent):
        mix([(d6, 0)])


def test_a_mixture_refuses_negative_weights() -> None:
    """One d4 twice less one d6 would leave 5 and 6 with a chance below 0."""
    with pytest.raises(OutcomeError):
        mix([(Dist(range(1, 5)), 2), (d6, -1)])


def test_a_mixture_refuses_float_weights() -> None:
    with pytest.raises(OutcomeError):
        mix([(d6, 0.1), (d8, 0.9)])  # type: ignore[list-item]


# --- questions people publish


@pytest.mark.parametrize(
    ("dice", "chance"),
    [
        (6, F(31031, 46656)),
        (12, F(1346704211, 2176782336)),
        (18, F(15166600495229, 25389989167104)),
    ],
)
def test_newton_and_pepys(dice: int, chance: Fraction) -> None:
    """At least one 6 in 6 dice, two in 12, three in 18 (MathWorld)."""
    assert (dice @ (d6 >= 6)).at_least(dice // 6) == chance


def test_de_mere() -> None:
    """A six in four rolls; a double six in 24 rolls of two dice."""
    assert (4 @ (d6 >= 6)).at_least(1) == F(671, 1296)
    assert (24 @ (2 @ d6 >= 12)).at_least(1) == 1 - F(35, 36) ** 24


@pytest.mark.parametrize(
    ("bonus", "strong", "weak", "miss"),
    [(0, "11/120", "19/60", "71/120"), (1, "91/600", "119/300", "271/600"),
     (3, "199/600", "131/300", "139/600"), (5, "14/25", "26/75", "7/75")],
)  # fmt: skip
def test_ironsworn_action_rolls(bonus: int, strong: str, weak: str, miss: str) -> None:
    """d6 + bonus, 10 at most, must be above each of two d10; +1 as in icepool's notebook."""
    action = (d6 + bonus).map(lambda x: min(x, 10))
    hits = action.then(lambda score: 2 @ (d10 < score))
    assert [hits.p(2), hits.p(1), hits.p(0)] == [F(strong), F(weak), F(miss)]


def test_4df_from_the_fate_table() -> None:
    """19, 16, 10, 4, 1 of 81, both ways."""
    fate = 4 @ Dist([-1, 0, 1])
    assert [fate.p(k) * 81 for k in range(-4, 5)] == [1, 4, 10, 16, 19, 16, 10, 4, 1]
    assert fate.at_least(2) == F(5, 27)


def test_ten_mixed_dice_against_all_rolls() -> None:
    dice = [Dist([1, 2]), Dist([0, F(1, 2)]), Dist({-1: 1, 4: 2}), d6]
    wanted: dict[Any, Fraction] = {}
    for faces in product(*(die.items() for die in dice)):
        total, p = sum((face for face, _ in faces), F(0)), F(1)
        for _, q in faces:
            p *= q
        wanted[total] = wanted.get(total, F(0)) + p
    found = dice[0] + dice[1] + dice[2] + dice[3]
    assert dict(found.items()) == wanted


# --- ranges and re-rolls


TABLES = [{1: 1, 2: 2, 5: 3}, {-3: 2, F(1, 2): 1, 4: 5}, dict.fromkeys(range(1, 7), 1), {1: 1}]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("low", [None, -3, 0, F(1, 2), 2, 9])
@pytest.mark.parametrize("high", [None, -4, 1, F(3, 2), 4, 9])
def test_clamp_and_truncate_by_their_definition(table: Any, low: Any, high: Any) -> None:
    dist, size = Dist(table), sum(table.values())
    inside = {
        x: n for x, n in table.items() if (low is None or low <= x) and (high is None or x <= high)
    }
    if inside:
        wanted = {x: F(n, sum(inside.values())) for x, n in inside.items()}
        assert dict(dist.truncate(low, high).items()) == wanted
    else:
        with pytest.raises(ImpossibleEvent, match="no outcome lies between"):
            dist.truncate(low, high)
    if low is not None and high is not None and low > high:
        with pytest.raises(OutcomeError, match="nothing from"):
            dist.clamp(low, high)
        return
    moved: dict[Any, Fraction] = {}
    for x, n in table.items():
        to = low if low is not None and x < low else high if high is not None and x > high else x
        moved[to] = moved.get(to, F(0)) + F(n, size)
    assert dict(dist.clamp(low, high).items()) == moved


def test_clamp_is_that_of_open_ended_dice() -> None:
    """The same die, once as a die without an end."""
    for low, high in ((2, 5), (None, 3), (4, None)):
        assert d6.clamp(low, high) == OpenDist.of(d6).clamp(low, high)


def test_a_range_of_text_or_floats() -> None:
    for ranged in (Dist(["a", 1]).clamp, Dist(["a", 1]).truncate):
        with pytest.raises(OutcomeError, match="'a'"):
            ranged(1, 2)
    for ranged in (d6.clamp, d6.truncate):
        with pytest.raises(OutcomeError, match="float"):
            ranged(1.5)


@pytest.mark.parametrize("table", [*TABLES, {"a": 1, "b": 2, 3: 1}])
@pytest.mark.parametrize("times", [0, 1, 2, 3])
def test_re_rolls_one_after_the_other(table: Any, times: int) -> None:
    """Of all rolls made in advance the first that does not fit counts, or else the last."""
    size = sum(table.values())
    for fits in ({1}, {2, 5, "a"}, set(table), {99}):
        wanted: dict[Any, Fraction] = {}
        for faces in product(table.items(), repeat=times + 1):
            p = F(1)
            for _, n in faces:
                p *= F(n, size)
            stops = [face for face, _ in faces if face not in fits]
            face = stops[0] if stops else faces[-1][0]
            wanted[face] = wanted.get(face, F(0)) + p
        assert dict(Dist(table).reroll(fits, times).items()) == wanted


def test_what_is_re_rolled() -> None:
    """As for p: an outcome, several, or a function; a 1 once is 1/36 of a d6."""
    once = d6.reroll(1)
    assert once.p(1) == F(1, 36)
    assert once == d6.reroll({1}) == d6.reroll(lambda face: face < 2) == d6.reroll(range(2))
    assert Dist(["a", "b"]).reroll("a", 2).p("a") == F(1, 8)


def test_re_rolls_until_it_no_longer_fits() -> None:
    assert d6.reroll({1, 2}, times=None) == Dist([3, 4, 5, 6])
    assert d6.reroll(9, times=None) == d6
    for die in (d6, Dist([1])):
        with pytest.raises(NeverEnds, match="never end"):
            die.reroll(lambda face: face < 7, times=None)
        assert die.reroll(lambda face: face < 7, times=3) == die


def test_how_often_it_is_re_rolled() -> None:
    assert d6.reroll(1, times=500).p(1) == F(1, 6**501)
    for times in (-1, F(1, 2)):
        with pytest.raises(RuleError, match="0 times or more"):
            d6.reroll(1, times)  # type: ignore[arg-type]
    with pytest.raises(TooLarge, match="less often"):
        d6.reroll(1, times=10**9)


@pytest.mark.parametrize(
    ("dist", "event", "mend"),
    [
        (2 @ d6, (7, 11), r"p\(\[7, 11\]\)"),
        (2 @ d6, [(7, 11)], r"p\(\[7, 11\]\)"),
        (d6.pool(5).set_sizes(), [3, 2], r"p\(\(1, 1, 1, 1, 1\)\)"),
        (d6.pool(2).expand(), 6, r"p\(\(1, 1\)\)"),
        (d6.pool(2).expand(), "6", r"p\(\(1, 1\)\)"),
    ],
)
def test_an_outcome_of_the_wrong_kind_is_a_mistake(dist: Any, event: Any, mend: str) -> None:
    with pytest.raises(OutcomeError, match=mend):
        dist.p(event)


def test_words_beside_numbers_are_asked_for_as_they_are() -> None:
    assert Dist([1, "Misfire"]).p(2) == 0
    assert Dist([1, "Misfire"]).p((1, 2)) == 0
    assert Dist([1, 2]).p("Misfire") == 0


def test_what_is_too_long_to_write_is_counted() -> None:
    """A million faces; equality looks at all of them."""
    million = Dist({(face, 0): 1 for face in range(400_000)})
    assert repr(million) == "<Dist of 400,000 outcomes>"
    assert million == Dist({(face, 0): 2 for face in range(400_000)})
