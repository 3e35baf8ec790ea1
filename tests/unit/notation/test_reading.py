"""A syntax tree to a sentence."""

from __future__ import annotations

import pytest

from oddsmith import odds, parse
from oddsmith.notation.reading import reading


def said(text: str) -> str:
    """How the last result of a text was read."""
    program = parse(text)
    return reading(program.results[-1].body, program.lets)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("4d6kh3 >= 15", "4 six-sided dice, keep the highest 3, the total is 15 or more"),
        ("d20", "a twenty-sided die"),
        ("d8", "an eight-sided die"),
        ("d7", "a 7-sided die"),
        ("1d6", "a six-sided die"),
        ("3d7", "3 7-sided dice"),
        ("d%", "a percentile die"),
        ("4dF", "4 Fate dice"),
        ("2d6 <= 4", "2 six-sided dice, the total is 4 or less"),
        ("2d6 > 4", "2 six-sided dice, the total is more than 4"),
        ("2d6 < 4", "2 six-sided dice, the total is less than 4"),
        ("d6 = 4", "a six-sided die, the roll is exactly 4"),
        ("d6 <> 4", "a six-sided die, the roll is anything but 4"),
    ],
)
def test_whole_sentences(text: str, sentence: str) -> None:
    assert said(text) == sentence


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("10 <= 3d6 <= 12", ["from 10 to 12"]),
        ("4d6r1", ["re-roll 1 once"]),
        ("4d6rr1", ["re-roll 1 until"]),
        ("4d6r1r2", ["1 or 2", "once"]),
        ("4d6!", ["highest face", "a die of its own", "without end"]),
        ("4d6!!", ["into the same die"]),
        ("4d6!p", ["counting 1 less"]),
        ("4d6!max2", ["at most twice"]),
        ("4d6!5+", ["5 or more", "without end"]),
        ("4d6min2", ["at least 2"]),
        ("4d6max5", ["at most 5"]),
        ("4d6dl1", ["remove the lowest"]),
        ("4d6kl2", ["keep the lowest 2"]),
        ("4d6mid2", ["keep the middle 2"]),
        ("d20 adv", ["twice", "keep the higher"]),
        ("d20 dis", ["twice", "keep the lower"]),
        ("8d6c5+ >= 3", ["count the dice that show 5 or more", "number of successes is 3 or more"]),
        ("8d6c5+x6", ["6 counts twice"]),
        ("8d6c5+x6:3", ["6 counts three times"]),
        ("8d6c5+ -c1 floor0", ["less the dice that show 1", "never below 0"]),
        ("5d6c even", ["an even number"]),
        ("d20 in {1, 20}", ["1 or 20"]),
        ("not d6 = 1", ["does not happen"]),
        ("d6 = 1 and d8 = 2", ["both", "six-sided", "eight-sided"]),
        ("d6 = 1 or d8 = 2", [" or "]),
        ("2d6 vs d12", ["against", "higher total wins"]),
        ("2d6 + 3", ["plus 3"]),
        ("d6 * 5", ["times 5"]),
        ("2d6 // 2", ["divided by 2", "rounded down"]),
        ("ceil(2d6 / 2)", ["rounded up"]),
        ("half_up(d6)", ["half", "rounded up"]),
        ("max(d6, d8)", ["the higher of"]),
        ("min(d6, d8)", ["the lower of"]),
        ("-3d6", ["minus", "3 six-sided dice"]),
        ("6x(4d6kh3)", ["6 separate results", "keep the highest 3"]),
        ("{d6, 2d8}", ["pool of totals"]),
        ("{d6 + 2d8}", ["all in one pool"]),
        ("(d4)d6", ["as many as", "four-sided"]),
        ("d66", ["digit by digit"]),
        ("d{1, 3..5, 6:2}", ["1, 3 to 5, 6 (2 times)"]),
        ("4d6 highest set", ["largest set"]),
        ("4d6 longest run", ["consecutive"]),
        ("if d6 = 6 then d8 else 0", ["if ", "otherwise"]),
        ("let x = 3d6; x given x >= 8", ["x is one roll of 3 six-sided dice", "only rolls where"]),
        ("artillery = Misfire", ["artillery die", "Misfire"]),
    ],
)  # fmt: skip
def test_sentences_say(text: str, words: list[str]) -> None:
    sentence = said(text)
    assert [word for word in words if word not in sentence] == []


def test_the_order_of_modifiers_is_told() -> None:
    """Keep first or explode first is the largest family of disputes."""
    one, two = said("4d6!kh3"), said("4d6kh3!")
    assert one.index("rolls another die") < one.index("keep")
    assert two.index("keep") < two.index("rolls another die")


def test_names_that_are_not_used_are_not_told() -> None:
    text = "let x = 3d6; let y = d4; let z = y + 1; z"
    assert "x is one roll" not in said(text)
    assert "y is one roll" in said(text)


def test_a_count_that_was_moved_is_noted() -> None:
    (answer,) = odds("6d10c>=8!>=9")
    assert any("count ends the chain" in note for note in answer.notes)


def test_a_re_roll_notes_the_other_reading_with_its_number() -> None:
    """Once: 25/3; until it is gone: 9."""
    (answer,) = odds("2d6r<=2")
    assert any("9" in note for note in answer.notes)


def test_a_comparison_of_a_pool_notes_counting() -> None:
    (answer,) = odds("4d6 > 4")
    assert any("4d6c>4" in note for note in answer.notes)
    assert odds("4d6 > 14")[0].notes == ()
