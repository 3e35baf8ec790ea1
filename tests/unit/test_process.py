"""Processes: something repeated until it is over."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.some import quick
from oddsmith import Dist, OpenDist, Process, chain, coin, d, d6, d20, joint, mix
from oddsmith.errors import ImpossibleEvent, NeverEnds, OutcomeError, TooLarge
from unit.chains import Chain, forward, random_chains

if TYPE_CHECKING:
    from collections.abc import Callable

F = Fraction


def process(chain: Chain) -> Process:
    """The same chain for the engine."""
    return Process(Dist(chain.start), chain.step, chain.ends)


# --- random chains against chances carried forward


@quick(40)
@given(random_chains())
def test_endings_within_what_is_left_after_100_steps(chain: Chain) -> None:
    known, found = forward(chain, 100), process(chain).endings()
    assert sum(p for _, p in found.items()) == 1
    for ending in "abc":
        assert known.now[-1].get(ending, 0) <= found.p(ending)
        assert found.p(ending) <= known.now[-1].get(ending, 0) + known.rest
    assert all(chain.ends(state) for state in found)


@quick(40)
@given(random_chains())
def test_mean_steps_within_what_is_left(chain: Chain) -> None:
    """The mean is the sum of the chances to take another step."""
    known, mean = forward(chain, 100), process(chain).mean_steps()
    partial = sum(known.visits.values(), F(0))
    assert partial <= mean <= partial + known.rest * known.more


@quick(40)
@given(random_chains(), st.lists(st.integers(-3, 3), min_size=4, max_size=4))
def test_visits_and_rewards_within_what_is_left(chain: Chain, worth: list[int]) -> None:
    known, engine = forward(chain, 100), process(chain)
    error = known.rest * known.more
    for state, partial in known.visits.items():
        assert partial <= engine.visits(state) <= partial + error
    partial = sum((worth[s] * count for s, count in known.visits.items()), F(0))
    assert abs(engine.mean_total(lambda state: worth[state]) - partial) <= 3 * error


@quick(40)
@given(random_chains())
def test_the_first_20_numbers_of_steps(chain: Chain) -> None:
    known, steps = forward(chain, 20), process(chain).steps()
    assert [steps.p(n) for n in range(21)] == [sum(p.values()) for p in known.ended]


@quick(40)
@given(random_chains(), st.sampled_from(["a", "ab", "bc"]))
def test_the_first_20_numbers_of_steps_to_some_endings(chain: Chain, names: str) -> None:
    """The chance of n steps and such an ending is that of the ending times that of n given it."""
    known, engine = forward(chain, 20), process(chain)
    wanted = {name for name in names if engine.endings().p(name)}
    if not wanted:
        with pytest.raises(ImpossibleEvent):
            engine.steps(lambda state: state in names)
        return
    steps = engine.steps(lambda state: state in names)
    chance = engine.endings().p(wanted)
    for n in range(21):
        assert steps.p(n) * chance == sum(p for s, p in known.ended[n].items() if s in wanted)


@quick(40)
@given(random_chains(), st.integers(0, 12))
def test_states_after_some_steps(chain: Chain, count: int) -> None:
    assert dict(process(chain).after(count).items()) == forward(chain, count).now[-1]


@quick(40)
@given(random_chains(loops=False))
def test_chains_without_loops_are_known_to_the_end(chain: Chain) -> None:
    known, engine = forward(chain, 5), process(chain)
    assert known.rest == 0
    assert dict(engine.endings().items()) == known.now[-1]
    assert engine.mean_steps() == sum(known.visits.values(), F(0))
    steps = engine.steps()
    assert isinstance(steps, Dist)
    assert dict(steps.items()) == {n: sum(p.values()) for n, p in enumerate(known.ended) if p}


@quick(40)
@given(random_chains())
def test_first_steps(chain: Chain) -> None:
    """To start in a state is to step once from it: linear equations with one solution only."""
    for state in chain.rows:
        here = Process(state, chain.step, chain.ends)
        there = Process(Dist(chain.rows[state]), chain.step, chain.ends)
        assert here.endings() == there.endings()
        assert here.mean_steps() == 1 + there.mean_steps()
        assert here.steps() == there.steps() + 1


@quick(40)
@given(random_chains())
def test_the_mean_of_the_steps_is_the_mean_number_of_steps(chain: Chain) -> None:
    engine = process(chain)
    assert engine.steps().mean == engine.mean_steps()
    assert engine.steps().at_least(0) == 1


@quick(40)
@given(random_chains())
def test_steps_by_ending_add_up(chain: Chain) -> None:
    engine = process(chain)
    parts = [
        (engine.steps(lambda state, name=name: state == name), p)
        for name, p in engine.endings().items()
    ]
    assert mix(parts) == engine.steps()


# --- where it starts and ends


def test_a_start_that_ends_at_once() -> None:
    over = Process("over", lambda state: state, lambda state: state == "over")
    assert over.endings() == Dist(["over"])
    assert over.mean_steps() == 0
    assert over.steps() == Dist([0])
    assert over.after(3) == Dist(["over"])


def test_a_start_that_may_end_at_once() -> None:
    """A coin decides whether to flip on for heads: 0 steps with 1/2, n with 2**-(n + 1)."""
    flips = Process(Dist(["heads", "tails"]), lambda _: mix({"heads": 1, "tails": 1}),
                    lambda state: state == "heads")  # fmt: skip
    assert [flips.steps().p(n) for n in range(4)] == [F(1, 2), F(1, 4), F(1, 8), F(1, 16)]
    assert flips.mean_steps() == 1


def test_steps_to_an_ending_that_only_the_start_has() -> None:
    found = Process(Dist(["won", "on"]), lambda _: "lost", lambda state: state in ("won", "lost"))
    assert found.steps(lambda state: state == "won") == Dist([0])
    assert found.steps(lambda state: state == "lost") == Dist([1])
    assert found.steps() == Dist([0, 1])


def test_without_an_end_it_ends_where_a_step_changes_nothing() -> None:
    down = Process(5, lambda n: max(0, n - 2))
    assert down.endings() == Dist([0])
    assert down.steps() == Dist([3])
    assert down.after(1) == Dist([3])


def test_a_named_end_is_not_stepped_from() -> None:
    seen = []

    def step(state: int) -> int:
        seen.append(state)
        return state + 1

    assert Process(0, step, lambda state: state == 3).mean_steps() == 3
    assert sorted(seen) == [0, 1, 2]


def test_states_of_every_kind() -> None:
    """Tuples, text and fractions are states, and whole fractions are numbers."""
    halves = Process(F(4, 2), lambda x: x - F(1, 2), lambda x: x == 0)
    assert halves.mean_steps() == 4
    assert halves.visits(1) == halves.visits(F(2, 2)) == 1
    pairs = Process((1, "go"), lambda s: (s[0] - 1, "stop"), lambda s: s[1] == "stop")
    assert pairs.endings() == Dist([(0, "stop")])


def test_visits_of_an_ending_or_of_no_state_are_0() -> None:
    walk = Process(2, lambda n: n - 1, lambda n: n == 0)
    assert [walk.visits(n) for n in (2, 1, 0, 7)] == [1, 1, 0, 0]


def test_rewards_may_be_fractions() -> None:
    assert Process(3, lambda n: n - 1, lambda n: n == 0).mean_total(lambda n: F(n, 4)) == F(3, 2)


def test_repr_tells_where_it_starts() -> None:
    assert "3" in repr(Process(3, lambda n: n - 1, lambda n: n == 0))


# --- gambler's ruin


def ruin(money: int, goal: int, win: int = 1, lose: int = 1) -> Process:
    """One more with a weight, one less with another, until 0 or the goal."""
    return Process(money, lambda n: mix({n + 1: win, n - 1: lose}), lambda n: n in (0, goal))


@pytest.mark.parametrize(("money", "goal"), [(3, 10), (5, 10), (1, 2), (1, 30), (20, 50)])
def test_a_fair_ruin(money: int, goal: int) -> None:
    """A fair game keeps its mean, and its square less the steps: i / N and i * (N - i)."""
    found = ruin(money, goal)
    assert found.endings().p(goal) == F(money, goal)
    assert found.mean_steps() == money * (goal - money)


def test_the_ruin_everybody_asks_for() -> None:
    """3 of 10 and 25 steps: classic values."""
    assert ruin(3, 10).endings().p(10) == F(3, 10)
    assert ruin(5, 10).mean_steps() == 25


@pytest.mark.parametrize(("win", "lose"), [(18, 20), (2, 1), (49, 51)])
def test_an_unfair_ruin(win: int, lose: int) -> None:
    """With r = q / p: (1 - r**i) / (1 - r**N); the steps follow from the mean gain of each."""
    r, gain = F(lose, win), F(win - lose, win + lose)
    chance = (1 - r**4) / (1 - r**9)
    found = ruin(4, 9, win, lose)
    assert found.endings().p(9) == chance
    assert found.mean_steps() == (9 * chance - 4) / gain


def test_a_ruin_takes_an_odd_number_of_steps_from_an_odd_distance() -> None:
    """From 1 of 3: (1/4)**k times 1/2 down at 2k + 1, and times 1/4 up at 2k + 2."""
    steps = ruin(1, 3).steps()
    assert [steps.p(n) for n in range(7)] == [F(0), *(F(1, 2**n) for n in range(1, 7))]
    down = ruin(1, 3).steps(lambda state: state == 0)
    assert [down.p(n) for n in range(1, 6)] == [F(3, 4), 0, F(3, 16), 0, F(3, 64)]


def test_visits_of_a_fair_ruin() -> None:
    """Green's function of the walk: from i of N, j is visited 2 i (N - j) / N times for i <= j."""
    found = ruin(3, 10)
    for j in range(1, 10):
        low, high = sorted((3, j))
        assert found.visits(j) == F(2 * low * (10 - high), 10)


