"""Texts that are legal and answered, but seldom what was meant: each with what may have been."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oddsmith.notation import nodes as n
from oddsmith.notation.disputes import behind
from oddsmith.notation.faces import BETWEEN
from oddsmith.notation.reading import condition, has_dice
from oddsmith.notation.unparse import faces, unparse

if TYPE_CHECKING:
    from collections.abc import Iterator

Slip = tuple[str, n.Node | None]

LOWER = {"adv": "dis", "kh": "kl", "dl": "dh"}
MOST_SIDES = 1_000


def slips(node: n.Node, result: n.Node) -> Iterator[Slip]:
    """What to say of one place, and what else could stand there.

    Args:
        node: The place.
        result: The whole that it belongs to.

    >>> from oddsmith.notation.parser import parse
    >>> body = parse("2d6 = 7-9").results[0].body
    >>> [(said, _)] = slips(body, body)
    >>> said
    '7 - 9 is a subtraction; the range, `2d6 in {7..9}`,'
    """
    if isinstance(node, n.Modified):
        yield from _limited(node)
        yield from _crowded(node)
        yield from _blank(node)
        yield from _counted_twice(node)
    elif isinstance(node, n.Binary):
        yield from _summed(node, result)
    elif isinstance(node, n.Compare) and len(node.operands) == 2:
        yield from _range(node)
        yield from _under(node)


def _counted_twice(node: n.Modified) -> Iterator[Slip]:
    """``10d6c3+c4+``: two thresholds on one roll, where the second may be meant for another."""
    *before, last = node.modifiers
    if not (isinstance(last, n.Count) and isinstance(node.body, n.Dice) and len(last.terms) == 2):
        return
    first, second = last.terms
    if all(term.cond is not None and term.cond.kind == "+" for term in last.terms):
        hits = n.Modified(body=node.body, modifiers=(*before, last.but(terms=(first,))))
        again = n.Dice(count=hits, die=node.body.die)
        other = n.Modified(body=again, modifiers=(last.but(terms=(second,)),))
        yield (
            f"a die that reaches both counts twice; its hits rolled anew, `{unparse(other)}`,",
            other,
        )


def lone(program: n.Program, result: n.Result) -> Iterator[tuple[str, n.Program | None, str]]:
    """``d20+7 >= 15, 18, 20``: a number behind a comma is a result of its own.

    Args:
        program: The whole text.
        result: One of its results.

    >>> from oddsmith.notation.parser import parse
    >>> program = parse("d20+7 >= 15, 18")
    >>> [said for said, _, _ in lone(program, program.results[1])]
    ['18 stands alone, a result of its own; compared, `d20 + 7 >= 18`,']
    """
    place = next(i for i, other in enumerate(program.results) if other is result)
    if isinstance(result.body, n.Number):
        before = [one.body for one in program.results[:place]]
        while before and isinstance(before[-1], n.Number):
            before.pop()
        if before and (question := _of_a_number(before[-1])):
            body = question.but(operands=(question.operands[0], result.body))
            said = f"{result.body.value} stands alone, a result of its own; compared,"
            yield (
                f"{said} `{unparse(body)}`,",
                program.but(results=(result.but(body=body),)),
                "",
            )
    elif (question := _of_a_number(result.body)) and not program.lets:
        bounds = [unparse(question.operands[1])]
        for later in program.results[place + 1 :]:
            if not isinstance(later.body, n.Number):
                break
            bounds.append(unparse(later.body))
        hole = question.but(operands=(question.operands[0], n.Name(name="{n}")))
        if bounds[1:] and (table := _table(hole, bounds)):
            yield f"behind the comma stands another result; for all of them {table}", None, ""


def _of_a_number(node: n.Node) -> n.Compare | None:
    """A question whether dice reach a number."""
    if not isinstance(node, n.Compare) or len(node.operands) != 2:
        return None
    left, right = node.operands
    return node if isinstance(right, n.Number) and has_dice(left) else None


def _table(template: n.Node, values: list[str]) -> str:
    """The command for a table; empty where the template has braces of its own."""
    text = unparse(template)
    return f'`odds table "{text}" n={",".join(values)}`' if text.count("{") == 1 else ""


def _limited(node: n.Modified) -> Iterator[Slip]:
    """``12d6c5+ max4``: the limit acts on the dice, not on the number counted."""
    limit = behind(node)
    if isinstance(limit, n.Bound):
        rest = tuple(mod for mod in node.modifiers if mod is not limit)
        name = "min" if limit.verb == "max" else "max"
        other = n.Call(name=name, args=(node.but(modifiers=rest), limit.value))
        shown = f"{limit.verb}{unparse(limit.value)}"
        yield (
            f"{shown} acts on each die, before the count; on the number counted, "
            f"`{unparse(other)}`,",
            other,
        )


def _crowded(node: n.Modified) -> Iterator[Slip]:
    """``{d6, 2d8, d10}kh2``: several dice between commas are one member, beside single dice."""
    pool = node.body
    if (
        not isinstance(pool, n.Braces)
        or pool.flat
        or not all(isinstance(item, n.Dice) for item in pool.items)
    ):
        return
    several = [
        item for item in pool.items
        if isinstance(item, n.Dice) and item.count not in (None, n.Number(value=1))
    ]  # fmt: skip
    if not several or len(several) == len(pool.items):
        return
    other = node.but(body=pool.but(flat=True))
    yield (
        f"{unparse(several[0])} is one member of the pool, its total; each die by itself, "
        f"`{unparse(other)}`,",
        other,
    )


def _summed(node: n.Binary, result: n.Node) -> Iterator[Slip]:
    """``2d6 + {1, 2, 3} >= 10``: numbers in braces are added up, too."""
    for braces in (node.left, node.right):
        if isinstance(braces, n.Braces) and (values := _numbers(braces)):
            hole = n.replaced(result, {id(braces): n.Name(name="{n}")})
            table = _table(hole, [str(value) for value in values])
            each = f"; for each number by itself {table}" if table else ""
            yield f"{unparse(braces)} adds up to {sum(values)}{each}", None


def _numbers(node: n.Node) -> list[int]:
    """The numbers of braces that hold two or more and nothing else."""
    items = node.items if isinstance(node, n.Braces) else ()
    values = [item.value for item in items if isinstance(item, n.Number)]
    return values if len(values) == len(items) > 1 else []


def _range(node: n.Compare) -> Iterator[Slip]:
    """``2d6 = 7-9``: a difference, where a range may be meant."""
    left, right = node.operands
    if node.ops[0] not in ("=", "<>") or not isinstance(right, n.Binary) or right.op != "-":
        return
    low, high = right.left, right.right
    if isinstance(low, n.Number) and isinstance(high, n.Number) and low.value < high.value:
        other = _in(left, (n.Item(low=low, high=high),), node.ops[0])
        yield f"{unparse(right)} is a subtraction; the range, `{_shown(other)}`,", other


def _in(left: n.Node, items: tuple[n.Item, ...], op: str) -> n.Node:
    found = n.In(body=left, items=items)
    return found if op == "=" else n.Unary(op="not", body=found)


def _shown(node: n.Node) -> str:
    """A question whether something is in a list; what stands before ``in`` takes no part of it."""
    if isinstance(node, n.In) and isinstance(node.body, n.Modified):
        return f"({unparse(node.body)}) in {faces(node.items)}"
    return unparse(node)


def _under(node: n.Compare) -> Iterator[Slip]:
    """``d100 adv <= 50``: the higher die is kept, where low is good."""
    left, right = node.operands
    if node.ops[0] not in ("<=", "<") or not isinstance(left, n.Modified) or has_dice(right):
        return
    keeps = [mod for mod in left.modifiers if isinstance(mod, n.Keep)]
    count = left.body.count if isinstance(left.body, n.Dice) else None
    if len(keeps) != 1 or not isinstance(left.modifiers[-1], n.Keep):
        return
    (keep,) = keeps
    of_two = count == n.Number(value=2) and keep.count in (None, n.Number(value=1))
    if keep.verb != "adv" and not (of_two and keep.verb in LOWER):
        return
    lower = left.but(modifiers=(*left.modifiers[:-1], keep.but(verb=LOWER[keep.verb])))
    other = node.but(operands=(lower, right))
    yield f"this keeps the higher die; where low is good, `{unparse(other)}`,", other


def _blank(node: n.Modified) -> Iterator[Slip]:
    """``4d6r7``, ``d12!!-1``, ``d6! in {7, 8}``: a condition that no face of the die fits."""
    dice = node.body
    shown = _faces(dice.die) if isinstance(dice, n.Dice) else ()
    if not shown or not isinstance(dice, n.Dice):
        return
    for mod in node.modifiers:
        for cond in _conditions(mod):
            if not any(_fits(cond, face) for face in shown):
                said = f"no face of {unparse(dice.but(count=None))} is {condition((cond,))}"
                yield _meant(node, said)
        if isinstance(mod, n.Bound) or (isinstance(mod, n.Burst) and mod.mark != "!"):
            return


def _meant(node: n.Modified, said: str) -> Slip:
    """What was meant by a condition of ``!`` that no face fits: a question, or a subtraction."""
    last = node.modifiers[-1]
    if not isinstance(last, n.Burst) or len(last.conds) != 1 or last.limit is not None:
        return said, None
    (cond,) = last.conds
    plain = node.but(modifiers=(*node.modifiers[:-1], last.but(conds=())))
    if cond.kind == "in":
        items = tuple(item for item in cond.values if isinstance(item, n.Item))
        asked = n.In(body=plain, items=items)
        return f"{said}; where the total falls, `{_shown(asked)}`,", asked
    value = cond.values[0] if cond.kind == "=" else None
    if isinstance(value, n.Unary):
        less = n.Binary(op="-", left=plain, right=value.body)
        return f"{said}; to subtract, `{unparse(less)}`,", less
    return said, None


def _conditions(mod: n.Modifier) -> list[n.Cond]:
    if isinstance(mod, (n.Reroll, n.Burst)):
        return list(mod.conds)
    if not isinstance(mod, n.Count):
        return []
    counted = [term.cond for term in mod.terms if term.cond is not None]
    return [*counted, *mod.minus, *(extra.cond for term in mod.terms for extra in term.extras)]


def _faces(die: n.Node) -> tuple[int, ...]:
    """The numbers a plain die shows; none where it is not plain, or has very many."""
    if isinstance(die, n.Fudge):
        return (-1, 0, 1)
    sides = die.count if isinstance(die, n.Sides) else None
    small = isinstance(sides, n.Number) and sides.value <= MOST_SIDES
    return tuple(range(1, sides.value + 1)) if small and isinstance(sides, n.Number) else ()


def _fits(cond: n.Cond, face: int) -> bool:
    """Whether a face is meant by a condition; yes where the condition is not plain."""
    if cond.kind == "in":
        ends = [(one.low, one.high or one.low) for one in cond.values if isinstance(one, n.Item)]
        return any(_fits(n.Cond(kind="..", values=pair), face) for pair in ends)
    numbers = [_whole(value) for value in cond.values]
    if not numbers or None in numbers:
        return True
    if cond.kind in ("=", "<>"):
        return (face == numbers[0]) == (cond.kind == "=")
    return BETWEEN[cond.kind](face, numbers[0], numbers[-1])


def _whole(node: n.Node) -> int | None:
    """A number as written, with a minus or without."""
    if isinstance(node, n.Unary) and node.op == "-" and isinstance(node.body, n.Number):
        return -node.body.value
    return node.value if isinstance(node, n.Number) else None
