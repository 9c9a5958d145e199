"""Who sits where in a game."""

from django.db import models


class Seat(models.Model):
    """One seat of one game; seats count from 0. `cpu_ms` is what the bot used, once the game is finished."""

    game = models.ForeignKey("tournaments.Game", on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    entry = models.ForeignKey("tournaments.Entry", on_delete=models.PROTECT, related_name="seats")
    version = models.ForeignKey("bots.Version", on_delete=models.PROTECT, related_name="seats")

    cpu_ms = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        """A seat is taken once."""

        ordering = ("seat",)
        constraints = (models.UniqueConstraint(fields=["game", "seat"], name="seat_once"),)

    def __str__(self) -> str:
        return f"seat {self.seat}"
