"""What a program is told about its calls: cases without a result, and the depth limit."""

from __future__ import annotations

from fractions import Fraction

Ratio = tuple[int, int]
"""A share as it was counted: making fractions of long ones takes time."""


def less(a: Ratio, b: Ratio) -> bool:
    """Whether a share is the smaller one."""
    return a[0] * b[1] < b[0] * a[1]


def dropped(shape: str, ends: tuple[Ratio, Ratio]) -> str:
    """Some cases had no result.

    >>> dropped("f ?", ((1, 6), (1, 6)))[:52]
    '[f ?] comes to no result in 16.67 % (1/6) of its cas'
    """
    least, most = (Fraction(*end) for end in ends)
    share = f"in {_share(most)} of its cases"
    if least != most:
        share = f"in {_share(least)} to {_share(most)} of its cases (it depends on the call)"
    return (
        f"[{shape}] comes to no result {share}: these were left out and the rest scaled up to "
        f"100 %, so what is shown is given that there is a result"
    )


def _share(share: Fraction) -> str:
    """A share in percent, and exactly where that is short."""
    about = float(100 * share)
    shown = f"{about:.2f} %"
    if not 0.01 <= about <= 99.99:
        shown = "less than 0.01 %" if about < 1 else "more than 99.99 %"
    if share.denominator.bit_length() > 40:
        return shown
    return f"{shown} ({share.numerator}/{share.denominator})"


def cut(shape: str, share: Fraction) -> str:
    """The depth limit was met.

    >>> cut("f ?", Fraction(1))[:51]
    '[f ?] called itself past the maximum function depth'
    """
    about = "always" if share == 1 else f"in {_share(share)} of all rolls"
    return (
        f"[{shape}] called itself past the maximum function depth {about}: what is there counts "
        f'as d{{}}; write set "maximum function depth" to a larger number for less'
    )
