"""The exact evaluator: a syntax tree to distributions, chances and contests.

A bound name is one roll. A result that uses names is evaluated once for every outcome they can
have together, and the answers are mixed; everything else is independent.
"""

from __future__ import annotations

import operator
from copy import copy
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.dice import CATALOGUE
from oddsmith.dist import FACE, Dist, mix
from oddsmith.enclosed import Enclosed, enclose, mix_enclosed
from oddsmith.errors import OutcomeError
from oddsmith.notation import mends, words
from oddsmith.notation import nodes as n
from oddsmith.notation.certain import (
    MOST_BITS,
    MOST_POWER,
    ROUNDINGS,
    NotCertain,
    certain,
    is_too_long,
)
from oddsmith.notation.chance import Chance, linked
from oddsmith.notation.facts import NoFacts, fact, joint, looks
from oddsmith.notation.independent import apart, bounds, cells, is_apart
from oddsmith.notation.throwing import Throwing
from oddsmith.open_dist import OpenDist
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DEPTH = 64
"""Where no closed form exists, less than 2**-DEPTH of each open-ended die is left out."""

LONGEST = 1_000
"""The bits of a total that is written down beside others; a single number may have MOST_BITS."""


class Draw(Record):
    """What is drawn at once.

    Attributes:
        names: The names that are set.
        law: Their distribution, when the names before are set.
        is_joint: Whether an outcome is a tuple with a value for each name.
    """

    names: tuple[str, ...]
    law: Callable[[], Any]
    is_joint: bool = False


class Found(Record):
    """What one result came to.

    Attributes:
        kind: ``distribution``, ``probability``, ``contest`` or ``ranks``.
        value: The distribution (of a contest: the margin); None for a probability.
        chance: The probability, for that kind.
        contest: Chances of win, tie and lose, for that kind.
        ranks: The members from best to worst, for that kind.
    """

    kind: str
    value: Any = None
    chance: Chance | None = None
    contest: tuple[Chance, Chance, Chance] | None = None
    ranks: tuple[Any, ...] = ()


def evaluate(
    program: n.Program, source: str, depth: int = DEPTH, budget: int = DEFAULT_BUDGET
) -> list[Found]:
    """The exact answer of every result.

    Args:
        program: The syntax tree.
        source: The text it came from, for errors.
        depth: Where no closed form exists, less than 2**-depth of each open-ended die is left out.
        budget: The work it may cost, in the units of :mod:`oddsmith.budget`.

    Raises:
        NotationError: Where something makes no sense, with its place.
        TooLarge: Past the budget.

    >>> from oddsmith.notation.parser import parse
    >>> evaluate(parse("3d6 >= 11"), "3d6 >= 11")[0].chance.exact
    Fraction(1, 2)
    """
    evaluator = Evaluator(program, source, depth, budget)
    return [evaluator.shown(result.body) for result in program.results]


