"""A syntax tree to its canonical text."""

from __future__ import annotations

import pytest

from oddsmith import odds, parse, unparse
from oddsmith.notation import nodes as n
from oddsmith.notation.unparse import cond, die, faces, modifier


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("3D6>=11", "3d6 >= 11"),
        ("4d6 keep highest 3", "4d6kh3"),
        ("4d6-L", "4d6dl"),
        ("d20 advantage>=15", "d20 adv >= 15"),
        ("d%", "d%"),
        ("4DF", "4dF"),
        ("d66", "d66"),
        ("d(66)", "d(66)"),
        ("d(6)", "d6"),
        ("(1+2)d6", "(1 + 2)d6"),
        ("d{1,2..4,6:2,Hit}", "d{1, 2..4, 6:2, Hit}"),
        ("{d6,d8}kh1", "{d6, d8}kh1"),
        ("{d6+d8}kh1", "{d6 + d8}kh1"),
        ("6x(4d6kh3)", "6x(4d6kh3)"),
        ("-(1+2)*3", "-(1 + 2) * 3"),
        ("1-(2-3)", "1 - (2 - 3)"),
        ("(1-2)-3", "1 - 2 - 3"),
        ("2*(3+4)", "2 * (3 + 4)"),
        ("8//(4/2)", "8 // (4 / 2)"),
        ("10<=3d6<=12", "10 <= 3d6 <= 12"),
        ("d6==3", "d6 = 3"),
        ("d6!=3 or d6 != 4", None),
        ("not(d6=1 or d6=2)", "not (d6 = 1 or d6 = 2)"),
        ("d6=1 and(d6=2 or d6=3)", "d6 = 1 and (d6 = 2 or d6 = 3)"),
        ("d20 not in{1,20}", "not d20 in {1, 20}"),
        ("2d6+1 vs d12", "2d6 + 1 vs d12"),
        ("if d6=6 then 1 else 0", "if d6 = 6 then 1 else 0"),
        ("(if d6=6 then 1 else 0)+2", "(if d6 = 6 then 1 else 0) + 2"),
        ("MAX(d6,d8)", "max(d6, d8)"),
        ("let x=d6;x,'again':x+1", 'let x = d6; x, "again": x + 1'),
        ("d6 # comment", "d6"),
        ("d6 [fire]", "d6"),
        ("8d6 hits 5+", "8d6c5+"),
        ("8d6c", "8d6c"),
        ("5d10c>=8c=10 -c=1 floor 0", "5d10c>=8 c10 -c1 floor0"),
        ("5d10f1", "5d10f1"),
        ("8d6c5+x6:3", "8d6c5+x6:3"),
        ("4d6e6", "4d6!6"),
        ("4d6!once", "4d6!max1"),
        ("4d6!5+max2", "4d6!5+max2"),
        ("4d6 reroll 1s until ok", "4d6rr1"),
        ("4d6r1r2", "4d6r1r2"),
        ("4d6mi2", "4d6 min2"),
        ("4d6 largest set", "4d6 highest set"),
        ("(4d6kh3)kl1", "(4d6kh3)kl1"),
        ("artillery=Misfire", "artillery = Misfire"),
    ],
)
def test_canonical_text(text: str, canonical: str | None) -> None:
    if canonical is None:
        with pytest.raises(Exception, match="two things"):
            parse(text)
        return
    assert unparse(parse(text)) == canonical
    assert unparse(parse(canonical)) == canonical


@pytest.mark.parametrize(
    "text",
    [
        # a word behind a word needs a space
        "let x = 4d6; x kh3", "let x = 4d6; x c5+", "let x = 4d6; x!", "coin kh1", "coin c1",
        "let pool = 4d6; pool highest set", "let half_ = 4d6; half_ kh3", "let a_ = 4d6; a_ c5+",
        # words that start a program of another language
        "+set", "(set) + 1", "-output",
        # even and odd in front of another word
        "d6 r odd r even", "d6 rr odd rr even", "d6 r odd kh1", "4d6 c even x6", "4d6 c odd c even",
        "4d6! even max3", "4d6 !even r1", "4d6 c even -c odd floor0",
        # a limit belongs to each condition
        "2d6!5max3!6max3", "2d6!!5max3!!6max3", "2d6!{5, 6}max3",
        # explosions side by side
        "d6! !", "d6! !!", "d6!! !", "d6!5 !", "d6!p !p",
        # a reading in brackets, compared
        "(4d6 count) >= 2", "(4d6 count) = 4", "2 <= (4d6 count)", "(4d6 count) in {4}",
        # quotes inside quotes
        """d{'a"b', 1} = 1""", '''d{"it's", 1} = 1''', """'say "when"': d6""", '''"it's": d6''',
        # counts that start with something else
        "4d6 f1", "4d6 f1 f2 floor0", "4d6 f1 c6", "4d6 f1 c6x6",
        # names of any case
        "let Foe = d6; FOE + foe",
        # loose things in tight places
        "(d6 = 1) + 2", "-(d6 vs 3)", "(d6 given 2) given 3", "(not d6 = 1) and d6 = 2",
        "(d6 = 1 and d6 = 2) or d6 = 3", "d6 = 1 and (d6 = 2 and d6 = 3)", "(2 + 3)x(d6)",
        "d(d4)", "(d4)d(d6)", "{(d6 - 1) + d8}", "{d6 - 1 + d8}",
        "max((if d6 = 1 then 2 else 3), 1)",
        "4d6kh(1 + 2)", "4d6r(1)", "4d6min(-1)", "4d6 min -1", "4d6c(-1)", "4d6r1..2",
        "4d6c(1)..(2)",
    ],
)  # fmt: skip
def test_the_tree_comes_back(text: str) -> None:
    tree = parse(text)
    assert parse(unparse(tree)) == tree


def test_the_answer_does_not_change() -> None:
    """The dice in the pool are counted; the canonical text must not count faces instead."""
    text = "(4d6 count) = 4"
    (before,), (after,) = odds(text), odds(unparse(parse(text)))
    assert before.exact == 1
    assert after.exact == 1


# --- parts


def test_parts_of_trees_have_a_text() -> None:
    (result,) = parse("2d6kh1 + 3").results
    assert unparse(result.body) == "2d6kh1 + 3"
    assert unparse(n.Number(value=5)) == "5"
    assert die(n.Digits(places=3)) == "d666"
    assert faces((n.Item(low=n.Text(text="a b")), n.Item(low=n.Number(value=1)))) == '{"a b", 1}'
    assert modifier(n.Keep(verb="adv")).strip() == "adv"
    assert modifier(n.Bound(verb="min", value=n.Number(value=2))).strip() == "min2"
    assert cond(n.Cond(kind="..", values=(n.Number(value=1), n.Number(value=2)))) == "1..2"
    assert cond(n.Cond(kind="<>", values=(n.Number(value=1),))) == "<>1"
