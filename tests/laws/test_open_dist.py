"""``OpenDist`` against chances computed outcome by outcome, up to a bound.

For a die of faces 0 and up that rolls on, first-step analysis gives every chance up to ``MOST``
exactly; what is left above is known, and bounds the error of everything computed from it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from oddsmith import Dist, OpenDist, chain, mix
from oddsmith.errors import OutcomeError

from . import some
from .naive import Law, chained, combined, law, mapped
from .some import quick

MOST = 24

Rolling = tuple[Dist[int], set[int]]
"""A die and the faces on which it rolls on."""


@st.composite
def rolling(draw: st.DrawFn, low: int = 0, high: int = 6) -> Rolling:
    """Some faces roll on, not all, and not only 0."""
    die = draw(
        st.dictionaries(st.integers(low, high), some.WEIGHTS, min_size=2, max_size=5).map(Dist)
    )
    faces = die.outcomes()
    again = draw(st.sets(st.sampled_from(faces), min_size=1, max_size=len(faces) - 1))
    assume(again != {0})
    return die, again


def opened(rule: Rolling) -> tuple[Any, Law]:
    """The open-ended die, and the chances of 0 .. MOST."""
    die, again = rule
    return chain(die, again), chained(law(die), again, MOST)


FACTORS = st.sampled_from([1, 2, 3, -1, -2, Fraction(1, 2), Fraction(-3, 2)])
SHIFTS = st.sampled_from([0, 1, -4, 10, Fraction(1, 2), Fraction(-1, 3)])


def rest(model: Law) -> Fraction:
    """The chance of everything above MOST."""
    return 1 - sum(model.values())


def starts_as(dist: Any, model: Law, most: int = MOST) -> None:
    """The same chances, outcome by outcome and in tails, up to a bound."""
    running = Fraction(0)
    for outcome in range(most + 1):
        p = model.get(outcome, Fraction(0))
        assert dist.p(outcome) == p
        assert dist.at_least(outcome) == 1 - running
        running += p
        assert dist.at_most(outcome) == running


def sums(a: Law, b: Law) -> Law:
    """The chances of 0 .. MOST of a sum; nothing is below 0, so they are all exact."""
    return {k: p for k, p in combined(a, b, lambda x, y: x + y).items() if k <= MOST}


# --- one die


@given(rule=rolling())
@quick(40)
def test_chances_of_a_die_that_rolls_on(rule: Rolling) -> None:
    fast, model = opened(rule)
    starts_as(fast, model)
    assert fast.p(Fraction(1, 2)) == fast.p("a") == fast.p(-1) == 0
    assert fast.at_least(-5) == 1
    assert fast.at_most(-1) == 0


@given(rule=rolling())
@quick(40)
def test_mean_and_variance_by_first_steps(rule: Rolling) -> None:
    """X = D + [D goes on] X', so E X = E D / (1 - p), and likewise for the square."""
    die, again = rule
    p = die.p(again)
    going = sum((face * die.p(face) for face in again), Fraction(0))
    mean = die.mean / (1 - p)
    square = (die.moment(2) + 2 * going * mean) / (1 - p)
    fast = chain(die, again)
    assert fast.mean == fast.moment(1) == mean
    assert fast.moment(2) == square
    assert fast.variance == square - mean**2
    assert fast.moment(2, about=3) == square - 6 * mean + 9
    assert fast.moment(0) == 1


@given(rule=rolling(), low=st.integers(-3, MOST), span=st.integers(0, 20))
@quick(30)
def test_rows_and_between(rule: Rolling, low: int, span: int) -> None:
    die, again = rule
    model = chained(law(die), again, MOST + 20)
    fast = chain(die, again)
    wanted = [(k, model[k]) for k in range(max(low, 0), low + span + 1) if model[k]]
    assert fast.rows(low, low + span) == wanted
    assert fast.between(low, low + span) == sum((p for _, p in wanted), Fraction(0))
    assert fast.p(set(range(low, low + span))) == fast.between(low, low + span - 1)


