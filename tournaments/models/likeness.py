"""What versions answer to the same questions, and which of them play alike."""

from __future__ import annotations

from django.db import models


class ProbeSet(models.Model):
    """The games whose positions every version is asked about; the one of the last edition is in use.

    ``games`` are full starting positions with the moves that were played (`analysis.likeness`). They are
    shown to nobody: who knew them could answer them otherwise than it plays.
    """

    edition = models.PositiveIntegerField(unique=True)
    games = models.JSONField()
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """The one in use first."""

        ordering = ("-edition",)

    def __str__(self) -> str:
        return f"edition {self.edition}"


class ProbeAnswers(models.Model):
    """What a version chose at the positions of a set: a move by the position's key. Slow ones answer fewer.

    While it is being asked it is not `done`, and `at` is when that began.
    """

    version = models.OneToOneField("bots.Version", on_delete=models.CASCADE, related_name="probe_answers")
    probe_set = models.ForeignKey(ProbeSet, on_delete=models.CASCADE, related_name="answers")
    choices = models.JSONField(default=dict)
    done = models.BooleanField(default=False)
    at = models.DateTimeField()

    class Meta:
        """Named as a plural already."""

        verbose_name_plural = "probe answers"

    def __str__(self) -> str:
        return f"{len(self.choices)} answers of version {self.version_id}"


class NearTwin(models.Model):
    """Two versions that answered `same` of `common` questions alike, which is above the threshold.

    ``one`` was uploaded before ``other``.
    """

    one = models.ForeignKey("bots.Version", on_delete=models.CASCADE, related_name="later_twins")
    other = models.ForeignKey("bots.Version", on_delete=models.CASCADE, related_name="earlier_twins")
    same = models.PositiveIntegerField()
    common = models.PositiveIntegerField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """Each couple once."""

        constraints = (
            models.UniqueConstraint(fields=["one", "other"], name="near_twin_once"),
            models.CheckConstraint(condition=models.Q(one__lt=models.F("other")), name="near_twin_in_order"),
        )

    def __str__(self) -> str:
        return f"{self.one_id} and {self.other_id}: {self.same} of {self.common}"
