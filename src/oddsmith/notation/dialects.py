"""What the same characters mean in other tools, so that their rolls can be pasted."""

from __future__ import annotations

from oddsmith.errors import RuleError
from oddsmith.record import Record


class Dialect(Record):
    """How a tool differs from this notation.

    Attributes:
        until: ``r`` re-rolls until it no longer matches.
        inclusive: ``>`` in a condition means "or more", ``<`` "or less".
        counts: A comparison glued to dice counts the dice that fit.
        explodes: ``x`` explodes.
        drops: ``d`` after dice drops the lowest.
        colours: ``cs`` and ``cf`` only colour a die, and change no number.
        exact: ``k3`` keeps the dice that show 3.
    """

    until: bool = False
    inclusive: bool = False
    counts: bool = False
    explodes: bool = False
    drops: bool = False
    colours: bool = False
    exact: bool = False


DIALECTS = {
    "oddsmith": Dialect(),
    "roll20": Dialect(until=True, inclusive=True, counts=True, drops=True, colours=True),
    "foundry": Dialect(explodes=True, drops=True),
    "avrae": Dialect(exact=True),
}


def dialect(name: str) -> Dialect:
    """The dialect of a tool.

    Raises:
        RuleError: For a tool that is not known.

    >>> dialect("roll20").until
    True
    """
    if name not in DIALECTS:
        raise RuleError(f"{name} is not a known dialect", f"choose {', '.join(DIALECTS)}")
    return DIALECTS[name]
