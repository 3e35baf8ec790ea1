"""State machines over what several sources show, face by face.

A source is a multiset that is not yet looked at: a ``Pool`` of dice, or cards dealt from a
``Deck``. All sources are walked together over their faces in order; at each face a choice is made
how many of each show it. What is left to place is part of the state, equal states are merged, so
the cost depends on the states a rule can tell apart and not on the number of rolls.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from typing import TYPE_CHECKING, Any, Protocol

from oddsmith.budget import DEFAULT_BUDGET, Work, words
from oddsmith.dist import Dist, sort_key
from oddsmith.exact.tally import tally

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

Face = Any
Left = Any
Shown = list[tuple[Left, tuple[int, ...], int]]
"""What is left after a face, how many show it (one number for each hand), and the ways."""

STEP = 30
"""What one step of a fold costs, in the units of the budget."""

HINT = "use fewer dice, or a rule with fewer states"


class Walk(Protocol):
    """One way over a source, from face to face."""

    start: Left

    def show(self, left: Left, place: int) -> Shown:
        """The choices at the face with this place in the order."""

    def choices(self, left: Left, place: int) -> int:
        """At most so many choices; cheap."""

    def like(self, place: int) -> Hashable:
        """Equal for faces at which the choices are the same."""


class Source(Protocol):
    """What can be walked over."""

    @property
    def size(self) -> int:
        """How many dice or cards show."""

    def faces(self) -> list[Face]:
        """Every face that can show, sorted."""

    def ways(self) -> int:
        """The total weight of all that can show."""

    def walk(self, faces: Sequence[Face], descending: bool) -> Walk:
        """A walk over these sorted faces, which may be more than its own."""


Options = dict[Any, list[tuple[Any, tuple[int, ...], int]]]


class Course:
    """Sources side by side: every face in order, with the choices from each set of what is left."""

    def __init__(self, sources: Sequence[Source], descending: bool, budget: int) -> None:
        faces = {face for source in sources for face in source.faces()}
        self.faces = sorted(faces, key=sort_key, reverse=descending)
        self.walks = [source.walk(self.faces, descending) for source in sources]
        self.start = tuple(walk.start for walk in self.walks)
        self.bits = sum(source.ways().bit_length() for source in sources)
        self.work = Work(budget, HINT)
        self._known: tuple[Any, Options] = (None, {})

    def options(self, lefts: set[Any], place: int) -> Options:
        """The choices at one face; the same as before at the next one that is like it."""
        key = [walk.like(place) for walk in self.walks], lefts
        if self._known[0] != key:
            self._known = key, self._options(lefts, place)
        return self._known[1]

    def _options(self, lefts: set[Any], place: int) -> Options:
        for left in lefts:
            most = 1
            for walk, own in zip(self.walks, left, strict=True):
                most *= walk.choices(own, place)
            self.work.add(40 * most)
        if len(self.walks) == 1:
            (walk,) = self.walks
            return {
                left: [((rest,), counts, ways) for rest, counts, ways in walk.show(left[0], place)]
                for left in lefts
            }
        shown: list[dict[Left, Shown]] = [{} for _ in self.walks]
        for left in lefts:
            for own, walk, known in zip(left, self.walks, shown, strict=True):
                if own not in known:
                    known[own] = walk.show(own, place)
        return {left: _side_by_side(left, shown) for left in lefts}


def _side_by_side(left: Any, shown: list[dict[Left, Shown]]) -> list[Any]:
    combined = []
    for parts in product(*(known[own] for own, known in zip(left, shown, strict=True))):
        ways = 1
        counts: tuple[int, ...] = ()
        for _, own, many in parts:
            counts += own
            ways *= many
        combined.append((tuple(part[0] for part in parts), counts, ways))
    return combined


def fold(
    sources: Source | Sequence[Source],
    step: Callable[..., Hashable],
    start: Hashable,
    final: Callable[[Any], Any] | None = None,
    descending: bool = False,
    budget: int = DEFAULT_BUDGET,
) -> Dist[Any]:
    """Feed a state machine every face in order, with how many of each source show it.

    Cost: faces * (states that differ) * (what may be left of each source), each step one call of
    ``step``.

    Args:
        sources: One pool or hand, or several that are rolled or dealt independently.
        step: From (state, face, count of the first source, count of the second, ..) to the next
            state. It is called for faces that nothing shows, too, with counts of 0.
        start: The state before the first face.
        final: From the last state to the outcome.
        descending: From the highest face down.
        budget: The work it may cost; it is counted as the states appear.

    Raises:
        TooLarge: Past the budget.

    >>> from oddsmith import d6
    >>> first = lambda state, face, mine, theirs: state or ("mine" if mine > theirs else
    ...     "theirs" if theirs > mine else "")
    >>> fold([d6.pool(1), d6.pool(2)], first, "", descending=True).p("mine")
    Fraction(55, 216)
    """
    course = Course(_listed(sources), descending, budget)
    each = STEP * (1 + course.bits // 256)
    states: dict[tuple[Any, Any], int] = {(start, course.start): 1}
    for place, face in enumerate(course.faces):
        options = course.options({left for _, left in states}, place)
        course.work.add(each * sum(len(options[left]) for _, left in states))
        after: dict[tuple[Any, Any], int] = defaultdict(int)
        for (state, left), weight in states.items():
            for rest, counts, ways in options[left]:
                after[step(state, face, *counts), rest] += weight * ways
        states = after
    table: dict[Any, int] = defaultdict(int)
    for (state, _), weight in states.items():
        table[final(state) if final else state] += weight
    return Dist(table)


def total(
    sources: Source | Sequence[Source],
    worth: Callable[..., int],
    budget: int = DEFAULT_BUDGET,
) -> Dist[int]:
    """The sum over all faces of what it is worth that so many of each source show it.

    Cost: as :func:`fold` with a single state; sums are held as the digits of one number, so their
    size hardly counts.

    Args:
        sources: One pool or hand, or several.
        worth: From (face, count of the first source, count of the second, ..) to a whole number.
        budget: The work it may cost.

    >>> from oddsmith import d6
    >>> total([d6.pool(1), d6.pool(1)], lambda face, mine, theirs: max(0, mine - theirs)).p(1)
    Fraction(5, 6)
    """
    listed = _listed(sources)
    course = Course(listed, descending=False, budget=budget)
    seen: set[Any] = {course.start}
    low, span, layers = 0, 0, []
    for place, face in enumerate(course.faces):
        options = course.options(seen, place)
        course.work.add(10 * sum(map(len, options.values())))
        counts = {shown for choices in options.values() for _, shown, _ in choices}
        worths = {shown: worth(face, *shown) for shown in counts}
        least = min(worths.values())
        low += least
        span += max(worths.values()) - least
        course.work.add(words(span, course.bits))
        layers.append((options, {shown: value - least for shown, value in worths.items()}))
        seen = {rest for choices in options.values() for rest, _, _ in choices}
    return Dist.of_grid(tally(course.start, layers, _ways(listed), low))


def matched(mine: Source, theirs: Source, budget: int = DEFAULT_BUDGET) -> Dist[int]:
    """Highest against highest, next against next: how many of the pairs the first side wins.

    Ties are not won; dice without a partner do not count. Cost: faces * (the product of the
    numbers of dice) * (the larger number), because at a face first the other side is placed and
    then one's own: what is won depends on the ranks only.

    >>> from fractions import Fraction
    >>> from oddsmith import d6
    >>> matched(d6.pool(3), d6.pool(2)).p(2) == Fraction(2890, 7776)
    True
    """
    course = Course([mine, theirs], descending=True, budget=budget)
    ours, yours = course.walks
    pairs = min(mine.size, theirs.size)
    gains = {(won,): won for won in range(pairs + 1)}
    layers: list[Any] = []
    start = (ours.start, yours.start, 0, 0)
    seen: set[Any] = {start}
    for place in range(len(course.faces)):
        for side in (1, 0):
            layer: Options = {}
            known: dict[Any, Shown] = {}
            for state in seen:
                left, ranks = state[side], state[2 + side]
                if left not in known:
                    known[left] = course.walks[side].show(left, place)
                course.work.add(STEP * len(known[left]))
                choices: list[tuple[Any, tuple[int, ...], int]] = []
                for rest, (count,), ways in known[left]:
                    after = ranks + count
                    if side:
                        choices.append(((state[0], rest, state[2], after), (0,), ways))
                    else:
                        won = max(0, min(after, pairs) - max(ranks, state[3]))
                        choices.append(((rest, state[1], after, state[3]), (won,), ways))
                layer[state] = choices
            layers.append((layer, gains))
            seen = {target for choices in layer.values() for target, _, _ in choices}
    return Dist.of_grid(tally(start, layers, _ways([mine, theirs]), 0))


def _listed(sources: Any) -> list[Any]:
    return list(sources) if isinstance(sources, (list, tuple)) else [sources]


def _ways(sources: Sequence[Source]) -> int:
    ways = 1
    for source in sources:
        ways *= source.ways()
    return ways
