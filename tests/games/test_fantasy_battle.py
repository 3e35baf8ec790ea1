"""Fantasy-battle dice, rule by rule.

Values without a derivation are those the rules are stated with; everything else is enumerated here:
every first roll, every second roll, every third one, with plain loops.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith import Dist, artillery, chain, d, d6, scatter
from oddsmith.cli.main import main
from oddsmith.errors import NeverEnds, OddsmithError, RuleError, TooLarge
from oddsmith.games import fantasy_battle as game
from oddsmith.games.catalogue import game as game_called
from oddsmith.games.fantasy_battle import (
    cancel,
    checks,
    percentage_of,
    random_selection,
    reroll,
    roll,
    roll_off,
)

F = Fraction
D6 = range(1, 7)
ARTILLERY = [2, 4, 6, 8, 10, "Misfire"]
TWO = list(product(D6, repeat=2))


def share(outcomes: Iterable[Any]) -> dict[Any, Fraction]:
    """Equally likely outcomes as chances."""
    counts = Counter(outcomes)
    return {outcome: F(n, counts.total()) for outcome, n in counts.items()}


def table(dist: Any) -> dict[Any, Fraction]:
    return dict(dist.items())


# --- F1 to F3: the dice


def test_f1_a_d3_is_a_d6_halved() -> None:
    assert table(game.d3()) == share((face + 1) // 2 for face in D6)
    assert table(game.d3()) == {1: F(1, 3), 2: F(1, 3), 3: F(1, 3)}
    assert game.d3() == game.halve(d6)


def test_f1_several_d3_with_a_modifier() -> None:
    expected = share((a + 1) // 2 + (b + 1) // 2 + 1 for a, b in TWO)
    assert table(game.d3(2, modifier=1)) == expected


def test_f1_a_d3_that_re_rolls_1s_looks_at_the_halved_value() -> None:
    """Two faces of the D6 are a 1 on the D3; looking at the D6's own 1 would give 2/9."""
    expected = share((b if a <= 2 else a) + 1 >> 1 for a, b in TWO)
    assert table(reroll(game.d3(), reroll="1s")) == expected
    assert expected == {1: F(1, 9), 2: F(4, 9), 3: F(4, 9)}


def test_f2_the_artillery_die() -> None:
    found = game.artillery()
    assert table(found["face"]) == share(ARTILLERY)
    assert found["Misfire"] == F(1, 6)
    assert found["mean without a Misfire"].value == F(2 + 4 + 6 + 8 + 10, 5) == 6


def test_f2_the_artillery_die_has_no_mean_with_its_misfire() -> None:
    with pytest.raises(OddsmithError, match="Misfire"):
        _ = game.artillery()["face"].mean


@pytest.mark.parametrize("hits", range(7))
@pytest.mark.parametrize("directions", [1, 2, 8])
def test_f3_the_scatter_die(hits: int, directions: int) -> None:
    names = [f"arrow {k} of {directions}" for k in range(1, directions + 1)]
    names = ["arrow"] if directions == 1 else names
    faces = [name for face in range(6) for name in (["Hit!"] * len(names), names)[face >= hits]]
    assert table(game.scatter(hits, directions)) == share(faces)


def test_f3_two_hits_unless_said() -> None:
    assert game.scatter().p("Hit!") == F(1, 3)
    assert game.scatter(1).p("Hit!") == F(1, 6)


@pytest.mark.parametrize("hits", [0, 1, 2, 6])
def test_f2_f3_both_at_once(hits: int) -> None:
    def spot(arrow: str, shown: Any) -> Any:
        if shown == "Misfire":
            return "Misfire"
        return "Hit!" if arrow == "Hit!" else shown

    faces = ["Hit!"] * hits + ["arrow"] * (6 - hits)
    expected = share(spot(*pair) for pair in product(faces, ARTILLERY))
    assert table(game.scatter_and_artillery(hits)) == expected


def test_f2_f3_a_misfire_spoils_even_a_hit() -> None:
    """10 of the 36 pairs are a Hit! with a number; 6 are a Misfire."""
    both = game.scatter_and_artillery()
    assert (both.p("Hit!"), both.p("Misfire")) == (F(5, 18), F(1, 6))


@pytest.mark.parametrize(("within", "numbers"), [(0, 0), (1, 0), (2, 1), (4, 2), (9, 4), (10, 5)])
def test_f2_f3_lands_within(within: int, numbers: int) -> None:
    """A Hit! with a number (10 of 36), or an arrow (4 faces) with so many of the numbers."""
    assert game.scatter_and_artillery(within=within) == F(10 + 4 * numbers, 36)


# --- F4: special dice are not re-rolled


@pytest.mark.parametrize("die", [artillery, scatter, game.scatter(), game.scatter(directions=3)])
def test_f4_special_dice_are_not_re_rolled(die: Dist[Any]) -> None:
    asked: list[Callable[[], Any]] = [
        lambda: reroll(die, reroll="all"),
        lambda: reroll(die, reroll="none"),
        lambda: reroll(die, 4),
        lambda: cancel(4, dice=die),
        lambda: checks(die),
    ]
    for ask in asked:
        with pytest.raises(RuleError, match="F4"):
            ask()


