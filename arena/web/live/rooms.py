"""Websockets that watch the same thing share a room, which reads and serialises each update once.

A :class:`Room` belongs to a group of the channel layer. Each process has one :class:`Hub`, which listens to
all of its groups through one channel and hands each message to its room. A :class:`Subscriber` is one open
websocket, and another :class:`Listener` may be a streamed answer. Watchers only listen: a page that sends
anything is told to leave.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar, cast
from weakref import WeakKeyDictionary

from channels.layers import get_channel_layer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from arena.web.http.requests import Message, Receive, Send

logger = logging.getLogger(__name__)

MOST_UNSENT = 1_000
"""Messages kept for a watcher whose connection is slow. One with more is sent away; its page reconnects and
catches up from what is stored."""
RETRY_SECONDS = 1.0

# Codes of RFC 6455, 7.4.1.
SAID_SOMETHING = 1008
BROKEN = 1011
TOO_SLOW = 1013


def unpack(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The messages that were sent together as one's `batch`; or the one."""
    yield from message.get("batch", (message,))


def to_text(message: object) -> str:
    """Return a message as it is sent: JSON without spaces."""
    return json.dumps(message, separators=(",", ":"))


CHANGED = to_text({"type": "changed"})
"""A ping: the page asks what has changed."""


class Listener:
    """Somebody in a room, and the messages queued for them."""

    def __init__(self, *, query: str = "") -> None:
        self.query = query
        self._unsent: deque[str] = deque()
        self._wake = asyncio.Event()
        self._code: int | None = None

    def say(self, text: str) -> None:
        """Queue a text for the connection; returns at once."""
        if len(self._unsent) >= MOST_UNSENT:
            self._unsent.clear()
            self.dismiss(TOO_SLOW)
        elif self._code is None:
            self._unsent.append(text)
            self._wake.set()

    def dismiss(self, code: int) -> None:
        """Let the listener go once everything queued has been sent."""
        if self._code is None:
            self._code = code
            self._wake.set()

    async def receive(self) -> tuple[list[str], int | None]:
        """Wait for the next texts; and the code, if the listener was dismissed after them."""
        await self._wake.wait()
        self._wake.clear()
        texts = list(self._unsent)
        self._unsent.clear()
        return texts, self._code


class Subscriber(Listener):
    """One open websocket."""

    def __init__(self, scope: Message, receive: Receive, send: Send) -> None:
        super().__init__(query=scope.get("query_string", b"").decode("latin-1"))
        self._receive = receive
        self._send = send

    async def serve(self, kind: type[Room], group: str) -> None:
        """Stay in the group's room until the page leaves or is dismissed.

        The connection is accepted in the room: what changes after a page saw it open is told to that page.
        """
        await self._receive()
        room = await hub().enter(kind, group, self)
        sending = asyncio.create_task(self._send_all())
        try:
            while (await self._receive())["type"] != "websocket.disconnect":
                self.dismiss(SAID_SOMETHING)
        finally:
            sending.cancel()
            await room.hub.leave(room, self)

    async def _send_all(self) -> None:
        # The server raises when the page has gone; serve() hears of that in its own way.
        with suppress(OSError, RuntimeError):
            await self._send({"type": "websocket.accept"})
            while True:
                await self._wake.wait()
                self._wake.clear()
                while self._unsent:
                    await self._send({"type": "websocket.send", "text": self._unsent.popleft()})
                if self._code is not None:
                    await self._send({"type": "websocket.close", "code": self._code})
                    return


