"""Waiting steps happen: every die of a group comes to stand by itself, case by case.

n like dice that each roll on with chance p end as n dice that stopped and K that went on, all
independent, K being negative binomial; that is what makes exploding pools exact without a cut-off.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any

from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.dist import Dist, mix
from oddsmith.errors import NeverEnds, RuleError
from oddsmith.mechanics.parts import Change, Explode, Group, Spawn, afford_extra
from oddsmith.open_dist import OpenDist
from oddsmith.pool import Pool

if TYPE_CHECKING:
    from oddsmith.mechanics.parts import Face

CASE = 10_000
"""What one case costs that is then ranked by itself, in the units of the budget."""

Case = tuple[Fraction, list[tuple[Any, int]], list[Spawn]]
"""A chance, independent dice, and spawned dice."""


def _bases(group: Group) -> list[tuple[Fraction, list[tuple[Any, int]]]]:
    """The dice of a group as independent dice: as they are, or as the kept faces, case by case."""
    if group.pool.is_whole:
        return [(Fraction(1), list(group.pool.groups))]
    cases = []
    for faces, p in group.pool.expand().items():
        pool = Pool([Dist({face: 1}) for face in faces])
        cases.append((p, list(pool.groups)))
    return cases


def settle(group: Group) -> list[Case]:
    """The dice after the waiting steps, as a mixture of independent dice and spawned dice."""
    cases: list[Case] = [(p, dice, []) for p, dice in _bases(group)]
    for step in group.waiting:
        after: list[Case] = []
        for p, dice, spawned in cases:
            if isinstance(step, Change):
                after.append((p, _changed(dice, step), [changed_spawn(s, step) for s in spawned]))
            else:
                if spawned:
                    raise RuleError(
                        "dice that already exploded cannot explode again",
                        "join the conditions: `!{5,6}`",
                    )
                after += [(p * q, d, s) for q, d, s in _exploded(dice, step)]
        cases = after
    return cases


def _changed(dice: list[tuple[Any, int]], step: Change) -> list[tuple[Any, int]]:
    return [
        (step.open(die) if isinstance(die, OpenDist) else die.then(step.face), count)
        for die, count in dice
    ]


def changed_spawn(spawn: Spawn, step: Change) -> Spawn:
    """Spawned dice to each of which something happened."""
    die = spawn.die.then(step.face)
    if isinstance(die, OpenDist):
        raise RuleError("exploded dice cannot compound as well", "write only one of ! and !!")
    return spawn.but(die=die)


def _exploded(dice: list[tuple[Any, int]], step: Explode) -> list[Case]:
    """Dice split into those that stopped and those that went on."""
    cases: list[Case] = [(Fraction(1), [], [])]
    for die, count in dice:
        if isinstance(die, OpenDist):
            raise RuleError("an open-ended total cannot roll on again")
        options = _explode_alike(die, count, step)
        cases = [
            (p * q, left + right, spawned + more)
            for p, left, spawned in cases
            for q, right, more in options
        ]
    return cases


def _explode_alike(die: Dist[Any], count: int, step: Explode) -> list[Case]:
    goes = die.p(step.goes)
    if goes == 0:
        return [(Fraction(1), [(die, count)], [])]
    again = step.kind.p(step.goes)
    if again == 1 and step.limit is None:
        raise NeverEnds("every face is rolled again, so this would never end")
    stop = [(die.given(lambda f: not step.goes(f)), 1)] if goes < 1 else []
    go = die.given(step.goes)
    if die == step.kind and step.limit is None:
        return [(Fraction(1), [(stop[0][0], count)], [Spawn(count, goes, go)])]
    cases: list[Case] = []
    afford(CASE * count**3 * (step.limit or 0) // 3, DEFAULT_BUDGET, "roll fewer exploding dice")
    for m in range(count + 1):
        p = comb(count, m) * goes**m * (1 - goes) ** (count - m)
        if p:
            first = [(d, count - m) for d, _ in stop if count > m] + ([(go, m)] if m else [])
            cases += [(p * q, first + d, s) for q, d, s in _chains(m, again, step)]
    return cases


def _chains(starts: int, again: Fraction, step: Explode) -> list[Case]:
    """The extra dice of so many chains."""
    if not starts or step.limit == 0:
        return [(Fraction(1), [], [])]
    kind = step.kind
    stops = kind.given(lambda f: not step.goes(f)) if again < 1 else None
    goes = kind.given(step.goes) if again else None
    if step.limit is None:
        spawned = [Spawn(starts, again, goes)] if goes is not None else []
        return [(Fraction(1), [(stops, starts)], spawned)]
    afford_extra(step.limit, again)
    one: dict[tuple[int, int], Fraction] = {}
    for t in range(step.limit - 1):
        one[t, 0] = again**t * (1 - again)
    one[step.limit - 1, 1] = again ** (step.limit - 1)
    law = mix(one)
    joint = law
    for _ in range(starts - 1):
        joint = joint.combine(law, lambda a, b: (a[0] + b[0], a[1] + b[1]))
    cases: list[Case] = []
    for (went, free), p in joint.items():
        dice = [(goes, went), (stops, starts - free), (kind, free)]
        cases.append((p, [(d, n) for d, n in dice if n], []))
    return cases


def uniform(dice: list[tuple[Dist[Any], int]]) -> Pool:
    """One pool; where one face is a pair (value, natural), every face is."""
    paired = any(isinstance(face, tuple) for die, _ in dice for face in die)
    pool = Pool([])
    for die, count in dice:
        pool += Pool.of(die.map(_pair) if paired else die, count)
    return pool


def _pair(face: Face) -> Face:
    return face if isinstance(face, tuple) else (face, face)


def apply_open(die: Any, steps: tuple[Change | Explode, ...]) -> Any:
    """A total to which the steps happened."""
    for step in steps:
        if isinstance(step, Explode):
            raise RuleError("an open-ended total cannot roll on again")
        die = step.open(die) if isinstance(die, OpenDist) else die.then(step.face)
    return die


def apply_spawn(spawn: Spawn, steps: tuple[Change | Explode, ...]) -> Spawn:
    """Spawned dice to which the steps happened."""
    for step in steps:
        if isinstance(step, Explode):
            raise RuleError(
                "dice that already exploded cannot explode again", "join the conditions: `!{5,6}`"
            )
        spawn = changed_spawn(spawn, step)
    return spawn
