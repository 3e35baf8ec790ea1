"""Weights on a grid."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

import pytest

from oddsmith.exact import lattice

if TYPE_CHECKING:
    from oddsmith.exact.lattice import Lattice

F = Fraction


def grid(weights: dict[Any, int]) -> Lattice:
    """A grid that must exist."""
    found = lattice.from_weights(weights)
    assert found is not None
    return found


def shown(found: Lattice | None) -> dict[Any, int]:
    """The weights of a grid that must exist."""
    assert found is not None
    return dict(lattice.items(found))


# --- numbers


@pytest.mark.parametrize(
    ("a", "b", "divisor"),
    [(4, 6, 2), (0, 5, 5), (0, 0, 0), (F(1, 2), F(1, 3), F(1, 6)), (F(3, 2), 1, F(1, 2)),
     (-4, 6, 2), (F(1, 2), F(1, 2), F(1, 2)), (F(2, 1), 3, 1)],
)  # fmt: skip
def test_the_largest_common_part(a: Any, b: Any, divisor: Any) -> None:
    assert lattice.gcd_of(a, b) == divisor
    assert lattice.gcd_of(b, a) == divisor


def test_whole_fractions_become_ints() -> None:
    assert type(lattice.tidy(F(4, 2))) is int
    assert lattice.tidy(F(1, 2)) == F(1, 2)
    assert type(lattice.gcd_of(F(1, 2), F(3, 2)) * 2) in (int, Fraction)


def test_ratios_are_whole() -> None:
    assert lattice.ratio_of(F(3, 2), F(1, 2)) == 3
    assert lattice.ratio_of(6, 2) == 3
    assert lattice.ratio_of(-6, 2) == -3


@pytest.mark.parametrize(
    ("outcomes", "step"),
    [([5], 1), ([2, 4, 10], 2), ([0, F(1, 2)], F(1, 2)), ([1, 4, 6], 1), ([-3, 0, 9], 3)],
)
def test_the_widest_spacing(outcomes: list[Any], step: Any) -> None:
    assert lattice.spacing(outcomes) == step


# --- making


def test_a_grid_has_low_end_step_and_weights() -> None:
    found = grid({2: 1, 6: 3})
    assert (found.low, found.step) == (2, 4)
    assert lattice.slots(found) == 2
    assert lattice.high(found) == 6
    assert lattice.total(found) == 4
    assert shown(found) == {2: 1, 6: 3}


def test_a_single_outcome_has_step_1() -> None:
    assert (grid({7: 3}).low, grid({7: 3}).step) == (7, 1)


def test_a_mostly_empty_grid_is_not_made() -> None:
    assert lattice.from_weights({0: 1, 1: 1, 10**6: 1}) is None
    assert lattice.from_weights({0: 1, 10**6: 1}) is not None


def test_uniform_and_constant() -> None:
    assert shown(lattice.uniform(3)) == {1: 1, 2: 1, 3: 1}
    assert shown(lattice.constant(F(4, 2))) == {2: 1}


# --- normal form


def test_canonical_form_takes_off_empty_ends_common_factors_and_gaps() -> None:
    """0, 0, 2, 0, 4, 0 from -1 by halves is {0: 1, 1: 2}."""
    poly = lattice.fmpz_poly([0, 0, 2, 0, 4, 0])
    found = lattice.canonical(-1, F(1, 2), poly)
    assert found == grid({0: 1, 1: 2})


def test_canonical_form_of_one_outcome() -> None:
    assert lattice.canonical(3, 5, lattice.fmpz_poly([0, 7])) == grid({8: 1})


# --- arithmetic


def test_sums_on_unlike_steps() -> None:
    """{0, 2} + {0, 3}."""
    found = lattice.add(grid({0: 1, 2: 1}), grid({0: 1, 3: 2}))
    assert shown(found) == {0: 1, 2: 1, 3: 2, 5: 2}
    assert found == grid({0: 1, 2: 1, 3: 2, 5: 2})


def test_sums_with_one_outcome_keep_the_step() -> None:
    found = lattice.add(grid({0: 1, 6: 1}), grid({F(1, 2): 1}))
    assert found == grid({F(1, 2): 1, F(13, 2): 1})


def test_sums_that_would_be_mostly_empty_are_left_to_others() -> None:
    assert not lattice.dense_enough(lattice.width(grid({0: 1, 10**6: 1}), grid({0: 1, 1: 1})), 4)


def test_powers() -> None:
    """Two of {1, 3}: 2, 4, 4, 6."""
    assert lattice.power(grid({1: 1, 3: 1}), 2) == grid({2: 1, 4: 2, 6: 1})
    assert lattice.power(grid({1: 1, 3: 1}), 0) == grid({0: 1})


def test_shifts_and_multiples() -> None:
    start = grid({1: 1, 2: 3})
    assert lattice.shift(start, F(1, 2)) == grid({F(3, 2): 1, F(5, 2): 3})
    assert lattice.scale(start, 2) == grid({2: 1, 4: 3})
    assert lattice.scale(start, -2) == grid({-4: 3, -2: 1})
    assert lattice.scale(grid({3: 1}), F(2, 3)) == grid({2: 1})


def test_mixtures_line_up_grids() -> None:
    """Twice {0, 2} and once {1: 2}: 0, 1 and 2 with 2 each."""
    found = lattice.mix([(grid({0: 1, 2: 1}), 2), (grid({1: 1}), 2)])
    assert found == grid({0: 1, 1: 1, 2: 1})


def test_mixtures_too_far_apart_are_left_to_others() -> None:
    parts = [(grid({0: 1, 1: 1}), 1), (grid({10**9: 1}), 1)]
    assert lattice.mix(parts) is None


# --- looking in


def test_weights_at_and_from_a_bound() -> None:
    """{2: 1, 4: 2, 6: 4}."""
    found = grid({2: 1, 4: 2, 6: 4})
    assert [lattice.weight_at(found, k) for k in (1, 2, 3, 4, 6, 8, F(5, 2))] == [
        0,
        1,
        0,
        2,
        4,
        0,
        0,
    ]
    bounds = (1, 2, 3, F(7, 2), 4, 5, 6, 7)
    assert [lattice.weight_from(found, k) for k in bounds] == [7, 7, 6, 6, 6, 4, 4, 0]


def test_mean_and_variance() -> None:
    """{0: 1, 4: 3}: mean 3, variance 9/4 + 3/4."""
    found = grid({0: 1, 4: 3})
    assert lattice.mean(found) == 3
    assert lattice.variance(found) == 3
    assert lattice.mean(grid({F(1, 2): 1, F(3, 2): 1})) == 1
    assert lattice.variance(grid({F(1, 2): 1, F(3, 2): 1})) == F(1, 4)


def test_bits_of_the_largest_weight() -> None:
    assert lattice.height_bits(grid({0: 1, 1: 9})) == 4


@pytest.mark.parametrize(
    ("first", "last", "outcomes"),
    [(None, None, [2, 4, 6]), (3, None, [4, 6]), (None, 5, [2, 4]), (4, 4, [4]), (3, 3, []),
     (7, None, []), (None, 1, []), (None, -50, []), (6, 2, []), (-9, 9, [2, 4, 6])],
)  # fmt: skip
def test_outcomes_between_bounds(first: Any, last: Any, outcomes: list[int]) -> None:
    found = grid({2: 1, 4: 2, 6: 4})
    assert [outcome for outcome, _ in lattice.items(found, first, last)] == outcomes


def test_modes_and_quantiles() -> None:
    """Running weights 1, 3, 7."""
    assert lattice.modes(grid({2: 4, 4: 2, 6: 4})) == [2, 6]
    found = grid({2: 1, 4: 2, 6: 4})
    wants = (F(0), F(1), F(3, 2), F(3), F(7))
    assert [lattice.quantile(found, want) for want in wants] == [2, 2, 4, 4, 6]


def test_the_recurrence_for_fair_dice_is_the_power() -> None:
    for sides in range(1, 8):
        for times in range(9):
            power = [1]
            for _ in range(times):
                power = [
                    sum(power[k - j] for j in range(sides) if 0 <= k - j < len(power))
                    for k in range(len(power) + sides - 1)
                ]
            assert [int(c) for c in lattice.fair_power(sides, times).coeffs()] == power


# --- a random number of rolls


def counted(counts: dict[int, int], weights: dict[Any, int]) -> dict[Any, Fraction]:
    """Every number of rolls, every way they fall."""
    found: dict[Any, Fraction] = {}
    for count, ways in counts.items():
        for roll in product(weights.items(), repeat=count):
            p = F(ways, sum(counts.values()))
            for _, weight in roll:
                p *= F(weight, sum(weights.values()))
            total = sum(face for face, _ in roll)
            found[total] = found.get(total, F(0)) + p
    return found


COUNTS: list[dict[int, int]] = [
    {0: 1},
    {1: 1},
    {3: 2},
    {0: 1, 1: 1},
    {0: 2, 2: 1, 4: 3},
    {1: 5, 4: 1},
]
ROLLS: list[dict[Any, int]] = [
    {1: 1},
    {3: 1},
    {1: 1, 2: 1},
    {0: 1, 1: 3},
    {0: 2, 3: 1, 6: 1},
    {2: 1, 4: 2, 10: 1},
    {5: 1, 6: 2},
    {F(1, 2): 1, F(3, 2): 2},
    {F(2, 3): 1, 1: 1},
    {-1: 1},
    {-3: 2, -1: 1},
    {-2: 1, 0: 1},
]


@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("weights", ROLLS)
def test_a_random_number_of_rolls(counts: dict[int, int], weights: dict[Any, int]) -> None:
    """In normal form: the same grid as from the weights of all ways."""
    model = counted(counts, weights)
    common = lcm(*(p.denominator for p in model.values()))
    expected = grid({total: int(p * common) for total, p in model.items()})
    whole = gcd(*shown(expected).values())
    found = lattice.counted_sum(counts, grid(weights))
    assert found is not None
    assert shown(found) == {total: weight // whole for total, weight in shown(expected).items()}
    assert (found.low, found.step) == (expected.low, expected.step)


@pytest.mark.parametrize("weights", [{-1: 1, 1: 1}, {-1: 1, 0: 1, 2: 1}, {0: 1}])
def test_rolls_on_both_sides_of_0_are_left_to_others(weights: dict[int, int]) -> None:
    assert lattice.counted_sum({1: 1, 2: 1}, grid(weights)) is None


def test_rolls_far_from_0_are_left_to_others() -> None:
    assert lattice.counted_sum({0: 1, 2: 1}, grid({10**6: 1, 10**6 + 1: 1})) is None
    found = lattice.counted_sum({0: 1, 2: 1}, grid({10**6: 1, 2 * 10**6: 1}))
    assert shown(found) == {0: 4, 2 * 10**6: 1, 3 * 10**6: 2, 4 * 10**6: 1}


def test_places_far_outside() -> None:
    """Differences past the machine's numbers."""
    far = grid({-(2**63): 1})
    assert lattice.weight_at(far, 2) == lattice.weight_at(far, -(2**70)) == 0
    assert list(lattice.items(far, 2, 2)) == list(lattice.items(far, -(2**70), -(2**69))) == []
    assert list(lattice.items(far, -(2**63), 5)) == [(-(2**63), 1)]
