"""Army lists as TOML that ``squad`` reads; whatever is not certain stands in it as a comment."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from oddsmith.rosters.keywords import plain
from oddsmith.rosters.targets import ready, stat_lines

if TYPE_CHECKING:
    from collections.abc import Collection

    from oddsmith.rosters.lists import Arm, Roster

ORDER = ("name", "count", "attacks", "skill", "strength", "wound", "ap", "damage")
"""The fields that come first."""


def written(roster: Roster, source: str, situation: Collection[str] = ()) -> str:
    """The text of a squad file.

    Args:
        roster: What was read.
        source: The name of the file it comes from.
        situation: What holds, such as ``half-range`` or ``against vehicle``.
    """
    lines = [*_head(roster, source), *_edition(roster)]
    names = unique(roster)
    for troop in roster.troops:
        many = f", {troop.models} model{'s' * (troop.models != 1)}" if troop.models else ""
        lines += [f"# --- {plain(troop.name)}{many}"]
        lines += [f"# note: {plain(note, 250)}" for note in troop.notes]
        lines.append("")
        for arm in troop.arms:
            lines += [*_block(arm, names[id(arm)], situation), ""]
    return "\n".join(lines)


def written_unit(
    roster: Roster, source: str, situation: Collection[str] = (), weapons: bool = True
) -> str:
    """The text of a file with the stat line of the only unit of a list, and its weapons.

    Args:
        roster: A list of one unit.
        source: The name of the file it comes from.
        situation: What holds.
        weapons: Whether to write the weapons, too.

    Raises:
        OddsmithError: Where the list gives no stat line.
    """
    (troop,) = roster.troops
    ready(troop)
    lines = [*_head(roster, source), *(_edition(roster) if weapons else ())]
    lines += [f"# note: {plain(note, 250)}" for note in troop.notes if "target" in note]
    lines += stat_lines(troop)
    if len(troop.kinds) > 1:
        lines += ["# Models are hit in this order.", ""]
    names = unique(roster)
    for arm in troop.arms if weapons else ():
        lines += [*_block(arm, names[id(arm)], situation), ""]
    return "\n".join(lines)


def _head(roster: Roster, source: str) -> list[str]:
    return [
        f"# From {plain(source)}: {_said(roster.name, roster.system)}.",
        "# Counts are those of the list. Look over them before you trust the odds.",
        "",
    ]


def _edition(roster: Roster) -> list[str]:
    return [f"edition = {quoted(roster.edition)}", ""] if roster.edition else []


def _said(name: str, system: str) -> str:
    return ", ".join(plain(part) for part in (name, system) if part).rstrip(".")


def unique(roster: Roster) -> dict[int, str]:
    """A name for each weapon, by its identity; no two are the same."""
    names: dict[int, str] = {}
    taken: set[str] = set()
    alone: dict[str, int] = {}
    for arm in roster.arms:
        alone[arm.name] = alone.get(arm.name, 0) + 1
    for troop in roster.troops:
        for arm in troop.arms:
            name = arm.name if alone[arm.name] == 1 else f"{arm.name} ({troop.name})"
            found, number = name, 2
            while found in taken:
                found, number = f"{name} {number}", number + 1
            taken.add(found)
            names[id(arm)] = found
    return names


def _block(arm: Arm, name: str, situation: Collection[str]) -> list[str]:
    """One weapon; as a comment where it cannot be used as it stands."""
    fields = {"name": name, "count": arm.count, **arm.active(situation)}
    first = {field: fields.pop(field) for field in ORDER if field in fields}
    lines = ["[[weapon]]"]
    lines += [f"{field} = {value(found)}" for field, found in (first | fields).items()]
    if arm.problems:
        for column, text in arm.cells:
            if column not in first:
                lines.append(f"{column} =  # the list says {quoted(text)}")
    if not arm.ready:
        lines = [f"# {line}" for line in lines]
    before = [f"# not used: {plain(problem, 200)}" for problem in arm.problems]
    if arm.instead_of:
        before.append(f"# another way to fire {plain(arm.instead_of)}: use one of them")
    before += [f"# note: {plain(note, 250)}" for note in arm.notes]
    return [*before, *lines, *_conditions(arm, situation), *_unknown(arm)]


def _conditions(arm: Arm, situation: Collection[str]) -> list[str]:
    """Fields of keywords that depend on what is not given."""
    lines = []
    for one in arm.meanings:
        if one.holds(situation):
            continue
        fields = {"half_range": True} if one.needs == "half-range" else dict(one.fields)
        lines += [
            f"# {field} = {value(found)}  # {plain(one.text)}: {plain(one.when)}"
            for field, found in fields.items()
        ]
    return lines


def _unknown(arm: Arm) -> list[str]:
    return [f"# not understood: {plain(word, 160)}" for word in arm.unknown]


def value(found: Any) -> str:
    """A value of TOML.

    >>> value(True), value("D6+1"), value(["not-succeeding"])
    ('true', '"D6+1"', '["not-succeeding"]')
    """
    if isinstance(found, bool):
        return "true" if found else "false"
    if isinstance(found, int):
        return str(found)
    if isinstance(found, list):
        return f"[{', '.join(map(value, found))}]"
    return quoted(str(found))


def quoted(text: str) -> str:
    """A string of TOML, on one line and without control characters.

    >>> quoted('a "b"')
    '"a \\\\"b\\\\""'
    """
    return json.dumps(plain(text, 200), ensure_ascii=False)
