"""What stands in the cells of a weapon profile, and weapon keywords, as fields of ``Weapon``.

Nothing is guessed: a cell that makes no sense is refused with a reason, and a keyword that is not
in the list has no meaning here.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any

from oddsmith.errors import RuleError
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

LONGEST = 80
"""So many characters of a name or a keyword are kept."""

FACES = (2, 3, 4, 6, 8, 10, 12, 20)
"""Dice that there are; a D7 is a mistake of the list."""

SITUATIONS = {
    "half-range": "where the target is within half range",
    "stationary": "where the unit did not move",
    "charging": "where the unit charged",
    "unseen": "where the target is out of sight",
}
"""What a keyword may depend on, besides the kind of the target."""

Fields = dict[str, Any]


def plain(text: Any, most: int = LONGEST) -> str:
    """A text on one line, without characters that steer a terminal, and not too long.

    >>> plain("bolt\\u00a0rifle \\x1b[31m\\n")
    'bolt rifle [31m'
    """
    spaced = re.sub(r"\s+", " ", str(text)[: 20 * most])
    kept = "".join(letter for letter in spaced if not unicodedata.category(letter).startswith("C"))
    kept = re.sub(r" +", " ", kept).strip()
    return kept if len(kept) <= most else kept[: most - 2].rstrip() + ".."


def shown(text: Any) -> str:
    """A cell as it is quoted in a message."""
    return repr(plain(text, 30))


# --- cells


def dice(text: Any) -> int | str:
    """A number or dice such as ``D6+1``, in the notation.

    Raises:
        RuleError: For anything else, and for dice with a strange number of faces.

    >>> dice("3"), dice("d6 + 1"), dice("1D3"), dice("2D6")
    (3, 'D6+1', 'D3', '2D6')
    """
    found = re.sub(r"\s", "", plain(text))
    if re.fullmatch(r"\d{1,4}", found):
        return int(found)
    match = re.fullmatch(r"(\d{0,2})[dD](\d{1,3})([+-]\d{1,2})?", found)
    if match is None or match[1] in ("0", "00"):
        raise RuleError(f"{shown(text)} is no number and no dice", "write for example 2 or D6+1")
    faces = int(match[2])
    if faces not in FACES:
        raise RuleError(f"{shown(text)} has a die with {faces} faces", "look it up in your rules")
    count = int(match[1] or 1)
    return f"{count if count > 1 else ''}D{faces}{match[3] or ''}"


def skill(text: Any) -> str:
    """What a roll needs; ``none`` where there is no roll.

    >>> skill("3+"), skill(3), skill("N/A")
    ('3+', '3+', 'none')
    """
    found = plain(text).upper()
    if found in ("N/A", "NA", "-", "–", "—"):
        return "none"
    match = re.fullmatch(r"(\d)\s?\+?", found)
    if match is None or match[1] in "01":
        raise RuleError(f"{shown(text)} is no skill", "write for example 3+")
    return f"{match[1]}+"


def strength(text: Any, bearer: int | None = None) -> int:
    """A strength, which may be that of the bearer, changed.

    >>> strength("4"), strength("User", 4), strength("x2", 4), strength("+1", 4)
    (4, 4, 8, 5)
    """
    found = re.sub(r"\s", "", plain(text)).lower()
    if re.fullmatch(r"\d{1,3}", found):
        return int(found)
    match = re.fullmatch(r"(?:user|u|s)?(?:([x×*+])(\d{1,2}))?", found)
    if not found or match is None:
        raise RuleError(f"{shown(text)} is no strength", "write a whole number")
    if bearer is None:
        raise RuleError(f"{shown(text)} needs the bearer's strength", "write a whole number")
    number = int(match[2] or 0)
    return bearer if match[1] is None else bearer + number if match[1] == "+" else bearer * number


def piercing(text: Any, signed: bool = True) -> int:
    """By how much armour saves are worsened.

    Args:
        text: The cell.
        signed: Whether it must be written with a minus; elsewhere older rules with another scale
            would be taken for it.

    >>> piercing("-1"), piercing("0"), piercing("-"), piercing("2", signed=False)
    (1, 0, 0, 2)
    """
    found = re.sub(r"\s", "", plain(text)).translate({0x2212: "-", 0x2013: "-", 0x2014: "-"})
    if found == "-":
        return 0
    match = re.fullmatch(r"(-?)(\d{1,2})", found)
    if match is None:
        raise RuleError(f"{shown(text)} is no AP", "write for example -1")
    if signed and not match[1] and int(match[2]):
        raise RuleError(
            f"AP {shown(text)} has no minus", "older rules count AP otherwise: write ap yourself"
        )
    return int(match[2])


# --- keywords


class Meaning(Record):
    """What a keyword does.

    Attributes:
        text: The keyword as it is written.
        fields: Fields of ``Weapon`` and what they become, ready for the file.
        needs: A situation of ``SITUATIONS``, or ``against`` with a kind of target; empty for a
            keyword that always counts.
    """

    text: str
    fields: tuple[tuple[str, Any], ...] = ()
    needs: str = ""

    @property
    def when(self) -> str:
        """On what it depends, in words."""
        return SITUATIONS.get(self.needs, self.needs)

    def holds(self, situation: Collection[str]) -> bool:
        """Whether it counts: always, or because what it needs is given."""
        return not self.needs or self.needs in situation


IGNORED = {
    "assault", "pistol", "heavy weapon", "close-quarters", "precision", "psychic", "extra attacks",
    "one shot", "shoot in combat", "companion", "grenade", "melee", "ranged", "-", "–",
}  # fmt: skip
"""Keywords known to change nothing in the odds of an attack on one target."""

_N = r"(\d{0,2}[dD]\d{1,3}(?:\s?[+-]\s?\d{1,2})?|\d{1,4})"

PATTERNS: tuple[tuple[str, Callable[..., Fields], str], ...] = (
    (rf"sustain(?:ed)? hits {_N}", lambda n: {"sustained": dice(n)}, ""),
    (r"lethal hits", lambda: {"lethal": True}, ""),
    (r"devastating wounds", lambda: {"devastating": True}, ""),
    (r"twin[- ]linked", lambda: {"reroll_wounds": ["not-succeeding"]}, ""),
    (r"torrent", lambda: {"skill": "none"}, ""),
    (r"blast", lambda: {"blast": 1}, ""),
    (r"(?:blast|cleave) (\d{1,2})", lambda n: {"blast": int(n)}, ""),
    (r"ignores? cover", lambda: {"ignores_cover": True}, ""),
    (r"hazardous", lambda: {"hazardous": True}, ""),
    (rf"rapid fire {_N}", lambda n: {"rapid_fire": dice(n)}, "half-range"),
    (rf"melta {_N}", lambda n: {"melta": dice(n)}, "half-range"),
    (r"heavy", lambda: {"hit_modifier": 1}, "stationary"),
    (r"lance", lambda: {"wound_modifier": 1}, "charging"),
    (r"indirect fire", lambda: {"indirect": True}, "unseen"),
    (r"crit \(2 hits\)", lambda: {"sustained": 1}, ""),
    (r"crit \(auto-wound\)", lambda: {"lethal": True}, ""),
    (r"crit \(mortal\)", lambda: {"mortal_hits": True}, ""),
)
_ANTI = re.compile(r"anti[- ](.+?) ([2-6])\+")


def listed(text: Any) -> list[str]:
    """Keywords that stand in one cell, one by one.

    >>> listed("[ANTI-FLY 4+], Crit (Mortal), -")
    ['ANTI-FLY 4+', 'Crit (Mortal)']
    """
    parts = re.split(r",(?![^(]*\))", plain(text, 1000))
    found = (part.strip().removeprefix("[").removesuffix("]").strip() for part in parts)
    return [plain(part) for part in found if part and part not in "-–—"]


def meaning(text: str) -> Meaning | None:
    """What one keyword does; None for one that is not known.

    Raises:
        RuleError: For a known keyword with dice that there are not.

    >>> meaning("Sustained Hits D3").fields, meaning("Anti-vehicle 4+").needs
    ((('sustained', 'D3'),), 'against vehicle')
    >>> meaning("Pistol").fields, meaning("Song of Doom")
    ((), None)
    """
    keyword = plain(text)
    if keyword.lower() in IGNORED:
        return Meaning(keyword)
    for pattern, make, needs in PATTERNS:
        match = re.fullmatch(pattern, keyword, re.IGNORECASE)
        if match:
            return Meaning(keyword, tuple(make(*match.groups()).items()), needs)
    anti = _ANTI.fullmatch(keyword.lower())
    if anti:
        return Meaning(keyword, (("critical_wound", int(anti[2])),), f"against {anti[1]}")
    return None
