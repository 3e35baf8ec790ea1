"""Where the dice of a roller come from: kinds of dice, and the cup that throws and counts them."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from oddsmith.errors import RuleError, TooLarge
from oddsmith.notation.tray import Die, Tray, rank

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.random import Generator

    from oddsmith.notation.tray import Match, Outcome

MOST_DICE = 5_000_000
"""Dice that may be rolled for one request."""
MOST_AT_ONCE = 1_000_000
MOST_SIDES = 2**63 - 1
MOST_LISTED = 100_000
BLOCKS = (8, 4096)


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

    def is_top(self, face: Outcome) -> bool:
        """Whether it is the highest face."""
        return face == self.top

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
        die = Die(self, value)
        die.inside = inside
        return die


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
        before = self.thrown
        first = [kind.throw()] if count else []
        self.afford((self.thrown - before) * (count - 1))
        return Tray(first + [kind.throw() for _ in range(count - 1)], [kind], certain)

    def afford(self, count: int) -> None:
        """Refuse to throw so many more dice where that is past the limit.

        Raises:
            TooLarge: Past the limit.
        """
        for many, limit in ((count, MOST_AT_ONCE), (self.thrown + count, MOST_DICE)):
            if many > limit:
                raise TooLarge(many, limit, "roll fewer dice, or fewer times")
