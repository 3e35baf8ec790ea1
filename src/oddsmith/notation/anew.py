"""The same dice written more than once: each time another roll, where one may be meant.

An attack such as ``if d20 = 20 then 2d8+3 else if d20+5 >= 15 then d8+3 else 0`` speaks of one
die to hit and rolls two. The dice are given a name, and the question is asked of that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oddsmith.notation import nodes as n
from oddsmith.notation.unparse import unparse
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

POOLS = (n.Dice, n.Braces, n.Repeat)
MOST_SHOWN = 200
NAMES = ("x", "y", "z", "a", "b")


class Leaf(Record):
    """A part of what is asked that is no and, or, not or if itself.

    Attributes:
        node: The part.
        asked: Whether it is a question that something hangs on.
        fallen: Whether it is looked at only where a question before it was answered by no.
    """

    node: n.Node
    asked: bool
    fallen: bool


def anew(program: n.Program) -> Iterator[tuple[str, n.Program, str]]:
    """What is said of dice that stand in several questions; the program with one roll for all.

    The last is what is said where that costs too much.

    >>> from oddsmith.notation.parser import parse
    >>> [(said, once, dear)] = anew(parse("d20+5 >= 15 or d20 = 20"))
    >>> said
    'd20 is rolled anew each time it is written; one roll for all, \
`let x = d20; x + 5 >= 15 or x = 20`,'
    """
    (result,) = program.results
    taken = {part.name.lower() for part in program.walk() if isinstance(part, n.Name)}
    taken |= {part.name for part in program.walk() if isinstance(part, n.Let)}
    trees = (result.body, *(let.value for let in program.lets))
    for scope in (scope for tree in trees for scope in _scopes(tree)):
        lets, table = named(_repeated(scope), taken)
        if not lets:
            continue
        body = n.replaced(scope, table)
        if scope is result.body:
            whole = program.but(lets=(*program.lets, *lets), results=(result.but(body=body),))
            shown = unparse(n.Program(lets=lets, results=(n.Result(body=body),)))
        else:
            local = n.Local(lets=lets, body=body)
            whole = n.replaced(program, {id(scope): local})
            shown = unparse(local)
        dice = " and ".join(unparse(let.value) for let in lets)
        is_it = ("is", "it is") if len(lets) == 1 else ("are", "they are")
        lead = "{} {} rolled anew each time {} written; one roll for all".format(dice, *is_it)
        if len(shown) > MOST_SHOWN:
            yield lead, whole, ""
        else:
            yield f"{lead}, `{shown}`,", whole, f"{lead} is `{shown}`"


def known(node: n.Given) -> n.Program | None:
    """A condition asked of the same roll as the result; None where they share no dice.

    >>> from oddsmith.notation.parser import parse
    >>> unparse(known(parse("3d6 >= 15 given 3d6c6 >= 1").results[0].body))
    'let x = 3d6; x >= 15 given x c6 >= 1'
    """
    if any(isinstance(part, n.Name) for part in node.walk()):
        return None
    sides = [[*_firsts(side)] for side in (node.body, node.test)]
    told = {core(roll) for roll in sides[1]}
    shared = next((core(roll) for roll in sides[0] if core(roll) in told), None)
    if shared is None:
        return None
    lets, table = named([[roll for side in sides for roll in side if core(roll) == shared]], set())
    return n.Program(lets=lets, results=(n.Result(body=n.replaced(node, table)),))


def _firsts(node: n.Node) -> Iterator[n.Node]:
    """The first of equal dice in each part of a question."""
    for leaf in _leaves(node):
        yield from {core(roll): roll for roll in reversed([*rolls(leaf.node)])}.values()


def _scopes(node: n.Node) -> Iterator[n.Node]:
    """The outermost places that ask several questions of equal dice."""
    if isinstance(node, (n.Logic, n.If)) and _repeated(node):
        yield node
        return
    for child in node.children():
        yield from _scopes(child)


def _repeated(scope: n.Node) -> list[list[n.Node]]:
    """Dice that stand in several parts of a scope, where they are not plainly meant as several."""
    parts = list(_leaves(scope))
    held: dict[str, list[tuple[Leaf, n.Node]]] = {}
    for leaf in parts:
        for roll in rolls(leaf.node):
            held.setdefault(unparse(core(roll)), []).append((leaf, roll))
    return [[roll for _, roll in found] for found in held.values() if _is_one(found)]


def _leaves(node: n.Node, asked: bool = False, fallen: bool = False) -> Iterator[Leaf]:
    if isinstance(node, n.Logic):
        for item in node.items:
            yield from _leaves(item, True, fallen)
    elif isinstance(node, n.If):
        yield from _leaves(node.test, True, fallen)
        yield from _leaves(node.yes, False, fallen)
        yield from _leaves(node.no, False, True)
    elif isinstance(node, n.Unary) and node.op == "not":
        yield from _leaves(node.body, asked, fallen)
    else:
        yield Leaf(node, asked, fallen)


def _is_one(found: list[tuple[Leaf, n.Node]]) -> bool:
    """Whether equal dice may be meant as one roll.

    They are plainly several where one part holds them twice, where the same question is asked
    again, and where each is to reach a number of its own: ``d6 >= 3 and d6 >= 4``.
    """
    leaves = [leaf for leaf, _ in found]
    if len({id(leaf) for leaf in leaves}) < len(leaves) or not any(leaf.asked for leaf in leaves):
        return False
    if len({leaf.node for leaf in leaves}) < 2:
        return False
    if any(leaf.fallen for leaf in leaves) or len({roll for _, roll in found}) > 1:
        return True
    aims = {_aim(leaf.node, roll) for leaf, roll in found}
    return len(aims) > 1 or aims == {""}


def _aim(node: n.Node, roll: n.Node) -> str:
    """Whether a roll is to be high (``>``) or low (``<``); empty for other questions."""
    if not isinstance(node, n.Compare) or len(node.ops) != 1 or node.ops[0] in ("=", "<>"):
        return ""
    first = any(part is roll for part in node.operands[0].walk())
    return ">" if (node.ops[0] in (">", ">=")) == first else "<"


def rolls(node: n.Node) -> Iterator[n.Node]:
    """The outermost pools of dice of a node, each with its modifiers.

    >>> from oddsmith.notation.parser import parse
    >>> [unparse(roll) for roll in rolls(parse("4d6kh3 + d8 >= 15").results[0].body)]
    ['4d6kh3', 'd8']
    """
    pool = node.body if isinstance(node, n.Modified) else node
    if isinstance(pool, POOLS):
        if any(isinstance(part, n.Dice) for part in pool.walk()):
            yield node
        return
    for child in node.children():
        yield from rolls(child)


def core(roll: n.Node) -> n.Node:
    """A pool without its modifiers; one die is ``d6``, however it was written."""
    pool = roll.body if isinstance(roll, n.Modified) else roll
    one = isinstance(pool, n.Dice) and pool.count == n.Number(value=1)
    return pool.but(count=None) if one else pool


def named(
    groups: Iterable[list[n.Node]], taken: set[str]
) -> tuple[tuple[n.Let, ...], dict[int, n.Node]]:
    """A name for each group of equal pools, and what then stands in the place of each of them.

    The modifiers that all of a group begin with belong to the roll, the others to its readings.
    """
    lets: list[n.Let] = []
    table: dict[int, n.Node] = {}
    free = [name for name in NAMES if name not in taken]
    for name, group in zip(free, groups, strict=False):
        chains = [roll.modifiers if isinstance(roll, n.Modified) else () for roll in group]
        alike = 0
        while all(chain[: alike + 1] == chains[0][: alike + 1] for chain in chains) and (
            alike < len(chains[0])
        ):
            alike += 1
        pool = core(group[0])
        value = n.Modified(body=pool, modifiers=chains[0][:alike]) if alike else pool
        lets.append(n.Let(name=name, value=value))
        for roll, chain in zip(group, chains, strict=True):
            word = n.Name(name=name)
            rest = chain[alike:]
            table[id(roll)] = n.Modified(body=word, modifiers=rest) if rest else word
    return tuple(lets), table
