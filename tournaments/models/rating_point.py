"""How a rating went."""

from django.db import models


class RatingPoint(models.Model):
    """A version's rating at one moment: kept when it is new, and then at most every ten minutes."""

    version = models.ForeignKey("bots.Version", on_delete=models.CASCADE, related_name="rating_points")
    variant = models.CharField(max_length=32)
    at = models.DateTimeField()
    elo = models.FloatField()
    error = models.FloatField()
    games = models.PositiveIntegerField()

    class Meta:
        """In order of time."""

        ordering = ("at",)
        constraints = (
            models.UniqueConstraint(fields=["version", "variant", "at"], name="rating_point_once"),
        )

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}: {self.elo:.0f}"
