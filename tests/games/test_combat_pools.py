"""Combat pools, rule by rule.

Values without a derivation are those the rules state; everything else is enumerated here: every
face of every die of an attack, or counted face by face.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import ceil, comb, floor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith import Dist, Pool, d6
from oddsmith.cli.main import main
from oddsmith.errors import NeverEnds, RuleError, TooLarge
from oddsmith.games.catalogue import game
from oddsmith.games.combat_bands import OUTCOMES, Check, check, crossed, faces, ladder
from oddsmith.games.combat_effects import effect_of
from oddsmith.games.combat_pools import (
    bands,
    bands_table,
    effect,
    effect_dice,
    hit_dice,
    nearest,
    percentile,
    sequence,
    successes,
    threshold,
    thresholds,
    weapons,
)

F = Fraction
DICE = (4, 6, 8, 10, 12, 20, 100)
Law = dict[Any, Fraction]


# --- every face of every die, without the engine


def succeeds(face: int, die: int, target: int, roll: str) -> bool:
    """Whether one face is a success."""
    assert 1 <= face <= die
    return face >= target if roll == "over" else face <= target


def band_of(face: int, die: int, best: int, worst: int, roll: str) -> str:
    """In which band one face lies."""
    line = list(range(1, die + 1)) if roll == "over" else list(range(die, 0, -1))
    if face in line[die - best :]:
        return "favourable"
    return "unfavourable" if face in line[:worst] else "plain"


def named(die: int, target: int, best: int, worst: int, roll: str = "over") -> Law:
    """The chances of the six outcomes, by looking at every face."""
    count: Counter[str] = Counter()
    for face in range(1, die + 1):
        ends = "success" if succeeds(face, die, target, roll) else "failure"
        count[f"{band_of(face, die, best, worst, roll)} {ends}"] += 1
    return {outcome: F(count[outcome], die) for outcome in OUTCOMES}


@cache
def summed(dice: int, sides: int) -> Law:
    """Sums of like dice, every roll counted."""
    count: Counter[int] = Counter()
    for roll in product(range(1, sides + 1), repeat=dice):
        count[sum(roll)] += 1
    return {total: F(ways, sides**dice) for total, ways in count.items()}


def one_attack(
    die: int, target: int, defence: tuple[int, int] | None, dice: tuple[int, int],
    best: int = 0, worst: int = 0, on: str = "attack", roll: str = "over",
) -> Law:  # fmt: skip
    """(hit, undefended, damage) of one attack, by every face of attack, defence and effect."""
    found: Law = {}
    ddie, dtarget = defence or (1, 2)
    other = "under" if roll == "over" else "over"
    for face, guard in product(range(1, die + 1), range(1, ddie + 1)):
        p = F(1, die * ddie)
        hit = succeeds(face, die, target, roll)
        through = hit and not (defence and succeeds(guard, ddie, dtarget, roll))
        number, sides = dice
        if on == "attack":
            band = band_of(face, die, best, worst, roll)
        else:
            band = band_of(guard, ddie, best, worst, other)
        if band == "favourable":
            number *= 2
        elif band == "unfavourable":
            number = max(1, number // 2)
        for total, q in summed(number, sides).items() if through else [(0, F(1))]:
            key = int(hit), int(through), total
            found[key] = found.get(key, F(0)) + p * q
    return found


def repeated(one: Law, times: int) -> Law:
    """So many independent attacks, added up."""
    found: Law = {(0, 0, 0): F(1)}
    for _ in range(times):
        after: Law = {}
        for (a, b, c), p in found.items():
            for (x, y, z), q in one.items():
                key = a + x, b + y, c + z
                after[key] = after.get(key, F(0)) + p * q
        found = after
    return found


def part(law: Law, place: int) -> Law:
    """One of the three numbers alone."""
    found: Law = {}
    for key, p in law.items():
        found[key[place]] = found.get(key[place], F(0)) + p
    return found


def held(dist: Any) -> Law:
    return dict(dist.items())


# --- C1


def test_c1_dice_that_meet_the_target_are_counted() -> None:
    for die, target, dice in product((4, 6, 10), (2, 4), (0, 1, 3)):
        count = Counter(
            sum(face >= target for face in roll) for roll in product(range(1, die + 1), repeat=dice)
        )
        expected = {k: F(ways, die**dice) for k, ways in count.items()}
        assert held(successes(dice, target, die)) == expected


def test_c1_binomial() -> None:
    """8 dice at 5+: C(8, k) (1/3)^k (2/3)^(8 - k)."""
    found = successes(8, 5)
    assert found.items() == [(k, comb(8, k) * F(1, 3) ** k * F(2, 3) ** (8 - k)) for k in range(9)]


def test_c1_rolled_under() -> None:
    """Three d100 at 37 or less: all three with (37/100)^3."""
    assert successes(3, 37, 100, "under").p(3) == F(37, 100) ** 3


@pytest.mark.parametrize(("target", "number"), [(1, 5), (7, 0)])
def test_c1_certain_and_impossible(target: int, number: int) -> None:
    assert held(successes(5, target)) == {number: 1}


# --- C2


@pytest.mark.parametrize(("target", "tenths"), [(2, 833), (3, 667), (4, 500), (5, 333), (6, 167)])
def test_c2_the_d6_table(target: int, tenths: int) -> None:
    (chance,) = threshold(target).values()
    assert chance == F(7 - target, 6)
    assert round(chance * 1000) == tenths


@settings(max_examples=60)
@given(st.integers(1, 60), st.integers(-5, 70))
def test_c2_on_every_die(die: int, target: int) -> None:
    (chance,) = threshold(target, die).values()
    assert chance == F(sum(face >= target for face in range(1, die + 1)), die)


@pytest.mark.parametrize(
    ("target", "roll", "words"),
    [
        (1, "over", "1+ on d6, certain: every face"),
        (0, "over", "0+ on d6, certain: every face"),
        (7, "over", "7+ on d6, impossible: no face"),
        (6, "over", "6+ on d6"),
        (2, "over", "2+ on d6"),
        (6, "under", "6 or less on d6, certain: every face"),
        (0, "under", "0 or less on d6, impossible: no face"),
        (1, "under", "1 or less on d6"),
    ],
)
def test_c2_certain_and_impossible_are_said(target: int, roll: Any, words: str) -> None:
    assert list(threshold(target, roll=roll)) == [words]


# --- C3


def test_c3_the_complete_table() -> None:
    table = thresholds(DICE)
    assert table.columns == tuple(f"d{die}" for die in DICE)
    assert [name for name, _ in table.rows] == [f"{target}+" for target in range(1, 101)]
    for die, target in product(DICE, range(1, 101)):
        ways = sum(face >= target for face in range(1, die + 1))
        assert table.cell(f"{target}+", f"d{die}") == F(ways, die)


def test_c3_values() -> None:
    assert thresholds().cell("6+", "d8") == F(3, 8)
    assert thresholds().cell("8+", "d20") == F(65, 100)
    assert thresholds().columns == ("d4", "d6", "d8", "d10", "d12", "d20")
    assert thresholds((7,)).cell("3+", "d7") == F(5, 7)


def test_c3_rolled_under() -> None:
    table = thresholds((6, 100), "under")
    assert table.cell("2 or less", "d6") == F(1, 3)
    assert table.cell("37 or less", "d100") == F(37, 100)
    assert table.cell("37 or less", "d6") == 1


def test_c3_65_percent_on_d20_is_8_exactly() -> None:
    table = nearest(F(65, 100))
    assert table.cell("d20: 8+", "chance") == F(13, 20)
    assert table.cell("d20: 8+", "difference") == 0
    assert table.cell("d6: 3+", "difference") == F(2, 3) - F(13, 20)


def test_c3_two_targets_may_be_equally_near() -> None:
    """65 % on d10 lies in the middle of 5+ (60 %) and 4+ (70 %)."""
    rows = [name for name, _ in nearest(F(65, 100), (10,)).rows]
    assert rows == ["d10: 5+", "d10: 4+"]


@settings(max_examples=60)
@given(
    st.fractions(0, 1, max_denominator=300), st.integers(1, 30), st.sampled_from(["over", "under"])
)
def test_c3_nothing_is_nearer(wanted: Fraction, die: int, roll: Any) -> None:
    chances = [F(count, die) for count in range(1, die + 1)]
    least = min(abs(chance - wanted) for chance in chances)
    rows = nearest(wanted, (die,), roll).rows
    assert len(rows) == sum(abs(chance - wanted) == least for chance in chances)
    for name, (chance, difference) in rows:
        assert chance is not None
        assert difference == chance - wanted
        assert abs(difference) == least
        number = int(name.split(": ")[1].removesuffix("+").removesuffix(" or less"))
        assert chance == F(sum(succeeds(f, die, number, roll) for f in range(1, die + 1)), die)


@pytest.mark.parametrize("wanted", [F(65), F(-1, 2), 0.65])
def test_c3_a_chance_lies_between_0_and_1(wanted: Any) -> None:
    with pytest.raises(RuleError, match="C3"):
        nearest(wanted)


@pytest.mark.parametrize("dice", [(), (0,), (6, -1)])
def test_c3_dice_there_are_not(dice: tuple[int, ...]) -> None:
    with pytest.raises(RuleError, match=r"\(C[23]\)"):
        thresholds(dice)


# --- C4


def test_c4_37_percent_both_ways() -> None:
    assert percentile(F(37, 100)) == {"37 or less on d100": F(37, 100)}
    assert percentile(F(37, 100), roll="over") == {"64+ on d100": F(37, 100)}
    assert percentile(target=37) == {"37 or less on d100": F(37, 100)}
    assert percentile(target=64, roll="over") == {"64+ on d100": F(37, 100)}


def test_c4_every_whole_percentage_both_ways() -> None:
    for hundredths, roll in product(range(101), ("over", "under")):
        ((words, chance),) = percentile(F(hundredths, 100), roll=roll).items()
        target = int(words.split()[0].removesuffix("+"))
        ways = sum(succeeds(face, 100, target, roll) for face in range(1, 101))
        assert chance == F(ways, 100) == F(hundredths, 100)


def test_c4_between_two_steps_names_the_nearest() -> None:
    with pytest.raises(RuleError, match=r"75/2 of a face of d100.*C4") as caught:
        percentile(F(375, 1000))
    assert caught.value.hint == (
        "the nearest that d100 shows is 37 % (37 faces), and just as near 38 % (38 faces)"
    )
    assert percentile(F(375, 1000), die=1000) == {"375 or less on d1000": F(3, 8)}


@pytest.mark.parametrize("given_", [{}, {"chance": F(1, 2), "target": 50}, {"chance": F(37)}])
def test_c4_errors(given_: dict[str, Any]) -> None:
    with pytest.raises(RuleError, match="C4"):
        percentile(**given_)


# --- C5


def test_c5_every_attack_has_its_own_defence_and_effect() -> None:
    found = sequence(3, 4, 5, "1d6")
    assert held(found["undefended hits"]) == {0: F(8, 27), 1: F(4, 9), 2: F(2, 9), 3: F(1, 27)}
    assert found["damage"].mean == F(7, 2)
    assert found["damage"].p(0) == F(8, 27)
    assert found["damage"].at_least(7) == F(119, 729)


def test_c5_not_one_defence_for_all() -> None:
    """One shared defence roll would give 5/12, 1/4, 1/4, 1/12, with the same mean."""
    found = sequence(3, 4, 5)["undefended hits"]
    shared = {0: F(5, 12), 1: F(1, 4), 2: F(1, 4), 3: F(1, 12)}
    assert sum(k * p for k, p in shared.items()) == found.mean == 1
    assert held(found) != shared


def test_c5_not_the_effect_of_all_for_one_success() -> None:
    """If one undefended hit licensed all three effect dice, 3d6 would be rolled with 19/27."""
    found = sequence(3, 4, 5)["damage"]
    assert found.p(18) == F(1, 27) * F(1, 216)
    assert found.p(18) != F(19, 27) * F(1, 216)


def test_c5_every_roll_of_three_attacks() -> None:
    """All faces of three d4 attacks and three d3 defences."""
    count: Counter[tuple[int, int]] = Counter()
    for roll in product(*[range(1, 5)] * 3, *[range(1, 4)] * 3):
        hits = [face >= 3 for face in roll[:3]]
        count[sum(hits), sum(h and g < 2 for h, g in zip(hits, roll[3:], strict=True))] += 1
    expected = {key: F(ways, 4**3 * 3**3) for key, ways in count.items()}
    found = sequence(3, 3, 2, "1d1", die=4, defence_die=3, joint=True)
    assert held(found["hits, undefended hits and damage"].margin(0, 1)) == expected


def test_c5_without_a_defence_every_hit_has_its_effect() -> None:
    found = sequence(2, 4)
    assert found["hits"] == found["undefended hits"]
    assert found["damage"].mean == F(7, 2)


@pytest.mark.parametrize(("defence", "mean"), [(1, F(0)), (7, F(21, 4))])
def test_c5_a_certain_and_an_impossible_defence(defence: int, mean: Fraction) -> None:
    """3 attacks, half of them hit; 7/2 each where nothing is defended."""
    assert sequence(3, 4, defence)["damage"].mean == mean


def test_c5_the_number_of_hits_may_be_rolled() -> None:
    """2 dice at 5+ make the hits: 0, 1, 2 with 4/9, 4/9, 1/9; each then succeeds with 1/2."""
    found = sequence(successes(2, 5), 4, effect="1d1")
    assert held(found["hits"]) == {
        0: F(4, 9) + F(4, 9) / 2 + F(1, 9) / 4,
        1: F(4, 9) / 2 + F(1, 9) / 2,
        2: F(1, 9) / 4,
    }


def test_c5_no_attacks() -> None:
    found = sequence(0, 4, 5, joint=True)
    assert held(found["damage"]) == {0: 1}
    assert held(found["hits, undefended hits and damage"]) == {(0, 0, 0): 1}


@pytest.mark.parametrize("attacks", [-1, F(1, 2), Dist([-1, 2]), Dist(["many"])])
def test_c5_numbers_of_attacks_there_are_not(attacks: Any) -> None:
    with pytest.raises(RuleError, match="C5"):
        sequence(attacks, 4)


def test_c5_an_endless_number_of_attacks() -> None:
    from oddsmith import odds

    with pytest.raises(RuleError, match="upper end"):
        sequence(odds("d6!")[0].dist, 4)


# --- C6


@pytest.mark.parametrize("sides", [4, 6, 8, 10, 12])
def test_c6_weapons_keep_their_dice(sides: int) -> None:
    """One sure hit: every face of the weapon's own die alike."""
    assert held(sequence(1, 1, effect=f"1d{sides}")["damage"]) == {
        face: F(1, sides) for face in range(1, sides + 1)
    }


