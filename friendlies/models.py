"""People's games against bots, and what they say about each person."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy, pgettext_lazy

from analysis.formats.committed_seeds import commitment
from analysis.scores import FORFEITS
from friendlies.games.turns import BOTS_TURN, SEATS, Awaits


class Daily(models.Model):
    """The deal of a day (UTC): everybody plays it from the same seat against the same bot, once.

    All days of a week, from Monday on, have the same game, so that one gets to know it. It is dealt from
    `seed`, which nobody is told before the day is over. Its commitment is published the day before.
    """

    day = models.DateField(unique=True)
    variant = models.CharField(max_length=32)
    version = models.ForeignKey("bots.Version", on_delete=models.CASCADE, related_name="dailies")
    seed = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """Newest first."""

        ordering = ("-day",)
        verbose_name_plural = "dailies"

    def __str__(self) -> str:
        return f"deal of {self.day}"

    def get_absolute_url(self) -> str:
        """The page with its board."""
        return reverse("play:daily", args=[self.day])

    @property
    def seat(self) -> int:
        """Where everybody sits; fixed by the commitment, too."""
        return int(self.seed[-1], 16) % SEATS

    @property
    def commitment(self) -> str:
        """SHA-256 of the seed."""
        return commitment(self.seed)

    @property
    def ends_at(self) -> datetime:
        """From when on its cards are no secret any more, and results no longer count."""
        return datetime.combine(self.day + timedelta(days=1), time(), UTC)

    @property
    def has_begun(self) -> bool:
        """Whether it may be played, or might have been."""
        return timezone.now() >= self.ends_at - timedelta(days=1)

    @property
    def is_over(self) -> bool:
        """Whether the day is over."""
        return timezone.now() >= self.ends_at


class Friendly(models.Model):
    """A game of a person in `seat` against `version` in the other one.

    The row holds the whole game: the full position line it starts from, the packed events, and what is
    awaited. So it survives every process. A change applies to the `revision` that was read, or not at all.
    `epoch` counts the events that were taken back. While `lease` and `lease_until` are set, a worker is
    asking the bot.

    In a game in ticks `tick_ms` is how long a tick may last, 0 if it waits for the person, and `clock_from`
    when the open one began, null while the game is paused. Elsewhere `tick_ms` is null.

    The player is `owner`, or a guest whose session knows the word `guest`; `address` is a keyed hash of a
    guest's address. `pair` and `leg` say whose deal is played again, if it is a duplicate. `daily` is the
    deal of a day, which an owner plays once, and a guest. `unranked` keeps a game from its board: a guest
    began it on a network where another had begun the same deal, and may have told its cards.

    A remote bot's place is taken until `place_until`, also while the person thinks (`remote_places`); null
    where none is.

    `level` is how strong the bot plays, of the levels of `bots.house`; null at full strength. Levels below it
    have no rating, so no rated game has one.

    A `rated` game counts for its owner's rating, as was said before its cards were dealt: without hints and
    without undo. `luck` is that of the person in the result, from -1 to 1, by the value function
    `luck_version`, null where it is not measured; `weighed_at` is when the game was counted.
    """

    class Status(models.TextChoices):
        """The state of a game."""

        RUNNING = "running", gettext_lazy("Running")
        FINISHED = "finished", pgettext_lazy("game", "Finished")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="friendlies"
    )
    guest = models.CharField(max_length=32, blank=True)
    address = models.CharField(max_length=32, blank=True)
    # Who played keeps the game, and what it counted: the bot of a deleted account stays without a name.
    version = models.ForeignKey("bots.Version", on_delete=models.RESTRICT, related_name="friendlies")
    level = models.PositiveSmallIntegerField(null=True, blank=True)
    pair = models.ForeignKey(
        "tournaments.Pair", null=True, blank=True, on_delete=models.SET_NULL, related_name="friendlies"
    )
    leg = models.PositiveSmallIntegerField(default=0)
    daily = models.ForeignKey(
        Daily, null=True, blank=True, on_delete=models.SET_NULL, related_name="friendlies"
    )
    unranked = models.BooleanField(default=False, db_default=False)
    variant = models.CharField(max_length=32)
    seat = models.PositiveSmallIntegerField()
    start = models.CharField(max_length=1200)
    rules = models.PositiveSmallIntegerField()
    events = models.BinaryField(default=bytes)
    revision = models.PositiveIntegerField(default=0)
    epoch = models.PositiveIntegerField(default=0)
    awaits = models.CharField(max_length=8, choices=[(one.value, one.value) for one in Awaits])
    pending = models.JSONField(default=list, blank=True)
    offer = models.PositiveSmallIntegerField(null=True, blank=True)
    clocks = models.JSONField(default=list)
    bank_ms = models.PositiveIntegerField(null=True, blank=True)
    increment_ms = models.PositiveIntegerField(default=0)
    tick_ms = models.PositiveIntegerField(null=True, blank=True)
    clock_from = models.DateTimeField(null=True, blank=True)
    polls = models.BooleanField(null=True, blank=True)
    bot_cpu_ms = models.PositiveIntegerField(default=0)
    hints = models.PositiveIntegerField(default=0)
    rated = models.BooleanField(default=False)
    luck = models.FloatField(null=True, blank=True)
    luck_version = models.PositiveSmallIntegerField(null=True, blank=True)
    weighed_at = models.DateTimeField(null=True, blank=True)
    trouble = models.CharField(max_length=300, blank=True)
    lease = models.CharField(max_length=32, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    place_until = models.DateTimeField(null=True, blank=True)
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.RUNNING)
    result = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    acted_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Newest first; looked up by player, and by what is to be done."""

        # The table is older than this app.
        db_table = "tournaments_friendly"
        ordering = ("-created_at",)
        verbose_name_plural = "friendlies"
        constraints = (
            models.UniqueConstraint(fields=["daily", "owner"], name="friendly_daily_once"),
            models.UniqueConstraint(
                fields=["daily", "guest"],
                condition=models.Q(owner=None, daily__isnull=False),
                name="friendly_daily_guest",
            ),
            # A second one could be played on while a lost one is left alone.
            models.UniqueConstraint(
                fields=["owner"],
                condition=models.Q(rated=True, status="running"),
                name="friendly_rated_once",
            ),
            models.CheckConstraint(
                condition=models.Q(rated=False) | models.Q(level=None), name="friendly_rated_full"
            ),
        )
        indexes = (
            models.Index(fields=["owner", "-created_at"], name="friendly_owner"),
            models.Index(
                fields=["place_until"], condition=models.Q(place_until__isnull=False), name="friendly_place"
            ),
            models.Index(fields=["guest", "-created_at"], name="friendly_guest"),
            models.Index(fields=["status", "awaits", "acted_at"], name="friendly_waiting"),
            models.Index(
                fields=["owner", "variant", "finished_at"],
                condition=models.Q(rated=True),
                name="friendly_rated",
            ),
        )

    def __str__(self) -> str:
        return f"friendly {str(self.id)[:8]}"

    def get_absolute_url(self) -> str:
        """The table while it is played, the replay afterwards."""
        return reverse("play:table", args=[self.id])

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.status == self.Status.FINISHED

    @property
    def is_secret(self) -> bool:
        """Whether others may still play its deal: even once it is over, only the player sees the game."""
        return self.daily is not None and not self.daily.is_over

    @property
    def keeps_its_cards(self) -> bool:
        """Whether its player, too, must wait for the cards: or one would give the day's deal up to read them,
        and play it with another account."""
        result = self.result or {}
        gave_up = result.get("termination") in FORFEITS and result.get("seat") == self.seat
        return self.is_secret and gave_up

    @property
    def in_ticks(self) -> bool:
        """Whether both seats act at once (RULES 7)."""
        return self.tick_ms is not None

    @property
    def bot_is_awaited(self) -> bool:
        """Whether a worker has something to ask the bot."""
        return self.awaits in BOTS_TURN


