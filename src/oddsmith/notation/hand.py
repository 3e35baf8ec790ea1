"""Dice in the hand: throwing what a node stands for, and what the modifiers do to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oddsmith.errors import NeverEnds, RuleError
from oddsmith.notation import nodes as n
from oddsmith.notation.cup import Total
from oddsmith.notation.faces import FaceRules
from oddsmith.notation.tally import READINGS
from oddsmith.notation.tray import Tray, bound, compound, reroll

if TYPE_CHECKING:
    from fractions import Fraction

    from oddsmith.notation.cup import Kind
    from oddsmith.notation.tray import Match, Outcome, Trigger


class Hand(FaceRules):
    """The half of a roller that handles dice; ``value`` comes from the other half.

    >>> from oddsmith.notation.roll import rolls
    >>> rolls("{2d1, 3d1}kh1")
    ['3   {2d1, 3d1}kh1: (2[1 1]) 3[1 1 1]']
    """

    log: list[Tray]

    def named_tray(self, name: str) -> Tray | None:
        raise NotImplementedError

    # --- throws

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
        if isinstance(node, n.Dice):
            return self.highest_sum(node, self.how_many(node))
        if isinstance(node, n.Modified) and isinstance(node.body, n.Dice):
            return self.highest_sum(node.body, self.left(node))
        if isinstance(node, n.Binary) and node.op in "+-" and not self.is_random(node.right):
            left, right = self.highest(node.left), self.highest(node.right)
            if not isinstance(left, (str, type(None))) and not isinstance(right, (str, type(None))):
                return left + right if node.op == "+" else left - right
        return None

    def highest_sum(self, node: n.Dice, many: int | None) -> Outcome | None:
        top = self.kind(node.die).top
        return None if many is None or top is None or isinstance(top, str) else top * many

    def how_many(self, node: n.Dice) -> int | None:
        """The number of dice where it is fixed, else None."""
        if node.count is None:
            return 1
        return (
            None if self.is_random(node.count) else self.whole(node.count, "the number of dice", 0)
        )

    def left(self, node: n.Modified) -> int | None:
        """How many dice a chain of plain keeps leaves, else None."""
        assert isinstance(node.body, n.Dice)
        many = self.how_many(node.body)
        for keep in node.modifiers:
            if many is None or not isinstance(keep, n.Keep):
                return None
            if keep.count and self.is_random(keep.count):
                return None
            count = self.whole(keep.count, "the number of dice", 0) if keep.count else 1
            many = many - count if keep.verb in ("dh", "dl") else count
        return many

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
            n.Keep(verb=verb, span=m.span) if m is first else m
            for m in modifiers
            if not (isinstance(m, n.Keep) and m.verb in ("adv", "dis")) or (m is first and not both)
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
        return (lambda die: die.kind.is_top(die.natural)), None

    def need_tops(self, tray: Tray) -> None:
        if tray.unlike or any(kind.top is None for kind in tray.kinds):
            raise RuleError("the highest face is not known here", "write which faces, such as 5+")

    def must_end(self, tray: Tray, modifier: n.Node, match: Match | None) -> None:
        """Refuse a condition that some die can never escape."""
        for kind in dict.fromkeys(tray.kinds):
            fits = match or kind.is_top
            key = ("every", id(modifier), kind)
            if kind.faces and self.lasting(key, modifier, lambda k=kind, m=fits: k.every(m)):  # type: ignore[misc]
                raise NeverEnds("every face is rolled again, so this would never end")

    # --- reading

    def added(self, node: n.Node) -> Outcome:
        """The total of a pool."""
        tray = self.tray(node)
        self.log.append(tray)
        tray.total = self.guarded(node, tray.sum)
        return tray.total

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
            return lambda die: die.kind.is_top(die.value)
        return _on_value(self.one_match(term.cond))


def _on_value(match: Match) -> Trigger:
    return lambda die: match(die.value)


def _both(base: Trigger, match: Match) -> Trigger:
    return lambda die: base(die) and match(die.value)
