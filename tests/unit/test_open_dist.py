"""``OpenDist``: dice without an upper end, exactly."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from typing import Any

import pytest

from oddsmith import Dist, OpenDist, chain, d4, d6, d8, mix
from oddsmith.enclosed import Enclosed
from oddsmith.errors import NeverEnds, OutcomeError, TooLarge
from oddsmith.open_dist import repeated

F = Fraction
SIX = chain(d6, {6})
"""A d6 that rolls on with every 6."""


# --- one die: 1..5 with 1/6 each, 7..11 with 1/36 each, 13..17 with 1/216 each, ..


def test_an_exploding_d6() -> None:
    """Mean 21/5, variance 266/25, 13 or more 1/36: the geometric series."""
    assert SIX.mean == F(21, 5)
    assert SIX.variance == F(266, 25)
    assert SIX.at_least(13) == F(1, 36)
    assert [SIX.p(k) for k in (5, 6, 7, 12, 13)] == [F(1, 6), 0, F(1, 36), 0, F(1, 216)]


def test_the_total_of_one_die() -> None:
    assert SIX.at_least(10) == F(1, 12)
    assert SIX.between(7, 12) == F(5, 36)
    assert SIX.less_than(7) == SIX.at_most(6) == F(5, 6)
    assert SIX.more_than(12) == F(1, 36)
    assert SIX.at_least(-3) == 1


def test_far_out_it_is_still_exact() -> None:
    """600 or more needs 99 sixes, then 6 or more: 6^-100."""
    assert SIX.at_least(600) == F(1, 6**100)
    assert SIX.p(6 * 1000 + 1) == F(1, 6**1001)


def test_5_and_6_both_roll_on() -> None:
    """(7/2) / (1 - 1/3)."""
    assert chain(d6, {5, 6}).mean == F(21, 4)


def test_faces_of_a_condition() -> None:
    assert SIX.p({1, 7, 6}) == F(7, 36)
    assert SIX.p(range(1, 6)) == F(5, 6)
    assert SIX.p("six") == SIX.p(F(1, 2)) == SIX.p(0) == 0
    with pytest.raises(OutcomeError):
        SIX.p(lambda face: face > 3)


def test_ends() -> None:
    assert (SIX.low, SIX.high) == (1, None)
    assert ((-SIX).low, (-SIX).high) == (None, -1)
    apart = SIX - SIX
    assert (apart.low, apart.high) == (None, None)


def test_rows_leave_out_what_cannot_be() -> None:
    assert SIX.rows(5, 8) == [(5, F(1, 6)), (7, F(1, 36)), (8, F(1, 36))]
    assert SIX.rows(8, 5) == []
    with pytest.raises(TooLarge):
        SIX.rows(1, 10**9)


def test_quantiles_median_and_modes() -> None:
    """3 is reached by half; 8 or less is 5/6 + 2/36 = 32/36, 9 or less 33/36 = 11/12."""
    assert SIX.median == 3
    assert SIX.quantile(F(9, 10)) == 9
    assert SIX.quantile(F(11, 12)) == 9
    assert SIX.quantile(F(1, 10**6)) == 1
    assert SIX.modes() == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("share", [F(-1, 2), 1, 2])
def test_no_outcome_is_reached_by_all(share: Any) -> None:
    with pytest.raises(OutcomeError):
        SIX.quantile(share)


def test_floats_are_refused() -> None:
    for refused in (
        lambda: SIX.p(0.5),
        lambda: SIX.at_least(2.5),  # type: ignore[arg-type]
        lambda: SIX + 0.5,
        lambda: SIX.quantile(0.5),  # type: ignore[arg-type]
    ):
        with pytest.raises(OutcomeError):
            refused()


def test_it_has_no_truth_value() -> None:
    with pytest.raises(TypeError):
        bool(SIX)


def test_moments() -> None:
    assert SIX.moment(0) == 1
    assert SIX.moment(2) == F(266, 25) + F(21, 5) ** 2
    assert SIX.moment(1, about=4) == F(1, 5)


# --- dice that never end, that end, and text


def test_a_die_that_never_stops_is_refused() -> None:
    with pytest.raises(NeverEnds):
        chain(d6, range(1, 7))
    with pytest.raises(NeverEnds):
        repeated(d6, F(1))


def test_faces_that_do_not_occur_change_nothing() -> None:
    assert chain(d6, {7, 8}) == d6
    assert chain(d6, set()) == d6


def test_a_face_0_that_rolls_on_only_asks_again() -> None:
    """0, 1, 2: rolling on with 0 ends as an even choice of 1 and 2."""
    assert chain(Dist([0, 1, 2]), {0}) == Dist([1, 2])


def test_faces_below_0_roll_on_downwards() -> None:
    down = chain(Dist([-1, 1]), {-1})
    assert [down.p(1 - k) for k in range(4)] == [F(1, 2), F(1, 4), F(1, 8), F(1, 16)]
    assert down.mean == 0
    assert down.at_least(-1) == F(7, 8)


def test_faces_on_both_sides_of_0_have_no_closed_form() -> None:
    with pytest.raises(OutcomeError, match="max"):
        chain(Dist([-1, 0, 1]), {-1, 1})


def test_text_that_rolls_on_is_refused() -> None:
    with pytest.raises(OutcomeError):
        chain(Dist([1, 2, "Bang"]), {"Bang"})
    with pytest.raises(OutcomeError):
        chain(Dist([1, 2, "Bang"]), {2})


def test_an_open_ended_die_inside_another_is_refused() -> None:
    with pytest.raises(OutcomeError):
        repeated(SIX, F(1, 2))


def test_repeated_is_a_geometric_number_of_rolls() -> None:
    """One more with 1/6 each time: k times with 5/6 * 6^-k."""
    times = repeated(Dist([1]), F(1, 6))
    assert [times.p(k) for k in range(3)] == [F(5, 6), F(5, 36), F(5, 216)]
    assert repeated(Dist([1]), F(0)) == Dist([0])
    assert repeated(Dist([0]), F(1, 2)) == Dist([0])


# --- arithmetic


def test_sums_of_exploding_dice() -> None:
    """Totals of two dice that roll on with 6: 12 or more 23/108, 20 or more 13/432."""
    two = 2 @ SIX
    assert two == SIX + SIX
    assert two.mean == F(42, 5)
    assert two.at_least(12) == F(23, 108)
    assert two.at_least(20) == F(13, 432)
    assert (4 @ SIX).at_least(14) == F(2513, 3888)


def test_no_dice_and_negative_dice() -> None:
    none = 0 @ SIX
    assert none == Dist([0])
    assert -2 @ SIX == -(2 @ SIX)


def test_a_finite_die_beside_an_open_one() -> None:
    """3 in two ways: 1 + 2 and 2 + 1, each 1/24."""
    both = d4 + SIX
    assert both == SIX + d4
    assert both.p(3) == F(2, 24)
    assert (SIX + 10).p(11) == F(1, 6)
    assert (10 - SIX).p(9) == F(1, 6)


def test_multiples_and_fractions() -> None:
    assert (SIX * 2).p(14) == F(1, 36)
    assert (SIX * 2).p(7) == 0
    assert (SIX / 2).p(F(7, 2)) == F(1, 36)
    assert (SIX * F(-1, 3)).p(F(-7, 3)) == F(1, 36)
    nothing = SIX * 0
    assert nothing == Dist([0])
    assert (SIX * F(1, 2) * 2).mean == F(21, 5)


def sums(table: dict[int, int], most: int) -> list[dict[int, Fraction]]:
    """The chances of the totals of 0, 1, .. dice, one die after the other."""
    size, found = sum(table.values()), [{0: F(1)}]
    for _ in range(most):
        after: dict[int, Fraction] = {}
        for total, chance in found[-1].items():
            for face, weight in table.items():
                after[total + face] = after.get(total + face, F(0)) + chance * F(weight, size)
        found.append(after)
    return found


def six_is(count: int) -> Fraction:
    """The chance of a total of an exploding d6: 6 * q + r has (1/6)**(q + 1), r from 1 to 5."""
    return F(1, 6) ** (count // 6 + 1) if count % 6 else F(0)


@pytest.mark.parametrize("table", [{1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1}, {2: 3, 5: 1}, {3: 1}])
def test_an_open_ended_number_of_dice(table: dict[int, int]) -> None:
    """Faces of 1 or more: a total of k is made of k dice at most."""
    found, each = SIX @ Dist(table), sums(table, 40)
    for k in range(41):
        assert found.p(k) == sum(six_is(n) * each[n].get(k, F(0)) for n in range(41))
    assert found.mean == SIX.mean * Dist(table).mean


def test_an_open_ended_number_of_dice_that_may_be_0() -> None:
    """Of a geometric number of coins (ratio 1/6) the heads are geometric with 1/12 / (11/12)."""
    heads = repeated(Dist([1]), F(1, 6)) @ Dist([0, 1])
    assert [heads.p(k) for k in range(5)] == [F(10, 11) * F(1, 11) ** k for k in range(5)]
    assert SIX @ Dist([0]) == Dist([0])


def test_an_open_ended_number_of_open_ended_dice() -> None:
    """One and more with 1/6 each; each worth 0 and more with 1/4 each: so 0 is sum of q**n."""
    counts, die = repeated(Dist([1]), F(1, 6)) + 1, repeated(Dist([1]), F(1, 4))
    found = counts @ die
    assert found.p(0) == F(5, 6) * F(3, 4) / (1 - F(1, 6) * F(3, 4))
    assert found.mean == F(6, 5) * F(1, 3)
    once = sum((F(5, 6) * F(1, 6) ** (n - 1) * n * F(3, 4) ** n / 4 for n in range(1, 60)), F(0))
    assert once < found.p(1) < once + F(1, 10**40)


def test_an_open_ended_number_of_fractions() -> None:
    found = SIX @ Dist([F(1, 2), F(3, 2)])
    each = sums({1: 1, 3: 1}, 20)
    for k in range(21):
        assert found.p(F(k, 2)) == sum(six_is(n) * each[n].get(k, F(0)) for n in range(21))


def test_an_open_ended_number_of_dice_with_faces_below_0() -> None:
    """No closed form: the ends of the enclosure hold what 150 dice bring."""
    found, each = SIX @ Dist([-1, 0, 1]), sums({-1: 1, 0: 1, 1: 1}, 150)
    assert isinstance(found, Enclosed)
    assert found.missing < F(1, 2**44)
    for k in range(-3, 4):
        known = sum((six_is(n) * each[n].get(k, F(0)) for n in range(151)), F(0))
        low, high = found.p(k)
        assert low <= known + F(1, 6**25)
        assert known <= high


def test_what_is_no_number_of_dice() -> None:
    with pytest.raises(OutcomeError, match="must be 0 or more: clamp it"):
        (SIX - 2) @ d6
    with pytest.raises(OutcomeError, match="must be whole: round it"):
        (SIX / 2) @ d6
    with pytest.raises(OutcomeError, match="cannot add the outcome 'a'"):
        SIX @ Dist("ab")
    with pytest.raises(TooLarge):
        SIX @ (10000 @ d6)
    with pytest.raises(TypeError):
        SIX @ "d6"


def test_times_a_finite_die() -> None:
    """Twice or three times, evenly: 6 is twice 3 or three times 2."""
    found = SIX * Dist([2, 3])
    assert found.p(6) == F(1, 6)
    assert found.mean == F(21, 5) * F(5, 2)


def test_the_product_of_two_open_ended_dice_is_refused() -> None:
    with pytest.raises(OutcomeError, match="max"):
        _ = SIX * SIX


def test_a_divisor_that_can_be_0_is_refused() -> None:
    with pytest.raises(OutcomeError):
        _ = SIX / Dist([0, 1])


def test_too_many_dice_are_refused() -> None:
    with pytest.raises(TooLarge):
        _ = 10**6 @ SIX


def test_a_number_of_open_ended_dice_rolled_first() -> None:
    """Nothing or one die, evenly."""
    found = Dist([0, 1]) @ SIX
    assert found.p(0) == F(1, 2)
    assert found.p(7) == F(1, 72)


# --- comparisons


def test_one_exploding_die_against_another() -> None:
    """P(A > B) = 3/7, ties 1/7; two against one 193/245."""
    assert (SIX > SIX).p() == F(3, 7)
    assert SIX.eq(SIX).p() == F(1, 7)
    assert SIX.ne(SIX).p() == F(6, 7)
    two = 2 @ SIX
    assert (two > SIX).p() == F(193, 245)
    assert two.eq(SIX).p() == F(2, 35)
    assert (two < SIX).p() == F(38, 245)


def test_four_against_four() -> None:
    four = 4 @ SIX
    win = (four > four).p()
    assert win == F(1224123153, 2573571875)
    assert four.eq(four).p() == 1 - 2 * win


def test_dice_that_roll_on_with_5_and_6() -> None:
    wide = chain(d6, {5, 6})
    assert (wide > wide).p() == F(7119, 16238)


def test_against_finite_dice_and_numbers() -> None:
    """A plain d6 is higher in 5 of 36 ways with a 6, in 4 with a 5, 3, 2 and 1 with 4, 3 and 2."""
    assert (d6 > SIX).p() == F(15, 36)
    assert SIX.__lt__(d6).p() == F(15, 36)
    assert (SIX >= 7).p() == F(1, 6)
    assert SIX.__le__(7).p() == F(31, 36)
    assert SIX.eq(5).p() == F(1, 6)


# --- order and grouping


def test_clamp_moves_what_is_outside() -> None:
    assert SIX.clamp(high=10).p(10) == F(1, 12)
    assert SIX.clamp(high=10).high == 10
    low = SIX.clamp(low=3)
    assert [low.p(k) for k in (2, 3, 4)] == [0, F(1, 2), F(1, 6)]
    assert SIX.clamp(low=4, high=5) == Dist({4: 4, 5: 2})
    assert SIX.clamp(low=1) == SIX
    assert SIX.clamp(high=0) == Dist([0])


def test_clamp_between_two_outcomes() -> None:
    assert SIX.clamp(low=F(5, 2)).p(F(5, 2)) == F(1, 3)
    assert SIX.clamp(low=6).p(6) == F(5, 6)


def test_floordiv_goes_down() -> None:
    """0 from 1; 1 from 2, 3; 2 from 4, 5; 3 from 7 alone."""
    half = SIX.floordiv(2)
    assert [half.p(k) for k in range(4)] == [F(1, 6), F(1, 3), F(1, 3), F(1, 36)]
    assert (-SIX).floordiv(2).p(-1) == F(1, 3)
    assert (SIX / 2).floordiv(1) == half
    assert SIX.floordiv(1) == SIX


@pytest.mark.parametrize("divisor", [0, -1, F(1, 2), 0.5])
def test_floordiv_by_a_whole_number_above_0(divisor: Any) -> None:
    with pytest.raises(OutcomeError):
        SIX.floordiv(divisor)


def test_without_some_outcomes() -> None:
    rest = SIX.without({1: F(1, 6), 7: F(1, 36)})
    assert rest.p(1) == rest.p(7) == 0
    assert rest.p(2) == F(1, 6) / F(29, 36)


# --- mixtures and forms


def test_mixtures() -> None:
    assert mix([(SIX, 1), (0, 1)]).mean == F(21, 10)
    assert mix([(SIX, 1), (d8, 3)]).p(7) == F(1, 4) * F(1, 36) + F(3, 4) * F(1, 8)
    assert mix([(d8, 3), (SIX, 1)]) == mix([(SIX, 1), (d8, 3)])


def test_a_mixture_with_text_is_refused() -> None:
    with pytest.raises(OutcomeError):
        mix([(SIX, 1), ("Misfire", 1)])


def test_the_finite_form_settles() -> None:
    form = OpenDist.of(Dist([F(1, 2), 2]))
    assert form.settled() == Dist([F(1, 2), 2])
    assert form == Dist([F(1, 2), 2])
    assert OpenDist.of(SIX) is SIX


def test_equal_values_hash_alike() -> None:
    assert hash(SIX) == hash((SIX + 1) - 1)
    form = OpenDist.of(d6)
    assert form == d6
    assert hash(form) == hash(d6)


def test_the_same_law_is_equal_however_it_was_built() -> None:
    """Twice {1, 2 rolls on} is {2, 4 rolls on}: 2, 6, 10, .. with 1/2, 1/4, 1/8, .."""
    twice, direct = 2 * chain(Dist([1, 2]), {2}), chain(Dist([2, 4]), {4})
    assert [twice.p(k) for k in range(12)] == [direct.p(k) for k in range(12)]
    assert twice == direct
    assert hash(twice) == hash(direct)


def test_adding_0_changes_nothing() -> None:
    even = chain(Dist([0, 2, 4]), {2})
    assert even + 0 == even


@pytest.mark.parametrize("other", [Dist(["a"]), Dist([1, 2, 10**12]), 5, "a", None, d6])
def test_it_differs_from_everything_without_its_tail(other: Any) -> None:
    for left, right in ((SIX, other), (other, SIX)):
        assert (left == right) is False


@pytest.mark.parametrize("die", [SIX, -SIX, SIX - SIX, SIX / 2 + 1])
def test_it_survives_pickle_and_copy(die: OpenDist) -> None:
    assert pickle.loads(pickle.dumps(die)) == die
    assert copy.deepcopy(die) == die


def test_it_is_frozen() -> None:
    """It can be a key of a dictionary, so it must not change."""
    die = chain(d6, {6})
    with pytest.raises(AttributeError):
        die.offset = 5  # type: ignore[misc]
    assert die == SIX


def test_negative_moments_are_refused() -> None:
    with pytest.raises(OutcomeError):
        SIX.moment(-1)


def test_rows_between_fractions() -> None:
    assert SIX.rows(F(3, 2), F(7, 2)) == [(2, F(1, 6)), (3, F(1, 6))]
    assert (SIX / 2).rows(F(1, 3), 1) == [(F(1, 2), F(1, 6)), (1, F(1, 6))]


def test_repr_shows_ends_and_mean() -> None:
    assert repr(SIX) == "<OpenDist 1 to .., mean 21/5>"
    assert repr(-SIX) == "<OpenDist .. to -1, mean -21/5>"


# --- published values


@pytest.mark.parametrize(
    ("die", "target", "chance"),
    [(4, 6, "3/16"), (4, 8, "1/16"), (4, 20, "1/1024"), (6, 6, "1/6"), (8, 10, "7/64")],
)
def test_aces_of_one_die(die: int, target: int, chance: str) -> None:
    """Trait dice that ace (exploding d8 at least 10: insomnihack.com; the rest by hand).

    d4, 6+: a 4, then 2+: 1/4 * 3/4. 8+: two 4s. 20+: five 4s. d6, 6+: a 6.
    """
    trait = chain(Dist(range(1, die + 1)), {die})
    assert trait.at_least(target) == F(chance)


def test_a_smaller_die_reaches_its_own_step_more_often() -> None:
    """An exploding d4 reaches 6 more often than an exploding d6: 3/16 against 1/6."""
    assert chain(d4, {4}).at_least(6) > SIX.at_least(6)
