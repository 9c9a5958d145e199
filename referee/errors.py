"""The error tree of the referee."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.endings import Termination


class RefereeError(Exception):
    """Base class of all errors of the referee."""


class BadJob(RefereeError, ValueError):
    """A job that cannot be played as it is written; the message says what was expected and what came."""


class Infrastructure(RefereeError):
    """The machine failed. The game is void and must be played again.

    ``seat`` is the one whose process was affected, or None if no particular one was.
    """

    def __init__(self, reason: str, seat: int | None = None) -> None:
        super().__init__(reason)
        self.seat = seat


class Forfeit(RefereeError):
    """A seat lost through its own fault. ``termination`` says how; the message is one sentence about it."""

    def __init__(self, seat: int, termination: Termination, detail: str) -> None:
        super().__init__(detail)
        self.seat = seat
        self.termination = termination
        self.detail = detail
