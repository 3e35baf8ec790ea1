"""Adding up whole numbers over layers, against every way through them."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.exact import lattice
from oddsmith.exact.tally import Layer, tally
from unit.every import quick, several


def some_layer(chance: Random) -> Layer:
    """From each of three states one to three ways on, and what each of three events adds."""

    def way() -> tuple[int, str, int]:
        return chance.randrange(3), chance.choice("abc"), chance.randint(1, 5)

    choices = {state: [way() for _ in range(chance.randint(1, 3))] for state in range(3)}
    return choices, {event: chance.randint(0, 6) for event in "abc"}


LAYERS = several(some_layer, 4)


def walked(start: int, layers: list[Layer]) -> Counter[int]:
    """The ways of every total, path by path."""
    paths = [(start, 0, 1)]
    for choices, adds in layers:
        paths = [
            (target, total + adds[event], ways * many)
            for state, total, ways in paths
            for target, event, many in choices[state]
        ]
    found: Counter[int] = Counter()
    for _, total, ways in paths:
        found[total] += ways
    return found


def items(found: lattice.Lattice) -> list[tuple[lattice.Number, int]]:
    """The totals with their weights."""
    return list(lattice.items(found))


def same(found: lattice.Lattice, model: Counter[int]) -> None:
    """Equal up to a common factor."""
    weights = dict(items(found))
    assert set(weights) == set(model)
    size, other = sum(weights.values()), sum(model.values())
    assert all(weight * other == model[total] * size for total, weight in weights.items())


@given(layers=LAYERS, start=st.integers(0, 2), low=st.integers(-9, 9))
@quick(100)
def test_every_path(layers: list[Layer], start: int, low: int) -> None:
    model = walked(start, layers)
    found = tally(start, layers, sum(model.values()), low)
    same(found, Counter({total + low: ways for total, ways in model.items()}))


def test_no_layer() -> None:
    assert items(tally("start", [], 1, 4)) == [(4, 1)]


@pytest.mark.parametrize("exponent", [7, 8, 9, 63, 64, 65, 127, 200])
def test_ways_of_any_size(exponent: int) -> None:
    """A digit must hold 2^n - 1 ways, one less and one more than a whole number of bytes."""
    many = 2**exponent - 1
    layer: Layer = ({0: [(0, "no", 1), (0, "yes", many)]}, {"no": 0, "yes": 1})
    found = tally(0, [layer], many + 1, 0)
    assert items(found) == [(0, 1), (1, many)]
    twice = tally(0, [layer, layer], (many + 1) ** 2, 0)
    assert items(twice) == [(0, 1), (1, 2 * many), (2, many**2)]


def test_dice_as_layers() -> None:
    """3d6: 1, 3, 6, 10, 15, 21, 25, 27 and back (the well-known table)."""
    layer: Layer = ({0: [(0, face, 1) for face in range(6)]}, {face: face for face in range(6)})
    found = tally(0, [layer] * 3, 216, 3)
    half = [1, 3, 6, 10, 15, 21, 25, 27]
    assert items(found) == list(zip(range(3, 19), half + half[::-1], strict=True))


def test_the_state_decides_what_may_happen() -> None:
    """A chain of two links: heads goes on, tails ends it for good."""
    layer: Layer = (
        {"on": [("on", "heads", 1), ("off", "tails", 1)], "off": [("off", "tails", 2)]},
        {"heads": 1, "tails": 0},
    )
    assert items(tally("on", [layer] * 2, 4, 0)) == [(0, 2), (1, 1), (2, 1)]


def test_states_that_meet_are_added() -> None:
    """Two ways to the same state with the same sum."""
    split: Layer = ({0: [(1, "x", 1), (2, "x", 2)]}, {"x": 3})
    join: Layer = ({1: [(0, "y", 5)], 2: [(0, "y", 7)]}, {"y": 0})
    found = tally(0, [split, join], 19, 0)
    assert [total for total, _ in items(found)] == [3]


def test_gaps_between_totals() -> None:
    """Only multiples of 1000 are met."""
    layer: Layer = ({0: [(0, "no", 1), (0, "yes", 2)]}, {"no": 0, "yes": 1000})
    found = tally(0, [layer] * 2, 9, -5)
    assert items(found) == [(-5, 1), (995, 4), (1995, 4)]
    assert (found.low, found.step) == (-5, 1000)


def test_a_common_factor_is_taken_out() -> None:
    layer: Layer = ({0: [(0, "no", 6), (0, "yes", 4)]}, {"no": 0, "yes": 1})
    assert items(tally(0, [layer], 10, 0)) == [(0, 3), (1, 2)]
