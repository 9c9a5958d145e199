"""``./crapette worker SECRET``: this machine plays games for a site, until it is told to end.

The secret is kept in the data folder, so the next start needs none. It never stays on the command line, where
every account of the machine could read it.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Final, NoReturn

from django.core.exceptions import ImproperlyConfigured

from arena import env
from arena.web.storage import private_files
from arena.web.worker_access import WorkerSecret, WrongSecret
from sandbox import inherited_signals

FILE: Final = "worker-secret"
VARIABLE: Final = "CRAPETTE_WORKER_SECRET"
ROOT: Final = Path(__file__).resolve().parents[2]


def main(arguments: list[str] | None = None) -> int:
    """Join and play; returns only if that is impossible, with exit code 4."""
    inherited_signals.accept()
    parser = argparse.ArgumentParser(
        prog="./crapette worker", description="Play games for a site on another machine."
    )
    parser.add_argument(
        "secret",
        nargs="?",
        help="what manage.py worker_secret printed there; - reads it from standard input; without it, that in"
        f" {VARIABLE} or the last one",
    )
    parser.add_argument(
        "--games", type=int, metavar="N", help="games to play at once (default: one per core)"
    )
    parser.add_argument("--check", action="store_true", help="only see whether this machine could play")
    asked = parser.parse_args(arguments)
    try:
        folder = env.make_folder(env.folder("CRAPETTE_DATA", ROOT / "var"), "CRAPETTE_DATA")
        private_files.close_folder(folder, "CRAPETTE_DATA")
        secret = _secret(asked.secret, folder / FILE)
        _set(secret, asked.games)
        problem = _problem()
    except (WrongSecret, ImproperlyConfigured) as error:
        problem = str(error)
    if problem:
        sys.stderr.write(f"crapette worker: {problem}\n")
        return 4
    sys.stdout.write(f"{_joined()}\n")
    sys.stdout.flush()
    if asked.check:
        return 0
    # A new process, whose command line shows no secret.
    return _play()


def _play() -> NoReturn:
    os.execv(sys.executable, [sys.executable, "-m", "arena.run.worker", "--keep", "games"])  # noqa: S606


def _secret(given: str | None, kept: Path) -> WorkerSecret:
    """The secret that was given, else the one that was kept. A good one is kept."""
    word = sys.stdin.readline() if given == "-" else given or os.environ.get(VARIABLE, "")
    if not word:
        if not kept.exists():
            raise WrongSecret(
                "This machine has joined no site yet. Run manage.py worker_secret where the site runs, then"
                " ./crapette worker SECRET here."
            )
        word = kept.read_text(encoding="ascii")
    secret = WorkerSecret.parse(word)
    aside = kept.with_name(f"{kept.name}.{os.getpid()}")
    aside.touch(mode=0o600)
    aside.write_text(secret.word(), encoding="ascii")
    aside.replace(kept)
    return secret


def _set(secret: WorkerSecret, games: int | None) -> None:
    """Put what the worker reads into the environment. Nothing it does needs the site's own secret key."""
    folder = env.folder("CRAPETTE_DATA", ROOT / "var")
    os.environ.pop(VARIABLE, None)
    os.environ.update(
        CRAPETTE_MODE="production",
        CRAPETTE_SECRET_KEY=env.kept_secret(folder / private_files.SECRET_NAME),
        CRAPETTE_HOSTS="worker.invalid",
        DATABASE_URL=secret.database,
        REDIS_URL=secret.redis,
        DJANGO_SETTINGS_MODULE="arena.settings",
    )
    if games is not None:
        os.environ["CRAPETTE_GAMES_AT_ONCE"] = str(games)


def _problem() -> str:
    """Why this machine cannot play for that site, or nothing."""
    import django  # noqa: PLC0415 (the settings read the environment)

    django.setup()
    from django.db import Error, connection  # noqa: PLC0415
    from django.db.migrations.loader import MigrationLoader  # noqa: PLC0415
    from kombu.exceptions import OperationalError  # noqa: PLC0415

    from arena.celery import app as celery  # noqa: PLC0415

    try:
        connection.ensure_connection()
        loader = MigrationLoader(connection)
    except Error as error:
        return f"The site's database does not let this machine in: {str(error).strip()}"
    missing = sorted(set(loader.disk_migrations) - set(loader.applied_migrations))
    if missing:
        app, name = missing[0]
        return (
            f"This clone is newer than the site: its database lacks {app} {name} and {len(missing) - 1} more."
            " Upgrade the site, or check out the version that it runs."
        )
    try:
        with celery.connection_for_write() as link:
            link.ensure_connection(max_retries=1, timeout=5)
    except (OperationalError, OSError) as error:
        return f"The site's Redis does not let this machine in: {error}"
    finally:
        connection.close()
    return ""


def _joined() -> str:
    """What the operator reads once the machine has joined."""
    from django.conf import settings  # noqa: PLC0415

    where = settings.DATABASES["default"]["HOST"]
    count = settings.GAMES_AT_ONCE
    return (
        f"{settings.HOST_NAME} plays {count} game{'s' if count != 1 else ''} at once for the site at {where}."
        f" Ctrl-C or SIGTERM lets games end for {settings.DRAIN_SECONDS} s, then gives them back."
    )


if __name__ == "__main__":
    sys.exit(main())
