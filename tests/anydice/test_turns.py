"""Loops over the dice of a roll: each against a plain Python function of every roll."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby, pairwise
from math import comb, perm

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.anydice import cases, run

from .programs import F, Law, d, law, of, rolled, together

HEAD = "function: f S:s { "
RUNS = """N: 0 B: 0 loop I over {1..#S} {
    if I@S = (I-1)@S { N: N + 1 } else { N: 1 } if N > B { B: N } } result: B"""
STRAIGHT = """N: 1 B: 1 loop I over {2..#S} {
    if I@S = (I-1)@S - 1 { N: N + 1 } if I@S < (I-1)@S - 1 { N: 1 }
    B: [highest of B and N] } result: B"""


def sizes(*roll: int) -> list[int]:
    return [len(list(group)) for _, group in groupby(sorted(roll))]


def longest(*roll: int) -> int:
    best = now = 1
    faces = sorted(set(roll))
    for a, b in pairwise(faces):
        now = now + 1 if b == a + 1 else 1
        best = max(best, now)
    return best


def capped(*roll: int) -> int:
    total = 0
    for face in sorted(roll, reverse=True):
        if total + face > 12:
            return total
        total += face
    return total


CASES: list[tuple[str, Callable[..., int]]] = [
    (RUNS, lambda *r: max(sizes(*r))),
    (STRAIGHT, longest),
    ("N: 0 loop X over S { if X >= 5 { N: N + 2 } else { N: N - X } } result: N",
     lambda *r: sum(2 if x >= 5 else -x for x in r)),
    ("N: 0 loop X over S { if N + X > 12 { result: N } N: N + X } result: N", capped),
    ("N: 0 loop I over {1..#S} { if I@S = (I+1)@S { N: N + I } } result: N",
     lambda *r: sum(i + 1 for i, (a, b) in enumerate(
         zip(sorted(r, reverse=True), sorted(r, reverse=True)[1:], strict=False)) if a == b)),
    ("N: 0 loop I over {3..9} { N: N * 2 + I@S } result: N",
     lambda *r: sorted(r)[1] * 64 + sorted(r)[0] * 32),
    ("N: 0 P: 0 loop I over {1..3} { T: I@S - (I + 2)@S if T > P { P: T } N: N + T } result: N + P",
     lambda *r: (lambda s: (lambda t: sum(t) + max(0, *t))(
         [s[0] - s[2], s[1] - s[3], s[2]]))(sorted(r, reverse=True))),
    ("loop X over S { if X = 3 { result: 100 } } result: #S", lambda *r: 100 if 3 in r else 4),
    ("loop X over S { } result: X", lambda *r: min(r)),
    ("loop I over {1..#S} { L: I@S } result: L * 10 + I", lambda *r: 10 * min(r) + 4),
    ("loop I over {1..2} { if I@S = 6 { N: 5 } else { N: I } } result: N",
     lambda *r: 5 if sorted(r)[2] == 6 else 2),
    ("N: {} loop X over S { if X > 3 { N: {X, N} } } result: 1@N * 10 + #N",
     lambda *r: min([x for x in r if x > 3], default=0) * 10 + sum(x > 3 for x in r)),
    ("if #S > 9 { result: 1 } loop X over S { if X = 1 { result: 2 } } result: 3",
     lambda *r: 2 if 1 in r else 3),
]  # fmt: skip


def farkle(*roll: int) -> int:
    """Three of a kind or more, and single ones and fives."""
    score = 0
    for face in range(1, 7):
        count = roll.count(face)
        if count >= 3:
            score += (10 if face == 1 else face) * (count - 2)
        elif face in (1, 5):
            score += count
    return score


def neighbours(*roll: int) -> int:
    return sum(min(roll.count(v), roll.count(v + 1)) + (v - 1 in roll) for v in range(1, 7))


def widest(*roll: int) -> int:
    """The widest matching set, of the highest face among equal ones."""
    best = max(range(2, 7), key=lambda v: (roll.count(v), v))
    return roll.count(best) * 10 + best if roll.count(best) > 1 else 0


FACES: list[tuple[str, Callable[..., int]]] = [
    ("""N: 0 loop V over {1..6} { C: [count V in S]
        if C >= 3 { if V = 1 { N: N + 10 * (C-2) } else { N: N + V * (C-2) } }
        else { if V = 1 | V = 5 { N: N + C } } } result: N""", farkle),
    ("N: 0 loop V over {1..6} { if S = V >= 2 { N: N + 1 } } result: N",
     lambda *r: sum(r.count(v) >= 2 for v in range(1, 7))),
    ("""N: 0 loop V over {1..6} {
        N: N + [lowest of [count V in S] and [count V+1 in S]] + [S contains V - 1] } result: N""",
     neighbours),
    ("""W: 1 H: 0 loop V over {6, 5, 4, 3, 2} { C: V = S if C > W { W: C H: V } }
        if W = 1 { result: 0 } result: W * 10 + H""", widest),
    ("""B: 0 N: 0 loop V over {6, 5, 4, 3, 2, 1} {
        if [S contains V] & [S contains V + 1] { N: N + 1 } else { N: [S contains V] }
        B: [highest of B and N] } result: B""", longest),
    ("loop V over {9, 2, 5} { if S = V { result: V } } result: #S",
     lambda *r: 2 if 2 in r else 5 if 5 in r else 4),
    ("loop V over {1..6} { if [count V in S] > 2 { result: 1d2 } } result: 0", lambda *r: 0),
]  # fmt: skip


@pytest.mark.parametrize(("body", "same"), FACES[:-1])
def test_face_by_face(body: str, same: Callable[..., int]) -> None:
    assert of("[f 4d6]", f"{HEAD}{body} }}") == rolled(same, *[d(6)] * 4)


def test_dice_as_results_face_by_face() -> None:
    body = FACES[-1][0]
    expected = rolled(lambda a, *r: a if max(sizes(*r)) > 2 else 0, d(2), *[d(6)] * 4)
    assert of("[f 4d6]", f"{HEAD}{body} }}") == expected


@pytest.mark.parametrize("body", [body for body, _ in FACES])
def test_faces_are_not_tried_roll_by_roll(body: str) -> None:
    """So that the test above tests the steps."""
    assert together(f"{HEAD}{body} }} output [f 7d6]")


def test_a_count_of_our_own() -> None:
    """A function that replaces a built-in one is called as any other."""
    program = """function: count V:n in S:s { result: V * 1@S }
        function: f S:s { N: 0 loop V over {1..2} { N: N + [count V in S] } result: N }"""
    assert of("[f 4d6]", program) == rolled(lambda *r: 3 * max(r), *[d(6)] * 4)


def test_pairs_in_sixteen_dice() -> None:
    """No face twice with 4d6: 6 * 5 * 4 * 3 / 6**4; with sixteen d12 there is always a pair."""
    body = "N: 0 loop V over {1..12} { if S = V >= 2 { N: N + 1 } } result: N"
    found = of("[f 16d12]", f"{HEAD}{body} }}")
    assert 0 not in found
    assert found[1] == F(12 * sum(comb(16, k) * perm(11, 16 - k) for k in range(5, 17)), 12**16)


@pytest.mark.parametrize(("body", "same"), CASES)
def test_the_same_as_every_roll(body: str, same: Callable[..., int]) -> None:
    assert of("[f 4d6]", f"{HEAD}{body} }}") == rolled(same, *[d(6)] * 4)


HAND_ON = "loop X over S { }", "loop I over {1..#S} { L", "loop I over {1..2} { if"
"""Loops after which a variable is read that an empty loop would not have set."""


@pytest.mark.parametrize("body", [body for body, _ in CASES if not body.startswith(HAND_ON)])
def test_dice_are_not_tried_roll_by_roll(body: str) -> None:
    """So that the test above tests the steps."""
    assert together(f"{HEAD}{body} }} output [f 7d6]", force="N: {}" in body)


def test_dice_that_come_to_no_result_are_left_out() -> None:
    """With no six among four dice: at most 5."""
    body = "loop X over S { if X = 6 { result: d{} } } result: 1@S"
    assert of("[f 4d6]", f"{HEAD}{body} }}") == rolled(lambda *r: max(r), *[d(5)] * 4)


def test_dice_as_results_are_mixed_in() -> None:
    """A d2 more for each six that is met first; else the lowest die."""
    body = "loop X over S { if X = 6 { result: 10 + d2 } result: X }"
    expected = rolled(lambda a, *r: 10 + a if max(r) == 6 else max(r), d(2), *[d(6)] * 4)
    assert of("[f 4d6]", f"{HEAD}{body} }}") == expected


def test_other_parameters_make_cases() -> None:
    program = """function: T:n of S:s with A:s { N: 0
        loop X over S { if X >= T { N: N + X } } result: N + 1@A }
        output [d3 of 4d6 with d2]"""
    expected = rolled(lambda t, a, *r: sum(x for x in r if x >= t) + a, d(3), d(2), *[d(6)] * 4)
    assert law(program) == expected


def test_lowest_first() -> None:
    program = f'set "position order" to "lowest first" {HEAD}loop X over S {{ }} result: X }}'
    assert of("[f 4d6]", program) == rolled(lambda *r: max(r), *[d(6)] * 4)


def test_functions_that_are_called_in_a_turn() -> None:
    program = """function: worth X:n { if X = 1 { result: 10 } result: X / 2 }
        function: f S:s { N: 0 loop X over S { N: N + [worth X] } result: N }"""
    assert of("[f 4d6]", program) == rolled(
        lambda *r: sum(10 if x == 1 else x // 2 for x in r), *[d(6)] * 4
    )


def test_functions_that_see_the_roll_as_well() -> None:
    """Variables are seen by the functions that are called: this is no walk die by die."""
    program = """function: worth X:n { result: X * 1@S }
        function: f S:s { N: 0 loop X over S { N: N + [worth X] } result: N }"""
    assert of("[f 4d6]", program) == rolled(lambda *r: sum(r) * max(r), *[d(6)] * 4)


def test_functions_that_go_too_deep() -> None:
    """What the depth limit cuts is left to the plain way."""
    program = """set "maximum function depth" to 2
        function: down N:n { if N = 0 { result: 5 } result: [down N - 1] }
        function: f S:s { N: 0 loop X over S { N: [down X] } result: N }"""
    found = run(f"{program} output [f 4d6]")
    assert any("maximum function depth" in text for text in found.warnings)


def test_sixty_dice() -> None:
    """The longest row of equal faces with 60d2 is the larger of two parts of 60."""
    found = of("[f 60d2]", f"{HEAD}{RUNS} }}")
    assert found[60] == F(2, 2**60)
    assert found[30] == F(comb(60, 30), 2**60)
    assert found[31] == F(2 * comb(60, 29), 2**60)


# --- programs by chance

PLACES = ["I@S", "(I+1)@S", "(I-1)@S", "(I - 2)@S", "(2 + I)@S"]
OVER = ["{1..#S}", "{2..#S}", "{1..2}", "{1..6}", "{2..3}"]


@st.composite
def conditions(draw: st.DrawFn) -> tuple[str, str]:
    """A condition in both languages."""
    left = draw(st.sampled_from([*PLACES, "N", "M"]))
    right = draw(st.sampled_from([*PLACES, "N", "2", "3", "I"]))
    op = draw(st.sampled_from(["=", "<", ">=", "!="]))
    return f"{left} {op} {right}", f"{python(left)} {'==' if op == '=' else op} {python(right)}"


def python(text: str) -> str:
    """A place or a value in Python."""
    return f"at({text[:-2]})" if text.endswith("@S") else text


@st.composite
def changes(draw: st.DrawFn) -> tuple[str, str]:
    """A statement in both languages."""
    kind = draw(st.integers(0, 9))
    if kind == 0:
        return "result: N * 7 + M", "return N * 7 + M"
    name = draw(st.sampled_from("NM"))
    base = draw(st.sampled_from(["N", "M", "0"]))
    more = draw(st.sampled_from([*PLACES, "I", "1", "M"]))
    return f"{name}: {base} + {more}", f"{name} = {base} + {python(more)}"


COUNTS = ["(S = V)", "[count V + 1 in S]", "(V - 1 = S)", "[S contains V]", "[count V+2 in S]"]
COUNTED = {
    "(S = V)": "S.count(V)", "[count V + 1 in S]": "S.count(V + 1)",
    "(V - 1 = S)": "S.count(V - 1)",
    "[S contains V]": "(V in S)", "[count V+2 in S]": "S.count(V + 2)",
}  # fmt: skip


@st.composite
def counting(draw: st.DrawFn) -> tuple[str, str]:
    """A function of the number of dice of each face in both languages."""
    row = draw(st.sampled_from([(1, 2, 3), (0, 1, 2, 3, 4), (3, 2, 1), (5, 4, 3)]))
    lines, code = [], []
    for _ in range(draw(st.integers(1, 3))):
        left, more = draw(st.sampled_from(COUNTS)), draw(st.sampled_from([*COUNTS, "V", "1", "M"]))
        right = draw(st.sampled_from(["1", "2", "N", "V"]))
        op, name = draw(st.sampled_from(["<", ">="])), draw(st.sampled_from("NM"))
        lines.append(f"if {left} {op} {right} {{ {name}: N + {more} }}")
        code.append(f"        if {COUNTED[left]} {op} {right}: {name} = N + "
                    f"{COUNTED.get(more, more)}")  # fmt: skip
    if draw(st.booleans()):
        lines.append("if N > 6 { result: M }")
        code.append("        if N > 6: return M")
    over = ", ".join(map(str, row))
    body = f"N: 0 M: 1 loop V over {{{over}}} {{ {' '.join(lines)} }} result: N * 10 + M + V"
    return f"{HEAD}{body} }}", "\n".join([
        "def f(*S):", "    N, M = 0, 1", f"    for V in {row}:", *code,
        "    return N * 10 + M + V",
    ])  # fmt: skip


@st.composite
def functions(draw: st.DrawFn) -> tuple[str, str]:
    """A function of a roll in both languages."""
    over = draw(st.sampled_from(OVER))
    low, high = over.strip("{}").split("..")
    lines, code = [], []
    for _ in range(draw(st.integers(1, 3))):
        test, same = draw(conditions())
        (yes, yes_code), (no, no_code) = draw(changes()), draw(changes())
        lines.append(f"if {test} {{ {yes} }} else {{ {no} }}")
        code += [f"        if {same}: {yes_code}", f"        else: {no_code}"]
    last, last_code = draw(st.sampled_from([("N", "N"), ("N * 10 + M", "N * 10 + M"),
                                            ("M + I", "M + I")]))  # fmt: skip
    body = f"N: 0 M: 1 loop I over {over} {{ {' '.join(lines)} }} result: {last}"
    stop = "len(S)" if high == "#S" else high
    return f"{HEAD}{body} }}", "\n".join([
        "def f(*roll):", "    S = sorted(roll, reverse=True)",
        "    at = lambda k: S[k - 1] if 1 <= k <= len(S) else 0", "    N, M = 0, 1",
        f"    for I in range({low}, {stop} + 1):", *code, f"    return {last_code}",
    ])  # fmt: skip


ROLLED = [(4, (1, 2, 3, 4, 5, 6)), (7, (0, 1, 2)), (5, (-1, 1, 1, 3))]
"""How many dice, and their faces."""


@settings(max_examples=100, deadline=None)
@given(
    st.one_of(functions(), counting()),
    st.sampled_from([(4, (1, 2, 3, 4, 5, 6)), (7, (0, 1, 2)), (5, (-1, 1, 1, 3))]),
)
def test_random_loops(pair: tuple[str, str], pool: tuple[int, tuple[int, ...]]) -> None:
    program, code = pair
    names: dict[str, Callable[..., int]] = {}
    exec(code, names)
    count, faces = pool
    expected: Law = rolled(names["f"], *[faces] * count)
    die = "{" + ", ".join(map(str, faces)) + "}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cases, "WORTH_IT", 0)
        assert of(f"[f {count}d{die}]", program) == expected
