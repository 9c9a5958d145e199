"""The archive in a bucket that speaks S3. Only settings with such a bucket import this module."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from boto3.exceptions import Boto3Error
from botocore.exceptions import BotoCoreError, ClientError
from storages.backends.s3 import S3Storage

from arena.web.storage.archives import ArchiveUnreadable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class BucketArchives(S3Storage):  # type: ignore[misc]  # django-storages has no types
    """Objects of a bucket. A piece is one request for a range of bytes.

    Whatever the bucket refuses, or does not answer, raises ArchiveUnreadable.
    """

    def piece(self, name: str, start: int, length: int) -> bytes:
        """Return `length` bytes of a file from byte `start`."""
        key = self._normalize_name(name)
        with _reaching(name):
            answer = self.bucket.Object(key).get(Range=f"bytes={start}-{start + length - 1}")
            with answer["Body"] as body:
                return bytes(body.read())

    def open(self, name: str, mode: str = "rb") -> Any:
        """Return the open file, fetched already: nothing fails later on while it is read."""
        with _reaching(name):
            found = super().open(name, mode)
            found.seek(0)
            return found

    def save(self, name: str, content: Any, max_length: int | None = None) -> str:
        """Store a file and return the name it got."""
        with _reaching(name):
            return str(super().save(name, content, max_length))

    def delete(self, name: str) -> None:
        """Delete a file, if there is one."""
        with _reaching(name):
            super().delete(name)

    def exists(self, name: str) -> bool:
        """Whether there is such a file."""
        with _reaching(name):
            return bool(super().exists(name))

    def listdir(self, name: str) -> tuple[list[str], list[str]]:
        """The names of the folders and files in a folder."""
        with _reaching(name):
            folders, found = super().listdir(name)
            return list(folders), list(found)

    def size(self, name: str) -> int:
        """How many bytes a file has."""
        with _reaching(name):
            return int(super().size(name))


@contextmanager
def _reaching(name: str) -> Iterator[None]:
    """Raise ArchiveUnreadable for whatever may go wrong on the way to a file of the bucket."""
    try:
        yield
    except (Boto3Error, BotoCoreError, ClientError, OSError) as error:
        raise ArchiveUnreadable(f"{name}: {error}") from error
