"""Dice of symbols: success, advantage, blank; several on one face, some that cancel."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, cast

from oddsmith.arguments import is_mapping, pairs_of
from oddsmith.budget import DEFAULT_BUDGET, afford, words
from oddsmith.dist import Dist, as_dist
from oddsmith.errors import OutcomeError
from oddsmith.exact.vectors import Packing, added, ends_of_sum

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Vector = tuple[int, ...]


def vector_sum(dice: Iterable[tuple[Dist[Any], int]], budget: int = DEFAULT_BUDGET) -> Dist[Any]:
    """Dice whose faces are tuples of whole numbers, added place by place.

    Cost: as one sum of plain dice whose range is the product of the ranges of all places.

    Args:
        dice: Dice and how many of each; all tuples of one length.
        budget: The work it may cost.

    Raises:
        OutcomeError: For faces that are not tuples of whole numbers of one length.
        TooLarge: Past the budget.

    >>> vector_sum([(Dist([(1, 0), (0, 1)]), 2)])
    Dist({(0, 2): 1, (1, 1): 2, (2, 0): 1})
    """
    given = pairs_of(dice, "a pool", "pairs of (die, number of dice)", "write [(die, 2)]")
    listed = [(as_dist(die), count) for die, count in given if count]
    for _, count in listed:
        if not isinstance(count, int) or count < 0:
            raise OutcomeError(f"a pool cannot have {count} dice")
    faces = [face for die, _ in listed for face in die]
    if not faces:
        raise OutcomeError("there are no dice to add", "name at least one die")
    for face in faces:
        if not (isinstance(face, tuple) and len(face) == len(faces[0])):
            raise OutcomeError(f"the face {face!r} is no tuple like {faces[0]!r}")
        if not all(isinstance(number, int) for number in face):
            raise OutcomeError(f"the face {face!r} holds something else than whole numbers")
    packing = Packing(ends_of_sum(listed))
    bits = sum(count * die.bits() for die, count in listed)
    afford(4 * words(packing.size, bits), budget, "use fewer dice or fewer kinds of symbols")
    return Dist.of_table(added([(die.weights(), count) for die, count in listed], packing))


class Symbols:
    """An alphabet of symbols, one letter each, and which of them cancel.

    Args:
        letters: The symbols that are counted, in the order of the outcome.
        cancel: Symbols that each take one of another away: ``{"F": "S"}``.

    >>> runes = Symbols("SA", cancel={"F": "S"})
    >>> boost, setback = runes.die("", "S", "SA"), runes.die("", "F")
    >>> runes.roll({boost: 2, setback: 1}).p((-1, 0))
    Fraction(1, 18)
    """

    def __init__(self, letters: str, cancel: Mapping[str, str] | None = None) -> None:
        if not isinstance(letters, str) or not (cancel is None or is_mapping(cancel)):
            raise OutcomeError(
                f"{letters!r} with {cancel!r} is no alphabet",
                'write for example Symbols("SA", cancel={"F": "S"})',
            )
        self.letters, self.cancel = letters, dict(cancel or {})
        for letter in self.cancel.values():
            if letter not in letters:
                raise OutcomeError(f"{letter!r} is cancelled but not counted", f"add it: {letters}")

    def vector(self, face: str) -> Vector:
        """What a face counts for.

        Raises:
            OutcomeError: For a letter that is neither counted nor cancels.

        >>> Symbols("SA", cancel={"F": "S"}).vector("FAA")
        (-1, 2)
        """
        if not isinstance(face, str):
            raise OutcomeError(f"the face {face!r} is not text", f"use {self.letters}")
        shown = Counter(face)
        for letter in shown:
            if letter not in self.letters and letter not in self.cancel:
                raise OutcomeError(f"the symbol {letter!r} is not known", f"use {self.letters}")
        lost = Counter(self.cancel[letter] for letter in face if letter in self.cancel)
        return tuple(shown[letter] - lost[letter] for letter in self.letters)

    def die(self, *faces: str) -> Dist[Vector]:
        """A die from the symbols on each face; an empty text is a blank face.

        Args:
            *faces: One text for each face, such as ``"SSA"``.

        >>> Symbols("S").die("", "S", "SS").p((2,))
        Fraction(1, 3)
        """
        return Dist([self.vector(face) for face in faces])

    def roll(self, dice: Mapping[Dist[Vector], int], budget: int = DEFAULT_BUDGET) -> Dist[Vector]:
        """The symbols of a pool, added up and cancelled: one number for each letter.

        Cost: as :func:`vector_sum`.

        Args:
            dice: How many there are of each die.
            budget: The work it may cost.

        Returns:
            Tuples in the order of the letters; a number is below 0 where more was cancelled than
            there was.

        >>> Symbols("S").roll({Symbols("S").die("", "S"): 3}).p((3,))
        Fraction(1, 8)
        """
        return vector_sum(cast("Any", dice), budget)
