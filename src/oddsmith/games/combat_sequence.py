"""Attack, defence, effect: the contested sequence of combat pools (C5, C9, C10, C12).

Every attack of a sequence is like the others and independent of them. So the number of hits, the
number of undefended hits and the damage are sums over the attacks, and given the number of
undefended hits the damage no longer depends on the hits.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any, Literal

from oddsmith.budget import DEFAULT_BUDGET, Work, afford, words
from oddsmith.dist import FACE, Dist, mix
from oddsmith.errors import NeverEnds, RuleError
from oddsmith.games.combat_bands import Check, check
from oddsmith.games.combat_effects import HIT_POINTS, Effect, EffectDice, Scale, effect_of
from oddsmith.open_dist import repeated
from oddsmith.record import Record

if TYPE_CHECKING:
    from oddsmith.games.combat_bands import Automatic, Width

On = Literal["attack", "defence"]
HINT = "ask for the chance in a number of rounds instead"


class Fight(Record):
    """Independent attacks, each with its own defence and its own effect (C5).

    Attributes:
        attacks: How many attack checks are made.
        attack: The attack check.
        defence: The defence as the attacker sees it, a success being one that fails; None where
            there is no defence.
        effect: The effect dice of each undefended hit.
        on: The roll on which criticals are read.
        scale: How the effect becomes damage.

    >>> one = Fight(Dist([3]), Check(6, 4), Check(6, 5).opposite(), effect_of("1d6"))
    >>> one.undefended.p(0), one.damage.at_least(7)
    (Fraction(8, 27), Fraction(119, 729))
    """

    attacks: Dist[int]
    attack: Check
    defence: Check | None
    effect: Effect
    on: On = "attack"
    scale: Scale = HIT_POINTS

    @property
    def through(self) -> Fraction:
        """The chance that a hit is not defended."""
        return Fraction(1) if self.defence is None else self.defence.success

    @property
    def hits(self) -> Dist[int]:
        """How many attacks succeed."""
        return _counted(self.attacks, self.attack.success)

    @property
    def undefended(self) -> Dist[int]:
        """How many of them are not defended: so many effects there are."""
        return _counted(self.attacks, self.attack.success * self.through)

    def effects(self) -> list[tuple[Effect, Fraction]]:
        """What an undefended hit may roll, by the band of the roll, each with a weight above 0.

        Doubled by a favourable critical (C9), halved by an unfavourable one (C10).
        """
        read = self.attack if self.on == "attack" or self.defence is None else self.defence
        found = read.outcomes()
        ways = {"favourable": "doubled", "plain": "", "unfavourable": "halved"}
        weights = {way: found[f"{band} success"] for band, way in ways.items()}
        return [
            (getattr(self.effect, way) if way else self.effect, p)
            for way, p in weights.items()
            if p
        ]

    @property
    def per_effect(self) -> Dist[Any]:
        """The damage of one undefended hit."""
        parts = [(self.scale.of(effect), p) for effect, p in self.effects()]
        nothing: Dist[Any] = Dist([0])
        return mix(parts) if parts else nothing

    @property
    def effect_dice(self) -> Dist[int]:
        """How many effect dice one attack rolls."""
        chance = self.attack.success * self.through
        parts = [(effect.dice, p) for effect, p in self.effects()]
        weight = sum((p for _, p in parts), Fraction(0))
        found: Dist[int] = mix([(0, 1 - chance), *((n, chance * p / weight) for n, p in parts)])
        return found

    @property
    def damage(self) -> Dist[Any]:
        """The damage of one round."""
        chance = self.attack.success * self.through
        single: Dist[Any] = mix([(self.per_effect, chance), (0, 1 - chance)])
        total: Dist[Any] = self.attacks @ single
        return self.scale.whole(total)

    def joint(self) -> Dist[tuple[int, int, Any]]:
        """Hits, undefended hits and damage of one round, all three together (C12)."""
        most = self.attacks.high
        cells = (most + 1) * (most + 2) * (self.per_effect.slots() * most + 1) // 4
        afford(cells * FACE, DEFAULT_BUDGET, "make fewer attacks")
        effects = {u: self.scale.whole(u @ self.per_effect).items() for u in range(most + 1)}
        table: dict[tuple[int, int, Any], Fraction] = {}
        for attacks, p in self.attacks.items():
            for hits in range(attacks + 1):
                hit = p * _binomial(attacks, hits, self.attack.success)
                for undefended in range(hits + 1) if hit else ():
                    both = hit * _binomial(hits, undefended, self.through)
                    for damage, chance in effects[undefended] if both else ():
                        key = hits, undefended, damage
                        table[key] = table.get(key, Fraction(0)) + both * chance
        found: Dist[tuple[int, int, Any]] = mix(table)
        return found

    def rounds(self, health: Fraction | int) -> Any:
        """How many rounds it takes to bring down a target of so much health.

        Raises:
            NeverEnds: Where no round ever does damage.

        >>> Fight(Dist([1]), Check(6, 4), None, effect_of("1d6")).rounds(1).mean
        Fraction(2, 1)
        """
        damage = self.damage
        if damage.high == 0:
            raise NeverEnds(
                "no round ever does damage, so the target never goes down",
                "lower the target of the attack",
            )
        points, idle = damage.given(lambda points: points > 0), damage.p(0)
        most = -(-Fraction(health) // points.low)
        if idle:
            afford(int(most) ** 3 * idle.denominator.bit_length() // 4, DEFAULT_BUDGET, HINT)
        needed = _needed(points, health)
        return needed @ (1 + repeated(Dist([1]), idle)) if idle else needed

    def found(
        self, health: Fraction | int | None, rounds: int, joint: bool, how_long: bool
    ) -> dict[str, Any]:
        """Everything about it (C12).

        Args:
            health: What the target has to lose, or None.
            rounds: How many rounds it goes on.
            joint: Also hits, undefended hits and damage together.
            how_long: Also the number of rounds until the target goes down.

        Raises:
            RuleError: For less than one round, and for a target that has nothing to lose.
        """
        if not isinstance(rounds, int) or rounds < 1:
            raise RuleError(f"a fight has 1 round or more, not {rounds} (C12)", "write 1 or more")
        if health is not None and health <= 0:
            raise RuleError(f"a target has more than {health} to lose (C12)", "write 1 or more")
        if how_long and health is None:
            raise RuleError(
                "how long it takes depends on what the target has to lose (C12)",
                "give its hit points or Hit Dice",
            )
        damage = self.damage
        together = damage if rounds == 1 else rounds @ damage
        found: dict[str, Any] = {
            "hits": self.hits,
            "undefended hits": self.undefended,
            "damage": damage,
        }
        if rounds > 1:
            found[f"damage in {rounds} rounds"] = together
        if health is not None:
            found["down in 1 round"] = damage.at_least(health)
        if health is not None and rounds > 1:
            found[f"down within {rounds} rounds"] = together.at_least(health)
        if joint:
            found["hits, undefended hits and damage"] = self.joint()
        if health is not None and how_long:
            found["round in which it goes down"] = self.rounds(health)
        return found


def fight_of(
    attack: Check,
    defence: Check | None,
    attacks: Any,
    effect: EffectDice,
    bands: tuple[Width, Width, Automatic],
    on: On,
    scale: Scale,
) -> Fight:
    """A sequence from what its rules name, the bands laid on one of its two checks.

    Args:
        attack: The attack check, without bands.
        defence: The defence check as the defender rolls it, or None.
        attacks: A number, or a ``Dist`` of it.
        effect: Effect dice.
        bands: The widths of the favourable and the unfavourable band, and what is automatic.
        on: The check they are read on; on the defence they are its worst and its best faces.
        scale: Hit points or Hit Dice.

    Raises:
        RuleError: Where a critical is read on a roll that is not made.
    """
    if on not in ("attack", "defence"):
        raise RuleError(f"no critical is read on the {on} (C8)", "write attack or defence")
    if on == "defence" and defence is None:
        raise RuleError("there is no defence to read a critical on (C8)", "give a defence")
    against = None if defence is None else defence.opposite()
    if on == "attack":
        attack = check(attack.die, attack.target, attack.roll, *bands)
    elif against is not None:
        against = check(against.die, against.target, against.roll, *bands)
    return Fight(attacks_of(attacks), attack, against, effect_of(effect), on, scale)


def _needed(points: Dist[Any], health: Fraction | int) -> Dist[int]:
    """How many rounds that do damage it takes."""
    work = Work(DEFAULT_BUDGET, HINT)
    total: Dist[Any] = Dist([0])
    chances: dict[int, Fraction] = {}
    rounds, before = 0, Fraction(0)
    while before < 1:
        work.add(5 * words(total.slots() + points.slots(), total.bits() + points.bits()))
        total = (total + points).map(lambda sum_of: min(sum_of, health))
        down = total.p(health)
        rounds += 1
        chances[rounds], before = down - before, down
    found: Dist[int] = mix(chances)
    return found


def _counted(attacks: Dist[int], chance: Fraction) -> Dist[int]:
    found: Dist[int] = attacks @ mix({1: chance, 0: 1 - chance})
    return found


def _binomial(count: int, hits: int, chance: Fraction) -> Fraction:
    return comb(count, hits) * chance**hits * (1 - chance) ** (count - hits)


def attacks_of(attacks: Any) -> Dist[int]:
    """A number of attacks, fixed or rolled (C5).

    Raises:
        RuleError: For a number of attacks that is negative, not whole or without end.

    >>> attacks_of(3)
    Dist({3: 1})
    """
    found = Dist([attacks]) if isinstance(attacks, (int, Fraction)) else attacks
    if not isinstance(found, Dist):
        raise RuleError(
            "a number of attacks has an upper end (C5)", "write a number, or dice such as 2d6"
        )
    if not all(isinstance(count, int) and count >= 0 for count in found):
        raise RuleError(f"there cannot be {found.low} attacks (C5)", "write a number of 0 or more")
    return found
