"""What the viewers of the benchmark of the site notice."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tools.bench.site_viewers import Seen, Viewer


class Wire(asyncio.Transport):
    """Keeps what a client sends."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = b""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Keep it."""
        self.sent += bytes(data)


def frame(message: dict[str, Any]) -> bytes:
    """A text frame from the server."""
    text = json.dumps(message).encode()
    if len(text) < 126:
        return bytes([129, len(text)]) + text
    return bytes([129, 126]) + len(text).to_bytes(2, "big") + text


def events(first: int, last: int) -> dict[str, Any]:
    """A message of these events."""
    return {"type": "events", "events": [{"n": n, "type": "move"} for n in range(first, last + 1)]}


async def heard(*messages: dict[str, Any], at_once: int = 7) -> tuple[Viewer, Seen]:
    """A viewer that got these messages in small pieces."""
    seen = Seen()
    viewer = Viewer(seen, 3, b"GET /")
    viewer.connection_made(Wire())
    data = b"HTTP/1.1 101 Switching Protocols\r\n\r\n" + b"".join(map(frame, messages))
    for start in range(0, len(data), at_once):
        viewer.data_received(data[start : start + at_once])
    return viewer, seen


START = {"type": "start", "attempt": 1}


@pytest.mark.parametrize("at_once", [1, 7, 10_000])
def test_live_messages_are_noted_and_what_was_stored_before_is_not(at_once: int) -> None:
    viewer, seen = asyncio.run(heard(START, events(0, 40), events(41, 41), events(42, 50), at_once=at_once))
    assert [row[:3] for row in seen.rows] == [(3, 1, 41), (3, 1, 50)]
    assert (viewer.next, seen.gaps, viewer.opened.done()) == (51, 0, True)


def test_a_missing_event_is_a_gap_and_another_attempt_begins_anew() -> None:
    viewer, seen = asyncio.run(
        heard(START, events(0, 4), events(6, 7), {"type": "start", "attempt": 2}, events(0, 1))
    )
    assert (viewer.attempt, viewer.next, seen.gaps) == (2, 2, 1)


def test_a_ping_is_answered_and_a_lost_connection_counts() -> None:
    async def talk() -> tuple[bytes, int]:
        viewer, seen = await heard(START)
        assert isinstance(viewer.transport, Wire)
        viewer.data_received(bytes([137, 2]) + b"hi")
        viewer.connection_lost(None)
        return viewer.transport.sent, seen.closed

    assert asyncio.run(talk()) == (b"GET /" + bytes([138, 130, 0, 0, 0, 0]) + b"hi", 1)
