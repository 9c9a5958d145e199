"""Keeps processes running: each is started again when it ends, until this one is told to end.

It knows nothing of what they do. Their standard input is their life line: it closes with this process,
however that ends.
"""

import logging
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

log = logging.getLogger("arena.run.supervisor")

FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
STEADY_SECONDS = 60.0
"""Whoever lived that long did not fail at its start; it is started again without a long pause."""


@dataclass(slots=True)
class SupervisedProcess:
    """One process that is kept running."""

    name: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    due: float = 0.0
    first_pause: float = FIRST_PAUSE_SECONDS
    pause: float = FIRST_PAUSE_SECONDS

    def start(self) -> None:
        """Start the process."""
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE)
        self.started = time.monotonic()

    def look(self) -> None:
        """Start the process again if it has ended, after a pause that grows while it ends soon."""
        now = time.monotonic()
        if self.process is None:
            if now >= self.due:
                self.start()
            return
        code = self.process.poll()
        if code is None:
            return
        if now - self.started >= STEADY_SECONDS:
            self.pause = self.first_pause
        log.error("the %s process ended with %d and is started again in %.0f s", self.name, code, self.pause)
        self.due = now + self.pause
        self.pause = min(2 * self.pause, LONGEST_PAUSE_SECONDS)
        _let_go(self.process)
        self.process = None


def _let_go(process: subprocess.Popen[bytes]) -> None:
    """Close our end of the life line of a process that has ended."""
    if process.stdin is not None:
        process.stdin.close()


class Supervisor:
    """Processes by name, kept running."""

    def __init__(
        self,
        commands: Mapping[str, Sequence[str]],
        look_seconds: float = 0.5,
        first_pause: float = FIRST_PAUSE_SECONDS,
        leave_seconds: float = 25.0,
    ) -> None:
        self._leave_seconds = leave_seconds
        self.children = [
            SupervisedProcess(name, command, first_pause=first_pause, pause=first_pause)
            for name, command in commands.items()
        ]
        self._look_seconds = look_seconds
        self._told = threading.Event()

    def stop(self, *_: object) -> None:
        """Let `run` end all processes, the second time at once: a signal's handler."""
        if self._told.is_set():
            for child in self.children:
                if child.process is not None and child.process.poll() is None:
                    child.process.send_signal(signal.SIGTERM)
        self._told.set()

    def run(self) -> int:
        """Keep the processes running until `stop`; 0 if all then ended in good order."""
        for child in self.children:
            child.start()
        # With a timeout, so that signals are seen in between.
        while not self._told.wait(self._look_seconds):
            for child in self.children:
                child.look()
        return self._end()

    def _end(self) -> int:
        """Ask every process to end, end those that do not, and return the worst of their codes."""
        running = [child.process for child in self.children if child.process is not None]
        for process in running:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + self._leave_seconds
        for process in running:
            try:
                process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            _let_go(process)
        return max((abs(process.returncode) for process in running), default=0)