# --- laws with a name


@pytest.mark.parametrize("p", [F(1, 6), F(1, 2), F(9, 10)])
def test_the_geometric_law(p: Fraction) -> None:
    """p q**(n - 1), mean 1 / p, variance q / p**2, at least n with q**(n - 1)."""
    steps = Process(0, lambda _: mix({1: p, 0: 1 - p}), bool).steps()
    assert isinstance(steps, OpenDist)
    assert [steps.p(n) for n in range(1, 9)] == [p * (1 - p) ** (n - 1) for n in range(1, 9)]
    assert (steps.mean, steps.variance) == (1 / p, (1 - p) / p**2)
    assert steps.at_least(10) == (1 - p) ** 9
    assert steps.p(0) == 0


def test_the_negative_binomial_law() -> None:
    """The third six with the n-th roll: C(n - 1, 2) (1/6)**3 (5/6)**(n - 3)."""
    steps = Process(0, lambda n: mix({n + 1: 1, n: 5}), lambda n: n == 3).steps()
    for n in range(1, 21):
        assert steps.p(n) == comb(n - 1, 2) * F(1, 6) ** 3 * F(5, 6) ** max(n - 3, 0)
    assert (steps.mean, steps.variance) == (18, 90)


def collector(faces: int) -> Process:
    """How many different faces were seen."""
    return Process(0, lambda n: mix({n: n, n + 1: faces - n}), lambda n: n == faces)


