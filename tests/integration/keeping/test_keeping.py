"""Backups, restoring them, moving to PostgreSQL, and a site of the version before the first release.

The backups in `tests/backups` were written by that version, of one site on each database: with something of
everything, and with two games that were being played when the site was killed.
"""

import html
import json
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
from tests.integration.keeping.conftest import RESULTS, keep, new_database, rows, run, unpacked
from tests.site import ROOT, RunningSite

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
    with psycopg.connect(url, autocommit=True) as link:
        link.execute("DROP ROLE IF EXISTS upgraded_worker")
        link.execute("CREATE ROLE upgraded_worker")
    restored = keep(tmp_path / "data", "restore", str(backup), "--replace", DATABASE_URL=url)
    with psycopg.connect(url) as link:  # workers of other hosts play on
        link.execute("SET ROLE upgraded_worker")
        link.execute("SELECT count(*) FROM tournaments_game")
    assert (restored.returncode, "without a difference" in restored.stdout) == (0, True), restored.stderr
    after = of_postgresql(url)
    assert not lost(before, after)
    assert plays_as_before(before, after)
    # A restoration that is refused changes nothing, whenever an earlier one was killed: after the backup was
    # read, or before.
    old = tmp_path / "old"
    old.mkdir()
    (old / "pg_restore").symlink_to("/bin/false")
    words, more = ("restore", str(backup), "--replace"), {"DATABASE_URL": url, "PATH": str(old)}
    for killed in ("CREATE SCHEMA {0}", "ALTER SCHEMA public RENAME TO {0}; CREATE SCHEMA public"):
        with psycopg.connect(url) as link:
            link.execute(killed.format("before_restoration"))
        assert keep(tmp_path / "data", *words, **more).returncode == 1
        assert of_postgresql(url) == after
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


# A game whose result is hidden stays in the database.
UNARCHIVED = (
    "SELECT count(*) FROM tournaments_record JOIN tournaments_game ON id = game_id"
    " WHERE length(data) > 0 AND NOT hidden"
)


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory, restored: Path) -> Path:
    """A data folder of a site that had played, with its old games in the archive."""
    data = tmp_path_factory.mktemp("grown") / "data"
    shutil.copytree(restored, data)
    moved = run(data, "manage.py", "archive", "--now", "--days", "0")
    assert (moved.returncode, rows(data, UNARCHIVED)) == (0, [(0,)]), moved.stderr
    return data


@pytest.fixture(scope="module")
def backup(grown: Path) -> Path:
    """Its backup."""
    target = grown.parent / "backup.tar"
    made = keep(grown, "backup", str(target))
    assert made.returncode == 0, made.stderr
    assert target.stat().st_mode & 0o077 == 0
    return target


def refusals(data: Path, *commands: tuple[str, ...]) -> list[str]:
    """Why commands are refused, all in one process: its start takes most of their time."""
    done = run(data, "-c", TRY_ALL, json.dumps(commands))
    assert done.returncode == 0, done.stderr
    return done.stderr.splitlines()


TRY_ALL = """import json, sys
from arena.operate.backups.__main__ import main
for words in json.loads(sys.argv[1]):
    assert main(words) == 1, words
"""


def test_a_restored_site_is_what_it_was_is_replaced_on_the_operators_word_alone_and_plays_on(
    grown: Path, backup: Path, tmp_path: Path
) -> None:
    new, small, again = tmp_path / "new", str(tmp_path / "small.tar"), str(tmp_path / "again.tar")
    made = keep(grown, "backup", small, "--without-archives")
    assert (made.returncode, "are not in it" in made.stdout) == (0, True)
    with tarfile.open(small) as packed:
        assert [name for name in packed.getnames() if name.endswith(".zip")] == []
    (said,) = refusals(new, ("restore", small))
    assert "without the archive" in said
    assert keep(new, "restore", str(backup)).returncode == 0
    assert rows(new) == rows(grown)
    checked = run(new, "manage.py", "archive", "--check")
    assert checked.returncode == 0, checked.stderr
    # What is there is replaced on the operator's word alone, and a backup never is. A damaged file of the
    # archive is seen before it is in a backup.
    (file,) = (path for path in (new / "archives").rglob("*.zip"))
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    word, kept, damaged = refusals(new, ("restore", small), ("backup", small), ("backup", again))
    assert ("--replace" in word, small in kept, "is damaged" in damaged) == (True, True, True)
    assert not Path(again).exists()
    file.write_bytes(whole)
    done = keep(new, "restore", small, "--replace")
    assert (done.returncode, "without a difference" in done.stdout) == (0, True), done.stderr
    assert rows(new) == rows(grown)
    site = RunningSite(new, {"GAMES_AT_ONCE": 1})
    try:
        site.wait_until_ready()
        before = len(rows(grown))
        site.until(lambda: len(rows(new)) > before, "a game after the restoration")
        assert keep(new, "backup", again).returncode == 0
        assert "already runs" in keep(new, "restore", str(backup), "--replace").stderr
    finally:
        site.kill()


