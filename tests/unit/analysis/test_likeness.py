"""Questions of recorded games, and how alike two sets of answers are."""

from itertools import pairwise
from random import Random

import engine
from analysis.likeness import (
    APART,
    CPU_MS,
    ENOUGH_ANSWERS,
    LEAST_CHOICE,
    LEAST_COMMON,
    LONGEST_CPU_MS,
    MOST_NODES,
    TIMES,
    Budget,
    Likeness,
    find_contested,
    likeness,
    probes_of,
    steady_choice,
)
from engine.policies import greedy
from engine.policies.planner import search


def played(variant: str, seed: str) -> tuple[str, list[dict[str, object]]]:
    """A game of chance moves: its start, and the events of its record."""
    start = engine.TurnPosition.parse(str(engine.deal(variant, seed)))
    game, rng = engine.TurnGame(start), Random(7)
    events: list[dict[str, object]] = []
    while not game.finished and len(events) < 300:
        move = rng.choice(game.legal_moves())
        events.append({"type": "move", "move": move})
        game.push(move)
    return str(start), [*events, {"type": "end", "result": {}}]


def test_questions_are_put_where_reasonable_bots_differ_and_stand_apart() -> None:
    start, events = played("crapaud", "spread")
    plies = find_contested(start, events, 6)
    assert len(plies) == 6
    assert all(after - before > APART for before, after in pairwise(plies))
    found = probes_of(start, events, plies)
    assert [probe.question["ply"] for probe in found] == plies
    for probe in found:
        assert len(probe.question["legal"]) >= LEAST_CHOICE
        assert len(probe.question["events"]) == probe.question["ply"]
    differ = 0
    for probe in found:
        core = engine.TurnGame(engine.TurnPosition.parse(probe.question["position"])).core
        differ += search(core, MOST_NODES).best.moves[0] != greedy(core)
    assert differ >= 5, "in most positions of a game they begin alike"


def test_a_question_says_nothing_that_its_seat_may_not_know() -> None:
    start, events = played("russian-bank", "hidden")
    assert "??" not in start
    for probe in probes_of(start, events, find_contested(start, events, 8)):
        position = engine.Position.parse(probe.question["position"])
        assert position == position.public()
        begun = engine.Position.parse(probe.question["start"])
        assert begun == begun.public()


def test_only_what_a_bot_chose_each_time_counts() -> None:
    assert steady_choice(["t1-f"] * TIMES) == "t1-f"
    assert steady_choice(["t1-f", "t1-f", "draw"]) == steady_choice(["t1-f"]) == steady_choice([]) == ""


def test_too_few_common_questions_are_no_verdict() -> None:
    one = {str(number): "draw" for number in range(LEAST_COMMON)}
    assert likeness(one, one).near_twins
    assert likeness(one, {}) == Likeness(0, 0)
    assert not likeness(one, {"0": "draw"}).near_twins
    assert likeness({}, {}).share == 0


def test_a_bot_is_asked_for_its_cpu_time_and_for_longer_if_it_hardly_answers() -> None:
    budget = Budget()
    budget.spend(CPU_MS - 1)
    assert not budget.is_spent(ENOUGH_ANSWERS)
    budget.spend(1)
    assert budget.is_spent(ENOUGH_ANSWERS)
    assert not budget.is_spent(ENOUGH_ANSWERS - 1)
    budget.spend(LONGEST_CPU_MS)
    assert budget.is_spent(0)
