"""The catalogue's wargames, rule by rule: every roll played out, and values by hand.

Values without a derivation are those that the rules are stated with.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.naive_attacks import Roll, explore
from laws.some import quick
from oddsmith import Dist, artillery, d3
from oddsmith.cli.main import main
from oddsmith.errors import RuleError
from oddsmith.games import wargames as game
from oddsmith.games.catalogue import game as game_called
from oddsmith.games.wargames_fantasy import CHARTS, cannon_hits, close_need
from oddsmith.games.wargames_systems import old_chart

F = Fraction
D6 = range(1, 7)
TWO = list(product(D6, repeat=2))
ARTILLERY = (2, 4, 6, 8, 10, 0)
"""Faces of the artillery die, 0 for a Misfire."""


def share(outcomes: Iterable[Any]) -> dict[Any, Fraction]:
    counts = Counter(outcomes)
    return {outcome: F(n, counts.total()) for outcome, n in counts.items()}


def chance(events: Iterable[bool]) -> Fraction:
    return share(map(bool, events)).get(True, F(0))


def table(dist: Any) -> dict[Any, Fraction]:
    return dict(dist.items())


# --- W1: charges


@pytest.mark.parametrize("modifier", [-1, 0, 2])
@pytest.mark.parametrize("distance", range(2, 14))
def test_w1_charges(distance: int, modifier: int) -> None:
    def far(*dice: int) -> bool:
        return sum(sorted(dice)[-2:]) + modifier >= distance

    def one_better(a: int, b: int) -> Fraction:
        if far(a, b):
            return F(1)
        return max(chance(far(fresh, kept) for fresh in D6) for kept in (a, b))

    once = chance(far(*dice) for dice in TWO)
    assert game.charge(distance, modifier=modifier) == once
    again = chance(far(*dice[:2]) or far(*dice[2:]) for dice in product(D6, repeat=4))
    assert game.charge(distance, reroll=True, modifier=modifier) == again
    one = sum((one_better(a, b) for a, b in TWO), F(0)) / 36
    assert game.charge(distance, one_die=True, modifier=modifier) == one
    swift = chance(far(*dice) for dice in product(D6, repeat=3))
    assert game.charge(distance, swift=True, modifier=modifier) == swift


def test_w1_the_mean_of_a_swift_charge() -> None:
    assert sum(game.charge(need, swift=True) for need in range(1, 13)) == F(203, 24)


def test_w1_two_re_rolls_at_once() -> None:
    with pytest.raises(RuleError, match="W1"):
        game.charge(9, reroll=True, one_die=True)


# --- W2, W8, W9: tests on two dice


@pytest.mark.parametrize("need", range(2, 13))
def test_w2_battle_shock(need: int) -> None:
    once = chance(a + b >= need for a, b in TWO)
    assert game.battle_shock(need) == once
    assert game.battle_shock(need + 1, modifier=1, reroll=True) == 1 - (1 - once) ** 2


@pytest.mark.parametrize("need", range(-2, 13))
def test_w8_leadership(need: int) -> None:
    once = chance(a + b <= need or a + b == 2 for a, b in TWO)
    cold = chance(
        sum(sorted(dice)[:2]) <= need or sum(sorted(dice)[:2]) == 2
        for dice in product(D6, repeat=3)
    )
    assert game.leadership(need) == once
    assert game.leadership(need - 1, modifier=1, cold_blooded=True) == cold
    assert game.leadership(need, reroll=True, cold_blooded=True) == 1 - (1 - cold) ** 2


@pytest.mark.parametrize("lost", [-2, 0, 1, 4, 12])
def test_w9_break_tests(lost: int) -> None:
    need = 8 - max(0, lost)
    assert game.break_test(8, lost) == chance(a + b <= max(2, need) for a, b in TWO)
    assert game.break_test(8, lost, stubborn=True) == F(13, 18)


def test_w9_a_rolled_difference() -> None:
    parts = [game.break_test(8, lost, reroll=True) for lost in (1, 2, 3)]
    assert game.break_test(8, d3, reroll=True) == sum(parts) / 3


# --- W3, W4: dangers


def test_w3_hazardous() -> None:
    found = game.hazardous(3)
    assert found["at least one is harmed"] == F(91, 216)
    assert table(found["bearers harmed"]) == share(dice.count(1) for dice in product(D6, repeat=3))
    assert game.hazardous(1, harmed_on=2)["at least one is harmed"] == F(1, 3)
    for wrong in ((-1, 1), (1, 7)):
        with pytest.raises(RuleError, match="W3"):
            game.hazardous(*wrong)


def test_w4_overwatch() -> None:
    """1/6, 1/2 and 2/3 of two shots: 1/18 each; a torrent is three times as often 1/3."""
    found = game.overwatch(2, save=5, models=5)["models lost"]
    assert table(found) == {0: F(289, 324), 1: F(34, 324), 2: F(1, 324)}
    sure = game.overwatch(2, save=5, models=5, torrent=True)["models lost"]
    assert table(sure) == {0: F(4, 9), 1: F(4, 9), 2: F(1, 9)}


# --- W5 to W7: fights


def test_w5_close_combat_needs() -> None:
    """Against 1 to 10 with a weapon skill of 4."""
    assert [close_need(4, foe) for foe in range(1, 11)] == [3, 3, 3, 4, 4, 4, 4, 4, 5, 5]


@quick(25)
@given(
    st.integers(1, 6), st.integers(1, 9), st.sampled_from([None, 1, 3, 5]),
    st.integers(-4, 1), st.integers(2, 6), st.integers(2, 6),
    st.sampled_from([None, 3, 5]), st.sampled_from([None, 4]), st.booleans(), st.booleans(),
    st.booleans(),
)  # fmt: skip
def test_w5_to_w7_one_blow(
    own: int, foe: int, ballistic: int | None, modifier: int, strength: int, toughness: int,
    save: int | None, ward: int | None, poison: bool, blow: bool, again: bool,
) -> None:  # fmt: skip
    """A single attack on one model of two wounds, D3 of them for each unsaved wound."""

    def hit(roll: Roll) -> str:
        need = (
            (3 if own > foe else 5 if foe > 2 * own else 4) if ballistic is None else 7 - ballistic
        )
        need -= modifier
        face = roll(6)
        if need > 6:
            return "hit" if face == 6 and need < 10 and roll(6) >= need - 3 else "fail"
        if face == 6 and poison:
            return "poison"
        return "hit" if face == 6 or (face > 1 and face >= need) else "fail"

    def play(roll: Roll) -> int:
        end = hit(roll)
        if end == "fail" and again:
            end = hit(roll)
        if end == "fail":
            return 0
        slain = False
        if end == "hit":
            face = roll(6)
            need = min(6, max(2, 4 + toughness - strength))
            if face == 1 or (face < 6 and face < need):
                return 0
            slain = blow and face == 6
        if save is not None and not slain:
            face = roll(6)
            if face > 1 and face >= save + max(0, strength - 3):
                return 0
        if ward is not None and roll(6) >= ward:
            return 0
        return int((roll(6) + 1) // 2 >= 2)

    found = game.fight(
        1, own, foe, ballistic, modifier, strength, toughness, save, ward, wounds=2, models=1,
        multiple=d3, poison=poison, killing_blow=blow, reroll_hits=again,
    )["models lost"]  # fmt: skip
    assert {k: p for k, p in table(found).items() if p} == explore(play)


def test_w5_hits_and_wounds_on_the_way() -> None:
    found = game.fight(12, 4, 3, strength=4, toughness=4, reroll_wounds=True)
    assert (found["hits"].value, found["wounds"].value) == (8, 6)


# --- W10 to W12: war machines


@pytest.mark.parametrize("depth", [0, 1, 2, 5])
@pytest.mark.parametrize("short", range(13))
def test_w10_cannonballs(short: int, depth: int) -> None:
    """The ball lands, then runs on inch by inch; the target is from 0 to its depth."""

    def touched(first: int, bounce: int) -> bool:
        if not first:
            return False
        track = range(first - short, first - short + bounce + 1)
        return any(0 <= inch <= depth for inch in track)

    expected = chance(touched(*dice) for dice in product(ARTILLERY, repeat=2))
    assert cannon_hits(short, depth) == expected
    assert game.cannon(short, depth)["hits"] == expected
    if depth:
        assert game.cannon().cell(str(short), str(depth)) == expected


def test_w10_what_a_cannonball_does() -> None:
    """2+ to wound at strength 10, and three or more of D6 wounds."""
    found = game.cannon(8, toughness=5, wounds=3, ward=4)
    assert found["slays where it hits"] == F(5, 18)
    assert found["slays"] == F(2, 3) * F(5, 18)
    with pytest.raises(RuleError, match="W10"):
        game.cannon(-1)


def test_w11_stone_throwers() -> None:
    rolls = list(product(["Hit!", "Hit!", *["arrow"] * 4], ARTILLERY))
    found = game.stone_thrower(within=4)
    assert found["direct hit"] == chance(way == "Hit!" and far > 0 for way, far in rolls)
    assert found["misfire"] == chance(far == 0 for _, far in rolls) == F(1, 6)
    assert found["destroyed"] == F(1, 36)
    near = chance(far > 0 and (way == "Hit!" or far <= 4) for way, far in rolls)
    assert found["within 4 inches"] == near
    assert found["where it lands"].p(10) == F(4, 36)


def test_w12_misfire_charts_cover_a_d6() -> None:
    for name, chart in CHARTS.items():
        assert sorted(face for faces in chart.values() for face in faces) == list(D6)
        found = game.misfire(name)  # type: ignore[arg-type]
        for result, faces in chart.items():
            assert found.cell(result, "misfire") == F(len(faces), 6)
            assert found.cell(result, "each shot") == F(len(faces), 36)
    assert game.misfire("black-powder-8").notes
    with pytest.raises(RuleError, match="W12"):
        game.misfire("catapult")  # type: ignore[arg-type]


def test_w12_dice_of_war_machines() -> None:
    assert table(artillery)["Misfire"] == F(1, 6)


# --- W13, W14: magic


def test_w13_winds() -> None:
    plain = game.winds()
    assert table(plain["power dice"]) == share(a + b for a, b in TWO)
    assert plain["dispel dice"].mean == F(161, 36)
    found = game.winds(wizards=2, foe_wizards=1)
    power = share(min(12, a + b + (c == 6) + (d == 6)) for a, b, c, d in product(D6, repeat=4))
    assert table(found["power dice"]) == power
    assert table(found["dispel dice"]) == share(
        max(a, b) + (c == 6) for a, b, c in product(D6, repeat=3)
    )
    with pytest.raises(RuleError, match="W13"):
        game.winds(-1)


@pytest.mark.parametrize(
    ("dice", "exact"),
    [(2, "1/36"), (3, "2/27"), (4, "19/144"), (5, "763/3888"), (6, "12281/46656")],
)
def test_w14_irresistible_force(dice: int, exact: str) -> None:
    assert game.cast(dice)["irresistible"] == F(exact)


@pytest.mark.parametrize("dice", [1, 2, 3, 4])
def test_w14_casting(dice: int) -> None:
    rolls = list(product(D6, repeat=dice))
    found = game.cast(dice, 13, bonus=1)
    good = [(sum(roll) + 1 >= 13, roll.count(6) >= 2) for roll in rolls]
    assert found["cast"] == chance(any(ends) for ends in good)
    assert found["cast, and can be dispelled"] == chance(a and not b for a, b in good)
    with pytest.raises(RuleError, match="W14"):
        game.cast(0)


# --- W15, W17: nerve


def ends_of(total: int, roll: int, waver: int, rout: int) -> str:
    if roll == 2:
        return "steady"
    return "rout" if total + roll >= rout else "waver" if total + roll >= waver else "steady"


@pytest.mark.parametrize("inspiring", [False, True])
@pytest.mark.parametrize("damage", [0, 3, 8, 12, 20])
def test_w15_nerve(damage: int, inspiring: bool) -> None:
    rolls = [ends_of(damage, a + b, 14, 16) for a, b in TWO]
    ends = share(
        second if inspiring and first == "rout" else first
        for first, second in product(rolls, repeat=2)
    )
    found = game.nerve(14, 16, damage, inspiring)
    assert found == {end: ends.get(end, F(0)) for end in ("steady", "waver", "rout")}


def test_w15_options() -> None:
    """At 11 and 13 with 2 damage: a 9 wavers; a modifier of 1 makes it an 8."""
    assert game.nerve(11, 13, 2)["waver"] == chance(9 <= a + b <= 10 for a, b in TWO)
    assert game.nerve(11, 13, 2, modifier=1)["waver"] == chance(8 <= a + b <= 9 for a, b in TWO)
    assert game.nerve(20, 22, 0, six_wavers=True)["waver"] == F(1, 36)
    mixed = game.nerve(14, 16, Dist([8, 9]))["rout"]
    assert mixed == (game.nerve(14, 16, 8)["rout"] + game.nerve(14, 16, 9)["rout"]) / 2
    with pytest.raises(RuleError, match="W15"):
        game.nerve(16, 14)


def test_w17_damage_and_nerve_together() -> None:
    """Two attacks at 4+ on 4+, four damage before, nerve 7 and 9; no damage, no test."""

    def play(roll: Roll) -> str:
        damage = 0
        for _ in range(2):
            if roll(6) >= 4:
                damage += roll(6) >= 4
        return ends_of(4 + damage, roll(6) + roll(6), 7, 9) if damage else "steady"

    found = game.kings_of_war(2, 4, 4, hurt=4, waver=7, rout=9)
    assert {end: found[end] for end in ("steady", "waver", "rout")} == explore(play)


def test_w17_facing_and_crushing_strength() -> None:
    """3+ and, at crushing strength 2, 3+ of a defence of 5; needs stop at 2+."""
    front = game.kings_of_war(10, 3, 5, crushing=2)["damage"]
    assert front.mean == 10 * F(2, 3) * F(2, 3)
    assert game.kings_of_war(10, 3, 5, 2, facing="rear")["damage"].mean == 3 * front.mean
    assert game.kings_of_war(10, 3, 5, 2, facing="flank")["damage"].high == 20
    assert game.kings_of_war(6, 1, 3, crushing=3)["damage"].mean == 6 * F(25, 36)
    with pytest.raises(RuleError, match="two values"):
        game.kings_of_war(5, 4, 4, waver=10)
    with pytest.raises(RuleError, match="W17"):
        game.kings_of_war(5, 4, 4, facing="above")  # type: ignore[arg-type]


def test_w17_nothing_hits() -> None:
    found = game.kings_of_war(0, 4, 4, hurt=30, waver=10, rout=12)
    assert (found["steady"], found["rout"]) == (1, 0)


# --- W16, W18: Bolt Action


@pytest.mark.parametrize(("morale", "pins"), [(9, 0), (9, 2), (10, 9), (12, 0)])
def test_w16_orders(morale: int, pins: int) -> None:
    def end(roll: int) -> str:
        return "FUBAR" if roll == 12 else "obeys" if roll <= morale - pins else "fails"

    rolls = [end(a + b) for a, b in TWO]
    once = share(rolls)
    twice = share(a if a == "obeys" else b for a, b in product(rolls, repeat=2))
    names = ("obeys", "fails", "FUBAR")
    assert game.order_test(morale, pins) == {name: once.get(name, F(0)) for name in names}
    found = game.order_test(morale, pins, reroll=True)
    assert found == {name: twice.get(name, F(0)) for name in names}


@pytest.mark.parametrize(
    ("modifier", "hits"), [(1, F(5, 6)), (0, F(2, 3)), (-1, F(1, 2)), (-3, F(1, 6)), (-5, F(1, 36))]
)
def test_w18_to_hit(modifier: int, hits: Fraction) -> None:
    assert game.bolt_action(1, modifier)["one shot hits"] == hits


def test_w18_damage() -> None:
    needs = {"inexperienced": F(2, 3), "regular": F(1, 2), "veteran": F(1, 3)}
    for quality, harms in needs.items():
        assert game.bolt_action(1, quality=quality)["one hit harms"] == harms  # type: ignore[arg-type]
    tank = game.bolt_action(2, armour=9, pen=5)
    assert tank["one hit harms"] == F(1, 2)
    assert tank["shots through"].p(2) == F(1, 9)
    assert game.bolt_action(1, armour=11, pen=4)["one hit harms"] == 0
    with pytest.raises(RuleError, match="W18"):
        game.bolt_action(1, quality="elite")  # type: ignore[arg-type]


# --- W19: One Page Rules


@quick(25)
@given(
    st.integers(2, 6), st.integers(2, 6), st.integers(0, 3), st.integers(1, 3),
    st.integers(1, 3), st.sampled_from([0, 4]), st.booleans(), st.sampled_from([None, 5]),
    st.integers(1, 3), st.integers(1, 2),
)  # fmt: skip
def test_w19_one_attack(
    quality: int, defense: int, ap: int, blast: int, deadly: int, rending: int, furious: bool,
    regeneration: int | None, tough: int, models: int,
) -> None:  # fmt: skip
    def hits(roll: Roll) -> tuple[int, ...]:
        """The AP of each hit."""
        face = roll(6)
        if face == 1 or (face < 6 and face < quality):
            return ()
        first = (max(ap, rending) if face == 6 else ap,) * min(blast, models)
        return first + (ap,) * (min(blast, models) * (furious and face == 6))

    def taken(roll: Roll, left: tuple[int, ...], piercing: int) -> tuple[int, ...]:
        block = roll(6)
        if block == 6 or (block > 1 and block - piercing >= defense) or not any(left):
            return left
        points = deadly
        if regeneration is not None:
            points = sum(roll(6) < regeneration for _ in range(deadly))
        place = next(k for k, wounds in enumerate(left) if wounds)
        return (*left[:place], max(0, left[place] - points), *left[place + 1 :])

    expected: dict[int, Fraction] = {}
    for piercings, p in explore(hits).items():
        states = {(tough,) * models: p}
        for piercing in piercings:
            after: dict[tuple[int, ...], Fraction] = {}
            for left, q in states.items():
                for new, r in explore(partial(taken, left=left, piercing=piercing)).items():
                    after[new] = after.get(new, F(0)) + q * r
            states = after
        for left, q in states.items():
            expected[left.count(0)] = expected.get(left.count(0), F(0)) + q

    found = game.one_page(
        1, quality, defense, ap, blast, deadly, rending, furious, regeneration, tough, models
    )["models lost"]
    assert table(found) == expected


def test_w19_morale() -> None:
    assert game.one_page(1, 4, 4, morale=5)["morale holds"] == F(1, 3)
    assert game.one_page(1, 4, 4, morale=7)["morale holds"] == F(1, 6)


# --- W20: scatter


@pytest.mark.parametrize("ballistic", [0, 4, 12])
def test_w20_scatter(ballistic: int) -> None:
    faces = ["Hit!"] * 2 + ["arrow"] * 4
    expected = share(
        0 if face == "Hit!" else max(0, a + b - ballistic) for face, a, b in product(faces, D6, D6)
    )
    assert table(game.scatter(ballistic)) == expected


# --- W21: Horus Heresy


def test_w21_the_old_chart() -> None:
    """Strength 4 against 1 to 10."""
    needs = [old_chart(4, toughness) for toughness in range(1, 11)]
    assert needs == [2, 2, 3, 4, 5, 6, 6, 7, 7, 7]


LEAST = st.sampled_from([None, None, 5, 6])


@quick(30)
@given(
    st.integers(2, 5), st.integers(3, 8), st.integers(2, 8), st.sampled_from([None, 2, 4]),
    st.sampled_from([None, 3, 5]), st.sampled_from([None, 5]), st.sampled_from([None, 5]),
    st.integers(1, 2), st.integers(1, 3), st.tuples(LEAST, LEAST, LEAST, LEAST, LEAST),
    st.integers(0, 1), st.sampled_from([None, 3, 5]),
)  # fmt: skip
def test_w21_one_attack(
    hit: int, strength: int, toughness: int, ap: int | None, save: int | None,
    other: int | None, ignore: int | None, damage: int, wounds: int,
    special: tuple[int | None, ...], eternal: int, deflagrate: int | None,
) -> None:  # fmt: skip
    rending, breaching, critical, shred, poisoned = special

    def over(face: int, least: int | None) -> bool:
        return least is not None and face >= least

    def need(strength: int) -> int:
        return 7 if toughness - strength > 3 else min(6, max(2, 4 + toughness - strength))

    def stopped(roll: Roll, ap: int | None) -> bool:
        armour = 7 if save is None or (ap is not None and ap <= save) else save
        best = min(armour, other or 7)
        if best < 7 and roll(6) >= best:
            return True
        return ignore is not None and roll(6) >= ignore

    def play(roll: Roll) -> int:
        left = [wounds] * 2
        unsaved = 0

        def hurt(points: int) -> None:
            place = next((k for k, health in enumerate(left) if health), None)
            if place is not None:
                left[place] = max(0, left[place] - points)

        face = roll(6)
        if face > 1 and face >= hit:
            alone = over(face, rending) or over(face, critical)
            wound = 6 if alone else roll(6)
            if alone or over(wound, poisoned) or (wound > 1 and wound >= need(strength)):
                points = damage + over(face, critical) + over(wound, shred) - eternal
                if not stopped(roll, 2 if over(wound, breaching) else ap):
                    unsaved += 1
                    hurt(max(1, points))
        if deflagrate is not None:
            for _ in range(unsaved):
                wound = roll(6)
                if wound > 1 and wound >= need(deflagrate) and not stopped(roll, None):
                    hurt(1)
        return left.count(0)

    found = game.heresy(
        1, hit, strength, toughness, ap, save, other, ignore, damage, wounds, 2, rending,
        breaching, critical, shred, poisoned, eternal, deflagrate,
    )["models lost"]  # fmt: skip
    assert table(found) == explore(play)


def test_w21_several_attacks_and_their_second_group() -> None:
    """Two hits that always wound and are never saved, each with one more that wounds on 4+."""
    found = game.heresy(2, 2, 9, 4, deflagrate=4, wounds=2, models=2, ap=2)
    assert found["unsaved wounds"].mean == 2 * F(5, 6) * F(5, 6)
    assert found["more unsaved wounds"].mean == found["unsaved wounds"].mean / 2
    q = F(25, 36)
    both = q * q
    # two wounds: one model is dead; one or two more points: a second only with two of them
    assert found["models lost"].p(2) == both * F(1, 4)
    # one wound and one more; or two wounds and less than two more
    assert found["models lost"].p(1) == 2 * q * (1 - q) * F(1, 2) + both * F(3, 4)


# --- W22: characteristic tests


@pytest.mark.parametrize("value", range(-1, 9))
@pytest.mark.parametrize("modifier", [-1, 0, 2])
def test_w22_characteristics(value: int, modifier: int) -> None:
    def passed(face: int) -> bool:
        return face == 1 or (face != 6 and face <= value + modifier)

    assert game.characteristic(value, modifier) == chance(passed(face) for face in D6)
    twice = chance(passed(a) or passed(b) for a, b in TWO)
    assert game.characteristic(value, modifier, reroll=True) == twice


# --- W23: combat results


@pytest.mark.parametrize("how", [{}, {"stubborn": True}, {"reroll": True}, {"cold_blooded": True}])
def test_w23_combat(how: dict[str, bool]) -> None:
    """A D3 of wounds against a D3, 1 more for us; every roll of the break test."""
    ends: dict[str, Fraction] = dict.fromkeys(("won", "drawn", "lost", "the foe breaks"), F(0))
    for ours, theirs in product(range(1, 4), repeat=2):
        by = ours + 1 - theirs
        ends["won" if by > 0 else "drawn" if by == 0 else "lost"] += F(1, 9)
        need = 7 if how.get("stubborn") else 7 - by
        dice = 3 if how.get("cold_blooded") else 2
        stands = chance(
            sum(sorted(roll)[:2]) <= need or sorted(roll)[:2] == [1, 1]
            for roll in product(D6, repeat=dice)
        )
        breaks = (1 - stands) ** 2 if how.get("reroll") else 1 - stands
        ends["the foe breaks"] += F(1, 9) * breaks if by > 0 else 0
    assert game.combat(d3, d3, bonus=2, foe_bonus=1, foe_leadership=7, **how) == ends


# --- the catalogue


def test_every_rule_is_asked_about() -> None:
    found = game_called("wargames")
    numbers = [number for number, _ in found.rules]
    assert numbers == [f"W{k}" for k in range(1, 24)]
    told = " ".join(call.rules for call in found.calls)
    named = set(re.findall(r"W\d+", told.replace("W5 to W7", "W5 W6 W7")))
    assert named == set(numbers)
    assert found.calls[0].name == "charge"


@pytest.mark.parametrize("call", game_called("wargames").calls, ids=lambda call: call.name)
def test_every_example_runs(call: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["game", "wargames", call.name, *shlex.split(call.example)])
    assert caught.value.code == 0
    assert f"wargames {call.name}" in capsys.readouterr().out


def test_the_charge_at_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["game", "wargames", "charge", "--distance", "9", "--reroll"])
    assert "155/324" in capsys.readouterr().out
