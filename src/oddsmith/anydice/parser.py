"""The parser: one function for each rule of the grammar, written above it.

Errors name what is wrong in the user's words and say what to write; the commonest mistakes of saved
programs have messages of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from oddsmith.anydice import nodes as n
from oddsmith.anydice.tokens import Token, tokens
from oddsmith.errors import NotationError

if TYPE_CHECKING:
    from collections.abc import Callable

LEVELS: tuple[tuple[str, ...], ...] = (
    ("&", "|"), ("=", "!=", "<", ">", "<=", ">="), ("+", "-"), ("*", "/"), ("^",), ("@",), ("d",),
)  # fmt: skip
"""Operators from the loosest to the tightest; all of them group to the left."""

PREFIX = ("d", "+", "-", "!", "#")
DEEPEST = 120
BUILT_IN = {
    "highest",
    "lowest",
    "middle",
    "explode",
    "count",
    "absolute",
    "reverse",
    "sort",
    "maximum",
}


def parse(source: str) -> tuple[n.Node, ...]:
    """The statements of a program.

    Raises:
        NotationError: With the place and the mend.

    >>> parse("output 3d6")[0].name
    """
    return Parser(source).program()


class Parser:
    """Reads tokens one after the other."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._curly()
        self.tokens = tokens(source)
        self.place = 0
        self.deep = 0

    def _curly(self) -> None:
        for char in "“”‘’":
            at = self.source.find(char)
            if at >= 0 and "\\" not in self.source[:at]:
                raise NotationError(
                    "curly quotes are not understood", self.source, (at, at + 1),
                    'type straight ones: "name"',
                )  # fmt: skip

    # tokens

    @property
    def now(self) -> Token:
        return self.tokens[self.place]

    @property
    def after(self) -> Token:
        return self.tokens[min(self.place + 1, len(self.tokens) - 1)]

    def at(self, text: str) -> bool:
        return self.now.text == text and self.now.kind in ("sign", "word")

    def take(self) -> Token:
        token = self.now
        self.place = min(self.place + 1, len(self.tokens) - 1)
        return token

    def fail(self, message: str, hint: str, token: Token | None = None) -> NoReturn:
        where = token or self.now
        raise NotationError(
            message, self.source, (where.start, max(where.end, where.start + 1)), hint
        )

    def expect(self, text: str, message: str, hint: str) -> Token:
        if not self.at(text):
            self.fail(message, hint)
        return self.take()

    # statements

    def program(self) -> tuple[n.Node, ...]:
        """program = { statement }"""
        found = []
        while self.now.kind != "end":
            found.append(self.statement(in_function=False))
        if not any(_shows(node) for node in found):
            self.place = 0
            self.fail(
                "nothing is shown", "write output in front of what you want to see: output 3d6"
            )
        return tuple(found)

    def statement(self, in_function: bool) -> n.Node:
        """statement = assignment | if | loop | function | output | set"""
        token = self.now
        if token.kind == "variable" and self.after.text == ":":
            return self.assignment()
        kinds: dict[str, Callable[[bool], n.Node]] = {
            "if": self.condition, "loop": self.loop, "function": self.function,
            "output": self.output, "set": self.setting,
        }  # fmt: skip
        if token.kind == "word" and token.text in kinds:
            if in_function and token.text in ("output", "set", "function"):
                self.fail(
                    f"{token.text} cannot stand inside a function", "move it below the function"
                )
            return kinds[token.text](in_function)
        self._stray(token)

    def _stray(self, token: Token) -> NoReturn:
        if token.kind == "variable" and self.after.kind == "word":
            whole = (token.text + self.after.text).lower()
            if whole in ("output", "loop", "function", "if", "set", "else", "result"):
                self.fail(
                    f"{token.text}{self.after.text} is not understood", f"write it small: {whole}"
                )
        if token.text == "result":
            self.fail("result: stands outside a function", "show a value with output")
        if token.text == "}":
            self.fail("this } closes nothing", "leave it out, or open a block before it")
        if token.text == "else":
            self.fail("this else belongs to no if", "it follows the } of an if")
        if token.kind == "variable" and self.after.text == "=":
            self.fail("a variable is set with a colon", f"write {token.text}: ..")
        if token.kind == "word" and token.text != "d":
            self.fail(
                f"{token.text} starts no statement", "write output, a function call stands in [ ]"
            )
        self.fail("a value stands here by itself", "write output in front of it")

    def assignment(self) -> n.Node:
        """assignment = VAR ':' expr"""
        name = self.take()
        self.take()
        value = self.expr(f"{name.text}: has no value")
        return n.Assign(name.text, value, (name.start, value.span[1]))

    def condition(self, in_function: bool) -> n.Node:
        """if = 'if' expr block [ 'else' ( if | block ) ]"""
        start = self.take()
        test = self.expr("if has no condition")
        yes = self.block(in_function)
        no: tuple[n.Node, ...] = ()
        if self.at("else"):
            self.take()
            no = (self.condition(in_function),) if self.at("if") else self.block(in_function)
        return n.If(test, yes, no, (start.start, test.span[1]))

    def loop(self, in_function: bool) -> n.Node:
        """loop = 'loop' VAR 'over' expr block"""
        start = self.take()
        if self.now.kind != "variable":
            self.fail("a loop needs a variable", "write for example loop N over {1..6} { .. }")
        name = self.take().text
        self.expect("over", "a loop goes over something", f"write loop {name} over {{1..6}}")
        over = self.expr("the loop goes over nothing")
        return n.Loop(name, over, self.block(in_function), (start.start, over.span[1]))

    def block(self, in_function: bool) -> tuple[n.Node, ...]:
        """block = '{' { statement } [ 'result' ':' expr ] '}', the result in functions only"""
        opening = self.expect("{", "a block { .. } is missing", "open it with {")
        found: list[n.Node] = []
        while not self.at("}"):
            if self.now.kind == "end":
                self.fail("this { is never closed", "close the block with }", opening)
            if in_function and self.at("result") and self.after.text == ":":
                token = self.take()
                self.take()
                value = self.expr("result: has no value")
                found.append(n.Result(value, (token.start, value.span[1])))
                if not self.at("}"):
                    self.fail("nothing may follow result: in its block", "end the block with }")
                break
            found.append(self.statement(in_function))
        self.take()
        return tuple(found)

    def function(self, _: bool) -> n.Node:
        """function = 'function' ':' { word | VAR [ ':' type ] } block"""
        start = self.take()
        self.expect(":", "a colon follows the word function", "write function: name of N:n { .. }")
        shape: list[str] = []
        params: list[tuple[str, str]] = []
        while not self.at("{"):
            token = self.take()
            if token.kind == "variable":
                shape.append("?")
                params.append((token.text, self._type()))
            elif token.kind == "word":
                shape.append(token.text)
            else:
                self.fail("the name of a function has words and parameters only",
                          "write function: name of N:n { .. }", token)  # fmt: skip
        body = self.block(in_function=True)
        return n.Function(" ".join(shape), tuple(params), body, (start.start, self.now.start))

    def _type(self) -> str:
        if not self.at(":"):
            return "?"
        self.take()
        kind = self.take()
        if kind.text not in ("n", "s", "d"):
            self.fail("a parameter is a number, a sequence or a die", "write :n, :s or :d", kind)
        return kind.text

    def output(self, _: bool) -> n.Node:
        """output = 'output' expr [ 'named' STRING ]"""
        start = self.take()
        if self.now.kind == "word" and self.now.text in BUILT_IN:
            self.fail(f"{self.now.text} is a function", "put it in brackets: [highest 3 of 4d6]")
        value = self.expr("output shows nothing", "write for example output 3d6")
        name = None
        if self.at("named"):
            self.take()
            if self.now.kind != "text":
                self.fail("a name stands in quotes", 'write named "my dice"')
            name = self.take().text
        return n.Output(value, name, (start.start, value.span[1]))

    def setting(self, _: bool) -> n.Node:
        """set = 'set' STRING 'to' ( expr | STRING )"""
        start = self.take()
        if self.now.kind != "text":
            self.fail("a setting stands in quotes", 'write set "explode depth" to 3')
        name = self.take().text
        self.expect("to", "a setting is set to something", f'write set "{name}" to 3')
        if self.now.kind == "text":
            return n.Set(name, self.take().text, (start.start, self.now.start))
        value = self.expr("the setting has no value")
        return n.Set(name, value, (start.start, value.span[1]))

    # values

    def expr(
        self, message: str, hint: str = "write a value, such as 3d6", level: int = 0
    ) -> n.Node:
        """expr = unary { operator unary }, by levels"""
        if level == len(LEVELS):
            return self.unary(message, hint)
        left = self.expr(message, hint, level + 1)
        while self.now.text in LEVELS[level] and self.now.kind in ("sign", "word"):
            op = self.take()
            if op.text == "=" and self.at("="):
                self.fail("equal is written with one =", "write =")
            if op.text == "/" and self.at("/"):
                self.fail("/ rounds toward 0 by itself", "write one /")
            right = self.expr(f"nothing stands behind {op.text}", hint, level + 1)
            left = n.Binary(op.text, left, right, (left.span[0], right.span[1]))
        return left

    def unary(self, message: str, hint: str) -> n.Node:
        """unary = { 'd' | '+' | '-' | '!' | '#' } value"""
        token = self.now
        if token.text in PREFIX and token.kind in ("sign", "word"):
            self.take()
            self._deeper()
            body = self.unary(f"nothing stands behind {token.text}", hint)
            self.deep -= 1
            return n.Unary(token.text, body, (token.start, body.span[1]))
        return self.value(message, hint)

    def _deeper(self) -> None:
        self.deep += 1
        if self.deep > DEEPEST:
            self.fail("this is nested too deeply", "give a part of it a name: X: ..")

    def value(self, message: str, hint: str) -> n.Node:
        """value = INT | VAR | '(' expr ')' | sequence | call"""
        token = self.now
        if token.kind == "number":
            self.take()
            return n.Number(int(token.text), (token.start, token.end))
        if token.kind == "variable":
            if self.after.kind == "word" and self.after.text not in _FOLLOW and not self._call:
                self._stray_word(token)
            self.take()
            return n.Variable(token.text, (token.start, token.end))
        self._deeper()
        found = self._bracket(token, message, hint)
        self.deep -= 1
        return found

    _call = False

    def _stray_word(self, token: Token) -> None:
        whole = token.text + self.after.text
        if token.end == self.after.start and token.text in ("F", "K"):
            self.fail(f"{whole} is not understood", "write the faces: d{-1, 0, 1}")

    def _bracket(self, token: Token, message: str, hint: str) -> n.Node:
        if self.at("("):
            self.take()
            inner = self.expr("these brackets are empty")
            if not self.at(")"):
                self.fail("this ( is never closed", "close it with )", token)
            self.take()
            return inner.but(span=(token.start, self.tokens[self.place - 1].end))
        if self.at("{"):
            return self.sequence()
        if self.at("["):
            return self.call()
        if token.kind == "text":
            self.fail("a text is no value", "texts stand behind named and in set only")
        if token.kind == "word" and token.text in BUILT_IN:
            self.fail(f"{token.text} is a function", f"put it in brackets: [{token.text} ..]")
        if token.kind == "word" and token.text in ("legacy",):
            self.fail("the notation of legacy programs is not understood", "write it anew: 4d6")
        self.fail(message, hint)

    def sequence(self) -> n.Node:
        """sequence = '{' [ part { ',' part } ] '}'"""
        start = self.take()
        parts: list[n.Part] = []
        while not self.at("}"):
            parts.append(self.part())
            if self.at(","):
                self.take()
                if self.at("}"):
                    self.fail("a comma is followed by another part", "leave the last comma out")
            elif not self.at("}"):
                if self.now.kind == "end":
                    self.fail("this { is never closed", "close the sequence with }", start)
                self.fail(
                    "parts of a sequence have commas between them", "write , or close it with }"
                )
        end = self.take()
        return n.Sequence(tuple(parts), (start.start, end.end))

    def part(self) -> n.Part:
        """part = expr [ '..' expr ] [ ':' expr ]"""
        low = self.expr("a part of the sequence is missing", "write for example {1, 2, 3}")
        high = times = None
        if self.at(".."):
            self.take()
            high = self.expr("the range has no end", "write for example 1..6")
        if self.at(":"):
            self.take()
            times = self.expr("how many times is missing", "write for example 5:3")
        return n.Part(low, high, times, (low.span[0], self.now.start))

    def call(self) -> n.Node:
        """call = '[' { word | expr } ']'"""
        start = self.take()
        shape: list[str] = []
        args: list[n.Node] = []
        before, self._call = self._call, True
        while not self.at("]"):
            if self.now.kind == "end":
                self.fail("this [ is never closed", "close the call with ]", start)
            if self.now.kind == "word" and self.now.text != "d":
                shape.append(self.take().text)
            elif self.at(","):
                self.fail("arguments have no commas between them", "leave the comma out")
            else:
                shape.append("?")
                args.append(self.expr("an argument is missing"))
        self._call = before
        end = self.take()
        return n.Call(" ".join(shape), tuple(args), (start.start, end.end))


_FOLLOW = {"d", "named", "over", "to", "else", "output", "if", "loop", "function", "set", "result"}


def _shows(node: n.Node) -> bool:
    if isinstance(node, n.Output):
        return True
    if isinstance(node, n.Loop):
        return any(map(_shows, node.body))
    return isinstance(node, n.If) and any(map(_shows, (*node.yes, *node.no)))