class Evaluator(Throwing):
    """One program; ``env`` holds the outcomes the names have just now."""

    def __init__(self, program: n.Program, source: str, depth: int, budget: int) -> None:
        self.source, self.depth, self.budget = source, depth, budget
        self.env: dict[str, Any] = {}
        self.lets: dict[str, n.Node] = {}
        self.inline: set[str] = set()
        self.known: dict[int, Any] = {}
        self.names: dict[int, frozenset[str]] = {}
        self.written: list[Any] = []
        self.bind(program.lets)
        self.words = _words(program)
        for node in program.walk():
            if isinstance(node, n.Given):
                self.check_given(node, program)

    def bind(self, lets: tuple[n.Let, ...]) -> None:
        """Take up the names, each of which may use those before it."""
        for let in lets:
            if let.name in self.lets:
                self.fail(let, f"{let.name} is bound twice", "choose another name")
            for node in let.value.walk():
                later = {other.name for other in lets} - set(self.lets)
                if isinstance(node, n.Name) and node.name.lower() in later:
                    self.fail(
                        node, f"{node.name} is used before it is bound", "move its let further up"
                    )
            self.lets[let.name] = let.value

    def check_given(self, node: n.Given, program: n.Program) -> None:
        if all(result.body is not node for result in program.results):
            self.fail(
                node, "given can only stand at the outside of a result", "bind the roll with let"
            )
        if not (self.free(node.body) & self.free(node.test)):
            self.fail(
                node,
                "the two sides of given are different rolls, so the condition would change nothing",
                mends.given(node),
            )

    # --- names

    def free(self, node: n.Node) -> frozenset[str]:
        """The bound names a node depends on, through other names too."""
        key = id(node)
        if key not in self.names:
            found: set[str] = set()
            if isinstance(node, n.Name) and node.name.lower() in self.lets:
                name = node.name.lower()
                found = {name} | self.free(self.lets[name])
            elif not is_apart(node):
                found = found.union(*map(self.free, node.children()))
            self.names[key] = frozenset(found)
        return self.names[key]

    def result(self, node: n.Node) -> Found:
        """One result, mixed over everything its names can be."""
        used = [name for name in self.lets if name in self.free(node) and name not in self.env]
        self.inline = {name for name in used if self.once(name, node, used)}
        bound = [name for name in used if name not in self.inline]
        if not bound:
            return self.leaf(node)[1]
        alone = apart(node, self.free)
        if alone:
            whole = n.replaced(node, alone)
            self.written.append(whole)
            return self.result(whole)
        plain = self.lets
        told, draws = self.with_facts(node, bound, used)
        try:
            return self.mixed(told, draws)
        except NoFacts:
            self.lets = plain
            return self.mixed(node, [self.draw(name, node, used) for name in bound])
        finally:
            self.lets = plain

    def shown(self, node: n.Node) -> Found:
        """One result that is written down: numbers without end in sight are refused."""
        found = self.result(node)
        dist = found.value
        if isinstance(dist, Dist) and dist.is_numeric:
            ends = [
                part for end in (dist.low, dist.high) for part in (end.numerator, end.denominator)
            ]
            bits = max(part.bit_length() for part in ends)
            if bits > (MOST_BITS if dist.low == dist.high else LONGEST):
                self.fail(node, "the numbers have hundreds of digits", "ask for a chance: .. >= 5")
        return found

    def mixed(self, node: n.Node, draws: list[Draw]) -> Found:
        """A result mixed over all that is drawn."""
        cases = []
        for weight in self.assignments(draws):
            factor, found = self.leaf(node)
            if weight * factor:
                cases.append((weight * factor, found))
        missing = self.missing
        if not cases:
            self.fail(node, "the condition can never hold", "ask for something that can happen")
        total = Fraction(1)
        if isinstance(node, n.Given):
            total = sum((weight for weight, _ in cases), missing)
        return _mixed([(found, weight / total) for weight, found in cases], missing / total)

    def once(self, name: str, node: n.Node, used: list[str]) -> bool:
        """Whether a name is mentioned once only, where it can be rolled in place.

        Under a repeat, beside names that are rolled anew there, in the faces of a die or in a
        condition it stands for one fixed number.
        """
        places = [node, *(self.lets[other] for other in used)]
        fixed = (n.Repeat, n.Local, n.Sides, n.Item, n.Cond, n.Bound, n.Count, n.Burst, n.Given)
        found = [m for place in places for m in place.walk() if n.is_name(m, name)]
        held = [
            m for place in places for outer in place.walk() if isinstance(outer, fixed)
            for m in outer.walk() if n.is_name(m, name)
        ]  # fmt: skip
        return len(found) == 1 and not held

    def as_pool(self, name: str, node: n.Node, used: list[str]) -> bool:
        """Whether a name is asked for its single dice, so that the whole multiset matters."""
        return self.is_pool(self.lets[name]) and any(
            isinstance(m, n.Modified) and n.is_name(m.body, name)
            for place in (node, *(self.lets[other] for other in used))
            for m in place.walk()
        )

    def draw(self, name: str, node: n.Node, used: list[str]) -> Draw:
        """A name as one outcome: a number, or the whole roll where single dice matter."""
        if not self.as_pool(name, node, used):
            ends = bounds(name, [node, *(self.lets[other] for other in used)])
            return Draw((name,), lambda: cells(self.value(self.lets[name]), ends or []))

        def law() -> Any:
            expr = self.lets[name]
            return self.guarded(expr, lambda: self.multisets(expr))

        return Draw((name,), law)

    def with_facts(
        self, node: n.Node, bound: list[str], used: list[str]
    ) -> tuple[n.Node, list[Draw]]:
        """A result in which facts about named pools are names of their own, drawn together."""
        places = [node, *(self.lets[name] for name in used)]
        table: dict[int, n.Node] = {}
        hidden: dict[str, n.Node] = {}
        draws = []
        for name in bound:
            pool = self.as_pool(name, node, used)
            facts = self.facts(name, places, table, hidden) if pool else None
            draws.append(facts or self.draw(name, node, used))
        if not table:
            return node, draws
        lets = {name: n.replaced(value, table) for name, value in self.lets.items()}
        told = n.replaced(node, table)
        self.lets = {**lets, **hidden}
        self.written.append((told, self.lets))
        return told, draws

    def facts(
        self, name: str, places: list[n.Node], table: dict[int, n.Node], hidden: dict[str, n.Node]
    ) -> Draw | None:
        """The facts that are asked of a pool; None where its single dice matter otherwise."""
        try:
            found = [(look, fact(look, self.counted_worth)) for look in looks(name, places)]
        except NoFacts:
            return None
        facts = tuple({one: None for _, one in found})
        names = tuple(f"{name} {place}" for place in range(len(facts)))
        for look, one in found:
            told = names[facts.index(one)]
            table[id(look)] = n.Name(span=look.span, name=told)
            hidden[told] = look

        def law() -> Any:
            expr = self.lets[name]
            return self.guarded(expr, lambda: self.throw(expr).read(lambda p: joint(p, facts)))

        return Draw(names, law, is_joint=True)

    def assignments(self, draws: list[Draw]) -> Iterator[Fraction]:
        """Set the names to every joint outcome in turn; yields the chance of each."""
        self.missing = Fraction(0)

        def assign(place: int, weight: Fraction) -> Iterator[Fraction]:
            if place == len(draws):
                yield weight
                return
            names, law = draws[place].names, draws[place].law()
            cut = law if isinstance(law, Enclosed) else Enclosed(law)
            if isinstance(cut.part, OpenDist):
                inner = enclose(cut.part, self.depth)
                cut = Enclosed(inner.part, inner.mass * cut.mass)
            self.missing += weight * cut.missing
            for outcome, p in cut.part.items():
                self.env.update(zip(names, outcome, strict=True) if draws[place].is_joint
                                else [(names[0], outcome)])  # fmt: skip
                yield from assign(place + 1, weight * p * cut.mass)
            for name in names:
                self.env.pop(name, None)

        yield from assign(0, Fraction(1))

    # --- results

    def leaf(self, node: n.Node) -> tuple[Fraction, Found]:
        """A result while all names are set, and the chance that its condition holds."""
        if isinstance(node, n.Given):
            chance = self.chance(node.test).exact
            if chance is None:
                self.fail(
                    node.test,
                    "a condition without a closed form cannot be given",
                    "limit the dice with !max20",
                )
            if not chance:
                return Fraction(0), Found("probability", chance=Chance.sure(Fraction(0)))
            return chance, self.leaf(node.body)[1]
        if isinstance(node, n.Versus):
            return Fraction(1), self.versus(node)
        if isinstance(node, n.Repeat) and not is_question(node.body):
            return Fraction(1), self.ranks(node)
        if is_question(node):
            return Fraction(1), Found("probability", chance=self.chance(node))
        return Fraction(1), Found("distribution", value=self.value(node))

    def local(self, node: n.Local) -> Found:
        """A program within the program; what is rolled outside of it is fixed by now."""
        if isinstance(node.body, n.Versus):
            self.fail_inside(node.body)
        inner = copy(self)
        inner.lets, inner.env, inner.names = dict(self.lets), dict(self.env), {}
        inner.bind(node.lets)
        return inner.result(node.body)

    def fail_inside(self, node: n.Node) -> NoReturn:
        self.fail(
            node, "this can only stand at the outside of a result", "take it out of the brackets"
        )

    def versus(self, node: n.Versus) -> Found:
        if is_question(node.left) != is_question(node.right):
            asked = node.left if is_question(node.left) else node.right
            self.fail(
                asked,
                "one side is a question and the other a number, so they cannot be compared",
                "for a lead of 5 or more write `(d20 + 5) - (d20 + 3) >= 5`",
            )
        left, right = self.value(node.left), self.value(node.right)
        margin = self.guarded(node, lambda: self.arithmetic(operator.sub, left, right))
        win, tie = Chance.sure(margin.more_than(0)), Chance.sure(margin.p(0))
        least = Chance.sure(margin.at_least(0))
        return Found("contest", value=margin, contest=(win, tie, ~least))

    def ranks(self, node: n.Repeat) -> Found:
        throw = self.throw(node)
        count = self.whole(node.count, "the number of repeats")
        ranks = []
        for rank in range(count):
            kept = throw.keep("kh", rank + 1).keep("kl", 1)
            ranks.append(self.guarded(node, kept.total))
        return Found("ranks", value=self.guarded(node, throw.total), ranks=tuple(ranks))

    # --- numbers

    def value(self, node: n.Node) -> Any:
        """The distribution of a number; what depends on no name is computed once."""
        if self.free(node):
            known = self.plainly(node)
            if known is not None:
                return Dist({int(known) if isinstance(known, bool) else known: 1})
            return self.guarded(node, lambda: self.fresh_value(node))
        key = id(node)
        if key not in self.known:
            self.known[key] = self.guarded(node, lambda: self.fresh_value(node))
        return self.known[key]

    def plainly(self, node: n.Node) -> Any:
        """The outcome where all names are set and nothing else is rolled, or None."""
        try:
            return certain(node, self.env)
        except NotCertain:
            return None

    def fresh_value(self, node: n.Node) -> Any:
        if isinstance(node, n.Number):
            return Dist({node.value: 1})
        if isinstance(node, n.Text):
            return Dist({node.text: 1})
        if isinstance(node, n.Name):
            return self.name_value(node)
        if isinstance(node, n.Modified):
            last = node.modifiers[-1]
            if isinstance(last, n.Count):
                return self.counted(node, last)
            if isinstance(last, n.Read):
                return self.read(node, last)
        if isinstance(node, n.Braces) and node.flat:
            return self.sum_of(node)
        if self.is_pool(node):
            return self.pool_value(node)
        if isinstance(node, n.Unary) and node.op == "-":
            return self.negative(self.value(node.body))
        if isinstance(node, n.Binary):
            return self.binary(node)
        if isinstance(node, n.Call):
            return self.call(node)
        if isinstance(node, n.If):
            return self.branch(node)
        if is_question(node):
            return _event(self.chance(node))
        if isinstance(node, n.Local):
            return self.local(node).value
        if isinstance(node, (n.Versus, n.Given)):
            self.fail_inside(node)
        raise AssertionError(type(node))

    def sum_of(self, node: n.Braces) -> Any:
        total: Any = Dist({0: 1})
        for item in node.items:
            total = self.arithmetic(operator.add, total, self.value(item))
        return total

    def pool_value(self, node: n.Node) -> Any:
        """One die with text faces stays as it is; anything else is added up."""
        throw = self.throw(node)
        if len(throw.parts) == 1:
            part = throw.parts[0][1]
            if part.is_plain and len(part.groups) == 1 and part.groups[0].pool.rolled == 1:
                pool = part.groups[0].pool
                if pool.size == 1 and not pool.groups[0][0].is_numeric:
                    return pool.groups[0][0].map(lambda f: f[0] if isinstance(f, tuple) else f)
        return throw.total()

    def name_value(self, node: n.Name) -> Any:
        name = node.name.lower()
        if name in self.env:
            outcome = self.env[name]
            if not isinstance(outcome, tuple):
                return Dist({outcome: 1})
            if len(outcome) > 1 and any(isinstance(face, str) for face in outcome):
                self.fail(node, f"the dice of {node.name} show text", "count them: x c{Hit}")
            return Dist({outcome[0] if len(outcome) == 1 else sum(outcome): 1})
        if name in self.inline:
            return self.value(self.lets[name])
        source = self.source if len(name) > 1 else ""
        hint = (
            words.meant(name, tuple(self.lets), source) or f"bind it first: let {node.name} = d20"
        )
        self.fail(node, f"{node.name} is not known", hint)

    def negative(self, value: Any) -> Any:
        return Enclosed(-value.part, value.mass) if isinstance(value, Enclosed) else -value

    def binary(self, node: n.Binary) -> Any:
        """A chain of operators from the left, without recursion on its length."""
        chain: list[n.Binary] = [node]
        while isinstance(chain[-1].left, n.Binary):
            chain.append(chain[-1].left)
        total = self.value(chain[-1].left)
        for part in reversed(chain):
            total = self.step(part, total, self.value(part.right))
        return total

    def step(self, node: n.Binary, left: Any, right: Any) -> Any:
        if node.op in ("/", "//"):
            zero = right.part.p(0) if isinstance(right, Enclosed) else right.p(0)
            if zero:
                self.fail(
                    node.right,
                    "the divisor is 0" if zero == 1 else f"the divisor is 0 with chance {zero}",
                    "divide by something that is never 0",
                )
        if node.op == "^":
            return self.power(node, left)
        functions: dict[str, Callable[[Any, Any], Any]] = {
            "+": operator.add, "-": operator.sub, "*": operator.mul,
            "/": operator.truediv, "//": _floor_divide,
        }  # fmt: skip
        return self.arithmetic(functions[node.op], left, right)

    def power(self, node: n.Binary, base: Any) -> Any:
        """A whole power of a number."""
        times = self.whole(node.right, "a power")
        if not 0 <= times <= MOST_POWER:
            hint = "write 1 / x" if times < 0 else "use a smaller power"
            self.fail(node.right, f"a power is from 0 to {MOST_POWER:,}, not {times}", hint)
        if isinstance(base, OpenDist):
            self.fail(node.left, "an open-ended roll has no power here", "limit it: d6!max9")
        part = base.part if isinstance(base, Enclosed) else base
        part.require_numbers("raise to a power")
        afford(FACE * part.slots(), self.budget, "use a die with fewer faces")
        if any(is_too_long(outcome, times) for outcome in part):
            self.fail(node, "this power has thousands of digits", "use a smaller one")
        after = part.map(lambda outcome: outcome**times)
        return Enclosed(after, base.mass) if isinstance(base, Enclosed) else after

    def arithmetic(self, function: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
        """A function of two independent numbers, enclosed where there is no closed form."""
        if isinstance(left, Enclosed) or isinstance(right, Enclosed):
            if function is operator.sub:
                right, function = self.negative(right), operator.add
            start = left if isinstance(left, Enclosed) else Enclosed(left)
            return start.combine(right, function, adds=function is operator.add)
        try:
            return function(left, right)
        except (OutcomeError, TypeError):
            opens = [x for x in (left, right) if isinstance(x, OpenDist)]
            if not opens:
                raise
            first = enclose(left, 40) if isinstance(left, OpenDist) else Enclosed(left)
            second = enclose(right, 40) if isinstance(right, OpenDist) else right
            return first.combine(second, function)

    def call(self, node: n.Call) -> Any:
        if node.name in ("max", "min"):
            values = [self.value(arg) for arg in node.args]
            throw = self.pool_of(values)
            return throw.keep("kh" if node.name == "max" else "kl", 1).total()
        value = self.value(node.args[0])
        if isinstance(value, Enclosed):
            return Enclosed(value.part.map(ROUNDINGS[node.name]), value.mass)
        if isinstance(value, OpenDist):
            return _rounded_open(node.name, value)
        value.require_numbers("round")
        return value.map(ROUNDINGS[node.name])

    def branch(self, node: n.If) -> Any:
        chance = self.chance(node.test)
        if chance.exact is None:
            yes, no = self.value(node.yes), self.value(node.no)
            rest = 1 - chance.high
            known = mix_enclosed(
                [(yes, chance.low / (chance.low + rest)), (no, rest / (chance.low + rest))]
            )
            return Enclosed(known.part, known.mass * (chance.low + rest))
        if chance.exact == 1:
            return self.value(node.yes)
        if chance.exact == 0:
            return self.value(node.no)
        parts = [(self.value(node.yes), chance.exact), (self.value(node.no), 1 - chance.exact)]
        if any(isinstance(value, Enclosed) for value, _ in parts):
            return mix_enclosed(parts)
        return mix(parts)

    # --- questions

    def chance(self, node: n.Node) -> Chance:
        """The probability that something holds."""
        if self.env:
            known = self.plainly(node)
            if isinstance(known, bool):
                return Chance.sure(Fraction(int(known)))
        if isinstance(node, n.Compare):
            found: Chance = self.guarded(node, lambda: self.comparison(node))
            return found
        if isinstance(node, n.In):
            return self.membership(node)
        if isinstance(node, n.Logic):
            chances = [self.chance(item) for item in node.items]
            total = chances[0]
            for chance in chances[1:]:
                total = total & chance if node.op == "and" else total | chance
            return total
        if isinstance(node, n.Unary) and node.op == "not":
            return ~self.chance(node.body)
        if isinstance(node, n.Local) and is_question(node):
            inside = self.local(node).chance
            assert inside is not None
            return inside
        if isinstance(node, n.If):
            test = self.chance(node.test)
            yes, no = self.chance(node.yes), self.chance(node.no)
            return Chance(
                test.low * yes.low + (1 - test.high) * no.low,
                min(Fraction(1), test.high * yes.high + (1 - test.low) * no.high),
            )
        self.fail(
            node, "this is a number, not a question", "compare it with something, for example >= 5"
        )

    def comparison(self, node: n.Compare) -> Chance:
        if len(node.operands) == 2:
            left, right = self.operands(node.operands[0], node.operands[1])
            return self.compared(node.ops[0], left, right)
        values = [self.value(operand) for operand in node.operands]
        if len(values) == 3 and values[0].__class__ is Dist and values[2].__class__ is Dist:
            fixed = self.between(node.ops, values)
            if fixed is not None:
                return fixed
        return self.chain(node, values)

    def between(self, ops: tuple[str, ...], values: list[Any]) -> Chance | None:
        """a <= X <= b for fixed a and b, on one roll of X, by two tails."""
        first, middle, last = values
        if first.slots() > 1 or last.slots() > 1 or isinstance(middle, Enclosed):
            return None
        a, b = first.low, last.low
        if set(ops) <= {"<", "<="}:
            low, high = (a, ops[0] == "<="), (b, ops[1] == "<=")
        elif set(ops) <= {">", ">="}:
            low, high = (b, ops[1] == ">="), (a, ops[0] == ">=")
        else:
            return None
        above = middle.at_least(low[0]) if low[1] else middle.more_than(low[0])
        beyond = middle.more_than(high[0]) if high[1] else middle.at_least(high[0])
        return Chance.sure(max(above - beyond, Fraction(0)))

    def chain(self, node: n.Compare, values: list[Any]) -> Chance:
        """A chain a <= b < c: each operand is one roll, compared with both neighbours."""
        cut = []
        for value in values:
            if not set(node.ops) <= {"=", "<>"} and isinstance(value, Dist):
                value.require_numbers("compare")
            known = value if isinstance(value, Enclosed) else Enclosed(value)
            if isinstance(known.part, OpenDist):
                inner = enclose(known.part, 40)
                known = Enclosed(inner.part, inner.mass * known.mass)
            cut.append(known)
        state = cut[0].part.weights()
        for op, right in zip(node.ops, cut[1:], strict=True):
            state = linked(op, state, right.part.weights())
        size, mass = 1, Fraction(1)
        for known in cut:
            size *= known.part.total
            mass *= known.mass
        low = Fraction(sum(state.values()), size) * mass
        return Chance(low, low + 1 - mass)

    def operands(self, left: n.Node, right: n.Node) -> tuple[Any, Any]:
        """Two sides of a comparison; a bare word may name a text face of the other side."""
        if self.is_word(left) and not self.is_word(right):
            other = self.value(right)
            return self.text_face(left, other), other
        value = self.value(left)
        return value, self.text_face(right, value) if self.is_word(right) else self.value(right)

    def is_word(self, node: n.Node) -> bool:
        return isinstance(node, n.Name) and node.name.lower() not in self.lets

    def text_face(self, node: n.Node, other: Any) -> Any:
        assert isinstance(node, n.Name)
        faces = [face for face in other if isinstance(face, str)] if isinstance(other, Dist) else []
        for face in faces:
            if face.lower() == node.name.lower():
                return Dist({face: 1})
        if node.name.lower() in self.words:
            return Dist({node.name: 1})
        if faces:
            self.fail(
                node, f"{node.name} is not a face of this die", f"its words are {', '.join(faces)}"
            )
        return self.value(node)

    def compared(self, op: str, left: Any, right: Any) -> Chance:
        if op in ("=", "<>"):
            same = self.equal(left, right)
            return same if op == "=" else ~same
        if op in ("<", "<="):
            left, right = right, left
        for side in (left, right):
            if isinstance(side, Dist) and not side.is_numeric:
                raise OutcomeError(
                    f"words cannot be compared by {op}", "compare with = or <>, or write in {..}"
                )
        difference = self.arithmetic(operator.sub, left, right)
        strict = op in ("<", ">")
        return Chance.sure(difference.more_than(0) if strict else difference.at_least(0))

    def equal(self, left: Any, right: Any) -> Chance:
        texts = [x for x in (left, right) if isinstance(x, Dist) and not x.is_numeric]
        if texts and isinstance(left, Dist) and isinstance(right, Dist):
            return Chance.sure(left.map(_folded).eq(right.map(_folded)).p())
        if isinstance(left, Enclosed) and isinstance(right, Dist) and right.slots() == 1:
            return Chance.sure(left.p(right.low))
        if texts:
            return Chance.sure(Fraction(0))
        return Chance.sure(self.arithmetic(operator.sub, left, right).p(0))

    def membership(self, node: n.In) -> Chance:
        value = self.value(node.body)
        total = Chance.sure(Fraction(0))
        wanted: set[Any] = set()
        for item in node.items:
            wanted |= set(self.faces(item))
        if isinstance(value, Dist):
            lower = {face.lower(): face for face in value if isinstance(face, str)}
            for item in node.items:
                word = item.low.name if isinstance(item.low, n.Name) else ""
                if word and word.lower() not in {*lower, *self.lets}:
                    hint = f"its words are {', '.join(lower.values())}" if lower else "list numbers"
                    self.fail(item, f"{word} is not a face that can come up", hint)
            wanted = {lower.get(f.lower(), f) if isinstance(f, str) else f for f in wanted}
        part = Chance.sure(value.p(wanted))
        return Chance(total.low + part.low, total.high + part.high)


# --- functions of numbers


def _words(program: n.Program) -> set[str]:
    """Every word that is a face of some die of the program, in lower case."""
    found: set[str] = set()
    for node in program.walk():
        if isinstance(node, n.NamedDie):
            found |= {face.lower() for face in CATALOGUE[node.name] if isinstance(face, str)}
        if isinstance(node, n.Faces):
            found |= {item.low.name.lower() for item in node.items if isinstance(item.low, n.Name)}
    return found


def _folded(outcome: Any) -> Any:
    return outcome.lower() if isinstance(outcome, str) else outcome


def is_question(node: n.Node) -> bool:
    """Whether a node is answered by a probability."""
    if isinstance(node, n.If):
        return is_question(node.yes) and is_question(node.no)
    if isinstance(node, n.Local):
        return is_question(node.body)
    return isinstance(node, (n.Compare, n.In, n.Logic)) or (
        isinstance(node, n.Unary) and node.op == "not"
    )


def _rounded_open(name: str, die: OpenDist) -> Any:
    """Roundings of an open-ended number in closed form; enclosed where there is none."""
    if name == "half_up":
        name, die = "ceil", die / 2
    if name == "floor":
        return die.floordiv(1)
    if name == "ceil":
        return -OpenDist.of((-die).floordiv(1))
    if die.low is not None and die.low >= 0:
        if name == "abs":
            return die
        return die.floordiv(1) if name == "trunc" else (die + Fraction(1, 2)).floordiv(1)
    cut = enclose(die, DEPTH)
    return Enclosed(cut.part.map(ROUNDINGS[name]), cut.mass)


def _floor_divide(left: Any, right: Any) -> Any:
    if isinstance(left, OpenDist) and isinstance(right, Dist) and right.slots() == 1:
        divisor = right.low
        if isinstance(divisor, int) and divisor > 0:
            return left.floordiv(divisor)
        return (left / divisor).floordiv(1)
    return left // right


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": _floor_divide,
}


