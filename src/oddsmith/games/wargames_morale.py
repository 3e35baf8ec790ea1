"""Tests on two dice: battle-shock, leadership, break tests, orders, and the nerve of units."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from oddsmith.dice import d6
from oddsmith.dist import Dist, as_dist, mix
from oddsmith.errors import RuleError
from oddsmith.games.catalogue import Dice, Target, call

TWO: Dist[int] = 2 @ d6
LOWEST: Dist[int] = d6.pool(3).keep_lowest(2).sum()
DOUBLE_ONE, DOUBLE_SIX = 2, 12


def _passed(once: Fraction, reroll: bool) -> Fraction:
    """The chance with one re-roll of a failed test, or without."""
    return 1 - (1 - once) ** 2 if reroll else once


@call("W2", "--leadership 7+ --reroll")
def battle_shock(leadership: Target, modifier: int = 0, reroll: bool = False) -> Fraction:
    """The chance to pass a test that needs the leadership or more on 2D6.

    Args:
        leadership: What has to be rolled.
        modifier: Added to the roll.
        reroll: A failed test is rolled again.

    >>> battle_shock(7), battle_shock(7, reroll=True)
    (Fraction(7, 12), Fraction(119, 144))
    """
    return _passed(TWO.at_least(leadership - modifier), reroll)


@call("W8", "--leadership 8 --reroll")
def leadership(
    leadership: int, modifier: int = 0, reroll: bool = False, cold_blooded: bool = False
) -> Fraction:
    """The chance to pass a test that needs the leadership or less on 2D6; a double 1 passes.

    Args:
        leadership: What must not be passed.
        modifier: Added to the leadership.
        reroll: A failed test is rolled again, as near a battle standard.
        cold_blooded: Three dice, the lowest two count.

    >>> leadership(8), leadership(8, reroll=True), leadership(8, cold_blooded=True)
    (Fraction(13, 18), Fraction(299, 324), Fraction(193, 216))
    """
    dice = LOWEST if cold_blooded else TWO
    return _passed(dice.at_most(max(DOUBLE_ONE, leadership + modifier)), reroll)


@call("W9", "--leadership 8 --lost-by 3 --reroll")
def break_test(
    leadership: int,
    lost_by: Dice = 0,
    stubborn: bool = False,
    reroll: bool = False,
    cold_blooded: bool = False,
) -> Fraction:
    """The chance that a unit that lost a combat stands: leadership less the difference.

    A double 1 always holds (insane courage).

    Args:
        leadership: Of the unit.
        lost_by: By how much it lost, a number or dice; a difference below 0 counts as 0.
        stubborn: The difference does not count (stubborn or steadfast).
        reroll: A failed test is rolled again, as near a battle standard.
        cold_blooded: Three dice, the lowest two count.

    >>> break_test(8, 3, reroll=True), break_test(5, 10), break_test(7, 4, True, False, True)
    (Fraction(155, 324), Fraction(1, 36), Fraction(29, 36))
    """
    dice = LOWEST if cold_blooded else TWO
    lost = as_dist(0 if stubborn else lost_by)

    def stands(difference: int) -> Fraction:
        need = leadership - max(0, difference)
        return _passed(dice.at_most(max(DOUBLE_ONE, need)), reroll)

    return sum((p * stands(difference) for difference, p in lost.items()), Fraction(0))


@call("W23", "--wounds 12d6c5+ --suffered 5d6c5+ --bonus 3 --foe-leadership 7")
def combat(
    wounds: Dice,
    suffered: Dice = 0,
    bonus: int = 0,
    foe_bonus: int = 0,
    foe_leadership: int = 7,
    stubborn: bool = False,
    reroll: bool = False,
    cold_blooded: bool = False,
) -> dict[str, Fraction]:
    """Who wins a combat, and whether the foe that lost it breaks.

    Wounds of both sides are rolled independently, as where both strike at once.

    Args:
        wounds: That the foe suffers, a number or dice.
        suffered: By one's own side, a number or dice.
        bonus: Ranks, standard, flank and charge of one's own side.
        foe_bonus: The same of the foe.
        foe_leadership: Of the foe.
        stubborn: The difference does not count for the foe (stubborn or steadfast).
        reroll: A failed break test is rolled again, as near a battle standard.
        cold_blooded: The foe rolls three dice, the lowest two count.

    >>> combat(3, 1, bonus=1, foe_leadership=8)["the foe breaks"]
    Fraction(13, 18)
    """
    won_by: Dist[int] = as_dist(wounds) + bonus - (as_dist(suffered) + foe_bonus)
    breaks = sum(
        (
            p * (1 - break_test(foe_leadership, difference, stubborn, reroll, cold_blooded))
            for difference, p in won_by.items()
            if difference > 0
        ),
        Fraction(0),
    )
    return {
        "won": won_by.more_than(0), "drawn": won_by.p(0), "lost": won_by.less_than(0),
        "the foe breaks": breaks,
    }  # fmt: skip


@call("W22", "--value 4 --reroll")
def characteristic(value: int, modifier: int = 0, reroll: bool = False) -> Fraction:
    """The chance to pass a characteristic test: the value or less on a D6.

    A natural 1 passes and a natural 6 fails, whatever the value.

    Args:
        value: Of the characteristic.
        modifier: Added to the value.
        reroll: A failed test is rolled again.

    >>> characteristic(4), characteristic(4, reroll=True), characteristic(9), characteristic(0)
    (Fraction(2, 3), Fraction(8, 9), Fraction(5, 6), Fraction(1, 6))
    """
    return _passed(d6.at_most(max(1, min(5, value + modifier))), reroll)


@call("W15", "--waver 14 --rout 16 --damage 8 --inspiring")
def nerve(
    waver: int,
    rout: int,
    damage: Dice = 0,
    inspiring: bool = False,
    modifier: int = 0,
    six_wavers: bool = False,
) -> dict[str, Fraction]:
    """The nerve of a unit: 2D6 and its damage against the values at which it wavers and routs.

    A double 1 is steady whatever the damage.

    Args:
        waver: The lower value.
        rout: The upper value.
        damage: The damage on the unit, a number or dice.
        inspiring: A rout is rolled again once, and the second result stands.
        modifier: Added to the roll.
        six_wavers: A double 6 wavers at least (from memory).

    Raises:
        RuleError: Where the unit routs before it wavers.

    >>> nerve(14, 16, 8)["rout"], nerve(14, 16, 8, inspiring=True)["rout"]
    (Fraction(5, 12), Fraction(25, 144))
    """
    if rout < waver:
        raise RuleError(f"a unit does not rout at {rout} before it wavers at {waver} (W15)")

    def result(roll: int, total: int) -> str:
        if roll == DOUBLE_ONE:
            return "steady"
        if roll + total >= rout:
            return "rout"
        wavers = roll + total >= waver or (six_wavers and roll == DOUBLE_SIX)
        return "waver" if wavers else "steady"

    def tested(hurt: int) -> Any:
        once = TWO.map(lambda roll: result(roll, hurt + modifier))
        return once.then(lambda end: once if inspiring and end == "rout" else end)

    ends: Dist[str] = mix((tested(hurt), p) for hurt, p in as_dist(damage).items())
    return {end: ends.p(end) for end in ("steady", "waver", "rout")}


@call("W16", "--morale 9 --pins 2")
def order_test(
    morale: int, pins: int = 0, modifier: int = 0, reroll: bool = False
) -> dict[str, Fraction]:
    """An order test: the morale or less on 2D6 obeys, a double 6 goes badly wrong.

    Args:
        morale: Of the unit.
        pins: Pin markers, each of which takes 1 from the morale.
        modifier: Added to the morale, as by an officer.
        reroll: A test that is not obeyed is rolled again, and the second result stands.

    >>> order_test(9, 2)
    {'obeys': Fraction(7, 12), 'fails': Fraction(7, 18), 'FUBAR': Fraction(1, 36)}
    """
    need = morale - pins + modifier

    def result(roll: int) -> str:
        return "FUBAR" if roll == DOUBLE_SIX else "obeys" if roll <= need else "fails"

    once: Dist[str] = TWO.map(result)
    ends: Dist[str] = once.then(lambda end: once if reroll and end != "obeys" else end)
    return {end: ends.p(end) for end in ("obeys", "fails", "FUBAR")}
