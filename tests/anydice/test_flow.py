"""Helpers that are given the roll, two rolls, joined pools: each against every roll in Python."""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.anydice import run

from .programs import F, d, laws, of, rolled, together

HELPERS = """
function: hits in S:s at T:n { C: 0 loop X over S { if X >= T { C: C + 1 } } result: C }
function: lead of S:s { if 1@S = 2@S { result: 10 + [hits in S at 2] } result: 1@S }
function: S:s tops T:s { if 1@S > 1@T { result: S + 0 } if S < T { result: 0 - [lead of T] } }
function: row of S:s from I:n { if I > #S { result: 0 } result: (I@S > 2) + [row of S from I+1] }
function: worth X:n { if X = 1 { result: 7 } result: X / 2 }
function: twice D:d { result: D * 2 }
"""


def best(roll: tuple[int, ...]) -> list[int]:
    return sorted(roll, reverse=True)


def at(roll: tuple[int, ...], place: int) -> int:
    return best(roll)[place - 1] if 1 <= place <= len(roll) else 0


def hits(roll: tuple[int, ...], least: int) -> int:
    return sum(x >= least for x in roll)


def lead(roll: tuple[int, ...]) -> int:
    return 10 + hits(roll, 2) if at(roll, 1) == at(roll, 2) else at(roll, 1)


def tops(a: tuple[int, ...], b: tuple[int, ...]) -> int | None:
    """None where there is no result."""
    if max(a) > max(b):
        return sum(a)
    return -lead(b) if best(a) < best(b) else None


def worth(x: int) -> int:
    return 7 if x == 1 else int(x / 2)


# --- helpers

