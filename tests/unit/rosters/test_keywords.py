"""Cells and keywords, each against what the rules say it is; nothing else is accepted."""

from __future__ import annotations

import pytest

from oddsmith.errors import RuleError
from oddsmith.rosters.keywords import (
    LONGEST,
    dice,
    listed,
    meaning,
    piercing,
    plain,
    skill,
    strength,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3), (3, 3), ("0", 0), ("D6", "D6"), ("d6", "D6"), ("D6+1", "D6+1"), ("D3", "D3"),
        ("2D6", "2D6"), ("1D6", "D6"), ("D3 + 3", "D3+3"), ("D6\u00a0+\u00a02", "D6+2"),
    ],
)  # fmt: skip
def test_numbers_and_dice(text: object, value: object) -> None:
    assert dice(text) == value


@pytest.mark.parametrize(
    "text", ["D7", "D5", "D66", "D100", "0D6", "D", "", "*", "-1", "D6+D3", "2x", "1e3", "99999",
             "D6+1000", None, True, "[highest 3 of 4d6]", "4d6kh3", "d6!"],
)  # fmt: skip
def test_dice_that_are_refused(text: object) -> None:
    with pytest.raises(RuleError):
        dice(text)


def test_a_die_with_seven_faces_is_named() -> None:
    with pytest.raises(RuleError, match=r"'D7' has a die with 7 faces"):
        dice("D7")


@pytest.mark.parametrize(
    ("text", "value"), [("3+", "3+"), ("3", "3+"), (3, "3+"), ("N/A", "none"), ("n/a", "none"),
                        ("-", "none"), ("2 +", "2+")],
)  # fmt: skip
def test_skills(text: object, value: str) -> None:
    assert skill(text) == value


@pytest.mark.parametrize("text", ["", "1+", "0+", "*", "auto", "10+", "3++", None, True, 3.5])
def test_skills_that_are_refused(text: object) -> None:
    with pytest.raises(RuleError):
        skill(text)


@pytest.mark.parametrize(
    ("text", "bearer", "value"),
    [
        ("8", None, 8), ("User", 4, 4), ("user", 3, 3), ("x2", 4, 8), ("×2", 5, 10),
        ("+1", 4, 5), ("+ 3", 3, 6), ("User+2", 4, 6), ("S", 4, 4),
    ],
)  # fmt: skip
def test_strengths(text: str, bearer: int | None, value: int) -> None:
    assert strength(text, bearer) == value


@pytest.mark.parametrize(
    ("text", "bearer"), [("User", None), ("x2", None), ("+1", None), ("*", 4), ("", 4), ("D6", 4)]
)
def test_strengths_that_are_refused(text: str, bearer: int | None) -> None:
    with pytest.raises(RuleError):
        strength(text, bearer)


@pytest.mark.parametrize(
    ("text", "value"), [("-1", 1), ("0", 0), ("-", 0), ("−2", 2), ("–3", 3), ("-10", 10), (0, 0)]
)
def test_ap(text: object, value: int) -> None:
    assert piercing(text) == value


@pytest.mark.parametrize("text", ["2", "+1", "*", "", "D3", "-1/-2", None])
def test_ap_that_is_refused(text: object) -> None:
    with pytest.raises(RuleError):
        piercing(text)


def test_ap_of_games_without_minus() -> None:
    assert piercing("2", signed=False) == 2


@pytest.mark.parametrize(
    ("text", "fields", "needs"),
    [
        ("Sustained Hits 1", {"sustained": 1}, ""),
        ("SUSTAINED HITS D3", {"sustained": "D3"}, ""),
        ("Lethal Hits", {"lethal": True}, ""),
        ("Devastating Wounds", {"devastating": True}, ""),
        ("Anti-Vehicle 4+", {"critical_wound": 4}, "against vehicle"),
        ("anti-fly 2+", {"critical_wound": 2}, "against fly"),
        ("Anti-epic hero 3+", {"critical_wound": 3}, "against epic hero"),
        ("Rapid Fire 1", {"rapid_fire": 1}, "half-range"),
        ("rapid fire D6+3", {"rapid_fire": "D6+3"}, "half-range"),
        ("Melta 2", {"melta": 2}, "half-range"),
        ("Twin-linked", {"reroll_wounds": ["not-succeeding"]}, ""),
        ("twin linked", {"reroll_wounds": ["not-succeeding"]}, ""),
        ("Torrent", {"skill": "none"}, ""),
        ("Blast", {"blast": 1}, ""),
        ("Blast 2", {"blast": 2}, ""),
        ("Cleave 1", {"blast": 1}, ""),
        ("Heavy", {"hit_modifier": 1}, "stationary"),
        ("Lance", {"wound_modifier": 1}, "charging"),
        ("Ignores Cover", {"ignores_cover": True}, ""),
        ("Indirect Fire", {"indirect": True}, "unseen"),
        ("Hazardous", {"hazardous": True}, ""),
        ("Crit (2 Hits)", {"sustained": 1}, ""),
        ("Crit (Mortal)", {"mortal_hits": True}, ""),
        ("Crit (Auto-wound)", {"lethal": True}, ""),
        ("Assault", {}, ""),
        ("Pistol", {}, ""),
        ("Extra Attacks", {}, ""),
        ("Precision", {}, ""),
    ],
)
def test_keywords(text: str, fields: dict[str, object], needs: str) -> None:
    found = meaning(text)
    assert found is not None
    assert dict(found.fields) == fields
    assert found.needs == needs
    assert found.text == text


@pytest.mark.parametrize(
    "text", ["Song of Doom", "Sustained Hits", "Sustained Hits X", "Anti-vehicle", "Anti-x 7+",
             "Melta", "Lethal Hits on the charge", "Charge (+1 Damage)", "Anti-x (+1 Rend)", ""],
)  # fmt: skip
def test_keywords_that_are_not_known(text: str) -> None:
    assert meaning(text) is None


@pytest.mark.parametrize("text", ["Sustained Hits D7", "Rapid Fire D5", "Melta 0D6"])
def test_keywords_with_dice_that_there_are_not(text: str) -> None:
    with pytest.raises(RuleError):
        meaning(text)


def test_a_situation_switches_a_keyword_on() -> None:
    anti = meaning("Anti-vehicle 4+")
    assert anti is not None
    assert not anti.holds(set())
    assert not anti.holds({"against fly", "half-range"})
    assert anti.holds({"against vehicle"})
    blast = meaning("Blast")
    assert blast is not None
    assert blast.holds(set())


def test_keywords_in_one_cell() -> None:
    text = "[RAPID FIRE 1], Anti-Infantry (+1 Rend, twice), Heavy,\u00a0Blast, -, "
    expected = ["RAPID FIRE 1", "Anti-Infantry (+1 Rend, twice)", "Heavy", "Blast"]
    assert listed(text) == expected


def test_plain_text_has_nothing_that_steers_a_terminal() -> None:
    text = plain("a\x1b[2J\r\nb\u202ec\ud800d\x07")
    assert text == "a[2J bcd"
    assert len(plain("x" * 10_000)) == LONGEST
