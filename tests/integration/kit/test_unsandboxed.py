"""Bots as ordinary programs, for machines without the sandbox; only on the author's word."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BOT = """
import sys
from crapette import run
import engine

def choose(turn):
    print("thinking")
    return turn.legal[0]

run(choose, tick=choose)
"""
ELSEWHERE = """
import os, sys, types
for name in ("fcntl", "pwd", "resource"):  # as on Windows, where kit.cli puts empty ones in their place
    sys.modules[name] = types.ModuleType(name)
from kit.cli import main
sys.exit(main(sys.argv[1:]))
"""


def crapette(folder: Path, *words: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command as on a machine without the sandbox."""
    command = [sys.executable, "-c", before + ELSEWHERE, *words]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


def test_a_bot_is_checked_and_plays_as_an_ordinary_program(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    boards = ("--variant", "crapaud", "--variant", "vitesse", "--json")
    done = crapette(tmp_path, "check-bot", "bot.py", "--unsandboxed", *boards)
    assert done.returncode == 0, done
    steps = [json.loads(line) for line in done.stdout.splitlines()]
    assert {step["verdict"] for step in steps} <= {"pass", "warn"}
    assert steps[-1]["title"] == "plays a game of vitesse against itself"
    words = ("play", "bot.py", "random", "--pairs", "1", "--unsandboxed", "--json", "games.json")
    done = crapette(tmp_path, *words)
    assert done.returncode == 0, done
    found = json.loads((tmp_path / "games.json").read_text())
    assert (found["match"]["level"], len(found["games"])) == ("unsandboxed", 2)


def test_without_the_sandbox_nothing_runs_unless_the_author_says_so(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    # urllib asks the system for its proxies by modules that only the real system has.
    before = "import sys, urllib.request; sys.platform = 'darwin'\n"
    done = crapette(tmp_path, "check-bot", "bot.py", before=before)
    assert done.returncode == 75
    assert "--unsandboxed" in done.stderr
    assert not (tmp_path / "ran").exists()
