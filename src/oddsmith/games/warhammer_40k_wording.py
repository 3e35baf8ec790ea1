"""How the rolls of :mod:`oddsmith.games.warhammer_40k` are written, and how editions differ."""

from __future__ import annotations

import re
from math import prod
from typing import Any, Literal

from oddsmith.errors import RuleError
from oddsmith.mechanics.checks import KINDS, Check, Modifiers, Reroll

Edition = Literal["8th", "9th", "10th", "none"]
One = Literal["fails", "plain"]
Six = Literal["succeeds", "plain"]

EDITIONS: dict[str, tuple[One, Six, int | None]] = {
    "8th": ("fails", "plain", None),
    "9th": ("fails", "succeeds", 1),
    "10th": ("fails", "succeeds", 1),
    "none": ("plain", "plain", None),
}
"""What becomes of an unmodified 1 and 6, and how far modifiers add up."""

MODIFIER = re.compile(r"\s*(set\s+to|set|=|[-+−x×*/÷])\s*([0-9]{1,9})\s*(?:[,;]|$|(?=\D))")
WHOLE = re.compile(r"\s*[-−]?[0-9]{1,9}\s*")
OCCASION = re.compile(
    r"(?:an?\s+)?(unmodified\s+|natural\s+)?([0-9]{1,9}\+|[0-9]{1,9}(?:\s*,\s*[0-9]{1,9})*)"
)

SIGNS = {"−": "-", "×": "x", "*": "x", "÷": "/", "set": "="}

WORDS = {
    "": "none", "no": "none", "1s": "ones", "fails": "failed", "failures": "failed",
    "may": "not-succeeding", "you may re-roll the roll": "not-succeeding",
    "you can re-roll the roll": "not-succeeding", "not succeeding": "not-succeeding",
}  # fmt: skip
"""Other ways to write a kind of re-roll."""


def read_modifiers(text: str | int, each: bool = False) -> Modifiers:
    """A list of modifiers, such as ``+1,x2,/2``, in the order in which they apply (K1).

    Args:
        text: Additions, subtractions, factors, divisors and ``=3`` (or ``set to 3``); a number
            alone is added.
        each: Whether to round up after the division, and not only at the end.

    Raises:
        RuleError: For text that is no such list, for a division by 0, for two numbers to set to.

    >>> read_modifiers("+1, x2, /2")
    Modifiers(set_to=None, divide=2, multiply=2, add=1, each=False)
    """
    if isinstance(text, int) or WHOLE.fullmatch(text):
        return Modifiers(add=_int(str(text)), each=each)
    found: dict[str, list[int]] = {sign: [] for sign in "=/x+-"}
    text, place = text.lower(), 0
    while text[place:].strip():
        match = MODIFIER.match(text, place)
        if match is None:
            raise RuleError(
                f"{text[place:].strip()!r} is no modifier (K1)",
                "list them with commas: +1, -1, x2, /2 or =3",
            )
        sign = match[1].split()[0]
        found[SIGNS.get(sign, sign)].append(int(match[2]))
        place = match.end()
    if 0 in found["/"]:
        raise RuleError("nothing is divided by 0 (K1)", "divide by 1 or more")
    if len(set(found["="])) > 1:
        raise RuleError("a value is set to one number, not to two (K1)", "name the one that holds")
    return Modifiers(
        found["="][0] if found["="] else None,
        prod(found["/"]),
        prod(found["x"]),
        sum(found["+"]) - sum(found["-"]),
        each,
    )


def _int(text: str) -> int:
    return int(text.replace("−", "-"))


def read_sources(
    text: str, highest: int = 6, kinds: tuple[str, ...] = KINDS
) -> tuple[int | str, ...]:
    """What grants a re-roll: words and single faces, with commas between them (K2, K8, K10).

    Args:
        text: Such as ``failed``, ``re-roll 1s``, ``may`` or ``1,2``.
        highest: The highest face of the die.
        kinds: The words that are known here.

    Raises:
        RuleError: For anything else.

    >>> read_sources("re-roll 1s"), read_sources("failed, 6"), read_sources("may")
    (('ones',), ('failed', 6), ('not-succeeding',))
    """
    found: list[int | str] = []
    for part in text.split(","):
        word = re.sub(r"^re-?roll\s+", "", part.strip().lower())
        word = WORDS.get(word, word)
        number = re.fullmatch(r"([0-9]{1,9})s?", word)
        if number:
            face = int(number[1])
            if not 1 <= face <= highest:
                raise RuleError(
                    f"no D{highest} shows {face} (K8)", f"name faces from 1 to {highest}"
                )
            found.append(face)
        elif word in kinds:
            found.append(word)
        else:
            raise RuleError(
                f"no re-roll is called {part.strip()!r} (K2)",
                f"write {', '.join(kinds)} or faces such as 1,2",
            )
    return tuple(found)


