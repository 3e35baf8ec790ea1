"""``legacy "8d6h4-4"``: the notation of very old programs, as far as its meaning is known.

Dice ``NdS``, their highest, lowest or middle ones (``h``, ``l``, ``m``), numbers, plus and minus.
"""

from __future__ import annotations

import re

from oddsmith.anydice import nodes as n

TERM = re.compile(
    r"\s*([+-]?)\s*(?:([0-9]{0,6})d([0-9]{1,6})(?:([hlm])([0-9]{1,6}))?|([0-9]{1,9}))"
)
KEPT = {"h": "highest ? of ?", "l": "lowest ? of ?", "m": "middle ? of ?"}


def legacy(text: str, span: n.Span) -> n.Node | None:
    """The value of such a text; None where it is not understood.

    >>> legacy("4d6h3", (0, 1)).shape
    'highest ? of ?'
    >>> legacy("6d10<5", (0, 1))
    """
    found: n.Node | None = None
    place = 0
    while place < len(text.rstrip()):
        match = TERM.match(text, place)
        if match is None or not (match[1] or not place):
            return None
        term = _term(match, span)
        if found is None:
            found = n.Unary("-", term, span) if match[1] == "-" else term
        else:
            found = n.Binary(match[1], found, term, span)
        place = match.end()
    return found


def _term(match: re.Match[str], span: n.Span) -> n.Node:
    _, count, sides, kept, many, number = match.groups()
    if number is not None:
        return n.Number(int(number), span)
    dice = n.Binary("d", n.Number(int(count or 1), span), n.Number(int(sides), span), span)
    if kept is None:
        return dice
    return n.Call(KEPT[kept], (n.Number(int(many), span), dice), span)
