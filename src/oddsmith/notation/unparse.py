"""A syntax tree to its canonical text: ``parse(unparse(tree)) == tree``."""

from __future__ import annotations

from oddsmith.notation import nodes as n
from oddsmith.notation.parser import POWERS

POSTFIX, TIGHT = 90, 100


def unparse(node: n.Node) -> str:
    """The canonical text of a program or any part of it.

    >>> from oddsmith.notation.parser import parse
    >>> unparse(parse("4D6 keep highest 3>=15"))
    '4d6kh3 >= 15'
    """
    if isinstance(node, n.Program):
        lets = _lets(node.lets)
        results = [
            (f"{quoted(r.label)}: " if r.label is not None else "") + unparse(r.body)
            for r in node.results
        ]
        return "; ".join([*lets, ", ".join(results)])
    return _written(node)[0]


def _at(node: n.Node, power: int) -> str:
    """The text of an operand, in brackets when it binds looser than its place."""
    text, own = _written(node)
    return text if own >= power else f"({text})"


def _written(node: n.Node) -> tuple[str, int]:
    """Text and binding power."""
    if isinstance(node, n.Number):
        return str(node.value), TIGHT
    if isinstance(node, n.Text):
        return quoted(node.text), TIGHT
    if isinstance(node, n.Name):
        return node.name, TIGHT
    if isinstance(node, n.Dice):
        count = _at(node.count, TIGHT) if node.count else ""
        if node.count and not isinstance(node.count, n.Number):
            count = f"({_written(node.count)[0]})"
        if count and isinstance(node.die, n.NamedDie):
            count += " "
        return count + die(node.die), POSTFIX
    if isinstance(node, n.Braces):
        return "{" + (" + " if node.flat else ", ").join(
            _at(x, 51 if node.flat else 0) for x in node.items
        ) + "}", TIGHT
    if isinstance(node, n.Repeat):
        body = unparse(node.body)
        once = body if isinstance(node.body, n.Local) else f"({body})"
        return f"{_value(node.count)}x{once}", POSTFIX
    if isinstance(node, n.Modified):
        body = _at(node.body, POSTFIX)
        if isinstance(node.body, n.Modified):
            body = f"({body})"
        rest = ""
        for part in map(modifier, node.modifiers):
            rest += " " + part if rest.endswith("!") and part.startswith("!") else part
        gap = " " if (body[-1].isalpha() or body[-1] == "_") and rest[0].isalpha() else ""
        return body + gap + rest, POSTFIX
    return _operators(node)


def _operators(node: n.Node) -> tuple[str, int]:
    if isinstance(node, n.Unary):
        power = 70 if node.op == "-" else 30
        return ("-" if node.op == "-" else "not ") + _at(node.body, power + 1), power
    if isinstance(node, n.Binary):
        power = POWERS[node.op]
        right = _at(node.right, power + 1)
        if node.op == "-" and isinstance(node.right, n.Name) and len(right) < 3:
            right = f"({right})"
        left = _at(node.left, power + (node.op == "^"))
        return f"{_closed(left)} {node.op} {right}", power
    if isinstance(node, n.Call):
        return f"{node.name}({', '.join(map(unparse, node.args))})", TIGHT
    if isinstance(node, n.Compare):
        first = _at(node.operands[0], 41)
        parts = [_closed(first)]
        for op, operand in zip(node.ops, node.operands[1:], strict=True):
            parts += [op, _at(operand, 41)]
        return " ".join(parts), 40
    if isinstance(node, n.In):
        body = _closed(_at(node.body, 41))
        if isinstance(node.body, n.Modified) and body[-1] in "!c":
            body = f"({body})"
        return f"{body} in {faces(node.items)}", 40
    if isinstance(node, n.Logic):
        power = POWERS[node.op]
        return f" {node.op} ".join(_at(item, power + 1) for item in node.items), power
    if isinstance(node, n.If):
        return f"if {unparse(node.test)} then {unparse(node.yes)} else {unparse(node.no)}", 0
    if isinstance(node, n.Local):
        return f"({'; '.join([*_lets(node.lets), unparse(node.body)])})", TIGHT
    if isinstance(node, n.Versus):
        return f"{_at(node.left, 6)} vs {_at(node.right, 6)}", 5
    assert isinstance(node, n.Given)
    return f"{_at(node.body, 5)} given {_at(node.test, 6)}", 5


