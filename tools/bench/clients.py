"""Clients of a running site: a visitor of its pages, many visitors at once, and many websockets."""

from __future__ import annotations

import asyncio
import base64
import http.client
import re
import secrets
import time
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

PAUSE_SECONDS: Final = 0.02
"""Between two pages of one visitor, who is no load test."""
CONNECTIONS: Final = 8
"""Visitors at the same time; websockets that are being opened at the same time."""


@dataclass
class PageTimes:
    """Milliseconds of every page fetched, by path."""

    by_path: dict[str, list[float]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    @property
    def all(self) -> list[float]:
        """Every time, sorted."""
        return sorted(ms for times in self.by_path.values() for ms in times)

    @property
    def middle(self) -> float:
        """The median."""
        return median(self.all)

    def at(self, share: float) -> float:
        """The time that this share of the pages did not exceed."""
        times = self.all
        return times[min(len(times) - 1, int(share * len(times)))]


class Visitor:
    """Fetches pages over one kept connection."""

    def __init__(self, url: str, headers: Mapping[str, str] | None = None) -> None:
        self._host = urlsplit(url).netloc
        self._headers = dict(headers or {})
        self._connection = http.client.HTTPConnection(self._host, timeout=60)

    def get(self, path: str) -> tuple[int, str, float]:
        """Status, body and milliseconds until the last byte."""
        begun = time.perf_counter()
        try:
            self._connection.request("GET", path, headers=self._headers)
            answer = self._connection.getresponse()
            body = answer.read()
        except (http.client.HTTPException, OSError):
            self._connection.close()
            return 0, "", (time.perf_counter() - begun) * 1000
        return answer.status, body.decode(errors="replace"), (time.perf_counter() - begun) * 1000

    def linked(self) -> list[str]:
        """Home and the pages that home links to, each once."""
        found = re.findall(r'href="(/[^"#]*)"', self.get("/")[1])
        return list(dict.fromkeys(["/", *(path for path in found if not path.startswith("/static/"))]))

    def visit(self, seconds: float) -> PageTimes:
        """Go round the pages linked from home for so many seconds; the links are read anew every round."""
        times = PageTimes()
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            for path in self.linked():
                if time.monotonic() >= deadline:
                    break
                status, _, ms = self.get(path)
                if status not in (200, 302, 304):
                    times.failed.append(f"{path}: {status}")
                times.by_path.setdefault(path, []).append(ms)
                time.sleep(PAUSE_SECONDS)
        return times


async def visits(
    url: str, headers: Mapping[str, str], paths: Sequence[str], seconds: float
) -> tuple[list[float], float]:
    """The seconds that each page took, and all of them together, if several visitors ask for these in turn.

    Raises RuntimeError if a page is not answered with 200.
    """
    address = urlsplit(url)
    lines = {"Host": address.netloc, "Accept-Encoding": "gzip", **headers}
    rest = "".join(f"{name}: {value}\r\n" for name, value in lines.items()) + "\r\n"
    waits: list[float] = []
    begun = time.perf_counter()

    async def visitor(number: int) -> None:
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        while (asked := time.perf_counter()) < begun + seconds:
            path = paths[number % len(paths)]
            writer.write(f"GET {path} HTTP/1.1\r\n{rest}".encode())
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            if not head.startswith(b"http/1.1 200"):
                raise RuntimeError(f"expected {path} to be answered with 200, got {head[:300]!r}")
            await reader.readexactly(int(head.partition(b"content-length:")[2].partition(b"\r\n")[0]))
            waits.append(time.perf_counter() - asked)
            number += 1
        writer.close()

    await asyncio.gather(*(visitor(number) for number in range(CONNECTIONS)))
    return waits, time.perf_counter() - begun


async def opened(url: str, headers: Mapping[str, str], path: str, count: int) -> tuple[list[float], float]:
    """The seconds that each of so many websockets took to open, and all of them together.

    A game's websocket is open once the start of the game has come. Raises RuntimeError if one is refused.
    """
    address = urlsplit(url)
    host = headers.get("Host", address.netloc)
    lines = {
        **headers,
        "Host": host,
        "Origin": f"{'https' if 'X-Forwarded-Proto' in headers else 'http'}://{host}",
    }
    waits: list[float] = []
    links: list[asyncio.StreamWriter] = []

    async def one() -> None:
        begun = time.perf_counter()
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        said = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        writer.write(
            f"GET {path} HTTP/1.1\r\n{said}Upgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 101"):
            raise RuntimeError(f"expected a websocket at {path}, got {head[:300].decode()!r}")
        if path.startswith("/ws/games/"):
            await reader.readexactly(100)
        waits.append(time.perf_counter() - begun)
        links.append(writer)

    async def opener(numbers: Iterator[int]) -> None:
        for _ in numbers:
            await one()

    numbers = iter(range(count))
    begun = time.perf_counter()
    await asyncio.gather(*(opener(numbers) for _ in range(CONNECTIONS)))
    took = time.perf_counter() - begun
    for writer in links:
        writer.close()
    await asyncio.sleep(0.5)
    return waits, took
