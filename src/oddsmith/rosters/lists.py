"""An army list as it was read: units, and their weapons with what is understood of them."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from oddsmith.answers.attack_files import value_of
from oddsmith.errors import OddsmithError, RuleError
from oddsmith.games.attack_profiles import EDITIONS, Weapon
from oddsmith.record import Record
from oddsmith.rosters.keywords import Meaning, dice, meaning, piercing, plain, skill, strength

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from oddsmith.rosters.targets import Kind

MOST_WEAPONS = 3_000
"""So many weapons of one unit at most."""

MOST_ALIKE = 1_000
"""So many weapons that are alike fit into one weapon of a squad."""


class Arm(Record):
    """A weapon of a list.

    Attributes:
        name: What it is called.
        count: How many there are, as the list says.
        kind: ``ranged``, ``melee`` or nothing.
        cells: What the list says, by the names of the columns.
        fields: Fields of ``Weapon`` that are understood, ready for the file.
        meanings: Its keywords that are understood.
        unknown: Keywords that are not.
        problems: Why it cannot be used as it is.
        notes: What should be looked at.
        instead_of: The weapon in whose place it may be fired; empty for one of its own.
    """

    name: str
    count: int
    kind: str
    cells: tuple[tuple[str, str], ...]
    fields: tuple[tuple[str, Any], ...] = ()
    meanings: tuple[Meaning, ...] = ()
    unknown: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    instead_of: str = ""

    @property
    def ready(self) -> bool:
        """Whether it goes into the file as a weapon, and not as a comment."""
        return not self.problems and not self.instead_of

    def active(self, situation: Collection[str]) -> dict[str, Any]:
        """All its fields where a situation is given.

        Args:
            situation: What holds, such as ``half-range`` or ``against vehicle``.
        """
        found = dict(self.fields)
        for one in self.meanings:
            if one.holds(situation):
                found = joined(found, one)
                if one.needs == "half-range":
                    found["half_range"] = True
            elif one.needs == "half-range":
                found |= one.fields
        return found


class Troop(Record):
    """A unit of a list.

    Attributes:
        name: What it is called.
        models: How many models it has; 0 where the list does not say.
        arms: Its weapons.
        notes: What should be looked at.
        kinds: Its models with their stat lines, as far as the list gives them.
        cost: Its points.
    """

    name: str
    models: int = 0
    arms: tuple[Arm, ...] = ()
    notes: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    cost: Fraction = Fraction(0)


class Roster(Record):
    """A whole list.

    Attributes:
        name: What it is called.
        system: The game, as the list calls it.
        edition: The preset of it; None where there is none.
        troops: Its units.
    """

    name: str
    system: str
    edition: str | None
    troops: tuple[Troop, ...]

    @property
    def arms(self) -> list[Arm]:
        """All weapons in order."""
        return [arm for troop in self.troops for arm in troop.arms]

    def only(self, names: Collection[str] = (), kind: str = "") -> Roster:
        """Some units and one kind of weapons.

        Args:
            names: Units, upper or lower case; empty for all.
            kind: ``ranged`` or ``melee``; empty for both. Weapons of no kind stay.

        Raises:
            OddsmithError: For a unit that is not in the list.
        """
        wanted = [plain(name).lower() for name in names]
        own = {troop.name.lower() for troop in self.troops}
        for name in wanted:
            if name not in own:
                some = ", ".join(dict.fromkeys(troop.name for troop in self.troops))
                raise OddsmithError(f"no unit is called {name!r}", f"units are: {plain(some, 250)}")
        troops = []
        for troop in self.troops:
            if not wanted or troop.name.lower() in wanted:
                arms = tuple(arm for arm in troop.arms if not kind or arm.kind in ("", kind))
                troops.append(troop.but(arms=arms))
        kept = (troop for troop in troops if troop.arms or wanted or not kind)
        return self.but(troops=tuple(kept))


def edition_of(system: str) -> str | None:
    """The preset of a game.

    >>> edition_of("Warhammer 40,000 10th Edition"), edition_of("Age of Sigmar 4.0")
    ('40k-10', 'aos-4')
    """
    lower = plain(system).lower()
    found = None
    if "40,000" in lower or "40k" in lower or "40000" in lower:
        match = re.search(r"\b(\d{1,2})(?:st|nd|rd|th)\b|\b(\d{1,2})e\b", lower)
        found = f"40k-{match[1] or match[2]}" if match else None
    elif "age of sigmar" in lower:
        match = re.search(r"sigmar\D*(\d)\b", lower)
        found = f"aos-{match[1]}" if match else None
    return found if found in EDITIONS else None


def joined(fields: Mapping[str, Any], one: Meaning) -> dict[str, Any]:
    """Fields with those of a keyword; modifiers add up, and the easier critical wound counts."""
    found = dict(fields)
    for field, value in one.fields:
        if field in ("hit_modifier", "wound_modifier"):
            found[field] = found.get(field, 0) + value
        elif field in ("critical_wound", "critical_hit"):
            found[field] = min(found.get(field, value), value)
        else:
            found[field] = value
    return found


READERS = {
    "attacks": dice, "skill": skill, "strength": strength, "wound": skill, "ap": piercing,
    "damage": dice,
}  # fmt: skip
"""The columns of a table of weapons, and how each is read."""


def arm(
    name: Any,
    count: int,
    kind: str,
    cells: Mapping[str, Any],
    keywords: Iterable[str | Meaning],
    bearer: int | None = None,
    notes: Iterable[str] = (),
) -> Arm:
    """A weapon from what a list says.

    Args:
        name: What it is called.
        count: How many there are.
        kind: ``ranged``, ``melee`` or nothing.
        cells: Texts by column: attacks, skill, strength or wound, ap and damage.
        keywords: Its keywords; those whose meaning is known already stand as their meaning.
        bearer: The strength of the bearer, where it is known.
        notes: What should be looked at.
    """
    fields: dict[str, Any] = {}
    problems: list[str] = []
    for column, text in cells.items():
        try:
            if text is None:
                raise RuleError("the list does not say", "write it yourself")
            fields[column] = _cell(column, text, "wound" not in cells, bearer)
        except RuleError as error:
            problems.append(f"{column}: {error.message}")
    meanings, unknown = _understood(keywords)
    always = dict(fields)
    for one in meanings:
        if not one.needs:
            always = joined(always, one)
    if fields.get("skill") == "none" and not any(("skill", "none") in m.fields for m in meanings):
        problems.append('skill: no roll, but no Torrent: write skill = "none" if it hits by itself')
    found = Arm(
        plain(name).lstrip("➤►▶> ") or "weapon", count, kind,
        tuple((column, _quoted(text)) for column, text in cells.items()),
        tuple(fields.items()), meanings, unknown, tuple(problems), tuple(notes),
    )  # fmt: skip
    return found if problems else found.but(problems=_impossible(found, always))


def _cell(column: str, text: Any, signed: bool, bearer: int | None) -> Any:
    if column == "strength":
        return strength(text, bearer)
    if column == "ap":
        return piercing(text, signed)
    return READERS[column](text)


def _quoted(text: Any) -> str:
    return "?" if text is None else plain(text, 12)


def _understood(
    keywords: Iterable[str | Meaning],
) -> tuple[tuple[Meaning, ...], tuple[str, ...]]:
    """Keywords that have a meaning, and the others; a field is not set twice."""
    meanings: list[Meaning] = []
    unknown: list[str] = []
    taken: dict[str, Any] = {}
    for keyword in keywords:
        try:
            one = keyword if isinstance(keyword, Meaning) else meaning(keyword)
        except RuleError as error:
            unknown.append(f"{plain(keyword)} ({error.message})")
            continue
        if one is None:
            unknown.append(plain(keyword))
        elif any(field in taken and not _adds(field) for field, _ in one.fields):
            if any(taken.get(field, value) != value for field, value in one.fields):
                unknown.append(f"{one.text} (a second one of its kind)")
        else:
            meanings.append(one)
            taken |= one.fields
    return tuple(meanings), tuple(unknown)


def _adds(field: str) -> bool:
    return field in ("hit_modifier", "wound_modifier", "critical_wound", "critical_hit")


def _impossible(found: Arm, fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Why these fields make no weapon; nothing where they do."""
    everything = found.active({one.needs for one in found.meanings})
    for values in (fields, everything):
        try:
            made = {field: value_of(field, value) for field, value in values.items()}
            Weapon(name="it", count=found.count, **made).checked()
        except RuleError as error:
            return (error.message,)
    return ()


def merged(arms: Iterable[Arm]) -> tuple[Arm, ...]:
    """Weapons of one unit, with those that are alike counted together.

    Raises:
        OddsmithError: For more weapons than any list has.
    """
    found: dict[str, Arm] = {}
    for number, one in enumerate(arms, 1):
        if number > MOST_WEAPONS:
            raise OddsmithError(f"a unit has more than {MOST_WEAPONS:,} weapons", "split the list")
        key = repr(one.but(count=0, notes=())).lower()
        if key in found:
            before = found[key]
            notes = tuple(dict.fromkeys((*before.notes, *one.notes)))
            count = before.count + one.count
            found[key] = before.but(count=count, notes=notes)
            if count > MOST_ALIKE:
                problem = f"there are more than {MOST_ALIKE:,} of them"
                found[key] = found[key].but(problems=(problem,))
        else:
            found[key] = one
    return tuple(found.values())
