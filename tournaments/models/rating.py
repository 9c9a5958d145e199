"""Ratings: what they are computed from, what they are, and what bounds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypeVar

from django.conf import settings
from django.db import models

from arena.web.variants import OPEN

if TYPE_CHECKING:
    from django.db.models import QuerySet


Row = TypeVar("Row", bound=models.Model)


class Sandboxed(models.Manager[Row]):
    """The ratings that lists, profiles and downloads show: those of the sandboxed pool alone.

    Of open boards they are in `every`, by the board's name with `OPEN` before it.
    """

    def get_queryset(self) -> QuerySet[Row]:
        """All but those of open boards."""
        return super().get_queryset().exclude(variant__startswith=OPEN)


class Rating(models.Model):
    """The Elo of one version in one variant, a pure function of all accepted pairs of rated tournaments.

    `error` is one standard error in Elo; `anchored` is false if no chain of games leads to the anchor, so
    that the figure compares only with those it met. Games, wins, draws and losses count single games.
    `low` and `high` are the ends of the 95 % interval, empty where there is none. While a version is still
    being measured, its rating is `provisional`. `superiority` is the likelihood of being stronger than the
    next on the list.
    """

    version = models.ForeignKey("bots.Version", on_delete=models.CASCADE, related_name="ratings")
    variant = models.CharField(max_length=32)
    elo = models.FloatField()
    error = models.FloatField()
    low = models.FloatField(null=True, blank=True)
    high = models.FloatField(null=True, blank=True)
    provisional = models.BooleanField(default=False)
    anchored = models.BooleanField(default=True)
    pairs = models.PositiveIntegerField(default=0)
    games = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    draws = models.PositiveIntegerField(default=0)
    losses = models.PositiveIntegerField(default=0)
    margin = models.FloatField(default=0.0)
    superiority = models.FloatField(null=True, blank=True)
    computed_at = models.DateTimeField()

    objects = Sandboxed()
    every: ClassVar[models.Manager[Rating]] = models.Manager()

    class Meta:
        """Best first; below them those that are provisional, in the same order."""

        ordering = ("variant", "provisional", "-elo", "version")
        constraints = (models.UniqueConstraint(fields=["version", "variant"], name="rating_once"),)
        indexes = (models.Index(fields=["variant", "provisional", "-elo"], name="rating_order"),)

    def __str__(self) -> str:
        return f"{self.elo:.0f} ± {1.96 * self.error:.0f}"


class RatingInputs(models.Model):
    """Everything that decided a board's ratings, written together with them.

    Pairs accepted since are not in it, so that ratings and inputs agree at every moment. `data` is packed by
    `analysis.ratings.inputs`; so is `covariance`, that of the ratings of versions in play, for the ladder.
    """

    board = models.CharField(max_length=32, primary_key=True)
    data = models.BinaryField()
    covariance = models.BinaryField(default=b"")
    computed_at = models.DateTimeField()

    class Meta:
        """Named as a plural already."""

        verbose_name_plural = "rating inputs"

    def __str__(self) -> str:
        return self.board


class RatingState(models.Model):
    """Counts of changes to a variant's accepted pairs: `requested` happened, `computed` are in the ratings.

    `scheduled_at` is when the next computation was asked for, so that a burst of pairs asks once.
    """

    variant = models.CharField(max_length=32, primary_key=True)
    requested = models.PositiveBigIntegerField(default=0)
    computed = models.PositiveBigIntegerField(default=0)
    scheduled_at = models.DateTimeField(null=True, blank=True)
    computed_at = models.DateTimeField(null=True, blank=True)
    audited_at = models.DateTimeField(null=True, blank=True)
    audit = models.JSONField(default=dict, blank=True)

    def __str__(self) -> str:
        return self.variant


class RatingPoint(models.Model):
    """A version's rating at one moment: kept when it is new, and then at most every ten minutes."""

    version = models.ForeignKey("bots.Version", on_delete=models.CASCADE, related_name="rating_points")
    variant = models.CharField(max_length=32)
    at = models.DateTimeField()
    elo = models.FloatField()
    error = models.FloatField()
    games = models.PositiveIntegerField()

    objects = Sandboxed()
    every: ClassVar[models.Manager[RatingPoint]] = models.Manager()

    class Meta:
        """In order of time."""

        ordering = ("at",)
        constraints = (
            models.UniqueConstraint(fields=["version", "variant", "at"], name="rating_point_once"),
        )

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}: {self.elo:.0f}"


