"""A site of the version before the first release is restored from its backup, upgraded and played on.

The backups in `tests/backups` were written by that version, of one site on each database: with people and
their bots, followers, tokens and webhooks, events of every format under way and over, ladders, series,
classes, challenges, reports, puzzles, games of two, three and four seats and of ticks, games of people at the
table, and two games that were being played when the site was killed.
"""

import html
import shutil
import sqlite3
import subprocess
import tarfile
import uuid
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from kit.verify.__main__ import main as verify
from tests import servers
from tests.integration.keeping.conftest import keep, new_database, run, unpacked
from tests.site import RunningSite

PASSING = frozenset(
    (
        *("django_migrations", "django_content_type", "auth_permission", "common_stamp"),
        "tournaments_ratingstate",  # every board is rated again
    )
)
"""Tables about the database itself, and what is wanted. All rows of the others are kept as they are."""
REPLACED = {("tournaments_rating", "standing")}
"""Columns that are gone, each for another one."""
KINDS = {("crapaud", 2), ("crapette", 3), ("crapette", 4), ("russian-bank", 2), ("vitesse", 2)}
Content = dict[str, list[dict[str, Any]]]


def dump_in(backup: Path, name: str) -> Path:
    with tarfile.open(backup) as packed:
        packed.extract(name, backup.parent)
    return backup.with_name(name)


def content(link: Any, tables: str) -> Content:
    """All rows of all tables, in an order of their own."""
    found: Content = {}
    for (table,) in link.execute(tables).fetchall():
        cursor = link.execute(f'SELECT * FROM "{table}"')
        columns = [one[0] for one in cursor.description]
        rows = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
        found[table] = sorted(rows, key=lambda row: str(row.get("id", row)))
    return found


def of_sqlite(file: Path) -> Content:
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as link:
        return content(
            link, "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'sqlite_sequence'"
        )


def finished(file: Path) -> set[str]:
    """The games of an SQLite database that are finished."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as link:
        return {key for (key,) in link.execute("SELECT id FROM tournaments_game WHERE status = 'finished'")}


def begin_with_the_interrupted(file: Path) -> None:
    """Pause the other events: the games that were being played need not wait for all others."""
    with closing(sqlite3.connect(file)) as link, link:
        link.execute(
            "UPDATE tournaments_tournament SET status = 'paused' WHERE status = 'running'"
            " AND id NOT IN (SELECT tournament_id FROM tournaments_game WHERE status = 'running')"
        )


def of_postgresql(url: str) -> Content:
    with psycopg.connect(url) as link:
        return content(link, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")


def lost(before: Content, after: Content) -> list[tuple[str, Any, Any]]:
    """What is not as it was, in the columns that were there before and are not replaced."""
    return [
        (table, old, new)
        for table in before.keys() - PASSING
        for old, new in zip(before[table], after[table], strict=True)
        if any(new[column] != value for column, value in old.items() if (table, column) not in REPLACED)
    ]


def plays_as_before(before: Content, after: Content) -> bool:
    """Whether each bot plays with its active version, where that passed, and nowhere else."""
    active = {row["active_version_id"]: row["id"] for row in before["bots_bot"] if row["active_version_id"]}
    passed = {
        (active[row["version_id"]], row["board"], row["version_id"])
        for row in before["bots_trial"]
        if row["verdict"] == "passed" and row["version_id"] in active
    }
    rows = {(row["bot_id"], row["board"], row["version_id"]) for row in after["bots_activeversion"]}
    return bool(passed) and rows == passed


def test_a_site_on_postgresql_is_upgraded_with_every_row(tmp_path: Path, postgresql_url: str) -> None:
    backup, url = unpacked("postgresql", tmp_path), new_database(postgresql_url, "upgraded")
    restorer = servers.postgresql_binaries() / "pg_restore"
    dump = dump_in(backup, "arena.pgdump")
    subprocess.run([restorer, "--no-owner", f"--dbname={url}", dump], check=True)
    before = of_postgresql(url)
    restored = keep(tmp_path / "data", "restore", str(backup), "--replace", DATABASE_URL=url)
    assert (restored.returncode, "without a difference" in restored.stdout) == (0, True), restored.stderr
    after = of_postgresql(url)
    assert not lost(before, after)
    assert plays_as_before(before, after)
    checked = run(tmp_path / "data", "manage.py", "migrate", "--check", DATABASE_URL=url)
    assert checked.returncode == 0, checked.stdout


def test_a_site_on_sqlite_is_upgraded_with_every_row_and_played_on(
    tmp_path: Path, restored: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = shutil.copytree(restored, tmp_path / "data")
    before = of_sqlite(dump_in(unpacked("sqlite", tmp_path), "arena.sqlite3"))
    after = of_sqlite(data / "arena.sqlite3")
    assert not lost(before, after)
    assert plays_as_before(before, after)
    ended = {row["id"]: row for row in after["tournaments_game"] if row["status"] == "finished"}
    begun = {row["id"] for row in after["tournaments_game"] if row["status"] == "running"}
    assert len(begun) == 2
    # The others were stored by the command that takes pictures of a site, which plays without clocks.
    refereed = {row["game_id"] for row in after["tournaments_attempt"] if row["worker"] != "pictures"}
    events = {row["id"]: row for row in after["tournaments_tournament"]}
    of_kind = {
        (event["variant"], event["players"]): key
        for key, game in ended.items()
        if key in refereed
        for event in (events[game["tournament_id"]],)
    }
    assert of_kind.keys() >= KINDS
    begin_with_the_interrupted(data / "arena.sqlite3")
    site = RunningSite(data, {"GAMES_AT_ONCE": 1})
    try:
        site.wait_until_ready()
        for number, key in enumerate(of_kind.values()):
            record = tmp_path / f"{number}.json"
            record.write_text(site.get(f"games/{uuid.UUID(key)}/record.json")[1])
            assert verify([str(record)]) == 0, capsys.readouterr().out
        for event in events.values():
            assert html.escape(event["name"]) in site.get(f"tournaments/{event['slug']}/")[1]

        database = data / "arena.sqlite3"
        site.until(lambda: begun <= finished(database), "the games that were interrupted")
        people = {row["id"] for row in after["bots_bot"] if row["owner_id"] is not None}
        uploaded = {row["id"] for row in after["bots_version"] if row["bot_id"] in people}
        seats = [(row["game_id"], row["version_id"]) for row in after["tournaments_seat"]]
        assert any(game in begun and version in uploaded for game, version in seats), "bots of people play"
        assert site.stop() == 0
    finally:
        site.kill()
