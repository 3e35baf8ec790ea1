"""Wargames: charges, morale, war machines, magic and the chains of several systems.

W1   A charge needs its distance on 2D6. A re-roll rolls all dice again, unless its rule says one.
     A swift unit rolls three dice and counts the highest two.
W2   Battle-shock is passed with the leadership or more on 2D6.
W3   A hazardous weapon harms its bearer where a D6 shows 1, once for each weapon fired.
W4   In overwatch only a natural 6 hits.
W5   Close combat hits on 3+ against a lower weapon skill, on 5+ against more than twice one's own,
     else on 4+. Shooting needs 7 less the ballistic skill; 7+, 8+ and 9+ are a 6 and then 4+, 5+
     and 6; more is impossible. Modifiers have no cap.
W6   Wounds need 4+ at strength = toughness, one more or less for each point, 2+ to 6+. Strength
     over 3 worsens armour by as much; a ward stops a whole wound.
W7   Poison: a natural 6 to hit wounds. Killing blow: a natural 6 to wound allows no armour save.
     Multiple wounds: an unsaved wound becomes several, no more than its model has.
W8   A leadership test needs the leadership or less on 2D6, and a double 1 passes. Cold-blooded
     units roll three dice and count the lowest two. One re-roll.
W9   A break test takes the difference of the combat from the leadership, unless the unit is
     stubborn or steadfast. A double 1 stands whatever the difference.
W10  A cannonball flies an artillery die beyond its aim and bounces a second one. A Misfire at
     first spoils the shot; on the bounce it stops the ball.
W11  A stone lands on its aim on a Hit!, else an artillery die off; a Misfire spoils even a Hit!.
W12  A misfire is looked up on the chart of the machine with a D6.
W13  2D6 power dice; dispel dice are the higher of the two; each channelling wizard adds one on a
     6; no pool holds more than 12.
W14  A spell needs its value on its power dice with bonuses; two or more 6s are irresistible.
W15  Nerve: 2D6 with the damage of the unit wavers or routs at its two values. A double 1 is
     steady. An inspired unit rolls a rout again, once.
W16  An order is obeyed with the morale, less its pins, or less on 2D6. A double 6 goes wrong.
W17  Kings of War: hit, then reach the defence less crushing strength; both need 2+ to 6+, and a 1
     fails (from memory). Twice the attacks in the flank, three times in the rear. Then nerve.
W18  Bolt Action: 3+ with modifiers; 7+ and more is a 6 and then a 6 (from memory). Damage on 3+,
     4+ or 5+ by quality, or penetration and a D6 against armour; a natural 1 fails (from
     memory).
W19  One Page Rules: quality hits, defence blocks, a natural 6 always and a natural 1 never. Blast,
     deadly, rending, furious and regeneration are from memory.
W20  A scattering shot lands on its aim on a Hit! (2 of 6 faces), else 2D6 less ballistic skill off.
W21  Horus Heresy: rending and critical hits wound by themselves, as a wound roll of 6; breaching
     ignores armour; shred and critical hits have 1 more damage; poisoned wounds on a fixed roll;
     eternal warriors take less damage, at least 1; deflagrate adds as many hits as there were
     unsaved wounds, without AP, at 1 damage. Feel no pain stops a whole wound. AP ignores armour
     of its value or worse (from memory).
W22  A characteristic test needs the value or less on a D6; a natural 1 passes, a natural 6 fails.
W23  A combat is won by who caused more wounds with the bonuses of ranks, standard, flank and
     charge. Who lost takes a break test (W9) with the difference.
"""

from __future__ import annotations

from oddsmith.games.wargames_charge import charge, hazardous, overwatch
from oddsmith.games.wargames_fantasy import cannon, cast, fight, misfire, stone_thrower, winds
from oddsmith.games.wargames_morale import (
    battle_shock,
    break_test,
    characteristic,
    combat,
    leadership,
    nerve,
    order_test,
)
from oddsmith.games.wargames_systems import bolt_action, heresy, kings_of_war, one_page, scatter

__all__ = [
    "battle_shock", "bolt_action", "break_test", "cannon", "cast", "characteristic", "charge",
    "combat", "fight", "hazardous", "heresy", "kings_of_war", "leadership", "misfire", "nerve",
    "one_page", "order_test", "overwatch", "scatter", "stone_thrower", "winds",
]  # fmt: skip
