"""Functions: how arguments are passed, what carries over, how results are collected."""

from __future__ import annotations

import pytest

from oddsmith.anydice import run

from .programs import F, Law, d, law, laws, number, of, refused, rolled, uniform

SHOW = """
function: number N:n { result: N }
function: sequence S:s { result: #S * 100 + S }
function: places S:s { result: 100@{1@S} * 0 + 1@S * 100 + 2@S * 10 + 3@S }
function: die D:d { result: D }
function: size of D:d { result: #D }
function: plain X { result: X }
function: size of plain X { result: #X }
function: untyped X:? { result: X }
"""

# --- passing: a row for each argument, a column for each type


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        # numbers
        ("[number 5]", {5: F(1)}),
        ("[sequence 5]", {105: F(1)}),
        ("[die 5]", {5: F(1)}),
        ("[size of 5]", {1: F(1)}),
        ("[plain 5]", {5: F(1)}),
        # sequences
        ("[number {1, 2, 4}]", {7: F(1)}),
        ("[number {}]", {0: F(1)}),
        ("[sequence {1, 2, 4}]", {307: F(1)}),
        ("[sequence {}]", {0: F(1)}),
        ("[die {1, 2, 4}]", {7: F(1)}),
        ("[size of {1, 2, 4}]", {1: F(1)}),
        ("[size of plain {1, 2, 4}]", {3: F(1)}),
        # a single die: once for each face
        ("[number d{1, 5}]", uniform([1, 5])),
        ("[sequence d{1, 5}]", uniform([101, 105])),
        ("[sequence 2d2 + 0]", uniform([102, 103, 103, 104])),
        ("[die d{1, 5}]", uniform([1, 5])),
        ("[size of d{1, 5}]", {1: F(1)}),
        # a pool: its totals, its sorted rolls, itself
        ("[number 2d2]", uniform([2, 3, 3, 4])),
        ("[sequence 2d2]", uniform([202, 203, 203, 204])),
        ("[places 3d3]", rolled(lambda *x: int("".join(map(str, sorted(x, reverse=True)))),
                                d(3), d(3), d(3))),
        ("[die 2d2]", uniform([2, 3, 3, 4])),
        ("[size of 2d2]", {2: F(1)}),
        ("[size of plain 2d2]", {2: F(1)}),
        # nothing
        ("[number d{}]", {}),
        ("[sequence d{}]", {}),
        ("[sequence 3d{}]", {}),
        ("[size of d{}]", {0: F(1)}),
        ("[size of plain d{}]", {0: F(1)}),
    ],
)  # fmt: skip
def test_passing(call: str, expected: Law) -> None:
    assert of(call, SHOW) == expected


def test_untyped_parameters_take_anything_as_it_is() -> None:
    assert of("[highest 1 of [untyped 2d4]]", SHOW) == rolled(max, d(4), d(4))
    assert of("#[untyped {1, 2}]", SHOW) == {2: 1}
    assert of("[highest 1 of [plain 2d4]]", SHOW) == rolled(max, d(4), d(4))


def test_without_an_expansion_the_result_stays_what_it_is() -> None:
    program = """function: pool N:n { result: Nd4 } function: row S:s { result: {S, 9} }"""
    assert of("[highest 1 of [pool 2]]", program) == rolled(max, d(4), d(4))
    assert number("#[row 5]", program) == 2
    assert number("#[row {5, 6}]", program) == 3


def test_a_sequence_given_as_a_number_is_one_case() -> None:
    program = "function: row N:n { result: {N, N} }"
    assert number("#[row 3]", program) == 2
    assert of("[row {1, 2}]", program) == {6: 1}
    assert number("#[row {1, 2}]", program) == 1


