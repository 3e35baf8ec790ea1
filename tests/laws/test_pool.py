"""``Pool`` against every way its dice can fall."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from oddsmith import Dist, Pool, chain
from oddsmith.errors import OutcomeError, RuleError

from . import some
from .naive import Law, added, bound, chained, combined, law, mapped, rank, rolls, same, total_of
from .some import quick

if TYPE_CHECKING:
    from collections.abc import Callable

FACES = some.dists(st.integers(-2, 5), 4)
FRACTIONS = some.dists(st.builds(Fraction, st.integers(-3, 6), st.integers(1, 3)), 3)
TEXTS = some.dists(st.one_of(st.integers(0, 3), st.sampled_from(["Hit", "Miss"])), 3)
VERBS = ("keep_highest", "keep_lowest", "drop_highest", "drop_lowest", "middle")
MOST = 12


def packs(die: st.SearchStrategy[Dist[Any]], most: int = 5) -> st.SearchStrategy[list[Dist[Any]]]:
    """Up to five dice, of up to three kinds in any order."""
    kinds = st.lists(die, min_size=1, max_size=3)
    return kinds.flatmap(lambda found: st.lists(st.sampled_from(found), max_size=most))


NUMERIC = st.one_of(packs(FACES), packs(FACES), packs(FRACTIONS, 4))
STEPS = st.lists(st.tuples(st.sampled_from(VERBS), st.integers(0, 3)), max_size=3)


def windowed(pool: Pool, steps: list[tuple[str, int]]) -> tuple[Pool, slice]:
    """Some dice kept or dropped, one verb after the other, and which ranks that leaves."""
    first, last = 0, pool.rolled
    for verb, count in steps:
        size = last - first
        if count > size or (verb == "middle" and (size - count) % 2):
            with pytest.raises(RuleError):
                getattr(pool, verb)(count)
            continue
        pool = getattr(pool, verb)(count)
        spare = size - count
        cut = {
            "keep_highest": (spare, 0),
            "keep_lowest": (0, spare),
            "drop_highest": (0, count),
            "drop_lowest": (count, 0),
            "middle": (spare // 2, spare // 2),
        }[verb]
        first, last = first + cut[0], last - cut[1]
        assert (pool.size, pool.rolled) == (last - first, pool.rolled)
    return pool, slice(first, last)


def kept(dice: list[Dist[Any]], window: slice, function: Callable[[tuple[Any, ...]], Any]) -> Law:
    """A function of the sorted kept faces."""
    return added((function(faces[window]), p) for faces, p in rolls([law(die) for die in dice]))


# --- totals


@given(dice=NUMERIC, steps=STEPS)
@quick(100)
def test_the_sum_of_what_is_kept(dice: list[Dist[Any]], steps: list[tuple[str, int]]) -> None:
    pool, window = windowed(Pool(dice), steps)
    same(pool.sum(), kept(dice, window, sum))


@given(dice=NUMERIC, steps=STEPS, faces=st.sets(st.integers(-2, 5), max_size=4))
@quick(60)
def test_how_many_of_the_kept_show_some_faces(
    dice: list[Dist[Any]], steps: list[tuple[str, int]], faces: set[int]
) -> None:
    pool, window = windowed(Pool(dice), steps)
    model = kept(dice, window, lambda roll: sum(face in faces for face in roll))
    same(pool.count(lambda face: face in faces), model)


@given(dice=NUMERIC, steps=STEPS, worth=st.lists(st.integers(-3, 3), min_size=3, max_size=3))
@quick(60)
def test_faces_may_be_worth_any_number(
    dice: list[Dist[Any]], steps: list[tuple[str, int]], worth: list[int]
) -> None:
    def value(face: Any) -> Fraction:
        return worth[int(face // 1) % 3] * Fraction(1, 2)

    pool, window = windowed(Pool(dice), steps)
    same(pool.total(value), kept(dice, window, lambda roll: sum(map(value, roll))))


@given(
    dice=packs(FACES, 4),
    steps=STEPS,
    worth=st.lists(st.one_of(FACES, FRACTIONS), min_size=3, max_size=3),
)
@quick(60)
def test_a_face_may_be_worth_another_roll(
    dice: list[Dist[int]], steps: list[tuple[str, int]], worth: list[Dist[Any]]
) -> None:
    pool, window = windowed(Pool(dice), steps)
    rolled = kept(dice, window, lambda roll: roll)
    model = bound(rolled, lambda roll: total_of([law(worth[face % 3]) for face in roll]))
    same(pool.total(lambda face: worth[face % 3]), model)


RULES = [(Dist([0, 1]), {1}), (Dist([0, 1, 2]), {2}), (Dist({1: 2, 2: 1, 3: 1}), {2, 3})]


@given(
    dice=packs(some.dists(st.integers(0, 5), 4), 3),
    steps=STEPS,
    places=st.lists(st.integers(0, 5), min_size=6, max_size=6),
)
@quick(60)
def test_a_face_may_be_worth_an_open_ended_roll(
    dice: list[Dist[int]], steps: list[tuple[str, int]], places: list[int]
) -> None:
    """Faces 0 to 5 are each worth an open-ended die or a number; nothing is below 0, so the
    chances of 0 .. MOST need nothing above."""
    fast = [chain(*rule) for rule in RULES] + [0, 1, 3]
    slow = [chained(law(die), again, MOST) for die, again in RULES]
    slow += [{k: Fraction(1)} for k in (0, 1, 3)]
    pool, window = windowed(Pool(dice), steps)
    model: Law = {}
    for roll, p in kept(dice, window, lambda roll: roll).items():
        total: Law = {0: p}
        for face in roll:
            total = combined(total, slow[places[face]], lambda x, y: x + y)
            total = {k: q for k, q in total.items() if k <= MOST}
        model = added([*model.items(), *total.items()])
    found = pool.total(lambda face: fast[places[face]])
    assert [found.p(k) for k in range(MOST + 1)] == [
        model.get(k, Fraction(0)) for k in range(MOST + 1)
    ]


# --- single dice


@given(dice=NUMERIC, steps=STEPS)
@quick(60)
def test_highest_lowest_and_median(dice: list[Dist[Any]], steps: list[tuple[str, int]]) -> None:
    pool, window = windowed(Pool(dice), steps)
    if pool.size == 0:
        for nothing in (pool.highest, pool.lowest, pool.median):
            with pytest.raises(RuleError):
                nothing()
        return
    same(pool.highest(), kept(dice, window, max))
    same(pool.lowest(), kept(dice, window, min))

    def middle(roll: tuple[Any, ...]) -> Fraction:
        return Fraction(roll[(len(roll) - 1) // 2] + roll[len(roll) // 2], 2)

    same(pool.median(), kept(dice, window, middle))


# --- multisets


@given(dice=st.one_of(NUMERIC, packs(TEXTS, 4)), steps=STEPS)
@quick(60)
def test_every_multiset_of_kept_dice(dice: list[Dist[Any]], steps: list[tuple[str, int]]) -> None:
    pool, window = windowed(Pool(dice), steps)
    same(pool.expand(), kept(dice, window, lambda roll: roll))


@given(dice=st.one_of(NUMERIC, packs(TEXTS, 4)), steps=STEPS, descending=st.booleans())
@quick(60)
def test_a_fold_meets_every_face_in_order_with_the_kept_count(
    dice: list[Dist[Any]], steps: list[tuple[str, int]], descending: bool
) -> None:
    pool, window = windowed(Pool(dice), steps)
    faces = sorted({face for die in dice for face in die}, key=rank, reverse=descending)
    seen = pool.fold(lambda state, face, count: (*state, face, count), (), descending=descending)

    def shown(roll: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(part for face in faces for part in (face, roll.count(face)))

    same(seen, kept(dice, window, shown))


@given(dice=st.one_of(NUMERIC, packs(TEXTS, 4)), steps=STEPS, least=st.integers(1, 3))
@quick(60)
def test_sets_pairs_and_different_faces(
    dice: list[Dist[Any]], steps: list[tuple[str, int]], least: int
) -> None:
    pool, window = windowed(Pool(dice), steps)

    def read(function: Callable[[list[int]], int]) -> Law:
        return kept(dice, window, lambda roll: function(list(Counter(roll).values())))

    same(pool.sets(least), read(lambda counts: sum(count >= least for count in counts)))
    same(pool.pairs(), read(lambda counts: sum(count // 2 for count in counts)))
    same(pool.unique(), read(len))
    same(pool.largest_set(), read(lambda counts: max(counts, default=0)))


@given(dice=packs(FACES), steps=STEPS)
@quick(60)
def test_the_longest_run_and_the_product(
    dice: list[Dist[int]], steps: list[tuple[str, int]]
) -> None:
    def run(roll: tuple[int, ...]) -> int:
        return max((_run_from(set(roll), face) for face in roll), default=0)

    pool, window = windowed(Pool(dice), steps)
    same(pool.longest_run(), kept(dice, window, run))
    same(pool.product(), kept(dice, window, prod))


@given(dice=packs(some.dists(st.sampled_from([1, 2, 3, 4, Fraction(3, 2), Fraction(5, 2)]), 4), 4))
@quick(40)
def test_only_whole_faces_make_a_run(dice: list[Dist[Any]]) -> None:
    assume(dice)

    def run(roll: tuple[Any, ...]) -> int:
        whole = {face for face in roll if isinstance(face, int)}
        return max((_run_from(whole, face) for face in whole), default=0)

    same(Pool(dice).longest_run(), kept(dice, slice(None), run))


def _run_from(faces: set[int], face: int) -> int:
    length = 0
    while face + length in faces:
        length += 1
    return length


# --- putting pools together


@given(left=packs(FACES, 3), right=packs(FACES, 2))
@quick(40)
def test_pools_thrown_together(left: list[Dist[int]], right: list[Dist[int]]) -> None:
    both = Pool(left) + Pool(right)
    assert both.size == len(left) + len(right)
    if both.size > 1:
        same(both.drop_lowest(1).sum(), kept([*left, *right], slice(1, None), sum))


@given(die=FACES, count=st.integers(0, 5), steps=STEPS)
@quick(60)
def test_like_dice_in_one_go(die: Dist[int], count: int, steps: list[tuple[str, int]]) -> None:
    pool, _ = windowed(Pool.of(die, count), steps)
    other, _ = windowed(Pool([die] * count), steps)
    assert pool.sum() == other.sum()
    assert pool.expand() == other.expand()


@given(dice=packs(FACES, 3), change=st.lists(FACES, min_size=3, max_size=3))
@quick(40)
def test_something_happens_to_each_die(dice: list[Dist[int]], change: list[Dist[int]]) -> None:
    after = Pool(dice).each(lambda face: change[face % 3])
    laws = [bound(law(die), lambda face: law(change[face % 3])) for die in dice]
    same(after.expand(), added(rolls(laws)))


@given(dice=packs(FACES))
@quick(40)
def test_what_is_kept_and_what_is_dropped_add_up(dice: list[Dist[int]]) -> None:
    """Means add even for dice that are not independent."""
    assume(dice)
    whole, top = Pool(dice), Pool(dice).keep_highest(1)
    assert top.sum().mean + whole.drop_highest(1).sum().mean == whole.sum().mean
    ranks = [whole.drop_lowest(k).keep_lowest(1).sum().mean for k in range(len(dice))]
    assert sum(ranks) == whole.sum().mean
    assert ranks == sorted(ranks)


@given(dice=packs(TEXTS, 3))
@quick(40)
def test_text_faces_are_never_added_or_multiplied(dice: list[Dist[Any]]) -> None:
    assume(dice)
    pool = Pool(dice)
    if all(die.is_numeric for die in dice):
        same(pool.product(), mapped(kept(dice, slice(None), lambda roll: roll), prod))
        return
    with pytest.raises(OutcomeError):
        pool.sum()
    with pytest.raises(OutcomeError):
        pool.product()
