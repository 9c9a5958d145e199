"""A stream that is left."""

import asyncio

import pytest

from tournaments.api.stream import Stream


@pytest.mark.parametrize("steps", range(6))
async def test_a_stream_that_is_left_just_as_something_happens_ends(steps: int) -> None:
    stream = Stream([], [])

    async def listen() -> None:
        async for _ in stream.lines():
            pass

    listening = asyncio.create_task(listen())
    await asyncio.sleep(0)
    stream.say("news")
    for _ in range(steps):
        await asyncio.sleep(0)
    listening.cancel()
    ended, _ = await asyncio.wait((listening,), timeout=5)
    assert ended
    assert listening.cancelled()
