"""Fastchess, a match runner for chess engines, as the yardstick for the cost of a move (if installed)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ENGINE: Final = Path(__file__).parent / "bots" / "uci" / "engine.py"
GAMES: Final = 20
MOVES: Final = 99
"""Full moves of a game: 198 plies."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Microseconds a ply: the time that passed, and the CPU time of all processes."""

    wall: float
    cpu: float


def find() -> str | None:
    """Return the program, if it is installed."""
    return shutil.which("fastchess")


def measure(program: str) -> Cost:
    """Let two Python programs that answer at once play a fixed game `GAMES` times, one game at a time.

    The time that passed is counted from an engine's first move to its last; from the CPU time is taken what
    as many games of one move need. Raises RuntimeError if the games were not played.
    """
    short, _ = _played(program, 1)
    long, wall = _played(program, MOVES)
    return Cost(wall, (long - short) * 1e6 / (GAMES * (MOVES - 1) * 2))


def _played(program: str, moves: int) -> tuple[float, float]:
    """Play the games; return CPU seconds of all, and microseconds a ply."""
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder) / "notes"
        notes.mkdir()
        command = [program]
        for name in ("one", "two"):
            command += ["-engine", f"name={name}", f"cmd={sys.executable}", f"args=-I -S {ENGINE} {notes}"]
        command += ["-each", "tc=60+1", "-rounds", str(GAMES), "-games", "1", "-concurrency", "1"]
        command += ["-maxmoves", str(moves)]
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert process.stdout is not None
        said = process.stdout.read().decode("utf-8", "replace")
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stdout.close()
        counted = [tuple(map(int, note.read_text().split())) for note in notes.iterdir()]
    if process.returncode or f"Games: {GAMES}," not in said or len(counted) != 2:
        raise RuntimeError(f"expected fastchess to play {GAMES} games, it said {said[-500:]!r}")
    plies = sum(each for each, _ in counted)
    return used.ru_utime + used.ru_stime, sum(passed for _, passed in counted) / max(1, plies) / 1000
