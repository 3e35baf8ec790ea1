"""``odds game``: the catalogue of rule systems, each call with the options of its function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from oddsmith.cli.calls import command
from oddsmith.games.catalogue import game as game_called
from oddsmith.games.catalogue import games

if TYPE_CHECKING:
    from oddsmith.games.catalogue import Game


class GameGroup(click.Group):
    """The calls of one game; options without a call belong to the first."""

    def __init__(self, game: Game, commands: list[click.Command]) -> None:
        self.game = game
        rules = [f"{number}  {text}" for number, text in game.rules]
        super().__init__(
            game.name,
            commands={one.name or "": one for one in commands},
            help="\n\n".join([game.summary + ".", "\b\nRules", *rules]),
            short_help=game.summary,
            context_settings={"help_option_names": ["-h", "--help"]},
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the first call in front where none is named."""
        if args and args[0].startswith("-") and args[0] not in ("-h", "--help"):
            args = [self.game.calls[0].name, *args]
        return super().parse_args(ctx, args)


class Catalogue(click.Group):
    """All games; each is loaded only when it is named."""

    def __init__(self, shared: list[click.Parameter], show: Any) -> None:
        super().__init__(
            "game",
            help="Rule systems, rule by rule: odds game NAME lists what it answers.",
            invoke_without_command=True,
            context_settings={"help_option_names": ["-h", "--help"]},
        )
        self.shared, self.show = shared, show

    def list_commands(self, _: click.Context) -> list[str]:
        """The names of all games."""
        return [one.name for one in games()]

    def get_command(self, _: click.Context, name: str) -> click.Command | None:
        """The commands of one game."""
        found = game_called(name)
        calls = [
            command(found, call, f"game {found.name}", self.shared, self.show)
            for call in found.calls
        ]
        return GameGroup(found, calls)

    def invoke(self, ctx: click.Context) -> Any:
        """Without a name, list the games."""
        if not ctx._protected_args and not ctx.args:
            click.echo(listing())
            return None
        return super().invoke(ctx)


def listing() -> str:
    """The catalogue: one line for each game, and how to go on.

    >>> "six-again" in listing()
    True
    """
    rows = [(one.name, one.summary) for one in games()]
    width = max(len(name) for name, _ in rows)
    lines = [f"  {name.ljust(width)}  {summary}" for name, summary in rows]
    return "\n".join(
        ["Rule systems", *lines, "", "odds game NAME --help lists its rules and calls."]
    )
