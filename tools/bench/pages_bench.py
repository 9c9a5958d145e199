"""``./crapette bench pages``: measures how many pages and websockets one serving process can handle.

The benchmark creates a site with finished and running games in a temporary folder. One process serves it, as
in production but on SQLite. A client in this process requests pages over several connections at once, then
opens websockets. Each line shows the number per second, the median and 95th percentile of the waiting time,
and the server's CPU time for one, which is more reliable on a busy machine. The exit status is 1 if a target
was missed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Final

from tools.bench.sockets import opened

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

ROOT: Final = Path(__file__).resolve().parent.parent.parent
PAGES_A_SECOND: Final = 150
SOCKETS_A_SECOND: Final = 300
CONNECTIONS: Final = 8
TICKS: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Measured:
    """One kind of visit: how many, in which time, and what the server's processor did for them."""

    what: str
    waits: Sequence[float]
    seconds: float
    cpu: float
    least: float | None = None

    @property
    def rate(self) -> float:
        """Visits a second."""
        return len(self.waits) / self.seconds

    @property
    def missed(self) -> bool:
        """Whether there were too few."""
        return self.least is not None and self.rate < self.least

    def line(self) -> str:
        """A line of the table."""
        slow = quantiles(self.waits, n=20)[-1]
        least = "" if self.least is None else f"{self.least:8.0f}{'  MISSED' if self.missed else ''}"
        return (
            f"{self.what:34} {self.rate:8.0f} {1000 * median(self.waits):8.1f} {1000 * slow:8.1f} "
            f"{1000 * self.cpu / len(self.waits):8.2f} {least}"
        )


class Served:
    """The serving process."""

    def __init__(self, data: Path) -> None:
        from tests.servers import free_port

        self.port = free_port()
        command = [sys.executable, "-m", "arena.run.web", "--port", str(self.port)]
        self.process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "CRAPETTE_DATA": str(data)})

    def wait(self) -> None:
        """Wait until a page is answered."""
        for _ in range(600):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=10):
                    return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("expected the server to answer within a minute, it did not")

    def cpu(self) -> float:
        """Seconds of processor time so far."""
        words = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / TICKS

    def memory(self) -> float:
        """Resident megabytes."""
        words = Path(f"/proc/{self.process.pid}/statm").read_text().split()
        return int(words[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(30)


def main(words: Sequence[str] | None = None) -> int:
    """Make the site, serve it, visit it, print the table."""
    parser = argparse.ArgumentParser(prog="./crapette bench pages", description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=3.0, help="seconds for each kind of page (default: %(default)s)"
    )
    parser.add_argument("--sockets", type=int, default=400, help="websockets to open (default: %(default)s)")
    asked = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="crapette-bench-") as name:
        pages, cookie = _made(Path(name))
        served = Served(Path(name))
        try:
            served.wait()
            measured = asyncio.run(_measure(served, pages, cookie, asked))
            memory = served.memory()
        finally:
            served.stop()
    sys.stdout.write(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n\n")
    sys.stdout.write(f"{'':34} {'a second':>8} {'p50 ms':>8} {'p95 ms':>8} {'CPU ms':>8} {'target':>8}\n")
    for one in measured:
        sys.stdout.write(f"{one.line()}\n")
    sys.stdout.write(f"\nthe serving process uses {memory:.0f} MB\n")
    return int(any(one.missed for one in measured))


async def _measure(
    served: Served, pages: dict[str, str], cookie: str, asked: argparse.Namespace
) -> list[Measured]:
    found = []
    for what, path in pages.items():
        if not path.startswith("/ws/"):
            found.append(await _visits(served, what, [path], asked.seconds, PAGES_A_SECOND))
    four = [path for path in pages.values() if not path.startswith("/ws/")]
    found.append(await _visits(served, "these in turn", four, asked.seconds, PAGES_A_SECOND))
    for what, path in pages.items():
        if not path.startswith("/ws/"):
            signed_in = f"{what}, signed in"
            found.append(await _visits(served, signed_in, [path], asked.seconds, PAGES_A_SECOND, cookie))
    for what, path in pages.items():
        if path.startswith("/ws/"):
            found.append(await _sockets(served, what, path, asked.sockets))
    return found


async def _visits(
    served: Served, what: str, paths: Sequence[str], seconds: float, least: float | None, cookie: str = ""
) -> Measured:
    """Ask for pages in turn over several connections."""
    waits: list[float] = []
    headers = f"Host: 127.0.0.1\r\nAccept-Encoding: gzip\r\nCookie: {cookie}\r\n\r\n".encode()

    async def visitor(first: int, until: float) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
        number = first
        while time.monotonic() < until:
            begun = time.perf_counter()
            writer.write(f"GET {paths[number % len(paths)]} HTTP/1.1\r\n".encode() + headers)
            await _read(reader)
            waits.append(time.perf_counter() - begun)
            number += 1
        writer.close()

    async def everybody(until: float) -> None:
        await asyncio.gather(*(visitor(number, until) for number in range(CONNECTIONS)))

    await everybody(time.monotonic() + 0.5)
    waits.clear()
    return await _timed(served, what, waits, lambda: everybody(time.monotonic() + seconds), least)


async def _timed(
    served: Served, what: str, waits: list[float], work: Callable[[], Awaitable[None]], least: float | None
) -> Measured:
    cpu, begun = served.cpu(), time.perf_counter()
    await work()
    seconds = time.perf_counter() - begun
    return Measured(what, waits, seconds, served.cpu() - cpu, least)


async def _read(reader: asyncio.StreamReader) -> None:
    """One answer with a length, to its end."""
    head = await reader.readuntil(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200"):
        raise SystemExit(f"expected an answer 200, got {head[:300].decode()!r}")
    length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
    await reader.readexactly(int(length))


async def _sockets(served: Served, what: str, path: str, count: int) -> Measured:
    """Open websockets, several at once, and keep them open."""
    cpu = served.cpu()
    waits, seconds = await opened(f"http://127.0.0.1:{served.port}/", {}, path, count)
    return Measured(what, waits, seconds, served.cpu() - cpu, SOCKETS_A_SECOND)


def _made(data: Path) -> tuple[dict[str, str], str]:
    """A site in this folder: its pages by what they are, and the cookie of somebody who is signed in."""
    os.environ.update(
        CRAPETTE_MODE="embedded",
        CRAPETTE_DATA=str(data),
        CRAPETTE_LOG_LEVEL="ERROR",
        DJANGO_SETTINGS_MODULE="arena.settings",
    )
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    from tools.bench import page_data

    return page_data.make()


if __name__ == "__main__":
    sys.exit(main())
