"""A production site whose parts are stopped, killed and cut off in the middle of a tournament finishes it."""

import asyncio
import json
import os
import re
import signal
import time
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from websockets.asyncio.client import connect

from tests import servers
from tests.chaos.cup import start_cup
from tests.processes import Process, descendants
from tests.production import HOST, SECRET, Production, production_site

PAIRS = 8
LEFT = 8
"""Games that are still to be played when a disturbance begins: twice as many as are played at once."""
CUT_SECONDS = 2.0
REFUSED = re.compile(
    "tournaments.games.play: a (game was taken away|result was refused): "
    "|tournaments.games.slots: the database did not answer a thread that plays games: "
    ".*idle-in-trans"
    "|psycopg.errors.IdleInTransactionSessionTimeout: "
)
"""What a worker says whose lease was given to another: while it plays, or when it delivers. One that was
stopped inside a transaction finds that the database has ended its session."""


class Tournaments:
    def __init__(self, site: Production) -> None:
        self.site = site
        self.started = 0

    @property
    def games(self) -> int:
        return self.started * 2 * PAIRS

    def finished(self) -> int:
        return int(self.site.rows("SELECT count(*) FROM tournaments_result")[0][0])

    def go_on(self) -> None:
        """Start another, should few games be left of the last one: how fast games are played depends on the
        machine, and so does how long a disturbance lasts."""
        if self.games - self.finished() < LEFT:
            start_cup(self.site.manage, self.site.folder, PAIRS, ["greedy"])
            self.started += 1

    def wait_for_more(self, games: int) -> None:
        until = min(self.finished() + games, self.games)
        self.site.until(lambda: self.finished() >= until, f"{until} finished games")

    def held_by(self, pid: int) -> list[tuple[Any, ...]]:
        """Game and token of each attempt that a worker process has open."""
        return self.site.rows(
            "SELECT game_id, token FROM tournaments_attempt WHERE ended_at IS NULL AND worker LIKE %s",
            f"%:{pid}:%",
        )


def player(site: Production, worker: str) -> Process:
    found = [one for one in descendants(site.processes[worker].pid) if "arena.run.worker play" in one.command]
    assert len(found) == 1, found
    return found[0]


def sleep_through_the_lease(site: Production) -> list[tuple[Any, ...]]:
    """Stop a worker that plays, and let its leases end as half a minute would; what it held."""
    pid = player(site, "worker 2").pid
    while True:
        os.kill(pid, signal.SIGSTOP)
        # One statement, as what the worker was told to commit may still be under way.
        held = site.rows(
            "UPDATE tournaments_attempt SET lease_until = now() - interval '1 second' "
            "WHERE ended_at IS NULL AND worker LIKE %s RETURNING game_id, token",
            f"%:{pid}:%",
        )
        if held:
            return held
        os.kill(pid, signal.SIGCONT)
        time.sleep(0.05)


def cut_off_the_database(site: Production) -> None:
    server = site.database.replace("/arena?", "/postgres?")
    allow = sql.SQL("ALTER DATABASE arena ALLOW_CONNECTIONS {}")
    with psycopg.connect(server, autocommit=True) as link:
        link.execute(allow.format(sql.Literal(False)))
        link.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'arena'")
        time.sleep(CUT_SECONDS)
        link.execute(allow.format(sql.Literal(True)))


async def watch(site: Production, game: str) -> list[int]:
    """The numbers of all events of a game, as a browser behind the proxy gets them."""
    seen: list[int] = []
    url, headers = (
        f"ws://127.0.0.1:{site.port}/ws/games/{game}/",
        {"Host": HOST, "X-Forwarded-Proto": "https"},
    )
    async with connect(url, origin=f"https://{HOST}", additional_headers=headers) as socket:  # type: ignore[arg-type]
        while True:
            message = json.loads(await asyncio.wait_for(socket.recv(), 60))
            seen += [event["n"] for event in message.get("events", ())]
            if message["type"] == "finished":
                return seen