def test_f4_unless_a_rule_says_so() -> None:
    found = reroll(artillery, reroll="Misfire", even_special=True)
    expected = share(b if a == "Misfire" else a for a, b in product(ARTILLERY, repeat=2))
    assert table(found) == expected
    assert found.p("Misfire") == F(1, 36)
    hit = reroll(game.scatter(), reroll="arrow", even_special=True)
    assert hit.p("Hit!") == 1 - F(2, 3) ** 2


def test_f4_a_misfire_fails_every_check() -> None:
    """Numbers of 6 or more are 3 of 6 faces; failures are 2, 4 and Misfire."""
    assert roll(artillery, target=6) == F(1, 2)
    assert roll(artillery, target=6, under=True) == F(1, 2)
    assert reroll(artillery, 6, even_special=True) == F(3, 4)
    assert reroll(artillery, 6, reroll="failed", under=True, even_special=True) == F(3, 4)
    assert cancel(6, dice=artillery, even_special=True) == F(1, 2)


def test_f4_without_a_re_roll_nothing_is_forbidden() -> None:
    assert reroll(artillery, 6, sources=0) == F(1, 2)


# --- F5: division rounds up


def test_f5_two_dice_halved() -> None:
    """Mean 15/4; two D3s would have the mean 4."""
    expected = {1: F(1, 36), 2: F(5, 36), 3: F(1, 4), 4: F(11, 36), 5: F(7, 36), 6: F(1, 12)}
    assert table(game.halve(2 @ d6)) == expected
    assert expected == share((a + b + 1) // 2 for a, b in TWO)
    assert game.halve(2 @ d6).mean == F(15, 4)
    assert game.d3(2).mean == 4


@pytest.mark.parametrize(("value", "percent", "part"), [(51, 10, 6), (100, 7, 7), (50, 10, 5)])
def test_f5_percentages(value: int, percent: int, part: int) -> None:
    """10 % of 51 is 5.1, so 6; 7 % of 100 is 7, not 8 as with floats; 10 % of 50 is 5."""
    for written in (percent, str(percent), f"{percent}%", f" {percent} % ", F(percent)):
        assert table(percentage_of(value, written)) == {part: 1}


def test_f5_parts_of_a_percent() -> None:
    """12.5 % of 16 is 2, of 17 is 2.125; 1/3 % of 300 is 1; 150 % of 3 is 4.5."""
    assert [percentage_of(n, "12.5%").low for n in (16, 17)] == [2, 3]
    assert percentage_of(300, "1/3").low == 1
    assert percentage_of(3, 150).low == 5
    assert percentage_of(3, 0).low == 0


@settings(deadline=None)
@given(st.integers(-50, 500), st.integers(1, 40))
def test_f5_any_value_by_any_number(value: int, by: int) -> None:
    """Rounding up: the least whole number that is not below the quotient."""
    (found,) = game.divide(value, F(by))
    assert (found - 1) * by < value <= found * by


@settings(deadline=None)
@given(st.integers(0, 300), st.integers(0, 300))
def test_f5_any_percentage(value: int, percent: int) -> None:
    (found,) = percentage_of(value, percent)
    assert (found - 1) * 100 < value * percent <= found * 100


def test_f5_division_by_a_fraction() -> None:
    """7 divided by 3/2 is 4 and 2/3."""
    assert table(game.divide(7, F(3, 2))) == {5: 1}


@pytest.mark.parametrize("by", [0, -1, F(-1, 2)])
def test_f5_divisors_above_0(by: Any) -> None:
    with pytest.raises(RuleError, match="F5"):
        game.divide(7, by)


@pytest.mark.parametrize("percent", [-1, "-10%", 7.0, "some", "", "1/0", None])
def test_f5_percentages_that_are_none(percent: Any) -> None:
    with pytest.raises(RuleError, match="F5"):
        percentage_of(100, percent)


def test_f5_a_misfire_is_not_divided() -> None:
    with pytest.raises(RuleError, match=r"Misfire is no number .*F5"):
        game.halve(artillery)


# --- F6: modifiers, sums, multiples


@given(st.integers(1, 3), st.integers(-8, 8), st.integers(1, 6))
@settings(max_examples=30, deadline=None)
def test_f6_shift_and_multiply(dice: int, modifier: int, multiplier: int) -> None:
    """The multiple comes first, then the shift: one roll is multiplied, not several added."""
    expected = share(sum(faces) * multiplier + modifier for faces in product(D6, repeat=dice))
    assert table(roll(dice @ d6, modifier, multiplier)) == expected


def test_f6_by_name() -> None:
    assert table(roll(d6, multiplier=5)) == dict.fromkeys(range(5, 31, 5), F(1, 6))
    assert (roll(2 @ d6).low, roll(2 @ d6).high) == (2, 12)
    assert table(roll(d6, -1)) == dict.fromkeys(range(6), F(1, 6))


def test_f6_a_floor_is_an_option() -> None:
    """D6-1 is 0 or 1 in two of six cases."""
    assert roll(d6, -1, floor=1).p(1) == F(1, 3)
    assert roll(d6, floor=3).p(3) == F(1, 2)


def test_f6_checks() -> None:
    assert roll(2 @ d6, target=9) == F(sum(a + b >= 9 for a, b in TWO), 36) == F(5, 18)
    assert roll(2 @ d6, target=8, under=True) == F(sum(a + b <= 8 for a, b in TWO), 36)
    assert roll(d6, 1, target=4) == F(2, 3)


@pytest.mark.parametrize("change", [{"modifier": 1}, {"multiplier": 2}, {"floor": 1}])
def test_f6_a_misfire_is_not_modified(change: dict[str, int]) -> None:
    with pytest.raises(RuleError, match=r"Misfire is no number .*F6"):
        roll(artillery, **change)


# --- F7, F8: re-rolls


def again(dice: int, picked: Callable[[int], bool]) -> list[int]:
    """Totals after all dice were rolled again where the first total is picked, once."""
    totals = [sum(faces) for faces in product(D6, repeat=dice)]
    return [b if picked(a) else a for a, b in product(totals, repeat=2)]


@pytest.mark.parametrize(
    ("target", "chance"),
    [(9, "155/324"), (7, "119/144"), (8, "95/144")],
)
def test_f7_a_failed_roll_of_two_dice_again(target: int, chance: str) -> None:
    """8 or more: 15/36 = 5/12 of first rolls, and of 7/12 of the others: 5/12 + 35/144."""
    found = again(2, lambda total: total < target)
    assert reroll(2 @ d6, target) == F(chance)
    assert F(chance) == F(sum(total >= target for total in found), len(found))


def test_f7_the_second_result_stands_even_if_it_is_worse() -> None:
    """A 5 again and again: 1/6 of a 5 by re-roll, the 5 itself never stays."""
    found = reroll(d6, reroll="5s")
    assert table(found) == share(again(1, lambda face: face == 5))
    assert found.p(5) == F(1, 36)


def test_f7_low_rolls_may_be_wanted() -> None:
    """Leadership 8: 26/36 = 13/18, and with a re-roll 1 - (5/18)**2 = 299/324."""
    assert reroll(2 @ d6, 8, under=True) == F(299, 324)


@given(st.integers(1, 2), st.sets(st.integers(1, 12), min_size=1), st.integers(1, 13))
@settings(max_examples=40, deadline=None)
def test_f7_any_results(dice: int, picked: set[int], target: int) -> None:
    shown = {face for face in picked if dice <= face <= 6 * dice}
    text = ",".join(map(str, sorted(shown))) or "none"
    found = again(dice, lambda total: total in shown)
    assert table(reroll(dice @ d6, reroll=text)) == share(found)
    assert reroll(dice @ d6, target, text) == F(sum(t >= target for t in found), len(found))


def test_f8_two_sources_are_as_good_as_one() -> None:
    """P(1) stays 1/36, and a 4+ is 3/4; a third roll would make it 7/8."""
    for sources in (1, 2, 5):
        assert reroll(d6, reroll="1s", sources=sources).p(1) == F(1, 36)
        assert reroll(d6, 4, sources=sources) == F(3, 4)
    assert reroll(d6, 4, sources=0) == F(1, 2)


def test_f8_two_sources_with_different_faces() -> None:
    """1s and failures of a 3+: a re-rolled die that shows a 1 is not rolled again."""
    assert reroll(d6, 3, "1s, failed") == reroll(d6, 3, "failed") == F(8, 9)
    assert table(reroll(d6, reroll="1s,6s")) == share(again(1, lambda face: face in (1, 6)))


@pytest.mark.parametrize(
    ("text", "faces"),
    [
        ("1", {1}), ("1s", {1}), ("2-4", {2, 3, 4}), ("2-4s", {2, 3, 4}), ("1, 6", {1, 6}),
        ("all", {1, 2, 3, 4, 5, 6}), ("any", {1, 2, 3, 4, 5, 6}), ("none", set()),
        ("failed", {1, 2, 3}), ("Failures", {1, 2, 3}), ("successes", {4, 5, 6}),
        ("successful,1", {1, 4, 5, 6}), ("5-9", {5, 6}),
    ],
)  # fmt: skip
def test_words_for_results(text: str, faces: set[int]) -> None:
    found = again(1, lambda face: face in faces)
    assert reroll(d6, 4, text) == F(sum(face >= 4 for face in found), 36)


def test_results_below_0() -> None:
    """D6-3 is -2 to 3; a re-rolled -1 or -2 stays with 2/6 * 2/6."""
    assert reroll(d6 - 3, reroll="-2--1").at_most(-1) == F(1, 9)


# --- F9: which dice


def best_single(roll: tuple[int, ...], passes: Callable[[int], bool]) -> Fraction:
    """The best chance of a roll that has one die rolled again."""
    rests = [sum(roll) - face for face in roll]
    return max(F(sum(passes(rest + face) for face in D6), 6) for rest in rests)


@pytest.mark.parametrize(("dice", "target", "chance"), [(2, 7, "29/36"), (2, 9, "113/216")])
def test_f9_one_die_of_two(dice: int, target: int, chance: str) -> None:
    assert reroll(dice @ d6, target, which="one") == F(chance)


@given(st.integers(1, 3), st.integers(0, 19), st.booleans(), st.sampled_from(["failed", "all"]))
@settings(max_examples=40, deadline=None)
def test_f9_one_die_of_any_roll(dice: int, target: int, under: bool, words: str) -> None:
    def passes(total: int) -> bool:
        return total <= target if under else total >= target

    expected = F(0)
    for faces in product(D6, repeat=dice):
        stays = words == "failed" and passes(sum(faces))
        expected += F(1) if stays else best_single(faces, passes)
    found = reroll(dice @ d6, target, words, "one", under=under)
    assert found == expected / 6**dice


def test_f9_without_a_target_the_choice_is_for_the_mean() -> None:
    """All rolls have a die replaced, the lower one: the higher one stays, 161/36 + 7/2."""
    assert reroll(2 @ d6, reroll="all", which="one").mean == F(161, 36) + F(7, 2)
    low = reroll(2 @ d6, reroll="all", which="one", under=True)
    assert low.mean == F(91, 36) + F(7, 2)


@given(st.integers(1, 3), st.sets(st.integers(1, 6), min_size=1, max_size=3), st.integers(-2, 2))
@settings(max_examples=30, deadline=None)
def test_f9_each_die_that_shows_a_face(dice: int, faces: set[int], added: int) -> None:
    one = Counter(b if a in faces else a for a, b in TWO)
    expected: dict[int, Fraction] = {}
    for shown in product(D6, repeat=dice):
        chance = F(1)
        for face in shown:
            chance *= F(one[face], 36)
        total = sum(shown) + added
        expected[total] = expected.get(total, F(0)) + chance
    text = ",".join(f"{face}s" for face in faces)
    found = table(reroll(dice @ d6 + added, reroll=text, which="each"))
    assert found == {total: chance for total, chance in expected.items() if chance}


def test_f9_each_die_is_not_all_dice() -> None:
    """Re-rolling 1s die by die, and re-rolling a total of 2 as a whole, both leave a 2 with 1/1296.

    But a 3 is a 1 and a 2: its 1 has to come twice, while the whole roll leaves it alone.
    """
    each = reroll(2 @ d6, reroll="1s", which="each")
    whole = reroll(2 @ d6, reroll="2", which="all")
    assert each.p(2) == whole.p(2) == F(1, 1296)
    assert whole.p(3) == F(2, 36) + F(1, 36) * F(2, 36)
    assert each.p(3) == 2 * F(1, 36) * F(7, 36)


def test_f9_d3s_and_modified_rolls_are_told_apart() -> None:
    """2D3 and 2D6+1, by hand: a failed 2D3 of 5+ (3 of 9 pass) keeps its higher die."""
    triples = list(product((1, 2, 3), repeat=2))
    expected = F(0)
    for a, b in triples:
        passes = a + b >= 5
        expected += F(1) if passes else F(sum(max(a, b) + c >= 5 for c in (1, 2, 3)), 3)
    assert reroll(game.d3(2), 5, which="one") == expected / 9
    assert reroll(2 @ d6 + 1, 8, which="one") == reroll(2 @ d6, 7, which="one") == F(29, 36)


@pytest.mark.parametrize("which", ["one", "each"])
@pytest.mark.parametrize("dice", [d(8), d6 + d(8), d6 * 5, Dist([1, 6]), Dist({4: 1})])
def test_f9_single_dice_of_other_rolls_are_unknown(which: Any, dice: Dist[Any]) -> None:
    with pytest.raises(RuleError, match="F9"):
        reroll(dice, reroll=str(dice.low), which=which)


# --- F10, F11: two rules at odds


GRANTS = {"failures": lambda face, target: face < target, "1s": lambda face, _: face == 1}


@pytest.mark.parametrize("grant", sorted(GRANTS))
@pytest.mark.parametrize("target", range(2, 7))
def test_f10_equal_rules_cancel(grant: str, target: int) -> None:
    assert cancel(target, grant) == F(7 - target, 6)
    assert cancel(target, grant, order="force", again="either") == F(7 - target, 6)


def test_f10_values() -> None:
    """4+ stays 1/2; 3+ against "1s" stays 2/3."""
    assert cancel(4) == F(1, 2)
    assert cancel(3, "1s") == F(2, 3)
    assert cancel(9, dice=2 @ d6) == F(5, 18)


def test_f10_only_while_both_apply() -> None:
    """One alone is an ordinary re-roll: 8/9 for failures of a 3+, 4/9 for its successes."""
    assert cancel(3, force="none") == F(8, 9)
    assert cancel(3, grant="none") == F(4, 9)
    assert cancel(3, "none", "none") == F(2, 3)
    assert cancel(3, "none", unequal=True) == F(4, 9)


def test_f10_the_results_themselves() -> None:
    """Without a target the last faces are asked for; explicit faces cancel as well."""
    assert cancel(grant="1s", force="6s") == d6
    assert cancel(grant="1s", force="none") == reroll(d6, reroll="1s")


@pytest.mark.parametrize(
    ("grant", "target", "chance"),
    [
        ("failures", 4, "1/2"),
        ("failures", 3, "20/27"),
        ("failures", 2, "25/27"),
        ("1s", 3, "16/27"),
    ],
)
def test_f11_unequal_rules(grant: str, target: int, chance: str) -> None:
    assert cancel(target, grant, unequal=True) == F(chance)


def test_f11_other_readings() -> None:
    """3+ against "1s": nobody acts on a re-roll 5/9, anybody does 25/54.

    The granting rule first: 7/9 succeed after it, and 2/3 of these once more, 14/27. The forcing
    rule first: 4/9 succeed after it and 5/18 show a 1, of which 2/3 succeed, 17/27.
    """
    assert cancel(3, "1s", unequal=True, again="none") == F(5, 9)
    assert cancel(3, "1s", unequal=True, again="either") == F(25, 54)
    assert cancel(3, "1s", unequal=True, order="grant") == F(7, 9) * F(2, 3) == F(14, 27)
    assert cancel(3, "1s", unequal=True, order="force") == F(4, 9) + F(5, 18) * F(2, 3) == F(17, 27)


def last_face(
    dice: tuple[int, int, int], grant: set[int], force: set[int], order: str, again: str
) -> int:
    """What lies on the table in the end, told as at the table; dice come up in this order."""
    first, second, third = dice
    if order == "either":
        if first not in grant | force:
            return first
        who = {"grant"} if first in grant else {"force"}
        if again == "none":
            return second
        acts = {"grant": second in grant, "force": second in force}
        if again == "other":
            acts = {name: acts[name] and name not in who for name in acts}
        return third if any(acts.values()) else second
    early, late = (grant, force) if order == "grant" else (force, grant)
    if first in early:
        return third if second in late and again != "none" else second
    if first not in late:
        return first
    return third if second in late and again == "either" else second


@settings(max_examples=80, deadline=None)
@given(
    st.sets(st.integers(1, 6), min_size=1), st.sets(st.integers(1, 6), min_size=1),
    st.sampled_from(["either", "grant", "force"]), st.sampled_from(["other", "either", "none"]),
)  # fmt: skip
def test_f11_every_order_and_every_reading(
    grant: set[int], force: set[int], order: Any, again: Any
) -> None:
    if order == "either" and again == "other":
        force = force - grant
    expected = share(last_face(dice, grant, force, order, again) for dice in product(D6, repeat=3))
    if not force:
        expected = share(b if a in grant else a for a, b in TWO)
    names = [",".join(map(str, sorted(faces))) or "none" for faces in (grant, force)]
    found = cancel(None, *names, unequal=True, order=order, again=again)
    assert table(found) == expected


def test_f11_on_two_dice_all_of_them_are_rolled_again() -> None:
    """9 or more on 2D6 has p = 5/18: first failed (1 - p) then p * p; first passed p * (1 - q),
    q being two failures in a row.
    """
    p = F(5, 18)
    expected = (1 - p) * p * p + p * (1 - (1 - p) ** 2)
    assert cancel(9, unequal=True, dice=2 @ d6) == expected


def test_f11_both_want_the_same_face() -> None:
    """Then the order has to be said. 1s for both: first 1, second by the other rule, third."""
    with pytest.raises(RuleError, match=r"both rules re-roll 1 \(F11\).*order grant"):
        cancel(4, "1s", "1s", unequal=True)
    for order in ("grant", "force"):
        found = cancel(None, "1s", "1s", unequal=True, order=order)  # type: ignore[arg-type]
        assert found.p(1) == F(1, 216)


# --- F12: roll-offs


def winning(modifiers: tuple[int, ...], apply: str, sides: int = 6) -> list[Fraction]:
    """The chance of each player: every round of every set of players still in."""
    known: dict[tuple[int, ...], dict[int, Fraction]] = {}

    def round_of(players: tuple[int, ...], plus: bool) -> dict[tuple[int, ...], Fraction]:
        outcomes = []
        for faces in product(range(1, sides + 1), repeat=len(players)):
            totals = [face + modifiers[k] * plus for face, k in zip(faces, players, strict=True)]
            best = max(totals)
            outcomes.append(tuple(k for k, t in zip(players, totals, strict=True) if t == best))
        return share(outcomes)

    def later(players: tuple[int, ...]) -> dict[int, Fraction]:
        if len(players) == 1:
            return {players[0]: F(1)}
        if players not in known:
            rounds = round_of(players, apply == "always")
            stay = rounds.pop(players, F(0))
            found = dict.fromkeys(players, F(0))
            for left, chance in rounds.items():
                for player, p in later(left).items():
                    found[player] += chance * p / (1 - stay)
            known[players] = found
        return known[players]

    everyone = tuple(range(len(modifiers)))
    result = dict.fromkeys(everyone, F(0))
    for left, chance in round_of(everyone, apply != "never").items():
        for player, p in later(left).items():
            result[player] += chance * p
    return [result[player] for player in everyone]


def chances(found: dict[str, Any]) -> list[Fraction]:
    return [value for name, value in found.items() if name.endswith(" wins")]


@pytest.mark.parametrize(("modifier", "chance"), [(0, "1/2"), (1, "21/31"), (2, "13/16")])
def test_f12_two_players(modifier: int, chance: str) -> None:
    assert chances(roll_off(modifier)) == [F(chance), 1 - F(chance)]


def test_f12_three_players() -> None:
    found = roll_off(1, players=3)
    assert found["player 1 wins"] == F(3451, 6541)
    assert chances(found) == chances(roll_off(modifiers=(1, 0, 0)))
    assert sum(chances(found)) == 1


def test_f12_modifiers_that_do_not_apply_again() -> None:
    """Forgotten on the second roll: 21/36 + 5/36 * 1/2 = 47/72. Never: an even roll-off."""
    assert chances(roll_off(1, apply="first"))[0] == F(21, 36) + F(5, 36) / 2 == F(47, 72)
    assert chances(roll_off(1, apply="never")) == [F(1, 2), F(1, 2)]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.integers(-3, 3), min_size=2, max_size=4),
    st.sampled_from(["always", "first", "never"]), st.integers(4, 6),
)  # fmt: skip
def test_f12_any_players(modifiers: list[int], apply: Any, sides: int) -> None:
    found = roll_off(modifiers=modifiers, apply=apply, dice=d(sides))
    assert chances(found) == winning(tuple(modifiers), apply, sides)


