"""Programs that AnyDice answered itself, where the file of them is there.

`ODDSMITH_ORACLE` names it; without that it is looked for beside the project. One program in eight
is run; all of them with `ODDSMITH_HEAVY`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from oddsmith.anydice import run
from oddsmith.errors import OddsmithError, TooLarge

BESIDE = Path(__file__).parents[3] / "shared" / "cases" / "anydice_oracle.jsonl"
ORACLE = Path(os.environ.get("ODDSMITH_ORACLE", BESIDE))
HEAVY = bool(os.environ.get("ODDSMITH_HEAVY"))
NEAR = 1e-6
"""Percentage points; of larger numbers, a share of them: rows of faulty totals reach thousands."""

OUT_OF_TIME = ("system error", "Infrastructure503")


def cases() -> Iterator[Any]:
    """The programs, those with slow answers last."""
    if not ORACLE.is_file():
        reason = f"{ORACLE.name} is not there: set ODDSMITH_ORACLE to its place"
        yield pytest.param({}, id="none", marks=pytest.mark.skip(reason=reason))
        return
    with ORACLE.open(encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    for place, case in enumerate(found):
        if (HEAVY or place % 8 == 0) and not case["known_anydice_bug"]:
            yield pytest.param(case, id=case["id"])


def answered_or_refused(program: str) -> None:
    """What AnyDice did not answer: it is answered here, or said to be too large."""
    try:
        assert run(program).outputs
    except TooLarge as error:
        assert error.estimate > error.limit


@pytest.mark.parametrize("case", list(cases()))
def test_the_same_answer(case: dict[str, Any]) -> None:
    response = case["response"]
    if "error" in response:
        if response["error"]["type"] in OUT_OF_TIME:
            answered_or_refused(case["program"])
            return
        with pytest.raises(OddsmithError):
            run(case["program"])
        return
    outputs = run(case["program"]).outputs
    given = response["distributions"]
    assert [output.label for output in outputs] == given["labels"]
    for rows, output in zip(given["data"], outputs, strict=True):
        wanted = {x: p for x, p in rows if x is not None}
        found = dict(output.rows)
        for outcome in {*wanted, *found}:
            chance = float(100 * found.get(outcome, Fraction(0)))
            expected = wanted.get(outcome, 0)
            assert abs(chance - expected) <= NEAR * max(1, abs(expected)), (output.label, outcome)


def test_the_file_is_read_and_not_empty() -> None:
    """So that a wrong place is not taken for success."""
    if not ORACLE.is_file():
        pytest.skip(f"{ORACLE.name} is not there: set ODDSMITH_ORACLE to its place")
    assert len(list(cases())) > 50
