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
GET = b"GET / HTTP/1.1\r\nHost: a\r\n"
POST = b"POST / HTTP/1.1\r\nHost: a\r\n"
HALVES = (
    b"G",
    GET,
    POST + b"Content-Length: 9\r\n\r\nabc",
    POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n",
    GET + b"Upgrade: websocket\r\nConnection: upgrade\r\n",
)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
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


async def test_a_whole_request_is_answered_and_half_a_one_is_not_waited_for() -> None:
    async with served() as port:
        # A large body is no long head.
        body = b"a" * 200_000
        whole = await answer(port, POST + b"Connection: close\r\nContent-Length: 200000\r\n\r\n" + body)
        assert (whole[:15], whole[-10:]) == ("HTTP/1.1 200 OK", "\r\n\r\n200000")
        for half in HALVES:
            said = await answer(port, half)
            assert (said[:28], said.endswith(LATE)) == ("HTTP/1.1 408 Request Timeout", True), half
        assert await answer(port) == "", "who never says anything is told nothing"
        said = await answer(port, GET, *[b"x: " + b"y" * 8000 + b"\r\n"] * 10)
        assert said.startswith("HTTP/1.1 431 "), "a head without end"
        # Neither byte by byte nor on a connection that served is there more time.
        begun = time.monotonic()
        said = await answer(port, *[bytes((byte,)) for byte in GET], pause=SECONDS / 10)
        assert said.endswith(LATE)
        assert time.monotonic() - begun < 60 * SECONDS
        said = await answer(port, GET + b"\r\n", b"G", pause=0.05)
        assert (said.count("HTTP/1.1 "), said.endswith(LATE)) == (2, True)


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
