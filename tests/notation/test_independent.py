"""Names that need not be drawn together: small results against all outcomes, and large ones."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.some import quick
from oddsmith import odds
from oddsmith.notation import nodes as n
from oddsmith.notation.independent import apart, bounds, cells
from oddsmith.notation.parser import parse

F = Fraction
DICE = {"a": 4, "b": 3, "c": 6}
Env = dict[str, int]

# --- random trees against all joint outcomes


def leaves() -> st.SearchStrategy[Any]:
    names = st.sampled_from(sorted(DICE)).map(lambda x: (x, lambda env, x=x: env[x]))
    return names | st.integers(0, 5).map(lambda k: (str(k), lambda env, k=k: k))


def grown(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    signs: dict[str, Callable[[Any, Any], Any]] = {
        "+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y,
    }  # fmt: skip
    sums = st.tuples(inner, st.sampled_from(sorted(signs)), inner).map(
        lambda t: (f"({t[0][0]} {t[1]} {t[2][0]})",
                   lambda env, t=t: signs[t[1]](t[0][1](env), t[2][1](env)))
    )  # fmt: skip
    branches = st.tuples(inner, st.integers(0, 6), inner, inner).map(
        lambda t: (f"(if {t[0][0]} >= {t[1]} then {t[2][0]} else {t[3][0]})",
                   lambda env, t=t: t[2][1](env) if t[0][1](env) >= t[1] else t[3][1](env))
    )  # fmt: skip
    most = st.tuples(inner, inner).map(
        lambda t: (f"max({t[0][0]}, {t[1][0]})",
                   lambda env, t=t: max(t[0][1](env), t[1][1](env)))
    )  # fmt: skip
    both = st.tuples(inner, st.sampled_from(["and", "or"]), inner, st.integers(0, 6)).map(
        lambda t: (f"({t[0][0]} >= {t[3]} {t[1]} {t[2][0]} < {t[3]})",
                   lambda env, t=t: int(
                       (t[0][1](env) >= t[3]) and (t[2][1](env) < t[3]) if t[1] == "and"
                       else (t[0][1](env) >= t[3]) or (t[2][1](env) < t[3])))
    )  # fmt: skip
    return sums | branches | most | both


TREES = st.recursive(leaves(), grown, max_leaves=6)


@quick(150)
@given(TREES, st.integers(-3, 12))
def test_every_joint_outcome(tree: Any, bound: int) -> None:
    text, value = tree
    names = sorted(DICE)
    outcomes = [
        value(dict(zip(names, faces, strict=True)))
        for faces in product(*(range(1, DICE[name] + 1) for name in names))
    ]
    lets = "; ".join(f"let {name} = d{sides}" for name, sides in DICE.items())
    wanted = F(sum(x >= bound for x in outcomes), len(outcomes))
    assert odds(f"{lets}; {text} >= {bound}")[0].exact == wanted, text


@quick(60)
@given(
    st.sampled_from(["d6", "d6!", "2d4!!", "d6! // 2", "d4 - 3", "d4 / 2"]),
    st.lists(st.tuples(st.sampled_from([">=", ">", "<=", "<", "=", "<>"]), st.integers(-2, 9)),
             min_size=2, max_size=4),
    st.sampled_from(["and", "or"]),
)  # fmt: skip
def test_a_name_held_against_numbers(roll: str, tests: list[tuple[str, int]], word: str) -> None:
    """The chances of all outcomes up to 40 that pass, and of those beyond if they pass."""
    text = f" {word} ".join(f"x {op} {number}" for op, number in tests)
    (found,) = odds(f"let x = {roll}; {text}")
    dist = odds(roll)[0].dist
    compare: dict[str, Callable[[Any, Any], bool]] = {
        ">=": lambda a, b: a >= b, ">": lambda a, b: a > b, "<=": lambda a, b: a <= b,
        "<": lambda a, b: a < b, "=": lambda a, b: a == b, "<>": lambda a, b: a != b,
    }  # fmt: skip
    join = all if word == "and" else any
    low = sum(
        (
            dist.p(F(k, 2))
            for k in range(-10, 81)
            if join(compare[op](F(k, 2), t) for op, t in tests)
        ),
        F(0),
    )
    beyond = dist.more_than(40) if join(compare[op](100, t) for op, t in tests) else F(0)
    assert found.exact == low + beyond


# --- by hand


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("let r = d6!; r = 7 or r = 8", F(1, 36) * 2),
        ("let r = d6!; r >= 7 and r <= 12", F(5, 36)),
        ("let r = d6!; r in {7, 8} or r = 1", F(2, 36) + F(1, 6)),
        ("let r = d6!; 2 <= r < 4 or r > 12", F(2, 6) + F(1, 36)),
        # two ways to be ahead: 1/4 * 3/4 for one of them; each name stands in its own part
        ("let a = d4; let b = d4; (a = 1 or a = 2) and (b = 3 or b = 4)", F(1, 4)),
        ("let a = d4; let b = a; (a = 1 or b = 2) and (a = 1 or b = 4)", F(1, 4)),
    ],
)
def test_counted_by_hand(text: str, wanted: Fraction) -> None:
    assert odds(text)[0].exact == wanted


def test_the_mean_of_an_open_ended_choice() -> None:
    """1 to 5 give 1, 6 to 9 and what follows a 10 ..: 1/2 * 1 + 4/10 * 2 + 1/10 * 4."""
    dist = odds("let r = d10!; if r <= 5 then 1 else if r <= 10 then 2 else 4")[0].dist
    assert dist.mean == F(1, 2) + F(8, 10) + F(4, 10)


def test_five_attacks_at_once() -> None:
    """Means add up: a 20 of 20 faces deals 18, 5 to 19 deal 11."""
    names = "abcef"
    lets = "; ".join(f"let {x} = d20" for x in names)
    attacks = " + ".join(
        f"(if {x} = 20 then 4d6+4 else if {x}+6 >= 11 then 2d6+4 else 0)" for x in names
    )
    dist = odds(f"{lets}; {attacks}")[0].dist
    assert dist.mean == 5 * (F(1, 20) * 18 + F(15, 20) * 11)
    assert dist.p(0) == F(4, 20) ** 5


def test_three_arrays_side_by_side() -> None:
    """One array has a best of 16 and more and no total below 6: by the sums of 3d6, of which 10 of
    216 are 16 and more and 10 below 6."""
    one = F(206, 216) ** 6 - F(196, 216) ** 6
    text = (
        "; ".join(f"let {x} = 6x(3d6)" for x in "abc")
        + "; "
        + " or ".join(f"({x} highest >= 16 and {x} lowest >= 6)" for x in "abc")
    )
    assert odds(text)[0].exact == 1 - (1 - one) ** 3


def test_a_shared_name_keeps_its_parts_together() -> None:
    program = parse("let a = d4; let b = d4; a * a + b * b + a")
    body = program.results[0].body

    def free(node: n.Node) -> frozenset[str]:
        return frozenset(x.name for x in node.walk() if isinstance(x, n.Name))

    assert len(apart(body, free)) == 1
    assert bounds("a", [body]) is None
    assert cells("text", [1]) == "text"


def test_a_repetition_shares_what_is_rolled_outside() -> None:
    """Both results are the same number: their sum is even."""
    assert odds("let a = d6; let b = d6; 2x(a * a) = 8 and b + b = 4")[0].exact == F(1, 36)
