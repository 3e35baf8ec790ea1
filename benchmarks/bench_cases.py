"""What is measured: each case as a snippet for oddsmith and for the peers that can do it.

A snippet binds ``x`` to the answer; reading the total weight and one probability is part of the
timed work, and the probability is the probe on which everybody has to agree exactly. Where the
answer is a single number, that number itself is the probe.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

OURS, ICEPOOL, RAISED, DYCE = "oddsmith", "icepool", "icepool, raised limit", "dyce"
PEERS = (ICEPOOL, DYCE)
DEPTH = 10

_ICEPOOL_IMPORTS = (
    "from operator import sub\n"
    "import icepool\n"
    "from icepool import Again, Deck, Die, MultisetEvaluator, Order, Pool, Vector\n"
    "from icepool import d, d4, d6, d8, d10, d12"
)
IMPORTS = {
    OURS: (
        "from operator import sub\n"
        "from oddsmith import Deck, Dist, OpenDist, Pool, Process, chain\n"
        "from oddsmith import coin, d, d4, d6, d8, d10, d12, odds\n"
        "from oddsmith.folds import matched, total\n"
        "from oddsmith.mechanics.battle import battle\n"
        "from oddsmith.mechanics.successes import successes\n"
        "from oddsmith.mechanics.symbols import Symbols\n"
        "from oddsmith.open_pool import kept_sum"
    ),
    ICEPOOL: _ICEPOOL_IMPORTS,
    RAISED: f"import sys\nsys.setrecursionlimit(20_000)\n{_ICEPOOL_IMPORTS}",
    DYCE: (
        "import sys\n"
        "from fractions import Fraction\n"
        "from functools import cache\n"
        "from operator import add, sub\n"
        "from dyce import H, P, expand, explode_n\n"
        "from dyce.p import survey_outcome_order_ascending as rising\n"
        "from dyce.p import survey_outcome_order_descending as falling"
    ),
}
WARM_UP = {
    OURS: (
        "(50 @ d4).p(125)\n"
        "Pool.of(d4, 5).keep_highest(2).sum().p(5)\n"
        "Pool.of(d4, 5).count(lambda face: face > 2).p(1)\n"
        "((5 @ d4) > (4 @ d4)).p(1)"
    ),
    ICEPOOL: (
        "(50 @ d4).probability(125)\nd4.highest(5, 2).probability(5)\n(5 @ (d4 > 2)).probability(1)"
    ),
    DYCE: (
        "(50 @ H(4))[125]\n"
        "(5 @ P(4)).at(slice(-2, None))[5]\n"
        "(5 @ H(4).gt(2))[1]\n"
        "(5 @ H(4)).gt(4 @ H(4))[True]"
    ),
}
"""Small questions that nobody is timed in, so that what is loaded at the first use is there."""
WARM_UP[RAISED] = WARM_UP[ICEPOOL]
READ = {
    OURS: "total, chance = x.total, x.p({probe})",
    ICEPOOL: "total, chance = x.denominator(), x.probability({probe})",
    RAISED: "total, chance = x.denominator(), x.probability({probe})",
    DYCE: "total, chance = x.total, Fraction(x[{probe}], x.total)",
}
READ_OPEN = "total, chance = 1, x.p({probe})"
"""Open-ended answers of ours are rational functions of total 1: there is no total weight."""
READ_NUMBER = "total, chance = 1, x"
"""The answer is a fraction, which is compared as it is."""


@dataclass(frozen=True)
class Case:
    """One thing to work out.

    Attributes:
        name: What the table calls it, and what ``--only`` takes.
        probe: The outcome whose chance is compared; None where the answer is a mean, which is
            then compared itself.
        ours: The snippet for oddsmith.
        icepool: The snippet for icepool; None where it is not run.
        dyce: The snippet for dyce; None where it is not run.
        raised: Whether icepool is run with a raised recursion limit, too.
        open: Whether our answer is open-ended.
        cut: Whether peers cut the explosions; the probe then lies below the cut.
        note: What a reader has to know.
        spelled: The probe as a peer writes it in Python, where that is not as we do.
    """

    name: str
    probe: Any
    ours: str
    icepool: str | None = None
    dyce: str | None = None
    raised: bool = False
    open: bool = False
    cut: bool = False
    note: str = ""
    spelled: dict[str, str] = field(default_factory=dict)

    @property
    def compared(self) -> str:
        """What everybody has to agree on."""
        return "mean" if self.probe is None else f"P({self.probe})"

    def snippets(self) -> dict[str, str]:
        """The work of each contender, with the reading at its end."""
        code = {OURS: self.ours, ICEPOOL: self.icepool, DYCE: self.dyce}
        if self.raised:
            code[RAISED] = self.icepool
        reads = {**READ, OURS: READ_OPEN} if self.open else READ
        if self.probe is None:
            reads = dict.fromkeys(READ, READ_NUMBER)
        return {
            who: f"{work}\n{reads[who].format(probe=self.spelled.get(who, repr(self.probe)))}"
            for who, work in code.items()
            if work is not None
        }


_MIXED = "Pool([die for die in (d4, d6, d8, d10, d12) for _ in range(4)])"
_MIXED_ICEPOOL = "Pool({d4: 4, d6: 4, d8: 4, d10: 4, d12: 4})"
_MIXED_DYCE = "(4 @ P(4, 6, 8, 10, 12))"
_CHAIN_ICEPOOL = (
    f"d6.map(lambda f: 0 if f < 5 else 1 if f == 5 else 1 + Again, again_depth={DEPTH})"
)
_CHAIN_DYCE = f"""
def successes(roll, left={DEPTH}):
    if roll.outcome < 6 or not left:
        return int(roll.outcome >= 5)
    return 1 + expand(successes, H(6), left=left - 1)
