"""Notes that offer the reading that was perhaps meant; the numbers come from hand derivations."""

from __future__ import annotations

import operator
import re
import shlex
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from oddsmith import odds
from oddsmith.answers.template import table_of

OFFERED = re.compile(r"`([^`]+)`")
SUMS = list(product(range(1, 7), range(1, 7), range(1, 9)))

POOLED = {
    # P(max <= k) is k^2/80 up to 8 and k/10 then; 10 - (204/80 + 9/10) = 131/20
    "1d8+1d10 k1": ("{1d8 + 1d10}kh1", "131/20"),
    "d8 + d10kh1": ("{d8 + d10}kh1", "131/20"),
    "d8+d10 k1 + 3": ("{d8 + d10}kh1", "191/20"),
    "d8+d10 highest": ("{d8 + d10} highest", "131/20"),
    # the lower is the sum less the higher: 4.5 + 5.5 - 6.55
    "d8+d10 drop highest": ("{d8 + d10}dh", "69/20"),
    # P(max <= k) is k^3/288 up to 6 and k/8 then; 8 - (441/288 + 7/8) = 179/32
    "2d6+1d8kh1": ("{2d6 + 1d8}kh1", "179/32"),
    # 1 - P(all below 15) = 1 - 14/20
    "d20 + 2d6 kh1 >= 15": ("{d20 + 2d6}kh1", "3/10"),
}


@pytest.mark.parametrize("text", POOLED)
def test_a_keep_behind_a_sum_offers_all_the_dice(text: str) -> None:
    other, number = POOLED[text]
    (answer,) = odds(text)
    (note,) = answer.notes
    assert "acts on the last dice of the sum" in note
    assert f"({other})" in note
    assert note.endswith(f" {number}")


@pytest.mark.parametrize(
    "text",
    [
        "d20 + 2d6kh1",  # glued to dice of which it leaves some
        "d8 + (d10 k1)",  # the brackets say it
        "20 - d10 k1",  # nothing else to keep
        "5 + d10 k1",
        "{d8 + d10}kh1",
        "d20 + d20 adv",
        "4d6 kh3",
    ],
)
def test_no_note_where_the_keep_is_clear(text: str) -> None:
    assert [note for note in odds(text)[0].notes if "last dice" in note] == []


@pytest.mark.parametrize(
    ("text", "names", "count"),
    [
        ("let r = d20; 3x(if r = 20 then 2d8 else d8) sum >= 20", ["r"], "3"),
        ("let a = d6; let b = a + 1; 3x(d20 + b)", ["b"], "3"),
        ("let a = d6; let b = d4; 6x(a + b + d4)", ["a", "b"], "6"),
        ("let b = 5; 3x(d20 + b)", [], ""),
        ("let r = d20; 1x(r + d4)", [], ""),
        ("let r = d20; r + 3x(d4)", [], ""),
        ("3x(d20)", [], ""),
    ],
)
def test_a_repeated_name_is_one_roll(text: str, names: list[str], count: str) -> None:
    notes = [note for note in odds(text)[0].notes if "shared" in note]
    assert notes == [f"{name} is rolled once and shared by all {count}" for name in names]


@pytest.mark.parametrize(
    ("text", "other", "number"),
    [
        ("10d10t7", "10d10c7+", "4"),  # 10 * 4/10
        ("10d10 c7", "10d10c7+", "4"),
        ("3d6!c5", "3d6!c5+", "6/5"),  # each die: 1/3 successes, and 6/5 dice on average
        ("2d6c5 >= 1", "2d6c5+", "5/9"),  # 1 - (2/3)^2
    ],
)
def test_a_count_of_one_face_offers_that_and_more(text: str, other: str, number: str) -> None:
    (answer,) = odds(text)
    (note,) = answer.notes
    assert note.startswith(f"counting that number and more ({other})")
    assert note.endswith(f" {number}")


