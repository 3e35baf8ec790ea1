"""Whole fights against brute force: every state of both sides, played with ``naive_attacks``."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import naive_attacks as naive
from games.test_attack_sequence import target_of, weapon_of
from laws.some import quick
from oddsmith.errors import RuleError, TooLarge
from oddsmith.games.attack_profiles import Target, Weapon
from oddsmith.games.attack_rounds import Side, fight

F = Fraction
ONE, TWO = (0, 6, 1), (0, 6, 2)


def each_has_one(gun: naive.Gun, alive: int) -> naive.Gun:
    """The attacks of so many models with this weapon each."""
    count, sides, added = gun.attacks
    assert count == 0
    return replace(gun, attacks=(0, sides, added * alive))


def played(
    guns: tuple[naive.Gun, naive.Gun], foes: tuple[naive.Foe, naive.Foe], rounds: int | None,
    charge: Fraction, overwatch: naive.Gun | None, edition: str = "40k-10",
) -> dict[tuple[int, int], Fraction]:  # fmt: skip
    """The joint chances of the points that both sides have lost."""

    def alive(foe: naive.Foe, lost: int) -> int:
        return sum(max(0, min(foe.wounds, foe.wounds * (k + 1) - lost)) > 0
                   for k in range(foe.models))  # fmt: skip

    @cache
    def blow(side: int, own: int, lost: int, gun: naive.Gun) -> dict[int, Fraction]:
        left = alive(foes[side], own)
        foe = replace(foes[1 - side], hurt=lost)
        if not left or lost == foe.wounds * foe.models:
            return {lost: F(1)}
        joint = naive.battle([each_has_one(gun, left)], [foe], edition)
        return {lost + points: p for points, p in naive.lost(joint, 1).items()}

    def after(states: Any, side: int, gun: naive.Gun) -> Any:
        found: Any = defaultdict(Fraction)
        for state, p in states.items():
            for lost, q in blow(side, state[side], state[1 - side], gun).items():
                new = (state[0], lost) if side == 0 else (lost, state[1])
                found[new] += p * q
        return found

    states: Any = {(0, 0): F(1)}
    if overwatch is not None:
        states = after(states, 1, replace(overwatch, overwatch=True))
    found: Any = defaultdict(Fraction)
    for state, p in states.items():
        found[state] += p * (1 - charge)
    for _ in range(rounds or 1):
        states = after(states, 0, guns[0])
        if rounds is not None:
            states = after(states, 1, guns[1])
    for state, p in states.items():
        found[state] += p * charge
    return {state: p for state, p in found.items() if p}


GUNS = st.builds(
    naive.Gun,
    attacks=st.sampled_from([ONE, TWO]),
    skill=st.sampled_from([3, 4, None]),
    wound=st.sampled_from([3, 5]),
    damage=st.sampled_from([ONE, TWO]),
    devastating=st.booleans(),
)
FOES = st.builds(
    naive.Foe,
    save=st.sampled_from([None, 4]),
    wounds=st.integers(1, 2),
    models=st.integers(1, 2),
)


@quick(40)
@given(
    st.tuples(GUNS, GUNS),
    st.tuples(FOES, FOES),
    st.sampled_from([None, 1, 2, 3]),
    st.sampled_from([F(1), F(5, 12), F(0)]),
    st.none() | GUNS,
)
def test_a_fight_is_the_game_played_out(
    guns: Any, foes: Any, rounds: int | None, charge: Fraction, overwatch: Any
) -> None:
    first, second = (
        Side((weapon_of(gun).but(count=foe.models),), target_of(foe))
        for gun, foe in zip(guns, foes, strict=True)
    )
    fire = [] if overwatch is None else [weapon_of(overwatch).but(count=foes[1].models)]
    found = fight(first, second, "40k-10", rounds, charge, fire)
    expected = played(guns, foes, rounds, charge, overwatch)
    assert dict(found.states.margin(0, 1).items()) == expected


def test_by_hand() -> None:
    """Single models, both kill with 1/2; the second needs the first to have missed.

    Round 1: the second falls with 1/2; the first with 1/4; both stand with 1/4. Round 2 is the same
    for that quarter.
    """
    one = Side((Weapon(skill=None, wound=4),), Target(save=None))
    twice = fight(one, one, rounds=2)
    assert dict(twice.left.items()) == {
        "the first": F(1, 2) + F(1, 8), "the second": F(1, 4) + F(1, 16), "both": F(1, 16),
    }  # fmt: skip
    assert twice.over == {1: F(3, 4), 2: F(15, 16)}


def test_a_failed_charge_leaves_what_overwatch_did() -> None:
    """Overwatch of a natural 6, a wound of 1/2: the charger falls with 1/12.

    The charge takes place where it stands and the roll is made: 11/12 of 1/3.
    """
    one = Side((Weapon(skill=None, wound=4),), Target(save=None))
    found = fight(one, one, charge=F(1, 3), overwatch=[Weapon(skill=4, wound=4)])
    assert found.charged == F(11, 36)
    assert found.lost(0).p(1) == F(1, 12)
    assert found.lost(1).p(1) == F(11, 72)
    assert found.over == {1: F(1, 12) + F(11, 72)}


def counts(side: Side, removed: int) -> dict[str, int]:
    return {weapon.name: weapon.count for weapon in side.armed(removed)}


def test_who_is_lost_does_not_attack() -> None:
    """Ten models: seven rifles, a gun and a sword, one without; then the rifles go first."""
    arms = [Weapon(name="rifle", count=7), Weapon(name="gun"), Weapon(name="sword")]
    side = Side(tuple(arms), Target(models=10))
    assert counts(side, 0) == counts(side, 1) == {"rifle": 7, "gun": 1, "sword": 1}
    assert counts(side, 5) == {"rifle": 3, "gun": 1, "sword": 1}
    assert counts(side, 9) == {"sword": 1}
    assert counts(side, 10) == {}


def test_models_with_several_weapons() -> None:
    """A rifle and a pistol for each of five, one banner, and a walker with two cannons."""
    arms = [Weapon(name="rifle", count=5), Weapon(name="pistol", count=5), Weapon(name="banner")]
    side = Side(tuple(arms), Target(models=5, wounds=2))
    assert counts(side, 7) == {"rifle": 2, "pistol": 2, "banner": 1}
    walker = Side((Weapon(name="cannon", count=2),), Target(wounds=8))
    assert counts(walker, 7) == {"cannon": 2}
    odd = Side((Weapon(name="gun", count=7),), Target(models=5))
    with pytest.raises(RuleError, match="gun: 7 for 5 models"):
        odd.armed(1)


def test_blast_counts_the_models_that_are_left() -> None:
    """Six models: one attack more; the second round meets five or six, still one more.

    Torrent, wounds on 2+ and no save. Six models stay more than four only where at most one fell.
    """
    side = Side((Weapon(skill=None, wound=2, blast=1),), Target(save=None))
    crowd = Side((Weapon(attacks=0),), Target(save=None, models=6))
    lost = fight(side, crowd, rounds=2).lost(1)
    first = {0: F(1, 36), 1: F(10, 36), 2: F(25, 36)}
    hit = F(5, 6)
    expected = {k: F(0) for k in range(5)}
    for fallen, p in first.items():
        for more, q in (first if fallen < 2 else {0: 1 - hit, 1: hit}).items():
            expected[fallen + more] += p * q
    assert dict(lost.items()) == {k: p for k, p in expected.items() if p}


def test_limits() -> None:
    one = Side((Weapon(),), Target())
    for rounds in (0, 101):
        with pytest.raises(RuleError, match=f"a fight cannot have {rounds} rounds"):
            fight(one, one, rounds=rounds)
    many = Side((Weapon(count=100, attacks=10),), Target(models=100, wounds=10))
    with pytest.raises(TooLarge, match="fewer models"):
        fight(many, many, rounds=2)
    with pytest.raises(RuleError, match="skill is 11"):
        fight(Side((Weapon(skill=11),)), one)
