"""Stat lines of an army list: a unit as the target of an attack."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from oddsmith.answers.attack_files import value_of
from oddsmith.errors import OddsmithError, RuleError
from oddsmith.games.attack_profiles import Target
from oddsmith.record import Record
from oddsmith.rosters.keywords import plain, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from oddsmith.rosters.lists import Troop

COLUMNS = {
    "toughness": ("t", "toughness"),
    "save": ("sv", "save", "sv."),
    "invulnerable": ("insv", "inv", "invuln", "invulnerable save"),
    "ward": ("ward", "ward save", "fnp", "feel no pain"),
    "wounds": ("w", "health", "wounds"),
}
"""Fields of ``Target`` and how lists call them, in lower case."""

NAMED = re.compile(
    r"(invulnerable save|feel no pain|ward(?: save)?)\s*[:\-]?\s*\(?([2-6])\+\)?", re.IGNORECASE
)
"""Abilities whose name says all: Invulnerable Save (4+)."""

PROSE = ("invulnerable", "feel no pain", "ward", "damage")
"""Words of abilities that may change what a target is."""


class Kind(Record):
    """Like models of a unit.

    Attributes:
        name: What they are called.
        models: How many there are.
        fields: Fields of ``Target`` that are understood, ready for the file.
        problems: Why they cannot be a target as they stand.
    """

    name: str
    models: int
    fields: tuple[tuple[str, Any], ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        """The stat line in a few words.

        >>> Kind("Guard", 5, (("toughness", 3), ("save", "5+"), ("wounds", 1))).said
        'T3, save 5+, 1 wound'
        """
        values = dict(self.fields)
        parts = [f"T{values['toughness']}"] if "toughness" in values else []
        named = ("save", "invulnerable", "ward")
        parts += [f"{field} {values[field]}" for field in named if field in values]
        if "wounds" in values:
            parts.append(f"{values['wounds']} wound{'s' * (values['wounds'] != 1)}")
        return ", ".join(parts)


def is_stat_line(cells: Mapping[str, str]) -> bool:
    """Whether characteristics are those of a model.

    >>> is_stat_line({"t": "4", "w": "2"}), is_stat_line({"health": "2", "save": "4+"})
    (True, True)
    >>> is_stat_line({"range": "24", "a": "2"})
    False
    """
    return {"t", "w"} <= cells.keys() or {"health", "save"} <= cells.keys()


def kind_of(name: str, models: int, cells: Mapping[str, str], abilities: Iterable[str]) -> Kind:
    """Models from their characteristics and the names of their abilities.

    >>> cells = {"t": "4", "sv": "3+", "w": "2"}
    >>> dict(kind_of("Guard", 5, cells, ["Invulnerable Save (5+)"]).fields)["invulnerable"]
    '5+'
    """
    fields: dict[str, Any] = {}
    problems: list[str] = []
    for field, names in COLUMNS.items():
        text = next((cells[one] for one in names if one in cells), None)
        if text is None:
            continue
        try:
            found = _cell(field, text)
        except RuleError as error:
            problems.append(f"{field}: {error.message}")
            continue
        if found is not None:
            fields[field] = found
    for ability in abilities:
        match = NAMED.fullmatch(plain(ability))
        if match:
            field = "invulnerable" if match[1].lower().startswith("inv") else "ward"
            fields.setdefault(field, f"{match[2]}+")
    return Kind(plain(name), models, tuple(fields.items()), tuple(problems))


def unread(abilities: Iterable[str]) -> tuple[str, ...]:
    """Names of abilities that look as if they changed what a target is, and are not read.

    >>> unread(["Invulnerable Save (5+)", "Invulnerable Save*", "Stealth"])
    ('Invulnerable Save*',)
    """
    return tuple(
        name
        for name in dict.fromkeys(map(plain, abilities))
        if any(word in name.lower() for word in PROSE) and not NAMED.fullmatch(name)
    )


def _cell(field: str, text: str) -> Any:
    """A characteristic as a value; None where it says that there is none."""
    found = re.sub(r"\s", "", plain(text))
    if field in ("toughness", "wounds"):
        if not re.fullmatch(r"\d{1,3}", found):
            raise RuleError(f"{shown(text)} is no whole number", "write it yourself")
        return int(found)
    if found.lower() in ("", "-", "–", "—", "n/a", "none"):
        return "none" if field == "save" else None
    match = re.fullmatch(r"([2-7])\+?", found)
    if match is None:
        raise RuleError(f"{shown(text)} is no save", "write for example 3+")
    return f"{match[1]}+"


def ready(troop: Troop) -> None:
    """Make sure that a unit can be a target.

    Raises:
        OddsmithError: Where the list gives no stat line, or one that makes no sense.
    """
    if not troop.kinds:
        raise OddsmithError(
            f"the list gives no stat line of {troop.name}", "write the target yourself"
        )
    for kind in troop.kinds:
        for problem in kind.problems:
            raise OddsmithError(f"{kind.name}: {problem}", "write the target yourself")
        target(kind, Fraction(0))


def target(kind: Kind, points: Fraction) -> Target:
    """Models as a target.

    Args:
        kind: The models.
        points: What one of them costs.

    >>> target(Kind("Guard", 5, (("save", "5+"),)), Fraction(9)).models
    5
    """
    made = {field: value_of(field, value) for field, value in kind.fields}
    found = Target(name=kind.name, models=kind.models, points=points, **made)
    return found.checked()


def price(troop: Troop) -> Fraction:
    """What a model of a unit costs, all alike; 0 where the list does not say."""
    models = sum(kind.models for kind in troop.kinds)
    return troop.cost / models if models else Fraction(0)


def target_of(path: str | Path, name: str | None = None) -> Target:
    """A unit of an army list as a target.

    Args:
        path: The list.
        name: The unit, upper or lower case; left out, the only one.

    Raises:
        OddsmithError: With the file, for a list without such a unit or stat line.
    """
    from oddsmith.rosters.files import read

    try:
        roster = read(path).only([] if name is None else [name])
    except OddsmithError as error:
        message = error.message
        named = message if message.startswith(str(path)) else f"{path}: {message}"
        raise OddsmithError(named, error.hint) from None
    if len(roster.troops) > 1:
        some = ", ".join(dict.fromkeys(troop.name for troop in roster.troops))
        raise OddsmithError(
            f"{path}: there are {len(roster.troops)} units"
            + ("" if name is None else f" called {shown(name)}"),
            f"name one with --unit: {plain(some, 250)}" if name is None else "rename one of them",
        )
    troop = roster.troops[0]
    try:
        ready(troop)
    except OddsmithError as error:
        hint = error.hint or "write the target yourself"
        raise OddsmithError(f"{path}: {error.message}", hint) from None
    first, *others = (target(kind, price(troop)) for kind in troop.kinds)
    return first.but(others=tuple(others))


def stat_lines(troop: Troop) -> Iterator[str]:
    """The lines of a file with the stat line of a unit; further kinds of models below."""
    for place, kind in enumerate(troop.kinds):
        if place:
            yield "[[others]]"
        yield from (f"{field} = {found}" for field, found in _values(troop, kind))
        yield ""


def _values(troop: Troop, kind: Kind) -> Iterator[tuple[str, str]]:
    from oddsmith.rosters.toml import value

    yield "name", value(kind.name)
    yield "models", value(kind.models)
    for field, found in kind.fields:
        yield field, value(found)
    if each := price(troop):
        yield "points", value(int(each) if each.denominator == 1 else str(each))
