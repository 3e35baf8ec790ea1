"""Battles in rounds: each exchange against every roll, each battle round by round."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from oddsmith import Dist, OpenDist, Pool, Process, d4, d6, d8
from oddsmith.errors import OddsmithError, RuleError, TooLarge
from oddsmith.folds import fold
from oddsmith.mechanics.battle import battle, exchange
from unit.every import Table, chances, fair, law, rolls

if TYPE_CHECKING:
    from unit.every import Law

F = Fraction
Left = tuple[int, int]


def losses(mine: tuple[Any, ...], theirs: tuple[Any, ...]) -> Left:
    """The higher die of each pair stands; of equal ones the defender's."""
    met = list(zip(sorted(mine)[::-1], sorted(theirs)[::-1], strict=False))
    won = sum(own > other for own, other in met)
    return len(met) - won, won


def one_round(mine: int, theirs: int, die: Table, most: Left) -> Law:
    dice = rolls([die] * min(mine, most[0])), rolls([die] * min(theirs, most[1]))
    return law(losses, *dice)


def fought_out(start: Left, die: Table, most: Left = (3, 2), stop: int = 0) -> tuple[Law, Law]:
    """How it ends and after how many rounds, one round after the other."""
    going: Law = {start: F(1)}
    ends: Law = defaultdict(Fraction)
    rounds: Law = defaultdict(Fraction)
    for count in range(sum(start) + 1):
        after: Law = defaultdict(Fraction)
        for (mine, theirs), p in going.items():
            if mine <= stop or theirs <= 0:
                ends[mine, theirs] += p
                rounds[count] += p
                continue
            for (lost, won), q in one_round(mine, theirs, die, most).items():
                after[mine - lost, theirs - won] += p * q
        going = after
    return dict(ends), dict(rounds)


# --- one exchange


@pytest.mark.parametrize(
    ("attackers", "defenders", "wins"),
    [
        (1, 1, [F(7, 12), F(5, 12)]),
        (1, 2, [F(161, 216), F(55, 216)]),
        (2, 1, [F(91, 216), F(125, 216)]),
        (3, 1, [F(49, 144), F(95, 144)]),
        (2, 2, [F(581, 1296), F(420, 1296), F(295, 1296)]),
        (3, 2, [F(2275, 7776), F(2611, 7776), F(2890, 7776)]),
    ],
)
def test_the_classic_table(attackers: int, defenders: int, wins: list[Fraction]) -> None:
    """How many the defender loses (Osborne, Mathematics Magazine 2003)."""
    found = exchange(attackers, defenders)
    pairs = len(wins) - 1
    assert [found.p((pairs - won, won)) for won in range(pairs + 1)] == wins
    assert sum(wins) == 1


@pytest.mark.parametrize("attackers", range(1, 6))
@pytest.mark.parametrize("defenders", range(1, 5))
def test_every_number_on_either_side(attackers: int, defenders: int) -> None:
    """At most three dice against two."""
    model = one_round(attackers, defenders, fair(6), (3, 2))
    assert chances(exchange(attackers, defenders)) == model


@pytest.mark.parametrize("most", [(1, 1), (1, 3), (2, 3), (3, 3), (4, 4), (2, 4)])
@pytest.mark.parametrize("die", [fair(3), {1: 2, 2: 1, 5: 3}])
def test_other_dice_and_limits(most: Left, die: Table) -> None:
    for attackers in range(1, 5):
        for defenders in range(1, 5):
            found = exchange(attackers, defenders, Dist(die), most)
            assert chances(found) == one_round(attackers, defenders, die, most)


def test_larger_dice_favour_the_attacker() -> None:
    """1 against 1 with n sides: (n - 1) / 2n."""
    for die, chance in [(d4, F(3, 8)), (d6, F(5, 12)), (d8, F(7, 16))]:
        assert exchange(1, 1, die).p((0, 1)) == chance


def test_a_die_of_one_face_always_ties() -> None:
    assert exchange(3, 2, Dist([7])) == Dist([(2, 0)])


@pytest.mark.parametrize(("attackers", "defenders"), [(0, 1), (1, 0), (0, 0), (-1, 2), (2, -1)])
def test_somebody_on_either_side(attackers: int, defenders: int) -> None:
    with pytest.raises(RuleError, match="a battle needs somebody on either side"):
        exchange(attackers, defenders)


