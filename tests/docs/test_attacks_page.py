"""The examples of docs/attacks.md that use unit files: its files are written, its commands run.

A ``toml`` block opens with a comment that names its file; commands that read files stand in
``text`` blocks and are compared like those of console blocks.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_console import agrees, run, trimmed

PAGE = Path(__file__).parents[2] / "docs" / "attacks.md"
FILE = re.compile(r"^```toml\n# (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```text\n\$ (.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = BLOCK.findall(TEXT)


@pytest.mark.parametrize(("line", "expected"), EXAMPLES, ids=[line for line, _ in EXAMPLES])
def test_output(line: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, body in FILE.findall(TEXT):
        Path(name).write_text(f"# {name}\n{body}", encoding="utf-8")
    got, wanted = trimmed(run(line).splitlines()), trimmed(expected.splitlines())
    if not agrees(wanted, got):
        assert got == wanted


def test_no_block_is_passed_over() -> None:
    assert len(EXAMPLES) == TEXT.count("```text\n") >= 5
    assert len(FILE.findall(TEXT)) == TEXT.count("```toml\n") >= 4


def test_every_edition_and_every_option_of_the_page_exists() -> None:
    from oddsmith.games.attack_profiles import EDITIONS

    named = set(re.findall(r"`((?:40k|aos|whfb)-\d+)`", TEXT))
    assert named == set(EDITIONS)
    helped = run("odds attack --help")
    for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", TEXT.split("## Other wargames")[0])):
        assert option in helped, option
