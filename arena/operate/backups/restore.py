"""Restores a backup: the database becomes what it was, or stays what it is."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import sqlite3
import tarfile
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.core.files import File
from django.db import DatabaseError, connection

from arena.operate.backups import KeepingError, postgresql
from arena.operate.backups.backup import MANIFEST, NAMES, Archived, Manifest, digest
from arena.run.embedded.preparation import newer_migrations
from arena.web.storage.archives import ArchiveUnreadable, archives, digest_of

if TYPE_CHECKING:
    from collections.abc import Iterator

IN_USE: Final = "Others use this database. Stop every process of the site first."
BESIDE: Final = ("-wal", "-shm", "-journal")
MOST_MANIFEST: Final = 64 << 20
"""Bytes: it names every file of the archive."""


def restore(source: Path, *, replace: bool = False) -> Manifest:
    """Put a backup in the place of the database; return what was in it.

    Raises KeepingError if it is damaged, from a newer arena or from another kind of database, or if there is
    data already and `replace` is not said. The site must not run.
    """
    with tempfile.TemporaryDirectory(prefix=".crapette-restore-", dir=_room()) as folder:
        manifest, dumped = _unpack(source, Path(folder))
        _expect_suitable(manifest)
        if not replace and _has_data():
            raise KeepingError(
                "The site has data already, which the backup would replace. Make a backup of it, then say"
                " --replace."
            )
        # First: they harm nobody, and the database must not point to what is not there.
        _put_archives(source, manifest)
        if manifest.vendor == "sqlite":
            _put_sqlite(dumped)
        else:
            _put_postgresql(dumped)
    return manifest


def _room() -> Path | None:
    """Where the backup is unpacked: beside an SQLite database, so that it can be renamed into place."""
    if connection.vendor == "sqlite":
        return Path(connection.settings_dict["NAME"]).resolve().parent
    return None


def _unpack(source: Path, folder: Path) -> tuple[Manifest, Path]:
    """The manifest of a backup and its dump, compared with the hash in the manifest."""
    try:
        with tarfile.open(source, "r:") as archive:
            head = archive.extractfile(archive.getmember(MANIFEST))
            if head is None:
                raise KeyError(MANIFEST)
            manifest = Manifest.read(head.read(MOST_MANIFEST))
            name = NAMES.get(manifest.vendor, "")
            packed = archive.extractfile(archive.getmember(name))
            if packed is None:
                raise KeyError(name)
            dumped = folder / name
            with dumped.open("xb") as file:
                shutil.copyfileobj(packed, file)
    except FileNotFoundError:
        raise KeepingError(f"There is no file {source}.") from None
    except (tarfile.TarError, KeyError, OSError) as error:
        raise KeepingError(f"{source} is no backup of an arena, or it is cut off: {error}") from None
    if digest(dumped) != manifest.sha256:
        raise KeepingError(f"{source} is damaged: its database is not what was written. Nothing was changed.")
    return manifest, dumped


def _put_archives(source: Path, manifest: Manifest) -> None:
    """Have every file of the archive in its storage, from the backup where it is not there.

    Each name is used once, so a file of that name with other bytes is damaged, and is replaced. Raises
    KeepingError.
    """
    with tarfile.open(source, "r:") as backup:
        for one in manifest.archives:
            if _is_there(one):
                continue
            if not manifest.holds_archives:
                raise KeepingError(
                    f"This backup was made without the archive, and {one.name} is not there. Put the archive"
                    " in its place first. Nothing was changed."
                )
            _put_archive(backup, one)


def _is_there(one: Archived) -> bool:
    try:
        return archives().exists(one.name) and digest_of(one.name) == (one.sha256, one.bytes)
    except (ArchiveUnreadable, OSError) as error:
        raise KeepingError(f"The archive cannot be read: {error}. Nothing was changed.") from None


def _put_archive(backup: tarfile.TarFile, one: Archived) -> None:
    damaged = KeepingError(f"{one.name} in this backup is damaged. The database was not changed.")
    try:
        packed = backup.extractfile(backup.getmember(one.name))
        # What is there may be damaged in part alone: only what is whole takes its place.
        if (
            not isinstance(packed, io.BufferedReader)
            or hashlib.file_digest(packed, "sha256").hexdigest() != one.sha256
        ):
            raise damaged
        packed.seek(0)
        archives().delete(one.name)
        archives().save(one.name, File(packed, one.name))
    except (KeyError, tarfile.TarError) as error:
        raise damaged from error
    except (ArchiveUnreadable, OSError) as error:
        raise KeepingError(f"The archive cannot be written: {error}. The database was not changed.") from None
    if not _is_there(one):
        archives().delete(one.name)
        raise damaged


def _expect_suitable(manifest: Manifest) -> None:
    """Raise KeepingError if this arena cannot use the backup."""
    if manifest.vendor != connection.vendor:
        raise KeepingError(
            f"This backup is of {manifest.vendor}, and this site uses {connection.vendor}. Restore it to a"
            f" site on {manifest.vendor}; ./crapette move-to carries a site to PostgreSQL."
        )
    parts = (one.partition(".") for one in manifest.migrations)
    newer = newer_migrations((app, name) for app, _, name in parts)
    if newer:
        raise KeepingError(
            f"This backup is of a newer arena ({manifest.release}), which knows {newer[-1]}. Restore it with"
            " that version."
        )


def _has_data() -> bool:
    """Whether anything was ever stored in the database, as far as it can be read."""
    try:
        tables = set(connection.introspection.table_names())
    except DatabaseError:
        if connection.vendor != "sqlite":
            raise
        return True  # a damaged file, from which something may be saved
    if "bots_bot" not in tables:
        return False
    return any(_filled(sorted(tables & {"accounts_user", "bots_bot", "tournaments_tournament"})))


def _filled(tables: list[str]) -> Iterator[bool]:
    for table in tables:
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT 1 FROM "{table}" LIMIT 1')  # noqa: S608 (our own names)
            yield cursor.fetchone() is not None


def _put_sqlite(dumped: Path) -> None:
    """Examine the copy and rename it into place: a power cut leaves the old database or the new one."""
    with closing(sqlite3.connect(dumped)) as copy:
        verdict = copy.execute("PRAGMA quick_check").fetchone()[0]
    if verdict != "ok":
        raise KeepingError(f"The database in this backup is damaged: {verdict}. Nothing was changed.")
    connection.close()
    database = Path(connection.settings_dict["NAME"]).resolve()
    dumped.chmod(0o600)
    # The old log belongs to the old database; empty, it does no harm to the new one.
    try:
        with closing(sqlite3.connect(database, timeout=5)) as old:
            old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            old.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise KeepingError(IN_USE) from None
        # It is damaged, which may be why it is replaced.
    for suffix in BESIDE:
        database.with_name(database.name + suffix).unlink(missing_ok=True)
    os.replace(dumped, database)  # noqa: PTH105 (the words of POSIX: atomic)


def _put_postgresql(dumped: Path) -> None:
    if postgresql.others():
        raise KeepingError(IN_USE)
    postgresql.replace(dumped)
