"""From wounds to points lost: who is hit in which order, and what waits until the end.

A11  Wounds that may be saved come first, those of critical wounds after plain ones, then wounds
     that allow no save, then mortal wounds, one point each.
A12  Where the edition says so, wounds that allow no save and mortal wounds wait until all other
     attacks of the unit are allocated, weapon by weapon.
A13  The damage of the first failed save becomes 0 where the target says so, once for all weapons
     that fire together.
"""

from __future__ import annotations

from functools import cached_property, wraps
from math import prod
from typing import TYPE_CHECKING, Any, TypeVar

from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.dist import Dist, as_dist, event, joint, mix
from oddsmith.errors import RuleError
from oddsmith.exact.walk import walk
from oddsmith.games.attack_rolls import (
    Law,
    attacks_law,
    bearer_attacks,
    hit_ends,
    hit_law,
    keeps,
    points_law,
    unsaved,
    wound_ends,
    wound_law,
)
from oddsmith.mechanics.allocation import HINT, shrugged, spill
from oddsmith.mechanics.checks import CRITICAL, FAIL
from oddsmith.mechanics.symbols import vector_sum
from oddsmith.mechanics.waiting import Waiting
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from oddsmith.games.attack_profiles import Edition, Target, Weapon

PLAIN, SHARP, HARD, MORTAL_HIT, MORTAL = range(5)
"""Sorts of wounds in the order in which they are allocated: of plain wound rolls, of critical ones,
without a save, mortal damage of hits, and mortal wounds of one point."""

SORTS = 5
T = TypeVar("T")
Parts = tuple[int, int, int, int, int]
NOTHING: Parts = (0, 0, 0, 0, 0)


class Attack(Record):
    """One attack: how likely it leads to what.

    Attributes:
        hit: Fail, success and critical of its hit roll.
        wound: The same of a wound roll.
        hits: How many hits it scores.
        wounds: How many wounds, without mortal wounds that are added.
        unsaved: How many wounds that are not saved, against the first kind of models.
        parts: Wounds of every sort side by side.
    """

    hit: Law
    wound: Law
    hits: Dist[int]
    wounds: Dist[int]
    unsaved: Dist[int]
    parts: Dist[Parts]


def attack(weapon: Weapon, target: Target, edition: Edition) -> Attack:
    """What one attack leads to; everything that hangs on one die stays together.

    >>> from oddsmith.games.attack_profiles import Target, Weapon
    >>> from oddsmith.games.attack_rolls import edition_called
    >>> weapon = Weapon(skill=3, lethal=True, sustained=1)
    >>> attack(weapon, Target(save=4), edition_called("40k-10")).unsaved.mean
    Fraction(1, 4)
    """
    rolled = _after_hit(weapon, hit_ends(weapon, target, edition))
    one = _of_hit(weapon, wound_ends(weapon, target, edition))

    def outcome(state: tuple[int, int, int]) -> Any:
        rolls, lethal, mortal = state
        total: Dist[Any] = Dist([(lethal, 0, 0, mortal, 0)])
        for _ in range(rolls):
            total = total.combine(one, _together)
        return total

    parts: Dist[Any] = rolled.then(outcome)
    fails = [event(unsaved(_with_ap(weapon, sort), target, edition)) for sort in (PLAIN, SHARP)]
    lost = parts.then(
        lambda part: part[PLAIN] @ fails[0] + part[SHARP] @ fails[1] + part[HARD] + part[MORTAL_HIT]
    )
    return Attack(
        hit_law(weapon, target, edition), wound_law(weapon, target, edition), rolled.map(sum),
        parts.map(lambda part: sum(part[:MORTAL])), lost, parts,
    )  # fmt: skip


def _together(left: Parts, right: Parts) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(left, right, strict=True))


def _with_ap(weapon: Weapon, sort: int) -> Weapon:
    """The weapon with the AP of this sort of wounds."""
    return weapon.but(ap=weapon.ap + weapon.critical_ap) if sort == SHARP else weapon


def _over(face: int, least: int | None) -> bool:
    return least is None or face >= least