@pytest.mark.parametrize("dice", [1, 2, 3])
def test_c6_pools_of_effect_dice(dice: int) -> None:
    assert held(sequence(1, 1, effect=f"{dice}d6")["damage"]) == summed(dice, 6)


def test_c6_other_ways_to_write_them() -> None:
    """d8 is 1d8; unlike dice and a fixed part are added; a pool of the library does as well."""
    assert effect_of("d8").total == effect_of("1D8").total
    assert effect_of("1d4 + 1d6 + 2").total.mean == F(5, 2) + F(7, 2) + 2
    assert sequence(1, 1, effect=d6.pool(2))["damage"] == effect_of("2d6").total
    assert held(sequence(1, 1, effect="2d1")["damage"]) == {2: 1}


@pytest.mark.parametrize("text", ["", "3", "2d6-1", "d", "2d6+", "0d6", "axe", "1d6*2", "-1d6"])
def test_c6_text_that_is_no_effect_dice(text: str) -> None:
    with pytest.raises(RuleError, match="C6"):
        sequence(1, 4, effect=text)


def test_c6_a_pool_that_has_lost_dice() -> None:
    with pytest.raises(RuleError, match="C6"):
        effect_of(d6.pool(3).keep_highest(1))
    with pytest.raises(RuleError, match="C6"):
        effect_of(Pool([]))


