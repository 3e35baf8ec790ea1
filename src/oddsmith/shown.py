"""Values that show themselves in notebooks, or turn into those of numpy, scipy and pandas.

The methods stand on the values; the work is done in :mod:`oddsmith.render.notebook`, the room that
rounds. It is loaded by name when a method is called, so that nothing down here depends on it.
"""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module
from typing import Any

REST = Fraction(1, 10**15)
"""Where an open-ended distribution is cut for libraries that need an end."""


def _notebook() -> Any:
    return import_module("oddsmith.render.notebook")


class Shown:
    """Something a notebook shows as HTML."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        html: str = _notebook().html(self)
        return html


class Spread(Shown):
    """A distribution that other libraries can take, as floats."""

    __slots__ = ()

    def to_numpy(self, rest: Fraction = REST) -> Any:
        """The outcomes and their chances, as two arrays of floats.

        Args:
            rest: An open-ended distribution ends where less than this is left.

        >>> from oddsmith import d6
        >>> d6.to_numpy()[0].tolist()
        [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
        """
        return _notebook().arrays(self, rest)

    def to_scipy(self, rest: Fraction = REST) -> Any:
        """A frozen ``scipy.stats.rv_discrete``.

        Args:
            rest: An open-ended distribution ends where less than this is left.

        >>> from oddsmith import d6
        >>> round(float(d6.to_scipy().mean()), 6)
        3.5
        """
        return _notebook().discrete(self, rest)

    def to_pandas(self, rest: Fraction = REST) -> Any:
        """A ``pandas.DataFrame``: outcomes as index, the exact chance and its float.

        Args:
            rest: An open-ended distribution ends where less than this is left.

        Raises:
            OddsmithError: Where pandas is not installed.
        """
        return _notebook().frame(self, rest)