@pytest.mark.parametrize("text", ["5d10c10", "5d10c1", "5d10c=7", "5d10c7s", "5d10c7+", "5d10c7c9"])
def test_no_note_where_the_face_is_clear(text: str) -> None:
    assert odds(text)[0].notes == ()


# --- the same dice more than once

D20 = range(1, 21)
ATTACK = "if d20 = 20 then 2d8 + 3 else if d20 + 5 >= 15 then d8 + 3 else 0"
ONE_ROLL = {
    # 1/20 * 12 + 10/20 * 15/2
    ATTACK: (
        "let x = d20; if x = 20 then 2d8 + 3 else if x + 5 >= 15 then d8 + 3 else 0",
        "would have the mean 87/20",
    ),
    "let r = if d20 = 20 then 2 else if d20 >= 10 then 1 else 0; r + 2": (
        "(let x = d20; if x = 20 then 2 else if x >= 10 then 1 else 0)",
        "would have the mean 13/5",  # 2 + (2 + 10) / 20
    ),
    f"3x({ATTACK}) sum": (
        "(let x = d20; if x = 20 then 2d8 + 3 else if x + 5 >= 15 then d8 + 3 else 0)",
        "would have the mean 261/20",  # three times as much
    ),
    "d20+5 >= 15 or d20 = 20": ("let x = d20; x + 5 >= 15 or x = 20", "would be 11/20"),
    "1d20+5 >= 15 or d20 = 20": ("let x = d20; x + 5 >= 15 or x = 20", "would be 11/20"),
    "3 <= d6 and d6 <= 5": ("let x = d6; 3 <= x and x <= 5", "would be 1/2"),
    # 15 - x is reached with (6 + x)/20, x from 1 to 4; the name x is taken
    "let x = d4; d20+x >= 15 or d20 = 20": (
        "let y = d20; y + x >= 15 or y = 20",
        "would be 17/40",
    ),
    # 1 - (9/20)^2: the better of two is 10 or more
    "d20 adv + 5 >= 15 or d20 adv = 20": (
        "let x = d20 adv; x + 5 >= 15 or x = 20",
        "would be 319/400",
    ),
    # one die is low and the other high: 2 * 1/4 * 1/4
    "2d20c<=5 >= 1 and 2d20c16+ >= 1": (
        "let x = 2d20; x c<=5 >= 1 and x c16+ >= 1",
        "would be 1/8",
    ),
    # a test and what hangs on it: (4 + 5 + 6) / 6
    "if d6 >= 4 then d6 else 0": ("let x = d6; if x >= 4 then x else 0", "would have the mean 5/2"),
    "2d6 + d8 >= 10 and 2d6 + d8 <= 15": (
        "let x = 2d6; let y = d8; x + y >= 10 and x + y <= 15",
        f"would be {Fraction(sum(10 <= a + b + c <= 15 for a, b, c in SUMS), len(SUMS))}",
    ),
}


@pytest.mark.parametrize("text", ONE_ROLL)
def test_dice_written_twice_offer_one_roll(text: str) -> None:
    other, number = ONE_ROLL[text]
    (note,) = [note for note in odds(text)[-1].notes if "rolled anew" in note]
    assert f"one roll for all, `{other}`, {number}" in note


def test_one_roll_of_a_pool_that_is_counted_twice() -> None:
    """Every roll of three d20: points for 12 or less, two for 3 or less; and a 20."""
    hits = [
        sum((die <= 12) + (die <= 3) for die in roll) >= 3 and 20 in roll
        for roll in product(D20, repeat=3)
    ]
    (note,) = odds("3d20c<=12x<=3 >= 3 and 3d20c20 >= 1")[0].notes
    assert note.endswith(f"would be {Fraction(sum(hits), len(hits))}")


