"""Weapons and targets from text: single values as people write them, and TOML files of units.

A squad lists its weapons, a target its stat line::

    edition = "40k-10"

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
from typing import Any

from oddsmith.answers.ask import odds
from oddsmith.errors import OddsmithError, RuleError
from oddsmith.games.attack_profiles import Target, Weapon
from oddsmith.mechanics.checks import KINDS

LARGEST = 1_000_000
"""Bytes of a file that is read."""

FLAGS = {
    name for record in (Weapon, Target) for name, kind in get_annotations(record).items()
    if kind == "bool"
}  # fmt: skip
TARGETS = {"skill", "wound", "save", "invulnerable", "ward", "critical_hit", "critical_wound"}
DICE = {"attacks", "damage", "sustained", "rapid_fire", "melta"}
REROLLS = {"reroll_hits", "reroll_wounds", "reroll_saves"}


def value_of(field: str, text: Any) -> Any:
    """A field's value from what was written.

    Args:
        field: The name of the field of ``Weapon`` or ``Target``.
        text: A text such as ``3+``, ``D6+1`` or ``ones``, or a plain number or truth value.

    Raises:
        RuleError: With the field, where it makes no sense.

    >>> value_of("skill", "3+"), value_of("damage", "d6").mean, value_of("reroll_hits", "1")
    (3, Fraction(7, 2), (1,))
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
        return Fraction(str(text))
    if field in TARGETS and isinstance(text, str):
        if text.lower() in ("auto", "automatic", "none", "-"):
            return None
        match = re.fullmatch(r"\s*(\d{1,2})\s*\+?\s*", text)
        if match is None:
            raise RuleError(f"{field} is {text!r}", "write for example 3+")
        return int(match[1])
    if isinstance(text, bool) or not re.fullmatch(r"\s*[+-]?\d{1,4}\s*", str(text)):
        raise RuleError(f"{field} is {text!r}", "write a whole number")
    return int(text)


def _source(field: str, part: Any) -> Any:
    if str(part) in KINDS:
        return str(part)
    if re.fullmatch(r"\d", str(part)):
        return int(part)
    raise RuleError(f"{field} is {part!r}", f"write a face or one of {', '.join(KINDS)}")


def _dice(field: str, text: Any) -> Any:
    if isinstance(text, int) and not isinstance(text, bool):
        return text
    try:
        answers = odds(str(text))
    except OddsmithError as error:
        raise RuleError(f"{field} is {text!r}: {error.message}", "write for example D6+1") from None
    if len(answers) != 1 or answers[0].kind != "distribution":
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

    def line(self, field: str, place: int = 0) -> int:
        """The line in which a field stands, of the table with this place in the file."""
        seen, first = -1, 1
        for number, line in enumerate(self.text.splitlines(), 1):
            seen += line.strip().startswith("[[")
            if re.match(rf"\s*{re.escape(field)}\s*=", line):
                first = number if first == 1 else first
                if seen == place:
                    return number
        return first

    def fields(self, record: Any, table: dict[str, Any], place: int, skip: set[str]) -> Any:
        """A record from a table of the file."""
        known = set(get_annotations(record))
        values = {}
        for field, text in table.items():
            if field in skip:
                continue
            where = f"{self.path.name}, line {self.line(field, place)}"
            if field not in known:
                near = get_close_matches(field, known, 1)
                hint = (
                    f"did you mean {near[0]}?" if near else f"fields are {', '.join(sorted(known))}"
                )
                raise RuleError(f"{where}: {field} is not known", hint)
            try:
                values[field] = value_of(field, text)
            except RuleError as error:
                raise RuleError(f"{where}: {error.message}", error.hint) from None
        made = record(**values)
        try:
            return made.checked()
        except RuleError as error:
            field = next((name for name in values if f" {name} " in error.message), "")
            where = f"{self.path.name}, line {self.line(field, place)}"
            raise RuleError(f"{where}: {error.message}", error.hint) from None


def squad(path: str | Path) -> tuple[tuple[Weapon, ...], str | None]:
    """The weapons of a file, and the edition it names.

    Raises:
        OddsmithError: With the file, the line and the field.
    """
    loaded = Loaded(path)
    tables = loaded.data.get("weapon")
    if not isinstance(tables, list) or not tables:
        raise OddsmithError(f"{path} lists no weapons", "write [[weapon]] above each")
    weapons = tuple(
        loaded.fields(Weapon, table, place, set()) for place, table in enumerate(tables)
    )
    return weapons, loaded.data.get("edition")


def target(path: str | Path) -> Target:
    """The target of a file; further kinds of models stand under ``[[others]]``.

    Raises:
        OddsmithError: With the file, the line and the field.
    """
    loaded = Loaded(path)
    others = tuple(
        loaded.fields(Target, table, place, set())
        for place, table in enumerate(loaded.data.get("others", []))
    )
    first: Target = loaded.fields(Target, loaded.data, 0, {"others", "edition"})
    return first.but(others=others)
