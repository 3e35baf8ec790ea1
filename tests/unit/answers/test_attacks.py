"""Attack sequences as answers: what is labelled how, tables, choices."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from oddsmith import d6
from oddsmith.answers.attack_choices import comparison_answers, fishing_answers, order_answers
from oddsmith.answers.attacks import attack_answers, attack_table, audited, steps, table_answers
from oddsmith.errors import RuleError, TooLarge
from oddsmith.games.attack_profiles import Target, Weapon
from oddsmith.games.attack_sequence import shoot

F = Fraction
GUN = Weapon(name="gun", attacks=4, skill=3, points=10)
FOE = Target(save=4, models=3, points=5)


def by_label(answers: tuple[Any, ...]) -> dict[str, Any]:
    return {answer.label: answer for answer in answers}


def test_what_is_answered() -> None:
    """Each attack kills with 2/3 * 1/2 * 1/2 = 1/6."""
    found = by_label(attack_answers([GUN], FOE, at_least=2))
    assert found["models lost"].dist.p(0) == F(5, 6) ** 4
    assert found["2 or more lost"].exact == 1 - F(5, 6) ** 4 - 4 * F(1, 6) * F(5, 6) ** 3
    assert found["nobody is left"].exact == found["models lost"].dist.p(3)
    mean = found["models lost"].dist.mean
    assert found["points lost for each point spent"].exact == mean * F(5, 10)
    assert "damage" not in found
    assert "single rolls" not in found
    assert {answer.reading for answer in found.values()} == {
        "gun into 3 models of T4, save 4+ (Warhammer 40,000, 10th edition)"
    }


def test_damage_where_models_have_more_than_one_wound() -> None:
    found = by_label(attack_answers([GUN], FOE.but(wounds=2)))
    assert found["damage"].dist.mean == F(4, 6)


def test_points_only_where_both_have_a_price() -> None:
    for gun, foe in ((GUN.but(points=0), FOE), (GUN, FOE.but(points=0))):
        assert "points lost for each point spent" not in by_label(attack_answers([gun], foe))


def test_hazardous_weapons_of_all_bearers() -> None:
    """Three of one kind and two that are not."""
    guns = [GUN.but(count=3, hazardous=True), GUN.but(count=2)]
    found = by_label(attack_answers(guns, FOE))["hazardous bearers harmed"].dist
    assert found.at_least(1) == F(91, 216)
    assert found.high == 3


def test_notes_of_the_edition_stand_with_the_first_answer() -> None:
    first, *rest = attack_answers([GUN], FOE, "whfb-8")
    assert "from memory" in first.notes[0]
    assert not any(answer.notes for answer in rest)


def test_steps() -> None:
    found = steps(shoot(GUN.but(attacks=d6), FOE))
    names = ["attacks", "hits", "wounds", "unsaved wounds", "damage", "models lost"]
    assert [name for name, _ in found.rows] == names
    assert found.cell("hits", "mean") == F(7, 3)
    assert found.cell("attacks", "variance") == F(35, 12)
    assert (found.cell("attacks", "lowest"), found.cell("attacks", "highest")) == (1, 6)
    two = steps(shoot([GUN, GUN.but(name="other")], FOE))
    assert two.cell("other: hits", "mean") == F(8, 3)


def test_every_single_roll() -> None:
    gun = GUN.but(hit_modifier=-1, reroll_hits=("ones",), wound=3, ap=1, damage=2)
    found = audited([gun], FOE.but(ward=5), "40k-10")
    rows = dict(found.rows)
    assert rows["gun: hit 3+ at -1, re-rolling ones"] == (F(5, 12), F(7, 12), F(7, 36))
    assert rows["gun: wound 3+"] == (F(1, 3), F(2, 3), F(1, 6))
    assert rows["gun: save of target at AP 1"] == (F(2, 3), F(1, 3), None)
    assert rows["target: 5+ for each point"] == (F(2, 3), F(1, 3), None)


def test_the_audit_says_what_armour_meets() -> None:
    """Strength 5 worsens armour by 2 in fantasy battles, and a ward stops wounds."""
    found = dict(audited([GUN.but(strength=5)], FOE.but(ward=5), "whfb-8").rows)
    assert found["gun: save of target at AP 2"] == (F(5, 6), F(1, 6), None)
    assert "target: 5+ for each wound" in found
    torrent = dict(audited([GUN.but(skill=None)], FOE, "40k-10").rows)
    assert torrent["gun: hit automatic"] == (0, 1, 0)


def test_the_work_is_limited() -> None:
    with pytest.raises(TooLarge):
        attack_answers([GUN], FOE, budget=5)


# --- tables


def test_a_table_over_two_fields() -> None:
    ranges = {"toughness": ["3", "4", "8"], "save": ["2+", "4", "none"]}
    found = attack_table([GUN], FOE, ranges)
    assert (found.corner, found.across, found.unit) == ("toughness", "save", "number")
    assert found.columns == ("2+", "4+", "none")
    for toughness in (3, 4, 8):
        for save in (2, 4, None):
            foe = FOE.but(toughness=toughness, save=save)
            name = "none" if save is None else f"{save}+"
            assert found.cell(str(toughness), name) == shoot(GUN, foe).models.mean


def test_a_table_of_chances() -> None:
    found = attack_table([GUN], FOE, {"ap": ["0", "1"], "wounds": ["1", "2"]}, at_least=2)
    assert found.unit == "chance"
    exact = shoot(GUN.but(ap=1), FOE.but(wounds=2)).models.at_least(2)
    assert found.cell("1", "2") == exact


def test_a_table_over_one_field() -> None:
    found = attack_table([GUN], FOE, {"hit-modifier": ["-1", "0"]})
    assert found.columns == ("mean", "variance", "lowest", "median", "highest")
    models = shoot(GUN.but(hit_modifier=-1), FOE).models
    assert found.cell("-1", "mean") == models.mean
    assert found.cell("-1", "variance") == models.variance
    chance = attack_table([GUN], FOE, {"hit_modifier": ["0"]}, at_least=1)
    assert chance.cell("0", "chance") == shoot(GUN, FOE).models.at_least(1)


def test_a_table_of_weapons_alone() -> None:
    guns = [GUN, Weapon(name="big gun", strength=8)]
    found = attack_table(guns, FOE, {"weapon": [], "toughness": ["4", "5"]})
    assert found.cell("big gun", "5") == shoot(guns[1], FOE.but(toughness=5)).models.mean
    assert found.cell("gun", "4") == shoot(GUN, FOE).models.mean


def test_a_field_of_weapons_changes_all_of_them() -> None:
    guns = [GUN, GUN.but(name="other")]
    found = attack_table(guns, FOE, {"skill": ["2", "auto"]})
    for name, skill in (("2+", 2), ("auto", None)):
        changed = [gun.but(skill=skill) for gun in guns]
        assert found.cell(name, "mean") == shoot(changed, FOE).models.mean


def test_flags_and_dice_as_ranges() -> None:
    found = attack_table([GUN], FOE, {"lethal": ["false", "true"], "damage": ["1", "d6"]})
    exact = shoot(GUN.but(lethal=True, damage=d6), FOE).models.mean
    assert found.cell("true", "d6") == exact


@pytest.mark.parametrize(
    ("ranges", "words"),
    [
        ({}, "one or two ranges, not 0"),
        ({"ap": ["1"], "save": ["2"], "ward": ["5"]}, "not 3"),
        ({"colour": ["red"]}, "colour is no field"),
        ({"others": ["1"]}, "others is no field"),
        ({"points": ["1"]}, "points is no field"),
        ({"ap": []}, "ap has no values"),
        ({"save": ["good"]}, "save is 'good'"),
        ({"ap": list(map(str, range(50))), "count": list(map(str, range(50)))}, "2,000 cells"),
        ({"skill": ["11"]}, "skill is 11"),
    ],
)
def test_tables_that_make_no_sense(ranges: dict[str, list[str]], words: str) -> None:
    with pytest.raises(RuleError, match=words):
        attack_table([GUN], FOE, ranges)


def test_weapons_of_one_name_are_no_rows() -> None:
    with pytest.raises(RuleError, match="same name"):
        attack_table([GUN, GUN], FOE, {"weapon": []})


def test_a_table_as_an_answer() -> None:
    (found,) = table_answers([GUN], FOE, {"save": ["2", "3"]}, text="asked")
    assert (found.kind, found.text) == ("table", "asked")
    assert found.reading.endswith("for every save")


# --- choices


def test_fishing() -> None:
    """One die at 3+ that wounds on 6+: 3/8 where all but critical hits are rolled again."""
    found = by_label(fishing_answers(Weapon(skill=3, wound=6, lethal=True), Target(save=None)))
    assert found["the best choices"].exact == F(3, 8)
    assert found["no hit given up"].exact == F(1, 3)
    assert found["plain hits to roll again"].table.cell("1", "0") == 1
    assert found["the best choices"].kind == "number"


def test_fishing_for_a_chance() -> None:
    gun = Weapon(attacks=2, skill=3, wound=6, reroll_hits=("failed",))
    found = by_label(fishing_answers(gun, Target(save=None), at_least=1))
    assert found["the best choices"].kind == "probability"
    assert "no hit given up, all lethal hits taken" not in found
    rolled = by_label(fishing_answers(gun.but(attacks=d6), Target(save=None)))
    assert "plain hits to roll again" not in rolled


def test_orders_that_are_equal_share_a_line() -> None:
    guns = [
        GUN.but(name="a", damage=1),
        GUN.but(name="b", damage=2),
        GUN.but(name="c", damage=3),
    ]
    foe = Target(save=None, wounds=3, models=2)
    (found,) = order_answers(guns, foe)
    means: dict[Fraction, list[str]] = {}
    for order in permutations(guns):
        value = shoot(order, foe).models.mean
        means.setdefault(value, []).append(", ".join(gun.name for gun in order))
    best = max(means)
    assert [cells for _, cells in found.table.rows] == [
        (value, best - value) for value in sorted(means, reverse=True)
    ]
    assert all(name in means[value] for name, (value, _) in found.table.rows)
    assert sum(note.startswith("As good as") for note in found.table.notes) == len(means)
    (chances,) = order_answers(guns[:2], FOE, at_least=1)
    assert (chances.table.unit, len(chances.table.rows)) == ("chance", 1)


def test_two_loadouts() -> None:
    found = by_label(comparison_answers([GUN], [GUN.but(skill=4)], FOE, names=("good", "bad")))
    assert found["in one go"].win > found["in one go"].lose
    assert found["mean of good"].exact > found["mean of bad"].exact
    assert found["by threshold"].table.columns == ("good", "bad", "difference")
    with pytest.raises(RuleError, match="both loadouts"):
        comparison_answers([GUN], [GUN], FOE, names=("x", "x"))
