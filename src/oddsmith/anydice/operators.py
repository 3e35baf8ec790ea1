"""The operators on numbers, sequences and dice; where a die takes part, rolls are independent."""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from oddsmith.anydice.products import crossed
from oddsmith.anydice.values import EMPTY, Dice, Value, coarse, law_of
from oddsmith.dice import d as fair
from oddsmith.dist import Dist, mix
from oddsmith.errors import OutcomeError
from oddsmith.exact.text import whole_text

if TYPE_CHECKING:
    from collections.abc import Callable

COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt,
    "<=": operator.le, ">=": operator.ge,
}  # fmt: skip
LEAST = -(2**63)
"""What 0 to a negative power counts as among the outcomes of dice."""

LONG = 10**18

MOST_POWER = 1_000_000
"""Bits of a power or a product that is worked out."""


def divided(a: int, b: int) -> int:
    """Toward zero; by 0 it is 0.

    >>> divided(7, -2), divided(1, 0)
    (-3, 0)
    """
    if not b:
        return 0
    size = abs(a) // abs(b)
    return size if (a < 0) == (b < 0) else -size


def power(a: int, b: int) -> int:
    """A power, toward zero; 0 to a negative power is refused.

    >>> power(2, -1), power(-1, -1), power(0, 0)
    (0, -1, 1)
    """
    if b >= 0:
        if abs(a) > 1 and a.bit_length() * b > MOST_POWER:
            raise OutcomeError("this power is too large to be written down", "use smaller numbers")
        return int(a**b)
    if a == 0:
        raise OutcomeError(
            f"0 to the power of {b} is no number", "see to it that the base is not 0"
        )
    return divided(1, int(a ** min(-b, 64 if abs(a) > 1 else -b)))


def times(a: int, b: int) -> int:
    """A product; one that is too long is refused.

    >>> times(6, 7)
    42
    """
    if -LONG < a < LONG and -LONG < b < LONG:
        return a * b
    if a.bit_length() + b.bit_length() > MOST_POWER:
        raise OutcomeError("this product is too large to be written down", "use smaller numbers")
    return a * b


ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": times, "/": divided, "^": power,
    "&": lambda a, b: 1 if a and b else 0, "|": lambda a, b: 1 if a or b else 0,
}  # fmt: skip


def _number(test: Callable[[Any, Any], bool]) -> Callable[[int, int], int]:
    return lambda a, b: 1 if test(a, b) else 0


NUMBERS: dict[str, Callable[[int, int], int]] = {op: _number(test) for op, test in COMPARE.items()}
"""Comparisons of two numbers."""


def _joined(left: Dice, right: Dice, law: Dist[Any]) -> Dice:
    missing = Fraction(0)
    if left.missing or right.missing:
        missing = coarse(1 - (1 - left.missing) * (1 - right.missing))
    return Dice(law, 1, missing)


def binary(op: str, left: Value, right: Value) -> Value:
    """Any operator with two sides but ``d`` and ``@``."""
    if not isinstance(left, Dice) and not isinstance(right, Dice):
        return PLAIN[op](left, right)
    return compared(op, left, right) if op in COMPARE else _with_dice(op, left, right)


def _added(function: Callable[[int, int], int]) -> Callable[[Value, Value], int]:
    """Sequences are added up."""
    return lambda a, b: function(a if type(a) is int else sum(a), b if type(b) is int else sum(b))


def _held_against(test: Callable[[Any, Any], bool]) -> Callable[[Value, Value], int]:
    """Two sequences as words are ordered; of a sequence and a number, the elements that fit."""

    def compare(a: Value, b: Value) -> int:
        if type(a) is type(b):
            return int(test(a, b))
        if type(a) is tuple:
            return sum(1 for element in a if test(element, b))
        return sum(1 for element in b if test(a, element))

    return compare


PLAIN: dict[str, Callable[[Value, Value], int]] = {
    **{op: _added(function) for op, function in ARITHMETIC.items()},
    **{op: _held_against(test) for op, test in COMPARE.items()},
}
"""Operators on numbers and sequences."""


