"""The tokens of the AnyDice language, each with its place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from oddsmith.errors import NotationError
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable

PATTERN = re.compile(
    r"""(?P<space>\s+)|(?P<comment>\\[^\\]*\\)|(?P<number>[0-9]+)|(?P<variable>[A-Z_]+)
    |(?P<word>[a-z]+)|(?P<text>"[^"]*")|(?P<sign>\.\s*\.|!=|<=|>=|[-+*/^@\#!&|<>=(){}\[\],:?])""",
    re.VERBOSE,
)
LARGEST = 100_000
"""Characters of a program that are read."""

LONGEST = 1_000
"""Digits of a number that is written down."""

MEANT = {
    "×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "—": "-", "≥": ">=", "≤": "<=", "≠": "!=",
    "…": "..", "∧": "&", "∨": "|",
}  # fmt: skip
"""Signs that are typed in another way."""

HINTS = {
    "%": "there is no remainder: write a function of A:n and B:n with result: A - B * (A / B)",
    ";": "statements need nothing between them: leave the ; out",
    "'": 'names stand in double quotes: named "my dice"',
    "$": "variables are capital letters only",
    "~": "not is written !",
}  # fmt: skip
CURLY = "“”„«»‘’"


class Token(Record):
    """One token.

    Attributes:
        kind: ``number``, ``variable``, ``word``, ``text``, ``sign`` or ``end``.
        text: Its characters, without quotes.
        start: Where it begins.
        end: Where it ends.
    """

    kind: str
    text: str
    start: int
    end: int


def tokens(source: str) -> list[Token]:
    """All tokens, with an ``end`` behind them.

    Raises:
        NotationError: For characters that mean nothing, and unclosed comments and names.

    >>> [token.text for token in tokens("output 2d6 + N")]
    ['output', '2', 'd', '6', '+', 'N', '']
    """
    if len(source) > LARGEST:
        raise NotationError("the program is too long", source[:200], (0, 1), f"{LARGEST:,} at most")
    found: list[Token] = []
    place = 0
    while place < len(source):
        match = PATTERN.match(source, place)
        if match is None:
            _refuse(source, place, found)
        kind, text = str(match.lastgroup), match.group()
        if kind == "number" and len(text) > LONGEST:
            raise NotationError(
                "this number is too long",
                source,
                (place, place + 10),
                f"{LONGEST:,} digits at most",
            )
        if kind not in ("space", "comment"):
            shown = text[1:-1] if kind == "text" else ".." if text.startswith(".") else text
            found.append(Token(kind, shown, place, match.end()))
        place = match.end()
    found.append(Token("end", "", len(source), len(source)))
    return found


def _refuse(source: str, place: int, before: list[Token]) -> NoReturn:
    """Say what a character is that means nothing."""

    def fail(message: str, hint: str, start: int = place, end: int = place + 1) -> NoReturn:
        raise NotationError(message, source, (start, end), hint)

    char, rest = source[place], source[place + 1 :]
    if char == "\\":
        fail("this comment is never closed", "a comment ends with another backslash")
    if char == '"':
        torn = [token for token in before if token.kind == "text" and "\n" in token.text]
        first = torn[0].start if torn else place
        fail("this name is never closed", 'a name ends with another "', first, first + 1)
    if char in CURLY:
        fail("curly quotes are not understood", 'type straight ones: named "my dice"')
    if char == ".":
        _decimal(source, place, fail)
    if char == "%" and before and before[-1].text == "d":
        fail("d% is not understood", "write d100")
    if (
        char == "%"
        and before
        and before[-1].kind == "number"
        and not re.match(r"[ ]*[0-9A-Z(\[{#d]", rest)
    ):
        number = before[-1].text
        fail("there are no percent signs", f"a chance of {number} % is d100 <= {number}")
    if char in MEANT:
        fail(f"{char} has no meaning here", f"write {MEANT[char]}")
    if char == ";" and re.search(r"\{[\d\s,.;:+-]*$", source[:place]):
        fail("; has no meaning here", "parts of a sequence have commas between them: {1, 2, 3}")
    if char.isnumeric():
        fail(f"{char} is no whole number", "there are whole numbers only, with the digits 0 to 9")
    if not char.isprintable():
        fail(f"there is a character that cannot be seen, U+{ord(char):04X}", "take it out")
    if char.isalpha():
        fail(f"{char} has no meaning here", "names have the letters a to z, variables A to Z")
    fail(f"{char} has no meaning here", HINTS.get(char, "leave it out"))


def _decimal(source: str, place: int, fail: Callable[..., NoReturn]) -> None:
    """A number with a decimal point."""
    match = re.compile(r"\d*\.\d+|\d+\.").search(source, max(0, _digits_before(source, place)))
    if match and match.start() <= place < match.end():
        fail(
            f"{match.group()} is no whole number",
            "there are whole numbers only: count in halves or tenths, or use / at the end",
            match.start(), match.end(),
        )  # fmt: skip
    fail("a dot by itself has no meaning here", "write a range with two dots: 1..6")


def _digits_before(source: str, place: int) -> int:
    while place and source[place - 1].isdigit():
        place -= 1
    return place
