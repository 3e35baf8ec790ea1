"""Values that other people published, each answered in a few lines of Python.

Published percentages are held to the digits that were printed. What is said in the notation is in
the files beside this one. Every docstring names the case and its source.
"""

from __future__ import annotations

from fractions import Fraction
from math import factorial
from typing import Any

import pytest

from oddsmith import (
    Deck,
    Dist,
    Pool,
    Process,
    chain,
    d4,
    d6,
    d8,
    d10,
    d12,
    d20,
    dF,
    joint,
    mix,
    odds,
)
from oddsmith.folds import fold, matched
from oddsmith.mechanics.battle import exchange
from oddsmith.mechanics.choices import best_reroll
from oddsmith.mechanics.contest import contest, paired
from oddsmith.mechanics.ladder import wild
from oddsmith.mechanics.symbols import Symbols
from oddsmith.rules import rule

F = Fraction
SCORE = d6.pool(4).keep_highest(3).sum()
"""An ability score: 4d6 without the lowest."""


def near(value: Fraction, digits: str) -> bool:
    """Whether a number is the one printed, to its last digit."""
    places = len(digits.partition(".")[2])
    return abs(value - F(digits)) <= F(1, 2 * 10**places)


def percent(chance: Fraction, digits: str) -> bool:
    """Whether a chance is the percentage printed."""
    return near(100 * chance, digits)


def all_percent(chances: list[Fraction], digits: str) -> bool:
    """Whether chances are the percentages of a row."""
    return all(percent(p, text) for p, text in zip(chances, digits.split(), strict=True))


# --- published tables and answers


def death_saves(success: int) -> Dist[Any]:
    """How death saves end: three successes before three failures, 1 fails twice, 20 is up."""

    def step(state: Any) -> Any:
        good, bad = state

        def after(face: int) -> Any:
            if face == 20:
                return "up"
            if face >= success:
                return (good + 1, bad) if good < 2 else "stable"
            return (good, bad + 1 + (face == 1)) if bad + (face == 1) < 2 else "dead"

        return d20.map(after)

    return Process((0, 0), step, lambda state: isinstance(state, str)).endings()


@pytest.mark.parametrize(
    ("success", "row"), [(10, "40.4875 41.3750 18.1375"), (11, "48.0063 33.8529 18.1408")]
)
def test_death_saves(success: int, row: str) -> None:
    """death_saves: https://rpg.stackexchange.com/questions/76958, and with 10 as a failure."""
    found = death_saves(success)
    assert all_percent([found.p("dead"), found.p("stable"), found.p("up")], row)
    if success == 10:
        assert 100 * (1 - found.p("dead")) == F("59.5125")


def test_gwf_means() -> None:
    """gwf_means: rpg.stackexchange, 1s and 2s rolled again once (Great Weapon Fighting)."""
    printed = {4: "3.0000", 6: "4.1667", 8: "5.2500", 10: "6.3000", 12: "7.3333"}
    for sides, mean in printed.items():
        assert near(odds(f"d{sides}r<=2")[0].dist.mean, mean)
    assert near(odds("2d6r<=2")[0].dist.mean, "8.3333")


def test_fuzion() -> None:
    """fuzion: https://rpg.stackexchange.com/questions/149923, 10 + 10 + 3d6 to reach 50.

    Three 6s add 2d6, three 1s take 2d6 away.
    """
    total = (3 @ d6).then(lambda x: x + 2 @ d6 if x == 18 else x - 2 @ d6 if x == 3 else x)
    assert percent((total + 20).at_least(50), "0.01286")


def test_exact_multiset() -> None:
    """exact_multiset: life-improver.com (rpg.stackexchange), 4d6 showing just 1, 2, 2, 5."""
    chance = d6.pool(4).expand().p((1, 2, 2, 5))
    assert chance == F(12, 1296)
    assert percent(chance, "0.93")


def test_one_exploding_pool() -> None:
    """one_exploding_pool: https://rpg.stackexchange.com/questions/49710, 5 and 6 succeed."""
    special = odds("d6!max1c5+")[0].dist
    assert all(near(special.p(k), x) for k, x in enumerate(("0.67", "0.28", "0.06")))
    five = d6.pool(5).count(lambda face: face >= 5)
    for hits, printed in enumerate(("0.13", "0.33", "0.33", "0.16")):
        assert near(five.p(hits), printed)
    assert near(five.at_least(4), "0.05")


