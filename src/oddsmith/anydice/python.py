"""AnyDice programs in Python, as they stand: loops, conditions and functions included.

Kinds of values are worked out first, until they no longer change; then the program is written once.
The program is run as well, because what AnyDice cuts off or leaves empty cannot be said in Python.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from oddsmith.anydice import nodes as n
from oddsmith.anydice.calls import DEPTH, EXPLODE
from oddsmith.anydice.operators import COMPARE
from oddsmith.anydice.parser import parse
from oddsmith.anydice.purity import statements, walk
from oddsmith.anydice.python_code import (
    DIE,
    HELPERS,
    IMPORTS,
    NOTHING,
    NUMBER,
    POOL,
    RESERVED,
    SEQUENCE,
    TOTAL,
    UNKNOWN,
    Code,
    joined,
    plain,
    total,
    tupled,
)  # fmt: skip
from oddsmith.anydice.python_values import Values
from oddsmith.anydice.runtime import BUDGET, NAME, ORDER, Machine
from oddsmith.anydice.translate import Untold, translate, written
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from oddsmith.anydice.values import Value

MOST_PASSES = 12
TYPES = {"n": NUMBER, "s": SEQUENCE}


def told(program: str, budget: int = BUDGET) -> str:
    """A program in the dice notation where all of its outputs can be said there, else in Python.

    Where neither is possible, the outputs that can be said are written, and why the others cannot.

    Args:
        program: Its text.
        budget: The work that running it may cost.

    >>> print(told("output [highest 3 of 4d6]"))
    4d6kh3
    """
    lines = translate(program, budget)
    if all(line.text for line in lines):
        return written(lines)
    try:
        return script(program, budget)
    except Untold as reason:
        return f"{written(lines)}\n# nor is it written in Python: {reason.why}"


def script(program: str, budget: int = BUDGET) -> str:
    """A program in Python, which ends with the list ``outputs`` of names and distributions.

    Args:
        program: Its text.
        budget: The work that running it may cost.

    Raises:
        Untold: Where that cannot be done.
        NotationError: Where the program makes no sense.

    >>> print(script("function: once N:n { if N = 1 { result: d6 } result: N } output [once d6]"))
    from oddsmith import d6, rule
    <BLANKLINE>
    outputs = []
    <BLANKLINE>
    <BLANKLINE>
    @rule
    def once(n):
        if n == 1:
            return d6
        return n
    <BLANKLINE>
    <BLANKLINE>
    outputs.append(("output 1", once(d6)))
    <BLANKLINE>
    for name, dist in outputs:
        print(name, dist)
    """
    nodes = parse(program)
    machine = Watched(program, budget)
    machine.run()
    if any("function depth" in warning for warning in machine.warnings):
        raise Untold("functions call themselves deeper than AnyDice goes", None)
    for shown in machine.outputs:
        if shown.law is None:
            raise Untold(f"{shown.label} has no outcomes", None)
        if shown.missing:
            raise Untold(f"{shown.label} is only enclosed", None)
    return Script(nodes, machine).text()


class Watched(Machine):
    """Runs a program and remembers which statement showed what."""

    def __init__(self, source: str, budget: int) -> None:
        super().__init__(source, budget)
        self.labels: dict[n.Span, list[str]] = {}

    def output(self, node: n.Output, value: Value, env: dict[str, Value]) -> None:
        """Show a value."""
        super().output(node, value, env)
        self.labels.setdefault(node.span, []).append(self.outputs[-1].label)


class Used(Record):
    """How a function of the program is called, and what it hands back.

    Attributes:
        params: The kinds of its parameters.
        expanded: Whether some call tries every case.
        straight: Whether some call does not.
        wrapped: Whether some call needs a function around it.
        results: The kinds of its results.
        ends: Whether it may come to no result.
    """

    params: tuple[str, ...]
    expanded: bool = False
    straight: bool = False
    wrapped: bool = False
    results: frozenset[str] = frozenset()
    ends: bool = False


class Script(Values):
    """Writes a program that has run.

    Args:
        nodes: The program.
        machine: Where it has run.
    """

    def __init__(self, nodes: Sequence[Any], machine: Watched) -> None:
        super().__init__()
        self.nodes, self.machine = nodes, machine
        self.functions = {node.shape: node for node in nodes if isinstance(node, n.Function)}
        self.kinds: dict[tuple[str, str], Code] = {}
        self.uses: dict[str, Used] = {}
        self.inside: n.Function | None = None
        self.sure: set[str] = set()
        self._check_functions()
        self._settings()
        self.names = self._names()

    # what cannot be said at all

    def _check_functions(self) -> None:
        shapes = [node.shape for node in self._every() if isinstance(node, n.Function)]
        for shape in shapes:
            if shapes.count(shape) > 1 or shape not in self.functions:
                raise Untold(f"[{shape}] is defined several times or inside a block", None)
        for node in self.functions.values():
            if self.machine.purity.free(self.machine.functions[node.shape].node) is None:
                raise Untold(f"the cases of [{node.shape}] hand something on to the next", node)
        for caller in self.functions.values():
            bound = self._bound(caller)
            for shape in self._reached(caller, set()):
                called = self.functions[shape]
                if called is not caller and bound & self._reads(called):
                    raise Untold(f"[{shape}] reads a variable of its caller", called)

    def _every(self) -> Iterator[Any]:
        for node in self.nodes:
            yield from walk(node)

    def _bound(self, node: n.Function) -> set[str]:
        """Parameters and variables that a function sets."""
        return {name for name, _ in node.params} | {one.name for one in statements(node.body)}

    def _reads(self, node: n.Function) -> set[str]:
        """Variables of its surroundings that a function reads."""
        every = {part.name for part in walk(node) if isinstance(part, n.Variable)}
        return every - self._bound(node)

    def _reached(self, node: n.Function, seen: set[str]) -> set[str]:
        """The functions that a function may call, directly or not."""
        for part in walk(node):
            known = isinstance(part, n.Call) and part.shape in self.functions
            if known and part.shape not in seen:
                seen.add(part.shape)
                self._reached(self.functions[part.shape], seen)
        return seen

    def _settings(self) -> None:
        """Settings count where they are all set before anything else."""
        begun = False
        for node in self.nodes:
            if isinstance(node, n.Set):
                if begun and node.setting != DEPTH:
                    raise Untold(f'"{node.setting}" is set in the middle of the program', node)
            elif not isinstance(node, n.Function):
                begun = True
        inner = [node for node in self._every() if isinstance(node, n.Set)]
        if len(inner) > sum(isinstance(node, n.Set) for node in self.nodes):
            raise Untold("a setting is set inside a block", inner[0])
        self.depth = self.machine.settings[EXPLODE]
        self.lowest_first = self.machine.lowest_first
        if sum(node.setting == ORDER for node in inner) > 1:
            raise Untold(f'"{ORDER}" is set several times', inner[-1])

    # names

    def _names(self) -> dict[str, str]:
        """Python names of functions, by their shapes, and of variables."""
        taken, names = set(RESERVED), dict[str, str]()
        for shape in self.functions:
            words = "_".join(word for word in shape.split() if word != "?") or "call"
            names[shape] = _free(words, taken)
        for node in self._every():
            every = [getattr(node, "name", None)] if isinstance(node, _NAMED) else []
            if isinstance(node, n.Function):
                every = [name for name, _ in node.params]
            for name in every:
                if name is not None and name not in names:
                    names[name] = _free(name.lower(), taken)
        return names

    # the whole

    def text(self) -> str:
        """The program in Python.

        Raises:
            Untold: Where it cannot be said.
        """
        for _ in range(MOST_PASSES):
            before = dict(self.kinds), dict(self.uses)
            self.used = set()
            body = self._program()
            if before == (self.kinds, self.uses):
                return self._page(body)
        raise Untold("the kinds of its values cannot be told", None)

    def _program(self) -> list[str]:
        lines: list[str] = []
        for node in self.nodes:
            if isinstance(node, n.Function):
                if node.shape in self.uses:
                    lines += ["", "", *self._function(node), "", ""]
            else:
                lines += self.statement(node)
        return lines

    def _page(self, body: list[str]) -> str:
        helpers = [name for name in HELPERS if name in self.used]
        defined = "".join(HELPERS[name] for name in helpers)
        wanted = self.used | {name for name in IMPORTS if re.search(rf"\b{name}\b", defined)}
        head = []
        if "trunc" in self.used:
            head += ["from math import trunc", ""]
        imports = [name for name in IMPORTS if name in wanted]
        if imports:
            head.append(f"from oddsmith import {', '.join(imports)}")
        for name in helpers:
            head += ["", *HELPERS[name].rstrip("\n").split("\n")]
        head += ["", "", "outputs = []"] if helpers else ["", "outputs = []"]
        return _spaced([*head, *body, "", "for name, dist in outputs:", "    print(name, dist)"])

    # statements

    def block(self, nodes: Sequence[Any]) -> list[str]:
        """Statements, one step further in."""
        lines = [line for node in nodes for line in self.statement(node)] or ["pass"]
        return [f"    {line}" for line in lines]

    def statement(self, node: Any) -> list[str]:
        """A statement as lines."""
        if isinstance(node, n.Assign):
            return self._assign(node)
        if isinstance(node, n.If):
            return self._condition(node, "if")
        if isinstance(node, n.Loop):
            return self._loop(node)
        if isinstance(node, n.Output):
            return self._output(node)
        if isinstance(node, n.Result):
            return self._result(node)
        return []

    def _assign(self, node: n.Assign) -> list[str]:
        value = self.value(node.value)
        kind = self._learn(node.name, value, node)
        if kind == TOTAL:
            value = total(value)
        return [f"{self.names[node.name]} = {tupled(plain(value)).text}"]

    def _learn(self, name: str, value: Code, node: Any) -> str:
        """What a variable may be, this value among it."""
        key = self.inside.shape if self.inside else "", name
        before = self.kinds.get(key, Code(name, UNKNOWN))
        kind = joined(before.kind, value.kind)
        if kind is None:
            raise Untold(f"{name} is a sequence at times and a number or dice at others", node)
        size = value.size if before.size == value.size or not before.kind else None
        filled = value.is_filled and (before.is_filled or not before.kind)
        low = value.low if not before.kind else None
        if value.low is not None and before.low is not None:
            low = min(value.low, before.low)
        if not value.kind:
            size, filled, low = before.size, before.is_filled, before.low
        self.kinds[key] = Code(name, kind, size=size, is_filled=filled, low=low)
        return kind

    def _test(self, node: Any) -> str:
        test = self.value(node)
        if test.kind in (DIE, POOL, TOTAL, SEQUENCE):
            raise Untold("a condition is not known to be a number", node)
        return test.text

    def _condition(self, node: n.If, word: str) -> list[str]:
        lines = [f"{word} {self._test(node.test)}:", *self.block(node.yes)]
        if len(node.no) == 1 and isinstance(node.no[0], n.If):
            return [*lines, *self._condition(node.no[0], "elif")]
        return [*lines, "else:", *self.block(node.no)] if node.no else lines

    def _loop(self, node: n.Loop) -> list[str]:
        over = self.value(node.over)
        if over.kind not in (SEQUENCE, UNKNOWN):
            raise Untold("a loop is not known to go over a sequence", node)
        self._learn(node.name, Code("", NUMBER if over.kind else UNKNOWN, low=over.low), node)
        return [f"for {self.names[node.name]} in {over.text}:", *self.block(node.body)]

    def _output(self, node: n.Output) -> list[str]:
        value = self.value(node.value)
        shown = self._labels_of(node)
        if value.kind in (NUMBER, SEQUENCE):
            inner = f"[{plain(value).text}]" if value.kind == NUMBER else value.text
            text = f"{self.use('Dist')}({inner})"
        elif value.kind == TOTAL:
            text = f"{self.use('mix')}([({total(value).text}, 1)])"
        else:
            text = total(value).text
        return [f"outputs.append(({shown}, {text}))"]

    def _labels_of(self, node: n.Output) -> str:
        """The name of an output as a Python text."""
        labels = self.machine.labels.get(node.span, [])
        if len(set(labels)) <= 1:
            return _quoted(labels[0] if labels else "")
        if node.name is None:
            return 'f"output {len(outputs) + 1}"'
        parts = []
        for place, part in enumerate(NAME.split(node.name)):
            if place % 2:
                known = self.variable(n.Variable(part, node.span))
                if known.kind == SEQUENCE:
                    parts.append("{{?}}")
                    continue
                if known.kind not in (NUMBER, UNKNOWN):
                    raise Untold(f"{part} in a name is not a number", node)
                parts.append(f"{{{plain(known).text}}}")
            else:
                parts.append(part.replace("{", "{{").replace("}", "}}"))
        return f"f{_quoted(''.join(parts))}"

    # variables

    def variable(self, node: n.Variable) -> Code:
        """A variable, of its function or of the program."""
        name = self.names.get(node.name, node.name.lower())
        if self.inside is not None and node.name in self._bound(self.inside):
            known = self.kinds.get((self.inside.shape, node.name))
        else:
            known = self.kinds.get(("", node.name))
        return known.but(text=name) if known is not None else Code(name, UNKNOWN)

    # functions

    def _result(self, node: n.Result) -> list[str]:
        assert self.inside is not None
        shape = self.inside.shape
        use = self.uses[shape]
        if _is_empty(node.value):
            self.uses[shape] = use.but(ends=True)
            return [f'return "{NOTHING}"']
        value = self.value(node.value)
        if value.kind:
            self.uses[shape] = use.but(results=use.results | {value.kind})
        if use.expanded:
            value = total(value)
        return [f"return {tupled(plain(value)).text}"]

    def _function(self, node: n.Function) -> list[str]:
        """A definition."""
        use = self.uses[node.shape]
        names = [name for name, _ in node.params]
        if len(set(names)) < len(names):
            raise Untold(f"two parameters of [{node.shape}] have one name", node)
        if use.expanded and use.straight and use.results & {SEQUENCE, POOL}:
            raise Untold(f"[{node.shape}] hands back a sequence or dice of which each counts", node)
        if use.straight:
            self._result_kind(node, use)
        for name, kind in zip(names, use.params, strict=True):
            old = self.kinds.get((node.shape, name), Code(name, UNKNOWN))
            filled = kind == SEQUENCE and not use.straight and (old.is_filled or not old.kind)
            merged = joined(old.kind, kind)
            if merged is None or (merged == TOTAL and kind != TOTAL):
                raise Untold(f"{name} of [{node.shape}] is assigned anew", node)
            size = old.size if merged == POOL else None
            self.kinds[node.shape, name] = Code(name, merged, size=size, is_filled=filled)
        self.inside = node
        head = f"def {self.names[node.shape]}({', '.join(self.names[name] for name in names)}):"
        body = self.block(node.body)
        if not _returns(node.body):
            self.uses[node.shape] = self.uses[node.shape].but(ends=True)
            body.append(f'    return "{NOTHING}"')
        self.inside = None
        plainly = use.expanded and not use.straight and not use.wrapped
        return [*([f"@{self.use('rule')}"] if plainly else []), head, *body]

    def _result_kind(self, node: n.Function, use: Used) -> str:
        """What a function hands back where it is called with numbers and sequences only."""
        if use.ends:
            raise Untold(f"[{node.shape}] may come to no result", node)
        if len(use.results) > 1:
            if use.results & {SEQUENCE, POOL}:
                raise Untold(f"what [{node.shape}] hands back is of several kinds", node)
            return TOTAL
        return next(iter(use.results), UNKNOWN)

    def own_call(self, node: n.Call) -> Code | None:
        """A call of a function of the program."""
        function = self.functions.get(node.shape)
        if function is None:
            return None
        args = [self.value(arg) for arg in node.args]
        types = [kind for _, kind in function.params]
        if any(not arg.kind for arg in args):
            return Code("None", UNKNOWN)
        known = self.uses.get(node.shape, Used((UNKNOWN,) * len(types))).params
        given = [
            self._given(node, kind, arg, old)
            for kind, arg, old in zip(types, args, known, strict=True)
        ]
        rolls = [_expands(kind, arg) for kind, arg in zip(types, args, strict=True)]
        whole = [
            arg.kind in (DIE, POOL) and not roll for arg, roll in zip(given, rolls, strict=True)
        ]
        turned = [
            kind == "s" and roll and not self.lowest_first and _is_ordered(function, name)
            for (name, kind), roll in zip(function.params, rolls, strict=True)
        ]
        expanded = any(rolls)
        wrapped = expanded and (any(whole) or any(turned))
        use = self._note(node, function, given, expanded, wrapped)
        name = self.names[node.shape]
        texts = [plain(tupled(arg)).text for arg in given]
        if not expanded:
            if not use.results:
                return Code("None", UNKNOWN)
            kind = self._result_kind(function, use)
            return Code(f"{name}({', '.join(texts)})", kind)
        surely = any(roll and arg.kind != TOTAL for arg, roll in zip(args, rolls, strict=True))
        if not surely and use.results & {SEQUENCE, POOL}:
            raise Untold(f"[{node.shape}] is called with a number or dice", node)
        call = self._ruled(name, use, texts, rolls, turned, wrapped)
        if use.ends:
            call = f"{self.use('known')}({call})"
        return Code(call, DIE if surely else TOTAL)

    def _ruled(
        self, name: str, use: Used, texts: list[str], rolls: list[bool], turned: list[bool],
        wrapped: bool,
    ) -> str:  # fmt: skip
        """A call that tries every case."""
        if not wrapped:
            inner = name if not (use.straight or use.wrapped) else f"{self.use('rule')}({name})"
            return f"{inner}({', '.join(texts)})"
        heads, inside, outside = list[str](), list[str](), list[str]()
        for text, roll, turn in zip(texts, rolls, turned, strict=True):
            if roll:
                face = f"faces_{len(heads) + 1}" if heads else "faces"
                heads.append(face)
                inside.append(f"{face}[::-1]" if turn else face)
                outside.append(text)
            else:
                inside.append(text)
        body = f"{name}({', '.join(inside)})"
        return f"{self.use('rule')}(lambda {', '.join(heads)}: {body})({', '.join(outside)})"

    def _note(
        self, node: n.Call, function: n.Function, given: list[Code], expanded: bool, wrapped: bool
    ) -> Used:
        """Remember how a function is called."""
        types = [kind for _, kind in function.params]
        kinds = [TYPES.get(kind, arg.kind) for kind, arg in zip(types, given, strict=True)]
        use = self.uses.get(node.shape, Used((UNKNOWN,) * len(kinds)))
        merged = []
        for old, new in zip(use.params, kinds, strict=True):
            if old and old != new and {old, new} != {DIE, POOL}:
                raise Untold(f"[{node.shape}] is called with values of several kinds", node)
            merged.append(POOL if POOL in (old, new) else new)
        self.uses[node.shape] = use = use.but(
            params=tuple(merged), expanded=use.expanded or expanded,
            straight=use.straight or not expanded, wrapped=use.wrapped or wrapped,
        )  # fmt: skip
        return use

    def _given(self, node: n.Call, kind: str, arg: Code, known: str) -> Code:
        """An argument as a parameter takes it, which may be known to be a pool."""
        if kind == "n":
            return total(arg)
        if arg.kind == TOTAL:
            raise Untold(f"[{node.shape}] is called with a number or dice", node)
        if kind == "s":
            if arg.kind == NUMBER:
                return Code(f"({plain(arg).text},)", SEQUENCE, is_filled=True)
            return arg if arg.kind == SEQUENCE else self.pooled(arg)
        if kind == "d":
            found = arg if arg.kind in (DIE, POOL) else total(arg)
            arg = found if found.kind != NUMBER else self.certain(found)
        return self.pooled(arg) if arg.kind == DIE and known == POOL else arg


_NAMED = (n.Variable, n.Assign, n.Loop)
ORDERLESS = {
    "count ? in ?", "? contains ?", "sort ?", "absolute ?", "highest of ? and ?",
    "lowest of ? and ?", "maximum of ?",
}  # fmt: skip
"""Built-in functions to which the order of a sequence is all one."""


def _free(name: str, taken: set[str]) -> str:
    """A name that is not taken yet."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _quoted(text: str) -> str:
    """A text in double quotes."""
    return '"' + text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r") + '"'


