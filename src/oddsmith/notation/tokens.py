"""Text to tokens: numbers, words, quoted text and operators, each with its place.

Full-width forms and the mathematical signs × − ≥ ≤ ≠ are read as their plain forms; comments go;
everything else that is not plain notation is an error here, at the place where it stands.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NoReturn

from oddsmith.errors import NotationError, OddsmithError
from oddsmith.record import Record

MAX_TEXT = 2_000
MAX_DIGITS = 40

SIGNS = {
    "×": "*", "✕": "*", "⋅": "*", "·": "*", "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-",
    "≥": ">=", "≤": "<=", "≠": "<>", "÷": "/", "\u00a0": " ",
    "\u2009": " ", "\u202f": " ", "\u3000": " ",
}  # fmt: skip
OPERATORS = ("//", "**", "!!", "!=", "<>", ">=", "<=", "==", "&&", "||", "..", *"+-*/!<>=(){},;:%^")
PATTERN = re.compile(
    r"(?P<space>[ \t\r]+)|(?P<comment>\#[^\n]*)|(?P<newline>\n)"
    r"|(?P<number>[0-9]+(?:\.[0-9]+)?)"
    r"|(?P<word>[A-Za-z_]+)|(?P<text>\"[^\"\n]*\"|'[^'\n]*')|(?P<label>\[[^\]\n]*\])"
    r"|(?P<op>" + "|".join(re.escape(op) for op in OPERATORS) + ")"
)
MENDS = {
    "|": "the size of a number is `abs(d6 - d8)`; between questions write or: `d6 = 6 or d8 = 8`",
    "?": "write `if d20 >= 11 then 1 else 0`",
    "&": "between questions write and: `d6 = 6 and d8 = 8`",
}
QUOTES = "“”„‟«»‘’‚‹›`´"


class Token(Record):
    """A piece of the text.

    Attributes:
        kind: ``number``, ``word``, ``text``, ``op``, ``newline`` or ``end``.
        text: Its plain form; a word in lower case.
        start: Where it starts in the source.
        end: Where it ends.
        spaced: Whether space stands before it.
        raw: The word as written.
    """

    kind: str
    text: str
    start: int
    end: int
    spaced: bool = False
    raw: str = ""


def tokenize(source: str) -> list[Token]:
    """All tokens, the last of kind ``end``.

    Raises:
        NotationError: At the first character that is not notation, or when the text is too long.
        OddsmithError: Where the source is no text.

    >>> [token.text for token in tokenize("4d6kh3 ≥ 15")]
    ['4', 'd', '6', 'kh', '3', '>=', '15', '']
    """
    if not isinstance(source, str):
        raise OddsmithError(f"dice are written as text, not as {source!r}", 'write odds("3d6")')
    if len(source) > MAX_TEXT:
        raise NotationError(
            f"the text has {len(source):,} characters, the limit is {MAX_TEXT:,}",
            source, (MAX_TEXT, MAX_TEXT + 1), "ask for less at once, or use the Python library",
        )  # fmt: skip
    plain, places = _normalised(source)
    tokens: list[Token] = []
    spaced, position = False, 0
    while position < len(plain):
        found = PATTERN.match(plain, position)
        if found is None:
            _refuse(source, plain, position, places)
        kind = str(found.lastgroup)
        text = found.group()
        start, end = places[position], places[found.end()]
        position = found.end()
        if kind == "comment" and not spaced and tokens and tokens[-1].kind == "number":
            raise NotationError(
                "# starts a comment, so the dice behind it would be lost",
                source,
                (start, start + 1),
                f"to repeat write {tokens[-1].text}x(4d6); before a comment put a space",
            )
        if kind in ("space", "comment", "label"):
            spaced = True
            continue
        _check(kind, text, source, (start, end))
        shown = text.lower() if kind == "word" else text
        if kind == "text":
            shown = source[start + 1 : end - 1]
        tokens.append(Token(kind, shown, start, end, spaced, text))
        spaced = False
    tokens.append(Token("end", "", len(source), len(source), spaced))
    return tokens


def _normalised(source: str) -> tuple[str, list[int]]:
    """Plain characters and, for each (and the end), its place in the source."""
    plain: list[str] = []
    places: list[int] = []
    for place, char in enumerate(source):
        if "\uff01" <= char <= "\uff5e":
            char = chr(ord(char) - 0xFEE0)
        for piece in SIGNS.get(char, char):
            plain.append(piece)
            places.append(place)
    return "".join(plain), [*places, len(source)]


def _check(kind: str, text: str, source: str, span: tuple[int, int]) -> None:
    if kind == "number" and "." in text:
        raise NotationError(
            f"{text} is a decimal number, which is not exact", source, span,
            f"write a fraction: {Fraction(text)}" if len(text) < MAX_DIGITS else "write a fraction",
        )  # fmt: skip
    if kind == "number" and len(text) > MAX_DIGITS:
        raise NotationError(
            f"a number of {len(text)} digits is too large", source, span,
            f"numbers have at most {MAX_DIGITS} digits",
        )  # fmt: skip


def _refuse(source: str, plain: str, position: int, places: list[int]) -> NoReturn:
    char = plain[position]
    span = (places[position], places[position] + 1)
    if char in QUOTES:
        raise NotationError(f"{char} is a curly quote", source, span, 'use the plain quote "')
    if char in "\"'":
        raise NotationError("the quoted text has no end", source, span, f"close it with {char}")
    if char in "[]":
        raise NotationError("the [label] has no end or no start", source, span, "write [label]")
    if char in MENDS:
        raise NotationError(f"{char} has no meaning here", source, span, MENDS[char])
    if char.isnumeric():
        raise NotationError(
            f"{char!r} is not one of the digits 0 to 9", source, span, "write the plain digits 0-9"
        )
    raise NotationError(
        f"{char!r} means nothing here", source, span,
        "dice are written like 3d6, questions like 3d6 >= 11",
    )  # fmt: skip
