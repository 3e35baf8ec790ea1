"""The values A to L that the rules of attack sequences are stated with, as a player asks them.

Every fraction is the stated one. Unsaved wounds of 1 damage on models of one wound are models lost,
so that the command shows them as such.
"""

from __future__ import annotations

import json
import shlex
from fractions import Fraction
from typing import Any

import pytest

from oddsmith.cli.main import main

F = Fraction
LADY = "game wargames leadership --leadership 8"


def fractions(text: str) -> list[Fraction]:
    return [F(part) for part in text.replace(",", " ").split()]


def asked(capsys: pytest.CaptureFixture[str], command: str) -> list[dict[str, Any]]:
    with pytest.raises(SystemExit) as caught:
        main([*shlex.split(command), "--as", "json"])
    shown = capsys.readouterr()
    assert (caught.value.code or 0, shown.err) == (0, "")
    found = json.loads(shown.out)
    return found if isinstance(found, list) else [found]


BARE = "attack --skill auto --wound auto --save none"
"""Attacks that are unsaved wounds."""

LOST = {
    "A": (
        "attack --attacks 2 --skill 3+ --lethal --sustained 1 --wound 4+ --save 4+ --models 9",
        "1369/2304 185/576 29/384 5/576 1/2304", "1/2",
    ),
    "B, four": (
        "attack --attacks 4 --skill 3+ --wound 4+ --devastating --save 3+ --damage 2 --wounds 2 "
        "--models 4",
        "234256/531441 212960/531441 24200/177147 11000/531441 625/531441", None,
    ),
    "C1": (f"{BARE} --attacks 3 --damage d3 --wounds 2 --models 9", "0 1/9 16/27 8/27", None),
    "C2": (
        f"{BARE} --attacks 4 --damage d6 --wounds 3 --models 9",
        "0 23/1296 361/1296 41/81 16/81", "3737/1296",
    ),
    "C3": (f"{BARE} --attacks 3 --damage 2 --wounds 3 --models 9", "0 1", "1"),
    "C4": (
        f"{BARE} --attacks 2 --damage d3 --wounds 2 --models 9 --feel-no-pain 5+",
        "1105/6561 4432/6561 1024/6561", None,
    ),
    "D": (
        "attack --attacks d6 --skill 4+ --wound 4+ --save 5+ --models 6",
        "155155/279936 7703/23328 331/3456 617/34992 187/93312 1/7776 1/279936", "7/12",
    ),
    "I": (
        "attack --attacks 4 --skill 3+ --wound 4+ --save 4+ --damage d3 --wounds 2 --models 3",
        "2375/3888 1885/5832 709/11664 5/972", "671/1458",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("command", "law", "mean"), LOST.values(), ids=LOST)
def test_models_lost(
    command: str, law: str, mean: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    lost = next(one for one in asked(capsys, command) if one["label"] == "models lost")
    found = {row["value"]: F(row["exact"]) for row in lost["rows"]}
    assert found == {count: p for count, p in enumerate(fractions(law)) if p}
    assert mean is None or F(lost["mean"]) == F(mean)


ONE = "attack --skill 4+ --wound 4+"
SHOT = "attack --edition whfb-8 --wound auto --save none"
SINGLE = {
    "B, one": ("attack --skill 3+ --wound 4+ --devastating --save 3+", "5/27"),
    "E 7": ("game wargames charge --distance 7", "7/12"),
    "E 8": ("game wargames charge --distance 8", "5/12"),
    "E 9": ("game wargames charge --distance 9", "5/18"),
    "E 7 again": ("game wargames charge --distance 7 --reroll", "119/144"),
    "E 8 again": ("game wargames charge --distance 8 --reroll", "95/144"),
    "E 9 again": ("game wargames charge --distance 9 --reroll", "155/324"),
    "F": (
        "attack --attacks 10 --skill 3+ --reroll-hits ones --wound 4+ --save 3+ --ap -1 "
        "--models 10 --at-least 3",
        "10341737480305/33853318889472",
    ),
    "G": (f"{ONE} --critical-wound 4+ --devastating --save 2+", "1/4"),
    "H": ("attack --skill 3+ --wound 4+ --lethal --devastating --save 3+", "7/36"),
    "J twin": (
        "attack --skill auto --wound 5+ --reroll-wounds not-succeeding --save none", "5/9",
    ),
    "J hazardous": ("game wargames hazardous --weapons 3", "91/216"),
    "K 7+": (f"{SHOT} --skill 7+", "1/12"),
    "K 8+": (f"{SHOT} --skill 8+", "1/18"),
    "K 9+": (f"{SHOT} --skill 9+", "1/36"),
    "K blow": (f"{ONE} --edition whfb-8 --strength 3 --devastating --save 4+", "1/6"),
    "K poison": (
        "attack --edition whfb-8 --strength 3 --skill 4+ --wound 5+ --lethal --save 5+", "5/27",
    ),
    "K leadership": (LADY, "13/18"),
    "K leadership again": (f"{LADY} --reroll", "299/324"),
    "K stubborn": (
        "game wargames break-test --leadership 7 --lost-by 4 --stubborn --cold-blooded", "29/36",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("command", "exact"), SINGLE.values(), ids=SINGLE)
def test_single_chances(command: str, exact: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(capsys, command)
    chances = [F(one["exact"]) for one in found if one["kind"] == "probability"]
    assert F(exact) in chances[:1]


def test_value_l(capsys: pytest.CaptureFixture[str]) -> None:
    command = "attack --attacks 20 --skill 3+ --reroll-hits ones --strength 4 --toughness 4"
    lost = asked(capsys, f"{command} --save 3+ --models 20")[0]
    assert F(lost["mean"]) == F(70, 27)
