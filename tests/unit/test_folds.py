"""State machines over several sources, each against every combination of rolls and hands."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith import Deck, Dist, Pool, d, d4, d6, d8, d10, d12
from oddsmith.errors import OutcomeError, TooLarge
from oddsmith.folds import fold, matched, total

from .every import (
    CARDS,
    CLOSE,
    TEXT,
    WHOLE,
    Kept,
    apart,
    chances,
    deals,
    drawn,
    fair,
    hands,
    kept,
    law,
    quick,
    rank,
    rolls,
)

F = Fraction
Roll = tuple[Any, ...]

COUNTS = drawn(lambda chance: (chance.randint(0, 2), chance.randint(1, 2)))


def pool_of(dice: Kept) -> Pool:
    tables, first, last = dice
    return Pool([Dist(table) for table in tables]).window(first, last)


def all_faces(*tables: Any) -> list[Any]:
    """Every face of some source, from low to high."""
    return sorted({face for table in tables for face in table}, key=rank)


def record(state: Any, face: Any, *counts: int) -> Any:
    """A rule that forgets nothing."""
    return (*state, (face, *counts))


def recorded(faces: list[Any], *shown: Roll) -> Any:
    """What it has noted in the end."""
    return tuple((face, *(roll.count(face) for roll in shown)) for face in faces)


# --- folds: one, two and three sources


@given(dice=st.one_of(kept(WHOLE), kept(TEXT)), down=st.booleans())
@quick(60)
def test_one_source(dice: Kept, down: bool) -> None:
    faces = all_faces(*dice[0])
    if down:
        faces.reverse()
    found = fold(pool_of(dice), record, (), descending=down)
    assert chances(found) == law(lambda roll: recorded(faces, roll), rolls(*dice))
    assert fold([pool_of(dice)], record, (), descending=down) == found
    assert pool_of(dice).fold(record, (), descending=down) == found


@given(
    mine=st.one_of(kept(WHOLE, 3), kept(TEXT, 3)),
    theirs=st.one_of(kept(WHOLE, 3), kept(TEXT, 3)),
    down=st.booleans(),
)
@quick(60)
def test_two_sources(mine: Kept, theirs: Kept, down: bool) -> None:
    faces = all_faces(*mine[0], *theirs[0])
    if down:
        faces.reverse()
    found = fold([pool_of(mine), pool_of(theirs)], record, (), descending=down)
    model = law(lambda a, b: recorded(faces, a, b), rolls(*mine), rolls(*theirs))
    assert chances(found) == model


@given(a=kept(CLOSE, 2), b=kept(CLOSE, 2), c=kept(CLOSE, 2), down=st.booleans())
@quick(40)
def test_three_sources(a: Kept, b: Kept, c: Kept, down: bool) -> None:
    faces = all_faces(*a[0], *b[0], *c[0])
    if down:
        faces.reverse()
    found = fold((pool_of(a), pool_of(b), pool_of(c)), record, (), descending=down)
    model = law(lambda x, y, z: recorded(faces, x, y, z), rolls(*a), rolls(*b), rolls(*c))
    assert chances(found) == model


@given(dice=kept(CLOSE, 3), cards=CARDS, count=st.integers(0, 6), down=st.booleans())
@quick(50)
def test_dice_beside_a_hand_of_cards(dice: Kept, cards: list[int], count: int, down: bool) -> None:
    count = min(count, len(cards))
    faces = all_faces(*dice[0], cards)
    if down:
        faces.reverse()
    hand = Deck(cards).deal(count)
    found = fold([hand, pool_of(dice)], record, (), descending=down)
    model = law(lambda a, b: recorded(faces, a, b), hands(cards, count), rolls(*dice))
    assert chances(found) == model
    other = fold([pool_of(dice), hand], record, (), descending=down)
    model = law(lambda b, a: recorded(faces, a, b), hands(cards, count), rolls(*dice))
    assert chances(other) == model


@given(
    dice=kept(CLOSE, 2),
    cards=CARDS,
    counts=COUNTS,
    down=st.booleans(),
)
@quick(40)
def test_two_hands_of_one_deck_beside_dice(
    dice: Kept, cards: list[int], counts: tuple[int, int], down: bool
) -> None:
    """Each hand has a count of its own, before that of the dice."""
    if sum(counts) > len(cards):
        return
    faces = all_faces(*dice[0], cards)
    if down:
        faces.reverse()
    found = fold([Deck(cards).deals(*counts), pool_of(dice)], record, (), descending=down)
    model = law(
        lambda both, roll: recorded(faces, *both, roll), deals(cards, *counts), rolls(*dice)
    )
    assert chances(found) == model


def test_the_same_pool_twice_is_rolled_twice() -> None:
    pool = d(2).pool(1)
    found = fold([pool, pool], lambda state, face, a, b: state + (a > b), 0)
    assert found == Dist([0, 0, 1, 1])


def test_a_face_of_one_source_only() -> None:
    """Every face of any source is met, in order, also those that nothing shows."""
    found = fold([Pool([1, 5]), Pool([3, "Hit"]), Pool([])], record, ())
    assert found == Dist([((1, 1, 0, 0), (3, 0, 1, 0), (5, 1, 0, 0), ("Hit", 0, 1, 0))])


def test_no_source_at_all() -> None:
    assert fold([], record, "start") == Dist(["start"])
    assert fold([Pool([]), Pool([])], record, 3, final=lambda state: state + 1) == Dist([4])
    assert total([], lambda face: 1) == Dist([0])


def test_the_last_state_may_become_something_else() -> None:
    """2d6: the sum is even in half of the rolls."""
    found = d6.pool(2).fold(lambda s, face, n: s + n * face, 0, final=lambda s: ("odd", s % 2))
    assert found == Dist([("odd", 0), ("odd", 1)])


def test_a_state_may_be_none() -> None:
    first = lambda state, face, count: face if state is None and count else state  # noqa: E731
    assert d(2).pool(2).fold(first, None) == Dist({1: 3, 2: 1})


def test_results_are_outcomes() -> None:
    with pytest.raises(OutcomeError, match="is a float"):
        fold([d4.pool(1), d4.pool(1)], lambda state, face, a, b: state + a / 2, 0)
    with pytest.raises(OutcomeError, match="cannot be an outcome"):
        d4.pool(2).fold(lambda state, face, count: None, None)


LADDER = [fair(2), fair(3), fair(4), fair(4)]
TIMES = [{1: 1, 2: 2}, {1: 2, 2: 4, 3: 1}, {0: 5, 1: 3, 2: 6}, {1: 1, 2: 3}]
"""Dice that are alike, or all but a factor, once some faces are passed from above or below."""


@pytest.mark.parametrize("down", [True, False])
@pytest.mark.parametrize("dice", [LADDER, TIMES, [*TIMES[:3], {2: 7}]])
def test_dice_that_become_alike(dice: list[Any], down: bool) -> None:
    """Whole pools and every window of ranks."""
    faces = all_faces(*dice)
    if down:
        faces.reverse()
    for first in range(5):
        for last in range(first, 5):
            some = dice, first, last
            model = law(lambda roll: recorded(faces, roll), rolls(*some))
            assert chances(fold(pool_of(some), record, (), descending=down)) == model
            beside = fold([pool_of(some), Pool([1, 3])], record, (), descending=down)
            together = sorted({*faces, 1, 3}, reverse=down)
            model = law(lambda roll: recorded(together, roll, (1, 3)), rolls(*some))  # noqa: B023
            assert chances(beside) == model


def test_dice_of_many_faces_side_by_side() -> None:
    """A d2000 with a die of 1 and 2000: both odd in 1/2 * 1/4, neither in 1/2 * 3/4; the higher
    is odd only where the other is the 1, 1/4 * 1/2."""
    pool = Pool([d(2000), Dist({1: 1, 2000: 3})])
    for down in (True, False):

        def odd(state: int, face: int, count: int) -> int:
            return state + count * (face % 2)

        assert fold(pool, odd, 0, descending=down) == Dist({0: 3, 1: 4, 2: 1})
        assert fold(pool.keep_highest(), odd, 0, descending=down) == Dist({0: 7, 1: 1})


# --- totals


WORTH = drawn(lambda chance: [chance.randint(-3, 4) for _ in range(7)])


@given(dice=kept(WHOLE), worth=WORTH)
@quick(60)
def test_what_one_source_is_worth(dice: Kept, worth: list[int]) -> None:
    def value(face: int, count: int) -> int:
        return worth[(face + 3 * count) % 7]

    faces = all_faces(*dice[0])
    model = law(lambda roll: sum(value(face, roll.count(face)) for face in faces), rolls(*dice))
    assert chances(total(pool_of(dice), value)) == model


@given(mine=kept(WHOLE, 3), theirs=kept(WHOLE, 3), worth=WORTH)
@quick(60)
def test_what_two_sources_are_worth(mine: Kept, theirs: Kept, worth: list[int]) -> None:
    def value(face: int, own: int, other: int) -> int:
        return worth[(face + 2 * own + 3 * other) % 7]

    faces = all_faces(*mine[0], *theirs[0])
    model = law(
        lambda a, b: sum(value(face, a.count(face), b.count(face)) for face in faces),
        rolls(*mine),
        rolls(*theirs),
    )
    assert chances(total([pool_of(mine), pool_of(theirs)], value)) == model


@given(a=kept(CLOSE, 2), b=kept(CLOSE, 2), cards=CARDS, worth=WORTH)
@quick(40)
def test_what_three_sources_are_worth(a: Kept, b: Kept, cards: list[int], worth: list[int]) -> None:
    def value(face: int, *counts: int) -> int:
        return worth[(face + counts[0] + 2 * counts[1] + 4 * counts[2]) % 7]

    faces = all_faces(*a[0], *b[0], cards)
    count = len(cards) // 2
    model = law(
        lambda *shown: sum(value(face, *(roll.count(face) for roll in shown)) for face in faces),
        rolls(*a),
        hands(cards, count),
        rolls(*b),
    )
    sources = [pool_of(a), Deck(cards).deal(count), pool_of(b)]
    assert chances(total(sources, value)) == model


@given(cards=CARDS, counts=COUNTS, worth=WORTH)
@quick(40)
def test_what_two_hands_of_one_deck_are_worth(
    cards: list[int], counts: tuple[int, int], worth: list[int]
) -> None:
    def value(face: int, own: int, other: int) -> int:
        return worth[(face + 2 * own + 3 * other) % 7]

    if sum(counts) > len(cards):
        return
    model = law(
        lambda both: sum(
            value(face, both[0].count(face), both[1].count(face)) for face in set(cards)
        ),
        deals(cards, *counts),
    )
    assert chances(total(Deck(cards).deals(*counts), value)) == model


@given(mine=kept(WHOLE, 3), theirs=kept(WHOLE, 3))
@quick(60)
def test_what_is_left_of_both(mine: Kept, theirs: Kept) -> None:
    """Difference, union and what is common, each added up: with Counters as the model."""

    def added(shown: Counter[int]) -> int:
        return sum(face * count for face, count in shown.items())

    sources = [pool_of(mine), pool_of(theirs)]
    shown = rolls(*mine), rolls(*theirs)
    less = total(sources, lambda face, own, other: face * max(0, own - other))
    assert chances(less) == law(lambda a, b: added(Counter(a) - Counter(b)), *shown)
    both = total(sources, lambda face, own, other: face * min(own, other))
    assert chances(both) == law(lambda a, b: added(Counter(a) & Counter(b)), *shown)
    either = total(sources, lambda face, own, other: face * max(own, other))
    assert chances(either) == law(lambda a, b: added(Counter(a) | Counter(b)), *shown)


def test_a_large_and_a_small_worth() -> None:
    """Two coins of 1 and 2: 1 is worth -10 each, 2 is worth 1000 each."""
    found = total(d(2).pool(2), lambda face, count: count * (1000 if face == 2 else -10))
    assert found == Dist({-20: 1, 990: 2, 2000: 1})


def test_a_worth_far_away_is_answered_or_refused() -> None:
    text = "folds.total(d6.pool(1), lambda face, n: n * 10 ** (2 * face)).p(100)"
    assert apart(text) in ("1/6", "too large")


# --- matched: the highest against the highest


def pairs(mine: Roll, theirs: Roll) -> list[tuple[Any, Any]]:
    """Who meets whom; the lowest have nobody where there are more of them."""
    return list(zip(sorted(mine)[::-1], sorted(theirs)[::-1], strict=False))


def wins(mine: Roll, theirs: Roll) -> int:
    return sum(own > other for own, other in pairs(mine, theirs))


@pytest.mark.parametrize("mine", range(5))
@pytest.mark.parametrize("theirs", range(5))
def test_every_number_of_dice_on_either_side(mine: int, theirs: int) -> None:
    """Like dice of three faces, weighted and with different faces."""
    own, other = {1: 1, 2: 2, 4: 1}, {1: 1, 3: 1, 4: 2}
    found = matched(Dist(own).pool(mine), Dist(other).pool(theirs))
    assert chances(found) == law(wins, rolls([own] * mine), rolls([other] * theirs))


@given(mine=kept(WHOLE), theirs=kept(WHOLE))
@quick(120)
def test_matched_dice(mine: Kept, theirs: Kept) -> None:
    found = matched(pool_of(mine), pool_of(theirs))
    assert chances(found) == law(wins, rolls(*mine), rolls(*theirs))


@given(dice=kept(CLOSE, 3), cards=CARDS, count=st.integers(0, 6))
@quick(50)
def test_matched_dice_and_cards(dice: Kept, cards: list[int], count: int) -> None:
    count = min(count, len(cards))
    hand, shown = Deck(cards).deal(count), hands(cards, count)
    assert chances(matched(hand, pool_of(dice))) == law(wins, shown, rolls(*dice))
    assert chances(matched(pool_of(dice), hand)) == law(wins, rolls(*dice), shown)


@pytest.mark.parametrize(("first", "last"), [(0, 3), (1, 3), (0, 2), (1, 2), (2, 2)])
@pytest.mark.parametrize(("low", "high"), [(0, 3), (1, 3), (0, 2), (1, 2), (0, 0)])
def test_matched_windows(first: int, last: int, low: int, high: int) -> None:
    """d4, d6, d8 against 3d6, from each of which some ranks are removed."""
    mine = Pool([d4, d6, d8]).window(first, last)
    theirs = d6.pool(3).window(low, high)
    shown = rolls([fair(n) for n in (4, 6, 8)], first, last), rolls([fair(6)] * 3, low, high)
    assert chances(matched(mine, theirs)) == law(wins, *shown)


def test_fewer_dice_on_the_first_side() -> None:
    """One die against two: 55/216 (Osborne 2003), not the 125/216 of two against one."""
    assert matched(d6.pool(1), d6.pool(2)).p(1) == F(55, 216)
    assert matched(d6.pool(2), d6.pool(1)).p(1) == F(125, 216)
    assert matched(Pool([4]), Pool([5, 1])) == Dist([0])
    assert matched(Pool([6, 4]), Pool([5, 5, 1])) == Dist([1])
    assert matched(Pool([6, 4, 3]), Pool([5, 5])) == Dist([1])


def test_nobody_to_match() -> None:
    for mine, theirs in [(0, 0), (0, 2), (2, 0)]:
        assert matched(d6.pool(mine), d6.pool(theirs)) == Dist([0])


def test_ties_are_not_won() -> None:
    assert matched(Pool([3, 3]), Pool([3, 3])) == Dist([0])
    assert matched(d6.pool(1), d6.pool(1)).p(1) == F(15, 36)


# --- matching by rules of one's own: which of my dice are left


def left_over(extra: bool) -> Any:
    """At most as high as the die met: kept. What meets nobody is kept where ``extra`` says so."""

    def step(state: Any, face: int, own: int, other: int) -> Any:
        (left, i, j), limit = state[:3], state[3]
        for place in range(i, i + own):
            if place < min(j + other, limit) or (place >= limit and extra):
                left = (face, *left)
        return left, i + own, j + other, limit

    return step


@pytest.mark.parametrize("extra", [True, False])
@given(mine=kept(CLOSE, 3), theirs=kept(CLOSE, 3))
@quick(40)
def test_dice_that_are_not_higher_stay(extra: bool, mine: Kept, theirs: Kept) -> None:
    def model(a: Roll, b: Roll) -> Roll:
        met = [own for own, other in pairs(a, b) if own <= other]
        alone = sorted(a)[::-1][len(b) :] if extra else []
        return tuple(sorted([*met, *alone]))

    a, b = pool_of(mine), pool_of(theirs)
    found = fold(
        [a, b], left_over(extra), ((), 0, 0, b.size), lambda state: state[0], descending=True
    )
    assert chances(found) == law(model, rolls(*mine), rolls(*theirs))


def test_what_meets_nobody_is_low() -> None:
    """6, 4, 3 against 5, 5: the 4 is not higher, the 3 meets nobody and is not higher either;
    higher is only the 6."""
    sources = [Pool([6, 4, 3]), Pool([5, 5])]

    def ends(step: Any) -> Any:
        return fold(sources, step, ((), 0, 0, 2), lambda state: state[0], descending=True)

    assert ends(left_over(True)) == Dist([(3, 4)])
    assert ends(left_over(False)) == Dist([(4,)])

    def higher(state: Any, face: int, own: int, other: int) -> Any:
        won, i, j, limit = state
        won = (*(face for place in range(i, i + own) if j + other <= place < limit), *won)
        return won, i + own, j + other, limit

    assert ends(higher) == Dist([(6,)])


def drop_while_higher(state: Any, face: int, own: int, other: int) -> Any:
    """From the highest on my dice go while they are higher than the one they meet."""
    left, going, i, j, limit = state
    for place in range(i, i + own):
        going = going and j + other <= place < limit
        if not going:
            left = (face, *left)
    return left, going, i + own, j + other, limit


@pytest.mark.parametrize(
    ("mine", "theirs", "left"),
    [
        ([6, 4, 3], [5, 5], (3, 4)),
        ([4, 4, 3], [5, 5], (3, 4, 4)),
        ([6, 6, 3], [5, 5], (3,)),
        ([6, 6], [5, 5, 5], ()),
        ([6], [], (6,)),
    ],
)
def test_dice_go_while_they_are_higher(mine: list[int], theirs: list[int], left: Roll) -> None:
    """What meets nobody stays."""
    found = fold(
        [Pool(mine), Pool(theirs)],
        drop_while_higher,
        ((), True, 0, 0, len(theirs)),
        lambda state: state[0],
        descending=True,
    )
    assert found == Dist([left])


@given(mine=kept(CLOSE, 3), theirs=kept(CLOSE, 3))
@quick(40)
def test_random_dice_go_while_they_are_higher(mine: Kept, theirs: Kept) -> None:
    def model(a: Roll, b: Roll) -> Roll:
        gone = 0
        for own, other in pairs(a, b):
            if own <= other:
                break
            gone += 1
        return tuple(sorted(sorted(a)[::-1][gone:]))

    a, b = pool_of(mine), pool_of(theirs)
    found = fold(
        [a, b],
        drop_while_higher,
        ((), True, 0, 0, b.size),
        lambda state: state[0],
        descending=True,
    )
    assert chances(found) == law(model, rolls(*mine), rolls(*theirs))


# --- rules from games


def top_two(state: tuple[int, int], _: int, green: int, red: int) -> tuple[int, int]:
    """Like faces cancel; of what is left the two highest count."""
    room = 2 - sum(state)
    more = min(max(0, green - red), room), min(max(0, red - green), room)
    return state[0] + more[0], state[1] + more[1]


def verdict(state: tuple[int, int]) -> str:
    green, red = state
    return "full" if green and not red else "fail" if red and not green else "partly"


def green_and_red(green: Roll, red: Roll) -> str:
    """The same by looking at the two rolls."""
    left = [(face, "green") for face in (Counter(green) - Counter(red)).elements()]
    left += [(face, "red") for face in (Counter(red) - Counter(green)).elements()]
    colours = {colour for _, colour in sorted(left)[-2:]}
    return {"green": "full", "red": "fail"}.get("".join(colours), "partly")


def test_green_dice_against_red_dice() -> None:
    """Green d10 and d8, red d6 and d8: 265, 2784, 791 of 3840 (rpg.stackexchange.com/q/198579).

    Dice of one face cancel one for one. Are the two highest of what is left green, or is only
    green left, it is a full success; the same for red a failure; else a partial success.
    """
    found = fold([Pool([d10, d8]), Pool([d6, d8])], top_two, (0, 0), verdict, descending=True)
    assert found == Dist({"fail": 265, "partly": 2784, "full": 791})
    shown = rolls([fair(10), fair(8)]), rolls([fair(6), fair(8)])
    assert chances(found) == law(green_and_red, *shown)


def test_green_against_red_looks_from_the_top() -> None:
    """The other way round, with the two lowest, it would be another game."""
    up = fold([Pool([d10, d8]), Pool([d6, d8])], top_two, (0, 0), verdict)
    assert up.p("full") != F(791, 3840)


def test_three_green_dice_against_three_red_dice() -> None:
    """d4, d6, d8 on both sides: as often a failure as a full success."""
    pool, shown = Pool([d4, d6, d8]), rolls([fair(4), fair(6), fair(8)])
    found = fold([pool, pool], top_two, (0, 0), verdict, descending=True)
    assert found.p("full") == found.p("fail")
    assert chances(found) == law(green_and_red, shown, shown)


def test_ten_green_dice_against_ten_red_dice() -> None:
    """Two each of d4 to d12 on both sides (the larger case of the same question)."""
    pool = Pool([d4, d6, d8, d10, d12] * 2)
    found = fold([pool, pool], top_two, (0, 0), verdict, descending=True)
    size = 281792804290560000
    assert found.p("full") == found.p("fail") == F(67701912081930556, size)
    assert found.p("partly") == F(146388980126698888, size)


def stress_step(state: Any, face: int, action: int, stress: int) -> Any:
    """Each stress die takes away the highest action die that is not higher than it."""
    left, waiting = state
    waiting += stress
    gone = min(action, waiting)
    return (face,) * (action - gone) + left, waiting - gone


def after_stress(action: Roll, stress: Roll) -> Roll:
    left = list(action)
    for high in sorted(stress)[::-1]:
        fitting = [face for face in left if face <= high]
        if fitting:
            left.remove(max(fitting))
    return tuple(sorted(left))


def test_action_dice_against_stress_dice() -> None:
    """5d6 against 3d6: 2 to 5 left in 1097586, 432960, 132915, 16155 of 6^8 rolls, exactly
    1 and 1 in 97591 (rpg.stackexchange.com/q/198555)."""
    found = fold(
        [d6.pool(5), d6.pool(3)], stress_step, ((), 0), lambda state: state[0], descending=True
    )
    assert {k: p * 6**8 for k, p in found.map(len).items()} == {
        2: 1097586, 3: 432960, 4: 132915, 5: 16155,
    }  # fmt: skip
    assert found.p((1, 1)) == F(97591, 6**8)
    model = law(after_stress, rolls([fair(6)] * 5), rolls([fair(6)] * 3))
    assert chances(found) == model


def test_cards_less_a_die() -> None:
    """A card from 2, 3, 4, 5 and another; the first, unless d6 shows it: left in 60 of 72."""
    both = Deck([2, 3, 4, 5]).deals(1, 1)
    found = total([both, d6.pool(1)], lambda face, mine, theirs, die: max(0, mine - die))
    assert found == Dist({0: 12, 1: 60})
    folded = fold([both, d6.pool(1)], lambda s, face, mine, theirs, die: s + max(0, mine - die), 0)
    assert folded == found


def test_how_often_a_roll_holds_another() -> None:
    """1, 1, 2, 2 holds 1, 2 twice."""
    found = fold(
        [Pool([1, 1, 2, 2]), Pool([1, 2])],
        lambda state, face, own, other: min(state, own // other) if other else state,
        99,
    )
    assert found == Dist([2])


def test_nothing_in_common() -> None:
    common = total([Pool("ab"), Pool("c")], lambda face, own, other: min(own, other))
    assert common == Dist([0])


# --- the budget


@pytest.mark.parametrize(
    "sources",
    [d6.pool(5), [d6.pool(3), d8.pool(2)], [Deck("AABBCC").deal(3), Pool([d6, d8])]],
)
def test_a_small_budget(sources: Any) -> None:
    wanted = r"this needs about [\d,]+ units of work, the budget is 300: use fewer dice, or a rule"
    with pytest.raises(TooLarge, match=wanted):
        fold(sources, record, (), budget=300)
    with pytest.raises(TooLarge, match=wanted):
        total(sources, lambda face, *counts: 0, budget=300)
    if isinstance(sources, list):
        with pytest.raises(TooLarge, match=wanted):
            matched(d6.pool(3), d8.pool(2), budget=300)


def test_a_budget_that_is_enough() -> None:
    assert fold(d6.pool(2), lambda s, face, n: max(s, n), 0, budget=10**5).p(2) == F(1, 6)
    assert total(d6.pool(2), lambda face, n: n // 2, budget=10**5).p(1) == F(1, 6)
    assert matched(d6.pool(1), d6.pool(1), budget=10**5).p(1) == F(15, 36)


def test_too_many_states_are_refused() -> None:
    with pytest.raises(TooLarge):
        fold([d10.pool(40), d10.pool(40)], record, (), budget=10**6)


def test_a_rule_with_a_small_state_is_fast() -> None:
    """20d6 against 20d6: by symmetry either side has the higher number of sixes as often."""

    def more(state: int, face: int, own: int, other: int) -> int:
        return state if face < 6 else (own > other) - (own < other)

    found = fold([d6.pool(20), d6.pool(20)], more, 0)
    assert found.p(1) == found.p(-1)
    same = sum((comb(20, k) * 5 ** (20 - k)) ** 2 for k in range(21))
    assert found.p(0) == F(same, 6**40)