def _with_dice(op: str, a_side: Value, b_side: Value) -> Value:
    sides = (a_side, b_side)
    empty = [isinstance(side, Dice) and side.law is None for side in sides]
    if op in "+-|" and any(empty):
        plain = [0 if none else side for none, side in zip(empty, sides, strict=True)]
        if not any(isinstance(side, Dice) for side in plain) and not all(empty):
            return PLAIN[op](*plain)
        if op in "+|" and not all(empty):
            return a_side if empty[1] else b_side
    left, right = law_of(a_side), law_of(b_side)
    if left.law is None or right.law is None:
        if left.law is None and right.law is None:
            return EMPTY
        if op not in ("+", "-", "|"):
            return EMPTY
        zero = Dice(Dist([0]))
        left, right = (side if side.law is not None else zero for side in (left, right))
    a, b = left.law, right.law
    assert a is not None
    assert b is not None
    if op == "+":
        return _joined(left, right, a + b)
    if op == "-":
        return _joined(left, right, a - b)
    if op in "*/":
        law = crossed(op, a, b)
        if law is None:
            law = a * b if op == "*" else a.combine(b, divided)
        return _joined(left, right, law)
    if op in "&|":
        zeros, others = _weight(a, 0), _weight(b, 0)
        whole = a.total * b.total
        both = (a.total - zeros) * (b.total - others)
        return _joined(left, right, truth(both if op == "&" else whole - zeros * others, whole))
    return _joined(left, right, a.combine(b, power_of_dice))


def power_of_dice(a: int, b: int) -> int:
    """A power among dice: 0 to a negative power is the least number that AnyDice knows."""
    return LEAST if a == 0 and b < 0 else power(a, b)


def compared(op: str, left: Value, right: Value) -> Value:
    """A comparison in which a die takes part: a die of 0 and 1."""
    a, b = law_of(left), law_of(right)
    if a.law is None or b.law is None:
        return EMPTY
    return _joined(a, b, _compared(op, a.law, b.law))


def _compared(op: str, a: Dist[Any], b: Dist[Any]) -> Dist[int]:
    if op in ("=", "!="):
        hits, whole = _agreeing(a, b), a.total * b.total
        return truth(hits if op == "=" else whole - hits, whole)
    found: Dist[int] = COMPARE[op](a, b)  # type: ignore[assignment]
    return found


def _agreeing(a: Dist[Any], b: Dist[Any]) -> int:
    """The ways in which two laws agree."""
    if a.slots() < b.slots():
        a, b = b, a
    if b.slots() == 1:
        return b.total * _weight(a, b.low)
    other = a.weights()
    return sum(weight * other.get(face, 0) for face, weight in b.weights().items())


def _weight(law: Dist[Any], face: int) -> int:
    return law.weights(face, face).get(face, 0)


def truth(hits: int, whole: int) -> Dist[int]:
    """1 in so many of all ways, else 0.

    >>> truth(2, 6)
    Dist({0: 2, 1: 1})
    """
    return Dist({0: whole - hits, 1: hits})


def unary(op: str, body: Value) -> Value:
    """A sign in front of a value."""
    if op == "+":
        return body
    if op == "#":
        return size(body)
    if isinstance(body, Dice):
        if body.law is None:
            return EMPTY
        if op == "-":
            return _negated(body, body.count)
        total = body.total()
        assert total.law is not None
        return Dice(truth(_weight(total.law, 0), total.law.total), 1, total.missing)
    number = body if isinstance(body, int) else sum(body)
    return -number if op == "-" else int(not number)


def size(body: Value) -> int:
    """``#``: digits of a number, elements of a sequence, dice of a pool."""
    if isinstance(body, int):
        return len(whole_text(abs(body)))
    return len(body) if isinstance(body, tuple) else body.count


def faces(value: Value) -> Dice:
    """The single die that ``d`` makes of a value.

    >>> faces(4).law, faces(-2).law, faces((1, 1, 2)).law
    (Dist({1: 1, 2: 1, 3: 1, 4: 1}), Dist({-2: 1, -1: 1}), Dist({1: 2, 2: 1}))
    """
    if isinstance(value, Dice):
        return value
    if isinstance(value, tuple):
        return Dice(Dist(value)) if value else EMPTY
    if not value:
        return Dice(Dist([0]), sides=0)
    return Dice(fair(value) if value > 0 else -fair(-value), sides=value)


