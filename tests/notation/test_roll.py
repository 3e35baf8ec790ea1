"""The roller, piece by piece: what a line shows, what is refused, what a seed fixes."""

import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from oddsmith.errors import NotationError, OddsmithError, TooLarge
from oddsmith.notation.parser import parse
from oddsmith.notation.roll import generator, rolls, sample

TIMES = 300


def lines(text: str, times: int = TIMES, seed: int = 1) -> list[str]:
    return rolls(text, times, seed)


def outcomes(text: str, times: int = TIMES, seed: int = 1) -> list[Any]:
    return [row[0] for row in sample(parse(text), text, times, generator(seed))]


def dice(line: str) -> list[str]:
    """The dice of a line, as they are written."""
    return line.split(": ", 1)[1].split()


def test_same_seed_same_lines() -> None:
    assert lines("4d6kh3", 20, 7) == lines("4d6kh3", 20, 7)
    assert lines("4d6kh3", 20, 7) != lines("4d6kh3", 20, 8)


def test_no_seed_differs() -> None:
    assert rolls("20d20", 1) != rolls("20d20", 1)


def test_result_comes_first_and_lines_are_aligned() -> None:
    found = lines("2d6")
    assert len(found) == TIMES
    assert {line.index("2d6:") for line in found} == {5}
    for line in found:
        total, *_ = line.split()
        assert int(total) == sum(map(int, dice(line)))


def test_removed_dice_are_in_brackets() -> None:
    for line in lines("4d6kh3"):
        kept = [int(die) for die in dice(line) if die.isdigit()]
        (gone,) = [int(die.strip("()")) for die in dice(line) if "(" in die]
        assert int(line.split()[0]) == sum(kept)
        assert gone <= min(kept)


@pytest.mark.parametrize(
    ("text", "left"),
    [("5d6kl2", 2), ("5d6dh1", 4), ("5d6dl2", 3), ("5d6mid3", 3), ("5d6dh1dl1kh1", 1)],
)
def test_every_keep_leaves_its_number(text: str, left: int) -> None:
    for line in lines(text, 30):
        assert len([die for die in dice(line) if "(" not in die]) == left


def test_advantage_shows_both_dice() -> None:
    for line in lines("d20 adv", 30):
        both = [int(die.strip("()")) for die in dice(line)]
        assert len(both) == 2
        assert int(line.split()[0]) == max(both)


def test_advantage_and_disadvantage_are_one_die() -> None:
    assert all(len(dice(line)) == 1 for line in lines("d20 adv dis", 30))


def test_exploded_dice_are_visible() -> None:
    burst = [line for line in lines("d6!") if "6!: 6! " in line]
    assert burst
    for line in burst:
        assert re.fullmatch(r"\d+ +d6!: (6! )+[1-5]", line)


def test_explosions_stop_at_the_limit() -> None:
    assert max(len(dice(line)) for line in lines("d2!max2")) == 3
    assert any(line.endswith(": 2! 2! 2") for line in lines("d2!max2"))


def test_compounded_dice_are_one() -> None:
    burst = [line for line in lines("d6!!") if "+" in line]
    assert burst
    for line in burst:
        (die,) = dice(line)
        parts, total = die.split("=")
        assert sum(int(part.strip("!")) for part in parts.split("+")) == int(total)


def test_penetrating_dice_show_what_they_lose() -> None:
    extras = [die for line in lines("d6!p") for die in dice(line)[1:]]
    assert extras
    for die in extras:
        natural, value = die.strip("!").split("->")
        assert int(value) == int(natural) - 1


def test_rerolls_are_visible() -> None:
    assert any(re.search(r": 1r [1-6]$", line) for line in lines("d6r1"))
    assert any(re.search(r": 1r 1$", line) for line in lines("d6r1"))
    assert not any(line.endswith(" 1") for line in lines("d6rr1"))


def test_clamped_dice_show_their_face() -> None:
    assert any("1->3" in line for line in lines("d6min3"))
    assert set(outcomes("d6max2")) == {1, 2}


def test_successes_are_marked() -> None:
    for line in lines("8d6c5+x6 -c1", 50):
        stars = sum(die.count("*") - die.count("-") for die in dice(line))
        assert int(line.split()[0]) == stars
        assert all("**" in die for die in dice(line) if die.startswith("6"))