class Lead(models.Model):
    """A version that took first place on a board, and when."""

    board = models.CharField(max_length=32)
    version = models.ForeignKey("bots.Version", on_delete=models.CASCADE, related_name="leads")
    elo = models.FloatField()
    at = models.DateTimeField()

    class Meta:
        """Newest first, by board."""

        ordering = ("-at",)
        indexes = (models.Index(fields=["board", "-at"], name="lead_newest"),)

    def __str__(self) -> str:
        return f"{self.version_id} leads {self.board}"


class AccountLink(models.Model):
    """Two accounts that staff consider one author. Their bots are never rated against each other."""

    one = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(max_length=300)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """Each couple once, and nobody with themselves."""

        constraints = (
            models.UniqueConstraint(fields=["one", "other"], name="account_link_once"),
            models.CheckConstraint(condition=~models.Q(one=models.F("other")), name="account_link_of_two"),
        )

    def __str__(self) -> str:
        return f"{self.one} and {self.other}"


class VoidRequest(models.Model):
    """An owner asks staff to void a pair because of what a machine did.

    Staff look at the attempts to decide, without seeing who won. `granted` is None until then.
    """

    pair = models.ForeignKey("tournaments.Pair", on_delete=models.CASCADE, related_name="void_requests")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    evidence = models.CharField(max_length=300)
    created_at = models.DateTimeField(auto_now_add=True)
    granted = models.BooleanField(null=True, blank=True)
    answer = models.CharField(max_length=300, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Oldest first; one open request a pair."""

        ordering = ("created_at", "id")
        constraints = (
            models.UniqueConstraint(
                fields=["pair"], condition=models.Q(granted=None), name="void_request_open_once"
            ),
        )

    def __str__(self) -> str:
        return f"request {self.pk} about pair {self.pair_id}"


class RatingAnchor(models.Model):
    """A version of a house bot with a fixed Elo.

    Its anchors fix the scale of a variant, and no game moves any of them. A new version of a house bot
    becomes an anchor only once it is well known, so it moves nobody.
    """

    variant = models.CharField(max_length=32)
    version = models.ForeignKey("bots.Version", on_delete=models.CASCADE, related_name="+")
    elo = models.FloatField()
    frozen_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """A version has one fixed rating in a variant."""

        ordering = ("variant", "id")
        constraints = (models.UniqueConstraint(fields=["variant", "version"], name="rating_anchor_once"),)

    def __str__(self) -> str:
        return f"{self.version} at {self.elo:.0f} in {self.variant}"


class ProbeSet(models.Model):
    """The games whose positions every version is asked about; the latest edition is used.

    ``games`` are full starting positions with the moves that were played, and the plies of which bots are
    asked (`analysis.likeness`). They are secret: a bot that knew them could answer differently from how it
    plays.
    """

    edition = models.PositiveIntegerField(unique=True)
    games = models.JSONField()
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """Latest edition first."""

        ordering = ("-edition",)

    def __str__(self) -> str:
        return f"edition {self.edition}"


class ProbeAnswers(models.Model):
    """A version's answers to a set: its move by the key of each position. Slow versions answer fewer.

    While it is being asked it is not `done`, and `at` is when that began.
    """

    version = models.OneToOneField("bots.Version", on_delete=models.CASCADE, related_name="probe_answers")
    probe_set = models.ForeignKey(ProbeSet, on_delete=models.CASCADE, related_name="answers")
    choices = models.JSONField(default=dict)
    done = models.BooleanField(default=False)
    at = models.DateTimeField()

    class Meta:
        """The class name is already a plural."""

        verbose_name_plural = "probe answers"

    def __str__(self) -> str:
        return f"{len(self.choices)} answers of version {self.version_id}"


class NearTwin(models.Model):
    """Two versions that gave the same answer to `same` of `common` questions, above the threshold.

    ``one`` was uploaded before ``other``.
    """

    one = models.ForeignKey("bots.Version", on_delete=models.CASCADE, related_name="later_twins")
    other = models.ForeignKey("bots.Version", on_delete=models.CASCADE, related_name="earlier_twins")
    same = models.PositiveIntegerField()
    common = models.PositiveIntegerField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """Each two versions once."""

        constraints = (
            models.UniqueConstraint(fields=["one", "other"], name="near_twin_once"),
            models.CheckConstraint(condition=models.Q(one__lt=models.F("other")), name="near_twin_in_order"),
        )

    def __str__(self) -> str:
        return f"{self.one_id} and {self.other_id}: {self.same} of {self.common}"
