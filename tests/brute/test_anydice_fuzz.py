"""Random AnyDice programs: the interpreter against a walk over every roll."""

from __future__ import annotations

import os
from fractions import Fraction
from typing import Any

from hypothesis import HealthCheck, assume, example, given, note, settings
from hypothesis import strategies as st

from oddsmith import odds
from oddsmith.anydice import run
from oddsmith.anydice.translate import translate
from oddsmith.errors import OddsmithError

from . import anydice_naive as naive

Node = naive.Node
EXAMPLES = 1_500 if os.environ.get("ODDSMITH_HEAVY") else 40
TRIES = settings(
    max_examples=EXAMPLES, deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)  # fmt: skip
SHAPES: tuple[tuple[Any, ...], ...] = (
    ("one", ("A", "n")),
    ("roll", ("B", "s")),
    ("die", ("C", "d")),
    ("any", ("X", "")),
    ("two", ("A", "n"), "and", ("B", "s")),
    (("B", "s"), "over", ("C", "d")),
    ("rolls", ("B", "s"), ("Y", "s")),
    ("numbers", ("A", "n"), ("M", "n")),
    ("twice", ("A", "n"), ("A", "n")),
    ("all", ("A", "n"), "of", ("B", "s"), "in", ("C", "d")),
)
KINDS = {"n": "number", "s": "sequence", "d": "dice", "": "dice"}
COMPARE = ("=", "!=", "<", ">", "<=", ">=")


def rarely(times: int) -> st.SearchStrategy[bool]:
    """True once in so many times."""
    return st.sampled_from([False] * (times - 1) + [True])


def number(value: int) -> Node:
    return ("number", value)


def variable(name: str) -> Node:
    return ("variable", name)


class Scope:
    """The variables that may stand in a place, by what they hold, and the functions."""

    def __init__(self, params: tuple[Any, ...] = (), functions: tuple[Any, ...] = ()) -> None:
        self.names = {"number": ["N", "L"], "sequence": ["S"], "dice": ["D"]}
        for part in params:
            if not isinstance(part, str):
                self.names[KINDS[part[1]]].append(part[0])
        self.functions = functions

    def variable(self, kind: str) -> st.SearchStrategy[Node]:
        return st.sampled_from(self.names[kind]).map(variable)


@st.composite
def values(draw: st.DrawFn, kind: str, scope: Scope, deep: int) -> Node:
    """A value that is most often of this kind."""
    if draw(rarely(20)):
        kind = draw(st.sampled_from(["number", "sequence", "dice"]))
    makers = {"number": numbers, "sequence": sequences, "dice": pools}
    return draw(makers[kind](scope, deep))


@st.composite
def numbers(draw: st.DrawFn, scope: Scope, deep: int) -> Node:
    if deep <= 0:
        return draw(st.one_of(st.integers(-2, 4).map(number), scope.variable("number")))
    small = values("number", scope, deep - 1)
    row = values("sequence", scope, deep - 1)
    return draw(
        st.one_of(
            small,
            st.tuples(st.just("binary"), st.sampled_from("+-*/&|"), small, small),
            st.tuples(st.just("binary"), st.just("^"), small, st.integers(0, 3).map(number)),
            st.tuples(st.just("binary"), st.sampled_from(COMPARE), small, small),
            st.tuples(st.just("binary"), st.sampled_from(COMPARE), row, small),
            st.tuples(st.just("binary"), st.sampled_from(COMPARE), small, row),
            st.tuples(st.just("binary"), st.sampled_from(COMPARE), row, row),
            st.tuples(st.just("binary"), st.just("@"), small, st.one_of(row, small)),
            st.tuples(st.just("binary"), st.just("@"), row, row),
            st.tuples(st.just("binary"), st.sampled_from("+-"), row, small),
            st.tuples(st.just("unary"), st.sampled_from("-!+#"), small),
            st.tuples(st.just("unary"), st.sampled_from("#-!"), row),
            calls([("count", row, "in", row), (row, "contains", small), ("absolute", small),
                   ("highest", "of", small, "and", small),
                   ("lowest", "of", small, "and", small)]),
        )
    )  # fmt: skip


