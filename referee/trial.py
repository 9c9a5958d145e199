"""A trial: a game that shows whether a bot can play, cut short when its time is up."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from engine.boards import board_name
from referee.errors import RefereeError
from referee.result import Termination

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from referee.job import Job
    from referee.protocol import Ready

CUT_SHORT: Final = "cut-short"
LEFT_OUT: Final = "left-out"
OWN_END: Final = frozenset(
    {
        Termination.WIN,
        Termination.STOP,
        Termination.STALL,
        Termination.PASSES,
        Termination.DRAW_AGREED,
        Termination.RESIGNATION,
    }
)
"""How a game ends that no bot lost by a fault."""


def passed(termination: str, events: Iterable[Mapping[str, Any]], players: int) -> bool:
    """Whether a bot passed the trial that ended so: by no bot's fault, or cut short after the bot answered.

    It has answered once there is a move, or a tick in which not every seat was late.
    """
    if termination == CUT_SHORT:
        return any(
            event["type"] == "move" or (event["type"] == "tick" and len(event.get("late", ())) < players)
            for event in events
        )
    return termination in OWN_END


class BrokenOff(RefereeError):
    """The trial ends without a fault; ``termination`` is `CUT_SHORT` or `LEFT_OUT`."""

    def __init__(self, termination: str, detail: str) -> None:
        super().__init__(detail)
        self.termination = termination
        self.detail = detail


class TrialRule:
    """Decides when to cut the game of a job short, which happens only if the job is a trial."""

    def __init__(self, job: Job, idle: Callable[[], object]) -> None:
        self._board = board_name(job.variant, len(job.seats))
        self._seconds = job.trial
        self._deadline = None if job.trial is None else time.monotonic() + job.trial
        self._idle = idle

    def idle(self) -> None:
        """Do the work that is due while the referee waits. Raises BrokenOff."""
        self._idle()
        if self._deadline is not None and time.monotonic() >= self._deadline:
            raise BrokenOff(CUT_SHORT, f"The trial was cut short after {self._seconds:.1f} seconds.")

    def admit(self, ready: Sequence[Ready]) -> None:
        """End a trial of a game that the bot's ready message does not include. Raises BrokenOff."""
        if self._deadline is not None and not all(one.plays_on(self._board) for one in ready):
            raise BrokenOff(LEFT_OUT, "The bot's ready message does not include this game.")
