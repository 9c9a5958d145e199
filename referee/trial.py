"""A trial: a game that shows whether a bot plays at all, broken off when its time is up."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from engine.boards import board_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from referee.job import Job
    from referee.protocol import Ready

CUT_SHORT: Final = "cut-short"
LEFT_OUT: Final = "left-out"


class BrokenOff(Exception):
    """The game goes on no further, by nobody's doing; ``termination`` says which of the two it was."""

    def __init__(self, termination: str, detail: str) -> None:
        super().__init__(detail)
        self.termination = termination
        self.detail = detail


class Trial:
    """When to break off the game of a job; a job that is no trial never is."""

    def __init__(self, job: Job, idle: Callable[[], object]) -> None:
        self._board = board_name(job.variant, len(job.seats))
        self._seconds = job.trial
        self._deadline = None if job.trial is None else time.monotonic() + job.trial
        self._idle = idle

    def idle(self) -> None:
        """Do what is to be done while the referee waits. Raises BrokenOff."""
        self._idle()
        if self._deadline is not None and time.monotonic() >= self._deadline:
            raise BrokenOff(CUT_SHORT, f"The trial was cut short after {self._seconds:.1f} seconds.")

    def admit(self, ready: Sequence[Ready]) -> None:
        """Break off a trial of a game that the bot does not say it plays. Raises BrokenOff."""
        if self._deadline is not None and not all(one.plays_on(self._board) for one in ready):
            raise BrokenOff(LEFT_OUT, "The bot's ready message does not include this game.")
