"""PostgreSQL's own programs, run for the site's database."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Any, Final

from django.db import connection, transaction

from arena.operate.backups import KeepingError

if TYPE_CHECKING:
    from pathlib import Path

BEFORE: Final = "before_restoration"
"""The schema of what a restoration replaces."""


def dump(path: Path) -> None:
    """Write the database to a file in PostgreSQL's own compressed format."""
    words = ("--format=custom", "--no-owner", "--no-privileges", f"--exclude-schema={BEFORE}")
    _run("pg_dump", *words, f"--file={path}")


def replace(path: Path) -> None:
    """Put such a file in the place of everything that is in the database: all of it, or nothing changes.

    What was there waits in another schema until the file is read. If an earlier call was killed, it is found
    there: it is put back, unless the file had been read, and other data is there now.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", [BEFORE])
        killed = cursor.fetchone() is not None
    if killed and connection.introspection.table_names():
        _forget_replaced()
    elif killed:
        _put_back()
    _in_one_transaction(f"ALTER SCHEMA public RENAME TO {BEFORE}", "CREATE SCHEMA public")
    connection.close()
    try:
        _run(
            "pg_restore",
            "--no-owner",
            "--no-privileges",
            "--single-transaction",
            "--exit-on-error",
            f"--dbname={connection.settings_dict['NAME']}",
            str(path),
        )
    except BaseException:
        _put_back()
        raise
    _forget_replaced()


def _forget_replaced() -> None:
    _in_one_transaction(f"DROP SCHEMA {BEFORE} CASCADE")


def _put_back() -> None:
    _in_one_transaction("DROP SCHEMA public CASCADE", f"ALTER SCHEMA {BEFORE} RENAME TO public")


def _in_one_transaction(*statements: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def others() -> int:
    """How many other sessions the database has: a site that runs has some."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        return int(cursor.fetchone()[0])


def _run(program: str, *words: str) -> None:
    """Run one of PostgreSQL's programs. The password goes by the environment, which others cannot read."""
    if shutil.which(program) is None:
        raise KeepingError(f"{program} is not installed. Install the Debian package postgresql-client.")
    entry: dict[str, Any] = connection.settings_dict
    found = {
        "PGHOST": entry["HOST"],
        "PGPORT": entry["PORT"],
        "PGUSER": entry["USER"],
        "PGPASSWORD": entry["PASSWORD"],
        "PGDATABASE": entry["NAME"],
        "PGSSLMODE": entry["OPTIONS"].get("sslmode", ""),
        "PGSSLROOTCERT": entry["OPTIONS"].get("sslrootcert", ""),
    }
    environment = {**os.environ, **{name: str(value) for name, value in found.items() if value}}
    done = subprocess.run([program, *words], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise KeepingError(f"{program} failed: {done.stderr.strip()[-500:]}")
