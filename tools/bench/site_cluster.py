"""A production site of several hosts on one machine, with its own PostgreSQL and Redis."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import psycopg

from tests import servers
from tests.processes import descendants
from tools.bench.arena_sites import Production

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

SETTLE_SECONDS = 120.0
MORE_SECONDS = 20.0
"""A host that took three of four watched games has no slot for the fourth, and nobody else may play it: both
games of a pair are played on one host. After so long another pair is made."""
POLL_SECONDS = 0.2
WATCHED = "Watched"
MAKE_GAMES = """
from bots.models import Version
from tests.factories.tournaments import running
from tournaments.models import Tournament
Tournament.objects.filter(format="ladder").update(status="cancelled")
fast = list(Version.objects.filter(bot__slug__in=("greedy", "planner"), bot__is_house=True))
for number in range(5):
    running(None, fast, pairs=200, name=f"Fast {number}")
"""
"""Fast games, more than can be played while it is measured; ladders would take their slots."""
MAKE_WATCHED = """
from tests.factories.bots import slow_bots
from tests.factories.tournaments import running
running(None, slow_bots("Slow", 2), pairs=__PAIRS__, name="Watched", rated=False)
"""
MORE_WATCHED = """
from bots.models import Version
from tests.factories.tournaments import running
made = list(Version.objects.filter(bot__slug__startswith="slow-", bot__is_house=False))
running(None, made, pairs=1, name="Watched", rated=False)
"""


class Cluster(Production):
    """Web processes, hosts that play, and one process each of control, analysis and beat."""

    @classmethod
    @contextmanager
    def of(cls, folder: Path, web: int, hosts: int, watched: int) -> Iterator[Cluster]:
        """A site whose database says when each transaction was committed."""
        with servers.PostgreSQL() as database, servers.redis() as redis:
            with psycopg.connect(database.url, autocommit=True) as link:
                link.execute("ALTER SYSTEM SET track_commit_timestamp = on")
            database.stop()
            database.start()
            site = cls(folder, database.url, redis)
            site.ports = [site.port, *(servers.free_port() for _ in range(web - 1))]
            site.hosts, site.watched_games = hosts, watched
            try:
                yield site
            finally:
                for name in list(site.processes):
                    site.kill(name)

    def prepare(self, bots: Sequence[str] = (), variant: str = "", tournaments: int = 0) -> None:
        """Make the tables and the tournaments."""
        self.release()
        code = MAKE_WATCHED.replace("__PAIRS__", str(-(-self.watched_games // 2))) + MAKE_GAMES
        self.manage("shell", "--no-imports", "-c", code)

    watched_games: int
    ports: list[int]
    hosts: int

    @property
    def addresses(self) -> list[str]:
        """Of the web processes."""
        return [f"http://127.0.0.1:{port}" for port in self.ports]

    def start(self, games_at_once: int, *, again: bool = False) -> None:
        """Start all of it; returns once every web process serves."""
        self._games_at_once = games_at_once
        for number, port in enumerate(self.ports, 1):
            self._start("web", f"web {number}", PORT=str(port))
        for number in range(1, self.hosts + 1):
            self._start("games", f"host {number}", CRAPETTE_HOST_NAME=f"host-{number}")
        for name in ("control", "analysis", "beat"):
            self._start(name, name)
        for port in self.ports:
            self.port, self.url = port, f"http://127.0.0.1:{port}/"
            self.wait_until_served()

    def _start(self, kind: str, name: str, **more: str) -> None:
        self.launch(name, self.commands[kind], CRAPETTE_SOCKETS_PER_ADDRESS="100000", **more)

    def kill(self, name: str) -> None:
        """End a process and all below it at once, as a power cut would."""
        process = self.processes.pop(name)
        for one in (process.pid, *(below.pid for below in descendants(process.pid))):
            with contextlib.suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        process.wait()

    def watched(self, count: int) -> list[str]:
        """The games of slow bots, once so many are being played."""
        question = (
            "SELECT g.id FROM tournaments_game g JOIN tournaments_tournament t ON t.id = g.tournament_id"
            f" WHERE t.name = '{WATCHED}' AND g.status = 'running' AND g.id IN"
            " (SELECT game_id FROM tournaments_eventbatch)"
        )
        begun, more = time.monotonic(), 1
        while len(found := self.rows(question)) < count:
            waited = time.monotonic() - begun
            if waited > SETTLE_SECONDS:
                raise RuntimeError(f"expected {count} games to watch, got {len(found)}")
            if waited > more * MORE_SECONDS:
                self.manage("shell", "--no-imports", "-c", MORE_WATCHED)
                more += 1
            time.sleep(0.2)
        return [str(row[0]) for row in found[:count]]

    def paths(self) -> dict[str, str]:
        """The pages that visitors ask for."""
        slug = self.rows("SELECT slug FROM tournaments_tournament WHERE format = 'round-robin' ORDER BY id")
        game = self.rows("SELECT game_id FROM tournaments_result ORDER BY game_id LIMIT 1")
        return {
            "leaderboard": "/leaderboard/crapaud/",
            "tournament": f"/tournaments/{slug[0][0]}/",
            "replay": f"/games/{game[0][0]}/",
        }

    def faults_of_the_ledger(self) -> list[str]:
        """What is wrong with what was stored: nothing may be lost, nothing counted twice."""
        twice = "SELECT count(*) - count(DISTINCT game_id) FROM tournaments_attempt WHERE cause = 'delivered'"
        lost = (
            "SELECT count(*) FROM tournaments_game g LEFT JOIN tournaments_result r ON r.game_id = g.id"
            " WHERE g.status = 'finished' AND r.game_id IS NULL"
        )
        found = [
            f"{rows[0][0]} {what}"
            for what, rows in (
                ("games were delivered twice", self.rows(twice)),
                ("finished games have no result", self.rows(lost)),
            )
            if rows[0][0]
        ]
        code = "from tournaments.ratings.audit import audit_all; print(audit_all())"
        said = self.manage("shell", "--no-imports", "-c", code).strip()
        return found if said.endswith("{'crapaud': []}") else [*found, said]


class Commits:
    """Reads, beside the site, when each batch of events was committed."""

    def __init__(self, database: str, games: list[str]) -> None:
        self.at: dict[tuple[int, int, int], float] = {}
        self._games = {game: number for number, game in enumerate(games)}
        self._database = database
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Commits:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        last = 0
        question = (
            "SELECT b.id, b.game_id, a.token, b.last_n, extract(epoch FROM pg_xact_commit_timestamp(b.xmin))"
            " FROM tournaments_eventbatch b JOIN tournaments_attempt a ON a.id = b.attempt_id"
            " WHERE b.id > %s AND b.game_id = ANY(%s::uuid[]) ORDER BY b.id"
        )
        with psycopg.connect(self._database, autocommit=True) as link:
            while not self._stopped.is_set():
                rows: list[tuple[Any, ...]] = link.execute(question, (last, list(self._games))).fetchall()
                for key, game, token, last_n, at in rows:
                    last = max(last, key)
                    self.at[self._games[str(game)], token, last_n] = float(at)
                time.sleep(POLL_SECONDS)