def test_members_show_their_dice() -> None:
    assert rolls("{2d1, 3d1}kh1") == ["3   {2d1, 3d1}kh1: (2[1 1]) 3[1 1 1]"]


def test_repeats_are_sorted() -> None:
    for line in lines("6x(4d6kh3)", 20):
        members = [int(x) for x in re.findall(r"(\d+)\[", line)]
        assert members == sorted(members, reverse=True)
        assert sum(members) == int(line.split()[0])


def test_questions_say_yes_or_no() -> None:
    for line in lines("3d6 >= 11", 50):
        assert line.startswith("yes" if int(line.split("= ")[-1]) >= 11 else "no ")


def test_contests_show_both_totals() -> None:
    for line in lines("2d6 + 1 vs d12", 50):
        found = re.match(r"(win|tie|lose) +2d6 \+ 1 vs d12: (\d+) to (\d+) \|", line)
        assert found
        left, right = int(found[2]), int(found[3])
        assert found[1] == ("win" if left > right else "lose" if left < right else "tie")


def test_labels_are_shown() -> None:
    assert rolls("'sure': d1 = 1, 'never': d1 = 2") == ["yes   sure: 1", "no    never: 1"]


def test_names_are_one_roll() -> None:
    assert set(outcomes("let x = d20; x - x")) == {0}
    assert all(a == b for a, b in sample(parse("let x = d20; x, x"), "", 50, generator(1)))
    assert rolls("let x = 3d1; x + x") == ["6   x + x: x = 3[1 1 1]"]


def test_names_keep_their_dice() -> None:
    text = "let x = 5d6; (x kh1) - (x highest), (x c6) - (x c6), (x r1 c6) - (x r<6 c6) >= 0"
    found = sample(parse(text), text, TIMES, generator(1))
    assert {row[:2] for row in found} == {(0, 0)}
    assert {row[2] for row in found} == {True, False}


def test_given_rolls_until_it_holds() -> None:
    assert min(outcomes("let x = 3d6; x given x >= 13")) == 13


def test_given_leaves_other_results_alone() -> None:
    text = "let x = d6; x given x = 6, x"
    found = sample(parse(text), text, TIMES, generator(1))
    assert {row[0] for row in found} == {6}
    assert len({row[1] for row in found}) == 6


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("7/2", Fraction(7, 2)), ("6/2", 3), ("-7//2", -4), ("round(-5/2)", -3), ("half_up(7)", 4),
        ("trunc(-7/2)", -3), ("ceil(7/2)", 4), ("floor(-7/2)", -4), ("abs(-3)", 3),
        ("max(1, 3, 2)", 3), ("min(3, 4)", 3), ("2 - 3 - 4", -5), ("0d6", 0), ("3d1 product", 1),
        ("4d1 pairs", 2), ("4d1 sets", 1), ("4d1 highest set", 4), ("4d1 unique", 1),
        ("4d1 count", 4), ("4d1 longest run", 1), ("{1, 2, 4, 5, 6} longest run", 3),
        ("{1, 2, 4, 5} median", 3), ("{1, 2} median", Fraction(3, 2)), ("3d{red} c{Red}", 3),
        ("d{red}", "red"), ("d{red} = RED", True), ("d{red} <> 3", True), ("2 vs 1", "win"),
        ("1 vs 1", "tie"), ("1 vs 2", "lose"), ("3 in {1..3}", True), ("7/2 in {1..4}", False),
        ("1 <= 2 < 2", False), ("not 1 = 2", True), ("if 1 = 1 then 5 else 6", 5),
        ("1 = 2 or 2 = 2", True), ("1 = 2 and 2 = 2", False), ("(1 = 1) + 1", 2),
        ("let x = 2; let y = x + 1; x * y", 6), ("d{2:0, 3:5}", 3), ("{1, 2, 3}mid1", 2),
        ("0d6c", 0), ("(0)x(d6)", 0), ("3d1c1 -c1", 0), ("{1, 5}c5 -c1 floor1", 1),
    ],
)  # fmt: skip
def test_certain_outcomes(text: str, outcome: Any) -> None:
    assert outcomes(text, 1) == [outcome]
    assert type(outcomes(text, 1)[0]) is type(outcome)


def test_every_face_comes_up() -> None:
    assert set(outcomes("d66")) == {10 * a + b for a in range(1, 7) for b in range(1, 7)}
    assert set(outcomes("dF")) == {-1, 0, 1}
    assert set(outcomes("artillery")) == {2, 4, 6, 8, 10, "Misfire"}
    assert set(outcomes("d{1, 4..6, x:2}")) == {1, 4, 5, 6, "x"}


