"""``Throw``: dice on the table while modifiers act on them one after the other.

A throw is a mixture of parts (see :mod:`oddsmith.mechanics.parts`). Changes wait until the dice are
ranked or read, so that a sum or a count of kept dice needs no case by case walk.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb, prod
from typing import TYPE_CHECKING, Any

from oddsmith.arguments import as_function, pairs_of, whole
from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.dist import Dist, as_dist, mix
from oddsmith.enclosed import Enclosed, enclose, mix_enclosed
from oddsmith.errors import NoClosedForm, RuleError
from oddsmith.mechanics.parts import Change, Explode, Group, Part, Spawn, Worth, value_of
from oddsmith.mechanics.settle import CASE, Case, apply_open, apply_spawn, settle, uniform
from oddsmith.mechanics.spawned import all_above, capped, cut_off, extremes, flat, one_face
from oddsmith.open_dist import OpenDist
from oddsmith.open_pool import kept_sum
from oddsmith.pool import Pool
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from oddsmith.mechanics.parts import Face


LOOK = 1_000
"""What it costs to look at one way for exploded dice to lie among the kept ones."""

VERBS = ("kh", "kl", "dh", "dl", "mid")
"""Keep highest, keep lowest, drop highest, drop lowest, keep the middle."""


class Throw(Record):
    """A mixture of parts; what the weights lack to 1 is missing mass.

    Attributes:
        parts: Pairs of weight and part.
        depth: Where no closed form exists, less than 2**-depth is left out for each die.
        budget: The work that reading the dice may cost.
        number: How many like dice there are where nothing bounds it, for as long as no die is told
            from another; the parts are then cut off where little is left.
    """

    parts: tuple[tuple[Fraction, Part], ...]
    depth: int = 64
    budget: int = DEFAULT_BUDGET
    number: OpenDist | None = None

    # making

    @staticmethod
    def of(dice: Iterable[tuple[Any, int]], depth: int = 64, budget: int = DEFAULT_BUDGET) -> Throw:
        """Dice of several kinds, finite or open-ended, with how many of each.

        Args:
            dice: Pairs (die, how many).
            depth: How far to look where no closed form exists; see the class.
            budget: The work that reading the dice may cost.

        >>> Throw.of([(Dist(range(1, 7)), 2)]).total().mean
        Fraction(7, 1)
        """
        groups = []
        totals: list[tuple[Any, int]] = []
        example = "write for example Throw.of([(d6, 3)])"
        for die, count in pairs_of(dice, "a throw", "pairs of (die, number of dice)", example):
            whole(count, least=0)
            if isinstance(die, OpenDist):
                totals.append((die, count))
            else:
                plain = as_dist(die)
                groups.append(Group(Pool.of(plain, count), bare=plain, kind=plain))
        size = sum(count for _, count in totals)
        part = Part(tuple(groups), (), tuple(totals), 0, size)
        return Throw(((Fraction(1), part),), depth, budget)

    @staticmethod
    def mixed(
        parts: Iterable[tuple[Throw, Fraction]], depth: int = 64, budget: int = DEFAULT_BUDGET
    ) -> Throw:
        """One of several throws, such as a random number of dice.

        Args:
            parts: Pairs (throw, its chance).
            depth: How far to look where no closed form exists; see the class.
            budget: The work that reading the dice may cost.

        >>> die = Dist(range(1, 7))
        >>> cases = [(Throw.of([(die, count)]), Fraction(1, 2)) for count in (1, 2)]
        >>> Throw.mixed(cases).total().mean
        Fraction(21, 4)
        """
        cases = tuple((p * q, part) for throw, p in parts for q, part in throw.parts)
        return Throw(cases, depth, budget)

    def joined(self, other: Throw) -> Throw:
        """Both on the table at once, for as long as nothing was removed from open-ended totals."""
        parts, other = [], as_throw(other)
        for p, (m, a) in ((p, _freed(part, self.depth)) for p, part in self.parts):
            for q, (k, b) in ((q, _freed(part, self.depth)) for q, part in other.parts):
                size = sum(count for _, count in (*a.totals, *b.totals))
                parts.append(
                    (
                        p * q * m * k,
                        Part(
                            a.groups + b.groups, a.spawned + b.spawned, a.totals + b.totals, 0, size
                        ),
                    )
                )
        return self.but(parts=tuple(parts), number=None)

    @property
    def mass(self) -> Fraction:
        """The chance that is accounted for."""
        return sum((p for p, _ in self.parts), Fraction(0))

    def _each_part(
        self, function: Callable[[Part], Iterable[tuple[Fraction, Part]]], alike: bool = False
    ) -> Throw:
        cases = ((p * q, after) for p, part in self.parts for q, after in function(part))
        return self.but(parts=tuple(cases), number=self.number if alike else None)

    @property
    def is_fixed_in_number(self) -> bool:
        """Whether it is known how many dice there are."""
        sizes = {part.size for _, part in self.parts}
        return len(sizes) <= 1 and all(part.is_settled_in_number for _, part in self.parts)

    # changing dice

    def wait(
        self, make: Callable[[Group], tuple[Change | Explode, ...]], changes_kind: bool
    ) -> Throw:
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
                groups.append(group.but(waiting=group.waiting + steps, kind=kind))
            if part.totals:
                steps = make(Group(Pool([])))
                totals = tuple((apply_open(die, steps), count) for die, count in part.totals)
                if part.last - part.first != sum(count for _, count in part.totals):
                    raise RuleError("change open-ended totals before removing any")
            if part.spawned:
                steps = make(part.groups[0]) if part.groups else make(Group(Pool([])))
                spawned = tuple(apply_spawn(s, steps) for s in part.spawned)
            return [(Fraction(1), part.but(groups=tuple(groups), totals=totals, spawned=spawned))]

        return self._each_part(add, alike=True)

    def settled(self) -> Throw:
        """Waiting steps happen, removed ranks become cases: every die stands by itself."""

        def stand(part: Part) -> list[tuple[Fraction, Part]]:
            cases: list[Case] = [(Fraction(1), [], list(part.spawned))]
            for group in part.groups:
                cases = [
                    (p * q, left + right, spawned + more)
                    for p, left, spawned in cases
                    for q, right, more in settle(group)
                ]
            like = common(part.groups)
            return [(p, part_of(dice, spawned, part, like)) for p, dice, spawned in cases]

        return self._each_part(stand)

    # keeping

    def keep(self, verb: str, count: int, strict: bool = True) -> Throw:
        """Keep or drop by rank.

        Args:
            verb: ``kh`` and ``kl`` keep the highest and lowest, ``dh`` and ``dl`` drop them,
                ``mid`` keeps the middle.
            count: How many dice.
            strict: Whether too few dice are an error; else all there are get kept or dropped.

        Raises:
            RuleError: For too few dice, when ``strict``.

        >>> Throw.of([(Dist(range(1, 7)), 2)]).keep("kl", 1).total().p(6)
        Fraction(1, 36)
        """
        whole(count, least=0)
        if verb not in VERBS:
            raise RuleError(f"dice are not ranked by {verb!r}", f"write one of {', '.join(VERBS)}")
        if all(_keeps_all(part, verb, count) for _, part in self.parts):
            return self
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
        group = part.groups[0] if len(part.groups) == 1 else merged(part)
        many = count if strict else min(count, group.pool.size)
        return [(Fraction(1), Part((group.but(pool=ranked(group.pool, verb, many)),)))]

    def _keep_totals(
        self, part: Part, verb: str, count: int, strict: bool
    ) -> list[tuple[Fraction, Part]]:
        window = Pool.of(Dist({0: 1}), part.last - part.first)
        after = ranked(window, verb, count if strict else min(count, window.size))
        first = part.first + after.first
        return [(Fraction(1), part.but(first=first, last=first + after.size))]

    def _keep_spawned(
        self, part: Part, verb: str, count: int, strict: bool
    ) -> list[tuple[Fraction, Part]]:
        """Ranks among stopped dice and an unlimited number of those that went on."""
        if verb in ("kh", "kl"):
            ways = (comb(count + len(spawn.die), count) for spawn in part.spawned)
            afford(LOOK * prod(ways), self.budget, "keep fewer dice")
            cases = extremes(part.spawned, count, highest=verb == "kh")
        elif verb == "dl" and all_above(part) and part.size >= count:
            return self._beside_spawned(part, verb, count)
        elif verb == "dh" and all_above(part) and part.size >= count and one_face(part):
            spawn = part.spawned[0]
            below = []
            for k in range(count):
                few = self._keep_part(part.but(spawned=()), verb, count - k, strict)
                below += [(p * spawn.left(k), after) for p, after in few]
            many = 1 - sum((spawn.left(k) for k in range(count)), Fraction(0))
            over = spawn.but(removed=spawn.removed + count)
            return [*below, (many, part.but(spawned=(over,)))]
        else:
            cases = cut_off(part.spawned, self.depth)
        result = []
        for p, faces in cases:
            whole = part_of([*flat(part), *_fixed(faces)], [], part, common(part.groups))
            if strict and verb in ("kh", "kl") and whole.size < count:
                raise RuleError(
                    f"cannot keep {count} dice of {part.size}, which is all that is certain"
                )
            quick = quick_top(part, faces, verb, count)
            result += [
                (p * q, x) for q, x in quick or self._keep_part(whole, verb, count, strict=False)
            ]
        return result

    def _beside_spawned(self, part: Part, verb: str, count: int) -> list[tuple[Fraction, Part]]:
        """The spawned dice all stay; the others are ranked among themselves."""
        kept = self._keep_part(part.but(spawned=()), verb, count, strict=True)
        return [(p, after.but(spawned=part.spawned)) for p, after in kept]

    # reading

    def total(self, worth: Worth | None = None) -> Any:
        """The dice added up by what each is worth.

        >>> Throw.of([(Dist(range(1, 7)), 4)]).keep("kh", 3).total().p(18)
        Fraction(7, 432)
        """
        worth = worth or Worth()
        if self.number is not None:
            one = self._one_of_many(worth)
            if one is not None:
                return self.number @ one
        number = self._number_alike()
        if number is not None:
            counts, die = number
            return counts @ Group(Pool.of(die, 1)).total(worth, self.budget)
        try:
            values = [(self._part_total(part, worth), p) for p, part in self.parts]
        except NoClosedForm:
            if not any(group.waiting for _, part in self.parts for group in part.groups):
                raise
            return self.settled().total(worth)
        return self.mixed_values(values)

    def _one_of_many(self, worth: Worth) -> Dist[Any] | OpenDist | None:
        """What one of the like dice is worth, if as many of them as there are can be added up."""
        groups = (group for _, part in self.parts for group in part.groups)
        group = next(group for group in groups if group.pool.size)
        ((die, _),) = group.pool.groups
        one = group.but(pool=Pool.of(die, 1)).total(worth, self.budget)
        return one if isinstance(one, (Dist, OpenDist)) and (one.low or 0) >= 0 else None

    def _number_alike(self) -> tuple[Dist[int], Dist[Any]] | None:
        """The number of dice and the die, where only the number of like plain dice is random."""
        die, counts = None, []
        if len(self.parts) < 2 or self.mass != 1:
            return None
        for p, part in self.parts:
            pools = [group.pool for group in part.groups]
            kinds = [kind for pool in pools for kind, _ in pool.groups]
            if not (part.is_plain and part.is_apart and len(kinds) <= 1):
                return None
            if kinds and die is not None and kinds[0] != die:
                return None
            die = kinds[0] if kinds else die
            counts.append((part.size, p))
        return (mix(counts), die) if isinstance(die, Dist) else None

    def _part_total(self, part: Part, worth: Worth) -> Any:
        total: Any = Dist({0: 1})
        for group in part.groups:
            total = total + group.total(worth, self.budget)
        for spawn in part.spawned:
            total = added(total, spawn.total(worth, self.depth))
        return added(total, kept_totals(part, worth, self.depth)) if part.totals else total

    def only(self, part: Part) -> Throw:
        """One case by itself."""
        return self.but(parts=((Fraction(1), part),), number=None)

    def mixed_values(self, values: list[tuple[Any, Fraction]]) -> Any:
        """The mixture of what each part came to; enclosed where mass is missing."""
        mass = self.mass
        if mass == 1 and not any(isinstance(value, Enclosed) for value, _ in values):
            return mix(values)
        rest = mix_enclosed([(value, p / mass) for value, p in values])
        return Enclosed(rest.part, rest.mass * mass, rest.beyond if mass == 1 else None)

    def read(self, reading: Callable[[Pool], Any], cap: int | None = None) -> Any:
        """Another reading, such as matching sets, by a function of a finite ``Pool``.

        Args:
            reading: The function.
            cap: Where more than so many dice of one face make no difference, that number; an
                exploding pool is then read exactly, else its far end is missing.
        """
        as_function(reading, "reading", "lambda pool: pool.sum()", 1)
        finite = self
        if not all(part.is_plain and len(part.groups) == 1 for _, part in self.parts):
            finite = self.settled()._each_part(lambda part: self._finite(part, cap))
        return finite.mixed_values([(reading(pool_of(part)), p) for p, part in finite.parts])

    def _finite(self, part: Part, cap: int | None) -> list[tuple[Fraction, Part]]:
        """Open ends cut where little is left; the weights then add up to less than 1."""
        mass, dice = Fraction(1), flat(part)
        if part.totals:
            if part.last - part.first != sum(count for _, count in part.totals):
                raise RuleError("this reading of kept open-ended totals has no exact form")
            for die, count in part.totals:
                cut = enclose(die, self.depth) if isinstance(die, OpenDist) else Enclosed(die)
                mass *= cut.mass**count
                dice.append((cut.part, count))
        cases = capped(part.spawned, cap) if cap is not None else None
        if cases is None:
            cases = cut_off(part.spawned, self.depth)
        afford(CASE * len(cases), self.budget, "limit the extra dice, for example with !max5")
        groups = Part(groups=part.groups)
        return [
            (mass * p, part_of([*dice, *_fixed(faces)], [], groups, None)) for p, faces in cases
        ]


def as_throw(given: Any) -> Throw:
    """The throw itself; anything else is refused.

    >>> as_throw(Throw.of([(Dist([1, 2]), 1)])).mass
    Fraction(1, 1)
    """
    if isinstance(given, Throw):
        return given
    raise RuleError(f"{given!r} is not a throw", "write for example Throw.of([(d6, 3)])")


def added(left: Any, right: Any) -> Any:
    """The sum of two independent numbers, either of which may be enclosed.

    >>> added(Dist([1]), Enclosed(Dist([2]), Fraction(1, 2))).part
    Dist({3: 1})
    """
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Enclosed):
            return one.combine(other, lambda a, b: a + b, adds=True)
    return left + right


def _fixed(faces: Iterable[Face]) -> list[tuple[Dist[Any], int]]:
    """Dice that surely show these faces."""
    return [(Dist({face: 1}), count) for face, count in Counter(faces).items()]


def _freed(part: Part, depth: int) -> tuple[Fraction, Part]:
    """Open-ended totals that lost ranks, ready to lie with others, and the chance that is known.

    A single one that is left has a form of its own; of more the far end is cut off.
    """
    size = sum(count for _, count in part.totals)
    left = part.last - part.first
    if left == size:
        return Fraction(1), part
    kept = kept_sum(part.totals, part.first, part.last, depth) if left == 1 else None
    if kept is not None and not isinstance(kept, Enclosed):
        return Fraction(1), part.but(totals=((kept, 1),), first=0, last=1)
    mass, dice = Fraction(1), []
    for die, count in part.totals:
        cut = enclose(die, depth) if isinstance(die, OpenDist) else Enclosed(die)
        mass *= cut.mass**count
        dice += [cut.part] * count
    group = Group(Pool(dice).window(part.first, part.last))
    return mass, part.but(groups=(*part.groups, group), totals=(), first=0, last=0)


def _keeps_all(part: Part, verb: str, count: int) -> bool:
    """Whether nothing would be removed."""
    return part.is_settled_in_number and count == (0 if verb in ("dh", "dl") else part.size)


def ranked(pool: Pool, verb: str, count: int) -> Pool:
    """Keep or drop by rank."""
    return {
        "kh": pool.keep_highest, "kl": pool.keep_lowest, "dh": pool.drop_highest,
        "dl": pool.drop_lowest, "mid": pool.middle,
    }[verb](count)  # fmt: skip


def merged(part: Part) -> Group:
    """All groups in one pool; which die is which is known only where they are alike."""
    like = common(part.groups)
    rerolled = any(group.rerolled for group in part.groups)
    return Group(uniform(flat(part)), bare=like.bare, kind=like.kind, rerolled=rerolled)


def common(groups: Iterable[Group]) -> Group:
    """What is known of a die when it is not known of which group it is."""
    bares, kinds = {group.bare for group in groups}, {group.kind for group in groups}
    return Group(
        Pool([]),
        bare=bares.pop() if len(bares) == 1 else None,
        kind=kinds.pop() if len(kinds) == 1 else None,
    )


def part_of(
    dice: list[tuple[Any, int]], spawned: list[Spawn], old: Part, like: Group | None
) -> Part:
    """Dice that stand by themselves, as one group (finite) or as totals (when some are open)."""
    loose = [(die, count) for die, count in dice if isinstance(die, OpenDist)]
    finite = [(die, count) for die, count in dice if not isinstance(die, OpenDist)]
    totals = [*old.totals, *loose]
    if not totals:
        group = Group(
            uniform(finite),
            bare=like.bare if like else None,
            kind=like.kind if like else None,
            rerolled=any(group.rerolled for group in old.groups),
        )
        return Part((group,), tuple(spawned))
    if not dice:
        return old.but(groups=(), spawned=tuple(spawned))
    totals = [*((die.map(value_of), count) for die, count in finite), *totals]
    return Part((), tuple(spawned), tuple(totals), 0, sum(count for _, count in totals))


def pool_of(part: Part) -> Pool:
    """The one pool of a finite part, by value only."""
    if not part.groups:
        return Pool([])
    pool = part.groups[0].pool
    if not any(isinstance(face, tuple) for face in pool.faces()):
        return pool
    plain = Pool([])
    for die, count in pool.groups:
        plain += Pool.of(die.map(value_of), count)
    return plain.window(pool.first, pool.last)


def kept_totals(part: Part, worth: Worth, depth: int) -> Any:
    """What the open-ended totals that were kept are worth."""
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
    return Enclosed(pool.window(part.first, part.last).total(worth.face), mass)


def quick_top(
    part: Part, faces: tuple[Face, ...], verb: str, count: int
) -> list[tuple[Fraction, Part]] | None:
    """Spawned dice above all others are kept first; the rest is a plain pool of like dice."""
    if verb != "kh" or len(part.groups) != 1 or not all_above(part):
        return None
    group = part.groups[0]
    if group.pool.size < count - len(faces):
        return None
    rest = group.but(pool=group.pool.keep_highest(count - len(faces)))
    sure = group.but(pool=Pool([Dist({face: 1}) for face in faces]))
    return [(Fraction(1), Part((rest, sure) if faces else (rest,)))]
