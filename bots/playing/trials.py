"""Examines a version whose check is claimed: has its file inspected, and tries it on boards.

In a trial a version plays a short game against itself, on several boards at a time.

All trials of a check share `BUDGET_SECONDS`, and each gets an equal part of what is left, but at least
`LEAST_SECONDS` once its bots are ready. So a quick bot plays its games to the end, and a slow one is cut
short on every board alike. A bot that has moved by then without a mistake has passed: with the ladder's
clock, it may think for longer than a trial lasts.

To be ready it has as long as in a game. Only when a check has gone on for long, its other starts have what is
left of `STARTS_SECONDS`, or `LEAST_START_SECONDS`. A bot that is not ready in time for its first board is not
tried on the others.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connections

import engine
from analysis import game_record
from bots.checks import CHECK_SECONDS, LADDER_CLOCK, TrialReport
from bots.errors import FilesMissing, Unplayable
from bots.files import materialise
from bots.models import Trial
from bots.playing.game_process import play, sandbox_stands
from bots.uploads import inspect_file
from bots.versions import seat_head
from engine.boards import parse_board
from referee.endings import Termination
from referee.errors import RefereeError
from referee.job import START_SECONDS, ClockRule
from referee.judgement import judge
from referee.trial import CUT_SHORT, LEFT_OUT, diagnose
from sandbox import SandboxUnavailable, Stage
from sandbox.errors import HelperDied

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.game_record import Checked, SeatHead
    from bots.models import Version
    from bots.playing.game_process import DeliveredGame
    from referee.trial import Diagnosis

logger = logging.getLogger(__name__)

BUDGET_SECONDS: Final = float(CHECK_SECONDS)
LEAST_SECONDS: Final = 1.0
STARTS_SECONDS: Final = 60.0
LEAST_START_SECONDS: Final = 3.0
MOST_AT_ONCE: Final = 4
CLOCK: Final = ClockRule(*LADDER_CLOCK)
LAST_LINES: Final = 20
BUSY_TRIES: Final = 3
"""How often a check is made again later, because the host was too busy for a bot to answer."""
RECORDS_KEPT: Final = 3
"""How many games of failed trials are kept; the others usually failed for the same reason."""


def examine(version: Version, boards: Sequence[str]) -> list[TrialReport] | None:
    """Inspect the file of a claimed version, if that was not done, and try it on these boards.

    None if there is nothing to try. Raises Unplayable, and InspectionsBusy if this host inspects others.
    """
    try:
        if not version.is_inspected and not inspect_file(version):
            return None
    except (SandboxUnavailable, OSError) as error:
        died = isinstance(error, HelperDied) and sandbox_stands()
        down = isinstance(error, SandboxUnavailable) and not died
        raise Unplayable(str(error), sandbox_down=down, died=died) from error
    return try_boards(version, boards)


def try_boards(version: Version, boards: Sequence[str]) -> list[TrialReport]:
    """The results of a version's trials on these boards, in the same order. Raises Unplayable."""
    try:
        materialise(version, Stage.ensure())  # once, not by each thread
    except (SandboxUnavailable, FilesMissing, OSError) as error:
        raise Unplayable(str(error), sandbox_down=isinstance(error, SandboxUnavailable)) from error
    at_once = min(len(boards), settings.GAMES_AT_ONCE, MOST_AT_ONCE)
    clock, head = _Budget(len(boards), at_once), seat_head(version)

    def one(board: str) -> TrialReport:
        try:
            return _tried(version, board, clock, head)
        finally:
            connections.close_all()

    if at_once == 1:
        reports = [_tried(version, board, clock, head) for board in boards]
    else:
        with ThreadPoolExecutor(at_once, thread_name_prefix="trial") as threads:
            reports = list(threads.map(one, boards))
    return _with_few_records(reports)


