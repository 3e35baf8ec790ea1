"""The specification tree: what a roll is, as plain frozen dataclasses.

`notation.text` prints a tree the way a player would type it, `enumerate.answers` walks its rolls.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

Number = int | Fraction


@dataclass(frozen=True)
class Node:
    """Anything that has a value: a number, a text face, or a truth."""


@dataclass(frozen=True)
class Const(Node):
    """A whole number, zero or more."""

    value: int


@dataclass(frozen=True)
class Word(Node):
    """A text face, to compare with."""

    word: str


@dataclass(frozen=True)
class Name(Node):
    """A name bound by `let`: one roll, wherever it is used."""

    name: str


@dataclass(frozen=True)
class Die:
    """One die: how it is written, and its faces with weights."""

    text: str
    faces: tuple[tuple[int | str, int], ...]


def numbered(sides: int) -> Die:
    """The die d1..d(sides)."""
    return Die(f"d{sides}", tuple((face, 1) for face in range(1, sides + 1)))


def listed(*faces: int | str | tuple[int | str, int]) -> Die:
    """A die with listed faces; a pair is a face and its weight."""
    pairs = [face if isinstance(face, tuple) else (face, 1) for face in faces]
    inside = ", ".join(str(face) if weight == 1 else f"{face}:{weight}" for face, weight in pairs)
    return Die("d{" + inside + "}", tuple(pairs))


def _d66_faces() -> tuple[tuple[int | str, int], ...]:
    return tuple((10 * tens + ones, 1) for tens in range(1, 7) for ones in range(1, 7))


FATE = Die("dF", ((-1, 1), (0, 1), (1, 1)))
PERCENT = Die("d%", tuple((face, 1) for face in range(1, 101)))
COIN = Die("coin", ((0, 1), (1, 1)))
D66 = Die("d66", _d66_faces())
SIDES_66 = Die("d(66)", tuple((face, 1) for face in range(1, 67)))
ARTILLERY = Die("artillery", ((2, 1), (4, 1), (6, 1), (8, 1), (10, 1), ("Misfire", 1)))
SCATTER = Die("scatter", (("Hit", 2), ("n", 1), ("e", 1), ("s", 1), ("w", 1)))


@dataclass(frozen=True)
class Dice:
    """`3d6`, or `(expr)d6` when the count is itself a node."""

    count: int | Node
    die: Die


@dataclass(frozen=True)
class Mixed:
    """`{a, b}`: each member is the total of one expression."""

    members: tuple[Node, ...]


@dataclass(frozen=True)
class Flat:
    """`{2d4+d6}`: all the dice in one pool."""

    parts: tuple[Dice, ...]


@dataclass(frozen=True)
class Repeat:
    """`2x(expr)`: independent totals of the same expression."""

    times: int
    inner: Node


@dataclass(frozen=True)
class Advantage:
    """`d20 adv`, `d20 dis`."""

    die: Die
    better: bool = True


Source = Dice | Mixed | Flat | Repeat | Advantage
Item = int | str | tuple[int, int] | Node


@dataclass(frozen=True)
class Cond:
    """A condition on one die.

    `op` is one of = <> >= > <= < bare plus minus range set in even odd. Items are numbers, text
    faces, expressions in parentheses, or (low, high) ranges inside a set.
    """

    op: str
    items: tuple[Item, ...] = ()


def cond(op: str, *items: Item) -> Cond:
    """Short form of Cond."""
    return Cond(op, items)


def face_is(number: int) -> Cond:
    """A bare number."""
    return Cond("bare", (number,))


@dataclass(frozen=True)
class Reroll:
    """`r1r2` (once) or `rr1rr2` (until); adjacent conditions are joined."""

    conds: tuple[Cond, ...]
    until: bool = False
    word: str = ""


@dataclass(frozen=True)
class Clamp:
    """`min2`, `max5`."""

    kind: str
    bound: int | Node
    word: str = ""


@dataclass(frozen=True)
class Explode:
    """`!`, `!!` or `!p`, with a trigger and a limit if there are any."""

    mode: str = "!"
    trigger: Cond | None = None
    limit: int | None = None
    word: str = ""


@dataclass(frozen=True)
class Keep:
    """`kh3`, `kl1`, `dh1`, `dl1`, `mid2`, `k3`."""

    kind: str = "kh"
    number: int | Node | None = None


Step = Reroll | Clamp | Explode | Keep


READINGS = (
    "sum",
    "highest",
    "lowest",
    "median",
    "product",
    "count",
    "sets",
    "pairs",
    "highest set",
    "largest set",
    "longest run",
    "unique",
)


@dataclass(frozen=True)
class Pool(Node):
    """Dice and what is done to them, read by `reading` ("" is the plain total)."""

    source: Source
    steps: tuple[Step, ...] = ()
    reading: str = ""


@dataclass(frozen=True)
class Term:
    """One `c`, with the faces that count more than once, or one `-c`."""

    cond: Cond | None = None
    extra: tuple[tuple[int, int], ...] = ()
    minus: bool = False
    word: str = ""


@dataclass(frozen=True)
class Count(Node):
    """The number of matching dice of a pool.

    `written_after` is the number of steps written before the count; the others are written
    behind it although they act first.
    """

    pool: Pool
    terms: tuple[Term, ...] = (Term(),)
    floor0: bool = False
    written_after: int | None = None


@dataclass(frozen=True)
class Neg(Node):
    """Unary minus."""

    inner: Node


@dataclass(frozen=True)
class BinOp(Node):
    """+ - * / //"""

    op: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Call(Node):
    """ceil floor round trunc abs half_up max min"""

    function: str
    args: tuple[Node, ...]


@dataclass(frozen=True)
class Compare(Node):
    """A comparison, or a chain of them when there are more than two operands."""

    operands: tuple[Node, ...]
    ops: tuple[str, ...]


def compare(left: Node, op: str, right: Node) -> Compare:
    """Short form for one comparison."""
    return Compare((left, right), (op,))


@dataclass(frozen=True)
class In(Node):
    """`expr in {1, 3..5}`"""

    inner: Node
    items: tuple[Item, ...]


@dataclass(frozen=True)
class And(Node):
    """Both."""

    left: Node
    right: Node


@dataclass(frozen=True)
class Or(Node):
    """Either."""

    left: Node
    right: Node


@dataclass(frozen=True)
class Not(Node):
    """The opposite."""

    inner: Node


@dataclass(frozen=True)
class IfThen(Node):
    """`if c then a else b`"""

    test: Node
    yes: Node
    no: Node


@dataclass(frozen=True)
class Given:
    """`x given cond`, a whole result."""

    inner: Node
    test: Node


@dataclass(frozen=True)
class Versus:
    """`a vs b`, a whole result."""

    left: Node
    right: Node


Result = Node | Given | Versus


@dataclass(frozen=True)
class Let:
    """`let name = expr`"""

    name: str
    expr: Node


@dataclass(frozen=True)
class Labelled:
    """`"label": expr`"""

    label: str
    result: Result


@dataclass(frozen=True)
class Program:
    """Bindings, then a list of results."""

    lets: tuple[Let, ...]
    results: tuple[Result | Labelled, ...]


Spec = Result | Program