def _expands(kind: str, arg: Code) -> bool:
    """Whether a parameter of this type makes cases of its argument."""
    if arg.kind in (DIE, POOL, TOTAL):
        return kind in ("n", "s")
    return kind == "n" and arg.kind == SEQUENCE


def _is_empty(node: Any) -> bool:
    """Whether this is ``d{}``."""
    return isinstance(node, n.Unary) and node.op == "d" and _is_blank(node.body)


def _is_blank(node: Any) -> bool:
    return isinstance(node, n.Sequence) and not node.parts


def _returns(nodes: Sequence[Any]) -> bool:
    """Whether a block surely comes to a result."""
    for node in nodes:
        if isinstance(node, n.Result):
            return True
        if isinstance(node, n.If) and node.no and _returns(node.yes) and _returns(node.no):
            return True
    return False


def _is_ordered(function: n.Function, name: str) -> bool:
    """Whether it may matter in which order a parameter has its elements."""
    numbers = {one for one, kind in function.params if kind == "n"}
    return any(_looks(node, name, numbers, False) for node in function.body)


def _looks(node: Any, name: str, numbers: set[str], free: bool) -> bool:
    """Whether a part looks at the order of the elements of a variable.

    Args:
        node: The part.
        name: The variable.
        numbers: Variables that are numbers.
        free: Whether the part stands where only what it adds up to or holds counts.
    """

    def look(part: Any, free: bool) -> bool:
        return part is not None and _looks(part, name, numbers, free)

    if isinstance(node, n.Variable):
        return node.name == name and not free
    if isinstance(node, n.Unary):
        return look(node.body, free if node.op == "+" else True)
    if isinstance(node, n.Binary):
        sides = (node.left, node.right)
        if node.op == "@":
            return look(node.left, True) or look(node.right, False)
        if node.op in COMPARE and not any(_is_number(side, numbers) for side in sides):
            return any(look(side, False) for side in sides)
        return any(look(side, True) for side in sides)
    if isinstance(node, n.Call):
        return any(look(arg, node.shape in ORDERLESS) for arg in node.args)
    if isinstance(node, n.Sequence):
        return any(
            look(part.low, free) or look(part.high, True) or look(part.times, True)
            for part in node.parts
        )
    if isinstance(node, (n.Assign, n.Result)):
        return look(node.value, isinstance(node, n.Result))
    if isinstance(node, n.If):
        return look(node.test, False) or any(look(one, False) for one in (*node.yes, *node.no))
    if isinstance(node, n.Loop):
        return look(node.over, False) or any(look(one, False) for one in node.body)
    return False


def _is_number(node: Any, numbers: set[str]) -> bool:
    if isinstance(node, n.Variable):
        return node.name in numbers
    return isinstance(node, n.Number)


def _spaced(lines: Sequence[str]) -> str:
    """Lines with two blank ones around functions, and never more."""
    text = "\n".join(lines)
    text = re.sub(r"\n{4,}", "\n\n\n", text)
    return text.strip("\n")
