"""The engine against the enumerator, one production of the notation at a time."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from oddsmith import OpenDist, odds
from oddsmith.errors import OddsmithError, TooLarge

from . import strategies as some
from .enumerate import Outcome, answers, number
from .notation import text
from .spec import (
    ARTILLERY,
    D66,
    PERCENT,
    SCATTER,
    SIDES_66,
    Advantage,
    And,
    BinOp,
    Clamp,
    Compare,
    Const,
    Count,
    Dice,
    Explode,
    Given,
    Keep,
    Let,
    Mixed,
    Name,
    Neg,
    Node,
    Pool,
    Program,
    Reroll,
    Spec,
    Term,
    Versus,
    Word,
    compare,
    cond,
    face_is,
    listed,
    numbered,
)

DEPTH = 6


def quick(examples: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The settings of every property here: the same examples each time."""
    health = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=health,
    )


SPACED = st.booleans()


# ---------------------------------------------------------------------------------------------
# Comparing answers
# ---------------------------------------------------------------------------------------------


def agree(spec: Spec, spaced: bool = True, depth: int = DEPTH) -> None:
    """The engine reads the text of the specification and gives the walked answers."""
    same(text(spec, spaced), spec, depth)


def same(written: str, spec: Spec, depth: int = DEPTH) -> None:
    """The engine's answers to the text are those of the specification."""
    expected = answers(spec, depth)
    if any(outcome.missing == 1 for outcome in expected):
        assert _refused(written) or depth < DEPTH, written
        return
    found = _engine(written)
    assert len(found) == len(expected), written
    for one, outcome in zip(found, expected, strict=True):
        assert one.kind == outcome.kind, written
        CHECKS[outcome.kind](written, one, outcome)


REASONS = ("no closed form", "the two sides of given are different rolls")
"""Refusals that random texts may meet; they have tests of their own."""


def _refused(written: str) -> bool:
    """Whether the engine sees that the dice would roll on for ever."""
    try:
        odds(written)
    except OddsmithError:
        return True
    return False


def _engine(written: str) -> list[Any]:
    """The engine's answers; a refusal fails the test and shows the text."""
    try:
        return list(odds(written))
    except OddsmithError as error:
        assume(not isinstance(error, TooLarge) and not any(r in str(error) for r in REASONS))
        raise AssertionError(f"{written!r} was refused: {error}") from error


def _probability(written: str, found: Any, outcome: Outcome) -> None:
    assert meet(outcome.chance(True), (found.low, found.high)), f"{written}: {found.low}"


def _contest(written: str, found: Any, outcome: Outcome) -> None:
    for word, side in zip(("win", "tie", "lose"), found.contest, strict=True):
        assert meet(outcome.chance(word), (side.low, side.high)), f"{written}: {word}"
    assert sum(side.low for side in found.contest) <= 1, written
    assert sum(side.high for side in found.contest) >= 1, written


def _distribution(written: str, found: Any, outcome: Outcome) -> None:
    if outcome.missing:
        _enclosed(written, found.dist, outcome)
        return
    shown = {value: chance for value, chance in found.dist.items() if chance}
    assert shown == outcome.dist, written
    if all(isinstance(value, int | Fraction) for value in outcome.dist):
        _moments(written, found.dist, outcome)


def _moments(written: str, found: Any, outcome: Outcome) -> None:
    mean = outcome.mean()
    squares = sum((number(v) ** 2 * p for v, p in outcome.dist.items()), Fraction(0))
    assert found.mean == mean, written
    assert found.variance == squares - mean**2, written
    for value in outcome.dist:
        assert found.at_least(value) == outcome.at_least(number(value))[0], written


def _enclosed(written: str, found: Any, outcome: Outcome) -> None:
    values = [number(value) for value in outcome.known]
    top = int(max(values, default=0)) + 2
    for value in {*values, *range(int(min(values, default=0)) - 1, top)}:
        assert meet(outcome.chance(value), found.p(value)), f"{written}: P({value})"
        assert meet(outcome.at_least(value), found.at_least(value)), f"{written}: P(>= {value})"
    walked = sum((number(v) * p for v, p in outcome.known.items()), Fraction(0))
    endless = isinstance(found, OpenDist)
    assert min(values, default=0) < 0 or not endless or found.mean >= walked, f"{written}: mean"


def meet(walked: tuple[Fraction, Fraction], found: Any) -> bool:
    """Whether a chance, or an enclosure of one, lies within the walked ends."""
    low, high = found if isinstance(found, tuple) else (found, found)
    return walked[0] <= high and low <= walked[1]


