"""A syntax tree to a sentence: how the text was read, in a gamer's words.

The parts of a sentence follow one another, set off by commas, and each speaks of all that was said
before it. What would not be read so, an operand with modifiers or an ``if``, stands in brackets.
"""

from __future__ import annotations

from oddsmith.notation import nodes as n
from oddsmith.notation.evaluate import is_question
from oddsmith.notation.unparse import unparse

SIDES = {4: "four", 6: "six", 8: "eight", 10: "ten", 12: "twelve", 20: "twenty", 100: "hundred"}
TIMES = {1: "once", 2: "twice", 3: "three times"}
READINGS = {
    "sum": "added up",
    "highest": "read the highest {one}",
    "lowest": "read the lowest {one}",
    "median": "read the middle {one}",
    "count": "count the {many}",
    "product": "multiplied together",
    "sets": "count the different faces that show at least twice",
    "pairs": "count the pairs",
    "highest set": "the size of the largest set of equal faces",
    "longest run": "the length of the longest run of consecutive faces",
    "unique": "count the different faces",
}
COMPARE = {
    ">=": "{} or more", ">": "more than {}", "<=": "{} or less",
    "<": "less than {}", "=": "exactly {}", "<>": "anything but {}",
}  # fmt: skip
BETWEEN = {
    ">=": "is at least", ">": "is more than", "<=": "is at most",
    "<": "is less than", "=": "equals", "<>": "differs from",
}  # fmt: skip
ADVANTAGE = {
    "adv": "rolled twice, keep the higher",
    "dis": "rolled twice, keep the lower",
}
CANCEL = "rolled once, since advantage and disadvantage cancel"
QUESTIONS = (n.Compare, n.In, n.Logic)
SEVERAL = (n.If, n.Local)
Members = tuple[str, str]
DICE, RESULTS = ("die", "dice"), ("result", "results")


def reading(result: n.Node, lets: tuple[n.Let, ...] = ()) -> str:
    """The sentence for one result; names it uses come first.

    >>> from oddsmith.notation.parser import parse
    >>> reading(parse("4d6kh3 >= 15").results[0].body)
    '4 six-sided dice, keep the highest 3, the total is 15 or more'
    """
    used = _used(result, lets)
    whole = _told(n.Local(lets=tuple(let for let in lets if let.name in used), body=result))
    return "; ".join([*map(_bound, whole.lets), sentence(whole.body)])


class _Results(n.Name):
    """A name of separate results, not of dice."""

    name: str  # a record has the parts that it names itself


def _told(node: n.Local) -> n.Local:
    """The tree with every name of separate results marked as one."""
    bound = [part for part in node.walk() if isinstance(part, n.Let)]
    several = {let.name for let in bound if _members(let.value) is RESULTS}
    marked = {
        id(part): _Results(name=part.name)
        for part in node.walk()
        if isinstance(part, n.Name) and part.name.lower() in several
    }
    return n.replaced(node, marked) if marked else node


def _bound(let: n.Let) -> str:
    return f"{let.name} is one roll of {_whole(let.value)}"


def _used(result: n.Node, lets: tuple[n.Let, ...]) -> set[str]:
    values = {let.name: let.value for let in lets}
    found: set[str] = set()
    queue = [result]
    while queue:
        for node in queue.pop().walk():
            name = node.name.lower() if isinstance(node, n.Name) else ""
            if name in values and name not in found:
                found.add(name)
                queue.append(values[name])
    return found


def sentence(node: n.Node) -> str:
    """A question or a number in words."""
    if isinstance(node, n.Compare):
        return _comparison(node)
    if isinstance(node, n.In):
        shown = " or ".join(_item(item) for item in node.items)
        return f"{_whole(node.body)}, {_subject(node.body)} is {shown}"
    if isinstance(node, n.Logic):
        word = " and " if node.op == "and" else " or "
        parts = [f"({sentence(x)})" if isinstance(x, n.Unary) else _clause(x) for x in node.items]
        return ("both: " if node.op == "and" and len(parts) == 2 else "") + f";{word}".join(parts)
    if isinstance(node, n.Unary) and node.op == "not":
        return f"it does not happen that {_clause(node.body)}"
    if isinstance(node, n.Versus):
        asked = is_question(node.left) and is_question(node.right)
        wins = "the one that succeeds alone wins" if asked else "the higher total wins"
        return f"{_whole(node.left)} against {_whole(node.right)}: {wins}"
    if isinstance(node, n.Given):
        return f"{_whole(node.body)}, counting only rolls where {sentence(node.test)}"
    if isinstance(node, n.Local):
        return "; ".join([*map(_bound, node.lets), sentence(node.body)])
    if isinstance(node, n.If):
        return f"if {_clause(node.test)}: {_clause(node.yes)}; otherwise: {sentence(node.no)}"
    return noun(node)


