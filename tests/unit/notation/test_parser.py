"""Text to a syntax tree."""

from __future__ import annotations

from typing import Any

import pytest

from oddsmith import parse
from oddsmith.errors import NotationError
from oddsmith.notation import nodes as n
from oddsmith.notation.parser import Parser


def num(value: int) -> n.Number:
    """A whole number."""
    return n.Number(value=value)


def die(sides: int, count: int | None = None) -> n.Dice:
    """So many dice of so many sides."""
    return n.Dice(count=None if count is None else num(count), die=n.Sides(count=num(sides)))


def body(text: str) -> Any:
    """The one result of a text."""
    (result,) = parse(text).results
    return result.body


def modifiers(text: str) -> tuple[Any, ...]:
    """The modifiers of the one result."""
    found: tuple[Any, ...] = body(text).modifiers
    return found


def refused(text: str) -> NotationError:
    """The error of a text that must be refused."""
    with pytest.raises(NotationError) as caught:
        parse(text)
    return caught.value


# --- dice


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("d6", die(6)),
        ("3d6", die(6, 3)),
        ("3D6", die(6, 3)),
        (" 3 d 6 ", die(6, 3)),
        ("d%", n.Dice(count=None, die=n.Sides(count=num(100), percent=True))),
        ("4dF", n.Dice(count=num(4), die=n.Fudge())),
        ("d66", n.Dice(count=None, die=n.Digits(places=2))),
        ("d666", n.Dice(count=None, die=n.Digits(places=3))),
        ("d(66)", die(66)),
        ("coin", n.Dice(count=None, die=n.NamedDie(name="coin"))),
        ("(d4)d6", n.Dice(count=die(4), die=n.Sides(count=num(6)))),
        ("(2)d6", die(6, 2)),
        ("7", num(7)),
    ],
)
def test_dice(text: str, tree: Any) -> None:
    assert body(text) == tree


def test_listed_faces() -> None:
    """d{1, 3..5, 6:2, Hit}."""
    items = (
        n.Item(low=num(1)),
        n.Item(low=num(3), high=num(5)),
        n.Item(low=num(6), weight=num(2)),
        n.Item(low=n.Name(name="Hit")),
    )
    assert body("2d{1, 3..5, 6:2, Hit}") == n.Dice(count=num(2), die=n.Faces(items=items))


def test_pools() -> None:
    assert body("{d6, 2d8}") == n.Braces(items=(die(6), die(8, 2)))
    assert body("{d6 + 2d8 + d4}") == n.Braces(items=(die(6), die(8, 2), die(4)), flat=True)
    assert body("6x(4d6)") == n.Repeat(count=num(6), body=die(6, 4))


# --- precedence


def binary(op: str, left: Any, right: Any) -> n.Binary:
    """Arithmetic."""
    return n.Binary(op=op, left=left, right=right)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("1 + 2 * 3", binary("+", num(1), binary("*", num(2), num(3)))),
        ("1 - 2 - 3", binary("-", binary("-", num(1), num(2)), num(3))),
        ("8 / 4 // 2", binary("//", binary("/", num(8), num(4)), num(2))),
        ("(1 + 2) * 3", binary("*", binary("+", num(1), num(2)), num(3))),
        ("-2 * 3", binary("*", n.Unary(op="-", body=num(2)), num(3))),
        ("2 * -3", binary("*", num(2), n.Unary(op="-", body=num(3)))),
        ("+3", num(3)),
        ("-3d6", n.Unary(op="-", body=die(6, 3))),
        ("1 -- 2", binary("-", num(1), n.Unary(op="-", body=num(2)))),
    ],
)
def test_arithmetic(text: str, tree: Any) -> None:
    assert body(text) == tree


def test_minus_takes_the_modified_pool() -> None:
    assert body("-3d6kh2") == n.Unary(
        op="-", body=n.Modified(body=die(6, 3), modifiers=(n.Keep(verb="kh", count=num(2)),))
    )


