"""The notation: trees and texts mean the same, every text is answered or refused in good form."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from oddsmith import odds, parse, unparse
from oddsmith.errors import NotationError, OddsmithError
from oddsmith.notation.reading import reading
from oddsmith.notation.tokens import MAX_TEXT

from . import trees
from .some import quick

CASES = Path(__file__).parents[1] / "cases"
FILES = sorted(path.name for path in CASES.glob("*.toml"))


def texts(name: str) -> list[str]:
    """Every text of a file of cases."""
    cases = tomllib.loads((CASES / name).read_text(encoding="utf-8"))["case"]
    return [case[key] for case in cases for key in ("text", "same_as") if key in case]


def parsed(text: str) -> Any:
    """The tree, or None for a text that is refused."""
    try:
        return parse(text)
    except OddsmithError:
        return None


READABLE = [text for name in FILES for text in texts(name) if parsed(text) is not None]


# --- trees and texts


@given(program=trees.programs())
@quick(250)
def test_a_tree_comes_back_from_its_text(program: Any) -> None:
    text = unparse(program)
    assume(len(text) <= MAX_TEXT)
    assert parse(text) == program


@given(program=trees.programs())
@quick(100)
def test_the_canonical_text_is_its_own_canonical_text(program: Any) -> None:
    again = parsed(unparse(program))
    assume(again is not None)
    assert unparse(again) == unparse(program)


@given(program=trees.programs())
@quick(120)
def test_every_tree_has_a_reading(program: Any) -> None:
    for result in program.results:
        said = reading(result.body, program.lets)
        assert isinstance(said, str)
        assert said.strip() or not unparse(result.body).strip('"')


@pytest.mark.parametrize("name", FILES)
def test_every_text_of_the_cases_comes_back_from_its_tree(name: str) -> None:
    trees_and_texts = [(parsed(text), text) for text in texts(name)]
    wrong = [
        text for tree, text in trees_and_texts if tree is not None and parsed(unparse(tree)) != tree
    ]
    assert wrong == []


@pytest.mark.parametrize("name", FILES)
def test_every_text_of_the_cases_has_a_reading(name: str) -> None:
    said = [
        reading(result.body, program.lets)
        for program in map(parsed, texts(name))
        if program is not None
        for result in program.results
    ]
    assert said or name == "errors.toml"
    assert all(sentence.strip() for sentence in said)


@given(text=st.sampled_from(READABLE), upper=st.booleans())
@quick(60)
def test_case_and_outer_space_do_not_matter(text: str, upper: bool) -> None:
    assume("#" not in text and '"' not in text and "'" not in text)
    assert _folded(f"  {text} \n") == _folded(text)
    if upper:
        assert _folded(text.upper()) == _folded(text)


def _folded(text: str) -> str:
    tree = parsed(text)
    return unparse(tree).lower() if tree else "refused"


# --- any text at all

WORDS = (
    "d6", "2d6", "d", "d20", "d%", "dF", "4dF", "d66", "3d{1,2,Hit}", "coin", "artillery",
    "Misfire", "scatter", "(", ")", "{", "}", ",", ":", ";", "\n", "#", '"', "'", "[", "]",
    "kh", "kl1", "dh2", "mid", "k3", "adv", "dis", "!", "!!", "!p", "!max2", "!>=5", "r1", "rr",
    "r<3", "reroll", "once", "until", "ok", "c", "c5+", "c>=4", "x6:3", "x", "-c1", "f1", "floor0",
    "sum", "highest", "lowest", "median", "count", "product", "sets", "pairs", "set", "longest",
    "run", "unique", "largest", "min2", "max5", "max(", "min(", "ceil(", "floor(", "round(",
    "half_up(", "abs(", "trunc(", "+", "-", "*", "/", "//", "=", "==", "<>", "!=", ">=", ">", "<=",
    "<", "and", "or", "not", "in", "vs", "given", "if", "then", "else", "let", "hit", "0", "1", "2",
    "6", "12", "..", "%", "^", "even", "odd", "keep", "drop", "2x(", "×", "≥", "−", " ", " ",
)  # fmt: skip
LETTERS = "0123456789dkhlcrxfmaiponsetvguFD!(){}[]+-*/<>=.,:;%#\"' \n×≥−"
SMALL = 2_000_000


def answered_or_refused(text: str) -> None:
    """An answer whose parts can be looked at, or an error of the library, placed in the text."""
    refusal, answers = None, ()
    try:
        answers = odds(text, budget=SMALL)
    except OddsmithError as error:
        refusal = error
    if refusal is None:
        assert answers
        assert all(answer.reading and answer.text for answer in answers)
        return
    assert refusal.message
    assert str(refusal)
    if isinstance(refusal, NotationError):
        start, end = refusal.span
        assert 0 <= start <= len(text)
        assert start <= end


@given(words=st.lists(st.sampled_from(WORDS), max_size=9))
@quick(300)
def test_words_of_the_notation_in_any_order(words: list[str]) -> None:
    answered_or_refused("".join(words))


@given(words=st.lists(st.sampled_from(WORDS), max_size=7))
@quick(300)
def test_words_of_the_notation_apart(words: list[str]) -> None:
    answered_or_refused(" ".join(words))


@given(text=st.text(LETTERS, max_size=14).filter(lambda text: not _has_long_number(text)))
@quick(300)
def test_signs_and_letters_of_the_notation(text: str) -> None:
    answered_or_refused(text)


@given(text=st.text(max_size=20).filter(lambda text: not _has_long_number(text)))
@quick(300)
def test_any_characters(text: str) -> None:
    answered_or_refused(text)


@given(
    text=st.sampled_from([text for text in READABLE if len(text) < 40]),
    place=st.integers(0, 40),
    cut=st.integers(0, 3),
    piece=st.sampled_from([*WORDS, ""]),
)
@quick(300)
def test_readable_texts_with_a_slip(text: str, place: int, cut: int, piece: str) -> None:
    start = min(place, len(text))
    changed = text[:start] + piece + text[start + cut :]
    assume(not _has_long_number(changed))
    answered_or_refused(changed)


def _has_long_number(text: str) -> bool:
    """More than two digits in a row would only make the work long."""
    return any(all(char.isdigit() for char in text[i : i + 3]) for i in range(len(text) - 2))
