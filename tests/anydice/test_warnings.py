"""What a reader has to know: cases left out, depths cut, answers that AnyDice gives otherwise."""

from __future__ import annotations

import pytest

from oddsmith.anydice import run

from .programs import F


def warnings(program: str) -> tuple[str, ...]:
    """What is said of a program."""
    return run(program).warnings


def warning(program: str) -> str:
    """The only thing that is said."""
    (found,) = warnings(program)
    return found


@pytest.mark.parametrize(
    "program",
    [
        "output 3d6",
        "function: f N:n { if N > 2 { result: 1 } else { result: 0 } } output [f d6]",
        "function: f N:n { result: d{} } output [f d6]",
        "output 5 / d{0, 1}",
        "output d{} + 5",
        "function: f N:n { X: N result: X } output [f d6]",
        "output d6 <= 3",
        "output {1, 2} <= {1}",
        "output 2^d4",
    ],
)
def test_nothing_is_said_where_there_is_nothing_to_say(program: str) -> None:
    assert warnings(program) == ()


# --- cases left out


def test_the_share_of_cases_without_a_result() -> None:
    found = warning("function: high N:n { if N > 2 { result: N } } output [high d6]")
    assert found.startswith("[high ?] comes to no result in 33.33 % (1/3) of its cases")
    assert "scaled up to 100 %" in found


def test_calls_with_different_shares_give_the_ends() -> None:
    program = "function: high N:n { if N > 2 { result: N } } output [high d6] output [high d3]"
    assert "in 33.33 % (1/3) to 66.67 % (2/3) of its cases" in warning(program)


def test_the_empty_die_counts_as_no_result() -> None:
    program = "function: f N:n { if N = 1 { result: d{} } result: N } output [f d{1, 2, 2, 2}]"
    assert "25.00 % (1/4)" in warning(program)


def test_tiny_shares_are_not_zero() -> None:
    program = "function: f N:n { if N = 10 { result: d{} } result: 0 } output [f 10d10]"
    assert "in less than 0.01 % (1/10000000000) of its cases" in warning(program)


def test_each_function_is_named() -> None:
    program = """function: a N:n { if N = 1 { result: N } }
    function: b N:n { if N = 2 { result: N } }
    output [a d2] + [b d4]"""
    assert [found[:5] for found in warnings(program)] == ["[a ?]", "[b ?]"]


# --- depth

AGAIN = "function: again N:n { if N = 6 { result: 6 + [again d6] } result: N }"


def test_a_depth_that_bites_is_told_with_the_share_it_cut() -> None:
    """Ten sixes in a row ask for an eleventh call."""
    found = warnings(f"{AGAIN} output [again d6]")
    assert found[0] == "The maximum function depth was exceeded, results are truncated."
    assert f"(1/{6**10}) of all rolls" in found[1]
    assert found[1].startswith("[again ?]")


def test_the_share_follows_the_depth() -> None:
    program = f'set "maximum function depth" to 2 {AGAIN} output [again d6]'
    assert "2.78 % (1/36) of all rolls" in warnings(program)[1]


def test_two_calls_in_one_case_are_cut_more_often() -> None:
    """Two coins go on, each with 1/2: one of them at least with 3/4."""
    program = """set "maximum function depth" to 1
    function: more N:n { if N = 1 { result: [more 1] + 0 } result: 0 }
    function: two { result: [more d2] + [more d2] }
    set "maximum function depth" to 2
    output [two]"""
    assert "75.00 % (3/4) of all rolls" in warnings(program)[1]


def test_a_call_that_always_goes_on_is_always_cut() -> None:
    assert "always" in warnings("function: f { result: 1 + [f] } output [f]")[1]


def test_remembered_calls_are_cut_as_often() -> None:
    program = f"""set "maximum function depth" to 3 {AGAIN}
    function: twice N:n {{ result: [again N] }}
    output [again d6] output [again d6]
    output [twice d6]"""
    found = warnings(program)
    assert "(1/216)" in found[1]
    assert found[2].startswith("[twice ?]")
    assert "(1/36)" in found[2]


def test_a_depth_that_does_not_bite_is_not_told() -> None:
    program = f'set "maximum function depth" to 2 {AGAIN} output [again d5]'
    assert warnings(program) == ()


# --- where AnyDice differs


def test_an_assigned_parameter() -> None:
    found = warning("function: f N:n { N: N + 1 result: N } output [f d6]")
    assert "the parameter N is assigned in [f ?]" in found
    assert "leak" in found
    assert run("function: f N:n { N: N + 1 result: N } output [f d6]").outputs[0].p(7) == F(1, 6)


def test_a_parameter_assigned_by_a_loop() -> None:
    assert "the parameter N" in warning(
        "function: f N:n { loop N over {1} { } result: N } output 1"
    )


def test_a_die_at_most_a_sequence() -> None:
    """d6 <= {2, 3}: five of six rolls are at most the sum."""
    assert "AnyDice answers as for >" in warning("output d6 <= {2, 3}")
    assert run("output d6 <= {2, 3}").outputs[0].p(1) == F(5, 6)


@pytest.mark.parametrize("value", ["d{} + {1, 2}", "{1, 2} | d{}", "d{} | {1, 2}"])
def test_the_empty_die_beside_a_sequence(value: str) -> None:
    assert "counts as 0 beside a sequence" in warning(f"output {value}")


def test_zero_to_a_negative_power() -> None:
    assert "0 to a negative power" in warning("output d{0, 1}^-1")


def test_a_function_without_a_result() -> None:
    program = "function: f N:n { X: N } output [f d6] output 1"
    assert warning(program) == "[f ?] has no result:, so it gives the empty die"


def test_a_result_written_in_capitals() -> None:
    found = warning("function: f N:n { RESULT: N } output [f d6] output 1")
    assert "RESULT: sets a variable" in found


def test_no_output_was_reached() -> None:
    assert warning("if 0 { output 1 }") == "no output was reached, so nothing is shown"


def test_things_are_said_once() -> None:
    program = "loop N over {1..5} { output d6 <= {2, 3} }"
    assert len(warnings(program)) == 1
