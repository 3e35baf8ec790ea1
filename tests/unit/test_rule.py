"""``@rule``: a function of outcomes as one of distributions."""

from __future__ import annotations

import importlib
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.some import quick
from oddsmith import Deck, Dist, OpenDist, Pool, chain, coin, d, d4, d6, d8, d10, mix
from oddsmith.budget import question
from oddsmith.errors import NeverEnds, OutcomeError, TooLarge
from oddsmith.rules import again, rule

if TYPE_CHECKING:
    from collections.abc import Callable

F = Fraction
SMALL = st.dictionaries(st.integers(-3, 4), st.integers(1, 4), min_size=1, max_size=4)


def tried(function: Callable[..., Any], *tables: dict[Any, int]) -> dict[Any, Fraction]:
    """Every combination, one by one."""
    found: dict[Any, Fraction] = {}
    for faces in product(*tables):
        p = F(1)
        for table, face in zip(tables, faces, strict=True):
            p *= F(table[face], sum(table.values()))
        outcome = function(*faces)
        found[outcome] = found.get(outcome, F(0)) + p
    return found


# --- independent arguments


@quick(60)
@given(SMALL, SMALL, SMALL)
def test_a_rule_tries_every_combination(a: dict[int, int], b: dict[int, int], c: Any) -> None:
    def function(x: int, y: int, z: int) -> Any:
        return max(x, y) - z if x != y else "tie"

    assert dict(rule(function)(Dist(a), Dist(b), Dist(c)).items()) == tried(function, a, b, c)


@quick(40)
@given(SMALL, SMALL)
def test_what_a_rule_rolls_is_mixed(a: dict[int, int], b: dict[int, int]) -> None:
    """A roll that is made for each outcome, here as many coins as the face says."""
    found = rule(lambda x, y: abs(x) @ coin + y)(Dist(a), Dist(b))

    def flips(x: int, y: int, *heads: int) -> int:
        return sum(heads[: abs(x)]) + y

    coins = [{0: 1, 1: 1}] * 4
    assert dict(found.items()) == tried(flips, a, b, *coins)


def test_two_mentions_of_one_die_are_two_rolls() -> None:
    assert rule(lambda x, y: int(x == y))(d6, d6).p(1) == F(1, 6)


def test_one_argument_used_twice_is_one_roll() -> None:
    assert rule(lambda x: x - x)(d6) == Dist([0])


def test_plain_arguments_are_certain() -> None:
    hit = rule(lambda roll, bonus, kind: roll + bonus if kind == "add" else roll)
    assert hit(d4, 3, "add") == Dist([4, 5, 6, 7])
    assert hit(d4, 3, "not") == d4
    assert hit(2, 3, "add") == Dist([5])


def test_arguments_by_name() -> None:
    """d6 - d4 from 1 - 4 to 6 - 1, whatever the order of the names."""

    @rule
    def margin(mine: int, theirs: int, bonus: int = 0) -> int:
        return mine - theirs + bonus

    assert margin(mine=d6, theirs=d4) == margin(theirs=d4, mine=d6) == margin(d6, theirs=d4)
    assert margin(d6, d4) == d6 - d4
    assert margin(theirs=d4, mine=d6, bonus=Dist([0, 10])) == d6 - d4 + Dist([0, 10])


def test_a_rule_without_arguments() -> None:
    assert rule(lambda: d6)() == d6
    assert rule(lambda: 7)() == Dist([7])


def test_a_rule_keeps_its_name_and_its_words() -> None:
    @rule
    def damage(roll: int) -> int:
        """What it does."""
        return roll

    assert (damage.__name__, damage.__doc__) == ("damage", "What it does.")


def test_text_and_tuples() -> None:
    found = rule(lambda x, y: (x, "high" if y > 2 else "low"))(coin, d4)
    assert found == Dist({(x, y): 1 for x in (0, 1) for y in ("low", "high")})


def test_the_package_offers_the_function_not_the_module() -> None:
    """``from oddsmith import rule`` is what the documentation writes."""
    found = importlib.import_module("oddsmith")
    assert found.rule is rule
    assert found.again is again


# --- pools and hands


def test_a_pool_arrives_as_a_sorted_tuple() -> None:
    seen = set()

    def first_less_last(roll: tuple[int, ...]) -> int:
        seen.add(roll)
        return roll[-1] - roll[0]

    found = rule(first_less_last)(d4.pool(3))
    assert all(tuple(sorted(roll)) == roll for roll in seen)
    assert len(seen) == 20
    rolls = list(product(range(1, 5), repeat=3))
    assert all(found.p(k) == F(sum(max(r) - min(r) == k for r in rolls), 64) for k in range(-1, 5))


