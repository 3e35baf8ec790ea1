"""Reference tables that rulebooks print: ``odds table NAME``.

T1   totals: every total of some dice, with at least and at most.
T2   bands: a total split into named bands, by modifier.
T3   advantage: a target on one d20, the best or worst of two, the best of three.
T4   thresholds: every target on every die.
T5   keep: some dice of which the highest are kept, once and as a set of results.
T6   pool: successes of a pool, by size, target and number wanted.
T7   open-ended: a die that rolls again at its highest face, alone and with a wild die.
T8   cancelling: successes less ones, with both readings of a botch.
T9   highest: some dice of which the highest counts, in outcome bands.
T10  pushed: at least one 6, after pushing the roll.
T11  contest: totals of so many dice against so many.
T12  ranks: three dice against two, highest against highest.
T13  percentile: a skill on d100 with bonus and penalty tens dice.
T14  challenge: a d6 and a modifier against two d10.
T15  glitches: hits and 1s on the same dice.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

from oddsmith.dice import d, d6, d10
from oddsmith.dist import Dist, mix
from oddsmith.games.catalogue import Dice, Target, call
from oddsmith.mechanics.battle import exchange
from oddsmith.mechanics.ladder import wild
from oddsmith.mechanics.successes import push
from oddsmith.open_dist import chain
from oddsmith.table import Table, tabulate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from oddsmith.pool import Pool
    from oddsmith.table import Cell

SIDES = (4, 6, 8, 10, 12, 20)


def _columns(title: str, corner: str, rows: dict[Any, dict[str, Cell]], across: str) -> Table:
    columns = tuple(next(iter(rows.values())))
    cells = tuple(
        (str(name), tuple(row[column] for column in columns)) for name, row in rows.items()
    )
    return Table(title, corner, across, columns, cells)


@call("T1", "--dice 3d6")
def totals(dice: Dice) -> Table:
    """Every total of some dice: exactly, at least and at most.

    Args:
        dice: The dice, such as 3d6 or 4d6kh3.

    >>> from oddsmith import d6
    >>> totals(3 @ d6).cell("10", "at most")
    Fraction(1, 2)
    """
    rows = {
        total: {
            "exactly": chance, "at least": dice.at_least(total), "at most": dice.at_most(total)
        }
        for total, chance in dice.items()
    }  # fmt: skip
    return _columns("Chance of each total", "total", rows, "readings")


@call("T2", "--dice 2d6 --limits 7,10,12 --modifiers -3,-2,-1,0,1,2,3")
def bands(dice: Dice, limits: Sequence[int] = (7, 10), modifiers: Sequence[int] = (0,)) -> Table:
    """A total with a modifier, split into bands.

    Args:
        dice: The dice, such as 2d6.
        limits: Where the second band and those after it begin.
        modifiers: Added to the total, one row for each.

    >>> from oddsmith import d6
    >>> bands(2 @ d6, (7, 10), (1,)).cell("1", "7-9")
    Fraction(4, 9)
    """
    ends = sorted(limits)
    names = [f"{ends[0] - 1}-", *(f"{a}-{b - 1}" for a, b in pairwise(ends))]
    names.append(f"{ends[-1]}+")

    def band(modifier: int, name: str) -> Fraction:
        place, total = names.index(name), dice + modifier
        low = Fraction(1) if not place else total.at_least(ends[place - 1])
        high = total.at_least(ends[place]) if place < len(ends) else Fraction(0)
        return Fraction(low - high)

    return tabulate("Chance of each band", ("modifier", modifiers), ("bands", names), band)


@call("T3", "--die 20")
def advantage(die: int = 20) -> Table:
    """A target on one die, the best of two, the worst of two and the best of three.

    Args:
        die: The number of sides.

    >>> advantage().cell("15", "best of 2")
    Fraction(51, 100)
    """
    one = d(die)
    kinds = {
        "one": one, "best of 2": one.pool(2).highest(), "worst of 2": one.pool(2).lowest(),
        "best of 3": one.pool(3).highest(),
    }  # fmt: skip
    return tabulate(
        f"Chance of a target or more on a d{die}", ("target", range(1, die + 1)),
        ("rolls", kinds), lambda target, kind: kinds[kind].at_least(target),
    )  # fmt: skip


@call("T4", "--sides 4,6,8,10,12,20")
def thresholds(sides: Sequence[int] = SIDES) -> Table:
    """Every target on every die; empty where the die cannot show it.

    Args:
        sides: The dice, by their sides.

    >>> thresholds().cell("6+", "d8")
    Fraction(3, 8)
    """
    names = {f"d{n}": n for n in sides}

    def chance(target: str, name: str) -> Cell:
        wanted = int(target[:-1])
        return d(names[name]).at_least(wanted) if wanted <= names[name] else None

    targets = [f"{target}+" for target in range(1, max(sides) + 1)]
    return tabulate("Chance of a target or more", ("target", targets), ("dice", names), chance)


@call("T5", "--dice 4 --sides 6 --keep 3 --times 6")
def keep(dice: int = 4, sides: int = 6, keep: int = 3, times: int = 6) -> Table:
    """Dice of which the highest are kept: each total, and at least once in several results.

    Args:
        dice: How many are rolled.
        sides: Their sides.
        keep: How many of the highest are kept.
        times: How many results there are, such as the six abilities.

    >>> keep().cell("18", "exactly")
    Fraction(7, 432)
    """
    total = d(sides).pool(dice).keep_highest(keep).sum()
    once = f"at least once in {times}"
    rows = {
        value: {
            "exactly": chance,
            "at least": total.at_least(value),
            once: 1 - total.less_than(value) ** times,
        }
        for value, chance in total.items()
    }
    return _columns(f"{dice}d{sides}, the highest {keep} kept", "total", rows, "readings")


@call("T6", "--sides 6 --targets 4,5,6 --dice 8")
def pool(
    sides: int = 6, targets: Sequence[int] = (4, 5, 6), dice: int = 10, most: int | None = None
) -> Table:
    """At least so many successes, by number of dice and target.

    Args:
        sides: The sides of the dice.
        targets: What a success shows or beats.
        dice: The table goes up to so many dice.
        most: And to so many successes; as many as dice when left out.

    >>> pool().cell("3d6 5+", "2")
    Fraction(7, 27)
    """
    hits = {
        f"{n}d{sides} {target}+": (d(sides) >= target).times(n)
        for n in range(1, dice + 1)
        for target in targets
    }
    return tabulate(
        "At least so many successes", ("pool", hits), ("successes", range(1, (most or dice) + 1)),
        lambda name, count: hits[name].at_least(count),
    )  # fmt: skip


@call("T7", "--sides 4,6,8,10,12 --wild-die 6 --targets 20")
def open_ended(
    sides: Sequence[int] = (4, 6, 8, 10, 12), wild_die: int | None = None, targets: int = 20
) -> Table:
    """A target on a die that rolls again at its highest face, without a limit.

    Args:
        sides: The dice, by their sides.
        wild_die: The sides of a wild die beside it, of which the better counts.
        targets: The table goes up to this target.

    >>> open_ended((6,)).cell("8", "d6"), open_ended((6,), 6).cell("8", "d6")
    (Fraction(5, 36), Fraction(335, 1296))
    """
    dice = {
        f"d{n}": chain(d(n), {n}) if wild_die is None else wild(d(n), d(wild_die)) for n in sides
    }
    beside = "" if wild_die is None else f" beside a wild d{wild_die}"
    return tabulate(
        f"Chance of a target or more, open-ended{beside}", ("target", range(2, targets + 1)),
        ("dice", dice), lambda target, name: dice[name].at_least(target),
    )  # fmt: skip


@call("T8", "--dice 10 --target 7+")
def cancelling(dice: int = 10, target: Target = 7, most: int = 5) -> Table:
    """Successes on d10 less ones: at least so many left, and both readings of a botch.

    Args:
        dice: The table goes up to so many dice.
        target: What a success shows or beats.
        most: And to so many successes left.

    >>> cancelling(1, 7, 1).cell("1", "botch: no success, a 1")
    Fraction(1, 10)
    """
    rows: dict[int, dict[str, Cell]] = {}
    for n in range(1, dice + 1):
        both = d10.pool(n).counts(lambda face: face >= target, lambda face: face == 1)
        net = both.map(lambda pair: pair[0] - pair[1])
        rows[n] = {str(k): net.at_least(k) for k in range(1, most + 1)}
        rows[n]["botch: no success, a 1"] = both.p(lambda pair: not pair[0] and pair[1] > 0)
        rows[n]["botch: more 1s"] = net.at_most(-1)
    return _columns(f"d10 at {target}+ less ones: at least", "dice", rows, "successes left")


@call("T9", "--dice 8")
def highest(dice: int = 8) -> Table:
    """The highest of some d6 as 1-3, 4-5, 6, or a critical of two 6s; no dice: the lower of two.

    Args:
        dice: The table goes up to so many dice.

    >>> highest(4).cell("4", "crit")
    Fraction(19, 144)
    """
    rows: dict[int, dict[str, Cell]] = {}
    for n in range(dice + 1):
        top = d6.pool(n).highest() if n else d6.pool(2).lowest()
        sixes = (d6 >= 6).times(n).at_least(2) if n else Fraction(0)
        rows[n] = {
            "1-3": top.at_most(3), "4-5": top.between(4, 5), "6": top.p(6) - sixes, "crit": sixes
        }  # fmt: skip
    return _columns("The highest die", "dice", rows, "bands")


@call("T10", "--dice 10")
def pushed(dice: int = 10, wanted: int = 1) -> Table:
    """At least so many 6s: rolled once, and after pushing with 1s locked or not.

    Args:
        dice: The table goes up to so many dice.
        wanted: How many 6s are needed.

    >>> pushed(2).cell("2", "all failures")
    Fraction(671, 1296)
    """
    ways: dict[str, Callable[[Pool], Pool]] = {
        "once": lambda pool: pool,
        "all failures": lambda pool: push(pool, lambda face: face == 6),
        "2 to 5 only": lambda pool: push(pool, lambda face: face in (1, 6)),
    }
    return tabulate(
        f"At least {wanted} six{'es' if wanted > 1 else ''}", ("dice", range(1, dice + 1)),
        ("pushed", ways),
        lambda n, way: ways[way](d6.pool(n)).count(lambda face: face == 6).at_least(wanted),
    )  # fmt: skip


@call("T11", "--sides 6 --dice 8 --ties lose")
def contest(sides: int = 6, dice: int = 8, ties: Literal["lose", "win", "half"] = "lose") -> Table:
    """The chance that the total of so many dice beats that of so many others.

    Args:
        sides: The sides of all dice.
        dice: The table goes up to so many on each side.
        ties: Whether a tie is lost, won, or half a win.

    >>> contest(6, 2).cell("2", "1")
    Fraction(181, 216)
    """

    @cache
    def total(n: int) -> Any:
        return d(sides).times(n)

    def chance(mine: int, theirs: int) -> Fraction:
        won = (total(mine) > total(theirs)).p()
        tie = total(mine).eq(total(theirs)).p()
        return Fraction(won + {"lose": 0, "win": tie, "half": tie / 2}[ties])

    return tabulate(
        f"Chance to beat a total of d{sides}s (ties: {ties})", ("my dice", range(1, dice + 1)),
        ("their dice", range(1, dice + 1)), chance,
    )  # fmt: skip


@call("T12", "--attack 3 --defend 2")
def ranks(attack: int = 3, defend: int = 2) -> Table:
    """Highest against highest: how many the defender loses, ties against the attacker.

    Args:
        attack: Up to so many dice attack.
        defend: Up to so many defend.

    >>> ranks().cell("3 against 2", "2")
    Fraction(1445, 3888)
    """
    pairs = [(a, b) for a in range(1, attack + 1) for b in range(1, defend + 1)]
    names = {f"{a} against {b}": (a, b) for a, b in pairs}

    def chance(name: str, lost: int) -> Cell:
        a, b = names[name]
        found = exchange(a, b, most=(attack, defend)).margin(1)
        return found.p(lost) if lost <= min(a, b) else None

    losses = range(min(attack, defend) + 1)
    return tabulate("Losses of the defender", ("dice", names), ("losses", losses), chance)


@call("T13", "--step 5")
def percentile(step: int = 5, most: int = 2) -> Table:
    """A skill or less on d100, with bonus or penalty tens dice of which the best or worst counts.

    Two tens dice share the units die; 00 with a 0 is 100.

    Args:
        step: Rows are this many percent apart.
        most: Up to so many bonus or penalty dice.

    >>> percentile().cell("10", "1 bonus")
    Fraction(19, 100)
    """
    names = {f"{n} penalty": -n for n in range(most, 0, -1)} | {"none": 0}
    names |= {f"{n} bonus": n for n in range(1, most + 1)}

    @cache
    def roll(extra: int) -> Any:
        tens = [Dist([10 * ten + unit or 100 for ten in range(10)]) for unit in range(10)]
        pools = [die.pool(1 + abs(extra)) for die in tens]
        return mix([(pool.lowest() if extra > 0 else pool.highest(), 1) for pool in pools])

    return tabulate(
        "Chance of a skill or less", ("skill", range(step, 100, step)), ("tens dice", names),
        lambda skill, name: roll(names[name]).at_most(skill),
    )  # fmt: skip


@call("T14", "--modifiers 0,1,2,3,4,5")
def challenge(modifiers: Sequence[int] = tuple(range(6)), limit: int = 10) -> Table:
    """A d6 with a modifier against two d10: both beaten, one, or none; ties do not beat.

    Args:
        modifiers: Added to the d6, one row for each.
        limit: The sum counts so much at most.

    >>> challenge().cell("1", "strong")
    Fraction(91, 600)
    """
    words = {"strong": 2, "weak": 1, "miss": 0}

    def beaten(modifier: int) -> Any:
        return (d6 + modifier).then(lambda sum_: (d10 < min(sum_, limit)).times(2))

    return tabulate(
        "A d6 against two d10", ("modifier", modifiers), ("results", words),
        lambda modifier, word: beaten(modifier).p(words[word]),
    )  # fmt: skip


@call("T15", "--dice 12")
def glitches(dice: int = 12, target: Target = 5) -> Table:
    """Hits on d6 beside glitches: when half of the dice show 1, or more than half.

    Args:
        dice: The table goes up to so many dice.
        target: What a hit shows or beats.

    >>> glitches(2).cell("2", "1s: half or more")
    Fraction(11, 36)
    """
    rows: dict[int, dict[str, Cell]] = {}
    for n in range(1, dice + 1):
        both = d6.pool(n).counts(lambda face: face >= target, lambda face: face == 1)
        ones, hits = both.margin(1), both.margin(0)
        none = both.map(lambda pair: pair[1] if not pair[0] else -1)
        rows[n] = {
            "1s: half or more": ones.at_least(Fraction(n, 2)),
            "1s: more than half": ones.more_than(Fraction(n, 2)),
            "half or more, no hit": none.at_least(Fraction(n, 2)),
            "1 hit or more": hits.at_least(1),
            "3 hits or more": hits.at_least(3),
        }
    return _columns(f"d6 at {target}+ beside glitches", "dice", rows, "results")
