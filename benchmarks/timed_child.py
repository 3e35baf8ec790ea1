"""Run one snippet in this fresh process: a job as JSON comes in, the measurement goes out.

Imports and the warming-up are done before the clock starts; the work and the reading of its answer
are timed.
"""

from __future__ import annotations

import json
import resource
import sys
from time import perf_counter, process_time
from typing import Any


def measure(job: dict[str, str]) -> dict[str, Any]:
    """Milliseconds, by the clock and of the processor, and the probe; or the name of the error."""
    names: dict[str, Any] = {}
    exec(job["imports"], names)
    exec(job["warm_up"], names)
    work = compile(job["work"], "<work>", "exec")
    start, cpu = perf_counter(), process_time()
    try:
        exec(work, names)
    except (ArithmeticError, MemoryError, RuntimeError, ValueError) as error:
        return {"error": type(error).__name__}
    spent, worked = perf_counter() - start, process_time() - cpu
    chance = names["chance"]
    return {
        "ms": 1000 * spent,
        "cpu_ms": 1000 * worked,
        "chance": [hex(chance.numerator), hex(chance.denominator)],
        "peak_mb": peak_mb(),
    }


def peak_mb() -> float:
    """The most memory this process ever held."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


if __name__ == "__main__":
    json.dump(measure(json.load(sys.stdin)), sys.stdout)
