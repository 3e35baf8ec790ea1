"""Names inside brackets: rolls that are made anew wherever the brackets stand."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.some import quick
from oddsmith import odds
from oddsmith.errors import NotationError
from oddsmith.notation.parser import parse
from oddsmith.notation.roller import Roller
from oddsmith.notation.unparse import unparse

F = Fraction
ATTACKS = "3x(let a = d20; if a = 20 then 2d8+4 else if a + 7 >= 15 then d8+4 else 0)"


def chance(text: str) -> Any:
    """The exact chance."""
    return odds(text)[0].exact


def dist(text: str) -> Any:
    """The distribution."""
    return odds(text)[0].dist


def sums(one: dict[int, Fraction], count: int) -> dict[int, Fraction]:
    """So many of a kind added up, by adding one after the other."""
    total = {0: F(1)}
    for _ in range(count):
        after: dict[int, Fraction] = {}
        for (a, p), (b, q) in product(total.items(), one.items()):
            after[a + b] = after.get(a + b, F(0)) + p * q
        total = after
    return total


def one_attack() -> dict[int, Fraction]:
    """A 20 deals 2d8 + 4, 8 to 19 deal d8 + 4, the rest nothing."""
    found = {0: F(7, 20)}
    for a, b in product(range(1, 9), repeat=2):
        found[a + b + 4] = found.get(a + b + 4, F(0)) + F(1, 20 * 64)
    for a in range(1, 9):
        found[a + 4] = found.get(a + 4, F(0)) + F(12, 20 * 8)
    return found


def test_each_attack_has_its_own_roll_to_hit() -> None:
    wanted = sums(one_attack(), 3)
    assert dict(dist(ATTACKS).items()) == wanted
    assert chance(f"{ATTACKS} >= 15") == sum(p for total, p in wanted.items() if total >= 15)
    none = 1 - sum((p for total, p in one_attack().items() if total >= 10), F(0))
    assert chance(f"{ATTACKS} highest >= 10") == 1 - none**3


BODIES = ["{x} * {x}", "if {x} >= 3 then {x} + d4 else 0", "{x} - {x} // 2", "max({x}, d4) + {x}"]
ROLLS = ["d4", "2d3", "d6kh1", "3d4kh2", "d{{1, 1, 5}}", "d4 - 2"]


@quick(40)
@given(st.sampled_from(BODIES), st.sampled_from(ROLLS), st.integers(-3, 20))
def test_the_same_as_names_for_all(body: str, roll: str, bound: int) -> None:
    """Two brackets are two names in front."""
    roll = roll.replace("{{", "{").replace("}}", "}")
    inside = body.format(x="a")
    outside = f"let a = {roll}; let b = {roll}; ({inside}) + ({body.format(x='b')})"
    wanted = dist(outside)
    assert dist(f"2x(let a = {roll}; {inside})") == wanted
    assert dist(f"(let a = {roll}; {inside}) + (let a = {roll}; {inside})") == wanted
    asked = f"({inside}) >= {bound}"
    assert chance(f"(let a = {roll}; {asked})") == chance(f"let a = {roll}; {asked}")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # 1 of 6 each; two names for one die agree
        ("(let a = d6; a = a)", F(1)),
        ("(let a = d6; a = 6) and (let a = d6; a = 6)", F(1, 36)),
        # the die outside is shared: both are 6, or one of them with the d6 outside
        ("let b = d2; 2x(let a = d2; a * b) = 8", F(1, 8)),
        ("let b = d2; 2x(let a = d2; a * b) = 4", F(1, 8) + F(1, 8)),
        # dice of a pool outside, looked at inside: 1, 2 and 2, 1 have the highest less the lowest 1
        ("let p = 2d2; (let q = p kh1; q - p kl1 + d2) = 1", F(1, 2) * F(1, 2)),
        ("(let p = 2d2; p kh1 - p kl1) = 1", F(1, 2)),
        # names that use one another: 1 + 1, 1 + 2, 2 + 1, 2 + 2 times the first
        ("(let a = d2; let b = a + d2; a * b) = 6", F(1, 4)),
        ("(let a = (let b = d2; b + b); a * a) = 16", F(1, 2)),
        ("if (let a = d4; a * a >= 9) then d2 = 1 else d4 = 1", F(3, 8)),
        ("(let a = d6; let c = a; if c > 5 then c else 1) >= 2", F(1, 6)),
    ],
)
def test_counted_by_hand(text: str, wanted: Fraction) -> None:
    assert chance(text) == wanted
    assert unparse(parse(unparse(parse(text)))) == unparse(parse(text))
    assert parse(unparse(parse(text))) == parse(text)


def test_an_endless_die_is_enclosed() -> None:
    """a - a // 2 >= 4 says a >= 7, which a first 6 and any die more give."""
    (found,) = odds("(let a = d6!; a - a // 2) >= 4")
    assert found.low is not None
    assert found.high is not None
    assert found.low <= F(1, 6) <= found.high < found.low + F(1, 10**12)


def test_the_reading_names_what_is_rolled() -> None:
    assert odds("3x(let a = d20; a + a) >= 9")[0].reading == (
        "3 separate results of (a is one roll of a twenty-sided die; a, plus a), "
        "the total is 9 or more"
    )


def test_rolled_anew_in_each_place() -> None:
    """Doubled, each result is even; the sum of two of them differs from 4 a somewhere."""
    text = "let b = d6; 2x(let a = d6; a + a), (let a = d6; a + a), (let a = b; a - b)"
    roller = Roller(parse(text), text, np.random.default_rng(7))
    rolled = [roller.once() for _ in range(200)]
    assert all(sum_ % 2 == 0 == one % 2 and nothing == 0 for sum_, one, nothing in rolled)
    assert {sum_ % 4 for sum_, _, _ in rolled} == {0, 2}
    assert {one for _, one, _ in rolled} == {2, 4, 6, 8, 10, 12}


@pytest.mark.parametrize(
    ("text", "message", "mend"),
    [
        ("3x(let a = d20 a)", "semicolon must follow", "3x(let a = d20; a + a)"),
        ("3x(let a = d20; )", "no question", "a"),
        ("3x(let a = d20)", "semicolon must follow", "a + a"),
        ("3x(let a = d20; a", "never closed", ")"),
        ("let a = d6; 2x(let a = d4; a)", "bound already", "another name"),
        ("(let a = d6; let a = d4; a)", "bound already", "another name"),
        ("(let a = b; let b = d4; a)", "used before it is bound", "further up"),
        ("(let a = d6; a) + a", "not known", "let a = d20"),
        ("2x(let a = d6; a vs 3)", "outside of a result", "brackets"),
        ("2x(let a = d6; a given a > 3)", "outside of a result", "let"),
        ("(let d = d6; d)", "already means", "another name"),
    ],
)
def test_one_clear_error(text: str, message: str, mend: str) -> None:
    with pytest.raises(NotationError) as caught:
        odds(text)
    assert message in str(caught.value)
    assert mend in str(caught.value)
