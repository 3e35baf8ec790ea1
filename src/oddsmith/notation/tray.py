"""Dice that lie on the table: what each shows, what happened to it, and how that is written."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from oddsmith.errors import NeverEnds, OutcomeError, RuleError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from oddsmith.notation.cup import Kind

    Match = Callable[["Outcome"], bool]
    Step = Callable[["Die"], None]
    Trigger = Callable[["Die"], bool]

Outcome = int | Fraction | str
MOST_EXTRA = 10_000
"""Extra dice in one chain before it is taken for endless."""
MOST_REROLLS = 100_000
SHOWN = 40


def rank(outcome: Outcome) -> tuple[bool, Outcome]:
    """For sorting: numbers first, then text.

    >>> sorted(["Misfire", 2, 10], key=rank)
    [2, 10, 'Misfire']
    """
    return isinstance(outcome, str), outcome


# --- a die on the table


class Die:
    """A die on the table.

    Attributes:
        value: What it counts as.
        natural: The face it shows; this alone decides whether it explodes.
        out: Whether it was removed.
        steps: What happened to it by itself, which an extra die goes through, too.
        told: What it showed before, for people.
        mark: Signs behind it, for people.
        inside: For a total, the trays it was read from.
    """

    out = False
    steps: tuple[Step, ...] = ()
    told = mark = ""
    inside: Sequence[Tray] = ()

    def __init__(self, kind: Kind, value: Outcome) -> None:
        self.kind, self.value, self.natural = kind, value, value

    def copy(self) -> Die:
        """The same die on another tray."""
        other = Die(self.kind, self.value)
        other.natural, other.steps, other.inside = self.natural, self.steps, self.inside
        return other

    def becomes(self, value: Outcome, sign: str) -> None:
        """Change the value, and keep for people what it was."""
        if value != self.value:
            self.told += f"{self.value}{sign}"
            self.value = value

    def another(self, less: int) -> Die:
        """An extra die of the same kind that counts so much less than it shows."""
        extra = self.kind.throw()
        for step in self.steps:
            step(extra)
            extra.steps += (step,)
        if less:
            extra.becomes(number(extra.value) - less, "->")
        return extra

    def text(self) -> str:
        """How it is written: 6!, (2), 1r 4, 3->10 or 15[6 5 4].

        >>> import numpy as np
        >>> from oddsmith.notation.cup import Cup
        >>> die = Die(Cup(np.random.default_rng()).sides(6), 1)
        >>> bound(die, 2, None)
        >>> die.text()
        '1->2'
        """
        shown = f"{self.told}{self.value}{self.mark}{inside(self.value, self.inside)}"
        return f"({shown})" if self.out else shown


def number(outcome: Outcome) -> int | Fraction:
    """The outcome, which must be a number.

    Raises:
        OutcomeError: For text.

    >>> number(3)
    3
    """
    if isinstance(outcome, str):
        raise OutcomeError(f"{outcome!r} is not a number", "count the dice that show it instead")
    return outcome


def inside(value: Outcome, trays: Sequence[Tray]) -> str:
    """The dice behind a value, unless they say no more than the value.

    >>> import numpy as np
    >>> from oddsmith.notation.cup import Cup
    >>> cup = Cup(np.random.default_rng())
    >>> inside(3, [cup.tray(cup.sides(1), 3)]), inside(1, [cup.tray(cup.sides(1), 1)])
    ('[1 1 1]', '')
    """
    text = " | ".join(tray.text() for tray in trays)
    return f"[{text}]" if text and text != str(value) else ""


def bound(die: Die, low: int | Fraction | None, high: int | Fraction | None) -> None:
    """Raise a die to ``low`` and lower it to ``high``; its natural face stays."""
    value = number(die.value)
    value = value if low is None else max(value, low)
    die.becomes(value if high is None else min(value, high), "->")


def reroll(die: Die, match: Match, until: bool) -> None:
    """Roll a die that fits again: once, or until it no longer fits."""
    tries, limit = 0, MOST_REROLLS if die.kind.faces else MOST_EXTRA
    while match(die.value) and (until or not tries):
        if tries == limit:
            raise NeverEnds(f"after {limit:,} re-rolls a die still had to be rolled again")
        tries += 1
        fresh = die.kind.throw()
        die.told += f"{die.value}r " if tries <= SHOWN else ""
        die.value, die.natural, die.inside = fresh.value, fresh.natural, fresh.inside


def chain(die: Die, again: Trigger, limit: int | None, less: int) -> list[Die]:
    """The extra dice that one die starts."""
    found: list[Die] = []
    while len(found) != limit and again(die):
        if len(found) == MOST_EXTRA:
            raise NeverEnds(f"a die exploded {MOST_EXTRA:,} times and would hardly ever end")
        die.mark += "!"
        die = die.another(less)
        found.append(die)
    return found


def compound(die: Die, again: Trigger, limit: int | None, less: int) -> None:
    """Add the extra dice into the die that started them."""
    extras = chain(die, again, limit, less)
    if extras:
        parts = [die, *extras]
        total = sum(number(part.value) for part in parts)
        die.told, die.mark = "+".join(part.text() for part in parts[: SHOWN + 1]) + "=", ""
        die.value = total


def _order(die: Die) -> tuple[bool, Outcome, Outcome]:
    return isinstance(die.value, str), die.value, die.natural


# --- all dice


@dataclass(eq=False)
class Tray:
    """Dice thrown together and not yet read.

    Attributes:
        dice: The dice, the removed ones too.
        kinds: The kinds they are of, even when there are no dice.
        certain: Whether the number of dice was known beforehand.
        rerolled: Whether dice may have been re-rolled once.
        unlike: Whether dice of several kinds were ranked, so that kinds no longer matter.
        total: What it was read as, or None.
    """

    dice: list[Die]
    kinds: list[Kind]
    certain: bool = True
    rerolled: bool = False
    unlike: bool = False
    total: Outcome | None = None

    def live(self) -> list[Die]:
        """The dice that were not removed."""
        return [die for die in self.dice if not die.out]

    def values(self) -> list[Outcome]:
        """What the dice count as that were not removed."""
        return [die.value for die in self.dice if not die.out]

    def copy(self) -> Tray:
        """The dice that were not removed, on another tray."""
        dice = [die.copy() for die in self.live()]
        return Tray(dice, self.kinds, self.certain, self.rerolled, self.unlike)

    def join(self, other: Tray) -> None:
        """Put the dice of another tray beside these."""
        self.dice += other.dice
        self.kinds = [*self.kinds, *other.kinds]
        self.certain = self.certain and other.certain
        self.rerolled = self.rerolled or other.rerolled
        self.unlike = self.unlike or other.unlike

    def each(self, step: Step) -> None:
        """Something happens to each die by itself."""
        for die in self.live():
            step(die)
            die.steps += (step,)

    def keep(self, verb: str, count: int) -> None:
        """Keep or drop by rank.

        Raises:
            RuleError: When there are fewer dice, or the middle is not balanced.
        """
        ranked = sorted(self.live(), key=_order)
        size = len(ranked)
        if count > size:
            word = "drop" if verb.startswith("d") else "keep"
            raise RuleError(f"cannot {word} {count} dice of {size}", f"write {size} or less")
        if verb == "mid" and (size - count) % 2:
            raise RuleError(f"the middle {count} of {size} dice is not balanced")
        half = (size - count) // 2
        first, last = {
            "kh": (size - count, size), "kl": (0, count), "dh": (0, size - count),
            "dl": (count, size), "mid": (half, size - half),
        }[verb]  # fmt: skip
        for die in ranked[:first] + ranked[last:]:
            die.out = True
        self.unlike = self.unlike or any(kind.key != self.kinds[0].key for kind in self.kinds)

    def burst(self, again: Trigger, limit: int | None, less: int) -> None:
        """Dice that fit add further dice of their kind."""
        dice: list[Die] = []
        for die in self.dice:
            dice.append(die)
            if not die.out:
                dice += chain(die, again, limit, less)
        self.dice, self.certain = dice, False

    def sum(self) -> Outcome:
        """The dice added up; a single die is what it shows.

        Raises:
            OutcomeError: Where text is among several dice.
        """
        values = self.values()
        return values[0] if len(values) == 1 else sum(map(number, values))

    def text(self) -> str:
        """The dice as they are written, of many only the first.

        >>> import numpy as np
        >>> from oddsmith.notation.cup import Cup
        >>> six = Cup(np.random.default_rng()).sides(6)
        >>> tray = Tray([Die(six, face) for face in (6, 2, 5, 4)], [six])
        >>> tray.keep("kh", 3)
        >>> tray.text(), tray.sum()
        ('6 (2) 5 4', 15)
        """
        more = len(self.dice) - SHOWN
        shown = " ".join(die.text() for die in self.dice[:SHOWN])
        return f"{shown} and {more:,} more" if more > 0 else shown or "no dice"
