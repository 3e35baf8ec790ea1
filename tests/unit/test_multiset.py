"""Readings of dice and of cards, each against every roll and every hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb, prod
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

from oddsmith import Deck, Dist, OpenDist, Pool, chain, coin, d, d3, d6, d8, d10, d20
from oddsmith.errors import OddsmithError, OutcomeError, RuleError, TooLarge

from .every import (
    CARDS,
    CLOSE,
    PARTS,
    TEXT,
    WHOLE,
    Kept,
    apart,
    chances,
    fair,
    hands,
    kept,
    law,
    quick,
    rank,
    rolls,
)

if TYPE_CHECKING:
    from collections.abc import Callable

F = Fraction
Reading = tuple["Callable[[Any], Any]", "Callable[[tuple[Any, ...]], Any]"]
"""A question to a pool or hand, and the answer for one sorted roll."""


def sizes(roll: tuple[Any, ...]) -> list[int]:
    """How often each face is there."""
    return list(Counter(roll).values())


def found_sets(roll: tuple[Any, ...], least: int) -> tuple[Any, ...]:
    """(how many, face) of the matching sets, the highest face first."""
    faces = sorted(set(roll), key=rank, reverse=True)
    return tuple((roll.count(face), face) for face in faces if roll.count(face) >= least)


def best_set(roll: tuple[Any, ...]) -> tuple[int, Any]:
    most = max(sizes(roll))
    return most, next(face for count, face in found_sets(roll, 1) if count == most)


def best_run(roll: tuple[Any, ...]) -> tuple[int, int]:
    whole = {face for face in roll if isinstance(face, int)}
    runs = [
        (length, low + length - 1)
        for low in whole
        for length in range(1, len(whole) + 1)
        if whole.issuperset(range(low, low + length))
    ]
    return max(runs, default=(0, 0))


def is_even(face: Any) -> bool:
    return face in (-2, 0, 2, 4)


def is_two(face: Any) -> bool:
    return bool(face == 2)


ANY_FACE: dict[str, Reading] = {
    "expand": (lambda dice: dice.expand(), lambda roll: roll),
    "map": (lambda dice: dice.map(lambda roll: roll[::-1]), lambda roll: roll[::-1]),
    "rolls": (
        lambda dice: Dist(dict(_merged(dice.rolls()))),
        lambda roll: roll,
    ),
    "fold": (
        lambda dice: dice.fold(lambda state, face, count: state + (count == 1), 0),
        lambda roll: sizes(roll).count(1),
    ),
    "count": (lambda dice: dice.count(is_two), lambda roll: roll.count(2)),
    "counts": (
        lambda dice: dice.counts(is_even, is_two, lambda face: True),
        lambda roll: (sum(map(is_even, roll)), roll.count(2), len(roll)),
    ),
    "counts of nothing": (lambda dice: dice.counts(), lambda roll: ()),
    "contains_all of nothing": (lambda dice: dice.contains_all(), lambda roll: 1),
    "contains_all, one": (lambda dice: dice.contains_all(2), lambda roll: int(2 in roll)),
    "contains_all, two kinds": (
        lambda dice: dice.contains_all(2, 1),
        lambda roll: int(2 in roll and 1 in roll),
    ),
    "contains_all, twice": (
        lambda dice: dice.contains_all(2, 1, 2),
        lambda roll: int(roll.count(2) >= 2 and 1 in roll),
    ),
    "contains_all, a face nothing has": (lambda dice: dice.contains_all(99, 2), lambda roll: 0),
    "contains_any of nothing": (lambda dice: dice.contains_any(), lambda roll: 0),
    "contains_any": (
        lambda dice: dice.contains_any(1, 2, 2, 99),
        lambda roll: int(1 in roll or 2 in roll),
    ),
    "sets": (lambda dice: dice.sets(), lambda roll: len(found_sets(roll, 2))),
    "sets of one": (lambda dice: dice.sets(1), lambda roll: len(set(roll))),
    "sets of three": (lambda dice: dice.sets(least=3), lambda roll: len(found_sets(roll, 3))),
    "pairs": (lambda dice: dice.pairs(), lambda roll: sum(n // 2 for n in sizes(roll))),
    "largest_set": (lambda dice: dice.largest_set(), lambda roll: max(sizes(roll), default=0)),
    "set_sizes": (
        lambda dice: dice.set_sizes(),
        lambda roll: tuple(sorted(sizes(roll), reverse=True)),
    ),
    "matches": (lambda dice: dice.matches(), lambda roll: found_sets(roll, 2)),
    "matches of one": (lambda dice: dice.matches(1), lambda roll: found_sets(roll, 1)),
    "matches of three": (lambda dice: dice.matches(least=3), lambda roll: found_sets(roll, 3)),
    "unique": (lambda dice: dice.unique(), lambda roll: len(set(roll))),
}
SOMETHING: dict[str, Reading] = {
    "highest_and_count": (
        lambda dice: dice.highest_and_count(),
        lambda roll: (roll[-1], roll.count(roll[-1])),
    ),
    "lowest_and_count": (
        lambda dice: dice.lowest_and_count(),
        lambda roll: (roll[0], roll.count(roll[0])),
    ),
    "best_set": (lambda dice: dice.best_set(), best_set),
}
"""Readings that need one die or card at least."""

NUMBERS: dict[str, Reading] = {
    "longest_run": (lambda dice: dice.longest_run(), lambda roll: best_run(roll)[0]),
    "best_run": (lambda dice: dice.best_run(), best_run),
}
WHOLES: dict[str, Reading] = {
    "sum": (lambda dice: dice.sum(), sum),
    "set_sum": (
        lambda dice: dice.set_sum(),
        lambda roll: sum(count * face for count, face in found_sets(roll, 2)),
    ),
    "set_sum of three": (
        lambda dice: dice.set_sum(3),
        lambda roll: sum(count * face for count, face in found_sets(roll, 3)),
    ),
}
DICE: dict[str, Reading] = {
    "total": (
        lambda dice: dice.total(lambda face: F(face * face, 2)),
        lambda roll: sum(F(face * face, 2) for face in roll),
    ),
    "product": (lambda dice: dice.product(), prod),
}
ONE_DIE: dict[str, Reading] = {
    "highest": (lambda dice: dice.highest(), max),
    "lowest": (lambda dice: dice.lowest(), min),
    "median": (
        lambda dice: dice.median(),
        lambda roll: F(roll[(len(roll) - 1) // 2] + roll[len(roll) // 2], 2),
    ),
}


def _merged(pairs: Any) -> Counter[Any]:
    found: Counter[Any] = Counter()
    for roll, ways in pairs:
        found[roll] += ways
    return found


def pool_of(dice: Kept) -> Pool:
    tables, first, last = dice
    return Pool([Dist(table) for table in tables]).window(first, last)


def agree(readings: dict[str, Reading], source: Any, shown: Counter[Any]) -> None:
    """Every reading of the source says what reading each of all rolls says."""
    for name, (ask, one) in readings.items():
        assert chances(ask(source)) == law(one, shown), name


def agree_if_any(readings: dict[str, Reading], source: Any, shown: Counter[Any]) -> None:
    """The same for readings that have no answer where nothing is rolled."""
    if source.size:
        agree(readings, source, shown)
        return
    for ask, _ in readings.values():
        with pytest.raises(RuleError, match=r"nothing is rolled|a pool of no dice"):
            ask(source)


# --- every reading, every roll


@given(dice=kept(WHOLE))
@quick(50)
def test_whole_faces(dice: Kept) -> None:
    pool, shown = pool_of(dice), rolls(*dice)
    agree(ANY_FACE | NUMBERS | WHOLES | DICE, pool, shown)
    agree_if_any(SOMETHING | ONE_DIE, pool, shown)


@given(dice=kept(CLOSE))
@quick(50)
def test_faces_close_together(dice: Kept) -> None:
    """Many sets and runs, with faces that start at 1."""
    pool, shown = pool_of(dice), rolls(*dice)
    agree(ANY_FACE | NUMBERS | WHOLES, pool, shown)
    agree_if_any(SOMETHING, pool, shown)


@given(dice=kept(PARTS))
@quick(40)
def test_fractions_among_the_faces(dice: Kept) -> None:
    pool, shown = pool_of(dice), rolls(*dice)
    agree(ANY_FACE | NUMBERS | DICE, pool, shown)
    agree_if_any(SOMETHING | ONE_DIE, pool, shown)


@given(dice=kept(TEXT))
@quick(40)
def test_text_among_the_faces(dice: Kept) -> None:
    pool, shown = pool_of(dice), rolls(*dice)
    agree(ANY_FACE, pool, shown)
    agree_if_any(SOMETHING, pool, shown)


@given(cards=CARDS)
@quick(30)
def test_hands_of_cards(cards: list[int]) -> None:
    """Hands of every size from each deck."""
    deck = Deck(cards)
    for count in range(len(cards) + 1):
        hand, shown = deck.deal(count), hands(cards, count)
        agree(ANY_FACE | NUMBERS | WHOLES, hand, shown)
        agree_if_any(SOMETHING, hand, shown)


def test_hands_of_text_and_fractions() -> None:
    cards = ["ace", "ace", F(1, 2), 2, 2, 1]
    for count in range(len(cards) + 1):
        hand, shown = Deck(cards).deal(count), hands(cards, count)
        agree(ANY_FACE, hand, shown)
        agree_if_any(SOMETHING, hand, shown)


@pytest.mark.parametrize(
    "dice",
    [
        ([{1: 1}], 0, 1),
        ([{1: 1}, {1: 1}, {2: 3}], 0, 3),
        ([{5: 2}] * 4, 1, 3),
        ([{-1: 1, 0: 1}] * 4, 0, 4),
        ([fair(6)] * 4, 0, 4),
        ([fair(6)] * 4, 1, 4),
        ([fair(6)] * 4, 0, 3),
        ([fair(6)] * 4, 1, 3),
        ([fair(n) for n in (4, 6, 8)], 0, 3),
        ([fair(n) for n in (4, 6, 8)], 1, 2),
        ([{1: 1, 100: 2, -100: 1}] * 3, 0, 2),
    ],
)
def test_chosen_dice(dice: Kept) -> None:
    """Certain dice, negative faces, plain d4 to d8, faces far apart."""
    pool, shown = pool_of(dice), rolls(*dice)
    agree(ANY_FACE | NUMBERS | WHOLES | DICE, pool, shown)
    agree_if_any(SOMETHING | ONE_DIE, pool, shown)


# --- rules


@given(dice=kept(WHOLE, 3))
@quick(40)
def test_a_rule_may_return_distributions(dice: Kept) -> None:
    """An even sum: one more roll of a lopsided coin, added; an odd one: the sum itself."""

    def rule(roll: tuple[int, ...]) -> Any:
        return Dist({sum(roll): 1, sum(roll) + 1: 2}) if sum(roll) % 2 == 0 else sum(roll)

    lopsided: Counter[Any] = Counter({0: 1, 1: 2})
    model = law(
        lambda roll, more: sum(roll) + (more if sum(roll) % 2 == 0 else 0), rolls(*dice), lopsided
    )
    assert chances(pool_of(dice).map(rule)) == model


def test_a_rule_may_return_an_open_ended_die() -> None:
    """Half of the time an exploding d6 of mean 21/5, else 0."""
    found = Pool([coin]).map(lambda roll: chain(d6, {6}) if roll == (1,) else 0)
    assert isinstance(found, OpenDist)
    assert found.mean == F(21, 10)


def test_a_rule_may_return_another_pool_read() -> None:
    """2d{1,2}: so many coins as the higher shows: 1 coin in 1 of 4, 2 coins in 3 of 4."""
    found = d(2).pool(2).map(lambda roll: Pool.of(coin, roll[-1]).sum())
    assert found == Dist({0: 2 + 3, 1: 2 + 6, 2: 3})


def test_a_rule_sees_sorted_rolls() -> None:
    seen: set[Any] = set()
    Pool([d(3), "x", 0]).map(lambda roll: seen.add(roll) or 0)
    assert seen == {(0, face, "x") for face in (1, 2, 3)}


def test_a_rule_may_return_tuples_and_text() -> None:
    assert d(2).pool(2).map(lambda roll: ("low", roll[0])) == Dist({("low", 1): 3, ("low", 2): 1})


def test_a_rule_of_nothing() -> None:
    assert Pool([]).map(len) == Dist([0])
    assert Deck("AB").deal(0).map(len) == Dist([0])


@pytest.mark.parametrize("source", [d6.pool(2), Pool([d6, d8]), Deck("AAB").deal(2)])
def test_a_rule_never_returns_floats(source: Any) -> None:
    with pytest.raises(OutcomeError, match=r"0\.5 is a float"):
        source.map(lambda roll: 0.5)
    with pytest.raises(OutcomeError, match=r"0\.5 is a float"):
        source.fold(lambda state, face, count: state, 0, final=lambda state: 0.5)


@pytest.mark.parametrize("source", [d6.pool(2), Pool([d6, d8]), Deck("AAB").deal(2)])
def test_a_rule_never_returns_sets_of_outcomes(source: Any) -> None:
    with pytest.raises(OutcomeError, match="cannot be an outcome"):
        source.map(frozenset)


# --- values from elsewhere


def test_five_dice() -> None:
    """6, 150, 300, 1200, 1800, 3600, 720 of 7776 (the classic table)."""
    assert d6.pool(5).set_sizes().weights() == {
        size: ways // 6
        for size, ways in [
            ((1, 1, 1, 1, 1), 720),
            ((2, 1, 1, 1), 3600),
            ((2, 2, 1), 1800),
            ((3, 1, 1), 1200),
            ((3, 2), 300),
            ((4, 1), 150),
            ((5,), 6),
        ]
    }
    assert d6.pool(5).largest_set().at_least(3) == F(6 + 150 + 300 + 1200, 7776)


def test_five_cards() -> None:
    """Of 2598960 hands by rank only: pair 1098240, two pair 123552, trips 54912, full house 3744,
    quads 624 (the classic table)."""
    found = Deck(dict.fromkeys(range(13), 4)).deal(5).set_sizes()
    assert comb(52, 5) == 2598960
    assert {shape: p * 2598960 for shape, p in found.items() if max(shape) > 1} == {
        (2, 1, 1, 1): 1098240,
        (2, 2, 1): 123552,
        (3, 1, 1): 54912,
        (3, 2): 3744,
        (4, 1): 624,
    }


def test_the_four_dice_1_2_2_5() -> None:
    """4! / 2! = 12 of 1296."""
    assert d6.pool(4).expand().p((1, 2, 2, 5)) == F(12, 1296)
    assert d6.pool(4).contains_all(1, 2, 2, 5).p() == F(12, 1296)


@pytest.mark.parametrize(("dice", "chance"), [(2, F(1, 6)), (3, F(4, 9)), (4, F(13, 18))])
def test_a_pair_or_better(dice: int, chance: Fraction) -> None:
    """1 - 6 * 5 * .. / 6^n."""
    for found in (d6.pool(dice).largest_set(), d6.pool(dice).keep_highest(dice).largest_set()):
        assert found.at_least(2) == chance


def test_runs_of_dice_in_a_row() -> None:
    """5d6: 1-5 and 2-6 in 2 * 5! ways; 6d6: all of 1-6 in 6! ways."""
    assert d6.pool(5).best_run().p((5, 5)) == d6.pool(5).best_run().p((5, 6)) == F(120, 7776)
    assert d6.pool(6).longest_run().p(6) == F(720, 46656)


def test_all_different() -> None:
    """10d10 10! / 10^10; 6d6 6! / 6^6."""
    assert d10.pool(10).unique().p(10) == F(3628800, 10**10)
    assert d6.pool(6).set_sizes().p((1,) * 6) == F(5, 324)


def test_the_highest_of_the_two_lowest_of_three() -> None:
    """The middle die of three, with how many of the lowest two show it.

    (f, 2): two or three dice show f as the lowest: (7 - f)^3 rolls have all dice at f or more, of
    which (6 - f)^3 have none at f and 3 * (6 - f)^2 one. (f, 1): one die below f, the other two
    at f or more, one at least at f: 3 * (f - 1) * ((7 - f)^2 - (6 - f)^2).
    """
    found = d6.pool(3).keep_lowest(2).highest_and_count()
    wanted = {}
    for f in range(1, 7):
        wanted[f, 2] = (7 - f) ** 3 - (6 - f) ** 3 - 3 * (6 - f) ** 2
        wanted[f, 1] = 3 * (f - 1) * ((7 - f) ** 2 - (6 - f) ** 2)
    assert {shown: p * 216 for shown, p in found.items()} == {k: n for k, n in wanted.items() if n}
    assert found.p(lambda shown: shown[1] == 0) == 0


def test_the_highest_of_dice_that_begin_at_different_faces() -> None:
    """d3 with a die of 2 and 3: (2,1) from 1 2; (2,2); (3,1) from 1 3, 2 3, 3 2; (3,2)."""
    found = Pool([d3, Dist([2, 3])]).highest_and_count()
    assert found == Dist({(2, 1): 1, (2, 2): 1, (3, 1): 3, (3, 2): 1})


def test_the_highest_of_ranks_kept_at_either_end() -> None:
    """Of 1, 2, 2, 5: the highest of the lowest three is the 2, twice; of the highest two the 5."""
    pool = Pool([5, 2, 1, 2])
    assert pool.keep_lowest(3).highest_and_count() == Dist([(2, 2)])
    assert pool.keep_highest(2).highest_and_count() == Dist([(5, 1)])
    assert pool.middle(2).lowest_and_count() == Dist([(2, 2)])
    assert pool.keep_highest(3).lowest_and_count() == Dist([(2, 2)])


def test_a_zero_that_shows_is_seen() -> None:
    """Faces 0 and "" are faces like others."""
    assert Pool([0, 0, -1]).highest_and_count() == Dist([(0, 2)])
    assert Pool([0, 0, 1]).lowest_and_count() == Dist([(0, 2)])
    assert Pool(["", "", 1]).highest_and_count() == Dist([("", 2)])
    assert Pool([0, 0]).best_set() == Dist([(2, 0)])
    assert Pool([-3, -2]).best_run() == Dist([(2, -2)])


def test_equally_large_sets_the_highest_counts() -> None:
    assert Pool([1, 1, 4, 4, 6]).best_set() == Dist([(2, 4)])
    assert Pool([1, 1, 1, 4, 4]).best_set() == Dist([(3, 1)])


def test_equally_long_runs_the_highest_counts() -> None:
    assert Pool([1, 2, 4, 5]).best_run() == Dist([(2, 5)])
    assert Pool([1, 2, 3, 5, 6]).best_run() == Dist([(3, 3)])
    assert Pool([2, 2, 3, 3]).best_run() == Dist([(2, 3)])


def test_nothing_to_read() -> None:
    """What has an answer without dice: no sets, no runs, an empty product."""
    for nothing in (Pool([]), d6.pool(3).keep_highest(0)):
        assert nothing.sets() == nothing.pairs() == nothing.largest_set() == Dist([0])
        assert nothing.set_sum() == nothing.unique() == nothing.longest_run() == Dist([0])
        assert nothing.set_sizes() == nothing.matches() == nothing.expand() == Dist([()])
        assert nothing.contains_all(1) == nothing.contains_any(1) == Dist([0])
        assert nothing.product() == Dist([1])


# --- refusals


@pytest.mark.parametrize("nothing", [Pool([]), d6.pool(3).keep_lowest(0), Deck("AB").deal(0)])
def test_nothing_shows(nothing: Any) -> None:
    with pytest.raises(RuleError, match="nothing is rolled, so nothing shows"):
        nothing.highest_and_count()
    with pytest.raises(RuleError, match="nothing is rolled, so nothing shows"):
        nothing.lowest_and_count()
    with pytest.raises(RuleError, match="nothing is rolled, so there is no set"):
        nothing.best_set()


@pytest.mark.parametrize(
    "source", [Pool.of(Dist([1, "Hit"]), 2), Pool([d6, Dist("ab")]), Deck("AAB").deal(2)]
)
def test_text_has_no_place_in_a_run_or_a_sum(source: Any) -> None:
    for refused in (source.best_run, source.longest_run):
        with pytest.raises(OutcomeError, match=r"the face '\w+' has no place in a run"):
            refused()
    with pytest.raises(OutcomeError, match=r"the face '\w+' cannot be added up"):
        source.set_sum()


@pytest.mark.parametrize("pool", [Pool.of(Dist([1, "Hit"]), 2), Pool([d6, Dist("ab")])])
def test_text_is_not_ranked_by_number(pool: Pool) -> None:
    for refused in (pool.sum, pool.highest, pool.lowest, pool.median):
        with pytest.raises(OutcomeError, match=r"cannot add .*'\w+'"):
            refused()
    with pytest.raises(OutcomeError, match=r"cannot multiply .*'\w+'"):
        pool.product()


def test_fractions_are_not_added_up_in_sets() -> None:
    for source in (Pool.of(Dist([1, F(1, 2)]), 2), Deck([1, F(1, 2)]).deal(1)):
        with pytest.raises(OutcomeError, match=r"Fraction\(1, 2\) cannot be added up: use whole"):
            source.set_sum()


@pytest.mark.parametrize(
    "source",
    [
        d6.pool(4),
        d6.pool(4).keep_highest(2),
        Pool([d6, d6, d8, d10]),
        Deck(dict.fromkeys(range(13), 4)).deal(5),
    ],
)
def test_a_small_budget(source: Any) -> None:
    same = lambda state, face, count: state  # noqa: E731
    for ask in (
        lambda: source.expand(budget=50),
        lambda: source.map(len, budget=50),
        lambda: list(source.rolls(budget=50)),
        lambda: source.fold(same, 0, budget=50),
    ):
        with pytest.raises(TooLarge, match=r"the budget is 50: (roll|use) fewer dice") as refused:
            ask()
        assert refused.value.limit == 50
        assert refused.value.estimate > 50


def test_too_many_rolls_are_refused_before_they_are_listed() -> None:
    """C(219, 200) rolls of 200d20, 10^27 of them."""
    for refused in (d20.pool(200).expand, d20.pool(200).keep_highest(199).expand):
        with pytest.raises(TooLarge, match=r"about 10\^"):
            refused()


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Pool.of(Dist([1, 10**12]), 2).set_sum().p(2)", "1/4"),
        ("Deck([1, 10**12]).deal(1).sum().p(1)", "1/2"),
    ],
)
def test_faces_far_apart_are_added_up_or_refused(text: str, answer: str) -> None:
    assert apart(text) in (answer, "too large")


@pytest.mark.parametrize(
    "text",
    [
        "d20.pool(500).largest_set().at_least(1)",
        "d20.pool(1000).largest_set().at_least(1)",
        "d100.pool(80).set_sizes().p((80,)) * 100**79",
    ],
)
def test_large_readings_are_answered_or_refused(text: str) -> None:
    assert apart(text) in ("1", "too large")


def test_every_refusal_is_of_one_family() -> None:
    for error in (OutcomeError, RuleError, TooLarge):
        assert issubclass(error, OddsmithError)
