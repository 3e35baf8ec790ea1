"""Combat pools: checks against X+ on any die, then attack, defence and effect, hit by hit.

C1   Roll the listed number of dice; each that meets or beats the target is one success.
C2   X+ includes X. The chance is (N - X + 1) / N on a die of N sides: 1+ is certain, and more than
     N impossible.
C3   The table of every die and every target; and the target on each die that comes nearest to a
     wanted percentage.
C4   A target is short for a percentage. Percentile checks give finer steps: d100, rolled under or
     over.
C5   N hits are N attack checks; every successful attack has its own defence, every failed defence
     its own effect. No success speaks for another.
C6   Weapons keep their own effect dice, such as 1d4, 1d8 or 1d12; an action without them names a
     pool, such as 2d6.
C7   Individual combat takes the effect in hit points. Unit combat turns a weapon's average into
     Hit Dice; the average of one (7/2 by default) and the rounding (none) are options.
C8   A favourable band lies at the best end of the check die and an unfavourable one at the worst,
     each one face wide by default. Their widths never change the chance of success.
C9   A favourable critical doubles the effect dice of a successful action.
C10  An unfavourable critical halves them if the action still succeeds: rounded down, one at least.
C11  Effortless and strained outcomes change an action's timing, not its effect: a ladder of names,
     by face, margin or percentage.
C12  All at once: hits, undefended hits and damage together, and the chance to bring a target down
     in so many rounds, in hit points or in Hit Dice.

The sequence counts no critical as long as no width is given: its bands are 0 faces wide by default.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.dist import FACE, Dist, mix
from oddsmith.errors import RuleError
from oddsmith.games.catalogue import Amount, Dice, Target, call
from oddsmith.games.combat_bands import (
    OUTCOMES,
    Automatic,
    By,
    Check,
    Roll,
    Width,
    nearest_checks,
    number,
    outcome_table,
    shown,
    target_name,
    targets_of,
)
from oddsmith.games.combat_bands import check as checked
from oddsmith.games.combat_bands import ladder as ladder_of
from oddsmith.games.combat_effects import (
    HIT_DIE,
    HIT_POINTS,
    EffectDice,
    Rounding,
    When,
    effect_of,
    scale,
)
from oddsmith.games.combat_sequence import Fight, On, fight_of
from oddsmith.table import Table, tabulate

if TYPE_CHECKING:
    from collections.abc import Sequence

EVERY_DIE = (4, 6, 8, 10, 12, 20, 100)
SMALL = "choose a die with fewer sides"


def _chance(check: Check) -> dict[str, Fraction]:
    return {check.words: check.success}


def _fits(dice: Sequence[int], cells: int) -> None:
    """Refuse an empty list of dice, and tables with more rows than anybody reads."""
    if not dice:
        raise RuleError("no dice are listed (C3)", "write for example 6,20")
    for die in dice:
        checked(die, 1)
    afford(max(dice) * cells * FACE * 10, DEFAULT_BUDGET, SMALL)


@call("C1, C2", "--dice 8 --target 5+ --die 6")
def successes(dice: int, target: Target, die: int = 6, roll: Roll = "over") -> Dist[int]:
    """How many dice of a pool succeed.

    Args:
        dice: How many are rolled.
        target: What a success shows or beats.
        die: The sides of each.
        roll: Whether high or low is good.

    >>> successes(8, 5).at_least(3)
    Fraction(1163, 2187)
    """
    if not isinstance(dice, int) or dice < 0:
        raise RuleError(f"a pool cannot have {dice} dice (C1)", "write a number of 0 or more")
    chance = checked(die, target, roll).success
    found: Dist[int] = dice @ mix({1: chance, 0: 1 - chance})
    return found


@call("C2, C4", "--target 6+ --die 8")
def threshold(target: Target, die: int = 6, roll: Roll = "over") -> dict[str, Fraction]:
    """The chance of a target on any die.

    Args:
        target: What a success shows or beats.
        die: The sides of the die.
        roll: Whether high or low is good.

    >>> threshold(6, 8), threshold(1)
    ({'6+ on d8': Fraction(3, 8)}, {'1+ on d6, certain: every face': Fraction(1, 1)})
    """
    return _chance(checked(die, target, roll))


@call("C2, C3", "--dice 4,6,8,10,12,20")
def thresholds(dice: Sequence[int] = EVERY_DIE[:-1], roll: Roll = "over") -> Table:
    """The chance of every target on every die.

    Args:
        dice: The sides of the dice; 100 makes it a hundred rows long.
        roll: Whether high or low is good.

    >>> thresholds().cell("6+", "d8"), thresholds((100,)).cell("64+", "d100")
    (Fraction(3, 8), Fraction(37, 100))
    """
    _fits(dice, len(dice))
    targets = targets_of(max(dice), roll)
    return tabulate(
        "Every target on every die",
        ("target", targets),
        ("die", [f"d{die}" for die in dice]),
        lambda target, die: checked(int(die[1:]), targets[target], roll).success,
        notes=(
            "1+ is certain; a target above the highest face is impossible: 0."
            if roll == "over"
            else "The highest face or less is certain.",
        ),
    )


@call("C3, C4", "--chance 65%")
def nearest(chance: Fraction, dice: Sequence[int] = EVERY_DIE, roll: Roll = "over") -> Table:
    """The target on each die that comes nearest to a wanted percentage, and what it is off by.

    Args:
        chance: The wanted chance, such as 65%.
        dice: The sides of the dice.
        roll: Whether high or low is good.

    >>> nearest(Fraction(65, 100)).cell("d20: 8+", "difference")
    Fraction(0, 1)
    """
    _fits(dice, 0)
    wanted = _share(chance, "C3")
    rows: list[tuple[str, tuple[Fraction, ...]]] = []
    for die in dice:
        for one in nearest_checks(die, wanted, roll):
            name = f"d{die}: {target_name(one.target, roll)}"
            rows.append((name, (one.success, one.success - wanted)))
    return Table(
        f"Nearest to {number(100 * wanted)} %", "target", "what it gives", ("chance", "difference"),
        tuple(rows), notes=("A die with two rows has two targets that are equally near.",),
    )  # fmt: skip


def _share(chance: Any, rule: str) -> Fraction:
    if not isinstance(chance, (int, Fraction)) or not 0 <= chance <= 1:
        raise RuleError(
            f"a wanted chance is an exact number from 0 to 1, not {chance} ({rule})",
            "write for example 65% or 13/20",
        )
    return Fraction(chance)


@call("C4", "--chance 37% --roll under")
def percentile(
    chance: Fraction | None = None, target: Target | None = None, roll: Roll = "under",
    die: int = 100,
) -> dict[str, Fraction]:  # fmt: skip
    """A percentile check: the target that stands for a chance, or the chance of a target.

    Args:
        chance: The chance, such as 37%. Give this or the target.
        target: What a success shows, or less (or more, where high is good).
        roll: Whether low or high is good.
        die: The sides of the die.

    >>> percentile(Fraction(37, 100)), percentile(target=64, roll="over")
    ({'37 or less on d100': Fraction(37, 100)}, {'64+ on d100': Fraction(37, 100)})
    """
    if (chance is None) == (target is None):
        raise RuleError("a percentile check needs a chance or a target (C4)", "write one of them")
    if chance is not None:
        checked(die, 1)
        count = shown(100 * _share(chance, "C4"), die, "target", "C4")
        target = count if roll == "under" else die + 1 - count
    return _chance(checked(die, target or 0, roll))


@call("C5 to C10, C12", "--attacks 3 --to-hit 4+ --defence 5+ --critical 1 --hit-points 12")
def sequence(
    attacks: Dice,
    to_hit: Target,
    defence: Target | None = None,
    effect: EffectDice = "1d6",
    critical: Width = 0,
    unfavourable: Width = 0,
    on: On = "attack",
    automatic: Automatic = "none",
    die: int = 6,
    defence_die: int | None = None,
    roll: Roll = "over",
    hit_points: int | None = None,
    hit_dice: Fraction | None = None,
    combat: Literal["individual", "unit"] = "individual",
    average: Fraction = HIT_DIE,
    rounding: Rounding = "exact",
    each: When = "hit",
    rounds: int = 1,
    joint: bool = False,
    how_long: bool = False,
) -> dict[str, Any]:
    """Attack, defence and effect: hits, undefended hits, damage, and the chance to bring down.

    Args:
        attacks: The hits that become attack checks: a number, or dice such as 8d6c5+.
        to_hit: The target of every attack check.
        defence: The target of the defence against each successful attack; left out, there is none.
        effect: The effect dice of every failed defence, such as 1d8 or 2d6+1.
        critical: Width of the favourable band: faces, or a percentage such as 5%.
        unfavourable: Width of the unfavourable band.
        on: The check on which both are read; on the defence, its worst faces are the favourable.
        automatic: Whether a favourable critical always succeeds, and an unfavourable always fails.
        die: The sides of the attack die.
        defence_die: The sides of the defence die; left out, those of the attack die.
        roll: Whether high or low is good.
        hit_points: What the target has, in individual combat.
        hit_dice: What the target has, in unit combat.
        combat: Whether effects are rolled in hit points, or counted by their average in Hit Dice.
        average: The average of one Hit Die, such as 7/2 for a d6.
        rounding: How Hit Dice are rounded; nearest takes a half up.
        each: Whether the Hit Dice of each hit are rounded, or once the total of a round.
        rounds: So many rounds.
        joint: Also hits, undefended hits and damage of one round, all three together.
        how_long: Also in which round the target goes down.

    >>> found = sequence(3, 4, 5, "1d6", hit_points=12)
    >>> found["damage"].mean, found["damage"].p(0), found["damage"].at_least(7)
    (Fraction(7, 2), Fraction(8, 27), Fraction(119, 729))
    >>> sequence(2, 4, effect="1d8", combat="unit")["damage"].items()[-1]
    (Fraction(18, 7), Fraction(1, 4))
    """
    if combat not in ("individual", "unit"):
        raise RuleError(f"there is no {combat} combat (C7)", "write individual or unit")
    if combat == "unit" and hit_points is not None:
        raise RuleError("unit combat counts Hit Dice, not hit points (C7)", "give hit dice")
    if combat == "individual" and hit_dice is not None:
        raise RuleError(
            "individual combat counts hit points, not Hit Dice (C7)", "give hit points, or unit"
        )
    defender = die if defence_die is None else defence_die
    fight = fight_of(
        checked(die, to_hit, roll),
        None if defence is None else checked(defender, defence, roll),
        attacks,
        effect,
        (critical, unfavourable, automatic),
        on,
        scale(average, rounding, each) if combat == "unit" else HIT_POINTS,
    )
    return fight.found(hit_dice if combat == "unit" else hit_points, rounds, joint, how_long)


@call("C6, C7, C9, C10", "--effect 1d8")
def hit_dice(
    effect: EffectDice, average: Fraction = HIT_DIE, rounding: Rounding = "exact"
) -> dict[str, Amount]:
    """A weapon's damage, by its average, in Hit Dice.

    Args:
        effect: Its dice, such as 1d8.
        average: The average of one Hit Die, such as 7/2 for a d6.
        rounding: How Hit Dice are rounded; nearest takes a half up.

    >>> found = hit_dice("1d8")
    >>> found["average"].value, found["Hit Dice"].value
    (Fraction(9, 2), Fraction(9, 7))
    """
    by, dice = scale(average, rounding, "hit"), effect_of(effect)
    found = {"average": Amount(dice.total.mean, "hit points")}
    found["Hit Dice"] = Amount(by.of(dice).mean, "Hit Dice")
    found["favourable critical"] = Amount(by.of(dice.doubled).mean, "Hit Dice")
    if dice.pool.is_alike:
        found["unfavourable critical"] = Amount(by.of(dice.halved).mean, "Hit Dice")
    return found


@call("C6, C7", "--rounding nearest")
def weapons(average: Fraction = HIT_DIE, rounding: Rounding = "exact") -> Table:
    """The usual effect dice by their averages, in hit points and in Hit Dice.

    Args:
        average: The average of one Hit Die, such as 7/2 for a d6.
        rounding: How Hit Dice are rounded; nearest takes a half up.

    >>> weapons().cell("1d8", "Hit Dice")
    Fraction(9, 7)
    """
    return tabulate(
        "Average effects",
        ("effect", ("1d4", "1d6", "1d8", "1d10", "1d12", "2d6", "3d6")),
        ("measure", ("hit points", "Hit Dice", "favourable critical", "unfavourable critical")),
        lambda effect, measure: (
            hit_dice(effect, average, rounding)[
                "average" if measure == "hit points" else measure
            ].value
        ),
        "number",
        ("Criticals are in Hit Dice, too.",),
    )


@call("C8, C11", "--target 11+ --die 20 --ladder 'strained, plain 0, effortless 5'")
def bands(
    target: Target,
    die: int = 6,
    favourable: Width = 1,
    unfavourable: Width = 1,
    roll: Roll = "over",
    automatic: Automatic = "none",
    ladder: str = "",
    by: By = "margin",
) -> Table:
    """The chance of every outcome of a check: failure or success, and in which band.

    Args:
        target: What a success shows or beats.
        die: The sides of the die.
        favourable: Width of the favourable band: faces, or a percentage such as 5%.
        unfavourable: Width of the unfavourable band.
        roll: Whether high or low is good; the favourable band is at the good end.
        automatic: Whether a favourable critical always succeeds, and an unfavourable always fails.
        ladder: Names of outcomes, worst first, each with where it begins; the first may go without.
        by: Whether they begin at a face, a margin above the target, or a percentage of the faces.

    >>> bands(5, 100, "5%", "5%").cell("unfavourable success", "chance")
    Fraction(1, 100)
    """
    one = checked(die, target, roll, favourable, unfavourable, automatic)
    return outcome_table(one, ladder_of(ladder, by, one))


@call("C8", "--die 6 --favourable 1 --unfavourable 1")
def bands_table(
    die: int = 6,
    favourable: Width = 1,
    unfavourable: Width = 1,
    roll: Roll = "over",
    automatic: Automatic = "none",
) -> Table:
    """The chance of every outcome for each target of a die; every row adds up to 1.

    Args:
        die: The sides of the die.
        favourable: Width of the favourable band: faces, or a percentage such as 5%.
        unfavourable: Width of the unfavourable band.
        roll: Whether high or low is good.
        automatic: Whether a favourable critical always succeeds, and an unfavourable always fails.

    >>> bands_table(20).cell("11+", "plain success")
    Fraction(9, 20)
    """
    _fits((die,), 6)
    targets = targets_of(die, roll)
    short = {name.replace("avourable", "av."): name for name in OUTCOMES}
    return tabulate(
        f"Outcomes on d{die}",
        ("target", targets),
        ("outcome", short),
        lambda target, outcome: checked(
            die, targets[target], roll, favourable, unfavourable, automatic
        ).outcomes()[short[outcome]],
        notes=("fav. and unfav.: in the favourable and in the unfavourable band.",),
    )


@call("C8 to C10", "--effect 3d6 --to-hit 2+ --unfavourable 2")
def effect(
    effect: EffectDice,
    to_hit: Target,
    die: int = 6,
    favourable: Width = 1,
    unfavourable: Width = 1,
    roll: Roll = "over",
    automatic: Automatic = "none",
) -> dict[str, Dist[Any]]:
    """One action without a defence: how many effect dice it rolls, and what they come to.

    Args:
        effect: The effect dice, such as 3d6.
        to_hit: The target of the check.
        die: The sides of the die.
        favourable: Width of the favourable band, which doubles the dice.
        unfavourable: Width of the unfavourable band, which halves them.
        roll: Whether high or low is good.
        automatic: Whether a favourable critical always succeeds, and an unfavourable always fails.

    >>> effect("3d6", 2, unfavourable=2)["effect"].mean
    Fraction(28, 3)
    """
    one = checked(die, to_hit, roll, favourable, unfavourable, automatic)
    fight = Fight(Dist([1]), one, None, effect_of(effect))
    return {"effect dice": fight.effect_dice, "effect": fight.damage}


@call("C9, C10", "--most 6")
def effect_dice(most: int = 6) -> Table:
    """How many effect dice a critical leaves of so many.

    Args:
        most: The table goes up to so many dice.

    >>> effect_dice().cell("5", "unfavourable critical")
    Fraction(2, 1)
    """
    if most < 1:
        raise RuleError(f"a table cannot go up to {most} dice (C9)", "write for example 6")
    afford(most * FACE * 100, DEFAULT_BUDGET, "ask for fewer dice")
    return tabulate(
        "Effect dice",
        ("dice", range(1, most + 1)),
        ("outcome", ("favourable critical", "unfavourable critical")),
        lambda dice, outcome: Fraction(2 * dice if outcome[0] == "f" else max(1, dice // 2)),
        "number",
    )
