"""``Pool``: dice rolled together and not yet added up.

A pool is a lazy multiset: which dice, how many of each, and which ranks are kept. Reading it
(sum, count, highest, matching sets, ..) picks the cheapest exact method: a power of a generating
function, the closed form for the highest of like dice, or dynamic programming over faces.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import reduce
from itertools import accumulate
from math import comb, gcd, lcm, log2, prod
from operator import add, mul
from typing import TYPE_CHECKING, Any

from oddsmith.arguments import as_function, as_test, is_mapping, listed, whole
from oddsmith.budget import DEFAULT_BUDGET, Work, afford, power_cost, words
from oddsmith.dist import Dist, as_dist, mix
from oddsmith.errors import OutcomeError, RuleError
from oddsmith.exact import keep, sets
from oddsmith.folds import STEP
from oddsmith.multiset import Multiset
from oddsmith.open_dist import OpenDist
from oddsmith.outcomes import clean, is_number, sort_key
from oddsmith.ranks import Ranks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Face = Any
MOST_JOINED = 4_000_000
"""So many comparisons at most to find kinds of dice that have become alike."""

LONG = 14
"""Numbers with more bits than 2**LONG cost more for each word: products of them do."""

HINT = "roll fewer dice, or dice with fewer faces"


class Pool(Ranks, Multiset):
    """Independent dice kept apart, of one kind or of several.

    Args:
        dice: The dice, in any order; ``d6.pool(4)`` is short for four like ones.

    Raises:
        OutcomeError: For a single die or a mapping.

    >>> Pool([Dist(range(1, 7))] * 4).keep_highest(3).sum().p(18)
    Fraction(7, 432)
    """

    __slots__ = ("first", "groups", "last")

    def __init__(self, dice: Iterable[Any]) -> None:
        counts: dict[Dist[Any], int] = defaultdict(int)
        if is_mapping(dice):
            raise OutcomeError(
                f"{dice!r} is not dice one by one", "write for example Pool([d6, d6, d8])"
            )
        for die in listed(dice, "dice one by one", "write for example Pool([d6, d8])"):
            counts[as_dist(die)] += 1
        self.groups: tuple[tuple[Dist[Any], int], ...] = tuple(counts.items())
        self.first = 0
        self.last = sum(counts.values())

    @classmethod
    def of(cls, die: Any, count: int) -> Pool:
        """A number of like dice.

        Args:
            die: The die.
            count: How many of it.

        Raises:
            RuleError: For a number that is negative or not whole.

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
        self._require_ranks(first, last)
        pool = Pool([])
        pool.groups, pool.first, pool.last = self.groups, first, last
        return pool

    def __repr__(self) -> str:
        dice = " + ".join(f"{count} x {die!r}" for die, count in self.groups) or "no dice"
        return f"<Pool of {dice}, ranks {self.first} to {self.last} kept>"

    def __add__(self, other: Pool) -> Pool:
        """Both pools thrown together."""
        if isinstance(other, Ranks) and not isinstance(other, Multiset):
            return NotImplemented  # a pool of open-ended dice takes these, too
        if not isinstance(other, Pool):
            raise RuleError(f"{other!r} is not a pool", "write for example d6.pool(2) + d8.pool(1)")
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

    def each(self, change: Callable[[Face], Any]) -> Pool:
        """The pool after something happens to every die, which may be another roll.

        Args:
            change: From a face to a face, or to a distribution of faces.

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
        as_function(value, "a value", "lambda face: int(face > 4)", 1)
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
        bits = count * die.bits()
        longer = max(1, (bits.bit_length() - LONG) // 2)
        afford(15 * longer * words(len(items) * (near + 1), bits), DEFAULT_BUDGET, HINT)
        ways = [comb(count, missing) for missing in range(near + 1)]
        table: dict[Any, int] = {}
        running, before = 0, 0
        for face, weight in items if self.first >= from_top else reversed(items):
            running += weight
            rest = die.total - running
            tail, missed = 0, 1
            for missing in range(near + 1):
                tail = tail * running + ways[missing] * missed
                missed *= rest
            reached = tail * running ** (count - near)
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
        if self.is_alike and self.size > 1:
            faces: list[Any] = self.faces()
            if is_number(faces[0]) and is_number(faces[-1]):
                return self._finite_total(faces, faces, budget)
        return self.total(lambda face: face, budget)

    def count(self, event: object, budget: int = DEFAULT_BUDGET) -> Dist[int]:
        """How many of the kept dice show a face of some kind.

        Cost: where no die was removed one power for each kind of die, else as :meth:`total`.

        Args:
            event: A face, a set of faces, or a function from a face to whether it is counted.
            budget: The work it may cost.

        >>> Pool.of(Dist(range(1, 7)), 3).count(lambda face: face >= 5).p(2)
        Fraction(2, 9)
        """
        if self.is_whole:
            hits = [die.indicator(event).times(count, budget) for die, count in self.groups]
            whole: Dist[int] = _added(hits)
            return whole
        fits = as_test(event)
        found: Dist[int] = self.total(lambda face: int(bool(fits(face))), budget)
        return found

    def highest_and_count(self) -> Dist[tuple[Any, int]]:
        """The highest face that shows, with how many show it; in closed form for like dice.

        >>> Pool.of(Dist(range(1, 7)), 2).highest_and_count().p((6, 2))
        Fraction(1, 36)
        """
        if self._ends_at(self.rolled - self.last):
            return self._end_of_like(descending=True)
        return super().highest_and_count()

    def lowest_and_count(self) -> Dist[tuple[Any, int]]:
        """The lowest face that shows, with how many show it; in closed form for like dice.

        >>> Pool.of(Dist(range(1, 7)), 2).lowest_and_count().p((6, 2))
        Fraction(1, 36)
        """
        if self._ends_at(self.first):
            return self._end_of_like(descending=False)
        return super().lowest_and_count()

    def _ends_at(self, removed: int) -> bool:
        """Whether these are like dice of which none was removed from the end that is read."""
        return self.is_alike and self.size > 0 and not removed

    def _end_of_like(self, descending: bool) -> Dist[tuple[Any, int]]:
        """The face at one end of like dice, with how many of the kept ones show it.

        Of n dice, k show a face of weight w and all others one that is further in, of which the
        weights add up to r, in C(n, k) * w**k * r**(n - k) ways.
        """
        ((die, count),) = self.groups
        items = list(die.weights().items())
        afford(15 * words(len(items) * count, count * die.bits()), DEFAULT_BUDGET, HINT)
        choose = [comb(count, shown) for shown in range(count + 1)]
        table: dict[Any, int] = defaultdict(int)
        further = 0
        for face, weight in items if descending else reversed(items):
            inner = list(accumulate([further] * count, mul, initial=1))
            power = 1
            for shown in range(1, count + 1):
                power *= weight
                if ways := choose[shown] * power * inner[count - shown]:
                    table[face, min(shown, self.size)] += ways
            further += weight
        return Dist.of_table(table)

    # --- any reading, face by face

    def ways(self) -> int:
        """The total weight of all rolls.

        Raises:
            TooLarge: When it has too many digits.

        >>> Pool.of(Dist(range(1, 7)), 2).ways()
        36
        """
        bits = sum(count * die.bits() for die, count in self.groups)
        afford(power_cost(bits), DEFAULT_BUDGET, HINT)
        return prod(die.total**count for die, count in self.groups)

    def walk(self, faces: Sequence[Face], descending: bool = False) -> Walk:
        """How the dice can fall, face by face; see :mod:`oddsmith.folds`."""
        return Walk(self, faces, descending)

    def rolls(self, budget: int = DEFAULT_BUDGET) -> Iterable[tuple[tuple[Any, ...], int]]:
        """Every sorted roll of the kept dice with its ways, face by face for like dice.

        >>> sorted(Pool.of(Dist([1, 2]), 2).keep_highest().rolls())
        [((1,), 1), ((2,), 1), ((2,), 2)]
        """
        if not self.is_alike or not self.size:
            return super().rolls(budget)
        ((die, count),) = self.groups
        afford(STEP * comb(count + len(die) - 1, count), budget, HINT)
        found = sets.rolls(count, die.weights())
        if self.is_whole:
            return found
        return ((roll[self.first : self.last], ways) for roll, ways in found)

    def expand(self, budget: int = DEFAULT_BUDGET) -> Dist[tuple[Any, ...]]:
        """Every multiset of kept dice as a sorted tuple.

        Raises:
            TooLarge: Where there are too many: C(dice + faces - 1, dice) for like dice.

        >>> Pool.of(Dist([1, 2]), 2).expand()
        Dist({(1, 1): 1, (1, 2): 2, (2, 2): 1})
        """
        if self.is_alike and self.is_whole and self.size:
            return Dist.of_ordered(dict(self.rolls(budget)))
        return super().expand(budget)

    def matches(self, least: int = 2) -> Dist[tuple[tuple[int, Any], ...]]:
        """All matching sets as (width, height), the highest face first; listed for fair dice.

        >>> Pool.of(Dist(range(1, 11)), 3).matches().p(((3, 7),))
        Fraction(1, 1000)
        """
        whole(least, "a least number of dice")
        if self.is_alike and self.is_whole and self.size and least > 1:
            ((die, count),) = self.groups
            if len(set(die.weights().values())) == 1:
                most = sum(
                    comb(len(die), k) * comb(count - k * (least - 1), k)
                    for k in range(min(count // least, len(die)) + 1)
                )
                afford(STEP * most, DEFAULT_BUDGET, HINT)
                return Dist.of_table(sets.matches(count, list(die), least))
        return super().matches(least)

    def largest_set(self, budget: int = DEFAULT_BUDGET) -> Dist[int]:
        """How many dice show the commonest face; in closed form for like dice.

        >>> Pool.of(Dist(range(1, 7)), 5).largest_set().at_least(3)
        Fraction(23, 108)
        """
        if self.is_alike and self.is_whole and self.size:
            (die, count), *_ = self.groups
            kinds = len(set(die.weights().values()))
            powers = kinds * 2 * len(die).bit_length()
            digits = words(count, 2 * count * (count * die.total).bit_length())
            afford(count * powers * digits, budget, HINT)
            return Dist(sets.largest_set(count, list(die.weights().values())))
        return super().largest_set()

    def set_sizes(self) -> Dist[tuple[int, ...]]:
        """How often each face that shows is there, largest first; by partitions for fair dice.

        >>> Pool.of(Dist(range(1, 7)), 5).set_sizes().p((3, 2))
        Fraction(25, 648)
        """
        if self.is_alike and self.is_whole and self.size:
            ((die, count),) = self.groups
            weights = set(die.weights().values())
            if len(weights) == 1:
                afford(count * len(die), DEFAULT_BUDGET, HINT)
                partitions = sets.number_of_partitions(count, len(die))
                afford(STEP * partitions, DEFAULT_BUDGET, HINT)
                return Dist(sets.set_sizes(count, len(die)))
        return super().set_sizes()

    def product(self) -> Dist[Any]:
        """The kept dice multiplied.

        >>> Pool.of(Dist([1, 2]), 2).product()
        Dist({1: 1, 2: 2, 4: 1})
        """
        for die, _ in self.groups:
            die.require_numbers("multiply")
        if self.is_whole:
            return self._multiplied()
        return self.fold(lambda state, face, count: state * face**count if count else state, 1)

    def _multiplied(self) -> Dist[Any]:
        """All dice, one after the other: the outcomes spread, so the work shows on the way."""
        work, product = Work(DEFAULT_BUDGET, HINT), Dist({1: 1})
        for die, count in self.groups:
            for _ in range(count):
                work.add(STEP * len(die) * words(len(product), product.bits()))
                product = product * die
        return product


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


class Walk:
    """The dice of a pool, placed face by face.

    Kinds of dice that do not differ on the faces left are joined on the way, so that dice with 1..n
    sides make few states once the faces above n are passed.
    """

    def __init__(self, pool: Pool, faces: Sequence[Face], descending: bool) -> None:
        self._rolled = pool.rolled
        self._first, self._last = pool.first, pool.last
        if descending:
            self._first, self._last = pool.rolled - pool.last, pool.rolled - pool.first
        rows: list[tuple[int, ...]] = []
        for die, _ in pool.groups:
            table = die.weights()
            rows.append(tuple(table.get(face, 0) for face in faces))
        self._weights: list[list[int]] = []
        self._moves: list[list[tuple[int | None, int]]] = []
        joins = len(rows) > 1 and len(rows) * len(faces) ** 2 <= MOST_JOINED
        for _ in faces:
            self._weights.append([row[0] for row in rows])
            rests = [row[1:] for row in rows] if joins else rows
            moves, rows = self._joined(rests, joins)
            self._moves.append(moves)
        self.start = tuple(count for _, count in pool.groups)

    def _joined(
        self, rests: list[tuple[int, ...]], joins: bool
    ) -> tuple[list[tuple[int | None, int]], list[tuple[int, ...]]]:
        """Where each kind goes after a face, by which factor, and the kinds that are left."""
        if not joins:
            alive = [row[1:] for row in rests if any(row[1:])]
            numbers = iter(range(len(alive)))
            return [(next(numbers) if any(row[1:]) else None, 1) for row in rests], alive
        homes: dict[tuple[int, ...], int] = {}
        moves: list[tuple[int | None, int]] = []
        for row in rests:
            factor = gcd(*row)
            if not factor:
                moves.append((None, 1))
                continue
            base = tuple(weight // factor for weight in row)
            moves.append((homes.setdefault(base, len(homes)), factor))
        return moves, list(homes)

    def choices(self, left: tuple[int, ...], place: int) -> int:
        """At most so many choices."""
        return prod(n + 1 for n, weight in zip(left, self._weights[place], strict=True) if weight)

    def like(self, place: int) -> Any:
        """Faces of equal weight after which all dice go on as they are."""
        return self._weights[place], self._moves[place]

    def show(self, left: tuple[int, ...], place: int) -> list[Any]:
        """What may be left of each kind after some of its dice show the face, with the ways."""
        moves = self._moves[place]
        size = 1 + max((home for home, _ in moves if home is not None), default=-1)
        options: list[tuple[tuple[int, ...], int]] = [((0,) * size, 1)]
        for count, weight, (home, factor) in zip(left, self._weights[place], moves, strict=True):
            if home is None:
                options = [(rest, ways * weight**count) for rest, ways in options]
                continue
            chosen = _chosen(count, weight, factor)
            options = [
                ((*rest[:home], rest[home] + count - shown, *rest[home + 1 :]), ways * many)
                for rest, ways in options
                for shown, many in enumerate(chosen)
            ]
        merged: dict[tuple[int, ...], int] = {}
        for rest, ways in options:
            merged[rest] = merged.get(rest, 0) + ways
        rank = self._rolled - sum(left)
        low = max(rank, self._first)
        return [
            (rest, (max(0, min(self._rolled - sum(rest), self._last) - low),), ways)
            for rest, ways in merged.items()
        ]


def _chosen(count: int, weight: int, factor: int) -> list[int]:
    """C(n, k) * weight**k * factor**(n - k) for each k, each from the one before."""
    found = [factor**count]
    for shown in range(count if weight else 0):
        found.append(found[-1] * (count - shown) * weight // ((shown + 1) * factor))
    return found


def _table(worth: Any, common: int) -> dict[Any, int]:
    """What a face is worth, as weights that add up to a common total."""
    if isinstance(worth, Dist):
        factor = common // worth.total
        return {value: weight * factor for value, weight in worth.weights().items()}
    value = worth if is_number(worth) else clean(worth)
    if not is_number(value):
        raise OutcomeError(f"cannot add up {value!r}", "count the faces instead")
    return {value: common}
