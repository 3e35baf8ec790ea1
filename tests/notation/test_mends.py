"""What is offered for texts that cannot be read: it fits the text, and it works as it is typed."""

from __future__ import annotations

import re

import pytest

from oddsmith import odds, parse
from oddsmith.errors import NotationError
from oddsmith.notation import nodes as n
from oddsmith.notation.mends import MENDS, given, mend
from oddsmith.notation.phrases import FACES, HIGHER, LOWER

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
    "3d6 at least 10": ["3d6 >= 10"],
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
    "3d6 in 10..12": ["3d6 in {10..12}"],
    "4d{skull, hit} c skull": ["4d{skull, other}c{skull}"],
    "4d{skull, hit} c=skull": ["4d{skull, other}c{skull}"],
    "4d{skull, hit} cskull": ["4d{skull, other}c{skull}"],
    "4d{skull, hit} r skull": ["4d{skull, other}r{skull}c{skull}"],
    "if d6 = 6 then 2": ["if d20 >= 15 then d8+3 else 0"],
    "3 + let x = d6; x + x": ["let x = d6; x + x"],
    "4d6 without the lowest": ["4d6 drop lowest 1"],
    "2d6 squared": ["2d6^2"],
    "2d6 at most 5": ["2d6 <= 5"],
    "2d6 up to 5": ["2d6 <= 5"],
    "2d6 no more than 5": ["2d6 <= 5"],
    "2d6+1 at least 9": ["2d6+1 >= 9"],
    "3d6 no less than 9": ["3d6 >= 9"],
    "3d6 not fewer than 9": ["3d6 >= 9"],
    "6d6 three pairs": ["6d6 pairs >= 3"],
    "6d6 with two pairs": ["6d6 pairs >= 2"],
    "best of 5": ["5x(coin = 1) >= 3"],
    "best of 3 (d6 > d6)": ["3x(d6 > d6) >= 2"],
    # so many of a face
    "5d6 at least 2 sixes": ["5d6c6 >= 2"],
    "5d6 two 6s": ["5d6c6 >= 2"],
    "5d6 exactly two sixes": ["5d6c6 = 2"],
    "4d6 no 1s": ["4d6c1 = 0"],
    "6d6 count sixes": ["6d6c6"],
    # the better or the worse of two, and dice that are alike
    "best of 3d6 and 2d8": ["max(3d6, 2d8)"],
    "worst of d20, d12": ["min(d20, d12)"],
    "best 3 of 4d6": ["4d6kh3"],
    "5d6 all same": ["5d6 unique = 1"],
    "5d6 all different": ["5d6 unique = 5"],
    "d100 doubles": ["d100 in {11, 22, 33, 44, 55, 66, 77, 88, 99, 100}"],
    # a number behind dice
    "2d6 7+": ["2d6 >= 7"],
    "d20 15+": ["d20 >= 15"],
    "d6 4+": ["d6 >= 4"],
    "8d6 5+": ["8d6 >= 5", "8d6c5+"],
    "d20+5 15 or more": ["d20+5 >= 15"],
    "3d6 12-": ["3d6 <= 12"],
    "5d6 6s": ["5d6c6"],
    "d20 15": [],
    # comparisons in words, of the whole total
    "3d6 lower than 12": ["3d6 < 12"],
    "3d6+2 is more than 12": ["3d6+2 > 12"],
    "roll 2d6 higher than 7": ["2d6 > 7"],
    "3d6 not more than 12": ["3d6 <= 12"],
    "d20 over 15": ["d20 > 15"],
    "2d6 mod 3": ["let x = 2d6; x - 3 * (x // 3)"],
    "3d6+1 mod 4": ["let x = 3d6+1; x - 4 * (x // 4)"],
    "d20+5 dc 15": ["d20+5 >= 15"],
    "d20+5 ac 15": ["d20+5 >= 15"],
    "6d10 difficulty 7": ["6d10 >= 7", "6d10c7+"],
    "2d6 in 7-9": ["2d6 in {7..9}"],
    # a sign that says nothing
    "d100 <= 65%": ["d100 <= 65"],
    "3d6 >= 12?": ["3d6 >= 12"],
    "3d6 >= 12 ??": ["3d6 >= 12"],
    # a count written as a comparison
    "6d10 >= 6 f1": ["6d10c6+f1"],
    "6d10>=8!10": ["6d10!10c8+"],
    # words of the table
    "d20 bless": ["d20 + d4"],
    "d20 nat 20": ["d20 = 20"],
    "nat 1": ["d20 = 1"],
    "5d6 wild": ["max(d8!!, d6!!)"],
    "5d6 ace": ["5d6!!"],
    "5d6 push": ["5d6r<6c6"],
    "5d6 glitch": ["5d6c1 >= 3"],
    "flip": ["coin"],
    "d6 step down": ["d4", "d8"],
    "4d6 brutal 2": ["4d6rr<=2"],
    "d20 beats d20": ["d20 vs d20"],
    "2d6+1 against d12": ["2d6+1 vs d12"],
    "2d6 twice": ["2x(2d6)", "max(2d6, 2d6)"],
    "3d6 cap 4": ["min(3d6, 4)", "3d6 max4"],
    "4d6h3": ["4d6kh3"],
    "4d6b3": ["4d6kh3"],
    "4d6s5": ["4d6c5+"],
    "d00": ["d100"],
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


