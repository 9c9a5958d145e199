"""What a production site survives: each fault in the middle of a tournament, with the seconds to recover.

``./crapette test --only faults`` runs these. They take minutes, so the full run has only the short ones
(`tests/chaos`). Each prints one line.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import psycopg
import pytest

from tests import servers
from tests.faults.places import HERE, Network, Relay, clock_library, fill, small_disk
from tests.processes import descendants
from tests.production import Production, production_site
from tests.site import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.timeout(900)
"""The first case also starts the site."""
AS_ROOT = os.geteuid() == 0
needs_root = pytest.mark.skipif(not AS_ROOT, reason="only root can mount a disk and cut a network")

PAIRS = 200
"""More than are played: the tournament is never over."""
RECOVERED_SECONDS = 180


class Arena:
    """A site that plays, with its servers."""

    def __init__(
        self, site: Production, database: servers.PostgreSQL, redis: servers.Redis, disk: Path
    ) -> None:
        self.site, self.database, self.redis, self.disk = site, database, redis, disk

    def number(self, question: str) -> int:
        """The answer to a question, one number."""
        with psycopg.connect(self.site.database, autocommit=True) as link:
            row = link.execute(question.encode()).fetchone()
        assert row is not None
        return int(row[0])

    def results(self) -> int:
        """How many games have their result."""
        return self.number("SELECT count(*) FROM tournaments_result")

    def delivered(self, host: str) -> int:
        """How many results a host has delivered."""
        return self.number(
            f"SELECT count(*) FROM tournaments_attempt WHERE cause = 'delivered' AND worker LIKE '{host}:%'"
        )

    @contextmanager
    def host(self, name: str, command: list[str], **environment: str) -> Iterator[None]:
        """Another host that plays until the block ends: the Procfile's line, started by this command."""
        known = self.site.environment
        with (self.site.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                [*command, "sh", "-c", self.site.commands["games"]],
                cwd=ROOT,
                env={**known, "CRAPETTE_HOST_NAME": name, **environment},
                stdout=log,
                stderr=log,
            )
        try:
            self.site.until(lambda: self.delivered(name) > 1, f"games of the host {name}", 120)
            yield
        finally:
            # In order, so that it takes its leave: /health names a host that is merely gone.
            below = descendants(process.pid)
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(60)
            for pid in (one.pid for one in below if one.alive):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            process.kill()
            process.wait(10)

    def process(self, name: str, words: str) -> int:
        """The number of a process below one of the Procfile."""
        found = [one.pid for one in descendants(self.site.processes[name].pid) if words in one.command]
        assert found, (name, words)
        return found[-1]

    def recovers(self, fault: str, games: int = 4) -> None:
        """Wait until games are played again and `/health` is green; print how long that took."""
        begun = time.monotonic()
        until = self.results() + games
        self.site.until(lambda: self.results() >= until, f"games after: {fault}", RECOVERED_SECONDS)
        self.site.until(self.green, f"a green /health after: {fault}", RECOVERED_SECONDS)
        sys.stdout.write(f"\n{fault:<44} {time.monotonic() - begun:6.1f} s to recover")
        # Nothing is lost, nothing counted twice.
        twice = "SELECT count(*) - count(DISTINCT game_id) FROM tournaments_attempt WHERE cause = 'delivered'"
        assert self.number(twice) == 0
        assert self.number("SELECT count(*) FROM tournaments_alarm WHERE cleared_at IS NULL") == 0

    def part(self, name: str) -> dict[str, Any]:
        """What `/health` says of a part."""
        found: dict[str, Any] = json.loads(self.site.get("/health", https=False)[1])["parts"][name]
        return found

    def green(self) -> bool:
        """Whether `/health` says that all is well."""
        return self.site.get("/health", https=False)[0] == 200


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """A site with two workers that play, until the end of all cases."""
    folder: Path = tmp_path_factory.mktemp("faults")
    with (
        small_disk(folder / "disk") if AS_ROOT else nullcontext(folder) as disk,
        servers.PostgreSQL(disk) as database,
        servers.Redis() as redis,
        production_site(folder, database.url, redis.url) as site,
    ):
        found = Arena(site, database, redis, disk)
        site.run(site.commands["release"])
        site.start("web", "games", "games 2", "control", "analysis", "beat")
        site.until(found.green, "a green /health", 240)
        site.manage(
            "start_house_tournament", "--pairs", str(PAIRS), "greedy", "random", "random-c", "random-js"
        )
        site.until(lambda: found.results() > 4, "the first games", 90)
        yield found
        code = (
            "from tournaments.services.rating import audit; import json; print(json.dumps(audit.audit_all()))"
        )
        assert json.loads(site.manage("shell", "--no-imports", "-c", code)) == {"crapaud": []}


@pytest.mark.parametrize("role", ["games", "control", "analysis"])
def test_a_worker_process_is_killed(arena: Arena, role: str) -> None:
    os.kill(arena.process(role, f"arena.worker {role}"), signal.SIGKILL)
    arena.recovers(f"kill -9 of the process {role}")


@pytest.mark.parametrize("name", ["web", "beat", "games 2"])
def test_a_process_of_the_procfile_is_killed_and_started_again(arena: Arena, name: str) -> None:
    arena.site.processes[name].kill()
    arena.site.processes.pop(name).wait(10)
    arena.site.start(name)
    arena.recovers(f"kill -9 of {name}, started again")