def test_results_of_cases_become_dice() -> None:
    """A sequence counts as its sum, an empty one as 0; a pool as its total."""
    program = """function: f N:n {
        if N = 1 { result: 7 }
        if N = 2 { result: {1, 2, 3} }
        if N = 3 { result: {} }
        result: 2d2
    }"""
    expected: Law = {7: F(1, 4), 6: F(1, 4), 0: F(1, 4), 2: F(1, 16), 3: F(1, 8), 4: F(1, 16)}
    assert of("[f d4]", program) == expected
    assert number("#[f d4]", program) == 1


def test_cases_weigh_what_their_rolls_weigh() -> None:
    program = "function: f N:n { if N = 1 { result: d2 } result: d{10, 20, 30} }"
    assert of("[f d{1, 1, 1, 2}]", program) == {
        1: F(3, 8), 2: F(3, 8), 10: F(1, 12), 20: F(1, 12), 30: F(1, 12),
    }  # fmt: skip


def test_several_arguments_make_all_pairs() -> None:
    program = "function: f A:n B:n { result: 10 * A + B }"
    assert of("[f (d3) (d4)]", program) == rolled(lambda a, b: 10 * a + b, d(3), d(4))


def test_the_same_variable_twice_is_two_rolls() -> None:
    program = "X: d4 function: f A:n minus B:n { result: A - B }"
    assert of("[f X minus X]", program) == rolled(lambda a, b: a - b, d(4), d(4))


def test_a_pool_and_a_number_and_a_die() -> None:
    def by_hand(a: int, b: int, c: int, n: int, total: int) -> int:
        best = sorted((a, b, c), reverse=True)
        return best[n - 1] + total

    program = "function: N:n th of S:s and D:d { result: N@S + D }"
    assert of("[d3 th of 3d3 and 1d2]", program) == rolled(
        by_hand, d(3), d(3), d(3), d(3), d(2)
    )  # fmt: skip


def test_a_die_read_in_a_body_is_rolled_anew() -> None:
    """Only parameters are fixed: N - X is the difference of two rolls."""
    program = "X: d4 function: f N:n { result: N - X }"
    assert of("[f X]", program) == rolled(lambda a, b: a - b, d(4), d(4))


def test_calls_inside_a_case_make_cases_of_their_own() -> None:
    program = """function: inner A:n B:n { result: A * B }
    function: outer A:n { result: [inner A (d3)] + d2 }"""
    assert of("[outer d2]", program) == rolled(lambda a, b, c: a * b + c, d(2), d(3), d(2))


# --- leaving cases out


def test_cases_without_a_result_are_left_out() -> None:
    program = "function: high N:n { if N > 2 { result: N } }"
    assert of("[high d6]", program) == uniform([3, 4, 5, 6])
    assert of("[high d2]", program) == {}
    assert of("[high 1]", program) == {}


def test_the_empty_die_as_a_result_leaves_a_case_out() -> None:
    program = "function: even N:n { if N / 2 * 2 = N { result: N } result: d{} }"
    assert of("[even d6]", program) == uniform([2, 4, 6])


def test_what_was_left_out_inside_a_case_is_made_up_for_there() -> None:
    """A 1 gives a d6 of 5 and 6, a 2 gives 0: half and half all the same."""
    program = """function: high N:n { if N > 4 { result: N } }
    function: f N:n { if N = 1 { result: [high d6] } result: 0 }"""
    assert of("[f d2]", program) == {0: F(1, 2), 5: F(1, 4), 6: F(1, 4)}


# --- variables


def test_a_call_sees_the_variables_around_it() -> None:
    program = """function: inner { result: X }
    function: outer { X: 2 result: [inner] }
    X: 1"""
    assert number("[inner] * 10 + [outer]", program) == 12


def test_a_call_sees_the_parameters_of_its_caller() -> None:
    program = """function: inner { result: N * 10 }
    function: outer N:n { result: [inner] }"""
    assert of("[outer d4]", program) == uniform([10, 20, 30, 40])


