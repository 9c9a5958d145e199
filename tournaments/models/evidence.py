"""What a bot said and used, kept for its owner."""

from django.db import models


class Evidence(models.Model):
    """Last messages, standard error, exit and resources of each seat's process, as the referee saw them."""

    game = models.OneToOneField(
        "tournaments.Game", primary_key=True, on_delete=models.CASCADE, related_name="evidence"
    )
    seats = models.JSONField()
    sandbox = models.JSONField(default=dict)

    class Meta:
        """One a game."""

        verbose_name_plural = "evidence"

    def __str__(self) -> str:
        return f"evidence of {self.game_id}"
