"""Files as they were sent, until a worker has inspected them."""

from __future__ import annotations

from django.db import models

from .version import Version


class PendingFile(models.Model):
    """The bytes of an upload that waits for its inspection. Apart, so that lists never load them.

    Nothing has opened them yet: they leave this table as a :class:`~bots.models.Archive`, or not at all.
    """

    version = models.OneToOneField(
        Version, on_delete=models.CASCADE, primary_key=True, related_name="pending_file"
    )
    data = models.BinaryField()
    size = models.PositiveIntegerField(help_text="Bytes as they were sent.")

    def __str__(self) -> str:
        return f"{self.version_id}: {self.size} bytes"
