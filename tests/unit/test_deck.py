"""Cards dealt without replacement, against every order of cards that can be told apart."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import comb
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith import Deck, Dist, Pool, chain, d6, odds
from oddsmith.errors import OutcomeError, RuleError, TooLarge
from oddsmith.folds import fold

from .every import CARDS, apart, chances, deals, hands, law, quick, rank, several

if TYPE_CHECKING:
    from .every import Law, Ways

F = Fraction
FRENCH = Deck({(suit, card): 1 for suit in "CDHS" for card in range(1, 14)})
"""52 cards, ace low."""

MIXED = several(lambda chance: chance.choice([1, 2, F(1, 2), "ace", "king"]), 6)


def in_order(cards: list[Any], count: int) -> Ways:
    """Draws one after the other."""
    orders = permutations(range(len(cards)), count)
    return Counter(tuple(cards[place] for place in order) for order in orders)


def identity(shown: Any) -> Any:
    return shown


def record(state: Any, face: Any, *counts: int) -> Any:
    return (*state, (face, *counts))


# --- the deck


def test_cards_one_by_one_or_counted() -> None:
    assert Deck("ABA") == Deck(["A", "A", "B"]) == Deck({"A": 2, "B": 1, "C": 0})
    assert Deck("ABA").cards == {"A": 2, "B": 1}
    assert Deck("AB") != Deck("AAB")
    assert Deck("AB") != "AB"
    assert len({Deck("ABA"), Deck("AAB"), Deck("AB")}) == 2
    assert Deck("AAB").size == 3
    assert Deck([]).size == 0
    assert repr(Deck("ABA")) == "Deck({'A': 2, 'B': 1})"


def test_cards_are_sorted_numbers_first() -> None:
    deck = Deck(["ace", 2, F(1, 2), 2, F(6, 2)])
    assert list(deck.cards) == [F(1, 2), 2, 3, "ace"]
    assert deck.deal(2).faces() == [F(1, 2), 2, 3, "ace"]
    assert deck.deals(1, 2).faces() == [F(1, 2), 2, 3, "ace"]


def test_faces_may_be_tuples() -> None:
    assert FRENCH.size == 52
    assert FRENCH.deal(5).count(lambda card: card[0] == "H").p(5) == F(1287, 2598960)


def test_what_was_dealt() -> None:
    assert repr(Deck("AAB").deal(2)) == "<Hand of 2 from Deck({'A': 2, 'B': 1})>"
    assert Deck("AAB").deal(2).size == 2
    assert Deck("AAB").deals(1, 1).size == 2
    assert Deck("AAB").deals(1, 1).hands == (1, 1)


@pytest.mark.parametrize("count", [-1, F(1, 2), 1.0, "2", None])
def test_a_number_of_cards_is_whole(count: Any) -> None:
    with pytest.raises(OutcomeError, match=r"a deck cannot have .* cards 'A'"):
        Deck({"A": count})


def test_cards_are_outcomes() -> None:
    with pytest.raises(OutcomeError, match=r"1\.5 is a float"):
        Deck([1.5])
    with pytest.raises(OutcomeError, match="cannot be an outcome"):
        Deck([None])


# --- one hand


@given(cards=MIXED)
@quick(40)
def test_every_hand(cards: list[Any]) -> None:
    for count in range(len(cards) + 1):
        hand, shown = Deck(cards).deal(count), hands(cards, count)
        assert chances(hand.expand()) == law(identity, shown)
        assert hand.ways() == comb(len(cards), count) == sum(shown.values())


@given(cards=MIXED, wanted=st.sets(st.sampled_from([1, 2, F(1, 2), "ace", "joker"])))
@quick(40)
def test_how_many_are_of_a_kind(cards: list[Any], wanted: set[Any]) -> None:
    """The hypergeometric distribution, by every order of the cards."""
    for count in range(len(cards) + 1):
        model = law(lambda drawn: sum(card in wanted for card in drawn), in_order(cards, count))
        assert chances(Deck(cards).deal(count).count(wanted.__contains__)) == model


@pytest.mark.parametrize(("good", "bad", "dealt"), [(24, 36, 7), (4, 48, 5), (0, 3, 2), (3, 0, 2)])
def test_hypergeometric(good: int, bad: int, dealt: int) -> None:
    """C(good, k) * C(bad, n - k) / C(good + bad, n)."""
    found = Deck({"good": good, "bad": bad}).deal(dealt).count(lambda card: card == "good")
    for k in range(dealt + 1):
        assert found.p(k) == F(comb(good, k) * comb(bad, dealt - k), comb(good + bad, dealt))


def test_lands_in_the_first_hand() -> None:
    """C(24, 3) * C(36, 4) / C(60, 7) = 2024 * 58905 / 386206920 = 30107/97527."""
    hand = Deck({"land": 24, "spell": 36}).deal(7)
    assert hand.count(lambda card: card == "land").p(3) == F(2024 * 58905, 386206920)


@given(cards=CARDS)
@quick(30)
def test_cards_added_up(cards: list[int]) -> None:
    for count in range(len(cards) + 1):
        assert chances(Deck(cards).deal(count).sum()) == law(sum, hands(cards, count))


def test_negative_cards_added_up() -> None:
    assert Deck([-5, 0, 3]).deal(2).sum() == Dist([-5, -2, 3])
    assert Deck([-5, -5]).deal(2).sum() == Dist([-10])


def test_the_whole_deck_and_nothing() -> None:
    assert Deck("BAB").deal(3).expand() == Dist([("A", "B", "B")])
    assert Deck("BAB").deal(0).expand() == Dist([()])
    assert Deck([]).deal(0).count(bool) == Dist([0])
    assert Deck([1, 2]).deal(0).sum() == Dist([0])
    assert Deck([]).draws(0) == Dist([()])


def test_blackjack() -> None:
    """An ace and a card worth ten: 4 * 16 / C(52, 2) = 32/663 (the classic value)."""
    deck = Deck({1: 4, 10: 16, **dict.fromkeys(range(2, 10), 4)})
    assert deck.deal(2).contains_all(1, 10).p() == F(32, 663)


def test_two_pair() -> None:
    """Two pairs can be taken from two pair (123552 hands of 2598960), from a full house (3744)
    and from four of a kind (624)."""
    found = Deck(dict.fromkeys(range(1, 14), 4)).deal(5).pairs()
    assert found.p(2) == F(123552 + 3744 + 624, 2598960)


def test_a_flush_or_a_straight() -> None:
    """By suits 4 * C(13, 5) hands; by ranks runs from ace-to-5 to 9-to-king, 4^5 each."""
    suits = Deck(dict.fromkeys("CDHS", 13))
    assert suits.deal(5).largest_set().p(5) == F(4 * 1287, 2598960)
    ranks = Deck(dict.fromkeys(range(1, 14), 4))
    assert ranks.deal(5).longest_run().p(5) == F(9 * 4**5, 2598960)


# --- several hands


@given(
    cards=CARDS,
    counts=several(lambda chance: chance.randint(0, 2), 3),
    down=st.booleans(),
)
@quick(60)
def test_hands_dealt_together(cards: list[int], counts: list[int], down: bool) -> None:
    """All hands side by side, against every order of the cards."""
    if sum(counts) > len(cards):
        return
    faces = sorted(set(cards), reverse=down)
    together = deals(cards, *counts)
    model = law(
        lambda dealt: tuple((face, *(hand.count(face) for hand in dealt)) for face in faces),
        together,
    )
    deal = Deck(cards).deals(*counts)
    assert chances(deal.fold(record, (), descending=down)) == model
    assert sum(together.values()) % deal.ways() == 0


def test_text_cards_dealt_to_two() -> None:
    cards = ["king", "ace", "ace", 1, F(1, 2)]
    faces = sorted(set(cards), key=rank)
    model = law(
        lambda dealt: tuple((face, *(hand.count(face) for hand in dealt)) for face in faces),
        deals(cards, 2, 2),
    )
    assert chances(Deck(cards).deals(2, 2).fold(record, ())) == model


def test_two_hands_are_not_independent() -> None:
    """AAAB, one card each: nobody has the B in 2 of 4, never both."""
    held = (
        Deck("AAAB")
        .deals(1, 1)
        .fold(lambda state, face, mine, theirs: (mine, theirs) if face == "B" else state, None)
    )
    assert held == Dist({(0, 0): 2, (1, 0): 1, (0, 1): 1})


def test_one_of_several_hands_is_like_a_single_hand() -> None:
    """Whatever the others hold."""
    deck = Deck([1, 1, 2, 3, 3, 3])
    mine = deck.deals(2, 3).fold(lambda s, face, own, other: s + (face,) * own, ())
    theirs = deck.deals(2, 3).fold(lambda s, face, own, other: s + (face,) * other, ())
    assert mine == deck.deal(2).expand()
    assert theirs == deck.deal(3).expand()


def test_high_card() -> None:
    """One of 13 ranks each, four of a rank: a tie in 3 of 51."""
    found = (
        Deck(dict.fromkeys(range(1, 14), 4))
        .deals(1, 1)
        .fold(lambda state, _, mine, theirs: state or mine - theirs, 0, descending=True)
    )
    assert found.p(0) == F(3, 51)
    assert found.p(1) == found.p(-1) == F(24, 51)


def test_four_hands_of_thirteen_share_the_aces() -> None:
    """Each of four gets one: of C(52, 4) sets of places for the aces 13^4 take one of each."""
    found = (
        Deck({"ace": 4, "other": 48})
        .deals(13, 13, 13, 13)
        .fold(lambda state, face, *counts: counts if face == "ace" else state, None)
    )
    assert found.p((1, 1, 1, 1)) == F(13**4, comb(52, 4))


def test_a_deal_may_finish_its_state() -> None:
    found = (
        Deck("AB")
        .deals(1)
        .fold(
            lambda state, face, n: state + n * (face == "A"), 0, final=lambda n: "A" if n else "B"
        )
    )
    assert found == Dist("AB")


def test_hands_beside_one_another_from_two_decks() -> None:
    """Independent decks: a card of 1, 2 against one of 2, 3."""
    found = fold(
        [Deck([1, 2]).deal(1), Deck([2, 3]).deal(1)],
        lambda state, face, mine, theirs: state or ("tie" if mine and theirs else ""),
        "",
    )
    assert found == Dist({"tie": 1, "": 3})


# --- draws in order


@given(cards=MIXED)
@quick(30)
def test_every_draw(cards: list[Any]) -> None:
    for count in range(len(cards) + 1):
        model: Law = law(identity, in_order(cards, count))
        assert chances(Deck(cards).draws(count)) == model


def test_draws_are_in_order() -> None:
    """AAB: AA 2 of 6, AB 2 of 6, BA 2 of 6."""
    assert Deck("AAB").draws(2) == Dist([("A", "A"), ("A", "B"), ("B", "A")])
    assert Deck("AB").draws(2).p(("B", "A")) == F(1, 2)


def test_sorted_draws_are_a_hand() -> None:
    deck = Deck([1, 1, 2, 3])
    assert deck.draws(3).map(lambda drawn: tuple(sorted(drawn))) == deck.deal(3).expand()


def test_a_long_draw_is_answered_or_refused() -> None:
    """12 cards of 13 ranks: 10^13 orders."""
    text = "Deck(dict.fromkeys(range(13), 4)).draws(12).p(tuple(range(12))) > 0"
    assert apart(text) in ("True", "too large")


# --- taking cards out


def test_without() -> None:
    deck = Deck("AABC")
    assert deck.without("A") == Deck("ABC")
    assert deck.without("A", "A", "C") == Deck("B")
    assert deck.without() == deck
    assert Deck([2, F(1, 2)]).without(F(4, 2)) == Deck([F(1, 2)])
    assert deck == Deck("AABC")


def test_seen_cards_change_the_odds() -> None:
    """A heart is gone: 12 of 51 are left."""
    left = FRENCH.without(("H", 1))
    assert left.deal(1).count(lambda card: card[0] == "H").p(1) == F(12, 51)


@given(cards=CARDS, place=st.integers(0, 5))
@quick(30)
def test_dealing_after_a_look_is_conditioning(cards: list[int], place: int) -> None:
    """The rest of a draw that began with a card is a draw without it."""
    if len(cards) < 2:
        return
    first = cards[place % len(cards)]
    both = Deck(cards).draws(2).given(lambda drawn: drawn[0] == first)
    assert both.map(lambda drawn: drawn[1:]) == Deck(cards).without(first).draws(1)


@pytest.mark.parametrize(
    ("cards", "faces"), [("AAB", "C"), ("AAB", "BB"), ("AAB", "ABAA"), ("", "A")]
)
def test_a_card_that_is_not_there(cards: str, faces: str) -> None:
    with pytest.raises(RuleError, match=rf"there is no card '{faces[-1]}' left to take out"):
        Deck(cards).without(*faces)


# --- refusals


@pytest.mark.parametrize("count", [-1, 1.0, F(1, 2), "2", None])
def test_a_whole_number_of_cards_is_dealt(count: Any) -> None:
    deck = Deck("AAB")
    for refused in (deck.deal, deck.draws, lambda n: deck.deals(1, n)):
        with pytest.raises(RuleError, match=r"cannot deal .* cards"):
            refused(count)


def test_more_cards_than_there_are() -> None:
    deck = Deck("AAB")
    for refused in (lambda: deck.deal(4), lambda: deck.draws(4), lambda: deck.deals(2, 2)):
        with pytest.raises(RuleError, match="cannot deal 4 cards from 3: deal 3 at most"):
            refused()
    with pytest.raises(RuleError, match="cannot deal 1 cards from 0"):
        Deck([]).deal(1)


def test_only_numbers_are_added_up() -> None:
    hand = Deck(["ace", 1, F(1, 2)]).deal(2)
    for refused in (hand.sum, hand.highest, hand.lowest, hand.median):
        with pytest.raises(OutcomeError, match="the face 'ace' cannot be added up: count"):
            refused()
    with pytest.raises(OutcomeError, match="cannot add up 'ace'"):
        hand.total(lambda card: card)
    with pytest.raises(OutcomeError, match="cannot add the outcome 'a'"):
        hand.total(lambda card: Dist("ab"))


# --- ranks of a hand

NUMBERS = several(lambda chance: chance.choice([1, 2, F(1, 2), -3, 5]), 6)
KEEPING: dict[str, Any] = {
    "keep_highest": lambda shown, n: shown[len(shown) - n :],
    "keep_lowest": lambda shown, n: shown[:n],
    "drop_highest": lambda shown, n: shown[: len(shown) - n],
    "drop_lowest": lambda shown, n: shown[n:],
}
READINGS: dict[str, Any] = {
    "sum": sum,
    "highest": lambda shown: shown[-1],
    "lowest": lambda shown: shown[0],
    "median": lambda shown: (shown[(len(shown) - 1) // 2] + shown[len(shown) // 2]) * F(1, 2),
    "expand": identity,
    "highest_and_count": lambda shown: (shown[-1], shown.count(shown[-1])),
    "lowest_and_count": lambda shown: (shown[0], shown.count(shown[0])),
    "unique": lambda shown: len(set(shown)),
    "largest_set": lambda shown: max(Counter(shown).values()),
}


@pytest.mark.parametrize("verb", KEEPING)
@given(cards=NUMBERS)
@quick(15)
def test_cards_kept_by_rank(verb: str, cards: list[Any]) -> None:
    """Every reading of what is kept of every hand."""
    for count in range(len(cards) + 1):
        for many in range(count + 1):
            hand = getattr(Deck(cards).deal(count), verb)(many)
            kept: Ways = Counter()
            for shown, ways in hands(cards, count).items():
                kept[KEEPING[verb](shown, many)] += ways
            assert hand.size == len(next(iter(kept)))
            for name, reading in READINGS.items():
                if hand.size or name in ("sum", "expand"):
                    assert chances(getattr(hand, name)()) == law(reading, kept), name
            small = law(lambda shown: sum(card < 2 for card in shown), kept)
            assert chances(hand.count(lambda card: card < 2)) == small


@given(cards=NUMBERS)
@quick(20)
def test_what_cards_are_worth(cards: list[Any]) -> None:
    """A number, or a roll for each card: a 5 is worth 3 or 4, and -3 is 0 or, twice as often, 1."""
    rolled = {5: {3: 1, 4: 1}, -3: {0: 1, 1: 2}}
    for count in range(len(cards) + 1):
        for low in range(count + 1):
            hand = Deck(cards).deal(count).drop_lowest(low)
            model: Counter[Any] = Counter()
            for shown, ways in hands(cards, count).items():
                sums: Counter[Any] = Counter({0: F(ways)})
                for card in shown[low:]:
                    table = rolled.get(card, {card: 1})
                    size, after = sum(table.values()), Counter[Any]()
                    for total, chance in sums.items():
                        for value, weight in table.items():
                            after[total + value] += chance * F(weight, size)
                    sums = after
                model.update(sums)
            every = comb(len(cards), count)
            found = hand.total(lambda card: Dist(rolled[card]) if card in rolled else card)
            assert chances(found) == {value: chance / every for value, chance in model.items()}


def test_cards_worth_open_ended_rolls() -> None:
    """One ace of two with chance 2/3, both with 1/3; a six that goes on means 4.2."""
    six = chain(d6, {6})
    found = Deck("AAB").deal(2).total(lambda card: six if card == "A" else 10)
    assert found.mean == F(2, 3) * (F(21, 5) + 10) + F(1, 3) * F(42, 5)
    assert Deck("AA").deal(1).total(lambda card: six) == six


def test_the_highest_of_tarot() -> None:
    """The highest of n cards 1 to N is m in C(m - 1, n - 1) hands; its mean is n(N + 1)/(n + 1)."""
    hand = Deck(range(1, 79)).deal(3)
    for top in range(3, 79):
        assert hand.highest().p(top) == F(comb(top - 1, 2), comb(78, 3))
    assert hand.highest().mean == F(3 * 79, 4)
    assert hand.lowest().mean == F(79, 4)
    assert hand.median().mean == F(79, 2)


def test_a_kept_hand_meets_another_source() -> None:
    """The best card is 2 once and 3 twice of three hands; a die equal to it wins here."""
    better = fold(
        [Deck([1, 2, 3]).deal(2).keep_highest(1), d6.pool(1)],
        lambda state, face, card, die: state or ("card" if card > die else "die" if die else ""),
        "",
        descending=True,
    )
    assert better.p("card") == F(1, 3) * F(1, 6) + F(2, 3) * F(2, 6)


def test_cards_that_are_not_there_are_not_kept() -> None:
    hand = Deck([1, 2, 3]).deal(2)
    with pytest.raises(RuleError, match="cannot keep 3 cards of 2: keep 2 at most"):
        hand.keep_highest(3)
    with pytest.raises(RuleError, match="the middle 1 of 2 cards is not balanced"):
        hand.middle()
    with pytest.raises(RuleError, match="no ranks 1 to 3 among 2 cards"):
        hand.window(1, 3)
    for refused in (Deck([1]).deal(0).highest, Deck([1]).deal(0).lowest):
        with pytest.raises(RuleError, match="a hand of no cards has no highest"):
            refused()
    with pytest.raises(RuleError, match="a hand of no cards has no median"):
        Deck([1]).deal(0).median()
    assert repr(hand.keep_highest(1)) == (
        "<Hand of 2 from Deck({1: 1, 2: 1, 3: 1}), ranks 1 to 2 kept>"
    )


def test_too_many_hands_are_refused() -> None:
    with pytest.raises(TooLarge, match="use fewer dice"):
        FRENCH.deal(26).expand(budget=10**6)
    with pytest.raises(TooLarge, match="use fewer dice"):
        Deck(dict.fromkeys(range(13), 4)).deals(5, 5).fold(record, (), budget=10_000)


def test_a_hand_and_dice_read_alike() -> None:
    """A single card from one of each face is a die."""
    assert Deck(range(1, 7)).deal(1).expand() == Pool([d6]).expand()
    assert Deck(range(1, 7)).deal(1).sum() == odds("d6")[0].dist


# --- decks from decks


def test_decks_shuffled_together() -> None:
    both = Deck([1, 2]) + Deck([2, "ace"])
    assert both == Deck([1, 2, 2, "ace"])
    assert both.deal(2).count(lambda card: card == 2).p(2) == F(1, 6)
    assert Deck([]) + Deck("A") == Deck("A")
    assert Deck("A") + Deck("A") != Deck("A")
    with pytest.raises(TypeError):
        Deck("A") + 1


def test_other_faces_on_the_cards() -> None:
    """Court cards count 10; 16 of 52 cards are worth 10."""
    ranks = Deck(dict.fromkeys(range(1, 14), 4))
    worth = ranks.map(lambda card: min(card, 10))
    assert worth.cards == dict.fromkeys(range(1, 10), 4) | {10: 16}
    assert worth.size == ranks.size
    assert Deck({1: 2, 2: 2}).map({1: 5, 2: 6}.get) == Deck({5: 2, 6: 2})
    assert FRENCH.map(lambda card: card[0]) == Deck(dict.fromkeys("CDHS", 13))


@pytest.mark.parametrize("face", [0.5, None])
def test_other_faces_are_outcomes(face: Any) -> None:
    with pytest.raises(OutcomeError):
        Deck("A").map(lambda _: face)
