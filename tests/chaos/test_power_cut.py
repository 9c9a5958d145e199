"""A site killed in the middle of a tournament, again and again, loses nothing and counts nothing twice."""

import json
import random
import sqlite3
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from tests.chaos.cup import start_cup
from tests.conftest import StartSite
from tests.prepared import Prepared
from tests.processes import Process, descendants
from tests.site import RunningSite, manage
from tests.thorough import THOROUGH

OTHERS = ("random-c", "random-js")
PAIRS = 2
GAMES = 3 * PAIRS * 2
KILLS = 3 if THOROUGH else 2


def rows(data: Path, question: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"file:{data}/arena.sqlite3?mode=ro", uri=True, timeout=20)) as database:
        return database.execute(question).fetchall()


def results(data: Path) -> dict[str, tuple[Any, ...]]:
    return {row[0]: row for row in rows(data, "SELECT game_id, * FROM tournaments_result")}


def records(data: Path) -> dict[str, tuple[Any, ...]]:
    return {row[0]: row for row in rows(data, "SELECT game_id, count, data FROM tournaments_record")}


def wait_for_games(site: RunningSite, count: int) -> None:
    """Wait until so many games are finished and at least one more is being played by real bots."""

    def under_way() -> bool:
        playing = [one for one in descendants(site.process.pid) if "referee" in one.command]
        return len(results(site.data)) >= count and bool(playing)

    site.until(under_way, f"{count} finished games and one being played")


def gone(processes: list[Process], seconds: float) -> list[Process]:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and any(one.alive for one in processes):
        time.sleep(0.05)
    return [one for one in processes if one.alive]


def test_a_killed_site_finishes_its_tournament_with_every_game_counted_once(
    tmp_path: Path, start_site: StartSite, prepared: Prepared
) -> None:
    data = prepared.copy(tmp_path / "data")
    start_cup(partial(manage, data), tmp_path, PAIRS, OTHERS)
    kept: dict[str, tuple[Any, ...]] = {}
    logs: dict[str, tuple[Any, ...]] = {}
    pause = random.Random(7)
    for kill in range(1, KILLS + 1):
        site = start_site(data, GAMES_AT_ONCE=2)
        wait_for_games(site, kill * GAMES // (KILLS + 2))
        time.sleep(pause.random())
        below = descendants(site.process.pid)
        site.kill()
        assert gone(below, 60) == []
        after = results(data)
        assert {game: after[game] for game in kept} == kept
        kept, logs = after, records(data)
        assert len(kept) < GAMES, "the tournament was over before the site was killed"

    site = start_site(data, GAMES_AT_ONCE=2)
    site.until(
        lambda: rows(data, "SELECT 1 FROM tournaments_tournament WHERE status = 'finished'"),
        "the end of the tournament",
    )
    health = site.health()
    assert site.stop() == 0

    final = results(data)
    assert {game: final[game] for game in kept} == kept
    assert {game: record for game, record in records(data).items() if game in logs} == logs
    assert rows(data, "SELECT status, count(*) FROM tournaments_game GROUP BY status") == [
        ("finished", GAMES)
    ]
    assert len(final) == len(records(data)) == GAMES
    assert rows(data, "SELECT status, count(*) FROM tournaments_pair GROUP BY status") == [
        ("accepted", GAMES // 2)
    ]
    assert rows(data, "SELECT sum(pairs_done) FROM tournaments_pairing") == [(GAMES // 2,)]
    broken_off = rows(data, "SELECT count(*) FROM tournaments_attempt WHERE cause = 'restarted'")[0][0]
    assert broken_off >= KILLS
    assert rows(
        data, "SELECT count(*) FROM tournaments_attempt WHERE cause NOT IN ('restarted', 'delivered')"
    ) == [(0,)]
    assert health["parts"]["competition"]["ok"], health
    code = "import json; from tournaments.ratings.audit import audit_all; print(json.dumps(audit_all()))"
    assert json.loads(manage(data, "shell", "--no-imports", "-c", code)) == {"crapaud": []}
