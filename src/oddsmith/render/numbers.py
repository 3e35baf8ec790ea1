"""Rounding, once and stated: half to even, and never 0 or 100 % where that is not certain."""

from __future__ import annotations

from fractions import Fraction

from oddsmith.exact.text import fraction_text, whole_text

LONG = 60
"""A fraction with more characters is shown by its first digits and its length."""


def rounded(value: Fraction, places: int) -> str:
    """A decimal with so many places, rounded half to even.

    >>> rounded(Fraction(1, 8), 2), rounded(Fraction(-7, 2), 0)
    ('0.12', '-4')
    """
    scaled = round(value * 10**places)
    sign, digits = ("-" if scaled < 0 else ""), whole_text(abs(scaled)).rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else sign + digits


def percent(chance: Fraction, places: int = 2) -> str:
    """A percentage without its sign.

    A chance above 0 is never shown as 0, one below 1 never as 100.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 10**6)), percent(1 - Fraction(1, 10**6))
    ('33.33', '<0.01', '>99.99')
    """
    text = rounded(chance * 100, places)
    if chance > 0 and not text.strip("0."):
        return "<" + rounded(Fraction(1, 10**places), places)
    if chance < 1 and Fraction(text) >= 100:
        return ">" + rounded(100 - Fraction(1, 10**places), places)
    return text


def certain_percent(low: Fraction, high: Fraction, places: int = 2) -> str:
    """The percentage of a chance between two ends: only digits on which both agree.

    >>> certain_percent(Fraction(1234, 10000), Fraction(12349, 100000))
    '12.3'
    """
    for digits in range(places, -1, -1):
        if percent(low, digits) == percent(high, digits):
            return percent(low, digits)
    return f"{percent(low, places)} to {percent(high, places)}"


def below(size: Fraction) -> str:
    """A power of ten that is larger than a small chance.

    >>> below(Fraction(1, 5)), below(Fraction(1, 2**40))
    ('1', '10^-12')
    """
    power = 0
    while size and size < 1 and power < 400:
        size, power = size * 10, power + 1
    return f"10^-{power - 1}" if power > 1 else "1"


def decimal(value: Fraction, places: int = 3) -> str:
    """A decimal; zeros at its end are left out only where nothing was rounded.

    >>> decimal(Fraction(7, 2)), decimal(Fraction(1, 3)), decimal(Fraction(59999, 10000))
    ('3.5', '0.333', '6.000')
    """
    text = rounded(value, places)
    if "." not in text or Fraction(text) != value:
        return text
    return text.rstrip("0").rstrip(".")


def deviation(value: float, places: int = 3) -> str:
    """A standard deviation; one above 0 is never shown as 0.

    >>> deviation(0.0), deviation(1e-9), deviation(1.5)
    ('0', '<0.001', '1.500')
    """
    text = f"{value:.{places}f}"
    if text.strip("0."):
        return text
    return f"<{10**-places:.{places}f}" if value else "0"


def _tenths(value: Fraction) -> str:
    return rounded(value, 1).removesuffix(".0")


def one_in(chance: Fraction) -> str:
    """The chance in words: "1 in 6", "about 1 in 4.3", "about 3 in 4".

    The second place is exact up to twenty; else it is ten at most where that comes within a
    hundredth, or a hundred.

    >>> [one_in(chance) for chance in (Fraction(1, 6), Fraction(25, 108), Fraction(3, 4))]
    ['1 in 6', 'about 1 in 4.3', '3 in 4']
    """
    if chance == 0:
        return "never"
    if chance == 1:
        return "always"
    if chance < Fraction(1, 2):
        often = 1 / chance
        about = "" if often.denominator == 1 else "about "
        if often >= 10**15:
            power = len(whole_text(round(often))) - 1
            return f"{'' if often == 10**power else 'about '}1 in 10^{power}"
        shown = f"{round(often):,}" if often >= 10 or often.denominator == 1 else _tenths(often)
        return f"{about}1 in {shown}"
    near = chance.limit_denominator(10) if chance.denominator > 20 else chance
    if abs(near - chance) > Fraction(1, 100):
        near = Fraction(round(chance * 100), 100)
    if near == 1:
        often = 1 / (1 - chance)
        return (
            f"all but {one_in(1 / often).removeprefix('about ')}"
            if often < 10**15
            else "almost always"
        )
    about = "" if near == chance else "about "
    return f"{about}{near.numerator} in {near.denominator}"


def fraction(value: Fraction, longest: int = LONG) -> str:
    """The exact fraction, shortened in the middle when it is very long.

    >>> fraction(Fraction(25, 108)), fraction(Fraction(1, 6**100))
    ('25/108', '1/653318623500070906096690267158057820537143710472954871543071966369497141477376')
    """
    text = fraction_text(value)
    if len(text) <= max(longest, 80):
        return text
    top, _, bottom = text.partition("/")
    return "/".join(_short(part) for part in (top, bottom) if part)


def _short(digits: str) -> str:
    if len(digits) <= 24:
        return digits
    return f"{digits[:8]}..{digits[-8:]} ({len(digits)} digits)"
