"""Charts in a terminal: bars, shaded tables and stacked bars made of characters."""

from __future__ import annotations

import unicodedata
from fractions import Fraction
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from oddsmith.errors import RuleError
from oddsmith.exact.text import fraction_text
from oddsmith.render.cells import cell
from oddsmith.render.numbers import percent
from oddsmith.render.outcomes import filled, laid_out, merged, repeated
from oddsmith.render.terminal import bar
from oddsmith.render.unknown import between, is_seen, notes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from oddsmith.answers.charts import Chart, Series

    Key = tuple[str, int]

CODES = ("34", "33", "32", "35", "31", "36", "37", "90")
SIDES = ("34", "90", "33")
TINTS = (17, 18, 19, 25, 31, 38, 74, 110, 153)
SHADES = (" ░▒▓█", " .:*#")
FILLS = ("█▓▒░", "#=-.")
PALE = "░."
"""What is not known."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
NARROWEST = 32
BAR = 6
"""A bar is at least so long."""


def chart(shown: Chart, width: int | None = None, colour: bool = False, ascii: bool = False) -> str:
    """A chart as lines of text.

    Args:
        shown: What to draw.
        width: Columns to keep to (default: the width of the terminal).
        colour: Whether to write colours.
        ascii: Nothing but ASCII.

    Raises:
        RuleError: Where there is nothing to draw.

    >>> from oddsmith import odds
    >>> from oddsmith.answers import charts
    >>> print(chart(charts.chart(odds("d2")), 40, ascii=True))
    d2
    <BLANKLINE>
      1  50.00 %  ##########################
      2  50.00 %  ##########################
    """
    if not any(one.xs for one in shown.series):
        raise RuleError("there is nothing to draw", "plot a distribution, a question or a table")
    pen = _Pen(max(NARROWEST, width or get_terminal_size().columns), colour, ascii)
    title = wrap(pen.clean(shown.title), pen.width)
    lines = [*(pen.ink(line, "1") for line in title), "", *KINDS[shown.kind](pen, shown)]
    for note in notes(shown):
        lines += ["", *pen.fold(note)]
    return "\n".join(line.rstrip() for line in lines)


class _Pen:
    """How to write: so wide, in colour or not, in ASCII or not."""

    def __init__(self, width: int, colour: bool, ascii: bool) -> None:
        self.width, self.colour, self.ascii = width, colour, ascii

    def ink(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text

    def tone(self, place: int, sides: bool = False) -> str:
        """The code of the colour of a series."""
        codes = SIDES if sides else CODES
        return codes[place % len(codes)]

    def bar(self, share: Fraction, width: int) -> str:
        share = max(share, Fraction(0))
        return "#" * round(share * width) if self.ascii else bar(share, width)

    def clean(self, text: str) -> str:
        """A text on one line, in ASCII where that is wanted."""
        text = " ".join(text.split())
        return _plain(text) if self.ascii else text

    def cut(self, text: str, room: int) -> str:
        """A text in at most so many columns."""
        text = self.clean(text)
        if _wide(text) <= room:
            return text
        while _wide(text) > max(1, room - 2):
            text = text[:-1]
        return f"{text}.." if room > 2 else text

    def names(self, names: Sequence[str], part: int = 3) -> list[str]:
        """Names cut to a third of the width, or another part of it, and set flush right."""
        cut = [self.cut(name, self.width // part) for name in names]
        widest = max(map(_wide, cut))
        return [" " * (widest - _wide(name)) + name for name in cut]

    def fold(self, text: str) -> list[str]:
        """An indented text in lines."""
        return wrap(self.clean(text), self.width, initial_indent="  ", subsequent_indent="  ")


def _wide(text: str) -> int:
    """How many columns a text takes.

    >>> _wide("ab"), _wide("龍"), _wide("é")
    (2, 2, 1)
    """
    double = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    return len(text) + double - sum(bool(unicodedata.combining(sign)) for sign in text)


def _plain(text: str) -> str:
    """The text in ASCII: accents dropped, anything else a question mark.

    >>> _plain("é½龍")
    'e1?2?'
    """
    apart = unicodedata.normalize("NFKD", text)
    kept = "".join(sign for sign in apart if not unicodedata.combining(sign))
    return kept.encode("ascii", "replace").decode("ascii")


def _value(shown: Chart, value: Fraction, places: int = 2, high: Fraction | None = None) -> str:
    if high is not None and high != value:
        return between(shown, value, high, places)
    return cell(value, "chance" if shown.percent else "number", "percent", places)


def _name(x: Any) -> str:
    return fraction_text(Fraction(x)) if isinstance(x, (int, Fraction)) else str(x)


def _keyed(one: Series) -> dict[Key, Fraction]:
    """The values of a series by name, and by repetition where a name comes again."""
    return dict(zip(repeated(list(map(_name, one.xs))), one.ys, strict=True))


def _keys(shown: Chart) -> list[Key]:
    """All names in an order that keeps to that of each series."""
    return merged([list(map(_name, one.xs)) for one in shown.series])


# --- bars


def _bars(pen: _Pen, shown: Chart) -> list[str]:
    """A row for each outcome; several distributions side by side, or one below the other."""
    top = max(y for one in shown.series for y in one.highs or one.ys)
    if shown.percent and shown.kind in ("steps", "chances"):
        top = Fraction(1)
    top = top if top > 0 else Fraction(1)
    what = _what(pen, shown) if shown.kind == "steps" else []
    if len(shown.series) == 1:
        return what + _block(pen, shown, shown.series[0], top, "32")
    keys = _keys(shown)
    names = pen.names([name for name, _ in keys])
    room = (pen.width - _wide(names[0]) - 2) // len(shown.series)
    number = max(
        len(_value(shown, y, high=high))
        for one in shown.series
        for y, high in zip(one.ys, one.highs or one.ys, strict=True)
    )
    if room >= number + BAR + 3:
        return _side_by_side(pen, shown, top, keys, names, room - 2, number)
    lines = what
    for place, one in enumerate(shown.series):
        lines += [""] if lines else []
        lines.append(pen.ink(pen.cut(one.name, pen.width), pen.tone(place)))
        lines += _block(pen, shown, one, top, pen.tone(place))
    return lines


def _what(pen: _Pen, shown: Chart) -> list[str]:
    """What the values are, and a blank line."""
    named = {"chances": shown.x, "ridge": f"chance by {shown.y}"}
    name = named.get(shown.kind, shown.y) or "chance"
    bands = f", by {shown.colours}" if shown.kind == "stack" and shown.colours else ""
    return [*pen.fold(f"{name} in %{bands}" if shown.percent else f"{name}{bands}"), ""]


def _side_by_side(
    pen: _Pen, shown: Chart, top: Fraction, keys: list[Key], names: list[str], room: int,
    number: int,
) -> list[str]:  # fmt: skip
    """A column of bars for each distribution."""
    if shown.kind == "steps":
        shown = filled(shown)
    found, long = [_keyed(one) for one in shown.series], room - number - 1
    highs = [_keyed(one.but(ys=one.highs)) if one.highs else {} for one in shown.series]
    head = " " * (_wide(names[0]) + 2)
    for place, one in enumerate(shown.series):
        cut = pen.cut(one.name, room)
        head += f"  {pen.ink(cut, pen.tone(place))}{' ' * (room - _wide(cut))}"
    lines = [*_what(pen, shown), head]
    for name, key in zip(names, keys, strict=True):
        line = f"  {name}"
        for place, ys in enumerate(found):
            text = _value(shown, ys[key], high=highs[place].get(key)) if key in ys else ""
            drawn = pen.bar(ys.get(key, Fraction(0)) / top, long)
            line += f"  {text.rjust(number)} {pen.ink(drawn, pen.tone(place))}"
            line += " " * (long - len(drawn))
        lines.append(line)
    return lines + [
        line for one in shown.series for outside in _outside(one)
        for line in pen.fold(f"{one.name}: {outside}")
    ]  # fmt: skip


def _block(pen: _Pen, shown: Chart, one: Series, top: Fraction, tone: str) -> list[str]:
    """The bars of one distribution."""
    if not one.xs:
        return []
    names, unit = pen.names([_name(x) for x in one.xs]), " %" if shown.percent else ""
    highs, seen = one.highs or one.ys, is_seen(shown)
    ends = list(zip(one.ys, highs, strict=True))
    values = [_value(shown, y, high=high) + unit for y, high in ends]
    number = max(map(len, values))
    room = max(BAR, pen.width - _wide(names[0]) - number - 6)
    lines = []
    for name, value, (y, high) in zip(names, values, ends, strict=True):
        drawn = pen.bar(y / top, room)
        pale = round(high / top * room) - len(drawn) if seen else 0
        bars = pen.ink(drawn, tone) + pen.ink(PALE[pen.ascii] * max(0, pale), tone)
        lines.append(f"  {name}  {value.rjust(number)}  {bars}")
    return lines + [line for outside in _outside(one) for line in pen.fold(outside)]


def _outside(one: Series) -> list[str]:
    """What lies outside the rows."""
    lines = []
    if one.below:
        lines.append(f"below {_name(one.xs[0])}: together {percent(one.below)} %")
    if one.beyond:
        number = isinstance(one.xs[-1], (int, Fraction))
        above = f"above {_name(one.xs[-1])}" if number else "others"
        lines.append(f"{above}: together {percent(one.beyond)} %")
    return lines


# --- bands


def _chances(pen: _Pen, shown: Chart) -> list[str]:
    """Bars up to 100 %; win, tie and lose one behind the other."""
    return _bars(pen, shown) if len(shown.series) == 1 else _stack(pen, shown)


def _stack(pen: _Pen, shown: Chart) -> list[str]:
    """A bar of bands for each row, the names of the bands above, their values behind."""
    many, keys, found = len(shown.series), _keys(shown), [_keyed(one) for one in shown.series]
    if pen.colour and not pen.ascii and many <= len(CODES):
        fills = FILLS[0][0]
    else:
        fills = FILLS[pen.ascii] if many <= len(FILLS[0]) else LETTERS
    marks = [fills[place % len(fills)] for place in range(many)]
    tones = [pen.tone(place, many == 3) for place in range(many)]
    names = pen.names([name for name, _ in keys], 4)
    texts = [[_value(shown, ys.get(key, Fraction(0)), 1) for ys in found] for key in keys]
    number = max(len(text) for row in texts for text in row)
    left, behind = pen.width - _wide(names[0]) - 4, many * (number + 1) + 1
    beside = left - behind >= 20
    room = left - behind if beside else left
    lines = [*_what(pen, shown), *_bands(pen, shown, marks, tones)]
    for name, key, row in zip(names, keys, texts, strict=True):
        sizes = _shares([ys.get(key, Fraction(0)) for ys in found], room, shown)
        parts = zip(marks, sizes, tones, strict=True)
        drawn = "".join(pen.ink(mark * size, tone) for mark, size, tone in parts)
        line = f"  {name}  {drawn}{' ' * (room - sum(sizes))}"
        lines.append(line + " " + "".join(f" {text.rjust(number)}" for text in row) * beside)
    return lines


def _bands(pen: _Pen, shown: Chart, marks: list[str], tones: list[str]) -> list[str]:
    """Which mark is which band."""
    lines: list[str] = []
    line, wide = "", 0
    for one, mark, tone in zip(shown.series, marks, tones, strict=True):
        name = pen.cut(one.name, pen.width - 4)
        if wide and wide + 4 + _wide(name) > pen.width:
            lines, line, wide = [*lines, line], "", 0
        line, wide = f"{line}  {pen.ink(mark, tone)} {name}", wide + 4 + _wide(name)
    return [*lines, line, ""]


def _shares(values: Sequence[Fraction], room: int, shown: Chart) -> list[int]:
    """So many columns for each band; what rounding leaves goes to the largest rests."""
    whole = Fraction(1) if shown.percent else sum(values, Fraction(0)) or Fraction(1)
    exact = [value / whole * room for value in values]
    sizes = [int(size) for size in exact]
    spare = round(sum(exact, Fraction(0))) - sum(sizes)
    order = sorted(range(len(values)), key=lambda place: (sizes[place] - exact[place], place))
    for place in order[:spare]:
        sizes[place] += 1
    return sizes


# --- tables


def _heat(pen: _Pen, shown: Chart) -> list[str]:
    """A shaded cell for each value: with its number where all columns fit, else alone."""
    keys, values = laid_out(shown)
    found: list[dict[int, Fraction]] = [{} for _ in shown.series]
    for (row, column), y in values.items():
        found[row][column] = y
    names = pen.names([one.name for one in shown.series], 4)
    number = max(len(_value(shown, y, 1)) for one in shown.series for y in one.ys)
    size = number + (1 if pen.colour else 2)
    heads = [pen.cut(name, max(size, 6)) for name, _ in keys]
    size = max(size, *map(_wide, heads))
    left = pen.width - _wide(names[0]) - 2
    fit = max(1, left // (size + 1))
    if len(keys) > 2 * fit:
        return _shades(pen, shown, keys, names, found, left)
    low, high = _scale(shown)
    lines = _axes(pen, shown)
    for start in range(0, len(keys), fit):
        block = slice(start, start + fit)
        head = "".join(" " * (size + 1 - _wide(name)) + name for name in heads[block])
        lines += ["", " " * (_wide(names[0]) + 2) + head]
        for name, ys in zip(names, found, strict=True):
            places = range(len(keys))[block]
            cells = [_cell(pen, shown, ys.get(place), (low, high), size) for place in places]
            lines.append(f"  {name} {' '.join(cells)}")
    return lines


def _cell(
    pen: _Pen, shown: Chart, y: Fraction | None, ends: tuple[Fraction, Fraction], size: int
) -> str:
    """One cell: its number on the shade, or behind it."""
    if y is None:
        return " " * size
    share, number = (y - ends[0]) / (ends[1] - ends[0]), _value(shown, y, 1)
    if pen.colour:
        return pen.ink(number.rjust(size), _tint(share))
    return SHADES[pen.ascii][round(share * 4)] + number.rjust(size - 1)


def _tint(share: Fraction) -> str:
    """Light text on dark blue up to dark text on light blue, of the 256 colours of terminals."""
    ground = TINTS[round(share * (len(TINTS) - 1))]
    return f"{97 if share < Fraction(1, 2) else 30};48;5;{ground}"


def _shades(
    pen: _Pen, shown: Chart, keys: list[Key], names: list[str],
    found: list[dict[int, Fraction]], left: int,
) -> list[str]:  # fmt: skip
    """Cells of one or two characters, and what the shades stand for."""
    low, high = _scale(shown)
    signs, unit = SHADES[pen.ascii], " %" if shown.percent else ""
    wide = 2 if 2 * len(keys) < left else 1
    steps = [_value(shown, low + (high - low) * Fraction(k, 4), 1) + unit for k in range(5)]
    told = ", ".join(f'"{sign}" {step}' for sign, step in zip(signs, steps, strict=True))
    lines = [
        *_axes(pen, shown),
        *wrap(told, pen.width, initial_indent="  ", subsequent_indent="  "),
    ]
    fit = (left - 1) // wide
    for start in range(0, len(keys), fit):
        block = range(len(keys))[start : start + fit]
        lines += ["", *pen.fold(f"columns {keys[block[0]][0]} to {keys[block[-1]][0]}")]
        for name, ys in zip(names, found, strict=True):
            row = f"  {name} "
            for place in block:
                share = (ys[place] - low) / (high - low) if place in ys else None
                sign = " " if share is None else signs[round(share * 4)]
                row += sign * wide if share is None else pen.ink(sign * wide, _tint(share))
            lines.append(row)
    return lines


def _axes(pen: _Pen, shown: Chart) -> list[str]:
    value = shown.colours or ("chance" if shown.percent else "value")
    unit = f"{value} in %" if shown.percent else value
    return pen.fold(f"rows: {shown.y}, columns: {shown.x}, {unit}")


def _scale(shown: Chart) -> tuple[Fraction, Fraction]:
    """From 0 to 100 % where chances are large, else what there is."""
    every = [y for one in shown.series for y in one.ys]
    low, high = min(every), max(every)
    if shown.percent:
        low, high = Fraction(0), Fraction(1) if high > Fraction(1, 2) else high
    return low, high if high > low else low + 1


# --- points


def _scatter(pen: _Pen, shown: Chart) -> list[str]:
    """The points as a table."""
    points = [(one.name, x, y) for one in shown.series for x, y in zip(one.xs, one.ys, strict=True)]
    names = pen.names([name for name, _, _ in points], 2)
    xs = [cell(Fraction(x), "number") for _, x, _ in points]
    ys = [_value(shown, y) for _, _, y in points]
    room = max(4, (pen.width - _wide(names[0]) - 6) // 2)
    across, up = pen.cut(shown.x, room), pen.cut(shown.y, room)
    wide, high = max(map(_wide, [across, *xs])), max(map(_wide, [up, *ys]))
    heads = " " * (wide - _wide(across)) + across, " " * (high - _wide(up)) + up
    rows = zip(names, xs, ys, strict=True)
    head = f"  {' ' * _wide(names[0])}  {heads[0]}  {heads[1]}"
    return [head, *(f"  {name}  {x.rjust(wide)}  {y.rjust(high)}" for name, x, y in rows)]


KINDS: dict[str, Callable[[_Pen, Chart], list[str]]] = {
    "bars": _bars,
    "lines": _bars,
    "steps": _bars,
    "ridge": _bars,
    "chances": _chances,
    "heat": _heat,
    "stack": _stack,
    "scatter": _scatter,
}
