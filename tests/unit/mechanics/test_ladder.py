"""Step dice, and the wild die."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from oddsmith import Dist, OpenDist, chain, d, d4, d6, d8, d10, d12
from oddsmith.errors import RuleError
from oddsmith.mechanics.ladder import DICE, LONG, step, wild

F = Fraction


# --- steps


@pytest.mark.parametrize("ladder", [DICE, LONG, (2, 4, 8)])
def test_every_step_of_every_die(ladder: tuple[int, ...]) -> None:
    for start, end in product(range(len(ladder)), repeat=2):
        assert step(ladder[start], end - start, ladder) == d(ladder[end])


@pytest.mark.parametrize(
    ("sides", "by", "stop"), [(12, 1, 12), (12, 5, 12), (4, -1, 4), (6, -4, 4), (10, 2, 12)]
)
def test_the_ends_of_the_ladder(sides: int, by: int, stop: int) -> None:
    assert step(sides, by, stop=True) == d(stop)
    with pytest.raises(RuleError, match="leave"):
        step(sides, by)


@pytest.mark.parametrize("sides", [7, 20, 0])
def test_dice_that_are_no_step(sides: int) -> None:
    with pytest.raises(RuleError, match=f"d{sides}"):
        step(sides, 0)
    with pytest.raises(RuleError):
        step(sides, 1, stop=True)


def test_no_step_at_all() -> None:
    assert step(8, 0) == d8


# --- the wild die


WILD = {
    4: ("62.5", "19.2708"),
    6: ("75", "25.8488"),
    8: ("81.25", "24.6528"),
    10: ("85", "39.7222"),
    12: ("87.5", "49.7685"),
}
"""4 or more and 8 or more in percent, to four places (a note on insomnihack.com/?p=495)."""


@pytest.mark.parametrize(("sides", "percent"), WILD.items())
def test_a_trait_with_a_wild_die(sides: int, percent: tuple[str, str]) -> None:
    found = wild(d(sides))
    for target, digits in zip((4, 8), percent, strict=True):
        assert abs(100 * found.at_least(target) - F(digits)) <= F(1, 20000)


def open_chance(sides: int, target: int) -> Fraction:
    """An exploding die that reaches a target: so many highest faces, then the rest of the way."""
    aces, rest = divmod(target, sides)
    if rest == 0:
        return F(1, sides) ** aces
    return F(1, sides) ** aces * F(sides - rest + 1, sides)


@pytest.mark.parametrize(("trait", "extra"), [(4, 6), (6, 6), (8, 6), (12, 6), (4, 8), (10, 10)])
def test_the_better_of_two_open_ended_dice(trait: int, extra: int) -> None:
    found = wild(d(trait), d(extra))
    for target in range(1, 25):
        missed = (1 - open_chance(trait, target)) * (1 - open_chance(extra, target))
        assert found.at_least(target) == 1 - missed


@pytest.mark.parametrize("die", [d4, d6, d8, d10, d12])
def test_a_single_die_by_hand(die: Dist[int]) -> None:
    open_ended = chain(die, {die.high})
    assert isinstance(open_ended, OpenDist)
    for target in range(1, 31):
        assert open_ended.at_least(target) == open_chance(die.high, target)


def test_a_wild_die_that_does_not_explode() -> None:
    """The better of a d4 and a d6: k or less with min(k, 4)/4 * k/6."""
    found = wild(d4, explodes=False)
    assert isinstance(found, Dist)
    assert [found.at_most(k) for k in range(1, 7)] == [F(min(k, 4) * k, 24) for k in range(1, 7)]
