"""Fantasy-battle dice: D6 and D3, artillery and scatter dice, re-rolls, roll-offs.

F1   A D3 is a D6 halved, rounding up: 1-2 is 1, 3-4 is 2, 5-6 is 3.
F2   The artillery die shows 2, 4, 6, 8, 10 or Misfire; it has a mean only where it does not
     misfire.
F3   The scatter die shows an arrow, which may point anywhere, or Hit!. Two of its six faces are
     Hit!, unless another number is given.
F4   Neither of these two dice is re-rolled, unless a rule says so explicitly.
F5   Whatever is divided, fractions round up, always.
F6   D6+1 and D6-1 shift the result, 2D6 and 3D6 are added up, D6x5 multiplies one roll. No floor
     unless one is given.
F7   A re-roll takes the second result, even a worse one.
F8   No die is re-rolled more than once, however many rules would allow it.
F9   A re-roll of 2D6 or 3D6 re-rolls every die, unless the rule that grants it says which: one
     die of the roller's choice, or the dice that show certain faces.
F10  A rule that grants a re-roll and one that forces successes to be re-rolled cancel out: nothing
     is re-rolled while both apply.
F11  If the two are not equally powerful, the re-roll itself may be re-rolled once. Who may act on
     whose re-roll, and in which order, are options.
F12  In a roll-off the highest roll wins, and those tied for it roll again with the same modifiers.
     That modifiers count in the first round alone, or never, is an option.
F13  A random selection gives each option faces of a D6; any other face is rolled again. More than
     six options need a larger die.

A check is passed by its target or more, or with ``under`` by its target or less, as in a test
against leadership. A Misfire never passes.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any, Literal

from oddsmith.dice import artillery as ARTILLERY
from oddsmith.dice import d3 as D3
from oddsmith.dist import Dist
from oddsmith.errors import RuleError
from oddsmith.games import fantasy_battle_choosing as choosing
from oddsmith.games import fantasy_battle_rolls as rolls
from oddsmith.games.catalogue import Amount, Dice, Target, call
from oddsmith.mechanics.checks import natural
from oddsmith.outcomes import is_number
from oddsmith.table import Table, tabulate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Which = Literal["all", "one", "each"]
Order = Literal["either", "grant", "force"]
Again = Literal["other", "either", "none"]
Apply = Literal["always", "first", "never"]


@call("F6", "--dice 2d6 --target 9")
def roll(
    dice: Dice,
    modifier: int = 0,
    multiplier: int = 1,
    floor: int | None = None,
    target: Target | None = None,
    under: bool = False,
) -> Any:
    """A roll, multiplied and then shifted: its results, or the chance of a target.

    Args:
        dice: What is rolled, such as 2d6.
        modifier: Added to the result; below 0 it is taken away.
        multiplier: The result is first multiplied by this.
        floor: Lower results are raised to this.
        target: What has to be rolled or beaten.
        under: The target or less is needed, not the target or more.

    Raises:
        RuleError: For a multiplier below 1, and for arithmetic on a Misfire.

    >>> from oddsmith import d6
    >>> roll(d6, multiplier=5).outcomes(), roll(2 @ d6, target=9)
    ([5, 10, 15, 20, 25, 30], Fraction(5, 18))
    """
    if multiplier < 1:
        raise RuleError(f"a multiplier of {multiplier} makes no sense (F6)", "it is 1 or more")
    dist = rolls.dice_of(dice, "F6")
    if (modifier, multiplier, floor) != (0, 1, None):
        dist = rolls.numbers_of(dist, "modified", "F6") * multiplier + modifier
    if floor is not None:
        dist = dist.map(lambda result: max(result, floor))
    return rolls.read(dist, rolls.success(target, under))


@call("F1", "--count 2")
def d3(count: int = 1, modifier: int = 0) -> Dist[int]:
    """D3s added up: each is a D6 halved, rounding up.

    Args:
        count: How many.
        modifier: Added to the total.

    Raises:
        RuleError: For less than one.

    >>> d3().p(1), d3(2).p(6)
    (Fraction(1, 3), Fraction(1, 9))
    """
    if count < 1:
        raise RuleError(f"{count} D3s cannot be rolled (F1)", "roll at least one")
    return count @ D3 + modifier


@call("F2", "")
def artillery() -> Any:
    """The faces of the artillery die, its chance to misfire, and its mean if it does not.

    >>> artillery()["mean without a Misfire"].value, artillery()["Misfire"]
    (Fraction(6, 1), Fraction(1, 6))
    """
    return {
        "face": ARTILLERY,
        "Misfire": ARTILLERY.p("Misfire"),
        "mean without a Misfire": Amount(ARTILLERY.given(is_number).mean),
    }


@call("F3", "--hit-faces 1")
def scatter(hit_faces: int = 2, directions: int = 1) -> Dist[str]:
    """The faces of the scatter die.

    Args:
        hit_faces: How many of its six faces are Hit!; the others are arrows.
        directions: All directions of an arrow are equally likely: so many equal parts of the
            circle are told apart.

    Raises:
        RuleError: For a number of Hit! faces that a D6 does not have, or no direction.

    >>> scatter().p("Hit!"), scatter(directions=4).p("arrow 1 of 4")
    (Fraction(1, 3), Fraction(1, 6))
    """
    if hit_faces not in range(7):
        raise RuleError(f"a scatter die cannot have {hit_faces} Hit! faces (F3)", "it has 0 to 6")
    if directions < 1:
        raise RuleError(f"an arrow cannot point in {directions} directions (F3)", "give 1 or more")
    names = [f"arrow {k} of {directions}" for k in range(1, directions + 1)]
    arrows = dict.fromkeys(["arrow"] if directions == 1 else names, 6 - hit_faces)
    return Dist({"Hit!": hit_faces * directions, **arrows})


@call("F2, F3", "--within 4")
def scatter_and_artillery(hit_faces: int = 2, within: int | None = None) -> Any:
    """Both special dice at once, as a stone thrower rolls them: Misfire, Hit! or a distance.

    A Misfire spoils even a Hit!; an arrow moves the shot by the number on the artillery die.

    Args:
        hit_faces: How many faces of the scatter die are Hit!.
        within: Instead, the chance that the shot lands at most so far from where it was aimed.

    Raises:
        RuleError: For a distance below 0.

    >>> scatter_and_artillery().p("Hit!"), scatter_and_artillery(within=4)
    (Fraction(5, 18), Fraction(1, 2))
    """

    def lands(arrow: str, shown: Any) -> Any:
        return "Hit!" if is_number(shown) and arrow == "Hit!" else shown

    both = scatter(hit_faces).combine(ARTILLERY, lands)
    if within is None:
        return both
    if within < 0:
        raise RuleError(f"a distance of {within} makes no sense (F3)", "it is 0 or more")
    return both.p(lambda spot: spot == "Hit!" or (is_number(spot) and spot <= within))


@call("F5", "--dice 2d6")
def halve(dice: Dice) -> Dist[int]:
    """Half of a roll or a value, rounding up.

    Args:
        dice: What is halved: dice, or a number.

    >>> from oddsmith import d6
    >>> halve(7), halve(2 @ d6).mean
    (Dist({4: 1}), Fraction(15, 4))
    """
    half: Dist[int] = divide(dice, Fraction(2))
    return half


@call("F5", "--dice 2d6 --by 3")
def divide(dice: Dice, by: Fraction) -> Dist[int]:
    """A roll or a value divided, rounding up.

    Args:
        dice: What is divided: dice, or a number.
        by: What it is divided by.

    Raises:
        RuleError: For a divisor of 0 or less, or one that is not exact.

    >>> divide(7, Fraction(2))
    Dist({4: 1})
    """
    divisor = rolls.exact(by)
    if divisor <= 0:
        raise RuleError(f"nothing is divided by {by} (F5)", "divide by a number above 0")
    dist = rolls.numbers_of(dice, "divided", "F5")
    return dist.map(lambda result: ceil(result / divisor))


@call("F5", "--value 51 --percent 10")
def percentage_of(value: Dice, percent: str | int | Fraction) -> Dist[int]:
    """A percentage of a value or a roll, rounding up.

    Args:
        value: What it is a part of: a number, or dice.
        percent: How many hundredths, such as 10, 12.5 or 10%.

    Raises:
        RuleError: For a percentage below 0, or one that is no exact number.

    >>> percentage_of(51, 10), percentage_of(100, "7%")
    (Dist({6: 1}), Dist({7: 1}))
    """
    share = rolls.exact(percent) / 100
    if share < 0:
        raise RuleError(f"{percent} % of something makes no sense (F5)", "give 0 or more")
    dist = rolls.numbers_of(value, "divided", "F5")
    return dist.map(lambda result: ceil(result * share))


@call("F4, F7 to F9", "--dice 2d6 --target 9 --reroll failed")
def reroll(
    dice: Dice,
    target: Target | None = None,
    reroll: str = "failed",
    which: Which = "all",
    sources: int = 1,
    under: bool = False,
    even_special: bool = False,
) -> Any:
    """A roll some results of which are rolled again, once: its results, or the chance to pass.

    Args:
        dice: What is rolled, such as 2d6.
        target: What has to be rolled or beaten.
        reroll: The results that are rolled again: failed, successes, all, none, or results such
            as 1s, 1,2 or 2-5. Several rules at once: 1s,failed.
        which: all dice of the roll, one of the roller's choice (the best for the chance), or each
            die that shows one of these faces.
        sources: How many rules grant this; two are as good as one.
        under: The target or less passes, not the target or more.
        even_special: A rule says explicitly that an artillery or scatter die is re-rolled.

    Raises:
        RuleError: For a special die, for results that make no sense, and for single dice of
            anything but D6s or D3s.

    >>> from oddsmith import d6
    >>> reroll(2 @ d6, 9), reroll(2 @ d6, 9, which="one"), reroll(d6, 4, sources=2)
    (Fraction(155, 324), Fraction(113, 216), Fraction(3, 4))
    """
    dist, passes = rolls.dice_of(dice, "F7"), rolls.success(target, under)
    if sources < 0:
        raise RuleError(f"{sources} rules cannot grant a re-roll (F8)", "give 0 or more")
    if not sources:
        return rolls.read(dist, passes)
    rolls.forbid_special(dist, even_special)
    if which == "each":
        return rolls.read(rolls.each_die(dist, reroll), passes)
    picked = rolls.faces(reroll, dist, passes, "F7")
    if which == "one":
        return rolls.read(rolls.one_die(dist, picked, passes, under), passes)
    if which != "all":
        raise RuleError(f"dice are not re-rolled by {which} (F9)", "choose all, one or each")
    return rolls.read(natural(dist, picked), passes)


@call("F4, F10, F11", "--target 3 --grant 1s --force successes --unequal")
def cancel(
    target: Target | None = None,
    grant: str = "failures",
    force: str = "successes",
    unequal: bool = False,
    order: Order = "either",
    again: Again = "other",
    dice: Dice | None = None,
    under: bool = False,
    even_special: bool = False,
) -> Any:
    """One rule grants a re-roll, another forces one: the chance to pass, or the last results.

    Args:
        target: What has to be rolled or beaten.
        grant: The results that may be re-rolled: failures, all, none, or such as 1s or 1,2.
        force: The results that must be re-rolled: successes, or as above.
        unequal: The two rules are not equally powerful, so that they do not cancel.
        order: Whose turn is first and then over: grant or force; either lets both look at every
            roll.
        again: Who may act on a re-roll: only the other rule, either one, or none.
        dice: What is rolled; a D6 where left out.
        under: The target or less passes, not the target or more.
        even_special: A rule says explicitly that an artillery or scatter die is re-rolled.

    Raises:
        RuleError: For a special die, for results that make no sense, and where both rules want
            the same result without an order.

    >>> cancel(3), cancel(3, "1s", unequal=True), cancel(3, force="none")
    (Fraction(2, 3), Fraction(16, 27), Fraction(8, 9))
    """
    dist, passes = rolls.dice_of(dice, "F10"), rolls.success(target, under)
    rolls.forbid_special(dist, even_special)
    if order not in ("either", "grant", "force"):
        raise RuleError(f"{order} is no order (F11)", "choose either, grant or force")
    if again not in ("other", "either", "none"):
        raise RuleError(f"{again} cannot act on a re-roll (F11)", "choose other, either or none")
    granted = rolls.faces(grant, dist, passes, "F10")
    forced = rolls.faces(force, dist, passes, "F10")
    if not (granted and forced):
        return rolls.read(natural(dist, granted | forced), passes)
    if not unequal:
        return rolls.read(dist, passes)
    return rolls.read(rolls.contested(dist, granted, forced, order, again), passes)


@call("F7 to F11", "--dice 2d6")
def checks(dice: Dice | None = None, under: bool = False) -> Table:
    """The chance to pass for every target: plain, with re-rolls, and with both rules at odds.

    Args:
        dice: What is rolled; a D6 where left out.
        under: The target or less passes, not the target or more.

    Raises:
        RuleError: For a special die.

    >>> checks().cell("3", "both, unequal")
    Fraction(20, 27)
    """
    dist = rolls.dice_of(dice, "F7")
    rolls.forbid_special(dist, even_special=False)
    ways = {
        "plain": lambda target: roll(dist, target=target, under=under),
        "failed again": lambda target: reroll(dist, target, under=under),
        "one die again": lambda target: _one_again(dist, target, under),
        "successes again": lambda target: reroll(dist, target, "successes", under=under),
        "both, unequal": lambda target: cancel(target, unequal=True, dice=dist, under=under),
    }
    results = dist.outcomes()
    return tabulate(
        "A roll of the target or less" if under else "A roll of the target or more",
        ("target", results[:-1] if under else results[1:]),
        ("re-rolls", ways),
        lambda target, way: ways[way](target),
        notes=("both rules, equally powerful: as plain (F10)",),
    )


def _one_again(dist: Dist[Any], target: int, under: bool) -> Any:
    """One die of a failed roll again; nothing where the dice cannot be told apart."""
    try:
        return reroll(dist, target, which="one", under=under)
    except RuleError:
        return None


@call("F12", "--modifier 1")
def roll_off(
    modifier: int = 0,
    players: int | None = None,
    modifiers: Sequence[int] | None = None,
    apply: Apply = "always",
    dice: Dice | None = None,
    rounds: bool = False,
) -> Any:
    """Who wins a roll-off, whether the first round settles it, and how many rounds it takes.

    Args:
        modifier: Added to the first player's roll.
        players: How many roll; two where left out.
        modifiers: Instead of both: a modifier for each player, such as 1,0,0.
        apply: Whether modifiers count always, in the first round alone, or never.
        dice: What each rolls; a D6 where left out.
        rounds: Instead, the chances of every number of rounds.

    Raises:
        RuleError: For less than two players, or modifiers said twice.
        NeverEnds: Where a tie can never be broken.

    >>> roll_off(1)["player 1 wins"], roll_off(1, apply="first")["player 1 wins"]
    (Fraction(21, 31), Fraction(47, 72))
    >>> roll_off(rounds=True).p(2)
    Fraction(5, 36)
    """
    plus = choosing.players_of(modifier, players, modifiers)
    die = rolls.numbers_of(dice, "compared", "F12")
    process = choosing.roll_offs(plus, die, apply)
    if rounds:
        return process.steps()
    chances = choosing.winners(plus, process)
    return {
        **{f"player {place} wins": chance for place, chance in enumerate(chances, 1)},
        "settled in the first round": process.after(1).p(lambda state: sum(state[1:]) == 1),
        "mean number of rounds": Amount(process.mean_steps(), "rounds"),
    }


@call("F13", "--options 4")
def random_selection(
    options: int | None = None,
    assign: str | Mapping[str, Sequence[int]] | None = None,
    sides: int = 6,
    rolls: bool = False,
) -> Any:
    """What a random selection takes, and how many rolls it needs.

    Args:
        options: How many options, one face each.
        assign: Instead, names with their faces, such as sword=1-2/axe=3/bow=4,6.
        sides: The faces of the die.
        rolls: Instead, the chances of every number of rolls.

    Raises:
        RuleError: For more options than faces, and for faces that are not there or given twice.

    >>> random_selection(4)["mean number of rolls"].value, random_selection(4, rolls=True).p(2)
    (Fraction(3, 2), Fraction(2, 9))
    >>> random_selection(assign={"sword": (1, 2), "axe": (3,)})["choice"].p("sword")
    Fraction(2, 3)
    """
    process = choosing.selecting(choosing.assigned(options, assign, sides), sides)
    if rolls:
        return process.steps()
    return {
        "choice": process.endings(),
        "mean number of rolls": Amount(process.mean_steps(), "rolls"),
    }
