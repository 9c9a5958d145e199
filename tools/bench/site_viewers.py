"""Many pages that watch live games, as one process: when each event came, and what any of them lacks.

``python -m tools.bench.site_viewers FILE`` reads what to do as JSON from standard input, says ``open`` once
the viewers watch, and writes to FILE when each message of events came.
"""

from __future__ import annotations

import asyncio
import base64
import json
import resource
import secrets
import sys
import time
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

import numpy as np

OPENED_AT_ONCE: Final = 16
OPEN_SECONDS: Final = 60.0
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


@dataclass(frozen=True, slots=True)
class Task:
    """What to watch: `late` viewers come `late_after` seconds after the others, who stay for `seconds`."""

    addresses: list[str]
    headers: dict[str, str]
    games: list[str]
    viewers: int
    late: int
    late_after: float
    seconds: float


@dataclass
class Seen:
    """What all viewers saw: a row of (game, attempt, last event, time) for each live message."""

    rows: list[tuple[int, int, int, float]] = field(default_factory=list)
    gaps: int = 0
    closed: int = 0
    parsed: dict[bytes, tuple[str, int, int]] = field(default_factory=dict)

    def parse(self, text: bytes) -> tuple[str, int, int]:
        """The kind of a message with its attempt, or with its first and last event; every text once."""
        found = self.parsed.get(text)
        if found is None:
            message: dict[str, Any] = json.loads(text)
            found = (message["type"], message.get("attempt", 0), 0)
            if found[0] == "events":
                found = ("events", message["events"][0]["n"], message["events"][-1]["n"])
            self.parsed[text] = found
        return found


class Viewer(asyncio.Protocol):
    """One websocket, read without a library: two thousand of them share a core with the site."""

    def __init__(self, seen: Seen, game: int, request: bytes) -> None:
        self.seen, self.game, self.request = seen, game, request
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.attempt = self.next = -1
        self.live = self.done = self.leaving = False
        self._buffer = bytearray()
        self._upgraded = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a websocket."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self.request)

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the server closed it, if it did."""
        if not self.leaving:
            self.seen.closed += 1
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("the site closed a websocket before it was open"))

    def data_received(self, data: bytes) -> None:
        """Read frames."""
        now = time.time()
        self._buffer += data
        if not self._upgraded:
            head, ended, rest = bytes(self._buffer).partition(b"\r\n\r\n")
            if not ended:
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.opened.set_exception(ConnectionError(head[:200].decode()))
                return
            self._upgraded, self._buffer = True, bytearray(rest)
        while (frame := _frame(self._buffer)) is not None:
            kind, payload = frame
            if kind == TEXT:
                self._hear(payload, now)
            elif kind == PING:
                self.transport.write(_masked(PONG, payload))

    def _hear(self, text: bytes, now: float) -> None:
        kind, first, last = self.seen.parse(text)
        if kind == "start":
            if first != self.attempt:
                self.attempt, self.next, self.live = first, 0, False
            if not self.opened.done():
                self.opened.set_result(None)
        elif kind == "finished":
            self.done = True
        elif kind == "events":
            self.seen.gaps += first != self.next
            self.next = last + 1
            # The first message after the start is what was stored before.
            if self.live:
                self.seen.rows.append((self.game, self.attempt, last, now))
            self.live = True


def _frame(buffer: bytearray) -> tuple[int, bytes] | None:
    """Take a whole frame out of what was received (RFC 6455, section 5.2)."""
    if len(buffer) < 2:
        return None
    length, start = buffer[1] & 127, 2
    if length >= 126:
        size = 2 if length == 126 else 8
        start += size
        if len(buffer) < start:
            return None
        length = int.from_bytes(buffer[2:start], "big")
    if len(buffer) < start + length:
        return None
    kind, payload = buffer[0] & 15, bytes(buffer[start : start + length])
    del buffer[: start + length]
    return kind, payload


def _masked(kind: int, payload: bytes) -> bytes:
    """A frame from a client, masked with zeros."""
    return bytes([128 | kind, 128 | len(payload), 0, 0, 0, 0]) + payload


def _request(address: str, headers: dict[str, str], game: str) -> bytes:
    host = headers.get("Host", urlsplit(address).netloc)
    lines = {**headers, "Host": host, "Origin": f"https://{host}", "Upgrade": "websocket"}
    lines |= {"Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    lines["Sec-WebSocket-Key"] = base64.b64encode(secrets.token_bytes(16)).decode()
    said = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"GET /ws/games/{game}/ HTTP/1.1\r\n{said}\r\n".encode()


def _same(viewer: Viewer) -> Viewer:
    return viewer


async def _open(task: Task, seen: Seen, numbers: range) -> list[Viewer]:
    """Open so many websockets, a few at a time."""
    found: list[Viewer] = []
    loop, turn = asyncio.get_running_loop(), iter(numbers)

    async def opener() -> None:
        for number in turn:
            address = task.addresses[number % len(task.addresses)]
            game = number // len(task.addresses) % len(task.games)
            request, where = _request(address, task.headers, task.games[game]), urlsplit(address)
            made = Viewer(seen, game, request)
            assert where.hostname is not None
            assert where.port is not None
            await loop.create_connection(partial(_same, made), where.hostname, where.port)
            await asyncio.wait_for(made.opened, OPEN_SECONDS)
            found.append(made)

    await asyncio.gather(*(opener() for _ in range(OPENED_AT_ONCE)))
    return found


async def watch(task: Task, path: str) -> dict[str, Any]:
    """Watch, write down when messages came, and return counts."""
    seen, begun = Seen(), time.monotonic()
    viewers = await _open(task, seen, range(task.viewers - task.late))
    took = time.monotonic() - begun
    sys.stdout.write("open\n")
    sys.stdout.flush()
    begun = time.monotonic()
    await asyncio.sleep(task.late_after)
    late = await _open(task, seen, range(task.viewers - task.late, task.viewers))
    await asyncio.sleep(max(0.0, task.seconds - (time.monotonic() - begun)))
    np.save(path, np.array(seen.rows, dtype=np.float64).reshape(-1, 4))
    ends = [[one.game, one.attempt, one.next - 1, one.done] for one in viewers]
    ends_late = [[one.game, one.attempt, one.next - 1, one.done] for one in late]
    for one in (*viewers, *late):
        one.leaving = True
        one.transport.close()
    counts = {"gaps": seen.gaps, "closed": seen.closed, "opening": took, "ended_at": time.time()}
    return counts | {"ends": ends, "late": ends_late, "cpu": time.process_time()}


def ask(task: Task) -> bytes:
    """The line that this process reads."""
    return json.dumps(asdict(task)).encode() + b"\n"


def main() -> None:
    """Watch, and print the counts as JSON."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    task = Task(**json.loads(sys.stdin.readline()))
    sys.stdout.write(json.dumps(asyncio.run(watch(task, sys.argv[1]))) + "\n")


if __name__ == "__main__":
    main()
