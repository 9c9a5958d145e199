"""Events of a game that is being played."""

from django.db import models


class EventBatch(models.Model):
    """Events `first_n` … `last_n` of one attempt as a JSON array; removed when the record is written."""

    game = models.ForeignKey("tournaments.Game", on_delete=models.CASCADE, related_name="batches")
    attempt = models.ForeignKey("tournaments.Attempt", on_delete=models.CASCADE, related_name="batches")
    first_n = models.PositiveIntegerField()
    last_n = models.PositiveIntegerField()
    data = models.TextField()

    class Meta:
        """In order of play, each number once."""

        ordering = ("attempt", "first_n")
        verbose_name_plural = "event batches"
        constraints = (models.UniqueConstraint(fields=["attempt", "first_n"], name="batch_once"),)
        indexes = (models.Index(fields=["game", "last_n"], name="batch_after"),)

    def __str__(self) -> str:
        return f"events {self.first_n}-{self.last_n}"
