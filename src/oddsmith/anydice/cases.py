"""The cases of a call: what each argument may be, and the mixture of the results.

Where a law misses some mass, the results of the cases that are not known may be anything; what
that leaves is worked out so that every chance stays enclosed.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, prod
from typing import TYPE_CHECKING, Any

from oddsmith.anydice.values import EMPTY, Dice, Value, law_of, short
from oddsmith.dist import Dist, mix
from oddsmith.exact.sets import rolls

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Case = tuple[Value, int]
"""A value of an argument, and its weight."""

EXPANDS = {"n", "s"}
LISTED = 200_000
"""Up to so many rolls are listed at once."""


def is_expanded(kind: str, arg: Value) -> bool:
    """Whether a parameter of this type makes cases of its argument."""
    if isinstance(arg, Dice):
        return kind in EXPANDS
    return kind == "n" and isinstance(arg, tuple)


WORTH_IT = 60
"""Pools with no more rolls than this are simply enumerated."""


def is_long(arg: Value) -> bool:
    """Whether a sequence parameter makes so many rolls of its argument that a fold is worth it."""
    return (
        isinstance(arg, Dice)
        and arg.law is not None
        and arg.count > 1
        and comb(arg.count + len(arg.law) - 1, arg.count) > WORTH_IT
    )


class Rolls:
    """The sorted rolls of a pool with their ways, in the order in which they are tried.

    >>> from oddsmith.dist import Dist
    >>> list(Rolls(Dice(Dist([1, 2]), 2), lowest_first=False))
    [((2, 2), 1), ((2, 1), 2), ((1, 1), 1)]
    """

    def __init__(self, dice: Dice, lowest_first: bool) -> None:
        assert dice.law is not None
        weights = dice.law.weights()
        if dice.count > 1 and not lowest_first:
            weights = dict(reversed(weights.items()))
        self.weights, self.count = weights, dice.count

    def __len__(self) -> int:
        return comb(self.count + len(self.weights) - 1, self.count)

    def __iter__(self) -> Iterator[Case]:
        if self.count == 1:
            return (((face,), weight) for face, weight in self.weights.items())
        if len(self) <= LISTED:
            return rolls(self.count, self.weights)
        return self._one_by_one()

    def _one_by_one(self) -> Iterator[Case]:
        faces = list(self.weights.items())
        stack: list[tuple[int, int, tuple[int, ...], int]] = [(0, self.count, (), 1)]
        while stack:
            place, left, roll, ways = stack.pop()
            face, weight = faces[place]
            if not left:
                yield roll, ways
            elif place == len(faces) - 1:
                yield roll + (face,) * left, ways * weight**left
            else:
                stack += [
                    (place + 1, left - k, roll + (face,) * k, ways * comb(left, k) * weight**k)
                    for k in range(left + 1)
                ]


def choices(kind: str, arg: Value, lowest_first: bool) -> Sequence[Case] | Rolls:
    """What a parameter may be, with weights."""
    if isinstance(arg, Dice):
        if kind == "n":
            total = arg.total()
            assert total.law is not None
            return list(total.law.weights().items())
        return Rolls(arg, lowest_first) if kind == "s" else [(arg, 1)]
    return [(certain(kind, arg), 1)]


def certain(kind: str, arg: Value) -> Value:
    """A number or a sequence as a parameter takes it."""
    if kind == "n":
        return arg if isinstance(arg, int) else sum(arg)
    if kind == "s":
        return (arg,) if isinstance(arg, int) else arg
    return law_of(arg) if kind == "d" else arg


def combinations(
    lists: Sequence[Any], any_order: bool = False
) -> Iterator[tuple[tuple[Value, ...], int]]:
    """Every combination with its weight; the first changes fastest.

    Args:
        lists: The choices.
        any_order: Whether the longest list may be gone through only once instead.

    >>> list(combinations([[(1, 1), (2, 1)], [(5, 3)]]))
    [((1, 5), 3), ((2, 5), 3)]
    """
    if not lists:
        yield (), 1
        return
    if len(lists) == 1:
        for value, weight in lists[0]:
            yield (value,), weight
        return
    place = len(lists) - 1
    if any_order:
        place = max(range(len(lists)), key=lambda k: len(lists[k]))
    others = [*lists[:place], *lists[place + 1 :]]
    short = prod(map(len, others)) <= LISTED
    inner = list(combinations(others)) if short else None
    for value, weight in lists[place]:
        for case, other in inner if inner is not None else combinations(others):
            yield (*case[:place], value, *case[place:]), weight * other


class Mixture:
    """Collects the results of cases.

    Args:
        known: The chance that the case is one of those that are known.
    """

    def __init__(self, known: Fraction) -> None:
        self.known = known
        self.numbers: dict[int, int] = {}
        self.laws: dict[Dice, int] = {}
        self.dropped = self.whole = 0

    def add(self, result: Value, weight: int) -> None:
        """The result of a case of this weight."""
        self.whole += weight
        if isinstance(result, Dice):
            if result.law is None:
                self.dropped += weight
            else:
                total = result.total()
                self.laws[total] = self.laws.get(total, 0) + weight
        else:
            number = result if isinstance(result, int) else sum(result)
            self.numbers[number] = self.numbers.get(number, 0) + weight

    def value(self) -> Dice:
        """The die that the cases make.

        A law of which a part is not known weighs as much as what is known of it. What is neither
        known nor surely dropped is missing, out of everything that is not surely dropped.
        """
        if self.dropped == self.whole:
            return EMPTY
        exact = self.known == 1 and not any(dice.missing for dice in self.laws)
        parts: list[tuple[Any, int | Fraction]] = [
            (dice.law, weight if exact else weight * (1 - dice.missing))
            for dice, weight in self.laws.items()
        ]
        if self.numbers:
            parts.append((Dist(self.numbers), sum(self.numbers.values())))
        law = mix(parts) if len(parts) > 1 else parts[0][0]
        if exact:
            return Dice(law)
        seen = self.known * sum((weight for _, weight in parts), Fraction(0))
        rest = self.whole - self.known * self.dropped
        lost = rest - seen
        return Dice(law, 1, short(lost.numerator * rest.denominator,
                                  lost.denominator * rest.numerator))  # fmt: skip
