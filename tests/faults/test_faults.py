"""What a production site survives: each fault in the middle of a tournament, with the seconds to recover.

After each, nothing is lost or counted twice, and `/ready` and the operator's page said what happened.
``./crapette test --only faults`` runs these, alone: they measure time. The full run has a few short ones that
start a site of their own (`tests/chaos`).
"""

from __future__ import annotations

import os
import signal
import socket
import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.faults.places import HERE, Network, Relay, clock_turned, fill

if TYPE_CHECKING:
    from pathlib import Path

    from tests.faults.arena import Arena

pytestmark = pytest.mark.timeout(900)
"""The first case also starts the site."""
AWAY_SECONDS = 7.0
"""Longer than from one heartbeat to the next: some of them meet the fault."""
OF_ANOTHER_TIME = (
    "SELECT (SELECT count(*) FROM tournaments_game WHERE abs(extract(epoch FROM finished_at - now())) > 1800)"
    " + (SELECT count(*) FROM tournaments_analysis WHERE abs(extract(epoch FROM asked_at - now())) > 1800)"
)
LOST_BY_ODD = "SELECT count(*) FROM tournaments_attempt WHERE worker LIKE 'odd:%' AND cause = 'lease-expired'"


@pytest.mark.parametrize("role", ["games", "control", "analysis"])
def test_a_worker_process_is_killed(arena: Arena, role: str) -> None:
    arena.begins()
    pid = arena.process(role, f"arena.run.worker {role}")
    os.kill(pid, signal.SIGKILL)
    assert arena.ready() == 200, "pages are served all the same"
    arena.recovers(f"kill -9 of the process {role}")
    arena.tells(f"{role}@", "Started", f":{pid} had died")


def test_the_web_server_is_killed(arena: Arena) -> None:
    arena.begins()
    arena.site.processes["web"].kill()
    arena.site.processes.pop("web").wait(10)
    assert arena.ready() == 0, "nobody answers"
    arena.site.start("web")
    arena.site.until(lambda: arena.ready() == 200, "/ready", 60)
    arena.recovers("kill -9 of web, started again")
    arena.tells(f"web@{socket.gethostname()}:{arena.site.processes['web'].pid}", "Started")


def test_whatever_keeps_a_worker_running_is_killed(arena: Arena) -> None:
    arena.begins()
    arena.site.processes["games 2"].kill()
    arena.site.processes.pop("games 2").wait(10)
    arena.site.start("games 2")
    arena.recovers("kill -9 of games 2, started again")
    arena.tells(f":{arena.process('games 2', 'arena.run.worker games')}", "Started")


def test_beat_is_killed(arena: Arena) -> None:
    arena.begins()
    arena.site.processes["beat"].kill()
    arena.site.processes.pop("beat").wait(10)
    arena.site.until(lambda: arena.heartbeat_age() >= 25, "the operator's page to miss heartbeats", 60)
    assert arena.ready() == 200, "pages are served all the same"
    arena.site.start("beat")
    arena.recovers("kill -9 of beat, away for 25 s")
    arena.site.until(lambda: arena.heartbeat_age() < 15, "the operator's page to see heartbeats", 30)


def test_redis_is_restarted_empty(arena: Arena) -> None:
    arena.begins()
    arena.redis.kill()
    try:
        arena.shows("broker : it could not be examined")
        assert arena.ready() == 200, "pages are served all the same"
    finally:
        arena.redis.start()
    arena.recovers("Redis restarted, empty")
    arena.tells("control@", "Broker was away")


def test_postgresql_is_restarted(arena: Arena) -> None:
    arena.begins()
    arena.database.stop()
    try:
        arena.site.until(lambda: arena.ready() == 503, "/ready to miss the database", 60)
        assert "the database does not answer" in arena.site.get("/ready", https=False)[1]
        time.sleep(AWAY_SECONDS)
    finally:
        arena.database.start()
    arena.recovers(f"PostgreSQL restarted after {AWAY_SECONDS:.0f} s")
    arena.tells("games@", "Database did not answer")


