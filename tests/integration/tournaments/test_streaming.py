"""Games and tournaments over websockets: late, reconnecting and lagging watchers have every event once."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async

import engine
from arena.routing import websockets
from arena.web.live.rooms import hub
from bots.models import Bot
from tests.factories.results import accept_result, lease
from tests.factories.streams import begun, tell
from tests.watcher import Watcher
from tournaments import consumers
from tournaments import live_updates as events
from tournaments.games.attempts import release
from tournaments.games.claims import claim
from tournaments.models import Attempt, Game

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgresql]

APPLICATION = websockets


async def watch(path: str) -> Watcher:
    return await Watcher(APPLICATION, path).connect()


async def collect(watcher: Watcher, until: int) -> list[dict[str, Any]]:
    """The events a watcher gets, up to the one numbered `until`; starts are left out."""
    got: list[dict[str, Any]] = []
    while not got or got[-1]["n"] < until:
        message = await watcher.receive(timeout=5)
        if message["type"] == "events":
            got += message["events"]
    return got


tell_now = sync_to_async(tell)
accept_now = sync_to_async(accept_result)


async def test_watchers_who_join_at_different_times_get_every_event_once_and_the_end() -> None:
    _, held, whole = await sync_to_async(begun)()
    first = await watch(f"/ws/games/{held.game}/")
    start = await first.receive()
    assert (start["type"], start["attempt"], start["record"]["status"]) == ("start", 1, "running")
    game = await Game.objects.aget(pk=held.game)
    hidden = start["record"]["start"]
    assert hidden == str(engine.Position.parse(game.start).public())
    assert "??" in hidden
    watchers = [first]
    for first_event in range(0, 20, 5):
        await tell_now(held, whole, first_event, first_event + 5)
        if first_event == 5:
            # A message that comes twice is passed on once.
            events.publish_events(held.game, held.token, whole.events[:5])
        watchers.append(await watch(f"/ws/games/{held.game}/"))
    await accept_now(held, whole)
    for watcher in watchers:
        assert await collect(watcher, 20) == whole.events
        assert await watcher.receive(timeout=5) == {"type": "finished"}
        assert await watcher.silence()
        await watcher.disconnect()
    shown = await watch(f"/ws/games/{held.game}/")
    assert (await shown.receive())["record"]["start"] == game.start
    await shown.disconnect()


async def test_an_open_room_learns_the_new_name_of_a_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumers, "NAMED_SECONDS", 0.0)
    _, held, whole = await sync_to_async(begun)()
    await accept_now(held, whole)
    first = await watch(f"/ws/games/{held.game}/")
    await first.receive()
    assert await collect(first, 20) == whole.events
    await Bot.objects.filter(name__endswith="1").aupdate(name="Hidden bot")
    second = await watch(f"/ws/games/{held.game}/")
    named = (await second.receive())["record"]["seats"]
    assert "Hidden bot" in [one["bot"] for one in named]
    await first.disconnect()
    await second.disconnect()
    assert (hub()._rooms, hub()._listening) == ({}, None)


async def test_a_new_attempt_restarts_the_page() -> None:
    _, held, whole = await sync_to_async(begun)()
    watcher = await watch(f"/ws/games/{held.game}/")
    await watcher.receive()
    await tell_now(held, whole, 0, 5)
    assert await collect(watcher, 4) == whole.events[:5]
    await sync_to_async(release)(held, Attempt.Cause.RESTARTED)
    game = await Game.objects.select_related("tournament").aget(pk=held.game)
    again = await sync_to_async(claim)(game, "another worker")
    assert again is not None
    start = await watcher.receive(timeout=5)
    assert (start["type"], start["attempt"]) == ("start", 2)
    await tell_now(again, whole, 0, 3)
    assert await collect(watcher, 2) == whole.events[:3]
    await watcher.disconnect()
    # A page that saw the first attempt's events reconnects: they are of no use to it.
    watcher = await watch(f"/ws/games/{held.game}/?after=4&attempt=1")
    assert await collect(watcher, 2) == whole.events[:3]
    await watcher.disconnect()


async def test_a_tournament_pings_its_pages_at_most_once_a_second_and_never_too_few() -> None:
    tournament, held, whole = await sync_to_async(begun)()
    watcher = await watch(f"/ws/tournaments/{tournament.slug}/")
    waiting = await watch("/ws/programme/")
    await accept_now(held, whole)
    for one in (watcher, waiting):
        assert await one.receive(timeout=5) == {"type": "changed"}
    for _ in range(20):
        events.publish_changed(tournament.slug)
    assert await watcher.silence(0.5)
    assert await watcher.receive(timeout=5) == {"type": "changed"}
    assert await watcher.silence(1.5)
    # A game that begins is told to all who wait for one to watch, as is one that ends.
    await sync_to_async(lease)()
    assert await waiting.receive(timeout=5) == {"type": "changed"}
    for one in (watcher, waiting):
        await one.disconnect()


async def test_all_who_watch_a_game_hear_how_many_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumers, "COUNT_SECONDS", 0.01)
    _, held, _ = await sync_to_async(begun)()
    first = await watch(f"/ws/games/{held.game}/audience/")
    assert await first.receive(timeout=5) == {"type": "watching", "count": 1}
    second = await watch(f"/ws/games/{held.game}/audience/")
    assert (await first.receive(timeout=5))["count"] == 2
    events.publish_audience(held.game, "elsewhere", 5)  # another serving process counts its own
    assert (await first.receive(timeout=5))["count"] == 7
    for one in (second, first):
        await one.disconnect()
