"""``odds attack``: an attack sequence from options, or from unit files."""

from __future__ import annotations

import inspect
import re
from inspect import get_annotations
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from oddsmith.answers.attack_files import FLAGS, squad, target, value_of
from oddsmith.errors import RuleError
from oddsmith.games.attack_profiles import EDITIONS, Target, Weapon

if TYPE_CHECKING:
    from collections.abc import Callable

HELP = """Attack sequences: from attacks to models lost, exactly.

\b
  odds attack --attacks 20 --skill 3+ --strength 4 --ap 1 --toughness 4 --save 3+
  odds attack --attacks d6 --damage d6+1 --melta 2 --half-range --wounds 3 --models 5
  odds attack squad.toml --into target.toml --audit
  odds attack --attacks 20 --strength 5 --versus toughness=3..8 --versus save=2..6
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
            click.Option(
                ["--at-least"], type=click.IntRange(0), metavar="N",
                help="Ask for the chance that N models are lost.",
            ),
            click.Option(["--audit"], is_flag=True, help="The chances of every single roll."),
            click.Option(
                ["--versus"], multiple=True, metavar="FIELD=RANGE",
                help="A table over one or two fields, such as toughness=3..8, or weapon for each "
                "weapon alone.",
            ),
            click.Option(["--orders"], is_flag=True, help="All orders of fire, the best first."),
            click.Option(
                ["--instead"], metavar="OTHER.toml",
                help="Compare with another squad: who kills more.",
            ),
            click.Option(
                ["--fish"], is_flag=True,
                help="The best hit dice to re-roll for critical hits (--reroll-hits says which "
                "may be; left out, all).",
            ),
            click.Option(["--target-points"], metavar="VALUE", help="What a target model costs."),
        ]  # fmt: skip
        params = [*own, *_options(Weapon), *_options(Target), *shared]
        super().__init__(
            "attack", params=params, callback=self.run, help=HELP,
            context_settings={"help_option_names": ["-h", "--help"]},
        )  # fmt: skip

    def run(self, squad_file: str | None, into: str | None, edition: str | None,
            target_points: str | None, **given: Any) -> None:  # fmt: skip
        """Read what was given, answer and show."""
        outputs = {
            name: given.pop(name)
            for name in ("view", "digits", "exact", "no_chart", "form", "plot", "budget")
        }
        asked = {name: given.pop(name) for name in ASKED}
        typed = {name: value for name, value in given.items() if value not in (None, False)}
        points = {} if target_points is None else {"points": value_of("points", target_points)}
        arms, named = squad(squad_file) if squad_file else ((Weapon(),), None)
        other = squad(asked["instead"])[0] if asked["instead"] else ()
        names = _names(squad_file, asked["instead"])
        changed = _fields(Weapon, typed)
        arms, other = (tuple(weapon.but(**changed) for weapon in some) for some in (arms, other))
        aim = (target(into) if into else Target()).but(**_fields(Target, typed), **points)
        told = {
            "into": into, "edition": edition, **asked, **typed, "target_points": target_points,
        }  # fmt: skip
        text = " ".join(["attack", *filter(None, [squad_file]), *_words(told)])
        rules = edition or named or "40k-10"
        self.show(_work(arms, other, names, aim, rules, text, asked), **outputs)


ASKED = ("audit", "at_least", "versus", "orders", "instead", "fish")
"""Options that say what is asked, not of whom."""


def _names(squad_file: str | None, instead: str | None) -> tuple[str, str]:
    """What two loadouts are called."""
    names = Path(squad_file or "first").stem, Path(instead or "second").stem
    return names if names[0] != names[1] else ("first", "second")


def _words(told: dict[str, Any]) -> list[str]:
    """Options as they were typed."""
    words = []
    for name, value in told.items():
        option = f"--{name.replace('_', '-')}"
        if isinstance(value, tuple):
            words += [f"{option} {quote(one)}" for one in value]
        elif value is True:
            words.append(option)
        elif value is not None and value is not False:
            words.append(f"{option} {quote(str(value).strip())}")
    return words


def _work(
    arms: tuple[Weapon, ...],
    other: tuple[Weapon, ...],
    names: tuple[str, str],
    aim: Target,
    rules: str,
    text: str,
    asked: dict[str, Any],
) -> Callable[[int | None], tuple[Any, ...]]:
    """What is to be done, for a budget."""
    from oddsmith.answers import attack_choices, attacks

    ways = [name for name in ("versus", "orders", "instead", "fish") if asked[name]]
    if len(ways) > 1:
        raise RuleError(f"--{ways[0]} and --{ways[1]} are two questions", "ask one at a time")
    least = asked["at_least"]
    if asked["versus"]:
        ranges = dict(map(_range, asked["versus"]))
        if len(ranges) < len(asked["versus"]):
            raise RuleError("--versus has the same field twice", "name another field")
        return lambda budget: attacks.table_answers(arms, aim, ranges, rules, text, least, budget)
    if asked["orders"]:
        return lambda budget: attack_choices.order_answers(arms, aim, rules, text, least, budget)
    if other:
        return lambda budget: attack_choices.comparison_answers(
            arms, other, aim, rules, text, names, budget
        )
    if asked["fish"]:
        if len(arms) > 1:
            raise RuleError("--fish looks at one weapon", "give a file with one weapon")
        return lambda budget: attack_choices.fishing_answers(
            arms[0], aim, rules, text, least, budget
        )
    audit = asked["audit"]
    return lambda budget: attacks.attack_answers(arms, aim, rules, text, audit, budget, least)


def _range(text: str) -> tuple[str, list[str]]:
    """A field and its values."""
    from oddsmith.answers.template import spelled

    name, equals, values = text.partition("=")
    values = re.sub(r"\+(?=\.\.|$)", "", values.strip())
    if not equals and name.strip() != "weapon":
        raise RuleError(f"--versus {text} has no values", f"write for example {text}=3..8")
    return name.strip(), spelled(values) if equals else []


def _fields(record: Any, typed: dict[str, Any]) -> dict[str, Any]:
    known = get_annotations(record)
    return {
        name: value_of(name, value)
        for name, value in typed.items()
        if name in known and not (record is Target and name == "points")
    }
