"""``Ranks``: keeping and dropping by rank, for pools of plain and of open-ended dice and for cards.

Dice are ranked from the lowest, 0, upwards; what is kept is a window of ranks.
"""

from __future__ import annotations

from abc import abstractmethod
from operator import truediv
from typing import TYPE_CHECKING, Any

from oddsmith.arguments import whole
from oddsmith.enclosed import Enclosed
from oddsmith.errors import RuleError

if TYPE_CHECKING:
    from typing import Self


class Ranks:
    """Dice or cards of which the ranks from ``first`` to before ``last`` are kept.

    >>> from oddsmith import Dist, Pool
    >>> pool = Pool.of(Dist([1, 2]), 4).drop_lowest(1).drop_highest(1)
    >>> pool.first, pool.last
    (1, 3)
    """

    __slots__ = ()

    things = "dice"
    """What messages call them."""

    source = "pool"
    """What messages call all of them."""

    first: int
    last: int

    @property
    @abstractmethod
    def rolled(self) -> int:
        """How many dice are rolled."""

    @abstractmethod
    def window(self, first: int, last: int) -> Self:
        """The same dice with other ranks kept.

        Args:
            first: The lowest rank kept; the lowest die has rank 0.
            last: One past the highest rank kept.
        """

    @abstractmethod
    def sum(self) -> Any:
        """The kept dice added up."""

    @property
    def size(self) -> int:
        """How many dice are kept.

        >>> from oddsmith import Dist, Pool
        >>> Pool.of(Dist([1, 2]), 3).keep_highest(1).size
        1
        """
        return self.last - self.first

    @property
    def is_whole(self) -> bool:
        """Whether no die was removed.

        >>> from oddsmith import Dist, Pool
        >>> Pool.of(Dist([1, 2]), 3).is_whole
        True
        """
        return self.size == self.rolled

    def _require_ranks(self, first: int, last: int) -> None:
        whole(first, "a rank")
        whole(last, "a rank")
        if not 0 <= first <= last <= self.rolled:
            raise RuleError(
                f"there are no ranks {first} to {last} among {self.rolled} {self.things}"
            )

    def _checked(self, count: int, verb: str) -> int:
        if not isinstance(count, int) or count < 0:
            raise RuleError(f"cannot {verb} {count} {self.things}")
        if count > self.size:
            raise RuleError(
                f"cannot {verb} {count} {self.things} of {self.size}", f"{verb} {self.size} at most"
            )
        return count

    def keep_highest(self, count: int = 1) -> Self:
        """The highest dice of those left.

        Raises:
            RuleError: When there are fewer dice.

        >>> from oddsmith import Dist, Pool
        >>> Pool.of(Dist(range(1, 7)), 2).keep_highest(1).sum().mean
        Fraction(161, 36)
        """
        return self.window(self.last - self._checked(count, "keep"), self.last)

    def keep_lowest(self, count: int = 1) -> Self:
        """The lowest dice of those left.

        >>> from oddsmith import Dist, Pool
        >>> Pool.of(Dist(range(1, 21)), 2).keep_lowest(1).sum().mean
        Fraction(287, 40)
        """
        return self.window(self.first, self.first + self._checked(count, "keep"))

    def drop_highest(self, count: int = 1) -> Self:
        """All dice left but the highest.

        >>> from oddsmith import Dist, Pool
        >>> Pool.of(Dist([1, 2]), 3).drop_highest(1).size
        2
        """
        return self.window(self.first, self.last - self._checked(count, "drop"))

    def drop_lowest(self, count: int = 1) -> Self:
        """All dice left but the lowest.

        >>> from oddsmith import Dist, Pool
        >>> Pool.of(Dist([1, 2]), 3).drop_lowest(1).size
        2
        """
        return self.window(self.first + self._checked(count, "drop"), self.last)

    def middle(self, count: int = 1) -> Self:
        """The middle dice of those left; as many are removed above as below.

        Raises:
            RuleError: When that is not possible, because an odd number would be removed.

        >>> from oddsmith import Dist, Pool
        >>> Pool.of(Dist(range(1, 21)), 3).middle().sum().mean
        Fraction(21, 2)
        """
        spare = self.size - self._checked(count, "keep")
        if spare % 2:
            raise RuleError(
                f"the middle {count} of {self.size} {self.things} is not balanced",
                f"keep {count + 1} instead, or use kh and kl",
            )
        return self.window(self.first + spare // 2, self.last - spare // 2)

    # --- one die

    def highest(self) -> Any:
        """The highest kept die.

        >>> from oddsmith import Dist, Pool
        >>> Pool.of(Dist(range(1, 7)), 3).highest().p(4)
        Fraction(37, 216)
        """
        return self._one(self.last - 1)

    def lowest(self) -> Any:
        """The lowest kept die.

        >>> from oddsmith import Dist, Pool
        >>> Pool.of(Dist(range(1, 7)), 2).lowest().p(6)
        Fraction(1, 36)
        """
        return self._one(self.first)

    def _one(self, rank: int) -> Any:
        if self.size == 0:
            raise RuleError(f"a {self.source} of no {self.things} has no highest and no lowest one")
        return self.window(rank, rank + 1).sum()

    def median(self) -> Any:
        """The middle die; of an even number the mean of the two middle ones.

        Raises:
            RuleError: When no dice are kept.

        >>> from oddsmith import Dist, Pool
        >>> Pool.of(Dist([1, 2]), 2).median()
        Dist({1: 1, Fraction(3, 2): 2, 2: 1})
        """
        if self.size == 0:
            raise RuleError(f"a {self.source} of no {self.things} has no median")
        half = (self.first + self.last) // 2
        if self.size % 2:
            return self._one(half)
        middle = self.window(half - 1, half + 1).sum()
        return middle.combine(2, truediv) if isinstance(middle, Enclosed) else middle / 2
