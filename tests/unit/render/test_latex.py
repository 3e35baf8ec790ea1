"""Answers as LaTeX tables."""

from __future__ import annotations

import re

import pytest

from oddsmith import odds
from oddsmith.render.cells import Look
from oddsmith.render.latex import answers, escaped


def test_a_booktabs_table() -> None:
    found = answers(odds("d2 = 1"))
    for part in (r"\begin{table}", r"\caption{", r"\toprule", r"\midrule", r"\bottomrule"):
        assert part in found
    assert found.count(r"\begin{") == found.count(r"\end{") == 2
    assert r"50.00\,\%" in found
    assert "$1/2$" in found


def test_rows_end_and_have_three_cells() -> None:
    found = answers(odds("d4"))
    rows = found.split(r"\midrule")[1].split(r"\bottomrule")[0].strip().splitlines()
    assert len(rows) == 4
    assert all(row.endswith(r"\\") and row.count("&") == 2 for row in rows)


def test_the_rounding_rule_is_stated() -> None:
    assert "half to even" in answers(odds("d6"))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("d%", r"d\%"), ("a_b", r"a\_b"), ("$", r"\$"), ("#", r"\#"), ("&", r"\&"),
        ("{}", r"\{\}"), ("\\", r"\textbackslash{}"), ("^", r"\textasciicircum{}"),
        ("~", r"\textasciitilde{}"), (">=", r"\textgreater{}="), ("<", r"\textless{}"), ("é", "é"),
    ],
)  # fmt: skip
def test_commands_are_written_out(text: str, written: str) -> None:
    assert escaped(text) == written


def test_faces_cannot_break_the_table() -> None:
    found = answers(odds(r'd{"a & b \\ 50 % {", 1}'))
    body = found.split(r"\midrule")[1].split(r"\bottomrule")[0]
    rows = body.strip().splitlines()
    assert len(rows) == 2
    assert all(len(re.findall(r"(?<!\\)&", row)) == 2 for row in rows)
    assert not re.findall(r"(?<!\\)[%#$_](?![0-9])", body.replace("$1/2$", ""))


def test_tiny_chances() -> None:
    assert r"\textless{}0.01\,\%" in answers(odds("10d6 = 60"))


def test_places() -> None:
    assert r"16.6667\,\%" in answers(odds("d6"), Look(places=4))
