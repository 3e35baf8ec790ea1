"""Exact dice probabilities: ``odds("4d6kh3 >= 15")``.

>>> from oddsmith import d6, odds
>>> (3 @ d6).at_least(11)
Fraction(1, 2)
>>> odds("3d6 >= 11")[0].exact
Fraction(1, 2)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oddsmith.dice import artillery, coin, d, d3, d4, d6, d8, d10, d12, d20, d100, dF, scatter
from oddsmith.dist import Dist, joint, mix
from oddsmith.open_dist import OpenDist, chain
from oddsmith.pool import Pool

if TYPE_CHECKING:
    from oddsmith.answers.ask import Answer, odds
    from oddsmith.deck import Deck
    from oddsmith.notation.parser import parse
    from oddsmith.notation.unparse import unparse
    from oddsmith.process import Process
    from oddsmith.rules import again, rule

__version__ = "0.1.0"
__all__ = [
    "Answer",
    "Deck",
    "Dist",
    "OpenDist",
    "Pool",
    "Process",
    "again",
    "artillery",
    "chain",
    "coin",
    "d",
    "d3",
    "d4",
    "d6",
    "d8",
    "d10",
    "d12",
    "d20",
    "d100",
    "dF",
    "joint",
    "mix",
    "odds",
    "parse",
    "rule",
    "scatter",
    "unparse",
]  # fmt: skip  # fmt: skip

_LATER = {
    "odds": "oddsmith.answers.ask",
    "Answer": "oddsmith.answers.ask",
    "parse": "oddsmith.notation.parser",
    "unparse": "oddsmith.notation.unparse",
    "Deck": "oddsmith.deck",
    "Process": "oddsmith.process",
    "again": "oddsmith.rules",
    "rule": "oddsmith.rules",
}


def __getattr__(name: str) -> Any:
    """Import the larger rooms only when they are asked for."""
    if name in _LATER:
        from importlib import import_module

        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