def test_one_roll_of_a_pool_that_is_counted_and_added() -> None:
    """Points and total of twelve dice, one die after the other."""
    ways = Counter({(0, 0): 1})
    for _ in range(12):
        after: Counter[tuple[int, int]] = Counter()
        for (points, total), many in ways.items():
            for die in range(1, 7):
                after[points + (die >= 2) + (die == 6), total + die] += many
        ways = after
    good = sum(many for (points, total), many in ways.items() if points >= 14 and total >= 45)
    (note,) = odds("12d6c2+x6 >= 14 and 12d6 >= 45")[0].notes
    assert note.endswith(f"would be about {good / 6**12:.4f}")


def test_one_roll_that_costs_too_much_is_named_without_a_number() -> None:
    (answer,) = odds("200d100 >= 10000 or 200d100c1 >= 3")
    (note,) = answer.notes
    assert note.endswith("one roll for all is `let x = 200d100; x >= 10000 or x c1 >= 3`")


@pytest.mark.parametrize(
    "text",
    [
        "d6 = 6 or d6 = 6",  # the same question again
        "d6 >= 5 and d6 >= 5",
        "d6 >= 3 and d6 >= 4",  # to hit and to wound
        "d20+7 >= 15 or d20+2 >= 15",  # a second attack
        "if d6 >= 3 then (if d6 >= 4 then 1 else 0) else 0",
        "d6 = 6 and d6 = 1",  # one die cannot be both
        "d20 > d20",
        "d6 + d6",
        "if d20 >= 10 then d8 else 2d8",  # only the damage
        "if d6 = 6 then d20 >= 11 else d20 >= 16",
        "d6 + d6 >= 11 and d6 = 1",
        "d6 = 6 or d8 = 8",
        "let x = d20; x = 20 or x + 5 >= 15",
    ],
)
def test_no_note_where_several_rolls_are_meant(text: str) -> None:
    assert [note for note in odds(text)[0].notes if "anew" in note] == []


# --- at least one of several results

OPERATORS = {
    "=": operator.eq, "<>": operator.ne, ">=": operator.ge, ">": operator.gt,
    "<=": operator.le, "<": operator.lt,
}  # fmt: skip


@pytest.mark.parametrize("op", OPERATORS)
def test_at_least_one_of_several_results(op: str) -> None:
    """Both of two d4 are looked at."""
    pairs = list(product(range(1, 5), repeat=2))
    hits = sum(any(OPERATORS[op](die, 3) for die in pair) for pair in pairs)
    (note,) = odds(f"2x(d4) {op} 3")[0].notes
    (offer,) = OFFERED.findall(note)
    assert odds(offer)[0].exact == Fraction(hits, len(pairs))
    assert note.endswith(f"would be {Fraction(hits, len(pairs))}")


def test_questions_that_are_repeated_are_counted_already() -> None:
    assert odds("3x(d20 >= 11) >= 2")[0].notes == ()


# --- what is legal and seldom meant

FOUR = list(product(range(1, 7), range(1, 9), range(1, 9), range(1, 11)))
BEST_TWO = Fraction(sum(sum(sorted(roll)[-2:]) for roll in FOUR), len(FOUR))
MEANT = {
    # any of three dice shows 5 or more
    "3d6c5+ max1": ("min(3d6c5+, 1)", "would have the mean 19/27"),
    "3d6c5+ min1": ("max(3d6c5+, 1)", "would have the mean 35/27"),  # 1, and 1 for a 0 of 8/27
    "{d6, 2d8, d10}kh2": ("{d6 + 2d8 + d10}kh2", f"would have the mean {BEST_TWO}"),
    "2d6+2 = 7-9": ("2d6 + 2 in {7..9}", "would be 5/12"),  # 5, 6 or 7: 4 + 5 + 6 of 36
    "1d100 = 01-05": ("1d100 in {1..5}", "would be 1/20"),
    "2d6 <> 7-9": ("not 2d6 in {7..9}", "would be 7/12"),
    "d6! in {7, 8}": ("(d6!) in {7, 8}", "would be 1/18"),  # a 6, then a 1 or a 2
    "d12!!-1": ("d12!! - 1", "would have the mean 67/11"),  # 13/2 * 12/11 - 1
    "d100 adv <= 50": ("d100 dis <= 50", "would be 3/4"),
    "d20 adv < 8": ("d20 dis < 8", "would be 231/400"),  # 1 - (13/20)^2
    "2d20kh1 <= 10": ("2d20kl1 <= 10", "would be 3/4"),
    "2d20dl1 <= 10": ("2d20dh1 <= 10", "would be 3/4"),
    "10d6c3+c4+": ("(10d6c3+)d6c4+", "would have the mean 10/3"),  # 10 * 2/3 * 1/2
    # one of three at the most, each with 1/3: 1 - 8/27
    "3d6c3+c4+ >= 1": ("(3d6c3+)d6c4+", "would be 19/27"),
}


