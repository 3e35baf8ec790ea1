"""Six-again pools: as many d6 as the level, and every 6 rolls again.

S1   A roll has as many d6 as the level of the attribute or skill.
S2   Every 6 gives one more die, and so does every 6 on those, without end. The result is the whole
     list of dice.
S3   A bonus die is rolled with the rest; then the lowest is removed, one for each bonus die.
S4   A penalty die likewise, and the highest is removed, one for each.
S5   Both at once: lowest and highest are removed. They do not cancel.
S6   Removal comes before the extra dice: a removed 6 gives none, and extra dice are not removed.
     The other order is an option.
S7   The list is read as its total, its highest die, its dice at X or more, its sixes, or the number
     of its dice; the whole list has its own chance.
S8   Who stops after n extra rolls in a row says so: a depth.
S9   Two such rolls against each other: win, tie, lose.

Every answer is exact without a cut-off: n dice that roll on at 6 end as n dice that stopped and K
sixes, K negative binomial.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any, Literal

from oddsmith.dice import d6
from oddsmith.enclosed import Enclosed
from oddsmith.errors import RuleError
from oddsmith.games.catalogue import Amount, Target, call
from oddsmith.mechanics.contest import contest
from oddsmith.mechanics.explode import explode
from oddsmith.mechanics.match import Match
from oddsmith.mechanics.parts import Worth
from oddsmith.mechanics.throw import Throw
from oddsmith.table import Table, tabulate

if TYPE_CHECKING:
    from collections.abc import Sequence

Reading = Literal["total", "highest", "successes", "sixes", "dice"]
First = Literal["remove", "extra"]

SIX = Match(faces=frozenset({6}))
ANY = Match(low=1)


def throw(
    dice: int, bonus: int = 0, penalty: int = 0, first: First = "remove", depth: int | None = None
) -> Throw:
    """The dice on the table after removal and extra dice, to be read (S1 to S6, S8).

    Args:
        dice: The level, 0 or more.
        bonus: Bonus dice.
        penalty: Penalty dice.
        first: Whether dice are removed before the extra dice are rolled, or after.
        depth: So many extra rolls in a row at most; None for no limit.

    Raises:
        RuleError: For a negative number of dice.

    >>> throw(4).total().mean
    Fraction(84, 5)
    """
    for name, count, number in (
        ("level", dice, "S1"), ("number of bonus dice", bonus, "S3"),
        ("number of penalty dice", penalty, "S4"),
    ):  # fmt: skip
        if not isinstance(count, int) or count < 0:
            raise RuleError(f"the {name} is {count}, but it is 0 or more ({number})")
    if depth is not None and depth < 0:
        raise RuleError(f"a depth of {depth} extra rolls makes no sense (S8)", "0 is no extra roll")
    pool = Throw.of([(d6, dice + bonus + penalty)])
    if first == "extra":
        pool = explode(pool, SIX, depth)
    pool = pool.keep("dl", bonus).keep("dh", penalty)
    return pool if first == "extra" else explode(pool, SIX, depth)


def read_list(pool: Throw, reading: Reading = "total", target: Target = 5) -> Any:
    """One reading of the list of dice (S7).

    Args:
        pool: The dice, from :func:`throw`.
        reading: ``total``, ``highest``, ``successes`` (dice at the target or more), ``sixes`` or
            ``dice`` (how many there are).
        target: What a success shows.

    >>> read_list(throw(4), "successes", 5).at_least(2)
    Fraction(115, 243)
    """
    if reading == "total":
        return pool.total()
    if reading == "highest":
        return pool.keep("kh", 1, strict=False).total()
    matches = {"successes": Match(low=target), "sixes": SIX, "dice": ANY}
    if reading not in matches:
        raise RuleError(f"a roll is not read as {reading} (S7)", f"read {', '.join(READINGS)}")
    if reading == "successes" and target > 6:
        raise RuleError(f"no d6 shows {target} or more (S7)", "choose a target from 2 to 6")
    return pool.total(Worth(((matches[reading], 1),)))


READINGS = ("total", "highest", "successes", "sixes", "dice")


@call("S1 to S8", "--dice 4 --penalty 2 --read successes --target 5")
def roll(
    dice: int,
    bonus: int = 0,
    penalty: int = 0,
    read: Reading = "total",
    target: Target = 5,
    first: First = "remove",
    depth: int | None = None,
) -> Any:
    """What a roll comes to: its total, highest die, successes, sixes or number of dice.

    Args:
        dice: The level: so many d6.
        bonus: Bonus dice, each of which removes the lowest.
        penalty: Penalty dice, each of which removes the highest.
        read: How the list of dice is read.
        target: What a success shows or beats.
        first: Whether removal or the extra dice come first.
        depth: So many extra rolls in a row at most.

    Returns:
        A ``Dist``, or an ``OpenDist`` where nothing bounds it.

    >>> roll(4, penalty=2).mean, roll(1).at_least(13)
    (Fraction(319493, 29160), Fraction(1, 36))
    """
    return read_list(throw(dice, bonus, penalty, first, depth), read, target)


@call("S2, S7", "--faces 2,3,4,4,6,6,6 --dice 4")
def chance_of_list(faces: Sequence[int], dice: int, bonus: int = 0, penalty: int = 0) -> Fraction:
    """The chance that the dice end as just this list.

    Args:
        faces: The whole list, in any order.
        dice: The level.
        bonus: Bonus dice.
        penalty: Penalty dice.

    Raises:
        RuleError: For a face that no d6 has.

    >>> chance_of_list((2, 3, 4, 4, 6, 6, 6), 4), chance_of_list((1, 2, 3, 5), 4, penalty=2)
    (Fraction(5, 5832), Fraction(35, 1944))
    """
    for face in faces:
        if face not in range(1, 7):
            raise RuleError(f"no d6 shows {face} (S2)", "list faces from 1 to 6")
    stopped = sorted(face for face in faces if face < 6)
    sixes = len(faces) - len(stopped)
    throw(dice, bonus, penalty)
    if len(stopped) != dice:
        return Fraction(0)
    chance = Fraction(0)
    pool = d6.pool(dice + bonus + penalty).drop_lowest(bonus).drop_highest(penalty)
    for kept, p in pool.expand().items():
        first = kept.count(6)
        later = sixes - first
        need = Counter(stopped)
        need.subtract(face for face in kept if face < 6)
        if later < 0 or min(need.values(), default=0) < 0:
            continue
        chance += p * _extra(first, later, [count for count in need.values() if count])
    return chance


def _extra(starts: int, sixes: int, stops: list[int]) -> Fraction:
    """The chance that chains started by so many sixes show so many more, and stop like this.

    Each of them stops once, on one of five faces: a negative binomial number of sixes, and a
    multinomial list of stops.
    """
    if not starts:
        return Fraction(int(not sixes and not stops))
    ways, left = 1, starts
    for count in stops:
        ways *= comb(left, count)
        left -= count
    if left:
        return Fraction(0)
    return (
        comb(starts + sixes - 1, sixes) * Fraction(1, 6) ** sixes * ways * Fraction(1, 6) ** starts
    )


@call("S9", "--dice 2 --against 1")
def opposed(
    dice: int,
    against: int,
    bonus: int = 0,
    penalty: int = 0,
    their_bonus: int = 0,
    their_penalty: int = 0,
    read: Reading = "total",
    target: Target = 5,
) -> Any:
    """Two rolls against each other: the chances to win, tie and lose.

    Args:
        dice: My level.
        against: Their level.
        bonus: My bonus dice.
        penalty: My penalty dice.
        their_bonus: Their bonus dice.
        their_penalty: Their penalty dice.
        read: How both lists are read.
        target: What a success shows or beats.

    >>> opposed(2, 1).p("win"), opposed(1, 1).p("tie")
    (Fraction(193, 245), Fraction(1, 7))
    """
    mine = read_list(throw(dice, bonus, penalty), read, target)
    theirs = read_list(throw(against, their_bonus, their_penalty), read, target)
    for side in (mine, theirs):
        if isinstance(side, Enclosed):
            raise RuleError("this reading has no exact form for such dice (S9)")
    return contest(mine, theirs)


@call("S2 to S6", "--dice 4 --bonus 2")
def means(dice: int, bonus: int = 0, penalty: int = 0) -> Any:
    """The mean total, number of dice and number of sixes of a roll.

    Args:
        dice: The level.
        bonus: Bonus dice.
        penalty: Penalty dice.

    >>> means(4)["dice"].value
    Fraction(24, 5)
    """
    pool = throw(dice, bonus, penalty)
    units = {"total": "pips", "dice": "dice", "sixes": "sixes"}
    return {
        name: Amount(read_list(pool, name).mean, unit)  # type: ignore[arg-type]
        for name, unit in units.items()
    }


@call("S7", "--target 5 --levels 6")
def successes(target: Target = 5, levels: int = 8, most: int = 5) -> Table:
    """The chance of at least so many successes at each level.

    Args:
        target: What a success shows or beats.
        levels: The table goes up to this level.
        most: And to so many successes.

    >>> successes(5).cell("4", "2")
    Fraction(115, 243)
    """
    _at_least_one(levels=levels, most=most)
    found = {level: read_list(throw(level), "successes", target) for level in range(1, levels + 1)}
    return tabulate(
        f"At least so many dice at {target}+, sixes rolling again",
        ("level", range(1, levels + 1)),
        ("successes", range(1, most + 1)),
        lambda level, count: found[level].at_least(count),
    )


@call("S3 to S6", "--dice 4 --target 14")
def modifiers(dice: int = 4, target: int = 14, most: int = 3) -> Table:
    """The chance of a total by bonus and penalty dice.

    Args:
        dice: The level.
        target: The total to reach.
        most: Up to so many bonus and penalty dice.

    >>> modifiers(4, 14).cell("0", "2")
    Fraction(27961, 139968)
    """
    _at_least_one(most=most + 1)
    return tabulate(
        f"A total of {target} or more at level {dice}",
        ("bonus dice", range(most + 1)),
        ("penalty dice", range(most + 1)),
        lambda bonus, penalty: throw(dice, bonus, penalty).total().at_least(target),
    )


def _at_least_one(**sizes: int) -> None:
    for name, size in sizes.items():
        if size < 1:
            raise RuleError(f"{name} leaves nothing in the table", "use a larger number")