class _Budget:
    """Divides the seconds of a check among its trials."""

    def __init__(self, trials: int, at_once: int) -> None:
        self._begun = time.monotonic()
        self._left = trials
        self._at_once = at_once
        self._lock = threading.Lock()
        self.was_ready = False
        self.too_late: TrialReport | None = None
        """The report of a bot that was not ready in time on its first board, and stands for the others."""

    def part(self) -> float:
        """Seconds for the trial that starts now."""
        with self._lock:
            rounds = -(-self._left // self._at_once)
            self._left -= 1
            return max((self._begun + BUDGET_SECONDS - time.monotonic()) / rounds, LEAST_SECONDS)

    def start(self) -> float:
        """Seconds in which the bots of the trial that starts now must be ready."""
        left = self._begun + STARTS_SECONDS - time.monotonic()
        return min(max(left, LEAST_START_SECONDS), START_SECONDS)


def _tried(version: Version, board: str, clock: _Budget, head: SeatHead) -> TrialReport:
    """The result of a trial. An error that nobody foresaw is held against the version, which it would
    otherwise keep from ever being checked. Raises Unplayable and errors of the database."""
    try:
        if clock.too_late is not None:
            return replace(clock.too_late.without_record(), board=board)
        return _played(version, board, clock, head)
    except (Unplayable, DatabaseError, InterfaceError):
        raise
    except Exception as error:
        try:
            fault = judge(error)
        except RefereeError as machine:
            raise Unplayable(str(machine)) from error
        logger.exception("the trial of %s on %s", version, board)
        return TrialReport(board, Trial.Verdict.FAILED, f"Its process: {fault.detail}.", None)


def _played(version: Version, board: str, clock: _Budget, head: SeatHead) -> TrialReport:
    """Have a version play a game against itself; `head` names it in the record. Raises Unplayable."""
    variant, players = parse_board(board)
    # The same deal for a content each time, and another for each board.
    seed = hashlib.sha256(f"{version.sha256} {board}".encode("ascii")).hexdigest()
    start = engine.deal(variant, seed, players)
    begun = time.monotonic()
    delivery = play(
        str(start),
        variant,
        [version] * players,
        CLOCK,
        lambda _ply, _events: True,
        trial=clock.part(),
        start_seconds=clock.start(),
    )
    termination = delivery.result["termination"]
    too_late = termination == Termination.STARTUP and time.monotonic() - begun >= START_SECONDS
    clock.was_ready |= termination != Termination.STARTUP
    if termination == LEFT_OUT:
        return TrialReport(board, Trial.Verdict.LEFT_OUT, "Its ready message does not include this game.")
    found = diagnose(delivery.result, delivery.events, delivery.evidence)
    if found.busy and version.check_failures < BUSY_TRIES:
        raise Unplayable(found.detail)
    verdict = Trial.Verdict.PASSED if found.passed else Trial.Verdict.FAILED
    keeps = termination != CUT_SHORT or not found.passed
    result = {name: value for name, value in delivery.result.items() if name != "took"}
    told = replace(delivery, result=result | {"seat": found.seat})
    kept = _record(version, board, start, told, head) if keeps else None
    report = TrialReport(board, verdict, log(delivery, found, variant), kept)
    if too_late and not clock.was_ready:
        clock.too_late = report
    return report


def _passed(termination: str, length: str) -> str:
    """How a game against itself ended that a bot has passed."""
    match termination:
        case "win":
            return f"Passed: cleared all cards after {length}."
        case "stop":
            return f"Passed: stop called after {length}."
        case "resignation":
            return f"Passed: resigned after {length}."
    return f"Passed: drawn after {length}."


def log(delivery: DeliveredGame, found: Diagnosis, variant: str) -> str:
    """The log for the owner: how the game ended, and for a bot that failed, the end of its output."""
    result = delivery.result
    termination = result["termination"]
    length = f"{result['plies']} {engine.variant(variant).unit}"
    if termination == CUT_SHORT and found.passed:
        return f"It played {length} against itself without a mistake before its time was up."
    if found.passed:
        return _passed(termination, length)
    lines = (
        [] if termination == CUT_SHORT else [f"A game against itself ended by {termination} after {length}."]
    )
    lines += [found.detail] if found.detail else []
    if found.seat is not None:
        left = delivery.evidence[found.seat]
        if left.get("exit"):
            lines.append(f"Its process: {left['exit']}.")
        words = [line for line in str(left.get("stderr") or "").splitlines() if line.strip()][-LAST_LINES:]
        if words:
            lines += ["The end of its standard error:", *words]
    if found.advice is not None:
        lines.append(str(found.advice))
    return "\n".join(lines)


def _record(
    version: Version,
    board: str,
    start: engine.Position,
    delivery: DeliveredGame,
    head: SeatHead,
) -> Checked:
    """The record of the trial game, with what each seat wrote under `evidence`."""
    variant, players = parse_board(board)
    begun = game_record.head(
        game=f"check-{version.pk}-{board.replace('/', '-')}",
        variant=variant,
        seats=[head] * players,
        start=str(start),
        clock={"bank_ms": CLOCK.bank_ms, "increment_ms": CLOCK.increment_ms},
        result=dict(delivery.result),
        status="finished",
    )
    return {**game_record.whole(begun, delivery.events), "evidence": list(delivery.evidence)}


def _with_few_records(reports: Sequence[TrialReport]) -> list[TrialReport]:
    """The reports, with records only for a few failed games or, if none failed, the first game."""
    failed = [one.board for one in reports if one.verdict == Trial.Verdict.FAILED and one.record]
    whole = [one.board for one in reports if one.record]
    kept = set(failed[:RECORDS_KEPT] or whole[:1])
    return [one if one.board in kept else one.without_record() for one in reports]
