"""Websockets: a game as it is played, how many watch it, and pings for tournaments and the programme.

A game's room first joins the group, then reads the stored log, then goes on with live events. Every event
has a number; where a live message leaves a gap (a full channel drops messages) or belongs to a newer
attempt, the stored log is read again. So a page that joins late, reconnects or lags has every event once
and in order. Each event is serialised once, however many people watch.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
import uuid
from typing import TYPE_CHECKING, Any, Literal, TypedDict
from urllib.parse import parse_qs

from channels.db import database_sync_to_async

from arena.web.live.rooms import BROKEN, CHANGED, Listener, Room, Subscriber, no_socket, to_text
from arena.web.storage.archives import ArchiveUnreadable
from tournaments.games.records import snapshot
from tournaments.live_updates import (
    PROGRAMME_GROUP,
    audience_group,
    game_group,
    publish_audience,
    tournament_group,
)

if TYPE_CHECKING:
    from analysis.game_record import Head
    from arena.web.http.requests import Message, Receive, Send
    from referee.messages import RecordEvent

log = logging.getLogger(__name__)

PING_SECONDS = 1.0
FRESH_SECONDS = 1.0
"""How long a newcomer trusts what the room knows. News may be lost, and the room learns of that only from
the next message."""
NAMED_SECONDS = 60.0
"""The same of a game that is over: only the names of its bots may be others by now."""
PART = 500
NO_SUCH_GAME = 4404
LONGEST_SLUG = 80
"""Of a tournament's slug; the names of groups have a limit too."""
FINISHED = to_text({"type": "finished"})
_news = itertools.count()
PROCESS = uuid.uuid4().hex
"""Names this process among those that count the same audience."""
COUNT_SECONDS = 0.3
"""Newcomers within this time are announced together."""
AGAIN_SECONDS = 20.0
FORGOTTEN_SECONDS = 50.0


class StartMessage(TypedDict):
    """Begins an attempt at a game: its record, whose events follow in messages of type `events`."""

    type: Literal["start"]
    attempt: int
    record: Head


class ErrorMessage(TypedDict):
    """Why a game cannot be shown at the moment, as the pages say it; the socket is closed after it."""

    type: Literal["error"]
    code: str
    message: str


class WatchingMessage(TypedDict):
    """How many pages look at the game."""

    type: Literal["watching"]
    count: int


class GameRoom(Room):
    """A game: its start, the text of every event so far, and whether it is over."""

    token = -1
    start = ""
    over = False

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.texts: list[str] = []
        self._read_at = float("-inf")

    async def welcome(self, watcher: Listener) -> None:
        """Send the start and the events the page lacks: those after `?after=` of `?attempt=`."""
        if time.monotonic() - self._read_at > (NAMED_SECONDS if self.over else FRESH_SECONDS):
            try:
                await self._read()
            except ArchiveUnreadable as error:
                log.error("the archive cannot be read: %s", error)
                refused: ErrorMessage = {"type": "error", "code": error.code, "message": str(error.sentence)}
                watcher.say(to_text(refused))
                watcher.dismiss(BROKEN)
                return
        if not self.start:
            watcher.dismiss(NO_SUCH_GAME)
            return
        query = parse_qs(watcher.query)
        same = _number(query, "attempt", self.token) == self.token
        watcher.say(self.start)
        for text in self._parts(_number(query, "after", -1) + 1 if same else 0):
            watcher.say(text)
        if self.over:
            watcher.say(FINISHED)

    async def hear(self, message: Message) -> None:
        """Pass live events on. Read the stored log if there is a gap before them."""
        if self.over or message.get("token", self.token) < self.token:
            return
        if message["type"] == "game.events" and message["token"] == self.token:
            fresh = [event for event in message["events"] if event["n"] >= len(self.texts)]
            if not fresh:
                return
            if fresh[0]["n"] == len(self.texts):
                self._read_at = time.monotonic()
                self._pass_on(fresh)
                return
        await self._read()

    async def _read(self) -> None:
        """Read what the room lacks from the stored log, and pass it on."""
        key = self.group.removeprefix(game_group(""))
        found = await database_sync_to_async(snapshot)(key, len(self.texts) - 1, self.token)
        if found is None:
            return
        self._read_at = time.monotonic()
        if found.token != self.token or found.finished:
            begins_anew = found.token != self.token
            start: StartMessage = {"type": "start", "attempt": found.token, "record": found.head}
            self.start = to_text(start)
            if begins_anew:
                self.token, self.texts = found.token, []
                self.say(self.start)
        self._pass_on(found.events)
        if found.finished and not self.over:
            self.over = True
            self.say(FINISHED)

    def _pass_on(self, events: list[RecordEvent]) -> None:
        first = len(self.texts)
        self.texts += [to_text(event) for event in events]
        for text in self._parts(first):
            self.say(text)

    def _parts(self, first: int) -> list[str]:
        """Return the events from number `first` on, in messages of limited size."""
        return [
            f'{{"type":"events","events":[{",".join(self.texts[at : at + PART])}]}}'
            for at in range(first, len(self.texts), PART)
        ]