def test_f12_the_first_round() -> None:
    """Two players tie with 6/36, with +1 5/36; of three 19/24 are settled: 171 of 216."""
    assert roll_off()["settled in the first round"] == F(5, 6)
    assert roll_off(1)["settled in the first round"] == F(31, 36)
    triples = product(range(2, 8), D6, D6)
    alone = sum(triple.count(max(triple)) == 1 for triple in triples)
    assert roll_off(1, 3)["settled in the first round"] == F(alone, 216) == F(19, 24)


def test_f12_the_number_of_rounds_of_two() -> None:
    """Every round ties with 5/36, so the number of rounds is geometric: mean 36/31."""
    found = roll_off(1, rounds=True)
    for count in range(1, 6):
        assert found.p(count) == F(5, 36) ** (count - 1) * F(31, 36)
    assert found.mean == roll_off(1)["mean number of rounds"].value == F(36, 31)


def test_f12_the_number_of_rounds_of_three() -> None:
    """Three tie with 6/216, two for highest with 3 * 15/216, and two of them go on as above."""
    found = roll_off(players=3, rounds=True)
    three, two = F(6, 216), F(45, 216)
    assert found.p(1) == 1 - three - two
    assert found.p(2) == three * (1 - three - two) + two * F(5, 6)
    mean = (1 + two * F(6, 5)) / (1 - three)
    assert found.mean == roll_off(players=3)["mean number of rounds"].value == mean


