"""Answers as JSON: exact values as strings, decimals for convenience."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from oddsmith.answers.rows import every_row
from oddsmith.enclosed import Enclosed
from oddsmith.exact.text import fraction_text
from oddsmith.outcomes import is_number

if TYPE_CHECKING:
    from fractions import Fraction

    from oddsmith.answers.ask import Answer
    from oddsmith.notation.chance import Chance
    from oddsmith.table import Table


def answers(found: tuple[Answer, ...]) -> str:
    """A list with one object for each answer.

    >>> from oddsmith import odds
    >>> print(answers(odds("d2 = 1")))
    [
      {
        "text": "d2 = 1",
        "reading": "a 2-sided die, the roll is exactly 1",
        "kind": "probability",
        "exact": "1/2",
        "decimal": 0.5
      }
    ]
    """
    return json.dumps([plain(one) for one in found], indent=2, ensure_ascii=False)


def plain(found: Answer) -> dict[str, Any]:
    """One answer as plain data.

    >>> from oddsmith import odds
    >>> plain(odds("d2")[0])["mean"]
    '3/2'
    """
    data: dict[str, Any] = {"text": found.text, "reading": found.reading, "kind": found.kind}
    if found.label is not None:
        data["label"] = found.label
    if found.low is not None and found.high is not None:
        data |= _chance(found.low, found.high)
    if found.contest is not None:
        names = ("win", "tie", "lose")
        data |= {name: _side(side) for name, side in zip(names, found.contest, strict=True)}
    if found.kind == "distribution":
        data |= distribution(found.dist)
    if found.kind == "ranks":
        data["ranks"] = [distribution(rank) for rank in found.ranks]
        data["sum"] = distribution(found.dist)
    if found.kind == "number" and found.exact is not None:
        data |= _chance(found.exact, found.exact)
        data["unit"] = found.unit
    if found.table is not None:
        data |= table(found.table)
    if found.notes:
        data["notes"] = list(found.notes)
    return data


def table(grid: Table) -> dict[str, Any]:
    """A grid: names of rows and columns, and the exact cells row by row.

    >>> from oddsmith.table import Table
    >>> table(Table("t", "a", "b", ("1",), (("x", (None,)),)))["cells"]
    [[None]]
    """
    value = {"value": grid.value} if grid.value else {}
    return {
        "title": grid.title, "unit": grid.unit, **value, "rows": [name for name, _ in grid.rows],
        "columns": list(grid.columns), "corner": grid.corner, "across": grid.across,
        "cells": [
            [None if value is None else fraction_text(value) for value in values]
            for _, values in grid.rows
        ],
    }  # fmt: skip


def _chance(low: Fraction, high: Fraction) -> dict[str, Any]:
    if low == high:
        return {"exact": fraction_text(low), "decimal": float(low)}
    return {
        "exact": None, "low": fraction_text(low), "high": fraction_text(high),
        "decimal": float((low + high) / 2),
    }  # fmt: skip


def _side(side: Chance) -> Any:
    if side.exact is not None:
        return fraction_text(side.exact)
    return {"exact": None, "low": fraction_text(side.low), "high": fraction_text(side.high)}


def outcome(value: Any) -> Any:
    """An outcome: a number when whole, else text.

    >>> from fractions import Fraction
    >>> outcome(3), outcome(Fraction(1, 2)), outcome("Misfire")
    (3, '1/2', 'Misfire')
    """
    if isinstance(value, (int, str)):
        return value
    return fraction_text(value) if is_number(value) else [outcome(part) for part in value]


def distribution(dist: Any) -> dict[str, Any]:
    """Mean, variance, ends and rows.

    >>> from oddsmith import Dist
    >>> distribution(Dist(["a"]))["mean"] is None
    True
    """
    part = dist.part if isinstance(dist, Enclosed) else dist
    numeric = bool(part.is_numeric)
    rows = every_row(dist)
    exact = not isinstance(dist, Enclosed)
    data: dict[str, Any] = {
        "mean": fraction_text(part.mean) if numeric and exact else None,
        "variance": fraction_text(part.variance) if numeric and exact else None,
        "support": {
            "low": None if part.low is None else outcome(part.low),
            "high": None if part.high is None else outcome(part.high),
        },
        "rows": [
            {"value": outcome(row.low), "exact": fraction_text(row.p), "decimal": float(row.p)}
            for row in rows.rows
        ],
    }
    if rows.below:
        data["below"] = {"value": outcome(rows.rows[0].low), "exact": fraction_text(rows.below)}
    if rows.beyond:
        step = rows.rows[-1].high + getattr(part, "step", 1)
        data["beyond"] = {"value": outcome(step), "exact": fraction_text(rows.beyond)}
    if not exact:
        data["missing"] = fraction_text(dist.missing)
    return data
