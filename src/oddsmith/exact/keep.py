"""Sums of the dice that keep their rank: the kernels behind keep and drop.

Faces are numbered from low to high. A group is (number of dice, whole weight of each face); every
die of a group is alike. ``gains[f]`` is the polynomial that a kept die showing face f contributes.
The kernels return the weighted sum of products of gains over all rolls.
"""

from __future__ import annotations

from math import comb, gcd
from typing import TYPE_CHECKING

from flint import fmpz, fmpz_poly

from oddsmith.exact.lattice import Lattice, Number, canonical, gcd_of, ratio_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Group = tuple[int, "Sequence[int]"]


def all_dice(groups: Sequence[Group], gains: Sequence[fmpz_poly]) -> fmpz_poly:
    """Every die is kept: one power for each group."""
    result = fmpz_poly([1])
    for count, weights in groups:
        one = sum((gain * weight for gain, weight in zip(gains, weights, strict=True)), fmpz_poly())
        result *= one**count
    return result


def top_of_alike(
    count: int, weights: Sequence[int], gains: Sequence[fmpz_poly], keep: int
) -> fmpz_poly:
    """The highest ``keep`` of ``count`` like dice, in closed form.

    Sum over the lowest kept face v and the number a < keep of dice above it:
    C(n, a) * above**a * gain_v**(keep - a) * (weight that at least keep - a of the other n - a dice
    show v and the rest less). Cost: faces * keep products of polynomials.
    """
    result = fmpz_poly()
    if keep == 0:
        return fmpz_poly([sum(weights) ** count])
    above, below = fmpz_poly(), sum(weights)
    for face in range(len(weights) - 1, -1, -1):
        weight = weights[face]
        if not weight:
            continue
        below -= weight
        gain = gains[face]
        result += _sum_over_above(count, keep, above, weight, below, gain)
        above += gain * weight
    return result


def _sum_over_above(
    count: int, keep: int, above: fmpz_poly, weight: int, below: int, gain: fmpz_poly
) -> fmpz_poly:
    """The terms of one lowest kept face, by Horner's rule in ``above``."""
    reached = _reached(count, keep, weight, below)
    if above.degree() < 0:
        return gain**keep * reached[0]
    shift = gain.degree()
    single = all(gain[k] == 0 for k in range(shift))
    result, power = fmpz_poly(), fmpz_poly([1])
    for a in range(keep - 1, -1, -1):
        ways = fmpz(comb(count, a)) * reached[a]
        if not single:
            power = power * gain
            term = power * ways
        else:
            term = fmpz_poly([ways * gain[shift] ** (keep - a)]).left_shift(shift * (keep - a))
        result = result * above + term
    return result


def _reached(count: int, keep: int, weight: int, below: int) -> list[fmpz]:
    """For a = 0..keep - 1: the weight that keep - a or more of count - a dice show one face.

    That face has this weight, and the other dice something of total weight ``below``. Looking at
    one die gives U(a) = (w + L) * U(a + 1) - C(n - a - 1, k - a - 1) * w**(k-a-1) * L**(n-k+1).
    """
    both, rest = fmpz(weight + below), fmpz(below) ** (count - keep + 1)
    value = both ** (count - keep)
    found = []
    ways, power = fmpz(1), fmpz(1)
    for a in range(keep - 1, -1, -1):
        value = both * value - ways * power * rest
        found.append(value)
        ways = ways * (count - a) // (keep - a)
        power *= weight
    return found[::-1]


States = dict[tuple[int, ...], fmpz_poly]


