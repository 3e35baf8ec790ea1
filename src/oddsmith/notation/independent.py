"""What may be worked out by itself, so that names are not drawn together without need.

Parts of a result whose names stand nowhere else are results of their own: in the sum of five
attacks, each with its own roll to hit, no two of these rolls ever have to be looked at together.
And a name that is only held against numbers falls into few cells, however many outcomes it has.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from oddsmith.dist import Dist, mix
from oddsmith.exact.lattice import tidy
from oddsmith.notation import nodes as n
from oddsmith.notation.certain import NotCertain, certain
from oddsmith.open_dist import OpenDist
from oddsmith.outcomes import is_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def apart(
    node: n.Node,
    free: Callable[[n.Node], frozenset[str]],
    outside: frozenset[str] = frozenset(),
) -> dict[int, n.Node]:
    """The largest parts below a node whose names stand nowhere else, by the identity of the node.

    Each becomes a local program without names of its own; see :func:`is_apart`.

    Args:
        node: A result.
        free: The names a node depends on.
        outside: Names that stand elsewhere.

    >>> from oddsmith.notation.parser import parse
    >>> body = parse("let a = d4; let b = d4; a * a + (b * b)").results[0].body
    >>> names = lambda node: frozenset(x.name for x in node.walk() if isinstance(x, n.Name))
    >>> len(apart(body, names))
    2
    """
    found: dict[int, n.Node] = {}
    parts = _parts(node)
    for part in parts:
        others = outside.union(*(free(other) for other in parts if other is not part))
        if free(part) & others or isinstance(node, n.Given):
            found |= apart(part, free, others)
        elif free(part) and not isinstance(part, n.Name):
            found[id(part)] = n.Local(span=part.span, lets=(), body=part)
    return found


def is_apart(node: n.Node) -> bool:
    """Whether a node is a part whose names stand nowhere else."""
    return isinstance(node, n.Local) and not node.lets


def _parts(node: n.Node) -> tuple[n.Node, ...]:
    """The parts whose values are combined, each of them looked at once."""
    if isinstance(node, n.Binary):
        parts, left = [node.right], node.left
        while isinstance(left, n.Binary) and (left.op in "+-") == (node.op in "+-"):
            parts.append(left.right)
            left = left.left
        return (left, *parts)
    if isinstance(node, n.Logic):
        return node.items
    if isinstance(node, n.Compare):
        return node.operands
    if isinstance(node, n.Call):
        return node.args
    if isinstance(node, n.If):
        return node.test, node.yes, node.no
    if isinstance(node, n.Versus):
        return node.left, node.right
    if isinstance(node, n.Given):
        return node.body, node.test
    return (node.body,) if isinstance(node, (n.Unary, n.In)) else ()


def bounds(name: str, places: Iterable[n.Node]) -> list[Any] | None:
    """The numbers a name is held against; None where it is used in another way, too.

    >>> from oddsmith.notation.parser import parse
    >>> places = [parse("let r = d6!; r = 7 or 9 <= r < 12").results[0].body]
    >>> bounds("r", places), bounds("r", [*places, parse("let r = d6; r + 1").results[0].body])
    ([7, 9, 12], None)
    """
    held: list[n.Node] = []
    mentioned = 0
    try:
        for place in places:
            for node in place.walk():
                mentioned += n.is_name(node, name)
                if isinstance(node, n.Compare) and any(n.is_name(x, name) for x in node.operands):
                    held += (x for x in node.operands if not n.is_name(x, name))
                    mentioned -= sum(n.is_name(x, name) for x in node.operands)
                elif isinstance(node, n.In) and n.is_name(node.body, name):
                    held += (end for item in node.items for end in (item.low, item.high) if end)
                    mentioned -= 1
        numbers = {certain(node, {}) for node in held}
    except NotCertain:
        return None
    if mentioned or any(isinstance(x, bool) or not is_number(x) for x in numbers):
        return None
    return sorted(numbers)


def cells(law: Any, ends: list[Any]) -> Any:
    """A number by where it lies: one outcome for each end, and one for each gap between them.

    >>> cells(Dist(range(1, 7)), [2, 3])
    Dist({1: 1, 2: 1, 3: 1, 4: 3})
    """
    if not ends or not (isinstance(law, OpenDist) or (isinstance(law, Dist) and law.is_numeric)):
        return law
    table: dict[Any, Fraction] = {ends[0] - 1: law.less_than(ends[0])}
    for end, after in zip(ends, [*ends[1:], None], strict=True):
        table[end] = law.p(end)
        if after is None:
            table[end + 1] = law.more_than(end)
        else:
            table[tidy(Fraction(end + after) / 2)] = law.less_than(after) - law.at_most(end)
    return mix(table)
