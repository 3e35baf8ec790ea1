"""Several facts about one named pool, without a look at every roll.

A result such as ``p c7+ = 0 and p c1 >= 1`` asks for a few numbers of the same roll: counts, kept
totals, the highest die. They come out of one fold over the faces together, and stand in the tree
as names of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oddsmith.mechanics.parts import Worth, value_of
from oddsmith.notation import nodes as n
from oddsmith.outcomes import is_number
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from oddsmith.dist import Dist
    from oddsmith.pool import Pool

KEEPS: dict[str, Callable[[int, int], tuple[int, int]]] = {
    "kh": lambda size, k: (0, k),
    "dl": lambda size, k: (0, size - k),
    "kl": lambda size, k: (size - k, size),
    "dh": lambda size, k: (k, size),
}
"""Which dice are kept, counted from the highest."""

READS = {"sum": None, "highest": ("kh", 1), "lowest": ("kl", 1)}


def _run(state: Any, face: Any, count: int) -> Any:
    """The longest run so far, the one that goes on just now, and its lowest face."""
    best, run, below = state
    if not isinstance(face, int):
        return state
    if not count:
        return best, 0, None
    run = run + 1 if below == face + 1 else 1
    return max(best, run), run, face


SHAPES: dict[str, tuple[Any, Callable[[Any, Any, int], Any]]] = {
    "sets": (0, lambda sets, face, count: sets + (count > 1)),
    "pairs": (0, lambda pairs, face, count: pairs + count // 2),
    "highest set": (0, lambda most, face, count: max(most, count)),
    "unique": (0, lambda seen, face, count: seen + (count > 0)),
    "longest run": ((0, 0, None), _run),
}
"""Readings of the faces from the highest down: where they start and what a face adds."""


class NoFacts(Exception):
    """The single dice matter in another way."""


class Fact(Record):
    """A number that a roll of the pool shows.

    Attributes:
        keep: Which dice: a verb and a number; None for all.
        worth: What each of them is worth.
        floor: The least that it comes to.
        shape: A reading of how they match, in place of their worth.
    """

    keep: tuple[str, int] | None
    worth: Worth
    floor: int | None = None
    shape: str = ""

    @property
    def start(self) -> Any:
        """The state before the highest face."""
        return SHAPES[self.shape][0] if self.shape else 0

    def after(self, state: Any, face: Any, count: int) -> Any:
        """The state when so many of the kept dice show a face."""
        if self.shape:
            return SHAPES[self.shape][1](state, face, count)
        return state + self.worth.face(face) * count if count else state

    def value(self, state: Any) -> Any:
        """The number in the end."""
        value = state[0] if isinstance(state, tuple) else state
        return value if self.floor is None else max(value, self.floor)


def looks(name: str, places: Iterable[n.Node]) -> list[n.Node]:
    """Every place where a named pool is looked at: the name, with its modifiers if it has any.

    Raises:
        NoFacts: Where its dice lie in another pool.
    """
    found: list[n.Node] = []

    def collect(node: n.Node) -> None:
        if (isinstance(node, n.Modified) and n.is_name(node.body, name)) or n.is_name(node, name):
            found.append(node)
        elif isinstance(node, n.Braces) and any(n.is_name(part, name) for part in node.walk()):
            raise NoFacts
        else:
            for child in node.children():
                collect(child)

    for place in places:
        collect(place)
    return found


def fact(node: n.Node, worth: Callable[[n.Count], Worth]) -> Fact:
    """What a look asks for.

    Args:
        node: The name, with its modifiers if it has any.
        worth: What a count makes of a face.

    Raises:
        NoFacts: Where that is no sum over single dice.
    """
    if isinstance(node, n.Name):
        return Fact(None, Worth())
    assert isinstance(node, n.Modified)
    if any(isinstance(part, n.Name) for one in node.modifiers for part in one.walk()):
        raise NoFacts
    *first, last = node.modifiers
    if isinstance(last, n.Read) and not first and last.what in READS:
        return Fact(READS[last.what], Worth())
    if isinstance(last, n.Keep):
        first, last = [*first, last], n.Read(what="sum")
    if len(first) > 1:
        raise NoFacts
    kept = _kept(first[0]) if first else None
    if isinstance(last, n.Read) and last.what == "sum":
        return Fact(kept, Worth())
    if isinstance(last, n.Read) and last.what in SHAPES:
        return Fact(kept, Worth(), shape=last.what)
    if isinstance(last, n.Count) and _is_simple(last):
        floor = last.floor.value if isinstance(last.floor, n.Number) else None
        return Fact(kept, worth(last), floor)
    raise NoFacts


def _is_simple(count: n.Count) -> bool:
    tops = [term for term in count.terms if term.cond is not None and term.cond.kind == "top"]
    return not tops and (count.floor is None or isinstance(count.floor, n.Number))


def _kept(modifier: Any) -> tuple[str, int]:
    if not isinstance(modifier, n.Keep) or modifier.verb not in KEEPS:
        raise NoFacts
    if modifier.count is None:
        return modifier.verb, 1
    if not isinstance(modifier.count, n.Number):
        raise NoFacts
    return modifier.verb, modifier.count.value


def joint(pool: Pool, facts: tuple[Fact, ...]) -> Dist[Any]:
    """The facts of one roll side by side.

    Raises:
        NoFacts: Where faces are no numbers, or more dice are kept than there are.

    >>> from oddsmith import d6
    >>> joint(d6.pool(2), (Fact(("kh", 1), Worth()), Fact(("kl", 1), Worth()))).p((6, 1))
    Fraction(1, 18)
    """
    size = pool.size
    if not size or not all(is_number(value_of(face)) for die, _ in pool.groups for face in die):
        raise NoFacts
    if any(one.keep is not None and not 0 <= one.keep[1] <= size for one in facts):
        raise NoFacts
    spans = [KEEPS[one.keep[0]](size, one.keep[1]) if one.keep else (0, size) for one in facts]
    ranked = any(one.keep for one in facts)

    def step(state: tuple[Any, ...], face: Any, count: int) -> tuple[Any, ...]:
        seen, *states = state
        after = (
            one.after(now, face, max(0, min(seen + count, end) - max(seen, begin)))
            for now, one, (begin, end) in zip(states, facts, spans, strict=True)
        )
        return (seen + count if ranked else 0, *after)

    def final(state: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(one.value(now) for now, one in zip(state[1:], facts, strict=True))

    return pool.fold(step, (0, *(one.start for one in facts)), final, descending=True)
