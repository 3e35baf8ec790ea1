"""AnyDice programs by walking every roll: slow, plain, and apart from the engine.

A program is a tree of tuples. `text` writes it down with no more brackets than the table of
precedence asks for, so that the parser is tried as well; `run` works it out from the tree, so that
it needs no parser. Distributions are dictionaries from numbers to fractions.

Nodes of values:

- `("number", 3)`, `("variable", "X")`
- `("sequence", ((low, high or None, times or None), ..))`
- `("unary", sign, value)`, `("binary", sign, left, right)`
- `("call", ("highest", value, "of", value))`: words and arguments in order

Nodes of statements:

- `("assign", "X", value)`, `("output", value)`, `("set", name, number or text)`
- `("if", test, yes, no)`, `("loop", "X", over, body)`
- `("function", ("add", ("A", "n"), "to", ("B", "s")), body)`, `("result", value)`
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product
from typing import Any

Node = tuple[Any, ...]
Law = dict[int, Fraction]
LEAST = -(2**63)
LEVELS = [
    {"&", "|"},
    {"=", "!=", "<", ">", "<=", ">="},
    {"+", "-"},
    {"*", "/"},
    {"^"},
    {"@"},
    {"d"},
]
MOST = 3_000


class Wrong(Exception):
    """The program makes no sense."""


class Skip(Exception):
    """Too much to walk, or something that nobody has pinned down."""


class Die:
    """So many dice of one law; no faces make the empty die."""

    def __init__(self, law: Law, count: int = 1) -> None:
        self.law, self.count = law, count
        if len(law) > MOST:
            raise Skip

    def rolls(self) -> list[tuple[tuple[int, ...], Fraction]]:
        """Every ordered roll with its chance."""
        if len(self.law) ** self.count > MOST:
            raise Skip
        found = []
        for roll in product(self.law, repeat=self.count):
            chance = Fraction(1)
            for face in roll:
                chance *= self.law[face]
            found.append((roll, chance))
        return found

    def total(self) -> Law:
        """The dice added up, one after the other."""
        found: Law = {0: Fraction(1)}
        for _ in range(self.count):
            found = pairs(found, self.law, lambda a, b: a + b)
        return found


EMPTY = Die({}, 0)
Value = int | tuple[int, ...] | Die


def pairs(a: Law, b: Law, function: Any) -> Law:
    """A function of two independent rolls."""
    if len(a) * len(b) > 40 * MOST:
        raise Skip
    found: Law = defaultdict(Fraction)
    for x, p in a.items():
        for y, q in b.items():
            found[function(x, y)] += p * q
    return dict(found)


def law_of(value: Value) -> Law:
    if isinstance(value, Die):
        return value.total() if value.law else {}
    return {number_of(value): Fraction(1)}


def number_of(value: int | tuple[int, ...]) -> int:
    return value if isinstance(value, int) else sum(value)


def uniform(faces: list[int]) -> Die:
    found: Law = defaultdict(Fraction)
    for face in faces:
        found[face] += Fraction(1, len(faces))
    return Die(dict(found)) if faces else EMPTY


# --- operators


def divided(a: int, b: int) -> int:
    return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def power(a: int, b: int, rolled: bool) -> int:
    if b >= 0:
        if abs(a) > 1 and b > 40:
            raise Skip
        return a**b
    if a == 0:
        if rolled:
            return LEAST
        raise Wrong
    whole = Fraction(a) ** max(b, -60)
    if abs(a) == 1:
        return a if b % 2 else 1
    return int(whole)


def arithmetic(op: str, left: Value, right: Value) -> Value:
    rolled = isinstance(left, Die) or isinstance(right, Die)

    def function(a: int, b: int) -> int:
        if op == "^":
            return power(a, b, rolled)
        if op == "/":
            return divided(a, b)
        if op in "&|":
            both = (a != 0) + (b != 0)
            return int(both == 2 if op == "&" else both > 0)
        return {"+": a + b, "-": a - b, "*": a * b}[op]

    if not rolled:
        return function(number_of(left), number_of(right))  # type: ignore[arg-type]
    a, b = law_of(left), law_of(right)
    if not a and not b:
        return EMPTY
    if not a or not b:
        if op not in "+-|":
            return EMPTY
        other = right if not a else left
        if isinstance(other, Die) and op in "+|":
            return other
        if not isinstance(other, Die):
            return function(0, number_of(other)) if not a else function(number_of(other), 0)
        a, b = a or {0: Fraction(1)}, b or {0: Fraction(1)}
    return Die(pairs(a, b, function))


def compared(op: str, left: Value, right: Value) -> Value:
    def test(a: Any, b: Any) -> int:
        return int({"=": a == b, "!=": a != b, "<": a < b, ">": a > b, "<=": a <= b,
                    ">=": a >= b}[op])  # fmt: skip

    if isinstance(left, Die) or isinstance(right, Die):
        a, b = law_of(left), law_of(right)
        return Die(pairs(a, b, test)) if a and b else EMPTY
    if isinstance(left, tuple) and isinstance(right, int):
        return sum(test(x, right) for x in left)
    if isinstance(left, int) and isinstance(right, tuple):
        return sum(test(left, x) for x in right)
    return test(left, right)


def dice(left: Value, right: Value) -> Value:
    if isinstance(right, Die):
        kind = right
    elif isinstance(right, tuple):
        kind = uniform(list(right))
    elif right == 0:
        kind = uniform([0])
    else:
        kind = uniform(list(range(1, right + 1)) if right > 0 else list(range(right, 0)))
    if not kind.law:
        return Die({}, 1) if isinstance(left, Die) else EMPTY
    if isinstance(left, Die):
        if not left.law:
            return Die({}, 1)
        found: Law = defaultdict(Fraction)
        for count, chance in left.total().items():
            if abs(count) > 12:
                raise Skip
            for total, p in Die(law_of(kind), abs(count)).total().items():
                found[total if count >= 0 else -total] += chance * p
        return Die(dict(found))
    count = number_of(left)
    if abs(count) > 12:
        raise Skip
    if count == 0:
        return uniform([0])
    if count == 1:
        return kind
    one = law_of(kind) if isinstance(right, Die) else kind.law
    return Die({face if count > 0 else -face: p for face, p in one.items()}, abs(count))


def unary(sign: str, value: Value) -> Value:
    if sign == "d":
        return dice(1, value)
    if sign == "+":
        return value
    if sign == "#":
        if isinstance(value, int):
            return len(str(abs(value)))
        if isinstance(value, tuple):
            return len(value)
        if not value.law and value.count:
            raise Skip
        return value.count
    if isinstance(value, Die):
        if not value.law:
            return EMPTY
        if sign == "-":
            return Die({-face: p for face, p in value.law.items()}, value.count)
        return Die(pairs(value.total(), {0: Fraction(1)}, lambda a, _: int(a == 0)))
    number = number_of(value)
    return -number if sign == "-" else int(number == 0)


def picked(left: Value, right: Value, lowest_first: bool) -> Value:
    if isinstance(left, Die):
        raise Wrong
    places = (left,) if isinstance(left, int) else left
    if isinstance(right, Die):
        if not right.law:
            if right.count:
                raise Skip
            return EMPTY
        found: Law = defaultdict(Fraction)
        for roll, chance in right.rolls():
            found[chosen(places, sorted(roll, reverse=not lowest_first))] += chance
        return Die(dict(found))
    if isinstance(right, int):
        digits = [int(char) * (1 if right >= 0 else -1) for char in str(abs(right))]
        return chosen(places, digits[::-1] if lowest_first else digits)
    return chosen(places, list(right))


def chosen(places: tuple[int, ...], row: list[int]) -> int:
    return sum(row[place - 1] for place in places if 1 <= place <= len(row))


# --- running


class Machine:
    """The state of a program."""

    def __init__(self) -> None:
        self.functions: dict[tuple[str, ...], Node] = {}
        self.outputs: list[Law] = []
        self.explode, self.depth, self.lowest_first = 2, 10, False
        self.deep = self.turns = 0

    def block(self, nodes: tuple[Node, ...], env: dict[str, Value]) -> Value | None:
        for node in nodes:
            found = self.statement(node, env)
            if found is not None:
                return found
        return None

    def statement(self, node: Node, env: dict[str, Value]) -> Value | None:
        self.turns += 1
        if self.turns > 40_000:
            raise Skip
        kind = node[0]
        if kind == "result":
            return self.value(node[1], env)
        if kind == "assign":
            env[node[1]] = self.value(node[2], env)
        elif kind == "if":
            test = self.value(node[1], env)
            if not isinstance(test, int):
                raise Wrong
            return self.block(node[2] if test else node[3], env)
        elif kind == "loop":
            over = self.value(node[2], env)
            if not isinstance(over, tuple):
                raise Wrong
            for element in over:
                env[node[1]] = element
                found = self.block(node[3], env)
                if found is not None:
                    return found
        elif kind == "function":
            shape = tuple(part if isinstance(part, str) else "?" for part in node[1])
            self.functions[shape] = node
        elif kind == "output":
            value = self.value(node[1], env)
            self.outputs.append(law_of(uniform(list(value)) if isinstance(value, tuple) else value))
        elif node[1] == "explode depth":
            self.explode = node[2]
        elif node[1] == "maximum function depth":
            self.depth = node[2]
        else:
            self.lowest_first = node[2] == "lowest first"
        return None

    def value(self, node: Node, env: dict[str, Value]) -> Value:
        kind = node[0]
        if kind == "number":
            return int(node[1])
        if kind == "variable":
            if node[1] not in env:
                raise Wrong
            return env[node[1]]
        if kind == "sequence":
            return tuple(x for part in node[1] for x in self.part(part, env))
        if kind == "unary":
            return unary(node[1], self.value(node[2], env))
        if kind == "binary":
            left, right = self.value(node[2], env), self.value(node[3], env)
            if node[1] == "d":
                return dice(left, right)
            if node[1] == "@":
                return picked(left, right, self.lowest_first)
            if node[1] in LEVELS[1]:
                return compared(node[1], left, right)
            return arithmetic(node[1], left, right)
        shape = tuple(part if isinstance(part, str) else "?" for part in node[1])
        args = [self.value(part, env) for part in node[1] if not isinstance(part, str)]
        return self.call(shape, args, env)

    def part(self, part: Node, env: dict[str, Value]) -> list[int]:
        low, high, times = (self.value(x, env) if x is not None else None for x in part)
        if high is not None:
            if isinstance(low, Die) or isinstance(high, Die):
                raise Wrong
            block = list(range(number_of(low), number_of(high) + 1))  # type: ignore[arg-type]
        elif isinstance(low, int):
            block = [low]
        elif isinstance(low, tuple):
            block = list(low)
        else:
            block = sorted(law_of(low))  # type: ignore[arg-type]
        if times is not None:
            if isinstance(times, Die):
                raise Wrong
            block = block * max(0, number_of(times))
        if len(block) > 300:
            raise Skip
        return block

    # calls

    def call(self, shape: tuple[str, ...], args: list[Value], env: dict[str, Value]) -> Value:
        if shape in self.functions:
            if self.deep >= self.depth:
                return EMPTY
            _, name, body = self.functions[shape]
            params = [part for part in name if not isinstance(part, str)]
            own = dict(env)

            def once(case: tuple[Value, ...]) -> Value:
                for (param, _), given in reversed(list(zip(params, case, strict=True))):
                    own[param] = given
                found = self.block(body, own)
                return EMPTY if found is None else found

            self.deep += 1
            try:
                return self.cases([kind for _, kind in params], args, once)
            finally:
                self.deep -= 1
        return self.built_in(shape, args)

    def cases(self, kinds: list[str], args: list[Value], once: Any) -> Value:
        lists: list[list[tuple[Value, Fraction]]] = []
        expands = False
        for kind, arg in zip(kinds, args, strict=True):
            found, many = self.choices(kind, arg)
            expands = expands or many
            if not found:
                return EMPTY
            lists.append(found)
        if not expands:
            return once(tuple(found[0][0] for found in lists))  # type: ignore[no-any-return]
        law: Law = defaultdict(Fraction)
        size = 1
        for found in lists:
            size *= len(found)
        if size > MOST:
            raise Skip
        for reverse in product(*reversed(lists)):
            chance = Fraction(1)
            for _, p in reverse:
                chance *= p
            for total, p in law_of(once(tuple(value for value, _ in reversed(reverse)))).items():
                law[total] += chance * p
        whole = sum(law.values())
        return Die({x: p / whole for x, p in law.items()}) if whole else EMPTY

    def choices(self, kind: str, arg: Value) -> tuple[list[tuple[Value, Fraction]], bool]:
        """What a parameter may be; nothing at all for an empty die that is expanded."""
        one = Fraction(1)
        if kind == "n":
            if isinstance(arg, Die):
                return sorted(law_of(arg).items()), True  # type: ignore[return-value]
            return [(number_of(arg), one)], isinstance(arg, tuple)
        if kind == "s":
            if isinstance(arg, int):
                return [((arg,), one)], False
            if isinstance(arg, tuple):
                return [(arg, one)], False
            if not arg.law:
                return [], True
            table: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
            for roll, chance in arg.rolls():
                table[tuple(sorted(roll, reverse=not self.lowest_first))] += chance
            falling = arg.count > 1 and not self.lowest_first
            return sorted(table.items(), reverse=falling), True
        if kind == "d" and not isinstance(arg, Die):
            return [(Die(law_of(arg)), one)], False
        return [(arg, one)], False

    # built-in functions

    def built_in(self, shape: tuple[str, ...], args: list[Value]) -> Value:
        words = " ".join(shape)
        if words in ("highest ? of ?", "lowest ? of ?", "middle ? of ?"):
            return self.kept(shape[0], args)
        if words in ("highest ? of ? and ?", "lowest ? of ? and ?"):
            return self.kept(shape[0], args)
        if words in ("highest of ? and ?", "lowest of ? and ?"):
            best = max if shape[0] == "highest" else min
            if not any(isinstance(arg, Die) for arg in args):
                return best(map(number_of, args))  # type: ignore[arg-type]
            return self.cases(["n", "n"], args, lambda case: best(case))
        if words == "absolute ?":
            if not isinstance(args[0], Die):
                return abs(number_of(args[0]))
            return self.cases(["n"], args, lambda case: abs(case[0]))
        if words == "? contains ?":
            return (
                self.cases(["s", "n"], args, lambda case: int(case[1] in case[0]))
                if any(isinstance(arg, Die) for arg in args)
                else int(number_of(args[1]) in self.row(args[0]))
            )  # type: ignore[arg-type]
        if words == "count ? in ?":
            return self.cases(
                ["s", "s"], args, lambda case: sum(a == b for a in case[0] for b in case[1])
            )
        if words == "maximum of ?":
            return max(law_of(args[0]), default=0)
        if words == "reverse ?":
            if isinstance(args[0], Die):
                return Die(law_of(args[0])) if args[0].law else EMPTY
            return self.row(args[0])[::-1] or 0
        if words == "sort ?":
            if isinstance(args[0], Die):
                return Die(law_of(args[0])) if args[0].law else EMPTY
            return tuple(sorted(self.row(args[0]), reverse=not self.lowest_first))
        if words == "explode ?":
            return self.exploded(args[0])
        raise Wrong

    def row(self, value: int | tuple[int, ...]) -> tuple[int, ...]:
        return (value,) if isinstance(value, int) else value

    def exploded(self, value: Value) -> Value:
        law = law_of(value)
        if not law:
            return EMPTY
        top = max(law)
        found: Law = defaultdict(Fraction)
        for left in range(self.explode + 1):
            for face, p in law.items():
                again = face == top and left < self.explode
                if not again:
                    found[left * top + face] += law[top] ** left * p
        return Die(dict(found))

    def kept(self, how: str, args: list[Value]) -> Value:
        number, *pools = args
        together = [pool if isinstance(pool, Die) else Die(law_of(pool)) for pool in pools]
        if isinstance(number, Die):
            if not number.law:
                return EMPTY
            counts = number.total()
        else:
            counts = {number_of(number): Fraction(1)}
        if any(not pool.law for pool in together):
            if len(pools) > 1:
                raise Skip
            return EMPTY
        found: Law = defaultdict(Fraction)
        for parts in product(*(pool.rolls() for pool in together)):
            chance = Fraction(1)
            row: list[int] = []
            for roll, p in parts:
                chance *= p
                row += roll
            row.sort(reverse=True)
            for count, p in counts.items():
                found[self.sum_of(how, row, count)] += chance * p
        return Die(dict(found))

    def sum_of(self, how: str, row: list[int], count: int) -> int:
        count = max(0, min(count, len(row)))
        if how == "highest":
            return sum(row[:count])
        if how == "lowest":
            return sum(row[len(row) - count :])
        first = (len(row) - count) // 2
        return sum(row[first : first + count])


def run(program: tuple[Node, ...]) -> list[Law]:
    """The law of every output, without outcomes for the empty die.

    Raises:
        Wrong: Where the program makes no sense.
        Skip: Where walking would take too long.
    """
    machine = Machine()
    machine.block(program, {})
    return machine.outputs


# --- writing


def text(node: Node, level: int = 0) -> str:
    """A value as text, in brackets where it holds less tightly than its surroundings."""
    kind = node[0]
    if kind == "number":
        return str(node[1]) if node[1] >= 0 else f"(-{-node[1]})"
    if kind == "variable":
        return str(node[1])
    if kind == "sequence":
        parts = []
        for low, high, times in node[1]:
            part = text(low) + (f"..{text(high)}" if high is not None else "")
            parts.append(part + (f":{text(times)}" if times is not None else ""))
        return "{" + ", ".join(parts) + "}"
    if kind == "unary":
        body = text(node[2], len(LEVELS))
        return f"d {body}" if node[1] == "d" and body[0] == "d" else node[1] + body
    if kind == "binary":
        own = next(k for k, signs in enumerate(LEVELS) if node[1] in signs)
        shown = f"{text(node[2], own)} {node[1]} {text(node[3], own + 1)}"
        return f"({shown})" if own < level else shown
    words = [part if isinstance(part, str) else f"({text(part)})" for part in node[1]]
    return "[" + " ".join(words) + "]"


def written(program: tuple[Node, ...], indent: int = 0) -> str:
    """A program as text."""
    lines = []
    for node in program:
        kind = node[0]
        if kind == "assign":
            lines.append(f"{node[1]}: {text(node[2])}")
        elif kind == "output":
            lines.append(f"output {text(node[1])}")
        elif kind == "result":
            lines.append(f"result: {text(node[1])}")
        elif kind == "set":
            value = node[2] if isinstance(node[2], int) else f'"{node[2]}"'
            lines.append(f'set "{node[1]}" to {value}')
        elif kind == "if":
            lines.append(f"if {text(node[1])} {block(node[2], indent)}")
            if node[3]:
                lines[-1] += f" else {block(node[3], indent)}"
        elif kind == "loop":
            lines.append(f"loop {node[1]} over {text(node[2])} {block(node[3], indent)}")
        else:
            name = " ".join(
                part if isinstance(part, str) else part[0] + (f":{part[1]}" if part[1] else "")
                for part in node[1]
            )
            lines.append(f"function: {name} {block(node[2], indent)}")
    return "\n".join("  " * indent + line for line in lines)


def block(program: tuple[Node, ...], indent: int) -> str:
    return "{\n" + written(program, indent + 1) + "\n" + "  " * indent + "}"
