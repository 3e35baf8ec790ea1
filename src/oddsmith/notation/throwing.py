"""From nodes that are dice to throws: which dice, and what the modifiers make of them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

from oddsmith import dice
from oddsmith.budget import DEFAULT_BUDGET, afford
from oddsmith.dist import FACE, Dist
from oddsmith.enclosed import Enclosed, enclose
from oddsmith.errors import NotationError, OddsmithError, TooLarge
from oddsmith.mechanics.explode import compound, explode, highest_face
from oddsmith.mechanics.match import Match
from oddsmith.mechanics.modify import clamp
from oddsmith.mechanics.parts import Part, Worth
from oddsmith.mechanics.reroll import reroll
from oddsmith.mechanics.sets import largest_set, longest_run, pairs, sets, unique
from oddsmith.mechanics.throw import Throw, common
from oddsmith.notation import nodes as n
from oddsmith.notation.unparse import die as die_text
from oddsmith.open_dist import OpenDist
from oddsmith.outcomes import is_number
from oddsmith.pool import Pool

if TYPE_CHECKING:
    from collections.abc import Callable

EVERY = Match(faces=frozenset(), inverted=True)
READINGS: dict[str, Callable[[Throw], Any]] = {
    "median": lambda throw: throw.read(Pool.median),
    "product": lambda throw: throw.read(Pool.product),
    "sets": sets,
    "pairs": pairs,
    "highest set": largest_set,
    "longest run": longest_run,
    "unique": unique,
}


class Throwing:
    """The half of the evaluator that handles dice; ``value`` comes from the other half."""

    source: str
    depth: int
    budget: int
    env: dict[str, Any]
    lets: dict[str, n.Node]
    inline: set[str]

    def value(self, node: n.Node) -> Any:
        raise NotImplementedError

    def fail(self, node: n.Node, message: str, hint: str = "") -> NoReturn:
        raise NotationError(message, self.source, node.span, hint)

    def guarded(self, node: n.Node, work: Callable[[], Any]) -> Any:
        """Run work; an error of the library gets the place of the node."""
        try:
            return work()
        except (NotationError, TooLarge):
            raise
        except OddsmithError as error:
            raise NotationError(error.message, self.source, node.span, error.hint) from error

    # --- constants

    def constant(self, node: n.Node, what: str) -> Any:
        """A number that is not random."""
        value = self.value(node)
        if isinstance(value, Dist) and value.slots() == 1:
            return value.low
        self.fail(
            node,
            f"{what} must be a fixed number, and this is a roll",
            "name the roll first: let x = d4; then use (x) here",
        )

    def whole(self, node: n.Node, what: str) -> int:
        """A whole number that is not random."""
        value = self.constant(node, what)
        if isinstance(value, int):
            return value
        if is_number(value):
            self.fail(
                node, f"{what} must be whole, not {value}", "use //, floor(), ceil() or round()"
            )
        self.fail(node, f"{what} must be a number, not {value!r}")

    # --- dice

    def die(self, node: n.Node) -> Dist[Any]:
        """The distribution of one die."""
        if isinstance(node, n.Sides):
            sides = self.whole(node.count, "the number of sides")
            return self.guarded(node, lambda: dice.d(sides))  # type: ignore[no-any-return]
        if isinstance(node, n.Fudge):
            return dice.dF
        if isinstance(node, n.Digits):
            return dice.digits(node.places)
        if isinstance(node, n.NamedDie):
            return dice.CATALOGUE[node.name]
        assert isinstance(node, n.Faces)
        weights: dict[Any, int] = {}
        for item in node.items:
            weight = self.whole(item.weight, "a weight") if item.weight else 1
            if weight < 0:
                self.fail(
                    item,
                    f"the weight {weight} is negative",
                    "weights count how often a face occurs",
                )
            for face in self.faces(item):
                weights[face] = weights.get(face, 0) + weight
        if not any(weights.values()):
            self.fail(node, "every face has weight 0", "give one face a weight above 0")
        return Dist(weights)

    def faces(self, item: n.Node) -> list[Any]:
        """The faces of one entry: a number, a word, or a range."""
        assert isinstance(item, n.Item)
        if item.high is None:
            return [self.face(item.low)]
        low, high = self.whole(item.low, "a range"), self.whole(item.high, "a range")
        if low > high:
            self.fail(item, f"the range {low}..{high} is empty", f"write {high}..{low}")
        if high - low > dice.MAX_SIDES:
            raise TooLarge(high - low, dice.MAX_SIDES, "use a shorter range")
        afford(FACE * (high - low + 1), DEFAULT_BUDGET, "use a shorter range")
        return list(range(low, high + 1))

    def face(self, node: n.Node) -> Any:
        if isinstance(node, n.Name) and node.name.lower() not in self.env:
            return node.name
        return self.constant(node, "a face")

    # --- throws

    def is_pool(self, node: n.Node) -> bool:
        """Whether the node is dice that are not added up yet."""
        if isinstance(node, n.Modified):
            return not isinstance(node.modifiers[-1], (n.Count, n.Read))
        if isinstance(node, n.Name):
            name = node.name.lower()
            if name in self.inline:
                return self.is_pool(self.lets[name])
            return isinstance(self.env.get(name), tuple)
        return isinstance(node, (n.Dice, n.Braces, n.Repeat))

    def throw(self, node: n.Node) -> Throw:
        """The dice a node stands for."""
        if isinstance(node, n.Dice):
            return self.dice_throw(node.count, self.die(node.die))
        if isinstance(node, n.Braces):
            return (
                self.flat(node) if node.flat else self.pool_of([self.value(x) for x in node.items])
            )
        if isinstance(node, n.Repeat):
            count = self.whole(node.count, "the number of repeats")
            if count < 0:
                self.fail(
                    node.count, f"cannot repeat {count} times", "write for example 6x(4d6kh3)"
                )
            return self.members([(self.value(node.body), count)])
        if isinstance(node, n.Modified) and self.is_pool(node):
            return self.changed(node, node.modifiers)
        if isinstance(node, n.Name):
            name = node.name.lower()
            if name in self.inline and self.is_pool(self.lets[name]):
                return self.throw(self.lets[name])
            faces = self.env.get(name)
            if isinstance(faces, tuple):
                return self.named_dice(name, faces)
        self.fail(
            node,
            "these are not dice that can be kept or counted",
            "put the modifier behind the dice",
        )

    def named_dice(self, name: str, faces: tuple[Any, ...]) -> Throw:
        """The dice of a name as they fell; where they are alike, it is known what they are."""
        groups = [g for _, part in self.throw(self.lets[name]).parts for g in part.groups]
        fell = Pool([Dist({face: 1}) for face in faces])
        group = common(groups).but(pool=fell, rerolled=any(g.rerolled for g in groups))
        return Throw(((Fraction(1), Part((group,))),), self.depth, self.budget)

    def pool_of(self, members: list[Any]) -> Throw:
        """Members side by side; like ones are grouped."""
        counts: dict[Any, int] = {}
        for member in members:
            counts[member] = counts.get(member, 0) + 1
        return self.members(list(counts.items()))

    def members(self, counts: list[tuple[Any, int]]) -> Throw:
        """So many of each; of those that are only enclosed, the part that is known."""
        mass, known = Fraction(1), []
        for member, count in counts:
            if isinstance(member, Enclosed):
                mass *= member.mass**count
                member = member.part
            known.append((member, count))
        throw = Throw.of(known, self.depth, self.budget)
        return throw if mass == 1 else Throw.mixed([(throw, mass)], self.depth, self.budget)

    def flat(self, node: n.Braces) -> Throw:
        throw = Throw.of([], self.depth, self.budget)
        for item in node.items:
            if not self.is_pool(item):
                shown = self.source[item.span[0] : item.span[1]]
                self.fail(
                    item,
                    f"{shown} is not dice, so it cannot lie in a pool of dice",
                    f"add it to the total, behind the brace, or make two totals: {{.., {shown}}}",
                )
            throw = throw.joined(self.throw(item))
        return throw

    def dice_throw(self, count: n.Node | None, die: Dist[Any]) -> Throw:
        if count is None:
            return Throw.of([(die, 1)], self.depth, self.budget)
        many = self.value(count)
        if isinstance(many, Dist):
            return Throw.mixed(
                [
                    (Throw.of([(die, self.number_of_dice(count, k))], self.depth, self.budget), p)
                    for k, p in many.items()
                ],
                self.depth,
                self.budget,
            )
        cut = enclose(many, self.depth) if isinstance(many, OpenDist) else many
        parts = [
            (
                Throw.of([(die, self.number_of_dice(count, k))], self.depth, self.budget),
                p * cut.mass,
            )
            for k, p in cut.part.items()
        ]
        number = many if isinstance(many, OpenDist) else None
        return Throw.mixed(parts, self.depth, self.budget).but(number=number)

    def number_of_dice(self, node: n.Node, many: Any) -> int:
        if not is_number(many):
            self.fail(node, f"the number of dice is {many!r}, which is not a number")
        if not isinstance(many, int):
            self.fail(node, f"{many} dice cannot be rolled", "use //, floor(), ceil() or round()")
        if many < 0:
            self.fail(
                node,
                f"{many} dice cannot be rolled",
                "-3d6 is minus the total of 3d6; a count is 0 or more",
            )
        return many

    # --- modifiers

    def changed(self, node: n.Modified, modifiers: tuple[Any, ...]) -> Throw:
        modifiers, doubled = self.advantage(node, modifiers)
        body = node.body
        if doubled:
            assert isinstance(body, n.Dice)
            throw = Throw.of([(self.die(body.die), 2)], self.depth, self.budget)
        else:
            throw = self.throw(body)
        for modifier in modifiers:
            throw = self.applied(throw, modifier, throw.is_fixed_in_number)
        return throw

    def advantage(
        self, node: n.Modified, modifiers: tuple[Any, ...]
    ) -> tuple[tuple[Any, ...], bool]:
        """adv and dis become a second die and a keep."""
        verbs = {m.verb for m in modifiers if isinstance(m, n.Keep) and m.verb in ("adv", "dis")}
        if not verbs:
            return modifiers, False
        body = node.body
        single = isinstance(body, n.Dice) and (
            body.count is None or self.value(body.count) == Dist({1: 1})
        )
        if not single:
            place = next(m for m in modifiers if isinstance(m, n.Keep) and m.verb in verbs)
            shown = self.source[body.span[0] : body.span[1]]
            extra = ""
            keep, word = ("kh", "better") if place.verb == "adv" else ("kl", "worse")
            if isinstance(body, n.Dice) and isinstance(body.count, n.Number):
                many = body.count.value
                extra = f", or {many + 1}{die_text(body.die)}{keep}{many} (an extra die)"
            self.fail(
                place,
                f"{place.verb} is for a single die",
                f"write {{{shown}, {shown}}}{keep}1 (the {word} total){extra}",
            )
        verb = {"adv": "kh", "dis": "kl"}.get(verbs.pop()) if len(verbs) == 1 else None
        kept: list[Any] = []
        seen = False
        for modifier in modifiers:
            if isinstance(modifier, n.Keep) and modifier.verb in ("adv", "dis"):
                if verb and not seen:
                    kept.append(modifier.but(verb=verb, count=None))
                seen = True
            else:
                kept.append(modifier)
        return tuple(kept), verb is not None

    def applied(self, throw: Throw, modifier: Any, strict: bool) -> Throw:
        """One modifier; an error of the rules gets its place."""
        after: Throw = self.guarded(modifier, lambda: self.apply(throw, modifier, strict))
        return after

    def apply(self, throw: Throw, modifier: Any, strict: bool) -> Throw:
        if isinstance(modifier, n.Keep):
            return self.keep(throw, modifier, strict)
        if isinstance(modifier, n.Reroll):
            return reroll(throw, self.match(modifier.conds), modifier.until)
        if isinstance(modifier, n.Burst):
            match = self.match(modifier.conds) if modifier.conds else None
            limit = (
                self.whole(modifier.limit, "the number of extra dice") if modifier.limit else None
            )
            if limit is not None and limit < 0:
                self.fail(modifier, f"{limit} extra dice cannot be rolled")
            less = int(modifier.mark.endswith("p"))
            verb = compound if modifier.mark.startswith("!!") else explode
            return verb(throw, match, limit, less)
        assert isinstance(modifier, n.Bound)
        value = self.constant(modifier.value, f"the bound of {modifier.verb}")
        return clamp(throw, low=value) if modifier.verb == "min" else clamp(throw, high=value)

    def keep(self, throw: Throw, modifier: n.Keep, strict: bool) -> Throw:
        if modifier.count is None:
            return throw.keep(modifier.verb, 1, strict)
        many = self.value(modifier.count)
        if not isinstance(many, Dist):
            self.fail(
                modifier.count, "an open-ended number of dice cannot be kept", "limit it with !max5"
            )
        fixed = many.slots() == 1
        parts = []
        for k, p in many.items():
            if not isinstance(k, int) or k < 0:
                self.fail(
                    modifier.count,
                    f"cannot keep or drop {k} dice",
                    "write a whole number, 0 or more",
                )
            parts.append((throw.keep(modifier.verb, k, strict and fixed), p))
        return Throw.mixed(parts, self.depth, self.budget) if not fixed else parts[0][0]

    # --- conditions

    def match(self, conds: tuple[n.Cond, ...]) -> Match:
        found = self.one_match(conds[0])
        for cond in conds[1:]:
            found = found | self.one_match(cond)
        return found

    def one_match(self, cond: n.Cond) -> Match:
        kind = cond.kind
        if kind in ("even", "odd"):
            return Match(parity=int(kind == "odd"))
        if kind == "in":
            faces = [face for item in cond.values for face in self.faces(item)]
            return Match(faces=frozenset(f.lower() if isinstance(f, str) else f for f in faces))
        value = self.constant(cond.values[0], "the number in a condition")
        if kind == "..":
            return Match(low=value, high=self.constant(cond.values[1], "the number in a condition"))
        if kind in ("=", "<>"):
            return Match(faces=frozenset({value}), inverted=kind == "<>")
        if kind in (">=", "+"):
            return Match(low=value)
        if kind in ("<=", "-"):
            return Match(high=value)
        low = high = None
        if kind == ">":
            low = value
        else:
            high = value
        return Match(low=low, high=high, more=()) & Match(faces=frozenset({value}), inverted=True)

    # --- reading

    def counted(self, node: n.Modified, count: n.Count) -> Any:
        """Successes on the dice."""
        throw = self.before_last(node)
        if any(term.cond is not None and term.cond.kind == "top" for term in count.terms):
            total = self.counted_by_kind(node, count, throw)
        else:
            total = throw.total(self.worth(count, EVERY))
        if count.floor is None:
            return total
        floor = self.constant(count.floor, "the floor")
        if isinstance(total, Enclosed):
            return Enclosed(total.part.map(lambda x: max(x, floor)), total.mass)
        if isinstance(total, OpenDist):
            return total.clamp(low=floor)
        return total.map(lambda x: max(x, floor))

    def before_last(self, node: n.Modified) -> Throw:
        """The dice before the last modifier reads them."""
        if len(node.modifiers) == 1:
            return self.throw(node.body)
        return self.changed(node, node.modifiers[:-1])

    def worth(self, count: n.Count, top: Match) -> Worth:
        """What each face counts; ``top`` is the highest face of the die."""
        matches: list[tuple[Match, int]] = []
        for term in count.terms:
            base = EVERY
            if term.cond is not None:
                base = top if term.cond.kind == "top" else self.one_match(term.cond)
            matches.append((base, 1))
            for extra in term.extras:
                times = self.whole(extra.times, "how often a face counts") if extra.times else 2
                matches.append((self.one_match(extra.cond) & base, times - 1))
        matches += [(self.one_match(cond), -1) for cond in count.minus]
        return Worth(tuple(matches))

    def counted_worth(self, count: n.Count) -> Worth:
        """The same where the highest face plays no part."""
        return self.worth(count, EVERY)

    def counted_by_kind(self, node: n.Modified, count: n.Count, throw: Throw) -> Any:
        """A count of highest faces: every kind of die has its own."""
        bares = {group.bare for _, part in throw.parts for group in part.groups}
        if len(bares) == 1 and None not in bares and not any(p.totals for _, p in throw.parts):
            return throw.total(self.worth(count, highest_face(bares.pop())))
        if len(throw.parts) != 1 or None in bares or not throw.parts[0][1].is_apart:
            self.fail(
                node.modifiers[-1],
                "these dice have no common highest face",
                "write which faces count, such as c5+",
            )
        total: Any = Dist({0: 1})
        for group in throw.parts[0][1].groups:
            alone = throw.only(Part((group,)))
            total = total + alone.total(self.worth(count, highest_face(group.bare)))
        return total

    def read(self, node: n.Modified, read: n.Read) -> Any:
        """The pool read another way."""
        throw = self.before_last(node)
        if read.what == "sum":
            return throw.total()
        if read.what == "count":
            return throw.total(Worth(((EVERY, 1),)))
        if read.what in ("highest", "lowest"):
            verb = "kh" if read.what == "highest" else "kl"
            return throw.keep(verb, 1, strict=True).total()
        return READINGS[read.what](throw)

    def multisets(self, node: n.Node) -> Any:
        """Every multiset of kept dice, as a distribution of tuples: one roll of a named pool."""
        return self.throw(node).read(lambda pool: pool.expand())
