"""Values of an AnyDice program as Python: numbers, tuples, distributions and pools.

Nothing is run here: what is known of a value is its kind, so that a program is written down as it
stands, with its loops, conditions and functions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from oddsmith.anydice import nodes as n
from oddsmith.anydice.operators import COMPARE
from oddsmith.anydice.python_code import (
    AND,
    ATOM,
    BOTTOM,
    COMPARED,
    DIE,
    KNOWN_DICE,
    NOT,
    NUMBER,
    OR,
    POOL,
    POWER,
    PRODUCT,
    SEQUENCE,
    SIGN,
    SUM,
    TOTAL,
    UNKNOWN,
    Code,
    number,
    plain,
    pool,
    row,
    total,
    truth,
    tupled,
)  # fmt: skip
from oddsmith.anydice.translate import Untold

if TYPE_CHECKING:
    from collections.abc import Sequence

SIGNS = {"=": "==", "!=": "!="}
LEVELS = {"+": SUM, "-": SUM, "*": PRODUCT}
LONGEST_ROW = 1_000
DICE = (DIE, TOTAL)


class Values(ABC):
    """Turns values into Python.

    Attributes:
        used: Helpers and other names that the text needs.
        lowest_first: Whether places of dice count from the lowest.
        depth: How often explode rolls again.
    """

    def __init__(self) -> None:
        self.used: set[str] = set()
        self.lowest_first = False
        self.depth = 2

    @abstractmethod
    def variable(self, node: n.Variable) -> Code:
        """A variable."""

    @abstractmethod
    def own_call(self, node: n.Call) -> Code | None:
        """A call of a function of the program; None for any other."""

    def use(self, name: str) -> str:
        """A name that has to be imported or defined."""
        self.used.add(name)
        return name

    def value(self, node: Any) -> Code:
        """Any value.

        Raises:
            Untold: Where it cannot be said.
        """
        if isinstance(node, n.Number):
            return number(node.value)
        if isinstance(node, n.Variable):
            return self.variable(node)
        if isinstance(node, n.Sequence):
            return self.sequence(node)
        if isinstance(node, n.Unary):
            return self.unary(node)
        if isinstance(node, n.Binary):
            return self.binary(node)
        if isinstance(node, n.Call):
            return self.own_call(node) or self.call(node)
        raise Untold("this value has no place in Python", node)

    def amount(self, node: Any) -> Code:
        """A number, or what a sequence adds up to."""
        found = self.value(node)
        if found.kind in (DIE, POOL, TOTAL):
            raise Untold("dice stand where Python needs a number", node)
        return total(found) if found.kind else found

    # sequences

    def sequence(self, node: n.Sequence) -> Code:
        """``{1, 2..4, 5:3}``."""
        parts = [self.part(part) for part in node.parts]
        if any(not part.kind for part in parts):
            return BOTTOM
        known = [part.constant for part in parts]
        if all(values is not None for values in known):
            whole = tuple(element for values in known for element in values)
            if len(whole) <= LONGEST_ROW:
                return row(whole)
        text = ", ".join(part.text for part in parts) + "," * (len(parts) == 1)
        if len(parts) == 1 and parts[0].text.startswith("*range"):
            return Code(parts[0].text[1:], SEQUENCE, ATOM, low=parts[0].low)
        if len(parts) == 1 and parts[0].text.endswith(".outcomes()"):
            return Code(f"tuple({parts[0].text[1:]})", SEQUENCE, is_filled=True)
        filled = any(part.is_filled for part in parts)
        return Code(f"({text})", SEQUENCE, ATOM, is_filled=filled)

    def part(self, node: n.Part) -> Code:
        """A part of a sequence, as it stands between commas."""
        low = self.value(node.low)
        high = None if node.high is None else self.amount(node.high)
        times = None if node.times is None else self.amount(node.times)
        if not low.kind or (high and not high.kind) or (times and not times.kind):
            return BOTTOM
        found = self._elements(node, low, high)
        if times is None:
            return found
        if found.constant is not None and times.constant is not None:
            whole = found.constant * max(0, times.constant)
            if len(whole) <= LONGEST_ROW:
                return _starred(row(whole))
        inner = found.text if found.text.startswith("*") else f"{found.text},"
        return Code(f"*(({inner}{'' if inner.endswith(',') else ','}) * {times.inside(POWER)})",
                    SEQUENCE)  # fmt: skip

    def _elements(self, node: n.Part, low: Code, high: Code | None) -> Code:
        """The elements of a part before it is repeated."""
        if high is not None:
            if low.kind in (DIE, POOL, TOTAL):
                raise Untold("dice stand where Python needs a number", node)
            first = total(low)
            known = first.constant is not None and high.constant is not None
            if known and high.constant - first.constant < LONGEST_ROW:
                return _starred(row(tuple(range(first.constant, high.constant + 1))))
            text = f"*range({plain(first).text}, {self._after(node.high, high)})"
            return Code(text, SEQUENCE, ATOM, low=first.low)
        if low.kind == NUMBER:
            constant = None if low.constant is None else (low.constant,)
            return Code(plain(low).text, SEQUENCE, ATOM, constant, is_filled=True)
        if low.kind == SEQUENCE:
            return _starred(low)
        if low.kind == TOTAL:
            raise Untold("the elements of this value are not known beforehand", node)
        return Code(f"*{total(low).inside(ATOM)}.outcomes()", SEQUENCE, is_filled=True)

    def _after(self, node: Any, last: Code) -> str:
        """One more than the last number of a range."""
        if last.constant is not None:
            return str(last.constant + 1)
        one_less = isinstance(node, n.Binary) and node.op == "-"
        if one_less and isinstance(node.right, n.Number) and node.right.value == 1:
            return plain(self.amount(node.left)).text
        return f"{plain(last).inside(SUM)} + 1"

    # signs

    def unary(self, node: n.Unary) -> Code:
        """A sign in front of a value."""
        body = self.value(node.body)
        if not body.kind:
            return body
        if node.op == "d":
            return self.faces(node, body)
        if node.op == "+":
            return body
        if node.op == "#":
            return self.size(node, body)
        if node.op == "-":
            return self._negative(body)
        inner = total(body)
        if body.is_truth:
            return Code(f"not {body.inside(NOT)}", NUMBER, NOT, is_truth=True)
        if inner.kind == NUMBER:
            return Code(f"{inner.inside(SUM)} == 0", NUMBER, COMPARED, is_truth=True)
        if inner.kind == DIE:
            return Code(f"{inner.inside(ATOM)}.eq(0)", DIE)
        return Code(f"{self.use('equal')}({inner.text}, 0)", TOTAL)

    def _negative(self, body: Code) -> Code:
        if body.kind == POOL:
            if body.dice is not None:
                count, die = body.dice
                return pool(count, Code(f"-{die.inside(SIGN)}", DIE, SIGN))
            return body.but(text=f"{body.inside(ATOM)}.each(lambda face: -face)", level=ATOM)
        inner = total(body)
        if inner.constant is not None:
            return number(-inner.constant)
        return Code(f"-{inner.inside(SIGN)}", inner.kind, SIGN)

    def size(self, node: n.Unary, body: Code) -> Code:
        """``#``: digits, elements or dice."""
        if body.kind == NUMBER:
            return Code(f"len(str(abs({plain(body).text})))")
        if body.kind == SEQUENCE:
            return Code(f"len({body.text})")
        if body.kind == DIE:
            return number(1)
        if body.kind == POOL:
            if body.size is not None:
                return number(body.size)
            return Code(f"{body.inside(ATOM)}.size")
        raise Untold("how many dice this is is not known beforehand", node)

    def faces(self, node: Any, body: Code) -> Code:
        """The die that ``d`` makes of a value."""
        if body.kind in (DIE, POOL):
            return body
        if body.kind == TOTAL:
            raise Untold("a number or dice stand behind a d", node)
        if body.kind == SEQUENCE:
            if body.constant == ():
                raise Untold("there is no empty die in Python", node)
            return Code(f"{self.use('Dist')}({body.text})", DIE)
        sides = body.constant
        if sides is None and body.low is not None and body.low >= 1:
            return Code(f"{self.use('d')}({plain(body).text})", DIE)
        if sides is None:
            return Code(f"{self.use('sided')}({plain(body).text})", DIE)
        if sides in KNOWN_DICE:
            return Code(self.use(f"d{sides}"), DIE)
        if sides > 0:
            return Code(f"{self.use('d')}({sides})", DIE)
        if not sides:
            return Code(f"{self.use('Dist')}([0])", DIE)
        return Code(f"-{self.faces(node, number(-sides)).text}", DIE, SIGN)

    # operators

    def binary(self, node: n.Binary) -> Code:
        """Two sides of an operator."""
        left, right = self.value(node.left), self.value(node.right)
        if not left.kind or not right.kind:
            return BOTTOM
        op = node.op
        if op == "d":
            return self.dice(node, left, right)
        if op == "@":
            return self.places(node, left, right)
        if op in COMPARE:
            return self.compared(op, left, right)
        a, b = total(left), total(right)
        if op in "&|":
            return self._both(op, left, right)
        if op == "/":
            return self._divided(a, b)
        if op == "^":
            return self._power(node, a, b)
        kind = _kind(a, b)
        if kind == NUMBER and a.constant is not None and b.constant is not None:
            found = {"+": a.constant + b.constant, "-": a.constant - b.constant}
            return number(found.get(op, a.constant * b.constant))
        level, low = LEVELS[op], None
        if op != "-" and a.low is not None and b.low is not None and min(a.low, b.low) >= 0:
            low = a.low + b.low if op == "+" else a.low * b.low
        return Code(f"{a.inside(level)} {op} {b.inside(level + 1)}", kind, level, low=low)

    def _both(self, op: str, left: Code, right: Code) -> Code:
        a, b = _summed(left), _summed(right)
        kind = _kind(a, b)
        if kind == NUMBER:
            level, word = (AND, "and") if op == "&" else (OR, "or")
            text = f"{truth(a).inside(level)} {word} {truth(b).inside(level + 1)}"
            return Code(text, NUMBER, level, is_truth=True)
        name = self.use("both" if op == "&" else "either")
        return Code(f"{name}({plain(a).text}, {plain(b).text})", kind)

    def _divided(self, a: Code, b: Code) -> Code:
        kind = _kind(a, b)
        if kind == NUMBER:
            return Code(f"{self.use('divide')}({a.text}, {b.text})")
        if a.kind == DIE and b.constant:
            return Code(f"({a.inside(PRODUCT)} / {b.inside(SIGN)}).map({self.use('trunc')})", DIE)
        self.use("divide")
        return Code(f"{self.use('rule')}(divide)({a.text}, {b.text})", kind)

    def _power(self, node: n.Binary, a: Code, b: Code) -> Code:
        if b.constant is None or b.constant < 0:
            raise Untold("only powers with a known exponent from 0 on are said in Python", node)
        if a.kind == NUMBER:
            return Code(f"{a.inside(ATOM)} ** {b.constant}", NUMBER, POWER)
        if a.kind == DIE:
            return Code(f"{a.inside(ATOM)}.map(lambda face: face ** {b.constant})", DIE)
        raise Untold("a number or dice stand before a ^", node)

    def compared(self, op: str, left: Code, right: Code) -> Code:
        """A comparison; of a sequence and a number, how many elements fit."""
        sign = SIGNS.get(op, op)
        if left.kind == right.kind == SEQUENCE:
            text = f"{tupled(left).inside(SUM)} {sign} {tupled(right).inside(SUM)}"
            return Code(text, NUMBER, COMPARED, is_truth=True)
        a, b = left, right
        if left.kind == SEQUENCE and right.kind == NUMBER:
            return Code(f"sum(face {sign} {plain(right).inside(SUM)} for face in {left.text})")
        if left.kind == NUMBER and right.kind == SEQUENCE:
            return Code(f"sum({plain(left).inside(SUM)} {sign} face for face in {right.text})")
        a, b = total(left), total(right)
        kind = _kind(a, b)
        if kind == NUMBER:
            return Code(f"{a.inside(SUM)} {sign} {b.inside(SUM)}", NUMBER, COMPARED, is_truth=True)
        if op in SIGNS:
            if a.kind != DIE:
                a, b = b, a
            if a.kind == DIE:
                name = "eq" if op == "=" else "ne"
                return Code(f"{a.inside(ATOM)}.{name}({b.text})", DIE)
            found = Code(f"{self.use('equal')}({a.text}, {b.text})", TOTAL)
            return found if op == "=" else Code(f"1 - {found.text}", TOTAL, SUM)
        return Code(f"{a.inside(SUM)} {sign} {b.inside(SUM)}", kind, COMPARED)

    # dice

    def dice(self, node: n.Binary, left: Code, right: Code) -> Code:
        """``N d X``."""
        one = self.faces(node.right, right)
        if left.kind in (DIE, POOL, TOTAL):
            text = f"{total(left).inside(PRODUCT)} @ {total(one).inside(SIGN)}"
            return Code(text, TOTAL if left.kind == TOTAL else DIE, PRODUCT)
        count = total(left)
        die = total(one)
        if count.constant is None:
            if one.kind == POOL:
                text = f"{count.inside(PRODUCT)} @ {die.inside(SIGN)}"
                return Code(text, TOTAL, PRODUCT)
            self.use("Dist")
            if count.low is not None and count.low >= 1:
                return pool(count, die)
            return Code(f"{self.use('some')}({count.text}, {die.text})", POOL)
        if count.constant == 0:
            return Code(f"{self.use('Dist')}([0])", DIE)
        if count.constant == 1:
            return one
        if count.constant < 0:
            die = Code(f"-{die.inside(SIGN)}", DIE, SIGN)
        return pool(number(abs(count.constant)), die)

    def places(self, node: n.Binary, left: Code, right: Code) -> Code:
        """``P @ X``: elements, digits or dice in these places, added up."""
        if left.kind not in (NUMBER, SEQUENCE):
            raise Untold("dice stand where Python needs a number", node)
        if right.kind == TOTAL:
            raise Untold("how many dice this is is not known beforehand", node)
        if right.kind in (DIE, POOL):
            known = self._window(left, right)
            if known is not None:
                return known
        asked = left.text if left.kind == SEQUENCE else f"[{plain(left).text}]"
        self.use("pick")
        if right.kind == SEQUENCE:
            return Code(f"pick({asked}, {right.text})")
        back = "" if self.lowest_first else "[::-1]"
        if right.kind == NUMBER:
            turned = "[::-1]" if self.lowest_first else ""
            return Code(f"pick({asked}, {self.use('digits')}({plain(right).text}){turned})")
        rolled = f"{self.use('rule')}(lambda faces: pick({asked}, faces{back}))"
        return Code(f"{rolled}({self.pooled(right).text})", DIE)

    def _window(self, left: Code, right: Code) -> Code | None:
        """Places side by side that are known, of dice whose number is known."""
        size = 1 if right.kind == DIE else right.size
        if left.constant is None or size is None:
            return None
        asked = (left.constant,) if left.kind == NUMBER else left.constant
        places = sorted(place for place in asked if 1 <= place <= size)
        if self.lowest_first:
            places = [size + 1 - place for place in reversed(places)]
        if not places:
            return Code(f"{self.use('Dist')}([0])", DIE)
        if places != list(range(places[0], places[-1] + 1)):
            return None
        return self.kept(right, size, size - places[-1], size - places[0] + 1)

    def kept(self, dice: Code, size: int, first: int, last: int) -> Code:
        """The dice from one rank to before another, from the lowest, added up."""
        if (first, last) == (0, size):
            return total(dice)
        text = dice.inside(ATOM)
        if last - first == 1 and first == 0:
            return Code(f"{text}.lowest()", DIE)
        if last - first == 1 and last == size:
            return Code(f"{text}.highest()", DIE)
        if last == size:
            return Code(f"{text}.keep_highest({last - first}).sum()", DIE)
        if first == 0:
            return Code(f"{text}.keep_lowest({last}).sum()", DIE)
        return Code(f"{text}.window({first}, {last}).sum()", DIE)

    def pooled(self, value: Code) -> Code:
        """A die or dice as a pool."""
        if value.kind == POOL:
            return value
        return Code(f"{value.inside(ATOM)}.pool(1)", POOL, ATOM, size=1)

    def certain(self, value: Code) -> Code:
        """A number as a die."""
        return Code(f"{self.use('Dist')}([{plain(value).text}])", DIE)

    # calls

    def call(self, node: n.Call) -> Code:
        """A built-in function."""
        args = [self.value(arg) for arg in node.args]
        if any(not arg.kind for arg in args):
            return BOTTOM
        words = node.shape.split()
        if node.shape == "absolute ?":
            inner = total(args[0])
            return Code(f"abs({inner.text})", inner.kind)
        if node.shape in ("highest of ? and ?", "lowest of ? and ?"):
            return self._better(words[0], total(args[0]), total(args[1]))
        if words[0] in ("highest", "lowest", "middle"):
            return self._ranked(node, words[0], args)
        if node.shape in ("count ? in ?", "? contains ?"):
            return self._counted(node, args)
        if node.shape == "explode ?":
            return self._exploded(node, total(args[0]))
        if node.shape == "maximum of ?":
            return self._maximum(node, total(args[0]))
        if node.shape in ("reverse ?", "sort ?"):
            return self._ordered(node, args[0])
        raise Untold(f"[{node.shape}] is not said in Python", node)

    def _better(self, word: str, a: Code, b: Code) -> Code:
        kind = _kind(a, b)
        if kind == NUMBER:
            return Code(f"{'max' if word == 'highest' else 'min'}({a.text}, {b.text})")
        return Code(f"{self.use('Pool')}([{a.text}, {b.text}]).{word}()", kind)

    def _ranked(self, node: n.Call, word: str, args: Sequence[Code]) -> Code:
        if args[0].kind not in (NUMBER, SEQUENCE):
            raise Untold("keeping a rolled number of dice is not said in Python", node)
        many = total(args[0])
        pools = [self._as_dice(node, arg) for arg in args[1:]]
        if len(pools) > 1:
            text = " + ".join(self.pooled(one).inside(SUM) for one in pools)
            return Code(f"{self.use(word)}({many.text}, {text})", DIE)
        (one,) = pools
        size = 1 if one.kind == DIE else one.size
        if many.constant is None or size is None:
            if word == "middle":
                raise Untold("the middle of a number of dice is not said in Python", node)
            return Code(f"{self.use(word)}({many.text}, {self.pooled(one).text})", DIE)
        count = min(max(0, many.constant), size)
        if not count:
            return Code(f"{self.use('Dist')}([0])", DIE)
        above = {"highest": 0, "lowest": size - count, "middle": (size - count) // 2}[word]
        return self.kept(one, size, size - above - count, size - above)

    def _as_dice(self, node: n.Call, value: Code) -> Code:
        if value.kind == TOTAL:
            raise Untold("how many dice this is is not known beforehand", node)
        if value.kind in (DIE, POOL):
            return value
        return self.certain(total(value))

    def _counted(self, node: n.Call, args: Sequence[Code]) -> Code:
        counts = node.shape == "count ? in ?"
        wanted, roll = args if counts else (total(args[1]), args[0])
        if wanted.kind not in (NUMBER, SEQUENCE) or roll.kind == TOTAL:
            raise Untold("counting rolled values is not said in Python", node)
        if roll.kind == NUMBER:
            roll = Code(f"({plain(roll).text},)", SEQUENCE)
        if roll.kind == SEQUENCE:
            if counts:
                return self._count_in_row(wanted, roll)
            text = f"{plain(wanted).inside(SUM)} in {roll.text}"
            return Code(text, NUMBER, COMPARED, is_truth=True)
        found = self._count_in_dice(wanted, roll)
        return found if counts else Code(f"{found.text} >= 1", DIE, COMPARED)

    def _count_in_row(self, wanted: Code, roll: Code) -> Code:
        if wanted.kind == NUMBER:
            return Code(f"{tupled(roll).inside(ATOM)}.count({plain(wanted).text})")
        known = wanted.constant
        if known is not None and len(set(known)) == len(known):
            return Code(f"sum(face in {wanted.text} for face in {roll.text})")
        return Code(f"sum({tupled(roll).inside(ATOM)}.count(face) for face in {wanted.text})")

    def _count_in_dice(self, wanted: Code, roll: Code) -> Code:
        dice, known = self.pooled(roll).inside(ATOM), wanted.constant
        if wanted.kind == NUMBER:
            return Code(f"{dice}.count(lambda face: face == {plain(wanted).inside(SUM)})", DIE)
        if known is not None and len(set(known)) == len(known):
            return Code(f"{dice}.count(lambda face: face in {wanted.text})", DIE)
        return Code(f"{dice}.total(lambda face: {tupled(wanted).inside(ATOM)}.count(face))", DIE)

    def _exploded(self, node: n.Call, die: Code) -> Code:
        if die.kind == TOTAL:
            raise Untold("a number or dice explode", node)
        if die.kind == NUMBER:
            die = self.certain(die)
        return Code(f"{self.use('explode')}({die.text}, {self.depth})", DIE)

    def _maximum(self, node: n.Call, die: Code) -> Code:
        if die.kind == TOTAL:
            raise Untold("the highest of a number or dice is asked for", node)
        return die if die.kind == NUMBER else Code(f"{die.inside(ATOM)}.high")

    def _ordered(self, node: n.Call, roll: Code) -> Code:
        if roll.kind in (DIE, POOL, TOTAL):
            return total(roll)
        if roll.kind == NUMBER:
            roll = Code(f"({plain(roll).text},)", SEQUENCE, is_filled=True)
        if node.shape == "reverse ?":
            if not roll.is_filled:
                raise Untold("the reverse of a sequence that may be empty is a number", node)
            return Code(f"{roll.inside(ATOM)}[::-1]", SEQUENCE, is_filled=True)
        back = "" if self.lowest_first else ", reverse=True"
        return Code(f"tuple(sorted({roll.text}{back}))", SEQUENCE, is_filled=roll.is_filled)


def _starred(value: Code) -> Code:
    """A sequence within another."""
    if value.constant is not None and not value.text.startswith("range"):
        text = ", ".join(map(str, value.constant))
        return value.but(text=text) if text else value.but(text="*()")
    return value.but(text=f"*{value.text}")


def _summed(value: Code) -> Code:
    """A value added up, but a truth as it is."""
    return value if value.kind == NUMBER else total(value)


def _kind(a: Code, b: Code) -> str:
    """The kind of what is made of two totals."""
    if not a.kind or not b.kind:
        return UNKNOWN
    if DIE in (a.kind, b.kind):
        return DIE
    return TOTAL if TOTAL in (a.kind, b.kind) else NUMBER
