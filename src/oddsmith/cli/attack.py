"""``odds attack``: an attack sequence from options, or from unit files."""

from __future__ import annotations

import inspect
import re
from inspect import get_annotations
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from oddsmith.answers.attack_files import FLAGS, side, squad, target, value_of
from oddsmith.cli.calls import SHARED
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
  odds attack knights.toml --into guard.toml --charge 7 --rounds 3
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
            click.Option(
                ["--into"], metavar="TARGET",
                help="A file with the target: TOML, or an army list of which --unit names one.",
            ),
            click.Option(["--unit"], metavar="NAME", help="The unit of the army list."),
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
            click.Option(
                ["--damage-rerolls"], metavar="N",
                help="The best damage dice to re-roll where N may be; all for each of them.",
            ),
            click.Option(
                ["--charge"], type=click.IntRange(0, 20), metavar="N",
                help="The attack takes place where 2D6 reach N.",
            ),
            click.Option(
                ["--charge-reroll"], is_flag=True, help="A charge too short is rolled again.",
            ),
            click.Option(
                ["--overwatch-with"], metavar="FILE.toml",
                help="What the target fires first, with natural 6s; who falls does not attack.",
            ),
            click.Option(
                ["--rounds"], type=click.IntRange(1, 100), metavar="N",
                help="The target fights back with the weapons of its file, N rounds at most.",
            ),
            click.Option(["--target-points"], metavar="VALUE", help="What a target model costs."),
        ]  # fmt: skip
        params = [*own, *_options(Weapon), *_options(Target), *shared]
        super().__init__(
            "attack", params=params, callback=self.run, help=HELP,
            context_settings={"help_option_names": ["-h", "--help"]},
        )  # fmt: skip

    def run(self, squad_file: str | None, into: str | None, unit: str | None,
            edition: str | None, target_points: str | None, **given: Any) -> None:  # fmt: skip
        """Read what was given, answer and show."""
        outputs = {name: given.pop(name) for name in SHARED}
        asked = {name: given.pop(name) for name in ASKED}
        typed = {name: value for name, value in given.items() if value not in (None, False)}
        points = {} if target_points is None else {"points": value_of("points", target_points)}
        arms, named = squad(squad_file) if squad_file else ((Weapon(),), None)
        other = squad(asked["instead"])[0] if asked["instead"] else ()
        changed = _fields(Weapon, typed)
        arms, other = (tuple(weapon.but(**changed) for weapon in some) for some in (arms, other))
        aim = _aim(into, unit).but(**_fields(Target, typed), **points)
        told = {
            "into": into, "unit": unit, "edition": edition, **asked, **typed,
            "target_points": target_points,
        }  # fmt: skip
        text = " ".join(["attack", *filter(None, [squad_file]), *_words(told)])
        rules = edition or named or "40k-10"
        if any(asked[name] for name in FIGHTS):
            work = _fight(squad_file, into, arms, aim, rules, text, asked)
        else:
            names = _names(squad_file, asked["instead"])
            work = _work(arms, other, names, aim, rules, text, asked)
        self.show(work, **outputs)


FIGHTS = ("charge", "charge_reroll", "overwatch_with", "rounds")
"""Options that make a fight of an attack."""

CHOICES = ("versus", "orders", "instead", "fish", "damage_rerolls")
"""Options that ask something of their own."""

ASKED = ("audit", "at_least", *CHOICES, *FIGHTS)
"""Options that say what is asked, not of whom."""


def _aim(into: str | None, unit: str | None) -> Target:
    """The target of a file: TOML, or one unit of an army list."""
    if into and not into.lower().endswith(".toml"):
        from oddsmith.rosters.targets import target_of

        return target_of(into, unit)
    if unit is not None:
        raise RuleError("--unit names a unit of an army list", "give the list: --into patrol.ros")
    return target(into) if into else Target()


def _fight(
    squad_file: str | None,
    into: str | None,
    arms: tuple[Weapon, ...],
    aim: Target,
    rules: str,
    text: str,
    asked: dict[str, Any],
) -> Callable[[int | None], tuple[Any, ...]]:
    """A fight, for a budget."""
    from oddsmith.answers.attack_rounds import fight_answers
    from oddsmith.games.attack_rounds import Side

    for name in (*CHOICES, "audit"):
        if asked[name]:
            here = next(fights for fights in FIGHTS if asked[fights])
            one, other = (f"--{part.replace('_', '-')}" for part in (name, here))
            raise RuleError(f"{one} and {other} are two questions", "ask one at a time")
    if asked["charge_reroll"] and asked["charge"] is None:
        raise RuleError("--charge-reroll needs a charge", "give its distance: --charge 7")
    back: tuple[Weapon, ...] = ()
    stats: Target | None = side(squad_file).stats if squad_file else None
    if asked["rounds"]:
        if not (into and into.lower().endswith(".toml")):
            raise RuleError(
                "--rounds needs the weapons that fight back", "give them in a file: --into foe.toml"
            )
        back = side(into).weapons
        if not back:
            raise RuleError(f"{into} lists no weapons to fight back", "write [[weapon]] above each")
    if (asked["rounds"] or asked["overwatch_with"]) and stats is None:
        raise RuleError(
            f"{squad_file or 'the attacker'} gives no stat line of those who attack",
            "write toughness, save, wounds and models at the top of its file",
        )
    fire = squad(asked["overwatch_with"])[0] if asked["overwatch_with"] else ()
    first, second = Side(arms, stats or Target()), Side(back, aim)
    names = _names(squad_file, into)
    return lambda budget: fight_answers(
        first, second, rules, text, names, asked["rounds"], asked["charge"],
        asked["charge_reroll"], fire, asked["at_least"], budget,
    )  # fmt: skip


def _names(squad_file: str | None, other: str | None) -> tuple[str, str]:
    """What two sides are called."""
    names = Path(squad_file or "first").stem, Path(other or "second").stem
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

    ways = [f"--{name.replace('_', '-')}" for name in CHOICES if asked[name]]
    if len(ways) > 1:
        raise RuleError(f"{ways[0]} and {ways[1]} are two questions", "ask one at a time")
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
    if (asked["fish"] or asked["damage_rerolls"]) and len(arms) > 1:
        raise RuleError(f"{ways[0]} looks at one weapon", "give a file with one weapon")
    if asked["damage_rerolls"]:
        many = _many(asked["damage_rerolls"])
        return lambda budget: attack_choices.damage_answers(
            arms[0], aim, rules, text, many, least, budget
        )
    if asked["fish"]:
        return lambda budget: attack_choices.fishing_answers(
            arms[0], aim, rules, text, least, budget
        )
    audit = asked["audit"]
    return lambda budget: attacks.attack_answers(arms, aim, rules, text, audit, budget, least)


def _many(text: str) -> int | None:
    """How many re-rolls there are; None for each roll one."""
    if text.strip().lower() == "all":
        return None
    if not re.fullmatch(r"\s*\d{1,4}\s*", text):
        raise RuleError(f"--damage-rerolls is {text!r}", "write a number, or all")
    return int(text)


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
