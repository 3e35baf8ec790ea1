"""Warhammer 40,000 style rolls: re-rolls first, then modifiers.

K1   Modifiers to a characteristic add up and apply in one order, however they are listed: a number
     it is set to, division, multiplication, addition, subtraction. Fractions round up once at the
     end, or after the division (a parameter).
K2   Re-rolls come before modifiers: "re-roll failed" looks at the unmodified roll. "You may re-roll
     the roll" re-rolls whatever does not succeed.
K3   The face after a re-roll is final; modifiers come after it. A re-roll is compulsory unless the
     roller may decline (a parameter).
K4   "Unmodified" means after re-rolls and before modifiers; a trigger on it ignores modifiers.
K5   A trigger that does not say "unmodified" looks at the modified roll, which is never below 1
     unless there is no floor (a parameter).
K6   A simple modifier is the same as a target moved the other way, save for natural 1s and 6s.
     Those and caps on modifiers go by edition (a parameter).
K7   A D3 is a D6 halved, rounding up; a re-roll of it looks at the halved value.
K8   A re-roll of specific results touches only the dice that show them.
K9   A re-roll of a sum of dice rolls all of them again, unless the rule says one or some.
K10  No die is re-rolled twice: sources add up to one re-roll, and a command re-roll cannot touch a
     die that was already re-rolled.

Editions: in the 8th an unmodified 1 fails and modifiers have no cap; in the 9th and the 10th an
unmodified 6 also succeeds, and modifiers add up to no more than 1 either way.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any, Literal

from oddsmith.budget import DEFAULT_BUDGET, afford, words
from oddsmith.dice import d3 as one_d3
from oddsmith.dice import d6
from oddsmith.dist import Dist, as_dist, event
from oddsmith.errors import RuleError
from oddsmith.games.catalogue import Amount, Dice, Target, call
from oddsmith.games.warhammer_40k_wording import (
    Edition,
    One,
    Six,
    count_of,
    listed,
    read_bound,
    read_modifiers,
    read_occasion,
    read_reroll,
    read_sources,
    the_check,
)
from oddsmith.mechanics.checks import Check, Reroll, chance, natural, rolled, tally
from oddsmith.mechanics.choices import best_reroll
from oddsmith.open_dist import OpenDist
from oddsmith.table import Table, tabulate

Rounding = Literal["end", "each"]
Look = Literal["unmodified", "modified"]
Counted = Literal["successes", "criticals"]

SUMS = ("none", "all", "failed", "one-die", "any-dice", "ones")
"""Re-rolls of a sum of dice."""


@call("K2, K3, K6, K8, K10", "--skill 3+ --modifier -1 --reroll failed")
def check(
    skill: Target,
    modifier: str | int = 0,
    reroll: str = "none",
    optional: bool = False,
    edition: Edition = "8th",
    one: One | None = None,
    six: Six | None = None,
    cap: str | int | None = None,
) -> Fraction:
    """The chance that a D6 reaches a target, with modifiers and re-rolls.

    Args:
        skill: The target, such as a ballistic skill.
        modifier: What is done to the roll, such as -1 or +1,-2.
        reroll: Which first rolls are re-rolled: none, ones, failed (before modifiers), may (what
            does not succeed, after modifiers), all, or faces such as 1,2; several with commas.
        optional: The roller may decline the re-roll.
        edition: Its rules for an unmodified 1 and 6 and the cap on modifiers.
        one: An unmodified 1 fails or is plain, whatever the edition.
        six: An unmodified 6 succeeds or is plain, whatever the edition.
        cap: Modifiers add up to no more than this either way, or none, whatever the edition.

    >>> check(3, -1), check(3, -1, "failed"), check(3, -1, "may")
    (Fraction(1, 2), Fraction(2, 3), Fraction(3, 4))
    """
    asked = the_check(skill, modifier, edition, one, six, cap)
    return chance(d6, asked, read_reroll(reroll, optional))


@call("K1", "--value 5 --modifier +1,x2,/2")
def characteristic(
    value: Dice,
    modifier: str | int = 0,
    rounding: Rounding = "end",
    minimum: str | int | None = None,
) -> Any:
    """A characteristic after its modifiers, in their fixed order.

    Args:
        value: A number, or dice such as 1d6 for a damage.
        modifier: Modifiers in any order: +1, -1, x2, /2, =3 (set to 3).
        rounding: Fractions round up once at the end, or after each division.
        minimum: The result is never less, or none.

    Returns:
        An ``Amount``, or a ``Dist`` where the value is rolled.

    Raises:
        RuleError: For modifiers that cannot be read, or a value without bounds.

    >>> characteristic(5, "+1,x2,/2").value, characteristic(5, "+1,x2,/2", "each").value
    (Fraction(6, 1), Fraction(7, 1))
    """
    if rounding not in ("end", "each"):
        raise RuleError(f"nothing is rounded at {rounding} (K1)", "choose end or each")
    change = read_modifiers(modifier, rounding == "each")
    floor = read_bound(minimum, "minimum", "K1")
    if isinstance(value, OpenDist):
        raise RuleError("a characteristic has a highest value (K1)", "roll dice that end")
    first = as_dist(value)
    first.require_numbers("modify")
    after = first.map(Check(0, change, floor).modified)
    return after if len(first) > 1 else Amount(Fraction(after.low))


@call("K3, K4, K5, K8, K10", "--reroll ones")
def face(
    reroll: str = "none",
    skill: Target | None = None,
    modifier: str | int = 0,
    look: Look = "unmodified",
    optional: bool = False,
    floor: str | int | None = 1,
    edition: Edition = "8th",
) -> Dist[int]:
    """What a D6 shows after its re-roll: unmodified, or after modifiers.

    Args:
        reroll: Which first rolls are re-rolled, as for a check.
        skill: The target, for re-rolls of what fails.
        modifier: What is done to the roll.
        look: The unmodified roll or the modified one.
        optional: The roller may decline the re-roll.
        floor: The modified roll is never less, or none.
        edition: Its rules for natural faces and the cap on modifiers.

    Raises:
        RuleError: For a re-roll of what fails without a target.

    >>> face("ones").p(6), face("ones", modifier=1, look="modified").p(7)
    (Fraction(7, 36), Fraction(7, 36))
    """
    if look not in ("unmodified", "modified"):
        raise RuleError(f"a roll is not {look} (K4)", "choose unmodified or modified")
    asked = the_check(skill, modifier, edition).but(floor=read_bound(floor, "floor", "K5"))
    shown = natural(d6, read_reroll(reroll, optional, skill).faces(d6, asked))
    return shown if look == "unmodified" else shown.map(asked.modified)


@call("K4, K5", "--on 1 --modifier -1")
def trigger(
    on: str | int,
    modifier: str | int = 0,
    reroll: str = "none",
    skill: Target | None = None,
    optional: bool = False,
    floor: str | int | None = 1,
    edition: Edition = "8th",
) -> Fraction:
    """The chance that a roll sets off a rule.

    Args:
        on: When it does, as the rule words it: unmodified 6, 1, 5+, or several such as 1,2.
        modifier: What is done to the roll.
        reroll: Which first rolls are re-rolled, as for a check.
        skill: The target, for re-rolls of what fails.
        optional: The roller may decline the re-roll.
        floor: The modified roll is never less, or none.
        edition: Its rules for natural faces and the cap on modifiers.

    Raises:
        RuleError: For an occasion that cannot be read.

    >>> trigger("unmodified 6", -1, "ones"), trigger(1, +1), trigger(1, -1)
    (Fraction(7, 36), Fraction(0, 1), Fraction(1, 3))
    """
    unmodified, lowest, rolls = read_occasion(on)
    look: Look = "unmodified" if unmodified else "modified"
    shown: Dist[int] = face(reroll, skill, modifier, look, optional, floor, edition)
    return shown.at_least(lowest) if rolls is None else shown.p(rolls)


@call("K7, K8", "--reroll ones")
def d3(reroll: str = "none", modifier: str | int = 0, dice: int = 1) -> Dist[int]:
    """A D3, or several added up: D6s halved, re-rolled by the halved value.

    Args:
        reroll: Which values are re-rolled: none, ones, or values such as 1,2.
        modifier: What is done to the total.
        dice: How many D3s.

    >>> d3("ones")
    Dist({1: 1, 2: 4, 3: 4})
    """
    sources = read_sources(reroll, 3, ("none", "ones"))
    change = read_modifiers(modifier)
    one = natural(one_d3, Reroll(sources).faces(one_d3, Check(1)))
    return one.times(count_of(dice, "K7")).map(change)


@call("K8, K9", "--dice 2 --target 9 --reroll all")
def reroll_dice(
    dice: int = 2,
    target: Target | None = None,
    reroll: str = "all",
    modifier: str | int = 0,
) -> Any:
    """A sum of D6s with a re-roll of all of them, of specific results, or of dice of one's choice.

    Args:
        dice: How many D6s.
        target: The total to reach after modifiers; without one the roller wants a high mean.
        reroll: all (all dice, when the total does not succeed), failed (all, when it fails before
            modifiers), one-die or any-dice (the roller chooses), ones or faces such as 1,2 (just
            the dice that show them), or none.
        modifier: What is done to the total.

    Returns:
        The chance to reach the target, or without one the total.

    Raises:
        RuleError: For no dice, or a re-roll of what failed without a target.

    >>> reroll_dice(2, 9), reroll_dice(2, 9, "one-die"), reroll_dice(2, 7, "ones")
    (Fraction(155, 324), Fraction(113, 216), Fraction(35, 48))
    """
    count_of(dice, "K9", 1)
    change = read_modifiers(modifier)
    sources = read_sources(reroll, 6, SUMS)
    kind = sources[0]
    if len(sources) > 1 and {*sources} & {*SUMS} - {"ones"}:
        raise RuleError(f"{reroll!r} is more than one re-roll (K10)", f"choose from {listed(SUMS)}")
    if target is None and kind == "failed":
        raise RuleError("no total fails without a target (K9)", "name the total to reach")

    def worth(total: int) -> int:
        return change(total) if target is None else int(change(total) >= target)

    if kind in ("one-die", "any-dice"):
        most = 1 if kind == "one-die" else None
        policy = best_reroll(d6.pool(dice), lambda roll: worth(sum(roll)), most)
        return policy.scores if target is None else policy.value
    asked = Check(dice if target is None else target, change)
    again = Reroll(sources, optional=kind == "all")
    if kind in ("all", "failed"):
        whole: Dist[int] = dice @ d6
        total = natural(whole, again.faces(whole, asked, worth)).map(change)
    else:
        total = natural(d6, again.faces(d6, asked)).times(dice).map(change)
    return total if target is None else total.at_least(target)


@call("K10", "--dice 10 --skill 3+ --reroll ones")
def command_reroll(
    dice: int,
    skill: Target,
    modifier: str | int = 0,
    reroll: str = "ones",
    optional: bool = False,
    edition: Edition = "8th",
) -> Dist[int]:
    """The successes of a pool, with one command re-roll for a die not re-rolled before.

    Args:
        dice: How many D6s.
        skill: The target.
        modifier: What is done to each roll.
        reroll: Which first rolls are re-rolled anyway, as for a check.
        optional: The roller may decline those re-rolls.
        edition: Its rules for natural faces and the cap on modifiers.

    >>> command_reroll(2, 2).p(2), command_reroll(2, 2, reroll="none").p(2)
    (Fraction(1225, 1296), Fraction(25, 27))
    """
    count_of(dice, "K10")
    asked = the_check(skill, modifier, edition)
    once = rolled(d6, read_reroll(reroll, optional).faces(d6, asked))
    good, bad, spent = _ways(once, asked)
    afford(3 * dice * words(dice, once.bits()), DEFAULT_BUDGET, "roll fewer dice")
    fresh = int(d6.p(asked.passes) * 6)
    found = dict.fromkeys(range(dice + 2), 0)
    for count in range(dice + 1):
        ways = comb(dice, count) * good**count
        # where all dice that failed were re-rolled, none is left for the command
        none_left = ways * spent ** (dice - count)
        some_left = ways * bad ** (dice - count) - none_left
        found[count] += none_left * 6 + some_left * (6 - fresh)
        found[count + 1] += some_left * fresh
    return Dist(found)


def _ways(once: Dist[tuple[int, int]], asked: Check) -> tuple[int, int, int]:
    """The ways in which one die succeeds, fails, and fails after a re-roll."""
    ways = once.weights()
    good = sum(way for (shown, _), way in ways.items() if asked.passes(shown))
    spent = sum(way for (shown, used), way in ways.items() if used and not asked.passes(shown))
    return good, once.total - good, spent


@call("K2, K4, K8", "--dice 3 --skill 3+ --reroll ones")
def successes(
    dice: int,
    skill: Target,
    modifier: str | int = 0,
    reroll: str = "none",
    optional: bool = False,
    count: Counted = "successes",
    critical: Target = 6,
    edition: Edition = "8th",
) -> Dist[int]:
    """How many of several D6s succeed, or show an unmodified 6.

    Args:
        dice: How many D6s.
        skill: The target.
        modifier: What is done to each roll.
        reroll: Which first rolls are re-rolled, as for a check; each die by itself.
        optional: The roller may decline the re-rolls.
        count: Successes, or criticals: dice that show an unmodified 6.
        critical: The unmodified roll that is a critical.
        edition: Its rules for natural faces and the cap on modifiers.

    >>> successes(3, 3, reroll="ones").p(3)
    Fraction(343, 729)
    """
    if count not in ("successes", "criticals"):
        raise RuleError(f"dice are not counted as {count} (K4)", "choose successes or criticals")
    asked = the_check(skill, modifier, edition)
    shown = natural(d6, read_reroll(reroll, optional).faces(d6, asked))
    one = shown.p(asked.passes) if count == "successes" else shown.at_least(critical)
    return event(one).times(count_of(dice, "K8"))


@call("K4, K8", "--dice 2 --skill 3+ --reroll ones")
def joint(
    dice: int,
    skill: Target,
    modifier: str | int = 0,
    reroll: str = "none",
    optional: bool = False,
    critical: Target = 6,
    most: int = 5,
    edition: Edition = "8th",
) -> Table:
    """The chance of each number of successes together with each number of unmodified 6s.

    Args:
        dice: How many D6s.
        skill: The target.
        modifier: What is done to each roll.
        reroll: Which first rolls are re-rolled, as for a check.
        optional: The roller may decline the re-rolls.
        critical: The unmodified roll that is counted.
        most: So many criticals or more share the last column.
        edition: Its rules for natural faces and the cap on modifiers.

    >>> joint(2, 3, modifier=-1, reroll="ones").cell("1", "1")
    Fraction(35, 216)
    """
    asked = the_check(skill, modifier, edition)
    shown = natural(d6, read_reroll(reroll, optional).faces(d6, asked))
    both = tally(shown, count_of(dice, "K8"), asked.passes, lambda face: face >= critical)
    if most < 0:
        raise RuleError(f"criticals cannot be counted up to {most} (K4)", "write 0 or more")
    columns = {str(six): range(six, six + 1) for six in range(min(most, dice + 1))}
    if dice >= most:
        columns[str(most) if dice == most else f"{most} or more"] = range(most, dice + 1)
    return tabulate(
        f"{dice} dice at {skill}+",
        ("successes", range(dice + 1)),
        (f"dice at an unmodified {critical}" + "+" * (critical < 6), columns),
        lambda good, name: both.p([(good, six) for six in columns[name]]),
    )


@call("K2, K3, K6", "--reroll failed")
def table(
    reroll: str = "none",
    skill: Target | None = None,
    lowest: int = -2,
    highest: int = 2,
    optional: bool = False,
    edition: Edition = "8th",
) -> Table:
    """The chance to succeed by skill and modifier; for one skill, by re-roll and modifier.

    Args:
        reroll: Which first rolls are re-rolled, as for a check.
        skill: One target, for a table of all re-rolls.
        lowest: The modifiers go from here.
        highest: And to here.
        optional: The roller may decline the re-rolls.
        edition: Its rules for natural faces and the cap on modifiers.

    >>> table("failed").cell("3+", "-1"), table(skill=3).cell("may", "-1")
    (Fraction(2, 3), Fraction(3, 4))
    """
    if lowest > highest:
        raise RuleError(f"no modifier goes from {lowest} to {highest} (K6)", "swap the two")
    columns = {f"{add:+d}" if add else "0": add for add in range(lowest, highest + 1)}
    if skill is None:
        rows = {f"{target}+": (target, reroll) for target in range(2, 7)}
        title, corner = f"A D6 reaches the skill, re-roll: {reroll}", "skill"
    else:
        rows = {name: (skill, name) for name in ("none", "ones", "failed", "may")}
        title, corner = f"A D6 reaches {skill}+", "re-roll"
    return tabulate(
        title,
        (corner, rows),
        ("modifier", columns),
        lambda row, add: check(rows[row][0], columns[add], rows[row][1], optional, edition),
    )
