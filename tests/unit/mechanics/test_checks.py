"""Checks: values by hand in the comments, the rest by walking both rolls of every die."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith import Dist, d, d6
from oddsmith.errors import RuleError
from oddsmith.mechanics.checks import (
    KINDS,
    Check,
    Modifiers,
    Reroll,
    chance,
    natural,
    resolve,
    rolled,
    tally,
)

F = Fraction
FACES = range(1, 7)
FAIL_ON_1 = frozenset({1})
WIN_ON_6 = frozenset({6})


# --- modifiers


@pytest.mark.parametrize(
    ("change", "value", "expected"),
    [
        (Modifiers(), 4, 4),
        (Modifiers(divide=2), 5, 3),
        (Modifiers(multiply=2, add=1), 4, 9),
        (Modifiers(divide=2, multiply=2), 5, 5),
        (Modifiers(divide=2, multiply=2, each=True), 5, 6),
        (Modifiers(set_to=3, multiply=2, add=-1), 9, 5),
        (Modifiers(set_to=0, add=2), 6, 2),
        (Modifiers(divide=2), -3, -1),  # -3/2 rounded up
    ],
)
def test_modifiers(change: Modifiers, value: int, expected: int) -> None:
    assert change(value) == expected


@given(st.integers(-30, 30), st.lists(st.integers(1, 5), max_size=4))
def test_one_divisor_stands_for_all_of_them(value: int, divisors: list[int]) -> None:
    """Rounding up after each division in turn is rounding up after dividing by the product."""
    stepwise, whole = value, 1
    for divisor in divisors:
        stepwise = ceil(F(stepwise, divisor))
        whole *= divisor
    assert Modifiers(divide=whole, multiply=3, each=True)(value) == stepwise * 3


def test_a_cap_goes_both_ways_and_leaves_the_rest() -> None:
    assert Modifiers(add=3).capped(1).add == 1
    assert Modifiers(add=-3).capped(1).add == -1
    assert Modifiers(add=-3).capped(None).add == -3
    assert Modifiers(multiply=3, add=1).capped(0) == Modifiers(multiply=3)


def test_nothing_is_divided_by_nothing() -> None:
    with pytest.raises(RuleError, match="divided by 0"):
        Modifiers(divide=0)(4)


# --- outcomes


def test_the_natural_rules_have_the_last_word() -> None:
    check = Check(3, Modifiers(add=5), always_fail=FAIL_ON_1)
    assert [check.passes(face) for face in FACES] == [False, True, True, True, True, True]
    check = Check(9, always_fail=FAIL_ON_1, always_succeed=WIN_ON_6)
    assert [check.passes(face) for face in FACES] == [False] * 5 + [True]


def test_criticals_look_at_the_natural_face_and_always_succeed() -> None:
    check = Check(4, Modifiers(add=-3), critical=5)
    assert [check.outcome(face) for face in FACES] == ["fail"] * 4 + ["critical"] * 2


def test_a_face_that_always_fails_is_no_critical() -> None:
    check = Check(2, always_fail=frozenset({1, 2, 3}), critical=3)
    assert [check.outcome(face) for face in FACES] == ["fail"] * 3 + ["critical"] * 3


def test_a_floor_holds_for_modified_rolls_alone() -> None:
    check = Check(2, Modifiers(add=-4), floor=1)
    assert [check.modified(face) for face in FACES] == [1, 1, 1, 1, 1, 2]
    assert check.unmodified() == Check(2)


# --- re-rolls


@pytest.mark.parametrize(
    ("sources", "named"),
    [
        ((), set()),
        (("none",), set()),
        (("ones",), {1}),
        (("failed",), {1, 2}),  # 3+ at -1: what fails without the -1
        (("not-succeeding",), {1, 2, 3}),
        (("all",), {1, 2, 3, 4, 5, 6}),
        ((2, 5), {2, 5}),
        (("ones", "failed", 6), {1, 2, 6}),
        (("ones", "ones", 1), {1}),
    ],
)
def test_which_faces_are_named(sources: tuple[object, ...], named: set[int]) -> None:
    assert Reroll(sources).faces(d6, Check(3, Modifiers(add=-1))) == named


def test_what_always_fails_has_failed_before_modifiers() -> None:
    check = Check(2, always_fail=frozenset({1, 2, 3}))
    assert Reroll(("failed",)).faces(d6, check) == {1, 2, 3}


def test_who_may_decline_keeps_what_succeeds() -> None:
    check = Check(3, Modifiers(add=1))
    assert Reroll(("failed",)).faces(d6, check) == {1, 2}
    assert Reroll(("failed",), optional=True).faces(d6, check) == {1}
    assert Reroll(("all",), optional=True).faces(d6, check) == {1}


def test_nobody_re_rolls_for_nothing() -> None:
    assert Reroll(("all",), optional=True).faces(d6, Check(7)) == set()


@pytest.mark.parametrize(("wound", "again"), [(3, {1, 2}), (5, {1, 2}), (6, {1, 2, 3, 4, 5})])
def test_fishing_for_criticals(wound: int, again: set[int]) -> None:
    """3+ to hit, a 6 wounds at once, other hits wound on X+ with chance p = (7 - X) / 6.

    A new roll is worth 1/6 + p/2. Keeping a plain hit is worth p, which is less when p < 1/3:
    on 6+ alone.
    The cases fish-bs3-w3, -w5 and -w6 say the same: +1/6, 0, -1/12.
    """
    p = F(7 - wound, 6)
    kind = Reroll(("all",), optional=True)
    check = Check(3)
    assert kind.faces(d6, check, lambda face: 1 if face == 6 else p * check.passes(face)) == again


def test_fishing_at_any_price() -> None:
    """Case W01: whatever is no 6 is re-rolled; a 6 wounds, other hits on 5+. Mean of 36: 16."""
    shown = resolve(d6, Check(3, critical=6), Reroll((1, 2, 3, 4, 5)))
    worth = {"fail": F(0), "success": F(1, 3), "critical": F(1)}
    assert 36 * sum(p * worth[outcome] for (_, outcome), p in shown.items()) == 16


def test_an_unknown_re_roll() -> None:
    with pytest.raises(RuleError, match="no re-roll is called sixes: choose from none, ones"):
        Reroll(("sixes",)).faces(d6, Check(3))


def test_the_mark_of_a_re_roll() -> None:
    """A first 1 (1/6) becomes any face, marked; other faces stay, not marked."""
    shown = rolled(d6, frozenset({1}))
    assert shown.p((1, 0)) == 0
    assert shown.p((1, 1)) == F(1, 36)
    assert shown.p((4, 0)) == F(1, 6)
    assert shown.p((4, 1)) == F(1, 36)
    assert natural(d6, frozenset({1})).p(4) == F(7, 36)


# --- the whole check, against a walk over first and second rolls


def good(face: int, target: int, add: int, one: bool, six: bool) -> bool:
    if one and face == 1:
        return False
    return (six and face == 6) or face + add >= target


def walked(
    sides: int, target: int, add: int, kind: str, optional: bool, one: bool, six: bool
) -> tuple[Counter[tuple[int, bool]], int]:
    """How many of all pairs of rolls end as this face and success."""
    ends: Counter[tuple[int, bool]] = Counter()
    for first, second in product(range(1, sides + 1), repeat=2):
        after = good(first, target, add, one, six)
        again = {
            "none": False,
            "ones": first == 1,
            "failed": not good(first, target, 0, one, six),
            "not-succeeding": not after,
            "all": True,
        }[kind]
        if optional and after:
            again = False
        final = second if again else first
        ends[final, good(final, target, add, one, six)] += 1
    return ends, sides * sides


@given(
    sides=st.integers(1, 8), target=st.integers(-1, 9), add=st.integers(-3, 3),
    kind=st.sampled_from(KINDS), one=st.booleans(), six=st.booleans(),
)  # fmt: skip
@settings(max_examples=150)
def test_a_compulsory_re_roll(
    sides: int, target: int, add: int, kind: str, one: bool, six: bool
) -> None:
    check = Check(
        target, Modifiers(add=add), None,
        FAIL_ON_1 if one else frozenset(), WIN_ON_6 if six else frozenset(),
    )  # fmt: skip
    ends, ways = walked(sides, target, add, kind, False, one, six)
    shown = resolve(d(sides), check, Reroll((kind,)))
    for (face, fine), count in ends.items():
        assert shown.p((face, "success" if fine else "fail")) == F(count, ways)


@given(
    target=st.integers(1, 8), add=st.integers(-3, 3), kind=st.sampled_from(KINDS),
    one=st.booleans(), six=st.booleans(),
)  # fmt: skip
@settings(max_examples=100)
def test_an_optional_re_roll(target: int, add: int, kind: str, one: bool, six: bool) -> None:
    check = Check(
        target, Modifiers(add=add), None,
        FAIL_ON_1 if one else frozenset(), WIN_ON_6 if six else frozenset(),
    )  # fmt: skip
    ends, ways = walked(6, target, add, kind, True, one, six)
    expected = F(sum(count for (_, fine), count in ends.items() if fine), ways)
    assert chance(d6, check, Reroll((kind,), optional=True)) == expected


def test_a_sum_is_a_roll_too() -> None:
    """2D6 at 9+: 10/36; with a re-roll of both dice 10/36 + 26/36 * 10/36 = 155/324."""
    assert chance(2 @ d6, Check(9)) == F(5, 18)
    assert chance(2 @ d6, Check(9), Reroll(("failed",))) == F(155, 324)


# --- counting


def test_a_tally_is_joint() -> None:
    """Two dice at 3+ with 6s: both succeed, one of them a 6: 2 * 1/6 * 3/6 = 1/6."""
    both = tally(d6, 2, lambda face: face >= 3, lambda face: face == 6)
    assert both.p((2, 1)) == F(1, 6)
    assert both.p((0, 1)) == 0
    assert sum(p for _, p in both.items()) == 1


def test_a_tally_of_outcomes() -> None:
    """Each of three dice is critical (1/6), a plain success (1/3) or fails (1/2)."""
    roll = resolve(d6, Check(4, critical=6))
    found = tally(roll, 3, *(lambda end, word=word: end[1] == word for word in ("success", "fail")))
    assert found.p((1, 1)) == 6 * F(1, 3) * F(1, 2) * F(1, 6)


def test_a_tally_of_no_dice() -> None:
    assert tally(d6, 0, bool, bool) == Dist({(0, 0): 1})
    with pytest.raises(RuleError, match="-1 dice"):
        tally(d6, -1, bool)
