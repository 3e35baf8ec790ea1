"""The dice people own."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from oddsmith import Dist, artillery, coin, d, d6, dF, scatter
from oddsmith.dice import MAX_SIDES, digits
from oddsmith.errors import OddsmithError, OutcomeError, TooLarge


def test_a_die_is_uniform() -> None:
    assert d(7) == Dist(range(1, 8))
    assert d(1) == Dist([1])
    assert d(6) == d6


@pytest.mark.parametrize("sides", [0, -6, 2.0, "6", True, None, Fraction(6)])
def test_sides_are_whole_and_at_least_one(sides: Any) -> None:
    with pytest.raises(OutcomeError):
        d(sides)


def test_the_largest_die() -> None:
    assert d(MAX_SIDES).at_least(MAX_SIDES) == Fraction(1, MAX_SIDES)
    with pytest.raises(TooLarge):
        d(MAX_SIDES + 1)


def test_named_dice() -> None:
    """The artillery die: 2 to 10 and a misfire; the scatter die: two hits and four arrows."""
    assert artillery.p("Misfire") == Fraction(1, 6)
    assert artillery.given(lambda face: face != "Misfire").mean == 6
    assert scatter.p("Hit") == Fraction(1, 3)
    assert coin == Dist([0, 1])
    assert dF.mean == 0


def test_dice_read_as_digits() -> None:
    """11 to 66: 36 results, mean 11 * 7/2."""
    assert len(digits(2)) == 36
    assert digits(2).mean == Fraction(77, 2)
    assert 17 not in digits(2)
    assert digits(3).p(111) == Fraction(1, 216)


def test_every_refusal_belongs_to_the_family() -> None:
    with pytest.raises(OddsmithError):
        d(0)
