"""Series with their seasons and events, the seasons of ladders, and tables as they stood at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy, pgettext_lazy

from arena.web.paths import path
from tournaments.series.points import GRAND_PRIX

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_NAME = 60
LONGEST_DESCRIPTION = 2000


class EventSeries(models.Model):
    """Recurring events of one organiser, with a table over those of each season.

    `owner` is null if the account is gone; then only staff manage it. While a text is held, moderators
    chose it, and its organiser cannot change it.
    """

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=LONGEST_NAME)
    description = models.TextField(blank=True, max_length=LONGEST_DESCRIPTION)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="event_series"
    )
    name_held = models.BooleanField(default=False)
    description_held = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Newest first."""

        ordering = ("-created_at", "-pk")
        verbose_name = "series"
        verbose_name_plural = "series"

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """The page of the series."""
        return path("series:detail", self.slug)


class Season(models.Model):
    """A season of a series: its rule, and when it was closed; a series has at most one that is open.

    `listed` are the points for the first places of an event where the organiser chose them. The `best`
    results of each bot count, 0 means all; `planned` is how many events it is to have, 0 if nobody said. The
    table of a closed season is in its `places`, as it was at that moment.
    """

    class Scheme(models.TextChoices):
        """What a place is worth."""

        GRAND_PRIX = "grand-prix", gettext_lazy("Grand Prix: 12, 10, 8, 7, 6, 5, 4, 3, 2, 1")
        SHARE = "share", gettext_lazy("Percentage of the points a bot could have won")
        LISTED = "listed", gettext_lazy("My own list")

    series = models.ForeignKey(EventSeries, on_delete=models.CASCADE, related_name="seasons")
    number = models.PositiveIntegerField()
    scheme = models.CharField(max_length=12, choices=Scheme.choices, default=Scheme.GRAND_PRIX)
    listed = models.JSONField(default=list, blank=True)
    best = models.PositiveSmallIntegerField(default=0)
    planned = models.PositiveSmallIntegerField(default=0)
    opened_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        """Newest first; one is open."""

        ordering = ("series", "-number")
        constraints = (
            models.UniqueConstraint(fields=["series", "number"], name="season_number_once"),
            models.UniqueConstraint(
                fields=["series"], condition=models.Q(closed_at__isnull=True), name="season_open_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.series}, season {self.number}"

    def get_absolute_url(self) -> str:
        """The page of the season."""
        return path("series:season", self.series.slug, self.number)

    @property
    def points(self) -> Sequence[float]:
        """Points for the first places; of no meaning where shares count."""
        return self.listed if self.scheme == self.Scheme.LISTED else GRAND_PRIX

    @property
    def is_open(self) -> bool:
        """Whether events may still come to it."""
        return self.closed_at is None


class SeasonEvent(models.Model):
    """An event of a season; `number` is its place in the calendar. An event belongs to one series at most."""

    tournament = models.OneToOneField(
        "tournaments.Tournament", primary_key=True, on_delete=models.CASCADE, related_name="season_event"
    )
    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="events")
    number = models.PositiveSmallIntegerField()

    class Meta:
        """In the order of the calendar."""

        ordering = ("season", "number", "pk")

    def __str__(self) -> str:
        return f"{self.number}. {self.tournament}"


class FinalPlace(models.Model):
    """A bot's line in the table of a closed season.

    `scores` has, by event, the place, the points and whether they count.
    """

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="places")
    bot = models.ForeignKey("bots.Bot", on_delete=models.PROTECT, related_name="season_places")
    place = models.PositiveIntegerField()
    points = models.FloatField()
    scores = models.JSONField()

    class Meta:
        """Best first."""

        ordering = ("season", "place", "pk")
        constraints = (models.UniqueConstraint(fields=["season", "bot"], name="final_place_once"),)

    def __str__(self) -> str:
        return f"{self.place}. {self.bot}"


class LadderSeason(models.Model):
    """A closed season of a ladder. Ratings went on: nothing was reset."""

    ladder = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="ladder_seasons"
    )
    number = models.PositiveIntegerField()
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(default=timezone.now)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        """Newest first."""

        ordering = ("ladder", "-number")
        constraints = (models.UniqueConstraint(fields=["ladder", "number"], name="ladder_season_once"),)

    def __str__(self) -> str:
        return f"{self.ladder}, season {self.number}"

    def get_absolute_url(self) -> str:
        """The page of the season."""
        return path("series:ladder-season", self.ladder.slug, self.number)


class LadderPlace(models.Model):
    """A version's place when a ladder's season was closed, with its rating and 95 % interval then."""

    season = models.ForeignKey(LadderSeason, on_delete=models.CASCADE, related_name="places")
    version = models.ForeignKey("bots.Version", on_delete=models.PROTECT, related_name="ladder_places")
    place = models.PositiveIntegerField()
    elo = models.FloatField()
    error = models.FloatField()
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    games = models.PositiveIntegerField()

    class Meta:
        """Best first."""

        ordering = ("season", "place")
        constraints = (models.UniqueConstraint(fields=["season", "version"], name="ladder_place_once"),)

    def __str__(self) -> str:
        return f"{self.place}. {self.version}"


class SeriesAuditEntry(models.Model):
    """What an organiser did with a series; `actor` is null if their account is gone."""

    class What(models.TextChoices):
        """What was done."""

        FOUNDED = "founded", gettext_lazy("created the series")
        TEXTS = "texts", gettext_lazy("changed the name or the description")
        RULE = "rule", gettext_lazy("changed the rule")
        ADDED = "added", gettext_lazy("added an event")
        REMOVED = "removed", gettext_lazy("removed an event")
        MOVED = "moved", gettext_lazy("changed the order of the events")
        CLOSED = "closed", gettext_lazy("closed the season")
        OPENED = "opened", pgettext_lazy("series", "started a season")

    series = models.ForeignKey(EventSeries, on_delete=models.CASCADE, related_name="audit_log")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    what = models.CharField(max_length=10, choices=What.choices)
    tournament = models.ForeignKey(
        "tournaments.Tournament", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Newest first."""

        db_table = "series_seriesdeed"
        ordering = ("-at", "-pk")
        verbose_name, verbose_name_plural = "audit entry", "audit log"
        indexes = (models.Index(fields=["series", "-at"], name="series_deed_newest"),)

    def __str__(self) -> str:
        return f"{self.actor_id} {self.what} {self.series_id}"
