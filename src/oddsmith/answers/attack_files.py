"""Weapons and targets from text: single values as people write them, and TOML files of units.

A squad lists its weapons, a target its stat line; a file may hold both, for a unit that attacks
and is attacked::

    edition = "40k-10"

    save = "3+"
    models = 10

    [[weapon]]
    name = "bolt rifle"
    count = 10
    attacks = 2
    skill = "3+"
    strength = 4
    ap = 1

Fields are those of ``Weapon`` and ``Target``; dice are written in the notation (``"D6+1"``).
"""

from __future__ import annotations

import re
import tomllib
from difflib import get_close_matches
from fractions import Fraction
from inspect import get_annotations
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from oddsmith.answers.ask import odds
from oddsmith.dist import Dist
from oddsmith.errors import OddsmithError, RuleError
from oddsmith.games.attack_profiles import EDITIONS, Target, Weapon
from oddsmith.games.attack_rolls import DAMAGE_WORDS, WORDS
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterable

LARGEST = 1_000_000
"""Bytes of a file that is read."""

FLAGS = {
    name for record in (Weapon, Target) for name, kind in get_annotations(record).items()
    if kind == "bool"
}  # fmt: skip
TARGETS = {
    "skill", "wound", "save", "invulnerable", "ward", "ward_mortal", "critical_hit",
    "critical_wound", "sustained_on", "lethal_on", "devastating_on", "mortal_on",
}  # fmt: skip
DICE = {"attacks", "damage", "sustained", "rapid_fire", "melta", "critical_damage"}
REROLLS = {"reroll_hits", "reroll_wounds", "reroll_saves", "reroll_damage"}


def value_of(field: str, text: Any) -> Any:
    """A field's value from what was written.

    Args:
        field: The name of the field of ``Weapon`` or ``Target``.
        text: A text such as ``3+``, ``D6+1`` or ``ones``, or a plain number or truth value. AP may
            be written with its minus.

    Raises:
        RuleError: With the field, where it makes no sense.

    >>> value_of("skill", "3+"), value_of("damage", "d6").mean, value_of("reroll_hits", "1")
    (3, Fraction(7, 2), (1,))
    >>> value_of("skill", "auto"), value_of("wound", "auto"), value_of("wound", "none")
    (None, 0, None)
    """
    if field in FLAGS:
        if not isinstance(text, bool):
            raise RuleError(f"{field} is {text!r}", "write true or false")
        return text
    if field == "name":
        return str(text)
    if field in DICE:
        return _dice(field, text)
    if field in REROLLS:
        parts = text if isinstance(text, list) else re.split(r"[,\s]+", str(text))
        return tuple(_source(field, part) for part in parts if part not in ("", "none"))
    if field == "points":
        return _points(field, text)
    if field in TARGETS and isinstance(text, str):
        if text.lower() in ("auto", "automatic", "none", "-"):
            return 0 if field == "wound" and text.lower().startswith("auto") else None
        match = re.fullmatch(r"\s*(\d{1,2})\s*\+?\s*", text)
        if match is None:
            raise RuleError(f"{field} is {text!r}", "write for example 3+")
        return int(match[1])
    if field == "damage_set" and str(text).strip().lower() == "none":
        return None
    if isinstance(text, bool) or not re.fullmatch(r"\s*[+-]?\d{1,4}\s*", str(text)):
        raise RuleError(f"{field} is {text!r}", "write a whole number")
    return abs(int(text)) if field == "ap" else int(text)


def _points(field: str, text: Any) -> Fraction:
    try:
        found = Fraction(str(text))
    except (ValueError, ZeroDivisionError):
        raise RuleError(f"{field} is {text!r}", "write a number such as 15 or 7.5") from None
    if found < 0:
        raise RuleError(f"{field} is {text!r}", "write a number of 0 or more")
    return found


def _source(field: str, part: Any) -> Any:
    known, faces = (WORDS, r"[1-6]") if field != "reroll_damage" else (DAMAGE_WORDS, r"\d{1,2}")
    if str(part) in known:
        return str(part)
    if re.fullmatch(faces, str(part)):
        return int(part)
    raise RuleError(f"{field} is {part!r}", f"write a face or one of {', '.join(known)}")


def _dice(field: str, text: Any) -> Any:
    if isinstance(text, int) and not isinstance(text, bool):
        return text
    try:
        answers = odds(str(text))
    except OddsmithError as error:
        raise RuleError(f"{field} is {text!r}: {error.message}", "write for example D6+1") from None
    if len(answers) != 1 or not isinstance(answers[0].dist, Dist):
        raise RuleError(f"{field} is {text!r}", "write for example D6+1")
    return answers[0].dist


