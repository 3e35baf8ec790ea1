"""The command ``odds`` and its words; a first word that is no command is an expression."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from os import environ
from threading import Timer
from typing import TYPE_CHECKING, Any, cast

import click

from oddsmith.errors import NotationError, OddsmithError, TooLarge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from oddsmith.answers.charts import View
    from oddsmith.render.cells import Look

FORMATS = ("text", "json", "csv", "md", "latex", "html")
DIALECTS = ("oddsmith", "roll20", "foundry", "avrae")
CELLS = ("percent", "fraction", "one-in", "odds")
VIEWS = ("pmf", "at-least", "at-most")
LONGEST_MESSAGE = 300
LATER = {
    "anydice": "An AnyDice program, run exactly.",
    "attack": "An attack sequence, to wounds and models lost.",
    "game": "Rule systems, rule by rule: odds game lists them.",
    "import": "Weapons from an army list: .ros, .rosz, New Recruit, UnitCrunch.",
    "table": "Reference tables, by name or from a text with ranges.",
    "plot": "A picture of expressions or of a text with ranges.",
}
"""Commands that are loaded only when they are named."""


class Odds(click.Group):
    """Commands by name; anything else is answered as an expression."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command named first, or ``ask`` with everything as it stands."""
        if args and args[0] in (*self.commands, *LATER):
            return super().resolve_command(ctx, args)
        return "ask", self.commands["ask"], args

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Options before the first expression belong to ``ask``."""
        if args and args[0] not in (
            "--help", "-h", "--version", *self.commands, *LATER
        ):  # fmt: skip
            args = ["ask", *args]
        return super().parse_args(ctx, args)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of this name; the larger ones are loaded only when named."""
        if name == "game":
            from oddsmith.cli.game import Catalogue

            return Catalogue(output_options(), show)
        if name == "table":
            from oddsmith.cli.table import Tables

            return Tables(output_options(), show)
        if name == "plot":
            from oddsmith.cli.plot import plot_command

            return plot_command(_patience)
        if name == "anydice":
            from oddsmith.cli.anydice import command

            return command(output_options(), show)
        if name == "import":
            from oddsmith.cli.rosters import command as import_command

            return import_command()
        if name == "attack":
            from oddsmith.cli.attack import Attack

            return Attack(output_options(), show)
        return super().get_command(ctx, name)

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """All commands but ``ask``, which is the default."""
        rows = [
            (name, command.get_short_help_str(60))
            for name, command in sorted(self.commands.items())
            if name != "ask"
        ]
        rows += LATER.items()
        with formatter.section("Commands"):
            formatter.write_dl(rows)


@click.group(cls=Odds, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="oddsmith", prog_name="odds")
def cli() -> None:
    """Exact dice odds: write the dice as you would say them.

    \b
      odds "4d6kh3 >= 15"           the chance of 15 or more
      odds "2d6+3"                  a whole distribution
      odds "d20 adv >= 15" "d20+4 >= 15"    side by side
      odds "2d6+1 vs d12"           a contest
      odds ask --help               all options
    """


def output_options() -> list[click.Parameter]:
    """The options of output, the same for every command that answers."""
    option = click.Option
    return [
        option(["--view"], type=click.Choice(VIEWS), default="pmf", help="What the bars show."),
        option(
            ["--digits"], type=click.IntRange(0, 50), default=2, help="Decimals of percentages."
        ),
        option(
            ["--cells"], type=click.Choice(CELLS),
            help="How chances are written: percent (the usual), fraction, one-in or odds against.",
        ),
        option(["--exact"], is_flag=True, help="Fractions first: --cells fraction."),
        option(
            ["--add-up"], is_flag=True,
            help="Round the percentages of a distribution so that they add up to 100.",
        ),
        option(["--no-chart"], is_flag=True, help="No bars."),
        option(
            ["--as", "form"], type=click.Choice(FORMATS), default="text", help="Output format."
        ),
        option(
            ["--plot"], type=click.Path(dir_okay=False),
            help="A picture too: FILE.svg, .png or .pdf.",
        ),
        option(
            ["--budget"], type=click.IntRange(1),
            help="Units of work allowed before it is refused.",
        ),
    ]  # fmt: skip


def show(
    work: Callable[[int | None], tuple[Any, ...]],
    view: str,
    digits: int,
    exact: bool,
    no_chart: bool,
    form: str,
    plot: str | None,
    budget: int | None,
    cells: str | None = None,
    add_up: bool = False,
) -> None:
    """Do the work, draw its answers where a picture is wanted, and print them."""
    look = _look(cells, exact, digits, add_up, view)
    colour = sys.stdout.isatty() and "NO_COLOR" not in environ
    with _patience():
        answers = work(budget)
        if plot:
            from oddsmith.render.figure import save

            save(answers, plot, cast("View", view))
        if form == "text":
            shown = _text(answers, view, look, not no_chart, colour)
        else:
            shown = _formatted(answers, form, look)
    click.echo(shown, color=colour)