@given(rule=rolling(), share=st.fractions(0, 1, max_denominator=24))
@quick(40)
def test_quantiles(rule: Rolling, share: Fraction) -> None:
    fast, model = opened(rule)
    assume(0 < share < sum(model.values()))
    running = Fraction(0)
    for outcome in range(MOST + 1):
        running += model[outcome]
        if running >= share:
            assert fast.quantile(share) == outcome
            break
    else:
        raise AssertionError("the share lies within what is known")


@given(rule=rolling())
@quick(40)
def test_modes(rule: Rolling) -> None:
    fast, model = opened(rule)
    best = max(model.values())
    assume(rest(model) < best)
    assert fast.modes() == [outcome for outcome, p in sorted(model.items()) if p == best]


@given(rule=rolling(low=-6, high=0))
@quick(30)
def test_a_die_that_rolls_on_downwards_is_the_mirror_image(
    rule: Rolling,
) -> None:
    die, again = rule
    fast = chain(die, again)
    model = chained(law(-die), {-face for face in again}, MOST)
    for k in range(MOST + 1):
        assert fast.p(-k) == model[k]
        assert fast.at_most(-k) == 1 - sum((model[j] for j in range(k)), Fraction(0))
    assert fast == -chain(-die, {-face for face in again})


@given(rule=rolling(low=-4, high=4))
@quick(30)
def test_faces_on_both_sides_of_0_are_refused_or_obey_first_steps(
    rule: Rolling,
) -> None:
    die, again = rule
    if min(again) < 0 < max(again):
        with pytest.raises(OutcomeError):
            chain(die, again)
        return
    fast = chain(die, again)
    for k in range(-12, 13):
        stops = die.p(k) if k not in again else Fraction(0)
        assert fast.p(k) == stops + sum((die.p(g) * fast.p(k - g) for g in again), Fraction(0))


# --- sums, multiples, mixtures


@given(one=rolling(), two=rolling(), c=some.dists(st.integers(0, 5)))
@quick(30)
def test_sums(one: Rolling, two: Rolling, c: Dist[int]) -> None:
    (a, first), (b, second) = opened(one), opened(two)
    both = sums(first, second)
    starts_as(a + b, both)
    starts_as(a + c, sums(first, law(c)))
    starts_as(c + a, sums(first, law(c)))
    assert a + b == b + a
    assert (a + b).mean == a.mean + b.mean
    assert (a + b).variance == a.variance + b.variance


@given(one=rolling(), two=rolling(), three=rolling())
@quick(20)
def test_sums_associate(one: Rolling, two: Rolling, three: Rolling) -> None:
    a, b, c = (chain(*rule) for rule in (one, two, three))
    assert (a + b) + c == a + (b + c)


@given(rule=rolling(), count=st.integers(0, 4))
@quick(30)
def test_a_number_of_dice(rule: Rolling, count: int) -> None:
    fast, model = opened(rule)
    total: Law = {0: Fraction(1)}
    for _ in range(count):
        total = sums(total, model)
    starts_as(count @ fast, total)
    assert -count @ fast == -(count @ fast)


@given(rule=rolling(), factor=FACTORS, shift=SHIFTS)
@quick(40)
def test_multiples_and_shifts(rule: Rolling, factor: Any, shift: Any) -> None:
    fast, model = opened(rule)
    moved = fast * factor + shift
    for outcome, p in model.items():
        assert moved.p(outcome * factor + shift) == p
    assert moved.p(Fraction(1, 7)) == 0
    for k in range(12):
        edge = k * factor + shift
        wanted = fast.at_least(k) if factor > 0 else fast.at_most(k)
        assert moved.at_least(edge) == wanted
        assert moved.less_than(edge) == 1 - wanted
        assert moved.more_than(edge) == wanted - model[k]
    assert moved.mean == fast.mean * factor + shift
    assert moved.variance == fast.variance * factor**2


