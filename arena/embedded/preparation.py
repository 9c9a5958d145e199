"""What must be there before the first page: tables, static files, house bots."""

import hashlib
import importlib.metadata
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from bots.services import register_house_bots

OWN_APPS = ("accounts", "common", "notices", "bots", "tournaments")


def migrate() -> str:
    """Bring the tables up to date, and say how many migrations that took.

    Raises ImproperlyConfigured if the file is not a database, or comes from a newer version of the arena.
    """
    name = connection.settings_dict["NAME"]
    try:
        executor = MigrationExecutor(connection)
    except DatabaseError as error:
        raise ImproperlyConfigured(
            f"CRAPETTE_DATA: expected a database of the arena, but cannot use {str(name)!r}: {error}."
        ) from error
    unknown = set(executor.loader.applied_migrations) - set(executor.loader.disk_migrations)
    newer = sorted(".".join(key) for key in unknown if key[0] in OWN_APPS)
    if newer:
        raise ImproperlyConfigured(
            f"{str(name)!r} was written by a newer version of the arena, which knows {newer[-1]}:"
            " start that version, or choose another folder with CRAPETTE_DATA."
        )
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if not plan:
        return f"{connection.vendor}, up to date"
    call_command("migrate", interactive=False, verbosity=0)
    return f"{connection.vendor}, {len(plan)} migrations applied"


def register_bots() -> str:
    """Bring the house bots up to date with their files."""
    found = register_house_bots()
    absent = [f"{one.name} {one.reason}" for one in found if one.left_out]
    new = sum(one.version is not None for one in found)
    return "; ".join((f"{len(found) - len(absent)}, {new} of them new", *absent))


def collect_static() -> str:
    """Collect the static files under their hashed names, if any changed since the last time."""
    mark = Path(settings.STATIC_ROOT) / "collected"
    now = _static_digest()
    if mark.exists() and mark.read_text(encoding="ascii") == now:
        return "up to date"
    mark.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0)
    mark.write_text(now, encoding="ascii")
    return "collected"


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