"""
_FLAT_NOTE = "extra dice join the pool; icepool by explode_to_pool (experimental), dyce has none"
_COMPOUND_NOTE = "extra dice are added into their die"

_WIDEST_GAP = """
def widest_gap(roll):
    return max(map(sub, roll[1:], roll))
"""
_FULL_ICEPOOL = f"""{_WIDEST_GAP}
class WidestGap(MultisetEvaluator):
    def next_state(self, state, order, outcome, count):
        return (state or ()) + (outcome,) * count

    def final_outcome(self, state, order, outcomes, /, *sizes):
        return widest_gap(state if order == Order.Ascending else state[::-1])

x = WidestGap()(d10.pool(10))
"""
_GAPS = """
def gaps(state, face, count):
    last, widest = state
    if not count:
        return state
    return face, widest if last is None else max(widest, face - last)
"""
_GAPS_ICEPOOL = f"""{_GAPS}
class Gaps(MultisetEvaluator):
    def next_state(self, state, order, outcome, count):
        return gaps(state or (None, 0), outcome, count)

    def final_outcome(self, state, order, outcomes, /, *sizes):
        return state[1]

    def order(self):
        return Order.Ascending

x = Gaps()(d10.pool(10))
"""
_GAPS_DYCE = f"""{_GAPS}
def step(state, face, count):
    return gaps(state or (None, 0), face, count)

states = (10 @ P(10)).survey(accumulate=step, order=rising)
x = H.from_counts((state[1], count) for state, count in states.items())
"""
_ALL_COUNTS_ICEPOOL = """
class AllCounts(MultisetEvaluator):
    def next_state(self, state, order, outcome, count):
        return (state or ()) + (count,)

x = AllCounts()(d10.pool(10))
"""
_FULL_DYCE = f"""{_WIDEST_GAP}
rolls = (10 @ P(10)).rolls_with_counts()
x = H.from_counts((widest_gap(roll), count) for roll, count in rolls)
"""
_SIZES_DYCE = """
def sizes(state, _, count):
    return tuple(sorted((*(state or ()), count), reverse=True))