class Loaded:
    """A file with its text, to say in which line something stands."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            if self.path.stat().st_size > LARGEST:
                raise OddsmithError(f"{path} is larger than {LARGEST:,} bytes")
            self.text = self.path.read_text(encoding="utf-8")
            self.data = tomllib.loads(self.text)
        except OSError as error:
            raise OddsmithError(f"{path} cannot be read: {error.strerror}") from error
        except UnicodeDecodeError:
            raise OddsmithError(f"{path} is no text file") from None
        except tomllib.TOMLDecodeError as error:
            raise OddsmithError(f"{path} is no TOML: {error}") from None

    def where(self, field: str, table: str = "", place: int = 0) -> str:
        """The file and the line in which a field stands.

        Args:
            field: Its name, or that of a table; the line of the table where it is not found.
            table: The name of the table that it is in; empty for the top of the file.
            place: Which of several tables of this name.
        """
        return f"{self.path.name}, line {self._line(field, table, place)}"

    def _line(self, field: str, table: str, place: int) -> int:
        header = re.compile(r"\s*\[+\s*([\w-]+)\s*\]+")
        here, seen, first = not table, -1, 1
        for number, line in enumerate(self.text.splitlines(), 1):
            found = header.match(line)
            if found and not table and found[1] == field:
                return number
            if found:
                seen += found[1] == table
                here = found[1] == table and seen == place
                first = number if here else first
            if here and re.match(rf"\s*[\"']?{re.escape(field)}[\"']?\s*=", line):
                return number
        return first

    def tables(self, name: str) -> list[dict[str, Any]]:
        """The tables of one name, one after the other.

        Raises:
            OddsmithError: Where something else has this name.
        """
        found = self.data.get(name, [])
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            raise OddsmithError(
                f"{self.where(name)}: {name} is no list of tables", f"write [[{name}]] above each"
            )
        return found

    def only(self, *known: str) -> None:
        """Refuse fields at the top of the file that mean nothing there."""
        for field in self.data:
            if field not in known:
                self._unknown(field, self.where(field), known)

    def _unknown(self, field: str, where: str, known: Iterable[str]) -> NoReturn:
        near = get_close_matches(field, list(known), 1)
        hint = f"did you mean {near[0]}?" if near else f"fields are {', '.join(sorted(known))}"
        raise RuleError(f"{where}: {field} is not known", hint)

    def record(
        self, kind: Any, fields: dict[str, Any], table: str = "", place: int = 0, **more: Any
    ) -> Any:
        """A record from the fields of a table, with more parts that are ready."""
        known = set(get_annotations(kind)) - {"others"}
        values = {}
        for field, text in fields.items():
            where = self.where(field, table, place)
            if field not in known:
                self._unknown(field, where, known)
            try:
                values[field] = value_of(field, text)
            except RuleError as error:
                raise RuleError(f"{where}: {error.message}", error.hint) from None
        made = kind(**values, **more)
        try:
            return made.checked()
        except RuleError as error:
            field = next((name for name in values if f": {name} " in error.message), "")
            where = self.where(field, table, place)
            raise RuleError(f"{where}: {error.message}", error.hint) from None


class Side(Record):
    """A file of a unit: what it attacks with, and what it is when it is attacked.

    Attributes:
        weapons: In the order of the file.
        stats: Its stat line; None where the file gives none.
        edition: The rules that it names.
    """

    weapons: tuple[Weapon, ...]
    stats: Target | None
    edition: str | None


def side(path: str | Path) -> Side:
    """Everything in a file: ``[[weapon]]`` tables, a stat line at its top, ``[[others]]``.

    Raises:
        OddsmithError: With the file, the line and the field.
    """
    loaded = Loaded(path)
    stats = get_annotations(Target)
    loaded.only("weapon", "edition", *stats)
    edition = loaded.data.get("edition")
    if edition is not None and edition not in EDITIONS:
        near = get_close_matches(str(edition), EDITIONS, 1)
        hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(EDITIONS)}"
        raise RuleError(f"{loaded.where('edition')}: edition is {edition!r}", hint)
    weapons = [
        loaded.record(Weapon, fields, "weapon", place)
        for place, fields in enumerate(loaded.tables("weapon"))
    ]
    others = [
        loaded.record(Target, fields, "others", place)
        for place, fields in enumerate(loaded.tables("others"))
    ]
    own = {
        field: text for field, text in loaded.data.items() if field in stats and field != "others"
    }
    if others and weapons and not own:
        raise RuleError(
            f"{loaded.where('others')}: others stand without a stat line",
            "write save, wounds and models of the first kind at the top of the file",
        )
    empty = not own and not others
    found = None if empty else loaded.record(Target, own, others=tuple(others))
    return Side(tuple(weapons), found, edition)


def squad(path: str | Path) -> tuple[tuple[Weapon, ...], str | None]:
    """The weapons of a file, and the edition it names.

    Raises:
        OddsmithError: With the file, the line and the field.
    """
    found = side(path)
    if not found.weapons:
        raise OddsmithError(f"{path} lists no weapons", "write [[weapon]] above each")
    return found.weapons, found.edition


def target(path: str | Path) -> Target:
    """The target of a file; further kinds of models stand under ``[[others]]``.

    Raises:
        OddsmithError: With the file, the line and the field.
    """
    found = side(path)
    if found.stats is None and found.weapons:
        raise OddsmithError(
            f"{path} gives no stat line", "write toughness, save, wounds and models at its top"
        )
    return found.stats or Target()
