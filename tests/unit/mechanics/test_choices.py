"""Re-rolls as decisions."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.some import quick
from oddsmith import Dist, Pool, d, d4, d6, d8
from oddsmith.errors import OddsmithError, RuleError, TooLarge
from oddsmith.mechanics.choices import best_reroll, reroll_lowest, reroll_some

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

F = Fraction
Roll = tuple[Any, ...]
Die = dict[int, int]

THREE: Die = {1: 1, 2: 1, 3: 1}
SKEW: Die = {0: 2, 1: 1, 5: 3}
SCORES: dict[str, Any] = {
    "sum": sum,
    "pair": lambda roll: int(len(set(roll)) == 1),
    "spread": lambda roll: max(roll) - min(roll),
    "low": lambda roll: -sum(roll),
    "product": lambda roll: (roll[0] - 2) * (roll[-1] - 2),
}


# --- the model: all rolls, all choices


def rolls_of(die: Die, count: int) -> Iterator[tuple[Roll, Fraction]]:
    """Every roll in the order of the dice."""
    total = sum(die.values())
    for faces in product(die.items(), repeat=count):
        p = F(1)
        for _, weight in faces:
            p *= F(weight, total)
        yield tuple(face for face, _ in faces), p


def kept_parts(roll: Roll, most: int) -> list[Roll]:
    """What may be kept of a sorted roll."""
    sizes = range(max(0, len(roll) - most), len(roll) + 1)
    return sorted({part for size in sizes for part in combinations(roll, size)})


def law(die: Die, kept: Roll, dice: int) -> dict[Roll, Fraction]:
    """The sorted rolls once the dice kept are filled up."""
    found: dict[Roll, Fraction] = {}
    for fresh, p in rolls_of(die, dice - len(kept)):
        roll = tuple(sorted((*kept, *fresh)))
        found[roll] = found.get(roll, F(0)) + p
    return found


class Tried:
    """The best of all policies, each of them valued by itself."""

    def __init__(self, die: Die, dice: int, score: Any, most: int) -> None:
        self.first = law(die, (), dice)
        self.rolls = sorted(self.first)
        self.score = {roll: F(score(roll)) for roll in self.rolls}
        self.after = [
            {kept: law(die, kept, dice) for kept in kept_parts(roll, most)} for roll in self.rolls
        ]

    def policies(self) -> Iterator[list[dict[Roll, Fraction]]]:
        """Every way to say for every roll what is kept."""
        for choice in product(*(list(options.values()) for options in self.after)):
            yield list(choice)

    def once(self) -> Fraction:
        """The best mean with one re-roll."""
        worth = [{id(after): self.mean(after) for after in rows.values()} for rows in self.after]
        return max(
            sum(
                self.first[roll] * known[id(after)]
                for roll, after, known in zip(self.rolls, policy, worth, strict=True)
            )
            for policy in self.policies()
        )

    def mean(self, after: dict[Roll, Fraction]) -> Fraction:
        """The mean score of a law of rolls."""
        return sum((p * self.score[roll] for roll, p in after.items()), F(0))

    def twice(self) -> Fraction:
        """The best mean with two: any policy for the first re-roll with any for the second."""
        seconds = {tuple(map(self.mean, policy)) for policy in self.policies()}
        firsts = set()
        for policy in self.policies():
            after: dict[Roll, Fraction] = dict.fromkeys(self.rolls, F(0))
            for roll, law_after in zip(self.rolls, policy, strict=True):
                for target, p in law_after.items():
                    after[target] += self.first[roll] * p
            firsts.add(tuple(after.values()))
        return max(
            sum(p * worth for p, worth in zip(first, second, strict=True))
            for first in firsts
            for second in seconds
        )


def look_ahead(die: Die, dice: int, score: Any, most: int) -> Callable[[Roll, int], Fraction]:
    """What a sorted roll is worth with so many re-rolls left, over every choice and every roll."""

    @cache
    def worth(roll: Roll, left: int) -> Fraction:
        if not left:
            return F(score(roll))
        return max(value(kept, left) for kept in kept_parts(roll, most))

    def value(kept: Roll, left: int) -> Fraction:
        after = law(die, kept, dice)
        return sum((p * worth(roll, left - 1) for roll, p in after.items()), F(0))

    return worth


# --- all policies


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("most", [1, 2])
@pytest.mark.parametrize("die", [THREE, SKEW])
def test_one_re_roll_of_two_dice_against_all_policies(die: Die, most: int, score: str) -> None:
    """1728 of them, or 216 where only one die may be rolled again."""
    best = best_reroll(Dist(die).pool(2), SCORES[score], most=None if most == 2 else most)
    assert best.value == Tried(die, 2, SCORES[score], most).once()


@pytest.mark.parametrize("score", SCORES)
def test_two_re_rolls_of_one_die_each_against_all_policies(score: str) -> None:
    """216 * 216 of them on two dice of three faces."""
    best = best_reroll(Dist(THREE).pool(2), SCORES[score], most=1, rounds=2)
    assert best.value == Tried(THREE, 2, SCORES[score], 1).twice()


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("die", [{1: 1, 2: 1}, {0: 3, 4: 1}])
def test_two_re_rolls_of_two_dice_against_all_policies(die: Die, score: str) -> None:
    """36 * 36 of them on two dice of two faces."""
    best = best_reroll(Dist(die).pool(2), SCORES[score], rounds=2)
    assert best.value == Tried(die, 2, SCORES[score], 2).twice()


# --- looking ahead


CASES = st.tuples(
    st.dictionaries(st.integers(-2, 5), st.integers(1, 3), min_size=1, max_size=4),
    st.integers(1, 3),
    st.sampled_from(list(SCORES)),
    st.integers(0, 3),
    st.integers(0, 2),
)


@quick(50)
@given(CASES)
def test_the_value_is_the_best_there_is(case: tuple[Die, int, str, int, int]) -> None:
    die, dice, name, most, rounds = case
    score = SCORES[name]
    best = best_reroll(Dist(die).pool(dice), score, most, rounds)
    worth = look_ahead(die, dice, score, most)
    assert best.value == sum(p * worth(roll, rounds) for roll, p in law(die, (), dice).items())


@quick(50)
@given(CASES)
def test_what_is_kept_is_the_best_for_every_roll(case: tuple[Die, int, str, int, int]) -> None:
    """And of equally good choices one that rolls the fewest dice."""
    die, dice, name, most, rounds = case
    score = SCORES[name]
    best = best_reroll(Dist(die).pool(dice), score, most, rounds)
    worth = look_ahead(die, dice, score, most)
    for roll in law(die, (), dice):
        for left in range(1, rounds + 1):
            values = {
                kept: sum(p * worth(end, left - 1) for end, p in law(die, kept, dice).items())
                for kept in kept_parts(roll, most)
            }
            top = max(values.values())
            kept = best.keep(roll, left)
            assert values[kept] == top
            assert len(kept) == max(len(other) for other, v in values.items() if v == top)


@quick(50)
@given(CASES)
def test_the_scores_are_those_of_following_the_policy(case: tuple[Die, int, str, int, int]) -> None:
    die, dice, name, most, rounds = case
    score = SCORES[name]
    best = best_reroll(Dist(die).pool(dice), score, most, rounds)
    now = law(die, (), dice)
    for left in range(rounds, 0, -1):
        after: dict[Roll, Fraction] = {}
        for roll, p in now.items():
            for end, q in law(die, best.keep(roll, left), dice).items():
                after[end] = after.get(end, F(0)) + p * q
        now = after
    scores: dict[int, Fraction] = {}
    for roll, p in now.items():
        scores[score(roll)] = scores.get(score(roll), F(0)) + p
    assert dict(best.scores.items()) == scores
    assert best.scores.mean == best.value


# --- values people know


def test_five_alike_in_three_rolls() -> None:
    """347897/7558272, the best chance of five of a kind (djohn89.com, blog.plover.com)."""
    best = best_reroll(d6.pool(5), lambda roll: int(len(set(roll)) == 1), rounds=2)
    assert best.value == F(347897, 7558272)
    assert best.scores.p(1) == F(347897, 7558272)
    assert best.keep((2, 2, 3, 3, 6), 2) in {(2, 2), (3, 3)}
    assert best.keep((4, 4, 4, 4, 4), 2) == (4, 4, 4, 4, 4)


def test_a_die_rolled_again_up_to_twice() -> None:
    """5 and 6 are kept with two re-rolls left, 4 and more with one: 7/2, 17/4, 14/3."""
    for rounds, value in ((0, F(7, 2)), (1, F(17, 4)), (2, F(14, 3))):
        assert best_reroll(d6.pool(1), sum, rounds=rounds).value == value
    best = best_reroll(d6.pool(1), sum, rounds=2)
    assert [best.keep((k,), 2) for k in range(3, 7)] == [(), (), (5,), (6,)]
    assert [best.keep((k,), 1) for k in range(3, 7)] == [(), (4,), (5,), (6,)]


def test_no_re_roll_is_the_plain_mean() -> None:
    assert best_reroll(d8.pool(3), sum, most=0, rounds=4).value == F(27, 2)
    assert best_reroll(d8.pool(3), sum, rounds=0).value == F(27, 2)
    assert best_reroll(d8.pool(3), sum, rounds=0).scores == 3 @ d8


def test_more_than_all_dice_are_all_dice() -> None:
    assert best_reroll(d4.pool(2), sum, most=9).value == best_reroll(d4.pool(2), sum).value


def test_rolls_come_in_any_order() -> None:
    best = best_reroll(d6.pool(3), sum)
    assert best.keep((6, 1, 4)) == best.keep((1, 4, 6)) == (4, 6)


def test_words_on_the_dice() -> None:
    """Two of three faces hit; a miss is rolled again: 8/9 each."""
    die = Dist({"hit": 2, "miss": 1})
    best = best_reroll(die.pool(2), lambda roll: roll.count("hit"))
    assert best.value == F(16, 9)
    assert best.keep(("miss", "hit")) == ("hit",)


def test_scores_may_be_fractions() -> None:
    best = best_reroll(d(2).pool(1), lambda roll: F(roll[0], 3))
    assert best.value == F(7, 12)
    assert best.scores.mean == best.value


# --- the lowest dice again, whatever they show


@quick(60)
@given(
    st.dictionaries(st.integers(-2, 5), st.integers(1, 3), min_size=1, max_size=4),
    st.integers(1, 3),
    st.integers(0, 3),
)
def test_the_lowest_again(die: Die, dice: int, count: int) -> None:
    count = min(count, dice)
    expected: dict[Roll, Fraction] = {}
    for roll, p in rolls_of(die, dice):
        for fresh, q in rolls_of(die, count):
            end = tuple(sorted((*sorted(roll)[count:], *fresh)))
            expected[end] = expected.get(end, F(0)) + p * q
    assert dict(reroll_lowest(Dist(die).pool(dice), count, total=False).items()) == expected
    sums: dict[int, Fraction] = {}
    for roll, p in expected.items():
        sums[sum(roll)] = sums.get(sum(roll), F(0)) + p
    assert dict(reroll_lowest(Dist(die).pool(dice), count).items()) == sums


def test_the_lowest_of_words_is_no_sum_but_a_roll() -> None:
    """The lower of two words in order is rolled again."""
    found = reroll_lowest(Dist(["a", "b"]).pool(2), 1, total=False)
    assert found == Dist({("a", "a"): 1, ("a", "b"): 4, ("b", "b"): 3})


# --- what is refused


@pytest.mark.parametrize("pool", [Pool([d6, d8]), Pool([]), d6.pool(3).keep_highest(2)])
def test_only_like_dice_none_removed(pool: Pool) -> None:
    with pytest.raises(RuleError):
        best_reroll(pool, sum)
    with pytest.raises(RuleError):
        reroll_lowest(pool, 1)


@pytest.mark.parametrize("count", [-1, 4])
def test_more_dice_than_there_are(count: int) -> None:
    with pytest.raises(RuleError):
        reroll_lowest(d6.pool(3), count)


@pytest.mark.parametrize("options", [{"rounds": -1}, {"most": -1}])
def test_no_less_than_none(options: dict[str, int]) -> None:
    with pytest.raises(OddsmithError):
        best_reroll(d6.pool(1), sum, **options)


def test_scores_are_exact() -> None:
    """A float has no exact mean; 1/10 would come back as 3602879701896397/2**55."""
    with pytest.raises(OddsmithError):
        best_reroll(d6.pool(1), lambda roll: 0.1)


def test_a_roll_has_as_many_dice_as_the_pool() -> None:
    best = best_reroll(d6.pool(2), sum)
    for roll in ((1, 2, 3), (1,), (1, 9)):
        with pytest.raises(OddsmithError):
            best.keep(roll)


def test_too_many_rolls() -> None:
    with pytest.raises(TooLarge):
        best_reroll(d(20).pool(12), sum)
    with pytest.raises(TooLarge):
        best_reroll(d6.pool(3), sum, budget=100)


# --- a shared number of re-rolls


def after_rerolls(roll: Roll, fits: Any, most: int, order: str) -> list[tuple[Roll, Fraction]]:
    """Which dice stay, with the chance that it is these: dice are told apart by their place."""
    places = [place for place in range(len(roll)) if fits(roll[place])]
    if order == "lowest":
        chosen = [sorted(places, key=lambda place: roll[place])[:most]]
    elif order == "highest":
        chosen = [sorted(places, key=lambda place: -roll[place])[:most]]
    else:
        chosen = [list(part) for part in combinations(places, min(most, len(places)))]
    return [
        (tuple(roll[place] for place in range(len(roll)) if place not in part), F(1, len(chosen)))
        for part in chosen
    ]


def rerolled(die: Die, dice: int, fits: Any, most: int, order: str) -> dict[Roll, Fraction]:
    """The sorted rolls in the end."""
    found: dict[Roll, Fraction] = {}
    for roll, p in rolls_of(die, dice):
        for stay, q in after_rerolls(roll, fits, most, order):
            for final, r in law(die, stay, dice).items():
                found[final] = found.get(final, F(0)) + p * q * r
    return found


@pytest.mark.parametrize("order", ["lowest", "highest", "random"])
@pytest.mark.parametrize("most", [0, 1, 2, 3, 9])
@pytest.mark.parametrize("die", [THREE, SKEW, {1: 1, 2: 2, 3: 1, 4: 1}])
def test_some_dice_again(die: Die, most: int, order: str) -> None:
    faces = sorted(die)
    for low, dice in ((faces[0], 2), (faces[1], 3)):
        model = rerolled(die, dice, lambda face, low=low: face <= low, most, order)
        pool = Dist(die).pool(dice)
        found = reroll_some(pool, lambda face, low=low: face <= low, most, order, total=False)
        assert dict(found.items()) == model
        totals: dict[int, Fraction] = {}
        for roll, p in model.items():
            totals[sum(roll)] = totals.get(sum(roll), F(0)) + p
        wanted = {face for face in faces if face <= low}
        assert dict(reroll_some(pool, wanted, most, order).items()) == totals


def test_what_fits_may_be_the_high_faces() -> None:
    """One of two d4 that show 4: 7/16 for one or both, each with 3/2 less on average."""
    for order in ("lowest", "highest", "random"):
        assert reroll_some(d4.pool(2), 4, 1, order).mean == 5 - F(7, 16) * F(3, 2)


def test_no_die_or_every_die_fits() -> None:
    assert reroll_some(d6.pool(3), 7, 2) == 3 @ d6
    assert reroll_some(d6.pool(3), lambda face: True, 3) == 3 @ d6
    assert reroll_some(d6.pool(2), lambda face: True, 1).mean == F(287, 36)
    assert reroll_some(d6.pool(2), lambda face: True, 1) == reroll_lowest(d6.pool(2), 1)


def test_a_re_roll_is_for_once() -> None:
    """A coin of 1 and 2: the 1s again, 1/4 for a 1 in the end."""
    assert reroll_some(d(2).pool(1), 1, 5) == Dist({1: 1, 2: 3})


def test_many_dice_with_a_shared_number() -> None:
    """Forty d6, re-rolling all 1s: each gains 5/2 with 1/6."""
    assert reroll_some(d6.pool(40), 1, 40).mean == 40 * (F(7, 2) + F(5, 12))


@pytest.mark.parametrize(("most", "order"), [(-1, "lowest"), (1, "middle"), (F(1, 2), "random")])
def test_re_rolls_that_make_no_sense(most: Any, order: str) -> None:
    with pytest.raises(RuleError):
        reroll_some(d6.pool(2), 1, most, order)


def test_re_rolls_of_like_dice_only() -> None:
    for pool in (Pool([d6, d8]), d6.pool(3).keep_highest(2)):
        with pytest.raises(RuleError, match="like dice"):
            reroll_some(pool, 1, 1)
