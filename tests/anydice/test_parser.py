"""Reading programs: words, grammar, precedence."""

from __future__ import annotations

import pytest

from oddsmith.anydice import run
from oddsmith.anydice.parser import parse

from .programs import F, d, law, laws, number, of, refused, rolled, uniform

# --- words


@pytest.mark.parametrize(
    "text",
    [
        "output 3d6", "output3d6", "output 3 d 6", "output\n3\td\r\n6", "\n\noutput 3d6\n",
        "output \\ three dice \\ 3d6", "\\ a\nlong\n\"comment\" \\output 3d6", "output 3\\ \\d6",
        "output 3d6 \\ at the end \\",
    ],
)  # fmt: skip
def test_white_space_and_comments_only_separate(text: str) -> None:
    assert law(text) == rolled(lambda a, b, c: a + b + c, d(6), d(6), d(6))


def test_a_comment_separates_numbers() -> None:
    assert "stands by itself" in refused("output 1\\ \\2").message


@pytest.mark.parametrize(
    ("program", "sides", "count"),
    [
        ("COUNT: 3 output COUNTd6", 6, 3),
        ("N: 4 output 1dN", 4, 1),
        ("A_B: 2 output A_Bd4", 4, 2),
        ("_: 2 output _d4", 4, 2),
        ("_A: 2 output _Ad4", 4, 2),
    ],
)
def test_words_of_different_letters_split_by_themselves(
    program: str, sides: int, count: int
) -> None:
    assert law(program) == rolled(lambda *faces: sum(faces), *[d(sides)] * count)


def test_a_loop_variable_may_touch_over() -> None:
    assert [set(found) for found in laws("loop Nover{1,2}{output N}")] == [{1}, {2}]


def test_the_dots_of_a_range_may_stand_apart() -> None:
    assert of("d{1 . . 3}") == uniform(d(3))


def test_dice_words_are_one_word() -> None:
    assert "dd" in refused("output dd6").message


def test_reserved_words_are_words_inside_function_names() -> None:
    program = """function: output if N:n loop over set to named result else function {
        result: N + 1 }
    output [output if 3 loop over set to named result else function]"""
    assert law(program) == {4: 1}


def test_the_word_d_in_a_name_can_never_be_called() -> None:
    program = "function: A:n d B:n { result: 7 } "
    assert law(program + "output 4 d 5") == rolled(lambda *x: sum(x), *[d(5)] * 4)
    assert "[?]" in refused(program + "output [4 d 5]").message


# --- grammar


def test_an_output_may_have_a_name() -> None:
    assert [output.label for output in run('output 1 named "a b" output 2').outputs] == [
        "a b", "output 2",
    ]  # fmt: skip


def test_a_name_may_have_several_lines_and_be_empty() -> None:
    assert run('output 1 named "a\nb"').outputs[0].label == "a\nb"
    assert run('output 1 named ""').outputs[0].label == ""


def test_functions_may_have_words_only_parameters_only_or_nothing() -> None:
    assert law("function: seven { result: 7 } output [seven]") == {7: 1}
    assert law("function: A:n B:n { result: 10*A + B } output [1 2]") == {12: 1}
    assert law("function: { result: 7 } output []") == {7: 1}


def test_arguments_may_touch_and_are_as_long_as_they_can_be() -> None:
    add = "function: add A:n B:n { result: 10*A + B } function: f A:n { result: A } "
    assert law(add + "output [add 1 2]") == {12: 1}
    assert law(add + "output [add (1) (2)]") == {12: 1}
    assert law(add + "output [f 1 -2]") == {-1: 1}
    assert law(add + "output [f d2 d2]") == rolled(lambda a, b, c: b if a == 1 else b + c,
                                                  d(2), d(2), d(2))  # fmt: skip


def test_types_may_be_left_open() -> None:
    program = "function: size A { result: #A } function: length A:? { result: #A } "
    assert laws(program + "output [size {1,2}] output [length 3d6]") == [{2: 1}, {3: 1}]


def test_functions_may_be_defined_in_loops_and_ifs() -> None:
    program = """loop N over {1, 2} { function: f { result: N } output [f] }
    if 1 { function: g { result: 5 } }
    output [g]"""
    assert laws(program) == [{1: 1}, {2: 1}, {5: 1}]


def test_result_leaves_a_function_from_inside_blocks() -> None:
    program = """function: first over N:n of S:s {
        loop I over S { if I > N { result: I } }
        result: 0
    }
    output [first over 3 of {1, 4, 9}] output [first over 9 of {1, 4, 9}]"""
    assert laws(program) == [{4: 1}, {0: 1}]


def test_else_if_chains() -> None:
    program = """loop N over {1..4} {
        if N = 1 { output 10 } else if N = 2 { output 20 } else if N = 3 { output 30 }
        else { output 40 }
    }"""
    assert laws(program) == [{10: 1}, {20: 1}, {30: 1}, {40: 1}]


def test_an_if_without_else() -> None:
    assert laws("if 0 { output 1 } if 0 { output 2 } else { } output 3") == [{3: 1}]


def test_blocks_may_be_empty() -> None:
    assert laws("loop N over {1..3} { } if 1 { } function: f { } output 1") == [{1: 1}]


def test_settings_take_numbers_and_texts() -> None:
    assert parse('set "explode depth" to 1 + 2 output 1')
    assert parse('set "position order" to "lowest first" output 1')


def test_two_statements_on_one_line() -> None:
    assert laws("A: 1 B: 2 output A output B output A + B") == [{1: 1}, {2: 1}, {3: 1}]


