"""Tokens to a syntax tree: a Pratt parser, one function per rule, its grammar as docstring."""

from __future__ import annotations

from typing import NoReturn

from oddsmith.notation import mends, phrases, words
from oddsmith.notation.modifiers import ModifierRules
from oddsmith.notation.nodes import (
    Binary,
    Braces,
    Call,
    Compare,
    Dice,
    Digits,
    Faces,
    Fudge,
    Given,
    If,
    In,
    Item,
    Let,
    Local,
    Logic,
    Modified,
    Name,
    NamedDie,
    Node,
    Number,
    Program,
    Repeat,
    Result,
    Sides,
    Text,
    Unary,
    Versus,
)

POWERS = {
    "vs": 5,
    "given": 5,
    "or": 10,
    "and": 20,
    "compare": 40,
    "+": 50,
    "-": 50,
    "*": 60,
    "/": 60,
    "//": 60,
    "^": 80,
}
NOT_POWER, MINUS_POWER = 30, 70
COMPARISONS = {
    "=": "=",
    "==": "=",
    "<>": "<>",
    "!=": "<>",
    ">=": ">=",
    ">": ">",
    "<=": "<=",
    "<": "<",
}


def parse(text: str) -> Program:
    """The syntax tree of a text.

    Raises:
        NotationError: With the place and the mend.

    >>> parse("3d6 >= 11") == parse("3D6>=11")
    True
    """
    return Parser(text).program()


