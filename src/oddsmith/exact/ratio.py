"""Ratios of polynomials as generating functions of open-ended dice.

A ``Ratio`` stands for ``x**shift * num(x) / (up(x) * down(x))``, expanded on the unit circle:
``up`` has its roots outside it and makes the tail upwards, ``down`` has them inside (never 0) and
makes the tail downwards. Products, sums and powers are done on the ratio as a whole; only reading
a coefficient or a tail splits it, by partial fractions, into an upward and a downward series.

Normal form: ``num(0) != 0``, ``up`` and ``down`` primitive with positive lowest coefficient,
and neither shares a factor with ``num``.
"""

from __future__ import annotations

from fractions import Fraction
from math import factorial, gcd
from typing import NamedTuple

from flint import ctx, fmpq, fmpq_poly, fmpq_series, fmpz, fmpz_poly

ONE = fmpz_poly([1])


class Ratio(NamedTuple):
    """``x**shift * num / (up * down)``."""

    shift: int
    num: fmpq_poly
    up: fmpz_poly
    down: fmpz_poly


class Split(NamedTuple):
    """The series of a ratio: ``x**shift * (middle + right/up + left/down)``.

    ``right/up`` is a proper fraction expanded upwards from x**0, ``left/down`` a proper fraction
    expanded downwards from x**-1.
    """

    shift: int
    middle: fmpq_poly
    right: fmpq_poly
    up: fmpz_poly
    left: fmpq_poly
    down: fmpz_poly


def to_fraction(value: fmpq) -> Fraction:
    """A flint rational as a Fraction."""
    return Fraction(int(value.p), int(value.q))


def to_fmpq(value: Fraction | int) -> fmpq:
    """A Fraction as a flint rational."""
    value = Fraction(value)
    return fmpq(value.numerator, value.denominator)


def primitive(poly: fmpz_poly) -> tuple[fmpz_poly, int]:
    """The polynomial without its content and with a positive lowest coefficient, and the factor."""
    factor = int(poly.content())
    if poly[valuation(poly)] < 0:
        factor = -factor
    return poly // fmpz_poly([factor]), factor


def valuation(poly: fmpz_poly | fmpq_poly) -> int:
    """The lowest exponent with a coefficient that is not 0."""
    first = 0
    while poly[first] == 0:
        first += 1
    return first


def make(shift: int, num: fmpq_poly, up: fmpz_poly = ONE, down: fmpz_poly = ONE) -> Ratio:
    """The normal form. ``num`` may be 0."""
    if num.degree() < 0:
        return Ratio(0, num, ONE, ONE)
    low = valuation(num)
    whole, scale = fmpz_poly(num.numer().right_shift(low)), fmpq(1, num.denom())
    whole, up, factor = _reduced(whole, up)
    whole, down, other = _reduced(whole, down)
    return Ratio(shift + low, fmpq_poly(whole) * (scale / (factor * other)), up, down)


def _reduced(top: fmpz_poly, bottom: fmpz_poly) -> tuple[fmpz_poly, fmpz_poly, int]:
    """A fraction without the common factor of its polynomials, the lower one primitive.

    The number is the content that the lower one had.
    """
    if bottom.degree() > 0:
        common = top.gcd(bottom)
        if common.degree() > 0:
            top, bottom = top // common, bottom // common
    bottom, factor = primitive(bottom)
    return top, bottom, factor


def from_weights(coefficients: list[int], total: int) -> Ratio:
    """The polynomial with these coefficients, divided by their total."""
    return make(0, fmpq_poly(coefficients) * fmpq(1, total))


def zero() -> Ratio:
    """The series without terms."""
    return Ratio(0, fmpq_poly(), ONE, ONE)


def run(first: int, count: int) -> Ratio:
    """x**first + x**(first + 1) + .., that many terms."""
    return make(first, fmpq_poly([1] * count))


def steps() -> Ratio:
    """1 + x + x**2 + ..: a product with it adds up coefficients from below."""
    return make(0, fmpq_poly([1]), fmpz_poly([1, -1]))


