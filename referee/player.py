"""The interface between the referee and whatever plays a seat.

The referee uses only this protocol. `sandboxed` implements it with a sandboxed process, `remote` with lines
to a program elsewhere; tests also use scripted players.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.endings import Termination
    from sandbox.exchange import Exchange


MESSAGES_KEPT: Final = 24
MESSAGE_CHARS: Final = 4000


class PlayerFault(Exception):
    """A player cannot continue through its own fault: it exited, flooded, ran out of memory, or does not
    read."""

    def __init__(self, termination: Termination, detail: str) -> None:
        super().__init__(detail)
        self.termination = termination
        self.detail = detail

    @property
    def before_ready(self) -> str:
        """The detail, worded for a bot that was not ready yet."""
        if self.detail == "exited with status 0":
            return f"{self.detail}, as a program does that never calls run() and never reads its input"
        return self.detail


@dataclass(slots=True)
class PlayerEvidence:
    """What is kept about a player for its owner after the game, all of limited size.

    ``messages`` are the last lines both ways, oldest first: ``["to" | "from", text]``. ``stderr`` says where
    something was left out of the ``stderr_bytes`` that it wrote.
    """

    messages: list[tuple[str, str]] = field(default_factory=list)
    stderr: str = ""
    stderr_bytes: int = 0
    exit: str = ""
    cpu_ms: int = 0
    max_rss_kb: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON object that goes with the result."""
        return {
            "messages": [list(message) for message in self.messages],
            "stderr": self.stderr,
            "stderr_bytes": self.stderr_bytes,
            "exit": self.exit,
            "cpu_ms": self.cpu_ms,
            "max_rss_kb": self.max_rss_kb,
        }


@dataclass(frozen=True, slots=True)
class ShortWay:
    """How to ask a player in this machine without the calls between: `ask` in parts.

    What is asked by the ``exchange`` is given to ``remember`` with its answer. If there is none,
    ``send_rest`` is given the line and the seconds to write what of it was not sent; it raises PlayerFault.
    """

    exchange: Exchange
    remember: Callable[[tuple[bytes | None, bytes | None]], object]
    send_rest: Callable[[bytes, float], object]


class Player(Protocol):
    """One seat's player. Times are seconds of ``time.monotonic``; every method may raise `PlayerFault`."""

    def send(self, line: bytes, deadline: float) -> None:
        """Write a line, which includes its line end."""

    def ask(self, line: bytes, seconds: float, milliseconds: int) -> bytes | None:
        """Write a line, within ``seconds``, and return the next one if it comes within ``milliseconds``."""

    def short_way(self) -> ShortWay | None:
        """Return how to ask it with less ado, if there is a way."""

    def receive(self, deadline: float) -> bytes | None:
        """Return the next line without its line end, or None if none is complete at the deadline."""

    def fileno(self) -> int:
        """Return the descriptor that becomes readable when there is something to `receive`, or -1."""

    def cpu_ns(self) -> int:
        """Return the CPU time used since the player started; it never decreases."""

    def delayed_ns(self) -> int:
        """Return how long the player was ready to run but had no core."""

    def sleeps(self) -> int:
        """Return how often the player gave its core away by itself."""

    def pause(self) -> None:
        """Stop the player from running until `resume`."""

    def resume(self) -> None:
        """Let a paused player run."""

    def farewell(self, line: bytes) -> None:
        """Let it run and send a last line, if possible. Raises nothing."""

    def close(self) -> PlayerEvidence:
        """Give it a moment to exit, end it, and return its evidence. May be called again."""

    def kill(self) -> None:
        """End it at once."""
