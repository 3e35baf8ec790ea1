"""Choices in an attack sequence: against every choice for every roll, and by hand."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.some import quick
from oddsmith import Dist, d3, d6
from oddsmith.errors import RuleError, TooLarge
from oddsmith.games.attack_choices import compare, fishing, orders, worth_keeping
from oddsmith.games.attack_profiles import Target, Weapon
from oddsmith.games.attack_sequence import shoot

F = Fraction
Counts = dict[int, Fraction]
FACES = range(1, 7)
BARE = Target(save=None, models=9)


# --- fishing, against every choice


def added(left: Counts, right: Counts) -> Counts:
    found: Counts = {}
    for (a, p), (b, q) in product(left.items(), right.items()):
        found[a + b] = found.get(a + b, F(0)) + p * q
    return found


class ByHand:
    """All choices of a weapon's dice, each tried out.

    A die may be kept or rolled again where its face is among ``again``, fails and critical hits
    too; each critical hit may take its wound or roll for it.
    """

    def __init__(self, weapon: Weapon, again: set[int], damage: list[int], unit: Target,
                 at_least: int | None) -> None:  # fmt: skip
        self.weapon, self.again, self.damage = weapon, again, damage
        self.unit, self.at_least = unit, at_least
        self.worth = cache(self._worth)
        self.final = cache(self._final)

    def roll_to_wound(self) -> Counts:
        """Unsaved wounds of one hit that rolls."""
        found: Counts = {0: F(0), 1: F(0)}
        for face, save in product(FACES, FACES):
            wounds = face > 1 and (face == 6 or face >= (self.weapon.wound or 4))
            saved = self.unit.save is not None and save > 1 and save >= self.unit.save
            if face >= self.weapon.critical_wound:
                wounds, saved = True, saved and not self.weapon.devastating
            found[int(wounds and not saved)] += F(1, 36)
        return found

    def automatic(self) -> Counts:
        """Unsaved wounds of one that needs no roll."""
        fails = sum(1 for save in FACES if save == 1 or save < (self.unit.save or 7))
        return {1: F(fails, 6), 0: 1 - F(fails, 6)}

    def _worth(self, wounds: int) -> Fraction:
        total = F(0)
        for roll in product(self.damage, repeat=wounds):
            left = [self.unit.wounds] * self.unit.models
            for points in roll:
                place = next((k for k, health in enumerate(left) if health), None)
                if place is not None:
                    left[place] = max(0, left[place] - points)
            dead = left.count(0)
            total += dead if self.at_least is None else dead >= self.at_least
        return total / len(self.damage) ** wounds

    def _final(self, ends: tuple[str, ...]) -> Fraction:
        """The best use of the critical hits."""
        best = F(-1)
        sixes = ends.count("critical")
        for taken in range(sixes + 1) if self.weapon.lethal else (0,):
            law: Counts = {0: F(1)}
            for _ in range(ends.count("hit") + sixes - taken + sixes * self.weapon.sustained):
                law = added(law, self.roll_to_wound())
            for _ in range(taken):
                law = added(law, self.automatic())
            best = max(best, sum((p * self.worth(k) for k, p in law.items()), F(0)))
        return best

    def end(self, face: int) -> str:
        if face == 1:
            return "fail"
        if face == 6:
            return "critical"
        return "hit" if face >= (self.weapon.skill or 1) else "fail"

    def value(self, dice: int) -> Fraction:
        """The mean over all first rolls of the best set of dice to roll again."""
        total = F(0)
        for roll in product(FACES, repeat=dice):
            best = F(-1)
            for chosen in product((False, True), repeat=dice):
                if any(
                    pick and face not in self.again for pick, face in zip(chosen, roll, strict=True)
                ):
                    continue
                fresh = [
                    FACES if pick else (face,) for pick, face in zip(chosen, roll, strict=True)
                ]
                rolls = list(product(*fresh))
                mean = sum(self.final(tuple(sorted(map(self.end, faces)))) for faces in rolls)
                best = max(best, mean / len(rolls))
            total += best
        return total / 6**dice


@quick(25)
@given(
    st.builds(
        Weapon, skill=st.integers(2, 5), wound=st.integers(2, 6), lethal=st.booleans(),
        devastating=st.booleans(), critical_wound=st.sampled_from([6, 4, 2]),
        sustained=st.integers(0, 1),
    ),
    st.sampled_from([{1, 2, 3, 4, 5, 6}, {1}, {1, 2, 4}]),
    st.sampled_from([[1], [2], [1, 2, 3]]),
    st.builds(
        Target, save=st.sampled_from([None, 2, 5]), wounds=st.integers(1, 2),
        models=st.integers(1, 3),
    ),
    st.sampled_from([None, 1, 2]),
)  # fmt: skip
def test_no_choice_is_better(
    weapon: Weapon, again: set[int], damage: list[int], unit: Target, least: int | None
) -> None:
    hand = ByHand(weapon, again, damage, unit, least)
    sources = ("all",) if len(again) == 6 else tuple(again)
    armed = weapon.but(attacks=2, damage=Dist(damage), reroll_hits=sources)
    assert fishing(armed, unit, at_least=least).value == hand.value(2)


def test_a_single_die_by_hand() -> None:
    """3+, wounding on 6+: a critical hit is 11/36 when all others are rolled again, a plain one
    5/12; where hits are kept it is 2/9 and 2/3."""
    gun = Weapon(skill=3, wound=6, lethal=True, reroll_hits=("all",))
    found = fishing(gun, BARE)
    assert found.always == found.value == F(11, 36) + F(5, 12) / 6
    assert found.kept == found.taken == F(2, 9) + F(2, 3) / 6
    assert (found.again(0, 1, 0), found.decline(0, 1)) == (1, 0)


@pytest.mark.parametrize(
    ("wound", "worth"), [(2, "1/4"), (3, "1/6"), (4, "1/12"), (5, "0"), (6, "-1/12")]
)
def test_what_a_plain_hit_is_worth(wound: int, worth: str) -> None:
    """The values that are published for 3+ to hit with lethal hits."""
    gun = Weapon(attacks=3, skill=3, wound=wound, lethal=True, reroll_hits=("all",))
    assert worth_keeping(gun, BARE) == F(worth)
    found = fishing(gun, BARE)
    assert found.again(0, 3, 0) == (3 if F(worth) < 0 else 0)
    assert (found.value > found.kept) == (F(worth) < 0)


def test_worth_in_points_of_damage() -> None:
    """Half of the saves fail, and each wound is two points."""
    gun = Weapon(skill=3, wound=2, lethal=True, damage=2)
    assert worth_keeping(gun, Target(save=4)) == F(1, 8)
    assert worth_keeping(gun, Target(save=4), wounds=False) == F(1, 4)


def test_the_aim_changes_the_choice() -> None:
    """Two dice, one plain hit and one critical, wounding on 6+ with sustained hits: who needs a
    single kill keeps what is nearly sure; who needs two fishes."""
    gun = Weapon(attacks=2, skill=3, wound=5, lethal=True, sustained=1, reroll_hits=("all",))
    one, two = (fishing(gun, BARE, at_least=least) for least in (1, 2))
    assert one.again(0, 1, 1) == 0
    assert two.again(0, 2, 0) == 2


def test_lethal_hits_are_declined_for_devastating_wounds() -> None:
    """Anti 2+: rolling is 5/6 without a save; the lethal hit is saved with 5/6."""
    gun = Weapon(skill=3, lethal=True, devastating=True, critical_wound=2, reroll_hits=(1,))
    found = fishing(gun, Target(save=2))
    assert found.decline(0, 1) == 1
    assert found.kept > found.taken


def test_mortal_hits_and_torrents() -> None:
    """Nothing is rolled to hit by a torrent; a 4+ that re-rolls fails is a mortal
    critical hit with 1/4 and a plain hit with 1/2."""
    torrent = Weapon(attacks=2, skill=None, wound=4, reroll_hits=("all",))
    assert fishing(torrent, BARE).value == 1
    mortal = Weapon(skill=4, wound=4, mortal_hits=True, reroll_hits=("failed",))
    assert fishing(mortal, Target(save=None), "aos-4").kept == F(1, 4) + F(1, 2) * F(1, 2)


def test_a_rolled_number_of_attacks_is_known_before() -> None:
    gun = Weapon(skill=3, wound=6, lethal=True, reroll_hits=("all",))
    parts = [fishing(gun.but(attacks=count), BARE, at_least=2).value for count in (1, 2, 3)]
    assert fishing(gun.but(attacks=d3), BARE, at_least=2).value == sum(parts) / 3


@quick(25)
@given(
    st.builds(
        Weapon, attacks=st.integers(0, 4), skill=st.integers(2, 6), wound=st.integers(2, 6),
        sustained=st.integers(0, 1), lethal=st.booleans(),
        reroll_hits=st.sampled_from([(), ("ones",), ("failed",), (2,)]),
    ),
    st.sampled_from([Target(save=4, models=3), Target(save=None, wounds=2, models=2)]),
)  # fmt: skip
def test_keeping_all_hits_is_the_plain_sequence(weapon: Weapon, unit: Target) -> None:
    """Where only fails are rolled again and lethal hits are taken, nothing is chosen."""
    weapon = weapon.but(skill=max(weapon.skill or 2, 3) if weapon.reroll_hits == (2,) else 3)
    assert fishing(weapon, unit).taken == shoot(weapon, unit).models.mean


def test_choices_have_limits() -> None:
    for field, value in {
        "mortal": 1, "critical_ap": 1, "critical_damage": d6, "lethal_on": 6, "sustained_on": 5,
        "devastating_on": 5,
    }.items():  # fmt: skip
        with pytest.raises(RuleError, match=f"choices do not cover {field}"):
            fishing(Weapon(**{field: value}), BARE)
    with pytest.raises(RuleError, match="choices do not cover first_free"):
        fishing(Weapon(), Target(first_free=True))
    with pytest.raises(RuleError, match="choices do not cover ward_mortal"):
        fishing(Weapon(devastating=True), Target(ward_mortal=5))
    with pytest.raises(RuleError, match="one kind"):
        fishing(Weapon(), Target(others=(Target(),)))
    with pytest.raises(TooLarge, match="fewer attacks"):
        fishing(Weapon(attacks=90), BARE)
    with pytest.raises(RuleError, match="skill is 11"):
        worth_keeping(Weapon(skill=11), BARE)


# --- order of fire

GUNS = [
    Weapon(name="bolt", attacks=3, skill=3, ap=1),
    Weapon(name="plasma", attacks=2, skill=3, wound=2, damage=2),
    Weapon(name="melta", skill=3, wound=2, damage=d6),
]
UNIT = Target(save=4, wounds=3, models=3)


@pytest.mark.parametrize("least", [None, 2])
def test_every_order(least: int | None) -> None:
    found = {order.places: order.value for order in orders(GUNS, UNIT, at_least=least)}
    expected = {}
    for places in permutations(range(3)):
        models = shoot([GUNS[place] for place in places], UNIT).models
        expected[places] = models.mean if least is None else models.at_least(least)
    assert found == expected
    assert list(found.values()) == sorted(expected.values(), reverse=True)


def test_equal_orders_come_as_listed() -> None:
    """A number of models does not depend on the order of two."""
    assert [order.places for order in orders(GUNS[:2], UNIT)] == [(0, 1), (1, 0)]


def test_orders_from_a_hurt_unit_count_what_is_lost_now() -> None:
    """The first model is gone already; one gun slays the second with 5/6."""
    gun = Weapon(skill=None, wound=2)
    (order,) = orders([gun], Target(save=None, models=2, hurt=1))
    assert (order.places, order.value) == ((0,), F(5, 6))


def test_too_many_weapons() -> None:
    for count in (0, 7):
        with pytest.raises(RuleError, match="every order"):
            orders([Weapon()] * count, UNIT)


def test_six_weapons_have_720_orders() -> None:
    found = orders([gun.but(attacks=1) for gun in GUNS * 2], Target(save=4, wounds=3, models=2))
    assert len(found) == 720
    assert {order.places: order.value for order in found}[0, 1, 2, 3, 4, 5] == shoot(
        [gun.but(attacks=1) for gun in GUNS * 2], Target(save=4, wounds=3, models=2)
    ).models.mean


# --- two loadouts


def test_who_kills_more() -> None:
    found = compare([GUNS[0]], [GUNS[2]], UNIT)
    one, other = (shoot(gun, UNIT).models for gun in (GUNS[0], GUNS[2]))
    ends = {"win": F(0), "tie": F(0), "lose": F(0)}
    for (a, p), (b, q) in product(one.items(), other.items()):
        ends["win" if a > b else "tie" if a == b else "lose"] += p * q
    assert {end: found.contest.p(end) for end in ends} == ends


def test_each_threshold() -> None:
    """Two shots at 1/4 each against one at 5/6: more for two, less for one."""
    two = Weapon(attacks=2, skill=None, wound=4)
    one = Weapon(skill=None, wound=2)
    found = compare([two], [one], Target(save=4, models=5))
    assert found.better(1) == F(7, 16).__gt__(F(5, 12)) == 1
    assert found.better(2) == 1
    assert found.better(3) == 0
    rows = dict(found.table(("two", "one")).rows)
    assert rows["1"] == (F(7, 16), F(5, 12), F(1, 48))
    assert rows["2"] == (F(1, 16), 0, F(1, 16))


def test_better_here_and_worse_there() -> None:
    """One sure wound of 1 against an uncertain one of two models."""
    sure = Weapon(skill=None, wound=2)
    wild = Weapon(attacks=2, skill=6, wound=2)
    found: Any = compare([sure], [wild], BARE)
    assert (found.better(1), found.better(2)) == (1, -1)