def numerators(a: Ratio) -> list[Fraction]:
    """The coefficients of ``num``."""
    return [to_fraction(fmpq(c)) for c in a.num.coeffs()]


def alone(a: Ratio, factor: Fraction) -> Ratio:
    """``x**shift * num`` without the denominators, times a number."""
    return make(a.shift, a.num * to_fmpq(factor))


def scaled(a: Ratio, factor: Fraction) -> Ratio:
    """The ratio times a number."""
    return a._replace(num=a.num * to_fmpq(factor)) if factor else zero()


def product(a: Ratio, b: Ratio) -> Ratio:
    """The generating function of a sum of independent rolls."""
    return make(a.shift + b.shift, a.num * b.num, a.up * b.up, a.down * b.down)


def power(a: Ratio, times: int) -> Ratio:
    """The generating function of a sum of like independent rolls."""
    return make(a.shift * times, a.num**times, a.up**times, a.down**times)


def composed(a: Ratio, b: Ratio) -> Ratio:
    """The first with the second in place of x: the generating function of a random number of rolls.

    Both go upwards from 0 or more. With a = n/d and b = s/t the powers of t are made even.

    >>> composed(run(1, 2), run(0, 2)) == laurent(dict.fromkeys(range(3), 1) | {0: 2, 1: 3})
    True
    """
    top, bottom = b.num.left_shift(b.shift), fmpq_poly(b.up)
    if bottom.degree() == 0:
        num, up = a.num(top), fmpq_poly(a.up)(top)
    else:
        num = up = fmpq_poly()
        even = fmpq_poly([1])
        for k in range(max(a.num.degree(), a.up.degree()), -1, -1):
            num = num * top + even * a.num[k]
            up = up * top + even * fmpq(a.up[k])
            even *= bottom
    inner = make(0, num * fmpq(up.denom()), up.numer())
    return product(power(b, a.shift), inner)


def total(parts: list[Ratio]) -> Ratio:
    """The termwise sum of many series; those over one denominator are added first."""
    alike: dict[tuple[str, str], list[Ratio]] = {}
    for part in parts:
        alike.setdefault((str(part.up), str(part.down)), []).append(part)
    result = zero()
    for group in alike.values():
        low = min(part.shift for part in group)
        num = sum((part.num.left_shift(part.shift - low) for part in group), fmpq_poly())
        result = plus(result, make(low, num, group[0].up, group[0].down))
    return result


def plus(a: Ratio, b: Ratio) -> Ratio:
    """The termwise sum of two series, over the least common denominators."""
    if a.num.degree() < 0 or b.num.degree() < 0:
        return b if a.num.degree() < 0 else a
    low = min(a.shift, b.shift)
    up_common, down_common = a.up.gcd(b.up), a.down.gcd(b.down)
    a_up, a_down = b.up // up_common, b.down // down_common
    b_up, b_down = a.up // up_common, a.down // down_common
    left = a.num.left_shift(a.shift - low) * fmpq_poly(a_up * a_down)
    right = b.num.left_shift(b.shift - low) * fmpq_poly(b_up * b_down)
    return make(low, left + right, a.up * a_up, a.down * a_down)


def mirror(a: Ratio) -> Ratio:
    """x to 1/x: every outcome changes its sign."""
    up, down = a.up.degree(), a.down.degree()
    num = fmpq_poly(a.num.coeffs()[::-1])
    shift = up + down - a.shift - a.num.degree()
    return make(shift, num, reverse(a.down), reverse(a.up))


def reverse(poly: fmpz_poly) -> fmpz_poly:
    """The coefficients in the other order."""
    return fmpz_poly(poly.coeffs()[::-1])


def plain(a: Ratio) -> tuple[int, list[Fraction], list[int], list[int]]:
    """The ratio as numbers of the standard library."""
    return (
        a.shift,
        numerators(a),
        [int(c) for c in a.up.coeffs()],
        [int(c) for c in a.down.coeffs()],
    )


def from_plain(shift: int, num: list[Fraction], up: list[int], down: list[int]) -> Ratio:
    """The ratio from what :func:`plain` gave."""
    top = fmpq_poly([to_fmpq(value) for value in num])
    return make(shift, top, fmpz_poly(up), fmpz_poly(down))


