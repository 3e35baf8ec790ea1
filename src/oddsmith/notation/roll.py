"""The roller: the same syntax tree, rolled instead of worked out.

It reads the tree by itself and shares nothing with the exact evaluator but the tree, so that many
rolls are a check of the exact answers.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, trunc
from typing import TYPE_CHECKING, Any

import numpy as np

from oddsmith.dice import CATALOGUE
from oddsmith.errors import NotationError, OddsmithError, TooLarge
from oddsmith.notation import nodes as n
from oddsmith.notation import words
from oddsmith.notation.hand import Hand, folded, tidy
from oddsmith.notation.parser import parse
from oddsmith.notation.tray import MOST_DICE, Cup, Tray, number

if TYPE_CHECKING:
    from collections.abc import Callable

    from oddsmith.notation.tray import Outcome

REHEARSALS = 200
MOST_TRIES = 100_000
"""Rolls until a condition must have held."""
GAP = 3

COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "<>": operator.ne, ">=": operator.ge,
    ">": operator.gt, "<=": operator.le, "<": operator.lt,
}  # fmt: skip
ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "/": Fraction, "//": operator.floordiv,
}  # fmt: skip
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "max": max, "min": min, "abs": abs, "floor": floor, "ceil": ceil, "trunc": trunc,
    "round": lambda x: floor(x + Fraction(1, 2)) if x >= 0 else -floor(-x + Fraction(1, 2)),
    "half_up": lambda x: ceil(Fraction(x) / 2),
}  # fmt: skip


def rolls(expression: str, times: int = 1, seed: int | None = None) -> list[str]:
    """Roll an expression; one line for each roll and result.

    The result comes first, then what the dice showed: removed dice in brackets, ``6! 3`` for a die
    that exploded, ``1r 4`` for one that was rolled again, ``5*`` for a success.

    Args:
        expression: A text in the dice notation.
        times: How many rolls.
        seed: The same seed gives the same lines; None gives others every time.

    Raises:
        NotationError: Where the text makes no sense, with its place.
        TooLarge: Where more dice would be rolled than is sensible.

    >>> rolls("3d1 + 4")
    ['7   3d1 + 4: 1 1 1']
    >>> rolls("4d1kh3 >= 4, 'sure': d1 = 1")
    ['no    4d1kh3 >= 4: 1 1 1 (1) = 3', 'yes   sure: 1']
    """
    program = parse(expression)
    roller = Roller(program, expression, generator(seed))
    rehearse(program, expression, times)
    found = [pair for _ in range(times) for pair in roller.shown()]
    width = max(len(first) for first, _ in found) + GAP
    return [first.ljust(width) + rest for first, rest in found]


def sample(
    program: n.Program, source: str, times: int, rng: np.random.Generator
) -> list[tuple[Outcome, ...]]:
    """Roll a program many times.

    Args:
        program: The syntax tree.
        source: The text it came from, for errors.
        times: How many rolls.
        rng: Where the random numbers come from.

    Returns:
        For each roll the outcome of every result: a number or a text, True or False for a
        question, ``win``, ``tie`` or ``lose`` for a contest.

    >>> sample(parse("2d1, d1 > 1, 2 vs 1"), "2d1, d1 > 1, 2 vs 1", 1, generator(1))
    [(2, False, 'win')]
    """
    rehearse(program, source, times)
    roller = Roller(program, source, rng)
    return [roller.once() for _ in range(times)]


def generator(seed: int | None) -> np.random.Generator:
    """A source of random numbers.

    >>> int(generator(7).integers(0, 1))
    0
    """
    if seed is not None and seed < 0:
        raise OddsmithError(f"the seed {seed} is negative", "a seed is a whole number, 0 or more")
    return np.random.default_rng(seed)


def rehearse(program: n.Program, source: str, times: int) -> None:
    """Roll unseen, so that a text which can go wrong is refused before anything is shown.

    Raises:
        TooLarge: Where so many rolls would need too many dice.

    >>> rehearse(parse("3d6"), "3d6", 10)
    """
    roller = Roller(program, source, generator(0))
    for done in range(1, REHEARSALS + 1):
        roller.once()
        thrown = roller.cup.thrown
        if thrown * times > MOST_DICE * done:
            raise TooLarge(thrown * times // done, MOST_DICE, "roll fewer dice, or fewer times")
        if thrown > MOST_DICE // 100:
            return


@dataclass
class Named:
    """What a name stands for in one roll.

    Attributes:
        value: Its value, or None while only its dice were asked for.
        tray: Its dice, where it is a pool.
        log: The trays it was read from.
    """

    value: Outcome | None
    tray: Tray | None
    log: list[Tray]


class Roller(Hand):
    """One program; ``env`` holds what the names have come to in this roll.

    Args:
        program: The syntax tree.
        source: The text it came from, for errors.
        rng: Where the random numbers come from.

    >>> Roller(parse("let x = 3d1; x + x"), "let x = 3d1; x + x", generator(None)).once()
    (6,)
    """

    def __init__(self, program: n.Program, source: str, rng: np.random.Generator) -> None:
        self.source, self.cup, self.program = source, Cup(rng), program
        self.lets: dict[str, n.Node] = {}
        self.env: dict[str, Named] = {}
        self.log: list[Tray] = []
        self.known: dict[Any, Any] = {}
        self.names: dict[int, frozenset[str]] = {}
        self.bind(program)
        self.words = _words(program)
        for node in program.walk():
            if isinstance(node, n.Given):
                self.check_given(node)

    def bind(self, program: n.Program) -> None:
        """Take up the names, each of which may use those before it."""
        later = {let.name for let in program.lets}
        for let in program.lets:
            if let.name in self.lets:
                self.fail(let, f"{let.name} is bound twice", "choose another name")
            for node in let.value.walk():
                if isinstance(node, n.Name) and node.name.lower() in later:
                    self.fail(node, f"{node.name} is used before it is bound", "bind it before")
            later.discard(let.name)
            self.lets[let.name] = let.value

    def check_given(self, node: n.Given) -> None:
        if all(result.body is not node for result in self.program.results):
            self.fail(node, "given can only stand at the outside of a result", "use a name")
        if not self.free(node.body) & self.free(node.test):
            shown = self.source[node.body.span[0] : node.body.span[1]]
            self.fail(
                node,
                "the two sides of given are different rolls, so nothing is known of the first",
                f"name the roll: let x = {shown}; x given x >= 8",
            )

    # --- rolls

    def once(self) -> tuple[Outcome, ...]:
        """Roll all results once."""
        self.env, self.log = {}, []
        return tuple(self.result(result.body) for result in self.program.results)

    def shown(self) -> list[tuple[str, str]]:
        """Roll all results once; for each the outcome and the rest of its line."""
        self.env = {}
        lines = []
        for result in self.program.results:
            self.log = []
            outer = dict(self.env)
            outcome = self.result(result.body)
            lines.append((_first(outcome), self.line(result, outcome)))
            self.env = outer if isinstance(result.body, n.Given) else self.env
        return lines

    def line(self, result: n.Result, outcome: Outcome) -> str:
        """What was rolled, and what the dice showed."""
        start, end = result.body.span
        title = result.label
        if title is None:
            title = " ".join(self.source[start:end].split())
        names = [
            f"{name} = {shown}" if (shown := self.told(name)) else ""
            for name in self.lets
            if name in self.env and name in self.free(result.body)
        ]
        alone = isinstance(result.body, (n.Dice, n.Modified, n.Braces, n.Repeat))
        trays = [self.tray_text(tray, result.body, alone) for tray in self.log]
        parts = [part for part in (*names, *trays) if part]
        return f"{title}: {' | '.join(parts)}" if parts else title
