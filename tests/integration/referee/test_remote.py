"""Whole games with remote seats, in the process that plays on a site: its pipes carry their lines."""

import json
import os
from typing import Any

import pytest

import engine
from referee.job import REMOTE, Job, SeatJob
from referee.supervise import Message, PlayingProcess
from tests.integration.referee.conftest import Arena


def answer(message: dict[str, Any]) -> dict[str, Any]:
    """What a bot says that plays anything, and calls stop now and then."""
    match message["type"]:
        case "hello":
            return {"type": "ready", "stops": True, "ticks": True}
        case "stop":
            return {"id": message["id"], "stop": message["ply"] % 7 == 0}
        case "tick":
            return {"id": message["id"], "action": message["legal"][0]}
    return {"id": message["id"], "moves": message["legal"][:1]}


@pytest.mark.parametrize(
    ("variant", "players", "beside"),
    [("crapette", 3, "greedy"), ("crapette-it", 2, None), ("vitesse", 2, "planner")],
)
def test_remote_bots_play_whole_games_beside_others(
    arena: Arena, variant: str, players: int, beside: str | None
) -> None:
    start = engine.Position.deal(variant, "3" * 64, players)
    seats = [SeatJob("", REMOTE, f"sitting{seat}") for seat in range(players)]
    if beside:
        seats[0] = arena.seat(beside)
    heard: dict[str, list[int]] = {}
    with PlayingProcess(arena.stage) as process, os.fdopen(process.news_pipe(), "w", 1) as news:
        print('{"sitting":"before","do":"lost"}', file=news)  # of a game that was over when it came

        def read(timeout: float) -> list[Message] | None:
            said = process.read(timeout)
            for line in said or []:
                if line["type"] == "line":
                    reply(line)
            return said and [each for each in said if each["type"] != "line"]

        def reply(line: Message) -> None:
            message = json.loads(line["line"])
            heard.setdefault(line["sitting"], []).append(line["n"])
            if message["type"] != "end":
                said = json.dumps(answer(message))
                told = {"sitting": line["sitting"], "n": line["n"], "line": said, "us": 2_000}
                print(json.dumps(told, separators=(",", ":")), file=news)

        running = process.start(Job(variant, str(start), tuple(seats)), read=read)
        events = [event for batch in running.batches() for event in batch]
    assert running.result is not None
    result = running.result["result"]
    assert result["termination"] in {"win", "stall", "passes", "stop"}
    assert events[-1]["result"] == result
    assert heard.keys() == {seat.entry for seat in seats if seat.language == REMOTE}
    for seat, lines in zip(seats[-len(heard) :], heard.values(), strict=True):
        assert lines == list(range(1, len(lines) + 1)), seat
    walls = running.result["sandbox"]["seats"]
    assert [each == {"remote": True} for each in walls] == [seat.language == REMOTE for seat in seats]
    # At most the two milliseconds that each answer is said to have taken, and no CPU time of the arena's.
    answers = [len(lines) - 2 for lines in heard.values()]
    assert sum(result["cpu_ms"][-len(heard) :]) <= 2 * sum(answers)
    assert beside or running.result["cpu_us"]["bots"] == 0
