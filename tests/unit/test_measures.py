"""Measures of distributions, and outcomes by chance."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from numpy.random import default_rng

from oddsmith import Dist, OpenDist, Process, chain, d, d4, d6, d8, joint, mix
from oddsmith.dist import event
from oddsmith.errors import ImpossibleEvent, OutcomeError, RuleError, TooLarge
from oddsmith.measures import (
    correlation,
    covariance,
    distance,
    entropy,
    from_cumulative,
    group_by,
    kurtosis,
    nearest,
    one_hot,
    sample,
    skewness,
)
from oddsmith.mechanics.symbols import vector_sum

from .every import PARTS, WHOLE, Table, drawn, quick, tables

F = Fraction
MIXED = sorted({*WHOLE, *PARTS})
ENDLESS: Any = chain(d6, {6})

PAIRS = drawn(
    lambda chance: {
        (chance.randint(-2, 3), "x", F(chance.randint(-3, 3), 2)): chance.randint(1, 4)
        for _ in range(chance.randint(1, 5))
    }
)
"""Tuples of a number, a text and a number, with weights."""


def share(table: Table, event: Any) -> Fraction:
    """The chance of a condition."""
    return F(sum(n for face, n in table.items() if event(face)), sum(table.values()))


def average(table: Table, worth: Any) -> Fraction:
    """The mean of a function of the outcome."""
    return F(sum(n * F(worth(face)) for face, n in table.items())) / sum(table.values())


def about_mean(table: Table, order: int) -> Fraction:
    """A moment about the mean."""
    mean = average(table, lambda face: face)
    return average(table, lambda face: (face - mean) ** order)


# --- entropy


@pytest.mark.parametrize("sides", [1, 2, 4, 6, 8, 20, 100])
def test_entropy_of_a_fair_die(sides: int) -> None:
    """log2 of the sides."""
    assert math.isclose(entropy(d(sides)), math.log2(sides), rel_tol=1e-14)


def test_entropy_in_whole_bits() -> None:
    """1/2 takes one bit, 1/4 two: 1/2 + 2/4 + 2/4 = 3/2; a base of 8 counts three at a time."""
    assert entropy(d8) == 3.0
    assert entropy(Dist({"a": 2, "b": 1, "c": 1})) == 1.5
    assert entropy(d8, base=8) == 1.0
    assert math.isclose(entropy(d8, base=math.e), math.log(8), rel_tol=1e-15)


def test_entropy_of_what_is_certain() -> None:
    assert math.copysign(1, entropy(Dist(["sure"]))) == 1
    assert entropy(Dist(["sure"])) == 0


@pytest.mark.parametrize("power", [40, 60, 200, 1000, 2000])
def test_entropy_of_what_is_nearly_certain(power: int) -> None:
    """With p = 2**-k it is k p + p / ln 2, less what is of the order of p**2."""
    p = F(1, 2**power)
    expected = float(p) * (power + 1 / math.log(2))
    assert math.isclose(entropy(event(p)), expected, rel_tol=1e-9)
    assert math.isclose(entropy(event(1 - p)), expected, rel_tol=1e-9)


@given(a=tables(WHOLE), b=tables(WHOLE))
@quick(30)
def test_entropy_of_two_rolls_adds_up(a: Table, b: Table) -> None:
    both = entropy(joint(Dist(a), Dist(b)))
    assert math.isclose(both, entropy(Dist(a)) + entropy(Dist(b)), rel_tol=1e-13)


@pytest.mark.parametrize("base", [1, 0, -2, 0.5, math.nan])
def test_a_base_is_above_1(base: float) -> None:
    with pytest.raises(RuleError, match="base above 1"):
        entropy(d6, base)


# --- shape


@pytest.mark.parametrize("p", [F(1, 5), F(1, 2), F(9, 10), F(1, 10**6)])
def test_the_shape_of_one_trial(p: Fraction) -> None:
    """Skewness (1 - 2p) / sqrt(pq), excess kurtosis (1 - 6pq) / pq."""
    spread = p * (1 - p)
    assert math.isclose(skewness(event(p)), float(1 - 2 * p) / math.sqrt(spread), abs_tol=1e-15)
    assert math.isclose(kurtosis(event(p), excess=True), float((1 - 6 * spread) / spread))
    assert math.isclose(kurtosis(event(p)), float((1 - 6 * spread) / spread + 3))


def test_a_root_that_comes_out_even() -> None:
    """p = 1/5: 3/5 by 2/5."""
    assert skewness(Dist({0: 4, 1: 1})) == 1.5
    assert skewness(Dist({0: 1, 1: 4})) == -1.5


@pytest.mark.parametrize("sides", [2, 6, 20])
@pytest.mark.parametrize("dice", [1, 3, 10])
def test_the_shape_of_a_sum_of_fair_dice(sides: int, dice: int) -> None:
    """No skewness; the excess -6 (n**2 + 1) / (5 (n**2 - 1)) of one die is shared by all."""
    excess = F(-6 * (sides**2 + 1), 5 * (sides**2 - 1)) / dice
    assert skewness(dice @ d(sides)) == 0
    assert kurtosis(dice @ d(sides), excess=True) == float(excess)
    assert kurtosis(dice @ d(sides)) == float(excess + 3)


@given(table=tables(MIXED))
@quick(40)
def test_shape_by_moments(table: Table) -> None:
    """Exact up to the last step: the square of the skewness, to the precision of a float."""
    third, second = about_mean(table, 3), about_mean(table, 2)
    found = skewness(Dist(table))
    assert math.isclose(found**2, float(third**2 / second**3), rel_tol=1e-14)
    assert (found > 0, found < 0) == (third > 0, third < 0)
    assert kurtosis(Dist(table)) == float(about_mean(table, 4) / second**2)


def test_the_shape_of_an_open_ended_number() -> None:
    """The first success with p = 3/4: (2 - p) / sqrt(q) = 5/2, excess 6 + p**2 / q = 33/4."""
    tries = Process(0, lambda _: event(F(3, 4)), bool).steps()
    assert isinstance(tries, OpenDist)
    assert skewness(tries) == 2.5
    assert kurtosis(tries, excess=True) == 8.25


def test_a_single_outcome_has_no_shape() -> None:
    for measure in (skewness, kurtosis):
        with pytest.raises(OutcomeError, match="single outcome"):
            measure(Dist([3]))
        with pytest.raises(OutcomeError, match="'x'"):
            measure(Dist(["x", 1]))


# --- two places


@given(table=PAIRS)
@quick(40)
def test_covariance_by_its_definition(table: Table) -> None:
    mean = [average(table, lambda face, k=k: face[k]) for k in (0, 2)]
    expected = average(table, lambda face: (face[0] - mean[0]) * (face[2] - mean[1]))
    assert covariance(Dist(table), 0, 2) == covariance(Dist(table), 2, 0) == expected
    assert covariance(Dist(table), 0, -1) == expected
    own = average(table, lambda face: (face[2] - mean[1]) ** 2)
    assert covariance(Dist(table), 2, 2) == own


def test_covariance_with_a_sum() -> None:
    """Of one d4 with two of them: the variance of the one, 15/12."""
    law = joint(d4, d4).map(lambda pair: (pair[0], sum(pair)))
    assert covariance(law, 0, 1) == F(5, 4)
    assert covariance(joint(d4, d6), 0, 1) == 0


def test_correlation() -> None:
    """Half the variance of the sum is the first die's: the root of 1/2."""
    law = joint(d4, d4).map(lambda pair: (pair[0], sum(pair)))
    assert math.isclose(correlation(law, 0, 1), math.sqrt(0.5), rel_tol=1e-15)
    assert correlation(law, 0, 0) == 1.0
    assert correlation(d6.map(lambda face: (face, 3 - 2 * face)), 0, 1) == -1.0
    assert correlation(joint(d4, d6), 0, 1) == 0.0


