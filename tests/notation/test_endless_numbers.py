"""A number of dice that nothing bounds, such as ``(d6!)d6``: exact while the dice are alike."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.some import quick
from oddsmith import odds
from oddsmith.enclosed import Enclosed

if TYPE_CHECKING:
    from collections.abc import Callable

F = Fraction
Law = dict[int, Fraction]


def chance(text: str) -> Fraction:
    """The exact chance of an event."""
    (found,) = odds(text)
    assert found.exact is not None
    return found.exact


def dist(text: str) -> Any:
    """The distribution of a total or a count."""
    (found,) = odds(text)
    return found.dist


def fair(sides: int) -> Law:
    """One die."""
    return {face: F(1, sides) for face in range(1, sides + 1)}


def changed(law: Law, change: Callable[[int], Law]) -> Law:
    """Every face replaced by what it becomes."""
    after: Law = defaultdict(F)
    for face, p in law.items():
        for new, q in change(face).items():
            after[new] += p * q
    return dict(after)


def number_of(sides: int, most: int) -> Law:
    """A die whose highest face rolls another one: a number n has k = n // sides highest faces, and
    then one of the others."""
    return {n: F(1, sides) ** (n // sides + 1) for n in range(1, most + 1) if n % sides}


def total(number: Law, one: Law, most: int) -> Law:
    """So many dice added up, for totals up to a bound."""
    found: Law = defaultdict(F)
    sums: Law = {0: F(1)}
    for n in range(max(number) + 1):
        for value, p in sums.items():
            found[value] += number.get(n, F(0)) * p
        after: Law = defaultdict(F)
        for value, p in sums.items():
            for face, q in one.items():
                if value + face <= most:
                    after[value + face] += p * q
        sums = after
    return found


CHANGES: dict[str, Callable[[int, Law], Law]] = {
    "": lambda face, die: {face: F(1)},
    "r1": lambda face, die: die if face == 1 else {face: F(1)},
    "min2": lambda face, die: {max(face, 2): F(1)},
    "max2": lambda face, die: {min(face, 2): F(1)},
    "r2min2": lambda face, die: changed(
        die if face == 2 else {face: F(1)}, lambda f: {max(f, 2): F(1)}
    ),
}


@quick(40)
@given(st.integers(2, 6), st.integers(1, 6), st.sampled_from(sorted(CHANGES)), st.integers(0, 7))
def test_totals_are_sums_over_the_numbers_of_dice(
    counts: int, sides: int, change: str, wanted: int
) -> None:
    """Every die adds 1 or more, so a total needs no more dice than it is."""
    if sides == 1 and "r" in change:
        change = ""
    die = fair(sides)
    one = changed(die, lambda face: CHANGES[change](face, die))
    exact = total(number_of(counts, wanted), one, wanted).get(wanted, F(0)) if wanted else F(0)
    assert chance(f"(d{counts}!)d{sides}{change} = {wanted}") == exact


@quick(40)
@given(st.integers(2, 6), st.integers(2, 6), st.integers(2, 6), st.integers(0, 3))
def test_counts_lie_within_what_many_dice_leave_open(
    counts: int, sides: int, least: int, wanted: int
) -> None:
    number = number_of(counts, 40)
    hit = F(max(sides + 1 - least, 0), sides)
    one = {0: 1 - hit, 1: hit} if hit else {0: F(1)}
    low = total(number, one, 3).get(wanted, F(0))
    exact = chance(f"(d{counts}!)d{sides}c{least}+ = {wanted}")
    assert low <= exact <= low + 1 - sum(number.values())


def test_a_hand_computed_chance_and_mean() -> None:
    """G(s) = (s + .. + s^5) / (6 - s^6): none of the dice a 6 is G(5/6). The mean number of dice is
    6/5 * 7/2 = 21/5."""
    s = F(5, 6)
    none = sum((s**k for k in range(1, 6)), F(0)) / (6 - s**6)
    assert chance("(d6!)d6c6 = 0") == none == F(139530, 264311)
    assert chance("(d6!)d6!c6 = 0") == none
    assert dist("(d6!)d6").mean == F(21, 5) * F(7, 2)
    assert dist("(d6!)d6!c5+").mean == F(21, 5) * F(6, 5) * F(1, 3)
    assert dist("(d6!)d{Hit, Miss} c{Hit}").mean == F(21, 10)


@pytest.mark.parametrize(
    "text", ["(d6!)d6kh2", "(d6!)d6dl1", "(d6!)d6 sets", "(d6!)d6r1kh1", "(d6!)dF", "{(d6!)d6}kl1"]
)
def test_dice_that_are_told_apart_are_enclosed_or_exact(text: str) -> None:
    """Ranks and sets look at single dice; the number alone does not answer these."""
    assert text.startswith("{") != isinstance(dist(text), Enclosed)


def test_the_highest_of_an_endless_number() -> None:
    """All n dice show at most 5 with (5/6)^n: the same sum as above, seen through the cut."""
    (found,) = odds("(d6!)d6kh1 <= 5")
    assert found.low is not None
    assert found.high is not None
    assert found.low <= F(139530, 264311) <= found.high < found.low + F(1, 10**12)
