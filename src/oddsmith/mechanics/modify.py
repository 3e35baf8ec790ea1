"""Bounds on each die."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oddsmith.arguments import number
from oddsmith.errors import OutcomeError
from oddsmith.mechanics.parts import Change, natural_of, value_of
from oddsmith.mechanics.throw import as_throw
from oddsmith.outcomes import is_number

if TYPE_CHECKING:
    from oddsmith.mechanics.parts import Face
    from oddsmith.mechanics.throw import Throw


def clamp(throw: Throw, low: Any = None, high: Any = None) -> Throw:
    """Raise each die to ``low`` and lower it to ``high``; the natural face stays known.

    Args:
        throw: The dice.
        low: What each counts at least, or None.
        high: What each counts at most, or None.

    Raises:
        OutcomeError: For a face that is not a number.

    >>> from oddsmith import Dist
    >>> from oddsmith.mechanics.throw import Throw
    >>> clamp(Throw.of([(Dist(range(1, 7)), 1)]), low=2).total().mean
    Fraction(11, 3)
    """

    low, high = (end if end is None else number(end) for end in (low, high))

    def bound(face: Face) -> Face:
        value = value_of(face)
        if not is_number(value):
            raise OutcomeError(f"the face {value!r} cannot be raised or lowered")
        value = value if low is None else max(value, low)
        return (value if high is None else min(value, high), natural_of(face))

    change = Change(bound, lambda die: die.clamp(low, high))
    return as_throw(throw).wait(lambda _: (change,), changes_kind=True)
