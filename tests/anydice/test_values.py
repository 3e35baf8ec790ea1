"""Numbers, sequences and dice: how they are made, and how they are named."""

from __future__ import annotations

from math import comb

import pytest

from oddsmith.anydice import run
from oddsmith.anydice.runtime import Machine
from oddsmith.anydice.values import EMPTY, Dice

from .programs import F, Law, d, law, number, of, refused, rolled, row, uniform

# --- sequences


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("{}", ()),
        ("{5}", (5,)),
        ("{3, 1, 2}", (3, 1, 2)),
        ("{1, {2, 3}, {}}", (1, 2, 3)),
        ("{{1}, {1}}", (1, 1)),
        # dice: each different total once, rising
        ("{d3}", (1, 2, 3)),
        ("{3d2}", (3, 4, 5, 6)),
        ("{d{10:3, 11:2, 12:1}}", (10, 11, 12)),
        ("{d{5, 1, 5}}", (1, 5)),
        ("{d{}}", ()),
        # ranges
        ("{2..5}", (2, 3, 4, 5)),
        ("{3..3}", (3,)),
        ("{4..1}", ()),
        ("{-2..1}", (-2, -1, 0, 1)),
        ("{1, 4..5, 0}", (1, 4, 5, 0)),
        ("{{1, 2}..{2, 3}}", (3, 4, 5)),
        # a whole block several times in a row
        ("{7:3}", (7, 7, 7)),
        ("{1..3:2}", (1, 2, 3, 1, 2, 3)),
        ("{d4:2}", (1, 2, 3, 4, 1, 2, 3, 4)),
        ("{{1, 2}:2, 9}", (1, 2, 1, 2, 9)),
        ("{5:0}", ()),
        ("{5:-2}", ()),
        ("{4..1:2}", ()),
        ("{5:{1, 1}}", (5, 5)),
        ("{1+1..2*2:1+1}", (2, 3, 4, 2, 3, 4)),
    ],
)
def test_sequences(text: str, elements: tuple[int, ...]) -> None:
    assert row(text) == elements


def test_a_sequence_is_shown_as_a_die_of_its_elements() -> None:
    assert of("{1, 1, 2}") == {1: F(2, 3), 2: F(1, 3)}
    assert of("{3, 3, 3}") == {3: 1}
    assert of("{}") == {}


# --- dice


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("d6", uniform(d(6))),
        ("d1", {1: F(1)}),
        ("d0", {0: F(1)}),
        ("d(-3)", uniform([-3, -2, -1])),
        ("d{1, 1, 2}", {1: F(2, 3), 2: F(1, 3)}),
        ("d{2, 4..6, 9:2}", uniform([2, 4, 5, 6, 9, 9])),
        ("d{-1..1}", uniform([-1, 0, 1])),
        ("d{}", {}),
        # so many of them
        ("2d4", rolled(lambda a, b: a + b, d(4), d(4))),
        ("3d{0, 1}", {k: F(comb(3, k), 8) for k in range(4)}),
        ("1d6", uniform(d(6))),
        ("0d6", {0: F(1)}),
        ("(-2)d4", rolled(lambda a, b: -a - b, d(4), d(4))),
        ("2d(-2)", rolled(lambda a, b: a + b, [-2, -1], [-2, -1])),
        ("2d0", {0: F(1)}),
        # a sequence counts as its sum
        ("{1, 1}d4", rolled(lambda a, b: a + b, d(4), d(4))),
        ("{}d6", {0: F(1)}),
        ("{2, -1}d6", uniform(d(6))),
        # dice of dice: each is a copy of the total
        ("d(2d4)", rolled(lambda a, b: a + b, d(4), d(4))),
        ("1d(2d4)", rolled(lambda a, b: a + b, d(4), d(4))),
        ("2d(2d2)", rolled(lambda *x: sum(x), *[d(2)] * 4)),
        # a rolled number of dice
        ("d2d2", {1: F(1, 4), 2: F(1, 4) + F(1, 8), 3: F(1, 4), 4: F(1, 8)}),
        ("d{0, 1}d2", {0: F(1, 2), 1: F(1, 4), 2: F(1, 4)}),
        ("d{-1, 1}d2", {-2: F(1, 4), -1: F(1, 4), 1: F(1, 4), 2: F(1, 4)}),
        # nothing on either side
        ("3d{}", {}),
        ("0d{}", {}),
        ("d{}d6", {}),
        ("d6d{}", {}),
        ("2d(d{})", {}),
    ],
)
def test_dice(text: str, expected: Law) -> None:
    assert of(text) == expected


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("d6", 1), ("3d6", 3), ("0d6", 1), ("(-3)d6", 3), ("{1, 2}d6", 3), ("3d6 + 0", 1),
        ("d(2d4)", 2), ("1d(2d4)", 2), ("2d(2d4)", 2), ("2d4d6", 1), ("-(3d6)", 3), ("+(3d6)", 3),
        ("d{}", 0), ("3d{}", 0), ("3d6 + d{}", 3), ("d{} + 3d6", 3),
    ],
)  # fmt: skip
def test_how_many_dice_there_are(text: str, size: int) -> None:
    assert number(f"#({text})") == size


