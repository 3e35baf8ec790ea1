"""Checks of one die with critical bands and a ladder of outcomes, for combat pools (C2, C8, C11).

Every check is held by ranks: 1 is the worst face of the die and the number of its sides the best,
whichever way it is rolled.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from oddsmith.errors import RuleError
from oddsmith.record import Record
from oddsmith.table import Table

Roll = Literal["over", "under"]
Automatic = Literal["none", "success", "both"]
By = Literal["face", "margin", "percent"]

Width = str | int
"""The width of a band: a number of faces, or a percentage of them such as ``5%``."""

OUTCOMES = (
    "unfavourable failure", "plain failure", "favourable failure",
    "unfavourable success", "plain success", "favourable success",
)  # fmt: skip
"""From worst to best; the word in front is the band that the die shows."""

PERCENT = re.compile(r"(\d{1,9}(?:\.\d{1,9}|/0*[1-9]\d{0,8})?)\s*%")
STEP = re.compile(r"(.*?\S)(?:\s+([-+]?\d{1,9}(?:\.\d{1,9}|/0*[1-9]\d{0,8})?)\s*%?)?")


class Check(Record):
    """One die against a target, with its critical bands.

    Attributes:
        die: Its number of sides.
        target: What a success shows: so much or more, or so much or less.
        roll: ``over`` or ``under``.
        favourable: Faces of the favourable band, at the best end of the die.
        unfavourable: Faces of the unfavourable band, at the worst end.
        automatic: ``none`` leaves success to the target alone, ``success`` makes the favourable
            band succeed always, ``both`` makes the unfavourable one fail always, too.

    >>> Check(20, 8).success, Check(6, 7).success
    (Fraction(13, 20), Fraction(0, 1))
    """

    die: int
    target: int
    roll: Roll = "over"
    favourable: int = 0
    unfavourable: int = 0
    automatic: Automatic = "none"

    @property
    def need(self) -> int:
        """The rank from which on the check succeeds.

        >>> Check(6, 5).need, Check(100, 37, "under").need
        (5, 64)
        """
        return self.target if self.roll == "over" else self.die + 1 - self.target

    @property
    def success(self) -> Fraction:
        """The chance that the check succeeds.

        >>> Check(100, 37, "under").success
        Fraction(37, 100)
        """
        return sum(
            (p for name, p in self.outcomes().items() if name.endswith("success")), Fraction(0)
        )

    @property
    def words(self) -> str:
        """The check as people write it, certain and impossible ones named as such (C2).

        >>> Check(8, 6).words, Check(6, 7).words
        ('6+ on d8', '7+ on d6, impossible: no face')
        """
        form = f"{target_name(self.target, self.roll)} on d{self.die}"
        if self.need <= 1:
            return f"{form}, certain: every face"
        return f"{form}, impossible: no face" if self.need > self.die else form

    def opposite(self) -> Check:
        """The same roll as seen from the other side, which succeeds where this one fails.

        >>> Check(6, 5).opposite().success, Check(6, 5).opposite().need
        (Fraction(2, 3), 3)
        """
        if self.roll == "over":
            return self.but(target=self.target - 1, roll="under")
        return self.but(target=self.target + 1, roll="over")

    def outcomes(self) -> dict[str, Fraction]:
        """The chance of each outcome, from worst to best; they add up to 1.

        >>> Check(6, 5, favourable=1, unfavourable=1).outcomes()["plain success"]
        Fraction(1, 6)
        """
        found = dict.fromkeys(OUTCOMES, Fraction(0))
        for low, high in self.spans():
            found[self.name(low)] += Fraction(high - low, self.die)
        return found

    def spans(self, *cuts: int) -> list[tuple[int, int]]:
        """Ranks from the first up to, not including, the second that all mean the same.

        Args:
            *cuts: Ranks at which something else begins.
        """
        ends = {1, self.need, self.unfavourable + 1, self.die - self.favourable + 1, *cuts}
        inside = sorted({min(max(end, 1), self.die + 1) for end in ends} | {self.die + 1})
        return list(pairwise(inside))

    def name(self, rank: int) -> str:
        """What a rank means: its band, and whether the check succeeds.

        >>> Check(6, 5, favourable=1).name(6), Check(6, 5, favourable=3).name(4)
        ('favourable success', 'favourable failure')
        """
        band, succeeds = "plain", rank >= self.need
        if rank > self.die - self.favourable:
            band, succeeds = "favourable", succeeds or self.automatic != "none"
        elif rank <= self.unfavourable:
            band, succeeds = "unfavourable", succeeds and self.automatic != "both"
        return f"{band} {'success' if succeeds else 'failure'}"


def target_name(target: int, roll: Roll) -> str:
    """A target as people write it.

    >>> target_name(5, "over"), target_name(37, "under")
    ('5+', '37 or less')
    """
    return f"{target}+" if roll == "over" else f"{target} or less"


def targets_of(die: int, roll: Roll) -> dict[str, int]:
    """All targets of a die, by what they are called.

    >>> targets_of(2, "over")
    {'1+': 1, '2+': 2}
    """
    return {target_name(target, roll): target for target in range(1, die + 1)}


def check(
    die: int,
    target: int,
    roll: Roll = "over",
    favourable: Width = 0,
    unfavourable: Width = 0,
    automatic: Automatic = "none",
) -> Check:
    """A check, with everything about it looked at first.

    Args:
        die: Its number of sides.
        target: What a success shows or beats.
        roll: Whether high or low is good.
        favourable: Width of the favourable band: faces, or a percentage such as ``5%``.
        unfavourable: Width of the unfavourable band.
        automatic: Whether a band decides success: ``none``, ``success`` or ``both``.

    Raises:
        RuleError: For a die, a direction or a band that there is not.

    >>> check(20, 11, favourable="10%").favourable
    2
    """
    if not isinstance(die, int) or isinstance(die, bool) or die < 1:
        raise RuleError(f"a die has 1 side or more, not {die} (C2)", "write for example 6")
    if not isinstance(target, int) or isinstance(target, bool):
        raise RuleError(f"a target is a whole number, not {target} (C2)", "write for example 4")
    if roll not in ("over", "under"):
        raise RuleError(f"a check is not rolled {roll} (C4)", "write over or under")
    if automatic not in ("none", "success", "both"):
        raise RuleError(
            f"a band cannot decide {automatic} (C8)", "write none, success (favourable) or both"
        )
    best = faces(favourable, die, "favourable")
    worst = faces(unfavourable, die, "unfavourable")
    if best + worst > die:
        raise RuleError(
            f"bands of {best} and {worst} faces overlap on d{die} (C8)",
            f"together they have {die} faces at most",
        )
    return Check(die, target, roll, best, worst, automatic)


def nearest_checks(die: int, wanted: Fraction, roll: Roll) -> list[Check]:
    """The checks of a die whose chance comes nearest to a wanted one: one, or two as near (C3).

    >>> [one.target for one in nearest_checks(10, Fraction(65, 100), "over")]
    [5, 4]
    """
    count = int(wanted * die)
    near = sorted({min(max(ways, 1), die) for ways in (count, count + 1)})
    off = [abs(Fraction(ways, die) - wanted) for ways in near]
    return [
        Check(die, die + 1 - ways if roll == "over" else ways, roll)
        for ways, distance in zip(near, off, strict=True)
        if distance == min(off)
    ]


def faces(width: Width, die: int, name: str = "critical") -> int:
    """The width of a band in faces (C8).

    Args:
        width: Faces, or a percentage of the die's faces, such as ``5%``.
        die: Its number of sides.
        name: Which band, for the message.

    Raises:
        RuleError: For a percentage the die cannot show, and for any other width that makes no
            sense.

    >>> faces(1, 6), faces("5%", 20)
    (1, 1)
    """
    text = str(width).strip() if isinstance(width, (int, str)) else ""
    match = PERCENT.fullmatch(text)
    if match:
        return shown(Fraction(match[1]), die, f"{name} band")
    if isinstance(width, bool) or not re.fullmatch(r"\d{1,9}", text):
        raise RuleError(
            f"the {name} band cannot be {width} wide (C8)",
            "write faces, such as 1, or a percentage, such as 5%",
        )
    if int(text) > die:
        raise RuleError(f"the {name} band is {text} faces wide, but d{die} has {die} (C8)")
    return int(text)


def shown(percent: Fraction, die: int, what: str, rule: str = "C8") -> int:
    """So many per cent of the faces as a number of faces.

    Args:
        percent: The percentage, 0 or more.
        die: The sides of the die.
        what: What it is for, for the message.
        rule: The rule that asks for it.

    Raises:
        RuleError: For a percentage the die cannot show, naming the nearest that it can.

    >>> shown(Fraction(5), 20, "band")
    1
    """
    count = percent * die / 100
    if count > die:
        raise RuleError(f"no {what} is more than 100 % ({rule})")
    if count.denominator == 1:
        return int(count)
    low = int(count)
    near = sorted((low, low + 1), key=lambda faces: abs(faces - count))
    first, second = (f"{number(Fraction(100 * n, die))} % ({_counted(n)})" for n in near)
    word = "and just as near" if count - low == Fraction(1, 2) else "then"
    raise RuleError(
        f"{number(percent)} % is {count} of a face of d{die}, which is no {what} ({rule})",
        f"the nearest that d{die} shows is {first}, {word} {second}",
    )


def number(value: Fraction) -> str:
    """A number as people write it: a decimal of three places at most, or else a fraction.

    >>> number(Fraction(75, 2)), number(Fraction(50, 3))
    ('37.5', '50/3')
    """
    if (value * 1000).denominator > 1:
        return str(value)
    whole, rest = divmod(int(value * 1000), 1000)
    return f"{whole}.{rest:03}".rstrip("0").rstrip(".")


def _counted(faces: int) -> str:
    return "no face" if not faces else f"{faces} face{'' if faces == 1 else 's'}"


class Step(Record):
    """One step of a ladder of outcomes.

    Attributes:
        name: What it is called.
        start: The first rank it covers.
    """

    name: str
    start: int


def ladder(text: str, by: By, of: Check) -> tuple[Step, ...]:
    """A ladder of named outcomes, such as ``strained, plain 0, effortless 5`` (C11).

    Args:
        text: Names in order from worst to best, each with where it begins; the first may begin
            nowhere and then covers everything below the second. No text is no ladder.
        by: What the numbers are: the ``face`` shown, the ``margin`` by which the target is beaten
            (missed, below 0), or the share of the die's faces that are worse, in ``percent``.
        of: The check.

    Raises:
        RuleError: For a ladder that cannot be read, that does not rise, or that the die cannot
            show.

    >>> ladder("strained, plain 2, effortless 5", "margin", Check(20, 11))[2].start
    16
    """
    if by not in ("face", "margin", "percent"):
        raise RuleError(f"a ladder does not go by {by} (C11)", "write face, margin or percent")
    steps: list[Step] = []
    below = False
    for part in text.split(",") if text.strip() else ():
        match = STEP.fullmatch(part.strip())
        if match is None or (match[2] is None and steps):
            raise RuleError(
                f"the step {part.strip()!r} of the ladder cannot be read (C11)",
                "write for example strained, plain 0, effortless 5",
            )
        start = _rank(Fraction(match[2]), by, of) if match[2] else 1
        if below and start <= steps[-1].start:
            raise RuleError(
                f"the step {match[1]} does not begin above {steps[-1].name} (C11)",
                "write the ladder from the worst step to the best",
            )
        if match[1] in [step.name for step in steps]:
            raise RuleError(f"two steps of the ladder are called {match[1]} (C11)")
        steps.append(Step(match[1], start))
        below = match[2] is not None
    return tuple(steps)


def _rank(value: Fraction, by: By, of: Check) -> int:
    """The rank at which a step begins."""
    if by == "percent":
        if value < 0:
            raise RuleError(f"a step cannot begin at {value} % (C11)", "write 0 to 100")
        return shown(value, of.die, "step of the ladder", "C11") + 1
    if value.denominator != 1:
        raise RuleError(f"no {by} is {value} (C11)", "write a whole number")
    if by == "margin":
        return of.need + int(value)
    return int(value) if of.roll == "over" else of.die + 1 - int(value)


def crossed(of: Check, steps: tuple[Step, ...]) -> dict[str, dict[str, Fraction]]:
    """The chance of each outcome together with each step of a ladder.

    Returns:
        For each outcome the chances of the steps, and of "no step" where the ladder leaves faces
        out; everything adds up to 1.

    >>> check = Check(6, 4)
    >>> crossed(check, ladder("plain, effortless 2", "margin", check))["plain success"]
    {'plain': Fraction(1, 3), 'effortless': Fraction(1, 6)}
    """
    names = [step.name for step in steps]
    if not steps or steps[0].start > 1:
        names.insert(0, "no step")
    found = {outcome: dict.fromkeys(names, Fraction(0)) for outcome in OUTCOMES}
    for low, high in of.spans(*(step.start for step in steps)):
        reached = [step.name for step in steps if step.start <= low]
        step = reached[-1] if reached else "no step"
        found[of.name(low)][step] += Fraction(high - low, of.die)
    return found


def outcome_table(of: Check, steps: tuple[Step, ...]) -> Table:
    """The chance of every outcome, and of this or a better one; with a ladder, of each step.

    >>> outcome_table(Check(6, 4, favourable=1), ()).cell("plain success", "or better")
    Fraction(1, 2)
    """
    table = crossed(of, steps)
    whole = [sum(table[outcome].values(), Fraction(0)) for outcome in OUTCOMES]
    if not steps:
        better = [sum(whole[place:], Fraction(0)) for place in range(len(OUTCOMES))]
        rows = tuple(zip(OUTCOMES, zip(whole, better, strict=True), strict=True))
        across = "this outcome, and this or a better one"
        return Table(of.words, "outcome", across, ("chance", "or better"), rows)
    names = tuple(table[OUTCOMES[0]])
    each = [
        (outcome, (chance, *table[outcome].values()))
        for outcome, chance in zip(OUTCOMES, whole, strict=True)
    ]
    added = [sum(column, Fraction(0)) for column in zip(*(row for _, row in each), strict=True)]
    across = "all, then the steps of the ladder"
    lines = (*each, ("any outcome", tuple(added)))
    return Table(of.words, "outcome", across, ("chance", *names), lines)