def test_f12_only_the_first_round_is_modified() -> None:
    """+1 ties with 5/36; after that 1/6 of the rounds tie."""
    found = roll_off(1, apply="first", rounds=True)
    assert found.p(2) == F(5, 36) * F(5, 6)
    assert found.p(3) == F(5, 36) * F(1, 6) * F(5, 6)


def test_f12_a_modifier_too_large_for_a_tie() -> None:
    assert chances(roll_off(6)) == [1, 0]
    assert table(roll_off(6, rounds=True)) == {1: 1}


def test_f12_many_players_alike() -> None:
    assert chances(roll_off(players=20)) == [F(1, 20)] * 20
    with pytest.raises(TooLarge):
        roll_off(modifiers=range(12))


def test_f12_a_tie_for_ever() -> None:
    with pytest.raises(NeverEnds):
        roll_off(dice=Dist({3: 1}))
    assert chances(roll_off(1, dice=Dist({3: 1}))) == [1, 0]


# --- F13: random selection


@pytest.mark.parametrize("options", range(1, 7))
def test_f13_one_face_each(options: int) -> None:
    """Every option is as likely; a roll matches with n/6, so the mean number of rolls is 6/n."""
    found = random_selection(options)
    names = [f"option {place}" for place in range(1, options + 1)]
    assert table(found["choice"]) == dict.fromkeys(names, F(1, options))
    assert found["mean number of rolls"].value == F(6, options)