def _look(cells: str | None, exact: bool, digits: int, add_up: bool, view: str) -> Look:
    """How values are written; options that contradict one another are refused."""
    from oddsmith.errors import RuleError
    from oddsmith.render.cells import Look

    if exact and cells not in (None, "fraction"):
        raise RuleError(
            f"--exact and --cells {cells} are two ways to write chances", "leave one of them out"
        )
    style = "fraction" if exact else cells or "percent"
    if add_up and style != "percent":
        written = "--exact" if exact else f"--cells {cells}"
        raise RuleError(f"--add-up is for percentages, not for {written}", "leave one of them out")
    if add_up and view != "pmf":
        raise RuleError(
            f"--add-up does not go with --view {view}: running totals do not add up to 100",
            "leave one of them out",
        )
    return Look(style, digits, add_up)


@cli.command(context_settings={"ignore_unknown_options": True})
@click.argument("expressions", nargs=-1, metavar="EXPR...", type=click.UNPROCESSED)
@click.option(
    "--dialect", type=click.Choice(DIALECTS), default="oddsmith", help="What > r cs k x mean."
)
def ask(expressions: Sequence[str], dialect: str, **outputs: Any) -> None:
    """Answer expressions exactly.

    \b
      odds "3d6 >= 11"
      odds "d20+5 >= 15" --as json
      odds "4d6kh3" --view at-least --digits 1
      echo "8d6c5+ >= 3" | odds -
    """
    from oddsmith.answers.ask import odds

    texts = [line for text in expressions for line in _lines(text)]
    if not texts:
        raise click.UsageError('nothing to roll: write for example odds "4d6kh3 >= 15"')
    show(lambda budget: tuple(a for text in texts for a in odds(text, budget, dialect)), **outputs)


ask.params += output_options()


@contextmanager
def _patience() -> Iterator[None]:
    """A spinner on a terminal's standard error for work that takes over a second."""
    if not sys.stderr.isatty():
        yield
        return
    shown: list[Any] = []

    def show() -> None:
        from rich.console import Console

        shown.append(Console(stderr=True).status("working it out exactly (Ctrl-C stops)"))
        shown[0].start()

    timer = Timer(1, show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        for status in shown:
            status.stop()


def _lines(text: str) -> list[str]:
    """An expression, or with ``-`` what comes in: one program."""
    return [sys.stdin.read()] if text == "-" else [text]


def _text(answers: Sequence[Any], view: str, look: Look, chart: bool, colour: bool) -> str:
    from oddsmith.render import terminal

    return terminal.answers(answers, view, look, chart, colour=colour)


def _formatted(answers: tuple[Any, ...], form: str, look: Look) -> str:
    if form == "json":
        from oddsmith.render import json

        return json.answers(answers)
    if form == "csv":
        from oddsmith.render import csv

        return csv.answers(answers)
    if form == "md":
        from oddsmith.render import markdown

        return markdown.answers(answers, look)
    if form == "latex":
        from oddsmith.render import latex

        return latex.answers(answers, look)
    from oddsmith.render import html

    return html.page(answers, look)


@cli.command(context_settings={"ignore_unknown_options": True})
@click.argument("expression", type=click.UNPROCESSED)
@click.option("-n", "times", type=click.IntRange(1, 10_000), default=1, help="How many rolls.")
@click.option("--seed", type=int, help="The same rolls every time.")
@click.option(
    "--check", type=click.IntRange(10, 1_000_000), help="Hold so many rolls against the exact odds."
)
def roll(expression: str, times: int, seed: int | None, check: int | None) -> None:
    """Roll an expression.

    \b
      odds roll 4d6kh3 -n 6 --seed 7
      odds roll "8d6c5+" --check 10000
    """
    from oddsmith.answers.check import checked
    from oddsmith.notation.roll import rolls

    if check is not None:
        click.echo(checked(expression, check, seed))
        return
    for line in rolls(expression, times, seed):
        click.echo(line)


def main(args: Sequence[str] | None = None) -> None:
    """Run the command; every error of the library is one message and an exit code."""
    try:
        given = [_kept(arg) for arg in (sys.argv[1:] if args is None else args)]
        code = cli.main(args=given, prog_name="odds", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except TooLarge as error:
        _complain(error)
        sys.exit(3)
    except OddsmithError as error:
        _complain(error)
        sys.exit(2)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(0)


def _kept(argument: str) -> str:
    """An expression such as -3d6 kept from being taken for options; a space means nothing in it."""
    minus = argument.startswith("-") and argument[1:2] in set("0123456789d({")
    return f" {argument}" if minus and not argument.startswith("--") else argument


def _complain(error: OddsmithError) -> None:
    """What is wrong, where, and what to write instead."""
    click.secho(f"error: {_cut(error.message)}", fg="red", err=True)
    if isinstance(error, NotationError):
        for line in error.pointer():
            click.echo(line, err=True)
    if error.hint:
        click.echo(_cut(error.hint), err=True)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_MESSAGE else text[:LONGEST_MESSAGE] + ".."


if __name__ == "__main__":
    main()
