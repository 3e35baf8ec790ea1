"""Click commands made from functions: arguments are the options, docstrings the help."""

from __future__ import annotations

import inspect
import re
import types
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import click

from oddsmith.errors import NotationError

if TYPE_CHECKING:
    from oddsmith.games.catalogue import Call, Game

SHARED = (
    "form", "digits", "exact", "cells", "add_up", "plot", "budget", "view", "no_chart",
)  # fmt: skip
"""The options of output, under the names of their arguments."""


class TargetType(click.ParamType):  # type: ignore[type-arg]
    """A target number such as 4+ (or just 4)."""

    name = "X+"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """The number before the plus."""
        match = re.fullmatch(r"\s*(-?\d{1,6})\s*\+?\s*", str(value))
        if match is None:
            self.fail(f"{value} is not a target; write for example 4+", param, ctx)
        return int(match[1])


class DiceType(click.ParamType):  # type: ignore[type-arg]
    """Dice in the notation, such as 1d6 or 2d6+1."""

    name = "DICE"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """What the dice come to."""
        from oddsmith.answers.ask import odds

        if not isinstance(value, str):
            return value
        try:
            (answer,) = odds(value)
        except (NotationError, ValueError) as error:
            self.fail(f"{value} cannot be read as dice: {error}", param, ctx)
        if answer.kind != "distribution":
            self.fail(f"{value} is a question, not dice; write for example 2d6", param, ctx)
        return Said(answer.dist, value)


class Said:
    """A distribution that is shown as it was typed."""

    def __init__(self, dist: Any, text: str) -> None:
        self.dist, self.text = dist, text

    def __str__(self) -> str:
        return self.text


class ListType(click.ParamType):  # type: ignore[type-arg]
    """Whole numbers with commas between them, such as 1,2,6."""

    name = "N,N,.."

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[int, ...]:
        """The numbers."""
        if not isinstance(value, str):
            return tuple(value)
        parts = [part for part in re.split(r"[,\s]+", value.strip("{}[] ")) if part]
        if not all(re.fullmatch(r"-?\d{1,6}", part) for part in parts):
            self.fail(f"{value} is not a list of numbers; write for example 1,2,6", param, ctx)
        return tuple(int(part) for part in parts)


class FractionType(click.ParamType):  # type: ignore[type-arg]
    """A number such as 2, 7/2, 3.5 or 65%."""

    name = "NUMBER"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """The exact number."""
        from fractions import Fraction

        text = str(value).strip()
        try:
            return Fraction(text[:-1]) / 100 if text.endswith("%") else Fraction(text)
        except (ValueError, ZeroDivisionError):
            self.fail(f"{value} is not a number; write for example 7/2 or 65%", param, ctx)


def _param(annotation: Any) -> tuple[Any, bool]:
    """The type of an option, and whether it is a flag."""
    if get_origin(annotation) is Annotated:
        kind = get_args(annotation)[1]
        return {"target": TargetType(), "dice": DiceType()}[kind], False
    if get_origin(annotation) in (Union, types.UnionType):
        return _param(next(part for part in get_args(annotation) if part is not type(None)))
    if get_origin(annotation) is Literal:
        return click.Choice([str(choice) for choice in get_args(annotation)]), False
    if annotation is bool:
        return None, True
    if annotation is int:
        return click.INT, False
    if annotation is str:
        return click.STRING, False
    origin = get_origin(annotation)
    if (origin is not None and issubclass(origin, (list, tuple))) or _is_sequence(origin):
        return ListType(), False
    return FractionType(), False


def _is_sequence(origin: Any) -> bool:
    from collections.abc import Sequence

    return inspect.isclass(origin) and issubclass(origin, Sequence)


def _described(function: Any) -> tuple[str, dict[str, str]]:
    """The summary of a docstring, and what it says of each argument."""
    text = inspect.getdoc(function) or ""
    summary = text.split("\n\n")[0].replace("\n", " ").replace("``", "")
    section = re.search(r"^Args:\n((?:[ ]{4}.*\n?)+)", text, re.MULTILINE)
    found: dict[str, str] = {}
    last = ""
    for line in section[1].splitlines() if section else ():
        match = re.match(r"    (\w+): (.*)", line)
        if match:
            last = match[1]
            found[last] = match[2].replace("``", "")
        elif last:
            found[last] += " " + line.strip().replace("``", "")
    return summary, found


def _hints(function: Any) -> dict[str, Any]:
    """The annotations, with names that are only there for type checkers."""
    from collections.abc import Iterable, Mapping, Sequence
    from fractions import Fraction

    names = {
        "Fraction": Fraction, "Sequence": Sequence, "Iterable": Iterable, "Mapping": Mapping,
        "Dist": Any, "OpenDist": Any,
    }  # fmt: skip
    return get_type_hints(function, {**names, **function.__globals__}, include_extras=True)


def _options(call: Call) -> list[click.Parameter]:
    hints = _hints(call.function)
    _, described = _described(call.function)
    options: list[click.Parameter] = []
    for name, parameter in inspect.signature(call.function).parameters.items():
        kind, flag = _param(hints[name])
        needed = parameter.default is inspect.Parameter.empty
        settings: dict[str, Any] = {"required": needed, "help": described.get(name, "")}
        if not needed and parameter.default is not None:
            settings |= {"default": parameter.default, "show_default": not flag}
        option = [f"--{name.replace('_', '-')}", name]
        options.append(click.Option(option, type=kind, is_flag=flag, **settings))
    return options


def command(
    game: Game, call: Call, path: str, shared: list[click.Parameter], show: Any
) -> click.Command:
    """The click command of one call.

    Args:
        game: The game.
        call: The call.
        path: The words before its name, such as ``game six-again``.
        shared: The options of output that every command has.
        show: Takes the answers and the shared options, and prints.
    """
    summary, _ = _described(call.function)
    rules = dict(game.rules)
    numbers = [number for number in rules if number in _spread(call.rules, list(rules))]
    lines = [f"{number}  {rules[number]}" for number in numbers]
    epilog = f"Example: odds {path} {call.name} {call.example}"

    def run(**values: Any) -> None:
        from oddsmith.answers.play import play

        outputs = {name: values.pop(name) for name in SHARED}
        context = click.get_current_context()
        given = {
            name: value
            for name, value in values.items()
            if context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT
        }
        said = {name: str(value) for name, value in given.items() if isinstance(value, Said)}
        plain = {
            name: value.dist if isinstance(value, Said) else value for name, value in given.items()
        }
        show(lambda budget: play(call, game.name, plain, budget, said), **outputs)

    return click.Command(
        call.name,
        params=[*_options(call), *shared],
        callback=run,
        help="\n\n".join([summary, "Rules:", *lines]),
        short_help=summary,
        epilog=epilog,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def _spread(rules: str, numbers: list[str]) -> list[str]:
    """``S1 to S3, S7`` as single numbers."""
    found: list[str] = []
    for part in rules.split(","):
        first, _, last = part.strip().partition(" to ")
        if last and first in numbers and last in numbers:
            found += numbers[numbers.index(first) : numbers.index(last) + 1]
        else:
            found.append(first)
    return found