def places(a: Ratio) -> int:
    """How many coefficients its polynomials have."""
    return int(a.num.length() + a.up.length() + a.down.length())


def inflate(a: Ratio, by: int) -> Ratio:
    """x to x**by."""
    num = _inflated(a.num, by)
    return Ratio(a.shift * by, num, a.up.inflate(by), a.down.inflate(by))


def deflated(a: Ratio) -> tuple[Ratio, int]:
    """The series without its shift, in the widest power of x that it allows, and that power."""
    num = a.num.numer()
    wider = gcd(_spread(num), _spread(a.up), _spread(a.down))
    if wider <= 1:
        return a._replace(shift=0), 1
    thin = fmpq_poly(_deflated(num, wider)) * fmpq(1, a.num.denom())
    return Ratio(0, thin, _deflated(a.up, wider), _deflated(a.down, wider)), wider


def at_one(a: Ratio) -> Fraction:
    """The sum of all coefficients."""
    return to_fraction(fmpq(a.num(1)) / fmpq(a.up(1) * a.down(1)))


def factorial_moments(a: Ratio, count: int) -> list[Fraction]:
    """F(1), F'(1), .. of the series without its shift."""
    top, bottom = _taylor(a.num, count), _taylor(fmpq_poly(a.up * a.down), count)
    taylor: list[fmpq] = []
    for k in range(count):
        value = top[k] - sum((bottom[j] * taylor[k - j] for j in range(1, k + 1)), fmpq(0))
        taylor.append(value / bottom[0])
    return [to_fraction(value) * factorial(k) for k, value in enumerate(taylor)]


def _taylor(poly: fmpq_poly, count: int) -> list[fmpq]:
    """The first Taylor coefficients at 1."""
    found = []
    for k in range(count):
        found.append(fmpq(poly(1)) / factorial(k))
        poly = poly.derivative()
    return found


def split(a: Ratio) -> Split:
    """Partial fractions: the upward and the downward series."""
    up, down = fmpq_poly(a.up), fmpq_poly(a.down)
    if down.degree() == 0:
        middle, right = divmod(a.num * fmpq(1, a.down[0]), up)
        return Split(a.shift, middle, right, a.up, fmpq_poly(), ONE)
    for_up, for_down = bezout(a.up, a.down)
    right = (a.num % up) * (for_down % up) % up
    left = (a.num % down) * (for_up % down) % down
    middle = (a.num - right * down - left * up) // (up * down)
    return Split(a.shift, middle, right, a.up, left, a.down)


