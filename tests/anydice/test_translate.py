"""Programs in the dice notation: the text, that it gives the same, and what cannot be said."""

from __future__ import annotations

import pytest

from oddsmith import odds
from oddsmith.anydice import run
from oddsmith.anydice.translate import translate, written

from .programs import Law


def answer(text: str) -> Law:
    """The chances that the notation gives."""
    (found,) = odds(text)
    if found.exact is not None:
        return {x: p for x, p in ((0, 1 - found.exact), (1, found.exact)) if p}
    return dict(found.dist.items())


@pytest.mark.parametrize(
    ("value", "text"),
    [
        # dice and sums
        ("3d6", "3d6"), ("d6", "d6"), ("1d6", "d6"), ("3d6 + 2", "3d6 + 2"), ("0d6", "0"),
        ("d20 + d4 - 1", "d20 + d4 - 1"), ("3d6 - (2 - d4)", "3d6 - (2 - d4)"),
        ("2 * (d6 + 1)", "2 * (d6 + 1)"), ("2 * d6 * 3", "2 * d6 * 3"), ("-3d6", "-3d6"),
        ("-(d6 - 2)", "-(d6 - 2)"), ("d6 + -3", "d6 + -3"), ("+d6", "d6"),
        ("(d6 - 3) / 2", "trunc((d6 - 3) / 2)"), ("d6 / d4", "trunc(d6 / d4)"),
        ("3d6 + {1, 2}", "3d6 + 3"), ("2^3 + #{1, 2}", "10"),
        # faces
        ("d{1, 1, 2}", "d{1:2, 2}"), ("3d{-1..1}", "3d{-1..1}"), ("d{1, 2, 3}", "d3"),
        ("{1, 1, 2}", "d{1:2, 2}"), ("d(-3)", "d{-3..-1}"), ("d0", "d{0}"),
        ("2d{1..3:2, 5}", "2d{1..3:2, 5}"),
        # a rolled number of dice, dice of totals
        ("(d4)d6", "(d4)d6"), ("2d2d2", "(2d2)d2"), ("2d(d6 + 1)", "2x(d6 + 1) sum"),
        ("2d(2d4) + 1", "(2x(2d4) sum) + 1"),
        # keeping
        ("[highest 3 of 4d6]", "4d6kh3"), ("[lowest 1 of 2d20] + 5", "2d20kl1 + 5"),
        ("[highest 9 of 2d6]", "2d6"), ("[highest 0 of 2d6]", "0"),
        ("[middle 1 of 3d20]", "3d20kh2kl1"), ("[middle 1 of 4d6]", "4d6kh2kl1"),
        ("[highest 1 of 2d(d6 + 1)]", "2x(d6 + 1)kh1"),
        ("[highest 2 of 3d[highest 3 of 4d6]]", "3x(4d6kh3)kh2"),
        ("[highest 3 of 2d6 and 2d8]", "{2d6 + 2d8}kh3"),
        ("[lowest 3 of 2d6 and 2d8]", "{2d6 + 2d8}kl3"),
        ("[highest 4 of 2d6 and 2d8]", "2d6 + 2d8"),
        ("[highest of 3d6 and 2d8]", "max(3d6, 2d8)"), ("[lowest of d6 and 3]", "min(d6, 3)"),
        ("2@3d6", "3d6kh2kl1"), ("{1, 2}@3d6", "3d6kh2"), ("3@3d6", "3d6kl1"), ("9@3d6", "0"),
        # counting and exploding
        ("[count 6 in 5d6]", "5d6c6"), ("[count {8..10} in 5d10]", "5d10c{8..10}"),
        ("[3d6 contains 6]", "3d6c6 >= 1"), ("[count {} in 3d6]", "0"),
        ("[explode d6]", "d6!!max2"), ("5d[explode d10]", "5d10!!max2"),
        ("[highest 3 of 5d[explode d10]]", "5d10!!max2kh3"), ("[absolute d6 - d8]", "abs(d6 - d8)"),
        ("[sort 2d6]", "2d6"),
        # questions
        ("3d6 >= 11", "3d6 >= 11"), ("d6 != 3", "d6 <> 3"), ("d6 = d8", "d6 = d8"),
        ("(2d6 >= 7) * d8", "(2d6 >= 7) * d8"), ("(d6 > 3) = (d8 > 4)", "(d6 > 3) = (d8 > 4)"),
        ("d6 = 3 | d6 = 4", "d6 = 3 or d6 = 4"), ("d6 = 3 & d{0, 1}", "d6 = 3 and d{0..1} <> 0"),
        ("!(d6 = 3)", "not d6 = 3"), ("!d{0, 1}", "not d{0..1} <> 0"),
        ("d6 = 1 | d6 = 2 & d6 = 3", "(d6 = 1 or d6 = 2) and d6 = 3"),
        ("3d6 > {1, 2, 3}", "3d6 > 6"),
    ],
)  # fmt: skip
def test_what_is_said_gives_the_same(value: str, text: str) -> None:
    program = f"output {value}"
    (line,) = translate(program)
    assert line.text == text
    assert answer(text) == dict(run(program).outputs[0].rows)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("[f d6]", "[f ?] is a function of the program"), ("d6^2", "no powers"),
        ("{1, 3}@3d6", "side by side"), ("d6 / (d4 - 1)", "divisor that may be 0"),
        ("(d4 - 2)d6", "below 0"), ("[explode 2d6]", "a total that explodes"),
        ("[explode [explode d4]]", "cannot explode again"),
        ("[count {1, 1} in 3d6]", "several times"),
        ("[count d6 in 3d6]", "rolled values"), ("[highest d3 of 4d6]", "rolled number"),
        ("[highest 1 of -(2d6)]", "this pool"), ("d{}", "empty die"), ("{}", "no outcomes"),
        ("d6 + d{}", "empty die"), ("[highest 1 of d6 and 3]", "a number among dice"),
        ("(d4)d(2d6)", "rolled number of pools"), ("(-2)d{1, 3}", "negative number"),
    ],
)  # fmt: skip
def test_what_cannot_be_said(value: str, why: str) -> None:
    program = f"function: f N:n {{ result: N }} output {value}"
    (line,) = translate(program)
    assert line.text == ""
    assert why in line.why
    assert written((line,)).startswith("# output 1: ")