@st.composite
def sequences(draw: st.DrawFn, scope: Scope, deep: int) -> Node:
    if deep <= 0:
        row = st.lists(st.integers(-1, 4), max_size=4)
        literal = row.map(lambda faces: ("sequence", tuple((number(x), None, None) for x in faces)))
        return draw(st.one_of(literal, scope.variable("sequence")))
    small, row = values("number", scope, deep - 1), values("sequence", scope, deep - 1)
    part = st.one_of(
        st.tuples(small, st.none(), st.none()),
        st.tuples(row, st.none(), st.none()),
        st.tuples(values("dice", scope, deep - 1), st.none(), st.none()),
        st.tuples(st.integers(-1, 2).map(number), st.integers(0, 4).map(number), st.none()),
        st.tuples(row, st.none(), st.integers(-1, 2).map(number)),
        st.tuples(st.integers(1, 2).map(number), small, st.integers(1, 2).map(number)),
    )
    literal = st.lists(part, max_size=3).map(lambda parts: ("sequence", tuple(parts)))
    return draw(st.one_of(literal, calls([("sort", row), ("reverse", row)])))


@st.composite
def pools(draw: st.DrawFn, scope: Scope, deep: int) -> Node:
    if deep <= 0:
        sides = draw(
            st.one_of(
                st.sampled_from([number(4), number(3), number(2)]),
                st.lists(st.integers(-1, 3), min_size=2, max_size=3).map(
                    lambda faces: ("sequence", tuple((number(x), None, None) for x in faces))
                ),
            )
        )
        if draw(rarely(20)):
            sides = draw(st.sampled_from([number(0), number(-2), ("sequence", ())]))
        count = draw(st.sampled_from([2, 1, 3, 2, 1, 3, 0, -2]))
        if count == 1:
            return ("unary", "d", sides)
        dice = ("binary", "d", number(count), sides)
        return draw(st.one_of(st.just(dice), st.just(dice), scope.variable("dice")))
    small, row = values("number", scope, deep - 1), values("sequence", scope, deep - 1)
    some = values("dice", scope, deep - 1)
    made = [
        st.tuples(st.just("binary"), st.sampled_from("+-*/&|"), some, st.one_of(some, small, row)),
        st.tuples(st.just("binary"), st.sampled_from("+-*/&|"), st.one_of(small, row), some),
        st.tuples(st.just("binary"), st.just("^"), some, st.integers(-1, 2).map(number)),
        st.tuples(
            st.just("binary"), st.sampled_from(COMPARE), some, st.one_of(some, small, row)
        ),
        st.tuples(st.just("binary"), st.sampled_from(COMPARE), st.one_of(small, row), some),
        st.tuples(st.just("binary"), st.just("@"), st.one_of(small, row), some),
        st.tuples(st.just("binary"), st.just("d"), st.one_of(small, row, some), some),
        st.tuples(st.just("unary"), st.sampled_from("-!+d#"), some),
        calls([
            ("highest", small, "of", some), ("lowest", small, "of", some),
            ("middle", small, "of", some), ("highest", some, "of", some),
            ("highest", small, "of", some, "and", some),
            ("lowest", small, "of", some, "and", some),
            ("highest", "of", some, "and", small), ("lowest", "of", some, "and", some),
            ("count", row, "in", some), ("count", some, "in", some), (some, "contains", small),
            (row, "contains", some), ("explode", some), ("absolute", some), ("sort", some),
            ("reverse", some), ("maximum", "of", some),
        ]),
    ]  # fmt: skip
    anything = st.one_of(small, row, some, some, some)
    own = [
        tuple(part if isinstance(part, str) else anything for part in shape)
        for shape in scope.functions
    ]
    if own:
        made += [calls(own)] * 4
    return draw(st.one_of(made))


def calls(shapes: list[tuple[Any, ...]]) -> st.SearchStrategy[Node]:
    """A call of one of these functions."""
    filled = [
        st.tuples(*(st.just(part) if isinstance(part, str) else part for part in shape))
        for shape in shapes
    ]
    return st.one_of(filled).map(lambda parts: ("call", parts))


