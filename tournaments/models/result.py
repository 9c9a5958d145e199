"""How a game ended."""

from django.db import models


class Result(models.Model):
    """The one accepted result of a game.

    `ranking` are groups of equal seats, best first; `points` and `left` (cards left) go by seat. `culprit`
    is the seat that forfeited, if one did. `chain_sha256` is the last link of the hash chain over the
    events, `body_sha256` the hash of all that was delivered: the same body again is answered the same,
    another is refused.
    """

    game = models.OneToOneField(
        "tournaments.Game", primary_key=True, on_delete=models.PROTECT, related_name="result"
    )
    attempt = models.OneToOneField("tournaments.Attempt", on_delete=models.PROTECT, related_name="result")
    termination = models.CharField(max_length=20)
    culprit = models.PositiveSmallIntegerField(null=True, blank=True)
    detail = models.CharField(max_length=500, blank=True)
    ranking = models.JSONField()
    points = models.JSONField()
    left = models.JSONField()
    plies = models.PositiveIntegerField()
    turns = models.PositiveIntegerField()
    cpu_ms = models.JSONField(default=list)
    chain_sha256 = models.CharField(max_length=64)
    body_sha256 = models.CharField(max_length=64)
    accepted_at = models.DateTimeField()

    class Meta:
        """Newest first."""

        ordering = ("-accepted_at",)

    def __str__(self) -> str:
        return self.termination
