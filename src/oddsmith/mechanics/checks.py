"""One roll against a target: at most one re-roll, then modifiers, then the natural rules.

The order never changes. Whether a roll is re-rolled is settled by its natural face, that is the
face before any modifier; the second face is final; modifiers change what it is worth; rules for
natural faces ("an unmodified 1 always fails") have the last word. A roll is a die or a sum of
dice: any ``Dist`` of numbers.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

from oddsmith.arguments import as_function, as_test, number, whole
from oddsmith.dist import Dist, as_dist
from oddsmith.errors import RuleError
from oddsmith.mechanics.symbols import vector_sum
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable

Face = Any
Faces = frozenset[Any]

KINDS = ("none", "ones", "failed", "not-succeeding", "all")
"""Which first rolls a re-roll rule names, by word; single faces are numbers."""

FAIL, SUCCESS, CRITICAL = "fail", "success", "critical"


class Modifiers(Record):
    """What is done to a number, always in this order: set, divide, multiply, add and subtract.

    Fractions are rounded up once at the end. Dividing by 2 and then by 3 is dividing by 6, also
    where each division is rounded up, so that one number holds all divisors.

    Attributes:
        set_to: Replaces the number first, or None.
        divide: The product of all divisors.
        multiply: The product of all factors.
        add: What is added less what is subtracted.
        each: Whether the division is rounded up before the rest is done.

    >>> halved_and_doubled = Modifiers(divide=2, multiply=2, add=1)
    >>> halved_and_doubled(5), halved_and_doubled.but(each=True)(5)
    (6, 7)
    """

    set_to: int | None = None
    divide: int = 1
    multiply: int = 1
    add: int = 0
    each: bool = False

    def __call__(self, value: int | Fraction) -> int:
        if self.divide < 1:
            raise RuleError(f"nothing is divided by {self.divide}", "divide by 1 or more")
        part = Fraction(value if self.set_to is None else self.set_to) / self.divide
        return ceil((ceil(part) if self.each else part) * self.multiply + self.add)

    def capped(self, most: int | None) -> Modifiers:
        """The same with a sum of additions and subtractions that is at most so far from 0.

        >>> Modifiers(add=-3).capped(1).add
        -1
        """
        return self if most is None else self.but(add=max(-most, min(most, self.add)))


class Check(Record):
    """What a roll has to reach, and what changes it.

    Attributes:
        target: The modified roll succeeds when it is so much or more.
        modifiers: What is done to the roll.
        floor: The modified roll is never less, or None.
        always_fail: Natural faces that fail whatever the modifiers.
        always_succeed: Natural faces that succeed whatever the modifiers.
        critical: Such a natural face or more is a critical success, unless it always fails.
        critical_succeeds: Whether it succeeds where the modified roll would not.

    >>> check = Check(3, Modifiers(add=-1), critical=6)
    >>> check.outcome(3), check.outcome(4), check.outcome(6)
    ('fail', 'success', 'critical')
    """

    target: int
    modifiers: Modifiers = Modifiers()
    floor: int | None = None
    always_fail: Faces = frozenset()
    always_succeed: Faces = frozenset()
    critical: int | None = None
    critical_succeeds: bool = True

    def modified(self, face: Face) -> int:
        """What a natural face is worth.

        >>> Check(3, Modifiers(add=-1), floor=1).modified(1)
        1
        """
        value = self.modifiers(face)
        return value if self.floor is None else max(value, self.floor)

    def outcome(self, face: Face) -> str:
        """``fail``, ``success`` or ``critical`` from a natural face.

        >>> Check(5, always_fail=frozenset({1})).outcome(5)
        'success'
        """
        if face in self.always_fail:
            return FAIL
        good = face in self.always_succeed or self.modified(face) >= self.target
        if self.critical is not None and face >= self.critical and (self.critical_succeeds or good):
            return CRITICAL
        return SUCCESS if good else FAIL

    def passes(self, face: Face) -> bool:
        """Whether a natural face succeeds.

        >>> Check(7, always_succeed=frozenset({6})).passes(6)
        True
        """
        return self.outcome(face) != FAIL

    def unmodified(self) -> Check:
        """The same check as if there were no modifiers.

        >>> Check(3, Modifiers(add=-1)).unmodified().passes(3)
        True
        """
        return self.but(modifiers=Modifiers(), floor=None)


class Reroll(Record):
    """Which first rolls are rolled again, each of them once however many sources name it.

    A source is a number (that face) or a word: ``none``; ``ones``; ``failed``, what would fail
    without modifiers; ``not-succeeding``, what does not succeed with them; ``all``.

    Attributes:
        sources: Everything that grants a re-roll.
        optional: Whether the roller may decline.

    >>> from oddsmith import d6
    >>> worse = Check(3, Modifiers(add=-1))
    >>> sorted(Reroll(("failed",)).faces(d6, worse))
    [1, 2]
    >>> sorted(Reroll(("not-succeeding",)).faces(d6, worse))
    [1, 2, 3]
    """

    sources: tuple[Face, ...] = ()
    optional: bool = False

    def faces(
        self, die: Dist[Any], check: Check, worth: Callable[[Face], int | Fraction] | None = None
    ) -> Faces:
        """The faces of a first roll that are rolled again.

        Who may decline re-rolls only what is worth less than a new roll on average.

        Args:
            die: The roll.
            check: What it is held against.
            worth: What a final face is worth to the roller; left out, 1 where it succeeds.

        Raises:
            RuleError: For an unknown word.

        >>> from oddsmith import d6
        >>> kind = Reroll(("failed",), optional=True)
        >>> sorted(kind.faces(d6, Check(3, Modifiers(add=1))))
        [1]
        """
        die = as_dist(die)
        _require(check, self)
        if worth is not None:
            as_function(worth, "worth", "lambda face: int(face > 4)", 1)
        named = frozenset(
            face for face in die if any(_names(source, face, check) for source in self.sources)
        )
        if not self.optional:
            return named
        value = worth or (lambda face: int(check.passes(face)))
        fresh = die.map(lambda face: Fraction(value(face))).mean
        return frozenset(face for face in named if value(face) < fresh)


def _names(source: Face, face: Face, check: Check) -> bool:
    """Whether a source of re-rolls names a face of a first roll."""
    if not isinstance(source, str):
        return bool(source == face)
    if source not in KINDS:
        raise RuleError(f"no re-roll is called {source}", f"choose from {', '.join(KINDS)}")
    if source == "failed":
        return not check.unmodified().passes(face)
    if source == "not-succeeding":
        return not check.passes(face)
    return source == "all" or (source == "ones" and bool(face == 1))


def _require(check: Any, reroll: Any) -> None:
    """Refuse a plain number where a check is meant, and the like."""
    if not isinstance(check, Check) or not isinstance(check.modifiers, Modifiers):
        raise RuleError(f"{check!r} is not a check", "write for example Check(4, Modifiers(add=1))")
    if not isinstance(reroll, Reroll):
        raise RuleError(f"{reroll!r} is not a re-roll", 'write for example Reroll(("ones",))')
    number(check.target, "a target")
    for part in (check.modifiers.divide, check.modifiers.multiply, check.modifiers.add):
        number(part, "a modifier")


def rolled(die: Dist[Any], again: Faces) -> Dist[tuple[Face, int]]:
    """The final natural face, and 1 where it comes from a re-roll, else 0.

    Args:
        die: The roll.
        again: The first faces that are rolled again, once.

    >>> from oddsmith import d6
    >>> rolled(d6, frozenset({1})).p((1, 1))
    Fraction(1, 36)
    """
    die, fits = as_dist(die), as_test(again)
    second = die.map(lambda face: (face, 1))
    found: Dist[Any] = die.then(lambda face: second if fits(face) else (face, 0))
    return found


def natural(die: Dist[Any], again: Faces) -> Dist[Any]:
    """The final natural face.

    Args:
        die: The roll.
        again: The first faces that are rolled again, once.

    >>> from oddsmith import d6
    >>> natural(d6, frozenset({1})).p(6)
    Fraction(7, 36)
    """
    return rolled(die, again).margin(0)


def resolve(
    die: Dist[Any],
    check: Check,
    reroll: Reroll = Reroll(),  # noqa: B008
    worth: Callable[[Face], int | Fraction] | None = None,
) -> Dist[tuple[Face, str]]:
    """The final natural face side by side with the outcome.

    Args:
        die: The roll.
        check: What it is held against.
        reroll: What is rolled again before.
        worth: What a final face is worth to a roller who may decline; see :class:`Reroll`.

    Returns:
        Pairs (final natural face, "fail", "success" or "critical").

    >>> from oddsmith import d6
    >>> resolve(d6, Check(5, critical=6), Reroll(("ones",))).p((6, "critical"))
    Fraction(7, 36)
    """
    _require(check, reroll)
    final = natural(die, reroll.faces(die, check, worth))
    return final.map(lambda face: (face, check.outcome(face)))


def chance(die: Dist[Any], check: Check, reroll: Reroll = Reroll()) -> Fraction:  # noqa: B008
    """The chance to succeed, criticals included.

    Args:
        die: The roll.
        check: What it is held against.
        reroll: What is rolled again before.

    >>> from oddsmith import d6
    >>> chance(d6, Check(3, Modifiers(add=-1)), Reroll(("failed",)))
    Fraction(2, 3)
    """
    _require(check, reroll)
    return natural(die, reroll.faces(die, check)).p(check.passes)


def tally(roll: Dist[Any], dice: int, *events: Callable[[Any], bool]) -> Dist[tuple[int, ...]]:
    """How many of like independent rolls fit each of several events, side by side.

    Cost: as :func:`oddsmith.mechanics.symbols.vector_sum` with a place for each event.

    Args:
        roll: One roll.
        dice: How many there are.
        events: From an outcome of a roll to whether it counts.

    Raises:
        RuleError: For a negative number of dice.

    >>> from oddsmith import d6
    >>> tally(d6, 2, lambda face: face >= 3, lambda face: face == 6).p((2, 1))
    Fraction(1, 6)
    """
    roll, tests = as_dist(roll), [as_test(event) for event in events]
    if whole(dice) < 0:
        raise RuleError(f"{dice} dice cannot be rolled", "roll 0 or more")
    if not dice:
        return Dist({(0,) * len(tests): 1})
    marks = roll.map(lambda outcome: tuple(int(bool(fits(outcome))) for fits in tests))
    return vector_sum([(marks, dice)])