# --- C7


def test_c7_a_d8_is_nine_sevenths_of_a_hit_die() -> None:
    found = hit_dice("1d8")
    assert found["average"].value == F(9, 2)
    assert found["Hit Dice"].value == F(9, 7)


@pytest.mark.parametrize(
    ("how", "value"), [("exact", F(9, 7)), ("up", F(2)), ("down", F(1)), ("nearest", F(1))]
)
def test_c7_rounding(how: Any, value: Fraction) -> None:
    assert hit_dice("1d8", rounding=how)["Hit Dice"].value == value


def test_c7_a_half_goes_up_when_the_nearest_is_meant() -> None:
    """1d8 against a Hit Die of average 3: 9/2 / 3 = 3/2."""
    assert hit_dice("1d8", F(3), "nearest")["Hit Dice"].value == 2


def test_c7_another_hit_die() -> None:
    """A d8 as Hit Die: one for one."""
    assert hit_dice("1d8", F(9, 2))["Hit Dice"].value == 1


def test_c7_the_table_of_weapons() -> None:
    table = weapons()
    averages = {"1d4": F(5, 2), "1d6": F(7, 2), "1d12": F(13, 2), "2d6": F(7), "3d6": F(21, 2)}
    for name, average in averages.items():
        assert table.cell(name, "hit points") == average
        assert table.cell(name, "Hit Dice") == average / F(7, 2)
    assert table.cell("3d6", "favourable critical") == 6
    assert table.cell("3d6", "unfavourable critical") == 1
    assert table.cell("1d12", "unfavourable critical") == F(13, 7)


def test_c7_unit_combat_counts_averages() -> None:
    """Two attacks, 1/2 each, 9/7 for a hit: 0, 9/7, 18/7 with 1/4, 1/2, 1/4."""
    found = sequence(2, 4, effect="1d8", combat="unit")["damage"]
    assert held(found) == {0: F(1, 4), F(9, 7): F(1, 2), F(18, 7): F(1, 4)}