def compare(left: Any, op: str, right: Any) -> n.Compare:
    """A comparison of two."""
    return n.Compare(operands=(left, right), ops=(op,))


def test_comparisons_bind_looser_than_sums() -> None:
    assert body("d6 + 1 >= 2 * 2") == compare(
        binary("+", die(6), num(1)), ">=", binary("*", num(2), num(2))
    )


@pytest.mark.parametrize(
    ("written", "op"),
    [("=", "="), ("==", "="), ("<>", "<>"), ("!=", "<>"), ("≥", ">="), ("≤", "<="), ("≠", "<>")],
)
def test_spellings_of_comparisons(written: str, op: str) -> None:
    assert body(f"d6 {written} 3") == compare(die(6), op, num(3))


def test_chains_of_comparisons() -> None:
    assert body("1 <= d6 < 3") == n.Compare(operands=(num(1), die(6), num(3)), ops=("<=", "<"))


def test_not_binds_tighter_than_and_which_binds_tighter_than_or() -> None:
    one, two, three = (compare(die(6), "=", num(k)) for k in (1, 2, 3))
    assert body("d6 = 1 or not d6 = 2 and d6 = 3") == n.Logic(
        op="or", items=(one, n.Logic(op="and", items=(n.Unary(op="not", body=two), three)))
    )


def test_like_conditions_are_joined() -> None:
    one, two, three = (compare(die(6), "=", num(k)) for k in (1, 2, 3))
    assert body("d6 = 1 and d6 = 2 and d6 = 3") == n.Logic(op="and", items=(one, two, three))
    assert body("d6 = 1 and (d6 = 2 and d6 = 3)") == n.Logic(
        op="and", items=(one, n.Logic(op="and", items=(two, three)))
    )


def test_membership() -> None:
    within = n.In(body=die(20), items=(n.Item(low=num(1)), n.Item(low=num(20))))
    assert body("d20 in {1, 20}") == within
    assert body("d20 not in {1, 20}") == n.Unary(op="not", body=within)
    assert body("not d20 in {1, 20}") == n.Unary(op="not", body=within)


def test_contests_bind_loosest() -> None:
    assert body("2d6 + 1 vs d12") == n.Versus(left=binary("+", die(6, 2), num(1)), right=die(12))


def test_choices_reach_to_the_end() -> None:
    found = body("if d20 = 20 then 2 else 1 + 3")
    assert found == n.If(
        test=compare(die(20), "=", num(20)), yes=num(2), no=binary("+", num(1), num(3))
    )


def test_functions() -> None:
    assert body("max(d6, d8, 3)") == n.Call(name="max", args=(die(6), die(8), num(3)))
    assert body("CEIL(d6 / 2)") == n.Call(name="ceil", args=(binary("/", die(6), num(2)),))


# --- programs


def test_bindings_and_results() -> None:
    program = parse('let Hit = d20; "to hit": hit >= 15, d6\nd8')
    assert [let.name for let in program.lets] == ["hit"]
    assert [result.label for result in program.results] == ["to hit", None, None]
    assert program.results[1].body == die(6)
    assert program.results[2].body == die(8)


def test_comments_and_labels_change_nothing() -> None:
    assert body("d6 [slashing] + 1 # of course 9d9") == binary("+", die(6), num(1))


def test_an_empty_statement_is_refused() -> None:
    assert refused("d6;;d8").span == (3, 4)


def test_spans_cover_what_was_written() -> None:
    text = "let x = d6; x + 2d8kh1"
    (result,) = parse(text).results
    start, end = result.body.right.span
    assert text[start:end] == "2d8kh1"
    (keep,) = result.body.right.modifiers
    assert text[keep.span[0] : keep.span[1]] == "kh1"


def test_spans_take_no_part_in_equality() -> None:
    assert parse("3d6>=11") == parse("  3 D 6   >=  11 # again")


# --- modifiers