def _comparison(node: n.Compare) -> str:
    if len(node.operands) == 3:
        low, middle, high = node.operands
        if node.ops == ("<=", "<="):
            ends = f"from {_operand(low)} to {_operand(high)}"
            return f"{_whole(middle)}, {_subject(middle)} is {ends}"
        first, second = BETWEEN[node.ops[0]], BETWEEN[node.ops[1]]
        return f"{_operand(low)} {first} {_operand(middle)}, which {second} {_operand(high)}"
    if len(node.operands) > 3:
        return unparse(node)
    left, right = node.operands
    if isinstance(left, n.Name) and not has_dice(right):
        return f"{left.name} is {COMPARE[node.ops[0]].format(noun(right))}"
    between = BETWEEN[node.ops[0]]
    asked = isinstance(left, QUESTIONS) or isinstance(right, QUESTIONS)
    if has_dice(left) and has_dice(right) and not (asked or isinstance(left, n.Name)):
        return f"{_whole(left)}; against {_whole(right)}: the first {between} the second"
    if has_dice(right) or not has_dice(left):
        return f"{_operand(left)} {between} {_operand(right)}"
    return f"{_whole(left)}, {_subject(left)} is {COMPARE[node.ops[0]].format(noun(right))}"


def _clause(node: n.Node) -> str:
    """A part of a sentence with several clauses: in brackets when it has several itself."""
    return f"({sentence(node)})" if isinstance(node, (n.Logic, *SEVERAL)) else sentence(node)


def _whole(node: n.Node) -> str:
    """What more is said about: whatever is not one number or pool stands in brackets."""
    return f"({sentence(node)})" if isinstance(node, (*QUESTIONS, *SEVERAL)) else sentence(node)


def _operand(node: n.Node) -> str:
    """One side of an operator: with modifiers, it stands in brackets too."""
    return f"({noun(node)})" if isinstance(node, n.Modified) else _whole(node)


def has_dice(node: n.Node) -> bool:
    """Whether anything is rolled in it.

    >>> has_dice(n.Number(value=3))
    False
    """
    return any(isinstance(part, (n.Dice, n.Name)) for part in node.walk())


def _subject(node: n.Node) -> str:
    if isinstance(node, n.Modified):
        last = node.modifiers[-1]
        if isinstance(last, n.Count):
            return "the number of successes"
        if isinstance(last, n.Read):
            return "that"
    asked = isinstance(node, n.Repeat) and is_question(node.body)
    if asked or isinstance(node, (*QUESTIONS, *SEVERAL)):
        return "that"
    if isinstance(node, n.Dice) and (node.count is None or node.count == n.Number(value=1)):
        return "the roll"
    return "it" if isinstance(node, n.Name) else "the total"


def noun(node: n.Node) -> str:
    """A number, a pool or a total in words."""
    if isinstance(node, n.Number):
        return str(node.value)
    if isinstance(node, n.Text):
        return node.text
    if isinstance(node, n.Name):
        return node.name
    if isinstance(node, n.Dice):
        return dice(node)
    if isinstance(node, n.Modified):
        body = _repeated(node.body) if isinstance(node.body, n.Repeat) else noun(node.body)
        return ", ".join([body, *_modifiers(node)])
    if isinstance(node, n.Braces):
        shown = " and ".join(_member(item) for item in node.items)
        return f"{shown}, all in one pool" if node.flat else f"a pool of totals ({shown})"
    if isinstance(node, n.Repeat):
        return _repeated(node) + (", how many hold" if is_question(node.body) else "")
    if isinstance(node, n.Unary) and node.op == "-":
        return f"minus ({noun(node.body)})" if has_dice(node.body) else f"-{noun(node.body)}"
    if isinstance(node, n.Binary):
        return _binary(node)
    if isinstance(node, n.Call):
        return _call(node)
    return sentence(node)


