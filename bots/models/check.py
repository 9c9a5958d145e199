"""What the check of a version found: the verdict, and a trial on each board."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy

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


class Trial(models.Model):
    """A version's trial game on one board (`engine.boards`): it plays only on boards where it passed.

    ``log`` is what its owner reads. ``record`` is the game, if it was kept, with what each seat wrote under
    ``"evidence"``. A board without a row was never tried.
    """

    class Verdict(models.TextChoices):
        """The outcome of a trial."""

        PASSED = "passed", gettext_lazy("passed")
        FAILED = "failed", gettext_lazy("failed")
        LEFT_OUT = "left-out", gettext_lazy("not played")

    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="trials")
    board = models.CharField(max_length=32)
    verdict = models.CharField(max_length=8, choices=Verdict.choices)
    log = models.TextField(blank=True)
    record = models.JSONField(null=True, blank=True)
    at = models.DateTimeField()

    class Meta:
        """One trial per version and board: the latest."""

        constraints = (models.UniqueConstraint(fields=("version", "board"), name="bots_trial_once"),)
        indexes = (models.Index(fields=["board", "verdict", "version"], name="bots_trial_board"),)

    def __str__(self) -> str:
        return f"{self.version_id} on {self.board}: {self.verdict}"
