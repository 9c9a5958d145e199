"""``python -m arena.run.worker``: the workers of production, kept running until they are told to end.

Each role has a process of its own, started by ``python -m arena.run.worker ROLE``. One that ends by a fault
is started again. Told to end, it begins no more games, lets those under way end for a while
(`DRAIN_SECONDS`), then gives them back; told twice, it gives them back at once. Its standard input is its
life line: it closes with the process that keeps it running, however that ends.
"""

import argparse
import faulthandler
import gc
import logging
import logging.config
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.run.bus import Message
from arena.run.children import Child
from sandbox import inherited_signals

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")

ROLES = ("play", "games", "control", "analysis")
KEPT = ("play", "analysis")
"""What runs on a host that does everything."""
CONNECTION_SECONDS = 600

log = logging.getLogger("arena.run.worker")

ANALYSTS_SECONDS = 5.0
LEAVE_SECONDS = 25
"""To give back what is left after draining, and to end."""
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
STEADY_SECONDS = 60.0
"""Whoever lived that long did not fail at its start; it is started again without a long pause."""


def main() -> int:
    """Work in one role, or keep a process for each; the exit code."""
    inherited_signals.accept()
    parser = argparse.ArgumentParser(
        prog="python -m arena.run.worker", description="Play games, check uploads and run analyses."
    )
    parser.add_argument("role", nargs="?", choices=ROLES, help="run only this role, in this process")
    parser.add_argument(
        "--keep", metavar="ROLE", action="append", choices=ROLES, help="keep a process for this role running"
    )
    asked = parser.parse_args()
    return work(asked.role) if asked.role else supervise(asked.keep or KEPT)


def supervise(roles: Sequence[str] = KEPT) -> int:
    """Keep a process for each role running until SIGTERM or SIGINT."""
    from arena import settings  # noqa: PLC0415 (a variable that is wrong ends us here, and not the children)

    logging.config.dictConfig(settings.LOGGING)
    commands = {role: (sys.executable, "-m", "arena.run.worker", role) for role in roles}
    supervisor = Supervisor(commands, leave_seconds=settings.DRAIN_SECONDS + LEAVE_SECONDS)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, supervisor.stop)
    return supervisor.run()


def work(name: str) -> int:
    """Work until SIGTERM, SIGINT or the end of who started us; games under way are given back then."""
    import django  # noqa: PLC0415 (a supervisor needs none of it)

    django.setup()
    from django.db import connections  # noqa: PLC0415

    # Threads that take tasks live long: a connection for each task costs more than most tasks.
    connections.settings["default"]["CONN_MAX_AGE"] = CONNECTION_SECONDS
    from arena.run.workers import Workers  # noqa: PLC0415 (its tasks need the apps loaded)
    from arena.run.workers.roles import ROLES as roles  # noqa: N811, PLC0415

    # What does it do, if it seems to do nothing? kill -USR1 writes where each thread is to standard error.
    faulthandler.register(signal.SIGUSR1)
    told, told_twice = threading.Event(), threading.Event()

    def tell(*_: object) -> None:
        (told_twice if told.is_set() else told).set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, tell)
    threading.Thread(target=_outlive_nobody, args=(told, told_twice), daemon=True).start()
    role = roles[name]()
    # Before this process steps back: its child does so itself.
    analysts = start_analysts() if name == "analysis" else None
    os.nice(role.nice)
    workers = Workers(role)
    workers.start(beat=False)
    # Code stays for good. Looking through it for garbage would hold every thread up for 0.1 s.
    gc.collect()
    gc.freeze()
    log.info("taking tasks: %s", name)
    # With a timeout, so that signals are seen in between.
    while not told.wait(1.0) and not workers.find_ended():
        pass
    ended = [] if told.is_set() else workers.find_ended()
    if ended:
        log.critical("no task was taken any more from %s; this process ends", ", ".join(ended))
    log.info("stopping: %s", name)
    if analysts is not None:
        analysts.ask_to_stop()
    if not ended:
        from django.conf import settings  # noqa: PLC0415

        workers.drain(settings.DRAIN_SECONDS, told_twice)
    if not workers.stop():
        log.warning("some work did not end in time; its lease will run out and another worker takes it up")
    if analysts is not None:
        analysts.wait(ANALYSTS_SECONDS)
    logging.shutdown()
    # The threads of a pool would be waited for without end, and what they did is in the database.
    os._exit(1 if ended else 0)


def _outlive_nobody(*told: threading.Event) -> None:
    """End with the process that holds the other end of standard input, if there is one."""
    if not _is_pipe(0):
        return
    while os.read(0, 4096):
        pass
    for event in reversed(told):
        event.set()


def _is_pipe(descriptor: int) -> bool:
    try:
        return stat.S_ISFIFO(os.fstat(descriptor).st_mode)
    except OSError:
        return False


def start_analysts() -> Child:
    """Start the analysis process. Messages of the queue `analysis` wake it from now on."""
    from tournaments.questions import leases  # noqa: PLC0415 (its tables need the apps loaded)

    child = Child("arena.run.analysis", _heard)
    child.start()
    child.begin()
    leases.listen(lambda: child.send({"do": "wake"}))
    return child


def _heard(message: Message) -> None:
    """What an analysis worker asks of other workers."""
    from arena.web import worker_messages  # noqa: PLC0415 (it reads the settings)

    if "task" in message:
        worker_messages.send(message["task"], *message["arguments"], delay_seconds=message["delay_seconds"])


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


if __name__ == "__main__":
    sys.exit(main())