@pytest.mark.parametrize("options", range(1, 7))
def test_f13_the_number_of_rolls(options: int) -> None:
    found = random_selection(options, rolls=True)
    match = F(options, 6)
    for count in range(1, 6):
        assert found.p(count) == (1 - match) ** (count - 1) * match


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-1, 3), min_size=6, max_size=10))
def test_f13_any_assignment(places: list[int]) -> None:
    """Faces are given to options 0 to 3, or to nobody."""
    given_to: dict[str, list[int]] = {}
    for face, place in enumerate(places, 1):
        if place >= 0:
            given_to.setdefault(f"thing {place}", []).append(face)
    if not given_to:
        return
    used = sum(map(len, given_to.values()))
    found = random_selection(assign=given_to, sides=len(places))
    assert table(found["choice"]) == {name: F(len(faces), used) for name, faces in given_to.items()}
    assert found["mean number of rolls"].value == F(len(places), used)


def test_f13_written_assignments() -> None:
    """3 faces of 5 for the sword; without names options are called by their places."""
    found = random_selection(assign="sword = 1-2, 5 / axe=3/bow=4")
    assert table(found["choice"]) == {"sword": F(3, 5), "axe": F(1, 5), "bow": F(1, 5)}
    assert found["mean number of rolls"].value == F(6, 5)
    plain = random_selection(assign="1,2/3")
    assert table(plain["choice"]) == {"option 1": F(2, 3), "option 2": F(1, 3)}


