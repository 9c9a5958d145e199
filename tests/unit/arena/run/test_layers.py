"""The in-memory channel layer across threads."""

import asyncio
import threading

from asgiref.sync import async_to_sync

from arena.run.layers import ThreadSafeInMemoryLayer


async def test_messages_of_other_threads_wake_the_receiver_and_none_is_lost_below_the_capacity() -> None:
    layer = ThreadSafeInMemoryLayer()
    channel = await layer.new_channel()
    await layer.group_add("game", channel)
    waiting = asyncio.ensure_future(layer.receive(channel))
    await asyncio.sleep(0)

    def publish(name: int) -> None:
        for number in range(100):
            async_to_sync(layer.group_send)("game", {"type": "events", "from": name, "n": number})

    threads = [threading.Thread(target=publish, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    seen = [await asyncio.wait_for(waiting, 10)]
    while len(seen) < 400:
        seen.append(await asyncio.wait_for(layer.receive(channel), 10))
    for thread in threads:
        await asyncio.to_thread(thread.join)
    for name in range(4):
        assert [message["n"] for message in seen if message["from"] == name] == list(range(100))


async def test_a_layer_serves_again_after_the_loop_of_its_first_receiver_is_closed() -> None:
    layer = ThreadSafeInMemoryLayer()

    async def once() -> str:
        await layer.send("first", {"type": "a"})
        return str((await layer.receive("first"))["type"])

    thread_result: list[str] = []
    thread = threading.Thread(target=lambda: thread_result.append(asyncio.run(once())))
    thread.start()
    thread.join()
    await layer.send("second", {"type": "b"})
    assert (await layer.receive("second"))["type"] == "b"
    assert thread_result == ["a"]
