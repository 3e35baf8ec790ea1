"""Rolls that are shown face by face, only as far as somebody looks.

What a body sees of a roll are *features*: its sum, the die in some place, how many dice show a
face or compare with a number. A roll is shown cell by cell; a *cell* is a face, or all faces that
no feature tells apart. After each cell it is known how many dice are left, and every feature has
a running value. Rolls of which all of that is the same need not be told apart any more.

Rolls that are looked at as one, as in ``[sort {A, B}]``, are shown together in one group.
"""

from __future__ import annotations

from math import comb, prod
from typing import TYPE_CHECKING, Any

from oddsmith.anydice.operators import COMPARE
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from oddsmith.anydice.values import Dice

    Add = Callable[[int, int, int, int], int]

State = tuple[int, tuple[int, ...], tuple[int, ...]]
"""How many cells are shown, how many dice of each roll are left, the values of some features."""


class Feature(Record):
    """Something that can be seen of rolls.

    Attributes:
        kind: ``sum``, ``at``, ``many``, or a comparison such as ``>= left``.
        rolls: The names of the rolls, which count as one.
        against: The places, the faces to count, or the number to compare with.
    """

    kind: str
    rolls: tuple[str, ...]
    against: Any = None

    def add(self) -> Add:
        """What dice of one face add to the value: the face, how many, the dice before, the value.

        >>> Feature("at", ("A",), (2, 3)).add()(6, 2, 1, 10)
        22
        """
        known: Any = self.against
        if self.kind == "sum":
            return lambda face, count, _, value: value + face * count
        if self.kind == "at" and len(known) == 1:
            (only,) = known
            return lambda face, count, rank, value: (
                value + face if rank < only <= rank + count else value
            )
        if self.kind == "at":
            return lambda face, count, rank, value: (
                value + face * sum(rank < place <= rank + count for place in known)
            )
        if self.kind == "has":
            return lambda face, count, _, value: int(value or (count > 0 and face == known))
        if self.kind == "many":
            return lambda face, count, _, value: value + count * known.count(face)
        op, side = self.kind.split()
        test = COMPARE[op]
        if side == "left":
            return lambda face, count, _, value: value + count * test(face, known)
        return lambda face, count, _, value: value + count * test(known, face)


class Cell(Record):
    """Like faces of one roll.

    Attributes:
        roll: Which roll of the group.
        face: One of the faces.
        weight: The weight of all.
        is_last: Whether no other face of the roll comes after it.
    """

    roll: int
    face: int
    weight: int
    is_last: bool


