"""The modifiers of dice: the rules of the grammar that follow a pool."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from oddsmith.errors import NotationError
from oddsmith.notation import dialects, mends, phrases, words
from oddsmith.notation.nodes import (
    Bound,
    Burst,
    Cond,
    Count,
    Extra,
    Keep,
    Modifier,
    Node,
    Number,
    Read,
    Reroll,
    Term,
    Unary,
)
from oddsmith.notation.tokens import Token, tokenize

if TYPE_CHECKING:
    from oddsmith.notation.nodes import Span

COND_OPS = {"=": "=", "==": "=", "<>": "<>", ">=": ">=", ">": ">", "<=": "<=", "<": "<"}
STARTERS = ("number", "(")
EXAMPLES = {"keep": "`4d6 keep highest 3`", "drop": "`4d6 drop lowest 1`"}


class TokenStream:
    """The tokens with a position, and the ways to complain."""

    MAX_DEPTH = 100
    MAX_OPERATORS = 200

    def __init__(self, source: str, dialect: str = "oddsmith") -> None:
        self.source = source
        self.dialect = dialects.dialect(dialect)
        self.tokens = _tokens(source)
        self.position = 0
        self.depth = 0
        self.operators = 0
        self.last_end = 0
        self.moved: set[Span] = set()
        self.let_names: set[str] = set()
        self.tests = 0

    @property
    def token(self) -> Token:
        return self.tokens[self.position]

    def peek(self, ahead: int = 1) -> Token:
        return self.tokens[min(self.position + ahead, len(self.tokens) - 1)]

    def advance(self) -> Token:
        token = self.token
        self.last_end = token.end
        if token.kind != "end":
            self.position += 1
        return token

    def at(self, kind: str) -> bool:
        return self.token.kind == kind

    def op(self, text: str) -> bool:
        return self.token.kind == "op" and self.token.text == text

    def word(self, *texts: str) -> bool:
        return self.token.kind == "word" and self.token.text in texts

    def split_word(self, firsts: tuple[str, ...]) -> None:
        """Cut a word written together, when it starts with one of these."""
        token = self.token
        if token.kind != "word" or token.text in words.KNOWN:
            return
        parts = words.split(token.text)
        if parts is None or parts[0] not in firsts:
            return
        cut = token.start + len(parts[0])
        head = Token("word", parts[0], token.start, cut, token.spaced, token.raw[: len(parts[0])])
        tail = Token("word", parts[1], cut, token.end, False, token.raw[len(parts[0]) :])
        self.tokens[self.position : self.position + 1] = [head, tail]

    def expect_word(self, text: str, example: str) -> None:
        if not self.word(text):
            self.fail(f"{text} is missing here", f"write {example}")
        self.advance()

    def fail(self, message: str, hint: str, span: Span | None = None) -> NoReturn:
        token = self.token
        place = span or (token.start, max(token.end, token.start + 1))
        raise NotationError(message, self.source, place, hint)

    def unclosed(self, start: int, opening: str, closing: str) -> NoReturn:
        if self.at("end"):
            self.fail(
                f"the bracket {opening} is never closed", f"add {closing}", (start, start + 1)
            )
        self.stray()

    def missing_operand(self) -> NoReturn:
        token = self.token
        before = self.tokens[self.position - 1] if self.position else token
        if before.text == "=" and token.text in (">", "<"):
            place = (before.start, token.end)
            self.fail(
                f"={token.text} is written the wrong way round", f"write {token.text}=", place
            )
        if token.kind == "end":
            self.fail("the text ends too early", "a number or dice must follow")
        if token.text in (")", "}"):
            self.fail(
                f"there is no value before {token.text}",
                "write dice or a number before it, or take it away",
            )
        self.fail(f"a value is missing before {token.text!r}", "write dice or a number there")

    def face_word(self, verb: str, word: str, place: Span) -> None:
        """A face that is a word stands in braces behind c and r."""
        if verb in ("c", "r") and word in mends.faces(self.source):
            counted = f"c{{{word}}}"
            rule = counted if verb == "c" else f"r{{{word}}}{counted}"
            self.fail(
                f"the face {word} must stand in braces",
                f"write `4d{{{word}, other}}{rule}`",
                place,
            )

    def stray(self) -> NoReturn:
        token = self.token
        if token.kind == "word" and token.text == "output":
            self.fail("this looks like an AnyDice program", "run it with `odds anydice FILE`")
        if token.kind == "word":
            self.face_word(token.text[:1], token.text[1:], (token.start, token.end))
            hint = (
                words.meant(token.text, source=self.source)
                or "comments start with #, results are separated by commas"
            )
            self.fail(f"{token.raw} means nothing here", hint)
        if token.text in (")", "}"):
            self.fail(f"{token.text} closes a bracket that was never opened", "take it away")
        if token.text == ":":
            if any(other.text == "output" for other in self.tokens):
                self.fail("this looks like an AnyDice program", "run it with `odds anydice FILE`")
            self.fail(": has no meaning here", 'labels are written "name": 3d6')
        if token.text == "!":
            self.fail(
                "! must follow dice", "write d6! for dice that roll again; `not` for the opposite"
            )
        self.fail(f"{token.text} has no meaning here", "check the operators and brackets around it")


def _tokens(source: str) -> list[Token]:
    """The tokens of a text; a question mark at its end says nothing and is to be left out."""
    try:
        return tokenize(source)
    except NotationError as error:
        asked = source.rstrip()
        without = asked.rstrip("? ")
        left_out = len(without) < len(asked) and error.span[0] >= len(without)
        if left_out and phrases.readable(without):
            hint = f"leave it out: `{without}`"
            raise NotationError(error.message, source, error.span, hint) from None
        raise


class ModifierRules(TokenStream):
    """modifier = keep | reroll | burst | bound | count | read ;"""

    def expression(self, power: int) -> Node:
        raise NotImplementedError

    def bracket(self) -> Node:
        raise NotImplementedError

    def modifiers(self) -> tuple[tuple[Modifier, ...], bool]:
        """All modifiers of one pool in the order they act, and whether that is not as written."""
        chain: list[Modifier] = []
        end: Count | Read | None = None
        moved = False
        while (modifier := self.modifier(end)) is not None:
            if isinstance(end, Read):
                self.fail(
                    f"{end.what} already read the dice; nothing can follow",
                    "write modifiers before it",
                    modifier.span,
                )
            if isinstance(modifier, Count):
                end = _joined(end, modifier) if end else modifier
            elif isinstance(modifier, Read):
                if end is not None:
                    self.fail(
                        "the dice were counted already; nothing is left to read",
                        "write only one of them",
                        modifier.span,
                    )
                end = modifier
            else:
                _add(chain, modifier)
                moved = moved or end is not None
        return (*chain, end) if end else tuple(chain), moved

    def modifier(self, end: Count | Read | None) -> Modifier | None:
        token = self.token
        if token.kind == "op":
            return self.mark(end)
        if token.kind != "word":
            return None
        if token.text not in words.KNOWN:
            self.split_word(tuple(words.MODIFIERS))
        text = self.token.text
        counted = isinstance(end, Count)
        if text == "k" and self.dialect.exact:
            self.fail(
                "in this dialect k keeps the dice that show a number, which has no form here",
                "keep the highest is kh3; to count the dice that show 3 write c3",
            )
        if text == "d" and self.dialect.drops and self.peek().kind == "number":
            return self.dropped()
        if text == "x" and self.dialect.explodes and not counted:
            return self.burst("!")
        if text in ("cs", "cf") and self.dialect.colours:
            self.advance()
            self.cond(counting=True, glued=False)
            return self.modifier(end)
        if text in words.KEEP or text in ("keep", "drop"):
            return self.keep()
        if text in words.ADVANTAGE:
            self.advance()
            return Keep(verb=words.ADVANTAGE[text], span=(token.start, self.last_end))
        if text in words.REROLL:
            return self.reroll()
        if text in words.BURST:
            return self.burst("!")
        if text in words.BOUND:
            return self.bound()
        if text in words.COUNT:
            return self.count()
        if text in ("f", "cf"):
            return self.minus()
        if text == "floor" and counted:
            self.advance()
            return Count(floor=self.number("floor0"), span=(token.start, self.last_end))
        if text == "x" and isinstance(end, Count) and end.terms:
            return self.extra()
        if text == "x":
            self.fail(
                "x after dice has no meaning here",
                "write d6 * 5 to multiply, 5x(d6) to repeat, d6! to roll again",
            )
        if text in words.READ:
            return self.read()
        return None

    def mark(self, end: Count | Read | None) -> Modifier | None:
        """! and !!, and a minus sign before a second count or a lone H or L."""
        token = self.token
        if self.dialect.counts and token.text in (">", "<", ">=", "<=", "=") and not token.spaced:
            cond = self.cond(counting=True, glued=True)
            span = (token.start, self.last_end)
            return Count(terms=(Term(cond=cond, span=span),), span=span)
        if token.text == "!=" and not token.spaced and self.tokens[self.position - 1].text != ")":
            self.fail(
                "!= glued to dice could mean two things",
                "write `d6!6` to explode on 6 or `d6 <> 6` to compare",
            )
        if token.text in ("!", "!!"):
            return self.burst(token.text)
        if token.text == "-" and self.peek().kind == "word":
            following = self.peek().text
            if following in ("h", "l") and following not in self.let_names:
                self.advance()
                self.advance()
                return Keep(verb="d" + following, span=(token.start, self.last_end))
            if following in words.MINUS and isinstance(end, Count):
                self.advance()
                return self.minus()
        return None

    # --- what other tools write

    def dropped(self) -> Keep:
        """dropped = "d" number ; the lowest, in some dialects."""
        token = self.advance()
        return Keep(verb="dl", count=self.value(), span=(token.start, self.last_end))

    # --- one function each

    def keep(self) -> Keep:
        """keep = ("kh" | "kl" | "dh" | "dl" | "mid" | "keep" .. | "drop" ..) [ number ] ;"""
        token = self.advance()
        if token.text in ("keep", "drop"):
            which = self.token.text
            sides = {
                "highest": "h",
                "lowest": "l",
                "high": "h",
                "low": "l",
                "best": "h",
                "worst": "l",
            }
            if which in ("middle", "mid") and token.text == "keep":
                verb = "mid"
            elif self.token.kind == "word" and which in sides:
                verb = token.text[0] + sides[which]
            else:
                self.fail(f"{token.text} needs highest or lowest", f"write {EXAMPLES[token.text]}")
            self.advance()
        else:
            verb = words.KEEP[token.text]
        if token.text == "k" and not self.starts_value():
            self.fail("k needs a number", "keep the highest three is kh3", (token.start, token.end))
        if (
            self.op("-")
            and not self.token.spaced
            and self.peek().kind == "number"
            and not self.peek().spaced
        ):
            self.fail(
                "a negative number of dice cannot be kept or dropped",
                "write a number, 0 or more; a space before the minus to subtract",
            )
        count = self.value() if self.starts_value() else None
        return Keep(verb=verb, count=count, span=(token.start, self.last_end))

    def starts_value(self) -> bool:
        return self.at("number") or (self.op("(") and not self.token.spaced)

    def value(self) -> Node:
        """value = number | "(" expression ")" | "-" number ;"""
        token = self.token
        if self.op("("):
            return self.bracket()
        if self.op("-") and self.peek().kind == "number":
            self.advance()
            number = self.advance()
            inner = Number(value=int(number.text), span=(number.start, number.end))
            return Unary(op="-", body=inner, span=(token.start, number.end))
        if not self.at("number"):
            self.fail("a number must stand here", "write a number, or an expression in brackets")
        self.advance()
        return Number(value=int(token.text), span=(token.start, token.end))

    def number(self, example: str) -> Node:
        if not self.starts_value():
            self.fail("a number is missing", f"write for example {example}")
        return self.value()

    def reroll(self) -> Reroll:
        """reroll = ("r" | "ro" | "rr" | "reroll") condition [ "once" | "until" "ok" ] ;"""
        token = self.advance()
        cond = self.cond(counting=False, glued=False)
        if cond is None:
            self.fail(
                "which faces are re-rolled is missing",
                "write for example r1 or r<3",
                (token.start, self.last_end),
            )
        until = words.REROLL[token.text] or (token.text == "r" and self.dialect.until)
        if self.word("once"):
            self.advance()
        elif self.word("until"):
            self.advance()
            self.expect_word("ok", "reroll 1s until ok")
            until = True
        return Reroll(conds=(cond,), until=until, span=(token.start, self.last_end))

    def burst(self, mark: str) -> Burst:
        """burst = ("!" | "!!") [ "p" ] [ condition ] [ "max" number | "once" ] ;"""
        token = self.advance()
        if (
            self.token.kind == "word"
            and not self.token.spaced
            and self.token.text not in words.KNOWN
        ):
            self.split_word(("p", "once", "max"))
        if self.word("p") and not self.token.spaced:
            self.advance()
            mark += "p"
        limit = self.limit()
        cond = self.cond(counting=False, glued=token.text != "explode")
        limit = limit or self.limit()
        return Burst(
            mark=mark, conds=(cond,) if cond else (), limit=limit, span=(token.start, self.last_end)
        )

    def limit(self) -> Node | None:
        if self.token.kind == "word" and not self.token.spaced:
            self.split_word(("max", "once"))
        if self.word("once"):
            self.advance()
            return Number(value=1, span=(self.last_end - 4, self.last_end))
        if self.word("max") and not self.token.spaced:
            token = self.advance()
            if not self.starts_value():
                self.fail(
                    "max needs a number, 0 or more",
                    "write for example !max3",
                    (token.start, token.end),
                )
            return self.value()
        return None

    def bound(self) -> Bound:
        """bound = ("min" | "max") value ;"""
        token = self.advance()
        if not (self.starts_value() or self.op("-")):
            self.fail(
                f"{token.text} needs a number",
                f"write for example {words.BOUND[token.text]}2",
                (token.start, token.end),
            )
        value = self.value()
        return Bound(verb=words.BOUND[token.text], value=value, span=(token.start, self.last_end))

    def count(self) -> Modifier:
        """count = ("c" | "cs" | "t" | "hits" | "count") [ condition ] ;"""
        token = self.advance()
        cond = self.cond(counting=True, glued=token.text not in ("count", "hits"))
        if cond is None and token.text == "count":
            return Read(what="count", span=(token.start, token.end))
        cond = cond or Cond(kind="top", span=(token.start, token.end))
        span = (token.start, self.last_end)
        return Count(terms=(Term(cond=cond, span=span),), span=span)

    def minus(self) -> Count:
        """minus = ("-c" | "f" | "cf") condition ;"""
        token = self.advance()
        cond = self.cond(counting=True, glued=False)
        if cond is None:
            self.fail(
                "which faces subtract is missing", "write for example -c1", (token.start, token.end)
            )
        return Count(minus=(cond,), span=(token.start, self.last_end))

    def extra(self) -> Count:
        """extra = "x" condition [ ":" number ] ;"""
        token = self.advance()
        cond = self.cond(counting=True, glued=False)
        if cond is None:
            self.fail(
                "which face counts more is missing",
                "write for example c5+x6",
                (token.start, token.end),
            )
        times = None
        if self.op(":"):
            self.advance()
            times = self.number("x6:3")
        span = (token.start, self.last_end)
        extra = Extra(cond=cond, times=times, span=span)
        return Count(terms=(Term(cond=None, extras=(extra,), span=span),), span=span)

    def read(self) -> Read:
        """read = "sum" | "highest" ["set"] | "lowest" | "median" | .. | "longest" "run" ;"""
        token = self.advance()
        what = token.text
        if what in ("highest", "largest") and self.word("set"):
            self.advance()
            what = "highest set"
        elif what == "longest":
            if not self.word("run", "straight"):
                self.fail("longest needs the word run", "write longest run")
            self.advance()
            what = "longest run"
        elif what == "largest":
            self.fail("largest needs the word set", "write largest set; the highest die is highest")
        return Read(what=what, span=(token.start, self.last_end))

    # --- conditions

    def cond(self, counting: bool, glued: bool) -> Cond | None:
        """condition = [operator] value | value ("+" | "-" | ".." value) | "{" .. "}" | parity ;"""
        token = self.token
        start = token.start
        word = self.peek() if self.op("=") else token
        if word.kind == "word" and word.text not in words.KNOWN:
            self.face_word("c" if counting else "r", word.text, (word.start, word.end))
        if token.kind == "op" and token.text in COND_OPS and not (glued and token.spaced):
            self.advance()
            if not (self.starts_value() or self.op("-")):
                self.fail("a number must follow the comparison", "write for example c>=5")
            value = self.value()
            kind = COND_OPS[token.text]
            if self.dialect.inclusive and kind in "<>":
                kind += "="
            return Cond(kind=kind, values=(value,), span=(start, self.last_end))
        if self.word("in") and self.peek().text == "{":
            self.advance()
            return self.listed(start)
        if self.op("{") and not token.spaced:
            return self.listed(start)
        self.split_word(("even", "odd"))
        if self.word("even", "odd"):
            token = self.advance()
            return Cond(kind=token.text, span=(start, self.last_end))
        if self.starts_value() or (
            self.op("-")
            and not token.spaced
            and self.peek().kind == "number"
            and not self.peek().spaced
        ):
            return self.valued(start, counting)
        return None

    def listed(self, start: int) -> Cond:
        items = self.face_items()
        values: list[Node] = []
        for item in items:
            if getattr(item, "weight", None) is not None:
                self.fail("a condition has no weights", "write the faces alone", item.span)
            values.append(item)
        return Cond(kind="in", values=tuple(values), span=(start, self.last_end))

    def face_items(self) -> tuple[Node, ...]:
        raise NotImplementedError

    def valued(self, start: int, counting: bool) -> Cond:
        value = self.value()
        kind = "="
        if self.op(".."):
            self.advance()
            high = self.value()
            return Cond(kind="..", values=(value, high), span=(start, self.last_end))
        if self.word("s") and not self.token.spaced:
            self.advance()
        elif self.token.kind == "op" and self.token.text in "+-" and not self.token.spaced:
            kind = self.sign(counting, start) or "="
        return Cond(kind=kind, values=(value,), span=(start, self.last_end))

    def sign(self, counting: bool, start: int) -> str | None:
        """5+ or 5-, unless the sign starts a term."""
        sign = self.token.text
        following = self.peek()
        minus_count = sign == "-" and following.text == "c" and not following.spaced
        if minus_count or (sign == "-" and following.text in ("h", "l")):
            return None
        term = following.kind == "number" or following.text in ("(", "{", "d", "df", *words.DICE)
        if term and not following.spaced:
            if not counting:
                return None
            shown = self.source[start : self.token.start]
            rest = self.source[following.start :].split()[0]
            self.fail(
                f"{shown}{sign}{rest} could be read in two ways",
                f"write {shown}{sign} {sign} {rest} for dice that show {shown}{sign}, "
                f"or {shown} {sign} {rest} to count {shown}s and then add"
                if sign == "+"
                else f"write {shown}- - {rest}, or {shown} - {rest}",
                (start, following.end),
            )
        self.advance()
        return sign


def _add(chain: list[Modifier], modifier: Modifier) -> None:
    """Put a modifier behind the others; conditions of the same kind in a row become one."""
    last = chain[-1] if chain else None
    if last is not None and _continues(last, modifier):
        conds = getattr(last, "conds", ()) + getattr(modifier, "conds", ())
        chain[-1] = last.but(conds=conds, span=(last.span[0], modifier.span[1]))
    else:
        chain.append(modifier)


def _continues(last: Modifier, modifier: Modifier) -> bool:
    """Whether the second only adds conditions to the first, as in r1r2 or !5!6."""
    if isinstance(last, Reroll) and isinstance(modifier, Reroll):
        return last.until == modifier.until
    if isinstance(last, Burst) and isinstance(modifier, Burst):
        alike = (last.mark, last.limit) == (modifier.mark, modifier.limit)
        return alike and bool(last.conds and modifier.conds)
    return False


def _joined(first: Count, second: Count) -> Count:
    """A second count or a subtraction adds to the first; extra weights belong to the last term."""
    terms = first.terms
    for term in second.terms:
        if term.cond is None and terms:
            last = terms[-1]
            span = (last.span[0], term.span[1])
            terms = (*terms[:-1], Term(cond=last.cond, extras=last.extras + term.extras, span=span))
        else:
            terms = (*terms, term)
    return Count(
        terms=terms,
        minus=first.minus + second.minus,
        floor=second.floor or first.floor,
        span=(first.span[0], second.span[1]),
    )