def _after_hit(weapon: Weapon, ends: Dist[tuple[int, str]]) -> Dist[tuple[int, int, int]]:
    """Hits that roll to wound, hits that wound by themselves, hits that are mortal damage."""
    more = as_dist(weapon.sustained)

    def outcome(end: tuple[int, str]) -> Any:
        face, word = end
        if word != CRITICAL:
            return (0, 0, 0) if word == FAIL else (1, 0, 0)
        lethal = weapon.lethal and _over(face, weapon.lethal_on)
        own = (0, 0, 1) if weapon.mortal_hits else (0, 1, 0) if lethal else (1, 0, 0)
        extra = more if _over(face, weapon.sustained_on) else Dist([0])
        return extra.map(lambda count: (own[0] + count, own[1], own[2]))

    found: Dist[Any] = ends.then(outcome)
    return found


def _of_hit(weapon: Weapon, ends: Dist[tuple[int, str]]) -> Dist[Parts]:
    """What one wound roll leads to."""
    harder = weapon.critical_ap or as_dist(weapon.critical_damage) != Dist([0])

    def outcome(end: tuple[int, str]) -> Parts:
        face, word = end
        if word != CRITICAL:
            return NOTHING if word == FAIL else (1, 0, 0, 0, 0)
        more = weapon.mortal if _over(face, weapon.mortal_on) else 0
        if weapon.devastating and _over(face, weapon.devastating_on):
            return (0, 0, 1, 0, more)
        return (0, 1, 0, 0, more) if harder else (1, 0, 0, 0, more)

    return ends.map(outcome)


# --- what a wound does


class Wound(Record):
    """What one wound of a sort does to the model in front.

    Attributes:
        points: For each kind of models the points that it loses.
        free: For each kind the same before the first failed save: (points, 1 where a save failed);
            None for a kind whose first failed save is like any other.
        mortal: Whether it comes after all other wounds.
    """

    points: tuple[Dist[int], ...]
    free: tuple[Dist[tuple[int, int]] | None, ...]
    mortal: bool = False


def _once(method: Callable[..., T]) -> Callable[..., T]:
    """A method that is worked out once for each of its arguments."""

    @wraps(method)
    def kept(self: Any, *arguments: Any) -> T:
        key = method.__name__, arguments
        if key not in self.worked_out:
            self.worked_out[key] = method(self, *arguments)
        found: T = self.worked_out[key]
        return found

    return kept