x = (20 @ P(6)).survey(accumulate=sizes, order=rising)
"""
_WIDTHS_DYCE = """
def widths(state, face, count):
    return (*(state or ()), (count, face)) if count >= 2 else state or ()

x = (10 @ P(10)).survey(accumulate=widths, order=falling)
"""
_EXCHANGE_DYCE = """
def won(mine, theirs):
    return sum(a > b for a, b in zip(reversed(mine), reversed(theirs)))

def exchange(mine, theirs):
    others = list((theirs @ P(6)).rolls_with_counts())
    return H.from_counts(
        (won(mine, theirs), count * ways)
        for mine, count in (mine @ P(6)).rolls_with_counts()
        for theirs, ways in others
    )
"""
_BATTLE_ICEPOOL = """
def exchange(mine, theirs):
    defence = d6.pool(theirs).force_order(Order.Descending)
    won = d6.pool(mine).sort_pair(">", defence).size()
    return won.map(lambda count: (min(mine, theirs) - count, count))

exchanges = {(a, b): exchange(a, b) for a in (1, 2, 3) for b in (1, 2)}

def battle_round(mine, theirs):
    if not mine or not theirs:
        return mine, theirs
    lost = exchanges[min(mine, 3), min(theirs, 2)]
    return lost.map(lambda a, b: (mine - a, theirs - b))

x = Die([(20, 15)]).map(battle_round, star=True, repeat="inf")
"""
_BATTLE_DYCE = f"""{_EXCHANGE_DYCE}
exchanges = {{(a, b): exchange(a, b) for a in (1, 2, 3) for b in (1, 2)}}

@cache
def fight(mine, theirs):
    if not mine or not theirs:
        return H({{(mine, theirs): 1}})

    def after(won):
        lost = min(mine, theirs, 2) - won.outcome
        return fight(mine - lost, theirs - won.outcome)

    dice = exchanges[min(mine, 3), min(theirs, 2)]
    return expand(after, dice, min_path_probability=Fraction(0))

x = fight(20, 15)
"""

_LETTERS, _CANCEL = "SATD", {"F": "S", "H": "A"}
_SYMBOL_DICE = (
    (1, " , ,S,SA,AA,A"),
    (3, " ,S,S,SS,A,A,SA,AA"),
    (2, " ,S,S,SS,SS,A,SA,SA,SA,AA,AA,ST"),
    (1, " , ,F,F,H,H"),
    (3, " ,F,FF,H,H,H,HH,FH"),
    (2, " ,F,F,FF,FF,H,H,FH,FH,HH,HH,FD"),
)
"""How many of each die, and its faces: success, advantage, triumph, failure, threat, despair."""


def _vector(face: str) -> tuple[int, ...]:
    """The face as the peers are given it: one number for each letter, cancelled."""
    lost = {kept: face.count(letter) for letter, kept in _CANCEL.items()}
    return tuple(face.count(letter) - lost.get(letter, 0) for letter in _LETTERS)


def _symbol_dice(pattern: str) -> str:
    """All the symbol dice, each written like the pattern, added up."""
    dice = ((count, [_vector(face) for face in text.split(",")]) for count, text in _SYMBOL_DICE)
    return " + ".join(pattern.format(count=count, faces=faces) for count, faces in dice)


_SYMBOLS = f"""
symbols = Symbols("{_LETTERS}", cancel={_CANCEL})
dice = {[(count, text.replace(" ", "").split(",")) for count, text in _SYMBOL_DICE]}
x = symbols.roll({{symbols.die(*faces): count for count, faces in dice}})
"""
_SYMBOLS_ICEPOOL = f"x = {_symbol_dice('{count} @ Die([Vector(face) for face in {faces}])')}"
_SYMBOLS_DYCE = f"""
class Shown(tuple):
    def __add__(self, other):
        return Shown(map(add, self, other))