# --- precedence, from the tightest


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        # signs in front: one level, right to left, tighter than anything
        ("-2^2", 4), ("--3", 3), ("-+-3", 3), ("!!5", 1), ("!-0", 1), ("#-12", 2), ("-#123", -3),
        ("!0 + 1", 2), ("#12@345", 4), ("-1@23", 0), ("#(3d6)", 3),
        # d before @, @ before ^
        ("1@2d{7}", 7), ("2+123@2", 2), ("2@34^2", 16), ("2 ^ 1@34", 8),
        # ^ groups to the left
        ("2^3^2", 64), ("2*3^2", 18), ("3^2*2", 18),
        # * and / group to the left
        ("100/10/2", 5), ("100/10*2", 20), ("2*7/3", 4), ("7/3*2", 4),
        # + and -
        ("7-3-2", 2), ("7-3+2", 6), ("1+2*3", 7), ("2*3+1", 7),
        # comparisons group to the left, below sums
        ("3 > 2 > 1", 0), ("3 > 2 = 1", 1), ("1 + 1 = 2", 1), ("2 = 1 + 1", 1), ("5 != 5 = 0", 1),
        # & and | are one level, to the left, below comparisons
        ("1 | 1 & 0", 0), ("0 & 0 | 1", 1), ("1 & 2 > 1", 1), ("1 = 1 & 2 = 3", 0),
        # brackets
        ("(1 + 2) * 3", 9), ("-(2^2)", -4), ("1 | (1 & 0)", 1), ("2^(3^2)", 512),
        ("((((5))))", 5),
    ],
)  # fmt: skip
def test_precedence(value: str, expected: int) -> None:
    assert number(value) == expected


def test_count_of_dice_binds_before_d() -> None:
    """#3d6 is (#3)d6: the number 3 has one digit, so one die."""
    assert of("#3d6 + 0") == uniform(d(6))


def test_d_groups_to_the_left() -> None:
    """2d2d2 rolls 2d2 and then so many d2: 2, 3 or 4 of them with 1/4, 1/2, 1/4."""
    expected: dict[int, F] = {}
    for count, chance in ((2, F(1, 4)), (3, F(1, 2)), (4, F(1, 4))):
        for total, p in rolled(lambda *x: sum(x), *[d(2)] * count).items():
            expected[total] = expected.get(total, F(0)) + chance * p
    assert of("2d2d2") == expected
    assert of("2d(2d2)") == rolled(lambda *x: sum(x), *[d(2)] * 4)


def test_at_takes_the_dice_to_its_right() -> None:
    assert of("1@3d6") == rolled(max, d(6), d(6), d(6))
    assert of("1@3d6 + 1") == rolled(lambda *x: max(x) + 1, d(6), d(6), d(6))


def test_minus_in_front_of_dice_binds_to_the_number() -> None:
    assert of("-2d4") == rolled(lambda a, b: -a - b, d(4), d(4))
    assert number("#(-2d4)") == 2
    assert of("-d4") == rolled(lambda a: -a, d(4))


def test_both_sides_are_worked_out_always() -> None:
    assert "no variable" in refused("output 0 & X").message
    assert "no variable" in refused("output 1 | X").message


# --- depth of nesting


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("output " + "(" * 100 + "1" + ")" * 100, 1),
        ("output " + "{" * 50 + "2" + "}" * 50, 2),
        ("output " + "-" * 100 + "3", 3),
        ("if 1 { " * 100 + "output 4" + " }" * 100, 4),
        ("output " + " + ".join(["1"] * 5_000), 5_000),
        (
            "X: 999 if X = 0 { output 0 } "
            + " ".join(f"else if X = {k} {{ output {k} }}" for k in range(1, 1_000)),
            999,
        ),
    ],
    ids=["brackets", "braces", "minus", "if", "sum", "else if"],
)
def test_long_and_nested_programs(program: str, expected: int) -> None:
    assert law(program) == {expected: 1}


@pytest.mark.parametrize(
    "program",
    ["output " + "(" * 5_000 + "1" + ")" * 5_000, "output " + "-" * 5_000 + "1",
     "if 1 { " * 5_000 + "output 4" + " }" * 5_000],
    ids=["brackets", "minus", "if"],
)  # fmt: skip
def test_nesting_without_end_is_refused_in_words(program: str) -> None:
    assert refused(program).message == "this is nested too deeply"


def test_long_numbers() -> None:
    assert number("9" * 1_000) == int("9" * 1_000)
    assert "too long" in refused("output " + "9" * 1_001).message
    assert "too long" in refused("output 1 " + " " * 100_000).message


# --- the notation of very old programs


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("3d6", "3d6"), ("d6", "d6"), ("4d6h3", "[highest 3 of 4d6]"),
        ("4d6l1+2", "[lowest 1 of 4d6] + 2"), ("3d6m1 - d4", "[middle 1 of 3d6] - d4"),
        ("-d6", "-d6"), ("5", "5"),
    ],
)  # fmt: skip
def test_legacy(old: str, new: str) -> None:
    assert of(f'legacy "{old}"') == of(new)
    assert of(f'1 + legacy "{old}"') == of(f"1 + ({new})")


@pytest.mark.parametrize("text", ["6d10<5", "4d8e3h", "5d10c>7", "", "3d6 4", "x"])
def test_legacy_that_is_not_understood(text: str) -> None:
    assert "legacy" in refused(f'output legacy "{text}"').message