@pytest.mark.parametrize(
    ("each", "how", "values"),
    [
        ("hit", "up", (0, 2, 4)), ("total", "up", (0, 2, 3)),
        ("hit", "down", (0, 1, 2)), ("total", "down", (0, 1, 2)),
        ("hit", "nearest", (0, 1, 2)), ("total", "nearest", (0, 1, 3)),
        ("total", "exact", (0, F(9, 7), F(18, 7))),
    ],
)  # fmt: skip
def test_c7_where_it_is_rounded(each: Any, how: Any, values: tuple[Any, ...]) -> None:
    """9/7 for one hit and 18/7 for two; each hit by itself, or their sum."""
    found = sequence(2, 4, effect="1d8", combat="unit", rounding=how, each=each, joint=True)
    expected = dict(zip(values, (F(1, 4), F(1, 2), F(1, 4)), strict=True))
    assert held(found["damage"]) == expected
    joint = found["hits, undefended hits and damage"]
    assert held(joint) == {(k, k, v): p for k, (v, p) in enumerate(expected.items())}


def test_c7_criticals_in_hit_dice() -> None:
    """2+ on d6, {6} and {1, 2}, 3d6: 6, 3, 1 Hit Dice with 1/6, 1/2, 1/6."""
    found = sequence(1, 2, effect="3d6", critical=1, unfavourable=2, combat="unit")["damage"]
    assert held(found) == {0: F(1, 6), 1: F(1, 6), 3: F(1, 2), 6: F(1, 6)}


@pytest.mark.parametrize(
    "wrong",
    [
        {"average": F(0)}, {"average": F(-1)}, {"average": 3.5}, {"rounding": "half"},
        {"each": "day"}, {"hit_points": 3}, {"combat": "naval"},
    ],
)  # fmt: skip
def test_c7_errors(wrong: dict[str, Any]) -> None:
    with pytest.raises(RuleError, match="C7"):
        sequence(1, 4, **{"combat": "unit", **wrong})


def test_c7_hit_dice_belong_to_unit_combat() -> None:
    with pytest.raises(RuleError, match="C7"):
        sequence(1, 4, hit_dice=F(3))


# --- C8


def test_c8_one_face_at_each_end() -> None:
    found = bands(11, 20)
    assert found.cell("unfavourable failure", "chance") == F(1, 20)
    assert found.cell("favourable success", "chance") == F(1, 20)
    assert bands(4).cell("favourable success", "chance") == F(1, 6)
    assert bands(4).cell("unfavourable failure", "chance") == F(1, 6)


def test_c8_c4_bands_of_5_percent_on_d100() -> None:
    """A chance of 96 %, rolled either way."""
    expected = {
        "unfavourable failure": F(1, 25), "plain failure": F(0), "favourable failure": F(0),
        "unfavourable success": F(1, 100), "plain success": F(9, 10),
        "favourable success": F(1, 20),
    }  # fmt: skip
    for target, roll in ((5, "over"), (96, "under")):
        table = bands(target, 100, "5%", "5%", roll)  # type: ignore[arg-type]
        assert {name: values[0] for name, values in table.rows} == expected


@settings(max_examples=80)
@given(st.data())
def test_c8_every_face_is_in_one_outcome(data: st.DataObject) -> None:
    die = data.draw(st.integers(1, 20))
    best = data.draw(st.integers(0, die))
    worst = data.draw(st.integers(0, die - best))
    target = data.draw(st.integers(-1, die + 2))
    roll: Any = data.draw(st.sampled_from(["over", "under"]))
    table = bands(target, die, best, worst, roll)
    found = {name: values[0] for name, values in table.rows}
    assert found == named(die, target, best, worst, roll)
    assert sum(p for p in found.values() if p is not None) == 1


@settings(max_examples=60)
@given(st.integers(2, 30), st.data())
def test_c8_widths_never_change_the_chance_of_success(die: int, data: st.DataObject) -> None:
    target = data.draw(st.integers(0, die + 1))
    best = data.draw(st.integers(0, die))
    worst = data.draw(st.integers(0, die - best))
    plain = check(die, target).success
    assert check(die, target, favourable=best, unfavourable=worst).success == plain


def test_c8_every_row_of_the_table_adds_up() -> None:
    for die, best, worst in ((6, 1, 1), (20, 3, 2), (8, 0, 0)):
        table = bands_table(die, best, worst)
        assert len(table.rows) == die
        for target, (name, values) in enumerate(table.rows, 1):
            assert name == f"{target}+"
            assert list(values) == list(named(die, target, best, worst).values())
            assert sum(p for p in values if p is not None) == 1


def test_c8_5_percent_of_a_d6_is_refused() -> None:
    with pytest.raises(RuleError, match=r"3/10 of a face of d6.*C8") as caught:
        bands(4, 6, "5%")
    assert caught.value.hint == ("the nearest that d6 shows is 0 % (no face), then 50/3 % (1 face)")


@pytest.mark.parametrize(
    ("width", "die", "count"),
    [(0, 6, 0), (2, 6, 2), ("2", 6, 2), ("5%", 20, 1), ("5 %", 100, 5), ("50/3%", 6, 1),
     ("12.5%", 8, 1), ("0%", 6, 0), ("100%", 6, 6)],
)  # fmt: skip
def test_c8_widths(width: Any, die: int, count: int) -> None:
    assert faces(width, die) == count


@pytest.mark.parametrize(
    ("width", "die"),
    [(-1, 6), (7, 6), ("wide", 6), ("", 6), ("-5%", 20), ("101%", 6), ("25%", 6), (True, 6),
     (0.05, 20), (F(1, 20), 20), (None, 6), ("5%%", 20), ("1/0%", 20)],
)  # fmt: skip
def test_c8_widths_there_are_not(width: Any, die: int) -> None:
    with pytest.raises(RuleError, match="C8"):
        faces(width, die)


