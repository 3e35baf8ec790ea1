"""State machines over what several sources show, face by face.

A source is a multiset that is not yet looked at: a ``Pool`` of dice, or cards dealt from a
``Deck``. All sources are walked together over their faces in order; at each face a choice is made
how many of each show it. What is left to place is part of the state, equal states are merged, so
the cost depends on the states a rule can tell apart and not on the number of rolls.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import reduce
from itertools import accumulate, product, repeat
from operator import sub
from typing import TYPE_CHECKING, Any, Protocol

from oddsmith.arguments import as_function, hashable, listed
from oddsmith.budget import DEFAULT_BUDGET, Work, words
from oddsmith.dist import Dist
from oddsmith.errors import OutcomeError, RuleError
from oddsmith.exact.lattice import gcd_of
from oddsmith.exact.tally import tally
from oddsmith.outcomes import clean, is_number, sort_key

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from oddsmith.exact.lattice import Number

Face = Any
Left = Any
Shown = list[tuple[Left, tuple[int, ...], int]]
"""What is left after a face, how many show it (one number for each hand), and the ways."""

STEP = 30
"""What one step of a fold costs, in the units of the budget."""

LONG = 2048
"""With so many bits, ways cost as much as the rest of a choice."""

HINT = "use fewer dice, or a rule with fewer states"

OVER = ()
"""The state of a reading to which nothing can be added any more."""


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
        self.faces = sorted(faces, key=sort_key, reverse=bool(descending))
        self.walks = [source.walk(self.faces, descending) for source in sources]
        self.start = tuple(walk.start for walk in self.walks)
        self.bits = sum(source.ways().bit_length() for source in sources)
        self.longer = 1 + (self.bits // LONG) ** 2
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
            self.work.add(40 * most * self.longer)
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

    Cost: at most faces * (different states) * (dice left of each source) * (dice of each source
    that show the face) calls of ``step``.

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
    given = sides(sources)
    as_function(step, "step", "lambda state, face, count: max(state, count)", 2 + _counts(given))
    if final is not None:
        as_function(final, "final", "lambda state: state[0]", 1)
    hashable(start, "start")
    course = Course(given, descending, budget)
    each = STEP * (1 + course.bits // 256)
    states: dict[Left, dict[Any, int]] = {course.start: {start: 1}}
    for place, face in enumerate(course.faces):
        options = course.options(set(states), place)
        steps = sum(len(options[left]) * len(found) for left, found in states.items())
        course.work.add(each * steps)
        after: dict[Left, dict[Any, int]] = defaultdict(dict)
        for left, found in states.items():
            for rest, counts, ways in options[left]:
                reached = map(step, found, repeat(face), *map(repeat, counts))
                known = after[rest]
                state = start
                try:
                    for state, weight in zip(reached, found.values(), strict=True):
                        known[state] = known.get(state, 0) + weight * ways
                except TypeError:
                    hashable(state, "a state")
                    raise
        states = after
    table: dict[Any, int] = defaultdict(int)
    for found in states.values():
        for state, weight in found.items():
            outcome = final(state) if final else state
            hashable(outcome, "an outcome")
            table[outcome] += weight
    return Dist(table)


def total(
    sources: Source | Sequence[Source],
    worth: Callable[..., int],
    budget: int = DEFAULT_BUDGET,
) -> Dist[int]:
    """The sum over all faces of what each is worth, given how many of each source show it.

    Cost: as :func:`fold` with a single state; all sums are held side by side as the digits of one
    long number, so their size counts little.

    Args:
        sources: One pool or hand, or several.
        worth: From (face, count of the first source, count of the second, ..) to a whole number.
        budget: The work it may cost.

    Raises:
        OutcomeError: For a worth that is not a whole number.
        TooLarge: Past the budget.

    >>> from oddsmith import d6
    >>> total([d6.pool(1), d6.pool(1)], lambda face, mine, theirs: max(0, mine - theirs)).p(1)
    Fraction(5, 6)
    """
    given = sides(sources)
    as_function(worth, "worth", "lambda face, count: face * count", 1 + _counts(given))
    course = Course(given, descending=False, budget=budget)
    seen: set[Any] = {course.start}
    low, span, layers = 0, 0, []
    for place, face in enumerate(course.faces):
        options = course.options(seen, place)
        course.work.add(10 * sum(map(len, options.values())))
        counts = {shown for choices in options.values() for _, shown, _ in choices}
        worths = {shown: worth(face, *shown) for shown in counts}
        for value in worths.values():
            if not isinstance(value, int):
                raise OutcomeError(f"the worth {value!r} is not a whole number", "scale it first")
        least = min(worths.values())
        low += least
        span += max(worths.values()) - least
        course.work.add(words(span, course.bits))
        layers.append((options, {shown: value - least for shown, value in worths.items()}))
        seen = {rest for choices in options.values() for rest, _, _ in choices}
    return Dist.of_grid(tally(course.start, layers, _ways(given), low))


def weighted(source: Source, weights: Sequence[Number], budget: int = DEFAULT_BUDGET) -> Dist[Any]:
    """The sum of the sorted dice, each times the weight of its rank.

    Cost: as :func:`total`. What is added from one face to the next is the distance between them
    times the weights of all the dice that are not yet placed.

    Args:
        source: A pool or a hand of numbers.
        weights: One for each die that shows, from the lowest.

    Raises:
        RuleError: Where there are not as many weights as dice.
        OutcomeError: For a face or a weight that is not a number.

    >>> from oddsmith import d6
    >>> weighted(d6.pool(2), [-1, 1])
    Dist({0: 3, 1: 5, 2: 4, 3: 3, 4: 2, 5: 1})
    """
    sides([source])
    weights = list(listed(weights, "weights one by one", "write for example [-1, 0, 1]"))
    if len(weights) != source.size:
        raise RuleError(f"{len(weights)} weights do not fit {source.size} dice")
    if not source.size:
        return Dist({0: 1})
    course = Course([source], descending=False, budget=budget)
    for number in (*course.faces, *map(clean, weights)):
        if not is_number(number):
            raise OutcomeError(f"cannot add up {number!r}", "count the faces instead")
    beyond = [*accumulate(map(Fraction, map(clean, weights[::-1])), initial=Fraction(0))][::-1]
    gaps = [*map(sub, course.faces[1:], course.faces), 0]
    seen: set[Any] = {(course.start, 0)}
    low, found = course.faces[0] * beyond[0], []
    for place, gap in enumerate(gaps):
        options = course.options({left for left, _ in seen}, place)
        course.work.add(10 * sum(len(options[left]) for left, _ in seen))
        layer: Options = {
            (left, placed): [
                ((rest, placed + count), placed + count, ways)
                for rest, (count,), ways in options[left]
            ]
            for left, placed in seen
        }
        seen = {target for choices in layer.values() for target, _, _ in choices}
        least = min(gap * beyond[placed] for _, placed in seen)
        low += least
        found.append((layer, {placed: gap * beyond[placed] - least for _, placed in seen}))
    grain: Number = 0
    for _, adds in found:
        grain = reduce(gcd_of, adds.values(), grain)
    grain = grain or 1
    layers = [(layer, {n: int(add / grain) for n, add in adds.items()}) for layer, adds in found]
    span = 0
    for layer, adds in layers:
        span += max(adds.values())
        course.work.add(sum(map(len, layer.values())) * words(span, course.bits) // 4)
    sums = Dist.of_grid(tally((course.start, 0), layers, source.ways(), 0))
    moved: Dist[Any] = sums * grain + low
    return moved


def matched(
    mine: Source, theirs: Source, budget: int = DEFAULT_BUDGET, *, ties: bool = False
) -> Dist[int]:
    """Highest against highest, next against next: how many of the pairs the first side wins.

    Dice without a partner do not count.

    Cost: faces * (the product of the numbers of dice) * (the larger of the two numbers). At each
    face the other side is placed first and then one's own, because what is won depends only on
    the ranks.

    Args:
        mine: A pool or a hand.
        theirs: Another.
        budget: The work it may cost.
        ties: Whether a tie is won.

    >>> from fractions import Fraction
    >>> from oddsmith import d6
    >>> matched(d6.pool(3), d6.pool(2)).p(2) == Fraction(2890, 7776)
    True
    """
    sides([mine, theirs])
    pairs = min(mine.size, theirs.size)

    def place(state: tuple[int, int], side: int, count: int) -> tuple[tuple[int, int], int]:
        own, other = state
        if side:
            return (own, other + count), 0
        after = own + count
        return (after, other), max(0, min(after, pairs) - max(own, other))

    return _in_turn([mine, theirs], (0, 0), place, ties, budget)


def leading(
    mine: Source, theirs: Source, budget: int = DEFAULT_BUDGET, *, ties: bool = False
) -> Dist[int]:
    """Highest against highest, next against next: the pairs won before the first that is not.

    Dice without a partner do not count. Cost: as :func:`matched`.

    Args:
        mine: A pool or a hand.
        theirs: Another.
        budget: The work it may cost.
        ties: Whether a tie is won.

    >>> from fractions import Fraction
    >>> from oddsmith import d6
    >>> leading(d6.pool(2), d6.pool(2)).p(0) == Fraction(791, 1296)
    True
    """
    sides([mine, theirs])
    pairs = min(mine.size, theirs.size)

    def place(state: Any, side: int, count: int) -> tuple[Any, int]:
        if state == OVER:
            return OVER, 0
        own, other = state
        if side:
            other += count
            return (OVER if other > own else (own, other)), 0
        after = min(own + count, pairs)
        return (OVER if after == pairs else (after, other)), after - own

    return _in_turn([mine, theirs], (0, 0), place, ties, budget)


def most_pairs(
    mine: Source, theirs: Source, budget: int = DEFAULT_BUDGET, *, ties: bool = False
) -> Dist[int]:
    """The most pairs the first side can win when it may pair the dice as it likes.

    From the highest face down, each die of the other side is met by any spare die above it.
    Nothing is better: the spare dice are alike from there on, for all of them beat whatever is
    still to come; and a die that is saved for later wins one pair then in place of one now.
    Cost: faces * (the product of the numbers of dice) * (the dice that can be spare) * (the larger
    of the two numbers).

    Args:
        mine: A pool or a hand.
        theirs: Another.
        budget: The work it may cost.
        ties: Whether a tie is won.

    >>> from oddsmith import Pool
    >>> most_pairs(Pool([6, 3]), Pool([5, 2])), most_pairs(Pool([6, 3]), Pool([6, 2]))
    (Dist({2: 1}), Dist({1: 1}))
    """

    def place(spare: int, side: int, count: int) -> tuple[int, int]:
        won = min(spare, count) if side else 0
        return (spare - won if side else spare + count), won

    return _in_turn([mine, theirs], 0, place, ties, budget)


def _in_turn(
    both: Sequence[Source],
    start: Hashable,
    place: Callable[[Any, int, int], tuple[Hashable, int]],
    ties: bool,
    budget: int,
) -> Dist[int]:
    """What two sides gain when their dice are placed one side after the other.

    From the highest face down; at each face first the side that ties help, the first one (0) or
    the second (1).

    Args:
        both: The two sources.
        start: The state before the first face.
        place: From (state, side, how many show the face) to the next state and what is gained.
        ties: Whether they help the first side.
        budget: The work it may cost.
    """
    sides(both)
    course = Course(both, descending=True, budget=budget)
    gains = {gain: gain for gain in range(min(side.size for side in both) + 1)}
    moves: tuple[dict[Any, Any], dict[Any, Any]] = ({}, {})
    layers: list[Any] = []
    seen: set[Any] = {(*course.start, start)}
    for face in range(len(course.faces)):
        for side in (0, 1) if ties else (1, 0):
            layer: Options = {}
            known: dict[Any, Shown] = {}
            for now in seen:
                mine, theirs, state = now
                left = now[side]
                if left not in known:
                    course.work.add(40 * course.walks[side].choices(left, face) * course.longer)
                    known[left] = course.walks[side].show(left, face)
                course.work.add(STEP * len(known[left]))
                own = moves[side].setdefault(state, {})
                choices: list[tuple[Any, Any, int]] = []
                for rest, (count,), ways in known[left]:
                    if count not in own:
                        own[count] = place(state, side, count)
                    after, gain = own[count]
                    target = (mine, rest, after) if side else (rest, theirs, after)
                    choices.append((target, gain, ways))
                layer[now] = choices
            layers.append((layer, gains))
            seen = {target for choices in layer.values() for target, _, _ in choices}
    return Dist.of_grid(tally((*course.start, start), layers, _ways(both), 0))


def sides(sources: Any) -> list[Any]:
    """One pool or hand, or several; anything else is refused.

    >>> sides(6)
    Traceback (most recent call last):
    oddsmith.errors.RuleError: 6 has no faces to walk over: use a pool of finite dice, or a hand
    """
    given = list(sources) if isinstance(sources, (list, tuple)) else [sources]
    for source in given:
        if not hasattr(source, "walk"):
            raise RuleError(
                f"{source!r} has no faces to walk over", "use a pool of finite dice, or a hand"
            )
    return given


def _counts(sources: Sequence[Any]) -> int:
    """How many counts a step is given: one for each pool and each hand of a deal."""
    return sum(len(getattr(source, "hands", (0,))) for source in sources)


def _ways(sources: Sequence[Source]) -> int:
    ways = 1
    for source in sources:
        ways *= source.ways()
    return ways
