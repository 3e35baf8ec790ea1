"""Every roll and every deal, one after the other: what readings of several dice are held against.

Nothing here is taken from the package: dice are dicts of weights, sources are dicts from what
shows to its ways, and chances are fractions of those ways.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product
from math import prod
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

Table = dict[Any, int]
"""A die: its faces with their weights."""

Ways = Counter[Any]
Law = dict[Any, Fraction]


def rank(outcome: Any) -> tuple[int, Any]:
    """Numbers before text."""
    return (1, outcome) if isinstance(outcome, str) else (0, outcome)


def fair(sides: int) -> Table:
    """A plain die."""
    return dict.fromkeys(range(1, sides + 1), 1)


def rolls(dice: Sequence[Table], first: int = 0, last: int | None = None) -> Ways:
    """All sorted rolls; of each the ranks from ``first`` to before ``last``."""
    found: Ways = Counter()
    for roll in product(*(die.items() for die in dice)):
        faces = sorted((face for face, _ in roll), key=rank)
        found[tuple(faces[first:last])] += prod(weight for _, weight in roll)
    return found


def hands(cards: Sequence[Any], count: int) -> Ways:
    """All hands of so many of these cards; cards of one face are still different cards."""
    return Counter(
        tuple(sorted((cards[place] for place in chosen), key=rank))
        for chosen in combinations(range(len(cards)), count)
    )


def deals(cards: Sequence[Any], *counts: int) -> Ways:
    """All hands dealt one after the other, each a sorted tuple: every order of the cards."""
    found: Ways = Counter()
    for order in permutations(range(len(cards)), sum(counts)):
        dealt, rest = [], [cards[place] for place in order]
        for count in counts:
            dealt.append(tuple(sorted(rest[:count], key=rank)))
            rest = rest[count:]
        found[tuple(dealt)] += 1
    return found


def law(function: Callable[..., Any], *sources: Ways) -> Law:
    """The chances of a function of what independent sources show."""
    found: Counter[Any] = Counter()
    for parts in product(*(source.items() for source in sources)):
        found[function(*(shown for shown, _ in parts))] += prod(ways for _, ways in parts)
    size = sum(found.values())
    return {outcome: Fraction(ways, size) for outcome, ways in found.items()}


def chances(dist: Any) -> Law:
    """What a distribution says, by its own items."""
    return dict(dist.items())


# --- small random dice


def quick(examples: int) -> settings:
    """The same examples each time, without a clock."""
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


def drawn(make: Callable[[Random], Any]) -> st.SearchStrategy[Any]:
    """Whatever is made of a source of chance: of many kinds, however few examples there are."""
    return st.randoms(use_true_random=True).map(make)


def some_table(chance: Random, faces: Sequence[Any]) -> Table:
    """A die of 2 to 4 faces with weights 1 to 3."""
    chosen = chance.sample(faces, chance.randint(2, 4))
    return {face: chance.randint(1, 3) for face in sorted(chosen, key=rank)}


def some_dice(chance: Random, faces: Sequence[Any], most: int) -> list[Table]:
    """Dice of one kind or of several, in any order; fewer only now and then."""
    kinds = [some_table(chance, faces) for _ in range(chance.choice([1, 2, 2, 4]))]
    size = chance.choice([most, max(0, most - 1), chance.randint(0, most)])
    return [chance.choice(kinds) for _ in range(size)]


Kept = tuple[list[Table], int, int]
"""Dice, and which ranks of them are kept."""


def some_kept(chance: Random, faces: Sequence[Any], most: int) -> Kept:
    """The same, of which some ranks are kept; now and then all are."""
    dice = some_dice(chance, faces, most)
    if chance.choice([True, False, False]):
        return dice, 0, len(dice)
    first, last = sorted((chance.randint(0, len(dice)), chance.randint(0, len(dice))))
    return dice, first, last


def tables(faces: Sequence[Any]) -> st.SearchStrategy[Table]:
    """Dice with some of these faces."""
    return drawn(lambda chance: some_table(chance, faces))


def packs(faces: Sequence[Any], most: int = 4) -> st.SearchStrategy[list[Table]]:
    """Up to four dice."""
    return drawn(lambda chance: some_dice(chance, faces, most))


def kept(faces: Sequence[Any], most: int = 4) -> st.SearchStrategy[Kept]:
    """Up to four dice and a window of ranks."""
    return drawn(lambda chance: some_kept(chance, faces, most))


def several(one: Callable[[Random], Any], most: int) -> st.SearchStrategy[list[Any]]:
    """Lists of 0 to ``most`` things."""
    return drawn(lambda chance: [one(chance) for _ in range(chance.randint(0, most))])


WHOLE = range(-2, 6)
CLOSE = range(1, 6)
TEXT = ["Hit", "Miss", "up", 1, 2]
PARTS = [1, 2, 3, 4, Fraction(3, 2), Fraction(5, 2)]
CARDS = several(lambda chance: chance.randint(1, 4), 6)


# --- what may take too long

PRELUDE = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (1_500_000_000, 1_500_000_000))
from oddsmith import *
from oddsmith import folds
from oddsmith.errors import TooLarge
from oddsmith.mechanics.contest import best_of
try:
    found = {}
except TooLarge:
    found = "too large"
print(found)
"""


def apart(text: str) -> str:
    """What an expression gives in a process of its own with little memory and time.

    A refusal reads "too large".
    """
    run = subprocess.run(
        [sys.executable, "-c", PRELUDE.format(text)],
        capture_output=True,
        text=True,
        timeout=6,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-300:]
    return run.stdout.strip()