@settings(max_examples=60)
@given(st.integers(0, 100), st.integers(1, 40))
def test_c8_the_refusal_names_the_nearest(percent: int, die: int) -> None:
    count = F(percent * die, 100)
    if count.denominator == 1:
        assert faces(f"{percent}%", die) == count
        return
    with pytest.raises(RuleError, match="C8") as caught:
        faces(f"{percent}%", die)
    near = floor(count) if count - floor(count) <= F(1, 2) else ceil(count)
    words = "no face" if near == 0 else f"{near} face"
    assert f"({words}" in caught.value.hint.split(", ")[0]


def test_c8_bands_may_not_overlap() -> None:
    assert bands(4, 6, 3, 3).cell("plain success", "chance") == 0
    with pytest.raises(RuleError, match="C8"):
        bands(4, 6, 4, 3)


def test_c8_a_critical_is_no_automatic_success_unless_asked_for() -> None:
    """7+ on d6, one face each; 1+ on d6 likewise."""
    assert check(6, 7, favourable=1).success == 0
    assert check(6, 7, favourable=1).outcomes()["favourable failure"] == F(1, 6)
    assert check(6, 7, favourable=1, automatic="success").success == F(1, 6)
    assert check(6, 1, favourable=1, unfavourable=1, automatic="success").success == 1
    assert check(6, 1, favourable=1, unfavourable=1, automatic="both").success == F(5, 6)
    assert bands(7, automatic="both").cell("favourable success", "chance") == F(1, 6)


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        ({"automatic": "sometimes"}, "C8"), ({"roll": "sideways"}, "C4"), ({"die": 0}, "C2"),
        ({"die": 6.0}, "C2"), ({"die": True}, "C2"),
    ],
)  # fmt: skip
def test_c8_checks_there_are_not(arguments: dict[str, Any], rule: str) -> None:
    with pytest.raises(RuleError, match=rule):
        bands(4, **arguments)


def test_c8_a_target_is_whole() -> None:
    with pytest.raises(RuleError, match="C2"):
        bands(F(7, 2))


def test_c8_read_on_the_defence() -> None:
    """Attack sure, defence 4+ on d6, 1d1: a defence of 1 (favourable to the attacker) doubles.

    With two unfavourable faces (5, 6) nothing changes, as they defend; with four (3 to 6), a
    defence of 3 halves, but one die stays.
    """
    found = sequence(1, 1, 4, "1d1", critical=1, unfavourable=2, on="defence")["damage"]
    assert held(found) == {0: F(1, 2), 1: F(1, 3), 2: F(1, 6)}
    found = sequence(1, 1, 4, "4d1", critical=1, unfavourable=4, on="defence")["damage"]
    assert held(found) == {0: F(1, 2), 2: F(1, 6), 4: F(1, 6), 8: F(1, 6)}


def test_c8_there_must_be_a_roll_to_read() -> None:
    with pytest.raises(RuleError, match="C8"):
        sequence(1, 4, critical=1, on="defence")
    with pytest.raises(RuleError, match="C8"):
        sequence(1, 4, 4, critical=1, on="effect")  # type: ignore[arg-type]


# --- C9


def test_c9_a_favourable_critical_doubles_the_dice() -> None:
    """Attack 4+, no defence, 1d6: 1/2 * 7/2 + 1/6 * 7/2."""
    assert effect("1d6", 4)["effect"].mean == F(7, 3)
    assert sequence(1, 4, critical=1)["damage"].mean == F(7, 3)


def test_c9_one_hit_and_three() -> None:
    one = sequence(1, 4, 5, critical=1)["damage"]
    assert one.p(0) == F(2, 3)
    assert one.mean == F(14, 9)
    assert sequence(3, 4, 5, critical=1)["damage"].at_least(6) == F(361817, 944784)


def test_c9_the_dice_and_not_the_result() -> None:
    """Doubling the result would make 3 impossible beyond the plain hits' 1/3 * 1/6."""
    found = sequence(1, 4, critical=1)["damage"]
    assert found.p(3) == F(1, 3) * F(1, 6) + F(1, 6) * F(2, 36)
    assert found.p(11) == F(1, 6) * F(2, 36)


def test_c9_only_of_a_successful_action() -> None:
    """6+ with a favourable band {5, 6}: the 5 still fails."""
    assert held(effect("1d6", 6, favourable=2, unfavourable=0)["effect dice"]) == {
        0: F(5, 6), 2: F(1, 6),
    }  # fmt: skip


def test_c9_unlike_dice_and_a_fixed_part() -> None:
    """A sure critical: 2d4 + 2d6 + 3; the fixed part is no die."""
    found = effect("1d4+1d6+3", 1, favourable=6, unfavourable=0)
    assert held(found["effect dice"]) == {4: 1}
    assert found["effect"].mean == 5 + 7 + 3


# --- C10


def test_c10_an_unfavourable_critical_halves() -> None:
    found = effect("3d6", 2, unfavourable=2)
    assert held(found["effect dice"]) == {0: F(1, 6), 1: F(1, 6), 3: F(1, 2), 6: F(1, 6)}
    assert found["effect"].mean == F(28, 3)
    assert sequence(1, 2, effect="3d6", critical=1, unfavourable=2)["damage"].mean == F(28, 3)


def test_c10_attack_that_always_succeeds() -> None:
    assert effect("3d6", 1)["effect"].mean == F(133, 12)


@pytest.mark.parametrize(
    ("dice", "more", "less"), [(1, 2, 1), (2, 4, 1), (3, 6, 1), (4, 8, 2), (5, 10, 2)]
)
def test_c10_numbers_of_dice(dice: int, more: int, less: int) -> None:
    assert effect_dice().cell(str(dice), "favourable critical") == more
    assert effect_dice().cell(str(dice), "unfavourable critical") == less
    assert effect_of(f"{dice}d6").doubled.dice == more
    assert effect_of(f"{dice}d6").halved.dice == less


def test_c10_unlike_dice_are_not_halved() -> None:
    """No rule says which die stays; without an unfavourable success nothing is halved."""
    with pytest.raises(RuleError, match="C10"):
        effect("1d4+1d6", 1)
    assert effect("1d4+1d6", 4)["effect"].p(0) == F(1, 2)


