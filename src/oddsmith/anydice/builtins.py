"""The functions that every program has, by the shape of their names."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from oddsmith.anydice.operators import ranked_sum
from oddsmith.anydice.values import EMPTY, Dice, Value, coarse, law_of, number_of
from oddsmith.dist import Dist, event, mix
from oddsmith.pool import Pool

if TYPE_CHECKING:
    from collections.abc import Callable


def _sequence(value: Value) -> tuple[int, ...]:
    return (value,) if isinstance(value, int) else value


def _missing(*values: Value) -> Fraction:
    mass = Fraction(1)
    for value in values:
        if isinstance(value, Dice) and value.missing:
            mass *= 1 - value.any_missing
    return coarse(1 - mass)


def absolute(number: Value) -> Value:
    """``[absolute N]``."""
    if isinstance(number, Dice):
        total = number.total()
        return EMPTY if total.law is None else Dice(abs(total.law), 1, total.missing)
    return abs(number if isinstance(number, int) else sum(number))


def contains(roll: Value, number: Value) -> Value:
    """``[S contains N]``; for dice: whether a die shows it."""
    wanted = law_of(number)
    if wanted.law is None or (isinstance(roll, Dice) and roll.law is None):
        return EMPTY
    if not isinstance(roll, Dice) and not isinstance(number, Dice):
        return int(number_of(number) in _sequence(roll))
    chance: dict[int, Any]
    if isinstance(roll, Dice):
        assert roll.law is not None
        law, count = roll.law, roll.count
        chance = {n: 1 - (1 - law.p(n)) ** count for n in wanted.law}
    else:
        chance = {n: 1 * (n in _sequence(roll)) for n in wanted.law}
    parts = [(event(chance[n]) if chance[n] not in (0, 1) else int(chance[n]), w)
             for n, w in wanted.law.weights().items()]  # fmt: skip
    return Dice(mix(parts), 1, _missing(roll, number))


def count_in(values: Value, roll: Value) -> Value:
    """``[count V in S]``: how often elements of V occur in S, repeats counted again."""
    if isinstance(roll, Dice):
        if roll.law is None:
            return EMPTY
        if not isinstance(values, Dice):
            wanted = _sequence(values)
            worth = roll.law.map(wanted.count)
            return Dice(worth.times(roll.count), 1, _missing(roll))
    if isinstance(values, Dice):
        return NotImplemented
    row = _sequence(roll)
    return sum(row.count(value) for value in _sequence(values))


def highest_of(number: Value, *pools: Value) -> Value:
    """``[highest N of D]`` and with ``and``: the best dice of one pool or several, added up."""
    return _best(number, pools, highest=True)


def lowest_of(number: Value, *pools: Value) -> Value:
    """``[lowest N of D]``."""
    return _best(number, pools, highest=False)


def _best(number: Value, pools: tuple[Value, ...], highest: bool) -> Value:
    dice = [_as_dice(pool) for pool in pools]
    known = [one for one in dice if one.law is not None]
    if not known or (isinstance(number, Dice) and number.law is None):
        return EMPTY
    whole = Pool([])
    for one in known:
        whole += one.pool
    if isinstance(number, Dice):
        total = number.total()
        assert total.law is not None
        parts = [(_kept(whole, n, highest), w) for n, w in total.law.weights().items()]
        return Dice(mix(parts), 1, _missing(number, *dice))
    many = number_of(number)
    assert many is not None
    return Dice(_kept(whole, many, highest), 1, _missing(*dice))


def _kept(pool: Pool, count: int, highest: bool) -> Dist[Any]:
    if count <= 0:
        return Dist([0])
    many = min(count, pool.size)
    found: Dist[Any] = (pool.keep_highest(many) if highest else pool.keep_lowest(many)).sum()
    return found


def _as_dice(value: Value) -> Dice:
    if isinstance(value, Dice):
        return value
    return Dice(Dist([value if isinstance(value, int) else sum(value)]))


def middle_of(number: Value, pool: Value) -> Value:
    """``[middle N of D]``."""
    dice = _as_dice(pool)
    if dice.law is None or (isinstance(number, Dice) and number.law is None):
        return EMPTY
    if isinstance(number, Dice):
        total = number.total()
        assert total.law is not None
        parts = [(_middle(dice, n), w) for n, w in total.law.weights().items()]
        return Dice(mix(parts), 1, _missing(number, dice))
    many = number_of(number)
    assert many is not None
    return Dice(_middle(dice, many), 1, _missing(dice))


def _middle(dice: Dice, count: int) -> Dist[Any]:
    if count <= 0:
        return Dist([0])
    many = min(count, dice.count)
    top = (dice.count - many) // 2
    times = [0] * dice.count
    for place in range(top, top + many):
        times[dice.count - 1 - place] = 1
    return ranked_sum(dice, times)


def extreme(left: Value, right: Value, highest: bool) -> Value:
    """``[highest of A and B]`` of two numbers."""
    if not isinstance(left, Dice) and not isinstance(right, Dice):
        pair = [x if isinstance(x, int) else sum(x) for x in (left, right)]
        return max(pair) if highest else min(pair)
    a, b = law_of(left), law_of(right)
    if a.law is None or b.law is None:
        return EMPTY
    pool = Pool([a.law, b.law])
    return Dice(pool.highest() if highest else pool.lowest(), 1, _missing(a, b))


def maximum(pool: Value) -> Value:
    """``[maximum of D]``: the highest total."""
    total = law_of(pool)
    total.require_all()
    return 0 if total.law is None else total.law.high


def reverse(roll: Value) -> Value:
    """``[reverse S]``; of nothing it is 0."""
    if isinstance(roll, Dice):
        return roll.total()
    row = _sequence(roll)
    return row[::-1] if row else 0


def sort(roll: Value, lowest_first: bool) -> Value:
    """``[sort S]``."""
    if isinstance(roll, Dice):
        return roll.total()
    return tuple(sorted(_sequence(roll), reverse=not lowest_first))


def explode(die: Value, depth: int) -> Value:
    """``[explode D]``: the highest face rolls again and adds, so many times at most.

    >>> explode(Dice(Dist([5])), 2).law
    Dist({15: 1})
    """
    one = _as_dice(die).total()
    if one.law is None:
        return EMPTY
    one.require_all()
    top, law = one.law.high, one.law
    found: Any = law
    for _ in range(depth):
        found = mix((top + found if face == top else face, w) for face, w in law.weights().items())
    return Dice(found, 1, _missing(*[one] * (depth + 1)))


SIMPLE: dict[str, Callable[..., Value]] = {
    "absolute ?": absolute,
    "? contains ?": contains,
    "count ? in ?": count_in,
    "highest ? of ?": highest_of,
    "highest ? of ? and ?": highest_of,
    "highest ? of ? and ? and ?": highest_of,
    "lowest ? of ?": lowest_of,
    "lowest ? of ? and ?": lowest_of,
    "lowest ? of ? and ? and ?": lowest_of,
    "middle ? of ?": middle_of,
    "highest of ? and ?": lambda a, b: extreme(a, b, highest=True),
    "lowest of ? and ?": lambda a, b: extreme(a, b, highest=False),
    "maximum of ?": maximum,
    "reverse ?": reverse,
}
"""Built-in functions that need no setting."""

SHAPES = {*SIMPLE, "sort ?", "explode ?"}
