"""Public dice questions, each answered in one text or a few lines and derived a second time.

The cases stand in ``tests/cases/questions_more.toml`` and ``questions_rpg.toml``: what was asked
and where, how it is asked here (``text`` in the notation, or ``code`` whose last line is the
answer), the exact value, and ``derived``: the same value by counting or by a hand derivation. The
words of ``derived`` are the functions of this module, which use nothing but ``itertools`` and
``fractions``.
"""

import ast
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod
from pathlib import Path
from typing import Any

import pytest

import oddsmith
from oddsmith import odds

Case = dict[str, Any]
Law = Mapping[Any, Fraction]
F = Fraction
FOLDER = Path(__file__).parent.parent / "cases"
CASES: list[Case] = [
    case
    for name in ("questions_more.toml", "questions_rpg.toml", "questions_boards.toml")
    for case in tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))["case"]
]


# --- the second derivation: counting, nothing else


def rolls(dice: Iterable[int | Sequence[Any]]) -> Iterable[tuple[Any, ...]]:
    """Every roll of the dice; a number of sides stands for the faces from 1 up."""
    return product(*(range(1, die + 1) if isinstance(die, int) else die for die in dice))


def law(dice: Iterable[int | Sequence[Any]], worth: Callable[..., Any]) -> Law:
    """The chance of everything the dice can be worth."""
    counts = Counter(worth(*roll) for roll in rolls(dice))
    return {value: F(ways, counts.total()) for value, ways in counts.items()}


def chance(dice: Iterable[int | Sequence[Any]], event: Callable[..., Any]) -> Fraction:
    """The share of the rolls for which the event holds."""
    return law(dice, lambda *roll: bool(event(*roll))).get(True, F(0))


def mean(values: Law) -> Fraction:
    """The mean of a law."""
    return sum((value * p for value, p in values.items()), F(0))


def average(dice: Iterable[int | Sequence[Any]], worth: Callable[..., Any]) -> Fraction:
    """The mean of what the dice are worth."""
    return mean(law(dice, worth))


def total(*laws: Law) -> Law:
    """The law of a sum of independent parts."""
    sums: dict[Any, Fraction] = {0: F(1)}
    for part in laws:
        new: Counter[Any] = Counter()
        for left, p in sums.items():
            for right, q in part.items():
                new[left + right] += p * q
        sums = dict(new)
    return sums


def reach(values: Law, goal: int | Fraction) -> Fraction:
    """The chance of the goal or more."""
    return sum((p for value, p in values.items() if value >= goal), F(0))


def tries(count: int, p: Fraction, least: int) -> Fraction:
    """The chance of so many successes or more in so many tries."""
    return sum(
        (comb(count, k) * p**k * (1 - p) ** (count - k) for k in range(least, count + 1)), F(0)
    )


def aces(sides: int, cap: int) -> Law:
    """A die that rolls again on its highest face, with everything from the cap up as the cap."""
    values: Counter[int] = Counter()
    base, left = 0, F(1)
    while base < cap:
        for face in range(1, sides):
            values[min(base + face, cap)] += left / sides
        base, left = base + sides, left / sides
    values[cap] += left
    return values


def sets(roll: Sequence[Any]) -> list[int]:
    """How often each face shows, most first."""
    return sorted(Counter(roll).values(), reverse=True)


def run(roll: Sequence[int]) -> int:
    """The length of the longest run of consecutive faces."""
    seen = set(roll)
    return max(next(k for k in range(1, 99) if low + k not in seen) for low in seen)


def outlook(
    state: Any, moves: Callable[[Any], Law | None], worth: Callable[[Any], Any], each: int = 0
) -> Fraction:
    """The mean worth of the end, plus so much for each step; moves only ahead, or to stay.

    ``moves`` gives the next states and their chances, or None at the end.
    """
    known: dict[Any, Fraction] = {}

    def value(at: Any) -> Fraction:
        if at not in known:
            law_here = moves(at)
            if law_here is None:
                known[at] = F(worth(at))
            else:
                ahead = sum((p * value(to) for to, p in law_here.items() if to != at), F(0))
                known[at] = (each + ahead) / (1 - law_here.get(at, F(0)))
        return known[at]

    return value(state)


def after(state: Any, moves: Callable[[Any], Law], steps: int) -> Law:
    """Where one stands after so many steps."""
    places: dict[Any, Fraction] = {state: F(1)}
    for _ in range(steps):
        new: Counter[Any] = Counter()
        for at, p in places.items():
            for to, q in moves(at).items():
                new[to] += p * q
        places = dict(new)
    return places


WORDS: dict[str, Any] = {
    "F": F, "comb": comb, "prod": prod, "combinations": combinations, "product": product,
    "law": law, "chance": chance, "mean": mean, "average": average, "total": total,
    "reach": reach, "tries": tries, "aces": aces, "sets": sets, "run": run, "rolls": rolls,
    "outlook": outlook, "after": after,
}  # fmt: skip


# --- the questions


def value_of(source: str, words: dict[str, Any]) -> Any:
    """Run a few lines; the last one is an expression, and its value is the answer."""
    body = ast.parse(source.strip()).body
    last = body.pop()
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(body, []), "<case>", "exec"), words)
    return eval(compile(ast.Expression(last.value), "<case>", "eval"), words)


def answered(case: Case) -> Any:
    """What the project says: the number asked for."""
    if "code" in case:
        names = {name: getattr(oddsmith, name) for name in oddsmith.__all__}
        return value_of(case["code"], names | {"Fraction": Fraction})
    (answer,) = odds(case["text"])
    if case["ask"] == "chance":
        return answer.exact
    if case["ask"] in ("win", "tie", "lose"):
        return getattr(answer, case["ask"])
    assert answer.dist is not None
    return getattr(answer.dist, case["ask"])


def params() -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in CASES]


def test_every_case_is_whole() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES) >= 320
    assert len({case["kind"] for case in CASES}) >= 170
    for case in CASES:
        assert case["source"]
        assert case["question"]
        assert ("text" in case) != ("code" in case)
        assert "code" in case or case["ask"] in ("chance", "mean", "win", "tie", "lose")
        assert str(F(case["exact"])) == case["exact"]


@pytest.mark.parametrize("case", params())
def test_derived_by_hand(case: Case) -> None:
    assert value_of(case["derived"], dict(WORDS)) == F(case["exact"])


@pytest.mark.parametrize("case", params())
def test_answered_here(case: Case) -> None:
    found = answered(case)
    assert isinstance(found, int | Fraction)
    assert found == F(case["exact"])