@st.composite
def bodies(draw: st.DrawFn, scope: Scope, deep: int, last: bool = True) -> tuple[Node, ...]:
    """Statements of a function."""
    found: list[Node] = []
    for _ in range(draw(st.integers(0, 2))):
        kind = draw(st.sampled_from(["assign", "if", "loop"] if deep else ["assign"]))
        if kind == "assign":
            name, sort = draw(
                st.sampled_from([("L", "number"), ("L", "number"), ("S", "sequence")])
            )
            found.append(("assign", name, draw(values(sort, scope, 1))))
        elif kind == "if":
            inner = bodies(scope, deep - 1, draw(st.booleans()))
            found.append(("if", draw(values("number", scope, 1)), draw(inner), draw(inner)))
        else:
            over = draw(sequences(scope, 0))
            found.append(("loop", "N", over, draw(bodies(scope, deep - 1, draw(st.booleans())))))
    if last and not draw(rarely(10)):
        kind = draw(st.sampled_from(["number", "number", "sequence", "dice"]))
        found.append(("result", draw(values(kind, scope, 1))))
    return tuple(found)


@st.composite
def programs(draw: st.DrawFn, functions: bool = True) -> tuple[Node, ...]:
    """A program: variables, functions, outputs."""
    plain = Scope()
    found: list[Node] = [
        ("assign", "N", number(draw(st.integers(-1, 3)))),
        ("assign", "L", number(draw(st.integers(0, 2)))),
        ("assign", "S", ("sequence", tuple(
            (number(x), None, None) for x in draw(st.lists(st.integers(0, 3), max_size=3))
        ))),
        ("assign", "D", ("binary", "d", number(draw(st.integers(1, 3))), number(3))),
    ]  # fmt: skip
    if draw(st.integers(0, 3)) == 0:
        found.append(("set", "position order", draw(
            st.sampled_from(["lowest first", "highest first"])
        )))  # fmt: skip
    if draw(st.integers(0, 3)) == 0:
        found.append(("set", "explode depth", draw(st.integers(1, 3))))
    if draw(st.integers(0, 3)) == 0:
        found.append(("set", "maximum function depth", draw(st.integers(1, 3))))
    chosen: list[Any] = []
    if functions:
        chosen = draw(st.lists(st.sampled_from(SHAPES), min_size=1, max_size=3))
        for place, shape in enumerate(chosen):
            deep = draw(st.integers(0, 2))
            scope = Scope(shape, tuple(chosen[: place + draw(st.integers(0, 1))]))
            found.append(("function", shape, draw(bodies(scope, deep))))
    scope = Scope((), tuple(chosen))
    if draw(st.integers(0, 3)) == 0:
        inner = ("output", draw(values("dice", scope, 1)))
        test = draw(values("number", plain, 1))
        found.append(("loop", "N", draw(sequences(plain, 0)), (inner, ("if", test, (inner,), ()))))
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(["dice"] * 8 + ["number", "sequence"]))
        found.append(("output", draw(values(kind, scope, draw(st.sampled_from([2, 1, 3]))))))
    return tuple(found)


def laws(program: str) -> list[dict[int, Fraction]] | None:
    """The outputs of the interpreter; None where it refuses the program."""
    try:
        return [dict(output.rows) for output in run(program).outputs]
    except OddsmithError as error:
        note(str(error))
        return None


def walked(program: tuple[Node, ...]) -> list[dict[int, Fraction]] | None:
    """The same by walking every roll."""
    try:
        found = naive.run(program)
    except naive.Wrong:
        return None
    except naive.Skip:
        assume(False)
    return [{x: p for x, p in law.items() if p} for law in found]


def call(*parts: Any) -> Node:
    return ("call", parts)


D6 = ("unary", "d", number(4))
SUM_UP = ("function", ("run", ("A", "n")), (
    ("assign", "L", ("binary", "+", variable("L"), variable("A"))), ("result", variable("L")),
))  # fmt: skip


@TRIES
@given(program=programs())
@example(program=(("assign", "L", number(0)), SUM_UP, ("output", call("run", D6))))
def test_programs_with_functions(program: tuple[Node, ...]) -> None:
    source = naive.written(program)
    note(source)
    assert laws(source) == walked(program)


@TRIES
@given(program=programs(functions=False))
def test_programs_without_functions(program: tuple[Node, ...]) -> None:
    source = naive.written(program)
    note(source)
    assert laws(source) == walked(program)


# --- rolls that a body only looks at: they are tried by what it sees, not one by one


