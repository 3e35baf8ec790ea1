"""Fights of two units as answers: what both lose, who is left, and after how many rounds."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from oddsmith.answers.attacks import reading_of
from oddsmith.answers.play import answer
from oddsmith.budget import DEFAULT_BUDGET, question
from oddsmith.games.attack_rolls import edition_called
from oddsmith.games.attack_rounds import Fight, Side, fight
from oddsmith.games.wargames_charge import charge as charge_roll
from oddsmith.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oddsmith.answers.ask import Answer
    from oddsmith.games.attack_profiles import Weapon


def fight_answers(
    first: Side,
    second: Side,
    edition: str = "40k-10",
    text: str = "attack",
    names: tuple[str, str] = ("first", "second"),
    rounds: int | None = None,
    charge: int | None = None,
    reroll: bool = False,
    overwatch: Sequence[Weapon] = (),
    at_least: int | None = None,
    budget: int | None = None,
) -> tuple[Answer, ...]:
    """What both sides lose, and who is left.

    Args:
        first: The side that attacks first.
        second: The side that is attacked.
        edition: The rules.
        text: What was asked.
        names: What the two are called.
        rounds: How often both attack; left out, the first attacks once.
        charge: The distance that 2D6 have to reach first; left out, the attack takes place.
        reroll: Whether a charge roll that is too short is rolled again.
        overwatch: What the second side fires before the charge.
        at_least: Whether the second side loses so many models, too.
        budget: The work it may cost.

    >>> from oddsmith.games.attack_profiles import Target, Weapon
    >>> one = Side((Weapon(skill=None, wound=4),), Target(save=None))
    >>> fight_answers(one, one, charge=7)[0].exact
    Fraction(7, 12)
    """
    rules = edition_called(edition)
    chance = None if charge is None else charge_roll(charge, reroll)
    with question(DEFAULT_BUDGET if budget is None else budget):
        found = fight(first, second, rules, rounds, chance, overwatch)
        parts = _parts(found, names, rounds, bool(overwatch), at_least)
    words = reading_of(first.weapons, second.stats, rules.name)
    if charge is not None:
        words += f", after a charge of {charge}" + (", once rolled again" if reroll else "")
    if overwatch:
        words += ", overwatch first"
    if rounds is not None:
        words += f", {rounds} round{'s' * (rounds != 1)}"
    answers = [answer(text, words, value, label) for label, value in parts.items()]
    answers[0] = answers[0].but(notes=rules.notes)
    return tuple(answers)


def _parts(
    found: Fight,
    names: tuple[str, str],
    rounds: int | None,
    overwatch: bool,
    at_least: int | None,
) -> dict[str, Any]:
    """Each answer by its label."""
    one, other = names
    parts: dict[str, Any] = {}
    if found.charged is not None:
        parts["the charge takes place"] = found.charged
    parts[f"models lost by {other}"] = found.lost(1)
    if at_least is not None:
        parts[f"{at_least} or more lost by {other}"] = found.lost(1).at_least(at_least)
    if rounds is not None or overwatch:
        parts[f"models lost by {one}"] = found.lost(0)
    left = found.left
    if rounds is None:
        parts[f"nobody of {other} is left"] = left.p({"the first", "nobody"})
    else:
        words = {"the first": f"only {one}", "the second": f"only {other}"}
        parts["who is left"] = left.map(lambda who: words.get(who, who))
        rows = tuple((str(number), (p,)) for number, p in found.over.items())
        if rows:
            parts["over after"] = Table("A side is gone", "rounds", "by then", ("chance",), rows)
    if rounds is not None or overwatch:
        parts["both sides"] = _both(found, names)
    return parts


def _both(found: Fight, names: tuple[str, str]) -> Table:
    """Mean and spread of what each side loses."""
    rows = []
    for name, place in zip(names, (0, 1), strict=True):
        lost = found.lost(place)
        cells = (lost.mean, lost.variance, *map(Fraction, (lost.low, lost.median, lost.high)))
        rows.append((name, cells))
    columns = ("mean", "variance", "lowest", "median", "highest")
    return Table("Models lost", "side", "readings", columns, tuple(rows), "number")