@pytest.mark.parametrize(
    ("text", "verb", "count"),
    [
        ("4d6kh3", "kh", 3), ("4d6k3", "kh", 3), ("4d6kl1", "kl", 1), ("4d6kh", "kh", None),
        ("4d6dl", "dl", None), ("4d6dh2", "dh", 2), ("4d6mid2", "mid", 2),
        ("4d6 middle 2", "mid", 2),
        ("4d6 keep highest 3", "kh", 3), ("4d6 drop lowest 1", "dl", 1),
        ("4d6 keep lowest 2", "kl", 2),
        ("4d6 keep middle 2", "mid", 2), ("d20 adv", "adv", None),
        ("d20 disadvantage", "dis", None),
        ("4d6-L", "dl", None), ("4d6 - h", "dh", None),
    ],
)  # fmt: skip
def test_keeping(text: str, verb: str, count: int | None) -> None:
    wanted = n.Keep(verb=verb, count=None if count is None else num(count))
    assert modifiers(text) == (wanted,)


def cond(kind: str, *values: int) -> n.Cond:
    """A condition on whole faces."""
    return n.Cond(kind=kind, values=tuple(map(num, values)))


@pytest.mark.parametrize(
    ("text", "conds", "until"),
    [
        ("4d6r1", [cond("=", 1)], False),
        ("4d6ro<3", [cond("<", 3)], False),
        ("4d6rr<=2", [cond("<=", 2)], True),
        ("4d6r1r2", [cond("=", 1), cond("=", 2)], False),
        ("4d6 reroll 1s once", [cond("=", 1)], False),
        ("4d6 reroll 1s until ok", [cond("=", 1)], True),
        ("4d6r1..2", [cond("..", 1, 2)], False),
        ("4d6r5+", [cond("+", 5)], False),
        ("4d6r2-", [cond("-", 2)], False),
        ("4d6 r even", [n.Cond(kind="even")], False),
        ("4d6r odd", [n.Cond(kind="odd")], False),
        ("4d6r{1, 2}", [n.Cond(kind="in", values=(n.Item(low=num(1)), n.Item(low=num(2))))], False),
    ],
)
def test_re_rolls(text: str, conds: list[n.Cond], until: bool) -> None:
    assert modifiers(text) == (n.Reroll(conds=tuple(conds), until=until),)


@pytest.mark.parametrize(
    ("text", "burst"),
    [
        ("4d6!", n.Burst(mark="!")),
        ("4d6!!", n.Burst(mark="!!")),
        ("4d6!p", n.Burst(mark="!p")),
        ("4d6!!p", n.Burst(mark="!!p")),
        ("4d6!>=5", n.Burst(mark="!", conds=(cond(">=", 5),))),
        ("4d6!5!6", n.Burst(mark="!", conds=(cond("=", 5), cond("=", 6)))),
        ("4d6!max3", n.Burst(mark="!", limit=num(3))),
        ("4d6!once", n.Burst(mark="!", limit=num(1))),
        ("4d6!5+max2", n.Burst(mark="!", conds=(cond("+", 5),), limit=num(2))),
        ("4d6 explode", n.Burst(mark="!")),
        ("4d6e6", n.Burst(mark="!", conds=(cond("=", 6),))),
        ("4d6! even", n.Burst(mark="!", conds=(n.Cond(kind="even"),))),
    ],
)
def test_explosions(text: str, burst: n.Burst) -> None:
    assert modifiers(text) == (burst,)


def test_a_bound_after_an_explosion_needs_a_space() -> None:
    assert modifiers("4d6! max3") == (n.Burst(mark="!"), n.Bound(verb="max", value=num(3)))
    assert modifiers("4d6mi2ma5") == (
        n.Bound(verb="min", value=num(2)),
        n.Bound(verb="max", value=num(5)),
    )
    assert modifiers("4d6min-1") == (n.Bound(verb="min", value=n.Unary(op="-", body=num(1))),)