@pytest.mark.parametrize(
    ("options", "larger"), [(7, 8), (8, 8), (9, 10), (12, 12), (13, 20), (21, 100), (101, 101)]
)
def test_f13_more_than_six_options_need_a_larger_die(options: int, larger: int) -> None:
    with pytest.raises(RuleError, match=rf"D6 \(F13\): roll a D{larger}: --sides {larger}$"):
        random_selection(options)
    found = random_selection(options, sides=larger)
    assert found["mean number of rolls"].value == F(larger, options)


# --- the table of checks


@pytest.mark.parametrize("dice", [1, 2])
@pytest.mark.parametrize("under", [False, True])
def test_the_table_of_checks(dice: int, under: bool) -> None:
    found = checks(dice @ d6, under)
    totals = [sum(faces) for faces in product(D6, repeat=dice)]
    targets = sorted(set(totals))[: -1 if under else None][0 if under else 1 :]
    assert [name for name, _ in found.rows] == [str(target) for target in targets]
    for target in targets:

        def passes(total: int, target: int = target) -> bool:
            return total <= target if under else total >= target

        p = F(sum(map(passes, totals)), len(totals))
        single = [
            F(1) if passes(sum(faces)) else best_single(faces, passes)
            for faces in product(D6, repeat=dice)
        ]
        expected = {
            "plain": p,
            "failed again": p + (1 - p) * p,
            "one die again": sum(single, F(0)) / len(single),
            "successes again": p * p,
            "both, unequal": (1 - p) * p * p + p * (1 - (1 - p) ** 2),
        }
        assert {name: found.cell(str(target), name) for name in expected} == expected


