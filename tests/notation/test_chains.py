"""Chains of comparisons: ``1 <= d6 < d8 <> d4``, every part rolled once."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith import odds
from oddsmith.errors import OddsmithError

if TYPE_CHECKING:
    from collections.abc import Sequence

F = Fraction
Table = dict[Fraction, int]
HOLDS = {"<": lt, "<=": le, "=": eq, "<>": ne, ">=": ge, ">": gt}
OPS = st.sampled_from(list(HOLDS))
FACES = st.dictionaries(st.integers(-2, 4), st.integers(1, 3), min_size=1, max_size=4)


def fair(sides: int) -> Table:
    """1 to so many sides."""
    return {F(face): 1 for face in range(1, sides + 1)}


PARTS: list[tuple[str, Table]] = [
    ("d4", fair(4)),
    ("d6", fair(6)),
    ("3", {F(3): 1}),
    ("5/2", {F(5, 2): 1}),
    ("-1", {F(-1): 1}),
    ("2d3", {F(2): 1, F(3): 2, F(4): 3, F(5): 2, F(6): 1}),
    ("2d4kh1", {F(1): 1, F(2): 3, F(3): 5, F(4): 7}),
    ("(d4 - d4)", {F(k): 4 - abs(k) for k in range(-3, 4)}),
    ("d6 / 2", {F(k, 2): 1 for k in range(1, 7)}),
    ("3d6c6", {F(0): 125, F(1): 75, F(2): 15, F(3): 1}),
]


def held(ops: Sequence[str], tables: Sequence[Table]) -> Fraction:
    """The chance that all links hold, roll by roll."""
    good, total = 0, 1
    for table in tables:
        total *= sum(table.values())
    for roll in product(*(table.items() for table in tables)):
        faces = [face for face, _ in roll]
        if all(HOLDS[op](a, b) for op, a, b in zip(ops, faces, faces[1:], strict=False)):
            ways = 1
            for _, weight in roll:
                ways *= weight
            good += ways
    return F(good, total)


def asked(text: str) -> Any:
    """The one answer of a text."""
    (answer,) = odds(text)
    assert answer.kind == "probability"
    return answer


def written(parts: Sequence[str], ops: Sequence[str]) -> str:
    """The chain as a text."""
    return " ".join([parts[0], *(f"{op} {part}" for op, part in zip(ops, parts[1:], strict=True))])


# --- against every roll


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(
    st.lists(st.sampled_from(PARTS), min_size=2, max_size=4).flatmap(
        lambda parts: st.tuples(
            st.just(parts), st.lists(OPS, min_size=len(parts) - 1, max_size=len(parts) - 1)
        )
    )
)
def test_chains_of_all_kinds(case: tuple[list[tuple[str, Table]], list[str]]) -> None:
    parts, ops = case
    found = asked(written([text for text, _ in parts], ops))
    assert found.exact == held(ops, [table for _, table in parts])


@settings(max_examples=80, deadline=None, derandomize=True, database=None)
@given(st.lists(FACES, min_size=3, max_size=4), st.lists(OPS, min_size=3, max_size=3))
def test_chains_of_listed_faces(tables: list[dict[int, int]], ops: list[str]) -> None:
    parts = [
        "d{" + ", ".join(f"{face}:{weight}" for face, weight in table.items()) + "}"
        for table in tables
    ]
    ops = ops[: len(tables) - 1]
    assert asked(written(parts, ops)).exact == held(ops, tables)  # type: ignore[arg-type]


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(st.sampled_from(PARTS), st.integers(-2, 6), st.integers(-2, 6), OPS, OPS)
def test_one_roll_between_two_numbers(
    part: tuple[str, Table], low: int, high: int, one: str, two: str
) -> None:
    text, table = part
    tables = [{F(low): 1}, table, {F(high): 1}]
    assert asked(f"{low} {one} {text} {two} {high}").exact == held([one, two], tables)


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(OPS, OPS, OPS)
def test_a_name_in_a_chain_is_one_roll(one: str, two: str, three: str) -> None:
    """x stands at both ends and, plus 1, in between."""
    good = sum(
        HOLDS[one](x, y) and HOLDS[two](y, x + 1) and HOLDS[three](x + 1, x)
        for x, y in product(range(1, 7), range(1, 5))
    )
    found = asked(f"let x = d6; x {one} d4 {two} x + 1 {three} x")
    assert found.exact == F(good, 24)


# --- by hand


def test_the_chain_of_the_grammar() -> None:
    """d8 > d6 in 27 of 48 (one d6 below each face), and a d4 like the d8 only up to 4.

    d8 = 2, 3, 4 has 1 + 2 + 3 = 6 such rolls, a quarter of them with the same d4:
    27/48 - 6/192 = 17/32.
    """
    assert asked("1 <= d6 < d8 <> d4").exact == F(17, 32)


@pytest.mark.parametrize(
    ("text", "chance"),
    [
        ("d6 = d6 = d6", F(1, 36)),
        ("d6 < d6 < d6", F(20, 216)),
        ("d6 <= d6 <= d6", F(56, 216)),
        ("d6 <> d6 <> d6", F(25, 36)),
        ("2 <= d6 <= 4", F(1, 2)),
        ("5 <= d6 <= 2", F(0)),
        ("4 >= d6 > 1", F(1, 2)),
        ("1 < 2 < 3", F(1)),
        ("3 > 2 > 2", F(0)),
        ("11 <= 3d6 <= 18", F(1, 2)),
        ("1 <= 3d6c6 < 3", F(5, 12)),
        ("2 <= d6! <= 8", F(26, 36)),
        ("d4 < 3 < d4", F(1, 8)),
        ("not 2 <= d6 <= 4", F(1, 2)),
        ("2 <= d6 <= 4 and 1 < d4 < 4", F(1, 4)),
    ],
)
def test_chains_by_hand(text: str, chance: Fraction) -> None:
    """Three rising d6 are C(6, 3) rolls, three that never fall C(8, 3)."""
    assert asked(text).exact == chance


def test_open_ended_dice_in_a_chain_are_exact_or_enclosed() -> None:
    """The d8 stops at 1..7, the d6 below it at 1..5: (0 + 1 + 2 + 3 + 4 + 5 + 5) / 48."""
    found = asked("d6! < d8! < 9")
    assert found.low <= F(20, 48) <= found.high
    assert found.high - found.low < F(1, 2**30)


def test_a_long_chain_of_open_ended_dice_is_enclosed() -> None:
    """Each goes on with 1/2. The lowest stops alone with (1/8) / (1 - 1/8) = 1/7, and then the
    middle one before the last with (1/4) / (1 - 1/4) = 1/3: together 1/21.
    """
    found = asked("d2!! < d2!! < d2!!")
    assert found.low <= F(1, 21) <= found.high
    assert found.high - found.low < F(1, 2**30)


@pytest.mark.parametrize("text", ["d6 < artillery < d8", "1 <= scatter <= 2"])
def test_words_have_no_order(text: str) -> None:
    with pytest.raises(OddsmithError):
        odds(text)
