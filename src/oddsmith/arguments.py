"""What is handed in, looked at once at the door: numbers, functions, events, lists and pairs."""

from __future__ import annotations

from fractions import Fraction
from inspect import CO_VARARGS
from types import FunctionType
from typing import TYPE_CHECKING, Any, cast

from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.errors import OutcomeError, RuleError
from oddsmith.outcomes import clean, is_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from oddsmith.exact.lattice import Number
    from oddsmith.outcomes import Outcome

LISTED = 20
"""What it costs to write down one number of a range, in the units of the budget."""


def as_test(event: Any) -> Callable[[Outcome], bool]:
    """An outcome, several of them or a function, as a function from an outcome to a truth value.

    >>> [as_test(event)(1) for event in (1, {2, 3}, lambda face: face < 2)]
    [True, False, True]
    """
    if callable(event):
        as_function(event, "an event", "lambda face: face > 4", 1)
        return cast("Callable[[Outcome], bool]", event)
    if isinstance(event, range):
        return lambda outcome: isinstance(outcome, int) and outcome in event
    if isinstance(event, (set, frozenset, list)):
        return {clean(part) for part in event}.__contains__
    return {clean(event)}.__contains__


def listed(given: Any, what: str, hint: str) -> Iterator[Any]:
    """What is given, one by one.

    Args:
        given: Anything that can be gone through.
        what: What it should be, for the message.
        hint: What to write instead.

    Raises:
        OutcomeError: For a single thing.
        TooLarge: For a range of millions.

    >>> list(listed({5, 6}, "faces", "write {6}"))
    [5, 6]
    """
    if isinstance(given, range):
        size = abs(given.stop - given.start) // abs(given.step)
        afford(LISTED * size, DEFAULT_BUDGET, "use a shorter range")
    try:
        return iter(given)
    except TypeError:
        raise OutcomeError(f"{given!r} is not {what}", hint) from None


def pairs_of(given: Any, whole: str, parts: str, hint: str) -> Iterator[tuple[Any, Any]]:
    """What is given, pair by pair.

    Args:
        given: A mapping, or pairs one by one.
        whole: What is made of them, for the message.
        parts: What they are, for the message.
        hint: What to write instead.

    Raises:
        OutcomeError: For anything but pairs.

    >>> list(pairs_of({1: 2}, "a deck", "pairs of (face, number)", "write {1: 4}"))
    [(1, 2)]
    """
    for pair in listed(given.items() if is_mapping(given) else given, parts, hint):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise OutcomeError(f"{whole} is made of {parts}, not of {pair!r}", hint)
        yield pair[0], pair[1]


def number(given: object, what: str = "a bound") -> Number:
    """An exact number; anything else is refused.

    >>> number(True), number(Fraction(4, 2))
    (1, 2)
    """
    found: Number = clean(given)
    if not is_number(found):
        raise OutcomeError(f"{what} is a number, not {given!r}", "write a whole one or a Fraction")
    return found


def chance_of(given: object) -> Fraction:
    """A chance; anything but an exact number from 0 to 1 is refused.

    >>> chance_of(1)
    Fraction(1, 1)
    """
    chance = Fraction(number(given, "a chance"))
    if not 0 <= chance <= 1:
        raise OutcomeError(f"a chance lies between 0 and 1, not at {chance}")
    return chance


def as_function(given: Any, role: str, example: str, takes: int | None = None) -> Any:
    """The function itself; what is none, or takes another number of arguments, is refused.

    Args:
        given: Anything.
        role: What it is, for the message.
        example: What to write instead.
        takes: With how many arguments it is called, where that is known.

    >>> as_function(abs, "a key", "lambda face: face % 2", 1)(-1)
    1
    """
    hint = f"write for example {example}"
    if not callable(given):
        raise RuleError(f"{role} is {given!r}, which is not a function", hint)
    if takes is not None and isinstance(given, FunctionType):
        code = given.__code__
        most, spare = code.co_argcount, len(given.__defaults__ or ())
        if takes < most - spare or (takes > most and not code.co_flags & CO_VARARGS):
            raise RuleError(f"{role} is called with {takes} arguments, not with {most}", hint)
    return given


def hashable(given: object, what: str) -> None:
    """Refuse what cannot be told from others, such as a list.

    >>> hashable((1, 2), "a state")
    """
    try:
        hash(given)
    except TypeError:
        raise OutcomeError(
            f"{what} is {given!r}, which can change", "make it a tuple: numbers, text and tuples do"
        ) from None


def is_mapping(given: object) -> bool:
    """Whether it has items, as a dict does.

    >>> is_mapping({1: 2}), is_mapping([1, 2])
    (True, False)
    """
    return hasattr(given, "items") and not isinstance(given, type)


def whole(given: object, what: str = "a number of dice", least: int | None = None) -> int:
    """A whole number, of ``least`` or more; anything else is refused.

    >>> whole(3), whole(0, "a depth", least=0)
    (3, 0)
    """
    if isinstance(given, int) and (least is None or given >= least):
        return given
    more = "" if least is None else f" and {least} or more"
    raise OutcomeError(f"{what} must be whole{more}, not {given!r}")


def place_of(outcome: Any, place: int) -> Any:
    """What a tuple has at one place.

    >>> place_of((1, "a"), 1)
    'a'
    """
    if isinstance(outcome, tuple) and -len(outcome) <= whole(place, "a place") < len(outcome):
        return outcome[place]
    raise OutcomeError(f"the outcome {outcome!r} has no place {place!r}", "places count from 0")
