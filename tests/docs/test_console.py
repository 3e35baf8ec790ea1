"""Every console block of the README and of docs/ is run and its output compared, line by line.

The commands run in a folder with the files of docs/examples/.
"""

from __future__ import annotations

import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from oddsmith.cli.main import cli, main
from oddsmith.errors import OddsmithError

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ENVIRONMENT = {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb", "FORCE_COLOR": None}

COMMAND: Any = SimpleNamespace(name="odds", main=lambda args, prog_name: main(args))
"""``main`` as the runner calls a command: errors of the library become a message and a code."""


@dataclass(frozen=True)
class Example:
    """A command line and the lines it must print.

    Attributes:
        name: Page and line, for the test report.
        line: What stands behind the ``$``.
        expected: The lines up to the next command or the end of the block.
    """

    name: str
    line: str
    expected: tuple[str, ...]


def examples(page: Path) -> list[Example]:
    """All commands of one page."""
    text = page.read_text(encoding="utf-8")
    found = []
    for block in BLOCK.finditer(text):
        first = text.count("\n", 0, block.start(1)) + 1
        lines = block.group(1).splitlines()
        starts = [k for k, line in enumerate(lines) if line.startswith("$ ")]
        ends = [*starts[1:], len(lines)] if starts else []
        for start, end in zip(starts, ends, strict=True):
            name = f"{page.name}:{first + start}"
            found.append(Example(name, lines[start][2:], tuple(lines[start + 1 : end])))
    return found


EXAMPLES = [example for page in PAGES for example in examples(page)]
RUN = [example for example in EXAMPLES if not example.line.startswith("pip install")]


def run(line: str) -> str:
    """What the command line prints, errors included; ``echo text | odds -`` gives it an input."""
    words = shlex.split(line)
    given = None
    if words[0] == "echo":
        given, words = words[1] + "\n", words[3:]
    assert words[0] == "odds", f"only odds can be run here, not {line}"
    runner = CliRunner(env=ENVIRONMENT)
    result = runner.invoke(cli, words[1:], input=given, color=False)
    if isinstance(result.exception, OddsmithError):
        result = runner.invoke(COMMAND, words[1:], input=given, color=False)
        assert result.exit_code in (2, 3)
        assert isinstance(result.exception, SystemExit)
    elif result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


def trimmed(lines: list[str] | tuple[str, ...]) -> list[str]:
    """The lines without spaces at their ends and without empty lines at the end."""
    found = [line.rstrip() for line in lines]
    while found and not found[-1]:
        found.pop()
    return found


def agrees(expected: list[str], got: list[str]) -> bool:
    """Whether the lines are the same; a line ``...`` stands for any lines, also for none."""
    if not expected:
        return not got
    if expected[0] == "...":
        return any(agrees(expected[1:], got[k:]) for k in range(len(got) + 1))
    return bool(got) and expected[0] == got[0] and agrees(expected[1:], got[1:])


def test_no_block_is_passed_over() -> None:
    assert len(RUN) > 10
    for page in PAGES:
        for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
            assert block.group(1).startswith(("$ ", "pip install"))


@pytest.mark.parametrize("example", RUN, ids=lambda example: example.name)
def test_output(example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "docs" / "examples", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    got = trimmed(run(example.line).splitlines())
    expected = trimmed(example.expected)
    if not agrees(expected, got):
        assert got == expected


@pytest.mark.parametrize(
    ("expected", "got", "same"),
    [
        (["a", "b"], ["a", "b"], True),
        (["a", "b"], ["a"], False),
        (["a", "..."], ["a", "b", "c"], True),
        (["a", "...", "c"], ["a", "b", "c"], True),
        (["a", "...", "c"], ["a", "c"], True),
        (["...", "d"], ["a", "b", "c"], False),
        ([], ["a"], False),
    ],
)
def test_the_comparison_itself(expected: list[str], got: list[str], same: bool) -> None:
    assert agrees(expected, got) == same
