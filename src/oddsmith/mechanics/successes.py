"""Counting successes: botches on the same dice, criticals that count twice, pushing a roll."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oddsmith.arguments import as_function, as_test, number
from oddsmith.dist import Dist
from oddsmith.errors import RuleError
from oddsmith.folds import sides
from oddsmith.pool import Pool

if TYPE_CHECKING:
    from collections.abc import Callable

Face = Any


def successes(
    pool: Pool, target: int, botch: int | None = None, double: int | None = None
) -> Dist[int]:
    """Successes less botches, every die counted once.

    Cost: one power of a generating function for each kind of die, where no die was removed.

    Args:
        pool: The dice.
        target: A die that shows so much or more is a success.
        botch: A die that shows so much or less takes one away, so the result may be below 0.
        double: A die that shows so much or more counts twice.

    Raises:
        RuleError: When a die could be a success and a botch at once.

    >>> from oddsmith import d10
    >>> successes(d10.pool(2), 8, botch=1, double=10).p(4)
    Fraction(1, 100)
    """
    number(target, "a target")
    for bound in (botch, double):
        if bound is not None:
            number(bound, "a bound")
    if botch is not None and botch >= target:
        raise RuleError(f"a die of {target} would be a success and a botch at once")
    if double is not None and double < target:
        raise RuleError(f"a die of {double} would count twice without being a success")

    def worth(face: Face) -> int:
        number(face, "a face")
        good = int(face >= target) + int(double is not None and face >= double)
        return good - int(botch is not None and face <= botch)

    sides([pool])
    found: Dist[int] = pool.total(worth)
    return found


def push(pool: Pool, locked: Callable[[Face], bool], times: int = 1) -> Pool:
    """Every die that is not locked is rolled again, so many times.

    Args:
        pool: The dice, none of them removed.
        locked: The faces that must stay, such as 6s (successes) and 1s (banes).
        times: How often it is pushed.

    Returns:
        The pool as it lies in the end, to be read like any other.

    Raises:
        RuleError: For a pool some of whose dice were removed, or a negative number of times.

    >>> from oddsmith import d6
    >>> push(d6.pool(1), lambda face: face in (1, 6)).count(lambda face: face == 6).p(1)
    Fraction(5, 18)
    """
    if not isinstance(times, int) or times < 0:
        raise RuleError(f"dice are pushed 0 times or more, not {times}")
    if not (isinstance(pool, Pool) and pool.is_whole):
        raise RuleError("a pool is pushed before dice are removed", "write for example d6.pool(4)")
    stays = as_test(locked)
    pushed = Pool([])
    for die, count in pool.groups:
        pushed += Pool.of(die.reroll(lambda face: not stays(face), times), count)
    return pushed


def push_if(
    pool: Pool,
    when: Callable[[tuple[Face, ...]], bool],
    locked: Callable[[Face], bool],
    reading: Callable[[Pool], Any],
) -> Any:
    """Push once, but only after seeing a roll that calls for it.

    Cost: every sorted roll, with one reading of what is rolled again for each.

    Args:
        pool: Like dice, none of them removed.
        when: From the sorted roll to whether it is pushed.
        locked: The faces that must stay.
        reading: What is read off the final dice, such as ``lambda dice: dice.sum()``.

    Raises:
        RuleError: For unlike dice, or a pool some of whose dice were removed.

    >>> from oddsmith import d6
    >>> hits = lambda dice: dice.count(lambda face: face == 6)
    >>> push_if(d6.pool(2), lambda roll: 6 not in roll, lambda face: face == 6, hits).p(0)
    Fraction(625, 1296)
    """
    stays, called = as_test(locked), as_test(when)
    as_function(reading, "reading", "lambda dice: dice.sum()", 1)
    if not (isinstance(pool, Pool) and pool.is_alike and pool.is_whole and pool.size):
        raise RuleError("only like dice, none of them removed, are pushed after a look at them")
    ((die, _),) = pool.groups

    def rule(roll: tuple[Face, ...]) -> Any:
        stay = [face for face in roll if stays(face)] if called(roll) else list(roll)
        fixed = Pool([Dist([face]) for face in stay])
        return reading(fixed + Pool.of(die, len(roll) - len(stay)))

    return pool.map(rule)