@pytest.mark.parametrize("count", [F(3, 2), 1.5])
def test_dice_are_whole(count: Any) -> None:
    with pytest.raises(OddsmithError, match="a pool cannot have"):
        exchange(count, 1)


# --- to the end


def wins(process: Process) -> Fraction:
    return process.endings().p(lambda left: left[1] == 0)


def test_three_against_three() -> None:
    """511817135/1088391168."""
    assert wins(battle(3, 3)) == F(511817135, 1088391168)


def test_one_against_two() -> None:
    """Both must fall, one after the other: 55/216 * 5/12 = 275/2592."""
    assert wins(battle(1, 2)) == F(55, 216) * F(5, 12) == F(275, 2592)


def test_two_against_one() -> None:
    """125/216, or one is lost first: 91/216 * 5/12."""
    assert wins(battle(2, 1)) == F(125, 216) + F(91, 216) * F(5, 12)


@pytest.mark.parametrize("start", [(1, 1), (1, 4), (4, 1), (2, 2), (3, 3), (5, 2), (4, 5), (6, 4)])
def test_every_ending(start: Left) -> None:
    ends, rounds = fought_out(start, fair(6))
    process = battle(*start)
    assert chances(process.endings()) == ends
    assert chances(process.steps()) == rounds
    assert process.mean_steps() == sum(count * p for count, p in rounds.items())


@pytest.mark.parametrize("most", [(1, 1), (1, 2), (3, 3), (2, 4)])
@pytest.mark.parametrize("die", [fair(3), {1: 2, 2: 1, 5: 3}])
def test_other_rules(most: Left, die: Table) -> None:
    for start in [(1, 3), (3, 1), (4, 3)]:
        ends, _ = fought_out(start, die, most)
        assert chances(battle(*start, Dist(die), most).endings()) == ends


@pytest.mark.parametrize("stop", range(5))
def test_the_attacker_may_give_up(stop: int) -> None:
    """With so many left; when there are no more from the start, at once."""
    ends, rounds = fought_out((4, 3), fair(6), stop=stop)
    process = battle(4, 3, stop=stop)
    assert chances(process.endings()) == ends
    assert chances(process.steps()) == rounds
    if stop == 4:
        assert process.endings() == Dist([(4, 3)])


@pytest.mark.parametrize("start", [(0, 3), (3, 0), (0, 0)])
def test_a_battle_that_is_over(start: Left) -> None:
    process = battle(*start)
    assert process.endings() == Dist([start])
    assert process.mean_steps() == 0


def test_all_that_is_lost_is_lost_round_by_round() -> None:
    """3 against 2: two fall in each of the first rounds."""
    after = battle(3, 2).after(1)
    assert {left: p * 7776 for left, p in after.items()} == {
        (1, 2): 2275, (2, 1): 2611, (3, 0): 2890,
    }  # fmt: skip


def test_a_battle_has_a_last_round() -> None:
    found = battle(5, 5).steps()
    assert isinstance(found, Dist)
    assert not isinstance(found, OpenDist)
    assert found.high <= 9


def test_a_large_battle() -> None:
    """Against three dice to two, many attackers win more than half of the time."""
    assert wins(battle(20, 20)) > F(1, 2)
    assert sum(p for _, p in battle(20, 20).endings().items()) == 1


def test_the_attacker_cannot_fight_with_none() -> None:
    with pytest.raises(RuleError, match="a battle needs somebody on either side"):
        battle(3, 3, stop=-1)


def test_a_battle_too_large() -> None:
    with pytest.raises(TooLarge, match="give the process fewer states"):
        battle(400, 400).endings()


def test_a_round_by_a_rule_of_ones_own() -> None:
    """The same as a state machine over both pools."""

    def step(state: tuple[int, int, int], _: int, own: int, other: int) -> tuple[int, int, int]:
        won, i, j = state
        now = max(0, min(i + own, 2) - max(i, j + other))
        return won + now, i + own, j + other

    found = fold(
        [d6.pool(3), Pool([d6, d6])], step, (0, 0, 0), lambda state: state[0], descending=True
    )
    assert found == Dist({0: 2275, 1: 2611, 2: 2890})
