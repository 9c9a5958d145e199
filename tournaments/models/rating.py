"""How strong a version is."""

from django.db import models


class Rating(models.Model):
    """The Elo of one version in one variant, a pure function of all accepted pairs of rated tournaments.

    `error` is one standard error in Elo; `anchored` is false if no chain of games leads to the anchor, so
    that the figure compares only with those it met. Games, wins, draws and losses count single games.
    `low` and `high` are the ends of the 95 % interval, empty where there is none. A board is in the order of
    `standing`: the lower end while a version is still being measured, then the Elo. `superiority` is the
    likelihood of being stronger than the next on the list.
    """

    version = models.ForeignKey("bots.Version", on_delete=models.CASCADE, related_name="ratings")
    variant = models.CharField(max_length=32)
    elo = models.FloatField()
    error = models.FloatField()
    low = models.FloatField(null=True, blank=True)
    high = models.FloatField(null=True, blank=True)
    standing = models.FloatField(default=0.0)
    anchored = models.BooleanField(default=True)
    pairs = models.PositiveIntegerField(default=0)
    games = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    draws = models.PositiveIntegerField(default=0)
    losses = models.PositiveIntegerField(default=0)
    margin = models.FloatField(default=0.0)
    superiority = models.FloatField(null=True, blank=True)
    computed_at = models.DateTimeField()

    class Meta:
        """Best first."""

        ordering = ("variant", "-standing")
        constraints = (models.UniqueConstraint(fields=["version", "variant"], name="rating_once"),)
        indexes = (models.Index(fields=["variant", "-standing"], name="rating_standing"),)

    def __str__(self) -> str:
        return f"{self.elo:.0f} ± {1.96 * self.error:.0f}"
