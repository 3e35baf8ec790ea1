"""Battles in rounds, highest die against highest: one exchange, and to the end (as in Risk)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from oddsmith.dice import d6
from oddsmith.dist import as_dist
from oddsmith.errors import RuleError
from oddsmith.folds import matched
from oddsmith.process import Process

if TYPE_CHECKING:
    from oddsmith.dist import Dist


def _sides(most: Any) -> tuple[int, int]:
    """How many dice the attacker and the defender roll at most."""
    try:
        mine, theirs = most
    except (TypeError, ValueError):
        raise RuleError(
            f"most is {most!r}, not a pair (attacker, defender)", "write for example most=(3, 2)"
        ) from None
    _require_whole(mine, theirs)
    return mine, theirs


def _require_whole(*counts: Any) -> None:
    for count in counts:
        if not isinstance(count, int):
            raise RuleError(f"a pool cannot have {count!r} dice", "each of a side rolls one die")


def exchange(
    attackers: int,
    defenders: int,
    die: Dist[Any] = d6,
    most: tuple[int, int] = (3, 2),
) -> Dist[tuple[int, int]]:
    """The losses (of the attacker, of the defender) in one round; a tie is the attacker's loss.

    Args:
        attackers: How many attack, at least 1.
        defenders: How many defend, at least 1.
        die: What everybody rolls.
        most: How many dice each side rolls at most: (attacker, defender).

    Raises:
        RuleError: For a side of nobody, or one that rolls no dice.

    Source: J. A. Osborne, Mathematics Magazine 76 (2003), for the classic 3 against 2.

    >>> exchange(1, 2).p((0, 1))
    Fraction(55, 216)
    """
    die, most = as_dist(die), _sides(most)
    _require_whole(attackers, defenders)
    if attackers < 1 or defenders < 1:
        raise RuleError("a battle needs somebody on either side")
    if min(most) < 1:
        raise RuleError("each side rolls at least one die", "most=(3, 2) is the classic game")
    mine, theirs = min(attackers, most[0]), min(defenders, most[1])
    pairs = min(mine, theirs)
    won = matched(die.pool(mine), die.pool(theirs))
    return won.map(lambda count: (pairs - count, count))


def battle(
    attackers: int,
    defenders: int,
    die: Dist[Any] = d6,
    most: tuple[int, int] = (3, 2),
    stop: int = 0,
) -> Process:
    """Round after round until one side is gone: a process over (attackers, defenders) left.

    Args:
        attackers: How many attack.
        defenders: How many defend.
        die: What everybody rolls.
        most: How many dice each side rolls at most: (attacker, defender).
        stop: The attacker gives up when this many, or fewer, are left.

    >>> battle(3, 3).endings().p(lambda left: left[1] == 0)
    Fraction(511817135, 1088391168)
    """

    die, most = as_dist(die), _sides(most)
    _require_whole(attackers, defenders, stop)
    if stop < 0:
        raise RuleError("a battle needs somebody on either side", "stop at 0 or more")

    @cache
    def losses(mine: int, theirs: int) -> Dist[tuple[int, int]]:
        return exchange(mine, theirs, die, most)

    def step(left: tuple[int, int]) -> Dist[tuple[int, int]]:
        mine, theirs = left
        lost = losses(min(mine, most[0]), min(theirs, most[1]))
        return lost.map(lambda pair: (mine - pair[0], theirs - pair[1]))

    return Process((attackers, defenders), step, lambda left: left[0] <= stop or left[1] <= 0)
