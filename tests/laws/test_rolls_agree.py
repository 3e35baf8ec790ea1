"""Two evaluators on one syntax tree: many rolls must fit the exact odds."""

import pytest

from oddsmith import odds
from oddsmith.answers.check import checked, fit, fits

TIMES = 20_000
UNLIKELY = 1e-6
TEXTS = [
    # dice
    "3d6", "d%", "4dF >= 2", "d66 = 16", "d(66)", "d{1, 1, 2, 3..5, 6:2}", "artillery",
    "scatter = Hit", "coin + 1", "(1d4)d6", "0d6",
    # keep, advantage
    "4d6kh3", "3d20mid1", "4d6dh1dl1", "4d6kh3kl1", "d20 adv", "d20 dis >= 11", "2d20kh1 + 5 >= 15",
    "(d4)d6kh2", "4d6kh(d3)",
    # re-roll, bounds
    "d6r1", "2d6r<=2", "4d6rr1kh3", "2d20kh1r1", "d10r1min2", "2d20kh1min10",
    # explode
    "3d6!", "6d10!9c>=8", "d6!max1", "5d6!!", "8d4!!kh4", "d6!p", "2d6!>3", "3d6kh2!", "2d6!kh1",
    "6d6dh2!", "d4!!p", "d6r1!>=5",
    # counts and readings
    "5d10c7+x10:3", "3d10c>=8 -c1", "5d10c>=7c=10", "6d6c even", "5d6 sets", "5d6 pairs",
    "5d6 highest set", "5d6 longest run", "5d6 unique", "4d6 median", "3d4 product", "4d6! count",
    # pools of results
    "{2d6+3d4}kh2", "{2d6, 3d4}kh1", "3x(4d6kh3) highest", "2x(d4+1)", "max(d8!!, d6!!) >= 4",
    # arithmetic and questions
    "half_up(2d6)", "-3d6 // 2", "2d6 * d4 / 3", "10 <= 3d6 <= 12", "d20 in {1, 15..20}",
    "2d6 > 2d6", "not (d6 = 1 or d6 = 1)", "2d6+1 vs d12",
    # names
    "let x = 3d6; x given x >= 12", "let p = 3d6; (p kh1) - (p kl1)",
    "let x = d10; if x = 10 then 10 + d10 else if x = 1 then 1 - d10 else x",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_rolls_fit_the_exact_odds(text: str) -> None:
    for found in fits(text, TIMES, seed=20):
        assert found.never is None
        assert found.p > UNLIKELY


def test_wrong_odds_are_found() -> None:
    rolled = [1, 2, 3, 4, 5, 6] * 100
    assert fit(odds("d6")[0], rolled).p == pytest.approx(1)
    assert fit(odds("d{1..5, 6:2}")[0], rolled).p < UNLIKELY
    assert fit(odds("d5")[0], rolled).never == 6


def test_check_in_words() -> None:
    text = checked("3d6 >= 11, 2d6 vs 2d6", 1000, seed=1).splitlines()
    assert text[0] == "3d6 >= 11: 1,000 rolls"
    assert text[1].startswith("chi-squared ")
    assert "1 degree of freedom" in text[1]
    assert text[2] == "the rolls fit the exact odds"
    assert text[3] == "2d6 vs 2d6: 1,000 rolls"
    assert checked("d6", 600, seed=3) == checked("d6", 600, seed=3)


def test_a_surprise_is_told() -> None:
    loaded = fit(odds("d6")[0], [6] * 130 + [1, 2, 3, 4, 5] * 60)
    assert loaded.lines()[-1].startswith("such a deviation would happen once in ")
