"""Sums of the dice that keep their rank, against every roll."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from oddsmith.exact import lattice
from oddsmith.exact.keep import kept_sum

F = Fraction
Groups = list[tuple[int, list[int]]]
PLAIN = [{0: 1}, {1: 1}, {2: 1}]
"""Three faces that count 0, 1 and 2."""


def by_hand(
    groups: Groups, gains: list[dict[Any, int]], first: int, last: int
) -> dict[Any, Fraction]:
    """Every face of every die, then every gain of every kept die; chances."""
    dice = [weights for count, weights in groups for _ in range(count)]
    found: dict[Any, Fraction] = {}
    for faces in product(range(len(gains)), repeat=len(dice)):
        p = F(1)
        for weights, face in zip(dice, faces, strict=True):
            p *= F(weights[face], sum(weights))
        kept = sorted(faces)[first:last]
        for parts in product(*(gains[face].items() for face in kept)):
            q, total = p, F(0)
            for (outcome, weight), face in zip(parts, kept, strict=True):
                q *= F(weight, sum(gains[face].values()))
                total += outcome
            found[total] = found.get(total, F(0)) + q
    return {total: p for total, p in found.items() if p}


def by_kernel(
    groups: Groups, gains: list[dict[Any, int]], first: int, last: int
) -> dict[Any, Fraction]:
    grid = kept_sum(groups, gains, first, last)
    size = lattice.total(grid)
    return {outcome: F(weight, size) for outcome, weight in lattice.items(grid)}


WINDOWS = [(0, 3), (1, 3), (2, 3), (0, 1), (0, 2), (1, 2), (1, 1)]


@pytest.mark.parametrize(("first", "last"), WINDOWS)
@pytest.mark.parametrize("weights", [[1, 1, 1], [2, 0, 1], [0, 1, 5], [0, 0, 1]])
def test_like_dice(weights: list[int], first: int, last: int) -> None:
    groups: Groups = [(3, weights)]
    assert by_kernel(groups, PLAIN, first, last) == by_hand(groups, PLAIN, first, last)


@pytest.mark.parametrize(("first", "last"), WINDOWS)
def test_unlike_dice(first: int, last: int) -> None:
    groups: Groups = [(1, [1, 2, 0]), (2, [0, 1, 3])]
    assert by_kernel(groups, PLAIN, first, last) == by_hand(groups, PLAIN, first, last)


@pytest.mark.parametrize(("first", "last"), WINDOWS)
def test_three_kinds(first: int, last: int) -> None:
    groups: Groups = [(1, [1, 0, 0]), (1, [1, 1, 1]), (1, [0, 2, 3])]
    assert by_kernel(groups, PLAIN, first, last) == by_hand(groups, PLAIN, first, last)


@pytest.mark.parametrize(("first", "last"), WINDOWS)
@pytest.mark.parametrize(
    "gains",
    [
        [{-3: 1}, {F(1, 2): 1}, {7: 1}],
        [{5: 1}, {5: 1}, {5: 1}],
        [{0: 2, 1: 1}, {1: 3}, {F(1, 2): 1, 4: 2}],
        [{1: 1}, {0: 1}, {1: 1}],
    ],
)
def test_faces_may_count_anything(gains: list[dict[Any, int]], first: int, last: int) -> None:
    for groups in ([(3, [1, 2, 3])], [(2, [1, 1, 1]), (1, [0, 1, 2])]):
        assert by_kernel(groups, gains, first, last) == by_hand(groups, gains, first, last)


def test_four_dice_keep_three() -> None:
    """4d6 keep 3 is 18 in 21 of 1296 rolls."""
    grid = kept_sum([(4, [1] * 6)], [{face: 1} for face in range(1, 7)], 1, 4)
    assert F(lattice.weight_at(grid, 18), lattice.total(grid)) == F(21, 1296)


def test_the_closed_form_agrees_with_unlike_groups_of_like_dice() -> None:
    """The same dice told as two groups go through dynamic programming."""
    gains = [{face: 1} for face in range(1, 7)]
    for keep in range(1, 6):
        closed = kept_sum([(6, [1] * 6)], gains, 6 - keep, 6)
        walked = kept_sum([(2, [1] * 6), (4, [1] * 6)], gains, 6 - keep, 6)
        assert closed == walked