@pytest.mark.parametrize(
    ("modifier", "row"),
    [
        (-4, "0.17 3.00 96.83"),
        (-1, "5.00 23.33 71.67"),
        (0, "9.17 31.67 59.17"),
        (1, "15.17 39.67 45.17"),
        (3, "33.17 43.67 23.17"),
        (5, "56.00 34.67 9.33"),
    ],
)
def test_ironsworn(modifier: int, row: str) -> None:
    """ironsworn: https://www.reddit.com/r/rpg/comments/l99fhw/, strong, weak and missed."""
    beaten = rule(lambda action, one, two: (action > one) + (action > two))
    found = beaten((d6 + modifier).map(lambda x: min(x, 10)), d10, d10)
    assert all_percent([found.p(2), found.p(1), found.p(0)], row)


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("3d6kh2", "0.5 1.4 3.2 5.6 8.8 12.5 15.7 16.7 15.7 12.5 7.4"),
        ("4d6kl2", "13.2 18.8 20.1 17.3 13.2 8.3 5.0 2.5 1.2 0.3 0.1"),
        ("7d6kl2", "33.0 28.8 20.2 10.1 5.1 1.8 0.7 0.2"),
    ],
)
def test_boon_bane(text: str, row: str) -> None:
    """boon_bane: https://forum.mongoosepublishing.com/threads/boon-bane-dice-probabilities.115281/

    A boon, two banes, five banes; sums from 2 up.
    """
    found = odds(text)[0].dist
    assert all_percent([found.p(2 + k) for k in range(len(row.split()))], row)


@pytest.mark.parametrize(
    ("least", "row"),
    [
        (18, "9.34 0.38 0.01"),
        (17, "30.07 4.2972 0.34"),
        (16, "56.76 17.85 3.26"),
        (15, "79.40 42.16 14.13"),
        (14, "92.80 69.01 36.29"),
    ],
)
def test_six_abilities(least: int, row: str) -> None:
    """six_abilities: https://anydice.com/articles/4d6-drop-lowest/, one, two, three such scores.

    The article prints 4.03 for two scores of 17 or more; 4.2972 is right.
    """
    found = SCORE.pool(6).count(lambda score: score >= least)
    assert all_percent([found.at_least(k) for k in (1, 2, 3)], row)


def test_six_abilities_means() -> None:
    """six_abilities: the mean of the best score, the second, .. (the same article)."""
    means = [SCORE.pool(6).window(k, k + 1).sum().mean for k in range(5, -1, -1)]
    printed = ("15.66", "14.17", "12.96", "11.76", "10.41", "8.50")
    assert all(near(mean, text) for mean, text in zip(means, printed, strict=True))


@pytest.mark.parametrize(
    ("need", "row"),
    [
        (11, "2.50 5.00 7.50 10.00 15.00 22.50"),
        (2, "4.75 9.50 14.25 19.00 28.50 42.75"),
        (13, "2.00 4.00 6.00 8.00 12.00 16.00"),
    ],
)
def test_dnd3_crit(need: int, row: str) -> None:
    """dnd3_crit: https://anydice.com/articles/dnd3-attacks/, threat ranges from 20 to 12-20."""
    chances = [
        rule(lambda roll, confirm, low=low: roll >= max(low, need) and confirm >= need)(d20, d20)
        for low in (20, 19, 18, 17, 15, 12)
    ]
    assert all_percent([crit.p(1) for crit in chances], row)


def test_risk_attrition() -> None:
    """risk_attrition: https://math.stackexchange.com/questions/4318008, 4d6 v 3d6 to the end."""

    def step(dice: tuple[int, int]) -> Dist[Any]:
        lost = paired(d6.pool(dice[0]), d6.pool(dice[1]))
        return lost.map(lambda pair: (dice[0] - pair[2], dice[1] - pair[0]))

    wins = Process((4, 3), step, lambda dice: 0 in dice).endings().p(lambda dice: dice[0] > 0)
    assert wins == F("1718071452659096719/2244741412001587200")
    assert percent(wins, "76.537611")


