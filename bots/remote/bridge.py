"""The bridge of a worker process: carries lines between the processes that play here and remote bots'
connections, which other processes hold.

One thread with one event loop serves all games, and no line waits for a database. What was said to a program
and not answered yet is kept here, so that it can be said again: after the author's connection was lost, after
the serving process ended, after the message bus lost something. What that means for clocks is for the referee
to say (`referee.remote`).
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import secrets
import threading
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final

from channels.layers import get_channel_layer

from arena.web.live.rooms import unpack
from bots.remote.bus import WORKERS, Message, Outbox, bot_group, shorten_turns, worker_group

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping

    from referee.remote import RemoteNews
    from referee.supervise import PlayingProcess

logger = logging.getLogger(__name__)

PROBE_S: Final = 2.0
"""How often each sitting is looked for: so late is a line that the bus lost."""
FORGETS_S: Final = 20.0
"""After so long without a word between us, the connection may have told its author that the game is void."""
SILENT_S: Final = 8.0
"""After so long without a word from where the connection should be, nobody knows where it is."""
UNREACHED_S: Final = 10.0
"""How long a game waits for the first word; then its bot is not there after all."""
RETRY_S: Final = 1.0
LINE: Final = b'{"type":"line"'
"""How a line for a remote seat begins (`referee.messages.RemoteLine`)."""
LEFT: Final = "left"
"""The connection of a bot that had none."""


@dataclass(eq=False, slots=True)
class Sitting:
    """A remote bot's seat in a game that is played here. `id` is random, so that nobody can tell which two
    sittings belong to one game. `connection` is the one that has it, `before` the one that had it, and
    `server` the group of the process that holds it, where that is known."""

    bot: int
    frame: Message
    table: RemoteTable
    id: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    open: dict[int, str] = field(default_factory=dict)
    connection: str = ""
    before: str = ""
    server: str = ""
    lost: bool = False
    adrift: bool = False
    forgotten: bool = False
    ready: bool = False
    heard_at: float = field(default_factory=time.monotonic)


class NewsPipe:
    """Writes news to a playing process without ever waiting for it."""

    def __init__(self, loop: asyncio.AbstractEventLoop, descriptor: int) -> None:
        self._loop = loop
        self._descriptor = descriptor
        self._rest = b""
        os.set_blocking(descriptor, False)

    def write(self, news: RemoteNews) -> None:
        """Write one line, now or as soon as there is room."""
        data = json.dumps(news, separators=(",", ":")).encode() + b"\n"
        if self._rest:
            self._rest += data
        else:
            self._rest = data
            self._flush()
            if self._rest:
                self._loop.add_writer(self._descriptor, self._flush)

    def _flush(self) -> None:
        try:
            self._rest = self._rest[os.write(self._descriptor, self._rest) :]
        except BlockingIOError:
            return
        except OSError:  # the process has ended, as whoever reads it hears
            self._rest = b""
        if not self._rest:
            self._loop.remove_writer(self._descriptor)

    def close(self) -> None:
        """Forget the process."""
        self._loop.remove_writer(self._descriptor)
        os.close(self._descriptor)


class ProcessOutput:
    """What a playing process says. Lines for remote seats are carried at once, on the bridge's loop; all else
    waits until it is read by the thread that supervises the game, which may be asking the database."""

    def __init__(self, carry: Callable[[Message], object]) -> None:
        self._carry = carry
        self._others: SimpleQueue[bytes] = SimpleQueue()
        self._rest = b""

    def take(self, descriptor: int) -> bool:
        """Take what can be read from this descriptor; False once there will be no more."""
        chunk = os.read(descriptor, 1 << 20)
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            if line.startswith(LINE):
                self._carry(json.loads(line))
        others = [line for line in lines if not line.startswith(LINE)]
        if others or not chunk:
            self._others.put(b",".join(others))
        return bool(chunk)

    def read(self, timeout: float) -> list[Message] | None:
        """Return the next messages that are no lines, waiting at most this long; None once there are no more.
        See `PlayingProcess.read`."""
        try:
            found = self._others.get(timeout=timeout)
        except Empty:
            return []
        messages: list[Message] = json.loads(b"[" + found + b"]")
        return messages if found else None


class RemoteTable:
    """The remote seats of one game. For the thread that supervises it."""

    def __init__(
        self, bridge: Bridge, seats: Mapping[int, tuple[int, Message]], left: Container[int] = ()
    ) -> None:
        """`seats` are the bots by seat, each with the frame that tells its author of the game. Nobody waits
        for those that `left` before it, longer than for a lost connection."""
        self._left = left
        self._bridge = bridge
        self._pipe: NewsPipe | None = None
        self._output = ProcessOutput(self._carry)
        self._descriptor = -1
        self._seats = {seat: Sitting(bot, frame, self) for seat, (bot, frame) in seats.items()}
        self._by_id = {sitting.id: sitting for sitting in self._seats.values()}

    @property
    def sittings(self) -> dict[int, str]:
        """The ids of the sittings by seat."""
        return {seat: sitting.id for seat, sitting in self._seats.items()}

    def begin(self, process: PlayingProcess) -> None:
        """Tell the authors of the game, and this process from now on what comes of their lines."""
        pipe = NewsPipe(self._bridge.loop, process.news_pipe())
        output = process.output_pipe()
        self._bridge.call(lambda: self._begun(pipe, output))

    def _begun(self, pipe: NewsPipe, output: int) -> None:
        self._pipe, self._descriptor = pipe, output
        self._bridge.loop.add_reader(output, self._take)
        self._bridge.add(self._seats.values())
        for sitting in self._seats.values():
            if sitting.bot in self._left:
                sitting.lost, sitting.connection = True, LEFT
                self.tell(sitting, do="lost")

    def read(self, timeout: float) -> list[Message] | None:
        """Return what the process has said that is no line for a remote seat. See `ProcessOutput.read`."""
        return self._output.read(timeout)

    def _take(self) -> None:
        if not self._output.take(self._descriptor):
            self._bridge.loop.remove_reader(self._descriptor)

    def _carry(self, line: Message) -> None:
        self._bridge.carry(self._by_id[line["sitting"]], line["n"], line["line"])

    def find_unreached(self) -> int | None:
        """A seat whose bot's connection has not been found since the game began, if there is one."""
        late = time.monotonic() - UNREACHED_S
        for seat, sitting in self._seats.items():
            if not sitting.connection and sitting.heard_at < late:
                return seat
        return None

    def tell(self, sitting: Sitting, **news: Any) -> None:
        """Tell the playing process; only on the bridge's loop."""
        if self._pipe is not None:
            said: RemoteNews = {"sitting": sitting.id, **news}  # type: ignore[typeddict-item]
            self._pipe.write(said)

    def end(self) -> None:
        """No more news for the process, which may play another game after this; waits for a moment."""
        self._bridge.wait_for(self._ended)

    def _ended(self) -> None:
        pipe, self._pipe = self._pipe, None
        if pipe is not None:
            pipe.close()
            self._bridge.loop.remove_reader(self._descriptor)
            os.close(self._descriptor)

    def over(self, frames: Mapping[int, Message]) -> None:
        """Tell each author how the game ended, by seat; the game is void for those without a frame."""
        void = {"type": "over", "result": "void", "termination": None, "url": None}
        for seat, sitting in self._seats.items():
            frame = {**void, **frames.get(seat, {}), "game": sitting.id}
            self._bridge.call(partial(self._bridge.leave, sitting, frame))


