"""``Pool``: dice rolled together and not yet added up.

A pool is a lazy multiset: which dice, how many of each, and which ranks are kept. Reading it
(sum, count, highest, matching sets, ..) picks the cheapest exact method: a power of a generating
function, the closed form for the highest of like dice, or dynamic programming over faces.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import reduce
from math import comb, lcm, log2, prod
from operator import add, mul
from typing import TYPE_CHECKING, Any

from oddsmith.budget import DEFAULT_BUDGET, Work, afford, words
from oddsmith.dist import Dist, as_dist, clean, is_number, mix, sort_key
from oddsmith.dist import event as success
from oddsmith.errors import OutcomeError, RuleError
from oddsmith.exact import keep, sets
from oddsmith.open_dist import OpenDist

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

Face = Any
STEP = 30
"""What one step of a fold costs, in the units of the budget."""

HINT = "roll fewer dice, or dice with fewer faces"


class Pool:
    """Independent dice kept apart, of one kind or of several.

    Args:
        dice: The dice, in any order; ``d6.pool(4)`` is short for four like ones.

    >>> Pool([Dist(range(1, 7))] * 4).keep_highest(3).sum().p(18)
    Fraction(7, 432)
    """

    __slots__ = ("first", "groups", "last")

    def __init__(self, dice: Iterable[Any]) -> None:
        counts: dict[Dist[Any], int] = defaultdict(int)
        for die in dice:
            counts[as_dist(die)] += 1
        self.groups: tuple[tuple[Dist[Any], int], ...] = tuple(counts.items())
        self.first = 0
        self.last = sum(counts.values())

    @classmethod
    def of(cls, die: Any, count: int) -> Pool:
        """A number of like dice.

        >>> Pool.of(Dist([1, 2]), 3).size
        3
        """
        if not isinstance(count, int) or count < 0:
            raise RuleError(f"a pool cannot have {count} dice")
        pool = cls([])
        pool.groups = ((as_dist(die), count),) if count else ()
        pool.last = count
        return pool

    def window(self, first: int, last: int) -> Pool:
        pool = Pool([])
        pool.groups, pool.first, pool.last = self.groups, first, last
        return pool

    def __repr__(self) -> str:
        dice = " + ".join(f"{count} x {die!r}" for die, count in self.groups) or "no dice"
        return f"<Pool of {dice}, ranks {self.first} to {self.last} kept>"

    def __add__(self, other: Pool) -> Pool:
        """Both pools thrown together."""
        if not (self.is_whole and other.is_whole):
            raise RuleError("dice were already removed from one of the pools")
        counts: dict[Dist[Any], int] = defaultdict(int)
        for die, count in (*self.groups, *other.groups):
            counts[die] += count
        pool = Pool([])
        pool.groups, pool.last = tuple(counts.items()), self.rolled + other.rolled
        return pool

    # --- which dice

    @property
    def rolled(self) -> int:
        """How many dice are rolled.

        >>> Pool.of(Dist([1, 2]), 3).keep_highest(1).rolled
        3
        """
        return sum(count for _, count in self.groups)

    @property
    def size(self) -> int:
        """How many dice are kept.

        >>> Pool.of(Dist([1, 2]), 3).keep_highest(1).size
        1
        """
        return self.last - self.first

    @property
    def is_whole(self) -> bool:
        """Whether no die was removed.

        >>> Pool.of(Dist([1, 2]), 3).is_whole
        True
        """
        return self.size == self.rolled

    @property
    def is_alike(self) -> bool:
        """Whether all dice are of one kind.

        >>> Pool([Dist([1, 2]), Dist([1, 3])]).is_alike
        False
        """
        return len(self.groups) <= 1

    def faces(self) -> list[Face]:
        """Every face that some die has, sorted.

        >>> Pool([Dist([1, 2]), Dist([1, 3])]).faces()
        [1, 2, 3]
        """
        if len(self.groups) == 1:
            return self.groups[0][0].outcomes()
        return sorted({face for die, _ in self.groups for face in die}, key=sort_key)

    # --- keeping

    def _checked(self, count: int, verb: str) -> int:
        if not isinstance(count, int) or count < 0:
            raise RuleError(f"cannot {verb} {count} dice")
        if count > self.size:
            raise RuleError(
                f"cannot {verb} {count} dice of {self.size}", f"{verb} {self.size} at most"
            )
        return count

    def keep_highest(self, count: int = 1) -> Pool:
        """The highest dice of those left.

        Raises:
            RuleError: When there are fewer dice.

        >>> Pool.of(Dist(range(1, 7)), 2).keep_highest(1).sum().mean
        Fraction(161, 36)
        """
        return self.window(self.last - self._checked(count, "keep"), self.last)

    def keep_lowest(self, count: int = 1) -> Pool:
        """The lowest dice of those left.

        >>> Pool.of(Dist(range(1, 21)), 2).keep_lowest(1).sum().mean
        Fraction(287, 40)
        """
        return self.window(self.first, self.first + self._checked(count, "keep"))

    def drop_highest(self, count: int = 1) -> Pool:
        """All dice left but the highest.

        >>> Pool.of(Dist([1, 2]), 3).drop_highest(1).size
        2
        """
        return self.window(self.first, self.last - self._checked(count, "drop"))

    def drop_lowest(self, count: int = 1) -> Pool:
        """All dice left but the lowest.

        >>> Pool.of(Dist([1, 2]), 3).drop_lowest(1).size
        2
        """
        return self.window(self.first + self._checked(count, "drop"), self.last)

    def middle(self, count: int = 1) -> Pool:
        """The middle dice of those left, as many removed above as below.

        Raises:
            RuleError: When the rest is an odd number of dice.

        >>> Pool.of(Dist(range(1, 21)), 3).middle().sum().mean
        Fraction(21, 2)
        """
        spare = self.size - self._checked(count, "keep")
        if spare % 2:
            raise RuleError(
                f"the middle {count} of {self.size} dice is not balanced",
                f"keep {count + 1} instead, or use kh and kl",
            )
        return self.window(self.first + spare // 2, self.last - spare // 2)

    def each(self, change: Callable[[Face], Any]) -> Pool:
        """The pool after something happens to every die, which may be another roll.

        Raises:
            RuleError: When dice were removed: what is kept is no longer independent.

        >>> Pool.of(Dist([1, 2]), 2).each(lambda face: face * 10).sum()
        Dist({20: 1, 30: 2, 40: 1})
        """
        if not self.is_whole:
            raise RuleError("change the dice before removing any, or read them with total()")
        pool = Pool([])
        for die, count in self.groups:
            pool += Pool.of(die.then(change), count)
        return pool

    # --- reading

    def total(self, value: Callable[[Face], Any], budget: int = DEFAULT_BUDGET) -> Any:
        """The sum over the kept dice of what each face is worth.

        Args:
            value: From a face to a number or to a distribution (finite or open-ended) that is
                rolled anew for each kept die.
            budget: The work it may cost.

        Returns:
            A ``Dist``, or an ``OpenDist`` when a value is open-ended.

        Raises:
            TooLarge: Past the budget.

        >>> Pool.of(Dist(range(1, 7)), 3).keep_highest(2).total(lambda face: face >= 5).p(2)
        Fraction(7, 27)
        """
        if self.size == 0:
            return Dist({0: 1})
        if self.is_whole:
            parts = [(_valued(die, value), count) for die, count in self.groups]
            return _added([part.times(count, budget) for part, count in parts])
        if self.size == 1 and self.is_alike:
            found = _valued(self._ranked(), value)
            if isinstance(found, Dist):
                found.require_numbers("add")
            return found
        many = sum(die.slots() for die, _ in self.groups)
        afford(many * many, budget, HINT)
        faces = self.faces()
        worth = [value(face) for face in faces]
        closed = [(w - w.low, w.low) if isinstance(w, OpenDist) else (None, w) for w in worth]
        kinds = list(dict.fromkeys(kind for kind, _ in closed if kind is not None))
        if not kinds:
            return self._finite_total(faces, worth, budget)
        return self._open_total(faces, closed, kinds, budget)

    def _ranked(self) -> Dist[Any]:
        """One rank of like dice, from the end that is nearer.

        The k-th from that end is at or before a face when at least k of n dice are: a binomial
        tail, which for the end itself is a single power.
        """
        ((die, count),) = self.groups
        items = list(die.weights().items())
        from_top = count - self.last
        near = min(self.first, from_top)
        terms = words(len(items) * (near + 1), count * die.bits())
        afford(100 * terms, DEFAULT_BUDGET, HINT)
        table: dict[Any, int] = {}
        running, before = 0, 0
        for face, weight in items if self.first >= from_top else reversed(items):
            running += weight
            rest = die.total - running
            reached = sum(
                comb(count, missing) * rest**missing * running ** (count - missing)
                for missing in range(near + 1)
            )
            table[face] = reached - before
            before = reached
        return Dist.of_table({face: weight for face, weight in table.items() if weight})

    def _finite_total(self, faces: list[Face], worth: list[Any], budget: int) -> Dist[Any]:
        dists = [w for w in worth if isinstance(w, Dist)]
        for dist in dists:
            dist.require_numbers("add")
        common = lcm(*(dist.total for dist in dists)) if dists else 1
        tables = [_table(w, common) for w in worth]
        dice = [(count, die.weights()) for die, count in self.groups]
        groups = [(count, [weights.get(face, 0) for face in faces]) for count, weights in dice]
        afford(self._cost(tables, common), budget, HINT)
        return Dist.of_grid(keep.kept_sum(groups, tables, self.first, self.last))

    def _cost(self, tables: list[dict[Any, int]], common: int) -> int:
        """Words touched by the method that ``kept_sum`` will choose."""
        ends = [(min(table), max(table)) for table in tables]
        grain = lcm(*(value.denominator for table in tables for value in table))
        span = int((max(high for _, high in ends) - min(low for low, _ in ends)) * grain)
        bits = sum(count * log2(die.total) for die, count in self.groups)
        cells = words(self.size * span + 1, int(bits + self.size * log2(common)))
        if self.is_alike and self.rolled in (self.last, self.last - self.first):
            return cells * len(tables) + cells * self.size * len(tables) // 4
        if self.is_alike and self.first == 0:
            return cells * len(tables) + cells * self.size * len(tables) // 4
        states = prod(count + 1 for _, count in self.groups)
        turns = states * len(tables) * max(count for _, count in self.groups)
        return turns * (60 + cells // 16)

    def _open_total(
        self,
        faces: list[Face],
        closed: list[tuple[OpenDist | None, Any]],
        kinds: list[OpenDist],
        budget: int,
    ) -> Any:
        """Mark each open-ended gain, find how many of each kind are kept, then add them."""
        marks = [Dist({tuple(int(kind == k) for k in kinds): 1}) for kind, _ in closed]
        plain = [as_dist(base) for _, base in closed]
        span = max(Fraction(g.high) for g in plain) - min(Fraction(g.low) for g in plain)
        base = int(span * self.size * 2) + 2
        radix = [base * (self.size + 1) ** place for place in range(len(kinds))]
        coded = [
            gain + sum(m * r for m, r in zip(mark.low, radix, strict=True))
            for gain, mark in zip(plain, marks, strict=True)
        ]
        floor = min(Fraction(g.low) for g in plain) * self.size
        parts: dict[tuple[int, ...], dict[Any, int]] = defaultdict(dict)
        for code, weight in self._finite_total(faces, coded, budget).weights().items():
            rest, found = code - floor, []
            for r in reversed(radix):
                found.append(int(rest // r))
                rest -= found[-1] * r
            parts[tuple(reversed(found))][rest + floor] = weight
        sums = []
        for counts, table in parts.items():
            part: Any = Dist(table)
            for kind, many in zip(kinds, counts, strict=True):
                part = part + kind.times(many)
            sums.append((part, sum(table.values())))
        return mix(sums)

    def sum(self, budget: int = DEFAULT_BUDGET) -> Any:
        """The kept dice added up.

        >>> Pool.of(Dist(range(1, 7)), 4).keep_highest(3).sum().mean
        Fraction(15869, 1296)
        """
        if self.is_whole:
            return _added([die.times(count, budget) for die, count in self.groups])
        if self.is_alike and 1 < self.size:
            faces: list[Any] = self.faces()
            if is_number(faces[0]) and is_number(faces[-1]):
                return self._finite_total(faces, faces, budget)
        return self.total(lambda face: face, budget)

    def count(self, event: Callable[[Face], bool], budget: int = DEFAULT_BUDGET) -> Dist[int]:
        """How many of the kept dice show a face of some kind.

        >>> Pool.of(Dist(range(1, 7)), 3).count(lambda face: face >= 5).p(2)
        Fraction(2, 9)
        """
        if self.is_whole:
            hits = [(success(die.p(event)), count) for die, count in self.groups]
            whole: Dist[int] = _added([hit.times(count, budget) for hit, count in hits])
            return whole
        found: Dist[int] = self.total(lambda face: int(bool(event(face))), budget)
        return found

    def highest(self) -> Dist[Any]:
        """The highest kept die.

        >>> Pool.of(Dist(range(1, 7)), 3).highest().p(4)
        Fraction(37, 216)
        """
        return self._one(self.last - 1)

    def lowest(self) -> Dist[Any]:
        """The lowest kept die.

        >>> Pool.of(Dist(range(1, 7)), 2).lowest().p(6)
        Fraction(1, 36)
        """
        return self._one(self.first)

    def _one(self, rank: int) -> Dist[Any]:
        if self.size == 0:
            raise RuleError("a pool of no dice has no highest and no lowest die")
        one: Dist[Any] = self.window(rank, rank + 1).sum()
        return one

    def median(self) -> Dist[Any]:
        """The middle die; of an even number the mean of the two middle ones.

        >>> Pool.of(Dist([1, 2]), 2).median()
        Dist({1: 1, Fraction(3, 2): 2, 2: 1})
        """
        if self.size == 0:
            raise RuleError("a pool of no dice has no median")
        if self.size % 2:
            return self._one((self.first + self.last) // 2)
        half = (self.first + self.last) // 2
        middle: Dist[Any] = self.window(half - 1, half + 1).sum() / 2
        return middle

    # --- state machines over the faces

    def fold(
        self,
        step: Callable[[Any, Face, int], Hashable],
        start: Hashable,
        final: Callable[[Any], Any] | None = None,
        descending: bool = False,
        budget: int = DEFAULT_BUDGET,
    ) -> Dist[Any]:
        """Feed a state machine every face in order, with how many kept dice show it.

        Cost: faces * (states met) * (dice left), each step one call; the states that meet are
        merged, so a rule with a small state is fast however many dice are rolled.

        Args:
            step: From (state, face, number of kept dice showing it) to the next state. It is
                called for faces that no die shows, too, with 0.
            start: The state before the first face.
            final: From the last state to the outcome.
            descending: From the highest face down.
            budget: The work it may cost; it is counted as the states appear.

        >>> largest = lambda state, face, count: max(state, count)
        >>> Pool.of(Dist(range(1, 7)), 5).fold(largest, 0).p(5)
        Fraction(1, 1296)
        """
        faces = self.faces()[:: -1 if descending else 1]
        tables = [die.weights() for die, _ in self.groups]
        left = tuple(count for _, count in self.groups)
        first, last = self.first, self.last
        if descending:
            first, last = self.rolled - self.last, self.rolled - self.first
        states: dict[tuple[Any, tuple[int, ...]], int] = {(start, left): 1}
        work = Work(budget, "use fewer dice or a rule with fewer states")
        bits = sum(count * die.total.bit_length() for die, count in self.groups)
        each = STEP * (1 + bits // 256)
        for place, face in enumerate(faces):
            rest = faces[place + 1 :]
            after: dict[tuple[Any, tuple[int, ...]], int] = defaultdict(int)
            choices: dict[tuple[int, ...], list[tuple[tuple[int, ...], int]]] = {}
            for _, left in states:
                if left not in choices:
                    work.add(
                        40
                        * prod(
                            n + 1 for n, table in zip(left, tables, strict=True) if face in table
                        )
                    )
                    choices[left] = _show(left, tables, face, rest)
            work.add(each * sum(len(choices[left]) for _, left in states))
            for (state, left), weight in states.items():
                rank = self.rolled - sum(left)
                for remaining, ways in choices[left]:
                    end = self.rolled - sum(remaining)
                    kept = max(0, min(end, last) - max(rank, first))
                    after[step(state, face, kept), remaining] += weight * ways
            states = after
        table: dict[Any, int] = defaultdict(int)
        for (state, _), weight in states.items():
            table[final(state) if final else state] += weight
        return Dist(table)

    def expand(self, budget: int = DEFAULT_BUDGET) -> Dist[tuple[Any, ...]]:
        """Every multiset of kept dice as a sorted tuple.

        Raises:
            TooLarge: Where there are too many: C(dice + faces - 1, dice) for like dice.

        >>> Pool.of(Dist([1, 2]), 2).expand()
        Dist({(1, 1): 1, (1, 2): 2, (2, 2): 1})
        """
        many = comb(self.size + len(self.faces()), self.size)
        afford(16 * many * max(1, self.size), budget, "read the pool by sum, count or a fold")
        return self.fold(lambda state, face, count: state + (face,) * count, (), budget=budget)

    def sets(self, least: int = 2) -> Dist[int]:
        """How many different faces show at least twice (or ``least`` times).

        >>> Pool.of(Dist(range(1, 7)), 4).sets().at_least(1)
        Fraction(13, 18)
        """
        return self.fold(lambda state, face, count: state + (count >= least), 0)

    def pairs(self) -> Dist[int]:
        """How many pairs can be taken, each die used once.

        >>> Pool.of(Dist([1, 2]), 4).pairs()
        Dist({1: 1, 2: 1})
        """
        return self.fold(lambda state, face, count: state + count // 2, 0)

    def largest_set(self) -> Dist[int]:
        """How many dice show the commonest face; in closed form for like dice.

        >>> Pool.of(Dist(range(1, 7)), 5).largest_set().at_least(3)
        Fraction(23, 108)
        """
        if self.is_alike and self.is_whole and self.size:
            (die, count), *_ = self.groups
            return Dist(sets.largest_set(count, list(die.weights().values())))
        return self.fold(lambda state, face, count: max(state, count), 0)

    def unique(self) -> Dist[int]:
        """How many different faces show.

        >>> Pool.of(Dist(range(1, 11)), 7).unique().p(7)
        Fraction(189, 3125)
        """
        return self.fold(lambda state, face, count: state + (count > 0), 0)

    def longest_run(self) -> Dist[int]:
        """How many consecutive whole faces show at best.

        >>> Pool.of(Dist(range(1, 7)), 3).longest_run().p(3)
        Fraction(1, 9)
        """

        def step(state: tuple[int, int, Any], face: Face, count: int) -> tuple[int, int, Any]:
            best, run, previous = state
            if not isinstance(face, int):
                return state
            if not count:
                return best, 0, None
            run = run + 1 if previous is not None and face == previous + 1 else 1
            return max(best, run), run, face

        for face in self.faces():
            if not is_number(face):
                raise OutcomeError(f"the face {face!r} has no place in a run")
        return self.fold(step, (0, 0, None), final=lambda state: state[0])

    def product(self) -> Dist[Any]:
        """The kept dice multiplied.

        >>> Pool.of(Dist([1, 2]), 2).product()
        Dist({1: 1, 2: 2, 4: 1})
        """
        for die, _ in self.groups:
            die.require_numbers("multiply")
        if self.is_whole:
            return reduce(mul, (die for die, count in self.groups for _ in range(count)), Dist([1]))
        return self.fold(lambda state, face, count: state * face**count if count else state, 1)


def _added(parts: list[Any]) -> Any:
    """The sum of independent parts; nothing is 0, surely."""
    return reduce(add, parts) if parts else Dist({0: 1})


def _valued(die: Dist[Any], value: Callable[[Face], Any]) -> Any:
    """What one die is worth."""
    weights = die.weights()
    worth = {face: value(face) for face in weights}
    if not all(isinstance(x, (int, Fraction)) for x in worth.values()):
        return die.then(worth.__getitem__)
    table: dict[Any, int] = defaultdict(int)
    for face, weight in weights.items():
        table[clean(worth[face])] += weight
    return Dist.of_table(table)


def _show(
    left: tuple[int, ...], tables: list[dict[Any, int]], face: Face, rest: list[Face]
) -> list[tuple[tuple[int, ...], int]]:
    """What may be left of each group after some of its dice show the face, with the ways."""
    choices: list[tuple[tuple[int, ...], int]] = [((), 1)]
    for count, table in zip(left, tables, strict=True):
        weight = table.get(face, 0)
        later = any(other in table for other in rest)
        counts = range(count + 1) if weight and later else ((count,) if weight else (0,))
        choices = [
            ((*done, count - shown), ways * comb(count, shown) * weight**shown)
            for done, ways in choices
            for shown in counts
        ]
    return choices


def _table(worth: Any, common: int) -> dict[Any, int]:
    """What a face is worth, as weights that add up to a common total."""
    if isinstance(worth, Dist):
        factor = common // worth.total
        return {value: weight * factor for value, weight in worth.weights().items()}
    value = worth if is_number(worth) else clean(worth)
    if not is_number(value):
        raise OutcomeError(f"cannot add up {value!r}", "count the faces instead")
    return {value: common}
