"""Pieces of Python that a program is written in: their kinds, how they hold together, helpers."""

from __future__ import annotations

from keyword import kwlist
from typing import Any

from oddsmith.record import Record

OR, AND, NOT, COMPARED, SUM, PRODUCT, SIGN, POWER, ATOM = range(1, 10)
"""How tightly a piece holds together."""

NUMBER, SEQUENCE, DIE, POOL = "number", "sequence", "die", "pool"
TOTAL = "total"
"""A number or a die: only what it adds up to is known, not how it looks otherwise."""

UNKNOWN = ""
"""The kind of what has not been reached yet."""


class Code(Record):
    """A value as a piece of Python.

    Attributes:
        text: The piece.
        kind: ``number`` (an int), ``sequence`` (a tuple or range), ``die`` (a Dist), ``pool`` (a
            Pool), ``total`` (an int or a Dist).
        level: How tightly it holds together.
        constant: The number or the tuple, where it is known.
        dice: How many dice a pool has and what each is, where it is written that way.
        size: How many dice it has, where that is known.
        is_truth: Whether it is True or False, to be made 1 or 0.
        is_filled: Whether a sequence surely has an element.
        low: What a number, or every element of a sequence, is not below, where that is known.
    """

    text: str
    kind: str = NUMBER
    level: int = ATOM
    constant: Any = None
    dice: Any = None
    size: int | None = None
    is_truth: bool = False
    is_filled: bool = False
    low: int | None = None

    def inside(self, level: int) -> str:
        """The text as a part of something that holds as tightly as this level."""
        return self.text if self.level >= level else f"({self.text})"


BOTTOM = Code("None", UNKNOWN)


def joined(first: str, second: str) -> str | None:
    """The kind of what may be either; None where nothing can be done with it.

    >>> joined("number", "die"), joined("pool", "pool"), joined("sequence", "die")
    ('total', 'pool', None)
    """
    if first == second or not second:
        return first
    if not first:
        return second
    return None if SEQUENCE in (first, second) else TOTAL


def number(value: int) -> Code:
    """A whole number."""
    return Code(str(value), NUMBER, ATOM if value >= 0 else SIGN, value, low=value)


def row(values: tuple[int, ...]) -> Code:
    """A sequence that is known.

    >>> row((1, 2, 3)).text, row((5,)).text, row((1, 1)).text
    ('range(1, 4)', '(5,)', '(1, 1)')
    """
    many = len(values)
    if many > 2 and values == tuple(range(values[0], values[0] + many)):
        text = f"range({values[0]}, {values[-1] + 1})"
        return Code(text, SEQUENCE, ATOM, values, is_filled=True, low=values[0])
    text = ", ".join(map(str, values)) + "," * (many == 1)
    low = min(values, default=None)
    return Code(f"({text})", SEQUENCE, ATOM, values, is_filled=many > 0, low=low)


def pool(count: Code, die: Code) -> Code:
    """So many like dice, one at least."""
    text = f"{die.inside(ATOM)}.pool({plain(count).text})"
    return Code(text, POOL, ATOM, None, (count, die), count.constant)


def total(value: Code) -> Code:
    """What a value adds up to."""
    if value.kind == SEQUENCE:
        if value.constant is not None:
            return number(sum(value.constant))
        return Code(f"sum({value.text})")
    if value.kind == POOL:
        if value.dice is None:
            return Code(f"{value.inside(ATOM)}.sum()", DIE)
        count, die = value.dice
        return Code(f"{plain(count).inside(PRODUCT)} @ {die.inside(SIGN)}", DIE, PRODUCT)
    return plain(value)


def tupled(value: Code) -> Code:
    """A sequence that can be kept, compared and counted like any other."""
    if value.kind != SEQUENCE or not value.text.startswith("range"):
        return value
    return value.but(text=f"tuple({value.text})")


def plain(value: Code) -> Code:
    """A truth as 1 or 0; anything else as it is."""
    return Code(f"int({value.text})") if value.is_truth else value


def truth(value: Code) -> Code:
    """A number as a condition."""
    if value.is_truth or value.kind != NUMBER:
        return value
    return Code(f"{value.inside(COMPARED + 1)} != 0", NUMBER, COMPARED, is_truth=True)


KNOWN_DICE = (3, 4, 6, 8, 10, 12, 20, 100)
NOTHING = "no result"

HELPERS = {
    "divide": '''
def divide(a, b):
    """Toward zero; by 0 it is 0."""
    if b == 0:
        return 0
    size = abs(a) // abs(b)
    return size if (a < 0) == (b < 0) else -size
''',
    "pick": '''
def pick(places, values):
    """What stands in these places, counted from 1, added up."""
    return sum(values[place - 1] for place in places if 1 <= place <= len(values))
''',
    "digits": '''
def digits(number):
    """The digits of a number, those of a negative one negative."""
    return [int(digit) if number >= 0 else -int(digit) for digit in str(abs(number))]
''',
    "some": '''
def some(count, die):
    """Any number of dice: of 0 one that shows 0, below 0 dice with their faces negated."""
    if count == 0:
        return Dist([0]).pool(1)
    return die.pool(count) if count > 0 else (-die).pool(-count)
''',
    "sided": '''
def sided(sides):
    """A die with any number of sides; of 0 it shows 0, below 0 its faces are negative."""
    if sides == 0:
        return Dist([0])
    return d(sides) if sides > 0 else -d(-sides)
''',
    "highest": '''
def highest(count, pool):
    """The highest dice, added up; all of them where there are not so many."""
    return pool.keep_highest(max(0, min(count, pool.size))).sum()
''',
    "lowest": '''
def lowest(count, pool):
    """The lowest dice, added up; all of them where there are not so many."""
    return pool.keep_lowest(max(0, min(count, pool.size))).sum()
''',
    "explode": '''
def explode(die, times):
    """The highest face rolls again and adds, so many times at most."""
    found = die
    for _ in range(times):
        found = die.then(lambda face: face + found if face == die.high else face)
    return found
''',
    "both": """
@rule
def both(a, b):
    return int(a != 0 and b != 0)
""",
    "either": """
@rule
def either(a, b):
    return int(a != 0 or b != 0)
""",
    "equal": """
@rule
def equal(a, b):
    return int(a == b)
""",
    "known": '''
def known(result):
    """The result, given that there is one."""
    never = result.p("no result") == 1
    return result if never else result.given(lambda outcome: outcome != "no result")
''',
}
"""Functions that are written in front of a program where it uses them."""

IMPORTS = ("Dist", "Pool", "d", *(f"d{sides}" for sides in KNOWN_DICE), "mix", "rule")
RESERVED = {
    *kwlist, *IMPORTS, *HELPERS, "outputs", "name", "dist", "face", "faces", "abs", "int", "len",
    "max", "min", "print", "range", "sorted", "str", "sum", "trunc", "tuple",
}  # fmt: skip
"""Names that no variable of the program gets."""
