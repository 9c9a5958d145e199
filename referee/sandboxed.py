"""A bot in its sandbox, as the referee's player."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import sandbox
from referee.endings import Termination
from referee.errors import Infrastructure
from referee.job import REMOTE
from referee.judgement import Unforeseen, judge
from referee.player import MESSAGE_CHARS, MESSAGES_KEPT, PlayerEvidence, PlayerFault, ShortWay
from sandbox import proc

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.job import Job
    from referee.remote import RemotePlayer
    from sandbox import Exit, Process, Stage

EMPTY: Final[Mapping[str, RemotePlayer]] = MappingProxyType({})
FENCE_EXTRA_S: Final = 10
FENCE_TURNS: Final = 1000
LEAVE_S: Final = 0.1
"""How long a bot may take to leave by itself when the game is over."""

_TERMINATIONS: Final = {
    sandbox.BotExited: Termination.CRASH,
    sandbox.BotOutOfMemory: Termination.MEMORY,
    sandbox.BotOutOfCpu: Termination.TIMEOUT,
    sandbox.BotFlooded: Termination.FLOOD,
    sandbox.BotSilent: Termination.SILENCE,
}


class SandboxedPlayer:
    """Implements `referee.player.Player` with one sandboxed process."""

    __slots__ = (
        "_closed",
        "_doubted",
        "_messages",
        "_process",
        "_seat",
        "cpu_ns",
        "fileno",
        "pause",
        "resume",
        "spawned_us",
    )

    def __init__(self, process: Process, spawned_us: int, seat: int, *, doubted: bool = False) -> None:
        """A ``doubted`` bot is not believed that the host ended it unless its own cgroup proves it."""
        self.spawned_us = spawned_us
        self._seat = seat
        self._doubted = doubted
        self._process = process
        self._messages: deque[tuple[bytes | None, bytes | None]] = deque(maxlen=MESSAGES_KEPT)
        self._closed: PlayerEvidence | None = None
        self.cpu_ns = process.cpu_ns
        self.fileno = process.fileno
        self.pause = process.pause
        self.resume = process.resume

    @property
    def attestation(self) -> dict[str, object]:
        """What was proved of the sandbox before the bot ran."""
        return self._process.attestation.as_dict()

    def send(self, line: bytes, deadline: float) -> None:
        """Write a line."""
        self._messages.append((line, None))
        try:
            self._process.send(line, deadline)
        except Exception as error:
            raise self._judged(error) from error

    def ask(self, line: bytes, seconds: float, milliseconds: int) -> bytes | None:
        """Write a line and return the answer if it comes at once."""
        try:
            reply = self._process.ask(line, seconds, milliseconds)
        except Exception as error:
            self._messages.append((line, None))
            raise self._judged(error) from error
        self._messages.append((line, reply))
        return reply

    def short_way(self) -> ShortWay:
        """By its process' own exchange."""
        return ShortWay(self._process.exchange, self._messages.append, self._send_rest)

    def _send_rest(self, line: bytes, seconds: float) -> None:
        try:
            self._process.send_rest(line, seconds)
        except Exception as error:
            raise self._judged(error) from error

    def receive(self, deadline: float) -> bytes | None:
        """Return the next line, or None at the deadline."""
        try:
            line = self._process.read_line(deadline)
        except sandbox.BotSilent:
            return None
        except Exception as error:
            raise self._judged(error) from error
        self._messages.append((None, line))
        return line

    def _judged(self, error: Exception) -> Infrastructure | PlayerFault:
        """Whose fault an error is that came of this bot's process. Raises Infrastructure."""
        if isinstance(error, sandbox.BotFault):
            return PlayerFault(_TERMINATIONS.get(type(error), Termination.CRASH), error.detail)
        return self._unable(error) if isinstance(error, sandbox.SandboxUnavailable) else judge(error)

    def _unable(self, error: sandbox.SandboxUnavailable) -> Infrastructure | PlayerFault:
        """What a failure of the host means here."""
        if not isinstance(error, sandbox.KilledByHost):
            return Infrastructure(str(error))
        if self._doubted and not error.exit.proved:
            return PlayerFault(Termination.CRASH, "was killed by SIGKILL once more than the arena tolerates")
        return Infrastructure(f"seat {self._seat}: {error}", self._seat)

    def delayed_ns(self) -> int:
        """Return how long the bot stood ready without a core (the kernel's run delay); 0 where it is not
        told."""
        return proc.run_delay_ns(proc.read(f"/proc/{self._process.host_pid}/schedstat"))

    def sleeps(self) -> int:
        """Return how often the bot's main thread gave its core away by itself; 0 where it is not told."""
        status = proc.read(f"/proc/{self._process.host_pid}/status")
        return proc.number(proc.field(status, b"voluntary_ctxt_switches"))

    def farewell(self, line: bytes) -> None:
        """Let it run and send the result; a bot that is gone or does not listen misses it."""
        self._messages.append((line, None))
        with contextlib.suppress(Exception):  # the game is over: nothing may change that
            self._process.farewell(line, 0.0)

    def close(self) -> PlayerEvidence:
        """Give the bot a moment to leave, end it, and return what is kept of it."""
        if self._closed is None:
            with contextlib.suppress(Exception):
                self._process.farewell(b"", LEAVE_S)
            self.kill()
        assert self._closed is not None  # noqa: S101
        return self._closed

    def kill(self) -> None:
        """End the bot at once."""
        if self._closed is None:
            try:
                self._closed = self._evidence(self._process.kill())
            except Exception as error:  # then there is less to show
                self._closed = PlayerEvidence(self._exchanged(), exit=Unforeseen(error).detail)

    def _exchanged(self) -> list[tuple[str, str]]:
        """The last messages, oldest first."""
        return [
            (way, _text(line[:MESSAGE_CHARS]).rstrip("\n"))
            for exchange in self._messages
            for way, line in zip(("to", "from"), exchange, strict=True)
            if line is not None
        ][-MESSAGES_KEPT:]

    def _evidence(self, end: Exit) -> PlayerEvidence:
        return PlayerEvidence(
            messages=self._exchanged(),
            stderr=_text(end.stderr),
            stderr_bytes=end.stderr_bytes,
            exit=end.words,
            cpu_ms=end.cpu_ns // 1_000_000,
            max_rss_kb=end.max_rss_kb,
        )


