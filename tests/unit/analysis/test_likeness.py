"""Questions of recorded games, and how alike two sets of answers are."""

from itertools import pairwise
from random import Random

import engine
from analysis.likeness import (
    APART,
    LEAST_CHOICE,
    LEAST_COMMON,
    MOST_NODES,
    TIMES,
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
    game, rng = engine.TurnGame.deal(variant, seed), Random(7)
    events: list[dict[str, object]] = []
    while not game.finished and len(events) < 200:
        events.append({"type": "move", "move": rng.choice(game.legal_moves())})
        game.push(str(events[-1]["move"]))
    return str(game.start), [*events, {"type": "end", "result": {}}]


def test_questions_are_put_where_reasonable_bots_differ_and_say_nothing_hidden() -> None:
    start, events = played("russian-bank", "spread")
    plies = find_contested(start, events, 6)
    assert len(plies) == 6
    assert all(after - before > APART for before, after in pairwise(plies))
    assert "??" not in start
    found, differ = probes_of(start, events, plies), 0
    assert [probe.question["ply"] for probe in found] == plies
    for probe in found:
        assert len(probe.question["legal"]) >= LEAST_CHOICE
        assert len(probe.question["events"]) == probe.question["ply"]
        for line in (probe.question["position"], probe.question["start"]):
            assert (position := engine.TurnPosition.parse(line)) == position.public()
        core = engine.TurnGame(engine.TurnPosition.parse(probe.question["position"])).core
        differ += search(core, MOST_NODES).best.moves[0] != greedy(core)
    assert differ >= 5, "in most positions of a game they begin alike"


def test_only_what_a_bot_chose_each_time_counts_and_too_few_common_questions_are_no_verdict() -> None:
    assert steady_choice(["t1-f"] * TIMES) == "t1-f"
    assert steady_choice(["t1-f", "t1-f", "draw"]) == steady_choice(["t1-f"]) == steady_choice([]) == ""
    one = {str(number): "draw" for number in range(LEAST_COMMON)}
    assert likeness(one, one).near_twins
    assert likeness(one, {}) == Likeness(0, 0)
    assert not likeness(one, {"0": "draw"}).near_twins
    assert likeness({}, {}).share == 0
