"""Opening websockets, several at once, and keeping them open."""

from __future__ import annotations

import asyncio
import base64
import secrets
from time import perf_counter
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CONNECTIONS: Final = 8
"""Websockets that are being opened at the same time."""


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
        begun = perf_counter()
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
        waits.append(perf_counter() - begun)
        links.append(writer)

    async def opener(numbers: Iterator[int]) -> None:
        for _ in numbers:
            await one()

    numbers = iter(range(count))
    begun = perf_counter()
    await asyncio.gather(*(opener(numbers) for _ in range(CONNECTIONS)))
    took = perf_counter() - begun
    for writer in links:
        writer.close()
    await asyncio.sleep(0.5)
    return waits, took
