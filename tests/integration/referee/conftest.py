"""Real games in real sandboxes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import engine
from bots.house import HOUSE_BOTS, build
from kit.bot.entrants import find
from referee.job import ClockRule, Job, SeatJob
from referee.supervise import PlayingProcess
from sandbox import Stage
from sandbox.uploads import digest

BOTS = Path(__file__).parent / "bots"
START = engine.TurnPosition.deal("crapaud", "0" * 64)
"""Seat 1 starts here."""


class Arena:
    """Puts bots on the stage and plays games between them."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self._house: dict[str, SeatJob] = {}
        self._process: PlayingProcess | None = None

    def seat(self, name: str) -> SeatJob:
        if name in HOUSE_BOTS:  # whose files are checked once: that takes a sandbox, too
            if name not in self._house:
                self._house[name] = find(name).seat(self.stage)
            return self._house[name]
        files = {"bot.py": (BOTS / f"{name}.py").read_bytes()}
        return SeatJob(str(self.stage.store_bot(digest(files), files, "bot.py")), "python", "bot.py")

    def job(self, *names: str, start: engine.Position = START, **more: Any) -> Job:
        """A game between these bots, by default from a deal of crapaud in which seat 1 starts."""
        seats = tuple(self.seat(name) for name in names)
        return Job(start.variant, str(start), seats, **{"clock": ClockRule(10_000, 100), **more})

    def play(self, *names: str, **more: Any) -> Game:
        return self.run(self.job(*names, **more))

    def run(self, job: Job) -> Game:
        """Play a job to its end, in the process that played those before it, as on a site.

        A game that could not be played to its end takes its process along.
        """
        process = self._process or PlayingProcess(self.stage)
        self._process = None
        running = process.start(job)
        try:
            events = [event for batch in running.batches() for event in batch]
        except BaseException:
            process.kill()
            raise
        assert running.result is not None
        self._process = process
        return Game(events, running.result)

    def close(self) -> None:
        if self._process is not None:
            self._process.close()


class Game:
    def __init__(self, events: list[dict[str, Any]], message: dict[str, Any]) -> None:
        self.events = events
        self.message = message
        self.result: dict[str, Any] = message["result"]
        self.evidence: list[dict[str, Any]] = message["evidence"]
        assert events[-1]["type"] == "end"
        assert events[-1]["result"] == self.result
        assert [event["n"] for event in events] == list(range(len(events)))


@pytest.fixture(scope="session")
def arena() -> Iterator[Arena]:
    """The arena; the house bots in C are compiled for it."""
    build.build()
    made = Arena(Stage.ensure())
    yield made
    made.close()


@pytest.fixture
def play(arena: Arena) -> Callable[..., Game]:
    return arena.play
