"""A real server and clients that say half a request, or open too many connections."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn

from arena.run import http_connections
from arena.run.http_connections import server_options

SECONDS = 0.3
"""What the tests make of the server's patience."""
LATE = "The request did not arrive in time."


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """A server that waits less and takes fewer connections."""
    monkeypatch.setattr(http_connections, "HEAD_SECONDS", SECONDS)
    monkeypatch.setattr(http_connections, "BODY_SECONDS", SECONDS)
    settings.CONNECTIONS_PER_ADDRESS = 3


async def page(scope: Any, receive: Any, send: Any) -> None:
    """An application that reads the body and says how long it was."""
    length, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        length, more = length + len(message["body"]), message["more_body"]
    text = str(length).encode()
    headers = [(b"content-length", str(len(text)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": text})


@asynccontextmanager
async def served() -> AsyncIterator[int]:
    """The port of a running server."""
    server = uvicorn.Server(uvicorn.Config(page, port=0, **server_options()))
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    running = asyncio.create_task(server._serve(None))
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await running


async def answer(port: int, *parts: bytes, pause: float = 0.0) -> str:
    """Everything the server says to these parts until it closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    said = asyncio.create_task(reader.read())
    try:
        for part in parts:
            if said.done():
                break
            writer.write(part)
            await asyncio.sleep(pause)
        return (await asyncio.wait_for(said, 20)).decode()
    finally:
        writer.close()


GET = b"GET / HTTP/1.1\r\nHost: a\r\n"


async def test_a_whole_request_is_answered() -> None:
    async with served() as port:
        said = await answer(
            port, b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc"
        )
    assert said.startswith("HTTP/1.1 200 OK")
    assert said.endswith("\r\n\r\n3")


@pytest.mark.parametrize(
    "half",
    [
        b"G",
        GET,
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc",
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: upgrade\r\n",
    ],
)
async def test_half_a_request_is_not_waited_for(half: bytes) -> None:
    async with served() as port:
        said = await answer(port, half)
    assert said.startswith("HTTP/1.1 408 Request Timeout")
    assert said.endswith(LATE)


async def test_a_request_that_comes_byte_by_byte_has_no_more_time_than_another() -> None:
    async with served() as port:
        begun = time.monotonic()
        said = await answer(port, *[bytes((byte,)) for byte in GET], pause=SECONDS / 10)
    assert said.endswith(LATE)
    assert time.monotonic() - begun < 60 * SECONDS


async def test_a_second_request_on_the_same_connection_has_no_more_time_either() -> None:
    async with served() as port:
        said = await answer(port, GET + b"\r\n", b"G", pause=0.05)
    assert said.count("HTTP/1.1 ") == 2
    assert said.endswith(LATE)


async def test_a_connection_that_never_says_anything_is_closed_without_a_word() -> None:
    async with served() as port:
        assert await answer(port) == ""


async def test_a_head_without_end_is_refused() -> None:
    async with served() as port:
        said = await answer(port, GET, *[b"x: " + b"y" * 8000 + b"\r\n"] * 10)
    assert said.startswith("HTTP/1.1 431 ")


async def test_a_large_body_is_no_long_head() -> None:
    body = b"a" * 200_000
    async with served() as port:
        said = await answer(
            port, GET.replace(b"GET", b"POST") + b"Connection: close\r\nContent-Length: 200000\r\n\r\n" + body
        )
    assert said.endswith("200000")


async def test_one_address_has_a_bounded_number_of_connections() -> None:
    async with served() as port:
        links = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        said = await answer(port)
        assert said.startswith("HTTP/1.1 429 Too Many Requests")
        assert said.endswith("Your address has too many open connections.")
        for _, writer in links:
            writer.close()
            await writer.wait_closed()
        await asyncio.sleep(0.05)
        said = await answer(port, GET + b"Connection: close\r\n\r\n")
    assert said.startswith("HTTP/1.1 200 OK")