def _lets(lets: tuple[n.Let, ...]) -> list[str]:
    return [f"let {let.name} = {unparse(let.value)}" for let in lets]


def quoted(text: str) -> str:
    """Text in the quotes that it does not hold itself.

    >>> print(quoted('say "when"'))
    'say "when"'
    """
    return f"'{text}'" if '"' in text else f'"{text}"'


def _closed(text: str) -> str:
    """A word that takes a condition must not meet the operator that follows."""
    return f"({text})" if text.endswith(" count") else text


def die(node: n.Node) -> str:
    """The text of one die.

    >>> die(n.Fudge())
    'dF'
    """
    if isinstance(node, n.Fudge):
        return "dF"
    if isinstance(node, n.Digits):
        return "d" + "6" * node.places
    if isinstance(node, n.NamedDie):
        return node.name
    if isinstance(node, n.Faces):
        return "d" + faces(node.items)
    assert isinstance(node, n.Sides)
    if node.percent:
        return "d%"
    text = _value(node.count)
    return f"d({text})" if text.isdigit() and len(text) > 1 and set(text) == {"6"} else "d" + text


def faces(items: tuple[n.Item, ...]) -> str:
    """A list of faces in braces.

    >>> faces((n.Item(low=n.Number(value=1), high=n.Number(value=3)),))
    '{1..3}'
    """
    return "{" + ", ".join(_item(item) for item in items) + "}"


def _item(item: n.Item) -> str:
    minus = isinstance(item.low, n.Binary) and item.low.op == "-"
    text = _at(item.low, TIGHT if minus else 41)
    if item.high is not None:
        text += ".." + _at(item.high, 41)
    return text if item.weight is None else f"{text}:{_at(item.weight, 41)}"


def _value(node: n.Node) -> str:
    """A number behind a modifier: bare, or in brackets."""
    return str(node.value) if isinstance(node, n.Number) else f"({unparse(node)})"


def modifier(node: n.Modifier) -> str:
    """The text of one modifier, with a space where words would run together.

    >>> modifier(n.Keep(verb="kh", count=n.Number(value=3)))
    'kh3'
    """
    if isinstance(node, n.Keep):
        if node.verb in ("adv", "dis"):
            return f" {node.verb}"
        return node.verb + (_value(node.count) if node.count else "")
    if isinstance(node, n.Reroll):
        letter = "rr" if node.until else "r"
        return "".join(letter + cond(c) for c in node.conds)
    if isinstance(node, n.Burst):
        limit = f"max{_value(node.limit)}" if node.limit else ""
        if node.conds:
            return "".join(node.mark + cond(c) + limit for c in node.conds)
        return (
            "".join(node.mark + cond(c) for c in node.conds) + limit
            if node.conds
            else node.mark + limit
        )
    if isinstance(node, n.Bound):
        return " " + node.verb + _value(node.value)
    if isinstance(node, n.Count):
        return _count(node)
    return " " + node.what


def _count(node: n.Count) -> str:
    text = " ".join(_term(term) for term in node.terms)
    for c in node.minus:
        text += " -c" + cond(c) if text else "f" + cond(c)
    return text + (f" floor{_value(node.floor)}" if node.floor else "")


def _term(term: n.Term) -> str:
    text = "c" + (cond(term.cond) if term.cond else "")
    for extra in term.extras:
        text += " " if text == "c" else ""
        text += "x" + cond(extra.cond) + (":" + _value(extra.times) if extra.times else "")
    return text


def cond(node: n.Cond) -> str:
    """The text of a condition.

    >>> cond(n.Cond(kind="+", values=(n.Number(value=5),)))
    '5+'
    """
    if node.kind == "top":
        return ""
    if node.kind in ("even", "odd"):
        return f" {node.kind}"
    if node.kind == "in":
        return faces(tuple(item for item in node.values if isinstance(item, n.Item)))
    first = _value(node.values[0])
    if node.kind == "..":
        return f"{first}..{_value(node.values[1])}"
    if node.kind in "+-":
        return first + node.kind
    return (node.kind if node.kind != "=" else "") + first
