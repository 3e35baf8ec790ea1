"""Answers as JSON: the documented form."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from oddsmith import odds
from oddsmith.render import json as render

F = Fraction


def plain(text: str) -> dict[str, Any]:
    """The one object of a text, through its JSON form."""
    (found,) = json.loads(render.answers(odds(text)))
    assert isinstance(found, dict)
    return found


def test_a_probability() -> None:
    """3d6 >= 11 is even."""
    found = plain("3d6>=11")
    assert found.pop("reading").startswith("3 six-sided dice")
    assert found == {
        "text": "3d6 >= 11", "kind": "probability", "exact": "1/2", "decimal": 0.5,
    }  # fmt: skip


def test_a_finite_distribution() -> None:
    """2d4: 2 to 8, mean 5, variance 2 * 15/12."""
    found = plain("2d4")
    assert found["kind"] == "distribution"
    assert (found["mean"], found["variance"]) == ("5", "5/2")
    assert found["support"] == {"low": 2, "high": 8}
    assert [row["value"] for row in found["rows"]] == list(range(2, 9))
    assert found["rows"][3] == {"value": 5, "exact": "1/4", "decimal": 0.25}
    assert "beyond" not in found
    assert "below" not in found


def test_an_open_ended_distribution() -> None:
    """d6!: mean 21/5, variance 266/25; rows and what lies beyond add up to 1."""
    found = plain("d6!")
    assert (found["mean"], found["variance"]) == ("21/5", "266/25")
    assert found["support"] == {"low": 1, "high": None}
    assert found["rows"][0] == {"value": 1, "exact": "1/6", "decimal": 1 / 6}
    total = sum(F(row["exact"]) for row in found["rows"]) + F(found["beyond"]["exact"])
    assert total == 1
    edge = found["beyond"]["value"]
    assert edge > found["rows"][-1]["value"]
    sixes, left = divmod(edge - 1, 6)
    assert F(found["beyond"]["exact"]) == F(1, 6**sixes) * F(6 - left, 6)


def test_a_distribution_open_downwards() -> None:
    found = plain("-(d6!)")
    assert found["support"] == {"low": None, "high": -1}
    total = sum(F(row["exact"]) for row in found["rows"]) + F(found["below"]["exact"])
    assert total == 1


def test_a_contest() -> None:
    """d6 against d8: wins 15, ties 6, loses 27 of 48."""
    found = plain("d6 vs d8")
    assert found["kind"] == "contest"
    assert (found["win"], found["tie"], found["lose"]) == ("5/16", "1/8", "9/16")


def test_ranks() -> None:
    """Two d2 side by side: the better is 2 in 3 of 4 rolls."""
    found = plain("2x(d2)")
    assert found["kind"] == "ranks"
    best, worst = found["ranks"]
    assert [row["exact"] for row in best["rows"]] == ["1/4", "3/4"]
    assert [row["exact"] for row in worst["rows"]] == ["3/4", "1/4"]
    assert found["sum"]["mean"] == "3"


def test_text_outcomes_have_no_mean() -> None:
    found = plain("artillery")
    assert (found["mean"], found["variance"]) == (None, None)
    assert found["support"] == {"low": 2, "high": "Misfire"}
    assert found["rows"][-1] == {"value": "Misfire", "exact": "1/6", "decimal": 1 / 6}


def test_fractional_outcomes_are_text() -> None:
    found = plain("d2 / 2")
    assert [row["value"] for row in found["rows"]] == ["1/2", 1]
    assert found["support"] == {"low": "1/2", "high": 1}


def test_what_is_only_enclosed_has_both_ends() -> None:
    """The product of two open-ended dice: 1 only as 1 * 1, which is exact; more is enclosed."""
    found = plain("d6!! * d6!! >= 30")
    low, high = F(found["low"]), F(found["high"])
    assert found["exact"] is None
    assert 0 < low < high < 1
    assert high - low < F(1, 2**20)
    assert low <= found["decimal"] <= high


def test_labels_and_notes_are_told() -> None:
    found = plain('"to hit": 2d6r1')
    assert found["label"] == "to hit"
    assert found["text"] == "2d6r1"
    assert found["notes"]


def test_several_answers_make_a_list() -> None:
    found = json.loads(render.answers(odds("d2 = 1, d4")))
    assert [one["text"] for one in found] == ["d2 = 1", "d4"]


@pytest.mark.parametrize(
    "text", ["3d6 >= 11", "4d6kh3", "d6!", "2d6 vs d12", "6x(4d6kh3)", "scatter"]
)
def test_it_is_strict_json_with_exact_text(text: str) -> None:
    """No NaN or Infinity; every exact value is a ratio of whole numbers in lowest terms."""

    def refuse(name: str) -> None:
        raise AssertionError(name)

    (found,) = json.loads(render.answers(odds(text)), parse_constant=refuse)
    for value in _exact(found):
        assert str(F(value)) == value
        assert "." not in value


def _exact(found: Any) -> list[str]:
    if isinstance(found, list):
        return [value for part in found for value in _exact(part)]
    if not isinstance(found, dict):
        return []
    names = ("exact", "mean", "variance", "win", "tie", "lose")
    own = [found[name] for name in names if isinstance(found.get(name), str)]
    return own + [value for part in found.values() for value in _exact(part)]


def test_names_and_faces_survive_as_they_are() -> None:
    found = plain('d{"é \\\\ <b>", 1}')
    assert found["rows"][-1]["value"] == "é \\\\ <b>"
