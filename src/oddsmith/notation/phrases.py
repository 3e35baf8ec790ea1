"""What to write instead of several words together, such as ``at least 2 sixes``.

A phrase is looked for anywhere in a text that went wrong; what is offered holds the dice and the
numbers of the text.
"""

from __future__ import annotations

import re

from oddsmith.errors import NotationError

DICE = re.compile(r"(?<![a-z0-9_)])([1-9][0-9]?)?d(100|%|[2-9]|[1-9][0-9])(?![0-9])", re.IGNORECASE)
NUMBERS = ("no", "one", "two", "three", "four", "five", "six")
FACES = {
    "ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6, "sevens": 7, "eights": 8,
    "nines": 9, "tens": 10, "twelves": 12, "twenties": 20,
}  # fmt: skip
OPERATORS = {
    "exactly": "=", "at most": "<=", "more than": ">", "less than": "<", "fewer than": "<",
}  # fmt: skip
HIGHER = ("higher", "more", "greater", "bigger", "larger", "better", "over", "above", "beyond")
LOWER = ("lower", "less", "fewer", "smaller", "worse", "under", "below", "beneath")

COUNTED = re.compile(
    rf"(?:\b({'|'.join(OPERATORS)}|at least)\s+)?\b({'|'.join(NUMBERS)}|[0-9]{{1,3}})\s+"
    rf"(?:([0-9]{{1,3}})'?s|({'|'.join(FACES)}))\b",
    re.IGNORECASE,
)
THAN = re.compile(
    rf"(?<!\bor )\b(not?\s+)?({'|'.join((*HIGHER, *LOWER))})(?:\s+than)?\s+([0-9]{{1,4}})\b",
    re.IGNORECASE,
)
BOUND = re.compile(
    r"\b(at\s+most|up\s+to|not?\s+more\s+than|at\s+least|not?\s+(?:less|fewer)\s+than)\s+"
    r"([0-9]{1,4})\b",
    re.IGNORECASE,
)
LEAST = re.compile(r"least|less|fewer", re.IGNORECASE)
PAIRS = re.compile(rf"\b({'|'.join(NUMBERS[1:])}|[1-9])\s+pairs?\b", re.IGNORECASE)
BEST_OF = re.compile(r"^\s*best\s+of\s+(\w+)\s*(\(.+\))?\s*$", re.IGNORECASE)
OF_TWO = re.compile(
    r"\b(best|better|highest|higher|larger|max|worst|worse|lowest|lower|smaller|min)\s+of\s+"
    r"(?:the\s+)?(.+?)\s*(?:,|\band\b|\bor\b)\s*(.+)$",
    re.IGNORECASE,
)
SOME_OF = re.compile(
    r"\b(best|highest|top|worst|lowest|bottom)\s+([0-9]{1,2})\s+of\s+([0-9]{1,2}d[0-9]{1,3})\s*$",
    re.IGNORECASE,
)
ALIKE = re.compile(r"\ball\s+(?:the\s+|are\s+)*(same|equal|alike|identical)\b", re.IGNORECASE)
APART = re.compile(r"\ball\s+(?:are\s+)?(different|distinct|unique|unequal)\b", re.IGNORECASE)
DOUBLES = re.compile(r"\bdoubles?\b", re.IGNORECASE)
SIDES = re.compile(r"^(.+?)\s+(?:beats?|against|versus)\s+(.+)$", re.IGNORECASE)
CHECKED = re.compile(
    r"([0-9]{0,3}d[0-9]{1,3})\s*(>=|>|<=|<|=)\s*([0-9]{1,3})\s*"
    r"((?:!+p?[0-9]*[+-]?)|(?:(?:-c|f|cf)\s*[0-9]+))\s*$",
    re.IGNORECASE,
)
BEHIND = re.compile(
    r"\s*([0-9]{1,5})\s*(\+|-|or\s+(?:more|higher|better|above|over|less|lower|fewer|below|under)"
    r"|'?s)\s*$",
    re.IGNORECASE,
)

ADDEND = r"(?:[0-9]*d(?:[0-9]+|%)|[0-9]+)"
SUM = re.compile(rf"(?<![a-z0-9_])({ADDEND}(?:\s*[-+]\s*{ADDEND})*)", re.IGNORECASE)


def readable(text: str) -> bool:
    """Whether a text is notation.

    >>> readable("3d6 >= 11"), readable("3d6 >=")
    (True, False)
    """
    from oddsmith.notation.parser import parse

    try:
        parse(text)
    except NotationError:
        return False
    return True


def size(found: re.Match[str]) -> tuple[int, int]:
    """How many dice :data:`DICE` found, and their sides."""
    return int(found[1] or 1), 100 if found[2] == "%" else int(found[2])


def pool(found: re.Match[str]) -> str:
    """The dice that were found where they are several, else four of them."""
    return found[0] if size(found)[0] > 1 else f"4d{found[2]}"


def phrase(source: str) -> str:
    """What to write instead of the words of a text, or an empty string.

    >>> phrase("5d6 at least 2 sixes")
    '`5d6c6 >= 2` asks for that many dice'
    >>> phrase("3d6 lower than 12")
    'write `3d6 < 12`'
    """
    rules = (
        _of_two, _series, _some_of, _counted, _paired, _alike, _doubles, _bounded, _than, _sides,
    )  # fmt: skip
    return next(filter(None, (rule(source) for rule in rules)), "")


def _of_two(source: str) -> str:
    found = OF_TWO.search(source)
    if found is None or OF_TWO.search(source, found.start(2)):
        return ""
    low = found[1].lower() in ("worst", "worse", "lowest", "lower", "smaller", "min")
    text = f"{'min' if low else 'max'}({found[2]}, {found[3]})"
    return f"write `{text}`" if readable(text) else ""


