"""How much of a game's result was luck."""

from django.db import models


class MeasuredLuck(models.Model):
    """The luck of seat 0 in a finished game, by one version of the value function.

    Results count from -1 to 1, margins in cards or points (`analysis.luck.turns.Luck`). `policies` are by
    which each seat was played on, ``[name, agreement]``; empty up to version 3, which had the greedy bot's.
    """

    version = models.PositiveSmallIntegerField()
    deal_result = models.FloatField()
    deal_margin = models.FloatField()
    cards_result = models.FloatField()
    cards_margin = models.FloatField()
    reveals = models.PositiveIntegerField()
    policies = models.JSONField(default=list, blank=True)
    measured_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """The columns that both tables share."""

        abstract = True

    @property
    def result(self) -> float:
        """The total luck in the result."""
        return self.deal_result + self.cards_result

    @property
    def margin(self) -> float:
        """All luck of the margin."""
        return self.deal_margin + self.cards_margin


class GameLuck(MeasuredLuck):
    """The first measurement of a game, which every verdict uses and which never changes.

    It is shown beside the raw result. Ratings use only the raw result.
    """

    game = models.OneToOneField(
        "tournaments.Game", primary_key=True, on_delete=models.CASCADE, related_name="luck"
    )

    class Meta:
        """By version, so that games an older one measured are found."""

        verbose_name_plural = "luck of games"
        indexes = (models.Index(fields=["version"], name="luck_version"),)

    def __str__(self) -> str:
        return f"luck of {self.game_id}"


class LaterLuck(MeasuredLuck):
    """The same game measured by a later value function: shown beside the first, used by no verdict."""

    game = models.ForeignKey("tournaments.Game", on_delete=models.CASCADE, related_name="later_luck")

    class Meta:
        """Oldest version first, each once."""

        ordering = ("game", "version")
        verbose_name_plural = "later measurements of luck"
        constraints = (models.UniqueConstraint(fields=["game", "version"], name="later_luck_once"),)

    def __str__(self) -> str:
        return f"luck of {self.game_id} by version {self.version}"


class Likeness(models.Model):
    """With which known policies a seat of a finished game agreed: what those of later games are chosen by.

    `tally` holds how many stretches the seat played and in how many of them each policy would have done the
    same (`analysis.luck.alike`).
    """

    game = models.ForeignKey("tournaments.Game", on_delete=models.CASCADE, related_name="+")
    seat = models.PositiveSmallIntegerField()
    version = models.ForeignKey("bots.Version", on_delete=models.CASCADE, related_name="+")
    variant = models.CharField(max_length=32)
    tally = models.JSONField()
    tallied_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """A seat is tallied once; asked for by version and variant."""

        verbose_name_plural = "likenesses"
        constraints = (models.UniqueConstraint(fields=["game", "seat"], name="likeness_once"),)
        indexes = (models.Index(fields=["version", "variant", "tallied_at"], name="likeness_of_version"),)

    def __str__(self) -> str:
        return f"likeness of seat {self.seat} in {self.game_id}"
