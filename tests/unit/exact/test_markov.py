"""Chains with states that end them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.some import quick
from oddsmith.exact import markov, ratio
from unit.chains import Chain, chances, forward, random_chains

if TYPE_CHECKING:
    from collections.abc import Sequence

F = Fraction
GRAPHS = st.integers(0, 7).flatmap(
    lambda size: st.lists(
        st.sets(st.integers(0, max(size - 1, 0)), max_size=3), min_size=size, max_size=size
    )
)


def rows_of(chain: Chain) -> list[markov.Row]:
    """The states that go on are numbered already; what ends it is left out."""
    return [
        {target: p for target, p in chances(chain.rows[state]).items() if target in chain.rows}
        for state in range(len(chain.rows))
    ]


def start_of(chain: Chain) -> markov.Row:
    """The chances to start in a state that goes on."""
    return {state: p for state, p in chances(chain.start).items() if state in chain.rows}


def graph(targets: Sequence[set[int]]) -> list[markov.Row]:
    """Rows that lead to these states."""
    return [dict.fromkeys(row, F(1, 4)) for row in targets]


def reach(rows: Sequence[markov.Row]) -> list[set[int]]:
    """What can be reached from each state, itself included, by looking again and again."""
    found = [{state} for state in range(len(rows))]
    for _ in rows:
        found = [here.union(*(found[target] for target in rows[s])) for s, here in enumerate(found)]
    return found


def eliminated(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """The solution of linear equations, by the schoolbook."""
    size = len(matrix)
    table = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for k in range(size):
        pivot = next(i for i in range(k, size) if table[i][k])
        table[k], table[pivot] = table[pivot], table[k]
        for i in range(size):
            if i != k and table[i][k]:
                factor = table[i][k] / table[k][k]
                table[i] = [x - factor * y for x, y in zip(table[i], table[k], strict=True)]
    return [table[k][size] / table[k][k] for k in range(size)]


# --- groups


@quick(150)
@given(GRAPHS)
def test_a_group_holds_the_states_that_lead_back_to_one_another(targets: list[set[int]]) -> None:
    rows = graph(targets)
    groups, reached = markov.components(rows), reach(rows)
    assert sorted(state for group in groups for state in group) == list(range(len(rows)))
    where = {state: place for place, group in enumerate(groups) for state in group}
    for a in range(len(rows)):
        for b in range(len(rows)):
            assert (where[a] == where[b]) == (b in reached[a] and a in reached[b])


@quick(150)
@given(GRAPHS)
def test_a_group_comes_after_all_that_lead_to_it(targets: list[set[int]]) -> None:
    rows = graph(targets)
    groups = markov.components(rows)
    where = {state: place for place, group in enumerate(groups) for state in group}
    assert all(where[a] <= where[b] for a, row in enumerate(rows) for b in row)
    assert all(group == sorted(group) for group in groups)


def test_groups_of_no_states() -> None:
    assert markov.components([]) == []


def test_groups_of_a_long_way_need_no_deep_recursion() -> None:
    way = [{k + 1: F(1)} for k in range(2_999)] + [{}]
    assert markov.components(way) == [[k] for k in range(3_000)]
    ring = [{(k + 1) % 3_000: F(1, 2)} for k in range(3_000)]
    assert markov.components(ring) == [list(range(3_000))]


# --- visits


@quick(80)
@given(random_chains())
def test_visits_solve_v_as_start_and_inflow(chain: Chain) -> None:
    """v = start + v Q, solved by elimination."""
    rows, start = rows_of(chain), start_of(chain)
    size = len(rows)
    matrix = [[F(int(i == j)) - rows[j].get(i, F(0)) for j in range(size)] for i in range(size)]
    right = [start.get(state, F(0)) for state in range(size)]
    assert markov.visits(rows, start) == eliminated(matrix, right)


@pytest.mark.parametrize("past", [0, 1, 2, 6, 64])
@quick(40)
@given(chain=random_chains())
def test_visits_whichever_states_are_taken_out_first(past: int, chain: Chain) -> None:
    """A low bound leaves a core that is solved as equations, the usual one hardly ever here."""
    rows, start = rows_of(chain), start_of(chain)
    size = len(rows)
    matrix = [[F(int(i == j)) - rows[j].get(i, F(0)) for j in range(size)] for i in range(size)]
    right = [start.get(state, F(0)) for state in range(size)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(markov, "PAST", past)
        patch.setattr(markov, "FEW", 0)
        assert markov.visits(rows, start) == eliminated(matrix, right)


@quick(15)
@given(st.lists(st.lists(st.integers(0, 3), min_size=12, max_size=12), min_size=12, max_size=12))
def test_visits_of_many_states_that_lead_to_one_another(weights: list[list[int]]) -> None:
    """Twelve states, most with more than 64 ways past them; each is left with 1/40 or more."""
    rows = [{t: F(w, 40) for t, w in enumerate(row) if w} for row in weights]
    matrix = [[F(int(i == j)) - rows[j].get(i, F(0)) for j in range(12)] for i in range(12)]
    right = [F(1, 12)] * 12
    wanted = eliminated(matrix, right)
    assert markov.visits(rows, dict(enumerate(right))) == wanted
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(markov, "FEW", 0)
        assert markov.visits(rows, dict(enumerate(right))) == wanted


def test_visits_of_states_that_are_not_reached_are_0() -> None:
    half = F(1, 2)
    rows = [{1: half}, {0: half}, {2: half, 3: half}, {}]
    assert markov.visits(rows, {0: F(1)}) == [F(4, 3), F(2, 3), 0, 0]
    assert markov.visits(rows, {2: half}) == [0, 0, 1, half]
    assert markov.visits([], {}) == []


def test_visits_of_a_start_that_may_have_ended() -> None:
    """The start need not add up to 1: the rest has ended before."""
    assert markov.visits([{0: F(1, 3)}], {0: F(1, 2)}) == [F(3, 4)]


# --- steps


@quick(80)
@given(random_chains(), st.sampled_from(["a", "b", "ab", "abc"]))
def test_the_series_of_steps_has_the_chances_to_end_as_its_coefficients(
    chain: Chain, names: str
) -> None:
    known = forward(chain, 25)
    leave = [
        sum((p for s, p in chances(chain.rows[state]).items() if str(s) in names), F(0))
        for state in range(len(chain.rows))
    ]
    series = markov.steps(rows_of(chain), leave, start_of(chain))
    wanted = [sum((p for s, p in ended.items() if s in names), F(0)) for ended in known.ended]
    assert ratio.Reader(series).coefficients(1, 25) == wanted[1:]
    assert ratio.Reader(series).coefficients(0, 0) == [0]


def test_steps_of_a_chain_without_loops_are_a_polynomial() -> None:
    """0 to 1 and 2, 1 to 2, 2 to the end: two steps with 1/3, three with 2/3."""
    rows: list[Any] = [{1: F(2, 3), 2: F(1, 3)}, {2: F(1)}, {}]
    series = markov.steps(rows, [F(0), F(0), F(1)], {0: F(1)})
    assert (series.up.degree(), series.down.degree()) == (0, 0)
    assert ratio.Reader(series).coefficients(0, 4) == [0, 0, F(1, 3), F(2, 3), 0]


def test_steps_of_a_ring() -> None:
    """Three states in a ring, left at each with 1/2: the n-th step ends it with 2**-n."""
    ring = [{(k + 1) % 3: F(1, 2)} for k in range(3)]
    series = markov.steps(ring, [F(1, 2)] * 3, {0: F(1)})
    assert ratio.Reader(series).coefficients(1, 12) == [F(1, 2**n) for n in range(1, 13)]


def test_steps_of_a_ring_left_at_one_state() -> None:
    """Left from the last of three with 1/2: at 3, 6, 9, .. with 2**-k."""
    ring = [{1: F(1)}, {2: F(1)}, {0: F(1, 2)}]
    series = markov.steps(ring, [F(0), F(0), F(1, 2)], {0: F(1)})
    assert ratio.Reader(series).coefficients(1, 9) == [
        F(1, 2 ** (n // 3)) if n % 3 == 0 else 0 for n in range(1, 10)
    ]


def test_what_the_terms_cost_is_told_before_they_are_worked_out() -> None:
    """Two ways and a state, then one and a state, then a state, each way 2 words."""
    told: list[int] = []
    rows: list[Any] = [{1: F(2, 3), 2: F(1, 3)}, {2: F(1)}, {}]
    markov.steps(rows, [F(0), F(0), F(1)], {0: F(1)}, told.append)
    assert told == [3 * 2, (2 + 1) * 2, 2]
