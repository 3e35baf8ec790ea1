"""Dice that lie on the table: what each shows, what happened to it, and how that is written."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING

from oddsmith.errors import NeverEnds, OutcomeError, RuleError, TooLarge

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.random import Generator

    Match = Callable[["Outcome"], bool]
    Step = Callable[["Die"], None]
    Trigger = Callable[["Die"], bool]

Outcome = int | Fraction | str

MOST_DICE = 5_000_000
"""Dice that may be rolled for one request."""
MOST_AT_ONCE = 1_000_000
MOST_EXTRA = 10_000
"""Extra dice in one chain before it is taken for endless."""
MOST_REROLLS = 100_000
MOST_SIDES = 2**63 - 1
MOST_LISTED = 100_000
SHOWN = 40
BLOCKS = (8, 4096)


# --- kinds of dice


class Kind:
    """One kind of die: places numbered from 0, drawn evenly, and the face at each.

    Args:
        cup: Where the random numbers come from.
        key: Two kinds with equal keys are alike.
        size: How many places there are.
        face: The face at a place.
        faces: Every face once, or None where there are too many to list.
        top: The highest face; numbers are higher than text here.

    >>> import numpy as np
    >>> six = Cup(np.random.default_rng()).sides(6)
    >>> six.throw().value in six.faces
    True
    """

    def __init__(
        self,
        cup: Cup,
        key: object,
        size: int,
        face: Callable[[int], Outcome],
        faces: Sequence[Outcome] | None,
        top: Outcome | None,
    ) -> None:
        if size > MOST_SIDES:
            raise RuleError(
                f"a die of {size:,} even places is too large to roll", "its exact odds may be known"
            )
        self.cup, self.key, self.size, self.face = cup, key, size, face
        self.faces, self.top = faces, top
        self._block: list[Outcome] = []
        self._length = BLOCKS[0]

    def throw(self) -> Die:
        """A fresh die."""
        self.cup.thrown += 1
        if not self._block:
            self.cup.afford(0)
            places = self.cup.rng.integers(0, self.size, self._length).tolist()
            self._block = [self.face(place) for place in places]
            self._length = min(2 * self._length, BLOCKS[1])
        return Die(self, self._block.pop())

    def every(self, match: Match) -> bool:
        """Whether all faces fit, as far as they can be listed."""
        return (
            self.faces is not None
            and len(self.faces) <= MOST_LISTED
            and all(map(match, self.faces))
        )


class Total(Kind):
    """A member of a pool that is a result of its own, such as ``2d6`` in ``{2d6, d8}``.

    Args:
        cup: Where the dice are counted.
        key: Two kinds with equal keys are alike.
        roll: Rolls it: the result, and the trays it was read from.
        top: The highest result, or None where it is not known.

    >>> import numpy as np
    >>> Total(Cup(np.random.default_rng()), "five", lambda: (5, []), 5).throw().value
    5
    """

    def __init__(
        self,
        cup: Cup,
        key: object,
        roll: Callable[[], tuple[Outcome, list[Tray]]],
        top: Outcome | None,
    ) -> None:
        super().__init__(cup, key, 1, lambda _: 0, None, top)
        self.roll = roll

    def throw(self) -> Die:
        """A fresh result, as a die."""
        self.cup.afford(1)
        self.cup.thrown += 1
        value, inside = self.roll()
        return Die(self, value, inside)


class Cup:
    """The source of all dice of a roller; it counts them.

    >>> import numpy as np
    >>> cup = Cup(np.random.default_rng())
    >>> cup.tray(cup.table({"Hit": 2, "Miss": 0}), 3).text()
    'Hit Hit Hit'
    >>> cup.digits(2).top, cup.thrown
    (66, 3)
    """

    def __init__(self, rng: Generator) -> None:
        self.rng, self.thrown = rng, 0
        self._kinds: dict[object, Kind] = {}

    def _kind(self, key: object, make: Callable[[], Kind]) -> Kind:
        if key not in self._kinds:
            self._kinds[key] = make()
        return self._kinds[key]

    def sides(self, count: int) -> Kind:
        """Faces 1 to a number."""
        if count > MOST_SIDES:
            raise RuleError("dice are rolled with at most 2^63 - 1 sides")
        faces = range(1, count + 1)
        return self._kind(faces, lambda: Kind(self, faces, count, faces.__getitem__, faces, count))

    def digits(self, places: int) -> Kind:
        """Six-siders read as decimal places."""

        def face(place: int) -> int:
            return sum((place // 6**i % 6 + 1) * 10**i for i in range(places))

        size = 6**places
        faces = [face(place) for place in range(size)] if size <= MOST_LISTED else None
        key = ("digits", places)
        return self._kind(key, lambda: Kind(self, key, size, face, faces, int("6" * places)))

    def table(self, weights: Mapping[Outcome, int]) -> Kind:
        """Faces with weights."""
        faces = sorted((face for face in weights if weights[face]), key=rank)
        ends = list(accumulate(weights[face] for face in faces))
        key = tuple((face, weights[face]) for face in faces)
        top = max(faces, key=lambda face: (not isinstance(face, str), face))

        def face(place: int) -> Outcome:
            return faces[bisect_right(ends, place)]

        return self._kind(key, lambda: Kind(self, key, ends[-1], face, faces, top))

    def tray(self, kind: Kind, count: int, certain: bool = True) -> Tray:
        """A number of like dice, just thrown."""
        self.afford(count)
        return Tray([kind.throw() for _ in range(count)], [kind], certain)

    def afford(self, count: int) -> None:
        """Refuse to throw so many more dice where that is past the limit.

        Raises:
            TooLarge: Past the limit.
        """
        for many, limit in ((count, MOST_AT_ONCE), (self.thrown + count, MOST_DICE)):
            if many > limit:
                raise TooLarge(many, limit, "roll fewer dice, or fewer times")


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

    __slots__ = ("inside", "kind", "mark", "natural", "out", "steps", "told", "value")

    def __init__(self, kind: Kind, value: Outcome, inside: Sequence[Tray] = ()) -> None:
        self.kind, self.value, self.natural, self.inside = kind, value, value, inside
        self.out, self.told, self.mark = False, "", ""
        self.steps: tuple[Step, ...] = ()

    def copy(self) -> Die:
        """The same die on another tray."""
        other = Die(self.kind, self.value, self.inside)
        other.natural, other.steps = self.natural, self.steps
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
        >>> die = Die(Cup(np.random.default_rng()).sides(6), 1)
        >>> bound(die, 2, None)
        >>> die.text()
        '1->2'
        """
        inside = " | ".join(tray.text() for tray in self.inside)
        plain = not inside or inside == str(self.value)
        shown = f"{self.told}{self.value}{self.mark}" + ("" if plain else f"[{inside}]")
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