def test_the_table_says_nothing_of_single_dice_it_does_not_know() -> None:
    assert checks(d(8)).cell("5", "one die again") is None
    assert checks(d(8)).cell("5", "failed again") == F(3, 4)


# --- what the rules forbid


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: game.d3(0), r"0 D3s .*F1"),
        (lambda: game.scatter(7), r"7 Hit! faces \(F3\)"),
        (lambda: game.scatter(-1), "F3"),
        (lambda: game.scatter(directions=0), "F3"),
        (lambda: game.scatter_and_artillery(7), "F3"),
        (lambda: game.scatter_and_artillery(within=-1), "F3"),
        (lambda: roll(d6, multiplier=0), "F6"),
        (lambda: roll(chain(d6, {6})), r"without end \(F6\)"),
        (lambda: roll("2d6"), r"2d6 is text, not dice \(F6\)"),
        (lambda: game.halve(chain(d6, {6})), "F5"),
        (lambda: reroll(d6), r"without a target .*F7"),
        (lambda: reroll(d6, reroll="successes"), "F7"),
        (lambda: reroll(d6, 4, ""), r"no results are named \(F7\)"),
        (lambda: reroll(d6, 4, "ones"), r"ones names no results \(F7\)"),
        (lambda: reroll(d6, 4, "7"), r"never show 7 \(F7\): name results from 1 to 6"),
        (lambda: reroll(2 @ d6, 9, "1s"), r"never show 1s \(F7\)"),
        (lambda: reroll(d6, 4, sources=-1), "F8"),
        (lambda: reroll(2 @ d6, 9, which="both"), r"by both \(F9\)"),  # type: ignore[arg-type]
        (lambda: reroll(2 @ d6, 9, which="each"), r"neither fails nor succeeds \(F9\)"),
        (lambda: reroll(2 @ d6, 9, "7", "each"), r"never show 7 \(F9\)"),
        (lambda: cancel(4, order="first"), "F11"),  # type: ignore[arg-type]
        (lambda: cancel(4, again="both"), "F11"),  # type: ignore[arg-type]
        (lambda: cancel(), r"without a target .*F10"),
        (lambda: roll_off(players=1), r"two players or more \(F12\)"),
        (lambda: roll_off(players=0), "F12"),
        (lambda: roll_off(modifiers=(1,)), "F12"),
        (lambda: roll_off(1, modifiers=(1, 0)), "F12"),
        (lambda: roll_off(players=3, modifiers=(1, 0)), "F12"),
        (lambda: roll_off(apply="once"), "F12"),  # type: ignore[arg-type]
        (lambda: roll_off(dice=artillery), r"Misfire is no number .*F12"),
        (lambda: random_selection(), "F13"),
        (lambda: random_selection(2, "1/2"), "F13"),
        (lambda: random_selection(0), "F13"),
        (lambda: random_selection(2, sides=0), "F13"),
        (lambda: random_selection(assign="1/2/3/4/5/6/7"), "roll a D8"),
        (lambda: random_selection(assign="1,2/2"), r"2 is given to option 1 and to option 2"),
        (lambda: random_selection(assign="axe=1/axe=2"), "same name"),
        (lambda: random_selection(assign="axe=7"), r"a D6 never shows 7 \(F13\): use faces 1 to 6"),
        (lambda: random_selection(assign="axe=0"), "F13"),
        (lambda: random_selection(assign="axe=3-2"), "axe has no face"),
        (lambda: random_selection(assign="axe=x"), "axe=x is no name with its faces"),
        (lambda: random_selection(assign="=1"), "F13"),
        (lambda: random_selection(assign="1//2"), "nothing is no name"),
        (lambda: random_selection(assign={}), "F13"),
        (lambda: random_selection(assign={"axe": ()}), "axe has no face"),
    ],
)
def test_what_the_rules_forbid(ask: Callable[[], Any], message: str) -> None:
    with pytest.raises(RuleError, match=message) as caught:
        ask()
    assert caught.value.hint


