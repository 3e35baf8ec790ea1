"""oddsmith beside icepool and dyce: medians of paired runs, every run in a fresh process.

``python benchmarks/side_by_side.py [--only NAME] [--repeats N] [--write]``
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bench_cases import (
    CASES,
    DEPTH,
    DYCE,
    ICEPOOL,
    IMPORTS,
    OURS,
    PEERS,
    RAISED,
    STARTS,
    WARM_UP,
    Case,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

HERE = Path(__file__).parent
LIMIT = 60
"""Seconds after which a peer is stopped."""
ALLOWANCE = 10
"""Seconds of work after which a contender is not run again in a case."""
QUICK, QUICK_REPEATS = 5, 25
"""Where nobody needs so many ms, a case is run so often."""

START_REPEATS = 15
MEMORY_CASE, MEMORY_LIMIT = "10,000d6", 1024
START_NAME, START_LIMIT = "start-up", 2.5
AT_LEAST = {
    "100d6": (100, PEERS),
    "1000d6": (1000, PEERS),
    "20d6kh3": (10, (ICEPOOL,)),
    "200d10kh50": (10, (ICEPOOL,)),
}
"""How many times faster than whom we mean to be in single cases."""
SLOW, BEHIND = 1000, 10
"""In all cases: never slower than a peer, and where a peer takes more than ``SLOW`` ms, at least
``BEHIND`` times faster."""
NAMES = (*(case.name for case in CASES), START_NAME)
BEGIN, END = "<!-- table begins -->", "<!-- table ends -->"


# --- everybody compiled alike


@contextmanager
def bytecode() -> Iterator[None]:
    """Everybody's bytecode in one temporary cache, as if all were installed alike.

    A checkout that was never compiled would otherwise compile itself anew in every process.
    """
    before = dict(os.environ)
    with TemporaryDirectory() as cache:
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = cache
        for package in (OURS, *PEERS):
            spec = find_spec(package)
            for folder in (spec and spec.submodule_search_locations) or ():
                command = [sys.executable, "-m", "compileall", "-q", folder]
                subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        for program, *rest in STARTS.values():
            subprocess.run([located(program), *rest], stdout=subprocess.DEVNULL, check=True)
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)


# --- one run, one contender


@dataclass
class Runs:
    """What the runs of one contender in one case came to."""

    times: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    failure: str = ""
    stopped: bool = False
    chance: Fraction | None = None
    peak_mb: float = 0.0

    @property
    def ms(self) -> float | None:
        return median(self.times) if self.times else None

    @property
    def is_wanted(self) -> bool:
        """Whether another run should follow those before it."""
        return not self.failure and not self.stopped and sum(self.times) < 1000 * ALLOWANCE

    @property
    def is_quick(self) -> bool:
        """Whether more runs cost next to nothing."""
        return self.ms is not None and self.ms < QUICK

    def add(self, found: dict[str, Any] | None) -> None:
        """Take in what one run measured; None for one that was stopped."""
        if found is None:
            self.stopped, self.times = True, []
        elif "error" in found:
            self.failure = found["error"]
        else:
            self.times.append(found["ms"])
            self.cpu.append(found["cpu_ms"])
            self.chance = Fraction(*(int(part, 16) for part in found["chance"]))
            self.peak_mb = max(self.peak_mb, found["peak_mb"])

    def text(self) -> str:
        """The cell of the table."""
        if self.stopped:
            return f"> {LIMIT} s"
        return self.failure or milliseconds(median(self.times))


def run_once(who: str, work: str) -> dict[str, Any] | None:
    """One snippet in a fresh process; None when it had to be stopped."""
    command = [sys.executable, "-W", "ignore", str(HERE / "timed_child.py")]
    job = json.dumps({"imports": IMPORTS[who], "warm_up": WARM_UP[who], "work": work})
    try:
        done = subprocess.run(
            command, input=job, capture_output=True, text=True, timeout=LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        raise SystemExit(f"{who} broke down:\n{work}\n{done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def run_case(case: Case, repeats: int) -> dict[str, Runs]:
    """All contenders in turn, again and again, every other time from the last to the first."""
    snippets = case.snippets()
    runs = {who: Runs() for who in snippets}
    place = 0
    while place < repeats or (place < QUICK_REPEATS and all(one.is_quick for one in runs.values())):
        for who in list(snippets)[:: -1 if place % 2 else 1]:
            if runs[who].is_wanted:
                runs[who].add(run_once(who, snippets[who]))
        place += 1
    if runs[OURS].ms is None:
        raise SystemExit(f"{case.name}: oddsmith gave no answer ({runs[OURS].text()})")
    check(case, runs)
    return runs


def check(case: Case, runs: dict[str, Runs]) -> None:
    """Everybody who answered has to give the same probe, as a fraction."""
    ours = runs[OURS].chance
    for who, one in runs.items():
        if one.chance is not None and one.chance != ours:
            gap = float(one.chance) - float(ours or 0)
            raise AssertionError(f"{case.name}: {who} is off by {gap:g} at {case.compared}")


def run_starts(repeats: int) -> dict[str, float]:
    """Median milliseconds of whole processes, taken in turn."""
    times: dict[str, list[float]] = {name: [] for name in STARTS}
    for _ in range(repeats):
        for name, (program, *rest) in STARTS.items():
            command = [located(program), *rest]
            start = perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            times[name].append(1000 * (perf_counter() - start))
    return {name: median(found) for name, found in times.items()}


def located(program: str) -> str:
    """The program of this environment."""
    if program == "python":
        return sys.executable
    found = shutil.which(program, path=str(Path(sys.executable).parent)) or shutil.which(program)
    if found is None:
        raise SystemExit(f"{program} is not installed")
    return found


# --- the tables


def milliseconds(value: float) -> str:
    """Three digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.{1 if value >= 10 else 2}f}"


