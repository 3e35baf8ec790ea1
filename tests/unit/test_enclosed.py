"""``Enclosed``: chances between two exact ends."""

from __future__ import annotations

import operator
from fractions import Fraction

import pytest

from oddsmith import Dist, chain, d6
from oddsmith.enclosed import Enclosed, as_any, enclose, mix_enclosed

F = Fraction
SIX = chain(d6, {6})
HALF = Enclosed(Dist([1, 2]), F(1, 2))
"""1 and 2 with a quarter each; nothing is known of the rest."""
FAR = Enclosed(Dist([1, 2]), F(1, 2), beyond=3)
"""The same, but the rest is 3 or more."""


def test_missing_mass() -> None:
    assert HALF.missing == F(1, 2)
    assert Enclosed(d6).missing == 0


def test_a_chance_lies_between_known_and_known_plus_missing() -> None:
    assert HALF.p(1) == (F(1, 4), F(3, 4))
    assert HALF.at_least(2) == (F(1, 4), F(3, 4))
    assert HALF.more_than(2) == (0, F(1, 2))
    assert HALF.p({1, 2}) == (F(1, 2), 1)


def test_what_lies_beyond_decides_questions_below() -> None:
    assert FAR.p(2) == (F(1, 4), F(1, 4))
    assert FAR.p({1, 2}) == (F(1, 2), F(1, 2))
    assert FAR.at_least(3) == (F(1, 2), F(1, 2))
    assert FAR.more_than(2) == (F(1, 2), F(1, 2))


def test_what_lies_beyond_leaves_questions_above_open() -> None:
    assert FAR.p(3) == (0, F(1, 2))
    assert FAR.more_than(3) == (0, F(1, 2))
    assert FAR.at_least(4) == (0, F(1, 2))


def test_ends_meet_where_nothing_is_missing() -> None:
    sure = Enclosed(d6)
    assert sure.at_least(5) == (F(1, 3), F(1, 3))
    assert sure.p(7) == (0, 0)


def test_the_lowest_outcome_is_known_only_with_the_rest() -> None:
    assert HALF.low is None
    assert FAR.low == 1
    assert Enclosed(Dist([5]), F(1, 2), beyond=3).low == 3


def test_sums_move_what_lies_beyond() -> None:
    found = FAR.combine(Dist([10, 20]), operator.add, adds=True)
    assert found.mass == F(1, 2)
    assert found.beyond == 13
    assert found.part == Dist([1, 2]) + Dist([10, 20])


def test_sums_of_two_enclosures_take_the_nearer_end() -> None:
    """Missing: at least 3 + 0 on the left, or 1 + 9 on the right."""
    other = Enclosed(Dist([0, 1]), F(3, 4), beyond=9)
    found = FAR.combine(other, operator.add, adds=True)
    assert found.mass == F(3, 8)
    assert found.beyond == 3


@pytest.mark.parametrize("other", [HALF, Enclosed(Dist([0]), F(1, 2))])
def test_sums_with_something_unknown_are_unknown(other: Enclosed) -> None:
    assert FAR.combine(other, operator.add, adds=True).beyond is None


def test_other_functions_lose_the_place() -> None:
    assert FAR.combine(Dist([2]), operator.mul).beyond is None
    assert FAR.combine(Dist([2]), operator.mul).part == Dist([2, 4])


def test_an_open_ended_die_is_cut_where_little_is_left() -> None:
    """2^-10: four sixes leave 1/1296, and one less would leave too much."""
    cut = enclose(SIX, 10)
    assert cut.missing <= F(1, 2**10)
    assert cut.missing == SIX.more_than(cut.part.high)
    assert cut.beyond > cut.part.high
    assert SIX.at_least(cut.beyond) == cut.missing
    assert [cut.p(k)[0] for k in (1, 5, 7, 13)] == [SIX.p(k) for k in (1, 5, 7, 13)]


def test_a_die_open_on_both_sides_is_cut_on_both() -> None:
    cut = enclose(SIX - SIX, 6)
    assert cut.beyond is None
    assert 0 < cut.missing <= F(2, 2**6)
    low, high = cut.p(0)
    assert low == F(1, 7)
    assert high == low + cut.missing


def test_mixtures_add_the_masses() -> None:
    """A half of 1/2 and a half of 1 make 3/4."""
    found = mix_enclosed([(FAR, F(1, 2)), (Dist([7]), F(1, 2))])
    assert found.mass == F(3, 4)
    assert found.beyond == 3
    assert found.p(7) == (F(1, 2), F(3, 4))
    assert found.at_least(1) == (1, 1)


def test_mixtures_with_something_unknown_are_unknown() -> None:
    assert mix_enclosed([(FAR, F(1, 2)), (HALF, F(1, 2))]).beyond is None


def test_plain_outcomes_become_certain() -> None:
    assert as_any(3) == Dist([3])
    assert as_any(SIX) is SIX


def test_repr_names_the_missing_mass() -> None:
    assert repr(HALF) == "<Enclosed 1 to 2, missing 0.5>"
