"""Who may open a websocket, how many, and what happens to one that is not what a page would open."""

import logging
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator

from arena.asgi import application
from arena.web.live.websocket_limits import Door

UNKNOWN = "/ws/games/00000000-0000-0000-0000-000000000000/"
OURS = (b"origin", b"http://testserver")


def scope(path: str, *headers: tuple[bytes, bytes], address: str = "192.0.2.1") -> dict[str, Any]:
    """A handshake in ASGI's words."""
    return {
        "type": "websocket",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"after=\xff&attempt=9999999999999999999999",
        "headers": list(headers),
        "client": (address, 50000),
        "subprotocols": [],
        "extensions": {"websocket.http.response": {}},
    }


async def opened(app: Any, found: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """A websocket and how its handshake was answered."""
    ends: Any = ApplicationCommunicator(app, found)  # type: ignore[no-untyped-call]
    await ends.send_input({"type": "websocket.connect"})
    return ends, await ends.receive_output(10)


@pytest.mark.parametrize(
    "path", ["/", "/ws/", "/ws/games/1/", "/ws/tournaments/a\x00b/", "/ws/tournaments/" + "a" * 300 + "/"]
)
async def test_an_address_without_a_websocket_is_refused_without_a_word_in_the_log(
    path: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        ends, answer = await opened(application, scope(path, OURS))
        await ends.wait(5)
    assert answer == {"type": "websocket.close"}
    assert not caplog.records


@pytest.mark.parametrize(
    "headers",
    [
        (),
        ((b"origin", b"http://evil.example"),),
        ((b"origin", b"http://[::1"),),
        ((b"origin", b"null"),),
        ((b"origin", b"\xff"),),
        (OURS, (b"origin", b"http://evil.example")),
    ],
)
async def test_only_pages_of_this_site_open_a_websocket(headers: tuple[tuple[bytes, bytes], ...]) -> None:
    ends, answer = await opened(application, scope(UNKNOWN, *headers))
    assert (answer["type"], answer["status"]) == ("websocket.http.response.start", 403)
    body = await ends.receive_output(5)
    assert body["body"] == b"Only pages of this site may open this websocket."


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("said", [{"text": "["}, {"bytes": b"\xff"}, {"text": "{}"}])
async def test_a_page_that_sends_anything_is_disconnected(
    said: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        ends, answer = await opened(application, scope("/ws/tournaments/cup/", OURS))
        assert answer["type"] == "websocket.accept"
        await ends.send_input({"type": "websocket.receive", **said})
        assert await ends.receive_output(5) == {"type": "websocket.close", "code": 1008}
        await ends.send_input({"type": "websocket.disconnect", "code": 1008})
        await ends.wait(5)
    assert not caplog.records


async def test_one_address_has_a_bounded_number_of_websockets() -> None:
    async def stay(found: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await receive()

    door = Door(stay, most=2)
    first = "2001:db8::1"
    # One subscriber of IPv6 has a whole network of addresses.
    inside = [await opened(door, scope("/", OURS, address=one)) for one in (first, "2001:db8::2")]
    assert [answer["type"] for _, answer in inside] == ["websocket.accept"] * 2
    ends, answer = await opened(door, scope("/", OURS, address=first))
    assert answer["status"] == 429
    body = await ends.receive_output(5)
    assert body["body"] == b"Your address already has 2 open websockets. Close some of them first."
    _, answer = await opened(door, scope("/", OURS, address="192.0.2.9"))
    assert answer["type"] == "websocket.accept"
    await inside[0][0].send_input({"type": "websocket.disconnect", "code": 1000})
    await inside[0][0].wait(5)
    _, answer = await opened(door, scope("/", OURS, address=first))
    assert answer["type"] == "websocket.accept"


async def test_behind_a_proxy_the_address_is_the_one_that_the_proxy_saw(settings: Any) -> None:
    async def stay(found: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await receive()

    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    door = Door(stay, most=1)
    addresses = (b"192.0.2.1", b"junk, 192.0.2.2")
    inside = [await opened(door, scope("/", OURS, (b"x-forwarded-for", one))) for one in addresses]
    assert [answer["type"] for _, answer in inside] == ["websocket.accept"] * 2
    _, answer = await opened(door, scope("/", OURS, (b"x-forwarded-for", b"192.0.2.7, 192.0.2.1")))
    assert answer["status"] == 429