def ratio(peer: Runs | None, ours: Runs) -> float | None:
    """How many times longer the peer takes (at least, when it was stopped)."""
    if peer is None or ours.ms is None or (peer.ms is None and not peer.stopped):
        return None
    return (1000 * LIMIT if peer.ms is None else peer.ms) / ours.ms


def ratio_text(peer: Runs | None, ours: Runs) -> str:
    """The cell of the table."""
    value = ratio(peer, ours)
    if value is None or peer is None:
        return "-"
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{'> ' if peer.stopped else ''}{value:,.{digits}f}x"


def agreement(case: Case, runs: dict[str, Runs]) -> str:
    """Whose answer was held against ours."""
    agreed = [who for who in PEERS if who in runs and runs[who].chance is not None]
    if RAISED in runs and runs[RAISED].chance is not None:
        agreed.insert(0, ICEPOOL)
    if not agreed:
        return "-"
    return f"{case.compared} exact: {', '.join(agreed)}"


def notes(case: Case, runs: dict[str, Runs]) -> str:
    """What the reader has to know."""
    found = [f"peers cut at {DEPTH}"] if case.cut else []
    if RAISED in runs:
        raised = runs[RAISED]
        times = f"{raised.text()} ({ratio_text(raised, runs[OURS])})"
        found.append(f"icepool with a raised recursion limit: {times}")
    return "; ".join([*found, case.note] if case.note else found)


def row(case: Case, runs: dict[str, Runs]) -> list[str]:
    """One case as cells."""
    cells = [case.name, runs[OURS].text()]
    cells += [runs[who].text() if who in runs else "-" for who in PEERS]
    cells += [ratio_text(runs.get(who), runs[OURS]) for who in PEERS]
    return [*cells, agreement(case, runs), notes(case, runs)]


