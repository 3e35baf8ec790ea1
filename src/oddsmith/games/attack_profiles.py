"""What attack sequences are made of: weapons, targets and the editions of their rules, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oddsmith.dist import as_dist
from oddsmith.errors import RuleError
from oddsmith.mechanics.allocation import Models, Unit
from oddsmith.record import Record

if TYPE_CHECKING:
    from fractions import Fraction

LARGEST = 10_000
"""So many attacks or points of damage at most."""

Sources = tuple[Any, ...]
"""Re-rolls, by words or faces; see :func:`oddsmith.games.attack_rolls.again`."""


class Edition(Record):
    """The rules of one edition.

    Attributes:
        name: What it is called.
        hit_cap: The most that modifiers change a hit roll; None for no cap.
        wound_cap: The same for wound rolls.
        six_hits: Whether a natural 6 always hits.
        six_wounds: Whether a natural 6 always wounds.
        save_cap: The most that cover and other bonuses together improve a save; None for no cap.
        cover_limit: A save this good or better has no cover against AP 0; None for no such rule.
        cover: What cover changes by one: the ``save``, the ``hit`` roll, or the ``skill``, which
            then stays between 2+ and 6+ and has nothing to do with the cap on modifiers.
        wound_chart: ``ratio`` (2+ at twice the toughness), ``steps`` (one for each point) or
            ``weapon`` (weapons say what they wound on).
        far_shots: Whether a need of 7+, 8+ or 9+ to hit is a 6 and then 4+, 5+ or 6.
        pierces: Each point of strength above this worsens the armour save by 1; None for none.
        spills: Whether damage goes on from model to model.
        ward_wounds: Whether a ward stops a whole wound, whatever its damage, and not each point.
        blast: ``per-five`` adds attacks; ``minimum`` raises the roll to 3 against 6 models or
            more, and to the most against 11 or more; ``none``.
        defers: Whether wounds that allow no save, and mortal wounds, are allocated after all other
            attacks of the unit, and not after those of their own weapon.
        notes: What was filled in from memory.
    """

    name: str
    hit_cap: int | None = 1
    wound_cap: int | None = 1
    six_hits: bool = True
    six_wounds: bool = True
    save_cap: int | None = 1
    cover_limit: int | None = None
    cover: str = "save"
    wound_chart: str = "ratio"
    far_shots: bool = False
    pierces: int | None = None
    spills: bool = False
    ward_wounds: bool = False
    blast: str = "per-five"
    defers: bool = False
    notes: tuple[str, ...] = ()


EDITIONS = {
    "40k-8": Edition(
        "Warhammer 40,000, 8th edition", None, None, six_hits=False, save_cap=None, blast="none",
        notes=("A natural 6 does not hit by itself: from memory of the first printing.",),
    ),
    "40k-9": Edition(
        "Warhammer 40,000, 9th edition", save_cap=None, blast="minimum",
        notes=("Blast: at least 3 against 6 models, the most against 11: from memory.",),
    ),
    "40k-10": Edition("Warhammer 40,000, 10th edition", cover_limit=3, defers=True),
    "40k-11": Edition(
        "Warhammer 40,000, 11th edition", save_cap=None, cover="skill", defers=True,
    ),
    "aos-3": Edition("Age of Sigmar, 3rd edition", wound_chart="weapon", spills=True),
    "aos-4": Edition(
        "Age of Sigmar, 4th edition", wound_chart="weapon", spills=True, cover="hit",
    ),
    "whfb-8": Edition(
        "Fantasy battle, 8th edition", None, None, save_cap=None, cover="hit",
        wound_chart="steps", far_shots=True, pierces=3, ward_wounds=True, blast="none",
        notes=("Armour, ward, poison, killing blow and multiple wounds: from memory.",),
    ),
}  # fmt: skip
"""Presets by name."""


class Weapon(Record):
    """A weapon and everything its bearers bring to it.

    Attributes:
        name: What it is called.
        count: How many models bear it.
        attacks: Attacks of each: a number or dice.
        skill: Hits on so much or more; none hits without a roll.
        strength: Against the toughness of the target.
        wound: Wounds on so much or more whatever the toughness; none uses the chart, and auto (0)
            wounds without a roll.
        ap: By how much it worsens the armour save, 0 or more.
        damage: Of each unsaved wound: a number or dice.
        hit_modifier: Added to hit rolls.
        wound_modifier: Added to wound rolls.
        reroll_hits: What hit rolls are re-rolled.
        reroll_wounds: What wound rolls are re-rolled.
        reroll_damage: What damage rolls are re-rolled: ones (the least that the dice can show), low
            (what is below their mean), all, or numbers that they show.
        critical_hit: A natural face so high or higher is a critical hit.
        critical_wound: The same for wounds (anti-X n+).
        sustained: More hits for a critical hit: a number or dice.
        lethal: Whether a critical hit wounds without a roll.
        devastating: Whether a critical wound allows no save.
        mortal_hits: Whether a critical hit ends as mortal damage, without wound roll or save.
        mortal: Mortal wounds that a critical wound adds to its damage.
        critical_damage: More damage of a critical wound: a number or dice.
        critical_ap: More AP of a critical wound.
        sustained_on: Only critical hits of so high a natural face are sustained.
        lethal_on: Only critical hits of so high a natural face are lethal.
        devastating_on: Only critical wounds of so high a natural face are devastating.
        mortal_on: Only critical wounds of so high a natural face add mortal wounds.
        rapid_fire: More attacks of each at half range.
        melta: More damage at half range.
        half_range: Whether the target is within half range.
        blast: More attacks for every five models of the target.
        indirect: Whether it fires out of sight: -1 to hit, natural 1 to 3 fail, the target has
            cover.
        overwatch: Whether only a natural 6 hits, whatever the skill.
        ignores_cover: Whether cover does not count.
        hazardous: Whether each bearer may be harmed.
        points: What a bearer costs.
    """

    name: str = "weapon"
    count: int = 1
    attacks: Any = 1
    skill: int | None = 4
    strength: int = 4
    wound: int | None = None
    ap: int = 0
    damage: Any = 1
    hit_modifier: int = 0
    wound_modifier: int = 0
    reroll_hits: Sources = ()
    reroll_wounds: Sources = ()
    reroll_damage: Sources = ()
    critical_hit: int = 6
    critical_wound: int = 6
    sustained: Any = 0
    lethal: bool = False
    devastating: bool = False
    mortal_hits: bool = False
    mortal: int = 0
    critical_damage: Any = 0
    critical_ap: int = 0
    sustained_on: int | None = None
    lethal_on: int | None = None
    devastating_on: int | None = None
    mortal_on: int | None = None
    rapid_fire: Any = 0
    melta: Any = 0
    half_range: bool = False
    blast: int = 0
    indirect: bool = False
    overwatch: bool = False
    ignores_cover: bool = False
    hazardous: bool = False
    points: Fraction | int = 0

    def checked(self) -> Weapon:
        """The weapon, once nothing about it is impossible.

        Raises:
            RuleError: With the name of the weapon and of the field.

        >>> Weapon(damage=2).checked().damage
        2
        """
        limits = {
            "count": (0, 1000), "skill": (1, 10), "strength": (1, 100), "wound": (0, 10),
            "ap": (0, 10), "hit_modifier": (-10, 10), "wound_modifier": (-10, 10),
            "critical_hit": (2, 7), "critical_wound": (2, 7), "blast": (0, 20), "mortal": (0, 20),
            "critical_ap": (0, 10), "sustained_on": (2, 6), "lethal_on": (2, 6),
            "devastating_on": (2, 6), "mortal_on": (2, 6),
        }  # fmt: skip
        for field, (low, high) in limits.items():
            _within(f"{self.name}: {field}", getattr(self, field), low, high)
        for field in ("attacks", "damage", "sustained", "rapid_fire", "melta", "critical_damage"):
            for number in as_dist(getattr(self, field)):
                if not (isinstance(number, int) and 0 <= number <= LARGEST):
                    raise RuleError(
                        f"{self.name}: {field} can be {number}, but is a whole number from 0 to "
                        f"{LARGEST:,}"
                    )
        return self


class Target(Record):
    """A unit that is attacked; like models, unless ``unit`` lists several kinds.

    Attributes:
        name: What it is called.
        toughness: Against the strength of weapons.
        save: The armour save; none for none.
        invulnerable: The save that AP does not worsen; none for none.
        ward: Feel no pain, ward or regeneration on so much or more; none for none.
        ward_mortal: The same against mortal wounds alone: those added, mortal hits, and what
            devastating wounds do.
        wounds: Of each model.
        models: How many there are.
        cover: Whether it has the benefit of cover.
        damage_set: What damage is set to before anything else, 0 or more; none for none.
        damage_less: So much less damage of each wound, at least 1 stays.
        halved: Whether damage is halved, rounding up.
        to_hit: Added to hit rolls against it.
        to_wound: Added to wound rolls against it.
        wound_fails: Natural wound rolls of so much or less fail against it (3 where 1 to 3 never
            wound), critical or not.
        save_modifier: Added to its armour saves.
        reroll_saves: What saves are re-rolled.
        first_free: Whether the damage of its first failed save becomes 0, once for all that fires.
        hurt: Points that the unit has lost before.
        points: What a model costs.
        others: Further kinds of models that are hit after the first are gone. They have their own
            saves, wounds and wards; wound rolls look at the first kind's toughness.
    """

    name: str = "target"
    toughness: int = 4
    save: int | None = 4
    invulnerable: int | None = None
    ward: int | None = None
    ward_mortal: int | None = None
    wounds: int = 1
    models: int = 1
    cover: bool = False
    damage_set: int | None = None
    damage_less: int = 0
    halved: bool = False
    to_hit: int = 0
    to_wound: int = 0
    wound_fails: int = 1
    save_modifier: int = 0
    reroll_saves: Sources = ()
    first_free: bool = False
    hurt: int = 0
    points: Fraction | int = 0
    others: tuple[Target, ...] = ()

    def checked(self) -> Target:
        """The target, once nothing about it is impossible.

        >>> Target(wounds=2).checked().unit.total
        2
        """
        limits = {
            "toughness": (1, 100), "save": (2, 7), "invulnerable": (2, 7), "ward": (2, 7),
            "wounds": (1, 100), "models": (1, 1000), "damage_less": (0, 20),
            "damage_set": (0, 20), "ward_mortal": (2, 7), "wound_fails": (0, 6),
            "hurt": (0, self.unit.total),
        }  # fmt: skip
        for field, (low, high) in limits.items():
            _within(f"{self.name}: {field}", getattr(self, field), low, high)
        for other in self.others:
            other.checked()
        return self

    @property
    def kinds(self) -> tuple[Target, ...]:
        """All kinds of models in order."""
        return (self, *self.others)

    @property
    def unit(self) -> Unit:
        """The models as damage sees them.

        >>> Target(models=3, wounds=2).unit.models
        3
        """
        return Unit(tuple(Models(kind.models, kind.wounds) for kind in self.kinds))


def _within(field: str, value: Any, low: int, high: int) -> None:
    if value is not None and not (isinstance(value, int) and low <= value <= high):
        raise RuleError(f"{field} is {value}, but lies between {low} and {high}")
