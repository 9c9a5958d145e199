"""``up`` as its user meets it: starting, serving pages and live games, starting again, and ending."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from tests.conftest import StartSite
from tests.processes import Process, descendants, ignored_and_blocked
from tests.site import ROOT, RunningSite
from tests.thorough import THOROUGH


def assert_pages_have_their_policy_and_files_hashed_names(site: RunningSite) -> None:
    with urllib.request.urlopen(site.url, timeout=30) as answer:
        page, headers = answer.read().decode(), answer.headers
    assert headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self' 'sha256-")
    said = {"X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"}
    assert {name: headers[name] for name in said} == said
    assert not re.search(r"<script(?![^>]*(src=|type=\"importmap\"))", page), "an inline script"
    assert not re.search(r"\sstyle=|\son[a-z]+=", page), "an inline style or handler"
    files = re.findall(r"(?:src|href)=\"(/static/[^\"#]+)", page)
    assert files
    for file in files:
        assert re.search(r"\.[0-9a-f]{12}\.", file), file
        with urllib.request.urlopen(site.url + file[1:], timeout=30) as answer:
            assert "immutable" in answer.headers["Cache-Control"], file


def running_game(site: RunningSite) -> str:
    """The key of a game that is being played now."""

    def look() -> str | None:
        for game in re.findall(r"/games/([0-9a-f-]{36})/", site.get("/games/")[1]):
            if site.get_json(f"/games/{game}/record.json")["status"] == "running":
                return str(game)
        return None

    return site.until(look, "a game under way")


async def watch(site: RunningSite, game: str) -> list[int]:
    """The numbers of all events of a game, as a page of the site gets them."""
    seen: list[int] = []
    url = f"{site.url.replace('http', 'ws')}ws/games/{game}/"
    async with connect(url, origin=site.url.rstrip("/")) as socket:  # type: ignore[arg-type]
        while True:
            message = json.loads(await asyncio.wait_for(socket.recv(), 60))
            seen += [event["n"] for event in message.get("events", ())]
            if message["type"] == "finished":
                return seen


def test_a_second_start_is_quick_and_resumes_interrupted_work(start_site: StartSite, tmp_path: Path) -> None:
    first = start_site(tmp_path / "new", GAMES_AT_ONCE=1)
    first.until(lambda: first.health()["parts"]["competition"]["running"], "a game")
    secret = (first.data / "secret-key").read_text()
    assert "sqlite, tables created" in first.output
    assert "sqlite, tables created" in (ROOT / "docs/operate/install.md").read_text()
    other = RunningSite(first.data)
    assert other.process.wait(120) == 1
    other.kill()
    assert other.lines == [
        f"Crapette Arena already runs on {first.data}: process {first.process.pid}, {first.url}. "
        "Stop it first, or choose another folder with CRAPETTE_DATA."
    ]
    first.kill()

    site = start_site(first.data, GAMES_AT_ONCE=1)
    assert re.search(
        r"^  games +1 interrupted and \d+ waiting games resumed; 2 tournaments running", site.output, re.M
    )
    assert "up to date" in site.output
    assert (first.data / "secret-key").read_text() == secret
    assert_pages_have_their_policy_and_files_hashed_names(site)
    game = running_game(site)
    seen = asyncio.run(watch(site, game))
    assert seen == list(range(len(seen)))
    record = site.get_json(f"/games/{game}/record.json")
    assert (record["status"], len(record["events"])) == ("finished", len(seen))
    site.until(lambda: site.get("/health")[0] == 200, "a green /health")
    parts = site.health()["parts"]
    named = ["analysis", "broker", "captcha", "competition", "database", "queues", "sandbox", "workers"]
    assert (sorted(parts), parts["sandbox"]["level"]) == (named, "full")
    assert_it_leaves_no_process(site, signal.SIGINT if THOROUGH else signal.SIGTERM)


def assert_it_leaves_no_process(site: RunningSite, number: signal.Signals) -> None:
    def forked() -> list[int]:
        """Two zygotes, and a keeper and a bot for everyone who plays."""
        below = descendants(site.process.pid)
        return [one.pid for one in below if "/arena/stub.pyc" in one.command and "bwrap" not in one.command]

    site.until(lambda: len(forked()) >= 6, "bots at play")
    below = descendants(site.process.pid)
    # Whatever started the site ignored and blocked (`started_badly`).
    for pid in (site.process.pid, *forked()):
        ignored, blocked = ignored_and_blocked(pid)
        assert not ignored & (1 << signal.SIGQUIT - 1 | 1 << signal.SIGCHLD - 1)
        assert not blocked & (1 << signal.SIGTERM - 1)
    assert site.stop(number) == 0
    deadline = time.monotonic() + 60
    while any(one.alive for one in below) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [one.command for one in below if one.alive] == []
    # On a busy machine it may add that some work did not end in time.
    assert "Stopping. Games in progress continue at the next start." in site.lines
    assert "Traceback" not in site.output


def test_a_file_that_is_not_our_database_is_left_alone_and_reported_in_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "arena.sqlite3"
    file.write_bytes(b"no database " * 400)
    site = RunningSite(tmp_path)
    assert site.process.wait(120) == 1
    site.kill()
    assert site.lines[-1].startswith("CRAPETTE_DATA: ")
    assert site.lines[-1].endswith(f"{str(file)!r}: file is not a database.")


def test_a_killed_site_leaves_no_build_of_the_kit_behind(tmp_path: Path) -> None:
    package = tmp_path / "kit" / "package"
    package.mkdir(parents=True)
    (tmp_path / "kit" / "__init__.py").touch()
    (package / "__main__.py").write_text("import time; print('begun', flush=True); time.sleep(600)")
    site = "import sys, pathlib, arena.run.embedded.__main__ as up; up._build(pathlib.Path(sys.argv[1]))"
    words = [sys.executable, "-c", site, str(tmp_path)]
    with subprocess.Popen(words, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}) as process:
        deadline, log = time.monotonic() + 60, tmp_path / "build" / "kit.log"
        while not (log.exists() and log.read_text() == "begun\n") and time.monotonic() < deadline:
            time.sleep(0.05)
        (builder,) = descendants(process.pid)
        process.kill()
    while builder.alive and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not builder.alive


def test_files_are_looked_for_where_the_caller_is(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text("nothing\n")
    (tmp_path / "json.py").write_text("raise SystemExit('imported')\n")
    done = subprocess.run(
        [ROOT / "crapette", "verify", "mine.json"],
        cwd=tmp_path,
        env=os.environ | {"CRAPETTE_VENV": sys.prefix},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stderr == "crapette verify: The first line is not JSON at byte 1: Expecting value.\n"
    assert done.returncode == 2


def analysts(site: RunningSite) -> list[Process]:
    """The analysis process and its workers, the oldest first."""
    found = [one for one in descendants(site.process.pid) if "-m arena.run.analysis" in one.command]
    return sorted(found, key=lambda one: (one.started, one.pid))


def nice(process: Process) -> int:
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