@given(table=PAIRS)
@quick(40)
def test_correlation_is_within_1(table: Table) -> None:
    law = Dist(table)
    spread = covariance(law, 0, 0) * covariance(law, 2, 2)
    if not spread:
        with pytest.raises(OutcomeError, match="always shows the same"):
            correlation(law, 0, 2)
        return
    found = correlation(law, 0, 2)
    assert math.isclose(found**2, covariance(law, 0, 2) ** 2 / spread, abs_tol=1e-14)
    assert found * covariance(law, 0, 2) >= 0


@pytest.mark.parametrize(
    ("law", "j"), [(d6, 1), (Dist([(1, 2)]), 2), (Dist([(1, 2)]), -3), (Dist([(1, "x")]), 1)]
)
def test_a_place_with_a_number(law: Any, j: int) -> None:
    with pytest.raises(OutcomeError, match="place"):
        covariance(law, 0, j)


# --- distance


@given(a=tables(WHOLE), b=tables(PARTS))
@quick(60)
def test_the_largest_gap(a: Table, b: Table) -> None:
    def gap(bound: Any) -> Fraction:
        return abs(share(a, lambda face: face <= bound) - share(b, lambda face: face <= bound))

    assert distance(Dist(a), Dist(b)) == distance(Dist(b), Dist(a)) == max(map(gap, {*a, *b}))


