"""Uploads before anybody looked into them: files as they were sent, and how many an account sent."""

from __future__ import annotations

from django.conf import settings
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


class UploadAttempt(models.Model):
    """One file that was received from a user, accepted or refused; kept as long as limits look back."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="upload_attempts"
    )
    at = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=["owner", "at"], name="bots_attempt_recent"),)

    def __str__(self) -> str:
        return f"{self.owner_id} at {self.at:%Y-%m-%d %H:%M:%S}"