@pytest.mark.parametrize(
    ("target", "row"),
    [
        (3, "100.00 44.44 3.50"),
        (4, "99.54 44.19 3.53"),
        (5, "98.15 43.40 3.60"),
        (6, "95.37 41.75 3.73"),
        (7, "90.74 41.84 3.82"),
        (8, "83.80 40.33 4.00"),
        (9, "74.07 40.00 4.19"),
        (10, "62.50 42.22 4.33"),
    ],
)
def test_age_stunts(target: int, row: str) -> None:
    """age_stunts: https://scottsgameroom.com/2013/11/11/age-dice-probabilities/

    Success, a pair given success, and the mean of one of the dice given both.
    """
    good = joint(d6, d6, d6).given(lambda roll: sum(roll) >= target)
    stunt = good.given(lambda roll: len(set(roll)) < 3)
    success, pair, points = row.split()
    assert percent((3 @ d6).at_least(target), success)
    assert percent(good.p(lambda roll: len(set(roll)) < 3), pair)
    assert near(stunt.margin(0).mean, points)


def test_age_stunt_points_at_11() -> None:
    """age_stunts: https://diceplots.com/concepts/dragon-age-stunt-economy, 217/48 at 11."""
    stunt = joint(d6, d6, d6).given(lambda roll: sum(roll) >= 11 and len(set(roll)) < 3)
    assert stunt.margin(0).mean == F(217, 48)


def test_agent_of_fate() -> None:
    """agent_of_fate: https://www.reddit.com/r/FantasyAGE/comments/1iol0ly/

    Two dice and two stunt dice: some pair other than the two stunt dice.
    """
    pairs = rule(lambda a, b, one, two: a == b or bool({a, b} & {one, two}))
    assert pairs(d6, d6, d6, d6).p(1) == F(17, 27)
    assert percent(pairs(d6, d6, d6, d6).p(1), "63")


def test_savage_ace() -> None:
    """savage_ace: http://www.insomnihack.com/?p=495, an exploding d8 reaches 10."""
    assert chain(d8, {8}).at_least(10) == F(7, 64)


@pytest.mark.parametrize(
    ("die", "row"),
    [
        (d4, "62.5000 19.2708"),
        (d6, "75.0000 25.8488"),
        (d8, "81.2500 24.6528"),
        (d10, "85.0000 39.7222"),
        (d12, "87.5000 49.7685"),
    ],
)
def test_savage_wild_card(die: Dist[int], row: str) -> None:
    """savage_ace: the same die with a wild d6, 4 or more and 8 or more (note of the case)."""
    assert all_percent([wild(die).at_least(4), wild(die).at_least(8)], row)


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("d20r1", "99.75 94.50 89.25 84.00"),
        ("2d20r1kh1", "99.9994 99.70 98.84"),
        ("2d20r1kl1", "99.50 89.30 79.66"),
    ],
)
def test_halfling(text: str, row: str) -> None:
    """halfling: https://bg3.wiki/wiki/Halfling_Luck, 2 or more, 3 or more, .."""
    found = odds(text)[0].dist
    assert all_percent([found.at_least(2 + k) for k in range(len(row.split()))], row)


@pytest.mark.parametrize(
    ("dice", "row"),
    [(4, "80.2 40.7 11.1 1.2"), (8, "96.1 80.5 53.2 25.9"), (15, "99.8 98.1 92.1 79.1")],
)
def test_five_plus(dice: int, row: str) -> None:
    """five_plus: https://www.elementald6.com, at least 1, 2, 3, 4 dice of 5 or more.

    The site prints 80.3 for 65/81 = 80.247 %.
    """
    found = d6.pool(dice).count(lambda face: face >= 5)
    assert all_percent([found.at_least(k) for k in range(1, 5)], row)


def test_wod() -> None:
    """wod: https://geekrampage.neocities.org/sfighter/dicestats.html, some d10 of 6 or more."""
    chances = [d10.pool(n).highest().at_least(6) for n in range(1, 7)]
    assert all_percent(chances, "50 75 88 94 97 98")


def test_contest() -> None:
    """contest: rpg.stackexchange "3d6 vs a d20", how often two equal rolls tie."""
    assert percent(contest(d20, d20).p("tie"), "5.00")
    assert percent(contest(3 @ d6, 3 @ d6).p("tie"), "9.285")


