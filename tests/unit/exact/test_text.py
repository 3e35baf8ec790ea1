"""Numbers as text, of any length."""

from __future__ import annotations

from fractions import Fraction

import pytest

from oddsmith.exact.text import fraction_text, whole_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(3, 6), "1/2"),
        (Fraction(4, 2), "2"),
        (0, "0"),
        (-7, "-7"),
        (Fraction(-1, 3), "-1/3"),
    ],
)
def test_lowest_terms(value: Fraction | int, text: str) -> None:
    assert fraction_text(value) == text


def test_more_digits_than_str_allows() -> None:
    """CPython refuses str() of more than 4300 digits."""
    assert whole_text(10**5000) == "1" + "0" * 5000
    assert fraction_text(Fraction(1, 10**5000)) == "1/1" + "0" * 5000
