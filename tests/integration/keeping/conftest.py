"""The commands that keep a site's data, and a site that they restored."""

import lzma
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from tests import servers
from tests.site import ROOT, clean_environment

BACKUPS = ROOT / "tests/backups"
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
    with closing(sqlite3.connect(f"file:{data}/arena.sqlite3?mode=ro", uri=True)) as database:
        return database.execute(query).fetchall()


def new_database(server: str, name: str) -> str:
    """The URL of an empty database of a PostgreSQL server."""
    with psycopg.connect(server, autocommit=True) as link:
        link.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        link.execute(f"CREATE DATABASE {name}")
    return server.replace("/postgres?", f"/{name}?")


def unpacked(vendor: str, folder: Path) -> Path:
    """The backup of the site on this database."""
    file = folder / f"{vendor}.tar"
    file.write_bytes(lzma.decompress((BACKUPS / f"{vendor}.tar.xz").read_bytes()))
    return file


@pytest.fixture(scope="session")
def restored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a site that had played, as it was restored by today's version; only to be copied."""
    folder = tmp_path_factory.mktemp("restored")
    done = keep(folder / "data", "restore", str(unpacked("sqlite", folder)))
    assert (done.returncode, "without a difference" in done.stdout) == (0, True), done.stderr
    return folder / "data"
