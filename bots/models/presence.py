"""Whether the program of a remote bot is connected, and what it asks for."""

from __future__ import annotations

from django.db import models


class RemotePresence(models.Model):
    """A remote bot's connection: one row a bot, made with it.

    It is online while `online_since` is set; then `connection` is the key of the connection that speaks for
    it, and a later one takes its place. Whoever holds the connection writes `seen_at` every now and then; the
    sweep takes those offline that were not seen for long, whose server must be dead. The program plays at
    most `games` at once, against `people` at the table only if it says so, and takes no new ones while it is
    `leaving`. Which boards it plays are the trials of its version. `bytes_in` came from its connections, and
    `bytes_out` were sent there, ever since; they are counted when it is seen.
    """

    bot = models.OneToOneField(
        "bots.Bot", primary_key=True, on_delete=models.CASCADE, related_name="presence"
    )
    connection = models.CharField(max_length=40, blank=True)
    online_since = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)
    games = models.PositiveSmallIntegerField(default=1)
    people = models.BooleanField(default=False)
    leaving = models.BooleanField(default=False)
    bytes_in = models.BigIntegerField(default=0, db_default=0)
    bytes_out = models.BigIntegerField(default=0, db_default=0)

    class Meta:
        """Those that are online are looked for."""

        indexes = (
            models.Index(
                fields=["seen_at"],
                condition=models.Q(online_since__isnull=False),
                name="bots_presence_online",
            ),
        )

    def __str__(self) -> str:
        return f"{self.bot_id}: {'online' if self.is_online else 'offline'}"

    @property
    def is_online(self) -> bool:
        """Whether its program is connected."""
        return self.online_since is not None
