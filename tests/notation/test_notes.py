"""Notes that offer the reading that was perhaps meant; the numbers come from hand derivations."""

from __future__ import annotations

import pytest

from oddsmith import odds

POOLED = {
    # P(max <= k) is k^2/80 up to 8 and k/10 then; 10 - (204/80 + 9/10) = 131/20
    "1d8+1d10 k1": ("{1d8 + 1d10}kh1", "131/20"),
    "d8 + d10kh1": ("{d8 + d10}kh1", "131/20"),
    "d8+d10 k1 + 3": ("{d8 + d10}kh1", "191/20"),
    "d8+d10 highest": ("{d8 + d10} highest", "131/20"),
    # the lower is the sum less the higher: 4.5 + 5.5 - 6.55
    "d8+d10 drop highest": ("{d8 + d10}dh", "69/20"),
    # P(max <= k) is k^3/288 up to 6 and k/8 then; 8 - (441/288 + 7/8) = 179/32
    "2d6+1d8kh1": ("{2d6 + 1d8}kh1", "179/32"),
    # 1 - P(all below 15) = 1 - 14/20
    "d20 + 2d6 kh1 >= 15": ("{d20 + 2d6}kh1", "3/10"),
}


@pytest.mark.parametrize("text", POOLED)
def test_a_keep_behind_a_sum_offers_all_the_dice(text: str) -> None:
    other, number = POOLED[text]
    (answer,) = odds(text)
    (note,) = answer.notes
    assert "acts on the last dice of the sum" in note
    assert f"({other})" in note
    assert note.endswith(f" {number}")


@pytest.mark.parametrize(
    "text",
    [
        "d20 + 2d6kh1",  # glued to dice of which it leaves some
        "d8 + (d10 k1)",  # the brackets say it
        "20 - d10 k1",  # nothing else to keep
        "5 + d10 k1",
        "{d8 + d10}kh1",
        "d20 + d20 adv",
        "4d6 kh3",
    ],
)
def test_no_note_where_the_keep_is_clear(text: str) -> None:
    assert [note for note in odds(text)[0].notes if "last dice" in note] == []


@pytest.mark.parametrize(
    ("text", "names", "count"),
    [
        ("let r = d20; 3x(if r = 20 then 2d8 else d8) sum >= 20", ["r"], "3"),
        ("let a = d6; let b = a + 1; 3x(d20 + b)", ["b"], "3"),
        ("let a = d6; let b = d4; 6x(a + b + d4)", ["a", "b"], "6"),
        ("let b = 5; 3x(d20 + b)", [], ""),
        ("let r = d20; 1x(r + d4)", [], ""),
        ("let r = d20; r + 3x(d4)", [], ""),
        ("3x(d20)", [], ""),
    ],
)
def test_a_repeated_name_is_one_roll(text: str, names: list[str], count: str) -> None:
    notes = [note for note in odds(text)[0].notes if "shared" in note]
    assert notes == [f"{name} is rolled once and shared by all {count}" for name in names]


@pytest.mark.parametrize(
    ("text", "other", "number"),
    [
        ("10d10t7", "10d10c7+", "4"),  # 10 * 4/10
        ("10d10 c7", "10d10c7+", "4"),
        ("3d6!c5", "3d6!c5+", "6/5"),  # each die: 1/3 successes, and 6/5 dice on average
        ("2d6c5 >= 1", "2d6c5+", "5/9"),  # 1 - (2/3)^2
    ],
)
def test_a_count_of_one_face_offers_that_and_more(text: str, other: str, number: str) -> None:
    (answer,) = odds(text)
    (note,) = answer.notes
    assert note.startswith(f"counting that number and more ({other})")
    assert note.endswith(f" {number}")


@pytest.mark.parametrize("text", ["5d10c10", "5d10c1", "5d10c=7", "5d10c7s", "5d10c7+", "5d10c7c9"])
def test_no_note_where_the_face_is_clear(text: str) -> None:
    assert odds(text)[0].notes == ()
