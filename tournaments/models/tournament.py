"""A tournament: who may meet, in which game, on which deals."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from analysis.formats.matches import MatchRule, rule_of
from arena.common.paths import path


class Tournament(models.Model):
    """A competition of fixed entrants in one variant.

    `seed` (64 hex digits) decides every deal and stays secret until the tournament is over;
    `seed_commitment` is its SHA-256 and is shown from the start, so that nobody can choose deals once the
    entrants are known. `rated` follows from the pool's rule (`services.rated_pool`), and `unrated_because`
    says why it counts for nothing. `options` has a match's rule (`analysis.formats.matches`) or a test's
    hypotheses; of matches `pairs_per_pairing` is how many pairs one is expected to take.
    """

    class Format(models.TextChoices):
        """How pairings are made."""

        ROUND_ROBIN = "round-robin", "Round-robin"
        GAUNTLET = "gauntlet", "Gauntlet"
        SWISS = "swiss", "Swiss"
        SINGLE_ELIMINATION = "single-elimination", "Single elimination"
        DOUBLE_ELIMINATION = "double-elimination", "Double elimination"
        SPRT = "sprt", "Sequential test"
        LADDER = "ladder", "Ladder"

    class Status(models.TextChoices):
        """Where a tournament stands in its life."""

        DRAFT = "draft", "Draft"
        RUNNING = "running", "Running"
        PAUSED = "paused", "Paused"
        FINISHED = "finished", "Finished"
        CANCELLED = "cancelled", "Cancelled"

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=80)
    description = models.TextField(blank=True, max_length=2000)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="tournaments"
    )
    variant = models.CharField(max_length=32)
    players = models.PositiveSmallIntegerField(default=2)
    format = models.CharField(max_length=24, choices=Format.choices, default=Format.ROUND_ROBIN)
    cycles = models.PositiveSmallIntegerField(default=1)
    rounds = models.PositiveIntegerField(default=0)
    pairs_per_pairing = models.PositiveIntegerField(default=10)
    bank_ms = models.PositiveIntegerField(default=60_000)
    increment_ms = models.PositiveIntegerField(default=500)
    rated = models.BooleanField(default=True)
    unrated_because = models.CharField(max_length=200, blank=True)
    options = models.JSONField(default=dict, blank=True)
    seed = models.CharField(max_length=64)
    seed_commitment = models.CharField(max_length=64)
    registration_until = models.DateTimeField(null=True, blank=True)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.DRAFT)
    note = models.CharField(max_length=300, blank=True)
    served_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Newest first; the queue looks up running ones."""

        ordering = ("-created_at", "-id")
        indexes = (models.Index(fields=["status", "-created_at"], name="tournament_status"),)

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Where the tournament is shown."""
        return path("tournaments:detail", self.slug)

    @property
    def match_rule(self) -> MatchRule | None:
        """How long its matches are, None where pairings are of a fixed number of pairs."""
        return rule_of(self.options)

    @property
    def is_over(self) -> bool:
        """Whether nothing will be played any more, so that the seed may be shown."""
        return self.status in (self.Status.FINISHED, self.Status.CANCELLED)