def dice(left: Value, right: Value) -> Dice:
    """``N d X``: dice of one kind, or a random number of them added up."""
    kind = faces(right)
    if kind.law is None:
        return Dice(None, 1) if isinstance(left, Dice) else EMPTY
    if isinstance(left, Dice):
        return _random_number(left.total(), kind)
    count = left if isinstance(left, int) else sum(left)
    if count == 0:
        return faces(0)
    if count == 1:
        return kind
    one = kind.total() if isinstance(right, Dice) else kind
    assert one.law is not None
    return Dice(one.law, count, one.missing, one.sides) if count > 0 else _negated(one, -count)


def _negated(one: Dice, count: int) -> Dice:
    """So many of a die with its faces negated."""
    assert one.law is not None
    return Dice(-one.law, count, one.missing, None if one.sides is None else -one.sides)


def _random_number(number: Dice, kind: Dice) -> Dice:
    if number.law is None:
        return Dice(None, 1)
    one = kind.total()
    assert one.law is not None
    most = max(abs(number.law.low), abs(number.law.high))
    missing = (
        coarse(1 - (1 - number.missing) * (1 - one.missing) ** most)
        if (number.missing or one.missing)
        else Fraction(0)
    )
    if number.law.low >= 0:
        return Dice(number.law @ one.law, 1, missing)
    law = one.law
    parts = (
        ((law.times(k) if k >= 0 else -law.times(-k)), w) for k, w in number.law.weights().items()
    )
    return Dice(mix(parts), 1, missing)


def digits(number: int, lowest_first: bool) -> tuple[int, ...]:
    """The digits of a number, those of a negative one negative."""
    sign = -1 if number < 0 else 1
    found = tuple(sign * int(char) for char in whole_text(abs(number)))
    return found[::-1] if lowest_first else found


def digit(place: int, number: int, lowest_first: bool) -> int:
    """One digit of a number, 0 where there is none.

    >>> digit(1, -456, False), digit(4, 456, False), digit(1, 456, True)
    (-4, 0, 6)
    """
    text = str(abs(number)) if -LONG < number < LONG else whole_text(abs(number))
    if not 1 <= place <= len(text):
        return 0
    shown = ord(text[-place if lowest_first else place - 1]) - 48
    return shown if number >= 0 else -shown


def picked(left: Value, right: Value, lowest_first: bool = False) -> Value:
    """``P @ X``: the elements, digits or dice in these places, added up."""
    if isinstance(left, Dice):
        raise OutcomeError(
            "places are numbers, not dice", "write a function with a parameter such as PLACE:n"
        )
    places = (left,) if isinstance(left, int) else left
    if isinstance(right, Dice):
        return _ranked(places, right, lowest_first)
    row = right if isinstance(right, tuple) else digits(right, lowest_first)
    return sum(row[place - 1] for place in places if 1 <= place <= len(row))


def _ranked(places: tuple[int, ...], body: Dice, lowest_first: bool) -> Value:
    if body.law is None and (not body.count or any(1 <= p <= body.count for p in places)):
        return EMPTY
    times = [0] * body.count
    for place in places:
        if 1 <= place <= body.count:
            times[place - 1] += 1
    if not any(times):
        return Dice(Dist([0]))
    rising = times if lowest_first else times[::-1]
    return Dice(ranked_sum(body, rising), 1, body.any_missing)


def ranked_sum(body: Dice, times: list[int]) -> Dist[Any]:
    """The dice added up, each as often as its rank from the lowest says."""
    pool = body.pool
    used = [rank for rank, many in enumerate(times) if many]
    first, last = used[0], used[-1] + 1
    found: Dist[Any]
    if set(times[first:last]) == {1}:
        found = pool.window(first, last).sum()
        return found
    running = [0]
    for many in times:
        running.append(running[-1] + many)

    def step(state: tuple[int, int], face: int, count: int) -> tuple[int, int]:
        rank, total = state
        return rank + count, total + face * (running[rank + count] - running[rank])

    found = pool.fold(step, (0, 0), final=lambda state: state[1])
    return found