class Parser(ModifierRules):
    """Expressions; the modifiers of dice stand in :class:`ModifierRules`."""

    # --- programs

    def program(self) -> Program:
        """program = { (let | results) (";" | newline) } ;"""
        lets: list[Let] = []
        results: list[Result] = []
        self.skip_breaks()
        if self.at("end"):
            self.fail("there is nothing to roll", "write dice, for example 3d6 or 4d6kh3 >= 15")
        while not self.at("end"):
            setting = self.word("set") and self.peek().kind == "text"
            if setting or self.word("output", "function", "loop"):
                self.fail("this looks like an AnyDice program", "run it with `odds anydice FILE`")
            if self.word("let"):
                lets.append(self.let())
                self.check_order(lets[-1], results)
                if self.op(","):
                    self.fail("a name ends with a semicolon", "write let a = d6; let b = d6; a + b")
            else:
                results += self.results()
            if not (self.at("end") or self.op(";") or self.at("newline")):
                self.stray()
            self.skip_breaks()
        if not results:
            self.fail(
                "there are names but no question",
                f"end with an expression, for example {lets[-1].name} >= 5",
            )
        return Program(lets=tuple(lets), results=tuple(results), span=(0, len(self.source)))

    def check_order(self, let: Let, results: list[Result]) -> None:
        """A name must be bound before it is used."""
        for result in results:
            for node in result.body.walk():
                if isinstance(node, Name) and node.name.lower() == let.name:
                    self.fail(
                        f"{node.name} is used before it is bound",
                        "move its let to the front",
                        node.span,
                    )

    def skip_breaks(self) -> None:
        """One break, or several new lines; an empty statement between semicolons is an error."""
        while self.at("newline"):
            self.advance()
        if self.op(";"):
            self.advance()
            while self.at("newline"):
                self.advance()
            if self.op(";"):
                self.fail("there is nothing between the semicolons", "take one away")

    def let(self) -> Let:
        """let = "let" name "=" expression ;"""
        start = self.advance().start
        token = self.token
        if token.kind != "word":
            self.fail("a name must follow let", "write for example: let hit = d20")
        if token.text in words.RESERVED:
            self.fail(f"{token.raw} already means something", "choose another name")
        self.advance()
        if self.at("number") and not self.token.spaced:
            self.fail("a name is made of letters only", f"write let {token.raw} = d20")
        if not self.op("="):
            self.fail(f"= must follow the name {token.raw}", f"write let {token.raw} = d20")
        self.advance()
        value = self.expression(0)
        self.let_names.add(token.text)
        return Let(name=token.text, value=value, span=(start, self.last_end))

    def results(self) -> list[Result]:
        """results = result { "," result } ; result = [ text ":" ] expression ;"""
        found = [self.result()]
        while self.op(","):
            self.advance()
            found.append(self.result())
        return found

    def result(self) -> Result:
        start, label = self.token.start, None
        if self.at("text") and self.peek().text == ":":
            label = self.advance().text
            self.advance()
        body = self.expression(0)
        return Result(body=body, label=label, span=(start, self.last_end))

    # --- expressions

    def expression(self, power: int) -> Node:
        """expression = prefix { infix } ; binding powers in POWERS."""
        self.depth += 1
        if self.depth > self.MAX_DEPTH:
            self.fail(
                f"brackets are nested more than {self.MAX_DEPTH} deep", "write it in parts with let"
            )
        left = self.prefix()
        while True:
            kind = self.infix_kind()
            if kind is None or POWERS[kind] <= power:
                break
            left = self.infix(kind, left)
        self.depth -= 1
        return left

    def infix_kind(self) -> str | None:
        token = self.token
        if token.kind == "word" and token.text in ("vs", "given", "or", "and"):
            return token.text
        if token.kind == "word" and (
            token.text == "in" or (token.text == "not" and self.peek().text == "in")
        ):
            return "compare"
        if token.kind == "op":
            if token.text in COMPARISONS:
                return "compare"
            if token.text in POWERS:
                return token.text
            if token.text in ("&&", "||"):
                self.fail(f"{token.text} is not an operator here", "write and, or")
            if token.text == "**":
                return "^"
            if token.text == "%":
                self.percent()
        return None

    def percent(self) -> NoReturn:
        """``d20 % 3``, or ``d100 <= 65%`` with a sign that says nothing."""
        token, after = self.token, self.peek()
        without = f"{self.source[: token.start].rstrip()}{self.source[token.end :]}"
        if after.kind != "number" and "%" not in without and phrases.readable(without):
            self.fail("% is not an operator here", f"leave it out: `{without.strip()}`")
        rest = mends.mend("mod", self.source, int(after.text) if after.kind == "number" else 0)
        self.fail("% is not an operator here", f"{rest}; a percentile die is `d%`")

    def infix(self, kind: str, left: Node) -> Node:
        self.operators += 1
        if self.operators > self.MAX_OPERATORS:
            self.fail(
                f"there are more than {self.MAX_OPERATORS} operators", "write 20d6 for d6 + d6 + .."
            )
        if kind == "compare":
            return self.comparison(left)
        self.advance()
        start = left.span[0]
        if kind == "or" and self.word("more", "less") and self.token.text not in self.let_names:
            self.fail(
                f"or {self.token.text} has no meaning here",
                mends.mend(self.token.text, self.source),
            )
        if kind in ("and", "or"):
            right = self.expression(POWERS[kind])
            items = left.items if isinstance(left, Logic) and left.op == kind else (left,)
            return Logic(op=kind, items=(*items, right), span=(start, self.last_end))
        right = self.expression(POWERS[kind] - (kind == "^"))
        span = (start, self.last_end)
        if kind == "vs":
            if isinstance(left, Versus):
                self.fail("a contest here has two sides", "compare two at a time", span)
            return Versus(left=left, right=right, span=span)
        if kind == "given":
            return Given(body=left, test=right, span=span)
        return Binary(op=kind, left=left, right=right, span=span)

    def comparison(self, left: Node) -> Node:
        """comparison = sum { operator sum } | sum ["not"] "in" "{" items "}" ;"""
        start = left.span[0]
        if self.token.kind == "word":
            negated = self.token.text == "not"
            if negated:
                self.advance()
            self.advance()
            hint = phrases.listed(self.shown(left), self.source[self.token.start :])
            if hint and not self.op("{"):
                self.fail("a list of faces in braces must follow", hint)
            found: Node = In(body=left, items=self.face_items(), span=(start, self.last_end))
            return Unary(op="not", body=found, span=found.span) if negated else found
        operands, ops = [left], []
        while self.token.kind == "op" and self.token.text in COMPARISONS:
            ops.append(COMPARISONS[self.advance().text])
            if self.token.kind == "end":
                self.fail("a number must follow the comparison", "write for example 3d6 >= 11")
            operands.append(self.expression(POWERS["compare"]))
            if self.op(".."):
                self.range_compared(operands, ops)
            if isinstance(operands[-1], Braces) and all(
                isinstance(item, Number) for item in operands[-1].items
            ):
                self.list_compared(operands, ops)
        if len(operands) > 2:
            self.two_questions(operands[1:-1])
        return Compare(operands=tuple(operands), ops=tuple(ops), span=(start, self.last_end))

    def list_compared(self, operands: list[Node], ops: list[str]) -> NoReturn:
        """``d6 = {1, 3, 5}``"""
        body, faces = self.shown(operands[0]), self.shown(operands[-1])
        word = {"=": "in", "<>": "not in"}.get(ops[-1])
        self.fail(
            "a list of numbers is compared with in; on its own it is a pool that is added up",
            f"write `{body} {word} {faces}`" if word else f"write one number: `{body} {ops[-1]} 3`",
            operands[-1].span,
        )

    def two_questions(self, middle: list[Node]) -> None:
        """``d6>=3 d6>=4``: a space where the number of dice would end."""
        for node in middle:
            if isinstance(node, Dice) and isinstance(node.count, Number):
                start, end = node.count.span[1], node.die.span[0]
                if start < end and self.source[start:end].isspace():
                    self.fail(
                        f"is {self.shown(node)} the end of one question and the start of the next?",
                        "write and, or or a comma between two questions",
                        node.span,
                    )

    def range_compared(self, operands: list[Node], ops: list[str]) -> NoReturn:
        """``3d6 = 10..12``"""
        low, high = operands[-1], self.peek()
        ends = f"{self.shown(low)}..{high.text}" if high.kind == "number" else "10..12"
        whole = len(operands) == 2 and isinstance(low, Number) and ops == ["="]
        text = f"{self.shown(operands[0])} in {{{ends}}}" if whole else "3d6 in {10..12}"
        place = (low.span[0], max(self.token.end, high.end))
        self.fail("a range of numbers stands in braces", f"write `{text}`", place)

    def shown(self, node: Node) -> str:
        return self.source[node.span[0] : node.span[1]]

    def prefix(self) -> Node:
        """prefix = ("-" | "+" | "not") expression | "if" .. | primary { modifier } ;"""
        token = self.token
        if token.kind == "op" and token.text in "+-":
            self.advance()
            body = self.expression(MINUS_POWER)
            span = (token.start, self.last_end)
            return Unary(op="-", body=body, span=span) if token.text == "-" else body
        if self.word("not"):
            self.advance()
            body = self.expression(NOT_POWER)
            return Unary(op="not", body=body, span=(token.start, self.last_end))
        if self.word("if"):
            return self.conditional()
        return self.modified(self.primary())

    def conditional(self) -> Node:
        """if = "if" expression "then" expression "else" expression ;"""
        start = self.advance().start
        self.tests += 1
        test = self.expression(0)
        self.tests -= 1
        self.expect_word("then", "`if d20 >= 15 then d8+3 else 0`")
        yes = self.expression(0)
        self.expect_word("else", "`if d20 >= 15 then d8+3 else 0`")
        no = self.expression(0)
        return If(test=test, yes=yes, no=no, span=(start, self.last_end))

    def primary(self) -> Node:
        """primary = number | dice | braces | "(" expression ")" | text | name | function ;"""
        token = self.token
        if token.kind == "number":
            self.advance()
            return self.counted(Number(value=int(token.text), span=(token.start, token.end)))
        if self.op("("):
            return self.counted(self.bracket())
        if self.op("{"):
            return self.braces()
        if token.kind == "text":
            if not token.text.strip():
                self.fail("this text is empty", 'write for example "Hit"')
            self.advance()
            return Text(text=token.text, span=(token.start, token.end))
        if token.kind == "word":
            return self.named()
        self.missing_operand()

    def bracket(self) -> Node:
        """bracket = "(" ( local | expression ) ")" ;"""
        start = self.advance()
        if self.op(")"):
            self.fail("there is nothing between the brackets", "write an expression in them")
        body = self.local() if self.word("let") else self.expression(0)
        if not self.op(")"):
            self.unclosed(start.start, "(", ")")
        self.advance()
        return body.but(span=(start.start, self.last_end))

    def local(self) -> Node:
        """local = let ";" { let ";" } expression ;"""
        outer, lets = set(self.let_names), []
        while self.word("let"):
            lets.append(self.let())
            name = lets[-1].name
            if name in outer or name in {let.name for let in lets[:-1]}:
                self.fail(f"{name} is bound already", "choose another name", lets[-1].span)
            if not self.op(";"):
                self.fail(
                    f"a semicolon must follow what {name} is",
                    f"write for example 3x(let {name} = d20; {name} + {name})",
                )
            self.skip_breaks()
        if self.op(")"):
            self.fail(
                "there are names but no question", f"end with an expression, for example {name}"
            )
        body = self.expression(0)
        self.let_names = outer
        return Local(lets=tuple(lets), body=body, span=(lets[0].span[0], self.last_end))

    def counted(self, count: Node) -> Node:
        """counted = value [ die | "x" body ] ;"""
        if self.token.kind == "word":
            self.split_word(("d", "df", "x"))
        if self.word("d", "df"):
            return self.dice(count)
        if self.word(*words.DICE):
            token = self.advance()
            die = NamedDie(name=token.text, span=(token.start, token.end))
            return Dice(count=count, die=die, span=(count.span[0], token.end))
        if self.word("x"):
            self.advance()
            if self.at("number") and self.peek().text not in ("d", "df"):
                self.fail(
                    "x must be followed by what is repeated",
                    "write 6x(4d6kh3); to multiply write *",
                )
            body = self.bracket() if self.op("(") else self.prefix()
            return Repeat(count=count, body=body, span=(count.span[0], self.last_end))
        return count

    def named(self) -> Node:
        """named = die | function "(" args ")" | catalogue die | name ;"""
        token = self.token
        if token.text not in words.KNOWN:
            self.split_word(("d", "df"))
            token = self.token
        if token.text in ("d", "df"):
            return self.dice(None)
        if token.text in words.FUNCTIONS and self.peek().text == "(":
            return self.call()
        if token.text in words.DICE:
            self.advance()
            span = (token.start, token.end)
            return Dice(count=None, die=NamedDie(name=token.text, span=span), span=span)
        if token.text in words.KEYWORDS:
            self.fail(f"{token.raw} cannot stand here", mends.mend(token.text, self.source))
        self.advance()
        return Name(name=token.raw, span=(token.start, token.end))

    def call(self) -> Node:
        """call = function "(" expression { "," expression } ")" ;"""
        name = self.advance()
        opening = self.advance()
        args = [self.expression(0)]
        while self.op(","):
            self.advance()
            args.append(self.expression(0))
        if not self.op(")"):
            self.unclosed(opening.start, "(", ")")
        self.advance()
        span = (name.start, self.last_end)
        if name.text not in ("max", "min") and len(args) != 1:
            self.fail(
                f"{name.text} takes one value, not {len(args)}", f"write {name.text}(3d6 / 2)", span
            )
        if name.text in ("max", "min") and len(args) < 2:
            self.fail(f"{name.text} needs two values or more", f"write {name.text}(d8, d6)", span)
        return Call(name=name.text, args=tuple(args), span=span)

    # --- dice

    def dice(self, count: Node | None) -> Node:
        """dice = [ value ] "d" ( number | "%" | "F" | "{" items "}" | "(" expression ")" ) ;"""
        start = count.span[0] if count else self.token.start
        letter = self.advance()
        die = self.fudge(letter.start) if letter.text == "df" else self.die(letter.start)
        return Dice(count=count, die=die, span=(start, self.last_end))

    def fudge(self, start: int) -> Node:
        return Fudge(span=(start, self.last_end))

    def die(self, start: int) -> Node:
        token = self.token
        if token.kind == "number":
            self.advance()
            span = (token.start, token.end)
            if set(token.text) == {"0"} and len(token.text) > 1:
                self.fail(f"a die has no {token.text} sides", "percentile dice are `d100`", span)
            if set(token.text) == {"6"} and len(token.text) > 1:
                return Digits(places=len(token.text), span=(start, token.end))
            return Sides(count=Number(value=int(token.text), span=span), span=(start, token.end))
        if self.op("%"):
            self.advance()
            hundred = Number(value=100, span=(token.start, token.end))
            return Sides(count=hundred, percent=True, span=(start, token.end))
        if self.op("{"):
            items = self.face_items()
            return Faces(items=items, span=(start, self.last_end))
        if self.op("("):
            sides = self.bracket()
            return Sides(count=sides, span=(start, self.last_end))
        if self.op("-"):
            self.fail(
                "a die cannot have a negative number of sides", "write d6, or d{-1, 0, 1} for faces"
            )
        self.fail("the die has no sides", "write for example d6", (start, self.last_end))

    def face_items(self) -> tuple[Item, ...]:
        """items = "{" item { "," item } "}" ; item = value [ ".." value ] [ ":" weight ] ;"""
        opening = self.token
        if not self.op("{"):
            self.fail(
                "a list of faces in braces must follow",
                "write for example `d20 in {1, 20}` or `3d6 in {10..12}`",
            )
        self.advance()
        if self.op("}"):
            self.fail(
                "a die needs at least one face", "write d{1, 2, 3}", (opening.start, self.token.end)
            )
        items = [self.face_item()]
        while self.op(","):
            self.advance()
            items.append(self.face_item())
        if not self.op("}"):
            self.unclosed(opening.start, "{", "}")
        self.advance()
        return tuple(items)

    def face_item(self) -> Item:
        start = self.token.start
        low = self.expression(POWERS["compare"])
        high = weight = None
        if isinstance(low, Binary) and low.op == "-" and "(" not in self.shown(low):
            first, last = low.left, low.right
            if isinstance(first, Number) and isinstance(last, Number) and first.value < last.value:
                self.fail(
                    f"{self.shown(low)} is {first.value} minus {last.value}",
                    f"write a range with dots: {first.value}..{last.value}",
                    low.span,
                )
        if self.op(".."):
            self.advance()
            high = self.expression(POWERS["compare"])
        if self.op(":"):
            self.advance()
            weight = self.expression(POWERS["compare"])
        return Item(low=low, high=high, weight=weight, span=(start, self.last_end))

    def braces(self) -> Node:
        """braces = "{" expression { "," expression } "}" ; one entry joined by + is a flat pool."""
        opening = self.advance()
        if self.op("}"):
            self.fail(
                "there is nothing in the braces",
                "write a pool such as {d6, d8}",
                (opening.start, self.token.end),
            )
        items = [self.expression(0)]
        if self.op(".."):
            self.fail(
                "a range of numbers is no pool",
                "to ask for it write `3d6 in {10..12}`, for a die `d{10..12}`",
            )
        while self.op(","):
            self.advance()
            items.append(self.expression(0))
        if not self.op("}"):
            self.unclosed(opening.start, "{", "}")
        self.advance()
        span = (opening.start, self.last_end)
        if len(items) == 1 and isinstance(items[0], Binary) and items[0].op == "+":
            return Braces(items=tuple(addends(items[0])), flat=True, span=span)
        return Braces(items=tuple(items), span=span)

    # --- modifiers

    def modified(self, body: Node) -> Node:
        """modified = primary { modifier } ;"""
        if not isinstance(
            body, (Dice, Braces, Repeat, Name, Modified, Number, Binary, Unary, Call, If)
        ):
            self.adjacent(body)
            return body
        modifiers, moved = self.modifiers()
        if not modifiers:
            self.adjacent(body)
            return body
        if isinstance(body, (Number, Unary, Call, If, Binary)):
            place = (modifiers[0].span[0], self.last_end)
            self.fail(
                "this is a number, not dice that can be kept or counted",
                phrases.checked(self.source)
                or "put the modifier behind the dice, or make a pool with braces",
                place,
            )
        result = Modified(body=body, modifiers=modifiers, span=(body.span[0], self.last_end))
        if moved:
            self.moved.add(result.span)
        self.adjacent(result)
        return result

    def adjacent(self, left: Node) -> None:
        """Two values side by side are an error, with the likely mend."""
        token = self.token
        value = token.kind in ("number", "text") or (
            token.kind == "op" and token.text in ("(", "{")
        )
        if not value and not (token.kind == "word" and token.text in ("d", "df", *words.DICE)):
            return
        if isinstance(left, Name) and left.name.lower() not in self.let_names:
            hint = words.meant(left.name.lower(), source=self.source) or "dice are written like 3d6"
            self.fail(f"{left.name} means nothing here", hint, left.span)
        if isinstance(left, Text):
            self.fail("a label needs a colon", f'write "{left.text}": 3d6')
        if token.kind == "word" and token.text == "d":
            following = self.peek()
            small = following.text == "1" or not token.spaced
            if following.kind == "number" and small and isinstance(left, (Dice, Modified)):
                self.fail(
                    f"d{following.text} after dice has no meaning here",
                    f"drop lowest is dl{following.text}; for a random number of dice put brackets: "
                    f"({self.source[left.span[0] : left.span[1]]})d{following.text}",
                    (token.start, following.end),
                )
        place = (token.start, self.peek().end if token.text == "d" else token.end)
        hint = phrases.behind(self.source[: token.start], self.source[token.start :])
        hint = hint or "put + between them, or a comma for two results"
        if self.tests:
            hint = "put then before the second one: if d20 >= 15 then d8 else 0"
        self.fail("two values stand side by side", hint, place)


def addends(node: Node) -> list[Node]:
    """The parts of a sum.

    >>> len(addends(parse("d4 + d6 + 1").results[0].body))
    3
    """
    if isinstance(node, Binary) and node.op == "+":
        return [*addends(node.left), *addends(node.right)]
    return [node]
