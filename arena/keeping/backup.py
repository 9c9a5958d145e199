"""Writes a backup: one file with the whole database as it was at one moment, while the site goes on."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import tarfile
import tempfile
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

import engine
from arena import __version__
from arena.keeping import postgresql
from arena.keeping.errors import KeepingError

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
NAMES: Final = {"sqlite": "arena.sqlite3", "postgresql": "arena.pgdump"}
CHUNK: Final = 1 << 20
PAGES: Final = 2_000
"""Pages of SQLite copied at a time; writers get their turn in between."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is in a backup."""

    format: int
    release: str
    rules: int
    vendor: str
    made_at: str
    sha256: str
    migrations: list[str]

    @classmethod
    def read(cls, text: bytes) -> Manifest:
        """Read a manifest. Raises KeepingError."""
        try:
            found = cls(**json.loads(text))
        except (ValueError, TypeError):
            raise KeepingError("This is no backup of an arena: its manifest cannot be read.") from None
        if found.format != FORMAT:
            raise KeepingError(f"This backup has format {found.format!r}; this arena reads format {FORMAT}.")
        return found


def back_up(target: Path) -> Manifest:
    """Write a backup to `target`, which appears only when it is complete; return what is in it."""
    if target.exists():
        raise KeepingError(f"{target} exists already. Choose another name.")
    vendor = connection.vendor
    if vendor not in NAMES:
        raise KeepingError(f"Expected SQLite or PostgreSQL, got {vendor!r}.")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".crapette-backup-", dir=target.parent) as folder:
        dumped = Path(folder) / NAMES[vendor]
        if vendor == "sqlite":
            _copy_sqlite(dumped)
        else:
            postgresql.dump(dumped)
        manifest = Manifest(
            format=FORMAT,
            release=__version__,
            rules=engine.RULES_VERSION,
            vendor=vendor,
            made_at=timezone.now().isoformat(timespec="seconds"),
            sha256=digest(dumped),
            migrations=migrations(),
        )
        packed = Path(folder) / "backup.tar"
        _pack(packed, manifest, dumped)
        _sync(packed)
        packed.rename(target)
    _sync(target.parent)
    return manifest


def migrations() -> list[str]:
    """The migrations that the database has, as ``app.name``."""
    return sorted(".".join(key) for key in MigrationRecorder(connection).applied_migrations())


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            found.update(chunk)
    return found.hexdigest()


def _copy_sqlite(target: Path) -> None:
    """Copy the database by SQLite's online backup: readers and writers go on meanwhile."""
    source = f"file:{connection.settings_dict['NAME']}?mode=ro"
    target.touch(mode=0o600)
    with (
        closing(sqlite3.connect(source, uri=True, timeout=60)) as site,
        closing(sqlite3.connect(target)) as copy,
    ):
        # In one transaction: a busy site would make a copy by pieces begin again with every write.
        site.execute("BEGIN")
        site.execute("SELECT count(*) FROM sqlite_master").fetchone()
        site.backup(copy, pages=PAGES)
        copy.execute("PRAGMA journal_mode = DELETE")


def _pack(target: Path, manifest: Manifest, dumped: Path) -> None:
    """Pack manifest and dump into one file that only its owner can read."""
    head = dumped.with_name(MANIFEST)
    head.write_text(json.dumps(asdict(manifest), indent=1), encoding="utf-8")
    target.touch(mode=0o600)
    with tarfile.open(target, "w") as archive:
        archive.add(head, MANIFEST)
        archive.add(dumped, dumped.name)


def _sync(path: Path) -> None:
    """Have the disk hold what was written: a backup is made for the day of a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
