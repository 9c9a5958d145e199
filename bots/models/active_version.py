"""Which version of a bot plays on a board."""

from __future__ import annotations

from django.db import models

from .bot import Bot
from .version import Version


class ActiveVersion(models.Model):
    """A version that plays for its bot on one board (`engine.boards`); a board without a row is not played.

    Everything that asks which version plays somewhere asks these rows: `VersionQuerySet.active_on` for all
    bots, `bots.selectors.active_on` for one. They follow from the checks of a bot's versions, and only
    `bots.services.activation.choose_active` writes them.
    """

    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="active_versions")
    board = models.CharField(max_length=32)
    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="active_on")

    class Meta:
        """One version a board."""

        constraints = (models.UniqueConstraint(fields=("bot", "board"), name="bots_active_once"),)
        indexes = (models.Index(fields=["board", "version"], name="bots_active_board"),)

    def __str__(self) -> str:
        return f"{self.version_id} on {self.board}"
