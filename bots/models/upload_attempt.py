"""Uploads as they were sent, whatever came of them."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class UploadAttempt(models.Model):
    """One file that was inspected for a user, accepted or refused; kept as long as limits look back.

    `inspecting_until` is set while the file is inspected: it ends the claim of a process that died.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="upload_attempts"
    )
    at = models.DateTimeField()
    inspecting_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = (models.Index(fields=["owner", "at"], name="bots_attempt_recent"),)

    def __str__(self) -> str:
        return f"{self.owner_id} at {self.at:%Y-%m-%d %H:%M:%S}"
