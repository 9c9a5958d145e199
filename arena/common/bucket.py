"""The archive in a bucket that speaks S3. Only settings with such a bucket import this module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError
from storages.backends.s3 import S3Storage

from arena.common.archives import ArchiveUnreadable

if TYPE_CHECKING:
    from typing import Any


class BucketArchives(S3Storage):  # type: ignore[misc]  # django-storages has no types
    """Objects of a bucket. A piece is one request for a range of bytes."""

    def piece(self, name: str, start: int, length: int) -> bytes:
        """Return `length` bytes of a file from byte `start`. Raises ArchiveUnreadable."""
        key = self._normalize_name(name)
        try:
            answer = self.bucket.Object(key).get(Range=f"bytes={start}-{start + length - 1}")
            with answer["Body"] as body:
                return bytes(body.read())
        except (BotoCoreError, ClientError, OSError) as error:
            raise ArchiveUnreadable(f"{name}: {error}") from error

    def open(self, name: str, mode: str = "rb") -> Any:
        """Return the open file. Raises ArchiveUnreadable."""
        try:
            return super().open(name, mode)
        except (BotoCoreError, ClientError) as error:
            raise ArchiveUnreadable(f"{name}: {error}") from error
