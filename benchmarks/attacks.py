"""Attack sequences: the exact answer beside a Monte Carlo run until three digits are certain.

The simulation is written as one would write it for speed: all trials side by side in numpy, hits,
wounds and failed saves as binomial counts, and only the damage of each wound rolled by itself. It
stops once three digits of the chance are certain: when the half-width of the 99.9 % confidence
interval is below 0.0005. Its chances are typed in below, not taken from the library.
"""

from __future__ import annotations

import argparse
import platform
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from oddsmith import d3, d6
from oddsmith.games.attack_profiles import Target, Weapon
from oddsmith.games.attack_sequence import shoot

README = Path(__file__).with_name("README.md")
BEGIN, END = "<!-- attacks begin -->", "<!-- attacks end -->"
Z = 3.290526731491926
"""Standard errors of 99.9 % confidence."""
HALF_WIDTH = 0.0005
BLOCK = 50_000
"""Trials side by side."""

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Shots:
    """What the simulation knows of a weapon: chances of single rolls, as fractions of 1.

    ``critical`` of the hits are lethal where ``lethal``, and score ``sustained`` hits more;
    ``devastating`` of the wound rolls allow no save and wait until all weapons have fired.
    """

    attacks: int
    hit: float
    wound: float
    unsaved: float
    damage: tuple[int, int]
    critical: float = 0.0
    sustained: int = 0
    lethal: bool = False
    devastating: float = 0.0


@dataclass(frozen=True)
class Case:
    """A question, for both sides."""

    name: str
    weapons: tuple[Weapon, ...]
    target: Target
    at_least: int
    shots: tuple[Shots, ...]


MANY = Weapon(attacks=200, skill=3, strength=4, ap=1, damage=d6)
BOLT = Weapon(name="bolt", count=10, skill=3, ap=1)
PLASMA = Weapon(name="plasma", count=6, skill=3, strength=8, ap=3, damage=2)
MELTA = Weapon(name="melta", count=3, skill=3, strength=9, ap=4, damage=d6)
SNIPER = Weapon(
    name="sniper", attacks=20, skill=3, strength=5, ap=1, damage=d3, sustained=1, lethal=True,
    devastating=True,
)  # fmt: skip

CASES = (
    Case(
        "200 attacks of D6 damage, 30 models of 3 wounds, feel no pain 5+: 19 or more",
        (MANY,), Target(save=3, wounds=3, models=30, ward=5), 19,
        (Shots(200, 2 / 3, 1 / 2, 1 / 2, (1, 6)),),
    ),
    Case(
        "10 attacks of 1 damage, re-rolling 1s, 10 models of 1 wound: 3 or more",
        (Weapon(attacks=10, skill=3, reroll_hits=("ones",), ap=1),),
        Target(save=3, models=10), 3,
        (Shots(10, 7 / 9, 1 / 2, 1 / 2, (1, 1)),),
    ),
    Case(
        "10 bolt, 6 plasma, 3 melta, 6 models of 3 wounds: 3 or more",
        (BOLT, PLASMA, MELTA), Target(save=3, wounds=3, models=6), 3,
        (
            Shots(10, 2 / 3, 1 / 2, 1 / 2, (1, 1)),
            Shots(6, 2 / 3, 5 / 6, 5 / 6, (2, 2)),
            Shots(3, 2 / 3, 5 / 6, 1, (1, 6)),
        ),
    ),
    Case(
        "20 attacks, sustained, lethal and devastating, D3 damage, then 6 plasma, 10 models of 3 "
        "wounds: 6 or more",
        (SNIPER, PLASMA), Target(save=3, wounds=3, models=10), 6,
        (
            Shots(20, 2 / 3, 2 / 3, 1 / 2, (1, 3), 1 / 6, 1, True, 1 / 6),
            Shots(6, 2 / 3, 5 / 6, 5 / 6, (2, 2)),
        ),
    ),
)  # fmt: skip


