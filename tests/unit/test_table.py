"""``Table``: cells by name, and which of its rows or columns are distributions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from oddsmith.table import Table, tabulate

F = Fraction
H = F(1, 2)
Q = F(1, 4)


def table(*rows: list[Fraction | None], unit: str = "chance") -> Table:
    columns = tuple(str(k) for k in range(len(rows[0])))
    named = tuple((str(place), tuple(cells)) for place, cells in enumerate(rows))
    return Table("t", "row", "column", columns, named, unit)


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        # every row adds up, and every column too: rows
        ([[H, H], [H, H]], ((0, 1), ())),
        # rows with gaps
        ([[H, H, None], [Q, Q, H]], ((0, 1), ())),
        # a row without anything is no hindrance
        ([[H, H], [None, None]], ((0,), ())),
        # one column adds up, the other is a running total
        ([[Q, F(1)], [F(3, 4), F(3, 4)]], ((), (0,))),
        # two columns
        ([[Q, H, F(1)], [F(3, 4), H, H]], ((), (0, 1))),
        # only one of the rows
        ([[H, H], [H, Q]], ((), (0,))),
        ([[H, H], [Q, Q]], ((0,), ())),
        # nothing at all
        ([[H, Q], [Q, H]], ((), ())),
        # a sum of 1 needs two cells, none of them below 0
        ([[F(1)], [H]], ((), ())),
        ([[F(2), F(-1)], [H, Q]], ((), ())),
    ],
)
def test_distributions(
    rows: list[list[Fraction | None]], found: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    assert table(*rows).distributions() == found


def test_numbers_are_no_distributions() -> None:
    assert table([H, H], unit="number").distributions() == ((), ())


def test_what_almost_adds_up_does_not() -> None:
    """The sum is exact: 10^-30 too little is too little."""
    assert table([H, H - F(1, 10**30)]).distributions() == ((), ())


def test_cells_by_name() -> None:
    grid = tabulate("t", ("a", [1, 2]), ("b", [3, 4]), lambda a, b: F(a, b))
    assert grid.cell("2", "3") == F(2, 3)
    for row, column in (("3", "3"), ("1", "1")):
        with pytest.raises(KeyError):
            grid.cell(row, column)
