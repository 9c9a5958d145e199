"""Games of `vitesse` by real bots in real sandboxes."""

from collections.abc import Callable

import engine
from analysis.luck.policy_agreement import tallies
from referee.job import ClockRule
from tests.integration.referee.conftest import Game

START = engine.deal("vitesse", "6" * 64)


def test_house_bots_play_vitesse_as_the_core_does_and_the_record_replays(play: Callable[..., Game]) -> None:
    for bots in (("planner", "greedy"), ("random-js", "random-c")):
        game = play(*bots, start=START)
        if bots[0] == "planner":
            first, second = tallies(START, engine.words_of(game.events))
            assert first["plans"] == first["stretches"] > 10
            assert second["greedy"] == second["stretches"] > 10
        assert game.result["termination"] in {"stop", "stall"}, game.result
        replayed = engine.TickGame(engine.TickPosition.parse(str(START)))
        for event in game.events[:-1]:
            assert replayed.push(*event["actions"]).as_dict().items() <= event.items()
        outcome = replayed.outcome()
        assert outcome is not None
        assert game.result["points"] == list(outcome.points)
        # On a busy machine a bot may not have left by the time it has for that.
        left = {"exited with status 0", "was ended by the referee"}
        assert {each["exit"] for each in game.evidence} <= left


def test_a_bot_that_oversleeps_waits_in_that_tick_and_one_that_leaves_has_lost(
    play: Callable[..., Game],
) -> None:
    game = play("greedy", "napper", start=START, clock=ClockRule(10_000, 100, 500))
    assert game.events[3]["late"] == [1]
    assert game.events[3]["actions"][1] == "wait"
    assert game.events[11]["tick"] == 11
    assert (game.result["termination"], game.result["seat"], game.result["plies"]) == ("crash", 1, 12)
    assert game.evidence[1]["exit"] == "exited with status 3"
    assert any('"tick":12' in text for way, text in game.evidence[1]["messages"] if way == "to")
