"""The grammar printed in docs/notation.md has the rules that the parser's docstrings name."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = [ROOT / "src/oddsmith/notation" / name for name in ("parser.py", "modifiers.py")]
PAGE = (ROOT / "docs/notation.md").read_text(encoding="utf-8")
RULE = re.compile(r"(?:^|; )(\w+) = (.*?)(?= ; \w+ =| ;|$)")


def printed() -> dict[str, str]:
    """The rules of the page by name."""
    block = re.search(r"^```ebnf\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert block
    rules = re.findall(r"^(\w+) *= (.*?) ;$", block.group(1), re.MULTILINE | re.DOTALL)
    assert len(rules) == len(dict(rules))
    return dict(rules)


def documented() -> dict[str, str]:
    """The rules in the first lines of docstrings, by name."""
    found: dict[str, str] = {}
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                line = (ast.get_docstring(node) or "").split("\n")[0]
                found.update(dict(RULE.findall(line)))
    return found


def test_every_rule_is_printed() -> None:
    assert len(documented()) > 20
    assert documented().keys() - printed().keys() == set()


def test_every_word_of_a_rule_is_printed() -> None:
    for name, rule in documented().items():
        words = set(re.findall(r'"[^"]+"', rule))
        assert words <= set(re.findall(r'"[^"]+"', "\n".join(printed().values()))), name


def test_every_name_used_has_a_rule() -> None:
    rules = printed()
    for name, rule in rules.items():
        bare = re.sub(r'"[^"]*"|\'"\'|\?[^?]*\?', " ", rule)
        assert set(re.findall(r"[a-z_]+", bare)) <= rules.keys(), name
