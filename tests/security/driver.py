"""Runs on the stage as the runner's uid (the tests may be root): attacks, one after the other, watched from
outside.

Standard input: one JSON object per line, see `watch`. Standard output: what happened, as one JSON object a
line. It is given to the interpreter as text, since the runner may not be able to read the checkout.
"""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from sandbox import BotFault, BotLimits, Level, Process, Program, SandboxUnavailable, Stage, spawn
from sandbox.launch import start
from sandbox.plan import SandboxPlan

PLACES = ("/tmp", "/var/tmp", "/dev/shm", "/run")


def honest(stage: Stage, level: str, directory: str) -> Process:
    """A bot that answers what it is told."""
    return spawn(Program(Path(directory), "python", "bot.py"), BotLimits(), level, stage)


def answers(bot: Process, word: bytes) -> bool:
    """Whether an honest bot still does."""
    bot.send(word + b"\n", time.monotonic() + 60)
    return bot.read_line(time.monotonic() + 60) == b"heard " + word


def litter() -> list[str]:
    """What lies about on the host that belongs to our uid."""
    found = []
    for place in PLACES:
        with suppress(OSError):
            for path in Path(place).iterdir():
                with suppress(OSError):
                    if path.lstat().st_uid == os.geteuid():
                        found.append(str(path))
    return sorted(found)


def companions(host_pid: int, level: str) -> list[int]:
    """Every process in the bot's pid namespace or, at `confined`, in its session."""
    found = []
    home = namespace(host_pid)
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            pid = int(entry.name)
            with suppress(OSError):
                mine = namespace(pid) == home if level == "full" else os.getsid(pid) == host_pid
                if mine and not zombie(pid):
                    found.append(pid)
    return found


def namespace(pid: int) -> str:
    """The pid namespace of a process."""
    return str(Path(f"/proc/{pid}/ns/pid").readlink())


def zombie(pid: int) -> bool:
    """Whether it is dead and only waits to be collected."""
    # The state stands behind the name, which may hold brackets itself.
    return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[:1] == [b"Z"]


def gone(pids: list[int]) -> bool:
    """Whether all of them end, in time even for a busy machine."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        left = []
        for pid in pids:
            with suppress(OSError):
                if not zombie(pid):
                    left.append(pid)
        if not left:
            return True
        time.sleep(0.005)
    return False


def attack(bot: Process, asked: dict[str, Any]) -> dict[str, Any]:
    """Put the one question and hear what comes."""
    deadline = time.monotonic() + asked["seconds"]
    heard: list[str] = []
    seen: dict[str, Any] = {"fault": "", "heard": heard}
    try:
        bot.send(b"go" + b"." * asked["feed"] + b"\n", deadline)
        for _ in range(asked["lines"]):
            heard.append(bot.read_line(deadline).decode("utf-8", "replace"))
    except BotFault as fault:
        seen |= {"fault": type(fault).__name__, "detail": fault.detail}
    if asked["linger"]:
        time.sleep(asked["linger"])
        try:
            seen["unasked"] = len(bot.drain())
        except BotFault as fault:
            seen |= {"fault": type(fault).__name__, "detail": fault.detail}
    return seen


waiting: dict[tuple[str, str], Process] = {}
"""The bot of the game after the last one, by level and directory: it is the next attacker's opponent."""


def seated(stage: Stage, level: str, directory: str) -> Process:
    """The honest bot that waits, or a new one."""
    bot = waiting.pop((level, directory), None)
    return honest(stage, level, directory) if bot is None else bot


def watch(asked: dict[str, Any], stage: Stage) -> dict[str, Any]:
    """Start the attacker beside an honest opponent, let it try, end it, and look at what is left."""
    before = litter()
    level = asked["level"]
    opponent = seated(stage, level, asked["honest"])
    program = Program(Path(asked["directory"]), asked["language"], asked["entry"])
    limits = BotLimits(**asked["limits"])
    without = frozenset(asked["without"])
    plan = SandboxPlan(program, limits, Level(level), stage, without)
    begun = time.monotonic()
    bot = start(plan, verify=not without)
    among = companions(bot.host_pid, level)
    seen = attack(bot, asked)
    took = time.monotonic() - begun
    with suppress(OSError):
        among = sorted({*among, *companions(bot.host_pid, level)})
    opponent_well = answers(opponent, b"during")
    killing = time.monotonic()
    ended = bot.close()
    killed_in = time.monotonic() - killing
    nobody_left = gone(among)
    opponent_well = opponent_well and answers(opponent, b"after")
    opponent.close()
    following = honest(stage, level, asked["honest"])
    next_well = answers(following, b"next")
    waiting[level, asked["honest"]] = following
    return {
        **seen,
        "attestation": bot.attestation.as_dict(),
        "code": ended.code,
        "signal": ended.signal,
        "cause": ended.cause,
        "words": ended.words,
        "stderr": ended.stderr.decode("utf-8", "replace"),
        "cpu_ms": ended.cpu_ns / 1e6,
        "max_rss_kb": ended.max_rss_kb,
        "seconds": took,
        "killed_in": killed_in,
        "processes": len(among),
        "nobody_left": nobody_left,
        "opponent_well": opponent_well,
        "next_well": next_well,
        "litter": [path for path in litter() if path not in before],
        "we_live": os.getppid() != 1,
        "damage": stage.damage(),
    }


def main() -> None:
    """Do what the jobs say; a sandbox that refuses is told, not raised."""
    for line in sys.stdin:
        try:
            seen = watch(json.loads(line), Stage.ensure())
        except SandboxUnavailable as error:
            seen = {"unavailable": str(error)}
        sys.stdout.write(json.dumps(seen) + "\n")
        sys.stdout.flush()
    for bot in waiting.values():
        bot.close()


if __name__ == "__main__":
    main()
