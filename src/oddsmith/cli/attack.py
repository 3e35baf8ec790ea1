"""``odds attack``: an attack sequence from options, or from unit files."""

from __future__ import annotations

import inspect
import re
from inspect import get_annotations
from typing import TYPE_CHECKING, Any

import click

from oddsmith.answers.attack_files import FLAGS, squad, target, value_of
from oddsmith.games.attack_profiles import EDITIONS, Target, Weapon

if TYPE_CHECKING:
    from collections.abc import Callable

HELP = """Attack sequences: from attacks to models lost, exactly.

\\b
  odds attack --attacks 20 --skill 3+ --strength 4 --ap 1 --toughness 4 --save 3+
  odds attack --attacks d6 --damage d6+1 --melta 2 --half-range --wounds 3 --models 5
  odds attack squad.toml --into target.toml --audit
"""
HIDDEN = {"name", "others"}


def _about(record: Any) -> dict[str, str]:
    """What the docstring of a record says of its fields."""
    text = inspect.getdoc(record) or ""
    section = text[text.index("Attributes:") :]
    found: dict[str, str] = {}
    last = ""
    for line in section.splitlines()[1:]:
        match = re.match(r"    (\w+): (.*)", line)
        if match:
            last = match[1]
            found[last] = match[2]
        elif last and line.startswith("        "):
            found[last] += " " + line.strip()
    return {field: words.replace("``", "") for field, words in found.items()}


def _options(record: Any) -> list[click.Parameter]:
    about = _about(record)
    options: list[click.Parameter] = []
    for field in get_annotations(record):
        if field in HIDDEN or (record is Target and field == "points"):
            continue
        names = [f"--{field.replace('_', '-')}", field]
        if field == "ward":
            names.insert(1, "--feel-no-pain")
        if field in FLAGS:
            options.append(click.Option(names, is_flag=True, help=about[field]))
        else:
            options.append(click.Option(names, metavar="VALUE", help=about[field]))
    return options


class Attack(click.Command):
    """The command, with the fields of weapons and targets as options."""

    def __init__(self, shared: list[click.Parameter], show: Callable[..., None]) -> None:
        self.show = show
        own = [
            click.Argument(["squad_file"], required=False, metavar="[SQUAD.toml]"),
            click.Option(["--into"], metavar="TARGET.toml", help="A file with the target."),
            click.Option(
                ["--edition"], type=click.Choice(list(EDITIONS)), help="The rules (40k-10)."
            ),
            click.Option(["--audit"], is_flag=True, help="The chances of every single roll."),
            click.Option(["--target-points"], metavar="VALUE", help="What a target model costs."),
        ]
        params = [*own, *_options(Weapon), *_options(Target), *shared]
        super().__init__(
            "attack", params=params, callback=self.run, help=HELP,
            context_settings={"help_option_names": ["-h", "--help"]},
        )  # fmt: skip

    def run(self, squad_file: str | None, into: str | None, edition: str | None,
            audit: bool, target_points: str | None, **given: Any) -> None:  # fmt: skip
        """Read what was given, answer and show."""
        from oddsmith.answers.attacks import attack_answers

        outputs = {
            name: given.pop(name)
            for name in ("view", "digits", "exact", "no_chart", "form", "plot", "budget")
        }
        typed = {name: value for name, value in given.items() if value not in (None, False)}
        if target_points is not None:
            typed_points = {"points": value_of("points", target_points)}
        else:
            typed_points = {}
        arms, named = squad(squad_file) if squad_file else ((Weapon(),), None)
        arms = tuple(weapon.but(**_fields(Weapon, typed)) for weapon in arms)
        aim = (target(into) if into else Target()).but(**_fields(Target, typed), **typed_points)
        words = " ".join(
            f"--{name.replace('_', '-')}" + ("" if value is True else f" {value}")
            for name, value in typed.items()
        )
        text = " ".join(filter(None, ["attack", squad_file, into and f"--into {into}", words]))
        rules = edition or named or "40k-10"
        self.show(lambda budget: attack_answers(arms, aim, rules, text, audit, budget), **outputs)


def _fields(record: Any, typed: dict[str, Any]) -> dict[str, Any]:
    known = get_annotations(record)
    return {
        name: value_of(name, value)
        for name, value in typed.items()
        if name in known and not (record is Target and name == "points")
    }
