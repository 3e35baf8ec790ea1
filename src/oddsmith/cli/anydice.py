"""``odds anydice``: AnyDice programs, run exactly."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oddsmith.errors import OddsmithError

if TYPE_CHECKING:
    from collections.abc import Callable

VIEWS = ("normal", "at-least", "at-most", "transposed", "summary")
HELP = """Run an AnyDice program exactly, without a time limit.

\b
  odds anydice program.txt
  echo "output [highest 3 of 4d6]" | odds anydice -
  odds anydice program.txt --data transposed --as md
  odds anydice program.txt --as anydice        the export text of the site
  odds anydice program.txt --translate         its outputs in the dice notation
"""


def program_text(path: str) -> str:
    """A program from a file, or from standard input for ``-``."""
    try:
        return sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise OddsmithError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise OddsmithError(f"{path} is no text file") from None


def command(shared: list[click.Parameter], show: Callable[..., None]) -> click.Command:
    """The command."""

    def run(file: str, data: str, translate: bool, **outputs: Any) -> None:
        from oddsmith.answers.anydice import export, views
        from oddsmith.anydice import run as run_program
        from oddsmith.anydice.runtime import BUDGET
        from oddsmith.budget import question

        source = program_text(file)
        if translate:
            from oddsmith.anydice import translate as notation

            lines = notation.translate(source, outputs["budget"] or BUDGET)
            click.echo(notation.written(lines))
            return
        if outputs["form"] == "anydice":
            found = run_program(source, outputs["budget"] or BUDGET)
            click.echo(export(found, data))
            for warning in found.warnings:
                click.secho(f"note: {warning}", fg="yellow", err=True)
            return
        with ExitStack() as shown:

            def work(budget: int | None) -> tuple[Any, ...]:
                found = views(run_program(source, budget or BUDGET), data)
                shown.enter_context(question(budget or BUDGET))
                return found

            show(work, **outputs)

    own: list[click.Parameter] = [
        click.Argument(["file"], metavar="FILE|-"),
        click.Option(
            ["--data"], type=click.Choice(VIEWS), default="normal",
            help="What is shown of the outputs.",
        ),
        click.Option(
            ["--translate"], is_flag=True,
            help="Write the outputs in the dice notation instead, where they can be said there.",
        ),
    ]  # fmt: skip
    forms = [_with_export(option) for option in shared]
    return click.Command(
        "anydice", params=[*own, *forms], callback=run, help=HELP,
        context_settings={"help_option_names": ["-h", "--help"]},
    )  # fmt: skip


def _with_export(option: click.Parameter) -> click.Parameter:
    if option.name == "form" and isinstance(option.type, click.Choice):
        option.type = click.Choice([*option.type.choices, "anydice"])
    return option
