"""Where records of old games are kept once they leave the database: files in a folder or in a bucket."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from django.core.files.storage import FileSystemStorage, storages
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django.core.files import File

ALIAS: Final = "archives"
NAME: Final = re.compile(r"records/\d{4}-\d{2}/[0-9a-f]{32}\.zip")
"""What a file of the archive is called. Names from a backup are compared with it."""
CHUNK: Final = 1 << 20


class ArchiveUnreadable(Exception):
    """A file of the archive is missing, damaged or out of reach; the text names it, for the operator."""

    code = "archive"
    sentence = gettext_lazy(
        "The record of this game is in the archive, which cannot be read at the moment. Try again later."
    )
    """For whoever asked."""


class Archives(Protocol):
    """A storage of Django's that can also give a piece of a file."""

    def piece(self, name: str, start: int, length: int) -> bytes:
        """Return `length` bytes of a file from byte `start`. Raises ArchiveUnreadable."""

    def open(self, name: str, mode: str = "rb") -> File[Any]:
        """Return the open file."""

    def save(self, name: str, content: File[Any]) -> str:
        """Store a file and return the name it got."""

    def delete(self, name: str) -> None:
        """Delete a file, if there is one."""

    def exists(self, name: str) -> bool:
        """Whether there is such a file."""

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        """The names of the folders and files in a folder."""

    def size(self, name: str) -> int:
        """How many bytes a file has."""


class FolderArchives(FileSystemStorage):
    """Files below a folder. A file that was saved is on the disk, whatever happens to the power."""

    def __init__(self, location: str) -> None:
        super().__init__(location, file_permissions_mode=0o600, directory_permissions_mode=0o700)

    def piece(self, name: str, start: int, length: int) -> bytes:
        """Return `length` bytes of a file from byte `start`. Raises ArchiveUnreadable."""
        try:
            with Path(self.path(name)).open("rb") as file:
                file.seek(start)
                return file.read(length)
        except OSError as error:
            raise ArchiveUnreadable(f"{name}: {error.strerror or error}") from error

    def _save(self, name: str, content: File[Any]) -> str:
        saved = super()._save(name, content)  # type: ignore[misc]  # the stubs leave it out
        path = Path(self.path(saved))
        # The file, its month, and the folder in which the month may be new.
        for one in (path, path.parent, path.parent.parent):
            descriptor = os.open(one, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        return str(saved)


def archives() -> Archives:
    """The storage that the settings name."""
    found: Archives = storages[ALIAS]  # type: ignore[assignment]
    return found


def digest_of(name: str) -> tuple[str, int]:
    """The SHA-256 of a file of the archive, and its bytes. Raises ArchiveUnreadable."""
    found, size = hashlib.sha256(), 0
    try:
        with archives().open(name) as file:
            for chunk in file.chunks(CHUNK):
                found.update(chunk)
                size += len(chunk)
    except OSError as error:
        raise ArchiveUnreadable(f"{name}: {error}") from error
    return found.hexdigest(), size
