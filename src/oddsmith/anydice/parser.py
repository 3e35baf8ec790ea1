"""The parser: one function for each rule of the grammar, written above it.

Errors name what is wrong in the user's words and say what to write; the commonest mistakes of saved
programs have messages of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from oddsmith.anydice import nodes as n
from oddsmith.anydice.legacy import legacy
from oddsmith.anydice.mistakes import KEYWORDS, Mistakes
from oddsmith.anydice.tokens import Token, tokens

if TYPE_CHECKING:
    from collections.abc import Callable

LEVELS: tuple[tuple[str, ...], ...] = (
    ("&", "|"), ("=", "!=", "<", ">", "<=", ">="), ("+", "-"), ("*", "/"), ("^",), ("@",), ("d",),
)  # fmt: skip
"""Operators from the loosest to the tightest; all of them group to the left."""

PREFIX = ("d", "+", "-", "!", "#")
DEEPEST = 120


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
        self.tokens = tokens(source)
        self.mistakes = Mistakes(source, self.tokens)
        self.mistakes.brackets()
        self.place = 0
        self.deep = 0

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
        self.mistakes.fail(message, hint, token or self.now)

    def expect(self, text: str, message: str, hint: str) -> Token:
        if not self.at(text):
            self.mistakes.capital(self.place)
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
            if self._next(2).text == "=":
                self.fail("a variable is set with a colon", "leave the = out", self._next(2))
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
        self.mistakes.statement(self.place, in_function)

    def _next(self, steps: int) -> Token:
        return self.mistakes.at(self.place + steps)

    def assignment(self) -> n.Node:
        """assignment = VAR ':' expr"""
        name, behind = self.now, self._next(2)
        if name.text.lower() in KEYWORDS and behind.kind == "word" and behind.text != "d":
            self.fail(f"{name.text} is not understood", f"write it small: {name.text.lower()}")
        self.place += 2
        value = self.expr(f"{name.text}: has no value")
        return n.Assign(name.text, value, (name.start, value.span[1]))

    def condition(self, in_function: bool) -> n.Node:
        """if = 'if' expr block [ 'else' ( if | block ) ]"""
        chain: list[tuple[int, n.Node, tuple[n.Node, ...]]] = []
        no: tuple[n.Node, ...] = ()
        while True:
            start = self.take()
            test = self.expr("if has no condition", "write for example if X > 3 { .. }")
            yes = self.block(in_function, "if", "put what follows from it in braces: { .. }")
            chain.append((start.start, test, yes))
            if not self.at("else"):
                break
            self.take()
            if not self.at("if"):
                no = self.block(in_function, "else", "put what follows from it in braces: { .. }")
                break
        for begin, test, yes in reversed(chain):
            no = (n.If(test, yes, no, (begin, test.span[1])),)
        return no[0]

    def loop(self, in_function: bool) -> n.Node:
        """loop = 'loop' VAR 'over' expr block"""
        start = self.take()
        if self.now.kind != "variable":
            self.fail("a loop needs a variable", "write for example loop N over {1..6} { .. }")
        if self.after.text != "over" and self.mistakes.touches(self.place):
            self.mistakes.variable(self.place)
        name = self.take().text
        self.expect("over", "a loop goes over something", f"write loop {name} over {{1..6}}")
        over = self.expr("the loop goes over nothing", "write for example over {1..6}")
        body = self.block(in_function, "loop", "put what is repeated in braces: { .. }")
        return n.Loop(name, over, body, (start.start, over.span[1]))

    def block(self, in_function: bool, of: str, hint: str) -> tuple[n.Node, ...]:
        """block = '{' { statement } [ 'result' ':' expr ] '}', the result in functions only"""
        if not self.at("{"):
            self._no_block(of, hint)
        self.take()
        self._deeper()
        found: list[n.Node] = []
        while not self.at("}"):
            if in_function and self.at("result"):
                found.append(self.result())
                if not self.at("}"):
                    self.fail("nothing may follow result: in its block", "end the block with }")
                break
            found.append(self.statement(in_function))
        self.deep -= 1
        self.take()
        return tuple(found)

    def _no_block(self, of: str, hint: str) -> NoReturn:
        """What stands where a block should be opened."""
        if self.now.kind == "word" and self.now.text not in KEYWORDS:
            self.mistakes.statement(self.place)
        self.fail(
            f"the block of {of} is missing", hint,
            self.now if self.now.kind != "end" else self._next(-1),
        )  # fmt: skip

    def result(self) -> n.Node:
        """'result' ':' expr"""
        token = self.take()
        self.expect(":", "a colon follows result", "write result: and a value")
        value = self.expr("result: has no value")
        return n.Result(value, (token.start, value.span[1]))

    def function(self, _: bool) -> n.Node:
        """function = 'function' ':' { word | VAR [ ':' type ] } block"""
        start = self.take()
        sample = "write function: name of N:n { .. }"
        self.expect(":", "a colon follows the word function", sample)
        shape: list[str] = []
        params: list[tuple[str, str]] = []
        while not self.at("{"):
            token = self.take()
            if token.kind == "variable":
                if self.now.kind == "number":
                    self.fail("parameters are capital letters only", sample, token)
                shape.append("?")
                params.append((token.text, self._type()))
            elif token.kind == "word":
                if self.at(":") and token.text in KEYWORDS:
                    self.fail("the body of the function is not in braces", sample, token)
                if self.at(":"):
                    self.fail("parameters are written in capitals", f"write {token.text.upper()}:n",
                              token)  # fmt: skip
                shape.append(token.text)
            elif token.kind == "end":
                self.fail("the function has no body", sample, start)
            else:
                self.fail("the name of a function has words and parameters only", sample, token)
        body = self.block(True, "the function", sample)
        return n.Function(" ".join(shape), tuple(params), body, (start.start, self._next(-1).end))

    def _type(self) -> str:
        if not self.at(":"):
            return "?"
        self.take()
        kind = self.take()
        if kind.text not in ("n", "s", "d", "?"):
            self.fail("a parameter is a number, a sequence or a die", "write :n, :s or :d", kind)
        return kind.text

    def output(self, _: bool) -> n.Node:
        """output = 'output' expr [ 'named' STRING ]"""
        start = self.take()
        if self.at(":"):
            self.fail("no colon follows output", "write output 3d6")
        value = self.expr("output shows nothing", "write a value: output 3d6")
        name = None
        if self.at("named"):
            self.take()
            if self.now.kind != "text":
                self.fail("a name stands in quotes", 'write named "my dice"',
                          self.now if self.now.kind != "end" else self._next(-1))  # fmt: skip
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
            token = self.take()
            return n.Set(name, token.text, (start.start, token.end))
        if self.now.text in ("lowest", "highest"):
            self.fail(
                "this value stands in quotes", f'write set "{name}" to "{self.now.text} first"'
            )
        value = self.expr("the setting has no value", f'write set "{name}" to 3')
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
            right = self.expr(
                f"nothing stands behind {op.text}", "write a value, such as 3d6", level + 1
            )
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
        """value = INT | VAR | '(' expr ')' | sequence | call | 'legacy' STRING"""
        token = self.now
        if token.kind == "number":
            self.take()
            return n.Number(int(token.text), (token.start, token.end))
        if token.kind == "variable":
            self.take()
            return n.Variable(token.text, (token.start, token.end))
        self._deeper()
        found = self._bracket(token, message, hint)
        self.deep -= 1
        return found

    def _bracket(self, token: Token, message: str, hint: str) -> n.Node:
        if self.at("("):
            self.take()
            inner = self.expr("these brackets are empty", "write a value between them")
            if not self.at(")"):
                self._in_brackets("( )")
            self.take()
            return inner.but(span=(token.start, self._next(-1).end))
        if self.at("{"):
            return self.sequence()
        if self.at("["):
            return self.call()
        if self.at("legacy") and self.after.kind == "text":
            found = legacy(self.after.text, (token.start, self.after.end))
            if found is not None:
                self.place += 2
                return found
        self.mistakes.value(self.place, message, hint)

    def _in_brackets(self, kind: str) -> NoReturn:
        """What stands behind a value inside brackets, where it cannot."""
        if self.at(","):
            self.fail("commas stand in sequences only: { }", "write {1, 2, 3}")
        if self.at(":"):
            self.fail(
                "a colon repeats parts of sequences only: { }",
                "statements do not stand inside brackets",
            )
        if self.now.kind == "word" and self.now.text not in KEYWORDS:
            self.mistakes.value(self.place, f"{self.now.text} cannot stand in {kind}",
                                f"close {kind} before it")  # fmt: skip
        self.fail(f"{self.now.text or 'the end'} does not fit inside {kind}",
                  "close the brackets, or write an operator before it")  # fmt: skip

    def sequence(self) -> n.Node:
        """sequence = '{' [ part { ',' part } ] '}'"""
        start = self.take()
        parts: list[n.Part] = []
        if self.now.kind == "word" and self.now.text in KEYWORDS:
            self.fail("a value is missing before this block", "write one before the {", start)
        while not self.at("}"):
            parts.append(self.part())
            if self.at(","):
                comma = self.take()
                if self.at("}"):
                    self.fail("the last comma has no part behind it", "leave it out", comma)
            elif not self.at("}"):
                if self.now.kind == "word":
                    self.mistakes.modifier(self.place)
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
        return n.Part(low, high, times, (low.span[0], self._next(-1).end))

    def call(self) -> n.Node:
        """call = '[' { word | expr } ']'"""
        start = self.take()
        shape: list[str] = []
        args: list[n.Node] = []
        while not self.at("]"):
            if self.now.kind == "word" and self.now.text != "d":
                shape.append(self.take().text)
            elif self.at(","):
                self.fail(
                    "arguments have no commas between them",
                    "leave the comma out"
                    if shape.count("?") < len(shape)
                    else "write a sequence in braces: {1, 2, 3}",
                )
            elif self.at(":"):
                self.fail("a call has no colons", "write only the value: [name of 3]")
            else:
                shape.append("?")
                args.append(self.expr("an argument is missing"))
        end = self.take()
        return n.Call(" ".join(shape), tuple(args), (start.start, end.end))


def _shows(node: n.Node) -> bool:
    if isinstance(node, n.Output):
        return True
    if isinstance(node, n.Loop):
        return any(map(_shows, node.body))
    if not isinstance(node, n.If):
        return False
    while len(node.no) == 1 and isinstance(node.no[0], n.If):
        if any(map(_shows, node.yes)):
            return True
        node = node.no[0]
    return any(map(_shows, (*node.yes, *node.no)))
