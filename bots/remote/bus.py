"""What playing and serving processes say to each other about remote bots, over the channel layer.

A bot's group is heard by the serving process that holds its connection, and so is the group of that process,
once a worker knows it; `WORKERS` is heard by every worker, and a worker's own group by that one. Messages
that wait for the same group travel together (`Outbox`), since a way there and back to Redis takes as long for
one as for twenty. Any message may come twice, late or never: lines have numbers, whoever sent
one keeps it until it was answered, and a *probe* every few seconds finds out what the other side lacks.

From a worker to a bot's connection:

- ``game``: a sitting begins, with the frame that tells the author, unless the author holds it already
  (``again``);
- ``line``: line ``n`` for the program;
- ``probe``: is the sitting there, and which of the lines in ``open`` lacks it? An answer that was lost comes
  again;
- ``over``: the sitting's last frame;
- ``say``: a frame about no sitting, such as a rating.

From a connection to workers:

- ``online`` (to all): which sittings its program holds, and the group of the serving process;
- ``lost`` (to all): its author's side has closed it, when it still knew these sittings (``knows``);
- ``answer``: to line ``n``, with the microseconds it took the author's side;
- ``state``: to a probe: whether the sitting is ``known``, the lines it lacks, and the same group;
  ``forgotten`` says that the author was told that it is void;
- ``gone``: the author gives the sitting up.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from typing import Any, Final

logger = logging.getLogger(__name__)

BACKLOG: Final = 10_000
"""Messages that wait for one group; beyond it they are dropped, and found again by probes."""
TURN_S: Final = 0.0002
WORKERS: Final = "remote.workers"

Message = dict[str, Any]


def bot_group(bot: int) -> str:
    """The group of the process that holds a bot's connection."""
    return f"remote.bot.{bot}"


def worker_group(name: str) -> str:
    """The group of one worker process."""
    return f"remote.worker.{name}"


def server_group(name: str) -> str:
    """The group of one serving process."""
    return f"remote.server.{name}"


def shorten_turns() -> None:
    """Let the threads of this process take turns of 0.2 ms instead of 5: a line or a page waits for several.

    With 40 and with 200 bots this halved what the latest percent of answers takes, or more. The latest
    twentieth of pages takes a fifth less while games are played.
    """
    sys.setswitchinterval(TURN_S)


class Outbox:
    """What waits to be sent from one event loop, in order for each group. Nothing is sent before it is
    `opened`: whoever was asked would answer nobody."""

    def __init__(self, layer: Any) -> None:
        self.opened = asyncio.Event()
        self._layer = layer
        self._waiting: dict[str, list[Message]] = {}
        self._posting: asyncio.Task[None] | None = None

    def put(self, group: str, message: Message) -> None:
        """Send a message as soon as those before it have gone; returns at once."""
        waiting = self._waiting.setdefault(group, [])
        if len(waiting) < BACKLOG:
            waiting.append(message)
        if self._posting is None or self._posting.done():
            self._posting = asyncio.get_running_loop().create_task(self._post())

    async def _post(self) -> None:
        await self.opened.wait()
        while self._waiting:
            group = next(iter(self._waiting))
            batch = self._waiting.pop(group)
            try:
                await self._layer.group_send(group, {"group": group, "batch": batch})
            except Exception as error:  # the layer's troubles are many; a probe finds what was lost
                logger.warning("%d messages were not sent: %s: %s", len(batch), type(error).__name__, error)
