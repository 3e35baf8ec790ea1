"""``odds table``: reference tables by name, or from a text with one or two named ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from oddsmith.cli.calls import command
from oddsmith.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Tables(click.Group):
    """Named tables; anything else is a text with ranges."""

    def __init__(self, shared: list[click.Parameter], show: Callable[..., None]) -> None:
        from oddsmith.answers import tables
        from oddsmith.games.catalogue import listed

        found = listed("table", tables)
        commands = [command(found, call, "table", shared, show) for call in found.calls]
        super().__init__(
            "table",
            commands={one.name or "": one for one in commands},
            help=HELP,
            context_settings={"help_option_names": ["-h", "--help"]},
            no_args_is_help=True,
        )
        self.template = from_text(shared, show)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A named table, or the text that stands in its place."""
        if args and args[0] in self.commands:
            return super().resolve_command(ctx, args)
        return "from-text", self.template, args


HELP = """Reference tables, exact in every cell.

\b
  odds table thresholds
  odds table pool --sides 6 --targets 4,5,6 --dice 8
  odds table "d20+{mod} >= {dc}" mod=0..10 dc=5..25
  odds table "{n}d6! >= 10" n=1..5 --as md
"""


def from_text(shared: list[click.Parameter], show: Callable[..., None]) -> click.Command:
    """The command for a text with ranges."""

    def run(template: str, ranges: Sequence[str], **outputs: Any) -> None:
        from oddsmith.answers.play import answer
        from oddsmith.answers.template import spelled, table_of

        named = {}
        for part in ranges:
            name, equals, values = part.partition("=")
            if not equals:
                raise RuleError(
                    f"{part} is no table and no range", "write for example mod=0..10, or odds table"
                )
            named[name.strip()] = spelled(values)

        def work(budget: int | None) -> tuple[Any, ...]:
            table = table_of(template, named, budget)
            return (answer(template, f"every {' and '.join(named)}", table),)

        show(work, **outputs)

    return click.Command(
        "from-text",
        params=[
            click.Argument(["template"], metavar="TEXT"),
            click.Argument(["ranges"], nargs=-1, metavar="NAME=RANGE"),
            *shared,
        ],
        callback=run,
        context_settings={"ignore_unknown_options": True},
    )