def test_the_gap_of_two_dice() -> None:
    """At 4 all of a d4 and 4 of 6; 10 sides are reached by no d8: 1/5."""
    assert distance(d6, d4) == F(1, 3)
    assert distance(d8, d(10)) == F(1, 5)
    assert distance(d6, d6) == 0
    assert distance(d6, d6 + 6) == 1
    assert distance(d6, 6) == F(5, 6)
    assert distance(1, 1) == 0


# --- nearest


@given(table=tables(MIXED))
@quick(30)
def test_nearest_on_every_side(table: Table) -> None:
    for bound in [F(k, 2) for k in range(-6, 13)]:
        for side, fit in {
            "<=": [x for x in table if x <= bound],
            "<": [x for x in table if x < bound],
            ">=": [x for x in table if x >= bound],
            ">": [x for x in table if x > bound],
        }.items():
            if not fit:
                with pytest.raises(ImpossibleEvent, match=f"no outcome is {side}"):
                    nearest(Dist(table), bound, side)
            else:
                expected = max(fit) if "<" in side else min(fit)
                assert nearest(Dist(table), bound, side) == expected


def test_nearest_is_from_below_unless_said() -> None:
    assert nearest(Dist([1, 3, 7]), 5) == 3
    assert nearest(Dist([1, 10**9]), 5) == 1
    assert nearest(Dist([1, 10**9]), 5, ">") == 10**9


def test_a_side_and_a_bound_that_are_none() -> None:
    with pytest.raises(RuleError, match="'=='"):
        nearest(d6, 3, "==")
    with pytest.raises(OutcomeError, match="float"):
        nearest(d6, 2.5)  # type: ignore[arg-type]


# --- taking apart, putting together


@given(table=tables(WHOLE))
@quick(30)
def test_groups(table: Table) -> None:
    groups = group_by(Dist(table), lambda face: face % 3)
    assert list(groups) == sorted({face % 3 for face in table})
    for key, (chance, part) in groups.items():
        assert chance == share(table, lambda face, key=key: face % 3 == key)
        for face in table:
            inside = F(table[face]) / sum(n for x, n in table.items() if x % 3 == key)
            assert part.p(face) == (inside if face % 3 == key else 0)
    assert mix((part, chance) for chance, part in groups.values()) == Dist(table)


def test_groups_of_any_kind() -> None:
    assert group_by(d6, lambda face: face > 4) == {
        False: (F(2, 3), Dist([1, 2, 3, 4])),
        True: (F(1, 3), Dist([5, 6])),
    }
    assert group_by(joint(d(2), d(3)), lambda pair: pair[0])[2] == (
        F(1, 2),
        Dist([(2, 1), (2, 2), (2, 3)]),
    )
    with pytest.raises(OutcomeError):
        group_by(d6, lambda face: face / 2)


def test_one_hot() -> None:
    assert one_hot(Dist({"a": 1, 5: 2})) == Dist({(1, 0): 2, (0, 1): 1})
    assert one_hot(Dist([7])) == Dist([(1,)])
    with pytest.raises(TooLarge):
        one_hot(d(10_000))


def test_sums_of_one_hot_are_multinomial() -> None:
    """Three d6: 6 of 216 orders for one each of three faces; the covariance is -n p q."""
    counted = vector_sum([(one_hot(d6), 3)])
    assert counted.p((1, 1, 1, 0, 0, 0)) == F(6, 216)
    assert counted.p((0, 3, 0, 0, 0, 0)) == F(1, 216)
    assert covariance(counted, 0, 5) == F(-3, 36)


@given(table=tables(MIXED))
@quick(30)
def test_running_totals_there_and_back(table: Table) -> None:
    """As chances and as weights, in any order, also with outcomes that add nothing."""
    faces = sorted({*table, 100, -100}, reverse=True)
    chances = {x: share(table, lambda face, x=x: face <= x) for x in faces}
    weights = {x: sum(n for face, n in table.items() if face <= x) for x in faces}
    assert from_cumulative(chances) == from_cumulative(weights) == Dist(table)


def test_running_totals_of_text() -> None:
    assert from_cumulative({"low": 2, "mid": 3}) == Dist({"low": 2, "mid": 1})