class Volley:
    """Weapons that fire together at one target, and how what they do is allocated.

    Args:
        weapons: All of them.
        target: The unit.
        edition: The rules.
        budget: The work that each step may cost.

    Raises:
        RuleError: For an impossible value, and for damage that spills over unlike models.

    >>> from oddsmith.games.attack_profiles import Target, Weapon
    >>> from oddsmith.games.attack_rolls import edition_called
    >>> guns = [Weapon(skill=None, wound=4)]
    >>> volley = Volley(guns, Target(save=None), edition_called("40k-10"))
    >>> volley.after(Dist([0]))
    Dist({0: 1, 1: 1})
    """

    def __init__(
        self,
        weapons: Sequence[Weapon],
        target: Target,
        edition: Edition,
        budget: int = DEFAULT_BUDGET,
    ) -> None:
        self.weapons = [weapon.checked() for weapon in weapons]
        self.target, self.edition, self.budget = target.checked(), edition, budget
        if edition.spills and target.others:
            raise RuleError("damage that spills needs models of one kind")
        self.unit = target.unit
        self.size = self.unit.total + 1
        self.first_free = any(kind.first_free for kind in target.kinds)
        self.waits = edition.defers and not self._commutes
        self.worked_out: dict[tuple[str, tuple[Any, ...]], Any] = {}
        self._steps: dict[Wound, list[dict[int, int]]] = {}

    @property
    def _commutes(self) -> bool:
        """Whether wounds do the same in any order, because none of their points can be lost."""
        alike = len(self.target.kinds) == 1
        return alike and (self.edition.spills or 1 in (self.target.wounds, self.target.models))

    @cached_property
    def attacks(self) -> list[Attack]:
        """One attack of each weapon."""
        return [attack(weapon, self.target, self.edition) for weapon in self.weapons]

    def after(self, start: Dist[int]) -> Dist[int]:
        """The points that the target has lost after all weapons in order.

        Args:
            start: The points that it had lost before.
        """
        held = self.begun(start)
        for place in range(len(self.weapons)):
            held = self.fired(held, place, last=place == len(self.weapons) - 1)
        return self.ended(held)

    def begun(self, start: Dist[int]) -> Pending:
        """Nothing fired yet."""
        return Pending(start, None, ())

    def fired(self, held: Pending, place: int, last: bool = False) -> Pending:
        """What is lost, and what waits, after one weapon.

        Args:
            held: What is lost and waits before.
            place: The place of the weapon in the list.
            last: Whether no other weapon fires after it.
        """
        spilled = self._spilled(place)
        if spilled is not None:
            return self.begun(spill(self.unit, held.removed, spilled))
        waits = self.waits and not (last and held.waiting is None)
        single = self._single(place, waits)
        if held.waiting is None and single is not None:
            wound = self._sorts(place, waits)[0][0]
            return self.begun(self._walked(held.removed, single, wound))
        return self._struck(held, place, waits)

    def _walked(self, start: Dist[int], wounds: Dist[int], wound: Wound) -> Dist[int]:
        """The points lost after a number of wounds that are all alike."""
        most = max(group.wounds for group in self.unit.groups)
        size = 40 * wounds.high * self.size * min(most, 20)
        afford(size * (1 + wounds.high // 80), self.budget, HINT)
        return Dist(walk(start.weights(), self._rows(wound), wounds.weights()))

    def ended(self, held: Pending) -> Dist[int]:
        """The points lost once nothing waits any more: mortal wounds of all weapons last."""
        if held.waiting is None:
            return held.removed
        waiting, left = held.waiting, list(held.sorts)
        for wound in sorted(held.sorts, key=lambda wound: wound.mortal):
            waiting = waiting.settled(left.index(wound), self._rows(wound), self.budget)
            left.remove(wound)
        return waiting.states.map(lambda state: state % self.size)

    def _struck(self, held: Pending, place: int, waits: bool) -> Pending:
        """One weapon into what is left, while some of its wounds wait."""
        now, later, each = self._sorts(place, waits)
        size = self.size * (1 + self.first_free)
        waiting = Waiting.of(held.removed, size) if held.waiting is None else held.waiting
        most = attacks_law(self.weapons[place], self.target, self.edition).high
        afford(self._about(len(waiting.counts), most, each), self.budget, HINT)
        counts = self._counts(place, waits)
        sorts = list(held.sorts)
        if now:
            steps = self._rows(now[0])
        else:
            steps, counts = [{0: 1}] * size, counts.map(lambda count: (0, *count))
        waiting = waiting.struck(counts, steps, self.budget)
        for wound in now[1:]:
            waiting = waiting.settled(len(sorts), self._rows(wound), self.budget)
        for wound in later:
            alike = [k for k, other in enumerate(sorts) if other == wound]
            others = [other for other in sorts if other.mortal == wound.mortal]
            if alike and others[-1] == wound:
                waiting = waiting.merged(alike[-1], len(sorts))
            else:
                sorts.append(wound)
        return Pending(Dist([0]), waiting, tuple(sorts))

    def _about(self, before: int, most: int, each: Dist[Any]) -> int:
        """At least what it costs to keep so many attacks apart by sorts of wounds.

        Args:
            before: Counts that are kept apart already.
            most: Attacks.
            each: The wounds of one.
        """
        highs = [max(counts) for counts in zip(*each, strict=True)]
        tuples: int = prod(most * high + 1 for high in highs) // 2 ** (len(highs) - 1)
        bits = most * each.bits()
        return 8 * before * tuples * self.size * (1 + bits // 640)

    @_once
    def _sorts(self, place: int, waits: bool) -> tuple[list[Wound], list[Wound], Dist[Any]]:
        """The sorts of wounds that an attack leads to now and later, and how many of each.

        Sorts that do the same are one. Saves that all models have alike are already rolled.
        """
        weapon, one = self.weapons[place], self.attacks[place]
        alike = len(self.target.kinds) == 1
        fails = [unsaved(_with_ap(weapon, s), self.target, self.edition) for s in (PLAIN, SHARP)]
        thin = [event(chance) if alike else Dist([1]) for chance in fails]
        counts: Dist[Any] = one.parts.then(
            lambda part: joint(part[PLAIN] @ thin[0], part[SHARP] @ thin[1], *part[HARD:])
        )
        places: list[list[int]] = []
        found: list[tuple[Wound, bool]] = []
        for sort in range(SORTS):
            if all(not count[sort] for count in counts):
                continue
            wound = self._wound(weapon, sort, alike, waits), waits and sort >= HARD
            if found and found[-1] == wound:
                places[-1].append(sort)
            else:
                found.append(wound)
                places.append([sort])
        if not found:
            return [self._wound(weapon, PLAIN, alike, waits)], [], Dist([(0,)])
        each = counts.map(lambda c: tuple(sum(c[sort] for sort in some) for some in places))
        now = [wound for wound, waits in found if not waits]
        return now, [wound for wound, waits in found if waits], each

    def _wound(self, weapon: Weapon, sort: int, rolled: bool, waits: bool) -> Wound:
        """What a wound of this sort does.

        Args:
            weapon: What did it.
            sort: Its sort.
            rolled: Whether the save has failed already.
            waits: Whether mortal wounds come after all others of the unit.
        """
        points: list[Dist[int]] = []
        free: list[Dist[tuple[int, int]] | None] = []
        critical = sort in (SHARP, HARD)
        for kind in self.target.kinds:
            if sort == MORTAL:
                law = shrugged(1, keeps(kind, mortal=True))
            else:
                law = points_law(weapon, kind, self.edition, critical, mortal=sort >= HARD)
            if sort >= HARD:
                points.append(law)
                free.append(None)
                continue
            fails = unsaved(_with_ap(weapon, sort), kind, self.edition)
            chance = 1 if rolled else fails
            points.append(mix([(law, chance), (0, 1 - chance)]))
            nothing = points_law(weapon, kind, self.edition, critical, free=True)
            first = mix([(nothing.map(lambda lost: (lost, 1)), chance), ((0, 0), 1 - chance)])
            free.append(first if kind.first_free else None)
        return Wound(tuple(points), tuple(free), mortal=waits and sort == MORTAL)

    @_once
    def _single(self, place: int, waits: bool) -> Dist[int] | None:
        """How many wounds all attacks lead to, where all are alike and none waits."""
        now, later, each = self._sorts(place, waits)
        if later or len(now) > 1 or self.first_free:
            return None
        number = attacks_law(self.weapons[place], self.target, self.edition)
        found: Dist[int] = number @ each.margin(0)
        return found

    @_once
    def _counts(self, place: int, waits: bool) -> Dist[Any]:
        """The wounds of all attacks of all bearers, sort by sort."""
        weapon, each = self.weapons[place], self._sorts(place, waits)[2]
        number = bearer_attacks(weapon, self.target, self.edition)

        def many(one: Dist[Any], count: int) -> Dist[Any]:
            none = Dist([(0,) * len(next(iter(each)))])
            return vector_sum([(one, count)], self.budget) if count else none

        if len(number) == 1:
            return many(each, weapon.count * number.high)
        bearer: Dist[Any] = number.then(lambda count: many(each, count))
        return bearer if weapon.count == 1 else many(bearer, weapon.count)

    @_once
    def _spilled(self, place: int) -> Dist[int] | None:
        """The points of damage of all attacks, where nothing of them is lost."""
        if not self.edition.spills or self.first_free:
            return None
        now, later, each = self._sorts(place, False)
        laws = [wound.points[0] for wound in (*now, *later)]
        one: Dist[int] = each.then(
            lambda counts: sum(
                (count @ law for count, law in zip(counts, laws, strict=True)), Dist([0])
            )
        )
        found: Dist[int] = attacks_law(self.weapons[place], self.target, self.edition) @ one
        return found

    def _rows(self, wound: Wound) -> list[dict[int, int]]:
        """For each state the weights of the next: points lost, and ``size`` more once a save has
        failed."""
        if wound not in self._steps:
            self._steps[wound] = [
                self._row(wound, state) for state in range(self.size * (1 + self.first_free))
            ]
        return self._steps[wound]

    def _row(self, wound: Wound, state: int) -> dict[int, int]:
        spent, removed = divmod(state, self.size)
        kind, left = self.unit.front(removed)
        if not left:
            return {state: 1}
        law: Dist[tuple[int, int]] | None = None if spent else wound.free[kind]
        if law is None:
            law = wound.points[kind].map(lambda points: (points, spent))
        row: dict[int, int] = {}
        for (points, fallen), weight in law.weights().items():
            most = self.size - 1 - removed if self.edition.spills else left
            target = removed + min(points, most) + fallen * self.size
            row[target] = row.get(target, 0) + weight
        return row


class Pending(Record):
    """What is lost, and what waits.

    Attributes:
        removed: The points lost, where nothing waits.
        waiting: States and counts, where something does or did.
        sorts: What each count stands for.
    """

    removed: Dist[int]
    waiting: Waiting | None
    sorts: tuple[Wound, ...]
