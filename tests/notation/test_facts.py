"""Several facts about one named pool: each result against every roll, and large pools at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith import odds
from oddsmith.notation import evaluate
from oddsmith.notation.facts import NoFacts

F = Fraction
Roll = tuple[int, ...]

FACTS: list[tuple[str, Callable[[Roll], int]]] = [
    ("p", sum),
    ("p sum", sum),
    ("p highest", max),
    ("p lowest", min),
    ("p kh2", lambda r: sum(sorted(r)[-2:])),
    ("p kl2", lambda r: sum(sorted(r)[:2])),
    ("p dh1", lambda r: sum(sorted(r)[:-1])),
    ("p dl1", lambda r: sum(sorted(r)[1:])),
    ("p kh", max),
    ("p c3+", lambda r: sum(x >= 3 for x in r)),
    ("p c1", lambda r: r.count(1)),
    ("p c3+ -c1", lambda r: sum(x >= 3 for x in r) - r.count(1)),
    ("p c{1, 4}", lambda r: r.count(1) + r.count(4)),
    ("p c even", lambda r: sum(x % 2 == 0 for x in r)),
    ("p kh2 c2+", lambda r: sum(x >= 2 for x in sorted(r)[-2:])),
    ("p sets", lambda r: sum(n > 1 for n in Counter(r).values())),
    ("p pairs", lambda r: sum(n // 2 for n in Counter(r).values())),
    ("p highest set", lambda r: max(Counter(r).values())),
    ("p unique", lambda r: len(set(r))),
    (
        "p longest run",
        lambda r: max(n for n in range(1, 7) if any(set(range(x, x + n)) <= set(r) for x in r)),
    ),
    ("p kh2 pairs", lambda r: int(len(set(sorted(r)[-2:])) == 1)),
    (
        "p dl1 longest run",
        lambda r: max(
            n
            for n in range(1, 7)
            if any(set(range(x, x + n)) <= set(sorted(r)[1:]) for x in sorted(r)[1:])
        ),
    ),
]
POOLS: list[tuple[str, list[Roll]]] = [
    ("3d4", list(product(range(1, 5), repeat=3))),
    ("4d3", list(product(range(1, 4), repeat=4))),
    ("{d3, d3, d4}", [(a, b, c) for a in (1, 2, 3) for b in (1, 2, 3) for c in range(1, 5)]),
    ("2x(2d2)", [(a + b, c + e) for a, b, c, e in product((1, 2), repeat=4)]),
    ("3d{0, 2, 2, 5}", list(product((0, 2, 2, 5), repeat=3))),
    ("4d3kh3", [tuple(sorted(r)[1:]) for r in product(range(1, 4), repeat=4)]),
]


def share(rolls: list[Roll], event: Callable[[Roll], bool], given: Callable[[Roll], bool]) -> F:
    left = [roll for roll in rolls if given(roll)]
    return F(sum(event(roll) for roll in left), len(left))


@settings(max_examples=120, deadline=None)
@given(
    st.sampled_from(POOLS), st.sampled_from(FACTS), st.sampled_from(FACTS), st.sampled_from(FACTS),
    st.integers(0, 6), st.integers(0, 6),
)  # fmt: skip
def test_every_roll(
    pool: tuple[str, list[Roll]], a: tuple[str, Callable[[Roll], int]],
    b: tuple[str, Callable[[Roll], int]], c: tuple[str, Callable[[Roll], int]], x: int, y: int,
) -> None:  # fmt: skip
    text, rolls = pool
    program = f"let p = {text}; {a[0]} >= {x} and ({b[0]}) + {y} > ({c[0]})"
    (found,) = odds(program)
    expected = share(rolls, lambda r: a[1](r) >= x and b[1](r) + y > c[1](r), lambda r: True)
    assert found.exact == expected, program


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(POOLS), st.sampled_from(FACTS), st.sampled_from(FACTS), st.integers(0, 5))
def test_conditions(
    pool: tuple[str, list[Roll]], a: tuple[str, Callable[[Roll], int]],
    b: tuple[str, Callable[[Roll], int]], x: int,
) -> None:  # fmt: skip
    text, rolls = pool
    if not any(b[1](roll) >= x for roll in rolls):
        return
    (found,) = odds(f"let p = {text}; {a[0]} >= 2 given {b[0]} >= {x}")
    assert found.exact == share(rolls, lambda r: a[1](r) >= 2, lambda r: b[1](r) >= x)


def test_facts_through_other_names() -> None:
    """Hits and botches as names of their own."""
    (found,) = odds("let p = 4d6; let h = p c5+; let b = p c1; h > b and h - b < 3 and p >= 12")
    rolls = list(product(range(1, 7), repeat=4))
    wanted = sum(0 < sum(x >= 5 for x in r) - r.count(1) < 3 and sum(r) >= 12 for r in rolls)
    assert found.exact == F(wanted, 6**4)


def test_a_pool_of_a_size_that_is_rolled() -> None:
    """One or two dice; the highest less the lowest."""
    (found,) = odds("let k = d2; let p = (k)d4; p highest - p lowest = k")
    two = F(sum(abs(a - b) == 2 for a, b in product(range(1, 5), repeat=2)), 16)
    assert found.exact == two / 2


def test_two_pools() -> None:
    (found,) = odds("let p = 3d4; let q = 2d4; p highest > q highest and p lowest > q lowest")
    rolls = product(range(1, 5), repeat=5)
    wanted = sum(max(r[:3]) > max(r[3:]) and min(r[:3]) > min(r[3:]) for r in rolls)
    assert found.exact == F(wanted, 4**5)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("let p = 3d4; p c4 >= 1 and p median >= 3",
         lambda r: 4 in r and sorted(r)[1] >= 3),
        ("let p = 3d4; p highest set = 2 and p <= 7",
         lambda r: len(set(r)) == 2 and sum(r) <= 7),
        ("let p = 3d4; p highest >= 4 and {p, 8}kh1 >= 9",
         lambda r: max(r) == 4 and sum(r) >= 9),
        ("let p = 3d4; p kh(p c1) >= 3",
         lambda r: sum(sorted(r)[3 - r.count(1):]) >= 3 if r.count(1) else False),
    ],
)  # fmt: skip
def test_where_single_dice_matter_otherwise(text: str, expected: Callable[[Roll], bool]) -> None:
    (found,) = odds(text)
    assert found.exact == share(list(product(range(1, 5), repeat=3)), expected, lambda r: True)


def test_faces_of_text_are_counted_one_by_one() -> None:
    (found,) = odds("let p = 3d{hit, hit, miss}; p c{hit} >= 1 and p c{miss} >= 1")
    assert found.exact == 1 - F(8, 27) - F(1, 27)


def test_large_pools() -> None:
    """No hits and a botch on 40 dice: 40 dice of 2 to 6 and 1, less those without a 1."""
    (found,) = odds("let p = 40d10; p c7+ = 0 and p c1 >= 1")
    assert found.exact == F(6**40 - 5**40, 10**40)


def test_both_ends_of_many_dice() -> None:
    (found,) = odds("let p = 100d20; p highest = 20 and p lowest = 1")
    assert found.exact == 1 - 2 * F(19, 20) ** 100 + F(18, 20) ** 100


def test_exactly_so_many_of_each() -> None:
    (found,) = odds("let p = 30d6; p c6 = 5 and p c1 = 5")
    assert found.exact == F(comb(30, 5) * comb(25, 5) * 4**20, 6**30)


def test_the_rolls_are_not_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the tests above test the fold."""

    def never(*_: object) -> None:
        raise NoFacts

    monkeypatch.setattr(evaluate, "joint", never)
    with pytest.raises(Exception, match="budget"):
        odds("let p = 40d10; p c7+ = 0 and p c1 >= 1", budget=10_000_000)