def test_c10_a_fixed_part_stays() -> None:
    """A sure unfavourable success: 1d6 + 2 of 3d6 + 2."""
    found = effect("3d6+2", 1, favourable=0, unfavourable=6)["effect"]
    assert held(found) == {face + 2: F(1, 6) for face in range(1, 7)}


@pytest.mark.parametrize("most", [0, -1])
def test_c10_a_table_of_no_dice(most: int) -> None:
    with pytest.raises(RuleError, match="C9"):
        effect_dice(most)


# --- C11


def stepped(die: int, roll: str, start: Any) -> Iterator[tuple[int, str]]:
    """Every face with the last step that has begun there."""
    for face in range(1, die + 1):
        reached = [name for name, begins in start if begins(face)]
        yield face, reached[-1] if reached else "no step"


@pytest.mark.parametrize(("roll", "target"), [("over", 11), ("under", 8)])
@pytest.mark.parametrize("by", ["face", "margin", "percent"])
def test_c11_a_ladder_by_every_face(roll: Any, target: int, by: Any) -> None:
    """Strained from 2 on, plain from 10 on, effortless from 15 on, on a d20, by each measure."""
    numbers = {
        "face": (2, 10, 15) if roll == "over" else (18, 10, 3),
        "margin": (-9, 0, 5),
        "percent": (5, 45, 70),
    }[by]
    names = ("strained", "plain", "effortless")

    def value(face: int) -> int:
        if by == "face":
            return face if roll == "over" else -face
        if by == "margin":
            return face - target if roll == "over" else target - face
        return 5 * (face - 1 if roll == "over" else 20 - face)

    sign = -1 if by == "face" and roll == "under" else 1
    expected: dict[tuple[str, str], Fraction] = {}
    for face in range(1, 21):
        reached = [
            n for n, begin in zip(names, numbers, strict=True) if value(face) >= sign * begin
        ]
        ends = "success" if succeeds(face, 20, target, roll) else "failure"
        key = f"{band_of(face, 20, 2, 1, roll)} {ends}", reached[-1] if reached else "no step"
        expected[key] = expected.get(key, F(0)) + F(1, 20)
    text = ", ".join(f"{n} {b}" for n, b in zip(names, numbers, strict=True))
    table = bands(target, 20, 2, 1, roll, ladder=text, by=by)
    assert table.columns == ("chance", "no step", *names)
    for outcome, step in product(OUTCOMES, table.columns[1:]):
        assert table.cell(outcome, step) == expected.get((outcome, step), F(0))


def test_c11_everything_adds_up() -> None:
    table = bands(11, 20, ladder="strained, plain 0, effortless 5")
    assert table.columns == ("chance", "strained", "plain", "effortless")
    rows = dict(table.rows)
    for values in rows.values():
        assert sum(p for p in values[1:] if p is not None) == values[0]
    for place in range(4):
        assert sum(rows[outcome][place] or 0 for outcome in OUTCOMES) == rows["any outcome"][place]
    assert rows["any outcome"] == (F(1), F(1, 2), F(1, 4), F(1, 4))


def test_c11_it_does_not_change_the_effect() -> None:
    plain, stepped_ = bands(5, 20), bands(5, 20, ladder="slow, quick 3")
    for outcome in OUTCOMES:
        assert plain.cell(outcome, "chance") == stepped_.cell(outcome, "chance")


def test_c11_by_default_there_is_no_ladder() -> None:
    assert bands(4).columns == ("chance", "or better")
    assert len(bands(4).rows) == 6


def test_c8_this_or_better() -> None:
    """4+ on d6: the 1, 2 and 3, none, none, 4 and 5, the 6."""
    assert [values[1] for _, values in bands(4).rows] == [
        F(1), F(5, 6), F(1, 2), F(1, 2), F(1, 2), F(1, 6),
    ]  # fmt: skip


@settings(max_examples=60)
@given(st.data())
def test_c11_ladders_by_margin(data: st.DataObject) -> None:
    die = data.draw(st.integers(1, 20))
    target = data.draw(st.integers(0, die + 1))
    starts = sorted(data.draw(st.sets(st.integers(-25, 25), min_size=1, max_size=4)))
    names = [f"step{chr(97 + k)}" for k in range(len(starts))]
    text = ", ".join(f"{name} {start}" for name, start in zip(names, starts, strict=True))
    of = Check(die, target)
    found: Counter[str] = Counter()
    for chances in crossed(of, ladder(text, "margin", of)).values():
        for step, p in chances.items():
            found[step] += p  # type: ignore[assignment]
    for name, (low, high) in zip(names, pairwise([*starts, 10**6]), strict=True):
        ways = sum(low <= face - target < high for face in range(1, die + 1))
        assert found[name] == F(ways, die)


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("plain 0, strained -5", "margin"), ("a 1, a 2", "margin"), ("a, b", "margin"),
        ("a 1,,b 2", "margin"), ("a 1, b 1", "face"), ("a 1/2", "margin"), ("a 5", "colour"),
        ("a 33", "percent"), ("a -5", "percent"), ("a 200", "percent"),
    ],
)  # fmt: skip
def test_c11_ladders_there_are_not(text: str, by: Any) -> None:
    with pytest.raises(RuleError, match="C11"):
        bands(11, 20, ladder=text, by=by)


# --- C12


@pytest.mark.parametrize("on", ["attack", "defence"])
@pytest.mark.parametrize(
    ("die", "target", "defence", "dice", "best", "worst"),
    [(6, 4, (6, 5), (1, 6), 1, 0), (6, 2, (4, 3), (3, 2), 1, 2), (4, 2, (4, 3), (2, 3), 2, 2)],
)  # fmt: skip
def test_c12_the_joint_distribution(
    die: int, target: int, defence: tuple[int, int], dice: tuple[int, int], best: int, worst: int,
    on: Any,
) -> None:  # fmt: skip
    one = one_attack(die, target, defence, dice, best, worst, on)
    expected = repeated(one, 3)
    found = sequence(
        3, target, defence[1], f"{dice[0]}d{dice[1]}", best, worst, on, die=die,
        defence_die=defence[0], hit_points=5, rounds=2, joint=True,
    )  # fmt: skip
    assert held(found["hits, undefended hits and damage"]) == expected
    for place, name in enumerate(("hits", "undefended hits", "damage")):
        assert held(found[name]) == part(expected, place)
    damage = part(expected, 2)
    assert found["down in 1 round"] == sum(p for x, p in damage.items() if x >= 5)
    assert found["down within 2 rounds"] == sum(
        p * q for (x, p), (y, q) in product(damage.items(), repeat=2) if x + y >= 5
    )


