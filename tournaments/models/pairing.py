"""Entrants that meet in a round."""

from __future__ import annotations

from django.db import models


class Pairing(models.Model):
    """Entrants who play `pairs_planned` pairs against each other in one round.

    Two-seat games use `first` and `second`; groups of three and four add `third` and `fourth`. The counters
    are written in the transaction that accepts a pair, seen from `first` over single games; `penta_0` …
    `penta_4` count pairs by the first's score in half points of the two games (0 both lost … 4 both won).
    They spare pages from reading every game, and the audit recomputes them. `label` names a match of a
    knockout bracket, or a bye.

    Where a tournament is of matches (`analysis.formats.matches`) `points_first` and `points_second` are the
    totals of the score sheet and `match` who won; more pairs are planned until it is over.
    """

    class Match(models.TextChoices):
        """The state of a match to points."""

        OPEN = "", "Open"
        FIRST = "first", "Won by the first"
        SECOND = "second", "Won by the second"
        DRAWN = "drawn", "Drawn"

    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="pairings"
    )
    round = models.PositiveIntegerField()
    table = models.PositiveIntegerField()
    first = models.ForeignKey("tournaments.Entry", on_delete=models.CASCADE, related_name="pairings_as_first")
    second = models.ForeignKey(
        "tournaments.Entry",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="pairings_as_second",
    )
    third = models.ForeignKey(
        "tournaments.Entry", null=True, blank=True, on_delete=models.CASCADE, related_name="pairings_as_third"
    )
    fourth = models.ForeignKey(
        "tournaments.Entry",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="pairings_as_fourth",
    )
    label = models.CharField(max_length=12, blank=True)
    pairs_planned = models.PositiveIntegerField()
    pairs_made = models.PositiveIntegerField(default=0)
    pairs_done = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    draws = models.PositiveIntegerField(default=0)
    losses = models.PositiveIntegerField(default=0)
    penta_0 = models.PositiveIntegerField(default=0)
    penta_1 = models.PositiveIntegerField(default=0)
    penta_2 = models.PositiveIntegerField(default=0)
    penta_3 = models.PositiveIntegerField(default=0)
    penta_4 = models.PositiveIntegerField(default=0)
    margin_sum = models.FloatField(default=0.0)
    margin_squares = models.FloatField(default=0.0)
    points_first = models.IntegerField(default=0)
    points_second = models.IntegerField(default=0)
    match = models.CharField(max_length=8, blank=True, choices=Match.choices, default=Match.OPEN)

    class Meta:
        """One pairing a table."""

        ordering = ("round", "table")
        constraints = (
            models.UniqueConstraint(fields=["tournament", "round", "table"], name="pairing_table_once"),
        )
        indexes = (models.Index(fields=["first", "second"], name="pairing_entries"),)

    def __str__(self) -> str:
        return f"round {self.round}, table {self.table}"

    @property
    def penta(self) -> tuple[int, int, int, int, int]:
        """Accepted pairs by the first's half points, 0 to 4."""
        return (self.penta_0, self.penta_1, self.penta_2, self.penta_3, self.penta_4)

    @property
    def entry_ids(self) -> tuple[int, ...]:
        """The entrants' keys in order, two to four (one for a bye)."""
        keys = (self.first_id, self.second_id, self.third_id, self.fourth_id)
        return tuple(key for key in keys if key is not None)
