"""Counts of rolls by how often faces show, against every roll."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import comb, factorial, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.exact import sets
from unit.every import Table, fair, quick, rolls, tables

WEIGHTS = tables(range(4)).map(lambda die: list(die.values()))


def largest(count: int, weights: list[int]) -> Counter[int]:
    """The weight of the rolls by their commonest face, roll by roll."""
    found: Counter[int] = Counter()
    for roll in product(range(len(weights)), repeat=count):
        found[max(Counter(roll).values())] += prod(weights[face] for face in roll)
    return found


def shapes(count: int, faces: int) -> Counter[tuple[int, ...]]:
    """The number of rolls by the sizes of their sets, roll by roll."""
    return Counter(
        tuple(sorted(Counter(roll).values(), reverse=True))
        for roll in product(range(faces), repeat=count)
    )


# --- the largest set


@given(count=st.integers(1, 5), weights=WEIGHTS)
@quick(80)
def test_the_largest_set_of_weighted_dice(count: int, weights: list[int]) -> None:
    assert sets.largest_set(count, weights) == largest(count, weights)


@pytest.mark.parametrize("count", range(1, 7))
@pytest.mark.parametrize("faces", [1, 2, 3, 6])
def test_the_largest_set_of_fair_dice(count: int, faces: int) -> None:
    assert sets.largest_set(count, [1] * faces) == largest(count, [1] * faces)


def test_the_largest_set_of_five_d6() -> None:
    """720 all different, 3600 + 1800 with a pair, 1200 + 300, 150, 6 (the classic table)."""
    assert sets.largest_set(5, [1] * 6) == {1: 720, 2: 5400, 3: 1500, 4: 150, 5: 6}


def test_more_dice_than_faces_cannot_all_differ() -> None:
    """7d6: some face shows twice at least."""
    found = sets.largest_set(7, [1] * 6)
    assert min(found) == 2
    assert sum(found.values()) == 6**7


def test_birthdays() -> None:
    """23 people, 365 days: all differ in 365! / 342! of 365^23."""
    found = sets.largest_set(23, [1] * 365)
    assert found[1] == factorial(365) // factorial(342)
    assert sum(found.values()) == 365**23


def test_a_large_weight() -> None:
    """Two faces, one of weight 10^30: both alike in 10^60 + 1."""
    assert sets.largest_set(2, [10**30, 1]) == {1: 2 * 10**30, 2: 10**60 + 1}


# --- sizes of all sets


@pytest.mark.parametrize("count", range(7))
@pytest.mark.parametrize("faces", [1, 2, 3, 4, 6])
def test_the_sizes_of_all_sets(count: int, faces: int) -> None:
    assert sets.set_sizes(count, faces) == shapes(count, faces)


def test_the_sizes_of_five_d6() -> None:
    """The classic table: 6, 150, 300, 1200, 1800, 3600, 720 of 7776."""
    assert sets.set_sizes(5, 6) == {
        (5,): 6, (4, 1): 150, (3, 2): 300, (3, 1, 1): 1200, (2, 2, 1): 1800, (2, 1, 1, 1): 3600,
        (1, 1, 1, 1, 1): 720,
    }  # fmt: skip


@pytest.mark.parametrize(("count", "faces"), [(20, 20), (30, 6), (15, 100)])
def test_all_sizes_together_are_all_rolls(count: int, faces: int) -> None:
    found = sets.set_sizes(count, faces)
    assert sum(found.values()) == faces**count
    assert all(sum(sizes) == count for sizes in found)
    assert all(len(sizes) <= faces for sizes in found)


def test_ten_d10_all_different() -> None:
    """10! of 10^10."""
    assert sets.set_sizes(10, 10)[(1,) * 10] == 3628800


def test_both_ways_agree() -> None:
    """The largest set read off the sizes."""
    found: Counter[int] = Counter()
    for sizes, ways in sets.set_sizes(12, 8).items():
        found[sizes[0]] += ways
    assert sets.largest_set(12, [1] * 8) == found


# --- every roll


@given(die=tables([-2, 0, 1, 5, "Hit"]), count=st.integers(0, 5))
@quick(80)
def test_every_sorted_roll(die: Table, count: int) -> None:
    """In the order of the faces as they are given, each roll once."""
    ordered = dict(sorted(die.items(), key=lambda pair: (isinstance(pair[0], str), str(pair[0]))))
    order = list(ordered)
    found = list(sets.rolls(count, ordered))
    by_place = Counter(
        {
            tuple(sorted(roll, key=order.index)): ways
            for roll, ways in rolls([ordered] * count).items()
        }
    )
    assert dict(found) == by_place
    assert len(found) == len(dict(found)) == comb(count + len(die) - 1, count)


def test_no_dice_show_nothing() -> None:
    assert list(sets.rolls(0, {1: 2, 3: 4})) == [((), 1)]


def test_a_die_of_one_face() -> None:
    assert list(sets.rolls(3, {7: 2})) == [((7, 7, 7), 8)]


def test_four_d6() -> None:
    """1, 2, 2, 5 in 4! / 2! ways; C(9, 4) = 126 rolls, 1296 ways."""
    found = dict(sets.rolls(4, fair(6)))
    assert found[1, 2, 2, 5] == 12
    assert len(found) == 126
    assert sum(found.values()) == 1296
