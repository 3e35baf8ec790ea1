"""The tree of selections that rosters are, whether XML or JSON, read as units and weapons.

The number of a selection is taken as it stands. A number on a child already counts all models of
its parent, so that nothing is multiplied; where a number looks as if it did not, a note says so.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from oddsmith.errors import OddsmithError, RuleError
from oddsmith.record import Record
from oddsmith.rosters.keywords import dice, listed, plain
from oddsmith.rosters.lists import Arm, Roster, Troop, arm, edition_of, merged
from oddsmith.rosters.targets import Kind, is_stat_line, kind_of, unread

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

DEEPEST = 30
"""So many selections inside one another at most."""

MOST = 5_000
"""So many selections at most."""

MOST_SHEETS = 100
"""So many profiles of one selection at most."""


class Bounds:
    """How much of a list may still be read.

    Args:
        again: What to do where it is too much.
    """

    def __init__(self, again: str) -> None:
        self.again = again
        self.left = MOST

    def count(self, depth: int, sheets: int = 0) -> None:
        """Count one more selection.

        Raises:
            OddsmithError: Where it is one too many, too deep or has too many profiles.
        """
        self.left -= 1
        if depth > DEEPEST or self.left < 0:
            raise OddsmithError(
                "it has too many selections, or too many inside one another", self.again
            )
        if sheets > MOST_SHEETS:
            raise OddsmithError(f"a selection has more than {MOST_SHEETS} profiles", self.again)


class Sheet(Record):
    """A profile: of a model, of a weapon or of an ability.

    Attributes:
        name: What it is called.
        kind: Such as ``Unit`` or ``Ranged Weapons``.
        cells: Its characteristics by name, in lower case.
    """

    name: str
    kind: str
    cells: dict[str, str]

    def cell(self, *names: str) -> str | None:
        """The first characteristic that has one of these names, upper or lower case."""
        found = (self.cells.get(name.lower()) for name in names)
        return next((text for text in found if text is not None), None)

    @property
    def of_a_model(self) -> bool:
        """Whether it is the profile of a model, and not of a weapon or an ability."""
        return is_stat_line(self.cells)


class Selection(Record):
    """One node of the tree.

    Attributes:
        name: What it is called.
        kind: ``unit``, ``model`` or ``upgrade``.
        number: How many, as it stands.
        cost: Its points.
        sheets: Its profiles.
        parts: What is selected inside it.
    """

    name: str
    kind: str
    number: int
    cost: Fraction = Fraction(0)
    sheets: tuple[Sheet, ...] = ()
    parts: tuple[Selection, ...] = ()


Path = tuple[Selection, ...]
"""From the unit down to a selection."""


def counted(text: Any, where: str) -> int:
    """The number of a selection.

    Raises:
        OddsmithError: For anything but a whole number from 0 to 1000.

    >>> counted("4", "bolt rifle"), counted(None, "bolt rifle")
    (4, 1)
    """
    if text is None:
        return 1
    found = str(text)
    if isinstance(text, bool) or not re.fullmatch(r"\d{1,4}(\.0)?", found) or float(found) > 1000:
        raise OddsmithError(
            f"the number of {plain(where)} is {plain(text, 20)!r}", "numbers are whole, up to 1000"
        )
    return int(float(found))


def priced(costs: Mapping[str, Any]) -> Fraction:
    """The points among the costs of a selection.

    >>> priced({"pts": "75.0", "PL": "4"})
    Fraction(75, 1)
    """
    for name, value in costs.items():
        if plain(name).lower() in ("pts", "points", "pt"):
            text = str(value)
            return Fraction(text) if re.fullmatch(r"\d{1,7}(\.\d{1,4})?", text) else Fraction(0)
    return Fraction(0)


def roster_of(name: Any, system: Any, selections: list[Selection]) -> Roster:
    """A list from the selections that stand directly in its forces.

    Raises:
        OddsmithError: Where no weapon is in it.
    """
    found = (troop for one in selections for troop in _troops(one))
    troops = [troop for troop in found if troop.arms or troop.kinds]
    if not troops:
        raise OddsmithError(
            "it lists no weapons", "export the roster with its profiles, not only with names"
        )
    return Roster(plain(name), plain(system), edition_of(str(system)), tuple(troops))


def _troops(unit: Selection) -> Iterator[Troop]:
    """A unit, and units that are selected inside it."""
    paths = list(_inside((unit,)))
    models = sum(path[-1].number for path in paths if path[-1].kind == "model")
    bearers = Bearers(paths)
    found = merged(arm for path in paths for arm in _arms(path, models, bearers))
    kinds = tuple(_kinds(paths, bearers))
    notes = (*_too_many(found, models), *_not_read(paths))
    yield Troop(plain(unit.name), models, found, notes, kinds, _cost(paths))
    for path in paths:
        for part in path[-1].parts:
            if part.kind == "unit":
                yield from _troops(part)


def _kinds(paths: list[Path], bearers: Bearers) -> Iterator[Kind]:
    """The models of a unit with their stat lines: like ones together, the most first."""
    if not bearers.all:
        return
    bodies = [path for path in paths if path[-1].kind == "model" and path[-1].number]
    found: dict[Any, Kind] = {}
    for path in bodies or paths[:1]:
        name, number, sheet = path[-1].name, path[-1].number, bearers.sheet(path)
        if sheet is None:
            one = Kind(plain(name), number, (), ("which stat line is theirs is not clear",))
        else:
            one = kind_of(name, number, sheet.cells, _abilities([*paths[:1], path]))
        key = one.fields, one.problems
        before = found.get(key)
        found[key] = before.but(models=before.models + one.models) if before else one
    if len(found) == 1:
        yield next(iter(found.values())).but(name=plain(paths[0][-1].name))
    else:
        yield from sorted(found.values(), key=lambda kind: -kind.models)


def _abilities(paths: Iterable[Path]) -> list[str]:
    """The names of abilities on the ends of paths, and of what is selected right there."""
    ends = [path[-1] for path in paths]
    near = [*ends, *(part for end in ends for part in end.parts if part.kind == "upgrade")]
    return [
        sheet.name
        for one in near
        for sheet in one.sheets
        if "weapon" not in sheet.kind.lower() and not sheet.of_a_model
    ]


def _not_read(paths: list[Path]) -> tuple[str, ...]:
    names = unread(_abilities(paths))
    if not names:
        return ()
    return (f"not read, where the unit is a target: {plain(', '.join(names), 200)}",)


def _cost(paths: list[Path]) -> Fraction:
    """The points of a unit, with everything in it."""
    return sum((path[-1].cost for path in paths), Fraction(0))


def _inside(path: Path) -> Iterator[Path]:
    """All selections of one unit, each with the way to it."""
    yield path
    for part in path[-1].parts:
        if part.kind != "unit":
            yield from _inside((*path, part))


def _arms(path: Path, models: int, bearers: Bearers) -> Iterator[Arm]:
    """The weapons that stand directly on a selection."""
    here = path[-1]
    sheets = [sheet for sheet in here.sheets if "weapon" in sheet.kind.lower()]
    heads: dict[tuple[str, str], str] = {}
    notes = _doubts(path, models)
    if len(sheets) > 1 and len({_stem(sheet.name) for sheet in sheets}) > 1:
        kinds = [_kind(sheet) for sheet in sheets]
        if len(set(kinds)) < len(kinds):
            some = f"{plain(here.name)} has several profiles: where only one is used, drop the rest"
            notes = (*notes, some)
    for sheet in sheets:
        made = _read(sheet, here.number, path, bearers, notes)
        stem = (_stem(sheet.name), made.kind)
        if stem in heads:
            made = made.but(instead_of=heads[stem])
        else:
            heads[stem] = made.name
        yield made


def _too_many(arms: tuple[Arm, ...], models: int) -> tuple[str, ...]:
    """What a unit has more of than it can use at once."""
    own = [arm for arm in arms if not arm.instead_of]
    words = {id(arm): {one.text.lower() for one in arm.meanings} for arm in own}
    fists = sum(
        arm.count for arm in own if arm.kind == "melee" and "extra attacks" not in words[id(arm)]
    )
    notes = []
    if models and fists > models:
        notes.append(
            f"{fists} melee weapons for {models} model{'s' * (models != 1)}: "
            "each model fights with one, so drop the rest"
        )
    guns = [arm for arm in own if arm.kind == "ranged"]
    pistols = [arm for arm in guns if "pistol" in words[id(arm)]]
    if pistols and len(pistols) < len(guns):
        notes.append("pistols are not fired along with other ranged weapons: drop one or the other")
    return tuple(notes)


def _stem(name: str) -> str:
    """What several profiles of one weapon have in common.

    >>> _stem("➤ Plasma gun - standard"), _stem("Plasma gun, Supercharge")
    ('plasma gun', 'plasma gun')
    """
    found = re.split(r"\s[-–—]\s|\s?[:(,]\s?", plain(name).lstrip("➤►▶> "))
    return found[0].lower().strip()


def _kind(sheet: Sheet) -> str:
    """Whether a weapon is shot or fought with."""
    text = f"{sheet.kind} {sheet.cell('Range', 'Rng') or ''} {sheet.cell('Type') or ''}".lower()
    if "melee" in text:
        return "melee"
    return "ranged" if "ranged" in text or sheet.cell("Range", "Rng") else ""


def _doubts(path: Path, models: int) -> tuple[str, ...]:
    """What is strange about the number of a weapon."""
    here, unit = path[-1], path[0]
    bearer = next((one for one in reversed(path) if one.kind == "model"), None)
    if bearer is None and here is not unit and here.number == 1:
        ratio = here.cost / unit.cost if unit.cost else Fraction(0)
        if ratio.denominator == 1 and ratio >= 2:
            return (
                f"listed once, but its cost of {here.cost} is {ratio} times the unit's: "
                "perhaps each model has one",
            )
    if bearer is None and here.number == 1 and models > 1:
        each = here.cost / models
        why = f", and its cost of {here.cost} is {models} times {each}" if each else ""
        why = why if each.denominator == 1 else ""
        return (f"listed once for a unit of {models} models{why}: perhaps each has one",)
    if bearer is not None and here is not bearer and here.number % max(1, bearer.number):
        return (
            f"listed {here.number} times for {bearer.number} models ({plain(bearer.name)}): "
            "look whether each has one",
        )
    return ()


# --- weapons of several games


def _read(sheet: Sheet, number: int, path: Path, bearers: Bearers, notes: tuple[str, ...]) -> Arm:
    """A weapon from its profile, by the columns that it has."""
    kind = _kind(sheet)
    if sheet.cell("Wnd", "To Wound") is not None:
        cells = {
            "attacks": sheet.cell("Atk", "Attacks"), "skill": sheet.cell("Hit", "To Hit"),
            "wound": sheet.cell("Wnd", "To Wound"), "ap": sheet.cell("Rnd", "Rend"),
            "damage": sheet.cell("Dmg", "Damage"),
        }  # fmt: skip
        return arm(sheet.name, number, kind, cells, _words(sheet), notes=notes)
    force = bearers.cell(path, "S")
    cells = {
        "attacks": sheet.cell("A", "Attacks"), "skill": sheet.cell("BS", "WS", "Skill"),
        "strength": sheet.cell("S", "Str", "Strength"), "ap": sheet.cell("AP"),
        "damage": sheet.cell("D", "Damage"),
    }  # fmt: skip
    words = _words(sheet)
    if sheet.cell("Type") is not None and cells["attacks"] is None:
        more, word = _typed(plain(sheet.cell("Type")), kind)
        words += [word] if word else []
        cells["attacks"] = bearers.cell(path, "A") if kind == "melee" else more
        cells["skill"] = bearers.cell(path, "WS" if kind == "melee" else "BS")
    bearer = int(force) if force is not None and re.fullmatch(r"\d{1,2}", force) else None
    return arm(sheet.name, number, kind, cells, words, bearer, notes)


def _words(sheet: Sheet) -> list[str]:
    """The keywords of a weapon."""
    return listed(sheet.cell("Keywords", "Abilities", "Ability") or "-")


def _typed(text: str, kind: str) -> tuple[str | None, str]:
    """Attacks and a keyword from a type such as ``Rapid Fire 1``, as older rules write it.

    >>> _typed("Rapid Fire 2", "ranged"), _typed("Heavy D6", "ranged"), _typed("Melee", "melee")
    (('2', 'Rapid Fire 2'), ('D6', ''), (None, ''))
    """
    match = re.fullmatch(r"([A-Za-z ]+?)\s*(\d*[dD]?\d*)", text)
    if match is None or kind == "melee":
        return (None, "") if kind == "melee" else (text, "")
    try:
        dice(match[2])
    except RuleError:
        return match[2] or text, ""
    return match[2], text if match[1].lower() == "rapid fire" else ""


class Bearers:
    """The profiles of the models of one unit, looked up once."""

    def __init__(self, paths: list[Path]) -> None:
        self.own = {
            id(path[-1]): [sheet for sheet in path[-1].sheets if sheet.of_a_model] for path in paths
        }
        self.all = [sheet for sheets in self.own.values() for sheet in sheets]
        self.common: dict[str, str | None] = {}

    def sheet(self, path: Path) -> Sheet | None:
        """The profile of the model at the end of a path.

        It is found as a single characteristic is: see :meth:`cell`.
        """
        nearest = next((self.own[id(one)] for one in reversed(path) if self.own[id(one)]), self.all)
        names = {one.name for one in path}
        chosen = [sheet for sheet in nearest if sheet.name in names] or nearest
        alike = {tuple(sorted(sheet.cells.items())) for sheet in chosen}
        return chosen[0] if len(alike) == 1 else None

    def cell(self, path: Path, name: str) -> str | None:
        """A characteristic of whoever bears what is at the end of a path.

        The nearest profiles count; among several, those called like a selection on the way. Where
        there are none on the way, those of all models count. None where values differ.
        """
        nearest = next((self.own[id(one)] for one in reversed(path) if self.own[id(one)]), None)
        if nearest is None:
            if name not in self.common:
                self.common[name] = _same(self.all, name)
            return self.common[name]
        names = {one.name for one in path}
        return _same([sheet for sheet in nearest if sheet.name in names] or nearest, name)


def _same(sheets: list[Sheet], name: str) -> str | None:
    """The value of a characteristic, where all profiles have the same."""
    found = {sheet.cell(name) for sheet in sheets}
    return found.pop() if len(found) == 1 else None
