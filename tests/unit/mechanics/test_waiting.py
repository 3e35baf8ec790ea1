"""Wounds that wait, against every sequence of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.some import quick
from oddsmith import Dist
from oddsmith.errors import TooLarge
from oddsmith.mechanics.waiting import Waiting

F = Fraction
STEPS = st.lists(
    st.dictionaries(st.integers(0, 3), st.integers(1, 3), min_size=1), min_size=4, max_size=4
)
JOINTS = st.dictionaries(
    st.tuples(st.integers(0, 2), st.integers(0, 2)), st.integers(1, 3), min_size=1, max_size=3
)


def walked(state: int, steps: Any, count: int) -> dict[int, Fraction]:
    """Every path of so many steps."""
    found: dict[int, Fraction] = {}
    for path in product(range(4), repeat=count):
        p, here = F(1), state
        for there in path:
            p *= F(steps[here].get(there, 0), sum(steps[here].values()))
            here = there
        found[here] = found.get(here, F(0)) + p
    return {there: p for there, p in found.items() if p}


@quick(60)
@given(JOINTS, JOINTS, STEPS, STEPS, STEPS)
def test_now_and_later(one: Any, two: Any, now: Any, first: Any, second: Any) -> None:
    """Two sources strike at once, then what waits of the first, then of the second."""
    held = Waiting.of(Dist([0]), 4).struck(Dist(one), now).struck(Dist(two), now)
    found = held.settled(0, first).settled(0, second).states
    expected: dict[int, Fraction] = {}
    for (a, b), (c, d) in product(one, two):
        p = F(one[a, b], sum(one.values())) * F(two[c, d], sum(two.values()))
        states = {0: p}
        for steps, count in ((now, a), (now, c), (first, b), (second, d)):
            after: dict[int, Fraction] = {}
            for state, q in states.items():
                for there, r in walked(state, steps, count).items():
                    after[there] = after.get(there, F(0)) + q * r
            states = after
        for state, q in states.items():
            expected[state] = expected.get(state, F(0)) + q
    assert dict(found.items()) == expected


def test_counts_of_one_sort_are_added() -> None:
    held = Waiting({(1, 0, 2): [1, 0], (2, 0, 1): [0, 3]}).merged(0, 2)
    assert held.counts == {(3, 0): [1, 3]}


def test_work_is_refused() -> None:
    with pytest.raises(TooLarge, match="smaller units"):
        Waiting.of(Dist([0]), 1000).struck(Dist([(1000, 0)]), [{0: 1}] * 1000, 1000)
