"""One reader for all files of army lists: what is inside decides, not the name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from oddsmith.errors import OddsmithError
from oddsmith.rosters import newrecruit, unitcrunch, xml

if TYPE_CHECKING:
    from oddsmith.rosters.lists import Roster

LARGEST = 5_000_000
"""Bytes of a file that is read."""

KNOWN = "rosters are .ros, .rosz, JSON of New Recruit and exports of UnitCrunch"


def read(path: str | Path) -> Roster:
    """The list in a file.

    Raises:
        OddsmithError: With the name of the file, what is wrong with it and what to do.
    """
    try:
        return read_bytes(_bytes(Path(path)))
    except OddsmithError as error:
        raise OddsmithError(f"{path}: {error.message}", error.hint) from None


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            found = file.read(LARGEST + 1)
    except OSError as error:
        raise OddsmithError(f"it cannot be read: {error.strerror}", "look at its name") from None
    except ValueError:
        raise OddsmithError("this is no name of a file", "look at its name") from None
    if len(found) > LARGEST:
        raise OddsmithError(f"it is larger than {LARGEST:,} bytes", KNOWN)
    return found


def read_bytes(data: bytes) -> Roster:
    """The list in the bytes of a file.

    Raises:
        OddsmithError: For what is no list.
    """
    if data[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        data = xml.unzipped(data)
    start = data[:200].removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if start == b"<" or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return xml.roster(data)
    if start in (b"{", b"["):
        return newrecruit.roster(data)
    if data[:1] and (0x81 <= data[0] <= 0x8F or data[0] in (0xDE, 0xDF)):
        return unitcrunch.roster(data)
    raise OddsmithError("it is empty" if not data else "it is no roster", KNOWN)
