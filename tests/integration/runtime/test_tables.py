"""The tables that a first start makes at once are those that the migrations make one after the other."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

from arena.embedded.tables import FILE
from tests.run.tables import migrated, script_of
from tests.site import ROOT, clean_environment

if TYPE_CHECKING:
    from pathlib import Path

SAYS = "from arena.embedded import preparation; print(preparation.migrate())"


def started(data: Path) -> str:
    """What a start says about the tables in a folder."""
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", SAYS],
        cwd=ROOT,
        env={**clean_environment(), "CRAPETTE_DATA": str(data)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_the_file_is_what_the_migrations_leave(tmp_path: Path) -> None:
    assert migrated(tmp_path) == FILE.read_text(encoding="utf-8"), "run ./crapette tables"


def test_a_first_start_makes_them_and_the_next_one_finds_them(tmp_path: Path) -> None:
    count = FILE.read_text(encoding="utf-8").count('INSERT INTO "django_migrations"')
    assert started(tmp_path) == f"sqlite, {count} migrations applied"
    with closing(sqlite3.connect(tmp_path / "arena.sqlite3")) as database:
        assert script_of(database) == FILE.read_text(encoding="utf-8")
    assert started(tmp_path) == "sqlite, up to date"


def test_a_migration_that_the_file_lacks_is_applied_as_to_any_database(tmp_path: Path) -> None:
    started(tmp_path)
    with closing(sqlite3.connect(tmp_path / "arena.sqlite3")) as database, database:
        # As if the file had been written before accounts could show how they play.
        indexes = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE '%\"shows_play\"%'"
        for (name,) in database.execute(indexes).fetchall():
            database.execute(f'DROP INDEX "{name}"')
        database.execute('ALTER TABLE "accounts_user" DROP COLUMN "shows_play"')
        gone = database.execute("DELETE FROM django_migrations WHERE name = '0006_shows_play'")
        assert gone.rowcount == 1
    assert started(tmp_path) == "sqlite, 1 migrations applied"
