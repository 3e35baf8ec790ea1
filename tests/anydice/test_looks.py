"""Large pools: a body that looks at little of a roll is tried by what it sees."""

from __future__ import annotations

from math import comb
from time import perf_counter

import pytest

from oddsmith.anydice import run
from oddsmith.anydice.runtime import Machine

from .programs import F, d, of, rolled


def test_counting_in_a_hundred_dice() -> None:
    program = "function: f S:s { result: S >= 5 }"
    found = of("[f 100d6]", program)
    assert found[40] == comb(100, 40) * F(1, 3) ** 40 * F(2, 3) ** 60


def test_two_counts_of_one_roll() -> None:
    """More sixes than ones with 20d6: by symmetry half of what is not a tie."""
    program = "function: f S:s { result: [count 6 in S] > [count 1 in S] }"
    tie = sum(
        (F(comb(20, k) * comb(20 - k, k) * 4 ** (20 - 2 * k), 6**20) for k in range(11)), F(0)
    )
    assert of("[f 20d6]", program)[1] == (1 - tie) / 2


def test_the_best_and_the_worst_of_many() -> None:
    program = "function: f S:s { result: 1@S - 30@S }"
    found = of("[f 30d6]", program)
    assert found[0] == F(6, 6**30)
    assert found[5] == 1 - 2 * F(5, 6) ** 30 + F(4, 6) ** 30


def test_two_pools_at_once() -> None:
    """Which of two pools of 12 dice is higher: even, but for ties."""
    program = """function: A:s or B:s { X: A + 0 Y: B + 0
        if X > Y { result: 1 } if X < Y { result: -1 } result: 0 }"""
    found = of("[12d6 or 12d6]", program)
    sums = rolled(lambda *x: sum(x), *[d(6)] * 4)
    twelve: dict[int, F] = {}
    for a, p in sums.items():
        for b, q in sums.items():
            for c, r in sums.items():
                twelve[a + b + c] = twelve.get(a + b + c, F(0)) + p * q * r
    assert found[0] == sum(p * p for p in twelve.values())
    assert found[1] == found[-1] == (1 - found[0]) / 2


@pytest.mark.parametrize(
    "body",
    [
        "result: S + 0", "result: #S", "result: -S", "result: !S", "result: S", "result: S * S",
        "result: S >= 3", "result: 2 < S", "result: S = d4", "result: 2@S", "result: {1, 2}@S",
        "result: [count {1, 4} in S]", "result: [S contains 3]", "result: [num S]",
        "result: [highest of S and 12]", "result: (S)d1", "result: [two S]", "result: [die S]",
        "if S > 3 { result: 1@S } else { result: S }",
        "if S > 12 { result: d{} } result: 4@S",
        "loop I over {1..3} { if I@S = 2 { result: I } } result: 0",
        "X: S = 4 Y: S = 1 if X > Y { result: X } result: 10 * Y",
        "result: [sort S]", "result: {S, 1}", "result: S > {2, 2}", "result: 3 * 1@{S}",
        "X: S result: X", "result: S & 1",
    ],
)  # fmt: skip
def test_the_same_as_one_by_one(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With and without looks; the second way tries each of the 210 sorted rolls."""
    program = f"""function: num N:n {{ result: N + 1 }}
    function: two N:n {{ result: {{N, N}} }}
    function: die D:d {{ result: #D * 1000 + D }}
    function: f S:s {{ {body} }}"""
    seen = of("[f 6d{1, 2, 2, 3, 4, 7}]", program)
    monkeypatch.setattr("oddsmith.anydice.cases.WORTH_IT", 10**9)
    assert of("[f 6d{1, 2, 2, 3, 4, 7}]", program) == seen


def test_lowest_first_places(monkeypatch: pytest.MonkeyPatch) -> None:
    before = 'set "position order" to "lowest first" function: f S:s { result: 1@S * 10 + 5@S }'
    assert of("[f 5d5]", before) == rolled(lambda *x: min(x) * 10 + max(x), *[d(5)] * 5)


def test_a_pool_that_nobody_looks_at() -> None:
    assert of("[f 40d12]", "function: f S:s { result: d2 }") == {1: F(1, 2), 2: F(1, 2)}


def test_few_cases_are_tried() -> None:
    """Two pools of six ability scores: 74,613 sorted rolls each, and thirty-some sums."""
    program = """function: A:s over B:s { if A + 0 > B + 0 { result: 1@A } result: 1@B }
    output [6d[highest 3 of 4d6] over 6d[highest 3 of 4d6]]"""
    machine = Machine(program)
    machine.run()
    assert machine.work.spent < 120 * 400_000
    assert sum(dict(machine.outputs[0].law.items()).values()) == 1  # type: ignore[union-attr]


def test_it_is_quick() -> None:
    start = perf_counter()
    program = """function: f S:s { result: (S >= 8) - (S = 1) + 2 * [count 10 in S] }
    loop N over {1..20} { output [f Nd10] }"""
    assert len(run(program).outputs) == 20
    assert perf_counter() - start < 20
