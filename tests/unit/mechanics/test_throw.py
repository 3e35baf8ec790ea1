"""``Throw``: modifiers one after the other.

Values of six-again pools, re-rolls and explosions as derived in the docstrings; those of the
notation's golden list were found by brute force over all rolls.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import pytest

from oddsmith import Dist, OpenDist, Pool, chain, d3, d4, d6, d8, d10, d20
from oddsmith.enclosed import Enclosed
from oddsmith.errors import NeverEnds, OutcomeError, RuleError
from oddsmith.mechanics.explode import compound, explode
from oddsmith.mechanics.match import Match
from oddsmith.mechanics.modify import clamp
from oddsmith.mechanics.parts import Worth
from oddsmith.mechanics.reroll import reroll
from oddsmith.mechanics.throw import Throw

F = Fraction
ONE = Match(faces=frozenset({1}))
SIXES = Worth(((Match(faces=frozenset({6})), 1),))


def dice(die: Any, count: int) -> Throw:
    """Like dice on the table."""
    return Throw.of([(die, count)])


def successes(low: int) -> Worth:
    """One for each die that shows so much."""
    return Worth(((Match(low=low), 1),))


def exactly(found: Any) -> Fraction:
    """A chance whose ends meet."""
    if isinstance(found, tuple):
        low, high = found
        assert low == high
        return F(low)
    return F(found)


# --- without modifiers


def test_dice_of_several_kinds_add_up() -> None:
    assert Throw.of([(d6, 2), (d8, 1)]).total() == 2 @ d6 + d8
    assert dice(d6, 0).total() == Dist([0])
    assert Throw.of([]).total() == Dist([0])


def test_the_number_of_extra_dice_may_be_limited() -> None:
    """d2 with at most two extra dice on a 2: stops at 1, 2+1, 2+2+1 or 2+2+2."""
    found = explode(dice(Dist([1, 2]), 1), limit=2).total()
    assert found == Dist({1: 4, 3: 2, 5: 1, 6: 1})
    every = explode(dice(Dist([1, 2]), 1), Match(low=1), limit=2).total()
    assert every == 3 @ Dist([1, 2])


def test_extra_dice_above_and_below_0_are_enclosed() -> None:
    """A die of -1, 0 and 1 that rolls on at -1 and 1 is 0 with the chance P of 1/3 and the paths
    that come back to 0: P = 1/3 + 2/9 * (1/3) + .. = (1/3) / sqrt(1 - (2/3)**2) = 1/sqrt(5).
    """
    found = explode(Throw.of([(Dist([-1, 0, 1]), 1)]), Match(faces=frozenset({-1, 1}))).total()
    assert isinstance(found, Enclosed)
    low, high = found.p(0)
    assert low**2 < F(1, 5) < high**2
    assert high - low < F(1, 2**40)


def test_totals_are_rolled_again_however_many_fit() -> None:
    """d6!! comes to 7 or more with chance 1/6; the plain die replaces it."""
    found = reroll(compound(dice(d6, 1)), Match(low=7)).total()
    assert found.p(2) == F(1, 6) + F(1, 6) * F(1, 6)
    assert found.high == 6
    assert reroll(compound(dice(d6, 1)), Match(faces=frozenset({1}), inverted=True)).total().p(
        1
    ) == F(1, 6) + F(5, 36)


def test_a_random_number_of_dice() -> None:
    mixed = Throw.mixed([(dice(d6, 1), F(1, 2)), (dice(d6, 2), F(1, 2))])
    assert mixed.total().mean == F(21, 4)
    assert mixed.mass == 1


def test_dice_joined_lie_in_one_pool() -> None:
    both = dice(d6, 2).joined(dice(d4, 3))
    assert both.keep("kh", 2).total().mean == F(1601, 192)


# --- keep and drop


def test_four_dice_keep_three() -> None:
    kept = dice(d6, 4).keep("kh", 3)
    assert kept.total().p(18) == F(21, 1296)
    assert kept.total() == dice(d6, 4).keep("dl", 1).total()


def test_drops_work_on_what_is_left() -> None:
    """4d6 without the highest and the lowest: mean 7."""
    assert dice(d6, 4).keep("dh", 1).keep("dl", 1).total().mean == 7
    assert dice(d6, 4).keep("mid", 2).total() == dice(d6, 4).keep("dh", 1).keep("dl", 1).total()


@pytest.mark.parametrize(
    ("verb", "count"), [("kh", 3), ("kl", 3), ("dh", 3), ("dl", 3), ("mid", 1)]
)
def test_more_than_there_are(verb: str, count: int) -> None:
    with pytest.raises(RuleError):
        dice(d6, 2).keep(verb, count)


def test_where_the_number_is_random_what_there_is_is_kept() -> None:
    assert dice(d6, 2).keep("kh", 3, strict=False).total() == 2 @ d6
    assert dice(d6, 2).keep("dh", 3, strict=False).total() == Dist([0])


# --- re-rolls


def test_a_re_roll_stands() -> None:
    """Re-roll 1s: 1 with 1/36, each other face with 7/36."""
    found = reroll(dice(d6, 1), ONE).total()
    assert found == Dist({1: 1, **dict.fromkeys(range(2, 7), 7)})


def test_two_conditions_in_one_re_roll() -> None:
    """Great weapons: 2d6 re-rolling 1s and 2s once: 25/3."""
    assert reroll(dice(d6, 2), Match(high=2)).total().mean == F(25, 3)


def test_re_rolling_every_face_changes_nothing() -> None:
    assert reroll(dice(d6, 1), Match()).total() == d6


def test_re_rolling_until() -> None:
    assert reroll(dice(d6, 1), ONE, until=True).total() == Dist(range(2, 7))
    assert reroll(dice(d6, 4), ONE, until=True).keep("kh", 3).total().mean == F(8396, 625)


def test_re_rolling_until_never() -> None:
    with pytest.raises(NeverEnds):
        reroll(dice(d6, 1), Match(low=1), until=True)


def test_a_die_is_never_re_rolled_twice() -> None:
    once = reroll(dice(d6, 4), ONE).keep("kh", 3)
    with pytest.raises(RuleError):
        reroll(once, Match(faces=frozenset({2})))


def test_re_rolls_before_and_after_the_keep() -> None:
    """2d20 re-roll 1s, keep the higher: 226273/16000; keep, then re-roll a 1: 11079/800."""
    before = reroll(dice(d20, 2), ONE).keep("kh", 1)
    after = reroll(dice(d20, 2).keep("kh", 1), ONE)
    assert before.total().mean == F(226273, 16000)
    assert after.total().mean == F(11079, 800)


def test_a_halved_die_is_re_rolled_by_its_value() -> None:
    """A D3 re-rolling 1s: 1/9, 4/9, 4/9."""
    assert reroll(dice(d3, 1), ONE).total() == Dist({1: 1, 2: 4, 3: 4})


def test_unlike_dice_are_re_rolled_by_their_own_faces_before_a_keep_only() -> None:
    unlike = Throw.of([(d4, 1), (d6, 1)])
    mean = reroll(unlike, ONE).total().mean
    assert mean == (F(5, 2) + F(1, 4) * (F(5, 2) - 1)) + (F(7, 2) + F(1, 6) * (F(7, 2) - 1))
    with pytest.raises(RuleError):
        reroll(unlike.keep("kh", 1), ONE)


# --- bounds


def test_each_die_is_raised_or_lowered() -> None:
    assert clamp(dice(d6, 2), low=2).total().mean == 2 * F(22, 6)
    assert clamp(dice(d6, 1), high=4).total() == Dist({1: 1, 2: 1, 3: 1, 4: 3})
    assert clamp(dice(d20, 2).keep("kh", 1), low=10).total().mean == F(1163, 80)


def test_text_cannot_be_raised() -> None:
    with pytest.raises(OutcomeError):
        clamp(dice(Dist([1, "Misfire"]), 1), low=2).total()


def test_the_natural_face_decides_on_explosions() -> None:
    """A 1 raised to 6 does not roll on; a 6 lowered to 3 does: 1, 2, 3, 3, 3, 3+."""
    raised = explode(clamp(dice(Dist([1, 6]), 1), low=6), Match(low=6))
    assert raised.total().p(6) == F(1, 2)
    lowered = explode(clamp(dice(d6, 1), high=3))
    assert lowered.total().mean == F(15, 6) * F(6, 5)


# --- explosions as dice of their own


def test_exploding_dice() -> None:
    """3d6!: three times 21/5."""
    assert explode(dice(d6, 3)).total() == 3 @ chain(d6, {6})
    assert explode(dice(d6, 3)).total().mean == F(63, 5)


def test_how_many_sixes_there_are() -> None:
    """C(3 + k, k) (1/6)^k (5/6)^4; mean number of dice 24/5."""
    found = explode(dice(d6, 4)).total(SIXES)
    for k in range(6):
        assert found.p(k) == comb(3 + k, k) * F(1, 6) ** k * F(5, 6) ** 4
    everything = Worth(((Match(), 1),))
    assert explode(dice(d6, 4)).total(everything).mean == F(24, 5)


def test_how_many_successes_there_are() -> None:
    """5+ on four dice: 16/81, 80/243, 190/729, 295/2187; mean 8/5."""
    found = explode(dice(d6, 4)).total(successes(5))
    assert [found.p(k) for k in range(4)] == [F(16, 81), F(80, 243), F(190, 729), F(295, 2187)]
    assert found.mean == F(8, 5)
    assert found.at_least(2) == F(115, 243)


def test_successes_of_dice_that_roll_on_with_nine_and_ten() -> None:
    """5d10, 8+ counts, 9+ rolls on: 5 * (3/10) / (8/10) = 15/8."""
    found = explode(dice(d10, 5), Match(low=9)).total(successes(8))
    assert found.mean == F(15, 8)


@pytest.mark.parametrize(
    ("verbs", "sixes", "mean"),
    [
        ([("dl", 2)], ["15625/46656", "3125/7776", "3125/15552", "625/11664", "203/23328"],
         "628153/29160"),
        ([("dh", 2)], ["21875/23328", "625/11664", "125/15552", "5/7776", "1/46656"],
         "319493/29160"),
        ([("dl", 1), ("dh", 1)],
         ["34375/46656", "3125/15552", "625/11664", "125/15552", "31/46656"], "16639/1080"),
    ],
)  # fmt: skip
def test_six_again_pools_remove_before_they_explode(
    verbs: list[tuple[str, int]], sixes: list[str], mean: str
) -> None:
    """4 dice and 2 more: 2 bonus, 2 penalty, one of each; kept sixes 0..4 and the mean total."""
    kept = dice(d6, 6)
    for verb, count in verbs:
        kept = kept.keep(verb, count)
    found = kept.total(SIXES)
    assert [found.p(k) for k in range(5)] == list(map(F, sixes))
    assert explode(kept).total().mean == F(mean)


def test_totals_of_six_again_pools() -> None:
    """Level 4, 14 or more: plain 2513/3888; two penalty dice 27961/139968; two bonus dice."""
    assert explode(dice(d6, 4)).total().at_least(14) == F(2513, 3888)
    penalty = explode(dice(d6, 6).keep("dh", 2)).total()
    assert exactly(penalty.at_least(14)) == F(27961, 139968)
    bonus = explode(dice(d6, 6).keep("dl", 2)).total()
    assert exactly(bonus.at_least(14)) == F(10453, 11664)


def test_exploding_before_removal_is_another_rule() -> None:
    """No kept six: 484375/559872 instead of 21875/23328."""
    found = explode(dice(d6, 6)).keep("dh", 2).total(SIXES)
    assert exactly(found.p(0)) == F(484375, 559872)


def test_the_whole_list_of_a_six_again_roll() -> None:
    """The list 2, 3, 4, 4, 6, 6, 6 at level 4: 5/5832."""
    found = Throw.of([(d6, 4)], depth=24)
    seen = explode(found).read(Pool.expand)
    low, high = seen.p((2, 3, 4, 4, 6, 6, 6)) if isinstance(seen, Enclosed) else (0, 1)
    assert low == F(5, 5832)
    assert high - low <= F(1, 2**20)


@pytest.mark.parametrize(
    ("die", "count", "keep", "before", "after"),
    [(d6, 2, 1, "161/36", "259/45"), (d4, 8, 4, "3669821/262144", "61285/3072")],
)
def test_extra_dice_compete_for_the_keep(
    die: Any, count: int, keep: int, before: str, after: str
) -> None:
    """Exploding, then keeping, as against keeping, then exploding: a documented dispute."""
    assert explode(dice(die, count)).keep("kh", keep).total().mean == F(before)
    assert explode(dice(die, count).keep("kh", keep)).total().mean == F(after)


def test_keeping_the_lowest_of_exploding_dice() -> None:
    """The lowest of 2d6!: any extra die comes beside, so it is the lowest of all dice: for faces
    up to 5, 1 - (both stop above k, or go on and every later die too)."""
    found = explode(dice(d6, 2)).keep("kl", 1).total()
    for k in range(1, 6):
        one = F(5 - k, 6) / (1 - F(1, 6))
        assert exactly(found.at_least(k + 1)) == one**2


def test_at_most_so_many_extra_dice() -> None:
    """d6 once: 7/2 + 1/6 * 7/2 = 49/12; the last die keeps its face."""
    found = explode(dice(d6, 1), limit=1).total()
    assert found.mean == F(49, 12)
    assert found.p(12) == F(1, 36)
    assert explode(dice(d6, 1), limit=0).total() == d6
    assert explode(dice(d10, 6), limit=1).total().mean == F(363, 10)


def test_a_limit_lets_every_face_roll_on() -> None:
    assert explode(dice(d6, 1), Match(), limit=1).total() == 2 @ d6


def test_never_ending_dice_are_refused() -> None:
    with pytest.raises(NeverEnds):
        explode(dice(d6, 1), Match(low=1))
    with pytest.raises(NeverEnds):
        explode(dice(Dist([1]), 1))
    with pytest.raises(NeverEnds):
        compound(dice(d6, 1), Match())


def test_the_check_for_an_end_looks_at_the_die_after_re_rolls() -> None:
    """{1, 2} re-rolling 1s until they are gone shows 2 for ever."""
    only_twos = reroll(dice(Dist([1, 2]), 1), ONE, until=True)
    with pytest.raises(NeverEnds):
        explode(only_twos)


def test_extra_dice_are_re_rolled_like_the_first() -> None:
    """Re-rolling 1s, then exploding: D has mean 47/12 and shows 6 with 7/36."""
    found = explode(reroll(dice(d6, 1), ONE)).total()
    assert found.mean == F(47, 12) / (1 - F(7, 36))


def test_penetrating_dice_count_one_less() -> None:
    """7/2 + 1/6 * (7/2 - 1 + ..): mean 4."""
    assert explode(dice(d6, 1), less=1).total().mean == 4
    assert compound(dice(d6, 1), less=1).total().mean == 4


def test_exploding_twice_is_refused() -> None:
    with pytest.raises(RuleError):
        explode(explode(dice(d6, 2)).keep("dl", 1), Match(low=5)).total()


def test_dice_kept_from_unlike_ones_cannot_explode() -> None:
    with pytest.raises(RuleError):
        explode(Throw.of([(d6, 1), (d8, 1)]).keep("kh", 1))


# --- explosions into the die


def test_compounding_dice_are_one_value() -> None:
    """5d6!! is 21; the better of two 29/5."""
    assert compound(dice(d6, 5)).total() == 5 @ chain(d6, {6})
    assert compound(dice(d6, 2)).keep("kh", 1).total().mean == F(29, 5)


def test_compounding_dice_are_counted_once() -> None:
    """2d6!! at 10 or more: each with 1/12."""
    found = compound(dice(d6, 2)).total(successes(10))
    assert found == 2 @ Dist({0: 11, 1: 1})


def test_compounding_to_a_limit() -> None:
    found = compound(dice(d6, 1), limit=1).total()
    assert found.p(12) == F(1, 36)
    assert found.p(6) == 0


def test_an_open_ended_total_cannot_roll_on_again() -> None:
    with pytest.raises(RuleError):
        explode(compound(dice(d6, 2)).keep("kh", 1)).total()


@pytest.mark.parametrize("high", [0, 3])
def test_a_compounded_die_may_be_bounded_twice(high: int) -> None:
    """Lowered to ``high`` and then raised to 10, a die shows 10."""
    found = clamp(clamp(compound(dice(d6, 1)), high=high), low=10)
    assert exactly(found.total().p(10)) == 1


def test_a_kept_compounded_die_may_be_bounded_twice() -> None:
    found = clamp(clamp(compound(dice(d6, 2)), high=3).keep("kh", 1), low=10)
    assert exactly(found.total().p(10)) == 1


def test_a_kept_die_of_an_exploding_pool_may_be_bounded() -> None:
    """2d6! lowered to 0, one kept, raised to 10."""
    found = clamp(clamp(explode(dice(d6, 2)), high=0).keep("kh", 1), low=10)
    assert exactly(found.total().p(10)) == 1


def test_totals_that_are_open_ended_are_ranked_too() -> None:
    found = Throw.of([(chain(d6, {6}), 2)]).keep("kh", 1).total()
    assert isinstance(found, OpenDist)
    assert found.mean == F(29, 5)


# --- other readings


def test_readings_of_finite_pools() -> None:
    assert dice(d6, 5).read(Pool.largest_set).at_least(2) == 1 - F(720, 7776)
    assert dice(d6, 3).read(Pool.median).mean == F(7, 2)


def test_readings_of_exploding_pools_state_what_is_missing() -> None:
    found = Throw.of([(d6, 2)], depth=10)
    seen = explode(found).read(Pool.unique)
    assert isinstance(seen, Enclosed)
    assert 0 < seen.missing <= F(1, 2**10)


def test_successes_less_ones_on_the_same_dice() -> None:
    """3d10, 8+ less 1s: above 0 with 27/50, below 0 with 17/125."""
    worth = Worth(((Match(low=8), 1), (ONE, -1)))
    found = dice(d10, 3).total(worth)
    assert found.at_least(1) == F(27, 50)
    assert found.less_than(0) == F(17, 125)


def test_a_face_may_count_twice() -> None:
    """7+ and 10s again: 5 * (4/10 + 1/10) = 5/2."""
    worth = Worth(((Match(low=7), 1), (Match(low=10), 1)))
    assert dice(d10, 5).total(worth).mean == F(5, 2)
