"""Calls of the catalogue's games as answers, like those to an expression."""

from __future__ import annotations

from fractions import Fraction
from shlex import quote
from typing import TYPE_CHECKING, Any, cast

from oddsmith.answers.ask import Answer
from oddsmith.budget import DEFAULT_BUDGET, question
from oddsmith.dist import Dist
from oddsmith.games.catalogue import Amount
from oddsmith.notation.chance import Chance
from oddsmith.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oddsmith.games.catalogue import Call


def play(
    asked: Call,
    name: str,
    arguments: Mapping[str, Any],
    budget: int | None = None,
    said: Mapping[str, str] | None = None,
) -> tuple[Answer, ...]:
    """The answers of one call.

    Args:
        asked: The call.
        name: Of what, in front of the text of the answers.
        arguments: The arguments of its function.
        budget: The work it may cost.
        said: How arguments were written, where that is not how they print.

    Returns:
        One answer, or one for each named result.

    >>> from oddsmith.games.catalogue import game
    >>> play(game("six-again").call("means"), "six-again", {"dice": 4})[1].exact
    Fraction(24, 5)
    """
    with question(DEFAULT_BUDGET if budget is None else budget):
        found = asked.function(**arguments)
    shown = {key: _said(value) for key, value in arguments.items()} | dict(said or {})
    words = " ".join(
        f"--{key.replace('_', '-')}" + ("" if arguments[key] is True else f" {quote(text.strip())}")
        for key, text in shown.items()
    )
    text = f"{name} {asked.name} {words}".rstrip()
    summary = (asked.function.__doc__ or "").strip().splitlines()[0]
    reading = f"{summary.rstrip('.')} ({asked.rules})"
    parts = found.items() if isinstance(found, dict) else [(None, found)]
    return tuple(answer(text, reading, value, label) for label, value in parts)


def _said(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def answer(text: str, reading: str, value: Any, label: str | None = None) -> Answer:
    """Any exact value as an answer.

    Args:
        text: What was asked.
        reading: How it was read.
        value: A chance, an ``Amount``, a ``Table`` or a distribution.
        label: The name of this result among several.

    >>> answer("coin", "a coin shows heads", Fraction(1, 2)).kind
    'probability'
    """
    if isinstance(value, Table):
        return Answer(text, reading, "table", table=value, label=label)
    if isinstance(value, Amount):
        return Answer(text, reading, "number", exact=value.value, unit=value.unit, label=label)
    if isinstance(value, Fraction):
        return Answer(text, reading, "probability", value, value, value, label=label)
    if isinstance(value, Dist) and set(value) <= {"win", "tie", "lose"}:
        sides = tuple(Chance.sure(value.p(side)) for side in ("win", "tie", "lose"))
        return Answer(text, reading, "contest", contest=cast("Any", sides), label=label)
    dist = Dist([value]) if isinstance(value, (int, str)) else value
    return Answer(text, reading, "distribution", dist=dist, label=label)
