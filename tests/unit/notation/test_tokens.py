"""Text to tokens."""

from __future__ import annotations

import pytest

from oddsmith.errors import OddsmithError
from oddsmith.notation.tokens import tokenize


def test_signs_in_quotes_stay_as_they_are() -> None:
    """Only what is notation is read as its plain form."""
    found = [token.text for token in tokenize('d{"wild – ≥", "×"} ≥ 2')]
    assert found == ["d", "{", "wild – ≥", ",", "×", "}", ">=", "2", ""]


def test_what_is_no_text() -> None:
    with pytest.raises(OddsmithError, match="not as 5"):
        tokenize(5)  # type: ignore[arg-type]
