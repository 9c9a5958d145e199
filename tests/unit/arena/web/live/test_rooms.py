"""Rooms of pages that watch the same thing: nobody misses news by coming while another leaves."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from arena.web.http.requests import Message
from arena.web.live.publisher import publisher
from arena.web.live.rooms import CHANGED, Room, Subscriber, hub

GROUP = "rooms.test"


@pytest.fixture(autouse=True)
async def all_told() -> AsyncIterator[None]:
    """Keep the loop until all news was sent: the publisher's thread needs it, also for what nobody hears."""
    yield
    await asyncio.to_thread(publisher().flush, 60)


class Echo(Room):
    async def hear(self, message: Message) -> None:
        self.say(CHANGED)


class Page:
    def __init__(self, when_accepted: Callable[[], Awaitable[None]] | None = None) -> None:
        self.got: asyncio.Queue[Message] = asyncio.Queue()
        self.said: asyncio.Queue[Message] = asyncio.Queue()
        self._when_accepted = when_accepted
        self.said.put_nowait({"type": "websocket.connect"})
        watcher = Subscriber({"type": "websocket"}, self.said.get, self._take)
        self.open = asyncio.create_task(watcher.serve(Echo, GROUP))

    async def _take(self, message: Message) -> None:
        if message["type"] == "websocket.accept" and self._when_accepted is not None:
            await self._when_accepted()
        self.got.put_nowait(message)

    async def next(self) -> str:
        return str((await asyncio.wait_for(self.got.get(), 30))["type"])

    async def leave(self) -> None:
        self.said.put_nowait({"type": "websocket.disconnect"})
        await asyncio.wait_for(self.open, 30)


def tell() -> None:
    publisher().send(GROUP, {"type": "news"})


async def test_whoever_comes_while_the_last_one_leaves_hears_the_news() -> None:
    first = Page()
    assert await first.next() == "websocket.accept"
    second = Page(when_accepted=first.leave)
    assert await second.next() == "websocket.accept"
    tell()
    assert await second.next() == "websocket.send"
    await second.leave()


async def test_who_comes_second_waits_for_the_group_as_the_first_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    joining, joined = asyncio.Event(), asyncio.Event()
    whole = hub()._layer.group_add

    async def slow(group: str, channel: str) -> None:
        joining.set()
        await joined.wait()
        await whole(group, channel)

    monkeypatch.setattr(hub()._layer, "group_add", slow)
    first = Page()
    await asyncio.wait_for(joining.wait(), 30)
    second = Page()
    await asyncio.sleep(0)
    tell()
    assert (first.got.empty(), second.got.empty()) == (True, True)
    joined.set()
    for page in (first, second):
        assert await page.next() == "websocket.accept"
    tell()
    for page in (first, second):
        assert await page.next() == "websocket.send"
        await page.leave()


async def test_a_group_that_could_not_be_joined_is_joined_by_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def broken(group: str, channel: str) -> None:
        raise ConnectionError("the layer is away")

    with monkeypatch.context() as away:
        away.setattr(hub()._layer, "group_add", broken)
        refused = Page()
        with pytest.raises(ConnectionError):
            await asyncio.wait_for(refused.open, 30)
    assert hub()._rooms == {}
    page = Page()
    assert await page.next() == "websocket.accept"
    tell()
    assert await page.next() == "websocket.send"
    await page.leave()
