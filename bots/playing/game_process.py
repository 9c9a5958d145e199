"""Supervising a process that plays games: what it says is collected and passed on in small batches.

The bots and the referee run in a child; here nothing thinks, and no transaction is open while they do. Every
game has fresh sandboxes for its bots. The process with the referee is kept, as starting one costs more than
most games. It plays one game at a time, from the stage that it was started on; whatever goes wrong in a game
ends it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from django.conf import settings

import engine
import sandbox
from arena.web.processes import shutdown
from bots.errors import BotAway, FilesMissing, Interrupted, Unplayable
from bots.files import materialise
from referee.errors import Infrastructure
from referee.job import REMOTE, REMOTE_START_SECONDS, START_SECONDS, Job, SeatJob
from referee.supervise import PlayingProcess, PlayingProcessDied
from sandbox.autogroup import TOO_SOON_SECONDS, group_nice, set_group_nice

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from bots.models import Version
    from bots.remote.bridge import RemoteTable
    from referee.job import ClockRule
    from referee.messages import RecordEvent
    from referee.supervise import RunningGame

logger = logging.getLogger(__name__)

MOST_GAMES: Final = 500
"""Games that one process plays; then another takes its place, so that nothing can pile up in it."""
NICE: Final = 10
"""Games yield to pages and to whatever a person waits for. The clocks of bots count the time they ran, so
that nobody loses by it."""
TRIES: Final = 5
"""To make its session yield, too; the kernel may say that it is too soon."""

BATCH_SECONDS: Final = 0.25
MOMENT_SECONDS: Final = 1.0
"""What is played within a moment is passed on with its result only: nobody could follow it, and its events
would be stored twice and removed again."""
HEARTBEAT_SECONDS: Final = 5.0
READ_SECONDS: Final = 0.1
REMOTE_BATCH_SECONDS: Final = 1.0
REMOTE_READ_SECONDS: Final = 0.5
"""The same of games that mostly wait, of which there are many."""

News = Callable[[int, "list[RecordEvent]"], bool]
"""Takes the ply reached and new events; False if it could not and wants them again."""


@dataclass(slots=True)
class KeptProcess:
    """A playing process, how many games it has played, and the compiled engine it was started with."""

    process: PlayingProcess
    engine: frozenset[str]
    games: int = 0

    @property
    def usable(self) -> bool:
        """Whether it waits for a game, its stage is still there, and the engine was not compiled since."""
        waits = self.process.popen.poll() is None and self.process.stage.path.exists()
        return waits and self.engine == engine_modules()


@dataclass
class Processes:
    """The playing processes of this process that wait for a game."""

    most: int
    yielding: bool = True
    _idle: list[KeptProcess] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self) -> KeptProcess:
        """A process that waits for a game, or a new one. Raises SandboxUnavailable and OSError."""
        while True:
            with self._lock:
                kept = self._idle.pop() if self._idle else None
            if kept is None:
                # Looked at first: what is compiled while the stage is built ends this process a game later.
                modules = engine_modules()
                process = PlayingProcess(sandbox.Stage.ensure())
                return KeptProcess(lower_priority(process) if self.yielding else process, modules)
            if kept.usable:
                return kept
            kept.process.kill()

    def give_back(self, kept: KeptProcess) -> None:
        """Keep a process that has played a game to its end, unless there are enough or it played enough."""
        kept.games += 1
        if kept.games < MOST_GAMES:
            with self._lock:
                if len(self._idle) < self.most:
                    self._idle.append(kept)
                    return
        kept.process.close()

    def close(self) -> None:
        """End all that wait, at once: they have nothing to finish."""
        with self._lock:
            idle, self._idle = self._idle, []
        for kept in idle:
            kept.process.kill()


def lower_priority(process: PlayingProcess) -> PlayingProcess:
    """The process, with a priority that it and its bots cannot raise again."""
    pid = process.popen.pid
    nice = max(NICE, os.getpriority(os.PRIO_PROCESS, 0))
    with contextlib.suppress(ProcessLookupError):  # then it says at the first game why it ended
        os.setpriority(os.PRIO_PROCESS, pid, nice)
        os.sched_setscheduler(pid, os.SCHED_BATCH, os.sched_param(0))
    for _ in range(TRIES):
        if set_group_nice(pid, group_nice(nice)):
            break
        time.sleep(TOO_SOON_SECONDS)
    return process


processes: Final = Processes(settings.GAMES_AT_ONCE)
"""Of this process, for all its threads that play."""

remote_processes: Final = Processes(max(1, settings.REMOTE_GAMES_AT_ONCE // 4), yielding=False)
"""For games in which every bot is remote: these use hardly any CPU time, and what they do, an author's clock
waits for."""


ENGINE: Final = Path(engine.__file__).parent


def engine_modules(folder: Path = ENGINE) -> frozenset[str]:
    """Names of the compiled modules that a process started now would import, with the time they were made."""
    found = set()
    for path in folder.glob("*/core/*.so"):
        with contextlib.suppress(FileNotFoundError):  # removed since, being of older sources
            found.add(f"{path.relative_to(folder)} {path.stat().st_mtime_ns}")
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class DeliveredGame:
    """What the playing process said about a finished game: all its events, its result, what the bots left,
    and what each said that it wants when it was ready. `passed_on`: events may be stored already."""

    events: Sequence[RecordEvent]
    result: Mapping[str, Any]
    evidence: Sequence[Any] = ()
    sandbox: Mapping[str, Any] | None = None
    ready: Sequence[Mapping[str, Any]] = ()
    passed_on: bool = True


def play(
    start: str,
    variant: str,
    versions: Sequence[Version],
    clock: ClockRule,
    news: News,
    *,
    doubted: Container[int] = (),
    trial: float | None = None,
    start_seconds: float = START_SECONDS,
    table: RemoteTable | None = None,
) -> DeliveredGame:
    """Play one game to its end and return what there is to deliver.

    Bots have `start_seconds` to be ready; a `trial` is broken off so many seconds after that. The seats that
    are `doubted` lose by an end that others are forgiven (`SeatJob`).
    `table` has the seats of remote bots.
    `news(ply, events)` is called with new events at most four times a second, and without any every few
    seconds; what it raises ends the game. Raises Unplayable if the machine was at fault.
    """
    kept, sittings = None, {} if table is None else table.sittings
    pool = processes if len(sittings) < len(versions) else remote_processes
    try:
        kept = pool.take()
        seats = tuple(
            SeatJob("", REMOTE, sittings[seat])
            if seat in sittings
            else SeatJob(
                str(materialise(version, kept.process.stage)),
                version.language,
                version.entry,
                seat in doubted,
            )
            for seat, version in enumerate(versions)
        )
        job = Job(
            variant=variant,
            start=start,
            seats=seats,
            clock=clock,
            level=settings.SANDBOX_LEVEL,
            trial=trial,
            start_seconds=REMOTE_START_SECONDS if sittings else start_seconds,
        )
        running = kept.process.start(job, read=None if table is None else table.read)
        if table is not None:
            table.begin(kept.process)
    except (sandbox.SandboxUnavailable, FilesMissing, OSError, Infrastructure) as error:
        if kept is not None:
            kept.process.kill()
        if isinstance(error, sandbox.SandboxUnavailable):
            raise Unplayable(str(error), sandbox_down=True) from error
        raise Unplayable(f"{type(error).__name__}: {error}") from error
    try:
        collected, passed_on = _supervise(running, news, _patience(job), table)
    except Infrastructure as error:
        died = isinstance(error, PlayingProcessDied)
        killed = died and (running.process.popen.poll() or 0) < 0
        down = not killed and not sandbox_stands()
        raise Unplayable(str(error), sandbox_down=down, died=died, seat=error.seat) from error
    finally:
        if table is not None:
            table.end()
        if running.result is None:
            running.kill()
        else:
            pool.give_back(kept)
    found = running.result
    if found is None:
        raise Unplayable("the playing process ended without a result")
    if found["trouble"]:
        logger.error("a game ended by what nobody foresaw: %s", found["trouble"])
    evidence, walls = found.get("evidence", ()), found.get("sandbox")
    return DeliveredGame(collected, found["result"], evidence, walls, found["ready"], passed_on)


def _supervise(
    running: RunningGame, news: News, patience: float, table: RemoteTable | None
) -> tuple[list[RecordEvent], bool]:
    """All events of a game, passed on as they come, and whether any were."""
    collected: list[RecordEvent] = []
    told, passed_on = 0, False
    batch_seconds = BATCH_SECONDS if table is None else REMOTE_BATCH_SECONDS
    told_at = heard_at = time.monotonic()
    moment_over = told_at + MOMENT_SECONDS
    for batch in running.batches(timeout=READ_SECONDS if table is None else REMOTE_READ_SECONDS):
        if shutdown.is_announced():
            raise Interrupted("the site is stopping")
        if table is not None and (seat := table.find_unreached()) is not None:
            raise BotAway(f"the bot in seat {seat} was not connected when the game began")
        collected += cast("list[RecordEvent]", batch)
        now = time.monotonic()
        if batch:
            heard_at = now
        elif now - heard_at > patience:
            raise Infrastructure(f"the playing process said nothing for {patience:.0f} seconds")
        waiting = len(collected) > told and now >= moment_over
        if now - told_at >= (batch_seconds if waiting else HEARTBEAT_SECONDS) and running.result is None:
            passed_on = passed_on or waiting
            taken = news(collected[-1].get("ply", 0) if collected else 0, collected[told:])
            told_at = now
            if taken:
                told = len(collected)
    return collected, passed_on


def _patience(job: Job) -> float:
    """Seconds without a word after which the child is taken to hang; its own guards fire long before."""
    return 120 + 3 * max(rule.bank_ms + 300 * rule.increment_ms for rule in job.rules) / 1000


def sandbox_stands() -> bool:
    """Whether a sandbox can be built here now, asked after a game could not be played."""
    try:
        return bool(sandbox.probe(sandbox.Level.parse(settings.SANDBOX_LEVEL)).ok)
    except sandbox.SandboxUnavailable:
        return False
