"""Starts, asks and ends an opponent's process."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, Final

from referee.errors import Infrastructure, RefereeError
from referee.supervise import PlayingProcess

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from friendlies.opponent.process import BotQuestion
    from referee.job import Job
    from sandbox import Stage

    class RemoteSeat(Protocol):
        """A remote bot's seat, and the way to its author (`bots.remote.bridge.RemoteTable`)."""

        def begin(self, process: PlayingProcess) -> None:
            """Tell the author of the game."""

        def read(self, timeout: float) -> list[dict[str, Any]] | None:
            """As `PlayingProcess.read`, without the lines for the author, which are on their way."""

        def find_unreached(self) -> int | None:
            """The seat, if its bot's connection was not found."""

        def end(self) -> None:
            """No more news for the process."""

        def over(self, frames: dict[int, dict[str, Any]]) -> None:
            """Tell the author how the game ended."""


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

    def __init__(
        self,
        job: Job,
        seat: int,
        stage: Stage,
        beat: Callable[[], object],
        remote: RemoteSeat | None = None,
    ) -> None:
        """Start the bot. Raises Fault if it does not start, Infrastructure, and what ``beat`` raises."""
        self.told = 0
        self.remote = remote
        self._seat = seat
        self._outcome: dict[str, Any] = {}
        self._patience = PATIENCE_EXTRA_S + 4 * job.rules[0].bank_ms / 1000
        self._process = PlayingProcess(stage, MODULE)
        try:
            self._write(json.dumps({**json.loads(job.line()), "seat": seat}))
            if remote is not None:
                remote.begin(self._process)
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

    def end(self, result: dict[str, Any] | None = None) -> None:
        """End the bot and its process at once. The author of a remote one is told the `result`, or that the
        game is void."""
        self._process.kill()
        if self.remote is not None:
            self.remote.end()
            self.remote.over({self._seat: result or self._outcome})
            self.remote = None

    def _write(self, line: str) -> None:
        stdin = self._process.popen.stdin
        assert stdin is not None  # noqa: S101
        try:
            stdin.write(line.encode() + b"\n")
        except (BrokenPipeError, ValueError):
            raise Infrastructure(self._process.last_words()) from None

    def _read(self, beat: Callable[[], object]) -> dict[str, Any]:
        deadline = time.monotonic() + self._patience
        read = self._process.read if self.remote is None else self.remote.read
        while True:
            messages = read(BEAT_SECONDS)
            if messages is None:
                raise Infrastructure(self._process.last_words())
            if messages:
                break
            beat()
            if self.remote is not None and self.remote.find_unreached() is not None:
                raise Infrastructure("the bot was not connected when it was asked")
            if time.monotonic() > deadline:
                raise Infrastructure(f"the opponent's process said nothing for {self._patience:.0f} seconds")
        message = messages[0]
        if message["type"] == "fault":
            self._outcome = {"result": "loss", "termination": message["termination"]}
            raise Fault(message["termination"], message["detail"])
        if message["type"] == "infrastructure":
            raise Infrastructure(message["reason"])
        return message