def test_a_damaged_backup_changes_nothing(backup: Path, tmp_path: Path) -> None:
    whole = backup.read_bytes()
    middle = len(whole) // 2
    bad = {
        "cut-off": whole[:middle],
        "changed": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
        "no-backup": b"hello",
    }
    for name, content in bad.items():
        (tmp_path / name).write_bytes(content)
    with tarfile.open(backup) as old:
        old.extractall(tmp_path / "unpacked")
    head = tmp_path / "unpacked/manifest.json"
    manifest = json.loads(head.read_text())
    manifest["migrations"].append("tournaments.9999_from_tomorrow")
    head.write_text(json.dumps(manifest))
    with tarfile.open(tmp_path / "newer", "w") as new:
        for path in sorted((tmp_path / "unpacked").iterdir()):
            new.add(path, path.name)
    files = [str(tmp_path / name) for name in (*bad, "newer", "missing")]
    said = refusals(tmp_path / "new", *(("restore", file) for file in files))
    assert (len(said), {line.startswith("crapette restore: ") for line in said}) == (len(files), {True})
    file = tmp_path / "new/arena.sqlite3"
    assert not file.exists() or not file.stat().st_size


def test_a_backup_takes_the_place_of_a_damaged_database_and_not_of_one_in_use(
    backup: Path, tmp_path: Path
) -> None:
    file = tmp_path / "data/arena.sqlite3"
    file.parent.mkdir()
    file.write_bytes(b"damaged " * 1_000)
    words = ("restore", str(backup))
    assert "--replace" in keep(file.parent, *words).stderr
    done = keep(file.parent, *words, "--replace")
    assert (done.returncode, "without a difference" in done.stdout) == (0, True), done.stderr
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert keep(file.parent, *words, "--replace").stderr.startswith("crapette restore: Others use")


@pytest.mark.at_length
def test_a_move_to_postgresql_that_is_interrupted_goes_on_and_is_proved_equal(
    grown: Path, backup: Path, postgresql_url: str, tmp_path: Path
) -> None:
    url = new_database(postgresql_url, "moved")
    # A trap ends the first try in the middle: the second finds what is there.
    trap = tmp_path / "trap.py"
    trap.write_text(
        "import sys\nfrom arena.operate.backups import __main__, move_target\n"
        "note = move_target.Target.note\n"
        "def trapped(self, table, last, count):\n"
        "    if table == 'tournaments_record':\n        raise SystemExit(9)\n"
        "    note(self, table, last, count)\n"
        "move_target.Target.note = trapped\n"
        f"sys.exit(__main__.main(['move-to', {url!r}]))\n"
    )
    assert run(grown, str(trap), PYTHONPATH=str(ROOT)).returncode == 9
    done = keep(grown, "move-to", url)
    assert done.returncode == 0, done.stderr
    assert "Going on with a move that was interrupted." in done.stdout
    assert "The audits of both agree" in done.stdout
    with psycopg.connect(url) as link:
        there = link.execute(RESULTS.replace("game_id", "replace(game_id::text, '-', '')")).fetchall()
        keys = link.execute("SELECT count(*) FROM pg_constraint WHERE contype = 'f'").fetchone()
    assert there == rows(grown)
    assert keys is not None
    assert keys[0] > 40
    # PostgreSQL's own backup, there and back.
    target = str(tmp_path / "moved.tar")
    assert keep(tmp_path / "d", "backup", target, DATABASE_URL=url).returncode == 1, (
        "the archive is elsewhere"
    )
    there_too = {"DATABASE_URL": url, "CRAPETTE_ARCHIVES": str(grown / "archives")}
    assert keep(tmp_path / "d", "backup", target, **there_too).returncode == 0
    restored = keep(tmp_path / "d", "restore", target, "--replace", DATABASE_URL=url)
    assert restored.returncode == 0, restored.stderr
    assert run(tmp_path / "d", "manage.py", "archive", "--check", DATABASE_URL=url).returncode == 0
    wrong = keep(tmp_path / "d", "restore", str(backup), "--replace", DATABASE_URL=url)
    assert (wrong.returncode, "move-to" in wrong.stderr) == (1, True)
    # New rows get new keys.
    code = "from arena.web.processes.alarms import raise_alarm; raise_alarm('audit', 'x', 'y')"
    made = run(tmp_path / "d", "manage.py", "shell", "--no-imports", "-c", code, DATABASE_URL=url)
    assert made.returncode == 0, made.stderr
