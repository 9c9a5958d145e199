"""Connections that say half a request, are too many, or are no websockets of our pages."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
from asgiref.testing import ApplicationCommunicator

from arena.asgi import application
from arena.run import http_connections
from arena.run.http_connections import server_options
from arena.web.live.websocket_limits import Door

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
        writer.transport.abort()  # `close` would wait for what the server does not read
        await asyncio.sleep(0)


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


UNKNOWN = "/ws/games/00000000-0000-0000-0000-000000000000/"
OURS = (b"origin", b"http://testserver")


async def opened(
    app: Any, path: str, *headers: tuple[bytes, bytes], address: str = "192.0.2.1"
) -> tuple[Any, dict[str, Any]]:
    scope = {
        "type": "websocket",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"after=\xff&attempt=9999999999999999999999",
        "headers": list(headers),
        "client": (address, 50000),
        "subprotocols": [],
        "extensions": {"websocket.http.response": {}},
    }
    ends: Any = ApplicationCommunicator(app, scope)  # type: ignore[no-untyped-call]
    await ends.send_input({"type": "websocket.connect"})
    return ends, await ends.receive_output(10)


async def test_only_pages_of_this_site_open_a_websocket() -> None:
    foreign = (b"http://evil.example", b"http://[::1", b"null", b"\xff")
    for headers in ((), *(((b"origin", one),) for one in foreign), (OURS, (b"origin", foreign[0]))):
        ends, answer = await opened(application, UNKNOWN, *headers)
        assert (answer["type"], answer["status"]) == ("websocket.http.response.start", 403), headers
        body = await ends.receive_output(5)
        assert body["body"] == b"Only pages of this site may open this websocket."


@pytest.mark.django_db(transaction=True)
@pytest.mark.on_postgresql
async def test_a_page_that_sends_anything_is_disconnected(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        for said in ({"text": "["}, {"bytes": b"\xff"}):
            ends, answer = await opened(application, "/ws/tournaments/cup/", OURS)
            assert answer["type"] == "websocket.accept"
            await ends.send_input({"type": "websocket.receive", **said})
            assert await ends.receive_output(5) == {"type": "websocket.close", "code": 1008}
            await ends.send_input({"type": "websocket.disconnect", "code": 1008})
            await ends.wait(5)
    assert not caplog.records


async def stay(found: Any, receive: Any, send: Any) -> None:
    await receive()
    await send({"type": "websocket.accept"})
    await receive()


async def test_one_address_has_a_bounded_number_of_websockets(settings: Any) -> None:
    door, first = Door(stay, most=2), "2001:db8::1"
    # One subscriber of IPv6 has a whole network of addresses.
    inside = [await opened(door, "/", OURS, address=one) for one in (first, "2001:db8::2")]
    assert [answer["type"] for _, answer in inside] == ["websocket.accept"] * 2
    ends, answer = await opened(door, "/", OURS, address=first)
    assert answer["status"] == 429
    body = await ends.receive_output(5)
    assert body["body"] == b"Your address already has 2 open websockets. Close some of them first."
    assert (await opened(door, "/", OURS))[1]["type"] == "websocket.accept", "another address"
    await inside[0][0].send_input({"type": "websocket.disconnect", "code": 1000})
    await inside[0][0].wait(5)
    assert (await opened(door, "/", OURS, address=first))[1]["type"] == "websocket.accept"
    # Behind a proxy the address is the one that the proxy saw.
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    door = Door(stay, most=1)
    seen = (b"192.0.2.1", b"junk, 192.0.2.2", b"192.0.2.7, 192.0.2.1")
    *inside, (_, refused) = [await opened(door, "/", OURS, (b"x-forwarded-for", one)) for one in seen]
    assert [answer["type"] for _, answer in inside] == ["websocket.accept"] * 2
    assert refused["status"] == 429