@quick(25)
@given(st.lists(SMALL, min_size=1, max_size=3), st.integers(0, 2), SMALL)
def test_pools_and_dice_together(dice: list[dict[int, int]], drop: int, other: Any) -> None:
    drop = min(drop, len(dice))

    def function(kept: tuple[int, ...], y: int) -> Any:
        return sum(kept) * y, len(kept)

    pool = Pool([Dist(die) for die in dice]).drop_lowest(drop)
    tables = [*dice, other]
    expected = tried(lambda *f: function(tuple(sorted(f[:-1]))[drop:], f[-1]), *tables)
    assert dict(rule(function)(pool, Dist(other)).items()) == expected


def test_two_pools_are_rolled_apart() -> None:
    """One and one die: the pairs agree with 1/6 each, in both places 1/36."""
    same = rule(lambda mine, theirs: int(mine == theirs))
    assert same(d6.pool(1), d6.pool(1)).p(1) == F(1, 6)
    assert same(d6.pool(2), d6.pool(2)).p(1) == F(6 + 15 * 4, 1296)


def test_a_hand_of_cards() -> None:
    """Both aces of A, A, B: one of the C(3, 2) hands."""
    assert rule(lambda cards: cards.count("A"))(Deck("AAB").deal(2)).p(2) == F(1, 3)


# --- rules in rules


def test_a_rule_in_a_rule() -> None:
    """To hit with 11 of 20, then d6, twice that for a 20."""

    @rule
    def damage(hit: int, power: int) -> int:
        return 0 if hit < 11 else 2 * power if hit == 20 else power

    @rule
    def attacks(number: int) -> Any:
        return sum((damage(d(20), d6) for _ in range(number)), Dist([0]))

    one = tried(lambda h, p: 0 if h < 11 else 2 * p if h == 20 else p,
                dict.fromkeys(range(1, 21), 1), dict.fromkeys(range(1, 7), 1))  # fmt: skip
    assert dict(attacks(1).items()) == one
    assert attacks(3).mean == 3 * F(77, 40)
    assert attacks(d4).mean == F(5, 2) * F(77, 40)


def test_an_inner_rule_may_start_again() -> None:
    """A die rolled until it is not a 1: (2..6), two of them added."""

    @rule
    def not_one(face: int) -> Any:
        return again(d6) if face == 1 else face

    @rule
    def two(first: int, bonus: int) -> Any:
        return first + not_one(d6) + bonus

    assert not_one(d6) == Dist(range(2, 7))
    assert two(not_one(d6), 1) == 2 @ Dist(range(2, 7)) + 1


def test_open_ended_results_are_mixed() -> None:
    found = rule(lambda x: chain(d6, {6}) if x == 1 else 0)(coin)
    assert isinstance(found, OpenDist)
    assert found.mean == F(21, 10)
    assert found.at_least(7) == F(1, 12)


# --- a stated depth


def exploding(depth: int) -> Any:
    """A d6 that rolls on at most so often, by calling itself."""

    @rule(depth=depth)
    def die(face: int) -> Any:
        return face + die(d6) if face == 6 else face

    return die


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_call_of_itself_with_a_depth(depth: int) -> None:
    """6k + r with (1/6)**(k + 1); after so many more rolls nothing is added: 6 (depth + 1)."""
    found = exploding(depth)(d6)
    for k in range(depth + 1):
        for r in range(1, 6):
            assert found.p(6 * k + r) == F(1, 6) ** (k + 1)
    assert found.p(6 * (depth + 1)) == F(1, 6) ** (depth + 1)
    assert found.high == 6 * (depth + 1)


def test_the_last_result_where_the_depth_is_used_up() -> None:
    @rule(depth=1, last="stop")
    def flips(side: int) -> Any:
        return "heads" if side else flips(coin)

    assert flips(coin) == Dist({"heads": 3, "stop": 1})


def test_depth_0_is_a_single_call() -> None:
    @rule(depth=0, last=-1)
    def die(face: int) -> Any:
        return die(d6) if face == 6 else face

    assert die(d6) == Dist([1, 2, 3, 4, 5, -1])


def test_the_depth_counts_anew_for_every_question() -> None:
    die = exploding(2)
    assert die(d6) == die(d6)
    assert (die(d6) + die(d6)).high == 36


@pytest.mark.parametrize("depth", [0, 1, 3])
def test_a_depth_with_again(depth: int) -> None:
    """Tails start again at most so often: heads with 1 - 2**-(depth + 1)."""

    @rule(depth=depth, last="tails")
    def flips(side: int) -> Any:
        return "heads" if side else again(coin)

    assert flips(coin).p("heads") == 1 - F(1, 2 ** (depth + 1))
    assert flips(coin).p("tails") == F(1, 2 ** (depth + 1))


