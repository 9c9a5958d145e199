"""PostgreSQL's own programs, run for the site's database."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

from django.db import connection

from arena.operate.backups import KeepingError

if TYPE_CHECKING:
    from pathlib import Path


def dump(path: Path) -> None:
    """Write the database to a file in PostgreSQL's own compressed format."""
    _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={path}")


def load(path: Path) -> None:
    """Read such a file into an empty database: all of it, or nothing."""
    _run(
        "pg_restore",
        "--no-owner",
        "--no-privileges",
        "--single-transaction",
        "--exit-on-error",
        f"--dbname={connection.settings_dict['NAME']}",
        str(path),
    )


def expect_readable(path: Path) -> None:
    """Raise KeepingError unless `load` is there and knows the format of such a file."""
    _run("pg_restore", "--list", str(path))


def empty() -> None:
    """Drop everything that is in the database."""
    with connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA public CASCADE")
        cursor.execute("CREATE SCHEMA public")
    connection.close()


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