def test_all_faces_of_a_d6() -> None:
    """6/6 + 6/5 + .. + 6/1 = 147/10 rolls, a classic value."""
    assert collector(6).mean_steps() == F(147, 10)


def test_how_long_all_faces_take() -> None:
    """Not all after n rolls: sum of (-1)**(k + 1) C(6, k) (1 - k/6)**n by inclusion, exclusion."""
    steps = collector(6).steps()
    for n in range(6, 21):
        late = sum(-((-1) ** k) * comb(6, k) * F(6 - k, 6) ** n for k in range(1, 7))
        assert steps.more_than(n) == late
    assert steps.low == 6
    assert steps.p(6) == F(720, 6**6)


# --- games


def craps() -> Process:
    """The pass line: 7 or 11 wins at once, 2, 3 or 12 loses, else the point before a 7."""

    def step(state: Any) -> Any:
        if state == "come out":
            return (2 @ d6).map(
                lambda x: "win" if x in (7, 11) else "lose" if x in (2, 3, 12) else x
            )
        return (2 @ d6).map(lambda x: "win" if x == state else "lose" if x == 7 else state)

    return Process("come out", step, lambda state: state in ("win", "lose"))


def test_craps() -> None:
    """244/495, a classic value."""
    assert craps().endings().p("win") == F(244, 495)


def test_how_long_craps_takes() -> None:
    """One roll, and 4, 36/10 or 36/11 more for a point: 1 + 2 (1/3 + 2/5 + 5/11) = 557/165."""
    assert craps().mean_steps() == F(557, 165)
    assert craps().steps().p(1) == F(12, 36)


def until_sum(goal: int) -> Process:
    """A d6 added again and again."""
    return Process(0, lambda total: d6 + total, lambda total: total >= goal)