def test_a_tournament_is_finished_without_a_hand_whatever_is_stopped_killed_and_cut_off(
    tmp_path: Path, postgresql_url: str
) -> None:
    with servers.Redis() as redis, production_site(tmp_path, postgresql_url, redis.url) as site:
        cup = Tournaments(site)
        site.release()
        site.start("web", "worker", "worker 2", "beat")
        site.until(lambda: site.get("/health", https=False)[0] == 200, "a green /health")

        def announced() -> dict[str, Any]:
            found: dict[str, Any] = json.loads(site.get("/health")[1])["parts"]["workers"]
            return found

        site.until(lambda: len(announced()["workers"]) == 4, "four processes of two workers")
        assert announced()["games_at_once"] == 4
        assert site.get("/", https=False) == (301, f"https://{HOST}/")
        assert ".tar.gz" in site.get("/kit/")[1], "the package is served from where it was built"
        cup.go_on()
        underway = "SELECT game_id FROM tournaments_attempt WHERE ended_at IS NULL"
        site.until(lambda: bool(site.rows(underway)), "a game under way")
        seen = asyncio.run(watch(site, site.rows(underway)[0][0]))
        assert seen == list(range(len(seen)))
        assert seen
        cup.wait_for_more(4)

        # A worker sleeps through its leases while Redis is killed and comes back empty. Those who are awake
        # take its games up as soon as they have found Redis again.
        cup.go_on()
        held = sleep_through_the_lease(site)
        redis.kill()
        time.sleep(1)
        redis.start()
        site.until(
            lambda: all(
                site.rows("SELECT 1 FROM tournaments_result WHERE game_id = %s", game) for game, _ in held
            ),
            "another worker to play the games of the one that sleeps",
        )
        os.kill(player(site, "worker 2").pid, signal.SIGCONT)
        site.until(lambda: len(REFUSED.findall(site.logs())) >= len(held), "the sleeper to be refused")
        for game, token in held:
            stored = site.rows(
                "SELECT a.token, r.game_id FROM tournaments_result r JOIN tournaments_attempt a "
                "ON a.id = r.attempt_id WHERE r.game_id = %s",
                game,
            )
            assert stored == [(token + 1, game)]

        # A worker that is told to end gives its games back, unless they end by themselves meanwhile.
        cup.wait_for_more(2)
        cup.go_on()
        for _ in range(4):
            pid = player(site, "worker").pid
            site.until(partial(cup.held_by, pid), "a game to give back", every=0.01)
            assert site.stop("worker") == {"worker": 0}
            assert cup.held_by(pid) == []
            given = site.rows(
                "SELECT 1 FROM tournaments_attempt WHERE cause = 'restarted' AND worker LIKE %s", f"%:{pid}:%"
            )
            if given:
                break
            site.start("worker")
            site.until(lambda: len(announced()["workers"]) == 4, "the worker that gave nothing back")
            cup.go_on()
        assert given

        # The database is away for a while: what was being played is delivered once it is back.
        cup.go_on()
        site.until(lambda: bool(site.rows(underway)), "a game under way", every=0.01)
        running = site.rows(underway)
        cut_off_the_database(site)
        site.start("worker")
        site.until(lambda: cup.finished() == cup.games, "the end of all games")
        for (game,) in running:
            assert site.rows("SELECT token FROM tournaments_game WHERE id = %s AND token > 2", game) == []

        site.until(lambda: site.get("/health", https=False)[0] == 200, "a green /health again")
        # An end is written by another process than its last result.
        status = "SELECT status FROM tournaments_tournament WHERE format <> 'ladder'"
        site.until(lambda: set(site.rows(status)) == {("finished",)}, "the end of the tournaments")
        causes = dict(site.rows("SELECT cause, count(*) FROM tournaments_attempt GROUP BY cause"))
        assert causes.pop("delivered") == cup.games
        assert set(causes) == {"restarted", "lease-expired"}
        code = "import json; from tournaments.ratings import audit; print(json.dumps(audit.audit_all()))"
        assert json.loads(site.manage("shell", "--no-imports", "-c", code)) == {"crapaud": []}
        assert site.stop() == {"web": -signal.SIGTERM, "worker": 0, "worker 2": 0, "beat": 0}, site.logs()
        assert SECRET not in site.logs()
