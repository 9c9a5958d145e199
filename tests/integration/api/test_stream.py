"""The live stream: every event once and in order, the end, and how many may listen."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.db import connections

from arena.api import limits
from arena.web.http.handler import Pages
from arena.web.live.publisher import publisher
from arena.web.live.rooms import hub
from tests.factories.results import accept_result
from tests.factories.streams import begun, tell
from tournaments.pairing.progress import cancel_tournament

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def site() -> Iterator[Pages]:
    """The site with one thread: a listener that held it would hold up everybody else."""
    pages = Pages(1)
    yield pages
    # The page's thread keeps its connection, as it should while the site runs.
    pages._pool.submit(connections.close_all).result()
    pages._pool.shutdown()


class Program:
    def __init__(self, site: Pages, path: str) -> None:
        address, _, query = path.partition("?")
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "path": address,
            "query_string": query.encode(),
            "headers": [(b"host", b"testserver"), (b"accept-encoding", b"gzip")],
            "client": ("192.0.2.1", 1),
        }
        self._ends: Any = ApplicationCommunicator(site, scope)  # type: ignore[no-untyped-call]
        self._rest = b""

    async def begin(self) -> int:
        await self._ends.send_input({"type": "http.request", "body": b"", "more_body": False})
        start = await self._ends.receive_output(timeout=30)
        return int(start["status"])

    async def line(self) -> Any:
        """The next line that says something; None at the end."""
        while b"\n" not in self._rest:
            part = await self._ends.receive_output(timeout=30)
            self._rest += part.get("body", b"")
            if not part.get("more_body"):
                return None
        line, _, self._rest = self._rest.partition(b"\n")
        return json.loads(line) if line else await self.line()

    async def leave(self) -> None:
        await self._ends.send_input({"type": "http.disconnect"})
        await self._ends.wait(timeout=30)


async def test_a_program_follows_a_game_from_its_first_event_to_its_last(site: Pages) -> None:
    _, held, whole = await sync_to_async(begun)()
    await sync_to_async(tell)(held, whole, 0, 7)
    program = Program(site, f"/api/v1/stream/?game={held.game}")
    assert await program.begin() == 200
    start = await program.line()
    assert (start["game"], start["type"], start["record"]["status"]) == (str(held.game), "start", "running")
    assert "??" in start["record"]["start"], "hidden cards are shown"
    # The only thread of the site is free while the program listens.
    assert await Program(site, "/api/v1/games/").begin() == 200
    await sync_to_async(tell)(held, whole, 7, 15)
    await sync_to_async(accept_result)(held, whole)
    got: list[int] = []
    while (line := await program.line()) is not None and line["type"] != "finished":
        assert line["game"] == str(held.game)
        got += [event["n"] for event in line.get("events", ())]
    assert got == list(range(21))
    assert await program.line() is None, "a stream of games that are over ends"
    await program.leave()


@pytest.mark.on_postgresql
async def test_a_program_follows_a_tournament_and_what_it_left_is_given_back(site: Pages) -> None:
    tournament, _, _ = await sync_to_async(begun)()
    program = Program(site, f"/api/v1/stream/?tournament={tournament.slug}")
    await program.begin()
    first = await program.line()
    assert (first["tournament"], first["type"]) == (tournament.slug, "progress")
    assert first["state"]["status"] == "running"
    assert limits.streams._open
    await program.leave()
    assert not limits.streams._open
    assert not hub()._rooms
    program = Program(site, f"/api/v1/stream/?tournament={tournament.slug}")
    await program.begin()
    await program.line()
    await sync_to_async(cancel_tournament)(tournament)
    await sync_to_async(publisher().flush)()
    while (line := await program.line()) is not None:
        last = line
    assert last["state"]["status"] == "cancelled"
    await program.leave()


@pytest.mark.on_postgresql
async def test_one_address_has_so_many_streams_and_is_told_when_to_come_back(
    site: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(limits.streams.most, "address", 1)
    tournament, _, _ = await sync_to_async(begun)()
    program = Program(site, f"/api/v1/stream/?tournament={tournament.slug}")
    await program.begin()
    await program.line()
    another = Program(site, f"/api/v1/stream/?tournament={tournament.slug}")
    assert await another.begin() == 429
    await program.leave()
    again = Program(site, f"/api/v1/stream/?tournament={tournament.slug}")
    assert await again.begin() == 200
    await again.leave()
    await asyncio.sleep(0)
