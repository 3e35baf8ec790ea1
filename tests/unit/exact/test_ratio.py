"""Ratios of polynomials as generating functions."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.some import quick
from oddsmith.exact import ratio
from oddsmith.exact.ratio import Ratio, fmpq_poly, fmpz_poly

F = Fraction


def up(numerator: list[int], denominator: list[int], shift: int = 0) -> Ratio:
    """A series upwards."""
    return ratio.make(shift, fmpq_poly(numerator), fmpz_poly(denominator))


def read(a: Ratio, first: int, last: int) -> list[Fraction]:
    """The coefficients of x^first to x^last."""
    return ratio.Reader(a).coefficients(first, last)


def tails(a: Ratio, *bounds: int) -> list[Fraction]:
    """The sums of the coefficients from each bound up, all by one reader."""
    reader = ratio.Reader(a)
    return [reader.tail_from(bound) for bound in bounds]


HALVES = up([1], [2, -1])
"""1/(2 - x): 1/2, 1/4, 1/8, .. from x^0."""
THIRDS = up([2], [3, -1])
"""2/(3 - x): 2/3, 2/9, 2/27, .. from x^0."""


# --- making


def test_normal_form_takes_out_common_factors() -> None:
    """(1 - x)(2 + x) / ((1 - x)(2 - x))."""
    assert up([2, -1, -1], [2, -3, 1]) == up([2, 1], [2, -1])


def test_normal_form_takes_powers_of_x_into_the_shift() -> None:
    assert up([0, 0, 3], [2, -1], shift=1) == up([3], [2, -1], shift=3)


def test_normal_form_has_no_content_and_a_positive_lowest_coefficient() -> None:
    assert up([-2], [-4, 2]) == HALVES
    assert up([2], [4, -2]) == HALVES


def test_the_zero_series() -> None:
    zero = up([0], [2, -1])
    assert zero.num.degree() < 0
    assert ratio.plus(zero, HALVES) == HALVES
    assert ratio.plus(HALVES, zero) == HALVES


def test_laurent_polynomials() -> None:
    a = ratio.laurent({-2: F(1, 3), 1: F(2, 3)})
    assert read(a, -3, 2) == [0, F(1, 3), 0, 0, F(2, 3), 0]
    assert ratio.laurent({}).num.degree() < 0


# --- reading


def test_coefficients_of_a_geometric_series() -> None:
    assert read(HALVES, -2, 3) == [0, 0, F(1, 2), F(1, 4), F(1, 8), F(1, 16)]
    assert read(HALVES, 100, 100) == [F(1, 2**101)]


def test_coefficients_of_an_improper_fraction() -> None:
    """(x^3 + 1)/(2 - x) = (1/2 + x/4 + x^2/8 + x^3/16 + ..) + the same three places on."""
    a = up([1, 0, 0, 1], [2, -1])
    assert read(a, 0, 4) == [F(1, 2), F(1, 4), F(1, 8), F(1, 16) + F(1, 2), F(1, 32) + F(1, 4)]


def test_tails() -> None:
    assert tails(HALVES, -5, 0, 1, 3) == [1, 1, F(1, 2), F(1, 8)]


def test_tails_of_a_polynomial() -> None:
    some = ratio.laurent({1: F(1, 4), 3: F(3, 4)})
    assert tails(some, 0, 1, 2, 3, 4) == [1, 1, F(3, 4), F(3, 4), 0]


def test_both_tails_of_a_difference() -> None:
    """A - B, both 0, 1, 2, .. with 1/2, 1/4, ..: P(k) = 2^-|k| / 3."""
    apart = ratio.product(HALVES, ratio.mirror(HALVES))
    assert read(apart, -3, 3) == [F(1, 3 * 2 ** abs(k)) for k in range(-3, 4)]
    assert tails(apart, 0, 1, -1) == [F(2, 3), F(1, 3), F(5, 6)]


def test_a_reader_may_be_asked_in_any_order() -> None:
    """What was read before must not change what is read next."""
    apart = ratio.product(HALVES, ratio.mirror(HALVES))
    reader = ratio.Reader(apart)
    for k in (9, -9, 0, 3, -3, 40, -40, 1):
        assert reader.coefficients(k, k) == [F(1, 3 * 2 ** abs(k))]
        assert reader.tail_from(abs(k)) == F(2, 3 * 2 ** abs(k))


def test_the_sum_of_all_coefficients() -> None:
    assert ratio.at_one(HALVES) == 1
    assert ratio.at_one(ratio.scaled(HALVES, F(2, 5))) == F(2, 5)


def test_factorial_moments() -> None:
    """Geometric with p = 1/2: E X = 1, E X(X - 1) = 2."""
    assert ratio.factorial_moments(HALVES, 3) == [1, 1, 2]


# --- arithmetic


def test_products_are_convolutions() -> None:
    """1/(2 - x)^2: (k + 1) / 2^(k + 2)."""
    both = ratio.product(HALVES, HALVES)
    assert read(both, 0, 3) == [F(k + 1, 2 ** (k + 2)) for k in range(4)]
    assert both == ratio.power(HALVES, 2)
    assert ratio.power(HALVES, 0) == ratio.laurent({0: F(1)})


def test_sums_add_coefficients() -> None:
    both = ratio.plus(HALVES, up([2], [3, -1], shift=1))
    assert read(both, 0, 2) == [F(1, 2), F(1, 4) + F(2, 3), F(1, 8) + F(2, 9)]


def test_sums_that_cancel() -> None:
    assert ratio.plus(HALVES, ratio.scaled(HALVES, F(-1))).num.degree() < 0


def test_the_mirror_image() -> None:
    down = ratio.mirror(up([1], [2, -1], shift=3))
    assert read(down, -5, -2) == [F(1, 8), F(1, 4), F(1, 2), 0]
    assert ratio.mirror(ratio.mirror(HALVES)) == HALVES


def test_inflation_spreads_the_exponents() -> None:
    wide = ratio.inflate(up([1], [2, -1], shift=1), 3)
    assert read(wide, 2, 7) == [0, F(1, 2), 0, 0, F(1, 4), 0]


def test_termwise_products() -> None:
    """2^-k-1 times 2 * 3^-k-1 = (1/3) 6^-k."""
    found = ratio.termwise(HALVES, THIRDS)
    assert read(found, 0, 3) == [F(1, 3 * 6**k) for k in range(4)]
    assert ratio.at_one(found) == F(1, 3) / (1 - F(1, 6))


def test_termwise_products_with_polynomials_and_shifts() -> None:
    some = ratio.laurent({0: F(1, 2), 2: F(1, 2)})
    assert read(ratio.termwise(some, HALVES), 0, 3) == [F(1, 4), 0, F(1, 16), 0]
    late = up([1], [2, -1], shift=2)
    assert read(ratio.termwise(late, HALVES), 1, 3) == [0, F(1, 16), F(1, 64)]


def test_power_sums_and_back() -> None:
    """(1 - 2x)(1 - 3x): reciprocal roots 2 and 3, sums 5, 13, 35."""
    poly = fmpz_poly([1, -5, 6])
    sums = ratio.power_sums(poly, 3)
    assert [int(value) for value in sums] == [5, 13, 35]
    assert ratio.from_power_sums(sums[:2]) == poly


# --- 1 / (1 - b)


def test_geometric_series_of_a_polynomial() -> None:
    """1/(1 - x/6): 6^-k; of x^-1/2: downwards."""
    found = ratio.geometric(ratio.laurent({1: F(1, 6)}))
    assert read(found, 0, 2) == [1, F(1, 6), F(1, 36)]
    down = ratio.geometric(ratio.laurent({-1: F(1, 2)}))
    assert read(down, -2, 1) == [F(1, 4), F(1, 2), 1, 0]


def test_geometric_series_with_a_constant() -> None:
    """1/(1 - 1/3 - x/3) = (3/2) / (1 - x/2)."""
    found = ratio.geometric(ratio.laurent({0: F(1, 3), 1: F(1, 3)}))
    assert read(found, 0, 2) == [F(3, 2), F(3, 4), F(3, 8)]


def test_exponents_of_both_signs_are_refused() -> None:
    with pytest.raises(ValueError, match="both signs"):
        ratio.geometric(ratio.laurent({-1: F(1, 3), 1: F(1, 3)}))


PRIMES = (2**89 - 1) * (2**107 - 1)


@quick(60)
@given(
    st.lists(st.integers(-9, 9), min_size=1, max_size=5),
    st.sampled_from([1, 2, 6, 36, 1000, 7**3 * 5, PRIMES, 12 * PRIMES, -8]),
    st.lists(st.integers(-40, 40), min_size=1, max_size=14),
    st.sampled_from([1, 2, 6, PRIMES, 2**89 - 1]),
    st.integers(1, 3),
    st.integers(1, 30),
)
def test_a_series_times_its_denominator_is_its_numerator(
    above: list[int], first: int, rest: list[int], factor: int, power: int, count: int
) -> None:
    """Whatever divides the first coefficient, and whatever the others have in common with it."""
    below = fmpz_poly([first, *(factor * c for c in rest)]) ** power
    found = ratio.series(fmpq_poly(above), below, count)
    product = (found * fmpq_poly(below)).truncate(count)
    assert product == fmpq_poly(above).truncate(count)


@pytest.mark.parametrize(("kinds", "draws"), [(10, 29), (52, 225), (100, 500)])
def test_collecting_all_kinds(kinds: int, draws: int) -> None:
    """The wait for the next kind after k of them is geometric: (kinds - k) x / (kinds - k x). By
    inclusion and exclusion, draws are enough with sum of (-1)**k C(kinds, k) (1 - k/kinds)**draws.
    """
    below = fmpz_poly([1])
    for k in range(1, kinds):
        below *= fmpz_poly([kinds, -k])
    collected = ratio.make(kinds, fmpq_poly([factorial(kinds - 1)]), below)
    found = 1 - ratio.Reader(collected).tail_from(draws + 1)
    wanted = sum(
        ((-1) ** k * comb(kinds, k) * F(kinds - k, kinds) ** draws for k in range(kinds + 1)), F(0)
    )
    assert found == wanted


# --- parts of a series


@pytest.mark.parametrize("first", [-2, 0, 1, 4])
def test_the_series_from_an_exponent_on(first: int) -> None:
    cut = ratio.upward_from(ratio.split(HALVES), first)
    wanted = [F(1, 2 ** (k + 1)) if k >= max(first, 0) else 0 for k in range(-3, 8)]
    assert read(cut, -3, 7) == wanted


def test_the_series_from_an_exponent_on_with_both_tails() -> None:
    apart = ratio.product(HALVES, ratio.mirror(HALVES))
    cut = ratio.upward_from(ratio.split(apart), -1)
    wanted = [0, 0, F(1, 6), F(1, 3), F(1, 6)]
    assert read(cut, -3, 1) == wanted


@pytest.mark.parametrize("residue", [0, 1, 2])
def test_every_third_coefficient(residue: int) -> None:
    part = ratio.section(HALVES, 3, residue)
    assert read(part, 0, 3) == [F(1, 2 ** (3 * q + residue + 1)) for q in range(4)]


def test_every_second_coefficient_of_both_tails() -> None:
    apart = ratio.product(HALVES, ratio.mirror(HALVES))
    even, odd = ratio.section(apart, 2, 0), ratio.section(apart, 2, 1)
    assert read(even, -2, 2) == [F(1, 3 * 2 ** abs(2 * q)) for q in range(-2, 3)]
    assert read(odd, -2, 2) == [F(1, 3 * 2 ** abs(2 * q + 1)) for q in range(-2, 3)]
    assert ratio.at_one(even) + ratio.at_one(odd) == 1


def test_every_second_coefficient_of_a_polynomial() -> None:
    some = ratio.laurent({-1: F(1, 2), 0: F(1, 4), 4: F(1, 4)})
    assert read(ratio.section(some, 2, 0), 0, 2) == [F(1, 4), 0, F(1, 4)]
    assert read(ratio.section(some, 2, 1), -1, 0) == [F(1, 2), 0]
