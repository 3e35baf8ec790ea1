"""What to write instead of words that people try and the notation does not take where they stand.

A mend names a whole text between backticks that works as it is typed. Where the text that went
wrong holds dice, the mend is about those dice.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from oddsmith.notation import phrases

if TYPE_CHECKING:
    from oddsmith.notation.nodes import Given

NUMBER = re.compile(r"(?<![a-z0-9_])[0-9]{1,4}(?![0-9])", re.IGNORECASE)
LISTED = re.compile(r"d\{([^{}]*)\}", re.IGNORECASE)

COUNT_THEM = "`{some}c{high}+` counts the dice that show {high} or more"
AT_LEAST = "`{total} >= {middle}` asks for the total; `{some}c{high}+ >= 2` for two dice"
AT_MOST = "write `{total} <= {middle}`"
PARITY = "`{some}c %s` counts the dice; for the total `let x = {total}; x %s 2 * (x // 2)`"
SETS = "`{some} highest set >= %d` asks for it"
BEHIND = "it stands behind the dice: `{some} %s`"
ONE_DIE = "it stands behind the die: `d{sides} %s`"
HIGHEST = "`{some} highest` is the highest die, `max(d8, d6)` the higher of two"
LOWEST = "`{some} lowest` is the lowest die, `min(d8, d6)` the lower of two"
CONDITION = "`if` stands first, and has an else: `if d20 >= 15 then {dice} else 0`"
ASK = "ask the question alone: `{dice} >= {middle}`"
SHOWN = "every answer shows it; write the dice alone: `{dice}`"
REMAINDER = "the remainder of a division by {by} is `let x = {total}; x - {by} * (x // {by})`"
WHEN_KNOWN = "for what is known of a roll: `let x = {dice}; x given x >= {middle}`"
ALL = "`{some}kl1 >= {face}` asks whether all the dice show {face} or more"
REACH = "write `{total} >= {middle}`"
REACH_OR_COUNT = REACH + "; `{some}c{high}+` counts the dice that show {high} or more"
NATURAL = "what the die itself shows is asked without a bonus: `d20 = {natural}`"
BONUS = "a bonus die is added: `{total} + d4`"
BOON = "a die is added: `d20 + d6`; of several the best: `d20 + 3d6kh1`"
BANE = "a die is taken away: `d20 - d4`; of several the worst: `d20 - 2d6kh1`"
CONTEST = "a contest is written `2d6 vs 2d6`, a single chance `2d6 > 2d6`"
WILD = "the better of two dice that roll on is `max(d8!!, d6!!)`"
ACE = "dice that roll on and add up are `{some}!!`"
PUSH = "to roll the others again once: `{some}r<{sides}c{sides}`"
GLITCH = "half of the dice or more show 1: `{some}c1 >= {half}`"
STEP = "write the die itself: `d4` is a step below d6, `d8` a step above"
BRUTAL = "low faces that are rolled again until they are gone: `{some}rr<={gone}`"
CAP = "a cap on the total is `min({total}, {middle})`, on each die `{some} max{high}`"
HIGH, LOW = "to keep the highest: `{some}kh{kept}`", "to keep the lowest: `{some}kl{kept}`"
CRIT = "what a 20 does is `let x = d20; if x = 20 then 2d8+3 else if x >= 12 then d8+3 else 0`"

MENDS = {
    "even": PARITY % ("even", "="),
    "odd": PARITY % ("odd", "<>"),
    "is": "write a comparison: `{dice} = {middle}`",
    "equals": "write `{dice} = {middle}`",
    "doubles": SETS % 2,
    "double": SETS % 2,
    "triples": SETS % 3,
    "three": SETS % 3,
    "four": SETS % 4,
    "two": "`{some} pairs >= 2` asks for two pairs, " + SETS % 2 + " once",
    "yahtzee": "`5d6 highest set >= 5` asks for it",
    "snake": "`2d6 = 2` asks for two ones",
    "both": ALL,
    **{word: f"`{{some}}c{face}` counts them" for word, face in phrases.FACES.items()},
    "same": "`{some} unique = 1` asks whether all are alike",
    "dc": REACH,
    "ac": REACH,
    "tn": REACH_OR_COUNT,
    "target": REACH_OR_COUNT,
    "difficulty": REACH_OR_COUNT,
    "diff": REACH_OR_COUNT,
    "nat": NATURAL,
    "natural": NATURAL,
    "bless": BONUS,
    "guidance": BONUS,
    "boon": BOON,
    "boons": BOON,
    "bane": BANE,
    "banes": BANE,
    "beat": CONTEST,
    "beats": CONTEST,
    "against": CONTEST,
    "versus": CONTEST,
    "wild": WILD,
    "ace": ACE,
    "aces": ACE,
    "push": PUSH,
    "pushed": PUSH,
    "glitch": GLITCH,
    "flip": "a coin, 0 or 1, is `coin`",
    "step": STEP,
    "brutal": BRUTAL,
    "twice": "two results are `2x({total})`, the better of them `max({total}, {total})`",
    "cap": CAP,
    "capped": CAP,
    "h": HIGH,
    "b": HIGH,
    "l": LOW,
    "w": LOW,
    "s": COUNT_THEM,
    "crit": CRIT,
    "critical": CRIT,
    "to": "a range of totals is `{low} <= {dice} <= {middle}`, a die `d{{1..{sides}}}`",
    "without": "to leave dice out write `4d6 drop lowest 1`",
    "dropping": "to leave dice out write `4d6 drop lowest 1`",
    "keeping": "to keep dice write `4d6 keep highest 3`",
    "not": "it stands before a question: `not {dice} >= {middle}`; or write `{dice} <> {middle}`",
    "full": "three and two alike are `let x = 5d6; x sets = 2 and x highest set = 3`",
    "house": "three and two alike are `let x = 5d6; x sets = 2 and x highest set = 3`",
    "straight": "`5d6 longest run >= 5` asks for five in a row",
    "run": "`5d6 longest run >= 5` asks for five in a row",
    "at": AT_LEAST,
    "least": AT_LEAST,
    "exactly": "`{dice} = {middle}` asks for the total, `{some}c{face} = 2` for two {face}s",
    "most": AT_MOST,
    **dict.fromkeys(phrases.HIGHER, AT_LEAST),
    **dict.fromkeys(phrases.LOWER, AT_MOST),
    "any": "`{some}c{face} >= 1` asks for at least one die that shows {face}",
    "all": ALL,
    "every": ALL,
    "none": "`{some}c{face} = 0` asks for no die that shows {face}",
    "mod": REMAINDER,
    "modulo": REMAINDER,
    "between": "write `{low} <= {dice} <= {middle}`",
    "from": "write `{low} <= {dice} <= {middle}`",
    "successes": COUNT_THEM,
    "success": COUNT_THEM,
    "of": "the highest of dice is `{some} kh1`; " + COUNT_THEM,
    "on": COUNT_THEM,
    "number": COUNT_THEM,
    "best": "write `4d6kh3`",
    "worst": "write `4d6kl3`",
    "max": HIGHEST,
    "min": LOWEST,
    "maximum": HIGHEST,
    "minimum": LOWEST,
    "if": CONDITION,
    "unless": CONDITION,
    "when": CONDITION,
    "then": CONDITION,
    "else": CONDITION,
    "while": "a die that rolls on is `d6!`",
    "given": WHEN_KNOWN,
    "vs": "a side stands before it and behind it: `2d6 + 1 vs d12`",
    "and": "a question stands before it and behind it: `d6 = 6 and d8 = 8`",
    "or": "a question stands before it and behind it: `d6 = 6 or d8 = 8`",
    "xor": "write `(d6 = 6) <> (d8 = 8)`",
    "in": "faces in braces follow it: `d20 in {{1, 20}}`",
    "let": "a name stands in front of what uses it: `let x = {dice}; x + x`",
    "p": ASK,
    "pr": ASK,
    "prob": ASK,
    "probability": ASK,
    "chance": ASK,
    "odds": ASK,
    "mean": SHOWN,
    "avg": SHOWN,
    "average": SHOWN,
    "expected": SHOWN,
    "roll": SHOWN,
    "rolls": SHOWN,
    "dice": SHOWN,
    "die": SHOWN,
    "plus": "write `{dice} + 2`",
    "minus": "write `{dice} - 2`",
    "times": "to multiply write `{dice} * 3`, to repeat `3x({dice})`",
    "repeat": "to repeat write `6x(4d6kh3)`",
    "squared": "write a power: `{dice}^2`",
    "explode": "dice that roll again are `{some}!`",
    "explodes": "dice that roll again are `{some}!`",
    "exploding": "dice that roll again are `{some}!`",
    "count": COUNT_THEM,
    "hits": COUNT_THEM,
    "pool": "dice are a pool as they are: `{some}`",
    "adv": ONE_DIE % "adv",
    "advantage": ONE_DIE % "adv",
    "dis": ONE_DIE % "dis",
    "disadvantage": ONE_DIE % "dis",
    "with": "`d20 adv` and `d20 dis` roll twice; a bonus is `d20 + 5`",
    "keep": "it stands behind the dice: `4d6 keep highest 3`",
    "drop": "it stands behind the dice: `4d6 drop lowest 1`",
    "reroll": "it stands behind the dice: `{some} reroll 1 once`",
    "longest": BEHIND % "longest run",
    "largest": BEHIND % "largest set",
    **{
        word: BEHIND % word
        for word in (
            "sum", "highest", "lowest", "median", "sets", "pairs", "unique",
        )
    },
    "product": "it stands behind the dice: `2d6 product`",
    "kh": BEHIND % "kh1",
    "kl": BEHIND % "kl1",
    "dh": BEHIND % "dh1",
    "dl": BEHIND % "dl1",
    "mid": "it stands behind the dice: `3d6 mid1`",
    "middle": "it stands behind the dice: `3d6 middle 1`",
    "rr": "it stands behind the dice: `{some} rr1`",
    "ro": "it stands behind the dice: `{some} ro1`",
    "mi": "it stands behind the dice: `{some} mi2`",
    "ma": "it stands behind the dice: `{some} ma5`",
    "cs": COUNT_THEM,
    "cf": "it follows a count: `{some}c{high}+ cf1`",
    "floor": "it is written `floor({dice} / 2)`",
    "ceil": "it is written `ceil({dice} / 2)`",
    "round": "it is written `round({dice} / 2)`",
    "trunc": "it is written `trunc({dice} / 2)`",
    "half_up": "it is written `half_up({dice})`",
    "abs": "it is written `abs(d6 - d8)`",
    "once": "it follows dice that roll again: `{some}!once`",
    "df": "write `4dF`",
    "d": "the sides follow it: `3d6`",
}  # fmt: skip


def mend(word: str, source: str = "", by: int = 0) -> str:
    """What to write instead of a word that cannot stand where it does, or an empty string.

    Args:
        word: The word, in lower case.
        source: The text that it stands in.
        by: The divisor, where the word is a sign for a remainder.

    >>> mend("doubles", "2d8 doubles")
    '`2d8 highest set >= 2` asks for it'
    >>> mend("nonsense")
    ''
    """
    if MENDS.get(word) == ASK and (question := _asked(word, source)):
        return f"ask the question alone: `{question}`"
    if told := phrases.phrase(source):
        return told
    found = phrases.DICE.search(source)
    count, sides = phrases.size(found) if found else (3, 6)
    dice = found[0] if found else "3d6"
    some = phrases.pool(found) if found else "3d6"
    most = count * sides
    before, at, after = source.lower().partition(word)
    asked = [int(number) for number in NUMBER.findall(phrases.DICE.sub(" ", source))]
    totals = [number for number in asked if count <= number <= most]
    shown = [number for number in asked if 1 < number <= sides]
    middle = totals[-1] if totals else (most + count) // 2
    low = totals[0] if totals[1:] and totals[0] <= middle else count
    typed = re.match(r"\s*([1-9][0-9]?)\b", after) if at else None
    number = int(typed[1]) if typed else 0
    of = int(some.split("d")[0])
    return MENDS.get(word, "").format(
        dice=dice, some=some, sides=sides, by=by or max(2, number),
        high=shown[0] if shown else max(2, sides - 1), face=shown[0] if shown else sides,
        low=low, middle=middle, total=phrases.total(before) or dice, half=(of + 1) // 2,
        natural=number if 0 < number <= 20 else 20, gone=number if 0 < number < sides else 1,
        kept=number if 0 < number <= of else 1,
    )  # fmt: skip


def _asked(word: str, source: str) -> str:
    """The text between the brackets of ``P(..)``, where it can be read."""
    found = re.fullmatch(rf"\s*{word}\s*\((.*)\)\s*", source, re.IGNORECASE | re.DOTALL)
    if found is None or re.search(rf"\b{word}\s*\(", found[1], re.IGNORECASE):
        return ""
    return found[1].strip() if phrases.readable(found[1]) else ""


def faces(source: str) -> set[str]:
    """The words that are faces of dice of a text, in lower case.

    >>> sorted(faces("4d{Skull, Hit:2, 1}"))
    ['hit', 'skull']
    """
    return {
        word for listed in LISTED.findall(source) for word in re.findall(r"[a-z_]+", listed.lower())
    }


def given(node: Given) -> str:
    """How to ask a condition of the same roll as the result.

    >>> from oddsmith.notation.parser import parse
    >>> text = "d20 + d4 >= 15 given d20 >= 5"
    >>> given(parse(text).results[0].body)
    'name the roll first: `let x = d20; x + d4 >= 15 given x >= 5`'
    """
    from oddsmith.notation.anew import known
    from oddsmith.notation.unparse import unparse

    asked = known(node)
    text = unparse(asked) if asked else "let x = 3d6; x >= 16 given x >= 8"
    return f"name the roll first: `{text}`"
