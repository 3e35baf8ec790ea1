"""The catalogue of rule systems: what each has rules for, and which calls answer them.

A game is a module. Its docstring lists its rules, one line each, opened by their numbers; its
public calls are the functions it registers with :func:`call`, or takes from modules whose names
begin with its own. The command line is made from their signatures, so that a rule is written once.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

from oddsmith.errors import RuleError
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction
    from types import ModuleType

Target = Annotated[int, "target"]
"""A target number, written 4+ at the command line."""

Dice = Annotated[Any, "dice"]
"""Dice to roll: a number, ``Dist`` or ``OpenDist``; the dice notation at the command line."""

MODULES = {
    "warhammer-40k": "oddsmith.games.warhammer_40k",
    "fantasy-battle": "oddsmith.games.fantasy_battle",
    "six-again": "oddsmith.games.six_again",
    "combat-pools": "oddsmith.games.combat_pools",
    "wargames": "oddsmith.games.wargames",
}
"""Names at the command line and the modules behind them."""

NUMBERED = re.compile(r"^\s*([A-Z]\d+)\s+(.*)$")


class Amount(Record):
    """A number that is no chance, such as a mean.

    Attributes:
        value: The exact number.
        unit: What it counts, in words.
    """

    value: Fraction
    unit: str = ""


class Call(Record):
    """Something a game answers.

    Attributes:
        name: Its name at the command line.
        function: The function; its arguments are the options.
        rules: The numbers of the rules it follows.
        example: Options to try it with.
    """

    name: str
    function: Callable[..., Any]
    rules: str
    example: str


class Game(Record):
    """One rule system.

    Attributes:
        name: Its name at the command line.
        summary: One line.
        rules: Their numbers and what they say.
        calls: What it answers, the default first.
    """

    name: str
    summary: str
    rules: tuple[tuple[str, str], ...]
    calls: tuple[Call, ...]

    def call(self, name: str) -> Call:
        """The call of this name.

        Raises:
            RuleError: Where there is none.
        """
        for one in self.calls:
            if one.name == name:
                return one
        names = ", ".join(one.name for one in self.calls)
        raise RuleError(f"{self.name} has nothing called {name}", f"it has {names}")


def call(rules: str, example: str) -> Callable[[Any], Any]:
    """Register a function as a call of its game, under its name with dashes.

    Args:
        rules: The numbers of the rules it follows.
        example: Options to try it with, as typed.
    """

    def mark(function: Any) -> Any:
        function.__odds__ = rules, example
        return function

    return mark


def game(name: str) -> Game:
    """The game of this name.

    Raises:
        RuleError: Where there is none.

    >>> game("six-again").calls[0].name
    'roll'
    """
    key = name.lower().replace("_", "-")
    if key not in MODULES:
        near = get_close_matches(key, MODULES, 1)
        hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(MODULES)}"
        raise RuleError(f"no game is called {name}", hint)
    return listed(key, import_module(MODULES[key]))


def listed(name: str, module: ModuleType) -> Game:
    """What a module has registered, with the rules its docstring numbers.

    Args:
        name: Its name at the command line.
        module: The module.

    >>> from oddsmith.games import six_again
    >>> listed("six-again", six_again).rules[0][0]
    'S1'
    """
    lines = (module.__doc__ or "").splitlines()
    calls = tuple(
        Call(function.__name__.replace("_", "-"), function, *function.__odds__)
        for function in vars(module).values()
        if hasattr(function, "__odds__") and function.__module__.startswith(module.__name__)
    )
    return Game(name, lines[0].rstrip("."), tuple(_rules(lines)), calls)


def _rules(lines: list[str]) -> list[tuple[str, str]]:
    """Numbered lines, each with those that continue it."""
    found: list[tuple[str, str]] = []
    for line in lines:
        match = NUMBERED.match(line)
        if match:
            found.append((match[1], match[2].strip()))
        elif found and line.startswith("     ") and line.strip():
            number, text = found[-1]
            found[-1] = number, f"{text} {line.strip()}"
    return found


def games() -> tuple[Game, ...]:
    """All games, in the order of the catalogue.

    >>> "six-again" in [one.name for one in games()]
    True
    """
    return tuple(game(name) for name in MODULES)
