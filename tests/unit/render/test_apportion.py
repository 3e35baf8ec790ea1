"""Percentages of a distribution that add up to exactly 100."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.render.apportion import percentages, units

F = Fraction

distributions = st.lists(
    st.one_of(st.integers(0, 12), st.integers(0, 10**9)), min_size=1, max_size=60
).filter(any)
"""Weights of outcomes; some are 0, some dwarf the others."""


def shares(weights: list[int]) -> list[Fraction]:
    return [F(weight, sum(weights)) for weight in weights]


def counted(text: str) -> Fraction:
    """What a shown percentage counts in the sum: <0.01 nothing, >99.99 all."""
    return F(0) if text[0] == "<" else F(100) if text[0] == ">" else F(text)


@given(distributions, st.integers(0, 6))
def test_they_add_up_to_100_and_each_is_within_one_unit(weights: list[int], places: int) -> None:
    exact = shares(weights)
    shown = [counted(text) for text in percentages(exact, places)]
    assert sum(shown) == 100
    unit = F(1, 10**places)
    assert all(abs(a - 100 * b) < unit for a, b in zip(shown, exact, strict=True))


@given(distributions, st.integers(0, 6))
def test_only_nothing_shows_as_0_and_only_everything_as_100(
    weights: list[int], places: int
) -> None:
    exact = shares(weights)
    for text, share in zip(percentages(exact, places), exact, strict=True):
        assert (not text.strip("0.")) == (share == 0)
        assert (text.rstrip("0").rstrip(".") in ("1", "100") and F(text) == 100) == (share == 1)


@given(distributions, st.integers(1, 10_000))
def test_larger_remainders_come_first_and_of_equal_ones_the_first(
    weights: list[int], whole: int
) -> None:
    """Sorted by remainder, then by place, those with a unit more stand before the others."""
    exact = [share * whole for share in shares(weights)]
    given_ = units(shares(weights), whole)
    rests = [part - part // 1 for part in exact]
    order = sorted(range(len(exact)), key=lambda k: (-rests[k], k))
    more = [given_[k] - exact[k] // 1 for k in order]
    assert more == sorted(more, reverse=True)
    assert set(more) <= {0, 1}
    assert sum(given_) == whole


@given(distributions)
def test_what_needs_no_rounding_stays(weights: list[int]) -> None:
    """In units as many as the weights come to, every share is whole."""
    assert units(shares(weights), sum(weights)) == weights


@pytest.mark.parametrize(
    ("weights", "places", "shown"),
    [
        # thirds: 33 each, one unit left, to the first of three equal remainders
        ([1, 1, 1], 0, ["34", "33", "33"]),
        # sixths: 16 each, 96; four left
        ([1] * 6, 0, ["17", "17", "17", "17", "16", "16"]),
        # 2/3, 1/6, 1/6 of 1000: 666, 166, 166, two left, to 0.667 (of 666.667 and two 166.667)
        ([4, 1, 1], 1, ["66.7", "16.7", "16.6"]),
        # 0.4, 0.3, 99.3 units: one left, to 0.4
        ([4, 3, 993], 0, ["1", "<1", "99"]),
        # 0.3, 0.3, 99.4: one left, to 99.4, which is all of them, and not certain
        ([3, 3, 994], 0, ["<1", "<1", ">99"]),
        ([0, 7, 0], 2, ["0.00", "100.00", "0.00"]),
        ([1], 0, ["100"]),
        ([1, 1], 3, ["50.000", "50.000"]),
    ],
)
def test_by_hand(weights: list[int], places: int, shown: list[str]) -> None:
    assert percentages(shares(weights), places) == shown
