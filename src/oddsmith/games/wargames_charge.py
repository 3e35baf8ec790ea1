"""Moves and dangers of skirmish games: charges, overwatch, weapons that harm their bearers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from oddsmith.dice import d6
from oddsmith.dist import as_dist, event
from oddsmith.errors import RuleError
from oddsmith.games.attack_profiles import Target as Unit
from oddsmith.games.attack_profiles import Weapon
from oddsmith.games.attack_sequence import shoot
from oddsmith.games.catalogue import Dice, Target, call
from oddsmith.mechanics.choices import best_reroll


@call("W1", "--distance 9 --reroll")
def charge(
    distance: int,
    reroll: bool = False,
    one_die: bool = False,
    swift: bool = False,
    modifier: int = 0,
) -> Fraction:
    """The chance that a charge roll is far enough.

    Args:
        distance: What the roll has to reach.
        reroll: A roll that is too short is rolled again, with all its dice.
        one_die: Instead, one die of it is rolled again, the best one.
        swift: Three dice, the highest two count.
        modifier: Added to the roll.

    Raises:
        RuleError: For both kinds of re-rolls at once.

    >>> charge(9), charge(9, reroll=True), charge(9, swift=True)
    (Fraction(5, 18), Fraction(155, 324), Fraction(113, 216))
    """
    if reroll and one_die:
        raise RuleError("no die is rolled twice again (W1)", "choose reroll or one_die")
    pool = d6.pool(3 if swift else 2)
    need = distance - modifier
    if one_die:
        return best_reroll(pool, lambda roll: int(sum(roll[-2:]) >= need), most=1).value
    once: Fraction = pool.keep_highest(2).sum().at_least(need)
    return 1 - (1 - once) ** 2 if reroll else once


@call("W3", "--weapons 3")
def hazardous(weapons: int, harmed_on: int = 1) -> dict[str, Any]:
    """What weapons do that may harm their bearers: one D6 for each, a 1 harms.

    Args:
        weapons: How many were fired.
        harmed_on: So low a roll harms.

    Raises:
        RuleError: For a number of weapons below 0, and for a roll that a D6 does not have.

    >>> hazardous(3)["at least one is harmed"]
    Fraction(91, 216)
    """
    if weapons < 0 or harmed_on not in range(7):
        raise RuleError("weapons are 0 or more and a D6 has six faces (W3)", "write --weapons 3")
    one = event(Fraction(harmed_on, 6))
    return {
        "at least one is harmed": 1 - (1 - one.p(1)) ** weapons,
        "bearers harmed": one.times(weapons),
    }


@call("W4", "--attacks 20 --strength 4 --toughness 4 --save 3+")
def overwatch(
    attacks: Dice = 10,
    strength: int = 4,
    toughness: int = 4,
    save: Target | None = None,
    ap: int = 0,
    damage: Dice = 1,
    wounds: int = 1,
    models: int = 10,
    torrent: bool = False,
) -> dict[str, Any]:
    """Models lost to fire at a charging unit, where only a natural 6 hits.

    Args:
        attacks: A number or dice.
        strength: Against the toughness.
        toughness: Of the target.
        save: Its armour save.
        ap: By how much the save is worsened.
        damage: Of each unsaved wound, a number or dice.
        wounds: Of each model.
        models: How many there are.
        torrent: The weapon hits without a roll, so that overwatch is no worse.

    >>> overwatch(36, save=4, models=36)["models lost"].mean
    Fraction(3, 2)
    """
    skill = None if torrent else 6
    weapon = Weapon(
        attacks=as_dist(attacks), skill=skill, strength=strength, ap=ap, damage=as_dist(damage),
        overwatch=True,
    )  # fmt: skip
    unit = Unit(toughness=toughness, save=save, wounds=wounds, models=models)
    found = shoot(weapon, unit)
    return {"models lost": found.models, "nobody is left": found.wiped_out}
