"""The stored event log of a finished game."""

from django.db import models


class Record(models.Model):
    """All events of a game, zlib-compressed JSON lines; written with the result, never again."""

    game = models.OneToOneField(
        "tournaments.Game", primary_key=True, on_delete=models.CASCADE, related_name="record"
    )
    rules = models.PositiveSmallIntegerField()
    count = models.PositiveIntegerField()
    data = models.BinaryField()

    def __str__(self) -> str:
        return f"record of {self.game_id}"
