"""Starts, asks and ends an opponent's process."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, Final

from referee.errors import Infrastructure, RefereeError
from referee.supervise import PlayingProcess

if TYPE_CHECKING:
    from collections.abc import Callable

    from friendlies.opponent.process import BotQuestion
    from referee.job import Job
    from sandbox import Stage

MODULE: Final = "friendlies.opponent.process"
BEAT_SECONDS: Final = 1.0
PATIENCE_EXTRA_S: Final = 90.0


class Fault(RefereeError):
    """The bot lost through its own fault: the termination, and one sentence about it."""

    def __init__(self, termination: str, detail: str) -> None:
        super().__init__(detail)
        self.termination = termination
        self.detail = detail


class Engagement:
    """A bot playing against a person. ``told`` is the number of events it has been told."""

    def __init__(self, job: Job, seat: int, stage: Stage, beat: Callable[[], object]) -> None:
        """Start the bot. Raises Fault if it does not start, Infrastructure, and what ``beat`` raises."""
        self.told = 0
        self._patience = PATIENCE_EXTRA_S + 4 * job.clock.bank_ms / 1000
        self._process = PlayingProcess(stage, MODULE)
        try:
            self._write(json.dumps({**json.loads(job.line()), "seat": seat}))
            self.stops: bool = self._read(beat)["stops"]
        except BaseException:
            self.end()
            raise

    @property
    def alive(self) -> bool:
        """Whether the process still runs. It exits by itself if nobody asks for a long time."""
        return self._process.popen.poll() is None

    def ask(self, question: BotQuestion, told: int, beat: Callable[[], object]) -> dict[str, Any]:
        """Ask a question and return the answer. Afterwards the bot knows ``told`` events. ``beat`` runs every
        second.

        Raises Fault, Infrastructure, and what ``beat`` raises.
        """
        self._write(question.line())
        said = self._read(beat)
        self.told = told
        return said

    def end(self) -> None:
        """End the bot and its process at once."""
        self._process.kill()

    def _write(self, line: str) -> None:
        stdin = self._process.popen.stdin
        assert stdin is not None  # noqa: S101
        try:
            stdin.write(line.encode() + b"\n")
        except (BrokenPipeError, ValueError):
            raise Infrastructure(self._process.last_words()) from None

    def _read(self, beat: Callable[[], object]) -> dict[str, Any]:
        deadline = time.monotonic() + self._patience
        while True:
            messages = self._process.read(BEAT_SECONDS)
            if messages is None:
                raise Infrastructure(self._process.last_words())
            if messages:
                break
            beat()
            if time.monotonic() > deadline:
                raise Infrastructure(f"the opponent's process said nothing for {self._patience:.0f} seconds")
        (message,) = messages
        if message["type"] == "fault":
            raise Fault(message["termination"], message["detail"])
        if message["type"] == "infrastructure":
            raise Infrastructure(message["reason"])
        return message
