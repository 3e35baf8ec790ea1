"""Percentages of a distribution that add up to exactly 100: the method of largest remainders.

Every share is cut to whole units of the last decimal place. The units that are then left over go,
one each, to the shares with the largest remainders; of equal remainders the first one is served
first. So a shown share is less than one unit away from the exact one.

A share that is left with no unit, but is not 0, shows as ``<0.01`` and counts as nothing; one that
is left with all of them, but is not certain, shows as ``>99.99`` and counts as 100.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from oddsmith.render.numbers import rounded

if TYPE_CHECKING:
    from collections.abc import Sequence


def units(shares: Sequence[Fraction], whole: int) -> list[int]:
    """Whole units for shares of 1, by largest remainders; they add up to ``whole``.

    Args:
        shares: Exact, not negative, adding up to 1.
        whole: How many units there are.

    >>> third = Fraction(1, 3)
    >>> units([third, third, third], 100)
    [34, 33, 33]
    """
    exact = [share * whole for share in shares]
    given = [part.numerator // part.denominator for part in exact]
    left = whole - sum(given)
    by_rest = sorted(range(len(exact)), key=lambda place: (given[place] - exact[place], place))
    for place in by_rest[:left]:
        given[place] += 1
    return given


def percentages(shares: Sequence[Fraction], places: int = 2) -> list[str]:
    """Percentages without their sign that add up to exactly 100.

    Args:
        shares: Exact chances that add up to 1.
        places: Decimal places.

    >>> percentages([Fraction(1, 6)] * 6, 0)
    ['17', '17', '17', '17', '16', '16']
    >>> percentages([Fraction(2, 3), Fraction(1, 3) - Fraction(1, 10**6), Fraction(1, 10**6)])
    ['66.67', '33.33', '<0.01']
    """
    whole, least = 100 * 10**places, Fraction(1, 10**places)
    texts = []
    for share, count in zip(shares, units(shares, whole), strict=True):
        if share and not count:
            texts.append(f"<{rounded(least, places)}")
        elif share < 1 and count == whole:
            texts.append(f">{rounded(100 - least, places)}")
        else:
            texts.append(rounded(Fraction(count, 10**places), places))
    return texts
