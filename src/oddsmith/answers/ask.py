"""``odds``: text to exact answers."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from oddsmith.budget import DEFAULT_BUDGET, question
from oddsmith.enclosed import Enclosed
from oddsmith.errors import OddsmithError, TooLarge
from oddsmith.notation.alternatives import alternatives
from oddsmith.notation.evaluate import evaluate
from oddsmith.notation.parser import Parser
from oddsmith.notation.reading import reading
from oddsmith.notation.unparse import unparse
from oddsmith.record import Record
from oddsmith.shown import Shown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from oddsmith.notation.chance import Chance
    from oddsmith.notation.evaluate import Found
    from oddsmith.notation.nodes import Program
    from oddsmith.table import Table

DEPTHS = (24, 44)
"""How far enclosures reach: a first look, and what an answer is narrowed to."""


class Answer(Record, Shown):
    """What one result came to.

    Attributes:
        text: The canonical text of the result.
        reading: How it was read, in words.
        kind: ``probability``, ``distribution``, ``contest``, ``ranks``, ``number`` or ``table``.
        exact: The probability (or number) as a Fraction; None for other kinds or where it is only
            enclosed.
        low: Lower end of the probability.
        high: Upper end; equal to ``low`` when exact.
        dist: The distribution (of a contest: the margin): a ``Dist``, ``OpenDist`` or ``Enclosed``.
        contest: Lower and upper ends of win, tie and lose.
        ranks: Distributions of the members from best to worst.
        label: The label it was given, or None.
        notes: Other ways the text is read elsewhere, each with its number.
        table: The grid of a table.
        unit: What a number counts, in words.
    """

    text: str
    reading: str
    kind: str
    exact: Fraction | None = None
    low: Fraction | None = None
    high: Fraction | None = None
    dist: Any = None
    contest: tuple[Chance, Chance, Chance] | None = None
    ranks: tuple[Any, ...] = ()
    label: str | None = None
    notes: tuple[str, ...] = ()
    table: Table | None = None
    unit: str = ""

    def _side(self, place: int) -> Fraction:
        if self.contest is None:
            raise OddsmithError(f"{self.text} is not a contest", "write two sides: 2d6 vs d12")
        chance = self.contest[place]
        if chance.exact is None:
            raise OddsmithError(
                "this chance is enclosed, not exact", "look at contest for both ends"
            )
        return chance.exact

    @property
    def win(self) -> Fraction:
        """The chance that the left side is higher.

        >>> odds("d6 vs d6")[0].win
        Fraction(5, 12)
        """
        return self._side(0)

    @property
    def tie(self) -> Fraction:
        """The chance that both sides are equal.

        >>> odds("d6 vs d6")[0].tie
        Fraction(1, 6)
        """
        return self._side(1)

    @property
    def lose(self) -> Fraction:
        """The chance that the left side is lower.

        >>> odds("d6 vs d6")[0].lose
        Fraction(5, 12)
        """
        return self._side(2)


def odds(text: str, budget: int | None = None, dialect: str = "oddsmith") -> tuple[Answer, ...]:
    """The exact answer to each result of a text in the dice notation.

    Args:
        text: For example ``3d6 >= 11``, ``4d6kh3`` or ``2d6+1 vs d12``.
        budget: The work it may cost, in the units of :mod:`oddsmith.budget`.
        dialect: What ``> r cs k x`` mean: ``oddsmith``, ``roll20``, ``foundry`` or ``avrae``.

    Returns:
        One answer for each result.

    Raises:
        NotationError: Where the text makes no sense, with the place and the mend.
        TooLarge: Where the work is past the budget.

    >>> odds("4d6kh3 >= 15")[0].exact
    Fraction(25, 108)
    >>> odds("d6!")[0].dist.mean
    Fraction(21, 5)
    """
    parser = Parser(text, dialect)
    program = parser.program()
    limit = DEFAULT_BUDGET if budget is None else budget
    with question(limit):
        found = evaluate(program, text, DEPTHS[0], limit)
        if any(map(_is_loose, found)):
            with suppress(TooLarge):
                found = evaluate(program, text, DEPTHS[1], limit)
        return _answers(program, found, parser.moved)


def _answers(program: Program, all_found: Sequence[Found], moved: Any) -> tuple[Answer, ...]:
    """What was found, with its canonical text, its reading and the other ways to read it."""
    answers = []
    for result, one in zip(program.results, all_found, strict=True):
        notes = [note(one) for note in alternatives(program, result, moved)]
        answers.append(
            Answer(
                text=unparse(result.body),
                reading=reading(result.body, program.lets),
                kind=one.kind,
                exact=one.chance.exact if one.chance else None,
                low=one.chance.low if one.chance else None,
                high=one.chance.high if one.chance else None,
                dist=one.value,
                contest=one.contest,
                ranks=one.ranks,
                label=result.label,
                notes=tuple(note for note in notes if note),
            )
        )
    return tuple(answers)


def _is_loose(found: Found) -> bool:
    """Whether a chance is only enclosed, or a distribution lacks mass."""
    if found.chance is not None:
        return found.chance.exact is None
    if found.contest is not None:
        return any(side.exact is None for side in found.contest)
    return isinstance(found.value, Enclosed) or any(isinstance(r, Enclosed) for r in found.ranks)
