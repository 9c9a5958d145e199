"""The database's tables: created at once in an empty database, and which migrations this code knows."""

from __future__ import annotations

import hashlib
import pkgutil
from pathlib import Path
from typing import TYPE_CHECKING

from django.apps import apps
from django.conf import settings
from django.core.management.sql import emit_post_migrate_signal
from django.db import DatabaseError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

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
