"""Who may open a websocket, how many, and what happens to one that is not what a page would open."""

import logging
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator

from arena.asgi import application
from arena.web.live.websocket_limits import Door

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