def spawn_players(
    job: Job, stage: Stage, remote: Mapping[str, RemotePlayer] = EMPTY
) -> list[SandboxedPlayer | RemotePlayer]:
    """Start every seat's bot in a sandbox of its own; those on `remote` seats, by the ids of their sittings,
    run elsewhere. Raises Infrastructure; leaves nothing running then."""
    players: list[SandboxedPlayer | RemotePlayer] = []
    cpu_seconds = _fence_seconds(job)
    with contextlib.ExitStack() as started:
        for number, seat in enumerate(job.seats):
            if seat.language == REMOTE:
                players.append(remote[seat.entry])
                continue
            program = sandbox.Program(Path(seat.directory), seat.language, seat.entry)  # type: ignore[arg-type]
            memory = job.memory_mb << 20 if job.memory_mb else sandbox.memory_of(seat.language)
            limits = sandbox.BotLimits(memory_bytes=memory, cpu_seconds=cpu_seconds)
            begun = time.monotonic_ns()
            try:
                process = sandbox.spawn(program, limits, sandbox.Level(job.level), stage)
            except sandbox.SandboxUnavailable as error:
                raise Infrastructure(str(error)) from error
            spawned_us = (time.monotonic_ns() - begun) // 1000
            player = SandboxedPlayer(process, spawned_us, number, doubted=seat.doubted)
            started.callback(player.kill)
            players.append(player)
        started.pop_all()
    return players


def _fence_seconds(job: Job) -> int:
    """Return CPU seconds that no game by this clock needs: the kernel's fence behind the referee's clock."""
    clock = job.clock
    return FENCE_EXTRA_S + int(job.start_seconds) + (clock.bank_ms + FENCE_TURNS * clock.increment_ms) // 1000


def _text(data: bytes) -> str:
    """Return what a bot wrote as text that any database takes: no NUL (PostgreSQL refuses it)."""
    return data.decode("utf-8", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