DICE = ["d6", "3d8", "12d6 + 2", "2d10", "d100", "d%"]
PHRASED = [
    *(f"{{}} {word} than 7" for word in (*HIGHER, *LOWER)),
    *(f"{{}} not {word} 7" for word in (*HIGHER, *LOWER)),
    *(f"{{}} {many} {face}" for many in ("2", "two", "at least 2", "no") for face in FACES),
    *(f"{{}} all {word}" for word in ("same", "the same", "equal", "different", "are unique")),
    *(f"{word} of {{}} and d4" for word in ("best", "worst", "the lower")),
    *(f"{{}} {word} 3d4 + 1" for word in ("beats", "against", "versus")),
    "{} double", "{} 4+", "{} 4-", "{} 4s", "{} 4 or less", "{} >= 4 f1", "{} >= 4!", "{} in 2-4",
    "{} in 2, 4", "{} in [2 to 4]",
]  # fmt: skip


@pytest.mark.parametrize("text", PHRASED)
def test_every_phrase_has_an_offer_that_works(text: str) -> None:
    for dice in DICE:
        with pytest.raises(NotationError) as caught:
            odds(text.format(dice))
        for offer in OFFERED.findall(caught.value.hint):
            assert odds(offer)[0].text, (dice, offer)


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
        ("2d6+3 given 2d6 + 3 >= 8", "let x = 2d6; x + 3 given x + 3 >= 8"),
        ("(d6 + 1) * 2 given (d6 + 1) >= 3", "let x = d6; (x + 1) * 2 given x + 1 >= 3"),
        ("d6 + d6 >= 10 given d6 = 6", "let x = d6; x + d6 >= 10 given x = 6"),
        ("d6 = 1 or d6 = 2 given d6 <= 3", "let x = d6; x = 1 or x = 2 given x <= 3"),
        ("2d6 >= 9 given 2d6c6 >= 1", "let x = 2d6; x >= 9 given x c6 >= 1"),
        ("4d6kh3 >= 15 given 4d6kl1 >= 2", "let x = 4d6; x kh3 >= 15 given x kl1 >= 2"),
        ("d20 adv >= 15 given d20 adv >= 5", "let x = d20 adv; x >= 15 given x >= 5"),
        (
            "6x(4d6kh3) >= 75 given 6x(4d6kh3) highest >= 14",
            "let x = 6x(4d6kh3); x >= 75 given x highest >= 14",
        ),
        (
            "{d6, d8}kh1 >= 5 given {d6, d8}kl1 >= 2",
            "let x = {d6, d8}; x kh1 >= 5 given x kl1 >= 2",
        ),
        ("3d6 >= 10 given d6 >= 5", "let x = 3d6; x >= 16 given x >= 8"),
        ("let a = d4; d6 + a >= 3 given d6 >= 2", "let x = 3d6; x >= 16 given x >= 8"),
    ],
)
def test_a_given_of_two_rolls(text: str, offer: str) -> None:
    body = parse(text).results[0].body
    assert isinstance(body, n.Given)
    assert OFFERED.findall(given(body)) == [offer]
    assert odds(offer)[0].kind in ("probability", "distribution")


@pytest.mark.parametrize(
    ("text", "offer"),
    [
        ("P(" * 600 + "d6 = 2" + ")" * 600, "d6 >= 2"),
        ("P(chance(" * 150 + "d8 = 2" + "))" * 150, "d8 >= 2"),
        ("d6" + " beats d8" * 200, "2d6 vs 2d6"),
        ("best of " * 200 + "d6 and d8", None),
        ("d6 " + "% " * 400, None),
        ("d6 = 2" + "?" * 400, "d6 = 2"),
        ("(" * 90 + "d6 >= 3 given " * 40, None),
        ("d8 lower than 3 " * 100, "d8 < 3"),
    ],
)
def test_a_nest_of_mistakes_is_one_error(text: str, offer: str | None) -> None:
    with pytest.raises(NotationError) as caught:
        odds(text)
    assert offer in (None, *OFFERED.findall(caught.value.hint))