def test_changes_are_thrown_away_after_the_call() -> None:
    assert number("[change] * 10 + X", "X: 1 function: change { X: 2 result: X }") == 21
    program = "X: 1 function: change N:n { loop X over {1..N} { } result: X }"
    assert of("[change d4] * 10 + X", program) == uniform([11, 21, 31, 41])


def test_a_loop_leaves_its_variable_behind() -> None:
    assert laws("loop X over {4, 7} { Y: X + 1 } output X output Y") == [{7: 1}, {8: 1}]
    assert law("X: 1 loop X over {} { } output X") == {1: 1}


def test_changing_the_variable_does_not_change_the_loop() -> None:
    assert laws("loop X over {1, 2} { X: X + 10 output X }") == [{11: 1}, {12: 1}]


def test_variables_carry_over_from_case_to_case() -> None:
    """1, 1 + 2, 1 + 2 + 3, ..: single dice go from the lowest face up."""
    program = "L: 0 function: run N:n { L: L + N result: L }"
    assert of("[run d6]", program) == uniform([1, 3, 6, 10, 15, 21])


def test_pools_go_from_the_highest_roll_down() -> None:
    """Rolls 33 32 31 22 21 11, with 1 2 2 1 2 1 of 9 ways: numbered 1 to 6."""
    program = "L: 0 function: count S:s { L: L + 1 result: L }"
    expected = {1: F(1, 9), 2: F(2, 9), 3: F(2, 9), 4: F(1, 9), 5: F(2, 9), 6: F(1, 9)}
    assert of("[count 2d3]", program) == expected


def test_with_lowest_first_pools_go_up() -> None:
    """Rolls 11 12 13 22 23 33: the first element of case number 3 is 1."""
    program = """set "position order" to "lowest first" L: 0
    function: f S:s { L: L * 10 + 1@S result: L }"""
    expected = {
        1: F(1, 9), 11: F(2, 9), 111: F(2, 9), 1112: F(1, 9), 11122: F(2, 9), 111223: F(1, 9),
    }  # fmt: skip
    assert of("[f 2d3]", program) == expected


def test_the_first_parameter_changes_fastest() -> None:
    program = "L: 0 function: f A:n B:n { L: L * 100 + A * 10 + B result: L }"
    found = of("[f (d2) (d2)]", program)
    assert sorted(found) == [11, 1121, 112112, 11211222]


def test_carrying_over_ends_with_the_call() -> None:
    program = "L: 0 function: run N:n { L: L + N result: L }"
    assert of("[run d2] + [run d2]", program) == rolled(lambda a, b: a + b, [1, 3], [1, 3])


def test_cases_of_an_inner_call_begin_anew_in_each_outer_case() -> None:
    program = """L: 0
    function: run N:n { L: L + N result: L }
    function: outer N:n { result: [run d2] }"""
    assert of("[outer d2]", program) == uniform([1, 3])


def test_parameters_are_set_anew_for_each_case() -> None:
    program = "function: f N:n S:s { S: {S, N} N: N + 1 result: N * 10 + #S }"
    assert of("[f (d2) (2d2)]", program) == uniform([23, 33])


def test_of_two_parameters_with_one_name_the_first_counts() -> None:
    assert of("[f 1 2]", "function: f A:n A:n { result: A }") == {1: 1}
    assert of("[f (d3) (d6)]", "function: f A:n A:n { result: A }") == (uniform(d(3)))


# --- which function is meant


def test_the_shape_of_the_name_is_the_function() -> None:
    program = """function: A:n plus B:n { result: 1 }
    function: plus A:n B:n { result: 2 }
    function: X:s plus Y:d { result: 3 }"""
    assert laws(program + "output [1 plus 2] output [plus 1 2]") == [{3: 1}, {2: 1}]


def test_definitions_run_in_order() -> None:
    program = "function: f { result: 1 } output [f] function: f { result: 2 } output [f]"
    assert laws(program) == [{1: 1}, {2: 1}]