def test_variables_loops_and_conditions_are_worked_out() -> None:
    program = """X: 2d6
    loop N over {1..2} { output X + N named "[X] + [N]" }
    if #X = 2 { output [highest 1 of X] } else { output 1 }
    output X + X"""
    assert written(translate(program)).splitlines() == [
        '"2d6 + 1": 2d6 + 1',
        '"2d6 + 2": 2d6 + 2',
        "2d6kh1",
        "2d6 + 2d6",
    ]


def test_lowest_first() -> None:
    program = 'set "position order" to "lowest first" output 1@3d6'
    assert translate(program)[0].text == "3d6kl1"
    assert answer("3d6kl1") == dict(run(program).outputs[0].rows)


def test_the_depth_of_explosions() -> None:
    assert translate('set "explode depth" to 4 output [explode d6]')[0].text == "d6!!max4"


def test_a_number_from_a_function_is_a_number() -> None:
    program = "function: double N:n { result: 2 * N } output d6 + [double 4]"
    assert translate(program)[0].text == "d6 + 8"


def test_a_variable_that_cannot_be_said() -> None:
    program = "function: f N:n { result: N } X: [f d6] output X + 1 output 3d6"
    first, second = translate(program)
    assert "[f ?]" in first.why
    assert second.text == "3d6"


def test_names_stay_on_one_line() -> None:
    assert written(translate('output d6 named "a\n b"')) == '"a b": d6'


def test_what_would_be_very_long_is_not_written() -> None:
    program = "X: d6 loop N over {1..200} { X: X + d6 } output X"
    assert translate(program)[0].why == "it would be very long"
