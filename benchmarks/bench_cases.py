"""What is measured: each case as a snippet for oddsmith and for the peers that can do it.

A snippet binds ``x`` to the answer; reading the total weight and one probability is part of the
timed work, and the probability is the probe on which everybody has to agree exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

OURS, ICEPOOL, RAISED, DYCE = "oddsmith", "icepool", "icepool, raised limit", "dyce"
PEERS = (ICEPOOL, DYCE)
DEPTH = 10

_ICEPOOL_IMPORTS = "import icepool\nfrom icepool import Again, Pool, d4, d6, d8, d10, d12"
IMPORTS = {
    OURS: (
        "from oddsmith import Dist, OpenDist, Pool, chain, d4, d6, d8, d10, d12, odds\n"
        "from oddsmith.open_pool import kept_sum"
    ),
    ICEPOOL: _ICEPOOL_IMPORTS,
    RAISED: f"import sys\nsys.setrecursionlimit(20_000)\n{_ICEPOOL_IMPORTS}",
    DYCE: (
        "from fractions import Fraction\n"
        "from dyce import H, P, expand, explode_n\n"
        "from dyce.p import survey_outcome_order_ascending as rising"
    ),
}
READ = {
    OURS: "total, chance = x.total, x.p({probe})",
    ICEPOOL: "total, chance = x.denominator(), x.probability({probe})",
    RAISED: "total, chance = x.denominator(), x.probability({probe})",
    DYCE: "total, chance = x.total, Fraction(x[{probe}], x.total)",
}
READ_OPEN = "total, chance = 1, x.p({probe})"
"""Open-ended answers of ours are rational functions of total 1: there is no total weight."""


@dataclass(frozen=True)
class Case:
    """One thing to work out.

    Attributes:
        name: What the table calls it, and what ``--only`` takes.
        probe: The outcome whose chance is compared.
        ours: The snippet for oddsmith.
        icepool: The snippet for icepool; None where it is not run.
        dyce: The snippet for dyce; None where it is not run.
        raised: Whether icepool is run with a raised recursion limit, too.
        open: Whether our answer is open-ended.
        cut: Whether peers cut the explosions; the probe then lies below the cut.
        note: What a reader has to know.
    """

    name: str
    probe: int
    ours: str
    icepool: str | None = None
    dyce: str | None = None
    raised: bool = False
    open: bool = False
    cut: bool = False
    note: str = ""

    def snippets(self) -> dict[str, str]:
        """The work of each contender, with the reading at its end."""
        code = {OURS: self.ours, ICEPOOL: self.icepool, DYCE: self.dyce}
        if self.raised:
            code[RAISED] = self.icepool
        reads = {**READ, OURS: READ_OPEN} if self.open else READ
        return {
            who: f"{work}\n{reads[who].format(probe=self.probe)}"
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
)

STARTS = {
    'odds "3d6 >= 11"': ("odds", "3d6 >= 11"),
    'python -c "import icepool"': ("python", "-c", "import icepool"),
    'python -c "import dyce"': ("python", "-c", "import dyce"),
    'python -c "import flint, click"': ("python", "-c", "import flint, click"),
}
"""Whole processes; the first is ours."""