def _series(source: str) -> str:
    """``best of 5``: more than half of so many games are won."""
    found = BEST_OF.match(source)
    if found is None:
        return ""
    many = found[1].lower()
    games = NUMBERS.index(many) if many in NUMBERS else int(many) if many.isdigit() else 0
    text = f"{games}x{found[2] or '(coin = 1)'} >= {games // 2 + 1}"
    return f"a series of {games} games is `{text}`" if games % 2 and readable(text) else ""


def _paired(source: str) -> str:
    found, dice = PAIRS.search(source), DICE.search(source)
    if found is None or dice is None:
        return ""
    many = found[1].lower()
    number = NUMBERS.index(many) if many in NUMBERS else int(many)
    return f"`{pool(dice)} pairs >= {number}` asks for it; four alike are two pairs"


def _bounded(source: str) -> str:
    found = BOUND.search(source)
    if found is None:
        return ""
    before = total(source[: found.start()])
    op = ">=" if LEAST.search(found[1]) else "<="
    return f"`{before} {op} {found[2]}` asks for the total" if before else ""


def _some_of(source: str) -> str:
    found = SOME_OF.search(source)
    if found is None or not 0 < int(found[2]) <= int(found[3].lower().split("d")[0]):
        return ""
    side = "l" if found[1].lower() in ("worst", "lowest", "bottom") else "h"
    return f"write `{found[3]}k{side}{found[2]}`" if readable(found[3]) else ""


def _counted(source: str) -> str:
    found, dice = COUNTED.search(source), DICE.search(source)
    if found is None or dice is None:
        return ""
    many = found[2].lower()
    number = NUMBERS.index(many) if many in NUMBERS else int(many)
    face = int(found[3]) if found[3] else FACES[found[4].lower()]
    op = OPERATORS.get((found[1] or "").lower(), ">=" if number else "=")
    return f"`{pool(dice)}c{face} {op} {number}` asks for that many dice"


def _alike(source: str) -> str:
    dice = DICE.search(source)
    if dice is None:
        return ""
    if ALIKE.search(source):
        return f"`{pool(dice)} unique = 1` asks for it"
    some = pool(dice)
    return f"`{some} unique = {some.split('d')[0]}` asks for it" if APART.search(source) else ""


def _doubles(source: str) -> str:
    """Doubles of percentile dice are their tens and ones."""
    dice = DICE.search(source)
    if dice is None or size(dice) != (1, 100) or not DOUBLES.search(source):
        return ""
    return f"write `{dice[0]} in {{{', '.join(map(str, range(11, 100, 11)))}, 100}}`"


def _than(source: str) -> str:
    found = THAN.search(source)
    if found is None:
        return ""
    before = total(source[: found.start()]) or total(source[found.end() :])
    high = found[2].lower() in HIGHER
    op = ("<=" if high else ">=") if found[1] else (">" if high else "<")
    return f"write `{before} {op} {found[3]}`" if before else ""


def _sides(source: str) -> str:
    found = SIDES.match(source.strip())
    text = f"{found[1]} vs {found[2]}" if found and not SIDES.match(found[2]) else ""
    return f"write `{text}`" if text and readable(text) else ""


def total(before: str) -> str:
    """The first dice of a text and what is added to them, or an empty string.

    >>> total("3d6 + 2 is ")
    '3d6 + 2'
    """
    sums = (found[1] for found in SUM.finditer(before))
    return next((text for text in sums if "d" in text.lower() and readable(text)), "")


def behind(left: str, rest: str) -> str:
    """What to write for ``2d6 7+``, where a number follows dice.

    Args:
        left: What stands before the number.
        rest: The number and all behind it.

    >>> behind("2d6", " 7+")
    '`2d6 >= 7` asks for the total'
    """
    found, dice = BEHIND.match(rest), DICE.search(left)
    if found is None:
        return ""
    number, sign = int(found[1]), found[2].split()[-1].lower()
    several = dice and size(dice)[0] > 1 and number <= size(dice)[1] and dice[0] == left.strip()
    if sign in ("s", "'s"):
        return f"`{left.strip()}c{number}` counts them" if several else ""
    low = sign == "-" or sign in LOWER
    text = f"{left.strip()} {'<=' if low else '>='} {number}"
    counted = f"{left.strip()}c{number}{'-' if low else '+'}"
    if not readable(text):
        return ""
    also = f"; `{counted}` counts the dice that show it" if several else ""
    return f"`{text}` asks for the total{also}"


def checked(source: str) -> str:
    """What to write for ``6d10>=8!10`` and ``6d10 >= 6 f1``, where dice were to be counted.

    >>> checked("6d10>=8!10")
    'a count is written `6d10!10c8+`'
    """
    found = CHECKED.search(source)
    if found is None:
        return ""
    dice, op, number, more = found[1], found[2], found[3], found[4]
    count = f"c{number}+" if op == ">=" else f"c{number}" if op == "=" else f"c{op}{number}"
    text = f"{dice}{more}{count}" if more.startswith("!") else f"{dice}{count}{more}"
    return f"a count is written `{text}`" if readable(text) else ""


def listed(left: str, rest: str) -> str:
    """What to write for ``2d6 in 7-9``, where a list was to follow.

    >>> listed("2d6", "7-9")
    'write `2d6 in {7..9}`'
    """
    found = re.match(r"\s*[(\[]?\s*([0-9]+)\s*(-|\.\.|to\b|,|or\b|and\b)\s*([0-9]+)", rest)
    if found is None:
        return ""
    joined = ", " if found[2] in (",", "or", "and") else ".."
    return f"write `{left.strip()} in {{{int(found[1])}{joined}{int(found[3])}}}`"
