"""What a production site survives: each fault in the middle of a tournament, with the seconds to recover.

``./crapette test --only faults`` runs these. They take minutes, so the full run has only the short ones
(`tests/chaos`). Each prints one line.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import TYPE_CHECKING

import psycopg
import pytest

from tests import servers
from tests.processes import descendants
from tests.production import Production, production_site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAIRS = 200
"""More than are played: the tournament is never over."""
RECOVERED_SECONDS = 180


class Arena:
    """A site that plays, with its servers."""

    def __init__(self, site: Production, database: servers.PostgreSQL, redis: servers.Redis) -> None:
        self.site, self.database, self.redis = site, database, redis

    def number(self, question: str) -> int:
        """The answer to a question, one number."""
        with psycopg.connect(self.site.database, autocommit=True) as link:
            row = link.execute(question.encode()).fetchone()
        assert row is not None
        return int(row[0])

    def results(self) -> int:
        """How many games have their result."""
        return self.number("SELECT count(*) FROM tournaments_result")

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

    def green(self) -> bool:
        """Whether `/health` says that all is well."""
        return self.site.get("/health", https=False)[0] == 200


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """A site with two workers that play, until the end of all cases."""
    folder: Path = tmp_path_factory.mktemp("faults")
    with (
        servers.PostgreSQL() as database,
        servers.Redis() as redis,
        production_site(folder, database.url, redis.url) as site,
    ):
        found = Arena(site, database, redis)
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
    time.sleep(1)
    arena.redis.start()
    arena.recovers("Redis restarted, empty")


def test_postgresql_is_restarted(arena: Arena) -> None:
    arena.database.stop()
    time.sleep(3)
    arena.database.start()
    arena.recovers("PostgreSQL restarted, 3 s away")


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
