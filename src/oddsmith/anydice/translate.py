"""AnyDice programs in the dice notation, where they can be said there.

The program runs as usual, so that loops, conditions and numbers are known; beside every value that
is made of dice stands its text, or the reason why there is none.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from oddsmith.anydice import nodes as n
from oddsmith.anydice.calls import EXPLODE
from oddsmith.anydice.operators import COMPARE
from oddsmith.anydice.parser import parse
from oddsmith.anydice.runtime import BUDGET, Machine
from oddsmith.anydice.values import Dice, Value, named
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterator

OR, AND, NOT, COMPARED, SUM, PRODUCT, SIGN, ATOM = range(8)
"""How tightly a text holds together."""

LEVELS = {"+": SUM, "-": SUM, "*": PRODUCT, "&": AND, "|": OR}
WORDS = {"&": "and", "|": "or", "!=": "<>"}
LONGEST = 400
"""Characters of a text that is still worth reading."""


class Said(Record):
    """A value in the dice notation.

    Attributes:
        text: The notation.
        level: How tightly it holds together.
        pool: The dice kept apart, for modifiers; empty for a single number.
        die: One of them, without modifiers; empty where that is not said.
    """

    text: str
    level: int = ATOM
    pool: str = ""
    die: str = ""

    def inside(self, level: int) -> str:
        """The text as a part of something that holds as tightly as this level."""
        return self.text if self.level >= level else f"({self.text})"


class Untold(Exception):
    """There is no text; says why, and for which node."""

    def __init__(self, why: str, node: Any) -> None:
        super().__init__(why)
        self.why, self.node = why, node


class Line(Record):
    """An output in the notation.

    Attributes:
        label: Its name.
        text: The notation, with the label where it was given one; empty where there is none.
        why: What cannot be said then.
    """

    label: str
    text: str
    why: str = ""


def translate(program: str, budget: int = BUDGET) -> tuple[Line, ...]:
    """The outputs of a program in the dice notation.

    Args:
        program: Its text.
        budget: The work that running it may cost.

    Raises:
        NotationError: Where the program makes no sense.
        TooLarge: Past the budget.

    >>> [line.text for line in translate("output [highest 3 of 4d6] >= 15 output d20 + 5")]
    ['4d6kh3 >= 15', 'd20 + 5']
    """
    found = Translator(program, budget)
    found.machine.held(lambda: found.block(parse(program)))
    return tuple(found.lines)


def written(lines: tuple[Line, ...]) -> str:
    """Translated outputs, one on a line; what cannot be said is a comment.

    >>> print(written(translate('output 2d6 named "two" output 2d6^2')))
    "two": 2d6
    # output 2: there are no powers of dice
    """
    return "\n".join(line.text or f"# {line.label}: {line.why}" for line in lines)


class Translator:
    """Runs a program and keeps the text of each value.

    Args:
        source: The program.
        budget: The work that running it may cost.
    """

    def __init__(self, source: str, budget: int) -> None:
        self.machine = Machine(source, budget)
        self.env: dict[str, Value] = {}
        self.said: dict[str, Said | Untold] = {}
        self.lines: list[Line] = []

    # statements

    def block(self, nodes: tuple[Any, ...]) -> None:
        """Statements one after the other."""
        for node in nodes:
            if isinstance(node, n.Assign):
                value = self.value(node.value)
                self.said[node.name] = self._attempt(node.value)
                self.env[node.name] = value
            elif isinstance(node, n.If):
                test = self.machine.compiler.test(node.test)(self.env)
                self.block(node.yes if test else node.no)
            elif isinstance(node, n.Loop):
                self._loop(node)
            elif isinstance(node, n.Output):
                self._output(node)
            else:
                self.machine.compiler.statement(node)(self.env)

    def value(self, node: Any) -> Value:
        """What a node comes to."""
        return self.machine.compiler.expr(node)(self.env)

    def _loop(self, node: n.Loop) -> None:
        for element in self.machine.compiler.over(node)(self.env):
            self.machine.tick(1)
            self.env[node.name] = element
            self.said[node.name] = constant(element)
            self.block(node.body)

    def _output(self, node: n.Output) -> None:
        self.machine.compiler.statement(node)(self.env)
        label = " ".join(self.machine.outputs[-1].label.split())
        found = self._attempt(node.value)
        value = self.value(node.value)
        if isinstance(value, tuple):
            found = Said(listed(value)) if value else Untold("it has no outcomes", node)
        if isinstance(found, Untold):
            self.lines.append(Line(label, "", found.why))
        elif len(found.text) > LONGEST:
            self.lines.append(Line(label, "", "it would be very long"))
        else:
            quoted = node.name is not None
            self.lines.append(Line(label, f'"{label}": {found.text}' if quoted else found.text))

    # values

    def _attempt(self, node: Any) -> Said | Untold:
        try:
            return self.say(node)
        except Untold as reason:
            return reason

    def say(self, node: Any) -> Said:
        """The text of a value.

        Raises:
            Untold: Where there is none.
        """
        value = self.value(node)
        if not isinstance(value, Dice):
            return constant(value)
        if value.law is None:
            raise Untold("the empty die has no place there", node)
        if isinstance(node, n.Variable):
            known = self.said[node.name]
            if isinstance(known, Untold):
                raise known
            return known
        if isinstance(node, n.Unary):
            return self._unary(node)
        if isinstance(node, n.Binary):
            return self._binary(node)
        if isinstance(node, n.Call):
            return self._call(node)
        raise Untold("this value has no place there", node)

    def _unary(self, node: n.Unary) -> Said:
        if node.op == "d":
            return self._faces(node.body)
        body = self.say(node.body)
        if node.op == "+":
            return body
        if node.op == "!":
            return Said(f"not {self._truth(node.body).inside(NOT)}", NOT)
        return Said(f"-{body.inside(SIGN + 1)}", SIGN, pool="?")

    def _truth(self, node: Any) -> Said:
        """A value as a condition: whether it is not 0."""
        body = self.say(node)
        if body.level in (OR, AND, NOT, COMPARED):
            return body
        return Said(f"{body.inside(SUM)} <> 0", COMPARED)

    def _faces(self, node: Any) -> Said:
        value = self.value(node)
        if isinstance(value, Dice):
            return self.say(node)
        die = listed(value) if isinstance(value, tuple) else sided(value)
        return Said(die, ATOM, pool=die, die=die)

    def _dice(self, node: n.Binary) -> Said:
        left, one = self.value(node.left), self._faces(node.right)
        if isinstance(left, Dice):
            return self._rolled_number(node, one)
        count = left if isinstance(left, int) else sum(left)
        if count == 1:
            return one
        if not count:
            return Said("0")
        if count < 1:
            if not one.die or "{" in one.die:
                raise Untold("a negative number of dice is not said there", node)
            return Said(f"-{-count}{one.die}", SIGN, pool="?")
        right = self.value(node.right)
        if one.die and not (isinstance(right, Dice) and right.count > 1):
            text = f"{count}{one.die}"
            return Said(text, ATOM, pool=text, die=one.die)
        pool = f"{count}x({one.text})"
        return Said(f"{pool} sum", COMPARED - 1, pool=pool)

    def _rolled_number(self, node: n.Binary, one: Said) -> Said:
        number = self.value(node.left)
        if number.total().law.low < 0:
            raise Untold("a number of dice that may be below 0 is not said there", node)
        if not one.die or one.pool != one.die:
            raise Untold("a rolled number of pools is not said there", node)
        return Said(f"({self.say(node.left).text}){one.die}", ATOM)

    def _binary(self, node: n.Binary) -> Said:
        op = node.op
        if op == "d":
            return self._dice(node)
        if op == "@":
            return self._places(node)
        if op == "^":
            raise Untold("there are no powers of dice", node)
        if op in "&|":
            left, right = self._truth(node.left), self._truth(node.right)
            level = LEVELS[op]
            return Said(f"{left.inside(level)} {WORDS[op]} {right.inside(level + 1)}", level)
        sides = [self._summed(side) for side in (node.left, node.right)]
        if op in COMPARE:
            left, right = sides
            return Said(f"{left.inside(SUM)} {WORDS.get(op, op)} {right.inside(SUM)}", COMPARED)
        left, right = sides
        if op == "/":
            return self._divided(node, left, right)
        level = LEVELS[op]
        return Said(f"{left.inside(level)} {op} {right.inside(level + 1)}", level)

    def _summed(self, node: Any) -> Said:
        """A side of an operator: sequences are added up."""
        value = self.value(node)
        return constant(sum(value)) if isinstance(value, tuple) else self.say(node)

    def _divided(self, node: n.Binary, left: Said, right: Said) -> Said:
        divisor = self.value(node.right)
        if isinstance(divisor, Dice):
            law = divisor.total().law
            if law is not None and 0 in law:
                raise Untold("a divisor that may be 0 is refused there", node)
        elif not (divisor if isinstance(divisor, int) else sum(divisor)):
            return Said("0")
        return Said(f"trunc({left.inside(PRODUCT)} / {right.inside(PRODUCT + 1)})")

    def _places(self, node: n.Binary) -> Said:
        value, pool = self.value(node.left), self.value(node.right)
        asked = (value,) if isinstance(value, int) else value
        places = sorted(place for place in asked if 1 <= place <= pool.count)
        if not places:
            return Said("0")
        if self.machine.lowest_first:
            places = [pool.count + 1 - place for place in reversed(places)]
        first, last = places[0], places[-1]
        if places != list(range(first, last + 1)):
            raise Untold("places that do not stand side by side are not said there", node)
        return self._kept(node.right, pool, first - 1, last)

    def _kept(self, node: Any, dice: Dice, above: int, last: int) -> Said:
        """The dice from one rank to another, from the highest."""
        body = self.say(node)
        if (above, last) == (0, dice.count):
            return Said(body.text, body.level)
        pool = self._pool(node, body)
        if not above:
            return Said(f"{pool}kh{last}")
        if last == dice.count:
            return Said(f"{pool}kl{last - above}")
        return Said(f"{pool}kh{last}kl{last - above}")

    def _pool(self, node: Any, body: Said) -> str:
        if not body.pool or body.pool == "?":
            raise Untold("this pool is not said there", node)
        return body.pool

    # calls

    def _call(self, node: n.Call) -> Said:
        shape = node.shape
        if shape in self.machine.functions:
            raise Untold(f"[{shape}] is a function of the program", node)
        words = shape.split()
        if words[0] in ("highest", "lowest") and words[1] == "of":
            inner = ", ".join(self._summed(arg).text for arg in node.args)
            return Said(f"{'max' if words[0] == 'highest' else 'min'}({inner})")
        if words[0] in ("highest", "lowest", "middle"):
            return self._ranked(node, words[0])
        if shape == "absolute ?":
            return Said(f"abs({self.say(node.args[0]).text})")
        if shape == "explode ?":
            return self._exploded(node)
        if shape in ("reverse ?", "sort ?"):
            body = self.say(node.args[0])
            return Said(body.text, body.level)
        if shape in ("count ? in ?", "? contains ?"):
            return self._counted(node)
        raise Untold(f"[{shape}] is not said there", node)

    def _ranked(self, node: n.Call, word: str) -> Said:
        number = self.value(node.args[0])
        if isinstance(number, Dice):
            raise Untold("keeping a rolled number of dice is not said there", node)
        many = max(0, number if isinstance(number, int) else sum(number))
        pools = [self._as_dice(arg) for arg in node.args[1:]]
        size = sum(pool.count for pool in pools)
        many = min(many, size)
        if not many:
            return Said("0")
        if len(pools) > 1:
            texts = [self._pool(arg, self._summed_die(arg)) for arg in node.args[1:]]
            if many == size:
                return Said(" + ".join(texts), SUM)
            keep = "kh" if word == "highest" else "kl"
            return Said(f"{{{' + '.join(texts)}}}{keep}{many}")
        above = {"highest": 0, "lowest": size - many, "middle": (size - many) // 2}[word]
        return self._kept(node.args[1], pools[0], above, above + many)

    def _as_dice(self, node: Any) -> Dice:
        """A value as dice."""
        value = self.value(node)
        if isinstance(value, Dice):
            return value
        raise Untold("a number among dice is not said there", node)

    def _summed_die(self, node: Any) -> Said:
        body = self.say(node)
        if body.pool.count("x("):
            raise Untold("totals among dice are not said there", node)
        return body

    def _exploded(self, node: n.Call) -> Said:
        body, dice = self.say(node.args[0]), self.value(node.args[0])
        depth = self.machine.settings[EXPLODE]
        if not body.die or body.pool != body.die or dice.count != 1 or len(dice.law) < 2:
            raise Untold("a total that explodes is not said there", node)
        if "!!" in body.die:
            raise Untold("dice that exploded cannot explode again there", node)
        text = f"{body.die}!!max{depth}"
        return Said(text, ATOM, pool=text, die=text)

    def _counted(self, node: n.Call) -> Said:
        counts = node.shape == "count ? in ?"
        wanted, roll = node.args if counts else node.args[::-1]
        faces, dice = self.value(wanted), self.value(roll)
        if isinstance(faces, Dice) or not isinstance(dice, Dice):
            raise Untold("counting rolled values is not said there", node)
        row = (faces,) if isinstance(faces, int) else faces if counts else (sum(faces),)
        if len(set(row)) < len(row):
            raise Untold("values that count several times are not said there", node)
        if not row:
            return Said("0")
        pool = self._pool(roll, self.say(roll))
        text = f"{pool}c{spans(row)}"
        return Said(text) if counts else Said(f"{text} >= 1", COMPARED)


def constant(value: Value) -> Said:
    """A number, or the sum of a sequence, as a text."""
    number = value if isinstance(value, int) else sum(value)
    return Said(named(number), ATOM if number >= 0 else SIGN, pool="?")


def sided(number: int) -> str:
    """The die of so many sides.

    >>> sided(6), sided(-3), sided(0)
    ('d6', 'd{-3..-1}', 'd{0}')
    """
    if number > 0:
        return f"d{number}"
    return f"d{{{number}..-1}}" if number else "d{0}"


def listed(faces: tuple[int, ...]) -> str:
    """The die of these faces.

    >>> listed((1, 1, 2, 2, 3)), listed((1, 2, 3))
    ('d{1..2:2, 3}', 'd3')
    """
    if sorted(faces) == list(range(1, len(faces) + 1)):
        return f"d{len(faces)}"
    weights = {face: faces.count(face) for face in sorted(set(faces))}
    parts = []
    for weight, group in groupby(weights, key=lambda face: weights[face]):
        for first, last in _runs(group):
            text = str(first) if first == last else f"{first}..{last}"
            parts.append(text if weight == 1 else f"{text}:{weight}")
    return f"d{{{', '.join(parts)}}}"


def spans(values: tuple[int, ...]) -> str:
    """Values as a condition behind ``c``.

    >>> spans((6,)), spans((1, 2, 3, 6))
    ('6', '{1..3, 6}')
    """
    if len(values) == 1 and values[0] >= 0:
        return str(values[0])
    parts = (
        str(first) if first == last else f"{first}..{last}" for first, last in _runs(sorted(values))
    )
    return f"{{{', '.join(parts)}}}"


def _runs(values: Any) -> Iterator[tuple[int, int]]:
    """Neighbours joined."""
    first = last = None
    for value in values:
        if last is not None and value == last + 1:
            last = value
            continue
        if first is not None and last is not None:
            yield first, last
        first = last = value
    if first is not None and last is not None:
        yield first, last
