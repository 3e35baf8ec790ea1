"""Choices in an attack sequence as answers: re-rolls, order of fire, another loadout."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from oddsmith.answers.attacks import reading_of
from oddsmith.answers.play import answer
from oddsmith.budget import DEFAULT_BUDGET, question
from oddsmith.errors import RuleError
from oddsmith.games.attack_choices import compare, fishing, orders
from oddsmith.games.attack_damage import DamageRerolls, damage_rerolls
from oddsmith.games.attack_rolls import edition_called
from oddsmith.games.catalogue import Amount
from oddsmith.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oddsmith.answers.ask import Answer
    from oddsmith.games.attack_profiles import Target, Weapon
    from oddsmith.table import Cell

MOST_NAMES = 4
"""Of orders that are equally good so many are named at most."""

MOST_COLUMNS = 8
"""The rule of which damage to roll again is shown for so many wounds to come at most."""

MOST_DICE = 12
"""The rule of which dice to roll again is shown for so many attacks at most."""


def fishing_answers(
    weapon: Weapon,
    target: Target,
    edition: str = "40k-10",
    text: str = "attack",
    at_least: int | None = None,
    budget: int | None = None,
) -> tuple[Answer, ...]:
    """What the best re-rolls of hit dice reach, beside simpler ways, and what to roll again.

    Args:
        weapon: Its ``reroll_hits`` says which dice may be rolled again; all where it says nothing.
        target: Models of one kind.
        edition: The rules.
        text: What was asked.
        at_least: Aim for the chance that so many models are lost; left out, for their mean.
        budget: The work it may cost.

    >>> from oddsmith.games.attack_profiles import Target, Weapon
    >>> gun = Weapon(skill=3, wound=6, lethal=True)
    >>> fishing_answers(gun, Target(save=None))[0].exact
    Fraction(3, 8)
    """
    rules = edition_called(edition)
    if not weapon.reroll_hits:
        weapon = weapon.but(reroll_hits=("all",))
    with question(DEFAULT_BUDGET if budget is None else budget):
        best = fishing(weapon, target, rules, at_least)
    aim = "mean of models lost" if at_least is None else f"chance that {at_least} or more are lost"

    def shown(value: Fraction) -> Any:
        return Amount(value, "models") if at_least is None else value

    reading = f"{reading_of([weapon], target, rules.name)}; hit dice rolled again for the {aim}"
    parts: dict[str, Any] = {
        "the best choices": shown(best.value),
        "no hit given up": shown(best.kept),
        "every plain hit given up": shown(best.always),
    }
    if weapon.lethal:
        parts["no hit given up, all lethal hits taken"] = shown(best.taken)
    if len(best.attacks) == 1 and best.attacks[0] <= MOST_DICE and weapon.skill is not None:
        parts["plain hits to roll again"] = _which(best.attacks[0], best.again)
    return tuple(answer(text, reading, value, label) for label, value in parts.items())


def _which(dice: int, again: Any) -> Table:
    """How many plain hits to roll again, by how many there are and how many are critical."""
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    for hits in range(1, dice + 1):
        cells = [
            Fraction(again(dice - hits - sixes, hits, sixes)) if hits + sixes <= dice else None
            for sixes in range(dice)
        ]
        rows.append((str(hits), tuple(cells)))
    columns = tuple(map(str, range(dice)))
    title = "Plain hits to roll again"
    return Table(title, "plain hits", "critical hits", columns, tuple(rows), "number")


def damage_answers(
    weapon: Weapon,
    target: Target,
    edition: str = "40k-10",
    text: str = "attack",
    rerolls: int | None = None,
    at_least: int | None = None,
    budget: int | None = None,
) -> tuple[Answer, ...]:
    """What the best re-rolls of damage dice reach, beside simpler ways, and what to roll again.

    Args:
        weapon: What is fired.
        target: Models of one kind.
        edition: The rules.
        text: What was asked.
        rerolls: How many damage rolls may be rolled again; left out, each of them once.
        at_least: Aim for the chance that so many models are lost; left out, for their mean.
        budget: The work it may cost.

    >>> from oddsmith import d6
    >>> from oddsmith.games.attack_profiles import Target, Weapon
    >>> gun = Weapon(skill=None, wound=4, damage=d6)
    >>> damage_answers(gun, Target(save=None, wounds=4))[0].exact
    Fraction(3, 8)
    """
    rules = edition_called(edition)
    with question(DEFAULT_BUDGET if budget is None else budget):
        best = damage_rerolls(weapon, target, rules, rerolls, at_least)
    aim = "mean of models lost" if at_least is None else f"chance that {at_least} or more are lost"

    def shown(value: Fraction) -> Any:
        return Amount(value, "models") if at_least is None else value

    many = "every damage roll" if rerolls is None else f"{rerolls} of the damage rolls"
    reading = f"{reading_of([weapon], target, rules.name)}; {many} rolled again for the {aim}"
    parts: dict[str, Any] = {
        "the best choices": shown(best.value),
        "every roll below its mean": shown(best.low),
        "no re-roll": shown(best.never),
    }
    if best.most and rerolls != 0 and target.hurt < target.unit.total:
        parts["damage to roll again"] = _which_damage(target, best)
    return tuple(answer(text, reading, value, label) for label, value in parts.items())


def _which_damage(target: Target, best: DamageRerolls) -> Table:
    """The highest roll that is rolled again, by the wounds left on the front model."""
    columns = range(min(best.most, MOST_COLUMNS))
    first = target.hurt if target.models == 1 else 0
    rows: list[tuple[str, tuple[Cell, ...]]] = [
        (
            str(target.wounds - removed),
            tuple(Fraction(best.again(removed, to_come)) for to_come in columns),
        )
        for removed in range(first, target.wounds)
    ]
    title = "Damage to roll again: so much or less"
    names = tuple(map(str, columns))
    notes = ("0: every roll is kept.", "The front model is the first of its unit.")
    corner = "wounds to come"
    return Table(title, "wounds left", corner, names, tuple(rows), "number", notes)


def order_answers(
    weapons: Sequence[Weapon],
    target: Target,
    edition: str = "40k-10",
    text: str = "attack",
    at_least: int | None = None,
    budget: int | None = None,
) -> tuple[Answer, ...]:
    """What every order of fire reaches, the best first; orders that are equal share a line.

    Args:
        weapons: Up to six.
        target: The unit.
        edition: The rules.
        text: What was asked.
        at_least: Aim for the chance that so many models are lost; left out, for their mean.
        budget: The work it may cost.

    >>> from oddsmith.games.attack_profiles import Target, Weapon
    >>> order_answers([Weapon(name="a"), Weapon(name="b")], Target())[0].table.rows
    (('a, b', (Fraction(15, 64), Fraction(0, 1))),)
    """
    rules = edition_called(edition)
    with question(DEFAULT_BUDGET if budget is None else budget):
        found = orders(weapons, target, rules, at_least)
    groups: dict[Fraction, list[str]] = {}
    for order in found:
        names = ", ".join(weapons[place].name for place in order.places)
        groups.setdefault(order.value, []).append(names)
    aim = "mean" if at_least is None else f"{at_least} or more lost"
    best = found[0].value
    rows = tuple((names[0], (value, best - value)) for value, names in groups.items())
    notes = tuple(
        f"As good as {names[0]}: {'; '.join(names[1:MOST_NAMES])}"
        + (f"; and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else "")
        for names in groups.values()
        if len(names) > 1
    )
    unit = "number" if at_least is None else "chance"
    grid = Table("Orders of fire", "order", "models lost", (aim, "less"), rows, unit, notes)
    return (answer(text, reading_of(weapons, target, rules.name), grid),)


def comparison_answers(
    first: Sequence[Weapon],
    second: Sequence[Weapon],
    target: Target,
    edition: str = "40k-10",
    text: str = "attack",
    names: tuple[str, str] = ("first", "second"),
    budget: int | None = None,
) -> tuple[Answer, ...]:
    """Two loadouts: who kills more in one go, both means, and who is likelier to kill so many.

    Args:
        first: Weapons in the order in which they are fired.
        second: Weapons instead.
        target: The unit.
        edition: The rules.
        text: What was asked.
        names: What the two are called.
        budget: The work it may cost.

    >>> from oddsmith.games.attack_profiles import Target, Weapon
    >>> comparison_answers([Weapon(skill=3)], [Weapon()], Target())[0].win
    Fraction(7, 48)
    """
    rules = edition_called(edition)
    if names[0] == names[1]:
        raise RuleError(f"both loadouts are called {names[0]}", "give them two names")
    with question(DEFAULT_BUDGET if budget is None else budget):
        found = compare(first, second, target, rules)
    reading = (
        f"{names[0]} ({reading_of(first, target, rules.name)}) or {names[1]} instead; "
        f"win: {names[0]} kills more"
    )
    parts: dict[str, Any] = {
        "in one go": found.contest,
        f"mean of {names[0]}": Amount(found.first.mean, "models"),
        f"mean of {names[1]}": Amount(found.second.mean, "models"),
        "by threshold": found.table(names),
    }
    return tuple(answer(text, reading, value, label) for label, value in parts.items())