@pytest.mark.parametrize(
    ("goal", "rolls"), [(7, F(117649, 46656)), (6, F(16807, 7776)), (1, F(1)), (2, F(7, 6))]
)
def test_how_many_rolls_reach_a_sum(goal: int, rolls: Fraction) -> None:
    """(7/6)**(goal - 1) while a single die can still do it: (7/6)**6 and (7/6)**5."""
    assert until_sum(goal).mean_steps() == rolls


def test_the_rolls_that_reach_a_sum_are_those_of_dice_not_yet_there() -> None:
    """More than n rolls are needed when n dice are below the goal."""
    steps = until_sum(30).steps()
    assert isinstance(steps, Dist)
    for n in range(5, 31):
        assert steps.more_than(n) == (n @ d6).less_than(30)


def test_where_the_sum_ends() -> None:
    """At 2 from below 2: a 1 first and then 1..6, or 2..6 at once."""
    assert until_sum(2).endings() == Dist({2: 7, 3: 7, 4: 7, 5: 7, 6: 7, 7: 1})


def death_saves(success: int = 10) -> Process:
    """Three successes before three failures; a 1 fails twice, a 20 is up at once."""

    def step(state: Any) -> Any:
        good, bad = state

        def after(face: int) -> Any:
            if face == 20:
                return "up"
            if face >= success:
                return (good + 1, bad) if good < 2 else "stable"
            lost = bad + (2 if face == 1 else 1)
            return (good, lost) if lost < 3 else "dead"

        return d20.map(after)

    return Process((0, 0), step, lambda state: isinstance(state, str))


@pytest.mark.parametrize(
    ("success", "dead", "stable", "up"),
    [(10, "40.4875", "41.375", "18.1375"), (11, "48.0063", "33.8529", "18.1408")],
)
def test_death_saves(success: int, dead: str, stable: str, up: str) -> None:
    """rpg.stackexchange.com/questions/76958: 59.5125 % survive; also with 10 as a failure."""
    found = death_saves(success).endings()
    for ending, percent in (("dead", dead), ("stable", stable), ("up", up)):
        assert abs(100 * found.p(ending) - F(percent)) <= F(1, 20000)
    if success == 10:
        assert 100 * found.p({"stable", "up"}) == F("59.5125")


def test_death_saves_are_over_after_five() -> None:
    """Two of each leave nothing open; five are needed for two successes and two failures first."""
    steps = death_saves().steps()
    assert isinstance(steps, Dist)
    assert (steps.low, steps.high) == (1, 5)
    assert steps.p(1) == F(1, 20)


def test_a_usage_die() -> None:
    """On 1 or 2 the next smaller die: s / 2 rolls at a die of s sides, from d8 on 4 + 3 + 2."""
    smaller = {12: 10, 10: 8, 8: 6, 6: 4, 4: 0}
    usage = Process(8, lambda s: (d(s) <= 2).if_else(smaller[s], s), lambda s: s == 0)
    assert usage.mean_steps() == 9
    assert [usage.visits(s) for s in (8, 6, 4)] == [4, 3, 2]
    assert usage.steps().p(3) == F(1, 4) * F(1, 3) * F(1, 2)


def test_three_heads_in_a_row() -> None:
    """2**4 - 2 = 14 flips, a classic value."""
    flips = Process(0, lambda run: mix({run + 1: 1, 0: 1}), lambda run: run == 3)
    assert flips.mean_steps() == 14
    assert flips.steps().p(3) == F(1, 8)
    assert flips.steps().p(6) == F(1, 16)


# --- what is refused


@pytest.mark.parametrize(
    ("start", "step", "end"),
    [
        (0, lambda n: 1 - n, None),
        (0, lambda n: 1 - n, lambda n: n == 2),
        (0, lambda n: n, lambda n: False),
        (0, lambda n: mix({n: 1, 1: 1}) if n == 0 else n, lambda n: n == 7),
        (0, lambda n: mix({1: 1, 2: 1}) if n == 0 else 3 - n, lambda n: n == 7),
        (0, lambda n: {0: mix({1: 1, "end": 5}), 1: 2, 2: 1}[n], lambda n: n == "end"),
        (Dist([0, 1]), lambda n: n, lambda n: n == 0),
    ],
    ids=["loop", "loop and end", "no change", "trap", "pair", "behind", "start"],
)
def test_a_loop_that_is_never_left(start: Any, step: Callable[[Any], Any], end: Any) -> None:
    """One is enough: then there is a chance that it never ends."""
    endless = Process(start, step, end)
    for question in (
        endless.endings,
        endless.mean_steps,
        endless.steps,
        lambda: endless.steps(lambda state: state == 1),
        lambda: endless.visits(0),
        lambda: endless.visits("nowhere"),
        lambda: endless.mean_total(lambda state: 1),
    ):
        with pytest.raises(NeverEnds, match="no ending can be reached: say with end="):
            question()