def test_a_worker_is_stopped_for_a_minute_and_woken(arena: Arena) -> None:
    arena.begins()
    pid = arena.process("games 2", "arena.run.worker games")
    os.kill(pid, signal.SIGSTOP)
    begun = time.monotonic()
    try:
        arena.shows("workers : not heard of for 30 s: games@")
        assert arena.ready() == 200, "pages are served all the same"
        time.sleep(max(0.0, 60 - (time.monotonic() - begun)))
    finally:
        os.kill(pid, signal.SIGCONT)
    arena.recovers("a worker asleep for 60 s")
    arena.tells(f":{pid}", "Stood still", "for 6")


def test_a_lease_of_another_clock_is_taken_back(arena: Arena) -> None:
    arena.begins()
    with psycopg.connect(arena.site.database, autocommit=True) as link:
        link.execute(
            "UPDATE tournaments_attempt SET lease_until = now() + interval '1 day' WHERE ended_at IS NULL"
        )
        link.execute(
            "UPDATE tournaments_game SET not_before = now() + interval '1 day' WHERE status = 'queued'"
        )
    arena.recovers("leases and waits from a clock a day ahead")


def test_the_database_cannot_be_written(arena: Arena) -> None:
    arena.begins()
    with psycopg.connect(arena.site.database.replace("/arena?", "/postgres?"), autocommit=True) as link:
        link.execute("ALTER DATABASE arena SET default_transaction_read_only = on")
        link.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'arena'")
        time.sleep(8)
        assert arena.ready() == 200, "pages are served all the same"
        link.execute("ALTER DATABASE arena RESET default_transaction_read_only")
        link.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'arena'")
    arena.recovers("a database that took no writes for 8 s")
    arena.tells("games@", "Database did not answer")


@pytest.mark.needs("disk")
def test_the_disk_of_the_database_is_full(arena: Arena) -> None:
    arena.begins()
    rest = fill(arena.disk)
    left = os.statvfs(arena.disk)
    assert left.f_bavail * left.f_frsize < 1 << 20
    try:
        time.sleep(15)
        # Reading needs no room; a server that has ended says so.
        arena.tells_of_the_database()
    finally:
        rest.unlink()
    if not arena.database.answers():
        arena.database.stop()
        arena.database.start()
    arena.recovers("a full disk for 15 s")
    arena.tells("games@", "Database did not answer")


@pytest.mark.needs("network")
def test_the_network_between_a_host_and_the_database_is_cut(arena: Arena) -> None:
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
            arena.begins()
            held = "SELECT count(*) FROM tournaments_attempt WHERE ended_at IS NULL AND worker LIKE 'far:%'"
            arena.site.until(lambda: arena.number(held) > 0, "a game that the far host plays", 60, every=0.01)
            network.cut()
            arena.site.until(lambda: arena.number(held) == 0, "its games to be taken back", 90)
            arena.tells("far", "Worker lost")
            arena.shows("workers : not heard of for 30 s: games@far:")
            assert arena.ready() == 200, "pages are served all the same"
            network.mend()
            arena.plays_on("far")
            arena.recovers("the network cut between a host and the rest")
            arena.tells("games@far:", "Database did not answer")
        database.close()
        broker.close()


@pytest.mark.needs("clock")
def test_the_clock_of_a_host_jumps_ahead_and_back(arena: Arena, tmp_path: Path) -> None:
    environment = clock_turned(tmp_path, 3600)
    clock = tmp_path / "ahead"
    clock.write_text("0")
    with arena.host("odd", [], **environment):
        for seconds in (3600, -3600):
            arena.begins()
            clock.write_text(str(seconds))
            arena.tells("games@odd:", "Clock jumped", f"by {seconds:+d} s")
            time.sleep(AWAY_SECONDS)
            arena.plays_on("odd")
            assert arena.ready() == 200, "pages are served all the same"
            assert arena.green(), "its times are the database's"
            assert arena.number(OF_ANOTHER_TIME) == 0, "a game of another time"
            clock.write_text("0")
            arena.plays_on("odd")
            arena.recovers(f"a host's clock off by {seconds:+d} s")
            arena.tells("games@odd:", "Clock jumped", f"by {-seconds:+d} s")
        assert arena.number(LOST_BY_ODD) == 0, "a game was taken from a host that was there all the time"