# --- starting again without a limit


def test_re_rolled_until_it_fits() -> None:
    @rule
    def die(face: int) -> Any:
        return again(d10) if face > 7 else face

    assert die(d10) == d(7)


def test_who_rolls_a_six_first() -> None:
    """The first of two with 6/11: p / (1 - q**2)."""

    @rule
    def first(turn: str, face: int) -> Any:
        if face == 6:
            return turn
        return again("second" if turn == "first" else "first", d6)

    assert first("first", d6).p("first") == F(6, 11)
    assert first(Dist(["first", "second"]), d6).p("first") == F(1, 2)


def test_a_ruin_by_starting_again() -> None:
    """3 of 10, a classic value."""

    @rule
    def ruin(money: int) -> Any:
        if money in (0, 10):
            return money
        return mix([(again(money - 1), 1), (again(money + 1), 1)])

    assert ruin(3).p(10) == F(3, 10)


def test_craps_by_starting_again() -> None:
    """244/495, a classic value."""

    @rule
    def craps(total: int, point: int = 0) -> Any:
        if point:
            if total in (7, point):
                return int(total == point)
            return again(2 @ d6, point)
        if total in (7, 11):
            return 1
        return 0 if total in (2, 3, 12) else again(2 @ d6, total)

    assert craps(2 @ d6).p(1) == F(244, 495)


def test_counting_up_to_a_cap() -> None:
    """The number of rolls to the first 6, cut at 3: 1/6, 5/36, 25/36."""

    @rule
    def rolls(count: int) -> Any:
        return (d6 >= 6).if_else(count + 1, again(min(count + 1, 2)))

    found = rolls(0)
    assert (found.p(1), found.p(2), found.p(3)) == (F(1, 6), F(5, 36), F(25, 36))


def test_again_takes_distributions() -> None:
    """From 1 or 2 with a d4 each: the same as rolling until the d4 is 3 or 4."""

    @rule
    def die(low: int, face: int) -> Any:
        return again(d(2), d4) if face <= 2 else (low, face)

    assert die(9, d4) == Dist({(9, 3): 2, (9, 4): 2, (1, 3): 1, (1, 4): 1, (2, 3): 1, (2, 4): 1})


def test_again_with_a_certain_result_first() -> None:
    @rule
    def down(count: int) -> Any:
        return count if count <= 0 else again(count - 1)

    assert down(4) == Dist([0])
    assert down(Dist([3, -2])) == Dist([0, -2])


# --- what is refused


def test_a_call_of_itself_that_never_ends() -> None:
    @rule
    def runaway(face: int) -> Any:
        return runaway(face + 1)

    with pytest.raises(NeverEnds, match="runaway"):
        runaway(1)


def test_a_rule_is_whole_again_after_it_was_refused() -> None:
    @rule
    def picky(face: int) -> Any:
        return picky(face) if face == 0 else face

    with pytest.raises(NeverEnds):
        picky(0)
    assert picky(d6) == d6


def test_starting_again_for_ever() -> None:
    @rule
    def loop(face: int) -> Any:
        return again(d6)

    with pytest.raises(NeverEnds):
        loop(d6)


def test_starting_again_for_ever_as_often_as_is_said() -> None:
    """What would never end is over after three times, with what is said for that."""

    @rule(depth=3, last=7)
    def loop(face: int) -> Any:
        return again(d6)

    assert loop(d6) == Dist([7])


def test_starting_again_among_endless_many_states() -> None:
    @rule
    def count(n: int) -> Any:
        return mix([(n, 1), (again(n + 1), 1)])

    with question(2_000_000), pytest.raises(TooLarge):
        count(0)


def test_open_ended_arguments() -> None:
    with pytest.raises(OutcomeError, match="clamp"):
        rule(lambda x: x)(chain(d6, {6}))
    assert rule(lambda x: x)(chain(d6, {6}).clamp(high=7)).p(7) == F(1, 6)


def test_too_many_combinations() -> None:
    with pytest.raises(TooLarge):
        rule(lambda *faces: sum(faces))(*[d(100)] * 6)


@pytest.mark.parametrize("bad", [0.5, None])
def test_results_are_outcomes(bad: Any) -> None:
    with pytest.raises(OutcomeError):
        rule(lambda _: bad)(d6)


def test_again_takes_no_open_ended_dice() -> None:
    with pytest.raises(OutcomeError):
        rule(lambda x: again(chain(d6, {6})) if x == 1 else x)(d6)


def test_errors_of_the_function_are_its_own() -> None:
    with pytest.raises(ZeroDivisionError):
        rule(lambda x: 1 // (x - 1))(d8)
