"""Uploads as they were sent, whatever came of them."""

from __future__ import annotations

from django.conf import settings
from django.db import models


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
