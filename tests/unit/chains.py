"""The model of a process: chances carried forward step by step, and small random chains."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from oddsmith import Dist

if TYPE_CHECKING:
    from collections.abc import Callable

Chances = dict[Any, Fraction]


@dataclass
class Chain:
    """Where to start, and for each state that goes on the weights of the next states."""

    start: dict[Any, int]
    rows: dict[Any, dict[Any, int]]

    def step(self, state: Any) -> Dist[Any]:
        """The next state as a process wants it."""
        return Dist(self.rows[state])

    def ends(self, state: Any) -> bool:
        """Whether a state ends it."""
        return state not in self.rows

    def reached(self) -> set[Any]:
        """Every state that can be reached."""
        found: set[Any] = set()
        waiting = [state for state, weight in self.start.items() if weight]
        while waiting:
            state = waiting.pop()
            if state not in found:
                found.add(state)
                row = self.rows.get(state, {})
                waiting += [target for target, weight in row.items() if weight]
        return found


def chances(weights: dict[Any, int]) -> Chances:
    """Weights as chances."""
    total = sum(weights.values())
    return {state: Fraction(weight, total) for state, weight in weights.items() if weight}


@dataclass
class Forward:
    """What is known after so many steps.

    Attributes:
        now: After 0, 1, .. steps the chances of all states; what has ended stays where it is.
        ended: With the 0th, 1st, .. step the chance to end in each state.
        visits: How often each state was stepped from on average.
        rest: The chance that it goes on after all.
        more: No state goes on for more than so many steps on average.
    """

    now: list[Chances]
    ended: list[Chances]
    visits: Chances
    rest: Fraction
    more: Fraction

    def ended_in(self, wanted: Callable[[Any], bool]) -> Fraction:
        """The chance to have ended in such a state."""
        return sum((p for state, p in self.now[-1].items() if wanted(state)), Fraction(0))


def carried(chain: Chain, start: dict[Any, int], count: int) -> tuple[list[Chances], Chances]:
    """The chances after each step, and the mean number of visits."""
    rows = {state: chances(row) for state, row in chain.rows.items()}
    now, visits = [chances(start)], dict.fromkeys(chain.rows, Fraction(0))
    for _ in range(count):
        after: Chances = {}
        for state, p in now[-1].items():
            if state in visits:
                visits[state] += p
            for target, q in rows.get(state, {state: Fraction(1)}).items():
                after[target] = after.get(target, Fraction(0)) + p * q
        now.append(after)
    return now, visits


def forward(chain: Chain, count: int) -> Forward:
    """Carry the chances forward.

    From every state some way of at most as many steps as there are states ends it; with c the
    smallest chance to end so soon, a state goes on for (number of states) / c steps at most.
    """
    now, visits = carried(chain, chain.start, count)
    ended = [{s: p for s, p in now[0].items() if chain.ends(s)}]
    for before, after in pairwise(now):
        new = {s: p - before.get(s, 0) for s, p in after.items() if chain.ends(s)}
        ended.append({s: p for s, p in new.items() if p})
    rest = sum((p for s, p in now[-1].items() if not chain.ends(s)), Fraction(0))
    size = len(chain.rows)
    soon = [
        sum((p for s, p in carried(chain, {state: 1}, size)[0][-1].items() if chain.ends(s)))
        for state in chain.reached() - set(filter(chain.ends, chain.reached()))
    ]
    return Forward(now, ended, visits, rest, size / Fraction(min(soon, default=1)))


@st.composite
def random_chains(draw: Any, loops: bool = True) -> Chain:
    """Up to four states that go on, numbered, and up to three that end it, named.

    Each state may lead to any other (with loops) or to later ones (without); the way to the next
    one, and from the last one to an end, is always open.
    """
    size, endings = draw(st.integers(1, 4)), "abc"[: draw(st.integers(1, 3))]
    few = st.sampled_from([0, 0, 0, 1, 2])
    rows: dict[Any, dict[Any, int]] = {}
    for state in range(size):
        row: dict[Any, int] = {s: draw(few) for s in range(0 if loops else state + 1, size)}
        row |= {ending: draw(few) for ending in endings}
        onward = state + 1 if state + 1 < size else draw(st.sampled_from(endings))
        row[onward] = draw(st.integers(1, 4))
        rows[state] = row
    places = [*range(size), *endings]
    start = {place: draw(few) for place in places}
    start[draw(st.sampled_from(places))] = draw(st.integers(1, 3))
    return Chain(start, rows)
