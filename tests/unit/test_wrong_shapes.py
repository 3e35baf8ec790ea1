"""What is not of the shape a function takes: an error of the library, never one of Python."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from oddsmith import (
    Deck,
    Dist,
    OpenDist,
    Pool,
    Process,
    again,
    chain,
    d,
    d6,
    folds,
    joint,
    measures,
    mix,
    rule,
)
from oddsmith.dice import digits
from oddsmith.enclosed import Enclosed, enclose
from oddsmith.errors import (
    ImpossibleEvent,
    NeverEnds,
    OddsmithError,
    OutcomeError,
    RuleError,
    TooLarge,
)
from oddsmith.mechanics import allocation, battle, checks, choices, explode, ladder, modify
from oddsmith.mechanics import contest as contests
from oddsmith.mechanics import reroll as rerolls
from oddsmith.mechanics import sets as readings
from oddsmith.mechanics.match import Match
from oddsmith.mechanics.successes import push, push_if, successes
from oddsmith.mechanics.symbols import Symbols, vector_sum
from oddsmith.mechanics.throw import Throw
from oddsmith.mechanics.waiting import Waiting
from oddsmith.open_dist import repeated
from oddsmith.open_pool import OpenPool, geometric
from oddsmith.table import tabulate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Thing:
    """Something of which no outcome can be made."""


THING = Thing()
JUNK: list[Any] = [
    None,
    1.5,
    float("nan"),
    1j,
    THING,
    Thing,
    [[1, 2]],
    [None],
    {1: "a"},
    {1: [2]},
    {None: 1},
    lambda: 1,
]


def ended(step: Any) -> Any:
    return Process(0, step, end=lambda state: state != 0).endings()


TAKERS: dict[str, Callable[[Any], Any]] = {
    "Dist": Dist,
    "mix": mix,
    "a part of mix": lambda junk: mix([(junk, 1)]),
    "a weight of mix": lambda junk: mix([(d6, junk)]),
    "mix with an open-ended die": lambda junk: mix([(chain(d6, {6}), 1), (junk, 1)]),
    "Pool": Pool,
    "Pool.of": lambda junk: Pool.of(junk, 2),
    "the size of a pool": d6.pool,
    "Deck": Deck,
    "the size of a hand": Deck("AAB").deal,
    "what a card is worth": lambda junk: Deck("AAB").deal(2).total(lambda card: junk),
    "joint": joint,
    "the start of a process": lambda junk: Process(junk, lambda state: state),
    "the step of a process": lambda junk: ended(lambda state: junk),
    "the worth of a state": lambda junk: Process(1, lambda n: n - 1, end=lambda n: n == 0)
    .mean_total(lambda n: junk),
    "what a rule makes": lambda junk: rule(lambda face: junk)(d6),
    "what a roll is mapped to": lambda junk: d6.pool(2).map(lambda roll: junk),
    "a die that goes on": lambda junk: chain(junk, {6}),
    "faces that go on": lambda junk: chain(d6, junk),
    "how many open-ended dice": lambda junk: chain(d6, {6}).times(junk),
    "contest": lambda junk: contests.contest(junk, d6),
    "best_of": lambda junk: contests.best_of(d6, junk),
    "paired": lambda junk: contests.paired(d6.pool(2), junk),
    "above_all": lambda junk: contests.above_all(junk, d6.pool(2)),
    "cancelled": lambda junk: contests.cancelled(d6.pool(2), junk),
}  # fmt: skip

FITTING = {
    ("faces that go on", repr({1: "a"})),
    ("faces that go on", repr({1: [2]})),
    ("mix", repr([[1, 2]])),
}
"""The keys of a dict are faces; a pair may be a list."""


@pytest.mark.parametrize("taker", TAKERS)
@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: f"{type(junk).__name__} {junk!r:.12}")
def test_junk(taker: str, junk: Any) -> None:
    if (taker, repr(junk)) in FITTING:
        assert TAKERS[taker](junk) is not None
        return
    with pytest.raises(OddsmithError) as caught:
        TAKERS[taker](junk)
    assert caught.value.message


def test_a_mixture_says_what_to_write() -> None:
    hint = r"write for example mix\(\[\(d6, 1\), \(0, 1\)\]\) for equal weights"
    for junk in ([d6, 0], [1, 2], "ab", [(1, 2, 3)], [("a",)]):
        with pytest.raises(OutcomeError, match=hint) as caught:
            mix(junk)
        assert "a mixture is made of pairs of (distribution or outcome, weight)" in str(
            caught.value
        )
    with pytest.raises(OutcomeError, match="5 is not pairs of"):
        mix(5)
    for weight in (-1, None, "", [], 0.5, d6):
        with pytest.raises(OutcomeError, match="is not a whole number or fraction above 0"):
            mix([(d6, 1), (0, weight)])
    with pytest.raises(ImpossibleEvent):
        mix([])


def test_pairs_in_lists_are_pairs() -> None:
    assert mix([["a", 1], ("b", 2)]) == mix({"a": 1, "b": 2}) == Dist("abb")


def test_a_single_number_is_no_list() -> None:
    with pytest.raises(OutcomeError, match=r"6 is not a mapping .*: write for example Dist\("):
        Dist(6)
    with pytest.raises(OutcomeError, match=r"6 is not dice one by one: .* Pool\(\[d6, d8\]\)"):
        Pool(6)
    for mapping in (d6, {d6: 2}):
        with pytest.raises(OutcomeError, match=r"is not dice one by one: .* Pool\(\[d6, d6, d8\]"):
            Pool(mapping)
    with pytest.raises(OutcomeError, match=r"52 is not a mapping from cards .* Deck\("):
        Deck(52)
    with pytest.raises(OutcomeError, match=r"6 is not faces one by one: write for example \{6\}"):
        chain(d6, 6)


@pytest.mark.parametrize("junk", [None, 3, "x", d6])
def test_a_process_is_made_of_functions(junk: Any) -> None:
    with pytest.raises(RuleError, match=r"step is .*, which is not a function: write"):
        Process(1, junk)
    if junk is not None:
        with pytest.raises(RuleError, match=r"end is .*, which is not a function: write"):
            Process(1, lambda state: 0, end=junk)


OPEN: Any = chain(d6, {6})
SPARSE: Any = Dist([0, 1, 10**9])
PAIR = joint(d6, d6)
HAND = Deck("AAB").deal(2)
RANKED = Deck([1, 2, 3]).deal(2)
THROW: Any = Throw.of([(d6, 3)])
UNIT = allocation.Unit((allocation.Models(2, 3),))

WHOLE: dict[str, Callable[[Any], Any]] = {
    "the first rank": lambda junk: d6.pool(2).window(junk, 2),
    "the last rank": lambda junk: RANKED.window(0, junk),
    "the last rank of open-ended dice": lambda junk: OPEN.pool(2).window(0, junk),
    "sets of at least": d6.pool(2).sets,
    "matches of at least": d6.pool(2).matches,
    "matching cards of at least": HAND.matches,
    "a sum of sets of at least": d6.pool(2).set_sum,
    "places of a margin": PAIR.margin,
    "two places of a margin": lambda junk: PAIR.margin(0, junk),
    "a place of a covariance": lambda junk: measures.covariance(PAIR, 0, junk),
    "sides": d,
    "digits": digits,
    "a depth": lambda junk: rule(depth=-1 if junk is None else junk)(abs),
    "the depth of an enclosure": lambda junk: enclose(OPEN, junk),
    "attackers": lambda junk: battle.exchange(junk, 2),
    "defenders of a battle": lambda junk: battle.battle(2, junk),
    "one of the most": lambda junk: battle.exchange(2, 2, most=(3, junk)),
    "dice of a tally": lambda junk: checks.tally(d6, junk),
    "the lowest": lambda junk: choices.reroll_lowest(d6.pool(2), junk),
    "re-rolls left": lambda junk: choices.best_reroll(d6.pool(1), sum).keep((1,), junk),
    "extra dice": lambda junk: explode.explode(THROW, limit=-1 if junk is None else junk),
    "dice kept of a throw": lambda junk: THROW.keep("kh", junk),
    "dice of a throw": lambda junk: Throw.of([(d6, junk)]),
    "steps": lambda junk: ladder.step(6, junk),
    "states": lambda junk: Waiting.of(Dist([0]), junk),
}

NUMBERS: dict[str, Callable[[Any], Any]] = {
    "at_least": d6.at_least,
    "at_least of a table": SPARSE.at_least,
    "at_most": d6.at_most,
    "more_than": d6.more_than,
    "less_than": SPARSE.less_than,
    "between": lambda junk: d6.between(1, junk),
    "weights": lambda junk: d6.weights(low=0.5 if junk is None else junk),
    "truncate": lambda junk: SPARSE.truncate(high=0.5 if junk is None else junk),
    "clamp": lambda junk: d6.clamp(low=0.5 if junk is None else junk),
    "open clamp": lambda junk: OPEN.clamp(high=0.5 if junk is None else junk),
    "about": lambda junk: d6.moment(2, about=junk),
    "quantile": d6.quantile,
    "open at_least": OPEN.at_least,
    "open more_than": OPEN.more_than,
    "open rows": lambda junk: OPEN.rows(1, junk),
    "open about": lambda junk: OPEN.moment(2, about=junk),
    "open quantile": OPEN.quantile,
    "open eq": OPEN.eq,
    "enclosed at_least": Enclosed(d6, Fraction(1, 2), beyond=7).at_least,
    "enclosed more_than": Enclosed(d6, Fraction(1, 2), beyond=7).more_than,
    "mass": lambda junk: Enclosed(d6, junk),
    "a chance to go on": lambda junk: repeated(Dist([1]), junk),
    "a geometric chance": lambda junk: geometric(junk, 1),
    "nearest": lambda junk: measures.nearest(d6, junk),
    "a base": lambda junk: measures.entropy(d6, junk),
    "a running total": lambda junk: measures.from_cumulative({1: junk}),
    "a chance to keep": lambda junk: allocation.shrugged(2, junk),
    "a chance to fail": lambda junk: allocation.saved(d6, junk),
    "a target": lambda junk: successes(d6.pool(2), junk),
    "the target of a check": lambda junk: checks.chance(d6, checks.Check(junk)),
    "an added modifier": lambda junk: checks.chance(
        d6, checks.Check(3, checks.Modifiers(add=junk))
    ),
    "less": lambda junk: explode.explode(THROW, less=junk),
}  # fmt: skip


@pytest.mark.parametrize("taker", [*WHOLE, *NUMBERS])
@pytest.mark.parametrize("junk", [None, "abc", 1j, THING, [1], (), {}, lambda: 1, Dist("ab")])
def test_no_number(taker: str, junk: Any) -> None:
    with pytest.raises(OddsmithError) as caught:
        (WHOLE | NUMBERS)[taker](junk)
    assert caught.value.message


@pytest.mark.parametrize("taker", WHOLE)
@pytest.mark.parametrize("junk", [0.5, Fraction(1, 2), float("nan")])
def test_no_whole_number(taker: str, junk: Any) -> None:
    with pytest.raises(OddsmithError, match=r"whole|cannot|sides"):
        WHOLE[taker](junk)


def test_the_message_for_a_number() -> None:
    with pytest.raises(OutcomeError, match="a share is a number, not 'abc': write a whole one"):
        d6.quantile("abc")  # type: ignore[arg-type]
    with pytest.raises(OutcomeError, match="a depth must be whole and 0 or more, not -1"):
        rule(depth=-1)(abs)
    with pytest.raises(OutcomeError, match=r"a die has a whole number of sides, not \[1\]"):
        d([1])  # type: ignore[arg-type]
    with pytest.raises(OutcomeError, match=r"the outcome 1 has no place 0: places count from 0"):
        d6.margin(0)
    with pytest.raises(OutcomeError, match=r"0\.5 is a float, which is not exact"):
        d6.at_least(0.5)  # type: ignore[arg-type]
    for junk in (None, 0.5, [None]):
        with pytest.raises(OutcomeError):
            Enclosed(d6, Fraction(1, 2), beyond=7).p(junk)


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "map": d6.map,
    "then": d6.then,
    "combine": lambda junk: d6.combine(d6, junk),
    "each": d6.pool(2).each,
    "total": d6.pool(2).total,
    "total of kept dice": d6.pool(2).keep_highest().total,
    "total of cards": HAND.total,
    "map of a pool": d6.pool(2).map,
    "map of a deck": Deck("AB").map,
    "a step": lambda junk: d6.pool(2).fold(junk, 0),
    "the end of a fold": lambda junk: d6.pool(2).fold(
        lambda state, face, count: 0, 0, final=3 if junk is None else junk  # type: ignore[arg-type]
    ),
    "a step of a deal": lambda junk: Deck("AAB").deals(1, 1).fold(junk, 0),
    "a worth": lambda junk: folds.total(d6.pool(2), junk),
    "a rule": lambda junk: rule(3 if junk is None else junk),
    "a reward": Process(1, lambda n: n - 1, end=lambda n: n == 0).mean_total,
    "a key": lambda junk: measures.group_by(d6, junk),
    "what combines enclosed ones": lambda junk: Enclosed(d6).combine(d6, junk),
    "a cell": lambda junk: tabulate("a", ("b", [1]), ("c", [2]), junk),
    "points": lambda junk: allocation.allocate(UNIT, Dist([0]), Dist([1]), junk),
    "a score": lambda junk: choices.best_reroll(d6.pool(2), junk),
    "a reading": lambda junk: push_if(d6.pool(2), lambda roll: True, {6}, junk),  # type: ignore[arg-type]
    "a reading of a throw": THROW.read,
    "a match": lambda junk: rerolls.reroll(THROW, junk),
    "a match that explodes": lambda junk: explode.explode(THROW, 3 if junk is None else junk),
}  # fmt: skip


@pytest.mark.parametrize("taker", FUNCTIONS)
@pytest.mark.parametrize("junk", [None, "abc", 3, 0.5, [1], d6], ids=repr)
def test_no_function(taker: str, junk: Any) -> None:
    with pytest.raises(RuleError, match="which is not a function"):
        FUNCTIONS[taker](junk)


def test_a_function_of_another_number_of_arguments() -> None:
    hint = "write for example lambda state, face, count"
    with pytest.raises(RuleError, match=f"step is called with 3 arguments, not with 2: {hint}"):
        d6.pool(2).fold(lambda state, face: 0, 0)  # type: ignore[misc, arg-type]
    with pytest.raises(RuleError, match="step is called with 4 arguments, not with 3"):
        folds.fold([d6.pool(1), d6.pool(1)], lambda state, face, count: 0, 0)
    with pytest.raises(RuleError, match="step is called with 4 arguments, not with 3"):
        Deck("AAB").deals(1, 1).fold(lambda state, face, count: 0, 0)
    with pytest.raises(RuleError, match="an event is called with 1 arguments, not with 2"):
        d6.p(lambda a, b: True)
    with pytest.raises(RuleError, match="step is called with 1 arguments, not with 0"):
        Process(1, lambda: 1)  # type: ignore[misc, arg-type]
    assert d6.map(lambda face, more=1: face + more).low == 2
    assert d6.pool(1).fold(lambda *_: 0, 0) == Dist([0])
    assert Dist([1, -1]).map(abs) == Dist([1])


EVENTS: dict[str, Callable[[Any], Any]] = {
    "indicator": d6.indicator,
    "given": d6.given,
    "count": lambda event: d6.pool(1).count(event),
    "count of kept dice": lambda event: d6.pool(1).keep_highest().count(event),
    "counts": lambda event: d6.pool(1).counts(event),
    "tally": lambda event: checks.tally(d6, 1, event),
}


@pytest.mark.parametrize("taker", EVENTS)
def test_events_are_outcomes_sets_or_functions(taker: str) -> None:
    taken = EVENTS[taker]
    assert taken({5, 6}) == taken(range(5, 10**12)) == taken(lambda face: face >= 5)
    assert taken(6) == taken([6]) == taken(lambda face: face == 6)
    for junk in (None, 0.5, {None}, THING):
        with pytest.raises(OutcomeError):
            taken(junk)


def test_events_by_hand() -> None:
    assert d6.given({5, 6}) == Dist([5, 6])
    assert d6.pool(2).count(6).p(2) == Fraction(1, 36)
    assert Deck("AAB").deal(2).count("A").p(2) == Fraction(1, 3)
    assert d6.p(range(5, 10**12)) == Fraction(1, 3)
    assert push(d6.pool(1), {1, 6}).count(6).p(1) == Fraction(5, 18)


UNHASHABLE: dict[str, Callable[[Any], Any]] = {
    "the start of a fold": lambda junk: d6.pool(2).fold(lambda s, f, n: 0, junk),
    "a state of a fold": lambda junk: d6.pool(2).fold(lambda s, f, n: junk, 0),
    "a later state": lambda junk: d6.pool(2).fold(lambda s, f, n: junk if f == 4 else 0, 0),
    "the end of a fold": lambda junk: d6.pool(2).fold(lambda s, f, n: 0, 0, lambda s: junk),
    "what is made of two": lambda junk: d6.combine(d6, lambda a, b: junk),
    "a face to find": d6.pool(2).contains_all,
    "one of the faces to find": lambda junk: d6.pool(2).contains_any(1, junk),
    "a state of a process": lambda junk: Process(0, lambda state: junk),
}


@pytest.mark.parametrize("taker", UNHASHABLE)
@pytest.mark.parametrize("junk", [[1], {}, {1}], ids=repr)
def test_what_is_told_from_nothing(taker: str, junk: Any) -> None:
    with pytest.raises(OutcomeError) as caught:
        UNHASHABLE[taker](junk)
    assert "tuple" in caught.value.hint


def test_errors_of_ones_own_functions_pass() -> None:
    for wrong in (
        lambda: d6.pool(2).fold(lambda state, face, count: state + "x", 0),
        lambda: d6.combine(d6, lambda a, b: a + "x"),
        lambda: d6.map(lambda face: face + "x"),
    ):
        with pytest.raises(TypeError, match="unsupported operand"):
            wrong()
    with pytest.raises(ZeroDivisionError):
        d6.pool(2).fold(lambda state, face, count: 1 // 0, 0)


POOLS: dict[str, Callable[[Any], Any]] = {
    "weighted": lambda junk: folds.weighted(junk, [1, 1]),
    "matched": lambda junk: folds.matched(junk, d6.pool(2)),
    "leading": lambda junk: folds.leading(d6.pool(2), junk),
    "most_pairs": lambda junk: folds.most_pairs(junk, d6.pool(2)),
    "the sum of two pools": lambda junk: d6.pool(2) + junk,
    "reroll_lowest": lambda junk: choices.reroll_lowest(junk, 1),
    "best_reroll": lambda junk: choices.best_reroll(junk, sum),
    "successes": lambda junk: successes(junk, 5),
    "push": lambda junk: push(junk, {6}),  # type: ignore[arg-type]
    "push_if": lambda junk: push_if(junk, lambda roll: True, {6}, len),  # type: ignore[arg-type]
    "explode": explode.explode,
    "compound": explode.compound,
    "clamp": modify.clamp,
    "a re-roll": lambda junk: rerolls.reroll(junk, Match(low=5)),
    "sets": readings.sets,
    "unique": readings.unique,
    "longest_run": readings.longest_run,
    "pairs": readings.pairs,
    "largest_set": readings.largest_set,
    "joined": THROW.joined,
    "a check": lambda junk: checks.chance(d6, junk),
    "a check with faces": lambda junk: checks.resolve(d6, junk),
    "a re-roll of a check": lambda junk: checks.chance(d6, checks.Check(3), junk),
    "a unit": lambda junk: allocation.spill(junk, Dist([0]), d6),
}


@pytest.mark.parametrize("taker", POOLS)
@pytest.mark.parametrize("junk", [None, "abc", 3, 0.5, [], d6, Deck("AB")], ids=repr)
def test_no_pool_and_no_throw(taker: str, junk: Any) -> None:
    with pytest.raises(RuleError) as caught:
        POOLS[taker](junk)
    assert caught.value.hint or "like dice" in caught.value.message


DICE: dict[str, Callable[[Any], Any]] = {
    "combine": lambda junk: d6.combine(junk, max),
    "the die of a battle": lambda junk: battle.exchange(2, 2, junk),
    "a trait die": ladder.wild,
    "a check": lambda junk: checks.chance(junk, checks.Check(3)),
    "a tally": lambda junk: checks.tally(junk, 1, lambda face: True),
    "shrugged": lambda junk: allocation.shrugged(junk, Fraction(1, 2)),
    "wounds": lambda junk: allocation.allocate(UNIT, Dist([0]), junk, lambda group: d6),
    "a spill": lambda junk: allocation.spill(UNIT, junk, d6),
    "states": lambda junk: Waiting.of(junk, 2),
    "skewness": measures.skewness,
    "kurtosis": measures.kurtosis,
    "the die of a throw": lambda junk: Throw.of([(junk, 2)]).total(),
}


@pytest.mark.parametrize("taker", DICE)
@pytest.mark.parametrize("junk", [None, 0.5, [1], {}, Deck("AB"), d6.pool(2)], ids=repr)
def test_no_die(taker: str, junk: Any) -> None:
    with pytest.raises(OutcomeError):
        DICE[taker](junk)


PAIRS: dict[str, Callable[[Any], Any]] = {
    "OpenPool": OpenPool,
    "Throw.of": Throw.of,
    "vector_sum": vector_sum,
    "Symbols.roll": Symbols("S").roll,
    "most": lambda junk: battle.exchange(2, 2, most=junk),
    "rows": lambda junk: tabulate("a", junk, ("c", [2]), lambda a, b: None),
    "columns": lambda junk: tabulate("a", ("b", [1]), junk, lambda a, b: None),
    "from_cumulative": measures.from_cumulative,
    "without": OPEN.without,
    "weights": d6.pool(2).weighted,
}


@pytest.mark.parametrize("taker", PAIRS)
@pytest.mark.parametrize("junk", [None, 5, 0.5, "abc", [1], [(1, 2, 3)]], ids=repr)
def test_no_pairs(taker: str, junk: Any) -> None:
    with pytest.raises(OddsmithError) as caught:
        PAIRS[taker](junk)
    assert caught.value.message


def test_no_symbols_and_no_random_bytes() -> None:
    for letters, cancel in ((None, None), (5, None), ("S", 5), ("S", ["F"])):
        with pytest.raises(OutcomeError, match="is no alphabet: write for example Symbols"):
            Symbols(letters, cancel)  # type: ignore[arg-type]
    with pytest.raises(OutcomeError, match="the face 5 is not text"):
        Symbols("S").die(5)  # type: ignore[arg-type]
    with pytest.raises(RuleError, match=r"gives no bytes: write numpy\.random\.default_rng\(7\)"):
        d6.sample(None, 2)  # type: ignore[arg-type]
    with pytest.raises(RuleError, match="dice are not ranked by 'best': write one of kh, kl"):
        THROW.keep("best", 1)


def test_open_ended_dice_times_text() -> None:
    for wrong in (lambda: OPEN * Dist("ab"), lambda: OPEN / Dist("ab"), lambda: OPEN * "a"):
        with pytest.raises(OutcomeError, match="which is not a number"):
            wrong()
    with pytest.raises(ImpossibleEvent, match="no outcome is left"):
        OpenDist.of(Dist([1, 2])).without({1: Fraction(1, 2), 2: Fraction(1, 2)})


def test_a_finite_die_is_enclosed_whole() -> None:
    assert enclose(d6, 10).part == d6
    assert not enclose(d6, 10).missing


@contextmanager
def seconds(most: int) -> Iterator[None]:
    """Fail where it takes longer, as far as Python itself is at work."""

    def late(*_: Any) -> None:
        raise AssertionError(f"longer than {most} seconds")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(most)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


HUGE: dict[str, Callable[[int], Any]] = {
    "a moment": d6.moment,
    "a moment of an open-ended die": OPEN.moment,
    "an exponent of open-ended dice": OPEN.times,
    "the depth of an enclosure": lambda n: enclose(OPEN, n),
    "ways of a pool": lambda n: d6.pool(n + 10**9).ways(),
    "pairs": lambda n: d6.pool(n).pairs(),
    "the best set": lambda n: d6.pool(n).best_set(),
    "a product": lambda n: d6.pool(n).product(),
    "matched": lambda n: folds.matched(d6.pool(n), d6.pool(n)),
    "cards out of many": lambda n: Deck({1: 10**40, 2: 10**40}).deal(n).sum(),
    "cards counted": lambda n: Deck({1: 10**40, 2: 10**40}).deal(n).count(1),
    "pairs of cards": lambda n: Deck({1: 10**40, 2: 10**40}).deal(n).pairs(),
    "draws": Deck({1: 10**40, 2: 10**40}).draws,
    "open-ended dice kept": lambda n: OPEN.pool(n).keep_highest().sum(),
    "open-ended dice dropped": lambda n: OPEN.pool(n).drop_lowest(2).sum(),
    "digits": digits,
    "outcomes one by one": lambda n: Dist(range(10**3 * n)),
    "cards one by one": lambda n: Deck(range(10**3 * n)),
    "outcomes of an open-ended die": lambda n: OPEN.p(range(n)),
    "re-rolls": lambda n: d6.reroll({1, 2, 3, 4}, times=n),
    "pushes": lambda n: push(d6.pool(2), {6}, times=n),  # type: ignore[arg-type]
    "the best re-roll": lambda n: choices.best_reroll(d6.pool(n), sum),
    "some re-rolls": lambda n: choices.reroll_some(d6.pool(n), 1, 1),
    "a battle with many dice": lambda n: battle.exchange(n, n, most=(n, n)),
    "exploding dice kept": lambda n: explode.explode(Throw.of([(d6, n)])).keep("kh", 2).total(),
    "many kept of exploding dice": lambda n: explode.explode(THROW).keep("kh", n).total(),
    "states that wait": lambda n: Waiting.of(Dist([0]), 100 * n),
}


@pytest.mark.parametrize("taker", HUGE)
@pytest.mark.parametrize("size", [10**6, 10**9, 10**30], ids=lambda size: f"{size:.0e}")
def test_what_is_huge_is_refused_soon(taker: str, size: int) -> None:
    if (taker, size) == ("a moment", 10**6):
        return
    with seconds(10), pytest.raises(TooLarge):
        HUGE[taker](size)


def test_what_is_large_is_answered() -> None:
    """No 1 in many dice; two cards of different piles; 300 dice without a 6."""
    with seconds(10):
        assert d6.pool(10**6).lowest().low == 1
        assert d6.pool(10**4).lowest().at_least(2) == Fraction(5, 6) ** 10**4
        pile = Deck({"A": 10**12, "B": 10**12}).deal(2)
        assert pile.largest_set().p(1) == Fraction(10**12, 2 * 10**12 - 1)
        assert d6.moment(300) == Fraction(sum(face**300 for face in range(1, 7)), 6)
        assert d6.pool(200).contains_any(6).p(0) == Fraction(5, 6) ** 200


def test_calls_past_the_frames_of_python() -> None:
    @rule(depth=10**6)
    def deep(number: int) -> Any:
        return deep(number + 1)

    with pytest.raises(RuleError, match="deep cannot call itself 1000000 times, one call within"):
        deep(0)

    @rule
    def endless(number: int) -> Any:
        return endless(number + 1)

    with pytest.raises(NeverEnds, match="endless calls itself without end"):
        endless(0)

    @rule(depth=10**6)
    def over(face: int) -> Any:
        return again(d6) if face == 6 else face

    with seconds(10), pytest.raises(TooLarge):
        over(d6)


def test_a_process_without_end_in_python() -> None:
    def calls(state: int) -> Any:
        return calls(state)

    def nests(state: Any) -> Any:
        return (state,)

    for step in (calls, nests):
        with pytest.raises(NeverEnds, match="calls itself, or its states nest, without end"):
            Process(0, step, end=lambda state: False).endings()
