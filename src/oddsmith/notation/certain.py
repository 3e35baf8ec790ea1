"""Trees in which nothing is left to roll: plain arithmetic on the outcomes of the names.

A program with several names is evaluated once for every joint outcome; most of its nodes are then
certain, and are worked out here without any distribution.
"""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from oddsmith.exact.lattice import tidy
from oddsmith.notation import nodes as n

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
}
ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda a, b: Fraction(a) / b,
    "//": operator.floordiv,
    "^": operator.pow,
}
MOST_POWER = 1_000
MOST_BITS = 10_000
"""A power has at most so many bits above or below its fraction bar: some 3,000 digits."""


def is_too_long(base: Any, times: int) -> bool:
    """Whether a power is past the limits, told without working it out.

    >>> is_too_long(Fraction(364, 365), 253), is_too_long(10**40, 100)
    (False, True)
    """
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    return times > MOST_POWER or bool(times * bits > MOST_BITS)


def half_away(x: Any) -> int:
    """Rounded to the nearest whole number, halves away from 0.

    >>> half_away(Fraction(-5, 2))
    -3
    """
    return int((abs(x) + Fraction(1, 2)) // 1) * (1 if x >= 0 else -1)


ROUNDINGS: dict[str, Callable[[Any], Any]] = {
    "floor": lambda x: x // 1,
    "ceil": lambda x: -(-x // 1),
    "round": half_away,
    "trunc": lambda x: abs(x) // 1 * (1 if x >= 0 else -1),
    "abs": abs,
    "half_up": lambda x: -(-Fraction(x) / 2 // 1),
}


class NotCertain(Exception):
    """Something is still to be rolled, or needs an error with its place."""


def certain(node: n.Node, env: Mapping[str, Any]) -> Any:
    """The number, or the truth value, of a tree without rolls.

    Args:
        node: The tree.
        env: The outcomes of the names.

    Raises:
        NotCertain: Where it holds a roll, a word, or anything that needs the full evaluator.

    >>> from oddsmith.notation.parser import parse
    >>> certain(parse("let x = d6; x + 1 >= 5").results[0].body, {"x": 4})
    True
    """
    rule = RULES.get(type(node))
    if rule is None:
        raise NotCertain
    return rule(node, env)


def _number(node: n.Node, env: Mapping[str, Any]) -> Any:
    value = certain(node, env)
    if isinstance(value, (bool, str, tuple)):
        raise NotCertain
    return value


def _name(node: n.Name, env: Mapping[str, Any]) -> Any:
    value = env.get(node.name.lower())
    if value is None or isinstance(value, (tuple, str)):
        raise NotCertain
    return value


def _unary(node: n.Unary, env: Mapping[str, Any]) -> Any:
    if node.op == "not":
        return not _truth(node.body, env)
    return -_number(node.body, env)


def _truth(node: n.Node, env: Mapping[str, Any]) -> bool:
    value = certain(node, env)
    if not isinstance(value, bool):
        raise NotCertain
    return value


def _binary(node: n.Binary, env: Mapping[str, Any]) -> Any:
    left, right = _number(node.left, env), _number(node.right, env)
    if node.op in ("/", "//") and not right:
        raise NotCertain
    if node.op == "^" and (right not in range(MOST_POWER + 1) or is_too_long(left, right)):
        raise NotCertain
    return tidy(ARITHMETIC[node.op](left, right))


def _call(node: n.Call, env: Mapping[str, Any]) -> Any:
    values = [_number(arg, env) for arg in node.args]
    if node.name in ("max", "min"):
        return max(values) if node.name == "max" else min(values)
    return tidy(ROUNDINGS[node.name](values[0]))


def _compare(node: n.Compare, env: Mapping[str, Any]) -> bool:
    values = [_number(operand, env) for operand in node.operands]
    return all(COMPARE[op](a, b) for op, a, b in zip(node.ops, values, values[1:], strict=False))


def _logic(node: n.Logic, env: Mapping[str, Any]) -> bool:
    found = (_truth(item, env) for item in node.items)
    return all(found) if node.op == "and" else any(found)


def _if(node: n.If, env: Mapping[str, Any]) -> Any:
    return certain(node.yes if _truth(node.test, env) else node.no, env)


RULES: dict[type, Callable[[Any, Mapping[str, Any]], Any]] = {
    n.Number: lambda node, _: node.value,
    n.Name: _name,
    n.Unary: _unary,
    n.Binary: _binary,
    n.Call: _call,
    n.Compare: _compare,
    n.Logic: _logic,
    n.If: _if,
}
