"""Attack sequences as answers: models lost, damage, each step, and what moved which number."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from oddsmith.answers.play import answer
from oddsmith.budget import DEFAULT_BUDGET, question
from oddsmith.games.attack_sequence import (
    Result,
    attack,
    damage_law,
    edition_called,
    shoot,
    unsaved,
    wound_need,
)
from oddsmith.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oddsmith.answers.ask import Answer
    from oddsmith.dist import Dist
    from oddsmith.games.attack_profiles import Target, Weapon
    from oddsmith.table import Cell


def attack_answers(
    weapons: Sequence[Weapon],
    target: Target,
    edition: str = "40k-10",
    text: str = "attack",
    audit: bool = False,
    budget: int | None = None,
) -> tuple[Answer, ...]:
    """Models lost, the steps on the way, and what it is worth.

    Args:
        weapons: In the order in which they are fired.
        target: The unit.
        edition: The rules.
        text: What was asked.
        audit: Whether to show the chances of every single roll, too.
        budget: The work it may cost.

    >>> from oddsmith.games.attack_profiles import Target, Weapon
    >>> attack_answers([Weapon(attacks=2)], Target(models=2))[0].label
    'models lost'
    """
    rules = edition_called(edition)
    with question(DEFAULT_BUDGET if budget is None else budget):
        result = shoot(weapons, target, rules)
    reading = _reading(weapons, target, rules.name)
    found = [answer(text, reading, result.models, "models lost")]
    found.append(answer(text, reading, steps(result), "steps"))
    if audit:
        found.append(answer(text, reading, audited(weapons, target, edition), "single rolls"))
    if any(kind.wounds > 1 for kind in target.kinds):
        found.append(answer(text, reading, result.damage, "damage"))
    found.append(answer(text, reading, result.wiped_out, "wiped out"))
    spent = sum((Fraction(weapon.points) * weapon.count for weapon in weapons), Fraction(0))
    if spent and target.points:
        worth = result.models.mean * Fraction(target.points) / spent
        rows = (("points removed for each point spent", (worth,)),)
        grid = Table("What it is worth", "value", "readings", ("mean",), rows, "number")
        found.append(answer(text, reading, grid, "points"))
    notes = rules.notes
    return tuple(one.but(notes=notes) if place == 0 else one for place, one in enumerate(found))


def _reading(weapons: Sequence[Weapon], target: Target, edition: str) -> str:
    arms = ", ".join(
        f"{weapon.count} x {weapon.name}" if weapon.count > 1 else weapon.name for weapon in weapons
    )
    kinds = " and ".join(
        f"{kind.models} models of T{kind.toughness}"
        + (f", save {kind.save}+" if kind.save else "")
        + (f", {kind.wounds} wounds" if kind.wounds > 1 else "")
        for kind in target.kinds
    )
    return f"{arms} into {kinds} ({edition})"


def steps(result: Result) -> Table:
    """Mean and spread of every step, weapon by weapon.

    >>> from oddsmith.games.attack_profiles import Target, Weapon
    >>> steps(shoot(Weapon(attacks=6, skill=4), Target())).cell("hits", "mean")
    Fraction(3, 1)
    """
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    several = len(result.steps) > 1
    for name, found in result.steps:
        for step, dist in found.items():
            rows.append((f"{name}: {step}" if several else step, _cells(dist)))
    rows.append(("damage", _cells(result.damage)))
    rows.append(("models lost", _cells(result.models)))
    columns = ("mean", "variance", "lowest", "median", "highest")
    return Table("The sequence", "step", "readings", columns, tuple(rows), "number")


def _cells(dist: Dist[int]) -> tuple[Cell, ...]:
    ends = (dist.low, dist.median, dist.high)
    return (dist.mean, dist.variance, *(Fraction(end) for end in ends))


def audited(weapons: Sequence[Weapon], target: Target, edition: str) -> Table:
    """The chances of one hit roll, wound roll and save of each weapon.

    >>> from oddsmith.games.attack_profiles import Target, Weapon
    >>> audited([Weapon(skill=3)], Target(), "40k-10").cell("weapon: hit 3+", "critical")
    Fraction(1, 6)
    """
    rules = edition_called(edition)
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    for weapon in weapons:
        one = attack(weapon, target, rules)
        need = weapon.wound or wound_need(weapon.strength, target.toughness, rules)
        skill = "automatic" if weapon.skill is None else f"{weapon.skill}+"
        hit = f"{weapon.name}: hit {skill}{_moved(weapon.hit_modifier, weapon.reroll_hits)}"
        wound = f"{weapon.name}: wound {need}+{_moved(weapon.wound_modifier, weapon.reroll_wounds)}"
        for name, law in ((hit, one.hit), (wound, one.wound)):
            rows.append((name, (law["fail"], law["success"] + law["critical"], law["critical"])))
        for kind in target.kinds:
            fails = unsaved(weapon, kind, rules)
            save = f"{weapon.name}: save of {kind.name} at AP {weapon.ap}"
            rows.append((save, (fails, 1 - fails, None)))
            if kind.ward:
                shrug = Fraction(7 - kind.ward, 6)
                rows.append((f"{kind.name}: {kind.ward}+ for each point", (1 - shrug, shrug, None)))
            mean = damage_law(weapon, kind).mean
            rows.append((f"{weapon.name}: damage, mean {float(mean):.4g}", (None, None, None)))
    columns = ("fails", "succeeds", "critical")
    return Table("Every single roll", "roll", "outcomes", columns, tuple(dict(rows).items()))


def _moved(modifier: int, sources: tuple[object, ...]) -> str:
    words = f" at {modifier:+d}" if modifier else ""
    return words + (f", re-rolling {', '.join(map(str, sources))}" if sources else "")
