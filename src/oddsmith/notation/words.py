"""Every word the notation knows, in one place."""

from __future__ import annotations

from oddsmith.notation.mends import mend

KEEP = {
    "k": "kh", "kh": "kh", "kl": "kl", "dh": "dh", "dl": "dl", "mid": "mid", "middle": "mid",
}  # fmt: skip
COUNT = ("c", "cs", "t", "count", "hits")
MINUS = ("c", "f", "cf")
REROLL = {"r": False, "ro": False, "rr": True, "reroll": False}
BURST = ("e", "explode")
BOUND = {"min": "min", "mi": "min", "max": "max", "ma": "max"}
ADVANTAGE = {"adv": "adv", "advantage": "adv", "dis": "dis", "disadvantage": "dis"}
READ = (
    "sum",
    "highest",
    "lowest",
    "median",
    "product",
    "sets",
    "pairs",
    "unique",
    "longest",
    "largest",
)
FUNCTIONS = ("ceil", "floor", "round", "trunc", "half_up", "abs", "max", "min")
KEYWORDS = ("let", "if", "then", "else", "and", "or", "not", "in", "vs", "given")
DICE = ("coin", "artillery", "scatter")

MODIFIERS = sorted(
    {
        *KEEP, *COUNT, *MINUS, *REROLL, *BURST, *BOUND, *ADVANTAGE, *READ,
        "keep", "drop", "floor", "once", "p", "x", "d", "df", "even", "odd",
    },
    key=len,
    reverse=True,
)  # fmt: skip
KNOWN = sorted({*MODIFIERS, *FUNCTIONS, *KEYWORDS, *DICE, "highest set", "longest run"})

LONGEST = 24
"""The longest word that is looked at for words written together."""

RESERVED = {"d", *(word for word in KNOWN if len(word) > 1)}
"""Words that cannot be names: all but single letters, and d."""


def split(word: str) -> tuple[str, str] | None:
    """A word written together as its first modifier and the rest, or None.

    >>> split("khmin")
    ('kh', 'min')
    """
    if len(word) > LONGEST:
        return None
    for first in MODIFIERS:
        rest = word[len(first) :]
        if len(first) == 1 and first not in "px":
            continue
        if word.startswith(first) and rest and (rest in MODIFIERS or split(rest)):
            return first, rest
    return None


def meant(word: str, more: tuple[str, ...] = (), source: str = "") -> str:
    """What to write instead of a word, or the nearest known word, or an empty string.

    >>> meant("hihgest")
    'did you mean highest?'
    >>> meant("adv", source="adv d20")
    'it stands behind the die: `d20 adv`'
    """
    from difflib import get_close_matches

    if len(word) == 1 and not source:
        return ""
    mended = mend(word, source)
    if mended or len(word) < 3:
        return mended
    others = [other for other in (*KNOWN, *more) if other != word]
    near = get_close_matches(word, others, n=1, cutoff=0.7)
    return f"did you mean {near[0]}?" if near else ""


def unknown(name: str, bound: tuple[str, ...], source: str) -> str:
    """What to do about a name that was not bound.

    >>> unknown("q", ("p",), "q >= 3")
    'bind it first: let q = d20'
    """
    hint = meant(name.lower(), bound, source if len(name) > 1 else "")
    return hint or f"bind it first: let {name} = d20"
