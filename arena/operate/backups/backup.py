"""Writes a backup: one file with the whole database as it was at one moment, while the site goes on."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import tarfile
import tempfile
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final, cast

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

import engine
from arena import __version__
from arena.operate.backups import KeepingError, postgresql
from arena.web.storage.archives import NAME, ArchiveUnreadable, archives, digest_of
from tournaments.models import RecordArchive

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
NAMES: Final = {"sqlite": "arena.sqlite3", "postgresql": "arena.pgdump"}
PAGES: Final = 2_000
"""Pages of SQLite copied at a time; writers get their turn in between."""


@dataclass(frozen=True, slots=True)
class Archived:
    """A file of the archive that belongs to a backup."""

    name: str
    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is in a backup. The files of the archive are in it only if it `holds_archives`."""

    format: int
    release: str
    rules: int
    vendor: str
    made_at: str
    sha256: str
    migrations: list[str]
    archives: list[Archived] = field(default_factory=list)
    holds_archives: bool = True

    @classmethod
    def read(cls, text: bytes) -> Manifest:
        """Read a manifest. Raises KeepingError."""
        try:
            found = cls(**json.loads(text))
            files = [Archived(**one) for one in cast("list[dict[str, Any]]", found.archives)]
        except (ValueError, TypeError):
            raise KeepingError("This is no backup of an arena: its manifest cannot be read.") from None
        if found.format != FORMAT:
            raise KeepingError(f"This backup has format {found.format!r}; this arena reads format {FORMAT}.")
        if not all(NAME.fullmatch(one.name) for one in files):
            raise KeepingError("This is no backup of an arena: it names a file that no archive has.")
        return replace(found, archives=files)


def back_up(target: Path, *, with_archives: bool = True) -> Manifest:
    """Write a backup to `target`, which appears only when it is complete; return what is in it.

    The files of the archive that the database points to are in it, or only their names and hashes.
    """
    if target.exists():
        raise KeepingError(f"{target} exists already. Choose another name.")
    vendor = connection.vendor
    if vendor not in NAMES:
        raise KeepingError(f"Expected SQLite or PostgreSQL, got {vendor!r}.")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".crapette-backup-", dir=target.parent) as folder:
        dumped = Path(folder) / NAMES[vendor]
        before = _archived()
        if vendor == "sqlite":
            _copy_sqlite(dumped)
        else:
            postgresql.dump(dumped)
        # After the database: what was archived meanwhile is too much, and harms nobody.
        archived = _archived()
        if not set(before) <= set(archived):
            raise KeepingError("Files of the archive were removed meanwhile. Make the backup again.")
        manifest = Manifest(
            format=FORMAT,
            release=__version__,
            rules=engine.RULES_VERSION,
            vendor=vendor,
            made_at=timezone.now().isoformat(timespec="seconds"),
            sha256=digest(dumped),
            migrations=migrations(),
            archives=archived,
            holds_archives=with_archives,
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
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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
        for one in manifest.archives if manifest.holds_archives else []:
            _add(archive, one)


def _archived() -> list[Archived]:
    """The sealed files of the archive."""
    if RecordArchive._meta.db_table not in connection.introspection.table_names():
        return []  # a backup before an upgrade
    sealed = RecordArchive.objects.filter(sealed_at__isnull=False)
    return [Archived(*row) for row in sealed.order_by("name").values_list("name", "sha256", "bytes")]


def _add(backup: tarfile.TarFile, one: Archived) -> None:
    """Copy a file of the archive into the backup, compared with its hash. Raises KeepingError."""
    member = tarfile.TarInfo(one.name)
    member.size, member.mode = one.bytes, 0o600
    try:
        found = digest_of(one.name)
        if found != (one.sha256, one.bytes):
            raise KeepingError(
                f"{one.name} of the archive is damaged. Bring it back from an earlier backup, or say"
                " --without-archives."
            )
        with archives().open(one.name) as file:
            backup.addfile(member, file)
    except (ArchiveUnreadable, OSError) as error:
        raise KeepingError(
            f"The archive cannot be read: {error}. Without the records of old games: --without-archives."
        ) from None


def _sync(path: Path) -> None:
    """Have the disk hold what was written: a backup is made for the day of a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
