"""The Procfile's processes on a real PostgreSQL and a real Redis: a tournament is played and watched live."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from websockets.asyncio.client import connect

from tests.servers import free_port
from tests.site import ROOT

HOST = "arena.example"


class Production:
    """The processes of one production site, each started by its line of the Procfile."""

    def __init__(self, folder: Path, database: str, redis: str) -> None:
        self.folder = folder
        self.database = database
        self.port = free_port()
        self.commands = dict(
            line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines() if line.strip()
        )
        self.environment = {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(folder),
            "CRAPETTE_DATA": str(folder / "data"),
            "CRAPETTE_SECRET_KEY": "of-the-production-test-0123456789-abcdefghijklmnopqrstuvwxyz",
            "CRAPETTE_HOSTS": HOST,
            "CRAPETTE_TRUST_PROXY": "1",
            "CRAPETTE_GAMES_AT_ONCE": "2",
            "DATABASE_URL": database,
            "REDIS_URL": redis,
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
        }
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def run(self, command: str) -> None:
        """Run a command to its end in the production environment."""
        done = subprocess.run(
            ["sh", "-c", command], cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self, *names: str) -> None:
        """Start processes by their names in the Procfile."""
        for name in names:
            with (self.folder / f"{name}.log").open("ab") as log:
                self.processes[name] = subprocess.Popen(
                    ["sh", "-c", self.commands[name]], cwd=ROOT, env=self.environment, stdout=log, stderr=log
                )

    def stop(self) -> dict[str, int]:
        """End all processes as a platform would; their exit codes."""
        for process in self.processes.values():
            process.send_signal(signal.SIGTERM)
        return {name: process.wait(30) for name, process in self.processes.items()}

    def logs(self) -> str:
        """What the processes wrote."""
        return "\n".join(
            f"--- {name}\n{(self.folder / f'{name}.log').read_text()}" for name in self.processes
        )

    def get(self, path: str, *, https: bool = True) -> tuple[int, str]:
        """Status and body of a page, as the proxy in front asks for it."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers={"Host": HOST})
        if https:
            request.add_header("X-Forwarded-Proto", "https")
        try:
            with urllib.request.build_opener(NoRedirect).open(request, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.headers.get("Location") or error.read().decode()

    def until(self, look: Callable[[], bool], what: str, seconds: float) -> None:
        """Wait until something is so, or fail with the logs."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            dead = [name for name, process in self.processes.items() if process.poll() is not None]
            assert not dead, f"{dead} ended:\n{self.logs()}"
            try:
                if look():
                    return
            except urllib.error.URLError:
                pass
            time.sleep(0.2)
        state = self.get("/health", https=False)[1]
        raise AssertionError(f"waited {seconds:.0f} s for {what}:\n{state}\n{self.logs()}")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Shows redirects instead of following them."""

    def redirect_request(self, *_: object) -> None:
        """Follow none."""


@pytest.fixture
def production(tmp_path: Path, postgresql_url: str, redis_url: str) -> Iterator[Production]:
    """A production site with an empty database of its own; its processes are ended with the test."""
    name = "arena"
    with psycopg.connect(postgresql_url, autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        server.execute(f"CREATE DATABASE {name}")
    site = Production(tmp_path, postgresql_url.replace("/postgres?", f"/{name}?"), redis_url)
    yield site
    for process in site.processes.values():
        process.kill()
        process.wait(10)


async def watch(site: Production, game: str) -> list[int]:
    """The numbers of all events of a game, as a browser behind the proxy gets them."""
    seen: list[int] = []
    url = f"ws://127.0.0.1:{site.port}/ws/games/{game}/"
    headers = {"Host": HOST, "X-Forwarded-Proto": "https"}
    async with connect(url, origin=f"https://{HOST}", additional_headers=headers) as socket:  # type: ignore[arg-type]
        while True:
            message = json.loads(await asyncio.wait_for(socket.recv(), 60))
            seen += [event["n"] for event in message.get("events", ())]
            if message["type"] == "finished":
                return seen


def test_a_tournament_is_played_and_watched_through_postgresql_and_redis(production: Production) -> None:
    site = production
    site.run(site.commands["release"])
    site.start("web", "worker", "beat")
    site.until(lambda: site.get("/health", https=False)[0] == 200, "a green /health", 60)
    assert site.get("/", https=False) == (301, f"https://{HOST}/")
    assert site.get("/")[0] == 200

    site.run("CRAPETTE_MODE=production python manage.py start_house_tournament --pairs 8 greedy planner")
    running: list[str] = []

    def under_way() -> bool:
        for game in re.findall(r"/games/([0-9a-f-]{36})/", site.get("/games/")[1])[:4]:
            if json.loads(site.get(f"/games/{game}/record.json")[1])["status"] == "running":
                running.append(game)
                return True
        return False

    site.until(under_way, "a game under way", 60)
    seen = asyncio.run(watch(site, running[0]))
    assert seen
    assert seen == list(range(len(seen)))

    with psycopg.connect(site.database, autocommit=True) as database:

        def finished() -> bool:
            row = database.execute("SELECT status FROM tournaments_tournament").fetchone()
            return row == ("finished",)

        site.until(finished, "the end of the tournament", 120)
        counts = database.execute("SELECT status, count(*) FROM tournaments_game GROUP BY status").fetchall()
        assert counts == [("finished", 16)]
        assert database.execute("SELECT count(*) FROM tournaments_result").fetchone() == (16,)
    assert json.loads(site.get("/health")[1])["ok"]
    # uvicorn ends as it was told to, by the signal itself, after its orderly shutdown.
    assert site.stop() == {"web": -signal.SIGTERM, "worker": 0, "beat": 0}, site.logs()
    assert "Traceback" not in site.logs()
    assert "of-the-production-test" not in site.logs()
