"""``odds plot``: expressions or a text with ranges as a picture, or as a chart in the terminal."""

from __future__ import annotations

import re
import sys
from os import environ
from typing import TYPE_CHECKING, Any

import click

from oddsmith.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from oddsmith.answers.ask import Answer
    from oddsmith.answers.charts import Chart, View
    from oddsmith.table import Table

VIEWS = ("pmf", "at-least", "at-most")
KINDS = ("auto", "heat", "stack", "ridge")
NAMED = re.compile(r"\s*([A-Za-z_]\w*)\s*=(?!=)(.*)", re.DOTALL)
FINE, COARSE = 2_000, 40
"""So many outcomes of one distribution in a picture, and in a terminal."""

MOST_BANDS = 60
HELP = """Draw expressions, or a text with ranges, as a picture.

Without -o the chart is drawn in the terminal.

\b
  odds plot "4d6kh3" "3d6" -o abilities.svg
  odds plot "2d6+3" --view at-least
  odds plot "d20+{mod} >= {dc}" mod=0..10 dc=5..25 -o hit.png
  odds plot "{n}d6!" n=1..5 -o dice.pdf --dark
  odds plot "d{die} vs d8" die=4,6,8,10,12 --kind stack
"""


def plot_command(patience: Callable[[], AbstractContextManager[None]]) -> click.Command:
    """The command.

    Args:
        patience: What shows that long work is under way.
    """

    def run(
        expressions: Sequence[str], path: str | None, view: View, kind: str, dark: bool, title: str
    ) -> None:
        if not expressions:
            raise click.UsageError('nothing to draw: write for example odds plot "4d6kh3"')
        with patience():
            chart = charted(expressions, view, kind, FINE if path else COARSE)
            chart = chart.but(title=title) if title else chart
            if path:
                from oddsmith.render.figure import save_chart

                save_chart(chart, path, dark)
                return
            from oddsmith.render import plain_chart

            colour = sys.stdout.isatty() and "NO_COLOR" not in environ
            shown = plain_chart.chart(chart, None, colour, not _has_blocks(sys.stdout.encoding))
        click.echo(shown, color=colour)

    option = click.Option
    return click.Command(
        "plot",
        params=[
            click.Argument(
                ["expressions"], nargs=-1, metavar="EXPR... [NAME=RANGE...]",
                type=click.UNPROCESSED,
            ),
            option(
                ["-o", "path"], type=click.Path(dir_okay=False), metavar="FILE",
                help="FILE.svg, FILE.png or FILE.pdf.",
            ),
            option(
                ["--view"], type=click.Choice(VIEWS), default="pmf",
                help="Exactly, at least or at most.",
            ),
            option(
                ["--kind"], type=click.Choice(KINDS), default="auto",
                help="Heat map, stacked bands or ridges; auto takes what suits.",
            ),
            option(["--dark"], is_flag=True, help="Light on dark."),
            option(["--title"], default="", help="The title; the question when left out."),
        ],
        callback=run,
        help=HELP,
        short_help="A picture of expressions or of a text with ranges.",
        context_settings={
            "help_option_names": ["-h", "--help"], "ignore_unknown_options": True,
        },
    )  # fmt: skip


def _has_blocks(encoding: str | None) -> bool:
    try:
        "█▏░".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def charted(
    texts: Sequence[str], view: View = "pmf", kind: str = "auto", most: int = FINE
) -> Chart:
    """The chart of some expressions, or of one text with one or two ranges.

    Args:
        texts: Expressions and ``name=range``; a range belongs to the ``{name}`` of a text.
        view: Exactly, at least or at most, where distributions are drawn.
        kind: ``heat``, ``stack``, ``ridge``, or ``auto`` for what suits.
        most: So many outcomes of one distribution at most.

    Raises:
        RuleError: Where the kind does not suit, or a range has no place.

    >>> charted(["{n}d6", "n=1..3"]).kind, charted(["{n}d6 >= {k}", "n=1..3", "k=2..4"]).kind
    ('ridge', 'heat')
    """
    from oddsmith.answers.template import HOLE, spelled

    if kind != "auto" and view != "pmf":
        raise RuleError(f"--view {view} does not go with --kind {kind}", "leave one of them out")
    holes = {hole for text in texts for hole in HOLE.findall(text)}
    ranges: dict[str, list[str]] = {}
    templates = []
    for text in texts:
        match = NAMED.fullmatch(text)
        if match and (match[1] in holes or ".." in match[2]):
            ranges[match[1]] = spelled(match[2])
        else:
            templates.append(text)
    if not ranges:
        return _expressions(templates, view, kind, most)
    if not templates:
        raise RuleError("a range needs a text", 'write for example odds plot "{n}d6" n=1..5')
    if len(templates) != 1:
        raise RuleError(
            f"{len(templates)} texts share the ranges", "draw one text with ranges at a time"
        )
    return _ranged(templates[0], ranges, view, kind, most)


def _expressions(texts: Sequence[str], view: View, kind: str, most: int) -> Chart:
    from oddsmith.answers import charts
    from oddsmith.answers.ask import odds

    lines = [sys.stdin.read() if text == "-" else text for text in texts]
    answers = [answer for line in lines for answer in odds(line)]
    if kind == "auto":
        _ordered(answers, view)
        return charts.chart(answers, view, most)
    title = answers[0].label or answers[0].text if len(answers) == 1 else "Which result, how often?"
    named: dict[str, Answer] = {}
    for answer in answers:
        name = answer.label or answer.text
        named[name if name not in named else f"{name} ({len(named) + 1})"] = answer
    return _over(named, title, "roll", kind)


