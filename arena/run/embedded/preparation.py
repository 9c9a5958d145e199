"""What must be there before the first page: tables, static files, house bots.

Bringing it up to date takes 85 MB that a process never gives back, so the one that serves pages only looks
whether there is anything to do, and the worker beside it does it.
"""

import hashlib
import importlib.metadata
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.exceptions import NodeNotFoundError
from django.db.migrations.recorder import MigrationRecorder

from arena.run.embedded.database_tables import create_tables, newer_migrations, tables_are_current
from bots.house_bots import register_house_bots


def is_up_to_date() -> bool:
    """Whether the tables and static files are there as this version of the code wants them."""
    return tables_are_current() and static_is_current()


def migrate() -> str:
    """Bring the tables up to date, and say how many migrations that took.

    Raises ImproperlyConfigured if the file is not a database, or comes from a newer version of the arena.
    """
    if tables_are_current():
        return f"{connection.vendor}, up to date"
    name = str(connection.settings_dict["NAME"])
    try:
        if create_tables():
            return f"{connection.vendor}, tables created"
        applied = set(MigrationRecorder(connection).applied_migrations())
    except DatabaseError as error:
        raise ImproperlyConfigured(
            f"CRAPETTE_DATA: expected a database of the arena, but cannot use {name!r}: {error}."
        ) from error
    if newer := newer_migrations(applied):
        raise ImproperlyConfigured(
            f"{name!r} was written by a newer version of the arena, which knows {newer[-1]}:"
            " start that version, or choose another folder with CRAPETTE_DATA."
        )
    try:
        call_command("migrate", interactive=False, verbosity=0)
    except NodeNotFoundError as error:
        raise ImproperlyConfigured(
            f"{name!r} is of a version before the first release and was not upgraded to the last of these:"
            " choose another folder with CRAPETTE_DATA."
        ) from error
    return f"{connection.vendor}, upgraded"


def register_bots() -> str:
    """Bring the house bots up to date with their files."""
    found = register_house_bots()
    absent = [f"{one.name} {one.reason}" for one in found if one.left_out]
    new = sum(one.version is not None for one in found)
    return "; ".join((f"{len(found) - len(absent)}, {new} of them new", *absent))


def collect_static() -> str:
    """Collect the static files under their hashed names, if any changed since the last time."""
    if static_is_current():
        return "up to date"
    mark = _mark()
    mark.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0)
    mark.write_text(_static_digest(), encoding="ascii")
    return "collected"


def static_is_current() -> bool:
    """Whether the static files were collected as they are now."""
    mark = _mark()
    return mark.exists() and mark.read_text(encoding="ascii") == _static_digest()


def _mark() -> Path:
    """The file that says of what the collected files were made."""
    return Path(settings.STATIC_ROOT) / "collected"


def _static_digest() -> str:
    """A digest of every static file's name, size and time, and of what collects and serves them.

    With `CRAPETTE_DEBUG` files are collected without hashed names, which an arena without it cannot serve.
    """
    digest = hashlib.sha256(settings.STORAGES["staticfiles"]["BACKEND"].encode())
    for package in ("django", "whitenoise"):
        digest.update(importlib.metadata.version(package).encode())
    for finder in get_finders():
        for path, storage in finder.list([]):
            state = Path(storage.path(path)).stat()
            digest.update(f"{path}\0{state.st_size}\0{state.st_mtime_ns}\n".encode())
    return digest.hexdigest()
