"""Random syntax trees: just those that some text can mean."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from oddsmith.notation import nodes as n

COMPARISONS = ("=", "<>", ">=", ">", "<=", "<")
READINGS = (
    "sum", "highest", "lowest", "median", "count", "product",
    "sets", "pairs", "highest set", "longest run", "unique",
)  # fmt: skip
POOLS = (n.Dice, n.Braces, n.Repeat, n.Name, n.Modified)

Tree = st.SearchStrategy[Any]

NUMBERS = st.integers(0, 120).map(lambda value: n.Number(value=value))
NAMES = st.sampled_from(["hit", "foe", "Mod", "x", "y"]).map(lambda name: n.Name(name=name))
TEXTS = st.sampled_from(["Misfire", "a b", "it's", "", "6", "1,5", "d6 # no"]).map(
    lambda text: n.Text(text=text)
)
LEAVES = st.one_of(NUMBERS, NAMES, TEXTS)
NAMED = st.sampled_from(["coin", "artillery", "scatter"]).map(
    lambda name: n.Dice(count=None, die=n.NamedDie(name=name))
)


def maybe(tree: Tree) -> Tree:
    """The thing or nothing."""
    return st.none() | tree


def items(tree: Tree, weights: bool = True) -> Tree:
    """A list of faces."""
    item = st.builds(
        lambda low, high, weight: n.Item(low=low, high=high, weight=weight),
        tree,
        maybe(tree),
        maybe(tree) if weights else st.none(),
    )
    return st.lists(item, min_size=1, max_size=3).map(tuple)


def dice(tree: Tree) -> Tree:
    """One kind of die, with or without a number."""
    sides = st.one_of(
        st.sampled_from([2, 6, 20, 66, 666]).map(lambda k: n.Sides(count=n.Number(value=k))),
        tree.map(lambda count: n.Sides(count=count)),
    )
    die = st.one_of(
        sides,
        st.just(n.Sides(count=n.Number(value=100), percent=True)),
        st.just(n.Fudge()),
        st.integers(2, 4).map(lambda places: n.Digits(places=places)),
        items(tree).map(lambda faces: n.Faces(items=faces)),
    )
    counted = st.builds(lambda count, die: n.Dice(count=count, die=die), maybe(tree), die)
    return st.one_of(counted, NAMED)


def conditions(tree: Tree) -> Tree:
    """Which faces."""
    value = st.one_of(NUMBERS, tree)
    return st.one_of(
        st.builds(
            lambda kind, x: n.Cond(kind=kind, values=(x,)),
            st.sampled_from([*COMPARISONS, "+", "-"]),
            value,
        ),
        st.builds(lambda a, b: n.Cond(kind="..", values=(a, b)), value, value),
        items(tree, weights=False).map(lambda faces: n.Cond(kind="in", values=faces)),
        st.sampled_from(["even", "odd"]).map(lambda kind: n.Cond(kind=kind)),
    )


def counts(tree: Tree) -> Tree:
    """Successes; ``5-`` before another term would be read as a subtraction, so it comes last."""
    cond = conditions(tree)
    extra = st.builds(lambda c, t: n.Extra(cond=c, times=t), cond, maybe(st.one_of(NUMBERS, tree)))
    term = st.builds(
        lambda c, extras: n.Term(cond=c, extras=tuple(extras)),
        st.just(n.Cond(kind="top")) | cond,
        st.lists(extra, max_size=2),
    )
    return st.builds(
        lambda terms, minus, floor: n.Count(terms=tuple(terms), minus=tuple(minus), floor=floor),
        st.lists(term, max_size=2),
        st.lists(cond, max_size=2),
        maybe(st.one_of(NUMBERS, tree)),
    ).filter(lambda count: (count.terms or count.minus) and not _minus_inside(count))


def _minus_inside(count: n.Count) -> bool:
    return any(_ends_in_minus(term) for term in count.terms[:-1])


def _ends_in_minus(term: n.Term) -> bool:
    if term.extras:
        return term.extras[-1].times is None and term.extras[-1].cond.kind == "-"
    return term.cond is not None and term.cond.kind == "-"


def modifiers(tree: Tree) -> Tree:
    """Modifiers in an order that parsing leaves alone: neighbours of one kind would be joined."""
    cond = conditions(tree)
    value = st.one_of(NUMBERS, tree)
    changing = st.one_of(
        st.builds(
            lambda verb, count: n.Keep(verb=verb, count=count),
            st.sampled_from(["kh", "kl", "dh", "dl", "mid"]),
            maybe(value),
        ),
        st.sampled_from(["adv", "dis"]).map(lambda verb: n.Keep(verb=verb)),
        st.builds(
            lambda conds, until: n.Reroll(conds=tuple(conds), until=until),
            st.lists(cond, min_size=1, max_size=2),
            st.booleans(),
        ),
        st.builds(
            lambda mark, conds, limit: n.Burst(mark=mark, conds=tuple(conds), limit=limit),
            st.sampled_from(["!", "!!", "!p", "!!p"]),
            st.lists(cond, max_size=2),
            maybe(value),
        ),
        st.builds(
            lambda verb, value: n.Bound(verb=verb, value=value),
            st.sampled_from(["min", "max"]),
            value,
        ),
    )
    last = st.one_of(counts(tree), st.sampled_from(READINGS).map(lambda what: n.Read(what=what)))
    return (
        st.builds(
            lambda found, end: (*found, *([end] if end else [])),
            st.lists(changing, max_size=3),
            maybe(last),
        )
        .filter(bool)
        .filter(_stays)
    )


def _stays(found: tuple[Any, ...]) -> bool:
    for one, two in pairwise(found):
        if isinstance(one, n.Reroll) and isinstance(two, n.Reroll) and one.until == two.until:
            return False
        if isinstance(one, n.Burst) and isinstance(two, n.Burst) and one.mark == two.mark:
            return False
        kinds = [cond.kind for cond in getattr(one, "conds", ())]
        if isinstance(two, n.Count) and kinds[-1:] == ["-"] and getattr(one, "limit", None) is None:
            return False
    return True


def grow(tree: Tree) -> Tree:
    """One level more."""
    pool = st.one_of(dice(tree), tree.filter(lambda node: isinstance(node, POOLS)))
    several = st.lists(tree, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        dice(tree),
        st.builds(lambda body, mods: n.Modified(body=body, modifiers=mods), pool, modifiers(tree)),
        st.builds(lambda body, mods: n.Modified(body=body, modifiers=mods), pool, modifiers(tree)),
        st.lists(tree, min_size=1, max_size=3)
        .map(lambda found: n.Braces(items=tuple(found)))
        .filter(lambda braces: len(braces.items) > 1 or not _is_sum(braces.items[0])),
        st.lists(tree.filter(lambda node: not _is_sum(node)), min_size=2, max_size=3).map(
            lambda found: n.Braces(items=tuple(found), flat=True)
        ),
        st.builds(lambda count, body: n.Repeat(count=count, body=body), tree, tree),
        st.builds(lambda op, body: n.Unary(op=op, body=body), st.sampled_from(["-", "not"]), tree),
        st.builds(
            lambda op, a, b: n.Binary(op=op, left=a, right=b),
            st.sampled_from(["+", "-", "*", "/", "//"]),
            tree,
            tree,
        ),
        st.builds(
            lambda name, arg: n.Call(name=name, args=(arg,)),
            st.sampled_from(["ceil", "floor", "round", "trunc", "half_up", "abs"]),
            tree,
        ),
        st.builds(
            lambda name, args: n.Call(name=name, args=args),
            st.sampled_from(["max", "min"]),
            several,
        ),
        several.flatmap(
            lambda found: st.tuples(*[st.sampled_from(COMPARISONS)] * (len(found) - 1)).map(
                lambda ops: n.Compare(operands=found, ops=ops)
            )
        ),
        st.builds(lambda body, faces: n.In(body=body, items=faces), tree, items(tree)),
        st.builds(
            lambda op, found: n.Logic(op=op, items=found), st.sampled_from(["and", "or"]), several
        ).filter(lambda node: getattr(node.items[0], "op", None) != node.op),
        st.builds(lambda a, b, c: n.If(test=a, yes=b, no=c), tree, tree, tree),
        st.builds(lambda a, b: n.Versus(left=a, right=b), tree, tree).filter(
            lambda node: not isinstance(node.left, n.Versus)
        ),
        st.builds(lambda a, b: n.Given(body=a, test=b), tree, tree),
    )


def _is_sum(node: Any) -> bool:
    return isinstance(node, n.Binary) and node.op == "+"


EXPRESSIONS = st.recursive(LEAVES | dice(NUMBERS), grow, max_leaves=6)
RESULTS = st.builds(
    lambda body, label: n.Result(body=body, label=label),
    EXPRESSIONS,
    maybe(st.sampled_from(["to hit", "it's", "", "50 %", "d6: 7"])),
)
LETS = st.builds(
    lambda name, value: n.Let(name=name, value=value),
    st.sampled_from(["hit", "foe", "mod", "x"]),
    EXPRESSIONS,
)


@st.composite
def programs(draw: st.DrawFn) -> n.Program:
    """Names, then results."""
    lets = draw(st.lists(LETS, max_size=2))
    results = draw(st.lists(RESULTS, min_size=1, max_size=2))
    return n.Program(lets=tuple(lets), results=tuple(results))
