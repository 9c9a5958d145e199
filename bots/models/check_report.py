"""What the check of a version found, with the evidence for its owner."""

from __future__ import annotations

from django.db import models

from .version import Version


class CheckReport(models.Model):
    """The verdict on a version: one row, written once, when its check game is over.

    ``log`` is one or more sentences for the owner. ``record`` is the record of the check game (a replay)
    with, under ``"evidence"``, what each seat left: last messages, stderr, exit status, CPU time, memory.
    """

    version = models.OneToOneField(Version, on_delete=models.CASCADE, related_name="check_report")
    accepted = models.BooleanField()
    log = models.TextField(blank=True)
    record = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.version}: {'accepted' if self.accepted else 'rejected'}"
