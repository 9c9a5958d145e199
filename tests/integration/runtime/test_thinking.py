"""Thought has processes of its own, which yield, are replaced when they die, and end with the site."""

import os
import re
import signal
import time
from pathlib import Path

import pytest

from tests.conftest import StartSite
from tests.processes import Process, descendants
from tests.site import RunningSite


def analysts(site: RunningSite) -> list[Process]:
    """The analysis process and its workers, the oldest first."""
    found = [one for one in descendants(site.process.pid) if "-m arena.run.analysis" in one.command]
    return sorted(found, key=lambda one: (one.started, one.pid))


def nice(process: Process) -> int:
    """How far a process steps back."""
    return os.getpriority(os.PRIO_PROCESS, process.pid)


@pytest.mark.at_length
def test_analysis_survives_killed_workers_and_ends_with_the_site(start_site: StartSite) -> None:
    site = start_site(GAMES_AT_ONCE=1)
    site.until(lambda: len(analysts(site)) == 4, "the analysis process and three workers")
    # A worker that was just forked has yet to step back.
    site.until(lambda: nice(analysts(site)[0]) < max(map(nice, analysts(site))), "a worker to step back")
    assert min(map(nice, analysts(site))) > os.getpriority(os.PRIO_PROCESS, site.process.pid)

    def finished() -> list[str]:
        return re.findall(r"/games/([0-9a-f-]{36})/", site.get("/games/?status=finished")[1])

    site.until(finished, "a finished game")
    game = f"/games/{finished()[-1]}"
    assert site.get_thought(f"{game}/values.json")["win"]

    for worker in analysts(site)[1:]:
        os.kill(worker.pid, signal.SIGKILL)
    assert site.get_thought(f"{game}/mistakes.json")["bot"] == "planner", "a new worker finds it"
    before = analysts(site)[0]
    os.kill(before.pid, signal.SIGKILL)
    site.until(lambda: len(analysts(site)) == 4 and not before.alive, "a new analysis process")

    # Whoever imported it would have mapped its compiled parts.
    assert site.get("/api/docs")[0] == site.get("/api/openapi.json")[0] == 200
    served = Path(f"/proc/{site.process.pid}/maps").read_text(encoding="utf-8")
    assert [name for name in ("/scipy/", "/pydantic_core/", "/yaml/") if name in served] == []
    below = descendants(site.process.pid)
    site.kill()
    deadline = time.monotonic() + 60
    while [one.command for one in below if one.alive] and time.monotonic() < deadline:
        time.sleep(0.1)
    assert [one.command for one in below if one.alive] == []
