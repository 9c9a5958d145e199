"""``./crapette backup``, ``restore`` and ``move-to``."""

from __future__ import annotations

import argparse
import os
import sqlite3
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from django.core.exceptions import ImproperlyConfigured

from arena import env

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[3]


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="./crapette", description="Keep a site's data.")
    commands = parser.add_subparsers(dest="command", required=True)
    backup = commands.add_parser("backup", help="write the whole database to one file, while the site runs")
    backup.add_argument("file", nargs="?", type=Path, help="where to (crapette-DATE.tar)")
    backup.add_argument(
        "--without-archives",
        action="store_true",
        help="leave out the records of old games that are in the archive; name their files only",
    )
    restore = commands.add_parser("restore", help="make the database what it was; stop the site first")
    restore.add_argument("file", type=Path)
    restore.add_argument("--replace", action="store_true", help="replace the data that is there")
    move = commands.add_parser("move-to", help="copy a site on SQLite to PostgreSQL; stop the site first")
    move.add_argument("url", help="postgresql://user:password@host:port/name, an empty database")
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> int:
    """Do what is asked; 0 if it was done, 1 with one sentence if it was not."""
    asked = arguments(words)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
    import django  # noqa: PLC0415
    from django.db import OperationalError  # noqa: PLC0415

    from arena.operate.backups import KeepingError  # noqa: PLC0415
    from arena.run.embedded.folder import FolderUnusable  # noqa: PLC0415

    try:
        django.setup()
        if asked.command == "backup":
            return _backup(asked.file, with_archives=not asked.without_archives)
        with _stopped():
            return (
                _restore(asked.file, replace=asked.replace)
                if asked.command == "restore"
                else _move(asked.url)
            )
    except (
        *(KeepingError, FolderUnusable, ImproperlyConfigured),
        *(OSError, OperationalError, sqlite3.Error),
    ) as error:
        sys.stderr.write(f"crapette {asked.command}: {error}\n")
        return 1


def _backup(target: Path | None, *, with_archives: bool) -> int:
    from arena.operate.backups.backup import back_up  # noqa: PLC0415

    begun = time.monotonic()
    target = target or Path(f"crapette-{time.strftime('%Y-%m-%d-%H%M%S')}.tar")
    manifest = back_up(target, with_archives=with_archives)
    size = target.stat().st_size / 1e6
    took = time.monotonic() - begun
    sys.stdout.write(
        f"{target}: {size:.1f} MB of {manifest.vendor}, in {took:.1f} s. Bots' files are in it.\n"
    )
    if manifest.archives:
        place = "are in it" if with_archives else "are not in it: keep them elsewhere"
        sys.stdout.write(f"{len(manifest.archives)} files of the archive {place}.\n")
    return 0


def _restore(source: Path, *, replace: bool) -> int:
    from arena.operate.backups.audits import audits  # noqa: PLC0415
    from arena.operate.backups.restore import restore  # noqa: PLC0415

    manifest = restore(source, replace=replace)
    from django.core.management import call_command  # noqa: PLC0415

    call_command("migrate", interactive=False, verbosity=0)
    # On tables that are new nobody but their owner has rights.
    call_command("worker_secret", grants_only=True)
    found = audits()
    sys.stdout.write(f"Restored the {manifest.vendor} database of {manifest.made_at}.\n")
    differences = [f"{variant}: {one}" for variant, lines in found.items() for one in lines]
    sys.stdout.write(
        "Everything that can be counted again was, without a difference.\n"
        if not differences
        else "Counted again, with differences:\n" + "".join(f"  {one}\n" for one in differences[:20])
    )
    return 1 if differences else 0


def _move(url: str) -> int:
    from arena.operate.backups.move import move_to  # noqa: PLC0415

    move_to(url, lambda words: sys.stdout.write(words + "\n"))
    return 0


@contextmanager
def _stopped() -> Iterator[None]:
    """Hold the data folder, so that no embedded site can start on it meanwhile."""
    from arena.run.embedded.folder import DataFolder  # noqa: PLC0415

    folder = DataFolder(env.folder("CRAPETTE_DATA", ROOT / "var"))
    folder.take()
    try:
        yield
    finally:
        folder.release()


if __name__ == "__main__":
    sys.exit(main())
