"""Random syntax trees: just those that some text can mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from oddsmith.notation import nodes as n

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

COMPARISONS = ("=", "<>", ">=", ">", "<=", "<")
READINGS = (
    "sum", "highest", "lowest", "median", "count", "product",
    "sets", "pairs", "highest set", "longest run", "unique",
)  # fmt: skip
TEXTS = ("Misfire", "a b", "it's", "6", "1,5", "d6 # no", 'the "best"')
ROUNDINGS = ("ceil", "floor", "round", "trunc", "half_up", "abs")

Draw = Any
"""The drawing function that hypothesis hands to a composite strategy."""


@st.composite
def programs(draw: Draw) -> n.Program:
    """Names, then results; depth at most 3."""
    lets = [
        n.Let(name=_one(draw, "hit", "foe", "mod", "x"), value=expression(draw, 2))
        for _ in range(_number(draw, 0, 2))
    ]
    results = [
        n.Result(
            body=expression(draw, 3), label=_one(draw, None, None, "to hit", "it's", "", "50 %: 7")
        )
        for _ in range(_number(draw, 1, 2))
    ]
    return n.Program(lets=tuple(lets), results=tuple(results))


def _number(draw: Draw, low: int, high: int) -> int:
    found: int = draw(st.integers(low, high))
    return found


def _one(draw: Draw, *choices: Any) -> Any:
    return draw(st.sampled_from(choices))


def _several(draw: Draw, low: int, high: int, make: Callable[[Draw, int], Any], depth: int) -> Any:
    return tuple(make(draw, depth) for _ in range(_number(draw, low, high)))


def _maybe(draw: Draw, make: Callable[[Draw, int], Any], depth: int) -> Any:
    return make(draw, depth) if _number(draw, 0, 1) else None


# --- expressions


def expression(draw: Draw, depth: int) -> Any:
    """Anything that has a value."""
    if depth <= 0:
        return leaf(draw)
    makers: Sequence[Callable[[Draw, int], Any]] = (
        dice, modified, modified, modified, braces, repeat, unary, binary, binary, call,
        compare, within, logic, choice, versus, condition_on,
    )  # fmt: skip
    return _one(draw, *makers)(draw, depth - 1)


def leaf(draw: Draw, _: int = 0) -> Any:
    """A number, a name or a text."""
    kind = _number(draw, 0, 3)
    if kind == 0:
        return n.Name(name=_one(draw, "hit", "foe", "Mod", "x", "y"))
    if kind == 1:
        return n.Text(text=_one(draw, *TEXTS))
    return number(draw)


def number(draw: Draw) -> n.Number:
    """A whole number."""
    return n.Number(value=_number(draw, 0, 120))


def value(draw: Draw, depth: int) -> Any:
    """What may stand behind a modifier: mostly a number."""
    return number(draw) if _number(draw, 0, 3) else expression(draw, depth)


def unary(draw: Draw, depth: int) -> n.Unary:
    """Minus or not."""
    return n.Unary(op=_one(draw, "-", "not"), body=expression(draw, depth))


def binary(draw: Draw, depth: int) -> n.Binary:
    """Arithmetic."""
    left, right = expression(draw, depth), expression(draw, depth)
    return n.Binary(op=_one(draw, "+", "-", "*", "/", "//"), left=left, right=right)


def call(draw: Draw, depth: int) -> n.Call:
    """A function."""
    if _number(draw, 0, 1):
        return n.Call(name=_one(draw, *ROUNDINGS), args=(expression(draw, depth),))
    return n.Call(name=_one(draw, "max", "min"), args=_several(draw, 2, 3, expression, depth))


def compare(draw: Draw, depth: int) -> n.Compare:
    """A chain of comparisons."""
    operands = _several(draw, 2, 3, expression, depth)
    ops = tuple(_one(draw, *COMPARISONS) for _ in operands[1:])
    return n.Compare(operands=operands, ops=ops)


def within(draw: Draw, depth: int) -> n.In:
    """Membership."""
    return n.In(body=expression(draw, depth), items=items(draw, depth))


def logic(draw: Draw, depth: int) -> n.Logic:
    """And, or; the first part never has the same operator, it would be joined."""
    op = _one(draw, "and", "or")
    parts = _several(draw, 2, 3, expression, depth)
    while isinstance(parts[0], n.Logic) and parts[0].op == op:
        parts = parts[0].items + parts[1:]
    return n.Logic(op=op, items=parts)


def choice(draw: Draw, depth: int) -> n.If:
    """One thing or another."""
    test, yes, no = (expression(draw, depth) for _ in range(3))
    return n.If(test=test, yes=yes, no=no)


def versus(draw: Draw, depth: int) -> Any:
    """Two sides; the left one is no contest."""
    left, right = expression(draw, depth), expression(draw, depth)
    return right if isinstance(left, n.Versus) else n.Versus(left=left, right=right)


def condition_on(draw: Draw, depth: int) -> n.Given:
    """A result given a condition."""
    return n.Given(body=expression(draw, depth), test=expression(draw, depth))


# --- dice


def dice(draw: Draw, depth: int) -> n.Dice:
    """One kind of die, with or without a number."""
    if _number(draw, 0, 5) == 0:
        name = _one(draw, "coin", "artillery", "scatter")
        return n.Dice(count=None, die=n.NamedDie(name=name))
    return n.Dice(count=_maybe(draw, value, depth), die=die(draw, depth))


def die(draw: Draw, depth: int) -> Any:
    """Sides, faces or one of the special dice."""
    kind = _number(draw, 0, 6)
    if kind == 0:
        return n.Sides(count=n.Number(value=100), percent=True)
    if kind == 1:
        return n.Fudge()
    if kind == 2:
        return n.Digits(places=_number(draw, 2, 4))
    if kind == 3:
        return n.Faces(items=items(draw, depth))
    if kind == 4:
        return n.Sides(count=expression(draw, depth))
    return n.Sides(count=n.Number(value=_one(draw, 2, 6, 20, 66, 666)))


def items(draw: Draw, depth: int, weights: bool = True) -> tuple[n.Item, ...]:
    """A list of faces: numbers, names, texts and sums of them, for a face is never rolled."""

    def fixed(draw: Draw, depth: int) -> Any:
        if depth <= 0 or _number(draw, 0, 2):
            return leaf(draw)
        if _number(draw, 0, 1):
            return n.Unary(op="-", body=fixed(draw, depth - 1))
        left, right = fixed(draw, depth - 1), fixed(draw, depth - 1)
        return n.Binary(op=_one(draw, "+", "-", "*", "/", "//"), left=left, right=right)

    def item(draw: Draw, depth: int) -> n.Item:
        low, high = fixed(draw, depth), _maybe(draw, fixed, depth)
        weight = _maybe(draw, fixed, depth) if weights else None
        return n.Item(low=low, high=high, weight=weight)

    found: tuple[n.Item, ...] = _several(draw, 1, 3, item, depth)
    return found


def braces(draw: Draw, depth: int) -> n.Braces:
    """A pool of totals or of dice; sums in the latter are taken apart."""
    found = _several(draw, 1, 3, expression, depth)
    if len(found) > 1 and _number(draw, 0, 1) == 0:
        return n.Braces(items=found)
    parts = tuple(part for one in found for part in _addends(one))
    return n.Braces(items=parts, flat=len(parts) > 1)


def _addends(node: Any) -> list[Any]:
    if isinstance(node, n.Binary) and node.op == "+":
        return [*_addends(node.left), *_addends(node.right)]
    return [node]


def repeat(draw: Draw, depth: int) -> n.Repeat:
    """Independent results side by side."""
    return n.Repeat(count=value(draw, depth), body=expression(draw, depth))


# --- modifiers


def modified(draw: Draw, depth: int) -> n.Modified:
    """Dice with modifiers, in an order that parsing leaves alone."""
    body = _one(draw, dice, dice, dice, braces, repeat, modified if depth else dice)(draw, depth)
    if _number(draw, 0, 5) == 0:
        body = n.Name(name=_one(draw, "hit", "Mod", "x", "a_"))
    changes: list[Any] = []
    for _ in range(_number(draw, 0, 3)):
        change = _one(draw, keep, reroll, burst, bound)(draw, depth)
        if not changes or not _joins(changes[-1], change):
            changes.append(change)
    last = _one(draw, None, count, read)
    if not changes and last is None:
        last = read
    if last is not None:
        end = last(draw, depth)
        if not (isinstance(end, n.Count) and changes and _ends_in_minus(changes[-1])):
            changes.append(end)
        elif not changes:
            changes.append(n.Keep(verb="kh"))
    return n.Modified(body=body, modifiers=tuple(changes))


def _joins(one: Any, two: Any) -> bool:
    """Whether two neighbours would be read as one."""
    if isinstance(one, n.Reroll) and isinstance(two, n.Reroll):
        return one.until == two.until
    return isinstance(one, n.Burst) and isinstance(two, n.Burst) and one.mark == two.mark


def _ends_in_minus(change: Any) -> bool:
    """``r5-`` before a count would be read as a subtraction."""
    conds = getattr(change, "conds", ())
    return bool(conds) and conds[-1].kind == "-" and getattr(change, "limit", None) is None


def keep(draw: Draw, depth: int) -> n.Keep:
    """Ranks."""
    if _number(draw, 0, 4) == 0:
        return n.Keep(verb=_one(draw, "adv", "dis"))
    return n.Keep(verb=_one(draw, "kh", "kl", "dh", "dl", "mid"), count=_maybe(draw, value, depth))


def reroll(draw: Draw, depth: int) -> n.Reroll:
    """Once or until."""
    return n.Reroll(conds=_several(draw, 1, 2, cond, depth), until=_one(draw, False, True))


def burst(draw: Draw, depth: int) -> n.Burst:
    """Explosions."""
    conds, limit = _several(draw, 0, 2, cond, depth), _maybe(draw, value, depth)
    return n.Burst(mark=_one(draw, "!", "!!", "!p", "!!p"), conds=conds, limit=limit)


def bound(draw: Draw, depth: int) -> n.Bound:
    """A floor or a ceiling for each die."""
    return n.Bound(verb=_one(draw, "min", "max"), value=value(draw, depth))


def read(draw: Draw, _: int) -> n.Read:
    """Another reading."""
    return n.Read(what=_one(draw, *READINGS))


def cond(draw: Draw, depth: int) -> n.Cond:
    """Which faces."""
    kind = _one(draw, *COMPARISONS, "+", "-", "..", "in", "even", "odd")
    if kind in ("even", "odd"):
        return n.Cond(kind=kind)
    if kind == "in":
        return n.Cond(kind="in", values=items(draw, depth, weights=False))
    return n.Cond(kind=kind, values=tuple(value(draw, depth) for _ in range(1 + (kind == ".."))))


def count(draw: Draw, depth: int) -> n.Count:
    """Successes; ``5-`` in front of another term would be read as a subtraction."""
    terms = _several(draw, 0, 2, term, depth)
    if len(terms) == 2 and _term_ends_in_minus(terms[0]):
        terms = terms[::-1] if not _term_ends_in_minus(terms[1]) else terms[1:]
    minus = _several(draw, 0 if terms else 1, 2, cond, depth)
    return n.Count(terms=terms, minus=minus, floor=_maybe(draw, value, depth))


def term(draw: Draw, depth: int) -> n.Term:
    """Dice that fit, some of which count more."""

    def extra(draw: Draw, depth: int) -> n.Extra:
        return n.Extra(cond=cond(draw, depth), times=_maybe(draw, value, depth))

    faces = cond(draw, depth) if _number(draw, 0, 3) else n.Cond(kind="top")
    return n.Term(cond=faces, extras=_several(draw, 0, 2, extra, depth))


def _term_ends_in_minus(one: n.Term) -> bool:
    if one.extras:
        return one.extras[-1].times is None and one.extras[-1].cond.kind == "-"
    return one.cond is not None and one.cond.kind == "-"
