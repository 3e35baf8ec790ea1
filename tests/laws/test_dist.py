"""``Dist`` against a dict of Fractions."""

from __future__ import annotations

import operator
import pickle
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith import Dist, joint, mix
from oddsmith.errors import ImpossibleEvent, OutcomeError

from . import some
from .naive import Law, added, bound, chance, combined, law, mapped, mean_of, same, total_of
from .some import quick

if TYPE_CHECKING:
    from collections.abc import Callable

ADDITIVE = [operator.add, operator.sub, operator.mul]
COMPARISONS = [operator.ge, operator.gt, operator.le, operator.lt]


# --- arithmetic


@pytest.mark.parametrize("op", ADDITIVE)
@given(a=some.NUMBERS, b=some.NUMBERS)
@quick(80)
def test_arithmetic_combines_independent_rolls(
    op: Callable[[Any, Any], Any], a: Dist[Any], b: Dist[Any]
) -> None:
    same(op(a, b), combined(law(a), law(b), op))


@pytest.mark.parametrize("op", [*ADDITIVE, operator.truediv, operator.floordiv])
@given(a=some.NUMBERS, number=some.BOUNDS.filter(bool))
@quick(40)
def test_a_plain_number_is_a_certain_roll(
    op: Callable[[Any, Any], Any], a: Dist[Any], number: Any
) -> None:
    def exact(x: Any, y: Any) -> Any:
        return op(Fraction(x), Fraction(y))

    same(op(a, number), mapped(law(a), lambda x: exact(x, number)))
    if a.p(0) == 0 or op in ADDITIVE:
        same(op(number, a), mapped(law(a), lambda x: exact(number, x)))


@pytest.mark.parametrize("op", [operator.truediv, operator.floordiv])
@given(a=some.NUMBERS, b=some.NUMBERS)
@quick(60)
def test_quotients_are_exact_and_refuse_a_divisor_that_can_be_0(
    op: Callable[[Any, Any], Any], a: Dist[Any], b: Dist[Any]
) -> None:
    if b.p(0):
        with pytest.raises(OutcomeError):
            op(a, b)
    else:
        same(op(a, b), combined(law(a), law(b), lambda x, y: op(Fraction(x), Fraction(y))))


