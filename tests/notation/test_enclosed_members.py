"""Pools of totals that are only enclosed: what is known lies between two ends."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

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


def test_kept_open_ended_dice_among_others() -> None:
    """Each pair of open-ended dice that is kept lies with the plain ones, of which two count.

    A d4 that goes on shows 1, 2, 3, 5, or 6 and more with 1/4, 1/4, 1/4, 1/16, 3/16.
    """
    open_ended = {1: F(1, 4), 2: F(1, 4), 3: F(1, 4), 5: F(1, 16), 6: F(3, 16)}
    wanted = F(0)
    for plain in product(range(1, 5), repeat=2):
        for rolled in product(open_ended, repeat=3):
            kept = sorted([*plain, *sorted(rolled)[1:]])[-2:]
            if sum(kept) >= 6:
                wanted += F(1, 16) * prod(open_ended[face] for face in rolled)
    low, high = ends("{2d4 + 3d4!!kh2}kh2 >= 6")
    assert low <= wanted <= high
    assert high - low < F(1, 10**9)
