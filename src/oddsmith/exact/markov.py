"""Markov chains with states that end them, solved exactly.

A chain is a list of rows: for each state that goes on, its index to the chances of the states it
goes to. What is not in a row ends the chain. States are taken in the order in which they can be
reached; only those that lead back to one another are solved together, and of these a state that few
lead to, or that leads to few, is taken out before the rest is solved as linear equations.
"""

from __future__ import annotations

from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import lcm
from typing import TYPE_CHECKING

from flint import fmpq, fmpq_mat, fmpq_poly, fmpz_mat, fmpz_poly

from oddsmith.exact import ratio
from oddsmith.exact.ratio import to_fmpq, to_fraction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from oddsmith.exact.ratio import Ratio

Row = dict[int, Fraction]

WAY = 2
"""What it costs to go one way from one state to another, in 64-bit words."""

FEW = 100
"""So many states are solved as equations at once."""

PAST = 64
"""A state is taken out by itself where at most so many ways have to be led past it."""


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
    """v with v = inflow + v * Q, Q the chances within the group.

    A state is taken out by leading the ways through it past it; what it gets is found at the end,
    from the states that led to it.
    """
    order, core, _ = _taken_out(rows, group)
    inside, flow = set(group), {state: inflow[state] for state in group}
    outs = {s: {t: to_fmpq(p) for t, p in rows[s].items() if t in inside} for s in group}
    before: dict[int, set[int]] = {state: set() for state in group}
    for state, out in outs.items():
        for target in out:
            before[target].add(state)
    led: list[tuple[int, fmpq, list[tuple[int, fmpq]]]] = []
    for state in order:
        out = outs.pop(state)
        go_on = 1 - out.pop(state, fmpq(0))
        before[state].discard(state)
        for target in out:
            out[target] /= go_on
            before[target].discard(state)
            before[target] |= before[state]
            flow[target] += flow[state] * out[target]
        led.append((state, go_on, [(source, outs[source].pop(state)) for source in before[state]]))
        for source, p in led[-1][2]:
            for target, q in out.items():
                outs[source][target] = outs[source].get(target, fmpq(0)) + p * q
    found = dict(zip(core, _dense(outs, core, flow), strict=True))
    for state, go_on, sources in reversed(led):
        found[state] = sum((found[k] * p for k, p in sources), flow[state]) / go_on
    return [found[state] for state in group]


def _dense(
    outs: dict[int, dict[int, fmpq]], core: Sequence[int], flow: dict[int, fmpq]
) -> list[fmpq]:
    """v with v = flow + v * Q for states that nearly all lead to one another."""
    if not core:
        return []
    place = {state: k for k, state in enumerate(core)}
    matrix = fmpq_mat(len(core), len(core))
    for state, k in place.items():
        matrix[k, k] = 1
        for target, p in outs[state].items():
            matrix[place[target], k] -= p
    solved = matrix.solve(fmpq_mat(len(core), 1, [flow[state] for state in core]))
    return [solved[k, 0] for k in range(len(core))]


def _taken_out(rows: Sequence[Row], group: Sequence[int]) -> tuple[list[int], list[int], int]:
    """The states that can be taken out one by one, in order; the others; the ways led past."""
    if len(group) <= FEW:
        return [], list(group), 0
    inside = set(group)
    outs = {state: inside.intersection(rows[state]) - {state} for state in group}
    ins: dict[int, set[int]] = {state: set() for state in group}
    for state, targets in outs.items():
        for target in targets:
            ins[target].add(state)
    queue = [(len(ins[state]) * len(outs[state]), state) for state in group]
    heapify(queue)
    order, total = [], 0
    while queue and queue[0][0] <= PAST:
        ways, state = heappop(queue)
        if state not in outs or ways != len(ins[state]) * len(outs[state]):
            continue
        order.append(state)
        total += ways + 1
        sources, targets = ins.pop(state), outs.pop(state)
        for source in sources:
            outs[source] |= targets - {source}
            outs[source].discard(state)
        for target in targets:
            ins[target] |= sources - {target}
            ins[target].discard(state)
        for near in sources | targets:
            heappush(queue, (len(ins[near]) * len(outs[near]), near))
    return order, [state for state in group if state in outs], total


def cost(rows: Sequence[Row]) -> int:
    """About what :func:`visits` costs, in 64-bit words.

    >>> cost([{1: Fraction(1, 2)}, {0: Fraction(1, 2)}])
    8
    """
    total = 0
    for group in components(rows):
        if len(group) > 1:
            _, core, ways = _taken_out(rows, group)
            bits = max(p.denominator.bit_length() for s in group for p in rows[s].values())
            total += len(core) ** 3 + ways * (1 + len(group) * bits // 64)
    return total


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


def steps(
    rows: Sequence[Row],
    leave: Sequence[Fraction],
    start: Row,
    spend: Callable[[int], None] = lambda _: None,
) -> Ratio:
    """The series of the chances to end with the n-th step.

    The denominator of the generating function is det(I - x * Q), the characteristic polynomial of
    Q turned round; the numerator follows from the first terms. Only groups of states that lead
    back to one another have one: for a chain without loops it is 1, and all terms are known.

    Args:
        rows: The chain.
        leave: For each state the chance to end (in the way asked for) with the next step.
        start: The chances of the first state.
        spend: Told what each term will cost, in 64-bit words, before the first is worked out.

    >>> halves = steps([{0: Fraction(1, 2)}], [Fraction(1, 2)], {0: Fraction(1)})
    >>> ratio.Reader(halves).coefficients(1, 3)
    [Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)]
    """
    scale = lcm(
        *(p.denominator for row in (start, *rows) for p in row.values()),
        *(p.denominator for p in leave),
    )
    _foresee(rows, start, scale.bit_length(), spend)
    denominator = fmpz_poly([1])
    for group in components(rows):
        denominator *= _loops(rows, group)
    count = len(rows) + denominator.degree() + 2
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


def loops_cost(rows: Sequence[Row]) -> int:
    """About what the denominator of :func:`steps` costs, in 64-bit words.

    >>> loops_cost([{1: Fraction(1)}, {}])
    0
    """
    total = 0
    for group in components(rows):
        inside, size = set(group), len(group)
        within = [p for state in group for t, p in rows[state].items() if t in inside]
        bits = lcm(*(p.denominator for p in within)).bit_length()
        full = size * size + 8 * len(within)
        total += size * full * (1 + size * bits // 128) // 100
    return total


def _foresee(rows: Sequence[Row], start: Row, bits: int, spend: Callable[[int], None]) -> None:
    """Go through the states that each term looks at, without their chances."""
    now = set(start)
    for term in range(2 * len(rows) + 2):
        spend(sum(len(rows[state]) + 1 for state in now) * (WAY + term * bits // 512))
        now = set().union(*(rows[state] for state in now))
        if not now:
            return


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
