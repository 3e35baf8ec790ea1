"""The syntax tree: what was written, without its layout.

Every node is frozen; ``span`` (start and end in the source) takes no part in equality, so that
``parse(unparse(tree)) == tree``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, dataclass_transform

from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Span = tuple[int, int]


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Node(Record):
    """Anything with a place in the source."""

    span: Span = (0, 0)

    def children(self) -> Iterator[Node]:
        """The nodes directly below.

        >>> [type(child).__name__ for child in Unary(op="-", body=Name(name="x")).children()]
        ['Name']
        """
        for name in self._fields:
            yield from _nodes(getattr(self, name))

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


def is_name(node: object, name: str) -> bool:
    """Whether a node is a bound name, in any case of its letters."""
    return isinstance(node, Name) and node.name.lower() == name


def replaced(value: Any, table: Mapping[int, Node]) -> Any:
    """A tree with some of its nodes replaced.

    Args:
        value: The tree.
        table: The new nodes by the identity (``id``) of the old ones.
    """
    if id(value) in table:
        return table[id(value)]
    if isinstance(value, tuple):
        return tuple(replaced(part, table) for part in value)
    if not isinstance(value, Node):
        return value
    return value.but(**{name: replaced(getattr(value, name), table) for name in value._fields})


def _nodes(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _nodes(part)


# --- values


class Number(Node):
    """A whole number as written."""

    value: int


class Text(Node):
    """A text face in quotes."""

    text: str


class Name(Node):
    """A bound name, or a text face as a bare word."""

    name: str


# --- dice


class Sides(Node):
    """Faces 1 to a number; ``percent`` was written d%."""

    count: Node
    percent: bool = False


class Fudge(Node):
    """Faces -1, 0, 1."""


class Digits(Node):
    """d66, d666: six-siders read as decimal places."""

    places: int


class Item(Node):
    """One entry of a list of faces: a face or a range, with a weight."""

    low: Node
    high: Node | None = None
    weight: Node | None = None


class Faces(Node):
    """Faces one by one."""

    items: tuple[Item, ...]


class NamedDie(Node):
    """A die from the catalogue."""

    name: str


class Dice(Node):
    """A number of like dice; no count means one."""

    count: Node | None
    die: Node


class Braces(Node):
    """A pool of totals ``{a, b}``, or of dice ``{a + b}`` when ``flat``."""

    items: tuple[Node, ...]
    flat: bool = False


class Repeat(Node):
    """``6x(..)``: independent results side by side."""

    count: Node
    body: Node


# --- modifiers and readings


class Cond(Node):
    """Which faces: ``kind`` is =, <>, >=, >, <=, <, +, -, .., in, even, odd or top (highest)."""

    kind: str
    values: tuple[Node, ...] = ()


class Keep(Node):
    """kh, kl, dh, dl or mid; ``adv`` and ``dis`` add a second die first."""

    verb: str
    count: Node | None = None


class Reroll(Node):
    """Roll again: once, or until nothing fits."""

    conds: tuple[Cond, ...]
    until: bool = False


class Burst(Node):
    """Explode: ``mark`` is !, !!, !p or !!p."""

    mark: str
    conds: tuple[Cond, ...] = ()
    limit: Node | None = None


class Bound(Node):
    """min or max on each die."""

    verb: str
    value: Node


class Extra(Node):
    """``x6:3``: a matching die with that face counts three times."""

    cond: Cond
    times: Node | None = None


class Term(Node):
    """Dice that fit, some of which count more than once."""

    cond: Cond | None
    extras: tuple[Extra, ...] = ()


class Count(Node):
    """Successes: terms that add, dice that subtract, and a floor."""

    terms: tuple[Term, ...] = ()
    minus: tuple[Cond, ...] = ()
    floor: Node | None = None


class Read(Node):
    """Another reading of the pool, such as ``highest`` or ``longest run``."""

    what: str


Modifier = Keep | Reroll | Burst | Bound | Count | Read


class Modified(Node):
    """Dice with modifiers, in the order they act."""

    body: Node
    modifiers: tuple[Modifier, ...]


# --- arithmetic and questions


class Unary(Node):
    """Minus or not."""

    op: str
    body: Node


class Binary(Node):
    """+ - * / // on numbers."""

    op: str
    left: Node
    right: Node


class Call(Node):
    """A function of numbers."""

    name: str
    args: tuple[Node, ...]


class Compare(Node):
    """A chain of comparisons: one operator fewer than operands."""

    operands: tuple[Node, ...]
    ops: tuple[str, ...]


class In(Node):
    """Whether a result is one of several faces."""

    body: Node
    items: tuple[Item, ...]


class Logic(Node):
    """and, or."""

    op: str
    items: tuple[Node, ...]


class If(Node):
    """One thing or another."""

    test: Node
    yes: Node
    no: Node


class Versus(Node):
    """Two sides of a contest."""

    left: Node
    right: Node


class Given(Node):
    """A result once a condition is known to hold."""

    body: Node
    test: Node


class Let(Node):
    """A name for one roll."""

    name: str
    value: Node


class Local(Node):
    """Names for rolls that are made anew wherever this stands: ``(let a = d20; a + a)``."""

    lets: tuple[Let, ...]
    body: Node


class Result(Node):
    """One result of a program, with its label."""

    body: Node
    label: str | None = None


class Program(Node):
    """Bindings, then results side by side."""

    lets: tuple[Let, ...]
    results: tuple[Result, ...]