ONE: list[tuple[str, Callable[..., int]]] = [
    ("result: [hits in S at 3] * 10 + [hits in S at 4]",
     lambda *r: 10 * hits(r, 3) + hits(r, 4)),
    ("N: [lead of S] if N > 9 { result: N } M: [lead of S] result: N + 100 * M",
     lambda *r: lead(r) if lead(r) > 9 else 101 * lead(r)),
    ("result: [row of S from 1] + 10 * [row of S from 3]",
     lambda *r: sum(x > 2 for x in r) + 10 * sum(x > 2 for x in best(r)[2:])),
    ("N: 0 loop V over {1..4} { if [hits in S at V] = 2 { N: N + V } } result: N",
     lambda *r: sum(v for v in range(1, 5) if hits(r, v) == 2)),
    ("T: 2@S result: (S > T) * 10 + [count T in S] + 100 * [S contains T - 1]",
     lambda *r: 10 * sum(x > at(r, 2) for x in r) + r.count(at(r, 2))
     + 100 * (at(r, 2) - 1 in r)),
    ("I: (S >= 3) result: I@S * 10 + (I + 1)@S",
     lambda *r: 10 * at(r, hits(r, 3)) + at(r, hits(r, 3) + 1)),
    ("result: 1@[reverse S] * 10 + 2@[sort S]", lambda *r: 10 * min(r) + at(r, 2)),
    ("R: S result: #R@R * 10 + ((#S + 1) / 2)@R",
     lambda *r: 10 * min(r) + at(r, (len(r) + 1) // 2)),
    ("result: [twice S] + [worth 1@S]", lambda *r: 2 * sum(r) + worth(max(r))),
]  # fmt: skip


@pytest.mark.parametrize(("body", "same"), ONE)
def test_one_roll(body: str, same: Callable[..., int]) -> None:
    program = f"{HELPERS} function: f S:s {{ {body} }} output [f 4d5]"
    assert together(program, force=True) == [rolled(same, *[d(5)] * 4)]


TWO: list[tuple[str, Callable[[tuple[int, ...], tuple[int, ...]], int]]] = [
    ("N: 0 loop I over {1..#A} { if I@A > I@B { N: N + 1 } else { N: N - 1 } } result: N",
     lambda a, b: sum(1 if x > at(b, i) else -1 for i, x in enumerate(best(a), 1))),
    ("N: 0 loop V over {1..4} { N: N + (A = V) * (B = V) } result: N",
     lambda a, b: sum(a.count(v) * b.count(v) for v in range(1, 5))),
    ("if A > B { result: 1 } if A = B { result: 2 } result: 3 * (A <= B)",
     lambda a, b: 1 if best(a) > best(b) else 2 if best(a) == best(b) else 3),
    ("R: [sort {A, B}] result: {1..3}@R * 10 + (R >= 3)",
     lambda a, b: 10 * sum(best(a + b)[:3]) + hits(a + b, 3)),
    ("R: {B, A} result: [count {1, 4} in R] + 10 * 1@A + 100 * #R",
     lambda a, b: (a + b).count(1) + (a + b).count(4) + 10 * max(a) + 500),
    ("result: (A > 1@B) - (B > 2@A) * 5",
     lambda a, b: sum(x > max(b) for x in a) - 5 * sum(x > at(a, 2) for x in b)),
    ("N: 0 loop X over A { if X >= 1@B { N: N + X } } result: N",
     lambda a, b: sum(x for x in a if x >= max(b))),
    ("N: 0 loop I over {1..2} { N: N + I@A - I@B } if N > 0 { result: N } result: B - 1@B",
     lambda a, b: max(sum(best(a)[:2]) - sum(best(b)), 0) or sum(b) - max(b)),
    ("if 1@A > 2 { R: A } else { R: [sort {A, B}] } result: #A",
     lambda a, b: 3),
]  # fmt: skip


@pytest.mark.parametrize(("body", "same"), TWO)
def test_two_rolls(body: str, same: Callable[[tuple[int, ...], tuple[int, ...]], int]) -> None:
    program = f"{HELPERS} function: f A:s on B:s {{ {body} }} output [f 3d4 on 2d4]"
    assert together(program, force=True) == [rolled(lambda *r: same(r[:3], r[3:]), *[d(4)] * 5)]


def test_cases_of_a_helper_without_a_result_are_left_out() -> None:
    """Where neither is on top nothing is left of the sum, and the case is dropped."""
    program = f"{HELPERS} function: f A:s on B:s {{ result: 2 * [A tops B] }} output [f 2d3 on 2d3]"
    found = [tops((a, b), (x, y)) for a in d(3) for b in d(3) for x in d(3) for y in d(3)]
    kept = [2 * value for value in found if value is not None]
    assert len(kept) < len(found)
    expected = {value: F(kept.count(value), len(kept)) for value in kept}
    assert together(program, force=True) == [expected]


def test_lowest_first() -> None:
    """Places are counted from the lowest die, also in joined pools and from the other end."""
    program = """set "position order" to "lowest first"
        function: f A:s on B:s { R: [sort {A, B}]
            result: 1@A + 10 * 2@R + 100 * 1@[reverse B] } output [f 3d4 on 2d4]"""
    expected = rolled(
        lambda *r: min(r[:3]) + 10 * sorted(r)[1] + 100 * max(r[3:]), *[d(4)] * 5
    )  # fmt: skip
    assert together(program, force=True) == [expected]


def test_a_helper_that_gives_the_roll_back() -> None:
    """What it gives is a sequence, so places in it can be asked for."""
    program = """function: low of S:s { result: [reverse S] }
        function: f S:s { R: [low of S] result: 1@R * 10 + 2@R }"""
    assert of("[f 4d5]", program) == rolled(
        lambda *r: 10 * sorted(r)[0] + sorted(r)[1], *[d(5)] * 4
    )


def test_a_helper_that_is_given_dice_makes_cases() -> None:
    program = """function: S:s and N:n { result: 1@S + N } function: f S:s { result: [S and d3] }"""
    assert of("[f 4d5]", program) == rolled(lambda x, *r: max(r) + x, d(3), *[d(5)] * 4)


def test_a_call_with_new_dice_inside_goes_through_them_alike() -> None:
    """What the outer call has seen of its roll is not taken for what the inner one sees."""
    program = """function: few S:s { N: S >= 4 if N > 1 { result: N } result: 10 * 1@S }
        function: f S:s { N: S >= 3 if N > 2 { result: [few 3d5] } result: 1@S - 2@S }"""

    def few(*roll: int) -> int:
        return hits(roll, 4) if hits(roll, 4) > 1 else 10 * max(roll)

    def by_hand(*roll: int) -> int:
        return few(*roll[3:]) if hits(roll[:3], 3) > 2 else at(roll[:3], 1) - at(roll[:3], 2)

    assert together(f"{program} output [f 3d5]", force=True) == [rolled(by_hand, *[d(5)] * 6)]


def test_helpers_see_the_variables_of_their_caller() -> None:
    program = """X: 5 function: inner S:s { result: 1@S + X + Y }
        function: f S:s { X: 2@S Y: 100 result: [inner S] + X }"""
    assert of("[f 4d5]", program) == rolled(lambda *r: max(r) + 100 + 2 * at(r, 2), *[d(5)] * 4)


def test_variables_of_helpers_are_thrown_away() -> None:
    program = """function: inner S:s { X: 1@S Y: 7 result: X + Y }
        function: f S:s { X: 1 Z: [inner S] result: 100 * X + Z }"""
    assert of("[f 4d5]", program) == rolled(lambda *r: 107 + max(r), *[d(5)] * 4)


def test_what_the_depth_limit_cuts_is_told() -> None:
    """A die that shows two sixes in a row would be rolled a third time: 1/36 of them."""
    program = """set "maximum function depth" to 2
        function: f S:s { N: S = 6 if N > 0 { result: N + [f Nd6] } result: 0 } output [f 4d6]"""
    found = run(program)
    share = 1 - (F(35, 36)) ** 4
    text = f"({share.numerator}/{share.denominator}) of all rolls"
    assert any(text in warning for warning in found.warnings)


def test_more_calls_than_the_depth_limit_allows() -> None:
    """The eleventh call gives the empty die, which counts as 0 in a sum: ten dice are seen."""
    program = "function: f S:s from I:n { result: I@S + [f S from I + 1] }"
    assert of("[f 12d2 from 1]", program) == rolled(lambda *r: sum(best(r)[:10]), *[d(2)] * 12)


def test_a_mistake_is_said_in_the_words_of_the_program() -> None:
    from .programs import refused

    program = """function: inner S:s { result: 1@S + MISSING }
        function: f S:s { result: [inner S] } output [f 6d6]"""
    assert "MISSING" in refused(program).message


# --- large pools


def test_twelve_dice_and_two_helpers() -> None:
    """Tens and eights or more in 12d10, as two counts: a multinomial."""
    program = """function: hits in S:s at T:n { result: S >= T }
        function: f S:s { A: [hits in S at 8] B: [hits in S at 10] result: 100 * A + B }"""
    found = of("[f 12d10]", program)
    for a, b in ((0, 0), (5, 2), (12, 12), (7, 0)):
        ways = comb(12, a) * comb(a, b) * 2 ** (a - b) * 7 ** (12 - a)
        assert found.get(100 * a + b, 0) == F(ways, 10**12)


def test_sixes_and_dice_that_are_rolled_again() -> None:
    """Two faces of six tell little of a roll: it is not tried. A six is one, kept or on a second
    try; a one stays: 1/6 + 4/6 * 1/6 for each die."""
    program = """function: f S:s { N: S = 6 K: #S - N - (S = 1) result: N + [count 6 in Kd6] }
        output [f 20d6]"""
    (found,) = together(program)
    assert found[7] == comb(20, 7) * F(5, 18) ** 7 * F(13, 18) ** 13


def test_eight_places_of_two_rolls() -> None:
    """By symmetry: as many wins on either side, and all eight places won as often as lost."""
    program = """function: A:s on B:s { N: 0 M: 0 loop I over {1..#A} {
        if I@A > I@B { N: N + 1 } if I@A < I@B { M: M + 1 } } result: 10 * N + M }
        output [8d6 on 8d6]"""
    start = perf_counter()
    (found,) = laws(program)
    assert perf_counter() - start < 60
    assert all(found[10 * n + m] == found[10 * m + n] for n, m in ((8, 0), (3, 2), (5, 1)))
    equal = sum((F(weight, 6**8) ** 2 for weight in multinomials(8, 6)), F(0))
    assert found[0] == equal


def multinomials(count: int, faces: int) -> list[int]:
    """In how many ways each sorted roll comes up."""
    if faces == 1:
        return [1]
    return [
        comb(count, many) * ways
        for many in range(count + 1) for ways in multinomials(count - many, faces - 1)
    ]  # fmt: skip


# --- programs by chance

VALUES = [
    ("I@A", "at(A, I)"), ("I@B", "at(B, I)"), ("(I + 1)@A", "at(A, I + 1)"),
    ("(A >= 3)", "hits(A, 3)"), ("(B = I)", "B.count(I)"), ("[count I in A]", "A.count(I)"),
    ("(A > N)", "hits(A, N + 1)"), ("(M >= B)", "sum(M >= x for x in B)"),
    ("N@B", "at(B, N)"), ("[hits in A at I]", "hits(A, I)"), ("[hits in B at N]", "hits(B, N)"),
    ("[lead of A]", "lead(A)"), ("[lead of [sort {A, B}]]", "lead(A + B)"),
    ("{1, 3}@[sort {B, A}]", "(at(A + B, 1) + at(A + B, 3))"),
    ("(A + 0)", "sum(A)"), ("[worth 1@B]", "worth(at(B, 1))"),
    ("[row of A from 2]", "sum(x > 2 for x in best(A)[1:])"), ("(A < B)", "(best(A) < best(B))"),
    ("[B contains N]", "(N in B)"), ("2@[reverse A]", "sorted(A)[1]"), ("N", "N"), ("M", "M"),
    ("I", "I"), ("1", "1"),
]  # fmt: skip
"""Values in both languages."""


@st.composite
def statements(draw: st.DrawFn) -> tuple[str, str]:
    """A condition with its blocks, in both languages, inside a loop."""
    (a, a_code), (b, b_code), (x, x_code), (y, y_code) = (
        draw(st.sampled_from(VALUES)) for _ in range(4)
    )
    op = draw(st.sampled_from(["=", "<", ">="]))
    name, other = draw(st.sampled_from(["NM", "MN", "NN"]))
    no, no_code = draw(st.sampled_from([
        (f"{other}: {y} - 1", f"{other} = {y_code} - 1"), ("result: N - M", "return N - M"),
        ("", "pass"),
    ]))  # fmt: skip
    test = f"{a_code} {'==' if op == '=' else op} {b_code}"
    return (
        f"if {a} {op} {b} {{ {name}: {name} + {x} }} else {{ {no} }}",
        f"        if {test}: {name} = {name} + {x_code}\n        else: {no_code}",
    )


@settings(max_examples=150, deadline=None)
@given(
    st.lists(statements(), min_size=1, max_size=3),
    st.sampled_from([("{1..2}", range(1, 3)), ("{1..3}", range(1, 4)), ("{3, 1}", (3, 1))]),
    st.sampled_from([(3, (1, 2, 3), 2, (1, 2, 3)), (2, (1, 4), 3, (0, 2, 2, 5))]),
)
def test_random_programs(
    body: list[tuple[str, str]], over: tuple[str, object],
    pools: tuple[int, tuple[int, ...], int, tuple[int, ...]],
) -> None:  # fmt: skip
    many, faces, more, others = pools
    program = (
        f"{HELPERS} function: f A:s on B:s {{ N: 0 M: 1 loop I over {over[0]} {{ "
        f"{' '.join(text for text, _ in body)} }} result: N * 10 + M }}"
    )
    code = "\n".join([
        "def f(A, B):", "    N, M = 0, 1", f"    for I in {over[1]!r}:",
        *(text for _, text in body), "    return N * 10 + M",
    ])  # fmt: skip
    names: dict[str, Callable[..., int]] = {
        "at": at, "hits": hits, "lead": lead, "worth": worth, "best": best,
    }  # fmt: skip
    exec(code, names)
    a, b = ("{" + ", ".join(map(str, row)) + "}" for row in (faces, others))
    expected = rolled(lambda *r: names["f"](r[:many], r[many:]), *[faces] * many, *[others] * more)
    assert together(f"{program} output [f {many}d{a} on {more}d{b}]", force=True) == [expected]
