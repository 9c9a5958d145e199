"""Files that hold passwords, sessions and secrets: for the account that runs the site, and no other."""

import os
import stat
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

FOLDER_MODE = 0o700
FILE_MODE = 0o600
OTHERS = 0o077
SECRET_NAME = "secret-key"  # noqa: S105 (the name of the file, not what is in it)
# SQLite gives these the mode of the database when it makes them; older ones may be looser.
SQLITE_SUFFIXES = ("", "-wal", "-shm", "-journal")


def close_folder(folder: Path, name: str) -> None:
    """Make `folder` and the files directly in it private; `name` is the variable that chose it.

    The site's secret key may lie elsewhere and only be linked here; other links lead to what is not the
    site's. What an earlier version of the site left open is closed. Raises ImproperlyConfigured where that is
    impossible.
    """
    _close(folder, name)
    try:
        found = [
            path
            for path in folder.iterdir()
            if path.is_file() and (path.name == SECRET_NAME or not path.is_symlink())
        ]
    except OSError as error:
        raise ImproperlyConfigured(
            f"{name}: {str(folder)!r} cannot be read: {error.strerror}. Give it to the account that runs"
            " the site, or choose another folder."
        ) from None
    for path in found:
        _close(path, name)


def close_sqlite(database: Path, name: str) -> None:
    """Make an SQLite database private, and the files beside it; one that is missing is created so."""
    try:
        os.close(os.open(database, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, FILE_MODE))
    except OSError as error:
        raise ImproperlyConfigured(
            f"{name}: the database {str(database)!r} cannot be opened: {error.strerror}."
        ) from None
    real = database.resolve()  # SQLite keeps its log beside the file, not beside a link to it
    for suffix in SQLITE_SUFFIXES:
        path = real.with_name(real.name + suffix)
        if path.exists():
            _close(path, name)


def _close(path: Path, name: str) -> None:
    """Take all rights of other accounts; raise ImproperlyConfigured if they keep any."""
    reason = "its file system keeps no modes"
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        if not mode & OTHERS:
            return
        path.chmod(mode & ~OTHERS)
        mode = stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:  # SQLite removes its log when the last connection closes
        return
    except OSError as error:
        reason = error.strerror or str(error)
    if mode & OTHERS:
        wanted = FOLDER_MODE if path.is_dir() else FILE_MODE
        raise ImproperlyConfigured(
            f"{name}: other accounts of this machine can reach {str(path)!r} (mode {mode:o}), and this one"
            f" cannot stop them: {reason}. Run chmod {wanted:o} on it, or choose another folder."
        )
