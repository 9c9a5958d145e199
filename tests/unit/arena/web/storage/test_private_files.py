"""The data folder is for the account that runs the site, and no other."""

import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[5]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def started(data: Path) -> subprocess.CompletedProcess[str]:
    """A process that reads the settings with this data folder, under the usual umask."""
    command = [sys.executable, "-c", "import os; os.umask(0o022); from arena import settings"]
    environment = {"PATH": os.environ["PATH"], "CRAPETTE_DATA": str(data)}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_a_new_site_keeps_its_folder_database_and_secret_to_itself(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert started(data).returncode == 0
    with closing(sqlite3.connect(data / "arena.sqlite3")) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE passwords (hash text)")
        beside = {path.name: mode(path) for path in data.iterdir() if path.is_file()}
    names = ("arena.sqlite3", "arena.sqlite3-shm", "arena.sqlite3-wal", "secret-key")
    assert beside == dict.fromkeys(names, 0o600)
    assert mode(data) == 0o700


def test_a_site_that_was_open_to_others_is_closed_at_its_next_start_also_where_links_lead(
    tmp_path: Path,
) -> None:
    disk, data = tmp_path / "disk", tmp_path / "data"
    disk.mkdir(mode=0o755)
    data.mkdir(mode=0o755)
    (data / "running").touch(mode=0o644)
    for name in ("arena.sqlite3", "arena.sqlite3-wal", "arena.sqlite3-shm", "secret-key"):
        (disk / name).write_text("x" * 60 if name == "secret-key" else "")
        (disk / name).chmod(0o644)
        if name in ("arena.sqlite3", "secret-key"):
            (data / name).symlink_to(disk / name)
    assert started(data).returncode == 0
    assert {mode(path) for path in (*disk.iterdir(), data / "running")} == {0o600}
    assert (mode(disk), mode(data)) == (0o755, 0o700)