def _repeated(node: n.Repeat) -> str:
    return f"{_operand(node.count)} separate results of ({noun(node.body)})"


def _member(node: n.Node) -> str:
    """One entry of a pool: what is more than plain dice stands in brackets."""
    return f"({noun(node)})" if isinstance(node, n.Binary) and has_dice(node) else _operand(node)


def _members(node: n.Node) -> Members:
    """What the members of a pool are called, one and many."""
    while isinstance(node, n.Modified):
        node = node.body
    return RESULTS if isinstance(node, (n.Repeat, _Results)) else DICE


def _binary(node: n.Binary) -> str:
    """A chain of operators from the left, without recursion on its length."""
    if not has_dice(node):
        return unparse(node)
    chain = [node]
    while isinstance(chain[-1].left, n.Binary) and has_dice(chain[-1].left):
        chain.append(chain[-1].left)
    text = _operand(chain[-1].left)
    for part in reversed(chain):
        text = _step(part, text)
    return text


def _step(node: n.Binary, left: str) -> str:
    right = _operand(node.right)
    word = {
        "+": "plus", "-": "minus", "*": "times", "/": "divided by", "//": "divided by",
        "^": "to the power of",
    }[node.op]  # fmt: skip
    if isinstance(node.left, n.Binary) and node.op in "*//^" and node.left.op in "+-":
        left = f"({left})"
    if isinstance(node.right, n.Binary):
        right = f"({right})"
    tail = ", rounded down" if node.op == "//" else ""
    return f"{left}, {word} {right}{tail}"


def _call(node: n.Call) -> str:
    if node.name in ("max", "min"):
        degree = "er" if len(node.args) == 2 else "est"
        which = {"max": "high", "min": "low"}[node.name] + degree
        return f"the {which} of ({'; '.join(map(_clause, node.args))})"
    return {
        "ceil": "({}) rounded up",
        "floor": "({}) rounded down",
        "round": "({}) rounded to the nearest",
        "trunc": "({}) rounded towards 0",
        "half_up": "half of ({}), rounded up",
        "abs": "the size of ({})",
    }[node.name].format(noun(node.args[0]))


def dice(node: n.Dice) -> str:
    """Dice in words.

    >>> from oddsmith.notation.parser import parse
    >>> dice(parse("3d8").results[0].body)
    '3 eight-sided dice'
    """
    one, many, tail = _die(node.die)
    count = node.count
    if count is None or count == n.Number(value=1):
        article = "an" if one[0] in "aeiou8" else "a"
        return f"{article} {one}{tail}"
    if isinstance(count, n.Number):
        return f"{count.value} {many}{tail}"
    return f"a number of {many}{tail} (as many as {noun(count)})"


def _die(node: n.Node) -> tuple[str, str, str]:
    """Singular, plural, and what follows them."""
    if isinstance(node, n.Fudge):
        return "Fate die", "Fate dice", ""
    if isinstance(node, n.Digits):
        return (
            f"d{'6' * node.places}",
            f"d{'6' * node.places} rolls",
            " (six-siders read digit by digit)",
        )
    if isinstance(node, n.NamedDie):
        return (
            (node.name, f"{node.name}s", "")
            if node.name == "coin"
            else (f"{node.name} die", f"{node.name} dice", "")
        )
    if isinstance(node, n.Faces):
        shown = ", ".join(_item(item) for item in node.items)
        return "die", "dice", f" with the faces {shown}"
    assert isinstance(node, n.Sides)
    if node.percent:
        return "percentile die", "percentile dice", ""
    count = node.count
    sides = (
        SIDES.get(count.value, str(count.value)) if isinstance(count, n.Number) else unparse(count)
    )
    return f"{sides}-sided die", f"{sides}-sided dice", ""


def _item(item: n.Item) -> str:
    text = noun(item.low)
    if item.high is not None:
        text += f" to {noun(item.high)}"
    return text if item.weight is None else f"{text} ({noun(item.weight)} times)"


