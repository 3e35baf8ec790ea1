"""Random small specifications that are legal notation and quick to enumerate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from .enumerate import Walk, answers, matcher, number, outcomes
from .spec import (
    COIN,
    FATE,
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
    Let,
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
    Source,
    Step,
    Term,
    Versus,
    cond,
    listed,
    numbered,
)

Draw = st.DrawFn
Faces = tuple[int, ...]
NOWHERE = Walk({}, 0)

# Readings that mean something for an empty pool too.
EMPTY_READINGS = ("", "sum", "count", "sets", "pairs", "unique")


# ---------------------------------------------------------------------------------------------
# Dice and sources
# ---------------------------------------------------------------------------------------------


@st.composite
def listed_dice(draw: Draw) -> Die:
    """Two to four listed faces with small weights, repeats allowed."""
    weights = st.integers(1, 3)
    faces = st.lists(st.tuples(st.integers(-1, 6), weights), min_size=2, max_size=4)
    return listed(*draw(faces.filter(lambda pairs: len({face for face, _ in pairs}) > 1)))


def dice(most: int = 6) -> st.SearchStrategy[Die]:
    """One die of any sort with at most six faces."""
    plain = st.integers(2, most).map(numbered)
    return st.one_of(plain, plain, listed_dice(), st.just(FATE))


@st.composite
def like_dice(draw: Draw, most: int = 4, sides: int = 6) -> Dice:
    """Some dice of one sort."""
    return Dice(draw(st.integers(1, most)), draw(dice(sides)))


@st.composite
def random_counts(draw: Draw) -> Dice:
    """A random number of dice, now and then none."""
    count: Node = Pool(Dice(1, numbered(draw(st.integers(2, 3)))))
    if draw(st.booleans()):
        count = BinOp("-", count, Const(1))
    return Dice(count, draw(dice(4)))


@st.composite
def members(draw: Draw) -> Node:
    """One member of a mixed pool: a die, a total, or a kept die."""
    die = numbered(draw(st.integers(2, 4)))
    shape = draw(st.sampled_from(("die", "die", "two", "kept", "plus")))
    if shape == "two":
        return Pool(Dice(2, die))
    if shape == "kept":
        return Pool(Dice(2, die), (Keep(draw(st.sampled_from(("kh", "kl"))), 1),))
    single = Pool(Dice(1, die))
    return BinOp("+", single, Const(draw(st.integers(1, 2)))) if shape == "plus" else single


def mixed_pools() -> st.SearchStrategy[Mixed]:
    """{d4, 2d6}"""
    return st.lists(members(), min_size=2, max_size=3).map(lambda some: Mixed(tuple(some)))


def flat_pools() -> st.SearchStrategy[Flat]:
    """{2d4+d6}"""
    parts = st.lists(like_dice(most=2, sides=4), min_size=2, max_size=2)
    return parts.map(lambda some: Flat(tuple(some)))


def repeats() -> st.SearchStrategy[Repeat]:
    """2x(2d4kh1)"""
    return st.builds(Repeat, st.integers(2, 3), members())


def advantages() -> st.SearchStrategy[Advantage]:
    """d6 adv"""
    return st.builds(Advantage, st.integers(2, 6).map(numbered), st.booleans())


# ---------------------------------------------------------------------------------------------
# Conditions
# ---------------------------------------------------------------------------------------------


@st.composite
def conditions(draw: Draw, faces: Faces) -> Cond:
    """A condition near the faces; a negative number is only written where it reads well."""
    pivot = draw(st.integers(min(faces), max(faces)))
    ops = ("=", "<>", ">=", ">", "<=", "<", "set", "in", "even", "odd")
    signless = ("bare", "bare", "plus", "minus", "range", "sum")
    op = draw(st.sampled_from(ops + signless if pivot >= 0 else ops))
    if op in ("even", "odd"):
        return cond(op)
    if op in ("set", "in"):
        return Cond(op, draw(face_lists(faces)))
    if op == "range":
        return cond(op, pivot, draw(st.integers(pivot, max(pivot, *faces))))
    if op == "sum":
        part = draw(st.integers(0, pivot))
        return cond(">=", BinOp("+", Const(part), Const(pivot - part)))
    return cond(op, pivot)


@st.composite
def face_lists(draw: Draw, faces: Faces) -> tuple[Item, ...]:
    """A few faces, one of them perhaps a range."""
    items: list[Item] = list(draw(st.lists(st.sampled_from(faces), min_size=1, max_size=2)))
    if draw(st.booleans()) and min(faces) >= 0:
        low = draw(st.sampled_from(faces))
        items.append((low, low + 1))
    return tuple(items)


def matches_all(condition: Cond, faces: Faces) -> bool:
    """Whether every face matches."""
    return all(map(matcher(condition, NOWHERE), faces))


@st.composite
def triggers(draw: Draw, faces: Faces) -> Cond | None:
    """What sets off an extra die: one or two faces, most often the highest."""
    low, high = min(faces), max(faces)
    some = [None, None, cond("=", high), cond(">=", high), cond("=", low)]
    if high >= 0:
        some.append(cond("bare", high))
        some.append(cond("plus", high))
    if high - low > 1:
        some += [cond(">", high - 2), cond("set", low, high)]
    return draw(st.sampled_from(some))


# ---------------------------------------------------------------------------------------------
# Chains of modifiers
# ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """What a chain may still do: the faces of each kind of dice, and what was done so far."""

    kinds: tuple[Faces, ...]
    size: int
    settled: bool = True
    rerolled: bool = False
    clamped: bool = False
    kept: bool = False
    blurred: bool = False
    exploded: bool = False
    max_is_limit: bool = False

    @property
    def faces(self) -> Faces:
        """All faces of all dice."""
        return tuple(sorted({face for kind in self.kinds for face in kind}))

    @property
    def mingled(self) -> bool:
        """Unlike dice after a keep: nobody knows which die is left."""
        return self.kept and len(self.kinds) > 1


def table_for(source: Source) -> Table:
    """The table right after the roll."""
    match source:
        case Dice(count, die):
            if isinstance(count, Node):
                return Table((_faces(die),), _least(count), settled=False)
            return Table((_faces(die),), count)
        case Advantage(die):
            return Table((_faces(die),), 1, kept=True)
        case Flat(parts):
            sizes = [part.count for part in parts if isinstance(part.count, int)]
            return Table(tuple(_faces(part.die) for part in parts), sum(sizes))
        case Mixed(some):
            return Table(tuple(_totals(member) for member in some), len(some))
        case Repeat(times, inner):
            return Table((_totals(inner),), times)


def _faces(die: Die) -> Faces:
    return tuple(sorted({face for face, _ in die.faces if isinstance(face, int)}))


def _totals(node: Node) -> Faces:
    return tuple(sorted(int(number(total)) for total in outcomes(node, NOWHERE)))


def _least(count: Node) -> int:
    return min(_totals(count))


@st.composite
def rerolls(draw: Draw, table: Table) -> Reroll:
    """r or rr, sometimes two joined ones."""
    until = draw(st.booleans())
    some = draw(st.lists(conditions(table.faces), min_size=1, max_size=2))
    if not until:
        return Reroll(tuple(some))
    open_conditions = [one for one in some if _leaves_a_face([one], table)]
    if len(open_conditions) == 2 and not _leaves_a_face(some, table):
        open_conditions.pop()
    return Reroll(tuple(open_conditions or [cond("=", table.faces[0])]), until=True)


def _leaves_a_face(some: list[Cond], table: Table) -> bool:
    tests = [matcher(one, NOWHERE) for one in some]
    return all(any(not any(test(face) for test in tests) for face in kind) for kind in table.kinds)


@st.composite
def clamps(draw: Draw, table: Table) -> Clamp:
    """min or max with a bound that is not negative."""
    kind = "min" if table.max_is_limit else draw(st.sampled_from(("min", "max")))
    return Clamp(kind, draw(st.integers(0, max(1, table.faces[-1]))))


@st.composite
def keeps(draw: Draw, table: Table) -> Keep:
    """Any keep or drop that leaves at least one die of a settled pool."""
    kinds = ["kh", "kl", "k"]
    if table.size > 1 or not table.settled:
        kinds += ["dh", "dl"]
    if table.settled:
        kinds.append("mid")
    kind = draw(st.sampled_from(kinds))
    if kind == "mid":
        return Keep(kind, draw(st.sampled_from(range(table.size, 0, -2))))
    if kind in ("dh", "dl"):
        return Keep(kind, draw(st.integers(1, table.size - 1 if table.settled else 1)))
    most = table.size if table.settled else table.size + 1
    amount = draw(st.integers(1, max(1, most)))
    bare_keep = amount == 1 and kind == "kh" and draw(st.booleans())
    return Keep(kind, None if bare_keep else amount)


def _after_keep(keep: Keep, size: int) -> int:
    amount = keep.number if isinstance(keep.number, int) else 1
    return max(size - amount, 0) if keep.kind in ("dh", "dl") else min(size, amount)


@st.composite
def explosions(draw: Draw, table: Table, endless: bool) -> Explode:
    """Endless, or with a limit of one or two extra dice for each die."""
    modes = ["!", "!!"] if table.clamped else ["!", "!!", "!p"]
    mode = draw(st.sampled_from(modes))
    trigger = draw(triggers(table.faces))
    if trigger and any(matches_all(trigger, kind) for kind in table.kinds):
        trigger = None
    return Explode(mode, trigger, None if endless else draw(st.integers(1, 2)))


StepMaker = Callable[[Table], st.SearchStrategy[Step]]


def _makers(table: Table, explode: bool, endless: bool) -> list[StepMaker]:
    makers: list[StepMaker] = [clamps]
    if table.size > 0:
        makers += [keeps, keeps]
    if not table.rerolled and not table.mingled:
        makers += [rerolls, rerolls]
    if explode and not (table.exploded or table.mingled or table.blurred):
        makers += [lambda now: explosions(now, endless)] * 3
    return makers


def _advance(table: Table, step: Step) -> Table:
    table = replace(table, max_is_limit=isinstance(step, Explode) and step.limit is None)
    match step:
        case Reroll():
            return replace(table, rerolled=True)
        case Clamp():
            return replace(table, clamped=True)
        case Explode(mode):
            return replace(table, exploded=True, settled=table.settled and mode == "!!")
        case Keep():
            size = _after_keep(step, table.size)
            return replace(table, kept=True, size=size, blurred=table.blurred or table.clamped)


@st.composite
def chains(
    draw: Draw, source: Source, most: int = 3, explode: bool = False, endless: bool = False
) -> tuple[tuple[Step, ...], Table]:
    """Up to `most` modifiers, legal from left to right; with `explode`, one that explodes."""
    table, steps = table_for(source), []
    for _ in range(draw(st.integers(0, most))):
        step = draw(st.sampled_from(_makers(table, explode, endless)).flatmap(_applied(table)))
        steps.append(step)
        table = _advance(table, step)
    if explode and not table.exploded and not (table.mingled or table.blurred):
        steps.append(draw(explosions(table, endless)))
        table = _advance(table, steps[-1])
    return tuple(steps), table


def _applied(table: Table) -> Callable[[StepMaker], st.SearchStrategy[Step]]:
    return lambda maker: maker(table)


# ---------------------------------------------------------------------------------------------
# Pools, readings, counts
# ---------------------------------------------------------------------------------------------


@st.composite
def pools(
    draw: Draw,
    sources: st.SearchStrategy[Source],
    most: int = 3,
    explode: bool = False,
    endless: bool = False,
    readings: tuple[str, ...] = ("",),
) -> Pool:
    """A source, a chain, and a reading."""
    source = draw(sources)
    steps, table = draw(chains(source, most, explode, endless))
    allowed = [name for name in readings if table.size > 0 or name in EMPTY_READINGS]
    return Pool(source, steps, draw(st.sampled_from(allowed or [""])))


def finite_pools() -> st.SearchStrategy[Pool]:
    """Like dice and modifiers that end."""
    return pools(like_dice())


def limited_explosions() -> st.SearchStrategy[Pool]:
    """Extra dice with a limit, among other modifiers."""
    return pools(like_dice(most=3), explode=True, most=2)


def endless_explosions() -> st.SearchStrategy[Pool]:
    """Extra dice without end, among other modifiers."""
    return pools(like_dice(most=2), explode=True, endless=True, most=2)


def read_pools() -> st.SearchStrategy[Pool]:
    """Every reading, after a short chain."""
    return pools(like_dice(), most=2, readings=READINGS)


def special_pools() -> st.SearchStrategy[Pool]:
    """Mixed, flat, repeated pools and random counts, with modifiers and readings."""
    sources = st.one_of(mixed_pools(), flat_pools(), repeats(), random_counts())
    return pools(sources, most=2, readings=("", "", *READINGS))


@st.composite
def terms(draw: Draw, table: Table) -> tuple[Term, ...]:
    """One or two counts, with multiples and something subtracted."""
    some = [draw(plus_terms(table)) for _ in range(draw(st.integers(1, 2)))]
    if draw(st.booleans()):
        word = draw(st.sampled_from(("", "f", "cf")))
        some.append(Term(draw(conditions(table.faces)), minus=True, word=word))
    return tuple(some)


@st.composite
def plus_terms(draw: Draw, table: Table) -> Term:
    """One count with or without multiples."""
    word = draw(st.sampled_from(("", "", "", "cs", "t", "hits", "count")))
    default = word in ("", "cs") and not table.mingled and draw(st.integers(0, 4)) == 0
    condition = None if default else draw(conditions(table.faces))
    doubles = [face for face in table.faces if face > 0]
    extra: tuple[tuple[int, int], ...] = ()
    if condition and doubles and draw(st.booleans()):
        faces = draw(st.lists(st.sampled_from(doubles), min_size=1, max_size=2, unique=True))
        extra = tuple((face, draw(st.integers(2, 3))) for face in faces)
    return Term(condition, extra, word=word)


@st.composite
def counts(
    draw: Draw,
    sources: st.SearchStrategy[Source],
    explode: bool = False,
    endless: bool = False,
) -> Count:
    """Matching dice of a pool, with modifiers written before and behind the count."""
    source = draw(sources)
    steps, table = draw(chains(source, 2, explode, endless))
    some = draw(terms(table))
    place = draw(st.one_of(st.none(), st.integers(0, len(steps))))
    return Count(Pool(source, steps), some, draw(st.booleans()), place)


def finite_counts() -> st.SearchStrategy[Count]:
    """Counts on like and unlike dice."""
    sources: st.SearchStrategy[Source] = st.one_of(like_dice(), flat_pools(), random_counts())
    return counts(sources)


def endless_counts() -> st.SearchStrategy[Count]:
    """Counts on dice that explode without end."""
    return counts(like_dice(most=2), explode=True, endless=True)


# ---------------------------------------------------------------------------------------------
# Expressions and questions
# ---------------------------------------------------------------------------------------------

FUNCTIONS = ("ceil", "floor", "round", "trunc", "abs", "half_up", "max", "min")
RELATIONS = ("=", "==", "<>", "!=", ">=", ">", "<=", "<")


def small_constants() -> st.SearchStrategy[Const]:
    """0 to 9."""
    return st.integers(0, 9).map(Const)


def simple_totals() -> st.SearchStrategy[Node]:
    """A small pool, a count, or a constant."""
    few = like_dice(most=2, sides=4)
    coins = st.just(Pool(Dice(1, COIN)))
    lucky = advantages().map(Pool)
    return st.one_of(pools(few, most=1), pools(few, most=0), small_constants(), coins, lucky)


@st.composite
def divisions(draw: Draw, inner: st.SearchStrategy[Node]) -> Node:
    """/ or // by something that is never zero."""
    divisor: Node = Const(draw(st.integers(1, 4)))
    if draw(st.booleans()):
        divisor = Pool(Dice(1, numbered(draw(st.integers(2, 4)))))
    return BinOp(draw(st.sampled_from(("/", "//"))), draw(inner), divisor)


