"""``odds anydice``: AnyDice programs, run exactly."""

from __future__ import annotations

import re
import sys
from contextlib import ExitStack, suppress
from os import environ
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from oddsmith.errors import NotationError, OddsmithError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from oddsmith.anydice.program import Run

VIEWS = ("normal", "at-least", "at-most", "transposed", "summary")
LARGEST = 4_000_000
"""Bytes of a file that are looked at; a program may be far shorter than that."""

MOST_OUTPUTS = 1_000
LONGEST_ROLL = 200
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")

HELP = """Run an AnyDice program exactly, without a time limit.

\b
  odds anydice program.txt
  echo "output [highest 3 of 4d6]" | odds anydice -
  odds anydice program.txt --data at-least --graph
  odds anydice program.txt --data transposed --plot chances.png
  odds anydice program.txt --data transposed --as md
  odds anydice program.txt --as anydice        the export text of the site
  odds anydice program.txt --translate         in the dice notation or in Python
"""


def program_text(path: str) -> str:
    """A program from a file, or from standard input for ``-``."""
    name = "standard input" if path == "-" else path
    try:
        if path == "-":
            found = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with Path(path).open("rb") as file:
                found = file.read(LARGEST + 1)
        if len(found) > LARGEST:
            raise OddsmithError(f"{name} is too long for a program", f"{LARGEST:,} bytes at most")
        text = found.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except OSError as error:
        raise OddsmithError(
            f"{name} cannot be read: {error.strerror}", "name a text file, or - for what comes in"
        ) from error
    except UnicodeDecodeError:
        text = "\0"
    if CONTROL.search(text):
        raise OddsmithError(f"{name} is no text file", "save the program as UTF-8 text")
    if not text.strip():
        raise OddsmithError(f"{name} is empty", "write a program, such as: output 3d6")
    return text


def not_a_program(source: str) -> None:
    """Refuse what is no program: a link to one, or dice in our own notation.

    >>> not_a_program("output 3d6")
    >>> not_a_program("4d6kh3")
    Traceback (most recent call last):
    oddsmith.errors.NotationError: this is the dice notation, not an AnyDice program
      4d6kh3
      ^^^^^^
    leave anydice out: odds "4d6kh3"; a program is for example: output [highest 3 of 4d6]
    """
    text = source.strip()
    if "\n" in text or len(text) > LONGEST_ROLL or re.search("output", text, re.IGNORECASE):
        return
    place = source.find(text), source.find(text) + len(text)
    if re.search(r"anydice\.com|^https?:", text):
        raise NotationError(
            "this is a link, not a program", source, place,
            "open it and copy the program; nothing is fetched from the site",
        )  # fmt: skip
    from oddsmith.anydice.parser import parse as parse_program
    from oddsmith.notation.parser import parse

    is_roll = re.search(r"d[\d{(%]", text) and _is_read(parse, text)
    if not is_roll or _is_read(parse_program, text):
        return
    shown = text if _is_read(parse_program, f"output {text}") else "[highest 3 of 4d6]"
    raise NotationError(
        "this is the dice notation, not an AnyDice program", source, place,
        f'leave anydice out: odds "{text}"; a program is for example: output {shown}',
    )  # fmt: skip


def _is_read(parse: Callable[[str], object], text: str) -> bool:
    """Whether a text can be read as a program, or in the notation."""
    with suppress(OddsmithError):
        parse(text)
        return True
    return False


