"""The second evaluator: the same syntax tree, rolled instead of worked out.

It reads the tree by itself and shares nothing with the exact evaluator but the tree, so that many
rolls are a check of the exact answers.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, trunc
from typing import TYPE_CHECKING, Any, TypeVar

from oddsmith.dice import CATALOGUE
from oddsmith.notation import mends, words
from oddsmith.notation import nodes as n
from oddsmith.notation.certain import is_too_long
from oddsmith.notation.cup import Cup
from oddsmith.notation.faces import folded
from oddsmith.notation.hand import Hand
from oddsmith.notation.tally import tidy
from oddsmith.notation.tray import inside, number, rank

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.random import Generator

    from oddsmith.notation.tray import Outcome, Tray

T = TypeVar("T")

MOST_TRIES = 100_000
"""Rolls until a condition must have held."""

COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "<>": operator.ne, ">=": operator.ge,
    ">": operator.gt, "<=": operator.le, "<": operator.lt,
}  # fmt: skip
ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "/": Fraction, "//": operator.floordiv, "^": operator.pow,
}  # fmt: skip
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "max": max, "min": min, "abs": abs, "floor": floor, "ceil": ceil, "trunc": trunc,
    "round": lambda x: floor(x + Fraction(1, 2)) if x >= 0 else -floor(-x + Fraction(1, 2)),
    "half_up": lambda x: ceil(Fraction(x) / 2),
}  # fmt: skip


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

    def text(self) -> str:
        """What it came to, and its dice."""
        if self.value is None:
            return " | ".join(tray.text() for tray in self.log)
        return f"{self.value}{inside(self.value, self.log)}"


class Roller(Hand):
    """One program; ``env`` holds what the names have come to in this roll.

    Args:
        program: The syntax tree.
        source: The text it came from, for errors.
        rng: Where the random numbers come from.

    >>> import numpy as np
    >>> from oddsmith.notation.parser import parse
    >>> text = "let x = 3d1; x + x"
    >>> Roller(parse(text), text, np.random.default_rng()).once()
    (6,)
    """

    def __init__(self, program: n.Program, source: str, rng: Generator) -> None:
        self.source, self.cup, self.program = source, Cup(rng), program
        self.lets: dict[str, n.Node] = {}
        self.env: dict[str, Named] = {}
        self.log: list[Tray] = []
        self.known: dict[Any, Any] = {}
        self.names: dict[int, frozenset[str]] = {}
        self.sides = ""
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
        if not is_question(node.test):
            self.truth(node.test)
        if not self.free(node.body) & self.free(node.test):
            self.fail(
                node,
                "the two sides of given are different rolls, so nothing is known of the first",
                mends.given(node),
            )

    def free(self, node: n.Node) -> frozenset[str]:
        """The bound names a node depends on, through other names too."""
        key = id(node)
        if key not in self.names:
            own = {part.name.lower() for part in node.walk() if isinstance(part, n.Name)}
            found = own & self.lets.keys()
            self.names[key] = frozenset(found).union(*(self.free(self.lets[x]) for x in found))
        return self.names[key]

    # --- rolls

    def once(self) -> tuple[Outcome, ...]:
        """Roll all results once."""
        return tuple(outcome for _, outcome in self.each())

    def shown(self) -> list[tuple[str, str]]:
        """Roll all results once; for each the outcome and the rest of its line."""
        return [(_first(outcome), self.line(result)) for result, outcome in self.each()]

    def each(self) -> Iterator[tuple[n.Result, Outcome]]:
        """All results of one roll; the names are the same in all but those with a condition."""
        shared: dict[str, Named] = {}
        for result in self.program.results:
            body = result.body
            self.env = {} if isinstance(body, n.Given) else shared
            self.log = []
            yield result, self.guarded(body, lambda b=body: self.result(b))  # type: ignore[misc]

    def result(self, node: n.Node) -> Outcome:
        """The outcome of one result."""
        if isinstance(node, n.Given):
            return self.given(node)
        if isinstance(node, n.Versus):
            left, right = (self.figure_of(side) for side in (node.left, node.right))
            self.sides = f"{left} to {right}"
            return "win" if left > right else "lose" if left < right else "tie"
        return self.truth(node) if is_question(node) else self.value(node)

    def given(self, node: n.Given) -> Outcome:
        """Roll until the condition holds."""
        for _ in range(MOST_TRIES):
            self.env.clear()
            self.log.clear()
            if self.truth(node.test):
                return self.result(node.body)
        self.fail(
            node.test,
            f"the condition did not hold once in {MOST_TRIES:,} rolls; perhaps it never can",
            "ask for something that can happen",
        )

    # --- names

    def named(self, name: str) -> Named:
        """What a name has come to in this roll; it is rolled when first met."""
        if name not in self.env:
            node = self.lets[name]
            outer, self.log = self.log, []
            if self.is_pool(node):
                tray = self.guarded(node, lambda: self.tray(node))
                self.env[name] = Named(None, tray, [tray])
            else:
                self.env[name] = Named(self.value(node), None, self.log)
            self.log = outer
        return self.env[name]

    def named_tray(self, name: str) -> Tray | None:
        """The dice of a name, where it stands for dice."""
        return self.named(name).tray if name in self.lets else None

    def name_value(self, node: n.Name) -> Outcome:
        name = node.name.lower()
        if name not in self.lets:
            source = self.source if len(name) > 1 else ""
            hint = (
                words.meant(name, tuple(self.lets), source)
                or f"bind it first: let {node.name} = d20"
            )
            self.fail(node, f"{node.name} is not known", hint)
        named = self.named(name)
        if named.value is None:
            assert named.tray is not None
            named.value = self.guarded(node, named.tray.sum)
        return named.value

    # --- numbers

    def value(self, node: n.Node) -> Outcome:
        """A number or a text; a question counts 1 or 0."""
        if isinstance(node, n.Number):
            return node.value
        if isinstance(node, n.Name):
            return self.name_value(node)
        if self.is_pool(node):
            return self.added(node)
        if isinstance(node, n.Modified):
            return self.read_out(node)
        if isinstance(node, n.Binary):
            return self.binary(node)
        return self.other_value(node)

    def other_value(self, node: n.Node) -> Outcome:
        if isinstance(node, n.Text):
            return node.text
        if isinstance(node, n.Unary) and node.op == "-":
            return -self.figure_of(node.body)
        if isinstance(node, n.Call):
            found = [self.figure_of(arg) for arg in node.args]
            return tidy(FUNCTIONS[node.name](*found))
        if is_question(node):
            return int(self.truth(node))
        if isinstance(node, n.If):
            return self.value(node.yes if self.truth(node.test) else node.no)
        if isinstance(node, n.Local) and not isinstance(node.body, n.Versus):
            return self.local(node, self.value)
        self.fail(
            node, "this can only stand at the outside of a result", "take it out of the brackets"
        )

    def figure_of(self, node: n.Node) -> int | Fraction:
        """A value that must be a number."""
        value = self.value(node)
        return self.guarded(node, lambda: number(value)) if isinstance(value, str) else value

    def binary(self, node: n.Binary) -> int | Fraction:
        """A chain such as a + b - c, from the left; it may be long."""
        links = [node]
        while isinstance(links[-1].left, n.Binary):
            links.append(links[-1].left)
        total = self.figure_of(links[-1].left)
        for link in reversed(links):
            right = self.figure_of(link.right)
            if link.op in ("/", "//") and not right:
                self.fail(link.right, "the divisor is 0", "divide by something that is never 0")
            if link.op == "^" and is_too_long(total, self.whole(link.right, "a power", 0)):
                self.fail(link, "this power has thousands of digits", "use a smaller one")
            total = tidy(ARITHMETIC[link.op](total, right))
        return total

    def local(self, node: n.Local, look: Callable[[n.Node], T]) -> T:
        """What comes out of names that are rolled here and forgotten afterwards."""
        outer, self.lets = self.lets, {**self.lets, **{x.name: x.value for x in node.lets}}
        try:
            return look(node.body)
        finally:
            self.lets = outer
            for let in node.lets:
                named = self.env.pop(let.name, None)
                self.log += named.log if named else []

    # --- questions

    def truth(self, node: n.Node) -> bool:
        """Whether something holds in this roll; all parts are rolled."""
        if isinstance(node, n.Compare):
            return self.comparison(node)
        if isinstance(node, n.In):
            match = self.lasting(("in", id(node)), node, lambda: self.among(node.items))
            return match(self.value(node.body))
        if isinstance(node, n.Logic):
            found = [self.truth(item) for item in node.items]
            return all(found) if node.op == "and" else any(found)
        if isinstance(node, n.Unary) and node.op == "not":
            return not self.truth(node.body)
        if isinstance(node, n.If):
            return self.truth(node.yes if self.truth(node.test) else node.no)
        if isinstance(node, n.Local):
            return self.local(node, self.truth)
        self.fail(
            node, "this is a number, not a question", "compare it with something, such as >= 5"
        )

    def comparison(self, node: n.Compare) -> bool:
        """A chain such as a <= b < c; each operand is one roll."""
        sides = list(map(self.word, node.operands))
        if len(sides) != 2 or None not in sides:
            sides = [None] * len(sides)
        values = [
            self.value(operand) if side is None else side
            for side, operand in zip(sides, node.operands, strict=True)
        ]
        links = zip(node.ops, values, values[1:], strict=False)
        return all(self.holds(node, op, left, right) for op, left, right in links)

    def word(self, node: n.Node) -> str | None:
        """The text face that a bare word names, if it does."""
        if isinstance(node, n.Name) and node.name.lower() not in self.lets:
            return node.name if node.name.lower() in self.words else None
        return None

    def holds(self, node: n.Node, op: str, left: Outcome, right: Outcome) -> bool:
        if isinstance(left, str) or isinstance(right, str):
            if op not in ("=", "<>"):
                self.guarded(node, lambda: (number(left), number(right)))
            left, right = folded(left), folded(right)
        return COMPARE[op](left, right)

    # --- lines

    def line(self, result: n.Result) -> str:
        """What was rolled, and what the dice showed."""
        body = result.body
        start, end = body.span
        title = result.label or " ".join(self.source[start:end].split())
        parts = [self.sides] if _is_contest(body) else []
        used = [name for name in self.lets if name in self.free(body) and name in self.env]
        parts += [f"{name} = {self.env[name].text()}" for name in used if self.env[name].log]
        if isinstance(body, n.Repeat):
            self.log[-1].dice.sort(key=lambda die: rank(die.value), reverse=True)
        alone = self.is_pool(body) or isinstance(body, n.Modified)
        parts += [_tray_text(tray, alone) for tray in self.log]
        return f"{title}: {' | '.join(parts)}" if parts else title


def is_question(node: n.Node) -> bool:
    """Whether a node is answered by yes or no.

    >>> from oddsmith.notation.parser import parse
    >>> is_question(parse("not d6 = 1").results[0].body)
    True
    """
    if isinstance(node, n.If):
        return is_question(node.yes) and is_question(node.no)
    if isinstance(node, n.Local):
        return is_question(node.body)
    negated = isinstance(node, n.Unary) and node.op == "not"
    return negated or isinstance(node, (n.Compare, n.In, n.Logic))


def _is_contest(node: n.Node) -> bool:
    return isinstance(node.body if isinstance(node, n.Given) else node, n.Versus)


def _words(program: n.Program) -> set[str]:
    """Every text that is a face of some die of the program, in lower case."""
    found: set[str] = set()
    for node in program.walk():
        if isinstance(node, n.NamedDie):
            found |= {face.lower() for face in CATALOGUE[node.name] if isinstance(face, str)}
        if isinstance(node, n.Faces):
            faces = [item.low for item in node.items]
            found |= {face.name.lower() for face in faces if isinstance(face, n.Name)}
            found |= {face.text.lower() for face in faces if isinstance(face, n.Text)}
    return found


def _first(outcome: Outcome) -> str:
    """The outcome at the start of a line."""
    return {True: "yes", False: "no"}[outcome] if isinstance(outcome, bool) else str(outcome)


def _tray_text(tray: Tray, alone: bool) -> str:
    """Dice, and what they came to where the result does not say that already."""
    text = tray.text()
    silent = alone or tray.total is None or text == str(tray.total)
    return text if silent else f"{text} = {tray.total}"
