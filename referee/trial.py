"""A trial: a game that shows whether a bot can play, cut short when it has gone on for long enough."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from engine.boards import board_name
from referee.endings import Termination
from referee.errors import RefereeError
from referee.mistake_advice import BUSY, hint, slow_advice

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from referee.job import Job
    from referee.mistake_advice import Advice
    from referee.protocol import Ready

SLEEPY_MS: Final = 1000
"""A bot that uses no CPU and needs that long for a move loses a game of some 300 moves by its silence."""
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


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What a trial showed of a bot: whether it passed, how the game ended, in a sentence, and what to do."""

    passed: bool
    detail: str
    seat: int | None = None
    advice: Advice | None = None
    busy: bool = False
    """Whether it shows nothing of the bot, because the host had no core for it."""


def diagnose(
    result: Mapping[str, Any], events: Collection[Mapping[str, Any]], evidence: Sequence[Mapping[str, Any]]
) -> Diagnosis:
    """What a trial that was played shows, from its result or what is said of a game that was broken off, and
    what each seat left, which may be missing.

    The check of the arena and the author's command both ask this, so that they agree. A bot passes if the
    game ended by no bot's fault, or was cut short while it answered as fast as a whole game demands.
    """
    termination, detail, seat = result["termination"], str(result.get("detail") or ""), result.get("seat")
    if termination == CUT_SHORT:
        return _of_unfinished(result, events, evidence)
    if termination in OWN_END or seat is None:
        return Diagnosis(termination in OWN_END, detail)
    left = evidence[seat] if seat < len(evidence) else {}
    stderr, cpu_ms = str(left.get("stderr") or ""), int(left.get("cpu_ms") or 0)
    return Diagnosis(False, detail, seat if left else None, hint(termination, detail, stderr, cpu_ms))


def _of_unfinished(
    result: Mapping[str, Any], events: Collection[Mapping[str, Any]], evidence: Sequence[Mapping[str, Any]]
) -> Diagnosis:
    """What a trial shows that was cut short: whether there were answers, and what the bot did meanwhile.

    It has answered once there is a move, or a tick in which not every seat was late.
    """
    took, players = result["took"], len(result["cpu_ms"])
    answered = any(
        event["type"] == "move" or (event["type"] == "tick" and len(event.get("late", ())) < players)
        for event in events
    )
    # Time without a core is the host's; the rest a bot computes, or it waits for something.
    own_ms = max(took["wall_ms"] - took["delayed_ms"], 1)
    unit = "ticks" if any(event["type"] == "tick" for event in events) else "plies"
    idle = took["cpu_ms"] < BUSY * own_ms
    slept = idle and own_ms >= SLEEPY_MS * result["plies"]
    if answered and not slept:
        return Diagnosis(True, "")
    seconds = took["wall_ms"] / 1000
    detail = f"It gave no answer within {seconds:.1f} seconds."
    busy = not answered and own_ms < took["delayed_ms"]
    if answered:
        detail = f"It played only {result['plies']} {unit} in {seconds:.1f} seconds."
    elif busy:
        detail = (
            f"It gave no answer within {seconds:.1f} seconds, but the arena was busy. Check it again later."
        )
    seats = range(len(evidence))
    longest = max(seats, key=lambda seat: int(evidence[seat].get("cpu_ms") or 0), default=None)
    stderr = "" if longest is None else str(evidence[longest].get("stderr") or "")
    advice = hint("", "", stderr) or slow_advice(took["cpu_ms"], own_ms / 1000, answered=answered)
    return Diagnosis(False, detail, longest, advice, busy)


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
        # Nothing is cut short before the bots are ready: their starts have a limit of their own.
        self._deadline = math.inf
        self._idle = idle

    def idle(self) -> None:
        """Do the work that is due while the referee waits. Raises BrokenOff."""
        self._idle()
        if time.monotonic() >= self._deadline:
            raise BrokenOff(CUT_SHORT, f"The trial was cut short after {self._seconds:.1f} seconds.")

    def admit(self, ready: Sequence[Ready]) -> None:
        """Begin to count the seconds of a trial, or end that of a game which the bot's ready message does
        not include. Raises BrokenOff."""
        if self._seconds is None:
            return
        if not all(one.plays_on(self._board) for one in ready):
            raise BrokenOff(LEFT_OUT, "The bot's ready message does not include this game.")
        self._deadline = time.monotonic() + self._seconds
