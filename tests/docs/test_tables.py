"""Every table cell under ``exact`` in docs/ is what the engine makes of the cell to its left."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from oddsmith import Dist, odds
from oddsmith.errors import OddsmithError

if TYPE_CHECKING:
    from oddsmith.answers.ask import Answer

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
RULE = re.compile(r"\|[-:| ]+\|")


@dataclass(frozen=True)
class Claim:
    """A text and what its page says it comes to."""

    name: str
    text: str
    exact: str


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def claims(page: Path) -> list[Claim]:
    """All pairs of a cell and the ``exact`` cell to its right, outside of fenced blocks."""
    text = page.read_text(encoding="utf-8")
    text = FENCE.sub(lambda block: "\n" * block.group().count("\n"), text)
    found, places = [], list[int]()
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if not line.startswith("|"):
            places = []
        elif number < len(lines) and RULE.fullmatch(lines[number]):
            places = [k for k, title in enumerate(cells(line)) if title == "exact"]
        elif not RULE.fullmatch(line):
            row = cells(line)
            found += [
                Claim(f"{page.name}:{number}", row[k - 1].strip("`"), row[k])
                for k in places
                if row[k]
            ]
    return found


CLAIMS = [claim for page in sorted((ROOT / "docs").rglob("*.md")) for claim in claims(page)]


def shown(answer: Answer) -> str:
    """An answer as the tables write it."""
    if answer.kind == "probability":
        assert answer.exact is not None
        return str(answer.exact)
    if answer.kind == "contest":
        return f"win {answer.win}, tie {answer.tie}, lose {answer.lose}"
    dist = answer.dist
    if isinstance(dist, Dist) and len(dist) == 1:
        return f"always {dist.low}"
    if not dist.is_numeric:
        return ", ".join(f"{outcome} {chance}" for outcome, chance in dist.items())
    assert isinstance(dist.mean, Fraction)
    return f"mean {dist.mean}"


def test_there_are_tables() -> None:
    assert len(CLAIMS) > 100


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: f"{claim.name} {claim.text}")
def test_exact(claim: Claim) -> None:
    try:
        got = "; ".join(shown(answer) for answer in odds(claim.text))
    except OddsmithError:
        got = "refused"
    assert got == claim.exact
