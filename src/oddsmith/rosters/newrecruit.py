"""Rosters as JSON, as New Recruit exports them: the same tree as in ``.ros``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from oddsmith.errors import OddsmithError
from oddsmith.rosters.keywords import plain
from oddsmith.rosters.selections import (
    Bounds,
    Selection,
    Sheet,
    counted,
    priced,
    roster_of,
)

if TYPE_CHECKING:
    from oddsmith.rosters.lists import Roster

LARGEST = 5_000_000
"""Bytes of JSON that are read."""

AGAIN = "export the roster again as JSON"


def roster(data: bytes) -> Roster:
    """The list in a text of JSON.

    Raises:
        OddsmithError: For what is no roster.
    """
    if len(data) > LARGEST:
        raise OddsmithError(f"it is larger than {LARGEST:,} bytes", AGAIN)
    try:
        loaded = json.loads(data)
    except (ValueError, RecursionError) as error:
        why = "too deep" if isinstance(error, RecursionError) else plain(error)
        raise OddsmithError(f"its JSON is broken: {why}", AGAIN) from None
    root = loaded.get("roster", loaded) if isinstance(loaded, dict) else loaded
    if not isinstance(root, dict) or not isinstance(root.get("forces"), list):
        catalogue = isinstance(loaded, dict) and {"catalogue", "gameSystem"} & loaded.keys()
        what = "it is a catalogue of all units" if catalogue else "its JSON has no forces"
        raise OddsmithError(f"{what}, not a roster", "export a list from the list builder")
    selections = _forces(root, 1, Bounds(AGAIN))
    return roster_of(root.get("name") or "roster", root.get("gameSystemName") or "", selections)


def _forces(owner: dict[str, Any], depth: int, bounds: Bounds) -> list[Selection]:
    """The selections of all forces, also of those inside one another."""
    bounds.count(depth)
    found = []
    for force in _records(owner, "forces"):
        found += [_selection(one, depth, bounds) for one in _records(force, "selections")]
        found += _forces(force, depth + 1, bounds)
    return found


def _records(owner: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The records in a list.

    Raises:
        OddsmithError: Where something else stands there.
    """
    found = owner.get(name) or []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise OddsmithError(f"its {name} are no list of records", AGAIN)
    return found


def _selection(record: dict[str, Any], depth: int, bounds: Bounds) -> Selection:
    name = plain(record.get("name") or "")
    sheets = [one for one in _records(record, "profiles") if one.get("hidden") is not True]
    bounds.count(depth, len(sheets))
    return Selection(
        name,
        plain(record.get("type") or "upgrade").lower(),
        counted(record.get("number"), name),
        priced({str(one.get("name")): one.get("value") for one in _records(record, "costs")}),
        tuple(map(_sheet, sheets)),
        tuple(_selection(one, depth + 1, bounds) for one in _records(record, "selections")),
    )


def _sheet(record: dict[str, Any]) -> Sheet:
    cells = {}
    for one in _records(record, "characteristics"):
        value = one.get("$text", one.get("value"))
        cells[plain(one.get("name") or "").lower()] = plain("" if value is None else value, 1000)
    return Sheet(plain(record.get("name") or ""), plain(record.get("typeName") or ""), cells)
