"""Dice of symbols."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.some import quick
from oddsmith import Dist
from oddsmith.errors import OutcomeError, TooLarge
from oddsmith.mechanics.symbols import Symbols, vector_sum

F = Fraction
Weighted = dict[Any, int]

SHOWN = st.text("SAFTx", max_size=3)
FACES = st.lists(SHOWN, min_size=1, max_size=4)
POOLS = st.lists(st.tuples(FACES, st.integers(0, 2)), min_size=1, max_size=3).filter(
    lambda pool: 0 < sum(count for _, count in pool) <= 4
)


def counted(texts: tuple[str, ...]) -> tuple[int, ...]:
    """Successes less failures, advantages less threats, and crosses, by counting letters."""
    text = "".join(texts)
    return (text.count("S") - text.count("F"), text.count("A") - text.count("T"), text.count("x"))


def rolled(pool: list[tuple[list[str], int]]) -> dict[tuple[int, ...], Fraction]:
    """Every roll of every die."""
    dice = [faces for faces, count in pool for _ in range(count)]
    rolls = list(product(*dice))
    found: dict[tuple[int, ...], Fraction] = {}
    for roll in rolls:
        found[counted(roll)] = found.get(counted(roll), F(0)) + F(1, len(rolls))
    return found


def added(dice: list[tuple[Weighted, int]]) -> dict[tuple[int, ...], Fraction]:
    """Every roll of weighted dice whose faces are vectors."""
    listed = [table for table, count in dice for _ in range(count)]
    total, found = 1, {}
    for table in listed:
        total *= sum(table.values())
    for roll in product(*(table.items() for table in listed)):
        vector = tuple(map(sum, zip(*(face for face, _ in roll), strict=True)))
        ways = 1
        for _, weight in roll:
            ways *= weight
        found[vector] = found.get(vector, F(0)) + F(ways, total)
    return found


# --- against every roll


@quick(60)
@given(POOLS)
def test_a_roll_of_symbols(pool: list[tuple[list[str], int]]) -> None:
    symbols = Symbols("SAx", cancel={"F": "S", "T": "A"})
    dice: dict[Dist[Any], int] = {}
    for faces, count in pool:
        die = symbols.die(*faces)
        dice[die] = dice.get(die, 0) + count
    assert dict(symbols.roll(dice).items()) == rolled(pool)


@quick(60)
@given(
    st.integers(1, 3).flatmap(
        lambda places: st.lists(
            st.tuples(
                st.dictionaries(
                    st.tuples(*[st.integers(-3, 3)] * places),
                    st.integers(1, 3),
                    min_size=1,
                    max_size=4,
                ),
                st.integers(1, 2),
            ),
            min_size=1,
            max_size=2,
        )
    )
)
def test_vectors_add_up_place_by_place(dice: list[tuple[Weighted, int]]) -> None:
    found = vector_sum([(Dist(table), count) for table, count in dice])
    assert dict(found.items()) == added(dice)


@quick(40)
@given(st.text("SAFTx", max_size=8))
def test_the_vector_of_a_face(face: str) -> None:
    symbols = Symbols("SAx", cancel={"F": "S", "T": "A"})
    assert symbols.vector(face) == counted((face,))


# --- by hand


def test_a_die_counts_equal_faces_together() -> None:
    assert Symbols("S").die("", "S", "", "SS", "") == Dist({(0,): 3, (1,): 1, (2,): 1})


def test_the_order_of_the_outcome_is_the_order_of_the_letters() -> None:
    assert Symbols("AS").vector("SSA") == (1, 2)
    assert Symbols("SA").vector("SSA") == (2, 1)


def test_two_symbols_may_cancel_one() -> None:
    symbols = Symbols("S", cancel={"F": "S", "D": "S"})
    assert symbols.vector("SSSFD") == (1,)


def test_many_dice_are_a_binomial_law() -> None:
    """60 dice, a success on one face of two: C(60, 30) / 2**60."""
    symbols = Symbols("SA")
    found = symbols.roll({symbols.die("", "S"): 60})
    ways = 1
    for k in range(1, 31):
        ways = ways * (30 + k) // k
    assert found.p((30, 0)) == F(ways, 2**60)
    assert found.margin(1) == Dist([0])


def test_a_boost_and_a_setback() -> None:
    """Boost: blank, blank, S, SA, AA, A; setback: blank, blank, F, F, T, T. Net success: 2/6 * 4/6.

    A tie needs no success and no failure, or one of both: 4/6 * 4/6 + 2/6 * 2/6.
    """
    symbols = Symbols("SA", cancel={"F": "S", "T": "A"})
    boost = symbols.die("", "", "S", "SA", "AA", "A")
    setback = symbols.die("", "", "F", "F", "T", "T")
    net = symbols.roll({boost: 1, setback: 1}).margin(0)
    assert net == Dist({-1: 8, 0: 20, 1: 8})


# --- what is refused


def test_no_dice() -> None:
    with pytest.raises(OutcomeError):
        vector_sum([])
    with pytest.raises(OutcomeError):
        Symbols("S").roll({Symbols("S").die("S"): 0})


@pytest.mark.parametrize(
    "faces", [[(1, 2), (1,)], [(1, 2), 3], [(1, "S")], [(F(1, 2), 1)], [("S",)]]
)
def test_faces_that_are_no_vectors(faces: list[Any]) -> None:
    with pytest.raises(OutcomeError):
        vector_sum([(Dist(faces), 2)])


def test_dice_of_unlike_length() -> None:
    with pytest.raises(OutcomeError):
        vector_sum([(Dist([(1, 2)]), 1), (Dist([(1,)]), 1)])


def test_symbols_nobody_knows() -> None:
    symbols = Symbols("S", cancel={"F": "S"})
    with pytest.raises(OutcomeError, match="X"):
        symbols.die("S", "X")
    with pytest.raises(OutcomeError, match="A"):
        Symbols("S", cancel={"F": "A"})


def test_too_many_dice() -> None:
    symbols = Symbols("SABCDE")
    with pytest.raises(TooLarge):
        symbols.roll({symbols.die("S", "A", "B", "C", "D", "E"): 60})
    with pytest.raises(TooLarge):
        symbols.roll({symbols.die("S", "A"): 60}, budget=1_000)
