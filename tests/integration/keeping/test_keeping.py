"""Backups, restoring them and moving to PostgreSQL, on a site that had played and plays on."""

import json
import lzma
import os
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from tests import servers
from tests.site import ROOT, RunningSite, clean_environment

PLAYED = ROOT / "tests/backups/sqlite.tar.xz"
# A game whose result is hidden stays in the database.
UNARCHIVED = (
    "SELECT count(*) FROM tournaments_record JOIN tournaments_game ON id = game_id"
    " WHERE length(data) > 0 AND NOT hidden"
)
RESULTS = "SELECT game_id, chain_sha256, body_sha256 FROM tournaments_result ORDER BY chain_sha256"


def run(data: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """What a program of the project does with a data folder."""
    programs = f"{servers.postgresql_binaries()}:{os.environ['PATH']}"
    environment = {**clean_environment(), "CRAPETTE_DATA": str(data), "PATH": programs, **more}
    return subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def keep(data: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """What ``./crapette backup`` and so on do with a data folder."""
    return run(data, "-m", "arena.operate.backups", *words, **more)


def rows(data: Path, query: str = RESULTS) -> list[tuple[object, ...]]:
    """Rows of the database in a data folder."""
    with closing(sqlite3.connect(f"file:{data}/arena.sqlite3?mode=ro", uri=True)) as database:
        return database.execute(query).fetchall()


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder of a site that had played, with today's tables and its old games in the archive."""
    data = tmp_path_factory.mktemp("grown") / "data"
    backup = data.with_name("earlier.tar")
    backup.write_bytes(lzma.decompress(PLAYED.read_bytes()))
    restored = keep(data, "restore", str(backup))
    assert restored.returncode == 0, restored.stderr
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


def test_a_restored_site_is_what_it_was_and_plays_on(grown: Path, backup: Path, tmp_path: Path) -> None:
    done = keep(tmp_path / "new", "restore", str(backup))
    assert done.returncode == 0, done.stderr
    assert "without a difference" in done.stdout
    assert rows(tmp_path / "new") == rows(grown)
    checked = run(tmp_path / "new", "manage.py", "archive", "--check")
    assert checked.returncode == 0, checked.stderr
    site = RunningSite(tmp_path / "new", {"GAMES_AT_ONCE": 1})
    try:
        site.wait_until_ready()
        before = len(rows(grown))
        site.until(lambda: len(rows(site.data)) > before, "a game after the restoration")
        assert keep(site.data, "backup", str(tmp_path / "again.tar")).returncode == 0
        refused = keep(site.data, "restore", str(backup), "--replace")
        assert (refused.returncode, "already runs" in refused.stderr) == (1, True)
    finally:
        site.kill()


def test_what_is_there_is_replaced_only_on_the_operators_word(grown: Path, backup: Path) -> None:
    before = rows(grown)
    refused = keep(grown, "restore", str(backup))
    assert (refused.returncode, "--replace" in refused.stderr) == (1, True)
    assert keep(grown, "restore", str(backup), "--replace").returncode == 0
    assert rows(grown) == before
    assert keep(grown, "backup", str(backup)).returncode == 1


def test_a_backup_without_the_archive_needs_it_in_its_place(grown: Path, tmp_path: Path) -> None:
    small, new = tmp_path / "small.tar", tmp_path / "new"
    made = keep(grown, "backup", str(small), "--without-archives")
    assert (made.returncode, "are not in it" in made.stdout) == (0, True)
    with tarfile.open(small) as packed:
        assert [name for name in packed.getnames() if name.endswith(".zip")] == []
    refused = keep(new, "restore", str(small))
    assert (refused.returncode, "without the archive" in refused.stderr) == (1, True)
    shutil.copytree(grown / "archives", new / "archives")
    assert keep(new, "restore", str(small)).returncode == 0
    # A damaged file is seen before it is in a backup.
    (file,) = (path for path in (new / "archives").rglob("*.zip"))
    file.write_bytes(file.read_bytes()[:-1])
    refused = keep(new, "backup", str(tmp_path / "bad.tar"))
    assert (refused.returncode, "is damaged" in refused.stderr) == (1, True)
    assert not (tmp_path / "bad.tar").exists()


TRY_ALL = """import sys
from arena.operate.backups.__main__ import main
for file in sys.argv[1:]:
    assert main(["restore", file]) == 1, file
"""


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
    refused = run(tmp_path / "new", "-c", TRY_ALL, *files)
    assert refused.returncode == 0, refused.stderr
    said = refused.stderr.splitlines()
    assert (len(said), {line.startswith("crapette restore: ") for line in said}) == (len(files), {True})
    file = tmp_path / "new/arena.sqlite3"
    assert not file.exists() or not file.stat().st_size


@pytest.mark.at_length
def test_a_move_to_postgresql_that_is_interrupted_goes_on_and_is_proved_equal(
    grown: Path, backup: Path, postgresql_url: str, tmp_path: Path
) -> None:
    with psycopg.connect(postgresql_url, autocommit=True) as server:
        server.execute("DROP DATABASE IF EXISTS moved WITH (FORCE)")
        server.execute("CREATE DATABASE moved")
    url = postgresql_url.replace("/postgres?", "/moved?")
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
    again = keep(grown, "move-to", url)
    assert (again.returncode, "empty database" in again.stderr) == (1, True)
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
