"""Spawned dice: an unlimited number of them, brought down to finitely many cases."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, factorial
from typing import TYPE_CHECKING, Any

from oddsmith.errors import TooLarge
from oddsmith.mechanics.parts import value_of
from oddsmith.outcomes import is_number
from oddsmith.pool import Pool

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oddsmith.mechanics.parts import Face, Part, Spawn

Cases = list[tuple[Fraction, "tuple[Face, ...]"]]
MOST_CASES = 600
"""So many ways for faces to be there a few times or more often."""

MOST_CUT = 2500
"""So many ways for an unlimited number of dice to fall, before it is cut off."""


def extremes(spawned: Iterable[Spawn], keep: int, highest: bool) -> Cases:
    """The highest (lowest) ``keep`` of the spawned dice, or all where there are fewer."""
    cases: Cases = [(Fraction(1), ())]
    for spawn in spawned:
        cases = [
            (p * q, faces + more)
            for p, faces in cases
            for q, more in _extreme_of(spawn, keep, highest)
        ]
    return cases


def _extreme_of(spawn: Spawn, keep: int, highest: bool) -> Cases:
    """Thinning: looking only at the j most extreme faces, their number is negative binomial too."""
    law = spawn.die.items()[:: -1 if highest else 1]
    faces = [face for face, _ in law]
    shares = [p for _, p in law]
    cases = []
    for size in range(keep + 1):
        for chosen in combinations_with_replacement(range(len(faces)), size):
            counts = [chosen.count(j) for j in range(len(faces))]
            if size < keep:
                p = _exactly(spawn, shares, counts, len(faces))
            else:
                last = max(chosen, default=0)
                p = _exactly(spawn, shares, counts[:last], last) - sum(
                    (
                        _exactly(spawn, shares, [*counts[:last], t], last + 1)
                        for t in range(counts[last])
                    ),
                    Fraction(0),
                )
            if p:
                cases.append((p, tuple(faces[j] for j in chosen)))
    return cases


def _exactly(spawn: Spawn, shares: list[Fraction], counts: list[int], looked: int) -> Fraction:
    """The chance of just these numbers of the first ``looked`` faces, whatever else there is."""
    if looked == 0:
        return Fraction(1)
    total = sum(counts)
    if spawn.removed:
        return spawn.left(total)
    seen = sum(shares[:looked], Fraction(0))
    chance = spawn.chance * seen / (1 - spawn.chance * (1 - seen))
    p = spawn.but(chance=chance).exactly(total) * factorial(total)
    for share, count in zip(shares, counts, strict=False):
        p *= (share / seen) ** count / factorial(count)
    return p


def capped(spawned: Iterable[Spawn], cap: int) -> Cases | None:
    """The spawned dice when more than ``cap`` of a face are as good as ``cap``; exact.

    Returns:
        Cases of faces, or None when there are too many faces to tell apart.
    """
    cases: Cases = [(Fraction(1), ())]
    for spawn in spawned:
        if (cap + 1) ** len(spawn.die) > MOST_CASES:
            return None
        cases = [(p * q, faces + more) for p, faces in cases for q, more in _capped(spawn, cap)]
    return cases


def _capped(spawn: Spawn, cap: int) -> Cases:
    """Chances of "just so many" or "at least cap" for each face, by inclusion and exclusion."""
    law = spawn.die.items()
    found = []
    for counts in product(range(cap + 1), repeat=len(law)):
        full = [j for j, count in enumerate(counts) if count == cap]
        p = Fraction(0)
        for fewer in product([None, *range(cap)], repeat=len(full)):
            chosen = {j: k for j, k in zip(full, fewer, strict=True) if k is not None}
            looked = [j for j in range(len(law)) if j not in full or j in chosen]
            exact = [chosen.get(j, counts[j]) for j in looked]
            p += (-1) ** len(chosen) * _exactly(
                spawn, [law[j][1] for j in looked], exact, len(looked)
            )
        if p:
            faces = tuple(law[j][0] for j, count in enumerate(counts) for _ in range(count))
            found.append((p, faces))
    return found


def cut_off(spawned: Iterable[Spawn], depth: int) -> Cases:
    """Every number of spawned dice until less than 2**-depth is left, face by face.

    Raises:
        TooLarge: When as many cases as are worked with leave 2**-10 or more.
    """
    cases: Cases = [(Fraction(1), ())]
    for spawn in spawned:
        options: Cases = []
        rest, count = Fraction(1), 0
        while rest >= Fraction(1, 2**depth):
            more = comb(count + len(spawn.die) - 1, count)
            if (len(options) + more) * len(cases) > MOST_CUT:
                if rest >= Fraction(1, 2**10):
                    raise TooLarge(more, MOST_CUT, "limit the extra dice, for example with !max5")
                break
            p = spawn.left(count)
            options += [(p * q, faces) for faces, q in Pool.of(spawn.die, count).expand().items()]
            rest, count = rest - p, count + 1
        cases = [(p * q, faces + extra) for p, faces in cases for q, extra in options]
    return cases


def all_above(part: Part) -> bool:
    """Whether every spawned die beats every die that stopped."""
    tops = [value_of(die.high) for die, _ in flat(part)]
    lows = [value_of(spawn.die.low) for spawn in part.spawned]
    return all(is_number(x) for x in (*tops, *lows)) and max(tops, default=0) <= min(lows)


def one_face(part: Part) -> bool:
    """Whether the spawned dice all show the same."""
    return len(part.spawned) == 1 and len(part.spawned[0].die) == 1


def flat(part: Part) -> list[tuple[Any, int]]:
    """All dice of groups that stand by themselves."""
    return [pair for group in part.groups for pair in group.pool.groups]
