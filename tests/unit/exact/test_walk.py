"""Walks: against every path, and by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.some import quick
from oddsmith.exact.walk import walk

F = Fraction
Weights = dict[int, int]


def steps_of(states: int) -> st.SearchStrategy[list[Weights]]:
    """For each state the weights of the next ones, none of them empty."""
    row = st.dictionaries(st.integers(0, states - 1), st.integers(1, 4), min_size=1, max_size=3)
    return st.lists(row, min_size=states, max_size=states)


WALKS = st.integers(1, 4).flatmap(
    lambda states: st.tuples(
        st.dictionaries(st.integers(0, states - 1), st.integers(1, 3), min_size=1, max_size=3),
        steps_of(states),
        st.dictionaries(st.integers(0, 4), st.integers(1, 3), min_size=1, max_size=3),
    )
)


def shares(weights: Weights) -> dict[int, Fraction]:
    return {state: F(weight, sum(weights.values())) for state, weight in weights.items()}


def path_by_path(start: Weights, steps: list[Weights], times: Weights) -> dict[int, Fraction]:
    """The chances of the last state, one path after the other."""
    found: dict[int, Fraction] = {}

    def go_on(state: int, left: int, p: Fraction) -> None:
        if not left:
            found[state] = found.get(state, F(0)) + p
            return
        for target, share in shares(steps[state]).items():
            go_on(target, left - 1, p * share)

    for state, p in shares(start).items():
        for count, q in shares(times).items():
            go_on(state, count, p * q)
    return found


@quick(80)
@given(WALKS)
def test_every_path(case: tuple[Weights, list[Weights], Weights]) -> None:
    start, steps, times = case
    assert shares(walk(start, steps, times)) == path_by_path(start, steps, times)


def test_weights_are_whole_over_one_denominator() -> None:
    """Steps of totals 2 and 3 share 6: one step from 0 is 3 to 3, from 1 it is 2 to 4."""
    assert walk({0: 1, 1: 1}, [{0: 1, 1: 1}, {0: 1, 1: 2}], {1: 1}) == {0: 5, 1: 7}


def test_no_step_changes_nothing() -> None:
    assert walk({2: 5, 0: 1}, [{1: 1}, {2: 1}, {0: 1}], {0: 7}) == {0: 7, 2: 35}


def test_a_mixture_of_lengths() -> None:
    """None or two steps of a coin that moves on: 1/2, and 1/2 times 1/4, 1/2, 1/4."""
    steps = [{0: 1, 1: 1}, {1: 1, 2: 1}, {2: 1}]
    found = shares(walk({0: 1}, steps, {0: 1, 2: 1}))
    assert found == {0: F(5, 8), 1: F(1, 4), 2: F(1, 8)}


def test_the_states_come_sorted() -> None:
    assert list(walk({3: 1, 1: 1, 2: 1, 0: 1}, [{0: 1}, {1: 1}, {2: 1}, {3: 1}], {0: 1})) == [
        0, 1, 2, 3,
    ]  # fmt: skip


def test_large_numbers_stay_exact() -> None:
    """Two hundred throws of a coin: never a step back with 1 in 2**200."""
    steps = [{place: 1, place + 1: 1} for place in range(200)] + [{200: 1}]
    found = walk({0: 1}, steps, {200: 1})
    assert found[200] == found[0] == 1
    assert sum(found.values()) == 2**200


def test_a_state_without_a_step_is_an_error() -> None:
    with pytest.raises(IndexError):
        walk({5: 1}, [{0: 1}], {1: 1})