def _ranged(
    text: str, ranges: Mapping[str, Sequence[str]], view: View, kind: str, most: int
) -> Chart:
    """One text with one or two ranges."""
    from oddsmith.answers import charts
    from oddsmith.answers.ask import odds
    from oddsmith.answers.template import MOST, filled, holes, table_of

    names = holes(text, ranges)
    if len(names) != 1:
        if kind == "ridge":
            raise RuleError(f"ridges have one range, not {len(names)}", "draw a heat map")
        table = table_of(text, ranges)
        return charts.stack(table) if kind == "stack" else charts.heat(table)
    (name,) = names
    if len(ranges[name]) > MOST:
        raise RuleError(f"{name} has too many values", f"{MOST:,} at most")
    found = {}
    for value in ranges[name]:
        answers = odds(filled(text, {name: value}))
        if len(answers) != 1:
            raise RuleError(f"{filled(text, {name: value})} has {len(answers)} results", "draw one")
        found[value] = answers[0]
    if kind != "auto":
        return _over(found, text, name, kind)
    kinds = {answer.kind for answer in found.values()}
    if kinds <= {"distribution", "ranks"}:
        if view == "pmf":
            return _over(found, text, name, "ridge")
        _ordered(found.values(), view)
        named = [(f"{name} = {value}", answer.dist) for value, answer in found.items()]
        return charts.distributions(named, view, text, most)
    if kinds == {"contest"}:
        return _over(found, text, name, "stack")
    return _line(found, text, name)


def _ordered(answers: Iterable[Answer], view: View) -> None:
    """Refuse "or more" where results are names."""
    from oddsmith.dist import Dist

    for answer in answers:
        if view != "pmf" and isinstance(answer.dist, Dist) and not answer.dist.is_numeric:
            raise RuleError(f"results of {answer.text} are names, in no order", "draw it exactly")


def _line(found: Mapping[str, Answer], text: str, name: str) -> Chart:
    """A chance over a parameter, as bars."""
    from oddsmith.answers.charts import Chart, questions

    if any(answer.kind not in ("probability", "contest") for answer in found.values()):
        raise RuleError(
            "the values of the range give different kinds of answers", "draw them apart"
        )
    xs: tuple[Any, ...] = tuple(found)
    if all(re.fullmatch(r"-?\d{1,9}", value) for value in xs):
        found = dict(sorted(found.items(), key=lambda pair: int(pair[0])))
        xs = tuple(map(int, found))
    series = questions(text, xs, tuple(found.values()))
    return Chart("bars", text, name, "chance", (series,))


def _over(found: Mapping[str, Answer], title: str, over: str, kind: str) -> Chart:
    """Distributions or contests over a parameter, as ridges, a heat map or stacked bands."""
    from oddsmith.answers import charts

    if kind == "ridge":
        return charts.ridge(
            [(value, _dist(answer)) for value, answer in found.items()], title, over
        )
    table = _table(found, title, over, kind == "stack")
    return charts.stack(table) if kind == "stack" else charts.heat(table)


def _dist(answer: Answer) -> Any:
    if answer.dist is None or answer.kind not in ("distribution", "ranks"):
        raise RuleError(f"{answer.text} is no distribution", "draw it with --kind auto")
    return answer.dist


def _table(found: Mapping[str, Answer], title: str, over: str, whole: bool) -> Table:
    """The chance of every result, a row for each value: what contests or distributions come to.

    Args:
        found: The values with their answers.
        title: The question.
        over: What the values are.
        whole: Whether every row has to add up to 1, with a column for what is left.
    """
    from fractions import Fraction

    from oddsmith.answers.charts import SIDES, sides
    from oddsmith.answers.rows import every_row
    from oddsmith.table import Table

    if all(answer.contest for answer in found.values()):
        won = {value: sides(answer) for value, answer in found.items()}
        columns = [k for k in range(4) if k < 3 or any(row[k] for row in won.values())]
        rows = tuple((value, tuple(row[k] for k in columns)) for value, row in won.items())
        return Table(title, over, "results", tuple(SIDES[k] for k in columns), rows)
    if all(answer.kind == "probability" for answer in found.values()):
        chances = tuple((value, (answer.exact,)) for value, answer in found.items())
        return Table(title, over, "results", ("chance",), chances)
    known = {value: every_row(_dist(answer)) for value, answer in found.items()}
    cells = {value: {row.low: row.p for row in rows.rows} for value, rows in known.items()}
    results = list(dict.fromkeys(x for row in cells.values() for x in row))
    if all(not isinstance(x, str) for x in results):
        results.sort()
    if len(results) > MOST_BANDS:
        raise RuleError(
            f"{len(results)} results are too many for bands or columns", "draw ridges instead"
        )
    grid = tuple(
        (value, tuple(row.get(x, Fraction(0)) for x in results)) for value, row in cells.items()
    )
    names = tuple(map(str, results))
    if not any(rows.below or rows.beyond or rows.missing for rows in known.values()):
        return Table(title, over, "result", names, grid)
    if whole:
        grid = tuple((value, (*row, 1 - sum(row, Fraction(0)))) for value, row in grid)
        return Table(title, over, "result", (*names, "others"), grid)
    notes: tuple[str, ...] = ("Results rarer than these are not shown.",)
    if any(rows.missing for rows in known.values()):
        notes += ("Chances are lower ends: not everything is known.",)
    return Table(title, over, "result", names, grid, notes=notes)
