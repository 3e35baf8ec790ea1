"""From nodes that are dice to dice on the table: throwing them, and what the modifiers do.

This goes by the meaning of the notation alone and shares no code with the exact evaluator, so that
each can be held against the other.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from oddsmith.dice import CATALOGUE
from oddsmith.errors import NeverEnds, NotationError, OddsmithError, RuleError, TooLarge
from oddsmith.notation import nodes as n
from oddsmith.notation.tray import Total, Tray, bound, compound, number, reroll

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from oddsmith.notation.tray import Cup, Kind, Match, Outcome, Trigger

T = TypeVar("T")
Faces = tuple[range, ...] | tuple[frozenset[Any]]
MOST_FACES = 1_000_000


class Hand:
    """The half of the roller that handles dice; ``value`` comes from the other half."""

    source: str
    cup: Cup
    lets: dict[str, n.Node]
    log: list[Tray]
    known: dict[Any, Any]

    def value(self, node: n.Node) -> Outcome:
        raise NotImplementedError

    def free(self, node: n.Node) -> frozenset[str]:
        raise NotImplementedError

    def named_tray(self, name: str) -> Tray | None:
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
        key = ("random", id(node))
        if key not in self.known:
            self.known[key] = any(self.rolls(part) for part in node.walk())
        return bool(self.known[key])

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

    def member(self, node: n.Node) -> Kind:
        """One member of a pool of results; a single die stays a die."""
        single = isinstance(node, n.Dice) and (
            node.count is None or (isinstance(node.count, n.Number) and node.count.value == 1)
        )
        if single:
            assert isinstance(node, n.Dice)
            return self.kind(node.die)
        return self.lasting(
            ("member", id(node)),
            node,
            lambda: Total(self.cup, node, lambda: self.aside(node), self.highest(node)),
        )

    def aside(self, node: n.Node) -> tuple[Outcome, list[Tray]]:
        """A value and the trays it was read from."""
        outer, self.log = self.log, []
        try:
            return self.value(node), self.log
        finally:
            self.log = outer

    def highest(self, node: n.Node) -> Outcome | None:
        """The highest result of a member where that is plain to see, else None."""
        if not self.is_random(node):
            return self.aside(node)[0]
        if isinstance(node, n.Dice) and not (node.count and self.is_random(node.count)):
            top = self.kind(node.die).top
            many = self.whole(node.count, "the number of dice", 0) if node.count else 1
            return None if isinstance(top, str) or top is None else top * many
        if isinstance(node, n.Binary) and node.op in "+-" and not self.is_random(node.right):
            left, right = self.highest(node.left), self.highest(node.right)
            if not isinstance(left, (str, type(None))) and not isinstance(right, (str, type(None))):
                return left + right if node.op == "+" else left - right
        return None

    # --- throws

    def is_pool(self, node: n.Node) -> bool:
        """Whether the node is dice that are not added up yet."""
        if isinstance(node, n.Modified):
            return not isinstance(node.modifiers[-1], (n.Count, n.Read))
        if isinstance(node, n.Name):
            value = self.lets.get(node.name.lower())
            return value is not None and self.is_pool(value)
        return isinstance(node, (n.Dice, n.Braces, n.Repeat))

    def tray(self, node: n.Node) -> Tray:
        """The dice a node stands for, thrown."""
        if isinstance(node, n.Dice):
            return self.dice(node)
        if isinstance(node, n.Braces):
            return self.flat(node) if node.flat else self.side_by_side(node)
        if isinstance(node, n.Repeat):
            many = self.whole(node.count, "the number of repeats", 0)
            return self.cup.tray(self.member(node.body), many)
        if isinstance(node, n.Modified) and self.is_pool(node):
            return self.changed(node, node.modifiers)
        if isinstance(node, n.Name):
            tray = self.named_tray(node.name.lower())
            if tray is not None:
                return tray.copy()
        self.fail(
            node, "these are not dice that can be kept or counted", "put the modifier behind dice"
        )

    def dice(self, node: n.Dice) -> Tray:
        kind = self.kind(node.die)
        if node.count is None:
            return self.cup.tray(kind, 1)
        many = self.at_least(node.count, self.value(node.count), "the number of dice", 0)
        return self.cup.tray(kind, many, certain=not self.is_random(node.count))

    def side_by_side(self, node: n.Braces) -> Tray:
        kinds = [self.member(item) for item in node.items]
        return Tray([kind.throw() for kind in kinds], kinds)

    def flat(self, node: n.Braces) -> Tray:
        tray = Tray([], [])
        for item in node.items:
            if not self.is_pool(item):
                shown = self.source[item.span[0] : item.span[1]]
                self.fail(
                    item,
                    f"{shown} is not dice, so it cannot lie in a pool of dice",
                    f"add it behind the brace, or make two totals: {{.., {shown}}}",
                )
            tray.join(self.tray(item))
        return tray

    # --- modifiers

    def changed(self, node: n.Modified, modifiers: tuple[Any, ...]) -> Tray:
        """The dice after the modifiers, one after the other."""
        doubled, modifiers = self.lasting(
            ("advantage", id(node), len(modifiers)),
            node,
            lambda: self.advantage(node, modifiers),
        )
        if doubled:
            assert isinstance(node.body, n.Dice)
            tray = self.cup.tray(self.kind(node.body.die), 2)
        else:
            tray = self.tray(node.body)
        for modifier in modifiers:
            self.guarded(modifier, lambda m=modifier: self.apply(tray, m))  # type: ignore[misc]
        return tray

    def advantage(
        self, node: n.Modified, modifiers: tuple[Any, ...]
    ) -> tuple[bool, tuple[Any, ...]]:
        """adv and dis: whether a second die is thrown, and the modifiers with a keep instead."""
        places = [m for m in modifiers if isinstance(m, n.Keep) and m.verb in ("adv", "dis")]
        if not places:
            return False, modifiers
        body, first = node.body, places[0]
        single = isinstance(body, n.Dice) and not (
            body.count and (self.is_random(body.count) or self.value(body.count) != 1)
        )
        verb = "kh" if first.verb == "adv" else "kl"
        if not single:
            shown = self.source[body.span[0] : body.span[1]]
            self.fail(
                first, f"{first.verb} is for a single die", f"write {{{shown}, {shown}}}{verb}1"
            )
        both = len({place.verb for place in places}) == 2
        kept = [
            replace(m, verb=verb, count=None) if m is first else m
            for m in modifiers
            if m not in places or (m is first and not both)
        ]
        return not both, tuple(kept)

    def apply(self, tray: Tray, modifier: Any) -> None:
        """One modifier acts on the dice."""
        if isinstance(modifier, n.Keep):
            self.keep(tray, modifier)
        elif isinstance(modifier, n.Reroll):
            self.reroll(tray, modifier)
        elif isinstance(modifier, n.Burst):
            self.burst(tray, modifier)
        else:
            value = self.figure(modifier.value, f"the bound of {modifier.verb}")
            low, high = (value, None) if modifier.verb == "min" else (None, value)
            tray.each(lambda die: bound(die, low, high))

    def keep(self, tray: Tray, modifier: n.Keep) -> None:
        count, certain = 1, tray.certain
        if modifier.count is not None:
            many = self.value(modifier.count)
            count = self.at_least(modifier.count, many, "the number of dice to keep or drop", 0)
            certain = certain and not self.is_random(modifier.count)
        tray.keep(modifier.verb, count if certain else min(count, len(tray.live())))

    def reroll(self, tray: Tray, modifier: n.Reroll) -> None:
        self.need_kinds(tray, "re-roll before keeping")
        if tray.rerolled and not modifier.until:
            raise RuleError(
                "a die is never re-rolled twice", "name all faces in one re-roll, such as r{1,2}"
            )
        match = self.match(modifier.conds)
        if modifier.until:
            self.must_end(tray, modifier, match)
        tray.rerolled = tray.rerolled or not modifier.until
        tray.each(lambda die: reroll(die, match, modifier.until))

    def burst(self, tray: Tray, modifier: n.Burst) -> None:
        self.need_kinds(tray, "explode before keeping")
        limit = None
        if modifier.limit is not None:
            limit = self.whole(modifier.limit, "the number of extra dice", 0)
        again, match = self.trigger(tray, modifier)
        if limit is None:
            self.must_end(tray, modifier, match)
        less = int(modifier.mark.endswith("p"))
        if modifier.mark.startswith("!!"):
            tray.each(lambda die: compound(die, again, limit, less))
        else:
            tray.burst(again, limit, less)

    def need_kinds(self, tray: Tray, hint: str) -> None:
        if tray.unlike:
            raise RuleError("it is not known which of the unlike dice this is", hint)

    def trigger(self, tray: Tray, modifier: n.Burst) -> tuple[Trigger, Match | None]:
        """Which dice explode; without a condition those that show the highest face they have."""
        if modifier.conds:
            match = self.match(modifier.conds)
            return (lambda die: match(die.natural)), match
        self.need_tops(tray)
        return (lambda die: die.natural == die.kind.top), None

    def need_tops(self, tray: Tray) -> None:
        if tray.unlike or any(kind.top is None for kind in tray.kinds):
            raise RuleError("the highest face is not known here", "write which faces, such as 5+")

    def must_end(self, tray: Tray, modifier: n.Node, match: Match | None) -> None:
        """Refuse a condition that some die can never escape."""
        for kind in tray.kinds:
            if self.lasting(
                ("every", id(modifier), kind),
                modifier,
                lambda k=kind: (
                    k.size == 1 and k.top is not None  # type: ignore[misc]
                    if match is None
                    else k.every(match)
                ),
            ):
                raise NeverEnds("every face is rolled again, so this would never end")

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
        compare: dict[str, Callable[[Any], bool]] = {
            ">=": least.__le__, "+": least.__le__, ">": least.__lt__,
            "<=": least.__ge__, "-": least.__ge__, "<": least.__gt__,
            "..": lambda face: least <= face <= most,
        }  # fmt: skip
        fits = compare[cond.kind]
        return lambda face: not isinstance(face, str) and fits(face)

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

    # --- reading

    def read_out(self, node: n.Modified) -> Outcome:
        """The number a count or another reading makes of the dice."""
        last = node.modifiers[-1]
        tray = self.changed(node, node.modifiers[:-1])
        self.log.append(tray)
        if isinstance(last, n.Count):
            tray.total = self.guarded(last, lambda: self.counted(tray, last))
        else:
            assert isinstance(last, n.Read)
            tray.total = self.guarded(last, lambda: READINGS[last.what](tray))
        return tray.total

    def counted(self, tray: Tray, count: n.Count) -> int | Fraction:
        """Successes on the dice, which are marked."""
        worth = self.worth(tray, count)
        total: int | Fraction = 0
        for die in tray.live():
            own = sum(weight for fits, weight in worth if fits(die))
            die.mark += "*" * min(own, 9) if own > 0 else "-" * min(-own, 9)
            total += own
        return total if count.floor is None else max(total, self.figure(count.floor, "the floor"))

    def worth(self, tray: Tray, count: n.Count) -> list[tuple[Trigger, int]]:
        """Conditions on a die, and what a die counts that fits."""
        found: list[tuple[Trigger, int]] = []
        for term in count.terms:
            base = self.base(tray, term)
            found.append((base, 1))
            for extra in term.extras:
                times = self.whole(extra.times, "how often a face counts", 0) if extra.times else 2
                found.append((_both(base, self.one_match(extra.cond)), times - 1))
        found += [(_on_value(self.one_match(cond)), -1) for cond in count.minus]
        return found

    def base(self, tray: Tray, term: n.Term) -> Trigger:
        if term.cond is None:
            return lambda _: True
        if term.cond.kind == "top":
            self.need_tops(tray)
            return lambda die: die.value == die.kind.top
        return _on_value(self.one_match(term.cond))


def _on_value(match: Match) -> Trigger:
    return lambda die: match(die.value)


def _both(base: Trigger, match: Match) -> Trigger:
    return lambda die: base(die) and match(die.value)


def folded(outcome: Outcome) -> Outcome:
    """Text in lower case, numbers as they are.

    >>> folded("Misfire"), folded(3)
    ('misfire', 3)
    """
    return outcome.lower() if isinstance(outcome, str) else outcome


# --- readings of all dice


def _sizes(tray: Tray) -> list[int]:
    """How many dice show each face that is there."""
    values = tray.values()
    return [values.count(face) for face in set(values)]


def _extreme(tray: Tray, verb: str) -> Outcome:
    tray.keep(verb, 1)
    return tray.sum()


def _median(tray: Tray) -> Outcome:
    values = sorted(map(number, tray.values()))
    if not values:
        raise RuleError("a pool of no dice has no median")
    half = len(values) // 2
    return values[half] if len(values) % 2 else tidy(Fraction(values[half - 1] + values[half], 2))


def _longest_run(tray: Tray) -> int:
    faces = sorted({number(value) for value in tray.values()})
    best = run = int(bool(faces))
    for before, after in pairwise(faces):
        run = run + 1 if after == before + 1 else 1
        best = max(best, run)
    return best


def tidy(value: int | Fraction) -> int | Fraction:
    """A whole number as an int.

    >>> tidy(Fraction(4, 2))
    2
    """
    return value.numerator if value.denominator == 1 else value


READINGS: dict[str, Callable[[Tray], Outcome]] = {
    "sum": Tray.sum,
    "count": lambda tray: len(tray.live()),
    "highest": lambda tray: _extreme(tray, "kh"),
    "lowest": lambda tray: _extreme(tray, "kl"),
    "median": _median,
    "product": lambda tray: prod(map(number, tray.values())),
    "sets": lambda tray: sum(size >= 2 for size in _sizes(tray)),
    "pairs": lambda tray: sum(size // 2 for size in _sizes(tray)),
    "highest set": lambda tray: max(_sizes(tray), default=0),
    "longest run": _longest_run,
    "unique": lambda tray: len(_sizes(tray)),
}
