"""The notation held by data: each case of the TOML files beside this module, asked through odds."""

import os
import tomllib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from oddsmith import errors as oddsmith_errors
from oddsmith import odds

Case = dict[str, Any]
HERE = Path(__file__).parent
MANY = 10_000
GENERATED: dict[str, Callable[[int], str]] = {
    "brackets": lambda n: "(" * n + "1" + ")" * n,
    "open": lambda n: "(" * n,
    "braces": lambda n: "{" * n,
    "functions": lambda n: "abs(" * n + "1" + ")" * n,
    "ifs": lambda n: "if 1 = 1 then " * n + "1" + " else 2" * n,
    "minus": lambda n: "-" * n + "1",
    "not": lambda n: "not " * n + "d6 = 1",
    "plus": lambda n: "1" + " + 1" * n,
    "digits": lambda n: "9" * n,
    "modifiers": lambda n: "2d20" + "kh1" * n,
    "lets": lambda n: "".join(f"let roll{i}q = 1\n" for i in range(n)) + "roll0q",
}


def cases(name: str) -> list[Case]:
    """The cases of one file."""
    return list(tomllib.loads((HERE / name).read_text(encoding="utf-8"))["case"])


def params(name: str) -> list[Any]:
    """The cases as parameters, named by id or by place and text."""
    slow = pytest.mark.skipif(not os.environ.get("ODDSMITH_HEAVY"), reason="ODDSMITH_HEAVY not set")
    return [
        pytest.param(
            case,
            id=case.get("id") or f"{i}: {case.get('generate') or case['text'][:40]!r}",
            marks=[slow] if case.get("heavy") else [],
        )
        for i, case in enumerate(cases(name))
    ]


def one_number(answer: Any, ask: str) -> Fraction:
    """The number of an answer that a case compares."""
    if ask in ("probability", "above"):
        value = answer.exact
    elif ask in ("win", "tie", "lose"):
        value = getattr(answer, ask)
    else:
        value = getattr(answer.dist, ask)
    assert isinstance(value, int | Fraction), f"{ask} is {value!r}"
    return Fraction(value)


def rows(dist: Any) -> dict[str, Fraction]:
    """A finite distribution as text outcomes and their probabilities."""
    return {str(outcome): Fraction(p) for outcome, p in dist.items() if p}


def check_value(case: Case) -> None:
    """Ask the text and compare the one number, or the whole distribution, exactly."""
    try:
        answers = odds(case["text"])
    except oddsmith_errors.TooLarge:
        if case.get("may_refuse"):
            return
        raise
    if case["ask"] == "difference":
        first, second = (one_number(answer, case["what"]) for answer in answers)
        assert first - second == Fraction(case["exact"])
        return
    (answer,) = answers
    if case["ask"] == "distribution":
        assert rows(answer.dist) == {k: Fraction(v) for k, v in case["exact_rows"].items()}
    elif case["ask"] == "above":
        assert one_number(answer, "above") > Fraction(case["exact"])
    else:
        assert one_number(answer, case["ask"]) == Fraction(case["exact"])


def print_of(answer: Any) -> tuple[Any, ...]:
    """What two spellings of one question must share."""
    if answer.kind == "contest":
        return (answer.kind, answer.win, answer.tie, answer.lose)
    if answer.kind == "probability":
        return (answer.kind, answer.exact)
    dist = answer.dist
    if hasattr(dist, "items"):
        return (answer.kind, rows(dist))
    return (answer.kind, dist.mean, dist.variance, *(dist.at_least(k) for k in range(40)))


def test_enough_questions() -> None:
    assert len({case["id"].split("-")[0] for case in cases("questions.toml")}) >= 100


@pytest.mark.parametrize("case", params("questions.toml"))
def test_question(case: Case) -> None:
    check_value(case)


@pytest.mark.parametrize("case", params("golden.toml"))
def test_golden(case: Case) -> None:
    check_value(case)


@pytest.mark.parametrize("case", params("legal.toml"))
def test_legal(case: Case) -> None:
    if "same_as" in case:
        expected = [print_of(answer) for answer in odds(case["same_as"])]
        assert [print_of(answer) for answer in odds(case["text"])] == expected
    else:
        check_value(case)


@pytest.mark.parametrize("case", params("errors.toml"))
def test_error(case: Case) -> None:
    text = GENERATED[case["generate"]](MANY) if "generate" in case else case["text"]
    try:
        answers = odds(text)
    except oddsmith_errors.OddsmithError as error:
        assert isinstance(error, getattr(oddsmith_errors, case["error"])), repr(error)
        said = f"{error} {getattr(error, 'hint', None) or ''}".casefold()
        for word in case["says"]:
            choices = word.casefold().split("|")
            assert any(choice in said for choice in choices), f"none of {choices} in {said!r}"
        if "at" in case:
            start, end = getattr(error, "span", (0, 0))
            assert text[start:end] == case["at"]
    else:
        assert case.get("or_answer"), f"answered {answers!r}"