class Room:
    """Everybody in this process who watches one thing.

    Messages and newcomers are handled one after the other, so a subclass need not care about what happens
    while it waits for the database.
    """

    def __init__(self, hub: Hub, group: str) -> None:
        self.hub = hub
        self.group = group
        self.watchers: set[Listener] = set()
        self.joined = False
        """Whether the group's messages come here."""
        self._welcomed: set[Listener] = set()
        self._inbox: asyncio.Queue[Listener | Message] = asyncio.Queue()
        self._work: asyncio.Task[None] | None = None

    async def welcome(self, watcher: Listener) -> None:
        """Send a newcomer what it needs. From now on it receives what the room sends."""

    async def hear(self, message: Message) -> None:
        """Handle a message of the group."""

    def say(self, text: str) -> None:
        """Send a text to everybody who has been welcomed."""
        for watcher in self._welcomed:
            watcher.say(text)

    def put(self, item: Listener | Message) -> None:
        """Queue a message or a newcomer."""
        self._inbox.put_nowait(item)
        if self._work is None:
            self._work = asyncio.create_task(self._run())

    def leave(self, watcher: Listener) -> None:
        """Forget a watcher."""
        self.watchers.discard(watcher)
        self._welcomed.discard(watcher)

    def close(self) -> None:
        """Stop; nobody is left."""
        if self._work is not None:
            self._work.cancel()

    async def _run(self) -> None:
        while True:
            item = await self._inbox.get()
            try:
                if not isinstance(item, Listener):
                    await self.hear(item)
                elif item in self.watchers:
                    await self.welcome(item)
                    self._welcomed |= {item} & self.watchers
            except Exception:  # whatever broke, the pages reconnect and begin again from what is stored
                logger.exception("the room of %s broke", self.group)
                for watcher in self.watchers:
                    watcher.dismiss(BROKEN)


AnyRoom = TypeVar("AnyRoom", bound=Room)


class Hub:
    """The rooms of one event loop, and the single channel that brings their messages. A message to one of the
    groups may be a `batch` of messages to any."""

    def __init__(self) -> None:
        self._layer: Any = get_channel_layer()
        self._channel = ""
        self._rooms: dict[str, Room] = {}
        self._listening: asyncio.Task[None] | None = None
        # Joining and leaving a group of the same name must not overtake each other.
        self._membership = asyncio.Lock()

    async def enter(self, kind: type[AnyRoom], group: str, watcher: Listener) -> AnyRoom:
        """Add a watcher to the room of a group, and return the room; it is opened if nobody is in it yet.

        The watcher is welcomed once the room receives the group's messages, so that it misses none. No room
        is held while something else is waited for: whoever was in it may leave, and it is closed for good.
        """
        room = self._rooms.get(group)
        if room is None:
            room = self._rooms[group] = kind(self, group)
        room.watchers.add(watcher)
        try:
            if not room.joined:
                await self._join(room)
        except BaseException:
            await self.leave(room, watcher)
            raise
        room.put(watcher)
        return cast("AnyRoom", room)

    async def _join(self, room: Room) -> None:
        """Have the group's messages come; whoever enters meanwhile waits for that, too."""
        async with self._membership:
            if room.joined:
                return
            if self._listening is None:
                self._channel = await self._layer.new_channel()
                self._listening = asyncio.create_task(self._listen())
            await self._layer.group_add(room.group, self._channel)
            room.joined = True

    async def leave(self, room: Room, watcher: Listener) -> None:
        """Remove a watcher; the last one closes the room."""
        room.leave(watcher)
        if room.watchers or self._rooms.get(room.group) is not room:
            return
        del self._rooms[room.group]
        room.close()
        async with self._membership:
            if room.group not in self._rooms:
                await self._layer.group_discard(room.group, self._channel)
            if not self._rooms and self._listening is not None:
                self._listening.cancel()
                self._listening = None

    async def _listen(self) -> None:
        while True:
            try:
                message = await self._layer.receive(self._channel)
            except Exception:  # a broker that restarts; the layer connects again by itself
                logger.exception("live news could not be received")
                await asyncio.sleep(RETRY_SECONDS)
                await self._start_over()
                continue
            for each in unpack(message):
                room = self._rooms.get(each.get("group", ""))
                if room is not None:
                    room.put(each)

    async def _start_over(self) -> None:
        """Join every group again and disconnect the watchers, since nobody knows what they missed."""
        for group, room in list(self._rooms.items()):
            for watcher in room.watchers:
                watcher.dismiss(BROKEN)
            with suppress(Exception):
                await self._layer.group_add(group, self._channel)


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def hub() -> Hub:
    """The hub of the running event loop."""
    loop = asyncio.get_running_loop()
    found = _hubs.get(loop)
    if found is None:
        found = _hubs[loop] = Hub()
    return found


async def no_socket(scope: Message, receive: Receive, send: Send) -> None:
    """Any other address: refused."""
    await receive()
    await send({"type": "websocket.close"})
