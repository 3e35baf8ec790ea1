"""Powers, questions side by side, and what is refused because it would be read another way."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

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


# --- powers


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1 - (5/6)^4", 1 - F(5, 6) ** 4),
        ("-2^2", -4), ("(-2)^2", 4), ("2^3^2", 2**9), ("(2^3)^2", 64), ("2**10", 1024),
        ("3*2^2", 12), ("2^0", 1), ("(1/2)^3", F(1, 8)), ("7//2^1", 3),
    ],
)  # fmt: skip
def test_powers_of_numbers(text: str, wanted: Fraction) -> None:
    assert odds(text)[0].dist.items() == [(wanted, 1)]
    assert parse(unparse(parse(text))) == parse(text)
    roller = Roller(parse(text), text, np.random.default_rng(1))
    assert roller.once() == (wanted,)


@quick(30)
@given(st.integers(2, 6), st.integers(-4, 4), st.integers(0, 4))
def test_powers_of_one_roll(sides: int, shift: int, power: int) -> None:
    found = odds(f"(2d{sides} + {shift})^{power}")[0].dist
    rolls = [sum(r) + shift for r in product(range(1, sides + 1), repeat=2)]
    for value in {x**power for x in rolls}:
        assert found.p(value) == F(sum(x**power == value for x in rolls), len(rolls))
    assert sum(p for _, p in found.items()) == 1


def test_the_square_of_a_name_and_of_two_dice() -> None:
    """3, 4 and 4, 3; a roll and its own square are 20 and more from 4 on."""
    assert odds("let a = d6; let b = d6; a^2 + b^2 = 25")[0].exact == F(2, 36)
    assert odds("(let x = d6; x^2 + x) >= 20")[0].exact == F(3, 6)
    assert odds("d6^2")[0].dist.mean == F(91, 6)


def test_long_powers() -> None:
    """A shared birthday of one's own among 253; a total is not written, its chance is asked for."""
    assert odds("1 - (364/365)^253")[0].dist.low == 1 - F(364, 365) ** 253
    assert odds("d6^1000 > 5")[0].exact == F(5, 6)


@pytest.mark.parametrize("text", ["9**9**9", "((9^1000)^1000)^1000", "d6^1001 + 9^999^9"])
def test_rolls_of_long_powers_are_refused_at_once(text: str) -> None:
    with pytest.raises(NotationError, match="power"):
        Roller(parse(text), text, np.random.default_rng(1)).once()


# --- how many hold


def test_how_many_questions_hold() -> None:
    (found,) = odds("3x(d20 >= 11)")
    assert found.kind == "distribution"
    assert dict(found.dist.items()) == {0: F(1, 8), 1: F(3, 8), 2: F(3, 8), 3: F(1, 8)}
    assert odds("4x(d6 = 6 or d6 = 6) >= 1")[0].exact == 1 - F(25, 36) ** 4
    assert odds("3x(d6 > d6) = 3")[0].exact == F(15, 36) ** 3


# --- refused


@pytest.mark.parametrize(
    ("text", "place", "mend"),
    [
        ("d{1-6}", "1-6", "1..6"),
        ("3d{1 - 6} >= 11", "1 - 6", "1..6"),
        ("d20 in {18-20}", "18-20", "18..20"),
        ("2d6 in {2-4, 12}", "2-4", "2..4"),
        ("4d6r{1-2}", "1-2", "1..2"),
        ("d6 = {1,3,5}", "{1,3,5}", "`d6 in {1,3,5}`"),
        ("2d6 <> {7, 11}", "{7, 11}", "`2d6 not in {7, 11}`"),
        ("d6 >= {2,3}", "{2,3}", "d6 >= 3"),
        ("d6>=3 d6>=4", "3 d6", "and, or"),
        ("2d6 >= 7 d6 >= 4", "7 d6", "and, or"),
        ("d20+5 vs d20+3 >= 5", "d20+3 >= 5", "(d20 + 5) - (d20 + 3) >= 5"),
        ("d20 >= 5 vs d20", "d20 >= 5", "lead"),
        ("2^d6", "d6", "let x"),
        ("2^(1/2)", "1/2", "whole"),
        ("2^(-1)", "-1", "1 / x"),
        ("2^1001", "1001", "1,000"),
        ("d6!^2", "d6!", "d6!max9"),
        ("((9^1000)^1000)^1000", "9^1000", "smaller"),
        ("9**9**9", "9**9", "smaller"),
        ("let x = d6; (x^1000)^1000 > 5", "x^1000", "smaller"),
        ("d6^1000", "d6^1000", "chance"),
        ("9^1000 * 9^1000 * 9^1000 * 9^1000", "9^1000", "chance"),
        ("(artillery)^2", "artillery", "chance"),
    ],
)
def test_refused_with_the_place_and_the_mend(text: str, place: str, mend: str) -> None:
    with pytest.raises(NotationError) as caught:
        odds(text)
    shown = str(caught.value).splitlines()
    caret = shown[2].index("^")
    assert shown[1][caret:].lstrip("(").startswith(place)
    assert mend in str(caught.value)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("d{(1 - 6), 2} = -5", F(1, 2)),  # in brackets it is meant
        ("d{6-1, 2} = 5", F(1, 2)),
        ("2 <= 3d6 <= 9", F(81, 216)),
        ("2 <= 3 d6", F(1)),
        ("d6 >= 5 vs d6 >= 4", None),
        ("{2, 3} = 5", F(1)),
    ],
)
def test_not_refused(text: str, wanted: Fraction | None) -> None:
    (found,) = odds(text)
    assert found.exact == wanted
    assert parse(unparse(parse(text))) == parse(text)