def window(groups: Sequence[Group], gains: Sequence[fmpz_poly], first: int, last: int) -> fmpz_poly:
    """Dice of any kinds, those with rank first <= rank < last (from the lowest) are kept.

    Dynamic programming over the faces from high to low; the state is how many dice of each kind
    are still to be placed. Kinds that do not differ on the faces left are joined, so that dice
    with 1..n sides, which are alike once the faces above n are passed, make few states. What is
    placed below the last kept rank is settled at once.
    """
    size = sum(count for count, _ in groups)
    top, bottom = size - last, size - first
    kinds = [tuple(weights) for _, weights in groups]
    states: States = {tuple(count for count, _ in groups): fmpz_poly([1])}
    result = fmpz_poly()
    for face in range(len(gains) - 1, -1, -1):
        kinds, states = _joined(kinds, states)
        powers = [fmpz_poly([1])]
        for _ in range(min(size, last - first)):
            powers.append(powers[-1] * gains[face])
        for place, weights in enumerate(kinds):
            if weights[face]:
                states = _place(states, place, weights[face], powers, size, top, bottom)
        kinds = [weights[:face] for weights in kinds]
        left = [sum(weights) for weights in kinds]
        going: States = {}
        for state, poly in states.items():
            if size - sum(state) < bottom:
                going[state] = poly
                continue
            for count, weight in zip(state, left, strict=True):
                poly = poly * fmpz(weight) ** count
            result += poly
        states = going
    return result


def _joined(kinds: list[tuple[int, ...]], states: States) -> tuple[list[tuple[int, ...]], States]:
    """Kinds of dice whose weights on the faces left are multiples of one another become one."""
    factors = [gcd(*weights) or 1 for weights in kinds]
    bases = [tuple(w // f for w in weights) for weights, f in zip(kinds, factors, strict=True)]
    names = list(dict.fromkeys(bases))
    if len(names) == len(kinds):
        return kinds, states
    homes = [names.index(base) for base in bases]
    after: States = {}
    for state, poly in states.items():
        counts = [0] * len(names)
        for count, home, factor in zip(state, homes, factors, strict=True):
            counts[home] += count
            if factor > 1:
                poly = poly * fmpz(factor) ** count
        key = tuple(counts)
        after[key] = after[key] + poly if key in after else poly
    return names, after


def _place(
    states: States,
    place: int,
    weight: int,
    powers: list[fmpz_poly],
    size: int,
    top: int,
    bottom: int,
) -> States:
    """Let some of one kind's remaining dice show the current face; ranks count from the highest."""
    result: States = {}
    for state, poly in states.items():
        left = state[place]
        rank = size - sum(state)
        for shown in range(left + 1):
            kept = max(0, min(rank + shown, bottom) - max(rank, top))
            term = poly * powers[kept] if kept else poly
            ways = comb(left, shown) * weight**shown
            term = term * ways if ways != 1 else term
            target = (*state[:place], left - shown, *state[place + 1 :])
            result[target] = result[target] + term if target in result else term
    return result


def kept_sum(
    groups: Sequence[Group],
    gains: Sequence[Mapping[Number, int]],
    first: int,
    last: int,
) -> Lattice:
    """The sum of the gains of the dice whose rank is in first..last - 1.

    Args:
        groups: Number of dice and the weight of each face, for each kind of die.
        gains: For each face what a kept die adds: outcomes with weights of one common total.
        first: The lowest rank kept, counted from 0 at the lowest die.
        last: One past the highest rank kept.

    Returns:
        Total weights on a grid, in normal form.
    """
    low = min(min(gain) for gain in gains)
    step: Number = 0
    for gain in gains:
        for outcome in gain:
            step = gcd_of(step, outcome - low)
    step = step or 1
    polys = [_gain(gain, low, step) for gain in gains]
    size = sum(count for count, _ in groups)
    if last - first == size:
        poly = all_dice(groups, polys)
    elif len(groups) == 1 and last == size:
        poly = top_of_alike(*groups[0], polys, last - first)
    elif len(groups) == 1 and first == 0:
        count, weights = groups[0]
        poly = top_of_alike(count, weights[::-1], polys[::-1], last)
    else:
        poly = window(groups, polys, first, last)
    return canonical(low * (last - first), step, poly)


def _gain(gain: Mapping[Number, int], low: Number, step: Number) -> fmpz_poly:
    indexed = {ratio_of(outcome - low, step): weight for outcome, weight in gain.items()}
    coefficients = [0] * (max(indexed) + 1)
    for index, weight in indexed.items():
        coefficients[index] = weight
    return fmpz_poly(coefficients)
