"""Notes to an answer: what else the text may have been meant to ask, each with its number.

The rules stand in rooms of their own: :mod:`.disputes` where tables and tools disagree,
:mod:`.anew` where the same dice are written more than once, :mod:`.slips` where a text is legal
and seldom meant. Each rule looks at one place, writes it the other way and says what that is.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from oddsmith.dist import Dist
from oddsmith.errors import OddsmithError, TooLarge
from oddsmith.notation import nodes as n
from oddsmith.notation.anew import anew
from oddsmith.notation.disputes import disputes, shared
from oddsmith.notation.evaluate import Found, evaluate
from oddsmith.notation.slips import lone, slips
from oddsmith.notation.unparse import unparse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

    from oddsmith.notation.nodes import Span


def alternatives(
    program: n.Program, result: n.Result, moved: set[Span]
) -> list[Callable[[Found], str]]:
    """Notes to make about one result; each takes the answer and returns a sentence or nothing."""
    others = [*_others(program.but(results=(result,)), moved), *lone(program, result)]
    return [partial(_note, *other) for other in others]


def _others(program: n.Program, moved: set[Span]) -> Iterator[tuple[str, n.Program | None, str]]:
    """What is said of a lone result, what the number is of, and what is said without a number."""
    (result,) = program.results
    for node in result.body.walk():
        for said, instead in (*disputes(node, moved), *slips(node, result.body)):
            yield said, n.replaced(program, {id(node): instead}) if instead else None, ""
        if isinstance(node, n.Repeat):
            yield from ((said, None, "") for said in shared(program, node))
    yield from anew(program)


def _note(said: str, other: n.Program | None, dear: str, found: Found) -> str:
    """What is said, with the number; nothing where it is no other number, or never happens."""
    if other is None:
        return said
    try:
        number = headline(evaluate(other, unparse(other), 24)[0])
    except TooLarge:
        return dear
    except OddsmithError:
        return ""
    return f"{said} {number}" if number not in ("", headline(found), NEVER) else ""


NEVER = "would be 0"


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