@pytest.mark.parametrize(
    ("totals", "message"),
    [
        ({1: 3, 2: 2}, "less than 3"),
        ({1: -1, 2: 2}, "less than 0"),
        ({1: "x"}, "not a number"),
        ({1: 0.5}, "float"),
        ({1: 0}, "positive weight"),
        ({}, "positive weight"),
    ],
)
def test_running_totals_that_are_none(totals: Any, message: str) -> None:
    with pytest.raises(OutcomeError, match=message):
        from_cumulative(totals)


@pytest.mark.parametrize(
    "measure",
    [
        entropy,
        one_hot,
        lambda die: distance(die, d6),
        lambda die: distance(d6, die),
        lambda die: nearest(die, 3),
        lambda die: group_by(die, lambda face: face),
        lambda die: covariance(die, 0, 1),
        lambda die: sample(die, default_rng(1)),
    ],
)
def test_an_open_ended_die_is_clamped_first(measure: Any) -> None:
    with pytest.raises(OutcomeError, match="clamp"):
        measure(ENDLESS)


def test_text_has_no_distance() -> None:
    with pytest.raises(OutcomeError, match="'x'"):
        distance(Dist(["x"]), d6)
    with pytest.raises(OutcomeError, match="'x'"):
        nearest(Dist(["x", 1]), 3)


# --- by chance


class Bytes:
    """Given bytes in place of a generator; for ever the same again."""

    def __init__(self, *values: int) -> None:
        self.values, self.read = values, 0

    def bytes(self, count: int) -> bytes:
        """The next ones."""
        found = [self.values[(self.read + k) % len(self.values)] for k in range(count)]
        self.read += count
        return bytes(found)


@pytest.mark.parametrize(
    "table", [{1: 1, 2: 2, 3: 3}, {"a": 3, "b": 4}, {0: 128, 1: 1}, {(1, 2): 200, (3,): 53}]
)
def test_all_bytes_give_the_exact_weights(table: Table) -> None:
    """Each number below the total comes from as many bytes as any other."""
    size = sum(table.values())
    each = 256 // 2 ** (size - 1).bit_length()
    rng: Any = Bytes(*range(256))
    assert Counter(Dist(table).sample(rng, each * size)) == {x: each * n for x, n in table.items()}


def test_chances_smaller_than_any_float() -> None:
    """1,329 bits in 167 bytes, 7 to spare: 2**1329 - 1 is too large, then come 1 and 0."""
    rare = Dist({0: 1, 1: 10**400})
    assert (10**400).bit_length() == 1329
    zeros: Any = Bytes(0)
    assert rare.sample(zeros, 2) == [0, 0]
    some: Any = Bytes(*[255] * 167, 128, *[0] * 166, 127, *[0] * 166)
    assert rare.sample(some, 2) == [1, 0]


def test_samples_of_a_generator() -> None:
    found = (2 @ d6).sample(default_rng(5), 36_000)
    counts = Counter(found)
    assert set(counts) == set(range(2, 13))
    for total in range(2, 13):
        p = (6 - abs(7 - total)) / 36
        assert abs(counts[total] - 36_000 * p) < 5 * math.sqrt(36_000 * p * (1 - p))


def test_pairs_of_samples_are_independent() -> None:
    """All 36 pairs of two d6, 1,000 times on average."""
    rng = default_rng(11)
    pairs = Counter(zip(d6.sample(rng, 36_000), d6.sample(rng, 36_000), strict=True))
    assert set(pairs) == set(product(range(1, 7), repeat=2))
    assert all(abs(count - 1000) < 5 * math.sqrt(1000) for count in pairs.values())


def test_the_same_seed_gives_the_same_outcomes() -> None:
    assert d6.sample(default_rng(3), 50) == d6.sample(default_rng(3), 50)
    assert d6.sample(default_rng(3), 50) != d6.sample(default_rng(4), 50)
    assert sample(d6, default_rng(3), 50) == d6.sample(default_rng(3), 50)


def test_how_many_samples() -> None:
    rng = default_rng(1)
    assert d6.sample(rng, 0) == []
    assert len(d6.sample(rng)) == 1
    assert Dist(["sure"]).sample(rng, 3) == ["sure"] * 3
    with pytest.raises(RuleError, match="0 outcomes or more"):
        d6.sample(rng, -1)
    with pytest.raises(TooLarge, match="fewer outcomes"):
        d6.sample(rng, 10**9)


def test_the_form_of_the_weights_does_not_matter() -> None:
    once, twice = Dist({1: 1, 2: 3}), Dist({1: 2, 2: 6})
    assert once.sample(default_rng(8), 20) == twice.sample(default_rng(8), 20)