def test_redis_is_restarted_empty(arena: Arena) -> None:
    arena.redis.kill()
    try:
        arena.site.until(lambda: not arena.part("broker")["ok"], "/health to miss the broker", 60)
        assert arena.site.get("/ready", https=False)[0] == 200, "pages are served all the same"
    finally:
        arena.redis.start()
    arena.recovers("Redis restarted, empty")


def test_postgresql_is_restarted(arena: Arena) -> None:
    arena.database.stop()
    try:
        arena.site.until(
            lambda: arena.site.get("/ready", https=False)[0] == 503, "/ready to miss the database", 60
        )
    finally:
        arena.database.start()
    arena.recovers("PostgreSQL restarted")
    assert arena.site.get("/ready", https=False)[0] == 200


def test_a_worker_is_stopped_for_a_minute_and_woken(arena: Arena) -> None:
    pid = arena.process("games 2", "arena.worker games")
    os.kill(pid, signal.SIGSTOP)
    try:
        time.sleep(45)
        answer = json.loads(arena.site.get("/health", https=False)[1])
        assert "not heard of" in answer["parts"]["workers"]["reason"], "/health names it"
        assert arena.site.get("/ready", https=False)[0] == 200, "pages are served all the same"
        time.sleep(15)
    finally:
        os.kill(pid, signal.SIGCONT)
    arena.recovers("a worker asleep for 60 s")


def test_a_lease_of_another_clock_is_taken_back(arena: Arena) -> None:
    """As after a host's clock was a day ahead and was set right."""
    with psycopg.connect(arena.site.database, autocommit=True) as link:
        link.execute(
            "UPDATE tournaments_attempt SET lease_until = now() + interval '1 day' WHERE ended_at IS NULL"
        )
        link.execute(
            "UPDATE tournaments_game SET not_before = now() + interval '1 day' WHERE status = 'queued'"
        )
    arena.recovers("leases and waits from a clock a day ahead")


def test_the_database_cannot_be_written(arena: Arena) -> None:
    """As on a full disk, where PostgreSQL refuses what it has no room for."""
    with psycopg.connect(arena.site.database.replace("/arena?", "/postgres?"), autocommit=True) as link:
        link.execute("ALTER DATABASE arena SET default_transaction_read_only = on")
        link.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'arena'")
        time.sleep(8)
        link.execute("ALTER DATABASE arena RESET default_transaction_read_only")
        link.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'arena'")
    arena.recovers("a database that took no writes for 8 s")


@needs_root
def test_the_disk_of_the_database_is_full(arena: Arena) -> None:
    """PostgreSQL ends if it cannot write its log; whatever restarts it does so once there is room."""
    before = arena.results()
    rest = fill(arena.disk)
    left = os.statvfs(arena.disk)
    assert left.f_bavail * left.f_frsize < 1 << 20
    try:
        time.sleep(15)
    finally:
        rest.unlink()
    if not arena.database.answers():
        arena.database.stop()
        arena.database.start()
    assert arena.results() >= before, "what was committed is there"
    arena.recovers("a full disk for 15 s")


@needs_root
def test_the_network_between_a_host_and_the_database_is_cut(arena: Arena) -> None:
    """Nothing comes through and nobody is told: others play its games, and it comes back by itself."""
    redis = urlsplit(arena.redis.url)
    folder = arena.site.database.partition("host=")[2].partition("&")[0]
    with Network() as network:
        database = Relay(socket.AF_UNIX, f"{folder}/.s.PGSQL.5432")
        broker = Relay(socket.AF_INET, ("127.0.0.1", redis.port or 0))
        addresses = {
            "DATABASE_URL": f"postgresql://arena@{HERE}:{database.port}/arena",
            "REDIS_URL": f"redis://{HERE}:{broker.port}/0",
        }
        with arena.host("far", network.within(), **addresses):
            held = "SELECT count(*) FROM tournaments_attempt WHERE ended_at IS NULL AND worker LIKE 'far:%'"
            arena.site.until(lambda: arena.number(held) > 0, "a game that the far host plays", 60, every=0.01)
            network.cut()
            arena.site.until(lambda: arena.number(held) == 0, "its games to be taken back", 90)
            network.mend()
            known = arena.delivered("far")
            arena.site.until(lambda: arena.delivered("far") > known, "the far host to play again", 120)
            arena.recovers("the network cut between a host and the rest")
        database.close()
        broker.close()


@pytest.mark.parametrize("seconds", [3600, -3600])
def test_the_clock_of_a_host_jumps(arena: Arena, tmp_path: Path, seconds: int) -> None:
    clock = tmp_path / "ahead"
    clock.write_text("0")
    library = str(clock_library(tmp_path))
    with arena.host("odd", [], LD_PRELOAD=library, CLOCK_FILE=str(clock)):
        clock.write_text(str(seconds))
        told = subprocess.run(
            [sys.executable, "-c", "import time; print(time.time())"],
            env={**os.environ, "LD_PRELOAD": library, "CLOCK_FILE": str(clock)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert abs(float(told.stdout) - time.time() - seconds) < 60, "the library turns no clock"
        time.sleep(20)
        clock.write_text("0")
        known = arena.delivered("odd")
        arena.site.until(lambda: arena.delivered("odd") > known, "the host to play on", 120)
        arena.recovers(f"a host's clock off by {seconds:+d} s for 20 s")
