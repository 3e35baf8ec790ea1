"""What a notebook shows: short tables, charts with a description."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from oddsmith import Dist, d6, d8, odds
from oddsmith.answers import tables
from oddsmith.answers.charts import chart, distributions, heat
from oddsmith.render.notebook import MOST_ROWS, described, html

ROW = re.compile(r'<th scope="row">(.*?)</th><td>(.*?) %</td>')


def rows(text: str) -> list[tuple[str, str]]:
    """The names and chances of a table."""
    return ROW.findall(text)


def test_few_outcomes_are_listed_with_their_fractions() -> None:
    shown = html(d6)
    assert rows(shown) == [(str(face), "16.67") for face in range(1, 7)]
    assert shown.count("<td>1/6</td>") == 6


@pytest.mark.parametrize("text", ["100d6", "d6! * d6!"])
def test_many_outcomes_are_shown_as_ranges(text: str) -> None:
    shown = html(odds(text)[0])
    found = rows(shown)
    assert 20 < len(found) <= MOST_ROWS + 3
    assert any(" to " in name for name, _ in found)
    assert "to_pandas()" in shown
    # every outcome is in one row, so the rounded rows come near 100
    assert abs(sum(Fraction(chance.strip("&lt;g")) for _, chance in found) - 100) < 1


def test_a_range_adds_its_outcomes_up() -> None:
    # 200 faces do not fit into 60 rows, and ranges of 2 would be 101: the next width is 5
    found = dict(rows(html(odds("d200")[0])))
    assert found["5 to 9"] == found["195 to 199"] == "2.50"
    assert found["1 to 4"] == "2.00"
    assert found["200"] == "0.50"


def test_of_many_names_the_likeliest_are_shown() -> None:
    # 80 names with one way each and 20 with two: 120 ways, of which 60 names have 20 * 2 + 40
    names = {f"name {place:02}": 2 if place < 20 else 1 for place in range(100)}
    shown = html(Dist(names))
    found = rows(shown)
    assert len(found) == MOST_ROWS + 1
    assert found[0] == ("name 00", "1.67")
    assert found[-1] == ("all others", "33.33")
    assert "or more" not in shown


def test_a_picture_is_described() -> None:
    assert 'alt="How often? (bars of chance in % by result)"' in html(d6)
    assert described(chart(odds("2d6 >= 9"))) == "How likely? (bars of chance in %: 2d6 >= 9)"
    assert described(heat(tables.thresholds())).endswith(
        "(heat map of chance in % by dice and target)"
    )


def test_many_series_are_counted() -> None:
    named = [(f"{n}d8", n @ d8) for n in range(1, 10)]
    assert described(distributions(named)).endswith(": 1d8, 2d8, 3d8, 4d8, 5d8, 6d8 and 3 more)")


def test_quotes_do_not_end_a_description() -> None:
    shown = html(odds('d{"a", "b"}')[0])
    assert 'alt="d{&quot;a&quot;, &quot;b&quot;} (bars' in shown
