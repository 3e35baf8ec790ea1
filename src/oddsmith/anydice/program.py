"""``run``: an AnyDice program to its exact outputs."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from oddsmith.anydice.runtime import BUDGET, Machine
from oddsmith.anydice.values import MOST_BITS
from oddsmith.budget import question
from oddsmith.enclosed import Enclosed
from oddsmith.record import Record

if TYPE_CHECKING:
    from oddsmith.dist import Dist


class Output(Record):
    """One output.

    Attributes:
        label: Its name.
        dist: Its distribution: a ``Dist``; an ``Enclosed`` where it is only known between two
            ends; None for an output without rows.
    """

    label: str
    dist: Any

    def p(self, outcome: int) -> Fraction | tuple[Fraction, Fraction]:
        """The chance of an outcome, or its two ends."""
        if self.dist is None:
            return Fraction(0)
        found: Fraction | tuple[Fraction, Fraction] = self.dist.p(outcome)
        return found

    @property
    def rows(self) -> list[tuple[int, Fraction]]:
        """Outcomes with their chances; lower ends where they are enclosed."""
        if self.dist is None:
            return []
        with question(BUDGET):
            if isinstance(self.dist, Enclosed):
                return [(o, p * self.dist.mass) for o, p in self.dist.part.items()]
            dist: Dist[int] = self.dist
            return dist.items()


class Run(Record):
    """What a program showed.

    Attributes:
        outputs: In order.
        warnings: What a reader has to know.
    """

    outputs: tuple[Output, ...]
    warnings: tuple[str, ...]


def run(program: str, budget: int = BUDGET) -> Run:
    """Run a program exactly.

    Args:
        program: Its text.
        budget: The work it may cost, in the units of :mod:`oddsmith.budget`.

    Raises:
        NotationError: Where the program makes no sense, with the place and the mend.
        TooLarge: Past the budget.

    >>> run("output [highest 3 of 4d6] named \\"ability\\"").outputs[0].p(18)
    Fraction(7, 432)
    """
    machine = Machine(program, budget)
    machine.run()
    outputs, notes = [], []
    for shown in machine.outputs:
        dist: Any = shown.law
        if dist is not None and shown.missing:
            dist = Enclosed(shown.law, 1 - shown.missing)
            notes.append(_enclosed(shown.label, shown.missing))
        outputs.append(Output(shown.label, dist))
    return Run(tuple(outputs), (*machine.warnings, *notes))


def _enclosed(label: str, missing: Fraction) -> str:
    """What has to be known of an output whose fractions were rounded."""
    size = -1
    while missing * 10 ** (size + 1) < 1 and size < 2_000:
        size += 1
    known = f"less than 10^-{size}" if size > 0 else f"up to {float(100 * missing):.3g} %"
    return (
        f"{label}: fractions longer than {MOST_BITS:,} bits were rounded down, so each chance lies "
        f"between what is shown and {known} more"
    )
