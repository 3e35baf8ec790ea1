"""Other ways a text is read at other tables, each with its number.

Each rule looks at one place where players and tools disagree, rewrites the tree the other way and
says what would come out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oddsmith.dist import Dist
from oddsmith.errors import OddsmithError
from oddsmith.notation import nodes as n
from oddsmith.notation.evaluate import Found, evaluate
from oddsmith.notation.unparse import unparse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

    from oddsmith.notation.nodes import Span


def alternatives(
    program: n.Program, result: n.Result, moved: set[Span]
) -> list[Callable[[Found], str]]:
    """Notes to make about one result; each takes the answer and returns a sentence or nothing."""
    notes: list[Callable[[Found], str]] = []
    for node in result.body.walk():
        if isinstance(node, n.Modified):
            if node.span in moved:
                notes.append(
                    lambda _: "a count ends the chain: what was written after it acts before it"
                )
            for sentence, other in _rewrites(node):
                notes.append(_noted(program, result, node, other, sentence))
        if isinstance(node, n.Binary):
            for sentence, pool in _pooled(node):
                notes.append(_noted(program, result, node, pool, sentence))
        if isinstance(node, n.Repeat):
            notes += [lambda _, s=s: s for s in _shared(program, node)]  # type: ignore[misc]
        if isinstance(node, n.Compare):
            notes += [lambda _, s=s: s for s in _counting(node)]  # type: ignore[misc]
    return notes


def _rewrites(node: n.Modified) -> Iterator[tuple[str, n.Modified]]:
    """The other reading of each disputed place of a chain of modifiers."""
    mods = node.modifiers
    for place, mod in enumerate(mods):
        if isinstance(mod, n.Reroll) and not mod.until:
            other = mod.but(until=True)
            yield (
                "re-rolling until it no longer matches",
                node.but(modifiers=_put(mods, place, other)),
            )
        later = next((m for m in mods[place + 1 :] if isinstance(m, n.Keep)), None)
        if isinstance(mod, n.Burst) and mod.mark == "!" and later is not None:
            other_burst = mod.but(mark="!!")
            yield (
                "extra dice compete separately for the keep; added into their die",
                node.but(modifiers=_put(mods, place, other_burst)),
            )
        if isinstance(mod, n.Count) and (cond := _bare(mod, node.body)):
            upward = mod.terms[0].but(cond=cond.but(kind="+"))
            yield (
                "counting that number and more",
                node.but(modifiers=_put(mods, place, mod.but(terms=(upward,)))),
            )
        following = mods[place + 1] if place + 1 < len(mods) else None
        if isinstance(mod, n.Reroll) and isinstance(following, n.Keep) and not mod.until:
            swapped = (*mods[:place], following, mod, *mods[place + 2 :])
            yield "keeping first, then re-rolling", node.but(modifiers=swapped)


def _bare(count: n.Count, body: n.Node) -> n.Cond | None:
    """The condition of ``10d10t7``, where 7+ may be meant: a lone number inside the faces."""
    die = body.die if isinstance(body, n.Dice) else None
    cond = count.terms[0].cond if len(count.terms) == 1 else None
    if cond is None or cond.kind != "=" or not isinstance(die, n.Sides):
        return None
    value, sides = cond.values[0], die.count
    if not isinstance(value, n.Number) or not isinstance(sides, n.Number):
        return None
    return cond if value.span == cond.span and 1 < value.value < sides.value else None


def _pooled(node: n.Binary) -> Iterator[tuple[str, n.Modified]]:
    """``d8+d10 k1``: the keep acts on the last dice of a sum, where all may be meant.

    Said where a space stands before the keep, or where it keeps all the dice it acts on.
    """
    last = node.right
    if node.op != "+" or not isinstance(last, n.Modified) or last.span[0] < last.body.span[0]:
        return
    first, body = last.modifiers[0], last.body
    if isinstance(first, n.Keep) and first.verb not in ("adv", "dis"):
        verb = "drop" if first.verb in ("dh", "dl") else "keep"
    elif isinstance(first, n.Read) and first.what in ("highest", "lowest", "median"):
        verb = first.what
    else:
        return
    addends = [*_addends(node.left), body]
    if not all(isinstance(part, n.Dice) for part in addends):
        return
    if first.span[0] == body.span[1] and not (isinstance(first, n.Keep) and _idle(first, body)):
        return
    pool = n.Braces(items=tuple(addends), flat=True)
    yield (
        f"{verb} acts on the last dice of the sum, {unparse(body)}; on all of them together",
        n.Modified(body=pool, modifiers=last.modifiers),
    )


def _addends(node: n.Node) -> list[n.Node]:
    found: list[n.Node] = []
    while isinstance(node, n.Binary) and node.op == "+":
        found.insert(0, node.right)
        node = node.left
    return [node, *found]


def _idle(keep: n.Keep, body: n.Node) -> bool:
    """Whether a keep or a drop leaves all the dice or none, so that it says nothing alone."""
    count = body.count if isinstance(body, n.Dice) else None
    rolled = 1 if count is None else count.value if isinstance(count, n.Number) else 0
    kept = 1 if keep.count is None else keep.count.value if isinstance(keep.count, n.Number) else -1
    return rolled == kept


def _shared(program: n.Program, node: n.Repeat) -> list[str]:
    """``let r = d20; 3x(r + d6)``: the name is one roll, the same in all three."""
    values = {let.name: let.value for let in program.lets}

    def rolled(name: str) -> bool:
        return any(
            isinstance(part, n.Dice) or (isinstance(part, n.Name) and rolled(part.name.lower()))
            for part in (values[name].walk() if name in values else ())
        )

    if node.count == n.Number(value=1):
        return []
    used = {part.name.lower() for part in node.body.walk() if isinstance(part, n.Name)}
    count = unparse(node.count)
    return [
        f"{name} is rolled once and shared by all {count}"
        for name in values
        if name in used and rolled(name)
    ]


def _put(mods: tuple[Any, ...], place: int, mod: Any) -> tuple[Any, ...]:
    return (*mods[:place], mod, *mods[place + 1 :])


def _noted(
    program: n.Program, result: n.Result, node: n.Node, other: n.Node, sentence: str
) -> Callable[[Found], str]:
    def note(found: Found) -> str:
        body = swap(result.body, node, other)
        lone = program.but(results=(result.but(body=body),))
        text = unparse(lone)
        try:
            number = headline(evaluate(lone, text, 24)[0])
        except OddsmithError:
            return ""
        return (
            f"{sentence} ({unparse(other)}) {number}"
            if number and number != headline(found)
            else ""
        )

    return note


def swap(tree: n.Node, old: n.Node, new: n.Node) -> n.Node:
    """The tree with one node (by identity) replaced."""
    if tree is old:
        return new
    changes: dict[str, Any] = {}
    for name, value in vars(tree).items():
        if isinstance(value, n.Node):
            after: Any = swap(value, old, new)
        elif isinstance(value, tuple):
            after = tuple(swap(x, old, new) if isinstance(x, n.Node) else x for x in value)
        else:
            continue
        if after is not value:
            changes[name] = after
    return tree.but(**changes) if changes else tree


def headline(found: Found) -> str:
    """The one number of an answer, for a note."""
    if found.chance is not None and found.chance.exact is not None:
        return f"would be {_short(found.chance.exact)}"
    if found.kind == "distribution" and hasattr(found.value, "mean"):
        if isinstance(found.value, Dist) and not found.value.is_numeric:
            return ""
        return f"would have the mean {_short(found.value.mean)}"
    return ""


def _short(value: Fraction) -> str:
    """A fraction while it is short; else a decimal, rounded half even to 4 places."""
    if len(str(value)) <= 12:
        return str(value)
    scaled = round(value * 10_000)
    sign, scaled = ("-" if scaled < 0 else ""), abs(scaled)
    return f"about {sign}{scaled // 10_000}.{scaled % 10_000:04d}"


def _counting(node: n.Compare) -> list[str]:
    """``4d6 > 4``: some tools count dice; here it is the total."""
    if len(node.operands) != 2 or not isinstance(node.operands[1], n.Number):
        return []
    left, bound = node.operands[0], node.operands[1].value
    op = node.ops[0] if node.ops[0] != "=" else ""
    if isinstance(left, n.Repeat):
        best = "highest" if node.ops[0] in (">", ">=") else "lowest"
        other = f"{unparse(left)} {best} {node.ops[0]} {bound}"
        return [f"this compares the sum of all results; {other} asks for at least one"]
    if isinstance(left, n.Modified) and isinstance(left.modifiers[-1], n.Count):
        return _counting_top(left, left.modifiers[-1], f"{op}{bound}")
    if not isinstance(left, n.Dice) or not isinstance(left.count, n.Number) or left.count.value < 2:
        return []
    if not isinstance(left.die, n.Sides) or not isinstance(left.die.count, n.Number):
        return []
    if not 1 < bound <= left.die.count.value:
        return []
    op = node.ops[0] if node.ops[0] != "=" else ""
    return [f"this compares the total; {unparse(left)}c{op}{bound} counts the dice that show it"]


def _counting_top(left: n.Modified, count: n.Count, shown: str) -> list[str]:
    """``5d10c >= 8``: the highest faces are counted, and their number is compared."""
    if len(count.terms) != 1 or count.terms[0].cond is None or count.terms[0].cond.kind != "top":
        return []
    before = (
        unparse(left.but(modifiers=left.modifiers[:-1]))
        if left.modifiers[1:]
        else unparse(left.body)
    )
    return [f"this counts the highest face only; {before}c{shown} counts the dice that show it"]
