"""Attack sequences as answers: models lost, damage, each step, tables over targets."""

from __future__ import annotations

from fractions import Fraction
from inspect import get_annotations
from typing import TYPE_CHECKING, Any

from oddsmith.answers.attack_files import TARGETS, value_of
from oddsmith.answers.play import answer
from oddsmith.budget import DEFAULT_BUDGET, question
from oddsmith.dist import event
from oddsmith.errors import RuleError
from oddsmith.games.attack_profiles import Target, Weapon
from oddsmith.games.attack_rolls import edition_called, piercing, unsaved, wound_need
from oddsmith.games.attack_sequence import Result, attack, shoot
from oddsmith.games.catalogue import Amount
from oddsmith.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from oddsmith.answers.ask import Answer
    from oddsmith.dist import Dist
    from oddsmith.table import Cell

MOST_CELLS = 2_000
"""So many cells of a table at most."""


def attack_answers(
    weapons: Sequence[Weapon],
    target: Target,
    edition: str = "40k-10",
    text: str = "attack",
    audit: bool = False,
    budget: int | None = None,
    at_least: int | None = None,
) -> tuple[Answer, ...]:
    """Models lost, the steps on the way, and what it is worth.

    Args:
        weapons: In the order in which they are fired.
        target: The unit.
        edition: The rules.
        text: What was asked.
        audit: Whether to show the chances of every single roll, too.
        budget: The work it may cost.
        at_least: Whether so many models are lost, too.

    >>> attack_answers([Weapon(attacks=2)], Target(models=2))[0].label
    'models lost'
    """
    rules = edition_called(edition)
    with question(DEFAULT_BUDGET if budget is None else budget):
        result = shoot(weapons, target, rules)
        parts = _parts(weapons, target, result, at_least)
        parts["steps"] = steps(result)
        if audit:
            parts["single rolls"] = audited(weapons, target, edition)
    reading = reading_of(weapons, target, rules.name)
    found = [answer(text, reading, value, label) for label, value in parts.items()]
    found[0] = found[0].but(notes=rules.notes)
    return tuple(found)


def _parts(
    weapons: Sequence[Weapon], target: Target, result: Result, at_least: int | None
) -> dict[str, Any]:
    """Each answer by its label."""
    parts: dict[str, Any] = {"models lost": result.models}
    if at_least is not None:
        parts[f"{at_least} or more lost"] = result.models.at_least(at_least)
    if target.unit.total > target.unit.models:
        parts["damage"] = result.damage
    parts["nobody is left"] = result.wiped_out
    risky = sum(weapon.count for weapon in weapons if weapon.hazardous)
    if risky:
        parts["hazardous bearers harmed"] = risky @ event(Fraction(1, 6))
    spent = sum((Fraction(weapon.points) * weapon.count for weapon in weapons), Fraction(0))
    if any(kind.points for kind in target.kinds):
        lost = result.points
        parts["points lost"] = lost
        if spent:
            parts["points lost for each point spent"] = Amount(lost.mean / spent)
            parts["as many points lost as spent"] = lost.at_least(spent)
    return parts


def reading_of(weapons: Sequence[Weapon], target: Target, edition: str) -> str:
    """What is asked, in words.

    >>> reading_of([Weapon(count=2)], Target(), "house rules")
    '2 x weapon into 1 model of T4, save 4+ (house rules)'
    """
    arms = ", ".join(
        f"{weapon.count} x {weapon.name}" if weapon.count > 1 else weapon.name for weapon in weapons
    )
    kinds = " and ".join(
        f"{kind.models} model{'s' * (kind.models != 1)} of T{kind.toughness}"
        + (f", save {kind.save}+" if kind.save else "")
        + (f", invulnerable {kind.invulnerable}+" if kind.invulnerable else "")
        + (f", ward {kind.ward}+" if kind.ward else "")
        + (f", {kind.wounds} wounds" if kind.wounds > 1 else "")
        for kind in target.kinds
    )
    return f"{arms} into {kinds} ({edition})"


def steps(result: Result) -> Table:
    """Mean and spread of every step, weapon by weapon.

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

    >>> audited([Weapon(skill=3)], Target(), "40k-10").cell("weapon: hit 3+", "critical")
    Fraction(1, 6)
    """
    rules = edition_called(edition)
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    for weapon in weapons:
        one = attack(weapon, target, rules)
        need = weapon.wound
        if need is None:
            need = wound_need(weapon.strength, target.toughness, rules)
        needed = f"{need}+" if need else "automatic"
        skill = "automatic" if weapon.skill is None else f"{weapon.skill}+"
        hit = f"{weapon.name}: hit {skill}{_moved(weapon.hit_modifier, weapon.reroll_hits)}"
        moved = _moved(weapon.wound_modifier, weapon.reroll_wounds)
        wound = f"{weapon.name}: wound {needed}{moved}"
        for name, law in ((hit, one.hit), (wound, one.wound)):
            rows.append((name, (law["fail"], law["success"] + law["critical"], law["critical"])))
        for kind in target.kinds:
            for more in {0: "", weapon.critical_ap: " of a critical wound"}.items():
                used = weapon.but(ap=weapon.ap + more[0])
                fails = unsaved(used, kind, rules)
                save = f"{weapon.name}: save of {kind.name} at AP {piercing(used, rules)}"
                rows.append((save + more[1] * (more[0] > 0), (fails, 1 - fails, None)))
            each = "wound" if rules.ward_wounds else "point"
            for ward, what in ((kind.ward, each), (kind.ward_mortal, f"mortal {each}")):
                if ward:
                    shrug = Fraction(7 - ward, 6)
                    rows.append((f"{kind.name}: {ward}+ for each {what}", (1 - shrug, shrug, None)))
    columns = ("fails", "succeeds", "critical")
    return Table("Every single roll", "roll", "outcomes", columns, tuple(dict(rows).items()))


