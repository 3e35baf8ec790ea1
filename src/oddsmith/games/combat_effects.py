"""Effect dice, doubled and halved by criticals, in hit points or in Hit Dice (C6, C7, C9, C10)."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from oddsmith.dice import d
from oddsmith.dist import Dist
from oddsmith.errors import RuleError
from oddsmith.pool import Pool
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable

Rounding = Literal["exact", "up", "down", "nearest"]
When = Literal["hit", "total"]

EffectDice = str | Pool
"""Effect dice: text such as ``1d8`` or ``2d6+1``, or a pool."""

HIT_DIE = Fraction(7, 2)
"""The average of one Hit Die, a d6."""

TERM = re.compile(r"(?:(\d{0,6})d(\d{1,7})|(\d{1,6}))", re.IGNORECASE)


class Effect(Record):
    """The effect dice of an action (C6).

    Attributes:
        pool: The dice, kept apart.
        bonus: What is added once, whatever a critical does to the dice.

    >>> effect_of("2d6+1").total.mean, effect_of("2d6+1").doubled.dice
    (Fraction(8, 1), 4)
    """

    pool: Pool
    bonus: int = 0

    @property
    def dice(self) -> int:
        """How many dice there are."""
        return self.pool.rolled

    @property
    def total(self) -> Dist[int]:
        """What they come to."""
        found: Dist[int] = self.pool.sum() + self.bonus
        return found

    @property
    def doubled(self) -> Effect:
        """Twice as many dice of every kind (C9)."""
        return self.but(pool=self.pool + self.pool)

    @property
    def halved(self) -> Effect:
        """Half as many dice, rounded down, but one at least (C10).

        Raises:
            RuleError: For dice of several kinds, of which nobody says which stay.

        >>> effect_of("3d6").halved.dice, effect_of("1d8").halved.dice
        (1, 1)
        """
        if not self.pool.is_alike:
            raise RuleError(
                "dice of several kinds cannot be halved, as no rule says which stay (C10)",
                "use dice of one kind, or an unfavourable band of 0",
            )
        ((die, count),) = self.pool.groups
        return self.but(pool=Pool.of(die, max(1, count // 2)))


def effect_of(dice: EffectDice) -> Effect:
    """Effect dice from text such as ``1d8``, ``3d6`` or ``2d6+1``, or from a pool (C6).

    Raises:
        RuleError: For text that names no dice.

    >>> effect_of("1d8").total.mean
    Fraction(9, 2)
    """
    if isinstance(dice, Pool):
        if not dice.is_whole:
            raise RuleError("effect dice are a whole pool (C6)", "remove no dice before")
        found = Effect(dice)
    else:
        pool, bonus = Pool([]), 0
        for part in str(dice).split("+"):
            match = TERM.fullmatch(part.strip())
            if match is None:
                raise RuleError(
                    f"{dice} cannot be read as effect dice (C6)", "write for example 1d8 or 2d6+1"
                )
            bonus += int(match[3] or 0)
            if match[2]:
                pool += Pool.of(d(int(match[2])), int(match[1] or 1))
        found = Effect(pool, bonus)
    if not found.dice:
        raise RuleError(
            f"{dice} has no effect dice, which a critical could double (C6)",
            "write for example 1d6, or 2d1 for a fixed 2",
        )
    return found


def rounding(how: str) -> Callable[[Fraction], Fraction]:
    """A way to round Hit Dice (C7): ``exact``, ``up``, ``down`` or ``nearest`` (a half goes up).

    Raises:
        RuleError: For another word.

    >>> [rounding(how)(Fraction(9, 7)) for how in ("up", "down", "nearest")]
    [Fraction(2, 1), Fraction(1, 1), Fraction(1, 1)]
    """
    ways: dict[str, Callable[[Fraction], Fraction]] = {
        "exact": lambda value: value,
        "up": lambda value: Fraction(-(-value // 1)),
        "down": lambda value: Fraction(value // 1),
        "nearest": lambda value: Fraction((value + Fraction(1, 2)) // 1),
    }
    if how not in ways:
        raise RuleError(f"Hit Dice are not rounded {how} (C7)", f"write {', '.join(ways)}")
    return ways[how]


class Scale(Record):
    """How an effect becomes damage: as it is rolled, or by its average in Hit Dice (C7).

    Attributes:
        average: The average of one Hit Die; None where the effect is rolled in hit points.
        how: How Hit Dice are rounded.
        when: After each undefended hit, or once for the total of a round.

    >>> Scale(Fraction(7, 2)).of(effect_of("1d8"))
    Dist({Fraction(9, 7): 1})
    """

    average: Fraction | None = None
    how: Rounding = "exact"
    when: When = "hit"

    def of(self, effect: Effect) -> Dist[Any]:
        """The damage of one undefended hit."""
        if self.average is None:
            return effect.total
        hit_dice = effect.total.mean / self.average
        return Dist([rounding(self.how)(hit_dice) if self.when == "hit" else hit_dice])

    def whole(self, damage: Dist[Any]) -> Dist[Any]:
        """The damage of a round, from the sum over its hits."""
        return damage if self.round_total is None else damage.map(self.round_total)

    @property
    def round_total(self) -> Callable[[Fraction], Fraction] | None:
        """How the total of a round is rounded, or None where it is not."""
        if self.average is None or self.when == "hit" or self.how == "exact":
            return None
        return rounding(self.how)


HIT_POINTS = Scale()
"""Individual combat: effects are rolled."""


def scale(average: Fraction | int, how: Rounding, when: When) -> Scale:
    """Unit combat, counted in Hit Dice (C7).

    Args:
        average: The average of one Hit Die.
        how: How Hit Dice are rounded.
        when: Whether each hit or the total of a round is rounded.

    Raises:
        RuleError: For an average of 0 or less, and for words that mean nothing.

    >>> scale(4, "up", "total").of(effect_of("1d8"))
    Dist({Fraction(9, 8): 1})
    """
    if not isinstance(average, (int, Fraction)) or average <= 0:
        raise RuleError(
            f"the average of a Hit Die is above 0, not {average} (C7)", "write 7/2 for a d6"
        )
    if when not in ("hit", "total"):
        raise RuleError(f"Hit Dice are not rounded at each {when} (C7)", "write hit or total")
    rounding(how)
    return Scale(Fraction(average), how, when)
