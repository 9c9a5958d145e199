"""How a bot plays is told by its games: with which policies it agrees, and which of them that chooses."""

import pytest

from analysis.luck.policy_agreement import tallies
from analysis.training.selfplay import play
from analysis.values.seat_policies import (
    UNKNOWN,
    SeatPolicy,
    choose_policy,
    of_house,
    ranks,
)
from engine import deal
from engine.policies.greedy import greedily
from engine.policies.planner import search
from engine.policies.tick_greedy import tick_greedy
from engine.policies.tick_planner import weighed
from engine.ticks.core import TickCore
from engine.turns.core import Core
from engine.turns.moves import texts

SURE_GREEDY, SURE_PLANNER = SeatPolicy("greedy", 1.0), SeatPolicy("planner", 1.0)


def outside(core: Core) -> tuple[int, ...]:
    """The planner as it weighs its lines, outside the core."""
    return search(core, 500).best.moves


def outside_ticks(core: TickCore, seat: int) -> int:
    """The planner of ticks as it gives its reasons, outside the core."""
    return weighed(core, seat).action


@pytest.mark.parametrize("variant", ["crapaud", "crapette-it", "russian-bank"])
def test_a_game_agrees_with_the_policies_that_played_it(variant: str) -> None:
    start = deal(variant, "0d" * 32)
    first, second = tallies(start, play(start, [outside, greedily]).words)
    assert first["planner"] == first["stretches"] > 30
    assert first["greedy"] < first["stretches"]
    assert second["greedy"] == second["stretches"] > 30
    assert second["planner"] < second["stretches"]
    assert choose_policy([first]) == SURE_PLANNER
    assert choose_policy([second]) == SURE_GREEDY


def test_in_ticks_too_a_game_agrees_with_the_policies_that_played_it() -> None:
    starts = [deal("vitesse", f"{seed:064x}") for seed in range(4)]
    found = [tallies(start, play(start, [outside_ticks, tick_greedy]).words) for start in starts]
    assert choose_policy([first for first, _ in found]) == SeatPolicy("plans", 1.0)
    assert choose_policy([second for _, second in found]) == SURE_GREEDY


def test_a_search_is_used_where_it_agrees_well_and_a_costly_one_where_it_agrees_always() -> None:
    assert choose_policy([{"stretches": 59, "greedy": 0, "planner": 59}]) == UNKNOWN, "too few"
    assert choose_policy([], SURE_PLANNER) == SURE_PLANNER

    def alike(**found: int) -> SeatPolicy:
        return choose_policy([{"stretches": 1000, **found}])

    assert alike(greedy=800, **{"searches-24": 940}) == SeatPolicy("greedy", 0.8)
    assert alike(greedy=800, **{"searches-24": 960}) == SeatPolicy("searches-24", 0.96)
    assert alike(planner=994, **{"searches-24": 960, "greedy": 1}) == SeatPolicy("searches-24", 0.96)
    assert alike(planner=995, **{"searches-24": 960, "greedy": 1}) == SeatPolicy("planner", 0.995)


def test_house_bots_are_known_by_their_names_and_a_policy_ranks_what_it_likes_first() -> None:
    assert of_house("greedy-c", ticks=True) == SURE_GREEDY
    assert of_house("planner", ticks=True) == SeatPolicy("plans", 1.0)
    assert of_house("random-js", ticks=False) == SeatPolicy("greedy", 0.0)
    assert of_house("oracle", ticks=False) is None
    order, names, plain = ranks(("discards", "greedy")), texts(2, 0), ranks(("greedy", "greedy"))
    number = {name: place for place, name in enumerate(names) if name}
    assert order[number["r-d1"]] < order[number["r-r1"]] < order[number["r-f"]] < order[number["r-t1"]]
    assert order[number["h-d"]] == plain[number["h-d"]] == 50
    assert order[128:] == plain[128:]
