"""Bodies that are too large are dropped before they are kept."""

from __future__ import annotations

from typing import Any

import pytest

from arena.common.body_limit import MARK, BodyLimit


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
        """The next message."""
        return self.messages.pop(0)


async def visit(browser: Browser, headers: list[tuple[bytes, bytes]], **limits: int) -> Reader:
    """Let ``browser`` send its body through a limit."""
    reader = Reader()
    scope = {"type": "http", "method": "POST", "path": "/", "headers": headers}
    await BodyLimit(reader, **limits)(scope, browser, None)  # type: ignore[arg-type]
    return reader


async def test_a_body_of_the_size_allowed_goes_through() -> None:
    reader = await visit(Browser(b"ab", b"cd"), [(b"content-length", b"4")], most=4)
    assert reader.body == b"abcd"
    assert MARK not in reader.scope


@pytest.mark.parametrize("headers", [[(b"content-length", b"5")], [], [(b"content-length", b"junk")]])
async def test_a_larger_body_is_marked_and_dropped_whatever_it_declares(
    headers: list[tuple[bytes, bytes]],
) -> None:
    browser = Browser(b"ab", b"cd", b"e")
    reader = await visit(browser, headers, most=4)
    assert reader.scope[MARK] == 4
    assert len(reader.body) <= 4
    assert browser.messages == []


async def test_a_body_that_is_declared_too_large_is_not_kept_at_all() -> None:
    reader = await visit(Browser(b"ab", b"c"), [(b"content-length", b"3")], most=2)
    assert reader.body == b""


async def test_an_endless_body_is_answered_before_its_end() -> None:
    browser = Browser(*[b"xxxx"] * 50)
    reader = await visit(browser, [], most=4, drained=20)
    assert reader.scope[MARK] == 4


async def test_a_browser_that_leaves_is_seen_to_leave() -> None:
    browser = Browser(b"xxxxx", b"xxxxx")
    del browser.messages[1]
    with pytest.raises(AssertionError):
        await visit(browser, [(b"content-length", b"10")], most=4)


async def test_other_connections_are_left_alone() -> None:
    reader = Reader()
    browser = Browser()
    await BodyLimit(reader)({"type": "websocket"}, browser, None)  # type: ignore[arg-type]
    assert reader.scope == {"type": "websocket"}