def test_adl_cond() -> None:
    """adl_cond: "Probability/Math/Statistics in RPGs", 4d6 without the lowest, if 8 or more."""
    printed = ["31/611", "7/94", "61/611", "74/611", "167/1222", "86/611", "80/611", "131/1222"]
    found = SCORE.given(lambda score: score >= 8)
    assert [found.p(8 + k) for k in range(8)] == [F(text) for text in printed]


def action_stress() -> Dist[int]:
    """5d6 against 3d6: from the highest down, each stress die takes the best die it can."""

    def step(state: tuple[int, int], _: int, action: int, stress: int) -> tuple[int, int]:
        left, waiting = state
        taken = min(action, waiting + stress)
        return left + action - taken, waiting + stress - taken

    return fold(
        [d6.pool(5), d6.pool(3)], step, (0, 0), final=lambda state: state[0], descending=True
    )


def test_all_action_stress() -> None:
    """all_action_stress: https://rpg.stackexchange.com/questions/198555, dice left of 6**8."""
    assert action_stress() == Dist({2: 1097586, 3: 432960, 4: 132915, 5: 16155})


def green_red(green: Pool, red: Pool) -> Dist[str]:
    """Equal dice cancel; the two highest that are left decide."""

    def step(state: str, _: int, mine: int, theirs: int) -> str:
        return (state + "g" * (mine - theirs) + "r" * (theirs - mine))[:2]

    names = {"g": "success", "gg": "success", "r": "failure", "rr": "failure"}
    return fold(
        [green, red], step, "", final=lambda top: names.get(top, "partial"), descending=True
    )


def test_green_red() -> None:
    """green_red: https://rpg.stackexchange.com/questions/198579, d10 and d8 against d6 and d8.

    791 of 3840 is the success of the better dice, 265 their failure.
    """
    found = green_red(Pool([d10, d8]), Pool([d6, d8]))
    assert found == Dist({"success": 791, "partial": 2784, "failure": 265})