def condition(conds: tuple[n.Cond, ...]) -> str:
    """The faces of conditions: "5 or more", "a 1 or 2".

    >>> condition((n.Cond(kind="+", values=(n.Number(value=5),)),))
    '5 or more'
    """
    return " or ".join(_cond(cond) for cond in conds)


def _cond(cond: n.Cond) -> str:
    if cond.kind == "top":
        return "the highest face"
    if cond.kind in ("even", "odd"):
        return f"an {cond.kind} number"
    if cond.kind == "in":
        return " or ".join(_item(item) for item in cond.values if isinstance(item, n.Item))
    first = _member(cond.values[0])
    if cond.kind == "..":
        return f"{first} to {_member(cond.values[1])}"
    kind = {"+": ">=", "-": "<="}.get(cond.kind, cond.kind)
    return first if kind == "=" else COMPARE[kind].format(first)


def _modifier(node: n.Modifier, members: Members) -> str:
    if isinstance(node, n.Keep):
        return _keep(node)
    if isinstance(node, n.Reroll):
        faces = condition(node.conds)
        return (
            f"re-roll {faces} until it is something else" if node.until else f"re-roll {faces} once"
        )
    if isinstance(node, n.Burst):
        return _burst(node)
    if isinstance(node, n.Bound):
        verb, end = ("raise", "least") if node.verb == "min" else ("lower", "most")
        return f"{verb} every {members[0]} to at {end} {_member(node.value)}"
    if isinstance(node, n.Count):
        return _count(node, members)
    return READINGS[node.what].format(one=members[0], many=members[1])


def _modifiers(node: n.Modified) -> list[str]:
    """Each modifier; advantage counts once, and not at all where it meets its opposite."""
    members = _members(node.body)
    texts = [_modifier(mod, members) for mod in node.modifiers]
    twice = [
        place for place, mod in enumerate(node.modifiers)
        if isinstance(mod, n.Keep) and mod.verb in ADVANTAGE
    ]  # fmt: skip
    if twice[1:]:
        first = twice[0]
        cancel = len({texts[place] for place in twice}) == 2
        texts[first] = CANCEL if cancel else f"{texts[first]} (it counts once only)"
    return [text for place, text in enumerate(texts) if place not in twice[1:]]


def _keep(node: n.Keep) -> str:
    if node.verb in ADVANTAGE:
        return ADVANTAGE[node.verb]
    count = noun(node.count) if node.count else "1"
    if node.count is not None and has_dice(node.count):
        count = f"({count}) of them"
    which = {"h": "highest", "l": "lowest", "d": "middle"}[node.verb[-1]]
    verb = "remove" if node.verb in ("dh", "dl") else "keep"
    return f"{verb} the {which}" if count == "1" else f"{verb} the {which} {count}"


def _burst(node: n.Burst) -> str:
    faces = condition(node.conds) if node.conds else "the highest face"
    how = "into the same die" if node.mark.startswith("!!") else "as a die of its own"
    text = f"{faces} rolls another die, added {how}"
    if node.mark.endswith("p"):
        text += " and counting 1 less"
    if node.limit is None:
        return f"{text}, without end"
    count = noun(node.limit)
    return (
        f"{text}, at most {TIMES.get(int(count), count + ' times') if count.isdigit() else count}"
    )


def _count(node: n.Count, members: Members) -> str:
    one, many = members
    text = "; and ".join(_term(term, many) for term in node.terms)
    if node.minus:
        faces = condition(node.minus)
        less = f"less the {many} that show {faces}"
        text = f"{text}, {less}" if text else f"count minus 1 for each {one} that shows {faces}"
    if node.floor is not None:
        text += f", never below {noun(node.floor)}"
    return text


def _term(term: n.Term, many: str) -> str:
    text = f"count the {many} that show {_cond(term.cond)}" if term.cond else "count"
    for extra in term.extras:
        times = noun(extra.times) if extra.times else "2"
        shown = TIMES.get(int(times), f"{times} times") if times.isdigit() else f"{times} times"
        text += f", {_cond(extra.cond)} counts {shown}"
    return text
