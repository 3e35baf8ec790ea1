"""Rolls held against the exact answer: a chi-squared test of the roller and the evaluator."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from oddsmith.answers.ask import Answer, odds
from oddsmith.dist import Dist
from oddsmith.enclosed import Enclosed
from oddsmith.notation.parser import parse
from oddsmith.notation.roll import generator, sample
from oddsmith.outcomes import sort_key

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from oddsmith.open_dist import OpenDist

LEAST = 5
"""Rolls that a cell must be expected to hold."""
ODD = 0.001
"""The p-value from which on rolls count as fitting."""


@dataclass(frozen=True)
class Fit:
    """How rolls agree with the exact odds.

    Attributes:
        text: What was rolled.
        times: How often.
        cells: How many cells the outcomes were pooled into.
        statistic: The sum of (observed - expected)^2 / expected.
        p: The chance of such a statistic or a larger one, if the odds are right.
        never: An outcome that was rolled though its exact chance is 0, or None.
    """

    text: str
    times: int
    cells: int
    statistic: float
    p: float
    never: Any = None

    def lines(self) -> list[str]:
        """The fit in words.

        >>> Fit("d6", 600, 6, 3.2, 0.6692).lines()[1:]
        ['chi-squared 3.20, 5 degrees of freedom, p-value 0.669', 'the rolls fit the exact odds']
        """
        first = f"{self.text}: {self.times:,} rolls"
        if self.never is not None:
            return [first, f"{self.never} was rolled, and the exact chance of that is 0"]
        if self.cells < 2:
            return [first, "only one outcome is possible, and the rolls show no other"]
        freedom = f"{self.cells - 1} degree{'s' if self.cells > 2 else ''} of freedom"
        return [
            first,
            f"chi-squared {self.statistic:.2f}, {freedom}, p-value {self.p:.3g}",
            "the rolls fit the exact odds" if self.p >= ODD else _surprise(self.p),
        ]


def _surprise(p: float) -> str:
    checks = f"{round(1 / p):,}" if p > 1e-12 else "more than a trillion"
    return f"such a deviation would happen once in {checks} checks"


def checked(expression: str, times: int, seed: int | None = None) -> str:
    """Roll an expression many times and hold the rolls against the exact odds.

    Args:
        expression: A text in the dice notation.
        times: How many rolls.
        seed: The same seed gives the same rolls; None gives others every time.

    Returns:
        For each result a few lines: the number of rolls, the statistic and what it means.

    Raises:
        NotationError: Where the text makes no sense, with its place.
        TooLarge: Where it is too much to work out or to roll.

    >>> print(checked("3d1", 100))
    3d1: 100 rolls
    only one outcome is possible, and the rolls show no other
    """
    return "\n".join(line for one in fits(expression, times, seed) for line in one.lines())


def fits(expression: str, times: int, seed: int | None = None) -> list[Fit]:
    """The fit of each result of an expression.

    >>> fits("d6 >= 3", 600, 1)[0].cells
    2
    """
    answers = odds(expression)
    rolled = sample(parse(expression), expression, times, generator(seed))
    columns = zip(*rolled, strict=True)
    return [fit(answer, outcomes) for answer, outcomes in zip(answers, columns, strict=True)]


def fit(answer: Answer, outcomes: Sequence[Any]) -> Fit:
    """How the outcomes of many rolls agree with an answer.

    >>> fit(odds("d6 >= 7")[0], [False] * 9 + [True]).never
    True
    """
    title, times = answer.label or answer.text, len(outcomes)
    seen = Counter(outcomes)
    chances = expected(answer, seen)
    never = [outcome for outcome in seen if not chances.get(outcome)]
    if never:
        return Fit(title, times, len(chances), float("inf"), 0.0, never[0])
    observed, wanted = pooled(chances, seen, times)
    if len(wanted) < 2:
        return Fit(title, times, 1, 0.0, 1.0)
    from scipy.stats import chisquare

    scale = times / sum(wanted)
    result = chisquare(observed, [want * scale for want in wanted])
    return Fit(title, times, len(wanted), float(result.statistic), float(result.pvalue))


def expected(answer: Answer, seen: Counter[Any]) -> dict[Any, Fraction]:
    """The chance of each outcome; where there is no end to them, up to those that were seen.

    >>> expected(odds("d6 vs d6")[0], Counter())["tie"]
    Fraction(1, 6)
    """
    if answer.contest is not None:
        sides = [(side.low + side.high) / 2 for side in answer.contest]
        return dict(zip(("win", "tie", "lose"), sides, strict=True))
    if answer.low is not None and answer.high is not None:
        chance = (answer.low + answer.high) / 2
        return {True: chance, False: 1 - chance}
    value = answer.dist
    part = value.part if isinstance(value, Enclosed) else value
    return dict(part.items()) if isinstance(part, Dist) else _windowed(part, seen)


def _windowed(law: OpenDist, seen: Counter[Any]) -> dict[Any, Fraction]:
    """The outcomes between the least and the greatest that were seen, and the tails."""
    low, high = min(seen), max(seen)
    chances = dict(law.rows(low, high))
    chances[low - 1], chances[high + 1] = law.less_than(low), law.more_than(high)
    return chances


def pooled(
    chances: dict[Any, Fraction], seen: Counter[Any], times: int
) -> tuple[list[int], list[float]]:
    """Observed and expected counts; neighbours share a cell until enough is expected in it.

    >>> chances = expected(odds("d{1:18, 2, 3}")[0], Counter())
    >>> pooled(chances, Counter({1: 60}), 60)
    ([60, 0], [54.0, 6.0])
    """
    observed, wanted = [0], [0.0]
    for outcome in sorted(chances, key=sort_key):
        if wanted[-1] >= LEAST:
            observed.append(0)
            wanted.append(0.0)
        observed[-1] += seen[outcome]
        wanted[-1] += float(chances[outcome] * times)
    if len(wanted) > 1 and wanted[-1] < LEAST:
        last_seen, last_wanted = observed.pop(), wanted.pop()
        observed[-1] += last_seen
        wanted[-1] += last_wanted
    return observed, wanted