def split_cost(a: Ratio) -> int:
    """Words touched by :func:`split`: cubic in the degree in x**k, times the size of numbers."""
    if a.down.degree() == 0:
        return int(a.up.degree())
    degree = max(a.up.degree(), a.down.degree()) // _common_step(a.up, a.down)
    return int(degree**3 * max(a.up.height_bits(), a.down.height_bits()) // 16)


def _common_step(up: fmpz_poly, down: fmpz_poly) -> int:
    return gcd(_spread(up), _spread(down)) or 1


def _spread(poly: fmpz_poly) -> int:
    """The widest k for which it is a polynomial in x**k; 0 for a constant, which fits any."""
    return int(poly.deflation()[1]) if poly.degree() > 0 else 0


def bezout(up: fmpz_poly, down: fmpz_poly) -> tuple[fmpq_poly, fmpq_poly]:
    """u, v with u * up + v * down = 1, for two polynomials without a common factor.

    Where both are polynomials in some x**k, as for dice that go on in one way only, the identity
    is found in y = x**k, where degrees are k times smaller.
    """
    k = _common_step(up, down)
    one, u, v = fmpq_poly(_deflated(up, k)).xgcd(fmpq_poly(_deflated(down, k)))
    scale = fmpq(1) / one[0]
    return _inflated(u * scale, k), _inflated(v * scale, k)


def _deflated(poly: fmpz_poly, by: int) -> fmpz_poly:
    return fmpz_poly(poly.coeffs()[::by])


def _inflated(poly: fmpq_poly, by: int) -> fmpq_poly:
    return fmpq_poly(poly.numer().inflate(by)) * fmpq(1, poly.denom())


def series(num: fmpq_poly, den: fmpz_poly, count: int) -> fmpq_poly:
    """The first ``count`` coefficients of num/den upwards.

    Cost: one step for each coefficient and each term of the square-free factors of ``den``, and a
    truncated product.
    """
    if count <= 0 or num.degree() < 0:
        return fmpq_poly()
    lead, factors = den.factor_squarefree()
    result = num.truncate(count) * (fmpq(1) / lead)
    for base, times in factors:
        result = result.mul_low(_reciprocal_power(base, times, count), count)
    return result


def series_cost(a: Ratio, count: int) -> int:
    """Words touched by :func:`series` for that many terms upwards or downwards."""
    degree = max(a.up.degree() + a.down.degree(), 1)
    bits = max(a.up.height_bits(), a.down.height_bits()) * (degree + count) // degree
    step = gcd(_spread(a.up), _spread(a.down)) or 1
    terms = count if a.num.degree() >= step else count // step + 1
    return int(terms * (int(bits) // 64 + 1) * (4 + degree // step // 4))


FEW_TERMS = 8
"""Up to so many terms coefficients are worked out one by one, which is quicker far out."""


def _reciprocal_power(base: fmpz_poly, times: int, count: int) -> fmpq_poly:
    """The first ``count`` coefficients of base**-times.

    With G = P**-e the identity P * G' = -e * P' * G gives
    k * P(0) * g(k) = -sum over j of P(j) * (k - j + e * j) * g(k - j), and
    h(k) = g(k) * P(0)**(e + k) stays whole. P is first written in the widest power of x it allows,
    and one of many terms is inverted as a whole.
    """
    flat, step = base.deflation()
    step, size = int(step) or 1, (count - 1) // (int(step) or 1) + 1
    coeffs = [(j, c) for j, c in enumerate(flat.coeffs()) if j and c != 0]
    if len(coeffs) > FEW_TERMS:
        return _inflated(_inverse(flat**times, size), step)
    first = fmpz(flat[0])
    terms = [(j, fmpz(c) * first ** (j - 1)) for j, c in coeffs]
    h = [fmpz(1)]
    for k in range(1, size):
        value = fmpz(0)
        for j, c in terms:
            if j > k:
                break
            value -= c * (k + (times - 1) * j) * h[k - j]
        h.append(value // k)
    scale = fmpz(1)
    for k in range(size - 1, -1, -1):
        h[k] *= scale
        scale *= first
    whole = fmpz_poly(h).inflate(step) if step > 1 else fmpz_poly(h)
    return fmpq_poly(whole) * fmpq(1, first ** (times + size - 1))


def _inverse(poly: fmpz_poly, count: int) -> fmpq_poly:
    """The first ``count`` coefficients of 1/poly.

    >>> _inverse(fmpz_poly([2, -1]), 3)
    1/8*x^2 + 1/4*x + 1/2
    """
    cap, ctx.cap = ctx.cap, count
    try:
        return fmpq_poly(fmpq_series(fmpq_poly(poly), prec=count).inv().coeffs())
    finally:
        ctx.cap = cap


class Reader:
    """Reads coefficients and tails of a ratio; the longest series seen so far is kept."""

    def __init__(self, a: Ratio) -> None:
        self.split = split(a)
        self._upward = self._downward = fmpq_poly()
        self._known_up = self._known_down = 0

    def _up(self, count: int) -> fmpq_poly:
        """The coefficients of x**0 .. x**(count - 1) of the upward series."""
        if self._known_up < count:
            self._known_up = max(count, 2 * self._known_up)
            self._upward = series(self.split.right, self.split.up, self._known_up)
        return self._upward.truncate(max(0, count))

    def _down(self, count: int) -> fmpq_poly:
        """The coefficients of x**-1 .. x**-count of the downward series."""
        if self._known_down < count:
            self._known_down = max(count, 2 * self._known_down)
            self._downward = downward_series(self.split, self._known_down)
        return self._downward.truncate(max(0, count))

    def coefficients(self, first: int, last: int) -> list[Fraction]:
        """The coefficients of x**first .. x**last."""
        weights, size = self.weights(first, last)
        return [Fraction(weight, size) for weight in weights]

    def weights(self, first: int, last: int) -> tuple[list[int], int]:
        """The same over one common denominator."""
        start, stop = first - self.split.shift, last - self.split.shift + 1
        up = (self._up(stop) + self.split.middle.truncate(max(0, stop))).right_shift(max(0, start))
        down = self._down(-start).right_shift(max(0, -stop))
        common = up.denom().lcm(down.denom())
        above, below = (
            padded(part, common, size)
            for part, size in (
                (up, max(0, stop) - max(0, start)),
                (down, max(0, -start) - max(0, -stop)),
            )
        )
        return below[::-1] + above, int(common)

    def tail_from(self, bound: int) -> Fraction:
        """The sum of the coefficients of x**bound and above."""
        parts, k = self.split, bound - self.split.shift
        result = fmpq(parts.right(1)) / fmpq(parts.up(1)) + fmpq(parts.middle(1))
        if k > 0:
            result -= fmpq(self._up(k)(1)) + fmpq(parts.middle.truncate(k)(1))
        else:
            result += fmpq(self._down(-k)(1))
        return to_fraction(result)


def padded(poly: fmpq_poly, common: fmpz, size: int) -> list[int]:
    """The first ``size`` coefficients over a common denominator."""
    found = [int(weight) for weight in (poly.numer() * (common // poly.denom())).coeffs()]
    return found + [0] * (size - len(found))


def downward_series(parts: Split, count: int) -> fmpq_poly:
    """The coefficients of x**-1, x**-2, .. of left/down."""
    if parts.left.degree() < 0 or count <= 0:
        return fmpq_poly()
    degree = parts.down.degree()
    padded = parts.left.coeffs() + [fmpq(0)] * (degree - 1 - parts.left.degree())
    return series(fmpq_poly(padded[::-1]), reverse(parts.down), count)


def termwise(a: Ratio, b: Ratio) -> Ratio:
    """The termwise (Hadamard) product of two upward series, itself a ratio.

    Its denominator has all products of a root of one and a root of the other: the power sums of
    reciprocal roots multiply, and Newton's identities lead from power sums to coefficients and
    back. The numerator follows from the first terms. Cost: d**2 rational operations, d the product
    of the degrees.
    """
    d1, d2 = a.up.degree(), b.up.degree()
    degree = d1 * d2
    den = from_power_sums(
        [x * y for x, y in zip(power_sums(a.up, degree), power_sums(b.up, degree), strict=True)]
    )
    low = max(a.shift, b.shift)
    reach = max(a.shift + a.num.degree() - d1, b.shift + b.num.degree() - d2, low) - low + 1
    count = degree + reach + 1
    left = Reader(a).coefficients(low, low + count - 1)
    right = Reader(b).coefficients(low, low + count - 1)
    terms = fmpq_poly([to_fmpq(x * y) for x, y in zip(left, right, strict=True)])
    num = (terms * fmpq_poly(den)).truncate(count)
    return make(low, num, den)


def power_sums(poly: fmpz_poly, count: int) -> list[fmpq]:
    """Sums of the k-th powers of the reciprocal roots, k = 1..count (Newton's identities)."""
    lead = fmpq(poly[0])
    e = [fmpq(poly[k]) / lead for k in range(poly.degree() + 1)]
    sums: list[fmpq] = []
    for k in range(1, count + 1):
        value = -k * e[k] if k < len(e) else fmpq(0)
        for j in range(1, min(k, len(e))):
            value -= e[j] * sums[k - j - 1]
        sums.append(value)
    return sums


def from_power_sums(sums: list[fmpq]) -> fmpz_poly:
    """The primitive polynomial with these power sums of reciprocal roots."""
    e = [fmpq(1)]
    for k in range(1, len(sums) + 1):
        value = sum((sums[j - 1] * e[k - j] for j in range(1, k + 1)), fmpq(0))
        e.append(-value / k)
    return primitive(fmpq_poly(e).numer())[0]


def geometric(b: Ratio) -> Ratio:
    """1 / (1 - b) for a Laurent polynomial b whose exponents do not have both signs.

    Raises:
        ValueError: When b has exponents of both signs (its roots would have to be factored).
    """
    top = b.shift + b.num.degree()
    if b.shift < 0 < top:
        raise ValueError("exponents of both signs")
    if b.shift < 0:
        return mirror(geometric(mirror(b)))
    stop = fmpq_poly([1]) - b.num.left_shift(b.shift) * fmpq(1, b.up[0] * b.down[0])
    return make(0, fmpq_poly([1]) * fmpq(stop.denom()), stop.numer())


def laurent(terms: dict[int, Fraction]) -> Ratio:
    """A Laurent polynomial from exponents and coefficients."""
    if not terms:
        return make(0, fmpq_poly())
    low = min(terms)
    coefficients = [fmpq(0)] * (max(terms) - low + 1)
    for exponent, value in terms.items():
        coefficients[exponent - low] += to_fmpq(value)
    return make(low, fmpq_poly(coefficients))


def upward_from(parts: Split, first: int) -> Ratio:
    """The series of the coefficients of x**first and above, alone."""
    k = first - parts.shift
    below = series(parts.right, parts.up, k)
    middle = parts.middle.right_shift(k).left_shift(k) if k > 0 else parts.middle
    up = fmpq_poly(parts.up)
    result = make(parts.shift, parts.right - below * up + middle * up, parts.up)
    downward = downward_series(parts, -k)
    extra = {
        parts.shift - j - 1: to_fraction(fmpq(c)) for j, c in enumerate(downward.coeffs()) if c != 0
    }
    return plus(result, laurent(extra))


def section(a: Ratio, period: int, residue: int) -> Ratio:
    """The coefficients of x**(residue + period * q), as a series in x**q.

    The reciprocal roots of a denominator are raised to the power ``period``.
    """
    parts = split(a)
    middle = {
        (parts.shift + k - residue) // period: to_fraction(fmpq(c))
        for k, c in enumerate(parts.middle.coeffs())
        if (parts.shift + k - residue) % period == 0
    }
    result = laurent(middle)
    if parts.right.degree() >= 0:
        skip = (residue - parts.shift) % period
        start = (parts.shift + skip - residue) // period
        result = plus(result, _thinned(parts.right, parts.up, period, skip, start))
    if parts.left.degree() >= 0:
        skip = (parts.shift - 1 - residue) % period
        start = (parts.shift - 1 - skip - residue) // period
        degree = parts.down.degree()
        num = parts.left.coeffs() + [fmpq(0)] * (degree - 1 - parts.left.degree())
        thin = _thinned(fmpq_poly(num[::-1]), reverse(parts.down), period, skip, -start)
        result = plus(result, mirror(thin))
    return result


def section_cost(a: Ratio, period: int) -> int:
    """Words touched by :func:`section`: as many terms as the degree times the period, each longer
    than the one before.
    """
    terms = period * (a.up.degree() + a.down.degree() + 1)
    bits = max(a.up.height_bits(), a.down.height_bits())
    step = max(a.up.degree(), a.down.degree(), 1)
    return int(terms * (terms // step * bits // 64 + 1) * step // 2 + a.num.length())


def _thinned(num: fmpq_poly, den: fmpz_poly, period: int, skip: int, start: int) -> Ratio:
    """Every ``period``-th coefficient of a proper fraction from ``skip`` on, from x**start."""
    degree = den.degree()
    slope = fmpq_poly(-den.derivative().left_shift(1))
    found = series(slope, den, period * degree + 1)
    sums = [fmpq(found[period * k]) for k in range(1, degree + 1)]
    thin = from_power_sums(sums)
    found = series(num, den, skip + period * degree)
    terms = [fmpq(found[skip + period * k]) for k in range(degree)]
    top = (fmpq_poly(terms) * fmpq_poly(thin)).truncate(degree)
    return make(start, top, thin)
