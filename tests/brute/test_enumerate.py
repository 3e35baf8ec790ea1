"""The enumerator itself, against values derived by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from .enumerate import Outcome, answer, answers, number
from .notation import text
from .spec import (
    ARTILLERY,
    COIN,
    D66,
    FATE,
    SCATTER,
    Advantage,
    And,
    BinOp,
    Call,
    Clamp,
    Compare,
    Const,
    Count,
    Dice,
    Explode,
    Flat,
    Given,
    IfThen,
    In,
    Item,
    Keep,
    Labelled,
    Let,
    Mixed,
    Name,
    Neg,
    Node,
    Not,
    Or,
    Pool,
    Program,
    Repeat,
    Reroll,
    Result,
    Source,
    Spec,
    Step,
    Term,
    Versus,
    Word,
    compare,
    cond,
    face_is,
    listed,
    numbered,
)

ONCE_1 = Reroll((face_is(1),))
UNTIL_1 = Reroll((face_is(1),), until=True)
KH1 = Keep("kh", 1)


def pool(count: int, sides: int, *steps: Step, reading: str = "") -> Pool:
    """Like dice with some steps."""
    return Pool(Dice(count, numbered(sides)), steps, reading)


def on(source: Source, *steps: Step, reading: str = "") -> Pool:
    """Steps on any source."""
    return Pool(source, steps, reading)


def hits(count: int, sides: int, *terms: Term, floor0: bool = False) -> Count:
    """A count on plain dice."""
    return Count(pool(count, sides), terms, floor0)


def at_least(bound: int) -> Term:
    """c>=bound"""
    return Term(cond(">=", bound))


def chance(spec: Result) -> Fraction:
    """The exact probability of a settled event."""
    low, high = answer(spec).chance(True)
    assert low == high
    return low


def settled(outcome: Outcome, bound: int) -> Fraction:
    """P(>= bound), which the depth must settle."""
    low, high = outcome.at_least(bound)
    assert low == high
    return low


MEANS: list[tuple[str, str, Node]] = [
    ("d6", "7/2", pool(1, 6)),
    ("d6r1", "47/12", pool(1, 6, ONCE_1)),
    ("d6rr1", "4", pool(1, 6, UNTIL_1)),
    ("2d6r<=2", "25/3", pool(2, 6, Reroll((cond("<=", 2),)))),
    ("2d6rr<=2", "9", pool(2, 6, Reroll((cond("<=", 2),), until=True))),
    ("d4r1r4", "5/2", pool(1, 4, Reroll((face_is(1), face_is(4))))),
    ("d4rr1rr4", "5/2", pool(1, 4, Reroll((face_is(1), face_is(4)), until=True))),
    ("2d20kh1", "553/40", pool(2, 20, KH1)),
    ("2d20kl1", "287/40", pool(2, 20, Keep("kl", 1))),
    ("d20 adv", "553/40", on(Advantage(numbered(20)))),
    ("d20 dis", "287/40", on(Advantage(numbered(20), better=False))),
    ("4d6kh3", "15869/1296", pool(4, 6, Keep("kh", 3))),
    ("4d6dl1", "15869/1296", pool(4, 6, Keep("dl", 1))),
    ("4d6dh1dl1", "7", pool(4, 6, Keep("dh", 1), Keep("dl", 1))),
    ("4d6mid2", "7", pool(4, 6, Keep("mid", 2))),
    ("4d6rr1kh3", "8396/625", pool(4, 6, UNTIL_1, Keep("kh", 3))),
    ("2d20r1kh1", "226273/16000", pool(2, 20, ONCE_1, KH1)),
    ("2d20kh1r1", "11079/800", pool(2, 20, KH1, ONCE_1)),
    ("2d20kh1min10", "1163/80", pool(2, 20, KH1, Clamp("min", 10))),
    ("d6max4", "3", pool(1, 6, Clamp("max", 4))),
    ("d6!max1", "49/12", pool(1, 6, Explode("!", limit=1))),
    ("10d10!max1", "121/20", pool(1, 10, Explode("!", limit=1))),
    ("2d4!max1kh1", "25/8", pool(2, 4, Explode("!", limit=1), KH1)),
    ("dF", "0", on(Dice(1, FATE))),
    ("coin", "1/2", on(Dice(1, COIN))),
    ("d66", "77/2", on(Dice(1, D66))),
    ("d{1,1,2,6:2}", "16/5", on(Dice(1, listed(1, 1, 2, (6, 2))))),
    ("{d4,d6}kh1", "47/12", on(Mixed((pool(1, 4), pool(1, 6))), KH1)),
    ("{2d6,3d4}kh1", "1225/144", on(Mixed((pool(2, 6), pool(3, 4))), KH1)),
    (
        "{2d6+3d4}kh2",
        "1601/192",
        on(Flat((Dice(2, numbered(6)), Dice(3, numbered(4)))), Keep("kh", 2)),
    ),
    ("{d6,d8,d10}mid1", "173/40", on(Mixed((pool(1, 6), pool(1, 8), pool(1, 10))), Keep("mid", 1))),
    ("(d4)d6", "35/4", on(Dice(pool(1, 4), numbered(6)))),
    ("2x(2d4kh1)", "25/4", on(Repeat(2, pool(2, 4, KH1)))),
    ("8d6//2 on 2d6", "13/4", BinOp("//", pool(2, 6), Const(2))),
    ("d6/2", "7/4", BinOp("/", pool(1, 6), Const(2))),
    ("half_up(2d6)", "15/4", Call("half_up", (pool(2, 6),))),
    ("-d6", "-7/2", Neg(pool(1, 6))),
    ("d6-d6", "0", BinOp("-", pool(1, 6), pool(1, 6))),
    ("2d6c>=5", "2/3", hits(2, 6, at_least(5))),
    ("5d10c>=7c=10", "5/2", hits(5, 10, at_least(7), Term(cond("=", 10)))),
    ("5d10c>=7x10", "5/2", hits(5, 10, Term(cond(">=", 7), ((10, 2),)))),
    ("3d10c>=8-c1", "3/5", hits(3, 10, at_least(8), Term(face_is(1), minus=True))),
    ("3d4c", "3/4", hits(3, 4, Term())),
]


@pytest.mark.parametrize(("name", "mean", "spec"), MEANS, ids=[row[0] for row in MEANS])
def test_means(name: str, mean: str, spec: Node) -> None:
    """Means worked out on paper."""
    assert answer(spec).mean() == Fraction(mean), name


CHANCES: list[tuple[str, str, Node]] = [
    ("4d6kh3 = 18", "7/432", compare(pool(4, 6, Keep("kh", 3)), "=", Const(18))),
    ("2d6 >= 9", "5/18", compare(pool(2, 6), ">=", Const(9))),
    ("2d6 > 2d6", "575/1296", compare(pool(2, 6), ">", pool(2, 6))),
    ("4dF >= 2", "5/27", compare(on(Dice(4, FATE)), ">=", Const(2))),
    ("d20 in {1, 20}", "1/10", In(pool(1, 20), (1, 20))),
    ("d20 in {1, 18..20}", "1/5", In(pool(1, 20), (1, (18, 20)))),
    (
        "10 <= 3d6 <= 12",
        "79/216",
        Compare((Const(10), pool(3, 6), Const(12)), ("<=", "<=")),
    ),
    ("artillery = Misfire", "1/6", compare(on(Dice(1, ARTILLERY)), "=", Word("Misfire"))),
    ("scatter = Hit", "1/3", compare(on(Dice(1, SCATTER)), "=", Word("Hit"))),
    ("5d6 some pair", "49/54", compare(pool(5, 6, reading="sets"), ">=", Const(1))),
    ("(d4)d6 = 6", "233/2592", compare(on(Dice(pool(1, 4), numbered(6))), "=", Const(6))),
    (
        "d6 >= 4 and d6 >= 5",
        "1/6",
        And(compare(pool(1, 6), ">=", Const(4)), compare(pool(1, 6), ">=", Const(5))),
    ),
    (
        "d6 >= 4 or d6 >= 5",
        "2/3",
        Or(compare(pool(1, 6), ">=", Const(4)), compare(pool(1, 6), ">=", Const(5))),
    ),
    ("not d6 = 6", "5/6", Not(compare(pool(1, 6), "=", Const(6)))),
    (
        "d6rr1 = 2",
        "1/5",
        compare(pool(1, 6, UNTIL_1), "=", Const(2)),
    ),
    (
        "max(d8!!, d6!!) >= 4",
        "13/16",
        compare(
            Call("max", (pool(1, 8, Explode("!!")), pool(1, 6, Explode("!!")))), ">=", Const(4)
        ),
    ),
    (
        "max(d8!!, d6!!) >= 8",
        "71/288",
        compare(
            Call("max", (pool(1, 8, Explode("!!")), pool(1, 6, Explode("!!")))), ">=", Const(8)
        ),
    ),
]


@pytest.mark.parametrize(("name", "value", "spec"), CHANCES, ids=[row[0] for row in CHANCES])
def test_chances(name: str, value: str, spec: Node) -> None:
    """Probabilities worked out on paper."""
    assert chance(spec) == Fraction(value), name


ENDLESS: list[tuple[str, str, Node]] = [
    ("d6!", "21/5", pool(1, 6, Explode())),
    ("d6!!", "21/5", pool(1, 6, Explode("!!"))),
    ("d6!p", "4", pool(1, 6, Explode("!p"))),
    ("2d6!kh1", "161/36", pool(2, 6, Explode(), KH1)),
    ("2d6!!kh1", "203/35", pool(2, 6, Explode("!!"), KH1)),
    ("2d6kh1!", "259/45", pool(2, 6, KH1, Explode())),
    ("2d4!", "20/3", pool(2, 4, Explode())),
    (
        "2d10!>=9c>=8",
        "3/4",
        Count(pool(2, 10, Explode("!", cond(">=", 9))), (at_least(8),)),
    ),
    ("d6!c>=4", "3/5", Count(pool(1, 6, Explode()), (at_least(4),))),
    ("d6r1!", "141/29", pool(1, 6, ONCE_1, Explode())),
]


@pytest.mark.parametrize(("name", "mean", "spec"), ENDLESS, ids=[row[0] for row in ENDLESS])
def test_endless_means_are_approached(name: str, mean: str, spec: Node) -> None:
    """Deeper walks come closer from below, and what is missing is what separates them."""
    found = []
    for depth in (2, 5):
        outcome = answer(spec, depth)
        part = sum((number(v) * p for v, p in outcome.known.items()), Fraction(0))
        found.append((Fraction(mean) - part, outcome.missing))
    (shallow_gap, shallow_missing), (gap, missing) = found
    assert 0 < gap < shallow_gap
    assert 0 < missing < shallow_missing
    assert gap < 100 * missing, name


def test_depth_settles_thresholds() -> None:
    """A total that the walked dice already reach is exact although mass is missing."""
    one, two = answer(pool(1, 6, Explode())), answer(pool(2, 6, Explode()))
    assert settled(one, 10) == Fraction(1, 12)
    assert settled(one, 13) == Fraction(1, 36)
    assert settled(two, 12) == Fraction(23, 108)
    assert settled(two, 20) == Fraction(13, 432)
    assert one.missing == Fraction(1, 6**7)


def test_enclosures_hold_when_the_depth_does_not_settle() -> None:
    """Far tails are an interval as wide as what is missing."""
    low, high = answer(pool(1, 6, Explode()), depth=1).at_least(14)
    assert low < Fraction(5, 6**3) < high
    assert high - low == answer(pool(1, 6, Explode()), depth=1).missing == Fraction(1, 36)


def test_successes_of_four_six_again_dice() -> None:
    """Fives and sixes among four dice which roll on with sixes."""
    outcome = answer(Count(pool(4, 6, Explode()), (at_least(5),)), depth=3)
    values = [Fraction(16, 81), Fraction(80, 243), Fraction(190, 729), Fraction(295, 2187)]
    assert [outcome.chance(n) for n in range(4)] == [(v, v) for v in values]


def test_penalty_dice_are_removed_before_they_explode() -> None:
    """Four dice and two penalty dice: no six is kept."""
    kept = pool(6, 6, Keep("dh", 2))
    assert chance(compare(Count(kept, (Term(face_is(6)),)), "=", Const(0))) == Fraction(
        21875, 23328
    )


def test_count_distribution() -> None:
    """2d6 at 5 or more is binomial."""
    assert answer(hits(2, 6, at_least(5))).dist == {
        0: Fraction(4, 9),
        1: Fraction(4, 9),
        2: Fraction(1, 9),
    }


def test_botches_and_floor() -> None:
    """Ones take successes away on the same dice."""
    terms = at_least(8), Term(face_is(1), minus=True)
    net, clamped = answer(hits(3, 10, *terms)), answer(hits(3, 10, *terms, floor0=True))
    assert settled(net, 1) == settled(clamped, 1) == Fraction(27, 50)
    assert 1 - settled(net, 0) == Fraction(17, 125)
    assert settled(clamped, 0) == 1


def test_extra_dice_obey_earlier_steps_but_fresh_rerolls_do_not_explode() -> None:
    """`d2min2!max1` clamps its extra die; `d2!max1r1` never rolls a third die."""
    clamped = answer(pool(1, 2, Clamp("min", 2), Explode(limit=1)))
    assert clamped.dist == {2: Fraction(1, 2), 4: Fraction(1, 2)}
    again = answer(pool(1, 2, Explode(limit=1), ONCE_1))
    assert again.dist == {
        1: Fraction(1, 4),
        2: Fraction(1, 4),
        3: Fraction(1, 8),
        4: Fraction(3, 8),
    }


def test_penetrating_and_compounding_dice() -> None:
    """d4 with one extra die: lower by one when it penetrates, one die when it compounds."""
    assert answer(pool(1, 4, Explode("!p", limit=1))).dist == {
        **dict.fromkeys((1, 2, 3), Fraction(1, 4)),
        **dict.fromkeys((4, 5, 6, 7), Fraction(1, 16)),
    }
    size = answer(pool(1, 4, Explode("!!", limit=1), reading="count"))
    assert size.dist == {1: Fraction(1)}
    apart = answer(pool(1, 4, Explode("!", limit=1), reading="count"))
    assert apart.dist == {1: Fraction(3, 4), 2: Fraction(1, 4)}


READINGS_OF_2D2: dict[str, dict[str, str]] = {
    "sum": {"2": "1/4", "3": "1/2", "4": "1/4"},
    "highest": {"1": "1/4", "2": "3/4"},
    "lowest": {"1": "3/4", "2": "1/4"},
    "median": {"1": "1/4", "3/2": "1/2", "2": "1/4"},
    "product": {"1": "1/4", "2": "1/2", "4": "1/4"},
    "count": {"2": "1"},
    "sets": {"0": "1/2", "1": "1/2"},
    "pairs": {"0": "1/2", "1": "1/2"},
    "highest set": {"1": "1/2", "2": "1/2"},
    "longest run": {"1": "1/2", "2": "1/2"},
    "unique": {"1": "1/2", "2": "1/2"},
}


@pytest.mark.parametrize("name", READINGS_OF_2D2)
def test_readings_of_two_coins(name: str) -> None:
    """Four equal rolls, read every way."""
    expected = {Fraction(v): Fraction(p) for v, p in READINGS_OF_2D2[name].items()}
    assert answer(pool(2, 2, reading=name)).dist == expected


def test_pairs_are_disjoint_and_sets_are_faces() -> None:
    """Four of a kind is two pairs and one set."""
    same = Dice(4, listed(3))
    assert answer(on(same, reading="pairs")).dist == {2: 1}
    assert answer(on(same, reading="sets")).dist == {1: 1}
    assert answer(on(same, reading="highest set")).dist == {4: 1}


CONDITIONS: list[tuple[str, tuple[Item, ...], set[int]]] = [
    ("=", (3,), {3}),
    ("<>", (3,), {1, 2, 4, 5, 6}),
    (">=", (3,), {3, 4, 5, 6}),
    (">", (3,), {4, 5, 6}),
    ("<=", (3,), {1, 2, 3}),
    ("<", (3,), {1, 2}),
    ("bare", (3,), {3}),
    ("bare", (BinOp("+", Const(1), Const(2)),), {3}),
    ("plus", (3,), {3, 4, 5, 6}),
    ("minus", (3,), {1, 2, 3}),
    ("range", (2, 4), {2, 3, 4}),
    ("set", (1, (4, 5)), {1, 4, 5}),
    ("in", (1, 6), {1, 6}),
    ("even", (), {2, 4, 6}),
    ("odd", (), {1, 3, 5}),
]


@pytest.mark.parametrize(("op", "items", "faces"), CONDITIONS)
def test_conditions(op: str, items: tuple[Item, ...], faces: set[int]) -> None:
    """Each condition picks its faces of a d6."""
    outcome = answer(hits(1, 6, Term(cond(op, *items))))
    assert outcome.dist.get(1, Fraction(0)) == Fraction(len(faces), 6)
    for face in range(1, 7):
        single = answer(Count(on(Dice(1, listed(face))), (Term(cond(op, *items)),)))
        assert single.dist == {int(face in faces): Fraction(1)}


ROUNDINGS = [
    ("ceil", "-5/2", -2),
    ("floor", "-5/2", -3),
    ("round", "-5/2", -3),
    ("round", "5/2", 3),
    ("trunc", "-5/2", -2),
    ("abs", "-3", 3),
    ("half_up", "7", 4),
    ("half_up", "-7", -3),
]


@pytest.mark.parametrize(("function", "argument", "value"), ROUNDINGS)
def test_roundings(function: str, argument: str, value: int) -> None:
    """Functions of a constant."""
    ratio = Fraction(argument)
    top: Node = Const(abs(ratio.numerator))
    node = BinOp("/", Neg(top) if ratio < 0 else top, Const(ratio.denominator))
    assert answer(Call(function, (node,))).dist == {value: Fraction(1)}


def test_a_name_is_one_roll() -> None:
    """x - x is nothing, and a bound roll decides both the test and the branch."""
    let, x = Let("x", pool(1, 6)), Name("x")
    program = Program((let,), (BinOp("-", x, x), IfThen(compare(x, "=", Const(6)), Const(0), x)))
    nothing, branch = answers(program)
    assert nothing.dist == {0: 1}
    assert branch.dist == {face: Fraction(1, 6) for face in range(6)}


def test_given_is_conditional() -> None:
    """3d6 given 16 or more."""
    x = Name("x")
    given = Given(x, compare(x, ">=", Const(16)))
    (outcome,) = answers(Program((Let("x", pool(3, 6)),), (Labelled("high", given),)))
    assert outcome.dist == {16: Fraction(3, 5), 17: Fraction(3, 10), 18: Fraction(1, 10)}


def test_versus() -> None:
    """2d2 against d4."""
    outcome = answer(Versus(pool(2, 2), pool(1, 4)))
    assert outcome.kind == "contest"
    assert outcome.dist == {"win": Fraction(1, 2), "tie": Fraction(1, 4), "lose": Fraction(1, 4)}


X = Name("x")
TEXTS: list[tuple[str, str, Spec]] = [
    ("4d6 kh3 >= 15", "4d6kh3>=15", compare(pool(4, 6, Keep("kh", 3)), ">=", Const(15))),
    ("(2d6!) >= 10", "(2d6!)>=10", compare(pool(2, 6, Explode()), ">=", Const(10))),
    ("d6 r1 r2", "d6r1r2", pool(1, 6, Reroll((face_is(1), face_is(2))))),
    ("d6 r even kh1", "d6r even kh1", pool(1, 6, Reroll((cond("even"),)), KH1)),
    ("2d6!>=5 kh1", "2d6!>=5kh1", pool(2, 6, Explode("!", cond(">=", 5)), KH1)),
    ("d6!max2", "d6!max2", pool(1, 6, Explode("!", limit=2))),
    ("4d6 highest set", "4d6 highest set", pool(4, 6, reading="highest set")),
    (
        "(1 + 2) * d6 - -d4",
        "(1+2)*d6- -d4",
        BinOp("-", BinOp("*", BinOp("+", Const(1), Const(2)), pool(1, 6)), Neg(pool(1, 4))),
    ),
    ("(2)d6", "(2)d6", on(Dice(Const(2), numbered(6)))),
    ("{d4, 2d6} kl1", "{d4, 2d6}kl1", on(Mixed((pool(1, 4), pool(2, 6))), Keep("kl", 1))),
    (
        "{2d4 + d6} kh2",
        "{2d4+d6}kh2",
        on(Flat((Dice(2, numbered(4)), Dice(1, numbered(6)))), Keep("kh", 2)),
    ),
    ("2x(2d4 kh1) kh1", "2x(2d4kh1)kh1", on(Repeat(2, pool(2, 4, KH1)), KH1)),
    (
        "6d10 c>=8!>=9",
        "6d10c>=8!>=9",
        Count(pool(6, 10, Explode("!", cond(">=", 9))), (at_least(8),), written_after=0),
    ),
    (
        "3d10 c8+ x10 x9:3 -c1 floor0",
        "3d10c8+x10x9:3-c1floor0",
        Count(
            pool(3, 10),
            (Term(cond("plus", 8), ((10, 2), (9, 3))), Term(face_is(1), minus=True)),
            floor0=True,
        ),
    ),
    (
        "let x = d6; x given x > 2",
        "let x = d6; x given x>2",
        Program((Let("x", pool(1, 6)),), (Given(X, compare(X, ">", Const(2))),)),
    ),
    ("2d6 + 1 vs d12", "2d6+1 vs d12", Versus(BinOp("+", pool(2, 6), Const(1)), pool(1, 12))),
    ("(2d6) != 7", "(2d6)!=7", compare(pool(2, 6), "!=", Const(7))),
]


@pytest.mark.parametrize(("spaced", "compact", "spec"), TEXTS, ids=[row[0] for row in TEXTS])
def test_text(spaced: str, compact: str, spec: Spec) -> None:
    """Both styles of notation."""
    assert text(spec) == spaced
    assert text(spec, spaced=False) == compact


def test_errors_are_not_swallowed() -> None:
    """What cannot be walked says so."""
    endless = Reroll((cond(">=", 1),), until=True)
    for spec in (pool(1, 6, endless), pool(3, 6, Keep("mid", 2)), on(Dice(Neg(Const(1)), COIN))):
        with pytest.raises(ValueError, match=r"rolled again|mid|dice"):
            answer(spec)
