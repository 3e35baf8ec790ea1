"""The model: a distribution is a dict from outcomes to Fractions that add up to 1."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import gcd
from typing import TYPE_CHECKING, Any

from oddsmith import Dist

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Law = dict[Any, Fraction]


def law(dist: Dist[Any]) -> Law:
    """What a distribution says, by its own items."""
    return dict(dist.items())


def same(dist: Any, model: Law) -> None:
    """The distribution says what the model says, and is in its one stored form."""
    assert isinstance(dist, Dist)
    assert law(dist) == {outcome: p for outcome, p in model.items() if p}
    weights = list(dist.weights().values())
    assert all(isinstance(weight, int) and weight > 0 for weight in weights)
    assert gcd(*weights) == 1
    assert dist.total == sum(weights)
    outcomes = dist.outcomes()
    assert outcomes == sorted(outcomes, key=rank)
    assert (dist.low, dist.high, len(dist)) == (outcomes[0], outcomes[-1], len(outcomes))
    assert all(stored(outcome) for outcome in outcomes)


def stored(outcome: Any) -> bool:
    """A whole number is an int, never a Fraction or a bool; parts of tuples likewise."""
    if isinstance(outcome, tuple):
        return all(stored(part) for part in outcome)
    if isinstance(outcome, Fraction):
        return outcome.denominator > 1
    return type(outcome) in (int, str)


def rank(outcome: Any) -> tuple[int, Any]:
    """Numbers, then text, then tuples."""
    if isinstance(outcome, tuple):
        return 2, tuple(rank(part) for part in outcome)
    return (1, outcome) if isinstance(outcome, str) else (0, outcome)


def added(pairs: Iterable[tuple[Any, Fraction]]) -> Law:
    """Chances of the same outcome added up."""
    result: Law = {}
    for outcome, p in pairs:
        result[outcome] = result.get(outcome, Fraction(0)) + p
    return result


def combined(a: Law, b: Law, function: Callable[[Any, Any], Any]) -> Law:
    """A function of two independent outcomes."""
    return added((function(x, y), p * q) for x, p in a.items() for y, q in b.items())


def mapped(a: Law, function: Callable[[Any], Any]) -> Law:
    """A function of the outcome."""
    return added((function(x), p) for x, p in a.items())


def bound(a: Law, function: Callable[[Any], Law]) -> Law:
    """Another law for each outcome."""
    return added((y, p * q) for x, p in a.items() for y, q in function(x).items())


def total_of(laws: Sequence[Law]) -> Law:
    """The sum of independent outcomes."""
    result: Law = {0: Fraction(1)}
    for one in laws:
        result = combined(result, one, lambda x, y: x + y)
    return result


def chance(a: Law, event: Callable[[Any], bool]) -> Fraction:
    """The chance of an event."""
    return sum((p for x, p in a.items() if event(x)), Fraction(0))


def mean_of(a: Law) -> Fraction:
    """The mean."""
    return sum((x * p for x, p in a.items()), Fraction(0))


def rolls(laws: Sequence[Law]) -> Iterable[tuple[tuple[Any, ...], Fraction]]:
    """Every way several dice can fall, with its chance; faces sorted from low to high."""
    for faces in product(*(one.items() for one in laws)):
        p = Fraction(1)
        for _, q in faces:
            p *= q
        yield tuple(sorted((face for face, _ in faces), key=rank)), p


def chained(die: Law, again: set[Any], most: int) -> Law:
    """A die of whole faces from 0 up that rolls on: the chances of 0 .. most, by first steps.

    f(x) = P(die = x, it stops) + sum over faces g that go on of P(g) * f(x - g).
    """
    stay = Fraction(1) - (die.get(0, Fraction(0)) if 0 in again else 0)
    f: Law = {}
    for x in range(most + 1):
        value = Fraction(0) if x in again else die.get(x, Fraction(0))
        value += sum(
            (p * f[x - g] for g, p in die.items() if g in again and 0 < g <= x), Fraction(0)
        )
        f[x] = value / stay
    return f
