"""Six-again pools, rule by rule.

Values without a derivation are those of the rules' own examples; the rest is walked here: dice are
rolled one after the other until few chances are left, whose sum bounds what was not walked.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.cli.main import cli
from oddsmith.errors import RuleError
from oddsmith.games import six_again
from oddsmith.games.six_again import (
    chance_of_list,
    means,
    modifiers,
    opposed,
    read_list,
    roll,
    successes,
    throw,
)

F = Fraction
DEEP = 5
Lists = dict[tuple[int, ...], Fraction]


def walked(dice: int, bonus: int = 0, penalty: int = 0, first: str = "remove") -> Lists:
    """Every list of dice with its chance, but for those with more than DEEP extra sixes."""
    found: Lists = {}
    for start in product(range(1, 7), repeat=dice + bonus + penalty):
        chance = F(1, 6 ** len(start))
        kept = sorted(start)
        if first == "remove":
            kept = kept[bonus : len(kept) - penalty]
        for extra, p in extras(kept.count(6)).items():
            whole = sorted((*kept, *extra))
            if first == "extra":
                whole = whole[bonus : len(whole) - penalty]
            found[tuple(whole)] = found.get(tuple(whole), F(0)) + chance * p
    return found


@cache
def extras(sixes: int, left: int = DEEP) -> Lists:
    """What so many sixes add, die by die."""
    if not sixes or not left:
        return {(): F(1)} if not sixes else {}
    found: Lists = {}
    for face in range(1, 7):
        for rest, p in extras(sixes - 1 + (face == 6), left - (face == 6)).items():
            key = tuple(sorted((face, *rest)))
            found[key] = found.get(key, F(0)) + p / 6
    return found


def test_s2_the_number_of_sixes_is_negative_binomial() -> None:
    sixes = roll(4, read="sixes")
    for count in range(6):
        assert sixes.p(count) == comb(3 + count, count) * F(1, 6) ** count * F(5, 6) ** 4
    assert sixes.p(0) == F(625, 1296)
    assert roll(4, read="dice").mean == F(24, 5)


def test_s2_the_example_list() -> None:
    """Four dice stop on 2, 3, 4, 4 in 12 of 5**4 ways; 3 sixes: C(6, 3) (1/6)**3 (5/6)**4."""
    by_hand = F(12, 625) * comb(6, 3) * F(1, 6) ** 3 * F(5, 6) ** 4
    assert chance_of_list((2, 3, 4, 4, 6, 6, 6), 4) == by_hand == F(5, 5832)


@pytest.mark.parametrize(
    ("rule", "bonus", "penalty", "expected"),
    [
        ("S3", 2, 0, ["15625/46656", "3125/7776", "3125/15552", "625/11664", "203/23328"]),
        ("S4", 0, 2, ["21875/23328", "625/11664", "125/15552", "5/7776", "1/46656"]),
        ("S5", 1, 1, ["34375/46656", "3125/15552", "625/11664", "125/15552", "31/46656"]),
    ],
)
def test_s3_s4_s5_kept_sixes(rule: str, bonus: int, penalty: int, expected: list[str]) -> None:
    """Sixes among the kept dice, before any extra die: depth 0."""
    found = roll(4, bonus, penalty, read="sixes", depth=0)
    assert [found.p(count) for count in range(5)] == [F(text) for text in expected], rule


@pytest.mark.parametrize(
    ("bonus", "penalty", "mean"),
    [(0, 2, "319493/29160"), (2, 0, "628153/29160"), (1, 1, "16639/1080"), (0, 0, "84/5")],
)
def test_s6_mean_totals(bonus: int, penalty: int, mean: str) -> None:
    assert roll(4, bonus, penalty).mean == F(mean)
    assert means(4, bonus, penalty)["total"].value == F(mean)


def test_s6_the_example_list() -> None:
    assert chance_of_list((1, 2, 3, 5), 4, penalty=2) == F(35, 1944)


def test_s6_exploding_before_removal_is_another_rule() -> None:
    late = roll(4, penalty=2, first="extra", read="sixes")
    assert roll(4, penalty=2, read="sixes").p(0) == F(21875, 23328)
    assert late.p(0) == F(484375, 559872)


def test_s7_successes() -> None:
    found = roll(4, read="successes", target=5)
    assert [found.p(k) for k in range(4)] == [F(16, 81), F(80, 243), F(190, 729), F(295, 2187)]
    assert (found.mean, found.at_least(2)) == (F(8, 5), F(115, 243))


@pytest.mark.parametrize(
    ("dice", "target", "chance"),
    [(1, 10, "1/12"), (1, 13, "1/36"), (2, 12, "23/108"), (2, 20, "13/432"), (4, 14, "2513/3888")],
)
def test_s7_totals(dice: int, target: int, chance: str) -> None:
    assert roll(dice).at_least(target) == F(chance)


def test_s7_totals_with_bonus_and_penalty_dice() -> None:
    assert roll(4, penalty=2).at_least(14) == F(27961, 139968)
    assert roll(4, bonus=2).at_least(14) == F(10453, 11664)
    assert modifiers(4, 14).cell("2", "0") == F(10453, 11664)
    assert modifiers(4, 14).cell("0", "2") == F(27961, 139968)


def test_s8_depth() -> None:
    """One die, one extra roll: 7/2 + 7/2 * 1/6."""
    assert roll(1, depth=1).mean == F(49, 12)
    assert roll(1).mean == F(21, 5)


def test_s9_opposed() -> None:
    one, two = opposed(1, 1), opposed(2, 1)
    assert (one.p("win"), one.p("tie")) == (F(3, 7), F(1, 7))
    assert [two.p(side) for side in ("win", "tie", "lose")] == [F(193, 245), F(2, 35), F(38, 245)]


READERS = {
    "total": sum,
    "highest": lambda dice: max(dice, default=0),
    "successes": lambda dice: sum(face >= 5 for face in dice),
    "sixes": lambda dice: list(dice).count(6),
    "dice": len,
}


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 2), st.integers(0, 2), st.integers(0, 1),
    st.sampled_from(sorted(READERS)), st.sampled_from(["remove", "extra"]),
)  # fmt: skip
def test_every_reading_agrees_with_a_walk(
    dice: int, bonus: int, penalty: int, reading: str, first: str
) -> None:
    lists = walked(dice, bonus, penalty, first)
    missing = 1 - sum(lists.values())
    found = read_list(throw(dice, bonus, penalty, first), reading)  # type: ignore[arg-type]
    table: dict[int, Fraction] = {}
    for faces, chance in lists.items():
        value = READERS[reading](faces)  # type: ignore[operator]
        table[value] = table.get(value, F(0)) + chance
    for value, chance in table.items():
        shown = found.p(value)
        low, high = shown if isinstance(shown, tuple) else (shown, shown)
        assert chance <= high, value
        assert low <= chance + missing, value


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 3), st.integers(0, 1), st.integers(0, 1), st.data())
def test_the_chance_of_any_list(dice: int, bonus: int, penalty: int, data: st.DataObject) -> None:
    lists = {faces: p for faces, p in walked(dice, bonus, penalty).items() if len(faces) < 6}
    faces = data.draw(st.sampled_from(sorted(lists)))
    assert chance_of_list(faces, dice, bonus, penalty) == lists[faces]


def test_the_table_of_successes() -> None:
    assert successes(5).cell("4", "2") == F(115, 243)
    assert successes(6, levels=1, most=1).cell("1", "1") == F(1, 6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"dice": -1}, "S1"), ({"dice": 1, "bonus": -1}, "S3"), ({"dice": 1, "penalty": -2}, "S4"),
        ({"dice": 1, "depth": -1}, "S8"), ({"dice": 1, "read": "sum"}, "S7"),
        ({"dice": 1, "read": "successes", "target": 7}, "S7"),
    ],
)  # fmt: skip
def test_what_the_rules_forbid(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(RuleError, match=message):
        roll(**arguments)  # type: ignore[arg-type]


def test_a_list_with_a_wrong_face() -> None:
    with pytest.raises(RuleError, match="no d6 shows 7"):
        chance_of_list((7,), 1)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("--dice 4 --penalty 2 --read successes --target 5", "3409/7290"),
        ("opposed --dice 2 --against 1", "193/245"),
        ("means --dice 4", "24/5"),
        ("chance-of-list --faces 2,3,4,4,6,6,6 --dice 4", "5/5832"),
        ("successes --target 5 --exact", "115/243"),
        ("modifiers --dice 4 --target 14 --exact", "27961/139968"),
        ("--help", "S9  Two such rolls"),
        ("roll --help", "Example: odds game six-again roll"),
    ],
)
def test_at_the_command_line(typed: str, shown: str) -> None:
    done = CliRunner().invoke(cli, ["game", "six-again", *typed.split()])
    assert done.exit_code == 0, done.output
    assert shown in done.output


def test_every_example_runs() -> None:
    for call in (six_again.roll, six_again.opposed, six_again.means, six_again.modifiers):
        _, example = call.__odds__  # type: ignore[attr-defined]
        name = call.__name__.replace("_", "-")
        done = CliRunner().invoke(cli, ["game", "six-again", name, *example.split()])
        assert done.exit_code == 0, done.output
