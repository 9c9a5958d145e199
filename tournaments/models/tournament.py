"""What is held: a tournament and its organisers, its entrants, who meets whom, and the pairs they play."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy, pgettext_lazy

from analysis.formats import groups
from analysis.formats.matches import MatchRule, rule_of
from arena.web.paths import path
from bots.models.co_owner import Invitation, TeamAuditEntry
from tournaments.models.embargo import Shown

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from tournaments.models.embargo import HiddenResults


class Tournament(models.Model):
    """A competition of fixed entrants in one variant.

    `seed` (64 hex digits) decides every deal and stays secret until the tournament is over;
    `seed_commitment` is its SHA-256 and is shown from the start, so that nobody can choose deals once the
    entrants are known. `rated` follows from the pool's rule (`rating.rated_pool`), and `unrated_because`
    says why it counts for nothing. `options` has a match's rule (`analysis.formats.matches`), that of groups
    (`analysis.formats.groups`) or a test's hypotheses; of matches `pairs_per_pairing` is how many pairs one
    is expected to take. Until `registration_until` others enter and leave; then entries are frozen until
    `starts_at`, if it has one. Of an invited event only who knows `join_key` enters.

    Remote bots play only in events with `admits_remote`. There each game has a deal of its own
    (`analysis.formats.committed_seeds.game_seed`), and a rated one, an open board's ladder, counts in its own
    pool.
    """

    class Format(models.TextChoices):
        """How pairings are made."""

        ROUND_ROBIN = "round-robin", gettext_lazy("Round-robin")
        GAUNTLET = "gauntlet", gettext_lazy("Gauntlet")
        SWISS = "swiss", gettext_lazy("Swiss")
        SINGLE_ELIMINATION = "single-elimination", gettext_lazy("Single elimination")
        DOUBLE_ELIMINATION = "double-elimination", gettext_lazy("Double elimination")
        GROUPS = "groups", gettext_lazy("Groups, then knock-out")
        SPRT = "sprt", gettext_lazy("Sequential test")
        LADDER = "ladder", gettext_lazy("Ladder")

    class Status(models.TextChoices):
        """Where a tournament stands in its life."""

        DRAFT = "draft", gettext_lazy("Not started")
        RUNNING = "running", gettext_lazy("Running")
        PAUSED = "paused", gettext_lazy("Paused")
        FINISHED = "finished", gettext_lazy("Finished")
        CANCELLED = "cancelled", gettext_lazy("Cancelled")

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
    admits_remote = models.BooleanField(default=False, db_default=False)
    options = models.JSONField(default=dict, blank=True)
    seed = models.CharField(max_length=64)
    seed_commitment = models.CharField(max_length=64)
    registration_until = models.DateTimeField(null=True, blank=True)
    starts_at = models.DateTimeField(null=True, blank=True)
    join_key = models.CharField(max_length=32, blank=True)
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
    def state(self) -> StrOrPromise:
        """Where it stands, in two words; of an event that has not started, whether others may enter."""
        if self.status != self.Status.DRAFT:
            return self.get_status_display()
        if self.registration_until is None:
            return gettext_lazy("Not started")
        if self.registration_until > timezone.now():
            return gettext_lazy("Registration open")
        return gettext_lazy("Registration closed")

    @property
    def match_rule(self) -> MatchRule | None:
        """How long its matches are, None where pairings are of a fixed number of pairs."""
        return rule_of(self.options)

    @property
    def group_rule(self) -> groups.GroupRule | None:
        """How many groups it has and who advances, None in all other formats."""
        return groups.rule_of(self.options) if self.format == self.Format.GROUPS else None

    @property
    def knockout_pairs(self) -> int:
        """How many pairs a match of its bracket has before it is found to be level."""
        rule = self.group_rule
        return (rule.knockout_pairs if rule else 0) or self.pairs_per_pairing

    @property
    def subtracts_luck(self) -> bool:
        """Whether its results count with their luck subtracted, in a verdict or in open ratings."""
        return self.format == self.Format.SPRT or self.admits_remote

    @property
    def hiding(self) -> HiddenResults | None:
        """What it hides or hid, None if it never did."""
        return getattr(self, "hidden_results", None)

    @property
    def hides_results(self) -> bool:
        """Whether results are hidden or will be, and are not revealed yet."""
        return self.hiding is not None and self.hiding.revealed_at is None

    @property
    def is_over(self) -> bool:
        """Whether nothing will be played any more, so that the seed may be shown."""
        return self.status in (self.Status.FINISHED, self.Status.CANCELLED)


class Announcement(models.Model):
    """What an organiser tells everyone who looks at an event."""

    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="announcements"
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    text = models.TextField(max_length=1000)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """Newest first."""

        ordering = ("-at", "-id")

    def __str__(self) -> str:
        return self.text[:60]


class Entry(models.Model):
    """One version of a bot in one tournament; `number` from 1 is its place in the draw.

    One that is `withdrawn` has left the event (`services.withdrawals`); on a ladder it may come back.
    """

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


class Pairing(models.Model):
    """Entrants who play `pairs_planned` pairs against each other in one round.

    Two-seat games use `first` and `second`; groups of three and four add `third` and `fourth`. The counters
    are written in the transaction that accepts a pair, seen from `first` over single games; `penta_0` …
    `penta_4` count pairs by the first's score in half points of the two games (0 both lost … 4 both won).
    They spare pages from reading every game, and the audit recomputes them. `label` names a match of a
    knockout bracket, a group, or a bye. A `hidden` one exists for those who play and pair, and for nobody
    else (`tournaments.models.embargo`).

    Where a tournament is of matches (`analysis.formats.matches`) `points_first` and `points_second` are the
    totals of the score sheet and `match` who won; more pairs are planned until it is over.

    An entrant that leaves the event forfeits what it has not begun (`services.withdrawals`): `forfeited_by`
    is the first of them that did, and `pairs_forfeited` how many pairs less are planned because of that.
    Counters and ratings know nothing of these; the table counts them as won by the others.
    """

    class Match(models.TextChoices):
        """The state of a match to points."""

        OPEN = "", gettext_lazy("Open")
        FIRST = "first", gettext_lazy("Won by the first")
        SECOND = "second", gettext_lazy("Won by the second")
        DRAWN = "drawn", gettext_lazy("Drawn")

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
    hidden = models.BooleanField(default=False, db_default=False)
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
    pairs_forfeited = models.PositiveIntegerField(default=0, db_default=0)
    forfeited_by = models.ForeignKey(
        "tournaments.Entry", null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )

    HIDDEN_BY: ClassVar = "hidden"
    objects = Shown()

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

    @property
    def won_by_forfeit(self) -> int | None:
        """The key of the entrant of two that the other one left the match to; None where nobody did."""
        others = [key for key in self.entry_ids if key != self.forfeited_by_id]
        return others[0] if self.forfeited_by_id is not None and len(others) == 1 else None


class Pair(models.Model):
    """The games of one deal with seats swapped: the unit of scheduling, rating and repeating.

    With n seats there are n games, the seats rotated. `run` counts the times the pair was voided and begun
    again, from 1; at most one run of a `number` is not void. `deal_seed` is that of deal number `deal` in
    batch `batch` of the tournament's deals. `score` is the first's half points over all
    its games, `margin` the first's mean margin; both are set when the pair is accepted, and so are the points
    that the first and the second of two made in both its games. All games of a pair are played on one `host`
    by one version of the `rules`; the first that is claimed decides.
    """

    class Status(models.TextChoices):
        """The state of a pair."""

        QUEUED = "queued", gettext_lazy("Queued")
        RUNNING = "running", gettext_lazy("Running")
        ACCEPTED = "accepted", pgettext_lazy("pair", "Accepted")
        VOID = "void", gettext_lazy("Void")
        STUCK = "stuck", gettext_lazy("Stuck")

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
    host = models.CharField(max_length=100, blank=True)
    rules = models.PositiveSmallIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    accepted_at = models.DateTimeField(null=True, blank=True)

    HIDDEN_BY: ClassVar = "pairing__hidden"
    objects = Shown()

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


class Organiser(Invitation):
    """Somebody who organises an event with its owner, or was asked to.

    The owner, who founded the event, has no row. Who declined keeps theirs, so that nobody asks them again
    for the same event; they can still change their mind, until an organiser closes the invitation.
    Deleting an account deletes its rows.
    """

    class Status(models.TextChoices):
        """What they said."""

        INVITED = "invited", pgettext_lazy("organiser", "Invited")
        ACCEPTED = "accepted", pgettext_lazy("organiser", "Organises")
        DECLINED = "declined", pgettext_lazy("organiser", "Declined")
        CLOSED = "closed", pgettext_lazy("organiser", "Invitation closed")

    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="organisers"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="events_together"
    )
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.INVITED)

    class Meta(Invitation.Meta):
        """Once each; those who organise longest come first."""

        constraints = (models.UniqueConstraint(fields=["tournament", "user"], name="organiser_once"),)

    def __str__(self) -> str:
        return f"{self.user}: {self.get_status_display()}"


class AuditEntry(TeamAuditEntry):
    """What an organiser did with an event, for the other organisers; `version` is which entrant.

    `changes` are the columns that were changed before the start, each with its value before and after; of
    texts without the values, as moderators may hide one.
    """

    class What(models.TextChoices):
        """What was done."""

        EDITED = "edited", gettext_lazy("changed the event")
        STARTED = "started", gettext_lazy("started the event")
        PAUSED = "paused", gettext_lazy("paused the event")
        RESUMED = "resumed", gettext_lazy("resumed the event")
        CANCELLED = "cancelled", gettext_lazy("cancelled the event")
        ANNOUNCED = "announced", gettext_lazy("posted an announcement")
        TOOK_BACK = "took-back", gettext_lazy("took an announcement back")
        NEW_KEY = "new-key", gettext_lazy("replaced the join key")
        REVEALED = "revealed", gettext_lazy("revealed results")
        VOIDED = "voided", gettext_lazy("voided a pair")
        TOOK_OUT = "took-out", gettext_lazy("took a bot out of the event")
        INVITED = "invited", gettext_lazy("invited another organiser")
        UNINVITED = "uninvited", gettext_lazy("took an invitation back")
        JOINED = "joined", gettext_lazy("now organises the event, too")
        DECLINED = "declined", gettext_lazy("declined to organise the event")
        LEFT = "left", gettext_lazy("no longer organises the event")
        REMOVED = "removed", gettext_lazy("removed an organiser")
        INHERITED = "inherited", gettext_lazy("took over the event from its founder, whose account is gone")

    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="audit_log"
    )
    what = models.CharField(max_length=10, choices=What.choices)
    changes = models.JSONField(blank=True, default=dict, db_default={})

    class Meta(TeamAuditEntry.Meta):
        """Newest first; an account's invitations are counted."""

        db_table = "tournaments_deed"
        indexes = (
            models.Index(fields=["tournament", "-at"], name="deed_newest"),
            models.Index(fields=["actor", "what", "at"], name="deed_actor"),
        )

    def __str__(self) -> str:
        return f"{self.actor_id} {self.what} {self.tournament_id}"
