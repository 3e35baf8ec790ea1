"""Sentences in which it must be clear what each clause speaks of; all written by hand."""

from __future__ import annotations

import pytest

from oddsmith import parse
from oddsmith.notation.reading import reading

D20, D4, D6 = "a twenty-sided die", "a four-sided die", "a six-sided die"
SIX = f"if {D6}, the roll is exactly 6"
ENDLESS = "the highest face rolls another die, added as a die of its own, without end"

SENTENCES = {
    # modifiers of one operand
    "1d8+1d10 k1": "an eight-sided die, plus (a ten-sided die, keep the highest)",
    "6 - 3d6kh1": "6, minus (3 six-sided dice, keep the highest)",
    "d20 + 2d6kh1 >= 15":
        f"{D20}, plus (2 six-sided dice, keep the highest), the total is 15 or more",
    "3d6 + d6!": f"3 six-sided dice, plus ({D6}, {ENDLESS})",
    "3d6 + 2d6 highest": "3 six-sided dice, plus (2 six-sided dice, read the highest die)",
    "4d6kh3 * 10": "(4 six-sided dice, keep the highest 3), times 10",
    "-4d6kh3": "minus (4 six-sided dice, keep the highest 3)",
    "{d6! + 2d8}": f"({D6}, {ENDLESS}) and 2 eight-sided dice, all in one pool",
    "{2d6+1, d8}": "a pool of totals ((2 six-sided dice, plus 1) and an eight-sided die)",
    "d4 < 2d6kh1 < d12":
        f"{D4} is less than (2 six-sided dice, keep the highest), "
        "which is less than a twelve-sided die",
    "let x = 2d6; d20 + x kh1":
        f"x is one roll of 2 six-sided dice; {D20}, plus (x, keep the highest)",
    "let h = d6; 4d6c>=(h+1)":
        f"h is one roll of {D6}; 4 six-sided dice, count the dice that show (h, plus 1) or more",
    # an if that is only a part
    "(if d20+2 >= 15 then 8d6//2 else 8d6) >= 20":
        f"(if {D20}, plus 2, the total is 15 or more: 8 six-sided dice, divided by 2, "
        "rounded down; otherwise: 8 six-sided dice), that is 20 or more",
    "d20 + (if d6 = 6 then 3 else 0)": f"{D20}, plus ({SIX}: 3; otherwise: 0)",
    "3 * (if d6 = 6 then 3 else 0)": f"3, times ({SIX}: 3; otherwise: 0)",
    "if d6 = 6 then (if d4 = 1 then 2 else 3) else 4":
        f"{SIX}: (if {D4}, the roll is exactly 1: 2; otherwise: 3); otherwise: 4",
    "max(d4, if d6 = 6 then 2 else 3)": f"the higher of ({D4}; ({SIX}: 2; otherwise: 3))",
    "(if d6 = 6 then 1 else 2) vs d4":
        f"({SIX}: 1; otherwise: 2) against {D4}: the higher total wins",
    "let r = if d6 = 6 then 3 else 1; r + 1":
        f"r is one roll of ({SIX}: 3; otherwise: 1); r, plus 1",
    "if d6 = 6 and d4 = 1 then 3 else 4":
        f"if (both: {D6}, the roll is exactly 6; and {D4}, the roll is exactly 1): 3; "
        "otherwise: 4",
    # questions that are only a part
    "let a = d20; let b = d20; (a >= 11) = (b < 15)":
        f"a is one roll of {D20}; b is one roll of {D20}; "
        "(a is 11 or more) equals (b is less than 15)",
    "(d6 >= 3) + (d4 >= 3)":
        f"({D6}, the roll is 3 or more), plus ({D4}, the roll is 3 or more)",
    "not d6 = 1 or d4 = 1":
        f"(it does not happen that {D6}, the roll is exactly 1); or {D4}, the roll is exactly 1",
    "not (d6 = 1 or d4 = 1)":
        f"it does not happen that ({D6}, the roll is exactly 1; or {D4}, the roll is exactly 1)",
    # more than two, and results that are no dice
    "max(d4, d6, d20)": f"the highest of ({D4}; {D6}; {D20})",
    "min(d4, d6, d20)": f"the lowest of ({D4}; {D6}; {D20})",
    "6x(3d6) c16": "6 separate results of (3 six-sided dice), count the results that show 16",
    "6x(3d6) c16+ -c3":
        "6 separate results of (3 six-sided dice), count the results that show 16 or more, "
        "less the results that show 3",
    "6x(3d6) lowest": "6 separate results of (3 six-sided dice), read the lowest result",
    "(6x(3d6) kh3) median":
        "6 separate results of (3 six-sided dice), keep the highest 3, read the middle result",
    # names of results, and questions that are repeated
    "let s = 6x(3d6); s highest":
        "s is one roll of 6 separate results of (3 six-sided dice); s, read the highest result",
    "let s = 6x(3d6)kh3; s c16":
        "s is one roll of 6 separate results of (3 six-sided dice), keep the highest 3; "
        "s, count the results that show 16",
    "let p = 6d6; p highest": "p is one roll of 6 six-sided dice; p, read the highest die",
    "4x(let s = 2x(d6); s lowest) highest":
        f"4 separate results of (s is one roll of 2 separate results of ({D6}); "
        "s, read the lowest result), read the highest result",
    "3x(d20 >= 11)":
        f"3 separate results of ({D20}, the roll is 11 or more), how many hold",
    "3x(d20 >= 11) >= 2":
        f"3 separate results of ({D20}, the roll is 11 or more), how many hold, that is 2 or more",
    "3x(not d6 in {1, 2})":
        f"3 separate results of (it does not happen that {D6}, the roll is 1 or 2), how many hold",
    "3x(let x = d6; x = 1 or x = 6)":
        f"3 separate results of (x is one roll of {D6}; x is exactly 1; or x is exactly 6), "
        "how many hold",
    "3x(d20 >= 11) kh2":
        f"3 separate results of ({D20}, the roll is 11 or more), keep the highest 2",
    "d20 >= 11 vs d20 >= 12":
        f"({D20}, the roll is 11 or more) against ({D20}, the roll is 12 or more): "
        "the one that succeeds alone wins",
    # advantage more than once
    "d20 adv dis": f"{D20}, rolled once, since advantage and disadvantage cancel",
    "d20 adv adv": f"{D20}, rolled twice, keep the higher (it counts once only)",
    "d20 dis dis": f"{D20}, rolled twice, keep the lower (it counts once only)",
    "d20 adv r1 dis adv":
        f"{D20}, rolled once, since advantage and disadvantage cancel, re-roll 1 once",
    # clear without brackets
    "4d6kh3 >= 15": "4 six-sided dice, keep the highest 3, the total is 15 or more",
    "10 <= 4d6kh3 <= 12": "4 six-sided dice, keep the highest 3, the total is from 10 to 12",
    "3d6kh1 >= 2d8":
        "3 six-sided dice, keep the highest; against 2 eight-sided dice: "
        "the first is at least the second",
    "8d6 // 2 + 3": "8 six-sided dice, divided by 2, rounded down, plus 3",
    "(d20 + 5) * 2": f"({D20}, plus 5), times 2",
    "d20 - (2 + d4)": f"{D20}, minus (2, plus {D4})",
    "max(d4, d6)": f"the higher of ({D4}; {D6})",
    "if d6 = 6 then d4 else if d4 = 1 then 2 else 3":
        f"{SIX}: {D4}; otherwise: if {D4}, the roll is exactly 1: 2; otherwise: 3",
}  # fmt: skip


@pytest.mark.parametrize("text", SENTENCES)
def test_sentence(text: str) -> None:
    program = parse(text)
    assert reading(program.results[-1].body, program.lets) == SENTENCES[text]


def test_a_long_sum_has_a_sentence() -> None:
    """200 operators are allowed; each takes one clause."""
    (result,) = parse(" + ".join(["d6"] * 200)).results
    assert reading(result.body).count("plus") == 199
