"""The websocket of a remote bot's author: ``/api/v1/remote/``, in the process that serves it.

Frames are JSON objects; `docs/author/remote.md` describes them. A connection speaks for one bot, and knows
only the sittings that workers have announced to that bot, so nothing it says can reach another's game. What
an answer cost its author is measured here, from where a line is written to the connection until its answer is
read. Nothing is stored for a line, and nothing here waits for the database but a connection's first word;
`admission` finds those that may no longer be open.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
import uuid
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async
from channels.layers import get_channel_layer

from arena.web.http import rate_limits
from arena.web.live.rooms import Listener, Room, hub, to_text
from bots.errors import RemoteRefused
from bots.remote import connections
from bots.remote.admission import (
    ANY_REFUSAL,
    CLOSE_CODES,
    FRAME_BYTES,
    FRAMES_A_SECOND,
    WIRE,
    Bucket,
    HandshakeRefused,
    Parting,
    admit,
    guard,
    parse_hello,
)
from bots.remote.bus import WORKERS, Message, Outbox, bot_group, server_group
from bots.remote.connections import Traffic
from referee.job import REMOTE_CLOCK
from referee.remote import LOST_S

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.web.http.requests import Message as Asgi
    from arena.web.http.requests import Receive, Send
    from bots.remote.admission import Admitted

logger = logging.getLogger(__name__)

PATH: Final = "api/v1/remote/"
HELLO_S: Final = 10.0
SEND_S: Final = 20.0
"""How long an author may take to read a frame."""
FORGOTTEN_S: Final = 30.0
"""After so long without a word of its worker a sitting is void."""
ORPHANED_S: Final = 12.0
"""After so long a silence it is void already if another sitting wants its place."""
LEAVES_S: Final = 5.0
"""So long an author who leaves has to close the connection after the last game."""
MOST_KEPT: Final = 32
"""Answers kept for a worker that has not heard them; a bot owes fewer."""
SERVER_ENDS: Final = 1012
SERVER: Final = server_group(uuid.uuid4().hex)
"""The group of this process, which every connection here hears: messages for several bots come together."""


@dataclass(slots=True)
class OpenSitting:
    """A sitting as this connection knows it: when each open line was written to the connection, and the
    answers, in case a worker has not heard them."""

    worker: str = ""
    written: dict[int, int] = field(default_factory=dict)
    answers: OrderedDict[int, Message] = field(default_factory=OrderedDict)
    last_read: int = 0
    heard_at: float = field(default_factory=time.monotonic)


class BotRoom(Room):
    """The connection of one bot in this process (two for a moment, when one takes the other's place)."""

    async def hear(self, message: Asgi) -> None:
        """Hand a worker's message to the connection."""
        for each in list(self.watchers):
            assert isinstance(each, Connection)  # noqa: S101
            await each.hear(dict(message))


class Connection(Listener):
    """One open connection."""

    def __init__(self, admitted: Admitted, receive: Receive, send: Send) -> None:
        super().__init__()
        self.token = admitted.token
        self.key = ""
        self.bot = 0
        self._receive = receive
        self._send = send
        self._seats: dict[str, OpenSitting] = {}
        self._forgotten: set[str] = set()
        self._games = 1
        self._frames = Bucket(FRAMES_A_SECOND)
        self._bytes = Bucket(admitted.bytes_a_second)
        self._writing = asyncio.Lock()
        self._rooms: list[Room] = []
        self._ended: Parting | None = None
        self._closed = asyncio.Event()
        self._lost = True
        self._leaving = False
        self._forgetting: asyncio.Task[None] | None = None
        self._idle_since = 0.0
        self._bytes_in = self._bytes_out = 0

    async def serve(self) -> None:
        """Speak for a bot until the author leaves or the connection is refused."""
        try:
            await self._serve()
        except Parting as refused:
            await self._refuse(refused)
        except (TimeoutError, OSError, RuntimeError) as error:
            logger.info("a remote bot's connection broke: %s", type(error).__name__)

    async def _serve(self) -> None:
        hello = await self._hello()
        try:
            await self._enter(hello)
            reading = asyncio.create_task(self._read())
            ending = asyncio.create_task(self._closed.wait())
            await asyncio.wait({reading, ending}, return_when=asyncio.FIRST_COMPLETED)
            ending.cancel()
            if not reading.done():
                reading.cancel()
                with suppress(asyncio.CancelledError):
                    await reading
            elif self._ended is None:
                reading.result()
            if self._ended is not None:
                raise self._ended
        finally:
            if self._forgetting is not None:
                self._forgetting.cancel()
            guard().leave(self)
            for room in self._rooms:
                await room.hub.leave(room, self)
            if self.bot:
                await self._leave()

    async def _hello(self) -> Message:
        """The first frame. Raises Parting."""
        try:
            async with asyncio.timeout(HELLO_S):
                frame = await self._frame()
        except TimeoutError:
            raise Parting("no-hello", f"Expected a hello within {HELLO_S:.0f} seconds.") from None
        if frame is None:
            raise OSError("left before its hello")
        if frame.get("type") != "hello":
            raise Parting("bad-hello", f"Expected a hello first, got {str(frame.get('type'))[:40]!r}.")
        if frame.get("wire") != WIRE:
            raise Parting("bad-hello", f"Expected wire {WIRE}, got {str(frame.get('wire'))[:40]!r}.")
        return frame

    async def _enter(self, hello: Message) -> None:
        """Take the bot online. Raises Parting."""
        wish, holding = parse_hello(hello)
        try:
            agreed = await database_sync_to_async(connections.connect)(
                self.token.owner, str(hello.get("bot"))[:100], wish
            )
        except RemoteRefused as refused:
            raise Parting(refused.code, str(refused)) from refused
        self.bot, self.key, self._games = agreed.bot, agreed.connection, agreed.games
        self._seats = {each: OpenSitting() for each in holding}
        for kind, group in ((BotRoom, bot_group(self.bot)), (Room, SERVER)):
            self._rooms.append(await hub().enter(kind, group, self))
        guard().enter(self)
        welcome = {
            "type": "welcome",
            "wire": WIRE,
            "bot": agreed.slug,
            "boards": list(agreed.boards),
            "games": agreed.games,
            "clock": {"bank_ms": REMOTE_CLOCK.bank_ms, "increment_ms": REMOTE_CLOCK.increment_ms},
            "lost_ms": LOST_S * 1000,
        }
        await self._write(welcome)
        online = {
            "do": "online",
            "holding": list(holding),
            "server": SERVER,
            "replaces": agreed.replaced,
        }
        self._say(bot_group(self.bot), online)
        self._say(WORKERS, online)

    async def _leave(self) -> None:
        """The connection is closed: workers hear of it, unless it was this server that closed it."""
        if self._lost:
            self._say(WORKERS, {"do": "lost", "knows": list(self._seats)})
        await database_sync_to_async(connections.disconnect)(self.bot, self.key, self.take_traffic())

    # From the author.

    async def _read(self) -> None:
        """Take frames until there are no more. Raises Parting."""
        while (frame := await self._frame()) is not None:
            kind = frame.get("type")
            if kind == "line" and await self._answer(frame):
                continue
            if not self._frames.take(1):
                raise Parting("too-fast", f"Expected at most {FRAMES_A_SECOND} frames a second.")
            match kind:
                case "line":
                    pass  # to a line that was answered, or is not known here
                case "abandon":
                    await self._abandon(frame)
                case "leaving":
                    if not self._leaving:
                        self._leaving = True
                        await database_sync_to_async(connections.leave)(self.bot, self.key)
                case _:
                    known = "line, abandon or leaving"
                    raise Parting("bad-message", f"Expected {known} as type, got {str(kind)[:40]!r}.")

    async def _frame(self) -> Message | None:
        """The next frame, or None when the author has left. Raises Parting."""
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            self._lost = message.get("code") != SERVER_ENDS
            return None
        text = message.get("text")
        if text is None:
            raise Parting("bad-message", "Expected text frames, got a binary one.")
        size = len(text) if text.isascii() else len(text.encode())
        self._bytes_in += size
        if size > FRAME_BYTES:
            raise Parting("too-large", f"Expected a frame of at most 64 KiB, got one of {size} bytes.")
        if not self._bytes.take(size):
            most = self._bytes.rate * 60 / 1024
            raise Parting("too-fast", f"Expected at most {most:.0f} kilobytes a minute.")
        try:
            frame = json.loads(text)
        except (ValueError, RecursionError):
            raise Parting("bad-message", f"Expected a JSON object, got {text[:40]!r}.") from None
        if not isinstance(frame, dict):
            raise Parting("bad-message", f"Expected a JSON object, got {text[:40]!r}.")
        return frame

    async def _answer(self, frame: Message) -> bool:
        """Pass on an answer to an open line; False if it answers none. Raises Parting."""
        read = time.monotonic_ns()
        game, number, line = frame.get("game"), frame.get("n"), frame.get("line")
        if not isinstance(game, str) or type(number) is not int or not isinstance(line, str):
            raise Parting(
                "bad-message", 'Expected a line with a string "game", a number "n" and a string "line".'
            )
        seat = self._seats.get(game)
        written = seat.written.pop(number, None) if seat is not None else None
        if seat is None or written is None:
            return False
        took = read - max(written, seat.last_read)
        seat.last_read = read
        answer = {"do": "answer", "sitting": game, "n": number, "line": line, "us": took // 1000}
        seat.answers[number] = answer
        if len(seat.answers) > MOST_KEPT:
            seat.answers.popitem(last=False)
        self._say(seat.worker, answer)
        return True

    async def _abandon(self, frame: Message) -> None:
        game = frame.get("game")
        seat = self._seats.get(game) if isinstance(game, str) else None
        if seat is not None and seat.worker:
            self._say(seat.worker, {"do": "gone", "sitting": game})

    # From workers.

    async def hear(self, message: Message) -> None:
        """Take a message of the bot's group."""
        match message["do"]:
            case "online":
                # Of two that connect at once, either message may come late.
                if message.get("replaces") == self.key:
                    self.end(Parting("replaced", "Another connection of this bot has taken its place."))
            case "game":
                await self._begin(message)
            case "line":
                await self._line(message)
            case "probe":
                await self._probed(message)
            case "over":
                self._seats.pop(message["sitting"], None)
                await self._write(message["frame"])
            case "say":
                await self._write(message["frame"])

    async def _begin(self, message: Message) -> None:
        known = self._seats.get(message["sitting"])
        if known is None and not await self._has_place():
            return  # its worker asks again
        seat = self._seats.setdefault(message["sitting"], OpenSitting())
        seat.worker, seat.heard_at = message["worker"], time.monotonic()
        if known is None and not message["again"]:
            await self._write(message["frame"])
        self._state(seat.worker, message["sitting"])

    async def _line(self, message: Message) -> None:
        seat, number = self._seats.get(message["sitting"]), message["n"]
        if seat is None or number in seat.written:
            return
        seat.worker, seat.heard_at = message["worker"], time.monotonic()
        if number in seat.answers:
            self._say(seat.worker, seat.answers[number])
            return
        frame = {"type": "line", "game": message["sitting"], "n": number, "line": message["line"]}
        seat.written[number] = time.monotonic_ns()
        await self._write(frame)

    async def _probed(self, message: Message) -> None:
        seat = self._seats.get(message["sitting"])
        if seat is None:
            if message["sitting"] not in self._forgotten and not await self._has_place():
                return
            told_void = message["sitting"] in self._forgotten
            self._state(message["worker"], message["sitting"], known=False, forgotten=told_void)
            return
        seat.worker, seat.heard_at = message["worker"], time.monotonic()
        wanted = set(message["open"])
        for number in [one for one in seat.answers if one not in wanted]:
            del seat.answers[number]
        for answer in list(seat.answers.values()):
            self._say(seat.worker, answer)
        lacks = sorted(wanted - seat.written.keys() - seat.answers.keys())
        self._state(seat.worker, message["sitting"], lacks)

    def _state(self, worker: str, sitting: str, lacks: Sequence[int] = (), **more: bool) -> None:
        state = {"do": "state", "sitting": sitting, "known": True, "lacks": list(lacks), "forgotten": False}
        self._say(worker, {**state, **more, "server": SERVER})

    # Both ways.

    def tend(self) -> None:
        """End the sittings whose workers are not heard of any more, and the connection if its author leaves
        and has none: otherwise its bot would be waited for. Returns at once: an author may not read."""
        now = time.monotonic()
        late = [one for one, seat in self._seats.items() if seat.heard_at < now - FORGOTTEN_S]
        if late and (self._forgetting is None or self._forgetting.done()):
            self._forgetting = asyncio.create_task(self._forget(*late))
        if self._seats or not self._leaving:
            self._idle_since = now
        elif now - self._idle_since > LEAVES_S:
            self.end(Parting("left", "This bot has left, and none of its games goes on."))

    async def _has_place(self) -> bool:
        """Whether the program can take another game, which it would give up otherwise: it may have one whose
        worker died. Ends the one that has been silent for longest, if that is long."""
        if len(self._seats) < self._games:
            return True
        sitting, seat = min(self._seats.items(), key=lambda one: one[1].heard_at)
        if seat.heard_at >= time.monotonic() - ORPHANED_S:
            return False
        await self._forget(sitting)
        return True

    async def _forget(self, *sittings: str) -> None:
        for sitting in sittings:
            if self._seats.pop(sitting, None) is not None:
                self._forgotten.add(sitting)
                void = {"result": "void", "termination": None, "url": None}
                await self._write({"type": "over", "game": sitting, **void})

    def take_traffic(self) -> Traffic:
        """What was carried since this was last asked, for whoever counts it now."""
        taken = Traffic(self._bytes_in, self._bytes_out)
        self._bytes_in = self._bytes_out = 0
        return taken

    def end(self, refused: Parting) -> None:
        """End the connection, soon."""
        if self._ended is None:
            self._lost = refused.code != "restarting"  # which is no fault of the author's
            self._ended = refused
            self._closed.set()

    def dismiss(self, code: int) -> None:
        """The room broke: the author connects again."""
        self.end(Parting("restarting", "The site has lost this connection. Connect again."))

    async def _write(self, frame: Message) -> None:
        """Write a frame; who does not read is sent away."""
        try:
            text = to_text(frame)
            self._bytes_out += len(text)  # which is ASCII
            async with asyncio.timeout(SEND_S), self._writing:
                await self._send({"type": "websocket.send", "text": text})
        except (TimeoutError, OSError, RuntimeError):
            self.end(Parting("too-slow", f"A frame was not read within {SEND_S:.0f} seconds."))

    def _say(self, group: str, message: Message) -> None:
        """Send a message to workers; what is lost, a probe finds."""
        if group:
            outbox().put(group, {**message, "bot": self.bot, "connection": self.key, "group": group})

    async def _refuse(self, refused: Parting) -> None:
        """Say why, and close."""
        frame = {"type": "refused", "code": refused.code, "message": str(refused)}
        code = CLOSE_CODES.get(refused.code, ANY_REFUSAL)
        with suppress(TimeoutError, OSError, RuntimeError):
            async with asyncio.timeout(SEND_S):
                await self._send({"type": "websocket.send", "text": to_text(frame)})
                await self._send({"type": "websocket.close", "code": code})


_outboxes: WeakKeyDictionary[asyncio.AbstractEventLoop, Outbox] = WeakKeyDictionary()


def outbox() -> Outbox:
    """What the connections of the running loop have to send."""
    loop = asyncio.get_running_loop()
    found = _outboxes.get(loop)
    if found is None:
        found = _outboxes[loop] = Outbox(get_channel_layer())
        found.opened.set()
    return found


async def remote_socket(scope: Asgi, receive: Receive, send: Send) -> None:
    """The websocket's application: lets a program in whose token has the scope, then serves it."""
    await receive()
    try:
        admitted = await database_sync_to_async(admit)(rate_limits.of_scope(scope), scope["headers"])
    except HandshakeRefused as refused:
        await refused.send(scope, send)
        return
    await send({"type": "websocket.accept"})
    await Connection(admitted, receive, send).serve()