def start_rows(starts: dict[str, float]) -> list[list[str]]:
    """Start-up times, and ours in units of each."""
    ours = next(iter(starts.values()))
    return [[f"`{n}`", milliseconds(ms), f"{ours / ms:.2f}x"] for n, ms in starts.items()]


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table, padded so that it reads well as plain text."""
    table = [list(head), *map(list, rows)]
    widths = [max(len(line[place]) for line in table) for place in range(len(head))]
    lines = [" | ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)) for line in table]
    lines.insert(1, " | ".join("-" * width for width in widths))
    return "\n".join(f"| {line} |" for line in lines)


def core_share(found: dict[str, dict[str, Runs]]) -> str:
    """How much of a core the work got: far below 100 % the machine was busy with other things."""
    runs = [one for case in found.values() for one in case.values() if not one.stopped]
    wall = sum(sum(one.times) for one in runs)
    return f"The work had {sum(sum(one.cpu) for one in runs) / wall:.0%} of a core."


def report(found: dict[str, dict[str, Runs]], starts: dict[str, float], repeats: int) -> str:
    """Everything the README shows."""
    versions = ", ".join(f"{name} {version(name)}" for name in (OURS, *PEERS))
    blocks = [
        f"Python {platform.python_version()}, {versions}. "
        f"Medians of {repeats} runs in milliseconds, of {QUICK_REPEATS} where nobody takes "
        f"{QUICK} ms; nobody is run again in a case after {ALLOWANCE} s of work in it."
    ]
    if found:
        head = ["Case", *(f"{who} ms" for who in (OURS, *PEERS))]
        head += [*(f"{who} / {OURS}" for who in PEERS), "Answers agree", "Notes"]
        rows = [row(case, found[case.name]) for case in CASES if case.name in found]
        blocks += [markdown(head, rows), core_share(found)]
    if MEMORY_CASE in found:
        peak = found[MEMORY_CASE][OURS].peak_mb
        blocks.append(f"Peak memory of {MEMORY_CASE}, the whole process: {peak:.0f} MB.")
    if starts:
        blocks.append(f"Whole processes, medians of {START_REPEATS} runs in turn:")
        blocks.append(markdown(["Command", "ms", "ours / this"], start_rows(starts)))
    return "\n\n".join(blocks)


# --- what we mean to reach


def misses(found: dict[str, dict[str, Runs]], starts: dict[str, float]) -> list[str]:
    """Where we fall short of what we mean to reach."""
    missed = [text for name, runs in found.items() for text in _case_misses(name, runs)]
    peak = found[MEMORY_CASE][OURS].peak_mb if MEMORY_CASE in found else 0
    if peak >= MEMORY_LIMIT:
        missed.append(f"{MEMORY_CASE}: {peak:.0f} MB, wanted below {MEMORY_LIMIT}")
    if starts:
        ours, *_, bare = starts.values()
        if ours > START_LIMIT * bare:
            missed.append(f"{START_NAME}: {ours / bare:.2f}x, wanted {START_LIMIT}x at most")
    return missed


def _case_misses(name: str, runs: dict[str, Runs]) -> list[str]:
    goal, whom = AT_LEAST.get(name, (1, ()))
    missed = []
    for who in (ICEPOOL, RAISED, DYCE):
        peer = runs.get(who)
        value = ratio(peer, runs[OURS])
        if peer is None or value is None:
            continue
        is_slow = peer.stopped or (peer.ms or 0) > SLOW
        least = max(
            goal if who in whom or (who == RAISED and ICEPOOL in whom) else 1,
            BEHIND if is_slow else 1,
        )
        if value < least:
            missed.append(f"{name}: {value:.2f}x {who}, wanted {least}x")
    return missed


# --- the command


def options() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    listed = "one of: " + "; ".join(NAMES).replace("%", "%%")
    parser.add_argument("--only", action="append", choices=NAMES, metavar="NAME", help=listed)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--write", action="store_true", help="put the tables into the README")
    asked = parser.parse_args()
    if asked.write and asked.only:
        parser.error("--write needs all cases, so leave --only out")
    if asked.repeats < 1:
        parser.error("--repeats must be at least 1")
    return asked


def write(text: str) -> None:
    """Put the tables between the two marks of the README."""
    readme = HERE / "README.md"
    before, _, rest = readme.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    readme.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


def run_cases(names: Sequence[str], repeats: int) -> dict[str, dict[str, Runs]]:
    """The cases of these names, telling how far we are."""
    found = {}
    for case in CASES:
        if case.name in names:
            start = perf_counter()
            found[case.name] = run_case(case, repeats)
            spent = perf_counter() - start
            print(f"{case.name}: done in {spent:.1f} s", file=sys.stderr, flush=True)
    return found


def main() -> None:
    """Measure, print, and write where it was asked for."""
    asked = options()
    names = asked.only or NAMES
    with bytecode():
        found = run_cases(names, asked.repeats)
        starts = run_starts(START_REPEATS) if START_NAME in names else {}
    text = report(found, starts, asked.repeats)
    print(text)
    print("\n".join(["", "Short of the aim:", *(misses(found, starts) or ["nothing"])]))
    if asked.write:
        write(text)


if __name__ == "__main__":
    main()