# --- the command line


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """The game's command, 80 columns wide: exit code, output, errors."""
    monkeypatch.setenv("COLUMNS", "80")

    def call(typed: str) -> tuple[Any, str, str]:
        with pytest.raises(SystemExit) as caught:
            main(["game", "fantasy-battle", *typed.split()])
        shown = capsys.readouterr()
        return caught.value.code or 0, shown.out, shown.err

    return call


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("roll-off --modifier 1", "67.74 %   21/31"),
        ("roll-off --modifiers 1,0,0", "52.76 %   3451/6541"),
        ("roll-off --modifier 1 --apply first", "47/72"),
        ("roll-off --modifier -1", "10/31"),
        ("roll-off --modifier 1", "1.161 rounds   36/31"),
        ("roll-off --modifier 1 --rounds", "mean 1.161 (36/31)"),
        ("roll-off --players 3 --modifier 1 --dice 2d6", "player 3 wins"),
        ("--dice 2d6 --target 9", "27.78 %   5/18"),
        ("roll --dice d6 --multiplier 5", "mean 17.5 (35/2)"),
        ("roll --dice d6 --modifier -1 --floor 1", "33.33 %"),
        ("d3 --count 2", "mean 4 "),
        ("artillery", "Misfire  16.67 %"),
        ("scatter --exact", "Hit!  33.33 %    1/3"),
        ("scatter-and-artillery --exact", "Hit!  27.78 %   5/18"),
        ("scatter-and-artillery --within 4", "50.00 %   1/2"),
        ("halve --dice 2d6", "mean 3.75 (15/4)"),
        ("halve --dice 7", "always 4"),
        ("divide --dice 7 --by 3/2", "always 5"),
        ("percentage-of --value 51 --percent 10", "always 6"),
        ("percentage-of --value 100 --percent 7%", "always 7"),
        ("reroll --dice 2d6 --target 9 --reroll failed", "47.84 %   155/324"),
        ("reroll --dice 2d6 --target 9+ --which one", "113/216"),
        ("reroll --dice d6 --target 4 --sources 2", "3/4"),
        ("reroll --dice 2d6 --target 8 --under", "299/324"),
        ("reroll --dice artillery --reroll misfire --even-special --exact", "1/36"),
        ("cancel --target 4", "50.00 %   1/2"),
        ("cancel --target 3 --grant 1s --unequal", "59.26 %   16/27"),
        ("cancel --target 3 --grant 1s --unequal --again none", "5/9"),
        ("cancel --target 3 --grant 1s --unequal --order grant", "14/27"),
        ("cancel --target 9 --dice 2d6", "5/18"),
        ("checks --exact", "20/27"),
        ("checks --dice 2d6", "47.84"),
        ("random-selection --options 4", "1.5 rolls   3/2"),
        ("random-selection --assign sword=1-2/axe=3", "sword  66.67 %"),
        ("random-selection --options 4 --rolls", "mean 1.5 (3/2)"),
        ("random-selection --options 7 --sides 8", "8/7"),
        ("--help", "F13  A random selection"),
        ("cancel --help", "F11  If the two are not equally powerful"),
    ],
)
def test_at_the_command_line(run: Any, typed: str, shown: str) -> None:
    code, out, err = run(typed)
    assert (code, err) == (0, "")
    assert shown in out


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("reroll --dice artillery --reroll misfire", "neither the artillery die nor the scatter"),
        ("halve --dice artillery", "F5"),
        ("percentage-of --value 51 --percent lots", "F5"),
        ("reroll --dice 2d6", "F7"),
        ("reroll --dice d6 --target 4 --sources -1", "F8"),
        ("cancel --target 4 --grant 1s --force 1s --unequal", "order grant"),
        ("roll-off --players 1", "F12"),
        ("random-selection --options 7", "roll a D8: --sides 8"),
        ("scatter --hit-faces 9", "F3"),
        ("roll", "--dice"),
        ("reroll --dice 2d6 --which two", "two"),
        ("charge", "No such command"),
    ],
)
def test_errors_at_the_command_line(run: Any, typed: str, message: str) -> None:
    code, out, err = run(typed)
    assert (code, out) == (2, "")
    assert message in err


def test_every_example_runs(run: Any) -> None:
    found = game_called("fantasy-battle")
    assert [number for number, _ in found.rules] == [f"F{k}" for k in range(1, 14)]
    covered = set()
    for call in found.calls:
        code, out, err = run(f"{call.name} {call.example}")
        assert (code, err) == (0, ""), call.name
        assert out.strip()
        for part in call.rules.split(", "):
            ends = [int(number) for number in re.findall(r"F(\d+)", part)]
            covered |= set(range(ends[0], ends[-1] + 1))
    assert covered == set(range(1, 14))
