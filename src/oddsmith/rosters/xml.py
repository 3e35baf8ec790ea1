"""``.ros`` and ``.rosz``: rosters of BattleScribe and New Recruit, XML and zipped XML.

The files come from anywhere. Entities and document types are refused before anything is made of
them; an archive must hold one file of a plain name, and both what it says of its size and what
really comes out are held to a limit. Nothing is written from an archive.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import IO, TYPE_CHECKING, Any

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
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

    from oddsmith.rosters.lists import Roster

LARGEST = 5_000_000
"""Bytes of XML that are read."""

LARGEST_ARCHIVE = 3_000_000
"""Bytes of an archive that is opened."""

PIECE = 65_536
"""So many bytes are unpacked at a time."""

AGAIN = "export the roster again as .ros"


def unzipped(data: bytes) -> bytes:
    """The one file in an archive.

    Raises:
        OddsmithError: For several files, strange names, too much in it, and broken archives.
    """
    if len(data) > LARGEST_ARCHIVE:
        raise OddsmithError(f"its archive is larger than {LARGEST_ARCHIVE:,} bytes", AGAIN)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            if len(members) != 1:
                raise OddsmithError(f"its archive holds {len(members):,} files, not one", AGAIN)
            (member,) = members
            _refuse(member)
            with archive.open(member) as file:
                found = b"".join(_pieces(file))
    except (
        zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError,
        ValueError,
    ) as error:  # fmt: skip
        raise OddsmithError(f"its archive is broken: {plain(error)}", AGAIN) from None
    return found


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    """What comes out of an archive, bit by bit, up to the limit."""
    size = 0
    while piece := file.read(PIECE):
        size += len(piece)
        if size > LARGEST:
            raise OddsmithError(f"more than {LARGEST:,} bytes are in its archive", AGAIN)
        yield piece


def _refuse(member: zipfile.ZipInfo) -> None:
    """Refuse a member for what the archive says of it."""
    name = member.orig_filename
    if "/" in name or "\\" in name or ":" in name or "\0" in name or name in ("", ".", ".."):
        raise OddsmithError(f"its archive holds the strange name {plain(name)!r}", AGAIN)
    if member.file_size > LARGEST:
        raise OddsmithError(
            f"{member.file_size:,} bytes are in its archive, more than {LARGEST:,}", AGAIN
        )
    if member.flag_bits & 0x1:
        raise OddsmithError("its archive has a password", AGAIN)
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise OddsmithError("its archive is packed in a strange way", AGAIN)


def roster(data: bytes) -> Roster:
    """The list in a text of XML.

    Raises:
        OddsmithError: For what is no roster, and for entities.
    """
    root = _parsed(data)
    kind = _tag(root)
    if kind != "roster":
        catalogue = kind in ("catalogue", "gameSystem")
        what = "it is a catalogue of all units" if catalogue else f"its XML is a {plain(kind)!r}"
        raise OddsmithError(f"{what}, not a roster", "export a list from the list builder")
    bounds = Bounds(AGAIN)
    selections = [
        _selection(one, 1, bounds)
        for force in root.iter()
        if _tag(force) == "force"
        for one in _under(force, "selections", "selection")
    ]
    return roster_of(root.get("name") or "roster", root.get("gameSystemName") or "", selections)


def _parsed(data: bytes) -> Element:
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    if len(data) > LARGEST:
        raise OddsmithError(f"it is larger than {LARGEST:,} bytes", AGAIN)
    try:
        found: Element = fromstring(data, forbid_dtd=True)
    except DefusedXmlException:
        raise OddsmithError("its XML declares entities or a document type", AGAIN) from None
    except (ParseError, ValueError, LookupError) as error:
        raise OddsmithError(f"its XML is broken: {plain(error)}", AGAIN) from None
    return found


def _tag(element: Element) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def _under(element: Element, group: str, name: str) -> Iterator[Element]:
    """The elements of one name in a group of an element."""
    for part in element:
        if _tag(part) == group:
            yield from (one for one in part if _tag(one) == name)


def _selection(element: Element, depth: int, bounds: Bounds) -> Selection:
    name = plain(element.get("name") or "")
    sheets = [one for one in _under(element, "profiles", "profile") if one.get("hidden") != "true"]
    bounds.count(depth, len(sheets))
    costs = {cost.get("name") or "": cost.get("value") for cost in _under(element, "costs", "cost")}
    return Selection(
        name,
        plain(element.get("type") or "upgrade").lower(),
        counted(element.get("number"), name),
        priced(costs),
        tuple(map(_sheet, sheets)),
        tuple(
            _selection(one, depth + 1, bounds) for one in _under(element, "selections", "selection")
        ),
    )


def _sheet(element: Element) -> Sheet:
    """A profile; version 2.01 writes values as attributes, later ones as text."""
    cells: dict[str, Any] = {}
    for one in _under(element, "characteristics", "characteristic"):
        value = one.get("value")
        cells[plain(one.get("name") or "").lower()] = plain(value or one.text or "", 1000)
    kind = element.get("typeName") or element.get("profileTypeName") or ""
    return Sheet(plain(element.get("name") or ""), plain(kind), cells)
