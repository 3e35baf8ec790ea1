"""Pools of totals that are only enclosed: what is known lies between two ends."""

from __future__ import annotations

from fractions import Fraction

import pytest

from oddsmith import odds

F = Fraction


def ends(text: str) -> tuple[Fraction, Fraction]:
    """The two ends of a chance."""
    (found,) = odds(text)
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


@pytest.mark.parametrize(
    ("alone", "pool", "other"),
    [
        ("d6!! // d4 >= 3", "{(d6!! // d4), d4}kl1 >= 3", F(1, 2)),
        ("d6!! // d4 >= 2", "{(d6!! // d4), d4}kl1 >= 2", F(3, 4)),
        ("3x(2d6!!) kh2 >= 40", "{(3x(2d6!!) kh2), d4}kh1 >= 40", F(1)),
        ("3x(2d6!!) kh2 >= 20", "{(3x(2d6!!) kh2), d20}kl1 >= 20", F(1, 20)),
    ],
)
def test_beside_a_die(alone: str, pool: str, other: Fraction) -> None:
    """Both reach the bound: the one alone, and the die with its own chance."""
    (low, high), (found_low, found_high) = ends(alone), ends(pool)
    assert max(found_low, low * other) <= min(found_high, high * other)
    assert found_high - found_low < F(1, 10**9)


def test_side_by_side() -> None:
    """All of three quotients are below 3."""
    (low, high), (found_low, found_high) = ends("d6!! // d4 < 3"), ends("3x(d6!! // d4) kh1 < 3")
    assert max(found_low, low**3) <= min(found_high, high**3)
    assert found_high - found_low < F(1, 10**9)
