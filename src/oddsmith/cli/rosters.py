"""``odds import``: army lists of other programs as squads."""

from __future__ import annotations

from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from oddsmith.errors import OddsmithError
from oddsmith.rosters.keywords import SITUATIONS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from oddsmith.rosters.lists import Roster

HELP = """Units from an army list: .ros, .rosz, JSON of New Recruit, UnitCrunch.

\b
  odds import patrol.rosz
  odds import patrol.rosz --unit "Line Squad" --phase ranged -o squad.toml
  odds import patrol.rosz --when half-range --against vehicle -o squad.toml
  odds import patrol.rosz --unit "Siege Walker" --write target -o walker.toml
  odds attack squad.toml --into walker.toml
"""

WHAT = ("squad", "target", "unit")
"""What a file may hold: the weapons, the stat line of a unit, or both."""


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
            option(
                ["--write"], type=click.Choice(WHAT), default="squad",
                help="What the file holds: the weapons (squad, the usual), the stat line of one "
                "unit (target), or both (unit).",
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
    write: str,
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
    if not roster.arms and write != "target":
        raise OddsmithError(f"{file}: there are no {phase} weapons", "leave out --phase")
    situation = {*when, *(f"against {kind.strip().lower()}" for kind in against)}
    if output != "-":
        click.echo(told(roster, situation, get_terminal_size().columns))
    if output:
        if write != "target" and not any(arm.ready for arm in roster.arms):
            raise OddsmithError(
                f"{file}: no weapon can be used as it stands", "see why under each weapon"
            )
        if write == "squad":
            text = written(roster, Path(file).name, situation)
        else:
            text = _one_unit(roster, file, situation, write == "unit")
        if output == "-":
            click.echo(text, nl=False)
            return
        _save(text, file, output)
        parts = {"squad": "{}", "target": "a target", "unit": "a stat line and {}"}
        click.echo(f"\n{output}: {parts[write].format(_counted(roster))}")
        for line in _together(roster) if write != "target" else ():
            click.echo(f"look: {line}")


def _one_unit(roster: Roster, file: str, situation: Collection[str], weapons: bool) -> str:
    """The file of the only unit."""
    from oddsmith.rosters.toml import written_unit

    if len(roster.troops) != 1:
        raise OddsmithError(
            f"{file}: a stat line is that of one unit, not of {len(roster.troops)}",
            "name one with --unit",
        )
    try:
        return written_unit(roster, Path(file).name, situation, weapons)
    except OddsmithError as error:
        raise OddsmithError(f"{file}: {error.message}", error.hint) from None


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
