"""Fantasy battles: fights, war machines and magic."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

from oddsmith.dice import artillery, d6
from oddsmith.dist import Dist, as_dist, event
from oddsmith.errors import RuleError
from oddsmith.games.attack_profiles import Target as Unit
from oddsmith.games.attack_profiles import Weapon
from oddsmith.games.attack_sequence import shoot
from oddsmith.games.catalogue import Amount, Dice, Target, call
from oddsmith.games.fantasy_battle import scatter_and_artillery
from oddsmith.outcomes import is_number
from oddsmith.table import Table, tabulate

CHARTS: dict[str, dict[str, tuple[int, ...]]] = {
    "stone-thrower": {
        "destroyed": (1,), "disabled for two turns": (2, 3), "may not shoot": (4, 5, 6),
    },
    "black-powder-7": {
        "destroyed": (1,), "malfunction for two turns": (2, 3), "may not shoot": (4, 5, 6),
    },
    "black-powder-8": {
        "destroyed": (1, 2), "malfunction for two turns": (3, 4), "may not shoot": (5, 6),
    },
}  # fmt: skip
"""Misfire charts: each result and its faces of a D6. That of black powder in the 8th edition is
from memory."""

Chart = Literal["stone-thrower", "black-powder-7", "black-powder-8"]


def close_need(own: int, foe: int) -> int:
    """What a close-combat attack needs to hit, from both weapon skills.

    >>> close_need(4, 3), close_need(3, 3), close_need(3, 6), close_need(3, 7)
    (3, 4, 4, 5)
    """
    return 3 if own > foe else 5 if foe > 2 * own else 4


@call("W5 to W7", "--attacks 30 --weapon-skill 4 --foe-skill 3 --strength 3 --toughness 4")
def fight(
    attacks: Dice = 10,
    weapon_skill: int = 3,
    foe_skill: int = 3,
    ballistic: int | None = None,
    modifier: int = 0,
    strength: int = 3,
    toughness: int = 3,
    save: Target | None = None,
    ward: Target | None = None,
    wounds: int = 1,
    models: int = 20,
    multiple: Dice = 1,
    poison: bool = False,
    killing_blow: bool = False,
    reroll_hits: bool = False,
    reroll_wounds: bool = False,
) -> dict[str, Any]:
    """Models lost in close combat, or to shooting where a ballistic skill is given.

    Args:
        attacks: A number or dice.
        weapon_skill: Of the attackers.
        foe_skill: Weapon skill of the target.
        ballistic: Ballistic skill: shooting instead of close combat.
        modifier: Added to hit rolls.
        strength: To wound, and each point over 3 worsens armour.
        toughness: Of the target.
        save: Its armour save.
        ward: Its ward save or regeneration, against each wound.
        wounds: Of each model.
        models: How many there are.
        multiple: Wounds that each unsaved one becomes, up to those of the model.
        poison: A natural 6 to hit wounds.
        killing_blow: A natural 6 to wound allows no armour save.
        reroll_hits: Failed hit rolls are rolled again.
        reroll_wounds: Failed wound rolls are rolled again.

    >>> fight(30, 4, 3, toughness=4, save=5, models=30)["models lost"].mean
    Fraction(40, 9)
    """
    skill = close_need(weapon_skill, foe_skill) if ballistic is None else 7 - ballistic
    weapon = Weapon(
        attacks=as_dist(attacks), skill=max(1, skill), strength=strength, lethal=poison,
        devastating=killing_blow, damage=as_dist(multiple), hit_modifier=modifier,
        reroll_hits=("not-succeeding",) if reroll_hits else (),
        reroll_wounds=("not-succeeding",) if reroll_wounds else (),
    )  # fmt: skip
    unit = Unit(toughness=toughness, save=save, ward=ward, wounds=wounds, models=models)
    found = shoot(weapon, unit, "whfb-8")
    _, steps = found.steps[0]
    return {
        "hits": Amount(steps["hits"].mean, "on average"),
        "wounds": Amount(steps["wounds"].mean, "on average"),
        "models lost": found.models,
    }


@call("W10, W12", "--short 8 --depth 2 --toughness 5 --wounds 3")
def cannon(
    short: int | None = None,
    depth: int = 2,
    toughness: int | None = None,
    wounds: int = 1,
    ward: Target | None = None,
    chart: Chart = "black-powder-8",
) -> Any:
    """A cannonball: the chance to hit something so deep from an aim so far short of it.

    The artillery die is rolled and the ball lands so far beyond the aim; it is rolled again and
    the ball bounces so far; a Misfire on the bounce leaves it where it landed.

    Args:
        short: Inches from the aim to the target; left out, a table of all aims.
        depth: How deep the target is in inches, front and back edge included.
        toughness: Of the target, for the chance to slay it at strength 10 with D6 wounds.
        wounds: Its wounds.
        ward: Its ward save.
        chart: The misfire chart.

    Raises:
        RuleError: For a depth or a distance below 0.

    >>> cannon(8)["hits"], cannon(8, toughness=5, wounds=3)["slays where it hits"]
    (Fraction(2, 3), Fraction(5, 9))
    """
    if depth < 0 or (short is not None and short < 0):
        raise RuleError("distances are 0 or more (W10)", "write --short 8 --depth 2")
    if short is None:
        return tabulate(
            "A cannonball hits",
            ("inches short", range(13)),
            ("inches deep", range(1, 6)),
            cannon_hits,
        )
    hits = cannon_hits(short, depth)
    found: dict[str, Any] = {
        "hits": hits,
        "misfires": artillery.p("Misfire"),
        "destroyed": artillery.p("Misfire") * _on_chart(chart, "destroyed"),
    }
    if toughness is not None:
        shot = Weapon(skill=None, strength=10, damage=d6)
        unit = Unit(toughness=toughness, save=None, ward=ward, wounds=wounds)
        slain = shoot(shot, unit, "whfb-8").wiped_out
        found |= {"slays where it hits": slain, "slays": hits * slain}
    return found


def cannon_hits(short: int, depth: int) -> Fraction:
    """The chance that a ball aimed so far short touches something so deep.

    >>> cannon_hits(8, 2), cannon_hits(0, 2)
    (Fraction(2, 3), Fraction(1, 6))
    """

    def touches(first: Any, bounce: Any) -> bool:
        if not is_number(first):
            return False
        lands: int = first - short
        return lands <= depth and lands + (int(bounce) if is_number(bounce) else 0) >= 0

    return artillery.combine(artillery, lambda a, b: int(touches(a, b))).p(1)


@call("W11, W12", "--within 4")
def stone_thrower(within: int | None = None) -> dict[str, Any]:
    """A stone thrower: the scatter die and the artillery die together.

    Args:
        within: Also the chance that the stone lands at most so far from where it was aimed.

    Raises:
        RuleError: For a distance below 0.

    >>> stone_thrower()["direct hit"]
    Fraction(5, 18)
    """
    both = scatter_and_artillery()
    misfire = both.p("Misfire")
    found: dict[str, Any] = {
        "direct hit": both.p("Hit!"),
        "misfire": misfire,
        "destroyed": misfire * _on_chart("stone-thrower", "destroyed"),
        "where it lands": both,
    }
    if within is not None:
        found[f"within {within} inches"] = scatter_and_artillery(within=within)
    return found


@call("W12", "--chart black-powder-8")
def misfire(chart: Chart = "stone-thrower") -> Table:
    """A misfire chart: the chance of each result once it misfires, and for each shot.

    Args:
        chart: Which one.

    >>> misfire("black-powder-8").cell("destroyed", "each shot")
    Fraction(1, 18)
    """
    rows = []
    for result in _chart(chart):
        chance = _on_chart(chart, result)
        rows.append((result, (chance, chance * artillery.p("Misfire"))))
    notes = ("The faces are from memory.",) if chart == "black-powder-8" else ()
    title = f"Misfire: {chart}"
    return Table(title, "result", "chances", ("misfire", "each shot"), tuple(rows), notes=notes)


def _chart(name: str) -> dict[str, tuple[int, ...]]:
    if name not in CHARTS:
        raise RuleError(f"no chart is called {name} (W12)", f"choose from {', '.join(CHARTS)}")
    return CHARTS[name]


def _on_chart(name: str, result: str) -> Fraction:
    return d6.p(set(_chart(name)[result]))


@call("W13", "--wizards 2 --foe-wizards 1")
def winds(wizards: int = 0, foe_wizards: int = 0, most: int = 12) -> dict[str, Dist[int]]:
    """The winds of magic: power dice, and dispel dice from the higher of the two.

    Args:
        wizards: Wizards that try to channel another power die, each on a 6.
        foe_wizards: The same for dispel dice.
        most: No pool holds more.

    Raises:
        RuleError: For a number below 0.

    >>> winds()["dispel dice"].mean
    Fraction(161, 36)
    """
    if min(wizards, foe_wizards) < 0:
        raise RuleError("a number of wizards is 0 or more (W13)", "write --wizards 2")
    channel = event(Fraction(1, 6))
    pools = {"power dice": (2 @ d6, wizards), "dispel dice": (d6.pool(2).highest(), foe_wizards)}
    return {
        name: (dice + channel.times(count)).map(lambda size: min(size, most))
        for name, (dice, count) in pools.items()
    }


@call("W14", "--dice 3 --value 10 --bonus 2")
def cast(dice: int, value: int = 1, bonus: int = 0) -> dict[str, Fraction]:
    """The chance to cast a spell, and that two or more 6s make it irresistible.

    Args:
        dice: Power dice, 1 to 12.
        value: The casting value.
        bonus: The level of the wizard and other bonuses.

    Raises:
        RuleError: For another number of dice.

    >>> cast(3)["irresistible"], cast(2, 7)["cast"]
    (Fraction(2, 27), Fraction(7, 12))
    """
    if not 1 <= dice <= 12:
        raise RuleError(f"{dice} power dice cannot be rolled (W14)", "roll 1 to 12")
    rolls: Dist[Any] = d6.pool(dice).map(
        lambda roll: (int(roll.count(6) >= 2), int(sum(roll) + bonus >= value))
    )
    return {
        "cast": rolls.p(lambda end: any(end)),
        "irresistible": rolls.p(lambda end: end[0] == 1),
        "cast, and can be dispelled": rolls.p((0, 1)),
    }