def bound(die: Die, low: int | Fraction | None, high: int | Fraction | None) -> None:
    """Raise a die to ``low`` and lower it to ``high``; its natural face stays."""
    value = number(die.value)
    value = value if low is None else max(value, low)
    die.becomes(value if high is None else min(value, high), "->")


def reroll(die: Die, match: Match, until: bool) -> None:
    """Roll a die that fits again: once, or until it no longer fits."""
    tries = 0
    while match(die.value) and (until or not tries):
        if tries == MOST_REROLLS:
            raise NeverEnds(f"after {MOST_REROLLS:,} re-rolls a die still had to be rolled again")
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
        title: The name it was rolled for, for people.
    """

    dice: list[Die]
    kinds: list[Kind]
    certain: bool = True
    rerolled: bool = False
    unlike: bool = False
    total: Outcome | None = None
    title: str = field(default="")

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
        ranked = sorted(self.live(), key=lambda die: (*rank(die.value), *rank(die.natural)))
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
        >>> six = Cup(np.random.default_rng()).sides(6)
        >>> tray = Tray([Die(six, face) for face in (6, 2, 5, 4)], [six])
        >>> tray.keep("kh", 3)
        >>> tray.text(), tray.sum()
        ('6 (2) 5 4', 15)
        """
        more = len(self.dice) - SHOWN
        shown = " ".join(die.text() for die in self.dice[:SHOWN])
        return f"{shown} and {more:,} more" if more > 0 else shown or "no dice"
