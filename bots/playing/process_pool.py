"""Playing processes that are kept: starting one costs more than most games.

Every game has fresh sandboxes for its bots; what is kept is only the referee around them. A process plays one
game at a time, from the stage that it was started on; whatever goes wrong in a game ends it.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from django.conf import settings

import engine
import sandbox
from referee.supervise import PlayingProcess
from sandbox.autogroup import TOO_SOON_SECONDS, group_nice, set_group_nice

MOST_GAMES: Final = 500
"""Games that one process plays; then another takes its place, so that nothing can pile up in it."""


NICE: Final = 10
"""Games yield to pages and to whatever a person waits for. The clocks of bots count the time they ran, so
that nobody loses by it."""

TRIES: Final = 5
"""To make its session yield, too; the kernel may say that it is too soon."""


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
    for path in folder.rglob("*.so"):
        with contextlib.suppress(FileNotFoundError):  # removed since, being of older sources
            found.add(f"{path.relative_to(folder)} {path.stat().st_mtime_ns}")
    return frozenset(found)
