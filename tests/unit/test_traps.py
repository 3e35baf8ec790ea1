"""Small questions that are easily got wrong: what is rolled twice, counted twice or forgotten."""

from __future__ import annotations

from fractions import Fraction

import pytest

from oddsmith import Dist, Process, chain, coin, d, d4, d6, joint, mix
from oddsmith.errors import NeverEnds
from oddsmith.mechanics.successes import push

F = Fraction


def test_a_die_rolled_again_twice() -> None:
    """d4, a 1 is rolled again, twice at most: a 1 stays in 1/64, the rest is shared by three."""
    twice = d4.then(lambda face: d4.then(lambda g: d4 if g == 1 else g) if face == 1 else face)
    assert twice == Dist({1: 1, 2: 21, 3: 21, 4: 21})
    pushed = push(d4.pool(1), lambda face: face != 1, times=2)
    assert pushed.sum() == twice


def test_a_random_number_of_dice() -> None:
    """No die in half of the cases, however many rolls a die has: 0 with 1/2."""
    found = Dist([0, 1]) @ d6
    assert found == Dist({0: 6, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1})


def test_pools_of_different_sizes_weigh_the_same() -> None:
    """One die or two, half each, the higher counts: a 6 in 1/2 * 1/6 + 1/2 * 11/36 = 17/72."""
    found = Dist([1, 2]).then(lambda dice: d6.pool(dice).keep_highest().sum())
    assert found.p(6) == F(17, 72)
    both = mix([(d6.pool(1).expand(), 1), (d6.pool(2).expand(), 1)])
    assert both.p(lambda roll: roll[-1] == 6) == F(17, 72)


def test_a_state_with_the_time_it_took() -> None:
    """A coin until heads, three times at most."""
    process = Process(
        (0, 0),
        lambda state: joint(coin, state[1] + 1),
        end=lambda state: state[0] == 1 or state[1] == 3,
    )
    assert process.endings() == Dist({(0, 3): 1, (1, 1): 4, (1, 2): 2, (1, 3): 1})


def test_a_state_of_two_numbers() -> None:
    """From (0, 2) one by one to (2, 0): surely, after 2 steps."""
    process = Process(
        (0, 2), lambda state: (state[0] + 1, state[1] - 1), end=lambda state: state[1] == 0
    )
    assert process.endings() == Dist([(2, 0)])
    assert process.steps() == Dist([2])


def test_a_die_that_goes_on_once() -> None:
    """6 and another d6: 7 to 12 with 1/36 each, never 6."""
    found = d6.then(lambda face: 6 + d6 if face == 6 else face)
    assert [found.p(k) for k in (5, 6, 7, 12)] == [F(1, 6), 0, F(1, 36), F(1, 36)]


def test_a_die_that_always_goes_on() -> None:
    for die in (d(1), d6):
        with pytest.raises(NeverEnds):
            chain(die, set(die))
