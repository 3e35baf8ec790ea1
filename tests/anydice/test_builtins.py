"""The functions that every program has, each against a walk over the rolls."""

from __future__ import annotations

from itertools import product

import pytest

from .programs import F, Law, d, law, number, of, rolled, row


def best(count: int, *faces: int) -> int:
    return sum(sorted(faces, reverse=True)[: max(0, count)])


def worst(count: int, *faces: int) -> int:
    return sum(sorted(faces)[: max(0, count)])


# --- highest, lowest, middle


@pytest.mark.parametrize("count", range(-1, 6))
def test_highest_and_lowest_of_a_pool(count: int) -> None:
    dice = [d(4)] * 3
    assert of(f"[highest {count} of 3d4]".replace("-1", "(-1)")) == rolled(
        lambda *x: best(count, *x), *dice
    )
    assert of(f"[lowest {count} of 3d4]".replace("-1", "(-1)")) == rolled(
        lambda *x: worst(count, *x), *dice
    )


@pytest.mark.parametrize(
    ("count", "size", "first"),
    [(1, 1, 0), (1, 2, 0), (1, 3, 1), (1, 4, 1), (2, 4, 1), (3, 4, 0), (2, 5, 1), (4, 5, 0)],
)
def test_middle_of_a_pool(count: int, size: int, first: int) -> None:
    """Positions from 1 + (size - count) / 2 rounded down, counted from the top."""

    def middle(*faces: int) -> int:
        return sum(sorted(faces, reverse=True)[first : first + count])

    assert of(f"[middle {count} of {size}d3]") == rolled(middle, *[d(3)] * size)


def test_middle_of_all_of_none_and_of_nothing() -> None:
    assert of("[middle 9 of 3d4]") == rolled(lambda *x: sum(x), d(4), d(4), d(4))
    assert of("[middle 0 of 3d4]") == {0: 1}
    assert of("[middle 1 of d{}]") == {}


def test_a_total_is_one_die() -> None:
    """The commonest mistake: 2d20 + 5 is a single die."""
    total = rolled(lambda a, b: a + b + 5, d(20), d(20))
    assert of("[highest 1 of 2d20 + 5]") == total
    assert of("[lowest 1 of 2d20 + 5]") == total


def test_numbers_and_sequences_are_dice_with_one_face() -> None:
    assert of("[highest 1 of 5]") == {5: 1}
    assert of("[highest 2 of {1, 2, 3}]") == {6: 1}
    assert of("[lowest 1 of 0d6]") == {0: 1}
    assert of("[highest {1, 1} of 3d4]") == rolled(lambda *x: best(2, *x), *[d(4)] * 3)


def test_how_many_may_be_rolled() -> None:
    assert of("[highest d3 of 3d4]") == rolled(lambda n, *x: best(n, *x), d(3), *[d(4)] * 3)
    assert of("[lowest d3 of 3d4]") == rolled(lambda n, *x: worst(n, *x), d(3), *[d(4)] * 3)
    assert of("[middle d{1, 3} of 3d4]") == rolled(
        lambda n, *x: sum(x) if n == 3 else sorted(x)[1], [1, 3], *[d(4)] * 3
    )


def test_two_and_three_pools_together() -> None:
    pools = [d(4), d(4), d(6)]
    assert of("[highest 2 of 2d4 and d6]") == rolled(lambda *x: best(2, *x), *pools)
    assert of("[lowest 2 of 2d4 and d6]") == rolled(lambda *x: worst(2, *x), *pools)
    three = [*pools, d(3)]
    assert of("[highest 2 of 2d4 and d6 and d3]") == rolled(lambda *x: best(2, *x), *three)
    assert of("[lowest 3 of 2d4 and d6 and d3]") == rolled(lambda *x: worst(3, *x), *three)
    assert of("[highest 9 of 2d4 and d6]") == rolled(lambda *x: sum(x), *pools)
    assert of("[highest 1 of 2d4 and 3]") == rolled(max, d(4), d(4), [3])


def test_the_higher_and_the_lower_of_two() -> None:
    assert number("[highest of 3 and -5]") == 3
    assert number("[lowest of {1, 2} and 5]") == 3
    assert of("[highest of 2d4 and d6]") == rolled(lambda a, b, c: max(a + b, c), d(4), d(4), d(6))
    assert of("[lowest of d6 and 3]") == rolled(min, d(6), [3])
    assert of("[highest of d{} and 3]") == {}
    assert of("[lowest of d6 and d{}]") == {}


def test_position_order_does_not_turn_highest_and_lowest_around() -> None:
    before = 'set "position order" to "lowest first"'
    assert of("[highest 1 of 3d4]", before) == rolled(max, *[d(4)] * 3)
    assert of("[lowest 1 of 3d4]", before) == rolled(min, *[d(4)] * 3)


# --- counting


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("[count 2 in {1, 2, 2, 3}]", 2), ("[count {1, 2} in {1, 2, 2, 3}]", 3),
        ("[count {6, 6} in {6}]", 2), ("[count {6, 6} in {6, 6}]", 4), ("[count 5 in 5]", 1),
        ("[count {} in {1}]", 0), ("[count 1 in {}]", 0),
        ("[{1, 2, 3} contains 2]", 1), ("[{1, 3} contains 2]", 0), ("[5 contains 5]", 1),
        ("[{} contains 0]", 0), ("[{1, 3} contains {1, 2}]", 1),
    ],
)  # fmt: skip
def test_counting_in_sequences(value: str, expected: int) -> None:
    assert number(value) == expected


