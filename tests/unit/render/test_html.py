"""Answers as HTML tables."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from click.testing import CliRunner

from oddsmith import odds
from oddsmith.cli.main import cli
from oddsmith.render.cells import Look
from oddsmith.render.html import answers, page

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
    assert "16.6667 %" in answers(odds("d6"), Look(places=4))


def test_other_readings_stand_below_the_table() -> None:
    # 2d6 with each 1 and 2 rolled until it is 3 or more: two dice of 3, 4, 5, 6 have the mean 9
    _, pieces = parsed(answers(odds("2d6r<3")))
    notes = [piece for piece in pieces if piece.startswith("Note: ")]
    assert len(notes) == 1
    assert notes[0].endswith(" the mean 9")


# --- a whole page


def test_a_page_names_its_language_letters_and_title() -> None:
    found = page(odds('"sword & shield": 2d6 >= 9'))
    tags, pieces = parsed(found)
    assert found.startswith('<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n')
    assert tags[:5] == ["html", "meta", "meta", "title", "style"]
    assert pieces[0] == "sword & shield"
    assert 'name="viewport"' in found


def test_a_page_fetches_nothing_and_runs_nothing() -> None:
    found = page(odds("d6"))
    tags, _ = parsed(found)
    assert not {"script", "link", "img", "iframe"} & set(tags)
    assert not [word for word in ("http", "//", "url(", "@import") if word in found]


def test_each_table_of_a_page_scrolls_by_itself() -> None:
    found = page(odds("d2, d4"))
    tags, _ = parsed(found)
    assert [tag for tag in tags if tag in ("section", "table")] == ["section", "table"] * 2
    # the keyboard reaches what scrolls
    assert found.count('<section tabindex="0">') == 2
    assert "section { overflow-x: auto;" in found


@pytest.mark.parametrize(
    "words",
    [
        ("ask", "2d6 >= 9"),
        ("table", "thresholds"),
        ("game", "six-again", "--dice", "4"),
        ("ask", 'd{"<b>", "x"}'),
    ],
)
def test_the_command_prints_a_page(words: tuple[str, ...]) -> None:
    done = CliRunner().invoke(cli, [*words, "--as", "html"])
    tags, _ = parsed(done.output)
    assert done.exit_code == 0
    assert done.output.startswith("<!DOCTYPE html>")
    assert tags.count("table") == tags.count("caption") >= 1
    assert "b" not in tags
