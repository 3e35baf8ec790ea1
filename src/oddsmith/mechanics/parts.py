"""Dice on the table: groups of dice, changes that wait for them, and dice that exploded.

A die is a face: a plain outcome, or after clamping or penetrating a pair (value, natural face).
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any

from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.dist import FACE, Dist, mix
from oddsmith.enclosed import Enclosed, enclose
from oddsmith.errors import NeverEnds, RuleError
from oddsmith.mechanics.match import Match, weigh
from oddsmith.open_dist import OpenDist, repeated
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable

    from oddsmith.pool import Pool

Face = Any


def value_of(face: Face) -> Any:
    """What the face counts as."""
    return face[0] if isinstance(face, tuple) else face


def natural_of(face: Face) -> Any:
    """What the die shows."""
    return face[1] if isinstance(face, tuple) else face


class Change(Record):
    """Something that happens to each die by itself.

    Attributes:
        face: From a face to a face, a ``Dist`` of faces, or an ``OpenDist`` of values.
        open: The same for a die that is already an open-ended total.
    """

    face: Callable[[Face], Any]
    open: Callable[[OpenDist], Any]


class Explode(Record):
    """Each die whose natural face fits adds another die of the given kind, and so on.

    Attributes:
        again: The faces that roll on.
        kind: The extra die.
        limit: At most so many extra dice for each die, or None.
    """

    again: Match
    kind: Dist[Any]
    limit: int | None = None

    def goes(self, face: Face) -> bool:
        return self.again(natural_of(face))


class Worth(Record):
    """How faces are read: their value, or how many successes they are.

    Attributes:
        matches: Sets of faces with what each counts; None reads the value itself.
    """

    matches: tuple[tuple[Match, int], ...] | None = None

    def face(self, face: Face) -> Any:
        value = value_of(face)
        if self.matches is None:
            return value
        return sum(weight for match, weight in self.matches if match(value))

    def open(self, die: OpenDist) -> Any:
        return die if self.matches is None else weigh(die, list(self.matches))


class Group(Record):
    """Dice of one pool; ``waiting`` holds what still happens to those that are kept.

    Attributes:
        pool: The dice and the ranks kept.
        waiting: Changes and explosions in order.
        bare: The plain die, for re-rolls; None when it is not known which die is which.
        kind: The die with the changes so far, for extra dice.
        rerolled: Whether dice may have been re-rolled once.
    """

    pool: Pool
    waiting: tuple[Change | Explode, ...] = ()
    bare: Dist[Any] | None = None
    kind: Dist[Any] | None = None
    rerolled: bool = False

    def total(self, worth: Worth, budget: int = DEFAULT_BUDGET) -> Any:
        plain = worth.matches is None and not self.waiting
        if plain and all(die.is_numeric for die, _ in self.pool.groups):
            return self.pool.sum(budget)
        return self.pool.total(lambda face: run(face, self.waiting, worth), budget)


class Spawn(Record):
    """Dice that went on: K of them, negative binomial, each of the law ``die``.

    Attributes:
        starts: How many dice could go on.
        chance: How likely each goes on, every time.
        die: What a die shows that went on.
        removed: So many of them are known to have been there, and were removed.
    """

    starts: int
    chance: Fraction
    die: Dist[Any]
    removed: int = 0

    def total(self, worth: Worth, depth: int) -> Any:
        """What they are worth; enclosed where they count above and below 0."""
        gain = mix((worth.face(face), weight) for face, weight in self.die.weights().items())
        if gain.low < 0 < gain.high:
            number = enclose(self.number(), depth)
            return Enclosed(number.part @ gain, number.mass)
        if not self.removed:
            return repeated(gain, self.chance).times(self.starts)
        return self.number() * gain

    def number(self) -> Any:
        """How many there are."""
        number: Any = repeated(Dist({1: 1}), self.chance).times(self.starts)
        if not self.removed:
            return number
        fewer = {k: self.exactly(k) for k in range(self.removed)}
        return number.without(fewer) - self.removed

    def exactly(self, count: int) -> Fraction:
        """The chance of just so many before any were removed."""
        size = (self.starts + count) * self.chance.denominator.bit_length() // 64
        afford(size**2, DEFAULT_BUDGET, "roll fewer exploding dice")
        ways = comb(self.starts + count - 1, count)
        return ways * self.chance**count * (1 - self.chance) ** self.starts

    def left(self, count: int) -> Fraction:
        """The chance that just so many are left."""
        known = 1 - sum((self.exactly(k) for k in range(self.removed)), Fraction(0))
        return self.exactly(count + self.removed) / known


class Part(Record):
    """One case: groups of dice, open-ended totals with their ranks, and spawned dice."""

    groups: tuple[Group, ...] = ()
    spawned: tuple[Spawn, ...] = ()
    totals: tuple[tuple[Any, int], ...] = ()
    first: int = 0
    last: int = 0

    @property
    def size(self) -> int:
        return sum(group.pool.size for group in self.groups) + self.last - self.first

    @property
    def is_settled_in_number(self) -> bool:
        """Whether no die has still to add others."""
        steps = (step for group in self.groups for step in group.waiting)
        return not self.spawned and not any(isinstance(step, Explode) for step in steps)

    @property
    def is_apart(self) -> bool:
        """Whether every group still has all its dice, so that kinds can be told apart."""
        return not (self.spawned or self.totals) and all(g.pool.is_whole for g in self.groups)

    @property
    def is_plain(self) -> bool:
        """Only finite dice, nothing waiting."""
        return not (self.spawned or self.totals or any(group.waiting for group in self.groups))


def run(face: Face, steps: tuple[Change | Explode, ...], worth: Worth) -> Any:
    """What a die that shows this face is worth after the waiting steps."""
    if isinstance(face, OpenDist):
        return run_open(face, steps, worth)
    if not steps:
        return worth.face(face)
    step, rest = steps[0], steps[1:]
    if isinstance(step, Change):
        after = step.face(face)
        if isinstance(after, Dist):
            if not rest:
                return after.map(worth.face)
            return mix((run(f, rest, worth), weight) for f, weight in after.weights().items())
        return run(after, rest, worth)
    own = run(face, rest, worth)
    return own + extras(step, rest, worth) if step.goes(face) else own


def run_open(die: OpenDist, steps: tuple[Change | Explode, ...], worth: Worth) -> Any:
    """What an open-ended total is worth after the waiting steps."""
    for step in steps:
        if isinstance(step, Explode):
            raise RuleError("an open-ended total cannot roll on again")
        die = step.open(die) if isinstance(die, OpenDist) else die.then(step.face)
    return worth.open(die) if isinstance(die, OpenDist) else die.map(worth.face)


def extras(step: Explode, rest: tuple[Change | Explode, ...], worth: Worth) -> Any:
    """What all the extra dice started by one die are worth."""
    gains = [(step.goes(face), run(face, rest, worth), p) for face, p in step.kind.items()]
    if step.limit is None:
        chance = sum((p for goes, _, p in gains if goes), Fraction(0))
        if chance == 1:
            raise NeverEnds("every face is rolled again, so this would never end")
        stop = mix((gain, p) for goes, gain, p in gains if not goes)
        go = mix((gain, p) for goes, gain, p in gains if goes) if chance else Dist({0: 1})
        return repeated(go, chance) + stop
    return _limited(gains, step.limit)


def afford_extra(limit: int, chance: Fraction) -> None:
    """Refuse chains so long that their chances alone are too many digits."""
    digits = limit * chance.denominator.bit_length() // 32
    afford(
        limit * (FACE + digits),
        DEFAULT_BUDGET,
        "allow fewer extra dice, or as many as there come: leave out the limit",
    )


def _limited(gains: list[tuple[bool, Any, Fraction]], limit: int) -> Any:
    """At most so many extra dice: those that went on, and one that stopped unless all went on."""
    chance = sum((p for goes, _, p in gains if goes), Fraction(0))
    if not chance or not limit:
        return mix((gain, p) for _, gain, p in gains) if limit else Dist({0: 1})
    afford_extra(limit, chance)
    go = mix((gain, p) for goes, gain, p in gains if goes)
    full = (chance**limit, go.times(limit))
    if chance == 1:
        return full[1]
    stop = mix((gain, p) for goes, gain, p in gains if not goes)
    number = mix((t, chance**t) for t in range(limit))
    return mix([(number @ go + stop, 1 - full[0]), (full[1], full[0])])
