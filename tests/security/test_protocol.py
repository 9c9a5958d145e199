"""Bots that abuse the protocol, in real games: each loses its game, and the same playing process goes on."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

import engine
from kit.bot.entrants import find
from referee.job import ClockRule, Job, SeatJob
from referee.supervise import PlayingProcess
from tests.security.abuses import abuses
from tests.security.arena import store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sandbox import Stage
    from tests.security.abuses import Abuse

START = engine.deal("crapaud", "0" * 64)
"""Seat 1, the attacker's, starts."""
ENDINGS_OF_THE_GAME = {"win", "stall", "passes", "draw-agreed"}


def play(process: PlayingProcess, *seats: SeatJob) -> dict[str, Any]:
    job = Job("crapaud", str(START), seats, clock=ClockRule(400, 20), start_seconds=4)
    game = process.start(job)
    events = [event for batch in game.batches() for event in batch]
    assert game.result is not None
    assert [event["n"] for event in events] == list(range(len(events)))
    return game.result


@pytest.fixture(scope="module")
def process(stage: Stage) -> Iterator[PlayingProcess]:
    """One playing process for all: whoever harms it fails the games after it, the last of which is honest."""
    with PlayingProcess(stage) as made:
        yield made
        following = play(made, *[find("random").seat(stage)] * 2)["result"]
        assert following["termination"] in ENDINGS_OF_THE_GAME, following


@pytest.fixture(scope="module")
def honest(stage: Stage) -> SeatJob:
    return find("random").seat(stage)


@pytest.mark.parametrize("attack", abuses(), ids=lambda attack: attack.name)
def test_abusing_the_protocol_loses_the_game_and_does_nothing_else(
    attack: Abuse, stage: Stage, process: PlayingProcess, honest: SeatJob
) -> None:
    directory = store(stage, {"bot.py": attack.program}, "bot.py")
    begun = time.monotonic()
    message = play(process, honest, SeatJob(str(directory), "python", "bot.py"))
    result = message["result"]
    assert result["termination"] in attack.expect, result
    culprit = None if result["termination"] in ENDINGS_OF_THE_GAME else 1
    assert result["seat"] == culprit, result
    assert len(result["detail"]) < 500
    assert result["detail"].isprintable()
    # By itself, or not soon enough on a busy host.
    assert message["evidence"][0]["exit"] in {"exited with status 0", "was ended by the referee"}, message
    assert time.monotonic() - begun < 60
