"""Exact odds by walking every roll: slow, obvious, and independent of the engine.

`answers` walks all the rolls of a specification (see `spec`). Nothing here is clever: a pool is a
tuple of dice, every step turns one pool into the pools that can follow it, and equal pools are
merged.

Dice which explode without end are walked to a stated depth. What lies beyond is kept as an
`Unknown` value, with the least number it can be when that is known, so that an answer is always
an interval: `low <= exact <= high`, with `low == high` wherever the depth settles the question.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product

from .spec import (
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
    Let,
    Mixed,
    Name,
    Neg,
    Node,
    Not,
    Number,
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
    cond,
)


@dataclass(frozen=True)
class Unknown:
    """A value the walk did not reach; `at_least` bounds it from below when it is a number."""

    at_least: Number | None = None


LOST = Unknown()

Value = int | Fraction | str | Unknown
Dist = dict[Value, Fraction]
Truth = bool | Unknown


# ---------------------------------------------------------------------------------------------
# Answers
# ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """What a walk found: the mass of every value, unknown ones included."""

    kind: str
    dist: Dist

    @property
    def known(self) -> Dist:
        """The values that were reached."""
        return {v: p for v, p in self.dist.items() if not isinstance(v, Unknown)}

    @property
    def missing(self) -> Fraction:
        """The mass that was not reached."""
        return sum((p for v, p in self.dist.items() if isinstance(v, Unknown)), Fraction(0))

    def chance(self, value: Value) -> tuple[Fraction, Fraction]:
        """Lower and upper bound of P(value)."""
        low = self.dist.get(value, Fraction(0))
        return low, low + self._unknown(lambda least: least is None or _reaches(value, least))

    def at_least(self, bound: Number) -> tuple[Fraction, Fraction]:
        """Lower and upper bound of P(>= bound)."""
        known = sum((p for v, p in self.known.items() if number(v) >= bound), Fraction(0))
        low = known + self._unknown(lambda least: least is not None and least >= bound)
        return low, low + self._unknown(lambda least: least is None or least < bound)

    def mean(self) -> Fraction:
        """The mean, when nothing is missing."""
        if self.missing:
            raise ValueError("the walk is not complete")
        return sum((number(v) * p for v, p in self.dist.items()), Fraction(0))

    def _unknown(self, test: Callable[[Number | None], bool]) -> Fraction:
        unknown = [(v, p) for v, p in self.dist.items() if isinstance(v, Unknown)]
        return sum((p for v, p in unknown if test(v.at_least)), Fraction(0))


def _reaches(value: Value, least: Number) -> bool:
    return isinstance(value, int | Fraction) and value >= least


def number(value: Value) -> Number:
    """The value, which must be a number."""
    if isinstance(value, int | Fraction):
        return value
    raise ValueError(f"{value!r} is not a number")


@dataclass(frozen=True)
class Walk:
    """What a node is evaluated in: the bound names, and the depth of endless explosions."""

    names: Mapping[str, Value]
    depth: int


def answers(spec: Spec, depth: int = 6) -> list[Outcome]:
    """The outcome of each result, in order."""
    program = spec if isinstance(spec, Program) else Program((), (spec,))
    return [_answer(program.lets, bare(result), depth) for result in program.results]


def answer(spec: Spec, depth: int = 6) -> Outcome:
    """The only outcome."""
    (only,) = answers(spec, depth)
    return only


def bare(result: Result | Labelled) -> Result:
    """A result without its label."""
    return result.result if isinstance(result, Labelled) else result


def kind_of(result: Result) -> str:
    """Which kind of answer a result has."""
    if isinstance(result, Versus):
        return "contest"
    inner = result.inner if isinstance(result, Given) else result
    truths = Compare | In | And | Or | Not
    return "probability" if isinstance(inner, truths) else "distribution"


def _answer(lets: Sequence[Let], result: Result, depth: int) -> Outcome:
    total: Dist = {}
    for walk, chance in _worlds(tuple(lets), Walk({}, depth)):
        for value, mass in _result(result, walk).items():
            _add(total, value, chance * mass)
    return Outcome(kind_of(result), _normalised(total))


def _worlds(lets: tuple[Let, ...], walk: Walk) -> Iterator[tuple[Walk, Fraction]]:
    """Every way the bound names can fall."""
    if not lets:
        yield walk, Fraction(1)
        return
    for value, chance in outcomes(lets[0].expr, walk).items():
        inner = replace(walk, names={**walk.names, lets[0].name: value})
        for world, rest in _worlds(lets[1:], inner):
            yield world, chance * rest


def _result(result: Result, walk: Walk) -> Dist:
    if isinstance(result, Versus):
        return _contest(result, walk)
    if isinstance(result, Given):
        return _conditional(result, walk)
    return outcomes(result, walk)


def _contest(versus: Versus, walk: Walk) -> Dist:
    def verdict(left: Value, right: Value) -> Value:
        for word, op in (("win", ">"), ("tie", "="), ("lose", "<")):
            if holds(op, left, right) is True:
                return word
        return LOST

    return _combine(verdict, [versus.left, versus.right], walk)


def _conditional(given: Given, walk: Walk) -> Dist:
    truth = outcomes(given.test, walk)
    if any(isinstance(value, Unknown) for value in truth):
        raise ValueError("the condition is not settled at this depth")
    weight = truth.get(True, Fraction(0))
    return {v: p * weight for v, p in outcomes(given.inner, walk).items() if weight}


def _normalised(dist: Dist) -> Dist:
    total = sum(dist.values(), Fraction(0))
    if not total:
        raise ValueError("the condition never holds")
    return {value: mass / total for value, mass in dist.items()}


def _add(dist: Dist, value: Value, mass: Fraction) -> None:
    if mass:
        dist[value] = dist.get(value, Fraction(0)) + mass


# ---------------------------------------------------------------------------------------------
# Expressions
# ---------------------------------------------------------------------------------------------


def outcomes(node: Node, walk: Walk) -> Dist:
    """The distribution of a node; separate nodes are separate rolls."""
    match node:
        case Const(value):
            return {value: Fraction(1)}
        case Word(word):
            return {word: Fraction(1)}
        case Name(name):
            return {walk.names[name]: Fraction(1)}
        case Pool():
            return _read_pool(node, walk)
        case Count():
            return _count_pool(node, walk)
        case Neg(inner):
            return _combine(lambda x: arithmetic("-", 0, x), [inner], walk)
        case BinOp(op, left, right):
            return _combine(lambda x, y: arithmetic(op, x, y), [left, right], walk)
        case Call(function, args):
            return _combine(lambda *values: call(function, values), list(args), walk)
        case IfThen():
            return _mixture(node, walk)
    return _truth_outcomes(node, walk)


def _truth_outcomes(node: Node, walk: Walk) -> Dist:
    match node:
        case Compare(operands, ops):
            return _combine(lambda *values: chain_holds(values, ops), list(operands), walk)
        case In(inner, items):
            accepts = item_test(items, walk)
            return _combine(lambda x: membership(x, accepts), [inner], walk)
        case And(left, right):
            return _combine(both, [left, right], walk)
        case Or(left, right):
            return _combine(
                lambda x, y: opposite(both(opposite(x), opposite(y))), [left, right], walk
            )
        case Not(inner):
            return _combine(opposite, [inner], walk)
    raise TypeError(f"no rule for {node!r}")


def _combine(function: Callable[..., Value], nodes: Sequence[Node], walk: Walk) -> Dist:
    """Every combination of independent values."""
    dist: Dist = {}
    for combination in product(*(outcomes(node, walk).items() for node in nodes)):
        mass = math.prod((p for _, p in combination), start=Fraction(1))
        _add(dist, function(*(value for value, _ in combination)), mass)
    return dist


def _mixture(node: IfThen, walk: Walk) -> Dist:
    dist: Dist = {}
    for truth, chance in outcomes(node.test, walk).items():
        if isinstance(truth, Unknown):
            _add(dist, LOST, chance)
            continue
        for value, mass in outcomes(node.yes if truth else node.no, walk).items():
            _add(dist, value, chance * mass)
    return dist


def fixed(item: int | Node, walk: Walk) -> Number:
    """A number inside a modifier: plain, or an expression that has one value."""
    if not isinstance(item, Node):
        return item
    (value,) = outcomes(item, walk)
    return number(value)


def least(value: Value) -> Number | None:
    """The least a value can be, if that is known."""
    return value.at_least if isinstance(value, Unknown) else number(value)


def arithmetic(op: str, left: Value, right: Value) -> Value:
    """One operation on two values."""
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return _bounded_arithmetic(op, left, right)
    a, b = Fraction(number(left)), Fraction(number(right))
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/":
            return a / b
        case "//":
            return math.floor(a / b)
    raise ValueError(op)


def _bounded_arithmetic(op: str, left: Value, right: Value) -> Value:
    a, b = least(left), least(right)
    if a is None or b is None:
        return LOST
    if op == "+":
        return Unknown(a + b)
    if op == "-" and not isinstance(right, Unknown):
        return Unknown(a - b)
    if op == "*" and a >= 0 and b >= 0:
        return Unknown(a * b)
    return LOST


def call(function: str, values: Sequence[Value]) -> Value:
    """One function of some values."""
    if any(isinstance(value, Unknown) for value in values):
        bounds = [bound for value in values if (bound := least(value)) is not None]
        return Unknown(max(bounds)) if function == "max" and bounds else LOST
    numbers = [Fraction(number(value)) for value in values]
    if function == "max":
        return max(numbers)
    if function == "min":
        return min(numbers)
    (x,) = numbers
    return _one_argument(function, x)


def _one_argument(function: str, x: Fraction) -> Number:
    match function:
        case "abs":
            return abs(x)
        case "ceil":
            return math.ceil(x)
        case "floor":
            return math.floor(x)
        case "trunc":
            return math.trunc(x)
        case "round":
            away = math.floor(abs(x) + Fraction(1, 2))
            return away if x >= 0 else -away
        case "half_up":
            return math.ceil(x / 2)
    raise ValueError(function)


MIRROR = {"=": "=", "==": "==", "<>": "<>", "!=": "!=", ">=": "<=", "<=": ">=", ">": "<", "<": ">"}


def holds(op: str, left: Value, right: Value) -> Truth:
    """One comparison; Unknown when a bound does not settle it."""
    if isinstance(left, Unknown) and isinstance(right, Unknown):
        return LOST
    if isinstance(right, Unknown):
        return holds(MIRROR[op], right, left)
    if isinstance(left, Unknown):
        return _bound_holds(op, left.at_least, number(right))
    if op in ("=", "=="):
        return left == right
    if op in ("<>", "!="):
        return left != right
    a, b = number(left), number(right)
    return {">=": a >= b, ">": a > b, "<=": a <= b, "<": a < b}[op]


def _bound_holds(op: str, bound: Number | None, right: Number) -> Truth:
    if bound is None:
        return LOST
    if op in (">=", "<"):
        return (op == ">=") if bound >= right else LOST
    return (op in (">", "<>", "!=")) if bound > right else LOST


def chain_holds(values: Sequence[Value], ops: Sequence[str]) -> Truth:
    """All the links of a chain of comparisons."""
    truth: Truth = True
    for op, (left, right) in zip(ops, pairwise(values), strict=True):
        truth = both(truth, holds(op, left, right))
    return truth


def both(left: Truth, right: Truth) -> Truth:
    """The conjunction, where one False is enough."""
    if left is False or right is False:
        return False
    return True if left is True and right is True else LOST


def opposite(truth: Truth) -> Truth:
    """The negation."""
    return LOST if isinstance(truth, Unknown) else not truth


def item_test(items: Iterable[Item], walk: Walk) -> Callable[[Value], bool]:
    """Whether a value is one of the items."""
    ranges: list[tuple[int, int]] = []
    values: list[Value] = []
    for item in items:
        if isinstance(item, tuple):
            ranges.append(item)
        else:
            values.append(item if isinstance(item, str) else fixed(item, walk))

    def accepts(value: Value) -> bool:
        if value in values or isinstance(value, str):
            return value in values
        return any(low <= number(value) <= high for low, high in ranges)

    return accepts


def membership(value: Value, accepts: Callable[[Value], bool]) -> Truth:
    """Membership of a value that may be unknown."""
    return LOST if isinstance(value, Unknown) else accepts(value)


def matcher(condition: Cond, walk: Walk) -> Callable[[Value], bool]:
    """A condition on one die as a test."""
    op, items = condition.op, condition.items
    if op in ("even", "odd"):
        return lambda value: number(value) % 2 == (0 if op == "even" else 1)
    if op in ("set", "in"):
        return item_test(items, walk)
    if op == "range":
        low, high = (fixed(item, walk) for item in items if not isinstance(item, str | tuple))
        return lambda value: low <= number(value) <= high
    comparison = {"bare": "=", "plus": ">=", "minus": "<="}.get(op, op)
    (item,) = items
    if isinstance(item, tuple):
        raise ValueError("a range needs a set")
    bound = item if isinstance(item, str) else fixed(item, walk)
    return lambda value: holds(comparison, value, bound) is True


# ---------------------------------------------------------------------------------------------
# Pools
# ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rolled:
    """A die on the table; `kind` says which bare die it is."""

    value: int | Fraction | str
    natural: int | Fraction | str
    kind: int


@dataclass(frozen=True)
class State:
    """The dice of a pool; `cut` when more may follow than the walk went after."""

    dice: tuple[Rolled, ...] = ()
    cut: bool = False


States = dict[State, Fraction]
Options = list[tuple[State, Fraction]]
Kinds = list[Dist]

CUT = State((), cut=True)


def _order(die: Rolled) -> tuple[bool, int | Fraction | str, int | Fraction | str, int]:
    return isinstance(die.value, str), die.value, die.natural, die.kind


def gather(parts: Iterable[Options]) -> States:
    """Independent parts of a pool put together, every combination once."""
    states: States = {State(): Fraction(1)}
    for options in parts:
        together: States = {}
        for state, chance in states.items():
            for part, mass in options:
                dice = tuple(sorted(state.dice + part.dice, key=_order))
                whole = State(dice, state.cut or part.cut)
                together[whole] = together.get(whole, Fraction(0)) + chance * mass
        states = together
    return states


def faces_of(die: Die) -> Dist:
    """The chance of each face."""
    total = sum(weight for _, weight in die.faces)
    dist: Dist = {}
    for face, weight in die.faces:
        _add(dist, face, Fraction(weight, total))
    return dist


def fresh(kind: int, kinds: Kinds) -> Options:
    """One roll of a bare die."""
    return [
        (CUT if isinstance(face, Unknown) else State((Rolled(face, face, kind),)), chance)
        for face, chance in kinds[kind].items()
    ]


def _throw(source: Source, walk: Walk) -> tuple[Kinds, States]:
    """The kinds of dice of a source, and its first rolls."""
    match source:
        case Dice(count, die):
            kinds = [faces_of(die)]
            return kinds, _throw_some(count, kinds, walk)
        case Advantage(die):
            kinds = [faces_of(die)]
            return kinds, _throw_some(2, kinds, walk)
        case Mixed(members):
            kinds = [outcomes(member, walk) for member in members]
        case Repeat(times, inner):
            kinds = [outcomes(inner, walk)]
            return kinds, _throw_some(times, kinds, walk)
        case Flat(parts):
            kinds = [faces_of(part.die) for part in parts for _ in range(_whole(part.count))]
    return kinds, gather(fresh(kind, kinds) for kind in range(len(kinds)))


def _throw_some(count: int | Node, kinds: Kinds, walk: Walk) -> States:
    counts = outcomes(count, walk) if isinstance(count, Node) else {count: Fraction(1)}
    states: States = {}
    for times, chance in counts.items():
        rolls = gather([fresh(0, kinds)] * _whole(times))
        for state, mass in rolls.items():
            states[state] = states.get(state, Fraction(0)) + chance * mass
    return states


def _whole(count: Value | Node) -> int:
    if isinstance(count, int | Fraction) and count == int(count) and count >= 0:
        return int(count)
    raise ValueError(f"{count!r} dice")


def roll_pool(pool: Pool, walk: Walk) -> tuple[Kinds, States]:
    """All the ways a pool can end, after all of its steps."""
    kinds, states = _throw(pool.source, walk)
    for index, step in enumerate_steps(pool):
        action = Action(step, per_die(pool.steps[:index]), kinds, walk)
        following: States = {}
        for state, chance in states.items():
            for after, mass in action.apply(state).items():
                following[after] = following.get(after, Fraction(0)) + chance * mass
        states = following
    return kinds, states


def enumerate_steps(pool: Pool) -> Iterator[tuple[int, Step]]:
    """The steps with the number of written steps before each of them."""
    if isinstance(pool.source, Advantage):
        yield 0, Keep("kh" if pool.source.better else "kl", 1)
    yield from zip(range(len(pool.steps)), pool.steps, strict=True)


def per_die(steps: Iterable[Step]) -> tuple[Reroll | Clamp, ...]:
    """The steps which belong to each die by itself, so that extra dice obey them too."""
    return tuple(step for step in steps if isinstance(step, Reroll | Clamp))


@dataclass(frozen=True)
class Action:
    """One step, with all it needs to know."""

    step: Step
    history: tuple[Reroll | Clamp, ...]
    kinds: Kinds
    walk: Walk

    def apply(self, state: State) -> States:
        """The states that can follow."""
        if state.cut:
            return {CUT: Fraction(1)}
        match self.step:
            case Keep():
                return {State(self._kept(self.step, state.dice)): Fraction(1)}
            case Explode():
                return gather(self._exploded(self.step, die) for die in state.dice)
        return gather(self._changed(self.step, die) for die in state.dice)

    def _kept(self, keep: Keep, dice: tuple[Rolled, ...]) -> tuple[Rolled, ...]:
        wanted = 1 if keep.number is None else _whole(fixed(keep.number, self.walk))
        size, some = len(dice), min(wanted, len(dice))
        match keep.kind:
            case "kh" | "k":
                return dice[size - some :]
            case "kl":
                return dice[:some]
            case "dh":
                return dice[: size - some]
            case "dl":
                return dice[some:]
        outside = size - some
        if keep.kind != "mid" or outside % 2:
            raise ValueError(f"{keep.kind} of {size} dice")
        return dice[outside // 2 : outside // 2 + some]

    def _changed(self, step: Reroll | Clamp, die: Rolled) -> Options:
        if isinstance(step, Clamp):
            bound, value = fixed(step.bound, self.walk), number(die.value)
            clamped = max(value, bound) if step.kind == "min" else min(value, bound)
            return [(State((replace(die, value=clamped),)), Fraction(1))]
        tests = [matcher(condition, self.walk) for condition in step.conds]
        if not any(test(die.value) for test in tests):
            return [(State((die,)), Fraction(1))]
        rolls = fresh(die.kind, self.kinds)
        return self._until(rolls, tests) if step.until else rolls

    def _until(self, rolls: Options, tests: list[Callable[[Value], bool]]) -> Options:
        left = [
            (state, chance)
            for state, chance in rolls
            if not any(test(die.value) for test in tests for die in state.dice)
        ]
        total = sum((chance for _, chance in left), Fraction(0))
        if not total:
            raise ValueError("every face is rolled again")
        return [(state, chance / total) for state, chance in left]

    def _born(self, kind: int) -> Options:
        """One extra die: the bare die and the earlier per-die steps."""
        states = dict(fresh(kind, self.kinds))
        for step in self.history:
            following: States = {}
            for state, chance in states.items():
                for after, mass in self._changed(step, state.dice[0]):
                    following[after] = following.get(after, Fraction(0)) + chance * mass
            states = following
        return list(states.items())

    def _exploded(self, step: Explode, die: Rolled) -> Options:
        """Everything one die can grow into."""
        if step.trigger is None:
            triggered = cond("=", _highest_face(self.kinds[die.kind]))
        else:
            triggered = step.trigger
        test = matcher(triggered, self.walk)
        ended: Options = []
        running: list[tuple[tuple[Rolled, ...], Fraction]] = [((die,), Fraction(1))]
        for _ in range(self.walk.depth if step.limit is None else step.limit):
            longer: list[tuple[tuple[Rolled, ...], Fraction]] = []
            for chain, chance in running:
                if not test(chain[-1].natural):
                    ended.append((State(chain), chance))
                    continue
                longer += [
                    (chain + extra.dice, chance * mass) for extra, mass in self._born(die.kind)
                ]
            running = longer
        for chain, chance in running:
            goes_on = step.limit is None and test(chain[-1].natural)
            ended.append((State(chain, cut=goes_on), chance))
        joined = [(_joined(step.mode, state), chance) for state, chance in ended]
        return list(gather([joined]).items())


def _highest_face(faces: Dist) -> int:
    top = max(number(face) for face in faces)
    if top != int(top):
        raise ValueError("a fractional highest face")
    return int(top)


def _joined(mode: str, state: State) -> State:
    """The dice of one chain the way the mode wants them."""
    first, *extras = state.dice
    if mode == "!":
        return state
    if mode == "!p":
        lower = [replace(extra, value=number(extra.natural) - 1) for extra in extras]
        return State((first, *lower), state.cut)
    total = sum(number(die.value) for die in state.dice)
    return State((replace(first, value=total),), state.cut)


# ---------------------------------------------------------------------------------------------
# Readings and counts
# ---------------------------------------------------------------------------------------------


def _read_pool(pool: Pool, walk: Walk) -> Dist:
    kinds, states = roll_pool(pool, walk)
    grows = _only_grows(pool, kinds)
    dist: Dist = {}
    for state, chance in states.items():
        if state.cut:
            _add(dist, _cut_reading(pool.reading, state, grows), chance)
        else:
            _add(dist, reading(pool.reading, [die.value for die in state.dice]), chance)
    return dist


def _only_grows(pool: Pool, kinds: Kinds) -> bool:
    """Whether more dice can only raise a total."""
    lowest = 1 if any(isinstance(s, Explode) and s.mode == "!p" for s in pool.steps) else 0
    for face in (face for faces in kinds for face in faces):
        if isinstance(face, str) or (bound := least(face)) is None or bound < lowest:
            return False
    return True


def _cut_reading(name: str, state: State, grows: bool) -> Unknown:
    values = [number(die.value) for die in state.dice]
    if name in ("", "sum") and grows:
        return Unknown(sum(values))
    if name == "highest" and values and grows:
        return Unknown(max(values))
    if name == "count":
        return Unknown(len(values))
    return LOST


def reading(name: str, values: Sequence[Value]) -> Value:
    """One number (or text face) from the values of a pool."""
    if len(values) == 1 and name in ("", "sum"):
        return values[0]
    numbers = sorted(number(value) for value in values)
    match name:
        case "" | "sum":
            return sum(numbers)
        case "highest":
            return numbers[-1]
        case "lowest":
            return numbers[0]
        case "median":
            half = len(numbers) // 2
            return Fraction(numbers[half] + numbers[len(numbers) - 1 - half], 2)
        case "product":
            return math.prod(numbers)
        case "count":
            return len(numbers)
    return _matching(name, Counter(numbers))


def _matching(name: str, shown: Counter[Number]) -> int:
    match name:
        case "sets":
            return sum(1 for times in shown.values() if times >= 2)
        case "pairs":
            return sum(times // 2 for times in shown.values())
        case "highest set" | "largest set":
            return max(shown.values(), default=0)
        case "unique":
            return len(shown)
        case "longest run":
            return max((_run_from(face, shown) for face in shown), default=0)
    raise ValueError(name)


def _run_from(face: Number, shown: Counter[Number]) -> int:
    length = 0
    while face + length in shown:
        length += 1
    return length


def _count_pool(count: Count, walk: Walk) -> Dist:
    kinds, states = roll_pool(count.pool, walk)
    dist: Dist = {}
    for state, chance in states.items():
        score = sum(_score(term, die, kinds, walk) for term in count.terms for die in state.dice)
        if count.floor0:
            score = max(score, 0)
        _add(dist, _cut_score(count, score) if state.cut else score, chance)
    return dist


def _score(term: Term, die: Rolled, kinds: Kinds, walk: Walk) -> int:
    """What one die adds to a count."""
    condition = term.cond or cond("=", _highest_face(kinds[die.kind]))
    if not matcher(condition, walk)(die.value):
        return 0
    times = next((times for face, times in term.extra if face == die.value), 1)
    return -times if term.minus else times


def _cut_score(count: Count, score: int) -> Unknown:
    """Separate extra dice can only add matches; a compounding die may still change its face."""
    merges = any(isinstance(step, Explode) and step.mode == "!!" for step in count.pool.steps)
    if merges or any(term.minus for term in count.terms):
        return LOST
    return Unknown(score)
