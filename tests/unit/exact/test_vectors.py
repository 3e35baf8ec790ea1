"""Sums of vectors as sums of numbers."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from laws.some import quick
from oddsmith.exact.vectors import Packing, ends_of_sum

if TYPE_CHECKING:
    from collections.abc import Sequence

ENDS = st.lists(
    st.tuples(st.integers(-4, 4), st.integers(0, 4)).map(lambda e: (e[0], e[0] + e[1])),
    min_size=1,
    max_size=3,
)


def between(ends: Sequence[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Every vector within the ends."""
    return list(product(*(range(low, high + 1) for low, high in ends)))


@quick(100)
@given(ENDS)
def test_every_vector_comes_back(ends: list[tuple[int, int]]) -> None:
    pack = Packing(ends)
    vectors = between(ends)
    assert [pack.unpack(pack.pack(vector)) for vector in vectors] == vectors
    assert pack.size == len(vectors) == len({pack.pack(vector) for vector in vectors})


@quick(60)
@given(ENDS)
def test_the_numbers_of_all_vectors_are_neighbours(ends: list[tuple[int, int]]) -> None:
    numbers = sorted(Packing(ends).pack(vector) for vector in between(ends))
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


@quick(60)
@given(ENDS, st.data())
def test_numbers_add_up_like_vectors(ends: list[tuple[int, int]], data: st.DataObject) -> None:
    pack = Packing(ends)
    a, b = data.draw(st.sampled_from(between(ends))), data.draw(st.sampled_from(between(ends)))
    total = tuple(x + y for x, y in zip(a, b, strict=True))
    assert pack.pack(a) + pack.pack(b) == pack.pack(total)


def test_a_place_of_one_number_takes_no_room() -> None:
    pack = Packing([(5, 5), (-1, 1)])
    assert pack.size == 3
    assert pack.unpack(pack.pack((5, -1))) == (5, -1)


@quick(80)
@given(
    st.integers(1, 3).flatmap(
        lambda places: st.lists(
            st.tuples(
                st.lists(st.tuples(*[st.integers(-3, 3)] * places), min_size=1, max_size=3),
                st.integers(1, 2),
            ),
            min_size=1,
            max_size=2,
        )
    )
)
def test_ends_of_a_sum(dice: list[tuple[list[tuple[int, ...]], int]]) -> None:
    rolls = product(*(faces for faces, count in dice for _ in range(count)))
    sums = [tuple(map(sum, zip(*roll, strict=True))) for roll in rolls]
    assert ends_of_sum(dice) == [(min(place), max(place)) for place in zip(*sums, strict=True)]


def test_ends_of_no_dice() -> None:
    assert ends_of_sum([]) == []