x = {_symbol_dice("{count} @ H([Shown(face) for face in {faces}])")}
"""

_JUMPS = {
    **{1: 38, 4: 14, 9: 31, 21: 42, 28: 84, 36: 44, 51: 67, 71: 91, 80: 100},
    **{16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78},
}
"""Ladders and snakes of the usual board of 100 squares."""
_MOVE = f"""
jumps = {_JUMPS}

def move(square):
    after = lambda face: square if square + face > 100 else jumps.get(square + face, square + face)
    return square if square == 100 else d6.map(after)
"""

CASES = (
    Case("100d6", 350, "x = 100 @ d6", "x = 100 @ d6", "x = 100 @ H(6)"),
    Case("1000d6", 3500, "x = 1000 @ d6", "x = 1000 @ d6", "x = 1000 @ H(6)", raised=True),
    Case("10,000d6", 35_000, "x = 10_000 @ d6", note="peers not run"),
    Case(
        "4d6kh3",
        15,
        "x = Pool.of(d6, 4).keep_highest(3).sum()",
        "x = d6.highest(4, 3)",
        "x = (4 @ P(6)).at(slice(-3, None))",
    ),
    Case(
        "20d6kh3",
        15,
        "x = Pool.of(d6, 20).keep_highest(3).sum()",
        "x = d6.highest(20, 3)",
        "x = (20 @ P(6)).at(slice(-3, None))",
    ),
    Case(
        "200d10kh50",
        450,
        "x = Pool.of(d10, 200).keep_highest(50).sum()",
        "x = d10.highest(200, 50)",
        "x = (200 @ P(10)).at(slice(-50, None))",
    ),
    Case(
        "5d10!!kh3",
        24,
        "x = kept_sum([(chain(d10, {10}), 5)], 2, 5)",
        f"x = d10.explode(depth={DEPTH}).highest(5, 3)",
        f"x = (5 @ P(explode_n(H(10), n={DEPTH}))).at(slice(-3, None))",
        open=True,
        cut=True,
        note=_COMPOUND_NOTE,
    ),
    Case(
        "12d10!!kh5",
        40,
        "x = kept_sum([(chain(d10, {10}), 12)], 7, 12)",
        f"x = d10.explode(depth={DEPTH}).highest(12, 5)",
        f"x = (12 @ P(explode_n(H(10), n={DEPTH}))).at(slice(-5, None))",
        open=True,
        cut=True,
        note=_COMPOUND_NOTE,
    ),
    Case(
        "5d10!kh3",
        24,
        'x = odds("5d10!kh3")[0].dist',
        f"x = d10.explode_to_pool(5, depth={DEPTH}).highest(3).sum()",
        cut=True,
        note=_FLAT_NOTE,
    ),
    Case(
        "12d10!kh5",
        40,
        'x = odds("12d10!kh5")[0].dist',
        f"x = d10.explode_to_pool(12, depth={DEPTH}).highest(5).sum()",
        cut=True,
        note=_FLAT_NOTE,
    ),
    Case(
        "mixed20 kh3",
        30,
        f"x = {_MIXED}.keep_highest(3).sum()",
        f"x = {_MIXED_ICEPOOL}.highest(3).sum()",
        f"x = {_MIXED_DYCE}.at(slice(-3, None))",
        note="four each of d4, d6, d8, d10, d12",
    ),
    Case(
        "mixed20 middle 10",
        50,
        f"x = {_MIXED}.middle(10).sum()",
        f"x = {_MIXED_ICEPOOL}.middle(10).sum()",
        f"x = {_MIXED_DYCE}.at(slice(5, 15))",
        note="four each of d4, d6, d8, d10, d12",
    ),
    Case(
        "30d6c5+",
        10,
        "x = Pool.of(d6, 30).count(lambda f: f >= 5)",
        "x = 30 @ (d6 >= 5)",
        "x = 30 @ H(6).ge(5)",
    ),
    Case(
        "100d6!c5+",
        10,
        'x = odds("100d6!c5+")[0].dist',
        f"x = 100 @ {_CHAIN_ICEPOOL}",
        f"{_CHAIN_DYCE}\nx = 100 @ expand(successes, H(6), min_path_probability=Fraction(0))",
        open=True,
        cut=True,
        note="peers count the successes of one chain, then add 100 of them",
    ),
    Case(
        "50d6 > 50d6",
        1,
        "x = (50 @ d6) > (50 @ d6)",
        "x = (50 @ d6) > (50 @ d6)",
        "x = (50 @ H(6)).gt(50 @ H(6))",
    ),
    Case(
        "10d10c8+ > 8d10c8+",
        1,
        "hit = lambda f: f >= 8\nx = Pool.of(d10, 10).count(hit) > Pool.of(d10, 8).count(hit)",
        "x = (10 @ (d10 >= 8)) > (8 @ (d10 >= 8))",
        "x = (10 @ H(10).ge(8)).gt(8 @ H(10).ge(8))",
    ),
    Case(
        "20d6 largest set",
        6,
        "x = Pool.of(d6, 20).largest_set()",
        "x = d6.pool(20).largest_count()",
        "x = (20 @ P(6)).survey(accumulate=lambda s, _, n: max(s or 0, n), order=rising)",
    ),
    Case("100d100", 5050, "x = 100 @ d(100)", "x = 100 @ d(100)", "x = 100 @ H(100)"),
    Case(
        "300th of 1000d100",
        30,
        "x = d(100).pool(1000).window(299, 300).sum()",
        "x = d(100).keep(1000, 299)",
        "x = H(100).order_stat_for_n_at_pos(1000, 299)",
        note="counted from the lowest",
    ),
    Case(
        "d6!!max1000",
        6006,
        'x = odds("d6!!max1000")[0].dist',
        "x = d6.explode(depth=1000)",
        "sys.setrecursionlimit(20_000)\nx = explode_n(H(6), n=1000)",
        note="dyce with a raised recursion limit: without it the chain is cut",
    ),
    Case(
        "30d10 8+ less 1s",
        6,
        "x = successes(d10.pool(30), 8, botch=1)",
        "x = 30 @ d10.map(lambda f: (f >= 8) - (f == 1))",
        "x = 30 @ H(10).apply(lambda f: (f >= 8) - (f == 1))",
    ),
    Case(
        "12 symbol dice",
        (1, 0, 0, 0),
        _SYMBOLS,
        _SYMBOLS_ICEPOOL,
        _SYMBOLS_DYCE,
        spelled={ICEPOOL: "Vector((1, 0, 0, 0))"},
        note="four kinds of symbols, two of which cancel; peers are given ready vectors",
    ),
    Case(
        "20d6 set sizes",
        (5, 4, 4, 3, 2, 2),
        "x = d6.pool(20).set_sizes()",
        "x = d6.pool(20).all_counts()",
        _SIZES_DYCE,
    ),
    Case(
        "10d10 width and height",
        ((2, 9), (3, 5)),
        "x = d10.pool(10).matches()",
        'x = d10.pool(10).keep_counts(">=", 2).expand()',
        _WIDTHS_DYCE,
        spelled={ICEPOOL: "(5, 5, 5, 9, 9)"},
        note="all matching sets; icepool lists their dice",
    ),
    Case(
        "10d10 full states",
        (1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
        "x = d10.pool(10).expand()",
        _ALL_COUNTS_ICEPOOL,
        "x = H.from_counts((10 @ P(10)).rolls_with_counts())",
        spelled={ICEPOOL: "(1,) * 10"},
        note="every roll of the pool; icepool by its evaluator, as counts",
    ),
    Case(
        "10d10 any rule",
        3,
        f"{_WIDEST_GAP}\nx = d10.pool(10).map(widest_gap)",
        _FULL_ICEPOOL,
        _FULL_DYCE,
        note="a function of the whole sorted roll: the widest gap",
    ),
    Case(
        "10d10 rule as a fold",
        3,
        f"{_GAPS}\nx = d10.pool(10).fold(gaps, (None, 0), lambda state: state[1])",
        _GAPS_ICEPOOL,
        _GAPS_DYCE,
        note="the widest gap once more, from face to face",
    ),
    Case(
        "6 x 4d6kh3, sorted",
        (8, 10, 12, 13, 14, 15),
        "x = Pool.of(Pool.of(d6, 4).keep_highest(3).sum(), 6).expand()",
        "x = d6.highest(4, 3).pool(6).expand()",
        "x = H.from_counts((6 @ P((4 @ P(6)).at(slice(-3, None)))).rolls_with_counts())",
    ),
    Case(
        "20d10 less 20d10",
        40,
        "x = total([d10.pool(20)] * 2, lambda face, a, b: face * max(0, a - b))",
        "x = (d10.pool(20) - d10.pool(20)).sum()",
        note="equal faces cancel, the rest is added up; dyce would try all pairs of rolls",
    ),
    Case(
        "10d10 less 2 x 10d10",
        20,
        "x = total([d10.pool(10)] * 3, lambda face, a, b, c: face * max(0, a - b - c))",
        "x = (d10.pool(10) - d10.pool(10) - d10.pool(10)).sum()",
        note="equal faces cancel, the rest is added up; dyce would try all triples of rolls",
    ),
    Case(
        "10d6 against 10d6",
        5,
        "x = matched(d6.pool(10), d6.pool(10))",
        'x = d6.pool(10).sort_pair(">", d6.pool(10)).size()',
        f"{_EXCHANGE_DYCE}\nx = exchange(10, 10)",
        note="highest against highest, and so on: pairs won",
    ),
    Case(
        "Risk 3 against 2",
        2,
        "x = matched(d6.pool(3), d6.pool(2))",
        'x = d6.pool(3).highest(2).sort_pair(">", d6.pool(2)).size()',
        f"{_EXCHANGE_DYCE}\nx = exchange(3, 2)",
    ),
    Case(
        "Risk 20 against 15",
        (10, 0),
        "x = battle(20, 15).endings()",
        _BATTLE_ICEPOOL,
        _BATTLE_DYCE,
        note="to the end: who is left; dyce by recursion with a cache",
    ),
    Case(
        "24 lands in 60, deal 7",
        3,
        'x = Deck({"land": 24, "spell": 36}).deal(7).count(lambda card: card == "land")',
        "x = Deck({1: 24, 0: 36}).deal(7).sum()",
        note="dyce has no decks",
    ),
    Case(
        "5 of 52, equal ranks",
        (2, 1, 1, 1),
        "x = Deck({rank: 4 for rank in range(1, 14)}).deal(5).set_sizes()",
        "x = Deck({rank: 4 for rank in range(1, 14)}).deal(5).all_counts()",
        note="dyce has no decks",
    ),
    Case(
        "snakes and ladders",
        None,
        f"{_MOVE}\nx = Process(0, move, lambda square: square == 100).mean_steps()",
        f"{_MOVE}\nx = Die([0]).mean_time_to_absorb(move)",
        note="mean number of moves to 100, exactly; dyce has no processes with loops",
    ),
    Case(
        "gambler's ruin",
        100,
        "money = Process(30, lambda n: coin * 2 + (n - 1), lambda n: n in (0, 100))\n"
        "x = money.endings()",
        "step = lambda n: n if n in (0, 100) else Die([n - 1, n + 1])\n"
        'x = Die([30]).map(step, repeat="inf")',
        note="from 30 to 0 or 100; dyce has no processes with loops",
    ),
)

STARTS = {
    'odds "3d6 >= 11"': ("odds", "3d6 >= 11"),
    'python -c "import icepool"': ("python", "-c", "import icepool"),
    'python -c "import dyce"': ("python", "-c", "import dyce"),
    'python -c "import flint, click"': ("python", "-c", "import flint, click"),
}
"""Whole processes; the first is ours."""
