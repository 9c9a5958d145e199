"""One try at playing a game."""

from django.db import models


class Attempt(models.Model):
    """A worker's lease on a game.

    `token` is the game's fencing token when it was claimed. The heartbeat carries `ply`, since a live worker
    may still be stuck. `cause` says how the attempt ended; it is empty while it runs. `seat` is the one whose
    bot's process made the game void, if any.
    """

    class Cause(models.TextChoices):
        """Why an attempt ended. All but `delivered` are failures of the infrastructure."""

        DELIVERED = "delivered", "Result delivered"
        INFRASTRUCTURE = "infrastructure", "Problem on our side, not a bot's fault"
        SANDBOX = "sandbox", "Sandbox unavailable"
        PLAYER_DIED = "player-died", "Playing process died"
        LEASE_EXPIRED = "lease-expired", "Worker lost"
        RESTARTED = "restarted", "Site restarted"
        CANCELLED = "cancelled", "Tournament or pair cancelled"

    game = models.ForeignKey("tournaments.Game", on_delete=models.CASCADE, related_name="attempts")
    token = models.PositiveIntegerField()
    worker = models.CharField(max_length=120)
    lease_until = models.DateTimeField()
    heartbeat_at = models.DateTimeField()
    ply = models.PositiveIntegerField(default=0)
    cause = models.CharField(max_length=20, choices=Cause.choices, blank=True)
    detail = models.CharField(max_length=500, blank=True)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    started_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Each token is handed out once."""

        ordering = ("game", "token")
        constraints = (models.UniqueConstraint(fields=["game", "token"], name="attempt_token_once"),)
        indexes = (
            models.Index(
                fields=["lease_until"], condition=models.Q(ended_at__isnull=True), name="attempt_open_leases"
            ),
            models.Index(
                fields=["ended_at"], condition=models.Q(seat__isnull=False), name="attempt_voided_by_a_seat"
            ),
        )

    def __str__(self) -> str:
        return f"attempt {self.token}"
