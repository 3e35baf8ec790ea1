"""Measures of distributions: spread, shape, distance, and distributions made from such numbers.

Everything is an exact ``Fraction``, but for what needs a logarithm or a root: entropy, skewness,
kurtosis and correlation are floats, worked out exactly up to the last step.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from fractions import Fraction
from itertools import accumulate
from math import fsum, lcm, log1p, log2
from typing import TYPE_CHECKING, Any

from oddsmith.arguments import as_function, is_mapping, number, place_of
from oddsmith.budget import DEFAULT_BUDGET, afford, words
from oddsmith.dist import Dist, as_dist, float_sqrt, mix
from oddsmith.enclosed import as_any
from oddsmith.errors import ImpossibleEvent, OutcomeError, RuleError
from oddsmith.open_dist import OpenDist
from oddsmith.outcomes import clean, is_number, sort_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.random import Generator

    from oddsmith.exact.lattice import Number

SIDES = ("<=", "<", ">=", ">")
"""On which side of a number the nearest outcome is looked for."""


# --- spread and shape


def entropy(dist: Dist[Any], base: float = 2) -> float:
    """How much one roll tells, on average: a float, because of the logarithm.

    Args:
        dist: A distribution over outcomes of any kind.
        base: 2 counts bits, ``math.e`` counts nats.

    Raises:
        OutcomeError: For an open-ended die.
        RuleError: For a base that is not above 1.

    >>> entropy(Dist(range(8))), entropy(Dist([1]))
    (3.0, 0.0)
    """
    if not isinstance(base, (int, float, Fraction)) or not base > 1:
        raise RuleError(f"entropy is counted in a base above 1, not {base}")
    bits = fsum(-float(p) * _log2(p) for _, p in _finite(dist).items() if float(p))
    return abs(bits / log2(base))


def _log2(chance: Fraction) -> float:
    """Of a chance near 1 the distance to 1 counts, which a float of the chance has lost."""
    if 2 * chance <= 1:
        return log2(chance)
    return log1p(float(chance - 1)) / log1p(1)


def skewness(dist: Dist[Any] | OpenDist) -> float:
    """The third standardized moment: above 0 where the tail is on the high side.

    A float, because of the root in the standard deviation.

    Raises:
        OutcomeError: Where an outcome is not a number, or where there is only one.

    >>> skewness(Dist([1, 2, 3])), skewness(Dist({0: 4, 1: 1}))
    (0.0, 1.5)
    """
    dist = as_any(dist)
    variance = _variance(dist)
    third = Fraction(dist.moment(3, about=dist.mean))
    size = float_sqrt(third**2 / variance**3)
    return size if third >= 0 else -size


def kurtosis(dist: Dist[Any] | OpenDist, *, excess: bool = False) -> float:
    """The fourth standardized moment: the larger, the more of the variance comes from far outcomes.

    A float like :func:`skewness`; it is ``dist.moment(4, about=dist.mean) / dist.variance**2``,
    which is exact.

    Args:
        dist: A distribution over numbers.
        excess: Whether 3 is taken away, the kurtosis of a normal distribution.

    Raises:
        OutcomeError: Where an outcome is not a number, or where there is only one.

    >>> kurtosis(Dist([0, 1])), kurtosis(Dist([0, 1]), excess=True)
    (1.0, -2.0)
    """
    dist = as_any(dist)
    variance = _variance(dist)
    found = Fraction(dist.moment(4, about=dist.mean)) / variance**2
    return float(found - 3 if excess else found)


def _variance(dist: Dist[Any] | OpenDist) -> Fraction:
    variance = dist.variance
    if not variance:
        raise OutcomeError("a single outcome has no spread, and so no shape")
    return variance


# --- two places of one roll


def covariance(joint: Dist[Any], i: int, j: int) -> Fraction:
    """How two places of tuple outcomes go together: the mean product less the product of the means.

    Args:
        joint: A distribution over tuples.
        i: One place, from 0.
        j: The other.

    Raises:
        OutcomeError: Where an outcome is no tuple, or has no number at such a place.

    >>> from oddsmith import d6
    >>> covariance(d6.map(lambda face: (face, 7 - face)), 0, 1)
    Fraction(-35, 12)
    """
    joint = _finite(joint)
    product = left = right = Fraction(0)
    for outcome, weight in joint.weights().items():
        a, b = _number_at(outcome, i), _number_at(outcome, j)
        product += weight * a * b
        left += weight * a
        right += weight * b
    return product / joint.total - left * right / joint.total**2


def correlation(joint: Dist[Any], i: int, j: int) -> float:
    """The correlation coefficient of two places (Pearson's), from -1 to 1.

    It is their covariance divided by both standard deviations.

    A float, because of the root.

    Args:
        joint: A distribution over tuples.
        i: One place, from 0.
        j: The other.

    Raises:
        OutcomeError: As for :func:`covariance`, and where a place always shows the same.

    >>> from oddsmith import d6
    >>> correlation(d6.map(lambda face: (face, 7 - face)), 0, 1)
    -1.0
    """
    spread = covariance(joint, i, i) * covariance(joint, j, j)
    if not spread:
        raise OutcomeError("a place that always shows the same goes together with nothing")
    both = covariance(joint, i, j)
    size = float_sqrt(both**2 / spread)
    return size if both >= 0 else -size


def _number_at(outcome: Any, place: int) -> Number:
    found: Number = place_of(outcome, place)
    if not is_number(found):
        raise OutcomeError(f"at place {place} of {outcome!r} there is no number")
    return found


# --- two distributions, or one and a number


def distance(a: Any, b: Any) -> Fraction:
    """The largest gap between the chances of so much or less: the Kolmogorov-Smirnov distance.

    Args:
        a: A number or a distribution over numbers.
        b: Another.

    Raises:
        OutcomeError: Where an outcome is not a number, and for open-ended dice.

    >>> from oddsmith import d4, d6
    >>> distance(d6, d4), distance(d6, d6), distance(1, 2)
    (Fraction(1, 3), Fraction(0, 1), Fraction(1, 1))
    """
    left, right = _numbers(a), _numbers(b)
    common = lcm(left.total, right.total)
    rises: dict[Number, int] = defaultdict(int)
    for dist, sign in ((left, 1), (right, -1)):
        factor = sign * common // dist.total
        for outcome, weight in dist.weights().items():
            rises[outcome] += factor * weight
    gaps = accumulate(rises[outcome] for outcome in sorted(rises))
    return Fraction(max(map(abs, gaps)), common)


def nearest(dist: Any, bound: Number, side: str = "<=") -> Number:
    """The outcome that is nearest to a number.

    Args:
        dist: A distribution over numbers.
        bound: The number.
        side: Which outcomes may be taken: those ``<=`` it, or ``<``, ``>=``, ``>``.

    Raises:
        ImpossibleEvent: Where there is none on that side.
        OutcomeError: Where an outcome is not a number, and for open-ended dice.

    >>> nearest(Dist([1, 3, 7]), 5), nearest(Dist([1, 3, 7]), 3, ">")
    (3, 7)
    """
    if side not in SIDES:
        raise RuleError(f"there is no side {side!r}", f"write one of {', '.join(SIDES)}")
    bound = number(bound)
    below = side.startswith("<")
    ends = {"high": bound} if below else {"low": bound}
    fit: list[Number] = [
        outcome
        for outcome in _numbers(dist).weights(**ends)
        if outcome != bound or side.endswith("=")
    ]
    if not fit:
        raise ImpossibleEvent(f"no outcome is {side} {bound}")
    return fit[-1] if below else fit[0]


# --- taking apart and putting together


def group_by(dist: Dist[Any], key: Callable[[Any], Any]) -> dict[Any, tuple[Fraction, Dist[Any]]]:
    """For each value of a function: its chance, and the distribution once it is known.

    Args:
        dist: A distribution over outcomes of any kind.
        key: From an outcome to a number, a text or a tuple of these.

    >>> group_by(Dist([1, 2, 3]), lambda face: face % 2)
    {0: (Fraction(1, 3), Dist({2: 1})), 1: (Fraction(2, 3), Dist({1: 1, 3: 1}))}
    """
    as_function(key, "key", "lambda face: face % 2", 1)
    dist = _finite(dist)
    groups: dict[Any, dict[Any, int]] = defaultdict(dict)
    for outcome, weight in dist.weights().items():
        groups[clean(key(outcome))][outcome] = weight
    return {
        value: (Fraction(sum(groups[value].values()), dist.total), Dist.of_table(groups[value]))
        for value in sorted(groups, key=sort_key)
    }


def one_hot(dist: Dist[Any]) -> Dist[tuple[int, ...]]:
    """A tuple with a place for every outcome, in order: 1 for the one rolled, 0 for the others.

    Sums of such tuples (:func:`oddsmith.mechanics.symbols.vector_sum`) count all outcomes at once.

    >>> one_hot(Dist("ab")).outcomes()
    [(0, 1), (1, 0)]
    """
    weights = _finite(dist).weights()
    afford(words(len(weights) ** 2, 64), DEFAULT_BUDGET, "use fewer outcomes")
    return Dist(
        {
            tuple(int(place == k) for k in range(len(weights))): weight
            for place, weight in enumerate(weights.values())
        }
    )


def from_cumulative(reached: Mapping[Any, int | Fraction]) -> Dist[Any]:
    """The distribution with these running totals: of each outcome, what comes up to it.

    Args:
        reached: From outcomes to the weight, or the chance, of this outcome or one before it.

    Raises:
        OutcomeError: Where the totals fall from one outcome to the next.

    >>> from_cumulative({1: 1, 2: 3, 3: 6})
    Dist({1: 1, 2: 2, 3: 3})
    """
    if not is_mapping(reached):
        raise OutcomeError(
            f"{reached!r} is not a mapping from outcomes to running totals",
            "write for example from_cumulative({1: 1, 2: 3, 3: 6})",
        )
    weights, before = {}, Fraction(0)
    totals = {clean(outcome): clean(total) for outcome, total in reached.items()}
    for outcome in sorted(totals, key=sort_key):
        total = totals[outcome]
        if not is_number(total):
            raise OutcomeError(f"the total {total!r} up to {outcome!r} is not a number")
        if total < before:
            raise OutcomeError(f"the total {total} up to {outcome!r} is less than {before} before")
        weights[outcome], before = total - before, total
    if not before:
        raise OutcomeError("a distribution needs at least one outcome of positive weight")
    found: Dist[Any] = mix(weights)
    return found


# --- by chance


def sample(dist: Dist[Any], rng: Generator, times: int = 1) -> list[Any]:
    """Outcomes by chance, each with its exact probability: ``dist.sample`` says the same.

    Args:
        dist: A distribution over outcomes of any kind.
        rng: Where the random bytes come from; the same seed gives the same outcomes.
        times: How many.

    Raises:
        RuleError: For a number of outcomes that is negative or not whole.
        OutcomeError: For an open-ended die.

    >>> import numpy as np
    >>> sample(Dist(["heads"]), np.random.default_rng(1), 2)
    ['heads', 'heads']
    """
    if not isinstance(times, int) or times < 0:
        raise RuleError(f"a sample is of 0 outcomes or more, not {times}")
    if not hasattr(rng, "bytes"):
        raise RuleError(f"{rng!r} gives no bytes", "write numpy.random.default_rng(7)")
    dist = _finite(dist)
    weights = dist.weights()
    afford(40 * times + 2 * words(times, dist.bits()), DEFAULT_BUDGET, "draw fewer outcomes")
    outcomes, running = list(weights), list(accumulate(weights.values()))
    return [outcomes[bisect_right(running, n)] for n in _numbers_below(dist.total, rng, times)]


def _numbers_below(end: int, rng: Generator, times: int) -> Iterator[int]:
    """Whole numbers from 0 to before an end of any size, each as likely as the others.

    As many random bits as the last one has make numbers that are all equally likely; those past
    the end, fewer than half, are thrown away.
    """
    bits = (end - 1).bit_length()
    width = -(-bits // 8) or 1
    spare = 8 * width - bits
    while times:
        raw = rng.bytes(width * times)
        for start in range(0, len(raw), width):
            number = int.from_bytes(raw[start : start + width], "little") >> spare
            if number < end:
                yield number
                times -= 1


def _finite(dist: Any) -> Dist[Any]:
    if isinstance(dist, OpenDist):
        raise OutcomeError(
            "an open-ended die has no last outcome to look at", "clamp it: die.clamp(high=40)"
        )
    return as_dist(dist)


def _numbers(dist: Any) -> Dist[Any]:
    found = _finite(dist)
    found.require_numbers("compare")
    return found
