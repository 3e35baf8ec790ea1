"""Keeping open-ended dice against enumeration: everything above a bound is one lump.

Dice show 0 or more, so a kept sum up to ``MOST`` has no die of the lump among the kept, and its
chance is exact, whatever ranks are kept.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from oddsmith import Dist, OpenDist, chain
from oddsmith.enclosed import Enclosed
from oddsmith.open_pool import kept_sum, loop

from . import some
from .naive import Law, added, chained, law, rolls
from .some import quick

MOST = 7
LUMP = MOST + 1

OPEN = [
    (Dist([0, 1]), {1}),
    (Dist([1, 2]), {2}),
    (Dist([1, 2, 3]), {3}),
    (Dist({1: 1, 2: 2, 4: 1}), {2, 4}),
    (Dist({0: 2, 1: 1, 3: 1}), {1}),
]
FINITE = [Dist([1, 2, 3]), Dist({0: 1, 4: 3})]
KINDS = len(OPEN) + len(FINITE)


def kind(place: int) -> tuple[Any, Law]:
    """A die and the chances of 0 .. MOST and of the lump."""
    if place < len(OPEN):
        die, again = OPEN[place]
        model = chained(law(die), again, MOST)
        return chain(die, again), {**model, LUMP: 1 - sum(model.values())}
    die = FINITE[place - len(OPEN)]
    return die, law(die)


def pair(found: Any) -> tuple[Fraction, Fraction]:
    """Both ends of a chance, equal where it is exact."""
    return found if isinstance(found, tuple) else (found, found)


GROUPS = st.lists(
    st.tuples(st.integers(0, KINDS - 1), st.integers(1, 3)),
    min_size=1,
    max_size=2,
    unique_by=lambda group: group[0],
).filter(lambda groups: sum(count for _, count in groups) <= 4)


@given(groups=GROUPS, ends=st.tuples(st.integers(0, 4), st.integers(0, 4)))
@quick(60)
def test_kept_sums_agree_with_enumeration(
    groups: list[tuple[int, int]], ends: tuple[int, int]
) -> None:
    size = sum(count for _, count in groups)
    first, last = sorted(min(end, size) for end in ends)
    dice = [(kind(place), count) for place, count in groups]
    model = added(
        (sum(faces[first:last]), p)
        for faces, p in rolls([slow for (_, slow), count in dice for _ in range(count)])
    )
    found = kept_sum([(fast, count) for (fast, _), count in dice], first, last, depth=20)
    running = Fraction(0)
    for total in range(MOST + 1):
        low, high = pair(found.p(total))
        assert low <= model.get(total, Fraction(0)) <= high
        low, high = pair(found.at_least(total))
        assert low <= 1 - running <= high
        running += model.get(total, Fraction(0))
    missing = found.missing if isinstance(found, Enclosed) else 0
    assert missing <= size * Fraction(1, 2**19)


@given(place=st.integers(0, 2), count=st.integers(1, 4), ends=st.tuples(*[st.integers(0, 4)] * 2))
@quick(40)
def test_like_dice_that_go_on_in_one_way_need_no_enclosure(
    place: int, count: int, ends: tuple[int, int]
) -> None:
    first, last = sorted(min(end, count) for end in ends)
    found = kept_sum([(kind(place)[0], count)], first, last)
    assert isinstance(found, Dist | OpenDist)


@given(place=st.integers(0, 2), count=st.integers(1, 4))
@quick(20)
def test_the_ranks_add_up_to_the_sum(place: int, count: int) -> None:
    die, _ = kind(place)
    ranks = [kept_sum([(die, count)], rank, rank + 1).mean for rank in range(count)]
    assert sum(ranks) == count * die.mean
    assert ranks == sorted(ranks)


@given(one=st.integers(0, 4), two=st.integers(0, KINDS - 1))
@quick(25)
def test_the_higher_and_the_lower_of_two_add_up_and_are_exact(one: int, two: int) -> None:
    """max + min = sum, so their means add; both have a closed form for any two dice."""
    a, b = kind(one)[0], kind(two)[0]
    groups = [(a, 2)] if one == two else [(a, 1), (b, 1)]
    high, low = kept_sum(groups, 1, 2), kept_sum(groups, 0, 1)
    assert isinstance(high, Dist | OpenDist)
    assert isinstance(low, Dist | OpenDist)
    assert high.mean + low.mean == a.mean + b.mean


@given(
    stop=st.lists(some.WEIGHTS, min_size=1, max_size=4),
    share=st.fractions(0, 1, max_denominator=6),
    extra=st.integers(0, 3),
)
@quick(40)
def test_a_die_that_goes_on_in_one_way_is_taken_apart(
    stop: list[int], share: Fraction, extra: int
) -> None:
    """Faces 1, 2, .. that stop, and one face at least as high above the lowest that goes on."""
    if not 0 < share < 1:
        return
    faces = Dist(dict(enumerate(stop, 1)))
    step = len(stop) - 1 + max(extra, 1)
    rolls_on = {face: p * (1 - share) for face, p in faces.items()}
    scale = share.denominator * faces.total
    die = {face: int(p * scale) for face, p in rolls_on.items()}
    if step in die:
        return
    die[step] = int(share * scale)
    assert loop(chain(Dist(die), {step})) == (faces, share, step)
