"""Loops over known numbers: what a turn looks at is then known, and large pools are no matter."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from oddsmith.anydice import cases, run

from .programs import F, d, law, laws, of, rolled


@pytest.fixture(autouse=True)
def every_pool_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that small pools, which can be tried by hand, are folded, too."""
    monkeypatch.setattr(cases, "WORTH_IT", 0)


def best(roll: tuple[int, ...]) -> list[int]:
    return sorted(roll, reverse=True)


def pairs(*roll: int) -> int:
    a, b = best(roll[:3]), best(roll[3:])
    return sum(x > y for x, y in zip(a[:2], b, strict=False))


TWO = "function: f A:s on B:s { "
CASES: list[tuple[str, str, Callable[..., int], int]] = [
    (f"{TWO} N: 0 loop I over {{1..2}} {{ if I@A > I@B {{ N: N + 1 }} }} result: N }}",
     "[f 3d6 on 2d6]", pairs, 5),
    (f"{TWO} loop I over {{1..[lowest of #A and #B]}} {{ if I@A != I@B {{ result: I@A - I@B }} }}"
     "result: 0 }", "[f 3d4 on 3d4]",
     lambda *r: next((x - y for x, y in zip(best(r[:3]), best(r[3:]), strict=True) if x != y), 0),
     6),
    (f"{TWO} N: 0 loop I over {{1, 3}} {{ loop J over {{I..2}} {{ N: N + (I@A = J@B) }} }}"
     "result: N }", "[f 3d4 on 2d4]",
     lambda *r: sum(best(r[:3])[0] == x for x in best(r[3:])), 5),
    ("function: f A:s { N: 0 loop V over {2, 4, 5} { N: N * 4 + [count V in A] } result: N }",
     "[f 3d6]", lambda *r: 16 * r.count(2) + 4 * r.count(4) + r.count(5), 3),
    ("function: f A:s { N: 0 loop V over {1..3} { if A = V { N: N + V } } result: N * A }",
     "[f 3d3]", lambda *r: sum(v for v in (1, 2, 3) if r.count(v)) * sum(r), 3),
]  # fmt: skip


@pytest.mark.parametrize(("program", "call", "same", "count"), CASES)
def test_the_same_as_every_roll(
    program: str, call: str, same: Callable[..., int], count: int
) -> None:
    sides = int(call[-2])
    assert of(call, program) == rolled(same, *[d(sides)] * count)


def test_three_best_of_thirty_against_three_best_of_thirty() -> None:
    """The highest of each alone: it is a tie with the chance of equal maxima."""
    program = """function: f A:s on B:s { N: 0
        loop I over {1..1} { if I@A = I@B { N: 1 } } loop I over {2..3} { N: N + 2*(I@A = 0) }
        result: N }"""
    tie = sum((F(k**30 - (k - 1) ** 30, 10**30) ** 2 for k in range(1, 11)), F(0))
    assert of("[f 30d10 on 30d10]", program)[1] == tie


def test_a_length_that_comes_from_another_parameter() -> None:
    program = """function: best N:n of A:s { T: 0
        loop I over {1..N} { T: T + I@A } result: T } output [best 2 of 4d4]"""
    assert law(program) == rolled(lambda *r: sum(best(r)[:2]), *[d(4)] * 4)


def test_a_length_that_is_rolled_itself() -> None:
    program = """function: best N:n of A:s { T: 0
        loop I over {1..N} { T: T + I@A } result: T } output [best d2 of 3d4]"""
    assert law(program) == rolled(lambda n, *r: sum(best(r)[:n]), d(2), *[d(4)] * 3)


def test_the_variable_of_the_loop_stays() -> None:
    program = """function: f A:s { loop V over {1..2} { N: V@A } result: N * 10 + V }"""
    assert of("[f 3d4]", program) == rolled(lambda *r: 10 * best(r)[1] + 2, *[d(4)] * 3)


def test_a_variable_that_is_changed_in_the_loop() -> None:
    program = """function: f A:s { N: 0 loop V over {1..2} { V: V + 1 N: N + V@A } result: N }"""
    assert of("[f 3d4]", program) == rolled(lambda *r: sum(best(r)[1:]), *[d(4)] * 3)


def test_which_loops_are_written_out_may_differ() -> None:
    """Two loops, of which the first is written out in one call and the second in the other."""
    program = """function: f B:s upto X:n and Y:n { C: 0
        loop I over {1..X} { C: C + (B = I) }
        loop J over {1..Y} { C: C + 10*(B >= 4) } result: C }
        output [f 2d40 upto 30 and 20] output [f 2d40 upto 50 and 30]"""
    first, second = laws(program)
    for found, low, turns in ((first, 30, 20), (second, 50, 30)):
        assert found == rolled(
            lambda *r, low=low, turns=turns: (
                sum(x <= low for x in r) + 10 * turns * sum(x >= 4 for x in r)
            ),
            d(40), d(40),
        )  # fmt: skip


def test_what_is_remembered_is_paid_once() -> None:
    """The first cases are dear, as what they call is not known yet; the others cost nothing."""
    program = """function: heavy A:s and B:s { result: {1..2}@[sort {A, B}] }
        function: f A:n and B:n { if A > B { result: 0 } result: [heavy 4d8 and 3d8] }
        output [f d300 and d300]"""
    assert law(program)[0] == F(299, 600)
    assert run(program, budget=10_000_000).outputs[0].rows[0] == (0, F(299, 600))
