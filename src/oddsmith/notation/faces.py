"""Before a die is thrown: fixed numbers, kinds of dice, and which faces a condition means."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from oddsmith.dice import CATALOGUE
from oddsmith.errors import NotationError, OddsmithError, TooLarge
from oddsmith.notation import nodes as n
from oddsmith.notation.tray import number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from oddsmith.notation.cup import Cup, Kind
    from oddsmith.notation.tray import Match, Outcome

T = TypeVar("T")
MOST_FACES = 1_000_000
BETWEEN: dict[str, Callable[[Any, Any, Any], bool]] = {
    ">=": lambda face, low, _: face >= low,
    "+": lambda face, low, _: face >= low,
    ">": lambda face, low, _: face > low,
    "<=": lambda face, low, _: face <= low,
    "-": lambda face, low, _: face <= low,
    "<": lambda face, low, _: face < low,
    "..": lambda face, low, high: low <= face <= high,
}


class FaceRules:
    """What a roller must know before a die is thrown: fixed numbers, kinds of dice, conditions.

    >>> from oddsmith.notation.roll import rolls
    >>> rolls("3d{4} c{2..5}")
    ['3   3d{4} c{2..5}: 4* 4* 4*']
    """

    source: str
    cup: Cup
    lets: dict[str, n.Node]
    known: dict[Any, Any]

    def value(self, node: n.Node) -> Outcome:
        raise NotImplementedError

    def free(self, node: n.Node) -> frozenset[str]:
        raise NotImplementedError

    def fail(self, node: n.Node, message: str, hint: str = "") -> NoReturn:
        raise NotationError(message, self.source, node.span, hint)

    def guarded(self, node: n.Node, work: Callable[[], T]) -> T:
        """Run work; an error of the library gets the place of the node."""
        try:
            return work()
        except (NotationError, TooLarge):
            raise
        except OddsmithError as error:
            raise NotationError(error.message, self.source, node.span, error.hint) from error

    def lasting(self, key: Any, node: n.Node, make: Callable[[], T]) -> T:
        """What ``make`` gives; it is made once where no name has a part in it."""
        if key in self.known:
            return self.known[key]  # type: ignore[no-any-return]
        made = make()
        if not self.free(node):
            self.known[key] = made
        return made

    # --- fixed numbers

    def is_random(self, node: n.Node) -> bool:
        """Whether a node rolls dice of its own; a name stands for a roll already made."""
        return self.lasting(
            ("random", id(node)), node, lambda: any(self.rolls(part) for part in node.walk())
        )

    def rolls(self, node: n.Node) -> bool:
        if isinstance(node, n.Dice):
            nothing = isinstance(node.count, n.Number) and node.count.value == 0
            return not nothing and self.kind(node.die).size > 1
        return isinstance(node, (n.Reroll, n.Burst))

    def constant(self, node: n.Node, what: str) -> Outcome:
        """A value that is not random."""
        if self.is_random(node):
            self.fail(
                node,
                f"{what} must be a fixed number, and this is a roll",
                "name the roll first: let x = d4; then use (x) here",
            )
        return self.value(node)

    def figure(self, node: n.Node, what: str) -> int | Fraction:
        """A number that is not random."""
        value = self.constant(node, what)
        if isinstance(value, str):
            self.fail(node, f"{what} must be a number, not {value!r}")
        return value

    def whole(self, node: n.Node, what: str, least: int) -> int:
        """A whole number that is not random."""
        return self.at_least(node, self.figure(node, what), what, least)

    def at_least(self, node: n.Node, value: Outcome, what: str, least: int) -> int:
        if isinstance(value, str):
            self.fail(node, f"{what} must be a number, not {value!r}")
        if isinstance(value, Fraction):
            self.fail(node, f"{what} must be whole, not {value}", "use //, floor() or ceil()")
        if value < least:
            short = "negative" if value < 0 else "too small"
            self.fail(node, f"{what} is {value}, which is {short}", f"it must be {least} or more")
        return value

    # --- kinds of dice

    def kind(self, node: n.Node) -> Kind:
        """The kind of one die."""
        return self.lasting(
            ("kind", id(node)), node, lambda: self.guarded(node, lambda: self.new_kind(node))
        )

    def new_kind(self, node: n.Node) -> Kind:
        if isinstance(node, n.Sides):
            return self.cup.sides(self.whole(node.count, "the number of sides of a die", 1))
        if isinstance(node, n.Fudge):
            return self.cup.table({-1: 1, 0: 1, 1: 1})
        if isinstance(node, n.Digits):
            return self.cup.digits(node.places)
        if isinstance(node, n.NamedDie):
            return self.cup.table(CATALOGUE[node.name].weights())
        assert isinstance(node, n.Faces)
        return self.cup.table(self.weights(node))

    def weights(self, node: n.Faces) -> dict[Outcome, int]:
        weights: dict[Outcome, int] = {}
        for item in node.items:
            weight = self.whole(item.weight, "a weight", 0) if item.weight else 1
            for face in self.faces(item):
                weights[face] = weights.get(face, 0) + weight
        if not any(weights.values()):
            self.fail(node, "every face has weight 0", "give one face a weight above 0")
        return weights

    def faces(self, item: n.Node) -> Sequence[Outcome]:
        """The faces of one entry: a number, a word, or a range."""
        assert isinstance(item, n.Item)
        if item.high is None:
            return (self.face(item.low),)
        ends = [self.figure(end, "an end of a range") for end in (item.low, item.high)]
        if any(isinstance(end, Fraction) for end in ends):
            self.fail(item, "the ends of a range must be whole", "write the faces one by one")
        low, high = int(ends[0]), int(ends[1])
        if low > high:
            self.fail(item, f"the range {low}..{high} is empty", f"write {high}..{low}")
        if high - low >= MOST_FACES:
            raise TooLarge(high - low, MOST_FACES, "use a shorter range")
        return range(low, high + 1)

    def face(self, node: n.Node) -> Outcome:
        if isinstance(node, n.Name) and node.name.lower() not in self.lets:
            return node.name
        return self.constant(node, "a face")

    # --- conditions

    def match(self, conds: tuple[n.Cond, ...]) -> Match:
        """Whether a face fits any of the conditions."""
        if len(conds) == 1:
            return self.one_match(conds[0])
        found = [self.one_match(cond) for cond in conds]
        return lambda face: any(match(face) for match in found)

    def one_match(self, cond: n.Cond) -> Match:
        return self.lasting(("match", id(cond)), cond, lambda: self.new_match(cond))

    def new_match(self, cond: n.Cond) -> Match:
        if cond.kind in ("even", "odd"):
            parity = int(cond.kind == "odd")
            return lambda face: not isinstance(face, str) and face % 2 == parity
        if cond.kind == "in":
            return self.among(cond.values)
        low, *rest = [self.constant(node, "the number in a condition") for node in cond.values]
        if cond.kind in ("=", "<>"):
            wanted, same = folded(low), cond.kind == "="
            return lambda face: (folded(face) == wanted) is same
        least, most = number(low), number(rest[0] if rest else low)
        fits = BETWEEN[cond.kind]
        return lambda face: not isinstance(face, str) and fits(face, least, most)

    def among(self, items: Sequence[n.Node]) -> Match:
        """Whether a face is in a list of faces and ranges."""
        listed = [self.faces(item) for item in items]
        ranges = [faces for faces in listed if isinstance(faces, range)]
        single = {
            folded(face) for faces in listed if not isinstance(faces, range) for face in faces
        }
        return lambda face: (
            folded(face) in single
            or any(isinstance(face, int) and face in faces for faces in ranges)
        )


def folded(outcome: Outcome) -> Outcome:
    """Text in lower case, numbers as they are.

    >>> folded("Misfire"), folded(3)
    ('misfire', 3)
    """
    return outcome.lower() if isinstance(outcome, str) else outcome