@pytest.mark.parametrize("on", ["attack", "defence"])
def test_c12_rolled_under(on: Any) -> None:
    """Attacks of 3 or less on a d5, defences of 1 on a d4."""
    one = one_attack(5, 3, (4, 1), (2, 2), 1, 2, on, "under")
    found = sequence(
        2, 3, 1, "2d2", 1, 2, on, die=5, defence_die=4, roll="under", joint=True
    )  # fmt: skip
    assert held(found["hits, undefended hits and damage"]) == repeated(one, 2)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_c12_whatever_the_numbers(data: st.DataObject) -> None:
    die, ddie = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 4))
    roll: Any = data.draw(st.sampled_from(["over", "under"]))
    target = data.draw(st.integers(0, die + 1))
    defence = data.draw(st.none() | st.integers(0, ddie + 1))
    on: Any = data.draw(st.sampled_from(["attack", "defence"])) if defence is not None else "attack"
    read = die if on == "attack" else ddie
    best = data.draw(st.integers(0, read))
    worst = data.draw(st.integers(0, read - best))
    dice = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3))
    attacks = data.draw(st.integers(1, 3))
    guard = None if defence is None else (ddie, defence)
    one = one_attack(die, target, guard, dice, best, worst, on, roll)
    found = sequence(
        attacks, target, defence, f"{dice[0]}d{dice[1]}", best, worst, on, die=die,
        defence_die=ddie, roll=roll, joint=True,
    )  # fmt: skip
    expected = {key: p for key, p in repeated(one, attacks).items() if p}
    assert held(found["hits, undefended hits and damage"]) == expected
    assert held(found["damage"]) == part(expected, 2)


def test_c12_the_example_of_the_rules() -> None:
    """Three attacks 4+, defence 5+, 1d6, favourable {6}: 12 hit points in one round."""
    expected = repeated(one_attack(6, 4, (6, 5), (1, 6), 1), 3)
    found = sequence(3, 4, 5, "1d6", critical=1, hit_points=12)
    assert found["down in 1 round"] == sum(p for key, p in expected.items() if key[2] >= 12)


def test_c12_k_rounds_of_a_sure_hit() -> None:
    """A sure 1d6 against 12 hit points: 2 rounds take two sixes; 3d6 reach 12 with 81/216.

    3d6 of 12 or more are as many as 3d6 of 9 or less: 1 + 3 + 6 + 10 + 15 + 21 + 25 = 81.
    """
    assert sequence(1, 1, hit_points=12, rounds=2)["down within 2 rounds"] == F(1, 36)
    assert sequence(1, 1, hit_points=12, rounds=3)["down within 3 rounds"] == F(81, 216)


def test_c12_damage_of_several_rounds() -> None:
    found = sequence(1, 1, rounds=2)
    assert held(found["damage in 2 rounds"]) == summed(2, 6)
    assert "down in 1 round" not in found


def test_c12_per_unit() -> None:
    """Two attacks at 4+, 9/7 Hit Dice each: 2 Hit Dice take both, in two rounds two of four."""
    found = sequence(2, 4, effect="1d8", combat="unit", hit_dice=F(2), rounds=2)
    assert found["down in 1 round"] == F(1, 4)
    assert found["down within 2 rounds"] == F(6 + 4 + 1, 16)


def test_c12_how_long_it_takes() -> None:
    """1 hit point, each round 1/2: the first half the time, then a quarter, and so on."""
    found = sequence(1, 4, hit_points=1, how_long=True)["round in which it goes down"]
    assert [found.p(k) for k in range(5)] == [0, F(1, 2), F(1, 4), F(1, 8), F(1, 16)]
    assert found.mean == 2


def test_c12_how_long_agrees_with_every_number_of_rounds() -> None:
    """Down within k rounds is to go down in round k or before."""
    asked: dict[str, Any] = {"hit_points": 7, "critical": 1}
    rounds = sequence(2, 4, 5, how_long=True, **asked)["round in which it goes down"]
    damage = part(repeated(one_attack(6, 4, (6, 5), (1, 6), 1), 2), 2)
    left: Law = {7: F(1)}
    for number in range(1, 6):
        after: Law = {}
        for (health, p), (points, q) in product(left.items(), damage.items()):
            rest = max(0, health - points)
            after[rest] = after.get(rest, F(0)) + p * q
        left = after
        assert rounds.at_most(number) == left[0]
        if number > 1:
            found = sequence(2, 4, 5, rounds=number, **asked)
            assert found[f"down within {number} rounds"] == left[0]


def test_c12_how_long_where_every_round_tells() -> None:
    """A sure 1d2 against 3: two rounds with 3/4 (1 + 2, 2 + 1, 2 + 2), else three."""
    found = sequence(1, 1, effect="1d2", hit_points=3, how_long=True)
    assert held(found["round in which it goes down"]) == {2: F(3, 4), 3: F(1, 4)}


def test_c12_how_long_in_hit_dice() -> None:
    """9/7 for a hit, one in two: 2 Hit Dice take two hits, four rounds on average."""
    found = sequence(1, 4, effect="1d8", combat="unit", hit_dice=F(2), how_long=True)
    assert found["round in which it goes down"].mean == 4
    assert found["round in which it goes down"].p(2) == F(1, 4)


def test_c12_never() -> None:
    with pytest.raises(NeverEnds):
        sequence(1, 7, hit_points=1, how_long=True)


