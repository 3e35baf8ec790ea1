"""Strategies for random values, and the settings of every law."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from oddsmith import Dist

if TYPE_CHECKING:
    from collections.abc import Callable


def quick(examples: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The same examples each time, without a clock."""
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        report_multiple_bugs=False,
        phases=[Phase.explicit, Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )


WEIGHTS = st.integers(1, 5)
WHOLE = st.integers(-6, 9)
PARTS = st.builds(Fraction, st.integers(-9, 9), st.integers(1, 4))
FAR = st.sampled_from([1, 2, 1_000_000, -1_000_000, 999_999, 10**12])
WORDS = st.sampled_from(["Hit", "Misfire", "a", "b", ""])


def dists(outcomes: st.SearchStrategy[Any], most: int = 5) -> st.SearchStrategy[Dist[Any]]:
    """Distributions over some outcomes."""
    return st.dictionaries(outcomes, WEIGHTS, min_size=1, max_size=most).map(Dist)


EVENLY = st.builds(
    lambda low, step, weights: Dist(
        {low + step * i: weight for i, weight in enumerate([*weights, 1])}
    ),
    WHOLE,
    st.sampled_from([1, 2, 5, Fraction(1, 2), Fraction(2, 3)]),
    st.lists(st.integers(0, 4), min_size=0, max_size=6),
)
NUMBERS = st.one_of(dists(WHOLE), dists(PARTS), dists(FAR), dists(WHOLE | FAR), EVENLY)
INTEGERS = st.one_of(dists(WHOLE), dists(FAR, 3))
MIXED = dists(st.one_of(WHOLE, PARTS, WORDS, st.tuples(WHOLE, WORDS)))
ANY = st.one_of(NUMBERS, dists(WORDS), MIXED)
SHARES = st.fractions(0, 1, max_denominator=24)
BOUNDS = st.one_of(WHOLE, PARTS, FAR)
