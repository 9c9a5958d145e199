"""Bodies that are too large are dropped before they are kept."""

import asyncio
from typing import Any

import pytest

from arena.web.http.body_limit import BUSY, LARGE_AT_ONCE, MARK, BodyLimit


class Reader:
    """An application that reads the whole body, and what it got."""

    def __init__(self) -> None:
        self.body = b""
        self.scope: dict[str, Any] = {}

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Read to the end of the body, then to the end of the connection."""
        self.scope = scope
        more = scope["type"] == "http"
        while more:
            message = await receive()
            assert message["type"] == "http.request"
            self.body += message["body"]
            more = message["more_body"]
        assert (await receive())["type"] != "http.request"


class Browser:
    """Sends a body in parts, and counts what was taken."""

    def __init__(self, *parts: bytes) -> None:
        last = len(parts) - 1
        self.messages: list[dict[str, Any]] = [
            {"type": "http.request", "body": part, "more_body": number < last}
            for number, part in enumerate(parts)
        ]
        self.messages.append({"type": "http.disconnect"})

    async def __call__(self) -> dict[str, Any]:
        return self.messages.pop(0)


async def visit(browser: Browser, headers: list[tuple[bytes, bytes]], **limits: int) -> Reader:
    reader = Reader()
    scope = {"type": "http", "method": "POST", "path": "/", "headers": headers}
    await BodyLimit(reader, **limits)(scope, browser, None)  # type: ignore[arg-type]
    return reader


@pytest.mark.parametrize("headers", [[(b"content-length", b"5")], [], [(b"content-length", b"junk")]])
async def test_a_larger_body_is_marked_and_dropped_whatever_it_declares(
    headers: list[tuple[bytes, bytes]],
) -> None:
    browser = Browser(b"ab", b"cd", b"e")
    reader = await visit(browser, headers, most=4)
    assert (reader.scope[MARK], browser.messages) == (4, [])
    assert len(reader.body) <= (0 if headers == [(b"content-length", b"5")] else 4), "not kept if declared"
    endless = await visit(Browser(*[b"xxxx"] * 50), headers, most=4, drained=20)
    assert endless.scope[MARK] == 4, "answered before its end"


LARGE = [b"x" * 1_000_000] * 6
SIGNED_IN = [(b"cookie", b"a=b"), (b"content-length", b"6000000")]


def upload(path: str = "/bots/new/", headers: list[tuple[bytes, bytes]] = SIGNED_IN) -> dict[str, Any]:
    return {"type": "http", "method": "POST", "path": path, "headers": headers, "client": ("10.0.0.1", 1)}


@pytest.mark.parametrize(
    ("scope", "whole"),
    [
        (upload(), True),
        (upload("/bots/mine/upload/"), True),
        (upload("/api/v1/bots/"), True),
        (upload("/api/v1/bots/mine/versions/", [(b"authorization", b"x"), SIGNED_IN[1]]), True),
        (upload("/bots/mine/edit/"), False),
        (upload("/bots/a/b/upload/"), False),
        (upload("/api/v1/tournaments/"), False),
        (upload(headers=SIGNED_IN[1:]), False),
        (upload(headers=SIGNED_IN[:1]), False),
        (upload(headers=[SIGNED_IN[0], (b"content-length", b"99000000")]), False),
        ({**upload(), "method": "PUT"}, False),
    ],
)
async def test_only_somebodys_upload_of_a_bot_may_be_larger(scope: dict[str, Any], whole: bool) -> None:
    reader = Reader()
    await BodyLimit(reader)(scope, Browser(*LARGE), None)  # type: ignore[arg-type]
    assert (len(reader.body) == 6_000_000, MARK not in reader.scope) == (whole, whole)


class Waiting(Reader):
    """An application that reads when it is told to, behind a limit; large bodies are sent to it."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()
        self.limit = BodyLimit(self)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        await self.go.wait()
        await super().__call__(scope, receive, send)

    def sent(self, scope: dict[str, Any]) -> asyncio.Future[None]:
        return asyncio.ensure_future(self.limit(scope, Browser(*LARGE), None))  # type: ignore[arg-type]


async def test_an_address_sends_one_large_body_at_a_time_and_all_of_them_a_few() -> None:
    application = Waiting()
    scopes = [{**upload(), "client": (f"10.0.0.{number}", 1)} for number in (1, 1, *range(2, 11))]
    visits = [application.sent(scope) for scope in scopes]
    await asyncio.sleep(0)
    application.go.set()
    await asyncio.gather(*visits)
    busy = [BUSY in scope for scope in scopes]
    assert busy == [False, True, *[False] * (LARGE_AT_ONCE - 1), *[True] * (len(scopes) - LARGE_AT_ONCE - 1)]
    again = upload()
    await application.sent(again)
    assert BUSY not in again


async def test_a_body_that_is_too_large_ends_nobody_elses_turn() -> None:
    application, first, second = Waiting(), upload(), upload()
    refused = upload(headers=[SIGNED_IN[0], (b"content-length", b"99000000")])
    going = [application.sent(first), application.sent(refused)]
    await asyncio.sleep(0)
    going[1].cancel()
    await asyncio.sleep(0)
    going.append(application.sent(second))
    await asyncio.sleep(0)
    application.go.set()
    await asyncio.gather(*going, return_exceptions=True)
    assert [BUSY in scope for scope in (first, refused, second)] == [False, False, True]
