"""``./crapette tables``: writes the tables that a first start makes at once (`arena/embedded/tables.py`)."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from arena.embedded.tables import FILE, script_of
from tests.run.steps import ROOT
from tests.site import clean_environment


def migrated(data: Path) -> str:
    """The script of a database to which every migration was applied, made in an empty folder."""
    command = [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env={**clean_environment(), "CRAPETTE_DATA": str(data)}, check=True)
    with closing(sqlite3.connect(data / "arena.sqlite3")) as database:
        return script_of(database)


def main() -> int:
    """Write the file; 0 when done."""
    with tempfile.TemporaryDirectory(prefix="crapette-tables-") as name:
        FILE.write_text(migrated(Path(name)), encoding="utf-8")
    sys.stdout.write(f"Wrote {FILE.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
