"""``odds import``: army lists of other programs as squads."""

from __future__ import annotations

from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from oddsmith.errors import OddsmithError
from oddsmith.rosters.keywords import SITUATIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oddsmith.rosters.lists import Roster

HELP = """Weapons from an army list: .ros, .rosz, JSON of New Recruit, UnitCrunch.

\b
  odds import patrol.rosz
  odds import patrol.rosz --unit "Line Squad" --phase ranged -o squad.toml
  odds import patrol.rosz --when half-range --against vehicle -o squad.toml
  odds attack squad.toml --into target.toml
"""


def command() -> click.Command:
    """The command."""
    option = click.Option
    return click.Command(
        "import",
        params=[
            click.Argument(["file"], metavar="FILE"),
            option(
                ["-o", "--output"], metavar="SQUAD.toml", help="Write a squad file; - prints it."
            ),
            option(["--unit"], multiple=True, metavar="NAME", help="Only this unit."),
            option(
                ["--phase"], type=click.Choice(("ranged", "melee")),
                help="Only weapons of this kind.",
            ),
            option(
                ["--when"], type=click.Choice(list(SITUATIONS)), multiple=True,
                help="Switch on keywords that need this.",
            ),
            option(
                ["--against"], multiple=True, metavar="KIND",
                help="Switch on Anti-KIND, such as vehicle.",
            ),
        ],
        callback=run,
        help=HELP,
        context_settings={"help_option_names": ["-h", "--help"]},
    )  # fmt: skip


def run(
    file: str,
    output: str | None,
    unit: Sequence[str],
    phase: str | None,
    when: Sequence[str],
    against: Sequence[str],
) -> None:
    """Read, show and write."""
    from oddsmith.rosters.files import read
    from oddsmith.rosters.text import told
    from oddsmith.rosters.toml import written

    whole = read(file)
    try:
        roster = whole.only(unit, phase or "")
    except OddsmithError as error:
        raise OddsmithError(f"{file}: {error.message}", error.hint) from None
    if not roster.arms:
        raise OddsmithError(f"{file}: there are no {phase} weapons", "leave out --phase")
    situation = {*when, *(f"against {kind.strip().lower()}" for kind in against)}
    if output != "-":
        click.echo(told(roster, situation, get_terminal_size().columns))
    if output:
        ready = sum(arm.ready for arm in roster.arms)
        if not ready:
            raise OddsmithError(
                f"{file}: no weapon can be used as it stands", "see why under each weapon"
            )
        text = written(roster, Path(file).name, situation)
        if output == "-":
            click.echo(text, nl=False)
        else:
            _save(text, file, output)
            click.echo(f"\n{output}: {_counted(roster)}")
            for line in _together(roster):
                click.echo(f"look: {line}")


def _counted(roster: Roster) -> str:
    ready = sum(arm.ready for arm in roster.arms)
    left = len(roster.arms) - ready
    found = f"{ready} weapon{'s' * (ready != 1)}"
    return f"{found}, and {left} more as comments" if left else found


def _together(roster: Roster) -> list[str]:
    """What is hardly meant to be in one attack."""
    lines = []
    if len(roster.troops) > 1:
        lines.append(f"{len(roster.troops)} units attack together; --unit NAME takes one")
    if {"ranged", "melee"} <= {arm.kind for arm in roster.arms if arm.ready}:
        lines.append("ranged and melee weapons attack together; --phase takes one kind")
    return lines


def _save(text: str, source: str, output: str) -> None:
    """Write the squad, but never over the list it comes from."""
    path = Path(output)
    try:
        if path.exists() and path.samefile(source):
            raise OddsmithError(f"{output} is the list itself", "name another file")
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OddsmithError(
            f"{output} cannot be written: {error.strerror}", "name another file"
        ) from None
