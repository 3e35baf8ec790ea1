"""Programs in the style of those people write, each against a walk over all rolls in Python."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import combinations, product

import pytest

from oddsmith.anydice import run

from .programs import F, Law, d, law, laws, rolled, uniform


def falling(*faces: int) -> list[int]:
    """A roll as a function sees it."""
    return sorted(faces, reverse=True)


def mixed(parts: list[tuple[Law, F]]) -> Law:
    """Laws with their chances."""
    found: Law = defaultdict(F)
    for part, chance in parts:
        for outcome, share in part.items():
            found[outcome] += share * chance
    return dict(found)


def labels(program: str) -> list[str]:
    return [output.label for output in run(program).outputs]


# --- pools: successes, sets, straights


def botched(*roll: int) -> int:
    hits, ones = sum(x >= 7 for x in roll), roll.count(1)
    if not hits and ones:
        return -1
    return max(0, hits - ones)


def sets(*roll: int) -> int:
    size, height = max((many, face) for face, many in Counter(roll).items())
    return 10 * size + height if size > 1 else 0


def straight(*roll: int) -> int:
    best = run_now = 0
    for face in range(1, 7):
        run_now = run_now + 1 if face in roll else 0
        best = max(best, run_now)
    return best


def pairs(*roll: int) -> int:
    return sum(many // 2 for many in Counter(roll).values())


def extra(*roll: int) -> int:
    top = falling(*roll)
    return sum(top[:2]) + max(0, roll.count(6) - 2)


def clean(*roll: int) -> int:
    kept = [x for x in falling(*roll) if x != 1]
    return sum(kept[:2])


def middle(*roll: int) -> int:
    row = falling(*roll)
    half = len(row) // 2
    return row[half] if len(row) % 2 else (row[half - 1] + row[half]) // 2


def low_first(*roll: int) -> int:
    total = turns = 0
    for face in sorted(roll):
        if total < 8:
            total, turns = total + face, turns + 1
    return turns if total >= 8 else -1


OF_ONE_POOL: list[tuple[str, str, list[range], Callable[..., int]]] = [
    ("""function: hits in ROLL:s against T:n {
          HITS: [count {T..10} in ROLL]  ONES: [count 1 in ROLL]
          if HITS = 0 & ONES > 0 { result: -1 }
          if ONES > HITS { result: 0 }
          result: HITS - ONES }""",
     "[hits in 4d10 against 7]", [d(10)] * 4, botched),
    ("""function: best set of ROLL:s {
          BEST: 0
          loop FACE over {1..6} {
            MANY: ROLL = FACE
            if MANY > 1 & 10 * MANY + FACE > BEST { BEST: 10 * MANY + FACE } }
          result: BEST }""",
     "[best set of 5d6]", [d(6)] * 5, sets),
    ("""function: run in ROLL:s {
          BEST: 0 NOW: 0
          loop FACE over {1..6} {
            if [ROLL contains FACE] { NOW: NOW + 1 } else { NOW: 0 }
            BEST: [highest of BEST and NOW] }
          result: BEST }""",
     "[run in 5d6]", [d(6)] * 5, straight),
    ("""function: pairs in ROLL:s {
          PAIRS: 0 LAST: 0
          loop X over ROLL {
            if X = LAST { PAIRS: PAIRS + 1 LAST: 0 } else { LAST: X } }
          result: PAIRS }""",
     "[pairs in 5d6]", [d(6)] * 5, pairs),
    ("""function: keep K:n of ROLL:s more for TOP:n {
          TOPS: [count TOP in ROLL]
          if TOPS > K { result: K * TOP + TOPS - K }
          result: {1..K}@ROLL }""",
     "[keep 2 of 5d6 more for 6]", [d(6)] * 5, extra),
    ("""function: best N:n of ROLL:s without BAD:s {
          SUM: 0 TAKEN: 0
          loop X over ROLL {
            if TAKEN < N & !(X = BAD) { SUM: SUM + X TAKEN: TAKEN + 1 } }
          result: SUM }""",
     "[best 2 of 4d6 without {1}]", [d(6)] * 4, clean),
    ("""function: different in ROLL:s {
          SEEN: {}
          loop X over ROLL { if ![SEEN contains X] { SEEN: {SEEN, X} } }
          result: #SEEN }""",
     "[different in 4d6]", [d(6)] * 4, lambda *r: len(set(r))),
    ("""function: middle of ROLL:s {
          HALF: #ROLL / 2
          if HALF * 2 = #ROLL { result: (HALF@ROLL + (HALF + 1)@ROLL) / 2 }
          result: (HALF + 1)@ROLL }""",
     "[middle of 4d8]", [d(8)] * 4, middle),
    ("""function: spread of ROLL:s { result: 1@ROLL - (#ROLL)@ROLL }""",
     "[spread of 3d8]", [d(8)] * 3, lambda *r: max(r) - min(r)),
    ("""function: steps of ROLL:s {
          SUM: 0
          loop I over {1..#ROLL - 1} { SUM: SUM + (I@ROLL - (I + 1)@ROLL > 1) }
          result: SUM }""",
     "[steps of 4d6]", [d(6)] * 4,
     lambda *r: sum(a - b > 1 for a, b in zip(falling(*r), falling(*r)[1:], strict=False))),
    ("""set "position order" to "lowest first"
        function: dice of ROLL:s until GOAL:n {
          SUM: 0 DICE: 0
          loop I over {1..#ROLL} { if SUM < GOAL { SUM: SUM + I@ROLL DICE: DICE + 1 } }
          if SUM < GOAL { result: -1 }
          result: DICE }""",
     "[dice of 4d6 until 8]", [d(6)] * 4, low_first),
    ("""function: flip N:n { result: 10 * (N - N / 10 * 10) + N / 10 }""",
     "[lowest of 42 and [flip d99]]", [d(99)], lambda x: min(42, 10 * (x % 10) + x // 10)),
    ("""function: digits of N:n {
          SUM: 0
          loop I over {1..#N} { SUM: SUM + I@N }
          result: SUM }""",
     "[digits of d100 - 50]", [d(100)],
     lambda x: sum(map(int, str(abs(x - 50)))) * (1 if x >= 50 else -1)),
    ("""function: A:n mod B:n { result: A - B * (A / B) }""",
     "[[2d10 mod 7] mod 3]", [d(10)] * 2, lambda a, b: (a + b) % 7 % 3),
    ("""function: greatest common divisor of A:n and B:n {
          if B = 0 { result: A }
          result: [greatest common divisor of B and [A mod B]] }
        function: A:n mod B:n { result: A - B * (A / B) }""",
     "[greatest common divisor of d12 and 18]", [d(12)],
     lambda x: max(k for k in range(1, 19) if x % k == 0 and 18 % k == 0)),
]  # fmt: skip


@pytest.mark.parametrize(("before", "call", "dice", "function"), OF_ONE_POOL,
                         ids=[call for _, call, _, _ in OF_ONE_POOL])  # fmt: skip
def test_what_a_function_makes_of_a_roll(
    before: str, call: str, dice: list[range], function: Callable[..., int]
) -> None:
    assert law(f"{before}\noutput {call}") == rolled(function, *dice)


# --- two rolls against each other


def test_dice_are_compared_in_pairs() -> None:
    program = """function: losses of A:s to B:s {
        LOST: 0
        loop I over {1..[lowest of #A and #B]} { LOST: LOST + (I@A <= I@B) }
        result: LOST
    }
    output [losses of 3d6 to 2d6]"""

    def lost(*roll: int) -> int:
        pairs = zip(falling(*roll[:3]), falling(*roll[3:]), strict=False)
        return sum(a <= b for a, b in pairs)

    assert law(program) == rolled(lost, *[d(6)] * 5)


def test_each_side_counts_what_reaches_the_best_of_the_other() -> None:
    program = """function: fight A:s B:s {
        X: A >= 1@B  Y: B >= 1@A
        result: (X > Y) - (X < Y)
    }
    loop N over {1..3} { output [fight Nd6 2d6] named "[N] against 2" }"""

    def fight(split: int) -> Callable[..., int]:
        def won(*roll: int) -> int:
            a, b = roll[:split], roll[split:]
            x, y = sum(v >= max(b) for v in a), sum(v >= max(a) for v in b)
            return (x > y) - (x < y)

        return won

    assert laws(program) == [rolled(fight(n), *[d(6)] * (n + 2)) for n in (1, 2, 3)]
    assert labels(program) == ["1 against 2", "2 against 2", "3 against 2"]


def test_the_best_die_that_the_other_side_does_not_show() -> None:
    program = """function: left of A:s after B:s {
        loop X over A { if ![B contains X] { result: X } }
        result: 0
    }
    output [left of 3d6 after 2d6]"""

    def left(*roll: int) -> int:
        return max((x for x in roll[:3] if x not in roll[3:]), default=0)

    assert law(program) == rolled(left, *[d(6)] * 5)


def test_a_pool_of_unlike_dice_is_put_together_in_a_function() -> None:
    program = """function: best N:n of A:s B:s C:s { result: {1..N}@[sort {A, B, C}] }
    output [best 2 of 2d4 1@2d6 1d8]"""
    expected = rolled(
        lambda a, b, c, e, f: sum(falling(a, b, max(c, e), f)[:2]), d(4), d(4), d(6), d(6), d(8)
    )
    assert law(program) == expected


def test_numbers_of_a_function_are_independent_even_of_one_variable() -> None:
    program = """function: A:n beside B:n { result: A - B }
    X: 2d4
    output [X beside X]"""
    assert law(program) == rolled(lambda a, b, c, e: a + b - c - e, *[d(4)] * 4)


# --- rolling again


def test_the_lowest_die_is_rolled_again() -> None:
    program = """function: again the lowest of ROLL:s with NEW:d below MIN:n {
        LOW: (#ROLL)@ROLL
        if LOW >= MIN { result: ROLL + 0 }
        result: {1..#ROLL - 1}@ROLL + NEW
    }
    loop MIN over {3, 9} { output [again the lowest of 2d8 with d8 below MIN] named "< [MIN]" }"""

    def again(limit: int) -> Callable[..., int]:
        return lambda a, b, new: a + b if min(a, b) >= limit else max(a, b) + new

    assert laws(program) == [rolled(again(limit), d(8), d(8), d(8)) for limit in (3, 9)]
    assert labels(program) == ["< 3", "< 9"]


def test_low_faces_are_rolled_again_die_by_die() -> None:
    program = """function: reroll R:n of DIE:d on LOW:s { if R = LOW { result: DIE } result: R }
    function: reroll DIE:d on LOW:s { result: [reroll DIE of DIE on LOW] }
    output 2d[reroll d6 on {1, 2}]
    output [reroll 2d6 on {2..5}]"""
    one = rolled(lambda a, b: b if a < 3 else a, d(6), d(6))
    two = mixed([({x + y: F(1)}, p * q) for (x, p), (y, q) in product(one.items(), one.items())])
    whole = rolled(lambda a, b, c, e: c + e if a + b <= 5 else a + b, *[d(6)] * 4)
    assert laws(program) == [two, whole]


def test_a_push_rolls_what_is_neither_a_success_nor_a_failure() -> None:
    program = """function: push ROLL:s {
        HITS: ROLL = 6
        LEFT: #ROLL - HITS - [count 1 in ROLL]
        result: HITS + [count 6 in LEFT d 6]
    }
    output [push 3d6]"""

    def pushed(*dice: int) -> int:
        roll, new = dice[:3], dice[3:]
        left = sum(1 < x < 6 for x in roll)
        return roll.count(6) + new[:left].count(6)

    assert law(program) == rolled(pushed, *[d(6)] * 6)


# --- given that


def test_a_case_without_a_result_does_not_count() -> None:
    program = """function: sixth with FIVE:s to TOTAL:n {
        SIXTH: TOTAL - FIVE
        if SIXTH < 1 | SIXTH > 6 { result: d{} }
        result: 2@[sort {FIVE, SIXTH}]
    }
    output [sixth with 3d6 to 14]"""
    rolls = [(*roll, 14 - sum(roll)) for roll in product(d(6), repeat=3)]
    assert law(program) == uniform(falling(*roll)[1] for roll in rolls if 1 <= roll[3] <= 6)


def test_a_restricted_roll_has_a_restricted_law() -> None:
    program = """function: X:n only in RANGE:s { if X = RANGE { result: X } }
    output [3d6 only in {3, 5, 7, 9, 11, 13, 15, 17}] named "odd" """
    odd = [sum(roll) for roll in product(d(6), repeat=3) if sum(roll) % 2]
    assert law(program) == uniform(odd)


# --- attacks


def test_an_attack_with_automatic_hits_and_misses() -> None:
    program = """function: attack R:n plus B:n against AC:n for DMG:d and on a top CRIT:d {
        if R = 1 { result: 0 }
        if R = 20 { result: DMG + CRIT }
        if R + B >= AC { result: DMG }
        result: 0
    }
    DAMAGE: 2d6
    output 2d[attack [highest 1 of 2d20] plus 5 against 15 for DAMAGE + 3 and on a top DAMAGE]"""

    def damage(a: int, b: int, v: int, w: int, x: int, y: int) -> int:
        best = max(a, b)
        if best == 1 or (best < 10):
            return 0
        return v + w + 3 + (x + y if best == 20 else 0)

    top: Law = rolled(max, d(20), d(20))
    once = mixed([
        (rolled(lambda *dice, best=best: damage(best, best, *dice), *[d(6)] * 4), chance)
        for best, chance in top.items()
    ])  # fmt: skip
    twice = mixed([({x + y: F(1)}, p * q) for x, p in once.items() for y, q in once.items()])
    assert law(program) == twice


def test_damage_that_comes_with_the_first_hit_only() -> None:
    program = """ATTACK: d4
    function: hit R:n with N:n left and BONUS:d {
        if R < 3 { if N = 0 { result: 0 } result: [hit ATTACK with N - 1 left and BONUS] }
        if N = 0 { result: 2 + BONUS }
        result: 2 + BONUS + [hit ATTACK with N - 1 left and 0]
    }
    output [hit ATTACK with 2 left and d6]"""

    def total(a: int, b: int, c: int, bonus: int) -> int:
        hits = sum(x >= 3 for x in (a, b, c))
        return 2 * hits + (bonus if hits else 0)

    assert law(program) == rolled(total, d(4), d(4), d(4), d(6))


def test_blows_until_nothing_is_left() -> None:
    program = """function: DIE:d blows for HP:n {
        if HP <= 0 { result: 0 }
        result: 1 + [DIE blows for HP - DIE]
    }
    output [d4 blows for 6]"""
    found: Law = defaultdict(F)
    for roll in product(d(4), repeat=6):
        blows = next(k for k in range(1, 7) if sum(roll[:k]) >= 6)
        found[blows] += F(1, 4**6)
    assert law(program) == found


def test_a_wild_die_and_raises() -> None:
    program = """function: raises of R:n over T:n { if R < T { result: 0 } result: 1 + (R - T) / 4 }
    output [raises of [highest of [explode d8] and [explode d6]] over 4]"""

    def exploded(sides: int) -> Law:
        found: Law = defaultdict(F)
        for roll in product(d(sides), repeat=3):
            taken = next((k for k in range(3) if roll[k] < sides), 2)
            found[sum(roll[: taken + 1])] += F(1, sides**3)
        return found

    pair = product(exploded(8).items(), exploded(6).items())
    rolls = [(max(a, b), p * q) for (a, p), (b, q) in pair]
    expected = mixed([({0 if x < 4 else 1 + (x - 4) // 4: F(1)}, p) for x, p in rolls])
    assert law(program) == expected


def test_three_good_ones_before_three_bad_ones() -> None:
    program = """set "maximum function depth" to 6
    function: GOOD:n and BAD:n then R:n {
        if R >= 5 { GOOD: GOOD + 1 } else { BAD: BAD + 1 }
        if GOOD = 3 { result: 1 }
        if BAD = 3 { result: 0 }
        result: [GOOD and BAD then d10]
    }
    output [0 and 0 then d10]"""
    won = sum(F(3, 5) ** k * F(2, 5) ** (5 - k) * len(list(combinations(range(5), k)))
              for k in (3, 4, 5))  # fmt: skip
    assert law(program) == {1: won, 0: 1 - won}


# --- variables, loops and names


def test_a_table_of_a_loop_in_a_loop() -> None:
    program = """loop ABILITY over {1..2} {
      loop SKILL over {ABILITY..3} {
        POOL: SKILL d 4
        output [highest ABILITY of POOL] named "[ABILITY] of [POOL]"
      }
    }"""
    sizes = [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3)]
    expected = [rolled(lambda *r, k=k: sum(falling(*r)[:k]), *[d(4)] * n) for k, n in sizes]
    assert laws(program) == expected
    assert labels(program) == ["1 of d4", "1 of 2d4", "1 of 3d4", "2 of 2d4", "2 of 3d4"]


def test_a_value_from_a_table() -> None:
    program = r"""\ points for a score \
    COST: {0, 1, 2, 3, 5:2, 7}
    function: cost of N:n { result: (N - 2)@COST }
    output [cost of 2d4]"""
    row = [0, 0, 0, 0, 1, 2, 3, 5, 5]
    assert law(program) == rolled(lambda a, b: row[a + b], d(4), d(4))


def test_what_one_case_leaves_for_the_next() -> None:
    # 1, then 1 + 2, then 1 + 2 + 3: each face of the die adds to what came before it
    program = """SUM: 0
    function: so far N:n { SUM: SUM + N result: SUM }
    output [so far d3]
    output SUM"""
    assert laws(program) == [{1: F(1, 3), 3: F(1, 3), 6: F(1, 3)}, {0: F(1)}]


def test_an_inner_function_sees_the_variables_of_its_caller() -> None:
    program = """BONUS: 1
    function: result of N:n { result: N + BONUS }
    function: lucky N:n { BONUS: 10 result: [result of N] }
    output [lucky d4]
    output [result of d4]"""
    assert laws(program) == [uniform(range(11, 15)), uniform(range(2, 6))]
