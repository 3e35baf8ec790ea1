"""What is offered for texts that cannot be read: it fits the text, and it works as it is typed."""

from __future__ import annotations

import re

import pytest

from oddsmith import odds, parse
from oddsmith.errors import NotationError
from oddsmith.notation import nodes as n
from oddsmith.notation.mends import MENDS, given, mend

OFFERED = re.compile(r"`([^`]+)`")

WRONG = {
    "3d6 even": ["3d6c even", "let x = 3d6; x = 2 * (x // 2)"],
    "d6 is odd": ["d6 = 3"],
    "odd(d6)": ["4d6c odd", "let x = d6; x <> 2 * (x // 2)"],
    "adv d20": ["d20 adv"],
    "dis(d20)": ["d20 dis"],
    "advantage d12": ["d12 adv"],
    "highest(3d6)": ["3d6 highest"],
    "sum(3d6)": ["3d6 sum"],
    "count(8d6 >= 5)": ["8d6c5+"],
    "explode(2d6)": ["2d6!"],
    "keep(4d6, 3)": ["4d6 keep highest 3"],
    "4d6 keep 3": ["4d6 keep highest 3"],
    "4d6 drop the lowest": ["4d6 drop lowest 1"],
    "max 3d6": ["3d6 highest", "max(d8, d6)"],
    "d6 if d20 >= 15": ["if", "if d20 >= 15 then d6 else 0"],
    "P(3d6>=12)": ["3d6>=12"],
    "P(d20 >= 11 and d6 = 6)": ["d20 >= 11 and d6 = 6"],
    "P(d20 >= 11) * P(d6 = 6)": ["d20 >= 6"],
    "P(d20 >= 11": ["d20 >= 11"],
    "chance 3d6 >= 12": ["3d6 >= 12"],
    "mean 3d6": ["3d6"],
    "roll 3d8": ["3d8"],
    "2d8 doubles": ["2d8 highest set >= 2"],
    "doubles(2d8)": ["2d8 highest set >= 2"],
    "5d6 three of a kind": ["5d6 highest set >= 3"],
    "5d6 full house": ["let x = 5d6; x sets = 2 and x highest set = 3"],
    "5d6 straight": ["5d6 longest run >= 5"],
    "3d6 at least 10": ["3d6 >= 10", "3d6c5+ >= 2"],
    "at least 3 of 5d6": ["5d6 >= 17", "5d6c3+ >= 2"],
    "3d6 or more": ["3d6 >= 10", "3d6c5+ >= 2"],
    "any 6 in 4d6": ["4d6c6 >= 1"],
    "8d10 any 9": ["8d10c9 >= 1"],
    "4d6 all 5": ["4d6kl1 >= 5"],
    "d6 between 2 and 4": ["2 <= d6 <= 4"],
    "8d6 successes on 4+": ["8d6c4+"],
    "d20 mod 2": ["let x = d20; x - 2 * (x // 2)"],
    "d20 % 3": ["let x = d20; x - 3 * (x // 3)", "d%"],
    "|d6 - d8|": ["abs(d6 - d8)", "d6 = 6 or d8 = 8"],
    "d20 ? 1 : 0": ["if d20 >= 11 then 1 else 0"],
    "3d6 = 9..12": ["3d6 in {9..12}"],
    "3d6 = {10..12}": ["3d6 in {10..12}", "d{10..12}"],
    "3d6 in 10..12": ["d20 in {1, 20}", "3d6 in {10..12}"],
    "4d{skull, hit} c skull": ["4d{skull, other}c{skull}"],
    "4d{skull, hit} c=skull": ["4d{skull, other}c{skull}"],
    "4d{skull, hit} cskull": ["4d{skull, other}c{skull}"],
    "4d{skull, hit} r skull": ["4d{skull, other}r{skull}c{skull}"],
    "if d6 = 6 then 2": ["if d20 >= 15 then d8+3 else 0"],
    "3 + let x = d6; x + x": ["let x = d6; x + x"],
    "4d6 without the lowest": ["4d6 drop lowest 1"],
    "2d6 squared": ["let x = 2d6; x * x"],
}


@pytest.mark.parametrize("text", WRONG)
def test_the_offer_fits(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        odds(text)
    assert OFFERED.findall(caught.value.hint) == WRONG[text]


@pytest.mark.parametrize("offer", sorted({x for offers in WRONG.values() for x in offers} - {"if"}))
def test_the_offer_works(offer: str) -> None:
    assert odds(offer)[0].text


@pytest.mark.parametrize(
    "source", ["", "{}", "2d8 {}", "{} d20", "5d10 {} 3", "12d6 {} 2 4", "d2 {} 100", "1d100 {} 1"]
)
def test_every_mend_works_for_any_dice(source: str) -> None:
    for word in MENDS:
        offers = OFFERED.findall(mend(word, source.format(word)))
        assert offers, word
        for offer in offers:
            assert offer == "if" or odds(offer)[0].text, (word, offer)


@pytest.mark.parametrize("word", ["x", "p", "k", "hit", "zz"])
def test_an_unknown_name_is_told_to_be_bound(word: str) -> None:
    with pytest.raises(NotationError) as caught:
        odds(f"d20 >= {word}")
    assert "bind it first" in caught.value.hint or "did you mean hits" in caught.value.hint


@pytest.mark.parametrize("word", ["even", "adv", "highest", "count", "explode", "reroll", "floor"])
def test_a_word_is_never_its_own_mend(word: str) -> None:
    with pytest.raises(NotationError) as caught:
        odds(f"{word} 3d6")
    assert "did you mean" not in caught.value.hint


@pytest.mark.parametrize(
    ("text", "offer"),
    [
        ("d20 + d4 + 5 >= 15 given d20 >= 5", "let x = d20; x + d4 + 5 >= 15 given x >= 5"),
        ("3d6 given 3d6 >= 8", "let x = 3d6; x given x >= 8"),
        ("2d6+3 given 2d6 + 3 >= 8", "let x = 2d6+3; x given x >= 8"),
        ("(d6 + 1) * 2 given (d6 + 1) >= 3", "let x = (d6 + 1); x * 2 given x >= 3"),
        ("3d6 >= 10 given d6 >= 5", "let x = 3d6; x >= 16 given x >= 8"),
        ("let a = d4; d6 + a >= 3 given d6 >= 2", "let x = 3d6; x >= 16 given x >= 8"),
    ],
)
def test_a_given_of_two_rolls(text: str, offer: str) -> None:
    body = parse(text).results[0].body
    assert isinstance(body, n.Given)
    assert OFFERED.findall(given(body, text)) == [offer]
    assert odds(offer)[0].kind in ("probability", "distribution")


@pytest.mark.parametrize(
    ("text", "offer"),
    [
        ("P(" * 600 + "d6 = 2" + ")" * 600, "d6 >= 2"),
        ("P(chance(" * 150 + "d8 = 2" + "))" * 150, "d8 >= 2"),
    ],
)
def test_a_nest_of_chances_is_one_error(text: str, offer: str) -> None:
    with pytest.raises(NotationError) as caught:
        odds(text)
    assert OFFERED.findall(caught.value.hint) == [offer]
