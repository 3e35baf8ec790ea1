"""The syntax tree: what was written, without its layout.

Every node is frozen; ``span`` (start and end in the source) takes no part in equality, so that
``parse(unparse(tree)) == tree``.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Span = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Node:
    """Anything with a place in the source."""

    span: Span = field(default=(0, 0), compare=False, repr=False)

    def children(self) -> Iterator[Node]:
        """The nodes directly below.

        >>> [type(child).__name__ for child in Unary(op="-", body=Name(name="x")).children()]
        ['Name']
        """
        for item in fields(self):
            if item.name != "span":
                yield from _nodes(getattr(self, item.name))

    def walk(self) -> Iterator[Node]:
        """This node and all below it.

        >>> len(list(Unary(op="-", body=Name(name="x")).walk()))
        2
        """
        stack: list[Node] = [self]
        while stack:
            node = stack.pop()
            yield node
            stack += node.children()


def _nodes(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _nodes(part)
    elif is_dataclass(value):
        for item in fields(value):
            yield from _nodes(getattr(value, item.name))


# --- values


@dataclass(frozen=True, kw_only=True)
class Number(Node):
    """A whole number as written."""

    value: int


@dataclass(frozen=True, kw_only=True)
class Text(Node):
    """A text face in quotes."""

    text: str


@dataclass(frozen=True, kw_only=True)
class Name(Node):
    """A bound name, or a text face as a bare word."""

    name: str


# --- dice


@dataclass(frozen=True, kw_only=True)
class Sides(Node):
    """Faces 1 to a number; ``percent`` was written d%."""

    count: Node
    percent: bool = False


@dataclass(frozen=True, kw_only=True)
class Fudge(Node):
    """Faces -1, 0, 1."""


@dataclass(frozen=True, kw_only=True)
class Digits(Node):
    """d66, d666: six-siders read as decimal places."""

    places: int


@dataclass(frozen=True, kw_only=True)
class Item(Node):
    """One entry of a list of faces: a face or a range, with a weight."""

    low: Node
    high: Node | None = None
    weight: Node | None = None


@dataclass(frozen=True, kw_only=True)
class Faces(Node):
    """Faces one by one."""

    items: tuple[Item, ...]


@dataclass(frozen=True, kw_only=True)
class NamedDie(Node):
    """A die from the catalogue."""

    name: str


@dataclass(frozen=True, kw_only=True)
class Dice(Node):
    """A number of like dice; no count means one."""

    count: Node | None
    die: Node


@dataclass(frozen=True, kw_only=True)
class Braces(Node):
    """A pool of totals ``{a, b}``, or of dice ``{a + b}`` when ``flat``."""

    items: tuple[Node, ...]
    flat: bool = False


@dataclass(frozen=True, kw_only=True)
class Repeat(Node):
    """``6x(..)``: independent results side by side."""

    count: Node
    body: Node


# --- modifiers and readings


@dataclass(frozen=True, kw_only=True)
class Cond(Node):
    """Which faces: ``kind`` is =, <>, >=, >, <=, <, +, -, .., in, even, odd or top (highest)."""

    kind: str
    values: tuple[Node, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Keep(Node):
    """kh, kl, dh, dl or mid; ``adv`` and ``dis`` add a second die first."""

    verb: str
    count: Node | None = None


@dataclass(frozen=True, kw_only=True)
class Reroll(Node):
    """Roll again: once, or until nothing fits."""

    conds: tuple[Cond, ...]
    until: bool = False


@dataclass(frozen=True, kw_only=True)
class Burst(Node):
    """Explode: ``mark`` is !, !!, !p or !!p."""

    mark: str
    conds: tuple[Cond, ...] = ()
    limit: Node | None = None


@dataclass(frozen=True, kw_only=True)
class Bound(Node):
    """min or max on each die."""

    verb: str
    value: Node


@dataclass(frozen=True, kw_only=True)
class Extra(Node):
    """``x6:3``: a matching die with that face counts three times."""

    cond: Cond
    times: Node | None = None


@dataclass(frozen=True, kw_only=True)
class Term(Node):
    """Dice that fit, some of which count more than once."""

    cond: Cond | None
    extras: tuple[Extra, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Count(Node):
    """Successes: terms that add, dice that subtract, and a floor."""

    terms: tuple[Term, ...] = ()
    minus: tuple[Cond, ...] = ()
    floor: Node | None = None


@dataclass(frozen=True, kw_only=True)
class Read(Node):
    """Another reading of the pool, such as ``highest`` or ``longest run``."""

    what: str


Modifier = Keep | Reroll | Burst | Bound | Count | Read


@dataclass(frozen=True, kw_only=True)
class Modified(Node):
    """Dice with modifiers, in the order they act."""

    body: Node
    modifiers: tuple[Modifier, ...]


# --- arithmetic and questions


@dataclass(frozen=True, kw_only=True)
class Unary(Node):
    """Minus or not."""

    op: str
    body: Node


@dataclass(frozen=True, kw_only=True)
class Binary(Node):
    """+ - * / // on numbers."""

    op: str
    left: Node
    right: Node


@dataclass(frozen=True, kw_only=True)
class Call(Node):
    """A function of numbers."""

    name: str
    args: tuple[Node, ...]


@dataclass(frozen=True, kw_only=True)
class Compare(Node):
    """A chain of comparisons: one operator fewer than operands."""

    operands: tuple[Node, ...]
    ops: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class In(Node):
    """Whether a result is one of several faces."""

    body: Node
    items: tuple[Item, ...]


@dataclass(frozen=True, kw_only=True)
class Logic(Node):
    """and, or."""

    op: str
    items: tuple[Node, ...]


@dataclass(frozen=True, kw_only=True)
class If(Node):
    """One thing or another."""

    test: Node
    yes: Node
    no: Node


@dataclass(frozen=True, kw_only=True)
class Versus(Node):
    """Two sides of a contest."""

    left: Node
    right: Node


@dataclass(frozen=True, kw_only=True)
class Given(Node):
    """A result once a condition is known to hold."""

    body: Node
    test: Node


@dataclass(frozen=True, kw_only=True)
class Let(Node):
    """A name for one roll."""

    name: str
    value: Node


@dataclass(frozen=True, kw_only=True)
class Result(Node):
    """One result of a program, with its label."""

    body: Node
    label: str | None = None


@dataclass(frozen=True, kw_only=True)
class Program(Node):
    """Bindings, then results side by side."""

    lets: tuple[Let, ...]
    results: tuple[Result, ...]
