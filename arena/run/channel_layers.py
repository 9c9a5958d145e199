"""The channel layers of the embedded run: in memory, and safe to send to from worker threads; and of the
processes beside the one that serves.

The stock in-memory layer puts messages on ``asyncio`` queues straight from the sending thread. That
neither wakes the server's loop (measured: 74 ms until the next tick, up to a second) nor is it safe. This
one hops to the loop that the receivers live on, and looks for expired messages once a second instead of
at every call, which was most of its cost.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Any

from channels.layers import BaseChannelLayer, InMemoryChannelLayer

from arena.run.bus import Bus, Message

STOPPED_SECONDS = 5.0


class ThreadSafeInMemoryLayer(InMemoryChannelLayer):  # type: ignore[misc]  # channels is untyped
    """An in-memory layer of one process, whose senders may run in any thread or loop."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("capacity", 10_000)
        # A room that is always watched stays a member of its group for as long as the process lives.
        options.setdefault("group_expiry", 10 * 365 * 86400)
        super().__init__(**options)
        self._home: asyncio.AbstractEventLoop | None = None
        self._cleaned = 0.0
        self.elsewhere: dict[str, Callable[[Message], object]] = {}
        """Groups whose only members are in a process beside this one, and what carries messages there."""

    async def receive(self, channel: str) -> dict[str, Any]:
        """Wait for a message; the loop that waits is where messages are put from now on."""
        self._home = asyncio.get_running_loop()
        message: dict[str, Any] = await super().receive(channel)
        return message

    async def group_add(self, group: str, channel: str) -> None:
        """Add a channel to a group, on the loop of the receivers."""
        await self._at_home(super().group_add, group, channel)

    async def group_discard(self, group: str, channel: str) -> None:
        """Take a channel out of a group, on the loop of the receivers."""
        await self._at_home(super().group_discard, group, channel)

    async def send(self, channel: str, message: dict[str, Any]) -> None:
        """Send a message to one channel."""
        await self._at_home(super().send, channel, message)

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """Send a message to every channel of a group; a full channel loses it (pages catch up by number)."""
        carry = self.elsewhere.get(group)
        if carry is not None:
            carry({"group": group, "message": message})
            return
        await self._at_home(super().group_send, group, message)

    async def _at_home(self, method: Callable[..., Awaitable[None]], *arguments: Any) -> None:
        """Run a method of the stock layer on the receivers' loop, and wait for it from any other."""
        home = self._home
        if home is None or home is asyncio.get_running_loop() or not home.is_running():
            await method(*arguments)
            return

        async def call() -> None:
            await method(*arguments)

        done = asyncio.wrap_future(asyncio.run_coroutine_threadsafe(call(), home))
        # A server that is just stopping may never get to it; its receivers are gone then.
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(done, STOPPED_SECONDS)

    def _clean_expired(self) -> None:
        """Drop expired messages and memberships, at most once a second."""
        now = time.monotonic()
        if now - self._cleaned >= 1:
            self._cleaned = now
            super()._clean_expired()


class BusLayer(BaseChannelLayer):  # type: ignore[misc]  # channels is untyped
    """The channel layer of a child: messages go to the parent, which serves the pages. The groups that this
    process joins are its alone, and whoever reads its bus hands their messages in (`deliver`)."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._bus = Bus.from_parent()
        self._channels: dict[str, tuple[asyncio.AbstractEventLoop, asyncio.Queue[Message]]] = {}
        self._groups: dict[str, str] = {}

    async def new_channel(self, prefix: str = "specific") -> str:
        """Return a channel for the running loop to receive from."""
        name = f"{prefix}.{len(self._channels)}"
        self._channels[name] = (asyncio.get_running_loop(), asyncio.Queue())
        return name

    async def group_add(self, group: str, channel: str) -> None:
        """Have the messages of a group come to a channel."""
        self._groups[group] = channel
        self._bus.send({"join": group})

    async def receive(self, channel: str) -> Message:
        """Wait for a message."""
        return await self._channels[channel][1].get()

    def deliver(self, message: Message) -> None:
        """Put a message of the parent's where its group is heard; from any thread."""
        channel = self._groups.get(message["group"])
        if channel is not None:
            loop, queue = self._channels[channel]
            loop.call_soon_threadsafe(queue.put_nowait, message["message"])

    async def group_send(self, group: str, message: Message) -> None:
        """Have the parent send a message to every channel of a group."""
        self._bus.send({"group": group, "message": message})
