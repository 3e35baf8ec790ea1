"""Contests of totals, of several sides, and of pools die by die, against every roll."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith import Deck, Dist, Pool, Process, chain, d, d4, d6, d8, d10, d20
from oddsmith.errors import NeverEnds, OutcomeError, RuleError, TooLarge
from oddsmith.folds import matched as folds_matched
from oddsmith.folds import total
from oddsmith.mechanics.contest import (
    TIES,
    above_all,
    best_of,
    cancelled,
    contest,
    matched,
    paired,
)
from unit.every import (
    CARDS,
    CLOSE,
    WHOLE,
    Kept,
    Table,
    apart,
    chances,
    drawn,
    fair,
    hands,
    kept,
    law,
    quick,
    rolls,
    some_table,
    tables,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from unit.every import Law

F = Fraction
SIX = chain(d6, {6})
Roll = tuple[Any, ...]


def pool_of(dice: Kept) -> Pool:
    faces, first, last = dice
    return Pool([Dist(table) for table in faces]).window(first, last)


def three(found: Dist[str]) -> list[Fraction]:
    return [found.p("win"), found.p("tie"), found.p("lose")]


# --- two totals


def result(mine: Any, theirs: Any) -> str:
    return "win" if mine > theirs else "tie" if mine == theirs else "lose"


def decided(model: Law, ties: str) -> Law:
    """What becomes of the ties, from the three chances."""
    tie = model.get("tie", F(0))
    if ties == "tie":
        return model
    left = {name: p for name, p in model.items() if name != "tie"}
    if ties == "reroll":
        return {name: p / (1 - tie) for name, p in left.items()}
    if tie:
        left[ties] = left.get(ties, F(0)) + tie
    return left


@pytest.mark.parametrize("ties", TIES)
@given(
    mine=tables([*WHOLE, F(1, 2), F(3, 2)]),
    theirs=tables([*WHOLE, F(1, 2), F(3, 2)]),
)
@quick(50)
def test_every_pair_of_totals(ties: str, mine: Table, theirs: Table) -> None:
    model = law(result, Counter(mine), Counter(theirs))
    assert chances(contest(Dist(mine), Dist(theirs), ties)) == decided(model, ties)


@pytest.mark.parametrize("ties", TIES)
@given(mine=tables(WHOLE), number=st.integers(-3, 6))
@quick(20)
def test_a_total_against_a_number(ties: str, mine: Table, number: int) -> None:
    model = law(lambda own: result(own, number), Counter(mine))
    assert chances(contest(Dist(mine), number, ties)) == decided(model, ties)
    turned = law(lambda own: result(number, own), Counter(mine))
    assert chances(contest(number, Dist(mine), ties)) == decided(turned, ties)


def test_two_numbers() -> None:
    assert contest(3, 2) == Dist(["win"])
    assert contest(2, 3) == Dist(["lose"])
    assert contest(F(1, 2), F(1, 2)) == Dist(["tie"])
    assert contest(2, 2, ties="win") == Dist(["win"])
    assert contest(2, 2, ties="lose") == Dist(["lose"])


def test_one_die_against_another() -> None:
    """d6 against d8: 15 of 48 rolls higher, 6 alike, 27 lower."""
    assert contest(d6, d8) == Dist({"win": 15, "tie": 6, "lose": 27})
    assert contest(d6, d8, ties="win") == Dist({"win": 21, "lose": 27})
    assert contest(d6, d8, ties="lose") == Dist({"win": 15, "lose": 33})
    assert contest(d6, d8, ties="reroll") == Dist({"win": 15, "lose": 27})


EFRON = [
    [4, 4, 4, 4, 0, 0],
    [3, 3, 3, 3, 3, 3],
    [6, 6, 2, 2, 2, 2],
    [5, 5, 5, 1, 1, 1],
]


@pytest.mark.parametrize("place", range(4))
def test_efron_dice(place: int) -> None:
    """Each beats the next with 2/3, and the last the first."""
    found = contest(Dist(EFRON[place]), Dist(EFRON[(place + 1) % 4]))
    assert found == Dist({"win": 2, "lose": 1})


def test_the_same_die_is_rolled_twice() -> None:
    assert contest(d6, d6) == Dist({"win": 15, "tie": 6, "lose": 15})


# --- open-ended totals


def test_two_exploding_dice() -> None:
    """P(tie): 5 faces alike in 5/36, or both go on in 1/36 and it begins anew: 1/7 = 5/35. Either
    side wins half of the rest, 3/7."""
    assert three(contest(SIX, SIX)) == [F(3, 7), F(1, 7), F(3, 7)]
    assert three(contest(SIX, SIX, "win")) == [F(4, 7), 0, F(3, 7)]
    assert three(contest(SIX, SIX, "lose")) == [F(3, 7), 0, F(4, 7)]
    assert three(contest(SIX, SIX, "reroll")) == [F(1, 2), 0, F(1, 2)]


def test_an_exploding_die_against_a_plain_one() -> None:
    """Faces 1 to 5 beat 0 + 1 + 2 + 3 + 4 = 10 of 36, going on beats all 6; 5 of 36 tie."""
    assert three(contest(SIX, d6)) == [F(16, 36), F(5, 36), F(15, 36)]
    assert three(contest(d6, SIX)) == [F(15, 36), F(5, 36), F(16, 36)]
    assert three(contest(SIX, d6, "reroll")) == [F(16, 31), 0, F(15, 31)]


def test_an_exploding_die_against_a_number() -> None:
    """More than 7: 1/6 to go on, then 2 or more, 5/6; 7 itself 1/36."""
    assert three(contest(SIX, 7)) == [F(5, 36), F(1, 36), F(5, 6)]
    assert three(contest(7, SIX, "lose")) == [F(5, 6), 0, F(6, 36)]


def test_two_exploding_dice_one_of_them_ahead() -> None:
    """Going on j and k times before the faces r and s: j = k with 5/7, k = j + 1 with 5/42.

    With 2 ahead: j > k wins, 1/7; j = k wins where r + 2 > s, 19 of 25, and ties in 3 of 25;
    k = j + 1 ties where r = 5 and s = 1, 1 of 25, and loses otherwise.
    """
    win, tie = F(1, 7) + F(5, 7) * F(19, 25), F(5, 7) * F(3, 25) + F(5, 42) * F(1, 25)
    assert (win, tie) == (F(24, 35), F(19, 210))
    assert three(contest(SIX + 2, SIX)) == [win, tie, 1 - win - tie]


def test_an_exploding_die_never_falls_below_a_low_number() -> None:
    assert contest(SIX, 0) == Dist(["win"])
    assert contest(0, SIX, "reroll") == Dist(["lose"])
    assert contest(-SIX, 0) == Dist(["lose"])


# --- refusals


@pytest.mark.parametrize("ties", ["draw", "", "Win", None, 1])
def test_what_ties_may_become(ties: Any) -> None:
    wanted = rf"ties cannot become {ties!r}: write one of tie, reroll, win, lose"
    with pytest.raises(RuleError, match=wanted):
        contest(d6, d6, ties)


@pytest.mark.parametrize(("mine", "theirs"), [(3, 3), (Dist([2]), 2), (Dist([F(1, 2)]), F(1, 2))])
def test_ties_for_ever(mine: Any, theirs: Any) -> None:
    with pytest.raises(NeverEnds, match="both sides always tie"):
        contest(mine, theirs, ties="reroll")


@pytest.mark.parametrize(
    ("mine", "theirs"), [(Dist("ab"), d6), (d6, Dist("ab")), (Dist("ab"), Dist("ab")), (SIX, "a")]
)
def test_text_is_not_compared(mine: Any, theirs: Any) -> None:
    with pytest.raises(OutcomeError, match=r"'\w+'"):
        contest(mine, theirs)


# --- several sides


SIDES = drawn(lambda chance: [some_table(chance, WHOLE) for _ in range(chance.randint(2, 4))])


def leaders(*totals: int) -> Roll:
    return tuple(place for place, total in enumerate(totals) if total == max(totals))


@given(sides=SIDES)
@quick(60)
def test_every_combination_of_sides(sides: list[Table]) -> None:
    found = best_of(*map(Dist, sides))
    assert chances(found) == law(leaders, *map(Counter, sides))


def test_sides_may_be_numbers() -> None:
    """4 against d6: the d6 is higher in 2 of 6, ties in 1."""
    assert best_of(4, d6) == Dist({(1,): 2, (0, 1): 1, (0,): 3})
    assert best_of(1, 1, 1) == Dist([(0, 1, 2)])
    assert best_of(F(1, 2), F(1, 3)) == Dist([(0,)])


def test_three_players_with_one_d6_each() -> None:
    """The first alone: (0 + 1 + 4 + 9 + 16 + 25) / 216; all alike 6/216."""
    found = best_of(d6, d6, d6)
    assert found.p((0,)) == found.p((1,)) == found.p((2,)) == F(55, 216)
    assert found.p((0, 1, 2)) == F(6, 216)
    assert found.p((0, 1)) == F(15, 216)


def test_two_sides_are_a_contest() -> None:
    mine, theirs = 2 @ d6, d10 + 1
    found, both = best_of(mine, theirs), contest(mine, theirs)
    assert [found.p((0,)), found.p((0, 1)), found.p((1,))] == three(both)


@pytest.mark.parametrize("sides", [(), (d6,), (3,)])
def test_a_contest_has_two_sides(sides: Any) -> None:
    with pytest.raises(RuleError, match="a contest needs two sides or more"):
        best_of(*sides)


def test_an_open_ended_side() -> None:
    with pytest.raises(OutcomeError, match=r"open-ended side has no last outcome .* clamp it"):
        best_of(d6, SIX)
    assert best_of(d6, SIX.clamp(high=7)).p((1,)) == F(16, 36)


def test_text_has_no_highest() -> None:
    with pytest.raises(OutcomeError, match=r"'\w+'"):
        best_of(Dist("ab"), d6)


def test_twenty_sides_are_answered_or_refused() -> None:
    """All alike: 6 of 6^20."""
    text = "best_of(*[d6] * 20).p(tuple(range(20))) * 6**19"
    assert apart(text) in ("1", "too large")


# --- die by die


def meetings(mine: Roll, theirs: Roll) -> Roll:
    won = tied = lost = 0
    for own, other in zip(sorted(mine)[::-1], sorted(theirs)[::-1], strict=False):
        won += own > other
        tied += own == other
        lost += own < other
    return won, tied, lost


def above(mine: Roll, theirs: Roll) -> int:
    return sum(all(own > other for other in theirs) for own in mine)


def cancel(mine: Roll, theirs: Roll) -> Roll:
    a, b = Counter(mine), Counter(theirs)
    return (a - b).total(), (b - a).total()


READINGS: list[tuple[Callable[[Any, Any], Any], Callable[[Roll, Roll], Any]]] = [
    (paired, meetings),
    (matched, lambda mine, theirs: meetings(mine, theirs)[0]),
    (above_all, above),
    (cancelled, cancel),
]
NAMES = ["paired", "matched", "above_all", "cancelled"]


@pytest.mark.parametrize(("ask", "model"), READINGS, ids=NAMES)
@pytest.mark.parametrize("mine", range(5))
@pytest.mark.parametrize("theirs", range(5))
def test_every_number_of_dice(ask: Any, model: Any, mine: int, theirs: int) -> None:
    """Fewer, as many and more dice on either side."""
    own, other = {1: 2, 2: 1, 3: 1}, {1: 1, 3: 2, 4: 1}
    found = ask(Dist(own).pool(mine), Dist(other).pool(theirs))
    assert chances(found) == law(model, rolls([own] * mine), rolls([other] * theirs))


@pytest.mark.parametrize(("ask", "model"), READINGS, ids=NAMES)
@given(mine=kept(WHOLE), theirs=kept(WHOLE))
@quick(60)
def test_random_dice(ask: Any, model: Any, mine: Kept, theirs: Kept) -> None:
    """Mixed and weighted dice, some ranks removed on either side."""
    found = ask(pool_of(mine), pool_of(theirs))
    assert chances(found) == law(model, rolls(*mine), rolls(*theirs))


@pytest.mark.parametrize(("ask", "model"), READINGS, ids=NAMES)
@given(dice=kept(CLOSE, 3), cards=CARDS, count=st.integers(0, 6))
@quick(30)
def test_cards_against_dice(ask: Any, model: Any, dice: Kept, cards: list[int], count: int) -> None:
    count = min(count, len(cards))
    hand, shown = Deck(cards).deal(count), hands(cards, count)
    assert chances(ask(hand, pool_of(dice))) == law(model, shown, rolls(*dice))
    assert chances(ask(pool_of(dice), hand)) == law(model, rolls(*dice), shown)


@pytest.mark.parametrize(("ask", "model"), READINGS, ids=NAMES)
def test_cards_against_cards(ask: Any, model: Any) -> None:
    """Two decks, a hand of each."""
    mine, theirs = [1, 1, 2, 4], [1, 2, 3, 3, 4]
    for own in range(4):
        for other in range(4):
            found = ask(Deck(mine).deal(own), Deck(theirs).deal(other))
            assert chances(found) == law(model, hands(mine, own), hands(theirs, other))


def test_text_dice_cancel() -> None:
    """Two coins of A and B on either side: nothing is left where both have as many A."""
    coins = Pool([Dist("AB")] * 2)
    assert cancelled(coins, coins).p((0, 0)) == F(6, 16)


def test_pairs_are_counted_once_and_all() -> None:
    found = paired(d6.pool(3), Pool([d4, d8]))
    assert all(sum(pairs) == 2 for pairs in found)
    assert found.map(lambda pairs: pairs[0]) == matched(d6.pool(3), Pool([d4, d8]))
    turned = paired(Pool([d4, d8]), d6.pool(3)).map(lambda pairs: pairs[::-1])
    assert turned == found


def test_matched_is_the_one_of_folds() -> None:
    assert matched is folds_matched


def test_fewer_dice_on_the_first_side() -> None:
    """The higher of two dice is f in 2f - 1 of 36 rolls: a tie in 1 + 3 + 5 + 7 + 9 + 11 = 36 of
    216, won in 0 + 1 + 4 + 9 + 16 + 25 = 55, lost in the other 125."""
    found = paired(d6.pool(1), d6.pool(2))
    assert found == Dist({(1, 0, 0): 55, (0, 1, 0): 36, (0, 0, 1): 125})
    assert paired(Pool([4]), Pool([5, 1])) == Dist([(0, 0, 1)])
    assert paired(Pool([6, 4]), Pool([5, 5, 1])) == Dist([(1, 0, 1)])
    assert paired(Pool([6, 4, 3]), Pool([5, 5])) == Dist([(1, 0, 1)])


def test_above_all_is_strictly_above() -> None:
    assert above_all(Pool([5, 5, 4]), Pool([4, 1])) == Dist([2])
    assert above_all(Pool([5, 5, 4]), Pool([5])) == Dist([0])
    assert above_all(Pool([5, 5, 4]), Pool([])) == Dist([3])
    assert above_all(d6.pool(2), d6.pool(1)).p(0) == F(91, 216)


def test_what_is_left_of_either_side() -> None:
    """1, 1, 2 and 1, 2, 2, 3: a 1 on the one side, a 2 and a 3 on the other."""
    mine, theirs = Pool([1, 1, 2]), Pool([1, 2, 2, 3])
    assert cancelled(mine, theirs) == Dist([(1, 2)])
    left = total([mine, theirs], lambda face, own, other: face * max(0, own - other))
    right = total([mine, theirs], lambda face, own, other: face * max(0, other - own))
    assert (left, right) == (Dist([1]), Dist([5]))


@given(mine=kept(WHOLE, 3), theirs=kept(WHOLE, 3))
@quick(40)
def test_what_is_left_added_up(mine: Kept, theirs: Kept) -> None:
    """What is left of the first side; and both sides together, where what cancels adds nothing."""
    sources = [pool_of(mine), pool_of(theirs)]
    left = total(sources, lambda face, own, other: face * max(0, own - other))
    model = law(
        lambda a, b: sum((Counter(a) - Counter(b)).elements()), rolls(*mine), rolls(*theirs)
    )
    assert chances(left) == model
    apart_from_it = total(sources, lambda face, own, other: face * (own - other))
    assert apart_from_it == sources[0].sum() - sources[1].sum()


def test_a_battle_in_which_ties_cost_nothing() -> None:
    """4d6 against 3d6, each pair costs the loser a die, ties nothing, until one side is gone:
    1718071452659096719/2244741412001587200 (math.stackexchange.com/q/4318008)."""

    def step(left: tuple[int, int]) -> Any:
        found = paired(d6.pool(left[0]), d6.pool(left[1]))
        return found.map(lambda pairs: (left[0] - pairs[2], left[1] - pairs[0]))

    process = Process((4, 3), step, end=lambda left: 0 in left)
    chance = process.endings().p(lambda left: left[1] == 0)
    assert chance == F(1718071452659096719, 2244741412001587200)


def test_ironsworn() -> None:
    """d6 + 1 against two d10, ties miss: above neither 271, one 238, both 91 of 600."""
    both = d6.then(lambda face: d10.pool(2).count(lambda other: other < face + 1))
    assert both == Dist({0: 271, 1: 238, 2: 91})
    seen = paired(Pool([7, 7]), d10.pool(2))
    assert seen.p((2, 0, 0)) == F(36, 100)


def test_too_many_dice_are_refused() -> None:
    for ask in (paired, above_all):
        with pytest.raises(TooLarge, match="use fewer dice"):
            ask(d(100).pool(3000), d(100).pool(3000))
    with pytest.raises(TooLarge, match="use fewer dice"):
        matched(d20.pool(8), d20.pool(8), budget=1_000)


def test_fair_dice_meet_as_equals() -> None:
    """By symmetry won and lost are alike."""
    found = paired(d8.pool(4), d8.pool(4))
    assert found.map(lambda pairs: pairs[::-1]) == found
    assert law(meetings, rolls([fair(3)] * 4), rolls([fair(3)] * 4)) == chances(
        paired(d(3).pool(4), d(3).pool(4))
    )
