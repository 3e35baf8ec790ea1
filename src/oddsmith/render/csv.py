"""Answers as CSV: value, exact, decimal; with a text column when there are several."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from oddsmith.render.records import records

if TYPE_CHECKING:
    from oddsmith.answers.ask import Answer


def answers(found: tuple[Answer, ...]) -> str:
    """One block for each answer under one header.

    >>> from oddsmith import odds
    >>> print(answers(odds("d2")))
    value,exact,decimal
    1,1/2,0.5
    2,1/2,0.5
    """
    several = len(found) > 1
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((["text"] if several else []) + ["value", "exact", "decimal"])
    for one in found:
        for record in records(one):
            middle = float((record.low + record.high) / 2)
            writer.writerow(
                ([one.label or one.text] if several else []) + [record.value, record.exact, middle]
            )
    return out.getvalue().rstrip("\n")
