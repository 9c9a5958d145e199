"""What part of a game's result was luck."""

from django.db import models


class GameLuck(models.Model):
    """The luck of seat 0 in a finished game, beside its raw result, which alone counts for ratings.

    `version` is the value function's. Results count from -1 to 1, margins in cards or points
    (`domain.luck.Luck`).
    """

    game = models.OneToOneField(
        "tournaments.Game", primary_key=True, on_delete=models.CASCADE, related_name="luck"
    )
    version = models.PositiveSmallIntegerField()
    deal_result = models.FloatField()
    deal_margin = models.FloatField()
    cards_result = models.FloatField()
    cards_margin = models.FloatField()
    reveals = models.PositiveIntegerField()
    measured_at = models.DateTimeField(auto_now=True)

    class Meta:
        """By version, so that what is old is found."""

        verbose_name_plural = "luck of games"
        indexes = (models.Index(fields=["version"], name="luck_version"),)

    def __str__(self) -> str:
        return f"luck of {self.game_id}"

    @property
    def result(self) -> float:
        """All luck of the result."""
        return self.deal_result + self.cards_result

    @property
    def margin(self) -> float:
        """All luck of the margin."""
        return self.deal_margin + self.cards_margin