CHECKS: dict[str, Callable[[str, Any, Outcome], None]] = {
    "probability": _probability,
    "distribution": _distribution,
    "contest": _contest,
}


# ---------------------------------------------------------------------------------------------
# Pools
# ---------------------------------------------------------------------------------------------


@quick(100)
@given(some.pools(some.like_dice(), most=0), SPACED)
def test_plain_pools(spec: Pool, spaced: bool) -> None:
    """Dice of every sort without modifiers."""
    agree(spec, spaced)


@quick(150)
@given(some.finite_pools(), SPACED)
def test_modifiers(spec: Pool, spaced: bool) -> None:
    """Re-rolls, clamps and keeps in any order."""
    agree(spec, spaced)


@quick(150)
@given(some.limited_explosions(), SPACED)
def test_explosions_with_a_limit(spec: Pool, spaced: bool) -> None:
    """Extra dice up to a limit, among other modifiers."""
    agree(spec, spaced)


@quick(100)
@given(some.endless_explosions(), SPACED)
def test_endless_explosions(spec: Pool, spaced: bool) -> None:
    """Extra dice without end, among other modifiers."""
    agree(spec, spaced)


@quick(60)
@given(some.endless_explosions(), st.integers(0, 14))
def test_endless_explosions_meet_thresholds(spec: Pool, bound: int) -> None:
    """`total >= T` is settled by the dice that were walked."""
    agree(compare(spec, ">=", Const(bound)))


@quick(120)
@given(some.read_pools(), SPACED)
def test_readings(spec: Pool, spaced: bool) -> None:
    """Every way to read a pool."""
    agree(spec, spaced)


@quick(60)
@given(
    some.pools(
        some.like_dice(most=2),
        most=1,
        explode=True,
        endless=True,
        readings=("highest", "lowest", "count", "unique", "pairs", "sets"),
    )
)
def test_readings_of_endless_explosions(spec: Pool) -> None:
    """Readings of pools without a largest size."""
    agree(spec)


@quick(80)
@given(
    some.pools(some.mixed_pools(), most=2, readings=("", "", "highest", "lowest", "sets")), SPACED
)
def test_mixed_pools(spec: Pool, spaced: bool) -> None:
    """{d4, 2d6}"""
    agree(spec, spaced)


@quick(80)
@given(some.pools(some.flat_pools(), most=2, readings=("", "", "median", "pairs")), SPACED)
def test_flat_pools(spec: Pool, spaced: bool) -> None:
    """{2d4+d6}"""
    agree(spec, spaced)


@quick(60)
@given(some.pools(some.mixed_pools() | some.flat_pools(), explode=True, most=2))
def test_unlike_dice_explode_on_their_own_faces(spec: Pool) -> None:
    """{d4, d6}!max1"""
    agree(spec)


@quick(60)
@given(some.pools(some.repeats(), most=2, readings=("sum", "highest", "lowest", "unique")), SPACED)
def test_repeated_pools(spec: Pool, spaced: bool) -> None:
    """2x(2d4kh1), read as a pool."""
    agree(spec, spaced)


@quick(80)
@given(some.pools(some.random_counts(), most=2, readings=("", "", "count", "sets")), SPACED)
def test_random_numbers_of_dice(spec: Pool, spaced: bool) -> None:
    """(d3)d4"""
    agree(spec, spaced)


@quick(30)
@given(some.advantages())
def test_advantage(source: Advantage) -> None:
    """d6 adv"""
    agree(Pool(source))


# ---------------------------------------------------------------------------------------------
# Counts
# ---------------------------------------------------------------------------------------------


@quick(150)
@given(some.finite_counts(), SPACED)
def test_counts(spec: Count, spaced: bool) -> None:
    """c, multiples, botches and floors, with modifiers on both sides."""
    agree(spec, spaced)


@quick(80)
@given(some.endless_counts(), SPACED)
def test_counts_of_endless_explosions(spec: Count, spaced: bool) -> None:
    """Counts on dice that explode without end."""
    agree(spec, spaced)


# ---------------------------------------------------------------------------------------------
# Expressions, questions and programs
# ---------------------------------------------------------------------------------------------


@quick(120)
@given(some.arithmetic(4), SPACED)
def test_arithmetic(spec: Node, spaced: bool) -> None:
    """Operators, precedence, functions."""
    agree(spec, spaced)


@quick(120)
@given(some.comparisons(), SPACED)
def test_comparisons(spec: Node, spaced: bool) -> None:
    """Comparisons, chains, membership."""
    agree(spec, spaced)


