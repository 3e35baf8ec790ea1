"""Small invented rosters, written as XML and as JSON, and archives of them."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass, field
from xml.sax.saxutils import quoteattr

SPACE = "http://www.battlescribe.net/schema/rosterSchema"
TENTH = "Warhammer 40,000 10th Edition"


@dataclass(frozen=True)
class Card:
    """A profile: a name, a kind and characteristics."""

    name: str
    kind: str
    cells: dict[str, str]


@dataclass(frozen=True)
class Pick:
    """A selection."""

    name: str
    kind: str = "upgrade"
    number: object = 1
    cards: tuple[Card, ...] = ()
    parts: tuple[Pick, ...] = ()
    costs: dict[str, object] = field(default_factory=dict)


def gun(
    name: str = "Rifle", keywords: str = "-", kind: str = "Ranged Weapons", **cells: str
) -> Card:
    """A weapon of the tenth edition: A 2, BS 3+, S 4, AP -1, D 1 unless said otherwise."""
    skill = "WS" if kind.startswith("Melee") else "BS"
    reach = "Melee" if kind.startswith("Melee") else '24"'
    usual = {"Range": reach, "A": "2", skill: "3+", "S": "4", "AP": "-1", "D": "1"}
    return Card(name, kind, {**usual, **cells, "Keywords": keywords})


def squad_of(*picks: Pick, models: int = 5, name: str = "Line Squad", cost: object = 0) -> Pick:
    """A unit of so many models with upgrades of its own."""
    men = Pick("Trooper", "model", models)
    return Pick(name, "unit", 1, parts=(men, *picks), costs={"pts": cost})


def as_xml(*picks: Pick, name: str = "Patrol", system: str = TENTH) -> bytes:
    """A ``.ros``."""
    inside = "".join(map(_xml, picks))
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><roster name={quoteattr(name)} '
        f'gameSystemName={quoteattr(system)} xmlns="{SPACE}"><costs/><forces><force name="F">'
        f"<selections>{inside}</selections></force></forces></roster>"
    ).encode()


def _xml(pick: Pick) -> str:
    cards = "".join(
        f'<profile name={quoteattr(card.name)} hidden="false" typeName={quoteattr(card.kind)}>'
        "<characteristics>"
        + "".join(
            f"<characteristic name={quoteattr(key)}>{value}</characteristic>"
            for key, value in card.cells.items()
        )
        + "</characteristics></profile>"
        for card in pick.cards
    )
    costs = "".join(
        f"<cost name={quoteattr(key)} value={quoteattr(str(value))}/>"
        for key, value in pick.costs.items()
    )
    return (
        f"<selection name={quoteattr(pick.name)} type={quoteattr(pick.kind)} "
        f"number={quoteattr(str(pick.number))}><profiles>{cards}</profiles><selections>"
        f"{''.join(map(_xml, pick.parts))}</selections><costs>{costs}</costs></selection>"
    )


def as_json(*picks: Pick, name: str = "Patrol", system: str = TENTH) -> bytes:
    """The same list as JSON."""
    force = {"name": "F", "selections": [_json(pick) for pick in picks]}
    roster = {"name": name, "gameSystemName": system, "forces": [force], "costs": []}
    return json.dumps({"roster": roster}).encode()


def _json(pick: Pick) -> dict[str, object]:
    return {
        "name": pick.name,
        "type": pick.kind,
        "number": pick.number,
        "profiles": [
            {
                "name": card.name,
                "typeName": card.kind,
                "hidden": False,
                "characteristics": [
                    {"name": key, "$text": value} for key, value in card.cells.items()
                ],
            }
            for card in pick.cards
        ],
        "selections": [_json(part) for part in pick.parts],
        "costs": [{"name": key, "value": value} for key, value in pick.costs.items()],
    }


def zipped(data: bytes, name: str = "patrol.ros", more: int = 0) -> bytes:
    """An archive of one file, and of so many more."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
        for place in range(more):
            archive.writestr(f"more-{place}.ros", data)
    return out.getvalue()
