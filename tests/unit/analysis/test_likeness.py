"""Questions of recorded games, and how alike two sets of answers are."""

from __future__ import annotations

from random import Random

import engine
from analysis.likeness import LEAST_CHOICE, LEAST_COMMON, Likeness, likeness, probes_of, settled


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


def test_questions_are_spread_over_the_game_and_leave_a_choice() -> None:
    start, events = played("crapaud", "spread")
    found = probes_of(start, events, 6)
    assert len(found) == 6
    plies = [probe.question["ply"] for probe in found]
    assert plies == sorted(set(plies))
    assert plies[-1] - plies[0] > 100
    for probe in found:
        assert len(probe.question["legal"]) >= LEAST_CHOICE
        assert len(probe.question["events"]) == probe.question["ply"]
    assert probes_of(start, events, 6) == found


def test_a_question_says_nothing_that_its_seat_may_not_know() -> None:
    start, events = played("russian-bank", "hidden")
    assert "??" not in start
    for probe in probes_of(start, events, 8):
        position = engine.Position.parse(probe.question["position"])
        assert position == position.public()
        begun = engine.Position.parse(probe.question["start"])
        assert begun == begun.public()


def test_only_what_a_bot_chose_each_time_counts() -> None:
    assert settled(["t1-f", "t1-f"]) == "t1-f"
    assert settled(["t1-f", "draw"]) == settled(["t1-f"]) == settled([]) == ""


def test_too_few_common_questions_are_no_verdict() -> None:
    one = {str(number): "draw" for number in range(LEAST_COMMON)}
    assert likeness(one, one).near_twins
    assert likeness(one, {}) == Likeness(0, 0)
    assert not likeness(one, {"0": "draw"}).near_twins
    assert likeness({}, {}).share == 0
