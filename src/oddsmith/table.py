"""``Table``: a grid of exact values with named rows and columns, for any medium."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from oddsmith.errors import RuleError
from oddsmith.record import Record
from oddsmith.shown import Shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Cell = Fraction | None
"""An exact value; None where there is nothing to say."""


class Table(Record, Shown):
    """Exact values by row and column.

    Attributes:
        title: What is asked.
        corner: What the rows are, such as "die".
        across: What the columns are, such as "target".
        columns: Their names.
        rows: Each name with its cells.
        unit: ``chance`` for probabilities, ``number`` for anything else.
        notes: What a reader has to know.
        value: What every cell is, such as "mean", where ``unit`` does not say it.

    >>> Table("Coin", "side", "tosses", ("1",), (("heads", (Fraction(1, 2),)),)).cell("heads", "1")
    Fraction(1, 2)
    """

    title: str
    corner: str
    across: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    unit: str = "chance"
    notes: tuple[str, ...] = ()
    value: str = ""

    def cell(self, row: str, column: str) -> Cell:
        """The value in a named row and column.

        Raises:
            KeyError: Where there is no such row or column.

        >>> Table("Coin", "side", "tosses", ("1",), (("heads", (None,)),)).cell("heads", "1")
        """
        if column not in self.columns:
            raise KeyError(column)
        return dict(self.rows)[row][self.columns.index(column)]

    def distributions(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Which rows are distributions, or else which columns: their cells add up to exactly 1.

        Rows where all of them do, else columns, else the rows that do; a line needs two cells.

        Returns:
            The places of the rows, and those of the columns; one of the two is empty.

        >>> half = Fraction(1, 2)
        >>> rows = (("heads", (half, Fraction(1))), ("tails", (half, half)))
        >>> Table("Coin", "side", "reading", ("exactly", "or later"), rows).distributions()
        ((), (0,))
        """
        if self.unit != "chance":
            return (), ()
        lines = [cells for _, cells in self.rows]
        rows = tuple(place for place, cells in enumerate(lines) if _is_whole(cells))
        if len(rows) == sum(any(cell is not None for cell in cells) for cells in lines):
            return rows, ()
        across = range(len(self.columns))
        columns = tuple(k for k in across if _is_whole([cells[k] for cells in lines]))
        return ((), columns) if columns else (rows, ())


def _is_whole(cells: Sequence[Cell]) -> bool:
    known = [cell for cell in cells if cell is not None]
    return len(known) > 1 and min(known) >= 0 and sum(known) == 1


def tabulate(
    title: str,
    down: tuple[str, Iterable[object]],
    across: tuple[str, Iterable[object]],
    value: Callable[..., Cell],
    unit: str = "chance",
    notes: tuple[str, ...] = (),
) -> Table:
    """A table from a function of a row and a column.

    Args:
        title: What is asked.
        down: What the rows are, and their values.
        across: What the columns are, and their values.
        value: From a row's and a column's value to the cell.
        unit: ``chance`` or ``number``.
        notes: What a reader has to know.

    >>> tabulate("times", ("a", [1, 2]), ("b", [3]), lambda a, b: Fraction(a * b), "number").rows
    (('1', (Fraction(3, 1),)), ('2', (Fraction(6, 1),)))
    """
    if not callable(value):
        raise RuleError(f"value is {value!r}, which is not a function of a row and a column")
    corner, names = _axis(down)
    heading, columns = _axis(across)
    rows = tuple((str(row), tuple(value(row, column) for column in columns)) for row in names)
    return Table(title, corner, heading, tuple(map(str, columns)), rows, unit, notes)


def _axis(given: tuple[str, Iterable[object]]) -> tuple[str, list[object]]:
    """What the rows (or the columns) are, and their values."""
    try:
        name, values = given
        return name, list(values)
    except (TypeError, ValueError):
        raise RuleError(
            f"{given!r} is not a name with values", 'write for example ("target", [2, 3])'
        ) from None
