"""The tokens of the AnyDice language, each with its place."""

from __future__ import annotations

import re
from typing import NoReturn

from oddsmith.errors import NotationError
from oddsmith.record import Record

PATTERN = re.compile(
    r"""(?P<space>\s+)|(?P<comment>\\[^\\]*\\)|(?P<number>[0-9]+)|(?P<variable>[A-Z_]+)
    |(?P<word>[a-z]+)|(?P<text>"[^"]*")|(?P<sign>\.\s*\.|!=|<=|>=|[-+*/^@\#!&|<>=(){}\[\],:])""",
    re.VERBOSE,
)
LARGEST = 100_000
"""Characters of a program that are read."""

HINTS = {
    "“": 'use straight quotes: "name"', "”": 'use straight quotes: "name"',
    "‘": 'use straight double quotes: "name"', "’": 'use straight double quotes: "name"',
    "%": "there is no modulo; write a function, or count with / and *",
    ";": "statements need nothing between them: leave the ; out",
    ".": "numbers are whole; multiply, or write a range with two dots: 1..6",
    "'": 'names stand in double quotes: named "my dice"',
    "?": "write a variable in capitals, or a number",
    "\\": "a comment ends with another backslash",
    '"': 'a name ends with another "',
}  # fmt: skip


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
    found, place = [], 0
    while place < len(source):
        match = PATTERN.match(source, place)
        if match is None:
            _refuse(source, place)
        kind, text = str(match.lastgroup), match.group()
        if kind not in ("space", "comment"):
            shown = text[1:-1] if kind == "text" else ".." if text.startswith(".") else text
            found.append(Token(kind, shown, place, match.end()))
        place = match.end()
    found.append(Token("end", "", len(source), len(source)))
    return found


def _refuse(source: str, place: int) -> NoReturn:
    char = source[place]
    message = f"{char} has no meaning here"
    if char == "\\":
        message = "this comment is never closed"
    if char == '"':
        message = "this name is never closed"
    raise NotationError(message, source, (place, place + 1), HINTS.get(char, "leave it out"))
