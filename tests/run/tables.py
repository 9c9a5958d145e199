"""``./crapette tables``: writes the tables that a first start makes at once (`arena/embedded/tables.py`)."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.embedded.tables import FILE
from tests.run.steps import ROOT
from tests.site import clean_environment

if TYPE_CHECKING:
    from collections.abc import Iterable

APPLIED: Final = re.compile(r"""INSERT INTO "django_migrations" VALUES\(\d+,('[^']+'),('[^']+'),.*\);""")
NOW: Final = 'INSERT INTO "django_migrations" ("app", "name", "applied") VALUES({}, {}, CURRENT_TIMESTAMP);'
"""When a database was made is no matter of the file."""
ORDER: Final = ("CREATE TABLE", "INSERT INTO", "CREATE")
"""Rows come after all tables they may refer to, and before triggers, which would count them as changes."""


def migrated(data: Path) -> str:
    """The script of a database to which every migration was applied, made in an empty folder."""
    command = [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env={**clean_environment(), "CRAPETTE_DATA": str(data)}, check=True)
    with closing(sqlite3.connect(data / "arena.sqlite3")) as database:
        return script_of(database)


def script_of(database: sqlite3.Connection) -> str:
    """The script that makes the tables and rows of a database again, always the same for the same tables."""
    return "".join(f"{one}\n" for one in _sorted(database.iterdump()))


def _sorted(dumped: Iterable[str]) -> list[str]:
    parts: dict[str, list[str]] = {start: [] for start in ORDER}
    for statement in dumped:
        start = next((one for one in ORDER if statement.startswith(one)), "")
        if start and '"sqlite_sequence"' not in statement:  # SQLite counts on from the rows themselves
            parts[start].append(APPLIED.sub(lambda found: NOW.format(*found.groups()), statement))
    return [statement for start in ORDER for statement in parts[start]]


def main() -> int:
    """Write the file; 0 when done."""
    with tempfile.TemporaryDirectory(prefix="crapette-tables-") as name:
        FILE.write_text(migrated(Path(name)), encoding="utf-8")
    sys.stdout.write(f"Wrote {FILE.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
