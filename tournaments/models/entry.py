"""An entrant of a tournament."""

from django.db import models


class Entry(models.Model):
    """One version of a bot in one tournament; `number` from 1 is its place in the draw."""

    tournament = models.ForeignKey("tournaments.Tournament", on_delete=models.CASCADE, related_name="entries")
    version = models.ForeignKey("bots.Version", on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField()
    withdrawn = models.BooleanField(default=False)

    class Meta:
        """A version enters once."""

        ordering = ("number",)
        verbose_name_plural = "entries"
        constraints = (
            models.UniqueConstraint(fields=["tournament", "version"], name="entry_version_once"),
            models.UniqueConstraint(fields=["tournament", "number"], name="entry_number_once"),
        )

    def __str__(self) -> str:
        return f"{self.number}. {self.version}"