class Trials:
    """So many trials side by side."""

    def __init__(self, case: Case, rng: np.random.Generator) -> None:
        self.rng, self.case = rng, case
        self.health, self.models = case.target.wounds, case.target.models
        ward = case.target.ward
        self.keep = 1.0 if ward is None else (ward - 1) / 6
        self.left: Array = np.full(BLOCK, self.health)
        self.dead: Array = np.zeros(BLOCK, dtype=np.int64)

    def run(self) -> Array:
        """The models lost in each trial."""
        waiting = [(self.fire(shots), shots.damage) for shots in self.case.shots]
        for wounds, damage in waiting:
            self.allocate(wounds, damage)
        return np.minimum(self.dead, self.models)

    def fire(self, shots: Shots) -> Array:
        """Fire one weapon; the devastating wounds that wait."""
        draw = self.rng.binomial
        none: Array = np.zeros(BLOCK, dtype=np.int64)
        critical = draw(shots.attacks, shots.critical, BLOCK) if shots.critical else none
        plain = (shots.hit - shots.critical) / (1 - shots.critical)
        rolls = draw(shots.attacks - critical, plain) + critical * shots.sustained
        sure = critical if shots.lethal else none
        rolls = rolls if shots.lethal else rolls + critical
        hard = draw(rolls, shots.devastating) if shots.devastating else none
        wounds = draw(rolls - hard, (shots.wound - shots.devastating) / (1 - shots.devastating))
        self.allocate(draw(wounds + sure, shots.unsaved), shots.damage)
        return hard

    def allocate(self, wounds: Array, damage: tuple[int, int]) -> None:
        """So many wounds to each unit, one after the other; only the trials that have one."""
        order = np.argsort(-wounds, kind="stable")
        counts = wounds[order]
        left, dead = self.left[order], self.dead[order]
        low, high = damage
        for number in range(1, int(counts[0]) + 1):
            many = int(np.searchsorted(-counts, -number, side="right"))
            points: Array | int = low
            if high > low:
                points = self.rng.integers(low, high + 1, many)
            if self.keep < 1:
                points = self.rng.binomial(points, self.keep, many)
            here = left[:many] - points
            fallen = here <= 0
            dead[:many] += fallen
            left[:many] = np.where(fallen, self.health, here)
        self.left[order], self.dead[order] = left, dead


def simulated(case: Case, seed: int) -> tuple[float, int, float]:
    """The chance, how many trials were needed, and how long it took in seconds."""
    rng = np.random.default_rng(seed)
    start = perf_counter()
    runs = hits = 0
    while True:
        hits += int((Trials(case, rng).run() >= case.at_least).sum())
        runs += BLOCK
        p = hits / runs
        if Z * (max(p * (1 - p), 1e-9) / runs) ** 0.5 < HALF_WIDTH:
            return p, runs, perf_counter() - start


def exactly(case: Case) -> tuple[float, float]:
    """The exact chance (rounded only to be printed), and how long it took in seconds."""
    start = perf_counter()
    found = shoot(case.weapons, case.target).models.at_least(case.at_least)
    return float(found), perf_counter() - start


def measured(case: Case, repeats: int) -> str:
    """One line of the table.

    Raises:
        SystemExit: Where the two are further apart than one and a half half-widths.
    """
    ours, theirs = [], []
    exact = estimate = 0.0
    runs = 0
    for seed in range(repeats):
        exact, seconds = exactly(case)
        ours.append(seconds)
        estimate, runs, seconds = simulated(case, seed)
        theirs.append(seconds)
        if abs(estimate - exact) > 1.5 * HALF_WIDTH:
            raise SystemExit(f"{case.name}: exactly {exact}, simulated {estimate}")
    one, other = median(ours), median(theirs)
    cells = (
        case.name, f"{100 * exact:.4f} %", f"{1000 * one:,.1f} ms", f"{100 * estimate:.2f} %",
        f"{runs:,}", f"{other:,.1f} s", f"{other / one:,.0f}x",
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


HEAD = """\
| Question | exact | time | simulated | trials needed | time | simulated / exact |
| --- | --- | --- | --- | --- | --- | --- |"""


def written(lines: list[str], repeats: int) -> None:
    """Put the table between its markers."""
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    about = (
        f"Python {platform.python_version()}, numpy {np.__version__}. Medians of {repeats} runs."
    )
    middle = "\n".join(["", "", about, "", HEAD, *lines, "", ""])
    README.write_text(f"{before}{BEGIN}{middle}{END}{after}", encoding="utf-8")


def main() -> None:
    """Measure, print, and write where it was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", type=int, help="the number of one question, from 1")
    parser.add_argument("--write", action="store_true", help="put the table into README.md")
    args = parser.parse_args()
    cases = CASES if args.only is None else CASES[args.only - 1 : args.only]
    if args.write and args.only is not None:
        parser.error("--write needs all questions, so leave --only out")
    exactly(CASES[1])
    print(HEAD)
    lines = []
    for case in cases:
        lines.append(measured(case, args.repeats))
        print(lines[-1], flush=True)
    if args.write:
        written(lines, args.repeats)


if __name__ == "__main__":
    main()
