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

from tools.bench.clients import opened, visits

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT: Final = Path(__file__).resolve().parent.parent.parent
PAGES_A_SECOND: Final = 150
SOCKETS_A_SECOND: Final = 300
WARM_UP_SECONDS: Final = 0.5
VERSIONS: Final = 60
ENTRANTS: Final = 10
GAMES: Final = 60
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

        port = free_port()
        self.url = f"http://127.0.0.1:{port}/"
        command = [sys.executable, "-m", "arena.run.web", "--port", str(port)]
        self.process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "CRAPETTE_DATA": str(data)})

    def wait(self) -> None:
        """Wait until a page is answered."""
        for _ in range(600):
            try:
                with urllib.request.urlopen(self.url, timeout=10):
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
    headers = {"Cookie": cookie} if cookie else {}
    await visits(served.url, headers, paths, WARM_UP_SECONDS)
    cpu = served.cpu()
    waits, took = await visits(served.url, headers, paths, seconds)
    return Measured(what, waits, took, served.cpu() - cpu, least)


async def _sockets(served: Served, what: str, path: str, count: int) -> Measured:
    """Open websockets, several at once, and keep them open."""
    cpu = served.cpu()
    waits, seconds = await opened(served.url, {}, path, count)
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
    return _pages()


def _pages() -> tuple[dict[str, str], str]:
    """The pages by what they are, and the cookie of somebody who is signed in."""
    from django.conf import settings
    from django.test import Client
    from django.urls import reverse

    from bots.models import Version
    from tests.factories.accounts import author
    from tests.factories.games import played
    from tools.bench.scale_data import make_versions
    from tournaments.events.creation import NewTournament, create_tournament
    from tournaments.games.attempts import renew
    from tournaments.games.claims import claim_next
    from tournaments.games.results import accept_results
    from tournaments.models import Game
    from tournaments.pairing.progress import start_tournament
    from tournaments.ratings.ratings import compute_ratings

    versions = make_versions(VERSIONS)
    for number in range(2):
        asked = NewTournament(f"Cup {number}", tuple(versions[:ENTRANTS]), pairs_per_pairing=2)
        start_tournament(create_tournament(asked, None))
    for _ in range(GAMES):
        held = claim_next("bench")
        if held is not None:
            accept_results([(held, played(held.game, plies=300))])
    compute_ratings("crapaud")
    running = []
    for _ in range(2):
        held = claim_next("bench")
        if held is not None:
            events = played(held.game, plies=200).events[:-1]
            for first in range(0, len(events), 50):
                renew(held, first + 50, events[first : first + 50])
            running.append(held)
    finished = Game.objects.filter(status=Game.Status.FINISHED).latest("finished_at")
    assert Version.objects.count() == VERSIONS
    client = Client()
    client.force_login(author("visitor"))
    cookie = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
    return {
        "home": reverse("home"),
        "tournament": reverse("tournaments:detail", args=["cup-0"]),
        "game": finished.get_absolute_url(),
        "leaderboard": reverse("leaderboard", args=["crapaud"]),
        "websockets of a tournament": "/ws/tournaments/cup-0/",
        "websockets of a running game": f"/ws/games/{running[0].game}/",
    }, cookie


if __name__ == "__main__":
    sys.exit(main())