def test_each_counted_die_is_a_roll_of_its_own() -> None:
    """d2 dice, each the total of two d2."""
    one = rolled(lambda a, b: a + b, d(2), d(2))
    two = rolled(lambda *x: sum(x), *[d(2)] * 4)
    expected = {x: (one.get(x, F(0)) + two.get(x, F(0))) / 2 for x in range(2, 9)}
    assert of("(d2)d(2d2)") == {x: p for x, p in expected.items() if p}


def test_a_variable_is_a_distribution_and_not_a_roll() -> None:
    assert of("X + X", "X: d6") == rolled(lambda a, b: a + b, d(6), d(6))
    assert of("X - X", "X: d4") == rolled(lambda a, b: a - b, d(4), d(4))


def test_a_variable_is_worked_out_at_once() -> None:
    assert law("N: 2 X: NdN N: 3 output X") == rolled(lambda a, b: a + b, d(2), d(2))


def test_numbers_are_as_large_as_they_are() -> None:
    assert number("9007199254740993") == 2**53 + 1
    assert number("2^1024 - 2^1024 + 1") == 1
    assert number("#(10^5000)") == 5001
    assert number("1@(7 * 10^5000)") == 7


# --- names


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("5", "5"), ("-5", "-5"), ("{1, 2}", "{?}"), ("{}", "{?}"), ("d6", "d6"), ("3d6", "3d6"),
        ("d1", "d1"), ("d{1..8}", "d{?}"), ("2d{1}", "2d{?}"), ("d{1, 1, 2}", "d{?}"),
        ("3d{1, 5}", "3d{?}"), ("d{0}", "d{?}"), ("d0", "d{0..0}"), ("3d0", "3d{0..0}"),
        ("0d3", "d{0..0}"), ("d{}", "d{}"), ("1d-3", "-d3"), ("-1d3", "-d3"), ("-3d3", "-3d3"),
        ("3d-3", "-3d3"), ("-3d-3", "3d3"), ("{-2}d3", "-2d3"), ("2d(1d2)", "2d2"),
        ("2d(2d2)", "2d{?}"), ("d(d6)", "d6"), ("3d6 + d{}", "3d6"), ("d6 > 3", "d{?}"),
        ("2d6 + 0", "d{?}"), ("10^5000 - 10^5000", "0"), ("d{} + 0", "0"), ("{1, 2} - d{}", "3"),
        ("d{} - {1, 2}", "-3"),
    ],
)  # fmt: skip
def test_how_values_are_named(value: str, name: str) -> None:
    """Names that AnyDice recorded: the number behind the d, never the faces."""
    found = run(f'X: {value} output 1 named "<[X]>"').outputs[0].label
    assert found == f"<{name}>"


def test_numbers_in_names_have_all_digits() -> None:
    found = run('X: 10^5000 output 1 named "[X]"').outputs[0].label
    assert found == "1" + "0" * 5000


@pytest.mark.parametrize("text", ["[2 * 3]", "[x]", "[X1]", "[]", "[ X ]", "[X", "X]"])
def test_other_brackets_stay_as_they_are(text: str) -> None:
    assert run(f'X: 5 output 1 named "{text}"').outputs[0].label == text


def test_several_variables_in_a_name() -> None:
    program = 'A_B: 1 C: 2d8 output C named "[A_B] and [C], [A_B]"'
    assert run(program).outputs[0].label == "1 and 2d8, 1"


def test_outputs_without_a_name_are_numbered_among_all() -> None:
    program = 'output 1 output 1 named "x" output 1'
    assert [output.label for output in run(program).outputs] == ["output 1", "x", "output 3"]


# --- from Python


def test_an_output_answers_for_one_outcome() -> None:
    (output,) = run("output 2d6").outputs
    assert output.p(7) == F(1, 6)
    assert output.p(13) == 0
    assert dict(output.rows)[2] == F(1, 36)


def test_an_empty_output_has_no_rows() -> None:
    (output,) = run("output d{}").outputs
    assert output.dist is None
    assert output.rows == []
    assert output.p(1) == 0


def test_equal_dice_are_equal_and_stand_for_one_another_in_tables() -> None:
    machine = Machine("output 1")
    made = [machine.binary("+", Dice(None, 0), 5) for _ in range(2)]
    assert made[0] == made[1]
    assert hash(made[0]) == hash(made[1])
    assert made[0] != EMPTY


def test_the_ends_of_ranges_point_at_what_is_wrong() -> None:
    error = refused("output {1..3, 2..d{}}")
    assert 'not "d{}"' in error.message
    assert error.span == (17, 20)
