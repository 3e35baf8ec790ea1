"""Settings: what they change, from where on, and how far."""

from __future__ import annotations

import pytest

from .programs import F, d, laws, number, of, rolled, row, uniform

LOWEST = 'set "position order" to "lowest first"'


def test_settings_hold_from_there_on() -> None:
    program = """output [explode d{2}]
    set "explode depth" to 1 output [explode d{2}]
    set "explode depth" to 5 output [explode d{2}]"""
    assert laws(program) == [{6: 1}, {4: 1}, {12: 1}]


def test_settings_may_be_changed_in_a_loop() -> None:
    program = 'loop N over {1..3} { set "explode depth" to N output [explode d{1}] }'
    assert laws(program) == [{2: 1}, {3: 1}, {4: 1}]


@pytest.mark.parametrize("value", ["3", "1 + 2", "N", "#{1, 1, 1}", "[count 1 in {1, 1, 1}]"])
def test_any_number_will_do(value: str) -> None:
    assert of("[explode d{1}]", f'N: 3 set "explode depth" to {value}') == {4: 1}


def test_lowest_first_turns_dice_around() -> None:
    assert of("1@3d4", LOWEST) == rolled(min, *[d(4)] * 3)
    assert of("{1, 2}@3d4", LOWEST) == rolled(lambda *x: sum(sorted(x)[:2]), *[d(4)] * 3)


def test_lowest_first_turns_digits_around() -> None:
    assert number("1@456", LOWEST) == 6
    assert number("3@-456", LOWEST) == -4
    assert number("{1, 2}@456", LOWEST) == 11


def test_lowest_first_turns_sorting_and_rolls_around() -> None:
    assert row("[sort {3, 1, 2}]", LOWEST) == (1, 2, 3)
    assert of("[f 3d4]", LOWEST + " function: f S:s { X: S result: 1@X }") == rolled(
        min, *[d(4)] * 3
    )


def test_lowest_first_leaves_sequences_alone() -> None:
    assert number("1@{7, 9, 8}", LOWEST) == 7
    assert row("{d4}", LOWEST) == (1, 2, 3, 4)
    assert row("[reverse {3, 1, 2}]", LOWEST) == (2, 1, 3)


def test_highest_first_turns_it_back() -> None:
    assert of("1@2d4", LOWEST + ' set "position order" to "highest first"') == rolled(
        max, d(4), d(4)
    )


def test_a_setting_made_before_holds_inside_functions() -> None:
    program = 'function: f { result: [explode d{1}] } set "explode depth" to 6'
    assert of("[f]", program) == {7: 1}


def test_the_depth_may_be_changed_between_calls() -> None:
    program = """function: f N:n { if N = 2 { result: 2 + [f d2] } result: N }
    set "maximum function depth" to 1 output [f d2]
    set "maximum function depth" to 2 output [f d2]"""
    assert laws(program) == [uniform([1, 2]), {1: F(1, 2), 3: F(1, 4), 4: F(1, 4)}]
