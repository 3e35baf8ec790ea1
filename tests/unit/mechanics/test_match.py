"""Which faces a modifier means."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from oddsmith import Dist, chain, d6
from oddsmith.mechanics.match import Match, weigh

F = Fraction
SIX = chain(d6, {6})
LIST = Match(faces=frozenset({1, 6, "hit"}))


def hits(match: Match, faces: Any = range(8)) -> list[Any]:
    """The faces that fit."""
    return [face for face in faces if match(face)]


@pytest.mark.parametrize(
    ("match", "faces"),
    [
        (Match(), [0, 1, 2, 3, 4, 5, 6, 7]),
        (Match(low=5), [5, 6, 7]),
        (Match(high=2), [0, 1, 2]),
        (Match(low=2, high=4), [2, 3, 4]),
        (Match(low=4, high=2), []),
        (Match(parity=0), [0, 2, 4, 6]),
        (Match(parity=1), [1, 3, 5, 7]),
        (Match(faces=frozenset({3})), [3]),
        (Match(faces=frozenset({3}), inverted=True), [0, 1, 2, 4, 5, 6, 7]),
        (Match(low=5) | Match(high=1), [0, 1, 5, 6, 7]),
        (Match(low=2) & Match(high=4), [2, 3, 4]),
        (Match(low=2) & Match(high=4) & Match(parity=0), [2, 4]),
        ((Match(low=6) | Match(high=1)) & Match(parity=0), [0, 6]),
    ],
)
def test_sets_of_whole_faces(match: Match, faces: list[int]) -> None:
    assert hits(match) == faces


def test_text_and_fractions() -> None:
    assert hits(LIST, [1, 2, "Hit", "HIT", "Miss"]) == [1, "Hit", "HIT"]
    assert hits(Match(low=0), [F(1, 2), "Hit"]) == [F(1, 2)]
    assert hits(Match(parity=1), [F(1, 2), F(3, 2), -1, -3]) == [-1, -3]
    assert hits(Match(parity=0), [-2, 0, F(1, 2)]) == [-2, 0]


def test_bounds_are_where_membership_changes() -> None:
    assert sorted((Match(low=5) | Match(high=1)).bounds()) == [1, 5]
    assert sorted(LIST.bounds()) == [1, 6]
    assert (Match(low=2) & Match(high=4)).bounds() == [2, 4]
    assert Match(parity=0).bounds() == []


def test_period() -> None:
    assert Match(low=5).period() == 1
    assert Match(parity=1).period() == 2
    assert (Match(low=5) | Match(parity=0)).period() == 2
    assert (Match(low=5) & Match(parity=0)).period() == 2


# --- open-ended dice: 1..5 with 1/6 each, 7..11 with 1/36 each, ..


def test_an_open_ended_die_counts_once() -> None:
    assert weigh(SIX, [(Match(low=10), 1)]) == Dist({0: 11, 1: 1})
    assert weigh(SIX, [(Match(high=2), 1)]) == Dist({0: 2, 1: 1})
    assert weigh(SIX, [(Match(), 1)]) == Dist([1])
    assert weigh(SIX, [(Match(low=1000), 1)]).p(1) == F(1, 6**166) * F(3, 6)


def test_weights_add_up() -> None:
    """1 to 2 count -1; 5 or more 1, of which 10 or more again: 1/6 + 1/6 * 1/2 = 1/12 of all."""
    found = weigh(SIX, [(Match(low=5), 1), (Match(low=10), 1), (Match(high=2), -1)])
    assert found.p(-1) == F(1, 3)
    assert found.p(0) == F(1, 3)
    assert found.p(2) == F(1, 12)
    assert found.p(1) == F(1, 3) - F(1, 12)


def test_evenness_goes_on_for_ever() -> None:
    """Odd: 1, 3, 5 with 1/6 each and the same again with every six: (1/2) / (5/6)."""
    assert weigh(SIX, [(Match(parity=1), 1)]).p(1) == F(3, 5)
    assert weigh(SIX, [(Match(parity=0), 1)]).p(1) == F(2, 5)


def test_evenness_beyond_a_bound() -> None:
    """Even and 7 or more: 8 and 10, then 14, 16, ..: (2/36) / (5/6)."""
    found = weigh(SIX, [(Match(parity=0) & Match(low=7), 1)])
    assert found.p(1) == F(2, 36) / F(5, 6)


def test_a_die_open_downwards() -> None:
    assert weigh(-SIX, [(Match(high=-10), 1)]).p(1) == F(1, 12)
    assert weigh(-SIX, [(Match(parity=1), 1)]).p(1) == F(3, 5)


def test_fractions_are_neither_even_nor_odd() -> None:
    """Half of an exploding d6: whole where the roll is even, 2/5. The half is even for the rolls
    4, 8, 16, 20, 28, ..: one for each number of sixes, 1/6 + 1/36 + .. = 1/5."""
    found = weigh(SIX / 2, [(Match(parity=0), 1), (Match(parity=1), 10)])
    assert [found.p(k) for k in (0, 1, 10)] == [F(3, 5), F(1, 5), F(1, 5)]
