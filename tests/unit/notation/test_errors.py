"""Errors: the family, the caret and the mend."""

from __future__ import annotations

import pickle

import pytest

from oddsmith import errors, odds
from oddsmith.errors import NotationError, OddsmithError, TooLarge

FAMILY = ("NotationError", "RuleError", "OutcomeError", "ImpossibleEvent", "NeverEnds", "TooLarge")


@pytest.mark.parametrize("name", FAMILY)
def test_one_family(name: str) -> None:
    assert issubclass(getattr(errors, name), OddsmithError)


def test_message_and_hint_make_one_line() -> None:
    assert str(OddsmithError("too few dice")) == "too few dice"
    assert str(OddsmithError("too few dice", "roll more")) == "too few dice: roll more"


def test_too_large_tells_estimate_and_limit() -> None:
    error = TooLarge(1_234_567, 1000, "roll fewer dice")
    assert "1,234,567" in error.message
    assert "1,000" in error.message
    assert error.hint == "roll fewer dice"
    assert (error.estimate, error.limit) == (1_234_567, 1000)
    assert "10^20" in TooLarge(10**20, 1000, "").message


@pytest.mark.parametrize(
    "error",
    [
        OddsmithError("too few", "roll more"),
        NotationError("wrong", "3d6 + x", (6, 7), "bind it"),
        TooLarge(100, 10, "roll fewer"),
    ],
)
def test_errors_travel_between_processes(error: OddsmithError) -> None:
    found = pickle.loads(pickle.dumps(error))
    assert type(found) is type(error)
    assert str(found) == str(error)
    assert vars(found) == vars(error)


def pointer(source: str, span: tuple[int, int]) -> list[str]:
    return NotationError("wrong", source, span).pointer()


def test_the_caret_stands_under_the_place() -> None:
    assert pointer("3d6 + x", (6, 7)) == ["  3d6 + x", "        ^"]
    assert pointer("3d6 + foo", (6, 9)) == ["  3d6 + foo", "        ^^^"]


def test_the_caret_may_stand_behind_the_end() -> None:
    assert pointer("3d6 >", (5, 6)) == ["  3d6 >", "       ^"]
    assert pointer("", (0, 1)) == ["  ", "  ^"]


def test_only_the_line_of_the_place_is_shown() -> None:
    assert pointer("let x = d6\nx + y\nd8", (15, 16)) == ["  x + y", "      ^"]
    assert pointer("d6\nd8 d10\nd4", (6, 12)) == ["  d8 d10", "     ^^^"]


def test_a_long_line_is_cut_around_the_place() -> None:
    source = "1 + " * 100 + "x" + " + 1" * 100
    shown, carets = pointer(source, (400, 401))
    assert len(shown) <= 78
    assert shown[carets.index("^")] == "x"


def test_tabs_take_one_column() -> None:
    shown, carets = pointer("d6\t+ x", (5, 6))
    assert shown[carets.index("^")] == "x"


def test_the_text_of_the_error_holds_all_parts() -> None:
    error = NotationError("x is not known", "3d6 + x", (6, 7), "bind it first")
    assert str(error).splitlines() == ["x is not known", "  3d6 + x", "        ^", "bind it first"]


