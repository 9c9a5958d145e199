"""How many pages a second a serving process answers over several connections."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CONNECTIONS: Final = 8
WARM_UP_SECONDS: Final = 0.5


async def pages_a_second(url: str, headers: Mapping[str, str], paths: Sequence[str], seconds: float) -> float:
    """Pages a second, these in turn. Raises RuntimeError if one is not answered with 200."""
    address = urlsplit(url)
    lines = {"Host": address.netloc, "Accept-Encoding": "gzip", **headers}
    rest = "".join(f"{name}: {value}\r\n" for name, value in lines.items()) + "\r\n"
    answered = 0

    async def visitor(number: int, until: float) -> None:
        nonlocal answered
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        while time.monotonic() < until:
            path = paths[number % len(paths)]
            writer.write(f"GET {path} HTTP/1.1\r\n{rest}".encode())
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            if not head.startswith(b"http/1.1 200"):
                raise RuntimeError(f"expected {path} to be answered with 200, got {head[:100]!r}")
            await reader.readexactly(int(head.partition(b"content-length:")[2].partition(b"\r\n")[0]))
            answered += 1
            number += 1
        writer.close()

    async def everybody(length: float) -> None:
        until = time.monotonic() + length
        await asyncio.gather(*(visitor(number, until) for number in range(CONNECTIONS)))

    await everybody(WARM_UP_SECONDS)
    answered, begun = 0, time.monotonic()
    await everybody(seconds)
    return answered / (time.monotonic() - begun)