def test_states_of_what_never_ends() -> None:
    """From side to side: 0 after an even number of steps; weather by powers of its matrix."""
    sides = Process(0, lambda side: 1 - side, end=lambda side: False)
    assert [sides.after(n) for n in (0, 1, 2, 7)] == [Dist([0]), Dist([1]), Dist([0]), Dist([1])]
    weather = Process(
        "dry",
        lambda day: Dist(["dry", "dry", "wet"]) if day == "dry" else Dist(["dry", "wet"]),
        end=lambda day: False,
    )
    dry = F(1)
    for n in range(12):
        assert weather.after(n).p("dry") == dry
        dry = dry * F(2, 3) + (1 - dry) * F(1, 2)


def test_states_where_one_way_never_ends() -> None:
    """Half of it ends at once, the rest goes to and fro."""
    ways = {0: Dist(["end", 1]), 1: 2, 2: 1}
    trap = Process(0, ways.__getitem__, end=lambda state: state == "end")
    assert [trap.after(n) for n in (1, 2, 5)] == [Dist(["end", k]) for k in (1, 2, 1)]


def test_too_many_steps() -> None:
    sides = Process(0, lambda side: 1 - side, end=lambda side: False)
    with pytest.raises(TooLarge, match="fewer steps"):
        sides.after(10**9)


def test_what_is_over_needs_no_more_steps() -> None:
    assert Process(3, lambda n: n - 1, lambda n: n == 0).after(10**9) == Dist([0])


def test_without_an_end_a_state_that_stays_is_one() -> None:
    found = Process(0, lambda n: mix({1: 1, 2: 1}) if n == 0 else n)
    assert found.endings() == Dist([1, 2])


@pytest.mark.parametrize("step", [lambda n: n + 1, lambda n: mix({n + 1: 1, n + 2: 1, -1: 9})])
def test_endless_many_states(step: Callable[[int], Any]) -> None:
    with pytest.raises(TooLarge, match="fewer states"):
        Process(0, step, lambda n: n < 0, budget=3_000_000).endings()


def test_a_walk_without_bounds_is_known_after_some_steps() -> None:
    """n steps to the left or right: k of them right with C(n, k) of 2**n."""
    walk = Process(0, lambda at: mix({at - 1: 1, at + 1: 1}), lambda at: False)
    assert walk.after(20).weights() == {2 * k - 20: comb(20, k) for k in range(21)}
    growing = Process((), lambda states: mix({(*states, 0): 2, (*states, 1): 1}), lambda _: False)
    assert growing.after(3).p((1, 1, 0)) == F(2, 27)
    with pytest.raises(TooLarge):
        walk.mean_steps()


def test_the_steps_to_one_ending_are_asked_as_events_are() -> None:
    """Heads or tails at once: each in one step."""
    flip = Process("-", lambda _: mix({"heads": 1, "tails": 1, "-": 2}), lambda s: s != "-")
    for ending in ("heads", ["heads"], {"heads"}, lambda s: s == "heads"):
        assert flip.steps(ending).p(2) == F(1, 4)
    with pytest.raises(ImpossibleEvent):
        flip.steps("edge")


def test_a_large_loop_is_estimated_before_it_is_solved() -> None:
    """A hundred states, each of which leads to all: nothing to be taken out, 100**3 words."""
    anywhere = Dist(range(101))
    with pytest.raises(TooLarge):
        Process(50, lambda _: anywhere, lambda n: n == 100, budget=900_000).endings()


def test_a_long_ruin_is_no_large_loop() -> None:
    """With the odds 2 to 3, from k of n: (1 - r**k) / (1 - r**n), r = 3/2; fair: k * (n - k)."""
    ratio = F(3, 2)
    unfair = Process(400, lambda n: mix({n + 1: 2, n - 1: 3}), lambda n: n in (0, 800))
    assert unfair.endings().p(800) == (1 - ratio**400) / (1 - ratio**800)
    fair = Process(1000, lambda n: mix({n + 1: 1, n - 1: 1}), lambda n: n in (0, 3000))
    assert fair.endings() == Dist({0: 2, 3000: 1})
    assert fair.mean_steps() == 1000 * 2000