@quick(100)
@given(some.logic(), SPACED)
def test_logic(spec: Node, spaced: bool) -> None:
    """and, or, not over independent rolls."""
    agree(spec, spaced)


@quick(80)
@given(some.choices(), SPACED)
def test_choices(spec: Node, spaced: bool) -> None:
    """if then else"""
    agree(spec, spaced)


@quick(80)
@given(some.contests(), SPACED)
def test_contests(spec: Versus, spaced: bool) -> None:
    """a vs b"""
    agree(spec, spaced)


@quick(60)
@given(st.builds(Versus, some.endless_explosions(), some.arithmetic(1)))
def test_contests_of_endless_explosions(spec: Versus) -> None:
    """An open-ended total against a finite one."""
    agree(spec)


@pytest.mark.parametrize("shape", ["sum", "truth", "if", "given", "count"])
def test_names_are_one_roll(shape: str) -> None:
    """let, and what can be done with the names."""

    @quick(60)
    @given(some.programs(shape), SPACED)
    def check(spec: Program, spaced: bool) -> None:
        agree(spec, spaced)

    check()


@quick(40)
@given(some.result_lists(), SPACED)
def test_several_results(spec: Program, spaced: bool) -> None:
    """A list of results with labels."""
    agree(spec, spaced)


# ---------------------------------------------------------------------------------------------
# Single cases
# ---------------------------------------------------------------------------------------------


def _d6(count: int, *steps: Reroll | Clamp | Explode | Keep) -> Pool:
    return Pool(Dice(count, numbered(6)), steps)


