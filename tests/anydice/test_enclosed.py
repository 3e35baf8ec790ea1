"""Laws whose fractions grow past any use: rounded down, with the missing mass carried along."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from oddsmith import Dist
from oddsmith.anydice import Run, run, values
from oddsmith.anydice.cases import Mixture
from oddsmith.anydice.values import Dice
from oddsmith.enclosed import Enclosed

from .programs import F, refused

SQUARED = """
function: again N:n { if N = 0 { result: 0 } result: d2 }
X: d3 - 1
loop I over {1..TURNS} {
  X: (X = 1) * (X > 0) + X * X
  X: [lowest of X and 2]
}
output X
"""
"""Each turn doubles the length of the fractions, and then some."""

LEFT_OUT = """
function: some N:n { if N = 0 { result: d{} } result: N }
X: d{0, 1, 2}
loop I over {1..TURNS} {
  Y: [some X]
  X: (X != 0) * (Y - 1) + (X = 2)
  X: [lowest of X and 2]
}
output X
output [some X]
"""
"""The same where what is known is scaled up again and again."""

CASES = """
function: mixed N:n A:d B:d { if N { result: A } result: B }
X: d{0, 1, 1}
loop I over {1..TURNS} { X: [mixed X (X & X) (d4 = 1)] }
output X
output [mixed X 7 (d6)]
output 3dX
output [highest 1 of 3dX]
output [explode d6] + X * 10
"""


def exactly(program: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The outputs without any rounding."""
    with monkeypatch.context() as context:
        context.setattr(values, "MOST_BITS", 10**9)
        return run(program)


def ends(dist: Any, outcome: int) -> tuple[Fraction, Fraction]:
    """The lower and the upper end of a chance."""
    found = dist.p(outcome)
    return found if isinstance(found, tuple) else (found, found)


@pytest.mark.parametrize(
    "program",
    [SQUARED.replace("TURNS", "5"), LEFT_OUT.replace("TURNS", "8"), CASES.replace("TURNS", "7")],
    ids=["squares", "left", "cases"],
)
@pytest.mark.parametrize(("most", "kept"), [(200, 60), (60, 12), (20, 6)])
def test_the_ends_hold_what_is_true(
    program: str, most: int, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At 6 bits the ends are far apart; at 60 they are close; the truth is always between them."""
    true = exactly(program, monkeypatch).outputs
    monkeypatch.setattr(values, "MOST_BITS", most)
    monkeypatch.setattr(values, "KEPT_BITS", kept)
    found = run(program).outputs
    assert any(isinstance(output.dist, Enclosed) for output in found)
    for one, other in zip(true, found, strict=True):
        assert not isinstance(one.dist, Enclosed)
        if other.dist is None:
            continue
        total = F(0)
        for outcome in one.dist:
            low, high = ends(other.dist, outcome)
            assert low <= one.dist.p(outcome) <= high
            total += low
        missing = other.dist.missing if isinstance(other.dist, Enclosed) else F(0)
        assert total == 1 - missing


def test_the_ends_are_close_in_earnest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six turns make fractions of thousands of bits; what is kept differs by 2**-2000."""
    program = SQUARED.replace("TURNS", "6")
    monkeypatch.setattr(values, "MOST_BITS", 2_500)
    (output,) = run(program).outputs
    assert isinstance(output.dist, Enclosed)
    assert 0 < output.dist.missing < F(1, 2**2000)
    (true,) = exactly(program, monkeypatch).outputs
    low, high = ends(output.dist, 1)
    assert low <= true.dist.p(1) <= high


def test_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "MOST_BITS", 100)
    (found,) = run('X: 40d6 output X named "sum"').warnings
    assert found.startswith("sum: fractions longer than")
    assert "rounded down" in found
    assert "10^-" in found


def test_short_fractions_are_never_rounded() -> None:
    done = run("output 1000d6 output [highest 3 of 100d20]")
    assert all(isinstance(output.dist, Dist) for output in done.outputs)
    assert done.warnings == ()


def test_rows_are_lower_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "MOST_BITS", 6)
    monkeypatch.setattr(values, "KEPT_BITS", 8)
    (output,) = run("output 5d3").outputs
    rows = dict(output.rows)
    assert sum(rows.values()) == 1 - output.dist.missing < 1
    assert rows[15] <= F(1, 243)
    assert rows[10] <= F(51, 243)


# --- what needs all outcomes is refused where some may have been lost


@pytest.mark.parametrize(
    "value", ["{X}", "[maximum of X]", "[explode X]", "[carry X]"]
)  # fmt: skip
def test_what_needs_all_outcomes(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "MOST_BITS", 10)
    program = f"L: 0 function: carry N:n {{ L: L + N result: L }} X: 6d6 + 0 output {value}"
    error = refused(program)
    assert "too long" in error.message
    assert program[slice(*error.span)] == value


# --- mixtures by hand


def test_a_part_that_is_half_known_weighs_half() -> None:
    """Of two cases one gives 1; the other gives 2, as far as it is known: one half."""
    mixture = Mixture(F(1))
    mixture.add(1, 1)
    mixture.add(Dice(Dist([2]), 1, F(1, 2)), 1)
    found = mixture.value()
    assert found.missing == F(1, 4)
    assert found.law == Dist({1: 2, 2: 1})


def test_what_is_left_out_is_no_excuse_for_what_is_not_known() -> None:
    """Three cases in four are left out. Of the fourth an eighth of all is not known: half of it."""
    mixture = Mixture(F(1))
    mixture.add(Dice(None, 0), 3)
    mixture.add(Dice(Dist([2]), 1, F(1, 2)), 1)
    found = mixture.value()
    assert found.missing == F(1, 2)
    assert found.law == Dist([2])


def test_cases_that_are_not_known() -> None:
    """Half of the cases are known: a quarter of all gives 5, a quarter is left out."""
    mixture = Mixture(F(1, 2))
    mixture.add(Dice(None, 0), 1)
    mixture.add(5, 1)
    found = mixture.value()
    assert found.missing == F(1, 2) / F(3, 4)
    assert found.law == Dist([5])
