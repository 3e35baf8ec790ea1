"""Markov chains with states that end them, solved exactly.

A chain is a list of rows: for each state that goes on, its index to the chances of the states it
goes to. What is not in a row ends the chain. States are taken in the order in which they can be
reached; only those that lead back to one another are solved together.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from flint import fmpq, fmpq_mat, fmpq_poly, fmpz_mat, fmpz_poly

from oddsmith.exact import ratio
from oddsmith.exact.ratio import to_fmpq, to_fraction

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from oddsmith.exact.ratio import Ratio

Row = dict[int, Fraction]


def visits(rows: Sequence[Row], start: Row) -> list[Fraction]:
    """How often each state is visited on average.

    Args:
        rows: The chain.
        start: The chances of the first state.

    >>> visits([{0: Fraction(1, 2), 1: Fraction(1, 4)}, {}], {0: Fraction(1)})
    [Fraction(2, 1), Fraction(1, 2)]
    """
    inflow = [to_fmpq(start.get(state, 0)) for state in range(len(rows))]
    for group in components(rows):
        if len(group) == 1:
            (state,) = group
            inflow[state] /= 1 - to_fmpq(rows[state].get(state, 0))
        else:
            for state, value in zip(group, _together(rows, group, inflow), strict=True):
                inflow[state] = value
        inside = set(group)
        for state in group:
            if inflow[state]:
                for target, p in rows[state].items():
                    if target not in inside:
                        inflow[target] += inflow[state] * fmpq(p.numerator, p.denominator)
    return [to_fraction(value) for value in inflow]


def _together(rows: Sequence[Row], group: Sequence[int], inflow: Sequence[fmpq]) -> list[fmpq]:
    """v with v = inflow + v * Q, Q the chances within the group."""
    place = {state: k for k, state in enumerate(group)}
    size = len(group)
    matrix = fmpq_mat(size, size)
    for k, state in enumerate(group):
        matrix[k, k] = 1
        for target, p in rows[state].items():
            if target in place:
                matrix[place[target], k] -= to_fmpq(p)
    right = fmpq_mat(size, 1, [inflow[state] for state in group])
    solved = matrix.solve(right)
    return [solved[k, 0] for k in range(size)]


def components(rows: Sequence[Row]) -> list[list[int]]:
    """Groups of states that lead back to one another, each after all that lead to it (Tarjan).

    >>> components([{1: Fraction(1)}, {0: Fraction(1, 2), 2: Fraction(1, 2)}, {}])
    [[0, 1], [2]]
    """
    order: list[int | None] = [None] * len(rows)
    low = [0] * len(rows)
    waiting: list[int] = []
    places = [0] * len(rows)
    is_waiting = [False] * len(rows)
    found: list[list[int]] = []
    counter = 0
    for root in range(len(rows)):
        if order[root] is not None:
            continue
        path: list[tuple[int, Iterator[int]]] = [(root, iter(rows[root]))]
        while path:
            state, targets = path[-1]
            if order[state] is None:
                order[state] = low[state] = counter
                counter += 1
                places[state] = len(waiting)
                waiting.append(state)
                is_waiting[state] = True
            for target in targets:
                if order[target] is None:
                    path.append((target, iter(rows[target])))
                    break
                if is_waiting[target]:
                    low[state] = min(low[state], order[target] or 0)
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[state])
                if low[state] == order[state]:
                    cut = places[state]
                    group = sorted(waiting[cut:])
                    del waiting[cut:]
                    for member in group:
                        is_waiting[member] = False
                    found.append(group)
    return found[::-1]


def steps(rows: Sequence[Row], leave: Sequence[Fraction], start: Row) -> Ratio:
    """The series of the chances to end with the n-th step.

    The denominator of the generating function is det(I - x * Q), the characteristic polynomial of
    Q turned round; the numerator follows from the first terms. Only groups of states that lead
    back to one another have one: for a chain without loops it is 1, and all terms are known.

    Args:
        rows: The chain.
        leave: For each state the chance to end (in the way asked for) with the next step.
        start: The chances of the first state.

    >>> halves = steps([{0: Fraction(1, 2)}], [Fraction(1, 2)], {0: Fraction(1)})
    >>> ratio.Reader(halves).coefficients(1, 3)
    [Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)]
    """
    denominator = fmpz_poly([1])
    for group in components(rows):
        denominator *= _loops(rows, group)
    count = len(rows) + denominator.degree() + 2
    scale = lcm(
        *(p.denominator for row in (start, *rows) for p in row.values()),
        *(p.denominator for p in leave),
    )
    going = [[(target, int(p * scale)) for target, p in row.items()] for row in rows]
    leaving = [int(p * scale) for p in leave]
    terms, now, size = [Fraction(0)], {s: int(p * scale) for s, p in start.items()}, scale
    while now and len(terms) < count:
        size *= scale
        terms.append(Fraction(sum(w * leaving[state] for state, w in now.items()), size))
        after: dict[int, int] = {}
        for state, weight in now.items():
            for target, ways in going[state]:
                after[target] = after.get(target, 0) + weight * ways
        now = after
    series = fmpq_poly([to_fmpq(term) for term in terms])
    num = (series * fmpq_poly(denominator)).truncate(count)
    return ratio.make(0, num, denominator)


def _loops(rows: Sequence[Row], group: Sequence[int]) -> fmpz_poly:
    """det(I - x * Q) of one group, up to a factor."""
    place = {state: k for k, state in enumerate(group)}
    inside = [{place[t]: p for t, p in rows[state].items() if t in place} for state in group]
    if not any(inside):
        return fmpz_poly([1])
    common = lcm(*(p.denominator for row in inside for p in row.values()))
    matrix = fmpz_mat(len(group), len(group))
    for k, row in enumerate(inside):
        for t, p in row.items():
            matrix[k, t] = int(p * common)
    turned = matrix.charpoly().coeffs()[::-1]
    return fmpz_poly([c * common ** (len(turned) - 1 - k) for k, c in enumerate(turned)])
