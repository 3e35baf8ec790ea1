"""Rolling an expression: lines for people, and samples that the exact answers are held against."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from oddsmith.errors import OddsmithError, TooLarge
from oddsmith.notation.cup import MOST_DICE
from oddsmith.notation.parser import parse
from oddsmith.notation.roller import Roller

if TYPE_CHECKING:
    from oddsmith.notation import nodes as n
    from oddsmith.notation.tray import Outcome

REHEARSALS = 200
GAP = 3


def rolls(expression: str, times: int = 1, seed: int | None = None) -> list[str]:
    """Roll an expression; one line for each roll and result.

    The result comes first, then what the dice showed: removed dice in brackets, ``6! 3`` for a die
    that exploded, ``1r 4`` for one that was rolled again, ``5*`` for a success.

    Args:
        expression: A text in the dice notation.
        times: How many rolls.
        seed: The same seed gives the same lines; None gives others every time.

    Raises:
        NotationError: Where the text makes no sense, with its place.
        TooLarge: Where more dice would be rolled than is sensible.

    >>> rolls("3d1 + 4")
    ['7   3d1 + 4: 1 1 1 = 3']
    >>> rolls("4d1kh3 >= 4, 'sure': d1 = 1")
    ['no    4d1kh3 >= 4: (1) 1 1 1 = 3', 'yes   sure: 1']
    """
    program = parse(expression)
    roller = Roller(program, expression, generator(seed))
    rehearse(program, expression, times)
    found = [pair for _ in range(times) for pair in roller.shown()]
    width = max(len(first) for first, _ in found) + GAP
    return [first.ljust(width) + rest for first, rest in found]


def sample(
    program: n.Program, source: str, times: int, rng: np.random.Generator
) -> list[tuple[Outcome, ...]]:
    """Roll a program many times.

    Args:
        program: The syntax tree.
        source: The text it came from, for errors.
        times: How many rolls.
        rng: Where the random numbers come from.

    Returns:
        For each roll the outcome of every result: a number or a text, True or False for a
        question, ``win``, ``tie`` or ``lose`` for a contest.

    >>> sample(parse("2d1, d1 > 1, 2 vs 1"), "2d1, d1 > 1, 2 vs 1", 1, generator(1))
    [(2, False, 'win')]
    """
    rehearse(program, source, times)
    roller = Roller(program, source, rng)
    return [roller.once() for _ in range(times)]


def generator(seed: int | None) -> np.random.Generator:
    """A source of random numbers.

    >>> int(generator(7).integers(0, 1))
    0
    """
    if seed is not None and seed < 0:
        raise OddsmithError(f"the seed {seed} is negative", "a seed is a whole number, 0 or more")
    return np.random.default_rng(seed)


def rehearse(program: n.Program, source: str, times: int) -> None:
    """Roll unseen, so that a text which can go wrong is refused before anything is shown.

    Raises:
        TooLarge: Where so many rolls would need too many dice.

    >>> rehearse(parse("3d6"), "3d6", 10)
    """
    roller = Roller(program, source, generator(0))
    for done in range(1, REHEARSALS + 1):
        roller.once()
        thrown = roller.cup.thrown
        if thrown * times > MOST_DICE * done:
            raise TooLarge(thrown * times // done, MOST_DICE, "roll fewer dice, or fewer times")
        if thrown > MOST_DICE // 100:
            return