def test_extra_dice_go_through_what_came_before() -> None:
    for line in lines("d3rr1!"):
        assert "1" not in dice(line)


def test_large_dice() -> None:
    assert all(1 <= x <= 2**63 - 1 for x in outcomes(f"d{2**63 - 1}", 5))
    with pytest.raises(OddsmithError):
        rolls(f"d{2**63}")
    with pytest.raises(OddsmithError):
        rolls("d" + "6" * 30)
    with pytest.raises(OddsmithError):
        rolls(f"d{{1:{2**63}, 2}}")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("d6!>=1", "!>=1"), ("d1!", "!"), ("d6rr<=6", "rr<=6"), ("d2rr1rr2", "rr1rr2"),
        ("d1!!", "!!"), ("d1!p", "!p"), ("2d6 + 4d6kh9", "kh9"), ("3d6dl4", "dl4"),
        ("4d6mid3", "mid3"), ("4d6r1kh3r2", "r2"), ("{d6, d8}kh1!", "!"), ("{d6+d8}kh1r1", "r1"),
        ("2d6 adv", "adv"), ("1/0", "0"), ("d6//0", "0"), ("6/(3-3)", "(3-3)"), ("d0", "0"),
        ("(-3)d6", "(-3)"), ("(d6-3)d6", "(d6-3)"), ("(1/2)d6", "(1/2)"), ("d(3/2)", "(3/2)"),
        ("d(d6)", "(d6)"), ("4d6c(d6)", "(d6)"), ("d6min(d6)", "(d6)"), ("artillery + 1", None),
        ("max(artillery, 4)", "artillery"), ("artillery >= 4", None), ("-scatter", "scatter"),
        ("2d{red, blue}", None), ("foo", "foo"), ("d6 = foo", "foo"), ("d6 and d8", "d6"),
        ("if d6 then 1 else 2", "d6"), ("3d6 given 3d6 >= 8", None), ("{4d6+3}kh3", "3"),
        ("let x = d6; x given x > 6", "x > 6"), ("let x = y + 1; x", "y"), ("0d6 median", "median"),
        ("let x = d6; let x = d8; x", None), ("(d6 given d6 = 1) + 1", None), ("0d6 highest", None),
        ("d6 + (d6 vs d6)", "(d6 vs d6)"), ("(4d6c5)kh1", "(4d6c5)"), ("d{1:0}", "{1:0}"),
        ("d{1:-1, 2}", "-1"), ("d{3..1}", "3..1"), ("d6!max(-1)", "(-1)"), ("6x(2d6*2)!", "!"),
    ],
)  # fmt: skip
def test_errors_show_the_place(text: str, place: str | None) -> None:
    with pytest.raises(NotationError) as caught:
        rolls(text)
    start, end = caught.value.span
    assert place is None or text[start:end] in (place, f"d{place}")
    assert caught.value.source == text


def test_errors_come_before_the_first_roll() -> None:
    for seed in range(20):
        with pytest.raises(NotationError):
            rolls("6 / (d6 - 1)", 1, seed)


@pytest.mark.parametrize(
    "text",
    [
        "999999999d6",
        "6x(300000d6)",
        "1000000000x(d6)",
        "1000x(1000x(1000x(d6)))",
        "d6 in {1..10000000}",
    ],
)
def test_too_many_dice(text: str) -> None:
    with pytest.raises(TooLarge):
        rolls(text)


def test_too_many_rolls() -> None:
    with pytest.raises(TooLarge):
        sample(parse("1000d6"), "1000d6", 10_000, np.random.default_rng(1))


def test_endless_chains_are_cut() -> None:
    with pytest.raises(NotationError, match="10,000"):
        rolls("d1000000!>1")
    with pytest.raises(NotationError, match="re-rolls"):
        rolls("{2d6, 3}rr>=1")


def test_long_sums() -> None:
    text = "+".join(["1"] * 190)
    assert outcomes(text, 1) == [190]


def test_negative_seed() -> None:
    with pytest.raises(OddsmithError):
        rolls("d6", 1, -1)


def test_many_dice_are_cut_short() -> None:
    assert rolls("100d1")[0].endswith("1 1 and 60 more")
