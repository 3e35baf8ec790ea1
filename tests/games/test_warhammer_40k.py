"""Rolls in the 40k style, rule by rule.

The comments derive the values or name where they were published; everything else is counted here
over all first and second rolls.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import ceil, comb
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith import Dist, d6
from oddsmith.cli.main import cli, main
from oddsmith.errors import OutcomeError, RuleError
from oddsmith.games.catalogue import game
from oddsmith.games.warhammer_40k import (
    characteristic,
    check,
    command_reroll,
    d3,
    face,
    joint,
    reroll_dice,
    successes,
    table,
    trigger,
)
from oddsmith.open_dist import chain

F = Fraction
FACES = range(1, 7)


# --- K1: modifiers to a characteristic


@pytest.mark.parametrize(
    ("value", "modifier", "end", "each"),
    [
        (5, "+1,x2,/2", 6, 7),  # 5/2 * 2 + 1; 3 * 2 + 1
        (7, "-1,x2,/2,+3", 9, 10),  # 7/2 * 2 + 3 - 1; 4 * 2 + 3 - 1
        (4, "x2,+1", 9, 9),
        (5, "/2,x2", 5, 6),
        (3, "/2,x3", 5, 6),  # 4.5 rounded up; 2 * 3
        (5, "", 5, 5),
        (5, "2", 7, 7),
        (5, "-2", 3, 3),
        (9, "x2,=3", 6, 6),  # set first
        (9, "set to 3, -1, x 2", 5, 5),
        (9, "set 0, +2", 2, 2),
        (5, "−1, ×2, ÷2", 4, 5),
    ],
)
def test_k1_values(value: int, modifier: str, end: int, each: int) -> None:
    assert characteristic(value, modifier).value == end
    assert characteristic(value, modifier, "each").value == each


@pytest.mark.parametrize("listed", list(permutations(["+3", "-1", "x2", "/3", "=8"])))
@pytest.mark.parametrize("rounding", ["end", "each"])
def test_k1_the_order_of_the_list_does_not_matter(listed: tuple[str, ...], rounding: Any) -> None:
    """8/3 * 2 + 3 - 1 is 22/3, rounded up 8; with 8/3 rounded up to 3 it is 8 as well."""
    assert characteristic(1, ",".join(listed), rounding).value == 8


Items = list[tuple[str, int]]


@given(
    st.integers(0, 20),
    st.lists(st.tuples(st.sampled_from("+-x/"), st.integers(1, 4)), max_size=5),
    st.randoms(use_true_random=False),
)
@settings(max_examples=60)
def test_k1_step_by_step(value: int, items: Items, order: Any) -> None:
    exact, rounded = F(value), F(value)
    for kind in "/x+-":
        for sign, number in items:
            if sign == kind == "/":
                exact, rounded = exact / number, F(ceil(rounded / number))
            elif sign == kind == "x":
                exact, rounded = exact * number, rounded * number
            elif sign == kind:
                step = number if sign == "+" else -number
                exact, rounded = exact + step, rounded + step
    order.shuffle(items)
    text = ",".join(f"{sign}{number}" for sign, number in items)
    assert characteristic(value, text).value == ceil(exact)
    assert characteristic(value, text, "each").value == rounded


def test_k1_damage_dice() -> None:
    """Cases halve-then-melta and minus1-floor, and D6 halved, then -1, at least 1."""
    assert characteristic(d6, "+2,/2").mean == 4
    assert characteristic(d6, -1, minimum=1).mean == F(8, 3)
    assert characteristic(d6, "-1,/2", minimum=1).mean == F(4, 3)  # 1 1 1 1 2 2
    assert characteristic(2, -3, minimum=1).value == 1
    assert characteristic(2, -3).value == -1
    assert characteristic(2, -3, minimum="none").value == -1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((5, "/0"), r"divided by 0 \(K1\)"),
        ((5, "=3,=4"), r"not to two \(K1\)"),
        ((5, "+1,twice"), r"'twice' is no modifier \(K1\): list them"),
        ((5, "x2.5"), r"'.5' is no modifier \(K1\)"),
        ((5, "1 2"), r"'1 2' is no modifier"),
        ((5, "+1,,+1"), r"is no modifier"),
        ((5, "+" + "1" * 40), r"is no modifier"),
        ((5, "+1", "never"), r"rounded at never \(K1\)"),
        ((5, "+1", "end", "low"), r"'low' is no minimum \(K1\)"),
        ((chain(d6, {6}), "+1"), r"highest value \(K1\)"),
    ],
)
def test_k1_errors(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(RuleError, match=message):
        characteristic(*arguments)


def test_k1_text_has_no_modifiers() -> None:
    with pytest.raises(OutcomeError):
        characteristic(Dist([2, "Misfire"]), "+1")


# --- K2, K3: re-rolls, then modifiers


@pytest.mark.parametrize(
    ("skill", "modifier", "reroll", "optional", "expected"),
    [
        (3, -1, "none", False, F(1, 2)),
        (3, -1, "failed", False, F(2, 3)),  # 1/2 + 2/6 * 1/2, and not 3/4: a 3 has not failed
        (3, -1, "re-roll failed", False, F(2, 3)),
        (3, -1, "ones", False, F(7, 12)),
        (3, -1, "may", False, F(3, 4)),
        (3, -1, "you may re-roll the roll", False, F(3, 4)),
        (3, -1, "not-succeeding", True, F(3, 4)),
        (3, +1, "ones", False, F(35, 36)),
        (3, +1, "failed", False, F(17, 18)),
        (3, +1, "failed", True, F(35, 36)),
        (2, 0, "failed", False, F(35, 36)),  # case W06
        (4, +1, "failed", False, F(5, 6)),  # case W07: 3 to 6 after the re-roll, 1/12 + 3/4
    ],
)
def test_k2_k3_values(
    skill: int, modifier: int, reroll: str, optional: bool, expected: Fraction
) -> None:
    assert check(skill, modifier, reroll, optional) == expected


def test_k2_the_roller_may_re_roll_is_all_with_a_choice() -> None:
    for skill, modifier in product(range(2, 7), range(-3, 4)):
        assert check(skill, modifier, "may") == check(skill, modifier, "all", optional=True)
        assert check(skill, modifier, "all") == check(skill, modifier)


def good(roll: int, skill: int, add: int, one: bool = True, six: bool = False) -> bool:
    if one and roll == 1:
        return False
    return (six and roll == 6) or roll + add >= skill


def final(first: int, second: int, skill: int, add: int, kind: str, six: bool = False) -> int:
    """The face that counts, an unmodified 1 always failing."""
    again = {
        "none": False,
        "ones": first == 1,
        "failed": not good(first, skill, 0, six=six),
        "may": not good(first, skill, add, six=six),
        "2,5": first in (2, 5),
        "ones,failed": first == 1 or not good(first, skill, 0, six=six),
    }[kind]
    return second if again else first


KINDS = ("none", "ones", "failed", "may", "2,5", "ones,failed")
PAIRS = list(product(FACES, repeat=2))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("edition", ["8th", "9th"])
def test_k2_k3_all_pairs_of_rolls(kind: str, edition: Any) -> None:
    six = edition == "9th"
    for skill, modifier in product(range(1, 8), range(-3, 4)):
        add = max(-1, min(1, modifier)) if six else modifier
        hits = sum(good(final(*pair, skill, add, kind, six), skill, add, six=six) for pair in PAIRS)
        assert check(skill, modifier, kind, edition=edition) == F(hits, 36)


@given(st.integers(1, 8), st.integers(-4, 4), st.sampled_from(["none", "ones", "failed", "may"]))
@settings(max_examples=60)
def test_k3_a_choice_never_harms(skill: int, modifier: int, kind: str) -> None:
    chosen = check(skill, modifier, kind, optional=True)
    assert chosen >= check(skill, modifier, kind)
    assert chosen >= check(skill, modifier)
    assert chosen <= check(skill, modifier, "may")


# --- K6: moving the target, natural faces, caps


def test_k6_a_modifier_moves_the_target() -> None:
    for skill, modifier in product(range(1, 9), range(-5, 6)):
        moved = skill - modifier
        expected = check(moved, edition="none") if moved > 0 else F(1)
        assert check(skill, modifier, edition="none") == expected
    assert check(3, 1) == check(2)


@pytest.mark.parametrize(
    ("skill", "modifier", "options", "expected"),
    [
        (2, 1, {}, F(5, 6)),
        (2, 1, {"one": "plain"}, F(1)),
        (2, 1, {"edition": "none"}, F(1)),
        (6, -1, {}, F(0)),
        (6, -1, {"six": "succeeds"}, F(1, 6)),
        (6, -1, {"edition": "10th"}, F(1, 6)),
        (6, -1, {"edition": "10th", "six": "plain"}, F(0)),
        (3, -2, {}, F(1, 3)),
        (3, -2, {"cap": 1}, F(1, 2)),
        (3, -2, {"edition": "9th"}, F(1, 2)),
        (3, -2, {"edition": "9th", "cap": "none"}, F(1, 3)),
        (3, "-1,-1,+1,-2", {"edition": "9th"}, F(1, 2)),  # the sum is capped, not each
        (3, "+1,-1", {"edition": "9th"}, F(2, 3)),
        (3, 2, {"cap": "0"}, F(2, 3)),
        (6, "x2", {}, F(2, 3)),  # 2 * face >= 6 from 3 on
    ],
)
def test_k6_editions(skill: int, modifier: Any, options: Any, expected: Fraction) -> None:
    assert check(skill, modifier, **options) == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"skill": 0}, r"a skill of 0\+ makes no sense \(K2\)"),
        ({"skill": 3, "reroll": "sixes"}, r"'sixes' \(K2\): write none, ones, failed"),
        ({"skill": 3, "reroll": "7"}, r"no D6 shows 7 \(K8\)"),
        ({"skill": 3, "reroll": "0s"}, r"no D6 shows 0 \(K8\)"),
        ({"skill": 3, "edition": "5th"}, r"no edition is called 5th \(K6\)"),
        ({"skill": 3, "one": "hits"}, r"unmodified 1 is not hits \(K6\)"),
        ({"skill": 3, "six": "fails"}, r"unmodified 6 is not fails \(K6\)"),
        ({"skill": 3, "cap": -1}, r"capped at -1 \(K6\)"),
        ({"skill": 3, "cap": "few"}, r"'few' is no cap \(K6\)"),
        ({"skill": 3, "modifier": "plus one"}, r"'plus one' is no modifier \(K1\)"),
    ],
)
def test_what_a_check_refuses(options: Any, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        check(**options)


# --- K3, K4, K5: the unmodified and the modified roll


@pytest.mark.parametrize("modifier", [-2, -1, 0, 1, "x2"])
def test_k4_an_unmodified_6_ignores_modifiers(modifier: Any) -> None:
    assert trigger("unmodified 6", modifier, "ones") == F(7, 36)
    assert face("ones", modifier=modifier).p(6) == F(7, 36)


@pytest.mark.parametrize(
    ("on", "modifier", "floor", "expected"),
    [
        ("1", 1, 1, F(0)),
        ("1", -1, 1, F(1, 3)),  # 1 and 2
        ("1", -1, None, F(1, 6)),  # 2 alone
        ("1", -1, "none", F(1, 6)),
        (1, 0, 1, F(1, 6)),
        ("an unmodified 1", -1, 1, F(1, 6)),
        ("natural 1", 1, 1, F(1, 6)),
        ("6+", 1, 1, F(1, 3)),
        ("6", 1, 1, F(1, 6)),  # the 5 alone: a 6 is now a 7
        ("unmodified 5+", -1, 1, F(1, 3)),
        ("1,2", -1, 1, F(1, 2)),
        ("0", -1, None, F(1, 6)),
        ("7+", 0, 1, F(0)),
        ("3+", -5, "3", F(1)),
    ],
)
def test_k5_values(on: Any, modifier: int, floor: Any, expected: Fraction) -> None:
    assert trigger(on, modifier, floor=floor) == expected


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("modifier", [-2, -1, 0, 1, 2])
def test_k3_k4_k5_all_pairs_of_rolls(kind: str, modifier: int) -> None:
    ends = Counter(final(*pair, 4, modifier, kind) for pair in PAIRS)
    natural = face(kind, 4, modifier)
    modified = face(kind, 4, modifier, "modified", floor=None)
    floored = Counter(dict.fromkeys(range(1, 9), 0))
    for shown, count in ends.items():
        assert natural.p(shown) == modified.p(shown + modifier) == F(count, 36)
        floored[max(1, shown + modifier)] += count
    for shown, count in floored.items():
        assert face(kind, 4, modifier, "modified").p(shown) == F(count, 36)
        assert trigger(shown, modifier, kind, 4) == F(count, 36)


def test_k4_errors() -> None:
    with pytest.raises(RuleError, match=r"'a six' is no roll that something triggers on \(K4\)"):
        trigger("a six")
    with pytest.raises(RuleError, match=r"not natural \(K4\)"):
        face(look="natural")  # type: ignore[call-arg]
    with pytest.raises(RuleError, match=r"'deep' is no floor \(K5\)"):
        face(floor="deep")
    with pytest.raises(RuleError, match=r"nothing fails without a target \(K2\)"):
        face("failed")
    with pytest.raises(RuleError, match=r"nothing fails without a target \(K2\)"):
        trigger(6, reroll="ones", optional=True)


# --- K7: D3


def test_k7_the_halved_value_decides() -> None:
    """The D6 is re-rolled on 1 and 2, not on 1 alone (which would be 2/9, 7/18, 7/18)."""
    ends: Counter[int] = Counter()
    for first, second in PAIRS:
        ends[ceil(F(second if first in (1, 2) else first, 2))] += 1
    assert d3("ones") == Dist(ends) == Dist({1: 1, 2: 4, 3: 4})
    assert d3() == Dist([1, 2, 3])
    assert d3("1,2").p(3) == F(1, 3) + F(2, 3) * F(1, 3)


def test_k7_several_with_a_modifier() -> None:
    ends = Counter(ceil(F(a, 2)) + ceil(F(b, 2)) + 1 for a, b in PAIRS)
    assert d3(modifier="+1", dice=2) == Dist(ends)
    assert d3(dice=0) == Dist([0])


@pytest.mark.parametrize("reroll", ["4", "failed", "all"])
def test_k7_a_d3_has_three_values(reroll: str) -> None:
    with pytest.raises(RuleError, match=r"no D3 shows 4|no re-roll is called"):
        d3(reroll)
    with pytest.raises(RuleError, match=r"-1 dice cannot be rolled \(K7\)"):
        d3(dice=-1)


# --- K8, K9: several dice


@pytest.mark.parametrize(
    ("target", "reroll", "expected"),
    [
        (7, "none", F(7, 12)), (8, "none", F(5, 12)), (9, "none", F(5, 18)),
        (7, "all", F(119, 144)), (8, "all", F(95, 144)), (9, "all", F(155, 324)),
        (9, "failed", F(155, 324)),
        (7, "one-die", F(29, 36)), (9, "one-die", F(113, 216)),
    ],
)  # fmt: skip
def test_k9_values(target: int, reroll: str, expected: Fraction) -> None:
    assert reroll_dice(2, target, reroll) == expected


def test_k8_only_the_dice_that_show_it() -> None:
    ends: Counter[int] = Counter()
    for one, two in product(PAIRS, repeat=2):
        ends[sum(second if first == 1 else first for first, second in (one, two))] += 1
    assert reroll_dice(2, reroll="ones") == Dist(ends)
    assert reroll_dice(2, reroll="1s") == Dist(ends)
    # 3 dice at 3+ with 1s re-rolled: each succeeds with 2/3 + 1/6 * 2/3 = 7/9
    three = successes(3, 3, reroll="ones")
    assert [three.p(k) for k in range(4)] == [F(8, 729), F(28, 243), F(98, 243), F(343, 729)]


def test_k8_some_faces_of_each_die() -> None:
    ends: Counter[int] = Counter()
    for one, two in product(PAIRS, repeat=2):
        ends[sum(second if first in (1, 2) else first for first, second in (one, two)) - 1] += 1
    assert reroll_dice(2, reroll="ones,2", modifier=-1) == Dist(ends)


ROLLS = list(product(FACES, repeat=4))


@pytest.mark.parametrize("modifier", [-2, 0, 1])
@pytest.mark.parametrize("target", [5, 8, 11])
def test_k9_all_rolls_of_two_dice(target: int, modifier: int) -> None:
    failed = may = 0
    for a, b, c, d in ROLLS:
        failed += (c + d if a + b < target else a + b) + modifier >= target
        may += (c + d if a + b + modifier < target else a + b) + modifier >= target
    assert reroll_dice(2, target, "failed", modifier) == F(failed, 6**4)
    assert reroll_dice(2, target, "all", modifier) == F(may, 6**4)


@pytest.mark.parametrize(("kind", "most"), [("one-die", 1), ("any-dice", 2)])
@pytest.mark.parametrize("target", [6, 9, 12])
def test_k9_dice_of_ones_choice(kind: str, most: int, target: int) -> None:
    """Every way to re-roll, counted; the roller takes the best for each first roll."""
    total = F(0)
    for first in PAIRS:
        ways = []
        for again in product((False, True), repeat=2):
            if sum(again) <= most:
                ends = [
                    sum(n if r else f for f, n, r in zip(first, second, again, strict=True))
                    for second in PAIRS
                ]
                ways.append(F(sum(end >= target for end in ends), 36))
        total += max(ways) / 36
    assert reroll_dice(2, target, kind) == total


def test_k9_without_a_target_the_roller_wants_a_high_mean() -> None:
    """2D6 below their mean of 7 are re-rolled; of single dice those below 7/2: 2 * 17/4."""
    low = [a + b for a, b in PAIRS if a + b < 7]
    kept = sum(a + b for a, b in PAIRS if a + b >= 7)
    assert reroll_dice(2).mean == F(kept + 7 * len(low), 36)
    assert reroll_dice(2, reroll="any-dice").mean == F(17, 2)
    assert reroll_dice(1, reroll="one-die", modifier="x2").mean == F(17, 2)
    assert reroll_dice(3, reroll="none") == 3 @ d6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"dice": 0}, r"0 dice cannot be rolled \(K9\)"),
        ({"reroll": "failed"}, r"no total fails without a target \(K9\)"),
        ({"reroll": "all,ones"}, r"more than one re-roll \(K10\)"),
        ({"reroll": "some"}, r"no re-roll is called 'some'"),
        ({"reroll": "9"}, r"no D6 shows 9 \(K8\)"),
    ],
)
def test_k9_errors(arguments: Any, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        reroll_dice(**arguments)


# --- K10: never twice


@pytest.mark.parametrize("sources", ["ones,ones", "ones,1", "1s, re-roll 1s"])
def test_k10_two_sources_are_one_re_roll(sources: str) -> None:
    assert face(sources).p(1) == F(1, 36)
    assert check(4, reroll=sources) == check(4, reroll="ones")


def test_k10_sources_add_up() -> None:
    """4+ with 1s and with failures: 3/4, and not the 7/8 of two re-rolls."""
    assert check(4, reroll="ones,failed") == F(3, 4)


def commanded(dice: int, skill: int, add: int, kind: str) -> Counter[int]:
    """Every first, second and command roll."""
    ends: Counter[int] = Counter()
    for rolls in product(PAIRS, repeat=dice):
        shown = [final(*pair, skill, add, kind) for pair in rolls]
        touched = [final(first, 0, skill, add, kind) == 0 for first, _ in rolls]
        hits = sum(good(roll, skill, add) for roll in shown)
        free = any(
            not good(roll, skill, add) and not used
            for roll, used in zip(shown, touched, strict=True)
        )
        for command in FACES:
            ends[hits + (free and good(command, skill, add))] += 1
    return ends


@pytest.mark.parametrize("kind", ["none", "ones", "failed", "may"])
@pytest.mark.parametrize("modifier", [-1, 0, 1])
def test_k10_a_command_re_roll_of_two_dice(kind: str, modifier: int) -> None:
    for skill in (2, 3, 5):
        ends = commanded(2, skill, modifier, kind)
        assert command_reroll(2, skill, modifier, kind) == Dist(ends)


def test_k10_a_command_re_roll_of_three_dice() -> None:
    assert command_reroll(3, 4, reroll="ones") == Dist(commanded(3, 4, 0, "ones"))


def test_k10_where_every_failure_was_re_rolled_the_command_does_nothing() -> None:
    """At 2+ only 1s fail, and those are re-rolled: five dice at 35/36."""
    found = command_reroll(5, 2, reroll="ones")
    assert [found.p(k) for k in range(6)] == [
        comb(5, k) * F(35, 36) ** k * F(1, 36) ** (5 - k) for k in range(6)
    ]
    assert found == successes(5, 2, reroll="ones")


def test_k10_a_command_re_roll_alone() -> None:
    """No other re-roll: a hit is missing with 1 - (2/3)^n, and then comes with 2/3."""
    for dice in (1, 4):
        gain = command_reroll(dice, 3, reroll="none").mean - F(2 * dice, 3)
        assert gain == (1 - F(2, 3) ** dice) * F(2, 3)
    assert command_reroll(0, 3) == Dist([0])
    with pytest.raises(RuleError, match=r"-1 dice cannot be rolled \(K10\)"):
        command_reroll(-1, 3)


# --- pools and tables


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("edition", ["8th", "10th"])
def test_k8_successes_with_unmodified_sixes(kind: str, edition: Any) -> None:
    six = edition == "10th"
    ends: Counter[tuple[int, int]] = Counter()
    for rolls in product(PAIRS, repeat=2):
        shown = [final(*pair, 5, -1, kind, six) for pair in rolls]
        ends[sum(good(roll, 5, -1, six=six) for roll in shown), shown.count(6)] += 1
    grid = joint(2, 5, -1, kind, edition=edition)
    hits, sixes = Counter[int](), Counter[int]()
    for (hit, crit), count in ends.items():
        assert grid.cell(str(hit), str(crit)) == F(count, 6**4)
        hits[hit] += count
        sixes[crit] += count
    assert successes(2, 5, -1, kind, edition=edition) == Dist(hits)
    assert successes(2, 5, -1, kind, count="criticals", edition=edition) == Dist(sixes)


def test_k8_the_last_column_holds_the_rest() -> None:
    """All of 7 dice are criticals on 5+ with 1/3^7; 2 or more of them share a column."""
    grid = joint(7, 3, critical=5, most=2)
    assert grid.columns == ("0", "1", "2 or more")
    assert grid.cell("7", "0") == F(1, 3) ** 7
    assert grid.cell("7", "1") == 7 * F(1, 3) ** 7
    assert grid.cell("7", "2 or more") == F(2, 3) ** 7 - 8 * F(1, 3) ** 7
    assert sum(sum(cells) for _, cells in grid.rows) == 1  # type: ignore[arg-type]
    assert joint(2, 3, most=2).columns == ("0", "1", "2")
    assert joint(0, 3).rows == (("0", (F(1),)),)
    assert joint(1, 3, most=0).columns == ("0 or more",)


def test_pool_errors() -> None:
    with pytest.raises(RuleError, match=r"-2 dice cannot be rolled \(K8\)"):
        successes(-2, 3)
    with pytest.raises(RuleError, match=r"not counted as misses \(K4\)"):
        successes(2, 3, count="misses")  # type: ignore[call-arg]
    with pytest.raises(RuleError, match=r"counted up to -1 \(K4\)"):
        joint(2, 3, most=-1)


def test_the_table() -> None:
    plain, failed = table(), table("failed")
    for skill, modifier in product(range(2, 7), range(-2, 3)):
        name = f"{modifier:+d}" if modifier else "0"
        hits = [good(final(*pair, skill, modifier, "none"), skill, modifier) for pair in PAIRS]
        assert plain.cell(f"{skill}+", name) == F(sum(hits), 36)
        hits = [good(final(*pair, skill, modifier, "failed"), skill, modifier) for pair in PAIRS]
        assert failed.cell(f"{skill}+", name) == F(sum(hits), 36)


def test_the_table_of_one_skill() -> None:
    grid = table(skill=3, lowest=-1, highest=0)
    assert grid.columns == ("-1", "0")
    assert grid.rows == (
        ("none", (F(1, 2), F(2, 3))), ("ones", (F(7, 12), F(7, 9))),
        ("failed", (F(2, 3), F(8, 9))), ("may", (F(3, 4), F(8, 9))),
    )  # fmt: skip
    with pytest.raises(RuleError, match=r"from 2 to 1 \(K6\)"):
        table(lowest=2, highest=1)


# --- the command


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("check --skill 3+ --modifier -1 --reroll failed", ["66.67 %", "2/3"]),
        ("--skill 3+ --modifier -1", ["1/2"]),
        ("check --skill 3+ --modifier -1 --reroll may", ["3/4"]),
        ("check --skill 3+ --modifier +1 --reroll failed --optional", ["35/36"]),
        ("check --skill 3+ --modifier -2 --edition 10th", ["1/2"]),
        ("check --skill 3+ --modifier -2 --edition 10th --cap none", ["1/3"]),
        ("check --skill 6+ --modifier -1 --six succeeds", ["1/6"]),
        ("characteristic --value 5 --modifier +1,x2,/2", ["  6"]),
        ("characteristic --value 5 --modifier +1,x2,/2 --rounding each", ["  7"]),
        ("characteristic --value 1d6 --modifier /2,+2", ["mean 4 "]),
        ("face --reroll ones --exact", ["7/36"]),
        ("trigger --on 1 --modifier -1", ["1/3"]),
        ("trigger --on 1 --modifier -1 --floor none", ["1/6"]),
        ("d3 --reroll ones --exact", ["1/9", "4/9"]),
        ("reroll-dice --target 9", ["155/324"]),
        ("reroll-dice --target 9 --reroll one-die", ["113/216"]),
        ("reroll-dice --reroll ones", ["mean 7.833"]),  # 2 * 47/12
        ("command-reroll --dice 2 --skill 2+ --exact", ["1225/1296"]),
        ("successes --dice 3 --skill 3+ --reroll ones --exact", ["343/729"]),
        ("joint --dice 2 --skill 3+ --exact", ["1/6"]),
        ("table --reroll failed", ["66.67", "94.44"]),
        ("table --skill 3+ --exact", ["7/12", "3/4"]),
        ("--help", ["K1  Modifiers", "K10  No die is re-rolled twice", "command-reroll"]),
        ("check --help", ["Example: odds game warhammer-40k check --skill 3+"]),
    ],
)
def test_at_the_command_line(typed: str, shown: list[str]) -> None:
    done = run(typed)
    assert done.exit_code == 0, done.output
    for part in shown:
        assert part in done.output


def run(typed: str) -> Any:
    """Through ``main``, as the command starts."""

    class Command:
        name = "odds"

        @staticmethod
        def main(args: Any, prog_name: str, **_: Any) -> None:
            main(list(args))

    return CliRunner().invoke(Command, ["game", "warhammer-40k", *typed.split()])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("check --skill 3+ --reroll sixes", "no re-roll is called 'sixes' (K2)"),
        ("check --skill 0+", "a skill of 0+ makes no sense (K2)"),
        ("check --skill good", "is not a target"),
        ("check", "Missing option '--skill'"),
        ("characteristic --value 5 --modifier /0", "nothing is divided by 0 (K1)"),
        ("trigger --on six", "'six' is no roll that something triggers on (K4)"),
        ("d3 --reroll 4", "no D3 shows 4 (K8)"),
        ("reroll-dice --reroll failed", "no total fails without a target (K9)"),
        ("command-reroll --dice -1 --skill 3+", "-1 dice cannot be rolled (K10)"),
        ("check --skill 3+ --edition 5th", "--edition"),
    ],
)
def test_errors_at_the_command_line(typed: str, message: str) -> None:
    done = run(typed)
    assert done.exit_code == 2
    assert message in done.output


def test_every_call_runs_its_example() -> None:
    for call in game("warhammer-40k").calls:
        words = ["game", "warhammer-40k", call.name, *call.example.split()]
        done = CliRunner().invoke(cli, words)
        assert done.exit_code == 0, done.output
