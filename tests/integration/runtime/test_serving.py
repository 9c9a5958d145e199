"""What a running site answers: pages, headers, static files, websockets; and another site beside it."""

import asyncio
import json
import re
import socket
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest
from websockets.asyncio.client import connect

from tests.prepared import Prepared
from tests.site import RunningSite


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, prepared: Prepared) -> Iterator[RunningSite]:
    """A site for all tests of this file: they only ask it, and each takes what it finds. Its usual port is
    taken."""
    data = prepared.copy(tmp_path_factory.mktemp("serving") / "site")
    with ExitStack() as stack:
        # Somebody else may have it already, which is as good.
        with suppress(OSError):
            stack.enter_context(socket.create_server(("127.0.0.1", 8000)))
        site = RunningSite(data, {"GAMES_AT_ONCE": 1}, words=())
        stack.callback(site.kill)
        site.wait_until_ready()
        yield site


def websocket(site: RunningSite, path: str) -> str:
    """The address of a websocket of the site."""
    return site.url.replace("http", "ws").rstrip("/") + path


def running_game(site: RunningSite) -> str:
    """The key of a game that is being played now."""

    def look() -> str | None:
        for game in re.findall(r"/games/([0-9a-f-]{36})/", site.get("/games/")[1]):
            if site.get_json(f"/games/{game}/record.json")["status"] == "running":
                return str(game)
        return None

    return site.until(look, "a game under way")


def test_pages_come_with_their_policy_and_files_under_hashed_names(site: RunningSite) -> None:
    with urllib.request.urlopen(site.url, timeout=30) as answer:
        page = answer.read().decode()
        headers = answer.headers
    assert headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self' 'sha256-")
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert not re.search(r"<script(?![^>]*(src=|type=\"importmap\"))", page), "an inline script"
    assert not re.search(r"\sstyle=|\son[a-z]+=", page), "an inline style or handler"
    files = re.findall(r"(?:src|href)=\"(/static/[^\"#]+)", page)
    assert files
    for file in files:
        assert re.search(r"\.[0-9a-f]{12}\.", file), file
        with urllib.request.urlopen(site.url + file[1:], timeout=30) as answer:
            assert "immutable" in answer.headers["Cache-Control"], file


def test_a_second_site_on_the_same_folder_names_the_first_and_touches_nothing(site: RunningSite) -> None:
    other = RunningSite(site.data)
    assert other.process.wait(120) == 1
    other.kill()
    assert other.lines == [
        f"Crapette Arena already runs on {site.data}: process {site.process.pid}, {site.url}. "
        "Stop it first, or choose another folder with CRAPETTE_DATA."
    ]
    assert site.get("/")[0] == 200


def test_health_turns_green_by_itself(site: RunningSite) -> None:
    site.until(lambda: site.get("/health")[0] == 200, "a green /health")
    parts = site.health()["parts"]
    named = ["analysis", "broker", "captcha", "competition", "database", "queues", "sandbox", "workers"]
    assert sorted(parts) == named
    assert parts["sandbox"]["level"] == "full"


async def test_a_game_streams_live_from_its_first_event_to_its_last_without_a_gap(
    site: RunningSite,
) -> None:
    game = await asyncio.to_thread(running_game, site)
    seen: list[int] = []
    async with connect(websocket(site, f"/ws/games/{game}/"), origin=site.url.rstrip("/")) as socket:  # type: ignore[arg-type]
        start = json.loads(await asyncio.wait_for(socket.recv(), 60))
        assert start["type"] == "start"
        assert start["record"]["game"] == game
        while True:
            message = json.loads(await asyncio.wait_for(socket.recv(), 60))
            if message["type"] == "finished":
                break
            seen += [event["n"] for event in message.get("events", ())]
    assert seen == list(range(len(seen)))
    record = await asyncio.to_thread(site.get_json, f"/games/{game}/record.json")
    assert record["status"] == "finished"
    assert len(record["events"]) == len(seen)