def _event(chance: Chance) -> Any:
    if chance.exact is not None:
        return mix({1: chance.exact, 0: 1 - chance.exact})
    known = chance.low + 1 - chance.high
    return Enclosed(mix({1: chance.low, 0: 1 - chance.high}), known)


def _mixed(cases: list[tuple[Found, Fraction]], missing: Fraction) -> Found:
    """Answers of one kind, weighted."""
    kind = cases[0][0].kind
    value = (
        _mixed_values([(found.value, w) for found, w in cases], missing)
        if cases[0][0].value is not None
        else None
    )
    if kind == "probability":
        parts = [(found.chance, w) for found, w in cases if found.chance is not None]
        return Found(kind, chance=Chance.average(parts, missing))
    if kind == "contest":
        sides = [found.contest for found, _ in cases if found.contest is not None]
        weights = [w for _, w in cases]
        win, tie, lose = (
            Chance.average(list(zip(column, weights, strict=True)), missing)
            for column in zip(*sides, strict=True)
        )
        return Found(kind, value, contest=(win, tie, lose))
    if kind == "ranks":
        columns = zip(*(found.ranks for found, _ in cases), strict=True)
        ranks = tuple(
            _mixed_values(list(zip(column, (w for _, w in cases), strict=True)), missing)
            for column in columns
        )
        return Found(kind, value, ranks=ranks)
    return Found(kind, value)


def _mixed_values(parts: list[tuple[Any, Fraction]], missing: Fraction) -> Any:
    if not missing and not any(isinstance(value, Enclosed) for value, _ in parts):
        return mix(parts)
    mass = sum((w for _, w in parts), Fraction(0))
    known = mix_enclosed([(value, w / mass) for value, w in parts])
    return Enclosed(known.part, known.mass * mass)
