"""``@rule``: a plain function of faces becomes one of distributions.

The arguments are independent; every combination of their outcomes is tried and the results are
mixed exactly. A rule may start again with other arguments: ``return again(..)`` has no limit and
is solved as a process, a call of itself needs a stated depth.
"""

from __future__ import annotations

from functools import update_wrapper
from itertools import product
from typing import TYPE_CHECKING, Any, overload

from oddsmith.arguments import as_function, whole
from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.dist import FACE, Dist, as_dist, joint, mix
from oddsmith.errors import NeverEnds, OutcomeError, RuleError
from oddsmith.multiset import Multiset
from oddsmith.open_dist import OpenDist
from oddsmith.outcomes import clean
from oddsmith.process import Process

if TYPE_CHECKING:
    from collections.abc import Callable

AGAIN = "\0again"


class Rule:
    """What :func:`rule` makes of a function."""

    def __init__(self, function: Callable[..., Any], depth: int | None, last: Any) -> None:
        update_wrapper(self, as_function(function, "a rule", "rule(lambda face: face + 1)"))
        self.function, self.last = function, last
        self.depth = depth if depth is None else whole(depth, "a depth", least=0)
        self._running = 0

    def __call__(self, *args: Any, **named: Any) -> Any:
        """The distribution of the result.

        Args:
            *args: Outcomes, distributions, or pools (which arrive as sorted tuples).
            **named: The same by name.
        """
        if self.depth is not None and self._running > self.depth:
            return self.last
        self._running += 1
        try:
            result = self._mixed([*args, *named.values()], list(named))
        except RecursionError:
            name = getattr(self.function, "__name__", "the rule")
            if self.depth is not None:
                raise RuleError(
                    f"{name} cannot call itself {self.depth} times, one call within another",
                    "state a smaller depth, or return again(..) to start over",
                ) from None
            raise NeverEnds(
                f"{name} calls itself without end",
                "say how often: @rule(depth=10), or return again(..) to start over",
            ) from None
        finally:
            self._running -= 1
        if self._running == 0 and isinstance(result, Dist) and _goes_on(result):
            return self._solved(result)
        return result

    def _mixed(self, args: list[Any], names: list[str]) -> Any:
        choices = [_choices(arg) for arg in args]
        size = 1
        for pairs in choices:
            size *= len(pairs)
        afford(FACE * size, DEFAULT_BUDGET, "use arguments with fewer outcomes")
        split = len(args) - len(names)
        parts: list[tuple[Any, int]] = []
        for combination in product(*choices):
            weight = 1
            for _, ways in combination:
                weight *= ways
            values = [value for value, _ in combination]
            named = dict(zip(names, values[split:], strict=True))
            parts.append((self.function(*values[:split], **named), weight))
        return mix(parts)

    def _solved(self, result: Dist[Any]) -> Dist[Any]:
        """Starting again until nothing does."""

        def step(state: Any) -> Any:
            self._running = 1
            try:
                return as_dist(self.function(*state[1:]))
            finally:
                self._running = 0

        process = Process(result, step, end=lambda state: not _is_again(state))
        if self.depth is None:
            return process.endings()
        return process.after(self.depth).map(
            lambda outcome: self.last if _is_again(outcome) else outcome
        )


def _is_again(outcome: Any) -> bool:
    return isinstance(outcome, tuple) and len(outcome) > 0 and outcome[0] == AGAIN


def _goes_on(result: Dist[Any]) -> bool:
    return not result.is_numeric and any(map(_is_again, result))


def _choices(arg: Any) -> list[tuple[Any, int]]:
    if isinstance(arg, OpenDist):
        raise OutcomeError(
            "a rule looks at outcomes one by one, and an open-ended die has no last one",
            "clamp it first: die.clamp(high=40)",
        )
    if isinstance(arg, Multiset):
        return list(arg.rolls())
    return list(arg.weights().items()) if isinstance(arg, Dist) else [(arg, 1)]


def again(*args: Any) -> Dist[Any]:
    """Returned by a rule: start again with these arguments (outcomes or distributions).

    >>> from oddsmith import d6
    >>> @rule
    ... def until_six(rolls):
    ...     return (d6 >= 6).if_else(rolls + 1, again(min(rolls + 1, 3)))
    >>> until_six(0).p(1)
    Fraction(1, 6)
    """
    return joint(AGAIN, *(clean(arg) if not isinstance(arg, Dist) else arg for arg in args))


@overload
def rule(function: Callable[..., Any]) -> Rule: ...
@overload
def rule(*, depth: int | None = None, last: Any = 0) -> Callable[[Callable[..., Any]], Rule]: ...
def rule(function: Any = None, *, depth: int | None = None, last: Any = 0) -> Any:
    """Turn a function of outcomes into one of distributions.

    The function may return an outcome, a distribution, or :func:`again` with new arguments.

    Cost: one call for each combination of the outcomes of its arguments; a pool arrives as a
    sorted tuple, so its combinations are its sorted rolls.

    Args:
        function: The function, when used without brackets.
        depth: How many times it may call itself or start again; no limit for ``again`` when None.
        last: The result once the depth is used up.

    Raises:
        NeverEnds: When it calls itself without a depth, or can never end.
        OutcomeError: For an open-ended argument.
        TooLarge: When the arguments have too many combinations.

    >>> from oddsmith import d6, d20
    >>> @rule
    ... def damage(hit, power):
    ...     return 0 if hit < 11 else 2 * power if hit == 20 else power
    >>> damage(d20, d6).mean
    Fraction(77, 40)
    >>> @rule(depth=2)
    ... def exploding(face):
    ...     return face + exploding(d6) if face == 6 else face
    >>> exploding(d6).p(18)
    Fraction(1, 216)
    """
    if function is None:
        return lambda inner: Rule(inner, depth, last)
    return Rule(function, depth, last)
