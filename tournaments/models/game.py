"""One deal, played to its end with given seats."""

from __future__ import annotations

import uuid

from django.db import models

from arena.common.paths import path


class Game(models.Model):
    """The intent to play one leg of a pair, from the full position line `start`.

    `suits` are the four letters that replace S, H, D and C of the deal. `token` is the fencing token: the
    number of attempts so far. Only the attempt that holds it may deliver.
    """

    class Status(models.TextChoices):
        """The state of a game."""

        QUEUED = "queued", "Queued"
        RUNNING = "running", "Running"
        FINISHED = "finished", "Finished"
        VOID = "void", "Void"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey("tournaments.Tournament", on_delete=models.CASCADE, related_name="games")
    pair = models.ForeignKey("tournaments.Pair", on_delete=models.CASCADE, related_name="games")
    leg = models.PositiveSmallIntegerField()
    start = models.CharField(max_length=1200)
    suits = models.CharField(max_length=4, default="SHDC")
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.QUEUED)
    token = models.PositiveIntegerField(default=0)
    order = models.PositiveIntegerField(default=0)
    not_before = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Newest first; the queue and the pages look up by status."""

        ordering = ("-created_at", "-order", "-leg")
        constraints = (models.UniqueConstraint(fields=["pair", "leg"], name="game_leg_once"),)
        indexes = (
            models.Index(fields=["status", "tournament", "order"], name="game_queue"),
            models.Index(fields=["tournament", "order"], name="game_order"),
            models.Index(fields=["tournament", "status", "-finished_at"], name="game_recent"),
            models.Index(fields=["status", "-finished_at"], name="game_finished"),
            models.Index(fields=["-started_at", "-order"], name="game_list"),
        )

    def __str__(self) -> str:
        return f"game {str(self.id)[:8]}"

    def get_absolute_url(self) -> str:
        """Where the game is watched."""
        return path("games:detail", self.id)