@pytest.mark.parametrize("text", MEANT)
def test_what_was_perhaps_meant(text: str) -> None:
    other, number = MEANT[text]
    (note,) = odds(text)[0].notes
    assert note.endswith(f"`{other}`, {number}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("4d6!7", "no face of d6 is 7"),
        ("4d6r7", "no face of d6 is 7"),
        ("4d6c7", "no face of d6 is 7"),
        ("4d6c7+ >= 1", "no face of d6 is 7 or more"),
        ("4d6rr{7, 9}", "no face of d6 is 7 or 9"),
        ("4d6c5+ -c0", "no face of d6 is 0"),
        ("3dFc2", "no face of dF is 2"),
        ("d6!7..9", "no face of d6 is 7 to 9"),
    ],
)
def test_what_no_face_shows_is_told(text: str, said: str) -> None:
    assert said in odds(text)[0].notes


@pytest.mark.parametrize(
    "text",
    [
        "4d6!!c7+",  # dice that were added up
        "4d6min7c7",
        "4d6!pc0",
        "d6!6",
        "4d6c even",
        "4d6c{6, 7}",
        "{2d6, 2d6}kh1",  # the better total
        "{d6, d8}kh1",
        "2d6 = 9-7",
        "d20 adv >= 11",
        "d20 dis <= 10",
        "d20 adv <= d20",
        "4d6kh3 <= 10",
        "12d6max4c4",
        "3d6 >= 10, 3d6",
        "2d6, 7",
    ],
)
def test_no_note_where_nothing_is_odd(text: str) -> None:
    assert [answer.notes for answer in odds(text) if answer.notes] == []


def test_numbers_behind_a_comma_are_results() -> None:
    """d20 + 7 is 18 or more from 11, and 20 or more from 13."""
    first, second, third = (answer.notes for answer in odds("d20+7 >= 15, 18, 20"))
    assert OFFERED.findall(first[0]) == ['odds table "d20 + 7 >= {n}" n=15,18,20']
    assert second[0].endswith("compared, `d20 + 7 >= 18`, would be 1/2")
    assert third[0].endswith("compared, `d20 + 7 >= 20`, would be 2/5")


def test_numbers_in_braces_are_added_up() -> None:
    (note,) = odds("2d6 + {1,2,3} >= 10")[0].notes
    assert note.startswith("{1, 2, 3} adds up to 6;")
    assert OFFERED.findall(note) == ['odds table "2d6 + {n} >= 10" n=1,2,3']


NOTED = [
    *POOLED, *ONE_ROLL, *MEANT, "d20+7 >= 15, 18, 20", "2d6 + {1,2,3} >= 10", "6x(4d6kh3) = 18",
    "6x(4d6kh3) >= 15", "2d6 >= 4 and 2d6 + {1, 2} <= 9",
]  # fmt: skip


@pytest.mark.parametrize("text", NOTED)
def test_every_offer_of_a_note_works(text: str) -> None:
    names = text[: text.index(";") + 1] if text.startswith("let x") else ""
    for answer in odds(text):
        for offer in OFFERED.findall(" ".join(answer.notes)):
            if offer.startswith("odds table"):
                template, values = shlex.split(offer)[2:]
                name, found = values.split("=")
                assert table_of(template, {name: found.split(",")}).rows
            else:
                assert odds(names + offer)[0].text