class Group:
    """Rolls that are shown together.

    Args:
        dice: The pools.
        features: What is looked at, in the order in which it is needed.
        lowest_first: Whether places are counted from the lowest die.

    >>> from oddsmith.anydice.values import Dice
    >>> from oddsmith.dist import Dist
    >>> group = Group({"A": Dice(Dist(range(1, 7)), 2)}, [Feature(">= left", ("A",), 5)], False)
    >>> group.after(group.start([0]), [0])
    [((1, (2,), (0,)), 1), ((1, (1,), (1,)), 4), ((1, (0,), (2,)), 4)]
    """

    def __init__(
        self, dice: dict[str, Dice], features: Sequence[Feature], lowest_first: bool
    ) -> None:
        self.names = list(dice)
        self.sizes = tuple(pool.count for pool in dice.values())
        self.faces = sum(len(pool.law) for pool in dice.values() if pool.law is not None)
        self.rolls = [[self.names.index(name) for name in one.rolls] for one in features]
        self.features, flipped = self._turned(features)
        self.add = [one.add() for one in self.features]
        self.cells = self._cells(list(dice.values()), lowest_first != flipped)
        self.enough = [
            max(0, self._size(number) - max(one.against, default=0)) if one.kind == "at" else 0
            for number, one in enumerate(self.features)
        ]
        self.last = [self._last(number) for number in range(len(features))]
        self.left: list[tuple[int, ...]] = [(0,) * len(self.sizes)]
        for cell in reversed(self.cells):
            rest = list(self.left[-1])
            rest[cell.roll] += cell.weight
            self.left.append(tuple(rest))
        self.left.reverse()

    def _turned(self, features: Sequence[Feature]) -> tuple[list[Feature], bool]:
        """Places counted from the other end where the first that is needed is nearer to that."""
        first = next((place for place, one in enumerate(features) if one.kind == "at"), None)
        if first is None:
            return list(features), False
        against: Any = features[first].against
        size = self._size(first)
        if 2 * min(against, default=0) <= size + 1:
            return list(features), False
        return [
            one.but(against=tuple(self._size(k) + 1 - place for place in one.against))
            if one.kind == "at" else one
            for k, one in enumerate(features)
        ], True  # fmt: skip

    def _size(self, number: int) -> int:
        """How many dice a feature looks at."""
        return sum(self.sizes[roll] for roll in self.rolls[number])

    def _mark(self, roll: int, face: int) -> tuple[int, ...]:
        """What tells a face from others."""
        return tuple(
            0 if roll not in rolls else face if one.kind == "at" else add(face, 1, 0, 0)
            for one, add, rolls in zip(self.features, self.add, self.rolls, strict=True)
        )

    def _cells(self, pools: list[Dice], is_rising: bool) -> list[Cell]:
        """The cells in order: that of the places, or that in which the features need them."""
        marked: dict[tuple[int, tuple[int, ...]], tuple[int, int]] = {}
        for roll, pool in enumerate(pools):
            assert pool.law is not None
            for face, weight in pool.law.weights().items():
                key = roll, self._mark(roll, face)
                marked[key] = face, marked.get(key, (0, 0))[1] + weight

        def rank(item: Any) -> tuple[int, ...]:
            (roll, mark), (face, _) = item
            if any(one.kind == "at" for one in self.features):
                return face if is_rising else -face, roll
            first = next((k for k, value in enumerate(mark) if value), len(mark))
            return first, -face, roll

        row = sorted(marked.items(), key=rank)
        ends = {roll: place for place, ((roll, _), _) in enumerate(row)}
        return [
            Cell(roll, face, weight, ends[roll] == place)
            for place, ((roll, _), (face, weight)) in enumerate(row)
        ]

    def _last(self, number: int) -> int:
        """The last cell that a feature needs."""
        rolls, one = self.rolls[number], self.features[number]
        return max(
            (
                place for place, cell in enumerate(self.cells)
                if cell.roll in rolls
                and (one.kind == "at" or self.add[number](cell.face, 1, 0, 0))
            ),
            default=-1,
        )  # fmt: skip

    def start(self, live: Sequence[int]) -> State:
        """Nothing is shown."""
        return 0, self.sizes, (0,) * len(live)

    def is_known(self, number: int, state: State) -> bool:
        """Whether a feature will not change any more."""
        place, left, _ = state
        if place > self.last[number]:
            return True
        more = sum([left[roll] for roll in self.rolls[number]])
        return more <= self.enough[number]

    def needs_all(self, number: int) -> bool:
        """Whether every cell has to be shown for a feature, but for the last, which then is clear.

        A feature that is needed is said by its number.
        """
        if self.features[number].kind == "at":
            return self.enough[number] < 2
        return self.last[number] >= len(self.cells) - 2

    def tells_all(self, numbers: Sequence[int]) -> bool:
        """Whether some features show as much as the dice themselves."""
        kinds = [one.kind for one in map(self.features.__getitem__, numbers)
                 if one.kind in ("at", "many") and len(one.against) == 1]  # fmt: skip
        return kinds.count("at") >= sum(self.sizes) - 1 or kinds.count("many") >= self.faces - 1

    def after(self, state: State, live: Sequence[int]) -> list[tuple[State, int]]:
        """What may come once the next cell is shown, with weights.

        Args:
            state: What is shown.
            live: The features whose values the state has.
        """
        place, lefts, values = state
        cell = self.cells[place]
        left = lefts[cell.roll]
        if not left:
            return [((place + 1, lefts, values), 1)]
        touched = [
            (k, self.add[number], self._size(number) - sum(lefts[r] for r in self.rolls[number]))
            for k, number in enumerate(live)
            if cell.roll in self.rolls[number]
        ]
        found = []
        for count in (left,) if cell.is_last else range(left + 1):
            row = list(values)
            if count:
                for k, add, rank in touched:
                    row[k] = add(cell.face, count, rank, row[k])
            rest = (*lefts[: cell.roll], left - count, *lefts[cell.roll + 1 :])
            ways = comb(left, count) * cell.weight**count
            found.append(((place + 1, rest, tuple(row)), ways))
        return found

    def rest(self, state: State) -> int:
        """The weight of all that may still be shown."""
        return prod(
            weight**count for weight, count in zip(self.left[state[0]], state[1], strict=True)
        )


def groups(
    dice: dict[str, Dice], features: Sequence[Feature], lowest_first: bool
) -> tuple[list[Group], list[tuple[int, int]]]:
    """The groups of rolls, and for each feature the group and the place in it.

    >>> from oddsmith.anydice.values import Dice
    >>> from oddsmith.dist import Dist
    >>> six = Dice(Dist(range(1, 7)), 2)
    >>> found, where = groups({"A": six, "B": six}, [Feature("sum", ("B",))], False)
    >>> len(found), where
    (2, [(1, 0)])
    """
    sets = [{name} for name in dice]
    for one in features:
        joined = set(one.rolls).union(*(names for names in sets if names & set(one.rolls)))
        sets = [names for names in sets if not names & joined] + [joined]
    sets.sort(key=lambda names: min(list(dice).index(name) for name in names))
    found, where = [], [(0, 0)] * len(features)
    for number, names in enumerate(sets):
        own = [place for place, one in enumerate(features) if one.rolls[0] in names]
        for k, place in enumerate(own):
            where[place] = number, k
        pools = {name: pool for name, pool in dice.items() if name in names}
        found.append(Group(pools, [features[place] for place in own], lowest_first))
    return found, where
