"""Files that want to do harm, and files that are broken: one message, quickly, and no memory."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile
from pathlib import Path

import msgpack
import pytest

from oddsmith.errors import OddsmithError
from oddsmith.rosters import files, newrecruit, unitcrunch, xml
from oddsmith.rosters.files import read, read_bytes

from .made import Pick, as_json, as_xml, gun, squad_of, zipped

GOOD = as_xml(squad_of(Pick("Rifle", number=5, cards=(gun(),))))
LAUGHS = b"""<?xml version="1.0"?><!DOCTYPE roster [
<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">
<!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;"><!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;">]>
<roster name="&e;&e;&e;"><forces/></roster>"""
OUTSIDE = b"""<?xml version="1.0"?><!DOCTYPE roster [<!ENTITY x SYSTEM "file:///etc/hostname">]>
<roster name="&x;"><forces/></roster>"""


def test_the_list_that_these_files_are_made_of_is_good() -> None:
    assert len(read_bytes(GOOD).arms) == 1
    assert len(read_bytes(zipped(GOOD)).arms) == 1


# --- XML


@pytest.mark.parametrize(
    "data",
    [
        LAUGHS,
        OUTSIDE,
        b'<!DOCTYPE roster SYSTEM "http://localhost/x.dtd"><roster><forces/></roster>',
        b"<!DOCTYPE roster><roster><forces/></roster>",
        LAUGHS.decode().encode("utf-16"),
    ],
    ids=["laughs", "outside", "dtd", "doctype", "utf-16"],
)
def test_entities_and_document_types_are_refused(data: bytes) -> None:
    for packed in (data, zipped(data)):
        with pytest.raises(OddsmithError, match="declares entities or a document type"):
            read_bytes(packed)


@pytest.mark.parametrize(
    "data",
    [
        b"<roster", b"<roster><forces></roster>", b"<", b"<roster>\xff\xfe</roster>",
        b'<?xml version="1.0" encoding="no-such"?><roster/>', GOOD[:-20], b"<a>" * 50_000,
        b"<roster name='&undeclared;'/>", b"\xff\xfe<\x00",
    ],
)  # fmt: skip
def test_broken_xml_is_refused(data: bytes) -> None:
    with pytest.raises(OddsmithError, match="its XML is broken"):
        read_bytes(data)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"<html><body/></html>", "its XML is a 'html', not a roster"),
        (b"<catalogue name='x'/>", "it is a catalogue of all units, not a roster"),
        (b"<gameSystem/>", "it is a catalogue of all units, not a roster"),
        (b"<roster/>", "it lists no weapons"),
        (b"<roster><forces><force/></forces></roster>", "it lists no weapons"),
    ],
)
def test_other_xml_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(OddsmithError, match=words) as caught:
        read_bytes(data)
    assert caught.value.hint


def test_xml_that_is_too_large_is_refused() -> None:
    with pytest.raises(OddsmithError, match="larger than"):
        xml.roster(b"<" + b" " * xml.LARGEST)


def test_too_many_selections_are_refused() -> None:
    many = b"<selection/>" * 6_000
    data = (
        b"<roster><forces><force><selections>" + many + b"</selections></force></forces></roster>"
    )
    with pytest.raises(OddsmithError, match="too many selections"):
        read_bytes(data)


def test_too_many_profiles_of_one_selection_are_refused() -> None:
    cards = tuple(gun(f"Rifle {number}") for number in range(101))
    for data in (as_xml(Pick("Rifle", cards=cards)), as_json(Pick("Rifle", cards=cards))):
        with pytest.raises(OddsmithError, match="a selection has more than 100 profiles"):
            read_bytes(data)


def test_too_many_weapons_of_one_unit_are_refused() -> None:
    cards = tuple(gun(f"Rifle {number}") for number in range(80))
    data = as_json(squad_of(*(Pick("Rifle", cards=cards) for _ in range(40))))
    with pytest.raises(OddsmithError, match="a unit has more than 3,000 weapons"):
        read_bytes(data)


# --- archives


def declared(size: int, data: bytes = GOOD) -> bytes:
    """An archive that says its file has another size, in both places where it says so."""
    packed = bytearray(zipped(data))
    packed[22:26] = struct.pack("<I", size)
    central = packed.rindex(b"PK\x01\x02")
    packed[central + 24 : central + 28] = struct.pack("<I", size)
    return bytes(packed)


def test_a_bomb_is_refused_without_being_unpacked() -> None:
    bomb = zipped(b"<roster>" + b" " * 100_000_000)
    assert len(bomb) < 200_000
    tracemalloc.start()
    try:
        with pytest.raises(OddsmithError, match=r"100,000,008 bytes are in its archive"):
            read_bytes(bomb)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5_000_000


def test_a_size_of_100_mb_that_is_only_declared_is_refused() -> None:
    with pytest.raises(OddsmithError, match=r"100,000,000 bytes are in its archive"):
        read_bytes(declared(100_000_000))


def test_a_bomb_that_says_it_is_small_is_refused() -> None:
    bomb = declared(100, b"<roster>" + b" " * 50_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(OddsmithError, match="its archive is broken"):
            read_bytes(bomb)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5_000_000


@pytest.mark.parametrize(
    "name",
    ["../patrol.ros", "/etc/patrol.ros", "a/b.ros", "..\\patrol.ros", "C:\\patrol.ros", "..",
     "C:patrol.ros", "folder/"],
)  # fmt: skip
def test_names_that_lead_elsewhere_are_refused(name: str, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(OddsmithError, match="strange name"):
        read_bytes(zipped(GOOD, name))
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("more", [1, 200])
def test_several_files_are_refused(more: int) -> None:
    with pytest.raises(OddsmithError, match=f"its archive holds {more + 1} files, not one"):
        read_bytes(zipped(GOOD, more=more))


def test_an_empty_archive_is_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w"):
        pass
    with pytest.raises(OddsmithError, match="its archive holds 0 files"):
        read_bytes(out.getvalue())


@pytest.mark.parametrize("cut", [1, 10, 30, 60, 200])
def test_a_cut_archive_is_refused(cut: int) -> None:
    with pytest.raises(OddsmithError, match="its archive is broken"):
        read_bytes(zipped(GOOD)[:-cut])


def test_a_changed_archive_is_refused() -> None:
    packed = bytearray(zipped(GOOD))
    packed[60] ^= 0xFF
    with pytest.raises(OddsmithError, match="its archive is broken"):
        read_bytes(bytes(packed))


def test_an_archive_with_a_password_is_refused() -> None:
    packed = bytearray(zipped(GOOD))
    packed[packed.rindex(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(OddsmithError, match="password"):
        read_bytes(bytes(packed))


def test_other_ways_of_packing_are_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("patrol.ros", GOOD)
    with pytest.raises(OddsmithError, match="strange way"):
        read_bytes(out.getvalue())


def test_an_archive_in_an_archive_is_refused() -> None:
    with pytest.raises(OddsmithError, match="it is no roster"):
        read_bytes(zipped(zipped(GOOD)))


# --- JSON


@pytest.mark.parametrize(
    "data",
    [b"{", b'{"roster": ', b"[" * 100_000, b'{"a":' * 100_000, b"{\xff}",
     b'{"n": ' + b"9" * 5000 + b"}"],
    ids=["brace", "cut", "deep list", "deep record", "no text", "digits"],
)  # fmt: skip
def test_broken_json_is_refused(data: bytes) -> None:
    with pytest.raises(OddsmithError, match="its JSON is broken"):
        read_bytes(data)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"{}", "its JSON has no forces"),
        (b"[]", "its JSON has no forces"),
        (b'{"roster": []}', "its JSON has no forces"),
        (b'{"roster": {"forces": {}}}', "its JSON has no forces"),
        (b'{"roster": {"forces": [1]}}', "its forces are no list of records"),
        (b'{"roster": {"forces": [{"selections": "x"}]}}', "its selections are no list"),
        (b'{"roster": {"forces": [{"selections": [{"profiles": [[]]}]}]}}', "its profiles are no"),
        (b'{"roster": {"forces": []}}', "it lists no weapons"),
        (b'{"catalogue": {}}', "it is a catalogue of all units"),
    ],
)
def test_other_json_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(OddsmithError, match=words) as caught:
        read_bytes(data)
    assert caught.value.hint


def test_json_that_is_too_large_is_refused() -> None:
    with pytest.raises(OddsmithError, match="larger than"):
        newrecruit.roster(b"{" + b" " * newrecruit.LARGEST)


def test_forces_too_deep_are_refused() -> None:
    data = b'{"forces": [' * 60 + b"{}" + b"]}" * 60
    with pytest.raises(OddsmithError, match="too many"):
        read_bytes(data)


# --- MessagePack


@pytest.mark.parametrize(
    "data",
    [
        b"\x81", b"\x82\xa8profiles", b"\xdf\xff\xff\xff\xff",
        b"\x81\xa8profiles\xdd\xff\xff\xff\xff",
        b"\x81\xc1\xc1", b"\x81\xa1a" * 5000, b"\x81\xa2\xff\xfe\x01", b"\x81\x01\x02",
        b"\x81\xa1a\xdb\xff\xff\xff\xff", msgpack.packb({"profiles": []}) + b"more",
        b"\x81\xa8profiles" + b"\xdd\x00\x0f\x42\x40" * 300 + b"\x00" * 1_000_000,
    ],
)  # fmt: skip
def test_broken_messagepack_is_refused(data: bytes) -> None:
    with pytest.raises(OddsmithError, match="its MessagePack is broken"):
        read_bytes(data)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"appVersion": "0.73"}, "has no profiles"),
        ({"profiles": {}}, "has no profiles"),
        ({"profiles": [1]}, "its profiles are no list of records"),
        ({"profiles": [{"units": 3}]}, "its units are no list of records"),
        ({"profiles": [{"units": [{"model_types": ["x"]}]}]}, "its model_types are no list"),
        ({"profiles": []}, "it lists no weapons"),
    ],
)
def test_other_messagepack_is_refused(value: object, words: str) -> None:
    with pytest.raises(OddsmithError, match=words):
        read_bytes(msgpack.packb(value))


def test_messagepack_that_is_too_large_is_refused() -> None:
    with pytest.raises(OddsmithError, match="larger than"):
        unitcrunch.roster(b"\x81" * (unitcrunch.LARGEST + 1))


# --- files


@pytest.mark.parametrize("data", [b"hello", b"\x00\x01", b"%PDF-1.7", b"GIF89a", b"Rifle x4\n"])
def test_other_files_are_refused(data: bytes) -> None:
    with pytest.raises(OddsmithError, match="it is no roster") as caught:
        read_bytes(data)
    assert ".rosz" in caught.value.hint


def test_messages_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "list.rosz"
    for data, words in ((b"", "it is empty"), (b"PK\x03\x04", "its archive is broken")):
        path.write_bytes(data)
        with pytest.raises(OddsmithError) as caught:
            read(path)
        assert caught.value.message.startswith(f"{path}: {words}")
        assert caught.value.hint


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "none.ros", tmp_path, Path("a\0b")):
        with pytest.raises(OddsmithError):
            read(path)


def test_a_file_that_is_too_large_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "large.ros"
    with path.open("wb") as file:
        file.truncate(3_000_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(OddsmithError, match="larger than"):
            read(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 3 * files.LARGEST


def test_the_name_of_the_file_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    for data in (
        GOOD,
        zipped(GOOD),
        b"\xef\xbb\xbf" + GOOD,
        b"\n" + GOOD[GOOD.index(b"<roster") :],
    ):
        path.write_bytes(data)
        assert len(read(path).arms) == 1
    path.write_bytes(as_json(squad_of(Pick("Rifle", number=5, cards=(gun(),)))))
    assert len(read(path).arms) == 1