@given(a=some.NUMBERS, b=some.NUMBERS)
@quick(40)
def test_remainders(a: Dist[Any], b: Dist[Any]) -> None:
    """x - y * floor(x / y)."""
    if b.p(0) == 0:
        same(a % b, combined(law(a), law(b), lambda x, y: x - y * (Fraction(x) // y)))


@given(a=some.NUMBERS)
@quick(40)
def test_minus_plus_and_size(a: Dist[Any]) -> None:
    same(-a, mapped(law(a), operator.neg))
    same(+a, law(a))
    same(abs(a), mapped(law(a), abs))


@given(a=some.NUMBERS, b=some.NUMBERS, c=some.NUMBERS)
@quick(40)
def test_addition_commutes_and_associates(a: Dist[Any], b: Dist[Any], c: Dist[Any]) -> None:
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)
    assert hash((a + b) + c) == hash(a + (b + c))


@given(a=some.NUMBERS, count=st.integers(-3, 5))
@quick(80)
def test_a_number_of_dice_is_their_sum(a: Dist[Any], count: int) -> None:
    one = law(a) if count >= 0 else law(-a)
    same(count @ a, total_of([one] * abs(count)))
    assert count @ a == a.times(count)


@given(counts=some.dists(st.integers(-2, 3), 3), a=some.dists(some.WHOLE, 3))
@quick(30)
def test_a_random_number_of_dice(counts: Dist[int], a: Dist[int]) -> None:
    def dice(count: int) -> Law:
        return total_of([law(a) if count > 0 else law(-a)] * abs(count))

    same(counts @ a, bound(law(counts), dice))


@given(a=some.dists(some.WORDS | some.WHOLE), b=some.NUMBERS)
@quick(40)
def test_text_is_never_added(a: Dist[Any], b: Dist[Any]) -> None:
    if a.is_numeric:
        same(a + b, combined(law(a), law(b), operator.add))
        return
    for refused in (lambda: a + b, lambda: b - a, lambda: a * b, lambda: -a, lambda: 2 @ a):
        with pytest.raises(OutcomeError):
            refused()


# --- comparisons


@pytest.mark.parametrize("op", COMPARISONS)
@given(a=some.NUMBERS, b=some.NUMBERS)
@quick(50)
def test_comparisons_are_events(op: Callable[[Any, Any], Any], a: Dist[Any], b: Dist[Any]) -> None:
    wanted = sum(
        (p * q for x, p in law(a).items() for y, q in law(b).items() if op(x, y)), Fraction(0)
    )
    assert op(a, b).p() == wanted
    assert law(op(a, b)) == {k: p for k, p in ((0, 1 - wanted), (1, wanted)) if p}


@given(a=some.ANY, b=some.ANY)
@quick(60)
def test_agreeing_rolls(a: Dist[Any], b: Dist[Any]) -> None:
    wanted = sum((p * law(b).get(x, Fraction(0)) for x, p in law(a).items()), Fraction(0))
    assert a.eq(b).p() == wanted
    assert a.ne(b).p() == 1 - wanted


# --- probabilities


@given(a=some.ANY, event=st.sets(some.WHOLE | some.PARTS | some.WORDS, max_size=4))
@quick(60)
def test_the_chance_of_outcomes(a: Dist[Any], event: set[Any]) -> None:
    wanted = chance(law(a), lambda x: x in event)
    if event and all(isinstance(outcome, tuple) for outcome in a):
        with pytest.raises(OutcomeError):  # numbers and words are parts of these outcomes
            a.p(event)
        return
    assert a.p(event) == wanted
    assert a.p(sorted(event, key=str)) == wanted
    assert a.p(lambda outcome: outcome in event) == wanted
    assert sum((a.p(outcome) for outcome in event), Fraction(0)) == wanted
    assert all((outcome in a) == (a.p(outcome) > 0) for outcome in event)


@given(a=some.NUMBERS, low=some.BOUNDS, high=some.BOUNDS)
@quick(80)
def test_tails(a: Dist[Any], low: Any, high: Any) -> None:
    model = law(a)
    assert a.at_least(low) == chance(model, lambda x: x >= low)
    assert a.more_than(low) == chance(model, lambda x: x > low)
    assert a.at_most(low) == chance(model, lambda x: x <= low)
    assert a.less_than(low) == chance(model, lambda x: x < low)
    if low <= high:
        assert a.between(low, high) == chance(model, lambda x: low <= x <= high)


@given(a=some.NUMBERS, low=some.BOUNDS, high=some.BOUNDS)
@quick(40)
def test_nothing_lies_between_ends_in_the_wrong_order(a: Dist[Any], low: Any, high: Any) -> None:
    if low > high:
        assert a.between(low, high) == 0


@given(a=some.NUMBERS, low=some.BOUNDS, high=some.BOUNDS)
@quick(50)
def test_weights_between_bounds(a: Dist[Any], low: Any, high: Any) -> None:
    inside = {x: w for x, w in a.weights().items() if low <= x <= high}
    assert a.weights(low, high) == inside
    assert a.weights(low) == {x: w for x, w in a.weights().items() if x >= low}


# --- summaries


@given(a=some.NUMBERS, about=some.WHOLE, order=st.integers(0, 3))
@quick(60)
def test_mean_variance_and_moments(a: Dist[Any], about: int, order: int) -> None:
    model = law(a)
    mean = mean_of(model)
    assert a.mean == mean
    assert a.variance == mean_of(mapped(model, lambda x: x * x)) - mean**2
    assert a.moment(order, about) == mean_of(mapped(model, lambda x: Fraction(x - about) ** order))


@given(a=some.NUMBERS)
@quick(40)
def test_the_spread_is_the_nearest_float(a: Dist[Any]) -> None:
    spread = a.standard_deviation
    if a.variance == 0:
        assert spread == 0
    else:
        assert abs(Fraction(spread) ** 2 / a.variance - 1) <= Fraction(1, 2**51)


@given(a=some.ANY, share=some.SHARES)
@quick(80)
def test_quantiles(a: Dist[Any], share: Fraction) -> None:
    running, wanted = Fraction(0), None
    for outcome, p in a.items():
        running += p
        if running >= share:
            wanted = outcome
            break
    assert a.quantile(share) == wanted


@given(a=some.ANY)
@quick(40)
def test_median_and_modes(a: Dist[Any]) -> None:
    model = law(a)
    best = max(model.values())
    assert a.modes() == [outcome for outcome in a if model[outcome] == best]
    assert a.median == a.quantile(Fraction(1, 2))


# --- new distributions


@given(a=some.INTEGERS, modulus=st.integers(1, 4))
@quick(40)
def test_map(a: Dist[int], modulus: int) -> None:
    same(a.map(lambda x: x % modulus), mapped(law(a), lambda x: x % modulus))
    same(a.map(lambda x: Fraction(x, modulus)), mapped(law(a), lambda x: Fraction(x, modulus)))
    same(a.map(lambda x: (str(x), x % 2)), mapped(law(a), lambda x: (str(x), x % 2)))


@given(a=some.INTEGERS, laws=st.lists(some.ANY, min_size=3, max_size=3))
@quick(60)
def test_then(a: Dist[int], laws: list[Dist[Any]]) -> None:
    same(a.then(lambda x: laws[x % 3]), bound(law(a), lambda x: law(laws[x % 3])))
    same(a.then(lambda x: x // 2), mapped(law(a), lambda x: x // 2))


@given(a=some.INTEGERS, modulus=st.integers(1, 4), rest=st.integers(0, 3))
@quick(60)
def test_given(a: Dist[int], modulus: int, rest: int) -> None:
    kept = {x: p for x, p in law(a).items() if x % modulus == rest}
    if not kept:
        with pytest.raises(ImpossibleEvent):
            a.given(lambda x: x % modulus == rest)
    else:
        mass = sum(kept.values())
        same(a.given(lambda x: x % modulus == rest), {x: p / mass for x, p in kept.items()})


@given(
    parts=st.lists(
        st.tuples(some.ANY, st.fractions(0, 5, max_denominator=6)), min_size=1, max_size=4
    )
)
@quick(100)
def test_mix(parts: list[tuple[Dist[Any], Fraction]]) -> None:
    size = sum(weight for _, weight in parts)
    if not size:
        with pytest.raises(ImpossibleEvent):
            mix(parts)
    else:
        same(mix(parts), added((x, p * w / size) for d, w in parts for x, p in d.items()))


@given(parts=st.lists(some.ANY, max_size=3))
@quick(40)
def test_joint_and_margins(parts: list[Dist[Any]]) -> None:
    both = joint(*parts)
    model: Law = {(): Fraction(1)}
    for part in parts:
        model = combined(model, law(part), lambda left, right: (*left, right))
    same(both, model)
    for place, part in enumerate(parts):
        assert both.margin(place) == part
    if len(parts) > 1:
        assert both.margin(1, 0) == joint(parts[1], parts[0])


@given(a=some.NUMBERS, yes=some.ANY, no=some.ANY)
@quick(40)
def test_if_else(a: Dist[Any], yes: Dist[Any], no: Dist[Any]) -> None:
    zero = chance(law(a), lambda x: x == 0)
    parts = [(x, p * (1 - zero)) for x, p in yes.items()] + [(x, p * zero) for x, p in no.items()]
    same(a.if_else(yes, no), added(parts))


# --- one form


@given(a=some.NUMBERS, by=some.BOUNDS, factor=some.BOUNDS.filter(bool))
@quick(80)
def test_every_way_of_building_a_distribution_gives_the_same_value(
    a: Dist[Any], by: Any, factor: Any
) -> None:
    ways = [
        Dist(a.weights()),
        Dist({outcome: 7 * weight for outcome, weight in a.weights().items()}),
        Dist([outcome for outcome, weight in a.weights().items() for _ in range(weight)]),
        (a + by) - by,
        (a * factor) / factor,
        0 - (0 - a),
        mix([(Dist({outcome: 1}), weight) for outcome, weight in a.weights().items()]),
        a.map(lambda x: x),
        joint(a, 0).map(sum),
        1 @ a,
        a + Dist({0: 1}),
    ]
    for other in ways:
        same(other, law(a))
        assert other == a
        assert hash(other) == hash(a)
        assert repr(other) == repr(a)


@given(a=some.NUMBERS, b=some.NUMBERS)
@quick(60)
def test_dense_and_listed_sums_are_equal(a: Dist[Any], b: Dist[Any]) -> None:
    fast, listed = a + b, Dist(_weighted(combined(law(a), law(b), operator.add)))
    assert fast == listed
    assert hash(fast) == hash(listed)
    assert {fast: 1}[listed] == 1


@given(a=some.ANY, b=some.ANY)
@quick(60)
def test_equal_means_the_same_law(a: Dist[Any], b: Dist[Any]) -> None:
    assert (a == b) == (law(a) == law(b))
    assert (a != b) == (law(a) != law(b))


@given(a=some.ANY)
@quick(60)
def test_a_distribution_survives_pickle_and_repr(a: Dist[Any]) -> None:
    assert pickle.loads(pickle.dumps(a)) == a
    assert eval(repr(a), {"Dist": Dist, "Fraction": Fraction}) == a


def _weighted(model: Law) -> dict[Any, int]:
    """Whole weights in the ratio of the chances."""
    common = 1
    for p in model.values():
        common *= p.denominator
    return {outcome: int(p * common) for outcome, p in model.items()}