class ChangesRoom(Room):
    """A tournament, or the programme: pings for changes, at most one a second. The last is never lost.

    `news` is another number after each ping, and in each room there ever was.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.news = next(_news)
        self._pause: asyncio.Task[None] | None = None
        self._again = False

    async def hear(self, message: Message) -> None:
        """Ping the pages at once. Then hold pings back for a second and send one for all."""
        if self._pause is None or self._pause.done():
            self._ping()
            self._again = False
            self._pause = asyncio.create_task(self._hold_back())
        else:
            self._again = True

    async def _hold_back(self) -> None:
        await asyncio.sleep(PING_SECONDS)
        while self._again:
            self._again = False
            self._ping()
            await asyncio.sleep(PING_SECONDS)

    def _ping(self) -> None:
        self.news = next(_news)
        self.say(CHANGED)

    def close(self) -> None:
        """Stop; nobody is left to be pinged."""
        super().close()
        if self._pause is not None:
            self._pause.cancel()


class AudienceRoom(Room):
    """The pages that look at a game. All hear how many they are, through all serving processes together.

    Each process announces its count a moment after it changed, and again now and then: announcements may be
    lost, and a process that was killed never takes its own back.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._counts: dict[str, tuple[int, float]] = {}
        self._told = 0
        self._soon: asyncio.Task[None] | None = None
        self._pulse: asyncio.Task[None] | None = None

    async def welcome(self, watcher: Listener) -> None:
        """Count a newcomer, who hears the number with everybody else."""
        if self._told:
            watcher.say(_watching(self._told))
        self._announce_soon()
        if self._pulse is None:
            self._pulse = asyncio.create_task(self._announce_again())

    async def hear(self, message: Message) -> None:
        """Add up what the processes announced lately, and pass a new sum on."""
        now = time.monotonic()
        self._counts[message["process"]] = (message["count"], now)
        fresh = {process: one for process, one in self._counts.items() if now - one[1] < FORGOTTEN_SECONDS}
        self._counts = fresh
        count = sum(count for count, _ in fresh.values())
        if count != self._told:
            self._told = count
            self.say(_watching(count))

    def leave(self, watcher: Listener) -> None:
        """Stop counting somebody."""
        super().leave(watcher)
        self._announce_soon()

    def close(self) -> None:
        """Stop. Whoever watches through other processes hears that nobody does here."""
        super().close()
        for task in (self._soon, self._pulse):
            if task is not None:
                task.cancel()
        self._announce()

    def _announce_soon(self) -> None:
        if self._soon is None or self._soon.done():
            self._soon = asyncio.create_task(self._announce_in_a_moment())

    async def _announce_in_a_moment(self) -> None:
        await asyncio.sleep(COUNT_SECONDS)
        self._announce()

    async def _announce_again(self) -> None:
        while True:
            await asyncio.sleep(AGAIN_SECONDS)
            self._announce()

    def _announce(self) -> None:
        publish_audience(self.group.removeprefix(audience_group("")), PROCESS, len(self.watchers))


async def game_socket(scope: Message, receive: Receive, send: Send) -> None:
    """`/ws/games/<id>/?after=<n>&attempt=<token>`: start, events …, finished.

    `after` is the number of the last event the page has (of the attempt it names, if it does); none means
    all.
    """
    group = game_group(str(scope["url_route"]["kwargs"]["game_id"]))
    await Subscriber(scope, receive, send).serve(GameRoom, group)


async def tournament_socket(scope: Message, receive: Receive, send: Send) -> None:
    """`/ws/tournaments/<slug>/`: `{"type": "changed"}`, at most once a second."""
    slug = scope["url_route"]["kwargs"]["slug"]
    if len(slug) > LONGEST_SLUG:
        await no_socket(scope, receive, send)
        return
    group = tournament_group(slug)
    await Subscriber(scope, receive, send).serve(ChangesRoom, group)


async def programme_socket(scope: Message, receive: Receive, send: Send) -> None:
    """`/ws/programme/`: `{"type": "changed"}` when a game begins or ends, at most once a second."""
    await Subscriber(scope, receive, send).serve(ChangesRoom, PROGRAMME_GROUP)


async def audience_socket(scope: Message, receive: Receive, send: Send) -> None:
    """`/ws/games/<id>/audience/`: `{"type": "watching", "count": n}` at once and when it changes."""
    group = audience_group(str(scope["url_route"]["kwargs"]["game_id"]))
    await Subscriber(scope, receive, send).serve(AudienceRoom, group)


def _watching(count: int) -> str:
    message: WatchingMessage = {"type": "watching", "count": count}
    return to_text(message)


def _number(query: dict[str, list[str]], name: str, default: int) -> int:
    """Return an integer from the query; anything invalid gives the default."""
    value = query.get(name, [""])[0]
    return int(value) if value.isascii() and value.isdigit() and len(value) < 9 else default
