"""Readings of a pool by what matches: sets, pairs, runs, different faces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oddsmith.mechanics.spawned import one_face
from oddsmith.mechanics.throw import as_throw
from oddsmith.open_pool import kept_sum
from oddsmith.pool import Pool

if TYPE_CHECKING:
    from collections.abc import Callable

    from oddsmith.mechanics.throw import Throw
    from oddsmith.open_dist import OpenDist


def sets(throw: Throw) -> Any:
    """How many different faces show at least twice.

    >>> from oddsmith import Dist
    >>> from oddsmith.mechanics.throw import Throw
    >>> sets(Throw.of([(Dist(range(1, 7)), 4)])).at_least(1)
    Fraction(13, 18)
    """
    return as_throw(throw).read(Pool.sets, cap=2)


def unique(throw: Throw) -> Any:
    """How many different faces show.

    >>> from oddsmith import Dist
    >>> from oddsmith.mechanics.throw import Throw
    >>> unique(Throw.of([(Dist(range(1, 7)), 2)])).p(1)
    Fraction(1, 6)
    """
    return as_throw(throw).read(Pool.unique, cap=1)


def longest_run(throw: Throw) -> Any:
    """How many consecutive whole faces show at best.

    >>> from oddsmith import Dist
    >>> from oddsmith.mechanics.throw import Throw
    >>> longest_run(Throw.of([(Dist(range(1, 7)), 2)])).p(2)
    Fraction(5, 18)
    """
    return as_throw(throw).read(Pool.longest_run, cap=1)


def pairs(throw: Throw) -> Any:
    """How many pairs can be taken, each die used once.

    >>> from oddsmith import Dist
    >>> from oddsmith.mechanics.throw import Throw
    >>> pairs(Throw.of([(Dist([1, 2]), 3)])).p(1)
    Fraction(1, 1)
    """
    return _beside(throw, Pool.pairs, lambda stopped, went: stopped + went.floordiv(2))


def largest_set(throw: Throw) -> Any:
    """How many dice show the commonest face.

    >>> from oddsmith import Dist
    >>> from oddsmith.mechanics.throw import Throw
    >>> largest_set(Throw.of([(Dist(range(1, 7)), 5)])).at_least(3)
    Fraction(23, 108)
    """
    return _beside(
        throw, Pool.largest_set, lambda stopped, went: kept_sum([(stopped, 1), (went, 1)], 1, 2)
    )


def _beside(
    throw: Throw, reading: Callable[[Pool], Any], join: Callable[[Any, OpenDist], Any]
) -> Any:
    """Dice that went on all show one face, and none that stopped does: the two are independent."""
    throw = as_throw(throw)
    apart = throw if all(part.is_plain for _, part in throw.parts) else throw.settled()
    if not all(_apart(part) for _, part in apart.parts):
        return throw.read(reading)
    found = []
    for p, part in apart.parts:
        (spawn,) = part.spawned
        stopped = throw.only(part.but(spawned=())).read(reading)
        found.append((join(stopped, spawn.number()), p))
    return apart.mixed_values(found)


def _apart(part: Any) -> bool:
    if not one_face(part) or part.totals:
        return False
    (face,) = part.spawned[0].die
    return all(face not in die for group in part.groups for die, _ in group.pool.groups)