class Bridge:
    """The sittings of this process, and its thread."""

    def __init__(self, layer: Any = None) -> None:
        self.pid = os.getpid()
        self.loop = asyncio.new_event_loop()
        self._group = worker_group(uuid.uuid4().hex)
        self._layer: Any = layer or get_channel_layer()
        self._sittings: dict[str, Sitting] = {}
        self._outbox = Outbox(self._layer)
        self._probing: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._run, name="remote bridge", daemon=True)
        self._thread.start()

    def call(self, what: Callable[[], object]) -> None:
        """Do something on the bridge's loop, soon."""
        self.loop.call_soon_threadsafe(what)

    def wait_for(self, what: Callable[[], object], timeout: float = 5.0) -> None:
        """Do something on the bridge's loop and return when it is done."""
        done = threading.Event()

        def do() -> None:
            try:
                what()
            finally:
                done.set()

        self.call(do)
        done.wait(timeout)

    def close(self) -> None:
        """End the thread; nobody is heard any more."""
        self.call(lambda: [task.cancel() for task in asyncio.all_tasks(self.loop)])
        self._thread.join()

    def say(self, bot: int, frame: Message) -> None:
        """Send a bot's author a frame about no game of this process, if it is connected."""
        self.call(lambda: self._send(bot, {"do": "say", "frame": frame}))

    # On the loop, all of it.

    def add(self, sittings: Any) -> None:
        """Take sittings in, and announce them."""
        for sitting in sittings:
            self._sittings[sitting.id] = sitting
            sitting.heard_at = time.monotonic()
            self._announce(sitting)
        if self._probing is None or self._probing.done():
            self._probing = self.loop.create_task(self._probe())

    def carry(self, sitting: Sitting, number: int, line: str) -> None:
        """Send a line to the program, and keep it until it is answered."""
        sitting.open[number] = line
        if not sitting.lost:
            self._line(sitting, number)

    def leave(self, sitting: Sitting, frame: Message) -> None:
        """End a sitting with its last frame."""
        self._sittings.pop(sitting.id, None)
        self._tell(sitting, {"do": "over", "frame": frame})

    def _announce(self, sitting: Sitting, *, again: bool = False) -> None:
        frame = {**sitting.frame, "game": sitting.id}
        self._tell(sitting, {"do": "game", "frame": frame, "again": again})

    def _line(self, sitting: Sitting, number: int) -> None:
        line = sitting.open[number]
        self._tell(sitting, {"do": "line", "n": number, "line": line})

    def _tell(self, sitting: Sitting, message: Message) -> None:
        """Send a message about a sitting."""
        self._send(sitting.bot, {**message, "sitting": sitting.id}, sitting.server)

    def _send(self, bot: int, message: Message, server: str = "") -> None:
        group = bot_group(bot)
        self._outbox.put(server or group, {**message, "worker": self._group, "group": group})

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        with suppress(asyncio.CancelledError):
            self.loop.run_until_complete(self._listen())
        self.loop.run_until_complete(self._layer.flush())
        self.loop.close()

    async def _listen(self) -> None:
        channel = ""
        while True:
            try:
                if not channel:
                    channel = await self._layer.new_channel()
                    for group in (WORKERS, self._group):
                        await self._layer.group_add(group, channel)
                    self._outbox.opened.set()
                message = await self._layer.receive(channel)
            except Exception:  # a broker that restarts; the layer connects again by itself
                logger.exception("lines of remote bots could not be received")
                channel = channel if self._outbox.opened.is_set() else ""
                await asyncio.sleep(RETRY_S)
                continue
            for one in unpack(message):
                try:
                    self._hear(one)
                except Exception:  # one message must not end the others' games
                    logger.exception("a message of a remote bot's connection was not understood")

    def _hear(self, message: Message) -> None:
        match message["do"]:
            case "online" | "lost":
                hear = self._lost if message["do"] == "lost" else self._online
                for one in [one for one in self._sittings.values() if one.bot == message["bot"]]:
                    hear(one, message)
                return
        sitting = self._sittings.get(message["sitting"])
        if sitting is None or sitting.bot != message["bot"]:
            return
        match message["do"]:
            case "answer":
                self._answered(sitting, message)
            case "state":
                self._state(sitting, message)
            case "gone":
                sitting.table.tell(sitting, do="gone")

    def _answered(self, sitting: Sitting, message: Message) -> None:
        sitting.heard_at = time.monotonic()
        sitting.adrift = False
        number = message["n"]
        if sitting.open.pop(number, None) is not None:
            sitting.ready = True
            sitting.table.tell(sitting, n=number, line=message["line"], us=message["us"])

    def _online(self, sitting: Sitting, message: Message) -> None:
        """The bot has another connection. Its program may have the sitting; or it never heard of it, if it
        has not even said that it is ready; or it is gone."""
        holds = sitting.id in message["holding"]
        sitting.forgotten &= not holds
        if not holds and sitting.ready:
            sitting.table.tell(sitting, do="ours" if sitting.forgotten else "program")
            return
        sitting.before, sitting.connection = sitting.connection, message["connection"]
        sitting.server = message["server"]
        sitting.lost = sitting.adrift = False
        sitting.heard_at = time.monotonic()
        if sitting.before:
            sitting.table.tell(sitting, do="back")
        self._announce(sitting, again=holds)
        for number in sitting.open:
            self._line(sitting, number)

    def _lost(self, sitting: Sitting, message: Message) -> None:
        # What the connection still knew it had not called void, however long its author kept it waiting.
        sitting.forgotten &= sitting.id not in message.get("knows", ())
        if message["connection"] == sitting.connection and sitting.connection:
            sitting.lost, sitting.server = True, ""
            sitting.table.tell(sitting, do="lost")
        elif message["connection"] == sitting.before and sitting.before:
            sitting.before = ""
            sitting.table.tell(sitting, do="late")

    def _state(self, sitting: Sitting, message: Message) -> None:
        """What the connection knows of the sitting: send what it lacks."""
        connection, known = message["connection"], message["known"]
        sitting.forgotten |= message.get("forgotten", False)
        if sitting.connection not in {"", connection}:
            self._online(sitting, {**message, "holding": [sitting.id] if known else []})
            return
        first = not sitting.connection
        if not first and not known and sitting.ready:
            sitting.table.tell(sitting, do="ours" if sitting.forgotten else "program")
            return
        sitting.connection, sitting.server = connection, message["server"]
        sitting.heard_at = time.monotonic()
        if sitting.adrift:
            sitting.adrift = False
            sitting.table.tell(sitting, do="back")
        if not known:
            self._announce(sitting)
        for number in message["lacks"] if known else list(sitting.open):
            if number in sitting.open:
                self._line(sitting, number)

    async def _probe(self) -> None:
        """Look for every sitting every now and then, until there is none; one after the other, since all at
        once would hold up the lines."""
        while self._sittings:
            pause = PROBE_S / len(self._sittings)
            for sitting in list(self._sittings.values()):
                if sitting.id in self._sittings:
                    self._look_for(sitting, time.monotonic())
                await asyncio.sleep(pause)

    def _look_for(self, sitting: Sitting, now: float) -> None:
        self._tell(sitting, {"do": "probe", "open": list(sitting.open)})
        silent = now - sitting.heard_at > SILENT_S
        at_work = bool(sitting.connection) and not sitting.lost
        sitting.forgotten |= at_work and now - sitting.heard_at > FORGETS_S
        if silent and at_work and not sitting.adrift:
            sitting.adrift, sitting.server = True, ""
            sitting.table.tell(sitting, do="adrift")


_lock = threading.Lock()
_bridge: Bridge | None = None


def bridge() -> Bridge:
    """The bridge of this process; its thread starts with the first call."""
    global _bridge  # noqa: PLW0603 - one a process is the point
    with _lock:
        if _bridge is None or _bridge.pid != os.getpid():
            shorten_turns()
            _bridge = Bridge()
        return _bridge
