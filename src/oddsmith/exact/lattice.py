"""Weights on an evenly spaced grid of numbers, held as one polynomial.

The outcomes ``low, low + step, low + 2 * step, ..`` carry the coefficients of ``poly``: the
probability generating function up to its total. Adding independent dice multiplies polynomials,
adding n alike takes a power, so the C library does the work.

Normal form: the first and last coefficients are not 0, the coefficients have no common divisor,
and no wider step would do (a single outcome has step 1).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from math import comb, gcd
from typing import TYPE_CHECKING, NamedTuple

from flint import fmpz, fmpz_poly

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Number = int | Fraction


SHORT = 40
"""So few binary dice are added by the binomial theorem."""

LONG = 20_000
"""Sums of fair dice of 16 sides or more, with so many sides in all, go by a recurrence."""


class Lattice(NamedTuple):
    """Weights ``poly[i]`` on the outcomes ``low + i * step``."""

    low: Number
    step: Number
    poly: fmpz_poly


def tidy(number: Number) -> Number:
    """The same number, as an int where it is whole."""
    if type(number) is not int and number.denominator == 1:
        return number.numerator
    return number


def gcd_of(a: Number, b: Number) -> Number:
    """The largest number of which both are whole multiples (0 when both are 0)."""
    if isinstance(a, int) and isinstance(b, int):
        return gcd(a, b)
    a, b = Fraction(a), Fraction(b)
    top = gcd(a.numerator * b.denominator, b.numerator * a.denominator)
    return tidy(Fraction(top, a.denominator * b.denominator))


def ratio_of(a: Number, b: Number) -> int:
    """``a / b``, which must be whole."""
    return int(Fraction(a) / b) if not (isinstance(a, int) and isinstance(b, int)) else a // b


def dense_enough(slots: int, support: int) -> bool:
    """Whether a grid of that many slots is a fair home for that many outcomes."""
    return slots <= 64 + 16 * support


def spacing(outcomes: Sequence[Number]) -> Number:
    """The widest step of a grid through sorted outcomes; 1 for a single one."""
    low = outcomes[0]
    step: Number = 0
    whole = all(isinstance(outcome, int) for outcome in outcomes)
    for outcome in outcomes[1:]:
        step = gcd_of(step, outcome - low)
        if step == 1 and whole:
            break
    return step or 1


def from_weights(weights: Mapping[Number, int]) -> Lattice | None:
    """The grid for these weights (all positive), or None when it would be mostly empty."""
    outcomes = sorted(weights)
    low, step = outcomes[0], spacing(outcomes)
    slots = ratio_of(outcomes[-1] - low, step) + 1
    if not dense_enough(slots, len(outcomes)):
        return None
    coefficients = [0] * slots
    for outcome in outcomes:
        coefficients[ratio_of(outcome - low, step)] = weights[outcome]
    return Lattice(tidy(low), tidy(step), fmpz_poly(coefficients))


def uniform(sides: int) -> Lattice:
    """One each on 1..sides."""
    return Lattice(1, 1, fmpz_poly([1] * sides))


def binary(no: int, yes: int) -> Lattice:
    """Weights above 0 on 0 and 1, without a common divisor."""
    return Lattice(0, 1, fmpz_poly([no, yes]))


def constant(value: Number) -> Lattice:
    """All weight on one number."""
    return Lattice(tidy(value), 1, fmpz_poly([1]))


def slots(grid: Lattice) -> int:
    """How many places the grid has, empty ones included."""
    return int(grid.poly.length())


def high(grid: Lattice) -> Number:
    """The largest outcome."""
    return tidy(grid.low + grid.step * grid.poly.degree())


def total(grid: Lattice) -> int:
    """The sum of the weights."""
    return int(grid.poly(1))


def height_bits(grid: Lattice) -> int:
    """Bits of the largest weight."""
    return int(grid.poly.height_bits())


def items(
    grid: Lattice, first: Number | None = None, last: Number | None = None
) -> Iterator[tuple[Number, int]]:
    """Outcomes with a weight above 0, rising; only those from first to last where given."""
    if first is None and last is None:
        outcome, step = grid.low, grid.step
        for weight in grid.poly.coeffs():
            if weight:
                yield tidy(outcome), int(weight)
            outcome += step
        return
    start, end = 0, int(grid.poly.degree())
    if first is not None:
        start = max(0, int(-((grid.low - first) // grid.step)))
    if last is not None:
        end = min(end, int((last - grid.low) // grid.step))
    if start > end:
        return
    part = grid.poly.right_shift(start) if start else grid.poly
    for index, weight in enumerate(part.truncate(end - start + 1).coeffs(), start):
        if weight:
            yield tidy(grid.low + grid.step * index), int(weight)


def modes(grid: Lattice) -> list[Number]:
    """The outcomes of the largest weight."""
    weights = grid.poly.coeffs()
    best = max(weights)
    places = (index for index, weight in enumerate(weights) if weight == best)
    return [tidy(grid.low + grid.step * index) for index in places]


def quantile(grid: Lattice, want: Fraction) -> Number:
    """The lowest outcome at which the running weight reaches ``want``."""
    need, running = fmpz(-(-want.numerator // want.denominator)), fmpz(0)
    for index, weight in enumerate(grid.poly.coeffs()):
        running += weight
        if running >= need:
            return tidy(grid.low + grid.step * index)
    return high(grid)


def canonical(low: Number, step: Number, poly: fmpz_poly) -> Lattice:
    """The normal form of a grid whose polynomial may have zeros at the ends or common divisors."""
    content = poly.content()
    if content != 1:
        poly = poly // fmpz_poly([content])
    first = 0
    while poly[first] == 0:
        first += 1
    if first:
        low, poly = low + step * first, poly.right_shift(first)
    if poly.degree() == 0:
        return Lattice(tidy(low), 1, poly)
    deflated, wider = poly.deflation()
    return Lattice(tidy(low), tidy(step * int(wider)), deflated)


def joint_step(a: Lattice, b: Lattice) -> Number:
    """The step of a grid on which both steps are whole."""
    if b.poly.degree() == 0:
        return a.step
    if a.poly.degree() == 0:
        return b.step
    return gcd_of(a.step, b.step)


def stretch(grid: Lattice, step: Number) -> fmpz_poly:
    """The polynomial on a finer grid, from the same low end."""
    if grid.step == step or grid.poly.degree() == 0:
        return grid.poly
    return grid.poly.inflate(ratio_of(grid.step, step))


def width(a: Lattice, b: Lattice) -> int:
    """How many places the grid of a sum has."""
    return ratio_of(high(a) - a.low + high(b) - b.low, joint_step(a, b)) + 1


def add(a: Lattice, b: Lattice) -> Lattice:
    """The sum of two independent rolls."""
    step = joint_step(a, b)
    return Lattice(tidy(a.low + b.low), step, stretch(a, step) * stretch(b, step))


def power(grid: Lattice, times: int) -> Lattice:
    """The sum of that many independent rolls."""
    if times == 0:
        return constant(0)
    sides = slots(grid)
    if sides == 2 and times < SHORT:
        a, b = int(grid.poly[0]), int(grid.poly[1])
        terms = [comb(times, k) * a ** (times - k) * b**k for k in range(times + 1)]
        return Lattice(tidy(grid.low * times), grid.step, fmpz_poly(terms))
    if sides >= 16 and sides * times > LONG and grid.poly == fmpz_poly([1] * sides):
        return Lattice(tidy(grid.low * times), grid.step, fair_power(sides, times))
    return Lattice(tidy(grid.low * times), grid.step, grid.poly**times)


def counted_sum(counts: Mapping[int, int], grid: Lattice) -> Lattice | None:
    """A random number of rolls, added; the counts, all at least 0, carry these weights.

    One generating function in the other: with T the total, sum of w(k) * T**(N - k) * G**k, by
    divide and conquer. None for outcomes on both sides of 0 and for a grid mostly empty.

    >>> counted_sum({1: 1, 2: 1}, uniform(2))
    Lattice(low=1, step=1, poly=x^3 + 2*x^2 + 3*x + 2)
    """
    if high(grid) <= 0 and grid.low < 0:
        mirrored = counted_sum(counts, scale(grid, -1))
        return mirrored and scale(mirrored, -1)
    step = gcd_of(grid.step, grid.low) if grid.poly.degree() > 0 else grid.low
    if grid.low < 0 or not step or not dense_enough(ratio_of(high(grid), step), slots(grid)):
        return None
    most, size = max(counts), total(grid)
    outer, scaled = [0] * (most + 1), 1
    for count in range(most, -1, -1):
        outer[count] = counts.get(count, 0) * scaled
        scaled *= size
    inner = stretch(grid, step).left_shift(ratio_of(grid.low, step))
    return canonical(0, step, fmpz_poly(outer)(inner))


def fair_power(sides: int, times: int) -> fmpz_poly:
    """(1 + x + .. + x**(sides - 1)) ** times, by a recurrence of three terms.

    From P = ((1 - x**N) / (1 - x))**n follows, by its logarithmic derivative,
    (k + 1) c(k+1) = (n + k) c(k) + (k + 1 - N - n * N) c(k+1-N) + (n * N - n - k + N) c(k-N);
    the coefficients are symmetric, so half of them is enough.

    >>> fair_power(2, 3)
    x^3 + 3*x^2 + 3*x + 1
    """
    degree = times * (sides - 1)
    c = [fmpz(1)]
    for k in range(degree // 2):
        value = (times + k) * c[k]
        if k + 1 >= sides:
            value += (k + 1 - sides - times * sides) * c[k + 1 - sides]
        if k >= sides:
            value += (times * sides - times - k + sides) * c[k - sides]
        c.append(value // (k + 1))
    return fmpz_poly(c + c[: degree + 1 - len(c)][::-1])


def shift(grid: Lattice, by: Number) -> Lattice:
    """Every outcome plus a number."""
    return Lattice(tidy(grid.low + by), grid.step, grid.poly)


def scale(grid: Lattice, factor: Number) -> Lattice:
    """Every outcome times a number that is not 0."""
    size: Number = factor if factor > 0 else -factor
    step = grid.step if grid.poly.degree() == 0 else tidy(grid.step * size)
    if factor > 0:
        return Lattice(tidy(grid.low * factor), step, grid.poly)
    return Lattice(tidy(high(grid) * factor), step, reverse(grid.poly))


def reverse(poly: fmpz_poly) -> fmpz_poly:
    """The coefficients in the other order."""
    return fmpz_poly(poly.coeffs()[::-1])


def weight_at(grid: Lattice, outcome: Number) -> int:
    """The weight of one outcome, 0 where there is none."""
    if isinstance(outcome, int) and isinstance(grid.low, int) and isinstance(grid.step, int):
        place, off = divmod(outcome - grid.low, grid.step)
    else:
        index = Fraction(outcome - grid.low) / grid.step
        place, off = index.numerator, index.denominator - 1
    return 0 if off or not 0 <= place <= grid.poly.degree() else int(grid.poly[place])


def weight_from(grid: Lattice, bound: Number) -> int:
    """The weight of all outcomes at or above a bound."""
    index = -((grid.low - bound) // grid.step)
    if index <= 0:
        return total(grid)
    if index > grid.poly.degree():
        return 0
    return int(grid.poly.right_shift(int(index))(1))


def mean(grid: Lattice) -> Fraction:
    """The mean, from the first derivative at 1."""
    return grid.low + grid.step * Fraction(int(grid.poly.derivative()(1)), total(grid))


def variance(grid: Lattice) -> Fraction:
    """The variance, from two derivatives at 1."""
    first = grid.poly.derivative()
    size = total(grid)
    m = Fraction(int(first(1)), size)
    m2 = Fraction(int(first.derivative()(1)), size)
    return (m2 + m - m * m) * grid.step * grid.step


def mix(parts: Sequence[tuple[Lattice, int]]) -> Lattice | None:
    """The weighted sum of grids, each brought to weight ``factor / total``; None when sparse.

    The factors are whole numbers already scaled by the caller, so that ``factor * weights`` add.
    """
    low = min(grid.low for grid, _ in parts)
    step: Number = 0
    for grid, _ in parts:
        step = gcd_of(step, grid.low - low)
        if grid.poly.degree() > 0:
            step = gcd_of(step, grid.step)
    step = step or 1
    width = ratio_of(max(high(grid) for grid, _ in parts) - low, step) + 1
    if not dense_enough(width, sum(slots(grid) for grid, _ in parts)):
        return None
    placed = [
        (ratio_of(grid.low - low, step), stretch(grid, step) * factor) for grid, factor in parts
    ]
    return canonical(low, step, _overlaid(placed))


def _overlaid(placed: list[tuple[int, fmpz_poly]]) -> fmpz_poly:
    """The sum of shifted polynomials, neighbours first, so that narrow ones stay narrow."""
    placed = sorted(placed, key=lambda pair: pair[0])
    while len(placed) > 1:
        pairs = list(zip(placed[::2], placed[1::2], strict=False))
        rest = placed[len(pairs) * 2 :]
        placed = [(i, a + b.left_shift(j - i)) for (i, a), (j, b) in pairs] + rest
    ((first, poly),) = placed
    return poly.left_shift(first)


def cumulative(grid: Lattice) -> list[int]:
    """Running totals of the weights, slot by slot."""
    return [int(value) for value in accumulate(grid.poly.coeffs())]