def test_mind_sliver() -> None:
    """mind_sliver: https://rpg.stackexchange.com/questions/197916, saves of d20 + 1 against 15.

    A failed first save costs 2d6 and, on the second one, a d4; a meteor is halved by a save.
    """
    meteor = mix([(2 @ d6, (d20 + 1 < 15).p()), ((2 @ d6) // 2, (d20 + 1 >= 15).p())])
    shaken = mix([(2 @ d6, (d20 + 1 - d4 < 15).p()), ((2 @ d6) // 2, (d20 + 1 - d4 >= 15).p())])
    found = (d20 + 1 < 15).if_else(2 @ d6 + shaken + meteor, meteor + meteor)
    assert found.mean == F("16.2296875")
    for damage, ways in {2: 444528, 3: 2624832, 17: 97277856, 36: 10478}.items():
        assert found.p(damage) == F(ways, 1492992000)


def test_neon_city() -> None:
    """neon_city: https://rpg.stackexchange.com/questions/171498, 6d6 against 6d6.

    Equal dice cancel; the best die left counts, and each 6 after the first is one more.
    """

    def step(best: int, face: int, action: int, danger: int) -> int:
        left = action - danger
        return best if left <= 0 else 5 + left if face == 6 else face

    weights = [8848236, 73856630, 153052510, 257554860, 389406800, 550664770, 493136280]
    weights += [196950375, 46377500, 6431250, 487500, 15625]
    found = fold([d6.pool(6), d6.pool(6)], step, 0)
    assert found == Dist(dict(enumerate(weights)))
    assert sum(weights) == 6**12


def fortune(dice: int) -> Dist[int]:
    """The largest set on dice of four suits, a joker for any of them, and a blank."""
    die = Dist([1, 2, 3, 4, "joker", "none"])

    def step(state: tuple[int, int], face: Any, count: int) -> tuple[int, int]:
        best, jokers = state
        if face in ("joker", "none"):
            return (best, count) if face == "joker" else state
        return max(best, count), jokers

    return die.pool(dice).fold(step, (0, 0), final=sum)


@pytest.mark.parametrize(
    ("dice", "row"),
    [
        (2, "36.11 0.00 0.00 0.00"),
        (3, "64.81 13.43 0.00 0.00"),
        (4, "83.56 34.03 4.71 0.00"),
        (5, "93.49 55.56 15.56 1.61"),
        (9, "99.95 96.31 76.18 41.76"),
    ],
)
def test_household(dice: int, row: str) -> None:
    """household: https://rpg.stackexchange.com/questions/198720, a pair or better, .. five."""
    assert all_percent([fortune(dice).at_least(k) for k in (2, 3, 4, 5)], row)


def test_technoir() -> None:
    """technoir: https://rpg.stackexchange.com/questions/66991, 3d6, 2d6 and 4d6 that hurt.

    Numbers that hurt are removed; the best that is left, whether twice, and the push dice left.
    """

    def step(state: Any, face: int, action: int, push: int, hurt: int) -> Any:
        if hurt or not action + push:
            return state
        return face, int(action + push > 1), state[2] + push

    found = fold([d6.pool(3), d6.pool(2), d6.pool(4)], step, (0, 0, 0))
    printed = {
        (0, 0, 0): 550326,
        (1, 0, 0): 186375,
        (1, 0, 1): 124250,
        (1, 1, 0): 61300,
        (2, 0, 0): 229035,
    }
    for state, ways in printed.items():
        assert found.p(state) == F(ways, 6**9)


@pytest.mark.parametrize(
    ("ranks", "scores", "row"),
    [
        ((0, 1, 2, 3, 4, 5), 6, "15.66 14.17 12.96 11.76 10.41 8.50"),
        ((0, 7, 8, 15, 16, 23), 24, "17.05 13.80 13.48 11.26 10.91 6.48"),
        ((3, 4, 11, 12, 19, 20), 24, "15.26 14.85 12.55 12.24 9.68 9.17"),
    ],
    ids=["alone", "first of four", "last of four"],
)
def test_snake_draft(ranks: tuple[int, ...], scores: int, row: str) -> None:
    """snake_draft: https://rpg.stackexchange.com/questions/120334, the mean score of each pick."""
    pool = SCORE.pool(scores)
    for rank, printed in zip(ranks, row.split(), strict=True):
        assert near(pool.window(scores - 1 - rank, scores - rank).sum().mean, printed)


def test_rolling_high() -> None:
    """rolling_high: https://rpg.stackexchange.com/questions/196327, 17d20 with many high rolls.

    Ten or more of 15 and up, and at most four of 9 and less given that.
    """
    found = d20.pool(17).counts(lambda face: face >= 15, lambda face: face <= 9)
    high = found.given(lambda counts: counts[0] >= 10)
    assert near(found.p(lambda counts: counts[0] >= 10), "0.01269272")
    assert near(high.p(lambda counts: counts[1] <= 4), "0.54865673")


def vampire(normal: int, hunger: int) -> Dist[tuple[int, ...]]:
    """Successes, tens, tens and ones on hunger dice."""
    runes = Symbols("STHB")
    plain = runes.die(*[""] * 5, *["S"] * 4, "ST")
    hungry = runes.die("B", *[""] * 4, *["S"] * 4, "STH")
    return runes.roll({plain: normal, hungry: hunger})


def test_v5() -> None:
    """v5: https://rpg.stackexchange.com/a/209266, 3 normal and 2 hunger dice."""
    kind = vampire(3, 2).map(lambda r: "none" if r[1] < 2 else "messy" if r[2] else "crit")
    assert kind == Dist({"none": 91854, "crit": 2268, "messy": 5878})


def test_cortex() -> None:
    """cortex: icepool notebooks/cortex_prime.ipynb, 3d6 whose 1s are 0, the best two."""
    counts = {0: 1, 2: 3, 3: 3, 4: 7, 5: 12, 6: 19, 7: 24, 8: 34, 9: 36, 10: 34, 11: 27, 12: 16}
    die = d6.map(lambda face: 0 if face == 1 else face)
    assert die.pool(3).keep_highest(2).sum() == Dist(counts)


def test_sets_10d10() -> None:
    """sets_10d10: icepool notebooks/all_matching_sets.ipynb (rpg.stackexchange 179043)."""
    found = d10.pool(10).set_sizes()
    printed = {
        (): 3628800,
        (2,): 163296000,
        (2, 2): 1143072000,
        (2, 2, 2): 1905120000,
        (3, 2): 1524096000,
        (4, 2): 476280000,
    }
    for sizes, ways in printed.items():
        assert found.p(sizes + (1,) * (10 - sum(sizes))) == F(ways, 10**10)


def test_soulbound() -> None:
    """NEG_soulbound: https://math.stackexchange.com/questions/4403443, 10d6 of 5 or more.

    Three points each raise a die by one: four successes with 54902060/60466176. The 44.07 % that
    were published leave the points out.
    """

    def step(state: tuple[int, int], face: int, count: int) -> tuple[int, int]:
        hits, points = state
        if face >= 5:
            return hits + count, points
        raised = min(count, points // (5 - face))
        return hits + raised, points - raised * (5 - face)

    found = d6.pool(10).fold(step, (0, 3), final=lambda state: state[0], descending=True)
    assert found.at_least(4) == F(54902060, 60466176)
    assert percent(found.at_least(4), "90.798")
    assert percent(d6.pool(10).count(lambda face: face >= 5).at_least(4), "44.073566")


def test_two_wound_models() -> None:
    """NEG_40k: frontlinegaming.org 2019/12/07, eight attacks on models of two wounds.

    2+, 3+ and a save of 6+: 1.6019 kills on average, three or more with 10.12 %. The 1.85 that
    were published are the wounds by two.
    """
    hurt = (d6 >= 2).p() * (d6 >= 3).p() * (d6 < 6).p()
    wounds = 8 @ mix({1: hurt, 0: 1 - hurt})
    assert near((wounds // 2).mean, "1.6019")
    assert percent((wounds // 2).at_least(3), "10.12")
    assert near((wounds / 2).mean, "1.85")


# --- questions that the notation does not say


def test_b04_king_of_tokyo() -> None:
    """B04: https://boardgames.stackexchange.com/questions/14593, after 3, 3, 2, 2, blank, blank.

    The two 3s are kept, four dice rolled, then the last roll is played in the best way. Three of a
    number score it, each more of them one point; the other faces score nothing.
    """

    def points(roll: tuple[int, ...]) -> int:
        return sum(
            max(0, face + roll.count(face) - 3) for face in (1, 2, 3) if roll.count(face) > 2
        )

    best = best_reroll(d6.pool(6), points)

    def last(four: tuple[int, ...]) -> Dist[int]:
        kept = best.keep((3, 3, *four))
        return d6.pool(6 - len(kept)).map(lambda fresh: points((*kept, *fresh)))

    assert d6.pool(4).map(last).mean == F(1570819, 559872)


# --- values with a source


@pytest.mark.parametrize(
    ("mine", "theirs", "weights"),
    [
        (3, 2, [2275, 2611, 2890]),
        (1, 1, [7, 5]),
        (1, 2, [161, 55]),
        (2, 1, [91, 125]),
        (3, 1, [49, 95]),
        (2, 2, [581, 420, 295]),
    ],
)
def test_risk(mine: int, theirs: int, weights: list[int]) -> None:
    """Values 1 to 5: Osborne, Mathematics Magazine 76 (2003), how many defenders are lost.

    3 v 2 of 7776, 1 v 1 5/12, 1 v 2 55/216, 2 v 1 125/216, 3 v 1 95/144, 2 v 2 of 1296.
    """
    expected = Dist(dict(enumerate(weights)))
    assert matched(d6.pool(mine), d6.pool(theirs)) == expected
    assert exchange(mine, theirs).margin(1) == expected


def test_4d6_drop_lowest() -> None:
    """Value 7: 4d6 without the lowest (mygurps.com), the counts of 3 to 18 of 1296."""
    counts = [1, 4, 10, 21, 38, 62, 91, 122, 148, 167, 172, 160, 131, 94, 54, 21]
    assert sum(counts) == 1296
    assert Dist(dict(enumerate(counts, 3))) == SCORE
    assert SCORE.mean == F(15869, 1296)


@pytest.mark.parametrize(
    ("dice", "chance"),
    [
        (6, F(31031, 46656)),
        (12, F(1346704211, 2176782336)),
        (18, F(15166600495229, 25389989167104)),
    ],
)
def test_newton_and_pepys(dice: int, chance: Fraction) -> None:
    """Value 9: Newton to Pepys (MathWorld), one six of 6, two of 12, three of 18."""
    assert (dice @ (d6 >= 6)).at_least(dice // 6) == chance


def test_craps() -> None:
    """Value 10: the pass line (Bridgewater Undergraduate Review 10)."""

    def step(state: Any) -> Any:
        if state == "come out":
            ends = {7: "win", 11: "win", 2: "lose", 3: "lose", 12: "lose"}
        else:
            ends = {state: "win", 7: "lose"}
        stay = (lambda x: x) if state == "come out" else (lambda _: state)
        return (2 @ d6).map(lambda x: ends.get(x) or stay(x))

    table = Process("come out", step, lambda state: state in ("win", "lose"))
    assert table.endings().p("win") == F(244, 495)


def test_de_mere() -> None:
    """Value 11: a six in four rolls, a double six in 24 (classic)."""
    assert d6.pool(4).contains_any(6).p() == F(671, 1296)
    double = (24 @ (2 @ d6 >= 12)).at_least(1)
    assert double == 1 - F(35, 36) ** 24
    assert near(double, "0.491404")


def test_yahtzee_in_one_roll() -> None:
    """Value 12: five, four, full house, three, two pairs, pair, none (joseph-bartlo.net)."""
    shapes = [(5,), (4, 1), (3, 2), (3, 1, 1), (2, 2, 1), (2, 1, 1, 1), (1, 1, 1, 1, 1)]
    counts = [6, 150, 300, 1200, 1800, 3600, 720]
    assert d6.pool(5).set_sizes() == Dist(dict(zip(shapes, counts, strict=True)))


def test_all_different() -> None:
    """Value 14: six d6 that all differ (classic)."""
    assert d6.pool(6).unique().p(6) == F(5, 324)


def test_coupon_collector() -> None:
    """Value 15: all faces of a d6 (classic)."""
    seen = Process(0, lambda n: mix({n: n, n + 1: 6 - n}), lambda n: n == 6)
    assert seen.mean_steps() == F(147, 10)


def test_advantage() -> None:
    """Value 16: the better and the worse of two d20 (classic)."""
    assert d20.pool(2).highest().mean == F(553, 40)
    assert d20.pool(2).lowest().mean == F(287, 40)


def test_exploding_d6() -> None:
    """Value 17: a d6 that rolls on without end (geometric series)."""
    die = chain(d6, {6})
    assert (die.mean, die.variance, die.at_least(13)) == (F(21, 5), F(266, 25), F(1, 36))


def test_fate_dice() -> None:
    """Value 18: 4dF (classic)."""
    assert ((4 @ dF).p(0), (4 @ dF).at_least(2)) == (F(19, 81), F(5, 27))


def test_efron() -> None:
    """Value 19: Efron's dice, each beats the next (classic)."""
    faces = [(4, 4, 4, 4, 0, 0), (3,) * 6, (6, 6, 2, 2, 2, 2), (5, 5, 5, 1, 1, 1)]
    dice = [Dist(each) for each in faces]
    for die, other in zip(dice, [*dice[1:], dice[0]], strict=True):
        assert contest(die, other).p("win") == F(2, 3)


def test_sicherman() -> None:
    """Value 20: Sicherman's dice add up as 2d6 do (classic)."""
    assert Dist([1, 2, 2, 3, 3, 4]) + Dist([1, 3, 4, 5, 6, 8]) == 2 @ d6


def test_ironsworn_plus_1() -> None:
    """Value 21: Ironsworn at +1, miss, weak, strong (icepool notebooks/ironsworn)."""
    beaten = rule(lambda action, one, two: (action > one) + (action > two))
    assert beaten(d6 + 1, d10, d10) == Dist({0: 271, 1: 238, 2: 91})


def test_blades_in_the_dark() -> None:
    """Value 22: four dice, bad, mixed, full, critical of 1296 (icepool notebooks/bitd)."""

    def reading(top: tuple[int, int]) -> str:
        face, count = top
        return "bad" if face <= 3 else "mixed" if face < 6 else "full" if count < 2 else "critical"

    found = d6.pool(4).highest_and_count().map(reading)
    assert found == Dist({"bad": 81, "mixed": 544, "full": 500, "critical": 171})


def test_fortune_dice() -> None:
    """Value 24: a pair or better on 2, 3, 4 dice (rpg.stackexchange 198720)."""
    assert [fortune(n).at_least(2) for n in (2, 3, 4)] == [F(13, 36), F(35, 54), F(361, 432)]


def test_vampire() -> None:
    """Value 25: 3 normal and 2 hunger dice (icepool notebooks/vampire_v5), of 100000."""
    found = vampire(3, 2)
    assert found.p(lambda r: r[1] < 2) == F(91854, 100000)
    assert found.p(lambda r: r[1] >= 2 and r[2] > 0) == F(5878, 100000)
    assert found.p(lambda r: r[1] >= 2 and not r[2]) == F(2268, 100000)
    assert found.p((0, 0, 0, 0)) == F(2000, 100000)


def test_green_and_red() -> None:
    """Value 27: d10 and d8 against d6 and d8, fail, partial, success (rpg.stackexchange 198579)."""
    found = green_red(Pool([d10, d8]), Pool([d6, d8]))
    chances = [found.p(kind) for kind in ("failure", "partial", "success")]
    assert chances == [F(265, 3840), F(2784, 3840), F(791, 3840)]


def test_action_and_stress() -> None:
    """Value 28: 5 dice against 3, 2 to 5 left of 6**8 (rpg.stackexchange 198555)."""
    chances = [action_stress().p(k) for k in (2, 3, 4, 5)]
    assert chances == [F(n, 6**8) for n in (1097586, 432960, 132915, 16155)]


def test_ten_d10_without_a_match() -> None:
    """Value 30: all ten differ (math.stackexchange 4436121)."""
    assert d10.pool(10).unique().p(10) == F(factorial(10), 10**10) == F(3628800, 10**10)


def test_blackjack() -> None:
    """Value 31: an ace and a card that counts 10 (classic)."""
    hand = Deck({"ace": 4, "ten": 16, "other": 32}).deal(2)
    assert hand.contains_all("ace", "ten").p() == F(32, 663)


def test_poker_ranks() -> None:
    """Value 32: five cards by rank only, of 2598960 (classic)."""
    found = Deck(dict.fromkeys(range(13), 4)).deal(5).set_sizes()
    hands = {
        (2, 1, 1, 1): 1098240,
        (2, 2, 1): 123552,
        (3, 1, 1): 54912,
        (3, 2): 3744,
        (4, 1): 624,
    }
    for shape, count in hands.items():
        assert found.p(shape) == F(count, 2598960)


def test_gamblers_ruin() -> None:
    """Value 33: 3 of 10 reaches 10, and how long it takes from 5 (classic)."""

    def ruin(money: int) -> Process:
        return Process(money, lambda n: mix({n - 1: 1, n + 1: 1}), lambda n: n in (0, 10))

    assert ruin(3).endings().p(10) == F(3, 10)
    assert ruin(5).mean_steps() == 25


@pytest.mark.parametrize(("goal", "rolls"), [(7, F(117649, 46656)), (6, F(16807, 7776))])
def test_rolls_to_a_sum(goal: int, rolls: Fraction) -> None:
    """Value 34: how many d6 until the sum is 7, or 6 (recurrence)."""
    assert Process(0, lambda n: d6 + n, lambda n: n >= goal).mean_steps() == rolls


def test_apocalypse_world() -> None:
    """Value 35: 2d6 + 1 for 10 and more, 7 to 9, less (classic)."""
    total = 2 @ d6 + 1
    chances = [total.at_least(10), total.between(7, 9), total.less_than(7)]
    assert chances == [F(5, 18), F(4, 9), F(5, 18)]


def test_savage_worlds() -> None:
    """Value 36: a d6 with a wild d6 (enumeration)."""
    assert (wild(d6).at_least(4), wild(d6).at_least(8)) == (F(3, 4), F(335, 1296))


def test_farkle() -> None:
    """Value 37: six dice of which nothing scores (enumeration).

    1s and 5s score, three alike, three pairs, and so a straight.
    """

    def step(state: tuple[int, int], face: int, count: int) -> tuple[int, int]:
        scores, pairs = state
        return int(scores or count >= 3 or (count > 0 and face in (1, 5))), pairs + (count == 2)

    nothing = d6.pool(6).fold(step, (0, 0), final=lambda s: int(not s[0] and s[1] < 3))
    assert nothing.p(1) == F(5, 216)
