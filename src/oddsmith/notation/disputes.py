"""Places where tables and tools disagree, written the other way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oddsmith.notation import nodes as n
from oddsmith.notation.evaluate import is_question
from oddsmith.notation.parser import addends
from oddsmith.notation.unparse import unparse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oddsmith.notation.nodes import Span

AT_LEAST_ONE = {">=": "highest", ">": "highest", "<=": "lowest", "<": "lowest"}


def disputes(node: n.Node, moved: set[Span]) -> Iterator[tuple[str, n.Node | None]]:
    """What to say of one place, and what else could stand there.

    Args:
        node: The place.
        moved: The chains of modifiers whose count was not written last.

    >>> from oddsmith.notation.parser import parse
    >>> [(said, _)] = disputes(parse("2d6r1").results[0].body, set())
    >>> said
    're-rolling until it no longer matches (2d6rr1)'
    """
    if isinstance(node, n.Modified):
        if node.span in moved and not isinstance(behind(node), n.Bound):
            yield "a count ends the chain: what was written after it acts before it", None
        for said, other in _rewrites(node):
            yield f"{said} ({unparse(other)})", other
    if isinstance(node, n.Binary):
        for said, pool in _pooled(node):
            yield f"{said} ({unparse(pool)})", pool
    if isinstance(node, n.Compare):
        yield from _counting(node)


def behind(node: n.Modified) -> n.Modifier | None:
    """The modifier that was written behind a count and acts before it."""
    *first, last = node.modifiers
    later = [mod for mod in first if isinstance(last, n.Count) and mod.span > last.span]
    return later[-1] if later else None


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
    summed = [*addends(node.left), body]
    if not all(isinstance(part, n.Dice) for part in summed):
        return
    if first.span[0] == body.span[1] and not (isinstance(first, n.Keep) and _idle(first, body)):
        return
    pool = n.Braces(items=tuple(summed), flat=True)
    yield (
        f"{verb} acts on the last dice of the sum, {unparse(body)}; on all of them together",
        n.Modified(body=pool, modifiers=last.modifiers),
    )


def _idle(keep: n.Keep, body: n.Node) -> bool:
    """Whether a keep or a drop leaves all the dice or none, so that it says nothing alone."""
    count = body.count if isinstance(body, n.Dice) else None
    rolled = 1 if count is None else count.value if isinstance(count, n.Number) else 0
    kept = 1 if keep.count is None else keep.count.value if isinstance(keep.count, n.Number) else -1
    return rolled == kept


def shared(program: n.Program, node: n.Repeat) -> list[str]:
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


def _counting(node: n.Compare) -> Iterator[tuple[str, n.Node | None]]:
    """``4d6 > 4``: some tools count dice; here it is the total."""
    left, bound, op = node.operands[0], node.operands[-1], node.ops[0]
    if len(node.operands) != 2 or not isinstance(bound, n.Number):
        return
    fits = n.Count(terms=(n.Term(cond=n.Cond(kind=op, values=(bound,))),))
    if isinstance(left, n.Repeat):
        if not is_question(left.body):
            one = _at_least_one(node, fits)
            yield f"this compares the sum of all results; for at least one `{unparse(one)}`", one
    elif isinstance(left, n.Modified):
        *before, last = left.modifiers
        if isinstance(last, n.Count) and [term.cond for term in last.terms] == [n.Cond(kind="top")]:
            counted = unparse(left.but(modifiers=(*before, fits)))
            said = f"this counts the highest face only; {counted} counts the dice that show it"
            yield said, None
    elif isinstance(left, n.Dice) and _highest(left) >= bound.value > 1:
        counted = unparse(n.Modified(body=left, modifiers=(fits,)))
        yield f"this compares the total; {counted} counts the dice that show it", None


def _at_least_one(node: n.Compare, fits: n.Count) -> n.Compare:
    """``6x(3d6) >= 15``: whether any of the results is so."""
    results, bound = node.operands
    if node.ops[0] in AT_LEAST_ONE:
        best = n.Modified(body=results, modifiers=(n.Read(what=AT_LEAST_ONE[node.ops[0]]),))
        return node.but(operands=(best, bound))
    count = n.Modified(body=results, modifiers=(fits,))
    return n.Compare(operands=(count, n.Number(value=1)), ops=(">=",))


def _highest(dice: n.Dice) -> int:
    """The highest face of two or more plain dice; 0 for others."""
    several = isinstance(dice.count, n.Number) and dice.count.value > 1
    sides = dice.die.count if isinstance(dice.die, n.Sides) else None
    return sides.value if several and isinstance(sides, n.Number) else 0