@pytest.mark.parametrize(
    ("text", "kind", "place", "said"),
    [
        ("4d6kh9", NotationError, "kh9", "4"),
        ("3d6dl4", NotationError, "dl4", "3"),
        ("4d6mid1", NotationError, "mid1", "balanced"),
        ("d6!>=1", NotationError, "!>=1", "never end"),
        ("d6rr<=6", NotationError, "rr<=6", "never end"),
        ("d1!", NotationError, "!", "never end"),
        ("d2rr1rr2", NotationError, "rr1rr2", "never end"),
        ("1/0", NotationError, "0", "divisor"),
        ("1/(d6-1)", NotationError, "(d6-1)", "1/6"),
        ("d0", NotationError, "d0", "side"),
        ("(1-3)d6", NotationError, "(1-3)", "-2"),
        ("(5/2)d6", NotationError, "(5/2)", "5/2"),
        ("d(d6)", NotationError, "(d6)", "fixed"),
        ("d{1:0}", NotationError, "d{1:0}", "weight"),
        ("d{5..1}", NotationError, "5..1", "1..5"),
        ("artillery + 1", NotationError, "artillery + 1", "Misfire"),
        ("foo + 1", NotationError, "foo", "not known"),
        ("artillery = Misfir", NotationError, "Misfir", "Misfire"),
        ("3d6 given 3d6 >= 8", NotationError, "3d6 given 3d6 >= 8", "let"),
        ("let x = d6; x given x > 6", NotationError, "x given x > 6", "never"),
        ("2d6 adv", NotationError, "adv", "{2d6, 2d6}kh1"),
        ("4d6r1kh3r2", NotationError, "r2", "twice"),
        ("{d6, d8}kh1!", NotationError, "!", "unlike"),
        ("{2d6 + 3}kh1", NotationError, "3", "total"),
        ("d6 and d8", NotationError, "d6", "question"),
        ("(2d6c5)kh2", NotationError, None, "dice"),
        ("let x = d6; let x = d8; x", NotationError, "let x = d8", "twice"),
    ],
)
def test_what_makes_no_sense_is_placed_and_named(
    text: str, kind: type[OddsmithError], place: str | None, said: str
) -> None:
    with pytest.raises(kind) as caught:
        odds(text)
    error = caught.value
    assert isinstance(error, NotationError)
    assert said in f"{error.message} {error.hint}"
    if place is not None:
        assert text[slice(*error.span)] == place


@pytest.mark.parametrize(
    "text", ["999999999d999999", "d99999999999", "100000d6kh50000", "1d" + "9" * 40]
)
def test_what_is_too_large_is_refused_at_once(text: str) -> None:
    with pytest.raises(OddsmithError):
        odds(text)


@pytest.mark.parametrize(
    "text",
    [
        "artillery product", "3d{1, 2, Hit} product", "scatter!", "scatter!!", "artillery!p",
        "artillery!!p", "d{1, 2, Bang}!{Bang}", "d{1, 2, Bang}!!{Bang}", "2d{1, 2, Bang}!p{Bang}",
        "0d6 <= scatter = 0", "3d6 > scatter = 11", "1 <= artillery <= 3", "6x(artillery)",
        "artillery vs d6", "max(artillery, d6)", "round(artillery)", "artillery sum",
        "(artillery)d6",
        "d(artillery)", "4d6kh(artillery)", "4d6c(Misfire)", "artillery min2", "2 * artillery",
        "1 / artillery", "artillery // 2", "-artillery", "{artillery, d6}kh1", "artillery highest",
        "artillery median", "2d{1, 2, Hit} longest run", "if artillery >= 2 then 1 else 0",
        "let x = artillery; x + 1", "let x = artillery; x given x >= 2", "d{1..Hit}", "d{1:Hit}",
    ],
)  # fmt: skip
def test_text_faces_in_arithmetic_are_refused_in_good_form(text: str) -> None:
    """An error of the library, or for a few an answer; never an accident."""
    try:
        answers = odds(text)
    except OddsmithError as error:
        assert error.message
    else:
        assert answers


@pytest.mark.parametrize("terms", [50, 200, 450, 900])
def test_long_sums_are_answered_or_refused(terms: int) -> None:
    text = "+".join(["1"] * terms)
    try:
        (answer,) = odds(text)
    except OddsmithError as error:
        assert error.message
    else:
        assert answer.dist.mean == terms


@pytest.mark.parametrize("pairs", [50, 150])
def test_long_conditions_are_answered_or_refused(pairs: int) -> None:
    text = " or ".join(["d6 = 1"] * pairs)
    try:
        (answer,) = odds(text)
    except OddsmithError as error:
        assert error.message
    else:
        assert 0 < answer.exact < 1
