"""Visitors who ask for pages at a given rate, as one process, whether or not earlier answers have come.

``python -m tools.bench.site_visitors`` reads what to do as JSON from standard input. A page's time counts
from when it should have been asked for, so that a site that falls behind cannot hide it.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import asdict, dataclass
from typing import Any, Final
from urllib.parse import urlsplit

CONNECTIONS: Final = 64
PATIENCE_SECONDS: Final = 20.0


@dataclass(frozen=True, slots=True)
class Visits:
    """Pages a second, these paths in turn, from these addresses in turn."""

    addresses: list[str]
    headers: dict[str, str]
    paths: list[str]
    rate: float
    seconds: float


async def visit(asked: Visits) -> dict[str, Any]:
    """The milliseconds each page took by kind of page, how many failed, and when the last one came."""
    found: dict[str, list[float]] = {path: [] for path in asked.paths}
    failed: list[str] = []
    total, begun = int(asked.rate * asked.seconds), time.monotonic()
    numbers = iter(range(total))
    lines = {"Host": urlsplit(asked.addresses[0]).netloc, "Accept-Encoding": "gzip", **asked.headers}
    rest = "".join(f"{name}: {value}\r\n" for name, value in lines.items()) + "\r\n"

    async def visitor(address: str) -> None:
        where = urlsplit(address)
        link: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        for number in numbers:
            due = begun + number / asked.rate
            if time.monotonic() - due > PATIENCE_SECONDS:
                failed.append("not asked for: the site was too far behind")
                continue
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            path = asked.paths[number % len(asked.paths)]
            try:
                link = link or await asyncio.open_connection(where.hostname, where.port)
                status = await asyncio.wait_for(_get(*link, path, rest), PATIENCE_SECONDS)
            except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
                failed.append(f"{path}: {type(error).__name__}")
                link = None
                continue
            if status != "200":
                failed.append(f"{path}: {status}")
            found[path].append(1000 * (time.monotonic() - due))
        if link is not None:
            link[1].close()

    many = CONNECTIONS // len(asked.addresses)
    await asyncio.gather(*(visitor(address) for address in asked.addresses for _ in range(many)))
    took = time.monotonic() - begun
    return {"times": found, "failed": failed, "seconds": took, "cpu": time.process_time()}


async def _get(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, rest: str) -> str:
    """Ask for a page, read all of it, and return the status."""
    writer.write(f"GET {path} HTTP/1.1\r\n{rest}".encode())
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = head.partition(b"content-length:")[2].partition(b"\r\n")[0]
    await reader.readexactly(int(length or 0))
    return head.split()[1].decode()


def ask(visits: Visits) -> bytes:
    """The line that this process reads."""
    return json.dumps(asdict(visits)).encode() + b"\n"


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(visit(Visits(**json.loads(sys.stdin.readline()))))) + "\n")
