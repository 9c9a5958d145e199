"""A data folder as a site's first start leaves it, made once and copied to the sites that tests start.

Making its tables, collecting its files, registering the house bots and writing the API's document is most of
a site's first start. Tests of the first start itself give their site an empty folder.

The folder holds a set of probes without a question. Otherwise the first upload to each site would have it
start some two thousand sandboxes, to ask the new bot and every house bot about near-twins. The tests in
`integration/tournaments/test_twins.py` ask real bots real questions.
"""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Final, TextIO

from tests.site import ROOT, clean_environment

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SHARED: Final = "CRAPETTE_TEST_SHARED"
"""The variable that names a folder which all steps of a run of the tests share."""
MAKE: Final = """
from arena.api.prepared import document
from arena.run.embedded import preparation
from tournaments.models import ProbeSet
preparation.migrate()
TABLES_ARE_MADE
preparation.collect_static()
preparation.register_bots()
ProbeSet.objects.create(edition=1, games=[])
document()
"""
KEEP: Final = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("VACUUM INTO %s", [{file!r}])
"""
"""Copies the tables to a file while the site's database has nothing else."""
OWN: Final = ("running", "secret-key")
"""What each site makes for itself."""


class Tables:
    """A SQLite database with every migration and nothing else: to apply them takes four seconds each time."""

    def __init__(self, place: Path) -> None:
        self._file = place / "tables.sqlite3"
        self._lock = place / "tables.lock"
        self._held: TextIO | None = None

    def copy(self, to: Path) -> bool:
        """Copy it, if it has been made; otherwise all others wait until the caller has made and kept it."""
        self._held = self._lock.open("w")
        fcntl.flock(self._held, fcntl.LOCK_EX)
        if not self._file.exists():
            return False
        shutil.copyfile(self._file, to)
        to.chmod(0o600)
        self._let_go()
        return True

    def keep(self, save: Callable[[Path], object]) -> None:
        """Have it saved under the name that is given, for others to copy."""
        new = self._file.with_suffix(".new")
        new.unlink(missing_ok=True)
        save(new)
        new.rename(self._file)
        self._let_go()

    def _let_go(self) -> None:
        if self._held is not None:
            self._held.close()


class Prepared:
    """The data folder, made in a place when it is first wanted; another process may have made it there."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._data = place / "data"

    def copy(self, to: Path) -> Path:
        """Copy everything to a new folder; return the folder."""
        self._make()
        shutil.copytree(self._data, to, ignore=shutil.ignore_patterns(*OWN))
        to.chmod(0o700)
        return to

    def _make(self) -> None:
        with (self._place / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if (self._place / "made").exists():
                return
            shutil.rmtree(self._data, ignore_errors=True)
            self._data.mkdir(mode=0o700)
            tables = Tables(self._place)
            if tables.copy(self._data / "arena.sqlite3"):
                self._run(MAKE.replace("TABLES_ARE_MADE", ""))
            else:
                tables.keep(
                    lambda file: self._run(MAKE.replace("TABLES_ARE_MADE", KEEP.format(file=str(file))))
                )
            (self._place / "made").touch()

    def _run(self, code: str) -> None:
        done = subprocess.run(
            [sys.executable, "manage.py", "shell", "--no-imports", "-c", code],
            cwd=ROOT,
            env={**clean_environment(), "CRAPETTE_DATA": str(self._data)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