@st.composite
def looking(draw: st.DrawFn) -> tuple[Node, ...]:
    """A function of two pools that looks at sums, places, counts and comparisons."""
    roll = st.sampled_from([variable("B"), variable("Y")])
    known = st.sampled_from([2, 1, 3, 4, 0]).map(number)
    look = st.one_of(
        st.tuples(st.just("binary"), st.sampled_from("+-*&|"), roll, known),
        st.tuples(st.just("binary"), st.sampled_from("+-"), roll, roll),
        st.tuples(st.just("binary"), st.sampled_from(COMPARE), roll, known),
        st.tuples(st.just("binary"), st.sampled_from(COMPARE), known, roll),
        st.tuples(st.just("binary"), st.sampled_from(COMPARE), roll, st.just(D6)),
        st.tuples(st.just("binary"), st.just("@"), known, roll),
        st.tuples(st.just("binary"), st.just("@"),
                  st.just(("sequence", ((number(1), None, None), (number(3), None, None)))), roll),
        st.tuples(st.just("unary"), st.sampled_from("#-!"), roll),
        calls([("count", known, "in", roll), (roll, "contains", known), ("num", roll),
               ("highest", "of", roll, "and", known), ("absolute", roll),
               ("maximum", "of", roll)]),
        st.just(variable("L")),
    )  # fmt: skip
    test = st.tuples(st.just("binary"), st.sampled_from(COMPARE), look, look)
    result = st.one_of(look, roll, st.tuples(st.just("binary"), st.just("+"), look, look),
                       st.just(("unary", "d", ("sequence", ()))))  # fmt: skip
    body: list[Node] = [("assign", "Z", draw(look))]
    body.append(("if", draw(test.filter(plain)), (("result", draw(result)),), ()))
    body.append(("result", ("binary", draw(st.sampled_from("+-")), draw(look), variable("Z"))))
    faces = draw(st.lists(st.integers(-1, 6), min_size=3, max_size=6))
    die = ("sequence", tuple((number(x), None, None) for x in faces))
    first = ("binary", "d", number(draw(st.integers(3, 4))), die)
    second = ("binary", "d", number(draw(st.integers(1, 3))), number(draw(st.integers(3, 4))))
    return (
        ("assign", "L", number(1)),
        ("function", ("num", ("A", "n")), (("result", ("binary", "*", variable("A"), number(2))),)),
        ("function", ("look", ("B", "s"), "at", ("Y", "s")), tuple(body)),
        ("output", call("look", first, "at", second)),
    )


def plain(test: Node) -> bool:
    """Whether a condition holds no dice."""
    return "d" not in naive.text(test).replace("and", "").replace("absolute", "")


@TRIES
@given(program=looking())
def test_looking_at_rolls(program: tuple[Node, ...]) -> None:
    source = naive.written(program)
    note(source)
    assert laws(source) == walked(program)


# --- loops over a roll: they go die by die, or face by face, or are written out


def places(turn: Node) -> st.SearchStrategy[Node]:
    """A loop variable, or a number near it."""
    return st.one_of(
        st.just(turn),
        st.tuples(st.just("binary"), st.sampled_from("+-"), st.just(turn),
                  st.integers(1, 2).map(number)),
    )  # fmt: skip


@st.composite
def turns(draw: st.DrawFn, roll: Node, kind: str, deep: int = 1) -> tuple[Node, ...]:
    """Statements of a turn."""
    near = places(variable("I"))
    looks = {
        "dice": st.tuples(st.just("binary"), st.just("@"), near, st.just(roll)),
        "faces": st.one_of(
            st.tuples(st.just("binary"), st.just("="), st.just(roll), near),
            calls([("count", near, "in", st.just(roll)), (st.just(roll), "contains", near)]),
        ),
        "all": st.tuples(st.just("binary"), st.sampled_from(COMPARE), st.just(roll), near),
        "elements": st.just(variable("I")),
    }
    one = st.one_of(
        looks[kind], looks[kind], st.sampled_from([variable("L"), variable("Z"), variable("I")]),
        st.integers(-1, 4).map(number),
    )  # fmt: skip
    pair = st.tuples(st.just("binary"), st.sampled_from("+-*/"), one, one)
    test = st.tuples(st.just("binary"), st.sampled_from((*COMPARE, "&", "|")), one, one)
    found: list[Node] = []
    for _ in range(draw(st.integers(1, 2))):
        sort = draw(st.sampled_from(["assign", "add", "if", "result"] if deep else ["assign"]))
        name = draw(st.sampled_from(["L", "Z"]))
        if sort == "assign":
            found.append(("assign", name, draw(st.one_of(one, pair, test))))
        elif sort == "add":
            found.append(("assign", name, ("binary", "+", variable(name), draw(one))))
        elif sort == "if":
            inner = turns(roll, kind, deep - 1)
            other = draw(inner) if draw(st.booleans()) else ()
            found.append(("if", draw(test), draw(inner), other))
        else:
            given_back = draw(st.one_of(pair, one, st.just(("unary", "d", ("sequence", ())))))
            found.append(("if", draw(test), (("result", given_back),), ()))
    return tuple(found)


