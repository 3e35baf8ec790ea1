"""Whole programs: their outputs against values worked out by hand, and their errors."""

from __future__ import annotations

from fractions import Fraction

import pytest

from oddsmith.anydice import run
from oddsmith.errors import NotationError

F = Fraction


def rows(program: str) -> dict[int, Fraction]:
    """The rows of the only output."""
    (output,) = run(program).outputs
    return dict(output.rows)


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("output 3", {3: F(1)}), ("output {1, 1, 2}", {1: F(2, 3), 2: F(1, 3)}),
        ("output d{}", {}), ("output 7 / -2", {-3: F(1)}), ("output 2^3^2", {64: F(1)}),
        ("output 5 / 0", {0: F(1)}), ("output -2^2", {4: F(1)}),
        ("output {1,2,3} >= 2", {2: F(1)}), ("output {4,1} < {3,3}", {0: F(1)}),
        ("output 2@{5,7,9}", {7: F(1)}), ("output 1@456", {4: F(1)}),
        ("output d2 + d2", {2: F(1, 4), 3: F(1, 2), 4: F(1, 4)}),
        ("output [count {1,2} in {1,2,2,3}]", {3: F(1)}), ("output [reverse {}]", {0: F(1)}),
        ("output [explode d{5}]", {15: F(1)}),
        ("output [middle 1 of 3d2]", {1: F(1, 2), 2: F(1, 2)}),
    ],
)  # fmt: skip
def test_values(program: str, expected: dict[int, Fraction]) -> None:
    assert rows(program) == expected


def test_a_sign_in_front_binds_to_the_number() -> None:
    """``#3d6`` is (#3)d6, one d6."""
    assert rows("output #3d6")[6] == F(1, 6)


def test_the_best_of_some_dice() -> None:
    assert rows("output [highest 3 of 4d6]")[18] == F(7, 432)
    assert rows("output {1,3}@3d2") == {2: F(1, 8), 3: F(3, 4), 4: F(1, 8)}


def test_cases_without_a_result_are_left_out() -> None:
    done = run("function: f N:n { if N > 4 { result: N } }\noutput [f d6]")
    assert dict(done.outputs[0].rows) == {5: F(1, 2), 6: F(1, 2)}
    assert any("left out" in warning for warning in done.warnings)


def test_variables_carry_over_from_case_to_case() -> None:
    program = "X: 0 function: weird N:n { X: X + N result: X } output [weird d4]"
    assert rows(program) == {1: F(1, 4), 3: F(1, 4), 6: F(1, 4), 10: F(1, 4)}


def test_a_sequence_parameter_sees_the_roll_highest_first() -> None:
    program = "function: top of R:s { result: 1@R * 10 + 2@R } output [top of 2d2]"
    assert rows(program) == {11: F(1, 4), 21: F(1, 2), 22: F(1, 4)}


def test_depth_is_limited_and_told() -> None:
    done = run("function: f N:n { result: N + [f N] } output [f 1]")
    assert dict(done.outputs[0].rows) == {10: F(1)}
    assert any("depth" in warning for warning in done.warnings)


def test_names_hold_variables() -> None:
    done = run('loop N over {1..2} { output Nd6 named "[N] dice [x]" }')
    assert [output.label for output in done.outputs] == ["1 dice [x]", "2 dice [x]"]


@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("3d6", "output"), ("Output 3d6", "small"), ("output highest 3 of 4d6", "bracket"),
        ("output (3d6", "closed"), ("output X", "variable"), ("output [foo 3]", "function"),
        ("output 1.5", "whole"), ("output 3d6 == 3", "one ="), ("output", "nothing"),
        ("if d6 > 3 { output 1 }", "function"), ("output 3d6 named “a”", "quotes"),
        ("output {1,2,}", "comma"), ("\\ never closed", "closed"),
        ("loop I over 3 { output I }", "sequence"),
    ],
)  # fmt: skip
def test_mistakes_are_told_with_their_place(program: str, says: str) -> None:
    with pytest.raises(NotationError) as caught:
        run(program)
    assert says in f"{caught.value.message} {caught.value.hint}"
    assert 0 <= caught.value.span[0] <= len(program)


def test_dice_that_exploded_are_not_translated_to_explode_again() -> None:
    """There the bare die's highest face counts, here the highest total."""
    from oddsmith.anydice.translate import translate

    assert "!!max2!!" not in str(translate("output [explode [explode d4]]"))