def _moved(modifier: int, sources: tuple[object, ...]) -> str:
    words = f" at {modifier:+d}" if modifier else ""
    return words + (f", re-rolling {', '.join(map(str, sources))}" if sources else "")


# --- tables over weapons and targets


def attack_table(
    weapons: Sequence[Weapon],
    target: Target,
    ranges: Mapping[str, Sequence[Any]],
    edition: str = "40k-10",
    at_least: int | None = None,
    budget: int | None = None,
) -> Table:
    """The mean number of models lost, or the chance of so many, for every combination of values.

    A field of weapons is set for all of them. The name ``weapon`` stands for the weapons
    themselves, each fired alone.

    Args:
        weapons: In the order in which they are fired.
        target: The unit.
        ranges: One or two fields of ``Weapon`` or ``Target``, and the values that they take.
        edition: The rules.
        at_least: The chance that so many models are lost, instead of the mean.
        budget: The work each cell may cost.

    Raises:
        RuleError: For another number of fields, unknown fields, and too many cells.

    >>> found = attack_table([Weapon(skill=3)], Target(), {"toughness": [4, 5], "save": ["4+"]})
    >>> found.cell("5", "4+")
    Fraction(1, 9)
    """
    if not 1 <= len(ranges) <= 2:
        raise RuleError(
            f"a table has one or two ranges, not {len(ranges)}",
            "write for example --versus toughness=3..8 --versus save=2..6",
        )
    listed = {_field(name): _values(name, values, weapons) for name, values in ranges.items()}
    sizes = [len(values) for values in listed.values()]
    if sizes[0] * sizes[-1] > MOST_CELLS:
        raise RuleError(f"so large a table has more than {MOST_CELLS:,} cells", "use fewer values")
    rules = edition_called(edition)

    def cell(**chosen: Any) -> tuple[Cell, ...]:
        arms, aim = list(weapons), target
        for field, value in chosen.items():
            if field == "weapon":
                arms = [value]
            elif field in get_annotations(Target):
                aim = aim.but(**{field: value})
            else:
                arms = [weapon.but(**{field: value}) for weapon in arms]
        with question(DEFAULT_BUDGET if budget is None else budget):
            models = shoot(arms, aim, rules).models
        return _cells(models) if at_least is None else (models.at_least(at_least),)

    down, *across = listed
    rows, columns = listed[down], listed[across[0]] if across else {}
    if across:
        cells = [
            (name, tuple(cell(**{down: row, across[0]: column})[0] for column in columns.values()))
            for name, row in rows.items()
        ]
        heads, corner = tuple(columns), across[0].replace("_", " ")
    else:
        cells = [(name, cell(**{down: row})) for name, row in rows.items()]
        heads = ("mean", "variance", "lowest", "median", "highest")
        heads, corner = heads if at_least is None else ("chance",), "models lost"
    title = "Models lost, mean" if at_least is None else f"{at_least} or more models lost"
    unit = "number" if at_least is None else "chance"
    value = "mean of models lost" if across and at_least is None else ""
    return Table(title, down.replace("_", " "), corner, heads, tuple(cells), unit, value=value)


def table_answers(
    weapons: Sequence[Weapon],
    target: Target,
    ranges: Mapping[str, Sequence[Any]],
    edition: str = "40k-10",
    text: str = "attack",
    at_least: int | None = None,
    budget: int | None = None,
) -> tuple[Answer, ...]:
    """The table of :func:`attack_table`, as an answer.

    >>> table_answers([Weapon()], Target(), {"save": ["3+", "none"]})[0].table.rows[1][0]
    'none'
    """
    grid = attack_table(weapons, target, ranges, edition, at_least, budget)
    reading = reading_of(weapons, target, edition_called(edition).name)
    return (answer(text, f"{reading}, for every {' and '.join(ranges)}", grid),)


def _field(name: str) -> str:
    """The field that a name stands for."""
    field = name.strip().lower().replace("-", "_")
    field = {"feel_no_pain": "ward"}.get(field, field)
    known = {*get_annotations(Weapon), *get_annotations(Target), "weapon"} - {"name", "others"}
    if field not in known - {"points"}:
        raise RuleError(
            f"{name} is no field of a weapon or a target", "write for example toughness=3..8"
        )
    return field


def _values(name: str, values: Sequence[Any], weapons: Sequence[Weapon]) -> dict[str, Any]:
    """The values of a range by their names."""
    field = _field(name)
    if field == "weapon":
        named = {weapon.name: weapon for weapon in weapons}
        if len(named) < len(weapons):
            raise RuleError("two weapons have the same name", "name each once")
        return named
    found = {}
    for value in values:
        made = value_of(field, {"true": True, "false": False}.get(str(value).lower(), value))
        shown = f"{made}+" if field in TARGETS and made else str(value)
        found[shown] = made
    if not found:
        raise RuleError(f"{name} has no values", f"write for example {name}=3..8")
    return found
