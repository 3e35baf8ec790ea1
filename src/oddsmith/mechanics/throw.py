"""``Throw``: dice on the table while modifiers act on them one after the other.

A throw is a mixture of parts. A part has groups of dice (each a pool, perhaps with ranks removed
and with changes that wait until the dice are read) and perhaps *spawned* dice: the unlimited extra
dice of an exploding pool. n like dice that each roll on with chance p end as n dice that stopped
and K that went on, all independent, K being negative binomial; that is what makes exploding pools
exact without a cut-off.

A die is a face: a plain outcome, or after clamping or penetrating a pair (value, natural face).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, factorial
from typing import TYPE_CHECKING, Any

from oddsmith.budget import DEFAULT_BUDGET
from oddsmith.dist import Dist, is_number, mix
from oddsmith.enclosed import Enclosed, enclose, mix_enclosed
from oddsmith.errors import NeverEnds, OutcomeError, RuleError
from oddsmith.mechanics.match import Match, weigh
from oddsmith.open_dist import OpenDist, repeated
from oddsmith.open_pool import kept_sum
from oddsmith.pool import Pool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Face = Any


def value_of(face: Face) -> Any:
    """What the face counts as."""
    return face[0] if isinstance(face, tuple) else face


def natural_of(face: Face) -> Any:
    """What the die shows."""
    return face[1] if isinstance(face, tuple) else face


# --- what happens to a die


@dataclass(frozen=True)
class Change:
    """Something that happens to each die by itself.

    Attributes:
        face: From a face to a face, a ``Dist`` of faces, or an ``OpenDist`` of values.
        open: The same for a die that is already an open-ended total.
    """

    face: Callable[[Face], Any]
    open: Callable[[OpenDist], Any]


@dataclass(frozen=True)
class Explode:
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


@dataclass(frozen=True)
class Worth:
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


@dataclass(frozen=True)
class Group:
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
        return self.pool.total(lambda face: _run(face, self.waiting, worth), budget)


@dataclass(frozen=True)
class Spawn:
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

    def total(self, worth: Worth) -> Any:
        gain = mix((worth.face(face), weight) for face, weight in self.die.weights().items())
        if not self.removed:
            return repeated(gain, self.chance).times(self.starts)
        number: Any = repeated(Dist({1: 1}), self.chance).times(self.starts)
        fewer = {k: self.exactly(k) for k in range(self.removed)}
        return (number.without(fewer) - self.removed) * gain

    def exactly(self, count: int) -> Fraction:
        """The chance of just so many before any were removed."""
        ways = comb(self.starts + count - 1, count)
        return ways * self.chance**count * (1 - self.chance) ** self.starts

    def left(self, count: int) -> Fraction:
        """The chance that just so many are left."""
        known = 1 - sum((self.exactly(k) for k in range(self.removed)), Fraction(0))
        return self.exactly(count + self.removed) / known


@dataclass(frozen=True)
class Part:
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
    def is_plain(self) -> bool:
        """Only finite dice, nothing waiting."""
        return not (self.spawned or self.totals or any(group.waiting for group in self.groups))


def _run(face: Face, steps: tuple[Change | Explode, ...], worth: Worth) -> Any:
    """What a die that shows this face is worth after the waiting steps."""
    if isinstance(face, OpenDist):
        return _run_open(face, steps, worth)
    if not steps:
        return worth.face(face)
    step, rest = steps[0], steps[1:]
    if isinstance(step, Change):
        after = step.face(face)
        if isinstance(after, Dist):
            return mix((_run(f, rest, worth), weight) for f, weight in after.weights().items())
        return _run(after, rest, worth)
    own = _run(face, rest, worth)
    return own + _extras(step, rest, worth) if step.goes(face) else own


def _run_open(die: OpenDist, steps: tuple[Change | Explode, ...], worth: Worth) -> Any:
    for step in steps:
        if isinstance(step, Explode):
            raise RuleError("an open-ended total cannot roll on again")
        die = step.open(die)
    return worth.open(die) if isinstance(die, OpenDist) else die.map(worth.face)


def _extras(step: Explode, rest: tuple[Change | Explode, ...], worth: Worth) -> Any:
    """What all the extra dice started by one die are worth."""
    gains = [
        (step.goes(face), _run(face, rest, worth), p) for face, p in step.kind.items()
    ]
    if step.limit is None:
        chance = sum((p for goes, _, p in gains if goes), Fraction(0))
        if chance == 1:
            raise NeverEnds("every face is rolled again, so this would never end")
        stop = mix((gain, p) for goes, gain, p in gains if not goes)
        go = mix((gain, p) for goes, gain, p in gains if goes) if chance else Dist({0: 1})
        return repeated(go, chance) + stop
    more: Any = Dist({0: 1})
    for _ in range(step.limit):
        more = mix((gain + more if goes else gain, p) for goes, gain, p in gains)
    return more


# --- settling: making waiting steps happen


def _bases(group: Group) -> list[tuple[Fraction, list[tuple[Any, int]]]]:
    """The dice of a group as independent dice: as they are, or as the kept faces, case by case."""
    if group.pool.is_whole:
        return [(Fraction(1), list(group.pool.groups))]
    cases = []
    for faces, p in group.pool.expand().items():
        pool = Pool([Dist({face: 1}) for face in faces])
        cases.append((p, list(pool.groups)))
    return cases


Case = tuple[Fraction, list[tuple[Any, int]], list[Spawn]]


def _settle(group: Group) -> list[Case]:
    """The dice after the waiting steps, as a mixture of independent dice and spawned dice."""
    cases: list[Case] = [(p, dice, []) for p, dice in _bases(group)]
    for step in group.waiting:
        after: list[Case] = []
        for p, dice, spawned in cases:
            if isinstance(step, Change):
                after.append((p, _changed(dice, step), [_changed_spawn(s, step) for s in spawned]))
            else:
                if spawned:
                    raise RuleError("dice that already exploded cannot explode again", "join the conditions: `!{5,6}`")
                after += [(p * q, d, s) for q, d, s in _exploded(dice, step)]
        cases = after
    return cases


def _changed(dice: list[tuple[Any, int]], step: Change) -> list[tuple[Any, int]]:
    return [
        (step.open(die) if isinstance(die, OpenDist) else die.then(step.face), count)
        for die, count in dice
    ]


def _changed_spawn(spawn: Spawn, step: Change) -> Spawn:
    die = spawn.die.then(step.face)
    if isinstance(die, OpenDist):
        raise RuleError("exploded dice cannot compound as well", "write only one of ! and !!")
    return replace(spawn, die=die)


def _exploded(dice: list[tuple[Any, int]], step: Explode) -> list[Case]:
    """Dice split into those that stopped and those that went on."""
    cases: list[Case] = [(Fraction(1), [], [])]
    for die, count in dice:
        if isinstance(die, OpenDist):
            raise RuleError("an open-ended total cannot roll on again")
        options = _explode_alike(die, count, step)
        cases = [
            (p * q, left + right, spawned + more)
            for p, left, spawned in cases
            for q, right, more in options
        ]
    return cases


def _explode_alike(die: Dist[Any], count: int, step: Explode) -> list[Case]:
    goes = die.p(step.goes)
    if goes == 0:
        return [(Fraction(1), [(die, count)], [])]
    again = step.kind.p(step.goes)
    if again == 1 and step.limit is None:
        raise NeverEnds("every face is rolled again, so this would never end")
    stop = [(die.given(lambda f: not step.goes(f)), 1)] if goes < 1 else []
    go = die.given(step.goes)
    if die == step.kind and step.limit is None:
        return [(Fraction(1), [(stop[0][0], count)], [Spawn(count, goes, go)])]
    cases: list[Case] = []
    for m in range(count + 1):
        p = comb(count, m) * goes**m * (1 - goes) ** (count - m)
        if p:
            first = [(d, count - m) for d, _ in stop if count > m] + ([(go, m)] if m else [])
            cases += [(p * q, first + d, s) for q, d, s in _chains(m, again, step)]
    return cases


def _chains(starts: int, again: Fraction, step: Explode) -> list[Case]:
    """The extra dice of so many chains."""
    if not starts or step.limit == 0:
        return [(Fraction(1), [], [])]
    kind = step.kind
    stops = kind.given(lambda f: not step.goes(f)) if again < 1 else None
    goes = kind.given(step.goes) if again else None
    if step.limit is None:
        spawned = [Spawn(starts, again, goes)] if goes is not None else []
        return [(Fraction(1), [(stops, starts)], spawned)]
    one: dict[tuple[int, int], Fraction] = {}
    for t in range(step.limit - 1):
        one[t, 0] = again**t * (1 - again)
    one[step.limit - 1, 1] = again ** (step.limit - 1)
    law = mix(one)
    joint = law
    for _ in range(starts - 1):
        joint = joint._combine(law, lambda a, b: (a[0] + b[0], a[1] + b[1]))
    cases: list[Case] = []
    for (went, free), p in joint.items():
        dice = [(goes, went), (stops, starts - free), (kind, free)]
        cases.append((p, [(d, n) for d, n in dice if n], []))
    return cases


# --- the throw


@dataclass(frozen=True)
class Throw:
    """A mixture of parts; what the weights lack to 1 is missing mass.

    Attributes:
        parts: Pairs of weight and part.
        depth: Where no closed form exists, less than 2**-depth is left out for each die.
        budget: The work that reading the dice may cost.
    """

    parts: tuple[tuple[Fraction, Part], ...]
    depth: int = field(default=64, compare=False)
    budget: int = field(default=DEFAULT_BUDGET, compare=False)

    # making

    @staticmethod
    def of(
        dice: Iterable[tuple[Any, int]], depth: int = 64, budget: int = DEFAULT_BUDGET
    ) -> Throw:
        """Dice of several kinds, finite or open-ended, with how many of each.

        >>> Throw.of([(Dist(range(1, 7)), 2)]).total().mean
        Fraction(7, 1)
        """
        groups = []
        totals: list[tuple[Any, int]] = []
        pairs = list(dice)
        for die, count in pairs:
            if isinstance(die, OpenDist):
                totals.append((die, count))
            else:
                groups.append(Group(Pool.of(die, count), bare=die, kind=die))
        size = sum(count for _, count in totals)
        part = Part(tuple(groups), (), tuple(totals), 0, size)
        return Throw(((Fraction(1), part),), depth, budget)

    @staticmethod
    def mixed(
        parts: Iterable[tuple[Throw, Fraction]], depth: int = 64, budget: int = DEFAULT_BUDGET
    ) -> Throw:
        """One of several throws, such as a random number of dice."""
        cases = tuple((p * q, part) for throw, p in parts for q, part in throw.parts)
        return Throw(cases, depth, budget)

    def joined(self, other: Throw) -> Throw:
        """Both on the table at once, for as long as nothing was removed from open-ended totals."""
        parts = []
        for p, a in self.parts:
            for q, b in other.parts:
                size = sum(count for _, count in (*a.totals, *b.totals))
                parts.append(
                    (
                        p * q,
                        Part(a.groups + b.groups, a.spawned + b.spawned, a.totals + b.totals, 0, size),
                    )
                )
        return replace(self, parts=tuple(parts))

    @property
    def mass(self) -> Fraction:
        """The chance that is accounted for."""
        return sum((p for p, _ in self.parts), Fraction(0))

    def _each_part(self, function: Callable[[Part], Iterable[tuple[Fraction, Part]]]) -> Throw:
        cases = ((p * q, after) for p, part in self.parts for q, after in function(part))
        return replace(self, parts=tuple(cases))

    # changing dice

    def wait(self, make: Callable[[Group], tuple[Change | Explode, ...]], changes_kind: bool) -> Throw:
        """Add steps to every group; they happen when the dice are read or ranked."""

        def add(part: Part) -> list[tuple[Fraction, Part]]:
            groups, totals, spawned = [], part.totals, part.spawned
            for group in part.groups:
                steps = make(group)
                kind = group.kind
                for step in steps:
                    if changes_kind and kind is not None and isinstance(step, Change):
                        after = kind.then(step.face)
                        kind = after if isinstance(after, Dist) else None
                groups.append(replace(group, waiting=group.waiting + steps, kind=kind))
            if part.totals:
                steps = make(Group(Pool([])))
                totals = tuple((_apply_open(die, steps), count) for die, count in part.totals)
                if part.last - part.first != sum(count for _, count in part.totals):
                    raise RuleError("change open-ended totals before removing any")
            if part.spawned:
                steps = make(part.groups[0]) if part.groups else make(Group(Pool([])))
                spawned = tuple(_apply_spawn(s, steps) for s in part.spawned)
            return [(Fraction(1), replace(part, groups=tuple(groups), totals=totals, spawned=spawned))]

        return self._each_part(add)

    def settled(self) -> Throw:
        """Waiting steps happen, removed ranks become cases: every die stands by itself."""

        def settle(part: Part) -> list[tuple[Fraction, Part]]:
            cases: list[Case] = [(Fraction(1), [], list(part.spawned))]
            for group in part.groups:
                cases = [
                    (p * q, left + right, spawned + more)
                    for p, left, spawned in cases
                    for q, right, more in _settle(group)
                ]
            bares = {group.bare for group in part.groups}
            alike = part.groups[0] if len(bares) == 1 else None
            return [(p, _part(dice, spawned, part, alike)) for p, dice, spawned in cases]

        return self._each_part(settle)

    # keeping

    def keep(self, verb: str, count: int, strict: bool = True) -> Throw:
        """Keep or drop by rank.

        Args:
            verb: ``kh``, ``kl``, ``dh``, ``dl`` or ``mid``.
            count: How many dice.
            strict: Whether too few dice are an error; else what there is is kept or dropped.
        """
        ready = self if all(self._rankable(part) for _, part in self.parts) else self.settled()
        return ready._each_part(lambda part: self._keep_part(part, verb, count, strict))

    @staticmethod
    def _rankable(part: Part) -> bool:
        if part.totals:
            return not part.groups and not part.spawned
        return part.is_plain and len(part.groups) <= 1

    def _keep_part(
        self, part: Part, verb: str, count: int, strict: bool
    ) -> list[tuple[Fraction, Part]]:
        if part.totals:
            return self._keep_totals(part, verb, count, strict)
        if part.spawned:
            return self._keep_spawned(part, verb, count, strict)
        group = part.groups[0] if len(part.groups) == 1 else _merged(part)
        many = count if strict else min(count, group.pool.size)
        return [(Fraction(1), Part((replace(group, pool=_rank(group.pool, verb, many)),)))]

    def _keep_totals(
        self, part: Part, verb: str, count: int, strict: bool
    ) -> list[tuple[Fraction, Part]]:
        window = Pool.of(Dist({0: 1}), part.last - part.first)
        after = _rank(window, verb, count if strict else min(count, window.size))
        first = part.first + after.first
        return [(Fraction(1), replace(part, first=first, last=first + after.size))]

    def _keep_spawned(
        self, part: Part, verb: str, count: int, strict: bool
    ) -> list[tuple[Fraction, Part]]:
        """Ranks among stopped dice and an unlimited number of those that went on."""
        if verb in ("kh", "kl"):
            cases = _extreme_spawned(part.spawned, count, highest=verb == "kh")
        elif verb == "dl" and _all_above(part) and part.size >= count:
            return self._beside_spawned(part, verb, count)
        elif verb == "dh" and _all_above(part) and part.size >= count and _one_face(part):
            spawn = part.spawned[0]
            below = []
            for k in range(count):
                few = self._keep_part(replace(part, spawned=()), verb, count - k, strict)
                below += [(p * spawn.left(k), after) for p, after in few]
            many = 1 - sum((spawn.left(k) for k in range(count)), Fraction(0))
            over = replace(spawn, removed=spawn.removed + count)
            return [*below, (many, replace(part, spawned=(over,)))]
        else:
            cases = _cut_spawned(part.spawned, self.depth)
        result = []
        for p, faces in cases:
            whole = _part([*_flat(part), *((Dist({f: 1}), 1) for f in faces)], [], part, None)
            if strict and verb in ("kh", "kl") and whole.size < count:
                raise RuleError(f"cannot keep {count} dice of {part.size}, which is all that is certain")
            quick = _quick_top(part, faces, verb, count)
            result += [(p * q, x) for q, x in quick or self._keep_part(whole, verb, count, strict=False)]
        return result

    def _beside_spawned(self, part: Part, verb: str, count: int) -> list[tuple[Fraction, Part]]:
        """The spawned dice all stay; the others are ranked among themselves."""
        kept = self._keep_part(replace(part, spawned=()), verb, count, strict=True)
        return [(p, replace(after, spawned=part.spawned)) for p, after in kept]

    # reading

    def total(self, worth: Worth | None = None) -> Any:
        """The dice added up by what each is worth.

        >>> Throw.of([(Dist(range(1, 7)), 4)]).keep("kh", 3).total().p(18)
        Fraction(7, 432)
        """
        worth = worth or Worth()
        return self._mixed([(self._part_total(part, worth), p) for p, part in self.parts])

    def _part_total(self, part: Part, worth: Worth) -> Any:
        total: Any = Dist({0: 1})
        for group in part.groups:
            total = total + group.total(worth, self.budget)
        for spawn in part.spawned:
            total = total + spawn.total(worth)
        if not part.totals:
            return total
        kept = _kept_totals(part, worth, self.depth)
        if isinstance(kept, Enclosed):
            return kept.combine(total, lambda a, b: a + b, adds=True)
        return total + kept

    def _mixed(self, values: list[tuple[Any, Fraction]]) -> Any:
        if self.mass == 1 and not any(isinstance(value, Enclosed) for value, _ in values):
            return mix(values)
        rest = mix_enclosed([(value, p / self.mass) for value, p in values])
        return Enclosed(rest.part, rest.mass * self.mass, rest.beyond if self.mass == 1 else None)

    def read(self, reading: Callable[[Pool], Any]) -> Any:
        """Another reading of the pool, such as matching sets, by a function of a finite ``Pool``."""
        finite = self
        if not all(part.is_plain and len(part.groups) == 1 for _, part in self.parts):
            finite = self.settled()._each_part(self._finite)
        return finite._mixed([(reading(_pool(part)), p) for p, part in finite.parts])

    def _finite(self, part: Part) -> list[tuple[Fraction, Part]]:
        """Open ends cut where little is left; the weights then add up to less than 1."""
        cases: list[tuple[Fraction, list[tuple[Any, int]]]] = [(Fraction(1), _flat(part))]
        if part.totals:
            if part.last - part.first != sum(count for _, count in part.totals):
                raise RuleError("this reading of kept open-ended totals has no exact form")
            mass = Fraction(1)
            dice = list(cases[0][1])
            for die, count in part.totals:
                cut = enclose(die, self.depth) if isinstance(die, OpenDist) else Enclosed(die)
                mass *= cut.mass**count
                dice.append((cut.part, count))
            cases = [(mass, dice)]
        spawned = _cut_spawned(part.spawned, self.depth) if part.spawned else [(Fraction(1), ())]
        return [
            (p * q, _part([*dice, *((Dist({f: 1}), 1) for f in faces)], [], part, None))
            for p, dice in cases
            for q, faces in spawned
        ]


def _rank(pool: Pool, verb: str, count: int) -> Pool:
    """Keep or drop by rank."""
    return {
        "kh": pool.keep_highest, "kl": pool.keep_lowest, "dh": pool.drop_highest,
        "dl": pool.drop_lowest, "mid": pool.middle,
    }[verb](count)  # fmt: skip


def _merged(part: Part) -> Group:
    """All groups in one pool; which die is which is known only where they are alike."""
    first = part.groups[0] if part.groups else Group(Pool([]))
    alike = all(group.bare == first.bare for group in part.groups)
    return Group(
        _uniform(_flat(part)),
        bare=first.bare if alike else None,
        kind=first.kind if alike else None,
        rerolled=any(group.rerolled for group in part.groups),
    )


def _part(dice: list[tuple[Any, int]], spawned: list[Spawn], old: Part, like: Group | None) -> Part:
    """Dice that stand by themselves, as one group (finite) or as totals (when some are open)."""
    totals = list(old.totals)
    finite = [(die, count) for die, count in dice if not isinstance(die, OpenDist)]
    open_ones = [(die, count) for die, count in dice if isinstance(die, OpenDist)]
    if open_ones:
        totals += [(die.map(value_of), count) for die, count in finite] + open_ones
        finite = []
    pool = _uniform(finite)
    group = Group(pool, bare=like.bare if like else None, kind=like.kind if like else None, rerolled=any(g.rerolled for g in old.groups))
    groups = (group,) if finite or not totals else ()
    window = (old.first, old.last) if old.totals and not open_ones else (0, sum(n for _, n in totals))
    return Part(groups, tuple(spawned), tuple(totals), *window)


def _uniform(dice: list[tuple[Dist[Any], int]]) -> Pool:
    """One pool; where one face is a pair (value, natural), every face is."""
    paired = any(isinstance(face, tuple) for die, _ in dice for face in die)
    pool = Pool([])
    for die, count in dice:
        pool += Pool.of(die.map(_pair) if paired else die, count)
    return pool


def _pair(face: Face) -> Face:
    return face if isinstance(face, tuple) else (face, face)


def _flat(part: Part) -> list[tuple[Any, int]]:
    """All dice of groups that stand by themselves."""
    return [pair for group in part.groups for pair in group.pool.groups]


def _pool(part: Part) -> Pool:
    """The one pool of a finite part, by value only."""
    if not part.groups:
        return Pool([])
    pool = part.groups[0].pool
    if not any(isinstance(face, tuple) for face in pool.faces()):
        return pool
    plain = Pool([])
    for die, count in pool.groups:
        plain += Pool.of(die.map(value_of), count)
    return plain._window(pool.first, pool.last)


def _kept_totals(part: Part, worth: Worth, depth: int) -> Any:
    size = sum(count for _, count in part.totals)
    if worth.matches is None:
        return kept_sum(part.totals, part.first, part.last, depth)
    if part.last - part.first == size:
        gains = [
            (worth.open(die) if isinstance(die, OpenDist) else die.map(worth.face), count)
            for die, count in part.totals
        ]
        return sum((gain.times(count) for gain, count in gains), Dist({0: 1}))
    mass, pool = Fraction(1), Pool([])
    for die, count in part.totals:
        cut = enclose(die, depth) if isinstance(die, OpenDist) else Enclosed(die)
        mass *= cut.mass**count
        pool += Pool.of(cut.part, count)
    return Enclosed(pool._window(part.first, part.last).total(worth.face), mass)


def _apply_open(die: Any, steps: tuple[Change | Explode, ...]) -> Any:
    for step in steps:
        if isinstance(step, Explode):
            raise RuleError("an open-ended total cannot roll on again")
        die = step.open(die) if isinstance(die, OpenDist) else die.then(step.face)
    return die


def _apply_spawn(spawn: Spawn, steps: tuple[Change | Explode, ...]) -> Spawn:
    for step in steps:
        if isinstance(step, Explode):
            raise RuleError(
                "dice that already exploded cannot explode again", "join the conditions: `!{5,6}`"
            )
        spawn = _changed_spawn(spawn, step)
    return spawn


# --- spawned dice


def _extreme_spawned(
    spawned: Iterable[Spawn], keep: int, highest: bool
) -> list[tuple[Fraction, tuple[Face, ...]]]:
    """The highest (lowest) ``keep`` of the spawned dice, or all where there are fewer."""
    cases: list[tuple[Fraction, tuple[Face, ...]]] = [(Fraction(1), ())]
    for spawn in spawned:
        cases = [
            (p * q, faces + more)
            for p, faces in cases
            for q, more in _extreme_of(spawn, keep, highest)
        ]
    return cases


def _extreme_of(
    spawn: Spawn, keep: int, highest: bool
) -> list[tuple[Fraction, tuple[Face, ...]]]:
    """Thinning: looking only at the j most extreme faces, their number is negative binomial too."""
    law = spawn.die.items()[:: -1 if highest else 1]
    faces = [face for face, _ in law]
    shares = [p for _, p in law]
    cases = []
    for size in range(keep + 1):
        for chosen in combinations_with_replacement(range(len(faces)), size):
            counts = [chosen.count(j) for j in range(len(faces))]
            if size < keep:
                p = _exactly(spawn, shares, counts, len(faces))
            else:
                last = max(chosen, default=0)
                p = _exactly(spawn, shares, counts[:last], last) - sum(
                    (_exactly(spawn, shares, [*counts[:last], t], last + 1) for t in range(counts[last])),
                    Fraction(0),
                )
            if p:
                cases.append((p, tuple(faces[j] for j in chosen)))
    return cases


def _exactly(spawn: Spawn, shares: list[Fraction], counts: list[int], looked: int) -> Fraction:
    """The chance of just these numbers of the first ``looked`` faces, whatever else there is."""
    if looked == 0:
        return Fraction(1)
    total = sum(counts)
    if spawn.removed:
        return spawn.left(total)
    seen = sum(shares[:looked], Fraction(0))
    chance = spawn.chance * seen / (1 - spawn.chance * (1 - seen))
    p = replace(spawn, chance=chance).exactly(total) * factorial(total)
    for share, count in zip(shares, counts, strict=False):
        p *= (share / seen) ** count / factorial(count)
    return p


def _cut_spawned(
    spawned: Iterable[Spawn], depth: int
) -> list[tuple[Fraction, tuple[Face, ...]]]:
    """Every number of spawned dice until less than 2**-depth is left, face by face."""
    cases: list[tuple[Fraction, tuple[Face, ...]]] = [(Fraction(1), ())]
    for spawn in spawned:
        options = []
        rest, count = Fraction(1), 0
        while rest >= Fraction(1, 2**depth):
            p = spawn.left(count)
            options += [(p * q, faces) for faces, q in Pool.of(spawn.die, count).expand().items()]
            rest, count = rest - p, count + 1
        cases = [(p * q, faces + more) for p, faces in cases for q, more in options]
    return cases


def _all_above(part: Part) -> bool:
    """Whether every spawned die beats every die that stopped."""
    tops = [value_of(die.high) for die, _ in _flat(part)]
    lows = [value_of(spawn.die.low) for spawn in part.spawned]
    return all(is_number(x) for x in (*tops, *lows)) and max(tops, default=0) <= min(lows)


def _one_face(part: Part) -> bool:
    """Whether the spawned dice all show the same."""
    return len(part.spawned) == 1 and len(part.spawned[0].die) == 1


def _quick_top(
    part: Part, faces: tuple[Face, ...], verb: str, count: int
) -> list[tuple[Fraction, Part]] | None:
    """Spawned dice above all others are kept first; the rest is a plain pool of like dice."""
    if verb != "kh" or len(part.groups) != 1 or not _all_above(part):
        return None
    group = part.groups[0]
    if group.pool.size < count - len(faces):
        return None
    rest = replace(group, pool=group.pool.keep_highest(count - len(faces)))
    sure = Group(Pool([Dist({face: 1}) for face in faces]))
    return [(Fraction(1), Part((rest, sure) if faces else (rest,)))]


# --- the verbs


def clamp(throw: Throw, low: Any = None, high: Any = None) -> Throw:
    """Raise each die to ``low`` and lower it to ``high``; the natural face stays known.

    >>> clamp(Throw.of([(Dist(range(1, 7)), 1)]), low=2).total().mean
    Fraction(11, 3)
    """

    def bound(face: Face) -> Face:
        value = value_of(face)
        if not is_number(value):
            raise OutcomeError(f"the face {value!r} cannot be raised or lowered")
        value = value if low is None else max(value, low)
        return (value if high is None else min(value, high), natural_of(face))

    change = Change(bound, lambda die: die.clamp(low, high))
    return throw.wait(lambda group: (change,), changes_kind=True)


def reroll(throw: Throw, match: Match, until: bool = False) -> Throw:
    """Dice that fit are rolled again: once, or until they no longer fit.

    Raises:
        NeverEnds: When every face fits and it goes on until none does.
        RuleError: When a die might be re-rolled twice, or it is not known which die it is.

    >>> reroll(Throw.of([(Dist(range(1, 7)), 1)]), Match(high=1)).total().mean
    Fraction(47, 12)
    """

    def make(group: Group) -> tuple[Change, ...]:
        bare = group.bare
        if bare is None:
            raise RuleError("it is not known which of the unlike dice this is", "re-roll before keeping")
        if group.rerolled and not until:
            raise RuleError("a die is never re-rolled twice", "name all faces in one re-roll, such as r{1,2}")
        fresh: Dist[Any] = bare
        if until:
            if bare.p(match) == 1:
                raise NeverEnds("every face is re-rolled, so this would never end")
            fresh = bare.given(lambda face: not match(face))

        def change(face: Face) -> Any:
            return fresh if match(value_of(face)) else face

        return (Change(change, lambda die: _reroll_open(die, match, fresh)),)

    after = throw.wait(make, changes_kind=True)
    if until:
        return after
    mark = lambda part: [  # noqa: E731
        (Fraction(1), replace(part, groups=tuple(replace(g, rerolled=True) for g in part.groups)))
    ]
    return after._each_part(mark)


def _reroll_open(die: OpenDist, match: Match, fresh: Dist[Any]) -> Any:
    """An open-ended total, some values of which are replaced by a fresh die."""
    if match.low is not None or match.period() > 1 or match.inverted:
        raise RuleError("re-rolling an endless set of totals has no closed form here")
    top = max(match.bounds(), default=0)
    low = die.low if die.low is not None else top
    hit = [(outcome, p) for outcome, p in die.rows(low, top) if match(outcome)]
    chance = sum((p for _, p in hit), Fraction(0))
    if not chance:
        return die
    return mix([(die.without(dict(hit)), 1 - chance), (fresh, chance)])


def explode(
    throw: Throw, match: Match | None = None, limit: int | None = None, less: int = 0
) -> Throw:
    """Dice whose natural face fits add further dice of their own.

    Args:
        throw: The dice.
        match: The faces; the highest face of each die when None.
        limit: At most so many extra dice for each die.
        less: What each extra die counts less than it shows (penetrating dice: 1).

    >>> explode(Throw.of([(Dist(range(1, 7)), 3)])).total().mean
    Fraction(63, 5)
    """

    def make(group: Group) -> tuple[Change | Explode, ...]:
        kind = _kind(group)
        again = match or _highest_face(group)
        extra = kind
        pair: tuple[Change, ...] = ()
        if less:
            extra = kind.map(lambda face: (value_of(face) - less, natural_of(face)))
            pair = (Change(lambda face: (value_of(face), natural_of(face)), lambda die: die),)
        _must_end(kind, again, limit)
        return (*pair, Explode(again, extra, limit))

    return throw.wait(make, changes_kind=False)


def compound(
    throw: Throw, match: Match | None = None, limit: int | None = None, less: int = 0
) -> Throw:
    """Like :func:`explode`, but extra dice are added into the die that caused them.

    >>> compound(Throw.of([(Dist(range(1, 7)), 2)])).keep("kh", 1).total().mean
    Fraction(29, 5)
    """

    def make(group: Group) -> tuple[Change, ...]:
        kind = _kind(group)
        again = match or _highest_face(group)
        extra = kind.map(lambda face: (value_of(face) - less, natural_of(face))) if less else kind
        _must_end(kind, again, limit)
        step = Explode(again, extra, limit)
        more = _extras(step, (), Worth()) if kind.p(step.goes) else Dist({0: 1})

        def change(face: Face) -> Any:
            endless = isinstance(more, OpenDist)
            if not step.goes(face):
                return value_of(face) if endless else face
            total = more + value_of(face)
            if endless:
                return total
            return total.map(lambda value: (value, natural_of(face)))

        return (Change(change, _no_compound),)

    return throw.wait(make, changes_kind=True)


def _no_compound(die: OpenDist) -> Any:
    raise RuleError("an open-ended total cannot roll on again")


def _highest_face(group: Group) -> Match:
    """The highest face of the plain die, whatever was done to it since."""
    assert group.bare is not None
    return Match(faces=frozenset({max(group.bare, key=lambda face: (is_number(face), face))}))


def _kind(group: Group) -> Dist[Any]:
    if group.kind is None:
        raise RuleError(
            "it is not known which of the unlike dice rolls on", "explode before keeping"
        )
    return group.kind


def _must_end(kind: Dist[Any], again: Match, limit: int | None) -> None:
    if limit is None and kind.p(lambda face: again(natural_of(face))) == 1:
        raise NeverEnds("every face is rolled again, so this would never end")
