"""The rolls of a function: which names stand for them, and what is seen of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oddsmith.anydice import nodes as n
from oddsmith.anydice.reveal import Feature
from oddsmith.record import Record

if TYPE_CHECKING:
    from collections.abc import Container

    from oddsmith.anydice.values import Dice

SORT, REVERSE = "sort ?", "reverse ?"


class NotSeen(Exception):
    """A body may look at a whole roll, or cannot be written out.

    Args:
        roll: Its name, where it is known.
    """

    def __init__(self, roll: str | None = None) -> None:
        self.roll = roll


class Roll(Record):
    """What a name stands for.

    Attributes:
        dice: The rolls, as one sequence.
        order: 1 in the order of places, -1 in the opposite one, 0 in none.
    """

    dice: tuple[str, ...]
    order: int


class Rolls:
    """The rolls of one function.

    Args:
        dice: The parameters that are rolls.
        taken: The shapes of the functions of the program; they may stand for built-in ones.

    Attributes:
        named: What each name stands for; None where that depends on the roll.
        names: What the variables of the function at hand are called here.
        features: What is seen of the rolls, in the order of need, with its variable.
    """

    def __init__(self, dice: dict[str, Dice], taken: Container[str]) -> None:
        self.dice, self._taken = dice, taken
        self.named: dict[str, Roll | None] = {name: Roll((name,), 1) for name in dice}
        self.names: dict[str, str] = {}
        self.features: dict[Feature, str] = {}

    def name(self, name: str) -> str:
        """What a variable is called here: those of functions in their place have names anew."""
        return self.names.get(name, name)

    def of(self, node: Any) -> Roll | None:
        """The roll that a value is as a whole."""
        if isinstance(node, n.Variable):
            name = self.name(node.name)
            if name in self.named and self.named[name] is None:
                raise NotSeen
            return self.named.get(name)
        if isinstance(node, n.Call) and node.shape in (SORT, REVERSE):
            roll = self.of(node.args[0])
            if roll is None or node.shape in self._taken:
                return None
            return roll.but(order=1 if node.shape == SORT else -roll.order)
        if isinstance(node, n.Sequence) and all(
            part.high is None and part.times is None for part in node.parts
        ):
            return self._joined([self.of(part.low) for part in node.parts])
        return None

    def _joined(self, found: list[Roll | None]) -> Roll | None:
        """Several rolls in a row."""
        if len(found) == 1:
            return found[0]
        names = [name for roll in found if roll is not None for name in roll.dice]
        if found and None not in found and len(set(names)) == len(names):
            return Roll(tuple(names), 0)
        return None

    def size(self, roll: Roll) -> int:
        """How many dice it has."""
        return sum(self.dice[name].count for name in roll.dice)

    def faces(self, roll: Roll) -> list[int]:
        """All faces, the highest first."""
        laws = [self.dice[name].law for name in roll.dice]
        return sorted({face for law in laws if law is not None for face in law}, reverse=True)

    def seen(self, kind: str, roll: Roll, against: Any, node: Any) -> Any:
        """The variable of something that is seen."""
        one = Feature(kind, tuple(sorted(roll.dice)), against)
        name = self.features.setdefault(one, f"seen {len(self.features)}")
        return n.Variable(name, node.span)

    def sum(self, roll: Roll, node: Any) -> Any:
        """The variable of the sum."""
        return self.seen("sum", roll, None, node)

    def sum_row(self, roll: Roll, node: Any) -> Any:
        """The sum, still as a sequence."""
        part = n.Part(self.sum(roll, node), None, None, node.span)
        return n.Sequence((part,), node.span)

    def at(self, roll: Roll, places: tuple[int, ...], node: Any) -> Any:
        """The variable of the dice in some places."""
        if not roll.order:
            raise NotSeen(roll.dice[0])
        if roll.order < 0:
            places = tuple(self.size(roll) + 1 - place for place in places)
        return self.seen("at", roll, places, node)
