"""Answers as CSV: value, exact, decimal; with a text column when there are several."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from oddsmith.render.cells import cell
from oddsmith.render.records import records

if TYPE_CHECKING:
    from oddsmith.answers.ask import Answer
    from oddsmith.table import Table


def answers(found: tuple[Answer, ...]) -> str:
    """One block for each answer under one header.

    >>> from oddsmith import odds
    >>> print(answers(odds("d2")))
    value,exact,decimal
    1,1/2,0.5
    2,1/2,0.5
    """
    if any(one.table is not None for one in found):
        plain = tuple(one for one in found if one.table is None)
        grids = [_grid(one.table) for one in found if one.table is not None]
        return "\n\n".join([*([answers(plain)] if plain else []), *grids])
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


def _grid(grid: Table) -> str:
    """Exact cells under the names of the columns."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([grid.corner, *grid.columns])
    for name, values in grid.rows:
        writer.writerow([name, *(cell(value, grid.unit, "fraction") for value in values)])
    return out.getvalue().rstrip("\n")