@st.composite
def calls(draw: Draw, inner: st.SearchStrategy[Node]) -> Call:
    """A function of one or two expressions."""
    name = draw(st.sampled_from(FUNCTIONS))
    many = 2 if name in ("max", "min") else 1
    return Call(name, tuple(draw(inner) for _ in range(many)))


def _bigger(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    signs = st.sampled_from(("+", "-", "*"))
    sums = st.builds(BinOp, signs, inner, inner)
    return st.one_of(sums, sums, divisions(inner), calls(inner), st.builds(Neg, inner))


def arithmetic(leaves: int = 3) -> st.SearchStrategy[Node]:
    """Numbers, dice and functions."""
    return st.recursive(simple_totals(), _bigger, max_leaves=leaves)


@st.composite
def comparisons(draw: Draw, inner: st.SearchStrategy[Node] | None = None) -> Node:
    """One comparison, a chain, or a list."""
    inner = arithmetic(2) if inner is None else inner
    left = draw(inner)
    shape = draw(st.sampled_from(("one", "one", "dice", "chain", "in")))
    if shape == "chain":
        ops = draw(st.sampled_from((("<=", "<="), ("<", "<="), ("<", "<"), (">=", ">"))))
        low = draw(st.integers(0, 4))
        ends = Const(low), Const(low + draw(st.integers(0, 6)))
        first, last = ends if "<" in ops[0] else ends[::-1]
        return Compare((first, left, last), ops)
    if shape == "in":
        numbers = draw(st.lists(st.integers(0, 8), min_size=1, max_size=3))
        if draw(st.booleans()):
            return In(left, tuple(numbers))
        return In(Call("floor", (left,)), (*numbers, (3, 4)))
    right = draw(inner) if shape == "dice" else Const(draw(st.integers(0, 8)))
    return Compare((left, right), (draw(st.sampled_from(RELATIONS)),))


def _joined(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    return st.one_of(
        st.builds(And, inner, inner), st.builds(Or, inner, inner), st.builds(Not, inner)
    )


def logic(leaves: int = 3) -> st.SearchStrategy[Node]:
    """Comparisons joined by and, or, not."""
    return st.recursive(comparisons(simple_totals()), _joined, max_leaves=leaves)


def choices() -> st.SearchStrategy[Node]:
    """if, else if."""
    test, value = comparisons(simple_totals()), arithmetic(2)
    once = st.builds(IfThen, test, value, value)
    nested = st.builds(IfThen, test, value, once)
    return st.one_of(once, nested, st.builds(BinOp, st.just("+"), once, small_constants()))


def contests() -> st.SearchStrategy[Versus]:
    """a vs b"""
    return st.builds(Versus, arithmetic(2), arithmetic(2))


# ---------------------------------------------------------------------------------------------
# Programs with names
# ---------------------------------------------------------------------------------------------


def bound_rolls() -> st.SearchStrategy[Node]:
    """What a name stands for."""
    return st.one_of(
        pools(like_dice(most=2, sides=4), most=1),
        st.integers(2, 6).map(lambda sides: Pool(Dice(1, numbered(sides)))),
        counts(like_dice(most=2, sides=4)),
    )


def _with_names(names: list[str]) -> st.SearchStrategy[Node]:
    named = st.sampled_from(names).map(Name)
    leaf = st.integers(0, 3).flatmap(lambda pick: named if pick < 3 else simple_totals())
    return st.recursive(leaf, _bigger, max_leaves=3)


@st.composite
def named_logic(draw: Draw, names: list[str]) -> Node:
    """Comparisons that share names."""
    one = comparisons(_with_names(names))
    return draw(st.one_of(one, _joined(one)))


@st.composite
def lets(draw: Draw) -> tuple[Let, ...]:
    """One or two bindings; the second may use the first."""
    first = Let("x", draw(bound_rolls()))
    if draw(st.booleans()):
        return (first,)
    second = draw(st.one_of(bound_rolls(), _with_names(["x"])))
    return first, Let("y", second)


@st.composite
def programs(draw: Draw, shape: str) -> Program:
    """Bindings and one result of the given shape: sum, truth, if, count or given."""
    bindings = draw(lets())
    names = [let.name for let in bindings]
    values, truths = _with_names(names), named_logic(names)
    if shape == "given":
        test = draw(truths.filter(lambda node: _may_hold(bindings, node)))
        return Program(bindings, (Given(draw(st.one_of(values, truths)), test),))
    if shape == "count":
        sides = numbered(draw(st.integers(2, 4)))
        count = BinOp("+", Call("abs", (Name("x"),)), Const(draw(st.integers(0, 1))))
        dice_count = Call("min", (Const(3), count))
        return Program(bindings, (BinOp("+", Pool(Dice(dice_count, sides)), Name("x")),))
    kinds = {"sum": values, "truth": truths, "if": st.builds(IfThen, truths, values, values)}
    return Program(bindings, (draw(kinds[shape]),))


def _may_hold(bindings: tuple[Let, ...], node: Node) -> bool:
    (outcome,) = answers(Program(bindings, (node,)))
    return outcome.chance(True)[0] > 0


@st.composite
def result_lists(draw: Draw) -> Program:
    """Several results, with and without labels."""
    one = st.one_of(arithmetic(2), comparisons(simple_totals()), contests())
    label = st.sampled_from(("axe", "long sword", "2d6"))
    labelled = st.builds(Labelled, label, one)
    return Program((), tuple(draw(st.lists(st.one_of(one, labelled), min_size=2, max_size=3))))