def test_built_in_functions_may_be_replaced() -> None:
    program = "function: highest N:n of D:d { result: 99 }"
    assert laws(program + "output [highest 1 of 2d6] output [lowest 1 of 2d{4}]") == [
        {99: 1}, {4: 1},
    ]  # fmt: skip


def test_a_replaced_function_is_used_by_those_that_call_it() -> None:
    program = """function: inner N:n { result: N } function: outer N:n { result: [inner N] * 10 }
    output [outer d2]
    function: inner N:n { result: N + 1 }
    output [outer d2]"""
    assert laws(program) == [uniform([10, 20]), uniform([20, 30])]


def test_a_call_before_the_definition_fails() -> None:
    assert "[f ?]" in refused("output [f 3] function: f N:n { result: N }").message


# --- depth


def test_ten_calls_deep_and_no_deeper() -> None:
    """1 + .. ten times; the eleventh call gives the empty die, which counts as 0 in a sum."""
    assert of("[f]", "function: f { result: 1 + [f] }") == {10: 1}


def test_what_is_cut_off_vanishes_in_a_product() -> None:
    assert of("[f]", "function: f { result: 2 * [f] }") == {}


def test_functions_that_call_one_another_share_the_depth() -> None:
    program = "function: a { result: 1 + [b] } function: b { result: 2 + [a] }"
    assert of("[a]", program) == {15: 1}


def test_the_depth_may_be_set() -> None:
    program = 'set "maximum function depth" to {} function: f {{ result: 1 + [f] }} output [f]'
    assert [law(program.format(n)) for n in (1, 2, 500, "2 * 3")] == [
        {1: 1}, {2: 1}, {500: 1}, {6: 1},
    ]  # fmt: skip


def test_a_roll_that_is_cut_off_is_left_out() -> None:
    """1 or 2; a 2 rolls again, three times at most: then 1 is all there is."""
    program = """set "maximum function depth" to 3
    function: f N:n { if N = 1 { result: 1 } result: [f d2] }"""
    assert of("[f d2]", program) == {1: 1}
    again = program.replace("result: [f d2]", "result: 10 + [f d2]")
    assert of("[f d2]", again) == {1: F(1, 2), 11: F(1, 4), 21: F(1, 8), 30: F(1, 8)}


def test_thousands_of_calls_deep() -> None:
    program = """set "maximum function depth" to 3000
    function: f N:n { if N = 0 { result: 0 } result: 1 + [f N - 1] }"""
    assert of("[f 2999]", program) == {2999: 1}


# --- results are remembered only where that changes nothing


def test_settings_between_two_calls_count() -> None:
    program = """function: f { result: [explode d{2}] }
    output [f] set "explode depth" to 1 output [f]"""
    assert laws(program) == [{6: 1}, {4: 1}]


def test_variables_between_two_calls_count() -> None:
    program = """function: f N:n { result: N + X }
    loop X over {10, 20} { output [f d2] }"""
    assert laws(program) == [uniform([11, 12]), uniform([21, 22])]


def test_a_variable_set_on_one_way_only_carries_over() -> None:
    """X is set by the first case and read by the second."""
    program = "X: 5 function: f N:n { if N = 1 { X: 7 } result: X }"
    assert of("[f d2]", program) == {7: 1}
    assert of("[f d{2, 3}]", program) == {5: 1}


def test_a_variable_set_on_both_ways_does_not() -> None:
    program = "function: f N:n { if N = 1 { X: 7 } else { X: 8 } result: X }"
    assert of("[f d2]", program) == uniform([7, 8])


def test_a_called_function_may_read_what_carries_over() -> None:
    program = """X: 0 function: read { result: X }
    function: f N:n { Y: [read] X: N result: Y }"""
    assert of("[f d3]", program) == uniform([0, 1, 2])


def test_functions_without_a_result_say_so() -> None:
    assert (
        run("function: f N:n { RESULT: N } output [f 1] output 1")
        .warnings[0]
        .startswith("[f ?] has no result:")
    )
