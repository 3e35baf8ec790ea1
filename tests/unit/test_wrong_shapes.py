"""What is not of the shape a function takes: an error of the library, never one of Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from oddsmith import Deck, Dist, Pool, Process, chain, d6, joint, mix, rule
from oddsmith.errors import ImpossibleEvent, OddsmithError, OutcomeError, RuleError
from oddsmith.mechanics import contest as contests

if TYPE_CHECKING:
    from collections.abc import Callable


class Thing:
    """Something of which no outcome can be made."""


THING = Thing()
JUNK: list[Any] = [
    None,
    1.5,
    float("nan"),
    1j,
    THING,
    Thing,
    [[1, 2]],
    [None],
    {1: "a"},
    {1: [2]},
    {None: 1},
    lambda: 1,
]


def ended(step: Any) -> Any:
    return Process(0, step, end=lambda state: state != 0).endings()


TAKERS: dict[str, Callable[[Any], Any]] = {
    "Dist": Dist,
    "mix": mix,
    "a part of mix": lambda junk: mix([(junk, 1)]),
    "a weight of mix": lambda junk: mix([(d6, junk)]),
    "mix with an open-ended die": lambda junk: mix([(chain(d6, {6}), 1), (junk, 1)]),
    "Pool": Pool,
    "Pool.of": lambda junk: Pool.of(junk, 2),
    "the size of a pool": d6.pool,
    "Deck": Deck,
    "the size of a hand": Deck("AAB").deal,
    "what a card is worth": lambda junk: Deck("AAB").deal(2).total(lambda card: junk),
    "joint": joint,
    "the start of a process": lambda junk: Process(junk, lambda state: state),
    "the step of a process": lambda junk: ended(lambda state: junk),
    "the worth of a state": lambda junk: Process(1, lambda n: n - 1, end=lambda n: n == 0)
    .mean_total(lambda n: junk),
    "what a rule makes": lambda junk: rule(lambda face: junk)(d6),
    "what a roll is mapped to": lambda junk: d6.pool(2).map(lambda roll: junk),
    "a die that goes on": lambda junk: chain(junk, {6}),
    "faces that go on": lambda junk: chain(d6, junk),
    "how many open-ended dice": lambda junk: chain(d6, {6}).times(junk),
    "contest": lambda junk: contests.contest(junk, d6),
    "best_of": lambda junk: contests.best_of(d6, junk),
    "paired": lambda junk: contests.paired(d6.pool(2), junk),
    "above_all": lambda junk: contests.above_all(junk, d6.pool(2)),
    "cancelled": lambda junk: contests.cancelled(d6.pool(2), junk),
}  # fmt: skip

FITTING = {
    ("faces that go on", repr({1: "a"})),
    ("faces that go on", repr({1: [2]})),
    ("mix", repr([[1, 2]])),
}
"""The keys of a dict are faces; a pair may be a list."""


@pytest.mark.parametrize("taker", TAKERS)
@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: f"{type(junk).__name__} {junk!r:.12}")
def test_junk(taker: str, junk: Any) -> None:
    if (taker, repr(junk)) in FITTING:
        assert TAKERS[taker](junk) is not None
        return
    with pytest.raises(OddsmithError) as caught:
        TAKERS[taker](junk)
    assert caught.value.message


def test_a_mixture_says_what_to_write() -> None:
    hint = r"write for example mix\(\[\(d6, 1\), \(0, 1\)\]\) for equal weights"
    for junk in ([d6, 0], [1, 2], "ab", [(1, 2, 3)], [("a",)]):
        with pytest.raises(OutcomeError, match=hint) as caught:
            mix(junk)
        assert "a mixture is made of pairs of (distribution or outcome, weight)" in str(
            caught.value
        )
    with pytest.raises(OutcomeError, match="5 is not pairs of"):
        mix(5)
    for weight in (-1, None, "", [], 0.5, d6):
        with pytest.raises(OutcomeError, match="is not a whole number or fraction above 0"):
            mix([(d6, 1), (0, weight)])
    with pytest.raises(ImpossibleEvent):
        mix([])


def test_pairs_in_lists_are_pairs() -> None:
    assert mix([["a", 1], ("b", 2)]) == mix({"a": 1, "b": 2}) == Dist("abb")


def test_a_single_number_is_no_list() -> None:
    with pytest.raises(OutcomeError, match=r"6 is not a mapping .*: write for example Dist\("):
        Dist(6)
    with pytest.raises(OutcomeError, match=r"6 is not dice one by one: .* Pool\(\[d6, d8\]\)"):
        Pool(6)
    for mapping in (d6, {d6: 2}):
        with pytest.raises(OutcomeError, match=r"is not dice one by one: .* Pool\(\[d6, d6, d8\]"):
            Pool(mapping)
    with pytest.raises(OutcomeError, match=r"52 is not a mapping from cards .* Deck\("):
        Deck(52)
    with pytest.raises(OutcomeError, match=r"6 is not faces one by one: write for example \{6\}"):
        chain(d6, 6)


@pytest.mark.parametrize("junk", [None, 3, "x", d6])
def test_a_process_is_made_of_functions(junk: Any) -> None:
    with pytest.raises(RuleError, match=r"step is .*, which is not a function of a state"):
        Process(1, junk)
    if junk is not None:
        with pytest.raises(RuleError, match=r"end is .*, which is not a function of a state"):
            Process(1, lambda state: 0, end=junk)