@given(rule=rolling(), factors=some.dists(st.integers(-2, 3), 3))
@quick(30)
def test_times_a_finite_die_is_a_mixture_of_multiples(rule: Rolling, factors: Dist[int]) -> None:
    fast, model = opened(rule)
    product = fast * factors
    assert product == factors * fast
    for k in range(1, 13):
        wanted = sum(
            (q * model[k // f] for f, q in factors.items() if f > 0 and k % f == 0), Fraction(0)
        )
        assert product.p(k) == wanted
    assert product.mean == fast.mean * factors.mean


@given(
    one=rolling(),
    two=rolling(),
    c=some.dists(st.integers(0, 9)),
    weights=st.tuples(*[st.fractions(0, 3, max_denominator=5)] * 3),
)
@quick(40)
def test_mixtures(one: Rolling, two: Rolling, c: Dist[int], weights: tuple[Fraction, ...]) -> None:
    (a, first), (b, second) = opened(one), opened(two)
    assume(any(weights))
    parts = list(zip((a, b, c), weights, strict=True))
    models = (first, second, law(c))
    size = sum(weights)
    wanted = {
        k: sum(
            (w * m.get(k, Fraction(0)) for m, w in zip(models, weights, strict=True)), Fraction(0)
        )
        / size
        for k in range(MOST + 1)
    }
    mixed = mix(parts)
    starts_as(mixed, wanted)
    assert mixed.mean == sum(w * d.mean for d, w in parts) / size


@given(one=rolling(), two=rolling(), shift=st.integers(-3, 3))
@quick(30)
def test_differences_reach_both_ways(one: Rolling, two: Rolling, shift: int) -> None:
    """Every pair with both below MOST is counted; the rest of both is the error."""
    (a, first), (b, second) = opened(one), opened(two)
    apart = a - b + shift
    model = mapped(combined(first, second, lambda x, y: x - y), lambda x: x + shift)
    error = rest(first) + rest(second)
    for k in (-9, -2, -1, 0, 1, 5):
        assert 0 <= apart.p(k) - model.get(k, Fraction(0)) <= error
        above = sum((p for x, p in model.items() if x >= k), Fraction(0))
        assert 0 <= apart.at_least(k) - above <= error
    assert apart.mean == a.mean - b.mean + shift
    assert apart.variance == a.variance + b.variance
    assert apart == shift - (b - a)


@given(one=rolling(), two=rolling(), c=some.dists(st.integers(-3, 9)))
@quick(30)
def test_contests(one: Rolling, two: Rolling, c: Dist[int]) -> None:
    (a, first), (b, second) = opened(one), opened(two)
    error = rest(first) + rest(second)
    wins = sum((p * q for x, p in first.items() for y, q in second.items() if x > y), Fraction(0))
    ties = sum((p * second[x] for x, p in first.items()), Fraction(0))
    win, tie, lose = (a > b).p(), a.eq(b).p(), (a < b).p()
    assert 0 <= win - wins <= error
    assert 0 <= tie - ties <= error
    assert win + tie + lose == 1
    assert (a >= b).p() == 1 - lose
    assert (a <= b).p() == 1 - win
    assert a.ne(b).p() == 1 - tie
    beats = sum((q * a.more_than(y) for y, q in c.items()), Fraction(0))
    assert (a > c).p() == (c < a).p() == beats
    assert a.eq(c).p() == sum((q * a.p(y) for y, q in c.items()), Fraction(0))


@given(one=rolling(), c=some.dists(st.integers(0, 9)))
@quick(20)
def test_agreement_does_not_care_which_side_is_finite(one: Rolling, c: Dist[int]) -> None:
    a = chain(*one)
    assert c.eq(a) == a.eq(c)
    assert c.ne(a) == a.ne(c)


# --- order and grouping


@given(rule=rolling(), low=st.integers(-2, 14), high=st.integers(0, 14))
@quick(40)
def test_clamp(rule: Rolling, low: int, high: int) -> None:
    fast, model = opened(rule)
    raised = fast.clamp(low=low)
    starts_as(raised, _clamped(model, low, MOST))
    lowered = fast.clamp(high=high)
    wanted = _clamped(model, 0, high)
    wanted[high] += rest(model)
    starts_as(lowered, wanted)
    assert lowered.high <= high
    if low <= high:
        both = fast.clamp(low=low, high=high)
        assert both.at_least(low) == 1
        assert both.at_most(high) == 1
        assert all(both.p(k) == fast.p(k) for k in range(low + 1, high))
        assert both.p(high) == (fast.at_least(high) if low < high else 1)


def _clamped(model: Law, low: int, high: int) -> Law:
    return mapped(model, lambda x: min(max(x, low), high))


@given(one=rolling(), two=rolling(), low=st.integers(-6, 3), span=st.integers(1, 8))
@quick(30)
def test_clamping_a_difference(one: Rolling, two: Rolling, low: int, span: int) -> None:
    apart = chain(*one) - chain(*two)
    inside = apart.clamp(low, low + span)
    assert inside.p(low) == apart.at_most(low)
    assert inside.p(low + span) == apart.at_least(low + span)
    assert all(inside.p(k) == apart.p(k) for k in range(low + 1, low + span))


@given(rule=rolling(), gone=st.sets(st.integers(0, 9), max_size=3))
@quick(30)
def test_without(rule: Rolling, gone: set[int]) -> None:
    fast, model = opened(rule)
    known = {k: model[k] for k in gone if model[k]}
    left = fast.without(known)
    mass = 1 - sum(known.values(), Fraction(0))
    starts_as(left, {k: p / mass for k, p in model.items() if k not in gone})


@given(rule=rolling(), factor=FACTORS, shift=SHIFTS, divisor=st.integers(1, 4))
@quick(40)
def test_floordiv(rule: Rolling, factor: Any, shift: Any, divisor: int) -> None:
    fast, model = opened(rule)
    divided = (fast * factor + shift).floordiv(divisor)
    wanted = mapped(model, lambda x: Fraction(x * factor + shift) // divisor)
    reach = Fraction(MOST * factor + shift) // divisor
    for outcome, p in wanted.items():
        if outcome != reach:
            assert divided.p(outcome) == p
    assert divided.p(Fraction(1, 2)) == 0
    edge = Fraction(shift) // divisor
    assert divided.at_least(edge) == (1 if factor > 0 else wanted[edge])


@given(one=rolling(), two=rolling(), divisor=st.integers(2, 3))
@quick(25)
def test_floordiv_of_a_difference(one: Rolling, two: Rolling, divisor: int) -> None:
    apart = chain(*one) - chain(*two)
    divided = apart.floordiv(divisor)
    for k in range(-4, 5):
        assert divided.p(k) == apart.p(set(range(divisor * k, divisor * k + divisor)))
        assert divided.at_least(k) == apart.at_least(divisor * k)


# --- one form


@given(rule=rolling(), factor=st.sampled_from([2, 3, 5]))
@quick(30)
def test_the_same_law_built_in_two_ways_is_equal(rule: Rolling, factor: int) -> None:
    die, again = rule
    scaled = chain(die, again) * factor
    other = chain(die * factor, {face * factor for face in again})
    assert all(scaled.p(k) == other.p(k) for k in range(30))
    assert scaled == other
    assert hash(scaled) == hash(other)


@given(rule=rolling(), by=SHIFTS, finite=some.dists(some.WHOLE))
@quick(30)
def test_equality_is_the_law(rule: Rolling, by: Any, finite: Dist[int]) -> None:
    fast = chain(*rule)
    assert fast == (fast + by) - by
    assert hash(fast) == hash((fast + by) - by)
    assert fast == mix([(fast, 1), (fast, 2)])
    assert fast != fast + 1
    assert fast != finite
    assert finite != fast


@given(finite=some.dists(some.WHOLE | some.PARTS))
@quick(30)
def test_a_finite_distribution_in_open_form_settles_to_itself(finite: Dist[Any]) -> None:
    form = OpenDist.of(finite)
    assert form.settled() == finite
    assert (form.mean, form.variance) == (finite.mean, finite.variance)
    assert (form.low, form.high) == (finite.low, finite.high)
    for outcome, p in finite.items():
        assert form.p(outcome) == p
        assert form.at_least(outcome) == finite.at_least(outcome)


@given(rule=rolling())
@quick(30)
def test_the_mean_is_the_sum_of_the_tails(rule: Rolling) -> None:
    """E X = sum of P(X >= k), k = 1, 2, ..; what is left out is the rest of a positive series."""
    fast = chain(*rule)
    partial = sum((fast.at_least(k) for k in range(1, MOST)), Fraction(0))
    beyond = fast - fast.clamp(high=MOST - 1)
    assert partial <= fast.mean
    assert fast.clamp(high=MOST - 1).mean == partial
    assert beyond.mean == fast.mean - partial
