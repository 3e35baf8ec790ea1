"""Programs in Python: what is printed is executed and gives the same; what cannot be said."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from fractions import Fraction
from typing import Any

import pytest

from oddsmith import odds
from oddsmith.anydice import run
from oddsmith.anydice.python import script, told
from oddsmith.anydice.translate import Untold, translate
from oddsmith.budget import question
from oddsmith.errors import NotationError, OddsmithError, TooLarge

from .test_oracle import HEAVY, ORACLE

Named = list[tuple[str, dict[int, Fraction]]]


def executed(python: str) -> Named:
    """The outputs of a program in Python."""
    names: dict[str, Any] = {}
    with redirect_stdout(io.StringIO()):
        exec(compile(python, "<program>", "exec"), names)
    return [(name, dict(dist.items())) for name, dist in names["outputs"]]


def shown(program: str) -> Named:
    """The outputs of the interpreter."""
    return [(output.label, dict(output.rows)) for output in run(program).outputs]


PROGRAMS = {
    "a sum": "output 3d6 + 2",
    "a number": 'output 7 named "seven" output {1, 1, 2} output {2..9}',
    "dice of all kinds": "output d6 + d7 + d100 + d{1, 1, 2} + d{4..9} + 2d(d4 + 1) + d(-3) + d0",
    "a rolled number of dice": "output (d4)d6 output 2d2d2 output (d3 - 2)d4 output {1, 2}d6",
    "few dice and fewer": "output 0d6 output #(0d6) output (-2)d6 output -3d4 output -(2d4)",
    "arithmetic": "output 2 * (d6 + 1) - 3 * d4 output (d6 - 3) / 2 output d6 / (d4 - 2)",
    "numbers": "X: 7 output X / -2 output -7 / 3 output 7 / 0 output 2^5 output #1234 output 2@907",
    "a power": "output (d6 - 3)^2 output 2^10 - 3^2",
    "comparisons": "output 3d6 >= 11 output d6 = 3 output d6 != d8 output 3 < d4 output 2 > 1",
    "rows compared": "output {1..6} >= 4 output {3, 1} > {2, 9} "
                     "output 3 = {3, 3, 1} output {1} = {1}",
    "both, either, not": "output d6 > 3 & d6 > 4 output d{0, 1} | d4 = 1 output !d{0, 1} output !3",
    "truths": "A: 3 > 2 B: A & 0 output A + B output (1 = 1) + 2 output !(1 = 2 | 3 = 4)",
    "keep": "output [highest 3 of 4d6] output [lowest 1 of 2d20] output [middle 1 of 3d6]",
    "keep too many": "output [highest 9 of 2d6] output [lowest 0 of 2d6] output [middle 2 of 5d4]",
    "two pools": "output [highest 2 of 2d6 and d8] output [lowest 2 of d4 and 2d6 and 3]",
    "the better total": "output [highest of 2d6 and d10] output [lowest of d6 and 3] "
                        "output [highest of 3 and 4]",
    "places": "output 2@3d6 output {1, 3}@4d6 output 1@d8 output 5@3d6 output {1, 1}@2d4",
    "the lowest first": 'set "position order" to "lowest first" output 1@3d6 output {1, 2}@4d4 '
                        "output 1@123 output [sort {2, 3, 1}] output 2@[sort {2, 3, 1}]",
    "counting": "output [count 6 in 5d6] output [count {5, 6} in 3d6] "
                "output [count {6, 6, 5} in 3d6] output [count 2 in {2, 2, 3}] "
                "output [count {2, 2} in {2, 3}] "
                "output [3d6 contains 6] output [{1, 2} contains 2] output [d6 contains 6]",
    "exploding": 'set "explode depth" to 3 output [explode d6] output 3d[explode d4] '
                 "output [explode 2d4] output [explode 5]",
    "other functions": "output [absolute d6 - d8] output [absolute -4] output [maximum of 3d6] "
                       "output [reverse {1, 2}] output 1@[reverse {1, 2}] output [sort 2d6]",
    "a loop with names": 'loop N over {1..4} { output Nd6 >= 2 * N named "[N] dice" }',
    "loops within loops": "loop A over {1, 3} { loop B over {A..4} "
                          '{ output AdB named "[A] d [B]" } }',
    "a loop that adds": "X: 0 loop I over {1..3} { X: X + Id4 } output X",
    "a loop over faces": "S: 0 loop I over {d6} { S: S + I } output S",
    "repeats": "N: 2 output d{1:N, 2..3:2, d4} output #{1:3, {1, 2}:N} output {5:0, N..4}",
    "conditions": "loop N over {1..4} { if N = 1 { output d4 } else if N > 3 { output d8 } "
                  "else { output d6 } }",
    "variables that change": "X: d6 X: X + 1 output X X: 3 output X",
    "a pool kept in a variable": "X: 4d6 output [highest 3 of X] output #X output X + X output -X",
    "a function of a number": "function: once N:n { if N = 1 { result: d6 } result: N } "
                              "output [once d6] output [once 3] + 1",
    "an attack": """
        function: hit ROLL:n against AC:n {
            if ROLL = 20 { result: 2d8 + 3 }
            if ROLL + 5 >= AC { result: d8 + 3 }
            result: 0
        }
        loop AC over {12, 15, 18} { output [hit d20 against AC] named "AC [AC]" }""",
    "a function of a roll": "function: pairs R:s { X: 0 loop I over {1..#R - 1} "
                            "{ X: X + (I@R = (I + 1)@R) } result: X } output [pairs 4d4]",
    "rolls and rows": "function: f R:s { result: R >= 3 } output [f 3d4] output [f {1, 3, 5}] "
                      "output [f 4] output [f d6]",
    "a roll in written order": "function: f R:s { result: 1@R } output [f 2d6] output [f {1, 9}]",
    "a roll against a row": "function: f R:s { result: R >= {4, 4} } output [f 2d6]",
    "two rolls": "function: risk A:s against B:s { result: (1@A > 1@B) + (2@A > 2@B) } "
                 "output [risk 3d6 against 2d6]",
    "a roll and a number": "function: most R:s by N:n { result: {1..N}@R } output [most 4d4 by d3]",
    "a die that is not tried": "function: f N:n on D:d { result: N * D } output [f d4 on d6] "
                               "output [f 2 on 3d4]",
    "dice that stay apart": "function: f N:n on D:d { result: [highest N of D] } "
                            "output [f d3 on 4d4]",
    "dice as they come": "function: f X { result: #X + X } output [f 3d6] output [f d4]",
    "a row that is added": "function: f N:n { result: N + 1 } output [f {2, 3}] output [f {1}]",
    "a row that comes back": "function: f R:s { result: {R, 1} } output [f 2d4] + 1",
    "one that calls itself": "function: up N:n { if N = 4 { result: 4 + [up d4] } result: N } "
                             'set "maximum function depth" to 1 output 1',
    "counting down": "function: sum N:n { if N = 0 { result: 0 } result: d4 + [sum N - 1] } "
                     "output [sum 3]",
    "left out": "function: no ones N:n { if N > 1 { result: N } } output [no ones d6]",
    "left out on purpose": "function: even N:n { if N = 2 * (N / 2) { result: N } result: d{} } "
                           "output [even d6] output [even d6] + 1",
    "left out of a call": "function: a N:n { if N > 1 { result: N } } "
                          "function: b N:n { result: [a d4] + N } output [b d4]",
    "variables around it": "BONUS: 3 function: f N:n { result: N + BONUS } output [f d6] "
                           "BONUS: 5 output [f d6]",
    "its own variables": "X: 10 function: f N:n { X: N result: X } output [f d4] + X",
    "a parameter assigned": "function: f N:n { N: N + 1 result: N } output [f d6]",
    "names of Python": "SUM: 2 D: d6 FOR: 1 FACES: 2 function: highest N:n { result: N } "
                       "function: known N:n { result: N } function: while N:n { result: N } "
                       "output SUM + D + FOR + [highest d4] + [while d4] + FACES@{1, 2} "
                       "output [known 1]",
    "names with signs": 'A: {1} output 1 named "{x} [A] \\ back" loop N over {1, 2} '
                        '{ output N named "{[N]} is [A]" }',
    "no words": "function: N:n M:n { result: N - M } output [d4 3] output [2 1]",
    "a total of either kind": "function: f N:n { if N > 2 { result: d6 } result: 1 } "
                              "X: [f 1] Y: [f 3] output X + Y",
    "successes and ones": "function: f R:s { H: R >= 5 if H = 0 & [R contains 1] { result: -1 } "
                          "result: H } loop N over {1..3} { output [f Nd6] }",
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_python_gives_the_same(name: str) -> None:
    program = PROGRAMS[name]
    assert executed(script(program)) == shown(program)


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_in_short_lines_of_plain_python(name: str) -> None:
    python = script(PROGRAMS[name])
    assert python.splitlines()[0].startswith("from ")
    assert "\n\n\n\n" not in python
    assert "  \n" not in python
    assert "exec" not in python
    assert "eval" not in python


def test_a_whole_program() -> None:
    program = """
    function: hit ROLL:n against AC:n {
      if ROLL = 20 { result: 2d8 + 3 }
      if ROLL + 5 >= AC { result: d8 + 3 }
      result: 0
    }
    loop AC over {12..14} { output [hit d20 against AC] named "AC [AC]" }"""
    assert script(program).splitlines() == [
        "from oddsmith import d8, d20, rule",
        "",
        "outputs = []",
        "",
        "",
        "@rule",
        "def hit_against(roll, ac):",
        "    if roll == 20:",
        "        return 2 @ d8 + 3",
        "    if roll + 5 >= ac:",
        "        return d8 + 3",
        "    return 0",
        "",
        "",
        "for ac in range(12, 15):",
        '    outputs.append((f"AC {ac}", hit_against(d20, ac)))',
        "",
        "for name, dist in outputs:",
        "    print(name, dist)",
    ]
    (_, first), (_, second), _ = executed(script(program))
    assert first[0] == Fraction(6, 20)
    assert second[0] == Fraction(7, 20)
    assert first[19] == Fraction(1, 20 * 64)


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("output d{}", "has no outcomes"),
        ("X: d{} output X + 1", "no empty die"),
        ("output d6^d4", "known exponent"),
        ("output 2^-1", "known exponent"),
        ("output [highest d3 of 4d6]", "rolled number of dice"),
        ("output [count d6 in 3d6]", "counting rolled values"),
        ("X: {1, 2} output X X: d6 output X", "a sequence at times"),
        ("function: again N:n { result: N + [again N] } output [again 1]", "deeper"),
        ("function: f N:n { X: X + N result: X } X: 0 output [f d6]", "hand something on"),
        ("function: f N:n { result: 1 } function: f N:n { result: 2 } output [f 1]",
         "several times"),
        ("if 1 { function: f N:n { result: 1 } } output [f 1]", "inside a block"),
        ("function: g { result: X } function: f X:n { result: [g] } X: 1 output [f 2]",
         "a variable of its caller"),
        ('output [explode d6] set "explode depth" to 4 output [explode d6]', "in the middle"),
        ('loop N over {1..2} { set "explode depth" to N output [explode d6] }', "inside a block"),
        ("function: f N:n N:n { result: N } output [f 1 2]", "one name"),
        ("function: f X { result: #X } output [f 3] output [f 3d6]", "several kinds"),
        ("function: f N:n { if N > 2 { result: d6 } result: 1 } if [f 1] { output 1 } output 2",
         "a condition is not known"),
        ("function: f N:n { if N > 2 { result: N } } output [f 3] output [f d6]", "no result"),
        ('X: d4 loop N over {1..2} { output X named "[X]" X: d6 }', "is not a number"),
        ("function: a N:n { if N > 1 { result: N } } function: b N:n { result: [a N] + 1 } "
         "output [b d4]", "may come to no result"),
        ("function: f R:s { result: R } output [f {1, 2}] output [f 2d6]", "of which each counts"),
        ("N: d3 output [middle N of 4d6]", "rolled number"),
        ("loop N over {1..2} { output [middle N of 4d6] output 2@[reverse {1:N - 1}] }",
         "the middle of"),
    ],
)  # fmt: skip
def test_what_cannot_be_said(program: str, why: str) -> None:
    with pytest.raises(Untold) as caught:
        script(program)
    assert why in caught.value.why


def test_a_mistake_stays_a_mistake() -> None:
    with pytest.raises(NotationError, match="there is no function"):
        script("output [f d6]")


def test_enclosed_outputs_are_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddsmith.anydice.values.MOST_BITS", 6)
    monkeypatch.setattr("oddsmith.anydice.values.KEPT_BITS", 8)
    with pytest.raises(Untold) as caught:
        script("output 4d3")
    assert "only enclosed" in caught.value.why


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_told_gives_the_same(name: str) -> None:
    """In the notation, or in Python."""
    program, text = PROGRAMS[name], told(PROGRAMS[name])
    if "outputs = []" in text:
        assert executed(text) == shown(program)
        return
    found = []
    for line in text.splitlines():
        (answer,) = odds(line)
        chance = answer.exact
        found.append(
            dict(answer.dist.items()) if chance is None
            else {x: p for x, p in ((0, 1 - chance), (1, chance)) if p}
        )  # fmt: skip
    assert found == [law for _, law in shown(program)]


def test_the_notation_comes_first() -> None:
    assert told('output [highest 3 of 4d6] output d6 named "six"') == '4d6kh3\n"six": d6'


def test_else_it_is_python() -> None:
    python = told("function: f N:n { result: N } output d6 output [f d6]")
    assert python.startswith("from oddsmith import")
    assert executed(python) == [(f"output {k}", {x: Fraction(1, 6) for x in range(1, 7)})
                                for k in (1, 2)]  # fmt: skip


def test_else_it_says_why() -> None:
    assert told("output d6 output d6^d4").splitlines() == [
        "d6", "# output 2: there are no powers of dice",
        "# nor is it written in Python: only powers with a known exponent from 0 on are said in "
        "Python",
    ]  # fmt: skip


# --- programs that people wrote, where the file of them is there


def cases() -> list[Any]:
    if not ORACLE.is_file():
        reason = f"{ORACLE.name} is not there: set ODDSMITH_ORACLE to its place"
        return [pytest.param("", id="none", marks=pytest.mark.skip(reason=reason))]
    with ORACLE.open(encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    step = 1 if HEAVY else 8
    return [pytest.param(case["program"], id=case["id"]) for case in found[3::step]]


@pytest.mark.parametrize("program", cases())
def test_programs_of_others(program: str) -> None:
    """Where it is said it is the same; long work is left out."""
    try:
        wanted, lines = run(program, 5_000_000), translate(program, 5_000_000)
        python = script(program, 5_000_000)
    except (OddsmithError, Untold):
        return
    assert len(lines) == len(wanted.outputs)
    try:
        with question(400_000):
            found = executed(python)
    except TooLarge:
        return
    assert found == [(output.label, dict(output.rows)) for output in wanted.outputs]
