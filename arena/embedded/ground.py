"""What must be there before the first page: tables, static files, house bots, a first tournament."""

import hashlib
import importlib.metadata
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def migrate() -> str:
    """Bring the tables up to date; says how many migrations that took."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if not plan:
        return f"{connection.vendor}, up to date"
    call_command("migrate", interactive=False, verbosity=0)
    return f"{connection.vendor}, {len(plan)} migrations applied"


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
    """A digest of every static file's name, size and time, and of the versions that serve them."""
    digest = hashlib.sha256()
    for package in ("django", "whitenoise"):
        digest.update(importlib.metadata.version(package).encode())
    for finder in get_finders():
        for path, storage in finder.list([]):
            state = Path(storage.path(path)).stat()
            digest.update(f"{path}\0{state.st_size}\0{state.st_mtime_ns}\n".encode())
    return digest.hexdigest()