@pytest.mark.parametrize(
    "wrong",
    [{"hit_points": 0}, {"hit_points": -3}, {"rounds": 0}, {"rounds": -1}, {"how_long": True}],
)
def test_c12_errors(wrong: dict[str, Any]) -> None:
    with pytest.raises(RuleError, match="C12"):
        sequence(1, 4, **wrong)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: sequence(10**6, 4), lambda: sequence(200, 4, joint=True),
        lambda: sequence(3, 4, hit_points=10**6, how_long=True),
        lambda: sequence(3, 4, rounds=10**6), lambda: successes(10**7, 4),
        lambda: thresholds((10**6,)), lambda: bands_table(10**6), lambda: effect_dice(10**6),
        lambda: sequence(1, 4, effect="99999d99999"),
    ],
)  # fmt: skip
def test_c12_past_the_budget(ask: Any) -> None:
    with pytest.raises(TooLarge):
        ask()


# --- at the command line


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """The command of this game, 80 columns wide: exit code, output, errors."""
    monkeypatch.setenv("COLUMNS", "80")

    def call(typed: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            main(["game", "combat-pools", *shlex.split(typed)])
        shown = capsys.readouterr()
        code = caught.value.code
        return code if isinstance(code, int) else 0, shown.out, shown.err

    return call


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("--dice 8 --target 5+ --die 6", "mean 2.667 (8/3)"),
        ("successes --dice 3 --target 4+", "12.50 %"),
        ("threshold --target 6+ --die 8", "37.50 % 3/8"),
        ("threshold --target 7+", "7+ on d6, impossible: no face"),
        ("threshold --target 1+", "1+ on d6, certain: every face"),
        ("thresholds", "6+ 0.00 16.67 37.50 50.00 58.33 75.00"),
        ("thresholds --dice 100", "64+ 37.00"),
        ("thresholds --dice 8,20 --exact", "6+ 3/8 3/4"),
        ("nearest --chance 65%", "d20: 8+ 65.00 0.00"),
        ("percentile --chance 37%", "37 or less on d100"),
        ("percentile --target 64+ --roll over", "37.00 % 37/100"),
        ("sequence --attacks 3 --to-hit 4+ --defence 5+", "mean 3.5"),
        ("sequence --attacks 2d6c5+ --to-hit 4+ --joint", "(2, 2, 2)"),
        ("sequence --attacks 2 --to-hit 4+ --effect 1d8 --combat unit --hit-dice 2", "18/7"),
        ("sequence --attacks 1 --to-hit 4+ --hit-points 1 --how-long", "round in which it"),
        ("sequence --attacks 1 --to-hit 11+ --die 20 --critical 5%", "0.14 %"),
        ("bands --target 5+ --die 100 --favourable 5% --unfavourable 5% --exact", "9/10"),
        ("bands --target 11+ --die 20 --ladder 'slow, quick 5'", "quick"),
        ("bands-table --die 6", "4+ 16.67 33.33 0.00 0.00"),
        ("effect --effect 3d6 --to-hit 2+ --unfavourable 2", "28/3"),
        ("effect-dice", "5 10 2"),
        ("hit-dice --effect 1d8", "1.286 Hit Dice 9/7"),
        ("hit-dice --effect 1d8 --average 9/2 --rounding up", "Hit Dice 1 Hit Dice"),
        ("weapons", "1d8 4.5 1.29"),
    ],
)
def test_at_the_command_line(run: Any, typed: str, shown: str) -> None:
    code, out, err = run(typed)
    assert (code, err) == (0, "")
    assert shown in " ".join(out.split())


def test_the_example_at_the_command_line(run: Any) -> None:
    """P(0) = 8/27; the mean is 3 * 14/9; 12 points in one round as enumerated above."""
    code, out, err = run(
        "sequence --attacks 3 --to-hit 4+ --defence 5+ --effect 1d6 --critical 1 --hit-points 12"
    )
    expected = repeated(one_attack(6, 4, (6, 5), (1, 6), 1), 3)
    down = sum(p for key, p in expected.items() if key[2] >= 12)
    assert (code, err) == (0, "")
    assert "29.63 %" in out
    assert "mean 4.667 (14/3)" in out
    assert str(down) in out


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("bands --target 4+ --favourable 5%", "C8"),
        ("bands --target 4+ --ladder 'a 3, b 1'", "C11"),
        ("threshold --target 4+ --die 0", "C2"),
        ("nearest --chance 65", "C3"),
        ("percentile --chance 37.5%", "37 % (37 faces)"),
        ("percentile", "C4"),
        ("--dice -1 --target 4+", "C1"),
        ("sequence --attacks d6! --to-hit 4+", "C5"),
        ("sequence --attacks -1 --to-hit 4+", "C5"),
        ("sequence --attacks 3 --to-hit 4+ --effect axe", "C6"),
        ("sequence --attacks 3 --to-hit 4+ --hit-dice 2", "C7"),
        ("sequence --attacks 3 --to-hit 4+ --hit-points 0", "C12"),
        ("sequence --attacks 3 --to-hit 4+ --on defence", "C8"),
        ("sequence --attacks 3 --to-hit 4+ --defence 4+ --defence-die 0", "C2"),
        ("sequence --attacks 3 --to-hit 7+ --hit-points 3 --how-long", "never"),
        ("sequence --attacks 3 --to-hit four", "four is not a target"),
        ("effect --effect 1d4+1d6 --to-hit 1+", "C10"),
        ("hit-dice --effect 1d8 --average 0", "C7"),
    ],
)
def test_errors_at_the_command_line(run: Any, typed: str, message: str) -> None:
    code, out, err = run(typed)
    assert (code, out) == (2, "")
    assert message in err


def test_every_example_runs(run: Any) -> None:
    calls = game("combat-pools").calls
    assert len(calls) == 12
    for call in calls:
        code, out, err = run(f"{call.name} {call.example}")
        assert (code, err) == (0, ""), call.name
        assert out


def test_every_rule_is_listed_and_asked_for() -> None:
    found = game("combat-pools")
    assert [number for number, _ in found.rules] == [f"C{n}" for n in range(1, 13)]
    assert found.calls[0].name == "successes"
    asked: set[int] = set()
    for call in found.calls:
        for span in call.rules.split(", "):
            first, _, last = span.replace("C", "").partition(" to ")
            asked |= set(range(int(first), int(last or first) + 1))
    assert asked == set(range(1, 13))
