"""Texts with named ranges, such as ``d20+{mod} >= {dc}``: one exact cell for every combination."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from oddsmith.answers.ask import odds
from oddsmith.enclosed import Enclosed
from oddsmith.errors import RuleError
from oddsmith.table import Table, tabulate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from oddsmith.answers.ask import Answer

HOLE = re.compile(r"\{([A-Za-z_]\w*)\}")
RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)(?:\.\.(\d+))?")
MOST = 20_000
"""So many cells at most."""


def spelled(text: str) -> list[str]:
    """The values of a range: ``1..5``, ``5..25..5`` (every fifth) or ``d4,d6,d8``.

    Raises:
        RuleError: For an empty range or list.

    >>> spelled("1..3"), spelled("10..30..10"), spelled("d4,d6")
    (['1', '2', '3'], ['10', '20', '30'], ['d4', 'd6'])
    """
    match = RANGE.fullmatch(text.strip())
    if match:
        low, high, step = int(match[1]), int(match[2]), int(match[3] or 1)
        if not step or low > high:
            raise RuleError(f"the range {text} is empty", f"write for example {high}..{low}")
        if (high - low) // step >= MOST:
            raise RuleError(f"the range {text} has too many values", f"{MOST} at most")
        return [str(value) for value in range(low, high + 1, step)]
    values = [part.strip() for part in text.split(",")]
    if not all(values):
        raise RuleError(f"the list {text!r} has an empty value", "write for example 1..5 or 2,4,8")
    return values


def filled(template: str, values: Mapping[str, str]) -> str:
    """The text with a value in every hole.

    Raises:
        RuleError: Where a hole has no value.

    >>> filled("{n}d6 >= {k}", {"n": "3", "k": "11"})
    '3d6 >= 11'
    """

    def put(match: re.Match[str]) -> str:
        if match[1] not in values:
            raise RuleError(f"{{{match[1]}}} has no values", f"add them: {match[1]}=1..6")
        return values[match[1]]

    return HOLE.sub(put, template)


def holes(template: str, ranges: Mapping[str, Sequence[str]]) -> list[str]:
    """The names of the holes, in order; every range must have its hole.

    >>> holes("{n}d6", {"n": ["1"]})
    ['n']
    """
    names = list(dict.fromkeys(HOLE.findall(template)))
    for name in ranges:
        if name not in names:
            raise RuleError(f"{name} stands nowhere in {template}", f"write {{{name}}} in it")
    for name in names:
        filled(f"{{{name}}}", dict.fromkeys(ranges, ""))
    return names


def table_of(
    template: str, ranges: Mapping[str, Sequence[str]], budget: int | None = None
) -> Table:
    """A table from a text with one or two named ranges.

    A question gives its chance. With one range, a distribution gives its mean and spread, a contest
    the chances to win, tie and lose; with two, the mean and the chance to win.

    Args:
        template: The text; ``{name}`` stands for a value of that range.
        ranges: Names and their values, as texts.
        budget: The work each cell may cost.

    Raises:
        RuleError: Without ranges or with more than two, and for holes without values.
        NotationError: Where a filled text makes no sense.

    >>> found = table_of("d20+{mod} >= {dc}", {"mod": ["0", "5"], "dc": ["10", "15"]})
    >>> found.cell("5", "15")
    Fraction(11, 20)
    """
    names = holes(template, ranges)
    if not 1 <= len(names) <= 2:
        raise RuleError(
            f"a table has one or two ranges, not {len(names)}",
            'write for example odds table "d20+{mod} >= {dc}" mod=0..10 dc=5..25',
        )
    sizes = [len(ranges[name]) for name in names]
    if sizes[0] * sizes[-1] > MOST:
        raise RuleError(f"so large a table has more than {MOST:,} cells", "use shorter ranges")

    def answer(*values: str) -> Answer:
        text = filled(template, dict(zip(names, values, strict=True)))
        found = odds(text, budget)
        if len(found) != 1:
            raise RuleError(f"{text} has {len(found)} results, a cell holds one")
        return found[0]

    down = (names[0], ranges[names[0]])
    if len(names) == 2:
        kinds: set[str] = set()
        loose: list[bool] = []

        def cell(row: str, column: str) -> Fraction | None:
            found = answer(row, column)
            kinds.add(found.kind)
            loose.append(_is_loose(found))
            return single(found)

        table = tabulate(template, down, (names[1], ranges[names[1]]), cell)
        unit = "chance" if kinds <= {"probability", "contest"} else "number"
        notes = (*_notes(kinds), *_gaps(loose))
        value = VALUES.get(kinds.pop(), "") if len(kinds) == 1 else ""
        return table.but(unit=unit, notes=notes, value=value)
    found = {value: answer(value) for value in ranges[names[0]]}
    kind = next(iter(found.values())).kind
    columns = COLUMNS.get(kind, ("chance",))
    rows = tuple((value, tuple(parts(one)[: len(columns)])) for value, one in found.items())
    unit = "number" if kind in ("distribution", "ranks") else "chance"
    notes = _gaps(map(_is_loose, found.values()))
    return Table(template, names[0], "results", columns, rows, unit, notes)


VALUES = {
    "probability": "chance", "contest": "chance to win", "distribution": "mean",
    "ranks": "mean of the best",
}  # fmt: skip
"""What the cells of a table with two ranges are."""

COLUMNS = {
    "contest": ("win", "tie", "lose"),
    "distribution": ("mean", "variance", "lowest", "median", "highest"),
    "ranks": ("mean of the best",),
}


def single(found: Answer) -> Fraction | None:
    """The one number a cell shows: the chance, the chance to win, or the mean."""
    return parts(found)[0]


def parts(found: Answer) -> list[Fraction | None]:
    """The numbers of a whole row."""
    if found.contest is not None:
        return [side.exact for side in found.contest]
    if found.kind == "probability":
        return [found.exact]
    dist = found.ranks[0] if found.ranks else found.dist
    if isinstance(dist, Enclosed) or not dist.is_numeric:
        return [None] * 5
    ends = (dist.low, dist.median, dist.high)
    return [dist.mean, dist.variance, *(None if end is None else Fraction(end) for end in ends)]


def _is_loose(found: Answer) -> bool:
    """Whether the answer is only enclosed, so that its cell stays empty."""
    if found.contest is not None:
        return any(side.exact is None for side in found.contest)
    if found.kind == "probability":
        return found.exact is None
    return isinstance(found.ranks[0] if found.ranks else found.dist, Enclosed)


def _gaps(loose: Iterable[bool]) -> tuple[str, ...]:
    """What is to be said of empty cells."""
    words = "Empty cells are only enclosed between two ends: ask for them one by one."
    return (words,) if any(loose) else ()


def _notes(kinds: set[str]) -> tuple[str, ...]:
    notes = []
    if "contest" in kinds:
        notes.append("Cells are the chance that the left side wins.")
    if kinds & {"distribution", "ranks"}:
        notes.append("Cells are means.")
    return tuple(notes)
