"""Which damage rolls to roll again: every policy of tiny cases tried, and hand derivations.

The brute force decides at each roll by asking itself what the rest is worth; it knows models as a
list of wounds left and shares nothing with the engine.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.some import quick
from oddsmith import Dist, d3, d6
from oddsmith.errors import RuleError, TooLarge
from oddsmith.games.attack_damage import damage_rerolls
from oddsmith.games.attack_profiles import Target, Weapon
from oddsmith.games.attack_sequence import shoot

F = Fraction
SURE = {"skill": None, "wound": 2, "reroll_wounds": ("not-succeeding",)}
"""Wounds with 35/36."""


def best_by_hand(
    faces: tuple[int, ...], health: int, models: int, wounds: int, rerolls: int | None,
    need: int | None, ward: int | None = None, spills: bool = False,
) -> Fraction:  # fmt: skip
    """The best mean of models lost (or chance of so many) after so many unsaved wounds."""

    def hurt(left: tuple[int, ...], points: int) -> tuple[int, ...]:
        after = list(left)
        while points and any(after):
            front = next(k for k, wounds_left in enumerate(after) if wounds_left)
            after[front] -= 1
            points -= 1
            if not after[front] and not spills:
                break
        return tuple(after)

    @cache
    def rest(left: tuple[int, ...], to_come: int, again: int | None) -> Fraction:
        if not to_come:
            dead = left.count(0)
            return F(dead if need is None else int(dead >= need))

        def kept(face: int, again: int | None) -> Fraction:
            laws = [((), F(1))]
            if ward is not None:
                for _ in range(face):
                    laws = [((*stays, 1), p * F(ward - 1, 6)) for stays, p in laws] + [
                        (stays, p * F(7 - ward, 6)) for stays, p in laws
                    ]
            else:
                laws = [((1,) * face, F(1))]
            return sum((p * rest(hurt(left, len(stays)), to_come - 1, again) for stays, p in laws),
                       F(0))  # fmt: skip

        fewer = None if again is None else again - 1
        fresh = sum((kept(face, fewer) for face in faces), F(0)) / len(faces) if again != 0 else -1
        return sum((max(kept(face, again), fresh) for face in faces), F(0)) / len(faces)

    return rest((health,) * models, wounds, rerolls)


DICE = {(1, 2, 3): d3, (1, 2, 3, 4, 5, 6): d6, (2, 3, 4): d3 + 1, (2,): Dist([2])}


@quick(60)
@given(
    st.sampled_from(list(DICE)),
    st.integers(1, 7),
    st.integers(1, 3),
    st.integers(0, 3),
    st.sampled_from([None, 0, 1, 2]),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([None, None, 5]),
)
def test_the_best_choice_is_found(
    faces: Any, health: int, models: int, wounds: int, rerolls: Any, need: Any, ward: Any
) -> None:
    """So many attacks of 35/36 each: the mean over how many of them wound."""
    weapon = Weapon(attacks=wounds, damage=DICE[faces], **SURE)
    target = Target(save=None, wounds=health, models=models, ward=ward)
    found = damage_rerolls(weapon, target, rerolls=rerolls, at_least=need).value
    chances = [F(1)]
    for _ in range(wounds):
        chances = [
            (chances[k - 1] * F(35, 36) if k else 0)
            + (chances[k] * F(1, 36) if k < len(chances) else 0)
            for k in range(len(chances) + 1)
        ]
    assert found == sum(
        p * best_by_hand(faces, health, models, count, rerolls, need, ward)
        for count, p in enumerate(chances)
    )


@quick(20)
@given(st.integers(1, 4), st.integers(1, 3), st.sampled_from([None, 1]))
def test_damage_that_spills(health: int, models: int, rerolls: Any) -> None:
    weapon = Weapon(damage=d6, **SURE)
    target = Target(save=None, wounds=health, models=models)
    found = damage_rerolls(weapon, target, "aos-4", rerolls).value
    best = best_by_hand(tuple(range(1, 7)), health, models, 1, rerolls, None, None, True)
    assert found == F(35, 36) * best


def test_one_model_of_six_wounds_and_one_more_wound_to_come() -> None:
    """What a first roll of x is worth, when the second needs 6 - x and may be rolled again.

    1 - ((5 - x) / 6)**2 for x of 1 to 6: 20, 27, 32, 35, 36 and 36 of 36, on average 31. So 1 and
    2 are rolled again.
    """
    gun = Weapon(attacks=2, damage=d6, **SURE)
    best = damage_rerolls(gun, Target(save=None, wounds=6))
    assert [best.again(0, 1), best.again(0, 0), best.again(3, 0)] == [2, 5, 2]


def test_a_single_re_roll_is_saved_for_where_it_helps_more() -> None:
    """Two wounds into a model of two wounds each: a 1 on the first is nothing lost yet."""
    gun = Weapon(attacks=2, damage=d3, **SURE)
    best = damage_rerolls(gun, Target(save=None, wounds=2), rerolls=1)
    assert best.again(0, 1) == 0
    assert best.again(0, 0) == 1


@quick(30)
@given(
    st.builds(
        Weapon, attacks=st.sampled_from([1, 3, d3]), skill=st.integers(2, 5),
        damage=st.sampled_from([d3, d6, d3 + 1]), sustained=st.integers(0, 1),
        devastating=st.booleans(), melta=st.integers(0, 2), half_range=st.booleans(),
    ),
    st.builds(
        Target, save=st.sampled_from([None, 4]), wounds=st.integers(1, 5),
        models=st.integers(1, 3), ward=st.sampled_from([None, 5]), halved=st.booleans(),
    ),
)  # fmt: skip
def test_simple_ways_are_the_plain_sequence(weapon: Weapon, target: Target) -> None:
    """No re-rolls, and all rolls below the mean, as the sequence itself plays them."""
    found = damage_rerolls(weapon, target)
    assert found.never == shoot(weapon, target).models.mean
    assert found.low == shoot(weapon.but(reroll_damage=("low",)), target).models.mean
    assert found.value >= max(found.never, found.low)


def test_none_left_is_never() -> None:
    gun, unit = Weapon(attacks=3, damage=d6), Target(wounds=4, models=2)
    found = damage_rerolls(gun, unit, rerolls=0)
    assert found.value == found.low == found.never
    assert found.again(0, 1) == 0


def test_more_re_rolls_than_wounds_are_one_for_each() -> None:
    gun, unit = Weapon(attacks=3, damage=d6), Target(wounds=4, models=2)
    assert damage_rerolls(gun, unit, rerolls=9).value == damage_rerolls(gun, unit).value


def test_limits() -> None:
    with pytest.raises(RuleError, match="choices do not cover mortal"):
        damage_rerolls(Weapon(mortal=1), Target())
    with pytest.raises(TooLarge, match="fewer attacks"):
        damage_rerolls(Weapon(attacks=2000, damage=d6), Target(wounds=10, models=50))