def command(shared: list[click.Parameter], show: Callable[..., None]) -> click.Command:
    """The command.

    Args:
        shared: The options of output that every command has.
        show: Takes what works out the answers, and the shared options, and prints.
    """

    def run(
        file: str, data: str, graph: bool, dark: bool, translate: bool, python: bool, **outputs: Any
    ) -> None:
        from oddsmith.anydice.runtime import BUDGET
        from oddsmith.cli.main import _patience

        source, plot = program_text(file), outputs.pop("plot")
        not_a_program(source)
        limit = outputs["budget"] or BUDGET
        if translate or python:
            with _patience():
                text = _translated(source, limit, python)
            click.echo(text)
            return
        drawn = data if data != "normal" or outputs["view"] == "pmf" else outputs["view"]
        with ExitStack() as shown:

            def work() -> Run:
                from oddsmith.anydice import run as run_program
                from oddsmith.budget import question

                found = run_program(source, limit)
                shown.enter_context(question(limit))
                if plot:
                    _draw(found, drawn, plot, dark)
                return found

            if outputs["form"] == "anydice" or graph:
                with _patience():
                    found = work()
                    text = _graph(found, drawn) if graph else _export(found, data)
                click.echo(text, color=_colour())
                _note(found.warnings)
            else:
                _answers(work, data, show, outputs)

    own: list[click.Parameter] = [
        click.Argument(["file"], metavar="FILE|-"),
        click.Option(
            ["--data"], type=click.Choice(VIEWS), default="normal",
            help="What is shown of the outputs.",
        ),
        click.Option(["--graph"], is_flag=True, help="Draw it in the terminal."),
        click.Option(["--dark"], is_flag=True, help="A picture light on dark."),
        click.Option(
            ["--translate"], is_flag=True,
            help="Write the program in the dice notation, or else in Python, instead.",
        ),
        click.Option(["--python"], is_flag=True, help="Write the program in Python instead."),
    ]  # fmt: skip
    forms = [_with_export(option) for option in shared]
    return click.Command(
        "anydice", params=[*own, *forms], callback=run, help=HELP,
        context_settings={"help_option_names": ["-h", "--help"]},
    )  # fmt: skip


def _answers(
    work: Callable[[], Run], data: str, show: Callable[..., None], outputs: dict[str, Any]
) -> None:
    """Print the answers; CSV has no place for notes and leaves them to standard error."""
    from oddsmith.answers.anydice import FEW, views

    notes: list[str] = []

    def found(_: int | None) -> tuple[Any, ...]:
        done = work()
        many = len(done.outputs)
        if outputs["form"] == "text" and data == "normal" and many > MOST_OUTPUTS:
            raise OddsmithError(
                f"the program has {many:,} outputs, too many to read one below the other",
                "write --data summary, or --as csv",
            )
        if outputs["form"] == "csv":
            notes.extend(done.warnings)
        return views(done, data, FEW if outputs["form"] == "text" else None)

    show(found, **outputs, plot=None)
    _note(notes)


def _translated(source: str, limit: int, python: bool) -> str:
    """The program in the notation or in Python."""
    from oddsmith.anydice.python import script, told
    from oddsmith.anydice.translate import Untold

    if not python:
        return told(source, limit)
    try:
        return script(source, limit)
    except Untold as reason:
        raise OddsmithError(
            f"this program is not written in Python: {reason.why}",
            "--translate writes the outputs that can be said in the notation",
        ) from reason


def _note(notes: Iterable[str]) -> None:
    for note in notes:
        click.secho(f"note: {note}", fg="yellow", err=True)


def _draw(found: Run, data: str, path: str, dark: bool) -> None:
    from oddsmith.answers.anydice_charts import chart
    from oddsmith.render.figure import save_chart

    save_chart(chart(found, data), path, dark)


def _graph(found: Run, data: str) -> str:
    from oddsmith.answers.anydice import FEW
    from oddsmith.answers.anydice_charts import chart
    from oddsmith.cli.plot import _has_blocks
    from oddsmith.render import plain_chart

    drawn = chart(found, data, FEW, narrow=True)
    return plain_chart.chart(drawn, None, _colour(), not _has_blocks(sys.stdout.encoding))


def _export(found: Run, data: str) -> str:
    from oddsmith.answers.anydice import export

    return export(found, data)


def _colour() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in environ


def _with_export(option: click.Parameter) -> click.Parameter:
    if option.name == "form" and isinstance(option.type, click.Choice):
        option.type = click.Choice([*option.type.choices, "anydice"])
    return option
