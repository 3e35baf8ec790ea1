"""Damage on models: against a plain loop over the models, and by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.some import quick
from oddsmith import Dist, d3, d6
from oddsmith.budget import DEFAULT_BUDGET
from oddsmith.errors import RuleError, TooLarge
from oddsmith.mechanics.allocation import Models, Unit, allocate, saved, shrugged, spill

F = Fraction
GROUPS = st.lists(st.tuples(st.integers(1, 3), st.integers(1, 4)), min_size=1, max_size=2)


def unit_of(groups: list[tuple[int, int]]) -> Unit:
    return Unit(tuple(Models(count, wounds) for count, wounds in groups))


def models_of(groups: list[tuple[int, int]]) -> list[int]:
    """The wounds of every model, the front one first."""
    return [wounds for count, wounds in groups for _ in range(count)]


def hurt(models: list[int], points: int, spills: bool = False) -> list[int]:
    """The models after one wound."""
    left = list(models)
    for place, wounds in enumerate(left):
        if wounds and points:
            left[place] = max(0, wounds - points)
            points = max(0, points - wounds) if spills else 0
    return left


def law(outcomes: Any) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    for outcome, p in outcomes:
        found[outcome] = found.get(outcome, F(0)) + p
    return found


# --- units


@quick(40)
@given(GROUPS)
def test_totals(groups: list[tuple[int, int]]) -> None:
    unit, models = unit_of(groups), models_of(groups)
    assert unit.total == sum(models)
    assert unit.models == len(models)


@quick(40)
@given(GROUPS)
def test_the_front_model_and_those_lost_after_every_point(groups: list[tuple[int, int]]) -> None:
    unit, models = unit_of(groups), models_of(groups)
    kinds = [kind for kind, (count, _) in enumerate(groups) for _ in range(count)]
    for removed in range(sum(models) + 1):
        alive = [place for place, wounds in enumerate(models) if wounds]
        expected = (kinds[alive[0]], models[alive[0]]) if alive else (len(groups), 0)
        assert unit.front(removed) == expected
        assert unit.lost(removed) == models.count(0)
        models = hurt(models, 1)


# --- allocation


@quick(60)
@given(
    GROUPS,
    st.lists(st.integers(0, 4), min_size=1, max_size=3),
    st.integers(0, 3),
    st.integers(0, 4),
)
def test_every_roll_of_damage(
    groups: list[tuple[int, int]], faces: list[int], wounds: int, before: int
) -> None:
    unit = unit_of(groups)
    before = min(before, unit.total)
    start = models_of(groups)
    for _ in range(before):
        start = hurt(start, 1)
    rolls = list(product(faces, repeat=wounds))

    def after(roll: tuple[int, ...]) -> int:
        left = start
        for points in roll:
            left = hurt(left, points)
        return unit.total - sum(left)

    expected = law((after(roll), F(1, len(rolls))) for roll in rolls)
    found = allocate(unit, Dist([before]), Dist([wounds]), lambda _: Dist(faces))
    assert dict(found.items()) == expected


def test_a_random_number_of_wounds_and_a_random_start() -> None:
    """One or two points of two on models of three, from 0 or 1: 2, 3 and 3, 4 points."""
    unit = Unit((Models(2, 3),))
    found = allocate(unit, Dist([0, 1]), Dist([1, 2]), lambda _: Dist([2]))
    assert dict(found.items()) == {2: F(1, 4), 3: F(1, 2), 5: F(1, 4)}


def test_damage_depends_on_the_kind_in_front() -> None:
    """One point kills the first; the second kind takes 3 of each wound."""
    unit = Unit((Models(1, 1), Models(1, 5)))
    found = allocate(unit, Dist([0]), Dist([2]), [Dist([1]), Dist([3])].__getitem__)
    assert found == Dist([4])


def test_nobody_is_left_to_hurt() -> None:
    unit = Unit((Models(1, 2),))
    assert allocate(unit, Dist([0]), Dist([7]), lambda _: Dist([9])) == Dist([2])


def test_more_was_lost_than_there_is() -> None:
    unit = Unit((Models(1, 2),))
    for start in (Dist([3]), Dist([-1, 0])):
        with pytest.raises(RuleError, match="a unit of 2 wounds"):
            allocate(unit, start, Dist([1]), lambda _: Dist([1]))


def test_too_much_work_is_refused() -> None:
    unit = Unit((Models(1000, 50),))
    with pytest.raises(TooLarge, match="smaller units"):
        allocate(unit, Dist([0]), Dist([100_000]), lambda _: d6)
    with pytest.raises(TooLarge):
        allocate(Unit((Models(2, 2),)), Dist([0]), Dist([5]), lambda _: d3, budget=10)
    assert DEFAULT_BUDGET > 10


# --- spilling, saves, points shrugged off


@quick(40)
@given(GROUPS, st.integers(0, 14))
def test_spilt_damage_goes_from_model_to_model(groups: list[tuple[int, int]], points: int) -> None:
    unit = unit_of(groups)
    left = hurt(models_of(groups), points, spills=True)
    found = spill(unit, Dist([0]), Dist([points]))
    assert found == Dist([unit.total - sum(left)])
    assert found.map(unit.lost) == Dist([left.count(0)])


@quick(30)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=3), st.integers(1, 6))
def test_every_point_is_shrugged_off_by_itself(faces: list[int], need: int) -> None:
    def left(points: int) -> dict[int, Fraction]:
        rolls = list(product(range(1, 7), repeat=points))
        return law((sum(face < need for face in roll), F(1, len(rolls))) for roll in rolls)

    expected = law((kept, p / len(faces)) for face in faces for kept, p in left(face).items())
    found = shrugged(Dist(faces), F(need - 1, 6))
    assert dict(found.items()) == {kept: p for kept, p in expected.items() if p}


def test_nothing_is_shrugged_off() -> None:
    assert shrugged(d6, F(1)) == d6
    assert shrugged(3, F(0)) == Dist([0])


def test_a_save_stops_the_whole_wound() -> None:
    assert dict(saved(Dist([2, 4]), F(1, 3)).items()) == {0: F(2, 3), 2: F(1, 6), 4: F(1, 6)}
    assert saved(Dist([2]), F(1)) == Dist([2])
    assert saved(Dist([2]), F(0)) == Dist([0])
