"""The syntax tree of a program; every node knows its place."""

from __future__ import annotations

from oddsmith.record import Record

Span = tuple[int, int]


class Number(Record):
    """A whole number."""

    value: int
    span: Span


class Variable(Record):
    """A variable."""

    name: str
    span: Span


class Part(Record):
    """A part of a sequence: a value, a range, repeated or not."""

    low: Node
    high: Node | None
    times: Node | None
    span: Span


class Sequence(Record):
    """``{1, 2..4, 5:3}``."""

    parts: tuple[Part, ...]
    span: Span


class Unary(Record):
    """A sign in front."""

    op: str
    body: Node
    span: Span


class Binary(Record):
    """Two sides of an operator."""

    op: str
    left: Node
    right: Node
    span: Span


class Call(Record):
    """``[highest 3 of 4d6]``: the shape of the name and its arguments."""

    shape: str
    args: tuple[Node, ...]
    span: Span


class Assign(Record):
    """``X: 3d6``."""

    name: str
    value: Node
    span: Span


class If(Record):
    """A condition with its blocks."""

    test: Node
    yes: tuple[Node, ...]
    no: tuple[Node, ...]
    span: Span


class Loop(Record):
    """``loop V over S``."""

    name: str
    over: Node
    body: tuple[Node, ...]
    span: Span


class Function(Record):
    """A definition: shape, parameters with their types, body."""

    shape: str
    params: tuple[tuple[str, str], ...]
    body: tuple[Node, ...]
    span: Span


class Result(Record):
    """``result:``."""

    value: Node
    span: Span


class Output(Record):
    """``output .. named ..``."""

    value: Node
    name: str | None
    span: Span


class Set(Record):
    """``set .. to ..``."""

    setting: str
    value: Node | str
    span: Span


class Given(Record):
    """An argument where the body of a function stands in the place of its call.

    No program has it. The value has to be one that makes no cases.
    """

    kind: str
    value: Node
    span: Span


Node = (
    Number | Variable | Sequence | Unary | Binary | Call
    | Given | Assign | If | Loop | Function | Result | Output | Set
)  # fmt: skip
"""A value or a statement."""
