"""A data folder belongs to one running site: the kernel drops the lock with the process, however it ends."""

import errno
import fcntl
import os
from pathlib import Path
from typing import IO

from arena.web.storage import private_files


class FolderUnusable(Exception):
    """The data folder cannot be had; the message is one sentence for the operator."""


class FolderTaken(FolderUnusable):
    """Another running site holds the data folder."""


class DataFolder:
    """A data folder, locked from ``take`` until the process ends."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: IO[str] | None = None

    def take(self) -> None:
        """Lock the folder and close it to other accounts.

        Raises FolderTaken (who holds it), FolderUnusable (what is wrong with it), or ImproperlyConfigured
        if other accounts can reach it and that cannot be changed.
        """
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            for kept in ("arena.sqlite3", "secret-key"):
                _expect_writable(self.path / kept)
            # Not inherited: the lock must end with this process, not with its last child.
            descriptor = os.open(self.path / "running", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise FolderUnusable(
                f"CRAPETTE_DATA: expected a writable folder, but cannot use {str(self.path)!r}: "
                f"{error.strerror} ({str(error.filename)!r})."
            ) from None
        private_files.close_folder(self.path, "CRAPETTE_DATA")
        file = os.fdopen(descriptor, "r+", encoding="utf-8")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = file.read().strip() or "a process that is still starting"
            file.close()
            raise FolderTaken(
                f"Crapette Arena already runs on {self.path}: {holder}. "
                "Stop it first, or choose another folder with CRAPETTE_DATA."
            ) from None
        self._file = file
        self.describe(f"process {os.getpid()}")

    def release(self) -> None:
        """Unlock the folder; the end of the process does the same."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def describe(self, words: str) -> None:
        """Write into the lock file who holds it, for others who try."""
        if self._file is None:
            raise RuntimeError("expected a folder that is taken")
        self._file.seek(0)
        self._file.truncate()
        self._file.write(words + "\n")
        self._file.flush()


def _expect_writable(path: Path) -> None:
    """Raise OSError if the file exists and cannot be written, for example because another user made it."""
    if path.exists() and not os.access(path, os.R_OK | os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
