"""Fastchess, the go-between of chess engines, as the yardstick: its overhead a move where it is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

ENGINE: Final = Path(__file__).parent / "bots" / "uci" / "engine.py"
GAMES: Final = 10


def us_per_move() -> float | None:
    """Let two Python programs that answer at once play shuffling games; µs a move, None if it is not
    installed."""
    program = shutil.which("fastchess")
    if program is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        games = Path(folder) / "games.pgn"
        command = [program]
        for name in ("one", "two"):
            command += ["-engine", f"name={name}", f"cmd={sys.executable}", f"args=-I -S {ENGINE}"]
        command += ["-each", "tc=60+1", "-rounds", str(GAMES), "-games", "1", "-concurrency", "1"]
        command += ["-pgnout", f"file={games}", "-maxmoves", "200"]
        none = [*command]
        none[none.index("-maxmoves") + 1] = "1"
        long, short = _timed(command, folder), _timed(none, folder)
        moves = len(re.findall(r"\d+\.\s", games.read_text())) * 2
    return (long - short) / max(1, moves) * 1e6


def _timed(command: list[str], folder: str) -> float:
    begun = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return time.perf_counter() - begun
