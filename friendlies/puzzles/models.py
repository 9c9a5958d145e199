"""Puzzles, who solves them, and each solver's first try at each."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.db import models

from analysis.ratings.glicko import DEVIATION, RATING, VOLATILITY, Glicko
from arena.web.paths import path

PROVISIONAL: Final = 110
"""Deviation above which a rating is still being measured: the first tries move it by hundreds of points."""


class Rated(models.Model):
    """Something with a Glicko-2 rating (`analysis.ratings.glicko`)."""

    rating = models.FloatField(default=RATING)
    deviation = models.FloatField(default=DEVIATION)
    volatility = models.FloatField(default=VOLATILITY)

    class Meta:
        """No table of its own."""

        abstract = True

    @property
    def glicko(self) -> Glicko:
        """Its rating as a value."""
        return Glicko(self.rating, self.deviation, self.volatility)

    @property
    def is_provisional(self) -> bool:
        """Whether too little is known of it to say by how much a try changed it."""
        return self.deviation > PROVISIONAL

    def take(self, rated: Glicko) -> None:
        """Take on another rating; saving is for the caller."""
        self.rating, self.deviation, self.volatility = rated.rating, rated.deviation, rated.volatility


class Puzzle(Rated):
    """A turn that could have won and did not, both proved (`analysis.searches.puzzles`).

    `position` is the full line at the start of the turn, `ply` how many plies of `game` came before it,
    `played` what was played there and `solution` one turn that wins. `key` is the same for positions that
    are alike. `day` is the day (UTC) whose puzzle it is or was.
    """

    key = models.CharField(max_length=64, unique=True)
    variant = models.CharField(max_length=32)
    seat = models.PositiveSmallIntegerField()
    position = models.CharField(max_length=1200)
    played = models.JSONField()
    solution = models.JSONField()
    game = models.ForeignKey(
        "tournaments.Game", null=True, blank=True, on_delete=models.SET_NULL, related_name="puzzles"
    )
    ply = models.PositiveIntegerField()
    day = models.DateField(null=True, blank=True, unique=True)
    tried = models.PositiveIntegerField(default=0)
    solved = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """Oldest first; looked up by rating."""

        ordering = ("pk",)
        indexes = (models.Index(fields=["rating"], name="puzzle_rating"),)

    def __str__(self) -> str:
        return f"puzzle {self.pk}"

    def get_absolute_url(self) -> str:
        """Where it is solved."""
        return path("puzzles:puzzle", self.pk)


class Solver(Rated):
    """A person who solves puzzles, with the rating that only puzzles give."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="solver"
    )
    tried = models.PositiveIntegerField(default=0)
    solved = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"solver {self.pk}"


class Attempt(models.Model):
    """A solver's first try at a puzzle: the only one that is rated."""

    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, related_name="attempts")
    solver = models.ForeignKey(Solver, on_delete=models.CASCADE, related_name="attempts")
    moves = models.JSONField()
    solved = models.BooleanField()
    rating_before = models.FloatField()
    rating_after = models.FloatField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """Newest first; once each."""

        ordering = ("-at", "-pk")
        constraints = (models.UniqueConstraint(fields=["puzzle", "solver"], name="puzzle_attempt_once"),)

    def __str__(self) -> str:
        return f"{self.solver} at {self.puzzle}"

    @property
    def change(self) -> int:
        """How many points it brought, rounded as ratings are shown."""
        return round(self.rating_after) - round(self.rating_before)


class Reading(models.Model):
    """How far games have been read for puzzles: those finished up to a moment, and with it up to a key.

    There is one row.
    """

    finished_at = models.DateTimeField()
    game = models.UUIDField()

    def __str__(self) -> str:
        return f"up to {self.finished_at}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save the one row."""
        self.pk = 1
        super().save(*args, **kwargs)
