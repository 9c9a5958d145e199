"""Websockets: a game as it is played, and pings that a tournament has changed.

A game's socket first joins the group, then reads the stored log, then passes live events on. Every event
has a number; where a live message leaves a gap (a full channel drops messages) or belongs to a newer
attempt, the stored log is read again. So a page that joins late, reconnects or lags has every event once
and in order.
"""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer

from tournaments.events import friendly_group, game_group, tournament_group
from tournaments.selectors.records import Snapshot, snapshot

PING_SECONDS = 1.0
PART = 500
NO_SUCH_GAME = 4404


class GameConsumer(AsyncJsonWebsocketConsumer):  # type: ignore[misc]  # channels is untyped
    """`/ws/games/<id>/?after=<n>&attempt=<token>`: start, events …, finished.

    `after` is the number of the last event the page has (of the attempt it names, if it does); none means
    all.
    """

    async def connect(self) -> None:
        """Join the group, then send what is stored."""
        query = parse_qs(self.scope.get("query_string", b"").decode("latin-1"))
        self.game_id = str(self.scope["url_route"]["kwargs"]["game_id"])
        self.last = _number(query, "after", -1)
        self.token = _number(query, "attempt", -1)
        self.group = game_group(self.game_id)
        self.over = False
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()
        await self._catch_up(greet=True)

    async def disconnect(self, code: int) -> None:
        """Leave the group."""
        await self.channel_layer.group_discard(self.group, self.channel_name)

    async def game_events(self, message: dict[str, Any]) -> None:
        """Pass live events on, or catch up if they do not follow on what was sent."""
        if self.over or message["token"] < self.token:
            return
        fresh = [event for event in message["events"] if event["n"] > self.last]
        if message["token"] > self.token or (fresh and fresh[0]["n"] > self.last + 1):
            await self._catch_up()
        elif fresh:
            await self._send_events(fresh)

    async def game_begun(self, message: dict[str, Any]) -> None:
        """Begin anew with the attempt that took over."""
        if message["token"] > self.token:
            await self._catch_up()

    async def game_finished(self, message: dict[str, Any]) -> None:
        """Send the rest and say that it was all."""
        await self._catch_up()

    async def _catch_up(self, *, greet: bool = False) -> None:
        """Send what the stored log has and the page has not; a start first if the page needs one."""
        if self.over:
            return
        found = await database_sync_to_async(snapshot)(self.game_id, self.last, self.token)
        if found is None:
            await self.close(code=NO_SUCH_GAME)
            return
        await self._send(found, greet=greet)

    async def _send(self, found: Snapshot, *, greet: bool) -> None:
        if greet or found.token != self.token:
            await self.send_json({"type": "start", "attempt": found.token, "record": found.head})
        if found.token != self.token:
            self.last, self.token = found.after, found.token
        for start in range(0, len(found.events), PART):
            await self._send_events(found.events[start : start + PART])
        if found.finished:
            self.over = True
            await self.send_json({"type": "finished"})

    async def _send_events(self, events: list[dict[str, Any]]) -> None:
        await self.send_json({"type": "events", "events": events})
        self.last = events[-1]["n"]


class TournamentConsumer(AsyncJsonWebsocketConsumer):  # type: ignore[misc]  # channels is untyped
    """`/ws/tournaments/<slug>/`: `{"type": "changed"}`, at most once a second, the last change never lost."""

    async def connect(self) -> None:
        """Join the group."""
        self.group = tournament_group(self.scope["url_route"]["kwargs"]["slug"])
        self.pending: asyncio.Task[None] | None = None
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()

    async def disconnect(self, code: int) -> None:
        """Leave the group."""
        if self.pending is not None:
            self.pending.cancel()
        await self.channel_layer.group_discard(self.group, self.channel_name)

    async def tournament_changed(self, message: dict[str, Any]) -> None:
        """Ping the page at once, then hold further pings back for a second and send one for all."""
        if self.pending is None or self.pending.done():
            await self.send_json({"type": "changed"})
            self.again = False
            self.pending = asyncio.create_task(self._hold_back())
        else:
            self.again = True

    async def _hold_back(self) -> None:
        await asyncio.sleep(PING_SECONDS)
        while self.again:
            self.again = False
            await self.send_json({"type": "changed"})
            await asyncio.sleep(PING_SECONDS)


class FriendlyConsumer(AsyncJsonWebsocketConsumer):  # type: ignore[misc]  # channels is untyped
    """`/ws/play/<id>/`: `{"type": "changed"}` when a person's game has news; the page asks what it may know.

    A ping says nothing of the cards, so whoever knows the address may listen.
    """

    async def connect(self) -> None:
        """Join the group; the page may have missed something until now."""
        self.group = friendly_group(str(self.scope["url_route"]["kwargs"]["friendly_id"]))
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()
        await self.send_json({"type": "changed"})

    async def disconnect(self, code: int) -> None:
        """Leave the group."""
        await self.channel_layer.group_discard(self.group, self.channel_name)

    async def friendly_changed(self, message: dict[str, Any]) -> None:
        """Pass the ping on."""
        await self.send_json({"type": "changed"})


def _number(query: dict[str, list[str]], name: str, default: int) -> int:
    """A whole number of the query; anything else is as good as none."""
    value = query.get(name, [""])[0]
    return int(value) if value.isascii() and value.isdigit() and len(value) < 9 else default
