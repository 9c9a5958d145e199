"""The Procfile's processes on a real PostgreSQL and a real Redis: a tournament is played and watched live."""

import asyncio
import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from websockets.asyncio.client import connect

from tests.production import HOST, SECRET, Production, production_site


@pytest.fixture
def production(tmp_path: Path, postgresql_url: str, redis_url: str) -> Iterator[Production]:
    """A production site with an empty database of its own; its processes are ended with the test."""
    with production_site(tmp_path, postgresql_url, redis_url) as site:
        yield site


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
    site.release()
    site.start("web", "worker", "beat")
    site.until(lambda: site.get("/health", https=False)[0] == 200, "a green /health")
    assert site.get("/", https=False) == (301, f"https://{HOST}/")
    assert site.get("/")[0] == 200
    assert ".tar.gz" in site.get("/kit/")[1], "the package is served from where it was built"

    site.manage("start_house_tournament", "--pairs", "4", "greedy", "planner")
    running: list[str] = []

    def under_way() -> bool:
        for game in re.findall(r"/games/([0-9a-f-]{36})/", site.get("/games/")[1])[:4]:
            if json.loads(site.get(f"/games/{game}/record.json")[1])["status"] == "running":
                running.append(game)
                return True
        return False

    site.until(under_way, "a game under way")
    seen = asyncio.run(watch(site, running[0]))
    assert seen
    assert seen == list(range(len(seen)))

    with psycopg.connect(site.database, autocommit=True) as database:

        def finished() -> bool:
            query = "SELECT status FROM tournaments_tournament WHERE format <> 'ladder'"
            row = database.execute(query).fetchone()
            return row == ("finished",)

        site.until(finished, "the end of the tournament")
        counts = database.execute("SELECT status, count(*) FROM tournaments_game GROUP BY status").fetchall()
        assert counts == [("finished", 8)]
        assert database.execute("SELECT count(*) FROM tournaments_result").fetchone() == (8,)
    # On a busy machine a heartbeat may be late for a moment.
    site.until(lambda: bool(json.loads(site.get("/health")[1])["ok"]), "a green /health after the games")
    # uvicorn ends as it was told to, by the signal itself, after its orderly shutdown.
    assert site.stop() == {"web": -signal.SIGTERM, "worker": 0, "beat": 0}, site.logs()
    assert "Traceback" not in site.logs()
    assert SECRET not in site.logs()
