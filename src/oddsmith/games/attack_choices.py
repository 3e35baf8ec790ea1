"""What a player chooses in an attack sequence: re-rolls, lethal hits, order of fire, loadouts.

A10  Weapons may fire in any order; another order may kill more.

Re-rolls and lethal hits (A8, A9) are in :mod:`oddsmith.games.attack_fishing`. Every choice is the
exact optimum of one aim: the mean number of models lost, or the chance that at least so many are
lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oddsmith.budget import DEFAULT_BUDGET
from oddsmith.dist import Dist
from oddsmith.errors import RuleError
from oddsmith.games.attack_fishing import Fishing, fishing, worth_keeping
from oddsmith.games.attack_rolls import edition_called
from oddsmith.games.attack_sequence import shoot
from oddsmith.games.attack_volley import Volley
from oddsmith.record import Record
from oddsmith.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from oddsmith.games.attack_profiles import Edition, Target, Weapon
    from oddsmith.games.attack_volley import Pending

__all__ = [
    "Comparison", "Fishing", "Order", "compare", "fishing", "orders", "worth_keeping",
]  # fmt: skip

MOST_WEAPONS = 6
"""So many weapons are compared in every order."""


class Order(Record):
    """One order of fire.

    Attributes:
        places: The places of the weapons in the list that was given, as they fire.
        value: What it reaches: the mean of models lost, or the chance of at least so many.
    """

    places: tuple[int, ...]
    value: Fraction


def orders(
    weapons: Sequence[Weapon],
    target: Target,
    edition: str | Edition = "40k-10",
    at_least: int | None = None,
    budget: int = DEFAULT_BUDGET,
) -> tuple[Order, ...]:
    """Every order of fire, the best first; equal ones in the order of the list.

    Orders begin alike are worked out once up to where they part.

    Args:
        weapons: Up to six.
        target: The unit.
        edition: The rules.
        at_least: Aim for the chance that so many models are lost; left out, for their mean.
        budget: The work it may cost.

    Raises:
        RuleError: For too many weapons, or none.

    >>> from oddsmith.games.attack_profiles import Target, Weapon
    >>> guns = [Weapon(name="a", damage=2), Weapon(name="b", damage=3)]
    >>> [order.places for order in orders(guns, Target(wounds=3, models=2))]
    [(0, 1), (1, 0)]
    """
    rules = edition_called(edition) if isinstance(edition, str) else edition
    target.checked()
    if not 1 <= len(weapons) <= MOST_WEAPONS:
        raise RuleError(
            f"{len(weapons)} weapons cannot be compared in every order",
            f"give 1 to {MOST_WEAPONS}",
        )
    unit, before = target.unit, target.unit.lost(target.hurt)
    volley = Volley(weapons, target, rules, budget)

    def value(removed: Dist[int]) -> Fraction:
        lost = removed.map(unit.lost) - before
        return lost.mean if at_least is None else lost.at_least(at_least)

    found: list[Order] = []

    def go_on(fired: tuple[int, ...], held: Pending) -> None:
        if len(fired) == len(weapons):
            found.append(Order(fired, value(volley.ended(held))))
        for place in range(len(weapons)):
            if place not in fired:
                last = len(fired) == len(weapons) - 1
                go_on((*fired, place), volley.fired(held, place, last))

    go_on((), volley.begun(Dist([target.hurt])))
    return tuple(sorted(found, key=lambda order: -order.value))


class Comparison(Record):
    """Two loadouts against the same target.

    Attributes:
        first: The models that the first kills.
        second: The models that the second kills.
    """

    first: Dist[int]
    second: Dist[int]

    @property
    def contest(self) -> Dist[str]:
        """How often the first kills more (win), as many (tie) or fewer (lose), each rolled once.

        >>> from oddsmith.games.attack_profiles import Target, Weapon
        >>> compare([Weapon()], [Weapon()], Target(models=1)).contest.p("win")
        Fraction(7, 64)
        """
        return self.first.combine(
            self.second, lambda a, b: "win" if a > b else "tie" if a == b else "lose"
        )

    def table(self, names: tuple[str, str] = ("first", "second")) -> Table:
        """The chance of each of them to kill at least so many, and which is better there.

        >>> from oddsmith.games.attack_profiles import Target, Weapon
        >>> compare([Weapon(skill=3)], [Weapon()], Target()).table().cell("1", "difference")
        Fraction(1, 24)
        """
        rows = []
        for count in range(1, max(self.first.high, self.second.high, 1) + 1):
            one, other = self.first.at_least(count), self.second.at_least(count)
            rows.append((str(count), (one, other, one - other)))
        columns = (*names, "difference")
        return Table("Models lost", "at least", "chances", columns, tuple(rows))

    def better(self, count: int) -> int:
        """1 where the first is likelier to kill so many, -1 where the second is, else 0.

        >>> from oddsmith.games.attack_profiles import Target, Weapon
        >>> compare([Weapon(skill=3)], [Weapon()], Target()).better(1)
        1
        """
        one, other = self.first.at_least(count), self.second.at_least(count)
        return (one > other) - (one < other)


def compare(
    first: Sequence[Weapon],
    second: Sequence[Weapon],
    target: Target,
    edition: str | Edition = "40k-10",
    budget: int = DEFAULT_BUDGET,
) -> Comparison:
    """Two loadouts against the same target, each by itself.

    Args:
        first: Weapons in the order in which they are fired.
        second: Weapons instead.
        target: The unit.
        edition: The rules.
        budget: The work it may cost.

    >>> from oddsmith.games.attack_profiles import Target, Weapon
    >>> compare([Weapon(skill=3)], [Weapon()], Target()).first.mean
    Fraction(1, 6)
    """
    one = shoot(first, target, edition, budget)
    return Comparison(one.models, shoot(second, target, edition, budget).models)
