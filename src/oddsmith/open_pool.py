"""Keeping the highest or lowest of open-ended dice, exactly.

Two closed forms, and an enclosure for the rest:

* Like dice which go on in one way (with chance p the die adds f and starts again, and that is
  never less than a die that stops): sort by who goes on. With m of n dice going on, those m are
  the highest, and they are again such dice, f higher. The case m = n repeats itself, which makes a
  geometric series.
* The highest or the lowest single die of any open-ended dice: distribution functions multiply
  termwise, and the termwise product of rational series is rational.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any

from oddsmith.arguments import chance_of, number, pairs_of
from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.dist import Dist, mix
from oddsmith.enclosed import Enclosed, enclose
from oddsmith.errors import NeverEnds, RuleError
from oddsmith.exact import ratio
from oddsmith.open_dist import OpenDist
from oddsmith.pool import Pool
from oddsmith.ranks import Ranks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Group = tuple[Any, int]
LEVELS_LIMIT = 60_000_000
"""The words of work up to which the level by level form is used; beyond it stands an enclosure."""

EXTREME_LIMIT = 4_000
"""The most dice of which the highest or the lowest one is worked out; beyond, an enclosure."""

TERMWISE_LIMIT = 400
"""The largest degree of a termwise product that is worked out; beyond it there is an enclosure."""


def kept_sum(groups: Sequence[Group], first: int, last: int, depth: int = 64) -> Any:
    """The sum of the dice with ranks first..last - 1, counted from 0 at the lowest.

    Args:
        groups: Pairs of (Dist or OpenDist, number of such dice); numeric.
        first: The lowest rank kept.
        last: One past the highest rank kept.
        depth: How far an enclosure reaches: missing mass below 2**-depth for each die.

    Returns:
        A ``Dist``, an ``OpenDist``, or an ``Enclosed`` where there is no closed form.

    >>> d6 = Dist(range(1, 7))
    >>> from oddsmith.open_dist import chain
    >>> kept_sum([(chain(d6, {6}), 2)], 1, 2).mean
    Fraction(29, 5)
    """
    size = sum(count for _, count in groups)
    if first >= last:
        return Dist({0: 1})
    if not any(isinstance(die, OpenDist) for die, _ in groups):
        dice = sum((Pool.of(die, count) for die, count in groups), Pool([]))
        return dice.window(first, last).sum()
    if first == 0 and last == size:
        return sum((die.times(count) for die, count in groups), Dist({0: 1}))
    if len(groups) == 1:
        die, count = groups[0]
        parts = loop(die) if isinstance(die, OpenDist) else None
        if parts is not None:
            levels = _Levels(*parts)
            if levels.cost(count - (last - first) + 1, last - first) <= LEVELS_LIMIT:
                return levels.kept(count, first, last)
    if last - first == 1 and first in (0, size - 1):
        extreme = _extreme(groups, highest=first > 0)
        if extreme is not None:
            return extreme
    return _enclosed(groups, first, last, depth)


def loop(die: OpenDist) -> tuple[Dist[Any], Fraction, Any] | None:
    """The parts of a die that goes on in one way: (faces that stop, chance p, step f), or None.

    F = A + p * x**f * F is read off the ratio: its denominator has two terms only.

    >>> from oddsmith.open_dist import chain
    >>> loop(chain(Dist(range(1, 7)), {6}))
    (Dist({1: 1, 2: 1, 3: 1, 4: 1, 5: 1}), Fraction(1, 6), 6)
    """
    series = die.series
    terms = [(k, int(c)) for k, c in enumerate(series.up.coeffs()) if c]
    if len(terms) != 2 or series.down.degree() > 0:
        return None
    (_, bottom), (degree, top) = terms
    chance = Fraction(-top, bottom)
    if chance < 0 or min(ratio.numerators(series)) < 0:
        return None
    stop = ratio.alone(series, 1 / Fraction(bottom) / (1 - chance))
    faces = OpenDist(die.offset, die.step, stop).settled()
    assert isinstance(faces, Dist)
    step = die.step * degree
    return (faces, chance, step) if faces.high <= faces.low + step else None


class _Levels:
    """Like dice that go on in one way, sorted by how often they did."""

    def __init__(self, stop: Dist[Any], chance: Fraction, step: Any) -> None:
        self.stop, self.chance, self.step = stop, chance, step
        self.known: dict[tuple[int, int, int], Any] = {}

    def cost(self, levels: int, kept: int) -> int:
        """About what so many levels cost in words: each is a mixture of those above it.

        The degree of the last one is levels * kept * step; its numbers have some bits a level.
        """
        bits = levels * self.chance.denominator.bit_length()
        return int(levels**3 * kept * self.step * bits)

    def kept(self, count: int, first: int, last: int) -> Any:
        if first >= last:
            return Dist({0: 1})
        key = count, first, last
        if key not in self.known:
            going = [self._case(count, m, first, last) for m in range(count)]
            again = self.chance**count
            self.known[key] = mix(going) + geometric(again, self.step * (last - first))
        return self.known[key]

    def _case(self, count: int, m: int, first: int, last: int) -> tuple[Any, Fraction]:
        """Exactly m dice go on: they are the m highest."""
        low = count - m
        stopped = Pool.of(self.stop, low).window(min(first, low), min(last, low)).sum()
        inner_first, inner_last = max(first, low) - low, max(last, low) - low
        higher = self.kept(m, inner_first, inner_last) + self.step * (inner_last - inner_first)
        return stopped + higher, comb(count, m) * self.chance**m * (1 - self.chance) ** low


def geometric(chance: Fraction, step: Any) -> Any:
    """``step`` times the number of successes before the first failure.

    >>> geometric(Fraction(1, 2), 3).mean
    Fraction(3, 1)
    """
    chance, step = chance_of(chance), number(step, "a step")
    if chance == 1:
        raise NeverEnds("a success that never fails goes on without end")
    if not chance or not step:
        return Dist({0: 1})
    ratio_ = ratio.geometric(ratio.laurent({1: chance}))
    series = ratio.scaled(ratio_, 1 - chance)
    return OpenDist(0, abs(step), series if step > 0 else ratio.mirror(series))


def _extreme(groups: Sequence[Group], highest: bool) -> Any:
    """The highest or lowest of any dice by their distribution functions; None if too large."""
    if sum(count for _, count in groups) > EXTREME_LIMIT:
        return None
    dice = [OpenDist.of(die) for die, count in groups for _ in range(count)]
    if any(die.series.down.degree() > 0 for die in dice):
        return None
    if any(x.denominator != 1 for die in dice for x in (Fraction(die.step), Fraction(die.offset))):
        return None
    series = [die.on_grid(0, 1) for die in dice]
    gap = ratio.laurent({0: Fraction(1), 1: Fraction(-1)})
    below = [ratio.product(each, ratio.steps()) for each in series]
    if highest:
        joint = _termwise(below)
        return joint and OpenDist(0, 1, ratio.product(joint, gap)).settled()
    start = min(each.shift for each in series)
    ones = ratio.product(ratio.laurent({start: Fraction(1)}), ratio.steps())
    above = [ratio.plus(ones, ratio.scaled(b, Fraction(-1))) for b in below]
    joint = _termwise(above)
    if joint is None:
        return None
    rest = ratio.product(ratio.plus(ones, ratio.scaled(joint, Fraction(-1))), gap)
    return OpenDist(0, 1, rest).settled()


def _termwise(series: list[ratio.Ratio]) -> ratio.Ratio | None:
    """The termwise product of all, or None when it grows past the limit."""
    result = series[0]
    for factor in series[1:]:
        if result.up.degree() * factor.up.degree() > TERMWISE_LIMIT:
            return None
        result = ratio.termwise(result, factor)
    return result


def _enclosed(groups: Sequence[Group], first: int, last: int, depth: int) -> Any:
    """Dice cut far out; the missing mass is known, and so is where it lies at least."""
    size = sum(count for _, count in groups)
    cut = [
        (enclose(die, depth) if isinstance(die, OpenDist) else Enclosed(die), count)
        for die, count in groups
    ]
    digits = sum(count * die.mass.denominator.bit_length() for die, count in cut) // 64
    afford(digits**2 // 8, DEFAULT_BUDGET, "roll fewer open-ended dice")
    mass = Fraction(1)
    pool = Pool([])
    for die, count in cut:
        mass *= die.mass**count
        pool += Pool.of(die.part, count)
    beyond = None
    if last == size and all(die.part.low >= 0 for die, _ in cut):
        ends = [die.beyond for die, _ in cut if die.mass < 1]
        beyond = None if None in ends else min(end for end in ends if end is not None)
    return Enclosed(pool.window(first, last).sum(), mass, beyond)


class OpenPool(Ranks):
    """Open-ended dice (or totals) side by side, ranked by what they come to.

    Args:
        dice: Each kind with how many there are of it.

    >>> from oddsmith import chain, d10
    >>> chain(d10, {10}).pool(5).keep_highest(3).sum().at_least(1)
    Fraction(1, 1)
    """

    __slots__ = ("first", "groups", "last")

    def __init__(self, dice: Iterable[tuple[Any, int]]) -> None:
        example = "write for example OpenPool([(chain(d6, {6}), 3)])"
        listed = list(pairs_of(dice, "a pool", "pairs of (die, number of dice)", example))
        for _, count in listed:
            if not isinstance(count, int) or count < 0:
                raise RuleError(f"a pool cannot have {count} dice")
        self.groups = tuple((die, count) for die, count in listed if count)
        self.first, self.last = 0, self.rolled

    def __repr__(self) -> str:
        dice = " + ".join(f"{count} x {die!r}" for die, count in self.groups) or "no dice"
        return f"<OpenPool of {dice}, ranks {self.first} to {self.last} kept>"

    @property
    def rolled(self) -> int:
        """How many dice are rolled.

        >>> OpenPool([(Dist([1, 2]), 3)]).rolled
        3
        """
        return sum(count for _, count in self.groups)

    def window(self, first: int, last: int) -> OpenPool:
        self._require_ranks(first, last)
        pool = OpenPool(self.groups)
        pool.first, pool.last = first, last
        return pool

    def __add__(self, other: Any) -> OpenPool:
        """Both rolled together, in either order.

        >>> from oddsmith import chain, d6
        >>> (d6.pool(1) + chain(d6, {6}).pool(1)).highest().mean
        Fraction(931, 180)
        """
        if not isinstance(other, (OpenPool, Pool)):
            hint = "write for example die.pool(2) + d6.pool(1)"
            raise RuleError(f"{other!r} is not a pool", hint)
        if self.size != self.rolled or other.size != other.rolled:
            raise RuleError("dice were already removed from one of the pools")
        return OpenPool((*self.groups, *other.groups))

    __radd__ = __add__

    def sum(self, depth: int = 44) -> Any:
        """The kept dice added up: exact where there is a closed form, else enclosed.

        Args:
            depth: An enclosure leaves less than 2**-depth.

        >>> from oddsmith import chain, d6
        >>> chain(d6, {6}).pool(2).keep_highest().sum().at_most(5)
        Fraction(25, 36)
        """
        return kept_sum(self.groups, self.first, self.last, depth)