X = Name("x")
TEXT_FACES = listed(2, ("Misfire", 2))
CASES: dict[str, Spec] = {
    "percentile die": Pool(Dice(1, PERCENT)),
    "tens and ones": Pool(Dice(1, D66)),
    "die of 66 sides": Pool(Dice(1, SIDES_66)),
    "no dice": _d6(0),
    "a written-out number of dice": Pool(Dice(BinOp("+", Const(1), Const(2)), numbered(4))),
    "a written-out keep": _d6(3, Keep("kh", BinOp("+", Const(1), Const(1)))),
    "a written-out bound": _d6(1, Clamp("min", BinOp("*", Const(2), Const(2)))),
    "a constant": BinOp("/", Const(7), Const(2)),
    "text faces": Pool(Dice(1, ARTILLERY)),
    "own text faces": compare(Pool(Dice(1, TEXT_FACES)), "=", Word("Misfire")),
    "a misfire": compare(Pool(Dice(1, ARTILLERY)), "=", Word("Misfire")),
    "no misfire": compare(Pool(Dice(1, ARTILLERY)), "<>", Word("Misfire")),
    "a hit": compare(Pool(Dice(1, SCATTER)), "=", Word("Hit")),
    "a number on a text die": compare(Pool(Dice(1, ARTILLERY)), "=", Const(10)),
    "a bound text face": Program(
        (Let("x", Pool(Dice(1, ARTILLERY))),), (compare(X, "=", Word("Misfire")),)
    ),
    "minus binds looser than dice": BinOp("+", Neg(_d6(3)), Const(4)),
    "minus and keep": Neg(_d6(3, Keep("kh", 2))),
    "every face re-rolled once": _d6(1, Reroll((cond(">=", 1),))),
    "every face explodes, with a limit": _d6(2, Explode("!", cond(">=", 1), limit=1)),
    "compounding with a limit": _d6(2, Explode("!!", limit=1), Keep("kh", 1)),
    "penetrating with a limit": _d6(2, Explode("!p", limit=2)),
    "extra dice re-roll too": _d6(1, Reroll((face_is(1),)), Explode()),
    "extra dice are clamped too": _d6(1, Clamp("min", 3), Explode()),
    "re-rolls after an explosion are bare": _d6(1, Explode(), Reroll((cond("even"),))),
    "keep then explode": _d6(3, Keep("kh", 2), Explode()),
    "explode then keep": _d6(3, Explode(limit=1), Keep("kh", 2)),
    "keep from exploded dice": _d6(2, Explode(limit=1), Keep("kh", 3)),
    "re-roll after keep": _d6(3, Keep("kh", 2), Reroll((cond("<=", 2),))),
    "endless member of a mixed pool": Pool(Mixed((_d6(1, Explode()), _d6(1))), (Keep("kh", 1),)),
    "successes or a given roll": And(
        compare(Count(_d6(3), (Term(cond("plus", 5)),)), ">=", Const(2)),
        compare(_d6(1), "!=", Const(1)),
    ),
    "given an endless roll": Program(
        (Let("x", _d6(1, Explode())),), (Given(X, compare(X, ">=", Const(8))),)
    ),
    "a chain on one name": Program(
        (Let("x", _d6(2)),), (Compare((Const(4), X, Const(7)), ("<=", "<")),)
    ),
    "random keep": Program((Let("x", Pool(Dice(1, numbered(3)))),), (_d6(3, Keep("kh", X)),)),
    "random threshold": Program(
        (Let("x", Pool(Dice(1, numbered(4)))),), (Count(_d6(2), (Term(cond(">=", X)),)),)
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_single_cases(name: str) -> None:
    """Corners worth a name of their own."""
    agree(CASES[name], depth=6)


ALIASES: dict[str, Spec] = {
    "4d6k3": _d6(4, Keep("kh", 3)),
    "4d6 keep highest 3": _d6(4, Keep("kh", 3)),
    "4d6 drop lowest 1": _d6(4, Keep("dl", 1)),
    "2d6ro1": _d6(2, Reroll((face_is(1),))),
    "2d6 reroll 1s once": _d6(2, Reroll((face_is(1),))),
    "2d6 reroll 1s until ok": _d6(2, Reroll((face_is(1),), until=True)),
    "2d6mi2": _d6(2, Clamp("min", 2)),
    "2d6ma5": _d6(2, Clamp("max", 5)),
    "d6e6": _d6(1, Explode("!", face_is(6))),
    "d6 explode": _d6(1, Explode()),
    "d6 advantage": Pool(Advantage(numbered(6))),
    "3d6t>=5": Count(_d6(3), (Term(cond(">=", 5)),)),
    "3d6cs5+f1": Count(_d6(3), (Term(cond("plus", 5)), Term(face_is(1), minus=True))),
    "3D6 KH2 \u2265 9": compare(_d6(3, Keep("kh", 2)), ">=", Const(9)),
    "2d6 \u00d7 2 \u2212 1": BinOp("-", BinOp("*", _d6(2), Const(2)), Const(1)),
    "2d6 # the usual": _d6(2),
    "let x = d6  # one roll\nx + x": Program((Let("x", _d6(1)),), (BinOp("+", X, X),)),
    "2d6 = 7": compare(_d6(2), "=", Const(7)),
    "2d6>=9": compare(_d6(2), ">=", Const(9)),
    "3d6c5+ >= 2": compare(Count(_d6(3), (Term(cond("plus", 5)),)), ">=", Const(2)),
    "4d6kh3+2": BinOp("+", _d6(4, Keep("kh", 3)), Const(2)),
    "d6 adv + 2": BinOp("+", Pool(Advantage(numbered(6))), Const(2)),
}


@pytest.mark.parametrize("written", ALIASES)
def test_aliases(written: str) -> None:
    """Other spellings of the same thing."""
    same(written, ALIASES[written], depth=6)


ENDLESS_MEANS = {
    "3d6!": "63/5",
    "5d10!": "275/9",
    "5d10!>=9c>=8": "15/8",
    "6d10c>=8!>=9": "9/4",
    "5d6!!": "21",
    "d6!p": "4",
    "d6r1!": "141/29",
    "d6rr1!": "5",
    "2d4!": "20/3",
    "d6!c>=4": "3/5",
    "2d6!kh1": "161/36",
    "2d6!!kh1": "203/35",
    "2d6kh1!": "259/45",
    "8d4kh4!": "61285/3072",
    "8d4!kh4": "3669821/262144",
    "6d6dh2!": "319493/29160",
    "6d6dl2!": "628153/29160",
    "6d6dh1dl1!": "16639/1080",
}


@pytest.mark.parametrize("written", ENDLESS_MEANS)
def test_means_of_endless_explosions(written: str) -> None:
    """Closed forms that no finite walk can reach."""
    (found,) = _engine(written)
    assert found.dist.mean == Fraction(ENDLESS_MEANS[written])


REFUSED = [
    "",
    "3d",
    "d6 d8",
    "2d4d6",
    "d0",
    "4d6kh9",
    "4d6mid3",
    "4d6r1kh3r2",
    "d6rr<=6",
    "d2rr1rr2",
    "d6!>=1",
    "d1!",
    "{d4, d6}kh1!",
    "{d4, d6}kh1r1",
    "(d3 - 2)d6",
    "(5/2)d20",
    "1/0",
    "6/(d6 - 1)",
    "artillery + 1",
    "3d6 given 3d6 >= 8",
    "d6!=6",
]


@pytest.mark.parametrize("written", REFUSED)
def test_refused(written: str) -> None:
    """What the notation calls an error is one."""
    with pytest.raises(OddsmithError):
        odds(written)
