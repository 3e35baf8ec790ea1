"""Attack sequences: from attacks to models lost, exactly.

A1   Attacks -> hit -> wound -> save -> damage -> shrug-off -> models. Each die is re-rolled at most
     once, before modifiers; then modifiers, capped by the edition; then natural 1 and 6.
A2   A critical hit may score more hits (sustained), wound by itself (lethal), or become mortal
     damage; a critical wound may allow no save (devastating). All of one die stays together.
A3   The wound roll by the chart of the edition; modified, capped, a natural 1 fails, 6 wounds.
A4   Armour worsened by AP or the invulnerable save, whichever is better; a natural 1 fails.
A5   Damage is set, divided, added to, then reduced, at least 1; a point may be shrugged off.
A6   Damage beyond a model's wounds is lost, unless the edition lets it spill.
A7   Weapons fire one after the other into what is left.

Method: an attack becomes the distribution of the wounds it leads to, once; a number of attacks,
which may be random, composes it; models are removed by an exact walk.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from oddsmith.budget import DEFAULT_BUDGET
from oddsmith.dist import Dist
from oddsmith.games.attack_profiles import Edition, Target, Weapon
from oddsmith.games.attack_rolls import attacks_law, edition_called
from oddsmith.games.attack_volley import Attack, Volley, attack
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Attack", "Result", "attack", "shoot"]


class Result(Record):
    """What a sequence of weapons does to a target.

    Attributes:
        target: The target as it was.
        removed: The points of damage that its models lost, before and now.
        steps: Of each weapon: the distributions of attacks, hits, wounds and unsaved wounds.
    """

    target: Target
    removed: Dist[int]
    steps: tuple[tuple[str, dict[str, Dist[int]]], ...] = ()

    @property
    def models(self) -> Dist[int]:
        """How many models are lost in this sequence."""
        unit = self.target.unit
        return self.removed.map(unit.lost) - unit.lost(self.target.hurt)

    @property
    def damage(self) -> Dist[int]:
        """The points lost in this sequence."""
        return self.removed - self.target.hurt

    @property
    def points(self) -> Dist[Any]:
        """What the models that are lost cost.

        >>> shoot(Weapon(skill=None, wound=4), Target(save=None, points=20)).points
        Dist({0: 1, 20: 1})
        """
        unit, kinds = self.target.unit, self.target.kinds
        prices = [Fraction(kind.points) for kind in kinds for _ in range(kind.models)]
        before = unit.lost(self.target.hurt)
        return self.removed.map(lambda gone: sum(prices[before : unit.lost(gone)], Fraction(0)))

    @property
    def wiped_out(self) -> Fraction:
        """The chance that nobody is left."""
        return self.removed.p(self.target.unit.total)


def shoot(
    weapons: Weapon | Sequence[Weapon],
    target: Target,
    edition: str | Edition = "40k-10",
    budget: int = DEFAULT_BUDGET,
) -> Result:
    """Weapons one after the other into a target.

    Args:
        weapons: In the order in which they are fired.
        target: The unit.
        edition: The rules, by name or as data.
        budget: The work it may cost.

    Raises:
        RuleError: For an impossible value, with the weapon and the field.
        TooLarge: Past the budget.

    >>> result = shoot(Weapon(attacks=2, skill=3, lethal=True, sustained=1), Target(models=5))
    >>> result.models.mean
    Fraction(1, 2)
    """
    rules = edition_called(edition) if isinstance(edition, str) else edition
    listed = [weapons] if isinstance(weapons, Weapon) else list(weapons)
    volley = Volley(listed, target, rules, budget)
    removed = volley.after(Dist([target.hurt]))
    steps = []
    for weapon, one in zip(listed, volley.attacks, strict=True):
        number = attacks_law(weapon, target, rules)
        found = {
            "attacks": number, "hits": number @ one.hits, "wounds": number @ one.wounds,
            "unsaved wounds": number @ one.unsaved,
        }  # fmt: skip
        steps.append((weapon.name, found))
    return Result(target, removed, tuple(steps))
