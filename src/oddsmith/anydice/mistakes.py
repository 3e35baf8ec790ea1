"""What people write that is no program, and what to write instead.

One saved program in nine does not parse. Most of these have one of a few mistakes, which are named
here; the parser asks where it is at a loss.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, NoReturn

from oddsmith.errors import NotationError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from oddsmith.anydice.tokens import Token

STATEMENTS = ("output", "loop", "function", "if", "set")
KEYWORDS = (*STATEMENTS, "else", "result", "named", "over", "to")
BUILT_IN = {
    "highest": "highest 3 of 4d6", "lowest": "lowest 1 of 2d20", "middle": "middle 2 of 4d6",
    "explode": "explode d6", "count": "count 6 in ROLL", "absolute": "absolute X",
    "reverse": "reverse ROLL", "sort": "sort ROLL", "maximum": "maximum of 3d6",
}  # fmt: skip
"""First words of the functions that every program has, with a call of each."""

OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = {close: opening for opening, close in OPENING.items()}
OTHERS = {
    "print": "write output: output 3d6", "show": "write output: output 3d6",
    "roll": "write output: output 3d6", "return": "write result: and a value",
    "let": "a variable is set with a colon: X: 3d6",
    "while": "write a loop over so many turns: loop N over {1..20} { .. }",
    "for": "write a loop: loop N over {1..6} { .. }",
    "elseif": "write else if", "elif": "write else if", "elsif": "write else if",
    "then": "the block stands in braces: if X > 3 { .. }",
    "def": "write function: name of N:n { .. }", "func": "write function: name of N:n { .. }",
    "case": "write if X = 1 { .. } else if X = 2 { .. }",
    "import": "a program is one text",
}  # fmt: skip
"""Words of other languages at the begin of a statement."""

INSIDE = {
    "and": "write &", "or": "write |", "not": "write !", "mod": "write A - B * (A / B)",
    "plus": "write +", "minus": "write -", "times": "write *", "is": "write =",
    "as": "write named", "name": "write named", "label": "write named", "called": "write named",
    "x": "write *", "vs": "who wins is a comparison: write >",
    "in": "write [count {1, 2} in ROLL], where ROLL is dice or a sequence",
    "drop": "keep the others: [highest 3 of 4d6]", "keep": "write [highest 3 of 4d6]",
    "adv": "write [highest 1 of 2d20]", "dis": "write [lowest 1 of 2d20]",
    "advantage": "write [highest 1 of 2d20]", "disadvantage": "write [lowest 1 of 2d20]",
}  # fmt: skip
"""Words of other languages within values."""

CALLED = {
    "max": "write [highest of A and B]", "min": "write [lowest of A and B]",
    "sum": "dice are added up by themselves: 3d6", "abs": "write [absolute X]",
    "mean": "the mean stands above every output: output 3d6",
    "average": "the mean stands above every output: output 3d6",
    "best": "write [highest 3 of 4d6]", "worst": "write [lowest 1 of 2d20]",
}  # fmt: skip
"""Functions of other languages."""

TWICE = {"=": "equal is written with one =", "&": "and is written with one &",
         "|": "or is written with one |", "*": "a power is written ^"}  # fmt: skip
KEEP = re.compile(r"([0-9]*)d([0-9]+)(kh|kl|k|dl|dh|adv|dis)([0-9]*)")
LOOSE = re.compile(r"([0-9]*)d([0-9]+) *(kh|kl|k|dl|dh|adv|dis|h|l|m) *([0-9]*)")
NAMES = {"kh": "highest", "k": "highest", "kl": "lowest", "adv": "highest", "dis": "lowest",
         "dl": "highest", "dh": "lowest", "h": "highest", "l": "lowest", "m": "middle"}  # fmt: skip
DICE = re.compile(r"([0-9]*)d([0-9]+)\s*$")
AGAIN = ("r", "ro", "rr", "rd")


class Mistakes:
    """Finds out what was meant.

    Args:
        source: The program.
        tokens: Its tokens.
    """

    def __init__(self, source: str, tokens: Sequence[Token]) -> None:
        self.source, self.tokens = source, tokens

    def fail(self, message: str, hint: str, token: Token, last: Token | None = None) -> NoReturn:
        """An error from one token to another."""
        end = max((last or token).end, token.start + 1)
        raise NotationError(message, self.source, (token.start, end), hint)

    def at(self, place: int) -> Token:
        """A token, or the end."""
        return self.tokens[min(max(place, 0), len(self.tokens) - 1)]

    def touches(self, place: int) -> bool:
        """Whether a token and the next have nothing between them."""
        return self.at(place).end == self.at(place + 1).start and place + 1 < len(self.tokens)

    # brackets

    def brackets(self) -> None:
        """Refuse brackets without a partner.

        A block that is still open where an output begins inside a function is the likeliest one to
        lack its end.
        """
        still_open: list[Token] = []
        functions: list[Token] = []
        suspect, is_head = None, False
        for place, token in enumerate(self.tokens):
            if token.kind == "word":
                is_head = is_head or (token.text == "function" and self.at(place + 1).text == ":")
                begins = (
                    token.text in ("output", "function") and token.text != self.at(place - 1).text
                )
                in_block = begins and suspect is None and still_open and still_open[-1].text == "{"
                if in_block and any(one in functions for one in still_open):
                    suspect = still_open[-1]
            elif token.kind == "sign" and token.text in OPENING:
                still_open.append(token)
                if is_head and token.text == "{":
                    functions.append(token)
                    is_head = False
            elif token.kind == "sign" and token.text in CLOSING:
                self._closed(token, still_open)
        if still_open:
            inner = [one for one in still_open if one.text != "{"]
            self._open(suspect or (inner or still_open)[-1])

    def _closed(self, token: Token, still_open: list[Token]) -> None:
        wanted = CLOSING[token.text]
        if still_open and still_open[-1].text == wanted:
            still_open.pop()
        elif any(one.text == wanted for one in still_open):
            self._open(still_open[-1], f": {token.text} comes before that")
        elif still_open and still_open[-1].text != "{":
            before = still_open[-1].text
            self.fail(
                f"this {token.text} does not close the {before} before it",
                f"write {OPENING[before]}",
                token,
            )
        else:
            self.fail(
                f"this {token.text} closes nothing",
                f"leave it out, or write {wanted} before it", token,
            )  # fmt: skip

    def _open(self, token: Token, why: str = "") -> NoReturn:
        close = OPENING[token.text]
        self.fail(f"this {token.text} is never closed{why}", f"close it with {close}", token)

    # statements

    def statement(self, place: int, in_function: bool = False) -> NoReturn:
        """What stands where a statement should begin."""
        token, after = self.at(place), self.at(place + 1)
        self.capital(place)
        if token.kind == "word":
            self._word(place)
        if token.kind == "text":
            self.fail("a name stands by itself", "write named in front of it", token)
        before = self.at(place - 1)
        if place and token.kind == "number" and before.kind == "variable":
            self.variable(place - 1, in_function)
        if token.text == "}":
            self.fail("this } closes nothing", "leave it out, or open a block before it", token)
        if token.text == "/" and after.text == "/":
            self.fail(
                "// begins no comment", "comments stand between backslashes: \\ like this \\",
                token, after,
            )  # fmt: skip
        double = token.text + after.text if after.text in ("-", "*") else token.text
        if (token.text in ("#", "*") and after.kind in ("word", "variable")) or double in (
            "--",
            "/*",
        ):
            self.fail(
                f"{double if double in ('--', '/*') else token.text} begins no comment",
                "comments stand between backslashes: \\ like this \\", token,
            )  # fmt: skip
        if token.text == "!" and place and self.at(place - 1).kind == "number":
            dice = DICE.search(self.source[: token.start])
            self.fail("dice do not explode with !", f"write {exploding(dice)}", token)
        if token.text in ("<", ">", "=") and after.text in ("=", ">", "<"):
            self._doubled(token, after)
        if token.kind == "variable":
            self.variable(place, in_function)
        if token.text == ".." and place:
            self.fail("a range stands by itself", "write it in braces: {1..6}", token)
        if token.text == "?":
            self.fail("? has no meaning here", "a choice is an if inside a function", token)
        if token.text == ",":
            if before.kind == after.kind == "number" and len(after.text) == 3:
                self.fail(f"{before.text},{after.text} is no number",
                          f"write {before.text}{after.text}", before, after)  # fmt: skip
            self.fail("a comma stands by itself", "one output shows one value", token)
        if token.text == ":" and place > 1 and before.kind == "variable":
            name = before.text
            self.fail("output shows a value, it sets none",
                      f"set it first: {name}: 3d6, then output {name}", token)  # fmt: skip
        if token.text == ":":
            self.fail("a colon stands by itself", "write a variable before it: X: 3d6", token)
        if place and (before.kind == "number" or before.text in (")", "]")):
            self.fail(
                "a value stands by itself",
                "write an operator before it, or output for a new line", token,
            )  # fmt: skip
        word = "result:" if in_function else "output"
        self.fail("a value stands by itself", f"write {word} in front of it: {word} 3d6", token)

    def capital(self, place: int) -> None:
        """A keyword with capitals."""
        token, after = self.at(place), self.at(place + 1)
        if token.kind != "variable":
            return
        end = place
        while self.touches(end) and self.at(end + 1).kind in ("word", "variable"):
            end += 1
        whole = "".join(one.text for one in self.tokens[place : end + 1])
        if whole.lower() in KEYWORDS and (end > place or after.text != ":"):
            self.fail(f"{whole} is not understood", f"write it small: {whole.lower()}",
                      token, self.at(end))  # fmt: skip
        if whole.lower() in KEYWORDS and whole.lower() == "function":
            self.fail(f"{whole} is not understood", "write it small: function", token)
        near = get_close_matches(whole.lower(), STATEMENTS, 1, 0.75) if end > place else []
        if near:
            self.fail(f"{whole} is not understood", f"write {near[0]}", token, self.at(end))

    def _word(self, place: int) -> NoReturn:
        token, after = self.at(place), self.at(place + 1)
        text = token.text
        if text == "result":
            self.fail("result stands outside a function", "show a value with output", token)
        if text == "else":
            self.fail("this else belongs to no if", "it follows the } of an if", token)
        if text == "named":
            self.fail(
                "named belongs to no output", 'it follows the value: output 3d6 named "x"', token
            )
        if place:
            self.modifier(place)
        if text in ("let", "var", "int", "const") and after.kind in ("word", "variable"):
            self.fail(
                f"{text} begins no statement", "a variable is set with a colon: X: 3d6", token
            )
        if after.text in (":", "=") and text not in KEYWORDS and text != "d":
            self.fail("variables are written in capitals", f"write {text.upper()}: ..", token)
        if text in OTHERS:
            self.fail(f"{text} begins no statement", OTHERS[text], token)
        if text in INSIDE and place:
            self.fail(f"{text} is no operator", INSIDE[text], token)
        if text in CALLED:
            self.fail(f"there is no {text} here", CALLED[text], token)
        if text in BUILT_IN:
            self._built_in(place)
        if text == "d":
            self.fail("a value stands by itself", "write output in front of it: output d6", token)
        near = get_close_matches(text, (*STATEMENTS, "result"), 1, 0.75)
        if near:
            self.fail(f"{text} begins no statement", f"write {near[0]}", token)
        if re.fullmatch("d[a-z]+", text):
            self.fail(f"{text} is no die", "dice are written d6, d{1, 1, 2}", token)
        self.fail(
            f"{text} begins no statement",
            "write output to show a value; functions are called in [ ]", token,
        )  # fmt: skip

    def variable(self, place: int, in_function: bool = False) -> NoReturn:
        """A variable that begins no statement."""
        token, after = self.at(place), self.at(place + 1)
        name, word = token.text, "result:" if in_function else "output"
        if after.kind == "word" and self.touches(place) and after.text != "d":
            self.fail(
                "variables are written in capitals",
                f"write {(name + after.text).upper()}", token, after,
            )  # fmt: skip
        if after.kind == "number" and self.touches(place):
            if name == "D":
                self.fail("dice are written with a small d", f"write d{after.text}", token, after)
            if set(name) == {"_"} and place and self.at(place - 1).kind == "number":
                self.fail(f"{name} stands in a number", "write the digits alone", token)
            self.fail(
                "names of variables have no digits",
                f"write {name}_{chr(65 + (int(after.text[-4:]) - 1) % 26)}", token, after,
            )  # fmt: skip
        if after.text == "=":
            self.fail("a variable is set with a colon", f"write {name}: ..", token, after)
        if place and self.at(place - 1).kind == "number" and self.touches(place - 1):
            self.fail(
                f"{self.at(place - 1).text}{name} is not understood",
                "write an operator between them: 2*X, or 2dX for dice", token,
            )  # fmt: skip
        if after.kind in ("number", "variable") or after.text in ("d", "[", "{"):
            self.fail("a variable stands by itself", f"set it with a colon: {name}: ..", token)
        self.fail("a variable stands by itself", f"write {word} in front of it: {word} {name}",
                  token)  # fmt: skip

    # values

    def value(self, place: int, message: str, hint: str) -> NoReturn:
        """What stands where a value should be."""
        token, before = self.at(place), self.at(place - 1)
        if token.text in TWICE and before.text == token.text:
            self.fail(f"{token.text * 2} is not understood", TWICE[token.text], before, token)
        if token.text in ("<", ">", "=") and before.text in ("<", ">", "=", "<=", ">="):
            self._doubled(before, token)
        if before.text == "/" and token.text == "/":
            self._slashes(place)
        if token.kind == "text":
            self.fail("a text is no value", "texts stand behind named and in set only", token)
        if token.kind == "word":
            self._value_word(place, message, hint)
        if token.text == "?":
            self.fail("? is no value", "write a variable or a number", token)
        if token.text == "*" and before.text == "*":
            self.fail("** is not understood", "a power is written ^", before, token)
        if token.text == ")" and before.text == "(":
            self.fail("these brackets are empty", "write a value between them", before, token)
        if before.text == "d" and place:
            self.fail("a die has no sides", "write how many: d6", before)
        is_end = token.kind == "end" or (token.text in CLOSING and before.text not in OPENING)
        self.fail(message, hint, before if is_end else token)

    def _value_word(self, place: int, message: str, hint: str) -> NoReturn:
        token, before = self.at(place), self.at(place - 1)
        text = token.text
        if text in BUILT_IN:
            self._built_in(place)
        if text == "legacy":
            self.fail(
                "this legacy notation is not understood",
                'dice, h, l and m, + and - are: legacy "4d6h3"; write the rest anew', token,
            )  # fmt: skip
        if text in KEYWORDS:
            if before.text == "d" and place:
                self.fail("a die has no sides", "write how many: d6", before)
            self.fail(message, hint, before if before.text not in OPENING else token)
        self.modifier(place)
        if text in INSIDE and text != "x":
            self.fail(f"{text} is no operator", INSIDE[text], token)
        if text in CALLED:
            self.fail(f"there is no {text} here", CALLED[text], token)
        if re.fullmatch("d[a-z]+", text):
            self.fail(f"{text} is no die", "dice are written d6, d{1, 1, 2}", token)
        if len(text) <= 2 or self.at(place + 1).kind != "number":
            self.fail(
                f"{text} is no value",
                f"variables are written in capitals: {text.upper()}; functions are called in [ ]",
                token,
            )
        self.fail(f"{text} is no value", "functions are called in brackets: [name of 3d6]", token)

    def _built_in(self, place: int) -> NoReturn:
        token = self.at(place)
        last = self._reach(place)
        call = self.source[token.start : self.at(last).end]
        if last == place or self.at(last).kind == "word":
            call = BUILT_IN[token.text]
        self.fail(
            f"{token.text} is a function", f"put the call in brackets: [{call}]",
            token, self.at(last),
        )  # fmt: skip

    def _reach(self, place: int) -> int:
        """How far a call without brackets goes, on its line."""
        last = place
        while True:
            after = self.at(last + 1)
            same_line = "\n" not in self.source[self.at(last).end : after.start]
            if not same_line or after.text in KEYWORDS:
                return last
            if after.kind == "sign" and after.text in OPENING:
                last = self._partner(last + 1)
            elif after.kind in ("number", "variable", "word"):
                last += 1
            else:
                return last

    def _partner(self, place: int) -> int:
        """Where a bracket is closed."""
        deep = 0
        while True:
            token = self.at(place)
            if token.kind == "sign":
                deep += (token.text in OPENING) - (token.text in CLOSING)
            if not deep:
                return place
            place += 1

    def modifier(self, place: int) -> None:
        """Dice of other notations: 4d6kh3, 4d6 kh 3 and the like."""
        token, after = self.at(place), self.at(place + 1)
        last = after if after.kind == "number" else token
        same_line = "\n" not in self.source[token.start : last.end]
        dice = DICE.search(self.source[: token.start])
        if dice is None or not same_line:
            return
        match = LOOSE.fullmatch(self.source[dice.start() : last.end])
        if match:
            self._kept(match, token, last)
        if not self.touches(place - 1):
            return
        if token.text in AGAIN:
            self.fail(
                f"{token.text} does not roll again",
                "take the faces that stand: d{2..6:6, 1..6:1} re-rolls 1s once", token, last,
            )  # fmt: skip
        if token.text in ("e", "x", "ex"):
            also = f"; for so many times {dice.group().strip()} * {last.text}"
            self.fail(
                "dice explode in a function",
                f"write {exploding(dice)}{also if token.text == 'x' and last is after else ''}",
                token, last,
            )  # fmt: skip

    def _kept(self, match: re.Match[str], token: Token, last: Token) -> NoReturn:
        self.fail(f"{match[3]} is no part of this language", kept(match), token, last)

    def _doubled(self, first: Token, second: Token) -> NoReturn:
        both = first.text + second.text
        meant = {
            "==": "equal is written with one =", "=>": "write >=", "=<": "write <=",
            "<>": "not equal is written !=", "<==": "write <=", ">==": "write >=",
            ">>": "write >", "<<": "write <",
        }  # fmt: skip
        self.fail(f"{both} is not understood", meant.get(both, "write one comparison"),
                  first, second)  # fmt: skip

    def _slashes(self, place: int) -> NoReturn:
        before, token, after = self.at(place - 1), self.at(place), self.at(place + 1)
        if after.kind in ("word", "end") and after.text != "d":
            self.fail(
                "// begins no comment", "comments stand between backslashes: \\ like this \\",
                before, token,
            )  # fmt: skip
        self.fail("// is not understood", "/ cuts off the rest by itself: write one /",
                  before, token)  # fmt: skip

    # variables that are not there

    def variable_hint(
        self, start: int, end: int, name: str, known: Iterable[str] = ()
    ) -> tuple[str, str]:
        """What to say of a variable that was never set.

        Args:
            start: Where it stands.
            end: Where it ends.
            name: Its name.
            known: Variables that are set.
        """
        after = re.match("[a-z]+", self.source[end:])
        if self.source[max(0, start - 1) : start] == "d" and name == "F":
            return "dF is not understood", "Fate dice are d{-1..1}"
        if after and after.group() != "d":
            whole = name + after.group()
            return (
                f"{whole} is not understood",
                f"functions are written small: {whole.lower()}; variables: {whole.upper()}",
            )
        if name == "D" and self.source[end : end + 1].isdigit():
            return "dice are written with a small d", "write d6"
        near = get_close_matches(name, known, 1, 0.6)
        hint = f"did you mean {near[0]}?" if near else f"set it before: {name}: 3d6"
        return f"there is no variable {name}", hint


def exploding(dice: re.Match[str] | None) -> str:
    """Dice of other notations that explode, each for itself.

    >>> exploding(DICE.search("5d10")), exploding(None)
    ('5d[explode d10]', '[explode d6]')
    """
    count, sides = dice.groups() if dice else ("", "6")
    return f"{count}d[explode d{sides}]" if count else f"[explode d{sides}]"


def kept(match: re.Match[str]) -> str:
    """How dice of other notations are kept here.

    >>> kept(KEEP.fullmatch("4d6dl1"))
    'keep dice with [highest 3 of 4d6]'
    """
    count, sides, how, number = match.groups()
    dice, many = int(count or 1), int(number or 1)
    if how in ("dl", "dh"):
        many = max(0, dice - many)
    if how in ("adv", "dis"):
        dice = max(dice, 2)
    return f"keep dice with [{NAMES[how]} {many} of {dice}d{sides}]"