def test_the_steps_of_many_states_without_a_loop() -> None:
    """First to 60 points, one side wins each with 2/3: it lasts 60 or 119 points at the least and
    most, the latter after 59 points each."""
    first = Process(
        (60, 60),
        lambda left: mix({(left[0] - 1, left[1]): 1, (left[0], left[1] - 1): 2}),
        lambda left: 0 in left,
    )
    points = first.steps()
    assert points.p(60) == F(1 + 2**60, 3**60)
    assert points.p(119) == F(comb(118, 59) * 2**59, 3**118)
    assert (min(points), max(points)) == (60, 119)


@pytest.mark.parametrize("most", [1500, 3000])
def test_the_steps_of_too_many_states_are_refused_before_they_are_gone(most: int) -> None:
    usage = Process(most, lambda n: mix({n - 1: 1, n: 5}), lambda n: n == 0)
    assert usage.mean_steps() == 6 * most
    with pytest.raises(TooLarge, match="fewer states"):
        usage.steps()


def test_an_endless_number_of_next_states() -> None:
    with pytest.raises(OutcomeError):
        Process(0, lambda n: chain(d6, {6}) + n, lambda n: n > 5)


@pytest.mark.parametrize("bad", [0.5, None])
def test_states_are_outcomes(bad: Any) -> None:
    with pytest.raises(OutcomeError):
        Process(0, lambda _: bad, lambda n: n == 1)
    with pytest.raises(OutcomeError):
        Process(bad, lambda _: 1, lambda n: n == 1)


def test_an_ending_that_cannot_be() -> None:
    with pytest.raises(ImpossibleEvent):
        ruin(1, 3).steps(lambda state: state == 2)


def test_rewards_are_exact() -> None:
    with pytest.raises(OutcomeError):
        Process(2, lambda n: n - 1, lambda n: n == 0).mean_total(lambda n: 0.1)


# --- size


def test_a_hundred_states_that_lead_back_to_one_another() -> None:
    found = ruin(50, 101)
    assert found.mean_steps() == 50 * 51
    assert found.endings().p(101) == F(50, 101)
    assert found.steps().p(50) == F(1, 2**50)


def test_a_long_way_without_loops() -> None:
    """m(n) = 1 + (m(n - 1) + m(n - 2)) / 2, solved by 2n/3 + 2/9 (1 - (-1/2)**n)."""
    found = Process(0, lambda n: coin + (n + 1), lambda n: n >= 240)
    assert found.mean_steps() == 160 + F(2, 9) * (1 - F(1, 2**240))
    assert found.steps().p(240) == F(1, 2**239)


@pytest.mark.parametrize(("mine", "theirs"), [(3, 4), (8, 5), (1, 1)])
def test_a_duel_where_both_may_miss(mine: int, theirs: int) -> None:
    """Both strike at once, for 0 to 2 and for 0 to 3, until one falls: backwards, without loops.

    Whoever misses for ever changes nothing, so the chances are those given that somebody hits.
    """

    def exchange(state: tuple[int, int]) -> Dist[tuple[int, int]]:
        return joint(Dist([0, 1, 2]), Dist([0, 0, 3])).map(
            lambda blow: (max(0, state[0] - blow[1]), max(0, state[1] - blow[0]))
        )

    known: dict[tuple[int, int], dict[tuple[int, int], Fraction]] = {}
    for a in range(mine + 1):
        for b in range(theirs + 1):
            if not a or not b:
                known[a, b] = {(a, b): F(1)}
                continue
            found: dict[tuple[int, int], Fraction] = {}
            for blow, chance in ((0, F(1, 3)), (1, F(1, 3)), (2, F(1, 3))):
                for hurt, other in ((0, F(2, 3)), (3, F(1, 3))):
                    if blow or hurt:
                        after = known[max(0, a - hurt), max(0, b - blow)]
                        for end, p in after.items():
                            share = chance * other * p / (1 - F(2, 9))
                            found[end] = found.get(end, F(0)) + share
            known[a, b] = found
    duel = Process((mine, theirs), exchange, end=lambda state: 0 in state)
    assert dict(duel.endings().items()) == known[mine, theirs]