class PersonRating(models.Model):
    """A person's rating in a variant on the scale of the bots' ratings (`analysis.person_rating`).

    A pure function of the person's rated games and of the bots' ratings when it was computed, never read by
    anything that rates bots. `low` and `high` are the ends of the 95 % interval, null where the games leave
    it open. `lucky` of the `games` were counted without their luck. `curve` has points (games, elo, low,
    high), `met` a list of (version, won, drawn, lost), and `latest` the last games as (key, version, outcome,
    cards left, cards left to the bot, time), so that no page has to read games.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="person_ratings"
    )
    variant = models.CharField(max_length=32)
    elo = models.FloatField()
    low = models.FloatField(null=True, blank=True)
    high = models.FloatField(null=True, blank=True)
    games = models.PositiveIntegerField()
    wins = models.PositiveIntegerField()
    draws = models.PositiveIntegerField()
    losses = models.PositiveIntegerField()
    lucky = models.PositiveIntegerField()
    curve = models.JSONField(default=list)
    met = models.JSONField(default=list)
    latest = models.JSONField(default=list)
    computed_at = models.DateTimeField()

    class Meta:
        """Best first."""

        ordering = ("variant", "-low")
        constraints = (models.UniqueConstraint(fields=["user", "variant"], name="person_rating_once"),)
        indexes = (models.Index(fields=["variant", "-low"], name="person_rating_place"),)

    def __str__(self) -> str:
        return f"{self.user_id} in {self.variant}: {self.elo:.0f}"
