"""Looking at processes, to see that none is left behind."""

import sys
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
BADLY = """
import os, signal, sys
for number in signal.SIGINT, signal.SIGQUIT, signal.SIGCHLD:
    signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, signal.Signals)
os.execvp(sys.argv[1], sys.argv[1:])
"""


def started_badly(*command: str) -> list[str]:
    """A command as a script starts it in the background (SIGINT and SIGQUIT ignored), and worse: SIGCHLD
    ignored and every signal blocked."""
    return [sys.executable, "-c", BADLY, *command]


@dataclass(frozen=True)
class Process:
    """One process; its start time tells it from a later one with the same number."""

    pid: int
    started: int
    command: str

    @property
    def alive(self) -> bool:
        """Whether it still runs; one that only waits to be buried does not."""
        found = _read(self.pid)
        return found is not None and found[0] not in "ZX" and found[2] == self.started


def _read(pid: int) -> tuple[str, int, int] | None:
    """State, parent and start time of a process, or None when it is gone."""
    try:
        # The name in brackets may contain anything, also brackets and spaces.
        fields = (PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return None
    return fields[0], int(fields[1]), int(fields[19])


def ignored_and_blocked(pid: int) -> tuple[int, int]:
    """The signals that a process ignores and those that it blocks, a bit each."""
    lines = (PROC / str(pid) / "status").read_text(errors="replace").splitlines()
    status = dict(line.split(":", 1) for line in lines if ":" in line)
    return int(status["SigIgn"], 16), int(status["SigBlk"], 16)


def _command(pid: int) -> str:
    try:
        return (PROC / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def descendants(pid: int) -> list[Process]:
    """The children of a process, their children and so on."""
    children: dict[int, list[Process]] = {}
    for path in PROC.glob("[0-9]*"):
        found = _read(int(path.name))
        if found is not None:
            child = Process(int(path.name), found[2], _command(int(path.name)))
            children.setdefault(found[1], []).append(child)
    below: list[Process] = []
    waiting = [pid]
    while waiting:
        for child in children.get(waiting.pop(), []):
            below.append(child)
            waiting.append(child.pid)
    return below
