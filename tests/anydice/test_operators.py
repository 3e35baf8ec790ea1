"""Operators on numbers, sequences and dice, cell by cell."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction

import pytest

from .programs import F, Law, d, law, number, of, refused, rolled, uniform

VALUES: dict[str, list[int]] = {
    "3": [3], "-2": [-2], "0": [0], "{}": [0], "{1, 2}": [3], "{-1, 1}": [0], "{5, -7}": [-2],
    "d4": list(d(4)), "d{-1..1}": [-1, 0, 1],
    "2d3": [a + b for a in d(3) for b in d(3)], "(2d2 + 1)": [3, 4, 4, 5],
}  # fmt: skip
"""Values with the numbers they add up to, each equally likely."""


def toward_zero(a: int, b: int) -> int:
    return int(Fraction(a, b)) if b else 0


ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": toward_zero,
    "&": lambda a, b: int(a != 0 and b != 0), "|": lambda a, b: int(a != 0 or b != 0),
}  # fmt: skip
COMPARE: dict[str, Callable[[object, object], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt,
    "<=": operator.le, ">=": operator.ge,
}  # fmt: skip


@pytest.mark.parametrize("right", VALUES)
@pytest.mark.parametrize("left", VALUES)
def test_arithmetic_adds_up_first_and_takes_all_pairs(left: str, right: str) -> None:
    for sign, function in ARITHMETIC.items():
        found = of(f"({left}) {sign} ({right})")
        assert found == rolled(function, VALUES[left], VALUES[right]), sign


def is_row(text: str) -> bool:
    return text.startswith("{")


@pytest.mark.parametrize("right", VALUES)
@pytest.mark.parametrize("left", VALUES)
def test_comparisons_of_dice_use_sums(left: str, right: str) -> None:
    """A die against anything; sequences are added up then."""
    if "d" not in left + right:
        return
    for sign, test in COMPARE.items():
        found = of(f"({left}) {sign} ({right})")
        expected = rolled(lambda a, b, test=test: int(test(a, b)), VALUES[left], VALUES[right])
        assert found == expected, sign


ROWS: list[tuple[int, ...]] = [(), (1,), (2,), (1, 2), (2, 2), (3, 3), (4, 1), (1, 2, 3), (2, 2, 2)]


def text(row: tuple[int, ...]) -> str:
    return "{" + ", ".join(map(str, row)) + "}"


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("value", [-1, 1, 2, 3])
def test_a_sequence_against_a_number_counts_its_elements(row: tuple[int, ...], value: int) -> None:
    for sign, test in COMPARE.items():
        assert number(f"{text(row)} {sign} ({value})") == sum(test(x, value) for x in row)
        assert number(f"({value}) {sign} {text(row)}") == sum(test(value, x) for x in row)


@pytest.mark.parametrize("left", ROWS)
@pytest.mark.parametrize("right", ROWS)
def test_sequences_are_compared_like_words(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    """Element by element; a beginning of the other is smaller."""
    for sign, test in COMPARE.items():
        assert number(f"{text(left)} {sign} {text(right)}") == int(test(left, right))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("{1, 2, 3} >= 2", 2), ("7 > {1, 2, 3}", 3), ("{} = 0", 0), ("0 = {}", 0),
        ("{4, 1} < {3, 3}", 0), ("{2, 2, 2} > {2, 2}", 1), ("{1, 3} = {2, 2}", 0),
        ("{} < {0}", 1), ("5 = 5", 1), ("5 != 5", 0),
    ],
)  # fmt: skip
def test_comparisons_by_example(value: str, expected: int) -> None:
    assert number(value) == expected


def test_a_pool_is_compared_as_a_total() -> None:
    """At least 7 with 3d6: all but the 1 + 3 + 6 + 10 rolls of 3 to 6, of 216."""
    assert of("3d6 >= 7") == {0: F(20, 216), 1: F(196, 216)}


# --- division and powers


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("7 / 2", 3), ("7 / -2", -3), ("-7 / 2", -3), ("-7 / -2", 3), ("-10 / {2, 3}", -2),
        ("5 / 0", 0), ("0 / 0", 0), ("5 / {}", 0), ("-1 / 3", 0), ("1 / -3", 0),
    ],
)  # fmt: skip
def test_division_cuts_toward_zero(value: str, expected: int) -> None:
    assert number(value) == expected


def test_division_by_zero_among_dice_is_zero_for_that_outcome() -> None:
    assert of("6 / d{0, 1, 2}") == uniform([0, 6, 3])
    assert of("d{1, 2} / {}") == {0: 1}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2^10", 1024), ("(-2)^3", -8), ("5^0", 1), ("0^0", 1), ("0^5", 0), ("2^-1", 0),
        ("1^-5", 1), ("(-1)^-1", -1), ("(-1)^-2", 1), ("(-2)^-2", 0), ("{1, 1}^{1, 2}", 8),
        ("{}^2", 0), ("2^{}", 1), ("1^-99999999999", 1), ("(-1)^-99999999999", -1),
        ("3^-99999999999", 0),
    ],
)  # fmt: skip
def test_powers(value: str, expected: int) -> None:
    assert number(value) == expected


def test_powers_of_dice() -> None:
    assert of("d3^2") == uniform([1, 4, 9])
    assert of("2^d3") == uniform([2, 4, 8])
    assert of("d2^d2") == uniform([1, 1, 2, 4])
    assert of("(d{-1, 2})^-1") == uniform([-1, 0])


def test_zero_to_a_negative_power_among_dice_is_the_least_number() -> None:
    assert of("d{0, 1}^-1") == {-(2**63): F(1, 2), 1: F(1, 2)}


# --- signs in front


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("-{1, 2, 3}", -6), ("-{}", 0), ("!{0, 0, 0}", 1), ("!{-1, 1}", 1), ("!{}", 1), ("!3", 0),
        ("!0", 1), ("!-1", 0), ("#+{1, 2}", 2), ("+5", 5),
    ],
)  # fmt: skip
def test_signs(value: str, expected: int) -> None:
    assert number(value) == expected


def test_signs_of_dice() -> None:
    assert of("-(2d3)") == rolled(lambda a, b: -a - b, d(3), d(3))
    assert of("!d4") == {0: 1}
    assert of("!d{0, 0, 1}") == {1: F(2, 3), 0: F(1, 3)}
    assert of("!(d{-1, 1} + d{-1, 1})") == {1: F(1, 2), 0: F(1, 2)}


def test_a_negated_pool_is_still_a_pool() -> None:
    """The highest of two negated d3 is minus the lower one."""
    assert of("[highest 1 of -(2d3)]") == rolled(lambda a, b: -min(a, b), d(3), d(3))


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ("0", 1), ("7", 1), ("-7", 1), ("10", 2), ("-123", 3), ("{}", 0), ("{5, 5}", 2), ("d6", 1),
        ("3d6", 3), ("(2d6 + 0)", 1), ("d{}", 0), ("(3d{})", 0), ("[sort {1, 2, 3}]", 3),
    ],
)  # fmt: skip
def test_sizes(value: str, size: int) -> None:
    assert number(f"#({value})") == size


# --- places


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        # digits, from the left
        ("1@456", 4), ("3@456", 6), ("4@456", 0), ("0@456", 0), ("-1@456", 0), ("1@-456", -4),
        ("{1, 3}@456", 10), ("{2, 2}@456", 10), ("1@0", 0), ("{}@456", 0), ("{1..9}@123", 6),
        # elements, as written
        ("1@{7, 9, 8}", 7), ("3@{7, 9, 8}", 8), ("4@{7}", 0), ("0@{7}", 0), ("{1, 1}@{7}", 14),
        ("{3, 1}@{7, 9, 8}", 15), ("{}@{7}", 0), ("1@{}", 0),
    ],
)  # fmt: skip
def test_places(value: str, expected: int) -> None:
    assert number(value) == expected


@pytest.mark.parametrize(
    ("value", "places"),
    [
        ("1@3d4", [1]), ("2@3d4", [2]), ("3@3d4", [3]), ("{1, 2}@3d4", [1, 2]),
        ("{1, 3}@3d4", [1, 3]), ("{1, 1, 2}@3d4", [1, 1, 2]), ("{1..3}@3d4", [1, 2, 3]),
        ("{2, 3, 9, 0, -1}@3d4", [2, 3]), ("{1..0}@3d4", []), ("4@3d4", []),
    ],
)  # fmt: skip
def test_places_of_dice_belong_to_one_sorted_roll(value: str, places: list[int]) -> None:
    def pick(*faces: int) -> int:
        best_first = sorted(faces, reverse=True)
        return sum(best_first[place - 1] for place in places)

    assert of(value) == rolled(pick, d(4), d(4), d(4))


def test_places_of_a_single_die() -> None:
    assert of("1@(2d4 + 1)") == rolled(lambda a, b: a + b + 1, d(4), d(4))
    assert of("2@(2d4 + 1)") == {0: 1}
    assert of("1@d{}") == {}


# --- the empty die


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        # it counts as 0 in sums and differences, and with |
        ("d{} + 5", {5: F(1)}), ("5 + d{}", {5: F(1)}), ("d{} - 5", {-5: F(1)}),
        ("5 - d{}", {5: F(1)}), ("d{} - d4", uniform([-4, -3, -2, -1])),
        ("d{} + d4", uniform(d(4))), ("d{} | 1", {1: F(1)}), ("0 | d{}", {0: F(1)}),
        ("d{} | d{0, 1}", uniform([0, 1])), ("d{} + {1, 2}", {3: F(1)}),
        ("{1, 2} | d{}", {1: F(1)}), ("d{} | {}", {0: F(1)}),
        # anything else is empty
        ("d{} + d{}", {}), ("d{} - d{}", {}), ("d{} | d{}", {}), ("d{} * 5", {}), ("5 / d{}", {}),
        ("d{}^2", {}), ("d{} & 1", {}), ("d6 * d{}", {}), ("-d{}", {}), ("!d{}", {}),
        ("d(d{})", {}),
        ("d{} = 1", {}), ("1 != d{}", {}), ("d{} < d6", {}), ("d{} >= {1, 2}", {}),
        ("d{} = d{}", {}), ("d{}d6", {}), ("+d{}", {}),
    ],
)  # fmt: skip
def test_the_empty_die(value: str, expected: Law) -> None:
    assert of(value) == expected


# --- large laws


def test_products_of_large_dice() -> None:
    """d100 * d200 = 100: a divisor of 100 up to 100, the other is at most 100."""
    divisors = [x for x in range(1, 101) if 100 % x == 0]
    found = of("d100 * d200")
    assert found[100] == F(len(divisors), 100 * 200)
    assert found[20_000] == F(1, 20_000)
    assert sum(found.values()) == 1


def test_products_and_quotients_with_all_signs() -> None:
    faces, others = range(-150, 151), range(-75, 76)
    die, other = "d{-150..150}", "d{-75..75}"
    assert of(f"{die} * {other}") == rolled(operator.mul, faces, others)
    assert of(f"{die} / {other}") == rolled(toward_zero, faces, others)


def test_products_of_large_numbers_and_of_large_weights() -> None:
    """Beyond 64 bits."""
    big = 2**40
    found = of("X * X", f"X: d200 * {big}")
    assert found[4 * big * big] == F(3, 40_000)
    heavy = of("X * (X + 1)", "X: 60d4")
    assert heavy[60 * 61] == F(1, 4**120)


def test_errors_point_at_the_operator() -> None:
    error = refused("X: 0\noutput 1 + (X^-1)")
    assert error.span == (16, 22)


def test_the_empty_die_and_a_number_make_a_number() -> None:
    """So it may stand in a condition, and as the end of a range."""
    assert law("if d{} + 1 { output 1 } else { output 2 }") == {1: F(1)}
    assert number("#{1..3 - d{}}") == 3
    assert number("d{} | {1, 2}") == 1


def test_the_empty_die_hands_pools_back() -> None:
    assert number("#(3d6 + d{})") == number("#(3d6 | d{})") == 3
    assert of("d{} | d4") == uniform([1, 2, 3, 4])


def test_what_the_depth_limit_cuts_counts_as_a_number() -> None:
    """Twelve turns past a depth of ten: the tail is 0, and the count can be asked for."""
    program = """function: s N:n { if N = 0 { result: 0 } result: 1 + [s N - 1] }
        function: g N:n { if [s N] > 5 { result: 1 } result: 0 } output [g d12]"""
    assert law(program) == {0: F(5, 12), 1: F(7, 12)}
