"""Who or what is chosen in :mod:`oddsmith.games.fantasy_battle`: roll-offs, random selections."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import TYPE_CHECKING, Any

from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.dist import mix
from oddsmith.errors import RuleError
from oddsmith.process import Process

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from oddsmith.dist import Dist

LARGER = (8, 10, 12, 20, 100)
"""Dice to propose where a D6 has too few faces."""

ROUND = 50
"""What it costs to look at one way to share the highest roll."""


def players_of(modifier: int, players: int | None, modifiers: Sequence[int] | None) -> list[int]:
    """One modifier for each player of a roll-off (F12).

    Raises:
        RuleError: For less than two players, or modifiers said twice.

    >>> players_of(1, 3, None)
    [1, 0, 0]
    """
    if modifiers is None:
        found = [modifier] + [0] * ((2 if players is None else players) - 1)
    elif modifier or players not in (None, len(modifiers)):
        raise RuleError(
            "the modifiers of all players are given, and something else too (F12)",
            "write only --modifiers, one for each player",
        )
    else:
        found = list(modifiers)
    if len(found) < 2 or (players is not None and players < 2):
        raise RuleError("a roll-off needs two players or more (F12)", "write --players 2")
    return found


def roll_offs(modifiers: Sequence[int], die: Dist[Any], apply: str = "always") -> Process:
    """Everyone rolls, those tied for highest roll again, until one is left (F12).

    Players with the same modifier are alike, so a state counts how many of each kind are left
    in, after a 1 for the first round and a 0 later.

    Cost: for each round all ways in which so many of each kind can be tied.

    Args:
        modifiers: One for each player.
        die: What each rolls.
        apply: Whether modifiers apply ``always``, in the ``first`` round alone, or ``never``.

    Raises:
        RuleError: For another word.

    >>> from oddsmith import d6
    >>> roll_offs([1, 0], d6).mean_steps()
    Fraction(36, 31)
    """
    if apply not in ("always", "first", "never"):
        raise RuleError(f"modifiers do not apply {apply} (F12)", "choose always, first or never")
    kinds = sorted(Counter(modifiers).items())
    plus = [modifier for modifier, _ in kinds]
    counts = tuple(count for _, count in kinds)
    ways = prod((count + 1) * (count + 2) // 2 for count in counts)
    cost = ROUND * ways * len(die) * len(kinds) ** 2 * (len(modifiers) // 8 + 1)
    afford(cost, DEFAULT_BUDGET, "ask for fewer players")

    def step(state: tuple[int, ...]) -> Dist[Any]:
        is_first, *left = state
        counted = apply == "always" or (apply == "first" and is_first)
        sides = [die + modifier * int(counted) for modifier in plus]
        return _tied(sides, left)

    return Process((1, *counts), step, end=lambda state: sum(state[1:]) == 1)


def _tied(sides: Sequence[Dist[Any]], left: Sequence[int]) -> Dist[Any]:
    """How many of each kind share the highest roll, after a 0."""
    table: dict[tuple[int, ...], Fraction] = {}
    for value in {face for side in sides for face in side}:
        here = [(side.p(value), side.less_than(value)) for side in sides]
        for tied in product(*(range(count + 1) for count in left)):
            chance = prod(
                (
                    comb(count, k) * at**k * below ** (count - k)
                    for (at, below), count, k in zip(here, left, tied, strict=True)
                ),
                start=Fraction(1),
            )
            if any(tied):
                table[0, *tied] = table.get((0, *tied), Fraction(0)) + chance
    found: Dist[Any] = mix(table)
    return found


def winners(modifiers: Sequence[int], process: Process) -> list[Fraction]:
    """The chance of each player to win; those with the same modifier share alike.

    >>> from oddsmith import d6
    >>> winners([1, 0], roll_offs([1, 0], d6))
    [Fraction(21, 31), Fraction(10, 31)]
    """
    kinds = sorted(Counter(modifiers).items())
    endings = process.endings()
    share = {
        modifier: endings.p((0, *(int(k == place) for k in range(len(kinds))))) / count
        for place, (modifier, count) in enumerate(kinds)
    }
    return [share[modifier] for modifier in modifiers]


def assigned(
    options: int | None, assign: str | Mapping[str, Sequence[int]] | None, sides: int
) -> dict[str, tuple[int, ...]]:
    """Which faces choose which option (F13).

    Args:
        options: So many options of one face each.
        assign: Or names with their faces: a mapping, or text such as ``sword=1-2/axe=3``.
        sides: The faces of the die.

    Raises:
        RuleError: For neither or both, too many options, a face that is not on the die or given
            twice, an option without a face.

    >>> assigned(None, "sword=1-2/axe=3", 6)
    {'sword': (1, 2), 'axe': (3,)}
    """
    if (options is None) == (assign is None):
        raise RuleError(
            "a random selection has a number of options or faces assigned to them (F13)",
            "write --options 4 or --assign sword=1-2/axe=3",
        )
    if sides < 1:
        raise RuleError(f"no die has {sides} faces (F13)", "choose a D6: --sides 6")
    if options is not None:
        _fits(options, sides)
        return {f"option {place}": (place,) for place in range(1, options + 1)}
    pairs = _written(assign) if isinstance(assign, str) else list((assign or {}).items())
    found = {name: tuple(sorted(set(shown))) for name, shown in pairs}
    _fits(len(pairs), sides)
    if len(found) < len(pairs):
        raise RuleError("two options have the same name (F13)", "name each option once")
    _check_faces(found, sides)
    return found


def _fits(count: int, sides: int) -> None:
    """No more options than faces."""
    if count < 1:
        raise RuleError(f"{count} options leave nothing to choose from (F13)", "give at least one")
    if count > sides:
        larger = next((size for size in LARGER if size >= count), count)
        raise RuleError(
            f"{count} options do not fit on a D{sides} (F13)", f"roll a D{larger}: --sides {larger}"
        )


def _written(text: str) -> list[tuple[str, list[int]]]:
    """Names and faces from text; an option without a name is called by its place."""
    found = []
    for place, part in enumerate(text.split("/"), 1):
        name, equals, shown = part.rpartition("=")
        name = name.strip() if equals else f"option {place}"
        numbers: list[int] = []
        for piece in re.split(r"[,\s]+", shown.strip()):
            match = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", piece)
            if match is None or not name:
                raise RuleError(
                    f"{part.strip() or 'nothing'} is no name with its faces (F13)",
                    "write for example sword=1-2/axe=3",
                )
            numbers += range(int(match[1]), int(match[2] or match[1]) + 1)
        found.append((name, numbers))
    return found


def _check_faces(found: Mapping[str, Sequence[int]], sides: int) -> None:
    """Every option has faces of the die, no face is shared."""
    seen: dict[int, str] = {}
    for name, shown in found.items():
        if not shown:
            raise RuleError(f"{name} has no face (F13)", "give every option a face")
        for face in shown:
            if face not in range(1, sides + 1):
                raise RuleError(f"a D{sides} never shows {face} (F13)", f"use faces 1 to {sides}")
            if face in seen:
                raise RuleError(
                    f"{face} is given to {seen[face]} and to {name} (F13)", "give each face once"
                )
            seen[face] = name


def selecting(chosen: Mapping[str, Sequence[int]], sides: int) -> Process:
    """Rolls that match no option are rolled again (F13); a state is 0 until one is chosen.

    >>> selecting({"a": (1,), "b": (2,)}, 6).mean_steps()
    Fraction(3, 1)
    """
    weights: dict[Any, int] = {name: len(shown) for name, shown in chosen.items()}
    weights[0] = sides - sum(weights.values())
    return Process(0, lambda _: mix(weights), end=lambda state: state != 0)
