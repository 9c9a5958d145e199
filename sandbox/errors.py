"""Errors of running a bot in the sandbox.

Two trees that must never be mixed up: `SandboxUnavailable` is the host's fault (no game runs, no bot
forfeits, the work goes back in the queue) and `BotFault` is the bot's (it loses, with the words given here).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandbox.exit_causes import Exit


class SandboxUnavailable(Exception):
    """A layer of the sandbox is missing or the host failed: infrastructure, never a bot's fault.

    `str()` says what is missing; `hint` says what an operator can do about it, and may be empty.
    """

    def __init__(self, problem: str, hint: str = "") -> None:
        super().__init__(f"{problem} ({hint})" if hint else problem)
        self.problem = problem
        self.hint = hint


class HelperDied(SandboxUnavailable):
    """The helper that was to do something in the sandbox ended, and did not say why."""


class KilledByHost(SandboxUnavailable):
    """The kernel ended a bot because the host ran out of memory. `exit` says whether that is proved."""

    def __init__(self, exit_: Exit) -> None:
        super().__init__(f"a bot {exit_.words}", "give the host memory, or play fewer games at once")
        self.exit = exit_


class BotFault(Exception):
    """Something the bot did wrong. `exit` is how its process ended, or None while it still runs."""

    def __init__(self, detail: str, exit_: Exit | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.exit = exit_


class BotExited(BotFault):
    """The process ended by itself or by a signal, or closed the pipe to the referee."""


class BotOutOfMemory(BotFault):
    """The process ended because it wanted more memory than its limit."""


class BotOutOfCpu(BotFault):
    """The process used up the CPU seconds of the whole game (RLIMIT_CPU)."""


class BotSilent(BotFault):
    """The process still runs, but did not send a complete line, or did not read its input, before the
    deadline."""


class BotFlooded(BotFault):
    """The process wrote a line longer than the limit, or more unread output than is allowed."""
