"""Answers as HTML tables."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from oddsmith import odds
from oddsmith.render.html import answers

VOID = {"br", "hr", "meta", "img"}


def parsed(text: str) -> tuple[list[str], list[str]]:
    """All tags in order of opening (each one closed again), and all pieces of text."""
    tags: list[str] = []
    pieces: list[str] = []
    stack: list[str] = []
    reader = HTMLParser(convert_charrefs=True)

    def opened(tag: str, _: object) -> None:
        tags.append(tag)
        if tag not in VOID:
            stack.append(tag)

    def closed(tag: str) -> None:
        assert stack.pop() == tag

    reader.handle_starttag = opened  # type: ignore[method-assign,assignment]
    reader.handle_endtag = closed  # type: ignore[method-assign]
    reader.handle_data = pieces.append  # type: ignore[method-assign,assignment]
    reader.feed(text)
    reader.close()
    assert stack == []
    return tags, [piece for piece in pieces if piece.strip()]


def test_a_table_with_caption_and_scoped_headings() -> None:
    found = answers(odds("d2"))
    tags, pieces = parsed(found)
    assert tags.count("table") == tags.count("caption") == 1
    assert found.count('scope="col"') == 3
    assert found.count('scope="row"') == 2
    assert [piece for piece in pieces if piece.strip() in ("1/2", "1", "2")] == [
        "1",
        "1/2",
        "2",
        "1/2",
    ]
    assert "script" not in tags


def test_one_table_for_each_answer() -> None:
    tags, _ = parsed(answers(odds("d2, d4 = 1")))
    assert tags.count("table") == 2


def test_the_rounding_rule_is_stated() -> None:
    _, pieces = parsed(answers(odds("d6")))
    assert any("half to even" in piece for piece in pieces)


@pytest.mark.parametrize("face", ["<script>alert(1)</script>", "a & b", "<b>", "&lt;", "it's"])
def test_faces_and_labels_are_only_text(face: str) -> None:
    found = answers(odds(f'"{face}": d{{"{face}", 1}}'))
    tags, pieces = parsed(found)
    assert "script" not in tags
    assert "b" not in tags
    assert face in pieces
    assert any(piece.startswith(face) for piece in pieces)


def test_comparisons_are_escaped() -> None:
    assert "&gt;" in answers(odds("d2 > 1"))
    assert "&lt;0.01 %" in answers(odds("10d6 = 60"))
    assert "&gt;99.99 %" in answers(odds("10d6 > 10"))


def test_places() -> None:
    assert "16.6667 %" in answers(odds("d6"), places=4)