def read_bound(value: str | int | None, name: str, number: str) -> int | None:
    """A number or ``none``.

    Args:
        value: What was given.
        name: What it is, for an error.
        number: The number of its rule.

    Raises:
        RuleError: For anything else.

    >>> read_bound("1", "floor", "K5"), read_bound("none", "floor", "K5")
    (1, None)
    """
    if value is None or (isinstance(value, str) and value.strip().lower() == "none"):
        return None
    if isinstance(value, int) or WHOLE.fullmatch(value):
        return _int(str(value))
    raise RuleError(f"{value!r} is no {name} ({number})", "write a whole number or none")


def read_occasion(text: str | int) -> tuple[bool, int, frozenset[int] | None]:
    """When a rule triggers, such as ``unmodified 6``, ``1``, ``5+`` or ``1,2`` (K4, K5).

    Returns:
        Whether it looks at the unmodified roll; the lowest roll; the single rolls, or None where
        anything from the lowest on will do.

    Raises:
        RuleError: For anything else.

    >>> read_occasion("an unmodified 6"), read_occasion("5+")
    ((True, 6, frozenset({6})), (False, 5, None))
    """
    match = OCCASION.fullmatch(str(text).strip().lower())
    if match is None:
        raise RuleError(
            f"{str(text)!r} is no roll that something triggers on (K4)",
            "write for example unmodified 6, 1 or 5+",
        )
    if match[2].endswith("+"):
        return bool(match[1]), int(match[2][:-1]), None
    rolls = frozenset(int(part) for part in match[2].split(","))
    return bool(match[1]), min(rolls), rolls


def the_check(
    skill: int | None,
    modifier: str | int = 0,
    edition: Edition = "8th",
    one: One | None = None,
    six: Six | None = None,
    cap: str | int | None = None,
) -> Check:
    """What a D6 has to reach, with the natural rules and the cap of an edition (K2, K6).

    Args:
        skill: The target; None where there is none, which any roll reaches.
        modifier: Modifiers to the roll.
        edition: The edition.
        one: Whether an unmodified 1 fails, if not as in the edition.
        six: Whether an unmodified 6 succeeds, if not as in the edition.
        cap: How far additions and subtractions add up, if not as in the edition.

    Raises:
        RuleError: For a target below 1, an unknown edition or rule, or a cap below 0.

    >>> the_check(3, "-2", "10th").modifiers.add
    -1
    """
    if skill is not None and skill < 1:
        raise RuleError(f"a skill of {skill}+ makes no sense (K2)", "write for example 3+")
    if edition not in EDITIONS:
        raise RuleError(f"no edition is called {edition} (K6)", f"choose from {listed(EDITIONS)}")
    usual_one, usual_six, usual_cap = EDITIONS[edition]
    one, six = one or usual_one, six or usual_six
    for what, word, words in ((1, one, ("fails", "plain")), (6, six, ("succeeds", "plain"))):
        if word not in words:
            raise RuleError(f"an unmodified {what} is not {word} (K6)", f"choose {listed(words)}")
    most = usual_cap if cap is None else read_bound(cap, "cap", "K6")
    if most is not None and most < 0:
        raise RuleError(f"modifiers cannot be capped at {most} (K6)", "write 0 or more, or none")
    return Check(
        1 if skill is None else skill,
        read_modifiers(modifier).capped(most),
        always_fail=frozenset({1} if one == "fails" else ()),
        always_succeed=frozenset({6} if six == "succeeds" else ()),
    )


def listed(names: Any) -> str:
    """Names with commas between them, for a hint."""
    return ", ".join(names)


def read_reroll(reroll: str, optional: bool, skill: int | None = 1) -> Reroll:
    """The re-roll that a text means.

    Raises:
        RuleError: Where it needs a target to fail, and there is none.
    """
    sources = read_sources(reroll)
    if skill is None and (optional or {"failed", "not-succeeding"} & set(sources)):
        raise RuleError("nothing fails without a target (K2)", "say which skill it is, such as 3+")
    return Reroll(sources, optional)


def count_of(dice: int, rule: str, least: int = 0) -> int:
    """A number of dice, at least so many.

    Raises:
        RuleError: For fewer.
    """
    if not isinstance(dice, int) or dice < least:
        raise RuleError(f"{dice} dice cannot be rolled ({rule})", f"roll {least} or more")
    return dice