@st.composite
def walking(draw: st.DrawFn) -> tuple[Node, ...]:
    """A function that goes through a roll, or through the faces of its dice, in loops."""
    body: list[Node] = [("assign", "Z", draw(st.sampled_from([number(0), number(9)])))]
    size = ("unary", "#", variable("B"))
    for _ in range(draw(st.sampled_from([1, 1, 1, 2]))):
        kind = draw(st.sampled_from(["dice", "dice", "faces", "faces", "all", "elements"]))
        first, last = number(draw(st.integers(-1, 2))), number(draw(st.integers(2, 5)))
        ends = {
            "dice": draw(st.sampled_from([size, size, ("binary", "-", size, number(1)), last])),
            "faces": draw(st.sampled_from([number(6), last, variable("A")])),
            "all": draw(st.sampled_from([size, last])),
        }
        over: Node = variable("B")
        if kind != "elements":
            begin = draw(st.sampled_from([number(1), number(1), first]))
            over = ("sequence", ((begin, ends[kind], None),))
        if kind == "faces" and draw(rarely(3)):
            over = ("call", ("reverse", over))
        body.append(("loop", "I", over, draw(turns(variable("B"), kind))))
    if not draw(rarely(10)):
        pair = st.sampled_from([variable("L"), variable("Z"), size])
        body.append(("result", ("binary", draw(st.sampled_from("+-*")), draw(pair), draw(pair))))
    faces = st.lists(st.integers(-2, 6), min_size=5, max_size=9)
    outputs = []
    for _ in range(draw(st.integers(1, 2))):
        row = draw(faces)
        die = ("sequence", tuple((number(x), None, None) for x in row))
        count = 3 if len(set(row)) > 5 else 4
        other = draw(st.sampled_from([number(3), number(2), ("unary", "d", number(2))]))
        pool = ("binary", "d", number(count), die)
        outputs.append(("output", call("go", pool, "with", other)))
    order = draw(st.sampled_from(["highest first", "highest first", "lowest first"]))
    return (
        ("set", "position order", order),
        ("assign", "L", number(draw(st.integers(-1, 2)))),
        ("function", ("go", ("B", "s"), "with", ("A", "n")),
         (("assign", "L", number(1)), *body) if draw(st.booleans()) else tuple(body)),
        *outputs,
    )  # fmt: skip


@settings(TRIES, max_examples=EXAMPLES if EXAMPLES > 100 else 20)
@given(program=walking())
def test_loops_over_rolls(program: tuple[Node, ...]) -> None:
    source = naive.written(program)
    note(source)
    assert laws(source) == walked(program)


# --- translation


@TRIES
@given(program=programs(functions=False))
def test_what_is_translated_gives_the_same(program: tuple[Node, ...]) -> None:
    source = naive.written(program)
    note(source)
    try:
        lines = translate(source)
        outputs = run(source).outputs
    except OddsmithError:
        assume(False)
    assert len(lines) == len(outputs)
    for line, output in zip(lines, outputs, strict=True):
        assert bool(line.text) != bool(line.why)
        if line.text:
            note(line.text)
            (answer,) = odds(line.text)
            if answer.exact is not None:
                found = {1: answer.exact, 0: 1 - answer.exact}
            else:
                found = dict(answer.dist.items())
            assert {x: p for x, p in found.items() if p} == dict(output.rows)
