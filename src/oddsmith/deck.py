"""``Deck``: cards (or tickets, or tokens) drawn without replacement.

Cards are told apart by their face only; a deck of 13 ranks, four of each, deals exact hands
without listing a single one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from math import comb, lcm, prod
from typing import TYPE_CHECKING, Any, cast

from oddsmith import folds
from oddsmith.arguments import as_function, as_test, is_mapping, listed
from oddsmith.budget import DEFAULT_BUDGET, Work, afford, power_cost, words
from oddsmith.dist import Dist, mix
from oddsmith.errors import OutcomeError, RuleError
from oddsmith.multiset import Multiset
from oddsmith.outcomes import clean, is_number, sort_key
from oddsmith.ranks import Ranks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

Face = Any


class Deck:
    """Cards by face, each with how many there are.

    Args:
        cards: A mapping from faces to numbers, or the cards one by one.

    Raises:
        OutcomeError: For a number of cards that is negative or not whole.

    >>> Deck({rank: 4 for rank in range(1, 14)}).deal(5).pairs().p(2)
    Fraction(41, 833)
    """

    __slots__ = ("cards",)

    def __init__(self, cards: Mapping[Any, int] | Iterable[Any]) -> None:
        counted: Mapping[Any, int]
        if is_mapping(cards):
            counted = cast("Mapping[Any, int]", cards)
        else:
            what = "a mapping from cards to their numbers or cards one by one"
            hint = "write for example Deck({'ace': 4, 'king': 4}) or Deck(range(1, 53))"
            counted = Counter(clean(card) for card in listed(cards, what, hint))
        for face, count in counted.items():
            if not isinstance(count, int) or count < 0:
                raise OutcomeError(
                    f"a deck cannot have {count!r} cards {face!r}",
                    "write how many there are of each: Deck({1: 4, 2: 4})",
                )
        cleaned = Counter[Any]()
        for face, count in counted.items():
            cleaned[clean(face)] += count
        self.cards: dict[Any, int] = {
            face: cleaned[face] for face in sorted(cleaned, key=sort_key) if cleaned[face]
        }

    @property
    def size(self) -> int:
        """How many cards there are.

        >>> Deck("AAB").size
        3
        """
        return sum(self.cards.values())

    def __repr__(self) -> str:
        return f"Deck({self.cards!r})"

    def __eq__(self, other: object) -> bool:
        return self.cards == other.cards if isinstance(other, Deck) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self.cards.items()))

    def __add__(self, other: object) -> Deck:
        """Both decks shuffled together.

        >>> Deck("AB") + Deck("B")
        Deck({'A': 1, 'B': 2})
        """
        if not isinstance(other, Deck):
            return NotImplemented
        return Deck(Counter(self.cards) + Counter(other.cards))

    def map(self, function: Callable[[Face], Any]) -> Deck:
        """The deck with other faces on its cards.

        >>> Deck({1: 4, 11: 4, 12: 4}).map(lambda rank: min(rank, 10))
        Deck({1: 4, 10: 8})
        """
        as_function(function, "what is done", "lambda rank: min(rank, 10)", 1)
        cards = Counter[Any]()
        for face, count in self.cards.items():
            cards[clean(function(face))] += count
        return Deck(cards)

    def deal(self, count: int) -> Hand:
        """A hand of so many cards.

        Raises:
            RuleError: When there are not so many cards.

        >>> Deck({"land": 24, "spell": 36}).deal(7).count(lambda card: card == "land").p(3)
        Fraction(30107, 97527)
        """
        return Hand(self, count)

    def deals(self, *counts: int) -> Deal:
        """Several hands from the same deck, for :func:`oddsmith.folds.fold`.

        >>> both = Deck("AAAB").deals(1, 1).fold(lambda s, face, mine, theirs: (*s, mine), ())
        >>> both.p((0, 1))
        Fraction(1, 4)
        """
        return Deal(self, counts)

    def draws(self, count: int) -> Dist[tuple[Any, ...]]:
        """So many cards one after the other, in the order they are drawn.

        Cost: the number of different orders; where the order does not matter, :meth:`deal`.

        >>> Deck("AAB").draws(2).p(("A", "B"))
        Fraction(1, 3)
        """
        self._checked([count])
        result: dict[tuple[Any, ...], int] = {(): 1}
        work = Work(DEFAULT_BUDGET, "draw fewer cards, or deal a hand")
        for drawn_before in range(count):
            work.add((folds.STEP + 10 * drawn_before) * len(result) * len(self.cards))
            result = {
                (*drawn, face): ways * left
                for drawn, ways in result.items()
                for face, many in self.cards.items()
                if (left := many - drawn.count(face)) > 0
            }
        return Dist(result)

    def without(self, *faces: Any) -> Deck:
        """The deck after these cards were taken out.

        Raises:
            RuleError: When a card is not there.

        >>> Deck("AAB").without("A").deal(1).count(lambda card: card == "A").p(1)
        Fraction(1, 2)
        """
        left = Counter(self.cards)
        for face in faces:
            if not left[clean(face)]:
                raise RuleError(f"there is no card {face!r} left to take out")
            left[clean(face)] -= 1
        return Deck(left)

    def _checked(self, counts: Sequence[int]) -> None:
        for count in counts:
            if not isinstance(count, int) or count < 0:
                raise RuleError(f"cannot deal {count!r} cards")
        if sum(counts) > self.size:
            raise RuleError(
                f"cannot deal {sum(counts)} cards from {self.size}", f"deal {self.size} at most"
            )


class _Dealt:
    """Cards that lie face down: so many of a deck to each hand."""

    __slots__ = ("deck", "hands")

    def __init__(self, deck: Deck, counts: Sequence[int]) -> None:
        deck._checked(counts)
        self.deck, self.hands = deck, tuple(counts)

    @property
    def size(self) -> int:
        """How many cards are dealt in all.

        >>> Deck("AAB").deals(1, 1).size
        2
        """
        return sum(self.hands)

    def faces(self) -> list[Face]:
        """Every face in the deck, sorted.

        >>> Deck("BAB").deals(1, 1).faces()
        ['A', 'B']
        """
        return list(self.deck.cards)

    def ways(self) -> int:
        """How many different deals there are.

        >>> Deck("AAB").deals(1, 1).ways()
        6
        """
        left, ways = self.deck.size, 1
        for count in self.hands:
            afford(_comb_cost(left, count), DEFAULT_BUDGET, folds.HINT)
            ways *= comb(left, count)
            left -= count
        return ways

    def walk(self, faces: Sequence[Face], descending: bool = False) -> DealWalk:  # noqa: ARG002
        """How the cards can lie, face by face; see :mod:`oddsmith.folds`."""
        return DealWalk([self.deck.cards.get(face, 0) for face in faces], self.hands)


class Deal(_Dealt):
    """Hands of given sizes from one deck, to be read together.

    >>> Deck("AAB").deals(1, 1).fold(lambda s, face, mine, theirs: s + (face == "B") * mine, 0)
    Dist({0: 2, 1: 1})
    """

    __slots__ = ()

    def fold(self, step: Callable[..., Any], start: Any, **options: Any) -> Dist[Any]:
        """A state machine fed (state, face, count in the first hand, in the second, ..).

        Args:
            step: From these to the next state.
            start: The state before the first face.
            **options: ``final``, ``descending`` and ``budget``, as for :func:`oddsmith.folds.fold`.

        >>> more = lambda state, face, mine, theirs: state + mine - theirs
        >>> Deck({1: 2, 2: 2}).deals(1, 1).fold(more, 0)
        Dist({0: 1})
        """
        return folds.fold(self, step, start, **options)


class Hand(Ranks, _Dealt, Multiset):
    """One hand of cards; it is read like a pool of dice.

    Cost: cards of one face are placed together, so a reading looks at each face once, not at the
    single hands.

    >>> Deck(range(1, 79)).deal(3).highest().mean
    Fraction(237, 4)
    """

    __slots__ = ("first", "last")

    things = "cards"
    source = "hand"

    def __init__(self, deck: Deck, count: int) -> None:
        super().__init__(deck, [count])
        self.first, self.last = 0, count

    @property
    def rolled(self) -> int:
        """How many cards are dealt, those that are not kept included.

        >>> Deck("AAB").deal(2).keep_highest(1).rolled
        2
        """
        return self.hands[0]

    def window(self, first: int, last: int) -> Hand:
        self._require_ranks(first, last)
        hand = Hand(self.deck, self.rolled)
        hand.first, hand.last = first, last
        return hand

    def __repr__(self) -> str:
        kept = "" if self.is_whole else f", ranks {self.first} to {self.last} kept"
        return f"<Hand of {self.rolled} from {self.deck!r}{kept}>"

    def walk(self, faces: Sequence[Face], descending: bool = False) -> DealWalk:
        """How the cards can lie, face by face; see :mod:`oddsmith.folds`."""
        first, last = self.first, self.last
        if descending:
            first, last = self.rolled - last, self.rolled - first
        return DealWalk([self.deck.cards.get(face, 0) for face in faces], self.hands, first, last)

    def count(self, event: object, budget: int = DEFAULT_BUDGET) -> Dist[int]:
        """How many kept cards are of some kind; of a whole hand, the hypergeometric distribution.

        Args:
            event: A face, a set of faces, or a function from a face to whether it is counted.
            budget: The work it may cost.

        >>> Deck({"hit": 2, "miss": 2}).deal(2).count(lambda card: card == "hit").p(1)
        Fraction(2, 3)
        """
        fits = as_test(event)
        if not self.is_whole:
            found: Dist[int] = self.total(lambda face: int(bool(fits(face))), budget)
            return found
        afford(self.size * _comb_cost(self.deck.size, self.size), budget, folds.HINT)
        good = sum(many for face, many in self.deck.cards.items() if fits(face))
        bad = self.deck.size - good
        return Dist(
            {
                hits: comb(good, hits) * comb(bad, self.size - hits)
                for hits in range(max(0, self.size - bad), min(good, self.size) + 1)
            }
        )

    def sum(self, budget: int = DEFAULT_BUDGET) -> Dist[Any]:
        """The kept cards added up.

        Raises:
            OutcomeError: For a face that is not a number.

        >>> Deck([1, 2, 3]).deal(2).sum()
        Dist({3: 1, 4: 1, 5: 1})
        """
        for face in self.faces():
            if not is_number(face):
                raise OutcomeError(
                    f"the face {face!r} cannot be added up", "count the faces instead"
                )
        added: Dist[Any] = self.total(lambda face: face, budget)
        return added

    def total(self, value: Callable[[Face], Any], budget: int = DEFAULT_BUDGET) -> Any:
        """The sum over the kept cards of what each face is worth.

        Args:
            value: From a face to a number or to a distribution (finite or open-ended) that is
                rolled anew for each kept card.
            budget: The work it may cost.

        Raises:
            OutcomeError: For a worth that cannot be added up.

        >>> Deck("AAB").deal(2).total(lambda card: 10 if card == "A" else Dist([1, 3]))
        Dist({11: 1, 13: 1, 20: 1})
        """
        as_function(value, "a value", "lambda card: min(card, 10)", 1)
        if self.size == 0:
            return Dist({0: 1})
        worth = {face: _worth(value(face)) for face in self.faces()}
        if self.size == 1:
            return self._ranked().then(worth.__getitem__)
        kinds = list(dict.fromkeys(w for w in worth.values() if not is_number(w)))
        if not kinds:
            grain = lcm(*(number.denominator for number in worth.values()))
            scaled = {face: int(number * grain) for face, number in worth.items()}
            added = folds.total(self, lambda face, count: scaled[face] * count, budget)
            return added if grain == 1 else added / grain
        return self._rolled_anew(worth, kinds, budget)

    def _rolled_anew(self, worth: dict[Face, Any], kinds: list[Any], budget: int) -> Any:
        """The numbers of the kept cards, and for each kind of roll how many of it there are."""

        def step(state: Any, face: Face, count: int) -> Any:
            known, rolls = state
            gain = worth[face]
            if is_number(gain):
                return known + gain * count, rolls
            place = kinds.index(gain)
            return known, (*rolls[:place], rolls[place] + count, *rolls[place + 1 :])

        parts: dict[Any, dict[Any, int]] = defaultdict(dict)
        found = self.fold(step, (0, (0,) * len(kinds)), budget=budget)
        for (known, rolls), ways in found.weights().items():
            parts[rolls][known] = ways
        sums = []
        for rolls, table in parts.items():
            part: Any = Dist(table)
            for kind, many in zip(kinds, rolls, strict=True):
                part = part + kind.times(many)
            sums.append((part, sum(table.values())))
        return mix(sums)

    def _ranked(self) -> Dist[Any]:
        """The one card that is kept, by its rank.

        It is at or before a face when more cards than its rank are: a hypergeometric tail, counted
        from the end of the hand that is nearer.
        """
        low, high = self.first, self.rolled - self.last
        near, every = min(low, high), self.ways()
        items = list(self.deck.cards.items())
        size = words(len(items) * (near + 1), every.bit_length())
        afford(folds.STEP * size, DEFAULT_BUDGET, folds.HINT)
        table: dict[Any, int] = {}
        passed, before = 0, 0
        for face, many in items if low <= high else reversed(items):
            passed += many
            rest = self.deck.size - passed
            short = sum(comb(passed, n) * comb(rest, self.rolled - n) for n in range(near + 1))
            reached = every - short
            table[face] = reached - before
            before = reached
        return Dist.of_table({face: ways for face, ways in table.items() if ways})


def _comb_cost(many: int, count: int) -> int:
    """What it costs to work out in how many ways so many cards are chosen."""
    return power_cost(min(count, many - count) * many.bit_length())


def _worth(value: Any) -> Any:
    """What a card is worth: a number, or a distribution of numbers."""
    if hasattr(value, "times"):
        if isinstance(value, Dist):
            value.require_numbers("add")
        return value
    number = clean(value)
    if not is_number(number):
        raise OutcomeError(f"cannot add up {number!r}", "count the faces instead")
    return number


def _chosen(cards: int, most: int) -> list[int]:
    """In how many ways 0, 1, .. of the cards are chosen."""
    found = [1]
    for n in range(most):
        found.append(found[-1] * (cards - n) // (n + 1))
    return found


class DealWalk:
    """The cards of a deal, placed face by face; of a single hand only some ranks may be kept."""

    def __init__(
        self,
        cards: Sequence[int],
        counts: tuple[int, ...],
        first: int = 0,
        last: int | None = None,
    ) -> None:
        self.start = counts
        self._cards = cards
        self._behind = [sum(cards[place + 1 :]) for place in range(len(cards))]
        self._kept = None if last is None or (first, last) == (0, sum(counts)) else (first, last)

    def choices(self, left: tuple[int, ...], place: int) -> int:
        """At most so many choices."""
        return prod(min(count, self._cards[place]) + 1 for count in left)

    def like(self, place: int) -> Any:
        """Every face lies before another number of cards."""
        return place

    def show(self, left: tuple[int, ...], place: int) -> list[Any]:
        """What may be left to deal after the cards of one face, with the ways."""
        cards, need = self._cards[place], sum(left) - self._behind[place]
        options: list[tuple[tuple[int, ...], tuple[int, ...], int, int]] = [((), (), cards, 1)]
        for count in left:
            options = [
                ((*rest, count - n), (*shown, n), spare - n, ways * many)
                for rest, shown, spare, ways in options
                for n, many in enumerate(_chosen(spare, min(count, spare)))
            ]
        return [
            (rest, self._seen(left, shown), ways)
            for rest, shown, spare, ways in options
            if cards - spare >= need
        ]

    def _seen(self, left: tuple[int, ...], shown: tuple[int, ...]) -> tuple[int, ...]:
        """How many cards of a face are kept."""
        if self._kept is None:
            return shown
        (first, last), rank = self._kept, sum(self.start) - sum(left)
        return (max(0, min(rank + sum(shown), last) - max(rank, first)),)
