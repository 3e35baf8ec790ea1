"""Checks and re-rolls of :mod:`oddsmith.games.fantasy_battle`."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from oddsmith.dice import d3, d6
from oddsmith.dist import Dist, as_dist, mix
from oddsmith.enclosed import Enclosed
from oddsmith.errors import RuleError
from oddsmith.mechanics.checks import natural
from oddsmith.open_dist import OpenDist
from oddsmith.outcomes import is_number

if TYPE_CHECKING:
    from collections.abc import Callable

    Success = Callable[[Any], bool]

WORDS = {
    "none": "none", "all": "all", "any": "all", "failed": "failed", "failures": "failed",
    "fails": "failed", "successes": "successes", "successful": "successes",
}  # fmt: skip
"""Words for sets of results."""


def exact(number: Any) -> Fraction:
    """The number as written, with or without a percent sign; no floats (F5).

    Raises:
        RuleError: For anything else.

    >>> exact("12.5%"), exact(2)
    (Fraction(25, 2), Fraction(2, 1))
    """
    text = number.strip().removesuffix("%").strip() if isinstance(number, str) else number
    try:
        if not isinstance(text, (str, int, Fraction)):
            raise ValueError
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise RuleError(
            f"{number} is no exact number (F5)", "write for example 10, 12.5% or 7/2"
        ) from None


def dice_of(dice: Any, rule: str) -> Dist[Any]:
    """The dice as a finite distribution, one D6 where none are named.

    Raises:
        RuleError: For dice that roll on without end, and for text.

    >>> dice_of(None, "F6").mean
    Fraction(7, 2)
    """
    if dice is None:
        return d6
    if isinstance(dice, (OpenDist, Enclosed)):
        raise RuleError(
            f"no dice of this game roll on without end ({rule})", "write dice such as 2d6+1"
        )
    if isinstance(dice, str):
        raise RuleError(f"{dice} is text, not dice ({rule})", "write for example 2 @ d6")
    return as_dist(dice)


def numbers_of(dice: Any, verb: str, rule: str) -> Dist[Any]:
    """The dice, all of whose faces are numbers.

    Raises:
        RuleError: For a text face such as Misfire.

    >>> numbers_of(7, "divided", "F5").low
    7
    """
    dist = dice_of(dice, rule)
    if not dist.is_numeric:
        text = next(face for face in dist.outcomes() if not is_number(face))
        raise RuleError(f"{text} is no number and cannot be {verb} ({rule})", "use other dice")
    return dist


def success(target: int | None, under: bool = False) -> Success | None:
    """What passes a check: the target or more, or the target or less; text faces never do.

    >>> passes = success(8, under=True)
    >>> passes(8), passes(9), passes("Misfire")
    (True, False, False)
    """
    if target is None:
        return None
    if under:
        return lambda result: is_number(result) and result <= target
    return lambda result: is_number(result) and result >= target


def read(dist: Dist[Any], passes: Success | None) -> Any:
    """The chance to pass where there is something to pass, else the results themselves.

    >>> read(d6, success(3)), read(d3, None).mean
    (Fraction(2, 3), Fraction(2, 1))
    """
    return dist if passes is None else dist.p(passes)


def faces(text: str, dist: Dist[Any], passes: Success | None, rule: str) -> frozenset[Any]:
    """The results that words such as ``failed``, ``1s`` or ``1,2`` mean.

    Args:
        text: Words and numbers with commas between them.
        dist: What the dice can show.
        passes: What a success is, or None.
        rule: The number of the rule, for messages.

    Raises:
        RuleError: For a word that means nothing, a result that cannot come up, and for failures
            or successes where nothing has to be passed.

    >>> sorted(faces("1s, failed", d6, success(4), "F8"))
    [1, 2, 3]
    """
    words = [word.strip() for word in text.lower().split(",") if word.strip()]
    if not words:
        raise RuleError(f"no results are named ({rule})", "write for example 1s or failed")
    found: set[Any] = set()
    for word in words:
        found |= _meant(word, dist, passes, rule)
    return frozenset(found)


def _meant(word: str, dist: Dist[Any], passes: Success | None, rule: str) -> set[Any]:
    """The results that one word means."""
    kind = WORDS.get(word)
    if kind in ("failed", "successes"):
        if passes is None:
            raise RuleError(
                f"without a target nothing fails or succeeds ({rule})", "add a target, such as 4+"
            )
        return {face for face in dist if passes(face) == (kind == "successes")}
    if kind is not None:
        return set(dist) if kind == "all" else set()
    number = re.fullmatch(r"(-?\d{1,6})(?:-(-?\d{1,6}))?s?", word)
    if number is None:
        named = {face for face in dist if str(face).lower().rstrip("!") == word.rstrip("!")}
        if named:
            return named
        raise RuleError(
            f"{word} names no results ({rule})",
            "write failed, successes, all, none, or results such as 1s or 1,2",
        )
    low, high = int(number[1]), int(number[2] or number[1])
    shown = {face for face in dist if is_number(face) and low <= face <= high}
    if not shown:
        raise RuleError(
            f"these dice never show {word} ({rule})",
            f"name results from {dist.low} to {dist.high}",
        )
    return shown


def forbid_special(dist: Dist[Any], even_special: bool) -> None:
    """Dice with a text face are not re-rolled, unless that is said explicitly (F4).

    >>> forbid_special(d6, even_special=False)
    """
    if not dist.is_numeric and not even_special:
        raise RuleError(
            "neither the artillery die nor the scatter die is re-rolled (F4)",
            "if a rule says so explicitly, add even_special (--even-special)",
        )


def parts(dist: Dist[Any]) -> tuple[Dist[int], int, int]:
    """The single dice of a total: the die, how many, and what is added.

    Raises:
        RuleError: For anything but D6s or D3s added up.

    >>> parts(2 @ d6 + 1)[1:], parts(d3)[1:]
    ((2, 1), (1, 0))
    """
    if dist.is_numeric:
        width = dist.high - dist.low
        for die in (d6, d3):
            count = int(width // (die.high - 1))
            if count and count @ die + (dist.low - count) == dist:
                return die, count, dist.low - count
    raise RuleError(
        "single dice can be picked out of D6s or D3s added up, and of nothing else (F9)",
        "write for example 2d6",
    )


def each_die(dist: Dist[Any], text: str) -> Dist[Any]:
    """Only the dice that show these faces are rolled again, one by one (F9).

    Raises:
        RuleError: For failures or successes, which a single die of a total does not have.

    >>> each_die(2 @ d6, "1s").p(2)
    Fraction(1, 1296)
    """
    if {WORDS.get(word.strip()) for word in text.lower().split(",")} & {"failed", "successes"}:
        raise RuleError(
            "a single die of a roll neither fails nor succeeds (F9)", "name its faces, such as 1s"
        )
    die, count, added = parts(dist)
    return count @ natural(die, faces(text, die, None, "F9")) + added


def one_die(
    dist: Dist[Any], picked: frozenset[Any], passes: Success | None, under: bool
) -> Dist[Any]:
    """A total that is one of those picked has one die rolled again, the roller's choice (F9).

    The choice makes the chance to pass as high as it can be; without anything to pass, the mean
    (the lowest mean where low rolls are good).

    >>> one_die(2 @ d6, frozenset(range(2, 7)), success(7), False).p(success(7))
    Fraction(29, 36)
    """
    die, count, added = parts(dist)

    def good(total: Dist[Any]) -> Fraction:
        if passes is not None:
            return total.p(passes)
        return -total.mean if under else total.mean

    def settle(roll: tuple[int, ...]) -> Any:
        total = sum(roll) + added
        if total not in picked:
            return as_dist(total)
        return max((die + (total - face) for face in sorted(set(roll))), key=good)

    return mix((settle(roll), ways) for roll, ways in die.pool(count).rolls())  # type: ignore[no-any-return]


def contested(
    dist: Dist[Any],
    grant: frozenset[Any],
    force: frozenset[Any],
    order: str = "either",
    again: str = "other",
) -> Dist[Any]:
    """The last result where one rule grants a re-roll, another forces one, and both act (F11).

    Args:
        dist: The dice.
        grant: Results that the granting rule re-rolls.
        force: Results that the forcing rule re-rolls.
        order: ``grant`` or ``force``: that rule acts first, its turn is then over, and the other
            one looks at what lies there. ``either``: both look at every roll.
        again: Who may act on a re-roll: only the ``other`` rule, ``either`` one, or ``none``.

    Raises:
        RuleError: Where both want one result and it matters who is first.

    >>> failures, successes = frozenset({1, 2}), frozenset({3, 4, 5, 6})
    >>> contested(d6, failures, successes).at_least(3)
    Fraction(20, 27)
    """
    both = grant & force
    if both and order == "either" and again == "other":
        raise RuleError(
            f"both rules re-roll {min(both, key=str)} (F11)",
            "say which one acts first: order grant or order force",
        )
    wanted = {"grant": grant, "force": force}
    turn = ("force", "grant") if order == "force" else ("grant", "force")

    def second(actor: str) -> Dist[Any]:
        """A re-roll made by one of them, and what the rules do to it."""
        may = {"other": {*turn} - {actor}, "either": {*turn}, "none": set[str]()}[again]
        if order != "either":
            may -= {turn[0]}
        return natural(dist, frozenset[Any]().union(*(wanted[who] for who in may)))

    after = {who: second(who) for who in turn}

    def first(result: Any) -> Any:
        actor = next((who for who in turn if result in wanted[who]), None)
        return result if actor is None else after[actor]

    found: Dist[Any] = dist.then(first)
    return found
