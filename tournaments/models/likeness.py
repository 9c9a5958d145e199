"""The answers of versions to the same questions, and which versions play alike."""

from __future__ import annotations

from django.db import models


class ProbeSet(models.Model):
    """The games whose positions every version is asked about; the latest edition is used.

    ``games`` are full starting positions with the moves that were played (`analysis.likeness`). They are
    secret: a bot that knew them could answer differently from how it plays.
    """

    edition = models.PositiveIntegerField(unique=True)
    games = models.JSONField()
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """Latest edition first."""

        ordering = ("-edition",)

    def __str__(self) -> str:
        return f"edition {self.edition}"


class ProbeAnswers(models.Model):
    """A version's answers to a set: its move by the key of each position. Slow versions answer fewer.

    While it is being asked it is not `done`, and `at` is when that began.
    """

    version = models.OneToOneField("bots.Version", on_delete=models.CASCADE, related_name="probe_answers")
    probe_set = models.ForeignKey(ProbeSet, on_delete=models.CASCADE, related_name="answers")
    choices = models.JSONField(default=dict)
    done = models.BooleanField(default=False)
    at = models.DateTimeField()

    class Meta:
        """The class name is already a plural."""

        verbose_name_plural = "probe answers"

    def __str__(self) -> str:
        return f"{len(self.choices)} answers of version {self.version_id}"


class NearTwin(models.Model):
    """Two versions that gave the same answer to `same` of `common` questions, above the threshold.

    ``one`` was uploaded before ``other``.
    """

    one = models.ForeignKey("bots.Version", on_delete=models.CASCADE, related_name="later_twins")
    other = models.ForeignKey("bots.Version", on_delete=models.CASCADE, related_name="earlier_twins")
    same = models.PositiveIntegerField()
    common = models.PositiveIntegerField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """Each two versions once."""

        constraints = (
            models.UniqueConstraint(fields=["one", "other"], name="near_twin_once"),
            models.CheckConstraint(condition=models.Q(one__lt=models.F("other")), name="near_twin_in_order"),
        )

    def __str__(self) -> str:
        return f"{self.one_id} and {self.other_id}: {self.same} of {self.common}"
