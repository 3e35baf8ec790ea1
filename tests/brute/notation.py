"""Specifications printed as notation text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .spec import (
    READINGS,
    Advantage,
    And,
    BinOp,
    Call,
    Clamp,
    Compare,
    Cond,
    Const,
    Count,
    Dice,
    Die,
    Explode,
    Flat,
    Given,
    IfThen,
    In,
    Item,
    Keep,
    Labelled,
    Mixed,
    Name,
    Neg,
    Node,
    Not,
    Or,
    Pool,
    Program,
    Repeat,
    Reroll,
    Result,
    Source,
    Spec,
    Step,
    Term,
    Versus,
    Word,
)

VS, OR, AND, NOT, COMPARE, ADD, MULTIPLY, UNARY, ATOM = range(9)
LEVELS = {"+": ADD, "-": ADD, "*": MULTIPLY, "/": MULTIPLY, "//": MULTIPLY}


def text(spec: Spec, spaced: bool = True) -> str:
    """The notation for a specification; without `spaced`, no space that can be left out."""
    return Writer(spaced).program(spec)


@dataclass(frozen=True)
class Writer:
    """Prints a specification with the fewest parentheses that keep its meaning."""

    spaced: bool = True

    def program(self, spec: Spec) -> str:
        """Bindings and results."""
        if not isinstance(spec, Program):
            return self.result(spec)
        lets = [f"let {let.name} = {self.node(let.expr)}" for let in spec.lets]
        results = ", ".join(self.labelled(result) for result in spec.results)
        return "; ".join([*lets, results])

    def labelled(self, result: Result | Labelled) -> str:
        """One result, with its label if it has one."""
        if isinstance(result, Labelled):
            return f'"{result.label}": {self.result(result.result)}'
        return self.result(result)

    def result(self, result: Result) -> str:
        """One result."""
        if isinstance(result, Versus):
            return f"{self.node(result.left, OR)} vs {self.node(result.right, OR)}"
        if isinstance(result, Given):
            return f"{self.node(result.inner, OR)} given {self.node(result.test, OR)}"
        return self.node(result)

    def node(self, node: Node, level: int = VS) -> str:
        """An expression, in parentheses if it binds looser than its place asks for."""
        own, written = self._node(node)
        return written if own >= level else f"({written})"

    def _node(self, node: Node) -> tuple[int, str]:
        match node:
            case Const(value):
                return ATOM, str(value)
            case Word(word) | Name(word):
                return ATOM, word
            case Pool():
                return self._pool(node)
            case Count():
                return (ATOM if node.floor0 else COMPARE), self._count(node)
            case Neg(inner):
                return UNARY, "-" + self.node(inner, ATOM)
            case BinOp(op, left, right):
                own = LEVELS[op]
                return own, self._infix(self.node(left, own), op, self.node(right, own + 1))
            case Call(function, args):
                return ATOM, f"{function}({', '.join(self.node(arg) for arg in args)})"
            case IfThen(test, yes, no):
                arms = self.node(test, OR), self.node(yes, OR), self.node(no)
                return VS, "if {} then {} else {}".format(*arms)
        return self._truth(node)

    def _truth(self, node: Node) -> tuple[int, str]:
        match node:
            case Compare(operands, ops):
                return COMPARE, self._chain(operands, ops)
            case In(inner, items):
                return COMPARE, f"{self.node(inner, ADD)} in {self.items(items)}"
            case And(left, right):
                return AND, f"{self.node(left, AND)} and {self.node(right, NOT)}"
            case Or(left, right):
                return OR, f"{self.node(left, OR)} or {self.node(right, AND)}"
            case Not(inner):
                return NOT, f"not {self.node(inner, NOT)}"
        raise TypeError(f"no text for {node!r}")

    def _chain(self, operands: Sequence[Node], ops: Sequence[str]) -> str:
        written = self.node(operands[0], ADD)
        for op, operand in zip(ops, operands[1:], strict=True):
            before = f"({written})" if op == "!=" and not written.endswith(")") else written
            written = self._infix(before, op, self.node(operand, ADD))
        return written

    def _infix(self, left: str, op: str, right: str) -> str:
        if self.spaced:
            return f"{left} {op} {right}"
        gap = " " if right.startswith("-") else ""
        return f"{left}{op}{gap}{right}"

    def _pool(self, pool: Pool) -> tuple[int, str]:
        pieces = [self.step(step) for step in pool.steps]
        written = self.glue([self.source(pool.source), *pieces, pool.reading])
        if pool.reading:
            return COMPARE, written
        return (ATOM if not pool.steps or _closed(pool.steps[-1]) else COMPARE), written

    def _count(self, count: Count) -> str:
        steps = [self.step(step) for step in count.pool.steps]
        cut = len(steps) if count.written_after is None else count.written_after
        terms = [piece for term in count.terms for piece in self.term(term)]
        floor = ["floor0"] if count.floor0 else []
        before = [self.source(count.pool.source), *steps[:cut], *terms]
        return self.glue([*before, *steps[cut:], *floor])

    def source(self, source: Source) -> str:
        """The dice themselves."""
        match source:
            case Dice(count, die):
                return self._dice(count, die)
            case Mixed(members):
                return "{" + ", ".join(self.node(member) for member in members) + "}"
            case Flat(parts):
                plus = " + " if self.spaced else "+"
                return "{" + plus.join(self._dice(part.count, part.die) for part in parts) + "}"
            case Repeat(times, inner):
                return f"{times}x({self.node(inner)})"
            case Advantage(die, better):
                return f"{die.text} {'adv' if better else 'dis'}"

    def _dice(self, count: int | Node, die: Die) -> str:
        if isinstance(count, Node):
            return f"({self.node(count)}){die.text}"
        return die.text if count == 1 else f"{count}{die.text}"

    def step(self, step: Step) -> str:
        """One modifier."""
        match step:
            case Reroll(conds, until, word):
                sign = word or ("rr" if until else "r")
                return self.glue([self._with(sign, condition) for condition in conds])
            case Clamp(kind, bound, word):
                return (word or kind) + self.amount(bound)
            case Explode(mode, trigger, limit, word):
                sign = self._with(word or mode, trigger)
                return sign if limit is None else f"{sign}max{limit}"
            case Keep(kind, amount):
                return kind if amount is None else kind + self.amount(amount)

    def term(self, term: Term) -> list[str]:
        """One `c` or `-c` with its multiples."""
        sign = self._with(term.word or ("-c" if term.minus else "c"), term.cond)
        extras = [f"x{face}" if times == 2 else f"x{face}:{times}" for face, times in term.extra]
        return [sign, *extras]

    def _with(self, sign: str, condition: Cond | None) -> str:
        if condition is None:
            return sign
        written = self.condition(condition)
        if sign.startswith("!"):
            written = written.removeprefix("=")
        return f"{sign} {written}" if written[0].isalpha() else sign + written

    def condition(self, condition: Cond) -> str:
        """A condition on one die."""
        match condition.op:
            case "even" | "odd" as parity:
                return parity
            case "set":
                return self.items(condition.items)
            case "in":
                return f"in {self.items(condition.items)}"
            case "range":
                return "..".join(self.amount(item) for item in condition.items)
            case "bare":
                return self.amount(condition.items[0])
            case "plus":
                return self.amount(condition.items[0]) + "+"
            case "minus":
                return self.amount(condition.items[0]) + "- "
        return condition.op + self.amount(condition.items[0])

    def items(self, items: Iterable[Item]) -> str:
        """A list in braces."""
        comma = ", " if self.spaced else ","
        return "{" + comma.join(self.amount(item) for item in items) + "}"

    def amount(self, item: Item) -> str:
        """A number, a range, a text face, or an expression in parentheses."""
        if isinstance(item, tuple):
            return f"{item[0]}..{item[1]}"
        return f"({self.node(item)})" if isinstance(item, Node) else str(item)

    def glue(self, pieces: Iterable[str]) -> str:
        """Modifiers one after another."""
        written = ""
        for piece in filter(None, pieces):
            written += self._gap(written, piece) + piece
        return written

    def _gap(self, before: str, piece: str) -> str:
        """The space before a modifier: where words would run on, or where spaces are wanted."""
        if not before:
            return ""
        words = before[-1].isalpha() and piece[0].isalpha()
        signs = before[-1] in "+-" and not piece[0].isalpha()
        if words or signs or piece in READINGS:
            return " "
        return " " if self.spaced and piece[0] != "!" else ""


def _closed(step: Step) -> bool:
    """Whether an operator right after the modifier cannot be taken for a part of it."""
    match step:
        case Keep(_, amount):
            return amount is not None
        case Clamp():
            return True
        case Explode(_, _, limit):
            return limit is not None
    return False
