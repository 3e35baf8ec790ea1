"""Other wargames, each a short chain of its own rules: Kings of War, Bolt Action and more."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

from oddsmith.dice import d6
from oddsmith.dist import Dist, as_dist, event, mix
from oddsmith.errors import RuleError
from oddsmith.games.catalogue import Dice, Target, call
from oddsmith.games.wargames_morale import nerve
from oddsmith.mechanics.allocation import Models, Unit, allocate, shrugged
from oddsmith.mechanics.checks import Check, Modifiers, chance

ONE, SIX = frozenset({1}), frozenset({6})
FACINGS = {"front": 1, "flank": 2, "rear": 3}
QUALITIES = {"inexperienced": 3, "regular": 4, "veteran": 5}

Facing = Literal["front", "flank", "rear"]
Quality = Literal["inexperienced", "regular", "veteran"]


def _reach(need: int, always: bool = False) -> Fraction:
    """The chance that a D6 shows so much or more; 1 never does, 6 does where it always does."""
    return chance(d6, Check(need, always_fail=ONE, always_succeed=SIX if always else frozenset()))


@call("W17", "--attacks 25 --hit 4+ --defence 4+ --waver 14 --rout 16")
def kings_of_war(
    attacks: Dice,
    hit: Target,
    defence: Target,
    crushing: int = 0,
    facing: Facing = "front",
    hurt: int = 0,
    waver: int | None = None,
    rout: int | None = None,
    inspiring: bool = False,
    six_wavers: bool = False,
) -> dict[str, Any]:
    """Damage of a unit's attacks, and the nerve of the target once it has taken it.

    A unit that took no damage does not test (from memory), and counts as steady.

    Args:
        attacks: A number or dice.
        hit: The melee or ranged value.
        defence: Of the target.
        crushing: Crushing strength, which lowers the defence.
        facing: Attacks count twice in the flank and three times in the rear.
        hurt: Damage that the target had before.
        waver: Its lower nerve value.
        rout: Its upper nerve value.
        inspiring: A rout is rolled again once.
        six_wavers: A double 6 wavers at least (from memory).

    Raises:
        RuleError: For one nerve value without the other, and an unknown facing.

    >>> found = kings_of_war(25, 4, 4, waver=14, rout=16)
    >>> found["damage"].mean, found["rout"]
    (Fraction(25, 4), Fraction(4996426307033185, 20266198323167232))
    """
    if facing not in FACINGS:
        raise RuleError(f"no facing is called {facing} (W17)", f"choose from {', '.join(FACINGS)}")
    needs = (max(2, min(6, need)) for need in (hit, defence - crushing))
    one = event(Fraction(1))
    for need in needs:
        one = event(one.p(1) * _reach(need))
    damage = (as_dist(attacks) * FACINGS[facing]) @ one
    found: dict[str, Any] = {"damage": damage}
    if waver is None and rout is None:
        return found
    if waver is None or rout is None:
        raise RuleError("nerve has two values (W17)", "write for example --waver 14 --rout 16")
    unhurt = damage.p(0)
    ends = {"steady": unhurt, "waver": Fraction(0), "rout": Fraction(0)}
    if unhurt < 1:
        total = damage.given(lambda points: points > 0) + hurt
        tested = nerve(waver, rout, total, inspiring, six_wavers=six_wavers)
        ends = {end: p + (1 - unhurt) * tested[end] for end, p in ends.items()}
    return found | ends


@call("W18", "--shots 10 --modifier -1 --quality regular")
def bolt_action(
    shots: Dice,
    modifier: int = 0,
    quality: Quality = "regular",
    armour: int | None = None,
    pen: int = 0,
) -> dict[str, Any]:
    """Casualties of small arms, or damage to armour.

    Args:
        shots: A number or dice.
        modifier: Everything that changes the 3+ to hit, such as -1 for each pin and long range.
        quality: Of the target: damage on 3+, 4+ or 5+.
        armour: Instead, an armoured target of 7 to 11.
        pen: Penetration, added to the damage roll.

    Raises:
        RuleError: For an unknown quality.

    >>> bolt_action(10, -1)["casualties"].mean, bolt_action(1, -4)["one shot hits"]
    (Fraction(5, 2), Fraction(1, 36))
    """
    if quality not in QUALITIES:
        known = ", ".join(QUALITIES)
        raise RuleError(f"no troops are called {quality} (W18)", f"choose from {known}")
    need = 3 - modifier
    hits = _reach(need) if need <= 6 else Fraction(1, 36)
    target = QUALITIES[quality] if armour is None else armour
    harms = chance(d6, Check(target, Modifiers(add=pen), always_fail=ONE))
    name = "casualties" if armour is None else "shots through"
    return {
        "one shot hits": hits,
        "one hit harms": harms,
        name: as_dist(shots) @ event(hits * harms),
    }


@call("W19", "--attacks 10 --quality 4+ --defense 4+ --ap 1")
def one_page(
    attacks: Dice,
    quality: Target,
    defense: Target,
    ap: int = 0,
    blast: int = 1,
    deadly: int = 1,
    rending: int = 0,
    furious: bool = False,
    regeneration: Target | None = None,
    tough: int = 1,
    models: int = 10,
    morale: Target | None = None,
) -> dict[str, Any]:
    """Models lost in the One Page Rules: quality to hit, defence to block, 6 always and 1 never.

    Args:
        attacks: A number or dice.
        quality: To hit.
        defense: Of the target, to block a hit.
        ap: Taken from the defence roll.
        blast: Hits that each hit becomes, at most one for each model (from memory).
        deadly: Wounds that each unblocked hit becomes, all on one model (from memory).
        rending: AP that a natural 6 to hit has at least, 0 for none (from memory).
        furious: A natural 6 to hit hits once more (from memory).
        regeneration: Each wound is ignored on so much or more (from memory).
        tough: Wounds of each model.
        models: How many there are.
        morale: The quality of the target, for a morale test.

    >>> one_page(10, 4, 4)["unblocked hits"].mean
    Fraction(5, 2)
    """
    most = max(1, min(blast, models))
    plain, sharp = (
        event(1 - _block(defense, piercing)) for piercing in (ap, max(ap, rending))
    )  # fmt: skip
    six = sharp.times(most) + plain.times(most if furious else 0)
    hit = _reach(quality, always=True)
    one: Dist[int] = mix([
        (0, 1 - hit), (plain.times(most), hit - Fraction(1, 6)), (six, Fraction(1, 6)),
    ])  # fmt: skip
    through: Dist[int] = as_dist(attacks) @ one
    keep = Fraction(1) if regeneration is None else 1 - _reach(regeneration)
    unit = Unit((Models(models, tough),))
    points = shrugged(deadly, keep)
    removed = allocate(unit, Dist([0]), through, lambda _: points)
    found: dict[str, Any] = {"unblocked hits": through, "models lost": removed.map(unit.lost)}
    if morale is not None:
        found["morale holds"] = _reach(morale, always=True)
    return found


def _block(defense: int, ap: int) -> Fraction:
    """The chance to block: a natural 6 always does, a natural 1 never."""
    return chance(d6, Check(defense, Modifiers(add=-ap), always_fail=ONE, always_succeed=SIX))


@call("W20", "--ballistic 4")
def scatter(ballistic: int = 0) -> Dist[int]:
    """How far a shot lands from its aim: 0 on a Hit!, else 2D6 less the ballistic skill.

    Args:
        ballistic: The skill, in inches.

    >>> scatter(12).p(0), scatter(0).p(0)
    (Fraction(1, 1), Fraction(1, 3))
    """
    arrow = (2 @ d6).map(lambda inches: max(0, inches - ballistic))
    found: Dist[int] = mix([(0, Fraction(1, 3)), (arrow, Fraction(2, 3))])
    return found


@call("W21", "--attacks 10 --hit 3+ --strength 4 --toughness 4 --save 3+ --breaching 6+")
def heresy(
    attacks: Dice,
    hit: Target,
    strength: int = 4,
    toughness: int = 4,
    ap: int | None = None,
    save: Target | None = None,
    invulnerable: Target | None = None,
    feel_no_pain: Target | None = None,
    damage: int = 1,
    wounds: int = 1,
    models: int = 10,
    rending: Target | None = None,
    breaching: Target | None = None,
    critical: Target | None = None,
    shred: Target | None = None,
    poisoned: Target | None = None,
    eternal: int = 0,
    deflagrate: int | None = None,
) -> dict[str, Any]:
    """Models lost in the Horus Heresy: AP ignores armour of its value or worse, or does nothing.

    Args:
        attacks: A number or dice.
        hit: To hit.
        strength: To wound.
        toughness: Of the target.
        ap: Of the weapon, such as 3; left out, none.
        save: Armour save.
        invulnerable: The save that AP does not ignore.
        feel_no_pain: Each unsaved wound is ignored on so much or more.
        damage: Of each wound.
        wounds: Of each model.
        models: How many there are.
        rending: A natural hit roll so high wounds by itself, as a wound roll of 6.
        breaching: A natural wound roll so high ignores armour.
        critical: As rending, with 1 more damage.
        shred: A natural wound roll so high has 1 more damage.
        poisoned: Such a wound roll wounds whatever the toughness.
        eternal: So much less damage of each wound, at least 1 stays.
        deflagrate: Strength of as many more hits as there were unsaved wounds.

    >>> heresy(1, 1, save=3, breaching=6)["unsaved wounds"].p(1)
    Fraction(25, 108)
    """
    need = old_chart(strength, toughness)
    unhurt = {
        False: _unsaved(save, invulnerable, feel_no_pain, ap),
        True: _unsaved(save, invulnerable, feel_no_pain, 2),
    }

    def over(face: int, least: int | None) -> bool:
        return least is not None and face >= least

    parts: dict[int, Fraction] = {}
    for face, wound in ((face, wound) for face in range(1, 7) for wound in range(1, 7)):
        if face == 1 or face < hit:
            continue
        alone = over(face, critical) or over(face, rending)
        rolled = 6 if alone else wound
        if alone or (rolled > 1 and rolled >= need) or over(rolled, poisoned):
            through = unhurt[over(rolled, breaching)]
            more = over(face, critical) + over(rolled, shred)
            points = max(1, damage + more - eternal)
            parts[points] = parts.get(points, Fraction(0)) + through / 36
    return _allocated(attacks, parts, Unit((Models(models, wounds),)), (
        deflagrate, toughness, _unsaved(save, invulnerable, feel_no_pain, None),
    ))  # fmt: skip


def old_chart(strength: int, toughness: int) -> int:
    """What wounds: 4+ at strength = toughness, a step for each point; 7 where nothing does.

    >>> [old_chart(4, toughness) for toughness in (1, 2, 4, 6, 7, 8)]
    [2, 2, 4, 6, 6, 7]
    """
    over = toughness - strength
    return 7 if over > 3 else max(2, min(6, 4 + over))


def _unsaved(save: int | None, other: int | None, ignore: int | None, ap: int | None) -> Fraction:
    """The chance that a wound is neither saved nor ignored."""
    armour = save is not None and (ap is None or ap > save)
    saves = [need for need, counts in ((save, armour), (other, True)) if counts and need]
    through = 1 - max(map(_reach, saves), default=Fraction(0))
    return through * (1 if ignore is None else 1 - _reach(ignore))


def _allocated(
    attacks: Any,
    parts: dict[int, Fraction],
    unit: Unit,
    more: tuple[int | None, int, Fraction],
) -> dict[str, Any]:
    """Unsaved wounds and models lost, with the second group of hits where there is one.

    Given how many wounds are unsaved, the damage of each is like that of any other.
    """
    strength, toughness, through = more
    chance_of_one = sum(parts.values(), Fraction(0))
    unsaved: Dist[int] = as_dist(attacks) @ event(chance_of_one)
    points: Dist[int] = mix(parts) if chance_of_one else Dist([0])
    second = event(Fraction(0))
    if strength is not None:
        second = event(_reach(old_chart(strength, toughness)) * through)

    def removed(count: int) -> Dist[int]:
        first = allocate(unit, Dist([0]), Dist([count]), lambda _: points)
        return allocate(unit, first, count @ second, lambda _: Dist([1]))

    lost: Dist[int] = mix((removed(count), p) for count, p in unsaved.items())
    found: dict[str, Any] = {"unsaved wounds": unsaved, "models lost": lost.map(unit.lost)}
    if strength is not None:
        found["more unsaved wounds"] = unsaved @ second
    return found
