"""Many remote bots in one process, without programs of their own: each plays a few moves and resigns.

They speak the frames of docs/author/remote.md, come back when their connection is lost, and note what they
saw.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

READY: Final = json.dumps({"type": "ready", "position": False, "events": False, "ticks": True})
AGAIN_S: Final = 0.5
KEPT: Final = 32
"""Answers that may be asked for again."""


@dataclass(frozen=True, slots=True)
class Arena:
    """Where a site listens on this machine, by which name, and what its proxy adds."""

    port: int
    name: str = "127.0.0.1"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Sitting:
    """A game as its remote bot sees it."""

    received: int = 0
    answers: dict[int, str] = field(default_factory=dict)
    asked: int = 0
    answered_at: float = 0.0
    ply: int = -1


class RemoteBot:
    """A bot that connects until it is told to leave."""

    def __init__(
        self,
        site: Arena,
        slug: str,
        token: str,
        games: int,
        moves: int = 2,
        thinks: float = 0.0,
        boards: Sequence[str] = (),
    ) -> None:
        """It plays so many `games` at once and so many `moves` of each, and `thinks` that many seconds.

        It plays on all boards unless some are named.
        """
        self.slug = slug
        self.games: dict[str, Sitting] = {}
        self.over: Counter[str] = Counter()
        """How many games ended with each result."""
        self.refused: list[str] = []
        self.delays: list[float] = []
        """Seconds from an answer to the next question of the same turn: what the arena itself took."""
        self._site = site
        self._headers = {**site.headers, "Authorization": f"Bearer {token}"}
        self._hello = {"type": "hello", "wire": 1, "bot": slug, "boards": list(boards), "games": games}
        self._hello["people"] = False
        self._moves = moves
        self._thinks = thinks
        self._thoughts: set[asyncio.Task[None]] = set()
        self._socket: ClientConnection | None = None
        self._leaving = False

    def cut(self) -> None:
        """Break the connection, as a network that is gone does."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def leave(self) -> None:
        """Take no more games."""
        self._leaving = True
        if self._socket is not None:
            with contextlib.suppress(WebSocketException):
                await self._send({"type": "leaving"})
                if not self.games:
                    await self._socket.close()

    async def stay(self) -> None:
        """Connect, and again whenever the connection is lost, until it has left and nothing is played."""
        while not (self._leaving and not self.games):
            with contextlib.suppress(OSError, WebSocketException):
                async with connect(
                    f"ws://{self._site.name}/api/v1/remote/",
                    host="127.0.0.1",
                    port=self._site.port,
                    additional_headers=self._headers,
                    compression=None,
                    proxy=None,
                    max_size=1 << 20,
                ) as self._socket:
                    held = [{"game": key, "received": one.received} for key, one in self.games.items()]
                    await self._send({**self._hello, "holding": held})
                    if self._leaving:
                        await self._send({"type": "leaving"})
                    async for text in self._socket:
                        await self._follow(json.loads(text))
                        if self._leaving and not self.games:
                            break
            self._socket = None
            await asyncio.sleep(AGAIN_S)

    async def _send(self, frame: dict[str, Any]) -> None:
        if self._socket is not None:
            await self._socket.send(json.dumps(frame))

    async def _follow(self, frame: dict[str, Any]) -> None:
        kind = frame["type"]
        if kind == "game":
            self.games.setdefault(frame["game"], Sitting())
        elif kind == "over":
            if self.games.pop(frame["game"], None) is not None:
                self.over[frame["result"]] += 1
        elif kind == "refused":
            self.refused.append(frame["code"])
        elif kind == "line" and (sitting := self.games.get(frame["game"])) is not None:
            n = frame["n"]
            if n > sitting.received:
                assert n == sitting.received + 1, (self.slug, frame, sitting)
                sitting.received = n
                answer = self._answer(sitting, json.loads(frame["line"]))
                if answer is None:
                    return
                sitting.answers = {
                    n: answer,
                    **{key: sitting.answers[key] for key in list(sitting.answers)[:31]},
                }
            if n in sitting.answers:
                thought = asyncio.create_task(self._say(frame["game"], sitting, n))
                self._thoughts.add(thought)
                thought.add_done_callback(self._thoughts.discard)

    async def _say(self, game: str, sitting: Sitting, n: int) -> None:
        """Answer line `n`, having thought."""
        await asyncio.sleep(self._thinks)
        sitting.answered_at = time.perf_counter()
        with contextlib.suppress(WebSocketException):
            await self._send({"type": "line", "game": game, "n": n, "line": sitting.answers[n]})

    def _answer(self, sitting: Sitting, line: dict[str, Any]) -> str | None:
        """What the bot says to a line; None if it asks nothing."""
        if line["type"] == "hello":
            return READY
        if line["type"] == "end":
            return None
        if line.get("ply") == sitting.ply + 1 and sitting.answered_at:
            self.delays.append(time.perf_counter() - sitting.answered_at)
        sitting.ply = line.get("ply", -1)
        sitting.asked += 1
        if line["type"] == "stop":
            return json.dumps({"id": line["id"], "stop": False})
        if sitting.asked > self._moves:
            return json.dumps({"id": line["id"], "resign": True})
        if line["type"] == "tick":
            return json.dumps({"id": line["id"], "action": line["legal"][-1]})
        return json.dumps({"id": line["id"], "moves": line["legal"][:1]})


class Swarm:
    """Remote bots in a thread with a loop of their own."""

    def __init__(self, bots: Iterable[RemoteBot]) -> None:
        self.bots = list(bots)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._stays: list[asyncio.Future[None]] = []

    def __enter__(self) -> Self:
        self._thread.start()
        self._stays = [asyncio.run_coroutine_threadsafe(bot.stay(), self._loop) for bot in self.bots]  # type: ignore[misc]
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        """End whatever still goes on."""
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.wait(others or {asyncio.create_task(asyncio.sleep(0))}, timeout=10)

    def cut(self) -> None:
        """Break every connection."""
        for bot in self.bots:
            self._loop.call_soon_threadsafe(bot.cut)

    def leave(self) -> None:
        """Have every bot leave once its games are over."""
        for bot in self.bots:
            asyncio.run_coroutine_threadsafe(bot.leave(), self._loop)

    @property
    def over(self) -> Counter[str]:
        """How many games ended with each result, counted by every bot that played one."""
        return sum((bot.over for bot in self.bots), Counter())

    @property
    def left(self) -> bool:
        """Whether all have left. Raises what a bot raised."""
        return all(stay.done() and stay.result() is None for stay in self._stays)

    def check(self) -> None:
        """Raise what a bot raised."""
        for stay in self._stays:
            if stay.done():
                stay.result()
