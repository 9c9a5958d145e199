"""A line of a remote bot's over a real Redis that is killed, and comes back empty."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from channels_redis.pubsub import RedisPubSubChannelLayer
from redis.exceptions import ConnectionError as RedisConnectionError

from arena.web.live.rooms import unpack
from bots.remote.bridge import Bridge, RemoteTable
from bots.remote.bus import bot_group
from referee.log import encode
from tests.servers import Redis

if TYPE_CHECKING:
    from referee.supervise import PlayingProcess

BOT = 7


class Connection(threading.Thread):
    """A serving process that answers whatever it is told."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self._url = url
        self.joined = threading.Event()
        self._task: Any = None

    def run(self) -> None:
        with suppress(asyncio.CancelledError):
            asyncio.run(self._serve())

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._task.cancel)
        self.join()

    async def _serve(self) -> None:
        self._loop, self._task = asyncio.get_running_loop(), asyncio.tasks.current_task()
        layer: Any = RedisPubSubChannelLayer(hosts=[self._url])
        channel = await layer.new_channel()
        await layer.group_add(bot_group(BOT), channel)
        self.joined.set()
        try:
            await self._answer(layer, channel)
        finally:
            await layer.flush()

    async def _answer(self, layer: Any, channel: str) -> None:
        while True:
            for message in unpack(await layer.receive(channel)):
                said: dict[str, Any] = {"do": "state", "known": True, "lacks": message.get("open", [])}
                if message["do"] == "line":
                    said = {"do": "answer", "n": message["n"], "line": "{}", "us": 1}
                said |= {"bot": BOT, "connection": "c", "sitting": message["sitting"]}
                with suppress(ConnectionError, RedisConnectionError):
                    await layer.group_send(message["worker"], {**said, "server": bot_group(BOT)})


def test_a_line_that_redis_took_along_is_sent_again() -> None:
    reads, writes = os.pipe()
    output, says = os.pipe()

    class Process:
        def news_pipe(self) -> int:
            return writes

        def output_pipe(self) -> int:
            return output

    with Redis() as server, os.fdopen(reads) as news:
        connection = Connection(server.url)
        connection.start()
        assert connection.joined.wait(60)
        bridge = Bridge(RedisPubSubChannelLayer(hosts=[server.url]))
        table = RemoteTable(bridge, {0: (BOT, {"type": "game"})})
        process: PlayingProcess = Process()  # type: ignore[assignment]
        table.begin(process)

        def ask(n: int) -> None:
            line = {"type": "line", "sitting": table.sittings[0], "n": n, "line": "?"}
            os.write(says, encode(line).encode() + b"\n")

        def answered() -> int:
            number: int = json.loads(news.readline())["n"]
            return number

        ask(1)
        assert answered() == 1
        server.kill()
        ask(2)
        server.start()
        assert answered() == 2
        ask(3)
        assert answered() == 3
        table.end()
        table.over({})
        bridge.close()
        connection.close()
        os.close(says)
