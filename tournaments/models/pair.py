"""One deal, played once in each seating."""

from __future__ import annotations

from django.db import models


class Pair(models.Model):
    """The games of one deal with seats swapped: the unit of scheduling, rating and repeating.

    With n seats there are n games, the seats rotated. `run` counts the times the pair was voided and begun
    again, from 1; at most one run of a `number` is not void. `deal_seed` is that of deal number `deal` in
    batch `batch` of the tournament's deals. `score` is the first's half points over all
    its games, `margin` the first's mean margin; both are set when the pair is accepted, and so are the points
    that the first and the second of two made in both its games.
    """

    class Status(models.TextChoices):
        """The state of a pair."""

        QUEUED = "queued", "Queued"
        RUNNING = "running", "Running"
        ACCEPTED = "accepted", "Accepted"
        VOID = "void", "Void"
        STUCK = "stuck", "Stuck"

    pairing = models.ForeignKey("tournaments.Pairing", on_delete=models.CASCADE, related_name="pairs")
    number = models.PositiveIntegerField()
    run = models.PositiveSmallIntegerField(default=1)
    batch = models.PositiveIntegerField(default=0)
    deal = models.PositiveIntegerField(default=0)
    deal_seed = models.CharField(max_length=64)
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.QUEUED)
    score = models.PositiveSmallIntegerField(null=True, blank=True)
    margin = models.FloatField(null=True, blank=True)
    points_first = models.IntegerField(null=True, blank=True)
    points_second = models.IntegerField(null=True, blank=True)
    void_reason = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    accepted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """One run of a pair at a time."""

        ordering = ("pairing", "number", "run")
        constraints = (
            models.UniqueConstraint(fields=["pairing", "number", "run"], name="pair_run_once"),
            models.UniqueConstraint(
                fields=["pairing", "number"], condition=~models.Q(status="void"), name="pair_live_once"
            ),
        )
        indexes = (models.Index(fields=["status"], name="pair_status"),)

    def __str__(self) -> str:
        return f"pair {self.number}"