def term(condition: n.Cond, *extras: n.Extra) -> n.Term:
    """Dice that count."""
    return n.Term(cond=condition, extras=extras)


FIVE, TEN = cond("+", 5), cond("=", 10)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("8d6c5+", n.Count(terms=(term(FIVE),))),
        ("8d6 hits 5+", n.Count(terms=(term(FIVE),))),
        ("8d6t5+", n.Count(terms=(term(FIVE),))),
        ("8d6cs", n.Count(terms=(term(n.Cond(kind="top")),))),
        ("8d6c5+x6", n.Count(terms=(term(FIVE, n.Extra(cond=cond("=", 6))),))),
        ("8d6c5+x6:3", n.Count(terms=(term(FIVE, n.Extra(cond=cond("=", 6), times=num(3))),))),
        ("5d10c>=7c=10", n.Count(terms=(term(cond(">=", 7)), term(TEN)))),
        ("5d10c8+ -c1", n.Count(terms=(term(cond("+", 8)),), minus=(cond("=", 1),))),
        ("5d10c8+f1", n.Count(terms=(term(cond("+", 8)),), minus=(cond("=", 1),))),
        ("5d10f1", n.Count(minus=(cond("=", 1),))),
        ("5d10c8+ -c1 floor0",
         n.Count(terms=(term(cond("+", 8)),), minus=(cond("=", 1),), floor=num(0))),
    ],
)  # fmt: skip
def test_counts(text: str, count: n.Count) -> None:
    assert modifiers(text) == (count,)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("4d6 sum", "sum"), ("4d6 highest", "highest"), ("4d6 lowest", "lowest"),
        ("4d6 median", "median"), ("4d6 count", "count"), ("4d6 product", "product"),
        ("4d6 sets", "sets"), ("4d6 pairs", "pairs"), ("4d6 unique", "unique"),
        ("4d6 highest set", "highest set"), ("4d6 largest set", "highest set"),
        ("4d6 longest run", "longest run"),
    ],
)  # fmt: skip
def test_readings(text: str, what: str) -> None:
    assert modifiers(text) == (n.Read(what=what),)


def test_a_count_ends_the_chain() -> None:
    """What changes dice and stands after a count acts before it, and the parser says so."""
    parser = Parser("6d10c>=8!>=9")
    (result,) = parser.program().results
    assert result.body.modifiers == modifiers("6d10!>=9c>=8")  # type: ignore[attr-defined]
    assert result.body.span in parser.moved
    quiet = Parser("6d10!>=9c>=8")
    quiet.program()
    assert not quiet.moved


def test_brackets_end_a_chain() -> None:
    inner = n.Modified(body=die(6, 4), modifiers=(n.Keep(verb="kh", count=num(3)),))
    assert body("(4d6kh3)kl1") == n.Modified(
        body=inner, modifiers=(n.Keep(verb="kl", count=num(1)),)
    )


def test_numbers_behind_modifiers_may_be_expressions() -> None:
    (keep,) = modifiers("4d6kh(1+2)")
    assert keep.count == binary("+", num(1), num(2))


@pytest.mark.parametrize("text", ["(4d6 count) >= 2", "(4d6 count) = 4", "(4d6! count) <= 5"])
def test_a_reading_in_brackets_is_compared(text: str) -> None:
    found = body(text)
    assert isinstance(found, n.Compare)
    assert found.operands[0].modifiers[-1] == n.Read(what="count")  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["d6r oddkh1", "d6r odd kh1", "d6 r odd kh1"])
def test_odd_before_another_word(text: str) -> None:
    assert modifiers(text) == (
        n.Reroll(conds=(n.Cond(kind="odd"),)),
        n.Keep(verb="kh", count=num(1)),
    )


