"""Rounding, once and stated."""

from __future__ import annotations

from fractions import Fraction

import pytest

from oddsmith.render.numbers import certain_percent, decimal, fraction, one_in, percent, rounded

F = Fraction


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (F(1, 8), 2, "0.12"), (F(3, 8), 2, "0.38"), (F(5, 2), 0, "2"), (F(7, 2), 0, "4"),
        (F(-7, 2), 0, "-4"), (F(-1, 8), 2, "-0.12"), (F(1, 3), 5, "0.33333"),
        (F(2, 3), 5, "0.66667"), (F(0), 3, "0.000"), (F(-1, 1000), 2, "0.00"),
        (F(1234), 2, "1234.00"), (F(999, 1000), 2, "1.00"), (F(1, 3), 30, "0." + "3" * 30),
    ],
)  # fmt: skip
def test_half_goes_to_even(value: Fraction, places: int, text: str) -> None:
    assert rounded(value, places) == text


@pytest.mark.parametrize(
    ("chance", "places", "text"),
    [
        (F(1, 2), 2, "50.00"), (F(1, 3), 2, "33.33"), (F(2, 3), 1, "66.7"),
        (F(25, 108), 2, "23.15"), (F(0), 2, "0.00"), (F(1), 2, "100.00"), (F(1, 6), 0, "17"),
        (F(1, 800), 1, "0.1"),
    ],
)  # fmt: skip
def test_percentages(chance: Fraction, places: int, text: str) -> None:
    assert percent(chance, places) == text


@pytest.mark.parametrize("places", [0, 1, 2, 5])
@pytest.mark.parametrize("tiny", [F(1, 10**9), F(1, 6**100), F(1, 10**5000)])
def test_what_can_happen_is_never_0_and_what_can_fail_never_100(
    places: int, tiny: Fraction
) -> None:
    unit = "1" if places == 0 else "0." + "0" * (places - 1) + "1"
    nines = "99" + ("." + "9" * places if places else "")
    assert percent(tiny, places) == f"<{unit}"
    assert percent(1 - tiny, places) == f">{nines}"


def test_the_edge_of_the_smallest_percentage() -> None:
    """0.005 % is half of the last place: to even it would be 0.00, which is not certain."""
    assert percent(F(5, 100_000)) == "<0.01"
    assert percent(F(51, 1_000_000)) == "0.01"
    assert percent(1 - F(5, 100_000)) == ">99.99"
    assert percent(1 - F(51, 1_000_000)) == "99.99"


def test_only_digits_on_which_both_ends_agree() -> None:
    assert certain_percent(F(1, 2), F(1, 2)) == "50.00"
    assert certain_percent(F(1234, 10000), F(12349, 100000)) == "12.3"
    assert certain_percent(F(1, 3), F(1, 3) + F(1, 10**20)) == "33.33"
    assert certain_percent(F(12, 100), F(18, 100)) == "12.00 to 18.00"
    assert certain_percent(F(0), F(1, 10**9)) == "0.00 to <0.01"


@pytest.mark.parametrize(
    ("value", "text"),
    [(F(7, 2), "3.5"), (F(1, 3), "0.333"), (F(10), "10"), (F(100), "100"), (F(-1, 2), "-0.5"),
     (F(0), "0")],
)  # fmt: skip
def test_decimals_without_superfluous_zeros(value: Fraction, text: str) -> None:
    assert decimal(value) == text


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (F(0), "never"), (F(1), "always"), (F(1, 6), "1 in 6"), (F(25, 108), "about 1 in 4.3"),
        (F(1, 2), "1 in 2"), (F(3, 4), "3 in 4"), (F(2, 3), "2 in 3"), (F(1, 1296), "1 in 1,296"),
        (F(5, 1296), "about 1 in 259"), (F(2, 5), "about 1 in 2.5"), (F(9, 10), "9 in 10"),
        (F(1000, 1001), "all but 1 in 1,001"),
    ],
)  # fmt: skip
def test_chances_in_words(chance: Fraction, words: str) -> None:
    assert one_in(chance) == words


@pytest.mark.parametrize("chance", [F(k, 1009) for k in range(505, 1000, 31)])
def test_words_for_a_chance_above_a_half_come_within_a_hundredth(chance: Fraction) -> None:
    """ "about A in B" with B of a hundred at most."""
    about, top, _, bottom = one_in(chance).rsplit(maxsplit=3)
    assert about == "about"
    assert int(bottom) <= 100
    assert abs(F(int(top), int(bottom)) - chance) <= F(1, 100)


def test_a_very_small_chance_is_only_about_a_power_of_ten() -> None:
    """6^20 = 3,656,158,440,062,976 is not 10^15."""
    assert one_in(F(1, 6**20)).startswith("about ")
    assert one_in(F(1, 10**15)) == "1 in 10^15"
    assert one_in(F(3, 10**20)).startswith("about ")


def test_fractions_are_shortened_only_when_very_long() -> None:
    assert fraction(F(25, 108)) == "25/108"
    assert fraction(F(4, 2)) == "2"
    shown = fraction(F(1, 6**1000))
    assert len(shown) < 60
    assert shown.startswith("1/")
    assert "(779 digits)" in shown


def test_a_shortened_fraction_shows_its_first_and_last_digits() -> None:
    big = 6**1000
    shown = fraction(F(1, big))
    digits = str(big)
    assert digits[:8] in shown
    assert digits[-8:] in shown
