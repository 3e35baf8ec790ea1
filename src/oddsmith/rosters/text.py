"""Army lists as text for a terminal: a table for each unit, and what to look at below it."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from oddsmith.games.attack_profiles import EDITIONS
from oddsmith.rosters.keywords import plain

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from oddsmith.rosters.lists import Arm, Roster, Troop

WIDEST = 32
"""So many characters of a weapon's name are shown."""

COLUMNS = ("attacks", "skill", "strength", "ap", "damage")
HEADS = ("weapon", "count", "attacks", "skill", "strength", "AP", "damage")


def told(roster: Roster, situation: Collection[str] = (), width: int = 80) -> str:
    """All units with their weapons.

    Args:
        roster: What was read.
        situation: What holds, such as ``half-range`` or ``against vehicle``.
        width: Characters of a line.
    """
    parts = [_title(roster)]
    parts += ["\n".join(_unit(troop, situation, width)) for troop in roster.troops]
    return "\n\n".join(parts)


def _title(roster: Roster) -> str:
    named = ", ".join(part for part in (roster.name, roster.system) if part)
    if roster.edition:
        return f"{named}\nrules: {roster.edition}, {EDITIONS[roster.edition].name}"
    return f"{named}\nrules: the list names none that are known; odds attack --edition says which"


def _unit(troop: Troop, situation: Collection[str], width: int) -> Iterator[str]:
    many = f", {troop.models} model{'s' * (troop.models != 1)}" if troop.models else ""
    yield f"{troop.name}{many}"
    several = len(troop.kinds) > 1
    for kind in troop.kinds:
        who = f"{kind.models} x {kind.name}: " if several else ""
        bad = f"; {'; '.join(kind.problems)}" if kind.problems else ""
        yield f"  {who}{kind.said}{bad}"
    rows = [HEADS, *(_row(arm) for arm in troop.arms)] if troop.arms else []
    sizes = [max((len(row[place]) for row in rows), default=0) for place in range(len(HEADS))]
    for place, row in enumerate(rows):
        cells = [row[0].ljust(sizes[0])]
        cells += [cell.rjust(size) for cell, size in zip(row[1:], sizes[1:], strict=True)]
        yield f"  {'  '.join(cells)}".rstrip()
        if place:
            for line in _below(troop.arms[place - 1], situation):
                yield from wrap(line, width, initial_indent="      ", subsequent_indent=" " * 8)
    for note in troop.notes:
        yield from wrap(f"look: {note}", width, initial_indent="  ", subsequent_indent="    ")


def _row(arm: Arm) -> tuple[str, ...]:
    """The cells of one weapon; what was not understood stands as the list has it, with a mark."""
    fields, cells = dict(arm.fields), dict(arm.cells)
    found = []
    for column in COLUMNS:
        own = "wound" if column == "strength" and "wound" in cells else column
        text = str(fields[own]) if own in fields else f"{cells.get(own, '?')}!"
        if own == "ap" and fields.get(own):
            text = f"-{text}"
        found.append(f"wound {text}" if own == "wound" else text)
    count = str(arm.count) if arm.ready else f"({arm.count})"
    return (plain(arm.name, WIDEST), count, *found)


def _below(arm: Arm, situation: Collection[str]) -> Iterator[str]:
    """What is to be said of one weapon."""
    used = [one.text for one in arm.meanings if one.fields and one.holds(situation)]
    open_ = [
        f"{one.text} ({one.when})"
        for one in arm.meanings
        if one.fields and not one.holds(situation)
    ]
    nothing = [one.text for one in arm.meanings if not one.fields]
    if used:
        yield f"understood: {', '.join(used)}"
    if open_:
        yield f"understood, but not switched on: {', '.join(open_)}"
    if nothing:
        yield f"changes nothing here: {', '.join(nothing)}"
    if arm.unknown:
        yield f"not understood: {', '.join(arm.unknown)}"
    for problem in arm.problems:
        yield f"not used: {problem}"
    if arm.instead_of:
        yield f"not used: another way to fire {arm.instead_of}"
    for note in arm.notes:
        yield f"look: {note}"