@pytest.mark.parametrize("name", ["l", "h", "f"])
def test_a_bound_letter_is_a_name_or_refused_but_never_a_modifier(name: str) -> None:
    """``3d6 - l`` is "drop lowest" at some tables; with ``l`` bound it must not silently be."""
    try:
        program = parse(f"let {name} = d4; 3d6 - {name}")
    except NotationError:
        return
    assert program.results[0].body == binary("-", die(6, 3), n.Name(name=name))


# --- errors and their places


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("3d", "d"), ("4d6k", "k"), ("(3d6", "("), ("3d6)", ")"), ("3d6 >", ""), ("3d6 =>", "=>"),
        ("d6 d8", "d8"), ("d6 8", "8"), ("4d6d1", "d1"), ("2d4d6", "d6"), ("d6!=6", "!="),
        ("3d6 hihgest", "hihgest"), ("d-6", "-"), ("4d6 keep 3", "3"), ("4d6kh-1", "-"),
        ("3d6 && d8", "&&"), ("5 % 3", "%"), ("d{}", "{}"), ("{}", "{}"),
        ("()", ")"), ("let d = 3; 1", "d"), ("let = 3; 1", "="), ("let x 3; x", "3"),
        ("if d6 = 1 then 2", ""), ("round(1, 2)", "round(1, 2)"), ("max(1)", "max(1)"),
        ("4d6 sum kh1", "kh1"), ("6x 3", "3"), ("d6 vs d8 vs d10", "d6 vs d8 vs d10"),
        ("output 3d6", "output"), ("3d6 x 2", "x"), ("1.5", "1.5"), ("3d6 + ☺", "☺"),
        ("“hi”: 3", "“"),
        ("٣d6", "٣"), ('"a', '"'), ("[note", "["), ("let x = d6", ""), ("4d6r", "r"),
        ("d6min", "min"),
    ],
)  # fmt: skip
def test_the_caret_stands_under_the_place(text: str, place: str) -> None:
    error = refused(text)
    start, end = error.span
    assert text[start:end] == place
    assert error.message
    assert error.hint


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "nothing"), ("3d6 hihgest", "highest"), ("d6!=6", "d6 <> 6"), ("4d6d1", "dl1"),
        ("2d4d6", "(2d4)d6"), ("d6 d8", "+"), ("output 3d6", "anydice"), ("1.5", "3/2"),
        ("4d6k", "kh3"), ("5 % 3", "d%"), ("3d6 => 4", ">="),
    ],
)  # fmt: skip
def test_the_mend_is_named(text: str, said: str) -> None:
    error = refused(text)
    assert said in f"{error.message} {error.hint}"


@pytest.mark.parametrize(
    "text",
    ["1." + "0" * 37, "1." + "0" * 38, "1." + "0" * 39, "9" * 41, "0." + "3" * 60],
)
def test_long_and_decimal_numbers_are_refused(text: str) -> None:
    refused(text)


def test_forty_digits_are_read() -> None:
    assert body("9" * 40) == num(10**40 - 1)


def test_text_past_the_limit_is_refused_with_the_place() -> None:
    error = refused("1" + " + 1" * 1000)
    assert error.span[0] == 2000


@pytest.mark.parametrize("opening", ["(", "{", "abs(", "-", "not ", "if 1 = 1 then "])
def test_deep_nesting_is_refused(opening: str) -> None:
    refused(opening * 150)


def test_full_width_forms_and_signs_are_read() -> None:
    assert parse("３ｄ６ ＋ ２") == parse("3d6 + 2")
    assert parse("2d6 × 3 − 1") == parse("2d6 * 3 - 1")


@pytest.mark.parametrize("word", ["x", "kh", "rr", "xc", "kkkd", "hit"])
@pytest.mark.parametrize("times", [5, 300, 900])
def test_long_words_are_names_or_refused(word: str, times: int) -> None:
    """One of the letters that are modifiers, over and over, is no reason to fail otherwise."""
    text = (word * times)[:1900]
    try:
        tree = parse(text)
    except NotationError as error:
        assert error.message
    else:
        assert tree.results
