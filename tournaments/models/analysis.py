"""Questions that take thought."""

from __future__ import annotations

from django.db import models


class Analysis(models.Model):
    """One question for the analysis processes: queue, lease and cached answer in one row.

    `key` is a digest of the question and of the version of the function that answers, so people who ask the
    same share one row. While people wait, `wanted_until` is in the future; otherwise nobody works on the
    question. Null means that the arena itself wants the answer. `rank` 0 comes before everything else. The
    worker on it renews `lease_until`. `attempts` is the fencing token: only the latest attempt may answer.
    `progress` is what it has done, in per cent, where a question takes long.
    """

    class Status(models.TextChoices):
        """The state of a question."""

        WAITING = "waiting", "Waiting"
        RUNNING = "running", "Running"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"

    class Cause(models.TextChoices):
        """Why there is no answer."""

        RECORD = "record", "The record is broken"
        GONE = "gone", "The game no longer exists"
        TIME = "time", "It took too long"
        CRASH = "crash", "It crashed"

    key = models.CharField(max_length=64, primary_key=True)
    kind = models.CharField(max_length=24)
    arguments = models.JSONField(default=dict)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.WAITING)
    rank = models.PositiveSmallIntegerField(default=0)
    asker = models.CharField(max_length=48, blank=True)
    address = models.CharField(max_length=32, blank=True, db_default="")
    asked_at = models.DateTimeField()
    wanted_until = models.DateTimeField(null=True, blank=True)
    worker = models.CharField(max_length=120, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    progress = models.PositiveSmallIntegerField(default=0)
    answer = models.BinaryField(null=True, blank=True)
    cause = models.CharField(max_length=8, choices=Cause.choices, blank=True)
    error = models.CharField(max_length=300, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """The next question first; old answers are found by their age."""

        verbose_name_plural = "analyses"
        indexes = (
            models.Index(fields=["status", "rank", "asked_at"], name="analysis_next"),
            models.Index(fields=["finished_at"], name="analysis_age"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.key[:8]}"

    @property
    def is_over(self) -> bool:
        """Whether there is an answer, or a reason why there is none."""
        return self.status in (self.Status.DONE, self.Status.FAILED)
