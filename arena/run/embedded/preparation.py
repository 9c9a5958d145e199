"""What must be there before the first page: tables, static files, house bots.

Bringing it up to date takes 85 MB that a process never gives back, so the one that serves pages only looks
whether there is anything to do, and the worker beside it does it.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import pkgutil
from pathlib import Path
from typing import TYPE_CHECKING

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.sql import emit_post_migrate_signal
from django.db import DatabaseError, connection, transaction
from django.db.migrations.exceptions import NodeNotFoundError
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from bots.house_bots import register_house_bots

if TYPE_CHECKING:
    from collections.abc import Iterable


def create_tables() -> bool:
    """Create the tables of an empty SQLite database from the models; False if it has any.

    Applying the migrations one by one takes Django 4 seconds, as it builds every model again for each of
    them; this takes a tenth of that, and a test compares the results. Each migration is recorded as applied.
    """
    if connection.vendor != "sqlite" or connection.introspection.table_names():
        return False
    # All or nothing, also if the power fails. SQLite takes this only outside of a transaction.
    connection.disable_constraint_checking()
    try:
        with transaction.atomic():
            if connection.introspection.table_names():
                return False  # another process was first
            with connection.schema_editor() as editor:
                for model in apps.get_models():
                    if model._meta.can_migrate(connection):
                        editor.create_model(model)
            recorder = MigrationRecorder(connection)
            recorder.ensure_schema()
            for app, name in sorted(_known_migrations()):
                recorder.record_applied(app, name)
            emit_post_migrate_signal(0, False, connection.alias)
    finally:
        connection.enable_constraint_checking()
    return True


def tables_are_current() -> bool:
    """Whether the database has every migration on disk, and none that only a newer arena knows.

    False also if the database cannot be read: whoever then brings it up to date finds out what is wrong.
    """
    try:
        applied = set(MigrationRecorder(connection).applied_migrations())
    except DatabaseError:
        return False
    here = _names_on_disk()
    # What a migration replaces it says itself, and to read them all takes 40 ms: what was found is kept.
    names = hashlib.sha256(repr((sorted(applied), sorted(here))).encode()).hexdigest()
    mark = Path(settings.DATA_DIR, "tables")
    if mark.exists() and mark.read_text(encoding="ascii") == names:
        return True
    current = here <= applied and not newer_migrations(applied)
    if current:
        mark.write_text(names, encoding="ascii")
    return current


def _names_on_disk() -> set[tuple[str, str]]:
    """The labels of apps and the names of their migrations, as the names of files tell."""
    found = set()
    for app in apps.get_app_configs():
        folder = Path(app.path, "migrations")
        names = (name for _, name, is_package in pkgutil.iter_modules([str(folder)]) if not is_package)
        found |= {(app.label, name) for name in names if name[0] not in "_~"}
    return found


def newer_migrations(applied: Iterable[tuple[str, str]]) -> list[str]:
    """Those of some migrations that only a newer version of the arena can know, as ``app.name``.

    A migration that another one replaces is known by the one that replaces it. Apps that are not installed
    any more count for nothing.
    """
    known = _known_migrations()
    labels = {label for label, _ in known}
    return sorted(f"{label}.{name}" for label, name in set(applied) - known if label in labels)


def _known_migrations() -> set[tuple[str, str]]:
    """The migrations on disk and those that they replace."""
    on_disk = MigrationLoader(None).disk_migrations
    return set(on_disk).union(*(migration.replaces for migration in on_disk.values()))


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