def test_counting_in_dice() -> None:
    assert of("[count 4 in 3d4]") == rolled(lambda *x: x.count(4), *[d(4)] * 3)
    assert of("[count {3, 4} in 3d4]") == rolled(lambda *x: x.count(3) + x.count(4), *[d(4)] * 3)
    assert of("[count {4, 4} in 2d4]") == rolled(lambda *x: 2 * x.count(4), *[d(4)] * 2)
    assert of("[count 5 in 2d4 + 1]") == {0: F(13, 16), 1: F(3, 16)}
    assert of("[count 1 in d{}]") == {}


def test_counting_rolled_values() -> None:
    def both(a: int, b: int, c: int) -> int:
        return (c == a) + (c == b)

    assert of("[count 2d3 in d4]") == rolled(both, d(3), d(3), d(4))
    assert of("[count d3 in {1, 1, 2}]") == rolled(lambda a: (1, 1, 2).count(a), d(3))


def test_contains_looks_at_dice_and_not_at_their_sum() -> None:
    assert of("[2d6 contains 7]") == {0: 1}
    assert of("[2d6 contains 6]") == {0: F(25, 36), 1: F(11, 36)}
    assert of("[2d3 contains d4]") == rolled(
        lambda a, b, c: int(c in (a, b)), d(3), d(3), d(4)
    )  # fmt: skip
    assert of("[{1, 2} contains d4]") == {0: F(1, 2), 1: F(1, 2)}
    assert of("[d{} contains 1]") == {}
    assert of("[2d6 contains d{}]") == {}


# --- explode


def exploded(faces: list[int], depth: int) -> Law:
    """By rolling depth + 1 dice and leaving out those that are not needed."""
    found: Law = {}
    chance = F(1, len(faces) ** (depth + 1))
    for roll in product(faces, repeat=depth + 1):
        total = 0
        for face in roll:
            total += face
            if face != max(faces):
                break
        found[total] = found.get(total, F(0)) + chance
    return found


@pytest.mark.parametrize("faces", [[1, 2], [1, 2, 3, 4], [0, 5, 5], [-3, -1], [5]])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_explode(faces: list[int], depth: int) -> None:
    die = "d{" + ", ".join(map(str, faces)) + "}"
    assert of(f"[explode {die}]", f'set "explode depth" to {depth}') == exploded(faces, depth)


def test_twice_is_the_default_and_the_end_is_a_lump() -> None:
    assert of("[explode d6]") == exploded(list(d(6)), 2)
    assert of("[explode d6]")[18] == F(1, 216)


def test_a_pool_explodes_as_a_total() -> None:
    assert of("[explode 2d2]") == exploded([2, 3, 3, 4], 2)


def test_exploding_what_is_certain_or_nothing() -> None:
    assert of("[explode 5]") == {15: 1}
    assert of("[explode d{5}]") == {15: 1}
    assert of("[explode d{}]") == {}


def test_explode_is_not_held_by_the_depth_of_functions() -> None:
    before = 'set "explode depth" to 20 set "maximum function depth" to 1'
    assert of("[explode d2]", before)[42] == F(1, 2**21)


def test_exploding_dice_in_a_pool() -> None:
    one = exploded([1, 2, 3], 2)
    two: Law = {}
    for a, p in one.items():
        for b, q in one.items():
            two[max(a, b)] = two.get(max(a, b), F(0)) + p * q
    assert of("[highest 1 of 2d[explode d3]]") == two


# --- the others


def test_absolute() -> None:
    assert number("[absolute -5]") == 5
    assert number("[absolute {1, -4}]") == 3
    assert of("[absolute d4 - d4]") == rolled(lambda a, b: abs(a - b), d(4), d(4))
    assert of("[absolute 2d{-1, 1}]") == {0: F(1, 2), 2: F(1, 2)}
    assert of("[absolute d{}]") == {}


def test_maximum() -> None:
    assert number("[maximum of 3d6]") == 18
    assert number("[maximum of d{-3, -1}]") == -1
    assert number("[maximum of 5]") == 5
    assert number("[maximum of {1, 2}]") == 3
    assert number("[maximum of d{}]") == 0


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("[reverse {3, 1, 2}]", (2, 1, 3)), ("[reverse {5}]", (5,)), ("[reverse 5]", (5,)),
        ("[sort {3, 1, 2, 3}]", (3, 3, 2, 1)), ("[sort {}]", ()), ("[sort 5]", (5,)),
    ],
)  # fmt: skip
def test_reverse_and_sort(value: str, expected: tuple[int, ...]) -> None:
    assert row(value) == expected


def test_nothing_reversed_is_a_number() -> None:
    assert law("if [reverse {}] = 0 { output 7 }") == {7: 1}
    assert number("#[reverse {}]") == 1


def test_dice_that_are_sorted_are_added_up() -> None:
    total = rolled(lambda a, b: a + b, d(6), d(6))
    assert of("[sort 2d6]") == total
    assert of("[reverse 2d6]") == total
    assert of("2@[sort 2d6]") == {0: 1}
    assert of("[sort d{}]") == {}


def test_sorting_inside_a_function() -> None:
    program = "function: f S:s T:s { U: [sort {S, T}] result: 2@U }"
    assert of("[f (2d4) (d6)]", program) == rolled(
        lambda *x: sorted(x)[1], d(4), d(4), d(6)
    )  # fmt: skip


def test_built_ins_take_names_of_variables_and_brackets() -> None:
    assert of("[highest N of (NdN)]", "N: 2") == rolled(lambda a, b: a + b, d(2), d(2))
    assert of("[highest Nof POOL]", "N: 1 POOL: 2d4") == rolled(max, d(4), d(4))
