"""Files to which the records of old games have been moved."""

from __future__ import annotations

from django.db import models


class RecordArchive(models.Model):
    """A ZIP file with the records of games that finished in one month (UTC).

    `name` is its key in the storage (`arena.web.storage.archives`). While it is being written, `sealed_at` is
    null and no record points to it. Once it is sealed it never changes, and `sha256` is the hash of all its
    bytes.
    """

    name = models.CharField(max_length=100, unique=True)
    month = models.CharField(max_length=7)
    begun_at = models.DateTimeField(auto_now_add=True)
    sealed_at = models.DateTimeField(null=True, blank=True)
    games = models.PositiveIntegerField(default=0)
    bytes = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True)

    class Meta:
        """By month, oldest first."""

        ordering = ("month", "id")

    def __str__(self) -> str:
        return self.name
