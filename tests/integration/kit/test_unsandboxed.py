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


def crapette(folder: Path, *words: str, path: str | None = None) -> tuple[int, str]:
    """Run the command where no bwrap can be found; its status and output."""
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | ({} if path is None else {"PATH": path}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout


def test_a_bot_is_checked_and_plays_as_an_ordinary_program(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    boards = ("--variant", "crapaud", "--variant", "vitesse", "--json")
    status, said = crapette(tmp_path, "check-bot", "bot.py", "--unsandboxed", *boards)
    assert status == 0, said
    steps = [json.loads(line) for line in said.splitlines()]
    assert {step["verdict"] for step in steps} <= {"pass", "warn"}
    assert steps[-1]["title"] == "plays a game of vitesse against itself"
    words = ("play", "bot.py", "random", "--pairs", "1", "--unsandboxed", "--json", "games.json")
    status, said = crapette(tmp_path, *words)
    assert status == 0, said
    found = json.loads((tmp_path / "games.json").read_text())
    assert found["match"]["level"] == "unsandboxed"
    assert len(found["games"]) == 2


def test_without_the_sandbox_nothing_runs_unless_the_author_says_so(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    # urllib asks the system for its proxies by modules that only the real system has.
    code = "import sys, urllib.request; sys.platform = 'darwin'\n" + ELSEWHERE
    done = subprocess.run(
        [sys.executable, "-c", code, "check-bot", "bot.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 75
    assert "--unsandboxed" in done.stderr
    assert not (tmp_path / "ran").exists()
